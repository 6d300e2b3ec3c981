"""What the viewer costs: `python3 cost.py path/to/cortenforge [--model file ...] [--seconds 600]`.

A page is stood for by a socket that confirms each frame. Measured are the time to the first frame
once the model is loaded, the part of a core that a thousand moving geoms take at 60 Hz, and the
memory of the program over time.
"""

import argparse
import os
import pathlib
import tempfile
import threading
import time

from chromium import Socket, View

BINARY, FRAME, GRID = 2, 3, 5


class Client:
    """Confirms frames as a page does, and counts them."""

    def __init__(self, view):
        self.socket = Socket(f"ws://{view.host}/socket", f"http://{view.host}")
        self.socket.send(f"hello {view.token}")
        self.frames, self.bytes, self.ended = 0, 0, False

    def take(self):
        """Waits for the next frame."""
        while True:
            opcode, payload = self.socket.receive()
            self.bytes += len(payload)
            if opcode == BINARY and payload[1] in (FRAME, GRID):
                self.frames += 1
                self.socket.send("ack")
                return

    def follow(self):
        try:
            while not self.ended:
                self.take()
        except (EOFError, OSError):
            pass

    def __enter__(self):
        self.take()
        self.thread = threading.Thread(target=self.follow, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.ended = True
        self.thread.join(10)
        self.socket.close()


def cpu(view):
    """Seconds of computing so far."""
    fields = pathlib.Path(f"/proc/{view.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(view):
    """Resident bytes."""
    status = pathlib.Path(f"/proc/{view.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return 1024 * int(line.split()[1])


def first_frame(program, model):
    times = []
    for _ in range(5):
        with View(program, model) as view:
            start = time.monotonic()
            client = Client(view)
            client.take()
            times.append(time.monotonic() - start)
            size = client.bytes
            client.socket.close()
    print(f"first frame {pathlib.Path(model).stem:<24} {1e3 * sorted(times)[2]:6.0f} ms  {size / 1e6:6.2f} MB")


def swarm(count, timestep):
    """Bodies that turn. With a step per frame, what is measured is the viewer more than physics."""
    bodies = "".join(
        f"<body pos='{i % 40} {i // 40} 1'><joint type='hinge' axis='0 1 0'/>"
        "<geom type='box' size='.3 .2 .1'/></body>" for i in range(count))
    keys = " ".join("1" for _ in range(count))
    return (
        f"<mujoco><option gravity='0 0 0' timestep='{timestep}'><flag contact='disable'/></option>"
        "<default><geom contype='0' conaffinity='0'/></default>"
        f"<worldbody><light pos='0 0 9'/><geom type='plane' size='50 50 1'/>{bodies}</worldbody>"
        f"<keyframe><key qvel='{keys}'/></keyframe></mujoco>")


def share_of_a_core(program, seconds, count, timestep):
    with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
        file.write(swarm(count, timestep))
        file.flush()
        with View(program, file.name, "--keyframe", "0") as view, Client(view) as client:
            time.sleep(2)
            start, busy, frames, size = time.monotonic(), cpu(view), client.frames, client.bytes
            time.sleep(seconds)
            took = time.monotonic() - start
            print(f"{count} moving geoms, steps of {1e3 * timestep:g} ms: {(client.frames - frames) / took:.1f} frames/s, "
                  f"{100 * (cpu(view) - busy) / took:.2f} % of a core, "
                  f"{(client.bytes - size) / took / 1e6:.2f} MB/s")


def memory_over_time(program, model, seconds):
    with View(program, model) as view, Client(view) as client:
        start = time.monotonic()
        while (passed := time.monotonic() - start) < seconds:
            print(f"after {passed:4.0f} s: {memory(view) / 1e6:7.2f} MB, {client.frames} frames", flush=True)
            time.sleep(min(30, seconds - passed) + 0.01)
        print(f"after {time.monotonic() - start:4.0f} s: {memory(view) / 1e6:7.2f} MB, {client.frames} frames")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--model", action="append", default=[], help="for the first frame")
    parser.add_argument("--geoms", type=int, default=1000)
    parser.add_argument("--share", type=float, default=20, help="seconds; 0: leave out")
    parser.add_argument("--seconds", type=float, default=0, help="of memory over time")
    arguments = parser.parse_args()
    models = arguments.model or ["humanoid"]
    for model in models:
        first_frame(arguments.program, model)
    if arguments.share:
        for timestep in (1 / 60, 0.002):
            share_of_a_core(arguments.program, arguments.share, arguments.geoms, timestep)
    if arguments.seconds:
        memory_over_time(arguments.program, models[0], arguments.seconds)


if __name__ == "__main__":
    main()

"""Drives Chromium over its DevTools protocol, with the standard library alone."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

FLAGS = (
    "--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --use-angle=swiftshader"
    " --enable-unsafe-swiftshader --disable-dev-shm-usage --hide-scrollbars --mute-audio"
    " --force-device-scale-factor=1"
).split()


class Socket:
    """A WebSocket client: text messages only, as the protocol needs."""

    def __init__(self, url, origin=None, timeout=120):
        host, path = url.removeprefix("ws://").split("/", 1)
        name, port = host.rsplit(":", 1)
        self.stream = socket.create_connection((name, int(port)), timeout)
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        )
        if origin:
            head += f"Origin: {origin}\r\n"
        self.stream.sendall((head + "\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            part = self.stream.recv(4096)
            if not part:
                break
            self.buffer += part
        self.head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        self.status = int(self.head.split()[1]) if self.head else 0

    def exact(self, count):
        while len(self.buffer) < count:
            part = self.stream.recv(1 << 16)
            if not part:
                raise EOFError
            self.buffer += part
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, text):
        payload = text.encode()
        size = len(payload)
        head = b"\x81"
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.stream.sendall(head + b"\0\0\0\0" + payload)

    def receive(self):
        """Opcode and payload of the next message."""
        payload = b""
        while True:
            first, second = self.exact(2)
            size = second & 0x7F
            if size == 126:
                (size,) = struct.unpack(">H", self.exact(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.exact(8))
            payload += self.exact(size)
            if first & 0x80:
                return first & 0x0F, payload

    def close(self):
        self.stream.close()


class Page:
    """A tab of the browser."""

    def __init__(self, browser, target):
        self.browser = browser
        self.target = target["id"]
        self.socket = Socket(target["webSocketDebuggerUrl"])
        self.number = 0
        self.errors = []
        self.handlers = {}
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.receive()[1])
            if message.get("method") == "Runtime.exceptionThrown":
                detail = message["params"]["exceptionDetails"]
                self.errors.append(detail.get("exception", {}).get("description", detail["text"]))
            if message.get("method") in self.handlers:
                self.handlers[message["method"]](message["params"])
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def tell(self, method, **params):
        """Calls without waiting for the answer."""
        self.socket.send(json.dumps({"id": 0, "method": method, "params": params}))

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def run(self, expression):
        """The value of an expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            detail = result["exceptionDetails"]
            raise RuntimeError(detail.get("exception", {}).get("description", detail["text"]))
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        """Waits until an expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = self.run(expression)
            except RuntimeError:
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise AssertionError(f"not in {seconds} s: {expression}; errors: {self.errors}")
            time.sleep(0.05)

    def mouse(self, kind, x, y, button="none", clicks=0, modifiers=0, buttons=0, dy=0):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button,
                  clickCount=clicks, modifiers=modifiers, buttons=buttons, deltaX=0, deltaY=dy)

    def drag(self, start, end, button="left", modifiers=0, steps=6, hold=None):
        bits = {"left": 1, "right": 2}[button]
        self.mouse("mousePressed", *start, button, 1, modifiers, bits)
        for i in range(1, steps + 1):
            at = [a + (b - a) * i / steps for a, b in zip(start, end)]
            self.mouse("mouseMoved", *at, button, 0, modifiers, bits)
        if hold:
            hold()
        self.mouse("mouseReleased", *end, button, 1, modifiers, 0)

    def double_click(self, x, y):
        for clicks in (1, 2):
            self.mouse("mousePressed", x, y, "left", clicks, 0, 1)
            self.mouse("mouseReleased", x, y, "left", clicks)

    def drop(self, x, y, *paths):
        """Lets files fall onto the page."""
        files = json.dumps([[path.name, path.read_text()] for path in paths])
        self.run(f"""(() => {{
            const dataTransfer = new DataTransfer(), at = {{clientX: {x}, clientY: {y}, bubbles: true, cancelable: true}};
            for (const [name, text] of {files}) dataTransfer.items.add(new File([text], name));
            for (const kind of ['dragenter', 'dragover', 'drop'])
                document.elementFromPoint({x}, {y}).dispatchEvent(new DragEvent(kind, {{...at, dataTransfer}}));
            return true; }})()""")

    def drop_paths(self, x, y, *paths):
        """Lets files or folders fall onto the page, as from a window of files."""
        data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y, data=data)

    def key(self, key, code="", modifiers=0):
        text = {"text": key} if len(key) == 1 and not modifiers else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code,
                  modifiers=modifiers, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code, modifiers=modifiers)

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def close(self):
        try:
            self.call("Page.close")
        except (EOFError, OSError, RuntimeError):
            pass
        self.socket.close()


class Browser:
    """Chromium without a window."""

    def __init__(self, extra=()):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser",
                                                       "google-chrome"))), None)
        if program is None:
            raise SystemExit("chromium is needed: apt-get install chromium")
        self.folder = tempfile.mkdtemp(prefix="viewer-")
        self.process = subprocess.Popen(
            [program, *FLAGS, *extra, f"--user-data-dir={self.folder}",
             "--remote-debugging-port=0", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        path = os.path.join(self.folder, "DevToolsActivePort")
        end = time.monotonic() + 60
        while not (os.path.exists(path) and open(path).read().count("\n")):
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit("chromium does not start")
            time.sleep(0.05)
        self.port = int(open(path).readline())

    def page(self, width=960, height=600):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/json/new?about:blank",
                                         method="PUT")
        with urllib.request.urlopen(request) as response:
            page = Page(self, json.load(response))
        page.size(width, height)
        return page

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class View:
    """A running `cortenforge view`."""

    def __init__(self, program, *arguments):
        self.process = subprocess.Popen([program, "view", "--no-browser", *map(str, arguments)],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError(self.process.stderr.read())
        self.host = self.url.removeprefix("http://").split("/")[0]
        self.token = self.url.split("token=")[1]

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

"""Engines for the benchmark: one that is a module of this process, one in a process of its own, or a
program without Python.

Run as a program, this file is the process of the second kind: it answers calls that come over its
input.
"""

import importlib
import math
import pathlib
import pickle
import subprocess
import sys
import time

import numpy as np

# in the order of the bits of `mjtState`
STATE = ('qpos', 'qvel', 'act', 'qacc_warmstart', 'ctrl', 'mocap_pos', 'mocap_quat')


class Engine:
  """A `mujoco`-shaped module with a model loaded."""

  def __init__(self, name):
    self.module = importlib.import_module(name)
    self.version = self.module.__version__
    try:
      self.rollout_module = importlib.import_module(f'{name}.rollout')
    except ImportError:
      self.rollout_module = None
    self.model = self.data = self.batch = None

  def load(self, path):
    """Loads a model; returns why that did not work, or None."""
    try:
      self.model = self.module.MjModel.from_xml_path(str(path))
    except ValueError as error:
      return str(error)
    # off by default in newer versions, and of no use without a window
    self.model.vis.global_.bvactive = 0
    self.data = self.module.MjData(self.model)
    return None

  def set_state(self, state):
    data = self.data
    self.module.mj_resetData(self.model, data)
    for name in STATE:
      getattr(data, name)[:] = state[name]

  def run(self, state, steps):
    """Seconds for `steps` steps from `state`; infinite if the simulation diverges."""
    self.set_state(state)
    start = time.perf_counter()
    self.module.mj_step(self.model, self.data, nstep=steps)
    elapsed = time.perf_counter() - start
    return math.inf if any(warning.number for warning in self.data.warning) else elapsed

  def has_batches(self):
    return self.rollout_module is not None

  def prepare_batch(self, states, threads):
    """Gets ready for rollouts from `states`, on as many threads."""
    spec = int(self.module.mjtState.mjSTATE_FULLPHYSICS)
    rows = np.empty((len(states), self.module.mj_stateSize(self.model, spec)))
    for row, state in zip(rows, states):
      self.set_state(state)
      self.module.mj_getState(self.model, self.data, row, spec)
    self.batch = rows, [self.module.MjData(self.model) for _ in range(threads)]

  def run_batch(self, controls):
    """Seconds for rollouts with controls of shape (state, step, nu)."""
    rows, data = self.batch
    start = time.perf_counter()
    self.rollout_module.rollout(self.model, data, rows, controls, nstep=controls.shape[1],
                                persistent_pool=True)
    return time.perf_counter() - start


class Remote:
  """An engine in a process of another Python."""

  def __init__(self, python, name):
    self.process = subprocess.Popen(  # pylint: disable=consider-using-with
        [python, __file__, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    self.version = self.call('version')

  def call(self, *message):
    pickle.dump(message, self.process.stdin)
    self.process.stdin.flush()
    return pickle.load(self.process.stdout)

  def __getattr__(self, name):
    return lambda *arguments: self.call(name, *arguments)

  def close(self):
    self.process.stdin.close()
    self.process.wait()


class Program:
  """An engine as a program that reads commands, a line each; `examples/engine.rs` lists them."""

  def __init__(self, path):
    self.process = subprocess.Popen(  # pylint: disable=consider-using-with
        [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    self.version = self.call('version')

  def call(self, *words):
    print(*words, file=self.process.stdin, flush=True)
    return self.process.stdout.readline().rstrip('\n')

  def load(self, path):
    """Loads a model; returns why that did not work, or None."""
    answer = self.call('load', path)
    return None if answer == 'ok' else answer

  def set_states(self, path):
    """Takes states that :func:`write_states` has written."""
    answer = self.call('states', path)
    if not answer.isdigit():
      raise ValueError(f'{self.process.args[0]}: {answer}')

  def run(self, row, steps):
    """Seconds of CPU time for `steps` steps from a state; infinite if the simulation diverges."""
    return float(self.call('run', row, steps))

  def close(self):
    self.process.stdin.close()
    self.process.wait()


def write_states(path, states):
  """Writes states for programs, one after the other."""
  np.concatenate([state[name].ravel() for state in states for name in STATE]).tofile(path)


def build_programs(root, directory, pythons):
  """Compiles the programs of this engine and of MuJoCo in the environments of `pythons`, by name."""
  subprocess.run(['cargo', 'build', '--release', '--quiet', '--package', 'sim-conformance-tests',
                  '--example', 'engine'], cwd=root, check=True)
  programs = {'cortenforge': root / 'target' / 'release' / 'examples' / 'engine'}
  source = root / 'crates' / 'sim-conformance-tests' / 'c' / 'engine.c'
  for name, python in pythons.items():
    where = subprocess.run([python, '-c', 'import mujoco; print(mujoco.__file__)'], check=True,
                           capture_output=True, text=True).stdout.strip()
    package = pathlib.Path(where).parent
    library, = package.glob('libmujoco.*')
    programs[name] = pathlib.Path(directory) / name
    subprocess.run(['cc', '-O2', f'-DPLUGINS="{package / "plugin"}"', f'-I{package / "include"}',
                    source, library, f'-Wl,-rpath,{package}', '-o', programs[name]], check=True)
  return {name: Program(path) for name, path in programs.items()}


def serve(engine):
  """Answers calls until there are no more."""
  output, sys.stdout = sys.stdout.buffer, sys.stderr  # an engine that prints is not an answer
  while True:
    try:
      name, *arguments = pickle.load(sys.stdin.buffer)
    except EOFError:
      return
    member = getattr(engine, name)
    pickle.dump(member(*arguments) if callable(member) else member, output)
    output.flush()


if __name__ == '__main__':
  serve(Engine(sys.argv[1]))

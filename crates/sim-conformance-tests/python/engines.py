"""Engines for the benchmark: one that is a module of this process, or one in a process of its own.

Run as a program, this file is that other process: it answers calls that come over its input.
"""

import importlib
import math
import pickle
import subprocess
import sys
import time

import numpy as np

STATE = ('qpos', 'qvel', 'act', 'ctrl', 'qacc_warmstart', 'mocap_pos', 'mocap_quat')


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

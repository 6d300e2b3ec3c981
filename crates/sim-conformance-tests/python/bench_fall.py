#!/usr/bin/env python3
"""Compares the speed of a whole step on a model that stands and falls.

    bench_fall.py MODEL [--keys 2] [--steps 300] [--repeats 30]

From the initial pose and from each of the first keyframes, both engines step the same trajectory in
one process, by turns, ten steps a time: without controls, and with random ones. The least time of
every ten steps counts, so that what disturbs the machine does not. Both cones are measured.
"""

import argparse
import time

import cortenforge
import mujoco
import numpy as np

CONES = {'pyramidal': 0, 'elliptic': 1}
CHUNK = 10


class Fall:
  """A trajectory of one engine, and the least time of each of its chunks."""

  def __init__(self, module, path, cone, key, controls):
    self.module = module
    self.model = module.MjModel.from_xml_path(path)
    self.model.opt.cone = CONES[cone]
    self.model.vis.global_.bvactive = 0
    self.data = module.MjData(self.model)
    self.key, self.controls = key, controls
    self.least = np.full(len(controls), np.inf)

  def run(self):
    step, model, data = self.module.mj_step, self.model, self.data
    if self.key is None:
      self.module.mj_resetData(model, data)
    else:
      self.module.mj_resetDataKeyframe(model, data, self.key)
    for i, control in enumerate(self.controls):
      data.ctrl[:] = control
      start = time.perf_counter()
      step(model, data, CHUNK)
      self.least[i] = min(self.least[i], time.perf_counter() - start)

  def per_step(self):
    """Microseconds."""
    return 1e6 * self.least.mean() / CHUNK


def compare(path, cone, key, controls, repeats):
  """Microseconds per step of MuJoCo and of CortenForge."""
  falls = [Fall(module, path, cone, key, controls) for module in (mujoco, cortenforge)]
  for repeat in range(repeats):
    for fall in falls if repeat % 2 == 0 else reversed(falls):
      fall.run()
  apart = max(np.abs(falls[0].data.qpos - falls[1].data.qpos))
  return [fall.per_step() for fall in falls], apart


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument('model')
  parser.add_argument('--keys', type=int, default=2, help='keyframes to start from as well')
  parser.add_argument('--steps', type=int, default=300)
  parser.add_argument('--repeats', type=int, default=30)
  args = parser.parse_args()

  model = mujoco.MjModel.from_xml_path(args.model)
  passive = np.zeros((args.steps // CHUNK, model.nu))
  low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1, 1]).T
  random = np.random.default_rng(0).uniform(low, high, passive.shape)
  starts = [None, *range(min(args.keys, model.nkey))]
  for cone in CONES:
    everything = []
    for controls, what in ((passive, 'without controls'), (random, 'random controls')):
      for key in starts:
        (reference, ours), apart = compare(args.model, cone, key, controls, args.repeats)
        everything.append((reference, ours))
        start = 'initial pose' if key is None else model.key(key).name
        print(f'{cone:10} {start:18} {what:17} MuJoCo {reference:6.2f} us, ours {ours:6.2f} us, '
              f'ratio {reference / ours:.2f}, apart at the end {apart:.0e}', flush=True)
    reference, ours = np.sum(everything, axis=0)
    print(f'{cone:10} all of them: ratio {reference / ours:.2f}')


if __name__ == '__main__':
  main()

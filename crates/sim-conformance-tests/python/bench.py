#!/usr/bin/env python3
"""Compares the speed of two engines on the same models, in one process.

    bench.py [MODELS ...] [--json bench.json]
    bench.py --compile DIRECTORY [DIRECTORY ...] [--json compile.json]

Both engines step the same model from the same states: MuJoCo's trajectory is recorded first, and
every chunk of steps starts from a recorded state in either engine. Chunks alternate (A B B A), and
the fastest chunk of each engine counts, which is what the machine does when nothing disturbs it.
MuJoCo runs with `vis.global.bvactive` off, as it does in production.

The last row is not about steps: it compiles a generated model of 5,000 bodies from text.

With --compile, loading is compared instead, by `from_xml_path` on every model of the directories
that both engines load.
"""

import argparse
import importlib
import json
import os
import pathlib
import sys
import time
import warnings

import numpy as np

import conform

ROOT = pathlib.Path(__file__).resolve().parents[3]
FIRST = ('chain_30', 'figure', 'free_100')
BODIES = 5000
LONGEST = 500  # steps of a trajectory


def recorded_states(mujoco, model, chunks, steps):
  """States of a trajectory, one per chunk; it starts again after a while, before it diverges."""
  spec = mujoco.mjtState.mjSTATE_INTEGRATION
  data = mujoco.MjData(model)
  rng = np.random.default_rng(1)
  start = rng.normal(scale=0.3, size=model.nv)
  data.qvel[:] = start
  states, done = [], 0
  for _ in range(chunks):
    if done >= LONGEST:
      mujoco.mj_resetData(model, data)
      data.qvel[:] = start
      done = 0
    state = np.empty(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    states.append(state)
    mujoco.mj_step(model, data, steps)
    done += steps
  return states


class Engine:
  """One engine with a model loaded."""

  def __init__(self, module, path):
    self.module = module
    self.model = module.MjModel.from_xml_path(str(path))
    if module.__name__ == 'mujoco':
      self.model.vis.global_.bvactive = 0
    self.data = module.MjData(self.model)
    self.spec = int(module.mjtState.mjSTATE_INTEGRATION)

  def run(self, state, steps):
    """Seconds for `steps` steps from `state`."""
    self.module.mj_setState(self.model, self.data, state, self.spec)
    start = time.perf_counter()
    self.module.mj_step(self.model, self.data, nstep=steps)
    return time.perf_counter() - start


def alternate(first, second, rounds):
  """Runs two things alternately (A B B A) and returns the fastest time of each."""
  times = [[], []]
  for number in range(rounds):
    for which in (0, 1) if number % 2 == 0 else (1, 0):
      times[which].append((first, second)[which](number))
  return min(times[0]), min(times[1])


def bench_steps(ours, mujoco, path, seconds):
  """Steps per second of both engines."""
  reference, engine = Engine(mujoco, path), Engine(ours, path)
  # a chunk lasts about 10 ms, or as many steps as the trajectory is long
  steps, elapsed = 20, 0.0
  state = recorded_states(mujoco, reference.model, 1, 1)[0]
  while elapsed < 0.008 and steps < LONGEST:
    steps *= 2
    elapsed = reference.run(state, steps)
  chunks = max(8, int(seconds / 2 / max(elapsed, 1e-4)))
  states = recorded_states(mujoco, reference.model, chunks, steps)
  theirs, mine = alternate(lambda i: reference.run(states[i], steps),
                           lambda i: engine.run(states[i], steps), chunks)
  return {'name': path.stem, 'nv': int(reference.model.nv), 'unit': 'steps/s',
          'cortenforge': steps / mine, 'mujoco': steps / theirs, 'ratio': theirs / mine}


def many_bodies(count):
  """A model of `count` bodies: short branching arms on a large floor, written as text."""
  out = ['<mujoco model="many bodies"><option><flag contact="disable"/></option><default>'
         '<geom type="capsule" size="0.02" contype="0" conaffinity="0"/>'
         '<joint axis="0 1 0" damping="0.1"/></default><worldbody>']
  for arm in range(count // 5):
    x, y = arm % 40, arm // 40
    out.append(f'<body name="base{arm}" pos="{x} {y} 1"><joint name="a{arm}"/>'
               '<geom fromto="0 0 0 0.2 0 0"/>')
    for link in range(2):
      out.append(f'<body name="left{arm}_{link}" pos="0.2 0 0" euler="0 0 {20 + link}">'
                 '<joint axis="0 0 1"/><geom fromto="0 0 0 0.2 0 0"/>')
    out.append('</body></body>')
    for link in range(2):
      out.append(f'<body name="right{arm}_{link}" pos="0.2 0 0" quat="1 0 0.1 0.{link + 1}">'
                 '<joint axis="1 0 0"/><geom type="box" size="0.1 0.02 0.03"/><site pos="0 0 0.1"/>')
    out.append('</body></body></body>')
  out.append('</worldbody></mujoco>')
  return '\n'.join(out)


def bench_compile(ours, mujoco, rounds):
  """Compilations per second of both engines."""
  text = many_bodies(BODIES)

  def compile_with(module):
    def run(_):
      start = time.perf_counter()
      model = module.MjModel.from_xml_string(text)
      elapsed = time.perf_counter() - start
      assert model.nbody == BODIES + 1
      return elapsed
    return run

  theirs, mine = alternate(compile_with(mujoco), compile_with(ours), rounds)
  return {'name': f'compile {BODIES} bodies', 'nv': BODIES, 'unit': 'models/s',
          'cortenforge': 1 / mine, 'mujoco': 1 / theirs, 'ratio': theirs / mine}


def bench_load(ours, mujoco, path, seconds):
  """Times of loading a file in both engines; None if one of them does not load it."""
  def load_with(module):
    def run(_):
      start = time.perf_counter()
      module.MjModel.from_xml_path(str(path))
      return time.perf_counter() - start
    return run

  try:
    first = load_with(ours)(0) + load_with(mujoco)(0)
    nv = int(mujoco.MjModel.from_xml_path(str(path)).nv)
  except ValueError:
    return None
  rounds = min(100, max(4, int(seconds / first)))
  theirs, mine = alternate(load_with(mujoco), load_with(ours), rounds)
  return {'name': path.stem[:28], 'nv': nv, 'unit': 'models/s', 'path': str(path),
          'cortenforge': 1 / mine, 'mujoco': 1 / theirs, 'ratio': theirs / mine}


def default_models():
  paths = sorted((ROOT / 'models').glob('*.xml'))
  first = [ROOT / 'models' / f'{name}.xml' for name in FIRST]
  return first + [p for p in paths if p not in first]


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--compile', action='store_true', help='compare loading, not steps')
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  parser.add_argument('--seconds', type=float, default=1.0, help='time to spend per model')
  parser.add_argument('--json', type=pathlib.Path, help='write the results to this file')
  options = parser.parse_args()

  import mujoco  # pylint: disable=import-outside-toplevel
  ours = importlib.import_module(options.module)
  os.environ.setdefault('OMP_NUM_THREADS', '1')

  results = []
  print(f'{"model":<28} {"dofs":>5} {"cortenforge":>12} {"mujoco":>12}           {"ratio":>6}')

  def report(result):
    results.append(result)
    print(f'{result["name"]:<28} {result["nv"]:>5} {result["cortenforge"]:>12,.2f} '
          f'{result["mujoco"]:>12,.2f} {result["unit"]:<9} {result["ratio"]:>6.2f}', flush=True)

  if options.compile:
    warnings.simplefilter('ignore')
    for path in conform.find_models(options.models or [ROOT / 'models']):
      result = bench_load(ours, mujoco, path.resolve(), options.seconds / 4)
      if result:
        report(result)
    what, unit = 'loading', 'models/s'
  else:
    for path in options.models or default_models():
      report(bench_steps(ours, mujoco, path, options.seconds))
    if not options.models:
      report(bench_compile(ours, mujoco, 2))
    what, unit = 'steps', 'steps/s'
  ratios = [r['ratio'] for r in results if r['unit'] == unit]
  if not ratios:
    sys.exit('no model loads in both engines')
  mean = np.exp(np.mean(np.log(ratios)))
  print(f'{f"geometric mean of {what}, {len(ratios)} models":<70} {mean:>6.2f}')
  if options.json:
    document = {'mujoco': mujoco.__version__, 'python': sys.version.split()[0], 'results': results}
    options.json.write_text(json.dumps(document, indent=1) + '\n')


if __name__ == '__main__':
  main()

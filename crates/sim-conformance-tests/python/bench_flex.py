#!/usr/bin/env python3
"""Compares the speed of a whole step on models with flexes, from states of one and the same trajectory.

    bench_flex.py [NAMES ...] [--models DIR] [--old DIR] [--seconds 4]
    bench_flex.py --growth [--sizes 10 20 40 70 100]

`--models` has the models of MuJoCo's `model/flex`; what is not there is left out. A solid of
tetrahedra that falls on a plane is made here. MuJoCo's trajectory is recorded first, with the
controls that a state asks for; each chunk of a few steps starts from one of its states, and the
engines take turns. The least time of every chunk counts. `--old` has the Python package of another
build, which runs in a process of its own. After the first step from each state, numbers of contacts,
rows and iterations are compared; they must be the same.

`--growth` drops cloths of n by n vertices on a sphere, and fits time per step to vertices.
"""

import argparse
import os
import pathlib
import tempfile

import numpy as np

import engines

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODELS = ROOT.parent / 'shared' / 'models' / 'mujoco' / 'model' / 'flex'

# model, file, controls, steps before the first state, and how many times as fast it is to be
CASES = (
    ('flag', 'flag', None, 100, 2.5),
    ('sphere_radial', 'sphere_radial', None, 100, 2.5),
    ('sphere_passive', 'sphere_passive', None, 100, 2.5),
    ('pancake', 'pancake', None, 100, 2.5),
    ('poncho', 'poncho', None, 100, 2.5),
    ('trilinear', 'trilinear', None, 100, 3),
    ('pinch', 'pinch', None, 100, 3),
    ('solid', None, None, 100, 3),
    ('trampoline', 'trampoline', None, 100, 4),
    ('quadratic', 'quadratic', None, 100, 6),
    ('gripper open', 'gripper', (0, 0), 20, 15),
    ('gripper grasping', 'gripper', (0, 1), 60, 150),
)

SOLID = """
<mujoco model="solid">
  <option timestep=".001"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <flexcomp name="solid" dim="3" count="9 9 9" spacing=".05 .05 .05" pos="0 0 .25" radius=".005" mass="50">
      <elasticity young="2e4" poisson=".2" damping=".002"/>
      <contact selfcollide="none" internal="false"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def cloth(n):
  """A cloth of n by n vertices, half a metre wide, above a sphere."""
  spacing = 0.5 / (n - 1)
  return f"""
<mujoco model="cloth of {n} by {n}">
  <option timestep=".002" solver="CG" tolerance="1e-6"/>
  <worldbody>
    <geom size=".15" pos="0 0 .2"/>
    <flexcomp name="cloth" count="{n} {n} 1" spacing="{spacing} {spacing} {spacing}" pos="0 0 .36"
              radius="{0.1 * spacing}" mass=".2">
      <edge equality="true" solref=".006 1"/>
      <contact solref=".01 1" selfcollide="none"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


class Old(engines.Remote):
  """Another build of the package, in a process of its own."""

  def __init__(self, path):
    import sys  # pylint: disable=import-outside-toplevel
    before = os.environ.get('PYTHONPATH')
    os.environ['PYTHONPATH'] = os.pathsep.join([str(path), str(pathlib.Path(__file__).parent)])
    try:
      super().__init__(sys.executable, 'cortenforge')
    finally:
      if before is None:
        del os.environ['PYTHONPATH']
      else:
        os.environ['PYTHONPATH'] = before


def states_of(engine, controls, warm, count, steps):
  """States of MuJoCo's trajectory, and what a step from each counts."""
  mujoco, model, data = engine.module, engine.model, engine.data
  mujoco.mj_resetData(model, data)
  if controls is not None:
    data.ctrl[:] = controls
  mujoco.mj_step(model, data, nstep=warm)
  states = []
  for _ in range(count):
    states.append({name: np.array(getattr(data, name)) for name in engines.STATE})
    mujoco.mj_step(model, data, nstep=steps)
  return states


def counts(engine, states):
  """Contacts, rows and iterations of a step from each state."""
  found = []
  for state in states:
    engine.set_state(state)
    engine.module.mj_step(engine.model, engine.data)
    data = engine.data
    found.append((data.ncon, data.nefc, int(data.solver_niter[0])))
  return found


def measure(path, controls, warm, all_engines, seconds):
  """Seconds per step of all engines, and whether counts are the same."""
  for name, engine in all_engines.items():
    why = engine.load(str(path))
    if why is not None:
      raise ValueError(f'{name}: {why}')
  reference, ours = all_engines['mujoco'], all_engines['cortenforge']
  states = states_of(reference, controls, warm, 1, 1)
  elapsed = reference.run(states[0], 1)
  steps = max(1, min(10, int(0.002 / elapsed)))
  states = states_of(reference, controls, warm, 8, 10)
  same = counts(reference, states) == counts(ours, states)
  least = {name: np.full(len(states), np.inf) for name in all_engines}
  spent = {name: 0.0 for name in all_engines}
  rounds = 0
  while rounds < 3 or (rounds < 200 and spent['mujoco'] < seconds):
    order = list(all_engines) if rounds % 2 == 0 else list(reversed(all_engines))
    for i, state in enumerate(states):
      for name in order:
        time = all_engines[name].run(state, steps)
        spent[name] += time
        least[name][i] = min(least[name][i], time)
    rounds += 1
  return {name: times.mean() / steps for name, times in least.items()}, same


def table(names, args):
  everything = {'mujoco': engines.Engine('mujoco'), 'cortenforge': engines.Engine('cortenforge')}
  if args.old:
    everything['old'] = Old(args.old)
  print(f'{"model":18}{"us/step":>9}{"x MuJoCo":>10}{"old":>8}{"asked":>7}  counts')
  with tempfile.TemporaryDirectory() as directory:
    solid = pathlib.Path(directory) / 'solid.xml'
    solid.write_text(SOLID)
    for name, file, controls, warm, asked in CASES:
      path = solid if file is None else args.models / f'{file}.xml'
      if (names and name.split()[0] not in names) or not path.exists():
        continue
      times, same = measure(path, controls, warm, everything, args.seconds)
      old = f'{times["mujoco"] / times["old"]:.2f}' if args.old else ''
      print(f'{name:18}{1e6 * times["cortenforge"]:9.1f}'
            f'{times["mujoco"] / times["cortenforge"]:10.2f}{old:>8}{asked:7}  '
            f'{"same" if same else "DIFFERENT"}', flush=True)


def growth(sizes, seconds):
  """Time per step against vertices, as the sphere is met."""
  both = {'mujoco': engines.Engine('mujoco'), 'cortenforge': engines.Engine('cortenforge')}
  rows = []
  with tempfile.TemporaryDirectory() as directory:
    path = pathlib.Path(directory) / 'cloth.xml'
    for n in sizes:
      path.write_text(cloth(n))
      times, same = measure(path, None, 60, both, seconds)
      rows.append((n * n, times['mujoco'], times['cortenforge']))
      print(f'{n:4} by {n:<4} {1e3 * times["mujoco"]:9.3f} ms MuJoCo {1e3 * times["cortenforge"]:9.3f} ms, '
            f'ratio {times["mujoco"] / times["cortenforge"]:.2f}, counts {"same" if same else "DIFFERENT"}',
            flush=True)
  verts, *times = np.log(np.array(rows)).T
  for name, values in zip(both, times):
    print(f'{name}: time grows with vertices to the power of {np.polyfit(verts, values, 1)[0]:.2f}')


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument('names', nargs='*')
  parser.add_argument('--models', type=pathlib.Path, default=MODELS)
  parser.add_argument('--old', type=pathlib.Path)
  parser.add_argument('--seconds', type=float, default=4, help="MuJoCo's share for each model")
  parser.add_argument('--growth', action='store_true')
  parser.add_argument('--sizes', type=int, nargs='+', default=[10, 20, 40, 70, 100])
  args = parser.parse_args()
  if args.growth:
    growth(args.sizes, args.seconds)
  else:
    table(args.names, args)


if __name__ == '__main__':
  main()

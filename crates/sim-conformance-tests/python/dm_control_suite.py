#!/usr/bin/env python3
"""Steps the tasks of dm_control's suite on both engines, from the same seed and with the same actions.

    dm_control_suite.py [--steps N] [--seed S] [--tasks domain/task ...] [--json FILE]

Each engine runs in a process of its own, dm_control unmodified. Prints the largest difference of the
state, relative to its size, after the first step and over all steps, and whether a task does not
run. Trajectories are chaotic, so the first step counts; the exit status is 1 if it differs by more
than 1e-9 or a task runs on MuJoCo only. Needs dm_control in the environment of the interpreter.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import traceback

import numpy as np

TOLERANCE = 1e-9


def run(engine, steps, seed, tasks, output):
  """Steps all tasks and stores their states."""
  if engine == 'cortenforge':
    import cortenforge
    cortenforge.install_as_mujoco()
  from dm_control import suite
  results = {}
  for domain, task in suite.ALL_TASKS:
    name = f'{domain}/{task}'
    if tasks and name not in tasks:
      continue
    try:
      environment = suite.load(domain, task, task_kwargs={'random': seed})
      rng = np.random.RandomState(seed)
      spec = environment.action_spec()
      environment.reset()
      states = [environment.physics.get_state()]
      rewards = []
      for _ in range(steps):
        step = environment.step(rng.uniform(spec.minimum, spec.maximum, spec.shape))
        states.append(environment.physics.get_state())
        rewards.append(step.reward or 0.0)
      results[name] = {'states': np.array(states).tolist(), 'rewards': rewards}
    except Exception as error:  # pylint: disable=broad-exception-caught
      place = traceback.extract_tb(error.__traceback__)[-1]
      lines = str(error).strip().splitlines() or ['']
      results[name] = {'error': f'{type(error).__name__}: {lines[0]} ({pathlib.Path(place.filename).name}:{place.lineno})'}
  pathlib.Path(output).write_text(json.dumps(results))


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--steps', type=int, default=100)
  parser.add_argument('--seed', type=int, default=1)
  parser.add_argument('--tasks', nargs='*', default=[])
  parser.add_argument('--json', help='write the table to this file')
  parser.add_argument('--engine', help=argparse.SUPPRESS)
  parser.add_argument('--output', help=argparse.SUPPRESS)
  options = parser.parse_args()
  if options.engine:
    return run(options.engine, options.steps, options.seed, options.tasks, options.output)
  found = {}
  for engine in ('mujoco', 'cortenforge'):
    with tempfile.TemporaryDirectory() as folder:
      output = pathlib.Path(folder, 'states.json')
      command = [sys.executable, __file__, '--engine', engine, '--output', str(output), '--steps',
                 str(options.steps), '--seed', str(options.seed), '--tasks', *options.tasks]
      subprocess.run(command, check=True)
      found[engine] = json.loads(output.read_text())
  rows, wrong = {}, 0
  print(f'{"task":<36}{"first step":>12}{"all steps":>12}')
  for name, theirs in found['mujoco'].items():
    ours = found['cortenforge'].get(name, {'error': 'the suite does not import'})
    if 'error' in theirs:
      rows[name] = {'mujoco': theirs['error'], 'cortenforge': ours.get('error', 'runs')}
      print(f'{name:<36}not on MuJoCo either: {theirs["error"][:100]}')
    elif 'error' in ours:
      wrong += 1
      rows[name] = {'cortenforge': ours['error']}
      print(f'{name:<36}{ours["error"][:160]}')
    else:
      a, b = np.array(ours['states']), np.array(theirs['states'])
      scaled = np.abs(a - b).max(1) / (1 + np.abs(b).max(1))
      rows[name] = {'first': scaled[1], 'all': scaled.max()}
      wrong += not scaled[1] <= TOLERANCE
      print(f'{name:<36}{scaled[1]:>12.1e}{scaled.max():>12.1e}')
  run_count = sum('all' in row for row in rows.values())
  print(f'{run_count} of {len(rows)} tasks run on both engines, {wrong} differ or run on MuJoCo only')
  if options.json:
    pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))
  return int(wrong > 0)


if __name__ == '__main__':
  sys.exit(main())

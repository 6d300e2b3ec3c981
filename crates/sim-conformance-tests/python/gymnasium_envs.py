#!/usr/bin/env python3
"""Runs the MuJoCo environments of Gymnasium on both engines, and compares what an agent sees.

    gymnasium_envs.py [ENVIRONMENT ...] [--steps 1000] [--json FILE] [--write DOCUMENT]

The environments are those of the installed package, unmodified. `mujoco` is one name in a process,
so each engine has its own: the first records episodes of random actions with MuJoCo, the second
takes every one of these steps with CortenForge, from MuJoCo's state before it. Then both run freely
from the same start, for fewer steps: a last digit that differs grows, by how much is a matter of the
model. The last column shows that: MuJoCo beside MuJoCo whose start is off by 1e-15.

Differences are relative to the larger of the number and 1.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import report

ENVIRONMENTS = (
    'Ant-v5', 'HalfCheetah-v5', 'Hopper-v5', 'Humanoid-v5', 'HumanoidStandup-v5',
    'InvertedDoublePendulum-v5', 'InvertedPendulum-v5', 'Pusher-v5', 'Reacher-v5', 'Swimmer-v5',
    'Walker2d-v5')
COLUMNS = ('observations', 'rewards', 'free', 'beside')
FREE = 100  # steps without looking at each other
TOLERANCE = 1e-10  # of one step of an environment, which is up to five steps of the engine


def make(name):
  """An environment, and the engine, model and data that it runs on."""
  import gymnasium  # pylint: disable=import-outside-toplevel
  import mujoco  # pylint: disable=import-outside-toplevel
  env = gymnasium.make(name)
  return env, mujoco, env.unwrapped.model, env.unwrapped.data


def run_freely(env, actions, nudged=False):
  """Observations of one long episode, whatever the environment says about its end."""
  env.reset(seed=0)
  if nudged:
    data = env.unwrapped.data
    env.unwrapped.set_state(data.qpos + 1e-15, data.qvel)
  return np.array([env.unwrapped.step(action)[0] for action in actions])


def record(name, steps, path):
  """Steps an environment on MuJoCo, and writes down all of it."""
  env, mujoco, model, data = make(name)
  spec = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  space, rng = env.action_space, np.random.default_rng(1)
  actions = rng.uniform(space.low, space.high, (steps, *space.shape)).astype(space.dtype)
  rows = {'states': [], 'observations': [], 'rewards': [], 'ends': [], 'starts': []}
  env.reset(seed=0)
  start = 0
  for action in actions:
    rows['starts'].append(start)
    rows['states'].append(np.empty(mujoco.mj_stateSize(model, spec)))
    mujoco.mj_getState(model, data, rows['states'][-1], spec)
    observation, reward, terminated, truncated, _ = env.step(action)
    rows['observations'].append(observation)
    rows['rewards'].append(reward)
    rows['ends'].append(terminated)
    start = -1
    if terminated or truncated:
      start = len(rows['ends'])
      env.reset(seed=start)
  np.savez(path, actions=actions, free=run_freely(env, actions[:FREE]),
           beside=run_freely(env, actions[:FREE], nudged=True), **rows)


def replay(name, recorded, path):
  """Takes recorded steps on CortenForge."""
  import cortenforge  # pylint: disable=import-outside-toplevel
  cortenforge.install_as_mujoco()
  env, mujoco, model, data = make(name)
  spec = int(mujoco.mjtState.mjSTATE_INTEGRATION)
  given = np.load(recorded)
  rows = {'observations': [], 'rewards': [], 'ends': []}
  for action, state, start in zip(given['actions'], given['states'], given['starts']):
    if start >= 0:
      env.reset(seed=int(start))
    mujoco.mj_setState(model, data, state, spec)
    observation, reward, terminated, *_ = env.step(action)
    rows['observations'].append(observation)
    rows['rewards'].append(reward)
    rows['ends'].append(terminated)
  np.savez(path, free=run_freely(env, given['actions'][:FREE]), **rows)


def difference(a, b):
  return float(np.max(np.abs(a - b) / np.maximum(1, np.maximum(np.abs(a), np.abs(b)))))


def compare(name, steps, directory):
  """The differences of one environment, or what went wrong."""
  theirs, ours = directory / f'{name}-mujoco.npz', directory / f'{name}-cortenforge.npz'
  for command in (['--record', name, theirs, '--steps', steps], ['--replay', name, theirs, ours]):
    done = subprocess.run([sys.executable, '-W', 'ignore', __file__, *map(str, command)],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
      return {'name': name, 'error': done.stderr.strip().splitlines()[-1]}
  a, b = np.load(theirs), np.load(ours)
  return {'name': name, 'steps': len(a['ends']),
          'observations': difference(a['observations'], b['observations']),
          'rewards': difference(a['rewards'], b['rewards']),
          'ends': int(np.sum(a['ends'] != b['ends'])),
          'free': difference(a['free'], b['free']),
          'beside': difference(a['free'], a['beside'])}


def is_good(result):
  return ('error' not in result and result['ends'] == 0 and
          max(result['observations'], result['rewards']) <= TOLERANCE)


def markdown(results, steps):
  """The results as a section of a document."""
  rows = []
  for result in results:
    if 'error' in result:
      rows.append([result['name'], result['error'], *[''] * (len(COLUMNS) - 1)])
    else:
      rows.append([result['name'], *(f'{result[key]:.1e}' for key in COLUMNS)])
  import gymnasium  # pylint: disable=import-outside-toplevel
  heads = ['environment', 'observations, per step', 'rewards, per step',
           f'observations, {FREE} steps freely', 'MuJoCo beside itself, start off by 1e-15']
  good = sum(map(is_good, results))
  return (f'{good} of {len(results)} environments of Gymnasium {gymnasium.__version__} agree; largest '
          f'differences over {steps:,} steps, measured on {report.today()}:\n\n' + report.table(heads, rows))


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('names', nargs='*', metavar='ENVIRONMENT')
  parser.add_argument('--steps', type=int, default=1000)
  parser.add_argument('--json', type=pathlib.Path, help='write the results to this file')
  parser.add_argument('--write', type=pathlib.Path, help='write the table into this document')
  # what the two processes do
  parser.add_argument('--record', nargs=2, metavar=('NAME', 'FILE'), help=argparse.SUPPRESS)
  parser.add_argument('--replay', nargs=3, metavar=('NAME', 'FILE', 'FILE'), help=argparse.SUPPRESS)
  options = parser.parse_args()
  if options.record:
    record(options.record[0], options.steps, options.record[1])
    return
  if options.replay:
    replay(*options.replay)
    return

  results = []
  print(f'{"environment":<28}' + ''.join(f'{key:>14}' for key in COLUMNS))
  with tempfile.TemporaryDirectory() as directory:
    for name in options.names or ENVIRONMENTS:
      result = compare(name, options.steps, pathlib.Path(directory))
      results.append(result)
      numbers = result.get('error') or ''.join(f'{result[key]:>14.1e}' for key in COLUMNS)
      print(f'{name:<28}{numbers}{"" if is_good(result) else "   differs"}', flush=True)
  print(f'{sum(map(is_good, results))} of {len(results)} environments agree')
  if options.json:
    options.json.write_text(json.dumps(results, indent=1) + '\n')
  if options.write:
    report.write(options.write, 'gymnasium', markdown(results, options.steps))
  sys.exit(0 if all(map(is_good, results)) else 1)


if __name__ == '__main__':
  main()

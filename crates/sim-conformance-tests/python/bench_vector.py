#!/usr/bin/env python3
"""Measures vector environments: `cortenforge.vector` beside Gymnasium's on MuJoCo, in one run.

    bench_vector.py [--envs 16] [--seconds 1] [TASK ...]

Each way steps the same number of environments with random actions, in turns; the fastest turn of each
counts, in steps of environments per second of wall time. `AsyncVectorEnv` and two threads use two cores.
"""

import argparse
import time

import gymnasium
import mujoco
import numpy as np

import cortenforge
from cortenforge import vector

TASKS = ('HalfCheetah-v5', 'Ant-v5', 'Hopper-v5', 'Humanoid-v5', 'InvertedPendulum-v5', 'Reacher-v5')


def turn(env, actions, seconds):
  """Steps of environments per second."""
  steps, start = 0, time.perf_counter()
  while time.perf_counter() - start < seconds:
    for action in actions:
      env.step(action)
    steps += len(actions)
  return steps * env.num_envs / (time.perf_counter() - start)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('tasks', nargs='*', default=TASKS)
  parser.add_argument('--envs', type=int, default=16)
  parser.add_argument('--seconds', type=float, default=0.5)
  parser.add_argument('--turns', type=int, default=3)
  options = parser.parse_args()
  number = options.envs
  print(f'{number} environments, MuJoCo {mujoco.__version__}, Gymnasium {gymnasium.__version__}, '
        f'CortenForge built for {cortenforge.built_for}; thousands of environment steps per second\n')
  print('| task | Sync, MuJoCo | Async, MuJoCo | ours, 1 thread | ours, 2 threads | x Sync | x Async |')
  print('|---|---:|---:|---:|---:|---:|---:|')
  ratios = []
  for task in options.tasks:
    ways = {
        'sync': gymnasium.make_vec(task, number, vectorization_mode='sync'),
        'async': gymnasium.make_vec(task, number, vectorization_mode='async'),
        'ours': vector.make(task, number),
        'ours2': vector.make(task, number, nthread=2),
    }
    for env in ways.values():
      env.reset(seed=0)
    space = ways['ours'].action_space
    space.seed(0)
    actions = [space.sample() for _ in range(16)]
    best = {}
    for _ in range(options.turns):
      for name, env in ways.items():
        best[name] = max(best.get(name, 0), turn(env, actions, options.seconds))
    for env in ways.values():
      env.close()
    ratios.append((best['ours'] / best['sync'], best['ours2'] / best['async']))
    cells = ' | '.join(f'{best[name] / 1e3:.1f}' for name in ways)
    print(f'| {task} | {cells} | {ratios[-1][0]:.2f} | {ratios[-1][1]:.2f} |', flush=True)
  one, two = np.exp(np.mean(np.log(ratios), axis=0))
  print(f'| **geometric mean** | | | | | **{one:.2f}** | **{two:.2f}** |')


if __name__ == '__main__':
  main()

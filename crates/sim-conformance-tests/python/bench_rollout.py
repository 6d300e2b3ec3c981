#!/usr/bin/env python3
"""Measures rollouts over threads, beside those of MuJoCo.

    bench_rollout.py [MODEL ...] [--threads 2] [--seconds 10]

Each model is rolled out again and again, by both engines on one thread and on several in turn, and
the best time counts, as other programs may be running. Columns: microseconds per step; the parallel
efficiency, which is the time on one thread over that on several, times their number; what as many
processes reach that share nothing, which is what the machine allows; and how many times faster than
MuJoCo on as many threads.
"""

import argparse
import multiprocessing
import pathlib
import time

import cortenforge
import cortenforge.rollout
import mujoco
import mujoco.rollout
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
# of each thread: enough for the last ones to finish at about the same time
ENVIRONMENTS = 32
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
ENGINES = {'ours': cortenforge, 'MuJoCo': mujoco}


def task(engine, path, threads, nbatch, nstep):
  """A rollout to be timed: a function without arguments."""
  model = engine.MjModel.from_xml_path(str(path))
  data = [engine.MjData(model) for _ in range(threads)]
  if model.nkey:
    engine.mj_resetDataKeyframe(model, data[0], 0)
  start = np.empty(engine.mj_stateSize(model, FULL))
  engine.mj_getState(model, data[0], start, FULL)
  rng = np.random.default_rng(0)
  states = np.tile(start, (nbatch, 1))
  states[:, 1 + model.nq:1 + model.nq + model.nv] += rng.normal(scale=0.1, size=(nbatch, model.nv))
  control = rng.normal(scale=0.2, size=(nbatch, nstep, model.nu))
  state = np.empty((nbatch, nstep, start.size))
  sensordata = np.empty((nbatch, nstep, model.nsensordata))
  pool = engine.rollout.Rollout(nthread=threads if threads > 1 else 0)
  return lambda: pool.rollout(model, data, states, control, state=state, sensordata=sensordata)


def steps(options, per_step):
  """How many steps of all environments take as long as a rollout is to take."""
  return int(np.clip(options.round / (ENVIRONMENTS * options.threads * per_step), 5, 1000))


def measure(path, options):
  """Best seconds per step by engine and number of threads."""
  counts = (1, options.threads)
  # as many steps as take some milliseconds
  probe = task(cortenforge, path, 1, 8, 10)
  probe()
  start = time.perf_counter()
  probe()
  per_step = (time.perf_counter() - start) / 80
  nstep = steps(options, per_step)
  nbatch = ENVIRONMENTS * options.threads
  tasks = {(name, threads): task(engine, path, threads, nbatch, nstep)
           for name, engine in ENGINES.items() for threads in counts}
  best = dict.fromkeys(tasks, np.inf)
  end = time.perf_counter() + options.seconds
  while time.perf_counter() < end:
    for key, run in tasks.items():
      start = time.perf_counter()
      run()
      best[key] = min(best[key], time.perf_counter() - start)
  return {key: seconds / (nbatch * nstep) for key, seconds in best.items()}


def alone(path, nbatch, nstep, rounds, barrier, best):
  """One of several processes that roll out at the same time: the best seconds of the slowest."""
  run = task(cortenforge, path, 1, nbatch, nstep)
  for _ in range(rounds):
    barrier.wait()
    start = time.perf_counter()
    run()
    barrier.wait()
    with best.get_lock():
      best.value = min(best.value, time.perf_counter() - start)


def measure_apart(path, options, per_step):
  """Best seconds per step of separate processes, which have one thread each."""
  context = multiprocessing.get_context('spawn')
  barrier, best = context.Barrier(options.threads), context.Value('d', np.inf)
  nstep = steps(options, per_step)
  rounds = int(options.seconds / options.round / 4) + 1
  arguments = path, ENVIRONMENTS, nstep, rounds, barrier, best
  processes = [context.Process(target=alone, args=arguments) for _ in range(options.threads)]
  for process in processes:
    process.start()
  for process in processes:
    process.join()
  return best.value / (ENVIRONMENTS * options.threads * nstep)


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--threads', type=int, default=2)
  parser.add_argument('--seconds', type=float, default=10, help='time to spend on each model')
  parser.add_argument('--round', type=float, default=0.02, help='seconds that a rollout takes')
  options = parser.parse_args()
  models = options.models or [ROOT / 'models' / f'{name}.xml'
                              for name in ('figure', 'pile_rk4', 'chain_30', 'pendulum')]
  many = options.threads
  print(f'{"model":24} {"ours 1":>8} {f"ours {many}":>8} {"effic.":>7} {"apart":>7} {"MuJoCo 1":>9} '
        f'{f"MuJoCo {many}":>9} {"effic.":>7} {"faster 1":>9} {f"faster {many}":>9}')
  for path in models:
    best = measure(path, options)
    ours, theirs = ([1e6 * best[name, threads] for threads in (1, many)] for name in ENGINES)
    efficiency = [f'{times[0] / times[1] / many:.1%}' for times in (ours, theirs)]
    apart = 1e6 * measure_apart(path, options, 1e-6 * ours[0])
    limit = f'{ours[0] / apart / many:.1%}'
    print(f'{path.stem:24} {ours[0]:8.2f} {ours[1]:8.2f} {efficiency[0]:>7} {limit:>7} '
          f'{theirs[0]:9.2f} {theirs[1]:9.2f} {efficiency[1]:>7} {theirs[0] / ours[0]:8.2f}× '
          f'{theirs[1] / ours[1]:8.2f}×', flush=True)


if __name__ == '__main__':
  main()

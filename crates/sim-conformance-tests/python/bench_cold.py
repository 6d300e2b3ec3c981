#!/usr/bin/env python3
"""Compares what it costs to load robots in a new process, and to load them again.

    bench_cold.py MODELS [MODELS ...] [--newest PYTHON] [--rounds 5]

Each load runs in a process of its own, the engines by turns. What counts is the CPU time of all
threads, the least of all rounds: `cold` for the first load of the process, `warm` for the second,
when caches of assets may help. `--newest` names a Python that has another version of MuJoCo.
OpenBLAS, which NumPy brings along, gets no threads of its own: they would wait busily for work
during the load, in processes of both engines.
"""

import argparse
import os
import pathlib
import subprocess
import sys

import bench
import conform

LOAD = '''
import sys, time, warnings
warnings.simplefilter('ignore')
module = __import__(sys.argv[1])
times = []
for _ in range(3):
  start = time.process_time()
  module.MjModel.from_xml_path(sys.argv[2])
  times.append(time.process_time() - start)
print(times[0], min(times[1:]))
'''


def load_times(python, module, path):
  """CPU seconds of the first and of a later load; None if the model does not load."""
  result = subprocess.run([python, '-c', LOAD, module, str(path)], capture_output=True, text=True,
                          check=False, env={**os.environ, 'OPENBLAS_NUM_THREADS': '1'})
  return None if result.returncode else tuple(map(float, result.stdout.split()[-2:]))


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='+', type=pathlib.Path)
  parser.add_argument('--newest', metavar='PYTHON', help='a Python with another version of MuJoCo')
  parser.add_argument('--rounds', type=int, default=5)
  options = parser.parse_args()

  engines = {'cortenforge': (sys.executable, 'cortenforge'), '3.5.0': (sys.executable, 'mujoco')}
  if options.newest:
    engines['newest'] = (options.newest, 'mujoco')
  others = [name for name in engines if name != 'cortenforge']
  ratios = {(name, kind): [] for name in others for kind in ('cold', 'warm')}
  print(f'{"model":<44} {"cold, ms":>9} {"warm, ms":>9}' +
        ''.join(f' {"× " + name + " cold":>15} {"warm":>6}' for name in others))
  for path in conform.find_models(options.models):
    times = {name: [] for name in engines}
    for number in range(options.rounds):
      order = list(engines) if number % 2 == 0 else list(reversed(engines))
      for name in order:
        times[name].append(load_times(*engines[name], path))
    if any(None in row for row in times.values()):
      continue
    least = {name: [min(column) for column in zip(*rows)] for name, rows in times.items()}
    cold, warm = least['cortenforge']
    text = f'{"/".join(path.parts[-2:])[:44]:<44} {1e3 * cold:>9.2f} {1e3 * warm:>9.2f}'
    for name in others:
      for kind, mine, theirs in zip(('cold', 'warm'), least['cortenforge'], least[name]):
        ratios[name, kind].append(theirs / mine)
        text += f' {theirs / mine:>{15 if kind == "cold" else 6}.2f}'
    print(text, flush=True)
  for (name, kind), row in ratios.items():
    print(f'{kind} against {name}: {bench.mean(row):.2f} (least {min(row):.2f}) over {len(row)} models')


if __name__ == '__main__':
  main()

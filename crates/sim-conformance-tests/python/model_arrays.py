#!/usr/bin/env python3
"""Compares the arrays of compiled models with those of MuJoCo, byte by byte.

    model_arrays.py MODELS [MODELS ...] [--only PREFIX] [--jobs N]

MODELS are files, or directories that are searched for *.xml. Each model is loaded in a process of
its own, since MuJoCo's meshes depend on what the process has loaded before. Arrays that start with
`mesh_`, `hfield_` or `bvh_` are to be equal in every byte; for others the largest scaled difference
is printed. The exit status is 1 if a model of both engines differs in such an array.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

import numpy as np

EXACT = ('mesh_', 'hfield_', 'bvh_')
# sizes of memory that only MuJoCo reserves
MEMORY = ('nbuffer', 'narena', 'nconmax', 'njmax')


def compare(path):
  """Loads a model twice and lists the arrays that differ; runs in a process of its own."""
  import mujoco  # pylint: disable=import-outside-toplevel
  import cortenforge  # pylint: disable=import-outside-toplevel
  start = time.process_time()
  try:
    reference = mujoco.MjModel.from_xml_path(path)
  except ValueError as error:
    return {'load': 'reference', 'message': str(error)}
  middle = time.process_time()
  try:
    ours = cortenforge.MjModel.from_xml_path(path)
  except ValueError as error:
    return {'load': 'error', 'message': str(error)}
  end = time.process_time()
  result = {'load': 'ok', 'nmesh': reference.nmesh, 'reference_seconds': middle - start,
            'seconds': end - middle, 'different': {}}
  for name in sorted(name for name in dir(reference) if not name.startswith('_')):
    theirs = getattr(reference, name)
    if isinstance(theirs, (int, np.integer)) and name.startswith('n') and name not in MEMORY:
      if int(theirs) != int(getattr(ours, name)):
        result['different'][name] = f'{getattr(ours, name)} instead of {theirs}'
    if not isinstance(theirs, np.ndarray):
      continue
    if not hasattr(ours, name):
      result['different'][name] = 'missing'
      continue
    own = np.asarray(getattr(ours, name))
    if own.shape != theirs.shape:
      result['different'][name] = f'shape {own.shape} instead of {theirs.shape}'
    elif own.tobytes() != theirs.astype(own.dtype).tobytes():
      with np.errstate(all='ignore'):
        a, b = own.astype(float), theirs.astype(float)
        scaled = np.abs(a - b) / (1 + np.abs(b))
      count = int(np.sum(~((a == b) | (np.isnan(a) & np.isnan(b)))))
      if count:
        result['different'][name] = f'{count} of {a.size}, {np.nanmax(scaled):.1e}'
  return result


def run(path):
  command = [sys.executable, __file__, '--worker', str(path)]
  try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    return json.loads(done.stdout.strip().rsplit('\n', 1)[-1])
  except subprocess.TimeoutExpired:
    return {'load': 'hang', 'message': 'more than 300 s'}
  except (json.JSONDecodeError, IndexError):
    return {'load': 'crash', 'message': done.stderr.strip()[-300:]}


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--jobs', type=int, default=1)
  parser.add_argument('--meshes', action='store_true', help='only models that have meshes')
  parser.add_argument('--worker')
  options = parser.parse_args()
  if options.worker:
    print(json.dumps(compare(options.worker)))
    return 0
  paths = []
  for path in options.models:
    paths += sorted(path.rglob('*.xml')) if path.is_dir() else [path]
  if options.meshes:
    paths = [path for path in paths if any(word in path.read_text(errors='replace') for word in (
        '<mesh', '<hfield', '<include', '<model'))]
  counts = dict.fromkeys(('tried', 'loaded', 'equal', 'exact'), 0)
  with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
    for path, result in zip(paths, pool.map(run, paths)):
      if result['load'] == 'reference':
        continue
      counts['tried'] += 1
      if result['load'] != 'ok':
        print(f'{path}: {result["load"]}: {result["message"].splitlines()[0]}', flush=True)
        continue
      different = result['different']
      wrong = [name for name in different if name.startswith(EXACT) or name.startswith('n')]
      counts['loaded'] += 1
      counts['equal'] += not different
      counts['exact'] += not wrong
      times = f'{result["seconds"]:.3f} s, MuJoCo {result["reference_seconds"]:.3f} s'
      shown = '; '.join(f'{name}: {how}' for name, how in different.items()) or 'equal'
      print(f'{path}: {result["nmesh"]} meshes, {times}: {shown}', flush=True)
  print(f'{counts["tried"]} models that MuJoCo loads, {counts["loaded"]} load, {counts["exact"]} '
        f'with exact meshes, {counts["equal"]} with all arrays equal in every byte')
  return int(counts['exact'] != counts['loaded'])


if __name__ == '__main__':
  sys.exit(main())

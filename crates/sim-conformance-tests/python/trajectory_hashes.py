#!/usr/bin/env python3
"""Hashes of trajectories, to show that a change of the engine keeps every bit.

    trajectory_hashes.py [MODELS ...] --write FILE      with the engine as it is
    trajectory_hashes.py [MODELS ...] --against FILE    with the engine as it was changed

MODELS are files or directories, those of the project by default. Every model that loads makes
`--steps` steps with each solver and each kind of cone, under controls that push it around; a hash
covers state, accelerations, forces, contacts, sensors and solver statistics of every step. The
second form prints what differs and fails if anything does; models that only one of both runs has
are counted and printed, too.
"""

import argparse
import hashlib
import pathlib
import signal
import sys
import warnings

import cortenforge
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOLVERS = ('PGS', 'CG', 'NEWTON')
CONES = ('PYRAMIDAL', 'ELLIPTIC')
FIELDS = ('qpos', 'qvel', 'act', 'qacc', 'qfrc_constraint', 'sensordata', 'efc_force', 'efc_state',
          'solver_niter')


def find_models(paths):
  for path in paths:
    yield from sorted(path.rglob('*.xml')) if path.is_dir() else [path]


def trajectory_hash(model, steps):
  """Hash of `steps` steps; all columns of the inputs follow one fixed wave."""
  data = cortenforge.MjData(model)
  if model.nkey:
    cortenforge.mj_resetDataKeyframe(model, data, 0)
  digest = hashlib.blake2b(digest_size=12)
  phase = np.arange(model.nu) * 0.7
  # a wave of three values, whose bits do not hang on a library of functions
  waves = np.array([0.0, 0.5, -0.4])
  for step in range(steps):
    data.ctrl[:] = waves[(step // 7 + np.floor(phase).astype(int)) % 3]
    cortenforge.mj_step(model, data)
    for name in FIELDS:
      digest.update(np.ascontiguousarray(getattr(data, name)).tobytes())
    digest.update(np.ascontiguousarray(data.contact.dist).tobytes())
    digest.update(np.ascontiguousarray(data.contact.H).tobytes())
    digest.update(np.array([data.ncon, data.nefc, data.nisland], np.int64).tobytes())
  return digest.hexdigest()


class TooSlow(Exception):
  pass


def too_slow(*_):
  raise TooSlow


def hashes(paths, steps, limit):
  """Yields the name of a model and its variant, and the hash."""
  for path in find_models(paths):
    try:
      model = cortenforge.MjModel.from_xml_path(str(path))
    except ValueError:
      continue
    name = path.resolve().relative_to(ROOT) if path.resolve().is_relative_to(ROOT) else path
    for solver in SOLVERS:
      for cone in CONES:
        model.opt.solver = getattr(cortenforge.mjtSolver, f'mjSOL_{solver}')
        model.opt.cone = getattr(cortenforge.mjtCone, f'mjCONE_{cone}')
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
          yield f'{name} {solver} {cone}', trajectory_hash(model, steps)
        except TooSlow:
          print(f'{name} {solver} {cone}: more than {limit} s, left out', flush=True)
        finally:
          signal.setitimer(signal.ITIMER_REAL, 0)


def compare(found, expected):
  """Prints what differs, and returns how many do."""
  changed = sorted(key for key in found.keys() & expected.keys() if found[key] != expected[key])
  for key in changed:
    print(f'changed: {key}')
  for label, only in (('before', expected.keys() - found.keys()),
                      ('now', found.keys() - expected.keys())):
    for key in sorted(only):
      print(f'only {label}: {key}')
  both = found.keys() & expected.keys()
  models = {key.rsplit(' ', 2)[0] for key in both}
  print(f'{len(both) - len(changed)} of {len(both)} trajectories of {len(models)} models are equal')
  return len(changed)


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--steps', type=int, default=200)
  parser.add_argument('--limit', type=float, default=60, help='seconds for one trajectory')
  parser.add_argument('--write', type=pathlib.Path, help='write the hashes to this file')
  parser.add_argument('--against', type=pathlib.Path, help='compare with the hashes in this file')
  options = parser.parse_args()
  warnings.simplefilter('ignore')
  signal.signal(signal.SIGALRM, too_slow)

  found = dict(hashes(options.models or [ROOT / 'models'], options.steps, options.limit))
  if options.write:
    options.write.write_text(''.join(f'{key} {value}\n' for key, value in found.items()))
    print(f'{len(found)} hashes written')
  if options.against:
    lines = options.against.read_text().splitlines()
    expected = dict(line.rsplit(' ', 1) for line in lines)
    sys.exit(compare(found, expected) > 0)


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Compares each runtime flag with the installed MuJoCo, switched off and on.

    flags.py [--module cortenforge] [FLAG ...]

For every flag there are models that it concerns. From the same state both engines run twelve steps
on their own, once without the flag and once with it, and every step must agree within 1e-8. The
flag must also do something: what it is there for must differ between the two runs. The exit status
is 1 if a step differs or a flag has no effect.
"""

import argparse
import collections
import importlib
import pathlib
import sys

import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
MODELS = ROOT / 'models' / 'flags'
STEPS = 12
LIMIT = 1e-8

# what is compared after every step, scaled by the largest element
REAL = ('qpos', 'qvel', 'act', 'qacc', 'energy', 'sensordata', 'qfrc_spring', 'qfrc_damper',
        'qfrc_fluid', 'qfrc_gravcomp', 'qfrc_passive', 'qfrc_actuator', 'qfrc_constraint',
        'actuator_force', 'actuator_velocity', 'efc_force', 'efc_aref', 'solver_fwdinv',
        'qfrc_inverse')
WHOLE = ('ncon', 'ne', 'nf', 'nl', 'nefc', 'nisland', 'ntree_awake', 'tree_asleep', 'niter',
         'warnings')

# a flag, the models it is tried on, and the fields in which its effect must be seen on each;
# `same` is for flags that change how results are found, but not the results
Flag = collections.namedtuple('Flag', 'name models effects')
DISABLE = [
    Flag('CONSTRAINT', ('robot', 'pile', 'linkage'), ('nefc', 'ncon', 'qacc', 'qfrc_constraint')),
    Flag('EQUALITY', ('robot', 'linkage'), ('ne', 'qacc')),
    Flag('FRICTIONLOSS', ('robot', 'linkage'), ('nf', 'qacc')),
    Flag('LIMIT', ('robot', 'linkage'), ('nl', 'qacc')),
    Flag('CONTACT', ('robot', 'pile', 'linkage'), ('ncon', 'qacc')),
    Flag('SPRING', ('robot', 'linkage'), ('qfrc_spring', 'qacc')),
    Flag('DAMPER', ('robot', 'drift', 'linkage'), ('qfrc_damper', 'qacc')),
    Flag('GRAVITY', ('robot', 'pile', 'linkage'), ('qacc',)),
    Flag('CLAMPCTRL', ('robot', 'linkage'), ('actuator_force', 'qacc')),
    Flag('WARMSTART', ('robot', 'pile', 'linkage'), ('niter',)),
    Flag('FILTERPARENT', ('overlap',), ('ncon', 'qacc')),
    Flag('ACTUATION', ('robot', 'drift', 'linkage'), ('actuator_force', 'actuator_velocity', 'qacc')),
    Flag('REFSAFE', ('robot', 'linkage'), ('efc_aref', 'qacc')),
    Flag('SENSOR', ('robot', 'pile', 'linkage'), ('sensordata',)),
    Flag('MIDPHASE', ('robot', 'pile', 'convex'), 'same'),
    Flag('EULERDAMP', ('robot', 'linkage'), ('qvel',)),
    Flag('AUTORESET', ('drift',), ('warnings', 'qpos')),
    Flag('NATIVECCD', ('pile', 'convex'), ('qacc',)),
    Flag('ISLAND', ('robot', 'pile', 'linkage'), ('nisland',)),
]
ENABLE = [
    Flag('OVERRIDE', ('robot', 'pile', 'linkage'), ('efc_aref', 'qacc')),
    Flag('ENERGY', ('robot', 'pile', 'drift'), ('energy',)),
    Flag('FWDINV', ('robot', 'pile'), ('solver_fwdinv',)),
    Flag('INVDISCRETE', ('robot', 'drift', 'linkage'), ('qfrc_inverse',)),
    Flag('MULTICCD', ('pile', 'convex'), ('ncon', 'qacc')),
    Flag('SLEEP', ('drift',), ('tree_asleep', 'ntree_awake', 'qpos')),
]


def start(module, model, flag):
  """Data in a state that is the same in both engines."""
  data = module.MjData(model)
  random = np.random.default_rng(1)
  slow = model.opt.gravity[2] == 0
  data.qvel[:] = (0.002 if slow else 0.3) * random.uniform(-1, 1, model.nv)
  data.ctrl[:] = 0 if slow else 1.5
  data.ctrl[model.nu - 1:] = 0.4
  if slow:
    data.qvel[:6] += 0.5
  if flag.name == 'AUTORESET':
    data.qvel[-1] = 2e10
  return data


def observe(module, model, data):
  """What is compared."""
  seen = {}
  for name in REAL[:-1]:
    seen[name] = np.array(getattr(data, name), dtype=float).ravel()
  rows = int(data.nefc)
  for name in ('efc_force', 'efc_aref'):
    seen[name] = seen[name][:rows]
  for name in WHOLE[:-2]:
    seen[name] = np.array(getattr(data, name)).ravel()
  islands = max(1, int(data.nisland))
  seen['niter'] = np.array(data.solver_niter[:islands]).ravel()
  seen['warnings'] = np.array([warning.number for warning in data.warning])
  # the inverse of the step, on a copy
  copy = module.MjData(model)
  copy.qpos[:], copy.qvel[:], copy.qacc[:] = data.qpos, data.qvel, data.qacc
  if np.all(np.isfinite(data.qpos)):
    module.mj_inverse(model, copy)
  seen['qfrc_inverse'] = np.array(copy.qfrc_inverse)
  return seen


def run(module, path, flag, bits, enabled):
  """What every step of a run shows."""
  model = module.MjModel.from_xml_path(str(path))
  field = 'enableflags' if enabled else 'disableflags'
  setattr(model.opt, field, getattr(model.opt, field) | bits)
  data = start(module, model, flag)
  steps = []
  for _ in range(STEPS):
    module.mj_step(model, data)
    steps.append(observe(module, model, data))
  return steps


def difference(ours, reference):
  """Scaled difference of two observations of one field."""
  if ours.shape != reference.shape:
    return np.inf
  if not reference.size:
    return 0.0
  same = (ours == reference) | (np.isnan(ours) & np.isnan(reference))
  if np.all(same):
    return 0.0
  if reference.dtype.kind != 'f':
    return np.inf
  scale = 1 + np.max(np.abs(reference[np.isfinite(reference)]), initial=0)
  with np.errstate(all='ignore'):
    worst = np.max(np.where(same, 0, np.abs(ours - reference))) / scale
  return float(worst) if worst == worst else np.inf


def fields(flag):
  """What is compared for a flag: the stiff inverse only where it is what the flag is about."""
  return [name for name in REAL + WHOLE if name != 'qfrc_inverse' or name in flag.effects]


def check(module, flag, enabled):
  """Problems with a flag, and the largest difference."""
  kind = 'mjtEnableBit.mjENBL_' if enabled else 'mjtDisableBit.mjDSBL_'
  enum, prefix = kind.split('.')
  bits = int(getattr(getattr(mujoco, enum), prefix + flag.name))
  problems, largest = [], 0.0
  for name in flag.models:
    path = MODELS / f'{name}.xml'
    runs = []
    for value in (0, bits):
      ours = run(module, path, flag, value, enabled)
      reference = run(mujoco, path, flag, value, enabled)
      runs.append((ours, reference))
      for i, (mine, theirs) in enumerate(zip(ours, reference)):
        for field in fields(flag):
          error = difference(mine[field], theirs[field])
          largest = max(largest, error if np.isfinite(error) else 0.0)
          if error > LIMIT:
            state = 'set' if value else 'not set'
            problems.append(f'{name}, {state}, step {i}: {field} differs by {error:.1e}')
    for engine, who in ((0, 'ours'), (1, 'MuJoCo')):
      off, on = runs[0][engine], runs[1][engine]

      def changed(field):
        return any(difference(b[field], a[field]) > (0 if field == 'solver_fwdinv' else 1e-6)
                   for a, b in zip(off, on))

      if flag.effects == 'same':
        problems += [f'{name}: {field} changes ({who})' for field in fields(flag) if changed(field)]
      else:
        problems += [f'{name}: no effect on {field} ({who})' for field in flag.effects
                     if not changed(field)]
  return problems, largest


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
  parser.add_argument('flags', nargs='*', help='names of flags; all of them unless given')
  parser.add_argument('--module', default='cortenforge')
  args = parser.parse_args()
  module = importlib.import_module(args.module)
  mujoco.set_mju_user_warning(lambda text: None)

  failed = 0
  for enabled, flags in ((False, DISABLE), (True, ENABLE)):
    for flag in flags:
      name = flag.name.lower()
      if args.flags and name not in args.flags:
        continue
      problems, largest = check(module, flag, enabled)
      failed += bool(problems)
      verdict = 'ok' if not problems else problems[0]
      more = f' (and {len(problems) - 1} more)' if len(problems) > 1 else ''
      print(f'{name:13} {largest:8.1e}  {verdict}{more}')
  print(f'{len(DISABLE)} disabling and {len(ENABLE)} enabling flags, {failed} failed')
  return 1 if failed else 0


if __name__ == '__main__':
  sys.exit(main())

#!/usr/bin/env python3
"""Compares the contacts of an engine with those of the installed MuJoCo.

    contacts.py MODELS [MODELS ...] [--module cortenforge] [--steps N]

MODELS are files or directories, which are searched for *.xml. Each model that both load is taken
through a rollout of MuJoCo. At states along it both engines find contacts between geoms in the same
poses, those of MuJoCo, and the lists are compared: their length and order, and every field of every
contact. (Where curved shapes meet, MuJoCo iterates up to a tolerance of 1e-6, and a difference of
one bit in a pose can end the iteration elsewhere.) The arrangements that the order of contacts
depends on are gone through as well: without the midphase, with parents colliding, and with one
margin for all. Models with flexes are left to conform.py, since poses of geoms are not all they need.

Where geoms touch exactly, rounding decides: a list whose length differs is counted as `rounding` if
MuJoCo finds another number of contacts, too, when its own poses change in the last bit.

The exit status is 1 when another list differs.
"""

import argparse
import importlib
import pathlib
import sys
import zlib

import numpy as np

import conform

LIMIT = 1e-10  # of each number, relative to 1 + its size
FIELDS = ('dist', 'pos', 'frame', 'includemargin', 'friction', 'solref', 'solreffriction',
          'solimp', 'dim', 'geom', 'geom1', 'geom2', 'flex', 'elem', 'vert', 'exclude', 'efc_address', 'mu', 'H')

DISABLE_MIDPHASE, DISABLE_FILTERPARENT = 1 << 14, 1 << 10
ENABLE_OVERRIDE = 1
ARRANGEMENTS = {
    'as it is': (0, 0),
    'without midphase': (DISABLE_MIDPHASE, 0),
    'with parents': (DISABLE_FILTERPARENT, 0),
    'overridden': (0, ENABLE_OVERRIDE),
}


def difference(ours, theirs):
  """The name of the first field that differs and its error, or the worst error and None."""
  worst = 0.0
  for name in FIELDS:
    mine, reference = np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name))
    if name == 'dist' and len(mine) != len(reference):
      return f'{len(mine)} contacts instead of {len(reference)}', np.inf
    mine = mine.reshape(reference.shape)
    if reference.dtype.kind == 'f':
      with np.errstate(all='ignore'):
        errors = np.abs(mine - reference) / (1 + np.abs(reference))
      error = float(np.max(np.where(mine == reference, 0.0, errors), initial=0.0))
    else:
      error = 0.0 if np.array_equal(mine, reference) else np.inf
    if not error <= LIMIT:
      return name, error
    worst = max(worst, error)
  return None, worst


def decided_by_rounding(mujoco, model, rollout, count, rng):
  """Whether the reference finds another number of contacts if poses change in the last bit."""
  for _ in range(20):
    data = conform.shaken(mujoco, model, rollout, rng)
    mujoco.mj_kinematics(model, data)
    for poses in (data.geom_xpos, data.xipos):
      poses[:] = conform.with_last_bits(poses, rng)
    mujoco.mj_collision(model, data)
    if data.ncon != count:
      return True
  return False


def compare(path, engine, mujoco, steps):
  """Compares along a rollout. Returns the number of lists and contacts, the worst error, a list of
  differences and the number of lists that rounding decides; or None if one of the engines does not
  load the model, or if it has flexes."""
  try:
    reference = mujoco.MjModel.from_xml_path(str(path))
    ours = engine.MjModel.from_xml_path(str(path))
  except ValueError:
    return None
  if reference.nflex:
    return None
  rng = np.random.default_rng(zlib.crc32(path.stem.encode()))
  rollout, theirs, mine = mujoco.MjData(reference), mujoco.MjData(reference), engine.MjData(ours)
  conform.excite(mujoco, reference, rollout, rng)
  flags = reference.opt.disableflags, reference.opt.enableflags
  lists, contacts, worst, failures, rounding, done = 0, 0, 0.0, [], 0, 0
  samples = sorted({0, 1, 2, 5, *np.linspace(10, steps, 20, dtype=int).tolist()})
  for sample in (s for s in samples if s <= steps):
    mujoco.mj_step(reference, rollout, sample - done)
    done = sample
    for name, (disable, enable) in ARRANGEMENTS.items():
      for model in (reference, ours):
        model.opt.disableflags, model.opt.enableflags = flags[0] | disable, flags[1] | enable
        model.opt.o_margin = 0.03
      for module, model, data in ((mujoco, reference, theirs), (engine, ours, mine)):
        conform.copy_state(module, model, data, rollout)
        module.mj_kinematics(model, data)
      mine.geom_xpos[:], mine.geom_xmat[:] = theirs.geom_xpos, theirs.geom_xmat
      mujoco.mj_collision(reference, theirs)
      engine.mj_collision(ours, mine)
      field, error = difference(mine.contact, theirs.contact)
      lists += 1
      contacts += theirs.ncon
      if field and theirs.ncon != mine.ncon and decided_by_rounding(
          mujoco, reference, rollout, theirs.ncon, rng):
        rounding += 1
      elif field:
        failures.append(f'step {sample} {name}: {field} {error:.1e}')
      else:
        worst = max(worst, error)
    for model in (reference, ours):
      model.opt.disableflags, model.opt.enableflags = flags
  return lists, contacts, worst, failures, rounding


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='+', type=pathlib.Path)
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  parser.add_argument('--steps', type=int, default=200, help='length of the rollouts')
  options = parser.parse_args()
  import mujoco  # pylint: disable=import-outside-toplevel
  if mujoco.__version__ != '3.5.0':
    sys.exit(f'the reference is MuJoCo 3.5.0, installed is {mujoco.__version__}')
  engine = importlib.import_module(options.module)

  models, lists, contacts, worst, failed, rounding = 0, 0, 0, 0.0, 0, 0
  for path in conform.find_models(options.models):
    result = compare(path, engine, mujoco, options.steps)
    if result is None:
      continue
    models += 1
    lists += result[0]
    contacts += result[1]
    worst = max(worst, result[2])
    rounding += result[4]
    if result[3]:
      failed += 1
      print(f'{path}: {len(result[3])} of {result[0]} lists differ: {result[3][0]}')
  print(f'models: {models}, lists of contacts: {lists}, contacts: {contacts}, '
        f'worst error: {worst:.1e}, rounding: {rounding}, models that differ: {failed}')
  if not contacts:
    sys.exit('no contacts to compare')
  sys.exit(1 if failed else 0)


if __name__ == '__main__':
  main()

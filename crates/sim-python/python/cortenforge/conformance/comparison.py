"""Compares every field of an engine with MuJoCo's, on one model.

Model arrays once, and from states along a rollout of MuJoCo every field of the data after
`mj_forward` and after one `mj_step`, and what `mj_inverse` makes of accelerations that are a little
off. What is left out of the comparison, and why, is in `fields`.

Where a result depends on rounding, MuJoCo differs from itself as soon as its own state is changed in
the last bit. A sample that differs is `rounding` if in each of its differing fields MuJoCo does so
by at least a tenth of the difference.
"""

import collections
import pathlib
import zlib

import numpy as np

from cortenforge.conformance import fields

# what may differ, and by how much; tolerances.txt says what the numbers mean
Tolerance = collections.namedtuple('Tolerance', 'limit each largest constant')


def read_tolerances():
  text = pathlib.Path(__file__).with_name('tolerances.txt').read_text(encoding='utf-8')
  rows = (line.split() for line in text.splitlines() if line and not line.startswith('#'))
  return {name: Tolerance(*map(float, numbers)) for name, *numbers in rows}


STAGES = ('arrays', 'forward', 'step', 'inverse')
TOLERANCES = read_tolerances()
# of the statistics of the solver, relative to the limit of their stage
STATISTICS = TOLERANCES['statistics']
WORST = 1e99  # error of what cannot be compared; finite, so that JSON holds it

VIS = ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba')
STATE = ('time', 'qpos', 'qvel', 'act', 'history', 'qacc_warmstart', 'ctrl', 'qfrc_applied',
         'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata', 'plugin_state')
INVERSE = ('qacc', 'qfrc_inverse', 'qfrc_constraint', 'efc_force', 'efc_state', 'nisland',
           'tree_asleep', 'energy', 'sensordata')

ENABLE_INVDISCRETE = 8  # bit of opt.enableflags

INTEGRATOR_RK4 = 1  # of opt.integrator

# steps of the rollout at which both engines are compared
SAMPLES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)
# how often MuJoCo is compared with itself, its state changed in the last bit
TRIALS = 100
# how much of a difference MuJoCo must show itself
SHARE = 0.1


# ---- errors ----------------------------------------------------------------------------------


def error(ours, reference, tolerance):
  """Error of the worst element in units of the limit's scale; 0 where there is none."""
  if isinstance(reference, (bytes, str)):
    return 0.0 if ours == reference else WORST
  ours, reference = np.asarray(ours), np.asarray(reference)
  if ours.shape != reference.shape:
    return WORST
  if reference.dtype.kind != 'f' or reference.dtype.itemsize < 8:
    same = (ours == reference) | ((ours != ours) & (reference != reference))
    return 0.0 if np.all(same) else WORST
  if not reference.size:
    return 0.0
  same = (ours == reference) | (np.isnan(ours) & np.isnan(reference))
  largest = np.max(np.abs(reference))
  with np.errstate(all='ignore'):
    scale = tolerance.each * np.abs(reference) + tolerance.largest * largest + tolerance.constant
    errors = np.where(same, 0.0, np.abs(ours - reference) / scale)
  worst = np.max(errors)
  return float(min(worst, WORST)) if worst == worst else WORST


class Verdict:
  """Which fields of one stage were compared, and which differ."""

  def __init__(self, stage, limit=None):
    self.tolerance = TOLERANCES[stage]
    self.limit = self.tolerance.limit if limit is None else limit
    self.errors = {}
    self.failed = {}
    self.worst = ('', 0.0)

  def compare(self, name, ours, reference, scale=0.0):
    self.errors.setdefault(name, 0.0)
    tolerance = self.tolerance._replace(constant=self.tolerance.constant + scale)
    self.note(name, error(ours, reference, tolerance))

  def compare_statistics(self, name, ours, reference):
    self.errors.setdefault(name, 0.0)
    value = error(ours, reference, STATISTICS)
    self.note(name, min(value * self.tolerance.limit / STATISTICS.limit, WORST))

  def note(self, name, value):
    self.errors[name] = max(value, self.errors.get(name, 0.0))
    if value > self.worst[1]:
      self.worst = (name, value)
    if value > self.limit:
      self.failed[name] = max(value, self.failed.get(name, 0.0))

  def add(self, other):
    """Takes over what another verdict found."""
    for name, value in other.errors.items():
      self.errors[name] = max(value, self.errors.get(name, 0.0))
    if other.worst[1] > self.worst[1]:
      self.worst = other.worst
    for name, value in other.failed.items():
      self.failed[name] = max(value, self.failed.get(name, 0.0))

  def result(self):
    worst_first = sorted(self.failed.items(), key=lambda item: -item[1])
    return {'fields': len(self.errors), 'failed': dict(worst_first), 'worst': self.worst}


def shown(value):
  """An error as text; statistics are scaled, also where they cannot be compared."""
  return 'differs' if value >= 1e-9 * WORST else f'{value:.1e}'


def get(owner, name):
  """Attribute `name` and whether there is one."""
  try:
    return getattr(owner, name), True
  except AttributeError:
    return None, False


# ---- one model -------------------------------------------------------------------------------


def compare_record(verdict, prefix, ours, reference):
  for name in dir(reference):
    value = getattr(reference, name)
    # the reference's package shows a few settings as empty: they cannot be compared
    if not name.startswith('_') and not callable(value) and np.size(value):
      mine, there = get(ours, name)
      if there:
        verdict.compare(f'{prefix}.{name}', mine, np.asarray(value))
      else:
        verdict.note(f'{prefix}.{name} missing', WORST)


def compare_models(ours, reference):
  verdict = Verdict('arrays')
  for name in fields.members('mjModel'):
    if name in fields.MODEL_LEFT_OUT:
      continue
    mine, there = get(ours, name)
    if not there:
      verdict.note(f'{name} missing', WORST)
    elif name in ('opt', 'stat'):
      compare_record(verdict, name, mine, getattr(reference, name))
    elif name == 'vis':
      for group in VIS:
        part, there = get(mine, group)
        if there:
          compare_record(verdict, f'vis.{group}', part, getattr(reference.vis, group))
        else:
          verdict.note(f'vis.{group} missing', WORST)
    else:
      verdict.compare(name, mine, getattr(reference, name))
  return verdict


def compare_data(verdict, module, models, ours, reference):
  """Compares the data of two engines, whose models are `models`.

  Fields that the module says it does not compute yet are left out.
  """
  model = models[1]
  # the reference against itself: its unused memory does not count
  itself = module is fields.mujoco
  own = dict(fields.data_fields(model, ours)) if itself else {}
  contacts = dict(fields.contact_fields(model, ours)) if itself else {}
  missing = set(getattr(module, 'uncomputed_fields', ()))
  verdict.compare('moment', *map(fields.moment, models, (ours, reference)))
  for name, value in fields.data_fields(model, reference):
    if name in missing:
      continue
    mine, there = (own.get(name), name in own) if itself else get(ours, name)
    if not there:
      verdict.note(name if itself else f'{name} missing', WORST)
    elif name == 'solver_nnz':
      solved = fields.solved_islands(model, reference)
      verdict.compare(name, mine[:solved], value[:solved])
    elif name == 'solver_fwdinv':
      verdict.compare(name, mine, value, np.max(np.abs(reference.qfrc_constraint), initial=0.0))
    else:
      verdict.compare(name, mine, value)
  verdict.compare('warning', [w.number for w in ours.warning],
                  [w.number for w in reference.warning])
  for name, value in fields.contact_fields(model, reference):
    mine, there = (contacts.get(name), name in contacts) if itself else get(ours.contact, name)
    if there:
      verdict.compare(f'contact.{name}', mine, value)
    else:
      verdict.note(f'contact.{name} missing', WORST)
  theirs = fields.statistics(model, reference, reference)
  for name, value in fields.statistics(model, reference, ours).items():
    verdict.compare_statistics(f'solver.{name}', value, theirs[name])


def copy_state(module, model, data, source):
  """Resets `data` and gives it the state of `source`."""
  module.mj_resetData(model, data)
  for name in STATE:
    if name == 'time':
      data.time = source.time
    elif np.asarray(getattr(source, name)).size:
      getattr(data, name)[:] = getattr(source, name)


def excite(mujoco, model, data, rng):
  """Starts the rollout: the first keyframe if there is one, velocities, controls."""
  if model.nkey:
    mujoco.mj_resetDataKeyframe(model, data, 0)
  data.qvel[:] += rng.normal(scale=0.2, size=model.nv)
  limited = model.actuator_ctrllimited.astype(bool)
  low = np.where(limited, model.actuator_ctrlrange[:, 0], -1.0)
  high = np.where(limited, model.actuator_ctrlrange[:, 1], 1.0)
  data.ctrl[:] = low + (high - low) * rng.uniform(0.3, 0.7, size=model.nu)


def run_stage(stage, module, model, data, source, acceleration):
  """Brings an engine to the end of a stage, from the state of `source`."""
  copy_state(module, model, data, source)
  if stage == 'step':
    module.mj_step(model, data)
    return
  module.mj_forward(model, data)
  if stage == 'inverse':
    module.mj_compareFwdInv(model, data)
    data.qacc[:] = acceleration
    module.mj_inverse(model, data)


def compare_stage(verdict, stage, module, models, ours, reference):
  """Compares what a stage has computed."""
  if stage != 'inverse':
    compare_data(verdict, module, models, ours, reference)
    return
  for name in INVERSE:
    verdict.compare(name, getattr(ours, name), getattr(reference, name))
  verdict.compare('solver_fwdinv', ours.solver_fwdinv, reference.solver_fwdinv,
                  np.max(np.abs(reference.qfrc_constraint), initial=0.0))


def shaken(mujoco, model, rollout, rng):
  """Data of the reference whose state is that of `rollout` but for the last bits."""
  data = mujoco.MjData(model)
  copy_state(mujoco, model, data, rollout)
  for name in ('qpos', 'qvel', 'qacc_warmstart'):
    values = getattr(data, name)
    values[:] = with_last_bits(values, rng)
  return data


def with_last_bits(values, rng):
  """Numbers that are one unit in the last place off."""
  # a last bit of numbers below one is one of the sums that they are parts of
  bit = np.spacing(np.maximum(np.abs(values), 0.5))
  return values + rng.choice((-1.0, 1.0), size=values.shape) * bit


def decided_by_rounding(mujoco, stage, model, rollout, verdict, acceleration, rng):
  """Whether the reference differs from itself as much as an engine did, if its state changes in
  the last bit: how, or None."""
  base, other = mujoco.MjData(model), mujoco.MjData(model)
  run_stage(stage, mujoco, model, base, rollout, acceleration)
  itself = Verdict(stage, limit=0.0)
  for _ in range(TRIALS):
    run_stage(stage, mujoco, model, other, shaken(mujoco, model, rollout, rng), acceleration)
    compare_stage(itself, stage, mujoco, (model, model), other, base)
    if all(itself.failed.get(name, 0.0) >= SHARE * value
           for name, value in verdict.failed.items()):
      name = worst_of(verdict)[0]
      return f'{name} {shown(itself.failed[name])} by itself'
  return None


def ranges_decided_by_rounding(mujoco, path, reference, verdict, rng):
  """The same for the length ranges of actuators, which the compiler finds by simulation: how they
  change when the positions of all bodies do in the last bit, or None."""
  if set(verdict.failed) != {'actuator_lengthrange'}:
    return None
  itself = Verdict('arrays', limit=0.0)
  for _ in range(TRIALS):
    spec = mujoco.MjSpec.from_file(str(path))
    for body in spec.bodies:
      body.pos = with_last_bits(body.pos, rng)
    itself.compare('actuator_lengthrange', spec.compile().actuator_lengthrange,
                   reference.actuator_lengthrange)
    if itself.worst[1] >= SHARE * verdict.worst[1]:
      return f'{itself.worst[0]} {shown(itself.worst[1])} by itself'
  return None


def worst_of(verdict):
  return max(verdict.failed.items(), key=lambda item: item[1])


def rounding_case(sample, stage, verdict, why):
  """What is reported of a comparison that rounding decides; clears the verdict."""
  name, value = worst_of(verdict)
  verdict.errors |= dict.fromkeys(verdict.failed, 0.0)
  verdict.failed, verdict.worst = {}, ('', 0.0)
  return {'sample': sample, 'stage': stage, 'field': name, 'error': value, 'reference': why}


def compare_rollout(mujoco, engine, ours, reference, steps, name):
  """Compares along a rollout of the reference: verdicts by stage and what was sampled."""
  verdicts = {stage: Verdict(stage) for stage in STAGES[1:]}
  rng = np.random.default_rng(zlib.crc32(name.encode()))
  rollout, theirs, mine = mujoco.MjData(reference), mujoco.MjData(reference), engine.MjData(ours)
  excite(mujoco, reference, rollout, rng)
  models = ours, reference
  found = {'samples': 0, 'equal': 0, 'rows': 0, 'iterations': 0, 'rounding': [],
           'differ': []}
  discrete = reference.opt.integrator != INTEGRATOR_RK4
  flags = reference.opt.enableflags
  done = 0
  for sample in (s for s in SAMPLES if s <= steps):
    if sample > done:
      mujoco.mj_step(reference, rollout, sample - done)
      done = sample
    if any(w.number for w in rollout.warning) or not np.all(np.isfinite(rollout.qpos)):
      break  # diverged: what follows is another simulation
    found['samples'] += 1
    equal, offset = True, rng.normal(scale=0.1, size=reference.nv)
    for stage in STAGES[1:]:
      # every other sample has discrete inverse dynamics
      if stage == 'inverse' and discrete and found['samples'] % 2:
        for model in models:
          model.opt.enableflags = flags | ENABLE_INVDISCRETE
      acceleration = theirs.qacc * (1 + offset) + offset
      run_stage(stage, mujoco, reference, theirs, rollout, acceleration)
      run_stage(stage, engine, ours, mine, rollout, acceleration)
      verdict = Verdict(stage)
      compare_stage(verdict, stage, engine, models, mine, theirs)
      if stage == 'forward':
        found['rows'] += theirs.nefc
        if list(mine.solver_niter) != list(theirs.solver_niter):
          found['iterations'] += 1
      if verdict.failed:
        equal = False
        why = decided_by_rounding(mujoco, stage, reference, rollout, verdict, acceleration, rng)
        if why:
          found['rounding'].append(rounding_case(sample, stage, verdict, why))
        else:
          found['differ'].append(sample)
      verdicts[stage].add(verdict)
      for model in models:
        model.opt.enableflags = flags
    found['equal'] += equal
  return verdicts, found

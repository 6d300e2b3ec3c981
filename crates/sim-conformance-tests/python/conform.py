#!/usr/bin/env python3
"""Compares an engine with the installed MuJoCo on any directory of models.

    conform.py MODELS [MODELS ...] [--module cortenforge] [--json FILE]
    conform.py MODELS --solver all --cone all
    conform.py MODELS --disable-constraints --integrator all

MODELS are files or directories, which are searched for *.xml. Every model that MuJoCo loads is
loaded by the engine too; then every array of the compiled model is compared, and, from states
along a rollout of MuJoCo, every field of the data after `mj_forward` and after one `mj_step`:
contacts, constraint rows, islands, forces, what the solver did in each iteration. From the same
states, accelerations that are a little off are put through `mj_inverse`, plain and discrete.
A model runs in its own process with a time limit, so that a crash or a hang is a row of the table.
What is left out of the comparison, and why, is in fields.py.

Columns: `load`; `arrays`, `forward`, `step` and `inverse`, each `ok` or how many fields differ; the
worst field with its scaled error. Errors are scaled as the table TOLERANCES says.

Where a result depends on rounding, MuJoCo differs from itself as soon as its own state is changed in
the last bit. A sample that differs is listed as `rounding` if in each of its differing fields MuJoCo
does so by at least a tenth of the difference; such samples are counted and printed.

The exit status is 1 when a model that loads in both differs, or does not load for another reason
than an element or a feature that the engine names as not supported yet.
"""

import argparse
import collections
import concurrent.futures
import importlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import zlib

import numpy as np

import fields

# what may differ, and by how much: |a - ref| / (each |ref| + largest max|ref| + constant);
# integers, bytes, text and float32 are exact
Tolerance = collections.namedtuple('Tolerance', 'limit each largest constant')
TOLERANCES = {
    'arrays': Tolerance(1e-12, 1.0, 1e-2, 1e-12),
    'forward': Tolerance(1e-10, 0.0, 1.0, 1.0),
    'step': Tolerance(1e-10, 0.0, 1.0, 1.0),
    'inverse': Tolerance(1e-10, 0.0, 1.0, 1.0),
}
# statistics of the solver, which are differences of large numbers, relative to the limit above
STATISTICS = Tolerance(1e-6, 1.0, 0.0, 1e-4)
# improvements are differences of costs: by how many units in the last place of those they may be off
COST_UNITS = 8
STAGES = tuple(TOLERANCES)
WORST = 1e99  # error of what cannot be compared; finite, so that JSON holds it

VIS = ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba')
STATE = ('time', 'qpos', 'qvel', 'act', 'history', 'qacc_warmstart', 'ctrl', 'qfrc_applied',
         'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata', 'plugin_state')
INVERSE = ('qacc', 'qfrc_inverse', 'qfrc_constraint', 'efc_force', 'efc_state', 'nisland',
           'tree_asleep', 'energy', 'sensordata')

DISABLE_CONSTRAINT = 1  # bit of opt.disableflags
ENABLE_INVDISCRETE = 8  # bit of opt.enableflags

# options by name, as on the command line
INTEGRATORS = ('Euler', 'RK4', 'implicit', 'implicitfast')
SOLVERS = ('PGS', 'CG', 'Newton')
CONES = ('pyramidal', 'elliptic')
Variant = collections.namedtuple('Variant', 'integrator solver cone')

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
    self.compared = set()
    self.failed = {}
    self.worst = ('', 0.0)

  def compare(self, name, ours, reference, scale=0.0):
    self.compared.add(name)
    tolerance = self.tolerance._replace(constant=self.tolerance.constant + scale)
    self.note(name, error(ours, reference, tolerance))

  def compare_statistics(self, name, ours, reference, rounding=0.0):
    self.compared.add(name)
    constant = STATISTICS.constant + rounding / STATISTICS.limit
    value = error(ours, reference, STATISTICS._replace(constant=constant))
    self.note(name, min(value * self.tolerance.limit / STATISTICS.limit, WORST))

  def note(self, name, value):
    if value > self.worst[1]:
      self.worst = (name, value)
    if value > self.limit:
      self.failed[name] = max(value, self.failed.get(name, 0.0))

  def add(self, other):
    """Takes over what another verdict found."""
    self.compared |= other.compared
    if other.worst[1] > self.worst[1]:
      self.worst = other.worst
    for name, value in other.failed.items():
      self.failed[name] = max(value, self.failed.get(name, 0.0))

  def result(self):
    worst_first = sorted(self.failed.items(), key=lambda item: -item[1])
    return {'fields': len(self.compared), 'failed': dict(worst_first), 'worst': self.worst}


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
    rounding = COST_UNITS * fields.cost_unit(model, reference) if name == 'improvement' else 0.0
    verdict.compare_statistics(f'solver.{name}', value, theirs[name], rounding)


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
  verdict.failed, verdict.worst = {}, ('', 0.0)
  return {'sample': sample, 'stage': stage, 'field': name, 'error': value, 'reference': why}


def compare_rollout(mujoco, engine, ours, reference, options, name):
  """Compares along a rollout of the reference: verdicts by stage and what was sampled."""
  verdicts = {stage: Verdict(stage) for stage in STAGES[1:]}
  rng = np.random.default_rng(zlib.crc32(name.encode()))
  rollout, theirs, mine = mujoco.MjData(reference), mujoco.MjData(reference), engine.MjData(ours)
  excite(mujoco, reference, rollout, rng)
  models = ours, reference
  found = {'samples': 0, 'equal': 0, 'rows': 0, 'iterations': 0, 'rounding': [],
           'differ': []}
  discrete = reference.opt.integrator != INTEGRATORS.index('RK4')
  flags = reference.opt.enableflags
  done = 0
  for sample in (s for s in SAMPLES if s <= options.steps):
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
  return {stage: verdict.result() for stage, verdict in verdicts.items()} | found


def compare_model(path, options):
  """Compares one model in all variants; runs in a process of its own."""
  import mujoco  # pylint: disable=import-outside-toplevel
  if mujoco.__version__ != '3.5.0':
    sys.exit(f'the reference is MuJoCo 3.5.0, installed is {mujoco.__version__}')
  try:
    reference = mujoco.MjModel.from_xml_path(str(path))
  except ValueError as err:
    return [{'load': 'reference', 'message': str(err)}]

  engine = importlib.import_module(options.module)
  start = time.perf_counter()
  try:
    ours = engine.MjModel.from_xml_path(str(path))
  except ValueError as err:
    later = 'not supported yet' in str(err)
    return [{'load': 'later' if later else 'error', 'message': str(err)}]
  loaded = {'load': 'ok', 'load_seconds': time.perf_counter() - start}
  arrays, rounding = compare_models(ours, reference), []
  why = ranges_decided_by_rounding(mujoco, path, reference, arrays, np.random.default_rng(0))
  if why:
    rounding.append(rounding_case(0, 'arrays', arrays, why))
  loaded |= {'arrays': arrays.result(), 'rounding': rounding}
  same_sizes = all(getattr(ours, n) == getattr(reference, n)
                   for n in ('nq', 'nv', 'na', 'nu', 'nbody', 'nmocap', 'nuserdata'))
  own = Variant(reference.opt.integrator, reference.opt.solver, reference.opt.cone)
  results = []
  for variant in variants(options):
    for model in (ours, reference):
      if options.disable_constraints:
        model.opt.disableflags |= DISABLE_CONSTRAINT
      for name, value, names in zip(Variant._fields, variant, (INTEGRATORS, SOLVERS, CONES)):
        setattr(model.opt, name, names.index(value) if value else getattr(own, name))
    result = dict(loaded)
    if same_sizes:
      result |= compare_rollout(mujoco, engine, ours, reference, options, path.stem)
      result['rounding'] = rounding + result['rounding']
    results.append(result)
  return results


def variants(options):
  """The combinations of options to compare with; None is what the model says."""
  choices = [names if choice == 'all' else (choice,) for choice, names in (
      (options.integrator, INTEGRATORS), (options.solver, SOLVERS), (options.cone, CONES))]
  return [Variant(*chosen) for chosen in itertools.product(*choices)]


def run_model(path, options):
  """Runs `compare_model` in a subprocess; the results by variant."""
  command = [sys.executable, __file__, '--worker', str(path), '--module', options.module,
             '--steps', str(options.steps)]
  command += ['--disable-constraints'] if options.disable_constraints else []
  for name in Variant._fields:
    command += [f'--{name}', getattr(options, name)] if getattr(options, name) else []
  start = time.perf_counter()
  chosen = variants(options)
  limit = options.limit * len(chosen)
  try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit,
                          errors='replace', check=False)
  except subprocess.TimeoutExpired:
    results = [{'load': 'hang', 'message': f'more than {limit} s'}]
  else:
    last = done.stdout.strip().rsplit('\n', 1)[-1]
    if done.returncode == 0 and last.startswith('['):
      results = json.loads(last)
    else:
      why = f'signal {-done.returncode}' if done.returncode < 0 else f'status {done.returncode}'
      results = [{'load': 'crash', 'message': f'{why}: {done.stderr.strip()[-2000:]}'}]
  if len(results) == 1:
    results *= len(chosen)
  about = {'model': str(path), 'seconds': time.perf_counter() - start}
  return [result | about | variant._asdict() for result, variant in zip(results, chosen)]


# ---- the table -------------------------------------------------------------------------------


def passes(result):
  """Whether a row is as it should be: equal, not supported yet, or not a model at all."""
  if result['load'] != 'ok':
    return result['load'] in ('later', 'reference')
  return all(stage in result and not result[stage]['failed'] for stage in STAGES)


def cell(result, stage):
  if stage not in result:
    return '-'
  if result[stage]['failed']:
    return f'{len(result[stage]["failed"])} differ'
  return 'ok'


def worst(result):
  if result['load'] != 'ok':
    lines = [line.strip() for line in result.get('message', '').splitlines() if line.strip()]
    return (lines or [''])[-1 if result['load'] == 'crash' else 0][:90]
  for stage in STAGES:  # the first stage that differs explains the later ones
    if stage in result and result[stage]['failed']:
      name, value = next(iter(result[stage]['failed'].items()))
      return f'{stage}: {name} {shown(value)}'
  value, name = max((value, f'{stage}: {name}') for stage in STAGES if stage in result
                    for name, value in [result[stage]['worst']])
  return f'{name} {value:.1e}' if value else 'equal to the last bit'


def print_columns(rows):
  widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
  for row in rows:
    print('  '.join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def print_table(results, root):
  rows = [('model', 'load', *STAGES, 'samples', 'rows', 'worst field or message')]
  for result in results:
    samples = str(result.get('samples', ''))
    if result.get('rounding'):
      samples += f', {len(rounded(result))} rounding'
    rows.append((os.path.relpath(result['model'], root), result['load'],
                 *(cell(result, s) for s in STAGES), samples, str(result.get('rows', '')),
                 worst(result)))
  print_columns(rows)


def rounded(result):
  """The samples that rounding decides, and nothing else."""
  cases = (case for case in result.get('rounding', ()) if case['stage'] != 'arrays')
  return {case['sample'] for case in cases} - set(result.get('differ', ()))


def print_rounding(results, root):
  """Lists what rounding decides."""
  cases = [(result, case) for result in results for case in result.get('rounding', ())]
  if cases:
    print('\ndecided by rounding: ours against the reference, and the reference against itself')
  for result, case in cases:
    value = shown(case['error'])
    print(f'  {os.path.relpath(result["model"], root)} step {case["sample"]} {case["stage"]}: '
          f'{case["field"]} {value}; {case["reference"]}')


def print_variants(results):
  """One row for each integrator, solver and cone."""
  rows = [('integrator', 'solver', 'cone', 'models', 'samples', 'rows', 'equal', 'rounding',
           'differ', 'iterations differ', 'worst field')]
  for variant in dict.fromkeys(tuple(r[name] for name in Variant._fields) for r in results):
    part = [r for r in results if tuple(r[name] for name in Variant._fields) == variant
            and 'samples' in r]
    total = {key: sum(r[key] for r in part) for key in ('samples', 'rows', 'equal', 'iterations')}
    rounding = sum(len(rounded(r)) for r in part)
    name, value = max((r[stage]['worst'] for r in part for stage in STAGES[1:]),
                      key=lambda pair: pair[1], default=('', 0.0))
    rows.append((*(choice or 'own' for choice in variant), str(len(part)), str(total['samples']),
                 str(total['rows']), str(total['equal']), str(rounding),
                 str(total['samples'] - total['equal'] - rounding), str(total['iterations']),
                 f'{name} {shown(value)}'))
  print_columns(rows)


def summary(results):
  """Counts over the models that MuJoCo loads."""
  models = [r for r in results if r['load'] != 'reference']
  count = {'models': len(models),
           'load': sum(r['load'] == 'ok' for r in models),
           'not supported yet': sum(r['load'] == 'later' for r in models),
           'crash or hang': sum(r['load'] in ('crash', 'hang') for r in models)}
  for stage in STAGES:
    count[f'{stage} equal'] = sum(cell(r, stage) == 'ok' for r in models)
  for key in ('samples', 'equal', 'rows'):
    count[key if key != 'equal' else 'samples equal'] = sum(r.get(key, 0) for r in models)
  count['rounding'] = sum(len(rounded(r)) for r in models)
  count['as expected'] = sum(passes(r) for r in models)
  return count


def included(path):
  """Files that a model includes: parts, not models of their own."""
  names = re.findall(r'<include\s+file\s*=\s*["\']([^"\']+)', path.read_text(errors='replace'))
  return {(folder / name).resolve() for name in names for folder in (path.parent,
                                                                     path.parent.parent)}


def find_models(paths):
  """The models in files and directories."""
  for path in paths:
    if path.is_dir():
      files = sorted(p for p in path.rglob('*.xml') if p.is_file())
      parts = set().union(*map(included, files))
      yield from (p for p in files if p.resolve() not in parts)
    elif path.is_file():
      yield path
    else:
      sys.exit(f'{path}: no such file or directory')


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  parser.add_argument('--steps', type=int, default=100, help='length of the rollout')
  parser.add_argument('--limit', type=float, default=60, help='seconds allowed per model')
  parser.add_argument('--jobs', type=int, default=os.cpu_count(), help='models at a time')
  parser.add_argument('--disable-constraints', action='store_true',
                      help='switch constraints off in both engines: no contacts, limits, equalities')
  parser.add_argument('--integrator', choices=(*INTEGRATORS, 'all'),
                      help="use this integrator in both engines instead of the model's")
  parser.add_argument('--solver', choices=(*SOLVERS, 'all'), help='likewise')
  parser.add_argument('--cone', choices=(*CONES, 'all'), help='likewise')
  parser.add_argument('--only-loaded', action='store_true',
                      help='leave models that are not supported yet out of the table')
  parser.add_argument('--json', type=pathlib.Path, help='write the results to this file')
  parser.add_argument('--worker', type=pathlib.Path, help=argparse.SUPPRESS)
  options = parser.parse_args()

  if options.worker:
    print(json.dumps(compare_model(options.worker, options)))
    return
  if not options.models:
    parser.error('give a directory of models')

  paths = list(find_models(options.models))
  root = options.models[0] if options.models[0].is_dir() else options.models[0].parent
  with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs or 1)) as pool:
    by_model = list(pool.map(lambda path: run_model(path, options), paths))
  results = [result for results in by_model for result in results]
  for i, variant in enumerate(variants(options)):
    part = [results[i] for results in by_model]
    shown = [r for r in part if r['load'] != 'reference'
             and not (options.only_loaded and r['load'] == 'later')]
    if len(by_model[0]) > 1:  # too many rows: those that are not as they should be
      shown = [r for r in shown if not passes(r)]
    if any(variant):
      print(', '.join(f'{name} {choice}' for name, choice in variant._asdict().items() if choice))
    if shown:
      print_table(shown, root)
    print_rounding(part, root)
    print()
    print(', '.join(f'{name}: {value}' for name, value in summary(part).items()), end='\n\n')
  print_variants(results)
  if options.json:
    options.json.write_text(json.dumps({'summary': summary(results), 'results': results}, indent=1))
  if all(r['load'] == 'reference' for r in results):
    sys.exit('no models that MuJoCo loads')
  if not all(passes(r) for r in results):
    sys.exit(1)


if __name__ == '__main__':
  main()

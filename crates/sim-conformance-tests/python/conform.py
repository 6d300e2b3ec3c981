#!/usr/bin/env python3
"""Compares an engine with the installed MuJoCo on any directory of models.

    conform.py MODELS [MODELS ...] [--module cortenforge] [--json FILE]
    conform.py MODELS --disable-constraints --integrator all

MODELS are files or directories, which are searched for *.xml. Every model that MuJoCo loads is
loaded by the engine too; then every array of the compiled model is compared, and, from states
along a rollout of MuJoCo, every field of the data after `mj_forward` and after one `mj_step`.
A model runs in its own process with a time limit, so that a crash or a hang is a row of the table.

Columns: `load`; `arrays`, `forward` and `step`, each `ok` or how many fields differ; the worst
field with its scaled error. Errors are scaled as the table TOLERANCES says.

The exit status is 1 when a model that loads in both differs, or does not load for another reason
than an element or a feature that the engine names as not supported yet.
"""

import argparse
import collections
import concurrent.futures
import importlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import zlib

import numpy as np

# what may differ, and by how much: |a - ref| / (each |ref| + largest max|ref| + constant);
# integers, bytes, text and float32 are exact
Tolerance = collections.namedtuple('Tolerance', 'limit each largest constant')
TOLERANCES = {
    'arrays': Tolerance(1e-12, 1.0, 1e-2, 1e-12),
    'forward': Tolerance(1e-10, 0.0, 1.0, 1.0),
    'step': Tolerance(1e-10, 0.0, 1.0, 1.0),
}
STAGES = tuple(TOLERANCES)
WORST = 1e99  # error of what cannot be compared; finite, so that JSON holds it

# sizes and members that describe the memory of MuJoCo
MODEL_MEMORY = {'narena', 'nbuffer', 'njmax', 'nconmax', 'buffer', 'signature'}
DATA_MEMORY = {'narena', 'nbuffer', 'pstack', 'pbase', 'parena', 'maxuse_stack', 'maxuse_arena',
               'maxuse_threadstack', 'buffer', 'arena', 'threadpool', 'signature', 'plugin_data',
               'nplugin', 'timer', 'solver'}
# arrays that are views of unused memory while there are no islands
ISLAND_PREFIXES = ('island_', 'map_', 'iM', 'iLD', 'iefc_', 'ifrc_', 'iacc')
ISLAND = {'tree_island', 'dof_island', 'efc_island'}
VIS = ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba')
STATE = ('time', 'qpos', 'qvel', 'act', 'history', 'qacc_warmstart', 'ctrl', 'qfrc_applied',
         'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata', 'plugin_state')

# the sparse matrix of actuator moments is compared dense: which of its entries are rounding noise
# of a zero, and what is left behind compressed rows, are accidents
MOMENT = {'moment_rownnz', 'moment_rowadr', 'moment_colind', 'actuator_moment'}

DISABLE_CONSTRAINT = 1  # bit of opt.disableflags

# integrators by name, as an option of the command line
INTEGRATORS = ('Euler', 'RK4', 'implicit', 'implicitfast')

# steps of the rollout at which both engines are compared
SAMPLES = (0, 1, 2, 5, 10, 20, 50, 100, 200)


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

  def __init__(self, stage):
    self.tolerance = TOLERANCES[stage]
    self.compared = set()
    self.failed = {}
    self.worst = ('', 0.0)

  def compare(self, name, ours, reference):
    self.compared.add(name)
    self.note(name, error(ours, reference, self.tolerance))

  def note(self, name, value):
    if value > self.worst[1]:
      self.worst = (name, value)
    if value > self.tolerance.limit:
      self.failed[name] = max(value, self.failed.get(name, 0.0))

  def result(self):
    worst_first = sorted(self.failed.items(), key=lambda item: -item[1])
    return {'fields': len(self.compared), 'failed': dict(worst_first), 'worst': self.worst}


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


def compare_models(structs, ours, reference):
  verdict = Verdict('arrays')
  for field in structs['mjModel'].fields:
    name = field.name
    if name in MODEL_MEMORY:
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


def moment(model, data):
  """The matrix of actuator moments, dense."""
  dense = np.zeros((model.nu, model.nv))
  rows = zip(np.asarray(data.moment_rowadr), np.asarray(data.moment_rownnz))
  for i, (start, count) in enumerate(rows):
    row = slice(start, start + count)
    dense[i, np.asarray(data.moment_colind)[row]] = np.asarray(data.actuator_moment)[row]
  return dense


def computed_readings(module, model):
  """Which numbers of sensordata the module computes: a mask."""
  missing = set(getattr(module, 'uncomputed_sensors', ()))
  mask = np.ones(model.nsensordata, bool)
  for kind, start, size in zip(model.sensor_type, model.sensor_adr, model.sensor_dim):
    if int(kind) in missing:
      mask[start:start + size] = False
  return mask


def compare_data(verdict, structs, module, models, ours, reference):
  """Compares the data of two engines, whose models are `models`.

  What the module says it does not compute yet is left out: fields, and readings of sensors.
  """
  missing = set(getattr(module, 'uncomputed_fields', ()))
  if 'efc_type' in missing:
    missing |= {'maxuse_con', 'maxuse_efc'}
  verdict.compare('moment', *map(moment, models, (ours, reference)))
  constrained = not models[1].opt.disableflags & DISABLE_CONSTRAINT
  for field in structs['mjData'].fields:
    name = field.name
    if name in DATA_MEMORY or name in MOMENT or name in missing:
      continue
    if name == 'tendon_efcadr' and not constrained:
      continue  # a view of unused memory
    if not reference.nisland and (name in ISLAND or name.startswith(ISLAND_PREFIXES)):
      continue
    mine, there = get(ours, name)
    if not there:
      verdict.note(f'{name} missing', WORST)
    elif name == 'sensordata':
      mask = computed_readings(module, models[1])
      verdict.compare(name, mine[mask], reference.sensordata[mask])
    elif name == 'warning':
      verdict.compare(name, [w.number for w in mine], [w.number for w in reference.warning])
    elif name == 'contact':
      for part in structs['mjContact'].fields:
        value, there = get(mine, part.name)
        theirs, known = get(reference.contact, part.name)
        if known and there:
          verdict.compare(f'contact.{part.name}', value, theirs)
        elif known:
          verdict.note(f'contact.{part.name} missing', WORST)
    else:
      verdict.compare(name, mine, getattr(reference, name))


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


def compare_rollout(mujoco, engine, structs, ours, reference, options, name):
  """Compares along a rollout of the reference; returns verdicts and what was sampled."""
  forward, step = Verdict('forward'), Verdict('step')
  rng = np.random.default_rng(zlib.crc32(name.encode()))
  rollout, theirs, mine = mujoco.MjData(reference), mujoco.MjData(reference), engine.MjData(ours)
  excite(mujoco, reference, rollout, rng)
  done, judged, constrained = 0, 0, 0
  for sample in (s for s in SAMPLES if s <= options.steps):
    if sample > done:
      mujoco.mj_step(reference, rollout, sample - done)
      done = sample
    copy_state(mujoco, reference, theirs, rollout)
    mujoco.mj_forward(reference, theirs)
    if theirs.nefc or theirs.ncon:
      constrained += 1
      if options.smooth:
        continue
    judged += 1
    copy_state(engine, ours, mine, rollout)
    engine.mj_forward(ours, mine)
    compare_data(forward, structs, engine, (ours, reference), mine, theirs)
    copy_state(mujoco, reference, theirs, rollout)
    mujoco.mj_step(reference, theirs)
    copy_state(engine, ours, mine, rollout)
    engine.mj_step(ours, mine)
    if options.smooth and (theirs.nefc or theirs.ncon):
      continue  # they came up between the stages of Runge-Kutta
    compare_data(step, structs, engine, (ours, reference), mine, theirs)
  return forward, step, judged, constrained


def compare_model(path, options):
  """Compares one model; runs in a process of its own."""
  import mujoco  # pylint: disable=import-outside-toplevel
  from mujoco.introspect import structs  # pylint: disable=import-outside-toplevel
  structs = structs.STRUCTS
  if mujoco.__version__ != '3.5.0':
    sys.exit(f'the reference is MuJoCo 3.5.0, installed is {mujoco.__version__}')
  try:
    reference = mujoco.MjModel.from_xml_path(str(path))
  except ValueError as err:
    return {'load': 'reference', 'message': str(err)}

  engine = importlib.import_module(options.module)
  start = time.perf_counter()
  try:
    ours = engine.MjModel.from_xml_path(str(path))
  except ValueError as err:
    return {'load': 'later' if 'not supported yet' in str(err) else 'error', 'message': str(err)}
  result = {'load': 'ok', 'load_seconds': time.perf_counter() - start}
  arrays = compare_models(structs, ours, reference)
  result['arrays'] = arrays.result()
  same_sizes = all(getattr(ours, n) == getattr(reference, n)
                   for n in ('nq', 'nv', 'na', 'nu', 'nbody', 'nmocap', 'nuserdata'))
  for model in (ours, reference):
    if options.disable_constraints:
      model.opt.disableflags |= DISABLE_CONSTRAINT
    if options.integrator:
      model.opt.integrator = INTEGRATORS.index(options.integrator)
  if same_sizes:
    forward, step, judged, constrained = compare_rollout(
        mujoco, engine, structs, ours, reference, options, path.stem)
    result |= {'forward': forward.result(), 'step': step.result(), 'samples': judged,
               'constrained': constrained}
  return result


def run_model(path, integrator, options):
  """Runs `compare_model` in a subprocess."""
  command = [sys.executable, __file__, '--worker', str(path), '--module', options.module,
             '--steps', str(options.steps)]
  command += ['--smooth'] if options.smooth else []
  command += ['--disable-constraints'] if options.disable_constraints else []
  command += ['--integrator', integrator] if integrator else []
  start = time.perf_counter()
  try:
    done = subprocess.run(command, capture_output=True, text=True, timeout=options.limit,
                          errors='replace', check=False)
  except subprocess.TimeoutExpired:
    result = {'load': 'hang', 'message': f'more than {options.limit} s'}
  else:
    last = done.stdout.strip().rsplit('\n', 1)[-1]
    if done.returncode == 0 and last.startswith('{'):
      result = json.loads(last)
    else:
      why = f'signal {-done.returncode}' if done.returncode < 0 else f'status {done.returncode}'
      result = {'load': 'crash', 'message': f'{why}: {done.stderr.strip()[-2000:]}'}
  return result | {'model': str(path), 'integrator': integrator,
                   'seconds': time.perf_counter() - start}


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
  if stage != 'arrays' and not result['samples']:
    return '.'
  return 'ok'


def worst(result):
  if result['load'] != 'ok':
    lines = [line.strip() for line in result.get('message', '').splitlines() if line.strip()]
    return (lines or [''])[-1 if result['load'] == 'crash' else 0][:90]
  for stage in STAGES:  # the first stage that differs explains the later ones
    if stage in result and result[stage]['failed']:
      name, value = next(iter(result[stage]['failed'].items()))
      return f'{stage}: {name} {"differs" if value == WORST else f"{value:.1e}"}'
  value, name = max((value, f'{stage}: {name}') for stage in STAGES if stage in result
                    for name, value in [result[stage]['worst']])
  return f'{name} {value:.1e}' if value else 'equal to the last bit'


def print_table(results, root):
  rows = [('model', 'load', *STAGES, 'samples', 'worst field or message')]
  for result in results:
    samples = str(result.get('samples', ''))
    if result.get('constrained'):
      samples += f' of {result["samples"] + result["constrained"]}' if result['unjudged'] else ''
    rows.append((os.path.relpath(result['model'], root), result['load'],
                 *(cell(result, s) for s in STAGES), samples, worst(result)))
  widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
  for row in rows:
    print('  '.join(text.ljust(width) for text, width in zip(row, widths)).rstrip())


def summary(results):
  """Counts over the models that MuJoCo loads."""
  models = [r for r in results if r['load'] != 'reference']
  count = {'models': len(models),
           'load': sum(r['load'] == 'ok' for r in models),
           'not supported yet': sum(r['load'] == 'later' for r in models),
           'crash or hang': sum(r['load'] in ('crash', 'hang') for r in models)}
  for stage in STAGES:
    count[f'{stage} equal'] = sum(cell(r, stage) == 'ok' for r in models)
  count['samples'] = sum(r.get('samples', 0) for r in models)
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
  parser.add_argument('--smooth', action='store_true',
                      help='leave out samples at which MuJoCo has constraint rows')
  parser.add_argument('--disable-constraints', action='store_true',
                      help='switch constraints off in both engines: no contacts, limits, equalities')
  parser.add_argument('--integrator', choices=(*INTEGRATORS, 'all'),
                      help="use this integrator in both engines instead of the model's")
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
  results = []
  for integrator in INTEGRATORS if options.integrator == 'all' else (options.integrator,):
    with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs or 1)) as pool:
      part = list(pool.map(lambda path: run_model(path, integrator, options), paths))
    for result in part:
      result['unjudged'] = options.smooth
    shown = [r for r in part if r['load'] != 'reference'
             and not (options.only_loaded and r['load'] == 'later')]
    if integrator:
      print(f'integrator {integrator}')
    print_table(shown, root)
    print()
    print(', '.join(f'{name}: {value}' for name, value in summary(part).items()), end='\n\n')
    results += part
  if options.json:
    options.json.write_text(json.dumps({'summary': summary(results), 'results': results}, indent=1))
  if all(r['load'] == 'reference' for r in results):
    sys.exit('no models that MuJoCo loads')
  if not all(passes(r) for r in results):
    sys.exit(1)


if __name__ == '__main__':
  main()

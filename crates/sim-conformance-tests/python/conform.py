#!/usr/bin/env python3
"""Compares an engine with the installed MuJoCo on any directory of models.

    conform.py MODELS [MODELS ...] [--module cortenforge] [--json FILE]
    conform.py MODELS --solver all --cone all
    conform.py MODELS --disable-constraints --integrator all
    conform.py MODELS --binary

MODELS are files or directories, which are searched for *.xml. Every model that MuJoCo loads is
loaded by the engine too; then every array of the compiled model is compared, and, from states
along a rollout of MuJoCo, every field of the data after `mj_forward` and after one `mj_step`:
contacts, constraint rows, islands, forces, what the solver did in each iteration. From the same
states, accelerations that are a little off are put through `mj_inverse`, plain and discrete.
A model runs in its own process with a time limit, so that a crash or a hang is a row of the table.
What is compared, and how, is in the package: `cortenforge.conformance`.

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
import tempfile
import time

import numpy as np
from cortenforge.conformance.comparison import (  # noqa: F401, some are for other scripts
    STAGES, WORST, TOLERANCES, Verdict, compare_data, compare_models, compare_rollout,
    copy_state, error, excite, ranges_decided_by_rounding, rounding_case, run_stage, shaken,
    shown, with_last_bits)

DISABLE_CONSTRAINT = 1  # bit of opt.disableflags

# options by name, as on the command line
INTEGRATORS = ('Euler', 'RK4', 'implicit', 'implicitfast')
SOLVERS = ('PGS', 'CG', 'Newton')
CONES = ('pyramidal', 'elliptic')
Variant = collections.namedtuple('Variant', 'integrator solver cone')


def compare_model(path, options):
  """Compares one model in all variants; runs in a process of its own."""
  import mujoco  # pylint: disable=import-outside-toplevel
  if mujoco.__version__ != '3.5.0':
    sys.exit(f'the reference is MuJoCo 3.5.0, installed is {mujoco.__version__}')
  # its asset cache hands the hull's polygons to a second mesh of the same file that has no hull
  mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
  try:
    reference = mujoco.MjModel.from_xml_path(str(path))
  except ValueError as err:
    return [{'load': 'reference', 'message': str(err)}]

  engine = importlib.import_module(options.module)
  start = time.perf_counter()
  try:
    ours = load_binary(mujoco, engine, reference) if options.binary else (
        engine.MjModel.from_xml_path(str(path)))
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
      verdicts, found = compare_rollout(mujoco, engine, ours, reference, options.steps, path.stem)
      result |= {stage: verdict.result() for stage, verdict in verdicts.items()} | found
      result['rounding'] = rounding + result['rounding']
    results.append(result)
  return results


def load_binary(mujoco, engine, reference):
  """The model that MuJoCo has compiled, as the engine loads it."""
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'model.mjb')
    mujoco.mj_saveModel(reference, path)
    return engine.MjModel.from_binary_path(path)


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
  command += ['--binary'] if options.binary else []
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
  parser.add_argument('--binary', action='store_true',
                      help='let the engine load what MuJoCo has compiled, as a binary model')
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

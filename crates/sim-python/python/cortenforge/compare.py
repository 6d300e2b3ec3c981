"""Compares a model in this engine and in the installed MuJoCo, and prints a table.

    python -m cortenforge.compare MODEL [MODEL ...]

Every array of the compiled model is compared, and, from states along a rollout of MuJoCo, every
field of the data after `mj_forward` and after one `mj_step`, and what `mj_inverse` gives. Errors are
scaled: that of a data field by its largest number, or by one if that is smaller. The exit status is
1 if anything differs by more than the limit.
"""

import argparse
import json
import pathlib
import sys
import warnings

import cortenforge
import numpy as np

REFERENCE = '3.5.0'

STAGES = {'arrays': 'model', 'forward': 'forward', 'step': 'step', 'inverse': 'inverse'}

# groups of fields by how their names begin; the longest beginning counts
MODEL_GROUPS = {
    'sizes': ('n',),
    'options': ('opt.', 'stat.', 'vis.'),
    'bodies': ('body_', 'bvh_', 'oct_', 'tree_'),
    'joints': ('jnt_', 'dof_', 'qpos'),
    'mass matrix': ('M_', 'B_', 'D_', 'map'),
    'geoms and sites': ('geom_', 'site_'),
    'cameras and lights': ('cam_', 'light_'),
    'assets': ('mesh_', 'skin_', 'hfield_', 'tex_', 'mat_', 'flex', 'paths'),
    'constraints': ('pair_', 'exclude_', 'eq_'),
    'tendons': ('tendon_', 'wrap_'),
    'actuators': ('actuator_',),
    'sensors': ('sensor_',),
    'keyframes': ('key_',),
    'custom': ('plugin', 'numeric_', 'text_', 'tuple_'),
    'names': ('name',),
}
DATA_GROUPS = {
    'state': ('qpos', 'qvel', 'time', 'act', 'ctrl', 'userdata', 'eq_active', 'mocap', 'plugin'),
    'poses': ('x', 'geom_', 'site_', 'cam_', 'light_', 'subtree_com', 'cdof', 'flex', 'bvh'),
    'tendons': ('ten_', 'wrap_'),
    'inertia': ('M', 'crb', 'q', 'cinert'),
    'contacts': ('contact.', 'ncon'),
    'constraint rows': ('efc_', 'n', 'tendon_efcadr'),
    'islands and sleep': ('island_', 'map_', 'i', 'tree_', 'dof_', 'efc_island', 'body_awake',
                          'parent_awake', 'nisland', 'nidof', 'ntree_', 'nbody_', 'nparent_',
                          'nv_'),
    'velocities': ('cvel', 'cdof_dot', 'subtree_'),
    'actuators': ('actuator_', 'moment', 'act_dot'),
    'forces': ('qfrc', 'qacc', 'xfrc', 'cacc', 'cfrc'),
    'solver': ('solver',),
    'sensors': ('sensordata', 'history'),
    'energy and warnings': ('energy', 'warning', 'flg_', 'maxuse'),
}


class Problem(Exception):
  """Why there is no comparison."""


def in_groups(stage, errors):
  """Errors and names of fields by group, in the order of the groups."""
  groups = MODEL_GROUPS if stage == 'arrays' else DATA_GROUPS
  found = {group: [] for group in groups} | {'others': []}
  for name, error in errors.items():
    fits = [(len(start), group) for group, starts in groups.items() for start in starts
            if name.startswith(start)]
    found[max(fits, default=(0, 'others'))[1]].append((error, name))
  return {group: sorted(fields, key=lambda field: (-field[0], field[1]))
          for group, fields in found.items() if fields}


def load_reference():
  """The reference's package."""
  try:
    import mujoco  # pylint: disable=import-outside-toplevel
  except ImportError as err:
    raise Problem(f'the package mujoco is needed: pip install mujoco=={REFERENCE}') from err
  if mujoco is cortenforge:
    raise Problem('mujoco is cortenforge in this process')
  if mujoco.__version__ != REFERENCE:
    raise Problem(f'the reference is MuJoCo {REFERENCE}, installed is {mujoco.__version__}: '
                  f'pip install mujoco=={REFERENCE}')
  return mujoco


def load(package, name, path):
  """A model in one of the engines."""
  try:
    with warnings.catch_warnings():
      warnings.simplefilter('ignore')
      return package.MjModel.from_xml_path(str(path))
  except ValueError as err:
    raise Problem(f'{name} does not load the model:\n{err}') from err


def compare(path, steps):
  """Compares a model: verdicts by stage, number of samples, and cases that rounding decides."""
  mujoco = load_reference()
  from cortenforge.conformance import comparison  # pylint: disable=import-outside-toplevel
  if not path.is_file():
    raise Problem('there is no such file')
  reference = load(mujoco, 'MuJoCo', path)
  ours = load(cortenforge, 'CortenForge', path)
  arrays, rounding = comparison.compare_models(ours, reference), []
  why = comparison.ranges_decided_by_rounding(mujoco, path, reference, arrays,
                                              np.random.default_rng(0))
  if why:
    rounding.append(comparison.rounding_case(0, 'arrays', arrays, why))
  verdicts = {'arrays': arrays}
  sizes = ('nq', 'nv', 'na', 'nu', 'nbody', 'nmocap', 'nuserdata')
  if any(getattr(ours, size) != getattr(reference, size) for size in sizes):
    return ours, verdicts, 0, rounding
  along, found = comparison.compare_rollout(mujoco, cortenforge, ours, reference, steps, path.stem)
  return ours, verdicts | along, found['samples'], rounding + found['rounding']


def rows(verdicts, by_field):
  """The lines of the table: stage, group, number of fields, worst one, error, verdict."""
  from cortenforge.conformance.comparison import shown  # pylint: disable=import-outside-toplevel
  for stage, verdict in verdicts.items():
    for group, fields in in_groups(stage, verdict.errors).items():
      off = [field for field in fields if field[0] > 0]
      # one line for each field that is off, or one for all
      parts = [[field] for field in off] if by_field else []
      rest = fields[len(parts):]
      for part in [*parts, rest] if rest else parts:
        error, name = part[0]
        differ = sum(error > verdict.limit for error, _ in part)
        yield (STAGES[stage], group, str(len(part)), name if error else '',
               shown(error) if error else 'none', f'{differ} differ' if differ else 'same')


def print_table(header, lines, right=()):
  """Prints columns; those in `right` end under each other, and the first is not repeated."""
  lines = [header, *lines]
  widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
  before = None
  for line in lines:
    cells = [cell.rjust(width) if name in right else cell.ljust(width)
             for name, cell, width in zip(header, line, widths)]
    if line[0] == before:
      cells[0] = ' ' * widths[0]
    before = line[0]
    print('  ' + '  '.join(cells).rstrip())
  print()


def counted(number, noun, plural=None):
  return f'{number} {noun if number == 1 else plural or noun + "s"}'


def report(path, options):
  """Compares a model and prints the result. Returns its line in the summary of many models."""
  from cortenforge.conformance.comparison import shown  # pylint: disable=import-outside-toplevel
  model, verdicts, samples, rounding = compare(path, options.steps)
  limits = {STAGES[stage]: verdict.limit for stage, verdict in verdicts.items()}
  print(f'{path}: {counted(model.nbody - 1, "body", "bodies")}, {counted(model.nv, "dof")}, '
        f'{counted(model.ngeom, "geom")}')
  print(f'CortenForge {cortenforge.engine_version} and MuJoCo {REFERENCE}, from '
        f'{counted(samples, "state")} along {counted(options.steps, "step")}; errors are scaled, '
        'limits ' + ', '.join(f'{name} {limit:g}' for name, limit in limits.items()))
  print()
  print_table(('stage', 'group', 'fields', 'worst field', 'error', 'verdict'),
              rows(verdicts, options.fields), right=('fields', 'error'))
  for case in rounding:
    print(f'rounding: {case["field"]} at step {case["sample"]} ({STAGES[case["stage"]]}); MuJoCo '
          f'differs from itself as much when its state changes in the last bit: '
          f'{case["reference"]}')
  fields = sum(len(verdict.errors) for verdict in verdicts.values())
  differ = sum(len(verdict.failed) for verdict in verdicts.values())
  if len(verdicts) < len(STAGES):
    result = 'different sizes'
  else:
    result = f'{differ} differ' if differ else 'same'
  print(f'{result}: {fields} fields were compared\n', flush=True)
  name, error = max((verdict.worst for verdict in verdicts.values()), key=lambda worst: worst[1])
  return path.name, str(fields), name, shown(error) if error else 'none', result


def reported(path, options):
  """Like `report`; where there is no comparison, says why."""
  try:
    return report(path, options)
  except Problem as problem:
    print(f'{path}: {problem}\n', file=sys.stderr, flush=True)
    return path.name, '', '', '', 'not compared'


def as_json(path, options):
  """The comparison of a model for programs."""
  try:
    _, verdicts, samples, rounding = compare(path, options.steps)
  except Problem as problem:
    return {'model': str(path), 'verdict': 'not compared', 'message': str(problem)}
  stages = {STAGES[stage]: {'fields': len(verdict.errors), 'differ': sorted(verdict.failed),
                            'worst_field': verdict.worst[0], 'error': float(verdict.worst[1]),
                            'limit': verdict.limit} for stage, verdict in verdicts.items()}
  differ = sum(len(stage['differ']) for stage in stages.values())
  complete = len(verdicts) == len(STAGES)
  return {'model': str(path), 'engine': cortenforge.engine_version, 'reference': REFERENCE,
          'states': samples, 'fields': sum(stage['fields'] for stage in stages.values()), 'stages': stages,
          'decided_by_rounding': len(rounding),
          'verdict': 'different sizes' if not complete else 'differ' if differ else 'same'}


def main(arguments=None):
  """Runs the command; returns its exit status."""
  parser = argparse.ArgumentParser(prog='cortenforge.compare', description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='+', type=pathlib.Path, metavar='MODEL')
  parser.add_argument('--steps', type=int, default=100, help='length of the rollout')
  parser.add_argument('--fields', action='store_true', help='show every field that is off at all')
  parser.add_argument('--json', action='store_true', help='print a list with an object for each model')
  options = parser.parse_args(arguments)
  if options.json:
    results = [as_json(path, options) for path in options.models]
    print(json.dumps(results, indent=2))
    return 0 if all(result['verdict'] == 'same' for result in results) else 1
  results = [reported(path, options) for path in options.models]
  if len(results) > 1:
    print_table(('model', 'fields', 'worst field', 'error', 'verdict'), results,
                right=('fields', 'error'))
  return 0 if all(verdict == 'same' for *_, verdict in results) else 1


if __name__ == '__main__':
  sys.exit(main())

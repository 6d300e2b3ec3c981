#!/usr/bin/env python3
"""Writes the reference pages from the tables that the fields, enums and functions come from.

  python docs/reference.py --write    writes docs/fields/*.md and docs/functions.md
  python docs/reference.py --check    exits with 1 if a page is not up to date
"""

import argparse
import inspect
import itertools
import pathlib
import sys

import cortenforge
import mujoco

DOCS = pathlib.Path(__file__).parent
NOTE = '<!-- written by reference.py: `make docs` -->'
RUST = {'MjModel': 'Model', 'MjData': 'Data', 'MjContact': 'Contact', 'MjOption': 'Options',
        'MjStatistic': 'Statistic', 'MjWarningStat': 'WarningStat', 'MjTimerStat': 'TimerStat',
        'MjSolverStat': 'SolverStat'}


def page(title, *parts):
  return '\n\n'.join([f'# {title}', NOTE, *parts]) + '\n'


def table(heads, rows):
  lines = ['| ' + ' | '.join(heads) + ' |', '|' + '---|' * len(heads)]
  return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows])


def cell(text):
  return ' '.join(text.split()).replace('|', '\\|')


def fields(rows, owner):
  """A table of fields; those that are not computed yet are marked."""
  lines = []
  for name, kind, dims, doc, writable in rows:
    notes = [] if writable or (kind == 'int' and not dims) else ['read-only']
    notes += ['not computed yet'] if name in cortenforge.uncomputed_fields and owner else []
    shape = f'({", ".join(dims)}{"," if len(dims) == 1 else ""})' if dims else ''
    mark = f' *{", ".join(notes)}*' if notes else ''
    lines.append([f'`{name}`', kind, shape, cell(doc) + mark])
  return table(['field', 'type', 'shape', 'meaning'], lines)


def prefix(row):
  """What the fields of a model are grouped by."""
  name = row[0]
  if not row[2] and name.startswith('n'):
    return 'sizes'
  return name.split('_')[0] if '_' in name else 'other'


def model_page(rows):
  counts = {}
  for row in rows:
    counts[prefix(row)] = counts.get(prefix(row), 0) + 1
  groups = {}
  for key, group in itertools.groupby(rows, prefix):
    title = key if counts[key] > 2 or key == 'sizes' else 'other'
    groups.setdefault(title, []).extend(group)
  groups['other'] = groups.pop('other', [])
  titles = {key: key if key in ('sizes', 'other') else f'`{key}_…`' for key in groups}
  parts = [f'## {titles[key]}\n\n{fields(group, True)}' for key, group in groups.items()]
  return page('Fields of a model', f'`MjModel` in Python, `Model` in Rust: {len(rows)} fields with the '
              'names, types and shapes of MuJoCo 3.5.0. Options, statistics and visual settings are on '
              '[their own page](records.md).', *parts)


def data_page(rows):
  return page('Fields of the data', f'`MjData` in Python, `Data` in Rust: {len(rows)} fields with the '
              'names, types and shapes of MuJoCo 3.5.0. Contacts, warnings and statistics of the solver '
              'are [records](records.md).', fields(rows, True))


def records_page(structs):
  parts = []
  for name, rows in structs.items():
    if name not in ('MjModel', 'MjData'):
      rust = f', `{RUST[name]}` in Rust' if name in RUST else ''
      parts.append(f'## {name}\n\n`{name}` in Python{rust}.\n\n{fields(rows, False)}')
  return page('Options, contacts and other records', *parts)


def enums_page(enums):
  parts = []
  for name, doc, members in enums:
    rows = [[f'`{member}`', str(value)] for member, value in members]
    parts.append(f'## {name}\n\n{cell(doc)}\n\n' + table(['member', 'value'], rows))
  return page('Enums', 'Names and numbers are those of MuJoCo 3.5.0.', *parts)


def functions_page():
  def those(module):
    return {name for name in dir(module)
            if name.startswith(('mj_', 'mju_', 'mjd_'))}

  here, there = those(cortenforge), those(mujoco)
  rows = []
  for name in sorted(here):
    function = getattr(cortenforge, name)
    doc = cell((function.__doc__ or '').split('\n\n')[0])
    rows.append([f'`{name}{inspect.signature(function)}`', doc])
  missing = sorted(there - here)
  return page('Functions in Python',
              f'{len(here & there)} of the {len(here & there) + len(missing)} functions of the package '
              '`mujoco` 3.5.0 that are not about rendering. In Rust they are functions and methods without the prefix; '
              'the search of the Rust documentation finds them by these names.',
              table(['function', 'what it does'], rows),
              '## Not there yet\n\n' + ', '.join(f'`{name}`' for name in missing) + '.')


def pages():
  tables = cortenforge._native._tables()  # pylint: disable=protected-access
  structs = tables['structs']
  return {
      'fields/model.md': model_page(structs['MjModel']),
      'fields/data.md': data_page(structs['MjData']),
      'fields/records.md': records_page(structs),
      'fields/enums.md': enums_page(cortenforge._native._enums),  # pylint: disable=protected-access
      'functions.md': functions_page(),
  }


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  choice = parser.add_mutually_exclusive_group(required=True)
  choice.add_argument('--write', action='store_true')
  choice.add_argument('--check', action='store_true')
  options = parser.parse_args()
  for name, text in pages().items():
    path = DOCS / name
    if options.write:
      path.parent.mkdir(exist_ok=True)
      path.write_text(text)
    elif not path.exists() or path.read_text() != text:
      sys.exit(f'docs/{name} is not up to date: run `make docs`')


if __name__ == '__main__':
  main()

"""Markdown tables that are measured rather than written, and where they stand in documents.

A document has a place for a table called `name` between two comments:

    <!-- name: written by `make …` -->
    <!-- /name -->
"""

import datetime
import pathlib
import platform
import re


def table(heads, rows):
  """A table; columns after the first are numbers, aligned to the right."""
  lines = ['| ' + ' | '.join(heads) + ' |', '|---|' + '---:|' * (len(heads) - 1)]
  return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rows])


def write(path, name, text):
  """Puts `text` into the place called `name` of a document."""
  document = pathlib.Path(path).read_text()
  place = re.compile(rf'(<!-- {name}:[^>]*-->\n).*?(<!-- /{name} -->)', re.DOTALL)
  changed, count = place.subn(lambda m: f'{m[1]}\n{text}\n\n{m[2]}', document)
  if count != 1:
    raise SystemExit(f'{path}: {count} places for the table "{name}"')
  pathlib.Path(path).write_text(changed)


def today():
  return datetime.date.today().isoformat()


def machine():
  """The type of the machine: processor, cores and system."""
  model, cores = platform.machine(), 0
  try:
    for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines():
      if line.startswith('model name'):
        model, cores = line.split(':', 1)[1].strip(), cores + 1
  except OSError:
    pass
  return ', '.join([re.sub(r'\((R|TM)\)', '', model), *([f'{cores} cores'] if cores else []),
                    platform.system()])

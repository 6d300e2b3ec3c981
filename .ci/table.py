#!/usr/bin/env python3
"""Runs the steps of `make test`, and ends it with one table of what ran and passed.

    .ci/table.py clear
    .ci/table.py run NAME COMMAND ...
    .ci/table.py show
"""

import json
import pathlib
import re
import subprocess
import sys
import time

FILE = pathlib.Path('target/test-table.jsonl')
# what tools say about the tests that they ran
PASSED = re.compile(r'(\d+) passed')
FAILED = re.compile(r'(\d+) failed')


def run(name, command):
  """Runs a command, passing on what it prints, and takes note of what came of it."""
  start, passed, failed, last = time.time(), 0, 0, ''
  process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
  for line in process.stdout:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
    text = line.decode(errors='replace').strip()
    passed += sum(map(int, PASSED.findall(text)))
    failed += sum(map(int, FAILED.findall(text)))
    last = text or last
  status = process.wait()
  row = {'name': name, 'status': status, 'seconds': time.time() - start, 'passed': passed,
         'failed': failed, 'last': last}
  FILE.parent.mkdir(exist_ok=True)
  with FILE.open('a') as file:
    file.write(json.dumps(row) + '\n')
  return status


def show():
  """Prints the table."""
  rows = [json.loads(line) for line in FILE.read_text().splitlines()] if FILE.exists() else []
  lines = [('step', 'result', 'tests', 'time', '')]
  for row in rows:
    tests = f"{row['passed']:,} passed" if row['passed'] else ''
    if row['failed']:
      tests += f", {row['failed']:,} failed"
    note = '' if row['passed'] and not row['status'] else row['last'][:60]
    minutes, seconds = divmod(round(row['seconds']), 60)
    lines.append((row['name'], 'FAILED' if row['status'] else 'ok', tests, f'{minutes}:{seconds:02}', note))
  total = sum(row['seconds'] for row in rows)
  minutes, seconds = divmod(round(total), 60)
  failed = sum(bool(row['status']) for row in rows)
  lines.append(('all', f'{failed} FAILED' if failed else 'ok', f"{sum(row['passed'] for row in rows):,} passed",
                f'{minutes}:{seconds:02}', ''))
  widths = [max(len(line[i]) for line in lines) for i in range(5)]
  print()
  for i, line in enumerate(lines):
    print('  '.join(cell.rjust(width) if j == 3 else cell.ljust(width)
                    for j, (cell, width) in enumerate(zip(line, widths))).rstrip())
    if i == 0 or i == len(lines) - 2:
      print('  '.join('-' * width for width in widths[:4]))
  return failed


def main():
  match sys.argv[1:]:
    case ['clear']:
      FILE.unlink(missing_ok=True)
    case ['run', name, *command] if command:
      sys.exit(run(name, command))
    case ['show']:
      sys.exit(1 if show() else 0)
    case _:
      sys.exit(__doc__)


if __name__ == '__main__':
  main()

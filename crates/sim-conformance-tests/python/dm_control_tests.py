#!/usr/bin/env python3
"""Runs the tests of dm_control, unmodified, on one or both engines, file by file.

    dm_control_tests.py [FILES ...] [--engines mujoco cortenforge] [--json FILE]

Files are paths in the package, such as mjcf/physics_test.py; all of them by default. Each runs in a
process of its own under pytest, without a display. Prints how many tests pass on each engine, and
the first line of each test that passes on MuJoCo only. Needs dm_control and pytest in the environment
of the interpreter.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

TIMEOUT = 600


def package():
  return pathlib.Path(importlib.util.find_spec('dm_control').origin).parent


def run(file, engine):
  """The outcome of each test of a file: an empty text if it passes, why not otherwise."""
  environment = dict(os.environ, MUJOCO_GL=os.environ.get('MUJOCO_GL', 'disabled'))
  # before pytest, which puts the folder of the real package first
  install = 'import cortenforge; cortenforge.install_as_mujoco(); ' if engine == 'cortenforge' else ''
  main = f'{install}import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))'
  with tempfile.TemporaryDirectory() as folder:
    report = pathlib.Path(folder, 'report.xml')
    command = [sys.executable, '-W', 'ignore', '-c', main, '-q', '-p', 'no:cacheprovider',
               '-p', 'no:warnings', f'--junitxml={report}', str(package() / file)]
    try:
      subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
      return {'(whole file)': f'no end after {TIMEOUT} seconds'}
    if not report.exists():
      return {'(whole file)': 'the process ended early'}
    outcomes = {}
    for case in xml.etree.ElementTree.parse(report).getroot().iter('testcase'):
      fault = next((child for child in case if child.tag in ('failure', 'error', 'skipped')), None)
      name = f'{case.get("classname", "").rsplit(".", 1)[-1]}.{case.get("name")}'
      text = '' if fault is None else fault.get('message', '').strip().splitlines()[:1]
      outcomes[name] = text if fault is None else f'{fault.tag}: {(text or [""])[0]}'
    return outcomes


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('files', nargs='*')
  parser.add_argument('--engines', nargs='*', default=['mujoco', 'cortenforge'])
  parser.add_argument('--json', type=pathlib.Path, help='read outcomes from this file and add to them')
  options = parser.parse_args()
  files = options.files or sorted(str(p.relative_to(package())) for p in package().rglob('*_test.py'))
  found = json.loads(options.json.read_text()) if options.json and options.json.exists() else {}
  print(f'{"file":<56}{"tests":>7}{"MuJoCo":>8}{"CortenForge":>13}')
  sums = [0, 0, 0]
  for file in files:
    for engine in options.engines:
      found.setdefault(engine, {})[file] = run(file, engine)
    if options.json:
      options.json.write_text(json.dumps(found))
    theirs, ours = (found.get(engine, {}).get(file, {}) for engine in ('mujoco', 'cortenforge'))
    counts = [len(theirs or ours), *(sum(not why for why in tests.values()) for tests in (theirs, ours))]
    sums = [a + b for a, b in zip(sums, counts)]
    print(f'{file:<56}{counts[0]:>7}{counts[1]:>8}{counts[2]:>13}', flush=True)
    if ours:
      lost = [name for name, why in theirs.items() if not why and ours.get(name, 'is not there')]
      for name in lost[:3]:
        print(f'    {name}: {ours.get(name, ours.get("(whole file)", "is not there"))[:160]}', flush=True)
      if len(lost) > 3:
        print(f'    and {len(lost) - 3} more')
  print(f'{"sum":<56}{sums[0]:>7}{sums[1]:>8}{sums[2]:>13}')


if __name__ == '__main__':
  main()

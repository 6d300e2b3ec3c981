"""Runs the tests of MuJoCo's own Python package, unmodified, on CortenForge.

The tests come from the wheel of `mujoco` that is installed beside; each file runs in a process of its
own. Prints how many pass, fail and are skipped by file, and the first line of each failure.

  python mujoco_tests.py [names ...] [--engine mujoco] [--json file] [--at-least count]
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

FILES = ('bindings_test', 'rollout_test', 'specs_test', 'minimize_test', 'memory_leak_test',
         'msh2obj_test', 'render_test', 'renderer_test', 'viewer_test', 'introspect.ast_nodes_test',
         'introspect.enums_test', 'introspect.functions_test', 'introspect.structs_test',
         'introspect.type_parsing_test')
TIMEOUT = 600


def wheel():
  """The folder of the package `mujoco` that is installed."""
  files = importlib.metadata.files('mujoco')
  return pathlib.Path(next(f for f in files if f.name == 'bindings_test.py').locate()).parent


class Record(unittest.TestResult):
  """Counts tests by outcome, and remembers why they fail."""

  def __init__(self):
    super().__init__()
    self.passed, self.reasons = [], {}

  def addSuccess(self, test):
    self.passed.append(test.id().rsplit('.', 1)[-1])

  def fail(self, test, error):
    text = f'{error[0].__name__}: {error[1]}'.strip().splitlines()[0]
    self.reasons[test.id().rsplit('.', 1)[-1]] = text

  def addError(self, test, error):
    self.fail(test, error)

  def addFailure(self, test, error):
    self.fail(test, error)

  def addSubTest(self, test, subtest, error):
    if error:
      self.fail(test, error)


def run_file(name, engine):
  """Runs the tests of one file in this process and prints the outcome as JSON."""
  if engine == 'cortenforge':
    import cortenforge
    cortenforge.install_as_mujoco()
  from absl import flags
  flags.FLAGS([sys.argv[0]])
  path = wheel().joinpath(*name.split('.')).with_suffix('.py')
  # as part of the package, since some import what is beside them
  full = f'mujoco.{name}'
  importlib.import_module(full.rpartition('.')[0])
  spec = importlib.util.spec_from_file_location(full, path)
  module = importlib.util.module_from_spec(spec)
  sys.modules[full] = module
  spec.loader.exec_module(module)
  suite = unittest.defaultTestLoader.loadTestsFromModule(module)
  record = Record()
  suite.run(record)
  return {'total': suite.countTestCases(), 'passed': len(record.passed),
          'skipped': len(record.skipped), 'failed': record.reasons}


def in_child(name, engine):
  """Runs the tests of one file in a process of its own."""
  with tempfile.TemporaryDirectory() as folder:
    result = pathlib.Path(folder, 'result.json')
    command = [sys.executable, __file__, name, '--engine', engine, '--child', str(result)]
    try:
      done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT,
                            check=False)
      text = done.stderr.strip().splitlines()[-1:] or [f'exit code {done.returncode}']
    except subprocess.TimeoutExpired:
      text = [f'no end after {TIMEOUT} seconds']
    if result.exists():
      return json.loads(result.read_text())
  return {'total': 0, 'passed': 0, 'skipped': 0, 'failed': {'(whole file)': text[0]}}


def beside_package(engine):
  """Shows the files that tests load to the package under test; returns how to take them away."""
  if engine != 'cortenforge':
    return lambda: None
  import cortenforge
  link = pathlib.Path(cortenforge.__file__).parent / 'testdata'
  if link.exists():
    return lambda: None
  link.symlink_to(wheel() / 'testdata')
  return link.unlink


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
  parser.add_argument('names', nargs='*', default=FILES)
  parser.add_argument('--engine', choices=('cortenforge', 'mujoco'), default='cortenforge')
  parser.add_argument('--json', help='write all outcomes to this file')
  parser.add_argument('--at-least', type=int, default=0, help='fail if fewer tests pass')
  parser.add_argument('--child', help=argparse.SUPPRESS)
  arguments = parser.parse_args()
  if arguments.child:
    outcome = run_file(arguments.names[0], arguments.engine)
    pathlib.Path(arguments.child).write_text(json.dumps(outcome))
    # whatever threads the tests have left
    os._exit(0)

  restore = beside_package(arguments.engine)
  try:
    outcomes = {name: in_child(name, arguments.engine) for name in arguments.names or FILES}
  finally:
    restore()
  print(f'{"file":<32}{"passed":>8}{"failed":>8}{"skipped":>8}')
  for name, outcome in outcomes.items():
    print(f'{name:<32}{outcome["passed"]:>8}{len(outcome["failed"]):>8}{outcome["skipped"]:>8}')
  sums = [sum(o['passed'] for o in outcomes.values()), sum(len(o['failed']) for o in outcomes.values()),
          sum(o['skipped'] for o in outcomes.values())]
  print(f'{"sum":<32}' + ''.join(f'{count:>8}' for count in sums))
  for name, outcome in outcomes.items():
    for test, reason in outcome['failed'].items():
      print(f'{name}.{test}: {reason[:160]}')
  if arguments.json:
    pathlib.Path(arguments.json).write_text(json.dumps(outcomes, indent=1))
  if sums[0] < arguments.at_least:
    sys.exit(f'{sums[0]} tests pass, {arguments.at_least} should')


if __name__ == '__main__':
  main()

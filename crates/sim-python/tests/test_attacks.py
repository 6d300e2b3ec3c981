"""A short campaign of attacks, with the same seed each time; `make attack` runs a long one."""

import pathlib
import subprocess
import sys

from conftest import PATIENCE

ATTACK = pathlib.Path(__file__).parents[2] / 'sim-conformance-tests' / 'python' / 'attack.py'


def test_no_attack_brings_it_down():
  done = subprocess.run([sys.executable, str(ATTACK), '--count', '40', '--seed', '7'],
                        capture_output=True, text=True, timeout=1200 * PATIENCE, check=False)
  assert done.returncode == 0, done.stdout + done.stderr
  assert ' 0 findings' in done.stdout

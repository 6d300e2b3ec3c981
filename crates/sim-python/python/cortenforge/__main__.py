"""The command ``cortenforge``: all that ``cortenforge --help`` tells of.

  python -m cortenforge demo
"""

import os
import sys

from cortenforge import _native


def main():
  """Runs the command with the arguments of the process; ends it with the exit status."""
  # the comparison with MuJoCo runs in this Python
  os.environ.setdefault('PYTHON', sys.executable)
  sys.stdout.flush()
  sys.exit(_native._command(['cortenforge', *sys.argv[1:]]))


if __name__ == '__main__':
  main()

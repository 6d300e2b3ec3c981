"""Runs a program on CortenForge that imports ``mujoco``, without changing it.

  python -m cortenforge.as_mujoco script.py [arguments ...]
  python -m cortenforge.as_mujoco -m module [arguments ...]
"""

import os
import runpy
import sys

import cortenforge

# what the interpreter has put first for this program itself
OWN = sys.path[0]


def main():
  arguments = sys.argv[1:]
  is_module = arguments[:1] == ['-m']
  if is_module:
    del arguments[0]
  if not arguments or arguments[0] in ('-h', '--help'):
    print(__doc__.strip())
    sys.exit(0 if arguments else 2)

  cortenforge.install_as_mujoco()
  sys.argv[:] = arguments
  # as python itself does; what stands for mujoco in child processes comes first
  first = sys.path.index(OWN) if OWN in sys.path else 0
  if is_module:
    sys.path[first] = os.getcwd()
    runpy.run_module(arguments[0], run_name='__main__', alter_sys=True)
  else:
    sys.path[first] = os.path.dirname(os.path.abspath(arguments[0]))
    runpy.run_path(arguments[0], run_name='__main__')


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Builds the wheel of the Python package: for x86-64 with two native modules, one for any processor and
one for processors with AVX2 (x86-64-v3).

    packaging/wheel.py [--out DIR] [--target TRIPLE] [options of maturin ...]

The module for x86-64-v3 is put into `python/cortenforge/_v3`, from where maturin takes it into the
wheel; the one that maturin builds itself is for any processor. Needs maturin in the same Python.
"""

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / 'crates' / 'sim-python'
SECOND = PACKAGE / 'python' / 'cortenforge' / '_v3'


def built(target_dir, triple, cpu, python):
  """Builds the native module for a processor, and returns its file."""
  flags = f'-Ctarget-cpu={cpu}'
  if 'apple' in triple or sys.platform == 'darwin':
    flags += ' -Clink-arg=-undefined -Clink-arg=dynamic_lookup'
  command = ['cargo', 'build', '--release', '--package', 'sim-python', '--lib', '--target-dir', str(target_dir)]
  command += ['--target', triple] if triple else []
  subprocess.run(command, cwd=ROOT, check=True,
                 env={**os.environ, 'RUSTFLAGS': flags, 'PYO3_PYTHON': python})
  folder = target_dir / triple / 'release' if triple else target_dir / 'release'
  for name in ('lib_native.so', 'lib_native.dylib', '_native.dll'):
    if (folder / name).is_file():
      return folder / name
  raise SystemExit(f'no native module in {folder}')


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--out', default=str(ROOT / 'target' / 'wheels'))
  parser.add_argument('--target', default='', help='a target of rustc, where it is not this machine')
  parser.add_argument('--second-only', action='store_true',
                      help='only build the module for x86-64-v3, where maturin runs by itself')
  options, rest = parser.parse_known_args()
  x86 = options.target.startswith('x86_64') or (
      not options.target and platform.machine().lower() in ('x86_64', 'amd64'))

  shutil.rmtree(SECOND, ignore_errors=True)
  environment = dict(os.environ)
  if x86:
    module = built(ROOT / 'target' / 'v3', options.target, 'x86-64-v3', sys.executable)
    SECOND.mkdir()
    windows = module.suffix == '.dll'
    shutil.copy(module, SECOND / ('_native.pyd' if windows else '_native.abi3.so'))
    if not windows and sys.platform != 'darwin':
      subprocess.run(['strip', '--strip-debug', SECOND / '_native.abi3.so'], check=False)
    environment['RUSTFLAGS'] = '-Ctarget-cpu=x86-64'
  if options.second_only:
    return
  command = [sys.executable, '-m', 'maturin', 'build', '--release', '--manifest-path',
             str(PACKAGE / 'Cargo.toml'), '--out', options.out, *rest]
  command += ['--target', options.target] if options.target else []
  try:
    subprocess.run(command, cwd=ROOT, check=True, env=environment)
  finally:
    # an installation from the folder builds for the machine that it is on
    shutil.rmtree(SECOND, ignore_errors=True)


if __name__ == '__main__':
  main()

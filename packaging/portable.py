#!/usr/bin/env python3
"""Shows that the portable builds run on processors without AVX2 and on ARM, with the same bits.

    packaging/portable.py [--robots NAME ...]

Builds the command for x86-64-v3, for any x86-64 and for aarch64, runs every robot's task with each, the
latter two in an emulator (qemu-user, a Nehalem of 2008 and a Cortex-A53), and compares the trajectories
byte by byte. The build for x86-64-v3 must say in words what it needs, where the processor lacks it.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ROBOTS = ('quadruped', 'arm', 'hand', 'cartpole', 'walker', 'humanoid', 'marionette')


def build(name, target, flags):
  """Builds the command in a folder of its own."""
  folder = ROOT / 'target' / 'portable' / name
  environment = {**os.environ, 'RUSTFLAGS': flags, 'CARGO_PROFILE_RELEASE_LTO': 'off',
                 'CARGO_PROFILE_RELEASE_CODEGEN_UNITS': '16', 'CARGO_PROFILE_RELEASE_DEBUG': '0',
                 'CARGO_PROFILE_RELEASE_OPT_LEVEL': os.environ.get('PORTABLE_OPT', '2'),
                 'CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER': 'aarch64-linux-gnu-gcc',
                 'CORTENFORGE_QUIET': '1'}
  subprocess.run(['cargo', 'build', '--release', '--quiet', '--package', 'cortenforge-cli', '--target', target,
                  '--target-dir', str(folder)], cwd=ROOT, check=True, env=environment)
  return folder / target / 'release' / 'cortenforge'


def trajectory(command, robot, seconds, folder):
  """The hash of all states and sensor values of a task."""
  path = folder / f'{robot}.npz'
  done = subprocess.run([*command, 'simulate', robot, '--time', str(seconds), '--output', str(path)],
                        capture_output=True, text=True, check=False)
  if done.returncode:
    return f'exit {done.returncode}: {done.stderr.strip()[-200:]}'
  return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--robots', nargs='+', default=ROBOTS)
  parser.add_argument('--seconds', type=float, default=2)
  options = parser.parse_args()
  if platform.machine() != 'x86_64':
    sys.exit('this comparison starts from x86-64')
  here = 'x86_64-unknown-linux-gnu'
  fast = build('v3', here, '-Ctarget-cpu=x86-64-v3')
  plain = build('baseline', here, '-Ctarget-cpu=x86-64')
  commands = {'x86-64-v3': [fast], 'x86-64': [plain]}
  old = ['qemu-x86_64', '-cpu', 'Nehalem']
  if shutil.which(old[0]):
    commands['x86-64 on a Nehalem'] = [*old, plain]
    done = subprocess.run([*old, fast, 'demo', '--quiet'], capture_output=True, text=True, check=False)
    print(f'x86-64-v3 on a Nehalem: exit {done.returncode}\n{done.stderr.strip()}\n')
    if 'AVX2' not in done.stderr:
      sys.exit('the build for x86-64-v3 should say that it needs AVX2')
  if shutil.which('qemu-aarch64') and shutil.which('aarch64-linux-gnu-gcc'):
    arm = build('aarch64', 'aarch64-unknown-linux-gnu', '')
    commands['aarch64 on a Cortex-A53'] = ['qemu-aarch64', '-cpu', 'cortex-a53', '-L', '/usr/aarch64-linux-gnu', arm]
  if len(commands) < 4:
    print('without qemu-user and aarch64-linux-gnu-gcc not all processors can be emulated\n')

  failed = False
  with tempfile.TemporaryDirectory() as folder:
    for robot in options.robots:
      hashes = {name: trajectory(command, robot, options.seconds, pathlib.Path(folder))
                for name, command in commands.items()}
      same = len(set(hashes.values())) == 1 and not any(h.startswith('exit') for h in hashes.values())
      failed |= not same
      print(f'{robot:<12} {"same bits" if same else "DIFFERENT"}  ' +
            ('  '.join(f'{name} {value}' for name, value in hashes.items()) if not same else
             f'{hashes["x86-64"]}  ({len(hashes)} builds and processors)'), flush=True)
  sys.exit(1 if failed else 0)


if __name__ == '__main__':
  main()

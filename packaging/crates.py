#!/usr/bin/env python3
"""Packages the public crates, and builds each from its package.

    packaging/crates.py [options of cargo package ...]

The manifests say `publish = false`, so that nobody publishes by accident; cargo then leaves the crates out of
the index that it makes of packages for each other. A copy of the tree says otherwise, and is packaged.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COPY = ROOT / 'target' / 'packages'
PUBLIC = ('sim-core', 'sim-mjcf', 'sim-render', 'sim-viewer', 'cortenforge', 'cortenforge-cli')


def main():
  for entry in ('crates', 'Cargo.toml', 'Cargo.lock', 'README.md', 'LICENSE-MIT', 'LICENSE-APACHE', 'NOTICE'):
    source, target = ROOT / entry, COPY / entry
    if source.is_dir():
      shutil.rmtree(target, ignore_errors=True)
      shutil.copytree(source, target, ignore=shutil.ignore_patterns('*.so', 'golden', '__pycache__'))
    else:
      COPY.mkdir(parents=True, exist_ok=True)
      shutil.copy(source, target)
  manifest = COPY / 'Cargo.toml'
  manifest.write_text(re.sub(r'^publish = false', 'publish = true', manifest.read_text(), flags=re.MULTILINE))
  command = ['cargo', 'package', '--allow-dirty', *(f'--package={name}' for name in PUBLIC), *sys.argv[1:]]
  subprocess.run(command, cwd=COPY, check=True)
  for crate in sorted((COPY / 'target' / 'package').glob('*.crate')):
    print(f'{crate.stat().st_size // 1000:6} kB  {crate.relative_to(ROOT)}')


if __name__ == '__main__':
  main()

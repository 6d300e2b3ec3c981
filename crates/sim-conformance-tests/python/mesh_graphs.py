#!/usr/bin/env python3
"""Compiles every mesh file below some folders, and compares what becomes of it with MuJoCo.

    mesh_graphs.py FOLDER [FOLDER ...] [--module cortenforge] [--limit BYTES] [--maxhullvert N]

A file is STL, OBJ or MSH, of a folder or of an archive in it (.whl, .zip); files with the same bytes
count once. Each is the mesh of a geom that collides, so it gets a convex hull. Compared are all
arrays of the model that belong to meshes, bit for bit; `mesh_graph` is counted by itself. A file that MuJoCo
refuses has to be refused, too.
"""

import argparse
import collections
import hashlib
import pathlib
import sys
import zipfile

import mujoco
import numpy as np

KINDS = ('.stl', '.obj', '.msh')
ARRAYS = ('geom_pos', 'geom_quat', 'geom_size', 'geom_rbound', 'geom_aabb', 'body_mass',
          'body_inertia', 'bvh_aabb', 'bvh_child', 'bvh_depth', 'bvh_nodeid')


def files(folders):
  """Names and bytes of mesh files, those inside archives included."""
  for folder in folders:
    paths = [folder] if folder.is_file() else sorted(p for p in folder.rglob('*') if p.is_file())
    for path in paths:
      if path.suffix.lower() in KINDS:
        yield str(path), path.read_bytes()
      elif path.suffix.lower() in ('.whl', '.zip'):
        with zipfile.ZipFile(path) as archive:
          for name in sorted(archive.namelist()):
            if pathlib.PurePath(name).suffix.lower() in KINDS:
              yield f'{path}:{name}', archive.read(name)


def load(module, name, content, attributes):
  """The model with one geom of the mesh; None if it is refused."""
  xml = (f'<mujoco><asset><mesh name="mesh" file="{name}" {attributes}/></asset><worldbody>'
         '<geom type="mesh" mesh="mesh"/></worldbody></mujoco>')
  try:
    return module.MjModel.from_xml_string(xml, {name: content})
  except ValueError:
    return None


def differences(ours, theirs):
  """Names of the arrays that differ in any bit."""
  names = [n for n in dir(theirs) if n.startswith('mesh_') and n != 'mesh_pathadr'] + list(ARRAYS)
  return [n for n in names
          if np.asarray(getattr(ours, n)).tobytes() != np.asarray(getattr(theirs, n)).tobytes()]


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
  parser.add_argument('folders', nargs='+', type=pathlib.Path)
  parser.add_argument('--module', default='cortenforge')
  parser.add_argument('--limit', type=int, default=64 << 20, help='bytes of a file at most')
  parser.add_argument('--maxhullvert', type=int, default=-1)
  options = parser.parse_args()
  engine = __import__(options.module)
  attributes = f'maxhullvert="{options.maxhullvert}"' if options.maxhullvert > 3 else ''

  seen, result = set(), collections.Counter()
  for name, content in files(options.folders):
    result['files'] += 1
    key = hashlib.sha256(content).digest()
    if key in seen or len(content) > options.limit:
      continue
    seen.add(key)
    result['tried'] += 1
    # names are new every time: a file must not be found in a cache
    place = f'{len(seen)}{pathlib.PurePath(name).suffix.lower()}'
    theirs = load(mujoco, place, content, attributes)
    ours = load(engine, place, content, attributes)
    if theirs is None or ours is None:
      both = theirs is None and ours is None
      result['refused by both' if both else 'refused by one'] += 1
      if not both:
        print(f'{name}: refused by {"MuJoCo" if theirs is None else options.module} only', flush=True)
      continue
    differ = differences(ours, theirs)
    result['graph equal'] += 'mesh_graph' not in differ
    result['all equal'] += not differ
    if differ:
      print(f'{name}: {", ".join(differ)}', flush=True)
    if result['tried'] % 200 == 0:
      print(dict(result), flush=True)
  print(', '.join(f'{count} {what}' for what, count in result.items()))
  loaded = result['tried'] - result['refused by both']
  sys.exit(result['all equal'] != loaded)


if __name__ == '__main__':
  main()

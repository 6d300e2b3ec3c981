#!/usr/bin/env python3
"""Contacts, rays and distances of meshes and height fields, in many random poses, beside MuJoCo.

    mesh_poses.py [--count 10000] [--module cortenforge] [--pair mesh-mesh]

Both engines load the same binary model. Positions and orientations are written straight into the
arrays of the data before `mj_collision`, so that the inputs are exact. A row of the table is a pair
of types: poses, those with contacts (or met by rays, or apart), and poses in which number or numbers
differ by more than 1e-9. Where a pose differs, the reference is moved by a unit in the last place; if it then differs
from itself as much, rounding decides, and the pose is counted as such.
"""

import argparse
import collections
import os
import sys
import tempfile

import mujoco
import numpy as np

TOLERANCE = 1e-9
TRIALS = 20
SIZES = {'sphere': '.4', 'capsule': '.25 .4', 'ellipsoid': '.5 .3 .2', 'cylinder': '.3 .4',
         'box': '.4 .3 .2', 'plane': '2 2 1'}
OTHERS = ('sphere', 'capsule', 'ellipsoid', 'cylinder', 'box')
Pair = collections.namedtuple('Pair', 'first second flags')
PAIRS = (
    [Pair('plane', 'mesh', '')]
    + [Pair('hfield', second, '') for second in (*OTHERS, 'mesh')]
    + [Pair(first, 'mesh', '') for first in (*OTHERS, 'mesh')]
    + [Pair(first, 'mesh', 'multiccd') for first in ('capsule', 'cylinder', 'box', 'mesh')]
    + [Pair(first, second, 'no nativeccd')
       for first, second in (('hfield', 'mesh'), ('cylinder', 'mesh'), ('box', 'mesh'),
                             ('mesh', 'mesh'))]
    + [Pair('hfield', 'mesh', 'rays'), Pair('mesh', 'mesh', 'rays')]
    + [Pair(first, 'mesh', 'distance') for first in ('plane', *OTHERS, 'mesh')])
KINDS = ('random', 'aligned', 'margin')


def meshes(rng):
  """Vertices of meshes of our own: few and many, round and flat, a regular one of each kind."""
  corner = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
  angle = np.arange(16) * np.pi / 8
  ring = np.stack([np.cos(angle), np.sin(angle)], 1)
  ball = rng.normal(size=(120, 3))
  grid = np.array([[x, y, z] for x in range(5) for y in range(5) for z in range(2)], float)
  return {
      'cube': 0.3 * corner,
      'tetrahedron': 0.4 * np.array([[0, 0, 1], [1, 0, -.5], [-.5, .8, -.5], [-.5, -.8, -.5]]),
      'nine': np.vstack([0.3 * corner, [[0.0, 0.0, 0.6]]]),
      'drum': 0.35 * np.vstack([np.c_[ring, -np.ones(16)], np.c_[ring, np.ones(16)]]),
      'ball': 0.4 * ball / np.linalg.norm(ball, axis=1)[:, None],
      'plate': grid * [0.2, 0.2, 0.1],
      'stone': rng.normal(size=(60, 3)) * [0.3, 0.2, 0.1],
  }


def load(pair, rng):
  """The model with geoms `a` and `b`; mesh geoms in several sorts."""
  text = ''.join(f'<mesh name="{name}" vertex="{" ".join(f"{x:.6g}" for x in v.ravel())}"/>'
                 for name, v in meshes(rng).items())
  field = ' '.join(f'{x:.4f}' for x in rng.uniform(size=7 * 9))
  text += f'<hfield name="field" nrow="7" ncol="9" size="1 .8 .3 .1" elevation="{field}"/>'
  sorts = {'mesh': [f'type="mesh" mesh="{name}"' for name in meshes(rng)],
           'hfield': ['type="hfield" hfield="field"']}
  one = lambda kind: sorts.get(kind) or [f'type="{kind}" size="{SIZES[kind]}"']
  flags = {'multiccd': '<flag multiccd="enable"/>',
           'no nativeccd': '<flag nativeccd="disable"/>'}.get(pair.flags, '')
  geoms = [[f'<geom name="{side}{i}" {sort}/>' for i, sort in enumerate(one(kind))]
           for side, kind in zip('ab', pair)]
  pairs = ''.join(f'<pair geom1="a{i}" geom2="b{j}"/>' for i in range(len(geoms[0]))
                  for j in range(len(geoms[1])))
  model = mujoco.MjModel.from_xml_string(
      f'<mujoco><option>{flags}</option><asset>{text}</asset><default>'
      '<geom contype="0" conaffinity="0"/></default><worldbody>'
      f'{"".join(geoms[0])}<body mocap="true">{"".join(geoms[1])}</body></worldbody>'
      f'<contact>{pairs}</contact></mujoco>')
  return model, [len(g) for g in geoms]


def random_mat(rng, aligned):
  if aligned:
    mat = np.eye(3)[rng.permutation(3)] * rng.choice([-1.0, 1.0], 3)[:, None]
    return (mat * np.linalg.det(mat)).ravel() + 0.0
  quat, mat = rng.normal(size=4), np.empty(9)
  mujoco.mju_normalize4(quat)
  mujoco.mju_quat2Mat(mat, quat)
  return mat


def contacts(module, model, data, pose):
  """Rows of geoms, dist, position and frame."""
  data.geom_xpos[:], data.geom_xmat[:] = pose
  module.mj_collision(model, data)
  c = data.contact
  return np.hstack([c.geom, c.dist[:, None], c.pos, np.reshape(c.frame, (-1, 9))])


def agree(a, b):
  return a.shape == b.shape and np.all(np.abs(a - b) <= TOLERANCE * np.maximum(np.abs(b), 1.0))


def poses(rng, model, counts, count, kind):
  """Poses of the two geoms that are looked at; all others are far away."""
  first, second = rng.integers(counts[0]), counts[0] + rng.integers(counts[1])
  far = np.arange(model.ngeom)[:, None] * [1e3, 0, 0] + [1e4, 0, 0]
  mats = np.tile(np.eye(3).ravel(), (model.ngeom, 1))
  for _ in range(count):
    if rng.random() < 0.1:
      first, second = rng.integers(counts[0]), counts[0] + rng.integers(counts[1])
    pos, mat = far.copy(), mats.copy()
    pos[first] = rng.normal(size=3) * rng.choice([0.0, 1.0])
    mat[first], mat[second] = (random_mat(rng, kind == 'aligned') for _ in range(2))
    reach = model.geom_size[second].max() + 0.3
    offset = rng.uniform(-1, 1, 3)
    if model.geom_type[first] == mujoco.mjtGeom.mjGEOM_HFIELD:
      offset *= [1.1, 0.9, 0.5]
      offset = mat[first].reshape(3, 3) @ offset
    elif model.geom_type[first] == mujoco.mjtGeom.mjGEOM_PLANE:
      offset = mat[first].reshape(3, 3) @ (offset * [1, 1, reach])
    else:
      offset = offset / np.linalg.norm(offset) * reach * rng.uniform(0.0, 1.3)
      if kind == 'aligned':
        offset = np.round(offset, 1)
    pos[second] = pos[first] + offset
    yield pos, mat


def rays(module, model, data, pose, lines):
  """Rows of distance and normal of rays against all geoms, one by one and together."""
  data.geom_xpos[:], data.geom_xmat[:] = pose
  rows = []
  for origin, direction in lines:
    geom, normal = np.zeros(1, np.int32), np.zeros(3)
    distance = module.mj_ray(model, data, origin, direction, None, 1, -1, geom, normal)
    rows.append([distance, geom[0], *normal])
  return np.array(rows)


def distances(module, model, data, pose, geoms):
  """Distance and nearest points of two geoms."""
  data.geom_xpos[:], data.geom_xmat[:] = pose
  ends = np.zeros(6)
  distance = module.mj_geomDistance(model, data, *geoms, 2.0, ends)
  return np.array([[distance, *ends]])


def measured(pair):
  """Whether rays or distances are compared instead of contacts."""
  return pair.flags in ('rays', 'distance')


def answers(module, model, data, pose, pair, asked):
  if pair.flags == 'rays':
    return rays(module, model, data, pose, asked)
  if pair.flags == 'distance':
    return distances(module, model, data, pose, asked)
  return contacts(module, model, data, pose)


def question(rng, pair, pose):
  """Rays around the geoms, or the two geoms that are near."""
  near = np.flatnonzero(pose[0][:, 0] < 1e3)
  if pair.flags == 'distance':
    return [int(g) for g in (near if rng.random() < 0.5 else near[::-1])]
  center = pose[0][near[-1]]
  lines = []
  for _ in range(4):
    origin = center + rng.normal(size=3) * rng.choice([0.05, 1.0])
    target = center + rng.normal(size=3) * 0.2
    direction = np.eye(3)[rng.integers(3)] if rng.random() < 0.2 else target - origin
    lines.append((origin, direction * rng.choice([1.0, 0.3])))
  return lines


def compare(engine, pair, count, seed):
  rng = np.random.default_rng(seed)
  reference, counts = load(pair, rng)
  with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, 'model.mjb')
    mujoco.mj_saveModel(reference, path)
    ours = engine.MjModel.from_binary_path(path)
  theirs, mine = mujoco.MjData(reference), engine.MjData(ours)
  result = collections.Counter()
  worst = []
  for kind in KINDS:
    for model in (reference, ours):
      model.pair_margin[:] = 0.05 if kind == 'margin' else 0.0
    for pose in poses(rng, reference, counts, count // len(KINDS) + 1, kind):
      asked = question(rng, pair, pose) if measured(pair) else None
      expected = answers(mujoco, reference, theirs, pose, pair, asked)
      found = answers(engine, ours, mine, pose, pair, asked)
      result['poses'] += 1
      result['touching'] += bool(np.any(expected[:, 0] >= 0)) if measured(pair) else (
          bool(len(expected)))
      if agree(found, expected):
        continue
      # does the reference differ from itself when its input changes in the last bit?
      for _ in range(TRIALS):
        near = [x + rng.choice([-1.0, 0.0, 1.0], x.shape) * np.spacing(x) for x in pose]
        if not agree(answers(mujoco, reference, theirs, near, pair, asked), expected):
          result['rounding'] += 1
          break
      else:
        result['differ'] += 1
        worst.append((kind, len(expected), len(found), pose, expected, found))
  return result, worst


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
  parser.add_argument('--count', type=int, default=10000, help='poses per pair')
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  parser.add_argument('--pair', help='only pairs whose name contains this')
  parser.add_argument('--show', action='store_true', help='print the first pose that differs')
  options = parser.parse_args()
  if mujoco.__version__ != '3.5.0':
    sys.exit(f'the reference is MuJoCo 3.5.0, installed is {mujoco.__version__}')
  engine = __import__(options.module)
  print(f'{"pair":34}{"poses":>8}{"touching":>10}{"rounding":>10}{"differ":>8}')
  differ = 0
  for seed, pair in enumerate(PAIRS):
    name = f'{pair.first}-{pair.second}' + (f' ({pair.flags})' if pair.flags else '')
    if options.pair and options.pair not in name:
      continue
    result, worst = compare(engine, pair, options.count, seed)
    print(f'{name:34}{result["poses"]:8}{result["touching"]:10}{result["rounding"]:10}'
          f'{result["differ"]:8}', flush=True)
    if options.show and worst:
      kind, expected, found, *rest = worst[0]
      print(f'  {kind}: {expected} contacts expected, {found} found')
      for part in rest[1:]:
        print(np.array2string(part, precision=12, max_line_width=200))
    differ += result['differ']
  sys.exit(bool(differ))


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Contacts of MuJoCo 3.5.0 between two primitive shapes, for many poses of every pair of types.

Positions, orientations and sizes are written straight into the arrays of model and data before
`mj_collision`, so that the inputs are exact. Cases are near touching, deep inside each other, apart
by up to the margin, aligned with each other, or degenerate (coincident centres, capsules without
length, needles), with sizes between 1e-3 and 1e2.

Format: f64, little-endian, one case after the other:

    type1 type2 margin kind unstable ncon                 6
    size1[3] pos1[3] mat1[9] size2[3] pos2[3] mat2[9]    30
    dist pos[3] normal[3] tangent[3]                     10 for each contact

Types are MuJoCo's numbers, type1 <= type2; kind is the index into KINDS below. `unstable` is 1
where the contacts of the reference are decided by rounding: moving the inputs by a unit in the last
place changes their number or moves one of them by more than 1e-9.
"""

import argparse
import pathlib

import mujoco
import numpy as np

VERSION = '3.5.0'
TYPES = {0: 'plane', 2: 'sphere', 3: 'capsule', 4: 'ellipsoid', 5: 'cylinder', 6: 'box'}
PAIRS = [(a, b) for a in TYPES for b in TYPES if a <= b and b > 0]
KINDS = ('touching', 'deep', 'apart', 'random', 'aligned', 'degenerate')
PLANE, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = TYPES
EPS = np.finfo(float).eps
GOLDEN = pathlib.Path(__file__).parents[1] / 'poses.bin'


class Reference:
  """Collides one pair of types, everything else filtered away."""

  def __init__(self, type1, type2):
    # the compiler wants positive sizes and planes that do not move; the arrays take anything
    size = {PLANE: '1 1 1', SPHERE: '1', CAPSULE: '1 1', CYLINDER: '1 1'}
    geom = lambda name, kind: (f'<geom name="{name}" type="{TYPES[kind]}" '
                               f'size="{size.get(kind, "1 1 1")}"/>')
    self.model = mujoco.MjModel.from_xml_string(
        f'<mujoco><worldbody>{geom("a", type1)}'
        f'<body mocap="true">{geom("b", type2)}</body></worldbody>'
        '<default><geom contype="0" conaffinity="0"/></default>'
        '<contact><pair geom1="a" geom2="b"/></contact></mujoco>')
    self.data = mujoco.MjData(self.model)
    # no filter by bounding sphere
    self.model.geom_rbound[:] = 1e10

  def contacts(self, case):
    """Returns rows of dist, pos, normal, tangent."""
    m, d = self.model, self.data
    m.pair_margin[0] = case['margin']
    m.geom_size[:] = case['size']
    d.geom_xpos[:] = case['pos']
    d.geom_xmat[:] = case['mat']
    mujoco.mj_collision(m, d)
    c = d.contact
    return np.hstack([c.dist[:, None], c.pos, c.frame[:, :6]])


def random_mat(rng):
  mat = np.empty(9)
  quat = rng.normal(size=4)
  mujoco.mju_normalize4(quat)
  mujoco.mju_quat2Mat(mat, quat)
  return mat


def aligned_mat(rng):
  """A rotation by a multiple of 90 degrees, sometimes 45 or 30, about one of the axes."""
  perm = rng.permutation(3)
  mat = np.eye(3)[perm] * rng.choice([-1.0, 1.0], 3)[:, None]
  mat *= np.linalg.det(mat)
  if rng.random() < 0.3:
    angle = rng.choice([np.pi / 4, np.pi / 6])
    c, s = np.cos(angle), np.sin(angle)
    i, j = rng.permutation(3)[:2]
    turn = np.eye(3)
    turn[[i, i, j, j], [i, j, i, j]] = c, -s, s, c
    mat = mat @ turn
  return np.round(mat, 17).ravel() + 0.0


def random_size(rng, kind, scale):
  size = np.clip(scale * 10 ** rng.uniform(-0.7, 0.7, 3), 1e-3, 1e2)
  return used_size(kind, size)


def used_size(kind, size):
  """Zeroes what the type does not use, as the compiler does."""
  count = {PLANE: 0, SPHERE: 1, CAPSULE: 2, CYLINDER: 2}.get(kind, 3)
  return np.where(np.arange(3) < count, size, 0.0)


def extent(kind, size, mat, u):
  """How far a shape reaches from its centre in the direction u."""
  x = mat.reshape(3, 3).T @ u
  if kind == PLANE:
    return 0.0
  if kind == SPHERE:
    return size[0]
  if kind == CAPSULE:
    return size[0] + size[1] * abs(x[2])
  if kind == ELLIPSOID:
    return np.linalg.norm(size * x)
  if kind == CYLINDER:
    return size[0] * np.hypot(x[0], x[1]) + size[1] * abs(x[2])
  return np.abs(size * x).sum()


def support(rng, kind, size, mat, u):
  """A point of the surface furthest in the direction u, any of them where a face is."""
  mat = mat.reshape(3, 3)
  x = mat.T @ u
  if kind == PLANE:
    return np.zeros(3)
  end = lambda x: np.sign(x) if abs(x) > 1e-9 else rng.uniform(-1, 1)
  if kind == SPHERE:
    local = size[0] * x
  elif kind == CAPSULE:
    local = size[0] * x + [0, 0, size[1] * end(x[2])]
  elif kind == ELLIPSOID:
    local = size * size * x / np.linalg.norm(size * x)
  elif kind == CYLINDER:
    across = np.hypot(x[0], x[1])
    rim = x[:2] / across if across > 1e-9 else rng.uniform(-0.7, 0.7, 2)
    local = np.array([*(size[0] * rim), size[1] * end(x[2])])
  else:
    local = size * [end(c) for c in x]
  return mat @ local


def general_case(rng, types, kind):
  """Shapes of any size and orientation, a given gap apart along some direction."""
  scale = 10 ** rng.uniform(-3, 2)
  size = [random_size(rng, types[0], scale),
          random_size(rng, types[1], scale * 10 ** (rng.uniform(-1, 1) * (rng.random() < 0.5)))]
  smallest = min(s[s > 0].min() for s in size if s.any())
  margin = rng.choice([0.0, smallest * 10 ** rng.uniform(-3, 0.3)])
  mat = [random_mat(rng), random_mat(rng)]
  # face to face, or in any direction
  axis = rng.integers(3)
  u = mat[rng.integers(2)].reshape(3, 3)[:, axis] if rng.random() < 0.4 else rng.normal(size=3)
  if types[0] == PLANE:
    u = mat[0].reshape(3, 3)[:, 2]
  u = u / np.linalg.norm(u)
  touch = (support(rng, types[0], size[0], mat[0], u)
           - support(rng, types[1], size[1], mat[1], -u))
  gap = {
      'touching': rng.choice([0.0, 1e-9, -1e-9]) * smallest,
      'deep': -(touch @ u) * rng.uniform(0.05, 1.0),
      'apart': margin * rng.uniform(0.0, 1.2),
      'random': -smallest * 10 ** rng.uniform(-4, 0),
  }[kind]
  # sideways by less than the smaller one
  side = rng.normal(size=3) * rng.choice([0.0, 0.0, 0.1, 0.5]) * smallest
  side -= u * (u @ side)
  pos1 = rng.normal(size=3) * scale * rng.choice([0.0, 1.0, 10.0])
  return size, [pos1, pos1 + touch + u * gap + side], mat, margin


def aligned_case(rng, types, kind):
  """Shapes of simple proportions, parallel to each other, at simple offsets."""
  scale = rng.choice([1.0, 1.0, 0.1, 1e-3, 100.0])
  size = [used_size(t, rng.choice([1.0, 1.0, 0.5, 0.25], 3) * scale) for t in types]
  margin = rng.choice([0.0, 0.01, 0.1, 0.5]) * scale
  mat = [aligned_mat(rng) if rng.random() < 0.7 else np.eye(3).ravel() for _ in types]
  if kind == 'degenerate':
    for t, s in zip(types, size):
      thin = rng.choice([0.0, 1e-3, 1e-6, 1e-10, 1e-16]) * scale
      which = rng.integers(3)
      if t == CAPSULE and rng.random() < 0.6:
        s[1] = thin
      elif t in (BOX, ELLIPSOID, CYLINDER) and rng.random() < 0.5 and s[which] > 0:
        s[which] = max(thin, 1e-10 * scale)
  reach = [np.array([extent(t, s, m, e) for e in np.eye(3)]) for t, s, m in zip(types, size, mat)]
  offset = np.zeros(3)
  if kind == 'aligned' or rng.random() < 0.6:
    sign = rng.choice([-1.0, 0.0, 1.0], 3)
    offset = sign * np.where(rng.random(3) < 0.4, reach[0] + reach[1],
                             np.where(rng.random(3) < 0.5, reach[0] - reach[1], 0.5 * reach[1]))
    offset *= rng.choice([1.0, 1.0, 0.9, 1.01])
  if types[0] == PLANE and kind == 'aligned':
    normal = mat[0].reshape(3, 3)[:, 2]
    offset = normal * extent(types[1], size[1], mat[1], normal) * rng.choice([1.0, 0.9, 0.5, 1.01])
  pos = [np.zeros(3), offset]
  if rng.random() < 0.3:
    # the same elsewhere, turned as a whole
    turn, move = random_mat(rng).reshape(3, 3), rng.normal(size=3) * scale
    pos = [turn @ p + move for p in pos]
    mat = [(turn @ m.reshape(3, 3)).ravel() for m in mat]
  elif kind == 'degenerate' and rng.random() < 0.3:
    # off by next to nothing
    pos[1] = pos[1] + rng.normal(size=3) * scale * 10 ** rng.uniform(-17, -12)
  return size, pos, mat, margin


def make_case(rng, types, kind):
  make = aligned_case if kind in ('aligned', 'degenerate') else general_case
  size, pos, mat, margin = make(rng, types, kind)
  return {'size': np.array(size), 'pos': np.array(pos), 'mat': np.array(mat), 'margin': margin}


def perturbed(rng, case):
  """The case moved by up to a unit in the last place."""
  reach = max(np.abs(case['pos']).max(), case['size'].max())
  moved = lambda x, least: x + EPS * rng.integers(-1, 2, np.shape(x)) * np.maximum(np.abs(x), least)
  return {'size': moved(case['size'], 0.0), 'pos': moved(case['pos'], reach),
          'mat': moved(case['mat'], 1.0), 'margin': moved(case['margin'], 0.0)}


def differ(a, b):
  return a.shape != b.shape or not np.allclose(a, b, rtol=1e-9, atol=1e-9, equal_nan=True)


def pair_cases(types, count, seed, tries):
  """Yields the records of one pair of types."""
  rng = np.random.default_rng([seed, *types])
  # its own stream, so that the poses do not depend on the number of tries
  shake = np.random.default_rng([seed, *types, 1])
  reference = Reference(*types)
  for i in range(count):
    kind = i % len(KINDS)
    case = make_case(rng, types, KINDS[kind])
    found = reference.contacts(case)
    unstable = any(differ(found, reference.contacts(perturbed(shake, case))) for _ in range(tries))
    shapes = [np.concatenate([case['size'][k], case['pos'][k], case['mat'][k]]) for k in (0, 1)]
    yield np.concatenate([[*types, case['margin'], kind, unstable, len(found)], *shapes,
                          found.ravel()])


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
  parser.add_argument('--count', type=int, default=200, help='poses for each pair of types')
  parser.add_argument('--seed', type=int, default=1)
  parser.add_argument('--tries', type=int, default=8, help='perturbed runs for each pose')
  parser.add_argument('--out', type=pathlib.Path, default=GOLDEN)
  args = parser.parse_args()
  if mujoco.__version__ != VERSION:
    raise SystemExit(f'needs MuJoCo {VERSION}, found {mujoco.__version__}')

  records = []
  for types in PAIRS:
    cases = list(pair_cases(types, args.count, args.seed, args.tries))
    records += cases
    print(f'{TYPES[types[0]]:>9} {TYPES[types[1]]:<9} {len(cases)} poses,'
          f' {sum(c[5] > 0 for c in cases)} touch, {sum(c[4] for c in cases):.0f} unstable')
  np.concatenate(records).astype('<f8').tofile(args.out)


if __name__ == '__main__':
  main()

"""Contacts of curved geoms to rounding, as a reference for derivatives.

The reference meets ellipsoids and cylinders by an iteration that stops when the distance is known to
`ccd_tolerance`; normal and point are known to its square root at best, and differences of them are noise.
Here such a contact is where Newton's method starts that solves the conditions of nearest points:

  T1ᵀ (c2 − c1) = 0,  T2ᵀ (c2 − c1) = 0

for points c1, c2 on a feature of each geom with tangents T1, T2. Either engine then goes on with that contact.
"""

import mujoco
import numpy as np

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = (int(getattr(mujoco.mjtGeom, f'mjGEOM_{name}')) for name in (
    'SPHERE', 'CAPSULE', 'ELLIPSOID', 'CYLINDER', 'BOX'))


class Unclear(Exception):
  """The features of a contact cannot be told from where it is."""


class Feature:
  """A part of the surface of a geom that a nearest point slides on.

  Attributes:
    at: the point for parameters, in the frame of the geom; works with complex numbers.
    tangents: its derivatives, one per row.
    start: parameters near a given point.
    radius: how far the geom reaches beyond.
    flat: whether it is a plane or a line.
  """

  def __init__(self, kind, size, local, normal, name=None):
    tolerance = 2e-2 * max(size)
    self.radius, self.flat, self.name = 0.0, True, name
    if kind == SPHERE:
      self.constant(np.zeros(3), np.zeros((0, 3)))
      self.radius, self.name = size[0], 'centre'
    elif kind == CAPSULE:
      core = local - normal * size[0]
      self.radius = size[0]
      inside = abs(core[2]) < size[1] - 1e-3 * size[1] if name is None else name == 'line'
      self.name = 'line' if inside else 'end'
      if inside:
        self.constant(np.zeros(3), np.array([[0, 0, 1.0]]), core[2:])
      else:
        self.constant(np.array([0, 0, np.copysign(size[1], core[2])]), np.zeros((0, 3)))
    elif kind == BOX:
      on = [abs(abs(local[i]) - size[i]) < tolerance and normal[i] * local[i] > 1e-5 * abs(local[i])
            for i in range(3)] if name is None else name
      self.name = on
      if not any(on):
        raise Unclear
      origin = np.where(on, np.copysign(size, local), 0)
      free = [i for i in range(3) if not on[i]]
      self.constant(origin, np.eye(3)[free], local[free])
    elif kind == CYLINDER:
      self.cylinder(size, local, normal)
    elif kind == ELLIPSOID:
      self.ellipsoid(size, local)
    else:
      raise Unclear

  def constant(self, origin, tangents, start=()):
    self.start = np.array(start, float)
    self.at = lambda u: origin + u @ tangents
    self.tangents = lambda u: tangents

  def cylinder(self, size, local, normal):
    radius, half = size[0], size[1]
    around = np.hypot(normal[0], normal[1])
    if self.name is None:
      self.name = 'cap' if around < 1e-5 else 'side' if abs(normal[2]) < 1e-5 else 'rim'
    up, angle = np.copysign(half, local[2]), np.arctan2(local[1], local[0])
    if self.name == 'cap':
      self.constant(np.array([0, 0, up]), np.eye(3)[:2], local[:2])
      return
    self.flat = False
    circle = lambda t: np.array([radius * np.cos(t), radius * np.sin(t)])
    turned = lambda t: np.array([-radius * np.sin(t), radius * np.cos(t)])
    if self.name == 'rim':
      self.start = np.array([angle])
      self.at = lambda u: np.append(circle(u[0]), up)
      self.tangents = lambda u: np.append(turned(u[0]), 0)[None]
    else:
      self.start = np.array([angle, local[2]])
      self.at = lambda u: np.append(circle(u[0]), u[1])
      self.tangents = lambda u: np.array([np.append(turned(u[0]), 0 * u[1]), [0, 0, 1.0]])

  def ellipsoid(self, size, local):
    self.flat, self.name = False, 'surface'
    unit = local / size
    unit /= np.linalg.norm(unit)
    _, _, axes = np.linalg.svd(unit[None])
    across = axes[1:]
    self.start = np.zeros(2)

    def at(u):
      w = unit + u @ across
      return size * w / np.sqrt(w @ w)

    def tangents(u):
      w = unit + u @ across
      length = np.sqrt(w @ w)
      return size * (across / length - np.outer(across @ w, w) / length**3)

    self.at, self.tangents = at, tangents


def nearest(features, poses):
  """Parameters of the nearest points of two features."""
  (pos1, mat1), (pos2, mat2) = poses
  count = len(features[0].start)

  def conditions(u):
    a, b = u[:count], u[count:]
    gap = pos2 + mat2 @ features[1].at(b) - pos1 - mat1 @ features[0].at(a)
    return np.concatenate([features[0].tangents(a) @ (mat1.T @ gap), features[1].tangents(b) @ (mat2.T @ gap)])

  u = np.concatenate([features[0].start, features[1].start])
  for _ in range(50):
    value = conditions(u)
    if not len(u):
      break
    jacobian = np.empty((len(u), len(u)))
    for i in range(len(u)):
      moved = u.astype(complex)
      moved[i] += 1e-30j
      jacobian[:, i] = conditions(moved).imag / 1e-30
    change = np.linalg.solve(jacobian, value)
    u = u - change
    if np.abs(change).max() < 1e-15 * max(1, np.abs(u).max()):
      break
  else:
    if np.abs(change).max() > 1e-12:
      raise Unclear
  return u[:count], u[count:]


def polish(m, d, contact, names=(None, None)):
  """Moves a contact to where the features of its geoms are nearest. Returns which ones those are."""
  normal = contact.frame[:3].copy()
  features, poses = [], []
  for side, geom in enumerate(contact.geom):
    mat, pos = d.geom_xmat[geom].reshape(3, 3), d.geom_xpos[geom]
    outward = normal if side == 0 else -normal
    witness = contact.pos + (side - 0.5) * contact.dist * normal
    features.append(Feature(m.geom_type[geom], m.geom_size[geom], mat.T @ (witness - pos), mat.T @ outward,
                            names[side]))
    poses.append((pos, mat))
  if features[0].flat and features[1].flat and len(features[0].start) + len(features[1].start) > 2:
    raise Unclear
  found = nearest(features, poses)
  points = [pos + mat @ feature.at(u) for (pos, mat), feature, u in zip(poses, features, found)]
  gap = points[1] - points[0]
  axis = gap / np.linalg.norm(gap)
  if axis @ normal < 0:
    axis = -axis
  if axis @ normal < 0.99:
    raise Unclear
  surface = points[0] + features[0].radius * axis, points[1] - features[1].radius * axis
  contact.dist = axis @ (surface[1] - surface[0])
  middle = (surface[0] + surface[1]) / 2
  if np.linalg.norm(middle - contact.pos) > 2e-2 * max(m.geom_rbound[contact.geom]):
    raise Unclear
  contact.pos[:] = middle
  across = np.array([0, 1.0, 0] if abs(axis[1]) < 0.5 else [0, 0, 1.0])
  across -= axis * (axis @ across)
  across /= np.linalg.norm(across)
  contact.frame[:] = np.concatenate([axis, across, np.cross(axis, across)])
  return tuple(feature.name for feature in features)


def forward(engine, m, d, names=None):
  """What comes before the integrator in a step of an engine, with polished contacts. Returns the features of
  each; with `names`, these are given."""
  engine.mj_kinematics(m, d)
  engine.mj_comPos(m, d)
  engine.mj_camlight(m, d)
  engine.mj_tendon(m, d)
  engine.mj_makeM(m, d)
  engine.mj_factorM(m, d)
  engine.mj_collision(m, d)
  if names is not None and len(names) != d.ncon:
    raise Unclear
  found = [polish(m, d, contact, names[i] if names else (None, None)) for i, contact in enumerate(d.contact)]
  engine.mj_makeConstraint(m, d)
  engine.mj_projectConstraint(m, d)
  engine.mj_transmission(m, d)
  engine.mj_fwdVelocity(m, d)
  engine.mj_fwdActuation(m, d)
  engine.mj_fwdAcceleration(m, d)
  engine.mj_fwdConstraint(m, d)
  return found

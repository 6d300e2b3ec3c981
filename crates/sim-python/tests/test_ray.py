"""Rays against those of the mujoco package."""

import mujoco
import numpy as np
import pytest

import cortenforge

KINDS = {'plane': 0, 'sphere': 2, 'capsule': 3, 'ellipsoid': 4, 'cylinder': 5, 'box': 6}
MODES = ('random', 'scales', 'edge', 'parallel', 'inside', 'long')


def extents(kind, size):
  """Half sizes of the box around a shape."""
  x, y, _ = size
  if kind == 'sphere':
    return np.full(3, x)
  return np.array([x, x, y + x * (kind == 'capsule')]) if kind in ('capsule', 'cylinder') else size


def case(rng, kind, mode):
  """A shape and a ray: size, position, frame, origin, direction."""
  size = 10 ** rng.uniform(-3, 2, 3) if mode == 'scales' else rng.uniform(0.2, 1, 3)
  frame = np.zeros(9)
  quat = np.eye(4)[rng.integers(4)] if mode == 'parallel' else rng.standard_normal(4)
  mujoco.mju_quat2Mat(frame, quat / np.linalg.norm(quat))
  box = extents(kind, size)
  source = rng.standard_normal(3) * 2 * np.linalg.norm(box)
  target = box * rng.uniform(-1.2, 1.2, 3)
  if mode == 'edge':
    target = box * rng.choice([-1.0, 0, 1], 3)
  elif mode == 'parallel':
    source = box * rng.choice([-2.0, -1, -0.5, 0, 0.5, 1, 2], 3)
    target = source + np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1])
  elif mode == 'inside':
    source = 0.3 * box * rng.uniform(-1, 1, 3)
  pos = rng.standard_normal(3) * (mode != 'parallel')
  rotation = frame.reshape(3, 3)
  direction = rotation @ (target - source)
  if mode == 'long':
    direction *= 10 ** rng.uniform(-12, 6)
  return size, pos, frame, pos + rotation @ source, direction


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('kind', KINDS)
def test_rays_meet_shapes_where_mujoco_does(kind, mode):
  rng = np.random.default_rng(MODES.index(mode))
  rays = [case(rng, kind, mode) for _ in range(1000)]
  results = []
  for module in (cortenforge, mujoco):
    normals = np.ones((len(rays), 3))
    distances = [module.mju_rayGeom(pos, frame, size, origin, direction, KINDS[kind], normal)
                 for (size, pos, frame, origin, direction), normal in zip(rays, normals)]
    results.append((np.array(distances), normals))
  (distances, normals), (expected, expected_normals) = results
  np.testing.assert_allclose(distances, expected, rtol=1e-10)
  np.testing.assert_allclose(normals, expected_normals, atol=1e-10)
  # along faces, a plane is met in one direction of six
  assert (distances >= 0).sum() > 20


def scene(rng):
  """A scene of bodies with some geoms that rays do not meet."""
  text = '<mujoco><asset><material name="glass" rgba="1 1 1 0"/></asset><worldbody>'
  text += '<geom type="plane" size="3 0 1"/>'
  for body in range(10):
    numbers = ' '.join(map(str, rng.uniform(-2, 2, 3)))
    text += f'<body pos="{numbers}">' + '<freejoint/>' * (body % 3 > 0)
    for _ in range(3):
      kind = rng.choice(list(KINDS)[1:])
      size, pos, euler = (' '.join(map(str, rng.uniform(*r, 3)))
                          for r in ((0.1, 0.5), (-0.5, 0.5), (-180, 180)))
      look = rng.choice(['', 'material="glass"', 'rgba="1 1 1 0"'], p=[0.8, 0.1, 0.1])
      text += (f'<geom type="{kind}" size="{size}" pos="{pos}" euler="{euler}" '
               f'group="{rng.integers(6)}" {look}/>')
    text += '</body>'
  return text + '</worldbody></mujoco>'


@pytest.mark.parametrize('seed', range(5))
def test_rays_meet_the_geoms_that_mujoco_finds(seed):
  rng = np.random.default_rng(seed)
  text = scene(rng)
  models = [module.MjModel.from_xml_string(text) for module in (cortenforge, mujoco)]
  datas = [cortenforge.MjData(models[0]), mujoco.MjData(models[1])]
  datas[0].qpos = datas[1].qpos = datas[1].qpos + 0.3 * rng.standard_normal(models[1].nq)
  count, hits = 100, 0
  for view in range(12):
    origin = rng.uniform(-3, 3, 3)
    directions = rng.standard_normal((count, 3))
    directions[::17] = 0
    groups = None if view % 2 else (rng.random(6) < 0.5).astype(np.uint8)
    choice = (groups, int(rng.random() < 0.7), int(rng.integers(-1, models[1].nbody)))
    cutoff = [1e10, 2, 0.5][view % 3]
    results = []
    for module, model, data in zip((cortenforge, mujoco), models, datas):
      module.mj_kinematics(model, data)
      geoms, distances, normals = np.full(count, 7, np.int32), np.zeros(count), np.full(3 * count, 7.0)
      module.mj_multiRay(model, data, origin, directions.ravel(), *choice, geoms, distances, normals,
                         count, cutoff)
      single = []
      for direction in directions[directions.any(axis=1)]:
        geom, normal = np.zeros(1, np.int32), np.zeros(3)
        distance = module.mj_ray(model, data, origin, direction, *choice, geom, normal)
        single.append([distance, geom[0], *normal])
      results.append((geoms, distances, normals, np.array(single)))
    for ours, theirs in zip(*results):
      np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10)
    hits += (results[0][3][:, 1] >= 0).sum()
  assert hits > 50


def test_bad_rays_are_errors():
  model = cortenforge.MjModel.from_xml_string('<mujoco/>')
  data = cortenforge.MjData(model)
  up = np.array([0.0, 0, 1])
  assert cortenforge.mj_ray(model, data, up, up, None, 1, -1, None) == -1
  with pytest.raises(cortenforge.FatalError, match='too small'):
    cortenforge.mj_ray(model, data, up, 0 * up, None, 1, -1, None)
  with pytest.raises(TypeError, match='geomgroup'):
    cortenforge.mj_ray(model, data, up, up, np.ones(5, np.uint8), 1, -1, None)
  for kind in (-1, 1, 7, 99):
    with pytest.raises(cortenforge.FatalError, match='geom type'):
      cortenforge.mju_rayGeom(up, np.eye(3).ravel(), up, up, up, kind)
  geoms, distances = np.zeros(2, np.int32), np.zeros(2)
  for rays in (-1, 1, 3):
    with pytest.raises(TypeError, match='nray'):
      cortenforge.mj_multiRay(model, data, up, np.ones(6), None, 1, -1, geoms, distances, None, rays, 1)


def test_pyramids_decode_what_was_encoded():
  force, mu = np.array([3, 0.5, -0.4, 0.005]), np.array([0.8, 0.7, 0.01])
  pyramid, decoded = np.zeros(6), np.zeros(4)
  cortenforge.mju_encodePyramid(pyramid, force, mu)
  cortenforge.mju_decodePyramid(decoded, pyramid, mu)
  np.testing.assert_allclose(decoded, force, atol=1e-15)
  for function in (cortenforge.mju_encodePyramid, cortenforge.mju_decodePyramid):
    with pytest.raises(TypeError, match='twice as large'):
      function(np.zeros(4), np.zeros(4), mu)


def test_contacts_without_rows_have_no_force():
  model = cortenforge.MjModel.from_xml_string('<mujoco/>')
  result = np.ones(6)
  for contact in (-1, 0, 5):
    cortenforge.mj_contactForce(model, cortenforge.MjData(model), contact, result)
    assert not result.any()


def test_rays_against_flexes():
  seen = []
  for engine in (mujoco, cortenforge):
    model = engine.MjModel.from_xml_string(
        '<mujoco><worldbody><flexcomp type="grid" count="4 4 1" spacing=".1 .1 .1" name="f" dim="2" '
        'radius=".01" pos="0 0 1"><edge equality="true"/></flexcomp></worldbody></mujoco>')
    data = engine.MjData(model)
    engine.mj_kinematics(model, data)
    engine.mj_comPos(model, data)
    engine.mj_flex(model, data)
    rows = [data.flexvert_xpos.ravel()]
    for flags in ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (1, 1, 1, 1), (0, 0, 0, 0)):
      for origin in ([.03, .02, 0], [.051, .05, 0], [5, 5, 0]):
        vertex, normal = np.full(1, 77, np.int32), np.zeros(3)
        distance = engine.mj_rayFlex(
            model, data, 0, *flags, 0, np.array(origin), np.array([0, 0, 1.0]), vertex, normal)
        rows.append([distance, vertex[0], *normal])
    seen.append(np.concatenate(rows))
  np.testing.assert_allclose(seen[1], seen[0], atol=1e-14)
  with pytest.raises(cortenforge.FatalError, match='flex 7 does not exist'):
    cortenforge.mj_rayFlex(model, data, 0, 1, 1, 1, 1, 7, np.zeros(3), np.ones(3))


def test_rays_against_skins():
  vertex = np.zeros(1, np.int32)
  face, vert = [0, 1, 2, 2, 1, 3], [0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 2]
  assert cortenforge.mju_raySkin(2, 4, face, vert, [.3, .2, 0], [0, 0, 2], vertex) == 0.5
  assert vertex[0] == 0
  assert cortenforge.mju_raySkin(2, 4, face, vert, [.3, .2, 0], [0, 0, -2], vertex) == -1
  assert vertex[0] == -1
  with pytest.raises(ValueError, match='a vertex that is not there'):
    cortenforge.mju_raySkin(2, 3, face, vert, [.3, .2, 0], [0, 0, 2], vertex)

"""Meshes and height fields, as MuJoCo has compiled them."""

import numpy as np
import pytest

import cortenforge

mujoco = pytest.importorskip('mujoco')

CUBE = ' '.join(f'{x} {y} {z}' for x in (-.1, .1) for y in (-.08, .08) for z in (-.06, .06))
HILLS = ' '.join(f'{(3 * i * i + 5 * i) % 7 / 7:.3f}' for i in range(48))
SCENE = f"""
<mujoco>
  <option><flag multiccd="{{multiccd}}" nativeccd="{{native}}"/></option>
  <asset>
    <mesh name="cube" vertex="{CUBE}"/>
    <mesh name="ball" builtin="sphere" params="2" scale=".1 .12 .08"/>
    <hfield name="hills" nrow="6" ncol="8" size="1 1 .1 .1" elevation="{HILLS}"/>
  </asset>
  <worldbody>
    <geom name="hills" type="hfield" hfield="hills"/>
    <geom type="plane" size="5 5 1" pos="0 0 -.3" euler="0 .1 0"/>
    <body pos="0 0 .3"><freejoint/><geom name="cube" type="mesh" mesh="cube"/></body>
    <body pos=".05 .02 .5"><freejoint/><geom type="mesh" mesh="ball"/></body>
    <body pos=".02 .05 .7"><freejoint/><geom type="mesh" mesh="cube"/></body>
    <body pos="-.3 .05 .3"><freejoint/><geom type="capsule" size=".05 .1"/></body>
    <body pos="-.3 .08 .5"><freejoint/><geom type="mesh" mesh="ball"/>
      <site name="eye" pos="0 0 .2" zaxis="0 .1 -1"/></body>
    <body pos="1.2 0 .1"><freejoint/><geom type="mesh" mesh="ball"/></body>
  </worldbody>
  <sensor><rangefinder site="eye"/></sensor>
</mujoco>
"""


def both(tmp_path, **options):
  """The scene in both engines."""
  options = {'multiccd': 'disable', 'native': 'enable'} | options
  reference = mujoco.MjModel.from_xml_string(SCENE.format(**options))
  path = tmp_path / 'scene.mjb'
  mujoco.mj_saveModel(reference, str(path))
  return reference, cortenforge.MjModel.from_binary_path(path)


@pytest.mark.parametrize('options', [{}, {'multiccd': 'enable'}, {'native': 'disable'}])
def test_falling_meshes_touch_where_mujoco_says(tmp_path, options):
  reference, model = both(tmp_path, **options)
  theirs, ours = mujoco.MjData(reference), cortenforge.MjData(model)
  touched = 0
  for _ in range(300):
    # every step from the state of the reference
    cortenforge.mj_resetData(model, ours)
    for name in ('qpos', 'qvel', 'qacc_warmstart'):
      getattr(ours, name)[:] = getattr(theirs, name)
    mujoco.mj_step(reference, theirs)
    cortenforge.mj_step(model, ours)
    assert ours.ncon == theirs.ncon
    touched += ours.ncon
    for name in ('geom', 'dist', 'pos', 'frame'):
      mine = np.reshape(getattr(ours.contact, name), np.shape(getattr(theirs.contact, name)))
      np.testing.assert_allclose(mine, getattr(theirs.contact, name), rtol=0, atol=1e-10)
    np.testing.assert_allclose(ours.qvel, theirs.qvel, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(ours.sensordata, theirs.sensordata, rtol=1e-10, atol=1e-10)
  assert touched > 1000


def test_rays_meet_single_geoms(tmp_path):
  reference, model = both(tmp_path)
  theirs, ours = mujoco.MjData(reference), cortenforge.MjData(model)
  mujoco.mj_forward(reference, theirs)
  cortenforge.mj_forward(model, ours)
  cube, hills = reference.geom('cube').id, reference.geom('hills').id
  rng = np.random.default_rng(0)
  met = 0
  for _ in range(500):
    origin, target = rng.normal(size=(2, 3)) * [[.5], [.1]] + [0, 0, .2]
    normals = np.zeros((2, 3))
    for name, geom in (('mj_rayMesh', cube), ('mj_rayHfield', hills)):
      distance = [getattr(module, name)(m, d, geom, origin, target - origin, normal)
                  for module, m, d, normal in ((mujoco, reference, theirs, normals[0]),
                                               (cortenforge, model, ours, normals[1]))]
      assert distance[1] == pytest.approx(distance[0], abs=1e-12)
      np.testing.assert_allclose(normals[1], normals[0], atol=1e-12)
      met += distance[0] >= 0
  assert met > 300
  up = np.array([0., 0, 1])
  with pytest.raises(cortenforge.FatalError, match='geom with mesh type expected'):
    cortenforge.mj_rayMesh(model, ours, hills, up, up)
  with pytest.raises(cortenforge.FatalError, match='geom with hfield type expected'):
    cortenforge.mj_rayHfield(model, ours, cube, up, up)


def test_what_a_user_writes_into_meshes_and_fields_counts_at_once(tmp_path):
  reference, model = both(tmp_path)
  theirs, ours = mujoco.MjData(reference), cortenforge.MjData(model)
  mujoco.mj_step(reference, theirs, 250)
  for m in (reference, model):
    m.hfield_data[:] *= 1.1
    m.mesh_vert[:] *= 1.05
  ours.qpos[:] = theirs.qpos
  mujoco.mj_forward(reference, theirs)
  cortenforge.mj_forward(model, ours)
  assert ours.ncon == theirs.ncon > 0
  np.testing.assert_allclose(ours.contact.dist, theirs.contact.dist, atol=1e-12)

"""Scenes and pictures: beside MuJoCo where it says what there is to draw, alone where it needs OpenGL."""

import copy
import subprocess
import sys

import cortenforge as cf
import numpy as np
import pytest

mujoco = pytest.importorskip('mujoco')

XML = '''
<mujoco>
  <visual><global offwidth="2000" offheight="2000"/></visual>
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="64" height="64" rgb1=".2 .3 .4" rgb2=".1 .15 .2"/>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="192"/>
    <material name="grid" texture="grid" texrepeat="2 2" texuniform="true" reflectance=".2"/>
    <material name="red" rgba=".8 .2 .2 1" specular=".7" shininess=".4"/>
  </asset>
  <option><flag energy="enable"/></option>
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0 0 -1" directional="true"/>
    <light name="spot" pos="1 1 3" dir="-1 -1 -3" castshadow="false"/>
    <geom name="floor" type="plane" size="0 0 .1" material="grid"/>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>
    <camera name="lens" pos="0 2 1" xyaxes="-1 0 0 0 -.4 1" resolution="64 48" focal="1 1" sensorsize="1 .75"/>
    <camera name="flat" pos="2 0 1" xyaxes="0 1 0 -.4 0 1" projection="orthographic" fovy="2" resolution="8 8"/>
    <site name="anchor" pos=".3 0 1.2" size=".02"/>
    <body name="ball" pos="0 0 .19">
      <freejoint/>
      <geom name="ball" type="sphere" size=".2" material="red"/>
      <site name="top" pos="0 0 .2" size=".03"/>
      <site name="eye" pos=".25 0 0" zaxis="1 0 -1"/>
    </body>
    <body name="arm" pos=".7 0 .6">
      <joint name="hip" type="ball"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
      <body pos=".3 0 0">
        <joint name="knee" axis="0 1 0" range="-10 10" limited="true"/>
        <joint name="slide" type="slide" axis="1 0 0"/>
        <geom type="box" size=".1 .05 .03" pos=".1 0 0" rgba=".2 .6 .2 .5"/>
        <geom type="ellipsoid" size=".05 .07 .1" pos=".3 0 0"/>
        <geom type="cylinder" size=".05 .07" pos=".4 0 0"/>
        <site name="hand" pos=".4 0 0"/>
      </body>
    </body>
    <body name="mocap" mocap="true" pos="-.5 0 .5"><geom type="box" size=".05 .05 .05"/></body>
  </worldbody>
  <tendon>
    <spatial name="rope" limited="true" range="0 2" width=".01"><site site="anchor"/><site site="hand"/></spatial>
    <spatial name="cord" width=".005"><site site="top"/><site site="hand"/></spatial>
  </tendon>
  <equality><connect body1="arm" body2="ball" anchor="0 0 0" active="false"/>
    <weld body1="mocap" body2="ball" active="true"/></equality>
  <actuator>
    <motor name="knee" joint="knee" ctrlrange="-1 1" ctrllimited="true"/>
    <position name="cord" tendon="cord"/>
    <motor name="hip" joint="hip" gear="1 0 0"/>
    <motor name="hand" site="hand" gear="0 0 1 0 0 0"/>
    <adhesion name="stick" body="ball" ctrlrange="0 1"/>
  </actuator>
  <sensor><rangefinder site="eye"/><rangefinder camera="flat"/></sensor>
</mujoco>
'''


def moved(module):
  model = module.MjModel.from_xml_string(XML)
  data = module.MjData(model)
  data.ctrl[:] = [.5, -.3, .2, 0, .7]
  data.xfrc_applied[1, 2] = 3
  for _ in range(20):
    module.mj_step(model, data)
  data.xfrc_applied[1, 2] = 3
  module.mj_forward(model, data)
  return model, data


@pytest.fixture(scope='module')
def both():
  ours, theirs = moved(cf), moved(mujoco)
  # pictures of one state, whatever the steps before did
  ours[1].qpos[:], ours[1].qvel[:] = theirs[1].qpos, theirs[1].qvel
  cf.mj_forward(*ours)
  return ours, theirs


def scene(module, model, data, change=lambda module, option, perturb: None, camera=-1):
  scn = module.MjvScene(model, maxgeom=1000)
  option, perturb, cam = module.MjvOption(), module.MjvPerturb(), module.MjvCamera()
  module.mjv_defaultFreeCamera(model, cam)
  if camera >= 0:
    cam.type, cam.fixedcamid = 2, camera
  change(module, option, perturb)
  module.mjv_updateScene(model, data, option, perturb, cam, 7, scn)
  return scn


def same(ours, theirs, names):
  for name in names:
    a, b = getattr(ours, name), getattr(theirs, name)
    if isinstance(b, (str, int)):
      assert a == b, name
    else:
      np.testing.assert_allclose(a, b, atol=2e-6, err_msg=name)


def compare(both, change=lambda module, option, perturb: None, camera=-1):
  ours = scene(cf, *both[0], change, camera)
  theirs = scene(mujoco, *both[1], change, camera)
  assert ours.ngeom == theirs.ngeom and ours.nlight == theirs.nlight
  for i in range(theirs.ngeom):
    same(ours.geoms[i], theirs.geoms[i], cf.MjvGeom._names)
  for i in range(theirs.nlight):
    same(ours.lights[i], theirs.lights[i], cf.MjvLight._names)
  for i in range(2):
    same(ours.camera[i], theirs.camera[i], cf.MjvGLCamera._names)
  return ours


def test_a_scene_is_that_of_mujoco(both):
  assert compare(both).ngeom > 10


@pytest.mark.parametrize('flag', range(31))
def test_flags_show_what_mujoco_shows(both, flag):
  def change(module, option, perturb):
    option.flags[flag] = not option.flags[flag]
  compare(both, change)


@pytest.mark.parametrize('label', range(17))
def test_labels_are_those_of_mujoco(both, label):
  def change(module, option, perturb):
    option.label = label
    option.flags[:] = 1
    perturb.select = 1
  compare(both, change)


@pytest.mark.parametrize('frame', range(8))
def test_frames_are_those_of_mujoco(both, frame):
  def change(module, option, perturb):
    option.frame = frame
    option.flags[[14, 16]] = 1
  compare(both, change)


@pytest.mark.parametrize('camera', range(3))
def test_cameras_are_those_of_mujoco(both, camera):
  compare(both, camera=camera)


@pytest.mark.parametrize('active', [(1, 0), (2, 0), (3, 1), (0, 2)])
def test_perturbations_are_drawn_as_by_mujoco(both, active):
  def change(module, option, perturb):
    perturb.select, perturb.active, perturb.active2 = 1, *active
    perturb.refpos[:], perturb.refselpos[:] = [.1, .2, .3], [.3, .2, .1]
    perturb.localpos[:] = [0, 0, .1]
    option.flags[21] = 1
  compare(both, change)


def test_the_mouse_moves_what_it_moves_in_mujoco(both):
  results = []
  for module, (model, data) in zip((cf, mujoco), both):
    scn = scene(module, model, data)
    cam, pert = module.MjvCamera(), module.MjvPerturb()
    module.mjv_defaultFreeCamera(model, cam)
    pert.select, pert.active = 1, 3
    module.mjv_initPerturb(model, data, scn, pert)
    numbers = [pert.localmass, pert.scale, *pert.refpos]
    for action in range(1, 8):
      module.mjv_moveCamera(model, action, .1, -.05, scn, cam)
      module.mjv_movePerturb(model, data, action, .1, -.05, scn, pert)
      numbers += [*cam.lookat, cam.distance, cam.azimuth, cam.elevation]
      numbers += [*pert.refpos, *pert.refquat, *pert.refselpos]
    module.mjv_applyPerturbForce(model, data, pert)
    numbers += [*data.xfrc_applied[1]]
    selected, point = [np.zeros((1, 1), np.int32) for _ in range(3)], np.zeros((3, 1))
    for x, y in ((.5, .5), (.5, .4), (.6, .55), (.1, .95)):
      body = module.mjv_select(model, data, module.MjvOption(), 4 / 3, x, y, scn, point, *selected)
      numbers += [body, *point.ravel(), *(s[0, 0] for s in selected)]
    head = [np.zeros((3, 1)) for _ in range(4)]
    module.mjv_cameraInModel(*head[:3], scn)
    numbers += [*np.ravel(head), module.mjv_frustumHeight(scn)]
    module.mjv_cameraFrame(*head, data, cam)
    frustum = [np.zeros((2, 1), np.float32) for _ in range(3)]
    module.mjv_cameraFrustum(*frustum, model, cam)
    numbers += [*np.ravel(head), *np.ravel(frustum)]
    results.append(numbers)
    data.xfrc_applied[:] = 0
  np.testing.assert_allclose(*results, rtol=1e-6, atol=1e-6)


def test_geoms_can_be_added_and_scenes_can_be_full(both):
  model, data = both[0]
  scn = scene(cf, model, data)
  count = scn.ngeom
  geom = scn.geoms[count]
  cf.mjv_initGeom(geom, cf.mjtGeom.mjGEOM_SPHERE, [.1, 0, 0], [0, 0, 1], np.eye(3).ravel(), [1, 0, 0, 1])
  cf.mjv_connector(scn.geoms[count + 1], cf.mjtGeom.mjGEOM_CAPSULE, .1, [0, 0, 0], [0, 0, 2])
  geom.label = 'here'
  scn.ngeom += 2
  assert scn.geoms[count].label == 'here' and scn.geoms[count].size.tolist() == pytest.approx([.1] * 3)
  assert scn.geoms[count + 1].pos.tolist() == [0, 0, 1]
  small = cf.MjvScene(model, 3)
  with pytest.warns(UserWarning, match='maxgeom=3'):
    cf.mjv_updateScene(model, data, cf.MjvOption(), None, cf.MjvCamera(), 7, small)
  assert small.ngeom == 3 and small.status == 1


@pytest.mark.parametrize('copied', [copy.copy, copy.deepcopy])
def test_copies_of_scenes_and_figures_are_their_own(copied):
  model, data = moved(cf)
  scene, figure = cf.MjvScene(model, 100), cf.MjvFigure()
  cf.mjv_updateScene(model, data, cf.MjvOption(), None, cf.MjvCamera(), 7, scene)
  other = copied(scene)
  assert other.ngeom == scene.ngeom > 0 and (other.geoms[0].pos == scene.geoms[0].pos).all()
  other.geoms[0].pos[:] = 9
  other.flags[0] = 1 - scene.flags[0]
  cf.mjv_updateScene(model, data, cf.MjvOption(), None, cf.MjvCamera(), 1, other)
  assert other.ngeom < scene.ngeom and (scene.geoms[0].pos != 9).any() and other.flags[0] != scene.flags[0]
  same = copied(figure)
  same.gridsize[0] = 7
  assert figure.gridsize[0] == 2


def test_pictures_show_colours_depths_and_segments():
  model, data = moved(cf)
  with cf.Renderer(model, 120, 160) as renderer:
    renderer.update_scene(data, 'side')
    picture = renderer.render()
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    assert picture.min() < 20 and picture.max() > 100
    out = np.zeros_like(picture)
    assert renderer.render(out=out) is out and (out == picture).all()
    renderer.enable_depth_rendering()
    depth = renderer.render()
    assert depth.shape == (120, 160) and depth.dtype == np.float32 and np.isfinite(depth).all()
    renderer.enable_segmentation_rendering()
    segments = renderer.render()
    ball = cf.mj_name2id(model, cf.mjtObj.mjOBJ_GEOM, 'ball')
    seen = (segments[..., 0] == ball) & (segments[..., 1] == cf.mjtObj.mjOBJ_GEOM)
    # two metres away, one fifth of a metre large
    assert seen.sum() > 100
    assert 1.5 < np.median(depth[seen]) < 2.5
    red = picture[seen].mean(0)
    assert red[0] > 2 * red[2]


def test_pictures_do_not_depend_on_threads():
  model, data = moved(cf)
  pictures = []
  for threads in (1, 2, 7):
    with cf.Renderer(model, 100, 130, threads=threads) as renderer:
      renderer.update_scene(data)
      pictures.append(renderer.render())
  assert (pictures[0] == pictures[1]).all() and (pictures[0] == pictures[2]).all()


def test_a_shadow_is_dark():
  model = cf.MjModel.from_xml_string('''
  <mujoco><worldbody><light pos="0 0 3" dir="0 0 -1" directional="true"/>
  <geom type="plane" size="2 2 .1" rgba="1 1 1 1"/><geom type="box" size=".3 .3 .01" pos="0 0 1"/>
  <camera name="top" pos="0 -1.5 2" xyaxes="1 0 0 0 .6 .8"/></worldbody></mujoco>''')
  data = cf.MjData(model)
  cf.mj_forward(model, data)
  with cf.Renderer(model, 60, 60) as renderer:
    renderer.update_scene(data, 'top')
    with_shadow = renderer.render().astype(int)
    renderer.scene.flags[cf.mjtRndFlag.mjRND_SHADOW] = 0
    without = renderer.render().astype(int)
  darker = (without - with_shadow).max(-1)
  assert darker.min() >= -1 and (darker > 50).sum() > 50


def test_bad_input_has_words():
  model, data = moved(cf)
  for height, width in ((0, 10), (10, 0), (10, 1_000_000), (-3, 10)):
    with pytest.raises(ValueError, match='[Ii]mage|picture'):
      cf.Renderer(model, height, width)
  renderer = cf.Renderer(model, 20, 20)
  with pytest.raises(ValueError, match='"nowhere" does not exist'):
    renderer.update_scene(data, 'nowhere')
  with pytest.raises(ValueError, match='7 is out of range'):
    renderer.update_scene(data, 7)
  with pytest.raises(ValueError, match='out.shape'):
    renderer.render(out=np.zeros((3, 3, 3), np.uint8))
  renderer.close()
  with pytest.raises(RuntimeError, match='after close'):
    renderer.render()


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf, 1e30, 0])
def test_scenes_with_senseless_numbers_give_some_picture(bad):
  model, data = moved(cf)
  with cf.Renderer(model, 40, 40) as renderer:
    renderer.update_scene(data)
    for geom in renderer.scene.geoms[:renderer.scene.ngeom]:
      geom.pos[0] = geom.size[1] = geom.mat[1, 2] = geom.rgba[0] = bad
    assert renderer.render().shape == (40, 40, 3)
    renderer.scene.lights[1].dir[:] = bad
    renderer.scene.camera[0].pos[:] = bad
    assert renderer.render().shape == (40, 40, 3)


def test_batches_have_a_picture_per_state_and_camera():
  model, data = moved(cf)
  states = [data.qpos.copy(), model.qpos0.copy()]
  batch = cf.render_batch(model, states, (-1, 'side', 'flat'), 30, 40)
  assert batch.shape == (2, 3, 30, 40, 3) and batch.dtype == np.uint8
  assert (batch[0, 1] != batch[1, 1]).any() and (batch[0, 0] != batch[0, 1]).any()
  assert cf.render_batch(model, states, mode='depth').shape == (2, 1, 240, 320)


def test_overlays_may_be_bytes():
  model = cf.MjModel.from_xml_string('<mujoco/>')
  pictures = []
  for text in ('time\nspeed', b'time\nspeed'):
    context = cf.MjrContext(model, 100)
    view = cf.MjrRect(0, 0, 200, 100)
    cf.mjr_rectangle(view, 0, 0, 0, 1)
    cf.mjr_overlay(0, 0, view, text, type(text)(), context)
    picture = np.zeros((100, 200, 3), np.uint8)
    cf.mjr_readPixels(picture, None, view, context)
    pictures.append(picture)
  assert pictures[0].any() and (pictures[0] == pictures[1]).all()


def test_pictures_are_written_as_files(tmp_path):
  frames = np.zeros((3, 20, 30, 3), np.uint8)
  frames[1, 5:9] = 200
  cf.media.write_image(tmp_path / 'a.png', frames[1])
  cf.media.write_video(tmp_path / 'a.apng', frames, 25)
  assert (tmp_path / 'a.png').read_bytes().startswith(b'\x89PNG')
  assert (tmp_path / 'a.apng').read_bytes().count(b'fcTL') == 3
  cf.media.write_video(tmp_path / 'a.mp4', (frame for frame in frames), 25)
  file = (tmp_path / 'a.mp4').read_bytes()
  assert file[4:8] == b'ftyp' and b'moov' in file and b'avcC' in file
  assert file == cf.media.mp4(frames, 25)
  assert '<video' in cf.media.show_video(frames)._repr_html_()
  assert '<img' in cf.media.show_image(frames[0])._repr_html_()


def test_videos_that_cannot_be_written_say_why(tmp_path):
  frames = np.zeros((3, 20, 30, 3), np.uint8)
  with pytest.raises(ValueError, match='apng'):
    cf.media.write_video(tmp_path / 'a.avi', frames)
  for bad, words in [([], 'no pictures'), ([frames[0], frames[0, 1:]], 'one size'),
                     ([frames[0, 0]], 'shape')]:
    for name in ('a.mp4', 'a.apng'):
      with pytest.raises(ValueError, match=words):
        cf.media.write_video(tmp_path / name, bad)
  with pytest.raises(ValueError, match='per second'):
    cf.media.mp4(frames, fps=0)
  assert not list(tmp_path.iterdir())


def test_pictures_of_all_sizes_are_drawn_or_refused():
  model, data = moved(cf)
  for height, width in [(1, 1), (1, 2000), (2000, 1), (33, 31)]:
    with cf.Renderer(model, height, width) as renderer:
      renderer.update_scene(data)
      assert renderer.render().shape == (height, width, 3)
  model.vis.global_.offwidth = model.vis.global_.offheight = 1_000_000
  for height, width in [(1_000_000, 1_000_000), (1, 1_000_000), (8192, 8192)]:
    with pytest.raises(ValueError, match='too large'):
      cf.Renderer(model, height, width)


def test_textures_and_meshes_at_their_limits_are_drawn():
  xml = '''
  <mujoco>
    <asset>
      <texture name="one" type="2d" builtin="flat" width="1" height="1" rgb1="1 0 0"/>
      <texture name="wide" type="2d" builtin="checker" width="4096" height="1" rgb1="1 0 0"/>
      <texture name="sky" type="skybox" builtin="gradient" width="1" height="6" rgb1="0 1 0"/>
      <material name="one" texture="one" texrepeat="1e6 1e-6"/>
      <material name="wide" texture="wide" texuniform="true" texrepeat="0 0"/>
      <mesh name="tiny" vertex="0 0 0  1e-4 0 0  0 1e-4 0  0 0 1e-4"/>
      <mesh name="huge" vertex="0 0 0  1e6 0 0  0 1e6 0  0 0 1e6"/>
    </asset>
    <worldbody>
      <light pos="0 0 2"/>
      <geom type="plane" size="0 0 1e-9" material="one"/>
      <geom type="plane" size="1e5 1e-5 1e5" pos="0 0 .1" material="wide"/>
      <geom type="mesh" mesh="tiny" material="wide"/>
      <body><geom type="mesh" mesh="huge" material="one"/></body>
    </worldbody>
  </mujoco>'''
  model = cf.MjModel.from_xml_string(xml)
  data = cf.MjData(model)
  cf.mj_forward(model, data)
  with cf.Renderer(model, 60, 80) as renderer:
    for extent in (1e-9, 1, 1e9):
      model.stat.extent = extent
      renderer.update_scene(data)
      assert renderer.render().shape == (60, 80, 3)


@pytest.mark.parametrize('module', ['renderer_test', 'render_test'])
def test_the_tests_of_mujoco_pass(module):
  path = f'{mujoco.__path__[0]}/{module}.py'
  done = subprocess.run([sys.executable, '-m', 'cortenforge.as_mujoco', path],
                        capture_output=True, text=True, check=False)
  assert done.returncode == 0 and 'OK' in done.stderr and 'skipped' not in done.stderr, done.stderr


def seen_points(renderer, data, camera):
  """Places in the world of the middles of pixels, by depth, and the rays through them."""
  renderer.update_scene(data, camera)
  renderer.enable_depth_rendering()
  depth = renderer.render().astype(float)
  renderer.disable_depth_rendering()
  eye = renderer.scene.camera[0]
  forward, up = np.array(eye.forward, float), np.array(eye.up, float)
  position = 0.5 * (np.array(eye.pos, float) + np.array(renderer.scene.camera[1].pos))
  right = np.cross(forward, up)
  height, width = depth.shape
  scale = 2 * eye.frustum_top / eye.frustum_near / height
  x, y = np.meshgrid((np.arange(width) + .5 - width / 2) * scale,
                     (height / 2 - np.arange(height) - .5) * scale)
  rays = forward + x[..., None] * right + y[..., None] * up

  def project(points):
    away = points - position
    distance = away @ forward
    return np.stack([away @ right / distance / scale + width / 2,
                     height / 2 - away @ up / distance / scale], -1)

  return position + depth[..., None] * rays, project


def test_normals_are_those_of_the_surfaces():
  model, data = moved(cf)
  ball = model.geom('ball').id
  with cf.Renderer(model, 120, 160) as renderer:
    points, _ = seen_points(renderer, data, 'side')
    normals = renderer.normals()
    renderer.enable_segmentation_rendering()
    ids, kinds = np.moveaxis(renderer.render(), -1, 0)
  geom = kinds == int(cf.mjtObj.mjOBJ_GEOM)
  floor, sphere = geom & (ids == model.geom('floor').id), geom & (ids == ball)
  assert floor.sum() > 1000 and sphere.sum() > 100
  assert np.abs(normals[floor] - [0, 0, 1]).max() < 1e-6
  radial = (points[sphere] - data.geom_xpos[ball]) / model.geom_size[ball, 0]
  # the ball is drawn with flat faces
  assert np.abs(normals[sphere] - radial).max() < 0.05
  assert not normals[kinds == -1].any()
  np.testing.assert_allclose(np.linalg.norm(normals[geom], axis=-1), 1, atol=1e-5)


def test_flow_is_how_points_of_bodies_move():
  model, data = moved(cf)
  before = cf.MjData(model)
  before.qpos[:] = data.qpos
  before.qpos[:3] += [.06, -.03, .02]
  before.qpos[7:11] = [np.cos(.1), 0, np.sin(.1), 0]
  cf.mj_forward(model, before)
  flow = cf.render_batch(model, [before, data], ['side'], 120, 160, mode='flow')
  assert flow.shape == (2, 1, 120, 160, 2) and not flow[0].any()
  flow = flow[1, 0]
  with cf.Renderer(model, 120, 160) as renderer:
    points, project = seen_points(renderer, data, 'side')
    renderer.enable_segmentation_rendering()
    ids, kinds = np.moveaxis(renderer.render(), -1, 0)
  checked = 0
  for geom in range(model.ngeom):
    here = (kinds == int(cf.mjtObj.mjOBJ_GEOM)) & (ids == geom)
    turn = before.geom_xmat[geom].reshape(3, 3) @ data.geom_xmat[geom].reshape(3, 3).T
    then = before.geom_xpos[geom] + (points[here] - data.geom_xpos[geom]) @ turn.T
    expected = project(points[here]) - project(then)
    assert np.abs(flow[here] - expected).max(initial=0) < 0.01, model.geom(geom).name
    checked += here.sum() if np.abs(expected).max(initial=0) > 0.5 else 0
  assert checked > 200 and not flow[kinds == -1].any()


def test_flow_follows_the_camera():
  model, data = moved(cf)
  camera = cf.MjvCamera()
  cf.mjv_defaultFreeCamera(model, camera)
  with cf.Renderer(model, 60, 80) as renderer:
    renderer.update_scene(data, camera)
    before, renderer._scene = renderer.scene, cf.MjvScene(model, 1000)
    _, project_before = seen_points(renderer, data, camera)
    camera.azimuth += 2
    points, project = seen_points(renderer, data, camera)
    flow = renderer.flow(before)
    renderer.enable_segmentation_rendering()
    seen = renderer.render()[..., 1] == int(cf.mjtObj.mjOBJ_GEOM)
  expected = project(points) - project_before(points)
  assert np.abs(expected[seen]).max() > 1
  assert np.abs(flow - expected)[seen].max() < 0.02


def test_a_wireframe_shows_edges_only():
  model = cf.MjModel.from_xml_string('''<mujoco><worldbody><light pos="0 0 3"/>
    <geom type="box" size=".3 .3 .3" rgba="1 1 1 1"/></worldbody>
    <visual><quality numquads="1"/></visual></mujoco>''')
  data = cf.MjData(model)
  cf.mj_forward(model, data)
  camera = cf.MjvCamera()
  cf.mjv_defaultFreeCamera(model, camera)
  camera.azimuth, camera.elevation, camera.distance = 90, 0, 2
  with cf.Renderer(model, 100, 100) as renderer:
    renderer.update_scene(data, camera)
    solid = renderer.render().any(-1)
    renderer.scene.flags[int(cf.mjtRndFlag.mjRND_WIREFRAME)] = 1
    wire = renderer.render().any(-1)
  rows, columns = np.nonzero(solid)
  inner = wire[rows.min() + 2:rows.max() - 1, columns.min() + 2:columns.max() - 1]
  # one side is seen: its four edges, without the diagonal that cuts it in two
  assert inner.size > 500 and not inner.any()
  assert wire[rows.min() - 1:rows.min() + 2, columns.min() + 3:columns.max() - 2].any(0).all()
  assert wire[rows.min() + 3:rows.max() - 2, columns.min() - 1:columns.min() + 2].any(1).all()

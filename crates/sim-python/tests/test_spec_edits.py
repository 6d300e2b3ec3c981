"""Random edits of models, beside MuJoCo."""

import pathlib
import sys

import mujoco
import numpy as np
import pytest

import cortenforge

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / 'crates' / 'sim-conformance-tests' / 'python'))

import spec_edits  # noqa: E402  pylint: disable=wrong-import-position


@pytest.mark.filterwarnings('ignore')
def test_random_edits_give_the_models_of_mujoco():
  compiled = 0
  for seed in range(1000, 1020):
    found, compiles = spec_edits.compare(seed, 40)
    assert not found, f'seed {seed}: {found}'
    compiled += compiles
  assert compiled > 10


def test_what_is_added_to_an_attached_body_has_the_defaults_of_the_parent():
  child = cortenforge.MjSpec.from_string(
      '<mujoco><default><geom friction="0.7"/></default><worldbody><body name="x">'
      '<geom size="0.1"/></body></worldbody></mujoco>')
  parent = cortenforge.MjSpec()
  parent.default.geom.friction = [0.3, 0.2, 0.1]
  body = parent.worldbody.add_frame().attach_body(child.body('x'), 'p_', '')
  body.add_geom(size=[0.1, 0, 0])
  model = parent.compile()
  assert list(model.geom_friction[:, 0]) == [0.7, 0.3]


def test_many_bodies_nest_without_running_out_of_stack():
  spec = cortenforge.MjSpec()
  body = spec.worldbody
  for _ in range(5000):
    body = body.add_body()
  body.add_geom(size=[0.1, 0, 0])
  assert spec.compile().nbody == 5001
  assert spec.to_xml().count('<body') == 5000
  spec.delete(spec.worldbody.bodies[0])
  assert spec.compile().nbody == 1


ARM = '''<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>'''
TOOLS = '''<mujoco>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <frame name="rack" pos="1 2 3" euler="0 0 90">
      <body name="b" pos="1 0 0"><joint name="jb"/><geom size=".1" class="red"/></body>
      <geom name="g" size=".2"/><site name="s"/><frame name="inner"><geom name="i" size=".3"/></frame>
    </frame>
    <body name="other"><joint name="jo"/><geom size="1"/></body>
  </worldbody>
  <actuator><motor name="mb" joint="jb"/><motor name="mo" joint="jo"/></actuator>
</mujoco>'''


@pytest.mark.parametrize('copies', [False, True])
def test_a_frame_is_attached_with_what_is_in_it(copies):
  seen = []
  for engine in (mujoco, cortenforge):
    parent, child = engine.MjSpec.from_string(ARM), engine.MjSpec.from_string(TOOLS)
    parent.copy_during_attach = copies
    rack, body = child.frame('rack'), child.body('b')
    frame = parent.body('a').attach_frame(rack, 'p-', '-s')
    assert (frame is rack) == (not copies)
    assert (parent.body('p-b-s') is body) == (not copies)
    body.pos[0] = 5
    model = parent.compile()
    seen.append((frame.name, frame.parent.name, [x.name for x in parent.bodies],
                 [x.name for x in parent.geoms], [x.name for x in parent.frames],
                 [x.name for x in parent.actuators], model.body_pos.round(12).tolist(),
                 model.geom_pos.round(12).tolist(), model.geom_rgba.tolist(), model.signature))
  assert seen[0] == seen[1]


def test_the_state_goes_with_its_elements_when_a_model_is_compiled_again():
  states = []
  for engine in (mujoco, cortenforge):
    spec = engine.MjSpec.from_string(
        '<mujoco><worldbody><body name="a"><joint name="j1"/><geom size=".1"/><body name="b"><joint name="j2"/>'
        '<geom size=".1"/></body></body><body name="m" mocap="true" pos="1 0 0"/></worldbody><actuator>'
        '<motor name="x" joint="j1"/><intvelocity name="y" joint="j2" kp="1" actrange="-9 9"/></actuator></mujoco>')
    model = spec.compile()
    data = engine.MjData(model)
    data.time, data.qpos[:], data.qvel[:], data.ctrl[:], data.act[:] = 3, [.1, .2], [.3, .4], [5, 6], [7]
    data.mocap_pos[:] = [[1, 2, 3]]
    new = spec.body('a').add_body(name='new')
    new.add_geom(size=[.1, 0, 0])
    new.add_joint(name='last')
    first = spec.worldbody.add_body(name='first')
    first.add_freejoint()
    first.add_geom(size=[.1, 0, 0])
    spec.worldbody.add_body(name='m2', mocap=True, pos=[0, 9, 0])
    spec.body('a').add_joint(name='middle', axis=[1, 0, 0])
    model, data = spec.recompile(model, data)
    states.append([data.time, *(getattr(data, name).tolist() for name in (
        'qpos', 'qvel', 'ctrl', 'act', 'mocap_pos', 'mocap_quat'))])
  assert states[0] == states[1]
  # MuJoCo gives what is left the controls of the actuator that is gone
  spec.delete(spec.actuator('x'))
  model, data = spec.recompile(model, data)
  assert (data.ctrl.tolist(), data.act.tolist()) == ([6], [7])


def test_every_property_of_the_classes_of_mujoco_is_there():
  import mujoco._specs
  for name in dir(mujoco._specs):
    theirs = getattr(mujoco._specs, name)
    if isinstance(theirs, type) and not name.startswith('_'):
      ours = getattr(cortenforge, name)
      lacking = [x for x in dir(theirs) if not x.startswith('_') and not hasattr(ours, x)]
      assert not lacking, (name, lacking)


def test_fields_beyond_those_of_mjcf():
  models = []
  for engine in (mujoco, cortenforge):
    spec = engine.MjSpec()
    mesh = spec.add_mesh(name='k', uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
                         userface=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], usertexcoord=[0, 0, 1, 0])
    mesh.userfacetexcoord = [0] * 6 + [1] * 6
    spec.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_MESH, meshname='k')
    spec.worldbody.add_camera(intrinsic=[1, 2, 3, 4])
    spec.compiler.LRopt.accel = 33
    spec.default.flex.radius = 0.25
    assert spec.copy().compiler.LRopt.accel == 33 and spec.default.flex.radius == 0.25
    models.append(spec.compile())
  for name in ('mesh_facetexcoord', 'mesh_facenormal', 'cam_intrinsic'):
    np.testing.assert_array_equal(getattr(models[0], name), getattr(models[1], name))
  mesh.needsdf = 1
  with pytest.raises(ValueError, match='signed distance fields are not supported'):
    spec.compile()


def test_what_was_deleted_or_belongs_elsewhere_is_refused():
  spec, other = cortenforge.MjSpec.from_string(ARM), cortenforge.MjSpec.from_string(TOOLS)
  body, rack = other.body('b'), other.frame('rack')
  other.delete(body)
  frame = spec.worldbody.add_frame()
  with pytest.raises(ValueError, match='deleted'):
    frame.attach_body(body, 'x', '')
  site = spec.worldbody.add_site()
  with pytest.raises(ValueError, match='deleted'):
    site.attach_body(body, 'x', '')
  with pytest.raises(TypeError):
    frame.attach_body(spec.geoms[0], 'x', '')
  with pytest.raises(TypeError):
    spec.worldbody.attach_frame(body, 'x', '')
  with pytest.raises(TypeError):
    spec.attach(other, site=frame)
  with pytest.raises(ValueError, match='another spec'):
    spec.geoms[0].set_frame(rack)
  with pytest.raises(ValueError, match='another spec'):
    spec.geoms[0].classname = other.default
  with pytest.raises(ValueError, match='another spec'):
    spec.worldbody.add_geom(other.find_default('red'))
  with pytest.raises(ValueError, match='another spec'):
    spec.delete(other.find_default('red'))
  default = spec.add_default('gone', None)
  spec.delete(default)
  # the class counts as none given
  assert spec.worldbody.add_geom(default, size=[1, 0, 0]).classname.name == 'main'
  assert len(spec.frames) == 1 and spec.compile().nbody == 2


def test_names_are_checked_quickly_after_deleting():
  spec = cortenforge.MjSpec()
  frame = spec.worldbody.add_frame()
  spec.delete(spec.worldbody.add_body(name='gone'))
  # quadratic time would take minutes
  for i in range(20000):
    frame.add_body(name=f'b{i}')
  with pytest.raises(ValueError, match="repeated name 'b7' in body"):
    spec.worldbody.add_body().name = 'b7'


@pytest.mark.filterwarnings('ignore')
@pytest.mark.parametrize('how', ['spec', 'body', 'frame'])
def test_keyframes_come_with_what_is_attached(how):
  seen = []
  for engine in (mujoco, cortenforge):
    parent = engine.MjSpec.from_string(ARM.replace(
        '</mujoco>', '<keyframe><key name="own" qpos="9"/></keyframe></mujoco>'))
    child = engine.MjSpec.from_string(TOOLS.replace(
        '</mujoco>', '<keyframe><key name="k" qpos=".1 .2" ctrl="3 4" time="5"/></keyframe></mujoco>'))
    if how == 'spec':
      parent.attach(child, prefix='p', frame=parent.worldbody.add_frame())
    elif how == 'body':
      parent.worldbody.add_frame().attach_body(child.body('b'), 'p', '')
    else:
      parent.worldbody.attach_frame(child.frame('rack'), 'p', '')
    model = parent.compile()
    seen.append(([model.key(i).name for i in range(model.nkey)], model.key_qpos.tolist(),
                 model.key_ctrl.tolist(), model.key_time.tolist(), [x.name for x in parent.keys]))
  assert seen[0] == seen[1]

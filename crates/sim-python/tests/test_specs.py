"""MjSpec: elements that are added, found, changed, deleted and attached."""

import time

import cortenforge
import numpy as np
import pytest


def ball(spec, body=None, **attributes):
  """A body with a ball in it."""
  body = (body or spec.worldbody).add_body(**attributes)
  body.add_geom(size=[0.1])
  return body


def test_elements_are_the_same_object_wherever_they_come_from():
  spec = cortenforge.MjSpec()
  body = ball(spec, name='a')
  geom = body.geoms[0]
  assert spec.body('a') is body and geom.parent is body and spec.geoms == [geom]
  assert spec.body('b') is None and spec.worldbody.parent is None


def test_what_is_written_to_an_array_is_part_of_the_model():
  spec = cortenforge.MjSpec()
  ball(spec, name='a', pos=[1, 2, 3])
  spec.body('a').pos[1] = 5
  kept = spec.body('a').pos
  assert list(spec.compile().body_pos[1]) == [1, 5, 3]
  kept[2] = 7
  spec.body('a').quat = [0, 1, 0, 0]
  model = spec.compile()
  assert list(model.body_pos[1]) == [1, 5, 7] and list(model.body_quat[1]) == [0, 1, 0, 0]


def test_defaults_are_copied_when_an_element_is_added():
  spec = cortenforge.MjSpec()
  spec.default.geom.size[0] = 2
  inner = spec.add_default('inner', spec.default)
  assert spec.add_default('inner', None) is None
  inner.geom.rgba = [1, 0, 0, 1]
  geom = spec.worldbody.add_geom(inner)
  inner.geom.size[0] = 3
  assert geom.size[0] == 2 and geom.rgba[0] == 1 and geom.classname is inner
  spec.delete(inner)
  assert geom.classname is spec.default and spec.find_default('inner') is None
  with pytest.raises(ValueError, match='main'):
    spec.delete(spec.default)


def test_a_body_takes_along_what_refers_to_it():
  spec = cortenforge.MjSpec()
  for i in range(3):
    body = ball(spec, name=f'b{i}')
    body.add_joint(name=f'j{i}')
    spec.add_actuator(trntype=cortenforge.mjtTrn.mjTRN_JOINT, target=f'j{i}')
  spec.delete(spec.body('b1'))
  model = spec.compile()
  assert (model.nbody, model.nu) == (3, 2)
  with pytest.raises(ValueError):
    spec.delete(spec.worldbody)
  with pytest.raises(ValueError):
    body.pos = [1, 2]
  with pytest.raises(ValueError):
    cortenforge.MjSpec().delete(body)


def test_an_attached_body_is_still_the_one_that_it_was():
  child = cortenforge.MjSpec()
  body = ball(child, name='a')
  array = body.pos
  parent = cortenforge.MjSpec()
  frame = parent.worldbody.add_frame(pos=[0, 0, 1])
  assert parent.attach(child, prefix='x_', frame=frame) is not None
  array[0] = 4
  assert parent.body('x_a') is body and body.name == 'x_a' and child.bodies == [body]
  assert list(parent.compile().body_pos[1]) == [4, 0, 1]
  with pytest.raises(ValueError, match='cannot compile child spec'):
    child.compile()
  with pytest.raises(ValueError):
    parent.attach(parent, frame=frame)


def test_a_copy_that_is_attached_leaves_the_model_as_it_is():
  child = cortenforge.MjSpec()
  ball(child, name='a')
  parent = cortenforge.MjSpec()
  parent.copy_during_attach = True
  for prefix in 'xy':
    parent.attach(child, prefix=prefix, frame=parent.worldbody.add_frame())
  assert parent.compile().nbody == 3 and child.compile().nbody == 2
  with pytest.raises(ValueError, match="another body called 'xa'"):
    parent.attach(child, prefix='x', frame=parent.worldbody.add_frame())
  assert parent.compile().nbody == 3


def test_bind_finds_the_element_in_model_and_data():
  spec = cortenforge.MjSpec()
  joints = [ball(spec, pos=[i, 0, 0]).add_joint() for i in range(3)]
  model = spec.compile()
  data = cortenforge.MjData(model)
  data.bind(joints[1:]).qpos = [1, 2]
  assert list(data.qpos) == [0, 1, 2] and model.bind(joints[2]).id == 2
  ball(spec)
  with pytest.raises(ValueError, match='does not match'):
    model.bind(joints[0])


def test_wrong_values_are_refused_and_change_nothing():
  spec = cortenforge.MjSpec()
  geom = ball(spec).geoms[0]
  for name, value in (('type', 3), ('contype', 1.5), ('size', []), ('material', 3),
                      ('userdata', 'x')):
    with pytest.raises((TypeError, ValueError)):
      setattr(geom, name, value)
  with pytest.raises(TypeError):
    spec.worldbody.add_geom(vel=1)
  with pytest.raises((TypeError, ValueError)):
    spec.worldbody.add_geom(type=333)
  assert len(spec.geoms) == 1
  spec.add_material(name='m')
  with pytest.raises(ValueError, match="repeated name 'm' in material"):
    spec.add_material().name = 'm'


def test_settings_are_live():
  spec = cortenforge.MjSpec.from_string('<mujoco><option timestep="0.1"/></mujoco>')
  assert spec.option.timestep == 0.1 and np.isnan(spec.stat.extent)
  spec.option.timestep = 0.2
  spec.stat.extent = 3
  spec.compiler.degree = 0
  spec.modelname = 'm'
  model = spec.copy().compile()
  assert (model.opt.timestep, model.stat.extent) == (0.2, 3)


def test_adding_takes_linear_time():
  def seconds(count):
    spec = cortenforge.MjSpec()
    start = time.perf_counter()
    for i in range(count):
      spec.worldbody.add_body(name=f'b{i}')
      spec.body(f'b{i // 2}').pos[0] = 1
    return time.perf_counter() - start

  seconds(100)
  assert seconds(8000) < 40 * seconds(1000)

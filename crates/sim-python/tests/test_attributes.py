"""Attributes against those of the mujoco package: presence, types, shapes, views."""

import gc
import resource

import mujoco
import numpy as np
import pytest
from conftest import EMPTY, PENDULUM, ROBOT, fields

import cortenforge

# memory management of the C library, which has no counterpart here
INTERNAL = {'signature', 'maxuse_arena', 'maxuse_stack', 'maxuse_threadstack', 'narena', 'nbuffer',
            'parena', 'pbase', 'pstack', 'plugin_data', 'threadpool', 'nplugin'}
VISUAL = ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba')


def both(xml):
  """The model and its data in both packages."""
  ours, theirs = (m.MjModel.from_xml_string(xml) for m in (cortenforge, mujoco))
  return (ours, cortenforge.MjData(ours)), (theirs, mujoco.MjData(theirs))


def grown():
  """Arrays of data whose length follows the constraints."""
  rows = cortenforge._native._tables()['structs']['MjData']
  return {name for name, kind, _, _, writable in rows
          if not writable and kind not in ('int', 'float')}


def check_same_kind(ours, theirs, left_out=()):
  for name in fields(theirs):
    if name in left_out:
      continue
    mine, reference = getattr(ours, name), getattr(theirs, name)
    if isinstance(reference, np.ndarray):
      assert (name, mine.dtype, mine.ndim) == (name, reference.dtype, reference.ndim)
      assert (name, mine.shape) == (name, reference.shape)
      assert mine.flags.writeable == reference.flags.writeable, name
      assert mine.flags.c_contiguous, name
    else:
      assert (name, type(mine)) == (name, type(reference))


def test_model_attributes_have_the_types_and_shapes_of_mujoco(xml):
  (model, _), (reference, _) = both(xml)
  check_same_kind(model, reference, INTERNAL)
  check_same_kind(model.opt, reference.opt)
  check_same_kind(model.stat, reference.stat)
  for part in VISUAL:
    # mujoco shows these two colours as empty arrays
    check_same_kind(getattr(model.vis, part), getattr(reference.vis, part), {'bv', 'bvactive'})


def test_data_attributes_have_the_types_and_shapes_of_mujoco(xml):
  (_, data), (_, reference) = both(xml)
  changing = grown()
  check_same_kind(data, reference, INTERNAL | changing)
  for name in changing:
    mine, theirs = getattr(data, name), getattr(reference, name)
    assert (name, mine.dtype, mine.ndim) == (name, theirs.dtype, theirs.ndim)


def test_model_values_are_those_of_mujoco(xml):
  (model, _), (reference, _) = both(xml)
  for name in fields(reference):
    if name not in INTERNAL | {'njmax', 'nconmax'}:
      mine, theirs = getattr(model, name), getattr(reference, name)
      if isinstance(theirs, bytes):
        assert (name, mine) == (name, theirs)
      else:
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12, err_msg=name)


def test_texts_are_bytes():
  (model, _), (reference, _) = both(ROBOT)
  assert model.names == reference.names
  assert model.text_data == reference.text_data == b'hello\0'


def test_an_array_is_one_live_view():
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  data = cortenforge.MjData(model)
  assert data.qpos is data.qpos
  assert model.body_mass is model.body_mass
  view = data.qpos
  view[0] = 0.5
  cortenforge.mj_kinematics(model, data)
  assert data.xipos[1, 0] == pytest.approx(-0.5 * np.sin(0.5))
  cortenforge.mj_step(model, data)
  assert view[0] != 0.5
  cortenforge.mj_resetData(model, data)
  assert view[0] == 0.0


def test_a_view_keeps_the_memory_alive():
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  data = cortenforge.MjData(model)
  views = [data.qpos, data.warning.number, data.energy, model.body_mass, model.opt.gravity,
           data.joint('hinge').qvel]
  data.qpos[:] = 3.0
  del model, data
  gc.collect()
  junk = [np.full(1000, np.nan) for _ in range(1000)]
  assert views[0][0] == 3.0
  assert views[3][1] > 0.0
  assert views[4][2] == -9.81
  assert all(np.all(np.isfinite(view)) for view in views) and junk


def test_objects_are_freed():
  def grow(count):
    for _ in range(count):
      model = cortenforge.MjModel.from_xml_string(ROBOT)
      data = cortenforge.MjData(model)
      _ = data.qpos, data.body('torso').xpos, data.contact, model.opt.gravity, data.warning[0]
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

  before = grow(50)
  # each data holds more than 200 kB of solver statistics
  assert grow(200) - before < 20_000


def test_setting_an_array_fills_it():
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  data = cortenforge.MjData(model)
  view = data.qvel
  data.qvel = 2.0
  assert np.all(view == 2.0)
  data.qvel = np.arange(model.nv)
  assert view[3] == 3.0
  with pytest.raises(ValueError, match='broadcast'):
    data.qvel = [1.0, 2.0]
  model.body_mass = np.ones(model.nbody)
  assert model.body_mass[1] == 1.0
  model.opt.gravity = [1, 2, 3]
  assert list(model.opt.gravity) == [1, 2, 3]


def test_numbers_are_set_and_checked():
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  data = cortenforge.MjData(model)
  data.time = 2
  assert data.time == 2.0
  model.opt.timestep = 0.01
  cortenforge.mj_step(model, data)
  assert data.time == pytest.approx(2.01)
  model.opt.integrator = cortenforge.mjtIntegrator.mjINT_RK4
  assert model.opt.integrator == 1
  model.vis.global_.offwidth = 800
  assert model.vis.global_.offwidth == 800
  for obj, name, value in ((data, 'time', 'x'), (model.opt, 'integrator', 1.5)):
    with pytest.raises(TypeError):
      setattr(obj, name, value)
  with pytest.raises(OverflowError):
    model.opt.integrator = 2**40


@pytest.mark.parametrize('name', ['nq', 'names', 'opt', 'no_such_field'])
def test_what_cannot_be_set_of_a_model_says_so(name):
  with pytest.raises(AttributeError):
    setattr(cortenforge.MjModel.from_xml_string(EMPTY), name, 1)


@pytest.mark.parametrize('name', ['ncon', 'efc_J', 'contact', 'model', 'no_such_field'])
def test_what_cannot_be_set_of_data_says_so(name):
  with pytest.raises(AttributeError):
    setattr(cortenforge.MjData(cortenforge.MjModel.from_xml_string(EMPTY)), name, 1)


def test_an_attribute_rejects_objects_of_other_classes():
  model = cortenforge.MjModel.from_xml_string(EMPTY)
  with pytest.raises(TypeError, match='qpos'):
    cortenforge.MjData.qpos.__get__(model)
  with pytest.raises(TypeError):
    cortenforge.MjData.qpos.__get__(3)


def test_every_attribute_is_documented():
  assert cortenforge.MjData.time.__doc__ == 'Simulation time. (float)'
  assert cortenforge.MjData.xpos.__doc__.endswith('(float64[nbody, 3])')
  assert cortenforge.MjData.xpos.__name__ == 'xpos'
  for cls in (cortenforge.MjModel, cortenforge.MjData, cortenforge.MjOption):
    for name, attribute in vars(cls).items():
      if not name.startswith('_'):
        assert attribute.__doc__.strip(), f'{cls.__name__}.{name}'
        assert 'crate::' not in attribute.__doc__, f'{cls.__name__}.{name}'


def test_structs_print_their_fields():
  (model, data), (reference, reference_data) = both(PENDULUM)
  assert repr(model.opt) == repr(reference.opt)
  assert repr(data.warning[0]) == repr(reference_data.warning[0])
  assert 'global_: <' in repr(model.vis)


def test_warnings_are_counted_by_kind():
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  data = cortenforge.MjData(model)
  kind = cortenforge.mjtWarning.mjWARN_BADQPOS
  assert len(data.warning) == 8
  data.qpos[0] = np.nan
  cortenforge.mj_step(model, data)
  assert data.warning[kind].number == 1
  assert data.warning[kind].lastinfo == 0
  assert list(data.warning.number) == [0, 0, 0, 0, 1, 0, 0, 0]
  data.warning[kind].number = 0
  assert not np.any(data.warning.number)
  with pytest.raises(IndexError):
    _ = data.warning[8]
  assert [w.number for w in data.warning] == 8 * [0]
  assert len(data.timer) == 15 and data.timer[-1].duration == 0.0


def test_contacts_of_a_scene_without_any():
  data = cortenforge.MjData(cortenforge.MjModel.from_xml_string(EMPTY))
  reference = mujoco.MjData(mujoco.MjModel.from_xml_string(EMPTY))
  assert len(data.contact) == data.ncon == 0
  assert len(data.contact[:]) == 0 and data.contact[:] == data.contact
  for name in ('pos', 'dist', 'geom', 'frame', 'dim', 'efc_address', 'solref', 'H'):
    mine, theirs = getattr(data.contact, name), getattr(reference.contact, name)
    assert (name, mine.shape, mine.dtype) == (name, theirs.shape, theirs.dtype)
  with pytest.raises(IndexError):
    _ = data.contact[0]
  with pytest.raises(AttributeError):
    _ = data.contact.no_such_field


def test_contacts_read_and_write_through_the_list():
  added = {'dist': -0.5, 'pos': [1, 2, 3], 'frame': np.arange(9), 'dim': 3, 'geom': [0, 1],
           'friction': [1, 1, 0.5, 0.1, 0.1], 'solref': [0.02, 1], 'efc_address': 7}
  lists = []
  for module in (cortenforge, mujoco):
    model = module.MjModel.from_xml_string(ROBOT)
    data = module.MjData(model)
    for scale in (1, 2):
      contact = module.MjContact()
      for name, value in added.items():
        setattr(contact, name, scale * np.asarray(value) if np.ndim(value) else scale * value)
      assert module.mj_addContact(model, data, contact) == 0
    data.contact[1].mu = 0.25
    data.contact[1].pos = [7, 8, 9]
    lists.append((data, data.contact))
  (data, ours), (_, theirs) = lists
  assert len(ours) == len(theirs) == data.ncon == 2
  for name in (*added, 'mu'):
    mine, reference = getattr(ours, name), getattr(theirs, name)
    assert (name, mine.shape, mine.dtype) == (name, reference.shape, reference.dtype)
    assert np.array_equal(mine, reference), name
    assert np.array_equal(getattr(ours[0], name), getattr(theirs[0], name)), name
    assert type(getattr(ours[-1], name)) is type(getattr(theirs[1], name)), name
  assert [contact.dist for contact in ours] == [-0.5, -1.0]
  assert [contact.dist for contact in ours[::-1]] == [-1.0, -0.5]
  with pytest.raises(ValueError):
    ours[0].pos = [1, 2]
  with pytest.raises(AttributeError):
    ours[0].no_such_field = 1
  assert '  dist: -0.5\n' in repr(ours[0]) and repr(ours).startswith('<_MjContactList\n')

  stale = ours[1]
  cortenforge.mj_resetData(data.model, data)
  assert len(ours) == 0
  with pytest.raises(IndexError, match='no longer'):
    _ = stale.pos

"""Structs as values: made, compared, copied, printed, referred to weakly, subclassed."""

import copy
import gc
import pickle
import weakref

import mujoco
import numpy as np
import pytest

import cortenforge

RECORDS = ('MjOption', 'MjStatistic', 'MjContact', 'MjWarningStat', 'MjTimerStat', 'MjSolverStat',
           'MjLROpt', 'MjVisualHeadlight', 'MjVisualRgba')

FALLING = '<mujoco><worldbody><geom type="plane" size="5 5 1"/><body pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>'


def number(struct):
  """A field of a struct that is a single number, by name."""
  return next(name for name in dir(struct)
              if not name.startswith('_') and isinstance(getattr(struct, name), (int, float)))


@pytest.mark.parametrize('name', RECORDS)
def test_records_are_values(name):
  cls = getattr(cortenforge, name)
  a, b = cls(), cls()
  assert a == b and a != 3 and a is not None
  if name != 'MjVisualRgba':
    field = number(a)
    setattr(a, field, 5)
    assert a != b
    made = copy.copy(a)
    assert type(made) is cls and made == a and made is not a
    setattr(made, field, 2)
    assert made != a and getattr(a, field) == 5
    assert copy.deepcopy(a) == a
    assert repr(a).startswith(f'<{name}\n') and f'  {field}: 5' in repr(a) and repr(a) == str(a)
  with pytest.raises(TypeError):
    hash(a)
  assert weakref.ref(a)() is a
  with pytest.raises((AttributeError, TypeError)):
    a.there_is_no_such_field = 1


@pytest.mark.parametrize('name', RECORDS)
def test_records_have_the_defaults_of_mujoco(name):
  ours, theirs = getattr(cortenforge, name)(), None
  if name in ('MjVisualHeadlight', 'MjVisualRgba'):
    theirs = getattr(mujoco.MjModel.from_xml_string('<mujoco/>').vis, name.removeprefix('MjVisual').lower())
  else:
    theirs = getattr(mujoco, name)()
  if name == 'MjLROpt':
    cortenforge.mj_defaultLROpt(ours)
    mujoco.mj_defaultLROpt(theirs)
  if name == 'MjOption':
    mujoco.mj_defaultOption(theirs)
  for field in dir(theirs):
    value = getattr(theirs, field)
    if not field.startswith('_') and isinstance(value, (int, float, np.ndarray)) and np.size(value):
      np.testing.assert_array_equal(getattr(ours, field), value, err_msg=field)


def test_subclasses_keep_their_class():
  class Counter(cortenforge.MjWarningStat):
    @property
    def ptr(self):
      return self

  made = Counter()
  made.number = 4
  assert repr(made) == '<Counter\n  lastinfo: 0\n  number: 4\n>'
  assert type(copy.copy(made)) is Counter and copy.copy(made).number == 4
  assert made != cortenforge.MjWarningStat()

  class Mine(cortenforge.MjData):
    pass

  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = Mine(model)
  cortenforge.mj_step(model, data)
  assert isinstance(data, cortenforge.MjData) and data.time > 0
  with pytest.raises(TypeError, match='cannot be None'):
    cortenforge.MjData(None)


def test_models_and_data_compare_by_identity_and_go_away():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  assert model == model and model != copy.copy(model) and len({model, data}) == 2
  model.geom('box').size, data.geom(1).xpos, data.contact, data.warning[0]
  references = [weakref.ref(model), weakref.ref(data)]
  assert model._address > 0 and len({model._address, data._address, copy.copy(model)._address}) == 3
  del model, data
  gc.collect()
  assert [reference() for reference in references] == [None, None]


def test_objects_are_the_same_at_each_access():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  cortenforge.mj_forward(model, data)
  assert model.geom('box') is model.geom(1) and model.geom(name='box') is model.geom(1)
  assert model.geom('box').size is model.geom(1).size and data.geom('box').xpos is data.geom(1).xpos
  assert model.names is model.names and model.opt is model.opt and model.vis.map is model.vis.map
  assert data.contact is data.contact and data.contact[2] is data.contact[2]
  assert data.warning is data.warning and data.warning[1] is data.warning[1]


def test_contacts_are_written_in_place():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  cortenforge.mj_forward(model, data)
  contact = data.contact[1]
  positions, own = data.contact.pos, contact.pos
  own[0] = 7
  assert positions[1, 0] == 7 and data.contact[1].pos[0] == 7 and data.contact.pos[1, 0] == 7
  contact.dist = -0.5
  contact.geom = [0, 1]
  data.contact.friction[:, 0] = 0.25
  assert data.contact.dist[1] == -0.5 and data.contact[1].friction[0] == 0.25
  # the engine works with what was written
  cortenforge.mj_makeConstraint(model, data)
  assert data.contact[0].friction[0] == 0.25 and data.contact[1].dist == -0.5
  cortenforge.mj_forward(model, data)
  assert data.contact[1].pos[0] != 7 and data.contact[0].friction[0] == 1
  # what was held shows what it showed
  assert positions[1, 0] == 7
  with pytest.raises(TypeError):
    contact.dim = 1.5


def test_rows_are_written_or_cannot_be():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  assert data.efc_pos.flags.owndata and len(data.efc_pos) == 0
  cortenforge.mj_forward(model, data)
  assert not data.efc_pos.flags.owndata
  data.efc_pos[0] = 9
  assert data.efc_pos[0] == 9
  with pytest.raises(ValueError, match='read-only'):
    data.efc_J[0] = 1


def test_lists_compare_by_value():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  a, b = cortenforge.MjData(model), cortenforge.MjData(model)
  for data in (a, b):
    cortenforge.mj_forward(model, data)
  assert a.contact == b.contact and a.warning == b.warning and a.contact != 5 and a.contact != a.warning
  b.contact[0].dist = 1
  assert a.contact != b.contact
  b.warning[2].number = 3
  assert a.warning != b.warning


@pytest.mark.parametrize('jacobian', ['dense', 'sparse'])
def test_pickled_data_goes_on_alike(jacobian):
  model = cortenforge.MjModel.from_xml_string(
      FALLING.replace('<worldbody>', f'<option jacobian="{jacobian}"/><worldbody>'))
  data = cortenforge.MjData(model)
  cortenforge.mj_step(model, data, 3)
  data.warning[0].number = 2
  twin = pickle.loads(pickle.dumps(data))
  assert twin.contact == data.contact and twin.warning == data.warning and twin.ncon == data.ncon == 4
  for name in ('efc_J', 'efc_pos', 'efc_force', 'qacc', 'efc_type'):
    np.testing.assert_array_equal(getattr(twin, name), getattr(data, name), err_msg=name)
  cortenforge.mj_step(twin.model, twin, 20)
  cortenforge.mj_step(model, data, 20)
  np.testing.assert_array_equal(twin.qpos, data.qpos)


def test_spoiled_pickles_are_refused():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  cortenforge.mj_step(model, data)
  make, (_, fields) = data.__reduce__()
  for name, value in [('rows.counts', [9] * 9), ('rows.jacobian', np.array([1e9, 2.0])),
                      ('rows.jacobian', np.array([])), ('rows.efc_pos', np.zeros(3)),
                      ('contact.geom', np.zeros(1))]:
    with pytest.raises(ValueError, match='make no sense'):
      make(model, {**fields, name: value})


def test_memory_fields_are_those_of_mujoco():
  ours = cortenforge.MjModel.from_xml_string(FALLING)
  theirs = mujoco.MjModel.from_xml_string(FALLING)
  data, other = cortenforge.MjData(ours), mujoco.MjData(theirs)
  assert cortenforge.MjModel._all_fields == mujoco.MjModel._all_fields
  assert cortenforge.MjModel._size_fields == mujoco.MjModel._size_fields
  assert data._all_fields == other._all_fields
  for name in ('_all_fields', '_float_fields', '_int_fields', '_floatarray_fields'):
    assert getattr(ours.opt, name) == getattr(theirs.opt, name)
  assert len(ours._sizes) == len(theirs._sizes) and not ours._sizes.flags.writeable
  for name in ('narena', 'nplugin', 'pstack', 'pbase', 'parena', 'threadpool'):
    assert getattr(data, name) == getattr(other, name), name
  assert data.maxuse_threadstack.shape == other.maxuse_threadstack.shape
  data.pstack = data.narena
  with pytest.raises(cortenforge.FatalError, match='mj_stackAlloc: out of memory, stack overflow'):
    cortenforge.mj_forward(ours, data)


def test_room_for_rows_of_others():
  model = cortenforge.MjModel.from_xml_string(FALLING)
  data = cortenforge.MjData(model)
  cortenforge._realloc_con_efc(data, ncon=13, nefc=17, nJ=21)
  assert len(data.contact) == 13 and data.efc_J.shape == (21,) and data.efc_KBIP.shape == (17, 4)
  data.efc_J[:] = 3
  assert data.efc_J.sum() == 63
  with pytest.raises(cortenforge.FatalError, match='Insufficient arena memory, currently allocated memory="13M"'):
    cortenforge._realloc_con_efc(data, 10**8, 10**8)
  assert len(data.contact) == 0 and data.efc_id.shape == (0,)
  cortenforge.mj_forward(model, data)
  assert data.ncon == 4


SIGNED = ['<mujoco/>', FALLING, '''
<mujoco>
  <worldbody>
    <light/><camera/><site/>
    <body><joint name="a"/><geom name="g" size="1"/><body><joint type="ball"/><geom size="1"/><site name="s"/></body>
      <body><geom size="1"/></body></body>
    <body><freejoint/><geom name="h" size="1"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="h"/></contact>
  <equality><joint joint1="a"/><joint joint1="a"/></equality>
  <tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>
  <actuator><motor joint="a"/></actuator>
  <sensor><gyro site="s"/><clock/></sensor>
  <keyframe><key/></keyframe>
</mujoco>''']


@pytest.mark.parametrize('xml', SIGNED)
def test_signatures_are_those_of_mujoco(xml):
  model = cortenforge.MjModel.from_xml_string(xml)
  assert model.signature == mujoco.MjModel.from_xml_string(xml).signature
  assert cortenforge.MjData(model).signature == model.signature


def test_models_load_from_bytes_and_names_of_files_differ():
  assert cortenforge.MjModel.from_xml_string(FALLING.encode()).ngeom == 2
  with pytest.raises(ValueError, match='Repeated'):
    cortenforge.MjModel.from_xml_string('<mujoco/>', {'a.xml': b'1', 'path/a.xml': b'2'})

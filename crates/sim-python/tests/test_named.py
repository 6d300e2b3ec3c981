"""Named access against that of the mujoco package."""

import mujoco
import numpy as np
import pytest
from conftest import ROBOT

import cortenforge

MODEL = ['actuator', 'body', 'cam', 'camera', 'eq', 'equality', 'exclude', 'geom', 'hfield', 'jnt',
         'joint', 'key', 'keyframe', 'light', 'mat', 'material', 'mesh', 'numeric', 'pair',
         'sensor', 'site', 'skin', 'tendon', 'tex', 'texture', 'tuple']
DATA = ['actuator', 'body', 'cam', 'camera', 'geom', 'jnt', 'joint', 'light', 'sensor', 'site',
        'ten', 'tendon']


@pytest.fixture(name='pairs')
def both():
  pairs = []
  for module in (cortenforge, mujoco):
    model = module.MjModel.from_xml_string(ROBOT)
    data = module.MjData(model)
    data.qvel = np.arange(model.nv)
    module.mj_forward(model, data)
    pairs.append((model, data))
  return pairs


# mujoco takes the rows of these from a wrong address
MISPLACED = {'cdof', 'cdof_dot'}


def check(ours, theirs):
  """Every attribute that mujoco has is there, with its shape, type and value."""
  assert (ours.id, ours.name) == (theirs.id, theirs.name)
  for name in dir(theirs):
    value = getattr(theirs, name)
    if isinstance(value, np.ndarray):
      mine = getattr(ours, name)
      assert (name, mine.shape, mine.dtype) == (name, value.shape, value.dtype)
      if name not in MISPLACED:
        np.testing.assert_allclose(mine, value, rtol=1e-10, atol=1e-10, err_msg=name)
      assert mine.base is not None


@pytest.mark.parametrize('accessor', MODEL)
def test_model_views(pairs, accessor):
  (m, _), (rm, _) = pairs
  for i in range(20):
    try:
      reference = getattr(rm, accessor)(i)
    except IndexError as error:
      with pytest.raises(IndexError) as mine:
        getattr(m, accessor)(i)
      assert str(mine.value) == str(error)
      break
    check(getattr(m, accessor)(i), reference)
    if reference.name:
      check(getattr(m, accessor)(reference.name), reference)


@pytest.mark.parametrize('accessor', DATA)
def test_data_views(pairs, accessor):
  (_, d), (_, rd) = pairs
  for i in range(20):
    try:
      reference = getattr(rd, accessor)(i)
    except IndexError as error:
      with pytest.raises(IndexError) as mine:
        getattr(d, accessor)(i)
      assert str(mine.value) == str(error)
      break
    check(getattr(d, accessor)(i), reference)


def test_motion_axes_of_a_joint_are_those_of_its_dofs(pairs):
  (m, d), _ = pairs
  for name, count in (('root', 6), ('shoulder', 3), ('elbow', 1), ('slider', 1)):
    start = m.joint(name).dofadr[0]
    for field in MISPLACED:
      rows = getattr(d, field)[start:start + count]
      assert np.any(rows) and np.array_equal(getattr(d.joint(name), field), rows)


@pytest.mark.parametrize('key', ['nobody', '', -1, 99])
def test_unknown_objects_give_the_errors_of_mujoco(pairs, key):
  (m, d), (rm, rd) = pairs
  for ours, theirs in ((m, rm), (d, rd)):
    for accessor in ('body', 'joint', 'geom'):
      with pytest.raises((KeyError, IndexError)) as reference:
        getattr(theirs, accessor)(key)
      with pytest.raises(reference.type) as mine:
        getattr(ours, accessor)(key)
      assert str(mine.value) == str(reference.value)


def test_other_keys_are_type_errors(robot):
  for key in (1.0, None, [1]):
    with pytest.raises((TypeError, KeyError)):
      robot[0].body(key)


def test_views_are_live(robot):
  m, d = robot
  d.joint('elbow').qpos = 0.7
  assert d.qpos[11] == 0.7
  d.joint('root').qvel[:3] = [1, 2, 3]
  assert list(d.qvel[:3]) == [1, 2, 3]
  m.body('torso').mass = 5
  assert m.body_mass[2] == 5
  assert m.key('bent').time == 1.5
  assert list(m.numeric('gains').data) == [1, 2, 3]
  with pytest.raises(AttributeError, match='_MjDataJointViews'):
    _ = d.joint('elbow').mass
  with pytest.raises(AttributeError):
    d.joint('elbow').mass = 3
  with pytest.raises(ValueError, match='broadcast'):
    d.joint('elbow').qpos = [1, 2]


def test_views_print_and_list_their_fields(robot):
  m, _ = robot
  view = m.body('torso')
  assert repr(view).startswith('<_MjModelBodyViews\n') and "  name: 'torso'\n" in repr(view)
  assert {'mass', 'inertia', 'id', 'name'} <= set(dir(view))
  assert 'mass' in cortenforge.MjModel.body.__doc__


def test_tables_that_make_no_sense_are_index_errors(robot):
  m, d = robot
  m.jnt_qposadr[:] = 10**6
  m.jnt_dofadr[:] = -3
  for name in ('qpos', 'qvel'):
    with pytest.raises(IndexError):
      getattr(d.joint('elbow'), name)

"""Enums and constants against those of the mujoco package."""

import enum
import pickle

import mujoco
import numpy as np

import cortenforge


# members that mujoco 3.5.0 does not have
EXTENSIONS = {'mjINT_DISCRETE'}


def names(prefix):
  return [name for name in dir(cortenforge) if name.startswith(prefix)]


def test_enums_have_the_members_of_mujoco():
  assert len(names('mjt')) > 40
  for name in names('mjt'):
    ours, theirs = getattr(cortenforge, name), getattr(mujoco, name)
    assert {k: int(v) for k, v in ours.__members__.items() if k not in EXTENSIONS} == {
        k: int(v) for k, v in theirs.__members__.items()}, name
    assert ours.__doc__ and issubclass(ours, enum.IntEnum)


def test_members_behave_as_those_of_mujoco():
  for module in (cortenforge, mujoco):
    qpos, qvel = module.mjtState.mjSTATE_QPOS, module.mjtState.mjSTATE_QVEL
    assert qpos.value == int(qpos) == 2 and qpos == 2 and qpos != qvel
    assert (qpos | qvel, qpos | 1, qpos & 3, qpos + 1, -qpos) == (6, 3, 2, 3, -2)
    assert repr(qpos) == '<mjtState.mjSTATE_QPOS: 2>' and str(qpos) == 'mjtState.mjSTATE_QPOS'
    assert f'{qpos}' == str(qpos)
    assert qpos.name == 'mjSTATE_QPOS' and module.mjtState(2) is qpos or module is mujoco
    assert np.arange(5)[qpos] == 2 and [0, 1, 2][qpos] == 2 and {2: 'x'}[qpos] == 'x'
  assert pickle.loads(pickle.dumps(cortenforge.mjtObj.mjOBJ_BODY)) is cortenforge.mjtObj.mjOBJ_BODY


def test_constants_are_those_of_mujoco():
  count = 0
  for name in names('mj'):
    value = getattr(cortenforge, name)
    if isinstance(value, (int, float)):
      assert value == getattr(mujoco, name), name
      count += 1
  assert count > 20

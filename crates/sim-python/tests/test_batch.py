"""Batches: environments that live on between steps."""

import numpy as np
import pytest

import cortenforge
from cortenforge.batch import Batch
from test_rollout import FULL, scene


def test_steps_are_those_of_each_environment():
  model, data, states, control = scene(nstep=1)
  results = []
  for nthread in (0, 2, 3):
    batch = Batch(model, 5, nthread=nthread)
    batch.set_state(states)
    for _ in range(10):
      assert all(status.ok for status in batch.step(control[:, 0], nstep=3))
    results.append((batch.get_state(), batch.get('sensordata'), batch.get('xpos')))
  for other in results[1:]:
    for ours, theirs in zip(results[0], other):
      np.testing.assert_array_equal(ours, theirs)

  for env in range(5):
    cortenforge.mj_resetData(model, data)
    cortenforge.mj_setState(model, data, states[env], FULL)
    data.ctrl[:] = control[env, 0]
    cortenforge.mj_step(model, data, nstep=30)
    state = np.empty(16)
    cortenforge.mj_getState(model, data, state, FULL)
    np.testing.assert_array_equal(results[0][0][env], state)
    np.testing.assert_array_equal(results[0][1][env], data.sensordata)
    np.testing.assert_array_equal(results[0][2][env], data.xpos)


def test_one_that_diverges_leaves_the_others_alone():
  model, _, states, _ = scene()
  states[2, 1] = np.nan
  batch = Batch(model, 5, nthread=2)
  batch.set_state(states)
  batch.step(nstep=4)
  np.testing.assert_array_equal(batch.ok, [True, True, False, True, True])
  status = batch.status[2]
  assert (status.kind, status.step, status.info) == ('diverged', 0, 0)
  assert status.warning == cortenforge.mjtWarning.mjWARN_BADQPOS
  batch.reset(np.flatnonzero(~batch.ok))
  np.testing.assert_array_equal(batch.get('qpos')[2], model.qpos0)
  assert batch.get('qpos')[1, 2] != model.qpos0[2]
  batch.step()
  assert batch.ok.all()
  batch.reset()
  np.testing.assert_array_equal(batch.get('qpos'), np.tile(model.qpos0, (5, 1)))


def test_inputs_are_kept_until_they_are_set():
  model, *_ = scene()
  batch = Batch(model, 2)
  batch.step([0.5])
  batch.step()
  np.testing.assert_array_equal(batch.get('ctrl'), [[0.5], [0.5]])
  batch.step(np.ones((2, 3)) * 7, control_spec=cortenforge.mjtState.mjSTATE_MOCAP_POS)
  np.testing.assert_array_equal(batch.get('mocap_pos').ravel(), np.full(6, 7.0))


def test_wrong_arguments_are_errors():
  model, _, states, _ = scene()
  batch = Batch(model, 3)
  with pytest.raises(ValueError, match='control has shape'):
    batch.step(np.zeros((2, 1)))
  with pytest.raises(ValueError, match='no inputs'):
    batch.step(np.zeros(8), control_spec=cortenforge.mjtState.mjSTATE_QPOS)
  with pytest.raises(ValueError):
    batch.set_state(states)
  with pytest.raises(IndexError):
    batch.reset([3])
  with pytest.raises(ValueError, match='not a data field'):
    batch.get('efc_J')
  with pytest.raises(ValueError, match='not a data field'):
    batch.get('speed')

"""Copies and pickles."""

import copy
import pickle

import numpy as np
from conftest import fields

import cortenforge


def same(a, b):
  for name in fields(a):
    value, other = getattr(a, name), getattr(b, name)
    assert np.array_equal(value, other), name
    if isinstance(value, np.ndarray) and value.size:
      assert not np.shares_memory(value, other), name


def same_model(a, b):
  same(a, b)
  same(a.opt, b.opt)
  same(a.stat, b.stat)
  for part in ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba'):
    same(getattr(a.vis, part), getattr(b.vis, part))


def test_copies_of_a_model_are_independent(robot):
  model, _ = robot
  model.opt.timestep = 0.123
  model.body_mass[1] = 7
  model.vis.rgba.fog[:] = 0.25
  for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
    same_model(model, other)
    other.opt.timestep = 1.0
    other.body_mass[1] = 8
    assert model.opt.timestep == 0.123 and model.body_mass[1] == 7
    assert other.body('torso').id == model.body('torso').id


def test_copies_of_data_continue_alike(robot):
  model, data = robot
  data.qvel = 1.0
  data.energy = [3.0, 4.0]
  cortenforge.mj_step(model, data, 3)
  shallow, deep, pickled = copy.copy(data), copy.deepcopy(data), pickle.loads(pickle.dumps(data))
  assert shallow.model is model and deep.model is not model
  for other in (shallow, deep, pickled):
    same(data, other)
    assert other._views_hold()
  cortenforge.mj_step(model, data, 5)
  for other in (shallow, deep, pickled):
    cortenforge.mj_step(other.model, other, 5)
    assert np.array_equal(other.qpos, data.qpos)


def test_a_deep_copy_keeps_shared_models_shared(robot):
  model, data = robot
  copies = copy.deepcopy({'model': model, 'data': [data, cortenforge.MjData(model)]})
  assert copies['data'][0].model is copies['data'][1].model


def test_models_can_be_made_from_arrays(robot):
  model, _ = robot
  given = model._fields()
  same_model(model, cortenforge.MjModel._from_fields(given))
  for change in ({'nq': 99}, {'body_mass': np.zeros(2)}, {'nv': 2**60}, {'nq': -1},
                 {'names': b'short'}):
    try:
      cortenforge.MjModel._from_fields({**given, **change})
    except (ValueError, OverflowError):
      continue
    raise AssertionError(change)


def test_copying_in_place_knows_every_array():
  assert cortenforge._native._tables()['uncopied'] == []

"""Rollouts: the interface of mujoco.rollout, the same bits on any number of threads."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import mujoco
import numpy as np
import pytest
from mujoco import rollout as reference_rollout

import cortenforge
from cortenforge import rollout

BALL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .3">
      <freejoint/>
      <geom size=".1"/>
      <site name="imu"/>
      <body pos=".1 0 0">
        <joint name="arm" axis="0 1 0"/>
        <geom size=".05" pos=".2 0 0"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 0"/>
  </worldbody>
  <actuator><motor joint="arm" gear=".1"/></actuator>
  <sensor><accelerometer site="imu"/><framepos objtype="xbody" objname="target"/></sensor>
</mujoco>
"""
FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)

# items of the reference's tests that need what the package does not have yet
NEEDS_SPEC = {f'test_multi_model{i}' for i in range(4)}


def scene(package=cortenforge, nbatch=5, nstep=30):
  """A model with data, states to start from and controls."""
  model = package.MjModel.from_xml_string(BALL)
  data = package.MjData(model)
  rng = np.random.default_rng(1)
  start = np.zeros(package.mj_stateSize(model, FULL))
  package.mj_getState(model, data, start, FULL)
  states = np.tile(start, (nbatch, 1))
  states[:, 1 + model.nq:1 + model.nq + model.nv] += rng.normal(size=(nbatch, model.nv))
  return model, data, states, rng.normal(size=(nbatch, nstep, model.nu))


def datas(model, count):
  return [cortenforge.MjData(model) for _ in range(count)]


def test_any_number_of_threads_gives_the_same_bits():
  model, data, states, control = scene()
  state, sensordata = rollout.rollout(model, data, states, control)
  assert state.shape == (5, 30, 16) and sensordata.shape == (5, 30, 6)
  for count in (2, 3):
    for chunk_size in (None, 1, 4):
      again = rollout.rollout(model, datas(model, count), states, control, chunk_size=chunk_size)
      np.testing.assert_array_equal(state, again[0])
      np.testing.assert_array_equal(sensordata, again[1])


def test_the_numbers_are_those_of_the_reference():
  results = []
  for package, module in ((cortenforge, rollout), (mujoco, reference_rollout)):
    model, data, states, control = scene(package)
    results.append(module.rollout(model, data, states, control))
  for ours, theirs in zip(*results):
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_one_row_stands_for_all():
  model, data, states, control = scene()
  state, _ = rollout.rollout(model, data, states[0], control[0, 0], nstep=7, state=np.empty((3, 7, 16)))
  expected, _ = rollout.rollout(model, data, np.tile(states[0], (3, 1)),
                                np.tile(control[0, 0], (3, 7, 1)))
  np.testing.assert_array_equal(state, expected)


def test_inputs_may_be_part_of_the_data():
  model, data, states, control = scene(nbatch=1)
  cortenforge.mj_step(model, data, nstep=200)
  start = np.empty(16)
  cortenforge.mj_getState(model, data, start, FULL)
  warmstart, ctrl = data.qacc_warmstart.copy(), np.array([0.3])
  data.ctrl[:] = ctrl
  expected, _ = rollout.rollout(model, cortenforge.MjData(model), start, ctrl, nstep=5,
                                initial_warmstart=warmstart)
  state, _ = rollout.rollout(model, data, start, data.ctrl, nstep=5,
                             initial_warmstart=data.qacc_warmstart)
  np.testing.assert_array_equal(state, expected)
  with pytest.raises(ValueError, match='part of a model'):
    rollout.rollout(model, data, start, sensordata=data.sensordata)


def test_mocap_is_an_input():
  model, data, states, _ = scene(nbatch=2)
  spec = cortenforge.mjtState.mjSTATE_MOCAP_POS
  control = np.arange(12.0).reshape(2, 2, 3)
  _, sensordata = rollout.rollout(model, data, states, control, control_spec=spec)
  np.testing.assert_array_equal(sensordata[:, :, 3:], control)


def test_models_may_differ():
  _, _, states, control = scene(nbatch=3)
  models = [cortenforge.MjModel.from_xml_string(BALL) for _ in range(3)]
  for i, model in enumerate(models):
    model.opt.gravity[2] = -i
  state, _ = rollout.rollout(models, datas(models[0], 2), states, control)
  for i, model in enumerate(models):
    alone, _ = rollout.rollout(model, cortenforge.MjData(model), states[i], control[i])
    np.testing.assert_array_equal(state[i], alone[0])
  other = cortenforge.MjModel.from_xml_string('<mujoco/>')
  with pytest.raises(ValueError, match='not compatible'):
    rollout.rollout([models[0], other, models[2]], cortenforge.MjData(models[0]), states, control)


def test_divergence_is_a_status():
  model, data, states, control = scene(nstep=10)
  forces = np.zeros((5, 10, model.nv))
  forces[3, 4, 2] = np.inf
  with rollout.Rollout(nthread=2) as pool:
    state, _ = pool.rollout(model, datas(model, 2), states, forces,
                            control_spec=cortenforge.mjtState.mjSTATE_QFRC_APPLIED)
  assert [status.kind for status in pool.status] == ['done', 'done', 'done', 'diverged', 'done']
  diverged = pool.status[3]
  assert diverged.step == 4 and diverged.warning == cortenforge.mjtWarning.mjWARN_BADQACC
  assert not diverged.ok and pool.status[0].ok
  np.testing.assert_array_equal(state[3, 4:], np.tile(state[3, 4], (6, 1)))
  with pytest.raises(RuntimeError, match='after thread pool shutdown'):
    pool.rollout(model, data, states)


def test_a_broken_model_is_an_error():
  model, _, states, control = scene()
  pair = datas(model, 2)
  model.jnt_qposadr[1] = 1000
  with pytest.raises(cortenforge.FatalError):
    rollout.rollout(model, pair, states, control)
  model.jnt_qposadr[1] = 7
  rollout.rollout(model, pair, states, control)
  assert all(data._views_hold() for data in pair)


def test_callbacks_are_called():
  model, data, states, _ = scene(nbatch=2, nstep=5)
  control = np.full((2, 5, 1), 0.5)
  expected = rollout.rollout(model, data, states, control)
  cortenforge.set_mjcb_control(lambda m, d: d.ctrl.fill(0.5))
  try:
    played = rollout.rollout(model, data, states, nstep=5)
  finally:
    cortenforge.set_mjcb_control(None)
  np.testing.assert_array_equal(played[0], expected[0])
  np.testing.assert_array_equal(played[1], expected[1])


@pytest.mark.parametrize('count', [1, 2])
def test_other_threads_run_meanwhile(count):
  model, _, states, _ = scene()
  done, counted = threading.Event(), 0
  thread = threading.Thread(target=lambda: (
      rollout.rollout(model, datas(model, count), states, nstep=5000), done.set()))
  thread.start()
  while not done.is_set():
    counted += 1
    time.sleep(0.001)
  thread.join()
  assert counted > 3


@pytest.fixture
def interruptible():
  # background jobs ignore the signal
  before = signal.signal(signal.SIGINT, signal.default_int_handler)
  yield
  signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize('count', [1, 2])
def test_ctrl_c_ends_a_rollout(interruptible, count):
  model, data, states, control = scene()
  timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
  timer.start()
  start = time.monotonic()
  with pytest.raises(KeyboardInterrupt):
    rollout.rollout(model, datas(model, count), states, nstep=3_000_000, skip_checks=True)
  timer.join()
  assert time.monotonic() - start < 20
  rollout.rollout(model, data, states, control)


def test_the_tests_of_the_reference_pass():
  path = pathlib.Path(mujoco.__file__).parent / 'rollout_test.py'
  code = f'''
import sys, unittest, importlib.util
import cortenforge, cortenforge.rollout
sys.modules.update({{'mujoco': cortenforge, 'mujoco.rollout': cortenforge.rollout}})
spec = importlib.util.spec_from_file_location('rollout_test', {str(path)!r})
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
result = unittest.TestResult()
unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
bad = sorted(test._testMethodName for test, _ in result.failures + result.errors)
print(result.testsRun, len(result.skipped), *bad)
'''
  done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
  run, skipped, *bad = done.stdout.split()
  assert (int(run), int(skipped)) == (66, 1)
  assert set(bad) == (NEEDS_SPEC if not hasattr(cortenforge, 'MjSpec') else set())


def test_a_child_has_threads_of_its_own():
  model, _, states, control = scene()
  expected, _ = rollout.rollout(model, datas(model, 2), states, control, persistent_pool=True)
  child = os.fork()
  if child == 0:
    signal.alarm(20)
    found, _ = rollout.rollout(model, datas(model, 2), states, control, persistent_pool=True)
    os._exit(0 if (found == expected).all() else 1)
  assert os.waitpid(child, 0)[1] == 0
  rollout.shutdown_persistent_pool()


@pytest.mark.parametrize('count', [10**4, 10**6, 2**63])
def test_too_many_threads_are_refused(count):
  with pytest.raises(ValueError, match=f'{count} threads are too many'):
    rollout.Rollout(nthread=count)

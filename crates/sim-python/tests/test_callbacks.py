"""Functions that the engine calls, against the mujoco package."""

import ctypes
import itertools
import threading
import types

import mujoco
import numpy as np
import pytest
from conftest import PENDULUM

import cortenforge

ARM = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05" contype="0" conaffinity="0"/>
      <body pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05" contype="0" conaffinity="0"/>
        <site name="hand" pos="0 0 -0.5"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder"/>
    <general joint="elbow" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
  </actuator>
  <sensor>
    <user dim="2" needstage="pos"/>
    <user dim="1" needstage="acc"/>
    <jointpos joint="elbow"/>
    <user dim="1" needstage="vel"/>
  </sensor>
</mujoco>
"""

EVENTS = ('control', 'passive', 'sensor', 'act_dyn', 'act_gain', 'act_bias')


@pytest.fixture(autouse=True)
def no_callbacks():
  yield
  cortenforge.mj_resetCallbacks()
  mujoco.mj_resetCallbacks()


def control(module):
  def function(model, data):
    jac = np.zeros((3, model.nv))
    module.mj_jacSite(model, data, jac, None, 0)
    data.ctrl[0] = -5 * data.qpos[0] - data.qvel[0] + jac[0, 0]
    data.ctrl[1] = np.sin(10 * data.time)
  return function


def sensor(module):
  def function(model, data, stage):
    if stage == int(module.mjtStage.mjSTAGE_POS):
      data.sensordata[0:2] = data.site_xpos[0, ::2]
    elif stage == int(module.mjtStage.mjSTAGE_ACC):
      data.sensordata[2] = data.qacc[0]
  return function


def passive(model, data):
  data.qfrc_passive[:] -= 0.3 * data.qvel


FUNCTIONS = {
    'control': control,
    'sensor': sensor,
    'passive': lambda module: passive,
    'act_dyn': lambda module: lambda model, data, i: data.ctrl[i] - data.act[0],
    'act_gain': lambda module: lambda model, data, i: 2.0 + data.qpos[1],
    'act_bias': lambda module: lambda model, data, i: -0.5 * data.actuator_velocity[i],
}


def arm(module):
  model = module.MjModel.from_xml_string(ARM)
  data = module.MjData(model)
  data.qpos = [0.3, -0.5]
  return model, data


@pytest.mark.parametrize('integrator', range(4))
@pytest.mark.parametrize('events', [EVENTS, *((event,) for event in EVENTS)], ids='-'.join)
def test_steps_follow_mujoco(events, integrator):
  results = []
  for module in (cortenforge, mujoco):
    model, data = arm(module)
    model.opt.integrator = integrator
    for event in events:
      getattr(module, f'set_mjcb_{event}')(FUNCTIONS[event](module))
    module.mj_step(model, data, nstep=20)
    module.mj_forward(model, data)
    results.append(data)
  ours, theirs = results
  for name in ('time', 'qpos', 'qvel', 'act', 'ctrl', 'qfrc_passive', 'actuator_force', 'qacc',
               'sensordata'):
    np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-10, atol=1e-10,
                               err_msg=name)


@pytest.mark.parametrize('stage', ['mj_step1', 'mj_step2', 'mj_forward', 'mj_fwdVelocity',
                                   'mj_passive', 'mj_fwdActuation', 'mj_sensorPos', 'mj_sensorVel',
                                   'mj_sensorAcc', 'mj_step', 'mj_inverse', 'mj_invVelocity'])
def test_stages_call_what_mujoco_calls(stage):
  calls = []
  for module in (cortenforge, mujoco):
    model, data = arm(module)
    module.mj_forward(model, data)
    own = []
    for event in EVENTS:
      def function(m, d, *extra, event=event, own=own, model=model, data=data):
        assert m is model and d is data
        own.append((event, *(int(x) for x in extra)))
        return 0.0
      getattr(module, f'set_mjcb_{event}')(function)
    getattr(module, stage)(model, data)
    calls.append(own)
  assert calls[0] == calls[1] and calls[0]


def test_setting_and_getting():
  for event in EVENTS:
    get = getattr(cortenforge, f'get_mjcb_{event}')
    put = getattr(cortenforge, f'set_mjcb_{event}')
    assert get() is None
    put(print)
    assert get() is print
    for wrong in (3, 'text', object()):
      with pytest.raises(TypeError, match='callback is not an Optional'):
        put(wrong)
    assert get() is print
    put(None)
    assert get() is None
  cortenforge.set_mjcb_control(print)
  cortenforge.mj_resetCallbacks()
  assert cortenforge.get_mjcb_control() is None


def test_functions_of_one_call():
  model, data = arm(cortenforge)
  other = cortenforge.MjData(model)
  other.qpos = data.qpos

  class Controller:

    def __init__(self):
      self.calls = 0

    def control(self, m, d):
      self.calls += 1
      d.ctrl[0] = 1.0

  controller = Controller()
  cortenforge.set_mjcb_control(lambda m, d: pytest.fail('not in this call'))
  cortenforge.mj_step(model, data, 5, callbacks=controller)
  cortenforge.set_mjcb_control(None)
  assert controller.calls == 5 and data.ctrl[0] == 1
  cortenforge.mj_step(model, other, 5)
  assert other.ctrl[0] == 0 and other.qvel[0] != data.qvel[0]
  cortenforge.mj_forward(model, other, callbacks=types.SimpleNamespace(passive=passive))
  with pytest.raises(TypeError, match='none of the methods'):
    cortenforge.mj_step(model, data, callbacks=3)
  with pytest.raises(TypeError, match="'control' of callbacks is not callable"):
    cortenforge.mj_step(model, data, callbacks=types.SimpleNamespace(control=3))


@pytest.mark.parametrize('event', EVENTS)
def test_an_exception_ends_the_step(event):
  model, data = arm(cortenforge)
  error = KeyError('mine')

  def function(*_):
    raise error

  getattr(cortenforge, f'set_mjcb_{event}')(function)
  with pytest.raises(KeyError) as raised:
    cortenforge.mj_step(model, data, 3)
  assert raised.value is error
  assert data.time == 0 and data._views_hold()
  # and leaves data that can be used
  cortenforge.mj_resetCallbacks()
  fresh = cortenforge.MjData(model)
  fresh.qpos = data.qpos
  for d in (data, fresh):
    cortenforge.mj_step(model, d, 3)
  assert np.array_equal(data.qpos, fresh.qpos)


@pytest.mark.parametrize('event', EVENTS[3:])
def test_functions_that_return_no_number(event):
  model, data = arm(cortenforge)
  for result in (None, 'text', []):
    getattr(cortenforge, f'set_mjcb_{event}')(lambda *_: result)
    with pytest.raises(TypeError, match=f'mjcb_{event} callback did not return a number'):
      cortenforge.mj_step(model, data)


@pytest.mark.parametrize('event', EVENTS)
def test_stages_with_callbacks_on_the_same_data_are_refused(event):
  model, data = arm(cortenforge)
  refused = []

  def function(m, d, *_):
    for stage in (cortenforge.mj_forward, cortenforge.mj_step, cortenforge.mj_step2):
      try:
        stage(m, d)
      except RuntimeError as error:
        refused.append(str(error))
    return 0.0

  getattr(cortenforge, f'set_mjcb_{event}')(function)
  cortenforge.mj_step(model, data)
  assert len(refused) >= 3 and all('callback' in message for message in refused)


@pytest.mark.parametrize('event', EVENTS)
def test_other_functions_on_the_same_data(event):
  model, data = arm(cortenforge)
  done = []

  def function(m, d, *_):
    cortenforge.mj_getState(m, d, np.zeros(3), 1 | 2)
    cortenforge.mj_mulM(m, d, np.zeros(m.nv), d.qvel)
    assert len(d.contact) == 0 and len(d.efc_J) == 0
    changes = (cortenforge.mj_subtreeVel, cortenforge.mj_rnePostConstraint, cortenforge.mj_kinematics)
    for change in changes:
      if event in ('act_gain', 'act_bias'):
        with pytest.raises(RuntimeError, match='cannot change the data'):
          change(m, d)
      else:
        change(m, d)
    with pytest.raises(RuntimeError, match='in use'):
      cortenforge.mj_setConst(m, d)
    done.append(d.time)
    return 0.0

  getattr(cortenforge, f'set_mjcb_{event}')(function)
  cortenforge.mj_step(model, data, 2)
  assert len(done) >= 2
  cortenforge.mj_resetCallbacks()
  cortenforge.mj_setConst(model, data)


def test_other_threads_stay_out_during_a_callback():
  model, data = arm(cortenforge)
  messages = []

  def intrude():
    for call in (lambda: cortenforge.mj_forward(model, data), lambda: data.contact.pos,
                 lambda: cortenforge.mj_subtreeVel(model, data)):
      try:
        call()
      except RuntimeError as error:
        messages.append(str(error))

  def function(m, d):
    thread = threading.Thread(target=intrude)
    thread.start()
    thread.join()

  cortenforge.set_mjcb_control(function)
  cortenforge.mj_step(model, data)
  assert len(messages) == 3 and all('in use' in message for message in messages)


def test_a_callback_may_step_other_data():
  model, data = arm(cortenforge)
  other = cortenforge.MjData(model)

  def function(m, d):
    if d is data:
      cortenforge.mj_copyData(other, m, d)
      cortenforge.mj_step(m, other, 3)
      d.ctrl[0] = -other.qpos[0]

  cortenforge.set_mjcb_control(function)
  cortenforge.mj_step(model, data, 4)
  assert other.time == pytest.approx(6 * model.opt.timestep)
  assert data.ctrl[0] == -other.qpos[0]


def test_endless_recursion_is_an_error():
  model, data = arm(cortenforge)
  cortenforge.set_mjcb_control(lambda m, d: cortenforge.mj_forward(m, cortenforge.MjData(m)))
  with pytest.raises(RuntimeError, match='without end'):
    cortenforge.mj_step(model, data)
  cortenforge.set_mjcb_control(None)
  cortenforge.mj_step(model, data)


def test_a_callback_may_change_callbacks():
  model, data = arm(cortenforge)
  calls = []

  def last(m, d):
    calls.append('last')

  def first(m, d):
    calls.append('first')
    cortenforge.set_mjcb_control(last)

  cortenforge.set_mjcb_control(first)
  cortenforge.mj_step(model, data, 3)
  assert calls == ['first', 'last', 'last']


def test_threads_with_callbacks():
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  datas = [cortenforge.MjData(model) for _ in range(4)]

  def push(m, d):
    d.qfrc_applied[0] = 1.0

  cortenforge.set_mjcb_control(push)
  threads = [threading.Thread(target=cortenforge.mj_step, args=(model, d, 200)) for d in datas]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert datas[0].qpos[0] != 0
  assert all(np.array_equal(datas[0].qpos, d.qpos) for d in datas)


def test_values_set_in_a_callback_are_seen_by_the_engine():
  model, data = arm(cortenforge)

  def function(m, d):
    d.time = 7.0

  cortenforge.set_mjcb_control(function)
  cortenforge.mj_step(model, data)
  assert data.time == 7.0 + model.opt.timestep


FILTERED = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body><freejoint/><geom size="1" contype="2" conaffinity="2"/><geom type="box" size=".1 .1 .1"/></body>
    <body><freejoint/><geom size="1"/></body>
    <body><freejoint/><geom size="1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize('stage', ['mj_fwdPosition', 'mj_invPosition', 'mj_inverse'])
def test_contacts_are_filtered_as_in_the_reference(stage):
  found = []
  for module in (mujoco, cortenforge):
    model = module.MjModel.from_xml_string(FILTERED)
    data = module.MjData(model)
    asked = []

    def function(m, d, geom1, geom2, asked=asked):
      asked.append((geom1, geom2))
      return int(geom1 == 0)

    module.set_mjcb_contactfilter(function)
    getattr(module, stage)(model, data)
    module.set_mjcb_contactfilter(None)
    found.append((data.contact.geom.tolist(), sorted(asked)))
    getattr(module, stage)(model, data)
    assert len(data.contact) != len(found[-1][0])
  assert found[0] == found[1]
  assert found[0][0] == [[1, 3], [3, 2], [1, 4], [4, 2], [3, 4]]


DIVERGING = '<mujoco><worldbody><body><joint/><geom size="1"/></body></worldbody></mujoco>'


@pytest.mark.parametrize('module', [cortenforge, mujoco])
def test_warnings_are_told_once(module):
  model = module.MjModel.from_xml_string(DIVERGING)
  data = module.MjData(model)
  module.mj_step(model, data, 3)
  heard = []
  module.set_mju_user_warning(heard.append)
  try:
    for _ in range(2):
      data.qpos[0] = np.nan
      module.mj_step(model, data)
  finally:
    module.set_mju_user_warning(None)
  assert heard == [
      'Nan, Inf or huge value in QPOS at DOF 0. The simulation is unstable. Time = 0.0060.']
  assert module.get_mju_user_warning() is None


def test_warnings_reach_functions_of_ctypes():
  heard = []
  function = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(heard.append)
  model = cortenforge.MjModel.from_xml_string(DIVERGING)
  data = cortenforge.MjData(model)
  cortenforge.set_mju_user_warning(function)
  try:
    data.qvel[0] = np.inf
    cortenforge.mj_step(model, data)
  finally:
    cortenforge.set_mju_user_warning(None)
  assert heard[0].startswith(b'Nan, Inf or huge value in QVEL')


def test_time_is_measured_by_the_function_that_is_set():
  model = cortenforge.MjModel.from_xml_string(DIVERGING)
  data = cortenforge.MjData(model)
  timer = data.timer[cortenforge.mjtTimer.mjTIMER_STEP]
  cortenforge.mj_step(model, data, 5)
  assert timer.number == 5 and timer.duration > 0
  cortenforge.mj_resetData(model, data)
  clock = itertools.count()
  cortenforge.set_mjcb_time(lambda: next(clock))
  try:
    cortenforge.mj_step(model, data, 2)
  finally:
    cortenforge.set_mjcb_time(None)
  for name in ('STEP', 'FORWARD', 'POSITION', 'VELOCITY', 'ACTUATION', 'CONSTRAINT', 'ADVANCE',
               'POS_KINEMATICS', 'POS_INERTIA', 'POS_COLLISION', 'POS_MAKE', 'POS_PROJECT'):
    stat = data.timer[getattr(cortenforge.mjtTimer, f'mjTIMER_{name}')]
    assert stat.number == 2 and stat.duration >= 2, name

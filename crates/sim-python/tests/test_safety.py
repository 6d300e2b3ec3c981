"""What must not bring the interpreter down."""

import copy
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import EMPTY, PATIENCE, PENDULUM, ROBOT

import cortenforge

FUNCTIONS = [cortenforge.mj_forward, cortenforge.mj_step, cortenforge.mj_step1,
             cortenforge.mj_step2, cortenforge.mj_resetData, cortenforge.mj_setConst,
             cortenforge.mj_energyPos, cortenforge.mj_energyVel, cortenforge.mj_subtreeVel,
             cortenforge.mj_step]


def test_a_panic_is_an_exception(capfd):
  with pytest.raises(cortenforge.FatalError, match='something broke') as error:
    cortenforge._native._panic('something broke')
  assert isinstance(error.value, RuntimeError)
  assert capfd.readouterr().err == ''


def test_data_of_another_model_is_refused(robot):
  model, data = robot
  other = cortenforge.MjModel.from_xml_string(PENDULUM)
  for function in FUNCTIONS:
    with pytest.raises(ValueError, match='another model: nq is 13 there and 1 here'):
      function(other, data)
  cortenforge.mj_step(copy.copy(model), data)


def integer_tables():
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  return [name for name in dir(model)
          if not name.startswith('_')
          and isinstance(getattr(model, name), np.ndarray) and getattr(model, name).size
          and getattr(model, name).dtype in (np.int32, np.int64, np.uint8)]


@pytest.mark.parametrize('value', [10**6, 2**31 - 1, -5, -2**31])
def test_bad_tables_are_exceptions_and_leave_the_views_valid(value):
  original = cortenforge.MjModel.from_xml_string(ROBOT)
  failed = 0
  for name in integer_tables():
    model = copy.copy(original)
    data = cortenforge.MjData(model)
    data.qvel = data.xfrc_applied = 1.0
    views = {field: getattr(data, field) for field in ('qpos', 'qfrc_smooth', 'qacc_smooth', 'qM',
                                                       'qfrc_gravcomp', 'qfrc_passive', 'xpos')}
    table = getattr(model, name)
    table[...] = np.int64(value).astype(table.dtype)
    for function in FUNCTIONS:
      try:
        function(model, data)
      except RuntimeError:
        failed += 1
    junk = [np.full(view.shape, 1e300) for view in views.values() for _ in range(20)]
    for field, view in views.items():
      assert not np.any(view == 1e300), f'{field} after {name}'
      view[...] = 0.5
    assert np.all(junk[0] == 1e300)
  assert failed > 20


# a chain that lies on the floor, with rows and sensors that look up the tree
CHAIN = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 .04">
      <freejoint/>
      <geom type="capsule" fromto="0 0 0 .2 0 0" size=".05"/>
      <body name="b" pos=".3 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .2 0 0" size=".05"/>
        <body name="c" pos=".3 0 0">
          <joint axis="0 0 1" range="-1 1" damping="1"/>
          <geom type="capsule" fromto="0 0 0 .2 0 0" size=".05"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality><connect body1="c" body2="a" anchor=".1 0 0"/></equality>
  <sensor><contact body1="world" subtree2="b" data="found"/><subtreecom body="a"/></sensor>
</mujoco>
"""

# writes each pair of numbers into each other's place in a table of the model
BITE = """
import itertools, sys
import cortenforge as cf
name, xml = sys.argv[1:]
size = len(getattr(cf.MjModel.from_xml_string(xml), name))
for i, j in itertools.product(range(size), repeat=2):
  for integrator in range(4):
    model = cf.MjModel.from_xml_string(xml)
    data = cf.MjData(model)
    data.qvel[:] = 0.1
    cf.mj_step(model, data)
    model.opt.integrator = integrator
    table = getattr(model, name)
    table[i], table[j] = j, i
    for function in (cf.mj_step, cf.mj_inverse, cf.mj_setConst, cf.mj_step):
      try:
        function(model, data)
      except RuntimeError:
        pass
"""


@pytest.mark.parametrize('table', ['body_parentid', 'dof_parentid', 'body_rootid', 'body_weldid'])
def test_a_tree_that_bites_its_tail_is_no_endless_loop(table):
  # in a process of its own, because nothing interrupts a step
  program = [sys.executable, '-c', BITE, table, CHAIN]
  done = subprocess.run(program, timeout=60 * PATIENCE, capture_output=True, text=True)
  assert done.returncode == 0, done.stderr


def test_two_threads_on_one_object_get_an_error():
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  data = cortenforge.MjData(model)
  thread = threading.Thread(target=cortenforge.mj_step, args=(model, data, 20_000))
  thread.start()
  refused = 0
  while thread.is_alive():
    try:
      cortenforge.mj_forward(model, data)
    except RuntimeError as error:
      assert 'another thread' in str(error)
      refused += 1
      time.sleep(0.001)
  thread.join()
  assert refused > 0
  cortenforge.mj_forward(model, data)


def test_threads_share_a_model():
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  results = [cortenforge.MjData(model) for _ in range(4)]
  threads = [threading.Thread(target=cortenforge.mj_step, args=(model, d, 300)) for d in results]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert all(np.array_equal(results[0].qpos, d.qpos) for d in results)


def test_the_interpreter_runs_while_stepping():
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  data = cortenforge.MjData(model)
  thread = threading.Thread(target=cortenforge.mj_step, args=(model, data, 20_000))
  thread.start()
  count = 0
  while thread.is_alive():
    count += 1
  thread.join()
  assert count > 100


def test_ctrl_c_interrupts_a_long_call():
  code = f'''
import os, signal, threading, time, cortenforge
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
model = cortenforge.MjModel.from_xml_string({PENDULUM!r})
data = cortenforge.MjData(model)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
  cortenforge.mj_step(model, data, nstep=10**12)
except KeyboardInterrupt:
  assert data.time > 0
  print('interrupted')
'''
  done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, timeout=60 * PATIENCE,
                        check=False)
  assert done.stdout.strip() == 'interrupted', done.stderr


def test_calls_of_every_kind_keep_the_views(xml):
  model = cortenforge.MjModel.from_xml_string(xml)
  data = cortenforge.MjData(model)
  for integrator in range(2):
    model.opt.integrator = integrator
    for function in FUNCTIONS:
      function(model, data)
      assert data._views_hold(), function.__name__
  cortenforge.mj_resetDataKeyframe(model, data, 0)
  data.qpos[:] = np.nan
  cortenforge.mj_step(model, data, 3)
  assert data._views_hold()


def test_garbage_text_is_a_value_error():
  rng = np.random.default_rng(0)
  for _ in range(200):
    text = bytearray(ROBOT.encode())
    for i in rng.integers(0, len(text), 5):
      text[i] = rng.integers(32, 127)
    try:
      model = cortenforge.MjModel.from_xml_string(text.decode())
      cortenforge.mj_step(model, cortenforge.MjData(model))
    except ValueError as error:
      assert str(error)


def test_strings_with_zeros_and_surrogates():
  model = cortenforge.MjModel.from_xml_string(EMPTY)
  assert cortenforge.mj_name2id(model, 1, 'wor\0ld') == -1
  for text in ('\ud800', '\0', ''):
    with pytest.raises((ValueError, UnicodeError)):
      cortenforge.MjModel.from_xml_string(text)


@pytest.mark.parametrize('cone', [0, 1])
@pytest.mark.parametrize('solver', [0, 1, 2])
def test_contacts_of_no_dimension_that_exists_count_as_the_next(solver, cone):
  for dim, valid in ((2, 3), (5, 6)):
    model = cortenforge.MjModel.from_xml_string(
        '<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
        '<body pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    model.opt.solver, model.opt.cone = solver, cone
    model.geom_condim[:] = dim
    data = cortenforge.MjData(model)
    cortenforge.mj_step(model, data, nstep=20)
    assert data.ncon == 1 and data.contact.dim[0] == valid


NESTED = """
import threading
import cortenforge
inner = ''.join(f'<default class="{i}">' for i in range(490)) + '</default>' * 490
threading.stack_size(512 << 10)
loads = threading.Thread(target=cortenforge.MjModel.from_xml_string,
                         args=(f'<mujoco><default>{inner}</default></mujoco>',))
loads.start()
loads.join()
"""


def test_deeply_nested_classes_need_little_stack():
  # in a process of its own, because a stack that overflows ends it
  done = subprocess.run([sys.executable, '-c', NESTED], capture_output=True, text=True)
  assert (done.returncode, done.stderr) == (0, '')


BALL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
  <sensor><framepos objtype="site" objname="s"/></sensor></mujoco>"""


@pytest.mark.parametrize('name, number', [
    ('opt.solver', 99), ('opt.integrator', 99), ('opt.integrator', -1), ('geom_condim', 77),
    ('geom_condim', 0), ('sensor_type', 999), ('geom_type', 99), ('geom_type', -3)])
def test_numbers_that_stand_for_nothing_are_exceptions(name, number):
  model = cortenforge.MjModel.from_xml_string(BALL)
  data = cortenforge.MjData(model)
  valid = copy.copy(model)
  if name.startswith('opt.'):
    setattr(model.opt, name.removeprefix('opt.'), number)
  else:
    getattr(model, name)[:] = number
  for _ in range(2):
    with pytest.raises(cortenforge.FatalError, match=str(number)):
      cortenforge.mj_step(model, data)
  cortenforge.mj_step(valid, data)
  assert data.ncon == 1


def test_errors_do_not_quote_files_that_are_not_xml(tmp_path):
  (tmp_path / 'accounts').write_text('root:hidden:0:0\n<b>other</b>\n')
  with pytest.raises(ValueError, match='accounts:1:1') as error:
    cortenforge.MjModel.from_xml_string(
        f'<mujoco><include file="{tmp_path / "accounts"}"/></mujoco>')
  assert 'hidden' not in str(error.value)

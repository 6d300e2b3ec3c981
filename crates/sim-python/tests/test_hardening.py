"""What 5,000 attacks have broken once: each of these must stay an error or a result.

What could end or block a process runs in one of its own, with a limit of memory.
"""

import os
import resource
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest
from conftest import PATIENCE, SANITIZED

import cortenforge as cf
from cortenforge import rollout

GIGABYTE = 1 << 30
# the sanitizer surrounds what is allocated, and keeps what was freed for a while
ROOM = 2 if SANITIZED else 1

HEAD = """
import resource
import cortenforge as cf
import numpy as np
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
"""


def run(code, *arguments, memory=4 * GIGABYTE, timeout=60, **options):
  """Runs a program with a limit of memory; its output."""
  environment = dict(os.environ)
  if SANITIZED:
    # it needs all addresses, so that the limit is one for each allocation
    environment['ASAN_OPTIONS'] += f':max_allocation_size_mb={memory >> 20}'

  def limit():
    if not SANITIZED:
      resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
  done = subprocess.run([sys.executable, '-W', 'ignore', '-c', HEAD + textwrap.dedent(code),
                         *map(str, arguments)],
                        capture_output=True, text=True, timeout=timeout * PATIENCE, check=False,
                        preexec_fn=limit, env=environment, **options)
  assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
  return done.stdout.strip()



# memory

@pytest.mark.parametrize('solver', ['Newton', 'CG', 'PGS'])
@pytest.mark.parametrize('count', [800, 3000])
def test_bodies_in_one_place_take_bounded_memory(count, solver):
  output = run(f"""
    m = cf.MjModel.from_xml_string('<mujoco><option solver="{solver}" iterations="1"/><worldbody>'
        '<replicate count="{count}"><body><freejoint/><geom size=".1"/></body></replicate>'
        '</worldbody></mujoco>')
    d = cf.MjData(m)
    cf.mj_step(m, d)
    W = cf.mjtWarning
    full = d.warning[W.mjWARN_CONTACTFULL].number + d.warning[W.mjWARN_CNSTRFULL].number
    print(full > 0, peak())
    """)
  full, peak = output.split()
  assert full == 'True' and int(peak) < 1024 * ROOM, output


def test_a_failed_allocation_is_an_exception():
  output = run("""
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><replicate count="1000"><body><freejoint/>'
                                   '<geom size=".1"/></body></replicate></worldbody></mujoco>')
    kept = []
    try:
      while True:
        kept.append(cf.MjData(m))
        cf.mj_step(m, kept[-1])
        if len(kept) > 2000: break
    except MemoryError as error:
      print('MemoryError', error)
    kept.clear()
    cf.mj_forward(m, cf.MjData(m))
    """, memory=700 << 20, timeout=200)
  assert output.startswith('MemoryError')


def test_a_table_of_sensor_sizes_asks_for_nothing():
  output = run("""
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><site name="s"/></worldbody><sensor>'
                                   '<framepos objtype="site" objname="s"/></sensor></mujoco>')
    m.sensor_dim[0] = 2**31 - 1
    try:
      d = cf.MjData(m)
      cf.mj_step(m, d)
    except (cf.FatalError, MemoryError, ValueError) as error:
      print('error', error)
    """, memory=2 * GIGABYTE)
  assert 'sensor' in output


@pytest.mark.parametrize('size', ['nbvhdynamic', 'nM', 'nJmom', 'nuserdata', 'nsensordata',
                                  'npluginstate', 'nhistory', 'nC', 'nbvh', 'nconmax', 'njmax',
                                  'narena', 'nbuffer', 'ngravcomp'])
@pytest.mark.parametrize('value', [2**31, 2**62, 2**27])
def test_sizes_without_arrays_are_checked(size, value):
  output = run(f"""
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>'
                                   '</worldbody></mujoco>')
    function, arguments = m.__reduce__()[:2]
    fields = next(x for x in (*arguments, *m.__reduce__()[2:]) if isinstance(x, dict))
    fields['{size}'] = {value}
    try:
      m = function(*arguments)
      d = cf.MjData(m)
      cf.mj_step(m, d)
    except (ValueError, OverflowError, cf.FatalError, MemoryError) as error:
      print(type(error).__name__)
    else:
      assert '{size}' in ('nconmax', 'njmax', 'narena', 'nbuffer', 'ngravcomp')
    """, memory=3 * GIGABYTE)
  assert output in ('', 'ValueError', 'OverflowError')  # not that of the system


@pytest.mark.parametrize('times, depth', [(3, 12), (2, 18)])
def test_copies_by_attach_are_counted_before_they_are_made(tmp_path, times, depth):
  for level in range(depth):
    attached = ''.join(f'<attach model="m" prefix="{i}"/>' for i in range(times))
    (tmp_path / f'{level}.xml').write_text(
        f'<mujoco model="m{level}"><asset><model name="m" file="{level + 1}.xml"/></asset>'
        f'<worldbody>{attached}</worldbody></mujoco>')
  (tmp_path / f'{depth}.xml').write_text(
      '<mujoco model="leaf"><worldbody><body><geom size=".1"/></body></worldbody></mujoco>')
  output = run("""
    import sys, time
    start = time.time()
    try:
      cf.MjModel.from_xml_path(sys.argv[1])
    except ValueError as error:
      print(peak(), time.time() - start, str(error).splitlines()[0])
    """, tmp_path / '0.xml')
  peak, seconds, message = output.split(' ', 2)
  assert int(peak) < 700 * ROOM and float(seconds) < 20 * PATIENCE and 'limit' in message, output


# arrays at the border

MODEL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
  <sensor><framepos objtype="site" objname="s"/></sensor></mujoco>"""


@pytest.fixture
def ball():
  model = cf.MjModel.from_xml_string(MODEL)
  data = cf.MjData(model)
  cf.mj_forward(model, data)
  return model, data


def unaligned(shape, kind=np.float64):
  size = int(np.prod(shape)) * np.dtype(kind).itemsize
  return np.zeros(size + 1, np.uint8)[1:].view(kind).reshape(shape)


def overlapping(shape):
  return np.lib.stride_tricks.as_strided(np.zeros(1), shape, (0,) * len(shape), writeable=True)


def field_of_a_packed_struct(shape):
  return np.zeros(shape, np.dtype([('a', 'u1'), ('b', 'f8')], align=False))['b']


CALLS = {
    'mulM': lambda m, d, f: cf.mj_mulM(m, d, f((6,)), f((6,))),
    'solveM': lambda m, d, f: cf.mj_solveM(m, d, f((2, 6)), f((2, 6))),
    'fullM': lambda m, d, f: cf.mj_fullM(m, f((6, 6)), d.qM),
    'getState': lambda m, d, f: cf.mj_getState(m, d, f((14,)), cf.mjtState.mjSTATE_FULLPHYSICS),
    'setState': lambda m, d, f: cf.mj_setState(m, d, f((14,)), cf.mjtState.mjSTATE_FULLPHYSICS),
    'jacBody': lambda m, d, f: cf.mj_jacBody(m, d, f((3, 6)), f((3, 6)), 1),
    'ray': lambda m, d, f: cf.mj_ray(m, d, f((3,)), f((3,)) + [0, 0, 1], None, 1, -1,
                                     np.zeros(1, np.int32)),
    'ray id': lambda m, d, f: cf.mj_ray(m, d, np.zeros(3), np.ones(3), None, 1, -1,
                                        unaligned((1,), np.int32)),
    'quat': lambda m, d, f: cf.mju_mulQuat(f((4,)), f((4,)), f((4,))),
    'mulMatVec': lambda m, d, f: cf.mju_mulMatVec(f((3,)), f((3, 4)), f((4,))),
    'differentiatePos': lambda m, d, f: cf.mj_differentiatePos(m, f((6,)), 1., f((7,)), f((7,))),
    'applyFT': lambda m, d, f: cf.mj_applyFT(m, d, f((3,)), f((3,)), f((3,)), 1, f((6,))),
    'rollout': lambda m, d, f: rollout.rollout(m, d, f((1, 14))),
    'rollout control': lambda m, d, f: rollout.rollout(m, d, np.zeros((1, 14)), f((1, 5, 0))),
    'qpos': lambda m, d, f: setattr(d, 'qpos', f((7,))),
    'contactForce': lambda m, d, f: cf.mj_contactForce(m, d, 0, f((6,))),
    'transitionFD': lambda m, d, f: cf.mjd_transitionFD(m, d, 1e-6, 0, f((12, 12)), None, None,
                                                        None),
}


@pytest.mark.parametrize('make', [unaligned, overlapping, field_of_a_packed_struct])
@pytest.mark.parametrize('call', CALLS)
def test_arrays_may_lie_anywhere(ball, call, make):
  with np.errstate(all='ignore'):
    try:
      CALLS[call](*ball, make)
    except Exception as error:  # PanicException is not one
      assert isinstance(error, (TypeError, ValueError)), error


def test_numbers_in_unaligned_arrays_are_right(ball):
  model, data = ball
  vector = unaligned((6,))
  vector[:] = np.arange(6)
  results = unaligned((6,)), np.zeros(6)
  cf.mj_mulM(model, data, results[0], vector)
  cf.mj_mulM(model, data, results[1], np.arange(6.0))
  assert np.array_equal(*results) and np.any(results[0])


@pytest.mark.parametrize('xml', ['<mujoco/>', '<mujoco><worldbody><body/></worldbody></mujoco>'])
def test_models_without_dofs_have_empty_matrices(xml):
  model = cf.MjModel.from_xml_string(xml)
  data = cf.MjData(model)
  cf.mj_forward(model, data)
  cf.mj_fullM(model, np.zeros((0, 0)), data.qM)
  for jac in (cf.mj_jacBody, cf.mj_jacBodyCom, cf.mj_jacSubtreeCom):
    arguments = [np.zeros((3, 0))] * (1 if jac is cf.mj_jacSubtreeCom else 2)
    jac(model, data, *arguments, 0)


WAYS = {
    'itself': lambda x: x,
    'memoryview': lambda x: np.asarray(memoryview(x)),
    'frombuffer': lambda x: np.frombuffer(x, np.float64),
    'dlpack': np.from_dlpack,
    'ctypes': lambda x: np.ctypeslib.as_array(
        (__import__('ctypes').c_double * x.size).from_address(x.ctypes.data)),
}


@pytest.mark.parametrize('way', WAYS)
@pytest.mark.parametrize('owner', ['data', 'model'])
def test_outputs_of_a_rollout_are_not_the_data(way, owner):
  model = cf.MjModel.from_xml_string(
      '<mujoco><worldbody>' + '<body><freejoint/><geom size=".1"/></body>' * 8 + '<body/>' * 80
      + '</worldbody></mujoco>')
  data = cf.MjData(model)
  source = data.xmat if owner == 'data' else model.body_pos
  size = cf.mj_stateSize(model, cf.mjtState.mjSTATE_FULLPHYSICS)
  output = WAYS[way](source).reshape(-1)[:size].reshape(1, 1, -1)
  with pytest.raises(ValueError, match='part of'):
    rollout.rollout(model, data, np.zeros((1, size)), nstep=1, state=output)


def test_outputs_of_a_rollout_do_not_overlap(ball):
  model, data = ball
  room = np.zeros(40)
  other = WAYS['ctypes'](room)
  with pytest.raises(ValueError, match='overlap'):
    rollout.rollout(model, data, np.zeros((2, 14)), nstep=1, state=room[:28].reshape(2, 1, 14),
                    sensordata=other[26:32].reshape(2, 1, 3))


def test_arguments_that_raise_strange_things_are_exceptions(ball):
  class Strange:
    def __array__(self, *args, **kwargs): raise KeyError('no')
    def __float__(self): raise OSError('no')
    def __index__(self): raise ZeroDivisionError('no')
    def __len__(self): raise RuntimeError('no')
    def __getattr__(self, name): raise RuntimeError('no')
  model, data = ball
  for call in (lambda: cf.mj_step(model, data, Strange()),
               lambda: cf.mj_mulM(model, data, Strange(), Strange()),
               lambda: cf.mj_jacBody(model, data, Strange(), None, 1),
               lambda: setattr(data, 'qpos', Strange()),
               lambda: setattr(data, 'time', Strange()),
               lambda: rollout.rollout(model, data, Strange()),
               lambda: cf.MjModel.from_xml_string(Strange()),
               lambda: cf.MjModel.from_xml_path(Strange()),
               lambda: cf.mj_name2id(model, Strange(), 'x')):
    with pytest.raises(Exception):
      call()


# views while another thread steps

def test_views_flipped_while_another_thread_steps():
  output = run("""
    import threading, time
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
        + '<body pos="0 0 .09"><freejoint/><geom size=".1"/></body>' * 4 + '</worldbody></mujoco>')
    d = cf.MjData(m)
    ends = time.time() + 3
    def flip(name):
      table = getattr(m, name)
      good = table.copy()
      while time.time() < ends:
        table[:] = 10**6
        table[:] = good
    threads = [threading.Thread(target=flip, args=(name,))
               for name in ('body_parentid', 'dof_Madr', 'geom_bodyid', 'body_geomadr')]
    [t.start() for t in threads]
    failed = count = 0
    while time.time() < ends:
      count += 1
      try: cf.mj_step(m, d, 3)
      except cf.FatalError: failed += 1
    [t.join() for t in threads]
    cf.mj_resetData(m, d)
    cf.mj_step(m, d)
    print(count > failed)
    """)
  assert output == 'True'


# recovery

SPOILED = [
    ('sensor_adr', 'body_parentid', cf.mj_sensorPos), ('sensor_adr', 'body_rootid', cf.mj_sensorPos),
    ('sensor_adr', 'dof_bodyid', cf.mj_sensorPos), ('dof_Madr', 'body_parentid', cf.mj_crb),
    ('body_rootid', 'sensor_dim', cf.mj_comPos), ('geom_bodyid', 'M_rownnz', cf.mj_forward),
    ('M_colind', 'M_rowadr', cf.mj_forward), ('dof_parentid', 'M_rownnz', cf.mj_step),
]


@pytest.mark.parametrize('first, second, function', SPOILED)
def test_data_recovers(ball, first, second, function):
  model, data = ball
  fresh = cf.MjData(model)
  kept = getattr(model, first).copy(), getattr(model, second).copy()
  getattr(model, first)[:] = getattr(model, second)[:] = 10**6
  for _ in range(2):
    for call in (function, cf.mj_resetData):
      try:
        call(model, data)
      except cf.FatalError:
        pass
  getattr(model, first)[:], getattr(model, second)[:] = kept
  cf.mj_resetData(model, data)
  cf.mj_step(model, data, 5)
  cf.mj_step(model, fresh, 5)
  assert np.array_equal(data.qpos, fresh.qpos) and np.array_equal(data.sensordata, fresh.sensordata)


def test_errors_name_the_table(ball):
  model, data = ball
  model.body_parentid[:] = 10**6
  with pytest.raises(cf.FatalError, match='body_parentid') as error:
    cf.mj_step(model, data)
  assert '.rs' not in str(error.value) and 'panicked' not in str(error.value)


# loops from tables

@pytest.mark.parametrize('table', ['body_geomnum', 'body_jntnum', 'body_dofnum', 'sensor_dim',
                                   'M_rownnz', 'D_rownnz', 'tendon_num', 'actuator_actnum',
                                   'tree_dofnum', 'tree_bodynum', 'sensor_history',
                                   'actuator_history', 'body_bvhnum', 'dof_simplenum'])
@pytest.mark.parametrize('value', [10**6, 2**31 - 1, -1, -2**31])
def test_counts_of_tables_are_no_long_loops(table, value):
  run(f"""
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><geom type="plane" size="1 1 1"/>'
        + '<body pos="0 0 .09"><joint type="slide"/><geom size=".1"/><geom size=".05"/></body>' * 9
        + '<body><joint name="j"/><geom size=".1"/></body></worldbody>'
        '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
        '<actuator><motor joint="j" delay=".01" nsample="3"/></actuator>'
        '<sensor><jointpos joint="j" delay=".01" nsample="3"/></sensor></mujoco>')
    d = cf.MjData(m)
    m.{table}[...] = {value}
    for function in (cf.mj_forward, cf.mj_step, cf.mj_inverse, cf.mj_resetData, cf.mj_kinematics,
                     cf.mj_collision, cf.mj_setConst):
      try: function(m, d)
      except (cf.FatalError, MemoryError, ValueError): pass
    """, timeout=20)


# threads

def test_threads_of_pools_are_bounded(ball):
  start = time.time()
  for count in (10**6, 2**63, 2**31, 5000):
    with pytest.raises((ValueError, OverflowError)):
      rollout.Rollout(nthread=count)
  model, _ = ball
  with pytest.raises((ValueError, OverflowError)):
    cf.batch.Batch(model, 2, nthread=10**6)
  assert time.time() - start < 5 * PATIENCE


def test_a_batch_too_large_for_memory_is_an_exception():
  output = run("""
    from cortenforge.batch import Batch
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>'
                                   '</worldbody></mujoco>')
    for count in (10**9, 2**40, 2**62):
      try: Batch(m, count)
      except (MemoryError, ValueError, OverflowError) as error: print(type(error).__name__)
    """, memory=2 * GIGABYTE)
  assert len(output.split()) == 3


def test_exit_while_threads_are_inside_callbacks():
  for _ in range(8):
    run("""
      import threading, time
      m = cf.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>'
                                     '</worldbody></mujoco>')
      cf.set_mjcb_control(lambda m, d: None)
      def work():
        d = cf.MjData(m)
        while True: cf.mj_step(m, d, 5)
      for _ in range(4): threading.Thread(target=work, daemon=True).start()
      time.sleep(.15)
      """)


def test_fork_after_a_persistent_pool():
  output = run("""
    import os
    from cortenforge import rollout
    m = cf.MjModel.from_xml_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body>'
                                   '</worldbody></mujoco>')
    data = [cf.MjData(m) for _ in range(2)]
    play = lambda: rollout.rollout(m, data, np.zeros((4, 14)), nstep=3, persistent_pool=True)
    play()
    child = os.fork()
    if child == 0:
      play()
      os._exit(7)
    print(os.waitpid(child, 0)[1] >> 8)
    """, timeout=30)
  assert output == '7'


LONG = """<mujoco><option solver="{solver}" iterations="100000000" tolerance="0" ls_iterations="50"/>
  <worldbody><geom type="plane" size="9 9 1"/>{boxes}</worldbody></mujoco>"""


@pytest.mark.parametrize('solver', ['PGS', 'CG', 'Newton'])
def test_ctrl_c_interrupts_a_single_step(solver):
  boxes = ''.join(f'<body pos="{i * .21} 0 {.1 + .19 * j}"><freejoint/><geom type="box" '
                  f'size=".1 .1 .1"/></body>' for i in range(10) for j in range(10))
  output = run("""
    import os, signal, sys, threading, time
    signal.signal(signal.SIGINT, signal.default_int_handler)
    m = cf.MjModel.from_xml_string(sys.argv[1])
    d = cf.MjData(m)
    threading.Timer(.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.time()
    try:
      while True: cf.mj_step(m, d)
    except KeyboardInterrupt:
      print(time.time() - start)
    cf.mj_resetData(m, d)
    m.opt.iterations = 3
    fresh = cf.MjData(m)
    cf.mj_step(m, d); cf.mj_step(m, fresh)
    assert np.array_equal(d.qpos, fresh.qpos)
    """, LONG.format(solver=solver, boxes=boxes), timeout=30)
  assert float(output) < 5 * PATIENCE


# files

def test_a_loader_keeps_to_its_root(tmp_path):
  inside = tmp_path / 'inside'
  (inside / 'sub').mkdir(parents=True)
  (tmp_path / 'secret.xml').write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
  (inside / 'sub' / 'part.xml').write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
  os.symlink(tmp_path / 'secret.xml', inside / 'link.xml')
  for name, fine in (('sub/part.xml', True), ('./sub/../sub/part.xml', True),
                     ('../secret.xml', False), (str(tmp_path / 'secret.xml'), False),
                     ('link.xml', False), ('sub/../../secret.xml', False),
                     (str(inside / 'sub/part.xml'), True)):
    text = f'<mujoco><include file="{name}"/></mujoco>'
    (inside / 'main.xml').write_text(text)
    for load in (lambda: cf.MjModel.from_xml_path(str(inside / 'main.xml'), root=str(inside)),
                 lambda: cf.MjModel.from_xml_path(inside / 'main.xml', root=inside)):
      if fine:
        assert load().ngeom == 1
      else:
        with pytest.raises(ValueError, match='outside'):
          load()
    assert cf.MjModel.from_xml_path(str(inside / 'main.xml')).ngeom == 1
  with pytest.raises(ValueError, match='outside'):
    cf.MjModel.from_xml_path(str(tmp_path / 'secret.xml'), root=str(inside))
  with pytest.raises(ValueError, match='outside'):
    cf.MjModel.from_xml_string('<mujoco><include file="/etc/hostname"/></mujoco>', root=str(inside))


def test_meshes_images_and_models_keep_to_the_root(tmp_path):
  inside = tmp_path / 'inside'
  inside.mkdir()
  for asset in ('<texture name="x" type="2d" file="../x.png"/>', '<mesh file="../x.stl"/>',
                '<hfield name="h" size="1 1 1 1" file="../x.png"/>',
                '<model name="m" file="../x.xml"/>'):
    (inside / 'main.xml').write_text(f'<mujoco><asset>{asset}</asset></mujoco>')
    with pytest.raises(ValueError, match='outside'):
      cf.MjModel.from_xml_path(str(inside / 'main.xml'), root=str(inside))


def test_images_are_read_no_further_than_their_last_row():
  output = run("""
    import struct, time, zlib
    def chunk(kind, data):
      return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
    head = b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 4, 4, 8, 0, 0, 0, 0))
    z = zlib.compressobj(9)
    body = z.compress(b'\\0abcd' * 4) + b''.join(z.compress(bytes(1 << 20)) for _ in range(1024))
    body += z.flush()
    image = head + chunk(b'IDAT', body) + chunk(b'IEND', b'')
    start = time.time()
    try:
      m = cf.MjModel.from_xml_string('<mujoco><asset><texture name="t" type="2d" file="a.png"/>'
                                     '</asset></mujoco>', assets={'a.png': image})
    except ValueError as error: pass
    print(time.time() - start, peak())
    """)
  seconds, peak = output.split()
  assert float(seconds) < 0.5 * PATIENCE and int(peak) < 300 * ROOM


WARNED = {
    'friction': '<worldbody><geom size="1" friction="-1 0 0"/></worldbody>',
    'density': '<option density="-1"/>',
    'viscosity': '<option viscosity="-1"/>',
    'impratio': '<option impratio="-2"/>',
    'ctrlrange': '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>'
                 '<motor joint="j" ctrllimited="false" ctrlrange="2 -2"/></actuator>',
    'ball': '<worldbody><body><joint type="ball" name="j"/><geom size="1"/></body></worldbody>'
            '<tendon><fixed><joint joint="j" coef="1"/></fixed></tendon>',
    'target': '<worldbody><camera mode="targetbody"/></worldbody>',
    'resolution': '<worldbody><camera resolution="-3 2"/></worldbody>',
}


@pytest.mark.parametrize('word', WARNED)
def test_what_cannot_be_meant_is_warned_of(tmp_path, word):
  path = tmp_path / 'model.xml'
  path.write_text(f'<mujoco>\n{WARNED[word]}</mujoco>')
  try:
    with pytest.warns(UserWarning, match=word) as warned:
      model = cf.MjModel.from_xml_path(str(path))
  except ValueError as error:
    assert word in str(error) and 'model.xml:2' in str(error)
    return
  assert any('model.xml:2' in str(w.message) for w in warned)
  assert any(word in text for text in model.load_warnings)


@pytest.mark.parametrize('number', ['inf', '-inf', 'nan', '1e400', 'Infinity'])
def test_numbers_that_are_not_finite_are_refused(number):
  with pytest.raises(ValueError):
    cf.MjModel.from_xml_string(
        f'<mujoco><worldbody><body><geom size="1" pos="{number} 0 0"/></body></worldbody></mujoco>')


def test_errors_do_not_quote_files_that_are_no_models(tmp_path):
  secret = tmp_path / 'accounts'
  secret.write_text('root:x:0:0:secret:/root:/bin/sh\nother:y:1:1::/:/bin/false\n')
  for text in (f'<mujoco><include file="{secret}"/></mujoco>',
               f'<mujoco><asset><model name="a" file="{secret}"/></asset></mujoco>',
               f'<mujoco><asset><texture name="t" type="2d" file="{secret}"/></asset></mujoco>',
               f'<mujoco><asset><hfield name="h" size="1 1 1 1" file="{secret}"/></asset></mujoco>',
               f'<mujoco><asset><mesh name="m" content_type="model/obj" file="{secret}"/></asset>'
               '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'):
    with pytest.raises(ValueError) as caught:
      cf.MjModel.from_xml_string(text)
    assert 'secret' not in str(caught.value) and 'false' not in str(caught.value)
  for load in (cf.MjModel.from_xml_path, cf.MjSpec.from_urdf,
               cf.MjModel.from_binary_path):
    with pytest.raises(ValueError) as caught:
      load(str(secret))
    assert 'secret' not in str(caught.value)

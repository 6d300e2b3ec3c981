"""Functions against those of the mujoco package."""

import copy
import pickle

import mujoco
import numpy as np
import pytest
from conftest import EMPTY, MODELS, PENDULUM, ROBOT

import cortenforge

STATES = [1, 2, 4, 16383, 8223, 30, 8128, 0]


def both(xml, seed=0):
  """Model and data in both packages, in the same random state."""
  rng = np.random.default_rng(seed)
  pairs = []
  for module in (cortenforge, mujoco):
    model = module.MjModel.from_xml_string(xml)
    pairs.append((model, module.MjData(model)))
  (_, ours), (_, theirs) = pairs
  ours.qpos = theirs.qpos = theirs.qpos + 0.1 * rng.standard_normal(theirs.qpos.shape)
  ours.qvel = theirs.qvel = rng.standard_normal(theirs.qvel.shape)
  ours.xfrc_applied = theirs.xfrc_applied = rng.standard_normal(theirs.xfrc_applied.shape)
  return pairs


def close(ours, theirs, message=''):
  np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10, err_msg=message)


@pytest.mark.parametrize('steps', [1, 20])
def test_steps_follow_mujoco(xml, steps):
  (m, d), (rm, rd) = both(xml)
  cortenforge.mj_step(m, d, nstep=steps)
  mujoco.mj_step(rm, rd, nstep=steps)
  close(d.time, rd.time)
  close(d.qpos, rd.qpos)
  close(d.qvel, rd.qvel)
  assert d._views_hold()


def test_nstep_repeats_steps():
  (m, d), _ = both(ROBOT)
  _, (m2, d2) = (m, d), (m, cortenforge.MjData(m))
  d2.qpos, d2.qvel, d2.xfrc_applied = d.qpos, d.qvel, d.xfrc_applied
  cortenforge.mj_step(m, d, 10)
  for _ in range(10):
    cortenforge.mj_step(m2, d2)
  assert np.array_equal(d.qpos, d2.qpos)
  before = d.time
  cortenforge.mj_step(m, d, nstep=0)
  cortenforge.mj_step(m, d, nstep=-3)
  assert d.time == before


def test_two_half_steps_are_a_step(xml):
  (m, d), (rm, rd) = both(xml)
  cortenforge.mj_step1(m, d)
  cortenforge.mj_step2(m, d)
  mujoco.mj_step1(rm, rd)
  mujoco.mj_step2(rm, rd)
  close(d.qpos, rd.qpos)
  close(d.qvel, rd.qvel)


def test_stages_compute_what_mujoco_computes(xml):
  (m, d), (rm, rd) = both(xml)
  for stage in ('mj_kinematics', 'mj_comPos', 'mj_camlight', 'mj_crb', 'mj_factorM', 'mj_comVel',
                'mj_passive', 'mj_subtreeVel', 'mj_energyPos', 'mj_energyVel', 'mj_fwdPosition',
                'mj_fwdVelocity', 'mj_forward', 'mj_setConst'):
    getattr(cortenforge, stage)(m, d)
    getattr(mujoco, stage)(rm, rd)
    assert d._views_hold(), stage
    for name in ('xpos', 'xmat', 'subtree_com', 'cdof', 'cam_xpos', 'light_xdir', 'M', 'qLD',
                 'cvel', 'qfrc_passive', 'subtree_angmom', 'energy', 'qfrc_bias', 'qacc'):
      if stage != 'mj_setConst':  # leaves other intermediate results behind
        close(getattr(d, name), getattr(rd, name), f'{name} after {stage}')
  close(m.body_invweight0, rm.body_invweight0)


def test_older_layout_of_the_inertia_matrix_is_written_when_asked_for(xml):
  (m, d), (rm, rd) = both(xml)
  view = d.qM
  seen = {cortenforge: [], mujoco: []}
  for module, matrices in seen.items():
    # the one may change the data, the other may not
    module.set_mjcb_control(lambda m, d, out=matrices: out.append(d.qM.copy()))
    module.set_mjcb_sensor(lambda m, d, stage, out=matrices: out.append(d.qM.copy()))
  try:
    for _ in range(3):
      cortenforge.mj_step(m, d)
      mujoco.mj_step(rm, rd)
      assert d.qM is view
      close(view, rd.qM)
  finally:
    for module in seen:
      module.set_mjcb_control(None)
      module.set_mjcb_sensor(None)
  close(np.array(seen[cortenforge]), np.array(seen[mujoco]))
  assert len(seen[mujoco]) >= 3


def test_full_inertia_matrix(xml):
  (m, d), (rm, rd) = both(xml)
  cortenforge.mj_forward(m, d)
  mujoco.mj_forward(rm, rd)
  dense, reference = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
  cortenforge.mj_fullM(m, dense, d.qM)
  mujoco.mj_fullM(rm, reference, rd.qM)
  close(dense, reference)
  vector = np.cos(np.arange(m.nv))
  product = np.zeros(m.nv)
  cortenforge.mj_mulM(m, d, product, vector)
  close(product, reference @ vector)
  solution = np.zeros((2, m.nv))
  cortenforge.mj_solveM(m, d, solution, np.array([product, 2 * product]))
  np.testing.assert_allclose(solution, [vector, 2 * vector], atol=1e-8)


def test_wrong_shapes_are_type_errors(robot):
  m, d = robot
  square = np.zeros((m.nv, m.nv))
  cases = [
      (cortenforge.mj_fullM, (m, np.zeros((2, 2)), d.qM), 'shape \\(nv, nv\\)'),
      (cortenforge.mj_fullM, (m, square, np.zeros(3)), 'size nM'),
      (cortenforge.mj_fullM, (m, square.astype(np.float32), d.qM), ''),
      (cortenforge.mj_mulM, (m, d, np.zeros(2), d.qvel), 'size nv'),
      (cortenforge.mj_mulM, (m, d, np.zeros(m.nv), d.qpos), 'size nv'),
      (cortenforge.mj_jac, (m, d, np.zeros((3, 2)), None, [0, 0, 0], 1), '\\(3, nv\\)'),
      (cortenforge.mj_integratePos, (m, np.zeros(2), d.qvel, 0.1), 'size nq'),
      (cortenforge.mj_getState, (m, d, np.zeros(3), 16383), 'mj_stateSize'),
      (cortenforge.mj_getState, (m, d, [0.0], 1), ''),
      (cortenforge.mj_setState, (m, d, np.zeros(3), 16383), 'mj_stateSize'),
      (cortenforge.mj_step, (m, d, 2.5), ''),
      (cortenforge.mj_step, (d, m), ''),
      (cortenforge.mj_step, (m, None), ''),
      (cortenforge.MjData, (None,), ''),
      (cortenforge.MjModel, (), ''),
  ]
  for function, arguments, message in cases:
    with pytest.raises(TypeError, match=message or None):
      function(*arguments)


def test_outputs_must_be_writable(robot):
  m, d = robot
  fixed = np.zeros(m.nv)
  fixed.flags.writeable = False
  with pytest.raises((TypeError, ValueError)):
    cortenforge.mj_mulM(m, d, fixed, d.qvel)


def test_outputs_may_be_columns_and_own_arrays(robot):
  m, d = robot
  cortenforge.mj_forward(m, d)
  table = np.zeros((m.nv, 3))
  d.qvel = 1.0
  cortenforge.mj_mulM(m, d, table[:, 1], d.qvel)
  cortenforge.mj_mulM(m, d, d.qfrc_applied, d.qvel)
  assert np.any(table[:, 1]) and not np.any(table[:, 0])
  assert np.array_equal(d.qfrc_applied, table[:, 1])


def test_jacobians():
  (m, d), (rm, rd) = both(ROBOT)
  cortenforge.mj_forward(m, d)
  mujoco.mj_forward(rm, rd)
  point = np.array([0.1, 0.2, 0.3])
  calls = [('mj_jac', point, 4), ('mj_jacDot', point, 4), ('mj_jacBody', 3), ('mj_jacBodyCom', 4),
           ('mj_jacGeom', 2), ('mj_jacSite', 1)]
  for name, *arguments in calls:
    ours, theirs = np.ones((2, 3, m.nv)), np.zeros((2, 3, m.nv))
    getattr(cortenforge, name)(m, d, ours[0], ours[1], *arguments)
    getattr(mujoco, name)(rm, rd, theirs[0], theirs[1], *arguments)
    close(ours, theirs, name)
    getattr(cortenforge, name)(m, d, None, ours[1], *arguments)
  with pytest.raises(cortenforge.FatalError, match='body 99'):
    cortenforge.mj_jacBody(m, d, None, None, 99)


def test_position_arithmetic_and_forces():
  (m, d), (rm, rd) = both(ROBOT)
  cortenforge.mj_forward(m, d)
  mujoco.mj_forward(rm, rd)
  ours, theirs = np.array(d.qpos), np.array(rd.qpos)
  cortenforge.mj_integratePos(m, ours, d.qvel, 0.3)
  mujoco.mj_integratePos(rm, theirs, rd.qvel, 0.3)
  close(ours, theirs)
  velocity = np.zeros(m.nv)
  cortenforge.mj_differentiatePos(m, velocity, 0.3, d.qpos, ours)
  reference = np.zeros(m.nv)
  mujoco.mj_differentiatePos(rm, reference, 0.3, rd.qpos, theirs)
  close(velocity, reference)
  cortenforge.mj_inverse(m, d)
  mujoco.mj_inverse(rm, rd)
  close(d.qfrc_inverse, rd.qfrc_inverse)
  for flag in (0, 1):
    ours, theirs = np.zeros(m.nv), np.zeros(m.nv)
    cortenforge.mj_rne(m, d, flag, ours)
    mujoco.mj_rne(rm, rd, flag, theirs)
    close(ours, theirs)
  ours, theirs = np.ones(m.nv), np.ones(m.nv)
  force, torque, point = np.array([1.0, 2, 3]), np.array([0.1, 0, -1]), np.array([0, 1.0, 0])
  cortenforge.mj_applyFT(m, d, force, torque, point, 4, ours)
  mujoco.mj_applyFT(rm, rd, force, torque, point, 4, theirs)
  close(ours, theirs)
  close(cortenforge.mj_getTotalmass(m), mujoco.mj_getTotalmass(rm))


def test_velocities_and_accelerations_of_objects():
  (m, d), (rm, rd) = both(ROBOT)
  for module, model, data in ((cortenforge, m, d), (mujoco, rm, rd)):
    module.mj_forward(model, data)
    module.mj_rnePostConstraint(model, data)
  for name in ('cacc', 'cfrc_int', 'cfrc_ext'):
    close(getattr(d, name), getattr(rd, name), name)
  for function in ('mj_objectVelocity', 'mj_objectAcceleration'):
    for kind, i in (('BODY', 4), ('XBODY', 5), ('GEOM', 3), ('SITE', 1), ('CAMERA', 1), ('BODY', 0)):
      for local in (0, 1):
        ours, theirs = np.ones(6), np.zeros(6)
        kind_id = int(getattr(mujoco.mjtObj, f'mjOBJ_{kind}'))
        getattr(cortenforge, function)(m, d, kind_id, i, ours, local)
        getattr(mujoco, function)(rm, rd, kind_id, i, theirs, local)
        close(ours, theirs, f'{function} {kind} {local}')
    for kind, i in ((3, 0), (1, 99), (-1, 0), (5, -1)):
      with pytest.raises(cortenforge.FatalError):
        getattr(cortenforge, function)(m, d, kind, i, np.zeros(6), 0)


@pytest.mark.parametrize('sig', STATES)
def test_state_vectors(sig):
  (m, d), (rm, rd) = both(ROBOT)
  size = mujoco.mj_stateSize(rm, sig)
  assert cortenforge.mj_stateSize(m, sig) == size
  ours, theirs = np.zeros(size), np.zeros(size)
  cortenforge.mj_getState(m, d, ours, sig)
  mujoco.mj_getState(rm, rd, theirs, sig)
  assert np.array_equal(ours, theirs)
  other = cortenforge.MjData(m)
  cortenforge.mj_setState(m, other, ours, sig=sig)
  again = np.zeros((size, 1))
  cortenforge.mj_getState(m, other, again, sig)
  assert np.array_equal(again[:, 0], ours)


@pytest.mark.parametrize('sig', [-1, 1 << 14, 1 << 30])
def test_bits_of_no_state_component_are_errors(robot, sig):
  m, d = robot
  for call in (lambda: cortenforge.mj_stateSize(m, sig),
               lambda: cortenforge.mj_getState(m, d, np.zeros(1), sig),
               lambda: cortenforge.mj_setState(m, d, np.zeros(1), sig)):
    with pytest.raises(cortenforge.FatalError, match='invalid state signature'):
      call()


def test_names_and_ids():
  (m, _), (rm, _) = both(ROBOT)
  kinds = list(cortenforge.mjtObj) + [100, -1]
  for kind in kinds:
    for i in range(-1, 8):
      reference = mujoco.mj_id2name(rm, int(kind), i)
      assert cortenforge.mj_id2name(m, kind, i) == reference
      if reference is not None:
        assert cortenforge.mj_name2id(m, kind, reference) == i
    assert cortenforge.mj_name2id(m, kind, 'nobody') == -1
    assert cortenforge.mj_name2id(m, kind, '') == mujoco.mj_name2id(rm, int(kind), '')


@pytest.mark.parametrize('key', [0, 1, 5, -1])
def test_keyframes(key):
  (m, d), (rm, rd) = both(ROBOT)
  cortenforge.mj_resetDataKeyframe(m, d, key)
  mujoco.mj_resetDataKeyframe(rm, rd, key)
  for name in ('time', 'qpos', 'qvel', 'ctrl', 'mocap_pos', 'mocap_quat', 'xfrc_applied'):
    close(getattr(d, name), getattr(rd, name), name)


def test_reset(xml):
  (m, d), (rm, rd) = both(xml)
  cortenforge.mj_step(m, d, 5)
  cortenforge.mj_resetData(m, d)
  mujoco.mj_resetData(rm, rd)
  for name in ('time', 'qpos', 'qvel', 'xpos', 'qacc', 'energy', 'mocap_pos'):
    close(getattr(d, name), getattr(rd, name), name)


def test_keyword_arguments(robot):
  m, d = robot
  cortenforge.mj_step(m=m, d=d, nstep=2)
  assert cortenforge.mj_name2id(m=m, type=1, name='torso') == 2


def test_questions_about_options(robot):
  m, _ = robot
  rm = mujoco.MjModel.from_xml_string(ROBOT)
  for cone in (0, 1):
    for jacobian in (0, 1, 2):
      for model in (m, rm):
        model.opt.cone, model.opt.jacobian = cone, jacobian
      assert cortenforge.mj_isPyramidal(m) == mujoco.mj_isPyramidal(rm)
      assert cortenforge.mj_isSparse(m) == mujoco.mj_isSparse(rm)


def test_fields_that_are_not_computed_exist(robot):
  for name in cortenforge.uncomputed_fields:
    assert any(hasattr(obj, name) for obj in robot), name


def test_versions():
  assert cortenforge.reference_version == mujoco.__version__ == '3.5.0'
  assert cortenforge.__version__ == cortenforge.engine_version != mujoco.__version__
  assert cortenforge.mj_versionString() == mujoco.mj_versionString()
  assert cortenforge.mj_version() == mujoco.mj_version()


def test_loading_from_files(tmp_path):
  path = tmp_path / 'pendulum.xml'
  path.write_text(PENDULUM)
  for name in (path, str(path)):
    assert cortenforge.MjModel.from_xml_path(name).nq == 1
  with pytest.raises(ValueError, match='nothing.xml'):
    cortenforge.MjModel.from_xml_path(str(tmp_path / 'nothing.xml'))
  with pytest.raises(ValueError, match='from_xml_string'):
    cortenforge.MjModel.from_xml_path(path, {'a.xml': b''})


def test_loading_with_assets():
  text = '<mujoco><include file="part.xml"/></mujoco>'
  model = cortenforge.MjModel.from_xml_string(text, {'part.xml': PENDULUM.encode()})
  assert model.nq == 1
  with pytest.raises(ValueError, match='part.xml'):
    cortenforge.MjModel.from_xml_string(text, assets={})
  with pytest.raises(TypeError):
    cortenforge.MjModel.from_xml_string(text, {'part.xml': 3})


def test_load_errors_say_where():
  text = '<mujoco>\n  <worldbody>\n    <body><geom sise="1"/></body>\n  </worldbody>\n</mujoco>'
  with pytest.raises(ValueError) as error:
    cortenforge.MjModel.from_xml_string(text)
  message = str(error.value)
  assert 'line 3, column 17' in message and 'sise' in message and 'size' in message


def test_load_warnings_are_python_warnings():
  text = '<mujoco><option><flag passive="disable"/></option></mujoco>'
  with pytest.warns(UserWarning, match='passive'):
    model = cortenforge.MjModel.from_xml_string(text)
  assert len(model.load_warnings) == 1 and 'passive' in model.load_warnings[0]
  assert cortenforge.MjModel.from_xml_string(EMPTY).load_warnings == []




def test_saving_a_model(tmp_path):
  path = tmp_path / 'saved.xml'
  model = cortenforge.MjModel.from_xml_string(PENDULUM)
  cortenforge.mj_saveLastXML(str(path), model)
  again = cortenforge.MjModel.from_xml_path(path)
  assert again.nq == model.nq and (again.body_mass == model.body_mass).all()
  cortenforge.mj_saveLastXML(path, again)
  text = path.read_text()
  cortenforge.mj_saveLastXML(path, copy.copy(again))
  assert path.read_text() == text
  with pytest.raises(cortenforge.FatalError, match='nowhere'):
    cortenforge.mj_saveLastXML(str(tmp_path / 'nowhere' / 'saved.xml'), model)
  with pytest.raises(cortenforge.FatalError, match='not loaded'):
    cortenforge.mj_saveLastXML(path, pickle.loads(pickle.dumps(model)))


def odd_arrays(n):
  """Arrays that Rust must not hold references to: not aligned, all elements in one place."""
  unaligned = np.zeros(8 * n + 1, np.uint8)[1:].view(np.float64)
  packed = np.zeros(n, np.dtype([('a', 'u1'), ('b', 'f8')]))['b']
  return unaligned, packed, np.lib.stride_tricks.as_strided(np.zeros(1), (n,), (0,))


def test_arrays_of_any_layout_are_arguments(robot):
  model, data = robot
  cortenforge.mj_forward(model, data)
  expected = np.zeros(model.nv)
  cortenforge.mj_mulM(model, data, expected, np.ones(model.nv))
  for array in odd_arrays(model.nv):
    cortenforge.mj_mulM(model, data, array, np.ones(model.nv))
    assert array[-1] == expected[-1]
    array[:] = 1
    result = np.zeros(model.nv)
    cortenforge.mj_mulM(model, data, result, array)
    assert (result == expected).all()
    cortenforge.mj_solveM(model, data, array[None], array[None])
  spec = cortenforge.mjtState.mjSTATE_QPOS
  for array in odd_arrays(model.nq):
    array[:] = 0.5
    cortenforge.mj_setState(model, data, array, spec)
    assert (data.qpos == 0.5).all()
    cortenforge.mj_getState(model, data, array, spec)
    assert (array == 0.5).all()
    cortenforge.mju_zero(array)
    assert not array.any()


def test_empty_arrays_are_arguments():
  model = cortenforge.MjModel.from_xml_string('<mujoco/>')
  data = cortenforge.MjData(model)
  cortenforge.mj_forward(model, data)
  cortenforge.mj_jacBody(model, data, np.zeros((3, 0)), np.zeros((3, 0)), 0)
  cortenforge.mj_mulM(model, data, np.zeros(0), np.zeros(0))


def test_arrays_that_cannot_be_written_are_refused(robot):
  model, data = robot
  for array in (np.zeros(model.nv), *odd_arrays(model.nv)):
    array.flags.writeable = False
    with pytest.raises(TypeError):
      cortenforge.mj_mulM(model, data, array, np.ones(model.nv))

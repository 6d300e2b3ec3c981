"""Finite differences and exact derivatives, beside those of the installed MuJoCo."""

import concurrent.futures
import importlib.util
import pathlib
import sys

import cortenforge
import mujoco
import numpy as np
import pytest
from cortenforge import derivatives

ROOT = pathlib.Path(__file__).parents[3]
MODELS = ROOT / 'models'
# the program behind `make derivatives`
SOURCE = ROOT / 'crates' / 'sim-conformance-tests' / 'python' / 'derivatives.py'
SPECIFICATION = importlib.util.spec_from_file_location('comparison', SOURCE)
comparison = importlib.util.module_from_spec(SPECIFICATION)
sys.path.append(str(SOURCE.parent))  # for what it imports
SPECIFICATION.loader.exec_module(comparison)
SPEC = int(mujoco.mjtState.mjSTATE_INTEGRATION)

# joints, tendons, actuators with activations, contacts, equalities, sensors, integrators
NAMES = ('figure', 'mixed_joints', 'ball_chain', 'contact_elliptic', 'contact_pyramids', 'equality_bodies',
         'muscle', 'general_actuators', 'servos', 'tendon_springs', 'implicit_clamped', 'integrate_implicit',
         'integrate_implicitfast', 'sensors_inertial', 'sensors_scalar', 'control_limits', 'islands')

MOTOR = """
<mujoco>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0"/><geom size="0.1"/></body>
  </worldbody>
  <actuator><motor joint="hinge" ctrllimited="true" ctrlrange="-1 1"/></actuator>
  <sensor><actuatorfrc actuator="0"/></sensor>
</mujoco>
""".replace('<motor ', '<motor name="0" ')


def settled(name, steps=40):
  """A model in both engines, and a state that it reaches with random controls."""
  path = str(MODELS / f'{name}.xml')
  reference, model = mujoco.MjModel.from_xml_path(path), cortenforge.MjModel.from_xml_path(path)
  data, random = mujoco.MjData(reference), np.random.default_rng(1)
  for _ in range(steps):
    data.ctrl[:] = random.uniform(-0.5, 0.5, reference.nu)
    mujoco.mj_step(reference, data)
  state = np.zeros(mujoco.mj_stateSize(reference, SPEC))
  mujoco.mj_getState(reference, data, state, SPEC)
  return reference, model, state


def differences(engine, model, state, eps, centered):
  """A, B, C, D of an engine."""
  data = engine.MjData(model)
  engine.mj_setState(model, data, state, SPEC)
  n, nu, ns = 2 * model.nv + model.na, model.nu, model.nsensordata
  matrices = [np.zeros(shape) for shape in ((n, n), (n, nu), (ns, n), (ns, nu))]
  engine.mjd_transitionFD(model, data, eps, centered, *matrices)
  return data, matrices


@pytest.mark.parametrize('centered', [0, 1])
@pytest.mark.parametrize('name', NAMES)
def test_finite_differences_are_those_of_the_reference(name, centered):
  reference, model, state = settled(name)
  eps = 1e-4
  data, expected = differences(mujoco, reference, state, eps, centered)
  _, matrices = differences(cortenforge, model, state, eps, centered)
  if centered:
    low, high = reference.actuator_ctrlrange.T
    free = (reference.actuator_ctrllimited == 0) | (data.ctrl - eps >= low) & (data.ctrl + eps <= high)
    expected[3][:, free] *= -1  # the reference has the wrong sign there
  for got, want in zip(matrices, expected):
    scale = np.maximum(1, np.abs(want).max(initial=0))
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * scale)


@pytest.mark.parametrize('ctrl, factor', [(0.0, 1), (1.0, 1), (-1.0, 1), (1.5, 0)])
def test_controls_are_perturbed_inside_their_range(ctrl, factor):
  model = cortenforge.MjModel.from_xml_string(MOTOR)
  data = cortenforge.MjData(model)
  data.ctrl[:] = ctrl
  for centered in (0, 1):
    B, D = np.zeros((2, 1)), np.zeros((1, 1))
    cortenforge.mjd_transitionFD(model, data, 1e-6, centered, None, B, None, D)
    assert D[0, 0] == pytest.approx(factor)
    assert (B[1, 0] > 0) == bool(factor)


def test_differences_leave_state_and_results_as_they_were():
  _, model, state = settled('figure')
  data, _ = differences(cortenforge, model, state, 1e-6, 1)
  after = np.zeros_like(state)
  cortenforge.mj_getState(model, data, after, SPEC)
  np.testing.assert_array_equal(after, state)
  fresh = cortenforge.MjData(model)
  cortenforge.mj_setState(model, fresh, state, SPEC)
  cortenforge.mj_forward(model, fresh)
  for field in ('xpos', 'qM', 'cvel', 'qacc', 'qfrc_bias', 'efc_force'):
    np.testing.assert_array_equal(getattr(data, field), getattr(fresh, field), err_msg=field)


@pytest.mark.parametrize('actuation', [0, 1])
@pytest.mark.parametrize('name', ['figure', 'mixed_joints', 'muscle', 'sensors_inertial'])
def test_differences_of_inverse_dynamics_are_those_of_the_reference(name, actuation):
  reference, model, state = settled(name)
  results = []
  for engine, m in ((mujoco, reference), (cortenforge, model)):
    data = engine.MjData(m)
    engine.mj_setState(m, data, state, SPEC)
    engine.mj_forward(m, data)
    nv, ns = m.nv, m.nsensordata
    matrices = [np.zeros((nv, n)) for n in (nv, nv, nv, ns, ns, ns, m.nM)]
    engine.mjd_inverseFD(m, data, 1e-4, actuation, *matrices)
    results.append(matrices)
  for want, got in zip(*results):
    scale = np.maximum(1, np.abs(want).max(initial=0))
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-9 * scale)


def test_quaternion_derivatives_are_those_of_the_reference():
  random = np.random.default_rng(2)
  for scale in (1e-9, 0.01, 1.0):
    a, b = random.normal(size=(2, 4))
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    velocity = random.normal(size=3)
    results = []
    for engine in (mujoco, cortenforge):
      Da, Db, Dquat, Dvel = np.zeros((4, 3, 3))
      Dscale = np.zeros(3)
      engine.mjd_subQuat(a, b, Da, Db)
      # the reference takes flat arrays here
      flat = Dquat.reshape(9), Dvel.reshape(9)
      engine.mjd_quatIntegrate(velocity, scale, *flat, Dscale)
      results.append((Da, Db, Dquat, Dvel, Dscale))
    for want, got in zip(*results):
      np.testing.assert_allclose(got, want, rtol=0, atol=1e-14)


def test_what_cannot_be_differenced_is_an_error():
  model = cortenforge.MjModel.from_xml_string(MOTOR)
  data = cortenforge.MjData(model)
  for eps in (0.0, -1e-6, np.nan, np.inf):
    with pytest.raises(cortenforge.FatalError, match='eps should be finite and positive'):
      cortenforge.mjd_transitionFD(model, data, eps, 0, None, None, None, None)
  with pytest.raises(TypeError, match=r'A should be of shape \(2\*nv\+na, 2\*nv\+na\)'):
    cortenforge.mjd_transitionFD(model, data, 1e-6, 0, np.zeros((3, 2)), None, None, None)
  with pytest.raises(TypeError, match='Da must have size 9'):
    cortenforge.mjd_subQuat([1, 0, 0, 0], [1, 0, 0, 0], np.zeros(8), None)
  model.opt.integrator = cortenforge.mjtIntegrator.mjINT_RK4
  with pytest.raises(cortenforge.FatalError, match='mjd_transitionFD: RK4 integrator is not supported'):
    cortenforge.mjd_transitionFD(model, data, 1e-6, 0, None, None, None, None)
  with pytest.raises(cortenforge.FatalError, match='mjd_inverseFD: RK4 integrator is not supported'):
    cortenforge.mjd_inverseFD(model, data, 1e-6, 0, *[None] * 7)


@pytest.mark.parametrize('name', ['figure', 'contact_elliptic', 'equality_bodies', 'muscle', 'servos'])
def test_exact_derivatives_are_near_differences(name):
  _, model, state = settled(name)
  model.opt.tolerance, model.opt.iterations = 0, 100
  data, (A, B, _, _) = differences(cortenforge, model, state, 1e-6, 1)
  exact = derivatives.transition(model, data)
  if exact.smooth.approximate_contacts == 0:
    np.testing.assert_allclose(exact.A, A, rtol=0, atol=2e-5 * np.maximum(1, np.abs(A).max(initial=0)))
    np.testing.assert_allclose(exact.B, B, rtol=0, atol=2e-5 * np.maximum(1, np.abs(B).max(initial=0)))
  again = derivatives.transition(model, data, out=exact)
  assert again is exact

  random = np.random.default_rng(3)
  nv, na = model.nv, model.na
  weights, change, ctrl = random.normal(size=len(A)), random.normal(size=len(A)), random.normal(size=model.nu)
  gradient = derivatives.vjp(
      model, data, qpos=weights[:nv], qvel=weights[nv:2 * nv], act=weights[2 * nv:])
  got = np.concatenate([gradient.qpos, gradient.qvel, gradient.act])
  scale = np.abs(exact.A).max()
  np.testing.assert_allclose(got, exact.A.T @ weights, rtol=0, atol=1e-10 * scale)
  np.testing.assert_allclose(gradient.ctrl, exact.B.T @ weights, rtol=0, atol=1e-10 * scale)
  moved = derivatives.jvp(
      model, data, qpos=change[:nv], qvel=change[nv:2 * nv], act=change[2 * nv:], ctrl=ctrl)
  np.testing.assert_allclose(moved, exact.A @ change + exact.B @ ctrl, rtol=0, atol=1e-10 * scale)
  assert na == model.na


def test_rollouts_are_linearised_alike_on_any_number_of_threads():
  _, model, _ = settled('figure')
  data, full = cortenforge.MjData(model), int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)
  states = np.zeros((9, cortenforge.mj_stateSize(model, full)))
  for state in states:
    cortenforge.mj_getState(model, data, state, full)
    cortenforge.mj_step(model, data, 10)
  A, B = derivatives.rollout(model, states, nthread=1)
  for nthread in (2, 8):
    again = derivatives.rollout(model, states, nthread=nthread)
    np.testing.assert_array_equal(again[0], A)
    np.testing.assert_array_equal(again[1], B)
  with pytest.raises(ValueError, match='states should have rows of'):
    derivatives.rollout(model, states[:, 1:])


def test_what_has_no_exact_derivative_is_named():
  model = cortenforge.MjModel.from_xml_path(str(MODELS / 'noslip.xml'))
  data = cortenforge.MjData(model)
  cortenforge.mj_step(model, data, 100)
  with pytest.raises(cortenforge.FatalError, match='noslip solver is not supported'):
    derivatives.transition(model, data)


@pytest.mark.parametrize('name', ['figure:contacts', 'figure:contacts:elliptic', 'mixed_joints', 'contact_pairs',
                                  'general_actuators', 'capsule-box', 'plane-cylinder', 'ellipsoid-cylinder',
                                  'cylinder-box'])
def test_exact_derivatives_are_those_of_the_step_of_the_reference(name):
  pair, states = comparison.find(name, 2)
  found = comparison.compare_exact(pair, states)
  assert found.judged and found.smooth and max(found.smooth) <= 1e-5, found.worst


def test_scratch_of_gradients_serves_several_threads():
  model = cortenforge.MjModel.from_xml_path(str(MODELS / 'figure.xml'))
  product, weight = derivatives.Vjp(model), np.ones(model.nv)
  datas = [cortenforge.MjData(model) for _ in range(4)]
  for data in datas:
    cortenforge.mj_step(model, data, 50)
  want = product(datas[0], qvel=weight)
  with concurrent.futures.ThreadPoolExecutor(4) as pool:
    for found in pool.map(lambda data: [product(data, qvel=weight) for _ in range(200)], datas):
      assert all((one.qpos == want.qpos).all() for one in found)


@pytest.mark.parametrize('name, fields', [
    ('figure:contacts', 'body_mass dof_armature dof_damping geom_friction geom_size timestep'),
    ('figure:contacts:elliptic', 'geom_friction geom_pos geom_solref geom_solimp'),
    ('friction_loss', 'dof_frictionloss tendon_frictionloss'),
    ('fluid_box_wind', 'wind'), ('implicit_clamped', 'timestep'),
    ('servos', 'actuator_gainprm actuator_biasprm actuator_gear')])
def test_derivatives_by_parameters_are_those_of_edits(name, fields):
  pair, states = comparison.find(name, 2)
  found, product_error = comparison.compare_parameters(pair, list(states), fields.split(), 6)
  assert found.smooth and max(found.smooth) <= 1e-5, found.worst
  assert product_error <= 1e-11


def test_parameters_are_chosen_by_field_and_name():
  model = cortenforge.MjModel.from_xml_path(str(MODELS / 'figure.xml'))
  data = cortenforge.MjData(model)
  step = derivatives.transition(model, data, parameters=[('body_mass', 'chest'), 'gravity'])
  assert step.names == [('body_mass', 1, 0)] + [('gravity', 0, i) for i in range(3)]
  # a figure in free flight falls by gravity alone
  np.testing.assert_allclose(step.P[model.nv + 2], [0, 0, 0, model.opt.timestep], atol=1e-12)
  moved = derivatives.jvp(model, data, parameters=[('gravity', [0, 0, 2.0])])
  assert moved[model.nv + 2] == pytest.approx(2 * model.opt.timestep)
  with pytest.raises(ValueError, match="no parameter 'body_colour'"):
    derivatives.transition(model, data, parameters=['body_colour'])
  with pytest.raises(ValueError, match="no body named 'tail'"):
    derivatives.transition(model, data, parameters=[('body_mass', 'tail')])
  with pytest.raises(IndexError, match='body_mass has'):
    derivatives.transition(model, data, parameters=[('body_mass', 99)])


def test_differences_take_over_where_they_are_allowed():
  model = cortenforge.MjModel.from_xml_path(str(MODELS / 'noslip.xml'))
  data = cortenforge.MjData(model)
  cortenforge.mj_step(model, data, 100)
  step = derivatives.transition(model, data, fallback=1e-6)
  assert step.smooth.differences and np.isfinite(step.A).all()


def test_gradients_by_quaternions_and_rotations_are_the_same():
  model = cortenforge.MjModel.from_xml_path(str(MODELS / 'mixed_joints.xml'))
  random, qpos = np.random.default_rng(5), model.qpos0.copy()
  cortenforge.mj_integratePos(model, qpos, random.normal(size=model.nv), 1)
  tangent = random.normal(size=model.nv)
  full = derivatives.quat_tangent(model, qpos, tangent)
  np.testing.assert_allclose(derivatives.tangent_of(model, qpos, full), tangent, atol=1e-14)
  moved, eps, along = qpos.copy(), 1e-6, random.normal(size=model.nv)
  cortenforge.mj_integratePos(model, moved, along, eps)
  assert full @ (moved - qpos) / eps == pytest.approx(tangent @ along, abs=1e-5)


CAMERAS = """
  <mujoco>
    <worldbody>
      <camera name="guard" pos="1 -2 1.5" mode="targetbody" target="tip"/>
      <body name="base" pos="0 0 1">
        <freejoint/>
        <geom type="box" size=".1 .05 .03"/>
        <camera name="track" pos=".3 -.2 .4" mode="track"/>
        <camera name="trackcom" pos=".3 -.2 .4" mode="trackcom"/>
        <body name="tip" pos=".2 0 0">
          <joint type="ball"/>
          <geom type="capsule" fromto="0 0 0 .2 .1 0" size=".03"/>
          <camera name="look" pos=".1 .2 .3" mode="targetbodycom" target="base"/>
          <camera name="ride" pos=".1 .2 .3"/>
        </body>
      </body>
    </worldbody>
    <sensor>%s</sensor>
  </mujoco>"""


@pytest.mark.parametrize('camera', ['guard', 'track', 'trackcom', 'look', 'ride'])
def test_sensors_of_cameras_move_with_what_these_track(camera):
  sensors = ''
  for kind in ('framepos', 'framequat', 'framexaxis', 'frameyaxis', 'framezaxis', 'framelinvel', 'frameangvel'):
    sensors += f'<{kind} objtype="camera" objname="{camera}"/>'
    sensors += f'<{kind} objtype="camera" objname="{camera}" reftype="body" refname="tip"/>'
    sensors += f'<{kind} objtype="body" objname="tip" reftype="camera" refname="{camera}"/>'
  pair = comparison.Pair.of_text(camera, CAMERAS % sensors).converge()
  errors, rough, worst = comparison.compare_sensors(pair, pair.states(3))
  assert len(errors) == 54 and not rough and max(errors) <= 1e-6, worst


def test_accelerations_of_cameras_that_track_are_an_error():
  model = cortenforge.MjModel.from_xml_string(CAMERAS % '<framelinacc objtype="camera" objname="track"/>')
  with pytest.raises(cortenforge.FatalError, match='FrameLinAcc'):
    derivatives.transition(model, cortenforge.MjData(model), sensors=True)

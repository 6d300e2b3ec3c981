"""Every function against that of the mujoco package, on whole models.

The models are those of the repository; the environment variable CORTENFORGE_MODELS may name a
folder with more, of which those count that both packages load.
"""

import copy
import os
import pathlib
import warnings

import mujoco
import numpy as np
import pytest

import cortenforge

def load(path):
  """A model in both packages."""
  with warnings.catch_warnings():
    warnings.simplefilter('ignore')
    ours = cortenforge.MjModel.from_xml_path(path)
  return ours, mujoco.MjModel.from_xml_path(str(path))


def loadable(folder):
  for path in sorted(folder.rglob('*.xml')):
    try:
      yield path, load(path)
    except (ValueError, RuntimeError):
      continue


MODELS = pathlib.Path(__file__).parents[3] / 'models'
LOADED = {path: load(path) for path in sorted(MODELS.glob('*.xml'))}
if 'CORTENFORGE_MODELS' in os.environ:
  LOADED.update(loadable(pathlib.Path(os.environ['CORTENFORGE_MODELS'])))

NO_CONSTRAINTS = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT

KINDS = {'BODY': 'nbody', 'XBODY': 'nbody', 'GEOM': 'ngeom', 'SITE': 'nsite', 'CAMERA': 'ncam'}


@pytest.fixture(params=LOADED, ids=lambda path: '/'.join(path.parts[-3:]))
def pair(request):
  """Model and data in both packages, without constraints, in the same random state."""
  m, rm = (copy.copy(model) for model in LOADED[request.param])
  rng = np.random.default_rng(len(request.param.name))
  d, rd = cortenforge.MjData(m), mujoco.MjData(rm)
  for model in (m, rm):
    model.opt.disableflags |= int(NO_CONSTRAINTS)
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
  mujoco.mj_integratePos(rm, rd.qpos, rng.standard_normal(rm.nv), 0.1)
  rd.qvel = rng.standard_normal(rm.nv)
  rd.ctrl = rng.uniform(-1, 1, rm.nu)
  rd.act = rng.uniform(0, 1, rm.na)
  rd.xfrc_applied = rng.standard_normal(rd.xfrc_applied.shape)
  state = np.zeros(mujoco.mj_stateSize(rm, 16383))
  mujoco.mj_getState(rm, rd, state, 16383)
  cortenforge.mj_setState(m, d, state, 16383)
  return (m, d), (rm, rd)


def close(ours, theirs, what):
  theirs = np.asarray(theirs)
  scale = max(1.0, np.abs(theirs).max(initial=0.0))
  np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * scale, err_msg=what)


def run(pair, name, *arguments, outputs=()):
  """Calls the function of both packages, with its own copy of each output, and compares them."""
  results = []
  for module, (model, data) in zip((cortenforge, mujoco), pair):
    own = [np.array(argument) if any(argument is o for o in outputs) else argument
           for argument in arguments]
    getattr(module, name)(model, data, *own)
    results.append([x for x, y in zip(own, arguments) if any(y is o for o in outputs)])
  for ours, theirs in zip(*results):
    close(ours, theirs, name)


def compare(pair, what, *fields):
  (_, d), (_, rd) = pair
  for field in fields:
    close(getattr(d, field), getattr(rd, field), f'{field} after {what}')


def moment(model, data):
  """The moments of actuators as a full matrix; the sparse one has unused numbers at its end."""
  dense = np.zeros((model.nu, model.nv))
  for i in range(model.nu):
    row = slice(data.moment_rowadr[i], data.moment_rowadr[i] + data.moment_rownnz[i])
    dense[i, data.moment_colind[row]] = data.actuator_moment[row]
  return dense


def test_stages(pair):
  for stage, fields in (
      ('mj_kinematics', ('xpos', 'xquat', 'xipos', 'ximat', 'xanchor', 'xaxis', 'geom_xpos',
                         'geom_xmat', 'site_xpos', 'site_xmat')),
      ('mj_comPos', ('subtree_com', 'cinert', 'cdof')),
      ('mj_camlight', ('cam_xpos', 'cam_xmat', 'light_xpos', 'light_xdir')),
      ('mj_tendon', ('ten_length',)),
      ('mj_crb', ('crb',)),
      ('mj_makeM', ('M', 'qM')),
      ('mj_factorM', ('qLD', 'qLDiagInv')),
      ('mj_transmission', ('actuator_length',)),
      ('mj_fwdPosition', ('xpos', 'M', 'ten_length', 'actuator_length')),
      ('mj_sensorPos', ()),
      ('mj_energyPos', ('energy',)),
      ('mj_comVel', ('cvel', 'cdof_dot')),
      ('mj_passive', ('qfrc_spring', 'qfrc_damper', 'qfrc_gravcomp', 'qfrc_fluid', 'qfrc_passive')),
      ('mj_fwdVelocity', ('ten_velocity', 'actuator_velocity', 'qfrc_bias', 'qfrc_passive')),
      ('mj_subtreeVel', ('subtree_linvel', 'subtree_angmom')),
      ('mj_sensorVel', ()),
      ('mj_energyVel', ('energy',)),
      ('mj_fwdActuation', ('act_dot', 'actuator_force', 'qfrc_actuator')),
      ('mj_fwdAcceleration', ('qfrc_smooth', 'qacc_smooth')),
      ('mj_forward', ('qacc', 'energy')),
      ('mj_rnePostConstraint', ('cacc', 'cfrc_int', 'cfrc_ext')),
      ('mj_sensorAcc', ()),
      ('mj_inverse', ('qfrc_inverse',)),
      ('mj_step1', ('xpos', 'qfrc_bias')),
      ('mj_step2', ('time', 'qpos', 'qvel', 'act')),
      ('mj_step', ('time', 'qpos', 'qvel', 'act')),
  ):
    run(pair, stage)
    compare(pair, stage, *fields)
    if stage == 'mj_transmission':
      close(*(moment(*one) for one in pair), 'actuator_moment')
    assert pair[0][1]._views_hold(), stage


def test_sensors(pair):
  _, (rm, _) = pair
  run(pair, 'mj_forward')
  unlike = ('TOUCH', 'RANGEFINDER', 'GEOMDIST', 'GEOMNORMAL', 'GEOMFROMTO', 'CONTACT', 'INSIDESITE',
            'TACTILE', 'PLUGIN')
  skipped = {int(getattr(mujoco.mjtSensor, f'mjSENS_{name}')) for name in unlike}
  (_, d), (_, rd) = pair
  for i in range(rm.nsensor):
    if rm.sensor_type[i] in skipped:  # they need contacts, rays or plugins
      continue
    values = slice(rm.sensor_adr[i], rm.sensor_adr[i] + rm.sensor_dim[i])
    close(d.sensordata[values], rd.sensordata[values], f'sensor {i} of type {rm.sensor_type[i]}')


def test_jacobians(pair):
  (m, _), _ = pair
  run(pair, 'mj_forward')
  jac, other, point = np.zeros((3, m.nv)), np.ones((3, m.nv)), np.array([0.1, -0.2, 0.3])
  for body in range(m.nbody):
    run(pair, 'mj_jac', jac, other, point, body, outputs=(jac, other))
    run(pair, 'mj_jac', None, other, point, body, outputs=(other,))
    run(pair, 'mj_jacDot', jac, other, point, body, outputs=(jac, other))
    run(pair, 'mj_jacBody', jac, other, body, outputs=(jac, other))
    run(pair, 'mj_jacBodyCom', jac, other, body, outputs=(jac, other))
    if m.body_subtreemass[body] > 0:
      run(pair, 'mj_jacSubtreeCom', jac, body, outputs=(jac,))
    run(pair, 'mj_jacPointAxis', jac, other, point, point, body, outputs=(jac, other))
  for geom in range(min(m.ngeom, 20)):
    run(pair, 'mj_jacGeom', jac, other, geom, outputs=(jac, other))
  for site in range(min(m.nsite, 20)):
    run(pair, 'mj_jacSite', jac, other, site, outputs=(jac, other))


def test_objects(pair):
  (m, _), _ = pair
  run(pair, 'mj_forward')
  run(pair, 'mj_rnePostConstraint')
  result = np.ones(6)
  for kind, count in KINDS.items():
    for i in range(min(getattr(m, count), 20)):
      for local in (0, 1):
        kind_id = int(getattr(mujoco.mjtObj, f'mjOBJ_{kind}'))
        run(pair, 'mj_objectVelocity', kind_id, i, result, local, outputs=(result,))
        run(pair, 'mj_objectAcceleration', kind_id, i, result, local, outputs=(result,))


def test_inertia(pair):
  (m, d), (rm, rd) = pair
  run(pair, 'mj_forward')
  vector, result = np.cos(np.arange(m.nv)), np.ones(m.nv)
  run(pair, 'mj_mulM', result, vector, outputs=(result,))
  run(pair, 'mj_rne', 0, result, outputs=(result,))
  run(pair, 'mj_rne', 1, result, outputs=(result,))
  rows = np.array([vector, 2 * vector])
  run(pair, 'mj_solveM', rows, rows.copy(), outputs=(rows,))
  ours, theirs = np.ones((m.nv, m.nv)), np.ones((m.nv, m.nv))
  cortenforge.mj_fullM(m, ours, d.qM)
  mujoco.mj_fullM(rm, theirs, rd.qM)
  close(ours, theirs, 'mj_fullM')
  force, point = np.array([1.0, 2, 3]), np.array([0, 1.0, 0])
  for body in range(m.nbody):
    run(pair, 'mj_applyFT', force, point, force, body, result, outputs=(result,))


def test_adding_the_mass_matrix(pair):
  (m, _), (rm, _) = pair
  run(pair, 'mj_forward')
  # an empty matrix with room for the rows
  starts = np.concatenate([[0], np.cumsum(rm.M_rownnz)])[:rm.nv].astype(np.int32)
  values, columns = np.zeros(rm.nM), np.zeros(rm.nM, np.int32)
  lengths = np.zeros(rm.nv, np.int32)
  run(pair, 'mj_addM', values, lengths, starts, columns, outputs=(values, lengths, columns))
  # the same pattern
  columns[:rm.nC] = rm.M_colind
  lengths[:] = rm.M_rownnz
  values[:] = 0.5
  run(pair, 'mj_addM', values, lengths, starts, columns, outputs=(values, lengths, columns))
  if m.nv > 1:
    # no room for more entries than there are
    starts[:] = m.nM
    with pytest.raises(cortenforge.FatalError):
      cortenforge.mj_addM(*pair[0], values, lengths, starts, columns)


def test_positions(pair):
  (m, d), (rm, rd) = pair
  ours, theirs = np.array(d.qpos), np.array(rd.qpos)
  cortenforge.mj_integratePos(m, ours, d.qvel, 0.3)
  mujoco.mj_integratePos(rm, theirs, rd.qvel, 0.3)
  close(ours, theirs, 'mj_integratePos')
  way, reference = np.zeros(m.nv), np.zeros(m.nv)
  cortenforge.mj_differentiatePos(m, way, 0.3, d.qpos, ours)
  mujoco.mj_differentiatePos(rm, reference, 0.3, rd.qpos, theirs)
  close(way, reference, 'mj_differentiatePos')


def test_constants(pair):
  (m, d), (rm, rd) = pair
  cortenforge.mj_setConst(m, d)
  mujoco.mj_setConst(rm, rd)
  for name in ('body_subtreemass', 'body_invweight0', 'dof_invweight0', 'dof_M0', 'tendon_length0',
               'tendon_invweight0', 'actuator_acc0', 'actuator_length0', 'cam_pos0', 'light_dir0'):
    close(getattr(m, name), getattr(rm, name), name)
  close(m.stat.meaninertia, rm.stat.meaninertia, 'meaninertia')


def test_copies(pair):
  (m, d), _ = pair
  cortenforge.mj_step(m, d, 2)
  other = cortenforge.MjData(m)
  view = other.qpos
  cortenforge.mj_copyData(other, m, d)
  assert other._views_hold() and other.qpos is view
  for name in dir(d):
    value = getattr(d, name)
    if isinstance(value, (np.ndarray, int, float)) and name != '_address':
      np.testing.assert_array_equal(getattr(other, name), value, name)
  cortenforge.mj_step(m, d, 3)
  cortenforge.mj_step(m, other, 3)
  assert np.array_equal(d.qpos, other.qpos) and np.array_equal(d.sensordata, other.sensordata)


def test_states(pair):
  (m, d), (rm, rd) = pair
  state = np.zeros(cortenforge.mj_stateSize(m, 16383))
  cortenforge.mj_getState(m, d, state, 16383)
  for sig in (0, 1, 6, 2 | 64, 8223, 16383):
    size = cortenforge.mj_stateSize(m, sig)
    ours, theirs = np.ones(size), np.zeros(size)
    cortenforge.mj_extractState(m, state, 16383, ours, sig)
    mujoco.mj_extractState(rm, state, 16383, theirs, sig)
    assert np.array_equal(ours, theirs)
    other, reference = cortenforge.MjData(m), mujoco.MjData(rm)
    cortenforge.mj_copyState(m, d, other, sig)
    mujoco.mj_copyState(rm, rd, reference, sig)
    for name in ('time', 'qpos', 'qvel', 'act', 'ctrl', 'xfrc_applied', 'mocap_pos'):
      close(getattr(other, name), getattr(reference, name), name)

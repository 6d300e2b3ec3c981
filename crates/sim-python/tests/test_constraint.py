"""Constraint rows and the functions around them against those of the mujoco package."""

import copy
import pathlib

import mujoco
import numpy as np
import pytest

import cortenforge

MODELS = pathlib.Path(__file__).parents[3] / 'models'

PILES = ('newton_whole', 'solver_cg_elliptic', 'solver_pgs', 'noslip', 'islands', 'contact_elliptic')


@pytest.fixture(name='pair', params=PILES)
def _pair(request):
  """Model and data of both packages at the same state, with contacts."""
  path = str(MODELS / f'{request.param}.xml')
  rm = mujoco.MjModel.from_xml_path(path)
  m = cortenforge.MjModel.from_xml_path(path)
  rd, d = mujoco.MjData(rm), cortenforge.MjData(m)
  mujoco.mj_step(rm, rd, 30)
  for name in ('qpos', 'qvel', 'qacc_warmstart'):
    getattr(d, name)[:] = getattr(rd, name)
  assert rd.nefc
  return (m, d), (rm, rd)


def close(ours, theirs, message=''):
  ours, theirs = np.asarray(ours), np.asarray(theirs)
  assert ours.shape == theirs.shape, message
  scale = 1 + np.max(np.abs(theirs), initial=0)
  np.testing.assert_allclose(ours / scale, theirs / scale, rtol=0, atol=1e-10, err_msg=message)


def test_stages_one_by_one(pair):
  (m, d), (rm, rd) = pair
  stages = ('mj_fwdPosition', 'mj_makeConstraint', 'mj_island', 'mj_projectConstraint',
            'mj_fwdVelocity', 'mj_referenceConstraint', 'mj_fwdActuation', 'mj_fwdAcceleration',
            'mj_fwdConstraint')
  for stage in stages:
    for module, model, data in ((cortenforge, m, d), (mujoco, rm, rd)):
      getattr(module, stage)(model, data)
    assert (d.nefc, d.ncon) == (rd.nefc, rd.ncon)
    if stage != 'mj_makeConstraint':  # islands of other rows
      assert d.nisland == rd.nisland, stage
    for name in ('efc_pos', 'efc_D', 'efc_J'):
      close(getattr(d, name), getattr(rd, name), f'{name} after {stage}')
  for name in ('efc_aref', 'efc_force', 'qfrc_constraint', 'qacc'):
    close(getattr(d, name), getattr(rd, name), name)
  cortenforge.mj_invConstraint(m, d)
  mujoco.mj_invConstraint(rm, rd)
  close(d.qfrc_constraint, rd.qfrc_constraint)


def test_products_with_the_jacobian(pair):
  (m, d), (rm, rd) = pair
  cortenforge.mj_forward(m, d)
  mujoco.mj_forward(rm, rd)
  rng = np.random.default_rng(0)
  x, f = rng.standard_normal(rm.nv), rng.standard_normal(rd.nefc)
  ours, theirs = np.zeros(rd.nefc), np.zeros(rd.nefc)
  cortenforge.mj_mulJacVec(m, d, ours, x)
  mujoco.mj_mulJacVec(rm, rd, theirs, x)
  close(ours, theirs)
  ours, theirs = np.zeros(rm.nv), np.zeros(rm.nv)
  cortenforge.mj_mulJacTVec(m, d, ours, f)
  mujoco.mj_mulJacTVec(rm, rd, theirs, f)
  close(ours, theirs)
  with pytest.raises(TypeError, match='nefc'):
    cortenforge.mj_mulJacVec(m, d, np.zeros(rd.nefc + 1), x)
  with pytest.raises(TypeError, match='nv'):
    cortenforge.mj_mulJacTVec(m, d, np.zeros(rm.nv + 1), f)


def test_forces_of_given_residuals(pair):
  (m, d), (rm, rd) = pair
  cortenforge.mj_forward(m, d)
  mujoco.mj_forward(rm, rd)
  jar = np.random.default_rng(1).standard_normal(rd.nefc)
  ours, theirs = np.zeros(1), np.zeros(1)
  cortenforge.mj_constraintUpdate(m, d, jar, ours, 1)
  mujoco.mj_constraintUpdate(rm, rd, jar, theirs, 1)
  close(ours, theirs)
  close(d.efc_force, rd.efc_force)
  close(d.qfrc_constraint, rd.qfrc_constraint)
  assert np.array_equal(d.efc_state, rd.efc_state)
  on_cone = [address >= 0 and rd.efc_state[address] == 4 for address in rd.contact.efc_address]
  close(d.contact.H[on_cone], rd.contact.H[on_cone])
  cortenforge.mj_constraintUpdate(m, d, jar, None, 0)


def test_comparison_with_inverse_dynamics(pair):
  (m, d), (rm, rd) = pair
  for module, model, data in ((cortenforge, m, d), (mujoco, rm, rd)):
    module.mj_forward(model, data)
    module.mj_compareFwdInv(model, data)
  scale = 1 + np.max(np.abs(rd.qfrc_constraint))
  assert np.max(np.abs(d.solver_fwdinv - rd.solver_fwdinv)) < 1e-10 * scale
  close(d.qacc, rd.qacc)
  close(d.qfrc_constraint, rd.qfrc_constraint)

  # the flag does it in every step
  d.solver_fwdinv = rd.solver_fwdinv = -1.0
  for module, model, data in ((cortenforge, m, d), (mujoco, rm, rd)):
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_FWDINV
    module.mj_step(model, data)
  assert np.all(d.solver_fwdinv >= 0.0)
  assert np.max(np.abs(d.solver_fwdinv - rd.solver_fwdinv)) < 1e-10 * scale


def test_kinds_of_solver_and_cone(pair):
  (m, _), (rm, _) = pair
  assert cortenforge.mj_isDual(m) == mujoco.mj_isDual(rm)
  assert cortenforge.mj_isPyramidal(m) == mujoco.mj_isPyramidal(rm)


def test_copies_have_the_rows(pair):
  (m, d), _ = pair
  cortenforge.mj_forward(m, d)
  other = cortenforge.MjData(m)
  cortenforge.mj_copyData(other, m, d)
  for same in (other, copy.copy(d)):
    assert np.array_equal(same.efc_J, d.efc_J)
    assert np.array_equal(same.iM, d.iM)
    product = np.zeros(d.nefc)
    cortenforge.mj_mulJacVec(m, same, product, d.qvel)
    assert np.array_equal(product, d.efc_vel)


def test_an_added_contact_removes_the_rows(pair):
  (m, d), _ = pair
  cortenforge.mj_forward(m, d)
  if not d.ncon:
    return
  before = d.ncon
  cortenforge.mj_addContact(m, d, d.contact[0])
  assert (d.ncon, d.nefc) == (before + 1, 0)
  assert d.efc_J.size == 0
  cortenforge.mj_makeConstraint(m, d)
  assert d.nefc > 0


BOXES = """
<mujoco>
  <worldbody>
    <geom type="plane" size="5 5 1"/>
    <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


def test_inverse_dynamics_has_no_islands_and_leaves_energy_that_is_off():
  results = []
  for module in (cortenforge, mujoco):
    model = module.MjModel.from_xml_string(BOXES)
    data = module.MjData(model)
    module.mj_forward(model, data)
    assert data.nisland == 2
    data.energy[:] = 7.0
    module.mj_inverse(model, data)
    results.append((data.nisland, data.ncon, data.nefc, list(data.energy), data.qfrc_inverse))
  ours, reference = results
  assert ours[:-1] == reference[:-1] == (0, 8, 32, [7.0, 7.0])
  np.testing.assert_allclose(ours[-1], reference[-1], rtol=1e-10, atol=1e-8)

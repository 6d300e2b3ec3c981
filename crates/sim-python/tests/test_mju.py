"""Small functions on vectors, quaternions and matrices against the mujoco package."""

import inspect

import mujoco
import numpy as np
import pytest

import cortenforge

# those of any size, and those about texts, are in test_linear.py
OTHERS = set('''
mju_zero mju_fill mju_copy mju_d2n mju_n2d mju_f2n mju_n2f mju_add mju_sub mju_addTo mju_subFrom mju_scl
mju_addToScl mju_addScl mju_L1 mju_sum mju_isZero mju_dot mju_norm mju_normalize mju_mulMatVec
mju_mulMatTVec mju_mulVecMatVec mju_mulMatMat mju_mulMatMatT mju_mulMatTMat mju_sqrMatTD mju_transpose
mju_symmetrize mju_eye mju_cholFactor mju_cholSolve mju_cholUpdate mju_bandDiag mju_dense2Band
mju_band2Dense mju_bandMulMatVec mju_cholFactorBand mju_cholSolveBand mju_dense2sparse mju_sparse2dense
mju_boxQP mju_eig3 mju_mat2Rot mju_transformSpatial mju_insertionSort mju_insertionSortInt mju_min
mju_max mju_clip mju_sign mju_round mju_isBad mju_Halton mju_sigmoid mju_springDamper mju_muscleGain
mju_getXMLDependencies mju_muscleBias mju_muscleDynamics mju_printMat mju_printMatSparse
mju_raySkin mju_standardNormal mju_str2Type
mju_type2Str mju_warningText mju_writeLog mju_writeNumBytes'''.split())
NAMES = [name for name in dir(cortenforge) if name.startswith('mju_') and name not in OTHERS]

# sizes of arguments by name; numbers otherwise
SIZES = {'quat': 4, 'quat1': 4, 'quat2': 4, 'quatres': 4, 'qa': 4, 'qb': 4, 'mat': 9,
         'pyramid': 4, 'mu': 2}
NUMBERS = {'angle', 'dt', 'scale', 'scl'}
SPECIAL = {('mju_quat2Mat', 'res'): 9, ('mju_mulQuat', 'res'): 4, ('mju_mulQuatAxis', 'res'): 4,
           ('mju_negQuat', 'res'): 4, ('mju_axisAngle2Quat', 'res'): 4, ('mju_derivQuat', 'res'): 4,
           ('mju_normalize4', 'vec'): 4, ('mju_copy4', 'res'): 4, ('mju_copy4', 'data'): 4,
           ('mju_zero4', 'res'): 4, ('mju_unit4', 'res'): 4}

# functions that give more than those of the reference, which leave something out
COMPLETE = {'mju_encodePyramid', 'mju_decodePyramid'}


def arguments(name, rng):
  """Random arguments of a function."""
  result = []
  for parameter in inspect.signature(getattr(cortenforge, name)).parameters:
    if parameter == 'seq':
      result.append(''.join(rng.choice(list('xyzXYZ'), 3)))
    elif parameter == 'geomtype':
      result.append(int(rng.choice([0, 2, 3, 4, 5, 6])))
    elif parameter in NUMBERS:
      result.append(float(rng.uniform(0.1, 2)))
    else:
      size = SPECIAL.get((name, parameter), SIZES.get(parameter, 3))
      values = rng.standard_normal(size)
      if size == 4:
        values /= np.linalg.norm(values)
      if parameter == 'mat':
        rotation = np.zeros(9)
        quat = rng.standard_normal(4)
        mujoco.mju_quat2Mat(rotation, quat / np.linalg.norm(quat))
        values = rotation
      result.append(values)
  return result


@pytest.mark.parametrize('name', sorted(set(NAMES) - COMPLETE))
def test_function(name):
  assert list(inspect.signature(getattr(cortenforge, name)).parameters)
  rng = np.random.default_rng(0)
  for _ in range(50):
    ours = arguments(name, rng)
    theirs = [np.array(x) if isinstance(x, np.ndarray) else x for x in ours]
    result = getattr(cortenforge, name)(*ours)
    reference = getattr(mujoco, name)(*theirs)
    assert (result is None) == (reference is None)
    if result is not None:
      np.testing.assert_allclose(result, reference, rtol=1e-14)
    for x, y in zip(ours, theirs):
      if isinstance(x, np.ndarray):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-14)


@pytest.mark.parametrize('name', NAMES)
def test_keyword_arguments_are_those_of_mujoco(name):
  rng = np.random.default_rng(1)
  parameters = inspect.signature(getattr(cortenforge, name)).parameters
  getattr(mujoco, name)(**dict(zip(parameters, arguments(name, rng))))


def test_there_are_the_usual_ones():
  assert {'mju_mulQuat', 'mju_rotVecQuat', 'mju_quat2Mat', 'mju_mat2Quat', 'mju_axisAngle2Quat',
          'mju_subQuat', 'mju_quatIntegrate', 'mju_negQuat', 'mju_normalize3', 'mju_normalize4',
          'mju_euler2Quat', 'mju_quat2Vel', 'mju_mulMatVec3'} <= set(NAMES)


def test_degenerate_vectors():
  for name, size in (('mju_normalize3', 3), ('mju_normalize4', 4)):
    ours, theirs = np.zeros(size), np.zeros(size)
    assert getattr(cortenforge, name)(ours) == getattr(mujoco, name)(theirs)
    assert np.array_equal(ours, theirs)
  for axis in ([0, 0, 1.0], [0, 0, -1.0], [0, 0, 0.0]):
    ours, theirs = np.ones(4), np.zeros(4)
    cortenforge.mju_quatZ2Vec(ours, np.array(axis))
    mujoco.mju_quatZ2Vec(theirs, np.array(axis))
    np.testing.assert_allclose(ours, theirs, atol=1e-15)


def test_results_may_be_arguments():
  quat = np.array([0.5, 0.5, 0.5, 0.5])
  cortenforge.mju_mulQuat(quat, quat, quat)
  np.testing.assert_allclose(quat, [-0.5, 0.5, 0.5, 0.5])


def test_wrong_arguments():
  quat = np.zeros(4)
  with pytest.raises(TypeError):
    cortenforge.mju_mulQuat(np.zeros(3), quat, quat)
  with pytest.raises(TypeError):
    cortenforge.mju_mulQuat(quat, quat, [1, 2])
  for seq in ('xy', 'xyza', 'xya', 'äöü'):
    with pytest.raises(cortenforge.FatalError):
      cortenforge.mju_euler2Quat(quat, np.zeros(3), seq)

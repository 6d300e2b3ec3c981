"""Functions on vectors and matrices, compared with those of mujoco on random numbers."""

import mujoco
import numpy as np
import pytest

import cortenforge

RANDOM = np.random.default_rng(3)


def positive(n):
  """A random matrix that is symmetric and positive definite."""
  a = RANDOM.normal(size=(n, n))
  return a @ a.T + n * np.eye(n)


def both(name, *arguments, tolerance=1e-12):
  """Calls a function of both packages with copies of the arguments and compares everything."""
  copies = [[np.copy(x) if isinstance(x, np.ndarray) else x for x in arguments] for _ in range(2)]
  results = [getattr(module, name)(*given) for module, given in zip((cortenforge, mujoco), copies)]
  if isinstance(results[1], (int, float)):
    assert results[0] == pytest.approx(results[1], rel=tolerance, abs=tolerance), name
  for ours, theirs in zip(*copies):
    if isinstance(ours, np.ndarray):
      np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=name)
  return results[0]


@pytest.mark.parametrize('n', [1, 2, 5, 9])
def test_vectors(n):
  u, v, res = RANDOM.normal(size=(3, n))
  for name in ('mju_zero', 'mju_L1', 'mju_sum', 'mju_norm', 'mju_normalize', 'mju_isZero', 'mju_insertionSort'):
    both(name, u)
  both('mju_isZero', np.zeros(n))
  both('mju_fill', res, 1.5)
  for name in ('mju_copy', 'mju_addTo', 'mju_subFrom', 'mju_n2d', 'mju_d2n'):
    both(name, res, u)
  for name in ('mju_add', 'mju_sub'):
    both(name, res, u, v)
  both('mju_scl', res, u, 0.3)
  both('mju_addToScl', res, u, 0.3)
  both('mju_addScl', res, u, v, 0.3)
  both('mju_dot', u, v)
  both('mju_f2n', res, u.astype(np.float32))
  both('mju_n2f', res.astype(np.float32), u)
  both('mju_insertionSortInt', RANDOM.integers(-9, 9, n).astype(np.int32))
  assert both('mju_normalize', np.zeros(n)) == 0


@pytest.mark.parametrize('rows, inner, columns', [(1, 1, 1), (2, 3, 4), (5, 7, 3), (9, 9, 9)])
def test_matrices(rows, inner, columns):
  a, b = RANDOM.normal(size=(rows, inner)), RANDOM.normal(size=(inner, columns))
  both('mju_mulMatVec', np.zeros(rows), a, RANDOM.normal(size=inner))
  both('mju_mulMatTVec', np.zeros(inner), a, RANDOM.normal(size=rows))
  both('mju_mulVecMatVec', RANDOM.normal(size=inner), positive(inner), RANDOM.normal(size=inner))
  both('mju_mulMatMat', np.zeros((rows, columns)), a, b)
  both('mju_mulMatMatT', np.zeros((rows, columns)), a, np.ascontiguousarray(b.T))
  both('mju_mulMatTMat', np.zeros((rows, columns)), np.ascontiguousarray(a.T), b)
  both('mju_sqrMatTD', np.zeros((inner, inner)), a, None)
  both('mju_sqrMatTD', np.zeros((inner, inner)), a, RANDOM.normal(size=rows))
  both('mju_transpose', np.zeros((inner, rows)), a)
  both('mju_symmetrize', np.zeros((inner, inner)), RANDOM.normal(size=(inner, inner)))
  both('mju_eye', np.zeros((inner, inner)))
  sparse = np.where(RANDOM.uniform(size=a.shape) < 0.5, a, 0)
  nnz = np.count_nonzero(sparse)
  values, columns_of = np.zeros(nnz), np.zeros(nnz, np.int32)
  lengths, starts = np.zeros(rows, np.int32), np.zeros(rows, np.int32)
  if nnz:
    assert both('mju_dense2sparse', values, sparse, lengths, starts, columns_of) == 0
    cortenforge.mju_dense2sparse(values, sparse, lengths, starts, columns_of)
    both('mju_sparse2dense', np.zeros(a.shape), values, lengths, starts, columns_of)
    with pytest.raises(cortenforge.FatalError):
      cortenforge.mju_sparse2dense(np.zeros(a.shape), values, lengths, starts, columns_of + 99)


@pytest.mark.parametrize('n', [1, 2, 5, 12])
def test_cholesky(n):
  mat = positive(n)
  both('mju_cholFactor', mat, 1e-15)
  both('mju_cholFactor', mat - 3 * n * np.eye(n), 1e-3)
  factor = np.linalg.cholesky(mat)
  both('mju_cholSolve', np.zeros(n), factor, RANDOM.normal(size=n))
  for plus in (0, 1):
    both('mju_cholUpdate', factor, 0.1 * RANDOM.normal(size=n), plus)


@pytest.mark.parametrize('total, band, dense', [(1, 1, 0), (5, 2, 0), (6, 3, 2), (8, 4, 1), (4, 1, 4)])
def test_bands(total, band, dense):
  mat = positive(total)
  size = (total - dense) * band + dense * total
  packed = np.zeros(size)
  both('mju_dense2Band', packed, mat, total, band, dense)
  cortenforge.mju_dense2Band(packed, mat, total, band, dense)
  packed[[cortenforge.mju_bandDiag(i, total, band, dense) for i in range(total)]] += 3 * total
  for symmetric in (0, 1):
    both('mju_band2Dense', np.zeros((total, total)), packed, total, band, dense, symmetric)
    both('mju_bandMulMatVec', np.zeros(total), packed.reshape(1, -1), RANDOM.normal(size=(total, 1)),
         total, band, dense, 1, symmetric)
  for i in range(total):
    both('mju_bandDiag', i, total, band, dense)
  both('mju_cholFactorBand', packed, total, band, dense, 0.1, 0.2)
  factor = packed.copy()
  cortenforge.mju_cholFactorBand(factor, total, band, dense, 0.1, 0.2)
  both('mju_cholSolveBand', np.zeros(total), factor, RANDOM.normal(size=total), total, band, dense)


@pytest.mark.parametrize('seed', range(30))
def test_quadratic_programs_with_bounds(seed):
  random = np.random.default_rng(seed)
  n = int(random.integers(1, 9))
  a = random.normal(size=(n, n))
  hessian, gradient = a @ a.T + 0.1 * np.eye(n), random.normal(size=n)
  lower, upper = -random.uniform(0, 1, n), random.uniform(0.01, 1, n)
  for bounds in ((lower, upper), (lower, None), (None, upper), (None, None)):
    answers = []
    for module in (cortenforge, mujoco):
      x, factor, index = np.zeros(n), np.zeros((n, n + 7)), np.zeros(n, np.int32)
      rank = module.mju_boxQP(x, factor, index, hessian, gradient, *bounds)
      lower_triangle = np.tril(factor.ravel()[:rank * rank].reshape(rank, rank))
      answers.append((x, rank, index[:rank], lower_triangle))
    for ours, theirs in zip(*answers):
      np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
  assert cortenforge.mju_boxQP(np.zeros(n), np.zeros((n, n + 7)), None, -hessian, gradient, None, None) == -1
  with pytest.raises(cortenforge.FatalError):
    cortenforge.mju_boxQP(np.zeros(n), np.zeros((n, n + 7)), None, hessian, gradient, upper, lower)


@pytest.mark.parametrize('seed', range(10))
def test_space(seed):
  random = np.random.default_rng(seed)
  mat = random.normal(size=(3, 3))
  ours, theirs = ([np.zeros(3), np.zeros(9), np.zeros(4)] for _ in range(2))
  cortenforge.mju_eig3(*ours, (mat + mat.T).ravel())
  mujoco.mju_eig3(*theirs, (mat + mat.T).ravel())
  for a, b in zip(ours, theirs):
    np.testing.assert_allclose(a, b, atol=1e-10)
  both('mju_mat2Rot', np.array([1.0, 0, 0, 0]), mat.ravel(), tolerance=1e-8)
  rotation = np.zeros(9)
  mujoco.mju_quat2Mat(rotation, random.normal(size=4))
  for force in (0, 1):
    both('mju_transformSpatial', np.zeros(6), random.normal(size=6), force, random.normal(size=3),
         random.normal(size=3), rotation)


def test_numbers():
  for x in (-1.5, -0.2, 0.0, 0.3, 0.5, 1.5, 2.5, 1e11, float('nan')):
    if x == x and abs(x) < 1e9:
      for name in ('mju_sign', 'mju_round', 'mju_sigmoid'):
        both(name, x)
      both('mju_clip', x, -1, 1)
      both('mju_min', x, 0.1)
      both('mju_max', x, 0.1)
    both('mju_isBad', x)
  for index in range(1, 20):
    for base in (2, 3, 7):
      both('mju_Halton', index, base)
  for stiffness, damping in ((1, 0.1), (1, 2), (1, 5), (3, 0)):
    both('mju_springDamper', 0.3, -0.2, stiffness, damping, 0.7)
  for size in (0, 1, 1024, 1536, 2**20, 13631488, 2**40, 3 * 2**30):
    assert cortenforge.mju_writeNumBytes(size) == mujoco.mju_writeNumBytes(size)
  for warning in range(9):
    assert cortenforge.mju_warningText(warning, 2048) == mujoco.mju_warningText(warning, 2048)
  for kind in range(30):
    assert cortenforge.mju_type2Str(kind) == mujoco.mju_type2Str(kind)
  for kind in ('body', 'geom', 'camera', 'xbody', 'nonsense', 'frame'):
    assert cortenforge.mju_str2Type(kind) == mujoco.mju_str2Type(kind)
  assert cortenforge.mju_str2Type(b'joint') == mujoco.mjtObj.mjOBJ_JOINT


@pytest.mark.parametrize('seed', range(10))
def test_muscles(seed):
  random = np.random.default_rng(seed)
  prm = np.array([0.75, 1.05, random.choice([-1, 50]), 200, 0.5, 1.6, 1.5, 1.3, 1.2])
  length, velocity = random.uniform(0.1, 0.6), random.normal()
  both('mju_muscleGain', length, velocity, np.array([0.2, 0.5]), 2.0, prm)
  both('mju_muscleBias', length, np.array([0.2, 0.5]), 2.0, prm)
  both('mju_muscleDynamics', random.uniform(), random.uniform(), np.array([0.01, 0.04, random.choice([0, 0.2])]))


def test_wrong_sizes_are_type_errors():
  with pytest.raises(TypeError, match='same size'):
    cortenforge.mju_add(np.zeros(3), [1, 2], [1, 2, 3])
  with pytest.raises(TypeError, match='square'):
    cortenforge.mju_cholFactor(np.zeros((2, 3)), 0)
  with pytest.raises(TypeError):
    cortenforge.mju_mulMatMat(np.zeros((2, 2)), np.zeros((2, 3)), np.zeros((2, 2)))
  with pytest.raises(TypeError, match='describe no matrix'):
    cortenforge.mju_band2Dense(np.zeros((2, 2)), np.zeros(4), 2, -1, 5, 0)
  with pytest.raises(TypeError):
    cortenforge.mju_zero(np.zeros(3, np.int32))

"""Nonlinear least squares with bounds: ``mujoco.minimize``.

Minimises ``sum(n(r_i(x)))`` over ``bounds[0] <= x <= bounds[1]``, where ``r`` is a residual and ``n`` a
norm, quadratic unless given. The method is Gauss-Newton with Levenberg-Marquardt's regularisation; the
step solves a quadratic program with bounds, ``mju_boxQP``.

Levenberg, A method for the solution of certain non-linear problems in least squares (1944); Marquardt,
An algorithm for least-squares estimation of nonlinear parameters (1963).
"""

import abc
import dataclasses
import enum
import sys
import time

import numpy as np

import cortenforge

# regularisation, as factors of the diagonal that the Hessian gains
_MU_MIN, _MU_MAX = 1e-6, 1e8
_MU_FACTOR = 10.0 ** 0.1


class Verbosity(enum.Enum):
  """How much is printed."""
  SILENT = 0
  FINAL = 1
  ITER = 2
  FULLITER = 3


class Status(enum.Enum):
  """Why the iteration has ended."""
  FACTORIZATION_FAILED = 0
  NO_IMPROVEMENT = 1
  MAX_ITER = 2
  DX_TOL = 3
  G_TOL = 4


_MESSAGES = {
    Status.FACTORIZATION_FAILED: 'factorization failed.',
    Status.NO_IMPROVEMENT: 'insufficient reduction.',
    Status.MAX_ITER: 'maximum iterations reached.',
    Status.DX_TOL: 'norm(dx) < tol.',
    Status.G_TOL: 'norm(gradient) < tol.',
}


@dataclasses.dataclass(frozen=True)
class IterLog:
  """One iteration.

  Attributes:
    candidate: where it started.
    objective: the value there.
    reduction: by how much the step has lowered it.
    regularizer: the regularisation of the step.
    residual: optional, the residual there.
    jacobian: optional, its Jacobian there.
    grad: optional, the gradient of the objective there.
    step: optional, the step taken.
  """
  candidate: np.ndarray
  objective: np.float64
  reduction: np.float64
  regularizer: np.float64
  residual: np.ndarray | None = None
  jacobian: np.ndarray | None = None
  grad: np.ndarray | None = None
  step: np.ndarray | None = None


class Norm(abc.ABC):
  """A function of the residual that is minimised."""

  @abc.abstractmethod
  def value(self, r):
    """Returns the value, a number."""

  @abc.abstractmethod
  def grad_hess(self, r, proj):
    """Returns gradient and Hessian with respect to x, where `proj` is the Jacobian of `r`: the
    gradient is ``proj.T @ n'(r)`` and the Hessian ``proj.T @ n''(r) @ proj``."""


class Quadratic(Norm):
  """Half of the square of the length."""

  def value(self, r):
    return 0.5 * r.T.dot(r).item()

  def grad_hess(self, r, proj):
    return proj.T @ r, proj.T @ proj


def least_squares(x0, residual, bounds=None, jacobian=None, norm=Quadratic(), eps=None,
                  mu_min=_MU_MIN, mu_max=_MU_MAX, mu_factor=_MU_FACTOR, xtol=1e-8, gtol=1e-8,
                  max_iter=100, verbose=Verbosity.FINAL, output=None, iter_callback=None,
                  check_derivatives=False):
  """Minimises a norm of a residual, within bounds.

  Args:
    x0: where to start.
    residual: function of x, a vector or a matrix with one candidate in each column, that returns the
      residual as a vector or as a matrix with as many columns.
    bounds: lower and upper bounds, vectors of the length of x.
    jacobian: function of x and its residual that returns the Jacobian; finite differences otherwise.
    norm: what is minimised of the residual.
    eps: step of finite differences; the default suits numbers of double precision.
    mu_min: smallest regularisation.
    mu_max: largest regularisation.
    mu_factor: factor by which it changes.
    xtol: length of a step at which to end.
    gtol: length of the gradient, without what bounds hold back, at which to end.
    max_iter: most iterations.
    verbose: how much is printed.
    output: file to print to; standard output otherwise.
    iter_callback: function that is called with the list of iterations so far.
    check_derivatives: whether to compare `jacobian` and `norm` with finite differences first.

  Returns:
    the best x, and a list of iterations.
  """
  start = time.time()
  output = output or sys.stdout
  x = np.asarray(x0, np.float64).reshape(-1, 1).copy()
  n = len(x)
  eps = np.finfo(np.float64).eps ** 0.5 if eps is None else eps
  xtol, gtol = xtol * np.sqrt(n), gtol * np.sqrt(n)
  calls = {'residual': 0, 'jacobian': 0}
  times = {'residual': 0.0, 'jacobian': 0.0}

  def say(text, level):
    if verbose.value >= level.value:
      print(text, file=output)

  def timed(name, call, count=1):
    begin = time.time()
    result = call()
    times[name] += time.time() - begin
    calls[name] += count
    return result

  def evaluate(point):
    return np.asarray(timed('residual', lambda: residual(point)), np.float64).reshape(-1, 1)

  if bounds is not None:
    if len(bounds) != 2:
      raise ValueError('bounds must have 2 elements')
    lower, upper = (np.asarray(bound, np.float64).reshape(-1, 1) for bound in bounds)
    if len(lower) != n or len(upper) != n:
      raise ValueError('bounds must have the same size as x0')
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
      raise ValueError('bounds must be finite')
    if np.any(lower >= upper):
      raise ValueError('bounds[0] must be smaller than bounds[1]')
    np.clip(x, lower, upper, out=x)

  r = evaluate(x)

  def differentiate(point, value):
    if jacobian is not None:
      result = timed('jacobian', lambda: jacobian(point, value))
      return np.asarray(result, np.float64).reshape(len(value), n)
    result, count = timed('residual', lambda: jacobian_fd(
        residual, point, value, eps, n_res=0, bounds=None if bounds is None else [lower, upper]), 0)
    calls['residual'] += count
    return result

  if check_derivatives:
    if jacobian is not None:
      check_jacobian(residual, x, r, jacobian(x, r), eps, name='Jacobian', output=output)
    if not isinstance(norm, Quadratic):
      check_norm(r, norm, eps, output=output)

  objective = norm.value(r)
  mu = 0.0
  # regularisation changes by a factor that grows with every change in the same direction
  growth = 1.0

  def raised():
    nonlocal growth
    growth = max(mu_factor, growth * mu_factor)
    return min(mu_max, max(mu_min, mu * growth))

  def lowered():
    nonlocal growth
    growth = min(1 / mu_factor, growth / mu_factor)
    return mu * growth if mu * growth >= mu_min else 0.0

  status = Status.MAX_ITER
  factor = np.zeros((n, n + 7))
  direction = np.zeros(n)
  trace = []
  for iteration in range(max_iter):
    jac = differentiate(x, r)
    gradient, hessian = norm.grad_hess(r, jac)
    gradient = np.asarray(gradient, np.float64).reshape(-1, 1)

    # what bounds hold back does not count
    projected = gradient.copy()
    if bounds is not None:
      projected[(x <= lower) & (gradient > 0)] = 0
      projected[(x >= upper) & (gradient < 0)] = 0
    gradient_norm = np.linalg.norm(projected)
    if gradient_norm < gtol:
      status = Status.G_TOL
      trace.append(_log(x, objective, 0.0, mu, r, jac, gradient, np.zeros_like(x)))
      if iter_callback is not None:
        iter_callback(trace)
      break

    # raise the regularisation until a step improves as much as half of what is predicted
    found = None
    while found is None:
      regular = np.ascontiguousarray(hessian + mu * np.eye(n))
      direction[:] = 0
      if bounds is None:
        rank = cortenforge.mju_boxQP(direction, factor, None, regular, gradient.ravel(), None, None)
      else:
        rank = cortenforge.mju_boxQP(direction, factor, None, regular, gradient.ravel(),
                                     (lower - x).ravel(), (upper - x).ravel())
      if rank < 0:
        if mu >= mu_max:
          status = Status.FACTORIZATION_FAILED
          break
        mu = raised()
        continue
      step = direction.reshape(-1, 1).copy()
      predicted = -(step.T @ gradient + 0.5 * step.T @ hessian @ step).item()
      new_x = x + step
      if bounds is not None:
        np.clip(new_x, lower, upper, out=new_x)
      new_r = evaluate(new_x)
      new_objective = norm.value(new_r)
      reduction = objective - new_objective
      if reduction > 0 or np.linalg.norm(step) < xtol:
        found = step
      elif mu >= mu_max:
        status = Status.NO_IMPROVEMENT
        break
      else:
        mu = raised()
    if found is None:
      break

    step_norm = np.linalg.norm(found)
    say(f'iter: {iteration:<3d}  y: {objective:<9.4g}  log10mu: '
        f'{np.log10(mu) if mu > 0 else -np.inf:>4.1f}  ratio: {reduction / predicted if predicted else 0:<7.2g}  '
        f'dx: {step_norm:<7.2g}  reduction: {reduction:<7.2g}', Verbosity.ITER)
    trace.append(_log(x, objective, reduction, mu, r, jac, gradient, found))
    if iter_callback is not None:
      iter_callback(trace)

    # regularisation follows how well the model predicted the reduction
    if reduction > 0:
      ratio = reduction / predicted if predicted > 0 else 0.0
      x, r, objective = new_x, new_r, new_objective
      if ratio > 0.5:
        mu = lowered()
      elif ratio < 0.25:
        mu = raised()
    if step_norm < xtol:
      status = Status.DX_TOL
      break

  message = _MESSAGES[status] + (' exact minimum found.' if objective == 0 else '')
  spent = time.time() - start
  say(f'Terminated after {len(trace)} iterations: {message} y: {objective:<.4g}, Residual evals: '
      f'{calls["residual"]:d}', Verbosity.FINAL)
  say(f'Total time {spent:.3g} s, of which residual {times["residual"]:.3g} s, Jacobian '
      f'{times["jacobian"]:.3g} s', Verbosity.FINAL)
  return x.reshape(np.shape(x0)), trace


def _log(x, objective, reduction, mu, r, jac, gradient, step):
  return IterLog(candidate=x.copy(), objective=np.float64(objective), reduction=np.float64(reduction),
                 regularizer=np.float64(mu), residual=r.copy(), jacobian=jac.copy(),
                 grad=gradient.copy(), step=step.copy())


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
  """Computes the Jacobian of `residual` at `x`, where it is `r`, by finite differences with step `eps`,
  all columns in one call. Where an upper bound is near, the step goes down.

  Returns:
    the Jacobian, and `n_res` plus the number of evaluations.
  """
  x = np.asarray(x, np.float64).reshape(-1, 1)
  n = len(x)
  steps = np.full(n, float(eps))
  if bounds is not None:
    middle = 0.5 * (np.asarray(bounds[0]) + np.asarray(bounds[1])).ravel()
    steps[x.ravel() > middle] *= -1
  moved = x + np.diag(steps)
  values = np.asarray(residual(moved), np.float64).reshape(-1, n)
  return (values - np.asarray(r, np.float64).reshape(-1, 1)) / steps, n_res + n


def check_jacobian(residual, x, r, jacobian, eps, name='Jacobian', output=None):
  """Compares a Jacobian with finite differences: prints that it matches, or raises an error."""
  x = np.asarray(x, np.float64).reshape(-1, 1)
  n = len(x)
  plus = np.asarray(residual(x + eps ** 0.7 * np.eye(n)), np.float64).reshape(-1, n)
  minus = np.asarray(residual(x - eps ** 0.7 * np.eye(n)), np.float64).reshape(-1, n)
  expected = (plus - minus) / (2 * eps ** 0.7)
  _compare(name, np.asarray(jacobian, np.float64).reshape(expected.shape), expected, output)


def _compare(name, given, expected, output):
  """Prints that a derivative is near to finite differences, or raises an error."""
  worst = np.max(np.abs(given - expected), initial=0.0) / max(1.0, np.max(np.abs(expected), initial=0.0))
  if worst > 1e-4:
    raise ValueError(f'User-provided {name} does not match finite differences: largest relative '
                     f'difference {worst:.2g}')
  print(f'User-provided {name} matches finite differences.', file=output or sys.stdout)


def check_norm(r, norm, eps, output=None):
  """Compares gradient and Hessian of a norm with finite differences: prints that they match, or
  raises an error."""
  output = output or sys.stdout
  r = np.asarray(r, np.float64).reshape(-1, 1)
  n = len(r)
  unit = np.eye(n)
  gradient, hessian = norm.grad_hess(r, unit)
  hessian = np.asarray(hessian, np.float64)
  if not np.allclose(hessian, hessian.T, rtol=1e-8, atol=1e-10):
    raise ValueError('Hessian of the norm is not symmetric')
  if np.min(np.linalg.eigvalsh(hessian)) < -1e-10 * max(1.0, np.max(np.abs(hessian))):
    raise ValueError('Hessian of the norm is not positive definite')
  h = eps ** 0.7
  moves = [h * unit[:, [i]] for i in range(n)]
  slope = np.array([[(norm.value(r + move) - norm.value(r - move)) / (2 * h)] for move in moves])
  _compare('norm gradient', np.asarray(gradient, np.float64).reshape(-1, 1), slope, output)
  curve = np.hstack([(norm.grad_hess(r + move, unit)[0].reshape(-1, 1)
                      - norm.grad_hess(r - move, unit)[0].reshape(-1, 1)) / (2 * h) for move in moves])
  _compare('norm Hessian', hessian, curve, output)

"""Exact derivatives of a step, through contact.

A step takes the state ``x = (tangent of qpos, qvel, act)`` and the control ``u`` to the next state.
Near the current state, ``dx⁺ = A dx + B du``. :func:`transition` computes both matrices at about
the cost of a few steps; :func:`vjp` and :func:`jvp` multiply them with a vector from the left or
right without computing them; :func:`rollout` linearises along a trajectory, over threads.

The tangent of ``qpos`` is what ``mj_integratePos`` takes and ``mj_differentiatePos`` gives, as in
``mjd_transitionFD``. What has no exact derivative raises ``FatalError`` with its name.
"""

import concurrent.futures
import dataclasses
import os
from typing import Optional

import cortenforge
import numpy as np
from cortenforge import _native
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

_FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)


@dataclasses.dataclass(frozen=True)
class Smoothness:
  """How far a derivative can be trusted.

  Attributes:
    approximate_contacts: contacts whose point and normal move in a way that is only approximately
      known: pairs of convex geoms that are found by iteration, parallel edges and faces.
    nearest_border: how much the acceleration along a constraint row may change before its force takes
      another branch (a contact lets go or begins to slide, dry friction gives way); infinite without
      such rows.
  """

  approximate_contacts: int
  nearest_border: float


class Transition:
  """The derivative of a step: ``dx⁺ = A dx + B du``.

  Attributes:
    A: derivative of the next state by the state, (2*nv+na) x (2*nv+na).
    B: derivative of the next state by the control, (2*nv+na) x nu.
    smooth: how far both can be trusted.
  """

  def __init__(self, model: cortenforge.MjModel):
    size = 2 * model.nv + model.na
    self.A: Array = np.zeros((size, size))
    self.B: Array = np.zeros((size, model.nu))
    self.smooth = Smoothness(0, np.inf)
    self._scratch = _native._Transition()


@dataclasses.dataclass(frozen=True)
class Gradient:
  """Derivatives of a scalar by state and control before a step.

  Attributes:
    qpos: by the tangent of ``qpos``, nv numbers.
    qvel: by ``qvel``.
    act: by ``act``.
    ctrl: by ``ctrl``.
    smooth: how far they can be trusted.
  """

  qpos: Array
  qvel: Array
  act: Array
  ctrl: Array
  smooth: Smoothness


def transition(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    out: Optional[Transition] = None,
    forward: bool = True,
) -> Transition:
  """Computes the exact derivative of the step from the current state.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    out: a result to fill again, which saves memory.
    forward: whether to compute first what follows from the state. Without, the data must come from
      ``mj_forward``.

  Returns:
    The matrices, in ``out`` if it is given.
  """
  result = Transition(model) if out is None else out
  trust = result._scratch.transition(model, data, result.A, result.B, forward)
  result.smooth = Smoothness(*trust)
  return result


def vjp(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    qpos: Optional[ArrayLike] = None,
    qvel: Optional[ArrayLike] = None,
    act: Optional[ArrayLike] = None,
    forward: bool = True,
) -> Gradient:
  """Takes derivatives of a scalar by the next state to those by state and control: ``Aᵀ λ, Bᵀ λ``.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    qpos: derivatives by the tangent of the next ``qpos``, nv numbers; zero if left out.
    qvel: derivatives by the next ``qvel``.
    act: derivatives by the next ``act``.
    forward: whether to compute first what follows from the state.
  """
  vectors = (_vector(qpos, model.nv), _vector(qvel, model.nv), _vector(act, model.na))
  *gradient, trust = _native._Transition().vjp(model, data, *vectors, forward)
  return Gradient(*gradient, smooth=Smoothness(*trust))


def jvp(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    qpos: Optional[ArrayLike] = None,
    qvel: Optional[ArrayLike] = None,
    act: Optional[ArrayLike] = None,
    ctrl: Optional[ArrayLike] = None,
    forward: bool = True,
) -> Array:
  """Computes the change of the next state along a direction: ``A dx + B du``.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    qpos: tangent of ``qpos``, nv numbers; zero if left out.
    qvel: change of ``qvel``.
    act: change of ``act``.
    ctrl: change of ``ctrl``.
    forward: whether to compute first what follows from the state.

  Returns:
    Tangent of the next ``qpos``, changes of ``qvel`` and of ``act``, in one vector.
  """
  vectors = (_vector(qpos, model.nv), _vector(qvel, model.nv), _vector(act, model.na),
             _vector(ctrl, model.nu))
  change, _ = _native._Transition().jvp(model, data, *vectors, forward)
  return change


def rollout(
    model: cortenforge.MjModel,
    states: ArrayLike,
    controls: Optional[ArrayLike] = None,
    *,
    nthread: Optional[int] = None,
) -> tuple[Array, Array]:
  """Linearises a step at many states, over threads.

  Args:
    model: the model.
    states: states as ``mj_getState`` gives them for ``mjSTATE_FULLPHYSICS``, one per row.
    controls: controls, one row per state; zero if left out.
    nthread: number of threads; by default that of the processors. Results do not depend on it.

  Returns:
    All A and all B, with one more dimension in front.
  """
  rows = np.ascontiguousarray(states, np.float64)
  if rows.ndim != 2 or rows.shape[1] != cortenforge.mj_stateSize(model, _FULL):
    size = cortenforge.mj_stateSize(model, _FULL)
    raise ValueError(f'states should have rows of {size} numbers, got shape {rows.shape}')
  inputs = np.zeros((len(rows), model.nu)) if controls is None else np.asarray(controls, np.float64)
  if inputs.shape != (len(rows), model.nu):
    raise ValueError(f'controls should be of shape {(len(rows), model.nu)}, got {inputs.shape}')
  size = 2 * model.nv + model.na
  A, B = np.zeros((len(rows), size, size)), np.zeros((len(rows), size, model.nu))

  def work(part: range) -> None:
    data, scratch = cortenforge.MjData(model), _native._Transition()
    for i in part:
      # every state starts from the same data, so that threads do not matter
      cortenforge.mj_resetData(model, data)
      cortenforge.mj_setState(model, data, rows[i], _FULL)
      data.ctrl[:] = inputs[i]
      scratch.transition(model, data, A[i], B[i], True)

  count = max(1, min(nthread or os.cpu_count() or 1, len(rows)))
  with concurrent.futures.ThreadPoolExecutor(count) as pool:
    for job in [pool.submit(work, range(first, len(rows), count)) for first in range(count)]:
      job.result()
  return A, B


def _vector(value: Optional[ArrayLike], size: int) -> ArrayLike:
  return np.zeros(size) if value is None else value

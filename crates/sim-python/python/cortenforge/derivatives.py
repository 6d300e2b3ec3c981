"""Exact derivatives of a step, through contact.

A step takes the state ``x = (tangent of qpos, qvel, act)`` and the control ``u`` to the next state.
Near the current state, ``dx⁺ = A dx + B du + P dp``, where ``p`` are numbers of the model that the
caller chooses. :func:`transition` computes these matrices at about the cost of a few steps;
:func:`vjp` multiplies them with a vector from the left without computing them, :func:`jvp` from the
right; :func:`rollout` linearises along a trajectory, over threads.

The tangent of ``qpos`` is what ``mj_integratePos`` takes and ``mj_differentiatePos`` gives, as in
``mjd_transitionFD``. What has no exact derivative raises ``FatalError`` with its name.
"""

import concurrent.futures
import os
from typing import Iterable, NamedTuple, Optional, Union

import cortenforge
import numpy as np
from cortenforge import _native
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# a field of the model, or one object of a field by number or name
Parameter = Union[str, tuple[str, Union[int, str]]]

_FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)

# makes a named tuple of a tuple; constructors take as long as a small model
_named_tuple = tuple.__new__


class Smoothness(NamedTuple):
  """How far a derivative can be trusted.

  Attributes:
    approximate_contacts: contacts that push and whose point and normal move in a way that is only
      approximately known: pairs of convex geoms that are found by iteration, parallel edges and faces.
    nearest_border: how much the acceleration along a constraint row may change before its force takes
      another branch (a contact lets go or begins to slide, dry friction gives way); infinite without
      such rows.
    nearest_contact: how far the distance of a contact is from where it appears or vanishes; infinite
      without contacts. Geoms that are further apart than their margin are not seen.
    nearest_feature: how far the point of a contact that pushes is from another feature of a geom: a
      vertex, an edge or a side; infinite where there is only one.
    differences: whether the result is one of finite differences, because the caller allowed that.
  """

  approximate_contacts: int
  nearest_border: float
  nearest_contact: float = np.inf
  nearest_feature: float = np.inf
  differences: bool = False


class Transition:
  """The derivative of a step: ``dx⁺ = A dx + B du + P dp``, and of sensors: ``ds = C dx + D du``.

  Attributes:
    A: derivative of the next state by the state, (2*nv+na) x (2*nv+na).
    B: derivative of the next state by the control, (2*nv+na) x nu.
    C: derivative of sensors by the state, nsensordata x (2*nv+na); empty unless asked for.
    D: derivative of sensors by the control, nsensordata x nu.
    P: derivative of the next state by the parameters, (2*nv+na) x number of parameters.
    names: the parameters: field, object and number of each.
    smooth: how far the matrices can be trusted.
  """

  def __init__(self, model: cortenforge.MjModel, parameters: Iterable[Parameter] = (), sensors: bool = False):
    size = 2 * model.nv + model.na
    self._scratch = _native._Transition()
    self.names: list[tuple[str, int, int]] = self._scratch.choose(model, _fields(model, parameters))
    self.A: Array = np.zeros((size, size))
    self.B: Array = np.zeros((size, model.nu))
    self.P: Array = np.zeros((size, len(self.names)))
    rows = model.nsensordata if sensors else 0
    self.C: Array = np.zeros((rows, size))
    self.D: Array = np.zeros((rows, model.nu))
    self._sensors = sensors
    self._scratch.want_sensors(sensors)
    self.smooth = Smoothness(0, np.inf)


class Gradient(NamedTuple):
  """Derivatives of a scalar by state, control and parameters before a step.

  Attributes:
    qpos: by the tangent of ``qpos``, nv numbers.
    qvel: by ``qvel``.
    act: by ``act``.
    ctrl: by ``ctrl``.
    parameters: by the parameters that were asked for.
    smooth: how far they can be trusted.
  """

  qpos: Array
  qvel: Array
  act: Array
  ctrl: Array
  parameters: Array
  smooth: Smoothness


def transition(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    parameters: Optional[Iterable[Parameter]] = None,
    sensors: Optional[bool] = None,
    out: Optional[Transition] = None,
    forward: bool = True,
    fallback: Optional[float] = None,
) -> Transition:
  """Computes the exact derivative of the step from the current state.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    parameters: numbers of the model to differentiate by as well: names of fields ("body_mass"), or
      pairs of a field and an object ("geom_friction", "floor"). The derivative is that of the step
      with the field edited in place.
    sensors: whether to differentiate the sensors, which belong to the state before the step.
    out: a result to fill again, which saves memory; it brings its parameters and sensors along.
    forward: whether to compute first what follows from the state. Without, the data must come from
      ``mj_forward``.
    fallback: the step of centred finite differences, which take the place of an exact derivative
      where there is none. They have no parameters.

  Returns:
    The matrices, in ``out`` if it is given.
  """
  result = Transition(model, parameters or (), bool(sensors)) if out is None else out
  if out is not None and (parameters is not None or sensors is not None):
    raise ValueError('out brings its parameters and sensors along')
  try:
    trust = result._scratch.transition(model, data, result.A, result.B, result.P, forward)
  except cortenforge.FatalError:
    if fallback is None or result.names:
      raise
    sensed = (result.C, result.D) if result._sensors else (None, None)
    cortenforge.mjd_transitionFD(model, data, fallback, 1, result.A, result.B, *sensed)
    result.smooth = Smoothness(0, np.nan, np.nan, np.nan, differences=True)
    return result
  if result._sensors:
    result._scratch.sensors(result.C, result.D)
  result.smooth = _named_tuple(Smoothness, trust)
  return result


class Vjp:
  """Vector-Jacobian products of steps of one model, with memory that is used again.

  Attributes:
    names: the parameters: field, object and number of each.
  """

  def __init__(self, model: cortenforge.MjModel, parameters: Iterable[Parameter] = ()):
    self._model = model
    self._scratch = _native._Transition()
    self._vjp = self._scratch.vjp
    self._zeros = np.zeros(model.nv), np.zeros(model.na)
    self.names: list[tuple[str, int, int]] = self._scratch.choose(model, _fields(model, parameters))

  def __call__(
      self,
      data: cortenforge.MjData,
      *,
      qpos: Optional[ArrayLike] = None,
      qvel: Optional[ArrayLike] = None,
      act: Optional[ArrayLike] = None,
      forward: bool = True,
  ) -> Gradient:
    """Computes what :func:`vjp` does."""
    by_dof, by_act = self._zeros
    qpos, qvel, act, ctrl, parameters, trust = self._vjp(
        self._model, data, by_dof if qpos is None else qpos, by_dof if qvel is None else qvel,
        by_act if act is None else act, forward)
    smooth = _named_tuple(Smoothness, trust)
    return _named_tuple(Gradient, (qpos, qvel, act, ctrl, parameters, smooth))


def vjp(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    qpos: Optional[ArrayLike] = None,
    qvel: Optional[ArrayLike] = None,
    act: Optional[ArrayLike] = None,
    parameters: Iterable[Parameter] = (),
    forward: bool = True,
) -> Gradient:
  """Takes derivatives of a scalar by the next state to those by the inputs: ``Aᵀ λ, Bᵀ λ, Pᵀ λ``.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    qpos: derivatives by the tangent of the next ``qpos``, nv numbers; zero if left out.
    qvel: derivatives by the next ``qvel``.
    act: derivatives by the next ``act``.
    parameters: numbers of the model to differentiate by as well, as in :func:`transition`.
    forward: whether to compute first what follows from the state.
  """
  return Vjp(model, parameters)(data, qpos=qpos, qvel=qvel, act=act, forward=forward)


def jvp(
    model: cortenforge.MjModel,
    data: cortenforge.MjData,
    *,
    qpos: Optional[ArrayLike] = None,
    qvel: Optional[ArrayLike] = None,
    act: Optional[ArrayLike] = None,
    ctrl: Optional[ArrayLike] = None,
    parameters: Iterable[tuple[Parameter, ArrayLike]] = (),
    forward: bool = True,
) -> Array:
  """Computes the change of the next state along a direction: ``A dx + B du + P dp``.

  Args:
    model: the model.
    data: its state and controls; they are left as they are.
    qpos: tangent of ``qpos``, nv numbers; zero if left out.
    qvel: change of ``qvel``.
    act: change of ``act``.
    ctrl: change of ``ctrl``.
    parameters: parameters of the model, each with its change.
    forward: whether to compute first what follows from the state.

  Returns:
    Tangent of the next ``qpos``, changes of ``qvel`` and of ``act``, in one vector.
  """
  scratch, moved = _native._Transition(), list(parameters)
  names = scratch.choose(model, _fields(model, [parameter for parameter, _ in moved]))
  changes = [np.ravel(np.asarray(change, np.float64)) for _, change in moved]
  along = np.concatenate(changes) if changes else np.zeros(0)
  if len(along) != len(names):
    raise ValueError(f'there are {len(names)} parameters, but changes of {len(along)}')
  vectors = (_vector(qpos, model.nv), _vector(qvel, model.nv), _vector(act, model.na),
             _vector(ctrl, model.nu))
  change, _ = scratch.jvp(model, data, *vectors, along, forward)
  return change


def rollout(
    model: cortenforge.MjModel,
    states: ArrayLike,
    controls: Optional[ArrayLike] = None,
    *,
    parameters: Iterable[Parameter] = (),
    nthread: Optional[int] = None,
) -> tuple[Array, ...]:
  """Linearises a step at many states, over threads.

  Args:
    model: the model.
    states: states as ``mj_getState`` gives them for ``mjSTATE_FULLPHYSICS``, one per row.
    controls: controls, one row per state; zero if left out.
    parameters: numbers of the model to differentiate by as well, as in :func:`transition`.
    nthread: number of threads; by default that of the processors. Results do not depend on it.

  Returns:
    All A and all B, with one more dimension in front; with parameters, all P too.
  """
  rows = np.ascontiguousarray(states, np.float64)
  if rows.ndim != 2 or rows.shape[1] != cortenforge.mj_stateSize(model, _FULL):
    size = cortenforge.mj_stateSize(model, _FULL)
    raise ValueError(f'states should have rows of {size} numbers, got shape {rows.shape}')
  inputs = np.zeros((len(rows), model.nu)) if controls is None else np.asarray(controls, np.float64)
  if inputs.shape != (len(rows), model.nu):
    raise ValueError(f'controls should be of shape {(len(rows), model.nu)}, got {inputs.shape}')
  size = 2 * model.nv + model.na
  fields = _fields(model, parameters)
  count = len(_native._Transition().choose(model, fields))
  A, B = np.zeros((len(rows), size, size)), np.zeros((len(rows), size, model.nu))
  P = np.zeros((len(rows), size, count))

  def work(part: range) -> None:
    data, scratch = cortenforge.MjData(model), _native._Transition()
    scratch.choose(model, fields)
    for i in part:
      # every state starts from the same data, so that threads do not matter
      cortenforge.mj_resetData(model, data)
      cortenforge.mj_setState(model, data, rows[i], _FULL)
      data.ctrl[:] = inputs[i]
      scratch.transition(model, data, A[i], B[i], P[i], True)

  workers = max(1, min(nthread or os.cpu_count() or 1, len(rows)))
  with concurrent.futures.ThreadPoolExecutor(workers) as pool:
    for job in [pool.submit(work, range(first, len(rows), workers)) for first in range(workers)]:
      job.result()
  return (A, B, P) if fields else (A, B)


def quat_tangent(model: cortenforge.MjModel, qpos: ArrayLike, tangent: ArrayLike) -> Array:
  """Takes derivatives by the tangent of ``qpos`` to those by ``qpos`` itself, which frameworks need.

  A quaternion ``q`` that turns by ``w`` in its own frame changes by ``q (0, w) / 2``. The derivative by
  the quaternion is the one without a component along it: ``2 q (0, g)``.

  Args:
    model: the model.
    qpos: positions, nq numbers.
    tangent: derivatives by the tangent, nv numbers.

  Returns:
    Derivatives by ``qpos``, nq numbers.
  """
  q, g = np.asarray(qpos, np.float64), np.asarray(tangent, np.float64)
  out = np.zeros(model.nq)
  for joint in range(model.njnt):
    kind, at, dof = model.jnt_type[joint], model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    if kind == cortenforge.mjtJoint.mjJNT_FREE:
      out[at:at + 3] = g[dof:dof + 3]
      at, dof = at + 3, dof + 3
    elif kind != cortenforge.mjtJoint.mjJNT_BALL:
      out[at] = g[dof]
      continue
    turned = np.zeros(4)
    cortenforge.mju_mulQuat(turned, q[at:at + 4], np.concatenate([[0.0], g[dof:dof + 3]]))
    out[at:at + 4] = 2 * turned
  return out


def tangent_of(model: cortenforge.MjModel, qpos: ArrayLike, gradient: ArrayLike) -> Array:
  """Takes derivatives by ``qpos`` to those by its tangent: the way back of :func:`quat_tangent`.

  Args:
    model: the model.
    qpos: positions, nq numbers.
    gradient: derivatives by these, nq numbers.

  Returns:
    Derivatives by the tangent, nv numbers.
  """
  q, g = np.asarray(qpos, np.float64), np.asarray(gradient, np.float64)
  out = np.zeros(model.nv)
  for joint in range(model.njnt):
    kind, at, dof = model.jnt_type[joint], model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    if kind == cortenforge.mjtJoint.mjJNT_FREE:
      out[dof:dof + 3] = g[at:at + 3]
      at, dof = at + 3, dof + 3
    elif kind != cortenforge.mjtJoint.mjJNT_BALL:
      out[dof] = g[at]
      continue
    turned, inverse = np.zeros(4), q[at:at + 4] * [1, -1, -1, -1]
    cortenforge.mju_mulQuat(turned, inverse, g[at:at + 4])
    out[dof:dof + 3] = turned[1:] / 2
  return out


def _fields(model: cortenforge.MjModel, parameters: Iterable[Parameter]) -> list[tuple[str, Optional[int]]]:
  """Fields with the numbers of objects, where these are given by name."""
  found: list[tuple[str, Optional[int]]] = []
  for parameter in parameters:
    if isinstance(parameter, str):
      found.append((parameter, None))
      continue
    field, which = parameter
    if isinstance(which, str):
      kind = field.split('_')[0]
      if kind == 'dof':
        # the first dof of a joint
        which = int(model.jnt_dofadr[_named(model, 'jnt', which)])
      else:
        which = _named(model, kind, which)
    found.append((field, int(which)))
  return found


_KINDS = {'body': 'BODY', 'jnt': 'JOINT', 'geom': 'GEOM', 'tendon': 'TENDON', 'actuator': 'ACTUATOR', 'eq': 'EQUALITY'}


def _named(model: cortenforge.MjModel, kind: str, name: str) -> int:
  if kind not in _KINDS:
    raise ValueError(f'{kind} has no names')
  found = cortenforge.mj_name2id(model, int(getattr(cortenforge.mjtObj, f'mjOBJ_{_KINDS[kind]}')), name)
  if found < 0:
    raise ValueError(f'there is no {kind} named {name!r}')
  return found


def _vector(value: Optional[ArrayLike], size: int) -> ArrayLike:
  return np.zeros(size) if value is None else value

"""Open-loop trajectories of many environments at once, over threads.

The interface is that of ``mujoco.rollout``. Every environment starts from reset data, so that
results do not depend on what the data held before, nor on the number of threads: they have the same
bits for any. Ctrl-C ends a rollout.
"""

import atexit
import os
from collections.abc import Sequence
from typing import Optional, Union

import cortenforge
import numpy as np
from cortenforge import _native
from cortenforge.batch import Status
from numpy.typing import NDArray

_FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)
_USER = int(cortenforge.mjtState.mjSTATE_USER)
_CTRL = int(cortenforge.mjtState.mjSTATE_CTRL)

Models = Union[cortenforge.MjModel, Sequence[cortenforge.MjModel]]
Datas = Union[cortenforge.MjData, Sequence[cortenforge.MjData]]
Array = NDArray[np.float64]


class Rollout:
  """Threads that play rollouts, until they are closed.

  Attributes:
    nthread: number of threads; zero: rollouts run on the calling thread.
    status: how each environment came through the last rollout.
  """

  def __init__(self, *, nthread: Optional[int] = None):
    self.nthread = nthread or 0
    self.status: list[Status] = []
    self._pool: Optional[_native._Rollout] = _native._Rollout(self.nthread)
    self._process = os.getpid()

  def __enter__(self) -> 'Rollout':
    return self

  def __exit__(self, *exception: object) -> None:
    self.close()

  def close(self) -> None:
    """Ends the threads."""
    self._pool = None

  def rollout(
      self,
      model: Models,
      data: Datas,
      initial_state: Array,
      control: Optional[Array] = None,
      *,
      control_spec: int = _CTRL,
      skip_checks: bool = False,
      nstep: Optional[int] = None,
      initial_warmstart: Optional[Array] = None,
      state: Optional[Array] = None,
      sensordata: Optional[Array] = None,
      chunk_size: Optional[int] = None,
  ) -> tuple[Array, Array]:
    """Plays trajectories from initial states, and returns states and sensor values along them.

    Numbers of environments (nbatch) and of steps (nstep) follow from the arguments; a dimension of
    one stands for all. An environment that diverges stops, and its outputs are repeated.

    Args:
      model: A model, or nbatch models of the same sizes.
      data: Data of the model, or a list with one for each thread.
      initial_state: States to start from, ([nbatch or 1] x nstate).
      control: Inputs, ([nbatch or 1] x [nstep or 1] x ncontrol).
      control_spec: What an input consists of: bits of mjSTATE_USER.
      skip_checks: Take arguments as they are: models and data in lists, no dimension of one, no
        output unless it is given.
      nstep: Number of steps, if nothing else tells.
      initial_warmstart: ``qacc_warmstart`` to start from, ([nbatch or 1] x nv).
      state: Where states are written to, (nbatch x nstep x nstate).
      sensordata: Where sensor values are written to, (nbatch x nstep x nsensordata).
      chunk_size: How many environments a thread takes at a time.

    Returns:
      States and sensor values, as above.

    Raises:
      RuntimeError: The threads have ended.
      ValueError: Shapes do not fit together.
    """
    if self._pool is None:
      raise RuntimeError('rollout requested after thread pool shutdown')
    if skip_checks:
      if nstep is None:
        raise ValueError('nstep is needed to skip checks')
      models, datas = _listed(model, data)
      self._run(models, datas, nstep, control_spec, initial_state, initial_warmstart, control, None,
                state, sensordata, chunk_size)
      return state, sensordata  # type: ignore[return-value]  # None if so given

    if control_spec & ~_USER:
      raise ValueError('control_spec can only contain bits in mjSTATE_USER')
    for name, number in (('nstep', nstep), ('chunk_size', chunk_size)):
      if number and not isinstance(number, int):
        raise ValueError(f'{name} must be an integer')
    initial_state = _rows('initial_state', initial_state, 2)
    initial_warmstart = _rows('initial_warmstart', initial_warmstart, 2)
    control = _rows('control', control, 3)
    state = _rows('state', state, 3)
    sensordata = _rows('sensordata', sensordata, 3)

    models, datas = _listed(model, data)
    nbatch = _common(0, 1, initial_state=initial_state, initial_warmstart=initial_warmstart,
                     control=control, state=state, sensordata=sensordata)
    if nbatch == 1:
      nbatch = max(1, len(models))
    if len(models) > 1 and len(models) != nbatch:
      raise ValueError(f'nbatch inferred as {nbatch} but model is length {len(models)}')
    nstep = _common(1, nstep or 1, control=control, state=state, sensordata=sensordata)

    sizes = [(cortenforge.mj_stateSize(m, _FULL), cortenforge.mj_stateSize(m, control_spec), m.nv,
              m.nsensordata) for m in models]
    if any(other != sizes[0] for other in sizes):
      raise ValueError('models are not compatible')
    nstate, ncontrol, nv, nsensordata = sizes[0]
    _check_last(nstate, initial_state=initial_state, state=state)
    _check_last(ncontrol, control=control)
    _check_last(nv, initial_warmstart=initial_warmstart)
    _check_last(nsensordata, sensordata=sensordata)

    if initial_state.shape[0] != nbatch:
      initial_state = np.repeat(initial_state, nbatch, axis=0)
    if state is None:
      state = np.empty((nbatch, nstep, nstate))
    if sensordata is None:
      sensordata = np.empty((nbatch, nstep, nsensordata))
    control_steps = None if control is None else control.shape[1]
    self._run(models, datas, nstep, control_spec, initial_state, initial_warmstart, control,
              control_steps, state, sensordata, chunk_size)
    return state, sensordata

  def _run(self, models, data, nstep, control_spec, initial_state, initial_warmstart, control,
           control_steps, state, sensordata, chunk_size):
    if _native._has_callbacks():
      self.status = _play_with_callbacks(models, data, nstep, control_spec, initial_state,
                                         initial_warmstart, control, state, sensordata)
      return
    if self._process != os.getpid():
      # a child made by fork does not have the threads of its parent
      self._pool, self._process = _native._Rollout(self.nthread), os.getpid()
    rows = self._pool.rollout(models, data, max(0, nstep), int(control_spec), initial_state,
                              initial_warmstart, control, control_steps, state, sensordata,
                              chunk_size)
    self.status = [Status.of(row) for row in rows]


_persistent: Optional[Rollout] = None


def shutdown_persistent_pool() -> None:
  """Ends the threads that ``rollout`` keeps with ``persistent_pool``; so does leaving Python."""
  global _persistent
  if _persistent is not None:
    _persistent.close()
  _persistent = None


atexit.register(shutdown_persistent_pool)


def rollout(
    model: Models,
    data: Datas,
    initial_state: Array,
    control: Optional[Array] = None,
    *,
    control_spec: int = _CTRL,
    skip_checks: bool = False,
    nstep: Optional[int] = None,
    initial_warmstart: Optional[Array] = None,
    state: Optional[Array] = None,
    sensordata: Optional[Array] = None,
    chunk_size: Optional[int] = None,
    persistent_pool: bool = False,
) -> tuple[Array, Array]:
  """Plays trajectories from initial states, and returns states and sensor values along them.

  There are as many threads as data; with one, the calling thread does the work.

  Args:
    model: As for ``Rollout.rollout``, like all that follow.
    data: ...
    initial_state: ...
    control: ...
    control_spec: ...
    skip_checks: ...
    nstep: ...
    initial_warmstart: ...
    state: ...
    sensordata: ...
    chunk_size: ...
    persistent_pool: Keep the threads for the next call.

  Returns:
    States (nbatch x nstep x nstate) and sensor values (nbatch x nstep x nsensordata).
  """
  global _persistent
  count = 1 if isinstance(data, cortenforge.MjData) else len(data)
  nthread = count if count > 1 else 0
  if persistent_pool:
    if _persistent is None or _persistent.nthread != nthread:
      shutdown_persistent_pool()
      _persistent = Rollout(nthread=nthread)
    pool = _persistent
  else:
    pool = Rollout(nthread=nthread)
  try:
    return pool.rollout(
        model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks,
        nstep=nstep, initial_warmstart=initial_warmstart, state=state, sensordata=sensordata,
        chunk_size=chunk_size)
  finally:
    if not persistent_pool:
      pool.close()


def _listed(model, data):
  """Models and data as lists."""
  models = [model] if isinstance(model, cortenforge.MjModel) else list(model)
  return models, [data] if isinstance(data, cortenforge.MjData) else list(data)


def _rows(name, array, ndim):
  """An array of numbers with leading dimensions added; None stays None."""
  if array is None:
    return None
  if not isinstance(array, (np.ndarray, float)):
    raise ValueError(f'{name} must be a numpy array or float')
  array = np.asarray(array)
  if array.ndim > ndim:
    raise ValueError(f'{name} can have at most {ndim} dimensions')
  shape = (1,) * (ndim - array.ndim) + array.shape
  return np.ascontiguousarray(array.reshape(shape), dtype=np.float64)


def _common(axis, known, **arrays):
  """The length that arrays have along an axis, apart from those where it is one."""
  for name, array in arrays.items():
    if array is None or array.shape[axis] == known:
      continue
    if known == 1:
      known = array.shape[axis]
    elif array.shape[axis] != 1:
      raise ValueError(f'dimension {axis} inferred as {known} but {name} has {array.shape[axis]}')
  return known


def _check_last(size, **arrays):
  for name, array in arrays.items():
    if array is not None and array.shape[-1] != size:
      raise ValueError(f'trailing dimension of {name} must be {size}, got {array.shape[-1]}')


def _play_with_callbacks(models, data, nstep, control_spec, initial_state, initial_warmstart,
                         control, state, sensordata):
  """A rollout step by step: callbacks hold the interpreter, so threads would not help."""
  if not data:
    raise ValueError('The list of data instances is empty')
  nbatch = initial_state.shape[0]
  nstate = cortenforge.mj_stateSize(models[0], _FULL)
  if control is not None:
    size = cortenforge.mj_stateSize(models[0], control_spec)
    steps = control.shape[1] if control.ndim == 3 else nstep
    control = np.broadcast_to(control.reshape(-1, steps, size), (nbatch, nstep, size))
  if initial_warmstart is not None:
    initial_warmstart = np.broadcast_to(initial_warmstart, (nbatch, models[0].nv))
  state = None if state is None else state.reshape(nbatch, nstep, nstate)
  if sensordata is not None:
    sensordata = sensordata.reshape(nbatch, nstep, models[0].nsensordata)

  d, results = data[0], []
  for env in range(nbatch):
    m = models[0] if len(models) == 1 else models[env]
    start = None if initial_warmstart is None else np.array(initial_warmstart[env])
    cortenforge.mj_resetData(m, d)
    cortenforge.mj_setState(m, d, initial_state[env], _FULL)
    if start is not None:
      d.qacc_warmstart[:] = start
    status = Status('done', nstep)
    for step in range(nstep):
      if status.ok:
        if control is not None:
          cortenforge.mj_setState(m, d, control[env, step], control_spec)
        cortenforge.mj_step(m, d)
      if state is not None:
        row = np.empty(nstate)
        cortenforge.mj_getState(m, d, row, _FULL)
        state[env, step] = row
      if sensordata is not None:
        sensordata[env, step] = d.sensordata
      raised = [i for i, warning in enumerate(d.warning) if warning.number]
      if raised and status.ok:
        kind = cortenforge.mjtWarning(raised[0])
        status = Status('diverged', step, kind, d.warning[raised[0]].lastinfo)
    results.append(status)
  return results

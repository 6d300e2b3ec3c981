"""Environments of one model that live on between steps, stepped together over threads.

    batch = Batch(model, 64, nthread=2)
    while training:
      batch.step(control)              # (64, nu)
      observation = batch.get('qpos')  # (64, nq)
      batch.reset(np.flatnonzero(~batch.ok))

Results have the same bits for any number of threads. Ctrl-C ends a step.
"""

from collections.abc import Iterable
from typing import NamedTuple, Optional

import cortenforge
import numpy as np
from cortenforge import _native
from numpy.typing import ArrayLike, NDArray

_FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)
_CTRL = int(cortenforge.mjtState.mjSTATE_CTRL)


class Status(NamedTuple):
  """How an environment came through a run.

  Attributes:
    kind: ``'done'``; ``'diverged'``: a step raised a warning; ``'cancelled'``; ``'failed'``: the
      model has numbers that the engine cannot work with.
    step: The step at which it ended.
    warning: The warning, an ``mjtWarning``, if it diverged.
    info: What the warning is about, such as the index of a dof.
    message: What was wrong, if it failed.
  """

  kind: str
  step: int
  warning: Optional[int] = None
  info: int = 0
  message: str = ''

  @property
  def ok(self) -> bool:
    """Whether all steps were made."""
    return self.kind == 'done'

  @classmethod
  def of(cls, row: tuple[str, int, int, int, str]) -> 'Status':
    """A status from its numbers."""
    kind, step, warning, info, message = row
    return cls(kind, step, None if warning < 0 else cortenforge.mjtWarning(warning), info, message)


class Batch:
  """Environments of one model, each with its own state.

  The model is copied: changes that are made to it afterwards do not count. Callbacks are not
  called.

  Attributes:
    model: The model that was given.
    nbatch: Number of environments.
    nthread: Number of threads; with none or one, the calling thread does the work.
  """

  def __init__(self, model: cortenforge.MjModel, nbatch: int, *, nthread: int = 0):
    self.model = model
    self.nbatch = nbatch
    self.nthread = nthread
    self._rows: list[tuple[str, int, int, int, str]] = [('done', 0, -1, 0, '')] * nbatch
    self._native = _native._Batch(model, nbatch, nthread)

  def __len__(self) -> int:
    return self.nbatch

  @property
  def ok(self) -> NDArray[np.bool_]:
    """Which environments made all steps of the last call."""
    return np.fromiter((row[0] == 'done' for row in self._rows), bool, self.nbatch)

  @property
  def status(self) -> list[Status]:
    """How each environment came through the last step."""
    return [Status.of(row) for row in self._rows]

  def step(self, control: Optional[ArrayLike] = None, *, nstep: int = 1,
           control_spec: int = _CTRL) -> list[Status]:
    """Makes steps in every environment.

    One that diverges stops; its next step goes on from the reference state, where the engine has
    put it.

    Args:
      control: Inputs, one row for all (ncontrol) or one for each (nbatch x ncontrol). Without them,
        the inputs stay as they are.
      nstep: Number of steps.
      control_spec: What an input consists of: bits of mjSTATE_USER.

    Returns:
      How each environment came through.
    """
    if control is not None:
      control = np.ascontiguousarray(control, dtype=np.float64)
      size = cortenforge.mj_stateSize(self.model, control_spec)
      if control.shape not in ((size,), (self.nbatch, size)):
        raise ValueError(f'control has shape {control.shape}, ({size},) or ({self.nbatch}, {size}) '
                         'expected')
    self.advance(control, nstep, int(control_spec))
    return self.status

  def advance(self, control: Optional[NDArray[np.float64]], nstep: int, control_spec: int) -> None:
    """Makes steps as :meth:`step` does, without checking the inputs and without a word about each."""
    self._rows = self._native.step(nstep, control_spec, control)

  def restart(self, envs: Iterable[int], qpos: ArrayLike, qvel: ArrayLike) -> None:
    """Resets environments, gives them positions and velocities, and computes what follows from them.

    Args:
      envs: Indices of environments.
      qpos: Positions, a row for each of them.
      qvel: Velocities, likewise.
    """
    envs = [int(env) for env in envs]
    qpos = np.ascontiguousarray(qpos, dtype=np.float64)
    qvel = np.ascontiguousarray(qvel, dtype=np.float64)
    for name, values, size in (('qpos', qpos, self.model.nq), ('qvel', qvel, self.model.nv)):
      if values.size != len(envs) * size:
        raise ValueError(f'{name} has shape {values.shape}, ({len(envs)}, {size}) expected')
    self._native.restart(envs, qpos.ravel(), qvel.ravel())

  def post_constraint(self) -> None:
    """Computes ``cacc``, ``cfrc_int`` and ``cfrc_ext`` of every environment."""
    self._native.post_constraint()

  def get_state(self, spec: int = _FULL) -> NDArray[np.float64]:
    """The state components in `spec` of every environment, (nbatch x size)."""
    state = np.empty((self.nbatch, cortenforge.mj_stateSize(self.model, spec)))
    self._native.get_state(int(spec), state)
    return state

  def set_state(self, state: ArrayLike, spec: int = _FULL) -> None:
    """Sets the state components in `spec`: one row for all (size), or (nbatch x size)."""
    shape = self.nbatch, cortenforge.mj_stateSize(self.model, spec)
    state = np.ascontiguousarray(np.broadcast_to(np.asarray(state, dtype=np.float64), shape))
    self._native.set_state(int(spec), state)

  def get(self, name: str) -> NDArray[np.float64]:
    """A field of the data of every environment, such as `sensordata` or `xpos`: a copy of shape
    (nbatch, ...)."""
    values = np.empty((self.nbatch, *self._native.shape(name)))
    self._native.get(name, values)
    return values

  def reset(self, envs: Optional[Iterable[int]] = None) -> None:
    """Returns environments to the reference state; without arguments, all."""
    self._native.reset(list(range(self.nbatch) if envs is None else map(int, envs)))

"""Rollouts and vector environments over processes and machines, on Ray.

    import ray
    from cortenforge import distributed

    ray.init()                                     # or the address of a cluster
    state, sensordata = distributed.rollout(model, data, initial_state, control)

:func:`rollout` has the signature of :func:`cortenforge.rollout.rollout`, and gives the same bits for
any number of workers and nodes. A worker is one process with the model, its data and its threads;
states and controls travel as whole arrays, a chunk of environments at a time. The chunk of a worker
that is lost is done again by another. :class:`Cluster` keeps the workers between calls.

:class:`VectorEnv` runs a vector environment of :mod:`cortenforge.vector` over workers.

``pip install cortenforge[ray]`` brings Ray; docs/distributed.md tells what it costs.
"""

import collections
import os
from collections.abc import Callable
from typing import Any, Optional

import gymnasium
import numpy as np
import ray
from gymnasium.vector.utils import batch_space

import cortenforge
from cortenforge import rollout as _local
from cortenforge.batch import Status

_CTRL = int(cortenforge.mjtState.mjSTATE_CTRL)
_FULL = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)

# errors of Ray after which a chunk is done again elsewhere
_LOST = (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError,
         ray.exceptions.NodeDiedError, ray.exceptions.ObjectLostError)

# how often one chunk is tried, on workers that are lost
ATTEMPTS = 5


class Cancelled(RuntimeError):
  """A rollout that was asked to end."""


class Player:
  """Plays chunks of environments: what a worker of any engine does.

  It needs nothing but itself, so that Dask and MPI can use it too.
  """

  def __init__(self, model: cortenforge.MjModel, nthread: int = 1):
    self.model = model
    self.data = [cortenforge.MjData(model) for _ in range(max(1, nthread))]
    self.pool = _local.Rollout(nthread=nthread if nthread > 1 else 0)

  def play(self, initial_state, control, options) -> tuple[np.ndarray, np.ndarray, list[Status]]:
    """States, sensor values and how each environment came through."""
    state, sensordata = self.pool.rollout(self.model, self.data, initial_state, control, **options)
    return state, sensordata, self.pool.status

  def where(self) -> tuple[str, int]:
    """The node and the process."""
    return ray.get_runtime_context().get_node_id(), os.getpid()


class Cluster:
  """Workers with a model, until they are closed.

  Attributes:
    status: how each environment came through the last rollout.
    lost: number of workers that were lost so far.
  """

  def __init__(self, model: cortenforge.MjModel, *, workers: Optional[int] = None, nthread: int = 1):
    """Starts workers.

    Args:
      model: The model; it travels once to every worker.
      workers: Number of workers; as many as the cluster has CPUs for.
      nthread: Threads, and CPUs, of each.
    """
    if not ray.is_initialized():
      ray.init(logging_level='warning')
    cpus = int(ray.cluster_resources().get('CPU', 1))
    self.nthread = nthread
    self.workers = workers or max(1, cpus // nthread)
    self.status: list[Status] = []
    self.lost = 0
    self._model = ray.put(model)
    self._remote = ray.remote(num_cpus=nthread, scheduling_strategy='SPREAD')(Player)
    self._idle: list[Any] = []
    # workers that the cluster may not have room for yet, by the answer that they will give
    self._coming: dict[Any, Any] = {}
    for _ in range(self.workers):
      self._start()

  def _start(self):
    worker = self._remote.remote(self._model, self.nthread)
    self._coming[worker.where.remote()] = worker

  def _welcome(self, answers):
    """Takes workers that have answered into service; those that were lost before are started again."""
    for answer in answers:
      worker = self._coming.pop(answer)
      try:
        ray.get(answer)
        self._idle.append(worker)
      except _LOST:
        self._start()

  def __enter__(self) -> 'Cluster':
    return self

  def __exit__(self, *exception: object) -> None:
    self.close()

  def close(self) -> None:
    """Ends the workers."""
    for worker in [*self._idle, *self._coming.values()]:
      ray.kill(worker)
    self._idle, self._coming = [], {}

  def nodes(self) -> list[tuple[str, int]]:
    """The node and the process of every worker."""
    self._welcome(list(self._coming))
    return ray.get([worker.where.remote() for worker in self._idle])

  def rollout(
      self,
      initial_state: np.ndarray,
      control: Optional[np.ndarray] = None,
      *,
      control_spec: int = _CTRL,
      nstep: Optional[int] = None,
      initial_warmstart: Optional[np.ndarray] = None,
      chunk_size: Optional[int] = None,
      progress: Optional[Callable[[int, int], None]] = None,
      cancel: Optional[Callable[[], bool]] = None,
  ) -> tuple[np.ndarray, np.ndarray]:
    """Plays trajectories, as :func:`cortenforge.rollout.rollout` does.

    Args:
      initial_state: States to start from, ([nbatch or 1] x nstate).
      control: Inputs, ([nbatch or 1] x [nstep or 1] x ncontrol).
      control_spec: What an input consists of.
      nstep: Number of steps, if nothing else tells.
      initial_warmstart: ``qacc_warmstart`` to start from.
      chunk_size: Environments in a chunk; four chunks for each worker.
      progress: Called with the number of environments that are done, and of all.
      cancel: Asked now and then whether to end.

    Raises:
      Cancelled: if `cancel` said so.
      RuntimeError: if a chunk was lost with its worker too often.
    """
    if not self._idle and not self._coming:
      raise RuntimeError('rollout requested after the workers were closed')
    state = np.atleast_2d(np.asarray(initial_state, dtype=np.float64))
    if control is not None:
      control = np.asarray(control, dtype=np.float64)
      control = control.reshape((1,) * (3 - control.ndim) + control.shape)
    if initial_warmstart is not None:
      initial_warmstart = np.atleast_2d(np.asarray(initial_warmstart, dtype=np.float64))
    inputs = (state, control, initial_warmstart)
    nbatch = max(len(array) for array in inputs if array is not None)
    size = chunk_size or max(1, -(-nbatch // (4 * self.workers)))
    chunks = [slice(first, min(first + size, nbatch)) for first in range(0, nbatch, size)]
    options = {'control_spec': control_spec, 'nstep': nstep}

    def part(array, rows):
      return array if array is None or len(array) == 1 else array[rows]

    def arguments(rows):
      start = state[rows] if len(state) > 1 else np.repeat(state, rows.stop - rows.start, axis=0)
      return start, part(control, rows), {**options, 'initial_warmstart': part(initial_warmstart, rows)}

    results = self._share(chunks, arguments, nbatch, progress, cancel)
    self.status = [status for _, _, rows in results for status in rows]
    return (np.concatenate([result[0] for result in results]),
            np.concatenate([result[1] for result in results]))

  def _share(self, chunks, arguments, nbatch, progress, cancel):
    """The results of all chunks in order; what a lost worker had is done again."""
    results: list[Any] = [None] * len(chunks)
    todo = collections.deque(range(len(chunks)))
    tried = collections.Counter()
    running: dict[Any, tuple[int, Any]] = {}
    done = 0
    try:
      while todo or running:
        while todo and self._idle:
          chunk, worker = todo.popleft(), self._idle.pop()
          running[worker.play.remote(*arguments(chunks[chunk]))] = chunk, worker
        ready, _ = ray.wait([*running, *self._coming], timeout=0.1)
        self._welcome([answer for answer in ready if answer in self._coming])
        for task in [task for task in ready if task in running]:
          chunk, worker = running.pop(task)
          try:
            results[chunk] = ray.get(task)
          except _LOST as error:
            self.lost += 1
            tried[chunk] += 1
            if tried[chunk] == ATTEMPTS:
              raise RuntimeError(f'environments {chunks[chunk].start} to {chunks[chunk].stop - 1} were '
                                 f'lost with their worker {ATTEMPTS} times') from error
            todo.appendleft(chunk)
            self._start()
            continue
          self._idle.append(worker)
          done += chunks[chunk].stop - chunks[chunk].start
          if progress:
            progress(done, nbatch)
        if cancel and cancel():
          raise Cancelled(f'{done} of {nbatch} environments were done')
    finally:
      # those that are still at it are replaced: nobody waits for them
      for chunk, worker in running.values():
        ray.kill(worker)
        self._start()
    return results


def rollout(
    model: cortenforge.MjModel,
    data: Any,
    initial_state: np.ndarray,
    control: Optional[np.ndarray] = None,
    *,
    control_spec: int = _CTRL,
    nstep: Optional[int] = None,
    initial_warmstart: Optional[np.ndarray] = None,
    state: Optional[np.ndarray] = None,
    sensordata: Optional[np.ndarray] = None,
    chunk_size: Optional[int] = None,
    workers: Optional[int] = None,
    progress: Optional[Callable[[int, int], None]] = None,
    cancel: Optional[Callable[[], bool]] = None,
) -> tuple[np.ndarray, np.ndarray]:
  """Plays trajectories over the workers of a cluster; see :class:`Cluster`, which keeps them.

  As in the local function there are as many threads, here of each worker, as data.
  """
  nthread = 1 if isinstance(data, cortenforge.MjData) else max(1, len(data))
  with Cluster(model, workers=workers, nthread=nthread) as cluster:
    states, values = cluster.rollout(
        initial_state, control, control_spec=control_spec, nstep=nstep,
        initial_warmstart=initial_warmstart, chunk_size=chunk_size, progress=progress, cancel=cancel)
  for given, found in ((state, states), (sensordata, values)):
    if given is not None:
      given[...] = found.reshape(given.shape)
  return (states if state is None else state), (values if sensordata is None else sensordata)


class _Host:
  """A share of a vector environment."""

  def __init__(self, task: str, num_envs: int, options: dict[str, Any]):
    from cortenforge import vector  # pylint: disable=import-outside-toplevel
    self.env = vector.make(task, num_envs, **options)

  def spaces(self):
    return self.env.single_observation_space, self.env.single_action_space, self.env.metadata

  def reset(self, seed):
    return self.env.reset(seed=seed)

  def step(self, actions):
    return self.env.step(actions)


class VectorEnv(gymnasium.vector.VectorEnv):
  """A task of :mod:`cortenforge.vector` whose environments are shared out over workers.

  The same seeds give the same numbers for any number of workers. A step crosses to every worker and
  back: it pays where a share of a step takes milliseconds.
  """

  def __init__(self, task: str, num_envs: int, *, workers: int = 2, nthread: int = 1, **options: Any):
    if not ray.is_initialized():
      ray.init(logging_level='warning')
    self.num_envs = num_envs
    bounds = [num_envs * i // workers for i in range(workers + 1)]
    self._shares = [slice(a, b) for a, b in zip(bounds, bounds[1:]) if b > a]
    remote = ray.remote(num_cpus=nthread, scheduling_strategy='SPREAD')(_Host)
    options['nthread'] = nthread if nthread > 1 else 0
    self._hosts = [remote.remote(task, share.stop - share.start, options) for share in self._shares]
    observation, action, self.metadata = ray.get(self._hosts[0].spaces.remote())
    self.single_observation_space, self.single_action_space = observation, action
    self.observation_space = batch_space(observation, num_envs)
    self.action_space = batch_space(action, num_envs)

  def reset(self, *, seed=None, options=None):
    seeds = ([None] * self.num_envs if seed is None else
             [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed))
    parts = ray.get([host.reset.remote(seeds[share]) for host, share in zip(self._hosts, self._shares)])
    return np.concatenate([part[0] for part in parts]), _joined([part[1] for part in parts], self._shares)

  def step(self, actions):
    parts = ray.get([host.step.remote(actions[share]) for host, share in zip(self._hosts, self._shares)])
    arrays = [np.concatenate([part[i] for part in parts]) for i in range(4)]
    return (*arrays, _joined([part[4] for part in parts], self._shares))

  def close_extras(self, **kwargs):
    for host in self._hosts:
      ray.kill(host)


def _joined(infos, shares):
  """Facts of all shares; those that a share does not have are zero, or none."""
  joined = {}
  for key in dict.fromkeys(key for info in infos for key in info):
    known = next(info[key] for info in infos if key in info)
    if isinstance(known, dict):
      joined[key] = _joined([info.get(key, {}) for info in infos], shares)
      continue
    empty = lambda share: np.full((share.stop - share.start, *known.shape[1:]),
                                  None if known.dtype == object else 0, known.dtype)
    joined[key] = np.concatenate([info.get(key, empty(share)) for info, share in zip(infos, shares)])
  return joined

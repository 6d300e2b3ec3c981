"""Vector environments of Gymnasium over a :class:`~cortenforge.batch.Batch`.

    env = cortenforge.vector.make('Ant-v5', num_envs=64, nthread=2)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminations, truncations, infos = env.step(env.action_space.sample())

The eleven MuJoCo tasks of Gymnasium are there, with its observations, rewards and ends of episodes;
their models are read from the installed ``gymnasium``. All environments are stepped by one call over
threads, and what an agent sees is computed for all of them at once. The same seeds give the numbers of
``SyncVectorEnv``, whatever the number of threads.

:class:`Task` is the base of tasks of one's own. :func:`stable_baselines` makes a ``VecEnv`` of
Stable-Baselines3. ``gymnasium.make_vec('cortenforge.vector:cortenforge/Ant-v5', num_envs=64)`` works too.
"""

import importlib.util
import pathlib
from typing import Any, Optional

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

import cortenforge
from cortenforge.batch import Batch

_CONTROL = int(cortenforge.mjtState.mjSTATE_CTRL)


class Task(VectorEnv):
  """Environments of one model that are stepped together. Derived classes say what agents see and want:

      class Balance(Task):
        def observation(self):
          return np.hstack([self.get('qpos'), self.get('qvel')])

        def judge(self, action):
          up = np.abs(self.get('qpos')[:, 1]) < 0.2
          return up.astype(float), ~up, {}

      env = Balance(model, num_envs=64)

  Attributes:
    model: The model.
    batch: The simulations.
    dt: Seconds of a step of the environment.
    init_qpos, init_qvel: The reference state.
  """

  def __init__(self, model: cortenforge.MjModel, num_envs: int = 1, *, frame_skip: int = 1,
               max_episode_steps: Optional[int] = 1000, nthread: int = 0,
               autoreset_mode: 'AutoresetMode | str' = AutoresetMode.NEXT_STEP,
               post_constraint: bool = False):
    """Makes the environments.

    Args:
      model: The model; it is copied.
      num_envs: Number of environments.
      frame_skip: Steps of the simulation in a step of the environment.
      max_episode_steps: Steps after which an episode is truncated; none for no end.
      nthread: Number of threads; with none or one, the calling thread does the work.
      autoreset_mode: When environments whose episode has ended start again: in the next step, in the
        same step, or not at all.
      post_constraint: Whether to compute ``cacc``, ``cfrc_int`` and ``cfrc_ext`` after every step.
    """
    self.model = model
    self.num_envs = num_envs
    self.frame_skip = frame_skip
    self.max_episode_steps = max_episode_steps
    self.autoreset_mode = AutoresetMode(autoreset_mode)
    self.batch = Batch(model, num_envs, nthread=nthread)
    self.dt = model.opt.timestep * frame_skip
    self.init_qpos = model.qpos0.copy()
    self.init_qvel = np.zeros(model.nv)
    self.metadata = {'autoreset_mode': self.autoreset_mode,
                     'render_fps': int(np.round(1 / self.dt))}
    self._post_constraint = post_constraint
    self._fields: dict[str, np.ndarray] = {}
    self._generators: list[Optional[np.random.Generator]] = [None] * num_envs
    self._steps = np.zeros(num_envs, int)
    self._ended = np.zeros(num_envs, bool)
    self._before: Any = None

    low, high = model.actuator_ctrlrange.astype(np.float32).T
    unlimited = model.actuator_ctrllimited == 0
    low, high = np.where(unlimited, -np.inf, low), np.where(unlimited, np.inf, high)
    self.single_action_space = gymnasium.spaces.Box(
        low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
    self.batch.restart(range(num_envs), np.tile(self.init_qpos, (num_envs, 1)),
                       np.tile(self.init_qvel, (num_envs, 1)))
    size = self.observation().shape[1]
    self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (size,), np.float64)
    self.action_space = batch_space(self.single_action_space, num_envs)
    self.observation_space = batch_space(self.single_observation_space, num_envs)

  # what derived classes say

  def observation(self) -> np.ndarray:
    """What agents see: one row for each environment."""
    return np.hstack([self.get('qpos'), self.get('qvel')])

  def judge(self, action: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """Rewards, which episodes have ended, and what else there is to know, after a step."""
    raise NotImplementedError

  def start(self, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities at the beginning of an episode."""
    return self.init_qpos, self.init_qvel

  def before(self) -> Any:
    """What :meth:`judge` wants to know of the state before the step, as ``self._before``."""
    return None

  def facts(self) -> dict[str, np.ndarray]:
    """What there is to know after a reset."""
    return {}

  def get(self, field: str) -> np.ndarray:
    """A field of the data of all environments, one row for each; computed once per step."""
    if field not in self._fields:
      self._fields[field] = self.batch.get(field)
    return self._fields[field]

  # what Gymnasium asks for

  def reset(self, *, seed: 'int | list[Optional[int]] | None' = None,
            options: Optional[dict[str, Any]] = None):
    """Starts episodes: all, or those of ``options['reset_mask']``.

    Args:
      seed: One seed, which environment i adds i to, or one for each.
      options: May hold a mask, a boolean for each environment.
    """
    mask = np.ones(self.num_envs, bool)
    if options and 'reset_mask' in options:
      mask = np.asarray(options['reset_mask'])
      if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
        raise ValueError(f"options['reset_mask'] must have {self.num_envs} booleans, not all false")
    seeds = ([None] * self.num_envs if seed is None else
             [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed))
    if len(seeds) != self.num_envs:
      raise ValueError(f'there are {len(seeds)} seeds for {self.num_envs} environments')
    for env in np.flatnonzero(mask):
      if seeds[env] is not None or self._generators[env] is None:
        self._generators[env] = seeding.np_random(seeds[env])[0]
    self._begin(mask)
    self._before = self.before()
    return self.observation(), _masked(self.facts(), mask)

  def step(self, actions: np.ndarray):
    """Makes a step in every environment."""
    actions = np.asarray(actions)
    if actions.shape != self.action_space.shape:
      raise ValueError(f'actions have shape {actions.shape}, {self.action_space.shape} expected')
    resting = self._ended.copy()
    if resting.any() and self.autoreset_mode == AutoresetMode.DISABLED:
      raise ValueError(f'environments {np.flatnonzero(resting).tolist()} have ended: reset them first')
    if self._before is None:
      self._before = self.before()
    self.batch.advance(np.ascontiguousarray(actions, dtype=np.float64), self.frame_skip, _CONTROL)
    if self._post_constraint:
      self.batch.post_constraint()
    self._fields.clear()
    self._steps += 1
    rewards, terminated, infos = self.judge(actions)
    rewards, terminated = np.asarray(rewards, float), np.array(terminated, bool)
    limit = self.max_episode_steps
    truncated = self._steps >= limit if limit else np.zeros(self.num_envs, bool)
    # one that diverged has been returned to the reference state
    truncated |= ~self.batch.ok
    observations = self.observation()
    ended = terminated | truncated

    if resting.any():  # in the next step: these begin now
      rewards = np.where(resting, 0.0, rewards)
      terminated &= ~resting
      truncated &= ~resting
      ended &= ~resting
      kept, facts = infos, self._begin(resting)
      infos = _masked(kept, ~resting)
      for key, value in facts.items():
        infos[key] = np.where(_column(resting, value), value, kept.get(key, value))
        infos[f'_{key}'] = np.ones(self.num_envs, bool)
      observations = np.where(resting[:, None], self.observation(), observations)
    else:
      infos = _masked(infos, np.ones(self.num_envs, bool))
    if ended.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
      final = np.full(self.num_envs, None, object)
      for env in np.flatnonzero(ended):
        final[env] = observations[env].copy()
      last = {key: value for key, value in infos.items() if not key.startswith('_')}
      facts = self._begin(ended)
      for key in last:
        if ended.all() and key not in facts:
          del infos[key], infos[f'_{key}']
          continue
        value = np.where(_column(ended, infos[key]), facts.get(key, 0), infos[key])
        infos[key] = value.astype(infos[key].dtype)
        infos[f'_{key}'] = ~ended | (key in facts)
      infos['final_obs'], infos['_final_obs'] = final, ended.copy()
      infos['final_info'], infos['_final_info'] = _masked(last, ended), ended.copy()
      observations = np.where(ended[:, None], self.observation(), observations)
      self._ended = np.zeros(self.num_envs, bool)
    else:
      self._ended = ended
    self._before = self.before()
    return observations, rewards, terminated, truncated, infos

  def _begin(self, mask: np.ndarray) -> dict[str, np.ndarray]:
    """Starts the episodes of a mask."""
    envs = np.flatnonzero(mask)
    for env in envs:
      if self._generators[env] is None:
        self._generators[env] = seeding.np_random(None)[0]
    states = [self.start(self._generators[env]) for env in envs]
    self.batch.restart(envs, np.array([qpos for qpos, _ in states]).reshape(len(envs), -1),
                       np.array([qvel for _, qvel in states]).reshape(len(envs), -1))
    self._steps[mask] = 0
    self._ended[mask] = False
    self._fields.clear()
    return self.facts()


def _column(mask: np.ndarray, value: np.ndarray) -> np.ndarray:
  """A mask of environments in the shape of what is known of them."""
  return mask.reshape(-1, *[1] * (np.ndim(value) - 1))


def _masked(infos: dict[str, np.ndarray], mask: np.ndarray) -> dict[str, Any]:
  """Facts, each with a mask of the environments that it is known of, and zero of the others."""
  if not mask.any():
    return {}
  if mask.all():
    return {name: value for key, fact in infos.items() for name, value in ((key, fact), (f'_{key}', mask))}
  return {name: value for key, fact in infos.items()
          for name, value in ((key, np.where(_column(mask, fact), fact, np.zeros_like(fact))),
                              (f'_{key}', mask.copy()))}


def _squares(action: np.ndarray) -> np.ndarray:
  return np.sum(np.square(action), axis=1)


def _distance(field: np.ndarray) -> np.ndarray:
  return np.linalg.norm(field[:, :2], axis=1)


class _Gymnasium(Task):
  """A task of Gymnasium: its defaults, and noise at the start."""

  xml = ''
  frame_skip = 5
  episode = 1000
  post = False
  noise = 0.1
  normal = False
  hidden = 1

  def __init__(self, num_envs: int = 1, *, nthread: int = 0, max_episode_steps: Optional[int] = 0,
               autoreset_mode: 'AutoresetMode | str' = AutoresetMode.NEXT_STEP, **kwargs):
    spec = importlib.util.find_spec('gymnasium')
    assets = pathlib.Path(spec.origin).parent / 'envs' / 'mujoco' / 'assets'
    model = cortenforge.MjModel.from_xml_path(str(assets / self.xml))
    limit = self.episode if max_episode_steps == 0 else max_episode_steps
    super().__init__(model, num_envs, frame_skip=self.frame_skip, nthread=nthread,
                     max_episode_steps=limit, autoreset_mode=autoreset_mode,
                     post_constraint=self.post, **kwargs)

  def start(self, generator):
    noise = self.noise
    qpos = self.init_qpos + generator.uniform(low=-noise, high=noise, size=self.model.nq)
    if self.normal:
      return qpos, self.init_qvel + noise * generator.standard_normal(self.model.nv)
    return qpos, self.init_qvel + generator.uniform(low=-noise, high=noise, size=self.model.nv)

  def observation(self):
    return np.hstack([self.get('qpos')[:, self.hidden:], self.get('qvel')])

  def before(self):
    return self.get('qpos')[:, :2].copy()

  def facts(self):
    return {'x_position': self.get('qpos')[:, 0].copy()}


class _Plane(_Gymnasium):
  """A runner that moves along x: speed is rewarded, effort costs, and it must stay healthy."""

  cost = 1e-3
  height = (-np.inf, np.inf)
  angle = (-np.inf, np.inf)
  frame_skip = 4
  noise = 5e-3

  def observation(self):
    return np.hstack([self.get('qpos')[:, 1:], np.clip(self.get('qvel'), -10, 10)])

  def healthy(self):
    z, angle = self.get('qpos')[:, 1], self.get('qpos')[:, 2]
    return ((self.height[0] < z) & (z < self.height[1]) &
            (self.angle[0] < angle) & (angle < self.angle[1]))

  def judge(self, action):
    x = self.get('qpos')[:, 0]
    velocity = (x - self._before[:, 0]) / self.dt
    healthy = self.healthy()
    cost = self.cost * _squares(action)
    infos = {'x_position': x.copy(), 'z_distance_from_origin': self.get('qpos')[:, 1] - self.init_qpos[1],
             'x_velocity': velocity, 'reward_forward': velocity, 'reward_ctrl': -cost,
             'reward_survive': healthy * 1.0}
    return velocity + healthy * 1.0 - cost, ~healthy, infos

  def facts(self):
    return {**super().facts(), 'z_distance_from_origin': self.get('qpos')[:, 1] - self.init_qpos[1]}


class Hopper(_Plane):
  """``Hopper-v5``."""

  xml = 'hopper.xml'
  height = (0.7, np.inf)
  angle = (-0.2, 0.2)

  def healthy(self):
    state = np.hstack([self.get('qpos')[:, 2:], self.get('qvel')])
    return super().healthy() & np.all((-100 < state) & (state < 100), axis=1)


class Walker2d(_Plane):
  """``Walker2d-v5``."""

  xml = 'walker2d_v5.xml'
  height = (0.8, 2.0)
  angle = (-1.0, 1.0)


class HalfCheetah(_Gymnasium):
  """``HalfCheetah-v5``."""

  xml = 'half_cheetah.xml'
  normal = True

  def judge(self, action):
    x = self.get('qpos')[:, 0]
    velocity = (x - self._before[:, 0]) / self.dt
    cost = 0.1 * _squares(action)
    infos = {'x_position': x.copy(), 'x_velocity': velocity, 'reward_forward': velocity,
             'reward_ctrl': -cost}
    return velocity - cost, np.zeros(self.num_envs, bool), infos


class Swimmer(_Gymnasium):
  """``Swimmer-v5``."""

  xml = 'swimmer.xml'
  frame_skip = 4
  hidden = 2

  def judge(self, action):
    position = self.get('qpos')[:, :2]
    velocity = (position - self._before) / self.dt
    cost = 1e-4 * _squares(action)
    infos = {**self.facts(), 'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1],
             'reward_forward': velocity[:, 0], 'reward_ctrl': -cost}
    return velocity[:, 0] - cost, np.zeros(self.num_envs, bool), infos

  def facts(self):
    qpos = self.get('qpos')
    return {'x_position': qpos[:, 0].copy(), 'y_position': qpos[:, 1].copy(),
            'distance_from_origin': _distance(qpos)}


class Ant(Swimmer):
  """``Ant-v5``."""

  xml = 'ant.xml'
  frame_skip = 5
  normal = True
  post = True

  def before(self):
    return self.get('xpos')[:, 1, :2].copy()

  def forces(self):
    return np.clip(self.get('cfrc_ext'), -1, 1)

  def observation(self):
    forces = self.forces()[:, 1:].reshape(self.num_envs, -1)
    return np.hstack([self.get('qpos')[:, 2:], self.get('qvel'), forces])

  def judge(self, action):
    velocity = (self.get('xpos')[:, 1, :2] - self._before) / self.dt
    qpos, qvel = self.get('qpos'), self.get('qvel')
    finite = np.isfinite(qpos).all(axis=1) & np.isfinite(qvel).all(axis=1)
    healthy = finite & (0.2 <= qpos[:, 2]) & (qpos[:, 2] <= 1.0)
    effort = 0.5 * _squares(action)
    contact = 5e-4 * np.sum(np.square(self.forces()).reshape(self.num_envs, -1), axis=1)
    infos = {**self.facts(), 'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1],
             'reward_forward': velocity[:, 0], 'reward_ctrl': -effort, 'reward_contact': -contact,
             'reward_survive': healthy * 1.0}
    return velocity[:, 0] + healthy * 1.0 - (effort + contact), ~healthy, infos


class Humanoid(_Gymnasium):
  """``Humanoid-v5``."""

  xml = 'humanoid.xml'
  post = True
  noise = 1e-2
  hidden = 2

  def before(self):
    return self.centre()

  def centre(self):
    mass = self.model.body_mass
    return (np.einsum('b,nbj->nj', mass, self.get('xipos')) / mass.sum())[:, :2]

  def observation(self):
    flat = lambda field: field.reshape(self.num_envs, -1)
    return np.hstack([self.get('qpos')[:, 2:], self.get('qvel'), flat(self.get('cinert')[:, 1:]),
                      flat(self.get('cvel')[:, 1:]), self.get('qfrc_actuator')[:, 6:],
                      flat(self.get('cfrc_ext')[:, 1:])])

  def impact(self, weight):
    forces = self.get('cfrc_ext').reshape(self.num_envs, -1)
    return np.clip(weight * np.sum(np.square(forces), axis=1), -np.inf, 10)

  def facts(self):
    qpos = self.get('qpos')
    return {'x_position': qpos[:, 0].copy(), 'y_position': qpos[:, 1].copy(),
            'tendon_length': self.get('ten_length').copy(),
            'tendon_velocity': self.get('ten_velocity').copy(), 'distance_from_origin': _distance(qpos)}

  def judge(self, action):
    velocity = (self.centre() - self._before) / self.dt
    z = self.get('qpos')[:, 2]
    healthy = (1.0 < z) & (z < 2.0)
    forward = 1.25 * velocity[:, 0]
    effort = 0.1 * _squares(self.get('ctrl'))
    contact = self.impact(5e-7)
    infos = {**self.facts(), 'x_velocity': velocity[:, 0], 'y_velocity': velocity[:, 1],
             'reward_survive': healthy * 5.0, 'reward_forward': forward, 'reward_ctrl': -effort,
             'reward_contact': -contact}
    return forward + healthy * 5.0 - (effort + contact), ~healthy, infos


class HumanoidStandup(Humanoid):
  """``HumanoidStandup-v5``."""

  xml = 'humanoidstandup.xml'

  def facts(self):
    qpos = self.get('qpos')
    return {'x_position': qpos[:, 0].copy(), 'y_position': qpos[:, 1].copy(),
            'z_distance_from_origin': qpos[:, 2] - self.init_qpos[2],
            'tendon_length': self.get('ten_length').copy(),
            'tendon_velocity': self.get('ten_velocity').copy()}

  def judge(self, action):
    height = self.get('qpos')[:, 2] / self.model.opt.timestep
    effort = 0.1 * _squares(self.get('ctrl'))
    impact = self.impact(0.5e-6)
    infos = {**self.facts(), 'reward_linup': height, 'reward_quadctrl': -effort,
             'reward_impact': -impact}
    return height - effort - impact + 1, np.zeros(self.num_envs, bool), infos


class Reacher(_Gymnasium):
  """``Reacher-v5``."""

  xml = 'reacher.xml'
  frame_skip = 2
  episode = 50

  def start(self, generator):
    qpos = generator.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.init_qpos
    while True:
      goal = generator.uniform(low=-0.2, high=0.2, size=2)
      if np.linalg.norm(goal) < 0.2:
        break
    qpos[-2:] = goal
    qvel = self.init_qvel + generator.uniform(low=-0.005, high=0.005, size=self.model.nv)
    qvel[-2:] = 0
    return qpos, qvel

  def gap(self):
    xpos = self.get('xpos')
    return xpos[:, self.model.body('fingertip').id] - xpos[:, self.model.body('target').id]

  def observation(self):
    qpos = self.get('qpos')
    theta = qpos[:, :2]
    return np.hstack([np.cos(theta), np.sin(theta), qpos[:, 2:], self.get('qvel')[:, :2],
                      self.gap()[:, :2]])

  def judge(self, action):
    near = -np.linalg.norm(self.gap(), axis=1)
    effort = -_squares(action)
    return near + effort, np.zeros(self.num_envs, bool), {'reward_dist': near, 'reward_ctrl': effort}

  def facts(self):
    return {}


class Pusher(_Gymnasium):
  """``Pusher-v5``."""

  xml = 'pusher_v5.xml'
  episode = 100

  def start(self, generator):
    qpos = self.init_qpos.copy()
    while True:
      place = np.concatenate([generator.uniform(low=-0.3, high=0, size=1),
                              generator.uniform(low=-0.2, high=0.2, size=1)])
      if np.linalg.norm(place) > 0.17:
        break
    qpos[-4:-2] = place
    qpos[-2:] = 0
    qvel = self.init_qvel + generator.uniform(low=-0.005, high=0.005, size=self.model.nv)
    qvel[-4:] = 0
    return qpos, qvel

  def body(self, name):
    return self.get('xpos')[:, self.model.body(name).id]

  def observation(self):
    return np.hstack([self.get('qpos')[:, :7], self.get('qvel')[:, :7], self.body('tips_arm'),
                      self.body('object'), self.body('goal')])

  def judge(self, action):
    near = -np.linalg.norm(self.body('object') - self.body('tips_arm'), axis=1) * 0.5
    far = -np.linalg.norm(self.body('object') - self.body('goal'), axis=1)
    effort = -_squares(action) * 0.1
    infos = {'reward_dist': far, 'reward_ctrl': effort, 'reward_near': near}
    return far + effort + near, np.zeros(self.num_envs, bool), infos

  def facts(self):
    return {}


class InvertedPendulum(_Gymnasium):
  """``InvertedPendulum-v5``."""

  xml = 'inverted_pendulum.xml'
  frame_skip = 2
  noise = 0.01
  hidden = 0

  def judge(self, action):
    state = self.observation()
    fallen = ~np.isfinite(state).all(axis=1) | (np.abs(state[:, 1]) > 0.2)
    return (~fallen).astype(float), fallen, {'reward_survive': (~fallen).astype(int)}

  def facts(self):
    return {}


class InvertedDoublePendulum(_Gymnasium):
  """``InvertedDoublePendulum-v5``."""

  xml = 'inverted_double_pendulum.xml'
  normal = True

  def observation(self):
    qpos = self.get('qpos')
    return np.hstack([qpos[:, :1], np.sin(qpos[:, 1:]), np.cos(qpos[:, 1:]),
                      np.clip(self.get('qvel'), -10, 10),
                      np.clip(self.get('qfrc_constraint'), -10, 10)[:, :1]])

  def judge(self, action):
    x, y = self.get('site_xpos')[:, 0, 0], self.get('site_xpos')[:, 0, 2]
    fallen = y <= 1
    first, second = self.get('qvel')[:, 1], self.get('qvel')[:, 2]
    distance = 0.01 * x ** 2 + (y - 2) ** 2
    speed = 1e-3 * first ** 2 + 5e-3 * second ** 2
    bonus = 10.0 * ~fallen
    infos = {'reward_survive': bonus, 'distance_penalty': -distance, 'velocity_penalty': -speed}
    return bonus - distance - speed, fallen, infos

  def facts(self):
    return {}


TASKS = {f'{cls.__name__}-v5': cls for cls in (
    Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedDoublePendulum, InvertedPendulum,
    Pusher, Reacher, Swimmer, Walker2d)}


def make(task: str, num_envs: int = 1, **kwargs) -> Task:
  """Makes environments of a task of Gymnasium, such as ``'Ant-v5'``.

  Raises:
    ValueError: if there is no such task.
  """
  if task not in TASKS:
    raise ValueError(f'no task {task!r}: there are {", ".join(TASKS)}')
  return TASKS[task](num_envs, **kwargs)


for _name, _class in TASKS.items():
  if f'cortenforge/{_name}' not in gymnasium.registry:
    gymnasium.register(f'cortenforge/{_name}', vector_entry_point=f'cortenforge.vector:{_class.__name__}',
                       disable_env_checker=True, order_enforce=False)


def stable_baselines(env: Task):
  """A ``VecEnv`` of Stable-Baselines3 over environments that restart in the same step."""
  # pylint: disable=import-outside-toplevel
  from stable_baselines3.common.vec_env import VecEnv

  if env.autoreset_mode != AutoresetMode.SAME_STEP:
    raise ValueError("make the environments with autoreset_mode='SameStep'")

  class Adapter(VecEnv):
    """Gymnasium's vector environments as those of Stable-Baselines3."""

    def __init__(self):
      super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
      self.actions = None

    def reset(self):
      seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
      observations, _ = env.reset(seed=seeds)
      self._reset_seeds()
      self._reset_options()
      return observations.astype(np.float32)

    def step_async(self, actions):
      self.actions = actions

    def step_wait(self):
      observations, rewards, terminated, truncated, infos = env.step(self.actions)
      each = [{'TimeLimit.truncated': bool(cut and not end)} for end, cut in zip(terminated, truncated)]
      for index in np.flatnonzero(terminated | truncated):
        each[index]['terminal_observation'] = infos['final_obs'][index].astype(np.float32)
      return observations.astype(np.float32), rewards, terminated | truncated, each

    def close(self):
      env.close()

    def get_attr(self, attr_name, indices=None):
      return [getattr(env, attr_name)] * len(self._get_indices(indices))

    def set_attr(self, attr_name, value, indices=None):
      setattr(env, attr_name, value)

    def env_method(self, method_name, *args, indices=None, **kwargs):
      return [getattr(env, method_name)(*args, **kwargs)]

    def env_is_wrapped(self, wrapper_class, indices=None):
      return [False] * len(self._get_indices(indices))

  return Adapter()

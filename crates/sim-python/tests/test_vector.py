"""Vector environments: what agents see is what they see in Gymnasium's, on this engine."""

import json
import os
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import cortenforge
from cortenforge import robots, vector

# Gymnasium's environments on this engine, in a process of their own
REFERENCE = '''
import json, sys
import numpy as np
import cortenforge
cortenforge.install_as_mujoco()
import gymnasium
task, mode, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
env = gymnasium.make_vec(task, 3, vectorization_mode='sync', vector_kwargs={'autoreset_mode': mode})
observations, infos = env.reset(seed=5)
random = np.random.default_rng(1)
low, high = env.single_action_space.low, env.single_action_space.high
rows = [[observations.tolist(), sorted(infos)]]
for _ in range(steps):
  action = random.uniform(low, high, (3, len(low))).astype(np.float32)
  observations, rewards, terminated, truncated, infos = env.step(action)
  rows.append([observations.tolist(), rewards.tolist(), terminated.tolist(), truncated.tolist(), sorted(infos),
               {key: np.asarray(value).tolist() for key, value in infos.items() if 'final' not in key}])
print(json.dumps(rows))
'''


def reference(task, mode, steps):
  done = subprocess.run([sys.executable, '-W', 'ignore', '-c', REFERENCE, task, mode, str(steps)],
                        capture_output=True, text=True, check=False)
  assert done.returncode == 0, done.stderr
  return json.loads(done.stdout)


def compared(task, mode, steps):
  env = vector.make(task, 3, autoreset_mode=mode, nthread=2)
  expected = reference(task, mode, steps)
  observations, infos = env.reset(seed=5)
  np.testing.assert_allclose(observations, expected[0][0], rtol=0, atol=1e-12)
  assert sorted(infos) == expected[0][1]
  random = np.random.default_rng(1)
  low, high = env.single_action_space.low, env.single_action_space.high
  ends = 0
  for row in expected[1:]:
    action = random.uniform(low, high, (3, len(low))).astype(np.float32)
    observations, rewards, terminated, truncated, infos = env.step(action)
    np.testing.assert_allclose(observations, row[0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(rewards, row[1], rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(terminated, row[2])
    np.testing.assert_array_equal(truncated, row[3])
    assert sorted(infos) == row[4]
    for key, value in row[5].items():
      np.testing.assert_allclose(np.asarray(infos[key], float), np.asarray(value, float), rtol=1e-6, atol=1e-9,
                                 err_msg=key)
    ends += (terminated | truncated).sum()
  return ends


@pytest.mark.parametrize('task', vector.TASKS)
def test_tasks_are_those_of_gymnasium(task):
  compared(task, 'NextStep', 60)


@pytest.mark.parametrize('mode', ['NextStep', 'SameStep'])
def test_episodes_begin_again_as_in_gymnasium(mode):
  assert compared('Hopper-v5', mode, 120) > 3
  assert compared('Reacher-v5', mode, 120) >= 6


def test_without_autoreset_the_user_resets():
  env = vector.make('InvertedPendulum-v5', 2, autoreset_mode=AutoresetMode.DISABLED)
  env.reset(seed=0)
  ended = np.zeros(2, bool)
  while not ended.any():
    _, _, terminated, truncated, _ = env.step(np.array([[3.0], [0.0]]))
    ended = terminated | truncated
  with pytest.raises(ValueError, match=r'environments \[0\] have ended'):
    env.step(np.zeros((2, 1)))
  env.reset(options={'reset_mask': ended})
  env.step(np.zeros((2, 1)))
  with pytest.raises(ValueError, match='reset_mask'):
    env.reset(options={'reset_mask': np.array([True])})


class Reach(vector.Task):
  """A task of one's own."""

  def judge(self, action):
    distance = np.abs(self.get('qpos')[:, 1])
    return -distance, distance < 0.01, {'distance': distance}


def test_tasks_of_ones_own():
  env = Reach(robots.load('cartpole').model, 4, frame_skip=2, max_episode_steps=10)
  assert env.observation_space.shape == (4, 4)
  observations, _ = env.reset(seed=0)
  assert env.observation_space.contains(observations)
  ends, seen = np.zeros(4, int), set()
  for _ in range(12):
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    ends += terminated | truncated
    seen |= set(infos)
  assert ends.all()
  assert 'distance' in seen


def test_gymnasium_makes_them():
  env = gymnasium.make_vec('cortenforge.vector:cortenforge/Swimmer-v5', num_envs=2)
  assert env.reset(seed=0)[0].shape == (2, 8)
  with pytest.raises(ValueError, match='Ant-v5'):
    vector.make('Spider-v5')


STABLE_BASELINES = '''
import numpy as np
from cortenforge import vector
env = vector.stable_baselines(vector.make('Reacher-v5', 2, autoreset_mode='SameStep'))
assert env.reset().shape == (2, 10)
for _ in range(50):
  observations, rewards, dones, infos = env.step(np.zeros((2, 2)))
assert dones.all() and infos[0]['TimeLimit.truncated']
assert infos[1]['terminal_observation'].shape == (10,)
'''


def test_stable_baselines_takes_them(stable_baselines):
  done = subprocess.run([sys.executable, '-c', STABLE_BASELINES], capture_output=True, text=True,
                        check=False, env={**os.environ, 'PYTHONPATH': stable_baselines})
  assert done.returncode == 0, done.stderr


def test_batches_restart():
  robot = robots.load('arm')
  batch = vector.Batch(robot.model, 2)
  batch.restart([1], robot.data.qpos[None], robot.data.qvel[None])
  np.testing.assert_array_equal(batch.get('qpos')[1], robot.data.qpos)
  cortenforge.mj_forward(robot.model, robot.data)
  np.testing.assert_array_equal(batch.get('xpos')[1], robot.data.xpos)
  with pytest.raises(ValueError, match='qpos has shape'):
    batch.restart([0], robot.data.qpos[:2], robot.data.qvel)
  with pytest.raises(IndexError):
    batch.restart([2], robot.data.qpos, robot.data.qvel)

"""Tutorial 2, training: a vector environment, a small trainer of our own, and Stable-Baselines3.

    python examples/tutorial_2_train.py
    python examples/tutorial_2_train.py --sb3     needs: pip install cortenforge[sb3]
"""

import argparse
import time

import numpy as np

from cortenforge import vector

TASK = 'InvertedPendulum-v5'
SAMPLES = 16


def play(weights, seed=0):
  """Total rewards of linear policies, one in each environment."""
  env = vector.make(TASK, len(weights), max_episode_steps=200)
  observations, _ = env.reset(seed=seed)
  alive, total = np.ones(len(weights), bool), np.zeros(len(weights))
  while alive.any():
    actions = np.einsum('naj,nj->na', weights, observations).clip(-3, 3).astype(np.float32)
    observations, rewards, terminated, truncated, _ = env.step(actions)
    total += rewards * alive
    alive &= ~(terminated | truncated)
  return total


def random_search(rounds=12):
  """Augmented random search (Mania, Guy, Recht 2018): steps along directions that pay."""
  random = np.random.default_rng(0)
  weights = np.zeros((1, 4))
  for turn in range(rounds):
    noise = random.standard_normal((SAMPLES, 1, 4))
    ahead, behind = np.split(play(np.concatenate([weights + noise, weights - noise]), seed=turn), 2)
    spread = np.concatenate([ahead, behind]).std() + 1e-6
    weights = weights + 0.8 * np.mean((ahead - behind)[:, None, None] * noise, axis=0) / spread
    reward = play(weights[None], seed=100)[0]
    print(f'round {turn}: reward {reward:.0f} of 200')
    if reward == 200:
      break
  return weights


def stable_baselines(steps=20_000):
  """The same task with PPO of Stable-Baselines3."""
  from stable_baselines3 import PPO  # pylint: disable=import-outside-toplevel
  env = vector.stable_baselines(vector.make(TASK, 8, autoreset_mode='SameStep'))
  agent = PPO('MlpPolicy', env, n_steps=128, batch_size=256, verbose=1, device='cpu')
  agent.learn(steps)
  return agent


def main():
  parser = argparse.ArgumentParser(description=__doc__)
  parser.add_argument('--sb3', action='store_true')
  if parser.parse_args().sb3:
    stable_baselines()
    return
  start = time.perf_counter()
  weights = random_search()
  print(f'a policy of four numbers, {weights.ravel().round(2)}, after {time.perf_counter() - start:.1f} s')
  rewards = play(np.repeat(weights[None], 8, axis=0), seed=7)
  print(f'from eight other starts: {rewards.mean():.0f} of 200 on average')


if __name__ == '__main__':
  main()

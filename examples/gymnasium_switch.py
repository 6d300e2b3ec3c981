"""Runs an environment of Gymnasium on CortenForge. The first two lines are the switch."""

import cortenforge
cortenforge.install_as_mujoco()

import gymnasium

env = gymnasium.make('HalfCheetah-v5')
observation, _ = env.reset(seed=1)
env.action_space.seed(1)
total = 0.0
for _ in range(200):
  observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
  total += reward
  if terminated or truncated:
    observation, _ = env.reset()
engine = type(env.unwrapped.model).__module__
print(f'{env.spec.id} on {engine}: {observation.size} numbers observed, return {total:.2f}')

#!/usr/bin/env python3
"""Rollouts over two local nodes of Ray: the same bits as in one process, also when a node is killed.

    make ray
"""

import functools
import os
import time

import numpy as np

# workers of Ray are nicer than others, which counts on a machine that is busy
os.environ.setdefault('RAY_worker_niceness', '0')

import ray  # noqa: E402
from ray.cluster_utils import Cluster as RayCluster

import cortenforge
from cortenforge import distributed, robots, rollout, vector

NBATCH, NSTEP = 256, 200
print = functools.partial(print, flush=True)


def scene():
  """A robot, states to start from, and controls."""
  robot = robots.load('quadruped')
  model, data = robot.model, robot.data
  spec = int(cortenforge.mjtState.mjSTATE_FULLPHYSICS)
  state = np.empty(cortenforge.mj_stateSize(model, spec))
  cortenforge.mj_getState(model, data, state, spec)
  random = np.random.default_rng(0)
  states = np.tile(state, (NBATCH, 1))
  states[:, 8:8 + 12] += 0.1 * random.standard_normal((NBATCH, 12))
  controls = data.ctrl + 0.3 * random.standard_normal((NBATCH, NSTEP, model.nu))
  return model, data, states, controls


def main():
  model, data, states, controls = scene()
  start = time.perf_counter()
  expected = rollout.rollout(model, data, states, controls)
  alone = time.perf_counter() - start

  cluster = RayCluster(initialize_head=True, head_node_args={'num_cpus': 1})
  second = cluster.add_node(num_cpus=1)
  ray.init(address=cluster.address, logging_level='error', log_to_driver=False)
  try:
    with distributed.Cluster(model, workers=2) as workers:
      nodes = {node for node, _ in workers.nodes()}
      print(f'two workers on {len(nodes)} nodes')
      assert len(nodes) == 2, 'the workers should be spread over both nodes'

      for size in (8, 32, 128):
        start = time.perf_counter()
        found = workers.rollout(states, controls, chunk_size=size)
        wall = time.perf_counter() - start
        assert all(np.array_equal(a, b) for a, b in zip(found, expected)), 'bits differ'
        assert all(status.ok for status in workers.status) and len(workers.status) == NBATCH
        chunks = -(-NBATCH // size)
        print(f'{NBATCH} x {NSTEP} steps in chunks of {size}: {wall:.2f} s, in one process {alone:.2f} s, '
              f'same bits; {1e3 * (wall - alone / 2) / chunks:+.1f} ms per chunk over half of that')

      # what a chunk costs by itself: nothing to simulate, then much to send
      for nstep, what in ((1, 'small'), (NSTEP, 'large')):
        part = controls[:8, :nstep]
        workers.rollout(states[:8], part, chunk_size=1)
        start = time.perf_counter()
        for _ in range(20):
          workers.rollout(states[:8], part, chunk_size=8)
        print(f'a chunk of 8 x {nstep} steps ({what}): {1e3 * (time.perf_counter() - start) / 20:.1f} ms')

      # errors come back by environment
      bad = states.copy()
      bad[5, 3] = np.nan
      workers.rollout(bad[:16], controls[:16])
      assert [i for i, status in enumerate(workers.status) if not status.ok] == [5]
      print('one environment that diverges: told by its status, the others are done')

      # cancelling
      try:
        workers.rollout(states, controls, chunk_size=2, cancel=lambda: True)
        raise AssertionError('it should have been cancelled')
      except distributed.Cancelled as error:
        print(f'cancelled: {error}')

      # a node is lost in mid-run; those that were cancelled have come back on both
      assert len({node for node, _ in workers.nodes()}) == 2
      seen = []

      def progress(done, of):
        seen.append((done, of))
        if len(seen) == 3:
          cluster.remove_node(second, allow_graceful=False)
          print(f'node killed after {done} of {of} environments')

      found = workers.rollout(states, controls, chunk_size=4, progress=progress)
      assert all(np.array_equal(a, b) for a, b in zip(found, expected)), 'bits differ'
      assert seen[-1] == (NBATCH, NBATCH)
      print(f'{workers.lost} worker lost, nothing else: same bits')
      assert workers.lost >= 1
  finally:
    ray.shutdown()
    cluster.shutdown()

  # the vector environment over workers
  ray.init(num_cpus=2, logging_level='error')
  one = vector.make('Hopper-v5', 6)
  many = distributed.VectorEnv('Hopper-v5', 6, workers=2)
  assert np.array_equal(one.reset(seed=3)[0], many.reset(seed=3)[0])
  one.action_space.seed(0)
  for _ in range(60):
    action = one.action_space.sample()
    for ours, theirs in zip(one.step(action)[:4], many.step(action)[:4]):
      assert np.array_equal(ours, theirs)
  many.close()
  ray.shutdown()
  print('vector environment over two workers: same bits')


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Quick starts of libraries that use MuJoCo, unmodified, on both engines.

    clients.py [mink gymnasium_robotics metaworld robosuite myosuite] [--steps N]

Every environment is made, reset and stepped with the same random actions; what agents see is compared
in the end, beside MuJoCo compared with itself when every step begins with positions that differ by
1e-15. A cylinder that stands on a table has one contact, anywhere on its rim by the last digits: what
rounding decides differs as much there. Each library and engine has a process of its own. Libraries that
are not installed are left out.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import traceback

import numpy as np

ARM = '''<mujoco><worldbody><body name="a"><joint name="j1" axis="0 0 1" range="-2 2"/>
<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/><body pos="0.4 0 0"><joint name="j2" axis="0 1 0" range="-2 2"/>
<geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/><body pos="0.4 0 0"><joint name="j3" axis="0 1 0" range="-2 2"/>
<geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.03"/><site name="tip" pos="0.2 0 0"/></body></body></body>
</worldbody></mujoco>'''


def numbers(observation):
  """All numbers of an observation in a fixed order."""
  if isinstance(observation, dict):
    return [x for key in sorted(observation) for x in numbers(observation[key])]
  if isinstance(observation, (list, tuple)):
    return [x for part in observation for x in numbers(part)]
  return np.asarray(observation, float).ravel().tolist()


def rolled(environment, steps):
  """What an agent sees after random actions."""
  environment.action_space.seed(1)
  observation = environment.reset(seed=1)[0]
  for _ in range(steps):
    observation = environment.step(environment.action_space.sample())[0]
  environment.close()
  return numbers(observation)


def mink(steps):
  """Inverse kinematics of an arm with three joints."""
  import mink as library
  import mujoco
  model = mujoco.MjModel.from_xml_string(ARM)
  configuration = library.Configuration(model)
  task = library.FrameTask('tip', 'site', position_cost=1.0, orientation_cost=0.0)
  posture = library.PostureTask(model, cost=1e-3)
  posture.set_target_from_configuration(configuration)
  task.set_target(library.SE3.from_translation(np.array([0.5, 0.3, 0.2])))
  limits = [library.ConfigurationLimit(model), library.VelocityLimit(model, {f'j{i}': 2.0 for i in (1, 2, 3)})]
  for _ in range(max(steps, 100)):
    velocity = library.solve_ik(configuration, [task, posture], 0.01, 'daqp', 1e-6, limits=limits)
    configuration.integrate_inplace(velocity, 0.01)
  yield 'arm', lambda: numbers([configuration.q, task.compute_error(configuration)])


def gymnasium_robotics(steps):
  import gymnasium
  import gymnasium_robotics as library
  gymnasium.register_envs(library)
  for name, spec in sorted(gymnasium.envs.registry.items()):
    if 'gymnasium_robotics' in str(spec.entry_point) and 'mujoco_py' not in str(spec.entry_point).lower():
      yield name, lambda name=name: rolled(gymnasium.make(name), steps)


def metaworld(steps):
  import metaworld as library
  for name in library.ALL_V3_ENVIRONMENTS:
    def run(name=name):
      random.seed(1)
      np.random.seed(1)
      benchmark = library.MT1(name, seed=1)
      environment = benchmark.train_classes[name]()
      environment.set_task(benchmark.train_tasks[0])
      return rolled(environment, steps)
    yield name, run


def robosuite(steps):
  import robosuite as library
  for name in ('Lift', 'Stack', 'Door', 'NutAssembly', 'PickPlace', 'Wipe', 'ToolHang', 'TwoArmLift'):
    def run(name=name):
      np.random.seed(1)
      robots = ['Panda', 'Panda'] if name.startswith('TwoArm') else 'Panda'
      environment = library.make(name, robots=robots, has_renderer=False, has_offscreen_renderer=False,
                                 use_camera_obs=False, seed=1)
      environment.reset()
      low, high = environment.action_spec
      rng = np.random.RandomState(1)
      for _ in range(steps):
        observation = environment.step(rng.uniform(low, high))[0]
      return numbers(observation)
    yield name, run


def myosuite(steps):
  from myosuite.utils import gym
  import myosuite as library
  del library
  for name in ('myoElbowPose1D6MRandom-v0', 'myoFingerReachFixed-v0', 'myoHandPoseFixed-v0', 'myoLegWalk-v0'):
    yield name, lambda name=name: rolled(gym.make(name), steps)


CLIENTS = {f.__name__: f for f in (mink, gymnasium_robotics, metaworld, robosuite, myosuite)}


def nudge():
  """Makes every step of MuJoCo begin with positions that differ in their last digits."""
  import mujoco
  step, rng = mujoco.mj_step, np.random.RandomState(7)

  def nudged(m, d, nstep=1):
    for _ in range(nstep):
      d.qpos += rng.uniform(-1e-15, 1e-15, d.qpos.shape)
      step(m, d)

  mujoco.mj_step = nudged


def largest_difference(ours, theirs):
  """The largest relative difference of what is seen."""
  largest = 0.0
  for name, seen in theirs.items():
    other = ours.get(name, {})
    if 'seen' in seen and 'seen' in other and len(seen['seen']) == len(other['seen']) > 0:
      a, b = np.array(other['seen']), np.array(seen['seen'])
      largest = max(largest, float(np.max(np.abs(a - b) / (1 + np.abs(b)))))
  return largest


def run(client, engine, steps, output):
  """Runs a library on an engine and stores what is seen."""
  if engine == 'cortenforge':
    import cortenforge
    cortenforge.install_as_mujoco()
  elif engine == 'nudged':
    nudge()
  results = {}

  def failed(error):
    place = traceback.extract_tb(error.__traceback__)[-1]
    line = (str(error).strip().splitlines() or [''])[0]
    return {'error': f'{type(error).__name__}: {line} ({pathlib.Path(place.filename).name}:{place.lineno})'}

  try:
    for name, act in CLIENTS[client](steps):
      try:
        results[name] = {'seen': act()}
      except Exception as error:  # pylint: disable=broad-exception-caught
        results[name] = failed(error)
  except Exception as error:  # pylint: disable=broad-exception-caught
    results['(start)'] = failed(error)
  pathlib.Path(output).write_text(json.dumps(results))


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('clients', nargs='*', default=list(CLIENTS))
  parser.add_argument('--steps', type=int, default=20)
  parser.add_argument('--engine', help=argparse.SUPPRESS)
  parser.add_argument('--output', help=argparse.SUPPRESS)
  options = parser.parse_args()
  if options.engine:
    return run(options.clients[0], options.engine, options.steps, options.output)
  for client in options.clients:
    found = {}
    for engine in ('mujoco', 'cortenforge', 'nudged'):
      with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder, 'seen.json')
        subprocess.run([sys.executable, '-W', 'ignore', __file__, client, '--engine', engine, '--output', str(output),
                        '--steps', str(options.steps)], check=False, capture_output=True)
        found[engine] = json.loads(output.read_text()) if output.exists() else {'(start)': {'error': 'the process ended'}}
    both, reasons = 0, {}
    for name, theirs in found['mujoco'].items():
      ours = found['cortenforge'].get(name, {'error': 'is not there'})
      if 'error' in theirs:
        reasons.setdefault(f'on MuJoCo: {theirs["error"][:110]}', []).append(name)
      elif 'error' in ours:
        reasons.setdefault(ours['error'][:140], []).append(name)
      else:
        both += 1
    count = sum('error' not in x for x in found['mujoco'].values())
    largest, nudged = (largest_difference(found[x], found['mujoco']) for x in ('cortenforge', 'nudged'))
    print(f'{client}: {both} of {count} run, observations differ by at most {largest:.1e}; those of MuJoCo '
          f'with positions nudged by 1e-15 by {nudged:.1e}', flush=True)
    for reason, names in reasons.items():
      print(f'    {len(names)} × {reason} ({names[0]})', flush=True)


if __name__ == '__main__':
  main()

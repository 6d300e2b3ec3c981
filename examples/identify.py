"""Finds dry friction, armature and damping of a robot from a log of its motion.

  identify.py [--engine mujoco|cortenforge|both] [--iterations N] [--plot FILE]

A figure that hangs from its chest has motors at its 21 joints. A log is recorded with random torques
and noise on the measurements; Gauss-Newton then finds the 63 parameters that explain it. Finite
differences simulate the whole log once per parameter; exact derivatives are carried along one
simulation.
"""

import argparse
import importlib
import pathlib
import re
import time

import numpy as np

MODEL = pathlib.Path(__file__).parents[1] / 'models' / 'figure.xml'
FIELDS = ('dof_frictionloss', 'dof_armature', 'dof_damping')
STEPS, PIECE, NOISE = 600, 60, 1e-4
STRENGTH = {'hip': 12, 'knee': 10, 'ankle': 2, 'waist': 15, 'shoulder': 4, 'elbow': 2}
LABELS = {'mujoco': 'finite differences, with MuJoCo', 'cortenforge': 'exact derivatives of CortenForge'}


def hanging(text):
  """The figure without its free joint, with a motor at every hinge."""
  motors = ''
  for name in re.findall('<joint name="([^"]*)"', text):
    strength = next(gear for part, gear in STRENGTH.items() if part in name)
    motors += f'<motor joint="{name}" gear="{strength}"/>'
  text = re.sub('<keyframe>.*</keyframe>', '', text, flags=re.DOTALL)
  text = text.replace('<freejoint name="root"/>', '').replace('<joint type="hinge"', '<joint type="hinge" frictionloss="0.1"')
  return text.replace('</worldbody>', f'</worldbody><actuator>{motors}</actuator>')


class Robot:
  """The model in an engine, with parameters that can be set."""

  def __init__(self, engine):
    self.engine = engine
    self.model = engine.MjModel.from_xml_string(hanging(MODEL.read_text()))
    self.model.jnt_stiffness[:] = 0
    self.data = engine.MjData(self.model)
    self.n = 2 * self.model.nv

  def set(self, parameters):
    for field, values in zip(FIELDS, np.split(parameters, len(FIELDS))):
      getattr(self.model, field)[:] = values

  def get(self):
    return np.concatenate([getattr(self.model, field) for field in FIELDS])

  def start(self, state):
    self.engine.mj_resetData(self.model, self.data)
    self.data.qpos[:], self.data.qvel[:] = np.split(state, 2)

  def simulate(self, state, controls):
    """States after every step."""
    self.start(state)
    states = np.zeros((len(controls), self.n))
    for t, control in enumerate(controls):
      self.data.ctrl[:] = control
      self.engine.mj_step(self.model, self.data)
      states[t] = np.concatenate([self.data.qpos, self.data.qvel])
    return states

  def with_differences(self, state, controls, parameters):
    """States, and their derivatives by the parameters, from one more simulation for each."""
    self.set(parameters)
    states = self.simulate(state, controls)
    slopes = np.zeros((*states.shape, len(parameters)))
    for number, value in enumerate(parameters):
      eps = 1e-5 * max(abs(value), 1e-2)
      moved = parameters.copy()
      moved[number] += eps
      self.set(moved)
      slopes[:, :, number] = (self.simulate(state, controls) - states) / eps
    return states, slopes

  def with_exact(self, state, controls, parameters):
    """The same from one simulation: derivatives are carried along."""
    from cortenforge import derivatives
    self.set(parameters)
    result = derivatives.Transition(self.model, FIELDS)
    self.start(state)
    states = np.zeros((len(controls), self.n))
    slopes = np.zeros((*states.shape, len(parameters)))
    slope = np.zeros((self.n, len(parameters)))
    for t, control in enumerate(controls):
      self.data.ctrl[:] = control
      derivatives.transition(self.model, self.data, out=result)
      slope = result.A @ slope + result.P
      self.engine.mj_step(self.model, self.data)
      states[t], slopes[t] = np.concatenate([self.data.qpos, self.data.qvel]), slope
    return states, slopes


def record():
  """The log: torques and noisy states of a robot whose parameters nobody knows, and these."""
  import mujoco
  robot, random = Robot(mujoco), np.random.default_rng(4)
  count = robot.model.nv
  truth = np.concatenate([random.uniform(0.05, 0.4, count), random.uniform(0.005, 0.03, count),
                          random.uniform(0.1, 1.5, count)])
  robot.set(truth)
  phases, rates = random.uniform(0, 6, (3, count)), random.uniform(3, 25, (3, count))
  times = robot.model.opt.timestep * np.arange(STEPS)[:, None]
  controls = sum(np.sin(rate * times + phase) for rate, phase in zip(rates, phases)) / 2
  states = np.vstack([np.zeros(robot.n), robot.simulate(np.zeros(robot.n), controls)])
  return controls, states + random.normal(0, NOISE, states.shape) * np.repeat([1, 10], count), truth


def identify(name, iterations, log):
  """Gauss-Newton in one engine; returns times, costs and the parameters."""
  robot = Robot(importlib.import_module(name))
  controls, measured, truth = log
  guess = np.repeat([0.15, 0.015, 0.6], robot.model.nv)
  weights = np.repeat([1.0, 0.1], robot.model.nv)  # velocities are noisier
  method = robot.with_exact if name == 'cortenforge' else robot.with_differences
  history, start, spent = [], time.perf_counter(), 0.0
  for _ in range(iterations + 1):
    hessian, slope, cost = np.zeros((len(guess),) * 2), np.zeros(len(guess)), 0.0
    # pieces that start at measured states keep errors small
    for first in range(0, STEPS, PIECE):
      begin = time.perf_counter()
      states, by = method(measured[first], controls[first:first + PIECE], guess)
      spent += time.perf_counter() - begin
      residual = ((states - measured[first + 1:first + PIECE + 1]) * weights).ravel()
      # relative changes of parameters
      jacobian = (by * weights[:, None] * guess).reshape(len(residual), -1)
      hessian += jacobian.T @ jacobian
      slope += jacobian.T @ residual
      cost += residual @ residual / 2
    history.append((time.perf_counter() - start, cost / NOISE**2 / residual.size))
    change = -np.linalg.solve(hessian + 1e-6 * np.diag(hessian.diagonal()), slope)
    guess = guess * np.exp(np.clip(change, -0.7, 0.7))
  error = np.abs(guess / truth - 1)
  print(f'{name}: cost {history[0][1]:.1f} -> {history[-1][1]:.2f} in {history[-1][0]:.1f} s, of which '
        f'derivatives {spent:.1f} s; parameters off by {100 * np.median(error):.1f} % in the median')
  return np.array(history)


def plot(histories, path):
  """Draws cost over time, if matplotlib is there."""
  try:
    import matplotlib
  except ImportError:
    print('no plot: matplotlib is not installed')
    return
  matplotlib.use('Agg')
  from matplotlib import pyplot
  figure, axes = pyplot.subplots(figsize=(6, 3.5), layout='constrained')
  for name, history in histories.items():
    axes.plot(history[:, 0], history[:, 1], marker='.', label=LABELS[name])
  axes.set(xlabel='seconds', ylabel='cost per piece of the log', yscale='log',
           title='63 parameters of a robot from a log, by Gauss-Newton')
  axes.legend()
  figure.savefig(path, dpi=120)


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--engine', choices=['mujoco', 'cortenforge', 'both'], default='cortenforge')
  parser.add_argument('--iterations', type=int, default=8)
  parser.add_argument('--plot')
  args = parser.parse_args()
  names = ['mujoco', 'cortenforge'] if args.engine == 'both' else [args.engine]
  log = record()
  histories = {name: identify(name, args.iterations, log) for name in names}
  if args.plot:
    plot(histories, args.plot)


if __name__ == '__main__':
  main()

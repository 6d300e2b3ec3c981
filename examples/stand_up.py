"""A figure gets up from a crouch: trajectory optimisation (iLQR) through contact.

  stand_up.py [--engine mujoco|cortenforge|both] [--iterations N] [--plot FILE]

The same optimisation runs on finite differences of MuJoCo and on the exact derivatives of CortenForge,
and prints the cost over time. The figure is `models/figure.xml` with its contacts switched on and
a motor at every joint.
"""

import argparse
import importlib
import pathlib
import re
import time

import numpy as np

MODEL = pathlib.Path(__file__).parents[1] / 'models' / 'figure.xml'
STEPS, TIMESTEP = 100, 0.005
# torques that full controls make, by the names of joints
STRENGTH = {'hip pitch': 120, 'hip': 60, 'knee': 120, 'ankle': 40, 'waist': 80, 'shoulder': 25, 'elbow': 15}
# joints of the crouch, in radians
CROUCH = {'hip pitch': -1.35, 'knee': -2.1, 'ankle pitch': -0.75, 'waist pitch': -0.35}


def with_motors(text):
  """The figure with a motor at every hinge."""
  motors = ''
  for name in re.findall('<joint name="([^"]*)"', text):
    strength = next(gear for part, gear in STRENGTH.items() if part in name)
    motors += f'<motor joint="{name}" gear="{strength}" ctrllimited="true" ctrlrange="-1 1"/>'
  return text.replace('</worldbody>', f'</worldbody><actuator>{motors}</actuator>')


class Task:
  """The model in an engine, the crouch that it starts from and the stance that it should reach."""

  def __init__(self, engine):
    self.engine = engine
    self.model = engine.MjModel.from_xml_string(with_motors(MODEL.read_text()))
    self.model.opt.timestep = TIMESTEP
    self.model.opt.disableflags = 0  # contacts and limits
    self.model.jnt_stiffness[:] = 0
    self.data = engine.MjData(self.model)
    self.n = 2 * self.model.nv
    self.stance = self.on_floor({})
    self.start = self.on_floor(CROUCH)
    # orientation and height of the body count most, then joints, then velocities
    weights = np.concatenate([[4, 4, 60], [20, 20, 4], np.full(self.model.nv - 6, 0.3),
                              np.full(3, 0.6), np.full(self.model.nv - 3, 0.02)])
    self.running, self.final = np.diag(weights) / STEPS, 3 * np.diag(weights)
    self.effort = 0.05 * np.eye(self.model.nu) / STEPS

  def on_floor(self, joints):
    """The pose with the given joints, its lowest point just on the floor."""
    model, data, engine = self.model, self.data, self.engine
    engine.mj_resetData(model, data)
    for number in range(model.njnt):
      name = model.joint(number).name
      for part, angle in joints.items():
        if name.endswith(part):
          data.qpos[model.jnt_qposadr[number]] = angle
    engine.mj_kinematics(model, data)
    feet = [geom for geom in range(model.ngeom)
            if 'foot' in model.body(int(model.geom_bodyid[geom])).name]
    ends = [data.geom_xpos[geom, 2] - abs(data.geom_xmat[geom, 8]) * model.geom_size[geom, 1]
            - model.geom_size[geom, 0] for geom in feet]
    data.qpos[2] -= min(ends) + 0.001
    return data.qpos.copy()

  def error(self, qpos, qvel):
    """How far a state is from standing still, in tangent space."""
    tangent = np.zeros(self.model.nv)
    self.engine.mj_differentiatePos(self.model, tangent, 1, self.stance, qpos)
    return np.concatenate([tangent, qvel])

  def play(self, controls, gains=None, feedforward=None, reference=None, step=0.0):
    """Runs controls, corrected around a reference; returns states, errors, controls and cost."""
    model, data, engine = self.model, self.data, self.engine
    engine.mj_resetData(model, data)
    data.qpos[:] = self.start
    controls, states, errors, cost = controls.copy(), [], [], 0.0
    for t in range(STEPS + 1):
      states.append((data.qpos.copy(), data.qvel.copy(), data.qacc_warmstart.copy()))
      errors.append(self.error(data.qpos, data.qvel))
      cost += errors[-1] @ (self.final if t == STEPS else self.running) @ errors[-1] / 2
      if t == STEPS or not np.isfinite(cost):
        break
      if gains is not None:
        tangent = np.zeros(model.nv)
        engine.mj_differentiatePos(model, tangent, 1, reference[t][0], data.qpos)
        change = np.concatenate([tangent, data.qvel - reference[t][1]])
        controls[t] = np.clip(controls[t] + step * feedforward[t] + gains[t] @ change, -1, 1)
      cost += controls[t] @ self.effort @ controls[t] / 2
      data.ctrl[:] = controls[t]
      engine.mj_step(model, data)
    return states, errors, controls, cost if np.isfinite(cost) else np.inf

  def linearise(self, states, controls):
    """A and B of every step."""
    model, data, engine = self.model, self.data, self.engine
    A, B = np.zeros((STEPS, self.n, self.n)), np.zeros((STEPS, self.n, model.nu))
    exact = getattr(importlib.import_module(f'{engine.__name__}'), 'derivatives', None)
    result = exact.Transition(model) if exact else None
    for t in range(STEPS):
      data.qpos[:], data.qvel[:], data.qacc_warmstart[:] = states[t]
      data.ctrl[:] = controls[t]
      if exact:
        exact.transition(model, data, out=result)
        A[t], B[t] = result.A, result.B
      else:
        engine.mjd_transitionFD(model, data, 1e-6, 0, A[t], B[t], None, None)
    return A, B

  def backward(self, A, B, errors, controls, damping):
    """Gains and changes of controls that minimise the quadratic model of the cost."""
    nu = self.model.nu
    gains, feedforward = np.zeros((STEPS, nu, self.n)), np.zeros((STEPS, nu))
    slope, curve = self.final @ errors[-1], self.final
    for t in reversed(range(STEPS)):
      by_x = self.running @ errors[t] + A[t].T @ slope
      by_u = self.effort @ controls[t] + B[t].T @ slope
      by_xx = self.running + A[t].T @ curve @ A[t]
      by_ux, by_uu = B[t].T @ curve @ A[t], self.effort + B[t].T @ curve @ B[t] + damping * np.eye(nu)
      # controls at their limit stay there
      free = ~(((controls[t] >= 1) & (by_u < 0)) | ((controls[t] <= -1) & (by_u > 0)))
      if free.any():
        solved = -np.linalg.solve(by_uu[np.ix_(free, free)], np.column_stack([by_u[free], by_ux[free]]))
        feedforward[t, free], gains[t, free] = solved[:, 0], solved[:, 1:]
      slope = by_x + gains[t].T @ (by_uu @ feedforward[t] + by_u) + by_ux.T @ feedforward[t]
      curve = by_xx + gains[t].T @ by_uu @ gains[t] + gains[t].T @ by_ux + by_ux.T @ gains[t]
      curve = (curve + curve.T) / 2
    return gains, feedforward


def optimise(name, iterations):
  """Optimises in one engine; returns times and costs, and the last state."""
  engine = importlib.import_module(name)
  if name == 'cortenforge':
    importlib.import_module('cortenforge.derivatives')
  task = Task(engine)
  controls, damping = np.zeros((STEPS, task.model.nu)), 1e-2
  states, errors, controls, cost = task.play(controls)
  history, spent, start = [(0.0, cost)], 0.0, time.perf_counter()
  for _ in range(iterations):
    begin = time.perf_counter()
    A, B = task.linearise(states, controls)
    spent += time.perf_counter() - begin
    gains, feedforward = task.backward(A, B, errors, controls, damping)
    for step in (1.0, 0.6, 0.3, 0.1, 0.03):
      trial = task.play(controls, gains, feedforward, states, step)
      if trial[3] < cost:
        states, errors, controls, cost = trial
        damping = max(1e-4, damping / 2)
        break
    else:
      damping *= 5
    history.append((time.perf_counter() - start, cost))
  height = states[-1][0][2]
  print(f'{name}: cost {history[0][1]:.2f} -> {cost:.2f} in {history[-1][0]:.1f} s, of which derivatives '
        f'{spent:.1f} s; the chest ends at {height:.2f} m, standing it is at {task.stance[2]:.2f} m')
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
  axes.set(xlabel='seconds', ylabel='cost', xscale='symlog', yscale='log', title='A figure gets up, by iLQR')
  axes.legend()
  figure.savefig(path, dpi=120)


LABELS = {'mujoco': 'finite differences of MuJoCo', 'cortenforge': 'exact derivatives of CortenForge'}


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--engine', choices=['mujoco', 'cortenforge', 'both'], default='cortenforge')
  parser.add_argument('--iterations', type=int, default=20)
  parser.add_argument('--plot')
  args = parser.parse_args()
  names = ['mujoco', 'cortenforge'] if args.engine == 'both' else [args.engine]
  histories = {name: optimise(name, args.iterations) for name in names}
  if args.plot:
    plot(histories, args.plot)


if __name__ == '__main__':
  main()

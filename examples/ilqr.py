"""Swings a pole up by iLQR: once with finite differences, once with exact derivatives."""

import time

import numpy as np

import cortenforge as mujoco
from cortenforge import derivatives

MODEL = """
<mujoco model="cart and pole">
  <option timestep="0.02"/>
  <worldbody>
    <body>
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.1 0.05 0.05" mass="1"/>
      <body>
        <joint name="hinge" axis="0 1 0" damping="0.01"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.6" size="0.03" mass="0.3"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="10"/></actuator>
</mujoco>
"""
STEPS, ITERATIONS = 120, 60
FULL = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
goal = np.array([0, np.pi, 0, 0])
running, final = np.diag([0.05, 0.05, 0.005, 0.005]), np.diag([50, 200, 5, 5])
effort = np.array([[0.02]])


def play(controls, reference=None, gains=None, step=0.0, feedforward=None):
  """Runs the controls, corrected by gains around a reference; returns states, controls and cost."""
  mujoco.mj_resetData(model, data)
  states, full, cost = [], [], 0.0
  controls = controls.copy()
  for t in range(STEPS + 1):
    x = np.concatenate([data.qpos, data.qvel])
    states.append(x)
    full.append(np.zeros(mujoco.mj_stateSize(model, FULL)))
    mujoco.mj_getState(model, data, full[-1], FULL)
    error = x - goal
    cost += error @ (final if t == STEPS else running) @ error / 2
    if t == STEPS:
      break
    if gains is not None:
      controls[t] += step * feedforward[t] + gains[t] @ (x - reference[t])
    cost += controls[t] @ effort @ controls[t] / 2
    data.ctrl[:] = controls[t]
    mujoco.mj_step(model, data)
  return np.array(states), np.array(full), controls, cost


def by_differences(full, controls):
  """A and B of every step by finite differences."""
  n = 2 * model.nv
  A, B = np.zeros((STEPS, n, n)), np.zeros((STEPS, n, model.nu))
  for t in range(STEPS):
    mujoco.mj_setState(model, data, full[t], FULL)
    data.ctrl[:] = controls[t]
    mujoco.mjd_transitionFD(model, data, 1e-6, 1, A[t], B[t], None, None)
  return A, B


def exact(full, controls):
  """The exact ones, over threads."""
  return derivatives.rollout(model, full[:STEPS], controls)


def solve(linearise):
  """Improves controls until the budget is used up; returns the cost and the time for derivatives."""
  controls = 0.1 * np.ones((STEPS, model.nu))
  states, full, controls, cost = play(controls)
  spent = 0.0
  for _ in range(ITERATIONS):
    start = time.perf_counter()
    A, B = linearise(full, controls)
    spent += time.perf_counter() - start
    # backward pass: the value is a quadratic around the trajectory
    gains, feedforward = np.zeros((STEPS, model.nu, 2 * model.nv)), np.zeros((STEPS, model.nu))
    slope, curve = final @ (states[-1] - goal), final
    for t in reversed(range(STEPS)):
      by_x = running @ (states[t] - goal) + A[t].T @ slope
      by_u = effort @ controls[t] + B[t].T @ slope
      by_ux, by_uu = B[t].T @ curve @ A[t], effort + B[t].T @ curve @ B[t] + 1e-4
      gains[t], feedforward[t] = -np.linalg.solve(by_uu, by_ux), -np.linalg.solve(by_uu, by_u)
      slope = by_x + gains[t].T @ by_u
      curve = running + A[t].T @ curve @ A[t] + by_ux.T @ gains[t]
    # forward pass: the longest step that helps
    for step in (1.0, 0.5, 0.25, 0.1, 0.03):
      trial = play(controls, states, gains, step, feedforward)
      if trial[3] < cost:
        states, full, controls, cost = trial
        break
  return cost, spent, states[-1]


for name, linearise in (('finite differences', by_differences), ('exact', exact)):
  cost, spent, end = solve(linearise)
  print(f'{name}: cost {cost:.3f}, derivatives took {1e3 * spent:.0f} ms, '
        f'pole off by {abs(end[1] - np.pi):.3f} rad')

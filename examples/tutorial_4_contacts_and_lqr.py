"""Tutorial 4, contact forces and LQR: who carries a robot, and how to balance one.

    python examples/tutorial_4_contacts_and_lqr.py
"""

import numpy as np

import cortenforge as mujoco
from cortenforge import robots

# --- Contact forces ----------------------------------------------------------------------------------
# A robot dog stands still: its feet carry its weight.
dog = robots.load('quadruped')
model, data = dog.model, dog.data
mujoco.mj_step(model, data, nstep=4000)
total = np.zeros(3)
for i, contact in enumerate(data.contact):
  wrench = np.zeros(6)
  mujoco.mj_contactForce(model, data, i, wrench)
  force = contact.frame.reshape(3, 3).T @ wrench[:3]  # from the frame of the contact to the world
  foot = model.geom(contact.geom2).name or model.geom(contact.geom1).name
  print(f'{foot:<8} carries {force[2]:5.1f} N')
  total += force
weight = model.body('trunk').subtreemass[0] * 9.81
print(f'together {total[2]:.1f} N; the dog weighs {weight:.1f} N')

# --- LQR ---------------------------------------------------------------------------------------------
# The step is linearised about the upright pole, and the Riccati equation gives the best linear feedback.
cart = robots.load('cartpole')
model, data = cart.model, cart.data
mujoco.mj_resetData(model, data)
A, B = np.zeros((2 * model.nv, 2 * model.nv)), np.zeros((2 * model.nv, model.nu))
mujoco.mj_forward(model, data)
mujoco.mjd_transitionFD(model, data, 1e-6, True, A, B, None, None)
Q, R = np.diag([2, 10, 0.2, 0.2]), np.array([[0.02]])
P = Q.copy()
for _ in range(3000):
  K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
  P = Q + A.T @ P @ (A - B @ K)
print('gains', K.ravel().round(2))

data.qpos[:] = 0.2, 0.25  # off to the side, and leaning by 14 degrees
while data.time < 6:
  state = np.concatenate([data.qpos, data.qvel])
  data.ctrl[:] = -K @ state
  mujoco.mj_step(model, data)
print(f'after {data.time:.0f} s: cart at {data.qpos[0]:+.4f} m, pole off by {np.degrees(data.qpos[1]):+.4f} degrees')

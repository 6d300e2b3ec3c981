"""Tutorial 1, the basics: a model, a simulation, numbers by name, a picture, a trajectory.

    python examples/tutorial_1_basics.py
"""

import numpy as np

import cortenforge as mujoco
from cortenforge import robots

# --- A model -----------------------------------------------------------------------------------------
# A model is what stays the same, data are what changes. This one comes with the package; your own is
# mujoco.MjModel.from_xml_path('robot.xml'), MJCF or URDF.
robot = robots.load('arm')
model, data = robot.model, robot.data
print(f'{robot.about}: {model.nq} positions, {model.nv} velocities, {model.nu} controls')

# --- Names -------------------------------------------------------------------------------------------
# Everything has a name, and arrays are views: writing changes the simulation.
print('joints:', [model.joint(i).name for i in range(model.njnt)])
data.ctrl[model.actuator('yaw').id] = 0.5
mujoco.mj_step(model, data, nstep=500)
print(f"after {data.time:.1f} s the base has turned to {data.joint('yaw').qpos[0]:+.2f} rad, "
      f"the gripper is at {data.site('grip').xpos.round(2)}")

# --- Keyframes and controllers -----------------------------------------------------------------------
# Back to the start, and this time the robot's own controller is in charge.
mujoco.mj_resetDataKeyframe(model, data, model.key('home').id)
heights, times = [], []
while data.time < robot.duration:
  robot.control()
  mujoco.mj_step(model, data)
  times.append(data.time)
  heights.append(data.body('cube').xpos[2])
print(f'{robot.task}: {robot.outcome().text}; the cube was {max(heights):.2f} m high')

# --- A picture ---------------------------------------------------------------------------------------
# Drawn on the CPU: no window, no graphics driver.
with mujoco.Renderer(model, 120, 160) as renderer:
  renderer.update_scene(data, camera='side')
  picture = renderer.render()
print(f'picture: {picture.shape}, mean colour {picture.mean(axis=(0, 1)).round()}')

# --- Many at once ------------------------------------------------------------------------------------
# Thirty-two copies with different controls, over two threads, with the same bits on any number.
from cortenforge import rollout  # noqa: E402

state = np.empty(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
mujoco.mj_getState(model, data, state, mujoco.mjtState.mjSTATE_FULLPHYSICS)
controls = data.ctrl + 0.1 * np.random.default_rng(0).standard_normal((32, 100, model.nu))
states, sensors = rollout.rollout(model, [mujoco.MjData(model) for _ in range(2)], state[None], controls)
print(f'rollouts: states {states.shape}, sensor values {sensors.shape}')

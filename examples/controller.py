"""Balances a pole on a cart: a controller between steps, and the same one as a callback."""

import numpy as np

import cortenforge as mujoco

MODEL = """
<mujoco model="cart and pole">
  <option timestep="0.005" integrator="implicitfast"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.02" mass="0.2"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="slide" ctrllimited="true" ctrlrange="-50 50"/>
  </actuator>
</mujoco>
"""

# push after the pole, and gently back to the middle
GAINS = np.array([2, 40, 4, 8])


def control(_, data):
  """Sets the push from the state of cart and pole."""
  data.ctrl[0] = GAINS @ np.concatenate([data.qpos, data.qvel])


model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
data.joint('hinge').qpos = 0.2
while data.time < 5:
  control(model, data)
  mujoco.mj_step(model, data)
print(f'after {data.time:.0f} s: cart at {data.qpos[0]:+.4f} m, pole off by {data.qpos[1]:+.4f} rad')

# as a callback it is called in the middle of a step, where positions and velocities are computed
again = mujoco.MjData(model)
again.joint('hinge').qpos = 0.2
mujoco.set_mjcb_control(control)
mujoco.mj_step(model, again, nstep=1000)
mujoco.set_mjcb_control(None)
print(f'as a callback:  cart at {again.qpos[0]:+.4f} m, pole off by {again.qpos[1]:+.4f} rad')

"""Loads a model, steps it, and reads the results by name."""

import cortenforge as mujoco

MODEL = """
<mujoco model="swing">
  <worldbody>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="swing" pos="0 0 2">
      <joint name="pivot" axis="0 1 0" damping="0.05"/>
      <geom name="rope" type="capsule" fromto="0 0 0 1 0 0" size="0.02"/>
      <geom name="seat" type="box" pos="1 0 0" size="0.05 0.2 0.1" mass="3"/>
      <site name="seat" pos="1 0 0"/>
    </body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
print(f'{model.nbody} bodies, {model.nv} dof, {mujoco.mj_getTotalmass(model):.1f} kg')

while data.time < 2:
  mujoco.mj_step(model, data)
  if round(data.time / model.opt.timestep) % 250 == 0:
    # arrays are views: what is read here is what the engine computes with
    angle, height = data.joint('pivot').qpos[0], data.site('seat').xpos[2]
    print(f'{data.time:.1f} s: angle {angle:+.3f} rad, seat {height:.3f} m above the floor')

"""Drops a box on a slope and reads its contacts: where, which geoms, and with what force."""

import numpy as np

import cortenforge as mujoco

MODEL = """
<mujoco model="slope">
  <worldbody>
    <geom name="slope" type="plane" size="5 5 0.1" euler="0 20 0"/>
    <body name="box" pos="0 0 0.3" euler="0 20 0">
      <freejoint/>
      <geom name="box" type="box" size="0.1 0.15 0.05" mass="2"/>
    </body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=1000)
mujoco.mj_forward(model, data)

total = np.zeros(3)
for number, contact in enumerate(data.contact):
  names = ' and '.join(model.geom(geom).name for geom in contact.geom)
  force = np.zeros(6)
  mujoco.mj_contactForce(model, data, number, force)
  # the first row of the frame is the normal; the force is given along its rows
  world = contact.frame.reshape(3, 3).T @ force[:3]
  total += world
  print(f'{names} at {np.round(contact.pos, 3)}: normal {force[0]:.2f} N, '
        f'friction {np.hypot(*force[1:3]):.2f} N')
print(f'together {np.round(total, 2)} N, against a weight of {2 * 9.81:.2f} N')

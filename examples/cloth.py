"""Drops a cloth on a ball: vertices are bodies, edges keep their length, contacts are contacts."""

import numpy as np

import cortenforge as mujoco

MODEL = """
<mujoco model="cloth on a ball">
  <option timestep="0.002" solver="CG" tolerance="1e-6"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <geom name="ball" size="0.15" pos="0 0 0.2"/>
    <flexcomp name="cloth" type="grid" count="15 15 1" spacing="0.04 0.04 0.04" pos="0 0 0.4"
              radius="0.005" mass="0.2">
      <edge equality="true" solref="0.006 1" damping="0.001"/>
      <contact solref="0.01 1" selfcollide="none"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
print(f'{model.nflexvert} vertices, {model.nflexedge} edges, {model.nflexelem} triangles, {model.nv} dofs')

for second in range(1, 3):
  mujoco.mj_step(model, data, nstep=round(1 / model.opt.timestep))
  strain = data.flexedge_length / model.flexedge_length0 - 1
  with_ball = sum(model.geom('ball').id in contact.geom for contact in data.contact)
  height = data.flexvert_xpos[:, 2]
  print(f'{second} s: {with_ball} contacts with the ball, lowest vertex at {height.min():.3f} m, '
        f'highest at {height.max():.3f} m, edges longer by {100 * strain.max():.1f} % at most')

# what carries the cloth: forces of contacts, in the world
mujoco.mj_forward(model, data)
force, total = np.zeros(6), np.zeros(3)
for number, contact in enumerate(data.contact):
  mujoco.mj_contactForce(model, data, number, force)
  total += contact.frame.reshape(3, 3).T @ force[:3]
print(f'held up by {total[2]:.2f} N, weight {0.2 * 9.81:.2f} N')

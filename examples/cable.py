"""Hangs a cable between two posts and compares its sag with that of a catenary."""

import numpy as np

import cortenforge as mujoco

LENGTH, SPAN, POINTS = 1.0, 0.8, 31

MODEL = """
<mujoco model="cable">
  <option timestep="0.0005"/>
  <default>
    <joint damping="0.02"/>
  </default>
  <worldbody>
    <flexcomp name="cable" type="direct" dim="1" mass="0.5" radius="0.005" point="{points}"
              element="{elements}">
      <pin id="0 {last}"/>
      <edge equality="true" solref="0.001 1" damping="0.05"/>
      <contact contype="0" conaffinity="0" selfcollide="none"/>
    </flexcomp>
  </worldbody>
</mujoco>
"""


def catenary_sag():
  """How far a chain of that length hangs down: a cosh(span / 2a) - a, where 2a sinh(span / 2a) is
  the length."""
  low, high = 0.05, 50.0
  for _ in range(100):
    a = (low + high) / 2
    low, high = (a, high) if 2 * a * np.sinh(SPAN / (2 * a)) > LENGTH else (low, a)
  return a * np.cosh(SPAN / (2 * a)) - a


# it starts as a triangle that is as long as the cable
x = np.linspace(-SPAN / 2, SPAN / 2, POINTS)
depth = np.sqrt((LENGTH / 2) ** 2 - (SPAN / 2) ** 2)
z = 1 - depth * (1 - np.abs(x) / (SPAN / 2))
points = ' '.join(f'{x} 0 {z}' for x, z in zip(x, z))
elements = ' '.join(f'{i} {i + 1}' for i in range(POINTS - 1))

model = mujoco.MjModel.from_xml_string(MODEL.format(points=points, elements=elements, last=POINTS - 1))
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=10000)

sag = 1 - data.flexvert_xpos[:, 2].min()
print(f'the cable sags by {sag:.4f} m, a catenary by {catenary_sag():.4f} m')

# the rows of the edges are constraints like any other: the largest force is at the posts
mujoco.mj_forward(model, data)
tension = np.abs(data.efc_force[:data.ne])
print(f'tension from {tension.min():.2f} N in the middle to {tension.max():.2f} N at the posts')

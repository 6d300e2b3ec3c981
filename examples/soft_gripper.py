"""Grasps a soft block with two fingers and lifts it: an elastic solid on the nodes of a lattice."""

import numpy as np

import cortenforge as mujoco

MODEL = """
<mujoco model="soft block in a gripper">
  <option timestep="0.002" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 0.1"/>
    <body name="hand" pos="0 0 0.23">
      <joint name="lift" type="slide" axis="0 0 1" damping="10"/>
      <geom type="box" size="0.12 0.04 0.02" mass="0.5"/>
      <body name="left">
        <joint name="left" type="slide" axis="1 0 0" damping="5"/>
        <geom type="box" size="0.01 0.04 0.1" pos="-0.1 0 -0.12" mass="0.1" friction="1.5"/>
      </body>
      <body name="right">
        <joint name="right" type="slide" axis="-1 0 0" damping="5"/>
        <geom type="box" size="0.01 0.04 0.1" pos="0.1 0 -0.12" mass="0.1" friction="1.5"/>
      </body>
    </body>
    <flexcomp name="block" type="grid" dim="3" count="5 5 5" spacing="0.025 0.025 0.025" pos="0 0 0.06"
              radius="0.004" mass="0.2" dof="trilinear">
      <elasticity young="3e3" poisson="0.3" damping="0.01"/>
      <contact selfcollide="none" friction="1.5" solref="0.01 1"/>
    </flexcomp>
  </worldbody>
  <equality>
    <joint joint1="left" joint2="right"/>
  </equality>
  <actuator>
    <position name="lift" joint="lift" kp="2000" kv="200"/>
    <position name="grasp" joint="left" kp="500" kv="20" ctrlrange="0 0.06"/>
  </actuator>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
print(f'{model.nflexvert} vertices follow {model.nflexnode} nodes: {model.nv} dofs with the gripper')


def run(seconds, lift, grasp):
  data.ctrl[:] = lift, grasp
  mujoco.mj_step(model, data, nstep=round(seconds / model.opt.timestep))


def report(what):
  x = data.flexvert_xpos
  print(f'{what}: block {100 * np.ptp(x[:, 0]):.1f} cm wide, centre at {x[:, 2].mean():.2f} m, '
        f'{data.ncon} contacts')


run(0.5, 0, 0)
report('at rest')
run(1.0, 0, 0.06)
report('grasped')
run(1.5, 0.2, 0.06)
report('lifted ')

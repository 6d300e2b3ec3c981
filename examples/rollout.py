"""Rolls out many controls from many states over threads, and picks the best."""

import numpy as np

import cortenforge as mujoco
from cortenforge import rollout

MODEL = """
<mujoco model="reach">
  <option timestep="0.01"/>
  <default>
    <joint axis="0 0 1" damping="0.3"/>
    <geom type="capsule" size="0.03"/>
  </default>
  <worldbody>
    <site name="goal" pos="0.3 0.5 0"/>
    <body>
      <joint name="shoulder"/>
      <geom fromto="0 0 0 0.4 0 0"/>
      <body pos="0.4 0 0">
        <joint name="elbow"/>
        <geom fromto="0 0 0 0.4 0 0"/>
        <site name="tip" pos="0.4 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder"/>
    <motor joint="elbow"/>
  </actuator>
  <sensor>
    <framepos name="to goal" objtype="site" objname="goal" reftype="site" refname="tip"/>
  </sensor>
</mujoco>
"""
CANDIDATES, STEPS, THREADS = 256, 100, 2

model = mujoco.MjModel.from_xml_string(MODEL)
data = [mujoco.MjData(model) for _ in range(THREADS)]  # one per thread

spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
start = np.empty(mujoco.mj_stateSize(model, spec))
mujoco.mj_getState(model, data[0], start, spec)

# smooth controls: each candidate blends two random torques over time
rng = np.random.default_rng(0)
first, last = rng.normal(scale=0.5, size=(2, CANDIDATES, 1, model.nu))
control = first + (last - first) * np.linspace(0, 1, STEPS)[None, :, None]

state, sensors = rollout.rollout(model, data, np.tile(start, (CANDIDATES, 1)), control)
distance = np.linalg.norm(sensors[:, -1], axis=-1)
best = int(np.argmin(distance))
print(f'{CANDIDATES} rollouts of {STEPS} steps on {THREADS} threads: states {state.shape}')
print(f'the best one ends {distance[best]:.3f} m from the goal, the median {np.median(distance):.3f} m')

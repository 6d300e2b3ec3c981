"""Records a video of a policy: a pole is balanced on a cart while someone pushes it."""

import pathlib
import sys
import tempfile

import numpy as np

import cortenforge as mujoco

MODEL = """
<mujoco model="cart and pole">
  <option timestep="0.005" integrator="implicitfast"/>
  <asset>
    <texture name="grid" type="2d" builtin="checker" width="64" height="64" rgb1=".25 .3 .36" rgb2=".2 .25 .3"/>
    <texture type="skybox" builtin="gradient" width="64" height="384" rgb1=".5 .65 .8" rgb2=".1 .15 .25"/>
    <material name="grid" texture="grid" texrepeat="2 2" texuniform="true" reflectance=".2"/>
  </asset>
  <visual><rgba haze=".3 .4 .5 1"/></visual>
  <worldbody>
    <light pos="0 -1 3" dir="0 .3 -1" directional="true"/>
    <camera name="side" pos="0 -2.4 1" xyaxes="1 0 0 0 .25 1"/>
    <geom type="plane" size="0 0 .1" pos="0 0 -.12" material="grid"/>
    <geom type="capsule" fromto="-2 0 0 2 0 0" size=".02" rgba=".5 .5 .5 1" contype="0" conaffinity="0"/>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" damping="0.1"/>
      <geom type="box" size="0.2 0.1 0.05" mass="1" rgba=".2 .4 .7 1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.03" mass="0.2" rgba=".9 .5 .2 1"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="push" joint="slide" ctrllimited="true" ctrlrange="-50 50"/>
  </actuator>
</mujoco>
"""
FPS = 30


def policy(observation):
  """Pushes after the pole, and gently back to the middle."""
  return np.array([2, 40, 4, 8]) @ observation


def frames(model, data, seconds):
  """Simulates, and draws each picture when its time has come."""
  with mujoco.Renderer(model, 240, 320) as renderer:
    for number in range(int(seconds * FPS)):
      while data.time < number / FPS:
        # a push against the pole, every second
        data.xfrc_applied[2, 0] = 4 if data.time % 1 < 0.05 else 0
        data.ctrl[0] = policy(np.concatenate([data.qpos, data.qvel]))
        mujoco.mj_step(model, data)
      renderer.update_scene(data, camera='side')
      yield renderer.render()


path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()) / 'policy.mp4'
model = mujoco.MjModel.from_xml_string(MODEL)
data = mujoco.MjData(model)
mujoco.media.write_video(path, frames(model, data, seconds=3), fps=FPS)
print(f'{path.name}: {path.stat().st_size // 1000} kB, pole off by {data.qpos[1]:+.2f} rad at the end')

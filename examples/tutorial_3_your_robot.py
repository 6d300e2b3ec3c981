"""Tutorial 3, your robot: from a description to a simulation that stands, with mistakes on the way.

    python examples/tutorial_3_your_robot.py
"""

import cortenforge as mujoco

# A robot as many have it: URDF, without motors, floor or colours.
URDF = """
<robot name="stand">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision>
  </link>
  <link name="mast">
    <inertial><origin xyz="0 0 0.2"/><mass value="0.5"/>
      <inertia ixx="0.005" iyy="0.005" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.25"/><geometry><cylinder radius="0.02" length="0.4"/></geometry></collision>
  </link>
  <joint name="tilt" type="revolute">
    <parent link="base"/><child link="mast"/><origin xyz="0 0 0.05"/><axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="20" velocity="10"/>
  </joint>
</robot>
"""

# --- 1. It loads, or says why not --------------------------------------------------------------------
try:
  mujoco.MjSpec.from_string(URDF.replace('<axis xyz', '<axis xzy'))
except ValueError as error:
  print('a typing error:', str(error).splitlines()[0])

spec = mujoco.MjSpec.from_string(URDF)

# --- 2. What the description lacks is added ----------------------------------------------------------
floor = spec.worldbody.add_geom()
floor.name, floor.type, floor.size = 'floor', mujoco.mjtGeom.mjGEOM_PLANE, [2, 2, 0.1]
spec.worldbody.add_light(pos=[0, 0, 3])
motor = spec.add_actuator()
motor.name, motor.target, motor.trntype = 'tilt', 'tilt', mujoco.mjtTrn.mjTRN_JOINT
motor.gainprm[0], motor.biasprm[1], motor.biasprm[2] = 40, -40, -2  # a servo: kp 40, kv 2
motor.biastype = mujoco.mjtBias.mjBIAS_AFFINE
spec.joint('tilt').damping = 0.2
model = spec.compile()
data = mujoco.MjData(model)
print(f'{model.nbody - 1} bodies, {model.nv} degrees of freedom, {mujoco.mj_getTotalmass(model):.1f} kg')

# --- 3. It follows its motor -------------------------------------------------------------------------
data.ctrl[0] = 0.6
while data.time < 2:
  mujoco.mj_step(model, data)
print(f"asked for 0.60 rad, the mast is at {data.joint('tilt').qpos[0]:.2f} rad")

# --- 4. It is kept as MJCF, and compared -------------------------------------------------------------
text = spec.to_xml()
again = mujoco.MjModel.from_xml_string(text)
print(f'written as {len(text.splitlines())} lines of MJCF, and read: {again.nv} degrees of freedom')
print('next: cortenforge view stand.xml, cortenforge compare stand.xml')

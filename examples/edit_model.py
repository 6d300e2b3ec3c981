"""A model made and edited in Python: a walker that carries as many legs as asked for.

  python examples/edit_model.py [legs]
"""

import math
import sys

import cortenforge as mujoco


def make_leg(length: float, rgba: tuple[float, float, float, float]) -> mujoco.MjSpec:
  """A model of its own: a leg with two joints and a motor for each."""
  spec = mujoco.MjSpec()
  spec.modelname = 'leg'
  spec.compiler.degree = False

  # what all parts of the leg share
  main = spec.default
  main.joint.type = mujoco.mjtJoint.mjJNT_HINGE
  main.joint.damping = 2.0
  main.geom.type = mujoco.mjtGeom.mjGEOM_CAPSULE
  main.geom.rgba = rgba

  thigh = spec.worldbody.add_body(name='thigh')
  thigh.add_joint(name='hip', axis=[0, 0, 1], range=[-1, 1])
  thigh.add_geom(name='thigh', fromto=[0, 0, 0, length, 0, 0], size=[0.04, 0, 0])

  shin = thigh.add_body(name='shin', pos=[length, 0, 0])
  shin.add_joint(name='knee', axis=[0, 1, 0], range=[-0.5, 1.5])
  shin.add_geom(name='shin', fromto=[0, 0, 0, 0, 0, -length], size=[0.03, 0, 0])
  shin.add_site(name='foot', pos=[0, 0, -length])

  for joint in ('hip', 'knee'):
    motor = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.gainprm[0] = 40.0
    motor.biastype = mujoco.mjtBias.mjBIAS_AFFINE
    motor.biasprm[1] = -40.0
  spec.add_sensor(name='foot', type=mujoco.mjtSensor.mjSENS_ACCELEROMETER,
                  objtype=mujoco.mjtObj.mjOBJ_SITE, objname='foot')
  return spec


def make_walker(legs: int) -> mujoco.MjSpec:
  """A torso with legs around it."""
  spec = mujoco.MjSpec()
  spec.modelname = 'walker'
  spec.option.timestep = 0.004
  spec.worldbody.add_geom(name='floor', type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
  spec.worldbody.add_light(name='sun', pos=[0, 0, 4], dir=[0, 0, -1])

  torso = spec.worldbody.add_body(name='torso', pos=[0, 0, 0.6])
  torso.add_freejoint(name='root')
  torso.add_geom(name='torso', type=mujoco.mjtGeom.mjGEOM_ELLIPSOID, size=[0.2, 0.2, 0.08])

  for i in range(legs):
    angle = 2 * math.pi * i / legs
    where = torso.add_site(name=f'mount{i}', pos=[0.2 * math.cos(angle), 0.2 * math.sin(angle), 0],
                           quat=[math.cos(angle / 2), 0, 0, math.sin(angle / 2)])
    leg = make_leg(0.3, (0.2, 0.4 + 0.5 * i / legs, 0.8, 1.0))
    thigh = leg.body('thigh')
    assert thigh is not None
    where.attach_body(thigh, f'leg{i}_', '')
  return spec


def describe(spec: mujoco.MjSpec) -> str:
  """The bodies of a model with the number of geoms that each has."""
  lines: list[str] = []
  for body in spec.bodies:
    lines.append(f'{body.name}: {len(body.geoms)} geoms')
  return '\n'.join(lines)


def settle(model: mujoco.MjModel, seconds: float) -> float:
  """Steps for a while; returns the height of the torso."""
  data = mujoco.MjData(model)
  data.ctrl[1::2] = 0.6
  while data.time < seconds:
    mujoco.mj_step(model, data)
  return float(data.body('torso').xpos[2])


def main() -> None:
  legs = int(sys.argv[1]) if len(sys.argv) > 1 else 6
  spec = make_walker(legs)
  model = spec.compile()
  print(describe(spec))
  print(f'{model.nbody} bodies, {model.nu} motors, {model.nsensor} sensors')
  print(f'the torso rests at {settle(model, 2.0):.2f} m')

  # a model that was compiled can be changed and compiled again
  torso = spec.body('torso')
  assert torso is not None
  torso.pos[2] = 1.0
  last = spec.body(f'leg{legs - 1}_thigh')
  if last is not None:
    spec.delete(last)
  lighter = spec.compile()
  print(f'without the last leg: {lighter.nbody} bodies, {lighter.nu} motors')
  again = mujoco.MjSpec.from_string(spec.to_xml()).compile()
  print(f'written and read: {again.nbody} bodies')


if __name__ == '__main__':
  main()

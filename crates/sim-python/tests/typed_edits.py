"""A typed program that builds, edits, attaches and compiles models: type checkers read it, and it runs."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

import cortenforge as mj


def leg(length: float, servo: bool) -> mj.MjSpec:
    """A leg with a hinge, and a motor or a position servo."""
    spec = mj.MjSpec()
    spec.modelname = "leg"
    spec.compiler.degree = 0
    spec.compiler.eulerseq = "xyz"
    thigh: mj.MjsBody = spec.worldbody.add_body(name="thigh", pos=[0, 0, -0.05])
    thigh.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -length], size=[0.02, 0, 0])
    hip: mj.MjsJoint = thigh.add_joint(name="hip", axis=[0, 1, 0], range=[-0.5, 0.5])
    hip.damping = 0.1
    hip.armature += 0.01
    thigh.add_site(name="foot", pos=[0, 0, -length], size=[0.01, 0.01, 0.01])
    drive: mj.MjsActuator = spec.add_actuator(name="drive", target=hip.name)
    drive.trntype = mj.mjtTrn.mjTRN_JOINT
    if servo:
        drive.set_to_position(kp=20.0, kv=1.0)
    else:
        drive.set_to_motor()
    drive.gear[0] = 2.0
    sensor: mj.MjsSensor = spec.add_sensor(name="angle", objname=hip.name)
    sensor.type = mj.mjtSensor.mjSENS_JOINTPOS
    sensor.objtype = mj.mjtObj.mjOBJ_JOINT
    assert sensor.get_data_size() == 1
    return spec


def robot(legs: int) -> mj.MjSpec:
    """A torso with legs around it."""
    spec = mj.MjSpec()
    spec.option.timestep = 0.002
    spec.option.gravity = [0, 0, -9.81]
    spec.stat.extent = 2.0
    spec.visual.map.znear = 0.01
    red: mj.MjsDefault | None = spec.add_default("red", spec.default)
    assert red is not None
    red.geom.rgba = [1, 0, 0, 1]
    red.geom.friction[0] = 0.8
    spec.add_material(name="paint", rgba=[0, 0, 1, 1], specular=0.3)
    floor: mj.MjsGeom = spec.worldbody.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    floor.condim = 4
    spec.worldbody.add_light(pos=[0, 0, 3], castshadow=True)
    torso = spec.worldbody.add_body(name="torso", pos=[0, 0, 0.6], euler=[0, 0, 30])
    torso.add_freejoint(name="root")
    hull: mj.MjsGeom = torso.add_geom(red, type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=[0.2, 0.2, 0.05])
    hull.material = "paint"
    assert hull.classname.name == "red" and hull.parent is torso
    for i in range(legs):
        angle = 2 * np.pi * i / legs
        frame: mj.MjsFrame = torso.add_frame(name=f"mount{i}", pos=[0.2 * np.cos(angle), 0.2 * np.sin(angle), 0])
        attached: mj.MjsFrame = spec.attach(leg(0.3, i % 2 == 0), prefix=f"leg{i}/", frame=frame)
        assert attached.parent is torso
    belt: mj.MjsTendon = spec.add_tendon(name="belt", stiffness=5.0)
    wraps: list[mj.MjsWrap] = [belt.wrap_site(f"leg{i}/foot") for i in range(legs)]
    assert len(belt.path) == len(wraps) and wraps[0].target is spec.site("leg0/foot")
    spec.add_key(name="home", qpos=[0, 0, 0.6, 1, 0, 0, 0] + legs * [0.1])
    spec.add_numeric(name="gains", data=[1.0, 2.0])
    spec.add_text(name="note", data="four legs")
    return spec


def run(spec: mj.MjSpec) -> NDArray[np.float64]:
    """Compiles and steps a model, edits it, and goes on from there."""
    model: mj.MjModel = spec.compile()
    data = mj.MjData(model)
    mj.mj_resetDataKeyframe(model, data, 0)
    mj.mj_step(model, data, nstep=10)
    torso: mj.MjsBody | None = spec.body("torso")
    assert torso is not None
    names: list[str] = [body.name for body in torso.find_all("body")]
    joints: list[mj.MjsJoint] = spec.joints
    assert len(names) == len(joints) - 1 == len(spec.actuators)
    tail: mj.MjsBody = torso.add_body(name="tail", pos=[-0.3, 0, 0])
    tail.add_geom(size=[0.05, 0, 0], mass=0.1)
    tail.add_joint(name="wag")
    changed, state = spec.recompile(model, data)
    assert changed.nq == model.nq + 1 and state.time == data.time
    first: mj.MjsJoint | None = tail.first_joint()
    assert first is not None and first.id == changed.joint("wag").id
    spec.delete(tail)
    copy: mj.MjSpec = spec.copy()
    again = mj.MjSpec.from_string(copy.to_xml())
    assert again.compile().nbody == spec.compile().nbody
    archive = io.BytesIO()
    spec.to_zip(archive)
    total: float = float(model.body_mass.sum())
    assert model.bind(torso).mass[0] < total and data.bind(torso).xpos[2] > 0
    return data.qpos.copy()


if __name__ == "__main__":
    print(run(robot(legs=4)))

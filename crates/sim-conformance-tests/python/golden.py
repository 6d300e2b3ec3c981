#!/usr/bin/env python3
"""Regenerates the golden data from MuJoCo 3.5.0: one file per model of a directory.

A file holds everything the reference says about a model: every size and array of the compiled
model, its options, statistics and visual settings; and at several states of a rollout the inputs,
every field of the data after `mj_forward`, and those that `mj_step` changes.

Format: zlib over a sequence of records, all little-endian:

    u16 length of the name | name (utf-8) | u8 type | u32 number of scalars | scalars

with the types 0 f64, 1 f32, 2 i32, 3 i64, 4 u8. Names are paths:

    size/nq  opt/timestep  stat/extent  vis/global/fovy  model/body_mass
    key/K/qpos                     the data after a reset to keyframe K
    sample/N/in/qpos               the state of sample N
    sample/N/forward/xpos          every field after mj_forward
    sample/N/forward/moment        the moments of actuators, as a dense matrix
    sample/N/forward/contact/dist  a field of all contacts
    sample/N/forward/solver/neval  what the solver noted about all iterations of all islands
    sample/N/step/qpos             fields that differ after mj_step from the same state

Fields that mean nothing at a sample, which fields.py knows, are left out, and so are those that
change when the state changes in the last bit; they are printed.
"""

import argparse
import pathlib
import struct
import sys
import zlib

import mujoco
import numpy as np
from mujoco.introspect import structs

import conform
from cortenforge.conformance import fields

VERSION = '3.5.0'
VIS = ('global', 'quality', 'headlight', 'map', 'scale', 'rgba')

# components of the integration state: what a step depends on
STATE = ('time', 'qpos', 'qvel', 'act', 'history', 'qacc_warmstart', 'ctrl', 'qfrc_applied',
         'xfrc_applied', 'eq_active', 'mocap_pos', 'mocap_quat', 'userdata', 'plugin_state')

# steps of the rollout at which a sample is taken
SAMPLES = (0, 3, 20, 100)
# how often the reference is compared with itself at each
TRIALS = 5


class Writer:
  """Collects named arrays."""

  def __init__(self):
    self.parts = []

  def add(self, name, value):
    value = np.ascontiguousarray(value)
    if value.dtype == object:
      raise TypeError(f'{name}: {value!r} is not numeric')
    kind = value.dtype.kind
    if kind == 'f':
      code, value = (0, value.astype('<f8')) if value.dtype.itemsize == 8 else (
          1, value.astype('<f4'))
    elif kind == 'b' or value.dtype.itemsize == 1:
      code, value = 4, value.view('u1') if kind != 'b' else value.astype('u1')
    elif value.dtype.itemsize == 8:
      code, value = 3, value.astype('<i8')
    else:
      code, value = 2, value.astype('<i4')
    text = name.encode()
    self.parts.append(struct.pack('<H', len(text)) + text + struct.pack('<BI', code, value.size))
    self.parts.append(value.tobytes())

  def save(self, path):
    path.write_bytes(zlib.compress(b''.join(self.parts), 9))


def record(value, real):
  """Values of one of the small structs, whose numbers are 32-bit integers and of type `real`."""
  for name in dir(value):
    if not name.startswith('_') and not callable(getattr(value, name)):
      number = np.array(getattr(value, name))
      if not number.size:
        continue  # the package does not show these settings
      yield name, number.astype('i4' if number.dtype.kind in 'iub' else real)


def add_model(out, model):
  for field in structs.STRUCTS['mjModel'].fields:
    name = field.name
    if name in ('buffer', 'signature'):
      continue
    if name in ('opt', 'stat'):
      for key, value in record(getattr(model, name), 'f8'):
        out.add(f'{name}/{key}', value)
    elif name == 'vis':
      for group in VIS:
        settings = getattr(model.vis, 'global_' if group == 'global' else group)
        for key, value in record(settings, 'f4'):
          out.add(f'vis/{group}/{key}', value)
    else:
      value = getattr(model, name)
      if isinstance(value, int):
        out.add(f'size/{name}', np.int64(value))
      elif isinstance(value, bytes):
        out.add(f'model/{name}', np.frombuffer(value, 'u1'))
      else:
        out.add(f'model/{name}', value)


def data_fields(model, data):
  """Every field of the data that another engine can be compared with."""
  yield from fields.data_fields(model, data)
  yield 'warning', np.array([w.number for w in data.warning], 'i4')
  yield 'moment', fields.moment(model, data)
  for name, value in fields.contact_fields(model, data):
    yield f'contact/{name}', value
  for name, value in fields.statistics(model, data, data).items():
    yield f'solver/{name}', value


def excite(model, data, rng):
  """Moves away from the reference state: positions, velocities, activations, mocap poses."""
  for joint in range(model.njnt):
    adr = model.jnt_qposadr[joint]
    match model.jnt_type[joint]:
      case mujoco.mjtJoint.mjJNT_FREE:
        data.qpos[adr:adr + 3] += rng.normal(scale=0.1, size=3)
        data.qpos[adr + 3:adr + 7] += rng.normal(scale=0.5, size=4)
      case mujoco.mjtJoint.mjJNT_BALL:
        data.qpos[adr:adr + 4] += rng.normal(scale=0.5, size=4)
      case mujoco.mjtJoint.mjJNT_SLIDE:
        data.qpos[adr] += rng.normal(scale=0.05)
      case mujoco.mjtJoint.mjJNT_HINGE:
        data.qpos[adr] += rng.normal(scale=0.5)
  data.qvel[:] = rng.normal(size=model.nv)
  data.mocap_pos[:] += rng.normal(scale=0.1, size=data.mocap_pos.shape)
  data.mocap_quat[:] += rng.normal(scale=0.3, size=data.mocap_quat.shape)
  data.userdata[:] = rng.normal(size=model.nuserdata)
  data.act[:] = rng.normal(scale=0.2, size=model.na)


def controls(model, time):
  """Controls of a rollout: each swings over its range and a little beyond, at its own rate."""
  limited = model.actuator_ctrllimited.astype(bool)
  low = np.where(limited, model.actuator_ctrlrange[:, 0], -1.0)
  high = np.where(limited, model.actuator_ctrlrange[:, 1], 1.0)
  number = np.arange(model.nu)
  swing = np.sin((20 + 7 * number) * time + 1 + 2 * number)
  return (low + high) / 2 + 0.6 * (high - low) * swing


def state_of(data):
  return {name: np.array(getattr(data, name)) for name in STATE}


def set_state(model, data, state):
  mujoco.mj_resetData(model, data)
  for name, value in state.items():
    if name == 'time':
      data.time = float(value)
    else:
      getattr(data, name)[:] = value


def decided_by_rounding(model, state):
  """Fields that change with the last bits of a state by more than they may differ."""
  rng = np.random.default_rng(0)
  verdict = conform.Verdict('forward')
  theirs, other = mujoco.MjData(model), mujoco.MjData(model)
  for stage in ('forward', 'step'):
    conform.run_stage(stage, mujoco, model, theirs, state, None)
    for _ in range(TRIALS):
      conform.run_stage(stage, mujoco, model, other, conform.shaken(mujoco, model, state, rng), None)
      conform.compare_data(verdict, mujoco, (model, model), other, theirs)
  return {name.replace('.', '/') for name in verdict.failed}


def add_sample(out, number, model, state):
  for name, value in state.items():
    out.add(f'sample/{number}/in/{name}', value)

  data = mujoco.MjData(model)
  set_state(model, data, state)
  unstable = decided_by_rounding(model, data)
  if unstable:
    print(f'  sample {number}: rounding decides {", ".join(sorted(unstable))}')
  mujoco.mj_forward(model, data)
  after_forward = {name: value for name, value in data_fields(model, data) if name not in unstable}
  for name, value in after_forward.items():
    out.add(f'sample/{number}/forward/{name}', value)

  data = mujoco.MjData(model)
  set_state(model, data, state)
  mujoco.mj_step(model, data)
  after_step = {name: value for name, value in data_fields(model, data) if name not in unstable}
  if after_step.keys() != after_forward.keys():
    sys.exit(f'sample {number} has other fields after a step')
  for name, value in after_step.items():
    if value.tobytes() != after_forward[name].tobytes():
      out.add(f'sample/{number}/step/{name}', value)
  if any(w.number for w in data.warning):
    sys.exit(f'sample {number} has warnings')


def generate(path):
  model = mujoco.MjModel.from_xml_path(str(path))
  out = Writer()
  add_model(out, model)
  model.vis.global_.bvactive = 0  # of no use without a window

  data = mujoco.MjData(model)
  for key in range(model.nkey):
    mujoco.mj_resetDataKeyframe(model, data, key)
    for name, value in data_fields(model, data):
      if name != 'tendon_efcadr':  # unused memory before the first rows
        out.add(f'key/{key}/{name}', value)

  # the reference state
  mujoco.mj_resetData(model, data)
  add_sample(out, 0, model, state_of(data))

  # states of a rollout; from the middle on, forces and torques are applied
  rng = np.random.default_rng(zlib.crc32(path.stem.encode()))
  excite(model, data, rng)
  for number, step in enumerate(SAMPLES, 1):
    while round(data.time / model.opt.timestep) < step:
      data.ctrl[:] = controls(model, data.time)
      mujoco.mj_step(model, data)
    if number == 3:
      data.qfrc_applied[:] = rng.normal(scale=0.1, size=model.nv)
      data.xfrc_applied[:] = rng.normal(scale=0.1, size=(model.nbody, 6))
    data.ctrl[:] = controls(model, data.time)
    add_sample(out, number, model, state_of(data))
  return out


def main():
  root = pathlib.Path(__file__).resolve().parents[3]
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--models', type=pathlib.Path, default=root / 'models')
  parser.add_argument('--out', type=pathlib.Path,
                      default=root / 'crates/sim-conformance-tests/golden')
  args = parser.parse_args()
  if mujoco.__version__ != VERSION:
    sys.exit(f'golden data come from MuJoCo {VERSION}, this is {mujoco.__version__}')

  args.out.mkdir(parents=True, exist_ok=True)
  for old in args.out.glob('*.bin'):
    old.unlink()
  total = 0
  for path in sorted(args.models.glob('*.xml')):
    target = args.out / f'{path.stem}.bin'
    generate(path).save(target)
    total += target.stat().st_size
    print(f'{path.stem:<28} {target.stat().st_size:>9}')
  print(f'{"total":<28} {total:>9}')


if __name__ == '__main__':
  main()

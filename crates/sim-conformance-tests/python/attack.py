#!/usr/bin/env python3
"""Attacks the Python package with inputs that nobody should give it, and counts what happens.

    attack.py [--count 300] [--seed 1] [--jobs 2] [--family xml mesh ...] [--show]
    attack.py --one FAMILY SEED       repeats one attack in this process

Attack number n of a family depends on the seed and n alone. Families: `xml` mutates models, `bomb`
writes little text that asks for much, `mesh` and `image` mutate files of assets, `pickle` and `mjb`
mutate saved models and data, `table` writes bad numbers into the tables of models and the arrays of
data and checks that reset data has the bits of fresh data, `number` does so with parameters, `api`
calls every function and class with arguments of any kind, `spec` calls the editable model with such
arguments, `edit` runs scripts of edits with elements of this and other models, living or deleted,
`urdf` mutates robots and writes long ones, `thread` does several things at a time.

Classes: ok, error (an exception that a program can catch), and those that must not happen: panic (an
exception that is not an `Exception`, or text of a panic), wrong (data that does not recover, errors
that name a source file), memory (more than 1 GiB), hang (more than ten seconds of processor time),
abort, segfault, died. The exit status is 1 if any of these happens.

Workers run many attacks each, under a limit of memory; the attack that a worker dies in is repeated
by itself, so that it is not blamed for another one.
"""

import argparse
import collections
import os
import pathlib
import random
import resource
import select
import signal
import subprocess
import sys
import time

FINE = ('ok', 'error')
GIGABYTE = 1 << 30
ADDRESSES = 6 * GIGABYTE
# the address sanitizer makes all slower and larger, and needs all addresses, so that each allocation
# has a limit instead
SANITIZED = 'libasan' in os.environ.get('LD_PRELOAD', '')
SECONDS, WALL, ROOM = (100, 6000, 2 * GIGABYTE) if SANITIZED else (10, 600, GIGABYTE)
MODELS = pathlib.Path(__file__).parents[3] / 'models'

BAD_INTEGERS = (0, 1, -1, 2, 7, 99, -5, 1000, 10**6, 2**31 - 1, -2**31, 255)
BAD_REALS = ('nan', 'inf', '-inf', '0', '-0', '1e308', '-1e308', '1e-308', '5e-324', '1e10', '-1', '1e400',
             '2147483648', '-2147483649', '1e-15', '99999999999999999999')


class Wrong(Exception):
  """Something that must not happen, although nothing was raised."""


# text

def sources():
  return sorted(MODELS.glob('*.xml'))


def mutated_bytes(rng, data, most=8):
  data = bytearray(data)
  for _ in range(rng.randint(1, most)):
    if not data:
      break
    at = rng.randrange(len(data))
    kind = rng.randrange(7)
    if kind == 0:
      data[at] ^= 1 << rng.randrange(8)
    elif kind == 1:
      data[at] = rng.choice((0, 1, 127, 128, 255, 32, 60))
    elif kind == 2:
      del data[at:at + rng.randint(1, 64)]
    elif kind == 3:
      data[at:at] = data[at:at + rng.randint(1, 64)]
    elif kind == 4:
      word = rng.choice(BAD_INTEGERS) & 0xffffffff
      data[at:at + 4] = word.to_bytes(4, rng.choice(('little', 'big')))
    elif kind == 5:
      import struct
      data[at:at + 4] = struct.pack('<f', rng.choice((float('nan'), float('inf'), 3e38, -3e38, 1e-45)))
    else:
      del data[at:]
  return bytes(data)


def mutated_text(rng, text):
  import re
  values = list(re.finditer(r'"[^"]*"', text))
  for _ in range(rng.randint(1, 3)):
    kind = rng.randrange(8)
    if kind <= 3 and values:
      # replace a value, or one number of it
      match = rng.choice(values)
      words = match.group()[1:-1].split() or ['']
      words[rng.randrange(len(words))] = rng.choice((
          *BAD_REALS, '', 'x' * 300, str(rng.choice(BAD_INTEGERS)), '1 2 3', 'true', '../..', '&lt;', '\u20ac'))
      if rng.random() < .1:
        words = words * rng.choice((2, 50, 3000))
      text = text[:match.start()] + '"' + ' '.join(words) + '"' + text[match.end():]
      values = list(re.finditer(r'"[^"]*"', text))
    elif kind == 4:
      # exchange two values
      if len(values) > 1:
        a, b = sorted(rng.sample(values, 2), key=lambda match: match.start())
        text = (text[:a.start()] + b.group() + text[a.end():b.start()] + a.group() + text[b.end():])
        values = list(re.finditer(r'"[^"]*"', text))
    elif kind == 5:
      # repeat a piece
      tags = [match.start() for match in re.finditer('<', text)]
      if len(tags) > 2:
        a, b = sorted(rng.sample(tags, 2))
        piece = text[a:min(b, a + 2000)]
        text = text[:a] + piece * rng.choice((2, 3, 40)) + text[a:]
        values = list(re.finditer(r'"[^"]*"', text))
    elif kind == 6:
      # exchange the names of elements or attributes
      names = re.findall(r'[a-z]{3,}', text)
      a, b = rng.choice(names), rng.choice(names)
      text = text.replace(a, b, rng.choice((1, -1)))
      values = list(re.finditer(r'"[^"]*"', text))
    else:
      text = mutated_bytes(rng, text.encode(), 3).decode(errors='replace')
      values = list(re.finditer(r'"[^"]*"', text))
  return text


def exercise(cf, model, steps=3):
  data = cf.MjData(model)
  cf.mj_step(model, data, steps)
  cf.mj_inverse(model, data)
  cf.mj_resetData(model, data)
  return data


def xml(cf, np, rng):
  path = rng.choice(sources())
  text = mutated_text(rng, path.read_text())
  os.chdir(MODELS)
  if rng.random() < .2:
    spec = cf.MjSpec.from_string(text)
    spec.compile()
    text = spec.to_xml()
  exercise(cf, cf.MjModel.from_xml_string(text))


def bomb(cf, np, rng):
  count = rng.choice((100, 300, 1000, 3000, 20000, 10**6, 10**9))
  solver, cone = rng.choice(('Newton', 'CG', 'PGS')), rng.choice(('elliptic', 'pyramidal'))
  jacobian = rng.choice(('auto', 'dense', 'sparse'))
  option = f'<option solver="{solver}" cone="{cone}" jacobian="{jacobian}" iterations="2"/>'
  kind = rng.randrange(16)
  deep = rng.choice((100, 1000, 100000))
  body = '<body><freejoint/><geom size=".1"/></body>'
  if kind == 0:
    text = f'<worldbody><replicate count="{count}">{body}</replicate></worldbody>'
  elif kind == 1:
    shape = rng.choice(('box', 'capsule', 'ellipsoid', 'cylinder'))
    text = (f'<worldbody><replicate count="{min(count, 1000)}"><body><freejoint/>'
            f'<geom type="{shape}" size=".1 .1 .1"/></body></replicate></worldbody>')
  elif kind == 2:
    text = f'<size nuserdata="{count}"/>'
  elif kind == 3:
    text = f'<size nkey="{count}"/><worldbody>{body * 50}</worldbody>'
  elif kind == 4:
    text = f'<custom><numeric name="n" size="{count}"/></custom>'
  elif kind == 5:
    text = (f'<worldbody><camera name="c" resolution="{count} {rng.choice((1, 100, count))}"/></worldbody>'
            '<sensor><rangefinder camera="c"/></sensor>')
  elif kind == 6:
    text = f'<sensor><user dim="{count}"/></sensor>'
  elif kind == 7:
    text = (f'<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>'
            f'<motor joint="j" delay="1" nsample="{count}"/></actuator>')
  elif kind == 8:
    size = rng.choice((2, 1000, 30000, 10**6))
    text = f'<asset><texture name="t" type="2d" builtin="checker" width="{size}" height="{size}"/></asset>'
  elif kind == 9:
    size = rng.choice((2, 1000, 30000, 10**6))
    text = f'<asset><hfield name="h" nrow="{size}" ncol="{size}" size="1 1 1 1"/></asset>'
  elif kind == 10:
    text = f'<asset><mesh name="m" builtin="sphere" params="{rng.choice((1, 3, 9, 30))}"/></asset>'
  elif kind == 11:
    joint = '<body><joint/><geom size=".1"/>'
    text = '<worldbody>' + joint * deep + '</body>' * deep + '</worldbody>'
  elif kind == 12:
    tag = rng.choice(('frame', 'body', 'replicate count="1"', 'default class="x"'))
    text = f'<worldbody>{f"<{tag}>" * deep}{f"</{tag.split()[0]}>" * deep}</worldbody>'
  elif kind == 13:
    text = f'<size memory="{rng.choice(("1K", "1G", "100G", "1E", "-1", "999999999999999999999"))}"/><worldbody>' \
           f'<replicate count="{min(count, 3000)}">{body}</replicate></worldbody>'
  elif kind == 14:
    side = rng.choice((30, 100))
    text = ('<worldbody><geom type="plane" size="9 9 1"/>' + ''.join(
        f'<body pos="{i % side * .15} {i // side * .15} .05"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for i in range(min(count, 1000))) + '</worldbody>')
  else:
    text = (f'<worldbody><body><freejoint/><composite type="cable" prefix="a" count="{count} 1 1" size="1"><geom '
            f'size=".01"/></composite></body></worldbody>')
  exercise(cf, cf.MjModel.from_xml_string(f'<mujoco>{option}{text}</mujoco>'), 1)


# files of assets

def mesh(cf, np, rng):
  files = [path for path in (MODELS / 'meshes').iterdir() if path.suffix in ('.stl', '.obj', '.msh')]
  path = rng.choice(files)
  data = path.read_bytes()
  if path.suffix == '.obj' and rng.random() < .6:
    data = mutated_text(rng, data.decode(errors='replace').replace('\n', '" \n"')).replace('"', '').encode()
  else:
    data = mutated_bytes(rng, data)
  inertia = rng.choice(('convex', 'exact', 'legacy', 'shell'))
  extra = rng.choice(('', ' maxhullvert="4"', ' smoothnormal="true"', ' scale="-1 1 1"', ' scale="0 0 0"'))
  shape = rng.choice(('mesh', 'box', 'capsule', 'ellipsoid'))
  exercise(cf, cf.MjModel.from_xml_string(
      f'<mujoco><asset><mesh name="m" file="m{path.suffix}" inertia="{inertia}"{extra}/></asset><worldbody>'
      f'<geom type="plane" size="1 1 1"/><body><freejoint/><geom type="{shape}" mesh="m"/></body>'
      f'<body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>',
      assets={f'm{path.suffix}': data}))


def png_image(rng, width, height):
  import struct
  import zlib
  def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
  color = rng.choice((0, 2, 3, 4, 6, 0, 2, 6, rng.randrange(256)))
  depth = rng.choice((8, 8, 8, 8, 16, 4, 1, rng.randrange(256)))
  interlace = rng.choice((0, 0, 1, 7))
  head = struct.pack('>IIBBBBB', width, height, depth, color, 0, 0, interlace)
  channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(color, 1)
  size = height * (1 + -(-width * channels * depth // 8))
  raw = rng.randbytes(rng.choice((0, 10, 1000, 100000)))
  if size < 1 << 24 and rng.random() < .6:
    # as much as there should be, every row without a filter
    row = size // height if height else 0
    raw = b''.join(b'\0' + rng.randbytes(row - 1) for _ in range(height)) if row else b''
  if rng.random() < .2:
    raw += bytes(1 << 22)
  parts = [chunk(b'IHDR', head)]
  if color == 3 or rng.random() < .2:
    parts.append(chunk(b'PLTE', rng.randbytes(rng.choice((3, 48, 768, 5)))))
  if rng.random() < .3:
    parts.append(chunk(rng.choice((b'tRNS', b'iCCP', b'zTXt', b'acTL', b'fcTL', b'gAMA', b'sRGB')),
                       rng.choice((rng.randbytes(26), b'a\0\0' + zlib.compress(bytes(1 << 22))))))
  parts += [chunk(b'IDAT', zlib.compress(raw))] * rng.choice((1, 1, 2))
  parts.append(chunk(b'IEND', b''))
  if rng.random() < .1:
    rng.shuffle(parts)
  return b'\x89PNG\r\n\x1a\n' + b''.join(parts)


def image(cf, np, rng):
  size = lambda: rng.choice((1, 2, 6, 60, 60, 1000)) if rng.random() < .7 else rng.choice((0, 20000, 2**31 - 1))
  data = png_image(rng, size(), size())
  if rng.random() < .3:
    data = mutated_bytes(rng, data)
  if rng.random() < .2:
    data = mutated_bytes(rng, (MODELS / 'meshes' / 'hill.png').read_bytes())
  ending = rng.choice(('.png',) * 8 + ('.bin', '.ktx', ''))
  asset = rng.choice((
      f'<texture name="t" type="2d" file="t{ending}"/>',
      f'<texture name="t" type="cube" file="t{ending}" gridsize="3 4" gridlayout=".U..LFRB.D.."/>',
      f'<texture name="t" type="cube" fileup="t{ending}" fileright="t{ending}"/>',
      f'<texture name="t" type="2d" file="t{ending}" nchannel="{rng.choice((1, 3, 4, 4, 9))}"/>',
      f'<hfield name="h" size="1 1 1 1" file="t{ending}"/>'))
  cf.MjModel.from_xml_string(f'<mujoco><asset>{asset}</asset></mujoco>', assets={f't{ending}': data})


# saved models

LOADED = {}


def loaded(cf, rng):
  path = rng.choice(sources())
  if path not in LOADED:
    LOADED[path] = cf.MjModel.from_xml_path(str(path))
  import copy
  return copy.copy(LOADED[path])


def bad_value(np, rng, dtype):
  if dtype.kind == 'f':
    return float(rng.choice(BAD_REALS))
  info = np.iinfo(dtype)
  value = rng.choice((*BAD_INTEGERS, int(info.max), int(info.min)))
  return max(int(info.min), min(int(info.max), value))


def spoil(np, rng, array):
  """Writes a bad number to one place, some or all of an array."""
  if not array.size or not array.flags.writeable:
    return
  flat = array.reshape(-1)
  kind = rng.randrange(4)
  if kind == 0:
    flat[:] = bad_value(np, rng, array.dtype)
  elif kind == 1:
    flat[rng.randrange(flat.size)] = bad_value(np, rng, array.dtype)
  elif kind == 2:
    for _ in range(min(flat.size, 5)):
      flat[rng.randrange(flat.size)] = bad_value(np, rng, array.dtype)
  else:
    a, b = rng.randrange(flat.size), rng.randrange(flat.size)
    flat[a], flat[b] = flat[b], flat[a]


def spoil_fields(np, rng, fields):
  for _ in range(rng.randint(1, 3)):
    name = rng.choice(list(fields))
    value = fields[name]
    kind = rng.randrange(8)
    if isinstance(value, np.ndarray) and kind < 5:
      fields[name] = value = value.copy()
      spoil(np, rng, value)
    elif isinstance(value, np.ndarray) and kind == 5:
      fields[name] = rng.choice((value[:-1], value.astype('f4'), value.astype(object), np.zeros(0),
                                 np.zeros((3, 3, 3)), value[::-1]))
    elif isinstance(value, int) and kind < 6:
      fields[name] = rng.choice((*BAD_INTEGERS, 2**62, 2**64, value + 1, value - 1))
    elif kind == 6:
      del fields[name]
    else:
      fields[name] = rng.choice((None, 'x', b'x', 1.5, [], {}, [1, 2], float('nan')))


def pickle(cf, np, rng):
  model = loaded(cf, rng)
  if rng.random() < .5:
    function, arguments = model.__reduce__()[:2]
    spoil_fields(np, rng, arguments[0])
    exercise(cf, function(*arguments))
    return
  data = cf.MjData(model)
  cf.mj_step(model, data, 3)
  function, (saved, fields) = data.__reduce__()[:2]
  spoil_fields(np, rng, fields)
  data = function(model, fields)
  for call in (cf.mj_forward, cf.mj_step, cf.mj_inverse, cf.mj_rnePostConstraint, cf.mj_fwdConstraint, cf.mj_island):
    try:
      call(model, data)
    except RuntimeError as error:
      check_text(error)
  data.efc_J, data.contact.pos, data.efc_AR
  recover(cf, np, model, data)


def mjb(cf, np, rng):
  model = loaded(cf, rng)
  buffer = np.zeros(cf.mj_sizeModel(model), np.uint8)
  cf.mj_saveModel(model, None, buffer)
  data = bytearray(buffer.tobytes())
  if rng.random() < .4:
    # a size at the head
    at = 20 + 8 * rng.randrange(90)
    data[at:at + 8] = (rng.choice(BAD_INTEGERS) & (2**64 - 1)).to_bytes(8, 'little')
  else:
    data = mutated_bytes(rng, bytes(data))
  exercise(cf, cf.MjModel.from_binary_path('m.mjb', {'m.mjb': bytes(data)}))


# tables and numbers

def arrays(np, owner, kinds):
  for name in dir(owner):
    if not name.startswith('_'):
      value = getattr(owner, name)
      if isinstance(value, np.ndarray) and value.size and value.dtype.kind in kinds:
        yield name, value


STAGES = ('mj_step', 'mj_forward', 'mj_inverse', 'mj_step1', 'mj_step2', 'mj_kinematics', 'mj_collision',
          'mj_makeConstraint', 'mj_sensorPos', 'mj_sensorVel', 'mj_sensorAcc', 'mj_fwdActuation', 'mj_tendon',
          'mj_transmission', 'mj_comPos', 'mj_crb', 'mj_factorM', 'mj_island', 'mj_fwdConstraint',
          'mj_projectConstraint', 'mj_rnePostConstraint', 'mj_energyPos', 'mj_energyVel', 'mj_resetData',
          'mj_subtreeVel', 'mj_camlight', 'mj_passive', 'mj_fwdPosition', 'mj_implicit', 'mj_Euler',
          'mj_compareFwdInv', 'mj_referenceConstraint', 'mj_checkPos', 'mj_checkAcc')


def check_text(error):
  text = str(error)
  if 'panicked' in text or '.rs:' in text:
    raise Wrong(f'an error names a place in the source: {text[:300]}')


def recover(cf, np, model, data):
  """Reset data has the bits of fresh data after steps."""
  cf.mj_resetData(model, data)
  fresh = cf.MjData(model)
  for _ in range(2):
    cf.mj_step(model, data)
    cf.mj_step(model, fresh)
  for name, value in arrays(np, data, 'fiu'):
    # what programs keep there is theirs
    if name in ('maxuse_threadstack', 'plugin_data'):
      continue
    if value.tobytes() != getattr(fresh, name).tobytes():
      raise Wrong(f'{name} differs after a reset')
  if not data._views_hold():
    raise Wrong('a view shows other memory')


def table(cf, np, rng):
  model = loaded(cf, rng)
  data = cf.MjData(model)
  if rng.random() < .7:
    cf.mj_step(model, data, rng.randint(1, 3))
  kept = {}
  for _ in range(rng.choice((1, 1, 1, 2, 3))):
    if rng.random() < .7:
      name, array = rng.choice(list(arrays(np, model, 'iu')))
      kept.setdefault(name, array.copy())
    else:
      name, array = rng.choice(list(arrays(np, data, 'fiu')))
    spoil(np, rng, array)
  if rng.random() < .3:
    for name in ('solver', 'integrator', 'cone', 'jacobian', 'disableflags', 'enableflags'):
      if rng.random() < .2:
        kept['opt.' + name] = getattr(model.opt, name)
        setattr(model.opt, name, rng.choice((0, 1, 2, 3, 4, -1, 99)))
  for _ in range(4):
    try:
      getattr(cf, rng.choice(STAGES) if rng.random() < .6 else 'mj_step')(model, data)
    except (RuntimeError, MemoryError, ValueError) as error:
      check_text(error)
  if rng.random() < .2:
    try:
      cf.MjData(model)
    except (RuntimeError, MemoryError, ValueError) as error:
      check_text(error)
  if rng.random() < .2:
    from cortenforge import rollout
    size = cf.mj_stateSize(model, cf.mjtState.mjSTATE_FULLPHYSICS)
    try:
      rollout.rollout(model, data, np.zeros((2, size)), nstep=2)
    except (RuntimeError, MemoryError, ValueError) as error:
      check_text(error)
  for name, value in kept.items():
    if name.startswith('opt.'):
      setattr(model.opt, name[4:], value)
    else:
      getattr(model, name)[...] = value
  recover(cf, np, model, data)


def number(cf, np, rng):
  model = loaded(cf, rng)
  data = cf.MjData(model)
  for _ in range(rng.randint(1, 4)):
    owner = rng.choice((model, model, model.opt, data))
    options = list(arrays(np, owner, 'f'))
    if options:
      spoil(np, rng, rng.choice(options)[1])
    if owner is model.opt:
      name = rng.choice(('timestep', 'impratio', 'tolerance', 'ls_tolerance', 'density', 'viscosity',
                         'noslip_tolerance', 'ccd_tolerance'))
      setattr(owner, name, float(rng.choice(BAD_REALS)))
      name = rng.choice(('iterations', 'ls_iterations', 'noslip_iterations', 'ccd_iterations', 'solver',
                         'integrator', 'cone', 'disableflags', 'enableflags', 'sdf_iterations'))
      setattr(owner, name, rng.choice((0, -1, 1, 3, 50, 1000, 2**31 - 1)))
  for _ in range(3):
    getattr(cf, rng.choice(('mj_step', 'mj_forward', 'mj_inverse', 'mj_setConst')))(model, data)
  pixels = np.zeros((20, 30, 3), np.uint8)
  if rng.random() < .2:
    with cf.Renderer(model, 20, 30) as renderer:
      renderer.update_scene(data)
      renderer.render(out=pixels)


# functions

def junk(cf, np, rng, model, data):
  shape = rng.choice(((), (0,), (1,), (3,), (4,), (6,), (9,), (3, 3), (model.nv,), (model.nq,), (3, model.nv),
                      (model.nv, model.nv), (2, 3, 4), (1, 6), (6, 1), (0, 3), (10, 4)))
  kind = rng.choice(('f8', 'f8', 'f8', 'i4', 'f4', 'u1', 'O', 'c16', '>f8'))
  def array():
    value = np.zeros(shape, kind)
    if value.size and kind not in ('O', 'c16'):
      spoil(np, rng, value)
    return value
  def odd():
    value = array()
    if kind == 'O' or not value.shape:
      return value
    way = rng.randrange(6)
    if way == 0:
      return np.lib.stride_tricks.as_strided(value, value.shape, (0,) * value.ndim)
    if way == 1:
      room = np.zeros(value.nbytes + 1, np.uint8)[1:]
      return room.view(value.dtype).reshape(value.shape)
    if way == 2:
      return value[::-1]
    if way == 3:
      return np.asfortranarray(value)
    if way == 4:
      value.setflags(write=False)
      return value
    return value.tolist()
  def own():
    owner = rng.choice((model, data))
    value = rng.choice(list(arrays(np, owner, 'fiu')))[1]
    return rng.choice((value, value.reshape(-1)[:rng.randint(0, value.size)], np.asarray(memoryview(value))))
  return rng.choice((
      array, array, odd, own, own, lambda: rng.choice(BAD_INTEGERS), lambda: float(rng.choice(BAD_REALS)),
      lambda: model, lambda: data, lambda: None, lambda: 'x', lambda: 'worldbody', lambda: b'\0', lambda: [],
      lambda: 2**70, lambda: True, lambda: {}, lambda: object(), lambda: rng.choice(list(cf.mjtObj))))()


def parameters(cf, function):
  import inspect
  try:
    return list(inspect.signature(function).parameters)
  except (TypeError, ValueError):
    return None


def api(cf, np, rng):
  import inspect
  model = loaded(cf, rng)
  data = cf.MjData(model)
  names = [name for name in dir(cf) if name.startswith(('mj_', 'mju_', 'mjd_', 'mjv_', 'mjr_'))]
  # they write files where they are told
  names = [name for name in names if not name.startswith(('mj_save', 'mj_print', 'mju_writeLog', 'mju_warning'))]
  classes = [name for name in dir(cf) if name.startswith(('Mj', 'Render', 'GLContext')) and isinstance(getattr(cf, name), type)]
  failed = 0
  for _ in range(20):
    kind = rng.randrange(9)
    try:
      if kind == 8:
        made = getattr(cf, rng.choice(classes))
        arguments = [junk(cf, np, rng, model, data) for _ in range(rng.randrange(4))]
        made(*([model] if rng.random() < .5 else []), *arguments)
      elif kind < 6:
        function = getattr(cf, rng.choice(names))
        wanted = parameters(cf, function)
        count = len(wanted) if wanted is not None and rng.random() < .9 else rng.randrange(7)
        arguments = []
        for i in range(count):
          name = wanted[i] if wanted and i < len(wanted) else ''
          good = rng.random() < .8
          arguments.append(model if good and name in ('m', 'model') else data if good and name in ('d', 'data')
                           else junk(cf, np, rng, model, data))
        function(*arguments)
      elif kind == 6:
        owner = rng.choice((model, data, model.opt, model.vis.global_, model.stat, data.contact))
        name = rng.choice([name for name in dir(owner) if not name.startswith('_')])
        setattr(owner, name, junk(cf, np, rng, model, data))
      else:
        owner = rng.choice((model, data))
        method = getattr(owner, rng.choice(('joint', 'geom', 'body', 'site', 'actuator', 'sensor', 'key', 'bind')))
        view = method(junk(cf, np, rng, model, data))
        for name in dir(view):
          if not name.startswith('__'):
            getattr(view, name)
    except Exception as error:  # anything that a program can catch
      failed += 1
      if type(error).__name__ == 'FatalError':
        check_text(error)
  try:
    cf.mj_step(model, data)
  except (RuntimeError, MemoryError, ValueError) as error:
    check_text(error)
  if failed:
    raise ValueError('some calls were refused')


def spec(cf, np, rng):
  spec = cf.MjSpec.from_file(str(rng.choice(sources())))
  things = [spec.worldbody]
  for _ in range(30):
    thing = rng.choice(things)
    try:
      name = rng.choice([name for name in dir(thing) if not name.startswith('_')])
      kind = rng.randrange(4)
      value = getattr(thing, name)
      if callable(value) and name not in ('to_file',):
        if kind < 2:
          made = value()
        else:
          made = value(rng.choice((*BAD_INTEGERS, 'x', None, thing, rng.choice(things))))
        if made is not None and len(things) < 50:
          things.append(made)
      elif not callable(value):
        setattr(thing, name, rng.choice((*BAD_INTEGERS, 'x', '', None, [], [1, 2, 3], float('nan'), 1e308, thing,
                                         np.zeros(3), np.full(7, np.inf))))
    except Exception as error:
      check_text(error)
  text = spec.to_xml()
  exercise(cf, spec.compile())
  cf.MjModel.from_xml_string(text)


def edit(cf, np, rng):
  import warnings
  warnings.simplefilter('ignore')
  specs = [cf.MjSpec.from_file(str(rng.choice(sources()))) for _ in range(2)] + [cf.MjSpec()]
  kept, state = [], None
  words = ('body', 'geom', 'joint', 'site', 'camera', 'light', 'frame')

  def element():
    if kept and rng.random() < .3:
      return rng.choice(kept)
    one = rng.choice(specs)
    found = rng.choice((one.bodies, one.geoms, one.joints, one.sites, one.frames, one.actuators, one.tendons,
                        one.sensors, one.meshes, one.materials, one.keys, one.pairs, one.equalities))
    return rng.choice(found) if found else one.worldbody

  for _ in range(40):
    one = rng.choice(specs)
    affix = rng.choice((('', ''), ('a', ''), (f'p{rng.random()}', 's'), ('/', 'x' * 200)))
    try:
      kind = rng.randrange(14)
      thing = element()
      if kind == 0:
        kept.append(getattr(thing, 'add_' + rng.choice(words))(name=rng.choice(('', 'n', f'n{rng.random()}'))))
      elif kind == 1:
        one.delete(thing)
        kept.append(thing)
      elif kind == 2:
        thing.name = rng.choice(('', 'world', 'n', 'main', '\0', f'n{rng.random()}'))
      elif kind == 3:
        frame = one.worldbody.add_frame(pos=[rng.random(), 0, 0])
        one.attach(rng.choice(specs), affix[0], affix[1], frame=frame)
      elif kind == 4:
        one.attach(rng.choice(specs), affix[0], affix[1], site=thing)
      elif kind == 5:
        one.worldbody.add_frame().attach_body(thing, *affix)
      elif kind == 6:
        rng.choice(one.bodies).attach_frame(thing, *affix)
      elif kind == 7:
        kept.append(thing.to_frame())
      elif kind == 8:
        thing.set_frame(element())
      elif kind == 9:
        default = one.add_default(f'd{rng.randrange(5)}', rng.choice((None, one.default)))
        default.geom.size = [rng.choice((0, .1, -1, np.nan)), 0, 0]
        thing.classname = default
        if rng.random() < .3:
          one.delete(default)
      elif kind == 10:
        one.copy_during_attach = rng.random() < .5
        specs[rng.randrange(len(specs))] = one.copy()
      elif kind == 11:
        model = one.compile()
        exercise(cf, model)
        state = (model, cf.MjData(model))
      elif kind == 12 and state is not None:
        model, data = one.recompile(*state)
        cf.mj_step(model, data)
        model.bind(thing), data.bind([thing, thing])
      else:
        cf.MjSpec.from_string(one.to_xml())
      thing.id, thing.signature, thing.name, thing.parent
    except Exception as error:
      check_text(error)
  for one in specs:
    try:
      exercise(cf, one.compile())
    except ValueError as error:
      check_text(error)


def urdf(cf, np, rng):
  robots = sorted((MODELS.parent / 'crates/sim-mjcf/tests/robots').glob('*.urdf'))
  kind = rng.randrange(6)
  if kind < 4:
    text = mutated_text(rng, rng.choice(robots).read_text())
  else:
    # a chain, a star or a ring of links
    count = rng.choice((2, 100, 5000, 40000))
    link = '<link name="l{0}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>' \
        '</inertial></link>'
    joint = '<joint name="j{0}" type="{2}"><parent link="l{1}"/><child link="l{0}"/></joint>'
    form = rng.choice(('fixed', 'revolute', 'floating', 'planar'))
    parent = rng.choice((lambda i: i - 1, lambda i: 0, lambda i: (i + 1) % count))
    text = '<robot name="r">' + ''.join(link.format(i) for i in range(count)) + ''.join(
        joint.format(i, parent(i), form) for i in range(1, count)) + '</robot>'
  if rng.random() < .3:
    text = text.replace('<link', rng.choice((
        '<link name="m"><visual><geometry><mesh filename="package://a/../../etc/passwd" scale="1e300 0 nan"/></geometry>'
        '</visual></link><link', '<include file="x"/><link', '<mujoco><compiler fusestatic="false" discardvisual="false"/>'
        '</mujoco><link', '<material name="a"/><link')), 1)
  if rng.random() < .5:
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
      path = pathlib.Path(folder, 'r.urdf')
      path.write_text(text, errors='replace')
      spec = cf.MjSpec.from_urdf(str(path), mimic=True, free_base=rng.random() < .5, keep_visual=True,
                                 turn_inertia=True)
      model = spec.compile()
      spec.to_xml()
  else:
    model = cf.MjModel.from_xml_string(text)
  # a chain of thousands of joints has a matrix of millions of numbers
  if model.nv < 300:
    exercise(cf, model)


def thread(cf, np, rng):
  import threading
  model = loaded(cf, rng)
  data = [cf.MjData(model) for _ in range(2)]
  ends = time.time() + .3
  tables = [array for _, array in arrays(np, model, 'iu')]
  kept = [array.copy() for array in tables]
  raised = []
  def work(seed):
    own = random.Random(seed)
    try:
      while time.time() < ends:
        kind = own.randrange(5)
        try:
          if kind < 2:
            cf.mj_step(model, own.choice(data), 3)
          elif kind == 2:
            spoil(np, own, own.choice(tables))
          elif kind == 3:
            for array, good in zip(tables, kept):
              array[...] = good
          else:
            one = own.choice(data)
            one.contact.pos, one.efc_J, one.qM, one.efc_force
        except (RuntimeError, MemoryError, ValueError) as error:
          check_text(error)
    except BaseException as error:
      raised.append(error)
  threads = [threading.Thread(target=work, args=(rng.random(),)) for _ in range(3)]
  [one.start() for one in threads]
  [one.join() for one in threads]
  if raised:
    raise raised[0]
  for array, good in zip(tables, kept):
    array[...] = good
  for one in data:
    cf.mj_resetData(model, one)
    cf.mj_step(model, one)


FAMILIES = {function.__name__: function for function in
            (xml, bomb, mesh, image, pickle, mjb, table, number, api, spec, edit, urdf, thread)}


# one attack

def reset_peak():
  try:
    with open('/proc/self/clear_refs', 'w') as file:
      file.write('5')
    return True
  except OSError:
    return False


def peak():
  with open('/proc/self/status') as file:
    for line in file:
      if line.startswith('VmHWM'):
        return int(line.split()[1]) << 10
  return 0


def attack(cf, np, family, seed):
  """Runs one attack; its class and what there is to say."""
  rng = random.Random(f'{family} {seed}')
  reset_peak()
  before, start = peak(), time.process_time()
  try:
    FAMILIES[family](cf, np, rng)
    result = 'ok', ''
  except Wrong as error:
    result = 'wrong', str(error)
  except Exception as error:
    text = str(error)
    spoken = 'panicked' in text or '.rs:' in text
    result = ('wrong' if spoken else 'error'), f'{type(error).__name__}: {text}'
  except BaseException as error:
    result = 'panic', f'{type(error).__name__}: {error}'
  if time.process_time() - start > SECONDS:
    result = 'hang', f'{time.process_time() - start:.0f} s; {result}'
  elif peak() > max(ROOM, before):
    result = 'memory', f'{peak() >> 20} MiB; {result}'
  return result


def work(family, first, last, seed):
  """Runs attacks and tells about each in a line."""
  if not SANITIZED:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))
  resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
  import warnings
  warnings.simplefilter('ignore')
  import numpy as np
  np.seterr(all='ignore')
  import cortenforge as cf
  out = os.fdopen(os.dup(1), 'w')
  os.dup2(2, 1)
  for number in range(first, last):
    print('start', number, file=out, flush=True)
    kind, text = attack(cf, np, family, f'{seed} {number}')
    print('end', number, kind, text.replace('\n', ' ')[:400], file=out, flush=True)


# all attacks

class Worker:
  """A process that runs attacks, and which one it is at."""

  def __init__(self, family, first, last, seed, alone=False):
    self.family, self.at, self.last, self.seed, self.alone = family, first, last, seed, alone
    self.errors = open(f'/tmp/attack-{os.getpid()}-{family}-{first}.err', 'w+')
    environment = dict(os.environ)
    if SANITIZED:
      environment['ASAN_OPTIONS'] = f'{environment.get("ASAN_OPTIONS", "")}:max_allocation_size_mb={ADDRESSES >> 20}'
    self.process = subprocess.Popen(
        [sys.executable, __file__, '--work', family, str(first), str(last), str(seed)],
        stdout=subprocess.PIPE, stderr=self.errors, env=environment)
    os.set_blocking(self.process.stdout.fileno(), False)
    self.buffer = b''
    self.started, self.cpu = time.time(), 0.0

  def cpu_time(self):
    try:
      with open(f'/proc/{self.process.pid}/stat') as file:
        fields = file.read().rsplit(')', 1)[1].split()
      return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')
    except (OSError, IndexError):
      return self.cpu

  def lines(self):
    data = self.process.stdout.read()
    self.buffer += data or b''
    *whole, self.buffer = self.buffer.split(b'\n')
    for line in whole:
      yield line.decode(errors='replace')

  def close(self):
    self.process.kill()
    self.process.wait()
    self.process.stdout.close()
    self.errors.seek(0)
    text = self.errors.read()
    self.errors.close()
    os.unlink(self.errors.name)
    return text


DEATHS = {-signal.SIGABRT: 'abort', -signal.SIGSEGV: 'segfault', -signal.SIGBUS: 'segfault'}


def campaign(families, count, seed, jobs, show):
  chunk = 25
  queue = [(family, first, min(first + chunk, count), False)
           for first in range(0, count, chunk) for family in families]
  counts = {family: collections.Counter() for family in families}
  findings = []
  running = []

  def found(family, number, kind, text):
    counts[family][kind] += 1
    if kind not in FINE:
      findings.append((family, number, kind, text))
      print(f'{kind}: --one {family} "{seed} {number}"  {text[:200]}', flush=True)
    elif show and kind == 'error':
      print(f'{family} {number}: {text[:160]}')

  while queue or running:
    while queue and len(running) < jobs:
      family, first, last, alone = queue.pop(0)
      running.append(Worker(family, first, last, seed, alone))
    select.select([worker.process.stdout for worker in running], [], [], .2)
    for worker in list(running):
      for line in worker.lines():
        word, number, *rest = line.split(' ', 3)
        if word == 'start':
          worker.at, worker.started, worker.cpu = int(number), time.time(), worker.cpu_time()
        else:
          found(worker.family, int(number), rest[0], rest[1] if len(rest) > 1 else '')
          worker.at = int(number) + 1
      hangs = worker.cpu_time() - worker.cpu > 2 * SECONDS or time.time() - worker.started > WALL
      ended = worker.process.poll() is not None
      if not ended and not hangs:
        continue
      if ended and worker.lines is not None:
        for line in worker.lines():
          word, number, *rest = line.split(' ', 3)
          if word == 'end':
            found(worker.family, int(number), rest[0], rest[1] if len(rest) > 1 else '')
            worker.at = int(number) + 1
      running.remove(worker)
      status = worker.process.returncode
      errors = worker.close()
      if ended and status == 0 and worker.at >= worker.last:
        continue
      kind = DEATHS.get(status, 'died') if ended else 'hang'
      if worker.alone or kind == 'hang':
        found(worker.family, worker.at, kind, f'status {status} {errors[-300:]!r}')
      else:
        # again, by itself
        queue.insert(0, (worker.family, worker.at, worker.at + 1, True))
      if worker.at + 1 < worker.last:
        queue.append((worker.family, worker.at + 1, worker.last, False))
  return counts, findings


def main():
  parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
  parser.add_argument('--count', type=int, default=300, help='attacks of each family')
  parser.add_argument('--seed', type=int, default=1)
  parser.add_argument('--jobs', type=int, default=2)
  parser.add_argument('--family', nargs='+', default=list(FAMILIES), choices=list(FAMILIES))
  parser.add_argument('--show', action='store_true', help='print errors too')
  parser.add_argument('--one', nargs=2, metavar=('FAMILY', 'SEED'))
  parser.add_argument('--work', nargs=4, help=argparse.SUPPRESS)
  arguments = parser.parse_args()
  if arguments.work:
    family, first, last, seed = arguments.work
    work(family, int(first), int(last), seed)
    return 0
  if arguments.one:
    import warnings
    warnings.simplefilter('ignore')
    import numpy as np
    np.seterr(all='ignore')
    import cortenforge as cf
    print(*attack(cf, np, *arguments.one))
    return 0
  start = time.time()
  counts, findings = campaign(arguments.family, arguments.count, arguments.seed, arguments.jobs, arguments.show)
  kinds = [*FINE, *sorted({kind for found in counts.values() for kind in found} - set(FINE))]
  print(f'\n{"family":8}' + ''.join(f'{kind:>10}' for kind in kinds))
  for family, found in counts.items():
    print(f'{family:8}' + ''.join(f'{found[kind]:10}' for kind in kinds))
  total = sum((found for found in counts.values()), collections.Counter())
  print(f'{"all":8}' + ''.join(f'{total[kind]:10}' for kind in kinds))
  print(f'{sum(total.values())} attacks in {time.time() - start:.0f} s, {len(findings)} findings')
  return 1 if findings else 0


if __name__ == '__main__':
  sys.exit(main())

#!/usr/bin/env python3
"""Compares robots in URDF with MuJoCo: random ones, and those in files.

    urdf.py [FILES ...] [--count N] [--seed S] [--keep DIR]

Random robots have links and joints of all types, inertias, limits, colours and shapes, some of it
wrong. Every array of the compiled models has to be equal to MuJoCo's, up to 1e-13 of its size for
numbers; both engines have to refuse the same models. Then the model is written as MJCF and read
again, with the same result. The exit status is 1 if anything differs.
"""

import argparse
import pathlib
import random
import sys
import warnings

import mujoco
import numpy as np

import cortenforge

TOLERANCE = 1e-13
# sizes of memory that only MuJoCo reserves
MEMORY = ('nbuffer', 'narena', 'nconmax', 'njmax')
TYPES = ('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar', 'spherical')


def numbers(rng, count, low=-1.0, high=1.0):
  pick = lambda: rng.choice([0.0, 1.0, rng.uniform(low, high), round(rng.uniform(low, high), 2)])
  return ' '.join(repr(pick()) for _ in range(count))


def origin(rng):
  parts = [f' xyz="{numbers(rng, 3)}"' if rng.random() < 0.8 else '',
           f' rpy="{numbers(rng, 3, -3, 3)}"' if rng.random() < 0.6 else '']
  return f'<origin{"".join(parts)}/>' if rng.random() < 0.8 else ''


def size(rng):
  return repr(round(rng.uniform(0.05, 1), 3))


def geometry(rng):
  shape = rng.choice((
      f'<box size="{size(rng)} {size(rng)} {size(rng)}"/>',
      f'<cylinder radius="{size(rng)}" length="{size(rng)}"/>',
      f'<capsule radius="{size(rng)}" length="{size(rng)}"/>', f'<sphere radius="{size(rng)}"/>'))
  return f'<geometry>{shape}</geometry>'


def material(rng):
  if rng.random() < 0.4:
    return ''
  color = '<color rgba="0.1 0.2 0.3 1"/>' if rng.random() < 0.5 else ''
  return f'<material name="m{rng.randrange(4)}">{color}</material>'


def inertial(rng):
  a, b, c = sorted(rng.uniform(0.5, 1) for _ in range(3))
  x, y, z = (rng.uniform(-0.05, 0.05) if rng.random() < 0.5 else 0 for _ in range(3))
  if rng.random() < 0.05:
    a, b, c, x, y, z = (0,) * 6
  return (f'<inertial>{origin(rng)}<mass value="{rng.uniform(0.1, 2)!r}"/>'
          f'<inertia ixx="{a!r}" iyy="{b!r}" izz="{c!r}" ixy="{x!r}" ixz="{y!r}" iyz="{z!r}"/></inertial>')


def link(rng, name):
  parts = [inertial(rng)] if rng.random() < 0.5 and name != 'world' else []
  for i in range(rng.randrange(4)):
    given = f' name="g{rng.randrange(30)}"' if rng.random() < 0.5 else ''
    kind = rng.choice(('visual', 'collision', 'collision'))
    inside = material(rng) if kind == 'visual' else ''
    parts.append(f'<{kind}{given}>{origin(rng)}{geometry(rng)}{inside}</{kind}>')
  return f'<link name="{name}">{"".join(parts)}</link>'


def joint(rng, i, parent, child):
  kind = rng.choices(TYPES, (4, 2, 3, 4, 1, 1, 1))[0]
  parts = [f'<parent link="{parent}"/><child link="{child}"/>', origin(rng)]
  if rng.random() < 0.7:
    parts.append(f'<axis xyz="{numbers(rng, 3)}"/>')
  if rng.random() < 0.4:
    parts.append(f'<dynamics damping="{size(rng)}" friction="{size(rng)}"/>')
  if rng.random() < 0.6:
    values = {key: repr(round(rng.uniform(-2, 2), 2)) for key in ('lower', 'upper', 'effort', 'velocity')}
    if kind == 'spherical':
      values['lower'] = '0'
    parts.append('<limit ' + ' '.join(
        f'{key}="{value}"' for key, value in values.items() if rng.random() < 0.85) + '/>')
  if rng.random() < 0.2:
    parts.append('<mimic joint="j0"/><safety_controller k_velocity="1"/>')
  rng.shuffle(parts)
  return f'<joint name="j{i}" type="{kind}">{"".join(parts)}</joint>'


def robot(rng):
  """A random robot."""
  names = [f'l{i}' for i in range(rng.randrange(1, 9))]
  if rng.random() < 0.5:
    names.insert(rng.randrange(len(names)), 'world')
  parts = [link(rng, name) for name in names]
  order = sorted(names, key=lambda name: (name != 'world', rng.random()))
  for i, child in enumerate(order[1:]):
    if rng.random() < 0.85:
      parts.append(joint(rng, i, rng.choice(order[:i + 1]), child))
  parts += [f'<material name="m{i}"><color rgba="0.{i} 0.5 1 1"/></material>' for i in range(2)]
  parts.append('<gazebo/><transmission/>')
  if rng.random() < 0.6:
    flags = [f'{key}="{rng.choice(("true", "false"))}"' for key in
             ('fusestatic', 'discardvisual', 'balanceinertia', 'strippath', 'alignfree')
             if rng.random() < 0.5]
    flags += [flag for flag in ('boundmass="0.1"', 'boundinertia="0.1"', 'angle="degree"',
                                'inertiafromgeom="true"', 'convexhull="true"', 'settotalmass="5"')
              if rng.random() < 0.2]
    extra = '<option timestep="0.003" nothing="1"><flag gravity="disable"/></option><size nkey="1"/>'
    parts.append(f'<mujoco><compiler {" ".join(flags)}/>{extra if rng.random() < 0.3 else ""}</mujoco>')
  rng.shuffle(parts)
  return f'<robot name="random">{"".join(parts)}</robot>'


def differences(ours, theirs):
  """What differs between two models."""
  found = []
  for name in sorted(name for name in dir(theirs) if not name.startswith('_')):
    a, b = getattr(ours, name, None), getattr(theirs, name)
    if isinstance(b, (int, np.integer)) and name.startswith('n') and name not in MEMORY:
      if int(a) != int(b):
        found.append(f'{name}: {a} instead of {b}')
    elif isinstance(b, bytes) and a != b:
      found.append(f'{name}: {a} instead of {b}')
    elif isinstance(b, np.ndarray):
      a = np.asarray(a)
      if a.shape != b.shape:
        found.append(f'{name}: shape {a.shape} instead of {b.shape}')
      elif a.dtype.kind == 'f':
        scaled = np.abs(a - b) / (1 + np.abs(b))
        # weights are divided by the mass matrix
        tolerance = 1e-10 if 'weight0' in name or 'acc0' in name else TOLERANCE
        if a.size and not np.max(scaled) <= tolerance:
          found.append(f'{name}: {np.max(scaled):.1e}')
      elif not np.array_equal(a, b):
        found.append(f'{name}: differs')
  for group in ('opt', 'stat'):
    for name in dir(getattr(theirs, group)):
      b = getattr(getattr(theirs, group), name)
      if not name.startswith('_') and isinstance(b, (int, float, np.ndarray)):
        if not np.allclose(getattr(getattr(ours, group), name), b, 1e-13, 1e-13):
          found.append(f'{group}.{name}')
  return found


def load(engine, text, path):
  """A model, or why there is none."""
  try:
    if path:
      return engine.MjModel.from_xml_path(str(path)), ''
    return engine.MjModel.from_xml_string(text), ''
  except ValueError as error:
    return None, str(error).splitlines()[0]


def compare(text, path=None):
  """What differs between the engines, and whether the model loads."""
  theirs, why = load(mujoco, text, path)
  ours, reason = load(cortenforge, text, path)
  if theirs is None or ours is None:
    same = (theirs is None) == (ours is None)
    return [] if same else [f'MuJoCo: {why or "loads"}; CortenForge: {reason or "loads"}'], False
  found = differences(ours, theirs)
  spec = cortenforge.MjSpec.from_file(str(path)) if path else cortenforge.MjSpec.from_string(text)
  spec.compile()
  if path:
    again = cortenforge.MjSpec.from_string(spec.to_xml())
    again.modelfiledir = str(path.parent)
  else:
    again = cortenforge.MjSpec.from_string(spec.to_xml())
    # what is fused has lost its names, and saving keeps them
    found += [f'written and read: {what}' for what in differences(again.compile(), ours)]
  return found, True


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('files', nargs='*', type=pathlib.Path)
  parser.add_argument('--count', type=int, default=500)
  parser.add_argument('--seed', type=int, default=0)
  parser.add_argument('--keep', type=pathlib.Path, help='write models that differ to this directory')
  options = parser.parse_args()
  warnings.simplefilter('ignore')
  cases = [(str(path), None, path) for path in options.files]
  for seed in range(options.seed, options.seed + options.count):
    cases.append((f'seed {seed}', robot(random.Random(seed)), None))
  wrong = loaded = 0
  for name, text, path in cases:
    found, loads = compare(text, path)
    loaded += loads
    if found:
      wrong += 1
      print(f'{name}: {"; ".join(found[:6])}', flush=True)
      if options.keep and text:
        options.keep.mkdir(parents=True, exist_ok=True)
        (options.keep / f'{name.replace(" ", "")}.urdf').write_text(text)
  print(f'{len(cases)} robots, {loaded} load, {wrong} differ from MuJoCo {mujoco.__version__}')
  return int(wrong > 0)


if __name__ == '__main__':
  sys.exit(main())

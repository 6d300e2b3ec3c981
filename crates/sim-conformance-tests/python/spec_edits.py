#!/usr/bin/env python3
"""Runs random edit scripts on `MjSpec` of both engines and compares the compiled models.

    spec_edits.py [--count N] [--seed S] [--edits N] [--time]

A script adds, deletes, renames, attaches and copies elements, makes default classes and changes them.
Every edit has to work or fail on both engines alike, and every array of the compiled models has to
be equal, up to 1e-13 of its size for numbers. `--time` measures how long it takes to add bodies
and to attach models instead. The exit status is 1 if anything differs.
"""

import argparse
import math
import random
import sys
import time
import traceback
import warnings

import mujoco

import cortenforge
from urdf import differences

CHILD = '''<mujoco><default><default class="c"><geom size="0.2"/></default></default>
<worldbody><body name="base"><geom name="bg" size="0.1"/><joint name="bj" type="slide"/>
<body name="tip" pos="0 0 1"><geom class="c"/><joint name="tj"/><site name="ts"/></body></body></worldbody>
<actuator><motor name="bm" joint="bj"/></actuator><sensor><jointpos name="bs" joint="tj"/></sensor></mujoco>'''


class Script:
  """One random script on one engine. The choices depend on the seed and on earlier outcomes only."""

  def __init__(self, engine, seed):
    self.engine, self.rng = engine, random.Random(seed)
    self.spec = engine.MjSpec()
    self.bodies = [self.spec.worldbody]
    self.elements = {'geom': [], 'joint': [], 'site': [], 'camera': [], 'light': [], 'frame': []}
    self.classes, self.others, self.log, self.number = [], [], [], 0
    self.referred = set()

  def name(self, kind):
    self.number += 1
    return f'{kind}{self.number}' if self.rng.random() < 0.7 else ''

  def vector(self, count=3, low=-1.0, high=1.0):
    return [round(self.rng.uniform(low, high), 3) for _ in range(count)]

  def body(self):
    return self.rng.choice(self.bodies)

  def default(self):
    return self.rng.choice(self.classes) if self.classes and self.rng.random() < 0.3 else None

  # the edits

  def add_body(self):
    keys = {'name': self.name('b'), 'pos': self.vector()}
    if self.rng.random() < 0.5:
      keys[self.rng.choice(('quat', 'euler', 'zaxis'))] = None
    if 'quat' in keys:
      keys['quat'] = self.vector(4)
    for key in ('euler', 'zaxis'):
      if key in keys:
        keys[key] = self.vector(3, -90, 90)
    body = self.body().add_body(**keys)
    body.add_geom(size=[0.1, 0.2, 0.3], type=self.engine.mjtGeom.mjGEOM_BOX)
    self.bodies.append(body)

  def add_geom(self):
    kind = self.rng.choice(('SPHERE', 'CAPSULE', 'BOX', 'CYLINDER', 'ELLIPSOID'))
    keys = {'name': self.name('g'), 'type': getattr(self.engine.mjtGeom, f'mjGEOM_{kind}'),
            'pos': self.vector(), 'size': self.vector(3, 0.05, 0.5)}
    if self.rng.random() < 0.3:
      keys['rgba'] = self.vector(4, 0, 1)
    if self.rng.random() < 0.3:
      keys['mass'] = self.rng.uniform(0.1, 2)
    if self.rng.random() < 0.3:
      keys['euler'] = self.vector(3, -90, 90)
    self.elements['geom'].append(self.body().add_geom(self.default(), **keys))

  def add_joint(self):
    kind = self.rng.choice(('HINGE', 'SLIDE', 'HINGE', 'BALL'))
    keys = {'name': self.name('j'), 'type': getattr(self.engine.mjtJoint, f'mjJNT_{kind}'),
            'axis': self.vector()}
    if self.rng.random() < 0.5:
      keys['damping'] = 0.5
    # several joints of a body can move it the same way
    keys['armature'] = self.rng.uniform(0.05, 0.1)
    if kind != 'BALL' and self.rng.random() < 0.5:
      keys['range'] = [-1, 1]
    body = self.rng.choice(self.bodies)
    if body is not self.bodies[0]:
      self.elements['joint'].append(body.add_joint(self.default(), **keys))

  def add_site(self):
    self.elements['site'].append(self.body().add_site(self.default(), name=self.name('s'), pos=self.vector()))

  def add_camera(self):
    self.elements['camera'].append(self.body().add_camera(name=self.name('c'), pos=self.vector(), fovy=30))

  def add_light(self):
    self.elements['light'].append(self.body().add_light(name=self.name('l'), pos=self.vector()))

  def add_frame(self):
    body = self.body()
    frame = body.add_frame(name=self.name('f'), pos=self.vector(), euler=self.vector(3, -90, 90))
    self.elements['frame'].append(frame)
    kind = self.rng.choice(('geom', 'site', 'body'))
    if kind == 'geom':
      geom = body.add_geom(size=[0.1, 0, 0])
      geom.set_frame(frame)
      self.elements['geom'].append(geom)
    elif kind == 'site':
      self.elements['site'].append(frame.add_site(name=self.name('s')))
    else:
      inner = frame.add_body(name=self.name('b'))
      inner.add_geom(size=[0.1, 0, 0])
      self.bodies.append(inner)

  # MuJoCo keeps finding an element that something refers to by its old name, for a while
  def rename(self):
    kind = self.rng.choice(list(self.elements))
    free = [x for x in self.elements[kind] if x.name not in self.referred]
    if free:
      element = self.rng.choice(free)
      element.name = self.name(kind) or f'x{self.number}'

  def rename_body(self):
    free = [x for x in self.bodies[1:] if x.name not in self.referred]
    if free:
      self.rng.choice(free).name = f'body{self.number}'
      self.number += 1

  def delete(self):
    kind = self.rng.choice(('geom', 'joint', 'site', 'camera', 'light'))
    if self.elements[kind]:
      element = self.elements[kind].pop(self.rng.randrange(len(self.elements[kind])))
      self.spec.delete(element)

  def delete_body(self):
    if len(self.bodies) > 3 and self.rng.random() < 0.4:
      # the last one: nothing of what is known is inside it, unless it was put there
      body = self.bodies.pop()
      gone = {id(body)}
      for kind, elements in self.elements.items():
        self.elements[kind] = [x for x in elements if id(x.parent) not in gone]
      self.bodies = [x for x in self.bodies if x is self.bodies[0] or x.parent is not body]
      self.spec.delete(body)

  def add_class(self):
    self.number += 1
    parent = self.rng.choice([self.spec.default, *self.classes])
    made = self.spec.add_default(f'class{self.number}', parent)
    made.geom.rgba = self.vector(4, 0, 1)
    made.joint.damping = [self.rng.uniform(0, 1)] if hasattr(made.joint.damping, '__len__') else self.rng.uniform(0, 1)
    made.site.size = self.vector(3, 0.1, 0.3)
    self.classes.append(made)

  def change_class(self):
    made = self.rng.choice([self.spec.default, *self.classes])
    made.geom.friction = self.vector(3, 0.1, 1)
    made.joint.frictionloss = self.rng.uniform(0, 1)

  def move(self):
    kind = self.rng.choice(('geom', 'site', 'camera'))
    if self.elements[kind]:
      self.rng.choice(self.elements[kind]).pos = self.vector()

  def named(self, kind):
    found = [x.name for x in self.elements[kind] if x.name]
    if not found:
      return None
    self.referred.add(found[0])
    return found[0]

  def add_actuator(self):
    target = self.named('joint')
    if target:
      self.spec.add_actuator(name=self.name('a'), trntype=self.engine.mjtTrn.mjTRN_JOINT, target=target,
                             gainprm=[self.rng.uniform(1, 5)] + [0] * 9)

  def add_sensor(self):
    target = self.named('site')
    if target:
      self.spec.add_sensor(name=self.name('n'), type=self.engine.mjtSensor.mjSENS_ACCELEROMETER,
                           objtype=self.engine.mjtObj.mjOBJ_SITE, objname=target)

  def add_tendon(self):
    sites = [x.name for x in self.elements['site'] if x.name]
    if len(sites) > 1:
      tendon = self.spec.add_tendon(name=self.name('t'), stiffness=self.rng.uniform(0, 5))
      for site in self.rng.sample(sites, 2):
        tendon.wrap_site(site)
        self.referred.add(site)

  def add_exclude(self):
    names = [x.name for x in self.bodies[1:] if x.name]
    if len(names) > 1:
      first, second = self.rng.sample(names, 2)
      self.referred |= {first, second}
      self.spec.add_exclude(bodyname1=first, bodyname2=second)

  def add_equality(self):
    names = [x.name for x in self.bodies[1:] if x.name]
    if len(names) > 1:
      first, second = self.rng.sample(names, 2)
      self.referred |= {first, second}
      self.spec.add_equality(name=self.name('e'), type=self.engine.mjtEq.mjEQ_CONNECT,
                             objtype=self.engine.mjtObj.mjOBJ_BODY, name1=first, name2=second)

  def attach(self):
    child = self.engine.MjSpec.from_string(CHILD)
    self.others.append(child)
    self.number += 1
    prefix, suffix = f'p{self.number}_', self.rng.choice(('', '_s'))
    where = self.rng.randrange(3)
    if where == 0 and self.elements['site']:
      self.bodies.append(self.rng.choice(self.elements['site']).attach_body(child.body('base'), prefix, suffix))
    elif where == 1:
      frame = self.body().add_frame(pos=self.vector())
      self.bodies.append(frame.attach_body(child.body('base'), prefix, suffix))
    else:
      frame = self.body().add_frame(pos=self.vector())
      self.spec.attach(child, prefix=prefix, suffix=suffix, frame=frame)

  def edit_child(self):
    if self.others and self.rng.random() < 0.5:
      body = self.rng.choice(self.others).body('tip')
      if body is not None:
        body.pos = self.vector()

  def set_option(self):
    self.spec.option.timestep = self.rng.uniform(0.001, 0.01)
    self.spec.compiler.settotalmass = self.rng.choice((-1, 10))

  def compile_between(self):
    self.spec.compile()

  EDITS = {'add_body': 6, 'add_geom': 5, 'add_joint': 5, 'add_site': 4, 'add_camera': 1, 'add_light': 1,
           'add_frame': 2, 'rename': 2, 'rename_body': 2, 'delete': 3, 'delete_body': 2, 'add_class': 2,
           'change_class': 1, 'move': 2, 'add_actuator': 2, 'add_sensor': 2, 'add_tendon': 1,
           'add_exclude': 1, 'add_equality': 1, 'attach': 2, 'edit_child': 1, 'set_option': 1,
           'compile_between': 0.5}

  def run(self, count):
    """Runs the script; returns the model, or none if it does not compile."""
    for _ in range(count):
      edit = self.rng.choices(list(self.EDITS), self.EDITS.values())[0]
      try:
        getattr(self, edit)()
        self.log.append(edit)
      except (ValueError, mujoco.FatalError, cortenforge.FatalError) as error:
        self.log.append(f'{edit} fails')
        self.reason = str(error)
    try:
      return self.spec.compile(), ''
    except ValueError as error:
      return None, str(error)


def compare(seed, edits):
  """What differs between the engines after a script."""
  ours, theirs = Script(cortenforge, seed), Script(mujoco, seed)
  model, why = ours.run(edits)
  reference, reason = theirs.run(edits)
  if ours.log != theirs.log:
    i = next(i for i, (a, b) in enumerate(zip(ours.log, theirs.log)) if a != b)
    why = getattr(ours, 'reason', '') or getattr(theirs, 'reason', '')
    return [f'edit {i}: {ours.log[i]}, MuJoCo: {theirs.log[i]}: {why[:200]}'], False
  if model is None or reference is None:
    if (model is None) == (reference is None):
      return [], False
    return [f'CortenForge: {why[:200] or "compiles"}; MuJoCo: {reason[:200] or "compiles"}'], False
  found = differences(model, reference)
  if any('compile_between' in edit for edit in ours.log):
    # MuJoCo leaves geoms and volumes of an earlier compilation in its bounding volumes
    found = [what for what in found if 'bvh' not in what]
  return found, True


def add_bodies(engine, spec, count):
  for i in range(count):
    body = spec.worldbody.add_body(name=f'b{i}', pos=[i, 0, 0])
    body.add_geom(size=[0.1, 0, 0], name=f'g{i}')


def attach_models(engine, spec, count):
  for i in range(count):
    frame = spec.worldbody.add_frame(pos=[i, 0, 0])
    spec.attach(engine.MjSpec.from_string(CHILD), prefix=f'r{i}_', frame=frame)


def measure():
  """Times of adding bodies and of attaching models, and the exponents of their growth."""
  # MuJoCo would take minutes for more
  for what, act, counts, most in (('bodies', add_bodies, (1000, 2000, 4000, 8000, 16000), 4000),
                                  ('models', attach_models, (250, 500, 1000, 2000, 4000), 500)):
    print(f'{what:>8}{"CortenForge":>14}{"MuJoCo":>12}{"compile":>12}{"MuJoCo":>12}   seconds')
    rows = []
    for count in counts:
      row = [count]
      for engine in (cortenforge, mujoco):
        if engine is mujoco and count > most:
          row += [math.nan, math.nan]
          continue
        spec = engine.MjSpec()
        start = time.process_time()
        act(engine, spec, count)
        middle = time.process_time()
        spec.compile()
        row += [middle - start, time.process_time() - middle]
      rows.append(row)
      print(f'{count:>8}{row[1]:>14.4f}{row[3]:>12.4f}{row[2]:>12.4f}{row[4]:>12.4f}', flush=True)
    for name, i in (('CortenForge', 1), ('MuJoCo', 3)):
      known = [row for row in rows if not math.isnan(row[i])]
      exponent = math.log(known[-1][i] / known[0][i]) / math.log(known[-1][0] / known[0][0])
      print(f'time of {name} grows with the number of {what} to the power of {exponent:.2f}')


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--count', type=int, default=200)
  parser.add_argument('--seed', type=int, default=0)
  parser.add_argument('--edits', type=int, default=40)
  parser.add_argument('--time', action='store_true')
  options = parser.parse_args()
  warnings.simplefilter('ignore')
  if options.time:
    return measure()
  wrong = compiled = 0
  for seed in range(options.seed, options.seed + options.count):
    try:
      found, compiles = compare(seed, options.edits)
    except Exception as error:  # pylint: disable=broad-exception-caught
      place = traceback.extract_tb(error.__traceback__)[-1]
      found, compiles = [f'{type(error).__name__}: {error} ({place.filename}:{place.lineno})'], False
    compiled += compiles
    if found:
      wrong += 1
      print(f'seed {seed}: {"; ".join(found[:5])}', flush=True)
  print(f'{options.count} scripts of {options.edits} edits, {compiled} compile, {wrong} differ from MuJoCo')
  return int(wrong > 0)


if __name__ == '__main__':
  sys.exit(main())

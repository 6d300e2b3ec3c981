#!/usr/bin/env python3
"""Compares compiled models with MuJoCo's on random valid models.

    random_models.py [--count 1000] [--seed 1] [--module cortenforge] [--keep DIR]

Model number n depends on the seed and n alone. Trees of bodies with joints, geoms, sites, cameras
and lights, in frames and with default classes, replicated and with cables and other models attached
to them; tendons, actuators, sensors, equality constraints, contact pairs and excludes, keyframes and
custom data that refer to them. Models that MuJoCo refuses do not count. Every array of the others is
compared as in conform.py; in addition, what mj_saveLastXML writes has to compile to the same model.

Where the mass matrix is nearly singular, or two principal moments are nearly equal, last digits of
the input are first digits of the output. Arrays that depend on these (SENSITIVE) may differ by as
much as those of MuJoCo do when inputs change by some units in the last place; all others may not.
The exit status is 1 if any model differs.
"""

import argparse
import collections
import importlib
import math
import os
import pathlib
import random
import re
import sys
import tempfile
import time
import xml.etree.ElementTree as ET

import numpy as np

import conform

SCALAR = ('hinge', 'slide')
NOISE = 1e-15

# arrays that follow from the principal axes of bodies or from the inverse of the mass matrix; the
# frames of bodies and of what is on them do so where a free joint is aligned
SENSITIVE = {'body_iquat', 'bvh_aabb', 'body_invweight0', 'dof_invweight0', 'tendon_invweight0',
             'actuator_acc0', 'jnt_stiffness', 'dof_damping', 'actuator_gainprm', 'actuator_biasprm'}
# the search for principal axes ends at a turn of 1e-6: whether there is one more shows in these
SENSITIVE |= {'body_inertia', 'dof_M0'}
ALIGNED = {f'{kind}_{field}' for kind in ('body', 'geom', 'site', 'cam') for field in ('pos', 'quat')}
ALIGNED |= {'qpos0', 'qpos_spring', 'key_qpos', 'light_pos', 'light_dir', 'cam_pos0', 'cam_poscom0',
            'cam_mat0', 'light_poscom0', 'light_pos0', 'light_dir0', 'eq_data', 'tendon_length0',
            'tendon_lengthspring', 'actuator_length0'}

# how many times inputs are changed, by how many units in the last place, and how much larger than
# what follows from that a difference may be
CHANGES, UNITS, FACTOR = 4, 4, 8
LOOSE = 1e-6  # a bound above this says little about a field


class Generator:
  """Writes one random model."""

  def __init__(self, seed, outer=None):
    self.seed, self.outer = seed, outer
    self.files = {}  # models that this one attaches
    self.rng = random.Random(seed)
    self.names = collections.Counter()
    self.classes = ['main']
    self.objects = collections.defaultdict(list)  # names by kind
    self.nq = self.nv = self.nmocap = 0
    self.degrees = self.chance(0.6)
    self.root = ET.Element('mujoco', {'model': f'random {seed}'} if self.chance(0.5) else {})

  # ---- choices

  def chance(self, probability):
    return self.rng.random() < probability

  def number(self, low=-1.0, high=1.0):
    value = self.rng.uniform(low, high)
    return value if self.chance(0.3) else round(value, self.rng.choice((0, 1, 2, 3)))

  def numbers(self, count, low=-1.0, high=1.0):
    return ' '.join(repr(self.number(low, high)) for _ in range(count))

  def positive(self, count=1, low=0.01, high=1.0):
    return ' '.join(repr(round(self.rng.uniform(low, high), self.rng.choice((2, 3, 12))))
                    for _ in range(count))

  def angle(self, count=1, scale=1.0):
    top = (180 if self.degrees else 3) * scale
    return self.numbers(count, -top, top)

  def interval(self, low, high):
    middle = self.rng.uniform(low, high)
    return f'{self.rng.uniform(low - 1e-3, middle)!r} {self.rng.uniform(middle, high + 1e-3)!r}'

  def name(self, kind, probability=1.0):
    """A new name, or none."""
    if not self.chance(probability):
      return None
    self.names[kind] += 1
    # names do not end in a digit, so that those of copies cannot meet by accident
    name = f'{kind}{self.names[kind]}x' if self.chance(0.95) else f'{kind} {self.names[kind]} ä'
    self.objects[kind].append(name)
    return name

  def some(self, choices):
    """Attributes with their probabilities: a dictionary of those that were chosen."""
    found = {}
    for name, probability, value in choices:
      if self.chance(probability):
        found[name] = value()
    return found

  def orientation(self, probability=0.5):
    if not self.chance(probability):
      return {}
    return self.rng.choice((
        lambda: {'quat': self.numbers(4, 0.1, 1)},
        lambda: {'axisangle': f'{self.numbers(2)} 0.7 {self.angle()}'},
        lambda: {'xyaxes': f'1 {self.numbers(2, -0.4, 0.4)} {self.number(-0.4, 0.4)!r} 1 0.1'},
        lambda: {'zaxis': f'{self.numbers(2)} 0.5'},
        lambda: {'euler': self.angle(3)}))()

  def word(self, *words):
    return lambda: self.rng.choice(words)

  # ---- settings

  def settings(self):
    compiler = self.some((
        ('eulerseq', 0.3, lambda: ''.join(self.rng.choice('xyzXYZ') for _ in range(3))),
        ('boundmass', 0.1, self.positive), ('boundinertia', 0.1, self.positive),
        ('settotalmass', 0.1, lambda: self.positive(1, 1, 9)),
        ('inertiafromgeom', 0.2, self.word('true', 'auto')),
        ('inertiagrouprange', 0.1, self.word('0 2', '0 4')),
        ('fusestatic', 0.15, self.word('true')), ('discardvisual', 0.1, self.word('true')),
        ('alignfree', 0.2, self.word('true')), ('usethread', 0.1, self.word('false'))))
    compiler['balanceinertia'] = 'true'
    self.fuses = 'fusestatic' in compiler or bool(self.outer and self.outer.fuses)
    if not self.degrees:
      compiler['angle'] = 'radian'
    ET.SubElement(self.root, 'compiler', compiler)
    option = ET.SubElement(self.root, 'option', self.some((
        ('timestep', 0.3, self.word('0.001', '0.005', '0.0123')),
        ('gravity', 0.2, lambda: self.numbers(3, -10, 10)),
        ('wind', 0.1, lambda: self.numbers(3)), ('density', 0.1, self.positive),
        ('viscosity', 0.1, self.positive), ('magnetic', 0.1, lambda: self.numbers(3)),
        ('integrator', 0.3, self.word('Euler', 'RK4', 'implicit', 'implicitfast')),
        ('cone', 0.2, self.word('elliptic')), ('solver', 0.2, self.word('PGS', 'CG', 'Newton')),
        ('jacobian', 0.2, self.word('dense', 'sparse')),
        ('iterations', 0.2, self.word('10', '50')), ('o_solref', 0.1, lambda: self.positive(2)),
        ('actuatorgroupdisable', 0.1, self.word('1', '0 3')))))
    switch = self.word('enable', 'disable')
    ET.SubElement(option, 'flag', self.some([(name, 0.1, switch) for name in (
        'gravity', 'contact', 'limit', 'spring', 'damper', 'actuation', 'energy', 'eulerdamp',
        'island', 'midphase', 'clampctrl', 'invdiscrete')]))
    ET.SubElement(self.root, 'size', self.some((
        ('nuserdata', 0.2, self.word('3', '10')), ('nkey', 0.1, self.word('2')),
        ('nuser_body', 0.1, self.word('4')), ('nuser_geom', 0.1, self.word('5')),
        ('memory', 0.1, self.word('2M', '-1', '700K')))))
    visual = ET.SubElement(self.root, 'visual')
    ET.SubElement(visual, 'map', self.some((('znear', 0.2, self.positive),
                                            ('force', 0.2, self.positive))))
    ET.SubElement(visual, 'rgba', self.some((('haze', 0.2, lambda: self.positive(4)),)))
    if self.chance(0.2):
      ET.SubElement(self.root, 'statistic', self.some((
          ('meaninertia', 0.3, self.positive), ('meanmass', 0.3, self.positive),
          ('meansize', 0.3, self.positive), ('extent', 0.3, self.positive),
          ('center', 0.3, lambda: self.numbers(3)))))

  # ---- attributes that defaults can have too

  def solver(self, suffix='', probability=0.05):
    return ((f'solref{suffix}', probability, lambda: self.positive(self.rng.choice((1, 2)))),
            (f'solimp{suffix}', probability,
             lambda: ' '.join(('0.8 0.9 0.01 0.4 2').split()[:self.rng.choice((1, 2, 3, 5))])))

  def joint_attributes(self, more=0.15):
    return self.some((
        ('pos', more, lambda: self.numbers(3)), ('group', more, self.word('0', '1', '4')),
        ('stiffness', more, self.positive), ('damping', more, self.positive),
        ('armature', more, self.positive), ('frictionloss', more, self.positive),
        ('margin', more, self.positive), ('ref', more, lambda: self.angle(1, 0.2)),
        ('springref', more, lambda: self.angle(1, 0.2)),
        ('springdamper', more / 3, lambda: self.positive(2, 0.1, 1)),
        ('actuatorfrcrange', more / 3, lambda: self.interval(-2, 2)),
        ('actuatorgravcomp', more, self.word('true')), ('user', more, lambda: self.numbers(2)),
        *self.solver('limit'), *self.solver('friction')))

  def geom_attributes(self, more=0.12):
    return self.some((
        ('contype', more, self.word('0', '1', '3')), ('conaffinity', more, self.word('0', '2')),
        ('condim', more, self.word('1', '3', '4', '6')), ('group', more, self.word('0', '1', '3')),
        ('priority', more, self.word('1', '2')), ('solmix', more, self.positive),
        ('friction', more, lambda: self.positive(self.rng.choice((1, 2, 3)))),
        ('mass', more, lambda: self.positive(1, 0.1, 2)),
        ('density', more, lambda: self.positive(1, 100, 2000)),
        ('shellinertia', more, self.word('true')), ('margin', more, self.positive),
        ('gap', more, self.positive), ('rgba', more, lambda: self.positive(4)),
        ('fluidshape', more, self.word('ellipsoid')),
        ('fluidcoef', more / 2, lambda: self.positive(5)),
        ('user', more, lambda: self.numbers(self.rng.choice((1, 3)))), *self.solver()))

  def site_attributes(self, more=0.15):
    return self.some((
        ('type', more, self.word('sphere', 'capsule', 'ellipsoid', 'cylinder', 'box')),
        ('size', more, lambda: self.positive(self.rng.choice((1, 2, 3)), 0.01, 0.2)),
        ('pos', more, lambda: self.numbers(3)), ('group', more, self.word('0', '2')),
        ('rgba', more, lambda: self.positive(4)), ('user', more, lambda: self.numbers(1))))

  def camera_attributes(self, more=0.2):
    return self.some((
        ('fovy', more, lambda: self.positive(1, 10, 90)), ('pos', more, lambda: self.numbers(3)),
        ('mode', more, self.word('fixed', 'track', 'trackcom')), ('ipd', more, self.positive),
        ('resolution', more, self.word('64 48')), ('user', more, lambda: self.numbers(1))))

  def light_attributes(self, more=0.2):
    return self.some((
        ('type', more, self.word('spot', 'directional', 'point')),
        ('pos', more, lambda: self.numbers(3)), ('dir', more, lambda: f'{self.numbers(2)} -1'),
        ('castshadow', more, self.word('false')), ('active', more, self.word('false')),
        ('diffuse', more, lambda: self.positive(3)), ('cutoff', more, lambda: self.positive(1, 1, 80)),
        ('mode', more, self.word('fixed', 'track'))))

  def tendon_attributes(self, more=0.2):
    return self.some((
        ('group', more, self.word('1', '2')), ('stiffness', more, self.positive),
        ('damping', more, self.positive), ('frictionloss', more, self.positive),
        ('range', more, lambda: self.interval(0, 2)), ('margin', more, self.positive),
        ('springlength', more, lambda: self.rng.choice((self.positive(), '0.1 0.4'))),
        ('width', more, self.positive), ('rgba', more, lambda: self.positive(4)),
        ('user', more, lambda: self.numbers(2)), *self.solver('limit'), *self.solver('friction')))

  def actuator_attributes(self, more=0.15):
    return self.some((
        ('group', more, self.word('0', '1', '3')), ('gear', more, lambda: self.numbers(6)),
        ('forcerange', more, lambda: self.interval(-3, 3)),
        ('user', more, lambda: self.numbers(2)),
        ('nsample', more / 3, self.word('4', '9')),
        ('interp', more / 3, self.word('zoh', 'linear', 'cubic'))))

  def equality_attributes(self, more=0.3):
    return self.some((('active', more, self.word('true', 'false')), *self.solver('', more)))

  def pair_attributes(self, more=0.3):
    return self.some((
        ('condim', more, self.word('1', '3', '4', '6')), ('margin', more, self.positive),
        ('friction', more, lambda: self.positive(self.rng.choice((1, 3, 5)))),
        ('gap', more, self.positive), *self.solver('', more)))

  def default_class(self, parent, depth):
    for kind, attributes in (
        ('joint', self.joint_attributes), ('geom', self.geom_attributes),
        ('site', self.site_attributes), ('camera', self.camera_attributes),
        ('light', self.light_attributes), ('tendon', self.tendon_attributes),
        ('general', self.actuator_attributes), ('equality', self.equality_attributes),
        ('pair', self.pair_attributes)):
      if self.chance(0.35):
        element = ET.SubElement(parent, kind, attributes(0.1))
        if kind in ('site', 'camera') and 'quat' not in element.attrib:
          element.attrib |= self.orientation(0.1)
    for _ in range(self.rng.choice((0, 0, 1, 2)) if depth < 3 else 0):
      name = f'class{len(self.classes)}'
      self.classes.append(name)
      self.default_class(ET.SubElement(parent, 'default', {'class': name}), depth + 1)

  def of_class(self, attributes):
    if self.chance(0.2):
      attributes['class'] = self.rng.choice(self.classes)
    return attributes

  # ---- the tree

  def tree(self):
    world = ET.SubElement(self.root, 'worldbody')
    self.bodies_left = self.rng.choice((1, 3, 6, 12, 20))
    self.things(world, False, False)
    while self.bodies_left > 0:
      self.place(world, 0, False)
    if not self.outer and self.chance(0.15):
      self.attach(world)
    if self.fuses:  # references to bodies that are gone do not load
      self.objects['body'].clear()

  def place(self, parent, depth, moving):
    """Adds a body or a frame with bodies."""
    if self.chance(0.2):
      frame = ET.SubElement(parent, 'frame', self.orientation() | self.some((
          ('pos', 0.6, lambda: self.numbers(3)), ('name', 0.2, lambda: self.name('frame')),
          ('childclass', 0.2, lambda: self.rng.choice(self.classes)))))
      self.things(frame, moving, False)
      for _ in range(self.rng.choice((1, 2))):
        self.place(frame, depth, moving)
    elif self.chance(0.05):
      self.replicate(parent, depth, moving)
    elif self.chance(0.03):
      self.cable(parent, depth)
    else:
      self.body(parent, depth, moving)

  def replicate(self, parent, depth, moving):
    count = self.rng.choice((1, 2, 3))
    replicate = ET.SubElement(parent, 'replicate', {'count': str(count)} | self.some((
        ('offset', 0.7, lambda: self.numbers(3)), ('euler', 0.4, lambda: self.angle(3, 0.2)),
        ('sep', 0.3, self.word('-', '_')),
        ('childclass', 0.2, lambda: self.rng.choice(self.classes)))))
    nq, nv = self.nq, self.nv
    self.place(replicate, depth, moving)
    self.nq += (count - 1) * (self.nq - nq)
    self.nv += (count - 1) * (self.nv - nv)

  def cable(self, parent, depth):
    count = self.rng.choice((4, 5, 7))
    self.bodies_left -= count - 1
    initial = self.rng.choice(('ball', 'none') if depth else ('ball', 'free', 'none'))
    composite = ET.SubElement(parent, 'composite', {
        'type': 'cable', 'prefix': self.name('cable'), 'initial': initial} | self.some((
            ('offset', 0.5, lambda: self.numbers(3)),)))
    if self.chance(0.5):
      composite.set('vertex', ' '.join(
          f'{i} {self.numbers(2)}' for i in range(count)))
    else:
      composite.attrib |= {'count': str(count), 'curve': self.rng.choice((
          's', 's cos(s) 0', 'sin(s) s cos(s)')), 'size': f'{self.positive(1, 2, 4)} 1 1'}
      composite.attrib |= self.some((('quat', 0.5, lambda: self.numbers(4, 0.1, 1)),))
    ET.SubElement(composite, 'geom', {
        'type': self.rng.choice(('capsule', 'cylinder')), 'size': self.positive(1, 0.1, 0.4)})
    if self.chance(0.7):
      ET.SubElement(composite, 'joint', {'kind': 'main'} | self.some((
          ('stiffness', 0.5, self.positive), ('damping', 0.5, self.positive),
          ('armature', 0.5, self.positive))))
    joints = count - 2
    self.nq += 4 * joints + {'ball': 4, 'free': 7, 'none': 0}[initial]
    self.nv += 3 * joints + {'ball': 3, 'free': 6, 'none': 0}[initial]

  def attach(self, world):
    """Attaches another random model, or a body of it."""
    child = Generator(self.seed + 500_000, self)
    file = 'attached.xml'
    self.files[file] = child.model()
    asset = ET.SubElement(self.root, 'asset')
    ET.SubElement(asset, 'model', {'name': 'other', 'file': file})
    frame = ET.SubElement(world, 'frame', self.orientation() | {'pos': self.numbers(3)})
    attach = ET.SubElement(frame, 'attach', {'model': 'other', 'prefix': 'o_'})
    if child.objects['body'] and self.chance(0.7):
      attach.set('body', child.pick('body'))

  def body(self, parent, depth, moving):
    self.bodies_left -= 1
    attributes = self.orientation() | self.some((
        ('pos', 0.8, lambda: self.numbers(3)),
        ('childclass', 0.15, lambda: self.rng.choice(self.classes)),
        ('gravcomp', 0.1, lambda: self.numbers(1)), ('user', 0.1, lambda: self.numbers(2))))
    name = self.name('body', 0.8)
    if name:
      attributes['name'] = name
    body = ET.SubElement(parent, 'body', attributes)
    joints = self.joints(body, depth)
    if not joints and depth == 0 and self.chance(0.3):
      body.set('mocap', 'true')
      self.nmocap += 1
    moving = moving or bool(joints)
    if self.chance(0.5):
      inertial = {'pos': self.numbers(3), 'mass': self.positive()}
      moments = [self.positive(1, low, low + 0.05) for low in (0.5, 0.65, 0.8)]
      self.rng.shuffle(moments)
      if self.chance(0.5):
        inertial |= {'diaginertia': ' '.join(moments)} | self.orientation()
      else:
        inertial['fullinertia'] = f'{" ".join(moments)} {self.numbers(3, -0.02, 0.02)}'
      ET.SubElement(body, 'inertial', inertial)
    self.things(body, moving, bool(joints))
    while self.bodies_left > 0 and depth < 8 and self.chance(0.6):
      self.place(body, depth + 1, moving)

  def joints(self, body, depth):
    kinds = []
    if depth == 0 and self.chance(0.3):
      kinds = ['free']
    elif self.chance(0.75):
      kinds = ['slide'] * self.rng.choice((0, 0, 0, 1, 3))
      kinds += self.rng.choice((['ball'], ['hinge'], ['hinge'], ['hinge'] * 2, []))
    for i, kind in enumerate(kinds):
      name = self.name(kind, 0.8)
      attributes = {'name': name} if name else {}
      # only a freejoint can say how it is aligned, which models that are attached need
      if kind == 'free' and (self.outer or self.chance(0.6)):
        ET.SubElement(body, 'freejoint', attributes | self.some((
            ('align', 0.3, self.word('true', 'false')),)))
      else:
        attributes |= {'type': kind} | self.joint_attributes()
        if kind in SCALAR:
          # joints of a body point different ways
          axis = [repr(self.number(-0.3, 0.3)) for _ in range(3)]
          axis[(i + len(kinds)) % 3] = self.rng.choice(('1', '-1', '0.7'))
          attributes['axis'] = ' '.join(axis)
          if self.chance(0.6):
            attributes['armature'] = self.positive(1, 0.1, 2)
          if self.chance(0.4):
            low, high = (-90, 90) if self.degrees and kind == 'hinge' else (-1.5, 1.5)
            attributes['range'] = self.interval(low, high)
            if name:
              self.objects['limited'].append(name)
        elif kind == 'ball' and self.chance(0.2):
          attributes['range'] = f'0 {90 if self.degrees else 1.5}'
        if kind == 'free':
          attributes.pop('springdamper', None)
        ET.SubElement(body, 'joint', self.of_class(attributes))
      self.nq += {'free': 7, 'ball': 4}.get(kind, 1)
      self.nv += {'free': 6, 'ball': 3}.get(kind, 1)
    return kinds

  def things(self, parent, moving, heavy):
    """Adds geoms, sites, cameras and lights; one geom with mass at least where `heavy`."""
    for i in range(self.rng.choice((1, 1, 2, 3)) if heavy else self.rng.choice((0, 1, 2))):
      kinds = ['sphere', 'capsule', 'ellipsoid', 'cylinder', 'box']
      kind = self.rng.choice(kinds + ['plane'] if parent.tag == 'worldbody' else kinds)
      count = {'sphere': 1, 'capsule': 2, 'cylinder': 2}.get(kind, 3)
      attributes = {'type': kind, 'size': self.positive(count, 0.02, 0.4)} | self.geom_attributes()
      name = self.name(kind if kind in ('sphere', 'cylinder') else 'geom', 0.7)
      if name:
        attributes['name'] = name
        if kind != 'plane':
          self.objects['collider'].append(name)
      if kind in ('capsule', 'cylinder', 'box', 'ellipsoid') and self.chance(0.3):
        attributes['fromto'] = f'{self.numbers(3)} {self.numbers(2)} 1.5'
        attributes['size'] = self.positive(1, 0.02, 0.4)
      else:
        attributes |= self.some((('pos', 0.6, lambda: self.numbers(3)),))
        if kind != 'plane':  # its bounding box is so large that the last bits show when turned
          attributes |= self.orientation()
      if heavy and i == 0:
        attributes |= {'group': '0', 'mass': self.positive(1, 0.1, 2)}
      ET.SubElement(parent, 'geom', self.of_class(attributes))
    for _ in range(self.rng.choice((0, 1, 1, 2))):
      attributes = self.site_attributes() | {'pos': self.numbers(3)}
      if attributes.get('type', 'sphere') != 'sphere' or self.chance(0.5):
        attributes['size'] = self.positive(3, 0.01, 0.2)
      name = self.name('site', 0.9)
      ET.SubElement(parent, 'site', self.of_class(
          attributes | self.orientation() | ({'name': name} if name else {})))
    if self.fuses:  # MuJoCo crashes on cameras and lights of bodies that are gone
      return
    if self.chance(0.1):
      camera = self.camera_attributes() | self.orientation() | {'name': self.name('camera')}
      ET.SubElement(parent, 'camera', self.of_class(camera))
    if self.chance(0.1):
      ET.SubElement(parent, 'light', self.of_class(self.light_attributes()))

  # ---- what refers to the tree

  def pick(self, kind):
    return self.rng.choice(self.objects[kind])

  def scalar_joint(self):
    return self.rng.choice(self.objects['hinge'] + self.objects['slide'])

  def tendons(self):
    section = ET.SubElement(self.root, 'tendon')
    for _ in range(self.rng.choice((0, 0, 1, 3))):
      scalar = self.objects['hinge'] + self.objects['slide']
      attributes = self.of_class(self.tendon_attributes()) | {'name': self.name('tendon')}
      if scalar and self.chance(0.4):
        for unknown in ('width', 'rgba'):
          attributes.pop(unknown, None)
        tendon = ET.SubElement(section, 'fixed', attributes)
        for joint in self.rng.sample(scalar, min(len(scalar), self.rng.choice((1, 2, 3)))):
          ET.SubElement(tendon, 'joint', {'joint': joint, 'coef': repr(self.number(0.1, 2))})
      elif len(self.objects['site']) > 3:
        tendon = ET.SubElement(section, 'spatial', attributes)
        for branch in range(self.rng.choice((1, 1, 2))):
          if branch:
            ET.SubElement(tendon, 'pulley', {'divisor': self.rng.choice(('2', '1.5'))})
          sites = self.rng.sample(self.objects['site'], self.rng.choice((2, 2, 3)))
          ET.SubElement(tendon, 'site', {'site': sites[0]})
          for site in sites[1:]:
            round_things = self.objects['sphere'] + self.objects['cylinder']
            if round_things and self.chance(0.3):
              wrap = {'geom': self.rng.choice(round_things)}
              if self.chance(0.4):
                wrap['sidesite'] = self.pick('site')
              ET.SubElement(tendon, 'geom', wrap)
            ET.SubElement(tendon, 'site', {'site': site})
      else:
        self.objects['tendon'].pop()

  def actuators(self):
    section = ET.SubElement(self.root, 'actuator')
    scalar = self.objects['hinge'] + self.objects['slide']
    for _ in range(self.rng.choice((0, 1, 2, 5))):
      targets = []
      if scalar:
        targets += [('joint', self.scalar_joint)] * 3 + [('jointinparent', self.scalar_joint)]
      for joint in ('ball', 'free'):
        if self.objects[joint]:
          targets.append(('joint', lambda joint=joint: self.pick(joint)))
      if self.objects['tendon']:
        targets.append(('tendon', lambda: self.pick('tendon')))
      if len(self.objects['site']) > 1:
        targets.append(('site', lambda: self.pick('site')))
      if not targets:
        return
      target, choose = self.rng.choice(targets)
      self.actuator(section, target, choose())
    if self.objects['body'] and self.chance(0.1):
      ET.SubElement(section, 'adhesion', self.of_class(
          {'body': self.pick('body'), 'ctrlrange': '0 1', 'gain': self.positive()}))

  def actuator(self, section, target, name):
    kind = self.rng.choice(('general', 'motor', 'position', 'velocity', 'intvelocity', 'damper',
                            'cylinder', 'muscle'))
    attributes = self.actuator_attributes() | {target: name, 'name': self.name('actuator')}
    if kind == 'muscle' and target not in ('joint', 'tendon'):
      kind = 'motor'
    if target == 'site' and self.chance(0.4):
      attributes['refsite'] = self.pick('site')
    if kind in ('motor', 'velocity', 'cylinder') and self.chance(0.4):
      attributes['ctrlrange'] = self.interval(-2, 2)
    if kind == 'general':
      attributes |= self.some((
          ('ctrlrange', 0.4, lambda: self.interval(-2, 2)),
          ('dyntype', 0.4, self.word('none', 'integrator', 'filter', 'filterexact')),
          ('dynprm', 0.4, lambda: self.positive(self.rng.choice((1, 3)))),
          ('gaintype', 0.4, self.word('fixed', 'affine')),
          ('gainprm', 0.4, lambda: self.numbers(self.rng.choice((1, 3, 10)))),
          ('biastype', 0.4, self.word('none', 'affine')),
          ('biasprm', 0.4, lambda: f'{self.numbers(2)} -0.1'),
          ('actearly', 0.2, self.word('true')), ('lengthrange', 0.2, self.word('0.1 0.7'))))
      if attributes.get('dyntype', 'none') != 'none' and self.chance(0.3):
        attributes['actrange'] = self.interval(-1, 1)
    elif kind in ('position', 'intvelocity'):
      attributes |= self.some((('kp', 0.5, lambda: self.positive(1, 1, 30)),
                               ('timeconst', 0.3 * (kind == 'position'), self.positive)))
      attributes |= self.rng.choice(({'kv': self.positive()}, {'dampratio': self.positive()}, {}))
      if target == 'joint' and name in self.objects['limited'] and self.chance(0.5):
        attributes['inheritrange'] = self.rng.choice(('1', '0.7'))
      elif kind == 'intvelocity':
        attributes['actrange'] = self.interval(-1, 1)
      elif self.chance(0.4):
        attributes['ctrlrange'] = self.interval(-2, 2)
    elif kind == 'velocity':
      attributes |= self.some((('kv', 0.5, self.positive),))
    elif kind == 'damper':
      attributes |= {'kv': self.positive(), 'ctrlrange': '0 2'}
    elif kind == 'cylinder':
      attributes |= self.some((('timeconst', 0.5, self.positive), ('area', 0.4, self.positive),
                               ('diameter', 0.2, self.positive),
                               ('bias', 0.4, lambda: self.numbers(3))))
    elif kind == 'muscle':
      attributes['lengthrange'] = '0.2 1.1'
      attributes |= self.some((('timeconst', 0.3, lambda: self.positive(2)),
                               ('range', 0.3, self.word('0.7 1.1')), ('force', 0.3, self.positive),
                               ('scale', 0.3, self.positive), ('lmax', 0.2, self.word('1.7')),
                               ('tausmooth', 0.2, self.positive)))
    if 'nsample' in attributes and self.chance(0.7):
      attributes['delay'] = self.rng.choice(('0.004', '0.0051'))
    ET.SubElement(section, kind, self.of_class(attributes))

  def equalities(self):
    section = ET.SubElement(self.root, 'equality')
    scalar = self.objects['hinge'] + self.objects['slide']
    for _ in range(self.rng.choice((0, 0, 1, 2))):
      attributes = self.of_class(self.equality_attributes()) | {'name': self.name('equality')}
      bodies, sites = self.objects['body'], self.objects['site']
      kind = self.rng.choice(('connect', 'weld', 'joint', 'tendon', 'site'))
      if kind == 'joint' and scalar:
        chosen = self.rng.sample(scalar, min(2, len(scalar)))
        attributes |= {f'joint{i + 1}': joint for i, joint in enumerate(chosen)}
        attributes |= self.some((('polycoef', 0.5, lambda: self.numbers(self.rng.choice((2, 5)))),))
      elif kind == 'tendon' and self.objects['tendon']:
        attributes |= {'tendon1': self.pick('tendon')}
      elif kind == 'site' and len(sites) > 1:
        kind = self.rng.choice(('connect', 'weld'))
        first, second = self.rng.sample(sites, 2)
        attributes |= {'site1': first, 'site2': second}
      elif kind in ('connect', 'weld') and bodies:
        chosen = self.rng.sample(bodies, min(2, len(bodies)))
        attributes |= {f'body{i + 1}': body for i, body in enumerate(chosen)}
        if kind == 'connect' or self.chance(0.5):
          attributes['anchor'] = self.numbers(3)
        if kind == 'weld':
          attributes |= self.some((
              ('relpose', 0.5, lambda: f'{self.numbers(3)} {self.numbers(4, 0.1, 1)}'),
              ('torquescale', 0.5, self.positive)))
      else:
        continue
      ET.SubElement(section, kind, attributes)

  def contacts(self):
    section = ET.SubElement(self.root, 'contact')
    if len(self.objects['collider']) > 1 and self.chance(0.4):
      first, second = self.rng.sample(self.objects['collider'], 2)
      ET.SubElement(section, 'pair', self.of_class(
          {'geom1': first, 'geom2': second} | self.pair_attributes()))
    if len(self.objects['body']) > 1 and self.chance(0.4):
      first, second = self.rng.sample(self.objects['body'], 2)
      ET.SubElement(section, 'exclude', {'body1': first, 'body2': second})

  def sensors(self):
    section = ET.SubElement(self.root, 'sensor')
    scalar = self.objects['hinge'] + self.objects['slide']
    for _ in range(self.rng.choice((0, 1, 3, 8))):
      attributes = self.some((
          ('cutoff', 0.2, self.positive), ('noise', 0.2, self.positive),
          ('user', 0.2, lambda: self.numbers(2)))) | {'name': self.name('sensor')}
      kinds = [('clock', {}), ('e_kinetic', {})]
      if self.objects['site']:
        kind = self.rng.choice(('touch', 'accelerometer', 'velocimeter', 'gyro', 'force', 'torque',
                                'magnetometer', 'rangefinder'))
        kinds.append((kind, {'site': self.pick('site')}))
      if scalar:
        kind = self.rng.choice(('jointpos', 'jointvel', 'jointactuatorfrc'))
        kinds.append((kind, {'joint': self.scalar_joint()}))
      if self.objects['ball']:
        kind = self.rng.choice(('ballquat', 'ballangvel'))
        kinds.append((kind, {'joint': self.pick('ball')}))
      if self.objects['limited']:
        kind = self.rng.choice(('jointlimitpos', 'jointlimitvel', 'jointlimitfrc'))
        kinds.append((kind, {'joint': self.pick('limited')}))
      if self.objects['tendon']:
        kind = self.rng.choice(('tendonpos', 'tendonvel', 'tendonactuatorfrc'))
        kinds.append((kind, {'tendon': self.pick('tendon')}))
      if self.objects['actuator']:
        kind = self.rng.choice(('actuatorpos', 'actuatorvel', 'actuatorfrc'))
        kinds.append((kind, {'actuator': self.pick('actuator')}))
      if self.objects['body']:
        kind = self.rng.choice(('subtreecom', 'subtreelinvel', 'subtreeangmom'))
        kinds.append((kind, {'body': self.pick('body')}))
        kind = self.rng.choice(('framepos', 'framequat', 'framexaxis', 'framelinvel', 'frameangvel'))
        frame = {'objtype': self.rng.choice(('body', 'xbody')), 'objname': self.pick('body')}
        if self.objects['site'] and self.chance(0.5):
          frame |= {'reftype': 'site', 'refname': self.pick('site')}
        kinds.append((kind, frame))
      if self.objects['collider']:
        kinds.append(('framepos', {'objtype': 'geom', 'objname': self.pick('collider')}))
      kind, target = self.rng.choice(kinds)
      if kind in ('ballquat', 'framequat', 'framexaxis'):
        attributes.pop('cutoff', None)
      ET.SubElement(section, kind, attributes | target)

  def rest(self):
    custom = ET.SubElement(self.root, 'custom')
    if self.chance(0.3):
      ET.SubElement(custom, 'numeric', {'name': self.name('numeric'), 'data': self.numbers(3)}
                    | self.some((('size', 0.5, self.word('3', '7')),)))
    if self.chance(0.3):
      ET.SubElement(custom, 'text', {'name': self.name('text'), 'data': 'one <two> & "three"'})
    bodies = [name for name in self.objects['body'] if ' ' not in name]  # MuJoCo splits the others
    if bodies and self.chance(0.3):
      tuple_ = ET.SubElement(custom, 'tuple', {'name': self.name('tuple')})
      ET.SubElement(tuple_, 'element', {'objtype': 'body', 'objname': self.rng.choice(bodies),
                                        'prm': repr(self.number())})
    keyframe = ET.SubElement(self.root, 'keyframe')
    for _ in range(self.rng.choice((0, 0, 1, 2))):
      ET.SubElement(keyframe, 'key', self.some((
          ('name', 0.5, lambda: self.name('key')), ('time', 0.3, self.positive),
          ('qpos', 0.6 * (self.nq > 0), lambda: self.numbers(self.nq, 0.1, 1)),
          ('qvel', 0.3 * (self.nv > 0), lambda: self.numbers(self.nv)),
          ('mpos', 0.5 * (self.nmocap > 0), lambda: self.numbers(3 * self.nmocap)),
          ('mquat', 0.5 * (self.nmocap > 0), lambda: self.numbers(4 * self.nmocap, 0.1, 1)))))

  def model(self):
    self.settings()
    self.default_class(ET.SubElement(self.root, 'default'), 0)
    self.tree()
    for part in (self.tendons, self.actuators, self.equalities, self.contacts, self.sensors,
                 self.rest):
      part()
    sections = list(self.root)
    if self.chance(0.3):  # the order of the sections has no meaning
      self.rng.shuffle(sections)
      self.root[:] = sections
    ET.indent(self.root)
    return ET.tostring(self.root, encoding='unicode')


def changed(text, rng):
  """The model with every fraction changed by some units in the last place."""
  def change(match):
    value = float(match[0])
    return repr(value + rng.randint(-UNITS, UNITS) * math.ulp(value)) if value else match[0]
  numbers = re.compile(r'(?<![\w.])-?\d*\.\d+(e-?\d+)?(?![\w.])')
  return re.sub(r'="[^"]*"', lambda value: numbers.sub(change, value[0]), text)


class Bounds:
  """How much arrays of the reference change with last digits of the input."""

  def __init__(self, mujoco, text, reference):
    self.mujoco, self.text, self.reference = mujoco, text, reference
    self.models = None

  def error(self, name):
    """The largest error of an array, scaled as in conform.py."""
    if self.models is None:
      rng = random.Random(len(self.text))
      self.models = []
      for _ in range(CHANGES):
        try:
          self.models.append(load(self.mujoco, changed(self.text, rng)))
        except ValueError:
          pass  # at the edge of what MuJoCo accepts
    tolerance = conform.TOLERANCES['arrays']
    theirs = getattr(self.reference, name)
    return max((conform.error(getattr(model, name), theirs, tolerance) for model in self.models),
               default=0.0)


def load(engine, text):
  """Compiles a model in the current directory, where the models that it attaches are."""
  pathlib.Path('model.xml').write_text(text)
  return engine.MjModel.from_xml_path('model.xml')


def judge(engine, text, reference, bounds, scratch):
  """What is wrong with the engine's model, None if nothing is; and the largest bound needed."""
  try:
    ours = load(engine, text)
  except ValueError as err:
    return f'does not load: {err}', 0.0
  verdict = conform.compare_models(ours, reference)
  loosest = 0.0
  sensitive = SENSITIVE | ALIGNED if 'align' in text else SENSITIVE
  for name, error in list(verdict.failed.items()):
    if name in sensitive and error < conform.WORST:
      bound = FACTOR * bounds.error(name)
      if error < bound:
        loosest = max(loosest, bound)
        del verdict.failed[name]
        continue
    # where everything cancels, what is left are the last bits of inputs of the order of one
    mine, theirs = (np.asarray(getattr(m, name, 0.0)) for m in (ours, reference))
    if mine.shape != theirs.shape or theirs.dtype != np.float64:
      continue
    if np.max(np.abs(mine - theirs), initial=0.0) < NOISE:
      del verdict.failed[name]
  if verdict.failed:
    return f'differs in {verdict.failed}', loosest
  if engine.__name__ != 'mujoco':
    engine.mj_saveLastXML(scratch, ours)
    try:
      again = engine.MjModel.from_xml_path(scratch)
    except ValueError as err:
      return f'does not load when saved: {err}', loosest
    verdict = conform.compare_models(again, ours)
    if verdict.worst[1] > 0:
      return f'differs when saved in {verdict.worst}', loosest
  return None, loosest


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--count', type=int, default=1000, help='models that MuJoCo accepts')
  parser.add_argument('--seed', type=int, default=1)
  parser.add_argument('--first', type=int, default=0, help='number of the first model')
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  parser.add_argument('--keep', type=pathlib.Path, help='write models that differ here')
  options = parser.parse_args()

  import mujoco  # pylint: disable=import-outside-toplevel
  import warnings  # pylint: disable=import-outside-toplevel
  warnings.simplefilter('ignore')
  engine = importlib.import_module(options.module)
  start = time.perf_counter()
  number, accepted, bounded, loose = options.first, 0, 0, 0
  wrong, refused = [], collections.Counter()
  with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)  # MuJoCo writes its log to the current directory
    while accepted < options.count:
      generator = Generator(options.seed * 1_000_000 + number)
      text = generator.model()
      for file, other in generator.files.items():
        pathlib.Path(file).write_text(other)
      number += 1
      try:
        reference = load(mujoco, text)
      except ValueError as err:
        refused[str(err).splitlines()[0][:90]] += 1
        if sum(refused.values()) > 20 * (accepted + 10):
          sys.exit(f'MuJoCo accepts next to none of the models: {refused.most_common(5)}')
        continue
      accepted += 1
      bounds = Bounds(mujoco, text, reference)
      fault, bound = judge(engine, text, reference, bounds, 'saved.xml')
      bounded += bound > 0
      loose += bound > LOOSE
      if fault:
        wrong.append(number - 1)
        print(f'model {number - 1} of seed {options.seed} {fault}', flush=True)
        if options.keep:
          options.keep.mkdir(parents=True, exist_ok=True)
          stem = f'{options.seed}_{number - 1}'
          for file, other in generator.files.items():
            (options.keep / f'{stem}_{file}').write_text(other)
            text = text.replace(file, f'{stem}_{file}')
          (options.keep / f'{stem}.xml').write_text(text)
  print(f'{accepted} random models, {len(wrong)} differ; {bounded} amplify rounding of sensitive '
        f'arrays beyond 1e-12, {loose} of them beyond {LOOSE:.0e}; '
        f'{sum(refused.values())} that MuJoCo refuses are left out; '
        f'{time.perf_counter() - start:.1f} s')
  for message, count in refused.most_common(5):
    print(f'  refused {count}: {message}')
  sys.exit(bool(wrong))


if __name__ == '__main__':
  main()

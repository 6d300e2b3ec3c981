#!/usr/bin/env python3
"""Scenes of many bodies, of any size, as MJCF text.

    scenes.py heap 1000 > heap.xml

Each function returns the text of a model; the same arguments give the same text.
"""

import copy
import math
import pathlib
import sys
import xml.etree.ElementTree as ET

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]


def heap(count, seed=0):
  """Boxes of all sizes that fall into a square pit and end up on top of each other."""
  rng = np.random.default_rng(seed)
  side = max(1, math.ceil(count ** (1 / 3)))
  spacing = 0.17
  half = (side + 0.4) * spacing / 2
  height = side * spacing
  corner = np.array([height / 2, height / 2, 0])
  bodies = []
  for k in range(count):
    cell = np.array([k % side, k // side % side, k // side**2])
    # every other layer stands on the gaps of the one below
    offset = np.array([0.2, 0.2, 0]) * (-1) ** cell[2]
    pos = (cell + 0.5 + offset) * spacing - corner + rng.uniform(-0.01, 0.01, 3)
    quat = np.array([1, 0, 0, 0]) + rng.normal(scale=0.15, size=4)
    bodies.append(
        f'<body pos="{numbers(pos)}" quat="{numbers(quat / np.linalg.norm(quat))}"><freejoint/>'
        f'<geom type="box" size="{numbers(rng.uniform(0.04, 0.07, 3))}"/></body>')
  walls = ''.join(
      f'<geom type="plane" size="{half} {height} 0.1" pos="{x * half} {y * half} 0" '
      f'zaxis="{-x} {-y} 0"/>' for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)])
  return scene(f'heap of {count} boxes', walls + '\n'.join(bodies))


def boxes(count, height=5):
  """Stacks of equal boxes that do not touch each other, `height` boxes each but for the last."""
  stacks = math.ceil(count / height)
  side = max(1, math.ceil(math.sqrt(stacks)))
  bodies = []
  for k in range(count):
    stack, level = divmod(k, height)
    pos = [0.3 * (stack % side), 0.3 * (stack // side), 0.05 + 0.1 * level]
    bodies.append(f'<body pos="{numbers(pos)}"><freejoint/>'
                  '<geom type="box" size="0.05 0.05 0.05"/></body>')
  return scene(f'{count} boxes', '\n'.join(bodies))


def figures(count, spacing=1.5):
  """Copies of the figure of `models/figure.xml`; with small spacing they fall into one pile."""
  model = ET.parse(ROOT / 'models' / 'figure.xml').getroot()
  for flag in model.iter('flag'):
    flag.attrib.clear()
  model.set('model', f'{count} figures')
  # only what belongs to the bodies
  for tag in ('sensor', 'actuator', 'contact', 'tendon', 'equality', 'keyframe'):
    for element in model.findall(tag):
      model.remove(element)
  world = model.find('worldbody')
  figure = world.find('body')
  world.remove(figure)
  side = max(1, math.ceil(math.sqrt(count)))
  for k in range(count):
    body = copy.deepcopy(figure)
    for element in body.iter():
      if 'name' in element.attrib:
        element.set('name', f'{element.get("name")} {k}')
    # a little higher each, so that they do not all land at once
    body.set('pos', numbers([spacing * (k % side), spacing * (k // side), 1.4 + 0.02 * k]))
    world.append(body)
  return ET.tostring(model, encoding='unicode')


def scene(name, world):
  return (f'<mujoco model="{name}"><option timestep="0.005"/><size memory="1G"/><worldbody>'
          f'<geom type="plane" size="20 20 0.1"/>\n{world}\n</worldbody></mujoco>')


def numbers(values):
  return ' '.join(f'{value:.6g}' for value in values)


def main():
  kinds = {'heap': heap, 'boxes': boxes, 'figures': figures}
  if len(sys.argv) < 3 or sys.argv[1] not in kinds:
    sys.exit(__doc__)
  print(kinds[sys.argv[1]](*(float(x) if '.' in x else int(x) for x in sys.argv[2:])))


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Compares the speed of the collision stage with the installed MuJoCo's.

    bench_collision.py [--humanoid FILE] [--module cortenforge]

Both engines run `mj_collision` on the same poses in one process, taking turns; the least time
counts, less that of a call with contacts switched off. FILE is a humanoid of primitive geoms; with
it there are rows for one that stands and for 22 of them. The last line is how the time grows from
100 to 10,000 scattered geoms.
"""

import argparse
import importlib
import math
import time

import mujoco
import numpy as np

DISABLE_CONTACT = 16
SHAPES = ('sphere', 'capsule', 'box')


def per_call(module, model, data, count):
  start = time.thread_time()  # what other processes take does not count
  for _ in range(count):
    module.mj_collision(model, data)
  return (time.thread_time() - start) / count


def bodies(places, shapes):
  """A model of free bodies over a floor."""
  text = ''.join(f'<body pos="{x:.4f} {y:.4f} {z:.4f}"><freejoint/>'
                 f'<geom type="{shapes[i % len(shapes)]}" size=".1 .1 .1"/></body>'
                 for i, (x, y, z) in enumerate(places))
  return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{text}</worldbody></mujoco>'


def heap(count):
  """Boxes stacked loosely, to be dropped."""
  rng = np.random.default_rng(0)
  side = math.ceil(count ** (1 / 3))
  places = [(i % side, i // side % side, i // side**2) for i in range(count)]
  return bodies(0.25 * np.array(places) + rng.uniform(-.02, .02, (count, 3)) + [0, 0, .15], ('box',))


def scattered(count):
  """Shapes at any places in a cube, as dense for any count."""
  places = np.random.default_rng(0).uniform(0, 0.6 * count ** (1 / 3), (count, 3))
  return bodies(places + [0, 0, .5], SHAPES)


def crowd(path, count):
  """Several of the same model, side by side."""
  spec = mujoco.MjSpec()
  spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[9, 9, 1])
  for i in range(count):
    one = mujoco.MjSpec.from_file(path)
    for element in [*one.keys, *one.worldbody.geoms, *one.worldbody.cameras, *one.worldbody.lights]:
      one.delete(element)
    frame = spec.worldbody.add_frame(pos=[i % 5, i // 5, 0])
    frame.attach_body(one.worldbody.bodies[0], f'{i}_', '')
  spec.compile()
  return spec.to_xml()


class Bench:
  """Measures and prints rows."""

  def __init__(self, engine):
    self.engine = engine

  def ours(self, text, data):
    model = self.engine.MjModel.from_xml_string(text)
    mine = self.engine.MjData(model)
    if data is not None:
      mine.qpos[:] = data.qpos
    self.engine.mj_kinematics(model, mine)
    return model, mine

  def row(self, name, text, steps, repeats=20):
    """One scene after some steps of MuJoCo."""
    reference = mujoco.MjModel.from_xml_string(text)
    reference.vis.global_.bvactive = 0
    theirs = mujoco.MjData(reference)
    if steps:
      mujoco.mj_step(reference, theirs, steps)
    mujoco.mj_kinematics(reference, theirs)
    model, mine = self.ours(text, theirs)
    mujoco.mj_collision(reference, theirs)
    self.engine.mj_collision(model, mine)
    assert np.array_equal(theirs.contact.geom, mine.contact.geom), 'the contacts differ'
    contacts = theirs.ncon
    runs = ((mujoco, reference, theirs), (self.engine, model, mine))
    count = max(3, int(0.02 / per_call(*runs[0], 3)))
    best = {}
    for _ in range(repeats):
      for flag in (0, DISABLE_CONTACT):
        for which, (module, of, data) in enumerate(runs):
          of.opt.disableflags = flag
          key = which, flag
          best[key] = min(best.get(key, math.inf), per_call(module, of, data, count))
    times = [best[which, 0] - best[which, DISABLE_CONTACT] for which in range(2)]
    print(f'{name:20} {contacts:6} contacts  MuJoCo {times[0] * 1e6:9.2f} us  '
          f'ours {times[1] * 1e6:9.2f} us  {times[0] / times[1]:5.2f} times', flush=True)

  def growth(self, counts):
    times = []
    for count in counts:
      model, mine = self.ours(scattered(count), None)
      calls = max(3, 20_000 // count)
      times.append(min(per_call(self.engine, model, mine, calls) for _ in range(15)))
      print(f'scattered {count:10} {len(mine.contact):6} contacts  ours {times[-1] * 1e6:9.2f} us')
    exponent = math.log(times[-1] / times[0]) / math.log(counts[-1] / counts[0])
    print(f'growth: the power {exponent:.2f} of the number of geoms')


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--humanoid', help='a model of a humanoid')
  parser.add_argument('--module', default='cortenforge', help='engine to compare with MuJoCo')
  options = parser.parse_args()
  bench = Bench(importlib.import_module(options.module))
  if options.humanoid:
    with open(options.humanoid, encoding='utf8') as file:
      bench.row('humanoid standing', file.read(), 0)
    bench.row('22 humanoids', crowd(options.humanoid, 22), 300)
  bench.row('heap of 1000 boxes', heap(1000), 150, 8)
  bench.growth((100, 1000, 10_000))


if __name__ == '__main__':
  main()

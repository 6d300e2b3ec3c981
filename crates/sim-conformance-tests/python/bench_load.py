#!/usr/bin/env python3
"""Compares how fast CortenForge and MuJoCo load models.

    bench_load.py [MODELS ...] [--write README.md]

MODELS are files or directories, those of the project by default; models that one of the engines
does not load are left out. The last row compiles a generated model of 5,000 bodies from text.
"""

import argparse
import pathlib
import time
import warnings

import cortenforge
import mujoco

import bench
import conform
import report

BODIES = 5000


def many_bodies(count):
  """A model of `count` bodies: short branching arms on a large floor, written as text."""
  out = ['<mujoco model="many bodies"><option><flag contact="disable"/></option><default>'
         '<geom type="capsule" size="0.02" contype="0" conaffinity="0"/>'
         '<joint axis="0 1 0" damping="0.1"/></default><worldbody>']
  for arm in range(count // 5):
    x, y = arm % 40, arm // 40
    out.append(f'<body name="base{arm}" pos="{x} {y} 1"><joint name="a{arm}"/>'
               '<geom fromto="0 0 0 0.2 0 0"/>')
    for link in range(2):
      out.append(f'<body name="left{arm}_{link}" pos="0.2 0 0" euler="0 0 {20 + link}">'
                 '<joint axis="0 0 1"/><geom fromto="0 0 0 0.2 0 0"/>')
    out.append('</body></body>')
    for link in range(2):
      out.append(f'<body name="right{arm}_{link}" pos="0.2 0 0" quat="1 0 0.1 0.{link + 1}">'
                 '<joint axis="1 0 0"/><geom type="box" size="0.1 0.02 0.03"/><site pos="0 0 0.1"/>')
    out.append('</body></body></body>')
  out.append('</worldbody></mujoco>')
  return '\n'.join(out)


def seconds_of(load):
  start = time.perf_counter()
  load()
  return time.perf_counter() - start


def rounds_in(seconds, loaders):
  """How often models can be loaded in a time."""
  return min(100, max(2, int(seconds / sum(map(seconds_of, loaders)))))


def compare(name, loaders, rounds):
  """Prints the milliseconds of two ways to load a model, and returns them."""
  runs = [lambda _, load=load: 1e3 * seconds_of(load) for load in loaders]
  mine, theirs = bench.take_turns(runs, rounds)
  print(f'{name:<32} {mine:>12.3f} {theirs:>12.3f} ms {theirs / mine:>8.2f}', flush=True)
  return mine, theirs


def main():
  parser = argparse.ArgumentParser(description=__doc__,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('models', nargs='*', type=pathlib.Path)
  parser.add_argument('--seconds', type=float, default=0.25, help='time to spend per model')
  parser.add_argument('--write', type=pathlib.Path, help='write the result into this document')
  options = parser.parse_args()
  warnings.simplefilter('ignore')

  engines, ratios = (cortenforge, mujoco), []
  print(f'{"model":<32} {"cortenforge":>12} {"mujoco":>12}    {"ratio":>8}')
  for path in conform.find_models(options.models or [bench.ROOT / 'models']):
    loaders = [lambda e=engine: e.MjModel.from_xml_path(str(path)) for engine in engines]
    try:
      for load in loaders:
        load()
    except ValueError:
      continue
    mine, theirs = compare(path.stem[:32], loaders, rounds_in(options.seconds, loaders))
    ratios.append(theirs / mine)
  text = many_bodies(BODIES)
  mine, theirs = compare(f'{BODIES} bodies', [
      lambda e=engine: e.MjModel.from_xml_string(text) for engine in engines], 1)
  said = (f'Loading is {bench.mean(ratios):.1f} times as fast (geometric mean over {len(ratios)} models); '
          f'a model of {BODIES:,} bodies loads in {mine / 1e3:.2f} s instead of {theirs / 1e3:.0f} s.')
  print(said)
  if options.write:
    report.write(options.write, 'load', said)


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Compares pictures and scenes with those of MuJoCo, drawn by OSMesa in the same process.

    render_truth.py [models]                        similarity of pictures, and speed
    render_truth.py [models] --scenes               every flag, label and frame, as scene
    render_truth.py [models] --check                fails when a bar is missed

Both engines draw the same states in turns. MuJoCo needs Debian's `libosmesa6`; it is told to draw on
one thread. Times are CPU times of the process, the least of several pictures.
"""

import argparse
import contextlib
import os
import pathlib
import statistics
import sys
import time

# before MuJoCo is loaded: software OpenGL, in the calling thread
os.environ['MUJOCO_GL'] = 'osmesa'
os.environ['LP_NUM_THREADS'] = '0'

import cortenforge
import mujoco
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
SIZE = (480, 640)
SHADOW, REFLECTION = int(mujoco.mjtRndFlag.mjRND_SHADOW), int(mujoco.mjtRndFlag.mjRND_REFLECTION)

# model in the corpus (or in models/), steps from the first keyframe or the initial state
SCENES = {
    'humanoid': ('mujoco/model/humanoid/humanoid.xml', 200),
    'hundred humanoids': ('mujoco/model/humanoid/100_humanoids.xml', 100),
    'car': ('mujoco/model/car/car.xml', 100),
    'adhesion': ('mujoco/model/adhesion/active_adhesion.xml', 0),
    'dominos': ('mujoco/model/sleep/dominos.xml', 100),
    'slider crank': ('mujoco/model/slider_crank/slider_crank.xml', 10),
    'cradle': ('mujoco/model/replicate/newton_cradle.xml', 50),
    'particles': ('mujoco/model/replicate/particle_free2d.xml', 20),
    'flag': ('mujoco/model/flex/flag.xml', 100),
    'bunny': ('mujoco/model/flex/bunny.xml', 0),
    'poncho': ('mujoco/model/flex/poncho.xml', 0),
    'trampoline': ('mujoco/model/flex/trampoline.xml', 20),
    'tactile': ('mujoco/model/tactile/tactile.xml', 0),
    'shadow hand': ('menagerie/shadow_hand/scene_right.xml', 0),
    'cassie': ('menagerie/agility_cassie/scene.xml', 0),
    'crazyflie': ('menagerie/bitcraze_crazyflie_2/scene.xml', 0),
    'booster': ('menagerie/booster_t1/scene.xml', 0),
    'barkour': ('menagerie/google_barkour_vb/scene.xml', 0),
    'barkour on a height field': ('menagerie/google_barkour_vb/scene_hfield_mjx.xml', 0),
    'soft foot': ('menagerie/iit_softfoot/scene.xml', 0),
    'gripper': ('menagerie/robotiq_2f85/scene.xml', 0),
    'wx250s': ('menagerie/trossen_wx250s/scene.xml', 0),
    'allegro': ('menagerie/wonik_allegro/scene_left.xml', 0),
    'ant': ('gymnasium/gymnasium/envs/mujoco/assets/ant.xml', 0),
    'half cheetah': ('gymnasium/gymnasium/envs/mujoco/assets/half_cheetah.xml', 0),
    'quadruped': ('dm_control/dm_control/suite/quadruped.xml', 0),
    'cmu humanoid': ('dm_control/dm_control/suite/humanoid_CMU.xml', 0),
    'swimmer': ('dm_control/dm_control/suite/swimmer.xml', 0),
    'rodent': ('dm_control/dm_control/locomotion/walkers/assets/rodent.xml', 0),
    'demo': ('demo.xml', 100),
    'figure': ('figure.xml', 50),
    'height fields': ('hfields.xml', 50),
    'mesh files': ('mesh_files.xml', 20),
    'cameras and lights': ('cameras_lights.xml', 20),
}
# those whose scenes are compared under every flag, label and frame
FLAGGED = ('humanoid', 'car', 'adhesion', 'slider crank', 'shadow hand', 'flag', 'cassie', 'demo',
           'figure', 'cameras and lights', 'cradle')

# median and worst: pictures are at least as good, depths at most as wrong
BARS = {
    'psnr': (40.0, 34.0), 'ssim': (0.990, 0.970), 'plain': (42.0, 37.0),
    'depth': (1e-4, 1e-3), 'iou': (0.995, 0.98),
    'rgb x': (6.0, 4.0), 'depth x': (3.0, 3.0), 'seg x': (3.0, 3.0),
}


class Scene:
  """One state of one model, in both engines."""

  def __init__(self, path, steps):
    theirs = mujoco.MjModel.from_xml_path(str(path))
    ours = cortenforge.MjModel.from_xml_path(str(path))
    for model in (theirs, ours):
      room = model.vis.global_
      # which boxes the collision search looked at is not recorded, so it is not shown
      room.bvactive = 0
      room.offheight, room.offwidth = (max(a, b) for a, b in
                                       zip((room.offheight, room.offwidth), SIZE))
    source, data = mujoco.MjData(theirs), cortenforge.MjData(ours)
    if theirs.nkey:
      mujoco.mj_resetDataKeyframe(theirs, source, 0)
    for _ in range(steps):
      mujoco.mj_step(theirs, source)
    every = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(theirs, every))
    mujoco.mj_getState(theirs, source, state, every)
    cortenforge.mj_setState(ours, data, state, int(every))
    mujoco.mj_forward(theirs, source)
    cortenforge.mj_forward(ours, data)
    self.models, self.datas = (ours, theirs), (data, source)


def psnr(a, b):
  error = np.mean((a.astype(float) - b.astype(float)) ** 2)
  return 99.0 if error == 0 else 10 * np.log10(255 ** 2 / error)


def ssim(a, b):
  """Structural similarity: a Gaussian window of 11 pixels, mean over pixels and colours."""
  window = np.exp(-0.5 * (np.arange(-5, 6) / 1.5) ** 2)
  window /= window.sum()

  def blur(x):
    x = sum(w * x[i:x.shape[0] - 10 + i] for i, w in enumerate(window))
    return sum(w * x[:, i:x.shape[1] - 10 + i] for i, w in enumerate(window))

  a, b = a.astype(np.float32), b.astype(np.float32)
  mean_a, mean_b = blur(a), blur(b)
  var_a, var_b = blur(a * a) - mean_a ** 2, blur(b * b) - mean_b ** 2
  cov = blur(a * b) - mean_a * mean_b
  c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
  values = ((2 * mean_a * mean_b + c1) * (2 * cov + c2)
            / ((mean_a ** 2 + mean_b ** 2 + c1) * (var_a + var_b + c2)))
  return float(values.mean())


def intersection_over_union(ours, theirs):
  """Mean over the objects of more than 50 pixels, and the part of pixels with equal ids."""
  a = ours[..., 0].astype(np.int64) * 1000 + ours[..., 1]
  b = theirs[..., 0].astype(np.int64) * 1000 + theirs[..., 1]
  ids, counts = np.unique(b, return_counts=True)
  parts = [np.sum((a == i) & (b == i)) / np.sum((a == i) | (b == i))
           for i, count in zip(ids, counts) if count > 50]
  return float(np.mean(parts)) if parts else 1.0, float(np.mean(a == b))


def relative_depth(ours, theirs, ours_seg, theirs_seg):
  """Root mean square of relative differences, over the pixels that show the same object."""
  same = np.all(ours_seg == theirs_seg, -1) & (theirs_seg[..., 0] >= 0)
  if not np.all(np.isfinite(ours)):
    return np.inf
  if not same.any():
    return 0.0
  return float(np.sqrt(np.mean(((ours[same] - theirs[same]) / theirs[same]) ** 2)))


@contextlib.contextmanager
def mode(renderer, kind):
  """Makes a renderer draw `rgb`, `plain` (without shadows and mirrors), `depth` or `seg`."""
  flags = renderer.scene.flags.copy()
  if kind == 'plain':
    renderer.scene.flags[[SHADOW, REFLECTION]] = 0
  if kind == 'depth':
    renderer.enable_depth_rendering()
  if kind == 'seg':
    renderer.enable_segmentation_rendering()
  yield
  renderer.disable_depth_rendering()
  renderer.disable_segmentation_rendering()
  renderer.scene.flags[:] = flags


def cpu_time(call, clock=time.process_time):
  start = clock()
  call()
  return clock() - start


def least_times(renderers, budget):
  """Least time of a picture of each renderer, which draw in turns."""
  times = [[] for _ in renderers]
  while not times[0] or (len(times[0]) < 3 or sum(map(sum, times)) < budget) and len(times[0]) < 40:
    for renderer, list_ in zip(renderers, times):
      # ours is fast: more than one per turn
      list_ += [cpu_time(renderer.render) for _ in range(3 if renderer is renderers[0] else 1)]
  return [min(list_) for list_ in times]


def compare_pictures(name, scene, args):
  ours = cortenforge.Renderer(scene.models[0], *SIZE, threads=1)
  theirs = mujoco.Renderer(scene.models[1], *SIZE)
  renderers = (ours, theirs)
  row, pictures = {}, {}
  try:
    for renderer, data in zip(renderers, scene.datas):
      renderer.update_scene(data)
    for kind in ('rgb', 'plain', 'depth', 'seg'):
      with mode(ours, kind), mode(theirs, kind):
        pictures[kind] = tuple(renderer.render() for renderer in renderers)
        if not args.no_speed:
          mine, other = least_times(renderers, args.seconds)
          row[f'{kind} ms'], row[f'{kind} x'] = 1e3 * mine, other / mine
    row['psnr'], row['ssim'] = psnr(*pictures['rgb']), ssim(*pictures['rgb'])
    row['plain'] = psnr(*pictures['plain'])
    row['depth'] = relative_depth(*pictures['depth'], *pictures['seg'])
    row['iou'], row['ids'] = intersection_over_union(*pictures['seg'])
    make = lambda: cortenforge.Renderer(scene.models[0], *SIZE)
    row['context ms'] = 1e3 * min(cpu_time(make) for _ in range(5))
    if args.save:
      save(args.save, name, pictures)
    if args.threads:
      row['2 threads'] = two_threads(scene)
  finally:
    theirs.close()
    ours.close()
  return row


def two_threads(scene):
  """How much sooner a picture is there with two threads than with one, by the clock on the wall."""
  pair = [cortenforge.Renderer(scene.models[0], *SIZE, threads=n) for n in (1, 2)]
  for renderer in pair:
    renderer.update_scene(scene.datas[0])
  times = [[], []]
  for _ in range(15):
    for renderer, list_ in zip(pair, times):
      list_.append(cpu_time(renderer.render, time.perf_counter))
  return min(times[0]) / min(times[1])


def save(folder, name, pictures):
  folder = pathlib.Path(folder)
  folder.mkdir(parents=True, exist_ok=True)
  for kind in ('rgb', 'plain'):
    a, b = pictures[kind]
    difference = np.clip(4 * np.abs(a.astype(int) - b), 0, 255).astype(np.uint8)
    cortenforge.media.write_image(folder / f'{name.replace(" ", "_")}_{kind}.png',
                                  np.concatenate([a, b, difference], 1))


def differences(ours, theirs):
  """What differs between two scenes, in words."""
  found = []

  def check(where, name, a, b):
    if isinstance(b, (str, int)):
      if a != b:
        found.append(f'{where}.{name}: {a!r} instead of {b!r}')
    else:
      a, b = np.asarray(a, float), np.asarray(b, float)
      if not np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True):
        found.append(f'{where}.{name}: {a.ravel()} instead of {b.ravel()}')

  for name in ('ngeom', 'nlight', 'nskin', 'nflex', 'enabletransform', 'scale', 'stereo'):
    check('scene', name, getattr(ours, name), getattr(theirs, name))
  check('scene', 'flags', ours.flags, theirs.flags)
  for kind, count, names in (
      ('geoms', min(ours.ngeom, theirs.ngeom), cortenforge.MjvGeom._names),
      ('lights', min(ours.nlight, theirs.nlight), cortenforge.MjvLight._names),
      ('camera', 2, cortenforge.MjvGLCamera._names)):
    a, b = getattr(ours, kind), getattr(theirs, kind)
    for i in range(count):
      for name in names:
        check(f'{kind}[{i}]', name, getattr(a[i], name), getattr(b[i], name))
  for name in ('flexvert', 'skinvert', 'skinnormal'):
    if getattr(theirs, name, None) is not None and getattr(theirs, name).size:
      check('scene', name, getattr(ours, name), getattr(theirs, name))
  return found


def changes():
  """Options under which scenes are compared: name, flags to set, label, frame."""
  toggled = lambda flag: lambda flags: flags.__setitem__(flag, 1 - flags[flag])
  every = lambda flags: flags.__setitem__(slice(None), 1)
  keep = lambda flags: None
  yield 'as it is', keep, 0, 0
  for flag in range(mujoco.mjtVisFlag.mjNVISFLAG):
    yield f'flag {flag}', toggled(flag), 0, 0
  for label in range(mujoco.mjtLabel.mjNLABEL):
    for frame in range(mujoco.mjtFrame.mjNFRAME):
      yield f'all flags, label {label}, frame {frame}', every, label, frame


def compare_scenes(scene):
  """Scenes under every flag, label and frame. Returns their number and what differs."""
  count, found = 0, []
  for what, change, label, frame in changes():
    both = []
    for module, model, data in zip((cortenforge, mujoco), scene.models, scene.datas):
      result = module.MjvScene(model, maxgeom=5000)
      option, perturb, camera = module.MjvOption(), module.MjvPerturb(), module.MjvCamera()
      module.mjv_defaultFreeCamera(model, camera)
      change(option.flags)
      option.label, option.frame = label, frame
      option.geomgroup[:] = option.sitegroup[:] = 1
      perturb.select = min(1, model.nbody - 1)
      module.mjv_updateScene(model, data, option, perturb, camera, 7, result)
      both.append(result)
    count += 1
    found += [f'{what}: {text}' for text in differences(*both)]
  return count, found


COLUMNS = (
    ('psnr', '{:.1f}'), ('ssim', '{:.4f}'), ('plain', '{:.1f}'), ('depth', '{:.0e}'),
    ('iou', '{:.4f}'), ('ids', '{:.4f}'), ('rgb ms', '{:.1f}'), ('rgb x', '{:.1f}'),
    ('plain x', '{:.1f}'), ('depth x', '{:.1f}'), ('seg x', '{:.1f}'), ('context ms', '{:.2f}'),
    ('2 threads', '{:.2f}'))


def find(path, corpora):
  for folder in (*corpora, ROOT / 'models'):
    if (folder / path).is_file():
      return folder / path
  return None


def judge(rows):
  """Medians, worsts, and whether they reach the bars."""
  missed = []
  for name, (median_bar, worst_bar) in BARS.items():
    values = [row[name] for row in rows if name in row]
    if not values:
      continue
    less = name == 'depth'
    median, worst = statistics.median(values), (max if less else min)(values)
    good = (median <= median_bar and worst <= worst_bar) if less else (
        median >= median_bar and worst >= worst_bar)
    print(f'{name:12} median {median:.4g} (bar {median_bar:g}), worst {worst:.4g} (bar {worst_bar:g})'
          f'{"" if good else "  MISSED"}')
    if not good:
      missed.append(name)
  for name, bar in (('context ms', 5), ('2 threads', 1.8)):
    values = [row[name] for row in rows if name in row]
    if values:
      median = statistics.median(values)
      good = median >= bar if name == '2 threads' else median < bar
      print(f'{name:12} median {median:.3g} (bar {bar}), from {min(values):.3g} to {max(values):.3g}'
            f'{"" if good else "  MISSED"}')
      if not good:
        missed.append(name)
  return missed


def main():
  parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
  parser.add_argument('corpora', nargs='*', type=pathlib.Path, help='folders of models')
  parser.add_argument('--only', help='scenes with these words in their names, separated by commas')
  parser.add_argument('--scenes', action='store_true', help='compare scenes under flags instead')
  parser.add_argument('--no-speed', action='store_true', help='leave times out')
  parser.add_argument('--threads', action='store_true', help='measure two threads too')
  parser.add_argument('--seconds', type=float, default=0.3, help='to spend on each time')
  parser.add_argument('--save', metavar='DIR', help='write ours, theirs and the difference there')
  parser.add_argument('--check', action='store_true', help='fail when a bar is missed')
  args = parser.parse_args()
  wanted = args.only.split(',') if args.only else ['']
  failed = []
  rows = []
  if not args.scenes:
    print(f'{"":26}' + ' '.join(f'{name:>10}' for name, _ in COLUMNS))
  for name, (path, steps) in SCENES.items():
    found = find(path, args.corpora)
    if found is None or not any(word in name for word in wanted):
      continue
    if args.scenes and name not in FLAGGED:
      continue
    try:
      scene = Scene(found, steps)
    except ValueError as error:
      print(f'{name:26} does not load: {str(error).splitlines()[0][:90]}')
      continue
    if args.scenes:
      count, found = compare_scenes(scene)
      print(f'{name:26} {count} scenes, {len(found)} differences', flush=True)
      for text in found[:5]:
        print('   ', text)
      failed += found
      continue
    row = compare_pictures(name, scene, args)
    rows.append(row)
    cells = [form.format(row[key]) if key in row else '' for key, form in COLUMNS]
    print(f'{name:26}' + ' '.join(f'{cell:>10}' for cell in cells), flush=True)
  if rows:
    failed += judge(rows)
  return 1 if args.check and failed else 0


if __name__ == '__main__':
  sys.exit(main())

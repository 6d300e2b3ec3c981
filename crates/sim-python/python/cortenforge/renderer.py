"""The class that draws simulations: ``Renderer``, and ``render_batch`` for many at once."""

import numpy as np

import cortenforge as _package
from cortenforge import render as _render
from cortenforge import scene as _scene

_SEGMENT, _IDCOLOR = 8, 9


def _check_size(model, side, value):
  room = getattr(model.vis.global_, f'off{side}')
  if value > room:
    raise ValueError(
        f'Image {side} {value} > framebuffer {side} {room}. Either reduce the image\n{side} or make '
        f'the buffer larger in the model:\n<visual>\n  <global off{side}="{value}"/>\n</visual>')
  if value < 1:
    raise ValueError(f'Image {side} {value} must be positive')


class Renderer:
  """Draws what a simulation looks like, as colours, depths or segments."""

  def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=150, threads=1):
    """Makes a renderer.

    Args:
      model: the model.
      height: rows of the picture.
      width: columns of the picture.
      max_geom: most geoms that a scene has.
      font_scale: size of text in percent.
      threads: number of threads to draw with, 0 for one per core. Pictures do not depend on it.
    """
    self._mjr_context = None
    _check_size(model, 'width', width)
    _check_size(model, 'height', height)
    self._model, self._width, self._height = model, width, height
    self._scene = _scene.MjvScene(model, max_geom)
    self._option = _scene.MjvOption()
    self._rect = _render.MjrRect(0, 0, width, height)
    self._mjr_context = _render.MjrContext(model, int(font_scale))
    _render.mjr_resizeOffscreen(width, height, self._mjr_context)
    self._mjr_context.readDepthMap = 1
    self._mjr_context._store.set_threads(threads)
    self._depth = self._segmentation = False

  model = property(lambda self: self._model)
  scene = property(lambda self: self._scene)
  height = property(lambda self: self._height)
  width = property(lambda self: self._width)

  def enable_depth_rendering(self):
    """Makes `render` give distances from the plane of the camera."""
    self._depth, self._segmentation = True, False

  def disable_depth_rendering(self):
    """Makes `render` give colours again."""
    self._depth = False

  def enable_segmentation_rendering(self):
    """Makes `render` give ids and types of objects."""
    self._depth, self._segmentation = False, True

  def disable_segmentation_rendering(self):
    """Makes `render` give colours again."""
    self._segmentation = False

  def update_scene(self, data, camera=-1, scene_option=None):
    """Fills the scene with what `data` looks like from a camera.

    Args:
      data: the simulation.
      camera: name or id of a camera, -1 for the free camera, or an ``MjvCamera``.
      scene_option: what to draw.
    """
    if not isinstance(camera, _scene.MjvCamera):
      camera = self._find_camera(camera)
    option = scene_option or self._option
    everything = _package.mjtCatBit.mjCAT_ALL
    _scene.mjv_updateScene(self._model, data, option, None, camera, everything, self._scene)

  def _find_camera(self, camera):
    index = camera
    if isinstance(camera, str):
      index = _package.mj_name2id(self._model, _package.mjtObj.mjOBJ_CAMERA, camera)
      if index == -1:
        raise ValueError(f'The camera "{camera}" does not exist.')
    if not -1 <= index < self._model.ncam:
      raise ValueError(f'The camera id {index} is out of range [-1, {self._model.ncam}).')
    found = _scene.MjvCamera()
    if index == -1:
      _scene.mjv_defaultFreeCamera(self._model, found)
    else:
      found.type, found.fixedcamid = _package.mjtCamera.mjCAMERA_FIXED, index
    return found

  def render(self, *, out=None):
    """Draws the scene.

    Args:
      out: array to write to, of the shape of the result.

    Returns:
      Colours as (height, width, 3) bytes; depths as (height, width) floats; or ids and types of
      objects as (height, width, 2) integers, -1 for the background.
    """
    if self._mjr_context is None:
      raise RuntimeError('render cannot be called after close.')
    shape = (self._height, self._width) + (() if self._depth else (3,))
    if out is not None and out.shape != shape:
      raise ValueError(
          f'Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead: pictures of depth '
          'have no colours, others have three.')
    flags = self._scene.flags.copy()
    if self._depth or self._segmentation:
      self._scene.flags[[_SEGMENT, _IDCOLOR]] = 1
    try:
      _render.mjr_render(self._rect, self._scene, self._mjr_context)
    finally:
      self._scene.flags[:] = flags
    store = self._mjr_context._store
    if self._segmentation:
      return self._segments(store)
    result = self._distances(store) if self._depth else store.image()
    if out is None:
      return result
    out[:] = result
    return out

  def normals(self):
    """Computes the unit normals, in the world, of the surfaces that the picture shows.

    Returns:
      An array of shape (height, width, 3), zeros where there is nothing.
    """
    return self._store().normals(self._scene._push())

  def flow(self, before):
    """Computes the optical flow: how far what each pixel shows has moved in the picture.

    Args:
      before: the scene of the picture before, as an ``MjvScene``.

    Returns:
      An array of shape (height, width, 2): pixels to the right and down. Zeros where there is nothing,
      NaN for what was absent or behind the camera before.
    """
    return self._store().flow(self._scene._push(), before._push())

  def _store(self):
    if self._mjr_context is None:
      raise RuntimeError('the renderer is closed')
    return self._mjr_context._store

  def _distances(self, store):
    extent, clip = self._model.stat.extent, self._model.vis.map
    near, far = np.float32(clip.znear * extent), np.float32(clip.zfar * extent)
    # the reversed projection: near is 1, far is 0
    slope = np.float32(0.5) * ((far + near) / (far - near)) - np.float32(0.5)
    offset = np.float32(0.5) * (np.float32(2) * far * near / (far - near))
    return store.distances(float(offset), float(slope))

  def _segments(self, store):
    geoms = self._scene._geoms[:self._scene.ngeom]
    table = np.full((int(geoms['segid'].max(initial=-1)) + 2, 2), -1, np.int32)
    seen = geoms[geoms['segid'] >= 0]
    table[seen['segid'] + 1, 0] = seen['objid']
    table[seen['segid'] + 1, 1] = seen['objtype']
    return store.segments(table.tolist())

  def close(self):
    """Gives up what the renderer holds."""
    if self._mjr_context is not None:
      self._mjr_context.free()
    self._mjr_context = None

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()

  def __del__(self):
    self.close()


def render_batch(model, states, cameras=(-1,), height=240, width=320, *, mode='rgb',
                 scene_option=None, threads=0):
  """Draws many states, each from every camera.

  Args:
    model: the model.
    states: simulations, or rows of ``qpos``.
    cameras: names, ids or ``MjvCamera`` objects.
    height: rows of each picture.
    width: columns of each picture.
    mode: ``'rgb'``, ``'depth'``, ``'segmentation'``, ``'normals'`` or ``'flow'``: the motion in pixels
      since the state before, zeros for the first.
    scene_option: what to draw.
    threads: number of threads, 0 for one per core.

  Returns:
    An array of shape (states, cameras, height, width, …).
  """
  kinds = {'rgb': ((3,), np.uint8), 'depth': ((), np.float32), 'segmentation': ((2,), np.int32),
           'normals': ((3,), np.float32), 'flow': ((2,), np.float32)}
  if mode not in kinds:
    raise ValueError(f'mode must be one of {", ".join(map(repr, kinds))}, not {mode!r}')
  shape, dtype = kinds[mode]
  out = np.empty((len(states), len(cameras), height, width) + shape, dtype)
  scratch, scenes = None, {}
  with Renderer(model, height, width, threads=threads) as renderer:
    renderer._depth, renderer._segmentation = mode == 'depth', mode == 'segmentation'
    for i, state in enumerate(states):
      data = state
      if not isinstance(state, _package.MjData):
        scratch = scratch or _package.MjData(model)
        scratch.qpos[:] = state
        _package.mj_forward(model, scratch)
        data = scratch
      for j, camera in enumerate(cameras):
        if mode == 'flow':
          out[i, j] = _flow(renderer, scenes, i, j, data, camera, scene_option)
          continue
        renderer.update_scene(data, camera, scene_option)
        out[i, j] = renderer.normals() if mode == 'normals' else renderer.render()
  return out


def _flow(renderer, scenes, i, j, data, camera, scene_option):
  """Flow since the state before. `scenes` keeps two scenes of each camera, used in turns."""
  if (i % 2, j) not in scenes:
    scenes[i % 2, j] = _scene.MjvScene(renderer.model, renderer.scene.maxgeom)
  renderer._scene = scenes[i % 2, j]
  renderer.update_scene(data, camera, scene_option)
  return renderer.flow(scenes[(i - 1) % 2, j] if i else renderer.scene)

"""A viewer in the browser: ``launch``, ``launch_passive``, and recordings as one file.

  python -m cortenforge.viewer --mjcf=model.xml

The page is served by this process, on this machine only, at an address with a secret in it. It needs
no graphics library and no special interpreter; several viewers can be open at once. In a notebook the
page is shown below the cell. Set ``CORTENFORGE_BROWSER=0`` to open nothing; the address is printed.
"""

import base64
import contextlib
import json
import os
import sys
import threading
import time

import numpy as np

import cortenforge as _package
from cortenforge import _native
from cortenforge import render as _render
from cortenforge import scene as _scene

# time without a page after which a viewer counts as closed: enough to reload one
_LINGER = 3.0
_PAUSE = 0.015
_MAX_GEOM = 10000


def _open(url, height=600):
  """Shows the page: below the cell of a notebook, or in the browser."""
  if 'ipykernel' in sys.modules:
    try:
      from IPython.display import IFrame, display
      display(IFrame(url, '100%', height))
      return
    except ImportError:
      pass
  print(url, flush=True)
  if os.environ.get('CORTENFORGE_BROWSER', '1') != '0':
    import webbrowser
    with contextlib.suppress(Exception):
      webbrowser.open(url)


def _title(model):
  name = bytes(model.names).split(b'\0')[0].decode('utf-8', 'replace')
  return name or 'model'


def _load(loader):
  loaded = loader()
  if not isinstance(loaded, tuple) or len(loaded) < 2:
    raise ValueError('the loader must return a model and data')
  return loaded[0], loaded[1]


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
  """Simulates a model in real time in the browser, until the page is closed.

  Args:
    model: the model; without one, a model can be dropped on the page.
    data: where the simulation starts; afterwards it has the last state.
    loader: a function that returns a model and data, in place of both.
    show_left_ui: whether the page starts with its settings.
    show_right_ui: whether the page starts with joints and controls.
  """
  if loader is not None:
    if model is not None or data is not None:
      raise ValueError('loader must not be specified together with model or data')
    model, data = _load(loader)
  if model is None:
    if data is not None:
      raise ValueError('mjData is specified but mjModel is not')
    model = _package.MjModel.from_xml_string('<mujoco/>')
  if data is None:
    data = _package.MjData(model)
  store = _native.ViewerStore(model, data, _title(model), False)
  try:
    _open(_address(store.url, show_left_ui, show_right_ui))
    wait = os.environ.get('CORTENFORGE_VIEWER_WAIT')
    store.run(model, data, _LINGER, float(wait) if wait else None)
  finally:
    store.close()


def launch_from_path(path):
  """Simulates the model of a file, until the page is closed."""
  def load():
    model = _package.MjModel.from_xml_path(os.fspath(path))
    return model, _package.MjData(model)
  launch(loader=load)


def _address(url, left, right):
  hidden = ','.join(side for side, shown in (('left', left), ('right', right)) if not shown)
  return url + (f'&hide={hidden}' if hidden else '')


class Handle:
  """A viewer of a simulation that the program itself steps."""

  def __init__(self, model, data, key_callback=None, others=(), address=('127.0.0.1', 0)):
    self._model, self._data, self._others = model, data, list(others)
    self._store = _native.ViewerStore(model, data, _title(model), True, *address)
    self._key_callback = key_callback
    self._lock = threading.RLock()
    self._cam = _scene.MjvCamera()
    _scene.mjv_defaultFreeCamera(model, self._cam)
    self._sent_cam = self._cam._bytes()
    self._opt, self._perturb = _scene.MjvOption(), _scene.MjvPerturb()
    self._seen_opt, self._seen_perturb = self._store.state()
    self._user_scn = _scene.MjvScene(model, _MAX_GEOM)
    self._user_scn.ngeom = 0
    self._closed = threading.Event()
    self._alone = time.monotonic()
    self.sync()
    self._thread = threading.Thread(target=self._attend, name='viewer', daemon=True)
    self._thread.start()

  url = property(lambda self: self._store.url, doc='The address of the page.')
  m = property(lambda self: self._model, doc='The model.')
  d = property(lambda self: self._data, doc='The data.')
  cam = property(lambda self: self._cam, doc='The camera; what is set here moves that of the page.')
  opt = property(lambda self: self._opt, doc='What is drawn.')
  perturb = property(lambda self: self._perturb, doc='The selected body and how it is dragged.')
  user_scn = property(lambda self: self._user_scn, doc='Geoms that are drawn besides the model.')

  @property
  def viewport(self):
    """The rectangle of the picture."""
    return _render.MjrRect(0, 0, 1280, 800)

  def _attend(self):
    """Answers pages while the program does something else."""
    while not self._closed.wait(_PAUSE):
      try:
        self._store.attend()
        keys = self._store.keys()
        ended = self._store.ended()
      except Exception:  # the interpreter may be ending
        return
      for key in keys:
        if self._key_callback is not None:
          self._key_callback(key)
      pages, visitors = self._store.pages()
      if pages or not visitors:
        self._alone = time.monotonic()
      if ended or time.monotonic() - self._alone > _LINGER:
        self._closed.set()
        self._store.close()

  def lock(self):
    """A context in which the viewer does not look at the simulation."""
    return self._lock

  def is_running(self):
    """Whether the viewer is open: pages may come, or are there."""
    return not self._closed.is_set()

  def sync(self, state_only=False):
    """Shows the present state, and takes over what pages changed.

    Args:
      state_only: copies the state alone; the viewer computes what follows from it.
    """
    if self._closed.is_set():
      return
    with self._lock:
      opt, perturb = self._store.state()
      # what the program has set goes to the page, else what the page has set comes here
      mine = [self._opt._bytes(), self._perturb._bytes()]
      new_opt = mine[0] if mine[0] != self._seen_opt else None
      new_perturb = mine[1] if mine[1] != self._seen_perturb else None
      if new_opt is None:
        self._opt._fill(opt)
      if new_perturb is None:
        self._perturb._fill(perturb)
      scene = self._user_scn
      geoms = b''.join(scene.geoms[i]._bytes() for i in range(scene.ngeom))
      if self._others:
        self._store.set_worlds(self._others)
      changed = self._store.sync(self._model, self._data, state_only, new_opt, new_perturb, geoms)
      for name, values in changed:
        if len(values) == 1:
          setattr(self._model.opt, name, type(getattr(self._model.opt, name))(values[0]))
        else:
          getattr(self._model.opt, name)[:] = values
      self._seen_opt, self._seen_perturb = self._opt._bytes(), self._perturb._bytes()
      self._send_camera()

  def _send_camera(self):
    now = self._cam._bytes()
    if now == self._sent_cam:
      return
    self._sent_cam = now
    cam = self._cam
    tracked = cam.type == _package.mjtCamera.mjCAMERA_TRACKING
    self._note({
        'type': 'camera', 'lookat': [float(x) for x in cam.lookat], 'distance': cam.distance,
        'azimuth': cam.azimuth, 'elevation': cam.elevation,
        'fixed': cam.fixedcamid if cam.type == _package.mjtCamera.mjCAMERA_FIXED else -1,
        'track': cam.trackbodyid if tracked else -1})

  def _note(self, note):
    self._store.note(json.dumps(note))

  def set_texts(self, texts):
    """Shows texts: a tuple or a list of tuples of font, place, text and second text."""
    texts = [texts] if isinstance(texts, tuple) else list(texts)
    rows = [{'place': int(place or 0), 'left': left or '', 'right': right or ''}
            for _, place, left, right in texts]
    self._note({'type': 'texts', 'texts': rows})

  def clear_texts(self):
    """Removes all texts."""
    self._note({'type': 'texts', 'texts': []})

  def set_figures(self, figures):
    """Shows figures: a tuple or a list of tuples of a rectangle and an ``MjvFigure``."""
    figures = [figures] if isinstance(figures, tuple) else list(figures)
    rows = []
    for rect, figure in figures:
      lines = []
      for i, count in enumerate(np.asarray(figure.linepnt)):
        if count:
          points = np.asarray(figure.linedata)[i][:2 * count].reshape(-1, 2)
          lines.append([[float(x), float(y)] for x, y in points])
      rows.append({'rect': _rectangle(rect), 'title': str(figure.title), 'lines': lines})
    self._note({'type': 'figures', 'figures': rows})

  def clear_figures(self):
    """Removes all figures."""
    self._note({'type': 'figures', 'figures': []})

  def set_images(self, images):
    """Shows images: a tuple or a list of tuples of a rectangle and an array of colours."""
    images = [images] if isinstance(images, tuple) else list(images)
    rows = [{'rect': _rectangle(rect), 'data': _png(np.asarray(image, np.uint8))}
            for rect, image in images]
    self._note({'type': 'images', 'images': rows})

  def clear_images(self):
    """Removes all images."""
    self._note({'type': 'images', 'images': []})

  def update_hfield(self, hfieldid):
    """Shows a height field that was changed in the model."""
    self._update(hfieldid, self._model.nhfield, 'hfield')

  def update_mesh(self, meshid):
    """Shows a mesh that was changed in the model."""
    self._update(meshid, self._model.nmesh, 'mesh')

  def update_texture(self, texid):
    """Shows a texture that was changed in the model."""
    self._update(texid, self._model.ntex, 'texture')

  def _update(self, index, count, kind):
    if not 0 <= index < count:
      raise ValueError(f'{kind} id {index} is not among the {count} of the model')
    with self._lock:
      self._store.reload_assets(self._model)

  def close(self):
    """Ends the viewer."""
    self._closed.set()
    self._store.close()

  def __enter__(self):
    return self

  def __exit__(self, *_):
    self.close()


def _rectangle(rect):
  return [int(rect.left), int(rect.bottom), int(rect.width), int(rect.height)]


def _png(image):
  """An array of colours as PNG in Base64."""
  from cortenforge import media
  return base64.b64encode(media.png(image)).decode()


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
  """Opens a viewer of a simulation that the program steps, and returns its :class:`Handle`.

  Args:
    model: the model.
    data: the simulation; ``Handle.sync`` shows its present state.
    key_callback: is called with the number of each key that is pressed on the page.
    show_left_ui: whether the page starts with its settings.
    show_right_ui: whether the page starts with joints and controls.
  """
  if not isinstance(model, _package.MjModel):
    raise ValueError(f'`model` is not a mujoco.MjModel: got {model!r}')
  if not isinstance(data, _package.MjData):
    raise ValueError(f'`data` is not a mujoco.MjData: got {data!r}')
  if key_callback is not None and not callable(key_callback):
    raise ValueError(f'`key_callback` is not callable: got {key_callback!r}')
  handle = Handle(model, data, key_callback)
  _open(_address(handle.url, show_left_ui, show_right_ui))
  return handle


def launch_grid(model, datas, *, key_callback=None):
  """Opens a viewer of many simulations of a model side by side, and returns its :class:`Handle`.

  Args:
    model: the model.
    datas: the simulations; pages act on the first.
    key_callback: is called with the number of each key that is pressed on the page.
  """
  first, *others = datas
  handle = Handle(model, first, key_callback, others)
  _open(handle.url)
  return handle


class Recording:
  """Frames of a simulation, written as a page of one file that needs no server."""

  def __init__(self, model, title=None):
    self._model = model
    self._store = _native.RecordingStore(model, title or _title(model))

  def record(self, data):
    """Adds the present state; 60 frames per simulated second look smooth."""
    self._store.record(self._model, data)

  def html(self):
    """The page."""
    return self._store.page()

  def save(self, path):
    """Writes the page to a file."""
    with open(path, 'w', encoding='utf-8') as file:
      file.write(self.html())

  def _repr_html_(self):
    page = self.html().replace('&', '&amp;').replace('"', '&quot;')
    return f'<iframe srcdoc="{page}" width="100%" height="500" style="border:0"></iframe>'


def main(arguments=None):
  """The command ``python -m cortenforge.viewer``."""
  import argparse
  parser = argparse.ArgumentParser(prog='python -m cortenforge.viewer', description=__doc__.split('\n')[0])
  parser.add_argument('--mjcf', metavar='FILE', help='the model; without one, drop it on the page')
  options = parser.parse_args(arguments)
  if options.mjcf:
    launch_from_path(options.mjcf)
  else:
    launch()


if __name__ == '__main__':
  main()

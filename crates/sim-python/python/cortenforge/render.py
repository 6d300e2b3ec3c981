"""Pictures: the classes ``Mjr…`` and the functions ``mjr_…``.

There is no graphics library behind them. A context holds the picture that functions draw into; the
window and the off-screen buffer are the same.
"""

import threading as _threading

import numpy as np

from cortenforge import _native

_AUX = 10
_GL_RGB, _GL_BGR = 0x1907, 0x80E0
_current = _threading.local()


class MjrRect:
  """A rectangle in pixels."""

  def __init__(self, left, bottom, width, height):
    self.left, self.bottom = int(left), int(bottom)
    self.width, self.height = int(width), int(height)

  def _list(self):
    return [self.left, self.bottom, self.width, self.height]

  def __eq__(self, other):
    return isinstance(other, MjrRect) and self._list() == other._list()

  __hash__ = None

  def __copy__(self):
    return MjrRect(*self._list())

  def __repr__(self):
    names = ('bottom', 'height', 'left', 'width')
    return '\n'.join(['<MjrRect', *(f'  {n}: {getattr(self, n)}' for n in names), '>'])


class MjrContext:
  """What a renderer keeps between pictures of one model."""

  def __init__(self, model=None, fontscale=150):
    zero = ('auxColor auxColor_r auxFBO auxFBO_r auxHeight auxSamples auxWidth').split()
    for name in zero:
      setattr(self, name, np.zeros(_AUX, np.int32))
    for name in ('baseBuiltin baseFontBig baseFontNormal baseFontShadow baseHField baseMesh '
                 'basePlane offColor offColor_r offDepthStencil offDepthStencil_r offFBO offFBO_r '
                 'rangeBuiltin rangeFont rangeHField rangeMesh rangePlane shadowFBO shadowTex '
                 'windowAvailable windowDoublebuffer windowSamples windowStereo').split():
      setattr(self, name, 0)
    for name in ('skinfaceVBO', 'skinnormalVBO', 'skintexcoordVBO', 'skinvertVBO'):
      setattr(self, name, np.zeros(model.nskin if model is not None else 0, np.int32))
    self.currentBuffer = 0
    self.readPixelFormat = _GL_RGB
    self.readDepthMap = 0
    self.fontScale = int(fontscale)
    self.charWidth = np.zeros(127, np.int32)
    self.charWidthBig = np.zeros(127, np.int32)
    self.charHeight = self.charHeightBig = 0
    self.glInitialized = int(model is not None)
    self._store = None
    self._pictures = {}
    if model is None:
      return
    vis, extent = model.vis, model.stat.extent
    self.lineWidth = vis.global_.linewidth
    self.shadowClip = vis.map.shadowclip * extent
    self.shadowScale = vis.map.shadowscale
    self.fogStart, self.fogEnd = vis.map.fogstart * extent, vis.map.fogend * extent
    self.fogRGBA = np.array(vis.rgba.fog, np.float32)
    self.shadowSize = vis.quality.shadowsize
    self.offWidth, self.offHeight = vis.global_.offwidth, vis.global_.offheight
    self.offSamples = 4 if vis.quality.offsamples > 0 else 0
    self.ntexture, self.nskin = model.ntex, model.nskin
    self.textureType = np.array(model.tex_type, np.int32)
    self.texture = np.zeros(model.ntex, np.int32)
    self.mat_texid = np.array(model.mat_texid, np.int32)
    self.mat_texuniform = np.array(model.mat_texuniform, np.int32)
    self.mat_texrepeat = np.array(model.mat_texrepeat, np.float32)
    self._store = _native.RenderStore(
        model, max(1, self.offWidth), max(1, self.offHeight), self.fontScale)
    _current.context = self
    self._measure()

  def _measure(self):
    for code in range(32, 127):
      self.charWidth[code], self.charHeight = self._store.text_size(chr(code), 0)
      self.charWidthBig[code], self.charHeightBig = self._store.text_size(chr(code), 2)

  def _open(self):
    if self._store is None:
      raise RuntimeError('the rendering context has been freed, or was made without a model')
    return self._store

  def free(self):
    """Gives up what the context holds; it is safe to do so twice."""
    self._store = None
    if getattr(_current, 'context', None) is self:
      _current.context = None


def mjr_setBuffer(framebuffer, con):
  """Chooses the buffer to draw into: window and off-screen are the same."""
  con._open()
  con.currentBuffer = int(framebuffer)
  _current.context = con


def mjr_restoreBuffer(con):
  """Makes a context the one that functions without a context draw into."""
  _current.context = con


def mjr_maxViewport(con):
  """The whole picture."""
  return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_resizeOffscreen(width, height, con):
  """Changes the size of the picture."""
  con._open().resize(int(width), int(height))
  con.offWidth, con.offHeight = int(width), int(height)


def mjr_render(viewport, scn, con):
  """Draws a scene into a rectangle of the picture."""
  con._open().render(scn._push(), viewport._list())


def _fill(out, values):
  """Copies a picture into an array of any shape that has room for it."""
  if out.size != values.size:
    raise TypeError(f'the array has {out.size} numbers, the viewport {values.size}')
  if out.shape == values.shape:
    out[...] = values
    return
  flat = out.reshape(-1)
  if not np.shares_memory(flat, out):
    raise TypeError('the array must be contiguous, or have the shape of the viewport')
  flat[:] = values.reshape(-1)


def mjr_readPixels(rgb, depth, viewport, con):
  """Copies a rectangle of the picture, rows from the bottom up."""
  store, rect = con._open(), viewport._list()
  if rgb is not None:
    pixels = store.read_rgb(rect)
    _fill(rgb, pixels[..., ::-1] if con.readPixelFormat == _GL_BGR else pixels)
  if depth is not None:
    values = store.read_depth(rect)
    _fill(depth, values if int(con.readDepthMap) else 1 - values)


def mjr_drawPixels(rgb, depth, viewport, con):
  """Writes colours and depths to a rectangle of the picture."""
  rgb = None if rgb is None else np.ascontiguousarray(rgb, np.uint8).tobytes()
  depth = None if depth is None else np.asarray(depth, np.float32).reshape(-1).tolist()
  con._open().write(viewport._list(), rgb, depth)


def _here():
  context = getattr(_current, 'context', None)
  if context is None:
    raise RuntimeError('there is no rendering context in this thread')
  return context._open()


def mjr_rectangle(viewport, r, g, b, a):
  """Fills a rectangle of the current context."""
  _here().rectangle(viewport._list(), [float(r), float(g), float(b), float(a)])


def mjr_text(font, txt, con, x, y, r, g, b):
  """Draws text at a place given in parts of the picture."""
  place = [int(x * con.offWidth), int(y * con.offHeight)]
  con._open().text(txt, place, [float(r), float(g), float(b)], int(font))


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
  """Fills a rectangle and writes text into its middle."""
  store = con._open()
  store.rectangle(viewport._list(), [float(r), float(g), float(b), float(a)])
  width, height = store.text_size(txt, int(font))
  place = [viewport.left + (viewport.width - width) // 2,
           viewport.bottom + (viewport.height - height) // 2]
  store.text(txt, place, [float(rt), float(gt), float(bt)], int(font))


def _decoded(text):
  """Text that may be given as bytes."""
  return text.decode(errors='replace') if isinstance(text, bytes) else text


# horizontal and vertical place of overlays, by mjtGridPos
_GRID = ((0, 2), (2, 2), (0, 0), (2, 0), (1, 2), (1, 0), (0, 1), (2, 1))


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
  """Writes one or two columns of text over a dark rectangle at the edge of a viewport."""
  store, font = con._open(), int(font)
  columns = [_decoded(text).split('\n') for text in (overlay, overlay2) if text]
  if not columns:
    return
  sizes = [[store.text_size(line, font) for line in column] for column in columns]
  widths = [max(width for width, _ in column) for column in sizes]
  line = sizes[0][0][1]
  pad = line // 2
  width = sum(widths) + pad * (len(widths) + 1)
  height = line * max(map(len, columns)) + pad
  across, up = _GRID[int(gridpos) % len(_GRID)]
  left = viewport.left + (viewport.width - width) * across // 2
  bottom = viewport.bottom + (viewport.height - height) * up // 2
  store.rectangle([left, bottom, width, height], [0.0, 0.0, 0.0, 0.5])
  x = left + pad
  for column, column_width in zip(columns, widths):
    for i, text in enumerate(column):
      place = [x, bottom + height - pad // 2 - line * (i + 1)]
      store.text(text, place, [1.0, 1.0, 1.0], font)
    x += column_width + pad


def _axis(fig, k, values):
  low, high = (float(x) for x in fig.range[k])
  if fig.flg_extend or low >= high:
    automatic = low >= high
    if len(values):
      low = float(values.min()) if automatic else min(low, float(values.min()))
      high = float(values.max()) if automatic else max(high, float(values.max()))
  if k == 1 and fig.flg_symmetric:
    high = max(abs(low), abs(high))
    low = -high
  return (low, high) if high > low else (low - 0.5, low + 0.5)


def mjr_figure(viewport, fig, con):
  """Draws a plot: grid, lines, legend, labels of the axes."""
  store = con._open()
  rgb = [float(x) for x in fig.textrgb]
  lines = []
  for n, count in enumerate(fig.linepnt):
    if count > 0:
      lines.append((n, np.asarray(fig.linedata[n][:2 * count]).reshape(-1, 2)))
  points = np.concatenate([data for _, data in lines]) if lines else np.zeros((0, 2))
  x, y = _axis(fig, 0, points[:, 0]), _axis(fig, 1, points[:, 1])
  height = store.text_size('0', 0)[1]
  left = store.text_size(fig.minwidth, 0)[0] + 8 if fig.flg_ticklabel[1] else 8
  below = (height if fig.flg_ticklabel[0] else 0) + (height if fig.xlabel else 0) + 6
  above = height + 4 if fig.title else 6
  pane = [viewport.left + left, viewport.bottom + below,
          max(1, viewport.width - left - 8), max(1, viewport.height - below - above)]
  store.rectangle(viewport._list(), [float(c) for c in fig.figurergba])
  store.rectangle(pane, [float(c) for c in fig.panergba])

  def place(px, py):
    return [pane[0] + (px - x[0]) / (x[1] - x[0]) * pane[2],
            pane[1] + (py - y[0]) / (y[1] - y[0]) * pane[3]]

  grid = [float(c) for c in fig.gridrgb] + [1.0]
  for i in range(max(2, int(fig.gridsize[0]))):
    at = x[0] + (x[1] - x[0]) * i / (max(2, int(fig.gridsize[0])) - 1)
    store.line(place(at, y[0]), place(at, y[1]), float(fig.gridwidth), grid)
    if fig.flg_ticklabel[0]:
      text = fig.xformat % at
      spot = place(at, y[0])
      store.text(text, [int(spot[0]) - store.text_size(text, 0)[0] // 2, pane[1] - height], rgb, 0)
  for i in range(max(2, int(fig.gridsize[1]))):
    at = y[0] + (y[1] - y[0]) * i / (max(2, int(fig.gridsize[1])) - 1)
    store.line(place(x[0], at), place(x[1], at), float(fig.gridwidth), grid)
    if fig.flg_ticklabel[1]:
      store.text(fig.yformat % at, [viewport.left + 2, int(place(x[0], at)[1]) - height // 3], rgb, 0)
  for n, data in lines:
    color = [float(c) for c in fig.linergb[n]] + [1.0]
    spots = [place(*point) for point in data]
    step = 2 if fig.flg_barplot else 1
    for i in range(0, len(spots) - 1, step):
      store.line(spots[i], spots[i + 1], float(fig.linewidth), color)
  if fig.flg_selection:
    store.line(place(fig.selection, y[0]), place(fig.selection, y[1]), 1.0, [1.0] * 4)
  if fig.title:
    store.text(fig.title, [pane[0], pane[1] + pane[3] + 2], rgb, 0)
  if fig.xlabel:
    store.text(fig.xlabel, [pane[0] + pane[2] // 2, viewport.bottom + 2], rgb, 0)
  named = [(n, str(fig.linename[n])) for n, _ in lines if fig.linename[n]]
  if fig.flg_legend and named:
    width = max(store.text_size(name, 0)[0] for _, name in named) + 8
    box = [pane[0] + pane[2] - width, pane[1] + pane[3] - height * len(named) - 4,
           width, height * len(named) + 4]
    store.rectangle(box, [float(c) for c in fig.legendrgba])
    for i, (n, name) in enumerate(named):
      at = [box[0] + 4, box[1] + box[3] - height * (i + 1)]
      store.text(name, at, [float(c) for c in fig.linergb[n]], 0)
  fig.xaxispixel[:] = [pane[0], pane[0] + pane[2]]
  fig.yaxispixel[:] = [pane[1], pane[1] + pane[3]]
  fig.xaxisdata[:], fig.yaxisdata[:] = x, y


def mjr_findRect(x, y, nrect, rect):
  """Index of the rectangle that contains a point, -1 if there is none."""
  rects = rect if isinstance(rect, (list, tuple)) else [rect]
  for i, r in enumerate(rects[:int(nrect)]):
    if r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height:
      return i
  return -1


def mjr_changeFont(fontscale, con):
  """Changes the size of text."""
  con._open().set_text_size(int(fontscale))
  con.fontScale = int(fontscale)
  con._measure()


def mjr_uploadTexture(m, con, texid):
  """Reads a texture again."""
  _reload(m, con, 2, texid, m.ntex, 'texture')


def mjr_uploadHField(m, con, hfieldid):
  """Reads a height field again."""
  _reload(m, con, 1, hfieldid, m.nhfield, 'height field')


def mjr_uploadMesh(m, con, meshid):
  """Reads the vertices of a mesh again."""
  _reload(m, con, 0, meshid, m.nmesh, 'mesh')


def _reload(m, con, kind, index, count, name):
  if not 0 <= index < count:
    raise _native.FatalError(f'Invalid {name} index {index}')
  con._open().reload(m, kind, int(index))


def mjr_addAux(index, width, height, samples, con):
  """Makes an auxiliary buffer of a size."""
  if not 0 <= index < _AUX:
    raise _native.FatalError(f'Invalid auxiliary buffer index {index}')
  con.auxWidth[index], con.auxHeight[index] = width, height
  con.auxSamples[index] = samples
  con._pictures[index] = np.zeros((height, width, 3), np.uint8)


def mjr_setAux(index, con):
  """Chooses an auxiliary buffer to copy from."""
  if index not in con._pictures:
    raise _native.FatalError(f'auxiliary buffer {index} does not exist')
  _current.context = con


def mjr_blitAux(index, src, left, bottom, con):
  """Copies a rectangle of an auxiliary buffer into the picture."""
  if index not in con._pictures:
    raise _native.FatalError(f'auxiliary buffer {index} does not exist')
  part = con._pictures[index][src.bottom:src.bottom + src.height, src.left:src.left + src.width]
  rect = MjrRect(left, bottom, part.shape[1], part.shape[0])
  mjr_drawPixels(part, None, rect, con)


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
  """Copies a rectangle of the picture to another one, scaled to the nearest pixel."""
  store = con._open()
  rows = src.height * np.arange(dst.height) // max(1, dst.height)
  columns = src.width * np.arange(dst.width) // max(1, dst.width)
  rgb = store.read_rgb(src._list())[rows][:, columns] if flg_color else None
  depth = store.read_depth(src._list())[rows][:, columns] if flg_depth else None
  mjr_drawPixels(rgb, depth, dst, con)


def mjr_finish():
  """Does nothing: functions return when they are done."""


def mjr_getError():
  """Returns 0: errors are exceptions."""
  return 0

__all__ = [name for name in globals() if name.startswith(('mj', 'Mj'))]

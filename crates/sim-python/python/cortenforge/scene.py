"""What there is to draw: the classes ``Mjv…`` and the functions ``mjv_…``.

Geoms, lights, cameras and options are numpy records in memory that looks like the engine's; a
:class:`MjvScene` holds many of them and hands them to the engine as bytes.
"""

import copy as _copy
import operator
import warnings as _warnings

import numpy as np

from cortenforge import _native

MAX_LIGHTS = 100
_STRUCTS = _native._plain_structs()
# names that differ from those of the engine
_RENAMED = {'kind': 'type'}


def _dtype(fields):
  def field(name, scalar, count):
    shape = (3, 3) if name == 'mat' else (count,)
    return (_RENAMED.get(name, name), scalar) + ((shape,) if count > 1 else ())
  return np.dtype([field(*f) for f in fields])


def _property(name, dtype):
  """Access to one field of a record: a number, a live array, or text."""
  base, shape = dtype.base, dtype.shape
  if name == 'label' and shape:
    def get(self):
      return bytes(self._record['label'][0]).split(b'\0')[0].decode('utf-8', 'replace')

    def put(self, value):
      text = value.encode()[:99]
      self._record['label'][0] = np.frombuffer(text.ljust(100, b'\0'), np.uint8)
  elif shape:
    def get(self):
      return self._record[name][0]

    def put(self, value):
      self._record[name][0] = np.asarray(value).reshape(shape)
  else:
    number = float if base.kind == 'f' else int

    def get(self):
      return number(self._record[name][0])

    def put(self, value):
      self._record[name][0] = value if base.kind == 'f' else operator.index(value)
  return property(get, put)


class _Record:
  """A struct of plain memory, seen as a numpy record."""

  __slots__ = ('_record',)

  def __init__(self):
    self._record = np.frombuffer(self._default, self._dtype).copy()

  @classmethod
  def _at(cls, records):
    self = cls.__new__(cls)
    self._record = records
    return self

  def _bytes(self):
    return self._record.tobytes()

  def _fill(self, data):
    self._record[:] = np.frombuffer(data, self._dtype)

  def __copy__(self):
    return type(self)._at(self._record.copy())

  def __deepcopy__(self, memo):
    return self.__copy__()

  def __reduce__(self):
    return (_restored, (type(self).__name__, self._bytes()))

  def __eq__(self, other):
    return type(other) is type(self) and self._bytes() == other._bytes()

  __hash__ = None

  def __repr__(self):
    lines = [f'  {name}: {getattr(self, name)!r}' for name in sorted(self._names)]
    return '\n'.join([f'<{type(self).__name__}', *lines, '>'])


def _restored(name, data):
  record = globals()[name]()
  record._fill(data)
  return record


def _record_class(name, doc):
  fields, default = _STRUCTS[name]
  dtype = _dtype(fields)
  names = [n for n in dtype.names if not n.startswith('_')]
  members = {n: _property(n, dtype[n]) for n in names}
  members.update(__slots__=(), __doc__=doc, __module__='cortenforge', _dtype=dtype,
                 _default=default, _names=names)
  return type(name, (_Record,), members)


MjvGeom = _record_class('MjvGeom', 'One object to draw.')
MjvLight = _record_class('MjvLight', 'One light.')
MjvGLCamera = _record_class('MjvGLCamera', 'A camera as the renderer needs it.')
MjvCamera = _record_class('MjvCamera', 'A camera as users place it.')
MjvOption = _record_class('MjvOption', 'What to draw.')
MjvPerturb = _record_class('MjvPerturb', 'A selected body and how it is dragged.')


class _Records:
  """Records in one array, seen as a sequence of objects."""

  def __init__(self, cls, array):
    self._cls, self._array = cls, array

  def __len__(self):
    return len(self._array)

  def __getitem__(self, key):
    if isinstance(key, slice):
      return [self[i] for i in range(*key.indices(len(self)))]
    i = range(len(self))[key]
    return self._cls._at(self._array[i:i + 1])

  def __iter__(self):
    return (self[i] for i in range(len(self)))

  def __repr__(self):
    return repr(list(self))


def _copied(name, shape, dtype):
  """An array of a scene; assigning to it copies."""
  key = '_' + name

  def put(self, value):
    getattr(self, key)[:] = np.asarray(value, dtype).reshape(shape)
  return property(lambda self: getattr(self, key), put)


def _plain(name):
  """A number of a scene, on the class so that programs reach it through ``super()``."""
  key = '_' + name
  return property(lambda self: self.__dict__[key], lambda self, value: self.__dict__.__setitem__(key, value))


class MjvScene:
  """A scene: geoms, lights, cameras, and how to draw them."""

  def __init__(self, model=None, maxgeom=0):
    if maxgeom < 0:
      raise ValueError('maxgeom must not be negative')
    self._store = _native.SceneStore(model, maxgeom)
    self.maxgeom = maxgeom
    self._geoms = np.zeros(maxgeom, MjvGeom._dtype)
    self._lights = np.zeros(MAX_LIGHTS, MjvLight._dtype)
    self._cameras = np.zeros(2, MjvGLCamera._dtype)
    self._lists = {'geoms': _Records(MjvGeom, self._geoms), 'lights': _Records(MjvLight, self._lights),
                   'camera': _Records(MjvGLCamera, self._cameras)}
    self.geomorder = np.zeros(maxgeom, np.int32)
    self.ngeom = self.nlight = 0
    self.nflex = model.nflex if model is not None else 0
    self.nskin = model.nskin if model is not None else 0
    self.enabletransform = 0
    self._translate = np.zeros(3, np.float32)
    self._rotate = np.array([1, 0, 0, 0], np.float32)
    self.scale = 1.0
    self.stereo = 0
    self._flags = np.zeros(11, np.uint8)
    self._flags[[0, 2, 4, 6, 10]] = 1
    self.framewidth = 0
    self._framergb = np.zeros(3, np.float32)
    self.status = 0

  maxgeom, ngeom, nlight = _plain('maxgeom'), _plain('ngeom'), _plain('nlight')
  # properties, so that programs can put their own over them
  geoms = property(lambda self: self._lists['geoms'])
  lights = property(lambda self: self._lists['lights'])
  camera = property(lambda self: self._lists['camera'])
  translate = _copied('translate', 3, np.float32)
  rotate = _copied('rotate', 4, np.float32)
  flags = _copied('flags', 11, np.uint8)
  framergb = _copied('framergb', 3, np.float32)

  def _push(self):
    """Hands the scene to the engine."""
    if not 0 <= self.ngeom <= self.maxgeom or not 0 <= self.nlight <= MAX_LIGHTS:
      raise ValueError('ngeom and nlight must be within the room of the scene')
    head = (bool(self.enabletransform), self._translate.tolist(), self._rotate.tolist(),
            float(self.scale), int(self.stereo), self._flags.tolist(), int(self.framewidth),
            self._framergb.tolist())
    self._store.load(self._geoms[:self.ngeom].tobytes(), self._lights[:self.nlight].tobytes(),
                     self._cameras.tobytes(), head)
    return self._store

  def _pull(self):
    """Takes over what the engine made of it."""
    geoms, lights, cameras, full = self._store.store()
    geoms = np.frombuffer(geoms, MjvGeom._dtype)
    lights = np.frombuffer(lights, MjvLight._dtype)
    self.ngeom, self.nlight = len(geoms), len(lights)
    self._geoms[:self.ngeom] = geoms
    self._lights[:self.nlight] = lights
    self._cameras[:] = np.frombuffer(cameras, MjvGLCamera._dtype)
    self.enabletransform, translate, rotate, self.scale = self._store.transform()
    self.enabletransform = int(self.enabletransform)
    self._translate[:], self._rotate[:] = translate, rotate
    self.status = int(full)

  def __getattr__(self, name):
    if name.startswith(('flex', 'skin')):
      arrays = self._store.arrays()
      if name in arrays:
        return arrays[name]
    raise AttributeError(f'MjvScene has no attribute {name!r}')

  def __copy__(self):
    """A scene of its own."""
    return _copy.deepcopy(self)

  def __deepcopy__(self, memo):
    other = object.__new__(type(self))
    for name, value in self.__dict__.items():
      if name != '_lists':
        setattr(other, name, _copy.deepcopy(value, memo))
    other._lists = {'geoms': _Records(MjvGeom, other._geoms), 'lights': _Records(MjvLight, other._lights),
                    'camera': _Records(MjvGLCamera, other._cameras)}
    return other

  def __repr__(self):
    return f'<MjvScene with {self.ngeom} of {self.maxgeom} geoms, {self.nlight} lights>'


class MjvFigure:
  """A plot over a picture."""

  def __init__(self):
    lines, points = 100, 1001
    halton = lambda n, base: _halton(n, base)
    fixed = [(1, .3, .3), (.1, 1, .1), (.3, .3, 1), (.1, 1, 1), (1, .2, 1), (1, 1, .1),
             (1, .6, .2), (.6, .7, .4)]
    more = [tuple(.1 + .8 * halton(n, b) for b in (2, 3, 5)) for n in range(8, lines)]
    self.flg_legend = self.flg_extend = 1
    self.flg_ticklabel = np.ones(2, np.int32)
    self.flg_barplot = self.flg_selection = self.flg_symmetric = 0
    self.linewidth, self.gridwidth = 3.0, 1.0
    self.gridsize = np.full(2, 2, np.int32)
    self.gridrgb = np.full(3, .4, np.float32)
    self.figurergba = np.array([0, 0, 0, 1], np.float32)
    self.panergba = np.array([0, 0, 0, 1], np.float32)
    self.legendrgba = np.array([0, 0, 0, .3], np.float32)
    self.textrgb = np.ones(3, np.float32)
    self.linergb = np.array(fixed + more, np.float32)
    self.range = np.array([[0, 1], [0, 1]], np.float32)
    self.xformat, self.yformat, self.minwidth = '%.0f', '%.2g', 'XXX'
    self.title = self.xlabel = ''
    self.linename = np.full(lines, '', 'U99')
    self.legendoffset = self.subplot = 0
    self.highlight = np.zeros(2, np.int32)
    self.highlightid = -1
    self.selection = 0.0
    self.linepnt = np.zeros(lines, np.int32)
    self.linedata = np.zeros((lines, 2 * points), np.float32)
    self.xaxispixel, self.yaxispixel = np.zeros(2, np.int32), np.zeros(2, np.int32)
    self.xaxisdata, self.yaxisdata = np.zeros(2, np.float32), np.zeros(2, np.float32)

  def __copy__(self):
    """A figure of its own."""
    return _copy.deepcopy(self)

  def __repr__(self):
    return f'<MjvFigure {self.title!r}>'


def _halton(index, base):
  weight, total = 1 / base, 0.0
  while index > 0:
    total += weight * (index % base)
    weight /= base
    index //= base
  return total


def _three(value):
  return [float(x) for x in np.asarray(value, float).reshape(3)]


def _put(array, values):
  if array is not None:
    np.asarray(array).reshape(-1)[:] = values


def mjv_defaultCamera(cam):
  """Sets a camera to its defaults."""
  cam._fill(MjvCamera._default)


def mjv_defaultFreeCamera(m, cam):
  """Sets a camera to the one that a view of the model starts with."""
  cam._fill(_native._free_camera(m))


def mjv_defaultOption(opt):
  """Sets options to their defaults."""
  opt._fill(MjvOption._default)


def mjv_defaultPerturb(pert):
  """Selects nothing."""
  pert._fill(MjvPerturb._default)


def mjv_defaultFigure(fig):
  """Sets a figure to its defaults."""
  fig.__init__()


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
  """Fills the scene with geoms, camera, lights, flexes and skins."""
  pert = MjvPerturb() if pert is None else pert
  camera = scn._push().update(m, d, opt._bytes(), pert._bytes(), cam._bytes(), int(catmask))
  if camera is not None:
    cam._fill(camera)
  scn._pull()
  _warn_if_full(d, scn)


def _warn_if_full(d, scn):
  if scn.status:
    warning = d.warning[3]
    warning.number += 1
    warning.lastinfo = scn.maxgeom
    if warning.number == 1:
      _warnings.warn(f'Pre-allocated visual geom buffer is full: maxgeom={scn.maxgeom}',
                     stacklevel=3)


def mjv_addGeoms(m, d, opt, pert, catmask, scn):
  """Adds the geoms of the given categories."""
  scn._push().add_geoms(m, d, opt._bytes(), pert._bytes(), int(catmask))
  scn._pull()


def mjv_makeLights(m, d, scn):
  """Makes the lights of the scene."""
  scn._push().make_lights(m, d)
  scn._pull()


def mjv_updateCamera(m, d, cam, scn):
  """Moves the cameras of the scene."""
  cam._fill(scn._push().update_camera(m, d, cam._bytes()))
  scn._pull()


def mjv_updateSkin(m, d, scn):
  """Computes the vertices of all skins."""
  before = scn._geoms[:scn.ngeom].copy()
  scn._push().update(m, d, MjvOption()._bytes(), MjvPerturb()._bytes(), None, 0)
  scn._geoms[:len(before)] = before


def mjv_initGeom(geom, type, size, pos, mat, rgba):  # pylint: disable=redefined-builtin
  """Initialises a geom; what is None gets its default."""
  default = MjvGeom()
  size = default.size if size is None else size
  pos = default.pos if pos is None else pos
  mat = default.mat if mat is None else mat
  rgba = default.rgba if rgba is None else rgba
  mat = [float(x) for x in np.asarray(mat, float).reshape(9)]
  rgba = [float(x) for x in np.asarray(rgba, float).reshape(4)]
  geom._fill(_native._init_geom(geom._bytes(), int(type), _three(size), _three(pos), mat, rgba))


def mjv_connector(geom, type, width, from_, to):  # pylint: disable=redefined-builtin
  """Makes a geom a connector between two points."""
  geom._fill(_native._connector(geom._bytes(), int(type), float(width), _three(from_), _three(to)))


def mjv_averageCamera(cam1, cam2):
  """The average of two cameras."""
  average = MjvGLCamera()
  average._fill(_native._average_camera(cam1._bytes(), cam2._bytes()))
  return average


def mjv_cameraFrame(headpos, forward, up, right, d, cam):
  """Writes position and axes of a camera."""
  frame = _native._camera_frame(d.model, d, cam._bytes())
  for out, value in zip((headpos, forward, up, right), frame):
    _put(out, value)


def mjv_cameraFrustum(zver, zhor, zclip, m, cam):
  """Writes half heights, half widths and the planes of a camera."""
  for out, value in zip((zver, zhor, zclip), _native._camera_frustum(m, cam._bytes())):
    _put(out, value)


def mjv_cameraInModel(headpos, forward, up, scn):
  """Writes position and axes of the average camera, as the model sees it."""
  for out, value in zip((headpos, forward, up), scn._push().camera_in_model()):
    _put(out, value)


def mjv_cameraInRoom(headpos, forward, up, scn):
  """Writes position and axes of the average camera."""
  for out, value in zip((headpos, forward, up), scn._push().camera_in_room()):
    _put(out, value)


def mjv_frustumHeight(scn):
  """Height of the frustum at distance 1."""
  return scn._push().frustum_height()


def _map_pose(pos, quat, out_pos, out_quat, scn, back):
  quat = [float(x) for x in np.asarray(quat, float).reshape(4)]
  pos, quat = scn._push().map_pose(_three(pos), quat, back)
  _put(out_pos, pos)
  _put(out_quat, quat)


def mjv_room2model(modelpos, modelquat, roompos, roomquat, scn):
  """Maps a pose of the room to the model."""
  _map_pose(roompos, roomquat, modelpos, modelquat, scn, False)


def mjv_model2room(roompos, roomquat, modelpos, modelquat, scn):
  """Maps a pose of the model to the room."""
  _map_pose(modelpos, modelquat, roompos, roomquat, scn, True)


def mjv_alignToCamera(res, vec, forward):
  """Turns a vector about the vertical so that its y-axis is along `forward`."""
  _put(res, _native._align_to_camera(_three(vec), _three(forward)))


def mjv_moveCamera(m, action, reldx, reldy, scn, cam):
  """Moves a camera as the mouse moves."""
  cam._fill(scn._push().move_camera(m, int(action), reldx, reldy, cam._bytes()))


def mjv_movePerturb(m, d, action, reldx, reldy, scn, pert):
  """Moves what a body is dragged with as the mouse moves."""
  pert._fill(scn._push().move_perturb(m, d, int(action), reldx, reldy, pert._bytes()))


def mjv_moveModel(m, action, reldx, reldy, roomup, scn):
  """Moves the model as a whole as the mouse moves."""
  scn._push().move_model(m, int(action), reldx, reldy, _three(roomup))
  scn._pull()


def mjv_initPerturb(m, d, scn, pert):
  """Starts dragging the selected body."""
  pert._fill(scn._push().init_perturb(m, d, pert._bytes()))


def mjv_applyPerturbPose(m, d, pert, flg_paused):
  """Writes the pose of a dragged body."""
  _native._apply_perturb(m, d, pert._bytes(), True, bool(flg_paused))


def mjv_applyPerturbForce(m, d, pert):
  """Writes the force that drags a body."""
  _native._apply_perturb(m, d, pert._bytes(), False, False)


def mjv_select(m, d, vopt, aspectratio, relx, rely, scn, selpnt, geomid, flexid, skinid):
  """Returns the body at a place of the picture, -1 if there is none."""
  body, geom, skin, point = scn._push().select(m, d, vopt._bytes(), aspectratio, [relx, rely])
  for out, value in ((geomid, geom), (flexid, -1), (skinid, skin)):
    _put(out, value)
  if point is not None:
    _put(selpnt, point)
  return body


mjLABELSTRING = (
    'None', 'Body', 'Joint', 'Geom', 'Site', 'Camera', 'Light', 'Tendon', 'Actuator', 'Constraint',
    'Flex', 'Skin', 'Selection', 'SelPoint', 'Contact', 'ContactForce', 'Island')
mjFRAMESTRING = ('None', 'Body', 'Geom', 'Site', 'Camera', 'Light', 'Contact', 'World')
mjVISSTRING = tuple(zip(
    ('Convex Hull', 'Texture', 'Joint', 'Camera', 'Actuator', 'Activation', 'Light', 'Tendon',
     'Range Finder', 'Equality', 'Inertia', 'Scale Inertia', 'Perturb Force', 'Perturb Object',
     'Contact Point', 'Island', 'Contact Force', 'Contact Split', 'Transparent', 'Auto Connect',
     'Center of Mass', 'Select Point', 'Static Body', 'Skin', 'Flex Vert', 'Flex Edge', 'Flex Face',
     'Flex Skin', 'Body Tree', 'Mesh Tree', 'SDF iters'),
    (str(flag) for flag in MjvOption().flags),
    ('H', 'X', 'J', 'Q', 'U', ',', 'Z', 'V', 'Y', 'E', 'I', "'", 'B', 'O', 'C', 'N', 'F', 'P', 'T',
     'A', 'M', '', 'D', ';', '', '', '', '', '`', '\\', '')))
mjRNDSTRING = tuple(zip(
    ('Shadow', 'Wireframe', 'Reflection', 'Additive', 'Skybox', 'Fog', 'Haze', 'Depth', 'Segment',
     'Id Color', 'Cull Face'),
    (str(flag) for flag in MjvScene().flags),
    ('S', 'W', 'R', 'L', 'K', 'G', '/', '', ',', '', '')))
mjMAXLIGHT, mjMAXOVERLAY, mjMAXLINE, mjMAXLINEPNT, mjMAXPLANEGRID = 100, 500, 100, 1001, 200


__all__ = [name for name in globals() if name.startswith(('mj', 'Mj'))]

"""The editable model: ``MjSpec`` and the classes of its elements.

The classes are made from the table of the engine: its kinds of element, their fields under MuJoCo's
names, and the kinds of value that these have. One Python object stands for an element as long as
anybody holds it, so that elements can be compared with ``is``. Arrays of a fixed size are live: what
is written to them is part of the model from then on.
"""

import copy as _copy
import os as _os
import sys as _sys
import warnings as _warnings
import weakref as _weakref
import zipfile as _zipfile

import numpy as np

from cortenforge import _native

_Core = _native.SpecCore

# bytes that the files of an archive may take up
_MAX_ARCHIVE = 1 << 30


# ---------------------------------------------------------------------------------------------
# lists and values


class _Vec:
  """A list whose items can be changed, but neither added nor removed."""

  _convert = float

  def __init__(self, owner, name):
    self._owner = owner
    self._name = name

  def _items(self):
    return list(self._owner._get(self._name))

  def _index(self, items, index):
    index = int(index)
    if not 0 <= index < len(items):
      raise IndexError('Index out of range.')
    return index

  def __len__(self):
    return len(self._items())

  def __iter__(self):
    return iter(self._items())

  def __getitem__(self, index):
    items = self._items()
    return items[self._index(items, index)]

  def __setitem__(self, index, value):
    items = self._items()
    items[self._index(items, index)] = type(self)._convert(value)
    self._owner._set(self._name, self._pack(items))

  def _pack(self, items):
    return items

  def __array__(self, dtype=None, copy=None):
    return np.array(self._items(), dtype=dtype)

  def __repr__(self):
    return repr(self._items())


class MjDoubleVec(_Vec):
  """Numbers."""


class MjFloatVec(_Vec):
  """Numbers in single precision."""


class MjIntVec(_Vec):
  """Integers."""

  _convert = int


class MjByteVec(_Vec):
  """Bytes."""

  _convert = int


def _text(value):
  if not isinstance(value, str):
    raise TypeError(f'expected a str, not {type(value).__name__}')
  return value


class MjStringVec(_Vec):
  """Texts."""

  _convert = staticmethod(_text)


class MjCharVec(_Vec):
  """Letters."""

  @staticmethod
  def _convert(value):
    if len(_text(value)) != 1:
      raise ValueError('expected a single character')
    return value

  def _pack(self, items):
    return ''.join(items)


def _numbers(name, value, counts, dtype):
  """The numbers of a fixed array."""
  if type(value) in (list, tuple) and len(value) == counts[-1]:
    numbers = np.array(value, dtype)
    if numbers.ndim == 1:
      return numbers
  if isinstance(value, (str, bytes)) or not hasattr(value, '__len__'):
    raise TypeError(f'{name} must be a list or an array of numbers')
  if len(value) not in counts:
    sizes = [str(count) for count in counts]
    listed = sizes[0] if len(sizes) == 1 else ', '.join(sizes[:-1]) + ', or ' + sizes[-1]
    raise ValueError(f'{name} should be a list/array of size {listed}.')
  numbers = np.zeros(counts[-1], dtype)
  numbers[:len(value)] = np.asarray(value, dtype).reshape(-1)
  return numbers


def _integer(name, value):
  if isinstance(value, (float, str)) or not hasattr(value, '__index__'):
    raise TypeError(f'{name} must be an integer, not {type(value).__name__}')
  return value.__index__()


def _letters(name, value, count):
  if any(not isinstance(letter, str) or len(letter) != 1 for letter in value):
    if len(value) == count:
      raise ValueError(f'{name}: list elements must be single characters')
  if len(value) != count:
    raise ValueError(f'{name} should have length {count}')
  return ''.join(value)


# ---------------------------------------------------------------------------------------------
# fields

_DTYPES = {'floats': np.float64, 'singles': np.float32, 'ints': np.int32}
_VECTORS = {'list': MjDoubleVec, 'intlist': MjIntVec, 'texts': MjStringVec,
            'textlist': MjStringVec, 'letters': MjCharVec}
_ORIENTATIONS = {'axisangle': (1, 4), 'xyaxes': (2, 6), 'zaxis': (3, 3), 'euler': (4, 3)}


# likewise as keywords: those of a body's inertia have a letter before them
_FORMS = [(prefix, field, [prefix + form for form in _ORIENTATIONS])
          for prefix, field in (('', 'alt'), ('i', 'ialt'))]
_TURNS = frozenset(form for _, _, forms in _FORMS for form in forms)


class _Field:
  """A property of an element, made from its row in the table."""

  def __init__(self, name, kind, enum, count):
    self.name, self.kind, self.enum, self.count = name, kind, enum, count
    self.counts = [1, 2, 3] if name == 'size' and count == 3 else [count]
    self.__doc__ = f'{name}: {enum or kind}'

  def __get__(self, element, owner=None):
    if element is None:
      return self
    if self.kind in _DTYPES:
      return element._array(self.name)
    if self.kind in _VECTORS:
      return _VECTORS[self.kind](element, self.name)
    if self.kind == 'orientation':
      return MjsOrientation(element, self.name)
    value = element._get(self.name)
    if self.kind == 'enum':
      return getattr(_sys.modules['cortenforge'], self.enum)(value)
    return value

  def __set__(self, element, value):
    if self.kind == 'enum' and not isinstance(
        value, getattr(_sys.modules['cortenforge'], self.enum)):
      raise TypeError(f'{self.name} must be a {self.enum}')
    self.store(element, value)

  def store(self, element, value):
    """Assigns, also integers to enums."""
    name, kind = self.name, self.kind
    if kind in _DTYPES:
      element._fill(name, _numbers(name, value, self.counts, _DTYPES[kind]))
      return
    if kind == 'text':
      element._set(name, _text(value))
      return
    if kind in ('list', 'intlist'):
      if isinstance(value, (str, bytes)) or not hasattr(value, '__len__'):
        raise TypeError(f'{name} must be a list')
      convert = float if kind == 'list' else int
      value = [convert(x) for x in np.asarray(value).reshape(-1)]
    elif kind == 'texts':
      value = [_text(x) for x in value]
      if len(value) != self.count:
        raise ValueError(f'{name} must have exactly {self.count} elements, got {len(value)}')
    elif kind == 'textlist':
      if isinstance(value, str):
        raise TypeError(f'{name} must be a list of str')
      value = [_text(x) for x in value]
    elif kind in ('lists', 'intlists'):
      convert = float if kind == 'lists' else int
      value = [[convert(x) for x in row] for row in value]
    elif kind == 'letters':
      value = _letters(name, value, self.count)
    elif kind in ('int', 'enum'):
      value = _integer(name, value)
    elif kind == 'float':
      value = float(value)
    elif kind == 'bytes':
      value = bytes(value)
    elif kind == 'orientation':
      value = element._get(name) if value is None else value._pack()
    element._set(name, value)


class MjsOrientation:
  """A form of an orientation other than the quaternion."""

  def __init__(self, owner, name):
    self._owner, self._name = owner, name

  def _pack(self):
    return self._owner._get(self._name)

  @property
  def type(self):
    kind = self._pack()[0]
    enum = getattr(_sys.modules['cortenforge'], 'mjtOrientation', None)
    return enum(kind) if enum else kind

  @type.setter
  def type(self, value):
    kind = int(value)
    count = {1: 4, 2: 6, 3: 3, 4: 3}.get(kind, 0)
    numbers = (self._pack()[1] + [0.0] * 6)[:count]
    self._owner._set(self._name, (kind, numbers))

  def _get_form(self, form):
    kind, count = _ORIENTATIONS[form]
    given, numbers = self._pack()
    return np.array(numbers if given == kind else [0.0] * count)

  def _set_form(self, form, value):
    kind, count = _ORIENTATIONS[form]
    numbers = _numbers(form, value, [count], np.float64)
    self._owner._set(self._name, (kind, list(numbers)))


for _form in _ORIENTATIONS:
  setattr(MjsOrientation, _form, property(
      lambda self, form=_form: self._get_form(form),
      lambda self, value, form=_form: self._set_form(form, value)))


# ---------------------------------------------------------------------------------------------
# elements


def _in_tree(core, body, kind):
  """Handles of the elements of a kind in a body and in those inside it, in the order of ids."""
  return core.subtree(body)[1:] if kind == _BODY else core.in_tree(body, kind)


class _Family:
  """A model and the Python objects of its elements."""

  def __init__(self, core):
    self.core = core
    self.elements = _weakref.WeakValueDictionary()
    # arrays that were handed out, by owner and field; those of classes apart, because adding an
    # element reads them
    self.arrays = {}
    self.class_arrays = {}
    # elements of kinds that the engine does not have
    self.plain = {}
    # of the last compilation: signature here and of the model, elements with a state
    self.compiled = None

  def element(self, kind, handle):
    """The object of an element."""
    if handle is None:
      return None
    found = self.elements.get((kind, handle))
    if found is None:
      found = _CLASSES[kind]._make(self, kind, handle)
      self.elements[kind, handle] = found
    return found

  def class_(self, handle):
    """The object of a default class."""
    found = self.elements.get(('class', handle))
    if found is None:
      found = object.__new__(MjsDefault)
      found._family, found._handle = self, handle
      self.elements['class', handle] = found
    return found

  def flush(self):
    """Writes what was put into arrays to the model."""
    self.flush_classes()
    self._write(self.arrays)

  def flush_classes(self):
    """Likewise for the arrays of default classes."""
    if self.class_arrays:
      self._write(self.class_arrays)

  def _write(self, arrays):
    for key, array in list(arrays.items()):
      owner, name = key
      try:
        owner.write(self.core, name, array)
      except (KeyError, ValueError):
        del arrays[key]
        continue
      # nobody else holds it: the dictionary, the list, its tuple, the variable, the argument
      if _sys.getrefcount(array) <= 4:
        del arrays[key]


class _Place:
  """Where fields are: in an element."""

  __slots__ = ('kind', 'handle')

  def __init__(self, kind, handle):
    self.kind, self.handle = kind, handle

  def __eq__(self, other):
    return (type(self) is type(other) and self.kind == other.kind
            and self.handle == other.handle)

  def __hash__(self):
    return hash((self.kind, self.handle))

  def arrays(self, family):
    return family.arrays

  def read(self, core, name):
    return core.get(self.kind, self.handle, name)

  def write(self, core, name, value):
    core.set(self.kind, self.handle, name, value)


class _ClassPlace(_Place):
  """Where fields are: in the defaults of a class."""

  __slots__ = ()

  def arrays(self, family):
    return family.class_arrays

  def read(self, core, name):
    return core.class_get(self.handle, self.kind, name)

  def write(self, core, name, value):
    core.class_set(self.handle, self.kind, name, value)


class _CompilerPlace(_Place):
  """Where fields are: in the compiler settings."""

  __slots__ = ()

  def read(self, core, name):
    return core.compiler_get(name)

  def write(self, core, name, value):
    core.compiler_set(name, value)


class _Fields:
  """Something with fields in the model."""

  _family = None
  _place = None

  def _get(self, name):
    return self._place.read(self._family.core, name)

  def _set(self, name, value):
    self._place.write(self._family.core, name, value)

  def _arrays(self):
    return self._place.arrays(self._family)

  def _array(self, name):
    arrays = self._arrays()
    key = (self._place, name)
    if key not in arrays:
      arrays[key] = self._get(name)
    return arrays[key]

  def _fill(self, name, numbers):
    arrays = self._arrays()
    array = arrays.get((self._place, name)) if arrays else None
    if array is not None:
      array[:] = numbers
    self._set(name, numbers)

  def __copy__(self):
    raise TypeError(f'cannot copy {type(self).__name__}')

  def __deepcopy__(self, memo):
    raise TypeError(f'cannot copy {type(self).__name__}')

  def __reduce__(self):
    raise TypeError(f'cannot pickle {type(self).__name__}')


class MjsElement(_Fields):
  """An element of a model."""

  _kind = None
  _fields = {}

  @classmethod
  def _make(cls, family, kind, handle):
    element = object.__new__(cls)
    element._family, element._kind = family, kind
    element._place = _Place(kind, handle)
    return element

  @property
  def _handle(self):
    return self._place.handle

  def _apply(self, attributes):
    """Sets fields by keyword; forms of orientations are keywords too."""
    for prefix, field, forms in _FORMS if not _TURNS.isdisjoint(attributes) else ():
      given = [form for form in forms if form in attributes and field in self._fields]
      if len(given) > 1:
        raise ValueError('Only one of: {}, {}, {}, or {} can be set.'.format(*forms))
      for form in given:
        kind, count = _ORIENTATIONS[form[len(prefix):]]
        numbers = _numbers(form, attributes.pop(form), [count], np.float64)
        self._set(field, (kind, list(numbers)))
    for name, value in attributes.items():
      field = self._fields.get(name)
      if field is not None:
        field.store(self, value)
        continue
      if name == 'plugin':
        self.plugin = value
        continue
      if name == 'classname':
        self.classname = value
        continue
      if name == 'childclass' and hasattr(type(self), 'childclass'):
        self.childclass = value
        continue
      raise TypeError(f'{name} is an invalid keyword argument for {type(self).__name__}')
    return self

  @property
  def id(self):
    """The id in the compiled model, by the order of now; -1 if deleted."""
    try:
      return self._siblings().index(self._handle)
    except ValueError:
      return -1

  def _siblings(self):
    return self._family.core.all(self._kind)

  @property
  def signature(self):
    return _signature(self._family)

  @property
  def plugin(self):
    plugins = self._family.plain.setdefault('plugin of', {})
    if self._place not in plugins:
      plugins[self._place] = MjsPlugin._new(self._family)
    return plugins[self._place]

  @plugin.setter
  def plugin(self, value):
    own = self.plugin
    for name in ('name', 'plugin_name', 'active', 'info'):
      setattr(own, name, getattr(value, name))


class _TreeElement(MjsElement):
  """An element in a body."""

  @property
  def parent(self):
    """The body that the element is in."""
    parent = self._family.core.relations(self._kind, self._handle)[0]
    return self._family.element(_BODY, parent)

  @property
  def frame(self):
    """The frame around the element, in the same body."""
    frame = self._family.core.relations(self._kind, self._handle)[1]
    return self._family.element(_FRAME, frame)

  def set_frame(self, frame):
    """Puts the element into a frame of its body."""
    if frame is not None:
      _of_kind('frame', frame, MjsFrame, self._family)
    self._family.core.set_frame(
        self._kind, self._handle, None if frame is None else frame._handle)

  def _siblings(self):
    core = self._family.core
    return core.subtree(0) if self._kind == _BODY else core.in_tree(0, self._kind)


class _WithClass:
  """An element that takes its defaults from a class."""

  @property
  def classname(self):
    return self._family.class_(self._family.core.relations(self._kind, self._handle)[2])

  @classname.setter
  def classname(self, value):
    _of_kind('classname', value, MjsDefault, self._family)
    self._family.core.set_class(self._kind, self._handle, value._handle)


def _of_kind(name, value, kind, family=None):
  """Checks that an argument is an element of the right kind, and of the right model."""
  if not isinstance(value, kind):
    raise TypeError(f'{name} must be an {kind.__name__}, not {type(value).__name__}')
  if family is not None and value._family is not family:
    raise ValueError(f'{name} belongs to another spec')


def _class_handle(default, family):
  if default is None:
    return None
  _of_kind('default', default, MjsDefault, family)
  return default._handle


class _Container:
  """A body or frame that elements are added to."""

  def _add(self, kind, default, attributes):
    body, frame = self._spot()
    core = self._family.core
    self._family.flush_classes()
    handle = core.add(kind, body, _class_handle(default, self._family))
    element = self._family.element(kind, handle)
    try:
      if frame is not None:
        core.set_frame(kind, handle, frame)
      return element._apply(attributes)
    except Exception:
      core.delete(kind, handle)
      raise

  def add_freejoint(self, **attributes):
    """Adds a free joint, without the defaults of a class."""
    for name in attributes:
      if name not in ('align', 'group', 'name'):
        raise TypeError(
            f'Invalid {name} keyword argument. Valid options are: align, group, name.')
    joint = self._add(_JOINT, None, {})
    for field in type(joint)._fields.values():
      if field.name not in ('name', 'info'):
        field.store(joint, _DEFAULTS[_JOINT, field.name])
    enums = _sys.modules['cortenforge']
    joint.type = enums.mjtJoint.mjJNT_FREE
    align = attributes.pop('align', None)
    if align is not None:
      joint.align = int(align)
    return joint._apply(attributes)


class MjsBody(_Container, _WithClass, _TreeElement):
  """A body and what is in it."""

  def _spot(self):
    return self._handle, None

  @property
  def childclass(self):
    return self._family.core.childclass(self._kind, self._handle) or 'main'

  @childclass.setter
  def childclass(self, name):
    self._family.core.set_childclass(self._kind, self._handle, name)

  def add_frame(self, parentframe=None, **attributes):
    """Adds a frame, inside another if one is given."""
    if parentframe is not None:
      _of_kind('parentframe', parentframe, MjsFrame, self._family)
    frame = self._add(_FRAME, None, attributes)
    if parentframe is not None:
      frame.set_frame(parentframe)
    return frame

  def _children(self, kind):
    family = self._family
    return [family.element(kind, h) for h in family.core.children(self._handle, kind)]

  def find_all(self, kind):
    """All elements of a kind in this body and in those inside it."""
    found = _TREE_WORDS.get(kind) if isinstance(kind, str) else int(kind)
    if found not in _TREE_WORDS.values():
      raise ValueError('body.find_all supports the types: body, frame, geom, site, joint, light,'
                       ' camera.')
    family = self._family
    return [family.element(found, h) for h in _in_tree(family.core, self._handle, found)]

  def find_child(self, name):
    """The body of that name inside this one, at any depth."""
    return next((body for body in self.find_all('body') if body.name == name), None)

  def attach_frame(self, frame, prefix=None, suffix=None):
    """Attaches a frame of another model with what is in it."""
    _of_kind('frame', frame, MjsFrame)
    return _attach_frame(self, frame, prefix or '', suffix or '')

  def to_frame(self):
    """Turns the body into a frame of its parent."""
    self._family.flush()
    frame = self._family.core.to_frame(self._handle)
    return self._family.element(_FRAME, frame)


class MjsFrame(_Container, _TreeElement):
  """A coordinate frame inside a body."""

  def _spot(self):
    return self._family.core.relations(_FRAME, self._handle)[0], self._handle

  @property
  def childclass(self):
    return self._family.core.childclass(self._kind, self._handle)

  @childclass.setter
  def childclass(self, name):
    self._family.core.set_childclass(self._kind, self._handle, name)

  def add_frame(self, default=None, **attributes):
    """Adds a frame inside this one."""
    return self._add(_FRAME, None, attributes)

  def attach_body(self, body, prefix=None, suffix=None):
    """Puts a body of another model into the frame."""
    _of_kind('body', body, MjsBody)
    return _attach(self._family, body._family, body, self._handle, prefix or '', suffix or '')


class MjsSite(_WithClass, _TreeElement):
  """A site."""

  def attach_body(self, body, prefix=None, suffix=None):
    """Puts a body of another model where the site is."""
    _of_kind('body', body, MjsBody)
    core = self._family.core
    frame = core.add_frame_at(self._handle)
    try:
      return _attach(self._family, body._family, body, frame, prefix or '', suffix or '')
    except Exception:
      core.delete(_FRAME, frame)
      raise


class MjsTendon(_WithClass, MjsElement):
  """A tendon."""

  def default(self):
    """The default class."""
    return self.classname

  def _wrap(self, kind, target='', sidesite='', parameter=0.0):
    index = self._family.core.wrap(self._handle, kind, target, sidesite, parameter)
    return self.path[index]

  def wrap_site(self, name):
    """Lets the tendon pass through a site."""
    return self._wrap('site', _text(name))

  def wrap_geom(self, name, sidesite):
    """Wraps the tendon around a geom."""
    return self._wrap('geom', _text(name), _text(sidesite))

  def wrap_joint(self, name, coef):
    """Adds a joint with its coefficient."""
    return self._wrap('joint', _text(name), '', float(coef))

  def wrap_pulley(self, divisor):
    """Starts another branch of the tendon."""
    return self._wrap('pulley', '', '', float(divisor))

  @property
  def path(self):
    return MjsTendonPath(self)


class MjsTendonPath:
  """The path of a tendon."""

  def __init__(self, tendon):
    self._tendon = tendon

  def __len__(self):
    return len(self._tendon._family.core.path(self._tendon._handle))

  def __getitem__(self, index):
    if not 0 <= index < len(self):
      raise IndexError('Index out of range.')
    return MjsWrap(self._tendon, index)

  def __iter__(self):
    return (self[i] for i in range(len(self)))


class MjsWrap:
  """An element of the path of a tendon."""

  def __init__(self, tendon, index):
    self._tendon, self._index = tendon, index

  def __eq__(self, other):
    return (isinstance(other, MjsWrap) and self._tendon is other._tendon
            and self._index == other._index)

  def __hash__(self):
    return hash((self._tendon._place, self._index))

  def _row(self):
    return self._tendon._family.core.path(self._tendon._handle)[self._index]

  @property
  def info(self):
    """Where the element comes from."""
    return self._tendon.info

  def _find(self, kind, name):
    family = self._tendon._family
    return family.element(kind, family.core.find(kind, name)) if name else None

  @property
  def type(self):
    kind, name, _, _ = self._row()
    wrap = _sys.modules['cortenforge'].mjtWrap
    if kind == 'geom':
      geom = self._find(_GEOM, name)
      cylinder = geom is not None and geom.type == 5
      return wrap.mjWRAP_CYLINDER if cylinder else wrap.mjWRAP_SPHERE
    return {'site': wrap.mjWRAP_SITE, 'joint': wrap.mjWRAP_JOINT,
            'pulley': wrap.mjWRAP_PULLEY}[kind]

  @property
  def target(self):
    kind, name, _, _ = self._row()
    return None if kind == 'pulley' else self._find(_TREE_WORDS[kind], name)

  @property
  def sidesite(self):
    return self._find(_TREE_WORDS['site'], self._row()[2])

  @property
  def divisor(self):
    kind, _, _, parameter = self._row()
    return parameter if kind == 'pulley' else None

  @property
  def coef(self):
    kind, _, _, parameter = self._row()
    return parameter if kind == 'joint' else None


class MjsActuator(_WithClass, MjsElement):
  """An actuator."""

  def _clear(self):
    for name in ('gainprm', 'biasprm', 'dynprm'):
      setattr(self, name, np.zeros(10))

  def _types(self, dyn, gain, bias):
    enums = _sys.modules['cortenforge']
    self.dyntype = getattr(enums.mjtDyn, 'mjDYN_' + dyn)
    self.gaintype = getattr(enums.mjtGain, 'mjGAIN_' + gain)
    self.biastype = getattr(enums.mjtBias, 'mjBIAS_' + bias)

  def set_to_motor(self):
    """Makes the force the control times the gear."""
    self._clear()
    self.gainprm[0] = 1
    self._types('NONE', 'FIXED', 'NONE')

  def set_to_position(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    """Makes a position servo."""
    if kv != -1 and dampratio != -1:
      raise ValueError('kv and dampratio cannot both be defined')
    if kv != -1 and kv < 0:
      raise ValueError('kv cannot be negative')
    if dampratio != -1 and dampratio < 0:
      raise ValueError('dampratio cannot be negative')
    if timeconst != -1 and timeconst < 0:
      raise ValueError('timeconst cannot be negative')
    self._clear()
    self.gainprm[0] = kp
    self.biasprm[1] = -kp
    if kv != -1:
      self.biasprm[2] = -kv
    if dampratio != -1:
      self.biasprm[2] = dampratio
    if timeconst != -1:
      self.dynprm[0] = timeconst
    self.inheritrange = float(inheritrange)
    self._types('FILTEREXACT' if timeconst > 0 else 'NONE', 'FIXED', 'AFFINE')

  def set_to_intvelocity(self, kp, kv=-1, dampratio=-1, timeconst=-1, inheritrange=False):
    """Makes a position servo whose target is the integral of the control."""
    self.set_to_position(kp, kv, dampratio, timeconst, inheritrange)
    self.actlimited = 1
    self._types('INTEGRATOR', 'FIXED', 'AFFINE')

  def set_to_velocity(self, kv):
    """Makes a velocity servo."""
    self._clear()
    self.gainprm[0] = kv
    self.biasprm[2] = -kv
    self._types('NONE', 'FIXED', 'AFFINE')

  def set_to_damper(self, kv):
    """Makes a damper that the control strengthens."""
    if kv < 0:
      raise ValueError('damping coefficient cannot be negative')
    if self.ctrlrange[0] < 0 or self.ctrlrange[1] < 0:
      raise ValueError('damper control range cannot be negative')
    self._clear()
    self.gainprm[2] = -kv
    self.ctrllimited = 1
    self._types('NONE', 'AFFINE', 'NONE')

  def set_to_cylinder(self, timeconst, bias, area, diameter=-1):
    """Makes a pneumatic or hydraulic cylinder."""
    self._clear()
    self.dynprm[0] = timeconst
    self.biasprm[0] = bias
    self.gainprm[0] = area if diameter < 0 else np.pi / 4 * diameter * diameter
    self._types('FILTER', 'FIXED', 'AFFINE')

  def set_to_adhesion(self, gain):
    """Makes a body adhesive."""
    if gain < 0:
      raise ValueError('adhesion gain cannot be negative')
    if self.ctrlrange[0] < 0 or self.ctrlrange[1] < 0:
      raise ValueError('adhesion control range cannot be negative')
    self._clear()
    self.gainprm[0] = gain
    self.ctrllimited = 1
    self._types('NONE', 'FIXED', 'NONE')

  def set_to_muscle(self, timeconst=(-1, -1), tausmooth=0.0, range=(-1, -1), force=-1.0,
                    scale=-1.0, lmin=-1.0, lmax=-1.0, vmax=-1.0, fpmax=-1.0, fvmax=-1.0):
    """Makes a muscle; -1 leaves a number as it is in MuJoCo's default."""
    muscle = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2, 0]
    given = [range[0], range[1], force, scale, lmin, lmax, vmax, fpmax, fvmax]
    numbers = [own if new < 0 else new for own, new in zip(muscle, given)] + [0]
    times = [own if new < 0 else new for own, new in zip((0.01, 0.04), timeconst)]
    if tausmooth < 0:
      raise ValueError('muscle tausmooth cannot be negative')
    self._clear()
    self.dynprm[:3] = [times[0], times[1], tausmooth]
    self.gainprm = numbers
    self.biasprm = numbers
    self._types('MUSCLE', 'MUSCLE', 'MUSCLE')


class MjsMesh(_WithClass, MjsElement):
  """A mesh."""

  def _make_builtin(self, kind, *parameters):
    self._set('_builtin', kind)
    self._set('_params', [float(x) for x in parameters])

  def make_sphere(self, subdivision):
    """Makes an icosahedron, subdivided."""
    if not 0 <= subdivision <= 4:
      raise ValueError('subdivision must be between 0 and 4')
    self._make_builtin(1, subdivision)

  def make_hemisphere(self, resolution):
    """Makes half a sphere with its cap."""
    if not 0 <= resolution <= 10:
      raise ValueError('resolution must be between 0 and 10')
    self._make_builtin(2, resolution)

  def make_cone(self, nedge, radius):
    """Makes a pyramid, or a frustum."""
    self._make_builtin(3, nedge, radius)

  def make_supertorus(self, resolution, radius, s, t):
    """Makes a torus with exponents."""
    self._make_builtin(4, resolution, radius, s, t)

  def make_supersphere(self, resolution, e, n):
    """Makes an ellipsoid with exponents."""
    self._make_builtin(5, resolution, e, n)

  def make_wedge(self, resolution, fov, gamma):
    """Makes points on a part of a sphere."""
    self._make_builtin(6, *resolution, *fov, gamma)

  def make_plate(self, resolution):
    """Makes a square grid."""
    self._make_builtin(7, *resolution)


class MjsSensor(MjsElement):
  """A sensor."""

  def get_data_size(self):
    """The number of values that the sensor gives."""
    enums = _sys.modules['cortenforge']
    sensor = enums.mjtSensor
    sizes = _SENSOR_SIZES
    name = self.type.name[len('mjSENS_'):]
    if self.type == sensor.mjSENS_USER:
      return self.dim
    if name == 'CONTACT':
      fields = (1, 3, 3, 1, 3, 3, 3)
      return int(self.intprm[2]) * sum(
          size for bit, size in enumerate(fields) if self.intprm[0] >> bit & 1)
    if name == 'RANGEFINDER':
      fields = (1, 3, 3, 3, 3, 1)
      return sum(size for bit, size in enumerate(fields) if self.intprm[0] >> bit & 1)
    return sizes.get(name, 1)


_SENSOR_SIZES = {
    'ACCELEROMETER': 3, 'VELOCIMETER': 3, 'GYRO': 3, 'FORCE': 3, 'TORQUE': 3, 'MAGNETOMETER': 3,
    'CAMPROJECTION': 2, 'BALLQUAT': 4, 'BALLANGVEL': 3, 'FRAMEPOS': 3, 'FRAMEQUAT': 4,
    'FRAMEXAXIS': 3, 'FRAMEYAXIS': 3, 'FRAMEZAXIS': 3, 'FRAMELINVEL': 3, 'FRAMEANGVEL': 3,
    'FRAMELINACC': 3, 'FRAMEANGACC': 3, 'SUBTREECOM': 3, 'SUBTREELINVEL': 3, 'SUBTREEANGMOM': 3,
    'GEOMNORMAL': 3, 'GEOMFROMTO': 6}


# ---------------------------------------------------------------------------------------------
# kinds that the engine does not have yet: they hold their values, and compiling refuses them

_PLAIN = {
    'plugin': ('plugins', 'MjsPlugin', '''plugin_name='' active=0 config={}'''),
}


class MjsPlain:
  """An element of a kind that the engine does not have yet."""

  _fields = {}

  @classmethod
  def _new(cls, family):
    element = object.__new__(cls)
    element._family = family
    element.__dict__.update(name='', info='')
    for name, value in cls._fields.items():
      if isinstance(value, list):
        value = np.array(value, np.float64)
      element.__dict__[name] = _copy.copy(value)
    return element

  def _apply(self, attributes):
    for name, value in attributes.items():
      if name not in self._fields and name not in ('name', 'info', 'plugin'):
        raise TypeError(f'{name} is an invalid keyword argument for {type(self).__name__}')
      setattr(self, name, value)
    return self

  def __setattr__(self, name, value):
    like = self._fields.get(name)
    if isinstance(like, list):
      value = _numbers(name, value, [len(like)], np.float64)
    elif isinstance(like, dict):
      value = dict(value)
    object.__setattr__(self, name, value)

  @property
  def id(self):
    return self._family.plain.get(self._word, []).index(self)

  @property
  def signature(self):
    return _signature(self._family)


def _make_plain(namespace):
  known = {row[1] for row in _Core.kinds()}
  for word, (plural, name, text) in _PLAIN.items():
    if word in known:
      continue
    fields = {}
    for item in text.split():
      field, _, value = item.partition('=')
      fields[field] = eval(value, {})  # pylint: disable=eval-used
    namespace[name] = type(name, (MjsPlain,), {
        **fields, 'name': '', 'info': '',
        '_fields': fields, '_word': word, '__module__': 'cortenforge',
        '__doc__': f'An element of the kind {word}.'})
    _PLAIN_CLASSES[word] = (plural, namespace[name])


# ---------------------------------------------------------------------------------------------
# default classes, compiler settings


class MjsDefault:
  """A default class: one element of each kind."""

  @property
  def name(self):
    return self._family.core.class_name(self._handle)

  @name.setter
  def name(self, value):
    self._family.core.set_class_name(self._handle, _text(value))

  @property
  def flex(self):
    """A flex of its own: flexes take no defaults from classes."""
    flexes = self._family.plain.setdefault('flex of', {})
    if self._handle not in flexes:
      flexes[self._handle] = MjSpec().add_flex()
    return flexes[self._handle]

  def _defaults(self, kind):
    element = object.__new__(_CLASSES[kind])
    element._family, element._kind = self._family, kind
    element._place = _ClassPlace(kind, self._handle)
    return element


class MjsCompiler(_Fields):
  """Settings of the compiler."""

  @property
  def LRopt(self):
    """How length ranges of actuators are found."""
    return self._family.core.length_range

  @LRopt.setter
  def LRopt(self, value):
    _assign(self._family.core.length_range, value)


# ---------------------------------------------------------------------------------------------
# the classes, from the table

_CLASSES = {}
_PLAIN_CLASSES = {}
_LISTS = {}
_TREE_WORDS = {}
_DEFAULTS = {}
_BODY, _JOINT, _GEOM, _ACTUATOR, _FRAME = 1, 3, 5, 19, 100
_WORDS = {'keyframe': 'key'}
_CAPITALS = {'hfield': 'HField'}


def _adder(kind, in_tree, plural):
  if in_tree:
    def add(self, default=None, **attributes):
      return self._add(kind, default, attributes)
  else:
    def add(self, default=None, **attributes):
      core = self._core
      self._family.flush_classes()
      handle = core.add(kind, None, _class_handle(default, self._family))
      element = self._family.element(kind, handle)
      try:
        return element._apply(attributes)
      except Exception:
        core.delete(kind, handle)
        raise
  add.__doc__ = f'Adds an element to `{plural}`; keywords are its fields.'
  return add


def _make_classes(namespace):
  enums = _Core.kinds()
  for kind, word, plural, in_tree, has_defaults, rows in enums:
    word = _WORDS.get(word, word)
    name = 'Mjs' + _CAPITALS.get(word, word.capitalize())
    cls = namespace.get(name)
    if cls is None:
      bases = ((_WithClass,) if has_defaults else ()) + (
          (_TreeElement,) if in_tree else (MjsElement,))
      cls = type(name, bases, {'__doc__': f'An element of the kind {word}.'})
      namespace[name] = cls
    cls.__module__ = 'cortenforge'
    cls._fields = {row[0]: _Field(*row) for row in rows}
    for field in cls._fields.values():
      if not field.name.startswith('_'):
        setattr(cls, field.name, field)
    _CLASSES[kind] = cls
    _LISTS[plural] = (kind, word, in_tree)
    add = _adder(kind, in_tree, plural)
    add.__name__ = 'add_' + word
    if in_tree:
      _TREE_WORDS[word] = kind
      if kind != _FRAME:
        for owner in (MjsBody, MjsFrame):
          setattr(owner, add.__name__, add)
      setattr(MjsBody, plural, property(lambda self, kind=kind: self._children(kind)))

      def first(self, kind=kind):
        return next(iter(self._children(kind)), None)

      def following(self, element, kind=kind):
        children = self._children(kind)
        position = next((i for i, x in enumerate(children) if x is element), len(children))
        return children[position + 1] if position + 1 < len(children) else None

      setattr(MjsBody, 'first_' + word, first)
      setattr(MjsBody, 'next_' + word, following)
    else:
      setattr(MjSpec, add.__name__, add)
    if has_defaults:
      setattr(MjsDefault, word, property(lambda self, kind=kind: self._defaults(kind)))
    setattr(MjSpec, plural, property(lambda self, p=plural: self._list(p)))
    setattr(MjSpec, word, lambda self, name, p=plural: self._find(p, name))

  core = _Core()
  joint = core.add(_JOINT, 0, None)
  for field in _CLASSES[_JOINT]._fields.values():
    _DEFAULTS[_JOINT, field.name] = core.get(_JOINT, joint, field.name)

  for row in _Core.compiler_fields():
    field = _Field(*row)
    setattr(MjsCompiler, field.name, field)

  for word, (plural, cls) in _PLAIN_CLASSES.items():
    def add_plain(self, default=None, cls=cls, word=word, **attributes):
      element = cls._new(self._family)._apply(attributes)
      self._family.plain.setdefault(word, []).append(element)
      return element

    setattr(MjSpec, 'add_' + word, add_plain)
    setattr(MjSpec, plural,
            property(lambda self, word=word: list(self._family.plain.get(word, []))))
    setattr(MjSpec, word, lambda self, name, word=word: next(
        (x for x in self._family.plain.get(word, []) if _named(x, name)), None))


def _stem(file):
  return _os.path.splitext(_os.path.basename(file.replace('\\', '/')))[0]


def _named(element, name):
  own = element.name or _stem(getattr(element, 'file', ''))
  return bool(name) and own == name


# ---------------------------------------------------------------------------------------------
# the model

_WHOLE = ('modelname comment memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt '
          'nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor').split()


class MjSpec:
  """An editable model."""

  override_assets = True
  modelfiledir = ''
  nemax = 0
  hasImplicitPluginElem = 0

  def __init__(self):
    self._start(_Core())

  def _start(self, core):
    self._family = _Family(core)
    self._moved = None
    self._parent = None
    self._copies = False
    self._assets = {}
    self._worldbody = self._family.element(_BODY, 0)

  @property
  def _core(self):
    return self._family.core

  @classmethod
  def _of(cls, core):
    spec = cls.__new__(cls)
    spec._start(core)
    return spec

  @staticmethod
  def from_file(filename, include=None, assets=None, *, root=None):
    """Reads a model from a file; with `root`, no file may be outside of that directory."""
    if include or assets:
      with open(filename, encoding='utf-8') as file:
        return MjSpec.from_string(file.read(), include, assets)
    spec = MjSpec._of(_Core.from_file(filename, root))
    spec.modelfiledir = _os.path.dirname(_os.fspath(filename))
    return spec

  @staticmethod
  def from_urdf(filename, packages=None, mimic=False, free_base=False, keep_visual=False,
                turn_inertia=False):
    """Reads a robot in URDF, beyond what MuJoCo makes of it.

    Args:
      packages: folders of packages by name, for files called ``package://name/...``.
      mimic: whether joints that mimic others are tied to them by equality constraints.
      free_base: whether links without a parent get a free joint.
      keep_visual: whether visual geometry is kept when the file does not say.
      turn_inertia: whether the orientation of inertias counts, which MuJoCo ignores.
    """
    spec = MjSpec._of(_Core.from_urdf(
        filename, packages or {}, mimic, free_base, keep_visual, turn_inertia))
    spec.modelfiledir = _os.path.dirname(_os.fspath(filename))
    return spec

  @staticmethod
  def from_string(xml, include=None, assets=None, *, root=None):
    """Reads a model from text; with `root`, no file may be outside of that directory."""
    if isinstance(xml, (bytes, bytearray)):
      xml = xml.decode()
    files = {}
    for group in (include, assets):
      for name, content in (group or {}).items():
        if name in files:
          raise ValueError(f'Repeated file name in assets dict: {name}')
        files[name] = content
    spec = MjSpec._of(_Core.from_string(xml, files or None, root))
    spec._assets.update(assets or {})
    return spec

  @staticmethod
  def from_zip(file):
    """Reads a model from an archive: the last XML file in it, with the others as assets."""
    if not _zipfile.is_zipfile(file):
      raise ValueError(f'File {file} is not a zip file.')
    with _zipfile.ZipFile(file) as archive:
      members = [info for info in archive.infolist() if not info.is_dir()]
      if sum(info.file_size for info in members) > _MAX_ARCHIVE:
        raise ValueError('The files in the archive are too large.')
      models = [info.filename for info in members if info.filename.endswith('.xml')]
      if not models:
        raise ValueError('No XML file found in zip file.')
      folder = _os.path.dirname(models[-1])
      assets = {_os.path.relpath(info.filename, folder or '.'): archive.read(info)
                for info in members if info.filename != models[-1]}
      return MjSpec.from_string(archive.read(models[-1]), assets=assets)

  def to_zip(self, file):
    """Writes the model and its assets to an archive."""
    with _zipfile.ZipFile(file, 'w') as archive:
      for name, content in self._assets.items():
        archive.writestr(name, content)
      archive.writestr(f'{self.modelname}.xml', self.to_xml())

  def copy(self):
    """A copy with elements of its own."""
    self._check()
    self._family.flush()
    spec = MjSpec._of(self._core.copy())
    spec._assets = dict(self._assets)
    spec.override_assets, spec.modelfiledir = self.override_assets, self.modelfiledir
    for word, elements in self._family.plain.items():
      if word == 'flex of':
        continue
      if word == 'plugin of':
        spec._family.plain[word] = {
            place: _copied(plugin, spec._family) for place, plugin in elements.items()}
      else:
        spec._family.plain[word] = [_copied(x, spec._family) for x in elements]
    return spec

  def __copy__(self):
    raise TypeError('cannot copy MjSpec: use spec.copy()')

  def __deepcopy__(self, memo):
    raise TypeError('cannot copy MjSpec: use spec.copy()')

  def __reduce__(self):
    raise TypeError('cannot pickle MjSpec')

  def _check(self):
    if self._moved is not None:
      raise ValueError('Error: cannot compile child spec if attached by reference to a parent spec')

  def compile(self):
    """Compiles the model."""
    self._check()
    self._family.flush()
    for word, elements in self._family.plain.items():
      if word in _PLAIN and elements:
        raise NotImplementedError(f'elements of the kind {word} are not supported yet')
    if self._assets:
      self._core.set_files(self._assets)
    model = self._core.compile()
    self._family.compiled = (self._core.signature, model.signature, self._layout())
    return model

  def _layout(self):
    """The elements that have a state, in the order of the model."""
    core = self._core
    bodies = core.subtree(0)
    return {'joint': core.in_tree(0, _JOINT), 'actuator': core.all(_ACTUATOR),
            'mocap': [body for body in bodies if core.get(_BODY, body, 'mocap')]}

  def recompile(self, model, data):
    """Compiles the model, and makes data with the state of `data` where elements are the same."""
    before = self._family.compiled
    new_model = self.compile()
    new_data = _sys.modules['cortenforge'].MjData(new_model)
    new_data.time = data.time
    if before is not None and before[1] == model.signature:
      old, new = (_states(*pair) for pair in (
          (before[2], model, data), (self._family.compiled[2], new_model, new_data)))
      for key in old.keys() & new.keys():
        for source, target in zip(old[key], new[key]):
          if len(source) == len(target):
            target[:] = source
    return new_model, new_data

  def to_xml(self):
    """The model as MJCF text."""
    self._check()
    self._family.flush()
    return self._core.to_xml()

  def to_file(self, path):
    """Writes the model to a file."""
    with open(path, 'w', encoding='utf-8') as file:
      file.write(self.to_xml())

  @property
  def worldbody(self):
    return self._worldbody

  @property
  def _address(self):
    return id(self._core)

  @property
  def parent(self):
    """The model that this one was attached to."""
    return self._parent

  @property
  def copy_during_attach(self):
    raise ValueError('copy_during_attach can only be set.')

  @copy_during_attach.setter
  def copy_during_attach(self, value):
    self._copies = bool(value)
    self._family.copies = self._copies

  @property
  def assets(self):
    return self._assets

  @assets.setter
  def assets(self, value):
    self._assets.update(value)

  @property
  def compiler(self):
    compiler = object.__new__(MjsCompiler)
    compiler._family, compiler._place = self._family, _CompilerPlace(0, 0)
    return compiler

  @property
  def option(self):
    return self._core.settings.opt

  @option.setter
  def option(self, value):
    _assign(self._core.settings.opt, value)

  @property
  def stat(self):
    return self._core.settings.stat

  @stat.setter
  def stat(self, value):
    _assign(self._core.settings.stat, value)

  @property
  def visual(self):
    return self._core.settings.vis

  @property
  def meshdir(self):
    return self.compiler.meshdir

  @meshdir.setter
  def meshdir(self, value):
    self.compiler.meshdir = value

  @property
  def texturedir(self):
    return self.compiler.texturedir

  @texturedir.setter
  def texturedir(self, value):
    self.compiler.texturedir = value

  @property
  def strippath(self):
    return self.compiler.strippath

  @strippath.setter
  def strippath(self, value):
    self.compiler.strippath = value

  @property
  def default(self):
    """The class `main`."""
    return self._family.class_(0)

  def find_default(self, name):
    """The default class of that name."""
    handle = self._core.find_class(name)
    return None if handle is None else self._family.class_(handle)

  def add_default(self, name, parent=None):
    """Adds a default class inside another; None if there is one of that name."""
    self._family.flush_classes()
    if parent is not None:
      _of_kind('parent', parent, MjsDefault, self._family)
    handle = self._core.add_class(name, 0 if parent is None else parent._handle)
    return None if handle is None else self._family.class_(handle)

  def _list(self, plural):
    kind, _, in_tree = _LISTS[plural]
    if self._moved is not None:
      return [x for x in self._moved.get(kind, []) if x._family.core.lives(kind, x._handle)]
    handles = _in_tree(self._core, 0, kind) if in_tree else self._core.all(kind)
    elements = [self._family.element(kind, handle) for handle in handles]
    return [self._worldbody] + elements if kind == _BODY else elements

  def _find(self, plural, name):
    kind, word, _ = _LISTS[plural]
    if self._moved is not None:
      return next((x for x in self._list(plural) if x.name == name), None)
    found = self._family.element(kind, self._core.find(kind, name)) if name else None
    if found is None and word in ('texture', 'mesh'):
      found = next((x for x in self._list(plural) if _named(x, name)), None)
    return found

  def delete(self, element):
    """Deletes an element; a body takes along what is in it and what refers to that."""
    if not isinstance(element, (MjsElement, MjsDefault, MjsPlain)):
      raise TypeError(f'cannot delete {type(element).__name__}')
    if element._family is not self._family:
      raise ValueError('the element belongs to another spec')
    if isinstance(element, MjsDefault):
      if element._handle == 0:
        raise ValueError("Error: cannot remove the global default ('main')")
      self._core.delete_class(element._handle)
    elif isinstance(element, MjsPlain):
      elements = self._family.plain.get(element._word, [])
      self._family.plain[element._word] = [x for x in elements if x is not element]
    elif isinstance(element, MjsFrame):
      _warnings.warn('deleting a frame has no effect')
    else:
      self._core.delete(element._kind, element._handle)

  def activate_plugin(self, name):
    """Makes a plugin known; none is so far."""

  def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
    """Attaches all of another model to a frame or a site. Returns the frame that it is in."""
    if site is None and frame is None:
      raise ValueError('One of frame or site must be specified.')
    if site is not None and frame is not None:
      raise ValueError('Only one of frame or site can be specified.')
    if isinstance(site, str):
      site = self.site(site)
      if site is None:
        raise ValueError('Site not found.')
    if isinstance(frame, str):
      frame = self.frame(frame)
      if frame is None:
        raise ValueError('Frame not found.')
    place = site if frame is None else frame
    if frame is None:
      _of_kind('site', site, MjsSite)
    else:
      _of_kind('frame', frame, MjsFrame)
    if not isinstance(child, MjSpec):
      raise TypeError('child must be an MjSpec')
    if place._family is not self._family:
      raise ValueError('Frame spec does not match parent spec.')
    if child._family is self._family:
      raise ValueError('a spec cannot be attached to itself: attach a copy')
    child._check()
    prefix = '/' if prefix is None else prefix
    suffix = suffix or ''
    assets = {}
    for path, content in child._assets.items():
      folder, base = _os.path.split(path)
      stem, extension = _os.path.splitext(base)
      path = f'{prefix}{stem}{suffix}{extension}'
      assets[f'{folder}/{path}' if folder else path] = content
    if not self.override_assets:
      for path in assets:
        if path in self._assets:
          raise ValueError(f'the asset {path} is there already')

    # a frame of its own for what comes
    core = self._core
    if frame is None:
      outer = core.add_frame_at(site._handle)
    else:
      outer = core.add(_FRAME, core.relations(_FRAME, frame._handle)[0], None)
      core.set_frame(_FRAME, outer, frame._handle)
    try:
      _attach(self._family, child._family, None, outer, prefix, suffix, child)
    except Exception:
      core.delete(_FRAME, outer)
      raise
    if not self._copies:
      child._parent = self
    self._assets.update(assets)
    return self._family.element(_FRAME, outer)

  @staticmethod
  def resolve_orientation(degree, sequence=None, orientation=None):
    """The quaternion of a form of orientation."""
    kind, numbers = orientation._pack()
    return _Core.resolve_orientation(
        bool(degree), ''.join(sequence) if sequence is not None else 'xyz', kind, numbers)


def _states(layout, model, data):
  """Views of the state of each element, by kind and handle."""
  states = {}
  if (len(layout['joint']), len(layout['actuator']), len(layout['mocap'])) != (
      model.njnt, model.nu, model.nmocap):
    return states
  qpos = np.append(model.jnt_qposadr, model.nq)
  dofs = np.append(model.jnt_dofadr, model.nv)
  for i, handle in enumerate(layout['joint']):
    states['joint', handle] = (data.qpos[qpos[i]:qpos[i + 1]], data.qvel[dofs[i]:dofs[i + 1]])
  for i, handle in enumerate(layout['actuator']):
    start, count = model.actuator_actadr[i], model.actuator_actnum[i]
    activation = data.act[start:start + count] if count > 0 else data.act[:0]
    states['actuator', handle] = (data.ctrl[i:i + 1], activation)
  for i, handle in enumerate(layout['mocap']):
    states['mocap', handle] = (data.mocap_pos[i], data.mocap_quat[i])
  return states


def _assign(record, value):
  for name in dir(type(record)):
    if not name.startswith('_'):
      try:
        setattr(record, name, getattr(value, name))
      except (AttributeError, TypeError):
        pass


def _copied(plain, family):
  copy = type(plain)._new(family)
  for name, value in plain.__dict__.items():
    if name != '_family':
      setattr(copy, name, _copy.copy(value))
  return copy


for _name in _WHOLE:
  setattr(MjSpec, _name, property(
      lambda self, name=_name: self._core.whole_get(name),
      lambda self, value, name=_name: self._core.whole_set(name, value)))


def _attach(parent, child, body, frame, prefix, suffix, spec=None):
  """Attaches a body, or all of a model; elements become those of the parent unless copied."""
  parent.flush()
  child.flush()
  handle = None if body is None else body._handle
  before = {kind: list(_in_tree(child.core, 0, kind)) if in_tree else list(child.core.all(kind))
            for kind, _, in_tree in _LISTS.values()} if spec is not None else {}
  rows = parent.core.attach(child.core, handle, frame, prefix, suffix)
  copies = {(kind, old): new for kind, old, new in rows}
  if getattr(parent, 'copies', False) or child is parent:
    return None if body is None else parent.element(_BODY, copies[_BODY, handle])

  moved = _move(parent, child, copies, spec is not None)
  if spec is not None:
    spec._moved = {
        kind: [moved[kind, old] for old in handles if (kind, old) in moved]
        for kind, handles in before.items()}
  elif body is not None:
    child.core.delete(_BODY, handle)
  return body


def _attach_frame(body, frame, prefix, suffix):
  """Attaches a frame to a body; its elements become those of the body's model unless copied."""
  parent, child = body._family, frame._family
  parent.flush()
  child.flush()
  handle = frame._handle
  rows = parent.core.attach_frame(child.core, handle, body._handle, prefix, suffix)
  copies = {(kind, old): new for kind, old, new in rows}
  if getattr(parent, 'copies', False) or child is parent:
    return parent.element(_FRAME, copies[_FRAME, handle])

  # the body around the frame has stayed where it was
  around = child.core.relations(_FRAME, handle)[0]
  copies.pop((_BODY, around), None)
  _move(parent, child, copies, False)
  tree = {kind for kind, _, in_tree in _LISTS.values() if in_tree}
  for kind, old in copies:
    if kind in tree and kind != _FRAME and child.core.lives(kind, old):
      child.core.delete(kind, old)
  # frames from the inside out: those with something in them stay
  frames = [old for kind, old in copies if kind == _FRAME]
  while frames:
    left = [old for old in frames if not _deleted(child.core, old)]
    if len(left) == len(frames):
      break
    frames = left
  return frame


def _deleted(core, frame):
  try:
    core.delete(_FRAME, frame)
  except ValueError:
    return False
  return True


def _move(parent, child, copies, all_of_them):
  """Makes the Python objects of elements be those of their copies."""
  moved = {}
  for (kind, old), new in copies.items():
    if kind == _BODY and old == 0:
      continue
    element = child.elements.pop((kind, old), None)
    if element is None and all_of_them:
      element = parent.element(kind, new)
    if element is None:
      continue
    for place, name in [key for key in child.arrays if key[0] == element._place]:
      parent.arrays[_Place(kind, new), name] = child.arrays.pop((place, name))
    element._family, element._place = parent, _Place(kind, new)
    parent.elements[kind, new] = element
    moved[kind, old] = element
  return moved


# ---------------------------------------------------------------------------------------------
# elements of compiled models


def _signature(family):
  """A number for the structure of a model: that of its compilation if nothing was edited since."""
  own = family.core.signature
  if family.compiled is not None and family.compiled[0] == own:
    return family.compiled[1]
  return own


class _Bound:
  """The views of several elements."""

  def __init__(self, views, writable, owner):
    object.__setattr__(self, '_views', views)
    object.__setattr__(self, '_writable', writable)
    object.__setattr__(self, '_owner', owner)

  def __getattr__(self, name):
    values = []
    for view in self._views:
      values.extend(np.asarray(getattr(view, name)).reshape(-1).tolist())
    return values

  def __setattr__(self, name, value):
    if not self._writable:
      raise AttributeError(f'Cannot set {name} on {self._owner}.')
    for view, number in zip(self._views, np.asarray(value).reshape(len(self._views), -1)):
      getattr(view, name)[:] = number


def _bind(owner, model, structs):
  def view(self, element):
    if _signature(element._family) != model(self).signature:
      raise ValueError(
          f'The mjSpec does not match mj{structs}. Please recompile the mjSpec.')
    word = next(word for kind, word, _ in _LISTS.values() if kind == element._kind)
    return getattr(self, word)(element.id)

  def bind_scalar(self, element):
    """The named access of an element of a spec."""
    return view(self, element)

  def bind(self, elements):
    """The named access of an element of a spec, or of several."""
    if isinstance(elements, MjsElement):
      return view(self, elements)
    return _Bound([view(self, x) for x in elements], structs == 'Data', f'Mj{structs}')

  owner.bind_scalar = bind_scalar
  owner.bind = bind


# the classes of the package
NAMES = ['MjSpec', 'MjsDefault', 'MjsCompiler', 'MjsOrientation', 'MjsWrap', 'MjsTendonPath', 'MjsElement',
         'MjDoubleVec', 'MjFloatVec', 'MjIntVec', 'MjByteVec', 'MjStringVec', 'MjCharVec']


def install(namespace):
  """Makes the classes, and puts them into the package."""
  _make_plain(globals())
  _make_classes(globals())
  NAMES.extend(cls.__name__ for cls in _CLASSES.values())
  NAMES.extend(cls.__name__ for _, cls in _PLAIN_CLASSES.values())
  for name in NAMES:
    globals()[name].__module__ = 'cortenforge'
    namespace[name] = globals()[name]
  visual = type(_Core().settings.vis)
  if not hasattr(visual, 'global'):
    setattr(visual, 'global', property(lambda self: self.global_))
  _bind(_native.MjModel, lambda model: model, 'Model')
  _bind(_native.MjData, lambda data: data.model, 'Data')

"""Small functions of the package that need nothing of the engine: texts, logs, printing."""

import datetime
import os
import random
import xml.etree.ElementTree

import numpy as np

from cortenforge import _native, specs

# names of the kinds of objects, by number
_KINDS = {number: member.removeprefix('mjOBJ_').lower()
          for name, _, members in _native._enums if name == 'mjtObj'
          for member, number in members if member.startswith('mjOBJ_')}
_KINDS = {number: name for number, name in _KINDS.items() if name not in ('unknown', 'model', 'default')}


def mju_str2Type(str):  # pylint: disable=redefined-builtin
  """Returns the number of a kind of object (an `mjtObj`) by its name; 0 if there is none."""
  text = str.decode() if isinstance(str, bytes) else str
  return next((number for number, name in _KINDS.items() if name == text != 'frame'), 0)


def mju_type2Str(type):  # pylint: disable=redefined-builtin
  """Returns the name of a kind of object (an `mjtObj`); None if it has none."""
  return _KINDS.get(int(type))


def mju_printMat(mat):
  """Prints a matrix, a line for each row."""
  for row in np.atleast_2d(np.asarray(mat, np.float64)):
    print(''.join(f'{x:.8f} ' for x in row))
  print()


def mju_printMatSparse(mat, rownnz, rowadr, colind):
  """Prints a matrix in compressed rows, a line for each row."""
  for row, (count, start) in enumerate(zip(rownnz, rowadr, strict=True)):
    entries = range(start, start + count)
    print(''.join(f'({row} {colind[i]}): {mat[i]:9.6f}  ' for i in entries))
  print()


def mju_standardNormal(num2):
  """Returns a random number of the standard normal distribution. If `num2` is an array, its first
  number becomes another one."""
  if isinstance(num2, np.ndarray) and num2.size:
    num2.flat[0] = random.gauss(0.0, 1.0)
  return random.gauss(0.0, 1.0)


def mju_raySkin(nface, nvert, face, vert, pnt, vec, vertid):
  """Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a skin,
  or -1 if it does not. `face` has three vertices per face, `vert` three numbers per vertex; the vertex
  nearest to where they meet is written to `vertid`, or -1."""
  corners = np.asarray(face, np.int64).reshape(-1)[:3 * nface].reshape(nface, 3)
  points = np.asarray(vert, np.float64).reshape(-1)[:3 * nvert].reshape(nvert, 3)
  if corners.size and not (0 <= corners.min() and corners.max() < nvert):
    raise ValueError('a face has a vertex that is not there')
  origin, direction = (np.asarray(x, np.float64).reshape(3) for x in (pnt, vec))

  # Möller and Trumbore, Fast, Minimum Storage Ray/Triangle Intersection (1997)
  first, second, third = points[corners].transpose(1, 0, 2)
  side, other, offset = second - first, third - first, origin - first
  across = np.cross(direction, other)
  volume = np.sum(side * across, axis=1)
  flat = np.abs(volume) < 1e-15
  volume = np.where(flat, 1.0, volume)
  u = np.sum(offset * across, axis=1) / volume
  turned = np.cross(offset, side)
  v = turned @ direction / volume
  distance = np.sum(other * turned, axis=1) / volume
  distance[flat | (u < 0) | (v < 0) | (u + v > 1) | (distance < 0)] = np.inf
  best = int(np.argmin(distance)) if nface else 0
  met = bool(nface) and np.isfinite(distance[best])
  if met:
    place = origin + distance[best] * direction
    vertid[0] = corners[best][np.argmin(np.sum((points[corners[best]] - place)**2, axis=1))]
    return float(distance[best])
  vertid[0] = -1
  return -1.0


def mj_printScene(s, filename):
  """Writes a scene to a text file."""
  mj_printFormattedScene(s, filename, '%.4f')


def mj_printFormattedScene(s, filename, float_format):
  """Writes a scene to a text file, numbers in a format of C's `printf`."""
  float_format % 1.0  # pylint: disable=pointless-statement

  def line(name, value):
    items = value if isinstance(value, str) else np.atleast_1d(np.asarray(value)).reshape(-1).tolist()
    text = items if isinstance(items, str) else ' '.join(
        float_format % x if isinstance(x, float) else str(x) for x in items)
    return f'  {name:<20}{text}'.rstrip()

  def record(title, thing):
    names = [name for name in dir(type(thing)) if not name.startswith('_')]
    return [title, *(line(name, getattr(thing, name)) for name in names
                     if not callable(getattr(thing, name))), '']

  lines = ['SCENE', *(line(name, getattr(s, name)) for name in (
      'maxgeom', 'ngeom', 'nlight', 'nflex', 'nskin', 'enabletransform', 'translate', 'rotate', 'scale',
      'stereo', 'flags', 'framewidth', 'framergb')), '']
  for i in range(2):
    lines += record(f'CAMERA {i}', s.camera[i])
  for i in range(s.nlight):
    lines += record(f'LIGHT {i}', s.lights[i])
  for i in range(s.ngeom):
    lines += record(f'GEOM {i}', s.geoms[i])
  with open(filename, 'w', encoding='utf-8') as file:
    file.write('\n'.join(lines))


def mju_writeLog(type, msg):  # pylint: disable=redefined-builtin
  """Adds a line with the date, a kind and a message to MUJOCO_LOG.TXT in the working directory."""
  with open('MUJOCO_LOG.TXT', 'a', encoding='utf-8') as log:
    log.write(f'{datetime.datetime.now():%a %b %d %H:%M:%S %Y}\n{type}: {msg}\n\n')


def _number(value, float_format):
  return str(value) if isinstance(value, (int, np.integer)) else float_format % value


def _lines(name, value, float_format):
  """The lines that show one attribute."""
  if isinstance(value, bytes):
    return [f'  {name:<22} {value.decode(errors="replace")!r}']
  if np.ndim(value) == 0:
    return [f'  {name:<22} {_number(value, float_format)}']
  if value.size == 0:
    return []
  rows = [value] if value.ndim == 1 else value.reshape(len(value), -1)
  texts = [' '.join(_number(x, float_format) for x in row) for row in rows]
  return [f'  {name:<22} {texts[0]}'] + [f'  {"":<22} {text}' for text in texts[1:]]


def _write(filename, parts, float_format):
  """Writes headings with the attributes of objects below them."""
  lines = []
  for heading, owner, names in parts:
    lines += [heading, *(line for name in names for line in _lines(name, getattr(owner, name), float_format)), '']
  temporary = f'{filename}.part'
  with open(temporary, 'w', encoding='utf-8') as file:
    file.write('\n'.join(lines))
  os.replace(temporary, filename)


def _fields(name):
  return [field[0] for field in _native._tables()['structs'][name]]


def mj_printFormattedModel(m, filename, float_format):
  """Writes all of a model to a text file, real numbers in a format of C such as '%8.3f'."""
  vis = [(f'VISUAL {part.strip("_").upper()}', getattr(m.vis, part), _fields(f'MjVisual{part.strip("_").capitalize()}'))
         for part in ('global_', 'quality', 'headlight', 'map', 'scale', 'rgba')]
  parts = [('MODEL', m, _fields('MjModel')), ('OPTION', m.opt, _fields('MjOption')),
           ('STATISTIC', m.stat, _fields('MjStatistic')), *vis]
  _write(filename, parts, float_format)


def mj_printModel(m, filename):
  """Writes all of a model to a text file."""
  mj_printFormattedModel(m, filename, '%g')


def mj_printFormattedData(m, d, filename, float_format):
  """Writes all of a simulation to a text file, real numbers in a format of C such as '%8.3f'."""
  if not isinstance(m, _native.MjModel):
    raise TypeError('the first argument is a model')
  contacts = [(f'CONTACT {i}', contact, _fields('MjContact')) for i, contact in enumerate(d.contact)]
  _write(filename, [('DATA', d, _fields('MjData')), *contacts], float_format)


def mj_printData(m, d, filename):
  """Writes all of a simulation to a text file."""
  mj_printFormattedData(m, d, filename, '%g')


def mj_printSchema(flg_html, flg_pad):
  """Returns the elements and attributes of MJCF as text: a table of HTML with `flg_html`, indented by
  style with `flg_pad` and by spaces otherwise."""
  rows = _native._schema()
  if not flg_html:
    lines = []
    for depth, name, times, attributes in rows:
      head, line = f'{"   " * depth}{name} ({times})'.ljust(29), ''
      for attribute in attributes:
        if len(line) + len(attribute) >= 40:
          lines.append(f'{head} {line}')
          head, line = ' ' * 29, ''
        line += f'{attribute} '
      lines.append(f'{head} {line}')
    return '\n'.join(lines) + '\n'
  parts = ['<table border="1">']
  for depth, name, times, attributes in rows:
    style = f' style="padding-left:{5 + 15 * depth}"' if flg_pad else ''
    indent = '' if flg_pad else '&nbsp;' * 4 * depth
    inside = ''.join(f'{attribute} ' for attribute in attributes) or (
        '<span style="color:black"><i>no attributes</i></span>')
    parts.append(f'<tr>\n\t<td{style} bgcolor="#EEEEEE" class="el">{indent}{name}</td>\n'
                 f'\t<td class="ty">{times}</td>\n\t<td class="at">{inside}</td>\n</tr>')
  return '\n'.join([*parts, '</table>']) + '\n'


_FILE_ATTRIBUTES = ('file', 'fileright', 'fileup', 'fileleft', 'filedown', 'filefront', 'fileback')


def mju_getXMLDependencies(filename):
  """Returns the files that a model in MJCF is made of, itself included, in the order of the alphabet."""
  found, open_files = set(), [os.fspath(filename)]
  while open_files:
    path = open_files.pop()
    if path in found:
      continue
    try:
      root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError) as error:
      raise _native.FatalError(f"Problem reading XML file '{path}': {error}") from error
    found.add(path)
    folder, folders = os.path.dirname(path), {}
    for compiler in root.iter('compiler'):
      folders.update(compiler.attrib)
    for element in root.iter():
      if element.tag in ('include', 'model') and 'file' in element.attrib:
        open_files.append(os.path.join(folder, element.attrib['file']))
      elif element.tag in ('mesh', 'flexcomp', 'skin', 'hfield', 'texture'):
        kind = 'texturedir' if element.tag == 'texture' else 'meshdir'
        base = folders.get(kind, folders.get('assetdir', ''))
        found.update(os.path.join(folder, base, element.attrib[name])
                     for name in _FILE_ATTRIBUTES if element.attrib.get(name))
  return sorted(found)


def from_zip(file):
  """Reads an editable model from an archive: the XML file in it, with the others as assets."""
  return specs.MjSpec.from_zip(file)


def to_zip(spec, file):
  """Writes an editable model and its assets to an archive."""
  spec.to_zip(file)


class _Cache:
  """The asset cache of the compiler: there is none, files are read whenever a model is loaded."""


_CACHE = _Cache()


def mj_getCache():
  """Returns the cache of assets, which holds nothing: files are read whenever a model is loaded."""
  return _CACHE


def mj_getCacheSize(cache):
  """Returns the bytes in the cache: 0."""
  del cache
  return 0


def mj_getCacheCapacity(cache):
  """Returns the bytes that the cache can hold: 0."""
  del cache
  return 0


def mj_setCacheCapacity(cache, size):
  """Returns the bytes that the cache can hold, which `size` does not change: 0."""
  del cache, size
  return 0


def mj_clearCache(cache):
  """Empties the cache, which holds nothing."""
  del cache


def get_mju_user_malloc():
  """Returns None: memory comes from Rust's allocator."""


def get_mju_user_free():
  """Returns None: memory comes from Rust's allocator."""


def set_mju_user_malloc(function):
  """Takes None only: memory comes from Rust's allocator."""
  if function is not None:
    raise NotImplementedError('mujoco.set_mju_user_malloc: memory comes from the allocator of Rust')


def set_mju_user_free(function):
  """Takes None only: memory comes from Rust's allocator."""
  if function is not None:
    raise NotImplementedError('mujoco.set_mju_user_free: memory comes from the allocator of Rust')


PUBLIC = ('from_zip', 'to_zip', *(
    name for name in globals() if name.startswith(('mj', 'set_mju', 'get_mju'))))

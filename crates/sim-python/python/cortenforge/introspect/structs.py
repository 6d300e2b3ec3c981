"""The structs of models and data, by name, from the field tables of the engine."""

from collections.abc import Mapping

import cortenforge
from cortenforge.introspect.ast_nodes import (
    AnonymousStructDecl, AnonymousUnionDecl, ArrayType, PointerType, StructDecl, StructFieldDecl,
    ValueType)
from cortenforge.introspect.type_parsing import parse_type

_TYPES = {'int': 'int', 'float': 'mjtNum', 'bytes': 'char', 'float64': 'mjtNum', 'float32': 'float',
          'int32': 'int', 'int64': 'mjtSize', 'uint8': 'mjtByte', 'int8': 'char', 'uint64': 'mjtSize'}
_TABLES = cortenforge._native._tables()['structs']
# sizes of lists of structs in the data
_LISTS = {'warning': ('mjWarningStat', 8), 'timer': ('mjTimerStat', 15), 'solver': ('mjSolverStat', 4000)}
# types of numbers about memory, where they are not those of sizes
_MEMORY = {'nplugin': 'int', 'pstack': 'size_t', 'pbase': 'size_t', 'parena': 'size_t'}
# short texts that programs compare
_DOCS = {'warning': 'warning statistics (mutable)', 'qpos': 'position',
         'ipd': 'inter-pupilary distance for free camera', 'offwidth': 'width of offscreen buffer',
         'ambient': 'ambient rgb (alpha=1)', 'diffuse': 'diffuse rgb (alpha=1)',
         'specular': 'specular rgb (alpha=1)', 'active': 'is headlight active'}


def _number(text):
  return int(text) if text.isdigit() else text


def _inline(name, kind, dims, doc, _, real='mjtNum'):
  """A field whose numbers are in the struct itself."""
  value = ValueType(real if kind in ('float', 'float64', 'float32') else _TYPES[kind])
  extents = tuple(int(dim) for dim in dims)
  return StructFieldDecl(name, ArrayType(value, extents) if extents else value, _DOCS.get(name, doc))


def _behind(name, kind, dims, doc, _):
  """A field that points to its numbers."""
  return StructFieldDecl(name, PointerType(ValueType(_TYPES[kind])), _DOCS.get(name, doc),
                         tuple(_number(dim) for dim in dims))


def _record(name, real='mjtNum'):
  return [_inline(*field, real=real) for field in _TABLES[name]]


def _model():
  sizes = set(cortenforge.MjModel._size_fields)
  fields = []
  for field in _TABLES['MjModel']:
    if field[0] in sizes:
      fields.append(StructFieldDecl(field[0], ValueType('mjtSize'), field[3]))
    else:
      fields.append(_behind(*field))
  parts = [StructFieldDecl(name, ValueType(kind), doc) for name, kind, doc in (
      ('opt', 'mjOption', 'physics options'), ('vis', 'mjVisual', 'visual settings'),
      ('stat', 'mjStatistic', 'statistics'))]
  signature = StructFieldDecl('signature', ValueType('uint64_t'), 'what models of the same structure share')
  return [*fields[:len(sizes)], *parts, *fields[len(sizes):], signature]


def _data():
  by_name = {field[0]: field for field in _TABLES['MjData']}
  fields = []
  for name in cortenforge.MjData._all_fields:
    if name in _LISTS:
      kind, count = _LISTS[name]
      fields.append(StructFieldDecl(name, ArrayType(ValueType(kind), (count,)), _DOCS.get(name, name)))
    elif name == 'maxuse_threadstack':
      fields.append(StructFieldDecl(name, ArrayType(ValueType('mjtSize'), (128,)), 'most memory used by thread'))
    elif name == 'plugin_data':
      fields.append(StructFieldDecl(name, PointerType(ValueType('uintptr_t')), 'data of plugins', ('nplugin',)))
    elif name == 'threadpool':
      fields.append(StructFieldDecl(name, ValueType('uintptr_t'), 'address of the thread pool'))
    elif name not in by_name:
      fields.append(StructFieldDecl(name, ValueType(_MEMORY.get(name, 'mjtSize')), 'about memory'))
    elif name.startswith('flg_'):
      fields.append(StructFieldDecl(name, ValueType('mjtByte'), by_name[name][3]))
    elif all(dim.isdigit() for dim in by_name[name][2]):
      fields.append(_inline(*by_name[name]))
    else:
      fields.append(_behind(*by_name[name]))
  there = {field.name for field in fields}
  fields.append(StructFieldDecl('contact', PointerType(ValueType('mjContact')), 'contacts', ('ncon',)))
  fields += [_behind(*field) for field in _TABLES['MjData'] if field[0] not in there]
  fields.append(StructFieldDecl('signature', ValueType('uint64_t'), 'that of the model'))
  return fields


def _visual():
  parts = ('Global', 'Quality', 'Headlight', 'Map', 'Scale', 'Rgba')
  return [StructFieldDecl(part.lower(), AnonymousStructDecl(_record(f'MjVisual{part}', 'float')), part)
          for part in parts]


# an item of the user interface: the type, name and meaning of each field
_UI_ITEM = (
    ('int', 'type', 'kind of item'), ('char[40]', 'name', 'name'), ('int', 'state', 'state'),
    ('void*', 'pdata', 'data pointer (type-specific)'), ('int', 'sectionid', 'number of the section'),
    ('int', 'itemid', 'number in the section'), ('int', 'userid', 'number given by the user'))
_UI_KINDS = (
    ('struct mjuiItemSingle_', 'single', 'check and button'),
    ('struct mjuiItemMulti_', 'multi', 'static, radio and select'),
    ('struct mjuiItemSlider_', 'slider', 'slider'), ('struct mjuiItemEdit_', 'edit', 'edit'))
_UI_PLACE = (('mjrRect', 'rect', 'rectangle'), ('int', 'skip', 'whether it is left out'))


def _ui_item():
  def fields(rows):
    return [StructFieldDecl(name, parse_type(kind), doc) for kind, name, doc in rows]
  return [*fields(_UI_ITEM), AnonymousUnionDecl(fields(_UI_KINDS)), *fields(_UI_PLACE)]


def _struct(name, fields):
  return StructDecl(name=name, declname=f'struct {name}_', fields=tuple(fields))


STRUCTS: Mapping[str, StructDecl] = {
    'mjModel': _struct('mjModel', _model()),
    'mjData': _struct('mjData', _data()),
    'mjVisual': _struct('mjVisual', _visual()),
    'mjuiItem': _struct('mjuiItem', _ui_item()),
    **{f'm{name[1:]}': _struct(f'm{name[1:]}', _record(name))
       for name in ('MjOption', 'MjStatistic', 'MjContact', 'MjWarningStat', 'MjTimerStat', 'MjSolverStat')},
}

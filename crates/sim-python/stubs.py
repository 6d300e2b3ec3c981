"""Writes the type stub of the package from the same tables that its attributes come from.

  python stubs.py            prints the stub
  python stubs.py --write    writes python/cortenforge/__init__.pyi
  python stubs.py --check    exits with 1 if that file is not up to date
"""

import inspect
import pathlib
import sys

import cortenforge
from cortenforge import _native

STUB = pathlib.Path(__file__).parent / 'python' / 'cortenforge' / '__init__.pyi'

HEAD = '''\
# made by stubs.py from the field tables

import enum
import os
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
engine_version: str
uncomputed_fields: tuple[str, ...]
"""Fields of models and data that exist but are not computed yet; they are zero."""

_T = TypeVar("_T", bound=np.generic)
_S = TypeVar("_S", covariant=True)

class _Array(Generic[_T]):
    """An array attribute: reading gives a numpy array, setting fills it."""
    def __get__(self, instance: object, owner: type | None = None) -> NDArray[_T]: ...
    def __set__(self, instance: object, value: ArrayLike) -> None: ...

class _RecordList(Protocol[_S]):
    """Records by number, and one array per field across them."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: SupportsIndex) -> _S: ...
    def __getattr__(self, name: str) -> NDArray[Any]: ...

class FatalError(RuntimeError): ...

def install_as_mujoco() -> None:
    """Makes ``import mujoco`` give this package, in this process."""
'''

# members of classes that are no fields
MEMBERS = {
    'MjModel': '''\
    @staticmethod
    def from_xml_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str, assets: Mapping[str, bytes] | None = None) -> MjModel: ...
    def __copy__(self) -> MjModel: ...
    def __deepcopy__(self, memo: Any) -> MjModel: ...
    @property
    def opt(self) -> MjOption: ...
    @property
    def stat(self) -> MjStatistic: ...
    @property
    def vis(self) -> MjVisual: ...
    @property
    def load_warnings(self) -> list[str]: ...
''',
    'MjContact': '''\
    def __new__(cls) -> MjContact: ...
''',
    'MjData': '''\
    def __new__(cls, model: MjModel) -> MjData: ...
    def __copy__(self) -> MjData: ...
    def __deepcopy__(self, memo: Any) -> MjData: ...
    @property
    def model(self) -> MjModel: ...
    @property
    def contact(self) -> _MjContactList: ...
    @property
    def warning(self) -> _RecordList[MjWarningStat]: ...
    @property
    def timer(self) -> _RecordList[MjTimerStat]: ...
    @property
    def solver(self) -> _RecordList[MjSolverStat]: ...
''',
}

VISUAL = '''\
class MjVisual:
    @property
    def global_(self) -> MjVisualGlobal: ...
    @property
    def quality(self) -> MjVisualQuality: ...
    @property
    def headlight(self) -> MjVisualHeadlight: ...
    @property
    def map(self) -> MjVisualMap: ...
    @property
    def scale(self) -> MjVisualScale: ...
    @property
    def rgba(self) -> MjVisualRgba: ...
'''

LENGTH_RANGE = '''\
class MjLROpt:
    def __new__(cls) -> MjLROpt: ...
    def __copy__(self) -> MjLROpt: ...
    def __deepcopy__(self, memo: Any) -> MjLROpt: ...
    mode: int
    useexisting: int
    uselimit: int
    accel: float
    maxforce: float
    timeconst: float
    timestep: float
    inttotal: float
    interval: float
    tolrange: float
'''

VECTOR, OUTPUT, INDICES = 'ArrayLike', 'NDArray[np.float64]', 'NDArray[np.int32]'
PARAMETERS = {
    'm': 'MjModel', 'd': 'MjData', 'con': 'MjContact', 'nstep': 'int', 'key': 'int', 'type': 'int', 'name': 'str',
    'id': 'int', 'sig': 'int', 'body': 'int', 'geom': 'int', 'site': 'int', 'dt': 'float',
    'flg_acc': 'int', 'flg_local': 'int', 'objtype': 'int', 'objid': 'int', 'M': VECTOR, 'vec': VECTOR, 'qvel': VECTOR, 'force': VECTOR,
    'torque': VECTOR, 'point': VECTOR, 'y': VECTOR, 'dst': OUTPUT, 'res': OUTPUT, 'x': OUTPUT,
    'qpos': OUTPUT, 'qpos1': VECTOR, 'qpos2': VECTOR, 'result': OUTPUT, 'qfrc_target': OUTPUT, 'jacp': f'{OUTPUT} | None',
    'jacr': f'{OUTPUT} | None', 'state': OUTPUT, 'jacPoint': f'{OUTPUT} | None',
    'jacAxis': f'{OUTPUT} | None', 'axis': VECTOR, 'rownnz': INDICES, 'rowadr': INDICES,
    'colind': INDICES, 'src': VECTOR, 'dest': 'MjData', 'srcsig': 'int', 'dstsig': 'int', 'k': 'int',
    'callbacks': 'Any', 'function': 'Callable[..., Any] | None', 'quat': VECTOR, 'quat1': VECTOR,
    'quat2': VECTOR, 'angle': 'float', 'qa': VECTOR, 'qb': VECTOR, 'mat': VECTOR, 'vel': VECTOR,
    'pos': VECTOR, 'pos1': VECTOR, 'pos2': VECTOR, 'a': VECTOR, 'b': VECTOR, 'vec1': VECTOR,
    'vec2': VECTOR, 'scl': 'float', 'scale': 'float', 'data': VECTOR, 'euler': VECTOR, 'seq': 'str',
    'posres': OUTPUT, 'quatres': OUTPUT, 'filename': 'str | os.PathLike[str]',
    'pnt': VECTOR, 'size': VECTOR, 'geomgroup': f'{VECTOR} | None', 'flg_static': 'int',
    'bodyexclude': 'int', 'geomid': INDICES, 'dist': OUTPUT, 'normal': f'{OUTPUT} | None',
    'nray': 'int', 'cutoff': 'float', 'geomtype': 'int', 'pyramid': VECTOR, 'mu': VECTOR,
    'index': 'int', 'opt': 'MjLROpt', 'geom1': 'int', 'geom2': 'int', 'distmax': 'float',
    'fromto': f'{OUTPUT} | None', 'jar': VECTOR, 'cost': f'{OUTPUT} | None',
    'flg_coneHessian': 'int'}
# parameters that mean something else in one function
SPECIAL = {
    ('mj_setState', 'state'): VECTOR, ('mj_differentiatePos', 'qvel'): OUTPUT,
    ('mj_copyState', 'src'): 'MjData', ('mj_copyState', 'dst'): 'MjData',
    ('mj_copyData', 'src'): 'MjData', ('mju_mat2Quat', 'quat'): OUTPUT,
    ('mju_quatZ2Vec', 'quat'): OUTPUT, ('mju_quatIntegrate', 'quat'): OUTPUT,
    ('mju_euler2Quat', 'quat'): OUTPUT, ('mju_normalize3', 'vec'): OUTPUT,
    ('mju_normalize4', 'vec'): OUTPUT, ('mj_ray', 'geomid'): f'{INDICES} | None',
    ('mju_encodePyramid', 'pyramid'): OUTPUT, ('mju_decodePyramid', 'force'): OUTPUT}
RETURNS = {
    'mj_name2id': 'int', 'mj_id2name': 'str | None', 'mj_stateSize': 'int',
    'mj_getTotalmass': 'float', 'mj_isSparse': 'int', 'mj_isPyramidal': 'int',
    'mj_isDual': 'int',
    'mju_dot3': 'float', 'mju_norm3': 'float', 'mju_dist3': 'float', 'mju_normalize3': 'float',
    'mju_normalize4': 'float', 'mj_addContact': 'int', 'mj_ray': 'float', 'mju_rayGeom': 'float', 'mj_geomDistance': 'float',
    'mj_version': 'int', 'mj_versionString': 'str'}


def docstring(text, indent):
  """The lines of a docstring."""
  text = ' '.join(text.split()).replace('\\', '\\\\')
  return f'{indent}"""{text}"""\n' if text else ''


def attribute(name, kind, dims, doc, writable):
  """One field of a class."""
  note = f'{doc} Shape: ({", ".join(dims)}).'.strip() if dims and kind != 'bytes' else doc
  is_array = kind not in ('int', 'float', 'bytes')
  if is_array and writable:
    return f'    {name}: _Array[np.{kind}]\n' + docstring(note, '    ')
  if writable:
    return f'    {name}: {kind}\n' + docstring(note, '    ')
  result = f'NDArray[np.{kind}]' if is_array else kind
  head = f'    @property\n    def {name}(self) -> {result}:'
  body = docstring(note, '        ')
  return f'{head}\n{body}' if body else f'{head} ...\n'


def struct(name, fields, accessors=''):
  doc = inspect.getdoc(getattr(cortenforge, name)) or ''
  text = f'class {name}:\n'
  if doc:
    text += docstring(doc, '    ')
  text += MEMBERS.get(name, '') + accessors
  return text + ''.join(attribute(*field) for field in fields)


def contact_list(fields):
  """The list of contacts: one more dimension than a contact."""
  kinds = {'int': 'int32', 'float': 'float64'}
  text = '''\
class _MjContactList:
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> MjContact: ...
    @overload
    def __getitem__(self, index: slice) -> list[MjContact]: ...
'''
  for name, kind, dims, doc, _ in fields:
    text += attribute(name, kinds.get(kind, kind), ['ncon', *dims], doc, False)
  return text


def views(infos):
  """Classes of named access, and the methods that give them."""
  classes, accessors = [], ''
  for cls, methods, members in infos:
    text = f'class {cls}:\n    @property\n    def id(self) -> int: ...\n'
    text += '    @property\n    def name(self) -> str: ...\n'
    for name, kind, _ in members:
      text += f'    {name}: _Array[np.{kind}]\n'
    classes.append(text)
    for method in methods:
      accessors += f'    def {method}(self, name: str | SupportsIndex = ..., /) -> {cls}: ...\n'
  return classes, accessors


def returned(name):
  if name.startswith('get_mjcb'):
    return 'Callable[..., Any] | None'
  return RETURNS.get(name, 'None')


def function(name):
  signature = inspect.signature(getattr(cortenforge, name))
  parameters = []
  for parameter in signature.parameters.values():
    if parameter.kind is parameter.KEYWORD_ONLY and '*' not in parameters:
      parameters.append('*')
    kind = PARAMETERS[parameter.name]
    kind = SPECIAL.get((name, parameter.name), kind)
    default = '' if parameter.default is parameter.empty else f' = {parameter.default!r}'
    parameters.append(f'{parameter.name}: {kind}{default}')
  head = f'def {name}({", ".join(parameters)}) -> {returned(name)}:\n'
  return head + docstring(getattr(cortenforge, name).__doc__, '    ')


def make():
  """The text of the stub."""
  tables = _native._tables()
  parts = [HEAD]

  names = [n for n in dir(_native) if n.startswith(('mj', 'set_mjcb', 'get_mjcb'))]
  constants = [n for n in names if isinstance(getattr(_native, n), (int, float))]
  parts.append(''.join(f'{n}: {type(getattr(_native, n)).__name__}\n' for n in constants))

  for name, doc, members in _native._enums:
    text = f'class {name}(enum.IntEnum):\n' + docstring(doc, '    ')
    parts.append(text + ''.join(f'    {member} = {value}\n' for member, value in members))

  model_views, model_accessors = views(tables['model_views'])
  data_views, data_accessors = views(tables['data_views'])
  accessors = {'MjModel': model_accessors, 'MjData': data_accessors}
  for name, fields in tables['structs'].items():
    parts.append(struct(name, fields, accessors.get(name, '')))
  parts += [VISUAL, LENGTH_RANGE, contact_list(tables['structs']['MjContact']), *model_views, *data_views]
  parts += [function(n) for n in names if callable(getattr(_native, n))]
  return '\n'.join(parts)


def main():
  text = make()
  if '--write' in sys.argv:
    STUB.write_text(text)
  elif '--check' in sys.argv:
    if STUB.read_text() != text:
      sys.exit(f'{STUB.name} is not up to date: run stubs.py --write')
  else:
    print(text, end='')


if __name__ == '__main__':
  main()

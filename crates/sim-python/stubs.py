"""Writes the type stub of the package from the same tables that its attributes come from.

  python stubs.py            prints the stub
  python stubs.py --write    writes python/cortenforge/__init__.pyi
  python stubs.py --check    exits with 1 if that file is not up to date
"""

import inspect
import pathlib
import sys

import numpy as np

import cortenforge
from cortenforge import _native, _utilities
from cortenforge import specs

STUB = pathlib.Path(__file__).parent / 'python' / 'cortenforge' / '__init__.pyi'

HEAD = '''\
# made by stubs.py from the field tables

import enum
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
built_for: str
engine_version: str
reference_version: str
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

class UnexpectedError(Exception): ...

HEADERS_DIR: str
PLUGINS_DIR: str
PLUGIN_HANDLES: list[Any]

def install_as_mujoco(children: bool = True) -> None:
    """Makes ``import mujoco`` give this package, in this process and in those that it starts."""
'''

# members of classes that are no fields
MEMBERS = {
    'MjModel': '''\
    @staticmethod
    def from_xml_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjModel: ...
    @staticmethod
    def from_xml_string(xml: str | bytes, assets: Mapping[str, bytes] | None = None, *, root: str | os.PathLike[str] | None = None) -> MjModel: ...
    @staticmethod
    def from_binary_path(filename: str | os.PathLike[str], assets: Mapping[str, bytes] | None = None) -> MjModel: ...
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
    @property
    def signature(self) -> int: ...
    def bind(self, elements: MjsElement | Sequence[MjsElement]) -> Any: ...
    def bind_scalar(self, element: MjsElement) -> Any: ...
''',
    'MjContact': '''\
    def __new__(cls) -> MjContact: ...
    def __copy__(self) -> MjContact: ...
    def __deepcopy__(self, memo: Any) -> MjContact: ...
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
    @property
    def signature(self) -> int: ...
    def bind(self, elements: MjsElement | Sequence[MjsElement]) -> Any: ...
    def bind_scalar(self, element: MjsElement) -> Any: ...
    @property
    def narena(self) -> int: ...
    @property
    def nbuffer(self) -> int: ...
    @property
    def nplugin(self) -> int: ...
    pstack: int
    pbase: int
    parena: int
    maxuse_stack: int
    maxuse_arena: int
    threadpool: int
    @property
    def maxuse_threadstack(self) -> NDArray[np.uint64]: ...
    @property
    def plugin_data(self) -> NDArray[np.uint64]: ...
''',
}

RECORD = '''\
    def __new__(cls) -> {name}: ...
    def __copy__(self) -> {name}: ...
    def __deepcopy__(self, memo: Any) -> {name}: ...
'''

VISUAL = '''\
class MjVisual:
    Global: type[MjVisualGlobal]
    Quality: type[MjVisualQuality]
    Headlight: type[MjVisualHeadlight]
    Map: type[MjVisualMap]
    Scale: type[MjVisualScale]
    Rgba: type[MjVisualRgba]
    def __copy__(self) -> MjVisual: ...
    def __deepcopy__(self, memo: Any) -> MjVisual: ...
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
    'flg_coneHessian': 'int', 'buffer': 'NDArray[np.uint8] | None', 'eps': 'float', 'flg_centered': 'int', 'flg_actuation': 'int',
    **dict.fromkeys(('A', 'B', 'C', 'D', 'DfDq', 'DfDv', 'DfDa', 'DsDq', 'DsDv', 'DsDa', 'DmDq', 'Da',
                     'Db', 'Dquat', 'Dvel', 'Dscale'), f'{OUTPUT} | None')}
PARAMETERS |= {
    'val': 'float', 'x': 'float', 'min': 'float', 'max': 'float', 'mat1': VECTOR, 'mat2': VECTOR,
    'diag': f'{VECTOR} | None', 'mindiag': 'float', 'flg_plus': 'int', 'ntotal': 'int', 'nband': 'int',
    'ndense': 'int', 'flg_sym': 'int', 'nvec': 'int', 'i': 'int', 'diagadd': 'float',
    'diagmul': 'float', 'R': OUTPUT, 'H': VECTOR, 'g': VECTOR, 'lower': f'{VECTOR} | None',
    'upper': f'{VECTOR} | None', 'eigval': OUTPUT, 'eigvec': OUTPUT, 'flg_force': 'int',
    'newpos': VECTOR, 'oldpos': VECTOR, 'rotnew2old': f'{VECTOR} | None', 'list': OUTPUT,
    'base': 'int', 'pos0': 'float', 'vel0': 'float', 'Kp': 'float', 'Kv': 'float', 'len': 'float',
    'lengthrange': VECTOR, 'acc0': 'float', 'prm': VECTOR, 'ctrl': 'float', 'act': 'float', 'N': 'int',
    'skipstage': 'int', 'skipsensor': 'int', 'sqrtInvD': VECTOR, 'xpos': OUTPUT, 'xmat': OUTPUT,
    'sameframe': 'int', 'newmass': 'float', 'debug_value': 'int', 'time': 'float', 'interp': 'int',
    'times': f'{VECTOR} | None', 'values': VECTOR, 'phase': 'float', 'vis': 'MjVisual',
    'solref': OUTPUT, 'solimp': OUTPUT, 'nbytes': 'int', 'warning': 'int', 'info': 'int',
    'str': 'str | bytes', 'num2': 'Any', 'msg': 'str', 'float_format': 'str', 'cache': 'Any',
    'flex_layer': 'int', 'flg_vert': 'int', 'flg_edge': 'int', 'flg_face': 'int', 'flg_skin': 'int',
    'flexid': 'int', 'vertid': INDICES, 'nface': 'int', 'nvert': 'int', 'face': VECTOR, 'vert': VECTOR,
    's': 'MjvScene', 'flg_html': 'bool', 'flg_pad': 'bool', 'file': 'Any', 'spec': 'MjSpec'}
# parameters that mean something else in one function
SPECIAL = {
    ('mj_setState', 'state'): VECTOR, ('mj_differentiatePos', 'qvel'): OUTPUT,
    ('mj_copyState', 'src'): 'MjData', ('mj_copyState', 'dst'): 'MjData',
    ('mj_copyData', 'src'): 'MjData', ('mju_mat2Quat', 'quat'): OUTPUT,
    ('mju_quatZ2Vec', 'quat'): OUTPUT, ('mju_quatIntegrate', 'quat'): OUTPUT,
    ('mju_euler2Quat', 'quat'): OUTPUT, ('mju_normalize3', 'vec'): OUTPUT,
    ('mju_normalize4', 'vec'): OUTPUT, ('mj_ray', 'geomid'): f'{INDICES} | None', ('mj_rayMesh', 'geomid'): 'int',
    ('mj_rayHfield', 'geomid'): 'int', ('mj_rayFlex', 'vertid'): f'{INDICES} | None',
    ('mj_saveModel', 'filename'): 'str | os.PathLike[str] | None',
    ('mju_encodePyramid', 'pyramid'): OUTPUT, ('mju_decodePyramid', 'force'): OUTPUT,
    ('mju_eye', 'mat'): OUTPUT, ('mju_cholFactor', 'mat'): OUTPUT, ('mju_cholUpdate', 'mat'): OUTPUT,
    ('mju_cholFactorBand', 'mat'): OUTPUT, ('mju_cholUpdate', 'x'): OUTPUT,
    ('mj_solveM', 'x'): OUTPUT, ('mj_solveM2', 'x'): OUTPUT, ('mju_eig3', 'quat'): OUTPUT,
    ('mju_mat2Rot', 'quat'): OUTPUT, ('mju_insertionSortInt', 'list'): INDICES,
    ('mju_n2f', 'res'): 'NDArray[np.float32]', ('mju_norm', 'res'): VECTOR,
    ('mju_boxQP', 'index'): f'{INDICES} | None', ('mj_angmomMat', 'mat'): OUTPUT,
    ('mju_sparse2dense', 'rownnz'): VECTOR, ('mju_sparse2dense', 'rowadr'): VECTOR,
    ('mju_sparse2dense', 'colind'): VECTOR, ('mju_printMatSparse', 'rownnz'): VECTOR,
    ('mju_printMatSparse', 'rowadr'): VECTOR, ('mju_printMatSparse', 'colind'): VECTOR,
    ('mj_defaultOption', 'opt'): 'MjOption', ('mju_max', 'a'): 'float', ('mju_max', 'b'): 'float',
    ('mju_min', 'a'): 'float', ('mju_min', 'b'): 'float', ('mju_muscleGain', 'vel'): 'float',
    ('mju_writeLog', 'type'): 'str', ('mj_setCacheCapacity', 'size'): 'int'}
RETURNS = {
    'mj_name2id': 'int', 'mj_id2name': 'str | None', 'mj_stateSize': 'int',
    'mj_getTotalmass': 'float', 'mj_isSparse': 'int', 'mj_isPyramidal': 'int',
    'mj_isDual': 'int', 'mj_sizeModel': 'int',
    'mju_dot3': 'float', 'mju_norm3': 'float', 'mju_dist3': 'float', 'mju_normalize3': 'float',
    'mju_normalize4': 'float', 'mj_addContact': 'int', 'mj_ray': 'float', 'mju_rayGeom': 'float', 'mj_rayMesh': 'float', 'mj_rayHfield': 'float', 'mj_rayFlex': 'float', 'mju_raySkin': 'float', 'mj_geomDistance': 'float',
    'mj_version': 'int', 'mj_versionString': 'str', 'mju_L1': 'float', 'mju_sum': 'float',
    'mju_isZero': 'int', 'mju_dot': 'float', 'mju_norm': 'float', 'mju_normalize': 'float',
    'mju_mulVecMatVec': 'float', 'mju_cholFactor': 'int', 'mju_cholUpdate': 'int',
    'mju_bandDiag': 'int', 'mju_cholFactorBand': 'float', 'mju_dense2sparse': 'int',
    'mju_boxQP': 'int', 'mju_eig3': 'int', 'mju_mat2Rot': 'int', 'mju_min': 'float',
    'mju_max': 'float', 'mju_clip': 'float', 'mju_sign': 'float', 'mju_round': 'int',
    'mju_isBad': 'int', 'mju_Halton': 'float', 'mju_sigmoid': 'float', 'mju_springDamper': 'float',
    'mju_muscleGain': 'float', 'mju_muscleBias': 'float', 'mju_muscleDynamics': 'float',
    'mj_readCtrl': 'float', 'mj_readSensor': OUTPUT, 'mju_writeNumBytes': 'str',
    'mju_warningText': 'str', 'mj_printSchema': 'str', 'mju_getXMLDependencies': 'list[str]',
    'from_zip': 'MjSpec', 'mju_str2Type': 'int', 'mju_type2Str': 'str | None',
    'mju_standardNormal': 'float', 'mj_getCache': 'Any', 'mj_getCacheSize': 'int',
    'mj_getCacheCapacity': 'int', 'mj_setCacheCapacity': 'int'}


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
  text += MEMBERS.get(name, RECORD.format(name=name)) + accessors
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
      accessors += f'    def {method}(self, name: str | SupportsIndex = ...) -> {cls}: ...\n'
  return classes, accessors


def returned(name):
  if name.startswith('get_mj'):
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


def drawing():
  """Names that are written in Python, from their modules."""
  imports = [('gl_context', ['GLContext']), ('renderer', ['Renderer', 'render_batch'])]
  imports += [(module, getattr(cortenforge, module).__all__) for module in ('render', 'scene')]
  lines = ['from cortenforge import media as media']
  for module, names in imports:
    listed = ', '.join(f'{name} as {name}' for name in sorted(names))
    lines.append(f'from cortenforge.{module} import {listed}')
  return '\n'.join(lines) + '\n'


def item(labels):
  """The type of the labels in a table."""
  return 'str' if isinstance(labels[0], str) else 'tuple[str, str, str]'


def field_type(field):
  """The type of a field of an element."""
  if field.kind in specs._DTYPES:
    return f'_Array[np.{np.dtype(specs._DTYPES[field.kind]).name}]'
  plain = {'float': 'float', 'int': 'int', 'text': 'str', 'bytes': 'bytes'}
  return field.enum if field.kind == 'enum' else plain.get(field.kind, 'Any')


# parameters of the methods of MjSpec and its elements
PATH, TEXT = 'str | os.PathLike[str]', 'str | None'
EDITS = {
    'filename': PATH, 'path': PATH, 'root': f'{PATH} | None', 'xml': 'str | bytes', 'name': 'str',
    'include': 'Mapping[str, Any] | None', 'assets': 'Mapping[str, Any] | None',
    'packages': f'Mapping[str, {PATH}] | None', 'mimic': 'bool', 'free_base': 'bool',
    'keep_visual': 'bool', 'turn_inertia': 'bool', 'model': 'MjModel', 'data': 'MjData',
    'prefix': TEXT, 'suffix': TEXT, 'child': 'MjSpec', 'body': 'MjsBody',
    'parent': 'MjsDefault | None', 'parentframe': 'MjsFrame | None', 'kind': 'str | int',
    'element': 'MjsElement | MjsDefault | MjsPlugin', 'sidesite': 'str', 'coef': 'float',
    'divisor': 'float', 'default': 'MjsDefault | None', 'degree': 'bool | int',
    'orientation': 'MjsOrientation'}
# those that differ between methods
FRAMES = {'attach': 'MjsFrame | str | None', 'set_frame': 'MjsFrame | None'}


def spec_method(cls, name, member):
  """A method of MjSpec or of an element."""
  singular = {word: f'Mjs{specs._CAPITALS.get(word, word.capitalize())}'
              for _, word, _ in specs._LISTS.values()}
  singular.update({word: kind.__name__ for word, (_, kind) in specs._PLAIN_CLASSES.items()})
  verb, _, word = name.partition('_')
  if verb == 'add' and word in singular and name != 'add_frame':
    return (f'    def {name}(self, default: MjsDefault | None = None, **attributes: Any)'
            f' -> {singular[word]}: ...\n')
  if verb == 'first' and word in singular:
    return f'    def {name}(self) -> {singular[word]} | None: ...\n'
  if verb == 'next' and word in singular:
    return f'    def {name}(self, element: {singular[word]}) -> {singular[word]} | None: ...\n'
  if cls is specs.MjSpec and name in singular:
    return f'    def {name}(self, name: str) -> {singular[name]} | None: ...\n'
  result = {'from_file': 'MjSpec', 'from_string': 'MjSpec', 'from_urdf': 'MjSpec', 'from_zip': 'MjSpec', 'copy': 'MjSpec',
            'compile': 'MjModel', 'to_xml': 'str', 'recompile': 'tuple[MjModel, MjData]',
            'attach': 'MjsFrame', 'to_frame': 'MjsFrame', 'attach_body': 'MjsBody',
            'attach_frame': 'MjsFrame', 'resolve_orientation': 'list[float]', 'default': 'MjsDefault',
            'find_default': 'MjsDefault | None', 'add_default': 'MjsDefault | None',
            'add_freejoint': 'MjsJoint', 'add_frame': 'MjsFrame', 'get_data_size': 'int',
            'find_all': 'list[Any]', 'find_child': 'MjsBody | None'}
  result = 'MjsWrap' if verb == 'wrap' else result.get(name, 'None')
  function = member.__func__ if isinstance(member, staticmethod) else member
  parameters = []
  for parameter in inspect.signature(function).parameters.values():
    if parameter.name == 'self':
      parameters.append('self')
      continue
    if parameter.kind is parameter.KEYWORD_ONLY and '*' not in parameters:
      parameters.append('*')
    stars = {parameter.VAR_KEYWORD: '**', parameter.VAR_POSITIONAL: '*'}.get(parameter.kind, '')
    default = '' if parameter.default is parameter.empty else f' = {parameter.default!r}'
    kind = EDITS.get(parameter.name, 'Any')
    if parameter.name == 'frame':
      kind = FRAMES.get(name, 'MjsFrame')
    elif parameter.name == 'site':
      kind = 'MjsSite | str | None'
    if verb == 'set' and kind == 'Any':
      kind = {bool: 'bool', tuple: VECTOR}.get(type(parameter.default), 'float')
    parameters.append(f'{stars}{parameter.name}: {kind}{default}')
  head = '    @staticmethod\n' if isinstance(member, staticmethod) else ''
  return f'{head}    def {name}({", ".join(parameters)}) -> {result}: ...\n'


SEQUENCE = '''\
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[{item}]: ...
    def __getitem__(self, index: SupportsIndex) -> {item}: ...
'''


def spec_class(cls):
  """MjSpec or the class of an element."""
  base = '(MjsElement)' if issubclass(cls, specs.MjsElement) and cls is not specs.MjsElement else ''
  text = f'class {cls.__name__}{base}:\n' + docstring(inspect.getdoc(cls) or '', '    ')
  lists = {plural: specs._CLASSES[kind].__name__ for plural, (kind, _, _) in specs._LISTS.items()}
  lists.update({plural: kind.__name__ for plural, kind in specs._PLAIN_CLASSES.values()})
  known = {'parent': 'Any', 'frame': 'MjsFrame | None', 'classname': 'MjsDefault', 'id': 'int',
           'signature': 'int', 'worldbody': 'MjsBody', 'default': 'MjsDefault',
           'compiler': 'MjsCompiler', 'option': 'MjOption', 'stat': 'MjStatistic',
           'visual': 'MjVisual', 'childclass': 'str', 'name': 'str', 'modelname': 'str',
           'comment': 'str', 'assets': 'dict[str, Any]', 'meshdir': 'str', 'texturedir': 'str',
           'LRopt': 'MjLROpt', 'flex': 'MjsFlex', 'plugin': 'MjsPlugin', 'path': 'MjsTendonPath',
           'copy_during_attach': 'bool', 'strippath': 'int', 'info': 'str', 'type': 'mjtWrap',
           'sidesite': 'MjsSite | None', 'coef': 'float | None', 'divisor': 'float | None',
           'plugin_name': 'str', 'active': 'int', 'config': 'dict[str, str]'}
  if cls is specs.MjsDefault:
    known.update({word: f'Mjs{word.capitalize()}' for _, word, _ in specs._LISTS.values()})
  if cls is specs.MjsOrientation:
    known['type'] = 'mjtOrientation'
  members = {}
  for owner in reversed(cls.__mro__[:-1]):
    if owner is specs.MjsElement and cls is not owner:
      continue
    members.update(vars(owner))
  if issubclass(cls, specs.MjsPlain):
    members.update({name: None for name in [*cls._fields, 'name', 'info']})
  for name, member in sorted(members.items()):
    if name.startswith('_') and name != '__init__':
      continue
    if isinstance(member, specs._Field):
      text += f'    {name}: {field_type(member)}\n'
    elif isinstance(member, property) and name in lists and member.fset is None:
      text += f'    @property\n    def {name}(self) -> list[{lists[name]}]: ...\n'
    elif isinstance(member, property) and member.fset is None:
      text += f'    @property\n    def {name}(self) -> {known.get(name, "Any")}: ...\n'
    elif name == '__init__':
      text += '    def __init__(self) -> None: ...\n' if cls is specs.MjSpec else ''
    elif callable(member) or isinstance(member, staticmethod):
      text += spec_method(cls, name, member)
    elif isinstance(member, (bool, int, str)) and cls is specs.MjSpec:
      text += f'    {name}: {type(member).__name__}\n'
    elif isinstance(member, property) or member is None:
      kind = 'int' if name in specs._WHOLE and name not in known else known.get(name, 'Any')
      text += f'    {name}: {kind}\n'
  if issubclass(cls, (specs._Vec, specs.MjsTendonPath)):
    text += SEQUENCE.format(item={
        specs.MjsTendonPath: 'MjsWrap', specs.MjStringVec: 'str', specs.MjCharVec: 'str',
        specs.MjIntVec: 'int', specs.MjByteVec: 'int'}.get(cls, 'float'))
    if issubclass(cls, specs._Vec):
      text += '    def __setitem__(self, index: SupportsIndex, value: Any) -> None: ...\n'
      text += '    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]: ...\n'
  return text if text.count('\n') > 1 else text + '    pass\n'


def spec_classes():
  """The classes of the editable model."""
  classes = [getattr(cortenforge, name) for name in specs.NAMES]
  return [spec_class(cls) for cls in sorted(classes, key=lambda cls: (
      cls is not specs.MjsElement, cls.__name__))]


def make():
  """The text of the stub."""
  tables = _native._tables()
  parts = [HEAD, drawing()]

  public = {**vars(_native), **{n: getattr(_utilities, n) for n in _utilities.PUBLIC}}
  names = [n for n in sorted(public) if n.startswith(('mj', 'set_mj', 'get_mj'))]
  constants = [n for n in names if isinstance(public[n], (int, float))]
  parts.append(''.join(f'{n}: {type(public[n]).__name__}\n' for n in constants))
  tables_of_text = [n for n in names if isinstance(public[n], tuple)]
  parts.append(''.join(f'{n}: tuple[{item(public[n])}, ...]\n' for n in tables_of_text))

  for name, doc, members in _native._enums:
    text = f'class {name}(enum.IntEnum):\n' + docstring(doc, '    ')
    parts.append(text + ''.join(f'    {member} = {value}\n' for member, value in members))

  model_views, model_accessors = views(tables['model_views'])
  data_views, data_accessors = views(tables['data_views'])
  accessors = {'MjModel': model_accessors, 'MjData': data_accessors}
  for name, fields in tables['structs'].items():
    parts.append(struct(name, fields, accessors.get(name, '')))
  parts += [VISUAL, LENGTH_RANGE, contact_list(tables['structs']['MjContact']), *model_views, *data_views]
  parts += spec_classes() + ['MjStruct = Any\n']
  parts += [function(n) for n in names if callable(public[n])]
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

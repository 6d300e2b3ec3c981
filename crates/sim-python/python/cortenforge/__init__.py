"""CortenForge: a physics engine in Rust that loads MuJoCo models and gives MuJoCo's numbers.

The names are those of the ``mujoco`` package, so that ``import cortenforge as mujoco`` moves a
program over; :func:`install_as_mujoco` does it for libraries that import ``mujoco`` themselves.

Arrays of a model and of its data are live numpy views without copies. They keep the memory alive
that they show. While one thread steps an ``MjData``, other threads should leave it alone: calls
raise ``RuntimeError``, plain array accesses cannot be checked.

``__version__`` is the version of this package, ``reference_version`` that of MuJoCo whose behaviour it has;
installed as ``mujoco``, it shows the latter as ``__version__``. ``built_for`` tells the processors that the
native module is for. ``uncomputed_fields`` names the fields that exist but are not computed yet.
"""

import enum as _enum
import importlib as _importlib
import os as _os
import sys as _sys
import typing as _typing

from cortenforge import _cpu  # noqa: F401  # chooses the native module
from cortenforge import _absent, _alias, _native
from cortenforge import specs as _specs
from cortenforge._native import *  # noqa: F401,F403
from cortenforge._native import __version__ as reference_version
from cortenforge._native import built_for, engine_version, uncomputed_fields

__version__ = engine_version


class _MjEnum(_enum.IntEnum):
  """An enum with MuJoCo's names and numbers; members are integers."""

  def __str__(self):
    return f'{type(self).__name__}.{self.name}'

  def __format__(self, spec):
    return format(int(self), spec) if spec else str(self)


def _make_enums(namespace):
  for name, doc, members in _native._enums:
    cls = _MjEnum(name, dict(members), module=__name__)
    cls.__doc__ = doc
    namespace[name] = cls


_make_enums(globals())
_specs.install(globals())

from cortenforge.gl_context import GLContext  # noqa: E402
from cortenforge.render import *  # noqa: E402,F401,F403
from cortenforge.scene import *  # noqa: E402,F401,F403
from cortenforge.renderer import Renderer, render_batch  # noqa: E402
from cortenforge import gl_context, media, render, renderer, scene  # noqa: E402,F401

from cortenforge import _utilities  # noqa: E402

globals().update({_name: getattr(_utilities, _name) for _name in _utilities.PUBLIC})


class UnexpectedError(Exception):
  """An error that should not occur. Nothing raises it; programs name it in `except`."""


# what programs read off the classes: names of fields in the order of MuJoCo's headers
def _list_fields():
  structs = _native._tables()['structs']
  MjModel._all_fields = tuple(f[0] for f in structs['MjModel'])
  MjModel._size_fields = tuple(f[0] for f in structs['MjModel'] if f[1] == 'int')
  arrays = [f[0] for f in structs['MjData'] if f[4] and f[0] not in _DATA_HEAD]
  arrays.insert(arrays.index('plugin') + 1, 'plugin_data')
  MjData._all_fields = (*_DATA_HEAD, *arrays)
  kinds = {field[0]: field[1] for field in structs['MjOption']}
  MjOption._float_fields = tuple(f for f, kind in kinds.items() if kind == 'float')
  MjOption._int_fields = tuple(f for f, kind in kinds.items() if kind == 'int')
  MjOption._floatarray_fields = tuple(f for f, kind in kinds.items() if kind == 'float64')
  MjOption._all_fields = (*MjOption._float_fields, *MjOption._floatarray_fields, *MjOption._int_fields)


_DATA_HEAD = (
    'narena', 'nbuffer', 'nplugin', 'pstack', 'pbase', 'parena', 'maxuse_stack', 'maxuse_arena',
    'maxuse_con', 'maxuse_efc', 'ncon', 'ne', 'nf', 'nl', 'nefc', 'nJ', 'nA', 'nisland', 'nidof',
    'ntree_awake', 'nbody_awake', 'nparent_awake', 'nv_awake', 'flg_energypos', 'flg_energyvel',
    'flg_subtreevel', 'flg_rnepost', 'time', 'threadpool', 'maxuse_threadstack', 'solver',
    'solver_niter', 'solver_nnz', 'solver_fwdinv', 'warning', 'timer', 'energy')

_list_fields()

# folders of the other package that have no counterpart here, and its open plugin libraries
HEADERS_DIR = _os.path.join(_os.path.dirname(__file__), 'include', 'mujoco')
PLUGINS_DIR = _os.path.join(_os.path.dirname(__file__), 'plugin')
PLUGIN_HANDLES = []

# what a struct can be, for annotations
MjStruct = _typing.Union[tuple(
    value for name, value in list(globals().items())
    if name.startswith('Mj') and isinstance(value, type))]

# parts of the bindings that programs name; here they are all one
_PARTS = ('_callbacks', '_constants', '_enums', '_errors', '_functions', '_render', '_rollout',
          '_specs', '_structs')
# kinds of contexts, all the same here
_CONTEXTS = ('cgl', 'egl', 'glfw', 'osmesa')


def install_as_mujoco(children=True):
  """Makes ``import mujoco`` give this package, in this process and, with `children`, in processes
  that it starts: through the environment, which those of ``multiprocessing`` and ``subprocess``
  inherit unless they are given another one.

  The submodules that programs import come along. Those for viewing, which CortenForge does not
  have yet, raise ``NotImplementedError`` when something of them is used.

  Raises:
    RuntimeError: if another ``mujoco`` is imported already; whoever holds it would keep it.
  """
  this = _sys.modules[__name__]
  if _sys.modules.get('mujoco', this) is not this:
    raise RuntimeError('mujoco is already imported: call install_as_mujoco() before')
  _sys.modules['mujoco'] = this
  # programs ask which MuJoCo they have
  this.__version__ = reference_version
  for name in _PARTS:
    _sys.modules[f'mujoco.{name}'] = this
    setattr(this, name, this)
  for name in _CONTEXTS:
    _sys.modules[f'mujoco.{name}'] = gl_context
    setattr(this, name, gl_context)
  _alias.install()
  if children:
    _alias.install_in_children()


def __getattr__(name):
  if name in _CONTEXTS:
    return gl_context
  if name in _SUBMODULES:
    value = _importlib.import_module(f'{__name__}.{name}')
  else:
    raise AttributeError(_absent.explanation(name))
  globals()[name] = value
  return value


# submodules that are imported when something of them is used
_SUBMODULES = ('batch', 'derivatives', 'introspect', 'minimize', 'msh2obj', 'robots', 'rollout',
               'viewer')

__all__ = [name for name in globals()
           if name.startswith(('mj', 'Mj', 'set_mj', 'get_mj'))] + [
    'FatalError', 'GLContext', 'HEADERS_DIR', 'PLUGINS_DIR', 'PLUGIN_HANDLES', 'Renderer',
    'UnexpectedError', 'media', 'render_batch',
    'built_for', 'engine_version', 'install_as_mujoco', 'reference_version', 'uncomputed_fields']

"""CortenForge: a physics engine in Rust that loads MuJoCo models and gives MuJoCo's numbers.

The names are those of the ``mujoco`` package, so that ``import cortenforge as mujoco`` moves a
program over; :func:`install_as_mujoco` does it for libraries that import ``mujoco`` themselves.

Arrays of a model and of its data are live numpy views without copies. They keep the memory alive
that they show. While one thread steps an ``MjData``, other threads should leave it alone: calls
raise ``RuntimeError``, plain array accesses cannot be checked.

``__version__`` is the version of MuJoCo whose behaviour the package has, ``engine_version`` its
own. ``uncomputed_fields`` names the fields that exist but are not computed yet.
"""

import enum as _enum
import importlib as _importlib
import sys as _sys

from cortenforge import _absent, _native
from cortenforge._native import *  # noqa: F401,F403
from cortenforge._native import __version__, engine_version, uncomputed_fields


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


# parts of the bindings that programs name; here they are all one
_PARTS = ('_callbacks', '_constants', '_enums', '_errors', '_functions', '_structs')
# submodules under their names in ``mujoco``
_SUBMODULES = ('rollout',)


def install_as_mujoco():
  """Makes ``import mujoco`` give this package, in this process.

  The submodules that programs import come along. Those for rendering and for viewing, which
  CortenForge does not have yet, raise ``NotImplementedError`` when something of them is used.

  Raises:
    RuntimeError: if another ``mujoco`` is imported already; whoever holds it would keep it.
  """
  this = _sys.modules[__name__]
  if _sys.modules.get('mujoco', this) is not this:
    raise RuntimeError('mujoco is already imported: call install_as_mujoco() before')
  _sys.modules['mujoco'] = this
  for name in _PARTS:
    _sys.modules[f'mujoco.{name}'] = this
    setattr(this, name, this)
  for name in _SUBMODULES:
    _sys.modules[f'mujoco.{name}'] = _importlib.import_module(f'{__name__}.{name}')
  for name in _absent.MODULES:
    _sys.modules[f'mujoco.{name}'] = getattr(this, name)


def __getattr__(name):
  if name in _absent.MODULES:
    value = _absent.module(name)
  else:
    value = _absent.find(name)
  if value is None:
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
  globals()[name] = value
  return value


__all__ = [name for name in globals() if name.startswith(('mj', 'Mj', 'set_mjcb', 'get_mjcb'))] + [
    'FatalError', 'engine_version', 'install_as_mujoco', 'uncomputed_fields']

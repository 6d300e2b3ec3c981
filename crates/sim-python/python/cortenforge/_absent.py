"""Names of the ``mujoco`` package that this package does not have yet.

They exist so that programs which import them, or mention them in annotations, run until they need
them: calling one raises ``NotImplementedError`` and says what is missing.
"""

import types

_RENDERING = 'CortenForge does not render yet'
_VIEWER = 'CortenForge has no viewer yet'

# by submodule: what is missing, and the names that programs import from it
MODULES = {
    'cgl': (_RENDERING, ('GLContext',)),
    'egl': (_RENDERING, ('GLContext',)),
    'gl_context': (_RENDERING, ('GLContext',)),
    'glfw': (_RENDERING, ('GLContext',)),
    'osmesa': (_RENDERING, ('GLContext',)),
    'renderer': (_RENDERING, ('Renderer',)),
    'viewer': (_VIEWER, ('Handle', 'launch', 'launch_from_path', 'launch_passive')),
    'minimize': ('CortenForge has no least squares yet', ('least_squares', 'jacobian_fd')),
}

# of the package itself
NAMES = ('GLContext', 'Renderer')
PREFIXES = ('Mjr', 'Mjv', 'mjr_', 'mjv_')


class Absent:
  """What stands for a class or function that is not there."""

  def __new__(cls, *_, **__):
    raise NotImplementedError(f'mujoco.{cls.__name__}: {cls.__doc__}')


def stand_in(name, reason):
  """A class that says `reason` when it is called."""
  return type(name, (Absent,), {'__doc__': reason, '__module__': 'cortenforge'})


def find(name):
  """What stands for `name` of the package; None if nothing does."""
  if name in NAMES or name.startswith(PREFIXES):
    return stand_in(name, _RENDERING)
  return None


def module(name):
  """A submodule of stand-ins."""
  reason, names = MODULES[name]
  made = types.ModuleType(f'cortenforge.{name}', reason + '.')
  for member in names:
    setattr(made, member, stand_in(member, reason))
  return made

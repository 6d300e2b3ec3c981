"""Names of the ``mujoco`` package that this package does not have yet.

They exist so that programs which import them, or mention them in annotations, run until they need
them: calling one raises ``NotImplementedError`` and says what is missing.
"""

import types

_VIEWER = 'CortenForge has no viewer yet'

# by submodule: what is missing, and the names that programs import from it
MODULES = {
    'viewer': (_VIEWER, ('Handle', 'launch', 'launch_from_path', 'launch_passive')),
}

# names of MuJoCo 3.5.0 that are not there at all, so that programs can ask with `hasattr`
OTHERS = frozenset('''
mj_flex mj_loadAllPluginLibraries mj_loadPluginLibrary mj_printFormattedScene mj_printScene
mj_rayFlex mju_raySkin
'''.split())

LIST = 'docs/functions.md in the project has the list of what there is'


class Absent:
  """What stands for a class or function that is not there."""

  reason = ''

  def __new__(cls, *_, **__):
    raise NotImplementedError(f'mujoco.{cls.__name__}: {cls.reason}')


def stand_in(name, reason):
  """A class that says `reason` when it is called."""
  return type(name, (Absent,), {'__doc__': reason, '__module__': 'cortenforge', 'reason': reason})


def explanation(name):
  """Why there is no `name`."""
  if name in OTHERS:
    return f'mujoco.{name} is in MuJoCo 3.5.0 but not in CortenForge yet; {LIST}'
  return f"module 'cortenforge' has no attribute {name!r}"


def module(name):
  """A submodule of stand-ins."""
  reason, names = MODULES[name]
  made = types.ModuleType(f'cortenforge.{name}', reason + '.')
  for member in names:
    setattr(made, member, stand_in(member, reason))
  return made

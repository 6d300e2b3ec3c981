"""Names of the ``mujoco`` package that this package does not have yet."""

# names of MuJoCo 3.5.0 that are not there at all, so that programs can ask with `hasattr`
OTHERS = frozenset('''
mj_loadAllPluginLibraries mj_loadPluginLibrary
'''.split())

LIST = 'docs/functions.md in the project has the list of what there is'


def explanation(name):
  """Why there is no `name`."""
  if name in OTHERS:
    return f'mujoco.{name} is in MuJoCo 3.5.0 but not in CortenForge yet; {LIST}'
  return f"module 'cortenforge' has no attribute {name!r}"

"""How ``import mujoco`` finds this package: in this process, and in those that it starts."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import pathlib
import sys

# what child processes have in their environment
VARIABLE = 'CORTENFORGE_AS_MUJOCO'
# a folder with a package `mujoco` that stands for this one
SHIM = pathlib.Path(__file__).parent / '_as_mujoco'
# parts of other wheels that are Python alone and run on any engine
FOREIGN = ('mjx', 'usd', 'sysid')


class _Same(importlib.abc.Loader):
  """Gives a module that is there already."""

  def __init__(self, module):
    self.module = module
    self.spec = module.__spec__

  def create_module(self, spec):
    return self.module

  def exec_module(self, module):
    module.__spec__ = self.spec


class Finder(importlib.abc.MetaPathFinder):
  """Finds ``mujoco.x`` as ``cortenforge.x``; parts of other wheels where they are installed."""

  def find_spec(self, fullname, path=None, target=None):
    package, _, rest = fullname.partition('.')
    if package != 'mujoco' or not rest:
      return None
    if rest.partition('.')[0] in FOREIGN:
      return self.find_foreign(fullname, rest) if '.' not in rest else None
    import cortenforge
    first, _, deeper = rest.partition('.')
    try:
      module = getattr(cortenforge, first) if not deeper else importlib.import_module(f'cortenforge.{rest}')
    except AttributeError:
      return None
    except ModuleNotFoundError as error:
      if error.name and error.name.startswith('cortenforge.'):
        return None
      raise
    if type(module) is not type(sys):
      return None
    locations = getattr(module, '__path__', None)
    spec = importlib.machinery.ModuleSpec(fullname, _Same(module), is_package=locations is not None)
    if locations is not None:
      spec.submodule_search_locations = list(locations)
    return spec

  @staticmethod
  def find_foreign(fullname, name):
    """A package that lies in a folder `mujoco` on the path."""
    for folder in sys.path:
      init = pathlib.Path(folder or '.', 'mujoco', name, '__init__.py')
      if init.is_file() and SHIM not in init.parents:
        return importlib.util.spec_from_file_location(
            fullname, init, submodule_search_locations=[str(init.parent)])
    return None


def install():
  """Finds submodules of ``mujoco`` here."""
  if not any(isinstance(finder, Finder) for finder in sys.meta_path):
    sys.meta_path.insert(0, Finder())


def install_in_children():
  """Puts the stand-in on the path of the processes that this one starts."""
  shim = str(SHIM)
  paths = os.environ.get('PYTHONPATH', '').split(os.pathsep) if os.environ.get('PYTHONPATH') else []
  os.environ['PYTHONPATH'] = os.pathsep.join([shim, *(path for path in paths if path != shim)])
  os.environ[VARIABLE] = '1'
  # processes of multiprocessing take over the path of this one
  if shim not in sys.path:
    sys.path.insert(0, shim)


def explain_mix(module):
  """The error of a child process that has the other engine though its parent asked for this one."""
  return ImportError(
      f'{module} is the real mujoco, although the parent process runs CortenForge in its place: the '
      'process was started without the environment of its parent (PYTHONPATH)')

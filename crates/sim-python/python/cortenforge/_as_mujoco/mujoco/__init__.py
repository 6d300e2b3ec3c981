"""Stands for the package ``mujoco`` in processes started by one that runs on CortenForge."""

import sys

try:
  import cortenforge
except ImportError as error:
  raise ImportError(
      'this process was started to run on CortenForge in place of mujoco, but cannot import '
      f'cortenforge: {error}') from error

del sys.modules[__name__]
cortenforge.install_as_mujoco()

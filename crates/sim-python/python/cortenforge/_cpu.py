"""Chooses the native module that fits the processor.

A wheel for x86-64 has two, made from the same source: one for any processor, and in the folder ``_v3``
one for processors with AVX2 (x86-64-v3), which is faster. Both give the same bits. The variable
``CORTENFORGE_CPU`` forces one: ``baseline`` or ``v3``.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys

VARIABLE = 'CORTENFORGE_CPU'
FOLDER = pathlib.Path(__file__).parent


def has_v3():
  """Whether the processor has the instructions of x86-64-v3; numpy has asked it already."""
  try:
    try:
      from numpy._core._multiarray_umath import __cpu_features__ as features
    except ImportError:
      from numpy.core._multiarray_umath import __cpu_features__ as features
  except ImportError:
    return False
  return bool(features.get('AVX2') and features.get('FMA3'))


def choose():
  """The file of the faster module, if there is one and the processor can run it."""
  found = sorted((FOLDER / '_v3').glob('_native*.so')) + sorted((FOLDER / '_v3').glob('_native*.pyd'))
  wanted = os.environ.get(VARIABLE, '')
  if wanted not in ('', 'baseline', 'v3'):
    raise ImportError(f"{VARIABLE} is '{wanted}': expected is 'baseline' or 'v3'")
  if wanted == 'v3' and not found:
    raise ImportError(f'{VARIABLE} asks for the module for x86-64-v3, which this package does not have')
  if not found or wanted == 'baseline':
    return None
  return found[0] if wanted == 'v3' or has_v3() else None


def load():
  """Loads the module of :func:`choose` as ``cortenforge._native``; the import system does otherwise."""
  name = 'cortenforge._native'
  path = choose()
  if path is None or name in sys.modules:
    return
  loader = importlib.machinery.ExtensionFileLoader(name, str(path))
  spec = importlib.util.spec_from_file_location(name, path, loader=loader)
  module = importlib.util.module_from_spec(spec)
  sys.modules[name] = module
  loader.exec_module(module)
  sys.modules['cortenforge']._native = module


load()

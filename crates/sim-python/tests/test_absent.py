"""What the package mujoco has and this one does not: an error names it."""

import mujoco
import pytest

import cortenforge
from cortenforge import _absent

# modules and names of typing that its front page imports
NOT_OURS = {'ctypes', 'os', 'platform', 'subprocess', 'warnings', 'zipfile', 'Any', 'IO', 'Sequence',
            'TypeAlias', 'Union'}


@pytest.mark.parametrize('name', sorted(set(dir(mujoco)) - NOT_OURS))
def test_public_names_are_there_or_explained(name):
  if name.startswith('_') or hasattr(cortenforge, name):
    return
  assert name in _absent.OTHERS, 'not in the list of what is missing'
  with pytest.raises(AttributeError, match=f'mujoco.{name} is in MuJoCo 3.5.0 but not in CortenForge yet'):
    getattr(cortenforge, name)


def test_the_list_of_what_is_missing_is_true():
  there = [name for name in _absent.OTHERS if name in vars(cortenforge)]
  assert not there, 'these are there by now'
  assert _absent.OTHERS <= set(dir(mujoco))


def test_nothing_exists_by_its_prefix():
  for name in ('mjv_nonsense', 'MjvNonsense', 'mjr_nonsense', 'mj_nonsense', 'MjsNonsense'):
    assert not hasattr(cortenforge, name)

"""Flexes and skins of MjSpec, compared with those of MuJoCo."""

import cortenforge
import numpy as np
import pytest


def build(library):
  """A triangle over three bodies, and a skin over two of them."""
  spec = library.MjSpec()
  for name, pos in (('a', (0, 0, 0)), ('b', (1, 0, 0)), ('c', (0, 1, 0))):
    body = spec.worldbody.add_body(name=name, pos=pos, mass=1, inertia=[1, 1, 1], ipos=[0, 0, 0],
                                   explicitinertial=True)
    body.add_joint(type=library.mjtJoint.mjJNT_SLIDE)
  flex = spec.add_flex(name='f', dim=2, radius=.01, edgedamping=2)
  flex.vertbody, flex.elem, flex.friction = ['a', 'b', 'c'], [0, 1, 2], [.5, .1, .2]
  skin = spec.add_skin(name='k', inflate=.1)
  skin.vert, skin.face = [0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]
  skin.bodyname, skin.bindpos, skin.bindquat = ['a', 'b'], [0] * 6, [1, 0, 0, 0, 1, 0, 0, 0]
  skin.vertid, skin.vertweight = [[0, 1], [1, 2]], [[1, 2], [3, 4]]
  return spec


def test_the_arrays_of_flexes_and_skins_are_those_of_mujoco():
  mujoco = pytest.importorskip('mujoco')
  theirs, ours = build(mujoco).compile(), build(cortenforge).compile()
  assert (ours.nflex, ours.nskin) == (1, 1)
  names = [name for name in dir(theirs) if name.startswith(('flex', 'skin'))
           and isinstance(getattr(theirs, name), np.ndarray)]
  assert len(names) > 90
  for name in names:
    np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12, err_msg=name)


def test_lists_of_a_skin_are_lists():
  skin = build(cortenforge).skins[0]
  assert skin.vertid == [[0, 1], [1, 2]]
  assert skin.vertweight == [[1, 2], [3, 4]]
  with pytest.raises((TypeError, ValueError)):
    skin.vertid = [['a']]


def test_what_is_written_has_flexes_and_skins():
  spec = build(cortenforge)
  again = cortenforge.MjSpec.from_string(spec.to_xml())
  assert [flex.name for flex in again.flexes] == ['f']
  assert list(again.flexes[0].vertbody) == ['a', 'b', 'c']
  assert again.skins[0].vertid == [[0, 1], [1, 2]]
  assert again.flex('f').edgedamping == 2

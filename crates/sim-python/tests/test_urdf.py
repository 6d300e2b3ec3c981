"""Robots in URDF, beside MuJoCo."""

import pathlib
import random
import sys
import warnings

import mujoco
import numpy as np
import pytest

import cortenforge

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / 'crates' / 'sim-conformance-tests' / 'python'))

import urdf  # noqa: E402  pylint: disable=wrong-import-position

ROBOTS = sorted((ROOT / 'crates' / 'sim-mjcf' / 'tests' / 'robots').glob('*.urdf'))
PAIR = '''<robot name="pair"><link name="world"/>
<link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="left" type="prismatic"><parent link="world"/><child link="a"/></joint>
<joint name="right" type="prismatic"><parent link="world"/><child link="b"/>
<mimic joint="left" multiplier="-1" offset="0.5"/></joint></robot>'''


@pytest.mark.parametrize('path', ROBOTS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings('ignore')
def test_robots_are_those_of_mujoco(path):
  found, loads = urdf.compare(None, path)
  assert loads and not found


@pytest.mark.filterwarnings('ignore')
def test_random_robots_are_those_of_mujoco():
  loaded = 0
  for seed in range(40):
    found, loads = urdf.compare(urdf.robot(random.Random(seed)))
    assert not found, f'seed {seed}: {found}'
    loaded += loads
  assert loaded > 10


def test_what_is_not_read_is_said():
  with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter('always')
    cortenforge.MjModel.from_xml_string(PAIR)
  assert any("element 'mimic' of 'joint' is not read" in str(w.message) for w in caught)


def test_options_go_beyond_what_mujoco_reads(tmp_path):
  path = tmp_path / 'pair.urdf'
  path.write_text(PAIR)
  model = cortenforge.MjSpec.from_urdf(path, mimic=True).compile()
  assert model.neq == 1
  np.testing.assert_array_equal(model.eq_data[0, :3], [0.5, -1, 0])


def test_packages_are_found(tmp_path):
  (tmp_path / 'shapes').mkdir()
  (tmp_path / 'shapes' / 't.obj').write_text(
      'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n')
  text = ('<robot name="r"><link name="world"><collision><geometry>'
          '<mesh filename="package://parts/t.obj"/></geometry></collision></link></robot>')
  path = tmp_path / 'r.urdf'
  path.write_text(text)
  with pytest.raises(ValueError, match='no such file'):
    cortenforge.MjModel.from_xml_path(str(path))
  spec = cortenforge.MjSpec.from_urdf(path, packages={'parts': tmp_path / 'shapes'})
  assert spec.compile().nmeshvert == 4
  assets = {'t.obj': (tmp_path / 'shapes' / 't.obj').read_bytes()}
  ours = cortenforge.MjModel.from_xml_string(text, assets)
  assert not urdf.differences(ours, mujoco.MjModel.from_xml_string(text, assets))

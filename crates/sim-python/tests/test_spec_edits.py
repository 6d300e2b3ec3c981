"""Random edits of models, beside MuJoCo."""

import pathlib
import sys

import pytest

import cortenforge

ROOT = pathlib.Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / 'crates' / 'sim-conformance-tests' / 'python'))

import spec_edits  # noqa: E402  pylint: disable=wrong-import-position


@pytest.mark.filterwarnings('ignore')
def test_random_edits_give_the_models_of_mujoco():
  compiled = 0
  for seed in range(1000, 1020):
    found, compiles = spec_edits.compare(seed, 40)
    assert not found, f'seed {seed}: {found}'
    compiled += compiles
  assert compiled > 10


def test_what_is_added_to_an_attached_body_has_the_defaults_of_the_parent():
  child = cortenforge.MjSpec.from_string(
      '<mujoco><default><geom friction="0.7"/></default><worldbody><body name="x">'
      '<geom size="0.1"/></body></worldbody></mujoco>')
  parent = cortenforge.MjSpec()
  parent.default.geom.friction = [0.3, 0.2, 0.1]
  body = parent.worldbody.add_frame().attach_body(child.body('x'), 'p_', '')
  body.add_geom(size=[0.1, 0, 0])
  model = parent.compile()
  assert list(model.geom_friction[:, 0]) == [0.7, 0.3]


def test_many_bodies_nest_without_running_out_of_stack():
  spec = cortenforge.MjSpec()
  body = spec.worldbody
  for _ in range(5000):
    body = body.add_body()
  body.add_geom(size=[0.1, 0, 0])
  assert spec.compile().nbody == 5001
  assert spec.to_xml().count('<body') == 5000
  spec.delete(spec.worldbody.bodies[0])
  assert spec.compile().nbody == 1

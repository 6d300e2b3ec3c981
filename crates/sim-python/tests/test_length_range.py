"""Length ranges of actuators against the reference."""

import copy
import pathlib

import mujoco
import numpy as np
import pytest

import cortenforge

MODELS = pathlib.Path(__file__).parents[3] / 'models'

HINGE = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body>
      <joint name="turn" axis="0 1 0" range="-30 70"/>
      <joint name="free" axis="1 0 0"/>
      <geom type="capsule" fromto="0 0 0 .3 .1 0" size=".03"/>
    </body>
  </worldbody>
  <actuator><motor joint="turn" gear="2"/><motor joint="free"/></actuator>
</mujoco>
"""


def options(module, **settings):
  opt = module.MjLROpt()
  module.mj_defaultLROpt(opt)
  opt.mode = int(mujoco.mjtLRMode.mjLRMODE_ALL)
  for name, value in settings.items():
    setattr(opt, name, value)
  return opt


def find(module, xml, index, **settings):
  model = module.MjModel.from_xml_string(xml)
  model.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_GRAVITY)
  data = module.MjData(model)
  module.mj_setLengthRange(model, data, index, options(module, **settings))
  return model.actuator_lengthrange[index].copy()


def test_settings_have_the_reference_s_names_and_defaults():
  for fill in (False, True):
    ours, theirs = cortenforge.MjLROpt(), mujoco.MjLROpt()
    if fill:
      cortenforge.mj_defaultLROpt(ours)
      mujoco.mj_defaultLROpt(theirs)
    names = [name for name in dir(theirs) if not name.startswith('_')]
    assert names == [name for name in dir(ours) if not name.startswith('_')]
    for name in names:
      assert getattr(ours, name) == getattr(theirs, name), name
  other = copy.copy(ours)
  other.accel = 3
  assert ours.accel == 20


@pytest.mark.parametrize('settings', [
    {}, {'accel': 5}, {'maxforce': 0.5}, {'timeconst': 0.1},
    {'uselimit': 1}, {'inttotal': 5, 'interval': 0.5, 'tolrange': 0.01}])
def test_ranges_are_the_reference_s(settings):
  ours, theirs = (find(module, HINGE, 0, **settings) for module in (cortenforge, mujoco))
  assert theirs[0] < theirs[1]
  np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def test_the_compiler_finds_the_reference_s_ranges():
  path = str(MODELS / 'length_range.xml')
  ours, theirs = (module.MjModel.from_xml_path(path) for module in (cortenforge, mujoco))
  np.testing.assert_allclose(ours.actuator_lengthrange, theirs.actuator_lengthrange, rtol=1e-10)


def test_what_has_no_range_is_an_error():
  for module in (cortenforge, mujoco):
    with pytest.raises(module.FatalError):
      find(module, HINGE, 1)
    with pytest.raises(module.FatalError):
      find(module, HINGE, 2)
    with pytest.raises(module.FatalError):
      find(module, HINGE, 0, inttotal=0)


def test_actuators_that_the_mode_leaves_out_keep_their_range():
  muscles = int(mujoco.mjtLRMode.mjLRMODE_MUSCLE)
  assert np.all(find(cortenforge, HINGE, 1, mode=muscles) == 0)

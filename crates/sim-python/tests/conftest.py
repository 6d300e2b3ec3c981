"""Models and helpers shared by the tests."""

import importlib.util
import os

import numpy as np
import pytest

import cortenforge

# `make sanitize`: the address sanitizer is slow, and takes all addresses there are
SANITIZED = 'libasan' in os.environ.get('LD_PRELOAD', '')
PATIENCE = 20 if SANITIZED else 1

# objects of every kind that the loader reads, joints of every type
ROBOT = """
<mujoco model="robot">
  <option timestep="0.004" gravity="0.1 0 -9.81"><flag energy="enable"/></option>
  <worldbody>
    <light name="lamp" pos="0 0 3"/>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <site name="origin"/>
    <body name="target" mocap="true" pos="1 2 3"><geom size="0.05" contype="0" conaffinity="0"/></body>
    <body name="torso" pos="0 0 2">
      <freejoint name="root"/>
      <geom name="trunk" type="box" size="0.2 0.1 0.3" contype="0" conaffinity="0"/>
      <site name="imu" pos="0.1 0 0"/>
      <camera name="eye" mode="trackcom" pos="0 0 1"/>
      <body name="upper" pos="0.3 0 0">
        <joint name="shoulder" type="ball" stiffness="2" damping="0.1"/>
        <geom name="arm" type="capsule" fromto="0 0 0 0 0 -0.4" size="0.05" contype="0" conaffinity="0"/>
        <body name="lower" pos="0 0 -0.4" gravcomp="0.5">
          <joint name="elbow" axis="0 1 0" damping="0.2" armature="0.01"/>
          <geom name="forearm" type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04" contype="0" conaffinity="0"/>
          <body name="finger" pos="0 0 -0.3">
            <joint name="slider" type="slide" axis="0 0 1" stiffness="5" springref="0.1"/>
            <geom type="ellipsoid" size="0.05 0.02 0.02" contype="0" conaffinity="0"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <text name="note" data="hello"/>
    <tuple name="pair"><element objtype="body" objname="torso" prm="1.5"/></tuple>
  </custom>
  <keyframe>
    <key name="bent" time="1.5" qpos="0 0 1 1 0 0 0 1 0 0 0 0.5 0.1" qvel="1 0 0 0 1 0 0 0 1 2 3"/>
    <key name="rest"/>
  </keyframe>
</mujoco>
"""

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="arm">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/>
    </body>
  </worldbody>
</mujoco>
"""

EMPTY = '<mujoco/>'

MODELS = {'robot': ROBOT, 'pendulum': PENDULUM, 'empty': EMPTY}


@pytest.fixture(params=MODELS)
def xml(request):
  """The text of each model."""
  return MODELS[request.param]


@pytest.fixture
def robot():
  """The largest model and its data."""
  model = cortenforge.MjModel.from_xml_string(ROBOT)
  return model, cortenforge.MjData(model)


def fields(obj):
  """Names of the array and number attributes of an object."""
  for name in dir(obj):
    if not name.startswith('_') and isinstance(getattr(obj, name), (np.ndarray, int, float, bytes)):
      yield name


# any name of a module is a class; vector environments need neither networks nor tables
STUB = '''
class Any(type):
  def __getattr__(cls, name):
    return __getattr__(name)


def __getattr__(name):
  if name.startswith('__'):
    raise AttributeError(name)
  return Any(name, (), {})
'''


@pytest.fixture
def stable_baselines(tmp_path):
  """A path for PYTHONPATH with Stable-Baselines3 as it is, but for its agents: they need PyTorch."""
  package, = importlib.util.find_spec('stable_baselines3').submodule_search_locations
  root = tmp_path / 'stable_baselines'
  for name in ('torch', 'torch/nn', 'torch/nn/functional', 'torch/utils', 'torch/utils/tensorboard',
               'torch/distributions', 'pandas', 'matplotlib', 'matplotlib/figure'):
    (root / name).mkdir(parents=True)
    (root / name / '__init__.py').write_text(STUB)
  (root / 'stable_baselines3').mkdir()
  (root / 'stable_baselines3' / '__init__.py').write_text(f'__path__ = [{package!r}]')
  return os.pathsep.join([str(root), *filter(None, [os.environ.get('PYTHONPATH')])])

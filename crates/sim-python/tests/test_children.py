"""Processes that a program on CortenForge starts run on CortenForge too, or fail with words."""

import os
import subprocess
import sys

import pytest

# says which package `mujoco` is in a child process of each kind
SCRIPT = '''
import concurrent.futures
import multiprocessing
import subprocess
import sys

import mujoco


def engine(model=None):
  import mujoco
  import mujoco.rollout
  from mujoco._structs import MjModel
  if model is not None:
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert isinstance(model, MjModel) and data.time > 0
  return mujoco.__name__


def main():
  model = mujoco.MjModel.from_xml_string('<mujoco/>')
  method = sys.argv[1]
  if method == 'subprocess':
    code = 'import mujoco, mujoco.viewer; print(mujoco.__name__)'
    print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True).stdout.strip())
  elif method == 'grandchild':
    code = 'import subprocess, sys; print(subprocess.run([sys.executable, "-c", "import mujoco; print(mujoco.__name__)"], capture_output=True, text=True, check=True).stdout)'
    print(subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True).stdout.strip())
  else:
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
      print(pool.submit(engine, model).result())


if __name__ == '__main__':
  main()
'''


def run(*arguments, **options):
  return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True,
                        check=False, timeout=300, **options)


@pytest.fixture
def script(tmp_path):
  path = tmp_path / 'program.py'
  path.write_text(SCRIPT)
  return path


@pytest.mark.parametrize('method', ['fork', 'forkserver', 'spawn', 'subprocess', 'grandchild'])
def test_children_of_the_command(script, method):
  done = run('-m', 'cortenforge.as_mujoco', script, method)
  assert done.stdout == 'cortenforge\n', done.stderr


@pytest.mark.parametrize('method', ['spawn', 'forkserver', 'subprocess'])
def test_children_of_a_program(script, method):
  script.write_text('import cortenforge\ncortenforge.install_as_mujoco()\n' + SCRIPT)
  done = run(script, method)
  assert done.stdout == 'cortenforge\n', done.stderr


def test_children_can_be_left_alone(script):
  script.write_text('import cortenforge\ncortenforge.install_as_mujoco(children=False)\n' + SCRIPT)
  done = run(script, 'subprocess')
  assert done.stdout == 'mujoco\n', done.stderr


def test_a_child_without_the_package_says_so(tmp_path):
  import cortenforge
  shim = os.path.join(os.path.dirname(cortenforge.__file__), '_as_mujoco')
  # -S: no site-packages, where cortenforge is
  done = run('-S', '-c', 'import mujoco', env={**os.environ, 'PYTHONPATH': shim}, cwd=tmp_path)
  assert done.returncode == 1 and 'started to run on CortenForge' in done.stderr


VECTOR = '''
import gymnasium
import numpy as np


def make():
  import gymnasium
  import mujoco
  assert mujoco.__name__ == 'cortenforge', mujoco
  return gymnasium.make('InvertedPendulum-v5')


def main():
  envs = gymnasium.vector.AsyncVectorEnv([make, make], context='spawn')
  envs.reset(seed=3)
  for _ in range(5):
    observations, *_ = envs.step(envs.action_space.sample())
  envs.close()
  print(observations.shape, np.all(np.isfinite(observations)))


if __name__ == '__main__':
  main()
'''


def test_vector_environments_with_spawn(tmp_path):
  script = tmp_path / 'vector.py'
  script.write_text(VECTOR)
  done = run('-m', 'cortenforge.as_mujoco', script)
  assert done.stdout == '(2, 4) True\n', done.stderr


SUBPROCESSES = '''
import sys

import numpy as np
from stable_baselines3.common.vec_env import SubprocVecEnv


def make():
  import gymnasium
  import mujoco
  assert mujoco.__name__ == 'cortenforge', mujoco
  return gymnasium.make('InvertedPendulum-v5')


def main():
  envs = SubprocVecEnv([make, make], start_method=sys.argv[1])
  envs.seed(3)
  envs.reset()
  for _ in range(5):
    observations, *_ = envs.step(np.zeros((2, 1), np.float32))
  envs.close()
  print(observations.shape, np.all(np.isfinite(observations)))


if __name__ == '__main__':
  main()
'''

@pytest.mark.parametrize('method', ['spawn', 'forkserver', 'fork'])
def test_vector_environments_of_stable_baselines(tmp_path, stable_baselines, method):
  script = tmp_path / 'subprocesses.py'
  script.write_text(SUBPROCESSES)
  done = run('-m', 'cortenforge.as_mujoco', script, method,
             env={**os.environ, 'PYTHONPATH': stable_baselines})
  assert done.stdout == '(2, 4) True\n', done.stderr

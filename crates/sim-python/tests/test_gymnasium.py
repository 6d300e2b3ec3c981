"""The MuJoCo environments of Gymnasium, unmodified, on this engine beside MuJoCo."""

import json
import pathlib
import subprocess
import sys

import pytest

SCRIPT = (pathlib.Path(__file__).parents[2] / 'sim-conformance-tests' / 'python' /
          'gymnasium_envs.py')
STEPS = 1000


@pytest.fixture(scope='module')
def results(tmp_path_factory):
  """Differences by environment."""
  path = tmp_path_factory.mktemp('gymnasium') / 'results.json'
  subprocess.run([sys.executable, SCRIPT, '--steps', str(STEPS), '--json', path],
                 capture_output=True, check=False)
  return json.loads(path.read_text())


def test_all_environments_run(results, capsys):
  with capsys.disabled():
    print()
    for result in results:
      print('  ' + '  '.join(f'{value:.1e}' if isinstance(value, float) else f'{value}'
                             for value in result.values()))
  assert len(results) == 11
  assert [result['error'] for result in results if 'error' in result] == []
  assert all(result['steps'] == STEPS for result in results)


@pytest.mark.parametrize('quantity', ['observations', 'rewards'])
def test_an_agent_sees_what_it_sees_on_mujoco(results, quantity):
  for result in results:
    assert result[quantity] <= 1e-10, result
    assert result['ends'] == 0, result


def test_environments_stay_together_as_long_as_mujoco_stays_with_itself(results):
  for result in results:
    assert result['free'] <= 100 * result['beside'], result


@pytest.mark.parametrize('mode', ['rgb_array', 'depth_array'])
def test_environments_draw_themselves(mode):
  code = f'''
import cortenforge
cortenforge.install_as_mujoco()
import gymnasium
env = gymnasium.make('Reacher-v5', render_mode='{mode}')
env.reset(seed=0)
picture = env.render()
print(picture.shape, picture.dtype, picture.min() < picture.max())
'''
  done = subprocess.run([sys.executable, '-W', 'ignore', '-c', code], capture_output=True,
                        text=True, check=False, env={'MUJOCO_GL': 'egl'})
  shape, dtype = ('(480, 480, 3)', 'uint8') if mode == 'rgb_array' else ('(480, 480)', 'float32')
  assert done.stdout == f'{shape} {dtype} True\n', done.stderr

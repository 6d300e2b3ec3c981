"""The robots that come with the package, and the command."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cortenforge
from cortenforge import robots


@pytest.mark.parametrize('name', robots.names())
def test_robots_do_their_tasks(name):
  robot = robots.load(name)
  while robot.data.time < robot.duration:
    robot.control()
    cortenforge.mj_step(robot.model, robot.data)
  assert robot.outcome().done, robot.outcome()


def test_unknown_robots_are_named():
  with pytest.raises(KeyError, match='quadruped'):
    robots.load('octopus')
  arm, hand = robots.load('arm'), robots.load('hand')
  before = arm.data.ctrl.copy()
  hand.model, hand.data = arm.model, arm.data
  hand.control()
  np.testing.assert_array_equal(arm.data.ctrl, before)


def command(*arguments, **options):
  return subprocess.run([sys.executable, '-m', 'cortenforge', *arguments], capture_output=True, text=True,
                        check=False, **options)


def test_the_command_is_in_the_package():
  said = command('--help')
  assert said.returncode == 0
  for word in ('demo', 'simulate', 'info', 'render', 'view', 'bench', 'compare', 'compile', 'completions'):
    assert word in said.stdout
  assert command('info', 'no_such.xml').returncode == 1
  assert command('bogus').returncode == 2
  described = json.loads(command('info', 'arm', '-', '--json', input='<mujoco/>').stdout)
  assert [model['nv'] for model in described] == [13, 0]


def test_the_comparison_runs_in_this_python(tmp_path):
  path = tmp_path / 'cartpole.xml'
  path.write_text(robots.load('cartpole').xml)
  said = command('compare', str(path), '--steps', '20', '--json')
  assert said.returncode == 0, said.stderr
  (result,) = json.loads(said.stdout)
  assert result['verdict'] == 'same' and result['fields'] > 500


def test_a_reader_that_goes_away_is_no_error():
  done = subprocess.run(f'{sys.executable} -m cortenforge compile humanoid | head -1', shell=True,
                        capture_output=True, text=True, check=False)
  assert done.stdout.startswith('<mujoco') and done.stderr == ''


@pytest.mark.parametrize('wanted, text', [('v4', "expected is 'baseline' or 'v3'"), ('baseline', '')])
def test_a_variable_forces_a_native_module(wanted, text):
  done = subprocess.run([sys.executable, '-c', 'import cortenforge; print(cortenforge.built_for)'],
                        capture_output=True, text=True, check=False,
                        env={**os.environ, 'CORTENFORGE_CPU': wanted, 'PYTHONPATH': ':'.join(sys.path)})
  assert text in done.stderr and (done.returncode == 0) == (not text), done.stderr

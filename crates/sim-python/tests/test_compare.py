"""The comparison with the installed MuJoCo, as users run it."""

import subprocess
import sys

import pytest

import cortenforge
from conftest import ROBOT
from cortenforge import compare


def run(*arguments):
  return subprocess.run([sys.executable, '-m', 'cortenforge.compare', *map(str, arguments)],
                        capture_output=True, text=True, check=False)


@pytest.fixture(name='path')
def path_fixture(tmp_path):
  path = tmp_path / 'robot.xml'
  path.write_text(ROBOT)
  return path


def test_the_same_model_is_the_same(path):
  done = run(path, '--steps', '20')
  assert done.returncode == 0, done.stdout + done.stderr
  lines = done.stdout.splitlines()
  assert lines[0] == f'{path}: 5 bodies, 11 dofs, 5 geoms'
  assert any(line.startswith('same: ') for line in lines)
  for group in ('bodies', 'poses', 'contacts', 'constraint rows', 'solver', 'sensors'):
    assert any(f'  {group} ' in line and line.endswith('same') for line in lines), group
  two = run(path, path, '--steps', '0')
  assert [line for line in two.stdout.splitlines() if 'robot.xml  ' in line], two.stdout
  by_field = run(path, '--steps', '2', '--fields')
  assert len(by_field.stdout) > len(done.stdout)


def test_differences_are_found(path, monkeypatch, capsys):
  load = compare.load

  def heavier(package, name, file):
    model = load(package, name, file)
    if package is cortenforge:
      model.body_mass[2] *= 1 + 1e-9
    return model

  monkeypatch.setattr(compare, 'load', heavier)
  assert compare.main([str(path), '--steps', '2']) == 1
  out = capsys.readouterr().out
  assert ' differ: ' in out
  assert any('bodies' in line and 'body_mass' in line and line.endswith('1 differ')
             for line in out.splitlines()), out


def test_every_field_has_a_group(path):
  _, verdicts, samples, _ = compare.compare(path, 2)
  assert samples == 3
  for stage, verdict in verdicts.items():
    groups = compare.in_groups(stage, verdict.errors)
    assert 'others' not in groups, groups['others']
    assert sum(map(len, groups.values())) == len(verdict.errors)


def test_what_cannot_be_compared_is_said(tmp_path):
  done = run(tmp_path / 'missing.xml')
  assert done.returncode == 1 and 'no such file' in done.stderr
  bad = tmp_path / 'bad.xml'
  bad.write_text('<mujoco><worldbody><geom size="-1"/></worldbody></mujoco>')
  done = run(bad)
  assert done.returncode == 1 and 'MuJoCo does not load the model' in done.stderr

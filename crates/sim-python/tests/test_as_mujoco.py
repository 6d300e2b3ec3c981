"""Taking the place of the package `mujoco`."""

import subprocess
import sys

import pytest

INSTALL = 'import cortenforge; cortenforge.install_as_mujoco()\n'


def run(*arguments, **options):
  return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True,
                        check=False, **options)


def check(code):
  """Runs a program that must succeed, and returns what it prints."""
  done = run('-c', code)
  assert done.returncode == 0, done.stderr
  return done.stdout


def test_programs_get_this_package():
  check(INSTALL + '''
import mujoco
assert mujoco is cortenforge
assert mujoco.__version__ == '3.5.0'
model = mujoco.MjModel.from_xml_string('<mujoco/>')
mujoco.mj_step(model, mujoco.MjData(model))
cortenforge.install_as_mujoco()
''')


def test_it_comes_before_the_other_one():
  done = run('-c', 'import mujoco\n' + INSTALL)
  assert done.returncode == 1
  assert 'already imported' in done.stderr


def test_parts_that_programs_name_are_there():
  check(INSTALL + '''
import mujoco._enums
from mujoco._structs import MjModel
from mujoco._functions import mj_step
assert mujoco._enums.mjtGeom is cortenforge.mjtGeom
assert MjModel is cortenforge.MjModel and mj_step is cortenforge.mj_step
from mujoco import rollout
import mujoco.rollout
import cortenforge.rollout
assert mujoco.rollout is rollout is cortenforge.rollout
''')


def test_the_viewer_is_there():
  check(INSTALL + '''
import mujoco.viewer
from mujoco import viewer
from mujoco.viewer import launch_passive
import cortenforge.viewer
assert mujoco.viewer is viewer is cortenforge.viewer
assert viewer.launch_passive is launch_passive
''')


@pytest.mark.parametrize('module, name', [
    ('egl', 'GLContext'), ('glfw', 'GLContext'), ('osmesa', 'GLContext'), ('cgl', 'GLContext'),
    ('gl_context', 'GLContext'), ('renderer', 'Renderer'), ('_render', 'mjr_render')])
def test_modules_for_rendering_are_there(module, name):
  check(INSTALL + f'''
import mujoco.{module}
from mujoco import {module}
from mujoco.{module} import {name}
assert mujoco.{module}.{name} is {name}
if '{name}' == 'GLContext':
  context = GLContext(64, 64)
  context.make_current()
  context.free()
''')


def test_programs_ask_for_what_they_can_do_without():
  check(INSTALL + '''
import mujoco
assert not isinstance(3, mujoco.MjvCamera)
assert not hasattr(mujoco, 'mj_nonsense')
''')


def test_scripts_run_unchanged(tmp_path):
  (tmp_path / 'beside.py').write_text('answer = 42\n')
  script = tmp_path / 'script.py'
  script.write_text('''
import sys
import beside
import mujoco
assert __name__ == '__main__'
print(mujoco.__name__, beside.answer, sys.argv[1:])
''')
  done = run('-m', 'cortenforge.as_mujoco', script, '--fast', 'x')
  assert done.stdout == "cortenforge 42 ['--fast', 'x']\n", done.stderr
  done = run('-m', 'cortenforge.as_mujoco', '-m', 'script', 'y', cwd=tmp_path)
  assert done.stdout == "cortenforge 42 ['y']\n", done.stderr
  assert done.stderr == ''


def test_the_command_explains_itself():
  done = run('-m', 'cortenforge.as_mujoco')
  assert done.returncode == 2 and 'script.py' in done.stdout
  done = run('-m', 'cortenforge.as_mujoco', '--help')
  assert done.returncode == 0 and 'script.py' in done.stdout
  done = run('-m', 'cortenforge.as_mujoco', 'no_such_script.py')
  assert done.returncode == 1 and 'no_such_script.py' in done.stderr

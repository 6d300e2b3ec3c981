"""The package as a whole: stub, typing, taking the place of mujoco."""

import json
import pathlib
import subprocess
import sys

import cortenforge

ROOT = pathlib.Path(__file__).parent.parent

PROGRAM = '''
import numpy as np
import cortenforge as mujoco

model = mujoco.MjModel.from_xml_string("<mujoco/>")
data = mujoco.MjData(model)
mujoco.mj_step(model, data, nstep=2)
data.qpos = [0.0, 1.0]
data.qpos[:] = 0
total: float = float(np.sum(data.qvel)) + data.time + model.opt.timestep
number: int = model.nq + data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number
mass = model.body("world").mass
kind: int = mujoco.mjtObj.mjOBJ_BODY | 3
reveal_type(data.qpos)
'''


def run(*arguments, **options):
  return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False,
                        **options)


def test_the_stub_is_up_to_date():
  done = run(str(ROOT / 'stubs.py'), '--check')
  assert done.returncode == 0, done.stderr


def test_programs_are_type_checked(tmp_path):
  program = tmp_path / 'program.py'
  program.write_text(PROGRAM)
  done = run('-m', 'mypy', '--strict', str(program), cwd=tmp_path)
  assert done.returncode == 0, done.stdout + done.stderr
  assert 'float64' in done.stdout
  program.write_text(PROGRAM + 'model.nq = 3\n')
  assert run('-m', 'mypy', '--strict', str(program), cwd=tmp_path).returncode == 1


def test_a_program_that_edits_models_is_type_checked():
  example = ROOT.parents[1] / 'examples' / 'edit_model.py'
  done = run('-m', 'mypy', '--strict', str(example))
  assert done.returncode == 0, done.stdout + done.stderr


def test_a_long_program_that_edits_models_is_type_checked_and_runs():
  program = ROOT / 'tests' / 'typed_edits.py'
  assert len(program.read_text().splitlines()) >= 100
  done = run('-m', 'mypy', '--strict', str(program))
  assert done.returncode == 0, done.stdout + done.stderr
  done = run('-W', 'ignore', str(program))
  assert done.returncode == 0, done.stderr


def test_pyright_agrees(tmp_path):
  settings = {'include': [str(ROOT / 'tests' / 'typed_edits.py')], 'typeCheckingMode': 'standard',
              'extraPaths': [str(ROOT / 'python')]}
  (tmp_path / 'pyrightconfig.json').write_text(json.dumps(settings))
  done = run('-m', 'basedpyright', '--pythonpath', sys.executable, '-p', str(tmp_path))
  assert done.returncode == 0, done.stdout + done.stderr
  assert '0 errors' in done.stdout


def test_the_stub_names_what_there_is():
  text = (ROOT / 'python' / 'cortenforge' / '__init__.pyi').read_text()
  for name in cortenforge.__all__:
    assert f'{name}' in text, name


def test_errors_have_their_class_in_the_package():
  assert cortenforge.FatalError.__module__ == 'cortenforge'
  assert cortenforge.MjModel.__module__ == 'cortenforge'

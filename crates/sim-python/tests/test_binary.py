"""Models as MJB files, which MuJoCo reads and writes too."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

import cortenforge

mujoco = pytest.importorskip('mujoco')
MODELS = sorted((pathlib.Path(__file__).parents[3] / 'models').glob('*.xml'))


def test_a_file_of_mujoco_is_loaded_and_written_again_byte_for_byte(tmp_path):
  path = tmp_path / 'model.mjb'
  for xml in MODELS:
    try:
      reference = mujoco.MjModel.from_xml_path(str(xml))
    except ValueError:
      continue  # an extension
    mujoco.mj_saveModel(reference, str(path))
    model = cortenforge.MjModel.from_binary_path(path)
    assert cortenforge.mj_sizeModel(model) == mujoco.mj_sizeModel(reference)
    buffer = np.zeros(cortenforge.mj_sizeModel(model), np.uint8)
    cortenforge.mj_saveModel(model, None, buffer)
    assert buffer.tobytes() == path.read_bytes(), xml.name


def test_mujoco_loads_what_is_saved(tmp_path):
  path = tmp_path / 'model.mjb'
  for xml in MODELS[::7]:
    model = cortenforge.MjModel.from_xml_path(xml)
    cortenforge.mj_saveModel(model, str(path))
    # in a process of its own: what is wrong here might crash
    code = f'import mujoco; print(mujoco.MjModel.from_binary_path({str(path)!r}).nq)'
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == model.nq, xml.name


def test_assets_come_first_and_faults_are_told(tmp_path):
  model = cortenforge.MjModel.from_xml_path(MODELS[0])
  buffer = np.zeros(cortenforge.mj_sizeModel(model) + 10, np.uint8)
  cortenforge.mj_saveModel(model, buffer=buffer)
  data = buffer[:-10].tobytes()
  again = cortenforge.MjModel.from_binary_path('a.mjb', {'a.mjb': data})
  assert again.nbody == model.nbody

  load = cortenforge.MjModel.from_binary_path
  with pytest.raises(ValueError, match='failed to load from mjb\n.*shorter than its sizes say'):
    load('a.mjb', {'a.mjb': data[:-1]})
  with pytest.raises(ValueError, match='failed to load from mjb\ncannot read'):
    load(tmp_path / 'none.mjb')
  with pytest.raises(cortenforge.FatalError, match='outside model buffer'):
    cortenforge.mj_saveModel(model, buffer=np.zeros(10, np.uint8))
  with pytest.warns(UserWarning, match='Could not open'):
    cortenforge.mj_saveModel(model, str(tmp_path / 'no' / 'such.mjb'))

"""Submodules of the package mujoco that are written in Python, against those of mujoco."""

import io
import struct

import mujoco.introspect.enums
import mujoco.introspect.functions
import mujoco.introspect.mjxmacro
import mujoco.introspect.structs
import mujoco.minimize
import mujoco.msh2obj
import numpy as np
import pytest

import cortenforge
from cortenforge import minimize, msh2obj
from cortenforge.introspect import ast_nodes, enums, functions, mjxmacro, structs, type_parsing


def rosenbrock(x):
  return np.stack([1 - x[0, :], 10 * (x[1, :] - x[0, :] ** 2)])


@pytest.mark.parametrize('bounds', [None, ((-2, -2), (2, 2)), ((-2, 2), (0.5, 3)), ((-2, -2), (0.5, 2))])
def test_minima_are_those_of_mujoco(bounds):
  bounds = None if bounds is None else [np.array(bound, float) for bound in bounds]
  found = [module.least_squares(np.zeros(2), rosenbrock, bounds=bounds, output=io.StringIO())
           for module in (minimize, mujoco.minimize)]
  np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-6)
  assert found[0][1][-1].objective == pytest.approx(found[1][1][-1].objective, abs=1e-9)


def test_wrong_derivatives_are_refused():
  with pytest.raises(ValueError, match='Jacobian does not match'):
    minimize.least_squares(np.zeros(2), rosenbrock, jacobian=lambda x, r: np.eye(2),
                           check_derivatives=True, output=io.StringIO())


def test_meshes_become_the_same_text(tmp_path):
  points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], '<f4')
  faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], '<i4')
  coordinates = np.array([[0, 0.25], [1, 0], [0, 1], [0.5, 0.5]], '<f4')
  path = tmp_path / 'mesh.msh'
  path.write_bytes(struct.pack('<4i', 4, 4, 4, 4) + points.tobytes() + points.tobytes()
                   + coordinates.tobytes() + faces.tobytes())
  numbers = lambda text: [[float(x) for x in line.replace('/', ' ').split()[1:]]
                          for line in sorted(text.strip().splitlines())]
  assert numbers(msh2obj.msh_to_obj(path)) == numbers(mujoco.msh2obj.msh_to_obj(path))
  path.write_bytes(struct.pack('<4i', 1000, 4, 4, 4))
  with pytest.raises(ValueError, match='length'):
    msh2obj.msh_to_obj(path)


def test_enums_and_structs_are_described_alike():
  for name, theirs in mujoco.introspect.enums.ENUMS.items():
    assert dict(enums.ENUMS[name].values) == dict(theirs.values), name
  for name, ours in structs.STRUCTS.items():
    theirs = {field.name: field for field in mujoco.introspect.structs.STRUCTS[name].fields
              if hasattr(field, 'name')}
    for field in (field for field in ours.fields if hasattr(field, 'name')):
      if name != 'mjVisual':
        assert str(field.type) == str(theirs[field.name].type), (name, field.name)


def test_extents_of_arrays_are_those_of_mujoco():
  for ours, theirs in ((mjxmacro.MJMODEL, mujoco.introspect.mjxmacro.MJMODEL),
                       (mjxmacro.MJDATA, mujoco.introspect.mjxmacro.MJDATA)):
    assert set(ours) == set(theirs)
    assert {name: extent[0] for name, extent in ours.items()} == {
        name: extent[0] for name, extent in theirs.items()}


@pytest.mark.parametrize('text', ['int', 'const double *', 'float [3]', 'long (*)[3]', 'char * const [5]',
                                  'const unsigned int (* * const (* const * [9])[7])[3][4]'])
def test_types_are_read_and_written(text):
  assert str(type_parsing.parse_type(text)) == text
  assert type_parsing.parse_type(text).decl('x').replace(' x', 'x').replace('x', '').replace(' ', '') \
      == text.replace(' ', '')
  with pytest.raises(ValueError):
    type_parsing.parse_type(text + ' $')
  assert ast_nodes.ValueType('int') == type_parsing.parse_type('int')


def test_functions_are_described_alike():
  for name, theirs in mujoco.introspect.functions.FUNCTIONS.items():
    assert str(functions.FUNCTIONS[name]) == str(theirs), name
  assert len(functions.FUNCTIONS) == len(mujoco.introspect.functions.FUNCTIONS)


def test_the_schema_is_a_part_of_that_of_mujoco():
  def elements(text):
    return {line.split('(')[0].strip() for line in text.splitlines() if not line.startswith(' ' * 12)}
  ours, theirs = (engine.mj_printSchema(False, False) for engine in (cortenforge, mujoco))
  assert elements(ours) <= elements(theirs) and 'keyframe' in elements(ours)
  for padded in (False, True):
    assert cortenforge.mj_printSchema(True, padded)[:200] == mujoco.mj_printSchema(True, padded)[:200]


def test_dependencies_are_those_of_mujoco(tmp_path):
  (tmp_path / 'part.xml').write_text('<mujoco><asset><texture type="2d" file="a.png"/></asset></mujoco>')
  path = tmp_path / 'model.xml'
  path.write_text('<mujoco><compiler meshdir="m" texturedir="t"/><include file="part.xml"/>'
                  '<asset><mesh file="b.obj"/><texture type="2d" file="c.png"/></asset></mujoco>')
  theirs = mujoco.mju_getXMLDependencies(str(path))
  assert cortenforge.mju_getXMLDependencies(str(path)) == sorted(theirs)
  with pytest.raises(cortenforge.FatalError, match='Problem reading'):
    cortenforge.mju_getXMLDependencies(str(tmp_path / 'nowhere.xml'))

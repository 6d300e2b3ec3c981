"""The functions of the C API, by name: their types and parameters."""

import pathlib
import re
from collections.abc import Mapping

import cortenforge
from cortenforge.introspect.ast_nodes import FunctionDecl, FunctionParameterDecl
from cortenforge.introspect.type_parsing import parse_type

# one declaration per line: a parameter is a type and a name, with a question mark if it may be absent
_LINE = re.compile(r'(.+) (\w+)\((.*)\)')
# short texts that programs compare
_DOCS = {
    'mj_copyData': 'Copy mjData. m is only required to contain the size fields from MJMODEL_INTS.',
    'mju_transformSpatial':
        'Coordinate transform of 6D motion or force vector in rotation:translation format. '
        'rotnew2old is 3-by-3, NULL means no rotation; flg_force specifies force or motion type.',
}


def _parameter(text):
  kind, name = text.rsplit(' ', 1)
  return FunctionParameterDecl(name=name.removeprefix('?'), type=parse_type(kind),
                               nullable=name.startswith('?'))


def _function(line):
  kind, name, parameters = _LINE.fullmatch(line).groups()
  doc = _DOCS.get(name) or (getattr(cortenforge, name, None).__doc__ or '')
  return FunctionDecl(name=name, return_type=parse_type(kind), doc=doc, parameters=tuple(
      _parameter(text) for text in parameters.split(', ') if text))


FUNCTIONS: Mapping[str, FunctionDecl] = {
    function.name: function
    for line in pathlib.Path(__file__).with_name('functions.txt').read_text('utf-8').splitlines()
    for function in [_function(line)]}

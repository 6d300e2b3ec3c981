"""Reads types of C."""

import re

from cortenforge.introspect import ast_nodes

_TOKEN = re.compile(r'\s*(\w+|\*|\(|\)|\[\d+\])')


def _tokens(text):
  position, tokens = 0, []
  text = text.strip()
  while position < len(text):
    match = _TOKEN.match(text, position)
    if not match:
      raise ValueError(f'{text!r} is not a type')
    tokens.append(match.group(1))
    position = match.end()
  return tokens


def parse_type(type_name):
  """Reads a type, such as `const mjtNum (*)[3]`."""
  tokens = _tokens(type_name)
  words = []
  while tokens and tokens[0].replace('_', 'a').isalnum():
    words.append(tokens.pop(0))
  name = ' '.join(word for word in words if word not in ('const', 'volatile'))
  if not name:
    raise ValueError(f'{type_name!r} has no name')
  value = ast_nodes.ValueType(name, is_const='const' in words, is_volatile='volatile' in words)
  result = _declarator(tokens, value)
  if tokens:
    raise ValueError(f'{type_name!r} goes on after its end')
  return result


def _declarator(tokens, inner):
  """What stars, parentheses and extents make of `inner`."""
  while tokens and tokens[0] == '*':
    tokens.pop(0)
    found = set()
    while tokens and tokens[0] in ('const', 'volatile', 'restrict'):
      found.add(tokens.pop(0))
    inner = ast_nodes.PointerType(inner, is_const='const' in found, is_volatile='volatile' in found,
                                  is_restrict='restrict' in found)
  group = None
  if tokens and tokens[0] == '(':
    depth, end = 1, 1
    while depth:
      if end == len(tokens):
        raise ValueError('a parenthesis is not closed')
      depth += {'(': 1, ')': -1}.get(tokens[end], 0)
      end += 1
    group = tokens[1:end - 1]
    del tokens[:end]
  extents = []
  while tokens and tokens[0].startswith('['):
    extents.append(int(tokens.pop(0)[1:-1]))
  if extents:
    inner = ast_nodes.ArrayType(inner, extents)
  if group is not None:
    inner = _declarator(group, inner)
    if group:
      raise ValueError('too much in parentheses')
  return inner

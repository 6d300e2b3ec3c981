"""Types and declarations of C."""

import dataclasses
from collections.abc import Mapping, Sequence


def _qualifiers(node):
  names = ('const', 'volatile', 'restrict')
  return [name for name in names if getattr(node, f'is_{name}', False)]


@dataclasses.dataclass
class ValueType:
  """A type that is known by its name."""
  name: str
  is_const: bool = False
  is_volatile: bool = False

  def decl(self, name_or_decl=None):
    """The declaration of a variable of this type, or the type itself."""
    return ' '.join([*_qualifiers(self), self.name, *([name_or_decl] if name_or_decl else [])])

  def __str__(self):
    return self.decl()


@dataclasses.dataclass
class ArrayType:
  """An array with fixed extents."""
  inner_type: 'ValueType | PointerType'
  extents: tuple[int, ...]

  def __init__(self, inner_type, extents):
    self.inner_type = inner_type
    self.extents = tuple(extents)

  @property
  def _extents_str(self):
    return ''.join(f'[{extent}]' for extent in self.extents)

  def decl(self, name_or_decl=None):
    """The declaration of a variable of this type, or the type itself."""
    return self.inner_type.decl(f'{name_or_decl or ""}{self._extents_str}')

  def __str__(self):
    return self.decl()


@dataclasses.dataclass
class PointerType:
  """A pointer."""
  inner_type: 'ValueType | ArrayType | PointerType'
  is_const: bool = False
  is_volatile: bool = False
  is_restrict: bool = False

  def decl(self, name_or_decl=None):
    """The declaration of a variable of this type, or the type itself."""
    star = ' '.join(['*', *_qualifiers(self), *([name_or_decl] if name_or_decl else [])])
    # an array binds closer than a star
    return self.inner_type.decl(f'({star})' if isinstance(self.inner_type, ArrayType) else star)

  def __str__(self):
    return self.decl()


@dataclasses.dataclass
class FunctionParameterDecl:
  """A parameter of a function."""
  name: str
  type: ValueType | ArrayType | PointerType
  nullable: bool = False

  def __str__(self):
    return self.type.decl(self.name)

  @property
  def decltype(self):
    return self.type.decl()


@dataclasses.dataclass
class FunctionDecl:
  """A function."""
  name: str
  return_type: ValueType | ArrayType | PointerType
  parameters: tuple[FunctionParameterDecl, ...]
  doc: str

  def __init__(self, name, return_type, parameters, doc):
    self.name, self.return_type, self.doc = name, return_type, doc
    self.parameters = tuple(parameters)

  def __str__(self):
    return f'{self.return_type} {self.name}({", ".join(map(str, self.parameters))})'

  @property
  def decltype(self):
    return f'{self.return_type} ({", ".join(p.decltype for p in self.parameters)})'


@dataclasses.dataclass
class StructFieldDecl:
  """A field of a struct; `array_extent` says how many there are behind a pointer."""
  name: str
  type: 'ValueType | ArrayType | PointerType | AnonymousStructDecl | AnonymousUnionDecl'
  doc: str
  array_extent: tuple[str | int, ...] | None = None

  def __str__(self):
    return self.type.decl(self.name)

  @property
  def decltype(self):
    return self.type.decl()


@dataclasses.dataclass
class AnonymousStructDecl:
  """A struct without a name."""
  fields: 'tuple[StructFieldDecl | AnonymousUnionDecl, ...]'

  def __init__(self, fields):
    self.fields = tuple(fields)

  def __str__(self):
    return self.decl()

  def _keyword(self):
    return 'struct'

  def decl(self, name_or_decl=None):
    """The declaration of a variable of this type, or the type itself."""
    fields = ' '.join(f'{field};' for field in self.fields)
    return ' '.join([f'{self._keyword()} {{{fields}}}', *([name_or_decl] if name_or_decl else [])])


class AnonymousUnionDecl(AnonymousStructDecl):
  """A union without a name."""

  def _keyword(self):
    return 'union'


@dataclasses.dataclass
class EnumDecl:
  """An enum."""
  name: str
  declname: str
  values: Mapping[str, int]


@dataclasses.dataclass
class StructDecl:
  """A struct."""
  name: str
  declname: str
  fields: Sequence[StructFieldDecl | AnonymousUnionDecl]

  def decl(self, name_or_decl=None):
    """The declaration of a variable of this type, or the type itself."""
    return ' '.join([self.name, *([name_or_decl] if name_or_decl else [])])

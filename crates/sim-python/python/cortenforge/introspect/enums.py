"""The enums, by name."""

from collections.abc import Mapping

import cortenforge
from cortenforge.introspect.ast_nodes import EnumDecl

# what MuJoCo 3.5.0 does not have
_EXTENSIONS = ('mjINT_DISCRETE',)

ENUMS: Mapping[str, EnumDecl] = {
    name: EnumDecl(name=name, declname=f'enum {name}_',
                   values={member: value for member, value in members if member not in _EXTENSIONS})
    for name, _, members in cortenforge._native._enums}

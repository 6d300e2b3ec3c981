"""Extents of the arrays of models and data, by name."""

from cortenforge.introspect.structs import STRUCTS


def _extents(name):
  fields = [field for field in STRUCTS[name].fields if field.array_extent is not None]
  return {field.name: (field.array_extent[0], str(field.array_extent[1]) if len(field.array_extent) > 1 else '1')
          for field in fields}


MJMODEL = _extents('mjModel')
MJDATA = _extents('mjData')

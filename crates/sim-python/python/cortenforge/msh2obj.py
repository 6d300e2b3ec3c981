"""Converts meshes in MuJoCo's old binary format MSH to OBJ: ``mujoco.msh2obj``.

A file has four counts (vertices, normals, texture coordinates, faces) and then vertices, normals and
texture coordinates as single precision numbers, and faces as triples of integers.
"""

import dataclasses
import io
import pathlib
import struct
import sys

import numpy as np


@dataclasses.dataclass(frozen=True)
class Msh:
  """A mesh as it is in a file.

  Attributes:
    vertex_positions: n x 3.
    vertex_normals: n x 3, or empty.
    vertex_texcoords: n x 2, or empty.
    face_vertex_indices: n x 3.
  """
  vertex_positions: np.ndarray
  vertex_normals: np.ndarray
  vertex_texcoords: np.ndarray
  face_vertex_indices: np.ndarray

  @staticmethod
  def create(file):
    """Reads a mesh from a file that is open for bytes, or from a path."""
    data = file.read() if hasattr(file, 'read') else pathlib.Path(file).read_bytes()
    if len(data) < 16:
      raise ValueError('a file in the format MSH starts with four counts')
    counts = struct.unpack('<4i', data[:16])
    widths = (3, 3, 2, 3)
    if min(counts) < 0 or len(data) != 16 + 4 * sum(n * w for n, w in zip(counts, widths, strict=True)):
      raise ValueError('the length of the file is not that of its counts')
    parts, start = [], 16
    for count, width, kind in zip(counts, widths, ('<f4', '<f4', '<f4', '<i4'), strict=True):
      parts.append(np.frombuffer(data, kind, count * width, start).reshape(count, width))
      start += 4 * count * width
    return Msh(*parts)


def msh_to_obj(msh_file):
  """Returns the text of a mesh, given as a path or an open file, in the format OBJ."""
  mesh = Msh.create(msh_file)
  text = io.StringIO()
  for x, y, z in mesh.vertex_positions:
    text.write(f'v {x:.8g} {y:.8g} {z:.8g}\n')
  for x, y, z in mesh.vertex_normals:
    text.write(f'vn {x:.8g} {y:.8g} {z:.8g}\n')
  # the origin of pictures is at the other end
  for u, v in mesh.vertex_texcoords:
    text.write(f'vt {u:.8g} {1 - v:.8g}\n')
  has_normals, has_texcoords = len(mesh.vertex_normals) > 0, len(mesh.vertex_texcoords) > 0
  for face in mesh.face_vertex_indices + 1:
    text.write('f')
    for i in face:
      text.write(f' {i}')
      if has_normals or has_texcoords:
        text.write(f'/{i if has_texcoords else ""}')
      if has_normals:
        text.write(f'/{i}')
    text.write('\n')
  return text.getvalue()


def main():
  if len(sys.argv) != 2:
    sys.exit('usage: python -m mujoco.msh2obj mesh.msh > mesh.obj')
  print(msh_to_obj(sys.argv[1]), end='')


if __name__ == '__main__':
  main()

#!/usr/bin/env python3
"""Writes the files that the models with meshes and height fields use, into models/meshes.

An L-shaped bracket as binary STL, the same with polygons, normals and texture coordinates as OBJ, a
skewed octahedron as MSH, a hill as PNG and as MuJoCo's binary height field.
"""

import pathlib
import struct
import zlib

import numpy as np

OUT = pathlib.Path(__file__).resolve().parents[3] / 'models' / 'meshes'

# an L in the plane, and its height
OUTLINE = [(0, 0), (0.3, 0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.25), (0, 0.25)]
HEIGHT = 0.08


def bracket():
  """Vertices, and polygons that turn outwards."""
  count = len(OUTLINE)
  vertices = [(x, y, z) for z in (0, HEIGHT) for x, y in OUTLINE]
  bottom = list(reversed(range(count)))
  top = [count + i for i in range(count)]
  sides = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
  return np.array(vertices, '<f4'), [bottom, top] + sides


def triangles(polygons):
  """The bracket in triangles; a fan from the inner corner covers both ends."""
  for polygon in polygons:
    start = [i for i, v in enumerate(polygon) if v % len(OUTLINE) == 3] if len(polygon) > 4 else [0]
    turned = polygon[start[0]:] + polygon[:start[0]]
    yield from ((turned[0], b, c) for b, c in zip(turned[1:], turned[2:]))


def write_stl(path):
  vertices, polygons = bracket()
  faces = list(triangles(polygons))
  with open(path, 'wb') as out:
    out.write(b'bracket'.ljust(80, b' ') + struct.pack('<I', len(faces)))
    for face in faces:
      out.write(bytes(12) + vertices[list(face)].tobytes() + bytes(2))


def write_obj(path):
  vertices, polygons = bracket()
  lines = ['# a bracket', 'o bracket']
  lines += [f'v {x:.4f} {y:.4f} {z:.3e}' for x, y, z in vertices]
  lines += [f'vt {x / 0.3:.6f} {y / 0.25:.6f}' for x, y, _ in vertices]
  normals = [(0, 0, -1), (0, 0, 1)]
  for a, b in zip(OUTLINE, OUTLINE[1:] + OUTLINE[:1]):
    along = np.subtract(b, a) / np.linalg.norm(np.subtract(b, a))
    normals.append((along[1], -along[0], 0))
  lines += [f'vn {x:g} {y:g} {z:g}' for x, y, z in normals]
  for i, polygon in enumerate(polygons):
    back = i - len(polygons)
    lines.append('f ' + ' '.join(f'{v + 1}/{v + 1}/{back}' for v in polygon))
  lines += ['o ignored', 'v 9 9 9', 'f 1 2 -1']
  path.write_text('\r\n'.join(lines) + '\n')


def write_msh(path):
  vertices = np.array([(0.2, 0, 0.02), (-0.1, 0, 0), (0, 0.15, 0), (0, -0.12, 0.01), (0, 0, 0.1),
                       (0.03, 0, -0.08)], '<f4')
  normals = vertices / np.linalg.norm(vertices, axis=1)[:, None]
  texcoord = 0.5 + vertices[:, :2]
  faces = np.array([(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5),
                    (0, 3, 5)], '<i4')
  header = struct.pack('<4i', len(vertices), len(normals), len(texcoord), len(faces))
  path.write_bytes(header + vertices.tobytes() + normals.astype('<f4').tobytes()
                   + texcoord.astype('<f4').tobytes() + faces.tobytes())


def hill(rows, columns):
  y, x = np.mgrid[0:rows, 0:columns]
  return 40 + 30 * ((x * 5 + y * 3) % 7) - 2 * (x - y) ** 2


def write_png(path):
  pixels = np.clip(hill(9, 12), 0, 255).astype('u1')
  rows, columns = pixels.shape
  def chunk(kind, data):
    return (struct.pack('>I', len(data)) + kind + data
            + struct.pack('>I', zlib.crc32(kind + data)))
  data = b''.join(b'\0' + row.tobytes() for row in pixels)
  path.write_bytes(b'\x89PNG\r\n\x1a\n'
                   + chunk(b'IHDR', struct.pack('>2I5B', columns, rows, 8, 0, 0, 0, 0))
                   + chunk(b'IDAT', zlib.compress(data, 9)) + chunk(b'IEND', b''))


def write_hfield(path):
  data = (0.013 * hill(5, 7)).astype('<f4')
  path.write_bytes(struct.pack('<2i', *data.shape) + data.tobytes())


def main():
  OUT.mkdir(exist_ok=True)
  write_stl(OUT / 'bracket.stl')
  write_obj(OUT / 'bracket.obj')
  write_msh(OUT / 'stone.msh')
  write_png(OUT / 'hill.png')
  write_hfield(OUT / 'hill.bin')


if __name__ == '__main__':
  main()

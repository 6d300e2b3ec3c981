"""Pictures and videos as files and in notebooks, without other programs."""

import base64 as _base64
import struct as _struct
import zlib as _zlib

import numpy as np


def _chunk(kind, data):
  return (_struct.pack('>I', len(data)) + kind + data
          + _struct.pack('>I', _zlib.crc32(kind + data)))


def _rows(frame):
  """A picture as PNG stores it: each row after the kind of its filter, here the one above."""
  frame = np.ascontiguousarray(frame, np.uint8)
  if frame.ndim != 3 or frame.shape[2] != 3:
    raise ValueError(f'a picture has the shape (height, width, 3), not {frame.shape}')
  flat = frame.reshape(frame.shape[0], -1)
  above = np.zeros_like(flat)
  above[1:] = flat[:-1]
  filtered = np.empty((flat.shape[0], flat.shape[1] + 1), np.uint8)
  filtered[:, 0] = 2
  filtered[:, 1:] = flat - above
  return _zlib.compress(filtered.tobytes(), 6)


def png(frames, fps=30):
  """Encodes a picture as PNG, or several as an animated one."""
  frames = np.asarray(frames)
  frames = frames[None] if frames.ndim == 3 else frames
  if not len(frames):
    raise ValueError('there are no pictures')
  height, width = frames[0].shape[:2]
  size = _struct.pack('>II', width, height)
  out = [b'\x89PNG\r\n\x1a\n', _chunk(b'IHDR', size + bytes([8, 2, 0, 0, 0]))]
  if len(frames) > 1:
    out.append(_chunk(b'acTL', _struct.pack('>II', len(frames), 0)))
  number = 0
  for i, frame in enumerate(frames):
    data = _rows(frame)
    if len(frames) > 1:
      control = _struct.pack('>I', number) + size + _struct.pack(
          '>IIHHBB', 0, 0, max(1, round(1000 / fps)), 1000, 0, 0)
      out.append(_chunk(b'fcTL', control))
      number += 1
    if i == 0:
      out.append(_chunk(b'IDAT', data))
    else:
      out.append(_chunk(b'fdAT', _struct.pack('>I', number) + data))
      number += 1
  out.append(_chunk(b'IEND', b''))
  return b''.join(out)


def write_image(path, frame):
  """Writes a picture of shape (height, width, 3) to a PNG file."""
  with open(path, 'wb') as file:
    file.write(png(frame))


def write_video(path, frames, fps=30):
  """Writes pictures to an animated PNG file, which browsers and notebooks play."""
  if not str(path).lower().endswith(('.png', '.apng')):
    raise ValueError(f'{path}: videos are written as .apng or .png')
  with open(path, 'wb') as file:
    file.write(png(frames, fps))


class _Picture:
  """Shows itself in notebooks."""

  def __init__(self, data):
    self.data = data

  def _repr_png_(self):
    return self.data

  def _repr_html_(self):
    return f'<img src="data:image/png;base64,{_base64.b64encode(self.data).decode()}">'


def show_image(frame):
  """A picture that a notebook shows."""
  return _Picture(png(frame))


def show_video(frames, fps=30):
  """A video that a notebook shows."""
  return _Picture(png(frames, fps))

"""Pictures and videos as files and in notebooks, without other programs."""

import base64 as _base64
import os as _os
import shutil as _shutil
import struct as _struct
import subprocess as _subprocess
import tempfile as _tempfile
import zlib as _zlib

import numpy as np

from cortenforge import _native


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


def _pictures(frames):
  """Pictures one by one, checked: the first says how large the others are."""
  shape = None
  for frame in frames:
    frame = np.ascontiguousarray(frame, np.uint8)
    if frame.ndim != 3 or frame.shape[2] != 3:
      raise ValueError(f'a picture has the shape (height, width, 3), not {frame.shape}')
    shape = shape or frame.shape
    if frame.shape != shape:
      raise ValueError(f'pictures of one video have one size: {frame.shape} after {shape}')
    yield frame
  if shape is None:
    raise ValueError('there are no pictures')


def _by_ffmpeg(program, frames, fps):
  with _tempfile.TemporaryDirectory() as folder:
    path = _os.path.join(folder, 'video.mp4')
    process = None
    try:
      for frame in _pictures(frames):
        if process is None:
          height, width = frame.shape[:2]
          process = _subprocess.Popen(
              [program, '-v', 'error', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', f'{width}x{height}',
               '-r', str(fps), '-i', '-', '-vf', 'pad=ceil(iw/2)*2:ceil(ih/2)*2', '-pix_fmt', 'yuv420p',
               '-movflags', 'faststart', path],
              stdin=_subprocess.PIPE, stderr=_subprocess.PIPE)
        process.stdin.write(frame.tobytes())
    finally:
      message = process.communicate()[1] if process else b''
    if process.returncode:
      raise RuntimeError(f'{program} failed: {message.decode(errors="replace").strip()}')
    with open(path, 'rb') as file:
      return file.read()


def mp4(frames, fps=30):
  """Encodes pictures of shape (height, width, 3) as MP4: H.264, which players and browsers know.

  The encoder is part of the package; a package without it takes the program ``ffmpeg``, if there is one.
  """
  if not hasattr(_native, 'VideoStore'):
    program = _shutil.which('ffmpeg')
    if program is None:
      raise RuntimeError('this package was built without videos, and there is no ffmpeg: '
                         'write an .apng file instead')
    return _by_ffmpeg(program, frames, fps)
  video = None
  for frame in _pictures(frames):
    video = video or _native.VideoStore(frame.shape[1], frame.shape[0], float(fps))
    video.push(frame.tobytes())
  return video.finish()


def write_video(path, frames, fps=30):
  """Writes pictures to a video file.

  Args:
    path: ends in ``.mp4``, which players and browsers know, or in ``.apng`` or ``.png``, which keep
      every bit and are larger.
    frames: pictures of shape (height, width, 3), as an array, a list or a generator.
    fps: pictures per second.
  """
  name = str(path).lower()
  if name.endswith('.mp4'):
    data = mp4(frames, fps)
  elif name.endswith(('.png', '.apng')):
    data = png(np.stack(list(_pictures(frames))), fps)
  else:
    raise ValueError(f'{path}: videos are written as .mp4, .apng or .png')
  with open(path, 'wb') as file:
    file.write(data)


class _Picture:
  """Shows itself in notebooks."""

  def __init__(self, data):
    self.data = data

  def _repr_png_(self):
    return self.data

  def _repr_html_(self):
    return f'<img src="data:image/png;base64,{_base64.b64encode(self.data).decode()}">'


class _Video:
  """Shows itself in notebooks, and plays."""

  def __init__(self, data):
    self.data = data

  def _repr_html_(self):
    data = _base64.b64encode(self.data).decode()
    return f'<video controls autoplay loop muted src="data:video/mp4;base64,{data}"></video>'


def show_image(frame):
  """A picture that a notebook shows."""
  return _Picture(png(frame))


def show_video(frames, fps=30):
  """A video that a notebook shows."""
  return _Video(mp4(frames, fps))

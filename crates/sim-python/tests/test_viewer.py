"""The viewer: pages of simulations that Python runs."""

import json
import pathlib
import struct
import sys
import time

import numpy as np
import pytest

import cortenforge
from cortenforge import viewer

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'sim-viewer/tests/browser'))
from chromium import Socket  # noqa: E402

XML = '''
<mujoco model="swing">
  <worldbody>
    <light/>
    <geom type="plane" size="1 1 1"/>
    <body name="arm" pos="0 0 1">
      <joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .5 0 0" size=".05"/>
    </body>
  </worldbody>
  <actuator><motor joint="pivot"/></actuator>
</mujoco>
'''
NAMES = '''cam opt perturb user_scn viewport m d sync lock is_running close set_texts clear_texts
set_figures clear_figures set_images clear_images update_hfield update_mesh update_texture'''.split()


@pytest.fixture(autouse=True)
def no_browser(monkeypatch):
  monkeypatch.setenv('CORTENFORGE_BROWSER', '0')


@pytest.fixture
def simulation():
  model = cortenforge.MjModel.from_xml_string(XML)
  return model, cortenforge.MjData(model)


class Page:
  """What a page does, without drawing."""

  def __init__(self, url):
    host, token = url.removeprefix('http://').split('/#token=')
    self.socket = Socket(f'ws://{host}/socket', f'http://{host}', timeout=10)
    assert self.socket.status == 101
    self.send(f'hello {token}')

  def send(self, text):
    self.socket.send(text)

  def frame(self):
    """The next frame: its time, and its bytes."""
    while True:
      opcode, payload = self.socket.receive()
      if opcode == 2 and payload[1] in (3, 5):
        self.send('ack')
        return struct.unpack_from('<d', payload, 8)[0], payload

  def note(self, kind, test=lambda note: True):
    """The next note of a kind that passes a test."""
    while True:
      opcode, payload = self.socket.receive()
      if opcode == 2 and payload[1] == 3:
        self.send('ack')
      elif opcode == 1:
        note = json.loads(payload)
        if note['type'] == kind and test(note):
          return note

  def close(self):
    self.socket.close()


def synced(handle, test, seconds=10):
  """Synchronises until something is true."""
  end = time.monotonic() + seconds
  while not test():
    assert time.monotonic() < end
    handle.sync()
    time.sleep(0.01)


def test_the_handle_has_the_names_of_the_reference(simulation):
  with viewer.launch_passive(*simulation) as handle:
    for name in NAMES:
      getattr(handle, name)
    assert (handle.m, handle.d) == simulation
    assert handle.is_running()
    with handle.lock():
      handle.cam.distance = 3
  assert not handle.is_running()
  handle.sync()
  handle.close()


def test_a_page_sees_what_the_program_does(simulation):
  model, data = simulation
  with viewer.launch_passive(model, data) as handle:
    page = Page(handle.url)
    assert page.frame()[0] == 0
    for _ in range(50):
      cortenforge.mj_step(model, data)
    handle.sync()
    synced(handle, lambda: page.frame()[0] == data.time)
    data.qpos[0] = 0.3
    handle.sync(state_only=True)
    page.close()


def test_the_program_sees_what_a_page_does(simulation):
  model, data = simulation
  with viewer.launch_passive(model, data) as handle:
    page = Page(handle.url)
    page.note('role')
    page.send('set ctrl 0 0.75')
    synced(handle, lambda: data.ctrl[0] == 0.75)
    page.send('set qpos 0 0.25')
    synced(handle, lambda: data.qpos[0] == 0.25)
    page.send('option gravity 0 0 -2')
    synced(handle, lambda: model.opt.gravity[2] == -2)
    page.send('option iterations 7')
    synced(handle, lambda: model.opt.iterations == 7)
    page.send('disable 4 1')
    synced(handle, lambda: model.opt.disableflags == 16)
    page.send('vis 14 1')
    synced(handle, lambda: handle.opt.flags[14] == 1)
    page.send('body 1')
    synced(handle, lambda: handle.perturb.select == 1)
    page.send('camera 3 0 1 -1 0 0 0 0 1 0.4 0')
    page.send('perturb 1')
    page.send('drag 3 0.1 -0.3')
    synced(handle, lambda: np.any(data.xfrc_applied[1] != 0))
    page.send('perturb 0')
    synced(handle, lambda: not np.any(data.xfrc_applied[1]))
    page.close()


def test_what_the_program_sets_reaches_the_page(simulation):
  model, data = simulation
  with viewer.launch_passive(model, data) as handle:
    page = Page(handle.url)
    page.note('role')
    handle.opt.flags[2] = 1
    handle.opt.label = 1
    handle.sync()
    page.note('status', lambda s: s['vis'][2] == 1 and s['label'] == 1)
    handle.cam.azimuth = 12
    handle.sync()
    assert page.note('camera')['azimuth'] == 12
    handle.set_texts((None, 2, 'left', 'right'))
    assert page.note('texts')['texts'] == [{'place': 2, 'left': 'left', 'right': 'right'}]
    handle.clear_texts()
    rect = cortenforge.MjrRect(10, 20, 30, 40)
    handle.set_images((rect, np.zeros((4, 5, 3), np.uint8)))
    assert page.note('images')['images'][0]['rect'] == [10, 20, 30, 40]
    handle.clear_images()
    figure = cortenforge.MjvFigure()
    figure.linepnt[0] = 2
    figure.linedata[0][:4] = [0, 1, 2, 3]
    handle.set_figures([(rect, figure)])
    assert page.note('figures', lambda n: n['figures'])['figures'][0]['lines'] == [[[0, 1], [2, 3]]]
    handle.clear_figures()
    page.close()


def test_geoms_of_the_program_are_drawn(simulation):
  model, data = simulation
  with viewer.launch_passive(model, data) as handle:
    page = Page(handle.url)
    size = len(page.frame()[1])
    handle.user_scn.ngeom = 2
    for geom in handle.user_scn.geoms[:2]:
      cortenforge.mjv_initGeom(geom, cortenforge.mjtGeom.mjGEOM_SPHERE, np.full(3, .1), np.ones(3),
                               np.eye(3).flatten(), np.array([1, 0, 0, 1], np.float32))
    time.sleep(0.1)
    handle.sync()
    assert len(page.frame()[1]) == size + 2 * 56
    page.close()


def test_keys_reach_the_program(simulation):
  keys = []
  with viewer.launch_passive(*simulation, key_callback=keys.append) as handle:
    page = Page(handle.url)
    page.note('role')
    page.send('keypress 265')
    synced(handle, lambda: keys == [265])
    page.close()


def test_a_viewer_ends_with_its_page(simulation, monkeypatch):
  monkeypatch.setattr(viewer, '_LINGER', 0.2)
  handle = viewer.launch_passive(*simulation)
  page = Page(handle.url)
  page.note('role')
  assert handle.is_running()
  page.close()
  end = time.monotonic() + 10
  while handle.is_running() and time.monotonic() < end:
    time.sleep(0.02)
  assert not handle.is_running()


def test_several_are_open_at_once(simulation):
  with viewer.launch_passive(*simulation) as one, viewer.launch_passive(*simulation) as two:
    assert one.url != two.url
    for handle in (one, two):
      page = Page(handle.url)
      page.frame()
      page.close()


def test_a_grid_has_a_frame_of_each(simulation):
  model, _ = simulation
  datas = [cortenforge.MjData(model) for _ in range(5)]
  with viewer.launch_grid(model, datas) as handle:
    page = Page(handle.url)
    handle.sync()
    _, payload = page.frame()
    assert payload[1] == 5 and struct.unpack_from('<I', payload, 4)[0] == 5
    page.close()


def test_launch_simulates_and_returns_the_state(simulation, monkeypatch, capsys):
  import threading
  model, data = simulation
  monkeypatch.setattr(viewer, '_LINGER', 0.1)
  opened = []
  monkeypatch.setattr(viewer, '_open', opened.append)

  def visit():
    while not opened:
      time.sleep(0.01)
    page = Page(opened[0])
    while page.frame()[0] < 0.1:
      pass
    page.close()
  visitor = threading.Thread(target=visit)
  visitor.start()
  viewer.launch(model, data)
  visitor.join()
  assert data.time > 0.1


def test_wrong_arguments_are_named(simulation):
  model, data = simulation
  with pytest.raises(ValueError, match='loader'):
    viewer.launch(model, loader=lambda: (model, data))
  with pytest.raises(ValueError, match='model'):
    viewer.launch_passive(None, data)
  with pytest.raises(ValueError, match='data'):
    viewer.launch_passive(model, None)
  with viewer.launch_passive(model, data) as handle, pytest.raises(ValueError, match='mesh id 3'):
    handle.update_mesh(3)


def test_a_recording_is_one_file(simulation, tmp_path):
  model, data = simulation
  recording = viewer.Recording(model)
  for _ in range(30):
    cortenforge.mj_step(model, data)
    recording.record(data)
  recording.save(tmp_path / 'a.html')
  text = (tmp_path / 'a.html').read_text()
  assert text.startswith('<!doctype html>') and '<title>swing</title>' in text
  assert "<iframe" in recording._repr_html_()

// Messages of the server: little-endian, in units of four bytes, a version and a kind in front.

export const KIND = {scene: 1, table: 2, frame: 3, image: 4, grid: 5};
export const WIRE_VERSION = 1;

class Cursor {
  constructor(buffer, offset) {
    this.buffer = buffer;
    this.view = new DataView(buffer);
    this.at = offset;
  }
  u32() { this.at += 4; return this.view.getUint32(this.at - 4, true); }
  i32() { this.at += 4; return this.view.getInt32(this.at - 4, true); }
  f32() { this.at += 4; return this.view.getFloat32(this.at - 4, true); }
  f64() { this.at += 8; return this.view.getFloat64(this.at - 8, true); }
  u16() { this.at += 2; return this.view.getUint16(this.at - 2, true); }
  i16() { this.at += 2; return this.view.getInt16(this.at - 2, true); }
  u8() { return this.view.getUint8(this.at++); }
  f32s(n) { this.at += 4 * n; return new Float32Array(this.buffer, this.at - 4 * n, n); }
  u32s(n) { this.at += 4 * n; return new Uint32Array(this.buffer, this.at - 4 * n, n); }
  bytes(n) { this.at += n; return new Uint8Array(this.buffer, this.at - n, n); }
  pad() { this.at = (this.at + 3) & ~3; }
}

const utf8 = new TextDecoder();

// Bytes as a buffer of their own, so that arrays of numbers are aligned.
export function aligned(bytes) {
  return bytes.byteOffset % 4 || !(bytes.buffer instanceof ArrayBuffer) || bytes.byteOffset
    ? bytes.slice().buffer : bytes.buffer;
}

export function decodeScene(buffer) {
  const c = new Cursor(buffer, 4);
  const length = c.u32();
  const scene = JSON.parse(utf8.decode(c.bytes(length)));
  c.pad();
  scene.buffer = buffer;
  scene.blob = c.at;
  return scene;
}

export function decodeTable(buffer) {
  const c = new Cursor(buffer, 4);
  const id = c.u32(), bodies = c.u32(), count = c.u32();
  const table = {id, bodies: Array.from({length: bodies}, () => c.i32()), elements: []};
  for (let i = 0; i < count; i++) {
    const [kind, data, material, texcoord, objtype, objid, slot, category] =
      Array.from({length: 8}, () => c.i32());
    const pos = [...c.f32s(3)], quat = [...c.f32s(4)], size = [...c.f32s(3)];
    const rgba = [...c.f32s(4)], surface = [...c.f32s(4)];
    table.elements.push(
      {kind, data, material, texcoord, objtype, objid, slot, category, pos, quat, size, rgba, surface});
  }
  return table;
}

// A pose for each moving body: three numbers of position, four of orientation.
function decodePoses(c, count) {
  const poses = new Float32Array(7 * count);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) poses[7 * i + k] = c.f32();
    for (let k = 3; k < 7; k++) poses[7 * i + k] = c.i16() / 32767;
  }
  return poses;
}

function decodeDecor(c) {
  const pos = [c.f32(), c.f32(), c.f32()];
  const quat = [c.i16() / 32767, c.i16() / 32767, c.i16() / 32767, c.i16() / 32767];
  const size = [c.f32(), c.f32(), c.f32()];
  const rgba = [c.u8() / 255, c.u8() / 255, c.u8() / 255, c.u8() / 255];
  const surface = [c.u8() / 255, c.u8() / 255, c.u8() / 255, c.u8() / 255];
  const kind = c.u16(), material = c.i16();
  const objtype = c.u8(), category = c.u8(), texcoord = c.u8();
  c.u8();
  return {pos, quat, size, rgba, surface, kind, material, objtype, category, texcoord,
    objid: c.i32(), data: c.i32()};
}

export function decodeFrame(buffer) {
  const c = new Cursor(buffer, 4);
  const frame = {table: c.u32(), time: c.f64(), number: c.u32()};
  frame.poses = decodePoses(c, c.u32());
  frame.decor = Array.from({length: c.u32()}, () => decodeDecor(c));
  frame.lights = Array.from({length: c.u32()}, () => ({pos: [...c.f32s(3)], dir: [...c.f32s(3)]}));
  frame.cameras = Array.from({length: c.u32()},
    () => ({pos: [...c.f32s(3)], forward: [...c.f32s(3)], up: [...c.f32s(3)]}));
  frame.tracked = new Map(Array.from({length: c.u32()}, () => [c.u32(), [...c.f32s(3)]]));
  frame.deformed = new Map();
  for (let n = c.u32(); n > 0; n--) {
    const kind = c.i32(), id = c.u32(), count = c.u32(), textured = c.u32();
    const vertices = c.f32s(3 * count), normals = new Int8Array(buffer, c.at, 4 * count);
    c.at += 4 * count;
    const uv = textured ? c.f32s(2 * count) : null;
    frame.deformed.set(`${kind}:${id}`, {count, vertices, normals, uv});
  }
  frame.labels = Array.from({length: c.u32()}, () => {
    const pos = [...c.f32s(3)], text = utf8.decode(c.bytes(c.u32()));
    c.pad();
    return {pos, text};
  });
  frame.qpos = c.f32s(c.u32());
  frame.ctrl = c.f32s(c.u32());
  frame.sensors = c.f32s(c.u32());
  frame.equalities = c.bytes(c.u32());
  c.pad();
  frame.body = c.i32();
  if (frame.body >= 0) {
    frame.inspected = {pos: c.f32s(3), quat: c.f32s(4), linear: c.f32s(3), angular: c.f32s(3), force: c.f32s(6)};
  }
  const width = c.u32(), count = c.u32();
  frame.samples = {width, times: c.f32s(count), values: c.f32s(width * count)};
  return frame;
}

// Frames of several simulations; the first has the others in `worlds`.
export function decodeGrid(buffer) {
  const c = new Cursor(buffer, 4);
  const frames = Array.from({length: c.u32()}, () => {
    const bytes = c.bytes(c.u32());
    c.pad();
    return decodeFrame(bytes.slice().buffer);
  });
  frames[0].worlds = frames;
  return frames[0];
}

export function decodeImage(buffer) {
  const c = new Cursor(buffer, 4);
  return {camera: c.i32(), width: c.u32(), height: c.u32(), kind: c.u32(),
    blob: new Blob([new Uint8Array(buffer, c.at)], {type: 'image/png'})};
}

// A recording: scene, table, and columns of numbers that are predicted from the two frames before.
export function decodeReplay(buffer) {
  const c = new Cursor(buffer, 0);
  const part = () => { const bytes = c.bytes(c.u32()).slice().buffer; c.pad(); return bytes; };
  const scene = decodeScene(part()), table = decodeTable(part());
  const steps = [c.f32(), c.f32()], count = c.u32(), width = c.u32();
  const times = c.f32s(count).slice();
  const size = count * width, planes = [0, 1, 2, 3].map(() => c.bytes(size));
  c.pad();
  const numbers = new Int32Array(size);
  for (let column = 0; column < width; column++) {
    let last = 0, before = 0;
    for (let f = 0; f < count; f++) {
      const i = column * count + f;
      const code = (planes[0][i] | planes[1][i] << 8 | planes[2][i] << 16 | planes[3][i] << 24) >>> 0;
      const x = (2 * last - before + ((code >>> 1) ^ -(code & 1))) | 0;
      before = last;
      last = x;
      numbers[f * width + column] = x;
    }
  }
  const frames = Array.from({length: c.u32()}, () => decodeFrame(c.bytes(c.u32()).slice().buffer));
  return {scene, table, steps, count, width, times, numbers, frames};
}

// Frame `f` of a recording, moved on by a part of the way to the next one.
export function replayFrame(replay, f, part) {
  const {table, steps: [position, direction], width, numbers, scene} = replay;
  const next = Math.min(f + 1, replay.count - 1);
  const at = (k, step) => {
    const a = numbers[f * width + k], b = numbers[next * width + k];
    return (a + part * (b - a)) * step;
  };
  let k = 0;
  const three = step => [at(k++, step), at(k++, step), at(k++, step)];
  const poses = new Float32Array(7 * table.bodies.length);
  for (let i = 0; i < table.bodies.length; i++) {
    poses.set(three(position), 7 * i);
    // quaternions of neighbouring frames may have opposite signs
    const a = [0, 1, 2, 3].map(j => numbers[f * width + k + j] * direction);
    const b = [0, 1, 2, 3].map(j => numbers[next * width + k + j] * direction);
    const sign = a.reduce((sum, x, j) => sum + x * b[j], 0) < 0 ? -1 : 1;
    const q = a.map((x, j) => x + part * (sign * b[j] - x)), n = Math.hypot(...q) || 1;
    poses.set(q.map(x => x / n), 7 * i + 3);
    k += 4;
  }
  const lights = scene.lights.map(() => ({pos: three(position), dir: three(direction)}));
  const cameras = scene.cameras.map(
    () => ({pos: three(position), forward: three(direction), up: three(direction)}));
  const full = replay.frames[f];
  const time = replay.times[f] + part * (replay.times[next] - replay.times[f]);
  const empty = {decor: [], tracked: new Map(), deformed: new Map(), labels: [], qpos: [], ctrl: [],
    sensors: [], equalities: [], body: -1, samples: {width: 0, times: [], values: []}};
  return {...empty, ...full, table: table.id, time, poses, lights, cameras};
}

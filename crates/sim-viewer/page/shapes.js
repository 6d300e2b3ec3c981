// Shapes of geoms in units: a radius of 1, half lengths of 1. Eight numbers per vertex: position,
// normal, texture coordinates. Triangles turn left seen from outside.

class Builder {
  constructor() { this.vertices = []; this.index = []; }
  vertex(p, n, uv = [0, 0]) {
    this.vertices.push(...p, ...n, ...uv);
    return this.vertices.length / 8 - 1;
  }
  // A grid of rows + 1 times columns + 1 vertices.
  grid(rows, columns, at) {
    const first = this.vertices.length / 8, width = columns + 1;
    for (let r = 0; r <= rows; r++) for (let c = 0; c <= columns; c++) this.vertex(...at(r, c));
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) {
        const v = first + r * width + c;
        this.index.push(v, v + 1, v + width + 1, v, v + width + 1, v + width);
      }
    return this;
  }
  done(flat = false) {
    const count = this.vertices.length / 8;
    return {vertices: new Float32Array(this.vertices),
      index: count > 65535 ? new Uint32Array(this.index) : new Uint16Array(this.index), flat};
  }
}

const SLICES = 48, STACKS = 24;
const around = (i, n) => [Math.cos(2 * Math.PI * i / n), Math.sin(2 * Math.PI * i / n)];

function ballPart(from, to, lift) {
  const stacks = Math.max(2, Math.round(STACKS * (to - from) / 2));
  return new Builder().grid(stacks, SLICES, (r, c) => {
    const e = Math.PI / 2 * (from + (to - from) * r / stacks), [x, y] = around(c, SLICES);
    const n = [x * Math.cos(e), y * Math.cos(e), Math.sin(e)];
    return [[n[0], n[1], n[2] + lift], n];
  }).done();
}

function tube(builder) {
  return builder.grid(1, SLICES, (r, c) => {
    const [x, y] = around(c, SLICES);
    return [[x, y, 2 * r - 1], [x, y, 0]];
  });
}

function disk(builder, z, sign) {
  return builder.grid(1, SLICES, (r, c) => {
    const [x, y] = around(sign > 0 ? c : SLICES - c, SLICES), radius = 1 - r;
    return [[x * radius, y * radius, z], [0, 0, sign]];
  });
}

function cone() {
  const s = Math.SQRT1_2;
  const builder = new Builder().grid(1, SLICES, (r, c) => {
    const [x, y] = around(c, SLICES);
    return [[x * (1 - r), y * (1 - r), r], [x * s, y * s, s]];
  });
  return disk(builder, 0, -1).done();
}

function cube() {
  const builder = new Builder();
  for (let axis = 0; axis < 3; axis++)
    for (const sign of [1, -1])
      builder.grid(1, 1, (r, c) => {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = n[axis] = sign;
        p[(axis + 1) % 3] = 2 * c - 1;
        p[(axis + 2) % 3] = sign > 0 ? 2 * r - 1 : 1 - 2 * r;
        return [p, n];
      });
  return builder.done();
}

// The ring that hides the horizon: opaque at a height in between. The opacity is in u.
export function hazeShape(width) {
  const alpha = Math.atan2(1, width), beta = 0.75 * Math.PI - alpha;
  const heights = [0, Math.SQRT1_2 * width * Math.sin(alpha) / Math.sin(beta), 1];
  return new Builder().grid(2, SLICES, (r, c) => {
    const [x, y] = around(c, SLICES), radius = 1 - width * (1 - heights[r]);
    return [[x * radius, y * radius, heights[r]], [0, 0, 1], [r === 1 ? 1 : 0, 0]];
  }).done();
}

export function builtinShapes() {
  const triangle = new Builder();
  for (const p of [[0, 0, 0], [1, 0, 0], [0, 1, 0]]) triangle.vertex(p, [0, 0, 1]);
  triangle.index.push(0, 1, 2, 0, 2, 1);
  const line = new Builder();
  line.vertex([0, 0, 0], [0, 0, 1]);
  line.vertex([0, 0, 1], [0, 0, 1]);
  line.index.push(0, 1);
  const edges = new Builder();
  for (let i = 0; i < 8; i++) edges.vertex([i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1], [0, 0, 1]);
  for (let i = 0; i < 8; i++) for (const bit of [1, 2, 4]) if (!(i & bit)) edges.index.push(i, i | bit);
  return {
    sphere: ballPart(-1, 1, 0), top: ballPart(0, 1, 1), bottom: ballPart(-1, 0, -1),
    tube: tube(new Builder()).done(),
    cylinder: disk(disk(tube(new Builder()), 1, 1), -1, -1).done(),
    cone: cone(), cube: cube(),
    square: new Builder().grid(1, 1, (r, c) => [[2 * c - 1, 2 * r - 1, 0], [0, 0, 1]]).done(),
    triangle: triangle.done(),
    line: {...line.done(), lines: true}, edges: {...edges.done(), lines: true},
  };
}

// A mesh of the scene message.
export function meshShape(scene, mesh, flat) {
  if (!mesh.count || !mesh.triangles) return null;
  const {buffer, blob} = scene, n = mesh.count;
  const packed = new Uint16Array(buffer, blob + mesh.vertices, 6 * n);
  const normal = new Int16Array(buffer, blob + mesh.vertices, 6 * n);
  const uv = mesh.uv === undefined ? null : new Float32Array(buffer, blob + mesh.uv, 2 * n);
  const vertices = new Float32Array(8 * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) vertices[8 * i + k] = mesh.low[k] + mesh.step[k] * packed[6 * i + k];
    let x = normal[6 * i + 3] / 32767, y = normal[6 * i + 4] / 32767;
    const z = 1 - Math.abs(x) - Math.abs(y), fold = Math.max(-z, 0);
    x -= x >= 0 ? fold : -fold;
    y -= y >= 0 ? fold : -fold;
    const length = Math.hypot(x, y, z) || 1;
    vertices[8 * i + 3] = x / length;
    vertices[8 * i + 4] = y / length;
    vertices[8 * i + 5] = z / length;
    if (uv) { vertices[8 * i + 6] = uv[2 * i]; vertices[8 * i + 7] = uv[2 * i + 1]; }
  }
  const Index = mesh.wide ? Uint32Array : Uint16Array;
  return {vertices, index: new Index(buffer, blob + mesh.index, 3 * mesh.triangles), flat};
}

// A height field: surface, sides and bottom, with flat faces.
export function hfieldShape(scene, field) {
  const {columns, rows, size: [sx, sy, top, base]} = field;
  if (columns < 2 || rows < 2 || field.count < columns * rows) return null;
  const heights = new Float32Array(scene.buffer, scene.blob + field.heights, field.count);
  const builder = new Builder(), up = [0, 0, 1];
  const x = c => sx * (2 * c / (columns - 1) - 1), y = r => sy * (2 * r / (rows - 1) - 1);
  const z = (r, c) => heights[r * columns + c] * top;
  builder.grid(rows - 1, columns - 1, (r, c) => [[x(c), y(r), z(r, c)], up]);
  const wall = (count, at) => builder.grid(1, count, (r, i) => {
    const p = at(i);
    return [[p[0], p[1], r ? p[2] : -base], up];
  });
  wall(columns - 1, c => [x(c), y(0), z(0, c)]);
  wall(columns - 1, c => [x(columns - 1 - c), y(rows - 1), z(rows - 1, columns - 1 - c)]);
  wall(rows - 1, r => [x(columns - 1), y(r), z(r, columns - 1)]);
  wall(rows - 1, r => [x(0), y(rows - 1 - r), z(rows - 1 - r, 0)]);
  builder.grid(1, 1, (r, c) => [[sx * (1 - 2 * c), sy * (2 * r - 1), -base], up]);
  return builder.done(true);
}

// Vectors, quaternions (w first) and matrices (columns first).

export const sub3 = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add3 = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const scale3 = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross3 = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length3 = a => Math.hypot(a[0], a[1], a[2]);
export const unit3 = a => scale3(a, 1 / (length3(a) || 1));
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

// The vector v turned by the quaternion q.
export function rotate(q, v) {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx];
}

export function multiply4(a, b) {
  const m = new Float32Array(16);
  for (let c = 0; c < 4; c++)
    for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
      m[4 * c + r] = sum;
    }
  return m;
}

// Turns and moves the world so that forward is -z and up is y.
export function lookAt(pos, forward, up) {
  const f = unit3(forward), r = unit3(cross3(f, up)), u = cross3(r, f);
  return new Float32Array([
    r[0], u[0], -f[0], 0, r[1], u[1], -f[1], 0, r[2], u[2], -f[2], 0,
    -dot3(r, pos), -dot3(u, pos), dot3(f, pos), 1]);
}

// Projection of a frustum by its edges at the near plane.
export function frustum(l, r, b, t, n, f, parallel) {
  const w = r - l, h = t - b, d = f - n;
  return parallel
    ? new Float32Array([2 / w, 0, 0, 0, 0, 2 / h, 0, 0, 0, 0, -2 / d, 0,
      -(r + l) / w, -(t + b) / h, -(f + n) / d, 1])
    : new Float32Array([2 * n / w, 0, 0, 0, 0, 2 * n / h, 0, 0,
      (r + l) / w, (t + b) / h, -(f + n) / d, -1, 0, 0, -2 * f * n / d, 0]);
}

// The world mirrored at a plane through a point.
export function mirror4(point, n) {
  const d = dot3(point, n), m = new Float32Array(16);
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) m[4 * c + r] = (r === c ? 1 : 0) - 2 * n[r] * n[c];
    m[12 + c] = 2 * d * n[c];
  }
  m[15] = 1;
  return m;
}

// A point through a matrix, divided by w; null behind the eye.
export function project(m, p) {
  const row = r => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r];
  const w = row(3);
  return w > 0 ? [row(0) / w, row(1) / w, row(2) / w] : null;
}

// Numbers as people write them.
export function short(x, digits = 4) {
  if (!Number.isFinite(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(2);
  return String(+x.toPrecision(digits));
}

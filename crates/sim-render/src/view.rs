//! Cameras and lights as maps from the world to pixels.

use sim_core::scene::{GlCamera, Scene};

use crate::vector::{V3, V3x8, cross, dot, f32x8, normalized};

/// Rows of a matrix.
type Mat4 = [[f64; 4]; 4];

fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

/// A map from the world to homogeneous pixels: `x/w` and `y/w` count from the lower left, `z/w` is 1
/// at the near plane and 0 at the far plane, and `w` is the distance along the view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) rows: [[f32; 4]; 4],
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Rotates and moves the world so that `forward` is -z and `up` is y.
fn look_at(pos: V3, forward: V3, up: V3) -> Mat4 {
    let forward = normalized(forward);
    let right = normalized(cross(forward, up));
    let up = cross(right, forward);
    let row = |axis: V3| {
        let [x, y, z] = axis.map(f64::from);
        [x, y, z, -f64::from(dot(axis, pos))]
    };
    [row(right), row(up), row(forward.map(|x| -x)), [0.0, 0.0, 0.0, 1.0]]
}

/// Projection of a frustum given by its edges at the near plane.
fn projection([left, right, bottom, top]: [f64; 4], near: f64, far: f64, parallel: bool) -> Mat4 {
    let (width, height, depth) = (right - left, top - bottom, far - near);
    let mut m = [[0.0; 4]; 4];
    if parallel {
        m[0] = [2.0 / width, 0.0, 0.0, -(right + left) / width];
        m[1] = [0.0, 2.0 / height, 0.0, -(top + bottom) / height];
        m[2] = [0.0, 0.0, -2.0 / depth, -(far + near) / depth];
        m[3][3] = 1.0;
    } else {
        m[0] = [2.0 * near / width, 0.0, (right + left) / width, 0.0];
        m[1] = [0.0, 2.0 * near / height, (top + bottom) / height, 0.0];
        m[2] = [0.0, 0.0, -(far + near) / depth, -2.0 * far * near / depth];
        m[3][2] = -1.0;
    }
    m
}

/// The map to pixels of a rectangle, with the depth turned round.
fn to_pixels(clip: &Mat4, [left, bottom, width, height]: [f64; 4]) -> [[f32; 4]; 4] {
    let mut rows = [[0.0; 4]; 4];
    for j in 0..4 {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| clip[i][j]);
        rows[0][j] = ((0.5 * width) * x + (left + 0.5 * width) * w) as f32;
        rows[1][j] = ((0.5 * height) * y + (bottom + 0.5 * height) * w) as f32;
        rows[2][j] = (0.5 * w - 0.5 * z) as f32;
        rows[3][j] = w as f32;
    }
    rows
}

/// Maps pixels back to the world: `p = s₀ + x s₁ + y s₂ + t (d₀ + x d₁ + y d₂)`, where `t` is the
/// distance along the view, or, for parallel rays, the depth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rays {
    start: [V3; 3],
    along: [V3; 3],
}

impl Rays {
    pub(crate) fn points(&self, x: f32x8, y: f32x8, t: f32x8) -> V3x8 {
        let mix = |[a, b, c]: &[V3; 3], k: usize| {
            f32x8::splat(a[k]) + x * f32x8::splat(b[k]) + y * f32x8::splat(c[k])
        };
        std::array::from_fn(|k| mix(&self.start, k) + t * mix(&self.along, k))
    }
}

impl View {
    /// Whether the rays are parallel.
    pub(crate) fn parallel(&self) -> bool {
        self.rows[3][..3] == [0.0; 3]
    }

    pub(crate) fn rays(&self) -> Rays {
        let last = if self.parallel() { 2 } else { 3 };
        let rows = [0, 1, last].map(|i| self.rows[i].map(f64::from));
        let [a, b, c] = rows.map(|row| [row[0], row[1], row[2]]);
        let cross = |u: [f64; 3], v: [f64; 3]| {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        // columns of the inverse
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant: f64 = (0..3).map(|k| a[k] * columns[0][k]).sum();
        let columns = columns.map(|column| column.map(|x| x / determinant));
        let offset: [f64; 3] =
            std::array::from_fn(|k| -(0..3).map(|i| columns[i][k] * rows[i][3]).sum::<f64>());
        let [x, y, t, offset] =
            [columns[0], columns[1], columns[2], offset].map(|v| v.map(|x| x as f32));
        let zero = [0.0; 3];
        match self.parallel() {
            true => Rays { start: [offset, x, y], along: [t, zero, zero] },
            false => Rays { start: [offset, zero, zero], along: [t, x, y] },
        }
    }

    /// What a camera sees, in a picture of the given size.
    pub(crate) fn camera(camera: &GlCamera, scene: &Scene, width: usize, height: usize) -> View {
        let [bottom, top, near, far, centre, half] = [
            camera.frustum_bottom,
            camera.frustum_top,
            camera.frustum_near,
            camera.frustum_far,
            camera.frustum_center,
            camera.frustum_width,
        ]
        .map(f64::from);
        let half = match half == 0.0 {
            true => 0.5 * width as f64 / height as f64 * (top - bottom),
            false => half,
        };
        let parallel = camera.orthographic != 0;
        let edges = [centre - half, centre + half, bottom, top];
        let project = projection(edges, near, far, parallel);
        let mut place = look_at(camera.pos, camera.forward, camera.up);
        if scene.enabletransform {
            place = mul(&place, &model_transform(scene));
        }
        let clip = mul(&project, &place);
        View { rows: to_pixels(&clip, [0.0, 0.0, width as f64, height as f64]), width, height }
    }

    /// What a light sees, in a map of the given size that leaves out the outermost texels.
    pub(crate) fn light(
        pos: V3,
        dir: V3,
        half: f32,
        [near, far]: [f32; 2],
        spot: bool,
        size: usize,
    ) -> View {
        let up = orthogonal(dir);
        let [near64, far64, half] = [near, far, half].map(f64::from);
        let project = projection([-half, half, -half, half], near64, far64, !spot);
        let clip = mul(&project, &look_at(pos, dir, up));
        let inner = size as f64 - 2.0;
        View { rows: to_pixels(&clip, [1.0, 1.0, inner, inner]), width: size, height: size }
    }

    /// The same map, of a world mirrored at a plane.
    pub(crate) fn mirrored(&self, position: V3, normal: V3) -> View {
        let n = normal.map(f64::from);
        let d: f64 = (0..3).map(|k| n[k] * f64::from(position[k])).sum();
        let mut reflect = [[0.0; 4]; 4];
        for i in 0..3 {
            for j in 0..3 {
                reflect[i][j] = f64::from(i == j) - 2.0 * n[i] * n[j];
            }
            reflect[i][3] = 2.0 * d * n[i];
        }
        reflect[3][3] = 1.0;
        let rows = mul(&self.rows.map(|row| row.map(f64::from)), &reflect);
        View { rows: rows.map(|row| row.map(|x| x as f32)), ..*self }
    }

    /// The pixel that shows a point, from the lower left; `None` for a point behind the eye.
    pub(crate) fn pixel(&self, p: [f64; 3]) -> Option<[f64; 2]> {
        let [x, y, _, w] = self.rows.map(|row| {
            let [a, b, c, d] = row.map(f64::from);
            a * p[0] + b * p[1] + c * p[2] + d
        });
        (w > 0.0).then(|| [x / w, y / w])
    }

    pub(crate) fn apply(&self, p: V3) -> [f32; 4] {
        self.rows.map(|row| row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
    }
}

/// A unit vector at a right angle to `v`.
fn orthogonal(v: V3) -> V3 {
    let first = cross(v, [-1.0, 0.0, 0.0]);
    if dot(first, first) > 0.01 { normalized(first) } else { normalized(cross(v, [0.0, 1.0, 0.0])) }
}

/// Translation, rotation and scale of the model as a whole.
fn model_transform(scene: &Scene) -> Mat4 {
    let [w, x, y, z] = scene.rotate.map(f64::from);
    let mat = sim_core::math::Quat::new(w, x, y, z).to_mat();
    let scale = f64::from(scene.scale);
    let mut m = [[0.0; 4]; 4];
    for i in 0..3 {
        for j in 0..3 {
            m[i][j] = scale * mat.0[3 * i + j];
        }
        m[i][3] = f64::from(scene.translate[i]);
    }
    m[3][3] = 1.0;
    m
}

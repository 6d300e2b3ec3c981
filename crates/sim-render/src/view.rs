//! Cameras and lights as maps from the world to pixels.

use sim_core::scene::{GlCamera, Scene};

use crate::draw::Part;
use crate::vector::{V3, V3x8, cross, dot, f32x8, normalized};

/// Rows of a matrix.
pub(crate) type Mat4 = [[f32; 4]; 4];

/// A product with the rounding of OpenGL's matrices: products are added from the left.
fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] + a[i][3] * b[3][j]
        })
    })
}

/// A map from the world to homogeneous pixels: `x/w` and `y/w` count from the lower left, `z/w` is 1
/// at the near plane and 0 at the far plane, and `w` is the distance along the view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) rows: Mat4,
    /// The projection to clip space, and the place of the eye: the world seen from it. In single
    /// precision, as the reference has them: which of two surfaces in one place is in front hangs on
    /// how they are rounded.
    project: Mat4,
    place: Mat4,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Rotates and moves the world so that `forward` is -z and `up` is y.
fn look_at(pos: V3, forward: V3, up: V3) -> Mat4 {
    let forward = unit(forward);
    let right = unit(cross(forward, up));
    let up = unit(cross(right, forward));
    let row = |axis: V3| [axis[0], axis[1], axis[2], -dot(axis, pos)];
    [row(right), row(up), row(forward.map(|x| -x)), [0.0, 0.0, 0.0, 1.0]]
}

/// A vector times the inverse of its length, if it has one.
fn unit(v: V3) -> V3 {
    let inverse = 1.0 / dot(v, v).sqrt();
    if inverse.is_finite() { v.map(|x| x * inverse) } else { v }
}

/// Projection of a frustum given by its edges at the near plane. The depth is turned round: 1 at the
/// near plane, 0 at the far plane.
pub(crate) fn projection(
    [left, right, bottom, top]: [f32; 4],
    near: f32,
    far: f32,
    parallel: bool,
) -> Mat4 {
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
        m[2] = [0.0, 0.0, -(far + near) / depth, -(2.0 * far * near) / depth];
        m[3][2] = -1.0;
    }
    m[2] = std::array::from_fn(|j| -0.5 * m[2][j] + 0.5 * m[3][j]);
    m
}

/// The map from the world to pixels of a rectangle.
fn to_pixels(project: &Mat4, place: &Mat4, [left, bottom, width, height]: [f64; 4]) -> Mat4 {
    let [project, place] = [project, place].map(|m| m.map(|row| row.map(f64::from)));
    let clip = |i: usize, j: usize| (0..4).map(|k| project[i][k] * place[k][j]).sum::<f64>();
    let mut rows = [[0.0; 4]; 4];
    for j in 0..4 {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| clip(i, j));
        rows[0][j] = ((0.5 * width) * x + (left + 0.5 * width) * w) as f32;
        rows[1][j] = ((0.5 * height) * y + (bottom + 0.5 * height) * w) as f32;
        rows[2][j] = z as f32;
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
        let &GlCamera { frustum_bottom: bottom, frustum_top: top, .. } = camera;
        let half = match camera.frustum_width == 0.0 {
            true => 0.5 * width as f32 / height as f32 * (top - bottom),
            false => camera.frustum_width,
        };
        let centre = camera.frustum_center;
        let edges = [centre - half, centre + half, bottom, top];
        let (near, far) = (camera.frustum_near, camera.frustum_far);
        let project = projection(edges, near, far, camera.orthographic != 0);
        let mut place = look_at(camera.pos, camera.forward, camera.up);
        if scene.enabletransform {
            place = mul(&place, &model_transform(scene));
        }
        View::new(project, place, [0.0, 0.0, width as f64, height as f64], [width, height])
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
        let project = projection([-half, half, -half, half], near, far, !spot);
        let inner = size as f64 - 2.0;
        let place = look_at(pos, dir, orthogonal(dir));
        View::new(project, place, [1.0, 1.0, inner, inner], [size, size])
    }

    fn new(project: Mat4, place: Mat4, rectangle: [f64; 4], [width, height]: [usize; 2]) -> View {
        View { rows: to_pixels(&project, &place, rectangle), project, place, width, height }
    }

    /// The same picture, of a world mirrored at a plane.
    pub(crate) fn mirrored(&self, position: V3, normal: V3) -> View {
        let offset = dot(normal, position);
        let mut reflect = [[0.0; 4]; 4];
        for i in 0..3 {
            for j in 0..3 {
                reflect[i][j] = f32::from(u8::from(i == j)) - 2.0 * normal[i] * normal[j];
            }
            reflect[i][3] = 2.0 * offset * normal[i];
        }
        reflect[3][3] = 1.0;
        let whole = [0.0, 0.0, self.width as f64, self.height as f64];
        let place = mul(&self.place, &reflect);
        View::new(self.project, place, whole, [self.width, self.height])
    }

    /// The map from points of a part's shape to clip space, for views that fill their picture.
    pub(crate) fn clip(&self, part: &Part<'_>) -> Mat4 {
        let ([x, y, z], r) = (part.position, &part.rotation);
        let pose = [
            [r[0], r[1], r[2], x],
            [r[3], r[4], r[5], y],
            [r[6], r[7], r[8], z],
            [0.0, 0.0, 0.0, 1.0],
        ];
        let mut place = mul(&self.place, &pose);
        for row in &mut place {
            let [x, y, z] = part.offset;
            row[3] += row[0] * x + row[1] * y + row[2] * z;
            (0..3).for_each(|k| row[k] *= part.scale[k]);
        }
        mul(&self.project, &place)
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
            m[i][j] = (scale * mat.0[3 * i + j]) as f32;
        }
        m[i][3] = scene.translate[i];
    }
    m[3][3] = 1.0;
    m
}

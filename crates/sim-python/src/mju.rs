//! Small functions on vectors, quaternions and matrices, under MuJoCo's names.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::{Mat3, Quat, Vec3};

use crate::arguments::{Output, check_len, vec3, vector, write};
use crate::guard::FatalError;

fn quaternion(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Quat> {
    let numbers = vector(name, value, 4, "4")?;
    Ok(Quat::new(numbers[0], numbers[1], numbers[2], numbers[3]))
}

fn matrix(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Mat3> {
    let numbers = vector(name, value, 9, "9")?;
    Ok(Mat3::new(std::array::from_fn(|i| numbers[i])))
}

/// How results are written to arrays.
trait Numbers {
    fn numbers(self) -> Vec<f64>;
}

impl Numbers for Vec3 {
    fn numbers(self) -> Vec<f64> {
        vec![self.x, self.y, self.z]
    }
}

impl Numbers for Quat {
    fn numbers(self) -> Vec<f64> {
        self.to_array().to_vec()
    }
}

impl Numbers for Mat3 {
    fn numbers(self) -> Vec<f64> {
        self.0.to_vec()
    }
}

fn put(name: &str, output: Output<'_, '_>, value: impl Numbers) -> PyResult<()> {
    let numbers = value.numbers();
    check_len(name, output, numbers.len(), &numbers.len().to_string())?;
    write(output, &numbers)
}

/// Reads an argument of one of the types that [`small!`] knows.
macro_rules! read {
    (quat $name:ident) => {
        quaternion(stringify!($name), $name)?
    };
    (vec3 $name:ident) => {
        vec3(stringify!($name), $name)?
    };
    (mat3 $name:ident) => {
        matrix(stringify!($name), $name)?
    };
    (num $name:ident) => {
        $name.extract::<f64>()?
    };
}

/// Declares functions that write one result, or return one number.
macro_rules! small {
    (
        writes { $( $(#[doc = $doc:literal])+
            $name:ident($res:ident; $( $arg:ident: $kind:ident ),*) = $value:expr; )* }
        returns { $( $(#[doc = $rdoc:literal])+
            $rname:ident($( $rarg:ident: $rkind:ident ),*) = $rvalue:expr; )* }
    ) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name($res: Output<'_, '_>, $( $arg: &Bound<'_, PyAny> ),*) -> PyResult<()> {
                $( let $arg = read!($kind $arg); )*
                put(stringify!($res), $res, $value)
            }
        )*
        $(
            $(#[doc = $rdoc])+
            #[pyfunction]
            fn $rname($( $rarg: &Bound<'_, PyAny> ),*) -> PyResult<f64> {
                $( let $rarg = read!($rkind $rarg); )*
                Ok($rvalue)
            }
        )*

        /// Adds the functions to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            crate::functions::add! {
                module: $( $name )* $( $rname )* mju_quatIntegrate mju_normalize3 mju_normalize4
                mju_euler2Quat mju_mulPose mju_negPose mju_addTo3 mju_subFrom3 mju_addToScl3
                mju_zero3 mju_zero4 mju_unit4 mju_encodePyramid mju_decodePyramid
            }
            Ok(())
        }
    };
}

small! {
    writes {
        /// Computes `res`, the product of two quaternions.
        mju_mulQuat(res; quat1: quat, quat2: quat) = quat1 * quat2;
        /// Computes `res`, the product of a quaternion and a vector as a quaternion.
        mju_mulQuatAxis(res; quat: quat, axis: vec3) = quat * Quat::new(0.0, axis.x, axis.y, axis.z);
        /// Computes `res`, the inverse of a unit quaternion.
        mju_negQuat(res; quat: quat) = quat.conjugate();
        /// Computes `res`, a vector rotated by a quaternion.
        mju_rotVecQuat(res; vec: vec3, quat: quat) = quat.rotate(vec);
        /// Computes `res`, the quaternion of the rotation by `angle` about `axis`.
        mju_axisAngle2Quat(res; axis: vec3, angle: num) = Quat::from_axis_angle(axis, angle);
        /// Computes `res`, the angular velocity that gives the rotation `quat` in the time `dt`.
        mju_quat2Vel(res; quat: quat, dt: num) = quat.to_velocity(dt);
        /// Computes `res`, the local rotation vector that leads from `qb` to `qa`.
        mju_subQuat(res; qa: quat, qb: quat) = qa.difference(qb);
        /// Computes `res`, the rotation matrix of a quaternion, by rows.
        mju_quat2Mat(res; quat: quat) = quat.to_mat();
        /// Computes `quat`, the quaternion of a rotation matrix.
        mju_mat2Quat(quat; mat: mat3) = mat.to_quat();
        /// Computes `res`, the rate of change of a quaternion that turns with the angular velocity
        /// `vel` of the world.
        mju_derivQuat(res; quat: quat, vel: vec3) = derivative(quat, vel);
        /// Computes `quat`, the shortest rotation that takes the z-axis to the direction `vec`.
        mju_quatZ2Vec(quat; vec: vec3) = Quat::from_z_to(vec);
        /// Computes `res`, a vector in the frame (`pos`, `quat`) as seen from outside.
        mju_trnVecPose(res; pos: vec3, quat: quat, vec: vec3) = quat.rotate(vec) + pos;
        /// Computes `res = mat vec`, for 3 x 3 matrices.
        mju_mulMatVec3(res; mat: mat3, vec: vec3) = mat * vec;
        /// Computes `res = matᵀ vec`, for 3 x 3 matrices.
        mju_mulMatTVec3(res; mat: mat3, vec: vec3) = mat.transpose_mul(vec);
        /// Computes `res`, the vector product.
        mju_cross(res; a: vec3, b: vec3) = a.cross(b);
        /// Computes `res = vec1 + vec2`.
        mju_add3(res; vec1: vec3, vec2: vec3) = vec1 + vec2;
        /// Computes `res = vec1 - vec2`.
        mju_sub3(res; vec1: vec3, vec2: vec3) = vec1 - vec2;
        /// Computes `res = scl vec`.
        mju_scl3(res; vec: vec3, scl: num) = vec * scl;
        /// Computes `res = vec1 + scl vec2`.
        mju_addScl3(res; vec1: vec3, vec2: vec3, scl: num) = vec1 + vec2 * scl;
        /// Copies a vector.
        mju_copy3(res; data: vec3) = data;
        /// Copies a quaternion.
        mju_copy4(res; data: quat) = data;
    }
    returns {
        /// Returns the scalar product.
        mju_dot3(vec1: vec3, vec2: vec3) = vec1.dot(vec2);
        /// Returns the length of a vector.
        mju_norm3(vec: vec3) = vec.norm();
        /// Returns the distance of two points.
        mju_dist3(pos1: vec3, pos2: vec3) = (pos1 - pos2).norm();
    }
}

fn derivative(quat: Quat, velocity: Vec3) -> Quat {
    let rate = Quat::new(0.0, velocity.x, velocity.y, velocity.z) * quat;
    Quat::new(0.5 * rate.w, 0.5 * rate.x, 0.5 * rate.y, 0.5 * rate.z)
}

/// Turns `quat` in place by the local angular velocity `vel` over the time `scale`.
#[pyfunction]
fn mju_quatIntegrate(quat: Output<'_, '_>, vel: &Bound<'_, PyAny>, scale: f64) -> PyResult<()> {
    let from = quaternion("quat", quat.as_any())?;
    put("quat", quat, from.integrate(vec3("vel", vel)?, scale))
}

/// Gives `vec` unit length in place, the x-axis if it has none, and returns the length it had.
#[pyfunction]
fn mju_normalize3(vec: Output<'_, '_>) -> PyResult<f64> {
    let (unit, length) = vec3("vec", vec.as_any())?.normalized();
    put("vec", vec, unit)?;
    Ok(length)
}

/// Gives `vec` unit length in place, the identity if it has none, and returns the length it had.
#[pyfunction]
fn mju_normalize4(vec: Output<'_, '_>) -> PyResult<f64> {
    let given = quaternion("vec", vec.as_any())?;
    put("vec", vec, given.normalized())?;
    Ok(given.norm())
}

/// Computes `quat` of three rotations about the axes that `seq` names: xyz of the rotated frame,
/// XYZ of the fixed one.
#[pyfunction]
fn mju_euler2Quat(quat: Output<'_, '_>, euler: &Bound<'_, PyAny>, seq: &str) -> PyResult<()> {
    let angles = vec3("euler", euler)?;
    if seq.chars().count() != 3 {
        return Err(FatalError::new_err("mju_euler2Quat: seq must contain exactly 3 characters"));
    }
    let mut result = Quat::IDENTITY;
    for (i, letter) in seq.chars().enumerate() {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vec3::X,
            'y' => Vec3::Y,
            'z' => Vec3::Z,
            _ => {
                let message = format!(
                    "mju_euler2Quat: seq[{i}] is '{letter}', should be one of x, y, z, X, Y, Z"
                );
                return Err(FatalError::new_err(message));
            }
        };
        let turn = Quat::from_axis_angle(axis, angles[i]);
        result = if letter.is_ascii_lowercase() { result * turn } else { turn * result };
    }
    put("quat", quat, result)
}

/// Computes the pose (`posres`, `quatres`) of the second pose inside the first.
#[pyfunction]
fn mju_mulPose(
    posres: Output<'_, '_>,
    quatres: Output<'_, '_>,
    pos1: &Bound<'_, PyAny>,
    quat1: &Bound<'_, PyAny>,
    pos2: &Bound<'_, PyAny>,
    quat2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (pos1, quat1) = (vec3("pos1", pos1)?, quaternion("quat1", quat1)?);
    let (pos2, quat2) = (vec3("pos2", pos2)?, quaternion("quat2", quat2)?);
    put("quatres", quatres, (quat1 * quat2).normalized())?;
    put("posres", posres, quat1.rotate(pos2) + pos1)
}

/// Computes the inverse (`posres`, `quatres`) of a pose.
#[pyfunction]
fn mju_negPose(
    posres: Output<'_, '_>,
    quatres: Output<'_, '_>,
    pos: &Bound<'_, PyAny>,
    quat: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let inverse = quaternion("quat", quat)?.conjugate();
    let position = inverse.rotate(vec3("pos", pos)?);
    put("quatres", quatres, inverse)?;
    put("posres", posres, position * -1.0)
}

/// Adds `vec` to `res`.
#[pyfunction]
fn mju_addTo3(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    put("res", res, vec3("res", res.as_any())? + vec3("vec", vec)?)
}

/// Subtracts `vec` from `res`.
#[pyfunction]
fn mju_subFrom3(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    put("res", res, vec3("res", res.as_any())? - vec3("vec", vec)?)
}

/// Adds `scl vec` to `res`.
#[pyfunction]
fn mju_addToScl3(res: Output<'_, '_>, vec: &Bound<'_, PyAny>, scl: f64) -> PyResult<()> {
    put("res", res, vec3("res", res.as_any())? + vec3("vec", vec)? * scl)
}

/// Fills three numbers with zeros.
#[pyfunction]
fn mju_zero3(res: Output<'_, '_>) -> PyResult<()> {
    put("res", res, Vec3::ZERO)
}

/// Fills four numbers with zeros.
#[pyfunction]
fn mju_zero4(res: Output<'_, '_>) -> PyResult<()> {
    put("res", res, Quat::new(0.0, 0.0, 0.0, 0.0))
}

/// Makes `res` the identity.
#[pyfunction]
fn mju_unit4(res: Output<'_, '_>) -> PyResult<()> {
    put("res", res, Quat::IDENTITY)
}

/// Checks that there are two edges of a pyramid for each friction coefficient, and one force more
/// than coefficients; returns the coefficients.
fn friction(
    mu: &Bound<'_, PyAny>,
    pyramid: &Bound<'_, PyAny>,
    force: &Bound<'_, PyAny>,
) -> PyResult<Vec<f64>> {
    let count = mu.len()?;
    if pyramid.len()? != 2 * count {
        let message = "size of pyramid should be twice as large as size of mu";
        return Err(PyTypeError::new_err(message));
    }
    if force.len()? != count + 1 {
        let message = "size of force should be exactly one larger than size of mu";
        return Err(PyTypeError::new_err(message));
    }
    vector("mu", mu, count, "mu")
}

/// Computes `pyramid`, parts along the edges of the friction pyramid that make up the force of a
/// contact, normal first, with friction coefficients `mu`.
#[pyfunction]
fn mju_encodePyramid(
    pyramid: Output<'_, '_>,
    force: &Bound<'_, PyAny>,
    mu: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mu = friction(mu, pyramid, force)?;
    let force = vector("force", force, mu.len() + 1, "mu plus one")?;
    let mut edges = vec![0.0; 2 * mu.len()];
    sim_core::encode_pyramid(&mut edges, &force, &mu);
    write(pyramid, &edges)
}

/// Computes `force`, the force of a contact, normal first, from its parts along the edges of the
/// friction pyramid, with friction coefficients `mu`.
#[pyfunction]
fn mju_decodePyramid(
    force: Output<'_, '_>,
    pyramid: &Bound<'_, PyAny>,
    mu: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let mu = friction(mu, pyramid, force)?;
    let edges = vector("pyramid", pyramid, 2 * mu.len(), "twice mu")?;
    let mut values = vec![0.0; mu.len() + 1];
    sim_core::decode_pyramid(&mut values, &edges, &mu);
    write(force, &values)
}

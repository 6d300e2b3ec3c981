//! Cameras.

use std::f64::consts::PI;

use super::geom::place;
use crate::error::Error;
use crate::pose::Pose;
use crate::spec::{self, Element, Spec};

/// A camera, compiled.
#[derive(Debug)]
pub(super) struct Camera<'a> {
    pub spec: &'a spec::Camera,
    pub pose: Pose,
    pub fovy: f64,
    /// Focal length and principal point, in length.
    pub intrinsic: [f32; 4],
}

impl<'a> Camera<'a> {
    pub(super) fn new(
        camera: &'a spec::Camera,
        frame: Option<Pose>,
        spec: &Spec,
    ) -> Result<Self, Error> {
        let quat = camera.orientation.resolve(spec.compiler_of(camera.compiler), camera.src)?;
        let pose = place(camera.pos, quat, frame).normalized();
        let fault = |attribute: &str, message: &str| camera.error(message).attribute(attribute);
        if camera.fovy >= 180.0 {
            return Err(fault("fovy", "the field of view must be less than 180"));
        }

        let spec::Camera { focal, focalpixel, principal, principalpixel, .. } = camera;
        let given = [focal, focalpixel, principal, principalpixel]
            .iter()
            .any(|pair| pair.iter().any(|&x| x != 0.0));
        let [width, height] = camera.sensorsize;
        let sensor = width > 0.0 && height > 0.0;
        if given && !sensor {
            return Err(fault(
                "sensorsize",
                "focal lengths and principal points need a sensorsize",
            ));
        }
        if sensor && camera.resolution.iter().any(|&n| n <= 0) {
            return Err(fault("resolution", "a sensorsize needs a positive resolution"));
        }
        if !sensor {
            let near = spec.visual.map.znear;
            let intrinsic = [near, near, camera.intrinsic[2], camera.intrinsic[3]];
            return Ok(Camera { spec: camera, pose, fovy: camera.fovy, intrinsic });
        }

        // single precision throughout, as the fields are; pixels win over lengths
        let density = [camera.resolution[0] as f32 / width, camera.resolution[1] as f32 / height];
        let length = |pixels: [f32; 2], lengths: [f32; 2], i: usize| {
            if pixels[i] != 0.0 { pixels[i] / density[i] } else { lengths[i] }
        };
        let intrinsic = [
            length(*focalpixel, *focal, 0),
            length(*focalpixel, *focal, 1),
            length(*principalpixel, *principal, 0),
            length(*principalpixel, *principal, 1),
        ];
        let fovy = f64::from(atan(height / 2.0 / intrinsic[1])) * 360.0 / PI;
        Ok(Camera { spec: camera, pose, fovy, intrinsic })
    }
}

/// Computes the arc tangent of a positive number in single precision.
///
/// The polynomial of fdlibm with all its terms: the C library that the reference runs on rounds
/// like this, and a field of view must not differ in its last digit.
fn atan(x: f32) -> f32 {
    /// Arc tangents of 1/2, 1, 3/2 and infinity, each with what single precision leaves out.
    const ANGLES: [(f32, f32); 4] = [
        (f32::from_bits(0x3eed_6338), 5.012_158e-9),
        (f32::from_bits(0x3f49_0fda), 3.774_894_7e-8),
        (f32::from_bits(0x3f7b_985e), 3.447_322e-8),
        (f32::from_bits(0x3fc9_0fda), 7.549_789_4e-8),
    ];
    const ODD: [f32; 6] =
        [3.333_333_4e-1, 1.428_571_5e-1, 9.090_887e-2, 6.661_073e-2, 4.976_878e-2, 1.628_582e-2];
    const EVEN: [f32; 5] = [-2e-1, -1.111_111_04e-1, -7.691_876e-2, -5.833_570_3e-2, -3.653_157e-2];
    let (angle, x) = match x {
        ..0.4375 => (None, x),
        ..0.6875 => (Some(ANGLES[0]), (2.0 * x - 1.0) / (2.0 + x)),
        ..1.1875 => (Some(ANGLES[1]), (x - 1.0) / (x + 1.0)),
        ..2.4375 => (Some(ANGLES[2]), (x - 1.5) / (1.0 + 1.5 * x)),
        _ => (Some(ANGLES[3]), -1.0 / x),
    };
    let z = x * x;
    let w = z * z;
    let horner = |terms: &[f32]| terms.iter().rev().copied().reduce(|sum, term| term + w * sum);
    let series = z * horner(&ODD).unwrap_or(0.0) + w * horner(&EVEN).unwrap_or(0.0);
    match angle {
        None => x - x * series,
        Some((high, low)) => high - ((x * series - low) - x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_sensor_at_half_its_height_sees_a_right_angle() {
        let camera = spec::Camera {
            sensorsize: [0.02, 0.02],
            focal: [0.01, 0.01],
            resolution: [640, 480],
            ..Default::default()
        };
        let spec = Spec::default();
        let compiled = Camera::new(&camera, None, &spec).unwrap();
        assert!((compiled.fovy - 90.0).abs() < 1e-5);
        assert_eq!(compiled.intrinsic, [0.01, 0.01, 0.0, 0.0]);
    }

    #[test]
    fn the_arc_tangent_is_good_to_single_precision() {
        for k in 1..2000 {
            let x = 0.003 * k as f32;
            let exact = libm::atan(f64::from(x));
            assert!((f64::from(atan(x)) / exact - 1.0).abs() < 1.5e-7, "atan({x})");
        }
        assert!((f64::from(atan(f32::INFINITY)) - PI / 2.0).abs() < 1e-7);
    }

    #[test]
    fn a_focal_length_needs_a_sensor() {
        let camera = spec::Camera { focal: [0.01, 0.01], ..Default::default() };
        let spec = Spec::default();
        let error = Camera::new(&camera, None, &spec).unwrap_err();
        assert_eq!(error.attribute_name(), Some("sensorsize"));
    }
}

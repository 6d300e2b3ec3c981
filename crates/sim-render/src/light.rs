//! Light at vertices, by the formula of fixed-function OpenGL:
//!
//! ```text
//! c = emission rgba + Σ att (ambient rgba + max(n·l, 0) diffuse rgba + [n·l > 0] max(n·h, 0)^s specular)
//! ```
//!
//! with `h` halfway between the directions to light and eye, cut off at 1.

use sim_core::model::LightType;
use sim_core::scene::Light;

use crate::draw::Look;
use crate::geometry::Lighting;
use crate::vector::{V3x8, dot8, f32x8, inverse_sqrt8, normalized, pow8, splat};

/// Which lights are summed up, and whether emitted light is.
#[derive(Debug, Clone, Default)]
pub(crate) struct LightSet {
    pub(crate) lights: Vec<usize>,
    pub(crate) emission: bool,
}

/// The colours of eight vertices with unit normals.
pub(crate) fn vertices(
    set: &LightSet,
    lighting: &Lighting<'_>,
    look: &Look,
    position: &V3x8,
    normal: &V3x8,
) -> V3x8 {
    let own = [0, 1, 2].map(|k| look.rgba[k] * lighting.dim);
    let start = lighting.ambient + if set.emission { look.emission } else { 0.0 };
    let mut color = own.map(|x| f32x8::splat(x * start));
    let eye: V3x8 = std::array::from_fn(|k| f32x8::splat(lighting.eye[k]) - position[k]);
    let inverse = inverse_sqrt8(dot8(&eye, &eye));
    let eye = eye.map(|x| x * inverse);
    for &id in &set.lights {
        let light = &lighting.lights[id];
        let (towards, strength) = reach(light, lighting, position);
        let facing = dot8(normal, &towards);
        let diffuse = facing.max(f32x8::ZERO);
        let lit = facing.simd_gt(f32x8::ZERO);

        let half: V3x8 = std::array::from_fn(|k| towards[k] + eye[k]);
        let inverse = inverse_sqrt8(dot8(&half, &half));
        let shine = (dot8(normal, &half) * inverse).max(f32x8::ZERO);
        let shine = pow8(shine, look.shininess) & lit;
        for k in 0..3 {
            let matte = (f32x8::splat(light.ambient[k]) + diffuse * f32x8::splat(light.diffuse[k]))
                * f32x8::splat(own[k]);
            let gloss = shine * f32x8::splat(light.specular[k] * look.specular);
            color[k] += strength * (matte + gloss);
        }
    }
    color.map(|x| x.max(f32x8::ZERO).min(f32x8::ONE))
}

/// Unit directions to a light, and how much of its light arrives.
fn reach(light: &Light, lighting: &Lighting<'_>, position: &V3x8) -> (V3x8, f32x8) {
    if light.kind != LightType::Spot as i32 {
        // kinds that the fixed pipeline does not know shine from the camera
        let known = light.kind == LightType::Directional as i32;
        let dir = normalized(if known { light.dir } else { lighting.forward });
        return (splat(dir.map(|x| -x)), f32x8::ONE);
    }
    let away: V3x8 = std::array::from_fn(|k| f32x8::splat(light.pos[k]) - position[k]);
    let distance2 = dot8(&away, &away);
    let inverse = inverse_sqrt8(distance2);
    let towards = away.map(|x| x * inverse);
    let distance = distance2 * inverse;
    let [k0, k1, k2] = light.attenuation.map(f32x8::splat);
    let mut strength = f32x8::ONE / (k0 + k1 * distance + k2 * distance2);
    if light.cutoff != 180.0 {
        let axis = splat(normalized(light.dir));
        let cosine = -dot8(&towards, &axis);
        let edge = f32x8::splat(libm::cosf(light.cutoff.to_radians()));
        let inside = cosine.simd_ge(edge) & cosine.simd_gt(f32x8::ZERO);
        strength = (strength * pow8(cosine.max(f32x8::ZERO), light.exponent)) & inside;
    }
    (towards, strength)
}

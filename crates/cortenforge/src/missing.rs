//! What a model asks for that is not simulated yet, so that nobody takes its absence for physics.

use cortenforge::model::Disable;
use cortenforge::{Model, UNCOMPUTED, UNCOMPUTED_SENSORS};

/// Names what the simulation of a model leaves out.
pub(crate) fn missing(model: &Model) -> Vec<&'static str> {
    let lacks = |field: &str| UNCOMPUTED.contains(&field);
    let rows = lacks("efc_type") && !model.disabled(Disable::Constraint);
    let limited = model.jnt_limited.iter().any(|&limited| limited != 0);
    let friction = model.dof_frictionloss.iter().any(|&loss| loss > 0.0);
    let limited_tendon = model.tendon_limited.iter().any(|&limited| limited != 0);
    let tendon_friction = model.tendon_frictionloss.iter().any(|&loss| loss > 0.0);
    let equality = model.eq_active0.iter().any(|&active| active != 0);
    let blind = |kind: &i32| UNCOMPUTED_SENSORS.iter().any(|&other| other as i32 == *kind);
    let sensors = !model.disabled(Disable::Sensor) && model.sensor_type.iter().any(blind);
    let candidates = [
        (rows && !model.disabled(Disable::Contact) && can_touch(model), "contacts"),
        (rows && !model.disabled(Disable::Equality) && equality, "equality constraints"),
        (rows && !model.disabled(Disable::Limit) && limited, "joint limits"),
        (rows && !model.disabled(Disable::Limit) && limited_tendon, "tendon limits"),
        (rows && !model.disabled(Disable::FrictionLoss) && friction, "joint friction"),
        (rows && !model.disabled(Disable::FrictionLoss) && tendon_friction, "tendon friction"),
        (sensors, "sensors of contacts, rays, distances or limits"),
    ];
    candidates.into_iter().filter(|(left_out, _)| *left_out).map(|(_, what)| what).collect()
}

/// Whether two bodies could come into contact: neither fixed to the other nor its parent, at least
/// one of them movable, with geoms whose contact bits match; or a pair of geoms is named for it.
fn can_touch(model: &Model) -> bool {
    let weld = |body: usize| model.body_weldid[body];
    let parent = |body: usize| {
        let parent = usize::try_from(model.body_parentid[weld(body) as usize]).unwrap_or(0);
        weld(parent)
    };
    let filtered = |a: usize, b: usize| {
        let family = weld(a) != 0
            && weld(b) != 0
            && (parent(a) == weld(b) || parent(b) == weld(a))
            && !model.disabled(Disable::FilterParent);
        weld(a) == weld(b) || family
    };
    let matching = |a: usize, b: usize| {
        model.body_contype[a] & model.body_conaffinity[b] != 0
            || model.body_contype[b] & model.body_conaffinity[a] != 0
    };
    model.npair > 0 || (0..model.nbody).any(|a| (0..a).any(|b| matching(a, b) && !filtered(a, b)))
}

use std::cmp::Ordering;

use crate::math::{Motion, Vec3, scale};
use crate::{Data, Model};

/// The dofs that move `body`, from the last to the first.
pub(crate) fn dof_chain(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(last_dof(model, body), |&dof| model.dof_parent(dof))
}

/// The last dof that moves `body`; a body without joints moves with the one it is welded to.
#[inline]
fn last_dof(model: &Model, body: usize) -> Option<usize> {
    model.body_dofs(model.body_weldid[body] as usize).last()
}

/// Which of two bodies a dof moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moves {
    First,
    Second,
    Both,
}

/// The dofs that move at least one of two bodies, from the last to the first.
#[inline]
pub(crate) fn merged_chains(
    model: &Model,
    first: usize,
    second: usize,
) -> impl Iterator<Item = (usize, Moves)> + '_ {
    let mut ends = (last_dof(model, first), last_dof(model, second));
    std::iter::from_fn(move || {
        // parents have smaller ids, so the larger of the two is next; none is less than any
        let (dof, moves) = match ends.0.cmp(&ends.1) {
            Ordering::Greater => (ends.0?, Moves::First),
            Ordering::Less => (ends.1?, Moves::Second),
            Ordering::Equal => (ends.0?, Moves::Both),
        };
        let parent = model.dof_parent(dof);
        if moves != Moves::Second {
            ends.0 = parent;
        }
        if moves != Moves::First {
            ends.1 = parent;
        }
        Some((dof, moves))
    })
}

/// Where `point` is relative to the reference point of the com-based quantities of `body`.
#[inline]
pub(crate) fn com_offset(model: &Model, data: &Data, point: Vec3, body: usize) -> Vec3 {
    point - data.subtree_com[model.body_rootid[body] as usize]
}

/// Computes the Jacobian of a point fixed to `body`: `jacp` of its position and `jacr` of the
/// body's orientation, both `3 x nv` by rows. Runs after `com_pos`.
#[doc(alias = "mj_jac")]
pub fn jac(
    model: &Model,
    data: &Data,
    jacp: &mut [f64],
    jacr: &mut [f64],
    point: Vec3,
    body: usize,
) {
    let offset = com_offset(model, data, point, body);
    write_columns(model, body, jacp, jacr, |dof| {
        Motion::new(data.cdof[dof].rot, data.cdof[dof].at(offset))
    });
}

/// Computes the Jacobian of the frame of `body`; see [`jac`].
#[doc(alias = "mj_jacBody")]
pub fn jac_body(model: &Model, data: &Data, jacp: &mut [f64], jacr: &mut [f64], body: usize) {
    jac(model, data, jacp, jacr, data.xpos[body], body);
}

/// Computes the Jacobian of the centre of mass of `body`; see [`jac`].
#[doc(alias = "mj_jacBodyCom")]
pub fn jac_body_com(model: &Model, data: &Data, jacp: &mut [f64], jacr: &mut [f64], body: usize) {
    jac(model, data, jacp, jacr, data.xipos[body], body);
}

/// Computes the Jacobian of the frame of `geom`; see [`jac`].
#[doc(alias = "mj_jacGeom")]
pub fn jac_geom(model: &Model, data: &Data, jacp: &mut [f64], jacr: &mut [f64], geom: usize) {
    jac(model, data, jacp, jacr, data.geom_xpos[geom], model.geom_bodyid[geom] as usize);
}

/// Computes the Jacobian of the frame of `site`; see [`jac`].
#[doc(alias = "mj_jacSite")]
pub fn jac_site(model: &Model, data: &Data, jacp: &mut [f64], jacr: &mut [f64], site: usize) {
    jac(model, data, jacp, jacr, data.site_xpos[site], model.site_bodyid[site] as usize);
}

/// Computes the Jacobian of the centre of mass of the subtree of `body`, `3 x nv` by rows.
#[doc(alias = "mj_jacSubtreeCom")]
pub fn jac_subtree_com(model: &Model, data: &Data, jacp: &mut [f64], body: usize) {
    jacp.fill(0.0);
    // bodies of a subtree follow each other
    let inside = |b: usize| b == body || model.body_parent(b) >= body;
    for b in (body..model.nbody).take_while(|&b| inside(b)) {
        let offset = com_offset(model, data, data.xipos[b], b);
        for dof in dof_chain(model, b) {
            let column = data.cdof[dof].at(offset) * model.body_mass[b];
            for row in 0..3 {
                jacp[row * model.nv + dof] += column[row];
            }
        }
    }
    scale(jacp, 1.0 / model.body_subtreemass[body]);
}

/// Computes the Jacobians of a point fixed to `body` and of a direction fixed to it, both
/// `3 x nv` by rows.
#[doc(alias = "mj_jacPointAxis")]
pub fn jac_point_axis(
    model: &Model,
    data: &Data,
    jac_point: &mut [f64],
    jac_axis: &mut [f64],
    point: Vec3,
    axis: Vec3,
    body: usize,
) {
    let offset = com_offset(model, data, point, body);
    write_columns(model, body, jac_point, jac_axis, |dof| {
        Motion::new(data.cdof[dof].rot.cross(axis), data.cdof[dof].at(offset))
    });
}

/// Computes the time derivative of the Jacobian of a point fixed to `body`; see [`jac`]. Runs
/// after `com_vel`.
#[doc(alias = "mj_jacDot")]
pub fn jac_dot(
    model: &Model,
    data: &Data,
    jacp: &mut [f64],
    jacr: &mut [f64],
    point: Vec3,
    body: usize,
) {
    let rate = ColumnRate::new(model, data, point, body);
    write_columns(model, body, jacp, jacr, |dof| rate.of(model, data, dof));
}

/// Fills two `3 x nv` matrices with the columns of the dofs that move `body`, and zero elsewhere.
fn write_columns(
    model: &Model,
    body: usize,
    jacp: &mut [f64],
    jacr: &mut [f64],
    column: impl Fn(usize) -> Motion,
) {
    jacp.fill(0.0);
    jacr.fill(0.0);
    for dof in dof_chain(model, body) {
        let column = column(dof);
        for row in 0..3 {
            jacp[row * model.nv + dof] = column.lin[row];
            jacr[row * model.nv + dof] = column.rot[row];
        }
    }
}

/// Rates of change of the Jacobian columns of a point fixed to a body.
pub(crate) struct ColumnRate {
    offset: Vec3,
    velocity: Vec3,
}

impl ColumnRate {
    pub(crate) fn new(model: &Model, data: &Data, point: Vec3, body: usize) -> ColumnRate {
        let offset = com_offset(model, data, point, body);
        ColumnRate { offset, velocity: data.cvel[body].at(offset) }
    }

    /// The rate of the column of `dof`.
    pub(crate) fn of(&self, model: &Model, data: &Data, dof: usize) -> Motion {
        let jnt = model.dof_jntid[dof] as usize;
        let axis = data.cdof[dof];
        // the axes of a quaternion turn with the child, so their rate is that of the moved body
        let rate = if model.dof_turns_with_child(dof) {
            data.cvel[model.jnt_bodyid[jnt] as usize].cross(axis)
        } else {
            data.cdof_dot[dof]
        };
        Motion::new(rate.rot, rate.at(self.offset) + axis.rot.cross(self.velocity))
    }
}

/// Adds to `qfrc` the joint-space effect of a force and a torque that act on `body` at `point`.
#[doc(alias = "mj_applyFT")]
pub fn apply_ft(
    model: &Model,
    data: &Data,
    force: Vec3,
    torque: Vec3,
    point: Vec3,
    body: usize,
    qfrc: &mut [f64],
) {
    let offset = com_offset(model, data, point, body);
    for dof in dof_chain(model, body) {
        let axis = data.cdof[dof];
        qfrc[dof] += axis.at(offset).dot(force) + axis.rot.dot(torque);
    }
}

/// Adds to `qfrc` the joint-space effect of `xfrc_applied`.
#[doc(alias = "mj_xfrcAccumulate")]
pub fn xfrc_accumulate(model: &Model, data: &Data, qfrc: &mut [f64]) {
    // anything but zeros, of either sign
    let acts = |x: &[f64]| x.iter().fold(0, |bits, x| bits | x.to_bits()) << 1 != 0;
    if !acts(data.xfrc_applied.as_flattened()) {
        return;
    }
    for (body, wrench) in data.xfrc_applied.iter().enumerate().skip(1) {
        if acts(wrench) {
            let [fx, fy, fz, tx, ty, tz] = *wrench;
            let (force, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
            apply_ft(model, data, force, torque, data.xipos[body], body, qfrc);
        }
    }
}

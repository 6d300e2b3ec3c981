//! Bodies and what they carry, compiled one by one in depth-first order.

use std::collections::HashMap;

use sim_core::math::{MINVAL, Quat, Vec3};
use sim_core::model::{AlignFree, InertiaFromGeom, JointType};

use super::asset::Solids;
use super::bvh;
use super::camera::Camera;
use super::frames::FramePoses;
use super::geom::{Geom, Surroundings};
use super::inertia::{self, Mass};
use super::joint::Joint;
use super::light::Light;
use super::site::Site;
use crate::error::Error;
use crate::pose::{EPS, Pose};
use crate::spec::{self, Compiler, Element, Id, Inertial, MAX_BODIES, Spec};

/// Number of degrees of freedom that a body can have.
const MAX_DOFS: usize = 6;

/// The kinematic tree.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    /// Bodies in depth-first order, the world first.
    pub bodies: Vec<Body<'a>>,
    /// Names of geoms and sites that find another one since static bodies were fused.
    pub moved: Moved<'a>,
    /// Bounding volumes that are reserved and not used.
    pub spare_volumes: usize,
}

/// What names find, where that is not the object of that name.
#[derive(Debug, Default)]
pub(super) struct Moved<'a> {
    pub geoms: HashMap<&'a str, &'a spec::Geom>,
    pub sites: HashMap<&'a str, &'a spec::Site>,
}

/// A body, compiled.
#[derive(Debug)]
pub(super) struct Body<'a> {
    pub id: Id<spec::Body>,
    pub spec: &'a spec::Body,
    pub parent: usize,
    /// Pose in the parent.
    pub pose: Pose,
    /// Mass, and pose and moments of the inertial frame.
    pub mass: Mass,
    /// The same in the frame that the body was given, before a free joint aligned it.
    pub given: Mass,
    /// Largest margin of a geom, counting those that are dropped.
    pub margin: f64,
    pub joints: Vec<Joint<'a>>,
    pub geoms: Vec<Geom<'a>>,
    /// The geoms that inner nodes of the bounding volume hierarchy had before bodies were fused
    /// with this one.
    pub old_leaves: HashMap<usize, &'a spec::Geom>,
    pub sites: Vec<Site<'a>>,
    pub cameras: Vec<Camera<'a>>,
    pub lights: Vec<Light<'a>>,
}

impl<'a> Tree<'a> {
    /// Numbers the bodies in depth-first order and compiles them, given the poses of the frames.
    pub(super) fn new(
        spec: &'a Spec,
        frames: &FramePoses,
        solids: &Solids<'a>,
    ) -> Result<Tree<'a>, Error> {
        let order = spec.tree();
        if let Some(&body) = order.get(MAX_BODIES) {
            let message = format!("a model can have at most {MAX_BODIES} bodies");
            return Err(spec[body].src.error(message));
        }
        let mut numbers = vec![0; spec.bodies.slots()];
        let mut bodies = Vec::with_capacity(order.len());
        let mut moves = vec![false; order.len()];
        for (number, id) in order.into_iter().enumerate() {
            numbers[id.slot()] = number;
            let body = &spec[id];
            let parent = body.parent.map_or(0, |parent| numbers[parent.slot()]);
            moves[number] = !body.joints.is_empty() || moves[parent];
            let moves = moves[number];
            let context = Context { spec, frames, solids, number, parent, moves };
            bodies.push(Body::new(id, body, &context)?);
        }
        Ok(Tree { bodies, moved: Moved::default(), spare_volumes: 0 })
    }

    /// Checks that free joints are in children of the world. Fusing bodies with the world makes
    /// others its children, so this comes after.
    pub(super) fn check_free_joints(&self) -> Result<(), Error> {
        for body in self.bodies.iter().filter(|body| body.parent != 0) {
            if let Some(free) = body.joints.iter().find(|joint| joint.spec.kind == JointType::Free)
            {
                let message = format!(
                    "a free joint must be in a child of the world, which {} is not",
                    body.title()
                );
                let error = free.spec.error(message);
                return Err(error.reference("free joint can only be used on top level"));
            }
        }
        Ok(())
    }

    /// Checks that bodies with joints have mass and inertia, or carry a static body that has.
    pub(super) fn check_moving_mass(&self) -> Result<(), Error> {
        let mut heavy = vec![false; self.bodies.len()];
        for (id, body) in self.bodies.iter().enumerate().skip(1).rev() {
            let Mass { mass, inertia, .. } = body.mass;
            heavy[id] |= mass >= MINVAL && (0..3).all(|i| inertia[i] >= MINVAL);
            if body.joints.is_empty() {
                heavy[body.parent] |= heavy[id];
            }
        }
        let weightless = |&(id, body): &(usize, &Body)| !body.joints.is_empty() && !heavy[id];
        match self.bodies.iter().enumerate().skip(1).find(weightless) {
            None => Ok(()),
            Some((_, body)) => Err(body
                .spec
                .error(format!("{} moves, but has no mass or no inertia", body.title()))
                .help("give it a geom with mass, or an inertial element with mass and inertia")),
        }
    }
}

impl Body<'_> {
    /// Builds the hierarchy of bounding volumes over the geoms that can collide, whose ids are
    /// their positions in `geoms`.
    pub(super) fn hierarchy(&self) -> Vec<bvh::Node> {
        self.hierarchy_over(self.geoms.len(), self.mass.pose)
    }

    /// Builds the hierarchy over the first geoms, aligned with `frame`.
    pub(super) fn hierarchy_over(&self, count: usize, frame: Pose) -> Vec<bvh::Node> {
        let geoms = self.geoms[..count].iter().enumerate().filter(|(_, geom)| geom.collides());
        let leaf = |(i, geom): (usize, &Geom)| bvh::Leaf {
            id: i as i32,
            pose: geom.pose,
            aabb: geom.shape.bounding_box(),
        };
        bvh::build(&geoms.map(leaf).collect::<Vec<_>>(), frame)
    }

    /// How to call the body in a message.
    pub(super) fn title(&self) -> String {
        title(self.spec)
    }
}

fn title(body: &spec::Body) -> String {
    if body.name.is_empty() { "this body".to_owned() } else { format!("body '{}'", body.name) }
}

/// What a body needs to know about its surroundings.
struct Context<'a, 'b> {
    spec: &'a Spec,
    frames: &'b FramePoses,
    solids: &'b Solids<'a>,
    number: usize,
    /// The number of the body around.
    parent: usize,
    /// Whether the body or one above has a joint.
    moves: bool,
}

impl<'a> Body<'a> {
    fn new(
        id: Id<spec::Body>,
        body: &'a spec::Body,
        context: &Context<'a, '_>,
    ) -> Result<Body<'a>, Error> {
        let spec = context.spec;
        let compiler = spec.compiler_of(body.compiler);
        let quat = body.orientation.resolve(compiler, body.src)?;
        let mut pose = Pose { pos: body.pos, quat };

        let groups = compiler.inertiagrouprange[0]..=compiler.inertiagrouprange[1];
        let infer = context.number > 0
            && (body.inertial.is_none() || compiler.inertiafromgeom == InertiaFromGeom::True);
        let mut geoms = Vec::with_capacity(body.geoms.len());
        for geom in spec.in_body::<spec::Geom>(body) {
            let weighs = infer && groups.contains(&geom.group);
            let frame = context.frames.get(geom.frame);
            let compiler = spec.compiler_of(geom.compiler);
            let solids = context.solids;
            let fixed = !context.moves;
            let around = Surroundings { frame, compiler, spec, solids, weighs, fixed };
            geoms.push(Geom::new(geom, &around)?);
        }
        let given = body_mass(body, &geoms, pose, context)?;
        let mut mass = given;

        if let Some(frame) = context.frames.get(body.frame) {
            pose = frame.then(pose);
        }

        let mut joints = Vec::with_capacity(body.joints.len());
        for joint in spec.in_body::<spec::Joint>(body) {
            let compiler = spec.compiler_of(joint.compiler);
            joints.push(Joint::new(joint, context.frames.get(joint.frame), compiler)?);
        }
        check_joints(body, context.number, &joints)?;

        let mut sites = Vec::with_capacity(body.sites.len());
        for site in spec.in_body::<spec::Site>(body) {
            sites.push(Site::new(site, context.frames.get(site.frame), spec)?);
        }
        let mut cameras = Vec::with_capacity(body.cameras.len());
        for camera in spec.in_body::<spec::Camera>(body) {
            cameras.push(Camera::new(camera, context.frames.get(camera.frame), spec)?);
        }
        let mut lights = Vec::with_capacity(body.lights.len());
        for light in spec.in_body::<spec::Light>(body) {
            lights.push(Light::new(light, context.frames.get(light.frame))?);
        }

        // move the body frame of an aligned free body to its inertial frame
        if body.bodies.is_empty() && aligned(&joints, compiler.alignfree) {
            pose = pose.then(mass.pose);
            let back = mass.pose.inverse();
            mass.pose = Pose::IDENTITY;
            geoms.iter_mut().for_each(|geom| geom.pose = back.then(geom.pose));
            sites.iter_mut().for_each(|site| site.pose = back.then(site.pose));
            // the reference compiles cameras and lights anew after fusing, and forgets this
            if !spec.compiler.fusestatic {
                cameras.iter_mut().for_each(|camera| camera.pose = back.then(camera.pose));
                lights.iter_mut().for_each(|light| light.moved_by(back));
            }
        }
        let margin = geoms.iter().map(|geom| geom.spec.margin).fold(0.0, f64::max);
        Ok(Body {
            margin,
            id,
            spec: body,
            parent: context.parent,
            pose,
            mass,
            given,
            joints,
            geoms,
            old_leaves: HashMap::new(),
            sites,
            cameras,
            lights,
        })
    }
}

/// Whether the only joint is a free one that is to be aligned with the inertial frame.
fn aligned(joints: &[Joint], by_default: bool) -> bool {
    let [joint] = joints else { return false };
    joint.spec.kind == JointType::Free
        && match joint.spec.align {
            AlignFree::False => false,
            AlignFree::True => true,
            AlignFree::Auto => by_default,
        }
}

/// Computes mass and inertial frame of a body, from what is given and from its geoms.
fn body_mass(
    body: &spec::Body,
    geoms: &[Geom],
    pose: Pose,
    context: &Context,
) -> Result<Mass, Error> {
    let compiler = context.spec.compiler_of(body.compiler);
    let given = match &body.inertial {
        Some(inertial) => Some(given_mass(inertial, compiler)?),
        None => None,
    };
    let from_geoms = context.number > 0
        && match compiler.inertiafromgeom {
            InertiaFromGeom::False => false,
            InertiaFromGeom::True => true,
            InertiaFromGeom::Auto => given.is_none(),
        };
    let groups = compiler.inertiagrouprange[0]..=compiler.inertiagrouprange[1];
    let pieces: Vec<Mass> = geoms
        .iter()
        .filter(|geom| from_geoms && geom.mass > EPS && groups.contains(&geom.spec.group))
        .map(Geom::piece)
        .collect();

    // one geom lends its frame; without anything the inertial frame copies the numbers of the
    // body frame
    let mut total = match (pieces.as_slice(), given) {
        ([], Some(given)) => given,
        ([], None) => Mass { mass: 0.0, pose, inertia: Vec3::ZERO },
        ([piece], _) => *piece,
        (pieces, _) => inertia::join(pieces).ok_or_else(|| {
            let message =
                format!("the geoms of {} give an inertia that is not positive", title(body));
            body.error(message)
        })?,
    };
    if context.number > 0 {
        let src = body.inertial.as_ref().map_or(body.src, |inertial| inertial.src);
        total.mass = total.mass.max(compiler.boundmass);
        for i in 0..3 {
            total.inertia[i] = total.inertia[i].max(compiler.boundinertia);
        }
        let Vec3 { x, y, z } = total.inertia;
        if x + y < z || x + z < y || y + z < x {
            if !compiler.balanceinertia {
                let message = format!(
                    "no body has the moments of inertia {x}, {y}, {z}: none can exceed the sum of \
                     the others"
                );
                let error = src.error(message);
                return Err(
                    error.help("compiler balanceinertia=\"true\" replaces them by their mean")
                );
            }
            let mean = (x + y + z) / 3.0;
            total.inertia = Vec3::new(mean, mean, mean);
        }
    }
    Ok(total)
}

/// Computes the mass that an `inertial` element gives.
fn given_mass(inertial: &Inertial, compiler: &Compiler) -> Result<Mass, Error> {
    let fault = |attribute: &str, message: &str| inertial.src.error(message).attribute(attribute);
    let pos = inertial.pos.ok_or_else(|| fault("pos", "inertial needs a pos"))?;
    let mass = inertial.mass.ok_or_else(|| fault("mass", "inertial needs a mass"))?;
    let diagonal = inertial.diaginertia.unwrap_or(Vec3::ZERO);
    if mass < 0.0 {
        return Err(fault("mass", "the mass must not be negative"));
    }
    if (0..3).any(|i| diagonal[i] < 0.0) {
        return Err(fault("diaginertia", "moments of inertia must not be negative"));
    }
    let (quat, inertia): (Quat, Vec3) = match inertial.fullinertia {
        None => (inertial.orientation.resolve(compiler, inertial.src)?, diagonal),
        Some(_) if inertial.orientation.alternative.is_some() => {
            let message = "fullinertia is in the axes of the body: it cannot have an orientation";
            return Err(fault("fullinertia", message));
        }
        Some(_) if diagonal != Vec3::ZERO => {
            let message = "diaginertia and fullinertia cannot both be given";
            return Err(fault("fullinertia", message));
        }
        Some(full) => inertia::principal(full).ok_or_else(|| {
            fault("fullinertia", "fullinertia must be positive definite: a moment is not positive")
        })?,
    };
    Ok(Mass { mass, pose: Pose { pos, quat }, inertia })
}

/// Checks which joints a body has.
fn check_joints(body: &spec::Body, number: usize, joints: &[Joint]) -> Result<(), Error> {
    let in_world = body.parent.is_none_or(|parent| parent == spec::Body::WORLD);
    if number == 0 && !joints.is_empty() {
        return Err(joints[0].spec.src.error("the world cannot have joints"));
    }
    let free = joints.iter().find(|joint| joint.spec.kind == JointType::Free);
    if let Some(free) = free.filter(|_| joints.len() > 1) {
        let message = format!(
            "a free joint must be the only joint, but {} has {}",
            title(body),
            joints.len()
        );
        return Err(free.spec.error(message).reference("free joint can only appear by itself"));
    }
    let mut dofs = 0;
    let mut ball = false;
    for joint in joints {
        let turns = matches!(joint.spec.kind, JointType::Ball | JointType::Hinge);
        if ball && turns {
            let message = "a ball joint turns every way: no ball or hinge can follow it in a body";
            return Err(joint.spec.error(message));
        }
        ball |= joint.spec.kind == JointType::Ball;
        dofs += joint.nv();
        if dofs > MAX_DOFS {
            let message = format!("{} has more than {MAX_DOFS} degrees of freedom", title(body));
            return Err(joint.spec.error(message));
        }
    }
    if body.mocap && (dofs > 0 || !in_world) {
        let message = format!(
            "a mocap body must be a child of the world without joints, which {} is not",
            title(body)
        );
        return Err(body.error(message).attribute("mocap"));
    }
    Ok(())
}

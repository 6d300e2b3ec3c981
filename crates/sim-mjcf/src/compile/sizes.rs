//! Sizes of the model.

use sim_core::Model;
use sim_core::model::Statistic;

use super::asset::SolidSizes;
use super::flex::Flexes;
use super::objects::Objects;
use super::skin::Skins;
use super::tree::Tree;
use crate::error::{Error, Pos};
use crate::spec::{Actuator, Camera, Geom, Joint, Site, Spec};

/// Numbers of user data per object.
pub(super) struct UserSizes {
    body: usize,
    jnt: usize,
    geom: usize,
    site: usize,
    cam: usize,
    sensor: usize,
    tendon: usize,
    actuator: usize,
}

impl UserSizes {
    /// Takes the sizes that are given, and elsewhere the longest user data of the kind.
    pub(super) fn new(spec: &Spec) -> Result<UserSizes, Error> {
        let tree = spec.tree();
        macro_rules! of_tree {
            ($T:ident, $size:ident) => {{
                let users = spec.in_tree::<$T>(&tree).map(|x| (x.user.len(), x.src));
                user_size(stringify!($size), spec.size.$size, users)?
            }};
        }
        macro_rules! of_list {
            ($list:ident, $size:ident) => {{
                let users = spec.$list.iter().map(|x| (x.user.len(), x.src));
                user_size(stringify!($size), spec.size.$size, users)?
            }};
        }
        let bodies = tree.iter().map(|&body| (spec[body].user.len(), spec[body].src));
        Ok(UserSizes {
            body: user_size("nuser_body", spec.size.nuser_body, bodies)?,
            jnt: of_tree!(Joint, nuser_jnt),
            geom: of_tree!(Geom, nuser_geom),
            site: of_tree!(Site, nuser_site),
            cam: of_tree!(Camera, nuser_cam),
            sensor: of_list!(sensors, nuser_sensor),
            tendon: of_list!(tendons, nuser_tendon),
            actuator: of_list!(actuators, nuser_actuator),
        })
    }
}

fn user_size(
    name: &str,
    given: i32,
    mut users: impl Iterator<Item = (usize, Pos)>,
) -> Result<usize, Error> {
    let Ok(size) = usize::try_from(given) else {
        return Ok(users.map(|(count, _)| count).max().unwrap_or(0));
    };
    match users.find(|&(count, _)| count > size) {
        None => Ok(size),
        Some((count, src)) => {
            let message = format!("{count} numbers of user data, but {name} in size is {size}");
            Err(src.error(message).attribute("user"))
        }
    }
}

/// Makes a model with the options of the spec and arrays of the right lengths, all zero.
pub(super) fn model(
    spec: &Spec,
    tree: &Tree,
    objects: &Objects,
    users: &UserSizes,
    solids: &SolidSizes,
    flexes: &Flexes,
    skins: &Skins,
) -> Result<Model, Error> {
    let bodies = &tree.bodies;
    let size = &spec.size;
    let given = |size: i32| usize::try_from(size).unwrap_or(0);
    let mut moves = vec![false; bodies.len()];
    let mut ntree = 0;
    for (id, body) in bodies.iter().enumerate() {
        let above = moves[body.parent];
        moves[id] = above || !body.joints.is_empty();
        ntree += usize::from(moves[id] && !above);
    }
    let mut model = Model {
        opt: spec.option,
        vis: spec.visual,
        // what is left of these where nothing can be computed
        stat: Statistic {
            meaninertia: 1.0,
            meanmass: 1.0,
            meansize: 0.2,
            extent: 2.0,
            ..Statistic::default()
        },
        nq: bodies.iter().flat_map(|body| &body.joints).map(|joint| joint.nq()).sum(),
        nv: bodies.iter().flat_map(|body| &body.joints).map(|joint| joint.nv()).sum(),
        ntree,
        nmocap: bodies.iter().filter(|body| body.spec.mocap).count(),
        nwrap: spec.tendons.iter().map(|tendon| tendon.path.len()).sum(),
        na: spec.actuators.iter().map(Actuator::activations).sum(),
        nhistory: spec.actuators.iter().map(Actuator::history).sum(),
        nuser_body: users.body,
        nuser_jnt: users.jnt,
        nuser_geom: users.geom,
        nuser_site: users.site,
        nuser_cam: users.cam,
        nuser_tendon: users.tendon,
        nuser_actuator: users.actuator,
        nuser_sensor: users.sensor,
        nuserdata: given(size.nuserdata),
        njmax: given(size.njmax),
        nconmax: given(size.nconmax),
        ..Model::default()
    };
    objects.set_sizes(&mut model);
    solids.set(&mut model);
    flexes.set_sizes(tree, &mut model)?;
    skins.set_sizes(&mut model);
    model.nkey = model.nkey.max(given(size.nkey));
    check_memory(spec, &model)?;
    model.allocate();
    Ok(model)
}

/// Sizes given in the file must not ask for more memory than any model needs.
fn check_memory(spec: &Spec, model: &Model) -> Result<(), Error> {
    // numbers that sizes alone can ask for
    let asked = [
        ("nkey", model.nkey, model.nq + model.nv + model.na + model.nu + 7 * model.nmocap + 4),
        ("nuserdata", model.nuserdata, 1),
        ("nuser_body", model.nuser_body, model.nbody),
        ("nuser_jnt", model.nuser_jnt, model.njnt),
        ("nuser_geom", model.nuser_geom, model.ngeom),
        ("nuser_site", model.nuser_site, model.nsite),
        ("nuser_cam", model.nuser_cam, model.ncam),
        ("nuser_sensor", model.nuser_sensor, model.nsensor),
        ("nuser_tendon", model.nuser_tendon, model.ntendon),
        ("nuser_actuator", model.nuser_actuator, model.nu),
    ];
    for (name, size, each) in asked {
        if size.saturating_mul(each) > MAX_NUMBERS {
            let message = format!("{name} in size asks for {size} times {each} numbers");
            return Err(spec
                .size_src
                .error(message)
                .attribute(name)
                .help(format!("the limit is {MAX_NUMBERS} numbers")));
        }
    }
    check_limit(spec, model)
}

/// The model and the data of a simulation must not take more memory than is allowed. Sizes that are
/// not known yet count as zero.
pub(super) fn check_limit(spec: &Spec, model: &Model) -> Result<(), Error> {
    model.check_memory(spec.memory_limit).map_err(|error| {
        let help = "loaders take another limit: see Loader::memory in Rust, CORTENFORGE_MEMORY in \
                    the environment of Python and of the command";
        spec.src.error(format!("the model is too large: {error}")).help(help)
    })
}

/// Numbers that one size can ask for.
pub(super) const MAX_NUMBERS: usize = 1 << 25;

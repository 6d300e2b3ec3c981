//! Options, memory, and what needs the dynamics: constants of the reference configuration, springs
//! given by time constants, and a trial step.

use sim_core::math::MINVAL;
use sim_core::model::{Disable, Enable, SleepPolicy};
use sim_core::{Data, Model, step};

use super::objects::Objects;
use super::tree::Tree;
use super::{length_range, sizes, sparsity};
use crate::error::{Error, Pos, Warning};
use crate::spec::Spec;

/// Entries that a sparse matrix can have.
const MAX_ENTRIES: usize = i32::MAX as usize;

/// Checks the options that no simulation can run with.
pub(super) fn check_options(spec: &Spec) -> Result<(), Error> {
    let timestep = spec.option.timestep;
    if timestep.is_nan() || timestep <= 0.0 {
        let message = format!("the time step must be positive, not {timestep}");
        return Err(spec.option_src.error(message).attribute("timestep"));
    }
    Ok(())
}

/// Sets the sizes of the sparse matrices and of the arena, and the patterns.
pub(super) fn allocate_patterns(spec: &Spec, model: &mut Model) -> Result<(), Error> {
    sparsity::sizes(model);
    if model.nD.max(model.nB) > MAX_ENTRIES {
        let message = "the tree is too deep: its mass matrix has more than two billion entries";
        return Err(spec.src.error(message));
    }
    sizes::check_limit(spec, model)?;
    sparsity::patterns(model);
    model.narena = arena(spec, model);
    model.arena_limit = spec.memory_limit / 2;
    if spec.compiler.settotalmass > 0.0 {
        set_total_mass(model, spec.compiler.settotalmass);
    }
    Ok(())
}

/// Scales masses and inertias so that all bodies together have the given mass.
fn set_total_mass(model: &mut Model, total: f64) {
    let current: f64 = model.body_mass.iter().skip(1).sum();
    let scale = (total / current.max(MINVAL)).max(MINVAL);
    for body in 1..model.nbody {
        model.body_mass[body] *= scale;
        model.body_inertia[body] *= scale;
    }
}

/// Bytes of the arena that the reference would reserve.
fn arena(spec: &Spec, model: &Model) -> usize {
    const MEGABYTE: u128 = 1 << 20;
    const CONTACT: u128 = 576;
    if let Some(bytes) = spec.size.memory.0 {
        return usize::try_from(bytes).unwrap_or(usize::MAX);
    }
    // wide numbers: sizes in the file can be anything
    let rows = u128::try_from(spec.size.njmax).unwrap_or(500);
    let contacts = u128::try_from(spec.size.nconmax).unwrap_or(100);
    let nv = model.nv as u128;
    let stack = u128::try_from(spec.size.nstack).unwrap_or_else(|_| {
        let side = rows + model.neq as u128 + nv;
        let objects = [
            model.nq,
            model.nv,
            model.nu,
            model.na,
            model.nbody,
            model.njnt,
            model.ngeom,
            model.nsite,
            model.neq,
            model.ntendon,
            model.nwrap,
        ];
        (5 * side * side + 20 * objects.iter().sum::<usize>() as u128).max(1000)
    });
    let bytes = 8 * stack
        + contacts * CONTACT
        + rows * (8 * 4 + 14 * 8)
        + nv * 3 * 4
        + rows * nv * (2 * 4 + 2 * 8)
        + rows * rows * (4 + 8);
    usize::try_from(bytes.div_ceil(MEGABYTE) * MEGABYTE).unwrap_or(usize::MAX)
}

/// Computes the constants, applies what the file overrides, and tries one step without contacts.
pub(super) fn set_const(
    spec: &Spec,
    tree: &Tree,
    objects: &Objects,
    model: &mut Model,
) -> Result<Vec<Warning>, Error> {
    let (disable, enable) = (model.opt.disableflags, model.opt.enableflags);
    model.opt.disableflags |= Disable::Contact as i32;
    model.opt.enableflags &= !(Enable::Sleep as i32);
    check_finite(spec, objects, model)?;
    let mut data = Data::new(model);
    model.set_const(&mut data);
    spring_dampers(tree, model);
    length_range::length_ranges(spec, model)?;

    let given = &spec.statistic;
    let stat = &mut model.stat;
    stat.meaninertia = given.meaninertia.unwrap_or(stat.meaninertia);
    stat.meanmass = given.meanmass.unwrap_or(stat.meanmass);
    stat.meansize = given.meansize.unwrap_or(stat.meansize);
    stat.extent = given.extent.unwrap_or(stat.extent);
    stat.center = given.center.unwrap_or(stat.center);

    // models that start asleep are not tried
    let asleep = enable & Enable::Sleep as i32 != 0
        && model.tree_sleep_policy.contains(&(SleepPolicy::Init as i32));
    let mut warnings = Vec::new();
    if let Some(dof) = model.dof_invweight0.iter().position(|weight| !weight.is_finite()) {
        let message = "this joint can move without resistance: the mass matrix is singular";
        let warning = place(spec, objects, model, "nv", dof).warning(message);
        warnings.push(warning.help("another joint moves the body the same way; give it armature"));
    }
    if !asleep {
        data.reset(model);
        step(model, &mut data);
        if warnings.is_empty() && data.warning.iter().any(|warning| warning.number > 0) {
            let message = "the first step from the reference configuration is unstable";
            warnings.push(spec.src.warning(message));
        }
    }
    model.opt.disableflags = disable;
    model.opt.enableflags = enable;
    if asleep {
        data.reset(model);
        data.check_init_sleep(model).map_err(|error| {
            let body = place(spec, objects, model, "nbody", error.body);
            body.error(error.to_string()).attribute("sleep")
        })?;
    }
    Ok(warnings)
}

/// Computes stiffness and damping of joints that give a time constant and a damping ratio.
fn spring_dampers(tree: &Tree, model: &mut Model) {
    for (jnt, joint) in tree.bodies.iter().flat_map(|body| &body.joints).enumerate() {
        let [timeconst, dampratio] = joint.spec.springdamper;
        if timeconst <= 0.0 || dampratio <= 0.0 {
            continue;
        }
        let first = model.jnt_dofadr[jnt] as usize;
        let dofs = first..first + joint.nv();
        let inverse: f64 = model.dof_invweight0[dofs.clone()].iter().sum();
        let inertia = joint.nv() as f64 / inverse.max(MINVAL);
        let square = timeconst * timeconst * dampratio * dampratio;
        model.jnt_stiffness[jnt] = inertia / square.max(MINVAL);
        model.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MINVAL));
    }
}

/// Checks that no number of the model is infinite or undefined.
fn check_finite(spec: &Spec, objects: &Objects, model: &Model) -> Result<(), Error> {
    use sim_core::fields::Array;
    // a plane without end has no added mass, and never moves; meshes and height fields are checked
    // as they are read, and polygons without area have no normal
    let checked = |name: &str| {
        name == "geom_fluid" || name.starts_with("mesh_") || name.starts_with("hfield_")
    };
    for field in Model::FIELDS.iter().filter(|field| !checked(field.name)) {
        let bad = match model.array(field.name) {
            Some(Array::F64(numbers)) => numbers.iter().position(|x| !x.is_finite()),
            Some(Array::F32(numbers)) => numbers.iter().position(|x| !x.is_finite()),
            _ => None,
        };
        let Some(bad) = bad else { continue };
        let inner: usize = field.dims.iter().skip(1).filter_map(|dim| model.size(dim)).product();
        let row = bad / (field.width * inner).max(1);
        let message = format!("{} comes out as a number that is not finite", field.name);
        return Err(place(spec, objects, model, field.dims[0], row).error(message));
    }
    Ok(())
}

/// The place of the element that row `row` of a table comes from.
fn place(spec: &Spec, objects: &Objects, model: &Model, dim: &str, row: usize) -> Pos {
    let found = match dim {
        "nv" => objects.place("njnt", model.dof_jntid[row] as usize),
        "nwrap" => {
            spec.tendons.iter().flat_map(|tendon| &tendon.path).nth(row).map(|wrap| wrap.src)
        }
        dim => objects.place(dim, row),
    };
    found.unwrap_or(spec.src)
}

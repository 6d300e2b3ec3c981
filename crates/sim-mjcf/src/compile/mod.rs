//! From [`Spec`] to [`Model`], one file per pass.

mod actuator;
mod bvh;
mod custom;
mod finish;
mod frames;
mod fuse;
mod geom;
mod inertia;
mod joint;
mod key;
mod marks;
mod names;
mod pose;
mod shape;
mod sizes;
mod sparsity;
mod tables;
mod tendon;
mod tree;

use sim_core::Model;

use crate::error::{Error, Warning};
use crate::spec::Spec;
use tree::Tree;

/// Compiles a model.
pub(crate) fn compile(spec: &Spec) -> Result<(Model, Vec<Warning>), Error> {
    finish::check_options(spec)?;
    names::check_unique(spec)?;
    actuator::check_sizes(spec)?;
    let users = sizes::UserSizes::new(spec)?;

    // every element by itself, then what depends on several
    let frames = frames::poses(spec)?;
    let mut tree = Tree::new(spec, &frames)?;
    let mut mistaken = fuse::Mistaken::default();
    if spec.compiler.fusestatic {
        fuse::fuse_static(spec, &mut tree)?;
        mistaken = fuse::Mistaken::new(spec, &tree);
    }
    if spec.compiler.discardvisual {
        fuse::discard_visual(spec, &mut tree, &mistaken);
    }
    tree.check_moving_mass()?;

    // the model and its tables
    let mut model = sizes::model(spec, &tree, &users)?;
    let names = names::copy(spec, &tree, &mistaken, &mut model);
    tables::fill(spec, &tree, &names, &mut model)?;
    tendon::fill(spec, &names, &mut model)?;
    actuator::fill(spec, &names, &mut model)?;
    custom::fill(spec, &names, &mut model)?;
    let mut warnings = key::fill(spec, &mut model)?;
    finish::allocate_patterns(spec, &mut model)?;

    // what needs the dynamics
    warnings.extend(finish::set_const(spec, &tree, &mut model)?);
    Ok((model, warnings))
}

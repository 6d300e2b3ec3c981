//! From [`Spec`] to [`Model`], one file per pass.

mod asset;
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
mod tree;

use sim_core::Model;

use crate::error::{Error, Warning};
use crate::spec::Spec;
use crate::xml::Resolver;
use tree::Tree;

/// Compiles a model; the files that it names come from the resolver.
pub(crate) fn compile(
    spec: &Spec,
    resolver: &Resolver<'_>,
) -> Result<(Model, Vec<Warning>), Error> {
    finish::check_options(spec)?;
    names::check_unique(spec)?;
    let users = sizes::UserSizes::new(spec)?;

    let images = asset::images(spec, resolver)?;

    // every element by itself, then what depends on several
    let frames = frames::poses(spec)?;
    let mut tree = Tree::new(spec, &frames)?;
    if spec.compiler.fusestatic {
        fuse::fuse_static(spec, &mut tree)?;
    }
    if spec.compiler.discardvisual {
        fuse::discard_visual(spec, &mut tree);
    }
    tree.check_moving_mass()?;

    // the model and its tables
    let mut model = sizes::model(spec, &tree, &users)?;
    let names = names::copy(spec, &tree, &mut model);
    tables::fill(spec, &tree, &names, &mut model)?;
    asset::fill(spec, images, &names, &mut model)?;
    custom::fill(spec, &names, &mut model)?;
    let mut warnings = key::fill(spec, &mut model)?;
    finish::allocate_patterns(spec, &mut model)?;

    // what needs the dynamics
    warnings.extend(finish::set_const(spec, &tree, &mut model)?);
    Ok((model, warnings))
}

//! URDF: links and joints to the bodies of a [`Spec`], with the reference's rules.
//!
//! ```text
//! robot
//!   mujoco     compiler, option, size        settings
//!   material   color                         colours by name
//!   link       inertial, visual, collision   a body with its geoms
//!   joint      parent, child, origin, ...    where a link is in its parent, and how it moves
//! ```
//! A link called `world` is the world; other links without a parent are fixed to the world. What is
//! not read is listed in the warnings of the model.

mod dropped;
mod joint;
mod link;
mod mesh;
mod packages;
#[cfg(test)]
mod tests;
mod tree;
mod values;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::error::{Error, Warning};
use crate::files::Resolver;
use crate::mjcf::attrs::read_known;
use crate::spec::{Flags, Spec};
use crate::xml::Elem;

use mesh::Variant;
use tree::Links;
use values::{child, children, numbers, tag, text};

/// How a URDF model is read, beyond what MuJoCo makes of it.
///
/// ```
/// use sim_mjcf::{Loader, UrdfOptions};
///
/// let urdf = r#"<robot name="pair">
///   <link name="world"/>
///   <link name="a"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
///   <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
///   <joint name="left" type="prismatic"><parent link="world"/><child link="a"/></joint>
///   <joint name="right" type="prismatic"><parent link="world"/><child link="b"/>
///     <mimic joint="left" multiplier="-1"/></joint>
/// </robot>"#;
/// let options = UrdfOptions { mimic: true, ..UrdfOptions::default() };
/// let model = Loader::new().urdf(options).load_str(urdf)?.model;
/// assert_eq!((model.nq, model.neq), (2, 1));
/// # Ok::<(), sim_mjcf::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct UrdfOptions {
    /// Directories of packages by name, for files called `package://name/...`.
    pub packages: HashMap<String, PathBuf>,
    /// Whether a joint that mimics another is tied to it by an equality constraint.
    pub mimic: bool,
    /// Whether links without a parent, other than the world, get a free joint.
    pub free_base: bool,
    /// Whether visual geometry is kept when the file does not say.
    pub keep_visual: bool,
    /// Whether the inertia is turned by the orientation of its origin, as URDF says; MuJoCo takes it
    /// in the axes of the link.
    pub turn_inertia: bool,
}

/// Reads the model of a root element called `robot`, a file in the directory `dir`.
pub(crate) fn read(
    root: Elem<'_, '_>,
    dir: &Path,
    resolver: &Resolver<'_>,
    options: &UrdfOptions,
) -> Result<(Spec, Vec<Warning>), Error> {
    let mut spec = Spec { src: root.pos(), ..Spec::default() };
    spec.compiler.strippath = true;
    spec.compiler.fusestatic = true;
    spec.compiler.discardvisual = !options.keep_visual;
    let mut reader = Reader {
        spec,
        dir,
        resolver,
        options,
        warnings: Vec::new(),
        colors: HashMap::new(),
        geom_names: HashSet::new(),
        meshes: HashMap::new(),
    };
    reader.settings(root)?;
    if let Some(name) = text(root, "name") {
        reader.spec.name = name.to_owned();
    }
    reader.colors(root)?;
    let links = Links::new(root)?;
    let bodies = links.add_to(&mut reader.spec)?;
    for (link, &body) in links.iter().zip(&bodies) {
        reader.link(link.elem, body)?;
    }
    for elem in children(root).filter(|&elem| tag(elem) == "joint") {
        reader.joint(elem, &links, &bodies)?;
    }
    if options.free_base {
        reader.free_base(&links, &bodies);
    }
    dropped::report(root, &reader.spec.compiler, options, &mut reader.warnings);
    Ok((reader.spec, reader.warnings))
}

/// What reading has come to so far.
struct Reader<'r> {
    spec: Spec,
    /// Directory of the file.
    dir: &'r Path,
    resolver: &'r Resolver<'r>,
    options: &'r UrdfOptions,
    warnings: Vec<Warning>,
    /// Colours of materials by name.
    colors: HashMap<String, [f32; 4]>,
    geom_names: HashSet<String>,
    /// Meshes by the name of their file, one for each scale.
    meshes: HashMap<String, Vec<Variant>>,
}

impl Reader<'_> {
    /// Reads the settings of the `mujoco` element, which is no part of URDF.
    fn settings(&mut self, root: Elem<'_, '_>) -> Result<(), Error> {
        let Some(mujoco) = child(root, "mujoco")? else {
            self.spec.compiler.degree = false;
            return Ok(());
        };
        if let Some(section) = child(mujoco, "compiler")? {
            read_known(section, &mut self.spec.compiler, &mut self.warnings)?;
            if let Some(inner) = child(section, "lengthrange")? {
                read_known(inner, &mut self.spec.compiler.lengthrange, &mut self.warnings)?;
            }
        }
        if let Some(section) = child(mujoco, "option")? {
            read_known(section, &mut self.spec.option, &mut self.warnings)?;
            if let Some(inner) = child(section, "flag")? {
                read_known(inner, &mut Flags(&mut self.spec.option), &mut self.warnings)?;
            }
            self.spec.option_src = section.pos();
        }
        if let Some(section) = child(mujoco, "size")? {
            read_known(section, &mut self.spec.size, &mut self.warnings)?;
            self.spec.size_src = section.pos();
        }
        // angles of URDF are in radians whatever the settings say
        self.spec.compiler.degree = false;
        Ok(())
    }

    /// Finds the colours of materials, wherever they are given first.
    fn colors(&mut self, root: Elem<'_, '_>) -> Result<(), Error> {
        let elements = root.node.descendants().filter(|node| node.is_element());
        let elements = elements.map(|node| Elem { node, file: root.file });
        for material in elements.filter(|&elem| tag(elem) == "material") {
            if let Some(name) = text(material, "name")
                && !self.colors.contains_key(name)
                && let Some(color) = child(material, "color")?
            {
                let rgba = numbers(color, "rgba")?.ok_or_else(|| values::missing(color, "rgba"))?;
                self.colors.insert(name.to_owned(), rgba);
            }
        }
        Ok(())
    }
}

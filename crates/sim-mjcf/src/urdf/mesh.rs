//! Meshes: one for each file and scale.

use std::path::Path;

use sim_core::math::Vec3;

use crate::error::Error;
use crate::spec::{Info, Mesh};
use crate::xml::Elem;

use super::Reader;
use super::packages::Search;
use super::values::{required_text, vector};

/// A mesh that was made of a file.
pub(super) struct Variant {
    scale: Vec3,
    /// The file as the first geom calls it.
    given: String,
    /// Where it was found, if not where MuJoCo looks for it.
    elsewhere: String,
}

impl Reader<'_> {
    /// The name of the mesh of a `mesh` element, which is made unless there is one.
    ///
    /// The name is that of the file without directories and extension, followed by a number for
    /// other scales. As in MuJoCo, a geom that repeats such a scale has the mesh of the first scale.
    pub(super) fn mesh(&mut self, elem: Elem<'_, '_>) -> Result<String, Error> {
        let given = required_text(elem, "filename")?;
        let scale = vector(elem, "scale")?.unwrap_or(Vec3::new(1.0, 1.0, 1.0));
        let last = given.rsplit(['/', '\\']).next().unwrap_or(given);
        let file = if self.spec.compiler.strippath { last } else { given };
        let name = last.rfind('.').map_or(last, |dot| &last[..dot]);
        let elsewhere = self.elsewhere(given, file);

        let variants = self.meshes.entry(name.to_owned()).or_default();
        let same = |other: &Variant| other.scale == scale && other.elsewhere == elsewhere;
        if let Some(at) = variants.iter().position(same) {
            let first = &variants[at];
            if first.given != given && elsewhere.is_empty() {
                let message = format!("'{given}' is taken for '{}'", first.given);
                let warning = elem.pos().warning(message).attribute("filename");
                let help = "meshes are told apart by the last part of their names";
                self.warnings.push(warning.help(help));
            }
            if at == 0 {
                return Ok(name.to_owned());
            }
            if !elsewhere.is_empty() {
                return Ok(format!("{name}{at}"));
            }
            let message =
                format!("this geom has the scale of the first mesh '{name}', as in MuJoCo");
            let warning = elem.pos().warning(message).attribute("scale");
            self.warnings.push(warning.help("several scales of a mesh need files of their own"));
            return Ok(name.to_owned());
        }
        let number = variants.len();
        let unique = if number == 0 { name.to_owned() } else { format!("{name}{number}") };
        variants.push(Variant { scale, given: given.to_owned(), elsewhere: elsewhere.clone() });
        self.spec.meshes.push(Mesh {
            info: Info { name: unique.clone(), ..Info::at(elem.pos()) },
            dir: self.dir.display().to_string(),
            file: file.to_owned(),
            elsewhere,
            scale,
            ..Mesh::default()
        });
        Ok(unique)
    }

    /// Where a file is if it is not where MuJoCo looks for it; empty if it is, or is nowhere.
    fn elsewhere(&self, given: &str, file: &str) -> String {
        let usual = self.dir.join(&self.spec.compiler.meshdir).join(file);
        if self.resolver.exists(&usual) {
            return String::new();
        }
        let search = Search {
            resolver: self.resolver,
            dir: self.dir,
            meshdir: Path::new(&self.spec.compiler.meshdir),
            packages: &self.options.packages,
        };
        search.find(given).map(|path| path.display().to_string()).unwrap_or_default()
    }
}

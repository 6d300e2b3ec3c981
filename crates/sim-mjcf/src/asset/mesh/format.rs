//! Formats of files.

use std::path::Path;

use super::super::{msh, obj, stl};
use super::{Fault, RawMesh};

/// A format of files with meshes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Stl,
    Obj,
    Msh,
}

impl Format {
    /// The format of a content type, or of the extension of the file if that is empty.
    pub(crate) fn new(file: &str, content_type: &str) -> Result<Format, Fault> {
        let help = "STL, OBJ and MSH files are";
        match content_type {
            "model/stl" => return Ok(Format::Stl),
            "model/obj" => return Ok(Format::Obj),
            "model/vnd.mujoco.msh" => return Ok(Format::Msh),
            "" => {}
            other => {
                let message = format!("meshes of type '{other}' are not supported");
                return Err(
                    Fault::new(message).help("model/stl, model/obj and model/vnd.mujoco.msh are")
                );
            }
        }
        let extension = Path::new(file).extension().unwrap_or_default();
        match extension.to_string_lossy().to_lowercase().as_str() {
            "stl" => Ok(Format::Stl),
            "obj" => Ok(Format::Obj),
            "msh" => Ok(Format::Msh),
            "" => Err(Fault::new("its name has no extension that tells its format").help(help)),
            "dae" => Err(Fault::new("COLLADA files (.dae) are not supported")
                .help("convert it to OBJ or STL, for example with Blender or MeshLab")),
            other => {
                Err(Fault::new(format!("meshes in .{other} files are not supported")).help(help))
            }
        }
    }

    /// Reads a file. With `mirrored`, faces turn the other way.
    pub(crate) fn read(self, bytes: &[u8], mirrored: bool) -> Result<RawMesh, Fault> {
        match self {
            Format::Stl => stl::read(bytes, mirrored),
            Format::Obj => obj::read(bytes, mirrored),
            Format::Msh => msh::read(bytes, mirrored),
        }
    }
}

//! Height fields: their grids, and their tables.

use std::path::Path;

use sim_core::Model;

use super::asset::Solids;
use crate::asset::hfield::Grid;
use crate::asset::mesh::Fault;
use crate::asset::stripped;
use crate::error::Error;
use crate::files::Resolver;
use crate::spec::{Element, Hfield, Spec};

/// Elevations of all height fields of a model at most.
const MAX_POINTS: usize = 1 << 26;

/// Reads or makes the grids of all height fields.
pub(super) fn grids(spec: &Spec, resolver: &Resolver<'_>) -> Result<Vec<Grid>, Error> {
    let mut grids = Vec::with_capacity(spec.hfields.len());
    let mut total = 0;
    for hfield in &spec.hfields {
        if let Some(size) = hfield.size.iter().find(|size| size.is_nan() || **size <= 0.0) {
            let message = format!("all sizes of a height field must be positive, not {size}");
            return Err(hfield.error(message).attribute("size"));
        }
        let mut grid =
            if hfield.file.is_empty() { inline(hfield)? } else { read(hfield, spec, resolver)? };
        total += grid.data.len();
        if total > MAX_POINTS {
            let message = format!("height fields have more than {MAX_POINTS} elevations");
            return Err(hfield.error(message));
        }
        grid.normalize().map_err(|fault| about(hfield, &hfield.file, fault))?;
        grids.push(grid);
    }
    Ok(grids)
}

/// The grid that is given in place, flat unless there are elevations.
fn inline(hfield: &Hfield) -> Result<Grid, Error> {
    let (Ok(nrow @ 1..), Ok(ncol @ 1..)) =
        (usize::try_from(hfield.nrow), usize::try_from(hfield.ncol))
    else {
        let error = hfield.error(format!("height field '{}' has no grid", hfield.name));
        return Err(error.help("it needs a file, or positive nrow and ncol"));
    };
    if nrow * ncol > MAX_POINTS {
        let message = format!("{nrow} by {ncol} elevations are too many");
        return Err(hfield.error(message).attribute("nrow"));
    }
    let data = match hfield.elevation.len() {
        0 => vec![0.0; nrow * ncol],
        // the text has the last row first
        count if count == nrow * ncol => {
            hfield.elevation.chunks_exact(ncol).rev().flatten().copied().collect()
        }
        count => {
            let message = format!("there are {count} elevations for {nrow} rows of {ncol}");
            let error = hfield.error(message).attribute("elevation");
            return Err(error.reference("elevation data length must match nrow*ncol"));
        }
    };
    Ok(Grid { nrow, ncol, data })
}

/// Reads the grid from a file.
fn read(hfield: &Hfield, spec: &Spec, resolver: &Resolver<'_>) -> Result<Grid, Error> {
    if !hfield.elevation.is_empty() {
        let message = "elevations come from the file or from here, not from both";
        return Err(hfield.error(message).attribute("elevation"));
    }
    let file = stripped(&hfield.file, spec);
    let extension = Path::new(file).extension().map(|ext| ext.to_string_lossy().to_lowercase());
    let png = match (hfield.content_type.as_str(), extension.as_deref()) {
        ("image/png", _) | ("", Some("png")) => true,
        ("image/vnd.mujoco.hfield", _) => false,
        ("", Some("stl" | "obj" | "msh" | "ply")) => {
            let message = format!("'{file}' is a mesh, not a height field");
            return Err(hfield.error(message).attribute("file"));
        }
        ("", _) => false,
        (other, _) => {
            let message = format!("height fields of type '{other}' are not supported");
            let error = hfield.error(message).attribute("content_type");
            return Err(error.help("image/png and image/vnd.mujoco.hfield are"));
        }
    };
    let path = Path::new(&hfield.dir).join(&spec.compiler_of(hfield.compiler).meshdir).join(file);
    let name = path.to_string_lossy();
    let (_, bytes) = resolver.find(&name, &[Path::new("")]).map_err(|error| {
        let fault = |message| {
            let message = format!("height field '{}': {message}", hfield.name);
            hfield.error(message).attribute("file")
        };
        error.about(&name, fault)
    })?;
    let grid = if png { Grid::from_png(&bytes) } else { Grid::from_binary(&bytes) };
    grid.map_err(|fault| about(hfield, &name, fault))
}

fn about(hfield: &Hfield, file: &str, fault: Fault) -> Error {
    let message = match file {
        "" => format!("height field '{}' cannot be used: {}", hfield.name, fault.message),
        file => format!("height field '{}': cannot use '{file}': {}", hfield.name, fault.message),
    };
    let error = hfield.error(message);
    match fault.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Fills the tables of height fields.
pub(super) fn fill(solids: &Solids, model: &mut Model) {
    let mut at = 0;
    for (id, (hfield, grid)) in solids.hfield_specs.iter().zip(&solids.grids).enumerate() {
        model.hfield_size[id] = hfield.size;
        model.hfield_nrow[id] = grid.nrow as i32;
        model.hfield_ncol[id] = grid.ncol as i32;
        model.hfield_adr[id] = at as i32;
        model.hfield_data[at..at + grid.data.len()].copy_from_slice(&grid.data);
        at += grid.data.len();
    }
}

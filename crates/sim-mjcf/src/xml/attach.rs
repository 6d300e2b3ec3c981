//! Models inside models: reading the files of `model` assets.

use std::collections::HashMap;
use std::path::PathBuf;

use super::asset::ModelAsset;
use super::document::{Files, Texts, check_budget, decode};
use super::resolver::{ReadError, Resolver};
use super::{attrs, read_inside};
use crate::error::{Error, Pos, Sources, Warning};
use crate::spec::Spec;

/// Models that attach each other at most.
const MAX_CHAIN: usize = 32;

/// Reads the files of the `model` elements of a model; `chain` ends with that model.
pub(super) fn load_models(
    sources: &mut Sources,
    files: &Files,
    resolver: &Resolver<'_>,
    chain: &mut Vec<PathBuf>,
    warnings: &mut Vec<Warning>,
) -> Result<HashMap<Pos, Spec>, Error> {
    // parsing borrows the texts, so note the names first and read the files after
    let mut wanted = Vec::new();
    if files.texts(sources).any(|text| text.contains("<model")) {
        let texts = Texts::new(sources, files)?;
        let documents = texts.parse()?;
        for elem in documents.all().filter(|elem| elem.is_model_asset()) {
            let mut asset = ModelAsset::default();
            attrs::read(elem, &mut asset, false, &HashMap::new(), &mut Vec::new())?;
            wanted.push((elem.pos(), elem.file, asset.file));
        }
    }

    let mut models = HashMap::new();
    for (pos, file, name) in wanted {
        let fault = |message: String| pos.error(message).attribute("file");
        let dirs = [files.dir.as_path(), files.dir_of(file)];
        let (path, bytes) = resolver.find(&name, &dirs).map_err(|error| {
            let reason = match error {
                ReadError::NotFound => String::from("there is no such file"),
                ReadError::Unusable(reason) => reason,
            };
            fault(format!("cannot read '{name}': {reason}"))
        })?;
        if chain.contains(&path) {
            return Err(fault(format!("the model '{name}' contains itself")));
        }
        if chain.len() >= MAX_CHAIN {
            return Err(fault(format!("models are inside models more than {MAX_CHAIN} deep")));
        }
        check_budget(sources, pos, bytes.len())?;
        let text =
            decode(bytes).map_err(|reason| fault(format!("cannot read '{name}': {reason}")))?;
        sources.add(path.display().to_string(), text, Some(pos));
        chain.push(path);
        let (spec, more) = read_inside(sources, resolver, chain)?;
        chain.pop();
        warnings.extend(more);
        models.insert(pos, spec);
    }
    Ok(models)
}

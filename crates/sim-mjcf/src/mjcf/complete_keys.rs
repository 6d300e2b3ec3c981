//! Keyframes that came with attached and replicated bodies leave open what the rest of the model
//! does; a file has to say it.

use crate::compile::compile;
use crate::spec::{Key, Spec};

/// The model with complete keyframes; none if they are complete.
///
/// Positions that a keyframe leaves out at the end are reference angles in the unit of the file, so
/// they have to be said too if that changes.
pub(super) fn complete_keys(spec: &Spec) -> Option<Spec> {
    let mut compilers = std::iter::once(&spec.compiler).chain(&spec.attached_compilers);
    let degrees = compilers.any(|compiler| compiler.degree) && super::flatten::is_needed(spec);
    let is_complete = |key: &Key| {
        let open = [&key.qpos, &key.mpos, &key.mquat].iter().any(|x| is_open(x));
        !open && (!degrees || key.qpos.is_empty())
    };
    if spec.keys.iter().all(is_complete) {
        return None;
    }
    // a model that does not compile has no reference configuration: its keyframes are left out
    let model = compile(spec, &spec.files.resolver()).ok().map(|(model, _)| model);
    let mut complete = spec.clone();
    for (id, &handle) in spec.keys.ids().iter().enumerate() {
        let key = &mut complete[handle];
        let Key { qpos, mpos, mquat, .. } = key;
        if let Some(model) = model.as_ref().filter(|_| degrees && !qpos.is_empty()) {
            qpos.resize(model.nq, f64::NAN);
        }
        for (part, name) in [(qpos, "key_qpos"), (mpos, "key_mpos"), (mquat, "key_mquat")] {
            if !is_open(part) {
                continue;
            }
            let Some(array) = model.as_ref().and_then(|model| model.array(name)) else {
                part.clear();
                continue;
            };
            let start = id * part.len();
            for (i, x) in part.iter_mut().enumerate().filter(|(_, x)| x.is_nan()) {
                *x = array.value(start + i);
            }
        }
    }
    Some(complete)
}

fn is_open(part: &[f64]) -> bool {
    part.iter().any(|x| x.is_nan())
}

//! Keyframes that came with attached and replicated bodies leave open what the rest of the model
//! does; a file has to say it.

use crate::spec::{Key, Spec};

/// The model with complete keyframes; none if they are complete.
///
/// Positions that a keyframe leaves out at the end are reference angles in the unit of the file, so
/// they have to be said too if that changes.
pub(super) fn whole(spec: &Spec) -> Option<Spec> {
    let mut compilers = std::iter::once(&spec.compiler).chain(&spec.attached_compilers);
    let turns = compilers.any(|compiler| compiler.degree) && super::flat::is_needed(spec);
    let complete = |key: &Key| {
        let open = [&key.qpos, &key.mpos, &key.mquat].iter().any(|x| is_open(x));
        !open && (!turns || key.qpos.is_empty())
    };
    if spec.keys.iter().all(complete) {
        return None;
    }
    // a model that does not compile has no reference configuration: its keyframes are left out
    let model = spec.compile().ok().map(|loaded| loaded.model);
    let mut whole = spec.clone();
    for (id, key) in whole.keys.iter_mut().enumerate() {
        let Key { qpos, mpos, mquat, .. } = key;
        if let Some(model) = model.as_ref().filter(|_| turns && !qpos.is_empty()) {
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
    Some(whole)
}

fn is_open(part: &[f64]) -> bool {
    part.iter().any(|x| x.is_nan())
}

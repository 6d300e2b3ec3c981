//! Keyframes that came with attached and replicated bodies leave open what the rest of the model
//! does; a file has to say it.

use crate::spec::{Key, Spec};

/// The model with complete keyframes; none if they are complete.
pub(super) fn whole(spec: &Spec) -> Option<Spec> {
    if spec.keys.iter().all(|key| [&key.qpos, &key.mpos, &key.mquat].iter().all(|x| !is_open(x))) {
        return None;
    }
    // a model that does not compile has no reference configuration: its keyframes are left out
    let model = spec.compile().ok().map(|loaded| loaded.model);
    let mut whole = spec.clone();
    for (id, key) in whole.keys.iter_mut().enumerate() {
        let Key { qpos, mpos, mquat, .. } = key;
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

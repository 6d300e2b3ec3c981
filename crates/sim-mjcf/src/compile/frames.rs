//! Poses of frames.

use std::collections::HashMap;

use crate::error::Error;
use crate::pose::Pose;
use crate::spec::{Frame, Id, Spec};

/// The pose of every frame in its body.
pub(super) struct FramePoses(HashMap<Id<Frame>, Pose>);

impl FramePoses {
    /// Computes the poses.
    pub(super) fn new(spec: &Spec) -> Result<FramePoses, Error> {
        let mut poses: HashMap<Id<Frame>, Pose> = HashMap::with_capacity(spec.frames.len());
        for &id in spec.frames.ids() {
            // those around it that are not known yet, from the outside in
            let around = spec.frames_around(Some(id));
            let mut unknown: Vec<_> = around.take_while(|id| !poses.contains_key(id)).collect();
            unknown.reverse();
            for id in unknown {
                let frame = &spec[id];
                let quat =
                    frame.orientation.resolve(spec.compiler_of(frame.compiler), frame.src)?;
                let own = Pose { pos: frame.pos, quat };
                let pose = match frame.frame {
                    Some(outer) => poses[&outer].then(own),
                    None => own,
                };
                poses.insert(id, pose);
            }
        }
        Ok(FramePoses(poses))
    }

    /// The pose of a frame; none for what is in no frame.
    pub(super) fn get(&self, frame: Option<Id<Frame>>) -> Option<Pose> {
        frame.and_then(|frame| self.0.get(&frame).copied())
    }
}

#[cfg(test)]
mod tests {
    use sim_core::math::{Quat, Vec3};

    use super::*;
    use crate::pose::same_quat;
    use crate::spec::{Alternative, Body, Info, Orientation};

    #[test]
    fn a_frame_inside_a_frame_moves_with_it() {
        let mut spec = Spec::default();
        let turn = Some(Alternative::AxisAngle([0.0, 0.0, 1.0, 90.0]));
        let orientation = Orientation { quat: Quat::IDENTITY, alternative: turn };
        let mut frame = None;
        for _ in 0..2 {
            let info = Info { frame, ..Info::default() };
            let inner = Frame { info, pos: Vec3::X, orientation, ..Frame::default() };
            frame = Some(spec.add_to(Body::WORLD, inner));
        }
        let inner = FramePoses::new(&spec).unwrap().get(frame).unwrap();
        assert!((inner.pos - Vec3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
        assert!(same_quat(inner.quat, Quat::new(0.0, 0.0, 0.0, 1.0)));
    }
}

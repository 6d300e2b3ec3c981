use sim_core::math::Vec3;

use super::{Attrs, Element, Orientation};
use crate::error::Pos;

/// A coordinate frame that moves what is inside it, and disappears when compiling.
#[doc(alias = "mjsFrame")]
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Name; empty for none.
    pub name: String,
    /// Place in the source.
    pub src: Pos,
    /// The body that the frame is in.
    pub body: usize,
    /// The frame around this one, in the same body.
    pub parent: Option<usize>,
    /// Whose compiler settings apply; see [`Spec::compiler_of`](super::Spec::compiler_of).
    pub compiler: usize,
    /// Class given by the attribute `childclass`.
    pub childclass: Option<usize>,
    /// Position in the body or the frame around.
    pub pos: Vec3,
    /// Orientation in the body or the frame around.
    pub orientation: Orientation,
}

impl Element for Frame {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.childclass(&mut self.childclass);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
    }
}

use sim_core::math::Vec3;

use super::rename::Copied;
use super::{Attributes, Attrs, Class, Id, Info, Orientation};

/// A coordinate frame that moves what is inside it, and disappears when compiling.
#[doc(alias = "mjsFrame")]
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Name, place and relations.
    pub info: Info,
    /// Class given by the attribute `childclass`.
    pub childclass: Option<Id<Class>>,
    /// Position in the body or the frame around.
    pub pos: Vec3,
    /// Orientation in the body or the frame around.
    pub orientation: Orientation,
}

impl Attributes for Frame {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.childclass(&mut self.childclass);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
    }
}

impl Copied for Frame {}

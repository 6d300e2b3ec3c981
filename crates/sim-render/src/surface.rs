//! Triangles of a model's meshes, for other renderers.

use sim_core::Model;

use crate::assets;
use crate::shapes::Shape;

/// Triangles with a normal at each vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Positions.
    pub position: Vec<[f32; 3]>,
    /// Normals.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates; empty without any.
    pub texcoord: Vec<[f32; 2]>,
    /// Vertices of triangles, which turn left seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// A mesh. Where the normals of its faces differ much there are edges.
    pub fn mesh(model: &Model, id: usize) -> Surface {
        Surface::from(&assets::mesh(model, id))
    }

    /// The convex hull of a mesh; empty if it has none.
    pub fn hull(model: &Model, id: usize) -> Surface {
        Surface::from(&assets::hull(model, id))
    }
}

impl From<&Shape> for Surface {
    fn from(shape: &Shape) -> Surface {
        // the padding is behind what triangles use
        let used = shape.triangles.iter().flatten().max().map_or(0, |&v| v as usize + 1);
        let column =
            |of: &[Vec<f32>; 3]| (0..used).map(|v| [of[0][v], of[1][v], of[2][v]]).collect();
        let texcoord = shape.texcoord.iter().take(used).copied().collect();
        Surface {
            position: column(&shape.position),
            normal: column(&shape.normal),
            texcoord,
            triangles: shape.triangles.clone(),
        }
    }
}

use super::rename::Copied;
use super::{Attributes, Attrs, Info};

/// A height field: a grid of elevations, from a file or given in place.
#[doc(alias = "mjsHField")]
#[derive(Debug, Clone, Default)]
pub struct Hfield {
    /// Name, place and relations. The name is that of the file without its extension when not given.
    pub info: Info,
    /// Directory of the model that names the file.
    pub dir: String,
    /// Content type of the file; by its extension when empty.
    pub content_type: String,
    /// PNG image, or a file of MuJoCo's own format.
    pub file: String,
    /// Rows of the grid, unless there is a file.
    pub nrow: i32,
    /// Columns of the grid, unless there is a file.
    pub ncol: i32,
    /// Half sizes in x and y, height of the highest point, and depth of the base.
    pub size: [f64; 4],
    /// Elevations, the row of largest y first; all zero when empty.
    pub elevation: Vec<f32>,
}

impl Attributes for Hfield {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.text("content_type", &mut self.content_type);
        a.text("file", &mut self.file);
        a.numbers("nrow", &mut self.nrow);
        a.numbers("ncol", &mut self.ncol);
        a.numbers("size", &mut self.size);
        a.required("size");
        a.list("elevation", &mut self.elevation);
    }
}

impl Copied for Hfield {
    fn weight(&self) -> usize {
        1 + self.elevation.len() / 64
    }
}

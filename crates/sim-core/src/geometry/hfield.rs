use crate::Model;
use crate::math::Vec3;

/// The grid of a height field.
///
/// The field covers `±size[0]` and `±size[1]` with columns along x and rows along y; a value of 1
/// is `size[2]` high, and the base reaches `size[3]` below zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hfield<'a> {
    pub(crate) size: [f64; 4],
    pub(crate) nrow: usize,
    pub(crate) ncol: usize,
    data: &'a [f32],
}

/// Three points of the base and the three of the surface above them.
pub(crate) type Prism = [Vec3; 6];

impl<'a> Hfield<'a> {
    /// The height field of a geom; none if there is no such grid.
    pub(crate) fn new(model: &'a Model, geom: usize) -> Option<Hfield<'a>> {
        let id = usize::try_from(model.geom_dataid[geom]).ok()?;
        let size = |side: &[i32]| usize::try_from(*side.get(id)?).ok();
        let (nrow, ncol) = (size(&model.hfield_nrow)?, size(&model.hfield_ncol)?);
        let data = model.hfield_data.get(size(&model.hfield_adr)?..)?;
        let data = data.get(..nrow.checked_mul(ncol)?)?;
        Some(Hfield { size: model.hfield_size[id], nrow, ncol, data })
    }

    /// Distance of neighbouring columns and rows.
    pub(crate) fn steps(&self) -> [f64; 2] {
        let [x, y, ..] = self.size;
        [(2.0 * x) / (self.ncol as f64 - 1.0), (2.0 * y) / (self.nrow as f64 - 1.0)]
    }

    /// The value at a grid point, between 0 and 1.
    #[inline]
    pub(crate) fn value(&self, row: usize, col: usize) -> f64 {
        f64::from(self.data[row * self.ncol + col])
    }

    /// The surface at a grid point.
    #[inline]
    pub(crate) fn point(&self, row: usize, col: usize) -> Vec3 {
        let [dx, dy] = self.steps();
        let [x, y, top, _] = self.size;
        Vec3::new(dx * col as f64 - x, dy * row as f64 - y, self.value(row, col) * top)
    }
}

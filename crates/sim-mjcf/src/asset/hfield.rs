//! Height fields: grids of elevations.

use super::mesh::Fault;
use super::png;

/// Elevations at most.
const MAX_POINTS: usize = 1 << 26;

/// A grid of elevations: rows from low to high y, each from low to high x.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Grid {
    pub nrow: usize,
    pub ncol: usize,
    pub data: Vec<f32>,
}

impl Grid {
    /// Reads the brightness of a PNG image, or its red where it has colours. The bottom of the image
    /// is the first row.
    pub(crate) fn from_png(bytes: &[u8]) -> Result<Grid, Fault> {
        let image = png::decode(bytes, 3, 4 * MAX_POINTS)?;
        let rows = image.bytes.chunks_exact(3 * image.width).rev();
        let data = rows.flat_map(|row| row.iter().step_by(3)).map(|&x| f32::from(x)).collect();
        Ok(Grid { nrow: image.height, ncol: image.width, data })
    }

    /// Reads MuJoCo's own format: numbers of rows and columns as 32-bit integers, then elevations in
    /// single precision.
    pub(crate) fn from_binary(bytes: &[u8]) -> Result<Grid, Fault> {
        let (words, _) = bytes.as_chunks::<4>();
        let [nrow, ncol, data @ ..] = words else {
            let length = bytes.len();
            let message = format!("it has {length} bytes, fewer than a header of 8");
            return Err(Fault::new(message));
        };
        let [rows, columns] = [nrow, ncol].map(|word| i64::from(i32::from_le_bytes(*word)));
        if rows < 1 || columns < 1 {
            let message = format!("its header says {rows} rows and {columns} columns");
            return Err(Fault::new(message).help("both must be positive"));
        }
        let (need, have) = (8 + 4 * i128::from(rows) * i128::from(columns), bytes.len());
        if need != have as i128 {
            let message = format!(
                "its {rows} rows and {columns} columns take {need} bytes, but it has {have}"
            );
            return Err(Fault::new(message).help("PNG images have the extension '.png'"));
        }
        let data = data.iter().map(|word| f32::from_le_bytes(*word)).collect();
        Ok(Grid { nrow: rows as usize, ncol: columns as usize, data })
    }

    /// Moves and scales elevations to the range from 0 to 1; a flat field is 0.
    pub(crate) fn normalize(&mut self) -> Result<(), Fault> {
        if let Some(at) = self.data.iter().position(|x| !x.is_finite()) {
            let (row, column) = (at / self.ncol, at % self.ncol);
            let message = format!("the elevation in row {row}, column {column} is not finite");
            return Err(Fault::new(message));
        }
        let (mut low, mut high) = (1e10f32, -1e10f32);
        for &x in &self.data {
            low = low.min(x);
            high = high.max(x);
        }
        if low > high {
            let message = format!("elevations between {low} and {high} are out of range");
            return Err(Fault::new(message).help("they must be between -1e10 and 1e10"));
        }
        let range = high - low;
        let divides = f64::from(range) > 1e-14;
        for x in &mut self.data {
            *x -= low;
            if divides {
                *x /= range;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binary(nrow: i32, ncol: i32, data: &[f32]) -> Vec<u8> {
        let header = [nrow, ncol].into_iter().flat_map(i32::to_le_bytes);
        header.chain(data.iter().flat_map(|x| x.to_le_bytes())).collect()
    }

    #[test]
    fn elevations_run_from_zero_to_one() {
        let mut grid = Grid::from_binary(&binary(2, 2, &[-1.0, 3.0, 1.0, -1.0])).unwrap();
        grid.normalize().unwrap();
        assert_eq!(grid, Grid { nrow: 2, ncol: 2, data: vec![0.0, 1.0, 0.5, 0.0] });
        let mut flat = Grid::from_binary(&binary(1, 2, &[7.0, 7.0])).unwrap();
        flat.normalize().unwrap();
        assert_eq!(flat.data, [0.0, 0.0]);
    }

    #[test]
    fn the_bottom_of_an_image_is_the_first_row() {
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, 2, 3);
        encoder.set_color(::png::ColorType::Grayscale);
        encoder.write_header().unwrap().write_image_data(&[1, 2, 3, 4, 5, 6]).unwrap();
        let grid = Grid::from_png(&bytes).unwrap();
        assert_eq!((grid.nrow, grid.ncol), (3, 2));
        assert_eq!(grid.data, [5.0, 6.0, 3.0, 4.0, 1.0, 2.0]);
    }

    #[test]
    fn headers_that_lie_and_bad_numbers_are_errors() {
        for bytes in [
            &b""[..],
            &[1, 0, 0, 0],
            &binary(0, 1, &[]),
            &binary(2, 2, &[0.0; 3]),
            &binary(i32::MAX, i32::MAX, &[0.0]),
            &binary(-1, -1, &[0.0]),
        ] {
            assert!(Grid::from_binary(bytes).is_err());
        }
        let mut grid = Grid::from_binary(&binary(1, 2, &[0.0, f32::NAN])).unwrap();
        let message = grid.normalize().unwrap_err().message;
        assert_eq!(message, "the elevation in row 0, column 1 is not finite");
    }
}

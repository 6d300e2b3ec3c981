//! The geometry of a view in pieces: runs of the draw list, each built by one thread.

use std::ops::Range;

use crate::draw::DrawList;
use crate::geometry::{Geometry, Triangle};
use crate::raster::{InTile, Samples};

/// Most pieces of a view: their number is in the upper bits of the numbers of triangles.
const MAX_PIECES: usize = 8;
const SHIFT: u32 = 28;
/// Fewest vertices for which another piece is worth its while.
const FEW: usize = 1 << 12;

/// What one view sees. Pieces are filled in their order, so that there is no telling how many there
/// are: a picture is the same for any number of threads.
#[derive(Debug, Default)]
pub(crate) struct Pieces(Vec<Geometry>);

/// Cuts the draw list into runs of about equally many vertices, `wanted` if they are worth it. What is
/// blended is in the last.
pub(crate) fn runs(list: &DrawList<'_>, wanted: usize) -> Vec<Range<usize>> {
    let vertices = |parts: Range<usize>| list.parts[parts].iter().map(|part| part.shape.len());
    let all: usize = vertices(0..list.opaque).sum();
    let count = wanted.min(all / FEW).clamp(1, MAX_PIECES);
    let (mut runs, mut start, mut sum) = (Vec::with_capacity(count), 0, 0);
    for (part, len) in vertices(0..list.opaque).enumerate() {
        sum += len;
        let full = sum * count >= (runs.len() + 1) * all;
        if full && runs.len() + 1 < count && part + 1 < list.parts.len() {
            runs.push(start..part + 1);
            start = part + 1;
        }
    }
    runs.push(start..list.parts.len());
    runs
}

impl Pieces {
    /// As many pieces as asked for, to be built.
    pub(crate) fn resized(&mut self, count: usize) -> &mut [Geometry] {
        self.0.resize_with(count, Geometry::default);
        &mut self.0
    }

    /// A triangle, by the number that [`Pieces::fill`] gives it, and the piece that it is in.
    #[inline]
    pub(crate) fn triangle(&self, id: u32) -> (&Geometry, &Triangle) {
        let piece = &self.0[(id >> SHIFT) as usize];
        (piece, &piece.triangles[(id & ((1 << SHIFT) - 1)) as usize])
    }

    /// Number of columns of tiles.
    pub(crate) fn columns(&self) -> usize {
        self.last().columns
    }

    /// The piece with everything that is blended.
    pub(crate) fn last(&self) -> &Geometry {
        self.0.last().expect("there is a piece")
    }

    /// Whether nothing reaches into a tile.
    pub(crate) fn is_empty(&self, tile: usize) -> bool {
        self.0.iter().all(|piece| piece.opaque[tile].is_empty() && piece.blended[tile].is_empty())
    }

    /// Finds the triangles in front in the opaque things of a tile.
    pub(crate) fn fill(&self, samples: &mut Samples, column: usize, row: usize) {
        samples.clear();
        self.add(samples, column, row);
    }

    /// Adds the triangles of the opaque things of a tile where they are in front.
    pub(crate) fn add(&self, samples: &mut Samples, column: usize, row: usize) {
        for (number, piece) in self.0.iter().enumerate() {
            for &setup in &piece.opaque[row * piece.columns + column] {
                let setup = &piece.setups[setup as usize];
                let triangle = (number as u32) << SHIFT | setup.triangle;
                if setup.small {
                    samples.fill_small(&InTile::small(setup, column, row), triangle);
                } else if let Some(at) = InTile::new(setup, column, row) {
                    samples.fill(&at, triangle);
                }
            }
        }
    }
}

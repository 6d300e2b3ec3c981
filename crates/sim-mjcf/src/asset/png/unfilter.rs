//! Undoing the filters of rows, which leave the difference of each byte from a prediction.
//!
//! A pixel needs the one on its left, so a row is one long chain of operations. Four rows at a time
//! are four chains side by side, each one pixel behind the row above it (a wavefront).

use wide::{i16x16, u8x16};

/// Rows that are decoded together, each in four lanes.
pub(super) const ROWS: usize = 4;
/// Bytes of a pixel at most.
const BYTES: usize = 4;

/// Decodes up to four rows of pixels of `N` bytes. In `filtered` each follows the code of its
/// filter; `above` is the decoded row before them. Returns nothing if there is no such filter.
pub(super) fn unfilter<const N: usize>(
    filtered: &[u8],
    above: &[u8],
    rows: &mut [u8],
) -> Option<()> {
    let stride = above.len();
    let width = stride / N;
    let count = rows.len() / stride;
    let mut filters = Filters::default();
    let mut given: [&[[u8; N]]; ROWS] = [&[]; ROWS];
    let mut decoded: [&mut [[u8; N]]; ROWS] = Default::default();
    let above: &[[u8; N]] = above.as_chunks().0;
    let filtered = filtered.chunks_exact(1 + stride).zip(rows.chunks_exact_mut(stride));
    for (lane, (filtered, row)) in filtered.enumerate() {
        filters.set(lane, filtered[0])?;
        given[lane] = filtered[1..].as_chunks().0;
        decoded[lane] = row.as_chunks_mut().0;
    }

    let mut front = Front { filters, decoded: i16x16::ZERO, above: i16x16::ZERO };
    for step in 0..width + count - 1 {
        let pixel = above.get(step).map_or([0; BYTES], padded);
        let mut bytes = [[0; BYTES]; ROWS];
        if step + 1 >= ROWS && step < width && count == ROWS {
            for lane in 0..ROWS {
                bytes[lane] = padded(&given[lane][step - lane]);
            }
            let bytes = front.step(pixel, bytes);
            for lane in 0..ROWS {
                decoded[lane][step - lane].copy_from_slice(&bytes[lane][..N]);
            }
        } else {
            // rows before their first pixel stay zero
            let active = (step + 1).saturating_sub(width)..count.min(step + 1);
            for lane in active.clone() {
                bytes[lane] = padded(&given[lane][step - lane]);
            }
            let bytes = front.step(pixel, bytes);
            for lane in active {
                decoded[lane][step - lane].copy_from_slice(&bytes[lane][..N]);
            }
        }
    }
    Some(())
}

fn padded<const N: usize>(pixel: &[u8; N]) -> [u8; BYTES] {
    std::array::from_fn(|i| if i < N { pixel[i] } else { 0 })
}

/// The pixels that were decoded last, one in each row.
struct Front {
    filters: Filters,
    decoded: i16x16,
    /// The pixels above them.
    above: i16x16,
}

impl Front {
    /// Decodes the next pixel of each row; `above` is the one above that of the first row.
    #[inline]
    fn step(&mut self, above: [u8; BYTES], bytes: [[u8; BYTES]; ROWS]) -> [[u8; BYTES]; ROWS] {
        let filters = &self.filters;
        let [first, second, third, _]: [[i16; BYTES]; ROWS] = bytemuck::cast(self.decoded);
        let above = bytemuck::cast([above.map(i16::from), first, second, third]);
        let (a, b, c) =
            (self.decoded & filters.left, above & filters.above, self.above & filters.corner);

        // Paeth: whichever neighbour is nearest to a + b - c
        let (by_a, by_b): (i16x16, i16x16) = (b - c, a - c);
        let (pa, pb, pc) = (by_a.abs(), by_b.abs(), (by_a + by_b).abs());
        let least = pa.min(pb).min(pc);
        let paeth = pa.simd_eq(least).select(a, pb.simd_eq(least).select(b, c));
        let average: i16x16 = (a + b) >> 1;
        let predicted = filters.average.select(average, paeth);

        let bytes: [u8; BYTES * ROWS] = bytemuck::cast(bytes);
        self.above = above;
        self.decoded = (i16x16::from(u8x16::new(bytes)) + predicted) & i16x16::splat(0xFF);
        bytemuck::cast(self.decoded.to_array().map(|byte| byte as u8))
    }
}

/// The neighbours that the filter of each row looks at, as masks. `None`, `Sub` and `Up` are `Paeth`
/// with the neighbours that they do not look at taken as zero.
#[derive(Default)]
struct Filters {
    left: i16x16,
    above: i16x16,
    corner: i16x16,
    average: i16x16,
}

impl Filters {
    fn set(&mut self, lane: usize, code: u8) -> Option<()> {
        let (left, above, corner, average) = match code {
            0 => (0, 0, 0, 0),
            1 => (-1, 0, 0, 0),
            2 => (0, -1, 0, 0),
            3 => (-1, -1, 0, -1),
            4 => (-1, -1, -1, 0),
            _ => return None,
        };
        let put = |mask: &mut i16x16, value| {
            mask.as_mut_array()[BYTES * lane..BYTES * (lane + 1)].fill(value);
        };
        put(&mut self.left, left);
        put(&mut self.above, above);
        put(&mut self.corner, corner);
        put(&mut self.average, average);
        Some(())
    }
}

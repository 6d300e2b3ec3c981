//! One tile of a picture, from triangles to pixels.

use sim_core::scene::halton;

use crate::draw::Shading;
use crate::geometry::{Geometry, TILE};
use crate::raster::{InTile, NOTHING, Samples};
use crate::shade::{Fragments, Shader};
use crate::vector::{V3, f32x8, load};

const PIXELS: usize = TILE * TILE;

/// How segments are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Segments {
    /// By the number of the segment plus one, in three bytes.
    Number,
    /// By colours that differ.
    Color,
}

/// What all tiles of a picture share.
pub(crate) struct Frame<'a> {
    pub(crate) shader: Shader<'a>,
    pub(crate) geometry: &'a Geometry,
    /// The scene as the mirror shows it.
    pub(crate) mirror: Option<&'a Geometry>,
    pub(crate) segments: Option<Segments>,
    /// Transparent things add light instead of covering it.
    pub(crate) additive: bool,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// Up to eight pixels of a row that show one triangle.
#[derive(Debug, Clone, Copy)]
struct Run {
    triangle: u32,
    x: u8,
    y: u8,
    count: u8,
    /// Samples that it covers, of each pixel.
    samples: u8,
    look: u32,
    /// The next run of the same look.
    next: u32,
}

/// The runs of one look: the first and the last, which are linked.
#[derive(Debug, Clone, Copy)]
struct Chain {
    look: u32,
    first: u32,
    last: u32,
}

/// No run.
const END: u32 = u32::MAX;

/// Where a fragment is: its pixel and samples, and whether the mirror is seen there.
#[derive(Debug, Clone, Copy)]
struct Place {
    pixel: u16,
    samples: u8,
    mirror: bool,
}

/// Buffers of one thread.
pub(crate) struct Tile {
    samples: Samples,
    mirrored: Samples,
    runs: Vec<Run>,
    /// Colours by channel and pixel.
    color: [Vec<f32>; 3],
    /// Colours by sample, while transparent things are drawn.
    sampled: Vec<V3>,
    reflection: Vec<V3>,
    fragments: Vec<(usize, u32)>,
    looks: Vec<Chain>,
    /// Where the chain of each look is.
    chains: Vec<u32>,
    collected: Fragments,
    scratch: Fragments,
    places: Vec<Place>,
}

impl Tile {
    pub(crate) fn new(samples: usize) -> Tile {
        Tile {
            samples: Samples::new(samples),
            mirrored: Samples::new(samples),
            runs: Vec::new(),
            color: std::array::from_fn(|_| vec![0.0; PIXELS]),
            sampled: vec![[0.0; 3]; PIXELS * samples],
            reflection: vec![[0.0; 3]; PIXELS],
            fragments: Vec::new(),
            looks: Vec::new(),
            chains: Vec::new(),
            collected: Fragments::default(),
            scratch: Fragments::default(),
            places: Vec::new(),
        }
    }

    /// Draws the tile in a column and row of tiles into rows of the picture, which start with the
    /// first row of the tile.
    pub(crate) fn draw(
        &mut self,
        frame: &Frame<'_>,
        column: usize,
        row: usize,
        rgb: &mut [u8],
        depth: &mut [f32],
    ) {
        fill(&mut self.samples, frame.geometry, column, row);
        let width = (frame.width - column * TILE).min(TILE);
        let height = (frame.height - row * TILE).min(TILE);
        for y in 0..height {
            let out = y * frame.width + column * TILE;
            for x in 0..width {
                depth[out + x] = self.samples.depth[(y * TILE + x) * self.samples.count];
            }
        }
        if let Some(segments) = frame.segments {
            for y in 0..height {
                let out = 3 * (y * frame.width + column * TILE);
                let ids = &self.samples.triangle[y * TILE..y * TILE + width];
                let (mut last, mut color) = (NOTHING, [0; 3]);
                for (pixel, &id) in rgb[out..out + 3 * width].chunks_exact_mut(3).zip(ids) {
                    if id != last {
                        (last, color) = (id, segment_color(frame, segments, id));
                    }
                    pixel.copy_from_slice(&color);
                }
            }
            return;
        }

        collect_runs(&self.samples, frame.geometry, width, height, &mut self.runs);
        self.color.iter_mut().for_each(|channel| channel.fill(0.0));
        let tile = row * frame.geometry.columns + column;
        let blended = !frame.geometry.blended[tile].is_empty();
        if blended {
            self.sampled.fill([0.0; 3]);
        }
        let reflects = self.reflect(frame, column, row, width, height);
        self.shade(frame, column, row, blended, reflects);
        if blended {
            self.blend(frame, column, row, tile);
        }
        for y in 0..height {
            let out = 3 * (y * frame.width + column * TILE);
            let row = &mut rgb[out..out + 3 * width];
            for x in (0..width).step_by(8) {
                let at = y * TILE + x;
                let bytes = [0, 1, 2].map(|k| {
                    (load(&self.color[k][at..]) + f32x8::splat(0.5)).fast_trunc_int().to_array()
                });
                for (lane, pixel) in row[3 * x..].chunks_exact_mut(3).take(8).enumerate() {
                    (0..3).for_each(|k| pixel[k] = bytes[k][lane] as u8);
                }
            }
        }
    }

    /// Links the runs of each look.
    fn chain_runs(&mut self, looks: usize) {
        let Tile { runs, looks: chains, chains: table, .. } = self;
        chains.clear();
        table.resize(looks, END);
        for at in 0..runs.len() {
            let look = runs[at].look;
            match table[look as usize] {
                END => {
                    table[look as usize] = chains.len() as u32;
                    chains.push(Chain { look, first: at as u32, last: at as u32 });
                }
                known => {
                    let chain = &mut chains[known as usize];
                    runs[chain.last as usize].next = at as u32;
                    chain.last = at as u32;
                }
            }
        }
        chains.iter().for_each(|chain| table[chain.look as usize] = END);
    }

    /// Shades the opaque fragments, one look after the other.
    fn shade(&mut self, frame: &Frame<'_>, column: usize, row: usize, keep: bool, reflects: bool) {
        let geometry = frame.geometry;
        self.chain_runs(frame.shader.list.looks.len());
        let chains = std::mem::take(&mut self.looks);
        let (mut fragments, mut scratch) =
            (std::mem::take(&mut self.collected), std::mem::take(&mut self.scratch));
        for chain in &chains {
            let look = &frame.shader.list.looks[chain.look as usize];
            let batched = frame.shader.batches(look);
            fragments.clear(PIXELS * self.samples.count, frame.shader.shadows.len());
            self.places.clear();
            let mut next = chain.first;
            while next != END {
                let run = self.runs[next as usize];
                next = run.next;
                let triangle = &geometry.triangles[run.triangle as usize];
                let at = [column * TILE + run.x as usize, row * TILE + run.y as usize];
                let (first, count) = (run.y as usize * TILE + run.x as usize, run.count as usize);
                let mirror = reflects && mirrors(frame, run.triangle);
                let place = |lane: usize| Place {
                    pixel: (first + lane) as u16,
                    samples: run.samples,
                    mirror,
                };
                if batched {
                    frame.shader.collect(geometry, triangle, look, at, count, &mut fragments);
                    self.places.extend((0..count).map(place));
                } else {
                    let wanted = (1 << count) - 1;
                    let shaded =
                        frame.shader.shade(geometry, triangle, at, wanted, true, &mut scratch).0;
                    let places: [Place; 8] = std::array::from_fn(place);
                    self.put(&places[..count], &shaded.map(|x| x.to_array()), keep);
                }
            }
            for at in (0..fragments.count).step_by(8) {
                let count = (fragments.count - at).min(8);
                let wanted = (1 << count) - 1;
                let shaded =
                    frame.shader.shade_collected(look, &fragments, at, wanted, None, true).0;
                let shaded = shaded.map(|x| x.to_array());
                let mut places = [Place { pixel: 0, samples: 0, mirror: false }; 8];
                places[..count].copy_from_slice(&self.places[at..at + count]);
                self.put(&places[..count], &shaded, keep);
            }
        }
        (self.collected, self.scratch, self.looks) = (fragments, scratch, chains);
    }

    /// Adds colours of fragments to their pixels.
    #[inline]
    fn put(&mut self, places: &[Place], shaded: &[[f32; 8]; 3], keep: bool) {
        let Tile { samples, color, sampled, reflection, .. } = self;
        let n = samples.count;
        for (lane, place) in places.iter().enumerate() {
            let pixel = place.pixel as usize;
            let mut value: V3 = [0, 1, 2].map(|k| shaded[k][lane]);
            if place.mirror {
                value = [0, 1, 2].map(|k| (value[k] + reflection[pixel][k]).min(255.0));
            }
            let covered = u32::from(place.samples).count_ones() as usize;
            let part = if covered == n { 1.0 } else { covered as f32 / n as f32 };
            (0..3).for_each(|k| color[k][pixel] += part * value[k]);
            if keep {
                for s in (0..n).filter(|s| place.samples >> s & 1 != 0) {
                    sampled[pixel * n + s] = value;
                }
            }
        }
    }

    /// Computes what the mirror shows at pixels where it is seen; says whether it shows anything.
    fn reflect(
        &mut self,
        frame: &Frame<'_>,
        column: usize,
        row: usize,
        width: usize,
        height: usize,
    ) -> bool {
        let Some(geometry) = frame.mirror else { return false };
        let tile = row * geometry.columns + column;
        let empty = geometry.opaque[tile].is_empty() && geometry.blended[tile].is_empty();
        if empty || !self.runs.iter().any(|run| mirrors(frame, run.triangle)) {
            return false;
        }
        let Tile { mirrored, reflection, fragments, scratch, .. } = self;
        reflection.fill([0.0; 3]);
        fill(mirrored, geometry, column, row);
        let mut runs = Vec::new();
        collect_runs(mirrored, geometry, width, height, &mut runs);
        let all = mirrored.count as f32;
        for run in &runs {
            let triangle = &geometry.triangles[run.triangle as usize];
            let at = [column * TILE + run.x as usize, row * TILE + run.y as usize];
            let wanted = (1 << run.count) - 1;
            let (shaded, _) = frame.shader.shade(geometry, triangle, at, wanted, false, scratch);
            let shaded = shaded.map(|x| x.to_array());
            let part = u32::from(run.samples).count_ones() as f32 / all;
            for lane in 0..run.count as usize {
                let pixel = &mut reflection[run.y as usize * TILE + run.x as usize + lane];
                (0..3).for_each(|k| pixel[k] += part * shaded[k][lane]);
            }
        }

        let groups = groups(geometry, &geometry.blended[tile]);
        for group in sweeps(&groups, frame.additive) {
            for &setup in &geometry.blended[tile][group] {
                shade_blended(
                    frame,
                    geometry,
                    mirrored,
                    fragments,
                    scratch,
                    setup,
                    column,
                    row,
                    |at, bits, color, alpha| {
                        let alpha = alpha * bits.count_ones() as f32 / all;
                        let pixel = &mut reflection[at];
                        for k in 0..3 {
                            let kept = if frame.additive { 1.0 } else { 1.0 - alpha };
                            pixel[k] = (kept * pixel[k] + alpha * color[k]).min(255.0);
                        }
                    },
                );
            }
        }
        true
    }

    /// Draws haze and transparent geoms over the samples: from near to far, then back.
    fn blend(&mut self, frame: &Frame<'_>, column: usize, row: usize, tile: usize) {
        let Tile { samples, color, sampled, fragments, scratch, .. } = self;
        let geometry = frame.geometry;
        let bin = &geometry.blended[tile];
        let is_haze = |setup: u32| {
            let triangle = &geometry.triangles[geometry.setups[setup as usize].triangle as usize];
            frame.shader.look(geometry, triangle).shading == Shading::Haze
        };
        let haze = bin.iter().take_while(|&&setup| is_haze(setup)).count();
        let count = samples.count;
        let mut draw = |setup: u32, additive: bool| {
            shade_blended(
                frame,
                geometry,
                samples,
                fragments,
                scratch,
                setup,
                column,
                row,
                |at, bits, color, alpha| {
                    let kept = if additive { 1.0 } else { 1.0 - alpha };
                    for s in 0..count {
                        if bits >> s & 1 != 0 {
                            let out = &mut sampled[at * count + s];
                            for k in 0..3 {
                                let mixed = kept * out[k] + alpha * color[k];
                                out[k] = (mixed.min(255.0) + 0.5).floor();
                            }
                        }
                    }
                },
            );
        };
        bin[..haze].iter().for_each(|&setup| draw(setup, false));
        let groups = groups(geometry, &bin[haze..]);
        for group in sweeps(&groups, frame.additive) {
            bin[haze..][group].iter().for_each(|&setup| draw(setup, frame.additive));
        }
        for (pixel, four) in sampled.chunks_exact(count).enumerate() {
            for k in 0..3 {
                color[k][pixel] = four.iter().map(|c| c[k]).sum::<f32>() / count as f32;
            }
        }
    }
}

/// Ranges of setups that belong to one geom, from near to far.
fn groups(geometry: &Geometry, bin: &[u32]) -> Vec<std::ops::Range<usize>> {
    let look = |setup: u32| {
        let triangle = geometry.setups[setup as usize].triangle;
        geometry.parts[geometry.triangles[triangle as usize].part as usize].look
    };
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for (i, &setup) in bin.iter().enumerate() {
        match groups.last_mut() {
            Some(last) if look(bin[last.start]) == look(setup) => last.end = i + 1,
            _ => groups.push(i..i + 1),
        }
    }
    groups
}

/// Geoms from near to far, then from far to near unless they only add light.
fn sweeps(
    groups: &[std::ops::Range<usize>],
    additive: bool,
) -> impl Iterator<Item = std::ops::Range<usize>> {
    let back = if additive { &[] } else { groups };
    groups.iter().chain(back.iter().rev()).cloned()
}

/// Whether a triangle is part of the mirror: of a box, its upper face.
fn mirrors(frame: &Frame<'_>, triangle: u32) -> bool {
    let Some(mirror) = frame.shader.list.mirror else { return false };
    let triangle = &frame.geometry.triangles[triangle as usize];
    frame.shader.look(frame.geometry, triangle).mirror
        && triangle.vertices.iter().all(|&v| {
            let offset = |k: usize| frame.geometry.world[k][v as usize] - mirror.position[k];
            let height: f32 = (0..3).map(|k| offset(k) * mirror.normal[k]).sum();
            let reach: f32 = (0..3).map(|k| offset(k).abs()).sum();
            height.abs() <= 1e-4 * (1.0 + reach)
        })
}

fn fill(samples: &mut Samples, geometry: &Geometry, column: usize, row: usize) {
    samples.clear();
    for &setup in &geometry.opaque[row * geometry.columns + column] {
        let setup = &geometry.setups[setup as usize];
        if let Some(at) = InTile::new(setup, column, row) {
            samples.fill(&at, setup.triangle);
        }
    }
}

/// Collects runs of pixels that show the same triangle in all samples, and the triangles of pixels
/// that show several.
fn collect_runs(
    samples: &Samples,
    geometry: &Geometry,
    width: usize,
    height: usize,
    runs: &mut Vec<Run>,
) {
    runs.clear();
    let look = |id: u32| geometry.parts[geometry.triangles[id as usize].part as usize].look as u32;
    let n = samples.count;
    let all = (1u8 << n) - 1;
    for y in 0..height {
        let row = &samples.triangle[y * TILE * n..(y + 1) * TILE * n];
        let mut open: Option<Run> = None;
        for x in 0..width {
            let ids = &row[x * n..(x + 1) * n];
            let first = ids[0];
            let single = ids.iter().all(|&id| id == first);
            if single
                && let Some(run) = &mut open
                && run.triangle == first
                && run.count < 8
            {
                run.count += 1;
                continue;
            }
            runs.extend(open.take());
            let (x8, y8) = (x as u8, y as u8);
            if single {
                if first != NOTHING {
                    open = Some(Run {
                        triangle: first,
                        x: x8,
                        y: y8,
                        count: 1,
                        samples: all,
                        look: look(first),
                        next: END,
                    });
                }
                continue;
            }
            let mut left = all;
            while left != 0 {
                let s = left.trailing_zeros() as usize;
                let same = (0..n).filter(|&t| ids[t] == ids[s]).fold(0, |m, t| m | 1 << t);
                left &= !same;
                if ids[s] != NOTHING {
                    let run = Run {
                        triangle: ids[s],
                        x: x8,
                        y: y8,
                        count: 1,
                        samples: same,
                        look: look(ids[s]),
                        next: END,
                    };
                    runs.push(run);
                }
            }
        }
        runs.extend(open);
    }
}

/// Shades a transparent triangle and calls `put` with pixel, bits of samples, colour and opacity.
fn shade_blended(
    frame: &Frame<'_>,
    geometry: &Geometry,
    samples: &Samples,
    fragments: &mut Vec<(usize, u32)>,
    scratch: &mut Fragments,
    setup: u32,
    column: usize,
    row: usize,
    mut put: impl FnMut(usize, u32, V3, f32),
) {
    let setup = &geometry.setups[setup as usize];
    let Some(at) = InTile::new(setup, column, row) else { return };
    let triangle = &geometry.triangles[setup.triangle as usize];
    fragments.clear();
    samples.fragments(&at, |pixel, bits| fragments.push((pixel, bits)));
    let mut rest = &fragments[..];
    while let Some(&(first, _)) = rest.first() {
        // neighbours in a row
        let count = (1..rest.len().min(8))
            .find(|&i| rest[i].0 != first + i || rest[i].0.is_multiple_of(TILE))
            .unwrap_or(rest.len().min(8));
        let (run, after) = rest.split_at(count);
        rest = after;
        let at = [column * TILE + first % TILE, row * TILE + first / TILE];
        let wanted = (1 << count) - 1;
        let (color, alpha) = frame.shader.shade(geometry, triangle, at, wanted, false, scratch);
        let color = color.map(|x| x.to_array());
        let alpha = alpha.max(f32x8::ZERO).min(f32x8::ONE).to_array();
        for (lane, &(pixel, bits)) in run.iter().enumerate() {
            put(pixel, bits, [0, 1, 2].map(|k| color[k][lane]), alpha[lane]);
        }
    }
}

fn segment_color(frame: &Frame<'_>, segments: Segments, triangle: u32) -> [u8; 3] {
    if triangle == NOTHING {
        return [0; 3];
    }
    let triangle = &frame.geometry.triangles[triangle as usize];
    let segment = frame.shader.look(frame.geometry, triangle).segment;
    match segments {
        Segments::Number => {
            let [r, g, b, _] = (segment + 1).to_le_bytes();
            [r, g, b]
        }
        Segments::Color => [2, 3, 5].map(|base| {
            let color = 0.1 + 0.8 * halton(segment + 10, base);
            (255.0 * color + 0.5) as u8
        }),
    }
}

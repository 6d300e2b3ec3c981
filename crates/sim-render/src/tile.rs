//! One tile of a picture, from triangles to pixels.

use std::sync::Mutex;

use sim_core::scene::halton;

use crate::colors::Colors;
use crate::draw::Shading;
use crate::fragment::{Eight, Fragments};
use crate::geometry::{Geometry, TILE};
use crate::pieces::Pieces;
use crate::raster::{InTile, NOTHING, Samples};
use crate::shade::Shader;
use crate::vector::{V3, V3x8, f32x8, i32x8};

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
    pub(crate) pieces: &'a Pieces,
    /// The scene as the mirror shows it.
    pub(crate) mirror: Option<&'a Pieces>,
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

/// Where a fragment is: its triangle, pixel and samples, and whether the mirror is seen there.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    triangle: u32,
    pixel: u16,
    samples: u8,
    mirror: bool,
}

/// A row of tiles of a picture.
pub(crate) struct Band<'a> {
    pub(crate) rgb: &'a mut [u8],
    pub(crate) depth: &'a mut [f32],
}

/// The runs of a tile.
#[derive(Debug, Default)]
struct Runs {
    list: Vec<Run>,
    chains: Vec<Chain>,
    /// Where the chain of each look is.
    table: Vec<u32>,
}

/// Buffers for shading.
#[derive(Debug, Default)]
struct Scratch {
    fragments: Fragments,
    eight: Eight,
    ahead: Eight,
    places: Vec<Place>,
}

/// Buffers of one thread.
#[derive(Debug)]
pub(crate) struct Tile {
    samples: Samples,
    mirrored: Samples,
    runs: Runs,
    mirrored_runs: Runs,
    colors: Colors,
    /// Colours as bytes, with one byte more.
    bytes: Vec<u8>,
    reflection: Vec<V3>,
    fragments: Vec<(usize, u32)>,
    /// Setups of haze and transparent geoms that may be seen.
    blended: Vec<u32>,
    scratch: Scratch,
}

impl Tile {
    pub(crate) fn new(samples: usize) -> Tile {
        Tile {
            samples: Samples::new(samples),
            mirrored: Samples::new(samples),
            runs: Runs::default(),
            mirrored_runs: Runs::default(),
            colors: Colors::new(samples),
            bytes: vec![0; 3 * PIXELS + 1],
            reflection: vec![[0.0; 3]; PIXELS],
            fragments: Vec::new(),
            blended: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Samples per pixel.
    pub(crate) fn samples(&self) -> usize {
        self.samples.count
    }

    /// Draws the tile in a column and row of tiles into rows of the picture, which start with the
    /// first row of the tile.
    pub(crate) fn draw(
        &mut self,
        frame: &Frame<'_>,
        column: usize,
        row: usize,
        band: &Mutex<Band<'_>>,
    ) {
        let pieces = frame.pieces;
        let tile = row * pieces.columns() + column;
        let width = (frame.width - column * TILE).min(TILE);
        let height = (frame.height - row * TILE).min(TILE);
        let lock = || band.lock().expect("bands are only copied to under the lock");
        if pieces.is_empty(tile) {
            let Band { rgb, depth } = &mut *lock();
            for y in 0..height {
                let out = y * frame.width + column * TILE;
                rgb[3 * out..3 * (out + width)].fill(0);
                depth[out..out + width].fill(0.0);
            }
            return;
        }

        pieces.fill(&mut self.samples, column, row);
        if let Some(segments) = frame.segments {
            let (mut last, mut color) = (NOTHING, [0; 3]);
            for (pixel, &id) in self.bytes.chunks_exact_mut(3).zip(&self.samples.triangle) {
                if id != last {
                    (last, color) = (id, segment_color(frame, segments, id));
                }
                pixel.copy_from_slice(&color);
            }
        } else {
            self.runs.collect(&self.samples, pieces, width, height);
            self.find_blended(pieces.last(), column, row);
            self.colors.clear(!self.blended.is_empty());
            let reflects = self.reflect(frame, column, row, width, height);
            self.shade(frame, column, row, reflects);
            self.blend(frame, column, row);
            self.colors.resolve();
            self.colors.round(&mut self.bytes);
        }

        let count = self.samples.count;
        let Band { rgb, depth } = &mut *lock();
        for y in 0..height {
            let (from, to) = (y * TILE, y * frame.width + column * TILE);
            rgb[3 * to..3 * (to + width)]
                .copy_from_slice(&self.bytes[3 * from..3 * (from + width)]);
            let depths = &self.samples.depth[from * count..(from + width) * count];
            let out = &mut depth[to..to + width];
            match count {
                1 => out.copy_from_slice(depths),
                _ => {
                    for (out, samples) in out.iter_mut().zip(depths.chunks_exact(4)) {
                        *out = samples[0];
                    }
                }
            }
        }
    }

    /// Shades the opaque fragments.
    fn shade(&mut self, frame: &Frame<'_>, column: usize, row: usize, reflects: bool) {
        let Tile { runs, colors, reflection, scratch, .. } = self;
        runs.link(frame.shader.list.looks.len());
        let mirror = |triangle: u32| reflects && mirrors(frame, triangle);
        let corner = [column * TILE, row * TILE];
        runs.shade(frame, frame.pieces, corner, true, mirror, scratch, |places, shaded| {
            put(places, shaded, reflection, colors);
        });
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
        let Some(pieces) = frame.mirror else { return false };
        let tile = row * pieces.columns() + column;
        if pieces.is_empty(tile) || !self.runs.list.iter().any(|run| mirrors(frame, run.triangle)) {
            return false;
        }
        let Tile { mirrored, runs, mirrored_runs, reflection, fragments, scratch, .. } = self;
        reflection.fill([0.0; 3]);
        // elsewhere nothing is in front
        mirrored.clear_to(f32::INFINITY);
        for run in runs.list.iter().filter(|run| mirrors(frame, run.triangle)) {
            let first = run.y as usize * TILE + run.x as usize;
            mirrored.open(first..first + run.count as usize);
        }
        pieces.add(mirrored, column, row);
        mirrored_runs.collect(mirrored, pieces, width, height);
        mirrored_runs.link(frame.shader.list.looks.len());
        let all = mirrored.count as f32;
        let corner = [column * TILE, row * TILE];
        let seen = |_: u32| false;
        mirrored_runs.shade(frame, pieces, corner, false, seen, scratch, |places, shaded| {
            for (lane, place) in places.iter().enumerate() {
                let part = place.samples.count_ones() as f32 / all;
                let pixel = &mut reflection[place.pixel as usize];
                (0..3).for_each(|k| pixel[k] += part * shaded[k][lane]);
            }
        });

        let geometry = pieces.last();
        let groups = groups(geometry, &geometry.blended[tile]);
        for group in sweeps(&groups, frame.additive) {
            for &setup in &geometry.blended[tile][group] {
                shade_blended(
                    frame,
                    geometry,
                    mirrored,
                    fragments,
                    &mut scratch.eight,
                    setup,
                    column,
                    row,
                    |run, color, alpha| {
                        let (color, alpha) = (color.map(|x| x.to_array()), alpha.to_array());
                        for (lane, &(at, bits)) in run.iter().enumerate() {
                            let alpha = alpha[lane] * bits.count_ones() as f32 / all;
                            let kept = if frame.additive { 1.0 } else { 1.0 - alpha };
                            let pixel = &mut reflection[at];
                            for k in 0..3 {
                                pixel[k] = (kept * pixel[k] + alpha * color[k][lane]).min(255.0);
                            }
                        }
                    },
                );
            }
        }
        true
    }

    /// Finds the blended setups that may be in front of something in the tile.
    fn find_blended(&mut self, geometry: &Geometry, column: usize, row: usize) {
        self.blended.clear();
        let bin = &geometry.blended[row * geometry.columns + column];
        if bin.is_empty() {
            return;
        }
        let farthest = self.samples.farthest();
        let reaches = |&setup: &u32| {
            let at = InTile::new(&geometry.setups[setup as usize], column, row);
            at.is_some_and(|at| at.nearest() >= farthest)
        };
        self.blended.extend(bin.iter().copied().filter(reaches));
    }

    /// Draws haze and transparent geoms over the samples: from near to far, then back.
    fn blend(&mut self, frame: &Frame<'_>, column: usize, row: usize) {
        let Tile { samples, colors, fragments, scratch, blended: bin, .. } = self;
        let geometry = frame.pieces.last();
        let is_haze = |setup: u32| {
            let triangle = &geometry.triangles[geometry.setups[setup as usize].triangle as usize];
            frame.shader.look(geometry, triangle).shading == Shading::Haze
        };
        let haze = bin.iter().take_while(|&&setup| is_haze(setup)).count();
        let mut draw = |setup: u32, additive: bool| {
            shade_blended(
                frame,
                geometry,
                samples,
                fragments,
                &mut scratch.eight,
                setup,
                column,
                row,
                |run, color, alpha| {
                    let kept = if additive { f32x8::ONE } else { f32x8::ONE - alpha };
                    colors.blend(run, color, alpha, kept);
                },
            );
        };
        bin[..haze].iter().for_each(|&setup| draw(setup, false));
        let groups = groups(geometry, &bin[haze..]);
        for group in sweeps(&groups, frame.additive) {
            bin[haze..][group].iter().for_each(|&setup| draw(setup, frame.additive));
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
    let (geometry, triangle) = frame.pieces.triangle(triangle);
    frame.shader.look(geometry, triangle).mirror
        && triangle.vertices.iter().all(|&v| {
            let world = geometry.vertices[v as usize].world;
            let offset = |k: usize| world[k] - mirror.position[k];
            let height: f32 = (0..3).map(|k| offset(k) * mirror.normal[k]).sum();
            let reach: f32 = (0..3).map(|k| offset(k).abs()).sum();
            height.abs() <= 1e-4 * (1.0 + reach)
        })
}

impl Runs {
    /// Collects runs of pixels that show the same triangle in all samples, and the triangles of pixels
    /// that show several.
    fn collect(&mut self, samples: &Samples, pieces: &Pieces, width: usize, height: usize) {
        let runs = &mut self.list;
        runs.clear();
        let look = |id: u32| {
            let (geometry, triangle) = pieces.triangle(id);
            geometry.parts[triangle.part as usize].look as u32
        };
        let n = samples.count;
        let all = (1u8 << n) - 1;
        for y in 0..height {
            let row = &samples.triangle[y * TILE * n..(y * TILE + width) * n];
            let mut x = 0;
            while x < width {
                let run = |x: usize, triangle: u32, count: usize, samples: u8| Run {
                    triangle,
                    x: x as u8,
                    y: y as u8,
                    count: count as u8,
                    samples,
                    look: look(triangle),
                    next: END,
                };
                let first = row[x * n];
                let length = leading(&row[x * n..], first) / n;
                if length > 0 {
                    let end = x + length;
                    if first != NOTHING {
                        runs.extend(
                            (x..end).step_by(8).map(|x| run(x, first, (end - x).min(8), all)),
                        );
                    }
                    x = end;
                    continue;
                }
                let ids = &row[x * n..(x + 1) * n];
                let mut left = all;
                while left != 0 {
                    let id = ids[left.trailing_zeros() as usize];
                    let same =
                        ids.iter().enumerate().fold(0, |m, (t, &i)| m | u8::from(i == id) << t);
                    left &= !same;
                    if id != NOTHING {
                        runs.push(run(x, id, 1, same));
                    }
                }
                x += 1;
            }
        }
    }

    /// Links the runs of each look, of which there are `looks`.
    fn link(&mut self, looks: usize) {
        let Runs { list, chains, table } = self;
        chains.clear();
        table.resize(looks, END);
        for at in 0..list.len() {
            let look = list[at].look;
            match table[look as usize] {
                END => {
                    table[look as usize] = chains.len() as u32;
                    chains.push(Chain { look, first: at as u32, last: at as u32 });
                }
                known => {
                    let chain = &mut chains[known as usize];
                    list[chain.last as usize].next = at as u32;
                    chain.last = at as u32;
                }
            }
        }
        chains.iter().for_each(|chain| table[chain.look as usize] = END);
    }

    /// Shades the runs, one look after the other, and hands up to eight places and their colours at
    /// a time to `put`. The tile begins at the pixel `corner`; `mirror` says which triangles are part
    /// of the mirror, `shadows` whether lights that throw shadows are added.
    fn shade(
        &self,
        frame: &Frame<'_>,
        pieces: &Pieces,
        corner: [usize; 2],
        shadows: bool,
        mirror: impl Fn(u32) -> bool,
        scratch: &mut Scratch,
        mut put: impl FnMut(&[Place], &[[f32; 8]; 3]),
    ) {
        let shader = &frame.shader;
        let Scratch { fragments, eight, ahead, places } = scratch;
        let (mut eight, mut ahead) = (eight, ahead);
        let bytes = |shaded: V3x8| shaded.map(|x| x.to_array());
        for chain in &self.chains {
            let look = &shader.list.looks[chain.look as usize];
            let batches = shader.batches(look);
            // how many neighbours are worth to be shaded as if they were eight
            let many = if shader.shadows.is_empty() { 3 } else { 6 };
            fragments.clear(4 * PIXELS, pieces.last().stride);
            places.clear();
            // eight neighbours are coloured when the next ones are found: two things that do not
            // depend on each other are done at once
            let mut found: Option<[Place; 8]> = None;
            let color = |eight: &Eight, wanted: u32| {
                bytes(shader.shade_eight(look, eight, wanted, None, shadows).0)
            };
            let mut next = chain.first;
            while next != END {
                let run = self.list[next as usize];
                next = run.next;
                let (geometry, triangle) = pieces.triangle(run.triangle);
                let (x, y, count) = (run.x as usize, run.y as usize, run.count as usize);
                let at = [corner[0] + x, corner[1] + y];
                let mirror = look.mirror && mirror(run.triangle);
                let place = |lane: usize| Place {
                    triangle: run.triangle,
                    pixel: (y * TILE + x + lane) as u16,
                    samples: run.samples,
                    mirror,
                };
                // few neighbours wait until there are eight
                if batches && count < many {
                    if shader.has_grid(geometry, triangle) {
                        shader.neighbours(geometry, triangle, look, at, ahead);
                        fragments.add(ahead, count, shader.needed(look));
                    }
                    places.extend((0..count).map(place));
                } else if batches && count == 8 {
                    shader.neighbours(geometry, triangle, look, at, ahead);
                    if let Some(places) = found.replace(std::array::from_fn(place)) {
                        put(&places, &color(eight, 0xff));
                    }
                    std::mem::swap(&mut eight, &mut ahead);
                } else {
                    let wanted = (1 << count) - 1;
                    let shaded = shader.shade(geometry, triangle, at, wanted, shadows, ahead).0;
                    let places: [Place; 8] = std::array::from_fn(place);
                    put(&places[..count], &bytes(shaded));
                }
            }
            if let Some(places) = found {
                put(&places, &color(eight, 0xff));
            }
            for (number, places) in places.chunks(8).enumerate() {
                if fragments.count > 0 {
                    fragments.take(8 * number, shader.needed(look), eight);
                } else {
                    let mut pixel = [[0.0; 8]; 2];
                    let mut triangles = [pieces.triangle(places[0].triangle); 8];
                    for (lane, place) in places.iter().enumerate() {
                        let at = usize::from(place.pixel);
                        pixel[0][lane] = (corner[0] + at % TILE) as f32 + 0.5;
                        pixel[1][lane] = (corner[1] + at / TILE) as f32 + 0.5;
                        triangles[lane] = pieces.triangle(place.triangle);
                    }
                    shader.gather(look, &triangles, pixel.map(f32x8::new), eight);
                }
                put(places, &color(eight, (1 << places.len()) - 1));
            }
        }
    }
}

/// Gives fragments' pixels their colours.
#[inline]
fn put(places: &[Place], shaded: &[[f32; 8]; 3], reflection: &[V3], colors: &mut Colors) {
    // fragments are in the order of their pixels
    if let [first, .., last] = places
        && places.len() == 8
        && last.pixel == first.pixel + 7
        && places.iter().all(|p| u32::from(p.samples) == colors.all() && !p.mirror)
    {
        return colors.set_eight(first.pixel as usize, shaded);
    }
    for (lane, place) in places.iter().enumerate() {
        let value = reflected(place, [0, 1, 2].map(|k| shaded[k][lane]), reflection);
        colors.set(place.pixel as usize, place.samples.into(), value);
    }
}

/// The colour of a fragment, with what the mirror shows there if it is part of the mirror.
fn reflected(place: &Place, value: V3, reflection: &[V3]) -> V3 {
    if !place.mirror {
        return value;
    }
    let shown = reflection[place.pixel as usize];
    [0, 1, 2].map(|k| (value[k] + shown[k]).min(255.0))
}

/// How many numbers at the start are `id`.
#[inline]
fn leading(ids: &[u32], id: u32) -> usize {
    let wanted = i32x8::splat(id as i32);
    let (eights, rest) = ids.as_chunks::<8>();
    let mut count = 0;
    for eight in eights {
        let eight: i32x8 = bytemuck::cast(*eight);
        let same = eight.simd_eq(wanted).to_bitmask() & 0xff;
        if same != 0xff {
            return count + same.trailing_ones() as usize;
        }
        count += 8;
    }
    count + rest.iter().take_while(|&&other| other == id).count()
}

/// Shades a transparent triangle, and calls `put` with up to eight neighbouring pixels, each with the
/// bits of its samples, and with their colours and opacities.
fn shade_blended(
    frame: &Frame<'_>,
    geometry: &Geometry,
    samples: &mut Samples,
    fragments: &mut Vec<(usize, u32)>,
    eight: &mut Eight,
    setup: u32,
    column: usize,
    row: usize,
    mut put: impl FnMut(&[(usize, u32)], &V3x8, f32x8),
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
        let (color, alpha) = frame.shader.shade(geometry, triangle, at, wanted, false, eight);
        put(run, &color, alpha.max(f32x8::ZERO).min(f32x8::ONE));
    }
}

fn segment_color(frame: &Frame<'_>, segments: Segments, triangle: u32) -> [u8; 3] {
    if triangle == NOTHING {
        return [0; 3];
    }
    let (geometry, triangle) = frame.pieces.triangle(triangle);
    let segment = frame.shader.look(geometry, triangle).segment;
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

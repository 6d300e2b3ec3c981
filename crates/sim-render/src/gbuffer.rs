//! Geometry buffers: what the pixels of a picture show, beyond colours and depths.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_core::model::GeomType;
use sim_core::scene::{Geom, GlCamera, Scene};

use crate::assets::Assets;
use crate::draw::{DrawList, Part, moving_shapes};
use crate::geometry::{Geometry, Placed, TILE, Triangle, place8};
use crate::pieces::Pieces;
use crate::raster::{NOTHING, Samples};
use crate::renderer::{NO_FRUSTUM, Renderer, check_size, has_frustum};
use crate::vector::{V3, f32x8};
use crate::view::View;

type Point = [f64; 3];

/// What a pixel shows: a triangle, and the weights of its corners.
struct Seen<'a> {
    geometry: &'a Geometry,
    triangle: &'a Triangle,
    weights: Point,
}

impl Renderer {
    /// Unit normals, in the world, of the surfaces that the pixels of a picture of `scene` show, rows
    /// from the bottom up; zeros where there is nothing.
    pub fn normals(
        &mut self,
        scene: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Vec<[f32; 3]>, String> {
        check_size(width, height)?;
        let Renderer { assets, geometry, threads, .. } = self;
        let moving = moving_shapes(scene, assets);
        let (list, view) = see(scene, assets, &moving, width, height)?;
        let run = 0..list.parts.len();
        geometry.resized(1)[0].build(&list, run, &view, 1, None, None);
        let mut normals = vec![[0.0; 3]; width * height];
        visit(geometry, &view, *threads, &mut normals, |seen| normal(&list, seen));
        Ok(normals)
    }

    /// Optical flow: by how many pixels to the right and down what the pixels of a picture of `scene`
    /// show has moved since `before`, rows from the bottom up. Zeros where there is nothing, NaN for
    /// what was absent or behind the camera before.
    pub fn flow(
        &mut self,
        scene: &Scene,
        before: &Scene,
        width: usize,
        height: usize,
    ) -> Result<Vec<[f32; 2]>, String> {
        check_size(width, height)?;
        let Renderer { assets, geometry, threads, .. } = self;
        let (moving, moved) = (moving_shapes(scene, assets), moving_shapes(before, assets));
        let (list, view) = see(scene, assets, &moving, width, height)?;
        let (old, old_view) = see(before, assets, &moved, width, height)?;
        let partner = partners(scene, before, &list, &old);
        let run = 0..list.parts.len();
        geometry.resized(1)[0].build(&list, run, &view, 1, None, None);
        let mut flow = vec![[0.0; 2]; width * height];
        visit(geometry, &view, *threads, &mut flow, |seen| {
            let here = seen.mix(|v| seen.geometry.vertices[v].world.map(f64::from));
            let placed = seen.placed();
            let geom = &scene.geoms[list.looks[placed.look].geom];
            let there = match endless(geom) {
                // it follows the camera, but what it shows stays
                true => Some(here),
                false => partner.get(placed.part).copied().flatten().and_then(|part| {
                    let part = &old.parts[part];
                    let shape = list.parts[placed.part].shape;
                    (part.shape.len() == shape.len())
                        .then(|| seen.mix(|v| world(part, v - placed.first)))
                }),
            };
            let pixels = view.pixel(here).zip(there.and_then(|there| old_view.pixel(there)));
            match pixels {
                Some((now, then)) => [(now[0] - then[0]) as f32, (then[1] - now[1]) as f32],
                None => [f32::NAN; 2],
            }
        });
        Ok(flow)
    }
}

impl Seen<'_> {
    fn placed(&self) -> &Placed {
        &self.geometry.parts[self.triangle.part as usize]
    }

    /// A quantity between its values at the corners.
    fn mix(&self, value: impl Fn(usize) -> Point) -> Point {
        let corners = self.triangle.vertices.map(|v| value(v as usize));
        std::array::from_fn(|k| (0..3).map(|i| self.weights[i] * corners[i][k]).sum())
    }
}

/// The surfaces of a scene, and the camera that sees them.
fn see<'a>(
    scene: &'a Scene,
    assets: &'a Assets,
    moving: &'a [Option<crate::shapes::Shape>],
    width: usize,
    height: usize,
) -> Result<(DrawList<'a>, View), String> {
    let camera = GlCamera::average(&scene.camera[0], &scene.camera[1])?;
    if !has_frustum(&camera) {
        return Err(NO_FRUSTUM.to_owned());
    }
    let (eye, ..) = scene.camera_in_model()?;
    let eye = eye.to_array().map(|x| x as f32);
    let mut list = DrawList::new(scene, assets, moving, eye, camera.frustum_far, true);
    // lines have no surface
    list.lines.clear();
    Ok((list, View::camera(&camera, scene, width, height)))
}

/// Computes the value of each pixel that shows something; each thread takes the next row of tiles.
fn visit<T: Send>(
    pieces: &Pieces,
    view: &View,
    threads: usize,
    values: &mut [T],
    value: impl Fn(&Seen<'_>) -> T + Sync,
) {
    let width = view.width;
    let bands: Vec<_> = values.chunks_mut(width * TILE).map(Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut samples = Samples::new(1);
        loop {
            let row = next.fetch_add(1, Ordering::Relaxed);
            let Some(band) = bands.get(row) else { return };
            let mut band = band.lock().expect("one thread per row of tiles");
            for column in 0..pieces.columns() {
                pieces.fill(&mut samples, column, row);
                for (at, &id) in samples.triangle.iter().enumerate() {
                    let (x, y) = (column * TILE + at % TILE, at / TILE);
                    if id == NOTHING || x >= width {
                        continue;
                    }
                    let (geometry, triangle) = pieces.triangle(id);
                    let weights = weights(geometry, triangle, x, row * TILE + y);
                    if let Some(out) = band.get_mut(y * width + x) {
                        *out = value(&Seen { geometry, triangle, weights });
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        (1..threads.min(bands.len())).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}

/// Weights of the corners of a triangle in the middle of a pixel. Olano and Greer, Triangle scan
/// conversion using 2D homogeneous coordinates (1997).
fn weights(geometry: &Geometry, triangle: &Triangle, x: usize, y: usize) -> Point {
    let [p, q, r] = triangle.vertices.map(|v| {
        let [x, y, _, w] = geometry.vertices[v as usize].clip.map(f64::from);
        [x, y, w]
    });
    let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
    let at = |u: Point, v: Point| {
        (u[1] * v[2] - u[2] * v[1]) * x
            + (u[2] * v[0] - u[0] * v[2]) * y
            + (u[0] * v[1] - u[1] * v[0])
    };
    let parts = [at(q, r), at(r, p), at(p, q)];
    let sum: f64 = parts.iter().sum();
    if sum == 0.0 { [1.0, 0.0, 0.0] } else { parts.map(|part| part / sum) }
}

/// The unit normal of what a pixel shows.
fn normal(list: &DrawList<'_>, seen: &Seen<'_>) -> V3 {
    let placed = seen.placed();
    let Some(part) = list.parts.get(placed.part) else { return [0.0; 3] };
    // by the inverse transpose, so divided by the scale
    let local = seen.mix(|v| {
        let normal = part.shape.normal.each_ref().map(|n| f64::from(n[v - placed.first]));
        std::array::from_fn(|k| match part.scale[k] {
            0.0 => normal[k],
            scale => normal[k] / f64::from(scale),
        })
    });
    let m = part.rotation.map(f64::from);
    let n: Point = std::array::from_fn(|k| (0..3).map(|j| m[3 * k + j] * local[j]).sum());
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if length > 0.0 { n.map(|x| (x / length) as f32) } else { [0.0; 3] }
}

/// Where a vertex of a part is in the world.
fn world(part: &Part<'_>, vertex: usize) -> Point {
    let local = part.shape.point(vertex).map(f32x8::splat);
    place8(part, local).map(|x| f64::from(x.to_array()[0]))
}

/// Whether a geom is a plane that is as wide as one can see.
fn endless(geom: &Geom) -> bool {
    geom.kind == GeomType::Plane as i32 && geom.size[..2].iter().any(|&size| size <= 0.0)
}

/// For each part of a scene, the part of the scene before that it was.
fn partners(
    scene: &Scene,
    before: &Scene,
    list: &DrawList<'_>,
    old: &DrawList<'_>,
) -> Vec<Option<usize>> {
    // geoms of one object are told apart by their order
    let keys = |scene: &Scene| -> Vec<([i32; 4], usize)> {
        let mut seen: HashMap<[i32; 4], usize> = HashMap::new();
        let key = |geom: &Geom| {
            let key = [geom.objtype, geom.objid, geom.kind, geom.category];
            let count = seen.entry(key).or_default();
            *count += 1;
            (key, *count)
        };
        scene.geoms.iter().map(key).collect()
    };
    let first_parts = |list: &DrawList<'_>| -> HashMap<usize, usize> {
        let geom = |(id, part): (usize, &Part<'_>)| (list.looks[part.look].geom, id);
        list.parts.iter().enumerate().rev().map(geom).collect()
    };
    let then: HashMap<_, _> = keys(before).into_iter().zip(0..).collect();
    let (now, first, old_first) = (keys(scene), first_parts(list), first_parts(old));
    let partner = |(id, part): (usize, &Part<'_>)| {
        let geom = list.looks[part.look].geom;
        let other: usize = *then.get(now.get(geom)?)?;
        let found = old_first.get(&other)? + (id - first.get(&geom)?);
        let same = old.parts.get(found).is_some_and(|part| old.looks[part.look].geom == other);
        same.then_some(found)
    };
    list.parts.iter().enumerate().map(partner).collect()
}

//! The renderer: scenes in, pictures out.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_core::Model;
use sim_core::scene::{GlCamera, RenderFlag, Scene, Stereo};

use crate::assets::Assets;
use crate::draw::{DrawList, moving_shapes};
use crate::geometry::{ClipPlane, Lighting, MAX_SIZE, TILE};
use crate::light::LightSet;
use crate::pieces::{Pieces, runs};
use crate::shade::{Fog, Shader};
use crate::shadow::{ShadowMap, ShadowSettings};
use crate::text::{Canvas, TextSize};
use crate::tile::{Band, Frame, Segments, Tile};
use crate::vector::{V3, dot};
use crate::view::{View, projection};

/// Most pixels of a picture.
const MAX_PIXELS: usize = 1 << 25;
/// Ambient light of a scene without lights.
const DIM: f32 = 0.3;

/// A picture; rows from the bottom up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picture {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Red, green and blue of each pixel.
    pub rgb: Vec<u8>,
    /// Depth of each pixel: 1 at the near plane, 0 at the far plane and where there is nothing.
    pub depth: Vec<f32>,
}

impl Picture {
    /// An empty picture.
    pub fn new(width: usize, height: usize) -> Result<Picture, String> {
        check_size(width, height)?;
        let pixels = width * height;
        Ok(Picture { width, height, rgb: vec![0; 3 * pixels], depth: vec![0.0; pixels] })
    }

    /// Rows from the top down, as files have them.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.rgb.chunks_exact(3 * self.width.max(1)).rev()
    }

    /// The distance from the plane of the camera for a number of `depth`.
    pub fn distance(depth: f32, camera: &GlCamera) -> f32 {
        let (near, far, parallel) =
            (camera.frustum_near, camera.frustum_far, camera.orthographic != 0);
        let [_, _, slope, offset] = projection([-1.0, 1.0, -1.0, 1.0], near, far, parallel)[2];
        let (slope, offset, depth) = (f64::from(slope), f64::from(offset), f64::from(depth));
        let distance = if parallel { (offset - depth) / slope } else { offset / (depth + slope) };
        distance as f32
    }
}

/// Says what is wrong with the size of a picture.
pub(crate) fn check_size(width: usize, height: usize) -> Result<(), String> {
    if width == 0 || height == 0 {
        return Err(format!("a picture of {width} by {height} pixels has none"));
    }
    if width > MAX_SIZE || height > MAX_SIZE || width * height > MAX_PIXELS {
        return Err(format!(
            "a picture of {width} by {height} pixels is too large: at most {MAX_SIZE} each way \
             and {MAX_PIXELS} in all"
        ));
    }
    Ok(())
}

/// Draws scenes of one model. Buffers are kept from picture to picture.
#[derive(Debug)]
pub struct Renderer {
    pub(crate) assets: Assets,
    pub(crate) threads: usize,
    pub(crate) geometry: Pieces,
    mirror: Pieces,
    shadows: Vec<ShadowMap>,
    /// Buffers of each thread.
    tiles: Vec<Tile>,
    text: TextSize,
}

impl Renderer {
    /// A renderer for scenes of `model`, which works on one thread.
    pub fn new(model: &Model) -> Renderer {
        Renderer {
            assets: Assets::new(model),
            threads: 1,
            geometry: Pieces::default(),
            mirror: Pieces::default(),
            shadows: Vec::new(),
            tiles: Vec::new(),
            text: TextSize::default(),
        }
    }

    /// Sets the number of threads; 0 means one per core. Pictures do not depend on it.
    pub fn set_threads(&mut self, threads: usize) {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads = if threads == 0 { cores() } else { threads.min(256) };
    }

    /// Sets the size of labels, in percent.
    pub fn set_text_size(&mut self, percent: i32) {
        self.text = TextSize::percent(percent);
    }

    /// Reads the vertices of a mesh again.
    pub fn reload_mesh(&mut self, model: &Model, id: usize) {
        self.assets.reload_mesh(model, id);
    }

    /// Reads a height field again.
    pub fn reload_hfield(&mut self, model: &Model, id: usize) {
        self.assets.reload_hfield(model, id);
    }

    /// Reads a texture again.
    pub fn reload_texture(&mut self, model: &Model, id: usize) {
        self.assets.reload_texture(model, id);
    }

    /// Draws `scene` into `picture`, which says how large it is.
    pub fn render(&mut self, scene: &Scene, picture: &mut Picture) -> Result<(), String> {
        check_size(picture.width, picture.height)?;
        let pixels = picture.width * picture.height;
        if picture.rgb.len() != 3 * pixels || picture.depth.len() != pixels {
            *picture = Picture::new(picture.width, picture.height)?;
        }
        if scene.stereo == Stereo::None as i32 {
            let camera = GlCamera::average(&scene.camera[0], &scene.camera[1])?;
            self.draw(scene, &camera, picture)?;
        } else {
            self.draw_stereo(scene, picture)?;
        }
        draw_border(scene, picture);
        if scene.draws(RenderFlag::Depth) {
            for (pixel, depth) in picture.rgb.chunks_exact_mut(3).zip(&picture.depth) {
                pixel.fill((255.0 * depth + 0.5) as u8);
            }
        }
        Ok(())
    }

    /// Draws what the left and the right camera see side by side.
    fn draw_stereo(&mut self, scene: &Scene, picture: &mut Picture) -> Result<(), String> {
        let half = picture.width / 2;
        picture.rgb.fill(0);
        picture.depth.fill(0.0);
        for (side, camera) in scene.camera.iter().enumerate() {
            let mut view = Picture::new(half, picture.height)?;
            self.draw(scene, camera, &mut view)?;
            for y in 0..picture.height {
                let (from, to) = (y * half, y * picture.width + side * half);
                picture.rgb[3 * to..3 * (to + half)]
                    .copy_from_slice(&view.rgb[3 * from..3 * (from + half)]);
                picture.depth[to..to + half].copy_from_slice(&view.depth[from..from + half]);
            }
        }
        Ok(())
    }

    fn draw(
        &mut self,
        scene: &Scene,
        camera: &GlCamera,
        picture: &mut Picture,
    ) -> Result<(), String> {
        if !has_frustum(camera) {
            if scene.geoms.is_empty() {
                picture.rgb.fill(0);
                picture.depth.fill(0.0);
                return Ok(());
            }
            return Err(NO_FRUSTUM.to_owned());
        }
        let (width, height) = (picture.width, picture.height);
        let segments =
            scene.draws(RenderFlag::Segment).then(|| match scene.draws(RenderFlag::IdColor) {
                true => Segments::Number,
                false => Segments::Color,
            });
        let assets = &self.assets;
        let few = assets.visual.quality.offsamples <= 0 || segments.is_some();
        let samples = if few { 1 } else { 4 };
        let (eye, forward, _) = scene.camera_in_model()?;
        let [eye, forward] = [eye, forward].map(|v| v.to_array().map(|x| x as f32));
        let view = View::camera(camera, scene, width, height);
        let far = camera.frustum_far;
        let moving = moving_shapes(scene, assets);
        let list = DrawList::new(scene, assets, &moving, eye, far, segments.is_some());

        // lights that throw shadows are added one by one
        let size = usize::try_from(assets.visual.quality.shadowsize).unwrap_or(0).min(1 << 15);
        let shadows = scene.draws(RenderFlag::Shadow)
            && !scene.draws(RenderFlag::Wireframe)
            && size > 2
            && segments.is_none();
        let (casting, open): (Vec<usize>, Vec<usize>) =
            (0..scene.lights.len()).partition(|&id| shadows && scene.lights[id].castshadow != 0);
        let mut sets = vec![LightSet { lights: open, emission: true }];
        sets.extend(casting.iter().map(|&id| LightSet { lights: vec![id], emission: false }));
        let all = LightSet { lights: (0..scene.lights.len()).collect(), emission: true };
        let ambient = if scene.lights.is_empty() { DIM } else { 0.0 };
        let lights = &scene.lights;
        let colors = 3 * sets.len();
        let lighting = Lighting {
            lights,
            sets: &sets,
            colors,
            all: all.clone(),
            eye,
            forward,
            ambient,
            dim: 1.0,
        };
        let lit = segments.is_none().then_some(&lighting);
        let settings = ShadowSettings {
            clip: [camera.frustum_near, far],
            reach: assets.visual.map.shadowclip * assets.extent,
            scale: assets.visual.map.shadowscale,
            size,
        };
        self.shadows.resize_with(casting.len(), ShadowMap::default);

        // the scene as the camera, the mirror and each light see it
        let Renderer { geometry, mirror: mirrored, shadows, .. } = self;
        let threads = self.threads;
        let (pieces, caster_pieces) =
            (runs(&list, if threads > 1 { 2 * threads } else { 1 }), runs(&list, threads / 2));
        let (list, view, all, casting) = (&list, &view, &all, &casting);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        // these take longest; pixels ask every piece, so that there are few
        for (shadow, &id) in shadows.iter_mut().zip(casting) {
            let Some(view) = shadow.aim(list, &lights[id], &settings) else { continue };
            for (casters, run) in shadow.pieces(caster_pieces.len()).zip(&caster_pieces) {
                tasks.push(Box::new(move || casters.collect(list, run.clone(), &view)));
            }
        }
        for (piece, run) in geometry.resized(pieces.len()).iter_mut().zip(&pieces) {
            tasks.push(Box::new(move || {
                piece.build(list, run.clone(), view, samples, None, lit);
            }));
        }
        for (piece, run) in mirrored.resized(pieces.len()).iter_mut().zip(&pieces) {
            let Some(mirror) = list.mirror else { break };
            tasks.push(Box::new(move || {
                let (position, normal) = (mirror.position, mirror.normal);
                let offset = dot(position, normal);
                let reflect = |v: V3, offset: f32| -> V3 {
                    let height = dot(v, normal) - offset;
                    std::array::from_fn(|k| v[k] - 2.0 * height * normal[k])
                };
                let lighting = Lighting {
                    lights,
                    sets: std::slice::from_ref(all),
                    colors,
                    all: all.clone(),
                    // the eye of the mirrored world sees the world itself
                    eye: reflect(eye, offset),
                    forward: reflect(forward, 0.0),
                    ambient,
                    dim: mirror.reflectance,
                };
                let plane = Some(ClipPlane { normal, offset });
                let view = view.mirrored(position, normal);
                piece.build(list, run.clone(), &view, samples, plane, Some(&lighting));
            }));
        }
        run_tasks(tasks, threads);

        let mirror = list.mirror.map(|_| &self.mirror);
        let fog = Fog::new(scene, assets, camera).filter(|_| segments.is_none());
        let frame = Frame {
            shader: Shader { list, assets, shadows: &self.shadows, fog, rays: view.rays() },
            pieces: &self.geometry,
            mirror,
            segments,
            additive: scene.draws(RenderFlag::Additive),
            width,
            height,
        };
        self.tiles.retain(|tile| tile.samples() == samples);
        self.tiles.resize_with(self.threads, || Tile::new(samples));
        draw_tiles(&frame, &mut self.tiles, picture);
        if segments.is_none() {
            draw_labels(scene, view, self.text, picture);
        }
        Ok(())
    }
}

/// What is wrong with a camera that sees nothing.
pub(crate) const NO_FRUSTUM: &str = "mjvScene frustum_near too small in mjr_render";

pub(crate) fn has_frustum(camera: &GlCamera) -> bool {
    camera.frustum_near > 1e-15
}

type Task<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs tasks that do not depend on each other: each thread takes the next.
fn run_tasks(tasks: Vec<Task<'_>>, threads: usize) {
    if threads <= 1 || tasks.len() < 2 {
        return tasks.into_iter().for_each(|task| task());
    }
    let workers = threads.min(tasks.len());
    let left = Mutex::new(tasks.into_iter());
    let work = || {
        loop {
            let task = left.lock().expect("tasks are taken, not run, under the lock").next();
            let Some(task) = task else { return };
            task();
        }
    };
    std::thread::scope(|scope| {
        (1..workers).for_each(|_| drop(scope.spawn(work)));
        work();
    });
}

/// Draws the tiles of a picture: each thread has buffers of its own, and takes the next one.
fn draw_tiles(frame: &Frame<'_>, buffers: &mut [Tile], picture: &mut Picture) {
    let width = frame.width;
    let bands =
        picture.rgb.chunks_mut(3 * width * TILE).zip(picture.depth.chunks_mut(width * TILE));
    let bands: Vec<_> = bands.map(|(rgb, depth)| Mutex::new(Band { rgb, depth })).collect();
    let columns = width.div_ceil(TILE);
    let next = AtomicUsize::new(0);
    let work = |tile: &mut Tile| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(band) = bands.get(number / columns) else { return };
            tile.draw(frame, number % columns, number / columns, band);
        }
    };
    let Some((own, others)) = buffers.split_first_mut() else { return };
    std::thread::scope(|scope| {
        for tile in others.iter_mut().take(columns * bands.len() - 1) {
            scope.spawn(|| work(tile));
        }
        work(own);
    });
}

/// Writes the labels of geoms at their positions.
fn draw_labels(scene: &Scene, view: &View, size: TextSize, picture: &mut Picture) {
    let labelled = scene.geoms.iter().filter(|geom| geom.label[0] != 0);
    let places: Vec<_> = labelled
        .filter_map(|geom| {
            let [x, y, z, w] = view.apply(geom.pos);
            let seen = w > 0.0 && z <= w && z >= 0.0;
            seen.then(|| ([x / w, y / w], geom.text()))
        })
        .filter(|([x, y], _)| {
            (0.0..view.width as f32).contains(x) && (0.0..view.height as f32).contains(y)
        })
        .collect();
    let mut canvas = Canvas::new(picture);
    for ([x, y], text) in places {
        canvas.text(text, [x as i32, y as i32], size, [1.0; 3], true);
    }
}

/// Draws the frame around the picture.
fn draw_border(scene: &Scene, picture: &mut Picture) {
    let Ok(border) = usize::try_from(scene.framewidth) else { return };
    if border == 0 {
        return;
    }
    let color = scene.framergb.map(|x| (255.0 * x + 0.5) as u8);
    let (width, height) = (picture.width, picture.height);
    for y in 0..height {
        for x in 0..width {
            let inside = x >= border && y >= border && x + border < width && y + border < height;
            if !inside {
                let at = 3 * (y * width + x);
                picture.rgb[at..at + 3].copy_from_slice(&color);
            }
        }
    }
}

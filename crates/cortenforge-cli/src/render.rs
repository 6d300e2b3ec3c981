//! `cortenforge render`: pictures and videos of a model.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use cortenforge::model::ObjType;
use cortenforge::scene::{Camera, Perturb, RenderFlag, Scene, VisOption};
use cortenforge::{Data, Model, forward, step};
use sim_render::{Picture, Renderer};

use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::source::{Limits, Output, Source};
use crate::{Failure, Report, has_ending, seconds};

/// All categories of things to draw.
const EVERYTHING: i32 = 7;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// File (MJCF, URDF), '-' for standard input, or a built-in robot [default: quadruped]
    model: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// File to write: .png for a picture, .gif or .apng for a video
    #[arg(short, long, value_name = "FILE", value_parser = picture_file)]
    output: PathBuf,
    /// Camera, by name or index [default: the free camera]
    #[arg(long, value_name = "C")]
    camera: Option<String>,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = size)]
    size: [usize; 2],
    /// Seconds to simulate: before a picture, or as long as a video lasts
    #[arg(long, value_name = "T", value_parser = seconds)]
    time: Option<f64>,
    /// Pictures per second of a video
    #[arg(long, value_name = "F", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=1000))]
    fps: u32,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
    /// Draw distances instead of colours: near is bright
    #[arg(long, conflicts_with = "segmentation")]
    depth: bool,
    /// Draw each object in a colour of its own
    #[arg(long)]
    segmentation: bool,
    /// Threads to draw with; 0: one per core
    #[arg(long, value_name = "N", default_value = "0")]
    threads: usize,
}

fn picture_file(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match ["png", "gif", "apng"].iter().any(|ending| has_ending(&path, ending)) {
        true => Ok(path),
        false => Err("must end in .png, .gif or .apng".into()),
    }
}

fn size(text: &str) -> Result<[usize; 2], String> {
    let parts = text.split_once(['x', 'X', '×']);
    let parsed = parts.and_then(|(w, h)| Some([w.trim().parse().ok()?, h.trim().parse().ok()?]));
    let [width, height] = parsed.ok_or("must be a width and a height, such as 640x480")?;
    Picture::new(width, height).map(|_| [width, height])
}

/// The camera with a name, or else with an index.
fn find_camera(model: &Model, text: &str) -> Result<Camera, Failure> {
    let index = text.parse().ok().filter(|&cam: &usize| cam < model.ncam);
    let found = model.id(ObjType::Camera, text).or(index);
    found.map(Camera::fixed).ok_or_else(|| {
        let names: Vec<String> = (0..model.ncam)
            .map(|cam| match model.name(ObjType::Camera, cam) {
                Some(name) => format!("{cam} '{name}'"),
                None => cam.to_string(),
            })
            .collect();
        let known = match names.is_empty() {
            true => "the model has no cameras".to_owned(),
            false => format!("the model has {}", names.join(", ")),
        };
        Failure(format!("error: no camera '{text}': {known}"))
    })
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let source = Source::load(args.model.as_deref(), &args.limits)?;
    let model = &source.model;
    let mut data = source.start(args.keyframe.as_deref())?;
    let camera = match &args.camera {
        Some(text) => find_camera(model, text)?,
        None => Camera::free(model),
    };
    let output = Output::create(&args.output)?;
    let mut artist = Artist::new(model, camera, args)?;
    let video = !has_ending(&args.output, "png");
    let interrupt = Interrupt::listen();
    let start = Instant::now();

    let dt = model.opt.timestep;
    let length = args.time.unwrap_or(if video { 5.0 } else { 0.0 });
    let steps = (length / dt).round() as usize;
    let progress = Progress::new(steps.max(1), dt);
    let mut frames = Vec::new();
    let mut done = 0;
    forward(model, &mut data);
    loop {
        let due = frames.len() as f64 / f64::from(args.fps);
        if video && done as f64 * dt >= due - 0.5 * dt {
            frames.push(artist.draw(model, &data)?);
        }
        if done == steps || interrupt.asked() {
            break;
        }
        step(model, &mut data);
        done += 1;
        progress.show(done, &data, start.elapsed());
    }
    progress.finish();
    if !video {
        forward(model, &mut data);
        frames.push(artist.draw(model, &data)?);
    }

    let [width, height] = args.size;
    let path = write(output, &args.output, &frames, args)?;
    let what = match video {
        true => format!("{} pictures", frames.len()),
        false => "picture".to_owned(),
    };
    let text = format!(
        "{}: {what} of {width} × {height} pixels at t = {:.3} s, in {:.2} s → {}\n",
        source.title,
        data.time,
        start.elapsed().as_secs_f64(),
        path.display()
    );
    Ok(Report { interrupted: interrupt.asked(), ..text.into() })
}

/// Draws one model from one camera.
struct Artist {
    renderer: Renderer,
    scene: Scene,
    camera: Camera,
    picture: Picture,
    depth: bool,
}

impl Artist {
    fn new(model: &Model, camera: Camera, args: &Args) -> Result<Artist, Failure> {
        let [width, height] = args.size;
        let mut renderer = Renderer::new(model);
        renderer.set_threads(args.threads);
        let mut scene = Scene::new(model, usize::MAX);
        scene.flags[RenderFlag::Segment as usize] = u8::from(args.segmentation || args.depth);
        let picture = Picture::new(width, height).map_err(Failure)?;
        Ok(Artist { renderer, scene, camera, picture, depth: args.depth })
    }

    /// The picture of a state, rows from the top down.
    fn draw(&mut self, model: &Model, data: &Data) -> Result<Vec<u8>, Failure> {
        let failed = |text: String| Failure(format!("error: {text}"));
        let (opt, pert) = (VisOption::default(), Perturb::default());
        let camera = Some(&mut self.camera);
        self.scene.update(model, data, &opt, &pert, camera, EVERYTHING).map_err(failed)?;
        self.renderer.render(&self.scene, &mut self.picture).map_err(failed)?;
        if self.depth {
            self.paint_depth();
        }
        Ok(self.picture.rows().flatten().copied().collect())
    }

    /// Replaces colours by distances, from white at the nearest to dark at the farthest.
    fn paint_depth(&mut self) {
        let camera = &self.scene.camera[0];
        let seen = self.picture.depth.iter().filter(|&&depth| depth > 0.0);
        let distances: Vec<f32> = seen.map(|&depth| Picture::distance(depth, camera)).collect();
        let near = distances.iter().copied().fold(f32::MAX, f32::min);
        // most of what is seen, so that the horizon does not take all grey
        let mut sorted = distances;
        sorted.sort_by(f32::total_cmp);
        let far = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(1.0).max(near + 1e-6);
        for (pixel, &depth) in self.picture.rgb.chunks_exact_mut(3).zip(&self.picture.depth) {
            let distance = Picture::distance(depth, camera);
            let part = ((distance - near) / (far - near)).clamp(0.0, 1.0);
            pixel.fill(if depth > 0.0 { (255.0 * (1.0 - 0.9 * part)) as u8 } else { 0 });
        }
    }
}

fn write(output: Output, path: &Path, frames: &[Vec<u8>], args: &Args) -> Result<PathBuf, Failure> {
    output.write(|file| match has_ending(path, "gif") {
        true => write_gif(file, frames, args),
        false => write_png(file, frames, args),
    })
}

fn write_png(file: &mut dyn Write, frames: &[Vec<u8>], args: &Args) -> io::Result<()> {
    let [width, height] = args.size.map(|n| n as u32);
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(1, args.fps as u16)?;
    }
    let mut writer = encoder.write_header()?;
    for frame in frames {
        writer.write_image_data(frame)?;
    }
    Ok(writer.finish()?)
}

fn write_gif(file: &mut dyn Write, frames: &[Vec<u8>], args: &Args) -> io::Result<()> {
    let [width, height] = args.size.map(|n| n as u16);
    let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(io::Error::other)?;
    encoder.set_repeat(gif::Repeat::Infinite).map_err(io::Error::other)?;
    for pixels in frames {
        let mut frame = gif::Frame::from_rgb_speed(width, height, pixels, 10);
        frame.delay = (100.0 / f64::from(args.fps)).round().max(1.0) as u16;
        encoder.write_frame(&frame).map_err(io::Error::other)?;
    }
    Ok(())
}

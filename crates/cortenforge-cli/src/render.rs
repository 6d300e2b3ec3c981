//! `cortenforge render`: pictures and videos of a model.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use cortenforge::model::ObjType;
use cortenforge::scene::{Camera, Perturb, RenderFlag, Scene, VisOption};
use cortenforge::{Data, Model, forward, step};
use sim_render::{Picture, Renderer};

use crate::controls::Inputs;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::read_npz::{Array, Content, npz};
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
    /// File to write: .png for a picture, .mp4, .gif or .apng for a video
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
    /// Play controls from a file: .csv with a column per actuator, .npy or .npz with 'ctrl'
    #[arg(long, value_name = "FILE")]
    controls: Option<PathBuf>,
    /// Show a recorded simulation instead of a new one: .npz with 'time' and 'qpos', as written by
    /// `simulate --output`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["controls", "keyframe"])]
    from: Option<PathBuf>,
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
    if has_ending(&path, "mp4") && cfg!(not(feature = "video")) {
        return Err("this program was built without the feature 'video': use .apng or .gif".into());
    }
    match ["png", "mp4", "gif", "apng"].iter().any(|ending| has_ending(&path, ending)) {
        true => Ok(path),
        false => Err("must end in .png, .mp4, .gif or .apng".into()),
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
    let log = args.from.as_deref().map(|path| Log::load(path, model)).transpose()?;
    // a built-in robot does its task unless somebody else has a say
    let chosen = args.controls.is_some() || args.keyframe.is_some() || args.from.is_some();
    let robot = source.robot.filter(|_| !chosen);
    let mut inputs = Inputs::new(robot, args.controls.as_deref(), None, model, &data)?;
    let output = Output::create(&args.output)?;
    let mut artist = Artist::new(model, camera, args)?;
    let video = !has_ending(&args.output, "png");
    let mut film = Film::new(args)?;
    let interrupt = Interrupt::listen();
    let start = Instant::now();

    let dt = log.as_ref().map_or(model.opt.timestep, Log::spacing);
    let standard = log.as_ref().map_or(if video { 5.0 } else { 0.0 }, Log::length);
    let length = args.time.unwrap_or(standard).min(log.as_ref().map_or(f64::MAX, Log::length));
    let steps = (length / dt).round() as usize;
    let progress = Progress::new(steps.max(1), dt);
    let mut done = 0;
    let show = |row: usize, data: &mut Data| {
        if let Some(log) = &log {
            log.show(row, data);
        }
        forward(model, data);
    };
    show(0, &mut data);
    loop {
        let due = film.count as f64 / f64::from(args.fps);
        if video && done as f64 * dt >= due - 0.5 * dt {
            film.push(artist.draw(model, &data)?)?;
        }
        if done == steps || interrupt.asked() {
            break;
        }
        done += 1;
        if log.is_some() {
            show(done, &mut data);
        } else {
            inputs.apply(done - 1, &mut data);
            step(model, &mut data);
        }
        progress.show(done, &data, start.elapsed());
    }
    progress.finish();
    if !video {
        forward(model, &mut data);
        film.push(artist.draw(model, &data)?)?;
    }

    let [width, height] = args.size;
    let what = match video {
        true => format!("{} pictures", film.count),
        false => "picture".to_owned(),
    };
    let path = film.write(output, args)?;
    let text = format!(
        "{}: {what} of {width} × {height} pixels at t = {:.3} s, in {:.2} s → {}\n",
        source.title,
        data.time,
        start.elapsed().as_secs_f64(),
        path.display()
    );
    Ok(Report { interrupted: interrupt.asked(), ..text.into() })
}

/// A recorded simulation: times and positions.
struct Log {
    time: Vec<f64>,
    qpos: Vec<f64>,
    width: usize,
}

impl Log {
    fn load(path: &Path, model: &Model) -> Result<Log, Failure> {
        let failure = |error: String| {
            Failure(format!("error: cannot read a simulation from '{}': {error}", path.display()))
        };
        let bytes = std::fs::read(path).map_err(|error| failure(error.to_string()))?;
        let numbers = |name: &str| match npz(&bytes, name) {
            Ok(Some(Array { content: Content::Numbers(values), .. })) => Ok(values),
            Ok(_) => Err(format!("it has no numbers '{name}'")),
            Err(error) => Err(error),
        };
        let time = numbers("time").map_err(failure)?;
        let qpos = numbers("qpos").map_err(failure)?;
        let rising = time.windows(2).all(|pair| pair[0] < pair[1]);
        if time.is_empty() || !rising || qpos.len() != time.len() * model.nq {
            return Err(failure(format!(
                "times must rise, with {} positions for each as the model has",
                model.nq
            )));
        }
        Ok(Log { time, qpos, width: model.nq })
    }

    /// Time between rows.
    fn spacing(&self) -> f64 {
        let rows = self.time.len().max(2) - 1;
        if self.length() > 0.0 { self.length() / rows as f64 } else { 1.0 }
    }

    fn length(&self) -> f64 {
        self.time[self.time.len() - 1] - self.time[0]
    }

    /// Sets the state of a row.
    fn show(&self, row: usize, data: &mut Data) {
        let row = row.min(self.time.len() - 1);
        data.time = self.time[row];
        data.qpos.copy_from_slice(&self.qpos[row * self.width..(row + 1) * self.width]);
    }
}

/// Pictures that become a file. Those of MP4 are compressed as they come.
struct Film {
    count: usize,
    frames: Vec<Vec<u8>>,
    #[cfg(feature = "video")]
    video: Option<sim_render::Video>,
}

impl Film {
    #[cfg(feature = "video")]
    fn new(args: &Args) -> Result<Film, Failure> {
        let [width, height] = args.size;
        let new = || sim_render::Video::new(width, height, f64::from(args.fps));
        let video = has_ending(&args.output, "mp4").then(new).transpose();
        let video = video.map_err(|error| Failure(format!("error: {error}")))?;
        Ok(Film { count: 0, frames: Vec::new(), video })
    }

    #[cfg(not(feature = "video"))]
    fn new(_: &Args) -> Result<Film, Failure> {
        Ok(Film { count: 0, frames: Vec::new() })
    }

    fn push(&mut self, frame: Vec<u8>) -> Result<(), Failure> {
        self.count += 1;
        #[cfg(feature = "video")]
        if let Some(video) = &mut self.video {
            return video.push(&frame).map_err(|error| Failure(format!("error: {error}")));
        }
        self.frames.push(frame);
        Ok(())
    }

    fn write(self, output: Output, args: &Args) -> Result<PathBuf, Failure> {
        #[cfg(feature = "video")]
        if let Some(video) = self.video {
            let file = video.finish().map_err(|error| Failure(format!("error: {error}")))?;
            return output.write(|out| out.write_all(&file));
        }
        output.write(|file| match has_ending(&args.output, "gif") {
            true => write_gif(file, &self.frames, args),
            false => write_png(file, &self.frames, args),
        })
    }
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

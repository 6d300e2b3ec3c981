//! Draws a model to a PNG file and says how long a picture takes.
//!
//! ```text
//! cargo run --release -p sim-render --example draw -- MODEL.xml OUT.png [PICTURES] [THREADS] [MODE]
//! ```
//!
//! MODE is `plain` for a picture without shadows and mirrors, `segments` for one of segments.

use std::time::Instant;

use sim_core::scene::{Camera, Perturb, RenderFlag, Scene, VisOption};
use sim_core::{Data, forward};
use sim_render::{Picture, Renderer};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, model, output, rest @ ..] = &arguments[..] else {
        return Err("usage: draw MODEL.xml OUT.png [PICTURES] [THREADS] [MODE]".into());
    };
    let number = |i: usize| rest.get(i).map_or(Ok(1), |text| text.parse::<usize>());
    let (pictures, threads) = (number(0)?, number(1)?);

    let model = sim_mjcf::load_file(model)?.model;
    let mut data = Data::new(&model);
    if model.nkey > 0 {
        data.reset_keyframe(&model, 0);
    }
    forward(&model, &mut data);
    let mut made = f64::MAX;
    for _ in 0..pictures.clamp(1, 10) {
        let start = Instant::now();
        drop(Renderer::new(&model));
        made = made.min(1e3 * start.elapsed().as_secs_f64());
    }
    println!("renderer made in {made:.2} ms");
    let mut renderer = Renderer::new(&model);
    renderer.set_threads(threads);
    let mut scene = Scene::new(&model, 10_000);
    let off: &[RenderFlag] = match rest.get(2).map(String::as_str) {
        Some("plain") => &[RenderFlag::Shadow, RenderFlag::Reflection],
        Some("segments") => {
            scene.flags[RenderFlag::Segment as usize] = 1;
            &[]
        }
        _ => &[],
    };
    off.iter().for_each(|&flag| scene.flags[flag as usize] = 0);
    let (opt, pert) = (VisOption::default(), Perturb::default());
    let mut picture = Picture::new(640, 480)?;
    let mut best = f64::MAX;
    for _ in 0..pictures.max(1) {
        let mut camera = Camera::free(&model);
        scene.update(&model, &data, &opt, &pert, Some(&mut camera), 7)?;
        let start = Instant::now();
        renderer.render(&scene, &mut picture)?;
        best = best.min(1e3 * start.elapsed().as_secs_f64());
    }
    println!("{best:.2} ms per picture");

    let file = std::io::BufWriter::new(std::fs::File::create(output)?);
    let mut encoder = png::Encoder::new(file, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = picture.rows().flatten().copied().collect();
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(())
}

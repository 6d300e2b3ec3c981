//! Pictures by the CPU renderer, drawn beside the simulation.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, PoisonError};

use sim_core::Model;
use sim_core::scene::{GlCamera, RenderFlag, Scene};
use sim_render::{Picture, Renderer};

use crate::wire::{Kind, Message};

/// A picture that is asked for.
#[derive(Debug)]
pub(crate) struct Order {
    pub(crate) client: u64,
    /// Camera of the model, or -1.
    pub(crate) camera: i32,
    pub(crate) scene: Scene,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// 0 colours, 1 depth, 2 segments.
    pub(crate) kind: u8,
}

/// A thread that draws pictures of one model.
#[derive(Debug)]
pub(crate) struct Painter {
    orders: SyncSender<Order>,
    done: Mutex<Receiver<(u64, Vec<u8>)>>,
}

impl Painter {
    /// Starts the thread; it ends with the painter.
    pub(crate) fn new(model: &Model) -> Painter {
        let (orders, waiting) = sync_channel::<Order>(2);
        let (finished, done) = sync_channel(8);
        let mut renderer = Renderer::new(model);
        let draw = move || {
            while let Ok(order) = waiting.recv() {
                let client = order.client;
                if let Some(picture) = paint(&mut renderer, order)
                    && finished.send((client, picture)).is_err()
                {
                    return;
                }
            }
        };
        // without a thread there are no pictures
        let _ = std::thread::Builder::new().name("viewer pictures".into()).spawn(draw);
        Painter { orders, done: Mutex::new(done) }
    }

    /// Orders a picture; dropped if others wait.
    pub(crate) fn order(&self, order: Order) -> bool {
        !matches!(self.orders.try_send(order), Err(TrySendError::Full(_)))
    }

    /// Pictures that are ready, as messages, with the pages that asked for them.
    pub(crate) fn ready(&self) -> Vec<(u64, Vec<u8>)> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).try_iter().collect()
    }
}

fn paint(renderer: &mut Renderer, mut order: Order) -> Option<Vec<u8>> {
    order.scene.flags[RenderFlag::Segment as usize] = u8::from(order.kind != 0);
    let mut picture = Picture::new(order.width, order.height).ok()?;
    renderer.render(&order.scene, &mut picture).ok()?;
    if order.kind == 1 {
        paint_depth(&mut picture, &order.scene.camera[0]);
    }
    let mut message = Message::start(Kind::Image);
    message.i32(order.camera);
    message.u32(order.width as u32);
    message.u32(order.height as u32);
    message.u32(u32::from(order.kind));
    message.bytes(&encode(&picture)?);
    Some(message.finish())
}

/// The picture as PNG.
pub(crate) fn encode(picture: &Picture) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    let rows: Vec<u8> = picture.rows().flatten().copied().collect();
    writer.write_image_data(&rows).ok()?;
    writer.finish().ok()?;
    Some(bytes)
}

/// Replaces colours by distances: near is bright.
fn paint_depth(picture: &mut Picture, camera: &GlCamera) {
    let seen = picture.depth.iter().filter(|&&depth| depth > 0.0);
    let mut sorted: Vec<f32> = seen.map(|&depth| Picture::distance(depth, camera)).collect();
    sorted.sort_by(f32::total_cmp);
    let near = sorted.first().copied().unwrap_or(0.0);
    // most of what is seen, so that the horizon does not take all grey
    let far = sorted.get(sorted.len() * 9 / 10).copied().unwrap_or(1.0).max(near + 1e-6);
    for (pixel, &depth) in picture.rgb.chunks_exact_mut(3).zip(&picture.depth) {
        let part = ((Picture::distance(depth, camera) - near) / (far - near)).clamp(0.0, 1.0);
        pixel.fill(if depth > 0.0 { (255.0 * (1.0 - 0.9 * part)) as u8 } else { 0 });
    }
}

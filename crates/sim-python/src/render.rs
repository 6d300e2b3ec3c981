//! Pictures: what the classes and functions with the prefix `mjr` are made of.

use std::sync::{Mutex, MutexGuard};

use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sim_render::{Canvas, Picture, Renderer, TextSize};

use crate::exit::detached;
use crate::guard::{FatalError, caught, with_model};
use crate::model::MjModel;
use crate::scene::SceneStore;

struct Inner {
    renderer: Renderer,
    picture: Picture,
    text: TextSize,
}

#[cfg(feature = "video")]
const FINISHED: &str = "the video is finished";

/// Encodes pictures, one after the other, as an MP4 file.
#[cfg(feature = "video")]
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct VideoStore {
    video: Mutex<Option<sim_render::Video>>,
}

#[cfg(feature = "video")]
#[pymethods]
impl VideoStore {
    #[new]
    fn new(width: usize, height: usize, fps: f64) -> PyResult<Self> {
        let video = sim_render::Video::new(width, height, fps).map_err(PyValueError::new_err)?;
        Ok(VideoStore { video: Mutex::new(Some(video)) })
    }

    /// Adds a picture: its bytes, rows from the top down.
    fn push(&self, py: Python<'_>, rgb: &[u8]) -> PyResult<()> {
        let push = || match self.video.lock() {
            Ok(mut video) => video.as_mut().ok_or(FINISHED)?.push(rgb),
            Err(_) => Err(FINISHED.into()),
        };
        detached(py, || caught(push))?.map_err(PyValueError::new_err)
    }

    /// The file.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let finish = || match self.video.lock() {
            Ok(mut video) => video.take().ok_or(FINISHED)?.finish(),
            Err(_) => Err(FINISHED.into()),
        };
        detached(py, || caught(finish))?.map_err(PyValueError::new_err)
    }
}

/// A renderer and the picture that it draws into.
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct RenderStore {
    inner: Mutex<Inner>,
}

impl RenderStore {
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        let lost = |_| FatalError::new_err("the renderer is unusable after an error");
        self.inner.lock().map_err(lost)
    }
}

fn fatal(text: String) -> PyErr {
    FatalError::new_err(text)
}

#[pymethods]
impl RenderStore {
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        width: usize,
        height: usize,
        fontscale: i32,
    ) -> PyResult<Self> {
        let picture = Picture::new(width, height).map_err(PyValueError::new_err)?;
        let mut renderer = with_model(py, model.get(), Renderer::new)?;
        renderer.set_text_size(fontscale);
        let text = TextSize::percent(fontscale);
        Ok(RenderStore { inner: Mutex::new(Inner { renderer, picture, text }) })
    }

    fn resize(&self, width: usize, height: usize) -> PyResult<()> {
        self.lock()?.picture = Picture::new(width, height).map_err(PyValueError::new_err)?;
        Ok(())
    }

    fn set_threads(&self, threads: usize) -> PyResult<()> {
        self.lock()?.renderer.set_threads(threads);
        Ok(())
    }

    fn set_text_size(&self, percent: i32) -> PyResult<()> {
        let mut inner = self.lock()?;
        inner.renderer.set_text_size(percent);
        inner.text = TextSize::percent(percent);
        Ok(())
    }

    /// Reads an asset again: 0 a mesh, 1 a height field, 2 a texture.
    fn reload(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        kind: u8,
        id: usize,
    ) -> PyResult<()> {
        let mut inner = self.lock()?;
        let renderer = &mut inner.renderer;
        with_model(py, model.get(), move |model| match kind {
            0 => renderer.reload_mesh(model, id),
            1 => renderer.reload_hfield(model, id),
            _ => renderer.reload_texture(model, id),
        })
    }

    /// Draws a scene into the rectangle `(left, bottom, width, height)` of the picture.
    fn render(&self, py: Python<'_>, scene: &SceneStore, rect: [i64; 4]) -> PyResult<()> {
        let [left, bottom, width, height] = rect;
        if width <= 0 || height <= 0 {
            return Ok(());
        }
        let mut inner = self.lock()?;
        let scene = scene.lock()?;
        let (inner, scene) = (&mut *inner, &*scene);
        detached(py, || {
            caught(|| {
                let whole = rect == [0, 0, inner.picture.width as i64, inner.picture.height as i64];
                if whole {
                    return inner.renderer.render(scene, &mut inner.picture);
                }
                let mut part = Picture::new(width as usize, height as usize)?;
                inner.renderer.render(scene, &mut part)?;
                paste(&part, &mut inner.picture, left, bottom);
                Ok(())
            })
        })?
        .map_err(fatal)
    }

    /// Copies a rectangle of the picture: colours, rows from the bottom up.
    fn read_rgb<'py>(&self, py: Python<'py>, rect: [i64; 4]) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let inner = self.lock()?;
        let [left, bottom, width, height] = rect.map(|x| x.max(0) as usize);
        let picture = &inner.picture;
        let mut rgb = zeros(width.saturating_mul(height).saturating_mul(3))?;
        for y in 0..height.min(picture.height.saturating_sub(bottom)) {
            let n = width.min(picture.width.saturating_sub(left));
            let from = 3 * ((bottom + y) * picture.width + left);
            rgb[3 * y * width..3 * (y * width + n)]
                .copy_from_slice(&picture.rgb[from..from + 3 * n]);
        }
        PyArray1::from_vec(py, rgb).reshape([height, width, 3])
    }

    /// The colours of the whole picture, rows from the top down.
    fn image<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let inner = self.lock()?;
        let picture = &inner.picture;
        let mut rgb = Vec::with_capacity(picture.rgb.len());
        picture.rows().for_each(|row| rgb.extend_from_slice(row));
        PyArray1::from_vec(py, rgb).reshape([picture.height, picture.width, 3])
    }

    /// Distances `offset / (depth + slope)` of the whole picture, rows from the top down.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        offset: f32,
        slope: f32,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let inner = self.lock()?;
        let picture = &inner.picture;
        let (offset, slope) = (f64::from(offset), f64::from(slope));
        let distance = |&depth: &f32| (offset / (f64::from(depth) + slope)) as f32;
        let mut distances = Vec::with_capacity(picture.depth.len());
        for row in picture.depth.chunks_exact(picture.width.max(1)).rev() {
            distances.extend(row.iter().map(distance));
        }
        PyArray1::from_vec(py, distances).reshape([picture.height, picture.width])
    }

    /// Rows of `table` by the numbers of segments in the picture, rows from the top down.
    fn segments<'py>(
        &self,
        py: Python<'py>,
        table: Vec<[i32; 2]>,
    ) -> PyResult<Bound<'py, PyArray3<i32>>> {
        let inner = self.lock()?;
        let picture = &inner.picture;
        let mut segments = Vec::with_capacity(2 * picture.depth.len());
        for row in picture.rows() {
            for pixel in row.chunks_exact(3) {
                let segment = u32::from_le_bytes([pixel[0], pixel[1], pixel[2], 0]) as usize;
                let object = table.get(segment).copied().unwrap_or([-1; 2]);
                segments.extend_from_slice(&object);
            }
        }
        PyArray1::from_vec(py, segments).reshape([picture.height, picture.width, 2])
    }

    /// Unit normals in the world of what the picture would show, rows from the top down.
    fn normals<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneStore,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let mut inner = self.lock()?;
        let (width, height) = (inner.picture.width, inner.picture.height);
        let scene = scene.lock()?;
        let (renderer, scene) = (&mut inner.renderer, &*scene);
        let normals =
            detached(py, || caught(|| renderer.normals(scene, width, height)))?.map_err(fatal)?;
        let rows: Vec<f32> =
            normals.chunks_exact(width).rev().flatten().flatten().copied().collect();
        PyArray1::from_vec(py, rows).reshape([height, width, 3])
    }

    /// By how many pixels to the right and down what the picture would show has moved since another
    /// scene, rows from the top down.
    fn flow<'py>(
        &self,
        py: Python<'py>,
        scene: &SceneStore,
        before: &SceneStore,
    ) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let mut inner = self.lock()?;
        let (width, height) = (inner.picture.width, inner.picture.height);
        // one at a time: both may be the same scene
        let before = before.lock()?.clone();
        let scene = scene.lock()?;
        let (renderer, scene) = (&mut inner.renderer, &*scene);
        let flow = detached(py, || caught(|| renderer.flow(scene, &before, width, height)))?
            .map_err(fatal)?;
        let rows: Vec<f32> = flow.chunks_exact(width).rev().flatten().flatten().copied().collect();
        PyArray1::from_vec(py, rows).reshape([height, width, 2])
    }

    /// Copies a rectangle of the picture: depths, 1 at the near plane.
    fn read_depth<'py>(
        &self,
        py: Python<'py>,
        rect: [i64; 4],
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let inner = self.lock()?;
        let [left, bottom, width, height] = rect.map(|x| x.max(0) as usize);
        let picture = &inner.picture;
        let mut depth = zeros(width.saturating_mul(height))?;
        for y in 0..height.min(picture.height.saturating_sub(bottom)) {
            let n = width.min(picture.width.saturating_sub(left));
            let from = (bottom + y) * picture.width + left;
            depth[y * width..y * width + n].copy_from_slice(&picture.depth[from..from + n]);
        }
        PyArray1::from_vec(py, depth).reshape([height, width])
    }

    /// Writes colours and depths to a rectangle of the picture.
    #[pyo3(signature = (rect, rgb = None, depth = None))]
    fn write(&self, rect: [i64; 4], rgb: Option<&[u8]>, depth: Option<Vec<f32>>) -> PyResult<()> {
        let [left, bottom, width, height] = rect;
        let mut inner = self.lock()?;
        let mut part =
            Picture::new(width.max(0) as usize, height.max(0) as usize).map_err(fatal)?;
        let pixels = part.depth.len();
        let sizes = rgb.is_none_or(|rgb| rgb.len() == 3 * pixels)
            && depth.as_ref().is_none_or(|depth| depth.len() == pixels);
        if !sizes {
            return Err(PyValueError::new_err(
                "a picture of that size has other numbers of pixels",
            ));
        }
        let picture = &mut inner.picture;
        if let Some(rgb) = rgb {
            part.rgb.copy_from_slice(rgb);
        }
        if let Some(depth) = &depth {
            part.depth.copy_from_slice(depth);
        }
        for y in 0..height {
            for x in 0..width {
                let (px, py) = (left + x, bottom + y);
                let inside =
                    px >= 0 && py >= 0 && px < picture.width as i64 && py < picture.height as i64;
                if inside {
                    let to = py as usize * picture.width + px as usize;
                    let from = (y * width + x) as usize;
                    if rgb.is_some() {
                        picture.rgb[3 * to..3 * to + 3]
                            .copy_from_slice(&part.rgb[3 * from..3 * from + 3]);
                    }
                    if depth.is_some() {
                        picture.depth[to] = part.depth[from];
                    }
                }
            }
        }
        Ok(())
    }

    fn rectangle(&self, rect: [i32; 4], rgba: [f32; 4]) -> PyResult<()> {
        Canvas::new(&mut self.lock()?.picture).rectangle(rect, rgba);
        Ok(())
    }

    /// Draws a line of text from its lower left corner.
    fn text(&self, text: &str, place: [i32; 2], rgb: [f32; 3], font: i32) -> PyResult<()> {
        let mut inner = self.lock()?;
        let size = if font == 2 { inner.text.big() } else { inner.text };
        Canvas::new(&mut inner.picture).text(text, place, size, rgb, font == 1);
        Ok(())
    }

    /// Width of a text and height of a line, in pixels.
    fn text_size(&self, text: &str, font: i32) -> PyResult<(i32, i32)> {
        let inner = self.lock()?;
        let size = if font == 2 { inner.text.big() } else { inner.text };
        Ok((size.width(text), size.line()))
    }

    fn line(&self, from: [f32; 2], to: [f32; 2], width: f32, rgba: [f32; 4]) -> PyResult<()> {
        Canvas::new(&mut self.lock()?.picture).line(from, to, width, rgba);
        Ok(())
    }
}

/// Copies a picture into another one.
fn paste(part: &Picture, picture: &mut Picture, left: i64, bottom: i64) {
    for y in 0..part.height as i64 {
        let row = bottom + y;
        if row < 0 || row >= picture.height as i64 {
            continue;
        }
        let (start, end) = ((-left).max(0), (picture.width as i64 - left).min(part.width as i64));
        if start >= end {
            continue;
        }
        let n = (end - start) as usize;
        let from = y as usize * part.width + start as usize;
        let to = row as usize * picture.width + (left + start) as usize;
        picture.rgb[3 * to..3 * (to + n)].copy_from_slice(&part.rgb[3 * from..3 * (from + n)]);
        picture.depth[to..to + n].copy_from_slice(&part.depth[from..from + n]);
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(feature = "video")]
    module.add_class::<VideoStore>()?;
    module.add_class::<RenderStore>()
}

/// As many zeros as are asked for, if there is memory for them.
fn zeros<T: Copy + Default>(count: usize) -> PyResult<Vec<T>> {
    let bytes = count.saturating_mul(size_of::<T>());
    sim_core::memory::check_available(bytes).map_err(crate::guard::memory_error)?;
    Ok(vec![T::default(); count])
}

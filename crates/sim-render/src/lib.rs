//! Pictures of scenes, computed on the CPU.
//!
//! [`Renderer`] draws a [`Scene`](sim_core::scene::Scene) as MuJoCo's OpenGL renderer does: the same
//! divisions of shapes, light at vertices, hard shadows, one mirror, four samples per pixel. It needs
//! no graphics library, and gives the same bytes on any number of threads and any CPU.
//!
//! A picture is made in steps, each in its file:
//!
//! | file | does |
//! |---|---|
//! | `assets`, `shapes`, `texture` | what the model brings: triangles, pictures, materials |
//! | `view`, `draw` | the camera, and the list of shapes in their places |
//! | `facing` | which triangles face the viewer, or a light |
//! | `geometry`, `light`, `grid` | vertices placed and lit, triangles clipped and sorted into tiles |
//! | `pieces` | the draw list in runs that threads work on |
//! | `raster` | which triangle is in front at each sample of a tile |
//! | `shadow` | which pixels a light reaches |
//! | `fragment`, `shade`, `colors`, `tile` | colours of fragments, transparency, reflection, pixels |
//! | `gbuffer` | normals and optical flow |
//! | `text` | labels and overlays |
//! | `video` | pictures as MP4, with the feature `video` |
//! | `surface` | triangles of meshes, for other renderers |
#![forbid(unsafe_code)]

mod assets;
mod colors;
mod draw;
mod facing;
mod fragment;
mod gbuffer;
mod geometry;
mod grid;
mod light;
mod pieces;
mod raster;
mod renderer;
mod shade;
mod shadow;
mod shapes;
mod surface;
mod text;
mod texture;
mod tile;
mod vector;
#[cfg(feature = "video")]
mod video;
mod view;

pub use geometry::MAX_SIZE;
pub use renderer::{Picture, Renderer};
pub use surface::Surface;
pub use text::{Canvas, TextSize};
#[cfg(feature = "video")]
pub use video::Video;

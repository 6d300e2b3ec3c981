//! Images of textures: read from files, or made.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use sim_core::model::{ColorSpace, TextureType};

use super::cache::Cache;
use super::{pattern, png};
use crate::error::Error;
use crate::files::Resolver;
use crate::spec::{Builtin, CUBE_FILES, Spec, Texture};

/// Bytes of one image at most.
const MAX_BYTES: usize = 256 << 20;

/// Images of files that were decoded before, by their channels.
static IMAGES: Cache<usize, png::Png> = Cache::new();

/// Faces of a cube.
const FACES: &str = "RLUDFB";

/// The image of a texture.
#[derive(Debug)]
pub(crate) struct Image {
    pub width: usize,
    pub height: usize,
    pub channels: usize,
    pub colorspace: ColorSpace,
    pub bytes: Pixels,
}

/// The bytes of an image: its own, or those of a file as they are kept for later.
#[derive(Debug)]
pub(crate) enum Pixels {
    Own(Vec<u8>),
    Kept(Arc<png::Png>),
}

impl Deref for Pixels {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Pixels::Own(bytes) => bytes,
            Pixels::Kept(image) => &image.bytes,
        }
    }
}

impl From<Vec<u8>> for Pixels {
    fn from(bytes: Vec<u8>) -> Pixels {
        Pixels::Own(bytes)
    }
}

impl Image {
    /// Reads or makes the image of a texture.
    pub(crate) fn new(
        texture: &Texture,
        spec: &Spec,
        resolver: &Resolver<'_>,
    ) -> Result<Image, Error> {
        let channels = match texture.nchannel {
            1 | 3 | 4 => texture.nchannel as usize,
            other => {
                let message = format!("nchannel must be 1, 3 or 4, not {other}");
                return Err(texture.src.error(message).attribute("nchannel"));
            }
        };
        let loader = Loader { texture, spec, resolver, channels };
        let flat = texture.kind == TextureType::TwoD;
        if !texture.data.is_empty() {
            return loader.given();
        }
        if texture.builtin != Builtin::None {
            loader.builtin(flat)
        } else if !texture.file.is_empty() && flat {
            loader.image("file", &texture.file)
        } else if !texture.file.is_empty() {
            loader.cube_of_one()
        } else if flat {
            let error = texture.src.error("the texture has neither a file nor a builtin pattern");
            Err(error)
        } else {
            loader.cube_of_six()
        }
    }
}

struct Loader<'a> {
    texture: &'a Texture,
    spec: &'a Spec,
    resolver: &'a Resolver<'a>,
    channels: usize,
}

impl Loader<'_> {
    fn fault(&self, attribute: &str, message: impl Into<String>) -> Error {
        self.texture.src.error(message).attribute(attribute)
    }

    /// Makes a pattern.
    fn builtin(&self, flat: bool) -> Result<Image, Error> {
        let texture = self.texture;
        let positive = |attribute: &str, size: i32| match usize::try_from(size) {
            Ok(size) if size > 0 => Ok(size),
            _ => Err(self.fault(attribute, format!("a pattern needs a positive {attribute}"))),
        };
        let width = positive("width", texture.width)?;
        let height =
            if flat { positive("height", texture.height)? } else { width.saturating_mul(6) };
        if self.channels < 3 {
            return Err(self.fault("nchannel", "a pattern has colours: nchannel must be 3 or 4"));
        }
        let size = width.saturating_mul(height).saturating_mul(self.channels);
        if size > MAX_BYTES {
            return Err(self.fault("width", too_large(width, height)));
        }
        let mut bytes = vec![0; size];
        if flat {
            pattern::paint_flat(texture, width, height, &mut bytes);
        } else {
            pattern::paint_cube(texture, width, &mut bytes);
        }
        let colorspace = texture.colorspace;
        Ok(Image { width, height, channels: self.channels, colorspace, bytes: bytes.into() })
    }

    /// The image that the texture itself has.
    fn given(&self) -> Result<Image, Error> {
        let Texture { data, width, height, colorspace, .. } = self.texture;
        let (width, height) =
            (usize::try_from(*width).unwrap_or(0), usize::try_from(*height).unwrap_or(0));
        let expected = width.saturating_mul(height).saturating_mul(self.channels);
        if data.len() != expected {
            let message = format!("the image has {} bytes, expected {expected}", data.len());
            return Err(self.fault("data", message));
        }
        let (channels, bytes) = (self.channels, data.clone().into());
        Ok(Image { width, height, channels, colorspace: *colorspace, bytes })
    }

    /// Reads one image, mirrored if asked for.
    fn image(&self, attribute: &str, file: &str) -> Result<Image, Error> {
        let Texture { content_type, hflip, vflip, .. } = self.texture;
        let content = match content_type.as_str() {
            "" if has_extension(file, "png") => "image/png",
            "" if ["stl", "obj", "ply", "msh"].iter().any(|ext| has_extension(file, ext)) => {
                return Err(self.fault(attribute, format!("'{file}' is not an image")));
            }
            "" => "image/vnd.mujoco.texture",
            given => given,
        };
        let unknown = || {
            let message = format!("images of type '{content}' are not supported");
            let name = if content_type.is_empty() { attribute } else { "content_type" };
            self.fault(name, message).help("PNG images are")
        };
        if !matches!(content, "image/png" | "image/vnd.mujoco.texture") {
            return Err(unknown());
        }
        let mut bytes = self.read(attribute, file)?;
        let fault = |reason: String| {
            let error = self.fault(attribute, format!("cannot use '{file}': {reason}"));
            match content {
                "image/png" => error,
                _ => error.help("PNG images have the extension '.png', or a content_type"),
            }
        };
        let mut image = match content {
            "image/png" => {
                let decode =
                    |bytes: &[u8], channels: &usize| png::decode(bytes, *channels, MAX_BYTES);
                let png = IMAGES.get(&mut bytes, self.channels, decode).map_err(fault)?;
                let (width, height) = (png.width, png.height);
                let colorspace = if png.srgb { ColorSpace::Srgb } else { ColorSpace::Linear };
                let bytes = Pixels::Kept(png);
                Image { width, height, channels: self.channels, colorspace, bytes }
            }
            _ => raw(&bytes, self.channels).map_err(fault)?,
        };
        if self.texture.colorspace != ColorSpace::Auto {
            image.colorspace = self.texture.colorspace;
        }
        let row = image.width * image.channels;
        if *hflip {
            let rows = image.bytes.chunks_exact(row);
            let mirrored = rows.flat_map(|row| row.chunks_exact(image.channels).rev().flatten());
            image.bytes = Pixels::Own(mirrored.copied().collect());
        }
        if *vflip {
            let rows = image.bytes.chunks_exact(row).rev();
            image.bytes = Pixels::Own(rows.flatten().copied().collect());
        }
        Ok(image)
    }

    /// Reads a cube from one file: a face that is the same all around, or a grid of faces.
    fn cube_of_one(&self) -> Result<Image, Error> {
        let Texture { gridsize: [rows, columns], gridlayout, file, .. } = self.texture;
        if *rows < 1 || *columns < 1 || i64::from(*rows) * i64::from(*columns) > 12 {
            return Err(self.fault("gridsize", "gridsize must give between 1 and 12 squares"));
        }
        let (rows, columns) = (*rows as usize, *columns as usize);
        self.check_colors()?;
        let image = self.image("file", file)?;
        let (width, height) = (image.width / columns, image.height / rows);
        if width != height || image.width % columns != 0 || image.height % rows != 0 {
            let message = format!(
                "'{file}' has {} by {} pixels, which are not {columns} by {rows} squares",
                image.width, image.height
            );
            return Err(self.fault("file", message));
        }
        if rows * columns == 1 {
            return Ok(image);
        }

        // where each face is in the grid; those that are nowhere have the first colour
        let mut bytes = self.blank_cube(width)?;
        for (square, letter) in gridlayout.chars().take(rows * columns).enumerate() {
            let Some(face) = FACES.find(letter) else { continue };
            let (top, left) = (width * (square / columns), width * (square % columns));
            for line in 0..width {
                let from = 3 * ((top + line) * image.width + left);
                let to = 3 * (face * width + line) * width;
                bytes[to..to + 3 * width].copy_from_slice(&image.bytes[from..from + 3 * width]);
            }
        }
        Ok(Image { width, height: 6 * width, bytes: bytes.into(), ..image })
    }

    /// Reads a cube from up to six files.
    fn cube_of_six(&self) -> Result<Image, Error> {
        self.check_colors()?;
        // the first face lends its size and its colour space to all
        let mut cube: Option<(Image, Vec<u8>)> = None;
        let files = CUBE_FILES.into_iter().zip(&self.texture.cubefiles).enumerate();
        for (face, (attribute, file)) in files.filter(|(_, (_, file))| !file.is_empty()) {
            let image = self.image(attribute, file)?;
            let (width, height) = (image.width, image.height);
            if width != height {
                let message = format!("'{file}' is not square: {width} by {height}");
                return Err(self.fault(attribute, message));
            }
            let area = 3 * width * width;
            let place = face * area..(face + 1) * area;
            match &mut cube {
                Some((first, _)) if first.width != width => {
                    let message = format!(
                        "'{file}' is {width} pixels wide, but the first face is {}",
                        first.width
                    );
                    return Err(self.fault(attribute, message));
                }
                Some((_, faces)) => faces[place].copy_from_slice(&image.bytes),
                None => {
                    let mut faces = self.blank_cube(width)?;
                    faces[place].copy_from_slice(&image.bytes);
                    cube = Some((image, faces));
                }
            }
        }
        let cube = cube.map(|(first, faces)| Image {
            height: 6 * first.width,
            bytes: faces.into(),
            ..first
        });
        cube.ok_or_else(|| {
            let error = self.texture.src.error("the texture has no file and no builtin pattern");
            error.help("'file', 'builtin' or one of 'fileright', 'fileleft', ... is needed")
        })
    }

    fn check_colors(&self) -> Result<(), Error> {
        if self.channels == 3 {
            return Ok(());
        }
        Err(self.fault("nchannel", "the faces of a cube have 3 channels"))
    }

    /// A cube whose faces have the first colour.
    fn blank_cube(&self, width: usize) -> Result<Vec<u8>, Error> {
        let size = width.saturating_mul(width).saturating_mul(18);
        if size > MAX_BYTES {
            return Err(self.fault("file", too_large(width, 6 * width)));
        }
        let color = self.texture.rgb1.map(|x| (255.0 * x) as u8);
        Ok(color.iter().copied().cycle().take(size).collect())
    }

    /// Reads a file of the directory of textures.
    fn read(&self, attribute: &str, file: &str) -> Result<Vec<u8>, Error> {
        let compiler = self.spec.compiler_of(self.texture.compiler);
        let file = stripped(file, self.spec);
        let path = Path::new(&self.texture.dir).join(&compiler.texturedir).join(file);
        self.resolver
            .find(&path.to_string_lossy(), &[Path::new("")])
            .map(|(_, bytes)| bytes)
            .map_err(|error| {
                error.about(&path.to_string_lossy(), |message| self.fault(attribute, message))
            })
    }
}

/// The file without its directories if the model asks for that.
pub(crate) fn stripped<'f>(file: &'f str, spec: &Spec) -> &'f str {
    if spec.compiler.strippath { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file }
}

fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|ext| ext.eq_ignore_ascii_case(extension))
}

fn too_large(width: usize, height: usize) -> String {
    format!("the texture is too large: {width} by {height} pixels")
}

/// Reads MuJoCo's own format: width and height as 32-bit integers, then colours.
fn raw(bytes: &[u8], channels: usize) -> Result<Image, String> {
    let expected = || String::from("it is not a PNG image, nor one of MuJoCo's own format");
    let (head, pixels) = bytes.split_first_chunk::<8>().ok_or_else(expected)?;
    let size = |i: usize| {
        let number = i32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]);
        usize::try_from(number).ok().filter(|&n| n > 0).ok_or_else(expected)
    };
    let (width, height) = (size(0)?, size(4)?);
    if channels != 3 || width.saturating_mul(height).saturating_mul(3) != pixels.len() {
        return Err(expected());
    }
    let colorspace = ColorSpace::Linear;
    Ok(Image { width, height, channels, colorspace, bytes: pixels.to_vec().into() })
}

use sim_core::model::{ColorSpace, TextureType};

use super::rename::Copied;
use super::{Attributes, Attrs, FLAG, Info};

/// An image, from a file or made by the compiler.
#[doc(alias = "mjsTexture")]
#[derive(Debug, Clone)]
pub struct Texture {
    /// Name, place and relations.
    pub info: Info,
    /// Directory of the model that names the files.
    pub dir: String,
    /// Type.
    pub kind: TextureType,
    /// Colour space.
    pub colorspace: ColorSpace,
    /// Content type of the files; by their extension when empty.
    pub content_type: String,
    /// File with the image, or with all faces of a cube.
    pub file: String,
    /// Rows and columns of squares in the file.
    pub gridsize: [i32; 2],
    /// Which face each square is: a letter of `RLUDFB`, or a dot for none.
    pub gridlayout: String,
    /// Files with the faces of a cube: right, left, up, down, front, back.
    pub cubefiles: [String; 6],
    /// Pattern made by the compiler.
    pub builtin: Builtin,
    /// First colour.
    pub rgb1: [f64; 3],
    /// Second colour.
    pub rgb2: [f64; 3],
    /// Marks over the pattern.
    pub mark: Mark,
    /// Colour of the marks.
    pub markrgb: [f64; 3],
    /// Probability of a random dot.
    pub random: f64,
    /// Width of the pattern.
    pub width: i32,
    /// Height of the pattern.
    pub height: i32,
    /// Whether files are mirrored left to right.
    pub hflip: bool,
    /// Whether files are mirrored top to bottom.
    pub vflip: bool,
    /// Bytes per pixel.
    pub nchannel: i32,
    /// The image itself, row by row from the top; empty for one from a file or a pattern.
    pub data: Vec<u8>,
}

/// Patterns that the compiler can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// No pattern.
    None,
    /// From the first to the second colour.
    Gradient,
    /// Squares of both colours.
    Checker,
    /// The first colour; the second one at the bottom of a cube.
    Flat,
}

/// Marks over a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// No marks.
    None,
    /// Around the edge.
    Edge,
    /// A cross in the middle.
    Cross,
    /// Random dots.
    Random,
}

/// Attributes that name the faces of a cube, in the order of the faces.
pub(crate) const CUBE_FILES: [&str; 6] =
    ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

const TYPES: &[(&str, TextureType)] =
    &[("2d", TextureType::TwoD), ("cube", TextureType::Cube), ("skybox", TextureType::Skybox)];

const COLOR_SPACES: &[(&str, ColorSpace)] =
    &[("auto", ColorSpace::Auto), ("linear", ColorSpace::Linear), ("sRGB", ColorSpace::Srgb)];

const BUILTINS: &[(&str, Builtin)] = &[
    ("none", Builtin::None),
    ("gradient", Builtin::Gradient),
    ("checker", Builtin::Checker),
    ("flat", Builtin::Flat),
];

const MARKS: &[(&str, Mark)] =
    &[("none", Mark::None), ("edge", Mark::Edge), ("cross", Mark::Cross), ("random", Mark::Random)];

impl Default for Texture {
    fn default() -> Texture {
        Texture {
            info: Info::default(),
            dir: String::new(),
            kind: TextureType::Cube,
            colorspace: ColorSpace::Auto,
            content_type: String::new(),
            file: String::new(),
            gridsize: [1; 2],
            gridlayout: String::from("............"),
            cubefiles: Default::default(),
            builtin: Builtin::None,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            mark: Mark::None,
            markrgb: [0.0; 3],
            random: 0.01,
            width: 0,
            height: 0,
            hflip: false,
            vflip: false,
            nchannel: 3,
            data: Vec::new(),
        }
    }
}

impl Attributes for Texture {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.keyword("type", &mut self.kind, TYPES);
        a.keyword("colorspace", &mut self.colorspace, COLOR_SPACES);
        a.text("content_type", &mut self.content_type);
        a.text("file", &mut self.file);
        a.numbers("gridsize", &mut self.gridsize);
        if a.text("gridlayout", &mut self.gridlayout) {
            let squares = i64::from(self.gridsize[0]) * i64::from(self.gridsize[1]);
            if self.gridlayout.len() as i64 != squares {
                let message =
                    format!("'gridlayout' must have one letter for each of {squares} squares");
                a.fail("gridlayout", message);
            } else if let Some(c) = self.gridlayout.chars().find(|&c| !".RLUDFB".contains(c)) {
                a.fail("gridlayout", format!("'{c}' is not one of the letters '.RLUDFB'"));
            }
        }
        for (name, file) in CUBE_FILES.into_iter().zip(&mut self.cubefiles) {
            a.text(name, file);
        }
        a.keyword("builtin", &mut self.builtin, BUILTINS);
        a.numbers("rgb1", &mut self.rgb1);
        a.numbers("rgb2", &mut self.rgb2);
        a.keyword("mark", &mut self.mark, MARKS);
        a.numbers("markrgb", &mut self.markrgb);
        a.numbers("random", &mut self.random);
        a.numbers("width", &mut self.width);
        a.numbers("height", &mut self.height);
        a.keyword("hflip", &mut self.hflip, FLAG);
        a.keyword("vflip", &mut self.vflip, FLAG);
        a.numbers("nchannel", &mut self.nchannel);
    }
}

impl Copied for Texture {}

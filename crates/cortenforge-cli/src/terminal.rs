//! Pictures in the terminal: each character is two pixels, one above the other.

use std::fmt::Write;

use cortenforge::scene::{Camera, Perturb, Scene, VisOption};
use cortenforge::{Data, Model};
use sim_render::{Picture, Renderer};

use crate::Failure;

/// Pixels that are computed for each one that is shown, along each side.
const FINE: usize = 2;

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Colours {
    /// 24 bits.
    True,
    /// A cube of 216.
    Cube,
    /// None: shades of letters.
    None,
}

impl Colours {
    /// Those that the environment says there are.
    pub(crate) fn of_environment() -> Colours {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        match () {
            () if !crate::diagnostics::colours(true) => Colours::None,
            () if variable("COLORTERM").contains("truecolor") => Colours::True,
            () if variable("COLORTERM").contains("24bit") => Colours::True,
            () if variable("TERM").contains("direct") => Colours::True,
            () => Colours::Cube,
        }
    }
}

/// Draws a model from one of its cameras.
pub(crate) struct Screen {
    renderer: Renderer,
    scene: Scene,
    camera: Camera,
    picture: Picture,
    columns: usize,
    rows: usize,
    colours: Colours,
}

impl Screen {
    /// A screen of a number of characters.
    pub(crate) fn new(
        model: &Model,
        columns: usize,
        rows: usize,
        colours: Colours,
    ) -> Result<Screen, Failure> {
        let camera = if model.ncam > 0 { Camera::fixed(0) } else { Camera::free(model) };
        let (width, height) = (columns * FINE, 2 * rows * FINE);
        let picture = Picture::new(width, height).map_err(Failure)?;
        let mut renderer = Renderer::new(model);
        renderer.set_threads(1);
        let scene = Scene::new(model, usize::MAX);
        Ok(Screen { renderer, scene, camera, picture, columns, rows, colours })
    }

    /// The lines that show a state.
    pub(crate) fn draw(&mut self, model: &Model, data: &Data) -> Result<String, Failure> {
        const EVERYTHING: i32 = 7;
        let failed = |text: String| Failure(format!("error: {text}"));
        let (opt, pert) = (VisOption::default(), Perturb::default());
        let camera = Some(&mut self.camera);
        self.scene.update(model, data, &opt, &pert, camera, EVERYTHING).map_err(failed)?;
        self.renderer.render(&self.scene, &mut self.picture).map_err(failed)?;
        let pixels = self.pixels();
        let mut text = String::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                let upper = pixels[2 * row * self.columns + column];
                let lower = pixels[(2 * row + 1) * self.columns + column];
                self.character(&mut text, upper, lower);
            }
            text += if self.colours == Colours::None { "\n" } else { "\u{1b}[0m\n" };
        }
        Ok(text)
    }

    /// Means over the pixels of the picture that make one of the screen.
    fn pixels(&self) -> Vec<[u8; 3]> {
        let rows: Vec<&[u8]> = self.picture.rows().collect();
        let mean = |x: usize, y: usize, colour: usize| {
            let sum: usize = (0..FINE * FINE)
                .map(|i| rows[y * FINE + i / FINE][3 * (x * FINE + i % FINE) + colour] as usize)
                .sum();
            (sum / (FINE * FINE)) as u8
        };
        let places = (0..2 * self.rows).flat_map(|y| (0..self.columns).map(move |x| (x, y)));
        places.map(|(x, y)| [0, 1, 2].map(|colour| mean(x, y, colour))).collect()
    }

    fn character(&self, text: &mut String, upper: [u8; 3], lower: [u8; 3]) {
        let cube = |[r, g, b]: [u8; 3]| {
            let level = |value: u8| u32::from(value).saturating_sub(35).div_ceil(40).min(5);
            16 + 36 * level(r) + 6 * level(g) + level(b)
        };
        let _ = match self.colours {
            Colours::True => {
                let ([r, g, b], [x, y, z]) = (upper, lower);
                write!(text, "\u{1b}[38;2;{r};{g};{b};48;2;{x};{y};{z}m▀")
            }
            Colours::Cube => write!(text, "\u{1b}[38;5;{};48;5;{}m▀", cube(upper), cube(lower)),
            Colours::None => {
                const SHADES: &[u8] = b" .:-=+*#%@";
                let brightness = |[r, g, b]: [u8; 3]| {
                    (usize::from(r) * 3 + usize::from(g) * 6 + usize::from(b)) / 10
                };
                let mean = (brightness(upper) + brightness(lower)) / 2;
                text.push(SHADES[mean * SHADES.len() / 256] as char);
                Ok(())
            }
        };
    }
}

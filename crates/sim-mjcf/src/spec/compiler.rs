use sim_core::LengthRange;
use sim_core::model::{InertiaFromGeom, LengthRangeMode};

use super::{Attributes, Attrs, FLAG, Named, Parse};

/// Settings of the compiler.
#[doc(alias = "mjsCompiler")]
#[derive(Debug, Clone, PartialEq)]
pub struct Compiler {
    /// Whether limits apply wherever a range is given.
    pub autolimits: bool,
    /// Least mass of a moving body.
    pub boundmass: f64,
    /// Least diagonal inertia of a moving body.
    pub boundinertia: f64,
    /// Total mass to scale the model to; ignored unless positive.
    pub settotalmass: f64,
    /// Whether impossible inertias are replaced by their mean.
    pub balanceinertia: bool,
    /// Whether directories are removed from file names.
    pub strippath: bool,
    /// Whether angles are in degrees.
    pub degree: bool,
    /// Whether meshes are fitted by their bounding box instead of their inertia box.
    pub fitaabb: bool,
    /// Sequence of Euler rotations: `x`, `y`, `z` about moving axes, `X`, `Y`, `Z` about fixed.
    pub eulerseq: EulerSequence,
    /// Directory of meshes and height fields.
    pub meshdir: String,
    /// Directory of textures.
    pub texturedir: String,
    /// Whether purely visual elements are dropped.
    pub discardvisual: bool,
    /// Whether the compiler may use threads.
    pub usethread: bool,
    /// Whether static bodies are fused with their parents.
    pub fusestatic: bool,
    /// Whether inertias are computed from geoms.
    pub inertiafromgeom: InertiaFromGeom,
    /// First and last group of geoms that count for inertias.
    pub inertiagrouprange: [i32; 2],
    /// Whether saving writes explicit inertias.
    pub saveinertial: bool,
    /// Whether free joints are aligned with the inertial frame.
    pub alignfree: bool,
    /// How actuator length ranges are computed.
    pub lengthrange: LengthRange,
}

/// Sequence of Euler rotations, three letters of `xyzXYZ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EulerSequence(pub [u8; 3]);

const ANGLES: &[(&str, bool)] = &[("radian", false), ("degree", true)];

const LENGTHRANGE_MODES: &[(&str, LengthRangeMode)] = &[
    ("none", LengthRangeMode::None),
    ("muscle", LengthRangeMode::Muscle),
    ("muscleuser", LengthRangeMode::MuscleUser),
    ("all", LengthRangeMode::All),
];

const INERTIA_FROM_GEOM: &[(&str, InertiaFromGeom)] = &[
    ("false", InertiaFromGeom::False),
    ("true", InertiaFromGeom::True),
    ("auto", InertiaFromGeom::Auto),
];

impl Default for Compiler {
    fn default() -> Compiler {
        Compiler {
            autolimits: true,
            boundmass: 0.0,
            boundinertia: 0.0,
            settotalmass: -1.0,
            balanceinertia: false,
            strippath: false,
            degree: true,
            fitaabb: false,
            eulerseq: EulerSequence(*b"xyz"),
            meshdir: String::new(),
            texturedir: String::new(),
            discardvisual: false,
            usethread: true,
            fusestatic: false,
            inertiafromgeom: InertiaFromGeom::Auto,
            inertiagrouprange: [0, 5],
            saveinertial: false,
            alignfree: false,
            lengthrange: LengthRange::default(),
        }
    }
}

impl Attributes for Compiler {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("autolimits", &mut self.autolimits, FLAG);
        a.numbers("boundmass", &mut self.boundmass);
        a.numbers("boundinertia", &mut self.boundinertia);
        a.numbers("settotalmass", &mut self.settotalmass);
        a.keyword("balanceinertia", &mut self.balanceinertia, FLAG);
        a.keyword("strippath", &mut self.strippath, FLAG);
        let mut global = false;
        if !a.writing() && a.keyword("coordinate", &mut global, COORDINATES) && global {
            a.fail("coordinate", "global coordinates are not supported");
        }
        a.keyword("angle", &mut self.degree, ANGLES);
        a.keyword("fitaabb", &mut self.fitaabb, FLAG);
        a.value("eulerseq", &mut self.eulerseq);
        // the directories given for one kind of file beat the one given for all
        if !a.writing() && a.text("assetdir", &mut self.meshdir) {
            self.texturedir.clone_from(&self.meshdir);
        }
        a.text("meshdir", &mut self.meshdir);
        a.text("texturedir", &mut self.texturedir);
        a.keyword("discardvisual", &mut self.discardvisual, FLAG);
        a.keyword("usethread", &mut self.usethread, FLAG);
        a.keyword("fusestatic", &mut self.fusestatic, FLAG);
        a.keyword("inertiafromgeom", &mut self.inertiafromgeom, INERTIA_FROM_GEOM);
        a.numbers("inertiagrouprange", &mut self.inertiagrouprange);
        a.keyword("saveinertial", &mut self.saveinertial, FLAG);
        a.keyword("alignfree", &mut self.alignfree, FLAG);

        // spelling of older versions
        let mut exact = false;
        if !a.writing() && a.keyword("exactmeshinertia", &mut exact, FLAG) {
            let help = "write inertia=\"exact\" on the mesh, or on the default mesh";
            a.warn("exactmeshinertia", "'exactmeshinertia' has no effect any more", help);
        }
    }
}

impl Attributes for LengthRange {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("mode", &mut self.mode, LENGTHRANGE_MODES);
        a.keyword("useexisting", &mut self.useexisting, FLAG);
        a.keyword("uselimit", &mut self.uselimit, FLAG);
        a.numbers("accel", &mut self.accel);
        a.numbers("maxforce", &mut self.maxforce);
        a.numbers("timeconst", &mut self.timeconst);
        a.numbers("timestep", &mut self.timestep);
        a.numbers("inttotal", &mut self.inttotal);
        a.numbers("interval", &mut self.interval);
        a.numbers("tolrange", &mut self.tolrange);
    }
}

const COORDINATES: &[(&str, bool)] = &[("local", false), ("global", true)];

impl Parse for EulerSequence {
    fn print(&self) -> Option<String> {
        Some(self.0.iter().map(|&letter| char::from(letter)).collect())
    }

    fn parse(text: &str) -> Result<EulerSequence, String> {
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(letters) if letters.iter().all(|c| b"xyzXYZ".contains(c)) => {
                Ok(EulerSequence(letters))
            }
            _ => Err(format!("expected three letters out of 'xyzXYZ', found '{text}'")),
        }
    }
}

impl Named for Compiler {
    /// Settings have no name.
    fn name(&self) -> &str {
        ""
    }
}

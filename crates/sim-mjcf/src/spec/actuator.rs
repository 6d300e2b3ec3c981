use std::f64::consts::PI;

use sim_core::model::{BiasType, DynType, GainType, Limited, TrnType};

use super::rename::Copied;
use super::{Attributes, Attrs, FLAG, Info, TRISTATE};

/// An actuator in its general form. Elements such as `position` are other ways to write it, see
/// [`ActuatorKind`].
#[doc(alias = "mjsActuator")]
#[derive(Debug, Clone)]
pub struct Actuator {
    /// Name, place and relations.
    pub info: Info,
    /// Group.
    pub group: i32,
    /// Number of past controls that are kept.
    pub nsample: i32,
    /// How the control is interpolated between past ones.
    pub interp: Interpolation,
    /// Delay of the control.
    pub delay: f64,
    /// Whether the range of control applies.
    pub ctrllimited: Limited,
    /// Whether the range of force applies.
    pub forcelimited: Limited,
    /// Whether the range of activation applies.
    pub actlimited: Limited,
    /// Limits of the control.
    pub ctrlrange: [f64; 2],
    /// Limits of the force.
    pub forcerange: [f64; 2],
    /// Limits of the activation.
    pub actrange: [f64; 2],
    /// Range of the target, relative to its centre, that the range of control or activation is
    /// taken from; 0 for not at all.
    pub inheritrange: f64,
    /// Least and greatest length.
    pub lengthrange: [f64; 2],
    /// Scaling of length and moment; six numbers for what has six dofs.
    pub gear: [f64; 6],
    /// Length of the connecting rod of a slider-crank.
    pub cranklength: f64,
    /// What the force acts on.
    pub trntype: TrnType,
    /// Name of what the force acts on.
    pub target: String,
    /// Name of the site of the slider, which the rod of a slider-crank pushes.
    pub slidersite: String,
    /// Name of the site that the site is measured from; empty for none.
    pub refsite: String,
    /// Activation dynamics.
    pub dyntype: DynType,
    /// Kind of gain.
    pub gaintype: GainType,
    /// Kind of bias.
    pub biastype: BiasType,
    /// Parameters of the activation dynamics.
    pub dynprm: [f64; 10],
    /// Parameters of the gain.
    pub gainprm: [f64; 10],
    /// Parameters of the bias. A positive third number of a position servo is a damping ratio.
    pub biasprm: [f64; 10],
    /// Number of activations; −1 for as many as the dynamics need.
    pub actdim: i32,
    /// Whether the force follows from the activation at the end of the step.
    pub actearly: bool,
    /// User data.
    pub user: Vec<f64>,
}

/// Ways to interpolate between samples of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The last sample holds.
    Hold = 0,
    /// Straight lines.
    Linear = 1,
    /// Cubic polynomials.
    Cubic = 2,
}

/// Names of the ways to interpolate.
pub(crate) const INTERPOLATIONS: &[(&str, Interpolation)] = &[
    ("zoh", Interpolation::Hold),
    ("linear", Interpolation::Linear),
    ("cubic", Interpolation::Cubic),
];

const DYNAMICS: &[(&str, DynType)] = &[
    ("none", DynType::None),
    ("integrator", DynType::Integrator),
    ("filter", DynType::Filter),
    ("filterexact", DynType::FilterExact),
    ("muscle", DynType::Muscle),
    ("user", DynType::User),
];

const GAINS: &[(&str, GainType)] = &[
    ("fixed", GainType::Fixed),
    ("affine", GainType::Affine),
    ("muscle", GainType::Muscle),
    ("user", GainType::User),
];

const BIASES: &[(&str, BiasType)] = &[
    ("none", BiasType::None),
    ("affine", BiasType::Affine),
    ("muscle", BiasType::Muscle),
    ("user", BiasType::User),
];

impl Default for Actuator {
    fn default() -> Actuator {
        Actuator {
            info: Info::default(),
            group: 0,
            nsample: 0,
            interp: Interpolation::Hold,
            delay: 0.0,
            ctrllimited: Limited::Auto,
            forcelimited: Limited::Auto,
            actlimited: Limited::Auto,
            ctrlrange: [0.0; 2],
            forcerange: [0.0; 2],
            actrange: [0.0; 2],
            inheritrange: 0.0,
            lengthrange: [0.0; 2],
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            cranklength: 0.0,
            trntype: TrnType::Undefined,
            target: String::new(),
            slidersite: String::new(),
            refsite: String::new(),
            dyntype: DynType::None,
            gaintype: GainType::Fixed,
            biastype: BiasType::None,
            dynprm: first(1.0),
            gainprm: first(1.0),
            biasprm: [0.0; 10],
            actdim: -1,
            actearly: false,
            user: Vec::new(),
        }
    }
}

/// Parameters of which only the first is not zero.
fn first(value: f64) -> [f64; 10] {
    let mut parameters = [0.0; 10];
    parameters[0] = value;
    parameters
}

impl Actuator {
    /// Number of activations.
    pub fn activations(&self) -> usize {
        let needed = usize::from(self.dyntype != DynType::None);
        usize::try_from(self.actdim).unwrap_or(needed)
    }

    /// Numbers in the history: a value for the user, a cursor, and the samples with their times.
    pub fn history(&self) -> usize {
        match usize::try_from(self.nsample) {
            Ok(samples) if samples > 0 => 2 + 2 * samples,
            _ => 0,
        }
    }
}

/// The elements that an actuator can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActuatorKind {
    /// The general form.
    General,
    /// A force that is the control.
    Motor,
    /// A servo that holds a position.
    Position,
    /// A servo that holds a velocity.
    Velocity,
    /// A servo that holds the integral of the control.
    IntVelocity,
    /// A damper whose damping is the control.
    Damper,
    /// A pneumatic or hydraulic cylinder.
    Cylinder,
    /// A muscle.
    Muscle,
    /// Adhesion at the contacts of a body.
    Adhesion,
}

impl ActuatorKind {
    /// The kind that is written as element `name`.
    pub fn from_name(name: &str) -> Option<ActuatorKind> {
        Some(match name {
            "general" => ActuatorKind::General,
            "motor" => ActuatorKind::Motor,
            "position" => ActuatorKind::Position,
            "velocity" => ActuatorKind::Velocity,
            "intvelocity" => ActuatorKind::IntVelocity,
            "damper" => ActuatorKind::Damper,
            "cylinder" => ActuatorKind::Cylinder,
            "muscle" => ActuatorKind::Muscle,
            "adhesion" => ActuatorKind::Adhesion,
            _ => return None,
        })
    }
}

/// What the attributes of a target make the force act on.
const TARGETS: [(&str, TrnType); 6] = [
    ("joint", TrnType::Joint),
    ("jointinparent", TrnType::JointInParent),
    ("tendon", TrnType::Tendon),
    ("cranksite", TrnType::SliderCrank),
    ("site", TrnType::Site),
    ("body", TrnType::Body),
];

impl Attributes for Actuator {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        self.common_attrs(ActuatorKind::General, a);
        a.keyword("dyntype", &mut self.dyntype, DYNAMICS);
        a.keyword("gaintype", &mut self.gaintype, GAINS);
        a.keyword("biastype", &mut self.biastype, BIASES);
        a.up_to("dynprm", &mut self.dynprm);
        a.up_to("gainprm", &mut self.gainprm);
        a.up_to("biasprm", &mut self.biasprm);
        a.keyword("actearly", &mut self.actearly, FLAG);
        a.numbers("actdim", &mut self.actdim);
    }
}

/// An actuator that is read from the element of a kind.
pub(crate) struct Shortcut<'a> {
    pub kind: ActuatorKind,
    pub actuator: &'a mut Actuator,
}

impl Attributes for Shortcut<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let actuator = &mut *self.actuator;
        if self.kind == ActuatorKind::General {
            return actuator.attrs(a);
        }
        actuator.common_attrs(self.kind, a);
        match self.kind {
            ActuatorKind::General => {}
            ActuatorKind::Motor => actuator.set_motor(),
            ActuatorKind::Position => actuator.position_attrs(a),
            ActuatorKind::Velocity => actuator.velocity_attrs(a),
            ActuatorKind::IntVelocity => actuator.intvelocity_attrs(a),
            ActuatorKind::Damper => actuator.damper_attrs(a),
            ActuatorKind::Cylinder => actuator.cylinder_attrs(a),
            ActuatorKind::Muscle => actuator.muscle_attrs(a),
            ActuatorKind::Adhesion => actuator.adhesion_attrs(a),
        }
    }
}

impl Actuator {
    /// The attributes that do not depend on how the force is computed.
    fn common_attrs<A: Attrs>(&mut self, kind: ActuatorKind, a: &mut A) {
        use ActuatorKind::{Adhesion, Damper, General, IntVelocity, Muscle};
        a.identity(&mut self.name);
        a.numbers("group", &mut self.group);
        if a.numbers("nsample", &mut self.nsample) && self.nsample < 0 {
            a.fail("nsample", "the number of samples cannot be negative");
        }
        a.keyword("interp", &mut self.interp, INTERPOLATIONS);
        if a.numbers("delay", &mut self.delay) && self.delay < 0.0 {
            a.fail("delay", "a delay cannot be negative");
        }
        if !matches!(kind, Damper | Adhesion) {
            a.keyword("ctrllimited", &mut self.ctrllimited, TRISTATE);
        }
        a.keyword("forcelimited", &mut self.forcelimited, TRISTATE);
        if kind == General {
            a.keyword("actlimited", &mut self.actlimited, TRISTATE);
        }
        a.numbers("ctrlrange", &mut self.ctrlrange);
        a.numbers("forcerange", &mut self.forcerange);
        if matches!(kind, General | IntVelocity) {
            a.numbers("actrange", &mut self.actrange);
        }
        let mut rod = false;
        if kind != Adhesion {
            a.up_to("gear", &mut self.gear);
            rod |= a.numbers("cranklength", &mut self.cranklength);
        }
        a.list("user", &mut self.user);
        if a.in_defaults() {
            return;
        }

        // what the force acts on
        let mut given = false;
        for (name, trntype) in TARGETS {
            let known = match name {
                "body" => matches!(kind, General | Adhesion),
                "site" => !matches!(kind, Adhesion | Muscle),
                _ => kind != Adhesion,
            };
            if !known {
                continue;
            }
            let mut target = String::new();
            if self.trntype == trntype {
                target.clone_from(&self.target);
            }
            if a.text(name, &mut target) {
                if std::mem::replace(&mut given, true) {
                    a.fail(name, "an actuator acts on one thing only");
                }
                (self.trntype, self.target) = (trntype, target);
            }
        }
        if kind != Adhesion {
            a.numbers("lengthrange", &mut self.lengthrange);
            let slider = a.text("slidersite", &mut self.slidersite);
            if (rod || slider) && !matches!(self.trntype, TrnType::SliderCrank | TrnType::Undefined)
            {
                let name = if slider { "slidersite" } else { "cranklength" };
                a.fail(name, format!("'{name}' needs a 'cranksite'"));
            }
        }
        if !matches!(kind, Adhesion | Muscle)
            && a.text("refsite", &mut self.refsite)
            && !matches!(self.trntype, TrnType::Site | TrnType::Undefined)
        {
            a.fail("refsite", "'refsite' needs a 'site'");
        }
    }

    fn set_motor(&mut self) {
        self.gainprm[0] = 1.0;
        self.set_types(DynType::None, GainType::Fixed, BiasType::None);
    }

    fn set_types(&mut self, dyntype: DynType, gaintype: GainType, biastype: BiasType) {
        (self.dyntype, self.gaintype, self.biastype) = (dyntype, gaintype, biastype);
    }

    fn position_attrs<A: Attrs>(&mut self, a: &mut A) {
        let mut timeconst = match self.dyntype {
            DynType::FilterExact if a.writing() => Some(self.dynprm[0]),
            DynType::None if a.writing() && self.dynprm[0] == 0.0 => Some(0.0),
            _ => None,
        };
        if a.optional("timeconst", &mut timeconst) {
            self.dynprm[0] = timeconst.unwrap_or(0.0);
            self.dyntype = match self.dynprm[0] {
                ..0.0 => return a.fail("timeconst", "'timeconst' cannot be negative"),
                0.0 => DynType::None,
                _ => DynType::FilterExact,
            };
        }
        self.servo_attrs(a);
        if self.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            a.fail("inheritrange", "'ctrlrange' and 'inheritrange' cannot both be given");
        }
    }

    fn intvelocity_attrs<A: Attrs>(&mut self, a: &mut A) {
        self.servo_attrs(a);
        self.dyntype = DynType::Integrator;
        self.actlimited = Limited::True;
        if self.inheritrange > 0.0 && self.actrange != [0.0; 2] {
            a.fail("inheritrange", "'actrange' and 'inheritrange' cannot both be given");
        }
    }

    /// Gain and damping of servos.
    fn servo_attrs<A: Attrs>(&mut self, a: &mut A) {
        let mut kp = self.gainprm[0];
        a.numbers("kp", &mut kp);
        self.gainprm[0] = kp;
        self.biasprm[1] = -kp;
        let (mut kv, mut dampratio) = match self.biasprm[2] {
            _ if !a.writing() => (None, None),
            ratio if ratio > 0.0 => (None, Some(ratio)),
            damping => (Some(-damping), None),
        };
        a.optional("kv", &mut kv);
        a.optional("dampratio", &mut dampratio);
        match (kv, dampratio) {
            (Some(_), Some(_)) => a.fail("dampratio", "'kv' and 'dampratio' cannot both be given"),
            (Some(..0.0), None) => a.fail("kv", "'kv' cannot be negative"),
            (None, Some(..0.0)) => a.fail("dampratio", "'dampratio' cannot be negative"),
            (Some(kv), None) => self.biasprm[2] = -kv,
            // a positive number is a ratio until the inertia is known
            (None, Some(dampratio)) => self.biasprm[2] = dampratio,
            (None, None) => {}
        }
        a.numbers("inheritrange", &mut self.inheritrange);
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::Affine;
    }

    fn velocity_attrs<A: Attrs>(&mut self, a: &mut A) {
        let mut kv = self.gainprm[0];
        a.numbers("kv", &mut kv);
        self.gainprm[0] = kv;
        self.biasprm = [0.0; 10];
        self.biasprm[2] = -kv;
        self.set_types(DynType::None, GainType::Fixed, BiasType::Affine);
    }

    fn damper_attrs<A: Attrs>(&mut self, a: &mut A) {
        let mut kv = 0.0;
        if a.numbers("kv", &mut kv) && kv < 0.0 {
            a.fail("kv", "'kv' cannot be negative");
        }
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Limited::True;
        self.set_types(DynType::None, GainType::Affine, BiasType::None);
        self.check_control(a);
    }

    /// The control of what can only resist or pull is not negative.
    fn check_control<A: Attrs>(&self, a: &mut A) {
        if self.ctrlrange.iter().any(|&limit| limit < 0.0) {
            a.fail("ctrlrange", "the control of this actuator cannot be negative");
        }
    }

    fn cylinder_attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("timeconst", &mut self.dynprm[0]);
        a.numbers("area", &mut self.gainprm[0]);
        let mut diameter = -1.0;
        if a.numbers("diameter", &mut diameter) && diameter >= 0.0 {
            self.gainprm[0] = PI / 4.0 * diameter * diameter;
        }
        // of the three numbers the reference keeps one
        let mut bias = [self.biasprm[0], 0.0, 0.0];
        a.numbers("bias", &mut bias);
        self.biasprm[0] = bias[0];
        self.set_types(DynType::Filter, GainType::Fixed, BiasType::Affine);
    }

    fn muscle_attrs<A: Attrs>(&mut self, a: &mut A) {
        // what still has the value that it has in all actuators takes the one of muscles
        let replace = |value: &mut f64, initial: f64, muscle: f64| {
            if *value == initial {
                *value = muscle;
            }
        };
        replace(&mut self.dynprm[0], 1.0, 0.01);
        replace(&mut self.dynprm[1], 0.0, 0.04);
        replace(&mut self.gainprm[0], 1.0, 0.75);
        let rest = [1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
        for (value, muscle) in self.gainprm[1..].iter_mut().zip(rest) {
            replace(value, 0.0, muscle);
        }
        if !a.in_defaults() {
            a.numbers("tausmooth", &mut self.dynprm[2]);
        }
        if self.dynprm[2] < 0.0 {
            a.fail("tausmooth", "'tausmooth' cannot be negative");
        }

        // a negative number means that none is given
        let mut pair = [-1.0; 2];
        a.numbers("timeconst", &mut pair);
        take_if_given(&mut self.dynprm[..2], &pair);
        let mut pair = [-1.0; 2];
        a.numbers("range", &mut pair);
        take_if_given(&mut self.gainprm[..2], &pair);
        let names = ["force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"];
        for (name, parameter) in names.into_iter().zip(&mut self.gainprm[2..]) {
            let mut value = -1.0;
            a.numbers(name, &mut value);
            take_if_given(std::slice::from_mut(parameter), &[value]);
        }
        self.biasprm[..9].copy_from_slice(&self.gainprm[..9]);
        self.set_types(DynType::Muscle, GainType::Muscle, BiasType::Muscle);
    }

    fn adhesion_attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("gain", &mut self.gainprm[0]);
        if self.gainprm[0] < 0.0 {
            a.fail("gain", "'gain' cannot be negative");
        }
        self.ctrllimited = Limited::True;
        self.gaintype = GainType::Fixed;
        self.biastype = BiasType::None;
        self.check_control(a);
    }
}

/// Takes the values that are not negative.
fn take_if_given(targets: &mut [f64], values: &[f64]) {
    for (target, &value) in targets.iter_mut().zip(values) {
        if value >= 0.0 {
            *target = value;
        }
    }
}

impl Copied for Actuator {
    fn user(&self) -> &[f64] {
        &self.user
    }
}

use sim_core::model::{ConDataField, DataType, ObjType, RayDataField, SensorType, Stage};

use super::actuator::{INTERPOLATIONS, Interpolation};
use super::custom::OBJECT_TYPES;
use super::rename::Copied;
use super::{Attributes, Attrs, Info};

/// A sensor.
#[doc(alias = "mjsSensor")]
#[derive(Debug, Clone)]
pub struct Sensor {
    /// Name, place and relations.
    pub info: Info,
    /// Kind of sensor.
    pub kind: SensorType,
    /// Kind of the object that is sensed; `Unknown` for none.
    pub objtype: ObjType,
    /// Name of the object that is sensed.
    pub objname: String,
    /// Kind of the object that the readings are relative to; `Unknown` for none.
    pub reftype: ObjType,
    /// Name of the object that the readings are relative to.
    pub refname: String,
    /// What a rangefinder or contact sensor reports, a bit each.
    pub data: i32,
    /// How a contact sensor chooses among its contacts.
    pub reduce: i32,
    /// Number of contacts that a contact sensor reports.
    pub num: i32,
    /// Number of values of a user sensor.
    pub dim: i32,
    /// Kind of values of a user sensor.
    pub datatype: DataType,
    /// Stage of a user sensor.
    pub needstage: Stage,
    /// Readings that are kept.
    pub nsample: i32,
    /// How readings of the past are interpolated.
    pub interp: Interpolation,
    /// Time by which the readings are late.
    pub delay: f64,
    /// Period and phase of the readings.
    pub interval: [f64; 2],
    /// Largest absolute value; zero for none.
    pub cutoff: f64,
    /// Standard deviation of noise; for information.
    pub noise: f64,
    /// User data.
    pub user: Vec<f64>,
}

impl Sensor {
    /// A sensor of the given kind.
    pub fn new(kind: SensorType) -> Sensor {
        Sensor {
            info: Info::default(),
            kind,
            objtype: ObjType::Unknown,
            objname: String::new(),
            reftype: ObjType::Unknown,
            refname: String::new(),
            // distance of rays, presence of contacts
            data: 1,
            reduce: 0,
            num: 1,
            dim: 0,
            datatype: DataType::Real,
            needstage: Stage::Acc,
            nsample: 0,
            interp: Interpolation::Hold,
            delay: 0.0,
            interval: [0.0; 2],
            cutoff: 0.0,
            noise: 0.0,
            user: Vec::new(),
        }
    }
}

/// Elements of the section `sensor`.
pub(crate) const SENSOR_TYPES: &[(&str, SensorType)] = &[
    ("touch", SensorType::Touch),
    ("accelerometer", SensorType::Accelerometer),
    ("velocimeter", SensorType::Velocimeter),
    ("gyro", SensorType::Gyro),
    ("force", SensorType::Force),
    ("torque", SensorType::Torque),
    ("magnetometer", SensorType::Magnetometer),
    ("camprojection", SensorType::CamProjection),
    ("rangefinder", SensorType::RangeFinder),
    ("jointpos", SensorType::JointPos),
    ("jointvel", SensorType::JointVel),
    ("tendonpos", SensorType::TendonPos),
    ("tendonvel", SensorType::TendonVel),
    ("actuatorpos", SensorType::ActuatorPos),
    ("actuatorvel", SensorType::ActuatorVel),
    ("actuatorfrc", SensorType::ActuatorFrc),
    ("jointactuatorfrc", SensorType::JointActFrc),
    ("tendonactuatorfrc", SensorType::TendonActFrc),
    ("ballquat", SensorType::BallQuat),
    ("ballangvel", SensorType::BallAngVel),
    ("jointlimitpos", SensorType::JointLimitPos),
    ("jointlimitvel", SensorType::JointLimitVel),
    ("jointlimitfrc", SensorType::JointLimitFrc),
    ("tendonlimitpos", SensorType::TendonLimitPos),
    ("tendonlimitvel", SensorType::TendonLimitVel),
    ("tendonlimitfrc", SensorType::TendonLimitFrc),
    ("framepos", SensorType::FramePos),
    ("framequat", SensorType::FrameQuat),
    ("framexaxis", SensorType::FrameXAxis),
    ("frameyaxis", SensorType::FrameYAxis),
    ("framezaxis", SensorType::FrameZAxis),
    ("framelinvel", SensorType::FrameLinVel),
    ("frameangvel", SensorType::FrameAngVel),
    ("framelinacc", SensorType::FrameLinAcc),
    ("frameangacc", SensorType::FrameAngAcc),
    ("subtreecom", SensorType::SubtreeCom),
    ("subtreelinvel", SensorType::SubtreeLinVel),
    ("subtreeangmom", SensorType::SubtreeAngMom),
    ("insidesite", SensorType::InsideSite),
    ("distance", SensorType::GeomDist),
    ("normal", SensorType::GeomNormal),
    ("fromto", SensorType::GeomFromTo),
    ("contact", SensorType::Contact),
    ("e_potential", SensorType::EPotential),
    ("e_kinetic", SensorType::EKinetic),
    ("clock", SensorType::Clock),
    ("tactile", SensorType::Tactile),
    ("user", SensorType::User),
    ("plugin", SensorType::Plugin),
];

const STAGES: &[(&str, Stage)] =
    &[("none", Stage::None), ("pos", Stage::Pos), ("vel", Stage::Vel), ("acc", Stage::Acc)];

const DATA_TYPES: &[(&str, DataType)] = &[
    ("real", DataType::Real),
    ("positive", DataType::Positive),
    ("axis", DataType::Axis),
    ("quaternion", DataType::Quaternion),
];

const RAY_DATA: &[(&str, i32)] = &[
    ("dist", 1 << RayDataField::Dist as i32),
    ("dir", 1 << RayDataField::Dir as i32),
    ("origin", 1 << RayDataField::Origin as i32),
    ("point", 1 << RayDataField::Point as i32),
    ("normal", 1 << RayDataField::Normal as i32),
    ("depth", 1 << RayDataField::Depth as i32),
];

const CONTACT_DATA: &[(&str, i32)] = &[
    ("found", 1 << ConDataField::Found as i32),
    ("force", 1 << ConDataField::Force as i32),
    ("torque", 1 << ConDataField::Torque as i32),
    ("dist", 1 << ConDataField::Dist as i32),
    ("pos", 1 << ConDataField::Pos as i32),
    ("normal", 1 << ConDataField::Normal as i32),
    ("tangent", 1 << ConDataField::Tangent as i32),
];

const REDUCTIONS: &[(&str, i32)] = &[("none", 0), ("mindist", 1), ("maxforce", 2), ("netforce", 3)];

impl Attributes for Sensor {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        match self.kind {
            SensorType::Touch
            | SensorType::Accelerometer
            | SensorType::Velocimeter
            | SensorType::Gyro
            | SensorType::Force
            | SensorType::Torque
            | SensorType::Magnetometer => self.object(a, "site", ObjType::Site),
            SensorType::CamProjection => {
                self.object(a, "site", ObjType::Site);
                self.reference(a, "camera", ObjType::Camera);
            }
            SensorType::RangeFinder => self.rangefinder(a),
            SensorType::JointPos
            | SensorType::JointVel
            | SensorType::JointActFrc
            | SensorType::BallQuat
            | SensorType::BallAngVel
            | SensorType::JointLimitPos
            | SensorType::JointLimitVel
            | SensorType::JointLimitFrc => self.object(a, "joint", ObjType::Joint),
            SensorType::TendonPos
            | SensorType::TendonVel
            | SensorType::TendonActFrc
            | SensorType::TendonLimitPos
            | SensorType::TendonLimitVel
            | SensorType::TendonLimitFrc => self.object(a, "tendon", ObjType::Tendon),
            SensorType::ActuatorPos | SensorType::ActuatorVel | SensorType::ActuatorFrc => {
                self.object(a, "actuator", ObjType::Actuator);
            }
            SensorType::FramePos
            | SensorType::FrameQuat
            | SensorType::FrameXAxis
            | SensorType::FrameYAxis
            | SensorType::FrameZAxis
            | SensorType::FrameLinVel
            | SensorType::FrameAngVel => {
                self.frame(a);
                self.reference_frame(a);
            }
            SensorType::FrameLinAcc | SensorType::FrameAngAcc => self.frame(a),
            SensorType::SubtreeCom | SensorType::SubtreeLinVel | SensorType::SubtreeAngMom => {
                self.object(a, "body", ObjType::Body);
            }
            SensorType::InsideSite => {
                self.reference(a, "site", ObjType::Site);
                self.frame(a);
            }
            SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo => {
                self.distance(a);
            }
            SensorType::Contact => self.contact(a),
            SensorType::User => self.user_sensor(a),
            SensorType::EPotential | SensorType::EKinetic | SensorType::Clock => {}
            SensorType::Tactile | SensorType::Plugin => {}
        }
        if self.kind != SensorType::User {
            if a.numbers("nsample", &mut self.nsample) && self.nsample < 0 {
                a.fail("nsample", "'nsample' must not be negative");
            }
            a.keyword("interp", &mut self.interp, INTERPOLATIONS);
            a.numbers("delay", &mut self.delay);
            a.up_to("interval", &mut self.interval);
        }
        a.numbers("cutoff", &mut self.cutoff);
        a.numbers("noise", &mut self.noise);
        a.list("user", &mut self.user);
    }
}

impl Sensor {
    /// The object that is sensed, where its kind is given.
    fn object<A: Attrs>(&mut self, a: &mut A, name: &'static str, kind: ObjType) {
        self.objtype = kind;
        a.text(name, &mut self.objname);
        a.required(name);
    }

    /// The object that readings are relative to, where its kind is given.
    fn reference<A: Attrs>(&mut self, a: &mut A, name: &'static str, kind: ObjType) {
        self.reftype = kind;
        a.text(name, &mut self.refname);
        a.required(name);
    }

    /// The object of a sensor that can be attached to anything with a frame.
    fn frame<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("objtype", &mut self.objtype, OBJECT_TYPES);
        a.required("objtype");
        a.text("objname", &mut self.objname);
        a.required("objname");
    }

    /// The frame that readings are relative to.
    fn reference_frame<A: Attrs>(&mut self, a: &mut A) {
        let reftype = a.keyword("reftype", &mut self.reftype, OBJECT_TYPES);
        let refname = a.text("refname", &mut self.refname);
        if reftype {
            a.required("refname");
        } else if refname {
            a.fail("refname", "'refname' is given without 'reftype'");
        }
    }

    fn rangefinder<A: Attrs>(&mut self, a: &mut A) {
        let choices = [("site", ObjType::Site), ("camera", ObjType::Camera)];
        if !choose(a, &choices, &mut self.objtype, &mut self.objname) {
            a.fail("site", "a rangefinder needs a site or a camera");
        }
        a.keywords_in_order("data", &mut self.data, RAY_DATA);
    }

    fn distance<A: Attrs>(&mut self, a: &mut A) {
        let choices = [("geom1", ObjType::Geom), ("body1", ObjType::Body)];
        if !choose(a, &choices, &mut self.objtype, &mut self.objname) {
            a.fail("geom1", "one of 'geom1' and 'body1' must be given");
        }
        let choices = [("geom2", ObjType::Geom), ("body2", ObjType::Body)];
        if !choose(a, &choices, &mut self.reftype, &mut self.refname) {
            a.fail("geom2", "one of 'geom2' and 'body2' must be given");
        }
    }

    fn contact<A: Attrs>(&mut self, a: &mut A) {
        let choices = [
            ("geom1", ObjType::Geom),
            ("body1", ObjType::Body),
            ("subtree1", ObjType::XBody),
            ("site", ObjType::Site),
        ];
        choose(a, &choices, &mut self.objtype, &mut self.objname);
        let choices =
            [("geom2", ObjType::Geom), ("body2", ObjType::Body), ("subtree2", ObjType::XBody)];
        choose(a, &choices, &mut self.reftype, &mut self.refname);
        a.keywords_in_order("data", &mut self.data, CONTACT_DATA);
        a.keyword("reduce", &mut self.reduce, REDUCTIONS);
        if a.numbers("num", &mut self.num) && self.num <= 0 {
            a.fail("num", "'num' must be positive");
        }
    }

    fn user_sensor<A: Attrs>(&mut self, a: &mut A) {
        let objtype = a.keyword("objtype", &mut self.objtype, OBJECT_TYPES);
        let objname = a.text("objname", &mut self.objname);
        if objtype && !objname {
            a.fail("objtype", "'objtype' is given without 'objname'");
        } else if objname && !objtype {
            a.fail("objname", "'objname' is given without 'objtype'");
        }
        a.numbers("dim", &mut self.dim);
        a.required("dim");
        a.keyword("needstage", &mut self.needstage, STAGES);
        a.keyword("datatype", &mut self.datatype, DATA_TYPES);
    }
}

/// Reads the one of several attributes that names the object; returns whether there is one.
fn choose<A: Attrs>(
    a: &mut A,
    choices: &[(&'static str, ObjType)],
    objtype: &mut ObjType,
    objname: &mut String,
) -> bool {
    let mut first = None;
    for &(name, kind) in choices {
        if a.writing() && kind != *objtype {
            continue;
        }
        if a.text(name, objname) {
            *objtype = kind;
            match first {
                None => first = Some(name),
                Some(first) => a.fail(name, format!("'{first}' and '{name}' cannot both be given")),
            }
        }
    }
    first.is_some()
}

impl Default for Sensor {
    fn default() -> Sensor {
        let mut sensor = Sensor::new(SensorType::Touch);
        (sensor.data, sensor.reduce, sensor.num) = (0, 0, 0);
        sensor
    }
}

impl Copied for Sensor {
    fn user(&self) -> &[f64] {
        &self.user
    }
}

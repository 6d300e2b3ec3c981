//! Sensors: what they are attached to, and where their readings go.

use sim_core::Model;
use sim_core::model::{DataType, GeomType, JointType, ObjType, SensorType};

use super::names::Names;
use super::sizes::MAX_NUMBERS;
use super::tables::copy_user;
use crate::error::Error;
use crate::spec::{Element, Sensor, Spec};

/// Samples that the history of a sensor can have.
const MAX_SAMPLES: i32 = 1 << 24;

/// Values of each field of a ray.
const RAY_SIZES: [i64; 6] = [1, 3, 3, 3, 3, 1];
/// Values of each field of a contact.
const CONTACT_SIZES: [i64; 7] = [1, 3, 3, 1, 3, 3, 3];

/// Fills the tables of sensors. Histories follow those of the actuators.
pub(super) fn fill(spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
    let mut address = 0;
    let mut history = model.nhistory;
    for (id, sensor) in spec.sensors.iter().enumerate() {
        check_numbers(sensor)?;
        check_data_spec(sensor)?;
        let object =
            find(names, sensor, sensor.objtype, &sensor.objname, object_attribute(sensor))?;
        let reference =
            find(names, sensor, sensor.reftype, &sensor.refname, reference_attribute(sensor))?;
        check_objects(sensor, object, reference, model)?;

        let (mut datatype, mut stage) = (sensor.kind.data_type(), sensor.kind.stage());
        if sensor.kind == SensorType::User {
            (datatype, stage) = (sensor.datatype, sensor.needstage);
        }
        let dim = dimension(sensor, object, model)?;
        check_cutoff(sensor, datatype)?;

        model.sensor_type[id] = sensor.kind as i32;
        model.sensor_datatype[id] = datatype as i32;
        model.sensor_needstage[id] = stage as i32;
        model.sensor_objtype[id] = sensor.objtype as i32;
        model.sensor_objid[id] = object.map_or(-1, |object| object as i32);
        model.sensor_reftype[id] = sensor.reftype as i32;
        model.sensor_refid[id] = reference.map_or(-1, |object| object as i32);
        model.sensor_intprm[id] = match sensor.kind {
            SensorType::RangeFinder => [sensor.data, 0, 0],
            SensorType::Contact => [sensor.data, sensor.reduce, sensor.num],
            _ => [0; 3],
        };
        model.sensor_dim[id] = dim as i32;
        model.sensor_adr[id] = address as i32;
        model.sensor_cutoff[id] = sensor.cutoff;
        model.sensor_noise[id] = sensor.noise;
        model.sensor_delay[id] = sensor.delay;
        model.sensor_interval[id] = sensor.interval;
        model.sensor_history[id] = [sensor.nsample, sensor.interp as i32];
        model.sensor_historyadr[id] = -1;
        model.sensor_plugin[id] = -1;
        copy_user(&mut model.sensor_user, model.nuser_sensor, id, &sensor.user);

        address += dim;
        let mut needed = address;
        if sensor.nsample > 0 {
            model.sensor_historyadr[id] = history as i32;
            history += 2 + sensor.nsample as usize * (1 + dim);
            needed = needed.max(history);
        }
        if needed > MAX_NUMBERS {
            let message = format!("the sensors up to this one have {needed} numbers");
            return Err(sensor.error(message).help(format!("the limit is {MAX_NUMBERS}")));
        }
    }
    model.nsensordata = address;
    model.nhistory = history;
    Ok(())
}

/// Finds the object that an attribute names.
fn find(
    names: &Names,
    sensor: &Sensor,
    kind: ObjType,
    name: &str,
    attribute: &str,
) -> Result<Option<usize>, Error> {
    match kind {
        ObjType::Unknown => Ok(None),
        _ => names.resolve(kind, name, sensor.src, attribute).map(Some),
    }
}

/// The attribute that names the object of a sensor.
fn object_attribute(sensor: &Sensor) -> &'static str {
    let numbered = matches!(
        sensor.kind,
        SensorType::GeomDist
            | SensorType::GeomNormal
            | SensorType::GeomFromTo
            | SensorType::Contact
    );
    match sensor.kind {
        SensorType::User | SensorType::InsideSite => return "objname",
        _ if has_frame(sensor.kind) => return "objname",
        _ => {}
    }
    match sensor.objtype {
        ObjType::Site => "site",
        ObjType::Camera => "camera",
        ObjType::Joint => "joint",
        ObjType::Tendon => "tendon",
        ObjType::Actuator => "actuator",
        ObjType::Geom => "geom1",
        ObjType::XBody => "subtree1",
        _ if numbered => "body1",
        _ => "body",
    }
}

/// The attribute that names what the readings of a sensor are relative to.
fn reference_attribute(sensor: &Sensor) -> &'static str {
    match (sensor.kind, sensor.reftype) {
        (SensorType::CamProjection, _) => "camera",
        (SensorType::InsideSite, _) => "site",
        (kind, _) if has_frame(kind) => "refname",
        (_, ObjType::Geom) => "geom2",
        (_, ObjType::XBody) => "subtree2",
        _ => "body2",
    }
}

/// Whether the sensor reads the frame of an object.
fn has_frame(kind: SensorType) -> bool {
    use SensorType::*;
    matches!(
        kind,
        FramePos
            | FrameQuat
            | FrameXAxis
            | FrameYAxis
            | FrameZAxis
            | FrameLinVel
            | FrameAngVel
            | FrameLinAcc
            | FrameAngAcc
    )
}

/// Checks what contact sensors and rangefinders report, and what a contact sensor is about. A file
/// cannot say anything wrong here, but an edited model can.
fn check_data_spec(sensor: &Sensor) -> Result<(), Error> {
    const CONTACT_FIELDS: i32 = 7;
    let fault = |message: String| Err(sensor.error(message));
    if sensor.kind == SensorType::RangeFinder && sensor.data <= 0 {
        let data = sensor.data;
        return fault(format!("data spec (intprm[0]) must be positive, got {data}"));
    }
    if sensor.kind != SensorType::Contact {
        return Ok(());
    }
    let known = (1 << CONTACT_FIELDS) - 1;
    match (sensor.objtype, sensor.reftype, sensor.data) {
        (kind, ..)
            if !matches!(
                kind,
                ObjType::Unknown | ObjType::Body | ObjType::XBody | ObjType::Geom | ObjType::Site
            ) =>
        {
            fault("first matching criterion: if set, must be (x)body, geom or site".into())
        }
        (_, kind, _)
            if !matches!(
                kind,
                ObjType::Unknown | ObjType::Body | ObjType::XBody | ObjType::Geom
            ) =>
        {
            fault("second matching criterion: if set, must be (x)body or geom".into())
        }
        (.., data) if data <= 0 => {
            fault(format!("data spec (intprm[0]) must be positive, got {data}"))
        }
        (.., data) if data & known == 0 => fault(format!(
            "data spec intprm[0]={data} must have at least one bit set of the first mjNCONDATA bits"
        )),
        (.., data) if data & !known != 0 => fault(format!(
            "data spec intprm[0]={data} has bits set beyond the first mjNCONDATA bits"
        )),
        _ if !(0..=3).contains(&sensor.reduce) => {
            fault(format!("unknown reduction criterion. got {}", sensor.reduce))
        }
        _ if sensor.num <= 0 => fault("num (intprm[2]) must be positive in sensor".into()),
        _ => Ok(()),
    }
}

/// Checks the parameters that all sensors have.
fn check_numbers(sensor: &Sensor) -> Result<(), Error> {
    let [period, phase] = sensor.interval;
    let fault = |attribute: &str, message: &str| sensor.error(message).attribute(attribute);
    if sensor.noise < 0.0 {
        return Err(fault("noise", "'noise' must not be negative"));
    }
    if sensor.cutoff < 0.0 {
        return Err(fault("cutoff", "'cutoff' must not be negative"));
    }
    if period < 0.0 {
        return Err(fault("interval", "the period must not be negative"));
    }
    if phase > 0.0 {
        return Err(fault("interval", "the phase must not be positive"));
    }
    if period > 0.0 && phase <= -period {
        return Err(fault("interval", "the phase must be greater than minus the period"));
    }
    if sensor.delay > 0.0 && sensor.nsample <= 0 {
        let error = fault("delay", "a delay needs a history");
        return Err(error.help("give 'nsample', the number of readings that are kept"));
    }
    if sensor.nsample > MAX_SAMPLES {
        let message = format!("'nsample' must be at most {MAX_SAMPLES}");
        return Err(sensor.error(message).attribute("nsample"));
    }
    Ok(())
}

/// Checks that the objects are ones that this kind of sensor can read.
fn check_objects(
    sensor: &Sensor,
    object: Option<usize>,
    reference: Option<usize>,
    model: &Model,
) -> Result<(), Error> {
    use SensorType::*;
    let fault = |attribute: &str, message: String| Err(sensor.error(message).attribute(attribute));
    let name = &sensor.objname;
    let joint = |kinds: &[JointType]| {
        object.is_some_and(|jnt| kinds.iter().any(|&kind| model.jnt_type[jnt] == kind as i32))
    };
    match sensor.kind {
        kind if has_frame(kind) || kind == InsideSite => {
            if !spatial(sensor.objtype) {
                return fault("objtype", format!("'objtype' must be {SPATIAL}"));
            }
            if reference.is_some() && !spatial(sensor.reftype) {
                return fault("reftype", format!("'reftype' must be {SPATIAL}"));
            }
        }
        CamProjection => {
            let camera = reference.map(|cam| model.cam_resolution[cam]);
            if camera.is_none_or(|resolution| resolution.contains(&0)) {
                let message = format!("camera '{}' has no resolution", sensor.refname);
                return fault("camera", message);
            }
        }
        JointPos | JointVel | JointActFrc if !joint(&[JointType::Slide, JointType::Hinge]) => {
            return fault("joint", format!("joint '{name}' is neither a hinge nor a slide"));
        }
        BallQuat | BallAngVel if !joint(&[JointType::Ball]) => {
            return fault("joint", format!("joint '{name}' is not a ball joint"));
        }
        JointLimitPos | JointLimitVel | JointLimitFrc
            if object.is_none_or(|jnt| model.jnt_limited[jnt] == 0) =>
        {
            return fault("joint", format!("joint '{name}' has no limit"));
        }
        TendonLimitPos | TendonLimitVel | TendonLimitFrc
            if object.is_none_or(|tendon| model.tendon_limited[tendon] == 0) =>
        {
            return fault("tendon", format!("tendon '{name}' has no limit"));
        }
        GeomDist | GeomNormal | GeomFromTo => {
            if sensor.objtype == sensor.reftype && object == reference {
                let message = format!("there is no distance from '{name}' to itself");
                return fault(reference_attribute(sensor), message);
            }
            let field = |kind: ObjType, id: Option<usize>| {
                kind == ObjType::Geom
                    && id.is_some_and(|geom| model.geom_type[geom] == GeomType::Hfield as i32)
            };
            for (attribute, is_field) in [
                (object_attribute(sensor), field(sensor.objtype, object)),
                (reference_attribute(sensor), field(sensor.reftype, reference)),
            ] {
                if is_field {
                    let message = "distances to height fields cannot be sensed";
                    return fault(attribute, message.into());
                }
            }
        }
        _ => {}
    }
    Ok(())
}

const SPATIAL: &str = "'body', 'xbody', 'geom', 'site' or 'camera'";

/// Whether objects of a kind have a frame in space.
fn spatial(kind: ObjType) -> bool {
    use ObjType::{Body, Camera, Geom, Site, XBody};
    matches!(kind, Body | XBody | Geom | Site | Camera)
}

/// The number of values that a sensor reads.
fn dimension(sensor: &Sensor, object: Option<usize>, model: &Model) -> Result<usize, Error> {
    use SensorType::*;
    let sum = |sizes: &[i64]| -> i64 {
        let bits = sizes.iter().enumerate().filter(|(bit, _)| sensor.data >> bit & 1 != 0);
        bits.map(|(_, size)| size).sum()
    };
    let (dim, attribute) = match sensor.kind {
        CamProjection => (2, ""),
        Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer | BallAngVel
        | FramePos | FrameXAxis | FrameYAxis | FrameZAxis | FrameLinVel | FrameAngVel
        | FrameLinAcc | FrameAngAcc | SubtreeCom | SubtreeLinVel | SubtreeAngMom | GeomNormal => {
            (3, "")
        }
        BallQuat | FrameQuat => (4, ""),
        GeomFromTo => (6, ""),
        RangeFinder => {
            let rays = match object {
                Some(cam) if sensor.objtype == ObjType::Camera => {
                    let [width, height] = model.cam_resolution[cam].map(i64::from);
                    width * height
                }
                _ => 1,
            };
            (rays.saturating_mul(sum(&RAY_SIZES)), "camera")
        }
        Contact => (i64::from(sensor.num) * sum(&CONTACT_SIZES), "num"),
        User => (i64::from(sensor.dim), "dim"),
        _ => (1, ""),
    };
    let fault = |message: String| Err(sensor.error(message).attribute(attribute));
    if sensor.kind == User {
        let needed = match sensor.datatype {
            DataType::Axis => Some(("axis", 3)),
            DataType::Quaternion => Some(("quaternion", 4)),
            DataType::Real | DataType::Positive => None,
        };
        match needed {
            Some((word, needed)) if dim != needed => {
                return fault(format!("the data type '{word}' has {needed} numbers, not {dim}"));
            }
            _ => {}
        }
    }
    match usize::try_from(dim) {
        Ok(dim) if dim <= MAX_NUMBERS => Ok(dim),
        Ok(_) => fault(format!("the sensor has {dim} values, the limit is {MAX_NUMBERS}")),
        Err(_) => fault(String::from("a sensor cannot have less than no values")),
    }
}

/// Directions and orientations cannot be cut off.
fn check_cutoff(sensor: &Sensor, datatype: DataType) -> Result<(), Error> {
    let whole = match datatype {
        DataType::Quaternion => true,
        DataType::Axis => sensor.kind != SensorType::GeomNormal,
        DataType::Real | DataType::Positive => false,
    };
    if whole && sensor.cutoff > 0.0 {
        let message = "axes and quaternions cannot be cut off";
        return Err(sensor.error(message).attribute("cutoff"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sim_core::model::{ObjType, SensorType, Stage};

    use crate::{Loaded, load_str};

    fn load(before: &str, sensor: &str) -> Result<Loaded, crate::Error> {
        load_str(&format!(
            "<mujoco>{before}<worldbody><geom name='floor' type='plane' size='1 1 1'/>\
             <camera name='eye' resolution='4 3'/><light name='lamp'/>\
             <body name='arm' pos='0 0 1'><joint name='turn' range='-1 1'/><joint name='push' \
             type='slide'/><geom name='ball' size='.1'/><site name='tip'/>\
             <body name='hand' pos='1 0 0'><joint name='wrist' type='ball'/><geom name='fist' \
             size='.1'/><site name='palm'/></body></body></worldbody>\
             <tendon><fixed name='free'><joint joint='turn' coef='1'/></fixed><fixed name='held' \
             range='-1 1'><joint joint='push' coef='1'/></fixed></tendon>\
             <actuator><motor name='motor' joint='turn' nsample='3'/></actuator>\
             <sensor>{sensor}</sensor></mujoco>"
        ))
    }

    fn model(sensor: &str) -> sim_core::Model {
        load("", sensor).unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn readings_follow_each_other() {
        let model = model(
            "<framequat objtype='xbody' objname='hand'/><clock name='now'/><gyro site='tip'/>\
             <user dim='0'/><rangefinder camera='eye' data='dist normal'/><fromto geom1='ball' \
             body2='hand'/><contact num='2' data='found force tangent'/>",
        );
        assert_eq!(model.sensor_dim, [4, 1, 3, 0, 48, 6, 14]);
        assert_eq!(model.sensor_adr, [0, 4, 5, 8, 8, 56, 62]);
        assert_eq!((model.nsensordata, model.id(ObjType::Sensor, "now")), (76, Some(1)));
        assert_eq!(model.sensor_intprm[4], [1 | 1 << 4, 0, 0]);
        assert_eq!(model.sensor_intprm[6], [1 | 2 | 1 << 6, 0, 2]);
        assert_eq!(model.sensor_datatype, [3, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn histories_come_after_those_of_actuators() {
        let model = model(
            "<clock nsample='4' interp='cubic' delay='.1'/><clock/><gyro site='tip' nsample='2' \
             interval='.1 -.05'/>",
        );
        assert_eq!(model.sensor_historyadr, [8, -1, 18]);
        assert_eq!(model.sensor_history, [[4, 2], [0, 0], [2, 0]]);
        assert_eq!(model.nhistory, 8 + 10 + 10);
        assert_eq!((model.sensor_delay[0], model.sensor_interval[2]), (0.1, [0.1, -0.05]));
    }

    #[test]
    fn sensors_know_their_objects() {
        let model = model(
            "<framepos objtype='body' objname='arm' reftype='camera' refname='eye'/>\
             <insidesite site='palm' objtype='geom' objname='fist'/>\
             <contact subtree1='arm' geom2='floor'/><contact/>\
             <tendonpos tendon='held'/><actuatorfrc actuator='motor'/>\
             <user dim='3' objtype='light' objname='lamp' needstage='vel' datatype='axis'/>",
        );
        let kinds = |kinds: &[ObjType]| kinds.iter().map(|&kind| kind as i32).collect::<Vec<_>>();
        use ObjType::*;
        let expected = kinds(&[Body, Geom, XBody, Unknown, Tendon, Actuator, Light]);
        assert_eq!(model.sensor_objtype, expected);
        assert_eq!(model.sensor_objid, [1, 2, 1, -1, 1, 0, 0]);
        let expected = kinds(&[Camera, Site, Geom, Unknown, Unknown, Unknown, Unknown]);
        assert_eq!(model.sensor_reftype, expected);
        assert_eq!(model.sensor_refid, [0, 1, 0, -1, -1, -1, -1]);
        assert_eq!((model.sensor_needstage[6], model.sensor_datatype[6]), (Stage::Vel as i32, 2));
        assert_eq!(model.sensor_type[3], SensorType::Contact as i32);
    }

    #[test]
    fn user_data_is_as_long_as_the_longest() {
        let clocks = "<clock user='1'/><clock user='2 3'/><clock noise='.5' cutoff='2'/>";
        let model = model(clocks);
        assert_eq!(model.sensor_user, [1.0, 0.0, 2.0, 3.0, 0.0, 0.0]);
        assert_eq!((model.sensor_noise[2], model.sensor_cutoff[2]), (0.5, 2.0));
        let error = load("<size nuser_sensor='1'/>", clocks).unwrap_err();
        assert!(error.message().contains("nuser_sensor"), "{error}");
    }

    #[test]
    fn faults_of_sensors_are_reported() {
        for (sensor, part) in [
            ("<touch/>", "needs the attribute 'site'"),
            ("<gyro site='tap'/>", "there is no site 'tap'"),
            ("<jointpos joint='wrist'/>", "neither a hinge nor a slide"),
            ("<ballquat joint='turn'/>", "not a ball joint"),
            ("<jointlimitpos joint='push'/>", "has no limit"),
            ("<tendonlimitfrc tendon='free'/>", "has no limit"),
            ("<framepos objtype='joint' objname='turn'/>", "'objtype' must be"),
            ("<framepos objtype='bodie' objname='arm'/>", "not a value of 'objtype'"),
            ("<framepos objtype='body' objname='arm' refname='hand'/>", "without 'reftype'"),
            ("<framepos objtype='body' objname='arm' reftype='body'/>", "'refname'"),
            ("<framequat objtype='body' objname='arm' cutoff='1'/>", "cannot be cut off"),
            ("<framelinacc objtype='body' objname='arm' reftype='body'/>", "unknown attribute"),
            ("<rangefinder site='tip' camera='eye'/>", "cannot both be given"),
            ("<rangefinder/>", "needs a site or a camera"),
            ("<rangefinder site='tip' data='dir dist'/>", "'dist' must come before 'dir'"),
            ("<rangefinder site='tip' data='dir dir'/>", "twice"),
            ("<distance geom1='ball'/>", "'geom2' and 'body2'"),
            ("<distance geom1='ball' geom2='ball'/>", "to itself"),
            ("<contact geom1='ball' body1='arm'/>", "cannot both be given"),
            ("<contact num='0'/>", "'num' must be positive"),
            ("<contact num='2147483647'/>", "the limit is"),
            ("<clock noise='-1'/>", "'noise'"),
            ("<clock cutoff='-1'/>", "'cutoff'"),
            ("<clock nsample='-1'/>", "'nsample'"),
            ("<clock nsample='16777217'/>", "'nsample'"),
            ("<clock delay='1'/>", "needs a history"),
            ("<clock interval='-1'/>", "period"),
            ("<clock interval='1 .5'/>", "phase"),
            ("<clock interval='1 -1'/>", "phase"),
            ("<user/>", "needs the attribute 'dim'"),
            ("<user dim='-1'/>", "less than no values"),
            ("<user dim='2' datatype='axis'/>", "has 3 numbers"),
            ("<user dim='2' objname='arm'/>", "without 'objtype'"),
            ("<user dim='2' objtype='body'/>", "without 'objname'"),
            ("<clock name='a'/><clock name='a'/>", "another sensor"),
            ("<tactile geom='ball' mesh='m'/>", "not supported yet"),
            ("<plugin/>", "not supported yet"),
            ("<jointpose joint='turn'/>", "unknown element"),
        ] {
            let error = load("", sensor).map(|_| ()).unwrap_err();
            assert!(error.message().contains(part), "{sensor}: {error}");
        }
    }

    #[test]
    fn a_body_with_a_force_sensor_is_not_fused() {
        let load = |sensor: &str, name: &str| {
            let xml = format!(
                "<mujoco><compiler fusestatic='true'/><worldbody><body name='a'><joint/><geom \
                 size='.1'/><site name='s0'/><body name='{name}'><geom size='.1'/><site name='s1'/>\
                 </body></body></worldbody><sensor>{sensor}</sensor></mujoco>"
            );
            load_str(&xml).unwrap().model.nbody
        };
        assert_eq!(load("<force site='s1'/>", "b"), 3);
        assert_eq!(load("<force site='s0'/>", "b"), 2);
        assert_eq!(load("<gyro site='s1'/>", "b"), 2);
        assert_eq!(load("<framepos objtype='body' objname='b'/>", "b"), 3);
        // without a name nothing is looked up
        assert_eq!(load("<force site='s1'/>", ""), 2);
    }

    #[test]
    fn names_find_by_number_after_fusing_as_in_the_reference() {
        let loaded = load_str(
            "<mujoco><compiler fusestatic='true'/><worldbody><body name='p'><joint/><geom \
             size='.1'/><site name='s0'/><body name='c'><joint/><geom size='.1'/><site name='s1'/>\
             </body><body><geom size='.1'/><site name='s2'/></body></body></worldbody>\
             <sensor><gyro site='s1'/><gyro site='s0'/></sensor></mujoco>",
        )
        .unwrap();
        assert_eq!(loaded.model.sensor_objid, [1, 0]);
        assert_eq!(loaded.model.name(ObjType::Site, 1), Some("s2"));
        assert_eq!(loaded.warnings.len(), 1);
        assert_eq!(loaded.warnings[0].message(), "'s1' stands for the site 's2' here");
    }
}

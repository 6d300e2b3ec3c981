//! The attributes that each element knows, against the schema of MuJoCo 3.5.0.

use sim_core::model::{
    EqType, Options, SensorType, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale,
};

use super::attrs::names;
use crate::spec::*;

/// Checks the attributes of an element, given in order of the alphabet.
fn check(element: &str, target: &mut impl Attributes, defaults: bool, expected: &str) {
    let mut names = names(target, defaults);
    names.sort_unstable();
    assert_eq!(names.join(" "), expected, "{element}");
}

#[test]
fn every_element_knows_the_attributes_of_the_schema() {
    check(
        "compiler",
        &mut Compiler::default(),
        false,
        "alignfree angle assetdir autolimits balanceinertia boundinertia boundmass \
         coordinate discardvisual eulerseq exactmeshinertia fitaabb fusestatic \
         inertiafromgeom inertiagrouprange meshdir saveinertial settotalmass strippath \
         texturedir usethread",
    );
    check(
        "compiler/lengthrange",
        &mut LengthRange::default(),
        false,
        "accel interval inttotal maxforce mode timeconst timestep tolrange useexisting \
         uselimit",
    );
    check(
        "option",
        &mut Options::default(),
        false,
        "actuatorgroupdisable ccd_iterations ccd_tolerance cone density gravity impratio \
         integrator iterations jacobian ls_iterations ls_tolerance magnetic \
         noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref \
         sdf_initpoints sdf_iterations sleep_tolerance solver timestep tolerance \
         viscosity wind",
    );
    check(
        "option/flag",
        &mut Flags(&mut Options::default()),
        false,
        "actuation autoreset clampctrl constraint contact damper energy equality \
         eulerdamp filterparent frictionloss fwdinv gravity invdiscrete island limit \
         midphase multiccd nativeccd override passive refsafe sensor sleep spring \
         warmstart",
    );
    check(
        "size",
        &mut Size::default(),
        false,
        "memory nconmax njmax nkey nstack nuser_actuator nuser_body nuser_cam nuser_geom \
         nuser_jnt nuser_sensor nuser_site nuser_tendon nuserdata",
    );
    check(
        "visual/global",
        &mut VisGlobal::default(),
        false,
        "azimuth bvactive cameraid elevation ellipsoidinertia fovy glow ipd linewidth \
         offheight offwidth orthographic realtime",
    );
    check(
        "visual/quality",
        &mut VisQuality::default(),
        false,
        "numquads numslices numstacks offsamples shadowsize",
    );
    check(
        "visual/headlight",
        &mut VisHeadlight::default(),
        false,
        "active ambient diffuse specular",
    );
    check(
        "visual/map",
        &mut VisMap::default(),
        false,
        "actuatortendon alpha fogend fogstart force haze shadowclip shadowscale stiffness \
         stiffnessrot torque zfar znear",
    );
    check(
        "visual/scale",
        &mut VisScale::default(),
        false,
        "actuatorlength actuatorwidth camera com connect constraint contactheight \
         contactwidth forcewidth framelength framewidth frustum jointlength jointwidth \
         light selectpoint slidercrank",
    );
    check(
        "visual/rgba",
        &mut VisRgba::default(),
        false,
        "actuator actuatornegative actuatorpositive bv bvactive camera com connect \
         constraint contactforce contactfriction contactgap contactpoint contacttorque \
         crankbroken fog force frustum haze inertia joint light rangefinder selectpoint \
         slidercrank",
    );
    check(
        "statistic",
        &mut Statistic::default(),
        false,
        "center extent meaninertia meanmass meansize",
    );
    check(
        "default/joint",
        &mut Joint::default(),
        true,
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping \
         frictionloss group limited margin pos range ref solimpfriction solimplimit \
         solreffriction solreflimit springdamper springref stiffness type user",
    );
    check(
        "default/geom",
        &mut Geom::default(),
        true,
        "axisangle conaffinity condim contype density euler fitscale fluidcoef fluidshape \
         friction fromto gap group hfield margin mass material mesh pos priority quat \
         rgba shellinertia size solimp solmix solref type user xyaxes zaxis",
    );
    check("default/mesh", &mut Mesh::default(), true, "inertia maxhullvert scale");
    check(
        "mesh",
        &mut Mesh::default(),
        false,
        "builtin class content_type face file inertia material maxhullvert name normal params \
         refpos refquat scale smoothnormal texcoord vertex",
    );
    check(
        "hfield",
        &mut Hfield::default(),
        false,
        "content_type elevation file name ncol nrow size",
    );
    check(
        "default/site",
        &mut Site::default(),
        true,
        "axisangle euler fromto group material pos quat rgba size type user xyaxes zaxis",
    );
    check(
        "default/camera",
        &mut Camera::default(),
        true,
        "axisangle euler focal focalpixel fovy ipd mode output pos principal \
         principalpixel projection quat resolution sensorsize user xyaxes zaxis",
    );
    check(
        "default/light",
        &mut Light::default(),
        true,
        "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional \
         exponent intensity mode pos range specular type",
    );
    check("custom/numeric", &mut Numeric::default(), false, "data name size");
    check("custom/text", &mut Text::default(), false, "data name");
    check("custom/tuple", &mut Tuple::default(), false, "name");
    check("custom/tuple/element", &mut TupleElement::default(), false, "objname objtype prm");
    check(
        "body",
        &mut Body::default(),
        false,
        "axisangle childclass euler gravcomp mocap name pos quat sleep user xyaxes zaxis",
    );
    check(
        "body/inertial",
        &mut Inertial::default(),
        false,
        "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis",
    );
    check(
        "body/joint",
        &mut Joint::default(),
        false,
        "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping \
         frictionloss group limited margin name pos range ref solimpfriction solimplimit \
         solreffriction solreflimit springdamper springref stiffness type user",
    );
    check("body/freejoint", &mut Joint::free(), false, "align group name");
    check(
        "body/geom",
        &mut Geom::default(),
        false,
        "axisangle class conaffinity condim contype density euler fitscale fluidcoef \
         fluidshape friction fromto gap group hfield margin mass material mesh name pos \
         priority quat rgba shellinertia size solimp solmix solref type user xyaxes zaxis",
    );
    check(
        "body/site",
        &mut Site::default(),
        false,
        "axisangle class euler fromto group material name pos quat rgba size type user \
         xyaxes zaxis",
    );
    check(
        "body/camera",
        &mut Camera::default(),
        false,
        "axisangle class euler focal focalpixel fovy ipd mode name output pos principal \
         principalpixel projection quat resolution sensorsize target user xyaxes zaxis",
    );
    check(
        "body/light",
        &mut Light::default(),
        false,
        "active ambient attenuation bulbradius castshadow class cutoff diffuse dir \
         directional exponent intensity mode name pos range specular target texture type",
    );
    check(
        "default/tendon",
        &mut Tendon::default(),
        true,
        "damping frictionloss group limited margin material range rgba solimpfriction \
         solimplimit solreffriction solreflimit springlength stiffness user width",
    );
    check(
        "tendon/spatial",
        &mut Tendon::default(),
        false,
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin material name range rgba solimpfriction solimplimit \
         solreffriction solreflimit springlength stiffness user width",
    );
    check(
        "tendon/fixed",
        &mut Tendon { kind: TendonKind::Fixed, ..Tendon::default() },
        false,
        "actuatorfrclimited actuatorfrcrange armature class damping frictionloss group \
         limited margin name range solimpfriction solimplimit solreffriction solreflimit \
         springlength stiffness user",
    );
    for (kind, expected) in [
        (WrapKind::Site, "site"),
        (WrapKind::Geom, "geom sidesite"),
        (WrapKind::Pulley, "divisor"),
        (WrapKind::Joint, "coef joint"),
    ] {
        check("tendon path", &mut Wrap::new(kind, Default::default()), false, expected);
    }
    check("keyframe/key", &mut Key::default(), false, "act ctrl mpos mquat name qpos qvel time");
}

#[test]
fn every_kind_of_actuator_knows_the_attributes_of_the_schema() {
    use ActuatorKind::*;
    let common = "class ctrlrange delay forcelimited forcerange group interp name nsample user";
    let driven = "cranklength cranksite gear joint jointinparent lengthrange slidersite tendon";
    let sited = "refsite site";
    for (kind, groups, own, only_elements) in [
        (
            General,
            [driven, sited],
            "actdim actearly actlimited actrange biasprm biastype ctrllimited dynprm dyntype \
             gainprm gaintype",
            "body",
        ),
        (Motor, [driven, sited], "ctrllimited", ""),
        (Position, [driven, sited], "ctrllimited dampratio inheritrange kp kv timeconst", ""),
        (Velocity, [driven, sited], "ctrllimited kv", ""),
        (IntVelocity, [driven, sited], "actrange ctrllimited dampratio inheritrange kp kv", ""),
        (Damper, [driven, sited], "kv", ""),
        (Cylinder, [driven, sited], "area bias ctrllimited diameter timeconst", ""),
        (
            Muscle,
            [driven, ""],
            "ctrllimited force fpmax fvmax lmax lmin range scale timeconst vmax",
            "tausmooth",
        ),
        (Adhesion, ["", ""], "gain", "body"),
    ] {
        let targets = ["joint", "jointinparent", "tendon", "cranksite", "slidersite", "site"];
        let absent = ["name", "class", "lengthrange", "refsite"];
        for defaults in [false, true] {
            let mut expected: Vec<&str> = [common, groups[0], groups[1], own]
                .into_iter()
                .flat_map(str::split_whitespace)
                .filter(|name| !defaults || !targets.contains(name) && !absent.contains(name))
                .collect();
            if !defaults {
                expected.extend(only_elements.split_whitespace());
            }
            expected.sort_unstable();
            let mut actuator = Actuator::default();
            let mut element = Shortcut { kind, actuator: &mut actuator };
            check(&format!("{kind:?}"), &mut element, defaults, &expected.join(" "));
        }
    }
}

#[test]
fn relations_know_the_attributes_of_the_schema() {
    let pair = "condim friction gap margin solimp solref solreffriction";
    check("default/pair", &mut Pair::default(), true, pair);
    check(
        "contact/pair",
        &mut Pair::default(),
        false,
        "class condim friction gap geom1 geom2 margin name solimp solref solreffriction",
    );
    check("contact/exclude", &mut Exclude::default(), false, "body1 body2 name");
    check("default/equality", &mut Equality::default(), true, "active solimp solref");
    let equality = |kind| Equality { kind, ..Equality::default() };
    check(
        "equality/connect",
        &mut equality(EqType::Connect),
        false,
        "active anchor body1 body2 class name site1 site2 solimp solref",
    );
    check(
        "equality/weld",
        &mut equality(EqType::Weld),
        false,
        "active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale",
    );
    check(
        "equality/joint",
        &mut equality(EqType::Joint),
        false,
        "active class joint1 joint2 name polycoef solimp solref",
    );
    check(
        "equality/tendon",
        &mut equality(EqType::Tendon),
        false,
        "active class name polycoef solimp solref tendon1 tendon2",
    );
}

#[test]
fn sensors_know_the_attributes_of_the_schema() {
    let frame = "objname objtype refname reftype";
    for &(element, kind) in SENSOR_TYPES {
        use SensorType::*;
        let own = match kind {
            Touch | Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer => "site",
            CamProjection => "camera site",
            RangeFinder => "camera data site",
            JointPos | JointVel | JointActFrc | BallQuat | BallAngVel | JointLimitPos
            | JointLimitVel | JointLimitFrc => "joint",
            TendonPos | TendonVel | TendonActFrc | TendonLimitPos | TendonLimitVel
            | TendonLimitFrc => "tendon",
            ActuatorPos | ActuatorVel | ActuatorFrc => "actuator",
            FramePos | FrameQuat | FrameXAxis | FrameYAxis | FrameZAxis | FrameLinVel
            | FrameAngVel => frame,
            FrameLinAcc | FrameAngAcc => "objname objtype",
            SubtreeCom | SubtreeLinVel | SubtreeAngMom => "body",
            InsideSite => "objname objtype site",
            GeomDist | GeomNormal | GeomFromTo => "body1 body2 geom1 geom2",
            Contact => "body1 body2 data geom1 geom2 num reduce site subtree1 subtree2",
            EPotential | EKinetic | Clock => "",
            User => "datatype dim needstage objname objtype",
            // not read
            Tactile | Plugin => continue,
        };
        let history = if kind == User { "" } else { " delay interp interval nsample" };
        let all = format!("cutoff name noise user {own}{history}");
        let mut names: Vec<&str> = all.split_whitespace().collect();
        names.sort_unstable();
        check(element, &mut Sensor::new(kind), false, &names.join(" "));
    }
}

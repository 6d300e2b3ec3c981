//! Actuators.

use sim_core::Model;
use sim_core::model::{BiasType, DynType, GainType, JointType, Limited, ObjType, TrnType};

use super::joint::limit_applies;
use super::names::Names;
use super::tables::copy_user;
use crate::error::Error;
use crate::spec::{Actuator, Element, Spec};

/// Samples that a history can have.
const MAX_SAMPLES: i32 = 1 << 24;

/// Activations, and numbers in histories, that a model can have.
const MAX_NUMBERS: usize = 1 << 27;

/// Checks that activations and histories make sense, and that they do not fill the memory.
pub(super) fn check_sizes(spec: &Spec) -> Result<(), Error> {
    let (mut activations, mut history) = (0, 0);
    for actuator in &spec.actuators {
        let fault = |attribute: &str, message: String| actuator.error(message).attribute(attribute);
        let (actdim, nsample) = (actuator.actdim, actuator.nsample);
        let dynamics = actuator.dyntype != DynType::None;
        let message = match actdim {
            0 if dynamics => Some("an actuator with dynamics has an activation"),
            1 if !dynamics => Some("an actuator without dynamics has no activation"),
            2.. if actuator.dyntype != DynType::User => {
                Some("only an actuator with dyntype=\"user\" has more than one activation")
            }
            _ => None,
        };
        if let Some(message) = message {
            return Err(fault("actdim", message.into()));
        }
        if actuator.delay > 0.0 && nsample <= 0 {
            let error = fault("delay", "a delay needs a history of controls".into());
            return Err(error.help("nsample=\"...\" says how many controls are kept"));
        }
        if nsample > MAX_SAMPLES {
            let message = format!("a history has at most {MAX_SAMPLES} samples");
            return Err(fault("nsample", message));
        }
        activations += actuator.activations();
        history += actuator.history();
        for (attribute, size) in [("actdim", activations), ("nsample", history)] {
            if size > MAX_NUMBERS {
                let message = format!("the actuators up to this one ask for {size} numbers");
                let error = fault(attribute, message);
                return Err(error.help(format!("the limit is {MAX_NUMBERS} numbers")));
            }
        }
    }
    Ok(())
}

/// Fills the tables of actuators.
pub(super) fn fill(spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
    let (mut activation, mut history) = (0, 0);
    for (id, actuator) in spec.actuators.iter().enumerate() {
        let trnid = resolve(actuator, names)?;
        let Ranges { ctrl, act } = inherit(actuator, trnid[0], model)?;
        let limited = limits(actuator, ctrl, act, spec)?;
        check_muscle(actuator)?;

        let m = &mut *model;
        let (actnum, samples) = (actuator.activations(), actuator.history());
        m.actuator_trntype[id] = actuator.trntype as i32;
        m.actuator_dyntype[id] = actuator.dyntype as i32;
        m.actuator_gaintype[id] = actuator.gaintype as i32;
        m.actuator_biastype[id] = actuator.biastype as i32;
        m.actuator_trnid[id] = trnid;
        m.actuator_actnum[id] = actnum as i32;
        m.actuator_actadr[id] = if actnum > 0 { activation as i32 } else { -1 };
        m.actuator_group[id] = actuator.group;
        m.actuator_delay[id] = actuator.delay;
        m.actuator_history[id] = [actuator.nsample, actuator.interp as i32];
        m.actuator_historyadr[id] = if samples > 0 { history as i32 } else { -1 };
        m.actuator_ctrllimited[id] = limited.ctrl.into();
        m.actuator_forcelimited[id] = limited.force.into();
        m.actuator_actlimited[id] = limited.act.into();
        m.actuator_actearly[id] = actuator.actearly.into();
        m.actuator_cranklength[id] = actuator.cranklength;
        m.actuator_gear[id] = actuator.gear;
        m.actuator_dynprm[id] = actuator.dynprm;
        m.actuator_gainprm[id] = actuator.gainprm;
        m.actuator_biasprm[id] = actuator.biasprm;
        m.actuator_ctrlrange[id] = ctrl;
        m.actuator_forcerange[id] = actuator.forcerange;
        m.actuator_actrange[id] = act;
        m.actuator_lengthrange[id] = actuator.lengthrange;
        m.actuator_plugin[id] = -1;
        copy_user(&mut m.actuator_user, m.nuser_actuator, id, &actuator.user);
        activation += actnum;
        history += samples;
        m.nJmom += moment_size(actuator.trntype, trnid[0], m);
    }
    Ok(())
}

/// Ids of what the actuator acts on.
fn resolve(actuator: &Actuator, names: &Names) -> Result<[i32; 2], Error> {
    let (src, target) = (actuator.src, &actuator.target);
    let find =
        |kind, name: &str, attribute| names.resolve(kind, name, src, attribute).map(|id| id as i32);
    if target.is_empty() {
        let error = src.error("the actuator acts on nothing");
        return Err(error.help("give it a joint, tendon, site, cranksite or body"));
    }
    match actuator.trntype {
        TrnType::Joint => Ok([find(ObjType::Joint, target, "joint")?, -1]),
        TrnType::JointInParent => Ok([find(ObjType::Joint, target, "jointinparent")?, -1]),
        TrnType::Tendon => Ok([find(ObjType::Tendon, target, "tendon")?, -1]),
        TrnType::Body => Ok([find(ObjType::Body, target, "body")?, -1]),
        TrnType::Site => {
            let reference = match actuator.refsite.as_str() {
                "" => -1,
                name => find(ObjType::Site, name, "refsite")?,
            };
            Ok([find(ObjType::Site, target, "site")?, reference])
        }
        TrnType::SliderCrank => {
            if actuator.slidersite.is_empty() {
                return Err(src.error("a slider-crank needs a slidersite").attribute("cranksite"));
            }
            if actuator.cranklength <= 0.0 {
                let error = src.error("the rod of a slider-crank needs a positive cranklength");
                return Err(error.attribute("cranklength"));
            }
            let slider = find(ObjType::Site, &actuator.slidersite, "slidersite")?;
            Ok([find(ObjType::Site, target, "cranksite")?, slider])
        }
        TrnType::Undefined => Err(src.error("the actuator acts on nothing")),
    }
}

/// Ranges of control and activation.
struct Ranges {
    ctrl: [f64; 2],
    act: [f64; 2],
}

/// Takes the range of control or activation from the target where that is asked for and the two
/// mean the same.
fn inherit(actuator: &Actuator, target: i32, model: &Model) -> Result<Ranges, Error> {
    let mut ranges = Ranges { ctrl: actuator.ctrlrange, act: actuator.actrange };
    let servo = actuator.gaintype == GainType::Fixed
        && actuator.biastype == BiasType::Affine
        && actuator.gainprm[0] == -actuator.biasprm[1];
    if !servo || actuator.inheritrange <= 0.0 {
        return Ok(ranges);
    }
    let fault = |message: String| actuator.error(message).attribute("inheritrange");
    let range = match actuator.dyntype {
        DynType::None | DynType::FilterExact => &mut ranges.ctrl,
        DynType::Integrator => &mut ranges.act,
        _ => {
            let message = "only position and intvelocity actuators can inherit a range";
            return Err(fault(message.into()));
        }
    };
    let target = target as usize;
    let [low, high] = match actuator.trntype {
        TrnType::Joint => match model.jnt_kind(target) {
            JointType::Hinge | JointType::Slide => model.jnt_range[target],
            JointType::Ball | JointType::Free => {
                let message = "only hinge and slide joints have a range to inherit";
                return Err(fault(message.into()));
            }
        },
        TrnType::Tendon => model.tendon_range[target],
        _ => return Err(fault("only joints and tendons have a range to inherit".into())),
    };
    if low == high {
        let message = format!("'{}' has no range to inherit", actuator.target);
        return Err(fault(message));
    }
    let mean = 0.5 * (high + low);
    let radius = 0.5 * (high - low) * actuator.inheritrange;
    *range = [mean - radius, mean + radius];
    Ok(ranges)
}

/// Which ranges apply.
struct Limits {
    ctrl: bool,
    force: bool,
    act: bool,
}

fn limits(
    actuator: &Actuator,
    ctrl: [f64; 2],
    act: [f64; 2],
    spec: &Spec,
) -> Result<Limits, Error> {
    let applies = |switch: &str, attribute: &str, limited: Limited, range: [f64; 2]| {
        let autolimits = spec.compiler_of(actuator.compiler).autolimits;
        let applies = limit_applies(actuator.src, switch, attribute, limited, range, autolimits)?;
        if applies && range[0] >= range[1] {
            let [low, high] = range;
            let message = format!("{attribute} must increase, but {low} is not less than {high}");
            return Err(actuator.error(message).attribute(attribute));
        }
        Ok(applies)
    };
    let limits = Limits {
        ctrl: applies("ctrllimited", "ctrlrange", actuator.ctrllimited, ctrl)?,
        force: applies("forcelimited", "forcerange", actuator.forcelimited, actuator.forcerange)?,
        act: applies("actlimited", "actrange", actuator.actlimited, act)?,
    };
    if limits.act && actuator.dyntype == DynType::None {
        let message = "an actuator without dynamics has no activation to limit";
        return Err(actuator.error(message).attribute("actrange"));
    }
    Ok(limits)
}

/// Checks the parameters of muscles.
fn check_muscle(actuator: &Actuator) -> Result<(), Error> {
    let gain = (actuator.gaintype == GainType::Muscle).then_some(("gainprm", actuator.gainprm));
    let bias = (actuator.biastype == BiasType::Muscle).then_some(("biasprm", actuator.biasprm));
    for (attribute, [low, high, _, scale, lmin, lmax, vmax, fpmax, fvmax, _]) in
        [gain, bias].into_iter().flatten()
    {
        let fault = |message: String| Err(actuator.error(message).attribute(attribute));
        if low >= high {
            return fault(format!(
                "the range of a muscle must increase, but it is {low} to {high}"
            ));
        }
        if lmin >= 1.0 || lmax <= 1.0 {
            return fault(format!(
                "1 must be between lmin and lmax of a muscle, but they are {lmin} and {lmax}"
            ));
        }
        for (name, value) in [("scale", scale), ("vmax", vmax), ("fpmax", fpmax), ("fvmax", fvmax)]
        {
            if value <= 0.0 {
                return fault(format!("{name} of a muscle must be positive, not {value}"));
            }
        }
    }
    Ok(())
}

/// Entries that the reference reserves for the moment of an actuator.
fn moment_size(trntype: TrnType, target: i32, model: &Model) -> usize {
    match trntype {
        TrnType::Joint | TrnType::JointInParent => model.jnt_kind(target as usize).dofs(),
        _ => model.nv,
    }
}

#[cfg(test)]
mod tests {
    use sim_core::Model;

    use crate::load_str;
    use crate::{Error, Loaded};

    /// Loads a model of three joints, with what is given after them.
    fn load(rest: &str) -> Result<Loaded, Error> {
        load_str(&format!(
            "<mujoco>
               <compiler angle='radian'/>
               <worldbody>
                 <site name='base'/>
                 <body name='arm'>
                   <joint name='turn' axis='0 1 0' range='-1 3'/><geom size='.1' pos='1 0 0'/>
                   <site name='tip' pos='1 0 0'/>
                   <body><joint name='wrist' type='ball'/><geom size='.1' pos='0 0 1'/></body>
                 </body>
                 <body name='free'><freejoint name='fly'/><geom size='.1'/></body>
               </worldbody>
               {rest}
             </mujoco>"
        ))
    }

    fn actuators(text: &str) -> Model {
        load(&format!("<actuator>{text}</actuator>")).unwrap().model
    }

    fn fault(text: &str) -> Error {
        load(&format!("<actuator>{text}</actuator>")).unwrap_err()
    }

    #[test]
    fn a_position_servo_pulls_to_its_control() {
        let model = actuators(
            "<position joint='turn' kp='5' kv='2'/>
             <position joint='turn' kp='5' timeconst='.1'/>",
        );
        assert_eq!(model.actuator_gainprm[0][0], 5.0);
        assert_eq!(model.actuator_biasprm[0][..3], [0.0, -5.0, -2.0]);
        assert_eq!(model.actuator_actnum, [0, 1]);
        assert_eq!(model.actuator_actadr, [-1, 0]);
        assert_eq!(model.actuator_dynprm[1][0], 0.1);
    }

    #[test]
    fn shortcuts_share_the_defaults_of_a_class() {
        let loaded = load(
            "<default>
               <general gear='3' ctrlrange='0 2'/>
               <default class='servo'><position kp='7' kv='1'/></default>
             </default>
             <actuator>
               <motor joint='turn'/>
               <position class='servo' joint='turn'/>
               <velocity class='servo' joint='turn'/>
               <general class='servo' joint='turn' biastype='none'/>
             </actuator>",
        );
        let model = loaded.unwrap().model;
        assert!(model.actuator_gear.iter().all(|gear| gear[0] == 3.0));
        assert_eq!(model.actuator_ctrllimited, [1, 1, 1, 1]);
        // the gain of the servo is the damping of the velocity servo
        assert_eq!(model.actuator_biasprm[1][..3], [0.0, -7.0, -1.0]);
        assert_eq!(model.actuator_biasprm[2][..3], [0.0, 0.0, -7.0]);
        assert_eq!(model.actuator_biastype, [0, 1, 1, 0]);
    }

    #[test]
    fn a_servo_inherits_the_range_of_its_joint() {
        let model = actuators(
            "<position joint='turn' inheritrange='.5'/>
             <intvelocity joint='turn' inheritrange='1' ctrlrange='-9 9'/>",
        );
        assert_eq!(model.actuator_ctrlrange, [[0.0, 2.0], [-9.0, 9.0]]);
        assert_eq!(model.actuator_actrange, [[0.0, 0.0], [-1.0, 3.0]]);
        assert_eq!(model.actuator_actlimited, [0, 1]);
        let error = fault("<position joint='wrist' inheritrange='1'/>");
        assert_eq!(error.message(), "only hinge and slide joints have a range to inherit");
        let error = fault("<position joint='turn' inheritrange='1' ctrlrange='0 1'/>");
        assert_eq!(error.attribute_name(), Some("inheritrange"));
    }

    #[test]
    fn targets_and_the_space_for_moments() {
        let model = actuators(
            "<motor joint='turn'/><motor joint='wrist'/><motor jointinparent='fly'/>
             <motor site='tip' refsite='base'/><adhesion body='free' ctrlrange='0 1'/>
             <motor cranksite='tip' slidersite='base' cranklength='.5'/>",
        );
        let trnid = [[0, -1], [1, -1], [2, -1], [1, 0], [3, -1], [1, 0]];
        assert_eq!(model.actuator_trnid, trnid);
        assert_eq!(model.nJmom, 1 + 3 + 6 + 3 * model.nv);
    }

    #[test]
    fn a_muscle_takes_its_parameters_where_none_are_given() {
        let model = actuators("<muscle joint='turn' lengthrange='0 1' force='9' vmax='-1'/>");
        let expected = [0.75, 1.05, 9.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2, 0.0];
        assert_eq!(model.actuator_gainprm[0], expected);
        assert_eq!(model.actuator_biasprm[0], expected);
        assert_eq!(model.actuator_dynprm[0][..3], [0.01, 0.04, 0.0]);
    }

    #[test]
    fn histories_follow_one_another() {
        let model = actuators(
            "<motor joint='turn' nsample='3' delay='.01' interp='linear'/>
             <motor joint='turn'/><motor joint='turn' nsample='1'/>",
        );
        assert_eq!(model.actuator_history, [[3, 1], [0, 0], [1, 0]]);
        assert_eq!(model.actuator_historyadr, [0, -1, 8]);
        assert_eq!(model.nhistory, 12);
        assert_eq!(fault("<motor joint='turn' delay='1'/>").attribute_name(), Some("delay"));
    }

    #[test]
    fn keyframes_have_controls_and_activations() {
        let loaded = load(
            "<actuator>
               <motor joint='turn'/>
               <general joint='turn' dyntype='user' actdim='2'/>
             </actuator>
             <keyframe><key ctrl='1 2'/><key act='3 4'/></keyframe>",
        );
        let model = loaded.unwrap().model;
        assert_eq!(model.key_ctrl, [1.0, 2.0, 0.0, 0.0]);
        assert_eq!(model.key_act, [0.0, 0.0, 3.0, 4.0]);
    }

    #[test]
    fn what_cannot_be_an_actuator_is_an_error() {
        for (text, message) in [
            ("<motor/>", "the actuator acts on nothing"),
            ("<motor joint='turn' site='tip'/>", "an actuator acts on one thing only"),
            ("<motor joint='turn' refsite='tip'/>", "'refsite' needs a 'site'"),
            ("<motor cranksite='tip' cranklength='1'/>", "a slider-crank needs a slidersite"),
            ("<motor tendon='rope'/>", "there is no tendon 'rope'"),
            ("<position joint='turn' kv='1' dampratio='1'/>", "cannot both be given"),
            ("<general joint='turn' actdim='2'/>", "has more than one activation"),
            ("<general joint='turn' actrange='0 1'/>", "has no activation to limit"),
            ("<damper joint='turn'/>", "ctrlrange must increase"),
            ("<plugin joint='turn' plugin='pid'/>", "not supported yet"),
        ] {
            let error = fault(text);
            assert!(error.message().contains(message), "{text}: {}", error.message());
        }
    }

    #[test]
    fn a_body_with_adhesion_is_not_fused() {
        let text = "<mujoco>
            <compiler fusestatic='true'/>
            <worldbody>
              <body><joint/><geom size='.1'/>
                <body name='pad'><geom size='.1'/></body><body name='rest'><geom size='.1'/></body>
              </body>
            </worldbody>
            <actuator><adhesion body='pad' ctrlrange='0 1'/></actuator>
          </mujoco>";
        let model = load_str(text).unwrap().model;
        assert_eq!(model.nbody, 3);
        assert_eq!(model.actuator_trnid, [[2, -1]]);
    }
}

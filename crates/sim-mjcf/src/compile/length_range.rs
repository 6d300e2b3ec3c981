//! Length ranges of actuators, found by simulation where nothing gives them.

use std::num::NonZero;
use std::thread;

use sim_core::LengthRangeError;
use sim_core::model::Disable;
use sim_core::{Data, Model};

use crate::error::Error;
use crate::spec::{Actuator, Element, Spec};

/// What is switched off while an actuator is pulled in and out.
const DISABLED: i32 = Disable::FrictionLoss as i32
    | Disable::Contact as i32
    | Disable::Spring as i32
    | Disable::Damper as i32
    | Disable::Gravity as i32
    | Disable::Actuation as i32;

/// Sets the length ranges of the actuators that need one. Runs after the constants are set.
pub(super) fn length_ranges(spec: &Spec, model: &mut Model) -> Result<(), Error> {
    let options = &spec.compiler.lengthrange;
    let wanted: Vec<usize> =
        (0..model.nu).filter(|&actuator| options.concerns(model, actuator)).collect();
    if wanted.is_empty() {
        return Ok(());
    }

    let saved = model.opt;
    model.opt.disableflags = DISABLED;
    if options.timestep > 0.0 {
        model.opt.timestep = options.timestep;
    }
    let found = find(spec, model, &wanted);
    model.opt = saved;

    for (&actuator, range) in wanted.iter().zip(found) {
        model.actuator_lengthrange[actuator] =
            range.map_err(|error| failure(&spec[spec.actuators.ids()[actuator]], &error))?;
    }
    Ok(())
}

/// The ranges of the wanted actuators, a share of them in each thread.
fn find(spec: &Spec, model: &Model, wanted: &[usize]) -> Vec<Result<[f64; 2], LengthRangeError>> {
    let options = &spec.compiler.lengthrange;
    let search = |actuators: &[usize]| {
        let mut data = Data::new(model);
        let find = |&actuator: &usize| options.find(model, &mut data, actuator);
        actuators.iter().map(find).collect::<Vec<_>>()
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(wanted.len());
    if !spec.compiler.usethread || threads < 2 {
        return search(wanted);
    }
    thread::scope(|scope| {
        let shares = wanted.chunks(wanted.len().div_ceil(threads));
        let running: Vec<_> = shares.map(|share| (share, scope.spawn(|| search(share)))).collect();
        // a thread that could not finish is repeated here, where its panic belongs
        let results = running
            .into_iter()
            .map(|(share, thread)| thread.join().unwrap_or_else(|_| search(share)));
        results.flatten().collect()
    })
}

fn failure(actuator: &Actuator, error: &LengthRangeError) -> Error {
    let title = match actuator.name.as_str() {
        "" => String::from("this actuator"),
        name => format!("actuator '{name}'"),
    };
    let help =
        "give lengthrange=\"...\", limit the joint or tendon, or change compiler/lengthrange";
    actuator.error(format!("the length range of {title} was not found: {error}")).help(help)
}

#[cfg(test)]
mod tests {
    use crate::{Error, Loaded, load_str};

    /// A limited hinge and a muscle on it, with settings of the search.
    fn load(settings: &str, muscle: &str) -> Result<Loaded, Error> {
        load_str(&format!(
            "<mujoco>
               <compiler angle='radian'><lengthrange {settings}/></compiler>
               <worldbody><body><joint name='turn' range='-1 3'/><joint name='free' axis='1 0 0'/>
                 <geom size='.1' pos='1 0 0'/></body></worldbody>
               <actuator>{muscle}</actuator>
             </mujoco>"
        ))
    }

    #[test]
    fn limits_that_are_pushed_against_give_the_range() {
        let model = load("", "<muscle joint='turn'/>").unwrap().model;
        let [low, high] = model.actuator_lengthrange[0];
        assert!(-1.02 < low && low < -1.0 && 3.0 < high && high < 3.02, "{low} {high}");
        // what was switched off meanwhile is on again
        assert_eq!((model.opt.disableflags, model.opt.timestep), (0, 0.002));
    }

    #[test]
    fn limits_or_given_ranges_are_taken_as_they_are() {
        let two = "<muscle joint='turn'/><muscle joint='turn' lengthrange='5 6'/>";
        let model = load("uselimit='true'", two).unwrap().model;
        assert_eq!(model.actuator_lengthrange, [[-1.0, 3.0], [5.0, 6.0]]);
        let model = load("uselimit='true' useexisting='false'", two).unwrap().model;
        assert_eq!(model.actuator_lengthrange, [[-1.0, 3.0]; 2]);
    }

    #[test]
    fn the_mode_says_which_actuators_get_a_range() {
        let motor = "<motor joint='turn'/>";
        assert_eq!(load("", motor).unwrap().model.actuator_lengthrange, [[0.0; 2]]);
        let [low, high] = load("mode='all'", motor).unwrap().model.actuator_lengthrange[0];
        assert!(low < -1.0 && 3.0 < high);
        let model = load("mode='none'", "<muscle joint='free'/>").unwrap().model;
        assert_eq!(model.actuator_lengthrange, [[0.0; 2]]);
    }

    #[test]
    fn a_search_that_fails_names_the_actuator() {
        let error = load("", "<muscle name='biceps' joint='free'/>").unwrap_err();
        assert!(error.message().contains("actuator 'biceps'"), "{}", error.message());
        assert!(error.message().contains("did not settle"), "{}", error.message());
        assert!(error.advice().unwrap().contains("lengthrange"));
        let error = load("inttotal='0'", "<muscle joint='turn'/>").unwrap_err();
        assert!(error.message().contains("empty"), "{}", error.message());
        let error = load("inttotal='1e9'", "<muscle joint='turn'/>").unwrap_err();
        assert!(error.message().contains("too many steps"), "{}", error.message());
    }

    #[test]
    fn threads_do_not_change_ranges() {
        let many = "<muscle joint='turn' gear='2'/>".repeat(5);
        let ranges = |xml: &str| load_str(xml).unwrap().model.actuator_lengthrange;
        let xml = format!(
            "<mujoco><worldbody><body><joint name='turn' range='-10 30'/><geom size='.1' \
             pos='1 0 0'/></body></worldbody><actuator>{many}</actuator></mujoco>"
        );
        let alone = xml.replace("<mujoco>", "<mujoco><compiler usethread='false'/>");
        assert_eq!(ranges(&xml), ranges(&alone));
    }
}

//! Models as bytes: what was written is read again, and what is broken is refused.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sim_conformance_tests::{load, model_names, parse};
use sim_core::{Data, Model, step};

#[test]
fn every_model_survives_a_round_trip() {
    for name in model_names() {
        let mut model = load(&name);
        let bytes = model.to_bytes();
        assert_eq!(Some(bytes.len()), model.binary_len(), "{name}");
        let read = Model::from_bytes(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        model.nbuffer = read.nbuffer;
        // by bits, since there are models with numbers that are none
        assert!(read.to_bytes() == bytes, "{name}");
    }
}

/// A small model with something of everything that has ids or addresses.
fn rich_model() -> Model {
    parse(
        "<mujoco><size nuserdata='3'/><worldbody><light name='l'/><camera name='c'/>\
         <geom name='floor' type='plane' size='1 1 1'/>\
         <body name='a' pos='0 0 .2'><freejoint/><geom name='g' size='.1'/><site name='s'/>\
         <body name='b' pos='.2 0 0'><joint name='j' range='-1 1' limited='true'/>\
         <geom type='capsule' size='.05 .1'/><site name='t'/></body></body>\
         <body name='m' mocap='true'/></worldbody>\
         <contact><pair geom1='g' geom2='floor'/><exclude body1='m' body2='a'/></contact>\
         <equality><weld body1='a' body2='m'/><joint joint1='j'/></equality>\
         <tendon><spatial name='n'><site site='s'/><geom geom='g'/><site site='t'/></spatial>\
         <fixed name='f'><joint joint='j' coef='1'/></fixed></tendon>\
         <actuator><motor joint='j'/><position tendon='f' delay='.01' nsample='8'/>\
         <intvelocity site='t' refsite='s' actrange='-1 1'/></actuator>\
         <sensor><gyro site='s'/><jointpos joint='j'/><framepos objtype='body' objname='b' \
         reftype='site' refname='s'/><rangefinder site='s'/><contact geom1='g' num='2'/>\
         <distance geom1='g' geom2='floor' cutoff='1'/><clock nsample='2'/></sensor>\
         <custom><numeric name='x' data='1 2'/><text name='y' data='z'/></custom>\
         <keyframe><key name='k' time='1'/></keyframe></mujoco>",
    )
}

#[test]
fn a_changed_byte_is_refused_or_does_no_harm() {
    let model = rich_model();
    let bytes = model.to_bytes();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut faults = Vec::new();
    let mut refused = 0;
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= [0x01, 0x80, 0xff][at % 3];
        let outcome = catch_unwind(AssertUnwindSafe(|| match Model::from_bytes(&changed) {
            Err(_) => false,
            Ok(model) => {
                step(&model, &mut Data::new(&model));
                true
            }
        }));
        match outcome {
            Ok(true) => {}
            Ok(false) => refused += 1,
            Err(_) => faults.push(at),
        }
    }
    std::panic::set_hook(hook);
    assert!(faults.is_empty(), "{} panics, first at {:?}", faults.len(), &faults[..1]);
    assert!(refused > 1000, "{refused}");
}

#[test]
fn a_part_of_a_file_is_refused() {
    let bytes = rich_model().to_bytes();
    for len in (0..bytes.len()).step_by(97) {
        assert!(Model::from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    let mut longer = bytes;
    longer.push(0);
    let error = Model::from_bytes(&longer).unwrap_err();
    assert_eq!(error.to_string(), "the file is longer than its sizes say");
}

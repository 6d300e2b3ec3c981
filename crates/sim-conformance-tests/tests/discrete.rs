//! The integrator that treats stiffness implicitly, which the reference does not have.

use sim_core::{Data, Model, step};
use sim_mjcf::load_str;

fn load(integrator: &str, stiffness: f64) -> Model {
    // two masses on a rail that pass through each other, held together by a tendon across their
    // trees
    let xml = format!(
        "<mujoco>
           <option integrator='{integrator}' timestep='0.01' gravity='0 0 0'>
             <flag contact='disable'/>
           </option>
           <worldbody>
             <body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
             <body><joint name='b' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
           </worldbody>
           <tendon>
             <fixed stiffness='{stiffness}' springlength='0'>
               <joint joint='a' coef='1'/><joint joint='b' coef='-1'/>
             </fixed>
           </tendon>
         </mujoco>"
    );
    load_str(&xml).unwrap_or_else(|error| panic!("{error}")).model
}

/// The largest distance from rest after 500 steps, starting 0.1 apart; none if it diverged.
fn stretch_after(model: &Model) -> Option<f64> {
    let mut data = Data::new(model);
    data.qpos[0] = 0.1;
    for _ in 0..500 {
        step(model, &mut data);
    }
    let diverged = data.warning.iter().any(|warning| warning.number > 0);
    (!diverged).then(|| (data.qpos[0] - data.qpos[1]).abs())
}

#[test]
fn a_stiff_tendon_spring_is_stable_only_when_stiffness_is_implicit() {
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        assert_eq!(stretch_after(&load(integrator, 1e8)), None, "{integrator} should diverge");
    }
    let stretch = stretch_after(&load("discrete", 1e8)).expect("the simulation stays bounded");
    assert!(stretch < 1e-3, "the spring is at rest, not stretched by {stretch}");
}

#[test]
fn without_springs_it_is_the_fast_implicit_integrator() {
    let body = "<body><joint axis='0 1 0' damping='0.3'/>
                <geom type='capsule' fromto='0 0 0 .4 0 .1' size='.03'/>";
    let xml = |integrator: &str| {
        format!(
            "<mujoco><option integrator='{integrator}'><flag contact='disable'/></option>
             <worldbody>{}{}</worldbody></mujoco>",
            body.repeat(5),
            "</body>".repeat(5)
        )
    };
    let [mut discrete, mut fast] = ["discrete", "implicitfast"].map(|integrator| {
        let model = load_str(&xml(integrator)).unwrap_or_else(|error| panic!("{error}")).model;
        let mut data = Data::new(&model);
        for _ in 0..200 {
            step(&model, &mut data);
        }
        data.qpos
    });
    discrete.iter_mut().zip(&mut fast).for_each(|(a, b)| {
        assert!((*a - *b).abs() < 1e-10, "{a} is not {b}");
    });
}

#[test]
fn a_soft_oscillator_keeps_its_frequency() {
    // mass 1 against mass 1 with k = 2: period 2π / √(k (1 + 1))
    let model = load("discrete", 2.0);
    let mut data = Data::new(&model);
    data.qpos[0] = 0.1;
    let mut crossings = 0;
    let mut last = 0.1;
    while data.time < 31.4 {
        step(&model, &mut data);
        let stretch = data.qpos[0] - data.qpos[1];
        crossings += usize::from(stretch * last < 0.0);
        last = stretch;
    }
    // ten periods, two crossings each
    assert!((19..=21).contains(&crossings), "{crossings} crossings");
}

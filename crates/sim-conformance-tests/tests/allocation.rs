//! A settled step allocates nothing.

use allocation_counter::measure;
use sim_conformance_tests::{load, model_names, parse};
use sim_core::derivative::{Cotangent, Field, Gradient, Transition, transition, vjp};
use sim_core::{Data, forward, step, step1, step2};

/// How many steps are counted, after having been made once: contacts come and go on the way.
const STEPS: usize = 110;

#[test]
fn steps_do_not_allocate() {
    for name in model_names() {
        let model = load(&name);
        let mut data = Data::new(&model);
        let mut run = || {
            data.reset(&model);
            for dof in 0..model.nv {
                data.qvel[dof] = 0.1 * (dof % 7) as f64 - 0.3;
            }
            for _ in 0..STEPS {
                step(&model, &mut data);
            }
            forward(&model, &mut data);
            step1(&model, &mut data);
            step2(&model, &mut data);
        };
        run();
        let counted = measure(run);
        assert_eq!(counted.count_total, 0, "{name}: a step allocates");
    }
}

#[test]
fn steps_of_flexes_do_not_allocate() {
    let elastic = "<elasticity young='2e3' poisson='.2' damping='.01'/>";
    let alone = "<contact selfcollide='none'/>";
    let flexes = [
        // a cloth that folds onto itself, one held by strains, one that bends, a ball, and solids
        "count='8 8 1' spacing='.05 .05 .05'><edge equality='true'/>".to_owned(),
        "count='6 6 1' spacing='.05 .05 .05'><edge equality='vert'/>".to_owned(),
        "count='6 6 1' spacing='.05 .05 .05'><elasticity young='1e4' poisson='.2' thickness='.005' \
         elastic2d='bend'/><edge equality='true'/>"
            .to_owned(),
        format!("dim='3' type='ellipsoid' count='5 5 5' dof='radial'><edge equality='true'/>{alone}"),
        format!("dim='3' count='4 4 4' spacing='.05 .05 .05' mass='5'>{elastic}"),
        format!(
            "dim='3' count='4 4 4' spacing='.05 .05 .05' dof='trilinear' mass='5'>{elastic}{alone}"
        ),
    ];
    for flex in flexes {
        for integrator in ["Euler", "implicitfast"] {
            let model = parse(&format!(
                "<mujoco><option solver='CG' integrator='{integrator}'/><worldbody>
                 <geom type='plane' size='5 5 1'/><geom size='.1' pos='.05 0 .1'/>
                 <body name='p' pos='0 0 .35'><freejoint/><geom size='.01' mass='.1'/>
                 <flexcomp name='f' {flex}</flexcomp></body></worldbody></mujoco>"
            ));
            let mut data = Data::new(&model);
            let mut run = || {
                data.reset(&model);
                (0..STEPS).for_each(|_| step(&model, &mut data));
            };
            run();
            let counted = measure(run);
            assert_eq!(counted.count_total, 0, "{flex}: a step allocates");
        }
    }
}

#[test]
fn derivatives_do_not_allocate() {
    let names = ["contact_elliptic", "contact_pyramids", "general_actuators", "equality_bodies"];
    for name in names.into_iter().chain(["pile_rk4", "implicit_clamped", "mesh_contacts"]) {
        let model = load(name);
        let mut data = Data::new(&model);
        (0..60).for_each(|_| step(&model, &mut data));
        forward(&model, &mut data);
        let mut exact = Transition::default();
        exact.parameters.extend(Field::BodyMass.parameters(&model, None));
        exact.parameters.extend(Field::GeomFriction.parameters(&model, None));
        exact.parameters.extend(Field::ActuatorGear.parameters(&model, None));
        let (mut gradient, ones) = (Gradient::default(), vec![1.0; model.nv + model.na]);
        let of =
            Cotangent { qpos: &ones[..model.nv], qvel: &ones[..model.nv], act: &ones[..model.na] };
        let mut run = || {
            transition(&model, &mut data, &mut exact).expect(name);
            vjp(&model, &mut data, of, &mut exact, &mut gradient).expect(name);
        };
        run();
        let counted = measure(run);
        assert_eq!(counted.count_total, 0, "{name}: a derivative allocates");
    }
}

#[test]
fn twenty_thousand_steps_leave_the_memory_as_it_was() {
    // a robot on its way down, and boxes that are pushed about without end
    let pushed = parse(
        "<mujoco><worldbody><geom type='plane' size='5 5 1'/>
           <body pos='0 0 .1'><joint name='x' type='slide'/><joint name='turn' axis='0 0 1'/>
             <geom type='box' size='.1 .1 .1'/></body>
           <body pos='.3 .05 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
           <body pos='.3 .02 .31'><freejoint/><geom type='capsule' size='.1 .1'/></body>
           <body pos='-.3 0 .1'><freejoint/><geom size='.1'/></body>
         </worldbody>
         <actuator><position joint='x' kp='300' kv='30'/><velocity joint='turn' kv='3'/></actuator>
         </mujoco>",
    );
    for model in [load("flags/robot"), pushed] {
        let mut data = Data::new(&model);
        let mut contacts = [usize::MAX, 0];
        let mut run = |steps: usize| {
            for _ in 0..steps {
                let time = data.time;
                data.ctrl.iter_mut().for_each(|ctrl| *ctrl = (2.0 * time).sin());
                step(&model, &mut data);
                contacts = [contacts[0].min(data.ncon), contacts[1].max(data.ncon)];
            }
        };
        // buffers that grow with the contacts find their size
        run(5000);
        let counted = measure(|| run(20_000));
        assert_eq!((counted.bytes_current, counted.bytes_max), (0, 0), "{contacts:?} contacts");
        assert!(contacts[1] > contacts[0] && contacts[1] > 2, "{contacts:?} contacts");
    }
}

#[test]
fn a_reset_after_divergence_does_not_allocate() {
    let model = load("many_trees");
    let mut data = Data::new(&model);
    step(&model, &mut data);
    let counted = measure(|| {
        data.qvel[3] = f64::NAN;
        step(&model, &mut data);
    });
    assert_eq!(counted.count_total, 0);
    assert_eq!(data.warning.iter().map(|w| w.number).sum::<i32>(), 1);
    assert!(data.qpos.iter().all(|x| x.is_finite()));
}

#[test]
fn falling_asleep_and_waking_up_do_not_allocate() {
    let model = parse(
        "<mujoco><option><flag sleep='enable'/></option><worldbody>
           <geom type='plane' size='5 5 1'/>
           <body pos='0 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
           <body pos='1 0 .1'><freejoint/><geom type='box' size='.1 .1 .1'/></body>
         </worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    for _ in 0..10 {
        step(&model, &mut data);
    }
    let counted = measure(|| {
        while data.ntree_awake > 0 && data.time < 10.0 {
            step(&model, &mut data);
        }
        assert_eq!(data.ntree_awake, 0);
        data.qvel[0] = 0.1;
        step(&model, &mut data);
        assert_eq!(data.ntree_awake, 1);
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn the_counter_counts() {
    let counted = measure(|| drop(std::hint::black_box(vec![1.0; 10])));
    assert_eq!(counted.count_total, 1);
}

//! Exact derivatives of a step against centred differences of full steps.

use allocation_counter::measure;
use sim_conformance_tests::{load, model_names, parse};
use sim_core::derivative::{
    Cotangent, DerivativeError, Gradient, Tangent, Transition, jvp, transition, vjp,
};
use sim_core::model::{Cone, Integrator, Solver, State};
use sim_core::{Data, Model, differentiate_pos, forward, integrate_pos, step};

const STATE: u32 = State::Integration as u32;

/// Numbers between −1 and 1 that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A state that is reached with random controls, then kicked, with the solver at its optimum.
fn reach(model: &Model, steps: usize, random: &mut Random) -> Data {
    let mut data = Data::new(model);
    for _ in 0..steps {
        for actuator in 0..model.nu {
            let [low, high] = model.actuator_ctrlrange[actuator];
            let limited = model.actuator_ctrllimited[actuator] != 0;
            let (middle, half) =
                if limited { (0.5 * (low + high), 0.48 * (high - low)) } else { (0.0, 0.5) };
            data.ctrl[actuator] = middle + half * random.next();
        }
        step(model, &mut data);
    }
    data.qvel.iter_mut().for_each(|v| *v += 0.1 * random.next());
    forward(model, &mut data);
    data.qacc_warmstart.copy_from_slice(&data.qacc.clone());
    forward(model, &mut data);
    data
}

/// One column by centred differences, and whether nothing switched on the way.
fn column(model: &Model, start: &Data, input: usize, eps: f64) -> (Vec<f64>, bool) {
    let (nv, na) = (model.nv, model.na);
    let mut state = vec![0.0; model.state_size(STATE)];
    start.get_state(model, STATE, &mut state);
    let mut data = start.clone();
    step(model, &mut data);
    let middle = (data.ncon, data.efc_state.clone(), data.efc_type.clone());
    let mut ends = Vec::new();
    let mut same = true;
    for side in [-eps, eps] {
        data.set_state(model, STATE, &state);
        if input < nv {
            let mut tangent = vec![0.0; nv];
            tangent[input] = 1.0;
            integrate_pos(model, &mut data.qpos, &tangent, side);
        } else if input < 2 * nv {
            data.qvel[input - nv] += side;
        } else if input < 2 * nv + na {
            data.act[input - 2 * nv] += side;
        } else {
            data.ctrl[input - 2 * nv - na] += side;
        }
        step(model, &mut data);
        same &= (data.ncon, data.efc_state.clone(), data.efc_type.clone()) == middle;
        ends.push((data.qpos.clone(), data.qvel.clone(), data.act.clone()));
    }
    let [(qpos0, qvel0, act0), (qpos1, qvel1, act1)] = [&ends[0], &ends[1]];
    let mut out = vec![0.0; nv];
    differentiate_pos(model, &mut out, 2.0 * eps, qpos0, qpos1);
    out.extend(qvel1.iter().zip(qvel0).map(|(a, b)| (a - b) / (2.0 * eps)));
    out.extend(act1.iter().zip(act0).map(|(a, b)| (a - b) / (2.0 * eps)));
    (out, same)
}

/// Errors of all smooth columns, by the largest entry of each, and how many columns there are.
fn errors(name: &str, model: &mut Model, states: usize) -> (Vec<f64>, usize) {
    model.opt.solver = Solver::Newton as i32;
    model.opt.tolerance = 0.0;
    model.opt.iterations = 100;
    model.opt.ls_tolerance = 1e-10;
    model.opt.ls_iterations = 100;
    let n = 2 * model.nv + model.na;
    let mut exact = Transition::default();
    let mut random = Random(7);
    let (mut errors, mut columns) = (Vec::new(), 0);
    for round in 0..states {
        let mut data = reach(model, 20 + 40 * round, &mut random);
        let smooth = transition(model, &mut data, &mut exact)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        if smooth.approximate_contacts > 0 {
            continue;
        }
        for input in 0..n + model.nu {
            columns += 1;
            let mut best = f64::INFINITY;
            // the last is for small derivatives, where differences of smaller steps are rounding
            let by_step = [1e-6, 1e-7, 1e-5].map(|eps| column(model, &data, input, eps));
            // nothing switches, and differences agree with each other
            let far = |i: usize| (by_step[0].0[i] - by_step[1].0[i]).abs();
            let smooth = by_step[..2].iter().all(|(_, same)| *same)
                && (0..n).all(|i| far(i) < 1e-3 * (1.0 + by_step[0].0[i].abs()));
            for (expected, _) in &by_step {
                let got = |i: usize| {
                    if input < n {
                        exact.a[i * n + input]
                    } else {
                        exact.b[i * model.nu + input - n]
                    }
                };
                let scale = expected.iter().fold(1e-3_f64, |scale, x| scale.max(x.abs()));
                let worst = (0..n).map(|i| (got(i) - expected[i]).abs()).fold(0.0, f64::max);
                best = best.min(worst / scale);
            }
            if smooth {
                errors.push(best);
            }
        }
    }
    (errors, columns)
}

fn assert_exact(name: &str, model: &mut Model, states: usize) {
    let (mut errors, columns) = errors(name, model, states);
    errors.sort_by(f64::total_cmp);
    let Some(&largest) = errors.last() else { return };
    let most = errors[(errors.len() * 99).div_ceil(100) - 1];
    assert!(errors.len() * 10 >= columns * 8, "{name}: {} of {columns} smooth", errors.len());
    assert!(largest < 1e-5 && most < 1e-6, "{name}: largest {largest:e}, 99 % below {most:e}");
}

/// Models that say why they have no derivative.
const WITHOUT: &[&str] = &[
    "actuator_delay",
    "noslip",
    "noslip_elliptic",
    "sensor_history",
    "tendon_armature",
    "fluid_mixed",
];

#[test]
fn transitions_of_all_models_are_those_of_differences() {
    for name in model_names() {
        let mut model = load(&name);
        if model.nv == 0 || model.nv > 60 || WITHOUT.contains(&&*name) {
            continue;
        }
        assert_exact(&name, &mut model, 2);
    }
}

#[test]
fn what_has_no_derivative_is_named() {
    for (name, words) in [
        ("actuator_delay", "delays"),
        ("noslip_elliptic", "noslip"),
        ("tendon_armature", "the armature of a tendon"),
    ] {
        let model = load(name);
        let mut data = reach(&model, 60, &mut Random(3));
        let error: DerivativeError =
            transition(&model, &mut data, &mut Transition::default()).expect_err(name);
        assert!(error.to_string().contains(words), "{name}: {error}");
    }
}

/// Two bodies with the given geoms, one on a hinge and one free, that are pressed together.
fn touching(first: &str, second: &str, cone: Cone, integrator: Integrator) -> Model {
    // planes do not move
    let joints = if first.contains("plane") {
        ""
    } else {
        "<joint axis='1 .2 .1' stiffness='400' damping='3'/>
         <joint axis='0 1 .3' stiffness='400' damping='3'/>"
    };
    let mut model = parse(&format!(
        "<mujoco><option gravity='0.3 0.2 -9.81'/>
           <worldbody>
             <body euler='3 4 5'>{joints}<geom {first} condim='4' mass='1'/></body>
             <body pos='.01 .02 .2' euler='7 -3 11'><freejoint/><geom {second} condim='4'
               solimp='.5 .95 .01'/></body>
           </worldbody></mujoco>"
    ));
    model.opt.cone = cone as i32;
    model.opt.integrator = integrator as i32;
    model
}

#[test]
fn contacts_of_primitive_pairs_move_as_differences_say() {
    const PLANE: &str = "type='plane' size='1 1 .1'";
    const SPHERE: &str = "type='sphere' size='.1'";
    const CAPSULE: &str = "type='capsule' size='.08 .1' euler='80 20 0'";
    const BOX: &str = "type='box' size='.15 .12 .1'";
    const CYLINDER: &str = "type='cylinder' size='.09 .1'";
    const ELLIPSOID: &str = "type='ellipsoid' size='.12 .1 .08'";
    let pairs = [
        (PLANE, SPHERE),
        (PLANE, CAPSULE),
        (PLANE, BOX),
        (PLANE, CYLINDER),
        (PLANE, ELLIPSOID),
        (SPHERE, SPHERE),
        (SPHERE, CAPSULE),
        (SPHERE, BOX),
        (SPHERE, CYLINDER),
        (CAPSULE, CAPSULE),
        (BOX, BOX),
    ];
    for (first, second) in pairs {
        for (a, b) in [(first, second), (second, first)] {
            if b == PLANE {
                continue;
            }
            for cone in [Cone::Elliptic, Cone::Pyramidal] {
                let name = format!("{a} on {b}, {cone:?}");
                assert_exact(&name, &mut touching(a, b, cone, Integrator::ImplicitFast), 4);
            }
        }
    }
}

#[test]
fn integrators_are_differentiated() {
    for integrator in [
        Integrator::Euler,
        Integrator::Rk4,
        Integrator::Implicit,
        Integrator::ImplicitFast,
        Integrator::Discrete,
    ] {
        for name in ["figure", "mixed_joints", "servos", "muscle", "tendon_fixed", "few_rows"] {
            let mut model = load(name);
            model.opt.integrator = integrator as i32;
            // muscles pull on tendons whose moment arms move
            if name == "muscle" && integrator != Integrator::Euler && integrator != Integrator::Rk4
            {
                continue;
            }
            assert_exact(&format!("{name} with {integrator:?}"), &mut model, 2);
        }
    }
}

/// Models with rows, forces and transmissions of all kinds.
const PRODUCTS: [&str; 15] = [
    "figure",
    "contact_pairs",
    "contact_elliptic",
    "equality_bodies",
    "equality_scalars",
    "general_actuators",
    "servos",
    "few_rows",
    "friction_loss",
    "limits",
    "applied_forces",
    "adhesion",
    "fluid_ellipsoid",
    "fluid_box_wind",
    "islands",
];

#[test]
fn products_with_vectors_are_those_of_the_matrices() {
    for name in PRODUCTS {
        for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
            let mut model = load(name);
            model.opt.integrator = integrator as i32;
            let mut random = Random(11);
            let mut data = reach(&model, 60, &mut random);
            let (nv, na, nu) = (model.nv, model.na, model.nu);
            let n = 2 * nv + na;
            let mut exact = Transition::default();
            if transition(&model, &mut data, &mut exact).is_err() {
                continue;
            }
            let mut scratch = Transition::default();
            let mut vector = |len: usize| (0..len).map(|_| random.next()).collect::<Vec<f64>>();
            let (left, right, ctrl) = (vector(n), vector(n), vector(nu));
            let close = |got: f64, want: f64, scale: f64| {
                assert!((got - want).abs() < 1e-11 * (1.0 + scale), "{name}: {got} {want}");
            };

            let of = Cotangent { qpos: &left[..nv], qvel: &left[nv..2 * nv], act: &left[2 * nv..] };
            let mut gradient = Gradient::default();
            vjp(&model, &mut data, of, &mut scratch, &mut gradient).expect(name);
            let got: Vec<f64> =
                [gradient.qpos, gradient.qvel, gradient.act].into_iter().flatten().collect();
            for k in 0..n {
                let terms: Vec<f64> = (0..n).map(|i| left[i] * exact.a[i * n + k]).collect();
                let scale = terms.iter().map(|x| x.abs()).sum();
                close(got[k], terms.iter().sum(), scale);
            }
            for k in 0..nu {
                let terms: Vec<f64> = (0..n).map(|i| left[i] * exact.b[i * nu + k]).collect();
                let scale = terms.iter().map(|x| x.abs()).sum();
                close(gradient.ctrl[k], terms.iter().sum(), scale);
            }

            let along = Tangent {
                qpos: &right[..nv],
                qvel: &right[nv..2 * nv],
                act: &right[2 * nv..],
                ctrl: &ctrl,
                parameters: &[],
            };
            let mut change = Vec::new();
            jvp(&model, &mut data, along, &mut scratch, &mut change).expect(name);
            for i in 0..n {
                let by_state = (0..n).map(|k| exact.a[i * n + k] * right[k]);
                let by_ctrl = (0..nu).map(|k| exact.b[i * nu + k] * ctrl[k]);
                let terms: Vec<f64> = by_state.chain(by_ctrl).collect();
                let scale = terms.iter().map(|x| x.abs()).sum();
                close(change[i], terms.iter().sum(), scale);
            }
        }
    }
}

#[test]
fn ten_transitions_make_a_rollout() {
    for name in ["figure", "few_rows", "ball_chain"] {
        let mut model = load(name);
        (model.opt.tolerance, model.opt.iterations) = (0.0, 100);
        let start = reach(&model, 80, &mut Random(13));
        let (nv, n) = (model.nv, 2 * model.nv + model.na);
        // the change along one direction, by products and by rollouts
        let mut change: Vec<f64> = (0..n).map(|i| if i == nv / 2 { 1.0 } else { 0.0 }).collect();
        let mut exact = Transition::default();
        let mut data = start.clone();
        for _ in 0..10 {
            forward(&model, &mut data);
            transition(&model, &mut data, &mut exact).expect(name);
            change = (0..n).map(|i| (0..n).map(|k| exact.a[i * n + k] * change[k]).sum()).collect();
            step(&model, &mut data);
        }
        let eps = 1e-7;
        let ends: Vec<Data> = [-eps, eps]
            .map(|side| {
                let mut data = start.clone();
                let mut tangent = vec![0.0; nv];
                tangent[nv / 2] = 1.0;
                integrate_pos(&model, &mut data.qpos, &tangent, side);
                (0..10).for_each(|_| step(&model, &mut data));
                data
            })
            .into();
        let mut expected = vec![0.0; nv];
        differentiate_pos(&model, &mut expected, 2.0 * eps, &ends[0].qpos, &ends[1].qpos);
        let velocities = ends[1].qvel.iter().zip(&ends[0].qvel);
        expected.extend(velocities.map(|(a, b)| (a - b) / (2.0 * eps)));
        let scale = expected.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
        for (got, want) in change.iter().zip(&expected) {
            assert!((got - want).abs() < 1e-5 * scale, "{name}: {got} {want}");
        }
    }
}

#[test]
fn the_nearest_border_is_that_of_a_row() {
    // a ball at rest on the floor is far from letting go; a pendulum has no rows
    let ball = parse(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>
           <body pos='0 0 .0995'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    let border = |model: &Model, steps: usize| {
        let mut data = Data::new(model);
        (0..steps).for_each(|_| step(model, &mut data));
        forward(model, &mut data);
        transition(model, &mut data, &mut Transition::default()).expect("has one").nearest_border
    };
    assert!((1e-3..1e3).contains(&border(&ball, 300)));
    assert_eq!(border(&load("pendulum"), 10), f64::INFINITY);
}

#[test]
fn stages_of_runge_kutta_may_differ_in_their_contacts() {
    let model = load("pile_rk4");
    let mut data = Data::new(&model);
    let mut exact = Transition::default();
    for _ in 0..150 {
        forward(&model, &mut data);
        transition(&model, &mut data, &mut exact).expect("has a derivative");
        step(&model, &mut data);
    }
}

#[test]
fn transitions_allocate_nothing_once_warm() {
    for name in
        ["figure", "contact_pairs", "equality_bodies", "general_actuators", "pulleys", "rk4"]
    {
        let model = load(name);
        let mut data = reach(&model, 50, &mut Random(5));
        let mut exact = Transition::default();
        let mut run = || transition(&model, &mut data, &mut exact).is_ok();
        assert!(run());
        let counted = measure(|| {
            run();
        });
        assert_eq!(counted.count_total, 0, "{name}: a transition allocates");
    }
}

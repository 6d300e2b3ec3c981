//! Physics with known answers: conservation laws, closed formulas, and relations between stages
//! that hold whatever the model.

use sim_conformance_tests::{bits, load, model_names, parse};
use sim_core::math::Vec3;
use sim_core::model::{Disable, Integrator, SensorType, Stage};
use sim_core::{Data, Model, energy_vel, forward, full_m, rne_with_acc, step, step1, step2};

/// A number in [-1, 1), the same on every run.
fn noise(seed: usize) -> f64 {
    let mut x = seed as u64 ^ 0x9e37_79b9_7f4a_7c15;
    for _ in 0..3 {
        x ^= x >> 31;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x ^= x >> 27;
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Data with velocities and controls away from zero, and positions that followed from them.
fn excited(model: &Model) -> Data {
    let mut data = Data::new(model);
    for dof in 0..model.nv {
        data.qvel[dof] = noise(dof);
    }
    for actuator in 0..model.nu {
        data.ctrl[actuator] = noise(500 + actuator);
    }
    for _ in 0..20 {
        step(model, &mut data);
    }
    data
}

/// Total energy, and the work it took to get there.
fn energy(data: &Data) -> f64 {
    data.energy[0] + data.energy[1]
}

fn max_abs(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |max: f64, x| max.max(x.abs()))
}

#[test]
fn mass_matrix_is_symmetric_and_gives_the_kinetic_energy() {
    for name in model_names() {
        let model = load(&name);
        let nv = model.nv;
        let mut data = excited(&model);
        forward(&model, &mut data);
        energy_vel(&model, &mut data);

        let mut m = vec![0.0; nv * nv];
        full_m(&model, &data, &mut m);
        let mut kinetic = 0.0;
        for i in 0..nv {
            for j in 0..nv {
                assert_eq!(m[i * nv + j], m[j * nv + i], "{name}");
                kinetic += 0.5 * data.qvel[i] * m[i * nv + j] * data.qvel[j];
            }
            assert!(m[i * nv + i] > 0.0, "{name}");
        }
        let error = (kinetic - data.energy[1]).abs() / (1.0 + kinetic);
        assert!(error < 1e-12, "{name}: v'Mv/2 = {kinetic}, energy {}", data.energy[1]);
    }
}

#[test]
fn mass_matrix_equals_inverse_dynamics_column_by_column() {
    for name in model_names().into_iter().filter(|name| name != "free_100") {
        let model = load(&name);
        let nv = model.nv;
        let mut data = excited(&model);
        forward(&model, &mut data);
        let mut m = vec![0.0; nv * nv];
        full_m(&model, &data, &mut m);

        // the force of a unit acceleration, less the force of none; armature is not in it, neither
        // that of joints nor that of tendons
        let tendons = tendon_inertia(&model, &data);
        let (mut with, mut without) = (vec![0.0; nv], vec![0.0; nv]);
        data.qacc.fill(0.0);
        rne_with_acc(&model, &mut data, &mut without);
        let scale = 1.0 + max_abs(m.iter().copied()) + max_abs(without.iter().copied());
        for j in 0..nv {
            data.qacc.fill(0.0);
            data.qacc[j] = 1.0;
            rne_with_acc(&model, &mut data, &mut with);
            for i in 0..nv {
                let armature = if i == j { model.dof_armature[i] } else { 0.0 };
                let column = with[i] - without[i] + armature + tendons[i * nv + j];
                let error = (column - m[i * nv + j]).abs() / scale;
                assert!(error < 1e-12, "{name}: M[{i}, {j}] is {}, not {column}", m[i * nv + j]);
            }
        }
    }
}

/// What the armature of tendons adds to the mass matrix: armature times moment times moment.
fn tendon_inertia(model: &Model, data: &Data) -> Vec<f64> {
    let nv = model.nv;
    let mut inertia = vec![0.0; nv * nv];
    for tendon in 0..model.ntendon {
        // moments are dense in small models
        assert!(nv < 60);
        let moment = &data.ten_J[tendon * nv..][..nv];
        for i in 0..nv {
            for j in 0..nv {
                inertia[i * nv + j] += model.tendon_armature[tendon] * moment[i] * moment[j];
            }
        }
    }
    inertia
}

#[test]
fn acceleration_solves_the_equations_of_motion() {
    for name in model_names() {
        let mut model = load(&name);
        // the solvers of constraints stop at a tolerance
        model.opt.disableflags |= Disable::Constraint as i32;
        let nv = model.nv;
        let mut data = excited(&model);
        for dof in 0..nv {
            data.qfrc_applied[dof] = noise(1000 + dof);
        }
        forward(&model, &mut data);
        let mut m = vec![0.0; nv * nv];
        full_m(&model, &data, &mut m);
        for i in 0..nv {
            let row = &m[i * nv..][..nv];
            let inertial: f64 = row.iter().zip(&data.qacc).map(|(m, a)| m * a).sum();
            let scale: f64 = row.iter().zip(&data.qacc).map(|(m, a)| (m * a).abs()).sum();
            let force = data.qfrc_passive[i] + data.qfrc_actuator[i] + data.qfrc_applied[i]
                - data.qfrc_bias[i];
            let error = (inertial - force).abs() / (1.0 + scale);
            assert!(error < 1e-11, "{name}: dof {i}: M qacc = {inertial}, force {force}");
        }
    }
}

#[test]
fn free_fall_follows_the_recursion_of_the_integrator() {
    let model = parse(
        "<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    let (n, h, g) = (5000, model.opt.timestep, 9.81);
    for _ in 0..n {
        step(&model, &mut data);
    }
    let n = f64::from(n);
    let (v, z) = (-g * n * h, -g * h * h * n * (n + 1.0) / 2.0);
    assert!((data.qvel[2] / v - 1.0).abs() < 1e-12);
    assert!((data.qpos[2] / z - 1.0).abs() < 1e-12);
    assert_eq!(data.qpos[0], 0.0);
}

#[test]
fn free_fall_with_runge_kutta_is_a_parabola() {
    let model = parse(
        "<mujoco><option integrator='RK4'/><worldbody><body><freejoint/><geom size='0.1'/></body>
         </worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    for _ in 0..5000 {
        step(&model, &mut data);
    }
    let z = -9.81 * 10.0 * 10.0 / 2.0;
    assert!((data.qpos[2] / z - 1.0).abs() < 1e-12);
}

#[test]
fn a_body_without_forces_moves_straight_on() {
    let model = parse(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint/>
         <geom type='box' size='0.1 0.2 0.3'/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    let velocity = [0.3, -0.7, 1.1];
    data.qvel[..3].copy_from_slice(&velocity);
    for _ in 0..10_000 {
        step(&model, &mut data);
    }
    for i in 0..3 {
        assert!((data.qvel[i] - velocity[i]).abs() < 1e-12);
        assert!((data.qpos[i] / (velocity[i] * 20.0) - 1.0).abs() < 1e-12);
    }
}

#[test]
fn an_oscillator_keeps_its_shadow_energy() {
    let k = 10.0;
    let model = parse(
        "<mujoco><option gravity='0 0 0' timestep='0.01'/><worldbody><body>
         <joint type='slide' stiffness='10'/><geom size='0.1' mass='1'/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    data.qpos[0] = 1.0;
    let h = model.opt.timestep;
    // constant along the semi-implicit map, unlike the energy itself
    let shadow = |data: &Data| {
        let (q, p) = (data.qpos[0], data.qvel[0]);
        0.5 * p * p + 0.5 * k * q * q - 0.5 * h * k * q * p
    };
    let start = shadow(&data);
    for _ in 0..100_000 {
        step(&model, &mut data);
    }
    assert!((shadow(&data) / start - 1.0).abs() < 1e-9);
}

#[test]
fn a_pendulum_swings_with_the_period_of_the_elliptic_integral() {
    let model = parse(
        "<mujoco><option integrator='RK4' timestep='0.001'/><worldbody><body>
         <inertial pos='0 0 -0.5' mass='1' diaginertia='1e-9 1e-9 1e-9'/>
         <joint axis='0 1 0'/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    let theta: f64 = 2.5;
    data.qpos[0] = theta;
    // quarter period: from rest at the top of the swing to the bottom
    let mut before = data.qpos[0];
    while data.qpos[0] > 0.0 {
        before = data.qpos[0];
        step(&model, &mut data);
    }
    let fraction = before / (before - data.qpos[0]);
    let quarter = data.time - model.opt.timestep * (1.0 - fraction);

    // complete elliptic integral by the arithmetic-geometric mean
    let (mut a, mut b) = (1.0, (theta / 2.0).cos());
    for _ in 0..20 {
        (a, b) = ((a + b) / 2.0, f64::sqrt(a * b));
    }
    let expected = (0.5f64 / 9.81).sqrt() * std::f64::consts::PI / (2.0 * a);
    assert!((quarter / expected - 1.0).abs() < 1e-6, "{quarter}, expected {expected}");
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let mut model = load("double_pendulum");
    model.opt.integrator = Integrator::Rk4 as i32;
    let mut data = Data::new(&model);
    data.qpos.copy_from_slice(&[1.0, 0.5]);
    forward(&model, &mut data);
    let start = energy(&data);
    let mut drift: f64 = 0.0;
    for _ in 0..10_000 {
        step(&model, &mut data);
        drift = drift.max((energy(&data) - start).abs());
    }
    assert!(drift < 1e-7 * 1.7 * 9.81 * 0.9, "energy drifts by {drift}");
}

#[test]
fn a_tumbling_body_keeps_energy_and_angular_momentum() {
    let mut model = load("gravity_off");
    model.opt.integrator = Integrator::Rk4 as i32;
    model.opt.timestep = 0.001;
    let mut data = Data::new(&model);
    data.qvel[3..].copy_from_slice(&[0.1, 3.0, 0.2]);
    let momentum = |data: &mut Data| {
        forward(&model, data);
        sim_core::subtree_vel(&model, data);
        (energy(data), data.subtree_angmom[0])
    };
    let (start, momentum0) = momentum(&mut data);
    for _ in 0..10_000 {
        step(&model, &mut data);
    }
    let (end, momentum1) = momentum(&mut data);
    assert!((end / start - 1.0).abs() < 1e-7);
    let norm = |v: Vec3| v.dot(v).sqrt();
    assert!(norm(momentum1 - momentum0) < 1e-5 * norm(momentum0));
}

#[test]
fn ball_quaternions_stay_normalised() {
    let model = load("ball_chain");
    let mut data = Data::new(&model);
    for dof in 0..model.nv {
        data.qvel[dof] = noise(dof);
    }
    for _ in 0..100_000 {
        step(&model, &mut data);
    }
    assert!(data.warning.iter().all(|w| w.number == 0));
    for quat in data.qpos.chunks(4) {
        let norm = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        assert!((norm - 1.0).abs() < 1e-14);
    }
}

#[test]
fn the_same_start_gives_the_same_bits() {
    for name in model_names() {
        let model = load(&name);
        let (mut first, mut second) = (excited(&model), excited(&model));
        for _ in 0..100 {
            step(&model, &mut first);
        }
        // the second run is interrupted by a look at the results
        for _ in 0..100 {
            forward(&model, &mut second);
            step(&model, &mut second);
        }
        // a sensor of kinetic energy may show what was computed last, as in the reference
        if model.sensor_type.contains(&(SensorType::EKinetic as i32)) {
            first.sensordata.copy_from_slice(&second.sensordata);
        }
        assert_eq!(bits(&first), bits(&second), "{name}");
    }
}

#[test]
fn a_reset_repeats_the_run() {
    for name in model_names() {
        let model = load(&name);
        let mut data = Data::new(&model);
        let fresh = bits(&data);
        for dof in 0..model.nv {
            data.qvel[dof] = noise(dof);
        }
        step(&model, &mut data);
        data.reset(&model);
        assert_eq!(fresh, bits(&data), "{name}");
    }
}

#[test]
fn a_step_is_its_two_halves() {
    for name in model_names() {
        let model = load(&name);
        // the second half integrates by Euler's method instead
        if model.opt.integrator == Integrator::Rk4 as i32 {
            continue;
        }
        let (mut whole, mut halves) = (excited(&model), excited(&model));
        for _ in 0..20 {
            step(&model, &mut whole);
            step1(&model, &mut halves);
            step2(&model, &mut halves);
        }
        let motion = |data: &Data| (data.time, data.qpos.clone(), data.qvel.clone());
        assert_eq!(motion(&whole), motion(&halves), "{name}");
        // as in the reference, sensors of acceleration are not computed anew by the second half
        if model.sensor_needstage.iter().all(|&stage| stage != Stage::Acc as i32) {
            assert_eq!(bits(&whole), bits(&halves), "{name}");
        }
    }
}

#[test]
fn bad_numbers_reset_once_and_leave_finite_states() {
    let model = load("mixed_joints");
    for bad in [f64::NAN, f64::INFINITY, 1e11] {
        for velocity in [false, true] {
            let mut data = excited(&model);
            let target = if velocity { &mut data.qvel } else { &mut data.qpos };
            target[2] = bad;
            step(&model, &mut data);
            assert_eq!(data.warning.iter().map(|w| w.number).sum::<i32>(), 1);
            assert!(data.qpos.iter().chain(&data.qvel).all(|x| x.is_finite()));
        }
    }
}

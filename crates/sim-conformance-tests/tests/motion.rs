//! Rotation, momentum, energy and statics with known answers; integrators by their order; and
//! functions that undo each other.

use std::f64::consts::PI;

use sim_conformance_tests::{bits, load, model_names, parse};
use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::{Disable, Enable, Integrator, State};
use sim_core::{
    Data, Model, forward, integrate_pos, inverse, jac, jac_dot, jac_site, jac_subtree_com, step,
    subtree_vel, xfrc_accumulate,
};

/// The relative difference of two numbers.
fn relative(value: f64, expected: f64) -> f64 {
    (value / expected - 1.0).abs()
}

/// Complete elliptic integral of the first kind of modulus `k`.
fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..30 {
        (a, b) = ((a + b) / 2.0, f64::sqrt(a * b));
    }
    PI / (2.0 * a)
}

/// A free body with the given principal moments of inertia and no forces, by Runge-Kutta.
fn torque_free(inertia: [f64; 3]) -> Model {
    let [a, b, c] = inertia;
    parse(&format!(
        "<mujoco><option gravity='0 0 0' integrator='RK4' timestep='0.001'>
         <flag energy='enable'/></option><worldbody><body><freejoint/>
         <inertial pos='0 0 0' mass='1' diaginertia='{a} {b} {c}'/></body></worldbody></mujoco>"
    ))
}

const MOMENTS: [f64; 3] = [0.2, 0.3, 0.4];

#[test]
fn a_torque_free_body_flips_with_the_period_of_eulers_equations() {
    let model = torque_free(MOMENTS);
    let mut data = Data::new(&model);
    data.qvel[3..].copy_from_slice(&[0.01, 5.0, 0.02]);

    let [i1, i2, i3] = MOMENTS;
    let moment = |power: i32| -> f64 {
        (0..3).map(|i| MOMENTS[i].powi(power) * data.qvel[3 + i].powi(2)).sum()
    };
    let (energy, momentum) = (moment(1), moment(2));
    // the larger or the smaller axis is the one the motion circles around
    let (low, high) = if momentum > energy * i2 { (i1, i3) } else { (i3, i1) };
    let rate = ((high - i2) * (momentum - energy * low) / (i1 * i2 * i3)).sqrt();
    let k2 = (i2 - low) * (energy * high - momentum) / ((high - i2) * (momentum - energy * low));
    let expected = 4.0 * elliptic_k(k2.sqrt()) / rate;

    // times at which the spin about the middle axis rises through zero
    let mut rises = Vec::new();
    while rises.len() < 4 && data.time < 100.0 {
        let before = data.qvel[4];
        step(&model, &mut data);
        if before < 0.0 && data.qvel[4] >= 0.0 {
            let fraction = before / (before - data.qvel[4]);
            rises.push(data.time - model.opt.timestep * (1.0 - fraction));
        }
    }
    assert_eq!(rises.len(), 4, "the body flips over and over");
    let period = (rises[3] - rises[0]) / 3.0;
    assert!(relative(period, expected) < 1e-3, "{period}, expected {expected}");
}

#[test]
fn tumbling_keeps_energy_and_angular_momentum_for_a_minute() {
    let model = torque_free(MOMENTS);
    let mut data = Data::new(&model);
    data.qvel[3..].copy_from_slice(&[0.3, 2.0, 0.4]);
    let measure = |data: &mut Data| {
        forward(&model, data);
        subtree_vel(&model, data);
        (data.energy[1], data.subtree_angmom[0].norm())
    };
    let (energy, momentum) = measure(&mut data);
    for _ in 0..60_000 {
        step(&model, &mut data);
    }
    let (last_energy, last_momentum) = measure(&mut data);
    assert!(relative(last_energy, energy) < 1e-7);
    assert!(relative(last_momentum, momentum) < 1e-7);
}

#[test]
fn spin_about_the_smallest_and_the_largest_axis_is_stable() {
    for axis in [0, 2] {
        let model = torque_free(MOMENTS);
        let mut data = Data::new(&model);
        data.qvel[3..].copy_from_slice(&[1e-3, 1e-3, 1e-3]);
        data.qvel[3 + axis] = 3.0;
        forward(&model, &mut data);
        let start = data.xmat[1].column(axis);
        let mut tilt: f64 = 0.0;
        for _ in 0..60_000 {
            step(&model, &mut data);
            tilt = tilt.max(data.xmat[1].column(axis).cross(start).norm());
        }
        assert!(tilt < 2e-2, "axis {axis} tilts by {tilt}");
    }
}

#[test]
fn a_gyroscope_precesses_steadily() {
    let (mass, arm, side, spin_inertia, gravity): (f64, f64, f64, f64, f64) =
        (1.0, 0.2, 0.03, 0.05, 9.81);
    let model = parse(&format!(
        "<mujoco><option integrator='RK4' timestep='0.001'/><worldbody><body>
         <joint type='ball'/><inertial pos='0 0 {arm}' mass='{mass}'
         diaginertia='{side} {side} {spin_inertia}'/></body></worldbody></mujoco>"
    ));
    // inertia about the pivot, across the axis; the slow solution of
    // I1 cos θ Ω² − I3 ω3 Ω + m g r = 0
    let across = side + mass * arm * arm;
    let (theta, precession): (f64, f64) = (0.6, 1.5);
    let spin = (mass * gravity * arm + across * theta.cos() * precession * precession)
        / (spin_inertia * precession);

    let mut data = Data::new(&model);
    let tilt = Quat::from_axis_angle(Vec3::new(0.0, 1.0, 0.0), theta);
    data.qpos.copy_from_slice(&[tilt.w, tilt.x, tilt.y, tilt.z]);
    data.qvel.copy_from_slice(&[-precession * theta.sin(), 0.0, spin]);
    let (mut turned, mut nutation): (f64, f64) = (0.0, 0.0);
    forward(&model, &mut data);
    let mut before = data.xmat[1].column(2);
    for _ in 0..5000 {
        step(&model, &mut data);
        forward(&model, &mut data);
        let axis = data.xmat[1].column(2);
        turned += (before[0] * axis[1] - before[1] * axis[0])
            .atan2(before[0] * axis[0] + before[1] * axis[1]);
        nutation = nutation.max((axis[2].acos() - theta).abs());
        before = axis;
    }
    assert!(relative(turned / data.time, precession) < 5e-4, "turns by {turned}");
    assert!(nutation / theta < 5e-4, "nutates by {nutation}");
}

#[test]
fn internal_forces_leave_the_momenta_of_a_floating_chain_alone() {
    let model = parse(
        "<mujoco><option gravity='0 0 0' integrator='RK4' timestep='0.001'/>
         <default><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/>
         <joint damping='0.02' stiffness='0.5'/></default>
         <worldbody><body><freejoint/><geom/>
           <body pos='.3 0 0'><joint name='1' axis='0 1 0'/><geom/><site name='1' pos='.1 0 .05'/>
             <body pos='.3 0 0'><joint name='2' axis='0 0 1'/><geom/>
               <body pos='.3 0 0'><joint name='3' axis='0 1 1'/><geom/><site name='3' pos='.2 0 0'/>
         </body></body></body></body></worldbody>
         <tendon><spatial name='t' stiffness='3' damping='.1'><site site='1'/><site site='3'/>
         </spatial></tendon>
         <actuator><motor joint='1'/><motor joint='2'/><motor tendon='t'/></actuator></mujoco>",
    );
    assert_eq!(model.nv, 9);
    let mut data = Data::new(&model);
    let start = [0.1, -0.2, 0.3, 0.4, -0.2, 0.3, 0.5, -0.5, 0.2];
    data.qvel.copy_from_slice(&start);
    let momenta = |data: &mut Data| {
        forward(&model, data);
        subtree_vel(&model, data);
        (data.subtree_linvel[0] * model.body_subtreemass[0], data.subtree_angmom[0])
    };
    let (linear, angular) = momenta(&mut data);
    for _ in 0..5000 {
        let t = data.time;
        data.ctrl.copy_from_slice(&[0.1 * (3.0 * t).sin(), -0.1 * (2.0 * t).cos(), 0.2 * t.sin()]);
        step(&model, &mut data);
    }
    let (last_linear, last_angular) = momenta(&mut data);
    let drift = |a: Vec3, b: Vec3| (a - b).norm() / b.norm();
    assert!(drift(last_linear, linear) < 1e-7, "linear {:e}", drift(last_linear, linear));
    assert!(drift(last_angular, angular) < 1e-5, "angular {:e}", drift(last_angular, angular));
    assert!((data.qpos[7] - model.qpos0[7]).abs() > 0.01, "the chain has moved");
}

/// Positions of a double pendulum after a second.
fn swing(integrator: Integrator, timestep: f64) -> Vec<f64> {
    let mut model = load("double_pendulum");
    model.opt.integrator = integrator as i32;
    model.opt.timestep = timestep;
    let mut data = Data::new(&model);
    data.qpos.copy_from_slice(&[1.0, 0.5]);
    for _ in 0..(1.0 / timestep).round() as usize {
        step(&model, &mut data);
    }
    data.qpos
}

/// Order of an integrator: how the error falls when the time step is halved.
fn order(integrator: Integrator, timestep: f64) -> f64 {
    let exact = swing(Integrator::Rk4, 1.0 / 16384.0);
    let error = |timestep: f64| -> f64 {
        let found = swing(integrator, timestep);
        found.iter().zip(&exact).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    (error(timestep) / error(timestep / 2.0)).log2()
}

#[test]
fn runge_kutta_is_of_fourth_order() {
    let order = order(Integrator::Rk4, 1.0 / 64.0);
    assert!((order - 4.0).abs() < 0.35, "order {order}");
}

#[test]
fn euler_and_the_implicit_integrators_are_of_first_order() {
    for integrator in [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast] {
        let order = order(integrator, 1.0 / 1024.0);
        assert!((order - 1.0).abs() < 0.1, "order {order} of {integrator:?}");
    }
}

#[test]
fn energy_changes_by_the_work_of_actuators_and_dampers() {
    let model = parse(
        "<mujoco><option integrator='RK4' timestep='0.001'><flag energy='enable'/></option>
         <default><geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></default>
         <worldbody><site name='hook' pos='.1 .1 .5'/>
           <body><joint name='1' axis='0 1 0' damping='.1' stiffness='2'/><geom/>
             <body pos='.3 0 0'><joint name='2' axis='0 1 .3' damping='.05'/><geom/>
               <site name='end' pos='.2 0 .05'/>
         </body></body></worldbody>
         <tendon><spatial name='t' stiffness='10' damping='.3'><site site='hook'/><site site='end'/>
         </spatial></tendon>
         <actuator><position joint='1' kp='5' kv='.2'/><motor joint='2' gear='.5'/>
         <motor tendon='t'/></actuator></mujoco>",
    );
    let mut data = Data::new(&model);
    data.qvel.copy_from_slice(&[2.0, -3.0]);
    data.ctrl.copy_from_slice(&[0.5, 0.4, -1.0]);
    let power = |data: &mut Data| {
        forward(&model, data);
        (0..2)
            .map(|dof| (data.qfrc_actuator[dof] + data.qfrc_damper[dof]) * data.qvel[dof])
            .sum::<f64>()
    };
    // Simpson's rule over pairs of steps
    let (mut work, mut scale) = (0.0, 0.0);
    let mut first = power(&mut data);
    let start = data.energy[0] + data.energy[1];
    for _ in 0..1000 {
        step(&model, &mut data);
        let middle = power(&mut data);
        step(&model, &mut data);
        let last = power(&mut data);
        let part = (first + 4.0 * middle + last) * model.opt.timestep / 3.0;
        work += part;
        scale += part.abs();
        first = last;
    }
    let change = data.energy[0] + data.energy[1] - start;
    assert!((change - work).abs() / scale < 1e-6, "energy changes by {change}, work is {work}");
    assert!(scale > 0.1);
}

#[test]
fn a_servo_gives_way_by_weight_over_gain() {
    let model = parse(
        "<mujoco><worldbody><body><joint name='j' type='slide' axis='0 0 1' damping='20'/>
         <geom size='.1' mass='2'/></body></worldbody>
         <actuator><position joint='j' kp='300'/></actuator></mujoco>",
    );
    let mut data = Data::new(&model);
    for _ in 0..10_000 {
        step(&model, &mut data);
    }
    assert!(relative(data.qpos[0], -2.0 * 9.81 / 300.0) < 1e-6);
}

#[test]
fn a_cantilever_bends_as_its_hinges_add_up() {
    let (links, length, stiffness, load) = (20, 1.0, 50.0, 0.1);
    let piece = length / f64::from(links);
    let link = format!(
        "<body pos='{piece} 0 0'><joint axis='0 1 0' stiffness='{stiffness}' damping='1'/>
         <geom type='capsule' fromto='0 0 0 {piece} 0 0' size='.01' mass='.01'/>"
    );
    let first = link.replacen(&format!("pos='{piece} 0 0'"), "", 1);
    let model = parse(&format!(
        "<mujoco><option gravity='0 0 0' integrator='implicitfast'/><worldbody>{first}{}
         <site pos='{piece} 0 0'/>{}</worldbody></mujoco>",
        link.repeat(links as usize - 1),
        "</body>".repeat(links as usize)
    ));
    assert_eq!(model.nv, 20);
    let mut data = Data::new(&model);
    for _ in 0..20_000 {
        // a force at the tip, as a force and a torque at the centre of mass of the last link
        forward(&model, &mut data);
        let lever = data.site_xpos[0] - data.xipos[model.nbody - 1];
        let torque = lever.cross(Vec3::new(0.0, 0.0, -load));
        data.xfrc_applied[model.nbody - 1] = [0.0, 0.0, -load, torque[0], torque[1], torque[2]];
        step(&model, &mut data);
    }
    assert!(data.qvel.iter().all(|v| v.abs() < 1e-6), "the beam is at rest");
    let expected: f64 =
        (0..links).map(|i| (length - f64::from(i) * piece).powi(2)).sum::<f64>() * load / stiffness;
    assert!(relative(-data.site_xpos[0][2], expected) < 5e-3);
}

#[test]
fn a_sphere_sinks_with_the_velocity_of_stokes() {
    let model = parse(
        "<mujoco><option viscosity='3'/><worldbody><body><freejoint/><geom size='.1' mass='1'/>
         </body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    for _ in 0..5000 {
        step(&model, &mut data);
    }
    // half the side of the box that has the inertia of the sphere
    let radius = 0.5 * (6.0_f64 * 0.4).sqrt() * 0.1;
    assert!(relative(-data.qvel[2], 9.81 / (6.0 * PI * 3.0 * radius)) < 2e-2);
}

/// A number in [-1, 1), the same on every run.
fn noise(seed: usize) -> f64 {
    let x = (seed as f64 * 12.9898).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

/// Data away from the reference state, after `forward`.
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
    forward(model, &mut data);
    data
}

/// Data whose position is that of `data` moved along its velocity for a time, after `forward`.
fn moved(model: &Model, data: &Data, time: f64) -> Data {
    let mut moved = data.clone();
    integrate_pos(model, &mut moved.qpos, &data.qvel, time);
    forward(model, &mut moved);
    moved
}

/// The product of a `3 x nv` matrix with a velocity.
fn times(jacobian: &[f64], qvel: &[f64]) -> Vec3 {
    let row = |i: usize| {
        jacobian[i * qvel.len()..][..qvel.len()].iter().zip(qvel).map(|(j, v)| j * v).sum()
    };
    Vec3::new(row(0), row(1), row(2))
}

/// The angular velocity that turns one orientation into another.
fn turning(from: &Mat3, to: &Mat3, time: f64) -> Vec3 {
    let turn = *to * from.transpose();
    turn.to_quat().to_velocity(time)
}

const SMALL: f64 = 1e-6;

#[test]
fn jacobians_times_velocity_are_central_differences() {
    for name in model_names().into_iter().filter(|name| name != "free_100") {
        let model = load(&name);
        let data = excited(&model);
        let (back, ahead) = (moved(&model, &data, -SMALL), moved(&model, &data, SMALL));
        let rate = |a: Vec3, b: Vec3| (b - a) / (2.0 * SMALL);
        let close = |found: Vec3, expected: Vec3, what: &str| {
            let error = (found - expected).norm() / (1.0 + expected.norm());
            assert!(error < 1e-6, "{name}: {what}: {found:?}, by differences {expected:?}");
        };
        let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
        for body in 1..model.nbody {
            jac(&model, &data, &mut jacp, &mut jacr, data.xpos[body], body);
            let what = format!("body {body}");
            close(times(&jacp, &data.qvel), rate(back.xpos[body], ahead.xpos[body]), &what);
            let turn = turning(&back.xmat[body], &ahead.xmat[body], 2.0 * SMALL);
            close(times(&jacr, &data.qvel), turn, &what);
            if model.body_subtreemass[body] > 0.0 {
                jac_subtree_com(&model, &data, &mut jacp, body);
                let com = rate(back.subtree_com[body], ahead.subtree_com[body]);
                close(times(&jacp, &data.qvel), com, &format!("subtree of {what}"));
            }
        }
        for site in 0..model.nsite {
            jac_site(&model, &data, &mut jacp, &mut jacr, site);
            let expected = rate(back.site_xpos[site], ahead.site_xpos[site]);
            close(times(&jacp, &data.qvel), expected, &format!("site {site}"));
        }
    }
}

#[test]
fn rates_of_jacobians_are_central_differences() {
    for name in model_names().into_iter().filter(|name| name != "free_100") {
        let model = load(&name);
        let data = excited(&model);
        let (back, ahead) = (moved(&model, &data, -SMALL), moved(&model, &data, SMALL));
        let jacobian = |data: &Data, body: usize| {
            let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
            jac(&model, data, &mut jacp, &mut jacr, data.xipos[body], body);
            [jacp, jacr].concat()
        };
        for body in 1..model.nbody {
            let (mut jacp, mut jacr) = (vec![0.0; 3 * model.nv], vec![0.0; 3 * model.nv]);
            jac_dot(&model, &data, &mut jacp, &mut jacr, data.xipos[body], body);
            let (a, b) = (jacobian(&back, body), jacobian(&ahead, body));
            for (i, found) in [jacp, jacr].concat().into_iter().enumerate() {
                let expected = (b[i] - a[i]) / (2.0 * SMALL);
                let error = (found - expected).abs() / (1.0 + expected.abs());
                assert!(error < 1e-6, "{name}: body {body}: {found}, by differences {expected}");
            }
        }
    }
}

#[test]
fn tendon_velocities_are_central_differences_of_lengths() {
    let mut tendons = 0;
    for name in model_names() {
        let model = load(&name);
        if model.ntendon == 0 {
            continue;
        }
        let data = excited(&model);
        let (back, ahead) = (moved(&model, &data, -SMALL), moved(&model, &data, SMALL));
        for tendon in 0..model.ntendon {
            let expected = (ahead.ten_length[tendon] - back.ten_length[tendon]) / (2.0 * SMALL);
            let found = data.ten_velocity[tendon];
            let error = (found - expected).abs() / (1.0 + expected.abs());
            assert!(error < 1e-6, "{name}: tendon {tendon}: {found}, by differences {expected}");
            tendons += 1;
        }
    }
    assert!(tendons > 20);
}

/// A model with its constraints off: their solvers stop at a tolerance, and noslip has no inverse.
fn without_constraints(name: &str) -> Model {
    let mut model = load(name);
    model.opt.disableflags |= Disable::Constraint as i32;
    model
}

#[test]
fn inverse_dynamics_gives_back_the_applied_forces() {
    for name in model_names() {
        let model = without_constraints(&name);
        let mut data = excited(&model);
        for dof in 0..model.nv {
            data.qfrc_applied[dof] = noise(1000 + dof);
        }
        for body in 1..model.nbody {
            data.xfrc_applied[body] = std::array::from_fn(|i| noise(2000 + 6 * body + i));
        }
        forward(&model, &mut data);
        let mut expected = data.qfrc_applied.clone();
        xfrc_accumulate(&model, &data, &mut expected);
        for dof in 0..model.nv {
            expected[dof] += data.qfrc_actuator[dof];
        }
        inverse(&model, &mut data);
        check_forces(&name, &data.qfrc_inverse, &expected, &data.qfrc_bias);
    }
}

fn check_forces(name: &str, found: &[f64], expected: &[f64], bias: &[f64]) {
    let scale = expected.iter().chain(bias).fold(1.0, |max: f64, x| max.max(x.abs()));
    for (dof, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / scale;
        assert!(error < 1e-9, "{name}: dof {dof}: {found}, applied {expected}");
    }
}

#[test]
fn inverse_dynamics_of_a_whole_step_gives_back_the_applied_forces() {
    for name in model_names() {
        let model = without_constraints(&name);
        // Runge-Kutta has no discrete inverse, and that of Euler's method counts on dampers
        if model.opt.integrator != Integrator::Rk4 as i32 && !model.disabled(Disable::Damper) {
            check_whole_step(&name, model);
        }
    }
}

#[test]
fn inverse_dynamics_of_a_whole_step_in_a_medium_gives_back_the_applied_forces() {
    // whose derivatives are not symmetric, and the fast integrator knows one half of them
    for integrator in ["implicit", "implicitfast"] {
        for shape in ["none", "ellipsoid"] {
            let model = parse(&format!(
                "<mujoco><option integrator='{integrator}' density='900' viscosity='2'
                 wind='1 2 3'/><worldbody><body><freejoint/>
                 <geom type='ellipsoid' size='.1 .2 .3' fluidshape='{shape}'/>
                 <body pos='.2 0 .1'><joint axis='1 2 3'/><geom type='ellipsoid' size='.3 .1 .1'
                 contype='0' fluidshape='{shape}'/></body></body></worldbody></mujoco>"
            ));
            check_whole_step(&format!("{integrator} {shape}"), model);
        }
    }
}

/// Makes a step, and checks that the change of velocity tells the forces that made it.
fn check_whole_step(name: &str, mut model: Model) {
    model.opt.enableflags |= Enable::InvDiscrete as i32;
    let mut data = excited(&model);
    for dof in 0..model.nv {
        data.qfrc_applied[dof] = noise(1000 + dof);
    }
    forward(&model, &mut data);
    let (forces, bias) = (data.qfrc_actuator.clone(), data.qfrc_bias.clone());
    let expected: Vec<f64> = forces.iter().zip(&data.qfrc_applied).map(|(a, b)| a + b).collect();

    // the change of velocity over the step, at the state before it
    let mut next = data.clone();
    step(&model, &mut next);
    for dof in 0..model.nv {
        data.qacc[dof] = (next.qvel[dof] - data.qvel[dof]) / model.opt.timestep;
    }
    inverse(&model, &mut data);
    let scale = data.qacc.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    // differences of velocities lose digits
    let bias: Vec<f64> = bias.iter().map(|x| x.abs() + scale).collect();
    check_forces(name, &data.qfrc_inverse, &expected, &bias);
}

#[test]
fn a_restored_state_continues_with_the_same_bits() {
    for name in model_names() {
        let model = load(&name);
        let mut data = excited(&model);
        let spec = State::Integration as u32;
        let mut state = vec![0.0; model.state_size(spec)];
        data.get_state(&model, spec, &mut state);
        let mut other = Data::new(&model);
        other.set_state(&model, spec, &state);
        for _ in 0..20 {
            step(&model, &mut data);
            step(&model, &mut other);
        }
        assert_eq!(bits(&data), bits(&other), "{name}");
    }
}

#[test]
fn a_keyframe_repeats_its_run() {
    let mut keys = 0;
    for name in model_names() {
        let model = load(&name);
        let mut data = excited(&model);
        for key in 0..model.nkey {
            let run = |data: &mut Data| {
                data.reset_keyframe(&model, key);
                let start = (data.time, data.qpos.clone(), data.act.clone());
                for _ in 0..20 {
                    step(&model, data);
                }
                (start, bits(data))
            };
            let (first, second) = (run(&mut data), run(&mut Data::new(&model)));
            assert!(first == second, "{name}: key {key}");
            assert_eq!(first.0.0, model.key_time[key]);
            assert_eq!(first.0.1, model.key_qpos[key * model.nq..][..model.nq]);
            assert_eq!(first.0.2, model.key_act[key * model.na..][..model.na]);
            keys += 1;
        }
    }
    assert!(keys >= 8);
}

#[test]
fn forward_twice_is_forward_once() {
    for name in model_names() {
        let model = load(&name);
        let mut data = excited(&model);
        // the first one after a step may still show the kinetic energy of the step
        forward(&model, &mut data);
        let once = bits(&data);
        forward(&model, &mut data);
        assert_eq!(once, bits(&data), "{name}");
    }
}

#[test]
fn threads_do_not_change_results() {
    let model = load("integrate_implicit");
    let run = || {
        let mut data = excited(&model);
        for _ in 0..200 {
            step(&model, &mut data);
        }
        bits(&data)
    };
    let alone = run();
    for threads in [1, 2, 4] {
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
            for handle in handles {
                assert_eq!(handle.join().expect("a simulation does not panic"), alone);
            }
        });
    }
}

#[test]
fn a_bad_control_is_no_control_and_is_counted_once() {
    let model = load("control_limits");
    for bad in [f64::NAN, f64::INFINITY, 1e11] {
        let mut data = excited(&model);
        // an infinite control of a limited actuator is clamped to its range
        data.ctrl[3] = bad;
        step(&model, &mut data);
        assert_eq!(data.warning.iter().map(|w| w.number).sum::<i32>(), 1, "{bad}");
        assert!(data.qpos.iter().chain(&data.qvel).all(|x| x.is_finite()));
        assert!(data.time > model.opt.timestep, "there is no reset");
    }
}

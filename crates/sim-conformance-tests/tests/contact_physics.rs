//! Physics of contacts and constraints: known answers of friction, impact, rest and closed loops.
//!
//! Every scene was tried with MuJoCo 3.5.0, which meets the same bounds.

use std::f64::consts::PI;
use std::fmt::Write as _;

use sim_conformance_tests::parse;
use sim_core::math::Vec3;
use sim_core::model::{Cone, Disable, Solver};
use sim_core::{Data, Model, contact_force, forward, inverse, kinematics, step};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];
const CONES: [Cone; 2] = [Cone::Pyramidal, Cone::Elliptic];
const G: f64 = 9.81;

fn solved_by(mut model: Model, solver: Solver, cone: Cone) -> Model {
    model.opt.solver = solver as i32;
    model.opt.cone = cone as i32;
    model
}

fn steps(model: &Model, data: &mut Data, count: usize) {
    (0..count).for_each(|_| step(model, data));
}

fn max_abs(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().fold(0.0, |max, x| max.max(x.abs()))
}

/// A flat box with friction 0.5 on a plane, with gravity tilted so that the plane is a slope whose
/// tangent is `ratio` times the friction, down in the direction `angle`. Also the acceleration
/// down the slope that Coulomb's law gives.
fn slope(ratio: f64, angle: f64) -> (Model, f64) {
    let friction: f64 = 0.5;
    let tilt = (ratio * friction).atan();
    let (along, down) = (G * tilt.sin(), G * tilt.cos());
    let mut model = parse(
        "<mujoco><worldbody><geom type='plane' size='50 50 .1' friction='.5'/><body pos='0 0 .02'>
         <freejoint/><geom type='box' size='.2 .2 .02' mass='1' friction='.5'/></body></worldbody>
         </mujoco>",
    );
    model.opt.gravity = Vec3::new(along * angle.cos(), along * angle.sin(), -down);
    (model, along - friction * down)
}

fn speed(data: &Data) -> f64 {
    data.qvel[0].hypot(data.qvel[1])
}

#[test]
fn a_box_sticks_below_and_slides_above_the_friction_angle() {
    for solver in SOLVERS {
        for cone in CONES {
            let after_two_seconds = |ratio: f64| {
                let (model, acceleration) = slope(ratio, 0.0);
                let model = solved_by(model, solver, cone);
                let mut data = Data::new(&model);
                steps(&model, &mut data, 1000);
                assert!((data.qpos[2] - 0.02).abs() < 0.01);
                (data.qvel[0], 2.0 * acceleration)
            };
            let what = format!("{solver:?} {cone:?}");
            let (creep, _) = after_two_seconds(0.97);
            assert!(creep.abs() < 0.005, "{what}: {creep}");
            let (slide, expected) = after_two_seconds(1.03);
            assert!((slide / expected - 1.0).abs() < 0.1, "{what}: {slide}, {expected}");
            let (slide, expected) = after_two_seconds(1.5);
            assert!((slide / expected - 1.0).abs() < 0.02, "{what}: {slide}, {expected}");
        }
    }
}

#[test]
fn a_box_that_sticks_hardly_creeps_when_friction_is_stiff() {
    for solver in SOLVERS {
        for cone in CONES {
            let (model, _) = slope(0.9, 0.0);
            let mut model = solved_by(model, solver, cone);
            model.opt.impratio = 100.0;
            let mut data = Data::new(&model);
            steps(&model, &mut data, 1000);
            assert!(speed(&data) < 5e-4, "{solver:?} {cone:?}: {}", speed(&data));
        }
    }
}

#[test]
fn elliptic_friction_is_the_same_in_all_directions() {
    let accelerations: Vec<f64> = (0..8)
        .map(|k| {
            let (model, _) = slope(1.5, f64::from(k) * PI / 8.0);
            let model = solved_by(model, Solver::Newton, Cone::Elliptic);
            let mut data = Data::new(&model);
            steps(&model, &mut data, 500);
            let before = speed(&data);
            steps(&model, &mut data, 500);
            speed(&data) - before
        })
        .collect();
    let smallest = accelerations.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = accelerations.iter().copied().fold(0.0, f64::max);
    assert!(largest / smallest - 1.0 < 0.03, "{accelerations:?}");
}

#[test]
fn a_sphere_rolls_with_five_sevenths_of_the_slope() {
    let tilt: f64 = 0.3;
    let mut model = parse(
        "<mujoco><option cone='elliptic'/><worldbody><geom type='plane' size='50 50 .1'/>
         <body pos='0 0 .1'><freejoint/><geom size='.1' mass='1'/></body></worldbody></mujoco>",
    );
    model.opt.gravity = Vec3::new(G * tilt.sin(), 0.0, -G * tilt.cos());
    let mut data = Data::new(&model);
    steps(&model, &mut data, 250);
    let before = data.qvel[0];
    steps(&model, &mut data, 500);
    let acceleration = data.qvel[0] - before;
    assert!((acceleration / (5.0 / 7.0 * G * tilt.sin()) - 1.0).abs() < 0.01);
}

#[test]
fn a_collision_keeps_the_momentum() {
    let model = parse(
        "<mujoco><option gravity='0 0 0'/><worldbody>
         <body pos='-.15 .03 .02'><freejoint/><geom size='.1' mass='1'/></body>
         <body pos='.15 0 0'><freejoint/><geom size='.12' mass='2.5'/></body></worldbody></mujoco>",
    );
    let momentum = |data: &Data| -> Vec<f64> {
        (0..3).map(|i| data.qvel[i] + 2.5 * data.qvel[6 + i]).collect()
    };
    for solver in SOLVERS {
        for cone in CONES {
            let model = solved_by(model.clone(), solver, cone);
            let mut data = Data::new(&model);
            (data.qvel[0], data.qvel[1], data.qvel[5]) = (1.0, 0.1, 3.0);
            let before = momentum(&data);
            steps(&model, &mut data, 500);
            assert!(data.qvel[6] > 0.1, "they met");
            let change = momentum(&data).iter().zip(before).map(|(a, b)| a - b).collect::<Vec<_>>();
            assert!(max_abs(change.iter().copied()) < 1e-12, "{solver:?} {cone:?}: {change:?}");
        }
    }
}

#[test]
fn equal_balls_exchange_their_velocities() {
    let model = parse(
        "<mujoco><option gravity='0 0 0' timestep='.0001'/>
         <default><geom size='.1' mass='1' condim='1' solref='-40000 0' solimp='.9999 .9999 .001'/>
         </default><worldbody><body pos='-.15 0 0'><freejoint/><geom/></body>
         <body pos='.15 0 0'><freejoint/><geom/></body></worldbody></mujoco>",
    );
    let mut data = Data::new(&model);
    data.qvel[0] = 1.0;
    steps(&model, &mut data, 4000);
    assert_eq!(data.ncon, 0);
    assert!(data.qvel[0].abs() < 1e-4 && (data.qvel[6] - 1.0).abs() < 1e-4, "{:?}", data.qvel);
}

#[test]
fn a_ball_bounces_as_its_stiffness_and_damping_say() {
    let ratio: f64 = 0.1;
    let stiffness: f64 = 1e6;
    let damping = 2.0 * ratio * stiffness.sqrt();
    let model = parse(&format!(
        "<mujoco><option gravity='0 0 0' timestep='.00002'/><worldbody>
         <geom type='plane' size='5 5 .1' condim='1' priority='1' solref='-{stiffness} -{damping}'
         solimp='.9999 .9999 .001'/><body pos='0 0 .11'><joint type='slide' axis='0 0 1'/>
         <geom size='.1' mass='3'/></body></worldbody></mujoco>"
    ));
    let mut data = Data::new(&model);
    data.qvel[0] = -1.0;
    steps(&model, &mut data, 2000);
    let expected = (-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp();
    assert!((data.qvel[0] / expected - 1.0).abs() < 0.03, "{} {expected}", data.qvel[0]);
}

#[test]
fn contact_forces_of_a_resting_box_are_its_weight_shared_by_its_corners() {
    let model = parse(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><freejoint/>
         <geom type='box' size='.2 .15 .1' mass='3'/></body></worldbody></mujoco>",
    );
    for solver in SOLVERS {
        for cone in CONES {
            let mut model = solved_by(model.clone(), solver, cone);
            model.opt.iterations = 1000;
            model.opt.tolerance = 1e-12;
            let mut data = Data::new(&model);
            steps(&model, &mut data, 2500);
            forward(&model, &mut data);
            let normals: Vec<f64> =
                (0..data.ncon).map(|i| contact_force(&model, &data, i).lin.x).collect();
            let what = format!("{solver:?} {cone:?}: {normals:?}");
            assert_eq!(normals.len(), 4, "{what}");
            assert!((normals.iter().sum::<f64>() / (3.0 * G) - 1.0).abs() < 1e-6, "{what}");
            assert!(normals.iter().all(|n| (4.0 * n / (3.0 * G) - 1.0).abs() < 1e-5), "{what}");
        }
    }
}

#[test]
fn a_resting_body_sinks_in_by_the_closed_formula() {
    // with constant impedance d the depth is (1 − d) g timeconst² dampratio²
    let (impedance, timeconst, dampratio): (f64, f64, f64) = (0.7, 0.03, 1.2);
    let model = parse(&format!(
        "<mujoco><default><geom condim='1' solref='{timeconst} {dampratio}'
         solimp='{impedance} {impedance} .01'/></default><worldbody>
         <geom type='plane' size='5 5 .1'/><body pos='0 0 .1'><joint type='slide' axis='0 0 1'/>
         <geom size='.1' mass='3'/></body></worldbody></mujoco>"
    ));
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        let mut data = Data::new(&model);
        steps(&model, &mut data, 5000);
        let depth = (1.0 - impedance) * G * (timeconst * dampratio).powi(2);
        assert!((-data.qpos[0] / depth - 1.0).abs() < 1e-6, "{solver:?}: {}", data.qpos[0]);
    }
}

#[test]
fn ten_boxes_stand_on_each_other_for_ten_seconds() {
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='5 5 .1'/>");
    for i in 0..10 {
        let _ = write!(
            xml,
            "<body pos='0 0 {}'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
            0.1 + 0.2 * f64::from(i)
        );
    }
    xml += "</worldbody></mujoco>";
    for cone in CONES {
        let model = solved_by(parse(&xml), Solver::Newton, cone);
        let mut data = Data::new(&model);
        steps(&model, &mut data, 5000);
        for (i, pose) in data.qpos.chunks(7).enumerate() {
            let drift = pose[0].hypot(pose[1]);
            let sunk = 0.1 + 0.2 * i as f64 - pose[2];
            assert!(drift < 2e-3, "{cone:?}: box {i} drifted by {drift}");
            assert!((0.0..0.01).contains(&sunk), "{cone:?}: box {i} sank by {sunk}");
            assert!(pose[3] > 0.9999, "{cone:?}: box {i} turned");
        }
        let fastest = max_abs(data.qvel.iter().copied());
        assert!(fastest < 1e-3, "{cone:?}: {fastest}");
    }
}

#[test]
fn a_welded_pair_holds_under_load_and_does_not_drift() {
    // ten seconds under five kilograms, then almost a minute more
    let model = parse(
        "<mujoco><worldbody><body name='a' pos='0 0 1'><geom type='box' size='.1 .1 .1'/></body>
         <body name='b' pos='.2 0 1'><freejoint/>
         <geom type='box' size='.1 .1 .1' mass='5' contype='0'/></body></worldbody>
         <equality><weld body1='a' body2='b' solref='.004 1' solimp='.99 .999 .001'/></equality>
         </mujoco>",
    );
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        let mut data = Data::new(&model);
        let change = |data: &Data, from: &[f64]| {
            max_abs(data.qpos.iter().zip(from).take(3).map(|(a, b)| a - b))
        };
        steps(&model, &mut data, 5000);
        let given_way = change(&data, &model.qpos0);
        assert!(given_way > 1e-8 && given_way < 1e-4, "{solver:?}: {given_way}");
        let settled = data.qpos.clone();
        steps(&model, &mut data, 25_000);
        assert!(change(&data, &settled) < 1e-9, "{solver:?}");
    }
}

#[test]
fn a_driven_four_bar_linkage_stays_closed() {
    let model = parse(
        "<mujoco><default><geom type='capsule' size='.02' contype='0'/></default><worldbody>
         <body><joint name='crank' axis='0 1 0'/><geom fromto='0 0 0 0 0 .3'/>
         <body pos='0 0 .3'><joint axis='0 1 0'/><geom fromto='0 0 0 .8 0 .2'/>
         <body name='rocker' pos='.8 0 .2'><joint axis='0 1 0'/><geom fromto='0 0 0 0 0 -.5'/>
         </body></body></body></worldbody>
         <equality><connect body1='rocker' body2='world' anchor='0 0 -.5'/></equality>
         <actuator><velocity joint='crank' kv='5'/></actuator></mujoco>",
    );
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        let mut data = Data::new(&model);
        data.ctrl[0] = 2.0;
        let mut widest: f64 = 0.0;
        for _ in 0..5000 {
            step(&model, &mut data);
            kinematics(&model, &mut data);
            let end = data.xpos[3] + data.xmat[3] * Vec3::new(0.0, 0.0, -0.5);
            widest = widest.max((end - Vec3::new(0.8, 0.0, 0.0)).norm());
        }
        assert!(data.qpos[0] > 15.0, "{solver:?}: the crank turns, {}", data.qpos[0]);
        assert!(widest < 2e-3, "{solver:?}: {widest}");
    }
}

#[test]
fn dry_friction_holds_below_and_brakes_above_its_force() {
    let model = parse(
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint type='slide' frictionloss='2'/>
         <geom size='.1' mass='1.5'/></body></worldbody></mujoco>",
    );
    for solver in SOLVERS {
        let model = solved_by(model.clone(), solver, Cone::Pyramidal);
        let velocity = |force: f64| {
            let mut data = Data::new(&model);
            data.qfrc_applied[0] = force;
            steps(&model, &mut data, 1000);
            data.qvel[0]
        };
        assert!(velocity(1.8).abs() < 2e-3, "{solver:?}");
        assert!((velocity(3.0) / (2.0 * (3.0 - 2.0) / 1.5) - 1.0).abs() < 1e-9, "{solver:?}");
    }
}

#[test]
fn a_hanging_chain_is_a_catenary() {
    // hung up at both ends, started as a V
    let (links, length, span) = (60, 1.5f64, 1.0f64);
    let link = length / f64::from(links);
    let angle = (span / length).acos().to_degrees();
    let mut xml = String::from("<mujoco><option><flag contact='disable'/></option><worldbody>");
    for i in 0..links {
        let pos = if i == 0 { 0.0 } else { link };
        let turn = match i {
            0 => angle,
            i if i == links / 2 => -2.0 * angle,
            _ => 0.0,
        };
        let _ = write!(
            xml,
            "<body name='b{i}' pos='{pos} 0 0' euler='0 {turn} 0'>
             <joint axis='0 1 0' damping='.01'/><geom type='capsule' fromto='0 0 0 {link} 0 0'
             size='.003' mass='{}'/>",
            1.0 / f64::from(links)
        );
    }
    xml += &"</body>".repeat(links as usize);
    let _ = write!(
        xml,
        "</worldbody><equality><connect body1='b{}' body2='world' anchor='{link} 0 0'
         solref='.01 1'/></equality></mujoco>",
        links - 1
    );
    let model = parse(&xml);
    let mut data = Data::new(&model);
    steps(&model, &mut data, 6000);
    kinematics(&model, &mut data);
    let sag = -data.xpos.iter().map(|pos| pos.z).fold(0.0, f64::min);

    // 2 a sinh(span / 2a) = length
    let (mut low, mut high): (f64, f64) = (0.05, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        if 2.0 * a * (span / (2.0 * a)).sinh() > length { low = a } else { high = a }
    }
    let expected = low * ((span / (2.0 * low)).cosh() - 1.0);
    assert!((sag / expected - 1.0).abs() < 5e-3, "{sag} {expected}");
}

/// A heap of bodies of all simple shapes in the air, the whole scene moved by `offset`.
fn heap(offset: Vec3) -> Model {
    let shapes = [
        "sphere' size='.1",
        "box' size='.1 .08 .06",
        "capsule' size='.05 .1",
        "cylinder' size='.07 .05",
        "ellipsoid' size='.1 .07 .05",
    ];
    let mut xml = format!(
        "<mujoco><option><flag energy='enable'/></option><worldbody>
         <body pos='{} {} {}'><geom type='plane' size='5 5 .1'/></body>",
        offset.x, offset.y, offset.z
    );
    for i in 0..10 {
        let n = f64::from(i);
        let pos = offset + Vec3::new(0.15 * (n % 3.0), 0.12 * (n % 2.0), 0.3 + 0.25 * n);
        let _ = write!(
            xml,
            "<body pos='{} {} {}' euler='{} {} 0'><freejoint/><geom type='{}'/></body>",
            pos.x,
            pos.y,
            pos.z,
            13 * i,
            29 * i,
            shapes[i as usize % shapes.len()]
        );
    }
    xml += "</worldbody></mujoco>";
    parse(&xml)
}

#[test]
fn a_falling_heap_gains_no_energy() {
    for cone in CONES {
        let model = solved_by(heap(Vec3::ZERO), Solver::Newton, cone);
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        let start: f64 = data.energy.iter().sum();
        let mut contacts = 0;
        for _ in 0..1500 {
            step(&model, &mut data);
            contacts = contacts.max(data.ncon);
            let now: f64 = data.energy.iter().sum();
            assert!(now < start * (1.0 + 1e-3), "{cone:?}: {now} of {start}");
        }
        assert!(contacts > 10 && data.warning.iter().all(|warning| warning.number == 0));
    }
}

#[test]
fn a_scene_moves_the_same_wherever_it_is() {
    let scene = |offset: Vec3| {
        let model = parse(&format!(
            "<mujoco><worldbody><body pos='{} {} {}'><geom type='plane' size='5 5 .1'/></body>
             <body pos='{} {} {}'><freejoint/><geom type='box' size='.1 .15 .05'/></body>
             <body pos='{} {} {}'><freejoint/><geom type='capsule' size='.05 .1'/></body>
             </worldbody></mujoco>",
            offset.x,
            offset.y,
            offset.z,
            offset.x + 0.05,
            offset.y + 0.02,
            offset.z + 0.2,
            offset.x,
            offset.y,
            offset.z + 0.45
        ));
        let mut data = Data::new(&model);
        steps(&model, &mut data, 250);
        assert!(data.ncon > 3);
        let relative = |pose: &[f64]| Vec3::new(pose[0], pose[1], pose[2]) - offset;
        data.qpos.chunks(7).map(relative).collect::<Vec<_>>()
    };
    let (here, there) = (scene(Vec3::ZERO), scene(Vec3::new(10.0, -7.0, 3.0)));
    for (a, b) in here.into_iter().zip(there) {
        assert!((a - b).norm() < 1e-8, "{a:?} {b:?}");
    }
}

#[test]
fn a_symmetric_robot_stays_on_its_plane_of_symmetry() {
    let model = parse(
        "<mujoco><worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .5'><freejoint/>
         <geom type='box' size='.3 .1 .05' mass='1'/>
         <body pos='.2 .1 0'><joint axis='1 0 0' damping='.05'/>
         <geom type='capsule' fromto='0 0 0 0 .3 -.1' size='.03'/></body>
         <body pos='.2 -.1 0'><joint axis='-1 0 0' damping='.05'/>
         <geom type='capsule' fromto='0 0 0 0 -.3 -.1' size='.03'/></body></body></worldbody>
         </mujoco>",
    );
    for cone in CONES {
        let model = solved_by(model.clone(), Solver::Newton, cone);
        let mut data = Data::new(&model);
        (data.qvel[0], data.qvel[4]) = (0.5, 1.0);
        let mut contacts = 0;
        for _ in 0..1000 {
            step(&model, &mut data);
            contacts = contacts.max(data.ncon);
            // sideways, roll and yaw
            let aside = max_abs([data.qpos[1], data.qpos[4], data.qpos[6]]);
            assert!(aside < 1e-9, "{cone:?}: {aside}");
        }
        assert!(contacts >= 4);
    }
}

#[test]
fn inverse_dynamics_explains_a_heap_in_contact() {
    for cone in CONES {
        let mut model = solved_by(heap(Vec3::ZERO), Solver::Newton, cone);
        let mut data = Data::new(&model);
        steps(&model, &mut data, 700);
        model.opt.tolerance = 0.0;
        model.opt.iterations = 200;
        data.qfrc_applied.iter_mut().enumerate().for_each(|(i, x)| *x = 0.1 * i as f64);
        forward(&model, &mut data);
        assert!(data.ncon > 5);
        let largest = max_abs(data.qfrc_constraint.iter().copied());
        inverse(&model, &mut data);
        let error = max_abs(data.qfrc_inverse.iter().zip(&data.qfrc_applied).map(|(a, b)| a - b));
        assert!(error < 1e-9 * largest, "{cone:?}: {error} of {largest}");
    }
}

#[test]
fn forward_twice_is_forward_once_without_a_warm_start() {
    for solver in SOLVERS {
        for cone in CONES {
            let mut model = solved_by(heap(Vec3::ZERO), solver, cone);
            model.opt.disableflags = Disable::WarmStart as i32;
            let mut data = Data::new(&model);
            steps(&model, &mut data, 500);
            forward(&model, &mut data);
            let first = (data.qacc.clone(), data.efc_force.clone(), data.contact.clone());
            assert!(data.ncon > 3);
            forward(&model, &mut data);
            assert_eq!(first, (data.qacc, data.efc_force, data.contact), "{solver:?} {cone:?}");
        }
    }
}

#[test]
fn a_heap_falls_in_the_same_way_every_time() {
    let model = heap(Vec3::ZERO);
    let mut first = Data::new(&model);
    steps(&model, &mut first, 1000);
    let mut second = Data::new(&model);
    steps(&model, &mut second, 300);
    second.reset(&model);
    steps(&model, &mut second, 1000);
    assert!(first.ncon > 5);
    assert_eq!(sim_conformance_tests::bits(&first), sim_conformance_tests::bits(&second));
}

//! Friction cones as pyramids: rows, softness, forces, and how they compare with elliptic cones.

use sim_conformance_tests::parse;
use sim_core::math::Vec3;
use sim_core::model::{Cone, ConstraintState, ConstraintType, Solver};
use sim_core::{Data, Model, contact_force, decode_pyramid, encode_pyramid, forward};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];

/// A ball that touches a floor, with the dimension of the contact.
fn ball(condim: usize) -> Model {
    parse(&format!(
        "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>
         <body pos='0 0 .099'><freejoint/><geom name='ball' size='.1' mass='1'/></body></worldbody>
         <contact><pair geom1='floor' geom2='ball' condim='{condim}'
         friction='.5 .5 .01 .002 .002'/></contact></mujoco>"
    ))
}

/// The ball sliding and spinning.
fn moving(model: &Model) -> Data {
    let mut data = Data::new(model);
    data.qvel.copy_from_slice(&[1.0, 0.5, 0.0, 0.1, 0.2, 0.3]);
    forward(model, &mut data);
    assert_eq!(data.ncon, 1);
    data
}

/// A box of 2 kg that touches a floor at four corners.
const BOX: &str = "<mujoco><worldbody><geom type='plane' size='5 5 .1' friction='.4'/>
    <body pos='0 0 .0995'><freejoint/><geom type='box' size='.2 .15 .1' mass='2' friction='.4'/>
    </body></worldbody></mujoco>";

/// The sum of all contact forces in the world, on a box with gravity and velocity as given.
fn total_force(gravity: Vec3, velocity: [f64; 2], cone: Cone, solver: Solver) -> Vec3 {
    let mut model = parse(BOX);
    model.opt.gravity = gravity;
    model.opt.cone = cone as i32;
    model.opt.solver = solver as i32;
    model.opt.tolerance = 1e-14;
    model.opt.iterations = 1000;
    let mut data = Data::new(&model);
    data.qvel[..2].copy_from_slice(&velocity);
    forward(&model, &mut data);
    assert_eq!(data.ncon, 4);
    let world = |i: usize| data.contact[i].frame.transpose() * contact_force(&model, &data, i).lin;
    (0..data.ncon).map(world).fold(Vec3::ZERO, |sum, force| sum + force)
}

fn assert_near(found: Vec3, expected: [f64; 3], limit: f64, what: &str) {
    let [x, y, z] = expected;
    let error = (found - Vec3::new(x, y, z)).norm();
    assert!(error < limit * Vec3::new(x, y, z).norm(), "{what}: {found:?}, {expected:?}");
}

#[test]
fn both_cones_load_without_a_warning_and_pyramids_are_the_default() {
    for (option, cone) in [
        ("", Cone::Pyramidal),
        ("<option cone='pyramidal'/>", Cone::Pyramidal),
        ("<option cone='elliptic'/>", Cone::Elliptic),
    ] {
        let loaded = sim_mjcf::load_str(&format!("<mujoco>{option}</mujoco>"));
        let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
        assert!(loaded.warnings.is_empty(), "{option}");
        assert_eq!(loaded.model.opt.cone, cone as i32, "{option}");
    }
}

#[test]
fn a_contact_has_two_rows_for_every_direction_of_friction() {
    for (condim, rows, kind) in [
        (1, 1, ConstraintType::ContactFrictionless),
        (3, 4, ConstraintType::ContactPyramidal),
        (4, 6, ConstraintType::ContactPyramidal),
        (6, 10, ConstraintType::ContactPyramidal),
    ] {
        let data = moving(&ball(condim));
        assert_eq!(data.nefc, rows, "condim {condim}");
        assert!(data.efc_type.iter().all(|&found| found == kind as i32), "condim {condim}");
        let mut model = ball(condim);
        model.opt.cone = Cone::Elliptic as i32;
        assert_eq!(moving(&model).nefc, condim, "condim {condim}");
    }
}

#[test]
fn only_a_contact_of_dimension_one_is_without_friction() {
    let xml = "<mujoco><worldbody><geom type='plane' size='5 5 .1' friction='0 0 0'/>
        <body pos='0 0 .09'><freejoint/><geom size='.1' friction='0 0 0'/></body></worldbody>
        </mujoco>";
    let model = parse(xml);
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.contact[0].friction[..2], [1e-5; 2]);
    assert_eq!(data.efc_type, [ConstraintType::ContactPyramidal as i32; 4]);
}

#[test]
fn forces_on_the_edges_are_never_negative() {
    for condim in [3, 4, 6] {
        for solver in SOLVERS {
            let mut model = ball(condim);
            model.opt.solver = solver as i32;
            let data = moving(&model);
            assert!(data.efc_force.iter().all(|&force| force >= 0.0), "{condim} {solver:?}");
            assert!(data.efc_force.iter().sum::<f64>() > 30.0, "{condim} {solver:?}");
        }
    }
}

#[test]
fn the_force_of_a_contact_is_the_sum_of_its_edges() {
    let model = ball(3);
    let data = moving(&model);
    let (edges, mu) = (&data.efc_force, data.contact[0].friction);
    let force = contact_force(&model, &data, 0);
    assert_eq!(force.lin.x, edges.iter().sum::<f64>());
    assert_eq!(force.lin.y, mu[0] * (edges[0] - edges[1]));
    assert_eq!(force.lin.z, mu[1] * (edges[2] - edges[3]));
    // and as the reference has it
    let expected = [35.602665102981724, -2.039785535809424, 15.761547015681437];
    assert_near(force.lin, expected, 1e-10, "contact force");
}

#[test]
fn decoding_undoes_encoding() {
    let (mu, force) = ([0.5, 0.5], [10.0, -1.5, 2.0]);
    let (mut edges, mut decoded) = ([0.0; 4], [0.0; 3]);
    encode_pyramid(&mut edges, &force, &mu);
    assert!(edges.iter().all(|&edge| edge >= 0.0));
    decode_pyramid(&mut decoded, &edges, &mu);
    assert!(force.iter().zip(decoded).all(|(a, b)| (a - b).abs() < 1e-14));
}

#[test]
fn all_edges_are_as_soft_as_the_first_times_twice_the_friction_squared() {
    for (impratio, expected) in [(1.0, 0.0328947368421053), (4.0, 0.00822368421052632)] {
        let mut model = ball(3);
        model.opt.impratio = impratio;
        let data = moving(&model);
        let imp = data.efc_KBIP[0][2];
        // the first edge already contains the friction: A = w (1 + μ²)
        let first = (1.0 - imp) / imp * (1.0 + 0.5 * 0.5);
        let mu = 0.5 / f64::sqrt(impratio);
        assert!((data.contact[0].mu - mu).abs() < 1e-15);
        for &softness in &data.efc_R {
            assert!((softness - expected).abs() < 1e-15);
            assert!((softness - 2.0 * mu * mu * first).abs() < 1e-15);
        }
    }
}

#[test]
fn all_edges_share_distance_and_margin() {
    let xml = BOX.replace("mass='2'", "mass='2' margin='.01' gap='.002'");
    let model = parse(&xml);
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.nefc, 16);
    for row in 0..data.nefc {
        let contact = &data.contact[data.efc_id[row] as usize];
        assert_eq!(data.efc_pos[row], contact.dist);
        assert_eq!(data.efc_margin[row], contact.includemargin);
        assert!((contact.includemargin - 0.008).abs() < 1e-15);
    }
}

#[test]
fn edges_push_or_rest_and_never_slide_along_a_cone() {
    let states = |model: &Model| moving(model).efc_state;
    let cone = ConstraintState::Cone as i32;
    for condim in [3, 4, 6] {
        let mut model = ball(condim);
        for solver in SOLVERS {
            model.opt.solver = solver as i32;
            let allowed = [ConstraintState::Satisfied as i32, ConstraintState::Quadratic as i32];
            assert!(states(&model).iter().all(|state| allowed.contains(state)));
        }
        // where an elliptic cone does
        model.opt.cone = Cone::Elliptic as i32;
        model.opt.solver = Solver::Newton as i32;
        assert!(states(&model).iter().all(|&state| state == cone));
    }
}

#[test]
fn all_edges_are_stiff_and_aim_at_a_position() {
    let data = moving(&ball(3));
    for row in 0..data.nefc {
        let [stiffness, damping, imp, _] = data.efc_KBIP[row];
        assert!((stiffness - 1.0 / (0.95f64 * 0.02).powi(2)).abs() < 1e-9);
        let way = data.efc_pos[row] - data.efc_margin[row];
        let aref = -damping * data.efc_vel[row] - stiffness * imp * way;
        assert!((data.efc_aref[row] - aref).abs() < 1e-12);
        assert!((stiffness * imp * way).abs() > 2.0);
    }
}

#[test]
fn a_sliding_box_is_braked_as_in_the_reference_by_both_cones() {
    let down = Vec3::new(0.0, 0.0, -9.81);
    for solver in SOLVERS {
        let force = |cone| total_force(down, [0.3, 0.1], cone, solver);
        let what = format!("{solver:?}");
        let pyramid = [-16.250918339039345, 0.0, 40.62729584759836];
        assert_near(force(Cone::Pyramidal), pyramid, 1e-6, &what);
        let ellipse = [-15.63928475363592, -5.207305745062358, 41.2085595639722];
        assert_near(force(Cone::Elliptic), ellipse, 1e-6, &what);
    }
}

#[test]
fn a_box_sliding_down_a_slope_is_braked_as_in_the_reference_by_both_cones() {
    // a slope of thirty degrees, steeper than the friction
    let slope = Vec3::new(-9.81 * 0.5, 0.0, -9.81 * f64::sqrt(0.75));
    for solver in SOLVERS {
        let force = |cone| total_force(slope, [-0.5, -0.2], cone, solver);
        let what = format!("{solver:?}");
        let pyramid = [22.463341243910605, 0.0, 56.15835310977651];
        assert_near(force(Cone::Pyramidal), pyramid, 1e-6, &what);
        let ellipse = [21.746709119947482, 7.950374243735823, 57.886084714220004];
        assert_near(force(Cone::Elliptic), ellipse, 1e-6, &what);
    }
}

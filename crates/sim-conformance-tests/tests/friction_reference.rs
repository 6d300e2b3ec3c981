//! `solreffriction` of contact pairs: its own reference dynamics for the friction of elliptic cones.

use sim_conformance_tests::parse;
use sim_core::model::{Cone, Solver};
use sim_core::{Data, Model, forward};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];

/// A ball that touches a floor through a pair with more attributes.
fn xml(attributes: &str) -> String {
    format!(
        "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 .1'/>
         <body pos='0 0 .099'><freejoint/><geom name='ball' size='.1' mass='1'/></body></worldbody>
         <contact><pair geom1='floor' geom2='ball' condim='3' friction='.5 .5 .01 .002 .002'
         {attributes}/></contact></mujoco>"
    )
}

fn ball(attributes: &str) -> Model {
    parse(&xml(attributes))
}

/// The ball sliding over the floor.
fn sliding(attributes: &str, cone: Cone, solver: Solver) -> Data {
    let mut model = ball(attributes);
    model.opt.cone = cone as i32;
    model.opt.solver = solver as i32;
    let mut data = Data::new(&model);
    data.qvel[..2].copy_from_slice(&[1.0, 0.5]);
    forward(&model, &mut data);
    assert_eq!(data.ncon, 1);
    data
}

fn assert_close(found: &[f64], expected: &[f64], limit: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(1.0, |max: f64, x| max.max(x.abs()));
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= limit * largest, "{what}: {found:?}, expected {expected:?}");
    }
}

fn damping(data: &Data) -> Vec<f64> {
    data.efc_KBIP.iter().map(|row| row[1]).collect()
}

fn stiffness(data: &Data) -> Vec<f64> {
    data.efc_KBIP.iter().map(|row| row[0]).collect()
}

#[test]
fn friction_rows_of_an_elliptic_cone_have_their_own_damping() {
    let data = sliding("solreffriction='0.1 0.5'", Cone::Elliptic, Solver::Newton);
    let (normal, friction) = (2.0 / (0.95 * 0.02), 2.0 / (0.95 * 0.1));
    assert_close(&damping(&data), &[normal, friction, friction], 1e-12, "damping");
    // normal row: −B v − K I (pos − margin), others: −B v
    let aref = [2.631578947368423, -10.526315789473685, 21.05263157894737];
    assert_close(&data.efc_aref, &aref, 1e-10, "aref");
    let velocity: Vec<f64> = data.efc_vel[1..].iter().map(|v| -friction * v).collect();
    assert_close(&data.efc_aref[1..], &velocity, 1e-12, "aref of friction");
}

#[test]
fn zero_means_the_same_as_the_normal_direction() {
    let given = sliding("solreffriction='0 0'", Cone::Elliptic, Solver::Newton);
    let default = sliding("", Cone::Elliptic, Solver::Newton);
    assert_eq!(given.efc_KBIP, default.efc_KBIP);
    assert_eq!(given.efc_force, default.efc_force);
    assert_close(&damping(&default), &[2.0 / (0.95 * 0.02); 3], 1e-12, "damping");
    let aref = [2.631578947368423, -52.631578947368425, 105.26315789473685];
    assert_close(&default.efc_aref, &aref, 1e-10, "aref");
}

#[test]
fn stiffness_and_damping_may_be_given_directly() {
    let data = sliding("solreffriction='-100 -20'", Cone::Elliptic, Solver::Newton);
    let friction = 20.0 / 0.95;
    assert_close(&damping(&data), &[2.0 / (0.95 * 0.02), friction, friction], 1e-12, "damping");
    assert_close(&stiffness(&data)[1..], &[0.0; 2], 0.0, "stiffness of friction");
}

#[test]
fn pyramids_know_nothing_of_it() {
    for solver in SOLVERS {
        let given = sliding("solreffriction='0.1 0.5'", Cone::Pyramidal, solver);
        let default = sliding("", Cone::Pyramidal, solver);
        assert_eq!(given.contact[0].solreffriction, [0.1, 0.5]);
        assert_eq!(given.efc_KBIP, default.efc_KBIP);
        assert_eq!(given.efc_aref, default.efc_aref);
        assert_eq!(given.efc_force, default.efc_force);
    }
}

#[test]
fn softness_does_not_depend_on_it() {
    let default = sliding("", Cone::Elliptic, Solver::Newton);
    for attribute in ["solreffriction='0.1 0.5'", "solreffriction='-100 -20'"] {
        let given = sliding(attribute, Cone::Elliptic, Solver::Newton);
        assert_eq!(given.efc_R, default.efc_R);
        assert_eq!(given.efc_D, default.efc_D);
    }
}

#[test]
fn friction_rows_have_no_stiffness_whatever_is_given() {
    for attribute in ["", "solreffriction='0.1 0.5'", "solreffriction='-100 -20'"] {
        let data = sliding(attribute, Cone::Elliptic, Solver::Newton);
        assert!(stiffness(&data)[0] > 2770.0, "{attribute}");
        assert_eq!(stiffness(&data)[1..], [0.0; 2], "{attribute}");
    }
}

#[test]
fn friction_forces_follow_it_with_every_solver_as_in_the_reference() {
    let hard = [36.84851009960099, -8.239577345229536, 16.479154690459072];
    let soft = [12.51469022142682, -2.7983698052462262, 5.5967396104924525];
    for solver in SOLVERS {
        let default = sliding("", Cone::Elliptic, solver);
        let given = sliding("solreffriction='0.1 0.5'", Cone::Elliptic, solver);
        assert_close(&default.efc_force, &hard, 1e-10, &format!("default {solver:?}"));
        assert_close(&given.efc_force, &soft, 1e-10, &format!("given {solver:?}"));
    }
}

#[test]
fn signs_that_disagree_give_a_warning_count_as_not_given_and_stay_in_the_contact() {
    let default = sliding("", Cone::Elliptic, Solver::Newton);
    let given = sliding("solreffriction='0.1 -0.5'", Cone::Elliptic, Solver::Newton);
    assert_eq!(given.contact[0].solreffriction, [0.1, -0.5]);
    assert_eq!(given.efc_KBIP, default.efc_KBIP);
    assert_eq!(given.efc_force, default.efc_force);

    let warnings = |attribute: &str| {
        let xml = xml(attribute);
        let loaded = sim_mjcf::load_str(&xml).unwrap_or_else(|error| panic!("{error}"));
        let about = |w: &sim_mjcf::Warning| w.attribute_name().map(String::from);
        loaded.warnings.iter().filter_map(about).collect::<Vec<_>>()
    };
    assert_eq!(warnings("solreffriction='0.1 -0.5'"), ["solreffriction"]);
    assert_eq!(warnings("solref='-100 0.5'"), ["solref"]);
    for fine in ["", "solreffriction='0.1 0.5'", "solreffriction='-1 0'", "solref='-1 -2'"] {
        assert!(warnings(fine).is_empty(), "{fine}");
    }
}

#[test]
fn a_geom_has_no_such_attribute() {
    let xml = "<mujoco><worldbody><geom size='.1' solreffriction='0.1 0.5'/></worldbody></mujoco>";
    let error = sim_mjcf::load_str(xml).expect_err("only pairs have it");
    assert!(error.message().contains("solreffriction"), "{}", error.message());
}

#[test]
fn the_override_replaces_it_by_the_reference_of_all_contacts() {
    let mut model = ball("solreffriction='0.1 0.5'");
    model.opt.cone = Cone::Elliptic as i32;
    model.opt.enableflags = sim_core::model::Enable::Override as i32;
    model.opt.o_solref = [0.03, 0.8];
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.contact[0].solref, [0.03, 0.8]);
    assert_eq!(data.contact[0].solreffriction, [0.03, 0.8]);
}

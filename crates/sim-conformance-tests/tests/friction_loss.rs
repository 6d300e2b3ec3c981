//! Dry friction of joints and tendons: whose parameters its rows have, and what forces they give.

use sim_conformance_tests::parse;
use sim_core::model::{ConstraintType, Solver};
use sim_core::{Data, Model, forward};

const SOLVERS: [Solver; 3] = [Solver::Pgs, Solver::Cg, Solver::Newton];

/// A pendulum with dry friction, its joint with more attributes.
fn pendulum(attributes: &str) -> Model {
    parse(&format!(
        "<mujoco><worldbody><body><joint axis='0 1 0' frictionloss='1' {attributes}/>
         <geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/></body></worldbody>
         </mujoco>"
    ))
}

/// The data of a model that moves with the given velocity in all dofs.
fn moving(model: &Model, velocity: f64) -> Data {
    let mut data = Data::new(model);
    data.qvel.fill(velocity);
    forward(model, &mut data);
    data
}

fn close(value: f64, expected: f64) -> bool {
    (value - expected).abs() <= 1e-10 * (1.0 + expected.abs())
}

/// Stiffness and damping of the first row, which is one of dry friction.
fn stiffness_and_damping(model: &Model) -> (f64, f64) {
    let data = moving(model, 0.001);
    assert!(data.nf > 0 && data.ne == 0);
    let [stiffness, damping, ..] = data.efc_KBIP[0];
    (stiffness, damping)
}

#[test]
fn a_dof_row_has_the_parameters_of_its_dof() {
    let model = pendulum("solreffriction='0.05 0.5' solimpfriction='0.8 0.9 0.01'");
    assert_eq!(model.dof_solref, [[0.05, 0.5]]);
    assert_eq!(model.dof_solimp[0][..3], [0.8, 0.9, 0.01]);
    // B = 2 / (dmax timeconst); there is no position to be stiff about
    let (stiffness, damping) = stiffness_and_damping(&model);
    assert_eq!(stiffness, 0.0);
    assert!(close(damping, 2.0 / (0.9 * 0.05)));
    let data = moving(&model, 0.001);
    assert_eq!(data.efc_type, [ConstraintType::FrictionDof as i32]);
    assert_eq!((data.efc_pos[0], data.efc_margin[0]), (0.0, 0.0));
    assert!(close(data.efc_KBIP[0][2], 0.8));
    assert!(close(data.efc_R[0], (1.0 - 0.8) / 0.8 * model.dof_invweight0[0]));
}

#[test]
fn a_tendon_row_has_the_parameters_of_its_tendon() {
    let model = parse(
        "<mujoco><worldbody><body><joint name='turn' axis='0 1 0' solreffriction='0.4 1'/>
         <geom size='.1' pos='.5 0 0'/></body></worldbody>
         <tendon>
           <fixed frictionloss='2' solreffriction='0.05 0.5' solimpfriction='0.8 0.9 0.01'>
             <joint joint='turn' coef='3'/></fixed>
           <fixed frictionloss='3'><joint joint='turn' coef='1'/></fixed>
         </tendon></mujoco>",
    );
    let data = moving(&model, 0.001);
    assert_eq!(data.efc_type, [ConstraintType::FrictionTendon as i32; 2]);
    assert_eq!(data.efc_id, [0, 1]);
    assert_eq!(data.efc_frictionloss, [2.0, 3.0]);
    assert!(close(data.efc_KBIP[0][1], 2.0 / (0.9 * 0.05)));
    assert!(close(data.efc_KBIP[1][1], 2.0 / (0.95 * 0.02)));
    assert!(close(data.efc_aref[0], -data.efc_KBIP[0][1] * 0.003));
}

#[test]
fn the_defaults_give_a_time_constant_of_twenty_milliseconds() {
    let model = pendulum("");
    assert_eq!(model.dof_solref, [[0.02, 1.0]]);
    let (stiffness, damping) = stiffness_and_damping(&model);
    assert_eq!(stiffness, 0.0);
    assert!(close(damping, 2.0 / (0.95 * 0.02)));
}

#[test]
fn parameters_of_limits_leave_friction_alone() {
    let model = pendulum("range='-9 9' solreflimit='0.05 0.5' solimplimit='0.5 0.6 0.1'");
    assert_eq!(model.jnt_solref, [[0.05, 0.5]]);
    assert_eq!(model.dof_solref, [[0.02, 1.0]]);
    let (with, without) = (moving(&model, 0.001), moving(&pendulum(""), 0.001));
    assert_eq!(with.efc_KBIP[0], without.efc_KBIP[0]);
    assert_eq!(with.efc_force[0], without.efc_force[0]);
}

#[test]
fn all_dofs_of_a_joint_share_its_parameters() {
    let model = parse(
        "<mujoco><worldbody><body><joint type='ball' frictionloss='1' solreffriction='0.05 0.5'/>
         <geom size='.1'/></body><body pos='1 0 0'><joint type='free' frictionloss='2'
         solreffriction='0.03 0.7'/><geom size='.1'/></body></worldbody></mujoco>",
    );
    assert_eq!(model.dof_solref[..3], [[0.05, 0.5]; 3]);
    assert_eq!(model.dof_solref[3..], [[0.03, 0.7]; 6]);
    let data = moving(&model, 0.001);
    assert_eq!(data.nf, 9);
    assert!(data.efc_KBIP[..3].iter().all(|row| close(row[1], 2.0 / (0.95 * 0.05))));
    assert!(data.efc_KBIP[3..].iter().all(|row| close(row[1], 2.0 / (0.95 * 0.03))));
}

#[test]
fn classes_pass_the_parameters_on_but_not_to_free_joints() {
    let model = parse(
        "<mujoco><default><joint solreffriction='0.05 0.5' frictionloss='1'/>
         <default class='soft'><joint solreffriction='0.3 1'/></default></default>
         <worldbody>
           <body><joint/><geom size='.1'/></body>
           <body><joint class='soft'/><geom size='.1'/></body>
           <body pos='1 0 0'><freejoint/><geom size='.1'/></body>
         </worldbody></mujoco>",
    );
    assert_eq!(model.dof_solref[..2], [[0.05, 0.5], [0.3, 1.0]]);
    assert_eq!(model.dof_solref[2..], [[0.02, 1.0]; 6]);
    assert_eq!(model.dof_frictionloss[2..], [0.0; 6]);
}

#[test]
fn a_joint_has_no_attribute_called_just_solref() {
    let xml = "<mujoco><worldbody><body><joint solref='0.02 1'/><geom size='.1'/></body>\
               </worldbody></mujoco>";
    let error = sim_mjcf::load_str(xml).expect_err("the attribute does not exist");
    assert!(error.message().contains("solref"), "{}", error.message());
}

#[test]
fn softer_parameters_give_smaller_forces_as_in_the_reference() {
    let forces = |model: &mut Model, solver: Solver| {
        model.opt.solver = solver as i32;
        [0.0, 0.001, 1.0, -1.0].map(|velocity| moving(model, velocity).efc_force[0])
    };
    for (attributes, small) in [
        ("", -0.032738240131578944),
        ("solreffriction='0.05 0.5'", -0.01309529605263158),
        ("solimpfriction='0.8 0.9 0.01'", -0.030717361111111112),
    ] {
        let mut model = pendulum(attributes);
        for solver in SOLVERS {
            // nothing, in proportion to the velocity, and all there is
            let found = forces(&mut model, solver);
            for (found, expected) in found.into_iter().zip([0.0, small, -1.0, 1.0]) {
                assert!(close(found, expected), "{attributes} {solver:?}: {found}, {expected}");
            }
        }
    }
}

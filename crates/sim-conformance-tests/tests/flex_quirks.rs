//! What MuJoCo 3.5.0 does with flexes that one would not expect: reproduced where it decides numbers
//! of sound models, left out where it is an error of memory. The numbers are its own.

use std::ops::Range;

use sim_conformance_tests::parse;
use sim_core::math::Vec3;
use sim_core::{Data, Model, constraint_jacobian, forward, step};

fn world(option: &str, inside: &str) -> Model {
    parse(&format!("<mujoco>{option}<worldbody>{inside}</worldbody></mujoco>"))
}

const STILL: &str = "<option gravity='0 0 0'/>";
const SOFT: &str = "<contact selfcollide='none'/><elasticity young='1e3' poisson='.1'";

fn evaluated(model: &Model) -> Data {
    let mut data = Data::new(model);
    forward(model, &mut data);
    data
}

/// Data with the velocities sin 1, sin 2, ….
fn moving(model: &Model) -> Data {
    let mut data = Data::new(model);
    data.qvel.iter_mut().enumerate().for_each(|(i, v)| *v = (i as f64 + 1.0).sin());
    data
}

fn max_abs(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |max, x| max.max(x.abs()))
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{found:?}, not {expected:?}");
    }
}

#[test]
fn edges_before_a_flex_without_jacobian_lose_their_rows_to_those_after_it() {
    let pair = |name: &str, edge: &str| {
        format!(
            "<flexcomp name='{name}' dim='1' count='2 1 1' mass='2' spacing='1 1 1'>{edge}</flexcomp>"
        )
    };
    let damped = "<edge damping='1'/>";
    let model = world(STILL, &(pair("a", damped) + &pair("b", "") + &pair("c", damped)));
    assert_eq!(model.flexedge_J_rowadr, [0, 0, 0]);
    assert_eq!(model.flexedge_J_colind[..6], [12, 13, 14, 15, 16, 17]);
    let mut data = Data::new(&model);
    data.qvel[0] = 1.0;
    forward(&model, &mut data);
    assert_eq!(data.flexedge_velocity, [0.0; 3]);
    assert_eq!(max_abs(&data.qfrc_damper), 0.0);
    // the last one works
    data.qvel[12] = 1.0;
    forward(&model, &mut data);
    assert_eq!(data.flexedge_velocity[2], -1.0);
}

#[test]
fn edges_of_a_rigid_flex_with_damping_have_their_length() {
    let model = world(
        "",
        "<body name='p'><freejoint/><geom size='.1'/><flexcomp name='f' count='2 2 1'
           spacing='.1 .1 .1' rigid='true'><edge damping='1'/></flexcomp></body>",
    );
    assert_near(&model.flexedge_length0, &[0.1, 0.02_f64.sqrt(), 0.1, 0.1, 0.1], 1e-15);
}

#[test]
fn contacts_of_elements_with_torsional_friction_are_the_same_dense_and_sparse() {
    let after = |jacobian: &str| {
        let model = world(
            &format!("<option jacobian='{jacobian}' cone='elliptic'/>"),
            "<geom size='.1' condim='6' friction='1 .1 .1'/>
             <flexcomp name='f' count='5 5 1' spacing='.05 .05 .05' pos='.01 .02 .1'>
               <contact condim='6' selfcollide='none'/></flexcomp>",
        );
        let mut data = Data::new(&model);
        (0..20).for_each(|_| step(&model, &mut data));
        assert_eq!((data.ncon, data.nefc), (3, 18));
        data.qpos
    };
    assert_near(&after("dense"), &after("sparse"), 1e-13);
}

#[test]
fn weights_of_an_interpolated_flex_on_the_first_side_of_a_contact_do_not_sum_to_one() {
    let model = world(
        "<option jacobian='dense'/>",
        "<flexcomp name='a' dim='3' count='3 3 3' spacing='.1 .1 .1' dof='trilinear'>
           <contact selfcollide='none'/></flexcomp>
         <flexcomp name='b' count='3 3 1' spacing='.1 .1 .1' pos='.03 .02 .108'>
           <contact selfcollide='none'/></flexcomp>",
    );
    let mut data = evaluated(&model);
    constraint_jacobian(&model, &mut data);
    assert_eq!((data.ncon, data.nefc), (40, 160));
    // along the normal, which is upright; the first flex has 24 dofs
    let share = |dofs: Range<usize>| data.efc_J[dofs].iter().skip(2).step_by(3).sum::<f64>();
    assert_near(&[share(0..24), share(24..51)], &[3.126_882_672_358, 1.0], 1e-9);
}

#[test]
fn a_flat_irregular_patch_bends_at_rest_if_an_edge_was_first_met_the_other_way_round() {
    for (elements, expected) in [
        ("0 1 2 1 3 2", 0.0),
        ("1 2 0 1 3 2", 0.0),
        ("2 0 1 1 3 2", 0.0),
        ("0 1 2 3 2 1", 0.0),
        ("2 1 3 0 1 2", 0.014_292_220_681_404_15),
        ("1 3 2 0 1 2", 0.014_292_220_681_404_15),
    ] {
        let model = world(
            STILL,
            &format!(
                "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 .2 .9 0 1.3 1.1 0'
                 element='{elements}' mass='1'><elasticity young='1e6' poisson='.3' thickness='.01'
                 elastic2d='bend'/></flexcomp>"
            ),
        );
        assert_near(&[max_abs(&evaluated(&model).qfrc_spring)], &[expected], 1e-14);
    }
}

#[test]
fn strains_by_vertex_of_a_cloth_that_looks_down_are_not_zero_at_rest() {
    for (angle, expected) in [(0, 0.0), (180, 2.370_370_370_370)] {
        let model = world(
            STILL,
            &format!(
                "<flexcomp name='f' count='3 3 1' spacing='.1 .1 .1' euler='{angle} 0 0'>
                 <edge equality='vert'/></flexcomp>"
            ),
        );
        let most = max_abs(evaluated(&model).flexvert_length.as_flattened());
        assert_near(&[most], &[expected], 1e-11);
    }
}

#[test]
fn an_equality_by_vertex_of_a_solid_has_no_rows() {
    let model = world(
        "",
        "<flexcomp name='f' dim='3' count='3 3 3' spacing='.1 .1 .1'><edge equality='vert'/>
         </flexcomp>",
    );
    assert_eq!((model.neq, evaluated(&model).nefc), (1, 0));
}

#[test]
fn elastic_solids_ignore_one_of_the_flags_of_springs_and_dampers_but_not_both() {
    for (flags, expected) in [
        ("", 34.835_322_835_766),
        ("spring='disable'", 34.835_322_835_766),
        ("damper='disable'", 34.835_322_835_766),
        ("spring='disable' damper='disable'", 0.0),
    ] {
        let model = world(
            &format!("<option gravity='0 0 0'><flag {flags}/></option>"),
            "<flexcomp name='f' dim='3' count='2 2 2' spacing='.1 .1 .1' mass='1'>
               <elasticity young='1e4' poisson='.2' damping='.01'/></flexcomp>",
        );
        let mut data = Data::new(&model);
        (data.qpos[0], data.qvel[0]) = (0.01, 1.0);
        forward(&model, &mut data);
        let sum: f64 = data.qfrc_spring.iter().map(|force| force.abs()).sum();
        assert_near(&[sum, max_abs(&data.qfrc_damper)], &[expected, 0.0], 1e-11);
    }
}

#[test]
fn a_passive_contact_pulls_within_its_margin_and_ignores_the_gap() {
    let model = world(
        STILL,
        "<geom type='plane' size='1 1 1'/><flexcomp name='f' type='direct' dim='1'
           point='0 0 .0105 1 0 .5' element='0 1' radius='.01'>
           <contact passive='true' margin='.001' gap='.001'/></flexcomp>",
    );
    let data = evaluated(&model);
    assert_eq!((data.ncon, data.nefc, data.contact[0].exclude), (1, 0, 4));
    assert_near(&data.qfrc_spring, &[0.0, 0.0, -5.0, 0.0, 0.0, 0.0], 1e-12);
}

#[test]
fn a_plane_of_the_world_is_tested_with_the_mask_of_its_body_unless_the_midphase_is_off() {
    for (flag, expected) in [("", 16), ("midphase='disable'", 0)] {
        let model = world(
            &format!("<option><flag {flag}/></option>"),
            "<geom type='plane' size='1 1 1' contype='2' conaffinity='2'/>
             <geom size='.1' pos='5 5 5'/><flexcomp name='f' count='4 4 1' spacing='.1 .1 .1'
               pos='0 0 .004'><contact selfcollide='none'/></flexcomp>",
        );
        assert_eq!(evaluated(&model).ncon, expected);
    }
}

#[test]
fn implicit_damping_of_an_interpolated_flex_depends_on_that_of_the_first() {
    for (damping, expected) in [(0.01, -0.013_798_784_404_733), (0.1, -0.012_000_146_063_207)] {
        let lattice = |name: &str, z: f64, damping: f64| {
            format!(
                "<flexcomp name='{name}' dim='3' count='4 4 4' spacing='.1 .1 .1' dof='trilinear'
                 mass='1' pos='0 0 {z}'>{SOFT} damping='{damping}'/></flexcomp>"
            )
        };
        let model = world(
            "<option gravity='0 0 0' integrator='implicitfast'/>",
            &(lattice("a", 3.0, damping) + &lattice("b", 0.0, 0.05)),
        );
        let mut data = Data::new(&model);
        (0..24).for_each(|i| data.qvel[24 + i] = (i as f64).sin());
        step(&model, &mut data);
        assert_near(&[data.qvel[24]], &[expected], 1e-13);
    }
}

#[test]
fn points_without_element_widen_the_lattice_of_an_interpolated_flex() {
    let model = world(
        "",
        "<flexcomp name='f' type='direct' dim='3' dof='trilinear' element='0 1 2 3'
           point='0 0 0 1 0 0 0 1 0 0 0 1 2 2 2'><contact selfcollide='none'/></flexcomp>",
    );
    let data = evaluated(&model);
    let found: Vec<f64> = data.flexvert_xpos.iter().flat_map(|x| x.to_array()).collect();
    assert_near(&found, &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0], 1e-14);
}

#[test]
fn pins_of_a_lattice_are_numbered_with_the_count_of_points() {
    let model = world(
        "",
        "<flexcomp name='f' dim='3' type='box' dof='trilinear' count='4 4 4' spacing='.1 .1 .1'>
           <contact selfcollide='none'/><pin grid='0 1 0'/></flexcomp>",
    );
    // (0, 1, 0) is the fifth of 4x4x4 points, and so the fifth node
    assert_eq!(model.flex_nodebodyid, [1, 2, 3, 4, 0, 5, 6, 7]);
}

#[test]
fn the_radius_of_a_disc_is_the_square_of_half_its_size() {
    let model = world("", "<flexcomp name='f' type='disc' count='5 5 1' spacing='.1 .1 .1'/>");
    let data = evaluated(&model);
    let radius = data.flexvert_xpos.iter().fold(0.0, |most: f64, x| most.max(x.norm()));
    assert_near(&[radius], &[0.04], 1e-15);
}

#[test]
fn texture_coordinates_of_a_solid_box_end_in_zeros() {
    let model = parse(
        "<mujoco><asset><material name='m'/></asset><worldbody><flexcomp name='f' type='box' dim='3'
         count='3 3 3' spacing='.1 .1 .1' material='m'/></worldbody></mujoco>",
    );
    assert_eq!(model.flex_elemtexcoord.len(), 192);
    assert!(model.flex_elemtexcoord[144..].iter().all(|&id| id == 0));
    assert!(model.flex_elemtexcoord[..144].iter().any(|&id| id > 20));
}

#[test]
fn passive_of_a_flex_written_out_takes_the_value_of_internal() {
    for (contact, expected) in [
        ("internal='true' passive='false'", 1),
        ("internal='false' passive='true'", 0),
        ("passive='true'", 0),
    ] {
        let body = |name: &str, pos: &str| {
            format!(
                "<body name='{name}' pos='{pos}'><joint type='slide' axis='1 0 0'/>
                 <geom size='.1'/></body>"
            )
        };
        let model = parse(&format!(
            "<mujoco><worldbody>{}{}{}</worldbody><deformable><flex name='f' body='a b c'
             element='0 1 2'><contact {contact}/></flex></deformable></mujoco>",
            body("a", "0 0 0"),
            body("b", "1 0 0"),
            body("c", "0 1 0")
        ));
        assert_eq!(model.flex_passive, [expected], "{contact}");
    }
}

#[test]
fn pinned_nodes_push_their_body_at_the_turned_point() {
    let model = world(
        STILL,
        &format!(
            "<body name='p' euler='10 20 30' pos='0 0 1'><freejoint/><geom size='.1' pos='.1 0 0'/>
             <flexcomp name='f' dim='3' count='4 4 4' spacing='.1 .1 .1' dof='trilinear' mass='1'>
             <pin id='0 1 2 3'/>{SOFT} damping='.01'/></flexcomp></body>"
        ),
    );
    let mut data = moving(&model);
    forward(&model, &mut data);
    let spring = [0.0, 0.0, 0.0, -2.296_360_976_194_5, -3.063_745_680_931_8, -3.220_057_070_764_0];
    let damper = [0.0, 0.0, 0.0, -0.026_141_576_421_1, -0.052_661_722_311_3, -0.043_330_378_644_6];
    assert_near(&data.qfrc_spring[..6], &spring, 1e-11);
    assert_near(&data.qfrc_damper[..6], &damper, 1e-12);
}

#[test]
fn a_frame_around_a_flexcomp_does_not_move_it() {
    let model = world(
        "",
        "<body name='p'><frame pos='1 2 3'><flexcomp name='f' count='2 2 1' spacing='.1 .1 .1'/>
         </frame></body>",
    );
    assert_eq!(evaluated(&model).flexvert_xpos[0], Vec3::new(-0.05, -0.05, 0.0));
}

/// Velocities after a step of a lattice with pins on a body that slides.
fn pinned_lattice(joint: &str, integrator: &str, pins: &str, steps: usize) -> Data {
    let model = world(
        &format!("<option gravity='0 0 0' integrator='{integrator}'/>"),
        &format!(
            "<body name='p' pos='0 0 1'>{joint}<geom size='.1' mass='1'/>
             <flexcomp name='f' dim='3' count='4 4 4' spacing='.1 .1 .1' dof='trilinear' mass='1'>
             <pin id='{pins}'/>{SOFT} damping='.01'/></flexcomp></body>"
        ),
    );
    let mut data = moving(&model);
    (0..steps).for_each(|_| step(&model, &mut data));
    data
}

#[test]
fn implicit_coupling_of_nodes_with_their_body_counts_only_below_the_diagonal() {
    let slide = "<joint type='slide' axis='1 0 0'/>";
    let low = [0.849_498_583_079, 0.669_092_917_298, -0.409_510_510_671, -1.213_056_914_911];
    let high = [0.841_470_984_808, 0.710_384_089_446, -0.367_372_749_849, -1.142_229_040_848];
    for (pins, expected) in [("0 1 2 3", low), ("4 5 6 7", high)] {
        let data = pinned_lattice(slide, "implicitfast", pins, 1);
        assert_near(&data.qvel[..4], &expected, 1e-11);
    }
}

#[test]
fn pinned_nodes_on_a_moving_body_stay_finite_with_the_implicit_integrator() {
    let data = pinned_lattice("<freejoint/>", "implicit", "4 5 6 7", 200);
    assert!(data.qvel.iter().all(|v| v.abs() < 10.0), "{:?}", data.qvel);
    assert!(data.warning.iter().all(|warning| warning.number == 0));
}

#[test]
fn a_lattice_under_a_turned_body_is_not_at_rest() {
    for (angle, force, corner) in [
        (0, 0.0, [-0.15, -0.15, -0.15]),
        (20, 3.435_987_091_129, [-0.014_424_858_308_8, -0.164_876_884_929_3, -0.15]),
        (90, 20.454_545_465_08, [0.15, 0.15, -0.15]),
    ] {
        let model = world(
            STILL,
            &format!(
                "<body name='p' euler='0 0 {angle}'><flexcomp name='f' dim='3' count='4 4 4'
                 spacing='.1 .1 .1' dof='trilinear' mass='1'>{SOFT}/></flexcomp></body>"
            ),
        );
        let data = evaluated(&model);
        assert_near(&[max_abs(&data.qfrc_spring)], &[force], 1e-9);
        assert_near(&data.flexvert_xpos[0].to_array(), &corner, 1e-12);
    }
}

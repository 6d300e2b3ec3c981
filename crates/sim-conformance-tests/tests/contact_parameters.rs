//! How the parameters of a contact follow from its geoms. Numbers are those of MuJoCo 3.5.0.

use sim_conformance_tests::parse;
use sim_core::data::Contact;
use sim_core::{Data, forward};

/// A ball of radius 0.1 over a floor, with attributes for both and more elements, after `forward`.
fn ball(dist: f64, ball: &str, floor: &str, more: &str) -> Data {
    let model = parse(&format!(
        r#"<mujoco>
             <worldbody>
               <geom name="floor" type="plane" size="1 1 1" {floor}/>
               <body pos="0 0 {}"><freejoint/><geom name="ball" size="0.1" {ball}/></body>
             </worldbody>
             {more}
           </mujoco>"#,
        0.1 + dist
    ));
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    data
}

/// The only contact of a ball that is 1 mm deep in the floor.
fn contact(on_ball: &str, on_floor: &str, more: &str) -> Contact {
    let data = ball(-0.001, on_ball, on_floor, more);
    assert_eq!(data.ncon, 1);
    data.contact[0]
}

fn assert_close(a: &[f64], b: &[f64]) {
    let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-15);
    assert!(same, "{a:?} is not {b:?}");
}

// ---- friction

#[test]
fn friction_is_the_larger_component_by_component() {
    let found = contact(r#"friction="0.3 0.02 0.001""#, r#"friction="0.7 0.01 0.002""#, "");
    assert_eq!(found.friction, [0.7, 0.7, 0.02, 0.002, 0.002]);
}

#[test]
fn friction_is_not_a_geometric_mean() {
    assert_eq!(contact(r#"friction="0.3""#, r#"friction="0.7""#, "").friction[0], 0.7);
}

#[test]
fn friction_is_at_least_1e_5() {
    let none = r#"friction="0 0 0""#;
    assert_eq!(contact(none, none, "").friction, [1e-5; 5]);
}

#[test]
fn parameters_of_zeros_have_the_least_impedance() {
    let mut model = parse(
        r#"<mujoco>
             <worldbody>
               <geom type="plane" size="1 1 1"/>
               <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body>
             </worldbody>
           </mujoco>"#,
    );
    model.geom_solref.fill([0.0; 2]);
    model.geom_solimp.fill([0.0; 5]);
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.efc_KBIP[0], [0.0, 0.0, 0.0001, 0.0]);
    assert!((data.qacc[2] + 9.809019).abs() < 1e-9);
}

#[test]
fn condim_is_the_larger() {
    assert_eq!(contact(r#"condim="4""#, r#"condim="1""#, "").dim, 4);
    assert_eq!(contact(r#"condim="1""#, r#"condim="6""#, "").dim, 6);
}

// ---- priority

#[test]
fn higher_priority_decides_alone() {
    let ball = r#"priority="1" condim="1" friction="0.2 0.3 0.4" solref="0.05 0.5" solmix="0.1""#;
    let floor = r#"condim="6" friction="1 1 1" solref="0.01 2" solmix="9""#;
    for found in [contact(ball, floor, ""), contact(floor, ball, "")] {
        assert_eq!(found.dim, 1);
        assert_eq!(found.friction, [0.2, 0.2, 0.3, 0.4, 0.4]);
        assert_eq!(found.solref, [0.05, 0.5]);
    }
}

#[test]
fn priority_leaves_margin_and_gap_summed() {
    let found =
        contact(r#"priority="1" margin="0.01" gap="0.0005""#, r#"margin="0.002" gap="0.001""#, "");
    assert_close(&[found.includemargin], &[0.0105]);
}

#[test]
fn equal_priority_mixes_whatever_it_is() {
    let mix = |priority: &str| contact(&format!(r#"{priority} friction="0.3""#), priority, "");
    let (default, zero, five) = (mix(""), mix(r#"priority="0""#), mix(r#"priority="5""#));
    assert_eq!(default, zero);
    assert_eq!(default, five);
    assert_eq!(default.friction[0], 1.0);
}

#[test]
fn a_pair_has_no_priority_and_ignores_that_of_its_geoms() {
    let pair =
        r#"<contact><pair geom1="ball" geom2="floor" friction="0.6 0.5 0.4 0.3 0.2"/></contact>"#;
    let found = contact(r#"priority="3" friction="0.1""#, "", pair);
    assert_eq!(found.friction, [0.6, 0.5, 0.4, 0.3, 0.2]);
    let with_priority = pair.replace("<pair", r#"<pair priority="1""#);
    let text = format!(
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/><body><freejoint/>
           <geom name="ball" size="0.1"/></body></worldbody>{with_priority}</mujoco>"#
    );
    assert!(sim_mjcf::load_str(&text).is_err());
}

// ---- solmix

#[test]
fn equal_solmix_takes_the_mean() {
    let found = contact(
        r#"solref="0.05 1" solimp="0.8 0.9 0.001 0.5 2""#,
        r#"solref="0.02 3" solimp="0.9 0.95 0.003 0.7 4""#,
        "",
    );
    assert_close(&found.solref, &[0.035, 2.0]);
    assert_close(&found.solimp, &[0.85, 0.925, 0.002, 0.6, 3.0]);
}

#[test]
fn solmix_two_to_one_weighs_two_to_one() {
    let found = contact(r#"solref="0.05 1" solmix="2""#, r#"solref="0.02 1" solmix="1""#, "");
    assert_close(&found.solref, &[0.04, 1.0]);
}

#[test]
fn zero_solmix_leaves_the_other_or_the_mean() {
    let solref = |ball: &str, floor: &str| {
        contact(
            &format!(r#"solref="0.05 1" solmix="{ball}""#),
            &format!(r#"solref="0.02 1" solmix="{floor}""#),
            "",
        )
        .solref
    };
    assert_close(&solref("0", "0"), &[0.035, 1.0]);
    assert_close(&solref("0", "1"), &[0.02, 1.0]);
    assert_close(&solref("1", "0"), &[0.05, 1.0]);
}

#[test]
fn stiffness_and_damping_give_the_smaller_numbers() {
    let found = contact(r#"solref="-1000 -50" solmix="5""#, r#"solref="0.02 1""#, "");
    assert_eq!(found.solref, [-1000.0, -50.0]);
}

#[test]
fn a_pair_brings_its_own_reference_and_impedance() {
    let pair = r#"<contact><pair geom1="ball" geom2="floor" solref="0.07 0.9" solimp="0.7 0.8 0.01 0.4 3"
                        solreffriction="0.01 1.5" condim="4"/></contact>"#;
    let found = contact(r#"solref="0.05 1" solmix="2""#, r#"solref="0.02 1" condim="6""#, pair);
    assert_eq!(found.solref, [0.07, 0.9]);
    assert_eq!(found.solreffriction, [0.01, 1.5]);
    assert_eq!(found.solimp, [0.7, 0.8, 0.01, 0.4, 3.0]);
    assert_eq!(found.dim, 4);
}

// ---- margin and gap

#[test]
fn margins_add_up_and_give_force_before_the_surfaces_meet() {
    let data = ball(0.001, r#"margin="0.002""#, r#"margin="0.002""#, "");
    assert_eq!(data.ncon, 1);
    assert_close(&[data.contact[0].dist, data.contact[0].includemargin], &[0.001, 0.004]);
    assert_eq!(data.nefc, 4);
    for row in 0..data.nefc {
        assert_close(&[data.efc_pos[row] - data.efc_margin[row]], &[-0.003]);
    }
}

#[test]
fn in_the_gap_a_contact_is_listed_without_force() {
    let at = |dist: f64| ball(dist, r#"margin="0.004" gap="0.003""#, "", "");
    let (gap, below) = (at(0.002), at(0.0005));
    assert_eq!((gap.ncon, gap.nefc, gap.contact[0].exclude), (1, 0, 1));
    assert_close(&[gap.contact[0].includemargin], &[0.001]);
    assert_eq!((below.ncon, below.nefc, below.contact[0].exclude), (1, 4, 0));
    assert!(below.qfrc_constraint[2] > 0.0);
}

#[test]
fn a_pair_brings_its_own_margin_and_gap() {
    let pair = r#"<contact><pair geom1="ball" geom2="floor" margin="0.01" gap="0.005"/></contact>"#;
    let found = contact(r#"margin="0.3" gap="0.2""#, "", pair);
    assert_close(&[found.includemargin], &[0.005]);
}

#[test]
fn surfaces_that_just_touch_are_listed_without_force() {
    let data = ball(0.0, "", "", "");
    assert_eq!((data.ncon, data.nefc, data.contact[0].exclude), (1, 0, 1));
}

#[test]
fn the_force_at_five_distances_is_that_of_the_reference() {
    let forces = [
        (-0.002, 91.397_307_873_336_44),
        (-0.0005, 75.689_344_605_387_75),
        (0.0005, 65.217_369_093_421_77),
        (0.002, 49.509_405_825_472_754),
        (0.003, 0.0),
    ];
    for (dist, force) in forces {
        let data = ball(dist, r#"margin="0.004" gap="0.001""#, "", "");
        assert_eq!(data.ncon, 1, "at {dist}");
        let found = data.qfrc_constraint[2];
        assert!((found - force).abs() < 1e-8, "{found} is not {force}");
    }
    assert_eq!(ball(0.0045, r#"margin="0.004" gap="0.001""#, "", "").ncon, 0);
}

#[test]
fn rows_carry_the_include_margin() {
    for cone in ["pyramidal", "elliptic"] {
        let option = format!(r#"<option cone="{cone}"/>"#);
        let data = ball(0.0005, r#"margin="0.004" gap="0.001""#, "", &option);
        let normal = data.contact[0].efc_address as usize;
        assert_eq!(data.efc_margin[normal], data.contact[0].includemargin);
    }
}

// ---- override

#[test]
fn the_override_replaces_all_but_the_gap() {
    let option = r#"<option o_margin="0.01" o_solref="0.03 0.9" o_friction="0 0.5 0.2 0.1 0.05">
                      <flag override="enable"/></option>"#;
    let found = contact(r#"margin="0.1" gap="0.002""#, "", option);
    assert_close(&[found.includemargin], &[0.008]);
    assert_eq!(found.friction, [1e-5, 0.5, 0.2, 0.1, 0.05]);
    assert_eq!(found.solref, [0.03, 0.9]);
    assert_eq!(found.solreffriction, [0.03, 0.9]);
    assert_eq!(found.solimp, [0.9, 0.95, 0.001, 0.5, 2.0]);
}

#[test]
fn without_its_flag_the_override_does_nothing() {
    let option = r#"<option o_margin="0.01" o_solref="0.03 0.9" o_friction="0 0.5 0.2 0.1 0.05"/>"#;
    assert_eq!(contact("", "", option), contact("", "", ""));
}

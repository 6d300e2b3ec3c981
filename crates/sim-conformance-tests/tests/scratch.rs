//! Scratch is never read across stages, and a cache never meets a model that it was not made for.

use sim_conformance_tests::{bits, load, model_names, parse};
use sim_core::{Data, Model, forward, mul_m, solve_m, step};

// stages poison their scratch only where debug assertions are on
#[cfg(debug_assertions)]
#[test]
fn scratch_that_is_made_unusable_after_each_stage_changes_no_bit() {
    for name in model_names() {
        let model = load(&name);
        let (mut data, mut poisoned) = (Data::new(&model), Data::new(&model));
        poisoned.work.poison_after_stages(true);
        for step_number in 0..40 {
            for data in [&mut data, &mut poisoned] {
                for (k, ctrl) in data.ctrl.iter_mut().enumerate() {
                    *ctrl = 0.3 - 0.2 * ((step_number / 5 + k) % 4) as f64;
                }
                step(&model, data);
            }
            assert_eq!(bits(&data), bits(&poisoned), "{name}, step {step_number}");
        }
    }
}

/// A body with two arms, of which the first or the second has two links: the same sizes, another
/// tree.
fn trees() -> [Model; 2] {
    let body = |pos: &str, inner: &str| {
        format!(
            r#"<body pos="{pos}"><joint axis="0 1 0"/>
            <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>{inner}</body>"#
        )
    };
    let (short, long) = (body("0 .2 0", ""), body(".3 0 0", &body(".3 0 0", "")));
    [long.clone() + &short, short + &long].map(|arms| {
        let root = body("0 0 0", &arms);
        parse(&format!("<mujoco><worldbody>{root}</worldbody></mujoco>"))
    })
}

#[test]
fn products_with_the_mass_matrix_do_not_use_the_plan_of_another_tree() {
    let [first, second] = trees();
    assert_eq!(first.nM, second.nM);
    let x = [1.0, -2.0, 0.5, 0.7];
    for (model, other) in [(&first, &second), (&second, &first)] {
        // plan of `other`, matrix of `model`, as before the first `crb` of a changed model
        let mut fresh = Data::new(model);
        forward(model, &mut fresh);
        let mut stale = Data::new(other);
        stale.M.clone_from(&fresh.M);
        stale.qLD.clone_from(&fresh.qLD);
        stale.qLDiagInv.clone_from(&fresh.qLDiagInv);
        let (mut expected, mut found) = ([0.0; 4], [0.0; 4]);
        mul_m(model, &fresh, &mut expected, &x);
        mul_m(model, &stale, &mut found, &x);
        assert_eq!(expected, found);
        solve_m(model, &fresh, &mut expected);
        solve_m(model, &stale, &mut found);
        assert_eq!(expected, found);
        let largest = expected.iter().zip(x).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        assert!(largest < 1e-12, "{expected:?}");
    }
}

//! Islands of many dofs: the solver ends at the minimum, whatever ties the trees together.

use allocation_counter::measure;
use sim_conformance_tests::{bits, parse};
use sim_core::{Data, Model, constraint_jacobian, forward, mul_m, step};

/// `count` boxes of different sizes in a pit, layer on layer.
fn heap(count: usize, option: &str) -> String {
    let bodies: String = (0..count)
        .map(|k| {
            let (x, y, z) = (k % 3, k / 3 % 3, k / 9);
            let shift = 0.04 * (z % 2) as f64;
            let size = 0.045 + 0.004 * (k * 7 % 5) as f64;
            format!(
                r#"<body pos="{} {} {}"><freejoint/><geom type="box" size="{size} 0.05 0.05"/></body>"#,
                0.13 * x as f64 - 0.13 + shift,
                0.13 * y as f64 - 0.13 + shift,
                0.06 + 0.11 * z as f64,
            )
        })
        .collect();
    let walls: String = [(1, 0), (-1, 0), (0, 1), (0, -1)]
        .map(|(x, y)| {
            let pos = format!("{} {} 0", 0.25 * f64::from(x), 0.25 * f64::from(y));
            format!(r#"<geom type="plane" size="1 1 1" pos="{pos}" zaxis="{} {} 0"/>"#, -x, -y)
        })
        .concat();
    format!(
        r#"<mujoco><option timestep="0.004" {option}/><worldbody>
        <geom type="plane" size="1 1 1"/>{walls}{bodies}</worldbody></mujoco>"#
    )
}

/// A chain of hinges, one tree, with limits, dry friction and a floor below.
fn chain(count: usize) -> String {
    let link = |k: usize| {
        let axis = if k.is_multiple_of(2) { "0 1 0" } else { "0 0 1" };
        format!(
            r#"<body pos="0.05 0 0"><joint axis="{axis}" range="-0.02 0.02" limited="true"
            frictionloss="0.01" damping="0.01" armature="0.001"/>
            <geom type="capsule" fromto="0 0 0 0.05 0 0" size="0.012" contype="0"/>"#
        )
    };
    let links: String = (0..count).map(link).collect();
    format!(
        r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 0.02">
        <geom size="0.01" contype="0"/>{links}{}</body></worldbody></mujoco>"#,
        "</body>".repeat(count)
    )
}

/// Boxes in a ring, each tied to the next by one point.
fn ring(count: usize) -> String {
    let (mut bodies, mut ties) = (String::new(), String::new());
    for k in 0..count {
        let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
        bodies += &format!(
            r#"<body name="{k}" pos="{cos} {sin} 0.1"><freejoint/>
            <geom type="box" size="0.03 0.03 0.03"/></body>"#
        );
        let next = (k + 1) % count;
        ties += &format!(r#"<connect body1="{k}" body2="{next}" anchor="0.1 0.05 0"/>"#);
    }
    format!(
        r#"<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody>
        <equality>{ties}</equality></mujoco>"#
    )
}

/// Largest element of `M qacc - qfrc_smooth - Jᵀ f`, by the sum of forces.
fn residual(model: &Model, data: &mut Data) -> f64 {
    let mut out = vec![0.0; model.nv];
    mul_m(model, data, &mut out, &data.qacc);
    constraint_jacobian(model, data);
    let mut size = 0.0;
    for dof in 0..model.nv {
        size += data.qfrc_smooth[dof].abs();
        out[dof] -= data.qfrc_smooth[dof];
    }
    for row in 0..data.nefc {
        let force = data.efc_force[row];
        if data.efc_J_rownnz.is_empty() {
            for dof in 0..model.nv {
                out[dof] -= data.efc_J[row * model.nv + dof] * force;
            }
        } else {
            let start = data.efc_J_rowadr[row] as usize;
            for at in start..start + data.efc_J_rownnz[row] as usize {
                out[data.efc_J_colind[at] as usize] -= data.efc_J[at] * force;
            }
        }
    }
    out.iter().fold(0.0, |max, x| x.abs().max(max)) / size
}

fn largest_island(data: &Data) -> i32 {
    data.island_nv[..data.nisland].iter().copied().max().unwrap_or(0)
}

#[test]
fn newton_ends_at_the_minimum_in_few_iterations() {
    for (name, xml) in [
        ("heap", heap(45, "")),
        ("elliptic heap", heap(45, r#"cone="elliptic" impratio="2""#)),
        ("chain", chain(200)),
        ("ring", ring(24)),
    ] {
        let mut model = parse(&xml);
        let mut data = Data::new(&model);
        for _ in 0..60 {
            step(&model, &mut data);
        }
        model.opt.tolerance = 0.0;
        forward(&model, &mut data);
        assert!(largest_island(&data) > 140, "{name}: no large island");
        let residual = residual(&model, &mut data);
        assert!(residual < 1e-12, "{name}: {residual}");
        assert!(data.solver_niter[0] < 40, "{name}: {} iterations", data.solver_niter[0]);
    }
}

#[test]
fn conjugate_gradients_end_where_newton_ends() {
    for (name, xml) in [("heap", heap(27, "")), ("ring", ring(24)), ("chain", chain(80))] {
        let mut model = parse(&xml);
        let mut data = Data::new(&model);
        for _ in 0..40 {
            step(&model, &mut data);
        }
        model.opt.tolerance = 0.0;
        forward(&model, &mut data);
        assert!(largest_island(&data) > 64, "{name}: no large island");
        let newton = data.qacc.clone();
        model.opt.solver = 1;
        model.opt.iterations = 20_000;
        forward(&model, &mut data);
        let size = newton.iter().fold(1.0, |max: f64, x| x.abs().max(max));
        for (a, b) in newton.iter().zip(&data.qacc) {
            assert!((a - b).abs() < 1e-6 * size, "{name}: {a} is not {b}");
        }
    }
}

#[test]
fn a_step_depends_on_the_state_alone() {
    let model = parse(&heap(45, ""));
    let mut data = Data::new(&model);
    for _ in 0..30 {
        step(&model, &mut data);
    }
    let mut fresh = Data::new(&model);
    fresh.qpos.copy_from_slice(&data.qpos);
    fresh.qvel.copy_from_slice(&data.qvel);
    fresh.qacc_warmstart.copy_from_slice(&data.qacc_warmstart);
    fresh.time = data.time;
    step(&model, &mut data);
    step(&model, &mut fresh);
    assert_eq!(bits(&data), bits(&fresh));
}

#[test]
fn a_settled_heap_does_not_allocate() {
    let model = parse(&heap(45, ""));
    let mut data = Data::new(&model);
    for _ in 0..400 {
        step(&model, &mut data);
    }
    assert!(largest_island(&data) > 64);
    let counted = measure(|| (0..20).for_each(|_| step(&model, &mut data)));
    assert_eq!(counted.count_total, 0);
}

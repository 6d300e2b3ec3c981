//! The storages of the solver: which one runs, that all of them go through the same iterates, and
//! what they leave behind.

use sim_conformance_tests::{load, parse};
use sim_core::model::{ConstraintState, Solver};
use sim_core::{
    Data, Model, Solved, SolverPath, constraint_jacobian, forward, full_m, keep_systems, step,
};

const PATHS: [SolverPath; 2] = [SolverPath::Dense, SolverPath::Sparse];

/// A model for each storage: the one that it is made for is taken on its own.
fn models() -> [(&'static str, Model, SolverPath); 6] {
    let named = |name, path| (name, load(name), path);
    [
        named("contact_elliptic", SolverPath::Dense),
        named("contact_pyramids", SolverPath::Dense),
        named("few_rows", SolverPath::Dense),
        named("few_rows_pyramids", SolverPath::Dense),
        ("heap, elliptic", parse(&heap("elliptic")), SolverPath::Sparse),
        ("heap, pyramids", parse(&heap("pyramidal")), SolverPath::Sparse),
    ]
}

/// Boxes on top of each other: one island of 72 dofs.
fn heap(cone: &str) -> String {
    let bodies: String = (0..12)
        .map(|k| {
            let (x, z) = (0.01 * (k % 3) as f64, 0.05 + 0.099 * k as f64);
            format!(
                r#"<body pos="{x} 0 {z}"><freejoint/><geom type="box" size=".05 .05 .05"/></body>"#
            )
        })
        .collect();
    format!(
        r#"<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 1"/>{bodies}
        </worldbody></mujoco>"#
    )
}

/// A state of the model in which its storage is in use, and what it computes from there.
fn states(model: &Model, path: SolverPath) -> Vec<Data> {
    let mut data = Data::new(model);
    let mut found = Vec::new();
    for _ in 0..100 {
        step(model, &mut data);
        if data.solver_paths().contains(&path) && data.solver_niter[0] > 0 {
            found.push(data.clone());
        }
    }
    assert!(found.len() >= 10, "{path:?} was taken in {} of 100 steps only", found.len());
    found
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let scale = a.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / scale
}

#[test]
fn each_model_made_for_a_storage_takes_it() {
    for (name, model, path) in models() {
        assert!(!states(&model, path).is_empty(), "{name}");
    }
}

#[test]
fn all_storages_go_through_the_same_iterates() {
    let mut compared = [0; PATHS.len()];
    for (name, mut model, path) in models() {
        let found = states(&model, path);
        // the iterate after every number of iterations
        for limit in [1, 2, 3, 100] {
            model.opt.iterations = limit;
            for start in found.iter().step_by(7) {
                let mut reference = start.clone();
                forward(&model, &mut reference);
                for (k, preferred) in PATHS.into_iter().enumerate() {
                    let mut data = start.clone();
                    data.prefer_solver_path(Some(preferred));
                    forward(&model, &mut data);
                    compared[k] += usize::from(data.solver_paths().contains(&preferred));
                    assert_eq!(data.solver_niter, reference.solver_niter, "{name} {preferred:?}");
                    assert_eq!(data.efc_state, reference.efc_state, "{name} {preferred:?}");
                    for (ours, other) in
                        [(&data.qacc, &reference.qacc), (&data.efc_force, &reference.efc_force)]
                    {
                        let difference = largest_difference(ours, other);
                        assert!(difference < 1e-12, "{name} {preferred:?}: {difference:e}");
                    }
                }
            }
        }
    }
    assert!(compared.iter().all(|&count| count >= 20), "{compared:?}");
}

/// `M + Jᵀ W J` from what the data shows.
fn hessian(model: &Model, data: &mut Data) -> Vec<f64> {
    let nv = model.nv;
    constraint_jacobian(model, data);
    let mut hessian = vec![0.0; nv * nv];
    full_m(model, data, &mut hessian);
    let mut jacobian = vec![0.0; data.nefc * nv];
    if model.is_sparse() {
        for row in 0..data.nefc {
            let start = data.efc_J_rowadr[row] as usize;
            for at in start..start + data.efc_J_rownnz[row] as usize {
                jacobian[row * nv + data.efc_J_colind[at] as usize] = data.efc_J[at];
            }
        }
    } else {
        jacobian.copy_from_slice(&data.efc_J);
    }
    let mut add = |row1: usize, row2: usize, weight: f64| {
        for i in 0..nv {
            for j in 0..nv {
                hessian[i * nv + j] += jacobian[row1 * nv + i] * weight * jacobian[row2 * nv + j];
            }
        }
    };
    let mut row = 0;
    while row < data.nefc {
        if data.efc_state[row] == ConstraintState::Cone as i32 {
            let contact = &data.contact[data.efc_id[row] as usize];
            let dim = contact.dim as usize;
            for k in 0..dim {
                for l in 0..dim {
                    add(row + k, row + l, contact.H[k * dim + l]);
                }
            }
            row += dim;
        } else {
            if data.efc_state[row] == ConstraintState::Quadratic as i32 {
                add(row, row, data.efc_D[row]);
            }
            row += 1;
        }
    }
    hessian
}

/// Checks `H (H⁻¹ b) = b` with what the solver has left, and what it tells about rows.
fn check_solved(name: &str, model: &Model, data: &mut Data) {
    let hessian = hessian(model, data);
    let b: Vec<f64> = (0..model.nv).map(|k| 1.0 - 0.37 * (k % 5) as f64).collect();
    let mut solved = Solved::take(model, data);
    for round in 0..2 {
        let mut x = b.clone();
        solved.solve_hessian(model, data, &mut x);
        let size = x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for i in 0..model.nv {
            let row = &hessian[i * model.nv..(i + 1) * model.nv];
            let product: f64 = row.iter().zip(&x).map(|(h, x)| h * x).sum();
            let scale = 1.0 + row.iter().fold(0.0_f64, |most, h| most.max(h.abs())) * size;
            let error = (product - b[i]).abs() / scale;
            assert!(error < 1e-12, "{name}, round {round}, dof {i}: {error:e}");
        }
    }
    let mut rows = 0;
    for island in 0..solved.islands() {
        let states = solved.rows(island).zip(solved.states(island));
        for (row, &state) in states {
            assert_eq!(state, data.efc_state[row], "{name}");
            rows += 1;
        }
        let dofs = solved.dofs(island).to_vec();
        let mut own: Vec<f64> = dofs.iter().map(|&dof| b[dof as usize]).collect();
        let mut all = b.clone();
        solved.solve_island(island, &mut own);
        solved.solve_hessian(model, data, &mut all);
        for (own, &dof) in own.iter().zip(&dofs) {
            assert_eq!(own.to_bits(), all[dof as usize].to_bits());
        }
    }
    assert_eq!(rows, data.nefc, "{name}");
    solved.give_back(data);
}

#[test]
fn the_system_at_the_solution_is_left_behind_on_every_path() {
    for (name, model, path) in models() {
        for start in states(&model, path).iter().step_by(9) {
            for preferred in PATHS {
                let mut data = start.clone();
                data.prefer_solver_path(Some(preferred));
                forward(&model, &mut data);
                check_solved(&format!("{name} {preferred:?}"), &model, &mut data);
            }
        }
    }
}

#[test]
fn the_system_at_the_solution_is_left_behind_by_every_solver() {
    let names = ["islands", "contact_elliptic", "figure", "noslip", "newton_whole", "limits"];
    for name in names {
        let mut model = load(name);
        for solver in [Solver::Pgs, Solver::Cg, Solver::Newton] {
            model.opt.solver = solver as i32;
            for keep in [false, true] {
                let mut data = Data::new(&model);
                keep_systems(&mut data, keep);
                for _ in 0..60 {
                    step(&model, &mut data);
                }
                forward(&model, &mut data);
                // cones are written by Newton only
                if solver == Solver::Newton
                    || !data.efc_state.contains(&(ConstraintState::Cone as i32))
                {
                    check_solved(&format!("{name} {solver:?} {keep}"), &model, &mut data);
                }
            }
        }
    }
}

#[test]
fn keeping_systems_does_not_change_a_bit() {
    let model = load("islands");
    let (mut kept, mut other) = (Data::new(&model), Data::new(&model));
    keep_systems(&mut kept, true);
    for _ in 0..100 {
        step(&model, &mut kept);
        step(&model, &mut other);
        assert_eq!(kept.qacc, other.qacc);
        assert_eq!(kept.efc_force, other.efc_force);
    }
    assert!(other.nisland > 1);
}

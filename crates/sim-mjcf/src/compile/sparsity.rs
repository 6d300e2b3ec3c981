//! Patterns of the matrices over dofs: the mass matrix `M` (lower triangle, by ancestors), its
//! symmetric form `D`, the body-dof matrix `B`, and the maps between them.
//!
//! Bodies and dofs come in depth-first order, so the dofs below a body are one range.

use sim_core::Model;

/// Computes the address of every dof in the mass matrix by ancestors, its simple runs, and the
/// sizes of all patterns.
pub(super) fn sizes(model: &mut Model) {
    // runs of dofs of simple bodies, counted from the end
    let mut run = 0;
    for dof in (0..model.nv).rev() {
        run = if model.body_simple[model.dof_body(dof)] != 0 { run + 1 } else { 0 };
        model.dof_simplenum[dof] = run;
    }

    let depth = dof_depth(model);
    let mut address = 0;
    model.nC = 0;
    for dof in 0..model.nv {
        model.dof_Madr[dof] = address as i32;
        address += depth[dof] + 1;
        model.nC += if model.dof_simplenum[dof] != 0 { 1 } else { depth[dof] + 1 };
    }
    model.nM = address;
    model.nD = 2 * model.nM - model.nv;

    // a body sees the dofs above it and those in its subtree
    let subtree = subtree_dofs(model);
    let mut above = vec![0; model.nbody];
    model.nB = subtree[0];
    for body in 1..model.nbody {
        let parent = model.body_parent(body);
        above[body] = above[parent] + model.body_dofs(parent).len();
        model.nB += subtree[body] + above[body];
    }
    if model.nv == 0 {
        model.nB = 0;
    }
}

/// Makes the patterns and maps, of the lengths that [`sizes`] found.
pub(super) fn patterns(model: &mut Model) {
    let depth = dof_depth(model);
    let subtree = subtree_dofs(model);
    model.B_colind = vec![0; model.nB];
    model.D_colind = vec![0; model.nD];
    model.mapM2D = vec![0; model.nD];
    model.M_colind = vec![0; model.nC];
    model.mapM2M = vec![0; model.nC];
    model.mapD2M = vec![0; model.nC];

    // B: ancestors, then the subtree
    let mut address = 0;
    let mut first_below = 0;
    let mut last_dof = vec![None; model.nbody];
    for body in 0..model.nbody {
        let start = address;
        let last_above = last_dof[model.body_parent(body)];
        last_dof[body] = model.body_dofs(body).last().or(last_above);
        if let Some(last) = last_above {
            let count = depth[last] + 1;
            fill_ancestors(&model.dof_parentid, last, &mut model.B_colind[start..start + count]);
            address += count;
        }
        for k in 0..subtree[body] {
            model.B_colind[address + k] = (first_below + k) as i32;
        }
        address += subtree[body];
        model.B_rowadr[body] = start as i32;
        model.B_rownnz[body] = (address - start) as i32;
        // the next body in depth-first order starts after the dofs of this one
        first_below += model.body_dofs(body).len();
    }

    // D: the row of a dof is the row of its body
    let mut address = 0;
    for dof in 0..model.nv {
        let body = model.dof_body(dof);
        let (start, count) = (model.B_rowadr[body] as usize, model.B_rownnz[body] as usize);
        model.D_colind[address..address + count]
            .copy_from_slice(&model.B_colind[start..start + count]);
        model.D_rowadr[dof] = address as i32;
        model.D_rownnz[dof] = count as i32;
        model.D_diag[dof] = depth[dof] as i32;
        address += count;
    }

    // M: ancestors and the dof itself; only itself where the body is simple
    let mut address = 0;
    for dof in 0..model.nv {
        let simple = model.dof_simplenum[dof] != 0;
        let count = if simple { 1 } else { depth[dof] + 1 };
        fill_ancestors(&model.dof_parentid, dof, &mut model.M_colind[address..address + count]);
        model.M_rowadr[dof] = address as i32;
        model.M_rownnz[dof] = count as i32;
        for k in 0..count {
            // by ancestors, a row runs from the diagonal upwards
            model.mapM2M[address + k] = model.dof_Madr[dof] + (count - 1 - k) as i32;
            model.mapD2M[address + k] = model.D_rowadr[dof] + (depth[dof] + 1 - count + k) as i32;
        }
        address += count;
    }

    // where every element of D is in M; elements that simple bodies make zero are nowhere
    for row in 0..model.nv {
        let start = model.D_rowadr[row] as usize;
        for k in 0..model.D_rownnz[row] as usize {
            let column = model.D_colind[start + k] as usize;
            let (lower, upper) = (row.max(column), row.min(column));
            let simple = model.dof_simplenum[lower] != 0;
            model.mapM2D[start + k] = match (simple, lower == upper) {
                (true, false) => -1,
                (true, true) => model.M_rowadr[lower],
                (false, _) => model.M_rowadr[lower] + depth[upper] as i32,
            };
        }
    }
}

/// Number of dofs above each dof.
fn dof_depth(model: &Model) -> Vec<usize> {
    let mut depth = vec![0; model.nv];
    for dof in 0..model.nv {
        depth[dof] = model.dof_parent(dof).map_or(0, |parent| depth[parent] + 1);
    }
    depth
}

/// Number of dofs of each body and those below it.
fn subtree_dofs(model: &Model) -> Vec<usize> {
    let mut count: Vec<usize> = (0..model.nbody).map(|body| model.body_dofs(body).len()).collect();
    for body in (1..model.nbody).rev() {
        count[model.body_parent(body)] += count[body];
    }
    count
}

/// Writes `dof` and the dofs above it, in increasing order, as far as `row` is long.
fn fill_ancestors(parents: &[i32], dof: usize, row: &mut [i32]) {
    let mut dof = dof as i32;
    for slot in row.iter_mut().rev() {
        *slot = dof;
        dof = parents[dof as usize];
    }
}

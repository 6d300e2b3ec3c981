use crate::model::{ConstraintType, Disable, EqType};
use crate::{Data, Model};

/// Finds the islands: sets of trees that constraints tie together, which can be solved apart.
/// Runs after `make_constraint`.
#[doc(alias = "mj_island")]
pub fn island(model: &Model, data: &mut Data) {
    data.clear_islands();
    if model.disabled(Disable::Island) || data.nefc == 0 {
        return;
    }
    // the only island takes its rows from here, and any step may be the first to have one
    let numbers = &mut data.cache.identity;
    numbers.extend(numbers.len() as i32..data.nefc as i32);
    if model.ntree == 1 {
        single(model, data);
        return;
    }
    trees(model, data);
    if data.nisland == 0 {
        return;
    }
    dofs(model, data);
    rows(model, data);
}

/// One tree makes one island of everything.
fn single(model: &Model, data: &mut Data) {
    let (nv, nefc) = (model.nv as i32, data.nefc as i32);
    data.nisland = 1;
    data.nidof = model.nv;
    for (list, value) in [
        (&mut data.tree_island, 0),
        (&mut data.map_itree2tree, 0),
        (&mut data.island_ntree, 1),
        (&mut data.island_itreeadr, 0),
        (&mut data.island_nv, nv),
        (&mut data.island_idofadr, 0),
        (&mut data.island_dofadr, 0),
        (&mut data.island_ne, data.ne as i32),
        (&mut data.island_nf, data.nf as i32),
        (&mut data.island_nefc, nefc),
        (&mut data.island_iefcadr, 0),
    ] {
        list.push(value);
    }
    data.dof_island.resize(model.nv, 0);
    let numbers = &data.cache.identity;
    for list in [&mut data.map_dof2idof, &mut data.map_idof2dof] {
        list.extend_from_slice(&numbers[..model.nv]);
    }
    all_rows(data);
}

/// All rows are of the only island.
fn all_rows(data: &mut Data) {
    data.efc_island.resize(data.nefc, 0);
    let numbers = &data.cache.identity;
    for list in [&mut data.map_efc2iefc, &mut data.map_iefc2efc] {
        list.extend_from_slice(&numbers[..data.nefc]);
    }
}

/// Ties trees together and numbers the islands by their first tree.
fn trees(model: &Model, data: &mut Data) {
    let Data { ref rows, ref efc_type, ref efc_id, ref contact, .. } = *data;
    let Data { ref mut tree_island, ref mut work, .. } = *data;

    // each tree points towards the first one of its set; untouched trees stay -1
    let leader = tree_island;
    leader.resize(model.ntree, -1);
    let mut last: &[u32] = &[];
    for block in rows.each_block() {
        // long rows that follow each other often have the same dofs
        let dofs = rows.dofs(&block);
        if dofs.len() > 6 && dofs == std::mem::replace(&mut last, dofs) {
            continue;
        }
        // two points; dofs of one tree follow each other
        if let [a, _, b, c, _, d] = dofs {
            let [a, b, c, d] = [a, b, c, d].map(|&dof| model.dof_treeid[dof as usize] as usize);
            if a == b && c == d {
                if leader[a] < 0 || leader[a] != leader[c] {
                    for tree in [a, c] {
                        leader[tree] = if leader[tree] < 0 { tree as i32 } else { leader[tree] };
                    }
                    join(leader, a, c);
                }
                continue;
            }
        }
        let id = efc_id[block.row] as usize;
        let bodies = match ConstraintType::from_i32(efc_type[block.row]) {
            Some(
                ConstraintType::ContactFrictionless
                | ConstraintType::ContactPyramidal
                | ConstraintType::ContactElliptic,
            ) => contact[id].geom_bodies(model),
            Some(ConstraintType::Equality) => match EqType::from_i32(model.eq_type[id]) {
                Some(EqType::Connect | EqType::Weld) => Some(model.eq_bodies(id)),
                _ => None,
            },
            _ => None,
        };
        let mut first = None;
        let mut tie = |tree: i32| {
            let Ok(tree) = usize::try_from(tree) else { return };
            if leader[tree] < 0 {
                leader[tree] = tree as i32;
            }
            match first {
                None => first = Some(tree),
                Some(other) => join(leader, tree, other),
            }
        };
        match bodies {
            Some(bodies) => bodies.map(|body| tie(model.body_treeid[body])),
            None => {
                let mut last = -1;
                for &dof in dofs {
                    let tree = model.dof_treeid[dof as usize];
                    if tree != last {
                        tie(tree);
                        last = tree;
                    }
                }
                [(); 2]
            }
        };
    }

    // leaders come first, so that numbers follow the order of trees
    let mut count = 0;
    work.numbers.clear();
    work.numbers.resize(model.ntree, -1);
    for tree in 0..model.ntree {
        if leader[tree] >= 0 {
            let top = find(leader, tree);
            if top == tree {
                work.numbers[tree] = count;
                count += 1;
            } else {
                work.numbers[tree] = work.numbers[top];
            }
        }
    }
    leader.copy_from_slice(&work.numbers);
    data.nisland = count as usize;
}

/// The first tree of a set.
fn find(leader: &mut [i32], mut tree: usize) -> usize {
    while leader[tree] as usize != tree {
        leader[tree] = leader[leader[tree] as usize];
        tree = leader[tree] as usize;
    }
    tree
}

#[inline]
fn join(leader: &mut [i32], a: usize, b: usize) {
    if leader[a] == leader[b] {
        return;
    }
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b) as i32;
}

/// Sizes of groups to the addresses at which they start; returns their sum.
fn addresses(sizes: &[i32], out: &mut Vec<i32>) -> i32 {
    let mut total = 0;
    out.clear();
    out.extend(sizes.iter().map(|&size| {
        let start = total;
        total += size;
        start
    }));
    total
}

/// Sorts trees and dofs by island; those in none come last.
fn dofs(model: &Model, data: &mut Data) {
    let n = data.nisland;
    data.island_ntree.resize(n, 0);
    data.island_nv.resize(n, 0);
    for tree in 0..model.ntree {
        if let Ok(island) = usize::try_from(data.tree_island[tree]) {
            data.island_ntree[island] += 1;
            data.island_nv[island] += model.tree_dofnum[tree];
        }
    }
    let last = addresses(&data.island_ntree, &mut data.island_itreeadr);
    let mut next = std::mem::take(&mut data.work.numbers);
    start_at(&mut next, &data.island_itreeadr, last);
    data.map_itree2tree.resize(model.ntree, 0);
    for tree in 0..model.ntree {
        let at = take(&mut next, data.tree_island[tree], n);
        data.map_itree2tree[at] = tree as i32;
    }

    let last = addresses(&data.island_nv, &mut data.island_idofadr);
    data.nidof = last as usize;
    start_at(&mut next, &data.island_idofadr, last);
    data.map_dof2idof.resize(model.nv, 0);
    data.map_idof2dof.resize(model.nv, 0);
    data.dof_island.resize(model.nv, -1);
    for tree in 0..model.ntree {
        let island = data.tree_island[tree];
        let next = &mut next[usize::try_from(island).unwrap_or(n)];
        for dof in model.tree_dofs(tree) {
            data.dof_island[dof] = island;
            data.map_dof2idof[dof] = *next;
            data.map_idof2dof[*next as usize] = dof as i32;
            *next += 1;
        }
    }
    let Data { ref island_idofadr, ref map_idof2dof, ref mut island_dofadr, .. } = *data;
    island_dofadr.extend(island_idofadr.iter().map(|&at| map_idof2dof[at as usize]));
    data.work.numbers = next;
}

fn start_at(next: &mut Vec<i32>, starts: &[i32], last: i32) {
    next.clear();
    next.extend_from_slice(starts);
    next.push(last);
}

/// The next free place of a group; -1 is the group of those in none.
fn take(next: &mut [i32], group: i32, groups: usize) -> usize {
    let at = &mut next[usize::try_from(group).unwrap_or(groups)];
    *at += 1;
    (*at - 1) as usize
}

/// Sorts rows by island.
fn rows(model: &Model, data: &mut Data) {
    let n = data.nisland;
    data.island_ne.resize(n, 0);
    data.island_nf.resize(n, 0);
    data.island_nefc.resize(n, 0);
    if n == 1 {
        data.island_ne[0] = data.ne as i32;
        data.island_nf[0] = data.nf as i32;
        data.island_nefc[0] = data.nefc as i32;
        data.island_iefcadr.push(0);
        all_rows(data);
        return;
    }
    data.efc_island.resize(data.nefc, 0);
    let Data { ref rows, ref tree_island, ref contact, ref efc_id, ref efc_type, .. } = *data;
    for block in rows.each_block() {
        // a row may have no dofs at all, if both geoms move alike
        let tree = match rows.dofs(&block).first() {
            Some(&dof) => model.dof_treeid[dof as usize],
            None => {
                let [body, _] = contact[efc_id[block.row] as usize].bodies(model);
                model.body_treeid[body.expect("a side that moves has a body")]
            }
        };
        let island = tree_island[tree as usize];
        let count = block.count as i32;
        data.island_nefc[island as usize] += count;
        match ConstraintType::from_i32(efc_type[block.row]) {
            Some(ConstraintType::Equality) => data.island_ne[island as usize] += count,
            Some(ConstraintType::FrictionDof | ConstraintType::FrictionTendon) => {
                data.island_nf[island as usize] += count;
            }
            _ => {}
        }
        data.efc_island[block.row..block.row + block.count].fill(island);
    }
    let last = addresses(&data.island_nefc, &mut data.island_iefcadr);
    let mut next = std::mem::take(&mut data.work.numbers);
    start_at(&mut next, &data.island_iefcadr, last);
    data.map_efc2iefc.resize(data.nefc, 0);
    data.map_iefc2efc.resize(data.nefc, 0);
    for row in 0..data.nefc {
        let at = take(&mut next, data.efc_island[row], n);
        data.map_efc2iefc[row] = at as i32;
        data.map_iefc2efc[at] = row as i32;
    }
    data.work.numbers = next;
}

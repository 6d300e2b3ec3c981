use super::flex_edge::{Link, list_links_with_kind};
use super::{com_offset, dof_chain};
use crate::math::{MINVAL, Vec3};
use crate::model::{Flex, range};
use crate::{Data, Model};

/// A 3x2 matrix by rows, and a 2x2 matrix by rows.
type Mat32 = [[f64; 2]; 3];
type Mat22 = [[f64; 2]; 2];

/// Computes `flexvert_length` and `flexvert_J`: two invariants of the strain at the vertices of
/// cloth whose equality is by vertex, `tr C − 2` and `det C − 1` with `C = FᵀF`, times the square
/// root of the mass. `F` maps rest to current edges around the vertex in the sense of least squares.
///
/// Chen, Kry, Vouga, Locking-free simulation of isometric thin plates (2019).
pub(super) fn strains(model: &Model, data: &mut Data) {
    for flex in model.flexes().filter(Flex::has_vertex_strains) {
        let mut rows = [std::mem::take(&mut data.work.dof), std::mem::take(&mut data.work.force)];
        let mut links = std::mem::take(&mut data.work.flex.links);
        let mut spokes = std::mem::take(&mut data.work.flex.spokes);
        rows.iter_mut().for_each(|row| row.fill(0.0));
        list_links_with_kind(model, &data.cdof, &flex, &mut links);
        for vert in 0..flex.verts.len() {
            list_spokes(model, data, &flex, vert, &mut spokes);
            strain(model, data, &flex, vert, &spokes, &links, &mut rows);
        }
        data.work.flex.links = links;
        data.work.flex.spokes = spokes;
        [data.work.dof, data.work.force] = rows;
    }
}

/// An edge at a vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spoke {
    ends: [usize; 2],
    /// From the first end to the second, at rest, where only the first two components count, and now.
    rest: [f64; 2],
    now: Vec3,
    /// Mass at the other end.
    weight: f64,
}

/// Lists the edges at a vertex.
fn list_spokes(model: &Model, data: &Data, flex: &Flex<'_>, vert: usize, spokes: &mut Vec<Spoke>) {
    let id = flex.verts.start + vert;
    let adjacent = range(model.flex_vertedgeadr[id], model.flex_vertedgenum[id]);
    let size = model.flex_size[flex.id] * 2.0;
    let bodies = flex.vert_bodies();
    spokes.clear();
    spokes.extend(model.flex_vertedge.as_flattened()[adjacent].iter().map(|&edge| {
        let ends = model.flex_edge[flex.edges.start + edge as usize].map(|end| end as usize);
        let [first, second] = ends.map(|end| flex.verts.start + end);
        let rest = (model.flex_vert0[second] - model.flex_vert0[first]).scaled(size);
        let now = data.flexvert_xpos[second] - data.flexvert_xpos[first];
        let other = if ends[0] == vert { ends[1] } else { ends[0] };
        let mass = |body: usize| model.body_mass[body].max(MINVAL);
        let weight = usize::try_from(bodies[other]).map_or(1.0, mass);
        Spoke { ends, rest: [rest.x, rest.y], now, weight }
    }));
}

fn strain(
    model: &Model,
    data: &mut Data,
    flex: &Flex<'_>,
    vert: usize,
    spokes: &[Spoke],
    links: &[Link],
    rows: &mut [Vec<f64>; 2],
) {
    let id = flex.verts.start + vert;
    let [a, b, c, d] = model.flex_vertmetric[id];
    let metric = [[a, b], [c, d]];

    let mut moment: Mat32 = [[0.0; 2]; 3];
    for Spoke { rest, now, weight, .. } in spokes {
        for (row, now) in moment.iter_mut().zip(now.to_array()) {
            row[0] += weight * now * rest[0];
            row[1] += weight * now * rest[1];
        }
    }
    let f = mul(&moment, &metric);
    let product = |i: usize, j: usize| f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
    let [c00, c01, c10, c11] = [product(0, 0), product(0, 1), product(1, 0), product(1, 1)];

    let mass = usize::try_from(flex.vert_bodies()[vert]).map_or(0.0, |body| model.body_mass[body]);
    let scale = if mass > MINVAL { mass.sqrt() } else { 1.0 };
    data.flexvert_length[id] = [(c00 + c11 - 2.0) * scale, (c00 * c11 - c01 * c10 - 1.0) * scale];

    let gradients = [mul(&f, &metric), mul(&mul(&f, &[[c11, -c01], [-c10, c00]]), &metric)];
    let [row0, row1] = rows;
    for spoke in spokes {
        let rates = gradients.map(|gradient| {
            let along = |k: usize| gradient[k][0] * spoke.rest[0] + gradient[k][1] * spoke.rest[1];
            Vec3::new(along(0), along(1), along(2)) * (-2.0 * spoke.weight)
        });
        for (end, rates) in spoke.ends.into_iter().zip([rates, rates.map(|rate| -rate)]) {
            let link = links[end];
            if link.slides_alone() {
                let (out0, out1) = (&mut row0[link.dofs()], &mut row1[link.dofs()]);
                for ((out0, out1), axis) in out0.iter_mut().zip(out1).zip(link.axes(&data.cdof)) {
                    *out0 += axis.lin.dot(rates[0]);
                    *out1 += axis.lin.dot(rates[1]);
                }
                continue;
            }
            let body = flex.vert_bodies()[end] as usize;
            let point = data.flexvert_xpos[flex.verts.start + end];
            let offset = com_offset(model, data, point, body);
            for dof in dof_chain(model, body) {
                let axis = data.cdof[dof].at(offset);
                row0[dof] += axis.dot(rates[0]);
                row1[dof] += axis.dot(rates[1]);
            }
        }
    }

    let columns = model.flexvert_J_colind.as_flattened();
    let out = data.flexvert_J.as_flattened_mut();
    for (k, row) in [row0, row1].into_iter().enumerate() {
        let at = range(model.flexvert_J_rowadr[id][k], model.flexvert_J_rownnz[id][k]);
        for (out, &dof) in out[at.clone()].iter_mut().zip(&columns[at]) {
            *out = row[dof as usize] * scale;
            row[dof as usize] = 0.0;
        }
    }
}

fn mul(a: &Mat32, b: &Mat22) -> Mat32 {
    a.map(|[x, y]| [x * b[0][0] + y * b[1][0], x * b[0][1] + y * b[1][1]])
}

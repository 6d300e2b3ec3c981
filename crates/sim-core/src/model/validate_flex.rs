//! Checks of the tables of flexes that came from outside.

use super::binary::BinaryError;
use super::flex::ELEMENT_EDGES;
use super::validate::{check_range, ensure};
use super::*;
use crate::smooth::merged_chains;

type Result<T = ()> = std::result::Result<T, BinaryError>;

/// Numbers of a flex, of which none may be negative.
struct Counts {
    dim: usize,
    verts: i32,
    edges: i32,
    elems: i32,
}

impl Model {
    pub(super) fn validate_flexes(&self) -> Result {
        for flex in 0..self.nflex {
            let fault = |what: &'static str| move || format!("the {what} of flex {flex} are wrong");
            let counts = self.validate_flex_counts(flex)?;
            self.validate_flex_topology(flex, &counts)?;
            self.validate_flex_bodies(flex)?;
            let fine = matches!(self.flex_condim[flex], 1 | 3 | 4 | 6)
                && FlexSelf::from_i32(self.flex_selfcollide[flex]).is_some();
            ensure(fine, fault("contact parameters"))?;
        }
        self.validate_flex_jacobians()
    }

    /// Dimension, order and the ranges of everything that belongs to a flex.
    fn validate_flex_counts(&self, flex: usize) -> Result<Counts> {
        let fault = |what: &'static str| move || format!("the {what} of flex {flex} are wrong");
        let fits = |adr: i32, num: i32, end: usize| check_range(adr, num, end).is_ok();
        let (dim, order) = (self.flex_dim[flex], self.flex_interp[flex]);
        ensure((1..=3).contains(&dim) && (0..=2).contains(&order), fault("dimensions"))?;
        let dim = dim as usize;
        let counts = Counts {
            dim,
            verts: self.flex_vertnum[flex],
            edges: self.flex_edgenum[flex],
            elems: self.flex_elemnum[flex],
        };
        let nodes = self.flex_nodenum[flex];
        let fine = fits(self.flex_vertadr[flex], counts.verts, self.nflexvert)
            && fits(self.flex_edgeadr[flex], counts.edges, self.nflexedge)
            && fits(self.flex_elemadr[flex], counts.elems, self.nflexelem)
            && fits(self.flex_nodeadr[flex], nodes, self.nflexnode)
            && fits(self.flex_evpairadr[flex], self.flex_evpairnum[flex], self.nflexevpair);
        ensure(fine, fault("ranges"))?;
        ensure(order == 0 || nodes == (order + 1).pow(3), fault("nodes"))?;

        // lists with several numbers for each element
        let long = |adr: i32, num: i32, each: usize, end: usize| {
            let len = i32::try_from(each).ok().and_then(|each| num.checked_mul(each));
            len.is_some_and(|len| fits(adr, len, end))
        };
        let edges = ELEMENT_EDGES[dim - 1].len();
        let (elements, elem_edges) = (self.flex_elemdataadr[flex], self.flex_elemedgeadr[flex]);
        let shells = (self.flex_shelldataadr[flex], self.flex_shellnum[flex]);
        let fine = long(elements, counts.elems, dim + 1, self.nflexelemdata)
            && long(elem_edges, counts.elems, edges, self.nflexelemedge)
            && long(shells.0, shells.1, dim, self.nflexshelldata);
        ensure(fine, fault("ranges"))?;

        let (first, count) = (self.flex_bvhadr[flex], self.flex_bvhnum[flex]);
        let moving = count == 0 || first as usize >= self.nbvhstatic;
        let fine = fits(first, count, self.nbvh) && moving;
        ensure(fine, fault("bounding volumes"))?;
        let id = |id: i32, count: usize| id == -1 || (id as usize) < count;
        let texcoord = self.flex_texcoordadr[flex];
        let fine = id(self.flex_matid[flex], self.nmat) && id(texcoord, self.nflextexcoord);
        ensure(fine, fault("material and texture coordinates"))?;
        // corners of faces refer to them
        if let (Ok(first), 2..) = (usize::try_from(texcoord), dim) {
            let left = (self.nflextexcoord - first) as i32;
            let corners = &self.flex_elemtexcoord[self.flex(flex).elem_verts_range()];
            let fine = corners.iter().all(|corner| (0..left).contains(corner));
            ensure(fine, fault("material and texture coordinates"))?;
        }
        Ok(counts)
    }

    /// Elements, edges and surfaces refer to vertices and edges that exist.
    fn validate_flex_topology(&self, flex: usize, counts: &Counts) -> Result {
        let fault = |what: &'static str| move || format!("the {what} of flex {flex} are wrong");
        let Counts { dim, verts, edges, elems } = *counts;
        let below = |count: i32| move |&id: &i32| (0..count).contains(&id);
        let view = self.flex(flex);
        ensure(view.elem_verts().iter().all(below(verts)), fault("elements"))?;
        ensure(view.elem_edges().iter().all(below(edges)), fault("edges of the elements"))?;
        ensure(view.edge_verts().iter().flatten().all(below(verts)), fault("edges"))?;
        let flaps = &self.flex_edgeflap[view.edges.clone()];
        let fine = flaps.iter().all(|&[first, second]| {
            let inside = |id: i32| (-1..verts).contains(&id);
            inside(first) && inside(second) && (second < 0 || first >= 0)
        });
        ensure(fine, fault("flaps"))?;
        let shells = range(self.flex_shelldataadr[flex], self.flex_shellnum[flex] * dim as i32);
        ensure(self.flex_shell[shells].iter().all(below(verts)), fault("surfaces"))?;
        let pairs = range(self.flex_evpairadr[flex], self.flex_evpairnum[flex]);
        let fine = self.flex_evpair[pairs]
            .iter()
            .all(|&[elem, vert]| (0..elems).contains(&elem) && (0..verts).contains(&vert));
        ensure(fine, fault("pairs of elements and vertices"))?;

        let adjacent = self.flex_vertedge.as_flattened();
        for vert in view.verts.clone() {
            let (adr, num) = (self.flex_vertedgeadr[vert], self.flex_vertedgenum[vert]);
            let fine = check_range(adr, num, adjacent.len()).is_ok()
                && adjacent[range(adr, num)].iter().all(below(edges));
            ensure(fine, fault("edges at the vertices"))?;
        }
        Ok(())
    }

    /// Vertices and nodes are on bodies, and the matrix over the nodes is there.
    fn validate_flex_bodies(&self, flex: usize) -> Result {
        let fault = |what: &'static str| move || format!("the {what} of flex {flex} are wrong");
        let view = self.flex(flex);
        let body = |&id: &i32| (id as usize) < self.nbody;
        let vert = |id: &i32| body(id) || (view.order > 0 && *id == -1);
        let fine = view.vert_bodies().iter().all(vert) && view.node_bodies().iter().all(body);
        ensure(fine, fault("bodies"))?;
        let stiffness = view.stiffness();
        let size = (3 * view.nodes.len()).pow(2);
        let soft = stiffness.first().is_none_or(|&first| first == 0.0);
        ensure(view.order == 0 || soft || stiffness.len() >= size, || {
            let least = size.div_ceil(21);
            format!("flex {flex} needs at least {least} elements to hold its stiffness matrix")
        })
    }

    /// The sparsity patterns of the Jacobians of edges and of strains.
    fn validate_flex_jacobians(&self) -> Result {
        let fault = |of: &'static str, i: usize| move || format!("row {i} of {of} is wrong");
        let dof = |&dof: &i32| (dof as usize) < self.nv;
        let fine = self.flexedge_J_colind.iter().all(dof)
            && self.flexvert_J_colind.iter().flatten().all(dof);
        ensure(fine, || "a dof of a flex is out of range".into())?;
        for edge in 0..self.nflexedge {
            let (adr, num) = (self.flexedge_J_rowadr[edge], self.flexedge_J_rownnz[edge]);
            ensure(check_range(adr, num, self.nJfe).is_ok(), fault("flexedge_J", edge))?;
        }
        for vert in 0..self.nflexvert {
            for k in 0..2 {
                let (adr, num) = (self.flexvert_J_rowadr[vert][k], self.flexvert_J_rownnz[vert][k]);
                ensure(check_range(adr, num, 2 * self.nJfv).is_ok(), fault("flexvert_J", vert))?;
            }
        }
        for flex in self.flexes().filter(|flex| flex.needs_edge_jacobian()) {
            let bodies = flex.vert_bodies();
            for (edge, ends) in flex.edges.clone().zip(flex.edge_verts()) {
                let [first, second] = ends.map(|end| bodies[end as usize] as usize);
                let count = merged_chains(self, first, second).count();
                let fine = self.flexedge_J_rownnz[edge] as usize == count;
                ensure(fine, fault("flexedge_J", edge))?;
            }
        }
        Ok(())
    }
}

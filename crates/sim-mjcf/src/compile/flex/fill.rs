//! Sizes and tables of flexes.

use sim_core::Model;
use sim_core::model::{EqType, FlexSelf};

use super::topology::EDGES;
use super::{Flex, Flexes, MINVAL};
use crate::compile::tree::Tree;
use crate::error::Error;
use crate::spec::{Equality, Spec};

/// Entries that the Jacobians of edges and vertices can have.
const MAX_ENTRIES: usize = 1 << 27;

impl Flexes<'_> {
    /// Sets the sizes of the model that count parts of flexes.
    pub(in crate::compile) fn set_sizes(
        &self,
        tree: &Tree,
        model: &mut Model,
    ) -> Result<(), Error> {
        let mut chains = Chains::new(tree);
        for flex in &self.0 {
            model.nflexnode += flex.nodebody.len();
            model.nflexvert += flex.vertbody.len();
            model.nflexedge += flex.topology.edge.len();
            model.nflexelem += flex.stiffness.len();
            model.nflexelemdata += flex.elem.len();
            model.nflexelemedge += flex.topology.elemedge.len();
            model.nflexshelldata += flex.topology.shell.len();
            model.nflexevpair += flex.topology.evpair.len();
            model.nflextexcoord += flex.spec.texcoord.len() / 2;
            if flex.order == 0 && !flex.rigid {
                model.nJfe += flex.edge_entries(&mut chains);
                model.nJfv += flex.vertex_entries(&mut chains);
            }
            if model.nJfe.max(model.nJfv) > MAX_ENTRIES {
                let message = "the bodies of this flex depend on too many others";
                return Err(flex.spec.src.error(message));
            }
        }
        Ok(())
    }

    /// Whether the flex of the given id is rigid.
    pub(in crate::compile) fn is_rigid(&self, id: usize) -> bool {
        self.0[id].rigid
    }

    /// Fills the tables; bodies and bounding volumes of the rest are there already.
    pub(in crate::compile) fn fill(&self, spec: &Spec, model: &mut Model) -> Result<(), Error> {
        let mut next = Next::default();
        for (id, flex) in self.0.iter().enumerate() {
            flex.fill_parameters(id, model);
            model.flex_edgeequality[id] = held(&flex.spec.name, spec.equalities.iter());
            if model.flex_edgeequality[id] == 2 {
                flex.check_flat()?;
            }
            flex.fill_addresses(id, &next, model);
            flex.fill_lists(&next, model);
            flex.fill_volumes(model);
            next.vert += flex.vertbody.len();
            next.node += flex.nodebody.len();
            next.edge += flex.topology.edge.len();
            next.elem += flex.stiffness.len();
            next.elemdata += flex.elem.len();
            next.elemedge += flex.topology.elemedge.len();
            next.shelldata += flex.topology.shell.len();
            next.evpair += flex.topology.evpair.len();
            next.texcoord += flex.spec.texcoord.len() / 2;
        }
        model.nbvhdynamic = model.nbvh - model.nbvhstatic;
        Ok(())
    }
}

/// What holds the edges of the flex called `name`: the first constraint that says so.
fn held<'a>(name: &str, mut equalities: impl Iterator<Item = &'a Equality>) -> i32 {
    let kind = equalities.find_map(|equality| match equality.kind {
        EqType::Flex if equality.name1 == name => Some(1),
        EqType::FlexVert if equality.name1 == name => Some(2),
        _ => None,
    });
    kind.unwrap_or(0)
}

/// Addresses that come next.
#[derive(Default)]
struct Next {
    vert: usize,
    node: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shelldata: usize,
    evpair: usize,
    texcoord: usize,
}

/// Copies values to the place in a table where they belong.
fn copy<T: Copy>(table: &mut [T], at: usize, values: &[T]) {
    table[at..at + values.len()].copy_from_slice(values);
}

impl Flex<'_> {
    /// Checks that a shell whose vertices are held lies in a plane across the z-axis.
    fn check_flat(&self) -> Result<(), Error> {
        if self.dim != 2 || self.rigid || self.order > 0 {
            return Ok(());
        }
        let rise = |&[a, b]: &[i32; 2]| {
            let height = self.vert0[b as usize].z - self.vert0[a as usize].z;
            (height * (2.0 * self.size.z)).abs()
        };
        if self.topology.edge.iter().map(rise).all(|rise| rise <= MINVAL) {
            return Ok(());
        }
        let message = "a flex whose vertices are held must be flat, across the z-axis of the world";
        Err(self.spec.src.error(message).help("hold its edges: equality=\"true\""))
    }

    fn fill_parameters(&self, id: usize, m: &mut Model) {
        let spec = self.spec;
        m.flex_contype[id] = spec.contype;
        m.flex_conaffinity[id] = spec.conaffinity;
        m.flex_condim[id] = spec.condim;
        m.flex_priority[id] = spec.priority;
        m.flex_solmix[id] = spec.solmix;
        m.flex_solref[id] = spec.solref;
        m.flex_solimp[id] = spec.solimp;
        m.flex_friction[id] = spec.friction;
        m.flex_margin[id] = spec.margin;
        m.flex_gap[id] = spec.gap;
        m.flex_internal[id] = spec.internal.into();
        m.flex_selfcollide[id] = spec.selfcollide as i32;
        debug_assert!(FlexSelf::from_i32(m.flex_selfcollide[id]).is_some());
        m.flex_activelayers[id] = spec.activelayers;
        m.flex_passive[id] = spec.passive;
        m.flex_dim[id] = self.dim as i32;
        m.flex_matid[id] = self.matid;
        m.flex_group[id] = spec.group;
        m.flex_interp[id] = self.order as i32;
        m.flex_radius[id] = spec.radius;
        m.flex_size[id] = self.size;
        m.flex_damping[id] = spec.damping;
        m.flex_edgestiffness[id] = spec.edgestiffness;
        m.flex_edgedamping[id] = spec.edgedamping;
        m.flex_rigid[id] = self.rigid.into();
        m.flex_centered[id] = self.centred.into();
        m.flex_flatskin[id] = spec.flatskin.into();
        m.flex_rgba[id] = spec.rgba;
    }

    fn fill_addresses(&self, id: usize, next: &Next, m: &mut Model) {
        let address = |count: usize, at: usize| if count > 0 { at as i32 } else { -1 };
        let topology = &self.topology;
        m.flex_vertadr[id] = next.vert as i32;
        m.flex_vertnum[id] = self.vertbody.len() as i32;
        m.flex_nodeadr[id] = next.node as i32;
        m.flex_nodenum[id] = self.nodebody.len() as i32;
        m.flex_edgeadr[id] = next.edge as i32;
        m.flex_edgenum[id] = topology.edge.len() as i32;
        m.flex_elemadr[id] = next.elem as i32;
        m.flex_elemnum[id] = self.stiffness.len() as i32;
        m.flex_elemdataadr[id] = next.elemdata as i32;
        m.flex_elemedgeadr[id] = next.elemedge as i32;
        m.flex_shellnum[id] = (topology.shell.len() / self.dim) as i32;
        m.flex_shelldataadr[id] = address(topology.shell.len(), next.shelldata);
        m.flex_evpairnum[id] = topology.evpair.len() as i32;
        m.flex_evpairadr[id] = address(topology.evpair.len(), next.evpair);
        m.flex_texcoordadr[id] = address(self.spec.texcoord.len(), next.texcoord);
        m.flex_bvhnum[id] = self.bvh.len() as i32;
        m.flex_bvhadr[id] = address(self.bvh.len(), m.nbvh);
    }

    fn fill_lists(&self, next: &Next, m: &mut Model) {
        let topology = &self.topology;
        copy(&mut m.flex_vertbodyid, next.vert, &self.vertbody);
        copy(&mut m.flex_nodebodyid, next.node, &self.nodebody);
        if !self.centred || self.order > 0 {
            copy(&mut m.flex_vert, next.vert, &self.vert);
        }
        if !self.centred && self.order > 0 {
            copy(&mut m.flex_node, next.node, &self.node);
        }
        copy(&mut m.flex_vert0, next.vert, &self.vert0);
        copy(&mut m.flex_node0, next.node, &self.node0);
        copy(&mut m.flex_edge, next.edge, &topology.edge);
        copy(&mut m.flex_elem, next.elemdata, &self.elem);
        copy(&mut m.flex_elemtexcoord, next.elemdata, &self.elemtexcoord);
        copy(&mut m.flex_elemedge, next.elemedge, &topology.elemedge);
        debug_assert_eq!(topology.elemedge.len(), self.stiffness.len() * EDGES[self.dim - 1].len());
        copy(&mut m.flex_elemlayer, next.elem, &topology.layer);
        copy(&mut m.flex_shell, next.shelldata, &topology.shell);
        copy(&mut m.flex_evpair, next.evpair, &topology.evpair);
        copy(&mut m.flex_stiffness, next.elem, &self.stiffness);
        copy(&mut m.flex_bending, next.edge, &self.bending);
        let texcoord = self.spec.texcoord.as_chunks::<2>().0;
        copy(&mut m.flex_texcoord, next.texcoord, texcoord);

        let bends = self.dim == 2 && self.spec.elastic2d.bends();
        for (e, edge) in topology.edge.iter().enumerate() {
            m.flex_edgeflap[next.edge + e] = match topology.flap.get(e) {
                Some(&[_, _, third, fourth]) if bends => [third, fourth],
                _ => [-1, -1],
            };
            // ends that move together
            let weld = |vertex: i32| {
                let body = self.vertbody[vertex as usize];
                usize::try_from(body).ok().map(|body| m.body_weldid[body])
            };
            let [first, second] = edge.map(weld);
            let rigid = self.rigid || (self.order == 0 && first == second);
            m.flexedge_rigid[next.edge + e] = rigid.into();
        }
    }

    /// Adds the bounding volumes, whose boxes depend on the configuration.
    fn fill_volumes(&self, m: &mut Model) {
        for node in &self.bvh {
            m.bvh_depth.push(node.depth);
            m.bvh_child.push(node.child);
            m.bvh_nodeid.push(node.id);
        }
        m.nbvh += self.bvh.len();
    }

    /// Dofs that move the ends of each edge, over all edges.
    fn edge_entries(&self, chains: &mut Chains) -> usize {
        let edge = |edge: &[i32; 2]| chains.dofs(edge.iter().map(|&v| self.vertbody[v as usize]));
        self.topology.edge.iter().map(edge).sum()
    }

    /// Dofs that move each vertex or one of its neighbours, over all vertices.
    fn vertex_entries(&self, chains: &mut Chains) -> usize {
        let mut near: Vec<Vec<i32>> = self.vertbody.iter().map(|&body| vec![body]).collect();
        for &[first, second] in &self.topology.edge {
            near[first as usize].push(self.vertbody[second as usize]);
            near[second as usize].push(self.vertbody[first as usize]);
        }
        near.into_iter().map(|bodies| chains.dofs(bodies.into_iter())).sum()
    }
}

/// Counts dofs that move bodies.
struct Chains {
    parent: Vec<usize>,
    dofs: Vec<usize>,
    /// The last count that a body was part of.
    seen: Vec<usize>,
    count: usize,
}

impl Chains {
    fn new(tree: &Tree) -> Chains {
        let dofs = |body: &crate::compile::tree::Body| body.joints.iter().map(|j| j.nv()).sum();
        Chains {
            parent: tree.bodies.iter().map(|body| body.parent).collect(),
            dofs: tree.bodies.iter().map(dofs).collect(),
            seen: vec![0; tree.bodies.len()],
            count: 0,
        }
    }

    /// The number of dofs of the given bodies and of all above them.
    fn dofs(&mut self, bodies: impl Iterator<Item = i32>) -> usize {
        self.count += 1;
        let mut total = 0;
        for body in bodies {
            let mut body = body as usize;
            while self.seen[body] != self.count {
                self.seen[body] = self.count;
                total += self.dofs[body];
                body = self.parent[body];
            }
        }
        total
    }
}

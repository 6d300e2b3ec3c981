//! Flexes on a small scale, with known answers. The models are made by hand: vertices on bodies with
//! three slides each, above a plane.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::data::Contact;
use crate::fields::{Array, ArrayMut};
use crate::math::{Quat, Vec3};
use crate::model::{
    Disable, ELEMENT_EDGES, EqType, FlexSelf, GeomType, Integrator, JointType, Model,
};
use crate::{Data, FlexParts, forward, ray_flex, step};

/// What a flex is made of.
struct Soft {
    dim: usize,
    points: Vec<Vec3>,
    elems: Vec<Vec<i32>>,
    /// Vertices that are fixed to the world.
    pins: Vec<usize>,
    radius: f64,
}

impl Soft {
    /// A grid of `n` by `n` points in a plane at height `z`, two triangles for each cell.
    fn cloth(n: usize, spacing: f64, z: f64) -> Soft {
        let at = |i: usize| spacing * (i as f64 - 0.5 * (n as f64 - 1.0));
        let points = (0..n * n).map(|i| Vec3::new(at(i / n), at(i % n), z)).collect();
        let mut elems = Vec::new();
        for (i, j) in (0..n - 1).flat_map(|i| (0..n - 1).map(move |j| (i, j))) {
            let [a, b, c, d] = [i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1];
            elems.push([a, b, c].map(|vert| vert as i32).to_vec());
            elems.push([a, c, d].map(|vert| vert as i32).to_vec());
        }
        Soft { dim: 2, points, elems, pins: vec![], radius: 0.005 }
    }

    fn tetrahedron() -> Soft {
        let points = vec![
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(0.2, 0.0, 1.0),
            Vec3::new(0.0, 0.3, 1.0),
            Vec3::new(0.1, 0.1, 1.25),
        ];
        Soft { dim: 3, points, elems: vec![vec![0, 2, 1, 3]], pins: vec![], radius: 0.005 }
    }

    fn segment() -> Soft {
        let points = vec![Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.5, 0.0, 1.0)];
        Soft { dim: 1, points, elems: vec![vec![0, 1]], pins: vec![0], radius: 0.01 }
    }

    /// Edges as they are first met, and those of each element.
    fn edges(&self) -> (Vec<[i32; 2]>, Vec<i32>) {
        let mut edges: Vec<[i32; 2]> = Vec::new();
        let mut of_elems = Vec::new();
        for elem in &self.elems {
            for &[a, b] in ELEMENT_EDGES[self.dim - 1] {
                let (a, b) = (elem[a].min(elem[b]), elem[a].max(elem[b]));
                let known = edges.iter().position(|&edge| edge == [a, b]);
                of_elems.push(known.unwrap_or(edges.len()) as i32);
                if known.is_none() {
                    edges.push([a, b]);
                }
            }
        }
        (edges, of_elems)
    }

    /// The model, as it is after being written and read.
    fn model(&self) -> Model {
        let mut model = self.unread();
        Model::from_bytes(&model.to_bytes()).map(|read| model = read).expect("a sound model");
        model
    }

    fn unread(&self) -> Model {
        let (edges, elem_edges) = self.edges();
        let verts = self.points.len();
        let bodies: Vec<usize> = (0..verts).filter(|vert| !self.pins.contains(vert)).collect();
        let (n, elems) = (bodies.len(), self.elems.len());
        let volumes = 2 * elems - 1;
        let body_of = |vert: usize| bodies.iter().position(|&v| v == vert).map_or(0, |b| b + 1);
        let rows: Vec<Vec<usize>> = edges
            .iter()
            .map(|edge| {
                let mut ends = edge.map(|vert| body_of(vert as usize));
                ends.sort_unstable();
                let moving = ends.into_iter().filter(|&body| body > 0);
                moving.flat_map(|body| 3 * body - 3..3 * body).collect()
            })
            .collect();
        let mut model = Model {
            nq: 3 * n,
            nv: 3 * n,
            nbody: n + 1,
            njnt: 3 * n,
            ngeom: 1,
            ntree: n,
            nM: 6 * n,
            nC: 3 * n,
            nD: 9 * n,
            nbvh: 1 + volumes,
            nbvhstatic: 1,
            nbvhdynamic: volumes,
            nflex: 1,
            nflexvert: verts,
            nflexedge: edges.len(),
            nflexelem: elems,
            nflexelemdata: elems * (self.dim + 1),
            nflexelemedge: elem_edges.len(),
            nJfe: rows.iter().map(Vec::len).sum(),
            neq: 1,
            nnames: 1,
            ..Model::default()
        };
        model.allocate();
        self.fill_bodies(&mut model, &bodies);
        self.fill_plane(&mut model);

        model.flex_dim = vec![self.dim as i32];
        model.flex_vertnum = vec![verts as i32];
        model.flex_edgenum = vec![edges.len() as i32];
        model.flex_elemnum = vec![elems as i32];
        model.flex_shelldataadr = vec![-1];
        model.flex_evpairadr = vec![-1];
        model.flex_texcoordadr = vec![-1];
        model.flex_matid = vec![-1];
        model.flex_bvhadr = vec![1];
        model.flex_bvhnum = vec![volumes as i32];
        model.flex_radius = vec![self.radius];
        model.flex_centered = vec![u8::from(self.pins.is_empty())];
        model.flex_contype = vec![1];
        model.flex_conaffinity = vec![1];
        model.flex_condim = vec![3];
        model.flex_solmix = vec![1.0];
        model.flex_solref = vec![[0.02, 1.0]];
        model.flex_solimp = vec![[0.9, 0.95, 0.001, 0.5, 2.0]];
        model.flex_friction = vec![[1.0, 0.005, 0.0001]];
        model.flex_activelayers = vec![1];
        model.flex_elem = self.elems.concat();
        model.flex_elemedge = elem_edges;
        for vert in 0..verts {
            model.flex_vertbodyid[vert] = body_of(vert) as i32;
            model.flex_vert[vert] =
                if self.pins.contains(&vert) { self.points[vert] } else { Vec3::ZERO };
        }
        let mut adr = 0;
        for (edge, row) in rows.iter().enumerate() {
            let [a, b] = edges[edge].map(|vert| self.points[vert as usize]);
            model.flexedge_length0[edge] = (b - a).norm();
            model.flexedge_invweight0[edge] = 1.0;
            model.flex_edgeflap[edge] = [-1, -1];
            model.flexedge_J_rowadr[edge] = adr as i32;
            model.flexedge_J_rownnz[edge] = row.len() as i32;
            for &dof in row {
                model.flexedge_J_colind[adr] = dof as i32;
                adr += 1;
            }
        }
        model.flex_edge = edges;
        let mut next = 0;
        fill_volumes(&mut model, 0..elems, 0, &mut next);
        model.eq_type = vec![EqType::Flex as i32];
        model.eq_obj2id = vec![-1];
        model.eq_solref = vec![[0.02, 1.0]];
        model.eq_solimp = vec![[0.9, 0.95, 0.001, 0.5, 2.0]];
        model
    }

    /// Bodies of one kilogram with three slides.
    fn fill_bodies(&self, model: &mut Model, bodies: &[usize]) {
        model.body_quat.fill(Quat::IDENTITY);
        model.body_iquat.fill(Quat::IDENTITY);
        model.body_jntadr[0] = -1;
        model.body_dofadr[0] = -1;
        model.body_treeid[0] = -1;
        model.body_mocapid.fill(-1);
        model.body_geomadr.fill(-1);
        model.body_bvhadr.fill(-1);
        for (tree, &vert) in bodies.iter().enumerate() {
            let body = tree + 1;
            model.body_pos[body] = self.points[vert];
            model.body_rootid[body] = body as i32;
            model.body_weldid[body] = body as i32;
            model.body_treeid[body] = tree as i32;
            model.body_mass[body] = 1.0;
            model.body_subtreemass[body] = 1.0;
            model.body_inertia[body] = Vec3::new(1.0, 1.0, 1.0);
            model.body_invweight0[body] = [1.0, 0.0];
            model.body_simple[body] = 2;
            model.body_jntnum[body] = 3;
            model.body_jntadr[body] = 3 * tree as i32;
            model.body_dofnum[body] = 3;
            model.body_dofadr[body] = 3 * tree as i32;
            model.tree_bodyadr[tree] = body as i32;
            model.tree_bodynum[tree] = 1;
            model.tree_dofadr[tree] = 3 * tree as i32;
            model.tree_dofnum[tree] = 3;
            for k in 0..3 {
                let dof = 3 * tree + k;
                let id = dof as i32;
                model.jnt_type[dof] = JointType::Slide as i32;
                model.jnt_bodyid[dof] = body as i32;
                model.jnt_qposadr[dof] = id;
                model.jnt_dofadr[dof] = id;
                model.jnt_axis[dof] = [Vec3::X, Vec3::Y, Vec3::Z][k];
                model.dof_bodyid[dof] = body as i32;
                model.dof_jntid[dof] = id;
                model.dof_parentid[dof] = if k == 0 { -1 } else { id - 1 };
                model.dof_treeid[dof] = tree as i32;
                model.dof_Madr[dof] = (6 * tree + k * (k + 1) / 2) as i32;
                model.dof_simplenum[dof] = (model.nv - dof) as i32;
                model.dof_invweight0[dof] = 1.0;
                model.dof_M0[dof] = 1.0;
                model.M_rownnz[dof] = 1;
                model.M_rowadr[dof] = id;
                model.M_colind[dof] = id;
                model.mapM2M[dof] = model.dof_Madr[dof];
                model.D_rownnz[dof] = 3;
                model.D_rowadr[dof] = 3 * id;
                model.D_diag[dof] = k as i32;
                model.mapD2M[dof] = 3 * id + k as i32;
                for j in 0..3 {
                    model.D_colind[3 * dof + j] = (3 * tree + j) as i32;
                    model.mapM2D[3 * dof + j] = if j == k { id } else { -1 };
                }
            }
        }
        model.opt.gravity = Vec3::new(0.0, 0.0, -9.81);
        model.opt.timestep = 0.002;
    }

    /// A plane of the world at height zero.
    fn fill_plane(&self, model: &mut Model) {
        model.body_geomnum[0] = 1;
        model.body_geomadr[0] = 0;
        model.body_contype[0] = 1;
        model.body_conaffinity[0] = 1;
        model.body_bvhnum[0] = 1;
        model.body_bvhadr[0] = 0;
        model.bvh_child[0] = [-1; 2];
        model.geom_type = vec![GeomType::Plane as i32];
        model.geom_dataid = vec![-1];
        model.geom_matid = vec![-1];
        model.geom_quat = vec![Quat::IDENTITY];
        model.geom_contype = vec![1];
        model.geom_conaffinity = vec![1];
        model.geom_condim = vec![3];
        model.geom_solmix = vec![1.0];
        model.geom_solref = vec![[0.02, 1.0]];
        model.geom_solimp = vec![[0.9, 0.95, 0.001, 0.5, 2.0]];
        model.geom_friction = vec![[1.0, 0.005, 0.0001]];
    }
}

/// Bounding volumes that split a range of elements in halves.
fn fill_volumes(
    model: &mut Model,
    elems: std::ops::Range<usize>,
    depth: i32,
    next: &mut i32,
) -> i32 {
    let node = *next;
    *next += 1;
    let at = 1 + node as usize;
    model.bvh_depth[at] = depth;
    model.bvh_child[at] = [-1; 2];
    model.bvh_nodeid[at] = -1;
    if elems.len() == 1 {
        model.bvh_nodeid[at] = elems.start as i32;
    } else {
        let middle = elems.start + elems.len() / 2;
        let left = fill_volumes(model, elems.start..middle, depth + 1, next);
        let right = fill_volumes(model, middle..elems.end, depth + 1, next);
        model.bvh_child[at] = [left, right];
    }
    node
}

/// Moves the vertices a little, each in another direction.
fn deform(data: &mut Data, size: f64) {
    for (i, q) in data.qpos.iter_mut().enumerate() {
        *q += size * (1.7 * i as f64 + 0.3).sin();
    }
}

#[test]
fn free_vertices_fall_and_edges_keep_their_length() {
    let model = Soft::cloth(3, 0.1, 5.0).model();
    let mut data = Data::new(&model);
    for _ in 0..10 {
        step(&model, &mut data);
    }
    forward(&model, &mut data);
    let fall = -9.81 * 0.002 * 0.002 * 55.0;
    for vert in &data.flexvert_xpos {
        assert!((vert.z - 5.0 - fall).abs() < 1e-12);
    }
    for (length, rest) in data.flexedge_length.iter().zip(&model.flexedge_length0) {
        assert!((length - rest).abs() < 1e-12);
    }
    assert_eq!(data.ncon, 0);
}

#[test]
fn edge_jacobian_is_the_derivative_of_length_and_its_product_with_velocity_the_rate() {
    let mut soft = Soft::cloth(3, 0.1, 1.0);
    soft.pins = vec![0, 8];
    let mut model = soft.model();
    model.flex_edgedamping = vec![1.0];
    let mut data = Data::new(&model);
    deform(&mut data, 0.01);
    for (i, v) in data.qvel.iter_mut().enumerate() {
        *v = (0.9 * i as f64).cos();
    }
    forward(&model, &mut data);
    let rates = data.flexedge_velocity.clone();
    let h = 1e-6;
    let lengths = [-h, h].map(|h| {
        let mut moved = data.clone();
        for (q, v) in moved.qpos.iter_mut().zip(&data.qvel) {
            *q += h * v;
        }
        forward(&model, &mut moved);
        moved.flexedge_length
    });
    for (edge, rate) in rates.iter().enumerate() {
        let difference = (lengths[1][edge] - lengths[0][edge]) / (2.0 * h);
        assert!((difference - rate).abs() < 1e-8, "{edge}: {difference} {rate}");
    }
}

#[test]
fn a_spring_along_an_edge_stretches_by_force_over_stiffness() {
    let mut model = Soft::segment().model();
    model.flex_edgestiffness = vec![100.0];
    model.flex_edgedamping = vec![20.0];
    model.opt.gravity = Vec3::ZERO;
    let mut data = Data::new(&model);
    data.qfrc_applied[0] = 5.0;
    for _ in 0..3000 {
        step(&model, &mut data);
    }
    assert!((data.qpos[0] - 0.05).abs() < 1e-9);
    let energy = {
        model.opt.enableflags |= crate::model::Enable::Energy as i32;
        forward(&model, &mut data);
        data.energy[0]
    };
    assert!((energy - 0.5 * 100.0 * 0.05 * 0.05).abs() < 1e-9);
}

#[test]
fn dampers_along_edges_are_implicit_in_each_vertex() {
    // two masses of 1 kg with a strong damper; the coupling between them is explicit
    let mut soft = Soft::segment();
    soft.pins.clear();
    let mut model = soft.model();
    model.flex_edgedamping = vec![1000.0];
    model.opt.gravity = Vec3::ZERO;
    model.opt.integrator = Integrator::ImplicitFast as i32;
    let mut data = Data::new(&model);
    data.qvel[0] = 1.0;
    step(&model, &mut data);
    assert!((data.qvel[0] - 1.0 / 3.0).abs() < 1e-12);
    assert!((data.qvel[3] - 2.0 / 3.0).abs() < 1e-12);
}

/// The elastic energy of Saint Venant-Kirchhoff material: `¼ zᵀ K z` with `z = L² − L₀²`.
fn elastic_energy(model: &Model, data: &Data) -> f64 {
    let edges = ELEMENT_EDGES[model.flex_dim[0] as usize - 1].len();
    let mut energy = 0.0;
    for (elem, k) in model.flex_elemedge.chunks(edges).zip(&model.flex_stiffness) {
        let z: Vec<f64> = elem
            .iter()
            .map(|&edge| {
                let edge = edge as usize;
                data.flexedge_length[edge].powi(2) - model.flexedge_length0[edge].powi(2)
            })
            .collect();
        let mut at = 0;
        for i in 0..edges {
            for j in i..edges {
                let twice = if i == j { 1.0 } else { 2.0 };
                energy += 0.25 * twice * k[at] * z[i] * z[j];
                at += 1;
            }
        }
    }
    energy
}

#[test]
fn forces_of_membranes_and_solids_are_the_gradient_of_their_energy() {
    for soft in [Soft::cloth(3, 0.1, 1.0), Soft::tetrahedron()] {
        let mut model = soft.model();
        for (i, k) in model.flex_stiffness.as_flattened_mut().iter_mut().enumerate() {
            *k = 100.0 + 10.0 * (i as f64).sin();
        }
        let mut data = Data::new(&model);
        deform(&mut data, 0.01);
        forward(&model, &mut data);
        let mut net = Vec3::ZERO;
        for force in data.qfrc_spring.chunks(3) {
            net += Vec3::new(force[0], force[1], force[2]);
        }
        assert!(net.norm() < 1e-12);
        let h = 1e-6;
        for dof in 0..model.nv {
            let [less, more] = [-h, h].map(|h| {
                let mut moved = data.clone();
                moved.qpos[dof] += h;
                forward(&model, &mut moved);
                elastic_energy(&model, &moved)
            });
            let slope = (more - less) / (2.0 * h);
            assert!((slope + data.qfrc_spring[dof]).abs() < 1e-7, "{dof}");
        }
    }
}

#[test]
fn springs_and_dampers_switched_off_leave_no_force_but_one_of_them_leaves_it_all() {
    let mut model = Soft::tetrahedron().model();
    model.flex_stiffness[0].fill(100.0);
    model.flex_damping = vec![0.1];
    let mut data = Data::new(&model);
    deform(&mut data, 0.01);
    data.qvel.fill(0.3);
    data.qvel[4] = -0.2;
    forward(&model, &mut data);
    let whole = data.qfrc_spring.clone();
    assert!(whole.iter().any(|force| force.abs() > 1e-3));
    for flag in [Disable::Spring, Disable::Damper] {
        model.opt.disableflags = flag as i32;
        forward(&model, &mut data);
        assert_eq!(data.qfrc_spring, whole);
    }
    model.opt.disableflags = Disable::Spring as i32 | Disable::Damper as i32;
    forward(&model, &mut data);
    assert!(data.qfrc_passive.iter().all(|&force| force == 0.0));
}

#[test]
fn edges_held_by_an_equality_give_a_row_each_and_pull_back() {
    let mut model = Soft::cloth(3, 0.1, 1.0).model();
    model.flex_edgeequality = vec![1];
    let mut data = Data::new(&model);
    data.eq_active.fill(1);
    data.qpos[0] -= 0.01;
    forward(&model, &mut data);
    assert_eq!(data.ne, model.nflexedge);
    for (row, &pos) in data.efc_pos.iter().enumerate() {
        let error = data.flexedge_length[row] - model.flexedge_length0[row];
        assert_eq!(pos, error);
    }
    // the corner that was moved out is pulled in
    assert!(data.qacc[0] > 1.0);
}

#[test]
fn vertices_rest_on_a_plane_with_the_normal_towards_the_flex() {
    let mut soft = Soft::cloth(4, 0.1, 0.0);
    soft.radius = 0.005;
    let model = soft.model();
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!(data.ncon, 16);
    for (vert, contact) in data.contact.iter().enumerate() {
        let Contact { dist, pos, flex, vert: verts, geom, .. } = contact;
        assert!((dist + 0.005).abs() < 1e-15);
        assert_eq!(contact.frame.row(0), Vec3::Z);
        assert_eq!((*geom, *flex, *verts), ([0, -1], [-1, 0], [-1, vert as i32]));
        assert!((pos.z + 0.0025).abs() < 1e-15);
    }
    assert_eq!(data.nefc, 16 * 4);
}

#[test]
fn masks_decide_which_flexes_touch_and_the_plane_of_the_world_counts_as_its_body() {
    let count = |model: &Model| {
        let mut data = Data::new(model);
        forward(model, &mut data);
        data.ncon
    };
    let mut model = Soft::cloth(4, 0.1, 0.0).model();
    model.flex_contype = vec![0];
    assert_eq!(count(&model), 16);
    model.flex_conaffinity = vec![0];
    assert_eq!(count(&model), 0);
    (model.flex_contype, model.flex_conaffinity) = (vec![2], vec![4]);
    assert_eq!(count(&model), 0);
    (model.flex_contype, model.flex_conaffinity) = (vec![1], vec![1]);
    (model.geom_contype, model.geom_conaffinity) = (vec![4], vec![4]);
    assert_eq!(count(&model), 16);
    model.opt.disableflags = Disable::MidPhase as i32;
    assert_eq!(count(&model), 0);
}

#[test]
fn a_cloth_folded_onto_itself_touches_itself_in_every_mode() {
    let mut soft = Soft::cloth(5, 0.1, 1.0);
    soft.radius = 0.02;
    // the far half comes to lie above the near one
    for point in soft.points.iter_mut().filter(|point| point.x > 0.05) {
        point.x = 0.03 - point.x;
        point.z += 0.03;
    }
    let pairs = |mode: FlexSelf, flags: i32| {
        let mut model = soft.model();
        model.flex_selfcollide = vec![mode as i32];
        model.opt.disableflags = flags;
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        let own = data.contact.iter().filter(|contact| contact.flex == [0, 0]);
        own.map(|contact| contact.elem).collect::<Vec<_>>()
    };
    assert!(pairs(FlexSelf::None, 0).is_empty());
    let narrow = pairs(FlexSelf::Narrow, 0);
    assert!(narrow.len() > 10);
    assert!(narrow.is_sorted());
    let same = |other: Vec<[i32; 2]>| {
        let mut other: Vec<_> = other.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        other.sort_unstable();
        other == narrow
    };
    assert!(same(pairs(FlexSelf::Bvh, 0)));
    assert!(same(pairs(FlexSelf::Sap, 0)));
    assert!(same(pairs(FlexSelf::Auto, 0)));
    assert_eq!(pairs(FlexSelf::Sap, Disable::MidPhase as i32), narrow);
}

#[test]
fn a_tetrahedron_turned_inside_out_is_pushed_back_from_within() {
    let mut model = Soft::tetrahedron().model();
    model.flex_internal = vec![1];
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    let before = data.ncon;
    // the top goes through the bottom
    data.qpos[11] -= 0.3;
    forward(&model, &mut data);
    assert!(data.ncon > before);
    let contact = data.contact.iter().find(|contact| contact.vert[1] == 3).expect("a contact");
    assert_eq!((contact.dim, contact.elem), (1, [0, -1]));
    assert!(contact.dist < -0.05);
}

#[test]
fn passive_contacts_push_like_springs_and_make_no_rows() {
    let mut model = Soft::cloth(2, 0.1, 0.0).model();
    model.flex_passive = vec![1];
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    assert_eq!((data.ncon, data.nefc), (4, 0));
    assert!(data.contact.iter().all(|contact| contact.exclude == 4));
    for vert in 0..4 {
        assert!((data.qfrc_spring[3 * vert + 2] - 1e4 * 0.005).abs() < 1e-12);
    }
}

#[test]
fn a_ray_from_above_meets_the_triangle_or_the_edge_below_it() {
    let model = Soft::cloth(3, 0.1, 1.0).model();
    let mut data = Data::new(&model);
    forward(&model, &mut data);
    let origin = Vec3::new(0.07, 0.02, 3.0);
    let shoot = |parts: FlexParts, origin: Vec3| {
        ray_flex(&model, &data, 0, &parts, origin, Vec3::new(0.0, 0.0, -0.5))
    };
    let faces = FlexParts { faces: true, ..FlexParts::default() };
    let hit = shoot(faces, origin).expect("a triangle");
    assert!((hit.distance - 4.0).abs() < 1e-12);
    assert_eq!((hit.vertex, hit.normal.z.abs()), (7, 1.0));
    assert!(shoot(faces, origin + Vec3::X).is_none());
    // an edge is as thick as the radius
    let edges = FlexParts { edges: true, ..FlexParts::default() };
    let hit = shoot(edges, Vec3::new(0.07, 0.0, 3.0)).expect("an edge");
    assert!((hit.distance - 2.0 * 1.995).abs() < 1e-12);
    assert!(shoot(edges, origin).is_none());
    let vertices = FlexParts { vertices: true, ..FlexParts::default() };
    assert_eq!(shoot(vertices, Vec3::new(0.1, 0.0, 3.0)).expect("a vertex").vertex, 7);
}

#[test]
fn broken_tables_are_refused_or_do_no_harm() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut faults = Vec::new();
    let mut refused = 0;
    for soft in [Soft::cloth(3, 0.1, 0.0), Soft::tetrahedron()] {
        let mut whole = soft.unread();
        whole.flex_edgeequality = vec![1];
        whole.flex_selfcollide = vec![FlexSelf::Auto as i32];
        whole.flex_internal = vec![1];
        whole.flex_stiffness.as_flattened_mut().fill(1.0);
        let names = Model::FIELDS.iter().map(|field| field.name);
        for name in names.filter(|name| name.starts_with("flex") || name.starts_with("bvh")) {
            let Some(Array::I32(values)) = whole.array(name) else { continue };
            for at in 0..values.len() {
                for value in [-2, 0, 3, 1 << 20, i32::MAX, i32::MIN] {
                    let mut model = whole.clone();
                    if let Some(ArrayMut::I32(values)) = model.array_mut(name) {
                        values[at] = value;
                    }
                    let outcome = catch_unwind(AssertUnwindSafe(|| {
                        match Model::from_bytes(&model.to_bytes()) {
                            Err(_) => true,
                            Ok(model) => {
                                let mut data = Data::new(&model);
                                data.eq_active.fill(1);
                                step(&model, &mut data);
                                false
                            }
                        }
                    }));
                    match outcome {
                        Ok(was_refused) => refused += usize::from(was_refused),
                        Err(_) => faults.push(format!("{name}[{at}] = {value}")),
                    }
                }
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(faults.is_empty(), "{faults:?}");
    assert!(refused > 500, "{refused}");
}

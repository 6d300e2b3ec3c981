//! Checks of a model that came from outside: every number that is used as an id, address, count
//! or enum lies where it must, and the tables that describe the tree agree with each other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::binary::BinaryError;
use super::*;

type Result<T = ()> = std::result::Result<T, BinaryError>;

/// Levels of a bounding volume hierarchy; rays walk it with a stack of this size.
const MAX_TREE_DEPTH: i32 = 50;

/// Arrays of ids: name, size that bounds them, whether −1 stands for none.
#[rustfmt::skip]
const IDS: &[(&str, &str, bool)] = &[
    ("body_rootid", "nbody", false), ("body_weldid", "nbody", false),
    ("body_mocapid", "nmocap", true), ("body_treeid", "ntree", true),
    ("dof_Madr", "nM", false),
    ("geom_bodyid", "nbody", false), ("geom_matid", "nmat", true),
    ("site_bodyid", "nbody", false), ("site_matid", "nmat", true),
    ("cam_bodyid", "nbody", false), ("cam_targetbodyid", "nbody", true),
    ("light_bodyid", "nbody", false), ("light_targetbodyid", "nbody", true),
    ("light_texid", "ntex", true), ("mat_texid", "ntex", true),
    ("pair_geom1", "ngeom", false), ("pair_geom2", "ngeom", false),
    ("tendon_matid", "nmat", true), ("tendon_treeid", "ntree", true),
    ("skin_matid", "nmat", true), ("skin_bonebodyid", "nbody", false),
    ("skin_bonevertid", "nskinvert", false), ("skin_texcoordadr", "nskintexvert", true),
    ("mesh_graphadr", "nmeshgraph", true),
    ("mapM2M", "nM", false), ("mapM2D", "nC", true), ("mapD2M", "nD", false),
    ("hfield_pathadr", "npaths", true), ("mesh_pathadr", "npaths", true),
    ("skin_pathadr", "npaths", true), ("tex_pathadr", "npaths", true),
    ("B_colind", "nv", false),
];

/// Arrays of addresses with their counts: addresses, counts, size of what they point into. An
/// address may be −1 where the count is zero.
#[rustfmt::skip]
const RANGES: &[(&str, &str, &str)] = &[
    ("body_geomadr", "body_geomnum", "ngeom"), ("body_bvhadr", "body_bvhnum", "nbvhstatic"),
    ("tree_bodyadr", "tree_bodynum", "nbody"), ("tree_dofadr", "tree_dofnum", "nv"),
    ("mesh_vertadr", "mesh_vertnum", "nmeshvert"), ("mesh_faceadr", "mesh_facenum", "nmeshface"),
    ("mesh_bvhadr", "mesh_bvhnum", "nbvhstatic"), ("mesh_octadr", "mesh_octnum", "noct"),
    ("mesh_normaladr", "mesh_normalnum", "nmeshnormal"),
    ("mesh_texcoordadr", "mesh_texcoordnum", "nmeshtexcoord"),
    ("mesh_polyadr", "mesh_polynum", "nmeshpoly"),
    ("mesh_polyvertadr", "mesh_polyvertnum", "nmeshpolyvert"),
    ("mesh_polymapadr", "mesh_polymapnum", "nmeshpolymap"),
    ("skin_vertadr", "skin_vertnum", "nskinvert"), ("skin_faceadr", "skin_facenum", "nskinface"),
    ("skin_boneadr", "skin_bonenum", "nskinbone"),
    ("skin_bonevertadr", "skin_bonevertnum", "nskinbonevert"),
    ("tendon_adr", "tendon_num", "nwrap"), ("actuator_actadr", "actuator_actnum", "na"),
    ("sensor_adr", "sensor_dim", "nsensordata"),
    ("numeric_adr", "numeric_size", "nnumericdata"), ("text_adr", "text_size", "ntextdata"),
    ("tuple_adr", "tuple_size", "ntupledata"), ("B_rowadr", "B_rownnz", "nB"),
];

/// An array of enums: name, and whether a number is a member.
type EnumArray = (&'static str, fn(i32) -> bool);

#[rustfmt::skip]
const ENUM_ARRAYS: &[EnumArray] = &[
    ("jnt_type", |x| JointType::from_i32(x).is_some()),
    ("geom_type", |x| x <= GeomType::Sdf as i32 && GeomType::from_i32(x).is_some()),
    ("site_type", |x| GeomType::from_i32(x).is_some()),
    ("geom_condim", |x| matches!(x, 1 | 3 | 4 | 6)),
    ("pair_dim", |x| matches!(x, 1 | 3 | 4 | 6)),
    ("cam_mode", |x| CamLightMode::from_i32(x).is_some()),
    ("light_mode", |x| CamLightMode::from_i32(x).is_some()),
    ("cam_projection", |x| Projection::from_i32(x).is_some()),
    ("light_type", |x| LightType::from_i32(x).is_some()),
    ("tex_type", |x| TextureType::from_i32(x).is_some()),
    ("eq_type", |x| EqType::from_i32(x).is_some()),
    ("wrap_type", |x| WrapType::from_i32(x).is_some()),
    ("actuator_dyntype", |x| DynType::from_i32(x).is_some()),
    ("actuator_gaintype", |x| GainType::from_i32(x).is_some()),
    ("actuator_biastype", |x| BiasType::from_i32(x).is_some()),
    ("sensor_type", |x| SensorType::from_i32(x).is_some()),
    ("sensor_datatype", |x| DataType::from_i32(x).is_some()),
    ("tree_sleep_policy", |x| SleepPolicy::from_i32(x).is_some()),
];

impl Model {
    /// Says in words why a stage has panicked with `message`: which table of the model is at fault,
    /// if one is.
    pub fn explain(&self, message: &str) -> String {
        // what a check by ourselves says is about the very number; what a slice says is not
        let of_slices =
            ["index", "range", "slice", "attempt to", "capacity", "source slice", "mid"];
        let says_nothing = message.is_empty()
            || of_slices.iter().any(|start| message.starts_with(start))
            || message.contains("`None` value")
            || message.contains("out of range");
        if !says_nothing {
            return message.to_owned();
        }
        match catch_unwind(AssertUnwindSafe(|| self.validate())) {
            Ok(Ok(())) => format!("a number of the data is out of range: {message}"),
            Ok(Err(error)) => format!("a table of the model is wrong: {error} ({message})"),
            Err(_) => format!("a table of the model is wrong: {message}"),
        }
    }

    /// Checks everything that is used as an id, address, count or enum, as after reading a file.
    pub fn check(&self) -> std::result::Result<(), BinaryError> {
        self.validate_sizes(usize::MAX)?;
        self.validate()
    }

    /// Checks the sizes: what they ask for is no more than `limit` bytes.
    pub(super) fn validate_sizes(&self, limit: usize) -> Result {
        ensure(self.nbody > 0, || "there is no world body".into())?;
        let plugins = self.nplugin > 0;
        ensure(!plugins, || "models with plugins are not supported yet".into())?;
        ensure(self.nbvh == self.nbvhstatic + self.nbvhdynamic, || "'nbvh' is no sum".into())?;
        // sizes without an array of the model, which nothing else has bounded
        let largest =
            ["nJmom", "nuserdata", "nsensordata", "nhistory", "npluginstate", "nM", "nbvh"]
                .map(|name| (self.size(name).expect("a size of the table"), name))
                .into_iter()
                .max();
        let about = largest.map_or("", |(_, name)| name);
        self.check_memory(limit).map_err(|error| {
            BinaryError::new(format!("the model is too large ({about} most of all): {error}"))
        })
    }

    /// Checks everything that is used as an id, address, count or enum.
    pub(super) fn validate(&self) -> Result {
        for &(name, size, optional) in IDS {
            let count = self.size(size).expect("a size of the table");
            for (i, &id) in self.integers(name).iter().enumerate() {
                let fine = (id as usize) < count || (optional && id == -1);
                ensure(fine, || format!("{name}[{i}] is {id}: out of range"))?;
            }
        }
        for &(address, count, size) in RANGES {
            let end = self.size(size).expect("a size of the table");
            for (i, (&adr, &num)) in
                self.integers(address).iter().zip(self.integers(count)).enumerate()
            {
                check_range(adr, num, end)
                    .map_err(|_| BinaryError::new(format!("{address}[{i}] is out of range")))?;
            }
        }
        for &(name, is_member) in ENUM_ARRAYS {
            for (i, &number) in self.integers(name).iter().enumerate() {
                ensure(is_member(number), || format!("{name}[{i}] cannot be {number}"))?;
            }
        }
        self.validate_options()?;
        self.validate_tree()?;
        self.validate_patterns()?;
        self.validate_geoms()?;
        self.validate_meshes()?;
        self.validate_flexes()?;
        self.validate_volumes()?;
        self.validate_equalities()?;
        self.validate_tendons()?;
        self.validate_actuators()?;
        self.validate_sensors()?;
        self.validate_names()
    }

    fn integers(&self, name: &str) -> &[i32] {
        match self.array(name) {
            Some(crate::fields::Array::I32(x)) => x,
            _ => panic!("{name} is an array of integers"),
        }
    }

    fn validate_options(&self) -> Result {
        let options = [
            (
                "integrator",
                self.opt.integrator,
                Integrator::from_i32(self.opt.integrator).is_some(),
            ),
            ("cone", self.opt.cone, Cone::from_i32(self.opt.cone).is_some()),
            ("jacobian", self.opt.jacobian, Jacobian::from_i32(self.opt.jacobian).is_some()),
            ("solver", self.opt.solver, Solver::from_i32(self.opt.solver).is_some()),
        ];
        for (name, number, fine) in options {
            ensure(fine, || format!("opt.{name} cannot be {number}"))?;
        }
        Ok(())
    }

    /// Bodies, joints, dofs and kinematic trees: parents come first, and what belongs together
    /// follows each other.
    fn validate_tree(&self) -> Result {
        let (mut jnt, mut dof, mut qpos) = (0, 0, 0);
        // the last dof on the way from each body to the world
        let mut last_dof = vec![-1; self.nbody];
        for body in 0..self.nbody {
            let fault = || format!("the joints and dofs of body {body} do not agree");
            let parent = self.body_parentid[body];
            let ordered = if body == 0 { parent == 0 } else { (0..body as i32).contains(&parent) };
            ensure(ordered, || format!("body_parentid[{body}] is {parent}"))?;
            let fine = self.body_rootid[body] <= body as i32
                && self.body_weldid[body] <= body as i32
                && self.body_jntnum[body] >= 0
                && self.body_jntadr[body]
                    == if self.body_jntnum[body] > 0 { jnt as i32 } else { -1 };
            ensure(fine, fault)?;
            last_dof[body] = if body == 0 { -1 } else { last_dof[parent as usize] };
            let first = dof;
            for _ in 0..self.body_jntnum[body] {
                ensure(jnt < self.njnt, fault)?;
                let fine = self.jnt_bodyid[jnt] == body as i32
                    && self.jnt_dofadr[jnt] == dof as i32
                    && self.jnt_qposadr[jnt] == qpos as i32;
                ensure(fine, fault)?;
                let kind = self.jnt_kind(jnt);
                ensure(dof + kind.dofs() <= self.nv, fault)?;
                for i in dof..dof + kind.dofs() {
                    let fine = self.dof_bodyid[i] == body as i32
                        && self.dof_jntid[i] == jnt as i32
                        && self.dof_parentid[i] == last_dof[body];
                    ensure(fine, fault)?;
                    last_dof[body] = i as i32;
                }
                (jnt, dof, qpos) = (jnt + 1, dof + kind.dofs(), qpos + kind.coordinates());
            }
            let adr = if dof > first { first as i32 } else { -1 };
            let fine = self.body_dofnum[body] == (dof - first) as i32
                && self.body_dofadr[body] == adr
                && (dof == first || self.body_treeid[body] == self.dof_treeid[first]);
            ensure(fine, fault)?;
        }
        ensure((jnt, dof, qpos) == (self.njnt, self.nv, self.nq), || {
            "the counts of joints, dofs and coordinates do not agree".into()
        })?;

        let mut dof = 0;
        for tree in 0..self.ntree {
            for _ in 0..self.tree_dofnum[tree] {
                let fine = self.dof_treeid.get(dof) == Some(&(tree as i32))
                    && self.dof_parentid[dof] < dof as i32
                    && (self.dof_parentid[dof] < 0
                        || self.dof_treeid[self.dof_parentid[dof] as usize] == tree as i32);
                ensure(fine, || format!("dof_treeid[{dof}] does not agree with tree {tree}"))?;
                dof += 1;
            }
            let start = dof as i32 - self.tree_dofnum[tree];
            let fine = self.tree_dofadr[tree] == start && self.tree_dofnum[tree] > 0;
            ensure(fine, || format!("tree {tree} has wrong dofs"))?;
        }
        ensure(dof == self.nv, || "some dofs belong to no tree".into())?;

        let mut mocaps = vec![false; self.nmocap];
        for &mocap in self.body_mocapid.iter().filter(|&&mocap| mocap >= 0) {
            let seen = std::mem::replace(&mut mocaps[mocap as usize], true);
            ensure(!seen, || format!("two bodies have the mocap slot {mocap}"))?;
        }
        Ok(())
    }

    /// The sparsity patterns of `M` and its derivatives, which follow from the tree.
    fn validate_patterns(&self) -> Result {
        let fault = |dof: usize| move || format!("row {dof} of a sparsity pattern is wrong");
        let (mut m, mut d, mut depths) = (0, 0, 0);
        // entries of each row of D that have been seen
        let mut seen = vec![0; self.nv];
        let mut chain = Vec::new();
        for dof in 0..self.nv {
            chain.clear();
            chain.extend(std::iter::successors(Some(dof), |&dof| self.dof_parent(dof)));
            chain.reverse();
            depths += chain.len();

            let simple = self.dof_simplenum[dof];
            ensure(simple >= 0 && dof + simple as usize <= self.nv, fault(dof))?;
            let row = if simple > 0 { &[dof][..] } else { &chain };
            let fine = self.M_rowadr[dof] == m
                && self.M_rownnz[dof] == row.len() as i32
                && m as usize + row.len() <= self.nC
                && self.M_colind[m as usize..]
                    .iter()
                    .zip(row)
                    .all(|(&col, &dof)| col == dof as i32);
            ensure(fine, fault(dof))?;
            m += row.len() as i32;

            let len = self.D_rownnz[dof];
            let fine = self.D_rowadr[dof] == d
                && len >= chain.len() as i32
                && d as usize + len as usize <= self.nD
                && self.D_diag[dof] == chain.len() as i32 - 1;
            ensure(fine, fault(dof))?;
            d += len;
            for (place, &ancestor) in chain.iter().enumerate() {
                // the row of the dof begins with its ancestors, theirs go on with the dof
                let at = self.D_rowadr[dof] as usize + place;
                ensure(self.D_colind[at] == ancestor as i32, fault(dof))?;
                if ancestor == dof {
                    seen[dof] = chain.len();
                } else {
                    let at = self.D_rowadr[ancestor] as usize + seen[ancestor];
                    let fine = seen[ancestor] < self.D_rownnz[ancestor] as usize
                        && self.D_colind[at] == dof as i32;
                    ensure(fine, fault(ancestor))?;
                    seen[ancestor] += 1;
                }
            }
        }
        let complete = (0..self.nv).all(|dof| seen[dof] == self.D_rownnz[dof] as usize);
        let counts = (m as usize, d as usize, depths) == (self.nC, self.nD, self.nM);
        ensure(complete && counts, || "the sparsity patterns do not agree with the tree".into())
    }

    fn validate_geoms(&self) -> Result {
        for geom in 0..self.ngeom {
            let data = self.geom_dataid[geom];
            let (needed, count) = match GeomType::from_i32(self.geom_type[geom]) {
                Some(GeomType::Mesh) => (true, self.nmesh),
                Some(GeomType::Hfield) => (true, self.nhfield),
                Some(GeomType::Sdf) => {
                    return Err(BinaryError::new(
                        "geoms that are signed distance fields are not supported yet",
                    ));
                }
                _ => (false, self.nmesh.max(self.nhfield)),
            };
            let fine = (data as usize) < count || (data == -1 && !needed);
            ensure(fine, || format!("geom_dataid[{geom}] is {data}: out of range"))?;
        }
        for body in 0..self.nbody {
            for geom in self.body_geoms(body) {
                let fine = self.geom_bodyid[geom] == body as i32;
                ensure(fine, || format!("geom {geom} belongs to two bodies"))?;
            }
        }
        for signature in self.pair_signature.iter().chain(&self.exclude_signature) {
            let bodies = [(signature & 0xFFFF) as usize, (signature >> 16) as usize];
            // flexes are numbered after the bodies
            let fine = bodies.iter().all(|&body| body < self.nbody + self.nflex);
            ensure(fine, || "a pair of bodies is out of range".into())?;
        }
        for field in 0..self.nhfield {
            let (rows, columns) = (self.hfield_nrow[field], self.hfield_ncol[field]);
            let fine = rows > 0
                && columns > 0
                && (rows as usize)
                    .checked_mul(columns as usize)
                    .and_then(|len| len.checked_add(self.hfield_adr[field] as usize))
                    .is_some_and(|end| end <= self.nhfielddata);
            ensure(fine && self.hfield_adr[field] >= 0, || {
                format!("the grid of height field {field} is out of range")
            })?;
        }
        for tex in 0..self.ntex {
            let sides = [self.tex_width[tex], self.tex_height[tex], self.tex_nchannel[tex]];
            let len = sides.iter().try_fold(1i64, |len, &side| {
                (side >= 0).then_some(())?;
                len.checked_mul(i64::from(side))
            });
            let fine = self.tex_adr[tex] >= 0
                && len
                    .and_then(|len| len.checked_add(self.tex_adr[tex]))
                    .is_some_and(|end| end <= self.ntexdata as i64);
            ensure(fine, || format!("the image of texture {tex} is out of range"))?;
        }
        Ok(())
    }

    fn validate_meshes(&self) -> Result {
        for mesh in 0..self.nmesh {
            let fault = |what: &'static str| move || format!("the {what} of mesh {mesh} are wrong");
            let below = |count: i32| move |&id: &i32| (0..count).contains(&id);
            let vertices = self.mesh_vertnum[mesh];
            let faces = self.mesh_faces(mesh);
            let fine = self.mesh_face[faces.clone()].iter().flatten().all(below(vertices))
                && self.mesh_facenormal[faces.clone()]
                    .iter()
                    .flatten()
                    .all(below(self.mesh_normalnum[mesh]))
                && (self.mesh_texcoordnum[mesh] == 0
                    || self.mesh_facetexcoord[faces]
                        .iter()
                        .flatten()
                        .all(below(self.mesh_texcoordnum[mesh])));
            ensure(fine, fault("triangles"))?;

            for polygon in self.mesh_polygons(mesh) {
                let corners = range(self.mesh_polyvertadr[polygon], self.mesh_polyvertnum[polygon]);
                let fine =
                    corners.len() >= 3 && self.mesh_polyvert[corners].iter().all(below(vertices));
                ensure(fine, fault("polygons"))?;
            }
            for vertex in self.mesh_vertices(mesh) {
                let polygons = range(self.mesh_polymapadr[vertex], self.mesh_polymapnum[vertex]);
                let fine = self.mesh_polymap[polygons].iter().all(below(self.mesh_polynum[mesh]));
                ensure(fine, fault("polygons"))?;
            }
            if let Ok(start) = usize::try_from(self.mesh_graphadr[mesh]) {
                let fine = is_hull(&self.mesh_graph[start..], vertices);
                ensure(fine, fault("numbers of the convex hull"))?;
            }
        }
        for skin in 0..self.nskin {
            let faces = range(self.skin_faceadr[skin], self.skin_facenum[skin]);
            let vertices = self.skin_vertnum[skin];
            let inside = |&id: &i32| (0..vertices).contains(&id);
            let fine = self.skin_face[faces].iter().flatten().all(inside);
            ensure(fine, || format!("the triangles of skin {skin} are wrong"))?;
        }
        Ok(())
    }

    /// The bounding volume hierarchies: children follow their parent, leaves hold what exists.
    fn validate_volumes(&self) -> Result {
        let bodies = (0..self.nbody)
            .map(|body| (self.body_bvhadr[body], self.body_bvhnum[body], self.ngeom));
        let meshes = (0..self.nmesh).map(|mesh| {
            (self.mesh_bvhadr[mesh], self.mesh_bvhnum[mesh], self.mesh_facenum[mesh] as usize)
        });
        let flexes = (0..self.nflex).map(|flex| {
            (self.flex_bvhadr[flex], self.flex_bvhnum[flex], self.flex_elemnum[flex] as usize)
        });
        for (start, count, leaves) in bodies.chain(meshes).chain(flexes) {
            let volumes = range(start, count);
            for node in volumes.clone() {
                let children = self.bvh_child[node];
                let leaf = self.bvh_nodeid[node];
                let local = (node - volumes.start) as i32;
                let inner = children.iter().all(|child| (local + 1..count).contains(child));
                let fine = (0..=MAX_TREE_DEPTH).contains(&self.bvh_depth[node])
                    && if leaf >= 0 {
                        (leaf as usize) < leaves && children == [-1; 2]
                    } else {
                        leaf == -1
                            && inner
                            && children.iter().all(|&child| {
                                self.bvh_depth[volumes.start + child as usize]
                                    == self.bvh_depth[node] + 1
                            })
                    };
                ensure(fine, || format!("bounding volume {node} is wrong"))?;
            }
        }
        Ok(())
    }

    fn validate_equalities(&self) -> Result {
        for eq in 0..self.neq {
            let bodies = match ObjType::from_i32(self.eq_objtype[eq]) {
                Some(ObjType::Site) => self.nsite,
                _ => self.nbody,
            };
            let (count, optional) = match EqType::from_i32(self.eq_type[eq]) {
                Some(EqType::Connect | EqType::Weld) => (bodies, false),
                Some(EqType::Joint) => (self.njnt, true),
                Some(EqType::Tendon) => (self.ntendon, true),
                Some(EqType::Flex | EqType::FlexVert) => (self.nflex, true),
                _ => return Err(BinaryError::new(format!("equality {eq} is of no known kind"))),
            };
            let (first, second) = (self.eq_obj1id[eq], self.eq_obj2id[eq]);
            let fine = (first as usize) < count
                && ((second as usize) < count || (optional && second == -1));
            ensure(fine, || format!("the objects of equality {eq} are out of range"))?;
        }
        Ok(())
    }

    fn validate_tendons(&self) -> Result {
        for tendon in 0..self.ntendon {
            let wraps = self.tendon_wraps(tendon);
            let fixed = wraps
                .clone()
                .next()
                .is_some_and(|wrap| self.wrap_type[wrap] == WrapType::Joint as i32);
            for wrap in wraps.clone() {
                let id = self.wrap_objid[wrap];
                let kind = WrapType::from_i32(self.wrap_type[wrap]).unwrap_or(WrapType::None);
                let fine = match kind {
                    WrapType::None => false,
                    WrapType::Pulley => !fixed,
                    WrapType::Joint => {
                        fixed && (id as usize) < self.njnt && self.jnt_kind(id as usize).dofs() == 1
                    }
                    WrapType::Site => !fixed && (id as usize) < self.nsite,
                    // a geom has a site before and behind it
                    WrapType::Sphere | WrapType::Cylinder => {
                        let site = |wrap: usize| {
                            wraps.contains(&wrap) && self.wrap_type[wrap] == WrapType::Site as i32
                        };
                        let side = self.wrap_prm[wrap];
                        !fixed
                            && (id as usize) < self.ngeom
                            && site(wrap.wrapping_sub(1))
                            && site(wrap + 1)
                            && (side < 0.0 || (side.round() as usize) < self.nsite)
                            && !side.is_nan()
                    }
                };
                ensure(fine, || format!("path element {wrap} of tendon {tendon} is wrong"))?;
            }
        }
        Ok(())
    }

    fn validate_actuators(&self) -> Result {
        let mut entries = 0usize;
        for actuator in 0..self.nu {
            let [first, second] = self.actuator_trnid[actuator];
            let below = |id: i32, count: usize| (id as usize) < count;
            let (fine, most) = match TrnType::from_i32(self.actuator_trntype[actuator]) {
                Some(TrnType::Joint | TrnType::JointInParent) => (below(first, self.njnt), 6),
                Some(TrnType::Tendon) => (below(first, self.ntendon), self.nv),
                Some(TrnType::Site) => (
                    below(first, self.nsite) && (second == -1 || below(second, self.nsite)),
                    self.nv,
                ),
                Some(TrnType::SliderCrank) => {
                    (below(first, self.nsite) && below(second, self.nsite), self.nv)
                }
                Some(TrnType::Body) => (below(first, self.nbody), self.nv),
                _ => (false, 0),
            };
            ensure(fine, || format!("what actuator {actuator} acts on is out of range"))?;
            entries += match TrnType::from_i32(self.actuator_trntype[actuator]) {
                Some(TrnType::Joint | TrnType::JointInParent) => {
                    self.jnt_kind(first as usize).dofs()
                }
                _ => most,
            };
            let stateful = self.actuator_dyntype[actuator] != DynType::None as i32;
            let fine = !stateful || self.actuator_actnum[actuator] > 0;
            ensure(fine, || format!("actuator {actuator} has dynamics and no activation"))?;
            self.check_history(
                self.actuator_history[actuator],
                self.actuator_historyadr[actuator],
                1,
                self.actuator_delay[actuator],
            )?;
        }
        let joints_only = self.actuator_trntype.iter().all(|&kind| kind <= 1);
        let fine = self.nJmom <= entries && (!joints_only || self.nJmom == entries);
        ensure(fine, || "'nJmom' does not agree with the actuators".into())
    }

    /// A buffer of samples lies within `history`.
    fn check_history(&self, [samples, _]: [i32; 2], adr: i32, dim: usize, delay: f64) -> Result {
        let fault = || "the history of an actuator or sensor is out of range".into();
        if samples == 0 {
            return ensure(delay == 0.0, fault);
        }
        let end = usize::try_from(samples)
            .ok()
            .and_then(|samples| samples.checked_mul(1 + dim))
            .and_then(|len| len.checked_add(2 + usize::try_from(adr).ok()?));
        ensure(end.is_some_and(|end| end <= self.nhistory), fault)
    }

    fn validate_sensors(&self) -> Result {
        for sensor in 0..self.nsensor {
            let fault = || format!("sensor {sensor} measures something that is not there");
            let kind = SensorType::from_i32(self.sensor_type[sensor]).expect("checked before");
            let object = ObjType::from_i32(self.sensor_objtype[sensor]);
            let reference = ObjType::from_i32(self.sensor_reftype[sensor]);
            let (id, refid) = (self.sensor_objid[sensor], self.sensor_refid[sensor]);
            let below = |kind: Option<ObjType>, id: i32| {
                (id as usize) < kind.map_or(0, |kind| self.count(kind))
            };
            let is = |wanted: ObjType| object == Some(wanted) && below(object, id);
            use SensorType::*;
            let fine = match kind {
                Touch | Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer => {
                    is(ObjType::Site)
                }
                CamProjection => {
                    is(ObjType::Site)
                        && reference == Some(ObjType::Camera)
                        && below(reference, refid)
                }
                RangeFinder => is(ObjType::Site) || is(ObjType::Camera),
                JointPos | JointVel | JointActFrc | JointLimitPos | JointLimitVel
                | JointLimitFrc => is(ObjType::Joint),
                BallQuat | BallAngVel => {
                    is(ObjType::Joint) && self.jnt_type[id as usize] == JointType::Ball as i32
                }
                TendonPos | TendonVel | TendonActFrc | TendonLimitPos | TendonLimitVel
                | TendonLimitFrc => is(ObjType::Tendon),
                ActuatorPos | ActuatorVel | ActuatorFrc => is(ObjType::Actuator),
                FramePos | FrameQuat | FrameXAxis | FrameYAxis | FrameZAxis | FrameLinVel
                | FrameAngVel | FrameLinAcc | FrameAngAcc => {
                    spatial(object)
                        && below(object, id)
                        && (refid == -1 || (spatial(reference) && below(reference, refid)))
                }
                SubtreeCom | SubtreeLinVel | SubtreeAngMom => is(ObjType::Body),
                InsideSite => {
                    spatial(object)
                        && below(object, id)
                        && reference == Some(ObjType::Site)
                        && below(reference, refid)
                }
                GeomDist | GeomNormal | GeomFromTo => {
                    let solid = |kind| matches!(kind, Some(ObjType::Body | ObjType::Geom));
                    solid(object)
                        && below(object, id)
                        && solid(reference)
                        && below(reference, refid)
                }
                Contact => {
                    let side = |kind: Option<ObjType>, id| match kind {
                        Some(ObjType::Unknown) => true,
                        Some(ObjType::Site | ObjType::Body | ObjType::XBody | ObjType::Geom) => {
                            below(kind, id)
                        }
                        _ => false,
                    };
                    side(object, id) && side(reference, refid)
                }
                EPotential | EKinetic | Clock | User => true,
                Tactile | Plugin => {
                    return Err(BinaryError::new(format!(
                        "sensors of the kind {kind:?} are not supported yet"
                    )));
                }
            };
            ensure(fine, fault)?;
            let dim = self.sensor_dim[sensor];
            let fine = match self.sensor_len(sensor, kind) {
                Some(len) => dim == len,
                None => dim >= 0,
            };
            ensure(fine, || format!("sensor {sensor} cannot have {dim} numbers"))?;
            let stage = Stage::from_i32(self.sensor_needstage[sensor]);
            let fine = stage.is_some_and(|stage| stage != Stage::None)
                && (kind == User || stage == Some(kind.stage()));
            ensure(fine, || format!("sensor {sensor} belongs to another stage"))?;
            self.check_history(
                self.sensor_history[sensor],
                self.sensor_historyadr[sensor],
                dim as usize,
                self.sensor_delay[sensor],
            )?;
        }
        Ok(())
    }

    /// How many numbers a sensor has; none where that is up to the user.
    fn sensor_len(&self, sensor: usize, kind: SensorType) -> Option<i32> {
        use SensorType::*;
        let [bits, _, slots] = self.sensor_intprm[sensor];
        let sum = |sizes: &[i32]| -> i32 {
            sizes.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 != 0).map(|(_, n)| n).sum()
        };
        Some(match kind {
            CamProjection => 2,
            Accelerometer | Velocimeter | Gyro | Force | Torque | Magnetometer | BallAngVel
            | FramePos | FrameXAxis | FrameYAxis | FrameZAxis | FrameLinVel | FrameAngVel
            | FrameLinAcc | FrameAngAcc | SubtreeCom | SubtreeLinVel | SubtreeAngMom
            | GeomNormal => 3,
            BallQuat | FrameQuat => 4,
            GeomFromTo => 6,
            RangeFinder => {
                let rays = if self.sensor_objtype[sensor] == ObjType::Camera as i32 {
                    let [width, height] = self.cam_resolution[self.sensor_objid[sensor] as usize];
                    width.checked_mul(height).filter(|&rays| rays >= 0).unwrap_or(-1)
                } else {
                    1
                };
                rays.checked_mul(sum(&[1, 3, 3, 3, 3, 1])).unwrap_or(-1)
            }
            Contact => slots.checked_mul(sum(&[1, 3, 3, 1, 3, 3, 3])).unwrap_or(-1),
            Tactile | Plugin | User => return None,
            _ => 1,
        })
    }

    fn validate_names(&self) -> Result {
        let ended = |text: &[crate::fields::Char]| text.last().is_none_or(|last| last.0 == 0);
        ensure(ended(&self.names) && ended(&self.paths), || "a name does not end".into())?;
        for kind in NAMED {
            let fine = self.name_addresses(kind).iter().all(|&adr| (adr as usize) < self.nnames);
            ensure(fine, || format!("the name of a {kind:?} is out of range"))?;
        }
        Ok(())
    }
}

pub(super) fn ensure(fine: bool, message: impl FnOnce() -> String) -> Result {
    if fine { Ok(()) } else { Err(BinaryError::new(message())) }
}

pub(super) fn check_range(adr: i32, num: i32, end: usize) -> std::result::Result<(), ()> {
    let fits = |adr: usize, num: usize| adr.checked_add(num).is_some_and(|last| last <= end);
    match (usize::try_from(adr), usize::try_from(num)) {
        (Ok(adr), Ok(num)) if fits(adr, num) => Ok(()),
        (Err(_), Ok(0)) if adr == -1 => Ok(()),
        _ => Err(()),
    }
}

/// Whether objects of a kind have a frame in space.
fn spatial(kind: Option<ObjType>) -> bool {
    use ObjType::{Body, Camera, Geom, Site, XBody};
    matches!(kind, Some(Body | XBody | Geom | Site | Camera))
}

/// Whether numbers begin with the convex hull of a mesh: counts, where the edges of each vertex
/// start, ids of the vertices, edges (each list ends with −1) and triangles.
fn is_hull(graph: &[i32], vertices: i32) -> bool {
    let [count, faces, rest @ ..] = graph else { return false };
    let (Ok(count), Ok(faces)) = (usize::try_from(*count), usize::try_from(*faces)) else {
        return false;
    };
    let edges = count + 3 * faces;
    if count == 0 || 2 * count + edges + 3 * faces > rest.len() {
        return false;
    }
    let (starts, rest) = rest.split_at(count);
    let (ids, rest) = rest.split_at(count);
    let (edges, rest) = rest.split_at(edges);
    let inside = |&id: &i32| (0..vertices).contains(&id);
    ids.iter().all(inside)
        && rest[..3 * faces].iter().all(inside)
        && edges.last() == Some(&-1)
        && edges.iter().all(|&edge| (-1..count as i32).contains(&edge))
        && starts.iter().all(|&start| (start as usize) < edges.len() && edges[start as usize] >= 0)
}

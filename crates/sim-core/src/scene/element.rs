//! Elements of the model: flexes, skins, geoms, sites, tendons and slider-cranks.

use super::catenary::catenary;
use super::types::{in_group, single};
use super::{Builder, Category, Geom, Label, VisFlag};
use crate::math::{MINVAL, Mat3, Vec3};
use crate::model::{ConstraintType, Disable, Enable, GeomType, ObjType, TrnType};

/// Cells along an infinite plane.
const PLANE_CELLS: f64 = 200.0;
/// Most points along a hanging tendon.
const ROPE_POINTS: usize = 100;
/// Marks a pulley among the points of a tendon's path.
const PULLEY: i32 = -2;

impl Builder<'_> {
    pub(super) fn flexes(&mut self) -> Option<()> {
        let (model, data, opt) = (self.model, self.data, self.opt);
        let parts = [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin];
        if !self.wanted(Category::Dynamic) || !parts.iter().any(|&flag| opt.shows(flag)) {
            return Some(());
        }
        for flex in 0..model.nflex {
            if !in_group(&opt.flexgroup, model.flex_group[flex]) {
                continue;
            }
            let mut geom = self.start(Category::Dynamic, ObjType::Flex, flex);
            let first = data.flexvert_xpos.get(model.flex_vertadr[flex] as usize);
            let first = first.copied().unwrap_or(Vec3::ZERO);
            geom.init(GeomType::Flex as i32, None, first, &Mat3::IDENTITY);
            geom.size[0] = model.flex_radius[flex] as f32;
            self.material(&mut geom, model.flex_matid[flex], model.flex_rgba[flex]);
            if model.flex_texcoordadr[flex] >= 0 {
                geom.texcoord = 1;
            } else {
                geom.matid = -1;
            }
            self.glow(&mut geom, self.pert.flexselect == flex as i32);
            if geom.rgba[3] == 0.0 {
                continue;
            }
            self.label(&mut geom, Label::Flex, ObjType::Flex, flex);
            self.push(geom)?;
        }
        Some(())
    }

    pub(super) fn skins(&mut self) -> Option<()> {
        let (model, data, opt) = (self.model, self.data, self.opt);
        if !self.wanted(Category::Dynamic) || !opt.shows(VisFlag::Skin) {
            return Some(());
        }
        for skin in 0..model.nskin {
            if !in_group(&opt.skingroup, model.skin_group[skin]) {
                continue;
            }
            let mut geom = self.start(Category::Dynamic, ObjType::Skin, skin);
            let body = model.skin_bonebodyid[model.skin_boneadr[skin] as usize] as usize;
            geom.init(GeomType::Skin as i32, None, data.xpos[body], &Mat3::IDENTITY);
            self.material(&mut geom, model.skin_matid[skin], model.skin_rgba[skin]);
            self.glow(&mut geom, self.pert.skinselect == skin as i32);
            geom.texcoord = i32::from(model.skin_texcoordadr[skin] >= 0);
            if geom.rgba[3] == 0.0 {
                continue;
            }
            self.label(&mut geom, Label::Skin, ObjType::Skin, skin);
            self.push(geom)?;
        }
        Some(())
    }

    pub(super) fn geoms(&mut self) -> Option<()> {
        let (model, data, opt) = (self.model, self.data, self.opt);
        let mut planes = 0;
        for id in 0..model.ngeom {
            let kind = model.geom_type[id];
            let plane = planes;
            planes += i32::from(kind == GeomType::Plane as i32);
            let body = model.geom_bodyid[id];
            let category = self.category(body);
            if !self.wanted(category) || !in_group(&opt.geomgroup, model.geom_group[id]) {
                continue;
            }

            let mut geom = self.start(category, ObjType::Geom, id);
            let (pos, mat) = (data.geom_xpos[id], &data.geom_xmat[id]);
            geom.init(kind, Some(model.geom_size[id]), pos, mat);
            geom.dataid = model.geom_dataid[id];
            geom.modelrbound = model.geom_rbound[id] as f32;
            self.material(&mut geom, model.geom_matid[id], model.geom_rgba[id]);
            if opt.shows(VisFlag::Island) {
                self.color_by_island(&mut geom, body as usize);
            }
            if geom.rgba[3] == 0.0 {
                continue;
            }
            self.glow(&mut geom, self.selected(body));
            self.label(&mut geom, Label::Geom, ObjType::Geom, id);
            match GeomType::from_i32(kind) {
                Some(GeomType::Mesh | GeomType::Sdf) => self.mesh(&mut geom, id),
                Some(GeomType::Plane) => {
                    geom.dataid = plane;
                    geom.pos = single(self.recentred(id));
                }
                _ => {}
            }
            self.push(geom)?;
        }
        Some(())
    }

    /// Colours a geom that moves by the island of its body.
    fn color_by_island(&self, geom: &mut Geom, body: usize) {
        let (model, data) = (self.model, self.data);
        let weld = model.body_weldid[body] as usize;
        if model.body_dofnum[weld] == 0 {
            return;
        }
        geom.matid = -1;
        let dof = model.body_dofadr[weld] as usize;
        let island = if data.nisland > 0 { data.dof_island[dof] } else { -1 };
        let mut seed = usize::try_from(island).ok().map(|island| data.island_dofadr[island]);
        let awake = data.body_awake[body] > 0;
        if seed.is_none() && model.enabled(Enable::Sleep) {
            let tree = model.dof_treeid[dof] as usize;
            let tree = if awake { Some(tree) } else { first_of_cycle(&data.tree_asleep, tree) };
            seed = tree.map(|tree| model.tree_dofadr[tree]);
        }
        geom.rgba = self.island_color(seed, awake);
    }

    /// Shows a mesh, or its hull.
    fn mesh(&self, geom: &mut Geom, id: usize) {
        let model = self.model;
        let Ok(mesh) = usize::try_from(model.geom_dataid[id]) else { return };
        geom.texcoord = i32::from(model.mesh_texcoordadr[mesh] >= 0);
        let collides = model.geom_contype[id] != 0 || model.geom_conaffinity[id] != 0;
        let hull = model.mesh_graphadr[mesh] >= 0 && self.opt.shows(VisFlag::ConvexHull);
        geom.dataid = 2 * mesh as i32 + i32::from(hull && collides);
    }

    /// The position of a plane; an infinite one is moved by whole tiles of its texture to be
    /// under the camera.
    fn recentred(&self, id: usize) -> Vec3 {
        let (model, data) = (self.model, self.data);
        let mut pos = data.geom_xpos[id];
        let [left, right] = self.scene.camera.map(|camera| super::types::double(camera.pos));
        let head = (left + right) * 0.5 - pos;
        let size = model.geom_size[id].to_array();
        for k in 0..2 {
            if size[k] > 0.0 {
                continue;
            }
            let axis = data.geom_xmat[id].column(k);
            let step = 2.0 * infinite_tile(model, id, k);
            pos += axis * (step * round(head.dot(axis) / step));
        }
        pos
    }

    pub(super) fn sites(&mut self) -> Option<()> {
        let (model, data, opt) = (self.model, self.data, self.opt);
        for id in 0..model.nsite {
            let body = model.site_bodyid[id];
            let category = self.category(body);
            if !self.wanted(category) || !in_group(&opt.sitegroup, model.site_group[id]) {
                continue;
            }
            let mut geom = self.start(category, ObjType::Site, id);
            let size = Some(model.site_size[id]);
            geom.init(model.site_type[id], size, data.site_xpos[id], &data.site_xmat[id]);
            self.material(&mut geom, model.site_matid[id], model.site_rgba[id]);
            if geom.rgba[3] == 0.0 {
                continue;
            }
            self.glow(&mut geom, self.selected(body));
            self.label(&mut geom, Label::Site, ObjType::Site, id);
            self.push(geom)?;
        }
        Some(())
    }

    pub(super) fn tendons(&mut self) -> Option<()> {
        let (model, opt) = (self.model, self.opt);
        if !self.wanted(Category::Dynamic) || !opt.shows(VisFlag::Tendon) {
            return Some(());
        }
        for tendon in 0..model.ntendon {
            if !in_group(&opt.tendongroup, model.tendon_group[tendon]) {
                continue;
            }
            match self.hanging_length(tendon) {
                Some(length) => self.hanging_tendon(tendon, length)?,
                None => self.straight_tendon(tendon)?,
            }
        }
        Some(())
    }

    /// The length of a tendon that hangs like a rope: between two sites under gravity, with
    /// nothing acting on it but a spring with slack or an upper limit that is not reached.
    fn hanging_length(&self, tendon: usize) -> Option<f64> {
        let (model, data) = (self.model, self.data);
        let [slack, reach] = model.tendon_lengthspring[tendon];
        let [lower, upper] = model.tendon_range[tendon];
        let stiffness = model.tendon_stiffness[tendon];
        let spring = stiffness > 0.0 && slack == 0.0 && reach > 0.0;
        let limit = stiffness == 0.0
            && model.tendon_limited[tendon] == 1
            && lower == 0.0
            && data.ten_length[tendon] < upper;
        let hangs = !model.disabled(Disable::Gravity)
            && model.opt.gravity.norm() > MINVAL
            && model.tendon_num[tendon] == 2
            && spring != limit
            && model.tendon_damping[tendon] == 0.0
            && model.tendon_frictionloss[tendon] == 0.0
            && !(0..model.nu).any(|i| {
                model.actuator_trntype[i] == TrnType::Tendon as i32
                    && model.actuator_trnid[i][0] == tendon as i32
            });
        hangs.then_some(if limit { upper } else { reach })
    }

    fn hanging_tendon(&mut self, tendon: usize, length: f64) -> Option<()> {
        let (model, data) = (self.model, self.data);
        let points: &[Vec3] = bytemuck::cast_slice(&data.wrap_xpos);
        let first = data.ten_wrapadr[tendon] as usize;
        let count = (model.vis.quality.numslices.max(1) as usize + 1).min(ROPE_POINTS);
        let rope = catenary(points[first], points[first + 1], model.opt.gravity, length, count);
        for pair in rope.windows(2) {
            let mut geom = self.start(Category::Dynamic, ObjType::Tendon, tendon);
            geom.connect(GeomType::Capsule, model.tendon_width[tendon], pair[0], pair[1]);
            self.material(&mut geom, model.tendon_matid[tendon], model.tendon_rgba[tendon]);
            self.label(&mut geom, Label::Tendon, ObjType::Tendon, tendon);
            self.push(geom)?;
        }
        Some(())
    }

    fn straight_tendon(&mut self, tendon: usize) -> Option<()> {
        let (model, data) = (self.model, self.data);
        for (nth, segment) in self.tendon_segments(tendon).into_iter().enumerate() {
            let mut geom = self.start(Category::Dynamic, ObjType::Tendon, tendon);
            geom.connect(GeomType::Capsule, segment.width, segment.from, segment.to);
            let matid = model.tendon_matid[tendon];
            let mut rgba = model.tendon_rgba[tendon];
            if matid == -1 && rgba == [0.5, 0.5, 0.5, 1.0] {
                let kind = ConstraintType::LimitTendon as i32;
                rgba =
                    super::mix(rgba, model.vis.rgba.constraint, self.limit_impedance(kind, tendon));
            }
            self.material(&mut geom, matid, rgba);
            if self.opt.shows(VisFlag::Island) {
                geom.matid = -1;
                geom.rgba = self.island_color(self.row_island(data.tendon_efcadr[tendon]), true);
            }
            if nth == 0 && segment.first {
                self.label(&mut geom, Label::Tendon, ObjType::Tendon, tendon);
            }
            self.push(geom)?;
        }
        Some(())
    }

    /// The straight parts of a tendon's path; those inside a wrapping geom are thinner.
    pub(super) fn tendon_segments(&self, tendon: usize) -> Vec<Segment> {
        let (model, data) = (self.model, self.data);
        let points: &[Vec3] = bytemuck::cast_slice(&data.wrap_xpos);
        let objects: &[i32] = bytemuck::cast_slice(&data.wrap_obj);
        let first = data.ten_wrapadr[tendon] as usize;
        let count = data.ten_wrapnum[tendon] as usize;
        let mut segments = Vec::new();
        for j in first..(first + count).saturating_sub(1) {
            let (a, b) = (objects[j], objects[j + 1]);
            if a == PULLEY || b == PULLEY {
                continue;
            }
            let inside = if a >= 0 && b >= 0 { 0.5 } else { 1.0 };
            let width = inside * model.tendon_width[tendon];
            let (from, to) = (points[j], points[j + 1]);
            segments.push(Segment { from, to, width, first: j == first });
        }
        segments
    }

    pub(super) fn slider_cranks(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.wanted(Category::Dynamic) {
            return Some(());
        }
        for id in 0..model.nu {
            if model.actuator_trntype[id] != TrnType::SliderCrank as i32 {
                continue;
            }
            let [crank, slider] = model.actuator_trnid[id].map(|site| site as usize);
            let rod = model.actuator_cranklength[id];
            let axis = data.site_xmat[slider].column(2);
            let reach = data.site_xpos[crank] - data.site_xpos[slider];
            let along = reach.dot(axis);
            let det = along * along + rod * rod - reach.dot(reach);
            let end = data.site_xpos[slider] + axis * (along - det.max(0.0).sqrt());

            let rgba = &model.vis.rgba;
            let width = self.sized(model.vis.scale.slidercrank);
            let mut geom = self.start(Category::Dynamic, ObjType::Actuator, id);
            geom.connect(GeomType::Cylinder, width, data.site_xpos[slider], end);
            geom.rgba = rgba.slidercrank;
            self.label(&mut geom, Label::Actuator, ObjType::Actuator, id);
            self.push(geom)?;

            let mut geom = self.start(Category::Dynamic, ObjType::Actuator, id);
            geom.connect(GeomType::Capsule, width / 2.0, end, data.site_xpos[crank]);
            geom.rgba = if det < 0.0 { rgba.crankbroken } else { rgba.slidercrank };
            self.push(geom)?;
        }
        Some(())
    }
}

/// A straight part of a tendon.
pub(super) struct Segment {
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    pub(super) width: f64,
    /// Whether the path starts here.
    pub(super) first: bool,
}

/// Half the size of a tile of an infinite plane along axis `k`.
fn infinite_tile(model: &crate::Model, geom: usize, k: usize) -> f64 {
    let material = usize::try_from(model.geom_matid[geom]).ok();
    let repeat = material.map_or(0.0, |mat| model.mat_texrepeat[mat][k]);
    if repeat > 0.0 {
        return 2.0 / f64::from(repeat);
    }
    2.1 * f64::from(model.vis.map.zfar) * model.stat.extent / (PLANE_CELLS - 2.0)
}

/// Rounds to the nearest integer, halves upwards.
fn round(x: f64) -> f64 {
    let (lower, upper) = (x.floor(), x.ceil());
    if x - lower < upper - x { lower } else { upper }
}

/// The smallest tree among those that fell asleep together with `tree`.
fn first_of_cycle(asleep: &[i32], tree: usize) -> Option<usize> {
    let (mut smallest, mut current) = (tree, tree);
    for _ in 0..=asleep.len() {
        current = usize::try_from(*asleep.get(current)?).ok()?;
        smallest = smallest.min(current);
        if current == tree {
            return Some(smallest);
        }
    }
    None
}

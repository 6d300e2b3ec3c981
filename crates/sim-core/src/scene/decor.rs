//! Decoration: what users switch on to look into a model.

use super::camera::lens;
use super::types::{in_group, single};
use super::{Builder, Frame, Geom, Label, PerturbBit, VisFlag, mix};
use crate::actuation::actuator_disabled;
use crate::math::{MINVAL, Mat3, Quat, Vec3};
use crate::model::{ConstraintType, EqType, GeomType, JointType, ObjType, Projection, TrnType};

/// Width of lines, in pixels.
const LINE: (GeomType, f64) = (GeomType::Line, 3.0);

impl Builder<'_> {
    pub(super) fn geom_frames(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if self.opt.frame != Frame::Geom as i32 {
            return Some(());
        }
        for id in 0..model.ngeom {
            let shown = self.wanted(self.category(model.geom_bodyid[id]))
                && in_group(&self.opt.geomgroup, model.geom_group[id])
                && self.visible(model.geom_matid[id], model.geom_rgba[id]);
            if shown {
                self.small_frame(id, data.geom_xpos[id], &data.geom_xmat[id])?;
            }
        }
        Some(())
    }

    pub(super) fn site_frames(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if self.opt.frame != Frame::Site as i32 {
            return Some(());
        }
        for id in 0..model.nsite {
            let shown = self.wanted(self.category(model.site_bodyid[id]))
                && in_group(&self.opt.sitegroup, model.site_group[id])
                && self.visible(model.site_matid[id], model.site_rgba[id]);
            if shown {
                self.small_frame(id, data.site_xpos[id], &data.site_xmat[id])?;
            }
        }
        Some(())
    }

    /// Whether an object has any opacity: that of its material, if it has one.
    fn visible(&self, matid: i32, rgba: [f32; 4]) -> bool {
        let rgba = usize::try_from(matid).map_or(rgba, |mat| self.model.mat_rgba[mat]);
        rgba[3] != 0.0
    }

    fn small_frame(&mut self, id: usize, pos: Vec3, mat: &Mat3) -> Option<()> {
        let scale = &self.model.vis.scale;
        let (length, width) = (self.sized(scale.framelength), self.sized(scale.framewidth));
        self.frame(id, pos, mat, length, width)
    }

    pub(super) fn body_tree(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::BodyBvh) {
            return Some(());
        }
        let mut body = 0;
        for node in 0..model.nbvhstatic {
            if !self.node_shown(node) {
                continue;
            }
            while body < model.nbody
                && node as i32 >= model.body_bvhadr[body] + model.body_bvhnum[body]
            {
                body += 1;
            }
            if body >= model.nbody {
                break;
            }
            let geom = model.bvh_nodeid[node];
            let (pos, mat, aabb) = if self.is_leaf(node) {
                let geom = geom as usize;
                (data.geom_xpos[geom], data.geom_xmat[geom], &model.geom_aabb[geom])
            } else {
                (data.xipos[body], data.ximat[body], &model.bvh_aabb[node])
            };
            self.bounding_box(node, pos, &mat, aabb, self.node_color(node))?;
        }
        Some(())
    }

    pub(super) fn flex_tree(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::MeshBvh) {
            return Some(());
        }
        for flex in 0..model.nflex {
            if in_group(&self.opt.flexgroup, model.flex_group[flex]) {
                let first = model.flex_bvhadr[flex].max(0) as usize;
                for node in first..first + model.flex_bvhnum[flex] as usize {
                    if !self.node_shown(node) {
                        continue;
                    }
                    let aabb = &data.bvh_aabb_dyn[node - model.nbvhstatic];
                    let colour = self.node_color(node);
                    self.bounding_box(node, Vec3::ZERO, &Mat3::IDENTITY, aabb, colour)?;
                }
            }
            if model.flex_interp[flex] != 0 {
                self.flex_lattice(flex)?;
            }
        }
        Some(())
    }

    /// The lattice of nodes that an interpolated flex follows.
    fn flex_lattice(&mut self, flex: usize) -> Option<()> {
        let (model, data) = (self.model, self.data);
        let first = model.flex_nodeadr[flex] as usize;
        let node = |i: usize| {
            let body = model.flex_nodebodyid[first + i] as usize;
            let offset = match model.flex_centered[flex] {
                0 => data.xmat[body] * model.flex_node[first + i],
                _ => Vec3::ZERO,
            };
            offset + data.xpos[body]
        };
        let n = model.flex_interp[flex] as usize + 1;
        let rgba = Geom::default().rgba;
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let here = n * n * i + n * j + k;
                    let ends = [(i, n * n), (j, n), (k, 1)];
                    for (_, step) in ends.into_iter().filter(|&(at, _)| at + 1 < n) {
                        let object = (ObjType::Unknown, i);
                        self.connector(object, LINE, node(here), node(here + step), rgba)?;
                    }
                }
            }
        }
        Some(())
    }

    pub(super) fn mesh_tree(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::MeshBvh) {
            return Some(());
        }
        let active = model.vis.global.bvactive != 0;
        for geom in 0..model.ngeom {
            let kind = GeomType::from_i32(model.geom_type[geom]);
            let Some(mesh) = self.mesh_of(geom).filter(|_| kind != Some(GeomType::Sdf)) else {
                continue;
            };
            if model.mesh_octadr[mesh] >= 0 {
                continue;
            }
            let first = model.mesh_bvhadr[mesh].max(0) as usize;
            for node in first..first + model.mesh_bvhnum[mesh] as usize {
                if !self.node_shown(node) || (active && data.bvh_active[node] == 0) {
                    continue;
                }
                let (pos, mat) = (data.geom_xpos[geom], data.geom_xmat[geom]);
                let colour = self.node_color(node);
                self.bounding_box(node, pos, &mat, &model.bvh_aabb[node], colour)?;
            }
        }
        Some(())
    }

    pub(super) fn mesh_octree(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::MeshBvh) {
            return Some(());
        }
        for geom in 0..model.ngeom {
            let Some(mesh) = self.mesh_of(geom).filter(|&mesh| model.mesh_octadr[mesh] >= 0) else {
                continue;
            };
            let first = model.mesh_octadr[mesh] as usize;
            for cell in first..first + model.mesh_octnum[mesh] as usize {
                if model.oct_depth[cell] == self.opt.bvh_depth {
                    let (pos, mat) = (data.geom_xpos[geom], data.geom_xmat[geom]);
                    let colour = model.vis.rgba.bv;
                    self.bounding_box(cell, pos, &mat, &model.oct_aabb[cell], colour)?;
                }
            }
        }
        Some(())
    }

    /// The mesh of a geom, if it has one.
    fn mesh_of(&self, geom: usize) -> Option<usize> {
        let kind = GeomType::from_i32(self.model.geom_type[geom]);
        let mesh = usize::try_from(self.model.geom_dataid[geom]).ok()?;
        (kind != Some(GeomType::Hfield) && mesh < self.model.nmesh).then_some(mesh)
    }

    fn is_leaf(&self, node: usize) -> bool {
        self.model.bvh_child[node] == [-1, -1]
    }

    /// Nodes of the chosen depth are shown, and leaves above it.
    fn node_shown(&self, node: usize) -> bool {
        let (depth, wanted) = (self.model.bvh_depth[node], self.opt.bvh_depth);
        depth == wanted || (self.is_leaf(node) && depth < wanted)
    }

    fn node_color(&self, node: usize) -> [f32; 4] {
        let vis = &self.model.vis;
        let active = vis.global.bvactive != 0 && self.data.bvh_active[node] != 0;
        if active { vis.rgba.bvactive } else { vis.rgba.bv }
    }

    fn bounding_box(
        &mut self,
        id: usize,
        pos: Vec3,
        mat: &Mat3,
        &[x, y, z, a, b, c]: &[f64; 6],
        rgba: [f32; 4],
    ) -> Option<()> {
        let mut geom = self.decor(ObjType::Unknown, id);
        let centre = *mat * Vec3::new(x, y, z) + pos;
        geom.init(GeomType::LineBox as i32, Some(Vec3::new(a, b, c)), centre, mat);
        geom.rgba = rgba;
        self.push(geom)
    }

    /// Boxes or ellipsoids with the inertia of the bodies.
    pub(super) fn inertias(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::Inertia) {
            return Some(());
        }
        let ellipsoid = vis.global.ellipsoidinertia == 1;
        for body in 1..model.nbody {
            let mass = model.body_mass[body];
            if mass <= MINVAL || !self.wanted(self.category(body as i32)) {
                continue;
            }
            let Vec3 { x, y, z } = model.body_inertia[body];
            let scale = if ellipsoid { 5f64 } else { 3.0 }.sqrt();
            let half = |a: f64, b: f64, c: f64| ((a + b - c) / (2.0 * mass)).sqrt() * scale;
            let mut size = Vec3::new(half(y, z, x), half(x, z, y), half(x, y, z));
            if self.opt.shows(VisFlag::ScaleInertia) {
                // the size that has this mass at the density of water
                let unit = if ellipsoid { 4.0 / 3.0 * std::f64::consts::PI } else { 8.0 };
                let density = mass / (unit * size.x * size.y * size.z).max(MINVAL);
                size *= libm::pow(density * 0.001, 1.0 / 3.0);
            }
            let kind = if ellipsoid { GeomType::Ellipsoid } else { GeomType::Box };
            let mut geom = self.decor(ObjType::Body, body);
            geom.init(kind as i32, Some(size), data.xipos[body], &data.ximat[body]);
            geom.rgba = vis.rgba.inertia;
            let selected = self.pert.select == body as i32;
            self.glow(&mut geom, selected);
            let wanted = if selected { Label::Selection } else { Label::Body };
            self.label(&mut geom, wanted, ObjType::Body, body);
            self.label(&mut geom, Label::Body, ObjType::Body, body);
            self.push(geom)?;
        }
        Some(())
    }

    /// What the user drags the selected body with.
    pub(super) fn perturbation(&mut self) -> Option<()> {
        let (model, data, vis, pert) = (self.model, self.data, &self.model.vis, self.pert);
        let Some(body) = self.selection().filter(|_| self.opt.shows(VisFlag::PerturbObject)) else {
            return Some(());
        };
        let active =
            |bit: PerturbBit| [pert.active, pert.active2].map(|active| active & bit as i32 != 0);
        if active(PerturbBit::Translate) != [false; 2] {
            let rgba = mixed(vis.rgba.constraint, active(PerturbBit::Translate));
            let width = self.sized(vis.scale.constraint);
            let object = (ObjType::Unknown, body);
            let point = self.selected_point(body);
            self.connector(object, (GeomType::Capsule, width), point, pert.refselpos, rgba)?;
            let mut geom = self.decor(ObjType::Unknown, body);
            let size = Some(Vec3::new(2.0 * width, 0.0, 0.0));
            geom.init(GeomType::Sphere as i32, size, pert.refselpos, &pert.refquat.to_mat());
            geom.rgba = rgba;
            self.push(geom)?;
        }
        if active(PerturbBit::Rotate) != [false; 2] {
            let mut geom = self.decor(ObjType::Unknown, body);
            let (mut size, mut centre) =
                (Vec3::new(1.0, 1.0, 1.0) * model.stat.meansize, Vec3::ZERO);
            if model.body_bvhnum[body] > 0 {
                let [x, y, z, a, b, c] = model.bvh_aabb[model.body_bvhadr[body] as usize];
                size = Vec3::new(a, b, c);
                centre = data.ximat[body] * Vec3::new(x, y, z);
            }
            let pos = centre + data.xipos[body];
            geom.init(GeomType::Box as i32, Some(size), pos, &pert.refquat.to_mat());
            geom.rgba = mixed(vis.rgba.inertia, active(PerturbBit::Rotate));
            self.push(geom)?;
        }
        Some(())
    }

    /// Frames of the world or the bodies.
    pub(super) fn body_frames(&mut self) -> Option<()> {
        let (model, data, scale) = (self.model, self.data, &self.model.vis.scale);
        let bodies = match Frame::from_i32(self.opt.frame) {
            Some(Frame::World) => 0..1,
            Some(Frame::Body) => 1..model.nbody,
            _ => return Some(()),
        };
        for body in bodies {
            if body > 0 && !self.wanted(self.category(body as i32)) {
                continue;
            }
            let factor = if body == 0 { 2.0 } else { 1.0 };
            let length = self.sized(scale.framelength) * factor;
            let width = self.sized(scale.framewidth) * factor;
            let (pos, mat) = match self.opt.shows(VisFlag::Inertia) {
                true => (data.xipos[body], &data.ximat[body]),
                false => (data.xpos[body], &data.xmat[body]),
            };
            self.frame(body, pos, mat, length, width)?;
        }
        Some(())
    }

    pub(super) fn selection_point(&mut self) -> Option<()> {
        let vis = &self.model.vis;
        let Some(body) = self.selection().filter(|_| self.opt.shows(VisFlag::Select)) else {
            return Some(());
        };
        let (point, local) = (self.selected_point(body), self.pert.localpos);
        let mut geom = self.decor(ObjType::Unknown, body);
        geom.kind = GeomType::Sphere as i32;
        geom.size = [self.sized(vis.scale.selectpoint) as f32; 3];
        geom.pos = single(point);
        geom.rgba = vis.rgba.selectpoint;
        if self.opt.label == Label::SelectionPoint as i32 {
            let text = |v: Vec3| format!("{:.3} {:.3} {:.3}", v.x, v.y, v.z);
            geom.set_text(&format!("{} (local {})", text(point), text(local)));
        }
        self.push(geom)
    }

    pub(super) fn body_labels(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        let label = Label::from_i32(self.opt.label);
        let labelled = matches!(label, Some(Label::Selection | Label::Body));
        if self.opt.shows(VisFlag::Inertia) || !labelled {
            return Some(());
        }
        for body in 1..model.nbody {
            let passed = label == Some(Label::Selection) && self.pert.select != body as i32;
            if passed || !self.wanted(self.category(body as i32)) {
                continue;
            }
            let mut geom = self.decor(ObjType::Unknown, body);
            geom.kind = GeomType::Label as i32;
            geom.pos = single(data.xpos[body]);
            geom.mat = data.xmat[body].0.map(|x| x as f32);
            geom.set_text(&self.name(ObjType::Body, body));
            self.push(geom)?;
        }
        Some(())
    }

    pub(super) fn joints(&mut self) -> Option<()> {
        let (model, vis) = (self.model, &self.model.vis);
        if !self.opt.shows(VisFlag::Joint) {
            return Some(());
        }
        for jnt in 0..model.njnt {
            if !in_group(&self.opt.jointgroup, model.jnt_group[jnt]) {
                continue;
            }
            let mut geom = self.decor(ObjType::Joint, jnt);
            let length = self.sized(vis.scale.jointlength);
            self.joint_shape(
                &mut geom,
                jnt,
                length,
                self.sized(vis.scale.jointwidth),
                0.3 * length,
            );
            let limit = self.limit_impedance(ConstraintType::LimitJoint as i32, jnt);
            geom.rgba = mix(vis.rgba.joint, vis.rgba.constraint, limit);
            geom.rgba[3] = 1.0;
            self.label(&mut geom, Label::Joint, ObjType::Joint, jnt);
            self.push(geom)?;
        }
        Some(())
    }

    /// The shape that stands for a joint: a box or ball, or an arrow along its axis.
    fn joint_shape(&self, geom: &mut Geom, jnt: usize, length: f64, width: f64, ball: f64) {
        let (model, data) = (self.model, self.data);
        let anchor = data.xanchor[jnt];
        let kind = match model.jnt_kind(jnt) {
            JointType::Free => GeomType::Box,
            JointType::Ball => GeomType::Sphere,
            JointType::Slide => GeomType::Arrow,
            JointType::Hinge => GeomType::Arrow1,
        };
        if matches!(kind, GeomType::Box | GeomType::Sphere) {
            let body = model.jnt_bodyid[jnt] as usize;
            geom.kind = kind as i32;
            geom.size = [ball as f32; 3];
            geom.pos = single(anchor);
            geom.mat = data.xmat[body].0.map(|x| x as f32);
        } else {
            geom.connect(kind, width, anchor, anchor + data.xaxis[jnt] * length);
        }
    }

    pub(super) fn actuators(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::Actuator) {
            return Some(());
        }
        for id in 0..model.nu {
            let group = in_group(&self.opt.actuatorgroup, model.actuator_group[id]);
            if !group || actuator_disabled(model, id) {
                continue;
            }
            let rgba = self.actuator_color(id);
            let object = model.actuator_trnid[id][0] as usize;
            let mut geom = self.decor(ObjType::Actuator, id);
            match TrnType::from_i32(model.actuator_trntype[id]) {
                Some(TrnType::Joint | TrnType::JointInParent) => {
                    let length = self.sized(vis.scale.actuatorlength);
                    let width = self.sized(vis.scale.actuatorwidth);
                    let ball = self.sized(vis.scale.jointlength) * 0.33;
                    self.joint_shape(&mut geom, object, length, width, ball);
                    geom.rgba = rgba;
                    self.label(&mut geom, Label::Actuator, ObjType::Actuator, id);
                    self.push(geom)?;
                }
                Some(TrnType::Site) => {
                    let size = Some(model.site_size[object] * 1.05);
                    let (pos, mat) = (data.site_xpos[object], &data.site_xmat[object]);
                    geom.init(model.site_type[object], size, pos, mat);
                    geom.rgba = rgba;
                    self.label(&mut geom, Label::Actuator, ObjType::Actuator, id);
                    self.push(geom)?;
                }
                Some(TrnType::Body) => self.actuated_body(id, object, rgba)?,
                Some(TrnType::Tendon) => {
                    for segment in self.tendon_segments(object) {
                        let mut geom = self.decor(ObjType::Actuator, id);
                        let width = segment.width * f64::from(vis.map.actuatortendon);
                        geom.connect(GeomType::Capsule, width, segment.from, segment.to);
                        let matid = model.tendon_matid[object];
                        self.material(&mut geom, matid, model.tendon_rgba[object]);
                        geom.rgba = rgba;
                        if segment.first {
                            self.label(&mut geom, Label::Actuator, ObjType::Actuator, id);
                        }
                        self.push(geom)?;
                    }
                }
                _ => {}
            }
        }
        Some(())
    }

    /// Shells around the simple geoms of a body with an adhesion actuator.
    fn actuated_body(&mut self, id: usize, body: usize, rgba: [f32; 4]) -> Option<()> {
        let (model, data) = (self.model, self.data);
        for k in model.body_geoms(body) {
            use GeomType::{Hfield, Mesh, Plane, Sdf};
            if let Some(Plane | Hfield | Mesh | Sdf) = GeomType::from_i32(model.geom_type[k]) {
                continue;
            }
            let mut geom = self.decor(ObjType::Actuator, id);
            let size = Some(model.geom_size[k] * 1.05);
            geom.init(model.geom_type[k], size, data.geom_xpos[k], &data.geom_xmat[k]);
            geom.rgba = rgba;
            self.push(geom)?;
        }
        Some(())
    }

    /// The colour of an actuator: from negative over neutral to positive, by control or activation.
    fn actuator_color(&self, id: usize) -> [f32; 4] {
        let (model, data, rgba) = (self.model, self.data, &self.model.vis.rgba);
        let activation = self.opt.shows(VisFlag::Activation);
        let [low, high] = if model.actuator_ctrllimited[id] != 0 {
            model.actuator_ctrlrange[id]
        } else if activation && model.actuator_actlimited[id] != 0 {
            model.actuator_actrange[id]
        } else {
            [-1.0, 1.0]
        };
        let [mut low, zero, mut high] = if low >= 0.0 {
            [-1.0, low, high]
        } else if high <= 0.0 {
            [low, high, 1.0]
        } else {
            [low, 0.0, high]
        };
        if zero - low < MINVAL {
            low = zero - MINVAL;
        }
        if high - zero < MINVAL {
            high = zero + MINVAL;
        }
        let value = match model.actuator_acts(id).next_back() {
            Some(last) if activation && model.actuator_dyntype[id] != 0 => data.act[last],
            _ => data.ctrl[id],
        };
        let value = value.max(low).min(high);
        let (end, part) = if value <= zero {
            (rgba.actuatornegative, (zero - value) / (zero - low).max(MINVAL))
        } else {
            (rgba.actuatorpositive, (value - zero) / (high - zero).max(MINVAL))
        };
        let part = part as f32;
        std::array::from_fn(|i| part * end[i] + (1.0 - part) * rgba.actuator[i])
    }

    pub(super) fn island_labels(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if self.opt.label != Label::Island as i32 || data.nisland == 0 {
            return Some(());
        }
        for body in 1..model.nbody {
            let weld = model.body_weldid[body] as usize;
            if model.body_dofnum[weld] == 0 {
                continue;
            }
            let island = data.dof_island[model.body_dofadr[weld] as usize];
            if island < 0 {
                continue;
            }
            let mut geom = self.decor(ObjType::Unknown, body);
            geom.kind = GeomType::Label as i32;
            geom.pos = single(data.xipos[body]);
            geom.mat = data.ximat[body].0.map(|x| x as f32);
            geom.set_text(&island.to_string());
            self.push(geom)?;
        }
        Some(())
    }

    pub(super) fn cameras(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::Camera) {
            return Some(());
        }
        for cam in 0..model.ncam {
            let mut rgba = vis.rgba.camera;
            let [width, height] = model.cam_resolution[cam];
            if width > 1 || height > 1 {
                rgba[3] = 0.3;
                self.camera_frustum(cam)?;
            }
            let (pos, mat) = (data.cam_xpos[cam], &data.cam_xmat[cam]);
            let size = self.sized(vis.scale.camera);
            let mut geom = self.decor(ObjType::Camera, cam);
            geom.init(GeomType::Box as i32, Some(Vec3::new(1.0, 0.8, 0.4) * size), pos, mat);
            geom.rgba = rgba;
            self.label(&mut geom, Label::Camera, ObjType::Camera, cam);
            self.push(geom)?;

            let mut geom = self.decor(ObjType::Camera, cam);
            let front = pos - mat.column(2) * (0.6 * size);
            let lens = Some(Vec3::new(0.4 * size, 0.3 * size, 0.0));
            geom.init(GeomType::Cylinder as i32, lens, front, mat);
            geom.rgba = [0.5 * rgba[0], 0.5 * rgba[1], 0.5 * rgba[2], rgba[3]];
            self.push(geom)?;
            if self.opt.frame == Frame::Camera as i32 {
                self.small_frame(cam, pos, mat)?;
            }
        }
        Some(())
    }

    /// What a camera sees: the sides of its frustum and their edges.
    fn camera_frustum(&mut self, cam: usize) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        let near = f64::from(vis.map.znear) * model.stat.extent;
        let mut far = self.sized(vis.scale.frustum);
        let [width, height] = model.cam_resolution[cam].map(|n| n as f32);
        let aspect = width / height;
        let fovy = model.cam_fovy[cam];
        let sensor = model.cam_sensorsize[cam];
        let parallel = model.cam_projection[cam] == Projection::Orthographic as i32;
        let (vertical, horizontal) = if parallel {
            let half = (fovy / 2.0) as f32;
            ([half; 2], [(fovy * f64::from(aspect) / 2.0) as f32; 2])
        } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
            lens(near as f32, model.cam_intrinsic[cam], sensor)
        } else {
            let half = (near * libm::tan(fovy * std::f64::consts::PI / 360.0)) as f32;
            ([half; 2], [half * aspect; 2])
        };

        let (pos, mat) = (data.cam_xpos[cam], &data.cam_xmat[cam]);
        let corners = |depth: f64, factor: f64| {
            let [below, above] = vertical.map(|x| factor * f64::from(x));
            let [left, right] = horizontal.map(|x| factor * f64::from(x));
            [(-left, -below), (right, -below), (right, above), (-left, above)]
                .map(|(x, y)| *mat * Vec3::new(x, y, -depth) + pos)
        };
        let close = corners(near, 1.0);
        let distant = if parallel {
            far = f64::from(horizontal[0] + vertical[0]) / 2.0;
            corners(far, 1.0)
        } else {
            corners(far, far / near)
        };
        let (object, rgba) = ((ObjType::Camera, cam), vis.rgba.frustum);
        for e in 0..4 {
            let next = (e + 1) % 4;
            self.triangle(object, [close[e], distant[e], close[next]], rgba)?;
            self.triangle(object, [distant[e], distant[next], close[next]], rgba)?;
            self.connector(object, LINE, close[e], close[next], rgba)?;
            self.connector(object, LINE, distant[e], distant[next], rgba)?;
            self.connector(object, LINE, close[e], distant[e], rgba)?;
        }
        Some(())
    }

    /// A triangle: its first corner, two edges and the normal; their lengths are its size.
    pub(super) fn triangle(
        &mut self,
        (objtype, objid): (ObjType, usize),
        [a, b, c]: [Vec3; 3],
        rgba: [f32; 4],
    ) -> Option<()> {
        let (e1, length1) = (b - a).normalized();
        let (e2, length2) = (c - a).normalized();
        let (normal, area) = (b - a).cross(c - a).normalized();
        let mut geom = self.decor(objtype, objid);
        let size = Some(Vec3::new(length1, length2, area));
        geom.init(GeomType::Triangle as i32, size, a, &Mat3::from_columns(e1, e2, normal));
        geom.rgba = rgba;
        self.push(geom)
    }

    pub(super) fn lights(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::Light) {
            return Some(());
        }
        for light in 0..model.nlight {
            let (pos, dir) = (data.light_xpos[light], data.light_xdir[light]);
            let mat = Quat::from_z_to(dir).to_mat();
            let size = self.sized(vis.scale.light);
            // behind the light, so as not to cast a shadow
            let back = pos + dir * (-size - 0.0001);
            let mut geom = self.decor(ObjType::Light, light);
            let shape = Some(Vec3::new(0.8 * size, size, 0.0));
            geom.init(GeomType::Cylinder as i32, shape, back, &mat);
            geom.rgba = vis.rgba.light;
            self.label(&mut geom, Label::Light, ObjType::Light, light);
            self.push(geom)?;
            if self.opt.frame == Frame::Light as i32 {
                self.small_frame(light, pos, &mat)?;
            }
        }
        Some(())
    }

    /// Centres of mass of the trees of bodies.
    pub(super) fn centers_of_mass(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::CenterOfMass) {
            return Some(());
        }
        for body in 1..model.nbody {
            if model.body_rootid[body] != body as i32 {
                continue;
            }
            let mut geom = self.decor(ObjType::Unknown, body);
            geom.kind = GeomType::Sphere as i32;
            geom.size = [self.sized(vis.scale.com) as f32; 3];
            geom.pos = single(data.subtree_com[body]);
            geom.rgba = vis.rgba.com;
            self.push(geom)?;
        }
        Some(())
    }

    /// Rods from body to body, through the joints.
    pub(super) fn connections(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::AutoConnect) {
            return Some(());
        }
        let rod = (GeomType::Capsule, self.sized(vis.scale.connect));
        for body in 1..model.nbody {
            let parent = model.body_parent(body);
            if parent == 0 {
                continue;
            }
            let joints = model.body_jnts(body).rev().map(|jnt| data.xanchor[jnt]);
            let mut from = data.xipos[body];
            for to in joints.chain([data.xipos[parent]]) {
                let object = (ObjType::Unknown, body);
                self.connector(object, rod, from, to, vis.rgba.connect)?;
                from = to;
            }
        }
        Some(())
    }

    /// Arrows for the forces that users apply.
    pub(super) fn applied_forces(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::PerturbForce) {
            return Some(());
        }
        let scale = f64::from(vis.map.force) / model.stat.meanmass;
        for body in 1..model.nbody {
            let [x, y, z, ..] = data.xfrc_applied[body];
            let force = Vec3::new(x, y, z);
            if force.norm() <= MINVAL {
                continue;
            }
            let arrow = (GeomType::Arrow, self.sized(vis.scale.forcewidth));
            let from = data.xipos[body];
            let object = (ObjType::Unknown, body);
            self.connector(object, arrow, from, from + force * scale, vis.rgba.force)?;
        }
        Some(())
    }

    /// Balls at both ends of connect and weld constraints.
    pub(super) fn equalities(&mut self) -> Option<()> {
        let (model, data, vis) = (self.model, self.data, &self.model.vis);
        if !self.opt.shows(VisFlag::Constraint) {
            return Some(());
        }
        for eq in 0..model.neq {
            // a weld has its anchor on the second body first
            let anchors = match EqType::from_i32(model.eq_type[eq]) {
                Some(EqType::Connect) => [0, 3],
                Some(EqType::Weld) => [3, 0],
                _ => continue,
            };
            if data.eq_active[eq] == 0 {
                continue;
            }
            let ids = [model.eq_obj1id[eq], model.eq_obj2id[eq]].map(|id| id as usize);
            let colours = [vis.rgba.connect, vis.rgba.constraint];
            for ((id, anchor), rgba) in ids.into_iter().zip(anchors).zip(colours) {
                let (pos, mat) = if model.eq_objtype[eq] == ObjType::Site as i32 {
                    (data.site_xpos[id], &data.site_xmat[id])
                } else {
                    let [x, y, z] = [0, 1, 2].map(|i| model.eq_data[eq][anchor + i]);
                    (data.xmat[id] * Vec3::new(x, y, z) + data.xpos[id], &data.xmat[id])
                };
                let mut geom = self.decor(ObjType::Equality, eq);
                let size = Some(Vec3::new(self.sized(vis.scale.constraint), 0.0, 0.0));
                geom.init(GeomType::Sphere as i32, size, pos, mat);
                geom.rgba = rgba;
                self.label(&mut geom, Label::Constraint, ObjType::Equality, eq);
                self.push(geom)?;
            }
        }
        Some(())
    }
}

/// The colour of a perturbation: the second one swaps red and green.
fn mixed([r, g, b, a]: [f32; 4], active: [bool; 2]) -> [f32; 4] {
    let one = |colour: f32, other: f32| {
        let first = if active[0] { colour } else { 0.0 };
        if active[1] { first.max(other) } else { first }
    };
    [one(r, g), one(g, r), b, a]
}

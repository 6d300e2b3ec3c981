//! Vertices of flexes and skins, in the world.

use super::types::{double, in_group, single};
use super::{Flexes, Skins, VisFlag, VisOption};
use crate::math::{MINVAL, Quat, Vec3};
use crate::{Data, Model};

impl Flexes {
    pub(super) fn new(model: &Model) -> Flexes {
        let facenum: Vec<i32> = (0..model.nflex).map(|flex| most_faces(model, flex)).collect();
        let faceadr = facenum.iter().scan(0, |sum, &n| Some(std::mem::replace(sum, *sum + n)));
        let faces: usize = facenum.iter().map(|&n| n as usize).sum();
        Flexes {
            edgeadr: model.flex_edgeadr.clone(),
            edgenum: model.flex_edgenum.clone(),
            vertadr: model.flex_vertadr.clone(),
            vertnum: model.flex_vertnum.clone(),
            faceadr: faceadr.collect(),
            faceused: vec![0; model.nflex],
            edge: model.flex_edge.clone(),
            vert: vec![[0.0; 3]; model.nflexvert],
            face: vec![[0.0; 3]; 3 * faces],
            normal: vec![[0.0; 3]; 3 * faces],
            texcoord: vec![[0.0; 2]; 3 * faces],
            facenum,
            ..Flexes::default()
        }
    }

    /// Computes vertices and faces: elements, or a smooth skin around them.
    #[doc(alias = "mjv_updateActiveFlex")]
    pub(super) fn update(&mut self, model: &Model, data: &Data, opt: &VisOption) {
        self.vertopt = opt.shows(VisFlag::FlexVert);
        self.edgeopt = opt.shows(VisFlag::FlexEdge);
        self.faceopt = opt.shows(VisFlag::FlexFace);
        self.skinopt = opt.shows(VisFlag::FlexSkin);
        for (vert, &pos) in self.vert.iter_mut().zip(&data.flexvert_xpos) {
            *vert = single(pos);
        }
        for flex in 0..model.nflex.min(self.faceadr.len()) {
            let mut faces = Faces::new(self, model, data, flex);
            if model.flex_dim[flex] > 1 {
                match (opt.shows(VisFlag::FlexSkin), opt.shows(VisFlag::FlexFace)) {
                    (true, _) => faces.skin(),
                    (false, true) => faces.elements(opt.flex_layer),
                    (false, false) => {}
                }
            }
            let used = faces.count;
            self.faceused[flex] = used as i32;
        }
    }
}

/// Most faces that a flex has: two sides and two per edge of a cloth; the shell of a solid or one
/// of its layers.
fn most_faces(model: &Model, flex: usize) -> i32 {
    let (shell, elements) = (model.flex_shellnum[flex], model.flex_elemnum[flex]);
    match model.flex_dim[flex] {
        2 => 2 * shell + 2 * elements,
        3 => {
            let first = model.flex_elemadr[flex] as usize;
            let layers = &model.flex_elemlayer[first..first + elements as usize];
            let mut count = vec![0; layers.len() + 1];
            for &layer in layers {
                count[(layer.max(0) as usize).min(layers.len())] += 1;
            }
            shell.max(4 * count.into_iter().max().unwrap_or(0))
        }
        _ => 0,
    }
}

/// Writes the faces of one flex.
struct Faces<'a> {
    model: &'a Model,
    flex: usize,
    vert: &'a [Vec3],
    face: &'a mut [[f32; 3]],
    normal: &'a mut [[f32; 3]],
    texcoord: &'a mut [[f32; 2]],
    count: usize,
}

impl<'a> Faces<'a> {
    fn new(flexes: &'a mut Flexes, model: &'a Model, data: &'a Data, flex: usize) -> Faces<'a> {
        let first = 3 * flexes.faceadr[flex] as usize;
        let range = first..first + 3 * flexes.facenum[flex] as usize;
        let vert = model.flex_vertadr[flex] as usize;
        Faces {
            model,
            flex,
            vert: &data.flexvert_xpos[vert..vert + model.flex_vertnum[flex] as usize],
            face: &mut flexes.face[range.clone()],
            normal: &mut flexes.normal[range.clone()],
            texcoord: &mut flexes.texcoord[range],
            count: 0,
        }
    }

    /// Vertices of the elements, and where their texture coordinates are.
    fn element(&self, elem: usize) -> (&'a [i32], &'a [i32]) {
        let n = self.model.flex_dim[self.flex] as usize + 1;
        let first = self.model.flex_elemdataadr[self.flex] as usize + elem * n;
        let model = self.model;
        (&model.flex_elem[first..first + n], &model.flex_elemtexcoord[first..first + n])
    }

    fn shell(&self, n: usize) -> &'a [i32] {
        let dim = self.model.flex_dim[self.flex] as usize;
        let first = self.model.flex_shelldataadr[self.flex] as usize + n * dim;
        &self.model.flex_shell[first..first + dim]
    }

    /// Adds a face with the given corners, normals and indices of texture coordinates.
    fn add(&mut self, corners: [Vec3; 3], normals: [Vec3; 3], texture: [i32; 3]) {
        let at = 3 * self.count;
        if at + 3 > self.face.len() {
            return;
        }
        let first = self.model.flex_texcoordadr[self.flex];
        for k in 0..3 {
            self.face[at + k] = single(corners[k]);
            self.normal[at + k] = single(normals[k]);
            if first >= 0 {
                let index = (first + texture[k]) as usize;
                self.texcoord[at + k] = self.model.flex_texcoord[index];
            }
        }
        self.count += 1;
    }

    fn flat(&self, corners: [i32; 3]) -> Vec3 {
        let [a, b, c] = corners.map(|v| self.vert[v as usize]);
        (b - a).cross(c - a).normalized().0
    }

    /// Faces of the elements, with flat normals; of a solid, those of one layer.
    fn elements(&mut self, layer: i32) {
        let (model, flex) = (self.model, self.flex);
        const CLOTH: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 1]];
        const SOLID: &[[usize; 3]] = &[[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        let cloth = model.flex_dim[flex] == 2;
        for elem in 0..model.flex_elemnum[flex] as usize {
            let first = model.flex_elemadr[flex] as usize;
            if !cloth && model.flex_elemlayer[first + elem] != layer {
                continue;
            }
            let (data, texture) = self.element(elem);
            for order in if cloth { CLOTH } else { SOLID } {
                let corners = order.map(|i| data[i]);
                let normal = self.flat(corners);
                let offset = normal * model.flex_radius[flex];
                let points = corners.map(|v| self.vert[v as usize] + offset);
                self.add(points, [normal; 3], order.map(|i| texture[i]));
            }
        }
    }

    /// A skin at the radius of the flex, with smooth normals.
    fn skin(&mut self) {
        let (model, flex) = (self.model, self.flex);
        let cloth = model.flex_dim[flex] == 2;
        let (elements, shells) = (model.flex_elemnum[flex], model.flex_shellnum[flex]);
        let sides: Vec<([i32; 3], [i32; 3])> = if cloth {
            let corners = |elem: i32| {
                let (v, t) = self.element(elem as usize);
                ([v[0], v[1], v[2]], [t[0], t[1], t[2]])
            };
            (0..elements).map(corners).collect()
        } else {
            let corners = |n: i32| {
                let v = self.shell(n as usize);
                ([v[0], v[1], v[2]], [v[0], v[1], v[2]])
            };
            (0..shells).map(corners).collect()
        };

        // normals of vertices: means over the faces around them
        let mut normals = vec![Vec3::ZERO; self.vert.len()];
        for (corners, _) in &sides {
            let normal = self.flat(*corners);
            corners.iter().for_each(|&v| normals[v as usize] += normal);
        }
        normals.iter_mut().for_each(|normal| *normal = normal.normalized().0);

        let radius = model.flex_radius[flex];
        for (corners, texture) in sides {
            self.smooth(&normals, radius, corners, texture);
            if cloth {
                let [a, b, c] = corners;
                let [s, t, u] = texture;
                self.smooth(&normals, -radius, [a, c, b], [s, u, t]);
            }
        }
        if cloth {
            for n in 0..shells as usize {
                let edge = self.shell(n);
                self.rim(&normals, radius, edge[0], edge[1]);
                self.rim(&normals, -radius, edge[1], edge[0]);
            }
        }
    }

    fn smooth(&mut self, normals: &[Vec3], radius: f64, corners: [i32; 3], texture: [i32; 3]) {
        let sign = if radius > 0.0 { 1.0 } else { -1.0 };
        let at = corners.map(|v| v as usize);
        let points = at.map(|v| self.vert[v] + normals[v] * radius);
        let normals = match self.model.flex_flatskin[self.flex] {
            0 => at.map(|v| normals[v] * sign),
            _ => [self.flat(corners) * sign; 3],
        };
        self.add(points, normals, texture);
    }

    /// Half of the strip that closes a cloth at an edge.
    fn rim(&mut self, normals: &[Vec3], radius: f64, a: i32, b: i32) {
        let at = [a as usize, b as usize, b as usize];
        let along = self.vert[at[1]] - self.vert[at[0]];
        let sign = if radius < 0.0 { -1.0 } else { 1.0 };
        let outward = (along.cross(normals[at[1]]) * sign).normalized().0;
        let offsets = [radius, -radius, radius];
        let points = std::array::from_fn(|k| self.vert[at[k]] + normals[at[k]] * offsets[k]);
        self.add(points, [outward; 3], [a, b, b]);
    }
}

impl Skins {
    pub(super) fn new(model: &Model) -> Skins {
        Skins {
            facenum: model.skin_facenum.clone(),
            vertadr: model.skin_vertadr.clone(),
            vertnum: model.skin_vertnum.clone(),
            vert: vec![[0.0; 3]; model.nskinvert],
            normal: vec![[0.0; 3]; model.nskinvert],
        }
    }

    /// Computes vertices as weighted sums over bones, and their normals.
    #[doc(alias = "mjv_updateActiveSkin")]
    pub(super) fn update(&mut self, model: &Model, data: &Data, opt: &VisOption) {
        for skin in 0..model.nskin.min(self.vertadr.len()) {
            let first = model.skin_vertadr[skin] as usize;
            let range = first..first + model.skin_vertnum[skin] as usize;
            let vert = &mut self.vert[range.clone()];
            let normal = &mut self.normal[range.clone()];
            vert.fill([0.0; 3]);
            normal.fill([0.0; 3]);
            if !in_group(&opt.skingroup, model.skin_group[skin]) {
                continue;
            }
            let rest = &model.skin_vert[range];
            let bones = model.skin_boneadr[skin] as usize;
            for bone in bones..bones + model.skin_bonenum[skin] as usize {
                add_bone(model, data, bone, rest, vert);
            }
            let faces = model.skin_faceadr[skin] as usize;
            let faces = &model.skin_face[faces..faces + model.skin_facenum[skin] as usize];
            add_normals(faces, vert, normal);
            let inflate = model.skin_inflate[skin];
            for (v, n) in vert.iter_mut().zip(normal.iter()) {
                (0..3).for_each(|k| v[k] += inflate * n[k]);
            }
        }
    }
}

fn add_bone(model: &Model, data: &Data, bone: usize, rest: &[[f32; 3]], vert: &mut [[f32; 3]]) {
    let body = model.skin_bonebodyid[bone] as usize;
    let [w, x, y, z] = model.skin_bonebindquat[bone].map(f64::from);
    let rotate = (data.xquat[body] * Quat::new(w, x, y, z).conjugate()).to_mat();
    let translate = data.xpos[body] - rotate * double(model.skin_bonebindpos[bone]);
    let first = model.skin_bonevertadr[bone] as usize;
    for k in first..first + model.skin_bonevertnum[bone] as usize {
        let (id, weight) = (model.skin_bonevertid[k] as usize, model.skin_bonevertweight[k]);
        let moved = single(rotate * double(rest[id]) + translate);
        (0..3).for_each(|i| vert[id][i] += weight * moved[i]);
    }
}

/// Normals of vertices: sums over the faces around them, weighted by area, of length 1.
fn add_normals(faces: &[[i32; 3]], vert: &[[f32; 3]], normal: &mut [[f32; 3]]) {
    for face in faces {
        let [a, b, c] = face.map(|v| vert[v as usize]);
        let side = |to: [f32; 3]| double(std::array::from_fn(|k| to[k] - a[k]));
        let area = side(b).cross(side(c)).to_array();
        for &v in face {
            let out = &mut normal[v as usize];
            (0..3).for_each(|k| out[k] = (f64::from(out[k]) + area[k]) as f32);
        }
    }
    for n in normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let scale = 1.0 / length.max(MINVAL as f32);
        n.iter_mut().for_each(|x| *x *= scale);
    }
}

//! The abstract scene: what there is to draw, in the reference's order.
//!
//! [`Scene::update`] turns a model and its data into geoms, lights and cameras. A renderer or a
//! viewer needs nothing else but the assets of the model. The number of a geom in this order is its
//! number in pictures of segments, so the order is part of the result.
//!
//! | file | has |
//! |---|---|
//! | `types` | the structs: [`Geom`], [`Light`], [`GlCamera`], [`Camera`], [`VisOption`], [`Perturb`] |
//! | `element` | elements of the model: geoms, sites, tendons, slider-cranks, flexes, skins |
//! | `decor` | what users switch on: frames, joints, actuators, inertia, trees of boxes, … |
//! | `contact` | contacts and their forces |
//! | `sensor` | rangefinders and tactile sensors |
//! | `camera` | poses and frustums of cameras, lights |
//! | `deform` | vertices of flexes and skins |
//! | `interact` | moving cameras and bodies by mouse, selection |

mod camera;
mod catenary;
mod contact;
mod decor;
mod deform;
mod element;
mod enums;
mod interact;
mod sensor;
mod types;

pub use camera::{CameraFrame, Frustum};
pub use enums::*;
pub use interact::{Selection, align_to_camera};
pub use types::{
    Camera, Geom, GlCamera, Light, Perturb, PlainField, RENDER_FLAGS, VIS_FLAGS, VisOption,
};

use crate::math::{Mat3, Quat, Vec3};
use crate::model::{GeomType, ObjType};
use crate::{Data, Model};

/// Largest number of lights in a scene.
pub const MAX_LIGHTS: usize = 100;

/// A scene: geoms, lights, cameras, and how to draw them.
#[doc(alias = "mjvScene")]
#[derive(Debug, Clone)]
pub struct Scene {
    /// Largest number of geoms.
    pub maxgeom: usize,
    /// Geoms.
    pub geoms: Vec<Geom>,
    /// Lights.
    pub lights: Vec<Light>,
    /// Left and right camera; the renderer draws their average.
    pub camera: [GlCamera; 2],
    /// Vertices of deformable objects.
    pub flexes: Flexes,
    /// Vertices of skins.
    pub skins: Skins,
    /// Whether the model is moved, turned and scaled as a whole.
    pub enabletransform: bool,
    /// Translation of the model.
    pub translate: [f32; 3],
    /// Rotation of the model.
    pub rotate: [f32; 4],
    /// Scale of the model.
    pub scale: f32,
    /// A [`Stereo`].
    pub stereo: i32,
    /// By [`RenderFlag`].
    pub flags: [u8; RENDER_FLAGS],
    /// Width of a frame around the picture, in pixels.
    pub framewidth: i32,
    /// Colour of that frame.
    pub framergb: [f32; 3],
    /// Whether geoms were left out because there are more than `maxgeom`.
    pub full: bool,
}

/// Flexes of a scene: edges, and faces as triangles of three vertices.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Flexes {
    pub edgeadr: Vec<i32>,
    pub edgenum: Vec<i32>,
    pub vertadr: Vec<i32>,
    pub vertnum: Vec<i32>,
    pub faceadr: Vec<i32>,
    pub facenum: Vec<i32>,
    pub faceused: Vec<i32>,
    pub edge: Vec<[i32; 2]>,
    pub vert: Vec<[f32; 3]>,
    pub face: Vec<[f32; 3]>,
    pub normal: Vec<[f32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    pub vertopt: bool,
    pub edgeopt: bool,
    pub faceopt: bool,
    pub skinopt: bool,
}

/// Skins of a scene.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Skins {
    pub facenum: Vec<i32>,
    pub vertadr: Vec<i32>,
    pub vertnum: Vec<i32>,
    pub vert: Vec<[f32; 3]>,
    pub normal: Vec<[f32; 3]>,
}

impl Scene {
    /// An empty scene for `model`, with at most `maxgeom` geoms.
    #[doc(alias = "mjv_makeScene")]
    pub fn new(model: &Model, maxgeom: usize) -> Scene {
        Scene { flexes: Flexes::new(model), skins: Skins::new(model), ..Scene::empty(maxgeom) }
    }

    /// An empty scene that belongs to no model.
    pub fn empty(maxgeom: usize) -> Scene {
        Scene {
            maxgeom,
            geoms: Vec::new(),
            lights: Vec::new(),
            camera: [GlCamera::default(); 2],
            flexes: Flexes::default(),
            skins: Skins::default(),
            enabletransform: false,
            translate: [0.0; 3],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            stereo: 0,
            flags: types::shown_effects(),
            framewidth: 0,
            framergb: [0.0; 3],
            full: false,
        }
    }

    /// Whether `flag` is on.
    #[inline]
    pub fn draws(&self, flag: RenderFlag) -> bool {
        self.flags[flag as usize] != 0
    }

    /// Fills the scene with what `data` looks like. Runs after `forward`.
    ///
    /// Geoms come before the camera, so an infinite plane is centred on the camera of the call
    /// before, as in the reference.
    #[doc(alias = "mjv_updateScene")]
    pub fn update(
        &mut self,
        model: &Model,
        data: &Data,
        opt: &VisOption,
        pert: &Perturb,
        camera: Option<&mut Camera>,
        categories: i32,
    ) -> Result<(), String> {
        self.geoms.clear();
        self.full = false;
        self.add_geoms(model, data, opt, pert, categories);
        if let Some(camera) = camera {
            self.update_camera(model, data, camera)?;
        }
        self.make_lights(model, data)?;
        let flex = [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin];
        if flex.iter().any(|&flag| opt.shows(flag)) {
            self.flexes.update(model, data, opt);
        }
        if opt.shows(VisFlag::Skin) {
            self.skins.update(model, data, opt);
        }
        Ok(())
    }

    /// Adds the geoms of the given categories, bits of [`Category`].
    #[doc(alias = "mjv_addGeoms")]
    pub fn add_geoms(
        &mut self,
        model: &Model,
        data: &Data,
        opt: &VisOption,
        pert: &Perturb,
        categories: i32,
    ) {
        let fixed = if opt.shows(VisFlag::Static) { 0 } else { Category::Static as i32 };
        let categories = categories & !fixed;
        let mut builder = Builder { model, data, opt, pert, categories, scene: self };
        if builder.build().is_none() {
            self.full = true;
        }
    }
}

/// Adds geoms to a scene. Its functions return `None` when the scene is full.
struct Builder<'a> {
    model: &'a Model,
    data: &'a Data,
    opt: &'a VisOption,
    pert: &'a Perturb,
    categories: i32,
    scene: &'a mut Scene,
}

impl Builder<'_> {
    /// Everything there is to draw, in order.
    fn build(&mut self) -> Option<()> {
        self.flexes()?;
        self.skins()?;
        self.geoms()?;
        self.sites()?;
        self.tendons()?;
        self.slider_cranks()?;
        if self.categories & Category::Decor as i32 == 0 {
            return Some(());
        }
        self.geom_frames()?;
        self.site_frames()?;
        self.body_tree()?;
        self.flex_tree()?;
        self.mesh_tree()?;
        self.mesh_octree()?;
        self.tactile_sensors()?;
        self.inertias()?;
        self.perturbation()?;
        self.body_frames()?;
        self.selection_point()?;
        self.body_labels()?;
        self.joints()?;
        self.actuators()?;
        self.island_labels()?;
        self.cameras()?;
        self.lights()?;
        self.centers_of_mass()?;
        self.connections()?;
        self.rangefinders()?;
        self.applied_forces()?;
        self.equalities()?;
        self.contacts()
    }

    /// A geom that shows an object, with everything else at its default.
    fn start(&self, category: Category, objtype: ObjType, objid: usize) -> Geom {
        let segid = self.scene.geoms.len() as i32;
        let (category, objtype, objid) = (category as i32, objtype as i32, objid as i32);
        Geom { category, objtype, objid, segid, ..Geom::default() }
    }

    /// A decorative geom.
    fn decor(&self, objtype: ObjType, objid: usize) -> Geom {
        self.start(Category::Decor, objtype, objid)
    }

    fn push(&mut self, geom: Geom) -> Option<()> {
        if self.scene.geoms.len() >= self.scene.maxgeom {
            return None;
        }
        self.scene.geoms.push(geom);
        Some(())
    }

    /// Adds a decorative connector.
    fn connector(
        &mut self,
        (objtype, objid): (ObjType, usize),
        (kind, width): (GeomType, f64),
        from: Vec3,
        to: Vec3,
        rgba: [f32; 4],
    ) -> Option<()> {
        let mut geom = self.decor(objtype, objid);
        geom.connect(kind, width, from, to);
        geom.rgba = rgba;
        self.push(geom)
    }

    /// Adds the axes of a frame.
    fn frame(
        &mut self,
        objid: usize,
        pos: Vec3,
        mat: &Mat3,
        length: f64,
        width: f64,
    ) -> Option<()> {
        for axis in 0..3 {
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            rgba[axis] = 0.9;
            let to = pos + mat.column(axis) * length;
            let shape = (GeomType::Cylinder, width);
            self.connector((ObjType::Unknown, objid), shape, pos, to, rgba)?;
        }
        Some(())
    }

    /// Mean size of the bodies, times a factor from the visual settings.
    fn sized(&self, factor: f32) -> f64 {
        f64::from(factor) * self.model.stat.meansize
    }

    /// A body that is welded to the world is static, unless a mocap body carries it.
    fn category(&self, body: i32) -> Category {
        let (model, body) = (self.model, body as usize);
        let root = model.body_rootid[body] as usize;
        if model.body_weldid[body] == 0 && model.body_mocapid[root] == -1 {
            Category::Static
        } else {
            Category::Dynamic
        }
    }

    fn wanted(&self, category: Category) -> bool {
        self.categories & category as i32 != 0
    }

    /// The name of an object, or its kind and number.
    fn name(&self, kind: ObjType, id: usize) -> String {
        match self.model.name(kind, id) {
            Some(name) => name.to_owned(),
            None => format!("{} {id}", format!("{kind:?}").to_lowercase()),
        }
    }

    /// Labels a geom with the name of its object, if `label` is asked for.
    fn label(&self, geom: &mut Geom, label: Label, kind: ObjType, id: usize) {
        if self.opt.label == label as i32 {
            geom.set_text(&self.name(kind, id));
        }
    }

    /// Takes colour and surface from a material, and colour from the object where it has its own.
    fn material(&self, geom: &mut Geom, matid: i32, rgba: [f32; 4]) {
        let model = self.model;
        let material = usize::try_from(matid).ok();
        if let Some(mat) = material {
            geom.rgba = model.mat_rgba[mat];
            geom.emission = model.mat_emission[mat];
            geom.specular = model.mat_specular[mat];
            geom.shininess = model.mat_shininess[mat];
            geom.reflectance = model.mat_reflectance[mat];
        }
        if material.is_none() || rgba != [0.5, 0.5, 0.5, 1.0] {
            geom.rgba = rgba;
        }
        if material.is_some() && self.opt.shows(VisFlag::Texture) {
            geom.matid = matid;
        }
        if self.opt.shows(VisFlag::Transparent) && geom.category == Category::Dynamic as i32 {
            geom.rgba[3] *= model.vis.map.alpha;
        }
    }

    /// Makes a selected object glow.
    fn glow(&self, geom: &mut Geom, selected: bool) {
        if selected {
            geom.emission += self.model.vis.global.glow;
        }
    }

    /// Whether `body` is selected.
    fn selected(&self, body: i32) -> bool {
        self.pert.select > 0 && self.pert.select == body
    }

    /// The selected body, if there is one.
    fn selection(&self) -> Option<usize> {
        let body = usize::try_from(self.pert.select).ok()?;
        (body > 0 && body < self.model.nbody).then_some(body)
    }

    /// The selected point in the world.
    fn selected_point(&self, body: usize) -> Vec3 {
        self.data.xmat[body] * self.pert.localpos + self.data.xpos[body]
    }

    /// How hard a limit of a joint or tendon is pushed against: the impedance of its row.
    fn limit_impedance(&self, kind: i32, id: usize) -> f64 {
        let data = self.data;
        let first = data.ne + data.nf;
        let rows = first..(first + data.nl).min(data.efc_type.len());
        rows.rev()
            .find(|&row| data.efc_type[row] == kind && data.efc_id[row] == id as i32)
            .map_or(0.0, |row| data.efc_KBIP[row][2])
    }

    /// The colour of an island, from a Halton sequence.
    fn island_color(&self, seed: Option<i32>, awake: bool) -> [f32; 4] {
        let (mut hue, mut saturation, mut value) = (1.0, 0.0, 0.7);
        if let Some(seed) = seed {
            hue = halton(seed + 1, 7) as f32;
            saturation = (0.5 + 0.5 * halton(seed + 1, 3)) as f32;
            value = (0.6 + 0.4 * halton(seed + 1, 5)) as f32;
        }
        if !awake {
            value *= 0.6;
            saturation *= 0.7;
        }
        let [r, g, b] = rgb_of_hsv(hue, saturation, value);
        [r, g, b, 1.0]
    }

    /// First dof of the island of a constraint row.
    fn row_island(&self, row: i32) -> Option<i32> {
        if self.data.nisland == 0 {
            return None;
        }
        let island = *self.data.efc_island.get(usize::try_from(row).ok()?)?;
        self.data.island_dofadr.get(usize::try_from(island).ok()?).copied()
    }
}

/// Mixes two colours; the opacity is the first one's.
fn mix(a: [f32; 4], b: [f32; 4], part: f64) -> [f32; 4] {
    let blend = |i: usize| ((1.0 - part) * f64::from(a[i]) + part * f64::from(b[i])) as f32;
    [blend(0), blend(1), blend(2), a[3]]
}

/// The number `index` of the Halton sequence in `base`.
#[doc(alias = "mju_Halton")]
pub fn halton(index: i32, base: i32) -> f64 {
    let (mut rest, mut weight, mut sum) = (index, 1.0 / f64::from(base), 0.0);
    while rest > 0 {
        sum += weight * f64::from(rest % base);
        weight /= f64::from(base);
        rest /= base;
    }
    sum
}

fn rgb_of_hsv(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    if saturation <= 0.0 {
        return [value; 3];
    }
    let sector = (hue * 6.0).trunc();
    let part = hue * 6.0 - sector;
    let low = value * (1.0 - saturation);
    let falling = value * (1.0 - saturation * part);
    let rising = value * (1.0 - saturation * (1.0 - part));
    match sector as i32 {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    }
}

/// A quaternion in double precision.
fn quat(q: [f32; 4]) -> Quat {
    let [w, x, y, z] = q.map(f64::from);
    Quat::new(w, x, y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_structs_have_the_size_of_their_fields() {
        let size = |fields: &[PlainField]| -> usize {
            fields.iter().map(|&(_, dtype, n)| n * usize::from(dtype.as_bytes()[1] - b'0')).sum()
        };
        assert_eq!(size(Geom::FIELDS), size_of::<Geom>());
        assert_eq!(size(Light::FIELDS), size_of::<Light>());
        assert_eq!(size(GlCamera::FIELDS), size_of::<GlCamera>());
        assert_eq!(size(Camera::FIELDS), size_of::<Camera>());
        assert_eq!(size(VisOption::FIELDS), size_of::<VisOption>());
        assert_eq!(size(Perturb::FIELDS), size_of::<Perturb>());
    }

    #[test]
    fn a_full_scene_keeps_what_fits() {
        let mut scene = Scene::empty(2);
        scene.geoms.push(Geom::default());
        let (model, data) = (Model::default(), Data::new(&Model::default()));
        let (opt, pert) = (VisOption::default(), Perturb::default());
        let mut builder = Builder {
            model: &model,
            data: &data,
            opt: &opt,
            pert: &pert,
            categories: 7,
            scene: &mut scene,
        };
        assert_eq!(builder.push(Geom::default()), Some(()));
        assert_eq!(builder.push(Geom::default()), None);
        assert_eq!(scene.geoms.len(), 2);
    }

    #[test]
    fn labels_are_cut_to_their_room() {
        let mut geom = Geom::default();
        geom.set_text(&"x".repeat(200));
        assert_eq!(geom.text().len(), 99);
    }
}

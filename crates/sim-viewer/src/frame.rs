//! Messages about one moment: the table of elements, sent when it changes, and the frame with the
//! poses of bodies and everything that is different each time.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use sim_core::math::{Mat3, Vec3};
use sim_core::model::{GeomType, ObjType};
use sim_core::scene::{Category, Geom, GlCamera, Perturb, Scene, VisOption};
use sim_core::{Data, Model, object_velocity};

use crate::wire::{Kind, Message};

/// Longest list of numbers that is sent with each frame.
const MAX_VALUES: usize = 4096;
/// Most geoms in a scene.
const MAX_GEOMS: usize = 200_000;
/// Bytes of an element of the table, and of a geom of a frame.
const ELEMENT: usize = size_of::<Element>();
const DECOR: usize = 56;

/// A geom or site of the model: fixed in the frame of a body.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Element {
    kind: i32,
    dataid: i32,
    matid: i32,
    texcoord: i32,
    objtype: i32,
    objid: i32,
    /// Number in the list of moving bodies; -1: fixed in the world.
    slot: i32,
    category: i32,
    pos: [f32; 3],
    quat: [f32; 4],
    size: [f32; 3],
    rgba: [f32; 4],
    surface: [f32; 4],
}

/// Numbers of a step that pages watch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Samples {
    /// Number of values of each sample.
    pub(crate) width: usize,
    pub(crate) times: Vec<f64>,
    pub(crate) values: Vec<f32>,
}

/// What a frame shows besides the scene.
#[derive(Debug, Default)]
pub(crate) struct Extras<'a> {
    /// Geoms that users add.
    pub(crate) geoms: &'a [Geom],
    /// Bodies that cameras follow.
    pub(crate) tracked: &'a [usize],
    pub(crate) samples: &'a Samples,
}

impl Default for &Samples {
    fn default() -> Self {
        static EMPTY: Samples = Samples { width: 0, times: Vec::new(), values: Vec::new() };
        &EMPTY
    }
}

/// Makes tables and frames of a simulation.
#[derive(Debug)]
pub(crate) struct Composer {
    scene: Scene,
    elements: Vec<Element>,
    bodies: Vec<i32>,
    /// For each body its number in `bodies`, or -1.
    slots: Vec<i32>,
    decor: Vec<Geom>,
    table: Arc<Vec<u8>>,
    table_id: u64,
    number: u32,
}

/// The number of the next table; tables of different models differ.
fn next_id() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Composer {
    pub(crate) fn new(model: &Model) -> Composer {
        let mut scene = Scene::new(model, MAX_GEOMS);
        // pages place their own cameras; planes stay near the origin
        let camera = GlCamera {
            forward: [1.0, 0.0, 0.0],
            up: [0.0, 0.0, 1.0],
            frustum_bottom: -1.0,
            frustum_top: 1.0,
            frustum_near: 1.0,
            frustum_far: 2.0,
            ..GlCamera::default()
        };
        scene.camera = [camera; 2];
        Composer {
            scene,
            elements: Vec::new(),
            bodies: Vec::new(),
            slots: vec![-1; model.nbody],
            decor: Vec::new(),
            table: Arc::default(),
            table_id: 0,
            number: 0,
        }
    }

    /// The table of elements that the last frame refers to, and its number.
    pub(crate) fn table(&self) -> (u64, Arc<Vec<u8>>) {
        (self.table_id, self.table.clone())
    }

    /// Bodies whose poses are in a frame.
    pub(crate) fn bodies(&self) -> &[i32] {
        &self.bodies
    }

    /// Whether the scene had more than elements the last time.
    pub(crate) fn decorated(&self) -> bool {
        !self.decor.is_empty()
    }

    /// Makes a frame, and a new table if elements look different from before.
    pub(crate) fn compose(
        &mut self,
        model: &Model,
        data: &Data,
        opt: &VisOption,
        pert: &Perturb,
        extras: &Extras<'_>,
    ) -> Vec<u8> {
        // a scene that cannot be made is empty
        if self.scene.update(model, data, opt, pert, None, Category::All as i32).is_err() {
            self.scene.geoms.clear();
        }
        self.sort(model);
        self.add_flex_parts();
        self.decor.extend(extras.geoms);

        self.number += 1;
        let room = 256 + 20 * self.bodies.len() + DECOR * self.decor.len();
        let mut frame = Message::with_room(Kind::Frame, room);
        frame.u32(self.table_id as u32);
        frame.f64(data.time);
        frame.u32(self.number);
        frame.u32(self.bodies.len() as u32);
        for &body in &self.bodies {
            frame.f32s(&single(data.xpos[body as usize]));
            frame.quat(data.xquat[body as usize].to_array().map(|x| x as f32));
        }
        frame.u32(self.decor.len() as u32);
        self.decor.iter().for_each(|geom| write_decor(&mut frame, geom));
        write_lights_and_cameras(&mut frame, model, data);
        frame.u32(extras.tracked.len() as u32);
        for &body in extras.tracked {
            frame.u32(body as u32);
            frame.f32s(&single(data.subtree_com[body]));
        }
        self.write_deformed(&mut frame);
        self.write_labels(&mut frame);
        write_values(&mut frame, data);
        write_inspected(&mut frame, model, data, pert);
        write_samples(&mut frame, extras.samples);
        frame.finish()
    }

    /// Splits the scene into elements, which bodies carry, and the rest.
    fn sort(&mut self, model: &Model) {
        let Composer { scene, elements, bodies, slots, decor, .. } = self;
        let (mut new, mut used) = (Vec::with_capacity(elements.len()), Vec::new());
        slots.fill(-1);
        decor.clear();
        for geom in &scene.geoms {
            let id = usize::try_from(geom.objid).unwrap_or(usize::MAX);
            let (body, pos, quat) = match ObjType::from_i32(geom.objtype) {
                _ if geom.category == Category::Decor as i32 => {
                    decor.push(*geom);
                    continue;
                }
                Some(ObjType::Geom) if id < model.ngeom => {
                    (model.geom_bodyid[id], model.geom_pos[id], model.geom_quat[id])
                }
                Some(ObjType::Site) if id < model.nsite => {
                    (model.site_bodyid[id], model.site_pos[id], model.site_quat[id])
                }
                _ => {
                    decor.push(*geom);
                    continue;
                }
            };
            let (mut slot, mut pos, mut quat) =
                (-1, single(pos), quat.to_array().map(|x| x as f32));
            if geom.category == Category::Static as i32 {
                (pos, quat) = (geom.pos, quat_of(&geom.mat));
            } else {
                let at = &mut slots[body as usize];
                if *at < 0 {
                    *at = used.len() as i32;
                    used.push(body);
                }
                slot = *at;
            }
            new.push(Element {
                kind: geom.kind,
                dataid: geom.dataid,
                matid: geom.matid,
                texcoord: geom.texcoord,
                objtype: geom.objtype,
                objid: geom.objid,
                slot,
                category: geom.category,
                pos,
                quat,
                size: geom.size,
                rgba: geom.rgba,
                surface: [geom.emission, geom.specular, geom.shininess, geom.reflectance],
            });
        }
        let same = bytemuck::cast_slice::<_, u8>(&new) == bytemuck::cast_slice::<_, u8>(elements)
            && used == *bodies;
        if !same || self.table_id == 0 {
            (*elements, *bodies) = (new, used);
            self.table_id = next_id();
            self.table = Arc::new(self.write_table());
        }
    }

    fn write_table(&self) -> Vec<u8> {
        let room = 16 + ELEMENT * self.elements.len() + 4 * self.bodies.len();
        let mut table = Message::with_room(Kind::Table, room);
        table.u32(self.table_id as u32);
        table.u32(self.bodies.len() as u32);
        table.u32(self.elements.len() as u32);
        self.bodies.iter().for_each(|&body| table.i32(body));
        for element in &self.elements {
            let Element { kind, dataid, matid, texcoord, objtype, objid, slot, category, .. } =
                *element;
            for x in [kind, dataid, matid, texcoord, objtype, objid, slot, category] {
                table.i32(x);
            }
            table.f32s(&element.pos);
            table.f32s(&element.quat);
            table.f32s(&element.size);
            table.f32s(&element.rgba);
            table.f32s(&element.surface);
        }
        table.finish()
    }

    /// Vertices of a flex as balls and edges as tubes, where no skin hides them.
    fn add_flex_parts(&mut self) {
        let Composer { scene, decor, .. } = self;
        let flexes = &scene.flexes;
        for geom in scene.geoms.iter().filter(|geom| geom.kind == GeomType::Flex as i32) {
            let (id, radius) = (geom.objid as usize, f64::from(geom.size[0]));
            let hidden = flexes.faceused.get(id).is_none_or(|&n| flexes.skinopt && n > 0);
            if hidden || radius <= 0.0 {
                continue;
            }
            let first = flexes.vertadr[id] as usize;
            let vertices = &flexes.vert[first..first + flexes.vertnum[id] as usize];
            if flexes.vertopt {
                for &pos in vertices {
                    let (kind, size) = (GeomType::Sphere as i32, [radius as f32; 3]);
                    decor.push(Geom { kind, size, pos, label: [0; 100], ..*geom });
                }
            }
            if flexes.edgeopt {
                let first = flexes.edgeadr[id] as usize;
                for edge in &flexes.edge[first..first + flexes.edgenum[id] as usize] {
                    let [a, b] = edge.map(|v| {
                        let [x, y, z] = vertices[v as usize].map(f64::from);
                        Vec3::new(x, y, z)
                    });
                    let mut tube = Geom { label: [0; 100], ..*geom };
                    tube.connect(GeomType::Cylinder, radius, a, b);
                    decor.push(tube);
                }
            }
        }
    }

    /// Vertices of flexes and skins.
    fn write_deformed(&self, frame: &mut Message) {
        let shapes = self.scene.geoms.iter().filter_map(|geom| {
            let id = usize::try_from(geom.objid).ok()?;
            match GeomType::from_i32(geom.kind)? {
                GeomType::Flex => {
                    let flexes = &self.scene.flexes;
                    let first = 3 * *flexes.faceadr.get(id)? as usize;
                    let range = first..first + 3 * flexes.faceused[id] as usize;
                    let (vert, normal) =
                        (flexes.face.get(range.clone())?, flexes.normal.get(range.clone())?);
                    let uv = flexes.texcoord.get(range).filter(|_| geom.texcoord != 0);
                    (!vert.is_empty()).then_some((geom.kind, id, vert, normal, uv))
                }
                GeomType::Skin => {
                    let skins = &self.scene.skins;
                    let first = *skins.vertadr.get(id)? as usize;
                    let range = first..first + skins.vertnum[id] as usize;
                    let (vert, normal) = (skins.vert.get(range.clone())?, skins.normal.get(range)?);
                    Some((geom.kind, id, vert, normal, None))
                }
                _ => None,
            }
        });
        let shapes: Vec<_> = shapes.collect();
        frame.u32(shapes.len() as u32);
        for (kind, id, vert, normal, uv) in shapes {
            frame.i32(kind);
            frame.u32(id as u32);
            frame.u32(vert.len() as u32);
            frame.u32(u32::from(uv.is_some()));
            frame.f32s(vert.as_flattened());
            for n in normal {
                let [x, y, z] = n.map(|x| (x.clamp(-1.0, 1.0) * 127.0).round() as i8 as u8);
                frame.bytes(&[x, y, z, 0]);
            }
            frame.f32s(uv.unwrap_or_default().as_flattened());
        }
    }

    /// Texts and where they are.
    fn write_labels(&self, frame: &mut Message) {
        // elements have theirs in the scene, the rest may come from the user
        let elements = self.scene.geoms.iter().filter(|geom| {
            geom.category != Category::Decor as i32
                && [ObjType::Geom as i32, ObjType::Site as i32].contains(&geom.objtype)
        });
        let labelled = elements.chain(&self.decor).filter(|geom| geom.label[0] != 0);
        let labelled: Vec<&Geom> = labelled.take(MAX_VALUES).collect();
        frame.u32(labelled.len() as u32);
        for geom in labelled {
            frame.f32s(&geom.pos);
            frame.u32(geom.text().len() as u32);
            frame.bytes(geom.text().as_bytes());
            frame.pad();
        }
    }
}

fn single(v: Vec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

fn quat_of(mat: &[f32; 9]) -> [f32; 4] {
    Mat3(mat.map(f64::from)).to_quat().to_array().map(|x| x as f32)
}

fn write_decor(frame: &mut Message, geom: &Geom) {
    frame.f32s(&geom.pos);
    frame.quat(quat_of(&geom.mat));
    frame.f32s(&geom.size);
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    frame.bytes(&geom.rgba.map(byte));
    frame.bytes(&[geom.emission, geom.specular, geom.shininess, geom.reflectance].map(byte));
    frame.u16(geom.kind as u16);
    frame.u16(geom.matid as u16);
    frame.bytes(&[geom.objtype as u8, geom.category as u8, u8::from(geom.texcoord != 0), 0]);
    frame.i32(geom.objid);
    frame.i32(geom.dataid);
}

fn write_lights_and_cameras(frame: &mut Message, model: &Model, data: &Data) {
    frame.u32(model.nlight as u32);
    for light in 0..model.nlight {
        frame.f32s(&single(data.light_xpos[light]));
        frame.f32s(&single(data.light_xdir[light]));
    }
    frame.u32(model.ncam as u32);
    for cam in 0..model.ncam {
        let mat = &data.cam_xmat[cam];
        frame.f32s(&single(data.cam_xpos[cam]));
        frame.f32s(&single(-mat.column(2)));
        frame.f32s(&single(mat.column(1)));
    }
}

/// Numbers that panels show: positions, controls, sensors, equalities.
fn write_values(frame: &mut Message, data: &Data) {
    for values in [&data.qpos[..], &data.ctrl, &data.sensordata] {
        let sent = if values.len() <= MAX_VALUES { values } else { &[] };
        frame.u32(sent.len() as u32);
        sent.iter().for_each(|&x| frame.f32(x as f32));
    }
    let active = &data.eq_active[..data.eq_active.len().min(MAX_VALUES)];
    frame.u32(active.len() as u32);
    frame.bytes(bytemuck::cast_slice(active));
    frame.pad();
}

/// Position, orientation, velocity and applied force of the selected body.
fn write_inspected(frame: &mut Message, model: &Model, data: &Data, pert: &Perturb) {
    let body = usize::try_from(pert.select).ok().filter(|&body| body > 0 && body < model.nbody);
    frame.i32(body.map_or(-1, |body| body as i32));
    if let Some(body) = body {
        let velocity = object_velocity(model, data, ObjType::Body, body);
        frame.f32s(&single(data.xpos[body]));
        frame.f32s(&data.xquat[body].to_array().map(|x| x as f32));
        frame.f32s(&single(velocity.lin));
        frame.f32s(&single(velocity.rot));
        frame.f32s(&data.xfrc_applied[body].map(|x| x as f32));
    }
}

fn write_samples(frame: &mut Message, samples: &Samples) {
    frame.u32(samples.width as u32);
    frame.u32(samples.times.len() as u32);
    samples.times.iter().for_each(|&time| frame.f32(time as f32));
    frame.f32s(&samples.values);
}

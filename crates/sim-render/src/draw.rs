//! From scene to draw list: which shapes are drawn where, and what they look like.

use sim_core::model::GeomType;
use sim_core::scene::{Category, Geom, RenderFlag, Scene};

use crate::assets::Assets;
use crate::shapes::Shape;
use crate::texture::Texture;
use crate::vector::{V3, dot, sub};

/// Opacity below which a geom is drawn as transparent.
const OPAQUE: f32 = 0.995;
/// Opacity of a plane seen from behind, as a factor.
const BEHIND: f32 = 0.3;
/// Distance of the sky, as a part of that of the far plane: inside the frustum to its corners.
const SKY: f32 = 0.7;

/// Which side of triangles is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cull {
    None,
    Back,
    Front,
}

impl Cull {
    /// The side that is left out of a mirrored world, where triangles turn the other way.
    pub(crate) fn turned(self) -> Cull {
        match self {
            Cull::None => Cull::None,
            Cull::Back => Cull::Front,
            Cull::Front => Cull::Back,
        }
    }
}

/// How a texture covers a surface.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Mapping {
    None,
    /// By the coordinates of the shape.
    Explicit(usize),
    /// Projected along z; coordinates of the shape are scaled.
    Planar(usize, [f32; 2]),
    /// By the direction from the centre of the shape.
    Cube(usize, V3),
}

/// How a surface gets its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shading {
    Lit,
    /// Its own colour.
    Plain,
    Sky,
    Haze,
}

/// What a geom looks like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) rgba: [f32; 4],
    pub(crate) emission: f32,
    pub(crate) specular: f32,
    /// Exponent of highlights.
    pub(crate) shininess: f32,
    pub(crate) shading: Shading,
    pub(crate) mapping: Mapping,
    /// Whether it is blended with what is behind it; it is then lit by all lights, without shadows.
    pub(crate) blended: bool,
    /// Whether it throws shadows.
    pub(crate) casts: bool,
    /// Whether it mirrors the rest of the scene.
    pub(crate) mirror: bool,
    /// Its number in pictures of segments.
    pub(crate) segment: i32,
    /// The geom of the scene.
    pub(crate) geom: usize,
}

/// A shape in its place: `world = rotation (scale ∘ p + offset) + position`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) rotation: [f32; 9],
    pub(crate) position: V3,
    pub(crate) scale: V3,
    pub(crate) offset: V3,
    pub(crate) look: usize,
    pub(crate) cull: Cull,
}

/// A line of a width in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) ends: [V3; 2],
    pub(crate) width: f32,
    pub(crate) look: usize,
}

/// A plane that throws shadows, which are found without triangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlaneCaster {
    pub(crate) geom: usize,
    pub(crate) position: V3,
    /// Axes by columns.
    pub(crate) rotation: [f32; 9],
    /// Half sizes; 0 or less: without end.
    pub(crate) size: [f32; 2],
}

/// The mirror of a scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mirror {
    pub(crate) geom: usize,
    pub(crate) position: V3,
    pub(crate) normal: V3,
    pub(crate) reflectance: f32,
}

/// Everything to draw, in order: opaque things, the sky, then the haze and transparent things from
/// near to far.
#[derive(Debug, Default)]
pub(crate) struct DrawList<'a> {
    pub(crate) looks: Vec<Look>,
    pub(crate) parts: Vec<Part<'a>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) planes: Vec<PlaneCaster>,
    pub(crate) mirror: Option<Mirror>,
    /// Number of parts that are opaque.
    pub(crate) opaque: usize,
    /// Whether only the edges of triangles are drawn.
    pub(crate) wireframe: bool,
}

/// Shapes of flexes and skins, whose vertices change from picture to picture.
pub(crate) fn moving_shapes(scene: &Scene, assets: &Assets) -> Vec<Option<Shape>> {
    let shape = |geom: &Geom| match GeomType::from_i32(geom.kind) {
        Some(GeomType::Skin) => skin_shape(scene, assets, geom.objid),
        Some(GeomType::Flex) => flex_shape(scene, geom.objid),
        _ => None,
    };
    scene.geoms.iter().map(shape).collect()
}

fn skin_shape(scene: &Scene, assets: &Assets, id: i32) -> Option<Shape> {
    let id = usize::try_from(id).ok()?;
    let (skins, skin) = (&scene.skins, assets.skins.get(id)?);
    let first = *skins.vertadr.get(id)? as usize;
    let mut shape = Shape::default();
    for v in first..first + skins.vertnum[id] as usize {
        shape.vertex(*skins.vert.get(v)?, *skins.normal.get(v)?);
    }
    let mut shape = shape.finish();
    shape.triangles.clone_from(&skin.faces);
    shape.texcoord.clone_from(&skin.texcoord);
    if !shape.texcoord.is_empty() {
        shape.texcoord.resize(shape.len(), [0.0; 2]);
    }
    Some(shape)
}

fn flex_shape(scene: &Scene, id: i32) -> Option<Shape> {
    let (flexes, id) = (&scene.flexes, usize::try_from(id).ok()?);
    let first = 3 * *flexes.faceadr.get(id)? as usize;
    let range = first..first + 3 * flexes.faceused[id] as usize;
    let mut shape = Shape::default();
    for v in range.clone() {
        shape.vertex(*flexes.face.get(v)?, *flexes.normal.get(v)?);
    }
    let mut shape = shape.finish();
    let corner = |face: u32| [3 * face, 3 * face + 1, 3 * face + 2];
    shape.triangles = (0..flexes.faceused[id] as u32).map(corner).collect();
    shape.texcoord = flexes.texcoord[range].to_vec();
    shape.texcoord.resize(shape.len(), [0.0; 2]);
    Some(shape)
}

const IDENTITY: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

fn axis(mat: &[f32; 9], k: usize) -> V3 {
    [mat[k], mat[3 + k], mat[6 + k]]
}

fn is_behind(eye: V3, geom: &Geom) -> bool {
    dot(sub(eye, geom.pos), axis(&geom.mat, 2)) < 0.0
}

impl<'a> DrawList<'a> {
    /// Lists what `scene` shows to an eye; `far` is the distance of the far plane. A picture of
    /// segments has no sky and nothing transparent.
    pub(crate) fn new(
        scene: &'a Scene,
        assets: &'a Assets,
        moving: &'a [Option<Shape>],
        eye: V3,
        far: f32,
        segments: bool,
    ) -> DrawList<'a> {
        let wireframe = scene.draws(RenderFlag::Wireframe);
        let mut list = DrawList { wireframe, ..DrawList::default() };
        let plane = GeomType::Plane as i32;
        let transparent = |geom: &Geom| {
            !segments && (geom.rgba[3] < OPAQUE || (geom.kind == plane && is_behind(eye, geom)))
        };
        let mirror = scene.geoms.iter().position(|geom| {
            let flat = geom.kind == plane || geom.kind == GeomType::Box as i32;
            flat && !transparent(geom) && geom.reflectance > 0.0
        });
        let mirror = mirror.filter(|_| !segments && !wireframe);
        if let Some(id) = mirror {
            list.find_mirror(scene, id, eye);
        }

        // the mirror comes first, since it is added to what it shows
        let rest = (0..scene.geoms.len()).filter(|&id| Some(id) != mirror);
        let (blended, opaque): (Vec<usize>, Vec<usize>) =
            mirror.into_iter().chain(rest).partition(|&id| transparent(&scene.geoms[id]));
        let shape_of = |id: usize| moving[id].as_ref();
        for id in opaque {
            if !segments || scene.geoms[id].segid >= 0 {
                list.add(scene, assets, shape_of(id), id, eye, false);
            }
        }
        let sky = assets.sky.filter(|_| !segments && scene.draws(RenderFlag::Skybox));
        let reach = SKY * far / if scene.enabletransform { scene.scale } else { 1.0 };
        if let Some(texture) = sky {
            list.add_sky(assets, texture, eye, reach);
        }
        list.opaque = list.parts.len();
        if sky.is_some() && scene.draws(RenderFlag::Haze) {
            list.add_haze(scene, assets, eye, reach);
        }

        let distance = |id: usize| {
            let geom = &scene.geoms[id];
            let away = sub(geom.pos, eye);
            if geom.kind == plane { 1e10 } else { dot(away, away).sqrt() - geom.rbound() }
        };
        let mut blended: Vec<(f32, usize)> =
            blended.into_iter().map(|id| (distance(id), id)).collect();
        blended.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, id) in blended {
            list.add(scene, assets, shape_of(id), id, eye, true);
        }
        list
    }

    /// The plane that mirrors: the geom, or the upper face of a box.
    fn find_mirror(&mut self, scene: &Scene, id: usize, eye: V3) {
        let geom = &scene.geoms[id];
        let (normal, mut position) = (axis(&geom.mat, 2), geom.pos);
        if geom.kind == GeomType::Box as i32 {
            (0..3).for_each(|k| position[k] += geom.size[2] * normal[k]);
        }
        if dot(sub(eye, position), normal) >= 0.0 && scene.draws(RenderFlag::Reflection) {
            self.mirror =
                Some(Mirror { geom: id, position, normal, reflectance: geom.reflectance });
        }
    }

    fn add_sky(&mut self, assets: &'a Assets, texture: usize, eye: V3, reach: f32) {
        let look = Look {
            shading: Shading::Sky,
            mapping: Mapping::Cube(texture, [1.0; 3]),
            casts: false,
            ..Look::plain([1.0; 4], usize::MAX)
        };
        self.looks.push(look);
        self.parts.push(Part {
            shape: &assets.builtin.cylinder,
            rotation: IDENTITY,
            position: eye,
            scale: [reach; 3],
            offset: [0.0; 3],
            look: self.looks.len() - 1,
            cull: Cull::Front,
        });
    }

    /// The ring of haze around the first plane that has no end in both directions.
    fn add_haze(&mut self, scene: &'a Scene, assets: &'a Assets, eye: V3, reach: f32) {
        let endless =
            |geom: &&Geom| geom.kind == GeomType::Plane as i32 && geom.size[..2] == [0.0; 2];
        let Some(plane) = scene.geoms.iter().find(endless) else { return };
        let elevation = dot(sub(eye, plane.pos), axis(&plane.mat, 2)) / reach;
        if elevation < 0.0 {
            return;
        }
        let [r, g, b, _] = assets.visual.rgba.haze;
        self.looks.push(Look {
            shading: Shading::Haze,
            blended: true,
            casts: false,
            ..Look::plain([r, g, b, 1.0], usize::MAX)
        });
        self.parts.push(Part {
            shape: &assets.builtin.haze,
            rotation: plane.mat,
            position: eye,
            scale: [reach, reach, reach * elevation],
            offset: [0.0, 0.0, -reach * elevation],
            look: self.looks.len() - 1,
            cull: Cull::Front,
        });
    }

    fn add(
        &mut self,
        scene: &'a Scene,
        assets: &'a Assets,
        moving: Option<&'a Shape>,
        id: usize,
        eye: V3,
        blended: bool,
    ) {
        let geom = &scene.geoms[id];
        let Some(kind) = GeomType::from_i32(geom.kind) else { return };
        let behind = kind == GeomType::Plane && is_behind(eye, geom);
        let mut rgba = geom.rgba;
        if behind && blended {
            rgba[3] *= BEHIND;
        }
        let line = matches!(kind, GeomType::Line | GeomType::LineBox);
        self.looks.push(Look {
            emission: geom.emission,
            specular: geom.specular,
            shininess: 128.0 * geom.shininess,
            shading: if line { Shading::Plain } else { Shading::Lit },
            mapping: mapping(assets, geom),
            blended,
            casts: !line && geom.category != Category::Decor as i32,
            mirror: self.mirror.is_some_and(|mirror| mirror.geom == id),
            segment: geom.segid,
            ..Look::plain(rgba, id)
        });
        let look = self.looks.len() - 1;

        let sides = scene.draws(RenderFlag::CullFace) && kind != GeomType::Triangle;
        let cull = match (sides, behind) {
            (false, _) => Cull::None,
            (true, true) => Cull::Front,
            (true, false) => Cull::Back,
        };
        let whole = Part {
            shape: &assets.builtin.cube,
            rotation: geom.mat,
            position: geom.pos,
            scale: geom.size,
            offset: [0.0; 3],
            look,
            cull,
        };
        let [a, b, c] = geom.size;
        let builtin = &assets.builtin;
        let data = usize::try_from(geom.dataid).ok();
        let mut put = |shape: &'a Shape, scale: V3, lift: f32| {
            self.parts.push(Part { shape, scale, offset: [0.0, 0.0, lift], ..whole });
        };
        match kind {
            GeomType::Plane => match data.and_then(|id| assets.planes.get(id)) {
                Some(plane) => put(plane.shape(), [1.0; 3], 0.0),
                None => put(&builtin.square, [a, b, 1.0], 0.0),
            },
            GeomType::Hfield => {
                if let Some(field) = data.and_then(|id| assets.hfields.get(id)) {
                    put(field.shape(), [1.0; 3], 0.0);
                }
            }
            GeomType::Mesh | GeomType::Sdf => {
                if let Some(shape) = data.and_then(|id| assets.mesh(id)) {
                    put(shape, [1.0; 3], 0.0);
                }
            }
            GeomType::Sphere | GeomType::Ellipsoid => put(&builtin.sphere, geom.size, 0.0),
            GeomType::Cylinder => put(&builtin.cylinder, geom.size, 0.0),
            GeomType::Box => put(&builtin.cube, geom.size, 0.0),
            GeomType::Capsule => {
                let cap = 0.5 * (a + b);
                put(&builtin.tube, geom.size, 0.0);
                put(&builtin.top, [a, b, cap], c - cap);
                put(&builtin.bottom, [a, b, cap], cap - c);
            }
            GeomType::Arrow | GeomType::Arrow1 => {
                let wide = if kind == GeomType::Arrow { 1.75 } else { 1.0 };
                let unit = c / 6.0;
                put(&builtin.cylinder, [a, b, unit], unit);
                put(&builtin.cone, [wide * a, wide * b, unit], 2.0 * unit);
            }
            GeomType::Arrow2 => {
                let unit = c / 3.0;
                put(&builtin.tube, [a, b, unit], 0.0);
                put(&builtin.cone, [1.75 * a, -1.75 * b, -0.5 * unit], -unit);
                put(&builtin.cone, [1.75 * a, 1.75 * b, 0.5 * unit], unit);
            }
            GeomType::Triangle => put(&builtin.triangle, [a, b, 1.0], 0.0),
            GeomType::Skin | GeomType::Flex => {
                if kind == GeomType::Flex {
                    self.add_flex(scene, builtin, &whole, geom);
                }
                if let Some(shape) = moving {
                    let (rotation, position, scale) = (IDENTITY, [0.0; 3], [1.0; 3]);
                    self.parts.push(Part { shape, rotation, position, scale, ..whole });
                }
            }
            GeomType::Line => {
                let end = |z: f32| place(geom, [0.0, 0.0, z]);
                let width = a * assets.visual.global.linewidth;
                self.lines.push(Line { ends: [end(0.0), end(c)], width, look });
            }
            GeomType::LineBox => self.add_box_edges(assets, geom, look),
            GeomType::Label | GeomType::None => {}
        }
        if kind == GeomType::Plane && geom.category != Category::Decor as i32 {
            let (rotation, position) = (geom.mat, geom.pos);
            self.planes.push(PlaneCaster { geom: id, position, rotation, size: [a, b] });
        }
    }

    /// Vertices of a flex as balls and edges as tubes, where no skin hides them.
    fn add_flex(
        &mut self,
        scene: &Scene,
        builtin: &'a crate::shapes::Builtin,
        whole: &Part<'a>,
        geom: &Geom,
    ) {
        let (flexes, radius) = (&scene.flexes, geom.size[0]);
        let Ok(id) = usize::try_from(geom.objid) else { return };
        let hidden = flexes.faceused.get(id).is_none_or(|&n| flexes.skinopt && n > 0);
        if hidden || radius <= 0.0 {
            return;
        }
        let first = flexes.vertadr[id] as usize;
        let vertices = &flexes.vert[first..first + flexes.vertnum[id] as usize];
        if flexes.vertopt {
            for &position in vertices {
                let (shape, scale) = (&builtin.sphere, [radius; 3]);
                self.parts.push(Part { shape, rotation: IDENTITY, position, scale, ..*whole });
            }
        }
        if flexes.edgeopt {
            let first = flexes.edgeadr[id] as usize;
            for edge in &flexes.edge[first..first + flexes.edgenum[id] as usize] {
                let [a, b] = edge.map(|v| vertices[v as usize]);
                let mut tube = Geom::default();
                let double = |v: V3| {
                    let [x, y, z] = v.map(f64::from);
                    sim_core::math::Vec3::new(x, y, z)
                };
                tube.connect(GeomType::Cylinder, f64::from(radius), double(a), double(b));
                self.parts.push(Part {
                    shape: &builtin.tube,
                    rotation: tube.mat,
                    position: tube.pos,
                    scale: tube.size,
                    ..*whole
                });
            }
        }
    }

    fn add_box_edges(&mut self, assets: &Assets, geom: &Geom, look: usize) {
        let width = 1.5 * assets.visual.global.linewidth;
        let corner = |i: usize| {
            let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
            let [a, b, c] = geom.size;
            place(geom, [sign(1) * a, sign(2) * b, sign(4) * c])
        };
        for i in 0..8 {
            for bit in [1, 2, 4] {
                if i & bit == 0 {
                    self.lines.push(Line { ends: [corner(i), corner(i | bit)], width, look });
                }
            }
        }
    }
}

/// A point of a geom in the world.
fn place(geom: &Geom, local: V3) -> V3 {
    let m = &geom.mat;
    [0, 1, 2].map(|k| dot([m[3 * k], m[3 * k + 1], m[3 * k + 2]], local) + geom.pos[k])
}

fn mapping(assets: &Assets, geom: &Geom) -> Mapping {
    let material = usize::try_from(geom.matid).ok().and_then(|mat| assets.materials.get(mat));
    let Some((material, texture)) = material.and_then(|m| Some((m, m.texture?))) else {
        return Mapping::None;
    };
    let flat = matches!(assets.textures[texture], Texture::Flat(_));
    if geom.texcoord != 0 {
        return if flat { Mapping::Explicit(texture) } else { Mapping::None };
    }
    if !flat {
        let scale = if material.uniform { geom.size } else { [1.0; 3] };
        return Mapping::Cube(texture, scale);
    }
    let mut scale = material.repeat;
    for k in 0..2 {
        if geom.size[k] > 0.0 {
            if geom.dataid >= 0 {
                scale[k] /= geom.size[k];
            }
            if material.uniform {
                scale[k] *= geom.size[k];
            }
        }
    }
    Mapping::Planar(texture, scale)
}

impl Look {
    fn plain(rgba: [f32; 4], geom: usize) -> Look {
        Look {
            rgba,
            emission: 0.0,
            specular: 0.0,
            shininess: 0.0,
            shading: Shading::Plain,
            mapping: Mapping::None,
            blended: false,
            casts: false,
            mirror: false,
            segment: -1,
            geom,
        }
    }
}

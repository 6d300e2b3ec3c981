//! Colours of fragments: light between vertices, textures, shadows, fog.

use sim_core::scene::{GlCamera, RenderFlag, Scene};

use crate::assets::Assets;
use crate::draw::{DrawList, Look, Mapping, Shading};
use crate::fragment::{Corners, Eight, Weights};
use crate::geometry::{Geometry, Triangle};
use crate::shadow::ShadowMap;
use crate::texture::{Texture, cube_face, face_place, face_place8};
use crate::vector::{V3, V3x8, f32x8, log2, log2_scalar};
use crate::view::Rays;

/// Opacity from which a surface takes part in shadow passes.
const SOLID: f32 = 0.99;
const FULL: f32 = 255.0;
/// Least growth of texture coordinates, so that it has a logarithm.
const TINY: f32 = 1e-30;

/// Linear fog: colour, and the distances where it starts and is complete.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fog {
    pub(crate) color: V3,
    pub(crate) start: f32,
    pub(crate) end: f32,
    /// Near and far plane, if distances are given as depths.
    planes: Option<[f32; 2]>,
}

/// What shading reads.
pub(crate) struct Shader<'a> {
    pub(crate) list: &'a DrawList<'a>,
    pub(crate) assets: &'a Assets,
    pub(crate) shadows: &'a [ShadowMap],
    pub(crate) fog: Option<Fog>,
    pub(crate) rays: Rays,
}

impl Fog {
    pub(crate) fn new(scene: &Scene, assets: &Assets, camera: &GlCamera) -> Option<Fog> {
        let (map, [r, g, b, _]) = (&assets.visual.map, assets.visual.rgba.fog);
        let [start, end] = [map.fogstart, map.fogend].map(|x| x * assets.extent);
        let planes = [camera.frustum_near, camera.frustum_far];
        let planes = (camera.orthographic != 0).then_some(planes);
        scene.draws(RenderFlag::Fog).then_some(Fog { color: [r, g, b], start, end, planes })
    }

    /// Colours seen through the fog, of which the part `clear` is left.
    fn over(&self, color: V3x8, clear: f32x8) -> V3x8 {
        std::array::from_fn(|k| {
            let behind = f32x8::splat(FULL * self.color[k]);
            behind + clear * (color[k] - behind)
        })
    }

    /// How much of a surface at a distance is seen through the fog.
    fn clear(&self, distance: f32x8) -> f32x8 {
        let distance = match self.planes {
            Some([near, far]) => f32x8::splat(far) - distance * f32x8::splat(far - near),
            None => distance,
        };
        let part = (f32x8::splat(self.end) - distance) / f32x8::splat(self.end - self.start);
        part.fast_max(f32x8::ZERO).fast_min(f32x8::ONE)
    }
}

impl Shader<'_> {
    /// The look of a triangle.
    pub(crate) fn look(&self, geometry: &Geometry, triangle: &Triangle) -> &Look {
        &self.list.looks[geometry.parts[triangle.part as usize].look]
    }

    /// Colours and opacity of a triangle at eight pixels, colours up to 255 and rounded pass by pass
    /// as a picture of bytes would. `wanted` are the bits of pixels that matter; `shadows` says
    /// whether shadow passes are added.
    pub(crate) fn shade(
        &self,
        geometry: &Geometry,
        triangle: &Triangle,
        at: [usize; 2],
        wanted: u32,
        shadows: bool,
        eight: &mut Eight,
    ) -> (V3x8, f32x8) {
        let look = self.look(geometry, triangle);
        if self.batches(look) {
            self.neighbours(geometry, triangle, look, at, eight);
            return self.shade_eight(look, eight, wanted, None, shadows);
        }
        let weights = Weights::new(geometry, triangle, at[0], at[1]);
        let cube = self.cube_texture(geometry, triangle, look, &weights, wanted);
        if look.shading == Shading::Lit {
            self.neighbours(geometry, triangle, look, at, eight);
            return self.shade_eight(look, eight, wanted, cube, shadows);
        }
        let mut alpha = f32x8::splat(look.rgba[3]);
        let plain = || [0, 1, 2].map(|k| f32x8::splat(FULL * look.rgba[k]));
        let mut color = match look.shading {
            Shading::Sky => [f32x8::splat(FULL); 3],
            Shading::Haze => {
                let part = &self.list.parts[geometry.parts[triangle.part as usize].part];
                let first = geometry.parts[triangle.part as usize].first;
                let opacity = triangle.vertices.map(|v| part.shape.texcoord[v as usize - first][0]);
                alpha = weights
                    .mix(opacity.map(f32x8::splat))
                    .fast_max(f32x8::ZERO)
                    .fast_min(f32x8::ONE);
                plain()
            }
            _ => plain(),
        };
        if let Some(texture) = &cube {
            (0..3).for_each(|k| color[k] *= texture[k]);
            alpha *= texture[3];
        }
        if let Some(fog) = self.fog.filter(|_| look.shading != Shading::Haze) {
            let which = if fog.planes.is_some() { 2 } else { 3 };
            let distance = triangle.vertices.map(|v| geometry.vertices[v as usize].clip[which]);
            color = fog.over(color, fog.clear(weights.mix(distance.map(f32x8::splat))));
        }
        (color.map(bytes), alpha)
    }

    /// Adds the light of the lights that throw shadows, one by one and where it arrives. `own` gives
    /// the colours in the light of one of them, `points` the places in the world.
    #[inline]
    #[allow(clippy::too_many_arguments)]
    fn add_lights(
        &self,
        look: &Look,
        mut color: V3x8,
        own: impl Fn(usize) -> V3x8,
        points: impl Fn() -> V3x8,
        texture: Option<&[f32x8; 4]>,
        clear: Option<f32x8>,
        wanted: u32,
    ) -> V3x8 {
        if self.shadows.is_empty() {
            return color;
        }
        let points = points();
        for (s, shadow) in self.shadows.iter().enumerate() {
            let mut more = own(s);
            // what faces away from the light needs no shadow
            let bright = more[0].fast_max(more[1]).fast_max(more[2]).simd_gt(f32x8::ZERO);
            let bright = bright.to_bitmask() & wanted;
            let lit = if bright == 0 { 0 } else { shadow.lit(&points, look.geom, bright) };
            if lit == 0 {
                continue;
            }
            let mask: [u32; 8] = std::array::from_fn(|lane| 0u32.wrapping_sub(lit >> lane & 1));
            let mask: f32x8 = bytemuck::cast(mask);
            for k in 0..3 {
                more[k] = more[k].fast_max(f32x8::ZERO).fast_min(f32x8::ONE) * f32x8::splat(FULL);
                if let Some(texture) = texture {
                    more[k] *= texture[k];
                }
                if let Some(clear) = clear {
                    more[k] *= clear;
                }
                color[k] = (color[k] + (bytes(more[k]) & mask)).fast_min(f32x8::splat(FULL));
            }
        }
        color
    }

    /// Whether fragments of a look are collected and shaded eight at a time, wherever they are.
    pub(crate) fn batches(&self, look: &Look) -> bool {
        look.shading == Shading::Lit && !matches!(look.mapping, Mapping::Cube(..))
    }

    /// Whether a triangle is half of a plane that is lit at the crossings of a grid.
    pub(crate) fn has_grid(&self, geometry: &Geometry, triangle: &Triangle) -> bool {
        geometry.parts[triangle.part as usize].grid.is_some()
    }

    /// Finds what eight triangles of one look show, each at a pixel.
    #[inline]
    pub(crate) fn gather(
        &self,
        look: &Look,
        triangles: &[(&Geometry, &Triangle); 8],
        pixel: [f32x8; 2],
        eight: &mut Eight,
    ) {
        let mut corners = [Corners { attributes: &[], first: [0; 3] }; 8];
        for (out, (geometry, triangle)) in corners.iter_mut().zip(triangles) {
            out.attributes = &geometry.attributes;
            out.first = triangle.slots.map(|slot| slot as usize * geometry.stride);
        }
        eight.pixel = pixel;
        let weights = eight.gather(&corners, 3 * (self.shadows.len() + 1), self.needed(look));
        if let Mapping::Explicit(id) | Mapping::Planar(id, _) = look.mapping {
            let mut at = [[[0.0; 8]; 3]; 2];
            for (lane, (geometry, triangle)) in triangles.iter().enumerate() {
                let corners = self.coordinates(geometry, triangle, look);
                for (i, place) in corners.unwrap_or_default().into_iter().enumerate() {
                    (0..2).for_each(|k| at[k][i][lane] = place[k]);
                }
            }
            let at = at.map(|corners| corners.map(f32x8::new));
            let ([s, t], growth) = self.flat_place(id, at, &weights);
            eight.place = [s, t, growth];
        }
    }

    /// Finds what a triangle shows at the pixel `at` and the seven to the right of it.
    #[inline]
    pub(crate) fn neighbours(
        &self,
        geometry: &Geometry,
        triangle: &Triangle,
        look: &Look,
        at: [usize; 2],
        eight: &mut Eight,
    ) {
        let needed = self.needed(look);
        let placed = &geometry.parts[triangle.part as usize];
        let part = self.list.parts.get(placed.part);
        let grid = part.and_then(|part| part.shape.grid.as_ref()).zip(placed.grid);
        let Some((lines, view)) = grid else {
            let weights = Weights::new(geometry, triangle, at[0], at[1]);
            eight.mix(geometry, triangle, &weights, needed);
            return self.locate(geometry, triangle, look, at, &weights, eight);
        };
        eight.put_pixels(at);
        let spots = geometry.grids[view].spots(at[0], at[1]);
        let cells = lines.cells(&spots);
        eight.mix_cells(geometry, placed.first, lines.columns() + 1, &cells, needed);
        if let Mapping::Planar(id, [s, t]) = look.mapping {
            let (scale, half) = ([0.5 * s, -0.5 * t].map(f32x8::splat), f32x8::splat(0.5));
            let [s, t] = [spots.x * scale[0] - half, spots.y * scale[1] - half];
            let slopes = [0, 1].map(|k| spots.slopes[k].map(|slope| slope * scale[k]));
            eight.place = [s, t, self.growth(id, slopes)];
        }
    }

    /// Finds the pixels of eight neighbours and their places in a texture.
    #[inline]
    fn locate(
        &self,
        geometry: &Geometry,
        triangle: &Triangle,
        look: &Look,
        at: [usize; 2],
        weights: &Weights,
        eight: &mut Eight,
    ) {
        eight.put_pixels(at);
        let (Mapping::Explicit(id) | Mapping::Planar(id, _)) = look.mapping else { return };
        if let Some(corners) = self.coordinates(geometry, triangle, look) {
            let at = [0, 1].map(|k| corners.map(|corner| f32x8::splat(corner[k])));
            let ([s, t], growth) = self.flat_place(id, at, weights);
            eight.place = [s, t, growth];
        }
    }

    /// How many attributes, from the first on, fragments of a look are shaded by.
    pub(crate) fn needed(&self, look: &Look) -> usize {
        let colors = 3 * (self.shadows.len() + 1);
        match self.fog.is_none() && (look.blended || self.shadows.is_empty()) {
            true => 3,
            false => colors + 1,
        }
    }

    /// Colours and opacity of eight fragments. `cube` is the colour of a texture that is not flat.
    pub(crate) fn shade_eight(
        &self,
        look: &Look,
        eight: &Eight,
        wanted: u32,
        cube: Option<[f32x8; 4]>,
        shadows: bool,
    ) -> (V3x8, f32x8) {
        let colors = 3 * (self.shadows.len() + 1);
        let value = |k: usize| eight.attributes[k];
        let mut alpha = f32x8::splat(look.rgba[3]);
        let texture = match look.mapping {
            Mapping::Explicit(id) | Mapping::Planar(id, _) => {
                let [s, t, growth] = eight.place;
                self.flat_color(id, [s, t], growth, wanted)
            }
            _ => cube,
        };
        let mut color: V3x8 = std::array::from_fn(|k| {
            value(k).fast_max(f32x8::ZERO).fast_min(f32x8::ONE) * f32x8::splat(FULL)
        });
        if let Some(texture) = &texture {
            (0..3).for_each(|k| color[k] *= texture[k]);
            alpha *= texture[3];
        }
        let clear = self.fog.map(|fog| (fog, fog.clear(value(colors))));
        if let Some((fog, clear)) = clear {
            color = fog.over(color, clear);
        }
        let color = color.map(bytes);
        if !shadows {
            return (color, alpha);
        }
        let own = |s: usize| std::array::from_fn(|k| value(3 * (s + 1) + k));
        let points = || {
            let [x, y] = eight.pixel;
            self.rays.points(x, y, value(colors))
        };
        let solid = match texture {
            Some(_) => alpha.simd_ge(f32x8::splat(SOLID)).to_bitmask() & wanted,
            None => wanted,
        };
        let clear = clear.map(|(_, clear)| clear);
        (self.add_lights(look, color, own, points, texture.as_ref(), clear, solid), alpha)
    }

    /// Texture coordinates at the corners of a triangle, for textures in a plane.
    fn coordinates(
        &self,
        geometry: &Geometry,
        triangle: &Triangle,
        look: &Look,
    ) -> Option<[[f32; 2]; 3]> {
        let placed = &geometry.parts[triangle.part as usize];
        let local = || triangle.vertices.map(|v| v as usize - placed.first);
        match look.mapping {
            Mapping::Explicit(_) => {
                let shape = self.list.parts.get(placed.part)?.shape;
                let at = |v: usize| shape.texcoord.get(v).copied().unwrap_or_default();
                Some(local().map(at))
            }
            Mapping::Planar(_, [s, t]) => {
                let [x, y, _] = &self.list.parts.get(placed.part)?.shape.position;
                Some(local().map(|v| [0.5 * s * x[v] - 0.5, -0.5 * t * y[v] - 0.5]))
            }
            _ => None,
        }
    }

    /// Colours of a texture on a cube, up to 1; `None` without one.
    fn cube_texture(
        &self,
        geometry: &Geometry,
        triangle: &Triangle,
        look: &Look,
        weights: &Weights,
        wanted: u32,
    ) -> Option<[f32x8; 4]> {
        let Mapping::Cube(id, scale) = look.mapping else { return None };
        let placed = &geometry.parts[triangle.part as usize];
        let shape = self.list.parts.get(placed.part)?.shape;
        let points = triangle.vertices.map(|v| shape.point(v as usize - placed.first));
        let directions = points.map(|p| match look.shading == Shading::Sky {
            true => [p[0], p[2], -p[1]],
            false => [0, 1, 2].map(|k| p[k] * scale[k]),
        });
        self.cube(id, directions, weights, wanted)
    }

    /// Places in a picture, and by how many texels they change from pixel to pixel, squared.
    #[inline]
    fn flat_place(&self, id: usize, values: [V3x8; 2], weights: &Weights) -> ([f32x8; 2], f32x8) {
        let place = values.map(|v| weights.mix(v));
        let slopes = [0, 1].map(|k| weights.slopes(values[k], place[k]));
        (place, self.growth(id, slopes))
    }

    /// By how many texels places change from pixel to pixel, squared, given how they change.
    #[inline]
    fn growth(&self, id: usize, slopes: [[f32x8; 2]; 2]) -> f32x8 {
        let size = match &self.assets.textures[id] {
            Texture::Flat(picture) => picture.size(),
            Texture::Cube { .. } => [1.0; 2],
        };
        let slopes = [0, 1].map(|k| slopes[k].map(|slope| slope * f32x8::splat(size[k])));
        let along = |d: usize| slopes[0][d] * slopes[0][d] + slopes[1][d] * slopes[1][d];
        along(0).max(along(1))
    }

    #[inline]
    fn flat_color(
        &self,
        id: usize,
        [s, t]: [f32x8; 2],
        growth: f32x8,
        wanted: u32,
    ) -> Option<[f32x8; 4]> {
        let Texture::Flat(picture) = &self.assets.textures[id] else { return None };
        let lod = f32x8::splat(0.5) * log2(growth.max(f32x8::splat(TINY)));
        Some(picture.sample8(s, t, lod, wanted).map(|x| x * f32x8::splat(1.0 / FULL)))
    }

    fn cube(
        &self,
        id: usize,
        directions: [V3; 3],
        weights: &Weights,
        wanted: u32,
    ) -> Option<[f32x8; 4]> {
        let Texture::Cube { faces, .. } = &self.assets.textures[id] else { return None };
        let values = [0, 1, 2].map(|k| directions.map(|d| f32x8::splat(d[k])));
        let direction = values.map(|v| weights.mix(v));
        let slopes: [[f32x8; 2]; 3] =
            std::array::from_fn(|k| weights.slopes(values[k], direction[k]));

        // neighbours mostly look at one face
        let (x, y, z) = (direction[0].abs(), direction[1].abs(), direction[2].abs());
        let here = direction.map(|v| v.to_array()[wanted.trailing_zeros() as usize & 7]);
        let (face, _) = cube_face(here);
        let major = direction[face / 2];
        let positive = if face % 2 == 0 { major } else { -major };
        let most = x.max(y).max(z);
        if positive.simd_ge(most).to_bitmask() & wanted == wanted {
            let picture = &faces[face.min(faces.len() - 1)];
            let size = picture.size();
            let at = face_place8(face, direction);
            let growth = [0, 1].map(|d| {
                let next = face_place8(face, std::array::from_fn(|k| direction[k] + slopes[k][d]));
                let [ds, dt] = [0, 1].map(|k| (next[k] - at[k]) * f32x8::splat(size[k]));
                ds * ds + dt * dt
            });
            let growth = growth[0].max(growth[1]).max(f32x8::splat(TINY));
            let lod = f32x8::splat(0.5) * log2(growth);
            let color = picture.sample8(at[0], at[1], lod, wanted);
            return Some(color.map(|x| x * f32x8::splat(1.0 / FULL)));
        }

        let direction = direction.map(|x| x.to_array());
        let slopes = slopes.map(|pair| pair.map(|x| x.to_array()));
        Some(gather(wanted, |lane| {
            let here = [0, 1, 2].map(|k| direction[k][lane]);
            let (face, [s, t]) = cube_face(here);
            let picture = &faces[face.min(faces.len() - 1)];
            let [width, height] = picture.size();
            let growth = [0, 1].map(|d| {
                let next = [0, 1, 2].map(|k| here[k] + slopes[k][d][lane]);
                let [s1, t1] = face_place(face, next);
                let (ds, dt) = ((s1 - s) * width, (t1 - t) * height);
                ds * ds + dt * dt
            });
            let lod = 0.5 * log2_scalar(growth[0].max(growth[1]));
            picture.sample(s, t, lod)
        }))
    }
}

/// Rounds colours as bytes do.
#[inline]
fn bytes(x: f32x8) -> f32x8 {
    x.fast_max(f32x8::ZERO).fast_min(f32x8::splat(FULL)).round_ties_even()
}

/// Samples of the lanes that matter, up to 1.
fn gather(wanted: u32, sample: impl Fn(usize) -> [f32; 4]) -> [f32x8; 4] {
    let mut channels = [[0.0; 8]; 4];
    let mut rest = wanted;
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let color = sample(lane);
        for k in 0..4 {
            channels[k][lane] = color[k] * (1.0 / FULL);
        }
    }
    channels.map(f32x8::new)
}

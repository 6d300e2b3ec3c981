//! Flexes with the bodies that carry them, made from points and elements.

use sim_core::math::Vec3;
use sim_core::model::{EqType, GeomType, JointType};

use super::flex_shape::FlexShape;
use super::{Body, Equality, Flex, Geom, Id, Inertial, Info, Joint, Spec};
use crate::error::Error;
use crate::pose::{Pose, rotate, unit};

/// Bodies that a model can have.
const MAX_BODIES: usize = 65533;

/// A flex and the bodies of its vertices or nodes, as they are to be made.
#[derive(Debug, Clone)]
pub(crate) struct Flexcomp {
    /// The flex, but for its bodies, vertices and elements.
    pub flex: Flex,
    /// The body that everything is in.
    pub parent: Id<Body>,
    /// How it moves.
    pub dof: FlexDof,
    /// Whether everything is fixed to the parent.
    pub rigid: bool,
    /// Mass of all of it.
    pub mass: f64,
    /// Half size of the cubes whose inertia the bodies have.
    pub inertiabox: f64,
    /// Factors of the points.
    pub scale: Vec3,
    /// Pose of the points in the parent.
    pub pose: Pose,
    /// Whether points that no element uses are dropped.
    pub direct: bool,
    /// What is fixed to the parent.
    pub pins: Pins,
    /// What holds the lengths of edges.
    pub equality: Option<Equality>,
}

/// How a flexcomp moves.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlexDof {
    /// Every point by itself.
    #[default]
    Full,
    /// Every point along the line from the origin.
    Radial,
    /// With the corners of a box.
    Trilinear,
    /// With 27 nodes of a box.
    Quadratic,
}

impl FlexDof {
    /// Degree of the functions that follow nodes; none if points move by themselves.
    pub(crate) fn order(self) -> Option<usize> {
        match self {
            FlexDof::Full | FlexDof::Radial => None,
            FlexDof::Trilinear => Some(1),
            FlexDof::Quadratic => Some(2),
        }
    }
}

/// Points or nodes that are fixed to the parent.
#[derive(Debug, Default, Clone)]
pub(crate) struct Pins {
    /// Indices.
    pub id: Vec<i32>,
    /// First and last index of ranges.
    pub range: Vec<i32>,
    /// Places in a grid.
    pub grid: Vec<i32>,
    /// First and last place of blocks of a grid.
    pub gridrange: Vec<i32>,
    /// Points along each axis of the grid.
    pub count: [i32; 3],
    /// Whether the points are a grid.
    pub of_grid: bool,
}

/// Shares of the mass along an axis of nodes.
const QUADRATIC_MASS: [f64; 3] = [1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0];

impl Spec {
    /// Adds a flex, the bodies that carry it, and what holds its edges.
    pub(crate) fn add_flexcomp(
        &mut self,
        mut comp: Flexcomp,
        mut shape: FlexShape,
    ) -> Result<(), Error> {
        let src = comp.flex.src;
        check_shape(&comp, &shape)?;
        for point in &mut shape.points {
            let Vec3 { x, y, z } = *point;
            if comp.direct {
                *point = Vec3::new(x * comp.scale.x, y * comp.scale.y, z * comp.scale.z);
            }
            *point = rotate(comp.pose.quat, *point) + comp.pose.pos;
        }
        let bounds = Bounds::of(&shape.points);
        let nodes = comp.dof.order().map_or(0, |order| (order + 1).pow(3));
        let mut pinned = vec![comp.rigid; shape.points.len().max(nodes)];
        let mut centred = false;
        if !comp.rigid {
            comp.pins.apply(&comp, &mut pinned, shape.points.len())?;
            // the centre of what moves radially stays
            pinned[0] |= comp.dof == FlexDof::Radial;
            let points = &pinned[..shape.points.len()];
            comp.rigid = points.iter().all(|&pin| pin);
            centred = !points.contains(&true);
        }
        if comp.direct {
            drop_unused(&mut shape, &mut pinned, nodes);
        }

        let count = shape.points.len();
        let bodies = match comp.dof.order() {
            _ if comp.rigid => 0,
            Some(_) => nodes,
            None => pinned[..count].iter().filter(|&&pin| !pin).count(),
        };
        if self.bodies.len() + bodies > MAX_BODIES {
            let message = format!("{bodies} bodies are too many: a model has at most {MAX_BODIES}");
            return Err(src.error(message));
        }
        let mut flex = comp.flex.clone();
        flex.elem = shape.elements;
        flex.texcoord = shape.texcoord;
        flex.elemtexcoord = shape.elemtexcoord;
        let parent = self[comp.parent].name.clone();
        if comp.rigid {
            flex.vertbody = vec![parent];
            flex.vert = flatten(&shape.points);
            self.flexes.push(flex);
            return Ok(());
        }

        // bodies of the vertices; those of nodes carry vertices nowhere
        let mass = comp.mass / count as f64;
        for (i, point) in shape.points.iter_mut().enumerate() {
            if pinned[i] || nodes > 0 {
                flex.vertbody.push(parent.clone());
                continue;
            }
            let name = format!("{}_{i}", flex.name);
            flex.vertbody.push(name.clone());
            let body = self.add_carrier(&comp, name, *point, mass, Some(4));
            let axes: &[Vec3] = match comp.dof {
                FlexDof::Radial => &[unit(*point).map_or(*point, |(axis, _)| axis)],
                _ => &[Vec3::X, Vec3::Y, Vec3::Z],
            };
            axes.iter().for_each(|&axis| self.add_slide(&comp, body, axis));
            if !centred {
                *point = Vec3::ZERO;
            }
        }
        if let Some(order) = comp.dof.order() {
            self.add_nodes(&comp, &mut flex, order, &bounds, &pinned, &parent);
            if centred {
                flex.node.clear();
            }
        }
        if !centred || nodes > 0 {
            flex.vert = flatten(&shape.points);
        }
        self.flexes.push(flex);
        if let Some(equality) = comp.equality {
            self.equalities.push(equality);
        }
        Ok(())
    }

    /// Adds the nodes of an interpolated flex, on a regular grid in the box around its points.
    fn add_nodes(
        &mut self,
        comp: &Flexcomp,
        flex: &mut Flex,
        order: usize,
        bounds: &Bounds,
        pinned: &[bool],
        parent: &str,
    ) {
        let step = 1.0 / order as f64;
        let share = |i: usize, axis: usize| {
            bounds.low[axis] + i as f64 * step * (bounds.high[axis] - bounds.low[axis])
        };
        let mut pins = pinned.iter();
        for i in 0..=order {
            for j in 0..=order {
                for k in 0..=order {
                    let point = Vec3::new(share(i, 0), share(j, 1), share(k, 2));
                    if pins.next() == Some(&true) {
                        flex.node.extend(point.to_array());
                        flex.nodebody.push(parent.to_owned());
                        continue;
                    }
                    let mass = match comp.dof {
                        FlexDof::Quadratic => {
                            comp.mass * QUADRATIC_MASS[i] * QUADRATIC_MASS[j] * QUADRATIC_MASS[k]
                        }
                        _ => comp.mass / 8.0,
                    };
                    let name = format!("{}_{i}_{j}_{k}", flex.name);
                    flex.node.extend([0.0; 3]);
                    flex.nodebody.push(name.clone());
                    let body = self.add_carrier(comp, name, point, mass, None);
                    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                        self.add_slide(comp, body, axis);
                    }
                }
            }
        }
    }

    /// Adds a body that carries a vertex or a node, with a sphere if that is to collide.
    fn add_carrier(
        &mut self,
        comp: &Flexcomp,
        name: String,
        pos: Vec3,
        mass: f64,
        group: Option<i32>,
    ) -> Id<Body> {
        let (src, class) = (comp.flex.src, self[comp.parent].class);
        let moment = mass * (2.0 * comp.inertiabox * comp.inertiabox) / 3.0;
        let inertial = Inertial {
            src,
            pos: Some(Vec3::ZERO),
            mass: Some(mass),
            diaginertia: Some(Vec3::new(moment, moment, moment)),
            ..Inertial::default()
        };
        let info = Info { name, class, ..Info::at(src) };
        let inertial = Some(inertial);
        let body = self.add_to(comp.parent, Body { info, pos, inertial, ..Body::default() });
        if comp.flex.vertcollide != 0 {
            let mut geom: Geom = self.default_of(class);
            geom.src = src;
            geom.kind = GeomType::Sphere;
            geom.size[0] = comp.flex.radius;
            geom.group = group.unwrap_or(geom.group);
            self.add_to(body, geom);
        }
        body
    }

    /// Adds a slide joint.
    fn add_slide(&mut self, comp: &Flexcomp, body: Id<Body>, axis: Vec3) {
        let mut joint: Joint = self.default_of(self[comp.parent].class);
        joint.src = comp.flex.src;
        (joint.kind, joint.pos, joint.axis) = (JointType::Slide, Vec3::ZERO, axis);
        self.add_to(body, joint);
    }
}

impl Flexcomp {
    /// The equality constraint of a kind that holds the edges.
    pub(crate) fn holds(flex: &Flex, kind: EqType) -> Equality {
        Equality { info: Info::at(flex.src), kind, name1: flex.name.clone(), ..Equality::default() }
    }
}

/// Checks that there are points and elements, and that elements are made of points.
fn check_shape(comp: &Flexcomp, shape: &FlexShape) -> Result<(), Error> {
    let src = comp.flex.src;
    if shape.points.is_empty() || shape.elements.is_empty() {
        return Err(src.error("a flex needs points and elements"));
    }
    let corners = comp.flex.dim as usize + 1;
    if !shape.elements.len().is_multiple_of(corners) {
        let message = format!(
            "an element of dimension {} has {corners} points, but {} numbers are no multiple of that",
            comp.flex.dim,
            shape.elements.len()
        );
        return Err(src.error(message).attribute("element"));
    }
    let count = shape.points.len();
    let outside = |&&point: &&i32| usize::try_from(point).map_or(true, |point| point >= count);
    if let Some(point) = shape.elements.iter().find(outside) {
        let message = format!("an element has point {point}, but there are {count} points");
        return Err(src.error(message).attribute("element"));
    }
    Ok(())
}

impl Pins {
    /// Marks what is pinned, given the number of points.
    fn apply(&self, comp: &Flexcomp, pinned: &mut [bool], points: usize) -> Result<(), Error> {
        let src = comp.flex.src;
        let dim = comp.flex.dim as usize;
        let interpolated = comp.dof.order();
        let fault = |message: &str| Err(src.error(message));
        if !self.range.len().is_multiple_of(2) {
            return fault("the range of a pin is pairs: first and last point");
        }
        if !self.grid.len().is_multiple_of(dim) || !self.gridrange.len().is_multiple_of(2 * dim) {
            return fault(
                "a place in the grid of a pin has as many numbers as the flex dimensions",
            );
        }
        if !(self.grid.is_empty() && self.gridrange.is_empty()) {
            if !self.of_grid && interpolated.is_none() {
                return fault("only a flexcomp of type 'grid' or with nodes has pins by grid");
            }
            if dim == 1 {
                return fault("a flexcomp of dimension 1 has no pins by grid")
                    .map_err(|error| error.help("use 'id' or 'range'"));
            }
        }
        let index = |i: i32| match usize::try_from(i) {
            Ok(i) if i < points => Ok(i),
            _ => {
                let message = format!("a pin is point {i}, but there are {points} points");
                Err(src.error(message))
            }
        };
        for &id in &self.id {
            pinned[index(id)?] = true;
        }
        for range in self.range.as_chunks::<2>().0 {
            let (first, last) = (index(range[0])?, index(range[1])?);
            if first <= last {
                pinned[first..=last].fill(true);
            }
        }
        let outside = |place: &[i32], count: &[i32; 3]| {
            let message =
                format!("a pin is at {place:?} of a grid with {:?} points", &count[..dim]);
            Err(src.error(message))
        };
        let within = |place: &[i32], count: &[i32; 3]| {
            place.iter().zip(count).all(|(i, n)| (0..*n).contains(i))
        };
        // places of nodes are counted with the strides of the points
        let mut set = |place: [i32; 3]| -> Result<(), Error> {
            let [_, ny, nz] = self.count.map(|n| n as usize);
            let [x, y, z] = place.map(|i| i as usize);
            let column = x.saturating_mul(ny).saturating_add(y);
            let i = if dim == 2 { column } else { column.saturating_mul(nz).saturating_add(z) };
            match pinned.get_mut(i) {
                Some(pin) => *pin = true,
                None => return outside(&place[..dim], &self.count),
            }
            Ok(())
        };
        for place in self.grid.chunks_exact(dim) {
            let count = match interpolated {
                Some(order) if !self.of_grid => [order as i32 + 1; 3],
                _ => self.count,
            };
            if !within(place, &count) {
                return outside(place, &count);
            }
            set([place[0], place[1], place.get(2).copied().unwrap_or(0)])?;
        }
        for block in self.gridrange.chunks_exact(2 * dim) {
            let (first, last) = block.split_at(dim);
            for place in [first, last] {
                if !within(place, &self.count) {
                    return outside(place, &self.count);
                }
            }
            let (first, last) = (three(first), three(last));
            for x in first[0]..=last[0] {
                for y in first[1]..=last[1] {
                    for z in first[2]..=last[2] {
                        set([x, y, z])?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// A place in a grid of up to three dimensions.
fn three(place: &[i32]) -> [i32; 3] {
    [0, 1, 2].map(|axis| place.get(axis).copied().unwrap_or(0))
}

/// Drops points that no element uses, with their pins.
fn drop_unused(shape: &mut FlexShape, pinned: &mut Vec<bool>, nodes: usize) {
    let count = shape.points.len();
    let mut used = vec![false; count];
    shape.elements.iter().for_each(|&point| used[point as usize] = true);
    if !used.contains(&false) {
        return;
    }
    let mut next = 0;
    let mut new = vec![0; count];
    for i in (0..count).filter(|&i| used[i]) {
        new[i] = next as i32;
        shape.points[next] = shape.points[i];
        for k in 0..2 {
            if !shape.elemtexcoord.is_empty() {
                break;
            }
            if let Some(&x) = shape.texcoord.get(2 * i + k) {
                shape.texcoord[2 * next + k] = x;
            }
        }
        pinned[next] = pinned[i];
        next += 1;
    }
    shape.elements.iter_mut().for_each(|point| *point = new[*point as usize]);
    shape.points.truncate(next);
    if !shape.texcoord.is_empty() && shape.elemtexcoord.is_empty() {
        shape.texcoord.resize(2 * next, 0.0);
    }
    pinned.resize(next.max(nodes), false);
}

fn flatten(points: &[Vec3]) -> Vec<f64> {
    points.iter().flat_map(|point| point.to_array()).collect()
}

/// The box around points.
struct Bounds {
    low: Vec3,
    high: Vec3,
}

impl Bounds {
    fn of(points: &[Vec3]) -> Bounds {
        let far = Vec3::new(1e10, 1e10, 1e10);
        let mut bounds = Bounds { low: far, high: -far };
        for point in points {
            for axis in 0..3 {
                bounds.low[axis] = bounds.low[axis].min(point[axis]);
                bounds.high[axis] = bounds.high[axis].max(point[axis]);
            }
        }
        bounds
    }
}

//! Flexes: what their elements, vertices and nodes make of the bodies that carry them.

mod elastic;
mod fill;
mod interpolated;
mod stable;
mod topology;

use sim_core::math::Vec3;
use sim_core::model::{FlexSelf, ObjType};

use super::bvh;
use super::names::Names;
use super::tables::material;
use super::tree::Tree;
use crate::error::Error;
use crate::pose::{Pose, rotate, unit_quat};
use crate::spec::{self, Spec};
use topology::Topology;

/// Lengths below this count as zero.
const MINVAL: f64 = 1e-15;

/// The flexes of a model, compiled.
#[derive(Debug, Default)]
pub(super) struct Flexes<'a>(Vec<Flex<'a>>);

/// A flex, compiled.
#[derive(Debug)]
struct Flex<'a> {
    spec: &'a spec::Flex,
    dim: usize,
    matid: i32,
    /// Degree of the functions that follow nodes; 0 if there are no nodes.
    order: usize,
    /// Whether all vertices are on the same body.
    rigid: bool,
    /// Whether vertices, or nodes if there are some, are at the origins of their bodies.
    centred: bool,
    /// Body of each vertex; −1 where vertices follow nodes.
    vertbody: Vec<i32>,
    nodebody: Vec<i32>,
    vert: Vec<Vec3>,
    node: Vec<Vec3>,
    /// Positions of vertices in the box around them, each coordinate from 0 to 1.
    vert0: Vec<Vec3>,
    /// Positions of nodes in the world.
    node0: Vec<Vec3>,
    /// Half sizes of the box around the vertices.
    size: Vec3,
    elem: Vec<i32>,
    elemtexcoord: Vec<i32>,
    topology: Topology,
    stiffness: Vec<[f64; 21]>,
    bending: Vec<[f64; 17]>,
    bvh: Vec<bvh::Node>,
}

impl<'a> Flexes<'a> {
    /// Compiles all flexes.
    pub(super) fn new(
        spec: &'a Spec,
        tree: &Tree<'a>,
        names: &Names<'a>,
    ) -> Result<Flexes<'a>, Error> {
        if spec.flexes.is_empty() {
            return Ok(Flexes::default());
        }
        let poses = world_poses(tree);
        let context = Context { spec, tree, names, poses };
        let flexes = spec.flexes.iter().map(|flex| context.compile(flex));
        Ok(Flexes(flexes.collect::<Result<_, Error>>()?))
    }
}

/// Poses of the bodies in the world, in the reference configuration.
fn world_poses(tree: &Tree) -> Vec<Pose> {
    let mut poses: Vec<Pose> = Vec::with_capacity(tree.bodies.len());
    for body in &tree.bodies {
        let pose = match poses.get(body.parent) {
            Some(&Pose { pos, quat }) => Pose {
                pos: rotate(quat, body.pose.pos) + pos,
                quat: unit_quat(quat * body.pose.quat),
            },
            None => Pose::IDENTITY,
        };
        poses.push(pose);
    }
    poses
}

/// What a flex needs to know about the rest of the model.
struct Context<'a, 'b> {
    spec: &'a Spec,
    tree: &'b Tree<'a>,
    names: &'b Names<'a>,
    poses: Vec<Pose>,
}

impl<'a> Context<'a, '_> {
    fn compile(&self, flex: &'a spec::Flex) -> Result<Flex<'a>, Error> {
        let fault = |name: &str, message: &str| Err(flex.src.error(message).attribute(name));
        let dim = check(flex)?;
        let elem = flex.elem.clone();
        let corners = dim + 1;
        let interpolated = !flex.nodebody.is_empty();
        let order = match flex.nodebody.len() {
            0 => 0,
            8 => 1,
            27 => 2,
            nodes => {
                let message = format!("a flex has 8 or 27 nodes, or none, but not {nodes}");
                return fault("node", &message);
            }
        };

        // where vertices and nodes are
        let vert = points(flex, "vertex", &flex.vert)?;
        let node = points(flex, "node", &flex.node)?;
        let count = if vert.is_empty() { flex.vertbody.len() } else { vert.len() };
        let single = !vert.is_empty() && flex.vertbody.len() == 1;
        if interpolated && (vert.is_empty() || single) {
            return fault("body", "a flex with nodes needs a position and a body for each vertex");
        }
        if !vert.is_empty() && !single && flex.vertbody.len() != count {
            let message = format!(
                "there are {count} vertices, but {} bodies: one each is needed, or one for all",
                flex.vertbody.len()
            );
            return fault("body", &message);
        }
        if count < corners {
            let message = format!("a flex of dimension {dim} needs {corners} vertices or more");
            return fault("vertex", &message);
        }
        check_elements(flex, &elem, corners, count)?;
        let texcoord = flex.texcoord.len();
        if texcoord > 0 && texcoord != 2 * count && flex.elemtexcoord.is_empty() {
            let message = format!(
                "{count} vertices need {} texture coordinates, but there are {texcoord}",
                2 * count
            );
            return fault("texcoord", &message);
        }
        if !node.is_empty() && node.len() != flex.nodebody.len() {
            return fault("node", "a flex needs a position for each node, or none");
        }
        let matid = material(&flex.material, flex.src, self.spec, self.names)?;
        let mut vertbody = self.bodies(flex, &flex.vertbody, "body")?;
        let nodebody = self.bodies(flex, &flex.nodebody, "node")?;
        self.check_bending(flex, &vertbody)?;
        let rigid = single || (!interpolated && vertbody.windows(2).all(|two| two[0] == two[1]));
        if rigid {
            vertbody.resize(count, vertbody[0]);
        }
        let zero = |points: &[Vec3]| points.iter().all(|&point| point == Vec3::ZERO);
        let centred = if interpolated { zero(&node) } else { zero(&vert) };

        let place = |body: i32, point: Option<&Vec3>| {
            let Pose { pos, quat } = self.poses[body as usize];
            point.map_or(pos, |&point| pos + rotate(quat, point))
        };
        let stored = !centred || interpolated;
        let position = |i: usize| place(vertbody[i], vert.get(i).filter(|_| stored));
        let xpos: Vec<Vec3> = (0..count).map(position).collect();
        let position = |i: usize| place(nodebody[i], node.get(i).filter(|_| !centred));
        let node0: Vec<Vec3> = (0..nodebody.len()).map(position).collect();
        if interpolated {
            vertbody.fill(-1);
        }

        let mut elem = elem;
        if dim == 3 {
            turn_outwards(&mut elem, &xpos);
        }
        let topology = Topology::new(&elem, dim);
        let stiffness = stiffness(flex, dim, order, &elem, &xpos, &node0)?;
        let bending = bending(flex, dim, &topology, &xpos)?;
        let bvh = hierarchy(flex, dim, &elem, &topology, &xpos);
        let Some(root) = bvh.first().map(|node| node.aabb) else {
            return fault("activelayers", "a flex needs one active layer or more");
        };
        let mut size = Vec3::ZERO;
        (0..3).for_each(|axis| size[axis] = root[3 + axis] - flex.radius);
        let share = |point: &Vec3| {
            let mut share = Vec3::new(0.5, 0.5, 0.5);
            for axis in 0..3 {
                if size[axis] > MINVAL {
                    share[axis] = (point[axis] - root[axis]) / (2.0 * size[axis]) + 0.5;
                }
            }
            share
        };
        let vert0 = xpos.iter().map(share).collect();
        let elemtexcoord = elemtexcoord(flex, dim, &elem);
        Ok(Flex {
            spec: flex,
            dim,
            matid,
            order,
            rigid,
            centred,
            vertbody,
            nodebody,
            vert,
            node,
            vert0,
            node0,
            size,
            elem,
            elemtexcoord,
            topology,
            stiffness,
            bending,
            bvh,
        })
    }

    /// Finds bodies by name.
    fn bodies(
        &self,
        flex: &spec::Flex,
        names: &[String],
        attribute: &str,
    ) -> Result<Vec<i32>, Error> {
        let find = |name: &String| {
            Ok(self.names.resolve(ObjType::Body, name, flex.src, attribute)? as i32)
        };
        names.iter().map(find).collect()
    }

    /// What bends has vertices that move freely.
    fn check_bending(&self, flex: &spec::Flex, vertbody: &[i32]) -> Result<(), Error> {
        if flex.dim != 2 || !flex.elastic2d.bends() {
            return Ok(());
        }
        for &body in vertbody {
            let body = &self.tree.bodies[body as usize];
            if body.joints.len() != 3 {
                let message = format!(
                    "a flex that resists bending has bodies with three joints each, but {} has {}",
                    body.title(),
                    body.joints.len()
                );
                return Err(flex.src.error(message).help("it cannot have pins"));
            }
        }
        Ok(())
    }
}

/// Checks what can be seen from the numbers alone; returns the dimension.
fn check(flex: &spec::Flex) -> Result<usize, Error> {
    let fault = |name: &str, message: &str| Err(flex.src.error(message).attribute(name));
    let dim = match flex.dim {
        dim @ 1..=3 => dim as usize,
        dim => return fault("dim", &format!("the dimension must be 1, 2 or 3, not {dim}")),
    };
    if flex.elem.is_empty() {
        return fault("element", "a flex needs elements");
    }
    if !flex.elem.len().is_multiple_of(dim + 1) {
        let message = format!(
            "an element of dimension {dim} has {} vertices, but {} numbers are no multiple of that",
            dim + 1,
            flex.elem.len()
        );
        return fault("element", &message);
    }
    if flex.vertbody.is_empty() {
        return fault("body", "a flex needs bodies that carry its vertices");
    }
    if flex.edgestiffness > 0.0 && dim > 1 {
        return fault("stiffness", "only a flex of dimension 1 has stiff edges")
            .map_err(|error| error.help("use elasticity"));
    }
    if !flex.nodebody.is_empty() {
        if flex.selfcollide != FlexSelf::None {
            return fault("selfcollide", "a flex with nodes cannot collide with itself")
                .map_err(|error| error.help("write <contact selfcollide=\"none\"/>"));
        }
        if flex.internal {
            return fault("internal", "a flex with nodes has no internal collisions");
        }
    }
    if flex.young > 0.0 && !(0.0..0.5).contains(&flex.poisson) {
        let message =
            format!("Poisson's ratio must be from 0 to less than .5, not {}", flex.poisson);
        return fault("poisson", &message);
    }
    Ok(dim)
}

/// Makes points of numbers.
fn points(flex: &spec::Flex, name: &str, numbers: &[f64]) -> Result<Vec<Vec3>, Error> {
    let (points, rest) = numbers.as_chunks::<3>();
    if !rest.is_empty() {
        let message =
            format!("'{name}' needs three numbers for each point, but has {}", numbers.len());
        return Err(flex.src.error(message).attribute(name));
    }
    Ok(points.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect())
}

/// Checks that elements are made of different vertices that exist.
fn check_elements(
    flex: &spec::Flex,
    elem: &[i32],
    corners: usize,
    count: usize,
) -> Result<(), Error> {
    for (e, vertices) in elem.chunks_exact(corners).enumerate() {
        for (k, &vertex) in vertices.iter().enumerate() {
            let message = if usize::try_from(vertex).map_or(true, |vertex| vertex >= count) {
                format!("element {e} has vertex {vertex}, but there are {count} vertices")
            } else if vertices[..k].contains(&vertex) {
                format!("element {e} has vertex {vertex} twice")
            } else {
                continue;
            };
            return Err(flex.src.error(message).attribute("element"));
        }
    }
    // without coordinates their indices are of no use
    if flex.texcoord.is_empty() {
        return Ok(());
    }
    if flex.elemtexcoord.len() > elem.len() {
        let message = format!(
            "the elements have {} vertices, but {} texture coordinates",
            elem.len(),
            flex.elemtexcoord.len()
        );
        return Err(flex.src.error(message).attribute("elemtexcoord"));
    }
    let most = (flex.texcoord.len() / 2) as i32;
    if let Some(index) = flex.elemtexcoord.iter().find(|index| !(0..most).contains(*index)) {
        let message =
            format!("an element has texture coordinate {index}, but there are {most} of them");
        return Err(flex.src.error(message).attribute("elemtexcoord"));
    }
    Ok(())
}

/// Turns tetrahedra so that their faces look outwards.
fn turn_outwards(elem: &mut [i32], xpos: &[Vec3]) {
    for vertices in elem.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = vertices.map(|vertex| xpos[vertex as usize]);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            vertices.swap(1, 2);
        }
    }
}

/// The texture coordinates of the elements: those that are given, or those of the vertices. In a
/// flex of tetrahedra the reference copies three of four numbers, and leaves the rest zero.
fn elemtexcoord(flex: &spec::Flex, dim: usize, elem: &[i32]) -> Vec<i32> {
    if flex.texcoord.is_empty() {
        return elem.to_vec();
    }
    let mut coordinates = match flex.elemtexcoord.as_slice() {
        [] => flex.elem[..elem.len() / (dim + 1) * 3.min(dim + 1)].to_vec(),
        given => given.to_vec(),
    };
    coordinates.resize(elem.len(), 0);
    coordinates
}

/// How each element resists stretching, or how the nodes resist each other.
fn stiffness(
    flex: &spec::Flex,
    dim: usize,
    order: usize,
    elem: &[i32],
    xpos: &[Vec3],
    nodes: &[Vec3],
) -> Result<Vec<[f64; 21]>, Error> {
    let corners = dim + 1;
    let mut stiffness = vec![[0.0; 21]; elem.len() / corners];
    if flex.young <= 0.0 {
        return Ok(stiffness);
    }
    if order > 0 {
        // the matrix takes the place of what the elements would have
        let size = (3 * nodes.len()).pow(2);
        let least = size.div_ceil(21);
        if stiffness.len() < least {
            let message = format!(
                "a flex with {} nodes that is elastic needs {least} elements or more, not {}",
                nodes.len(),
                stiffness.len()
            );
            return Err(flex.src.error(message));
        }
        let side = nodes[nodes.len() - 1] - nodes[0];
        if (0..3).any(|axis| side[axis] == 0.0) {
            let message = "the nodes of a flex that is elastic must span a box";
            return Err(flex.src.error(message).help("the first and last node are its corners"));
        }
        let matrix = stiffness.as_flattened_mut();
        interpolated::stiffness(matrix, nodes, flex.young, flex.poisson, order);
        return Ok(stiffness);
    }
    if dim == 3 || (dim == 2 && flex.elastic2d.stretches() && flex.thickness > 0.0) {
        for (numbers, vertices) in stiffness.iter_mut().zip(elem.chunks_exact(corners)) {
            let mut points = [Vec3::ZERO; 4];
            let places = vertices.iter().map(|&vertex| xpos[vertex as usize]);
            points.iter_mut().zip(places).for_each(|(point, place)| *point = place);
            let points = &points[..corners];
            *numbers = elastic::stretching(points, flex.young, flex.poisson, flex.thickness);
        }
    }
    Ok(stiffness)
}

/// How each edge resists bending.
fn bending(
    flex: &spec::Flex,
    dim: usize,
    topology: &Topology,
    xpos: &[Vec3],
) -> Result<Vec<[f64; 17]>, Error> {
    if flex.young <= 0.0 || dim != 2 || !flex.elastic2d.bends() {
        return Ok(vec![[0.0; 17]; topology.edge.len()]);
    }
    if flex.thickness < 0.0 {
        let message = "a flex that resists bending needs a thickness";
        return Err(flex.src.error(message).attribute("thickness"));
    }
    let mu = flex.young / (2.0 * (1.0 + flex.poisson));
    let edge = |&flap: &[i32; 4]| elastic::bending(xpos, flap, mu, flex.thickness);
    Ok(topology.flap.iter().map(edge).collect())
}

/// The hierarchy of boxes around the elements that can collide.
fn hierarchy(
    flex: &spec::Flex,
    dim: usize,
    elem: &[i32],
    topology: &Topology,
    xpos: &[Vec3],
) -> Vec<bvh::Node> {
    let mut boxes = Vec::with_capacity(topology.layer.len());
    for (e, vertices) in elem.chunks_exact(dim + 1).enumerate() {
        if dim == 3 && topology.layer[e] >= flex.activelayers {
            continue;
        }
        let mut low = xpos[vertices[0] as usize];
        let mut high = low;
        for &vertex in &vertices[1..] {
            for axis in 0..3 {
                low[axis] = low[axis].min(xpos[vertex as usize][axis]);
                high[axis] = high[axis].max(xpos[vertex as usize][axis]);
            }
        }
        let mut aabb = [0.0; 6];
        for axis in 0..3 {
            aabb[axis] = 0.5 * (high[axis] + low[axis]);
            aabb[3 + axis] = 0.5 * (high[axis] - low[axis]) + flex.radius;
        }
        boxes.push((e as i32, aabb));
    }
    bvh::build_over_boxes(&boxes)
}

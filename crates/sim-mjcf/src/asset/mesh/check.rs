//! Whether raw triangles can be a mesh.

use sim_core::math::Vec3;

use super::{Fault, MINVAL, RawMesh, corners};

/// Triangles whose arrays have whole numbers of elements and whose indices exist.
pub(super) struct Checked {
    pub vert: Vec<Vec3>,
    pub normal: Vec<[f32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    pub face: Vec<[i32; 3]>,
    pub facenormal: Vec<[i32; 3]>,
    pub facetexcoord: Vec<[i32; 3]>,
}

/// Checks lengths, numbers and indices.
pub(super) fn check(raw: RawMesh) -> Result<Checked, Fault> {
    let RawMesh { vert, normal, texcoord, face, facenormal, facetexcoord, loose_texcoord } = raw;
    let vert: Vec<[f32; 3]> = whole("vertex", vert)?;
    let face: Vec<[i32; 3]> = whole("face", face)?;
    if let Some(at) = vert.iter().position(|v| !v.iter().all(|x| x.is_finite())) {
        let [x, y, z] = vert[at];
        return Err(Fault::new(format!("vertex {at} is not finite: {x} {y} {z}")));
    }
    if vert.len() < 4 {
        let message = format!("a mesh needs at least 4 vertices, this one has {}", vert.len());
        return Err(Fault::new(message));
    }
    let normal = whole("normal", normal)?;
    let texcoord: Vec<[f32; 2]> = whole("texcoord", texcoord)?;
    let facetexcoord = whole("facetexcoord", facetexcoord)?;
    if !texcoord.is_empty()
        && texcoord.len() != vert.len()
        && facetexcoord.is_empty()
        && !loose_texcoord
    {
        let (have, need) = (texcoord.len(), vert.len());
        let message = format!("there are {have} texture coordinates, but {need} vertices");
        return Err(Fault::new(message).help("faces of OBJ files can have indices of their own"));
    }
    let exists = |v: &i32| usize::try_from(*v).is_ok_and(|v| v < vert.len());
    for (at, corners) in face.iter().enumerate() {
        if let Some(v) = corners.iter().find(|v| !exists(v)) {
            let last = vert.len() - 1;
            let message = format!("face {at} has a vertex {v}, but vertices run from 0 to {last}");
            return Err(Fault::new(message));
        }
    }
    Ok(Checked {
        vert: vert.iter().map(|v| Vec3::from(v.map(f64::from))).collect(),
        normal,
        texcoord,
        face,
        facenormal: whole("facenormal", facenormal)?,
        facetexcoord,
    })
}

/// Regroups numbers that come in threes, or twos.
fn whole<T: bytemuck::AnyBitPattern + bytemuck::NoUninit, const N: usize>(
    what: &str,
    numbers: Vec<T>,
) -> Result<Vec<[T; N]>, Fault> {
    let (groups, rest) = numbers.as_chunks();
    if rest.is_empty() {
        return Ok(groups.to_vec());
    }
    let count = numbers.len();
    Err(Fault::new(format!("{what} has {count} numbers, which is not a multiple of {N}")))
}

fn area([a, b, c]: [Vec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).norm()
}

/// Checks that neighbouring faces turn the same way: each directed edge belongs to one face.
pub(super) fn orientation(vert: &[Vec3], face: &[[i32; 3]]) -> Result<(), Fault> {
    let mut edges: Vec<[i32; 2]> = face
        .iter()
        .filter(|&&f| area(corners(vert, f)) > MINVAL.sqrt())
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .collect();
    edges.sort_unstable();
    match edges.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(pair) => {
            let [a, b] = pair[0];
            let message = format!("the faces at vertices {a} and {b} turn different ways");
            Err(Fault::new(message).help("with inertia=\"legacy\" the orientation does not matter"))
        }
    }
}

//! Meshes: compiled side by side, and their tables.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_core::Model;
use sim_core::model::{GeomType, MeshInertia};

use super::asset::Solids;
use crate::asset::cache::Cache;
use crate::asset::mesh::{Fault, Format, Mesh, RawMesh, Scratch, Tables, Treatment, narrow};
use crate::asset::{builtin, hull, stripped};
use crate::error::Error;
use crate::files::Resolver;
use crate::spec::{self, BuiltinMesh, Element, Spec};

/// Bytes of all meshes of a model at most.
const MAX_BYTES: usize = 2 << 30;

/// Meshes of files that were compiled before.
static MESHES: Cache<(Format, Treatment), Mesh> = Cache::new();

/// Compiles all meshes, on several threads unless that is switched off. Of several meshes that
/// cannot be used the first one is reported.
pub(super) fn meshes(
    meshes: &[&spec::Mesh],
    spec: &Spec,
    resolver: &Resolver<'_>,
) -> Result<Vec<Arc<Mesh>>, Error> {
    let needed = hulls(meshes, spec);
    let count = meshes.len();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if spec.compiler.usethread { processors.min(count) } else { 1 };

    // meshes are handed out in order; what comes after one that failed does not matter
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let work = || {
        let (mut done, mut memory) = (Vec::new(), Memory::default());
        loop {
            let id = next.fetch_add(1, Ordering::Relaxed);
            if id >= count || id > failed.load(Ordering::Relaxed) {
                return done;
            }
            let result = compile(meshes[id], needed[id], spec, resolver, &mut memory);
            if result.is_err() {
                failed.fetch_min(id, Ordering::Relaxed);
            }
            done.push((id, result));
        }
    };
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(id, _)| *id);

    let mut compiled = Vec::with_capacity(count);
    let mut total = 0;
    for (id, result) in done {
        let mesh = result?;
        total += mesh.model_bytes();
        if total > MAX_BYTES {
            let message = format!("the meshes take up more than {} MB", MAX_BYTES >> 20);
            return Err(meshes[id].src.error(message));
        }
        compiled.push(mesh);
    }
    Ok(compiled)
}

/// Which meshes need a convex hull: those of geoms that collide, by themselves or in a pair.
fn hulls(meshes: &[&spec::Mesh], spec: &Spec) -> Vec<bool> {
    let mut needed = vec![false; meshes.len()];
    if needed.is_empty() {
        return needed;
    }
    let ids: HashMap<&str, usize> =
        meshes.iter().enumerate().map(|(id, mesh)| (mesh.name.as_str(), id)).collect();
    let paired: std::collections::HashSet<&str> =
        spec.pairs.iter().flat_map(|pair| [pair.geom1.as_str(), pair.geom2.as_str()]).collect();
    for geom in &spec.geoms {
        let collides = geom.contype != 0 || geom.conaffinity != 0;
        let in_pair = !geom.name.is_empty() && paired.contains(geom.name.as_str());
        if geom.kind == GeomType::Mesh
            && (collides || in_pair)
            && let Some(&id) = ids.get(geom.mesh.as_str())
        {
            needed[id] = true;
        }
    }
    needed
}

/// Memory that is used again for the next mesh.
#[derive(Default)]
struct Memory {
    file: Vec<u8>,
    scratch: Scratch,
}

/// Compiles one mesh.
fn compile(
    mesh: &spec::Mesh,
    needhull: bool,
    spec: &Spec,
    resolver: &Resolver<'_>,
    memory: &mut Memory,
) -> Result<Arc<Mesh>, Error> {
    let Memory { file: bytes, scratch } = memory;
    let mut treatment = Treatment {
        refpos: mesh.refpos,
        refquat: mesh.refquat,
        scale: mesh.scale,
        inertia: mesh.inertia,
        smoothnormal: mesh.smoothnormal,
        maxhullvert: usize::try_from(mesh.maxhullvert).ok(),
        needhull,
    };
    let about = |fault: Fault, file: &str| {
        let message = match file {
            "" => format!("mesh '{}' cannot be used: {}", mesh.name, fault.message),
            file => format!("mesh '{}': cannot use '{file}': {}", mesh.name, fault.message),
        };
        let error = mesh.error(message);
        match fault.help {
            Some(help) => error.help(help),
            None => error,
        }
    };
    if mesh.needsdf {
        let message = format!("mesh '{}': signed distance fields are not supported", mesh.name);
        return Err(mesh.error(message));
    }
    let make_hull = |points: &[[f64; 3]], most| {
        let hull = hull::hull(points, most).map_err(|error| {
            Fault::new(format!("its convex hull cannot be made: {error}"))
                .help("a flat mesh can be shown but not collide: set contype and conaffinity to 0")
        })?;
        Ok(hull.graph())
    };
    let given = RawMesh {
        vert: mesh.vertex.clone(),
        normal: mesh.normal.clone(),
        texcoord: mesh.texcoord.clone(),
        face: mesh.face.clone(),
        facenormal: mesh.facenormal.clone(),
        facetexcoord: mesh.facetexcoord.clone(),
        ..RawMesh::default()
    };
    if mesh.file.is_empty() {
        let raw = match mesh.builtin {
            BuiltinMesh::None => given,
            kind => {
                let made = builtin::make(kind, &mesh.params)
                    .map_err(|fault| about(fault, "").attribute("params"))?;
                if kind == BuiltinMesh::Plate {
                    treatment.inertia = MeshInertia::Shell;
                }
                merge(made, given).map_err(|fault| about(fault, ""))?
            }
        };
        let made = Mesh::new(raw, &treatment, scratch, make_hull);
        return made.map(Arc::new).map_err(|fault| about(fault, ""));
    }

    // a file, perhaps with more data in place
    let file = stripped(&mesh.file, spec);
    let format = Format::new(file, &mesh.content_type).map_err(|fault| {
        about(fault, file).attribute(if mesh.content_type.is_empty() {
            "file"
        } else {
            "content_type"
        })
    })?;
    let path = if mesh.elsewhere.is_empty() {
        Path::new(&mesh.dir).join(&spec.compiler_of(mesh.compiler).meshdir).join(file)
    } else {
        PathBuf::from(&mesh.elsewhere)
    };
    let name = path.to_string_lossy();
    resolver.find_into(&name, &[Path::new("")], bytes).map_err(|error| {
        let fault =
            |message| mesh.error(format!("mesh '{}': {message}", mesh.name)).attribute("file");
        error.about(&name, fault)
    })?;
    let about = |fault: Fault| about(fault, &name).attribute("file");
    let mirrored = mesh.scale.x * mesh.scale.y * mesh.scale.z <= 0.0;
    if given == RawMesh::default() {
        return MESHES
            .get(bytes, (format, treatment), |bytes, (format, treatment)| {
                Mesh::new(format.read(bytes, mirrored)?, treatment, scratch, make_hull)
            })
            .map_err(about);
    }
    let raw = format.read(bytes, mirrored).and_then(|raw| merge(raw, given)).map_err(about)?;
    Mesh::new(raw, &treatment, scratch, make_hull).map(Arc::new).map_err(about)
}

/// Adds what is given in place to what a file has; nothing may come from both.
fn merge(file: RawMesh, given: RawMesh) -> Result<RawMesh, Fault> {
    fn pick<T>(what: &str, file: Vec<T>, given: Vec<T>) -> Result<Vec<T>, Fault> {
        match (file.is_empty(), given.is_empty()) {
            (false, false) => Err(Fault::new(format!("{what} is given here and by the mesh"))),
            (true, _) => Ok(given),
            (false, true) => Ok(file),
        }
    }
    Ok(RawMesh {
        normal: pick("normal", file.normal, given.normal)?,
        texcoord: pick("texcoord", file.texcoord, given.texcoord)?,
        face: pick("face", file.face, given.face)?,
        vert: pick("vertex", file.vert, given.vert)?,
        facenormal: pick("facenormal", file.facenormal, given.facenormal)?,
        facetexcoord: pick("facetexcoord", file.facetexcoord, given.facetexcoord)?,
        ..file
    })
}

/// Fills the tables of meshes: those of the given ids, in their order.
pub(super) fn fill(solids: &Solids, kept: &[usize], model: &mut Model) {
    let Solids { meshes, mesh_specs, .. } = solids;
    let mut next = Next::default();
    let nodes: usize = kept.iter().map(|&id| meshes[id].bvh.len()).sum();
    if nodes > 0 {
        extend(&mut model.bvh_depth, nodes, 0);
        extend(&mut model.bvh_child, nodes, [0; 2]);
        extend(&mut model.bvh_nodeid, nodes, 0);
        extend(&mut model.bvh_aabb, nodes, [0.0; 6]);
    }
    for (m, &id) in kept.iter().enumerate() {
        let (mesh, given) = (&*meshes[id], mesh_specs[id]);
        let address = |present: bool, at: usize| if present { at as i32 } else { -1 };
        model.mesh_vertadr[m] = next.vert as i32;
        model.mesh_vertnum[m] = mesh.vert.len() as i32;
        model.mesh_faceadr[m] = next.face as i32;
        model.mesh_facenum[m] = mesh.face.len() as i32;
        model.mesh_bvhadr[m] = address(mesh.bvh.len() > 0, model.nbvh);
        model.mesh_bvhnum[m] = mesh.bvh.len() as i32;
        model.mesh_octadr[m] = -1;
        model.mesh_normaladr[m] = next.normal as i32;
        model.mesh_normalnum[m] = mesh.normal.len() as i32;
        model.mesh_texcoordadr[m] = address(!mesh.texcoord.is_empty(), next.texcoord);
        model.mesh_texcoordnum[m] = mesh.texcoord.len() as i32;
        model.mesh_graphadr[m] = address(!mesh.graph.is_empty(), next.graph);
        model.mesh_polyadr[m] = next.poly as i32;
        model.mesh_polynum[m] = mesh.polygons.vertnum.len() as i32;
        model.mesh_scale[m] = given.scale;
        model.mesh_pos[m] = mesh.pos;
        model.mesh_quat[m] = mesh.quat;

        let vertices = &mut model.mesh_vert[next.vert..next.vert + mesh.vert.len()];
        vertices.iter_mut().zip(&mesh.vert).for_each(|(to, &v)| *to = narrow(v));
        copy(&mut model.mesh_normal, next.normal, &mesh.normal);
        copy(&mut model.mesh_texcoord, next.texcoord, &mesh.texcoord);
        copy(&mut model.mesh_face, next.face, &mesh.face);
        copy(&mut model.mesh_facenormal, next.face, mesh.facenormal());
        copy(&mut model.mesh_facetexcoord, next.face, &mesh.facetexcoord);
        copy(&mut model.mesh_graph, next.graph, &mesh.graph);

        let polygons = &mesh.polygons;
        copy(&mut model.mesh_polynormal, next.poly, &mesh.polynormal);
        copy(&mut model.mesh_polyvertnum, next.poly, &polygons.vertnum);
        copy(&mut model.mesh_polyvert, next.polyvert, &polygons.vert);
        copy(&mut model.mesh_polymapnum, next.vert, &polygons.mapnum);
        copy(&mut model.mesh_polymap, next.polymap, &polygons.map);
        addresses(&mut model.mesh_polyvertadr[next.poly..], next.polyvert, &polygons.vertnum);
        addresses(&mut model.mesh_polymapadr[next.vert..], next.polymap, &polygons.mapnum);

        let nodes = model.nbvh..model.nbvh + mesh.bvh.len();
        model.nbvh = nodes.end;
        let tables = Tables {
            depth: &mut model.bvh_depth[nodes.clone()],
            child: &mut model.bvh_child[nodes.clone()],
            nodeid: &mut model.bvh_nodeid[nodes.clone()],
            aabb: &mut model.bvh_aabb[nodes],
        };
        mesh.bvh.write(&mesh.vert, &mesh.face, tables);

        next.vert += mesh.vert.len();
        next.normal += mesh.normal.len();
        next.texcoord += mesh.texcoord.len();
        next.face += mesh.face.len();
        next.graph += mesh.graph.len();
        next.poly += polygons.vertnum.len();
        next.polyvert += polygons.vert.len();
        next.polymap += polygons.map.len();
    }
    model.nbvhstatic = model.nbvh;
}

/// Addresses that come next.
#[derive(Default)]
struct Next {
    vert: usize,
    normal: usize,
    texcoord: usize,
    face: usize,
    graph: usize,
    poly: usize,
    polyvert: usize,
    polymap: usize,
}

/// Makes a table longer by zeros. New memory is zero already, so it is not written twice.
fn extend<T: Copy>(table: &mut Vec<T>, count: usize, zero: T) {
    let mut longer = vec![zero; table.len() + count];
    longer[..table.len()].copy_from_slice(table);
    *table = longer;
}

fn copy<T: Copy>(table: &mut [T], at: usize, values: &[T]) {
    table[at..at + values.len()].copy_from_slice(values);
}

/// Where lists of the given lengths start, the first at `at`.
fn addresses(table: &mut [i32], mut at: usize, counts: &[i32]) {
    for (address, &count) in table.iter_mut().zip(counts) {
        *address = at as i32;
        at += count as usize;
    }
}

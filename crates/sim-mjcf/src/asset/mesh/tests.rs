use super::*;

/// A unit cube around (1, 2, 3): corners, and two triangles for each side.
fn cube() -> RawMesh {
    let vert = (0..8).flat_map(|i| {
        let side = |bit: i32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        [1.0 + side(0), 2.0 + side(1), 3.0 + side(2)]
    });
    #[rustfmt::skip]
    let face = vec![
        0, 2, 1, 1, 2, 3,   4, 5, 6, 5, 7, 6,   0, 1, 4, 1, 5, 4,
        2, 6, 3, 3, 6, 7,   0, 4, 2, 2, 4, 6,   1, 3, 5, 3, 7, 5,
    ];
    RawMesh { vert: vert.collect(), face, ..RawMesh::default() }
}

const PLAIN: Treatment = Treatment {
    refpos: Vec3::ZERO,
    refquat: Quat::IDENTITY,
    scale: Vec3::new(1.0, 1.0, 1.0),
    inertia: MeshInertia::Exact,
    smoothnormal: false,
    maxhullvert: None,
    needhull: false,
};

fn no_hull(_: &[[f64; 3]], _: Option<usize>) -> Result<Vec<i32>, Fault> {
    Err(Fault::new("no hull"))
}

fn compile(raw: RawMesh, treatment: &Treatment) -> Result<Mesh, Fault> {
    Mesh::new(raw, treatment, &mut Scratch::default(), no_hull)
}

#[test]
fn a_cube_has_six_sides_and_its_volume() {
    let mesh = compile(cube(), &PLAIN).unwrap();
    assert_eq!(mesh.polygons.vertnum, [4; 6]);
    assert_eq!(mesh.polygons.mapnum, [3; 8]);
    assert_eq!(mesh.polynormal.len(), 6);
    assert!((mesh.volume - 1.0).abs() < 1e-14);
    assert!((mesh.pos - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-14);
    assert!((mesh.inertia_box - Vec3::new(0.5, 0.5, 0.5)).norm() < 1e-14);
    assert!((mesh.high - Vec3::new(0.5, 0.5, 0.5)).norm() < 1e-14);
    assert_eq!(mesh.bvh.len(), 23);
}

#[test]
fn scale_comes_after_the_reference_pose() {
    let treatment =
        Treatment { refpos: Vec3::new(1.0, 2.0, 2.0), scale: Vec3::new(2.0, 1.0, 3.0), ..PLAIN };
    let mesh = compile(cube(), &treatment).unwrap();
    assert!((mesh.pos - Vec3::new(0.0, 0.0, 3.0)).norm() < 1e-14);
    assert!((mesh.volume - 6.0).abs() < 1e-13);
    // the longest side has the smallest moment, which comes last
    assert!((mesh.inertia_box - Vec3::new(0.5, 1.0, 1.5)).norm() < 1e-14);
}

#[test]
fn a_shell_weighs_by_area_and_may_be_open() {
    let mut raw = cube();
    raw.face.truncate(30);
    let shell = Treatment { inertia: MeshInertia::Shell, ..PLAIN };
    assert!((compile(raw, &shell).unwrap().volume - 5.0).abs() < 1e-14);
}

#[test]
fn sharp_edges_keep_the_normals_of_the_larger_faces_unless_smooth() {
    let mut raw = cube();
    raw.vert.iter_mut().skip(2).step_by(3).for_each(|z| *z *= 0.01);
    let (up, all) = (&PLAIN, &Treatment { smoothnormal: true, ..PLAIN });
    let along = |treatment: &Treatment| {
        let mesh = compile(raw.clone(), treatment).unwrap();
        mesh.normal
            .iter()
            .map(|n| n.map(f32::abs))
            .fold(0.0f32, |most, n| most.max(n[0].max(n[1]).max(n[2])))
    };
    assert_eq!(along(up), 1.0);
    assert!(along(all) < 1.0);
}

#[test]
fn faces_that_turn_different_ways_matter_for_exact_inertia_only() {
    let mut raw = cube();
    raw.face.swap(0, 1);
    let error = compile(raw.clone(), &PLAIN).unwrap_err();
    assert!(error.message.contains("turn different ways"), "{}", error.message);
    let legacy = Treatment { inertia: MeshInertia::Legacy, ..PLAIN };
    assert!(compile(raw, &legacy).is_ok());
}

#[test]
fn inverted_flat_and_empty_meshes_are_errors() {
    let mut raw = cube();
    raw.face.as_chunks_mut::<3>().0.iter_mut().for_each(|face| face.reverse());
    assert!(compile(raw, &PLAIN).unwrap_err().message.contains("negative (-1"));
    let mut flat = cube();
    flat.vert.iter_mut().skip(2).step_by(3).for_each(|z| *z = 0.0);
    assert!(compile(flat, &PLAIN).unwrap_err().message.contains("volume is too small"));
    let mut point = cube();
    point.vert.fill(1.0);
    assert!(compile(point, &PLAIN).unwrap_err().message.contains("surface is too small"));
}

#[test]
fn indices_and_lengths_that_do_not_fit_are_errors() {
    let message = |change: fn(&mut RawMesh)| {
        let mut raw = cube();
        change(&mut raw);
        compile(raw, &PLAIN).unwrap_err().message
    };
    assert!(message(|raw| raw.face[4] = 8).contains("face 1 has a vertex 8"));
    assert!(message(|raw| raw.face[0] = -1).contains("vertex -1"));
    assert!(message(|raw| raw.vert.truncate(23)).contains("not a multiple of 3"));
    assert!(message(|raw| raw.vert.truncate(9)).contains("at least 4 vertices"));
    assert!(message(|raw| raw.vert[5] = f32::NAN).contains("vertex 1 is not finite"));
    assert!(message(|raw| raw.texcoord = vec![0.0; 4]).contains("2 texture coordinates"));
    assert!(message(|raw| raw.face.clear()).contains("no hull"));
}

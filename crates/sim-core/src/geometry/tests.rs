use std::cell::Cell;

use super::*;
use crate::geom_distance;
use crate::math::Quat;

/// A model with a plane, a height field and two cubes on bodies of their own; the cubes are one
/// mesh with its hull.
fn model() -> Model {
    let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -1.0 } else { 1.0 });
    let faces = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let mut model = Model {
        nbody: 3,
        ngeom: 4,
        nmesh: 1,
        nmeshvert: 8,
        nmeshface: 12,
        nhfield: 1,
        nhfielddata: 9,
        nbvh: 1 + 12,
        nbvhstatic: 1 + 12,
        ..Model::default()
    };
    // neighbours along edges and diagonals, in ascending order
    let neighbours = |i: i32| -> Vec<i32> {
        let shared = |j: i32| faces.iter().any(|face| face.contains(&i) && face.contains(&j));
        (0..8).filter(|&j| j != i && shared(j)).collect()
    };
    let (mut starts, mut edges) = (Vec::new(), Vec::new());
    for i in 0..8 {
        starts.push(edges.len() as i32);
        edges.extend(neighbours(i));
        edges.push(-1);
    }
    let mut graph = vec![8, 12];
    graph.extend(starts);
    graph.extend(0..8);
    graph.extend(edges);
    graph.extend(faces.iter().flatten());
    model.nmeshgraph = graph.len();
    model.allocate();
    model.body_treeid.fill(-1);
    model.body_mocapid.fill(-1);
    model.mesh_graph = graph;
    model.mesh_vertnum[0] = 8;
    model.mesh_facenum[0] = 12;
    (0..8).for_each(|i| model.mesh_vert[i] = corner(i));
    model.mesh_face.copy_from_slice(&faces);

    // a hierarchy of the first two triangles only
    model.mesh_bvhnum[0] = 13;
    model.bvh_aabb.fill([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    model.bvh_child.fill([-1, -1]);
    model.bvh_nodeid.fill(-1);
    for face in 0..12 {
        model.bvh_nodeid[face + 1] = face as i32;
    }
    model.bvh_child[0] = [1, 2];

    model.hfield_size[0] = [1.0, 1.0, 0.5, 0.25];
    (model.hfield_nrow[0], model.hfield_ncol[0]) = (3, 3);
    model.hfield_data.copy_from_slice(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);

    let kinds = [GeomType::Plane, GeomType::Hfield, GeomType::Mesh, GeomType::Mesh];
    for (geom, kind) in kinds.into_iter().enumerate() {
        model.geom_type[geom] = kind as i32;
        model.geom_dataid[geom] = if geom == 0 { -1 } else { 0 };
        model.geom_bodyid[geom] = [0, 0, 1, 2][geom];
        model.geom_quat[geom] = Quat::IDENTITY;
        if kind == GeomType::Mesh {
            model.geom_size[geom] = Vec3::new(1.0, 1.0, 1.0);
            model.geom_aabb[geom] = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
            model.geom_rbound[geom] = 3.0_f64.sqrt();
        }
    }
    model
}

/// Data with the cubes at two places.
fn data(model: &Model, first: Vec3, second: Vec3) -> Data {
    let mut data = Data::new(model);
    data.geom_xmat.fill(Mat3::IDENTITY);
    data.geom_xpos[2] = first;
    data.geom_xpos[3] = second;
    data
}

#[test]
fn the_support_of_a_cube_is_the_corner_in_that_direction() {
    let model = model();
    let data = data(&model, Vec3::ZERO, Vec3::ZERO);
    let geom = Geom::new(&model, &data, 2).unwrap();
    let Shape::Mesh(asset) = geom.shape else { panic!("a mesh") };
    let mesh = asset.mesh().unwrap();
    for i in 0..8 {
        let dir = mesh.vertex(i) * 0.5 + Vec3::new(0.01, 0.02, -0.03);
        let hint = Cell::new(Hint::NONE);
        assert_eq!(mesh.support(dir, &hint), (mesh.vertex(i), i as i32));
        assert_eq!(mesh.farthest(dir, &hint), i);
        // from where the last search ended
        let (opposite, _) = mesh.support(-dir, &hint);
        assert_eq!(opposite, -mesh.vertex(i));
    }
}

#[test]
fn rays_meet_the_triangles_of_a_mesh_from_outside_and_inside() {
    let model = model();
    let data = data(&model, Vec3::new(0.0, 0.0, 5.0), Vec3::new(9.0, 0.0, 0.0));
    let geom = Geom::new(&model, &data, 2).unwrap();
    // the first two triangles are those of the lower side, which the hierarchy holds
    let ray = Ray { origin: Vec3::new(0.2, 0.3, 0.0), direction: Vec3::new(0.0, 0.0, 2.0) };
    let crossing = cross(&geom, &ray).unwrap();
    assert_eq!(crossing.distance, 2.0);
    assert_eq!(crossing.normal(&geom, &ray), -Vec3::Z);
    let inside = Ray { origin: Vec3::new(0.2, 0.3, 5.0), direction: -Vec3::Z };
    assert_eq!(cross(&geom, &inside).unwrap().distance, 1.0);
    let beside = Ray { origin: Vec3::new(1.2, 0.3, 0.0), direction: Vec3::Z };
    assert!(cross(&geom, &beside).is_none());
}

#[test]
fn rays_meet_base_slopes_and_walls_of_a_height_field() {
    let mut model = model();
    let distance = |model: &Model, origin: [f64; 3], direction: Vec3| {
        let data = data(model, Vec3::ZERO, Vec3::ZERO);
        let geom = Geom::new(model, &data, 1).unwrap();
        let ray = Ray { origin: origin.into(), direction };
        cross(&geom, &ray).map(|crossing| (crossing.distance, crossing.normal(&geom, &ray)))
    };
    let (peak, _) = distance(&model, [0.0, 0.0, 2.0], -Vec3::Z).unwrap();
    assert!((peak - 1.5).abs() < 1e-12);
    let (slope, normal) = distance(&model, [0.5, 0.1, 2.0], -Vec3::Z).unwrap();
    assert!((slope - 1.75).abs() < 1e-12);
    assert!((normal - Vec3::new(0.5, 0.0, 1.0).normalized().0).norm() < 1e-12);
    assert_eq!(distance(&model, [0.3, 0.3, -2.0], Vec3::Z), Some((1.75, -Vec3::Z)));
    assert_eq!(distance(&model, [0.3, 0.3, 2.0], Vec3::Z), None);
    // a raised border makes a wall
    model.hfield_data.fill(1.0);
    assert_eq!(distance(&model, [2.0, 0.3, 0.4], -Vec3::X), Some((1.0, Vec3::X)));
    assert_eq!(distance(&model, [0.3, -2.0, 0.4], Vec3::Y), Some((1.0, -Vec3::Y)));
}

#[test]
fn a_box_keeps_away_what_a_separating_axis_shows() {
    let model = model();
    let turned = Quat::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4).to_mat();
    let mut data = data(&model, Vec3::ZERO, Vec3::new(2.3, 0.0, 0.0));
    let apart = |data: &Data, distance: f64| {
        let [a, b] = [2, 3].map(|geom| Geom::new(&model, data, geom).unwrap());
        a.bounding_box().unwrap().are_apart(&b.bounding_box().unwrap(), distance)
    };
    assert!(apart(&data, 0.29) && !apart(&data, 0.31));
    // turned by 45 degrees, an edge comes nearer
    data.geom_xmat[3] = turned;
    assert!(!apart(&data, 0.0));
    data.geom_xpos[3].x = 1.0 + 2.0_f64.sqrt() + 0.1;
    assert!(apart(&data, 0.09) && !apart(&data, 0.11));
}

#[test]
fn meshes_have_contacts_and_distances() {
    let mut model = model();
    model.geom_contype.fill(1);
    model.geom_conaffinity.fill(1);
    let mut data = data(&model, Vec3::new(0.0, 0.0, 2.5), Vec3::new(0.1, 0.2, 4.49));
    let (distance, points) = geom_distance(&model, &mut data, 0, 2, 10.0);
    assert!((distance - 1.5).abs() < 1e-12 && points.is_some());
    let (distance, _) = geom_distance(&model, &mut data, 2, 3, 10.0);
    assert!((distance + 0.01).abs() < 1e-9, "{distance}");
    data.geom_xpos[3].z = 5.0;
    let (distance, _) = geom_distance(&model, &mut data, 2, 3, 10.0);
    assert!((distance - 0.5).abs() < 1e-9, "{distance}");
    assert!(geom_distance(&model, &mut data, 1, 0, 10.0).1.is_none());
}

use super::super::Narrow;
use super::distance::distance as geom_distance;
use super::*;
use crate::math::{Mat3, Quat};
use crate::model::GeomType;

const NATIVE: Ccd = Ccd { tolerance: 1e-6, iterations: 35, multiccd: false, native: true };
const KINDS: [GeomType; 5] =
    [GeomType::Sphere, GeomType::Capsule, GeomType::Ellipsoid, GeomType::Cylinder, GeomType::Box];

fn shape(kind: GeomType, size: [f64; 3], pos: [f64; 3]) -> Geom<'static> {
    Geom::primitive(kind, size.into(), pos.into(), &Mat3::IDENTITY).expect("a primitive")
}

fn hits(a: &Geom, b: &Geom, margin: f64, ccd: &Ccd) -> Hits {
    let mut out = Hits::default();
    convex(a, b, margin, ccd, &mut ConvexWork::default(), &mut out);
    out
}

fn distance(a: &Geom, b: &Geom, distmax: f64) -> (f64, Option<[Vec3; 2]>) {
    geom_distance(a, b, distmax, &NATIVE, &mut Narrow::default())
}

fn near(a: Vec3, b: [f64; 3], tolerance: f64) -> bool {
    (a - b.into()).norm() < tolerance
}

#[test]
fn ellipsoids_on_a_line_touch_at_their_poles() {
    let a = shape(GeomType::Ellipsoid, [1.0, 0.5, 0.3], [0.0; 3]);
    let b = shape(GeomType::Ellipsoid, [0.2, 0.7, 0.4], [0.0, 1.1, 0.0]);
    let found = hits(&a, &b, 0.0, &Ccd { iterations: 100, ..NATIVE });
    assert_eq!(found.len(), 1);
    assert!((found[0].dist + 0.1).abs() < 1e-6);
    // the normal is good to the root of the tolerance
    assert!(near(found[0].normal, [0.0, 1.0, 0.0], 5e-3));
    assert!(near(found[0].pos, [0.0, 0.45, 0.0], 1e-3));
}

#[test]
fn a_margin_finds_shapes_before_they_touch() {
    let a = shape(GeomType::Cylinder, [0.5, 1.0, 0.0], [0.0; 3]);
    let b = shape(GeomType::Ellipsoid, [0.3, 0.3, 0.3], [0.0, 0.0, 1.35]);
    assert!(hits(&a, &b, 0.0, &NATIVE).is_empty());
    assert!(hits(&a, &b, 0.04, &NATIVE).is_empty());
    let found = hits(&a, &b, 0.1, &NATIVE);
    assert!((found[0].dist - 0.05).abs() < 1e-6);
    assert!(near(found[0].normal, [0.0, 0.0, 1.0], 1e-3));
}

#[test]
fn a_cylinder_on_a_box_gets_several_points_if_asked_for() {
    let a = shape(GeomType::Cylinder, [0.5, 1.0, 0.0], [0.0, 0.0, 1.99]);
    let b = shape(GeomType::Box, [1.0, 1.0, 1.0], [0.0; 3]);
    assert_eq!(hits(&a, &b, 0.0, &NATIVE).len(), 1);
    for native in [true, false] {
        let found = hits(&a, &b, 0.0, &Ccd { multiccd: true, native, ..NATIVE });
        assert!(found.len() > 2, "{} points", found.len());
        assert!(found.iter().all(|hit| (hit.dist + 0.01).abs() < 1e-6));
    }
}

#[test]
fn boxes_share_the_corners_of_the_common_face() {
    let a = shape(GeomType::Box, [1.0, 1.0, 1.0], [0.0; 3]);
    let b = shape(GeomType::Box, [0.5, 2.0, 0.5], [0.25, 0.0, 1.49]);
    let found = hits(&a, &b, 0.0, &NATIVE);
    assert_eq!(found.len(), 4);
    for (x, y) in [(-0.25, -1.0), (-0.25, 1.0), (0.75, -1.0), (0.75, 1.0)] {
        assert!(found.iter().any(|hit| near(hit.pos, [x, y, 0.995], 1e-12)));
    }
    assert!(found.iter().all(|hit| near(hit.normal, [0.0, 0.0, 1.0], 1e-12)));

    // turned by 45 degrees: an octagon
    let turned = Quat::from_axis_angle(Vec3::Z, std::f64::consts::FRAC_PI_4).to_mat();
    let b = Geom { mat: &turned, ..shape(GeomType::Box, [1.0; 3], [0.0, 0.0, 1.99]) };
    assert_eq!(hits(&a, &b, 0.0, &NATIVE).len(), 8);
}

#[test]
fn an_edge_on_a_face_touches_at_its_two_ends() {
    let turned = Quat::from_axis_angle(Vec3::X, std::f64::consts::FRAC_PI_4).to_mat();
    let a = shape(GeomType::Box, [1.0; 3], [0.0; 3]);
    let b = Geom {
        mat: &turned,
        ..shape(GeomType::Box, [0.5, 0.5, 0.5], [0.0, 0.0, 0.99 + 0.5f64.sqrt()])
    };
    for (a, b) in [(&a, &b), (&b, &a)] {
        let found = hits(a, b, 0.0, &NATIVE);
        assert_eq!(found.len(), 2);
        assert!((found[0].pos - found[1].pos).norm() > 0.999);
        assert!((found[0].dist + 0.01).abs() < 1e-9);
    }
}

#[test]
fn distance_points_follow_the_order_of_the_shapes() {
    let a = shape(GeomType::Box, [1.0; 3], [0.0; 3]);
    let b = shape(GeomType::Capsule, [0.5, 1.0, 0.0], [3.0, 0.0, 0.0]);
    let c = shape(GeomType::Cylinder, [0.5, 1.0, 0.0], [3.0, 0.2, 0.0]);
    let (dist, points) = distance(&a, &c, 10.0);
    let (flipped, backwards) = distance(&c, &a, 10.0);
    assert!((dist - 1.5).abs() < 1e-6 && (flipped - 1.5).abs() < 1e-6);
    let ([on_a, on_c], [on_c2, on_a2]) = (points.unwrap(), backwards.unwrap());
    assert!((on_a.x - 1.0).abs() < 1e-6 && (on_c.x - 2.5).abs() < 1e-6);
    assert!((on_a2.x - 1.0).abs() < 1e-6 && (on_c2.x - 2.5).abs() < 1e-6);

    let (dist, _) = distance(&b, &c, 10.0);
    assert!((dist + 0.8).abs() < 1e-6);
    assert_eq!(distance(&a, &c, 1.0), (1.0, None));
}

#[test]
fn without_the_native_collider_the_normal_is_that_of_the_surface() {
    let a = shape(GeomType::Ellipsoid, [1.0, 2.0, 0.5], [0.0; 3]);
    let b = shape(GeomType::Box, [0.5; 3], [1.4, 0.0, 0.0]);
    let found = hits(&a, &b, 0.0, &Ccd { native: false, ..NATIVE });
    assert_eq!(found.len(), 1);
    assert!((found[0].dist + 0.1).abs() < 1e-5);
    assert!(near(found[0].normal, [1.0, 0.0, 0.0], 1e-6));
}

#[test]
fn an_ellipsoid_on_a_plane_touches_at_its_lowest_point() {
    let plane = shape(GeomType::Plane, [0.0; 3], [0.0; 3]);
    let b = shape(GeomType::Ellipsoid, [1.0, 2.0, 0.5], [3.0, 4.0, 0.4]);
    let mut found = Hits::default();
    plane_convex(&plane, &b, 0.0, &NATIVE, &mut ConvexWork::default(), &mut found);
    let expected =
        Hit { dist: -0.1, pos: [3.0, 4.0, -0.05].into(), normal: Vec3::Z, tangent: Vec3::ZERO };
    assert!((found[0].dist - expected.dist).abs() < 1e-15);
    assert!(near(found[0].pos, expected.pos.to_array(), 1e-15));
    assert_eq!(found[0].normal, expected.normal);
}

#[test]
fn settled_storage_does_not_grow() {
    let a = shape(GeomType::Ellipsoid, [1.0, 0.5, 0.3], [0.0; 3]);
    let b = shape(GeomType::Cylinder, [0.2, 0.7, 0.0], [0.1, 0.5, 0.2]);
    let (mut work, mut out) = (ConvexWork::default(), Hits::default());
    convex(&a, &b, 0.0, &NATIVE, &mut work, &mut out);
    assert_eq!(out.len(), 1);
    let before = work.polytope.capacities();
    for i in 0..100 {
        let b = Geom { pos: Vec3::new(0.1, 0.005 * f64::from(i), 0.2), ..b };
        convex(&a, &b, 0.0, &NATIVE, &mut work, &mut out);
    }
    assert_eq!(work.polytope.capacities(), before);
}

#[test]
fn whatever_the_sizes_and_places_it_ends() {
    let odd = [0.0, 1e-300, 1e-16, 1e-10, 1.0, 1e10, 1e200, -1.0, f64::INFINITY, f64::NAN];
    let mut state = 1u64;
    let mut pick = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let (mut work, mut out) = (Narrow::default(), Hits::default());
    for _ in 0..20_000 {
        let mut any = || {
            let mut numbers = || [(); 3].map(|()| odd[if pick(2) == 0 { 4 } else { pick(10) }]);
            let (size, pos) = (numbers(), numbers());
            shape(KINDS[pick(5)], size, pos)
        };
        let (a, b) = (any(), any());
        let iterations = [0, 1, 35, 500][pick(4)];
        let (multiccd, native) = (pick(2) == 0, pick(4) != 0);
        let ccd = Ccd { multiccd, native, iterations, ..NATIVE };
        out.clear();
        convex(&a, &b, [0.0, 0.1, -1.0, f64::NAN][pick(4)], &ccd, &mut work.convex, &mut out);
        geom_distance(&a, &b, 1.0, &ccd, &mut work);
    }
}

#[test]
fn coincident_centres_and_thin_shapes_give_finite_points() {
    let mut touching = 0;
    for kind_a in KINDS {
        for kind_b in KINDS {
            for thin in [0.0, 1e-12, 1e-3, 1.0] {
                for offset in [0.0, 1e-17, 1e-9, 0.3] {
                    for native in [true, false] {
                        let a = shape(kind_a, [1.0, thin, 1.0], [0.0; 3]);
                        let b = shape(kind_b, [0.5, 0.5, thin], [offset, 0.0, 0.0]);
                        for hit in hits(&a, &b, 0.0, &Ccd { native, ..NATIVE }).iter() {
                            touching += 1;
                            assert!(hit.dist.is_finite() && hit.pos.norm().is_finite());
                            assert!((hit.normal.norm() - 1.0).abs() < 1e-9);
                        }
                    }
                }
            }
        }
    }
    assert!(touching > 100);
}

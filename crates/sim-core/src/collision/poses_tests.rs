//! Pairs of shapes in many poses, against the contacts that MuJoCo finds.
//!
//! The file and its layout come from `poses.py` of the conformance tests; `POSES` names another.

use super::bounds::boxes_apart;
use super::convex::{Ccd, ConvexWork};
use super::narrow::collide;
use super::{Hit, Hits};
use crate::geometry::{Geom, half_extent};
use crate::math::{Mat3, Vec3};
use crate::model::GeomType;

const PAIRS: [(GeomType, GeomType); 20] = {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere};
    [
        (Plane, Sphere),
        (Plane, Capsule),
        (Plane, Ellipsoid),
        (Plane, Cylinder),
        (Plane, Box),
        (Sphere, Sphere),
        (Sphere, Capsule),
        (Sphere, Ellipsoid),
        (Sphere, Cylinder),
        (Sphere, Box),
        (Capsule, Capsule),
        (Capsule, Ellipsoid),
        (Capsule, Cylinder),
        (Capsule, Box),
        (Ellipsoid, Ellipsoid),
        (Ellipsoid, Cylinder),
        (Ellipsoid, Box),
        (Cylinder, Cylinder),
        (Cylinder, Box),
        (Box, Box),
    ]
};

/// What the options of a model are by default.
const CCD: Ccd = Ccd { tolerance: 1e-6, iterations: 35, multiccd: false, native: true };

const TOLERANCE: f64 = 1e-9;

/// One record of the file.
struct Case<'a> {
    kinds: [f64; 2],
    margin: f64,
    unstable: bool,
    shapes: [&'a [f64]; 2],
    contacts: Vec<&'a [f64]>,
}

impl Case<'_> {
    fn read<'a>(numbers: &mut &'a [f64]) -> Option<Case<'a>> {
        if numbers.is_empty() {
            return None;
        }
        let mut take = |count: usize| {
            let (head, tail) = numbers.split_at(count);
            *numbers = tail;
            head
        };
        let &[kind1, kind2, margin, _, unstable, count] = take(6) else { unreachable!() };
        Some(Case {
            kinds: [kind1, kind2],
            margin,
            unstable: unstable == 1.0,
            shapes: [take(15), take(15)],
            contacts: (0..count as usize).map(|_| take(10)).collect(),
        })
    }

    fn mats(&self) -> [Mat3; 2] {
        self.shapes.map(|s| Mat3(std::array::from_fn(|i| s[6 + i])))
    }

    fn shapes<'a>(&self, kinds: [GeomType; 2], mats: &'a [Mat3; 2]) -> [Geom<'a>; 2] {
        std::array::from_fn(|i| {
            let s = self.shapes[i];
            let (size, pos) = (vec3(&s[0..3]), vec3(&s[3..6]));
            Geom::primitive(kinds[i], size, pos, &mats[i]).expect("a primitive")
        })
    }

    fn collide(&self, kinds: [GeomType; 2], work: &mut ConvexWork, hits: &mut Hits) {
        let mats = self.mats();
        let [a, b] = self.shapes(kinds, &mats);
        hits.clear();
        collide(&a, &b, self.margin, &CCD, work, hits);
    }

    /// Whether MuJoCo itself has found something that is not a number.
    fn is_undefined(&self) -> bool {
        self.contacts.iter().any(|c| c.iter().any(|x| x.is_nan()))
    }

    fn agrees(&self, hits: &Hits) -> bool {
        hits.len() == self.contacts.len()
            && hits.iter().zip(&self.contacts).all(|(hit, contact)| {
                numbers(hit).iter().zip(*contact).all(|(&ours, &theirs)| {
                    (ours - theirs).abs() <= TOLERANCE * theirs.abs().max(1.0)
                })
            })
    }
}

fn extent(geom: &Geom) -> Option<Vec3> {
    half_extent(geom.kind(), geom.size, geom.mat, &[0.0; 6])
}

fn vec3(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}

/// Distance, position, normal and first tangent, completed as contacts are.
fn numbers(hit: &Hit) -> [f64; 10] {
    let normal = hit.normal.normalized().0;
    let hint = if hit.tangent.dot(hit.tangent) >= 0.25 {
        hit.tangent
    } else if normal.y < 0.5 && normal.y > -0.5 {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let tangent = (hint - normal * normal.dot(hint)).normalized().0;
    let [p, n, t] = [hit.pos, normal, tangent].map(Vec3::to_array);
    [hit.dist, p[0], p[1], p[2], n[0], n[1], n[2], t[0], t[1], t[2]]
}

fn is_finite(hits: &Hits) -> bool {
    hits.iter().all(|hit| numbers(hit).iter().all(|x| x.is_finite()))
}

fn read_file() -> Vec<f64> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../sim-conformance-tests/poses.bin");
    let path = std::env::var("POSES").unwrap_or_else(|_| golden.to_string());
    let bytes = std::fs::read(&path).expect("file of poses");
    bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn pairs_of_primitive_shapes_touch_where_mujoco_says() {
    let file = read_file();
    let mut rest = file.as_slice();
    let (mut work, mut hits) = (ConvexWork::default(), Hits::default());
    let mut totals = [[0; 4]; PAIRS.len()];
    let mut wrong = Vec::new();
    while let Some(case) = Case::read(&mut rest) {
        let pair = PAIRS
            .iter()
            .position(|&(a, b)| [a, b].map(|t| f64::from(t as i32)) == case.kinds)
            .expect("a pair of primitive shapes");
        let (a, b) = PAIRS[pair];
        case.collide([a, b], &mut work, &mut hits);
        totals[pair][0] += 1;
        totals[pair][1] += usize::from(case.unstable);
        totals[pair][2] += usize::from(case.is_undefined());
        assert!(is_finite(&hits), "{a:?} {b:?} {:?} margin {}", case.shapes, case.margin);
        if !case.is_undefined() && !case.agrees(&hits) {
            totals[pair][3] += 1;
            wrong.push((pair, case, hits.clone()));
        }
    }
    for ((a, b), [cases, unstable, undefined, wrong]) in PAIRS.iter().zip(totals) {
        println!(
            "{a:?} {b:?}: {cases} poses, {unstable} unstable, {undefined} undefined, {wrong} wrong"
        );
        assert!(cases >= 200, "{a:?} {b:?}: only {cases} poses");
    }
    for (pair, case, hits) in wrong.iter().take(5) {
        println!("{:?} unstable {} margin {}", &PAIRS[*pair], case.unstable, case.margin);
        println!("  {:?}\n  {:?}", case.shapes[0], case.shapes[1]);
        println!("  theirs {:?}", case.contacts);
        println!("  ours   {:?}", hits.iter().map(numbers).collect::<Vec<_>>());
    }
    assert!(wrong.is_empty(), "{} cases differ", wrong.len());
}

#[test]
fn boxes_around_shapes_that_touch_overlap() {
    let file = read_file();
    let mut rest = file.as_slice();
    let (mut touching, mut apart) = (0, 0);
    while let Some(case) = Case::read(&mut rest) {
        let kinds = case.kinds.map(|kind| GeomType::from_i32(kind as i32).expect("a type"));
        let mats = case.mats();
        let [a, b] = case.shapes(kinds, &mats);
        let Some(half) = extent(&b) else { continue };
        let separate = if a.kind() == GeomType::Plane {
            let normal = a.mat.column(2);
            (b.pos - a.pos).dot(normal) > (half.dot(normal.abs()) + case.margin) * (1.0 + 1e-6)
        } else {
            let own = extent(&a).unwrap_or_else(|| {
                let radius = a.size.norm();
                Vec3::new(radius, radius, radius)
            });
            let margin = Vec3::new(case.margin, case.margin, case.margin);
            boxes_apart(b.pos - a.pos, own + margin, half)
        };
        match case.contacts.is_empty() {
            true => apart += usize::from(separate),
            false => {
                touching += 1;
                assert!(!separate, "{a:?} {b:?} margin {}", case.margin);
            }
        }
    }
    assert!(touching > 1000 && apart > 0, "{touching} touch, {apart} do not");
}

/// Collides every pair of types with all combinations of some sizes and offsets.
fn with_all(sizes: &[f64], offsets: &[f64], mut check: impl FnMut(&Geom, &Geom, &Hits)) {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let tilted = Mat3([half, -half, 0.0, half, half, 0.0, 0.0, 0.0, 1.0]);
    let (mut work, mut hits) = (ConvexWork::default(), Hits::default());
    let triples = |x: &[f64]| -> Vec<Vec3> {
        x.iter().flat_map(|&a| x.iter().map(move |&b| Vec3::new(a, b, a))).collect()
    };
    for &(a, b) in &PAIRS {
        for size1 in triples(sizes) {
            for size2 in triples(sizes) {
                for pos in triples(offsets) {
                    for mat in [&Mat3::IDENTITY, &tilted] {
                        let first = Geom::primitive(a, size1, Vec3::ZERO, &Mat3::IDENTITY)
                            .expect("a primitive");
                        let second = Geom::primitive(b, size2, pos, mat).expect("a primitive");
                        hits.clear();
                        collide(&first, &second, 0.1, &CCD, &mut work, &mut hits);
                        check(&first, &second, &hits);
                    }
                }
            }
        }
    }
}

#[test]
fn shapes_without_extent_or_distance_give_finite_points() {
    let mut touching = 0;
    with_all(&[0.0, 1e-16, 1e-3, 1.0], &[0.0, 1e-16, 1e-3, 1.0], |a, b, hits| {
        assert!(is_finite(hits), "{a:?} {b:?} {:?}", hits.iter().collect::<Vec<_>>());
        touching += usize::from(!hits.is_empty());
    });
    assert!(touching > 10_000);
}

#[test]
fn nonsense_does_not_panic() {
    let nonsense = [f64::NAN, f64::INFINITY, -1.0, 1e300, 1.0];
    let mut calls = 0;
    with_all(&nonsense, &nonsense, |_, _, _| calls += 1);
    assert_eq!(calls, PAIRS.len() * 25 * 25 * 25 * 2);
}

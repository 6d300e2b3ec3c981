//! Hulls of points made here, against graphs that MuJoCo 3.5.0 compiled of the same points.

use std::collections::HashSet;
use std::f64::consts::PI;

use super::{Hull, HullError, hull};

/// Numbers in [0, 1): a linear congruential generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }

    fn point(&mut self) -> [f64; 3] {
        [0; 3].map(|_| 2.0 * self.next() - 1.0)
    }
}

type Points = Vec<[f64; 3]>;

/// Points rounded to single precision, as those of meshes are.
fn rounded(points: Points) -> Points {
    points.into_iter().map(|point| point.map(|x| f64::from(x as f32))).collect()
}

fn grid(nx: usize, ny: usize, nz: usize, step: f64) -> Points {
    let mut points = Points::new();
    for x in 0..nx {
        for y in 0..ny {
            for z in 0..nz {
                points.push([x, y, z].map(|i| i as f64 * step));
            }
        }
    }
    points
}

/// Rings of `n` points around z, one per height and radius.
fn rings(n: usize, at: &[(f64, f64)]) -> Points {
    let ring = |&(height, radius): &(f64, f64)| {
        (0..n).map(move |i| {
            let angle = 2.0 * PI * i as f64 / n as f64;
            [radius * libm::cos(angle), radius * libm::sin(angle), height]
        })
    };
    at.iter().flat_map(ring).collect()
}

/// A sphere of rings, all points at the poles included.
fn globe(n: usize) -> Points {
    let ring = |i: usize| {
        let angle = PI * i as f64 / n as f64;
        (libm::cos(angle), libm::sin(angle))
    };
    rings(2 * n, &(0..=n).map(ring).collect::<Vec<_>>())
}

/// An icosahedron whose triangles are cut in four `levels` times.
fn icosphere(levels: usize) -> Points {
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let mut points = Points::new();
    for a in [-1.0, 1.0] {
        for b in [-g, g] {
            points.extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]);
        }
    }
    let mut edge = 2.0;
    for _ in 0..levels {
        let n = points.len();
        for i in 0..n {
            for j in 0..i {
                let (a, b) = (points[i], points[j]);
                let apart: f64 = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum();
                if apart.sqrt() < 1.3 * edge {
                    let middle: [f64; 3] = std::array::from_fn(|k| a[k] + b[k]);
                    let length = middle.iter().map(|x| x * x).sum::<f64>().sqrt();
                    points.push(middle.map(|x| x / length * (1.0 + g * g).sqrt()));
                }
            }
        }
        edge /= 1.9;
    }
    points
}

fn rotated(points: Points) -> Points {
    // the rotation of the quaternion (5, 1, 2, 3) / √39
    let rows = [[12.0, -26.0, 26.0], [34.0, 19.0, 2.0], [-14.0, 22.0, 29.0]];
    let turn = |p: [f64; 3]| rows.map(|r| (r[0] * p[0] + r[1] * p[1] + r[2] * p[2]) / 39.0);
    points.into_iter().map(turn).collect()
}

/// Zeros replaced by noise.
fn noisy(mut points: Points, noise: f64, seed: u64) -> Points {
    let mut random = Random(seed);
    for x in points.as_flattened_mut() {
        if *x == 0.0 {
            *x = noise * (2.0 * random.next() - 1.0);
        }
    }
    points
}

fn scattered(n: usize, seed: u64, shape: impl Fn(&mut Random) -> [f64; 3]) -> Points {
    let mut random = Random(seed);
    (0..n).map(|_| shape(&mut random)).collect()
}

/// Points on the edges of the unit cube.
fn on_edge(random: &mut Random) -> [f64; 3] {
    let mut point = [0; 3].map(|_| random.below(2) as f64);
    point[random.below(3)] = random.next();
    point
}

/// Points whose coordinates have all sizes down to 2⁻⁶⁰.
fn heavy_tail(random: &mut Random) -> [f64; 3] {
    random.point().map(|x| x.signum() * libm::exp2(-60.0 * x.abs()))
}

fn on_sphere(random: &mut Random) -> [f64; 3] {
    let point = random.point();
    let length = point.iter().map(|x| x * x).sum::<f64>().sqrt();
    point.map(|x| x / length)
}

/// All sets of points that have a golden graph.
fn clouds() -> Vec<(&'static str, Points)> {
    let cube = grid(2, 2, 2, 1.0);
    let tripled = cube.iter().flat_map(|&p| [p, p.map(|x| x + 0.0), p]).collect();
    let bumpy = rings(24, &[(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (0.0, 0.5), (1.0, 0.5)]);
    let thin = scattered(60, 7, |r| [r.next(), r.next(), 1e-9 * r.next()]);
    let cluster = scattered(80, 8, |r| {
        let scale = if r.below(10) == 0 { 1.0 } else { 1e-15 };
        r.point().map(|x| x * scale)
    });
    vec![
        ("tetrahedron", vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        ("cube", cube.clone()),
        ("tripled cube", tripled),
        ("grid of 5 × 5 × 2", grid(5, 5, 2, 0.25)),
        ("grid of tenths", grid(6, 5, 4, 0.1)),
        ("rotated grid", rotated(grid(5, 5, 5, 1.0))),
        ("points on edges", scattered(120, 1, on_edge)),
        ("noisy points on edges", noisy(scattered(120, 2, on_edge), 1e-16, 3)),
        ("noisier points on edges", noisy(scattered(120, 2, on_edge), 1e-14, 3)),
        ("noisy grid", noisy(grid(4, 4, 4, 0.5), 3e-16, 4)),
        ("noisier grid", noisy(grid(4, 4, 4, 0.5), 1e-15, 5)),
        ("hexagonal prism", rings(6, &[(0.0, 1.0), (1.0, 1.0)])),
        ("cylinder", rings(50, &[(-0.2, 0.1), (0.2, 0.1)])),
        ("cylinder with inner points", bumpy.clone()),
        ("noisy cylinder", noisy(bumpy, 2e-16, 6)),
        ("icosphere", icosphere(2)),
        ("globe", globe(12)),
        ("random ball", scattered(1000, 9, |r| r.point().map(|x| x * r.next()))),
        ("random sphere", scattered(500, 10, on_sphere)),
        ("random integers", scattered(300, 11, |r| [0; 3].map(|_| r.below(7) as f64))),
        ("millimetres far away", scattered(200, 12, |r| r.point().map(|x| 1000.0 + 1e-3 * x))),
        ("thin plate", thin),
        ("heavy tail", scattered(150, 13, heavy_tail)),
        ("cluster", cluster),
    ]
    .into_iter()
    .map(|(name, points)| (name, rounded(points)))
    .collect()
}

/// The hash FNV-1a.
fn hash(graph: &[i32]) -> u64 {
    graph
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .fold(0xcbf29ce484222325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

/// Hashes of MuJoCo's graphs with `maxhullvert` −1, 4, 7 and 40.
#[rustfmt::skip]
const GOLDEN: &[(&str, [u64; 4])] = &[
    ("tetrahedron", [0x1352bcd25466dcf5, 0x1352bcd25466dcf5, 0x1352bcd25466dcf5, 0x1352bcd25466dcf5]),
    ("cube", [0x72f5081cf18d9de9, 0x778c9af463f65155, 0x0d3c13c8fea0961f, 0x72f5081cf18d9de9]),
    ("tripled cube", [0xe78efc9edfa14e5e, 0x0b582979337123b5, 0x59b6df0c3b41464b, 0xe78efc9edfa14e5e]),
    ("grid of 5 × 5 × 2", [0x2cc622fa7f876639, 0x0e72f6ba8cf5d895, 0xa5ff1d94779a31e3, 0x2cc622fa7f876639]),
    ("grid of tenths", [0x408e26c2d473edc9, 0x074063d3a3ec2695, 0x8fb03f95c883887f, 0x408e26c2d473edc9]),
    ("rotated grid", [0x9c6ae30bb61f374f, 0x15033ebedcdc4385, 0x4863b05121d8bb4c, 0x9c6ae30bb61f374f]),
    ("points on edges", [0x0b5ccc06b3a34fe0, 0x48de8d3be93e8c65, 0x36560d1d1154d5e2, 0x0b5ccc06b3a34fe0]),
    ("noisy points on edges", [0x7ef52b84e4d4d163, 0x4a78f0b046c5d635, 0xb0e30ff69d70763f, 0x7ef52b84e4d4d163]),
    ("noisier points on edges", [0x5632cf3a6e4631c1, 0x4a78f0b046c5d635, 0xb0e30ff69d70763f, 0x5632cf3a6e4631c1]),
    ("noisy grid", [0x00abc2b2006594bf, 0xaecb3948a2fda4c5, 0x89fcad9d61b81a6f, 0x00abc2b2006594bf]),
    ("noisier grid", [0xd0c5fcd14d5d13cf, 0xfd2492f2484e6ef5, 0x1defa9de34c25a35, 0xd0c5fcd14d5d13cf]),
    ("hexagonal prism", [0xb938473d30690453, 0xb73bf9038334e3b5, 0x0d3f0021449c8a7c, 0xb938473d30690453]),
    ("cylinder", [0xc3e23388a0255238, 0xafa48b064e6f41e5, 0xc94d457acc8908bd, 0x84cb9f32ac3dced1]),
    ("cylinder with inner points", [0xefee4daa3402ced2, 0x5d648f15e6bc7fe5, 0x734aee7dc3ec3036, 0x551fe12e6638a3e0]),
    ("noisy cylinder", [0xef3c8047a6532045, 0x5d648f15e6bc7fe5, 0xf26bfe27e825dd46, 0xfdb57999befce945]),
    ("icosphere", [0x9d66bcc76cd65192, 0x90add6a739156615, 0x5477bd9446b7d649, 0x90c4c6523fbe5238]),
    ("globe", [0x28093915776e9976, 0x119df78616c97d5d, 0x329042ce3190847f, 0xb2d070bea0a16ef9]),
    ("random ball", [0xae44a6229a8348e0, 0xa949ff9b9eefdc35, 0xf41b3c0d8524ead9, 0xb47dea70257abfdf]),
    ("random sphere", [0xaca9ce4ffce49a62, 0xa1aa1c1665031109, 0xa9cc931a120d1eef, 0x1258e8f775f58e5e]),
    ("random integers", [0xb6b2771b15520fa7, 0x48097bd7bc6776a5, 0x61e9a4d841fd89a2, 0xb6b2771b15520fa7]),
    ("millimetres far away", [0x363d520f4da20aeb, 0xa90d5eca61e844e5, 0x8e7c2aa5f3a956be, 0x7293c9a1fac5c6ca]),
    ("thin plate", [0xeecbd2e6aa9949dd, 0xc5b70273ed921085, 0xd7e6aab56f8abf9c, 0xeecbd2e6aa9949dd]),
    ("heavy tail", [0xd39e3740977b3861, 0x44c080f516a33b65, 0xd34a3bf84f23fe47, 0xd39e3740977b3861]),
    ("cluster", [0x6229db0469eb8b8d, 0xd9f674446afe2e35, 0x06ce446f8309aa0b, 0x6229db0469eb8b8d]),
];

#[test]
fn graphs_equal_those_of_mujoco() {
    let clouds = clouds();
    assert_eq!(clouds.len(), GOLDEN.len());
    for ((name, points), (golden, hashes)) in clouds.iter().zip(GOLDEN) {
        assert_eq!(name, golden);
        let caps = [None, Some(4), Some(7), Some(40)];
        let ours = caps.map(|cap| hash(&hull(points, cap).unwrap().graph()));
        assert_eq!(ours, *hashes, "{name}");
    }
}

/// Fails unless the hull is closed, oriented, and contains the points.
fn check(points: &[[f64; 3]], hull: &Hull) {
    let Hull { vertices, faces, .. } = hull;
    assert_eq!(faces.len() + 4, 2 * vertices.len(), "Euler's formula");
    assert_eq!(vertices.iter().collect::<HashSet<_>>().len(), vertices.len());
    for vertex in 0..vertices.len() {
        for &neighbor in hull.neighbors(vertex) {
            let back = hull.neighbors(neighbor as usize).contains(&(vertex as u32));
            assert!(back, "edges are symmetrical");
        }
    }
    let mut sides = HashSet::new();
    for &[a, b, c] in faces {
        for side in [(a, b), (b, c), (c, a)] {
            assert!(sides.insert(side), "two faces on one side of an edge");
        }
    }
    assert!(sides.iter().all(|&(a, b)| sides.contains(&(b, a))), "a gap");

    let size = points.as_flattened().iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    let sub = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    for face in faces {
        let [a, b, c] = face.map(|point| points[point as usize].map(|x| x / size));
        let (u, v) = (sub(b, a), sub(c, a));
        let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let area = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        for point in points {
            let to = sub(point.map(|x| x / size), a);
            let above = (n[0] * to[0] + n[1] * to[1] + n[2] * to[2]) / area;
            // the planes of slivers are uncertain
            assert!(area < 1e-6 || above < 1e-9, "a point is {above:e} outside");
        }
    }
}

#[test]
fn hulls_are_closed_and_contain_the_points() {
    for (name, points) in clouds() {
        println!("{name}");
        check(&points, &hull(&points, None).unwrap());
    }
}

#[test]
fn graph_of_a_tetrahedron() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let graph = hull(&points, None).unwrap().graph();
    assert_eq!(graph.len(), 2 + 3 * 4 + 6 * 4);
    assert_eq!(graph[..2], [4, 4]);
    assert_eq!(graph[2..6], [0, 4, 8, 12]);
}

#[test]
fn a_cap_gives_exactly_that_many_vertices() {
    let points = rounded(scattered(400, 20, on_sphere));
    for cap in [4, 5, 17, 100] {
        let capped = hull(&points, Some(cap)).unwrap();
        assert_eq!(capped.vertices.len(), cap);
        assert_eq!(capped.faces.len(), 2 * cap - 4);
    }
    assert_eq!(hull(&points, Some(2)).unwrap().vertices.len(), 4);
    assert_eq!(hull(&points, Some(1000)), hull(&points, None));
}

#[test]
fn errors_say_what_is_wrong() {
    let message = |points: &[[f64; 3]]| hull(points, None).unwrap_err().to_string();
    assert!(message(&[]).contains("at least 4 points, there are 0"));
    assert!(message(&[[0.0; 3]; 3]).contains("at least 4 points, there are 3"));
    assert!(message(&[[1.0; 3]; 9]).contains("all are the same"));
    let infinite = [[0.0; 3], [1.0; 3], [f64::INFINITY, 0.0, 0.0], [0.0, 0.0, 1.0]];
    assert!(message(&infinite).contains("point 2 is not"));
    let line: Points = (0..10).map(|i| [f64::from(i), 2.0 * f64::from(i), 0.5]).collect();
    assert!(
        matches!(hull(&line, None), Err(HullError::Collinear { radius, .. }) if radius < 1e-15)
    );
    let plate = rotated(grid(4, 4, 1, 1.0));
    let Err(HullError::Flat { thickness, width }) = hull(&plate, None) else { panic!("not flat") };
    assert!(thickness < 1e-14 && width > 1.0);
    assert!(message(&grid(4, 4, 1, 0.5)).contains("0e0 thick, 1.5e0 wide"));
}

#[test]
fn any_input_ends_in_a_closed_hull_or_an_error() {
    let mut random = Random(99);
    let (mut hulls, mut errors) = (0, 0);
    for round in 0..3000 {
        let n = random.below(90);
        let noise = libm::exp10(-18.0 * random.next());
        let scale = libm::exp10((random.next() - 0.5) * if round % 3 == 0 { 600.0 } else { 12.0 });
        let kind = random.below(9);
        let levels = 1 + random.below(4);
        let mut points = scattered(n, round, |r| {
            let mut point = match kind {
                0 => r.point(),
                1 => [0; 3].map(|_| r.below(levels) as f64),
                2 => on_edge(r),
                3 => on_sphere(r),
                4 => heavy_tail(r),
                5 => [r.next(), r.next(), 0.0],
                6 => [r.next(), 0.0, 0.0],
                7 => [1.0, r.below(3) as f64, r.next()],
                _ => [0; 3].map(|_| f64::from_bits((r.next() * 1.8e19) as u64)),
            };
            if r.below(2) == 0 {
                point = point.map(|x| x + noise * (r.next() - 0.5));
            }
            point.map(|x| x * scale)
        });
        points.extend_from_within(..n / 2);
        match hull(&points, (round % 5 == 0).then_some(levels + 3)) {
            Ok(hull) => {
                hulls += 1;
                assert_eq!(hull.faces.len() + 4, 2 * hull.vertices.len());
            }
            Err(_) => errors += 1,
        }
    }
    assert!(hulls > 1000 && errors > 100, "{hulls} hulls, {errors} errors");
}

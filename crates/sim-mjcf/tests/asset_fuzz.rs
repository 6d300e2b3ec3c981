//! Files of meshes, height fields, flexes and skins with random damage: whatever the bytes, loading
//! comes to an end without a panic, quickly and within bounds of memory.
//!
//! Runs for a few seconds, or as many as `FUZZ_SECONDS` says; `FUZZ_SEED` makes it take another
//! path. A file that fails is named along with its seed.

mod common;

use std::collections::HashMap;
use std::fs;
use std::panic;
use std::time::{Duration, Instant};

use common::{above, difference};
use sim_mjcf::load_str_with_assets;

/// What loading one file may take.
const TIME_LIMIT: Duration = Duration::from_secs(2);
const MEMORY_LIMIT: u64 = 500 << 20;

/// Pseudorandom numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `end`, which is not zero.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// Changes the bytes in one place; often where numbers are.
fn change(bytes: &mut Vec<u8>, text: bool, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(60)).min(bytes.len());
    let word = random.below(bytes.len()) & !1;
    match random.below(9) {
        0 => bytes[at] = random.next() as u8,
        1 if text => {
            let token = *random.pick(&[
                " 0 ",
                "-1",
                "1e38",
                "nan",
                "-9999999999",
                "//",
                "\nf 1 2 3",
                "\no x\n",
                "1/2/3",
                ".",
                "1e-400",
                "f 1 2 3 4 5 6 7 8",
            ]);
            bytes.splice(at..at, token.bytes());
        }
        2 if bytes.len() >= word + 4 => {
            let number = *random.pick(&[0, 1, 0xffff_ffff, 0x7fff_ffff, 0x7f80_0000, 0x7fc0_0000]);
            bytes[word..word + 4].copy_from_slice(&u32::to_le_bytes(number));
        }
        3 if bytes.len() >= word + 4 => {
            let number = *random.pick(&[0.0f32, -0.0, 1e-40, 1e-7, 1e9, 1e30, -1.0]);
            bytes[word..word + 4].copy_from_slice(&number.to_le_bytes());
        }
        4 => {
            bytes.drain(at..end);
        }
        5 => {
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        6 => bytes.truncate(at),
        7 => bytes.extend_from_within(at..),
        // a piece over another of the same length, which keeps sizes right
        _ => {
            let to = random.below(bytes.len() - (end - at) + 1);
            bytes.copy_within(at..end, to);
        }
    }
}

/// A model with the file as a mesh that collides, as a height field, as a flex or as a skin.
fn model(file: &str, random: &mut Random) -> String {
    if file.ends_with("skn") {
        return format!(
            "<mujoco><worldbody><body name='a'/><body name='b'/></worldbody><deformable>\
             <skin file='{file}'/></deformable></mujoco>"
        );
    }
    if file.starts_with("gmsh") {
        let dof = *random.pick(&["full", "radial", "trilinear"]);
        let inside = *random.pick(&["", "<elasticity young='1'/>", "<edge equality='true'/>"]);
        return format!(
            "<mujoco><worldbody><body name='a'><flexcomp name='f' type='gmsh' file='{file}' dim='3' \
             dof='{dof}'>{inside}</flexcomp></body></worldbody></mujoco>"
        );
    }
    let inertia = *random.pick(&["legacy", "exact", "convex", "shell"]);
    let scale = *random.pick(&["1 1 1", "-1 1 1", "1e-3 1 1", "0 1 1"]);
    let collides = random.below(2);
    let (asset, geom) = if file.ends_with("png") || file.ends_with("bin") {
        (format!("<hfield name='x' file='{file}' size='1 1 1 1'/>"), "type='hfield' hfield='x'")
    } else {
        let mesh = format!("<mesh name='x' file='{file}' inertia='{inertia}' scale='{scale}'/>");
        (mesh, "type='mesh' mesh='x'")
    };
    format!(
        "<mujoco><compiler usethread='false'/><asset>{asset}</asset><worldbody><body><freejoint/>\
         <geom {geom} contype='{collides}' conaffinity='0'/></body></worldbody></mujoco>"
    )
}

/// Loads a model twice, which has to give the same; returns whether it loads.
fn load(xml: &str, files: &HashMap<String, Vec<u8>>) -> Result<bool, String> {
    let load = || load_str_with_assets(xml, files).map_err(|error| error.to_string());
    match (load(), load()) {
        (Ok(first), Ok(again)) => match difference(&first.model, &again.model) {
            Some(field) => Err(format!("differs in {field} when it is loaded again")),
            None => Ok(true),
        },
        (Err(first), Err(again)) if first == again => Ok(false),
        (Err(error), _) | (_, Err(error)) => Err(format!("fails one time out of two: {error}")),
    }
}

fn watched(xml: &str, files: &HashMap<String, Vec<u8>>) -> Result<bool, String> {
    let start = Instant::now();
    let mut result = Ok(false);
    let memory = allocation_counter::measure(|| {
        result = panic::catch_unwind(|| load(xml, files))
            .unwrap_or_else(|_| Err(String::from("panics")));
    });
    let elapsed = start.elapsed();
    if elapsed > TIME_LIMIT {
        return Err(format!("takes {elapsed:?}"));
    }
    if memory.bytes_max > MEMORY_LIMIT {
        return Err(format!("takes {} MB", memory.bytes_max >> 20));
    }
    result
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Damages a file of the project again and again.
fn fuzz(file: &str) {
    let intact = fs::read(above(2, "models/meshes").join(file)).expect("the file is there");
    fuzz_bytes(file, &intact);
}

/// Damages the bytes of a file again and again.
fn fuzz_bytes(file: &str, intact: &[u8]) {
    let duration = Duration::from_secs(setting("FUZZ_SECONDS", 1));
    let seed = setting("FUZZ_SEED", 1);
    let start = Instant::now();
    let (mut cases, mut loaded) = (0, 0);
    while start.elapsed() < duration {
        let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(cases));
        let mut bytes = intact.to_vec();
        for _ in 0..random.below(5) {
            change(&mut bytes, file.ends_with("obj") || file.ends_with("text"), &mut random);
        }
        let xml = model(file, &mut random);
        let files = HashMap::from([(file.to_owned(), bytes)]);
        match watched(&xml, &files) {
            Ok(loads) => loaded += u64::from(loads),
            Err(fault) => panic!("{file}, seed {seed}, case {cases}: {fault}\n{xml}"),
        }
        cases += 1;
    }
    println!("{file}: {cases} damaged files, of which {loaded} load");
    assert!(loaded > cases / 100, "only {loaded} of {cases} files load");
}

#[test]
fn damaged_stl_files_load_or_fail_in_good_order() {
    fuzz("bracket.stl");
}

#[test]
fn damaged_obj_files_load_or_fail_in_good_order() {
    fuzz("bracket.obj");
}

#[test]
fn damaged_msh_files_load_or_fail_in_good_order() {
    fuzz("stone.msh");
}

#[test]
fn damaged_images_load_or_fail_in_good_order() {
    fuzz("hill.png");
}

#[test]
fn damaged_height_fields_load_or_fail_in_good_order() {
    fuzz("hill.bin");
}

/// Little-endian bytes of numbers.
macro_rules! bytes {
    ($($kind:ident $values:expr),*) => {
        [$($values.iter().flat_map(|&x| (x as $kind).to_le_bytes()).collect::<Vec<u8>>()),*].concat()
    };
}

/// A cube of six tetrahedra as a Gmsh file: version, whether it is binary, nodes, elements.
fn gmsh(version: &str, binary: bool, nodes: &[u8], elements: &[u8]) -> Vec<u8> {
    let head = format!("$MeshFormat\n{version} {} 8\n$EndMeshFormat\n$Nodes\n", i32::from(binary));
    let middle = b"\n$EndNodes\n$Elements\n".as_slice();
    [head.as_bytes(), nodes, middle, elements, b"\n$EndElements\n"].concat()
}

const CUBE: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];

/// Nodes of the tetrahedra, counted from one.
const TETRAHEDRA: [[i32; 4]; 6] =
    [[1, 2, 4, 8], [1, 4, 3, 8], [1, 3, 7, 8], [1, 7, 5, 8], [1, 5, 6, 8], [1, 6, 2, 8]];

#[test]
fn damaged_gmsh_texts_load_or_fail_in_good_order() {
    let line = |numbers: &[f64]| numbers.iter().map(|x| format!("{x} ")).collect::<String>() + "\n";
    let tags: String = (1..=8).map(|tag| format!("{tag}\n")).collect();
    let points: String = CUBE.iter().map(|point| line(point)).collect();
    let numbered = |tetrahedron: &[i32; 4]| tetrahedron.map(f64::from).to_vec();
    let elements: String = (1..)
        .zip(&TETRAHEDRA)
        .map(|(tag, nodes)| line(&[vec![f64::from(tag)], numbered(nodes)].concat()))
        .collect();
    let nodes = format!("1 8 1 8\n3 1 0 8\n{tags}{points}");
    let elements = format!("1 6 1 6\n3 1 4 6\n{elements}");
    fuzz_bytes("gmsh41.text", &gmsh("4.1", false, nodes.as_bytes(), elements.as_bytes()));

    let nodes: String = (1..).zip(&CUBE).map(|(tag, x)| format!("{tag} {}", line(x))).collect();
    let elements: String = (1..)
        .zip(&TETRAHEDRA)
        .map(|(tag, nodes)| format!("{tag} 4 2 0 1 {}", line(&numbered(nodes))))
        .collect();
    let (nodes, elements) = (format!("8\n{nodes}"), format!("6\n{elements}"));
    fuzz_bytes("gmsh22.text", &gmsh("2.2", false, nodes.as_bytes(), elements.as_bytes()));
}

#[test]
fn damaged_binary_gmsh_files_load_or_fail_in_good_order() {
    let points = bytes!(f64 CUBE.as_flattened());
    let tags: Vec<u64> = (1..=8).collect();
    let nodes = [bytes!(u64[1, 8, 1, 8], i32[3, 1, 0], u64[8], u64 tags), points].concat();
    let mut elements = bytes!(u64[1, 6, 1, 6], i32[3, 1, 4], u64[6]);
    for (tag, nodes) in (1..).zip(&TETRAHEDRA) {
        elements.extend(bytes!(u64[tag], u64 nodes));
    }
    fuzz_bytes("gmsh41.bin", &gmsh("4.1", true, &nodes, &elements));

    let mut nodes = b"8\n".to_vec();
    for (tag, point) in (1..).zip(&CUBE) {
        nodes.extend(bytes!(i32[tag], f64 point));
    }
    let mut elements = b"6\n".to_vec();
    for (tag, nodes) in (1..).zip(&TETRAHEDRA) {
        elements.extend(bytes!(i32[4, 1, 2, tag, 0, 1], i32 nodes));
    }
    fuzz_bytes("gmsh22.bin", &gmsh("2.2", true, &nodes, &elements));
}

#[test]
fn damaged_skins_load_or_fail_in_good_order() {
    let mut skin = bytes!(i32[4, 4, 2, 2], f32[0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
    skin.extend(bytes!(f32[0, 0, 1, 0, 0, 1, 1, 1], i32[0, 1, 2, 1, 3, 2]));
    for name in ["a", "b"] {
        let mut padded = [0; 40];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        skin.extend(padded);
        skin.extend(bytes!(f32[0, 0, 0, 1, 0, 0, 0], i32[4, 0, 1, 2, 3], f32[1, 1, 1, 1]));
    }
    fuzz_bytes("skin.skn", &skin);
}

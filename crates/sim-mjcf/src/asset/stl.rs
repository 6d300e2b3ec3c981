//! STL: binary files of triangles.

use super::mesh::{Fault, RawMesh};

/// Bytes before the first triangle: a comment and the number of triangles.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, two bytes of attributes.
const TRIANGLE: usize = 50;
/// Triangles at most.
const MAX_FACES: usize = 200_000;
/// Coordinates at most.
const MAX: f32 = 1_073_741_824.0;

/// Reads the triangles. Corners at the same place become one vertex, numbered in the order in which
/// they appear; normals are left out. With `mirrored`, faces turn the other way.
pub(super) fn read(bytes: &[u8], mirrored: bool) -> Result<RawMesh, Fault> {
    if bytes.len() < HEADER {
        let length = bytes.len();
        return Err(fault(
            format!("it has {length} bytes, fewer than a header of {HEADER}"),
            bytes,
        ));
    }
    let (header, body) = bytes.split_at(HEADER);
    let count = u32::from_le_bytes([header[80], header[81], header[82], header[83]]) as usize;
    if count == 0 || count > MAX_FACES {
        let message = format!("its header says {count} faces, not between 1 and {MAX_FACES}");
        return Err(fault(message, bytes));
    }
    if body.len() != TRIANGLE * count {
        let (need, have) = (HEADER + TRIANGLE * count, bytes.len());
        let message =
            format!("its header says {count} faces, which take {need} bytes, but it has {have}");
        return Err(fault(message, bytes));
    }

    let mut merger = Merger::new(count);
    let mut face = Vec::with_capacity(3 * count);
    for (at, triangle) in body.as_chunks::<TRIANGLE>().0.iter().enumerate() {
        let corner = |k: usize| -> [f32; 3] {
            let number = |i: usize| {
                let at = 12 * (k + 1) + 4 * i;
                f32::from_le_bytes([
                    triangle[at],
                    triangle[at + 1],
                    triangle[at + 2],
                    triangle[at + 3],
                ])
            };
            [number(0), number(1), number(2)]
        };
        let corners = [corner(0), corner(1), corner(2)];
        if let Some(x) = corners.as_flattened().iter().find(|x| x.is_nan() || x.abs() > MAX) {
            let message = format!("face {at} has a coordinate that is not usable: {x}");
            return Err(Fault::new(message).help(format!("coordinates run up to {MAX}")));
        }
        let [a, b, c] = corners.map(|corner| merger.vertex(corner));
        face.extend(if mirrored { [a, c, b] } else { [a, b, c] });
    }
    Ok(RawMesh { vert: merger.vert, face, ..RawMesh::default() })
}

fn fault(message: String, bytes: &[u8]) -> Fault {
    let help = if bytes.trim_ascii_start().starts_with(b"solid") {
        "it seems to be a text file: convert it to binary STL"
    } else {
        "it must be a binary STL file"
    };
    Fault::new(message).help(help)
}

/// Finds vertices that are at the same place: a hash table with open addressing.
struct Merger {
    vert: Vec<f32>,
    /// Numbers of vertices, −1 where free; the length is a power of two.
    table: Vec<i32>,
}

impl Merger {
    /// A closed mesh has half as many vertices as faces.
    fn new(faces: usize) -> Merger {
        Merger {
            vert: Vec::with_capacity(3 * faces / 2 + 12),
            table: vec![-1; (2 * faces).next_power_of_two()],
        }
    }

    /// The number of the vertex at the given place.
    fn vertex(&mut self, v: [f32; 3]) -> i32 {
        let mask = self.table.len() - 1;
        let mut slot = hash(v) & mask;
        while self.table[slot] >= 0 {
            let at = 3 * self.table[slot] as usize;
            if self.vert[at..at + 3] == v {
                return self.table[slot];
            }
            slot = (slot + 1) & mask;
        }
        let new = (self.vert.len() / 3) as i32;
        self.table[slot] = new;
        self.vert.extend(v);
        if 2 * self.vert.len() / 3 > self.table.len() {
            self.grow();
        }
        new
    }

    fn grow(&mut self) {
        let mask = 2 * self.table.len() - 1;
        self.table = vec![-1; mask + 1];
        for (id, &v) in self.vert.as_chunks().0.iter().enumerate() {
            let mut slot = hash(v) & mask;
            while self.table[slot] >= 0 {
                slot = (slot + 1) & mask;
            }
            self.table[slot] = id as i32;
        }
    }
}

/// Mixes the bits of a place. Both zeros are the same place.
#[inline]
fn hash(v: [f32; 3]) -> usize {
    let [x, y, z] = v.map(|x| u64::from((x + 0.0).to_bits()));
    let mixed = (x ^ (y << 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ z;
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of triangles.
    fn file(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            bytes.extend(triangle.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const A: [f32; 3] = [0.0, 0.0, 0.0];
    const B: [f32; 3] = [1.0, 0.0, 0.0];
    const C: [f32; 3] = [0.0, 1.0, 0.0];
    const D: [f32; 3] = [-0.0, 0.0, 1.0];

    #[test]
    fn corners_at_the_same_place_are_one_vertex() {
        let negative = [-0.0, 0.0, -0.0];
        let raw = read(&file(&[[A, C, B], [negative, B, D]]), false).unwrap();
        assert_eq!(raw.face, [0, 1, 2, 0, 2, 3]);
        assert_eq!(raw.vert.len(), 12);
        // the first spelling is kept
        assert!(raw.vert[..3].iter().all(|x| x.is_sign_positive()));
        assert!(raw.vert[9].is_sign_negative());
    }

    #[test]
    fn a_mirrored_mesh_turns_its_faces_but_not_its_numbers() {
        let raw = read(&file(&[[A, B, C]]), true).unwrap();
        assert_eq!(raw.face, [0, 2, 1]);
        assert_eq!(raw.vert[3..6], B);
    }

    #[test]
    fn many_vertices_are_told_apart() {
        let place = |i: usize| [i as f32, (i * i % 97) as f32, -(i as f32) / 3.0];
        let triangles: Vec<_> =
            (0..5000).map(|i| [place(3 * i), place(3 * i + 1), place(3 * i + 2)]).collect();
        let raw = read(&file(&triangles), false).unwrap();
        assert_eq!(raw.face, (0..15_000).collect::<Vec<_>>());
        assert_eq!(raw.vert, triangles.as_flattened().as_flattened());
    }

    #[test]
    fn headers_that_lie_are_errors() {
        let good = file(&[[A, B, C], [A, C, D]]);
        let message = |bytes: &[u8]| read(bytes, false).unwrap_err().message;
        assert_eq!(message(b""), "it has 0 bytes, fewer than a header of 84");
        assert!(message(&good[..good.len() - 1]).contains("take 184 bytes, but it has 183"));
        let mut lying = good.clone();
        lying[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(message(&lying).contains("4294967295 faces"));
        lying[80..84].copy_from_slice(&0u32.to_le_bytes());
        assert!(message(&lying).contains("0 faces"));
        let text =
            b"solid cube\n facet normal 0 0 0\n  outer loop\n vertex 0 0 0 \n vertex 0 0 1\n";
        let help = read(text, false).unwrap_err().help.unwrap();
        assert!(help.contains("text file"));
    }

    #[test]
    fn coordinates_that_are_no_numbers_are_errors() {
        for bad in [f32::NAN, f32::INFINITY, 2e9] {
            let error = read(&file(&[[A, B, C], [A, [0.0, bad, 0.0], D]]), false).unwrap_err();
            assert!(error.message.starts_with("face 1 has a coordinate"), "{}", error.message);
        }
    }
}

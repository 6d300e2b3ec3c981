//! MSH: a binary format of MuJoCo.

use super::mesh::{Fault, RawMesh};

/// Bytes of the header: numbers of vertices, normals, texture coordinates and faces.
const HEADER: usize = 16;

/// Reads a mesh. With `mirrored`, faces turn the other way; their normals and texture coordinates
/// stay where they were.
pub(super) fn read(bytes: &[u8], mirrored: bool) -> Result<RawMesh, Fault> {
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        let length = bytes.len();
        return Err(Fault::new(format!("it has {length} bytes, fewer than a header of {HEADER}")));
    };
    let [nvert, nnormal, ntexcoord, nface] = std::array::from_fn(|i| {
        i64::from(i32::from_le_bytes(std::array::from_fn(|k| header[4 * i + k])))
    });
    let per_vertex = |n: i64| n == 0 || n == nvert;
    if nvert < 4 || nface < 0 || !per_vertex(nnormal) || !per_vertex(ntexcoord) {
        let message = format!(
            "its header says {nvert} vertices, {nnormal} normals, {ntexcoord} texture \
             coordinates and {nface} faces"
        );
        return Err(Fault::new(message).help(
            "at least 4 vertices are needed, and as many normals and texture coordinates as \
             vertices, or none; other formats have the extension .msh, too",
        ));
    }
    let words = 3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface;
    let need = HEADER as i64 + 4 * words;
    if bytes.len() as i64 != need {
        let have = bytes.len();
        let message = format!("its header asks for {need} bytes, but it has {have}");
        return Err(Fault::new(message));
    }

    let mut words = body.as_chunks::<4>().0.iter();
    let mut floats = |count: i64| -> Vec<f32> {
        words.by_ref().take(count as usize).map(|word| f32::from_le_bytes(*word)).collect()
    };
    let vert = floats(3 * nvert);
    let normal = floats(3 * nnormal);
    let texcoord = floats(2 * ntexcoord);
    let indices: Vec<i32> = words.map(|word| i32::from_le_bytes(*word)).collect();
    let mut face = indices.clone();
    if mirrored {
        face.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
    }
    let facetexcoord = if texcoord.is_empty() { Vec::new() } else { indices.clone() };
    let facenormal = indices;
    Ok(RawMesh { vert, normal, texcoord, face, facenormal, facetexcoord, ..RawMesh::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: [i32; 4], floats: &[f32], faces: &[i32]) -> Vec<u8> {
        let header = header.iter().flat_map(|x| x.to_le_bytes());
        let floats = floats.iter().flat_map(|x| x.to_le_bytes());
        header.chain(floats).chain(faces.iter().flat_map(|x| x.to_le_bytes())).collect()
    }

    #[test]
    fn corners_keep_their_normals_when_faces_turn() {
        let floats: Vec<f32> = (0..32).map(|i| i as f32).collect();
        let raw = read(&file([4, 4, 4, 1], &floats, &[0, 1, 2]), true).unwrap();
        assert_eq!(raw.vert, floats[..12]);
        assert_eq!(raw.normal, floats[12..24]);
        assert_eq!(raw.texcoord, floats[24..]);
        assert_eq!((&raw.face[..], &raw.facenormal[..]), (&[0, 2, 1][..], &[0, 1, 2][..]));
        assert_eq!(raw.facetexcoord, [0, 1, 2]);
    }

    #[test]
    fn headers_that_lie_are_errors() {
        let floats = [0.0; 12];
        assert!(read(&file([4, 0, 0, 0], &floats, &[]), false).is_ok());
        for header in [
            [3, 0, 0, 0],
            [4, 3, 0, 0],
            [4, 0, 5, 0],
            [4, 0, 0, -1],
            [4, 0, 0, 1],
            [i32::MAX, i32::MAX, i32::MAX, i32::MAX],
            [i32::MIN, 0, 0, 0],
        ] {
            assert!(read(&file(header, &floats, &[]), false).is_err(), "{header:?}");
        }
        assert!(read(&[0; 15], false).is_err());
    }
}

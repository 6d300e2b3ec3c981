//! Gmsh: points and elements of versions 4.1 and 2.2, as text or binary.

use sim_core::math::Vec3;

use super::mesh::Fault;

/// Points and elements at most.
const MAX_COUNT: usize = 1 << 22;

/// Points, and the elements of one dimension over them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Gmsh {
    pub dim: usize,
    pub points: Vec<Vec3>,
    /// Points of the elements, dimension + 1 each, counted from zero.
    pub elements: Vec<i32>,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8]) -> Result<Gmsh, Fault> {
    let Some(rest) = bytes.strip_prefix(b"$MeshFormat") else {
        return Err(Fault::new("it does not begin with $MeshFormat")
            .help("it must be a Gmsh file of version 4.1 or 2.2"));
    };
    let mut header = Tokens { rest };
    let version: f64 = header.next("version")?;
    let binary: i32 = header.next("file type")?;
    let nodes = section(bytes, "$Nodes", "$EndNodes")?;
    let elements = section(bytes, "$Elements", "$EndElements")?;
    match ((100.0 * version).round(), binary) {
        (410.0, 0) => text_41(Tokens { rest: nodes }, Tokens { rest: elements }),
        (410.0, _) => binary_41(Bytes { rest: nodes }, Bytes { rest: elements }),
        (220.0, 0) => text_22(Tokens { rest: nodes }, Tokens { rest: elements }),
        (220.0, _) => binary_22(nodes, elements),
        _ => Err(Fault::new(format!("version {version} of Gmsh files is not supported"))
            .help("save it as version 4.1 or 2.2")),
    }
}

/// What is between two marks, after the end of the line of the first.
fn section<'a>(bytes: &'a [u8], begin: &str, end: &str) -> Result<&'a [u8], Fault> {
    let find = |mark: &str| bytes.windows(mark.len()).position(|part| part == mark.as_bytes());
    let Some(first) = find(begin) else {
        return Err(Fault::new(format!("it has no {begin}")));
    };
    let first = first + begin.len() + 1;
    match find(end) {
        Some(last) if last >= first => Ok(&bytes[first..last]),
        _ => Err(Fault::new(format!("it has no {end} after {begin}"))),
    }
}

fn check_count(what: &str, count: u64) -> Result<usize, Fault> {
    match usize::try_from(count) {
        Ok(count) if count <= MAX_COUNT => Ok(count),
        _ => Err(Fault::new(format!("{count} {what} are too many: the limit is {MAX_COUNT}"))),
    }
}

/// Numbers as text, separated by spaces.
struct Tokens<'a> {
    rest: &'a [u8],
}

impl Tokens<'_> {
    fn next<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Fault> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err(Fault::new(format!("a section ends where a {what} should be")));
        }
        let word = std::str::from_utf8(word).unwrap_or("");
        word.parse().map_err(|_| Fault::new(format!("'{word}' is no {what}")))
    }
}

impl Tokens<'_> {
    /// A number on a line of its own.
    fn count(&mut self, what: &str) -> Result<usize, Fault> {
        let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
        let line = self.rest[..end].trim_ascii();
        if !line.iter().all(u8::is_ascii_digit) {
            return Err(Fault::new(format!("it does not say how many {what} it has")));
        }
        check_count(what, self.next(&format!("number of {what}"))?)
    }
}

/// Binary numbers, the least significant byte first.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let Some((first, rest)) = self.rest.split_first_chunk::<N>() else {
            return Err(Fault::new("a section is too short for what it says to have"));
        };
        self.rest = rest;
        Ok(*first)
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn i32(&mut self) -> Result<i32, Fault> {
        Ok(i32::from_le_bytes(self.take()?))
    }

    fn f64(&mut self) -> Result<f64, Fault> {
        Ok(f64::from_le_bytes(self.take()?))
    }

    fn point(&mut self) -> Result<Vec3, Fault> {
        Ok(Vec3::new(self.f64()?, self.f64()?, self.f64()?))
    }
}

/// Headers of the sections of version 4.1.
struct Header {
    blocks: u64,
    count: u64,
    first: u64,
    last: u64,
    dim: i32,
    /// Type of elements.
    kind: i32,
    in_block: u64,
}

impl Header {
    fn text(tokens: &mut Tokens<'_>) -> Result<Header, Fault> {
        let what = "number of the header";
        let [blocks, count, first, last] = [0; 4].map(|_| tokens.next(what));
        let (blocks, count, first, last) = (blocks?, count?, first?, last?);
        let dim = tokens.next(what)?;
        let _tag: i32 = tokens.next(what)?;
        let kind = tokens.next(what)?;
        Ok(Header { blocks, count, first, last, dim, kind, in_block: tokens.next(what)? })
    }

    fn binary(bytes: &mut Bytes<'_>) -> Result<Header, Fault> {
        let [blocks, count, first, last] = [0; 4].map(|_| bytes.u64());
        let (blocks, count, first, last) = (blocks?, count?, first?, last?);
        let dim = bytes.i32()?;
        let _tag = bytes.i32()?;
        let kind = bytes.i32()?;
        Ok(Header { blocks, count, first, last, dim, kind, in_block: bytes.u64()? })
    }

    /// Checks the header of nodes; returns the dimension and how many there are.
    fn nodes(&self, text: bool) -> Result<(usize, usize), Fault> {
        if self.blocks != 1 || self.count != self.in_block {
            return Err(Fault::new("its nodes are not in a single block"));
        }
        if text && self.last != self.in_block {
            return Err(Fault::new("the largest tag of its nodes is not their number"));
        }
        if !(1..=3).contains(&self.dim) {
            return Err(Fault::new(format!("its entity has {} dimensions", self.dim)));
        }
        Ok((self.dim as usize, check_count("nodes", self.count)?))
    }

    /// Checks the header of elements; returns how many there are.
    fn elements(&self, dim: usize) -> Result<usize, Fault> {
        if self.blocks != 1 || self.count != self.in_block {
            return Err(Fault::new("its elements are not in a single block"));
        }
        if self.dim != dim as i32 {
            return Err(Fault::new("its elements have another dimension than its nodes"));
        }
        if self.kind != [1, 2, 4][dim - 1] {
            let message = format!("elements of type {} do not have {dim} dimensions", self.kind);
            return Err(Fault::new(message).help("lines, triangles and tetrahedra are read"));
        }
        check_count("elements", self.count)
    }
}

const SEQUENCE: &str = "the tags of its nodes do not follow each other";

/// The index of a node.
fn index(tag: u64, first: u64, count: usize) -> Result<i32, Fault> {
    match tag.checked_sub(first) {
        Some(index) if index < count as u64 => Ok(index as i32),
        _ => Err(Fault::new(format!("an element has node {tag}, which is not there"))),
    }
}

fn text_41(mut nodes: Tokens<'_>, mut elements: Tokens<'_>) -> Result<Gmsh, Fault> {
    let header = Header::text(&mut nodes)?;
    let (dim, count) = header.nodes(true)?;
    let mut gmsh = Gmsh { dim, ..Gmsh::default() };
    for i in 0..count as u64 {
        if nodes.next::<u64>("tag of a node")? != header.first.saturating_add(i) {
            return Err(Fault::new(SEQUENCE));
        }
    }
    for _ in 0..count {
        let [x, y, z] = [0; 3].map(|_| nodes.next("coordinate"));
        gmsh.points.push(Vec3::new(x?, y?, z?));
    }
    let first = header.first;
    for _ in 0..Header::text(&mut elements)?.elements(dim)? {
        let _tag: u64 = elements.next("tag of an element")?;
        for _ in 0..=dim {
            gmsh.elements.push(index(elements.next("tag of a node")?, first, count)?);
        }
    }
    Ok(gmsh)
}

fn binary_41(mut nodes: Bytes<'_>, mut elements: Bytes<'_>) -> Result<Gmsh, Fault> {
    let header = Header::binary(&mut nodes)?;
    let (dim, count) = header.nodes(false)?;
    let mut gmsh = Gmsh { dim, ..Gmsh::default() };
    for i in 0..count as u64 {
        if nodes.u64()? != header.first.saturating_add(i) {
            return Err(Fault::new(SEQUENCE));
        }
    }
    for _ in 0..count {
        gmsh.points.push(nodes.point()?);
    }
    for _ in 0..Header::binary(&mut elements)?.elements(dim)? {
        let _tag = elements.u64()?;
        for _ in 0..=dim {
            gmsh.elements.push(index(elements.u64()?, header.first, count)?);
        }
    }
    Ok(gmsh)
}

/// The dimension of a type of elements of version 2.2.
fn dim_22(kind: i32) -> Result<usize, Fault> {
    match kind {
        2 => Ok(2),
        4 => Ok(3),
        kind => Err(Fault::new(format!("elements of type {kind} are not supported"))
            .help("triangles and tetrahedra are")),
    }
}

fn text_22(mut nodes: Tokens<'_>, mut elements: Tokens<'_>) -> Result<Gmsh, Fault> {
    let count = nodes.count("nodes")?;
    let mut gmsh = Gmsh::default();
    for _ in 0..count {
        let _tag: u64 = nodes.next("tag of a node")?;
        let [x, y, z] = [0; 3].map(|_| nodes.next("coordinate"));
        gmsh.points.push(Vec3::new(x?, y?, z?));
    }
    for i in 0..elements.count("elements")? {
        let _tag: i64 = elements.next("tag of an element")?;
        let kind: i32 = elements.next("type of an element")?;
        let tags: i32 = elements.next("number of tags")?;
        // the first says what all are
        if i == 0 {
            gmsh.dim = dim_22(kind)?;
        }
        if tags > 0 {
            let _physical: i64 = elements.next("tag of an entity")?;
            let _elementary: i64 = elements.next("tag of an entity")?;
        }
        for _ in 0..=gmsh.dim {
            gmsh.elements.push(index(elements.next("tag of a node")?, 1, count)?);
        }
    }
    Ok(gmsh)
}

/// A number as text on a line of its own, then what follows.
fn counted<'a>(bytes: &'a [u8], what: &str) -> Result<(usize, Bytes<'a>), Fault> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&bytes[..digits]).ok().and_then(|text| text.parse().ok());
    let Some(count) = number else {
        return Err(Fault::new(format!("it does not say how many {what} it has")));
    };
    let rest = bytes.get(digits + 1..).unwrap_or(&[]);
    Ok((check_count(what, count)?, Bytes { rest }))
}

fn binary_22(nodes: &[u8], elements: &[u8]) -> Result<Gmsh, Fault> {
    let (count, mut nodes) = counted(nodes, "nodes")?;
    let mut gmsh = Gmsh::default();
    for _ in 0..count {
        let _tag = nodes.i32()?;
        gmsh.points.push(nodes.point()?);
    }
    let (total, mut elements) = counted(elements, "elements")?;
    let mut bare = false;
    for i in 0..total {
        // elements with tags have a header each, those without have one together
        if i == 0 || !bare {
            let kind = elements.i32()?;
            let _following = elements.i32()?;
            let tags = elements.i32()?;
            if i == 0 {
                gmsh.dim = dim_22(kind)?;
                bare = tags <= 0;
            }
        }
        let _tag = elements.i32()?;
        if !bare {
            let _entities = [elements.i32()?, elements.i32()?];
        }
        for _ in 0..=gmsh.dim {
            let tag = elements.i32()?;
            gmsh.elements.push(index(u64::try_from(tag).unwrap_or(0), 1, count)?);
        }
    }
    Ok(gmsh)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [f64; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

    fn expected() -> Gmsh {
        let points = TETRAHEDRON.as_chunks::<3>().0.iter();
        let points = points.map(|&[x, y, z]| Vec3::new(x, y, z)).collect();
        Gmsh { dim: 3, points, elements: vec![0, 1, 2, 3] }
    }

    fn file(version: &str, nodes: &[u8], elements: &[u8]) -> Vec<u8> {
        let head = format!("$MeshFormat\n{version} 8\n$EndMeshFormat\n$Nodes\n");
        let middle = b"\n$EndNodes\n$Elements\n";
        [head.as_bytes(), nodes, middle, elements, b"\n$EndElements\n"].concat()
    }

    fn numbers(parts: &[&dyn Fn() -> Vec<u8>]) -> Vec<u8> {
        parts.iter().flat_map(|part| part()).collect()
    }

    fn ints(values: &[i32]) -> Vec<u8> {
        values.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn longs(values: &[u64]) -> Vec<u8> {
        values.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    fn doubles(values: &[f64]) -> Vec<u8> {
        values.iter().flat_map(|x| x.to_le_bytes()).collect()
    }

    #[test]
    fn both_versions_are_read_as_text_and_as_bytes() {
        let text = file(
            "4.1 0",
            b"1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1",
            b"1 1 1 1\n3 1 4 1\n1 1 2 3 4",
        );
        assert_eq!(read(&text), Ok(expected()));
        let nodes = numbers(&[
            &|| longs(&[1, 4, 1, 4]),
            &|| ints(&[3, 1, 0]),
            &|| longs(&[4, 1, 2, 3, 4]),
            &|| doubles(&TETRAHEDRON),
        ]);
        let elements = numbers(&[&|| longs(&[1, 1, 1, 1]), &|| ints(&[3, 1, 4]), &|| {
            longs(&[1, 1, 1, 2, 3, 4])
        }]);
        assert_eq!(read(&file("4.1 1", &nodes, &elements)), Ok(expected()));

        let text = file("2.2 0", b"4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1", b"1\n1 4 2 0 1 1 2 3 4");
        assert_eq!(read(&text), Ok(expected()));
        let mut nodes = b"4\n".to_vec();
        for (i, point) in TETRAHEDRON.as_chunks::<3>().0.iter().enumerate() {
            nodes.extend(ints(&[i as i32 + 1]));
            nodes.extend(doubles(point));
        }
        let tagged = [b"1\n".to_vec(), ints(&[4, 1, 2, 1, 0, 1, 1, 2, 3, 4])].concat();
        assert_eq!(read(&file("2.2 1", &nodes, &tagged)), Ok(expected()));
        let bare = [b"1\n".to_vec(), ints(&[4, 1, 0, 1, 1, 2, 3, 4])].concat();
        assert_eq!(read(&file("2.2 1", &nodes, &bare)), Ok(expected()));
    }

    #[test]
    fn files_that_are_not_what_they_say_are_errors() {
        for (bytes, part) in [
            (b"solid".to_vec(), "$MeshFormat"),
            (b"$MeshFormat\n4.1 0 8\n".to_vec(), "$Nodes"),
            (b"$MeshFormat\n4.1 0 8\n$Nodes\n".to_vec(), "$EndNodes"),
            (file("3.0 0", b"", b""), "version 3"),
            (file("4.1 0", b"2 4 1 4\n3 1 0 4\n", b""), "single block"),
            (file("4.1 0", b"1 4 1 4\n3 1 0 4\n1 2 4 3", b""), "follow each other"),
            (file("4.1 1", b"abc", b""), "too short"),
            (file("2.2 0", b"99999999999", b""), "too many"),
            (file("2.2 0", b"1\n1 0 0 0", b"1\n1 4 0 1 1 1 2"), "node 2"),
            (file("2.2 0", b"1\n1 0 0 0", b"1\n1 5 0 1"), "type 5"),
            (file("2.2 1", b"", b""), "how many nodes"),
        ] {
            let fault = read(&bytes).unwrap_err();
            assert!(fault.message.contains(part), "{}", fault.message);
        }
    }
}

//! OBJ: text files of vertices and polygons.
//!
//! Read as tinyobjloader does, which the reference uses: the first object or group that has faces
//! gives the faces, all vertices are kept, polygons are cut into triangles. Lines of other kinds
//! are skipped.

use super::mesh::{Fault, RawMesh};

/// Corners of a polygon at most: larger ones are left out, as in the reference.
const MAX_CORNERS: usize = 100;

/// Reads a mesh. With `mirrored`, faces turn the other way.
pub(super) fn read(bytes: &[u8], mirrored: bool) -> Result<RawMesh, Fault> {
    let mut reader = Reader::default();
    let mut line_number = 0;
    let mut rest = bytes;
    while !rest.is_empty() {
        line_number += 1;
        let end = line_end(rest);
        reader.line(Cursor(&rest[..end])).map_err(|reason| {
            Fault::new(format!("line {line_number}: {reason}"))
                .help("indices start at 1, or at -1 from the last vertex backwards")
        })?;
        let ending = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = &rest[(end + ending).min(rest.len())..];
    }
    reader.finish(mirrored)
}

/// Where the first line of a text ends. Eight bytes are looked at at a time.
#[inline]
fn line_end(text: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // the lowest bit that is set belongs to the first byte that is `byte`
    let marks = |word: u64, byte: u8| {
        let zero_if_equal = word ^ (ONES * u64::from(byte));
        zero_if_equal.wrapping_sub(ONES) & !zero_if_equal & (ONES << 7)
    };
    let (words, rest) = text.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = marks(word, b'\n') | marks(word, b'\r');
        if found != 0 {
            return 8 * at + found.trailing_zeros() as usize / 8;
        }
    }
    let end = rest.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
    text.len() - rest.len() + end
}

/// Vertex, texture coordinate and normal of a corner; −1 where it has none.
type Corner = [i32; 3];

#[derive(Debug, Default)]
struct Reader {
    vert: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    /// Corners of the polygons of the present shape, and how many each has.
    corners: Vec<Corner>,
    counts: Vec<usize>,
    /// Whether the shape has lines or points.
    thin: bool,
    /// Triangles of the first shape, once it has ended.
    triangles: Option<Vec<Corner>>,
}

impl Reader {
    fn line(&mut self, mut line: Cursor<'_>) -> Result<(), String> {
        line.skip_space();
        match (line.at(0), line.at(1)) {
            (b'v', b' ' | b'\t') => {
                line.skip(2);
                self.vert.extend([line.number(), line.number(), line.number()]);
            }
            (b'v', b'n') if is_space(line.at(2)) => {
                line.skip(3);
                self.normal.extend([line.number(), line.number(), line.number()]);
            }
            (b'v', b't') if is_space(line.at(2)) => {
                line.skip(3);
                self.texcoord.extend([line.number(), line.number()]);
            }
            (b'f', b' ' | b'\t') => {
                line.skip(2);
                line.skip_space();
                let before = self.corners.len();
                self.polygon(line)?;
                if self.triangles.is_some() {
                    self.corners.truncate(before);
                } else {
                    self.counts.push(self.corners.len() - before);
                }
            }
            (b'l' | b'p', b' ' | b'\t') => {
                line.skip(2);
                let before = self.corners.len();
                self.polygon(line)?;
                self.corners.truncate(before);
                self.thin = true;
            }
            (kind @ (b'o' | b'g'), b' ' | b'\t') => self.end_shape(kind == b'o'),
            _ => {}
        }
        Ok(())
    }

    /// Reads the corners of a polygon.
    fn polygon(&mut self, mut line: Cursor<'_>) -> Result<(), String> {
        let nvert = (self.vert.len() / 3) as i32;
        let nnormal = (self.normal.len() / 3) as i32;
        let ntexcoord = (self.texcoord.len() / 2) as i32;
        while line.at(0) != 0 {
            let mut corner = [line.index(nvert)?, -1, -1];
            if line.take_slash() {
                if line.take_slash() {
                    corner[2] = line.index(nnormal)?;
                } else {
                    corner[1] = line.index(ntexcoord)?;
                    if line.take_slash() {
                        corner[2] = line.index(nnormal)?;
                    }
                }
            }
            self.corners.push(corner);
            line.skip_space();
        }
        Ok(())
    }

    /// Ends an object or group. Where it has faces, it is the first shape; an object is one, too, if
    /// it has lines or points.
    fn end_shape(&mut self, object: bool) {
        if self.triangles.is_some() {
            return;
        }
        let triangles = self.triangulate();
        if !triangles.is_empty() || object && self.thin {
            self.triangles = Some(triangles);
        }
        self.corners.clear();
        self.counts.clear();
        self.thin = false;
    }

    /// Cuts the polygons of the present shape into triangles.
    fn triangulate(&mut self) -> Vec<Corner> {
        if self.counts.iter().all(|&count| count == 3) {
            return std::mem::take(&mut self.corners);
        }
        let (vert, _) = self.vert.as_chunks();
        let mut triangles = Vec::with_capacity(self.corners.len());
        let mut rest = &self.corners[..];
        let mut ears = Ears::default();
        for &count in &self.counts {
            let (polygon, after) = rest.split_at(count);
            rest = after;
            match count {
                3 => triangles.extend(polygon),
                4..=MAX_CORNERS => ears.clip(vert, polygon, &mut triangles),
                _ => {}
            }
        }
        triangles
    }

    fn finish(mut self, mirrored: bool) -> Result<RawMesh, Fault> {
        if self.triangles.is_none() {
            self.triangles = Some(self.triangulate());
        }
        let mut triangles = self.triangles.unwrap_or_default();
        if mirrored {
            triangles.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        // images start at the top, texture coordinates at the bottom
        self.texcoord.as_chunks_mut().0.iter_mut().for_each(|[_, v]| *v = 1.0 - *v);
        let column = |wanted: bool, i: usize| -> Vec<i32> {
            if wanted { triangles.iter().map(|corner| corner[i]).collect() } else { Vec::new() }
        };
        Ok(RawMesh {
            face: column(true, 0),
            facetexcoord: column(!self.texcoord.is_empty(), 1),
            facenormal: column(!self.normal.is_empty(), 2),
            vert: self.vert,
            normal: self.normal,
            texcoord: self.texcoord,
            loose_texcoord: true,
        })
    }
}

/// Cuts polygons into triangles by clipping ears (Meisters 1975).
#[derive(Debug, Default)]
struct Ears {
    left: Vec<Corner>,
}

impl Ears {
    /// Adds the triangles of a polygon of at least three corners; what has no ear is dropped.
    fn clip(&mut self, vert: &[[f32; 3]], polygon: &[Corner], triangles: &mut Vec<Corner>) {
        let place = |corner: Corner| usize::try_from(corner[0]).ok().and_then(|v| vert.get(v));
        let axes = axes(polygon, place);
        let flat = |corner: Corner| place(corner).map(|v| axes.map(|axis| v[axis]));
        let area = area(polygon, flat);

        self.left.clear();
        self.left.extend(polygon);
        let (mut start, mut tries, mut before) = (0, polygon.len(), polygon.len());
        while self.left.len() > 3 && tries > 0 {
            let count = self.left.len();
            if start >= count {
                start -= count;
            }
            if before != count {
                (before, tries) = (count, count);
            } else {
                tries -= 1;
            }
            let corner = |k: usize| self.left[(start + k) % count];
            let ear = [corner(0), corner(1), corner(2)];
            let [a, b, c] = ear.map(|corner| flat(corner).unwrap_or_default());
            let cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
            let reflex = cross * area < 0.0;
            let inside = |k| flat(corner(k)).is_some_and(|point| contains([a, b, c], point));
            if reflex || (3..count).any(inside) {
                start += 1;
                continue;
            }
            triangles.extend(ear);
            self.left.remove((start + 1) % count);
        }
        if let [a, b, c] = self.left[..] {
            triangles.extend([a, b, c]);
        }
    }
}

/// The two axes of the plane that a polygon is projected on, by its first corner that bends.
fn axes<'v>(polygon: &[Corner], place: impl Fn(Corner) -> Option<&'v [f32; 3]>) -> [usize; 2] {
    let count = polygon.len();
    for k in 0..count {
        let corner = |i: usize| place(polygon[(k + i) % count]);
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else { continue };
        let e: [f32; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let f: [f32; 3] = std::array::from_fn(|i| c[i] - b[i]);
        let x = (e[1] * f[2] - e[2] * f[1]).abs();
        let y = (e[2] * f[0] - e[0] * f[2]).abs();
        let z = (e[0] * f[1] - e[1] * f[0]).abs();
        if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
            return match () {
                () if x > y && x > z => [1, 2],
                () if z > x && z > y => [0, 1],
                () => [0, 2],
            };
        }
    }
    [1, 2]
}

/// The signed area of a projected polygon.
fn area(polygon: &[Corner], flat: impl Fn(Corner) -> Option<[f32; 2]>) -> f32 {
    let mut area = 0.0;
    for k in 0..polygon.len() {
        let ends = (flat(polygon[k]), flat(polygon[(k + 1) % polygon.len()]));
        if let (Some(a), Some(b)) = ends {
            area += (a[0] * b[1] - a[1] * b[0]) * 0.5;
        }
    }
    area
}

/// Whether a point is in a triangle: a ray from it crosses an odd number of sides.
fn contains(triangle: [[f32; 2]; 3], [x, y]: [f32; 2]) -> bool {
    let mut inside = false;
    for (i, j) in [(0, 2), (1, 0), (2, 1)] {
        let ([xi, yi], [xj, yj]) = (triangle[i], triangle[j]);
        if (yi > y) != (yj > y) && x < (xj - xi) * (y - yi) / (yj - yi) + xi {
            inside = !inside;
        }
    }
    inside
}

/// What is left of a line.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// The byte `i` places on; 0 after the end.
    #[inline]
    fn at(&self, i: usize) -> u8 {
        self.0.get(i).copied().unwrap_or(0)
    }

    #[inline]
    fn skip(&mut self, count: usize) {
        self.0 = &self.0[count.min(self.0.len())..];
    }

    #[inline]
    fn skip_space(&mut self) {
        while is_space(self.at(0)) {
            self.skip(1);
        }
    }

    fn take_slash(&mut self) -> bool {
        let slash = self.at(0) == b'/';
        self.skip(usize::from(slash));
        slash
    }

    /// Reads the index of one of `count` things, and turns it into one from zero. Indices that are
    /// out of range are left to later checks, zeros are errors.
    #[inline]
    fn index(&mut self, count: i32) -> Result<i32, String> {
        self.skip_space();
        let negative = self.at(0) == b'-';
        self.skip(usize::from(negative || self.at(0) == b'+'));
        let mut value = 0i64;
        while let digit @ b'0'..=b'9' = self.at(0) {
            value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
            self.skip(1);
        }
        while !matches!(self.at(0), 0 | b'/' | b' ' | b'\t') {
            self.skip(1);
        }
        let value = if negative { -value } else { value } as i32;
        match value {
            1.. => Ok(value - 1),
            0 => Err(String::from("an index is 0 or no number")),
            _ => Ok(count.wrapping_add(value)),
        }
    }

    /// Reads a number; 0 if there is none. Digits are added one by one in double precision, which
    /// decides the last bit.
    #[inline]
    fn number(&mut self) -> f32 {
        self.skip_space();
        let (value, used) = plain(self.0).unwrap_or_else(|| {
            let (value, used) = parse(self.0);
            (value as f32, used)
        });
        self.skip(used);
        while !matches!(self.at(0), 0 | b' ' | b'\t') {
            self.skip(1);
        }
        value
    }
}

/// Powers of a tenth.
const TENTHS: [f64; 24] = [
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14,
    1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22, 1e-23,
];

/// Powers of ten, which are exact.
const TENS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// Reads a decimal number without exponent as [`parse`] does, with fewer roundings, and tells how
/// many bytes it has. None if it is of another kind, or so near to the middle between two numbers of
/// single precision that the roundings may matter.
#[inline]
fn plain(text: &[u8]) -> Option<(f32, usize)> {
    let negative = text.first() == Some(&b'-');
    let digits = &text[usize::from(negative)..];
    let (mut integer, mut point, mut used) = (0u64, None, 0);
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            integer = integer.wrapping_mul(10).wrapping_add(digit.into());
        } else if byte == b'.' && point.is_none() {
            point = Some(used);
        } else {
            break;
        }
        used += 1;
    }
    // up to 15 digits and a point are exact, and other spellings are not known here
    let decimals = point.map_or(0, |point| used - point - 1);
    let after = digits.get(used).copied().unwrap_or(b' ');
    if used == 0 || used > 16 || point == Some(0) || !is_space(after) || decimals > 15 {
        return None;
    }
    let value = integer as f64 / TENS[decimals];
    // both ways err by a few units in the last place of double precision, 29 bits below single
    let below = value.to_bits() & 0x1FFF_FFFF;
    let from_middle = below.abs_diff(0x1000_0000);
    if from_middle < 256 || integer >= 1 << 53 {
        return None;
    }
    let value = value as f32;
    Some((if negative { -value } else { value }, used + usize::from(negative)))
}

/// Reads a decimal number and tells how many bytes it has; 0 if it is none.
#[inline]
fn parse(text: &[u8]) -> (f64, usize) {
    let byte = |i: usize| text.get(i).copied().unwrap_or(0);
    let digit = |i: usize| byte(i).wrapping_sub(b'0');
    let signed = matches!(byte(0), b'+' | b'-');
    let mut at = usize::from(signed);
    let mut mantissa = 0.0;
    if byte(at) != b'.' {
        let first = at;
        while digit(at) < 10 {
            mantissa = mantissa * 10.0 + f64::from(digit(at));
            at += 1;
        }
        if at == first {
            return (0.0, 0);
        }
    }
    if byte(at) == b'.' {
        at += 1;
        let point = at;
        while digit(at) < 10 {
            let place = at - point + 1;
            let tenth = match TENTHS.get(place) {
                Some(tenth) => *tenth,
                None => libm::pow(10.0, -(place as f64)),
            };
            mantissa += f64::from(digit(at)) * tenth;
            at += 1;
        }
    }
    let mut exponent = 0i32;
    if matches!(byte(at), b'e' | b'E') {
        let negative = byte(at + 1) == b'-';
        let first = at + 1 + usize::from(matches!(byte(at + 1), b'+' | b'-'));
        at = first;
        while digit(at) < 10 {
            exponent = exponent.saturating_mul(10).saturating_add(i32::from(digit(at)));
            at += 1;
        }
        if at == first {
            return (0.0, 0);
        }
        exponent = if negative { -exponent } else { exponent };
    }
    let magnitude = match exponent {
        0 => mantissa,
        _ => libm::ldexp(mantissa * power_of_five(exponent), exponent),
    };
    (if byte(0) == b'-' { -magnitude } else { magnitude }, at)
}

/// Computes 5ⁿ; small ones are exact, and their inverses rounded once.
fn power_of_five(n: i32) -> f64 {
    if n.abs() > 22 {
        return libm::pow(5.0, f64::from(n));
    }
    let power = (0..n.abs()).fold(1.0, |power, _| power * 5.0);
    if n < 0 { 1.0 / power } else { power }
}

#[inline]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(text: &str) -> Vec<i32> {
        read(text.as_bytes(), false).unwrap().face
    }

    /// A pentagon in a plane, and a point above.
    const PENTAGON: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nv 1 1 1\n";

    #[test]
    fn numbers_are_read_in_all_spellings() {
        for (text, value) in [
            ("1", 1.0),
            ("-1.5", -1.5),
            ("+.25", 0.25),
            ("-.5", -0.5),
            ("3.", 3.0),
            ("1e3", 1000.0),
            ("2.5E-1", 0.25),
            ("0.1", 0.1),
            ("1e+2", 100.0),
            ("x", 0.0),
            ("1e", 0.0),
            ("-", 0.0),
        ] {
            assert_eq!(parse(text.as_bytes()).0, value, "{text}");
        }
    }

    #[test]
    fn the_short_way_to_read_a_number_ends_at_the_same_one() {
        let mut state = 1u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % bound
        };
        let mut short = 0;
        for _ in 0..200_000 {
            let sign = ["", "-"][next(2) as usize];
            let size = next(5) as u32;
            let whole = next(10u64.pow(size));
            let places = next(12) as usize;
            let fraction = next(10u64.pow(places as u32).max(1));
            let text = format!("{sign}{whole}.{fraction:0places$}");
            let (long, used) = parse(text.as_bytes());
            if let Some((value, length)) = plain(text.as_bytes()) {
                assert_eq!((value.to_bits(), length), ((long as f32).to_bits(), used), "{text}");
                short += 1;
            }
        }
        assert!(short > 190_000, "{short}");
        for text in ["", "-", ".5", "1e3", "1.5x", "+1", "12345678901234567", "1.2.3"] {
            assert_eq!(plain(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn lines_end_at_either_character() {
        for text in ["", "abc", "abc\n", "abcdefgh\rij", "abcdefghijklmno\n\r", "\n"] {
            let expected = text.find(['\n', '\r']).unwrap_or(text.len());
            assert_eq!(line_end(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(line_end(b"\x0b\x0e\x8a\x8d\xff\x00\x01\x09\x0b\n"), 9);
    }

    #[test]
    fn corners_have_normals_and_texture_coordinates_of_their_own() {
        let text = "v 0 0 0\r\nv 1 0 0\r\n\tv 0 1 0\rv 0 0 1 0.5 0.5 0.5\nvt 0.25 0.25\nvn 0 0 1\n\
                    f 1/1/1 2//1 3/1\nf -1 -2 -3\n# the end";
        let raw = read(text.as_bytes(), false).unwrap();
        assert_eq!(raw.vert.len(), 12);
        assert_eq!(raw.texcoord, [0.25, 0.75]);
        assert_eq!(raw.face, [0, 1, 2, 3, 2, 1]);
        assert_eq!(raw.facetexcoord, [0, -1, 0, -1, -1, -1]);
        assert_eq!(raw.facenormal, [0, 0, -1, -1, -1, -1]);
        let mirrored = read(text.as_bytes(), true).unwrap();
        assert_eq!(mirrored.face, [0, 2, 1, 3, 1, 2]);
        assert_eq!(mirrored.facenormal, [0, -1, 0, -1, -1, -1]);
    }

    #[test]
    fn polygons_are_cut_into_triangles_and_lines_are_dropped() {
        let pentagon = format!("{PENTAGON}f 1 2 3 4 5\nf 1 2\n");
        assert_eq!(faces(&pentagon), [0, 1, 2, 0, 2, 3, 0, 3, 4]);
        // a corner that bends inwards is no ear
        let arrow = "v 0 0 0\nv 4 0 0\nv 1 1 0\nv 0 4 0\nf 1 2 3 4\n";
        let cut = faces(arrow);
        assert_eq!(cut.len(), 6);
        assert_eq!(cut[..3], [0, 1, 2]);
        let turned = "v 1 1 0\nv 0 4 0\nv 0 0 0\nv 4 0 0\nf 1 2 3 4\n";
        assert_eq!(faces(turned), [0, 1, 2, 0, 2, 3]);
        let hidden = "v 4 0 0\nv 1 1 0\nv 0 4 0\nv 0 0 0\nf 1 2 3 4\n";
        assert_eq!(faces(hidden), [1, 2, 3, 0, 1, 3]);
    }

    #[test]
    fn polygons_of_more_than_a_hundred_corners_are_left_out() {
        for (count, triangles) in [(100, 98), (101, 0)] {
            let angle = |i: i32| 2.0 * std::f64::consts::PI * f64::from(i) / f64::from(count);
            let vertices =
                (0..count).map(|i| format!("v {} {} 0\n", angle(i).cos(), angle(i).sin()));
            let corners = (1..=count).map(|i| format!(" {i}"));
            let text =
                format!("{}f{}\n", vertices.collect::<String>(), corners.collect::<String>());
            assert_eq!(faces(&text).len(), 3 * triangles);
        }
    }

    #[test]
    fn the_first_object_with_faces_gives_the_faces() {
        let text = format!("o empty\n{PENTAGON}g first\nf 1 2 3\no second\nf 1 2 4\nv 9 9 9\n");
        let raw = read(text.as_bytes(), false).unwrap();
        assert_eq!(raw.face, [0, 1, 2]);
        assert_eq!(raw.vert.len(), 21);
        assert!(faces(PENTAGON).is_empty());
    }

    #[test]
    fn an_index_of_zero_is_an_error_with_its_line() {
        for line in ["f 1 2 0", "f a b c", "f 1/0/1 2 3"] {
            let error = read(format!("v 0 0 0\n{line}\n").as_bytes(), false).unwrap_err();
            assert!(error.message.starts_with("line 2: an index is 0"), "{}", error.message);
        }
        // one that is too large is seen when the mesh is checked
        assert_eq!(faces("v 0 0 0\nf 7 -9 1\n"), [6, -8, 0]);
    }

    #[test]
    fn garbage_has_no_vertices() {
        assert_eq!(read(b"\x00\xff{garbage}\r\r\n\nvx 1 2\n", false).unwrap().vert, []);
    }
}

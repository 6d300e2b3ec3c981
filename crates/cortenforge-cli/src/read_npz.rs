//! Arrays from NumPy's files: `.npy`, and `.npz`, which is a zip archive of them.

/// An array that was read.
#[derive(Debug, PartialEq)]
pub(crate) struct Array {
    pub(crate) shape: Vec<usize>,
    pub(crate) content: Content,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Content {
    Numbers(Vec<f64>),
    Text(Vec<String>),
}

/// Most bytes that a member of an archive may unpack to.
const MOST_BYTES: usize = 1 << 28;

/// Reads the bytes of a `.npy` file.
pub(crate) fn npy(bytes: &[u8]) -> Result<Array, String> {
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or("not a .npy file")?;
    let (&[major, _], rest) = rest.split_first_chunk::<2>().ok_or(CUT)?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or(CUT)?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        _ => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or(CUT)?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
    };
    let (header, content) = rest.split_at_checked(length).ok_or(CUT)?;
    let header = std::str::from_utf8(header).map_err(|_| "the header is not text")?;
    if header.contains("'fortran_order': True") {
        return Err("the array is in Fortran order: save it with numpy.ascontiguousarray".into());
    }
    let kind = between(header, "'descr': '", "'").ok_or("the header has no simple type")?;
    let shape = between(header, "'shape': (", ")").ok_or("the header has no shape")?;
    let shape: Vec<usize> = shape
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty())
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(|_| "the shape is not made of numbers")?;
    let count = shape.iter().try_fold(1_usize, |n, &length| n.checked_mul(length));
    let count = count.ok_or("the array is too large")?;
    let content = match kind {
        "<f8" => Content::Numbers(numbers(content, count, f64::from_le_bytes)?),
        "<f4" => Content::Numbers(numbers(content, count, |x| f32::from_le_bytes(x).into())?),
        "<i8" => Content::Numbers(numbers(content, count, |x| i64::from_le_bytes(x) as f64)?),
        "<i4" => Content::Numbers(numbers(content, count, |x| i32::from_le_bytes(x).into())?),
        _ => match kind.strip_prefix("<U").and_then(|width| width.parse().ok()) {
            // strings without letters take no bytes, so that nothing bounds their number
            Some(0) => return Err("the strings of the array are of no length".into()),
            Some(width) => Content::Text(texts(content, count, width)?),
            None => return Err(format!("arrays of type '{kind}' cannot be read")),
        },
    };
    Ok(Array { shape, content })
}

const CUT: &str = "the file is cut off";

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let from = text.find(start)? + start.len();
    let length = text[from..].find(end)?;
    Some(&text[from..from + length])
}

fn numbers<const N: usize>(
    bytes: &[u8],
    count: usize,
    number: fn([u8; N]) -> f64,
) -> Result<Vec<f64>, String> {
    let (chunks, _) = bytes.as_chunks::<N>();
    let chunks = chunks.get(..count).ok_or(CUT)?;
    Ok(chunks.iter().map(|&chunk| number(chunk)).collect())
}

/// Strings of letters of four bytes.
fn texts(bytes: &[u8], count: usize, width: usize) -> Result<Vec<String>, String> {
    let (letters, _) = bytes.as_chunks::<4>();
    let letters = count.checked_mul(width).and_then(|n| letters.get(..n)).ok_or(CUT)?;
    let text = |letters: &[[u8; 4]]| {
        let letters = letters.iter().map(|&letter| u32::from_le_bytes(letter));
        letters.take_while(|&letter| letter != 0).filter_map(char::from_u32).collect()
    };
    Ok(letters.chunks(width).map(text).collect())
}

/// Reads one array out of the bytes of a `.npz` file; none if it is not there.
pub(crate) fn npz(bytes: &[u8], name: &str) -> Result<Option<Array>, String> {
    let file = format!("{name}.npy");
    match member(bytes, &file).ok_or("not a .npz file, or damaged")? {
        None => Ok(None),
        Some(packed) => {
            let unpacked = packed.unpack().ok_or_else(|| format!("'{file}' is damaged"))?;
            npy(&unpacked).map(Some).map_err(|error| format!("'{file}': {error}"))
        }
    }
}

/// A file in an archive.
struct Packed<'a> {
    method: u16,
    bytes: &'a [u8],
    checksum: u32,
}

impl Packed<'_> {
    fn unpack(&self) -> Option<Vec<u8>> {
        let bytes = match self.method {
            0 => self.bytes.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(self.bytes, MOST_BYTES).ok()?,
            _ => return None,
        };
        (crc32fast::hash(&bytes) == self.checksum).then_some(bytes)
    }
}

/// Finds a file through the directory of an archive; the outer option tells of damage.
fn member<'a>(bytes: &'a [u8], name: &str) -> Option<Option<Packed<'a>>> {
    let short = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    // the end of the directory, before a comment of at most 64 KiB
    let end = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let mut at = long(end + 16)? as usize;
    for _ in 0..short(end + 10)? {
        if bytes.get(at..at + 4)? != b"PK\x01\x02" {
            return None;
        }
        let (length, extra, comment) = (short(at + 28)?, short(at + 30)?, short(at + 32)?);
        let found = bytes.get(at + 46..at + 46 + usize::from(length))?;
        if found == name.as_bytes() {
            let (method, checksum) = (short(at + 10)?, long(at + 16)?);
            let (size, start) = (long(at + 20)? as usize, long(at + 42)? as usize);
            // archives beyond 4 GiB keep these numbers elsewhere
            if size == u32::MAX as usize || start == u32::MAX as usize {
                return None;
            }
            let from =
                start + 30 + usize::from(short(start + 26)?) + usize::from(short(start + 28)?);
            let bytes = bytes.get(from..from.checked_add(size)?)?;
            return Some(Some(Packed { method, bytes, checksum }));
        }
        at += 46 + usize::from(length) + usize::from(extra) + usize::from(comment);
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(kind: &str, shape: &str, content: &[u8]) -> Vec<u8> {
        let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(content);
        bytes
    }

    #[test]
    fn arrays_are_read() {
        let bytes = file("<f4", "(1, 2)", &[0, 0, 128, 63, 0, 0, 0, 64]);
        let expected = Array { shape: vec![1, 2], content: Content::Numbers(vec![1.0, 2.0]) };
        assert_eq!(npy(&bytes).unwrap(), expected);
        let bytes = file("<U2", "(2,)", b"a\0\0\0\0\0\0\0b\0\0\0c\0\0\0");
        let expected = Content::Text(vec!["a".into(), "bc".into()]);
        assert_eq!(npy(&bytes).unwrap().content, expected);
    }

    #[test]
    fn damage_is_an_error() {
        let whole = file("<f8", "(3,)", &[0; 24]);
        assert!(npy(&whole).is_ok());
        for length in 0..whole.len() {
            assert!(npy(&whole[..length]).is_err(), "{length}");
        }
        assert!(npy(&file("|O", "(1,)", &[0; 8])).unwrap_err().contains("'|O'"));
        assert!(npy(&file("<f8", "(99999999999, 99999999999)", &[])).is_err());
        assert!(npy(&file("<U0", "(99999999999,)", &[])).is_err());
        assert!(npz(b"PK\x05\x06", "ctrl").is_err());
        assert!(npz(&[0; 100], "ctrl").is_err());
    }
}

//! Models as bytes, in the layout of MuJoCo 3.5.0's MJB files.
//!
//! All numbers are little endian, without padding between the parts:
//!
//! | part | content |
//! |---|---|
//! | header | five `i32`: file id, bytes per real number, count of sizes, version, count of arrays |
//! | sizes | an `i64` per size, in the order of [`Model::SIZES`] |
//! | options | [`Options`](super::Options) and four bytes of padding |
//! | visual | the six records of [`Visual`](super::Visual) |
//! | statistic | [`Statistic`](super::Statistic) |
//! | arrays | the numbers of every array, in the order of [`Model::FIELDS`] |

use std::fmt;

use super::{
    Model, Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale,
};
use crate::fields::{Array, ArrayMut, Field, Scalar};
use crate::memory::LIMIT;

const FILE_ID: i32 = 54321;
/// The version of MuJoCo whose layout this is.
const VERSION: i32 = 3_005_000;
const HEADER: [i32; 5] =
    [FILE_ID, 8, Model::SIZES.len() as i32, VERSION, Model::FIELDS.len() as i32];
/// The options end with a 32-bit number, and the record is a multiple of eight bytes long.
const OPTION_PADDING: usize = 4;
/// Arrays start at multiples of this in the memory that `nbuffer` counts.
const ALIGNMENT: usize = 64;
/// These two are −1 in files and 0 here where the user has not given them.
const UNSET_SIZES: [&str; 2] = ["njmax", "nconmax"];

/// Why bytes are not a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BinaryError(String);

impl BinaryError {
    pub(super) fn new(message: impl Into<String>) -> BinaryError {
        BinaryError(message.into())
    }
}

impl fmt::Display for BinaryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BinaryError {}

impl Model {
    /// Makes a model from the bytes of an MJB file.
    ///
    /// Nothing is allocated before the sizes are known to agree with the length of `bytes`, and
    /// every number that is used as an id, address, count or enum is checked, so that a model that
    /// was read can be simulated without panics.
    #[doc(alias = "mj_loadModel")]
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, BinaryError> {
        Model::from_bytes_within(bytes, LIMIT)
    }

    /// [`Model::from_bytes`] of a model that takes no more than `limit` bytes with its data.
    pub fn from_bytes_within(bytes: &[u8], limit: usize) -> Result<Model, BinaryError> {
        let mut reader = Reader { bytes };
        check_header(&mut reader)?;
        let mut model = Model::default();
        for (name, _) in Model::SIZES {
            let value = i64::from_le_bytes(*reader.take_array("the sizes")?);
            let unset = value == -1 && UNSET_SIZES.contains(name);
            let size = if unset { Some(0) } else { usize::try_from(value).ok() };
            let size = size.filter(|&size| size <= i32::MAX as usize || *name == "narena");
            *model.size_mut(name).expect("a size of the table") = size
                .ok_or_else(|| BinaryError::new(format!("the size '{name}' cannot be {value}")))?;
        }

        // the length of the file bounds the sizes of all arrays
        let needed = model.binary_len().filter(|&needed| needed <= isize::MAX as usize);
        match needed {
            Some(needed) if needed == reader.bytes.len() + head_len() => {}
            Some(needed) if needed < reader.bytes.len() + head_len() => {
                return Err(BinaryError::new("the file is longer than its sizes say"));
            }
            _ => return Err(BinaryError::new("the file is shorter than its sizes say")),
        }
        if model.nbuffer != model.buffer_len() {
            return Err(BinaryError::new("'nbuffer' does not agree with the other sizes"));
        }
        model.validate_sizes(limit)?;
        model.arena_limit = limit / 2;

        model.allocate();
        for (name, field) in Options::FIELDS.iter().map(|field| (field.name, field)) {
            reader.fill(model.opt.array_mut(name), field)?;
        }
        reader.take(OPTION_PADDING, "the options")?;
        let vis = &mut model.vis;
        for field in VisGlobal::FIELDS {
            reader.fill(vis.global.array_mut(field.name), field)?;
        }
        for field in VisQuality::FIELDS {
            reader.fill(vis.quality.array_mut(field.name), field)?;
        }
        for field in VisHeadlight::FIELDS {
            reader.fill(vis.headlight.array_mut(field.name), field)?;
        }
        for field in VisMap::FIELDS {
            reader.fill(vis.map.array_mut(field.name), field)?;
        }
        for field in VisScale::FIELDS {
            reader.fill(vis.scale.array_mut(field.name), field)?;
        }
        for field in VisRgba::FIELDS {
            reader.fill(vis.rgba.array_mut(field.name), field)?;
        }
        for field in Statistic::FIELDS {
            reader.fill(model.stat.array_mut(field.name), field)?;
        }
        for field in Model::FIELDS {
            reader.fill(model.array_mut(field.name), field)?;
        }
        model.validate()?;
        Ok(model)
    }

    /// The bytes of the model as an MJB file.
    #[doc(alias = "mj_saveModel")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let len = self.binary_len().expect("a model in memory has a length");
        let mut bytes = Vec::with_capacity(len);
        for number in HEADER {
            bytes.extend(number.to_le_bytes());
        }
        for (name, _) in Model::SIZES {
            let size = self.size(name).expect("a size of the table") as i64;
            let value = match *name {
                "nbuffer" => self.buffer_len() as i64,
                name if size == 0 && UNSET_SIZES.contains(&name) => -1,
                _ => size,
            };
            bytes.extend(value.to_le_bytes());
        }
        let options = Options::FIELDS.iter().map(|field| self.opt.array(field.name));
        options.for_each(|array| append(&mut bytes, array));
        bytes.extend([0; OPTION_PADDING]);
        let vis = &self.vis;
        VisGlobal::FIELDS.iter().for_each(|f| append(&mut bytes, vis.global.array(f.name)));
        VisQuality::FIELDS.iter().for_each(|f| append(&mut bytes, vis.quality.array(f.name)));
        VisHeadlight::FIELDS.iter().for_each(|f| append(&mut bytes, vis.headlight.array(f.name)));
        VisMap::FIELDS.iter().for_each(|f| append(&mut bytes, vis.map.array(f.name)));
        VisScale::FIELDS.iter().for_each(|f| append(&mut bytes, vis.scale.array(f.name)));
        VisRgba::FIELDS.iter().for_each(|f| append(&mut bytes, vis.rgba.array(f.name)));
        Statistic::FIELDS.iter().for_each(|f| append(&mut bytes, self.stat.array(f.name)));
        Model::FIELDS.iter().for_each(|f| append(&mut bytes, self.array(f.name)));
        bytes
    }

    /// The length of [`to_bytes`](Model::to_bytes), from the sizes alone; none if it overflows.
    #[doc(alias = "mj_sizeModel")]
    pub fn binary_len(&self) -> Option<usize> {
        Model::FIELDS
            .iter()
            .try_fold(head_len() + records_len(), |sum, f| sum.checked_add(self.field_len(f)?))
    }

    /// Bytes of an array of the table, from the sizes alone.
    fn field_len(&self, field: &Field) -> Option<usize> {
        field.dims.iter().try_fold(field.width * scalar_len(field.scalar), |product, dim| {
            product.checked_mul(self.size(dim).expect("dimensions are sizes"))
        })
    }

    /// Bytes that the reference reserves for the arrays: each starts at an aligned address.
    fn buffer_len(&self) -> usize {
        Model::FIELDS.iter().fold(0, |end: usize, field| {
            end.next_multiple_of(ALIGNMENT) + self.field_len(field).unwrap_or(0)
        })
    }
}

/// Bytes of the header and the sizes.
fn head_len() -> usize {
    4 * HEADER.len() + 8 * Model::SIZES.len()
}

/// Bytes of options, visual settings and statistics.
fn records_len() -> usize {
    let fields = [
        Options::FIELDS,
        VisGlobal::FIELDS,
        VisQuality::FIELDS,
        VisHeadlight::FIELDS,
        VisMap::FIELDS,
        VisScale::FIELDS,
        VisRgba::FIELDS,
        Statistic::FIELDS,
    ];
    let bytes = |field: &Field| field.width * scalar_len(field.scalar);
    fields.into_iter().flatten().map(bytes).sum::<usize>() + OPTION_PADDING
}

fn scalar_len(scalar: Scalar) -> usize {
    match scalar {
        Scalar::F64 | Scalar::I64 => 8,
        Scalar::F32 | Scalar::I32 => 4,
        Scalar::U8 | Scalar::Char => 1,
    }
}

fn check_header(reader: &mut Reader<'_>) -> Result<(), BinaryError> {
    let header: [i32; HEADER.len()] = {
        let mut header = [0; HEADER.len()];
        for number in &mut header {
            *number = i32::from_le_bytes(*reader.take_array("the header")?);
        }
        header
    };
    let [id, real, sizes, version, arrays] = header;
    if id != FILE_ID {
        return Err(BinaryError::new("the bytes do not start as an MJB file does"));
    }
    if real != HEADER[1] {
        let message = format!("the file has numbers of {real} bytes, not 8: load the XML instead");
        return Err(BinaryError::new(message));
    }
    if version != VERSION {
        let written =
            format!("{}.{}.{}", version / 1_000_000, version / 1000 % 1000, version % 1000);
        let message = format!("the file was written by {written}, not 3.5.0: load the XML instead");
        return Err(BinaryError::new(message));
    }
    if [sizes, arrays] != [HEADER[2], HEADER[4]] {
        return Err(BinaryError::new("the file has another number of fields than 3.5.0 writes"));
    }
    Ok(())
}

/// Bytes that are still to be read.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize, what: &str) -> Result<&'a [u8], BinaryError> {
        let (taken, rest) = self
            .bytes
            .split_at_checked(len)
            .ok_or_else(|| BinaryError::new(format!("the file ends within {what}")))?;
        self.bytes = rest;
        Ok(taken)
    }

    fn take_array<const N: usize>(&mut self, what: &str) -> Result<&'a [u8; N], BinaryError> {
        Ok(self.take(N, what)?.try_into().expect("as many bytes as taken"))
    }

    /// Fills the numbers of a field.
    fn fill(&mut self, target: Option<ArrayMut<'_>>, field: &Field) -> Result<(), BinaryError> {
        macro_rules! numbers {
            ($target:ident, $Number:ty) => {{
                const LEN: usize = size_of::<$Number>();
                let bytes = self.take($target.len() * LEN, field.name)?;
                for (number, bytes) in $target.iter_mut().zip(bytes.as_chunks::<LEN>().0) {
                    *number = <$Number>::from_le_bytes(*bytes);
                }
            }};
        }
        match target.expect("fields of a table are in the table") {
            ArrayMut::F64(x) => numbers!(x, f64),
            ArrayMut::F32(x) => numbers!(x, f32),
            ArrayMut::I32(x) => numbers!(x, i32),
            ArrayMut::I64(x) => numbers!(x, i64),
            ArrayMut::U8(x) | ArrayMut::Char(x) => {
                x.copy_from_slice(self.take(x.len(), field.name)?)
            }
        }
        Ok(())
    }
}

/// Appends the numbers of a field.
fn append(bytes: &mut Vec<u8>, array: Option<Array<'_>>) {
    match array.expect("fields of a table are in the table") {
        Array::F64(x) => bytes.extend(x.iter().flat_map(|x| x.to_le_bytes())),
        Array::F32(x) => bytes.extend(x.iter().flat_map(|x| x.to_le_bytes())),
        Array::I32(x) => bytes.extend(x.iter().flat_map(|x| x.to_le_bytes())),
        Array::I64(x) => bytes.extend(x.iter().flat_map(|x| x.to_le_bytes())),
        Array::U8(x) | Array::Char(x) => bytes.extend(x),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_lengths_of_the_reference() {
        assert_eq!(records_len(), 304 + 632 + 56);
        assert_eq!((Model::SIZES.len(), Model::FIELDS.len()), (89, 456));
    }

    #[test]
    fn lying_sizes_are_refused_before_anything_is_allocated() {
        let mut bytes: Vec<u8> = HEADER.iter().flat_map(|x| x.to_le_bytes()).collect();
        for _ in Model::SIZES {
            bytes.extend((i64::from(i32::MAX)).to_le_bytes());
        }
        bytes.resize(bytes.len() + 2000, 0);
        let error = Model::from_bytes(&bytes).unwrap_err();
        assert_eq!(error.to_string(), "the file is shorter than its sizes say");
        let error = Model::from_bytes(&bytes[..30]).unwrap_err();
        assert_eq!(error.to_string(), "the file ends within the sizes");
        let error = Model::from_bytes(b"<mujoco/>            ").unwrap_err();
        assert_eq!(error.to_string(), "the bytes do not start as an MJB file does");
    }
}

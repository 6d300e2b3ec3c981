//! How numbers are compared: the tolerances, and the first element that exceeds them.

use std::fmt;
use std::sync::LazyLock;

use sim_core::data::{Contact, SolverStat};
use sim_core::fields::{Array, Field, Scalar};
use sim_core::{Data, Model};

use crate::golden::Values;

/// What may differ, and by how much. Integers, bytes, text and float32 values are always exact.
///
/// The error of an element is `|a - ref| / (each·|ref| + largest·max|ref| + constant)`.
pub struct Tolerance {
    /// Largest error of an element.
    pub limit: f64,
    /// Weight of the element itself in the scale.
    pub each: f64,
    /// Weight of the largest element of the array in the scale.
    pub largest: f64,
    /// Constant part of the scale.
    pub constant: f64,
}

/// The tolerances, which the comparison in Python reads, too.
const TOLERANCES: &str =
    include_str!("../../sim-python/python/cortenforge/conformance/tolerances.txt");

/// The tolerance called `name` in the table.
fn tolerance(name: &str) -> Tolerance {
    let mut rows = TOLERANCES.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = rows.find(|row| row.first() == Some(&name)).expect("the table has it");
    let number = |i: usize| row[i].parse().expect("the table has numbers");
    Tolerance { limit: number(1), each: number(2), largest: number(3), constant: number(4) }
}

/// Arrays of the compiled model.
pub static MODEL: LazyLock<Tolerance> = LazyLock::new(|| tolerance("arrays"));

/// Fields after `forward` and after one step.
pub static DATA: LazyLock<Tolerance> = LazyLock::new(|| tolerance("step"));

/// What the solver noted about an iteration.
pub static STATISTICS: LazyLock<Tolerance> = LazyLock::new(|| tolerance("statistics"));

/// Fields after a reset.
pub static RESET: LazyLock<Tolerance> = LazyLock::new(|| tolerance("reset"));

/// Sizes that describe the reference's memory and mean nothing elsewhere: bytes, and the limits of
/// an older scheme of allocation (-1 unless given).
pub const MEMORY_SIZES: &[&str] = &["narena", "nbuffer", "njmax", "nconmax"];

/// The parts of the sparse matrix of actuator moments. They are compared as the dense matrix
/// `moment`: which entries are rounding noise of a zero, and what is left behind compressed rows,
/// are accidents.
pub const MOMENT: &[&str] = &["moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment"];

/// Settings that the reference's Python package shows as empty, so that golden data lack them.
pub const UNREADABLE: &[&str] = &["vis/rgba/bv", "vis/rgba/bvactive"];

/// The first element that differs by more than it may.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index of the element, or what else differs.
    pub place: String,
    /// Our value and the reference's.
    pub values: (f64, f64),
    /// Largest error in the array, in the units of the tolerance's limit.
    pub worst: f64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { place, values: (ours, reference), worst } = self;
        write!(f, "{place}: {ours:e}, reference {reference:e} (worst scaled error {worst:.1e})")
    }
}

/// Compares an array of ours with the reference's.
pub fn compare(ours: Array<'_>, reference: &Values, tolerance: &Tolerance) -> Option<Difference> {
    match (ours, reference) {
        (Array::F64(a), Values::F64(b)) => compare_floats(a, b, tolerance),
        (Array::F32(a), Values::F32(b)) => compare_exact(a, b),
        (Array::I32(a), Values::I32(b)) => compare_exact(a, b),
        (Array::I64(a), Values::I64(b)) => length(a.len(), b.len()).or_else(|| {
            let i = (0..a.len()).find(|&i| a[i] != b[i])?;
            Some(element(i, a[i] as f64, b[i] as f64))
        }),
        (Array::U8(a) | Array::Char(a), Values::U8(b)) => compare_exact(a, b),
        _ => Some(Difference {
            place: "element type".to_string(),
            values: (f64::NAN, f64::NAN),
            worst: f64::INFINITY,
        }),
    }
}

fn length(ours: usize, reference: usize) -> Option<Difference> {
    (ours != reference).then(|| Difference {
        place: "length".to_string(),
        values: (ours as f64, reference as f64),
        worst: f64::INFINITY,
    })
}

fn element(i: usize, ours: f64, reference: f64) -> Difference {
    Difference { place: format!("[{i}]"), values: (ours, reference), worst: f64::INFINITY }
}

fn compare_exact<T: Copy + PartialEq + Into<f64>>(
    ours: &[T],
    reference: &[T],
) -> Option<Difference> {
    length(ours.len(), reference.len()).or_else(|| {
        let i = (0..ours.len()).find(|&i| !same(ours[i].into(), reference[i].into()))?;
        Some(element(i, ours[i].into(), reference[i].into()))
    })
}

/// Whether two numbers are equal, or both are not a number: normals of polygons without area are
/// NaN in the reference, too.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

fn compare_floats(ours: &[f64], reference: &[f64], tolerance: &Tolerance) -> Option<Difference> {
    if let Some(difference) = length(ours.len(), reference.len()) {
        return Some(difference);
    }
    let Tolerance { limit, each, largest, constant } = *tolerance;
    let largest = largest * reference.iter().fold(0.0, |max: f64, x| max.max(x.abs()));
    let error = |i: usize| {
        let (a, b): (f64, f64) = (ours[i], reference[i]);
        if same(a, b) { 0.0 } else { (a - b).abs() / (each * b.abs() + largest + constant) }
    };
    // a comparison that NaN on one side fails
    let first = (0..ours.len()).find(|&i| {
        !matches!(
            error(i).partial_cmp(&limit),
            Some(std::cmp::Ordering::Less | std::cmp::Ordering::Equal)
        )
    })?;
    let worst = (0..ours.len()).map(error).fold(0.0, f64::max);
    Some(Difference { worst, ..element(first, ours[first], reference[first]) })
}

/// A size of the model, as the reference stores it.
pub fn size(model: &Model, name: &str) -> Option<Values> {
    Some(Values::I64(vec![model.size(name)? as i64]))
}

/// The moments of actuators as a dense matrix, a row for each actuator.
fn moment(data: &Data) -> Vec<f64> {
    let nv = data.qvel.len();
    let mut dense = vec![0.0; data.ctrl.len() * nv];
    for actuator in 0..data.ctrl.len() {
        let start = data.moment_rowadr[actuator] as usize;
        for adr in start..start + data.moment_rownnz[actuator] as usize {
            dense[actuator * nv + data.moment_colind[adr] as usize] = data.actuator_moment[adr];
        }
    }
    dense
}

/// Values of the field `name` of a list of records.
fn column<'a, T: 'a>(
    records: impl Iterator<Item = &'a T>,
    array: impl Fn(&'a T) -> Option<Array<'a>>,
    real: bool,
) -> Option<Values> {
    let (mut reals, mut integers) = (Vec::new(), Vec::new());
    for record in records {
        match array(record)? {
            Array::F64(x) => reals.extend_from_slice(x),
            Array::I32(x) => integers.extend_from_slice(x),
            _ => return None,
        }
    }
    Some(if real { Values::F64(reals) } else { Values::I32(integers) })
}

/// Whether the field `name` of a record holds reals.
fn is_real(fields: &[Field], name: &str) -> Option<bool> {
    fields.iter().find(|field| field.name == name).map(|field| field.scalar == Scalar::F64)
}

/// The iterations of the solver that were made, by island.
fn iterations(data: &Data) -> impl Iterator<Item = &SolverStat> {
    let most = data.solver.len() / data.solver_niter.len();
    let made = data.solver_niter.iter().map(move |&n| (n.max(0) as usize).min(most));
    data.solver.chunks(most).zip(made).flat_map(|(island, made)| &island[..made])
}

/// A member of the data that is not one of the table's arrays, as the golden data hold it.
pub fn data_value(data: &Data, name: &str) -> Option<Values> {
    if let Some(name) = name.strip_prefix("contact/") {
        let real = is_real(Contact::FIELDS, name)?;
        return column(data.contact.iter(), |contact| contact.array(name), real);
    }
    if let Some(name) = name.strip_prefix("solver/") {
        let real = is_real(SolverStat::FIELDS, name)?;
        return column(iterations(data), |stat| stat.array(name), real);
    }
    let count = |n: usize| Values::I64(vec![n as i64]);
    let flag = |on: bool| Values::U8(vec![u8::from(on)]);
    Some(match name {
        "time" => Values::F64(vec![data.time]),
        "moment" => Values::F64(moment(data)),
        "energy" => Values::F64(data.energy.to_vec()),
        "solver_fwdinv" => Values::F64(data.solver_fwdinv.to_vec()),
        "solver_niter" => Values::I32(data.solver_niter.to_vec()),
        "solver_nnz" => Values::I32(data.solver_nnz.to_vec()),
        "warning" => Values::I32(data.warning.iter().map(|w| w.number).collect()),
        "ncon" => count(data.ncon),
        "ne" => count(data.ne),
        "nf" => count(data.nf),
        "nl" => count(data.nl),
        "nefc" => count(data.nefc),
        "nJ" => count(data.nJ),
        "nA" => count(data.nA),
        "nisland" => count(data.nisland),
        "nidof" => count(data.nidof),
        "ntree_awake" => count(data.ntree_awake),
        "nbody_awake" => count(data.nbody_awake),
        "nparent_awake" => count(data.nparent_awake),
        "nv_awake" => count(data.nv_awake),
        "maxuse_con" => count(data.maxuse_con),
        "maxuse_efc" => count(data.maxuse_efc),
        "flg_energypos" => flag(data.flg_energypos),
        "flg_energyvel" => flag(data.flg_energyvel),
        "flg_subtreevel" => flag(data.flg_subtreevel),
        "flg_rnepost" => flag(data.flg_rnepost),
        _ => return None,
    })
}

impl Values {
    /// The numbers, for comparison.
    pub fn array(&self) -> Array<'_> {
        match self {
            Values::F64(x) => Array::F64(x),
            Values::F32(x) => Array::F32(x),
            Values::I32(x) => Array::I32(x),
            Values::I64(x) => Array::I64(x),
            Values::U8(x) => Array::U8(x),
        }
    }

    /// Whether there is nothing but zeros.
    pub fn is_zero(&self) -> bool {
        (0..self.array().len()).all(|i| self.array().value(i) == 0.0)
    }
}

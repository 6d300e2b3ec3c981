//! Linear algebra on vectors and matrices of any size, under MuJoCo's names.

use numpy::{AllowTypeChange, Element, PyArrayDyn, PyArrayLikeDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::{self, Band, Mat3, Quat, Vec3};

use crate::arguments::{Output, check_len, numbers, vec3, vector, write};
use crate::functions::add;
use crate::guard::FatalError;

/// An array of integers that a function fills.
type Indices<'a, 'py> = &'a Bound<'py, PyArrayDyn<i32>>;

/// Numbers of an argument, copied, and how many rows and columns they are.
struct Matrix {
    numbers: Vec<f64>,
    rows: usize,
    columns: usize,
}

fn sizes(name: &str, shape: &[usize]) -> PyResult<(usize, usize)> {
    match *shape {
        [rows] => Ok((rows, 1)),
        [rows, columns] => Ok((rows, columns)),
        _ => Err(PyTypeError::new_err(format!("{name} should be a vector or a matrix"))),
    }
}

fn matrix(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let array: PyArrayLikeDyn<'_, f64, AllowTypeChange> = value.extract()?;
    let (rows, columns) = sizes(name, array.shape())?;
    Ok(Matrix { numbers: numbers(&array)?, rows, columns })
}

fn square(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let mat = matrix(name, value)?;
    check(mat.rows == mat.columns, || format!("{name} should be a square matrix"))?;
    Ok(mat)
}

/// A vector: one dimension, or a matrix with one row or column.
fn long(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let mat = matrix(name, value)?;
    check(mat.columns == 1 || mat.rows == 1, || format!("{name} should be a vector"))?;
    Ok(mat.numbers)
}

/// The integers of an argument, copied.
fn integers(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<i32>> {
    let array: PyArrayLikeDyn<'_, i32, AllowTypeChange> = value
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{name} should be a vector of integers")))?;
    numbers(&array)
}

fn check(holds: bool, message: impl FnOnce() -> String) -> PyResult<()> {
    if holds { Ok(()) } else { Err(PyTypeError::new_err(message())) }
}

/// Checks that two arguments have as many numbers as each other.
fn same(a: &str, len_a: usize, b: &str, len_b: usize) -> PyResult<()> {
    check(len_a == len_b, || format!("{a} and {b} should have the same size"))
}

/// Checks that an output is a matrix of this shape; a vector counts as a column.
fn shaped<T: Element>(
    name: &str,
    array: &Bound<'_, PyArrayDyn<T>>,
    rows: usize,
    columns: usize,
) -> PyResult<()> {
    let found = sizes(name, array.shape())?;
    check(found == (rows, columns), || format!("{name} should be of shape ({rows}, {columns})"))
}

/// Sets each number of `res` to a function of itself and those of vectors of the same length.
fn combine<const N: usize>(
    res: Output<'_, '_>,
    vectors: [(&str, &Bound<'_, PyAny>); N],
    value: impl Fn(f64, [f64; N]) -> f64,
) -> PyResult<()> {
    let mut columns = [const { Vec::new() }; N];
    for (column, (name, vector)) in columns.iter_mut().zip(vectors) {
        *column = long(name, vector)?;
        same("res", res.len(), name, column.len())?;
    }
    let old = numbers(res)?.into_iter().enumerate();
    let values = old.map(|(i, old)| value(old, std::array::from_fn(|k| columns[k][i])));
    write(res, &values.collect::<Vec<_>>())
}

/// Fills `res` with zeros.
#[pyfunction]
fn mju_zero(res: Output<'_, '_>) -> PyResult<()> {
    combine(res, [], |_, []| 0.0)
}

/// Fills `res` with `val`.
#[pyfunction]
fn mju_fill(res: Output<'_, '_>, val: f64) -> PyResult<()> {
    combine(res, [], |_, []| val)
}

/// Copies `vec` to `res`.
#[pyfunction]
fn mju_copy(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec", vec)], |_, [x]| x)
}

/// Copies `vec` to `res`, which has the same precision.
#[pyfunction]
fn mju_d2n(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec", vec)], |_, [x]| x)
}

/// Copies `vec` to `res`, which has the same precision.
#[pyfunction]
fn mju_n2d(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec", vec)], |_, [x]| x)
}

/// Computes `res = vec1 + vec2`.
#[pyfunction]
fn mju_add(res: Output<'_, '_>, vec1: &Bound<'_, PyAny>, vec2: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec1", vec1), ("vec2", vec2)], |_, [x, y]| x + y)
}

/// Computes `res = vec1 - vec2`.
#[pyfunction]
fn mju_sub(res: Output<'_, '_>, vec1: &Bound<'_, PyAny>, vec2: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec1", vec1), ("vec2", vec2)], |_, [x, y]| x - y)
}

/// Adds `vec` to `res`.
#[pyfunction]
fn mju_addTo(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec", vec)], |old, [x]| old + x)
}

/// Subtracts `vec` from `res`.
#[pyfunction]
fn mju_subFrom(res: Output<'_, '_>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    combine(res, [("vec", vec)], |old, [x]| old - x)
}

/// Computes `res = scl vec`.
#[pyfunction]
fn mju_scl(res: Output<'_, '_>, vec: &Bound<'_, PyAny>, scl: f64) -> PyResult<()> {
    combine(res, [("vec", vec)], |_, [x]| x * scl)
}

/// Adds `scl vec` to `res`.
#[pyfunction]
fn mju_addToScl(res: Output<'_, '_>, vec: &Bound<'_, PyAny>, scl: f64) -> PyResult<()> {
    combine(res, [("vec", vec)], |old, [x]| old + x * scl)
}

/// Computes `res = vec1 + scl vec2`.
#[pyfunction]
fn mju_addScl(
    res: Output<'_, '_>,
    vec1: &Bound<'_, PyAny>,
    vec2: &Bound<'_, PyAny>,
    scl: f64,
) -> PyResult<()> {
    combine(res, [("vec1", vec1), ("vec2", vec2)], |_, [x, y]| x + y * scl)
}

/// Copies the numbers of single precision in `vec` to `res`.
#[pyfunction]
fn mju_f2n(res: Output<'_, '_>, vec: PyArrayLikeDyn<'_, f32, AllowTypeChange>) -> PyResult<()> {
    let values: Vec<f64> = numbers(&vec)?.into_iter().map(f64::from).collect();
    drop(vec);
    same("res", res.len(), "vec", values.len())?;
    write(res, &values)
}

/// Copies `vec` to `res`, rounded to single precision.
#[pyfunction]
fn mju_n2f(res: &Bound<'_, PyArrayDyn<f32>>, vec: &Bound<'_, PyAny>) -> PyResult<()> {
    let values = long("vec", vec)?;
    same("res", res.len(), "vec", values.len())?;
    write(res, &values.iter().map(|&x| x as f32).collect::<Vec<_>>())
}

/// Returns the sum of absolute values.
#[pyfunction]
fn mju_L1(vec: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(long("vec", vec)?.iter().map(|x| x.abs()).sum())
}

/// Returns the sum of the numbers.
#[pyfunction]
fn mju_sum(vec: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(math::sum(&long("vec", vec)?))
}

/// Returns 1 if all numbers are zero, 0 otherwise.
#[pyfunction]
fn mju_isZero(vec: &Bound<'_, PyAny>) -> PyResult<i32> {
    Ok(i32::from(long("vec", vec)?.iter().all(|&x| x == 0.0)))
}

/// Returns the scalar product.
#[pyfunction]
fn mju_dot(vec1: &Bound<'_, PyAny>, vec2: &Bound<'_, PyAny>) -> PyResult<f64> {
    let (a, b) = (long("vec1", vec1)?, long("vec2", vec2)?);
    same("vec1", a.len(), "vec2", b.len())?;
    Ok(math::dot(&a, &b))
}

/// Returns the length of a vector.
#[pyfunction]
fn mju_norm(res: &Bound<'_, PyAny>) -> PyResult<f64> {
    Ok(math::norm(&long("res", res)?))
}

/// Gives `res` unit length in place, the first axis if it has none, and returns the length it had.
#[pyfunction]
fn mju_normalize(res: Output<'_, '_>) -> PyResult<f64> {
    let mut values = numbers(res)?;
    let norm = math::norm(&values);
    if norm < math::MINVAL {
        values.fill(0.0);
        values.iter_mut().take(1).for_each(|first| *first = 1.0);
    } else {
        values.iter_mut().for_each(|x| *x *= 1.0 / norm);
    }
    write(res, &values)?;
    Ok(norm)
}

/// Computes `res = mat vec`.
#[pyfunction]
fn mju_mulMatVec(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (mat, x) = (matrix("mat", mat)?, long("vec", vec)?);
    same("columns of mat", mat.columns, "vec", x.len())?;
    same("rows of mat", mat.rows, "res", res.len())?;
    let mut product = vec![0.0; mat.rows];
    math::mul_mat_vec(&mut product, &mat.numbers, &x);
    write(res, &product)
}

/// Computes `res = matᵀ vec`.
#[pyfunction]
fn mju_mulMatTVec(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (mat, x) = (matrix("mat", mat)?, long("vec", vec)?);
    same("rows of mat", mat.rows, "vec", x.len())?;
    same("columns of mat", mat.columns, "res", res.len())?;
    let mut product = vec![0.0; mat.columns];
    math::mul_mat_t_vec(&mut product, &mat.numbers, &x);
    write(res, &product)
}

/// Returns `vec1ᵀ mat vec2`.
#[pyfunction]
fn mju_mulVecMatVec(
    vec1: &Bound<'_, PyAny>,
    mat: &Bound<'_, PyAny>,
    vec2: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let (x, mat, y) = (long("vec1", vec1)?, matrix("mat", mat)?, long("vec2", vec2)?);
    same("rows of mat", mat.rows, "vec1", x.len())?;
    same("columns of mat", mat.columns, "vec2", y.len())?;
    Ok(math::mul_vec_mat_vec(&x, &mat.numbers, &y))
}

/// Computes `res = mat1 mat2`.
#[pyfunction]
fn mju_mulMatMat(
    res: Output<'_, '_>,
    mat1: &Bound<'_, PyAny>,
    mat2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, b) = (matrix("mat1", mat1)?, matrix("mat2", mat2)?);
    same("columns of mat1", a.columns, "rows of mat2", b.rows)?;
    shaped("res", res, a.rows, b.columns)?;
    let mut product = vec![0.0; a.rows * b.columns];
    math::mul_mat_mat(&mut product, &a.numbers, &b.numbers, a.columns, b.columns);
    write(res, &product)
}

/// Computes `res = mat1 mat2ᵀ`.
#[pyfunction]
fn mju_mulMatMatT(
    res: Output<'_, '_>,
    mat1: &Bound<'_, PyAny>,
    mat2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, b) = (matrix("mat1", mat1)?, matrix("mat2", mat2)?);
    same("columns of mat1", a.columns, "columns of mat2", b.columns)?;
    shaped("res", res, a.rows, b.rows)?;
    let mut product = vec![0.0; a.rows * b.rows];
    math::mul_mat_mat_t(&mut product, &a.numbers, &b.numbers, a.columns, b.rows);
    write(res, &product)
}

/// Computes `res = mat1ᵀ mat2`.
#[pyfunction]
fn mju_mulMatTMat(
    res: Output<'_, '_>,
    mat1: &Bound<'_, PyAny>,
    mat2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (a, b) = (matrix("mat1", mat1)?, matrix("mat2", mat2)?);
    same("rows of mat1", a.rows, "rows of mat2", b.rows)?;
    shaped("res", res, a.columns, b.columns)?;
    let mut product = vec![0.0; a.columns * b.columns];
    math::mul_mat_t_mat(&mut product, &a.numbers, &b.numbers, a.columns, b.columns);
    write(res, &product)
}

/// Computes `res = matᵀ diag(diag) mat`, or `matᵀ mat` if `diag` is None.
#[pyfunction]
fn mju_sqrMatTD(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    diag: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let mat = matrix("mat", mat)?;
    let diag = diag.map(|diag| long("diag", diag)).transpose()?;
    if let Some(diag) = &diag {
        same("rows of mat", mat.rows, "diag", diag.len())?;
    }
    shaped("res", res, mat.columns, mat.columns)?;
    let mut product = vec![0.0; mat.columns * mat.columns];
    math::sqr_mat_td(&mut product, &mat.numbers, diag.as_deref(), mat.columns);
    write(res, &product)
}

/// Computes `res = matᵀ`.
#[pyfunction]
fn mju_transpose(res: Output<'_, '_>, mat: &Bound<'_, PyAny>) -> PyResult<()> {
    let mat = matrix("mat", mat)?;
    shaped("res", res, mat.columns, mat.rows)?;
    let mut transposed = vec![0.0; mat.numbers.len()];
    math::transpose(&mut transposed, &mat.numbers, mat.columns);
    write(res, &transposed)
}

/// Computes `res = (mat + matᵀ) / 2`.
#[pyfunction]
fn mju_symmetrize(res: Output<'_, '_>, mat: &Bound<'_, PyAny>) -> PyResult<()> {
    let mat = square("mat", mat)?;
    shaped("res", res, mat.rows, mat.rows)?;
    let n = mat.rows;
    let entry = |i: usize, j: usize| 0.5 * (mat.numbers[i * n + j] + mat.numbers[j * n + i]);
    let values: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
    write(res, &values)
}

/// Makes `mat` the identity.
#[pyfunction]
fn mju_eye(mat: Output<'_, '_>) -> PyResult<()> {
    let (rows, columns) = sizes("mat", mat.shape())?;
    check(rows == columns, || "mat should be a square matrix".to_owned())?;
    let entry = |at: usize| f64::from(u8::from(at / rows == at % rows));
    write(mat, &(0..rows * rows).map(entry).collect::<Vec<_>>())
}

/// Factorises `mat = L Lᵀ` in place, by the lower triangle; pivots below `mindiag` are raised.
/// Returns the rank.
#[pyfunction]
fn mju_cholFactor(mat: Output<'_, '_>, mindiag: f64) -> PyResult<usize> {
    let mut factor = square("mat", mat.as_any())?;
    let raised = math::factor_cholesky(&mut factor.numbers, factor.rows, mindiag);
    write(mat, &factor.numbers)?;
    Ok(factor.rows - raised)
}

/// Solves `mat matᵀ res = vec`, where `mat` is a factor from `mju_cholFactor`.
#[pyfunction]
fn mju_cholSolve(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (mat, mut x) = (square("mat", mat)?, long("vec", vec)?);
    same("rows of mat", mat.rows, "vec", x.len())?;
    same("rows of mat", mat.rows, "res", res.len())?;
    math::solve_cholesky(&mut x, &mat.numbers, mat.rows);
    write(res, &x)
}

/// Updates a factor in place to that of `mat matᵀ + x xᵀ`, or `mat matᵀ - x xᵀ` if `flg_plus` is
/// zero, and uses up `x`. Returns the rank.
#[pyfunction]
fn mju_cholUpdate(mat: Output<'_, '_>, x: Output<'_, '_>, flg_plus: i32) -> PyResult<usize> {
    let mut factor = square("mat", mat.as_any())?;
    let mut vector = numbers(x)?;
    same("rows of mat", factor.rows, "x", vector.len())?;
    let sign = if flg_plus == 0 { -1.0 } else { 1.0 };
    let raised = math::update_cholesky(&mut factor.numbers, &mut vector, factor.rows, sign);
    write(mat, &factor.numbers)?;
    write(x, &vector)?;
    Ok(factor.rows - raised)
}

/// The layout of a band-dense matrix.
fn band(ntotal: i32, nband: i32, ndense: i32) -> PyResult<Band> {
    let size = |x: i32| usize::try_from(x).ok().filter(|&x| x < 1 << 15);
    match (size(ntotal), size(nband), size(ndense)) {
        (Some(total), Some(band), Some(dense))
            if dense <= total && (band > 0 || dense == total) =>
        {
            Ok(Band { total, band, dense })
        }
        _ => Err(PyTypeError::new_err("ntotal, nband and ndense describe no matrix")),
    }
}

/// Returns where the diagonal of row `i` is in a band-dense matrix.
#[pyfunction]
fn mju_bandDiag(i: i32, ntotal: i32, nband: i32, ndense: i32) -> PyResult<usize> {
    let band = band(ntotal, nband, ndense)?;
    let row = usize::try_from(i).ok().filter(|&i| i < band.total);
    row.map(|i| band.diagonal(i)).ok_or_else(|| PyTypeError::new_err("there is no such row"))
}

/// Writes the lower triangle of the dense matrix `mat` to the band-dense matrix `res`.
#[pyfunction]
fn mju_dense2Band(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
) -> PyResult<()> {
    let (band, mat) = (band(ntotal, nband, ndense)?, square("mat", mat)?);
    same("rows of mat", mat.rows, "ntotal", band.total)?;
    same("res", res.len(), "the band-dense matrix", band.len())?;
    let mut packed = numbers(res)?;
    band.pack(&mut packed, &mat.numbers);
    write(res, &packed)
}

/// Writes the band-dense matrix `mat` to the dense matrix `res`, with its upper triangle if
/// `flg_sym` is not zero.
#[pyfunction]
fn mju_band2Dense(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    flg_sym: i32,
) -> PyResult<()> {
    let (band, mat) = (band(ntotal, nband, ndense)?, long("mat", mat)?);
    same("mat", mat.len(), "the band-dense matrix", band.len())?;
    shaped("res", res, band.total, band.total)?;
    let mut dense = vec![0.0; band.total * band.total];
    band.unpack(&mut dense, &mat, flg_sym != 0);
    write(res, &dense)
}

/// Multiplies `nvec` vectors, the rows of `vec`, by the band-dense matrix `mat`, with its upper
/// triangle if `flg_sym` is not zero.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the signature is MuJoCo's")]
fn mju_bandMulMatVec(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    nvec: i32,
    flg_sym: i32,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    let (mat, x) = (matrix("mat", mat)?.numbers, matrix("vec", vec)?.numbers);
    let count = usize::try_from(nvec).unwrap_or(0);
    same("mat", mat.len(), "the band-dense matrix", band.len())?;
    same("vec", x.len(), "nvec vectors", count.saturating_mul(band.total))?;
    same("res", res.len(), "vec", x.len())?;
    let mut product = vec![0.0; x.len()];
    let rows = product.chunks_exact_mut(band.total.max(1)).zip(x.chunks_exact(band.total.max(1)));
    rows.for_each(|(product, x)| band.mul_vec(product, &mat, x, flg_sym != 0));
    write(res, &product)
}

/// Factorises a band-dense matrix in place, after adding `diagadd + diagmul mat_ii` to its
/// diagonal. Returns the smallest pivot, or 0 if the matrix is not positive definite.
#[pyfunction]
fn mju_cholFactorBand(
    mat: Output<'_, '_>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
    diagadd: f64,
    diagmul: f64,
) -> PyResult<f64> {
    let band = band(ntotal, nband, ndense)?;
    let mut factor = numbers(mat)?;
    same("mat", factor.len(), "the band-dense matrix", band.len())?;
    let smallest = band.factor(&mut factor, diagadd, diagmul);
    write(mat, &factor)?;
    Ok(smallest)
}

/// Solves `mat matᵀ res = vec`, where `mat` is a factor from `mju_cholFactorBand`.
#[pyfunction]
fn mju_cholSolveBand(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    ntotal: i32,
    nband: i32,
    ndense: i32,
) -> PyResult<()> {
    let band = band(ntotal, nband, ndense)?;
    let (mat, mut x) = (long("mat", mat)?, long("vec", vec)?);
    same("mat", mat.len(), "the band-dense matrix", band.len())?;
    same("vec", x.len(), "ntotal", band.total)?;
    same("res", res.len(), "ntotal", band.total)?;
    band.solve(&mut x, &mat);
    write(res, &x)
}

/// Writes the nonzeros of a dense matrix in compressed rows. Returns 1 if `res` and `colind` are
/// too small, 0 otherwise.
#[pyfunction]
fn mju_dense2sparse(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    rownnz: Indices<'_, '_>,
    rowadr: Indices<'_, '_>,
    colind: Indices<'_, '_>,
) -> PyResult<i32> {
    let mat = matrix("mat", mat)?;
    same("rownnz", rownnz.len(), "rows of mat", mat.rows)?;
    same("rowadr", rowadr.len(), "rows of mat", mat.rows)?;
    same("colind", colind.len(), "res", res.len())?;
    let (mut values, mut columns) = (numbers(res)?, numbers(colind)?);
    let (mut lengths, mut starts) = (numbers(rownnz)?, numbers(rowadr)?);
    let fits = math::compress(
        &mut values,
        &mut lengths,
        &mut starts,
        &mut columns,
        &mat.numbers,
        mat.columns,
    );
    write(res, &values)?;
    write(rownnz, &lengths)?;
    write(rowadr, &starts)?;
    write(colind, &columns)?;
    Ok(i32::from(!fits))
}

/// Writes a matrix in compressed rows as the dense matrix `res`.
#[pyfunction]
fn mju_sparse2dense(
    res: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
    rownnz: &Bound<'_, PyAny>,
    rowadr: &Bound<'_, PyAny>,
    colind: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let values = long("mat", mat)?;
    let (rows, columns) = sizes("res", res.shape())?;
    let (lengths, starts) = (integers("rownnz", rownnz)?, integers("rowadr", rowadr)?);
    let colind = integers("colind", colind)?;
    same("rownnz", lengths.len(), "rows of res", rows)?;
    same("rowadr", starts.len(), "rows of res", rows)?;
    let mut dense = vec![0.0; rows * columns];
    if !math::expand(&mut dense, &values, &lengths, &starts, &colind, columns) {
        return Err(FatalError::new_err("mju_sparse2dense: an index points nowhere"));
    }
    write(res, &dense)
}

/// Minimises `½ xᵀ H x + gᵀ x` over `lower <= x <= upper`, starting from `res`, where the solution
/// is written. `R` has room for n (n + 7) numbers; its first ones become the Cholesky factor of the
/// free dimensions, which are listed in `index`. Returns how many there are, or -1 for failure.
#[pyfunction]
#[pyo3(signature = (res, R, index, H, g, lower, upper))]
fn mju_boxQP(
    res: Output<'_, '_>,
    R: Output<'_, '_>,
    index: Option<Indices<'_, '_>>,
    H: &Bound<'_, PyAny>,
    g: &Bound<'_, PyAny>,
    lower: Option<&Bound<'_, PyAny>>,
    upper: Option<&Bound<'_, PyAny>>,
) -> PyResult<i64> {
    let (mut x, hessian, gradient) = (numbers(res)?, square("H", H)?, long("g", g)?);
    let n = hessian.rows;
    let bound = |name: &str, value: Option<&Bound<'_, PyAny>>| match value {
        Some(value) => vector(name, value, n, "n").map(Some),
        None => Ok(None),
    };
    let (lower, upper) = (bound("lower", lower)?, bound("upper", upper)?);
    same("res", x.len(), "rows of H", n)?;
    same("g", gradient.len(), "rows of H", n)?;
    check(R.len() == n * (n + 7), || "size of R should be n*(n+7)".to_owned())?;
    if let Some(index) = index {
        check_len("index", index, n, "n")?;
    }
    if n == 0 {
        return Err(FatalError::new_err("mju_boxQP: problem size n must be positive"));
    }
    if let (Some(lower), Some(upper)) = (&lower, &upper)
        && lower.iter().zip(upper).any(|(lower, upper)| lower >= upper)
    {
        let message = "mju_boxQP: upper bounds must be larger than lower bounds";
        return Err(FatalError::new_err(message));
    }
    let solved =
        math::box_qp(&mut x, &hessian.numbers, &gradient, lower.as_deref(), upper.as_deref());
    write(res, &x)?;
    let Some(solved) = solved else { return Ok(-1) };
    let mut factor = numbers(R)?;
    factor[..solved.factor.len()].copy_from_slice(&solved.factor);
    write(R, &factor)?;
    if let Some(index) = index {
        let mut free = numbers(index)?;
        free.iter_mut().zip(&solved.free).for_each(|(slot, &i)| *slot = i as i32);
        write(index, &free)?;
    }
    Ok(solved.free.len() as i64)
}

/// Computes the eigenvalues of a symmetric 3 x 3 matrix, largest first, its eigenvectors as columns
/// of `eigvec`, and their frame as a quaternion.
#[pyfunction]
fn mju_eig3(
    eigval: Output<'_, '_>,
    eigvec: Output<'_, '_>,
    quat: Output<'_, '_>,
    mat: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let mat = mat3("mat", mat)?;
    check_len("eigval", eigval, 3, "3")?;
    check_len("eigvec", eigvec, 9, "9")?;
    check_len("quat", quat, 4, "4")?;
    let (values, frame) = math::eig3(&mat);
    write(eigval, &values.to_array())?;
    write(eigvec, &frame.to_mat().0)?;
    write(quat, &frame.to_array())?;
    Ok(0)
}

/// Refines `quat` to the rotation nearest to a 3 x 3 matrix. Returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: Output<'_, '_>, mat: &Bound<'_, PyAny>) -> PyResult<usize> {
    let start = vector("quat", quat.as_any(), 4, "4")?;
    let start = Quat::new(start[0], start[1], start[2], start[3]);
    let (found, iterations) = mat3("mat", mat)?.nearest_rotation(start);
    write(quat, &found.to_array())?;
    Ok(iterations)
}

fn mat3(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Mat3> {
    let numbers = vector(name, value, 9, "9")?;
    Ok(Mat3::new(std::array::from_fn(|i| numbers[i])))
}

/// Transforms a spatial vector, rotation first, to a frame at `newpos` that is turned by
/// `rotnew2old`: a force if `flg_force` is not zero, a motion otherwise.
#[pyfunction]
fn mju_transformSpatial(
    res: Output<'_, '_>,
    vec: &Bound<'_, PyAny>,
    flg_force: i32,
    newpos: &Bound<'_, PyAny>,
    oldpos: &Bound<'_, PyAny>,
    rotnew2old: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let vec = vector("vec", vec, 6, "6")?;
    check_len("res", res, 6, "6")?;
    let (mut first, mut second) =
        (Vec3::new(vec[0], vec[1], vec[2]), Vec3::new(vec[3], vec[4], vec[5]));
    let offset = vec3("newpos", newpos)? - vec3("oldpos", oldpos)?;
    match flg_force != 0 {
        true => first -= offset.cross(second),
        false => second -= offset.cross(first),
    }
    if let Some(rotation) = rotnew2old {
        let rotation = mat3("rotnew2old", rotation)?;
        (first, second) = (rotation.transpose_mul(first), rotation.transpose_mul(second));
    }
    write(res, &[first.x, first.y, first.z, second.x, second.y, second.z])
}

/// Sorts `list` in increasing order, in place.
#[pyfunction]
fn mju_insertionSort(list: Output<'_, '_>) -> PyResult<()> {
    let mut values = numbers(list)?;
    values.sort_by(f64::total_cmp);
    write(list, &values)
}

/// Sorts `list` in increasing order, in place.
#[pyfunction]
fn mju_insertionSortInt(list: Indices<'_, '_>) -> PyResult<()> {
    let mut values = numbers(list)?;
    values.sort_unstable();
    write(list, &values)
}

/// Returns the smaller of two numbers.
#[pyfunction]
fn mju_min(a: f64, b: f64) -> f64 {
    if a <= b { a } else { b }
}

/// Returns the larger of two numbers.
#[pyfunction]
fn mju_max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// Returns `x` limited to the range from `min` to `max`.
#[pyfunction]
fn mju_clip(x: f64, min: f64, max: f64) -> f64 {
    if x < min {
        min
    } else if x > max {
        max
    } else {
        x
    }
}

/// Returns the sign of `x`: 1, -1 or 0.
#[pyfunction]
fn mju_sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))
}

/// Returns the integer nearest to `x`; halves are rounded up.
#[pyfunction]
fn mju_round(x: f64) -> i32 {
    let (lower, upper) = (x.floor(), x.ceil());
    if x - lower < upper - x { lower as i32 } else { upper as i32 }
}

/// Returns 1 if `x` is not a number or larger than `mjMAXVAL`, 0 otherwise.
#[pyfunction]
fn mju_isBad(x: f64) -> i32 {
    i32::from(math::is_bad(x))
}

/// Returns a number of the Halton sequence.
#[pyfunction]
fn mju_Halton(index: i32, base: i32) -> f64 {
    math::halton(u32::try_from(index).unwrap_or(0), u32::try_from(base).unwrap_or(0))
}

/// Returns the quintic polynomial that goes smoothly from 0 to 1 over 0 <= x <= 1.
#[pyfunction]
fn mju_sigmoid(x: f64) -> f64 {
    math::sigmoid(x)
}

/// Returns the position of a unit mass on a spring with damping after the time `dt`.
#[pyfunction]
fn mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
    math::spring_damper(pos0, vel0, Kp, Kv, dt)
}

/// The ten parameters of a muscle from the nine that MuJoCo's functions take.
fn muscle(
    prm: &Bound<'_, PyAny>,
    lengthrange: &Bound<'_, PyAny>,
) -> PyResult<([f64; 10], [f64; 2])> {
    let prm = vector("prm", prm, 9, "9")?;
    let range = vector("lengthrange", lengthrange, 2, "2")?;
    let prm = std::array::from_fn(|i| prm.get(i).copied().unwrap_or(0.0));
    Ok((prm, [range[0], range[1]]))
}

/// Returns the active force of a muscle; `prm` holds range (2), force, scale, lmin, lmax, vmax,
/// fpmax and fvmax.
#[pyfunction]
fn mju_muscleGain(
    len: f64,
    vel: f64,
    lengthrange: &Bound<'_, PyAny>,
    acc0: f64,
    prm: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let (prm, range) = muscle(prm, lengthrange)?;
    Ok(sim_core::muscle_gain(len, vel, range, acc0, &prm))
}

/// Returns the passive force of a muscle; `prm` is as for `mju_muscleGain`.
#[pyfunction]
fn mju_muscleBias(
    len: f64,
    lengthrange: &Bound<'_, PyAny>,
    acc0: f64,
    prm: &Bound<'_, PyAny>,
) -> PyResult<f64> {
    let (prm, range) = muscle(prm, lengthrange)?;
    Ok(sim_core::muscle_bias(len, range, acc0, &prm))
}

/// Returns the rate of change of a muscle's activation; `prm` holds the time constants of
/// activation and deactivation, and the width of the transition.
#[pyfunction]
fn mju_muscleDynamics(ctrl: f64, act: f64, prm: &Bound<'_, PyAny>) -> PyResult<f64> {
    let prm = vector("prm", prm, 3, "3")?;
    let prm = std::array::from_fn(|i| prm.get(i).copied().unwrap_or(0.0));
    Ok(sim_core::muscle_dynamics(ctrl, act, &prm))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add! {
        module: mju_zero mju_fill mju_copy mju_d2n mju_n2d mju_f2n mju_n2f mju_add mju_sub mju_addTo
        mju_subFrom mju_scl mju_addToScl mju_addScl mju_L1 mju_sum mju_isZero mju_dot mju_norm
        mju_normalize mju_mulMatVec mju_mulMatTVec mju_mulVecMatVec mju_mulMatMat mju_mulMatMatT
        mju_mulMatTMat mju_sqrMatTD mju_transpose mju_symmetrize mju_eye mju_cholFactor
        mju_cholSolve mju_cholUpdate mju_bandDiag mju_dense2Band mju_band2Dense mju_bandMulMatVec
        mju_cholFactorBand mju_cholSolveBand mju_dense2sparse mju_sparse2dense mju_boxQP mju_eig3
        mju_mat2Rot mju_transformSpatial mju_insertionSort mju_insertionSortInt mju_min mju_max
        mju_clip mju_sign mju_round mju_isBad mju_Halton mju_sigmoid mju_springDamper mju_muscleGain
        mju_muscleBias mju_muscleDynamics
    }
    Ok(())
}

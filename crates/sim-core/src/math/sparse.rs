//! Matrices in compressed rows: row `i` has `rownnz[i]` numbers from `rowadr[i]` on, in the
//! columns `colind`.

/// Writes the nonzeros of a dense matrix with `columns` columns in compressed rows; false if
/// there is no room for all of them.
#[doc(alias = "mju_dense2sparse")]
pub fn compress(
    values: &mut [f64],
    rownnz: &mut [i32],
    rowadr: &mut [i32],
    colind: &mut [i32],
    dense: &[f64],
    columns: usize,
) -> bool {
    let mut adr = 0;
    for (i, row) in dense.chunks_exact(columns.max(1)).enumerate() {
        rowadr[i] = adr as i32;
        rownnz[i] = 0;
        for (j, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            if adr >= values.len().min(colind.len()) {
                return false;
            }
            (values[adr], colind[adr]) = (value, j as i32);
            rownnz[i] += 1;
            adr += 1;
        }
    }
    true
}

/// Writes a matrix in compressed rows as a dense one with `columns` columns; false if an index
/// points nowhere.
#[doc(alias = "mju_sparse2dense")]
pub fn expand(
    dense: &mut [f64],
    values: &[f64],
    rownnz: &[i32],
    rowadr: &[i32],
    colind: &[i32],
    columns: usize,
) -> bool {
    dense.fill(0.0);
    for (i, row) in dense.chunks_exact_mut(columns.max(1)).enumerate() {
        for k in 0..rownnz[i].max(0) {
            let entry = usize::try_from(i64::from(rowadr[i]) + i64::from(k)).ok().and_then(|adr| {
                let column = usize::try_from(*colind.get(adr)?).ok()?;
                Some((row.get_mut(column)?, *values.get(adr)?))
            });
            let Some((target, value)) = entry else { return false };
            *target = value;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressing_and_expanding_gives_the_matrix_back() {
        let dense = [0.0, 1.0, 0.0, 2.0, 0.0, 3.0];
        let (mut values, mut colind) = ([0.0; 3], [0; 3]);
        let (mut rownnz, mut rowadr) = ([0; 2], [0; 2]);
        assert!(compress(&mut values, &mut rownnz, &mut rowadr, &mut colind, &dense, 3));
        assert_eq!((rownnz, rowadr, colind), ([1, 2], [0, 1], [1, 0, 2]));
        let mut back = [9.0; 6];
        assert!(expand(&mut back, &values, &rownnz, &rowadr, &colind, 3));
        assert_eq!(back, dense);
        // no room for three, and a column that is not there
        assert!(!compress(&mut values[..2], &mut rownnz, &mut rowadr, &mut colind, &dense, 3));
        assert!(!expand(&mut back, &values, &[1, 2], &rowadr, &[1, 0, 5], 3));
    }
}

//! The specification: plain loops.

/// The dot product of two rows; what the longer one has more is left out.
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum()
}

/// The dot products of `query` with each row of `rows`, into `out`.
pub fn dots(query: &[i8], rows: &[i8], out: &mut [i32]) {
    for (row, out) in rows.chunks_exact(query.len().max(1)).zip(out) {
        *out = dot(query, row);
    }
}

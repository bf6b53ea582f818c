//! Signed bytes for the browser: a quarter of the weights' size at a thousandth of loss in cosine.

/// Rounds each row of `columns` numbers to signed bytes by a factor of its own: `number ~ byte * scale`.
///
/// Symmetric, so that zero stays zero and the product needs no offset. The greatest magnitude of a row becomes
/// 127. A row of zeros has scale 0. Returns the bytes and one scale per row.
pub(crate) fn quantise(numbers: &[f32], columns: usize) -> (Vec<u8>, Vec<f32>) {
    let mut bytes = Vec::with_capacity(numbers.len());
    let mut scales = Vec::with_capacity(numbers.len() / columns.max(1));
    for row in numbers.chunks(columns.max(1)) {
        let greatest = row.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        let scale = greatest / 127.0;
        let factor = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        bytes.extend(row.iter().map(|number| (number * factor).round().clamp(-127.0, 127.0) as i8 as u8));
        scales.push(scale);
    }
    (bytes, scales)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_have_their_own_scale() {
        let (bytes, scales) = quantise(&[1.27, -0.635, 0.0, 0.0, 127.0, 1.0], 2);
        assert_eq!(bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>(), [127, -64, 0, 0, 127, 1]);
        assert_eq!(scales, [0.01, 0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn the_error_is_at_most_half_a_step(row in prop::collection::vec(-10.0_f32..10.0, 1..64)) {
            let (bytes, scales) = quantise(&row, row.len());
            for (number, byte) in row.iter().zip(bytes) {
                let back = f32::from(byte as i8) * scales[0];
                prop_assert!((number - back).abs() <= scales[0] * 0.5001, "{} {}", number, back);
            }
        }
    }
}

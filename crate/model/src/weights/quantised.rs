//! Signed bytes for the browser: a quarter of the weights' size at a thousandth of loss in cosine.

/// Numbers that share a factor, where the rows are a multiple of it. Rows with one outlier are why a row does not
/// share one: with a factor for each row, the worst of the golden texts falls to a cosine of 0.994.
const GROUP: usize = 128;

/// The group for rows of `columns` numbers: no group spans two rows.
pub(crate) fn group_of(columns: usize) -> usize {
    if columns.is_multiple_of(GROUP) { GROUP } else { columns }
}

/// Rounds each `group` of numbers to signed bytes by a factor of its own: `number ~ byte * scale`.
///
/// Symmetric, so that zero stays zero and needs no offset. The greatest magnitude of a group becomes 127. A
/// group of zeros has scale 0. Returns the bytes and one scale per group.
pub(crate) fn quantise(numbers: &[f32], group: usize) -> (Vec<u8>, Vec<f32>) {
    let mut bytes = Vec::with_capacity(numbers.len());
    let mut scales = Vec::with_capacity(numbers.len() / group.max(1));
    for some in numbers.chunks(group.max(1)) {
        let greatest = some.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        let scale = greatest / 127.0;
        let factor = if scale > 0.0 { 1.0 / scale } else { 0.0 };
        bytes.extend(some.iter().map(|number| (number * factor).round().clamp(-127.0, 127.0) as i8 as u8));
        scales.push(scale);
    }
    (bytes, scales)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn groups_have_their_own_scale() {
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

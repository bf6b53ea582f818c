//! Which texts are embedded together.

use crate::ModelError;

/// Tokens in one batch. Long enough that the matrix products run at full speed, short enough that a batch's
/// activations (6 kB a token in the widest layer) stay near the processor.
const BATCH_TOKENS: usize = 1024;

/// Groups the texts, given by their numbers of tokens, into batches of at most [`BATCH_TOKENS`] tokens (or one
/// text that is longer). Returns indexes into `lengths`.
///
/// Sorted by length, longest first: the batches that take longest start first, so that no thread is left with
/// a long one at the end.
pub(crate) fn plan(lengths: &[usize]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&index| (std::cmp::Reverse(lengths[index]), index));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for index in order {
        let length = lengths[index];
        match batches.last_mut() {
            Some(batch) if length <= room => {
                batch.push(index);
                room -= length;
            }
            _ => {
                batches.push(vec![index]);
                room = BATCH_TOKENS.saturating_sub(length);
            }
        }
    }
    batches
}

/// Runs `embed` on every batch; results in the order of the batches.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn run<T: Send>(
    batches: &[Vec<usize>],
    embed: impl Fn(&[usize]) -> Result<T, ModelError> + Sync,
) -> Result<Vec<T>, ModelError> {
    use rayon::prelude::*;
    batches.par_iter().with_max_len(1).map(|batch| embed(batch)).collect()
}

/// Runs `embed` on every batch; results in the order of the batches. The browser's worker has one thread.
#[cfg(target_arch = "wasm32")]
pub(crate) fn run<T>(
    batches: &[Vec<usize>],
    embed: impl Fn(&[usize]) -> Result<T, ModelError>,
) -> Result<Vec<T>, ModelError> {
    batches.iter().map(|batch| embed(batch)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn longest_first() {
        for (lengths, expected) in [
            (vec![], vec![]),
            (vec![5], vec![vec![0]]),
            (vec![3, 9, 3], vec![vec![1, 0, 2]]),
            (vec![600, 600, 400], vec![vec![0], vec![1, 2]]),
            (vec![5000, 10], vec![vec![0], vec![1]]),
        ] {
            assert_eq!(plan(&lengths), expected);
        }
    }

    proptest! {
        #[test]
        fn every_text_once_and_no_batch_too_long(lengths in prop::collection::vec(2_usize..300, 0..100)) {
            let batches = plan(&lengths);
            let mut all = batches.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..lengths.len()).collect::<Vec<_>>());
            for batch in batches {
                prop_assert!(batch.iter().map(|&index| lengths[index]).sum::<usize>() <= BATCH_TOKENS);
            }
        }
    }
}

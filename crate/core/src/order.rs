//! Sorting without a sorting algorithm per type.
//!
//! The browser downloads every instance of the standard library's sort, some 6 kB each. Here one instance sorts
//! positions, and the items follow.

use std::cmp::Ordering;

/// Sorts `items`; equal ones keep their order. Costs one allocation more than `slice::sort_by`.
pub(crate) fn sort_by<T>(items: &mut Vec<T>, compare: impl Fn(&T, &T) -> Ordering) {
    let order = sorted_positions(items.len(), &|a, b| compare(&items[a], &items[b]));
    let mut slots: Vec<Option<T>> = items.drain(..).map(Some).collect();
    items.extend(order.into_iter().filter_map(|position| slots[position].take()));
}

fn sorted_positions(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..len).collect();
    positions.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    positions
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library(items: Vec<(u8, u8)>) {
            let (mut ours, mut expected) = (items.clone(), items);
            super::sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            expected.sort_by_key(|item| item.0);
            prop_assert_eq!(ours, expected);
        }
    }
}

use crate::vector::quantise::Rows;

/// Rows by their content: which rows stand for themselves, and which equal an earlier one.
///
/// Rows without direction are neither: nothing is near to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Distinct {
    /// The first row of each content, ascending: the points of the graph.
    pub(super) representatives: Vec<u32>,
    /// The other rows, each after the representative that it equals; ascending.
    pub(super) twins: Vec<(u32, u32)>,
}

impl Distinct {
    /// Finds equal rows by sorting.
    pub(super) fn new(rows: &Rows) -> Self {
        let mut sorted: Vec<u32> = directed(rows).collect();
        sorted.sort_unstable_by(|&a, &b| rows.row(a).cmp(rows.row(b)).then(a.cmp(&b)));
        let equal = sorted.chunk_by(|&a, &b| rows.row(a) == rows.row(b));
        let mut twins: Vec<_> =
            equal.flat_map(|group| group[1..].iter().map(move |&row| (group[0], row))).collect();
        twins.sort_unstable();
        Self::from_twins(rows, twins)
    }

    /// What [`Self::new`] found, from its twins.
    pub(super) fn from_twins(rows: &Rows, twins: Vec<(u32, u32)>) -> Self {
        let mut others: Vec<u32> = twins.iter().map(|&(_, row)| row).collect();
        others.sort_unstable();
        let representatives = directed(rows).filter(|row| others.binary_search(row).is_err()).collect();
        Self { representatives, twins }
    }

    /// `representative` and the rows equal to it.
    pub(super) fn rows_equal_to(&self, representative: u32) -> impl Iterator<Item = u32> + '_ {
        let start = self.twins.partition_point(|&(first, _)| first < representative);
        let twins = self.twins[start..].iter().take_while(move |&&(first, _)| first == representative);
        std::iter::once(representative).chain(twins.map(|&(_, row)| row))
    }
}

/// Rows with a direction, ascending.
fn directed(rows: &Rows) -> impl Iterator<Item = u32> + '_ {
    (0..rows.len() as u32).filter(|&row| rows.scale(row) > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_equal_rows() {
        let mut rows = Rows::new(2);
        rows.extend([[1, 2], [3, 4], [0, 0], [1, 2], [3, 4], [1, 2], [5, 6], [0, 0]].into_iter().flatten());
        let distinct = Distinct::new(&rows);
        assert_eq!(distinct.representatives, [0, 1, 6]);
        assert_eq!(distinct.twins, [(0, 3), (0, 5), (1, 4)]);
        for (representative, equal) in [(0, vec![0, 3, 5]), (1, vec![1, 4]), (6, vec![6])] {
            assert_eq!(distinct.rows_equal_to(representative).collect::<Vec<_>>(), equal);
        }
    }
}

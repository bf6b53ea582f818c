//! Fitting the rows: ridge regression of a correction, by conjugate gradient.
//!
//! With `S` the rows to start from (the pieces alone, or a base's rows), `A` the matrix whose row per training text holds its pieces' weights (their sum
//! being 1), and `T` the model's embeddings of the texts, the correction `X` minimises
//! `|A (g S + X) - T|^2 + ridge |X|^2`, where the number `g` brings `A S` to the scale of `T`. The columns of `X` do
//! not depend on one another, so they are solved a block at a time: a block of all pieces stays near the processor.
//! (Conjugate gradient on the normal equations: Hestenes and Stiefel, 1952; the weights `a / (a + frequency)`: Arora,
//! Liang and Ma, ICLR 2017.)
//!
//! Plain f32 in a fixed order: the same input gives the same bytes on every target.

use super::{rows::Rows, vocabulary::PieceId};

/// Columns that are solved together: 16 numbers are one or two registers of every processor's.
const BLOCK: usize = 16;

/// How a table is fitted. See the fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitSettings {
    /// Frequency, as a part of all texts, at which a piece counts half: default 0.01. Smaller values silence common
    /// words, larger ones treat all words alike.
    pub half_frequency: f32,
    /// Resistance to corrections: default 0.3. Smaller values follow the training texts, larger ones stay with the rows
    /// to start from.
    pub ridge: f32,
    /// Steps of conjugate gradient: default 40.
    pub steps: usize,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { half_frequency: 0.01, ridge: 0.3, steps: 40 }
    }
}

/// A training text: its pieces, and where the model puts it.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The text's pieces, as [`Vocabulary::split`](super::Vocabulary::split) gives them, without unknown words.
    pub pieces: Vec<PieceId>,
    /// The model's embedding.
    pub target: Vec<f32>,
}

/// Fits rows to `examples`, starting from `start`.
///
/// The result counts the texts of both, so that it can be the start of another fit, or become a table.
///
/// Cost: `steps` passes over all pieces of the examples, each with a row's addition; some 10 s for 30,000 sentences.
///
/// # Panics
/// When a target is not of the rows' length.
pub fn fit(start: &Rows, examples: &[Example], settings: &FitSettings) -> Rows {
    let dimensions = start.dimensions;
    assert!(examples.iter().all(|example| example.target.len() == dimensions), "targets are rows");
    let mut fitted = start.clone();
    let frequencies = frequencies(start.vocabulary.len(), examples);
    fitted.frequencies.iter_mut().zip(&frequencies).for_each(|(sum, count)| *sum += count);
    fitted.texts += examples.len() as u32;
    let problem = Problem::new(&frequencies, &fitted.weights(settings.half_frequency), examples);
    let scale = problem.scale(&fitted.rows, dimensions, examples);
    fitted.rows.iter_mut().for_each(|number| *number *= scale);
    for first in (0..dimensions).step_by(BLOCK) {
        problem.correct(&mut fitted.rows, dimensions, first, examples, settings);
    }
    fitted
}

/// In how many examples each piece stands.
fn frequencies(pieces: usize, examples: &[Example]) -> Vec<u32> {
    let mut counts = vec![0; pieces];
    let mut last = vec![usize::MAX; pieces];
    for (number, example) in examples.iter().enumerate() {
        for &PieceId(piece) in &example.pieces {
            if last[piece as usize] != number {
                last[piece as usize] = number;
                counts[piece as usize] += 1;
            }
        }
    }
    counts
}

/// The matrix `A`, row after row, over those pieces that stand in an example.
struct Problem {
    /// The piece of each column.
    pieces: Vec<usize>,
    /// Where each row ends.
    ends: Vec<usize>,
    cells: Vec<(u32, f32)>,
}

type Block = [f32; BLOCK];

impl Problem {
    fn new(frequencies: &[u32], weights: &[f32], examples: &[Example]) -> Self {
        let pieces: Vec<usize> = (0..frequencies.len()).filter(|&piece| frequencies[piece] > 0).collect();
        let mut columns = vec![0_u32; frequencies.len()];
        pieces.iter().zip(0..).for_each(|(&piece, column)| columns[piece] = column);
        let (mut ends, mut cells) = (Vec::new(), Vec::new());
        for example in examples {
            let weight = |piece: &PieceId| weights[piece.0 as usize];
            let sum = example.pieces.iter().map(weight).sum::<f32>();
            cells.extend(
                example.pieces.iter().map(|piece| (columns[piece.0 as usize], weight(piece) / (sum + 1e-9))),
            );
            ends.push(cells.len());
        }
        Self { pieces, ends, cells }
    }

    fn rows(&self) -> impl Iterator<Item = &[(u32, f32)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.cells[start..end])
    }

    /// The factor that brings `A` times `rows` nearest to the targets.
    fn scale(&self, rows: &[f32], dimensions: usize, examples: &[Example]) -> f32 {
        let (mut product, mut squares) = (0.0_f64, 0.0_f64);
        let mut sum = vec![0.0_f32; dimensions];
        for (cells, example) in self.rows().zip(examples) {
            sum.fill(0.0);
            for &(column, weight) in cells {
                let row = &rows[self.pieces[column as usize] * dimensions..][..dimensions];
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += weight * number);
            }
            product += f64::from(sum.iter().zip(&example.target).map(|(a, b)| a * b).sum::<f32>());
            squares += f64::from(sum.iter().map(|a| a * a).sum::<f32>());
        }
        if squares > 0.0 { (product / squares) as f32 } else { 1.0 }
    }

    /// Corrects the columns from `first` on of the rows that stand in an example.
    fn correct(
        &self,
        rows: &mut [f32],
        dimensions: usize,
        first: usize,
        examples: &[Example],
        settings: &FitSettings,
    ) {
        let width = BLOCK.min(dimensions - first);
        let start: Vec<Block> =
            self.pieces.iter().map(|piece| block(&rows[piece * dimensions + first..][..width])).collect();
        let mut residual = vec![[0.0; BLOCK]; start.len()];
        for (cells, example) in self.rows().zip(examples) {
            let target = block(&example.target[first..][..width]);
            let reached = product(cells, &start);
            spread(cells, &zip(&target, &reached, |target, reached| target - reached), &mut residual);
        }
        let correction = self.solve(residual, settings);
        for (piece, correction) in self.pieces.iter().zip(&correction) {
            let row = &mut rows[piece * dimensions + first..][..width];
            row.iter_mut().zip(correction).for_each(|(number, correction)| *number += correction);
        }
    }

    /// Conjugate gradient for `(A' A + ridge) x = residual`, each column by itself.
    fn solve(&self, mut residual: Vec<Block>, settings: &FitSettings) -> Vec<Block> {
        let mut x = vec![[0.0; BLOCK]; residual.len()];
        let mut direction = residual.clone();
        let mut squares = dot(&residual, &residual);
        for _ in 0..settings.steps {
            let mut image: Vec<Block> =
                direction.iter().map(|row| row.map(|number| settings.ridge * number)).collect();
            for cells in self.rows() {
                spread(cells, &product(cells, &direction), &mut image);
            }
            let step = zip(&squares, &dot(&direction, &image), |squares, curve| squares / (curve + 1e-12));
            for row in 0..x.len() {
                for column in 0..BLOCK {
                    x[row][column] += step[column] * direction[row][column];
                    residual[row][column] -= step[column] * image[row][column];
                }
            }
            let next = dot(&residual, &residual);
            let turn = zip(&next, &squares, |next, squares| next / (squares + 1e-12));
            for (direction, residual) in direction.iter_mut().zip(&residual) {
                for column in 0..BLOCK {
                    direction[column] = residual[column] + turn[column] * direction[column];
                }
            }
            squares = next;
        }
        x
    }
}

fn block(numbers: &[f32]) -> Block {
    let mut block = [0.0; BLOCK];
    block.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = *number);
    block
}

fn zip(a: &Block, b: &Block, of: impl Fn(f32, f32) -> f32) -> Block {
    std::array::from_fn(|column| of(a[column], b[column]))
}

/// A row of `A` times a block of columns.
fn product(cells: &[(u32, f32)], columns: &[Block]) -> Block {
    let mut sum = [0.0; BLOCK];
    for &(column, weight) in cells {
        sum.iter_mut().zip(&columns[column as usize]).for_each(|(sum, number)| *sum += weight * number);
    }
    sum
}

/// Adds the transpose: what a row of `A` says of its pieces.
fn spread(cells: &[(u32, f32)], values: &Block, columns: &mut [Block]) {
    for &(column, weight) in cells {
        columns[column as usize].iter_mut().zip(values).for_each(|(number, value)| *number += weight * value);
    }
}

fn dot(a: &[Block], b: &[Block]) -> Block {
    let mut sum = [0.0; BLOCK];
    for (a, b) in a.iter().zip(b) {
        for column in 0..BLOCK {
            sum[column] += a[column] * b[column];
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{super::Vocabulary, *};
    use crate::random::split_mix;

    const DIMENSIONS: usize = 20;

    fn number(state: &mut u64) -> f32 {
        (split_mix(state) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Texts of pieces out of 40, whose targets are sums of hidden rows.
    fn examples(count: usize) -> Vec<Example> {
        let mut state = 7;
        let hidden: Vec<Vec<f32>> =
            (0..40).map(|_| (0..DIMENSIONS).map(|_| number(&mut state)).collect()).collect();
        let text = |_| {
            let pieces: Vec<PieceId> = (0..5).map(|_| PieceId((split_mix(&mut state) % 40) as u32)).collect();
            let target = (0..DIMENSIONS)
                .map(|axis| pieces.iter().map(|piece| hidden[piece.0 as usize][axis]).sum::<f32>() / 5.0)
                .collect();
            Example { pieces, target }
        };
        (0..count).map(text).collect()
    }

    fn start(rows: Vec<f32>) -> Rows {
        let names: Vec<String> = (0..50).map(|number| format!("p{number:02}")).collect();
        Rows::alone(Vocabulary::new(names.iter().map(String::as_str)), rows)
    }

    fn error(table: &Rows, examples: &[Example]) -> f32 {
        let cosine = |example: &Example| {
            let mut sum = vec![0.0; DIMENSIONS];
            for piece in &example.pieces {
                let row = &table.rows[piece.0 as usize * DIMENSIONS..][..DIMENSIONS];
                sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            dot(&sum, &example.target) / (dot(&sum, &sum) * dot(&example.target, &example.target)).sqrt()
        };
        1.0 - examples.iter().map(cosine).sum::<f32>() / examples.len() as f32
    }

    #[test]
    fn hidden_rows_are_found_and_others_stay() {
        let examples = examples(600);
        let mut state = 1;
        let start = start((0..50 * DIMENSIONS).map(|_| number(&mut state)).collect());
        // A large half frequency weighs all pieces alike, as the hidden rows were.
        let settings = FitSettings { half_frequency: 1e6, ridge: 0.01, steps: 60 };
        let (train, held_out) = examples.split_at(500);
        let before = fit(&start, train, &FitSettings { steps: 0, ..settings });
        let after = fit(&start, train, &settings);
        assert!(error(&before, held_out) > 0.5, "{}", error(&before, held_out));
        assert!(error(&after, held_out) < 0.001, "{}", error(&after, held_out));
        // Pieces that no text holds keep their direction.
        let (row, kept) =
            (&after.rows[45 * DIMENSIONS..][..DIMENSIONS], &start.rows[45 * DIMENSIONS..][..DIMENSIONS]);
        let factor = row[0] / kept[0];
        assert!(row.iter().zip(kept).all(|(a, b)| (a - factor * b).abs() < 1e-4));
        assert_eq!(after, fit(&start, train, &settings));
    }

    #[test]
    fn a_second_fit_starts_from_the_first() {
        let examples = examples(600);
        let settings = FitSettings { half_frequency: 1e6, ridge: 1.0, steps: 60 };
        let (first, rest) = examples.split_at(400);
        let (second, held_out) = rest.split_at(40);
        let alone = start(vec![1.0; 50 * DIMENSIONS]);
        let base = fit(&alone, first, &settings);
        let both = fit(&base, second, &settings);
        assert_eq!(both.texts, 440);
        assert!(error(&both, held_out) <= error(&base, held_out));
        assert!(error(&both, held_out) < 0.2 * error(&fit(&alone, second, &settings), held_out));
    }

    #[test]
    fn nothing_to_fit() {
        let fitted = fit(&start(vec![1.0; 50 * DIMENSIONS]), &[], &FitSettings::default());
        let table = fitted.table(0.01);
        assert!(table.rows.iter().all(|number| number.is_finite() && *number > 0.0));
        let empty = fit(&Rows::alone(Vocabulary::default(), Vec::new()), &[], &FitSettings::default());
        assert_eq!(empty.table(0.01).to_files().len(), 1);
    }
}

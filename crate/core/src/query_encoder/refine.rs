//! Refining fitted rows: a site's own questions have to find the chunks that answer them.
//!
//! The regression of `fit` brings a text near its embedding in every direction alike. What counts is the order of the
//! chunks, so a few passes of gradient descent follow, over pairs of a question and its chunk: the softmax over the
//! chunk, the other chunks of the batch and some drawn at random should name the chunk (InfoNCE: van den Oord, Li and
//! Vinyals, 2018). Steps are scaled per row by the gradients that it had before (Adagrad: Duchi, Hazan and Singer, JMLR
//! 2011) and fall to nothing at the end.
//!
//! Plain f32 in a fixed order, with an exponential of its own: the same input gives the same bytes on every target.

use super::{rows::Rows, vocabulary::PieceId};
use crate::{
    random::split_mix,
    vector::{add_scaled, inner_product},
};

/// How rows are refined. See the fields.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RefineSettings {
    /// Passes over the pairs: default 2. More fit the generated questions closer than readers' questions are like them.
    pub epochs: usize,
    /// Size of the first steps: default 0.01.
    pub rate: f32,
    /// What cosines are divided by before the softmax: default 0.05.
    pub temperature: f32,
    /// Pairs of a step: default 64.
    pub batch: usize,
    /// Chunks drawn at random for a step, beside those of its pairs: default 512.
    pub negatives: usize,
}

impl Default for RefineSettings {
    fn default() -> Self {
        Self { epochs: 2, rate: 0.01, temperature: 0.05, batch: 64, negatives: 512 }
    }
}

/// A question and the chunk that answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The question's pieces, as [`Vocabulary::split`](super::Vocabulary::split) gives them, without unknown words.
    pub pieces: Vec<PieceId>,
    /// Position of the chunk among the vectors.
    pub chunk: usize,
}

/// Refines `rows`, whose weights are by `half_frequency`, over `pairs` of texts and positions in `chunks`, vectors of
/// length 1.
///
/// Cost: `epochs * pairs * (negatives + batch)` products of two vectors, twice; some 10 s for 20,000 pairs.
///
/// # Panics
/// When a pair's chunk is not among `chunks`, or when a vector is not of the rows' length.
pub fn refine(
    rows: &mut Rows,
    half_frequency: f32,
    pairs: &[Pair],
    chunks: &[Vec<f32>],
    settings: &RefineSettings,
) {
    let batch = settings.batch.max(1);
    let steps = settings.epochs * pairs.len().div_ceil(batch);
    let mut state = Descent::new(rows, half_frequency);
    let mut random = 0;
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    let mut step = 0;
    for _ in 0..settings.epochs {
        shuffle(&mut order, &mut random);
        for group in order.chunks(batch) {
            let group: Vec<&Pair> = group.iter().map(|&pair| &pairs[pair]).collect();
            let candidates = candidates(&group, chunks.len(), settings.negatives, &mut random);
            let rate = settings.rate * (1.0 - step as f32 / steps as f32);
            for pair in &group {
                state.add(rows, pair, &candidates, chunks, settings.temperature, group.len());
            }
            state.step(rows, rate);
            step += 1;
        }
    }
}

/// The chunks that a step's questions choose from: their own, and some of all others. Ascending, each once.
fn candidates(group: &[&Pair], chunks: usize, negatives: usize, random: &mut u64) -> Vec<usize> {
    let own = group.iter().map(|pair| pair.chunk);
    let mut found: Vec<usize> = if chunks <= negatives {
        (0..chunks).collect()
    } else {
        own.chain((0..negatives).map(|_| (split_mix(random) % chunks as u64) as usize)).collect()
    };
    found.sort_unstable();
    found.dedup();
    found
}

fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        order.swap(last, (split_mix(random) % (last as u64 + 1)) as usize);
    }
}

/// What gradient descent remembers.
struct Descent {
    weights: Vec<f32>,
    /// Per piece, the mean squares of the gradients that it had.
    squares: Vec<f32>,
    /// Gradients of this step, one after the other, and the piece of each.
    gradients: Vec<f32>,
    touched: Vec<usize>,
    /// Per piece, where its gradient is, while it has one.
    slots: Vec<Option<usize>>,
    dimensions: usize,
}

impl Descent {
    fn new(rows: &Rows, half_frequency: f32) -> Self {
        let pieces = rows.vocabulary.len();
        Self {
            weights: rows.weights(half_frequency),
            // Small against any gradient, and keeps the first division finite.
            squares: vec![1e-4; pieces],
            gradients: Vec::new(),
            touched: Vec::new(),
            slots: vec![None; pieces],
            dimensions: rows.dimensions,
        }
    }

    /// Adds what one of `count` pairs says about its pieces' rows.
    fn add(
        &mut self,
        rows: &Rows,
        pair: &Pair,
        candidates: &[usize],
        chunks: &[Vec<f32>],
        temperature: f32,
        count: usize,
    ) {
        let sum_of_weights =
            pair.pieces.iter().map(|piece| self.weights[piece.0 as usize]).sum::<f32>() + 1e-9;
        let mut query = vec![0.0; self.dimensions];
        for &PieceId(piece) in &pair.pieces {
            let weight = self.weights[piece as usize] / sum_of_weights;
            add_scaled(&mut query, weight, &rows.rows[piece as usize * self.dimensions..][..self.dimensions]);
        }
        let length = inner_product(&query, &query).sqrt() + 1e-9;
        query.iter_mut().for_each(|number| *number /= length);
        let mut odds: Vec<f32> =
            candidates.iter().map(|&chunk| inner_product(&query, &chunks[chunk]) / temperature).collect();
        softmax(&mut odds);
        let mut gradient = vec![0.0; self.dimensions];
        for (&chunk, odds) in candidates.iter().zip(odds) {
            let error = if chunk == pair.chunk { odds - 1.0 } else { odds };
            add_scaled(&mut gradient, error / temperature / count as f32, &chunks[chunk]);
        }
        // Only what turns the vector counts: its length is brought to 1.
        let along = inner_product(&gradient, &query);
        add_scaled(&mut gradient, -along, &query);
        for &PieceId(piece) in &pair.pieces {
            let weight = self.weights[piece as usize] / sum_of_weights / length;
            add_scaled(self.slot(piece as usize), weight, &gradient);
        }
    }

    /// The gradient of `piece` in this step.
    fn slot(&mut self, piece: usize) -> &mut [f32] {
        let slot = *self.slots[piece].get_or_insert_with(|| {
            self.touched.push(piece);
            self.gradients.resize(self.touched.len() * self.dimensions, 0.0);
            self.touched.len() - 1
        });
        &mut self.gradients[slot * self.dimensions..][..self.dimensions]
    }

    fn step(&mut self, rows: &mut Rows, rate: f32) {
        for (&piece, gradient) in self.touched.iter().zip(self.gradients.chunks_exact(self.dimensions)) {
            self.squares[piece] += inner_product(gradient, gradient) / self.dimensions as f32;
            let row = &mut rows.rows[piece * self.dimensions..][..self.dimensions];
            add_scaled(row, -rate / self.squares[piece].sqrt(), gradient);
            self.slots[piece] = None;
        }
        self.touched.clear();
        self.gradients.clear();
    }
}

fn softmax(numbers: &mut [f32]) {
    let largest = numbers.iter().copied().fold(f32::MIN, f32::max);
    numbers.iter_mut().for_each(|number| *number = exp(*number - largest));
    let sum = numbers.iter().sum::<f32>();
    numbers.iter_mut().for_each(|number| *number /= sum);
}

/// The exponential of a number of 0 or less, to six digits: the platforms' own differ in their last bits.
fn exp(x: f32) -> f32 {
    if x < -80.0 {
        return 0.0;
    }
    // As a power of two, whose whole part is the exponent of a float and whose rest, below 1, is a short series.
    let power = x * std::f32::consts::LOG2_E;
    let whole = power.floor();
    let rest = (power - whole) * std::f32::consts::LN_2;
    let series = (1..=7).rev().fold(1.0_f32, |sum, n| 1.0 + rest / n as f32 * sum);
    series * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::{super::Vocabulary, *};

    #[test]
    fn exponentials() {
        for x in [0.0_f32, -0.1, -0.69, -1.0, -7.3, -40.0, -79.9] {
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "{x}: {} {}", exp(x), x.exp());
        }
        assert_eq!((exp(-81.0), exp(f32::NEG_INFINITY)), (0.0, 0.0));
    }

    fn unit(vector: &[f32]) -> Vec<f32> {
        let length = inner_product(vector, vector).sqrt();
        vector.iter().map(|number| number / length).collect()
    }

    /// Chunks in 20 directions, and rows for a word of each that say little of it yet.
    fn problem() -> (Rows, Vec<Vec<f32>>, Vec<Pair>) {
        let mut random = 5;
        let mut number = || (split_mix(&mut random) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        let chunks: Vec<Vec<f32>> =
            (0..20).map(|_| unit(&(0..20).map(|_| number()).collect::<Vec<_>>())).collect();
        let names: Vec<String> = (0..22).map(|name| format!("p{name:02}")).collect();
        let start: Vec<f32> = (0..22 * 20).map(|_| 0.5 * number()).collect();
        let rows = Rows::alone(Vocabulary::new(names.iter().map(String::as_str)), start);
        // Each chunk has a word of its own; the word 20 is in every question, the word 21 in none.
        let pair = |chunk: usize| Pair { pieces: vec![PieceId(chunk as u32), PieceId(20)], chunk };
        (rows, chunks, (0..20).map(pair).collect())
    }

    fn found(rows: &Rows, chunks: &[Vec<f32>], pairs: &[Pair]) -> usize {
        let nearest = |pair: &Pair| {
            let mut sum = vec![0.0; rows.dimensions];
            for piece in &pair.pieces {
                add_scaled(
                    &mut sum,
                    1.0,
                    &rows.rows[piece.0 as usize * rows.dimensions..][..rows.dimensions],
                );
            }
            (0..chunks.len())
                .max_by(|&a, &b| inner_product(&sum, &chunks[a]).total_cmp(&inner_product(&sum, &chunks[b])))
        };
        pairs.iter().filter(|pair| nearest(pair) == Some(pair.chunk)).count()
    }

    #[test]
    fn questions_find_their_chunks() {
        let (mut rows, chunks, pairs) = problem();
        let before = rows.clone();
        let settings = RefineSettings { epochs: 40, rate: 0.1, batch: 4, ..RefineSettings::default() };
        refine(&mut rows, 1e6, &pairs, &chunks, &settings);
        let (was, is) = (found(&before, &chunks, &pairs), found(&rows, &chunks, &pairs));
        assert!(was < 6 && is == 20, "{was} -> {is}");
        assert_eq!(rows.rows[21 * 20..], before.rows[21 * 20..]);
        let mut again = before;
        refine(&mut again, 1e6, &pairs, &chunks, &settings);
        assert_eq!(again, rows);
    }

    #[test]
    fn nothing_to_refine() {
        let (mut rows, chunks, pairs) = problem();
        let before = rows.clone();
        refine(&mut rows, 0.01, &[], &[], &RefineSettings::default());
        refine(&mut rows, 0.01, &pairs, &chunks, &RefineSettings { epochs: 0, ..RefineSettings::default() });
        assert_eq!(rows, before);
    }

    #[test]
    fn draws() {
        let (_, _, pairs) = problem();
        let group: Vec<&Pair> = pairs.iter().take(3).collect();
        assert_eq!(candidates(&group, 4, 9, &mut 0), [0, 1, 2, 3]);
        let drawn = candidates(&group, 1000, 10, &mut 0);
        assert!(drawn.len() <= 13 && drawn[..3] == [0, 1, 2] && drawn.is_sorted(), "{drawn:?}");
    }
}

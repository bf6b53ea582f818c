//! Near duplicates, by the shingles of the texts that would be shown.
//!
//! Broder, "On the resemblance and containment of documents" (1997): texts as the sets of their runs of a few words,
//! compared by how much the sets share. The sets are small (a chunk has some 200 words) and few, so they are compared
//! whole; no sketches.

use crate::{
    fusion::Fused,
    lexical::words,
    order::sort_by,
    segment::{Missing, Segment},
};

/// Words in a shingle.
const SHINGLE_WORDS: usize = 3;
/// Part of the shingles that near duplicates share at least.
const MIN_RESEMBLANCE: f32 = 0.9;
/// Texts of fewer shingles are too short to be called the same: "See above." stands in many documents.
const MIN_SHINGLES: usize = 12;
/// Most documents to look at beyond the limit: a list of nothing but copies must not fetch every text of the index.
const MAX_BEYOND: usize = 20;

/// A hit to be, and those that would have shown the same text.
#[derive(Debug)]
pub(crate) struct Shown<'a> {
    /// The best of them.
    pub(crate) found: &'a Fused,
    /// The others, best first.
    pub(crate) duplicates: Vec<&'a Fused>,
}

/// The first `limit` documents of `fused`, those folded under a better one not counted.
pub(crate) fn collapse<'a>(
    fused: &'a [Fused],
    limit: usize,
    segments: &[&Segment],
    missing: &mut Missing,
) -> Vec<Shown<'a>> {
    let mut shown: Vec<Shown<'a>> = Vec::new();
    let mut seen: Vec<Shingles> = Vec::new();
    for found in fused.iter().take(limit + MAX_BEYOND) {
        if shown.len() == limit {
            break;
        }
        let text =
            found.chunks.first().and_then(|best| segments[found.document.segment].text(best.chunk, missing));
        let shingles = Shingles::of(text.map_or("", |(_, chunk)| &chunk.text));
        match seen.iter().position(|known| known.resembles(&shingles)) {
            Some(at) => shown[at].duplicates.push(found),
            None => {
                shown.push(Shown { found, duplicates: Vec::new() });
                seen.push(shingles);
            }
        }
    }
    shown
}

/// Hashes of a text's runs of words, ascending, none twice.
pub(super) struct Shingles(Vec<u64>);

impl Shingles {
    pub(super) fn of(text: &str) -> Self {
        Self::of_runs(text, SHINGLE_WORDS)
    }

    /// The words of a text, each once.
    pub(super) fn of_words(text: &str) -> Self {
        Self::of_runs(text, 1)
    }

    fn of_runs(text: &str, run: usize) -> Self {
        let hashes: Vec<u64> = words(text).map(|word| hash(word.text)).collect();
        let mut shingles: Vec<u64> = hashes.windows(run).map(combine).collect();
        sort_by(&mut shingles, u64::cmp);
        shingles.dedup();
        Self(shingles)
    }

    fn resembles(&self, other: &Self) -> bool {
        let (short, long) = (self.0.len().min(other.0.len()), self.0.len().max(other.0.len()));
        // Sets of very different sizes cannot share enough.
        short >= MIN_SHINGLES
            && short as f32 >= MIN_RESEMBLANCE * long as f32
            && self.resemblance(other) >= MIN_RESEMBLANCE
    }

    /// What the sets share of what either has (Jaccard), 0 to 1.
    pub(super) fn resemblance(&self, other: &Self) -> f32 {
        let shared = self.0.iter().filter(|shingle| other.0.binary_search(shingle).is_ok()).count();
        let either = self.0.len() + other.0.len() - shared;
        if either == 0 { 0.0 } else { shared as f32 / either as f32 }
    }
}

/// FNV-1a, 64 bits, of the word in lower case.
fn hash(word: &str) -> u64 {
    let lower = word.chars().flat_map(char::to_lowercase);
    lower.fold(0xcbf2_9ce4_8422_2325, |hash, c| {
        (hash ^ u64::from(u32::from(c))).wrapping_mul(0x0100_0000_01b3)
    })
}

fn combine(run: &[u64]) -> u64 {
    run.iter().fold(0, |combined: u64, hash| combined.rotate_left(21).wrapping_mul(31) ^ hash)
}

#[cfg(test)]
mod tests {
    use super::Shingles;

    const TIDES: &str = "The tide rises twice a day because the moon pulls at the water on both sides of the \
                         earth, and the sun helps it at full and at new moon.";

    #[test]
    fn what_resembles() {
        let check = |a: &str, b: &str, expected: bool| {
            assert_eq!(Shingles::of(a).resembles(&Shingles::of(b)), expected, "{a:?} {b:?}");
        };
        check(TIDES, TIDES, true);
        check(TIDES, &TIDES.to_uppercase(), true);
        check(TIDES, &TIDES.replace(", and", " and"), true);
        check(TIDES, &TIDES[..60], false);
        check(TIDES, &TIDES.replace("moon", "ship"), false);
        check("See above.", "See above.", false);
        check("", "", false);
    }

    #[test]
    fn resemblance_is_jaccard() {
        let (a, b) = (Shingles::of_words("a b c"), Shingles::of_words("B c D, d"));
        assert!((a.resemblance(&b) - 0.5).abs() < 1e-6);
    }
}

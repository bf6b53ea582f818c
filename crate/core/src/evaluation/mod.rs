//! Judging a ranking: nDCG, recall, precision and reciprocal rank over judged queries.

//! Duplicates: questions that mean the same.

use super::{Candidate, Evaluation, EvaluatorSettings, EvaluatorVectors, demote};
use crate::{
    question::{Question, normalise_question},
    vector::{Neighbour, inner_product},
};
use std::collections::HashMap;

/// What duplicates are found by.
pub(super) struct Duplicates<'a> {
    pub(super) vectors: Option<EvaluatorVectors<'a>>,
    /// The chunks nearest to each candidate.
    pub(super) near: Option<&'a [Vec<Neighbour>]>,
    pub(super) settings: &'a EvaluatorSettings,
}

impl Duplicates<'_> {
    /// The questions that stay, for each of `chunks` chunks.
    ///
    /// The best questions are taken first, so a duplicate is always the worse one. Two questions that mean the same have
    /// the same chunks near them: each is compared with those of its own chunk and of the nearest ones only.
    pub(super) fn remove(
        &self,
        mut candidates: Vec<Candidate>,
        chunks: usize,
        report: &mut Evaluation,
    ) -> Vec<Vec<Question>> {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| {
            candidates[b].question.confidence.total_cmp(&candidates[a].question.confidence)
        });
        let mut kept: Vec<Vec<usize>> = vec![Vec::new(); chunks];
        let mut normal: HashMap<String, usize> = HashMap::new();
        for at in order {
            let chunk = candidates[at].chunk;
            let key = normalise_question(&candidates[at].question.question_text);
            let is_known = |other: &usize| {
                normal.get(&key) == Some(other)
                    || self.is_same(&candidates, at, *other, self.settings.same_within)
            };
            if kept[chunk].iter().any(is_known) {
                report.same_within += 1;
                continue;
            }
            let is_twin = candidates[at].question.is_searched()
                && (normal.contains_key(&key) || self.has_twin(&candidates, at, &kept));
            if is_twin {
                report.same_across += 1;
                demote(&mut candidates[at].question);
            }
            normal.entry(key).or_insert(at);
            kept[chunk].push(at);
        }
        let mut questions: Vec<Option<Question>> =
            candidates.into_iter().map(|candidate| Some(candidate.question)).collect();
        kept.into_iter()
            .map(|kept| kept.into_iter().filter_map(|at| questions[at].take()).collect())
            .collect()
    }

    /// Whether a chunk near the question has one that means the same.
    fn has_twin(&self, candidates: &[Candidate], at: usize, kept: &[Vec<usize>]) -> bool {
        let near = self.near.map_or(&[][..], |near| &near[at]);
        let others = near.iter().filter(|near| near.row as usize != candidates[at].chunk);
        let mut others = others.filter_map(|near| kept.get(near.row as usize)).flatten();
        others.any(|&other| {
            candidates[other].question.is_searched()
                && self.is_same(candidates, at, other, self.settings.same_across)
        })
    }

    fn is_same(&self, candidates: &[Candidate], one: usize, other: usize, least: f32) -> bool {
        let (Some(vectors), Some(one), Some(other)) =
            (self.vectors, candidates[one].vector, candidates[other].vector)
        else {
            return false;
        };
        inner_product(&vectors.questions[one], &vectors.questions[other]) >= least
    }
}

use super::{Judgements, Run, measure};
use serde::Serialize;
use std::collections::BTreeMap;

/// The means of a run over judged queries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Judged queries with a relevant document: what the means are over.
    pub queries: usize,
    /// Judged queries without a relevant document, left out.
    pub without_relevant: usize,
    /// Mean of the normalised discounted cumulated gain of the first 10.
    #[serde(rename = "ndcg@10")]
    pub ndcg_10: f64,
    /// Mean recall among the first 10.
    #[serde(rename = "recall@10")]
    pub recall_10: f64,
    /// Mean recall among the first 100.
    #[serde(rename = "recall@100")]
    pub recall_100: f64,
    /// Mean precision of the first 5.
    #[serde(rename = "precision@5")]
    pub precision_5: f64,
    /// Mean reciprocal rank of the first relevant document among the first 10.
    #[serde(rename = "mrr@10")]
    pub mrr_10: f64,
}

/// What one query scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryScores {
    /// The query's name.
    pub query: String,
    /// Its measures: an evaluation of this query alone.
    #[serde(flatten)]
    pub scores: Evaluation,
}

/// The means over all judged queries; all 0 where there are none.
pub fn evaluate(run: &Run, judgements: &Judgements) -> Evaluation {
    mean(judgements.queries().map(|query| evaluate_query(run, judgements, query)))
}

/// The means over the judged queries of each label. Queries for which `label` gives `None` are left out.
pub fn evaluate_by<'a>(
    run: &Run,
    judgements: &Judgements,
    label: impl Fn(&str) -> Option<&'a str>,
) -> BTreeMap<String, Evaluation> {
    let mut groups: BTreeMap<String, Vec<Evaluation>> = BTreeMap::new();
    for query in judgements.queries() {
        if let Some(label) = label(query) {
            let scores = evaluate_query(run, judgements, query);
            groups.entry(label.to_owned()).or_default().push(scores);
        }
    }
    groups.into_iter().map(|(label, scores)| (label, mean(scores))).collect()
}

/// Each judged query by itself, by name: to see which ones a change made better or worse.
pub fn evaluate_queries(run: &Run, judgements: &Judgements) -> Vec<QueryScores> {
    let scores =
        |query: &str| QueryScores { query: query.to_owned(), scores: evaluate_query(run, judgements, query) };
    judgements.queries().map(scores).collect()
}

fn evaluate_query(run: &Run, judgements: &Judgements, query: &str) -> Evaluation {
    let ideal = judgements.relevant_grades(query);
    if ideal.is_empty() {
        return Evaluation { without_relevant: 1, ..Evaluation::default() };
    }
    let grades = run.grades(query, judgements);
    Evaluation {
        queries: 1,
        without_relevant: 0,
        ndcg_10: measure::ndcg(&grades, &ideal, 10),
        recall_10: measure::recall(&grades, &ideal, 10),
        recall_100: measure::recall(&grades, &ideal, 100),
        precision_5: measure::precision(&grades, 5),
        mrr_10: measure::reciprocal_rank(&grades, 10),
    }
}

fn mean(scores: impl IntoIterator<Item = Evaluation>) -> Evaluation {
    let mut sum = Evaluation::default();
    for one in scores {
        sum.queries += one.queries;
        sum.without_relevant += one.without_relevant;
        for (sum, one) in sum.measures().into_iter().zip(one.clone().measures()) {
            *sum += *one;
        }
    }
    let queries = sum.queries.max(1) as f64;
    sum.measures().into_iter().for_each(|measure| *measure /= queries);
    sum
}

impl Evaluation {
    fn measures(&mut self) -> [&mut f64; 5] {
        [
            &mut self.ndcg_10,
            &mut self.recall_10,
            &mut self.recall_100,
            &mut self.precision_5,
            &mut self.mrr_10,
        ]
    }
}

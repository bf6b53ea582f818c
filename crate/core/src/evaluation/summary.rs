use super::{
    Judgements, Run,
    interval::{Interval, RESAMPLES, SEED, bootstrap},
    measure::Measure,
};
use serde::Serialize;
use std::collections::BTreeMap;

/// The means of a run over judged queries. In JSON the means are fields of their own.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Evaluation {
    /// Judged queries with a relevant document: what the means are over.
    pub queries: usize,
    /// Judged queries without a relevant document, left out.
    pub without_relevant: usize,
    /// The mean of each measure; 0 without queries.
    #[serde(flatten)]
    pub means: BTreeMap<Measure, f64>,
    /// The 95 % confidence interval of each mean: a bootstrap over the queries with a fixed seed.
    pub intervals: BTreeMap<Measure, Interval>,
}

/// What one query scores.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryScores {
    /// The query's name.
    pub query: String,
    /// Its measures; empty for a query without a relevant document.
    #[serde(flatten)]
    pub scores: BTreeMap<Measure, f64>,
}

/// The means over all judged queries.
pub fn evaluate(run: &Run, judgements: &Judgements, measures: &[Measure]) -> Evaluation {
    summarise(judgements.queries().map(|query| score(run, judgements, query, measures)), measures)
}

/// The means over the judged queries of each label. Queries for which `label` gives `None` are left out.
pub fn evaluate_by<'a>(
    run: &Run,
    judgements: &Judgements,
    measures: &[Measure],
    label: impl Fn(&str) -> Option<&'a str>,
) -> BTreeMap<String, Evaluation> {
    let mut groups: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for query in judgements.queries() {
        if let Some(label) = label(query) {
            groups.entry(label.to_owned()).or_default().push(score(run, judgements, query, measures));
        }
    }
    groups.into_iter().map(|(label, scores)| (label, summarise(scores, measures))).collect()
}

/// Each judged query by itself, by name: to see which ones a change made better or worse.
pub fn evaluate_queries(run: &Run, judgements: &Judgements, measures: &[Measure]) -> Vec<QueryScores> {
    let scores = |query: &str| {
        let values = score(run, judgements, query, measures).into_iter().flatten();
        QueryScores { query: query.to_owned(), scores: measures.iter().copied().zip(values).collect() }
    };
    judgements.queries().map(scores).collect()
}

/// The measures of one query, in their order; `None` where nothing is relevant to it.
fn score(run: &Run, judgements: &Judgements, query: &str, measures: &[Measure]) -> Option<Vec<f64>> {
    let ideal = judgements.relevant_grades(query);
    let grades = run.grades(query, judgements);
    (!ideal.is_empty()).then(|| measures.iter().map(|measure| measure.of(&grades, &ideal)).collect())
}

fn summarise(scores: impl IntoIterator<Item = Option<Vec<f64>>>, measures: &[Measure]) -> Evaluation {
    let scores: Vec<_> = scores.into_iter().collect();
    let judged = scores.len();
    let rows: Vec<_> = scores.into_iter().flatten().collect();
    let mean = |column: usize| rows.iter().map(|row| row[column]).sum::<f64>() / rows.len().max(1) as f64;
    Evaluation {
        queries: rows.len(),
        without_relevant: judged - rows.len(),
        means: measures.iter().enumerate().map(|(column, &measure)| (measure, mean(column))).collect(),
        intervals: measures.iter().copied().zip(bootstrap(&rows, RESAMPLES, SEED)).collect(),
    }
}

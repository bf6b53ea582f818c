//! The figures, as a table or as JSON, and their floors.

use super::Latencies;
use crate::{Usage, options::mode_name, output};
use anyhow::{Context, Result};
use querent_core::{
    engine::Stats,
    evaluation::{
        Evaluation, Interval, Judgements, Measure, Percentiles, Run, beir::BeirQuery, evaluate, evaluate_by,
        percentiles,
    },
    query::SearchMode,
};
use serde::Serialize;
use std::{collections::BTreeMap, fs, path::Path};

/// Least values: by mode, then by measure.
pub(super) type Floors = BTreeMap<String, BTreeMap<String, f64>>;

/// The figures of one mode.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ModeReport {
    mode: &'static str,
    #[serde(flatten)]
    all: Evaluation,
    by_type: BTreeMap<String, Evaluation>,
    latency_ms: BTreeMap<String, Percentiles>,
}

/// What `--json` prints: the figures of the one mode, or of the last one and all of them under `modes`.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    last: ModeReport,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    modes: BTreeMap<&'static str, ModeReport>,
    index: Stats,
}

/// Reads the file of `--floor`.
///
/// # Errors
/// When it is not of the form `{"lexical": {"ndcg@10": 0.5}}`.
pub(super) fn read_floors(path: &Path) -> Result<Floors> {
    let text = fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    let floors: Floors = serde_json::from_slice(&text).map_err(|error| {
        Usage(format!("{}: {error}; expected {{\"lexical\": {{\"ndcg@10\": 0.5}}}}", path.display()))
    })?;
    Ok(floors)
}

impl ModeReport {
    /// Judges `run`.
    pub(super) fn new(
        mode: SearchMode,
        run: &Run,
        judgements: &Judgements,
        queries: &[BeirQuery],
        measures: &[Measure],
        latencies: &Latencies,
    ) -> Self {
        let kinds: BTreeMap<&str, &str> =
            queries.iter().filter_map(|query| Some((query.id.as_str(), query.kind.as_deref()?))).collect();
        let stages = latencies.iter().filter_map(|(stage, times)| Some((stage.clone(), percentiles(times)?)));
        Self {
            mode: mode_name(mode),
            all: evaluate(run, judgements, measures),
            by_type: evaluate_by(run, judgements, measures, |query| kinds.get(query).copied()),
            latency_ms: stages.collect(),
        }
    }
}

impl Report {
    /// The report of one mode or several.
    ///
    /// # Panics
    /// Without any mode.
    pub(super) fn new(reports: Vec<ModeReport>, index: Stats) -> Self {
        let last = reports.last().expect("at least one mode is measured").clone();
        let several = reports.len() > 1;
        let modes = reports.into_iter().filter(|_| several).map(|report| (report.mode, report)).collect();
        Self { last, modes, index }
    }

    fn reports(&self) -> Vec<&ModeReport> {
        if self.modes.is_empty() { vec![&self.last] } else { self.modes.values().collect() }
    }

    /// Prints JSON, or tables for people.
    ///
    /// # Errors
    /// When stdout cannot be written.
    pub(super) fn print(&self, json: bool) -> Result<()> {
        if json { output::json(self) } else { output::line(self.tables().trim_end()) }
    }

    fn tables(&self) -> String {
        let Stats { documents, chunks, questions, vectors, .. } = self.index;
        let mut text =
            format!("{documents} documents, {chunks} chunks, {questions} questions, {vectors} vectors\n");
        for report in self.reports() {
            text += &format!("\n{}\n", report.mode);
            text += &headings(&report.all);
            text += &row("all", &report.all);
            for (kind, evaluation) in &report.by_type {
                text += &row(&output::plain(kind), evaluation);
            }
            text += &format!("{:<14}{:>9}{:>9}{:>9}{:>9}\n", "milliseconds", "p50", "p90", "p95", "p99");
            for (stage, Percentiles { p50, p90, p95, p99, .. }) in &report.latency_ms {
                text += &format!("  {stage:<12}{p50:>9.2}{p90:>9.2}{p95:>9.2}{p99:>9.2}\n");
            }
        }
        text
    }

    /// The measures that lie below their floors, one sentence each.
    ///
    /// # Errors
    /// When a floor is of an unknown measure, or when no floor is of a mode that was measured.
    pub(super) fn breaches(&self, floors: &Floors) -> Result<Vec<String>> {
        let mut breaches = Vec::new();
        let mut compared = 0;
        for report in self.reports() {
            let figures = serde_json::to_value(&report.all)?;
            for (measure, floor) in floors.get(report.mode).into_iter().flatten() {
                let Some(figure) = figures.get(measure).and_then(serde_json::Value::as_f64) else {
                    let measured = report.all.means.keys().map(Measure::to_string).collect::<Vec<_>>();
                    return Err(Usage(format!(
                        "--floor: {measure:?} is not among the measures; expected one of {}",
                        measured.join(", ")
                    ))
                    .into());
                };
                compared += 1;
                if figure < *floor {
                    breaches.push(format!("{}: {measure} is {figure:.4}, its floor is {floor}", report.mode));
                }
            }
        }
        if compared == 0 {
            return Err(
                Usage("--floor: expected floors of a mode that is measured, found none".into()).into()
            );
        }
        Ok(breaches)
    }
}

/// Columns are as wide as their measures' names, and wide enough for an interval.
fn headings(evaluation: &Evaluation) -> String {
    let names = evaluation.means.keys().map(|measure| format!("  {measure:>9}"));
    format!("{:<14}{}  queries\n", "", names.collect::<String>())
}

/// The means, and below them their 95 % confidence intervals.
fn row(name: &str, evaluation: &Evaluation) -> String {
    let (mut means, mut intervals) = (String::new(), String::new());
    for (measure, mean) in &evaluation.means {
        let width = 2 + measure.to_string().len().max(9);
        let Interval(low, high) = evaluation.intervals.get(measure).copied().unwrap_or_default();
        means += &format!("{mean:>width$.4}");
        intervals += &format!("{:>width$}", format!("{low:.2}-{high:.2}"));
    }
    format!("  {name:<12}{means}{:>9}\n{:<14}{intervals}\n", evaluation.queries, "")
}

"""Compares every figure that `querent eval --json` printed with what ir_measures makes of eval's own TREC run.

Usage: judge.py REPORT.json RUN QUERIES QRELS

Where the report is of several modes (`--mode all`), RUN is the name that eval was given: run.trec for
run.lexical.trec, run.semantic.trec and so on. Exit status 1 if a figure differs by more than 1e-6.
"""

import argparse
import json
import sys
from pathlib import Path

from measures import as_ir_measures, per_query, read_qrels, read_queries, read_run, summary, types_of

TOLERANCE = 1e-6


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ["report", "run", "queries", "qrels"]:
        arguments.add_argument(name, type=Path)
    args = arguments.parse_args()
    report = json.loads(args.report.read_text("utf-8"))
    qrels = read_qrels(args.qrels)
    types = types_of(read_queries(args.queries))
    compared, differences = compare_report(report, args.run, qrels, types)
    for difference in differences:
        print(difference, file=sys.stderr)
    print(f"{compared} figures compared with ir_measures, {len(differences)} differ by more than {TOLERANCE}")
    return 1 if differences or compared == 0 else 0


def compare_report(report, path, qrels, types):
    """How many figures were compared, and a sentence for each that differs."""
    compared, differences = 0, []
    for mode, figures in (report.get("modes") or {report["mode"]: report}).items():
        run = path.with_suffix(f".{mode}{path.suffix}") if report.get("modes") else path
        for name, difference in compare(mode, figures, read_run(run), qrels, types):
            compared += 1
            if difference:
                differences.append(f"{name}: {difference}")
    return compared, differences


def compare(mode, report, run, qrels, types):
    """Pairs of a figure's name and what is wrong with it, None for nothing."""
    names = measures_of(report)
    figures = per_query(run, qrels, names)
    yield from compare_group(f"{mode}, all", report, figures, names)
    judged = {label: queries & figures.keys() for label, queries in types.items()}
    missing = {label for label, queries in judged.items() if queries} ^ {
        label for label, group in report["by_type"].items() if group["queries"]
    }
    yield f"{mode}, types", f"only one side has {sorted(missing)}" if missing else None
    for label, group in report["by_type"].items():
        if group["queries"] and label not in missing:
            of_type = {query: figures[query] for query in judged[label]}
            yield from compare_group(f"{mode}, {label}", group, of_type, names)


def measures_of(report):
    """The names of the measures. A number with an unknown name would go unjudged: it is an error."""
    names = list(report["intervals"])
    fields = {name for name, value in report.items() if isinstance(value, (int, float))}
    unknown = fields ^ {*names, "queries", "without_relevant"}
    unknown |= {name for name in names if as_ir_measures(name, {1}) is None}
    if unknown:
        raise ValueError(f"expected a mean and an interval of known measures, found {sorted(unknown)}")
    return names


def compare_group(where, report, figures, names):
    expected = summary(figures, names)
    pairs = [("queries", report["queries"], expected["queries"])]
    for name in names:
        pairs.append((name, report[name], expected[name]))
        for end, got, wanted in zip(["low", "high"], report["intervals"][name], expected["intervals"][name]):
            pairs.append((f"{name} ({end} end)", got, wanted))
    for name, got, wanted in pairs:
        close = abs(got - wanted) <= TOLERANCE
        yield f"{where}, {name}", None if close else f"eval says {got}, ir_measures {wanted}"


if __name__ == "__main__":
    sys.exit(main())

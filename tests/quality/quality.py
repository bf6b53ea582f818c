"""Writes docs/quality.md: Querent's modes beside other engines on the same documents and queries.

Usage: quality.py --querent PROGRAM --work FOLDER --cache FOLDER [--data FOLDER] [--sets own,docs-rust,faq,scifact]
                  [--modes lexical,semantic,hybrid,table,rerank] [--out docs/quality.md]
                  [--rerank-sets own,docs-rust,faq,by-project,scifact] [--rerank-options="--rerank-candidates 50"]

A reranker takes seconds for a query: --rerank-sets says where it is worth the time, --rerank-options goes to
`querent eval` as it is, and is named in the table.

Every ranking is a TREC run, judged by tests/judge/measures.py; what `querent eval` says of its own is compared with
that, and a difference ends the program. Sets and modes that are left out are named in the table.
"""

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "judge"))

from engines import MODES, RERANK, TABLE, Querent, peers, run_peer
from measures import per_query, read_qrels, read_queries, summary, types_of
from report import NAMES, write
from sets import ROOT, prepare

# The name of faq's parts in --rerank-sets.
BY_PROJECT = "by-project"


@dataclass
class Row:
    """An engine's figures over a set."""

    engine: str
    all: dict
    by_type: dict = field(default_factory=dict)
    # Percentiles by stage, for Querent's rows.
    latency: dict = field(default_factory=dict)


@dataclass
class Table:
    """A set's rows; for each part of a set the same rows over that part alone."""

    title: str
    about: str
    documents: int
    rows: list
    parts: list = field(default_factory=list)
    # The parts' queries in one mean: each query among its own part's documents.
    over_parts: list = field(default_factory=list)


def main():
    args = arguments()
    data = args.data.resolve() if args.data else None
    sets, left_out = prepare(args.work.resolve(), data, args.sets.split(","))
    querent = Querent(args.querent.resolve(), args.work.resolve() / "index", args.cache, args.rerank_options)
    modes = modes_of(args.modes.split(","), querent, left_out)
    reranked = args.rerank_sets.split(",")

    def modes_of_place(place):
        return modes_at(place, modes, reranked, left_out)

    tables = [measure(one, querent, modes_of_place, args.cache) for one in sets]
    write(args.out, tables, left_out, querent.compared)
    print(f"{args.out}: {querent.compared} of eval's figures compared with ir_measures, none differs")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--querent", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--sets", default="own,docs-rust,faq,scifact")
    parser.add_argument("--modes", default="lexical,semantic,hybrid,table,rerank")
    parser.add_argument("--rerank-sets", default=f"own,docs-rust,faq,{BY_PROJECT},scifact")
    parser.add_argument("--rerank-options", default="")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "quality.md")
    return parser.parse_args()


def modes_of(wanted, querent, left_out):
    modes = [mode for mode in MODES if mode in wanted]
    left_out += [f"Querent, {mode}: not asked for" for mode in MODES if mode not in wanted]
    if "table" in wanted:
        modes += TABLE
    else:
        left_out += [f"Querent, {mode}: not asked for" for mode in TABLE]
    if "rerank" not in wanted:
        left_out.append(f"Querent, {RERANK}: not asked for")
    elif not querent.reranks():
        left_out.append(f"Querent, {RERANK}: `querent eval` has no `--rerank` in this version")
    else:
        modes.append(RERANK)
    return modes


def modes_at(place, modes, reranked, left_out):
    """The modes to measure a set in, or the parts of one."""
    if RERANK not in modes or place in reranked:
        return modes
    left_out.append(f"{place}, {RERANK}: not asked for")
    return [mode for mode in modes if mode != RERANK]


def measure(one, querent, modes_of_place, cache):
    """The table of a set; `modes_of_place` says in which modes a set is measured, and the parts of one."""
    rows, _, _ = rows_of(one, querent, modes_of_place(one.name), cache)
    table = Table(one.title, one.about, len(one.documents.read_text("utf-8").splitlines()), rows)
    if one.parts:
        modes = modes_of_place(BY_PROJECT)
        by_part = [rows_of(part, querent, modes, cache) for part in one.parts]
        table.parts = [(part.title, rows) for part, (rows, _, _) in zip(one.parts, by_part)]
        together = {query: grades for _, _, qrels in by_part for query, grades in qrels.items()}
        for engine in by_part[0][1]:
            run = {query: ranking for _, runs, _ in by_part for query, ranking in runs[engine].items()}
            table.over_parts.append(row_of(engine, run, together, {}))
    return table


def rows_of(one, querent, modes, cache):
    """The rows of a set without its parts, with the runs and judgements that they come from."""
    print(f"{one.name}: Querent", file=sys.stderr)
    qrels, types = read_qrels(one.qrels), types_of(read_queries(one.queries))
    rows, runs = [], {}
    for mode, (report, run) in querent.run(one, modes).items():
        engine = f"Querent, {mode}"
        if mode == RERANK and querent.rerank_options:
            engine += f" (`{querent.rerank_options}`)"
        runs[engine] = run
        rows.append(row_of(engine, run, qrels, types, report["latency_ms"]))
    for peer in peers():
        print(f"{one.name}: {peer.name}", file=sys.stderr)
        runs[peer.name] = run_peer(peer, one, cache)
        rows.append(row_of(peer.name, runs[peer.name], qrels, types))
    return rows, runs, qrels


def row_of(engine, run, qrels, types, latency=None):
    figures = per_query(run, qrels, NAMES)
    by_type = {}
    for label in sorted(types):
        group = {query: figures[query] for query in types[label] & figures.keys()}
        if group:
            by_type[label] = summary(group, NAMES)
    return Row(engine, summary(figures, NAMES), by_type, latency or {})


if __name__ == "__main__":
    main()

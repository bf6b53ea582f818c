"""What the judge and the table of qualities share: judged sets and runs from files, and figures by ir_measures.

The means are those of ir_measures, which asks trec_eval's own code. The bootstrap is written a second time here,
from the description in crate/core/src/evaluation/interval.rs, with the same generator.
"""

import json
import re
from collections import defaultdict
from pathlib import Path

import ir_measures
import numpy
from ir_measures import RR, P, R, nDCG

RESAMPLES = 10_000
SEED = 1


def as_ir_measures(name, grades):
    """The measure of ir_measures for one of Querent's names; None for a name that is none.

    nDCG's exponential gain is given grade by grade: the `exp-log2` of ir_measures goes through another program,
    which rounds to five digits.
    """
    if name == "mrr":
        return RR
    found = re.fullmatch(r"(ndcg|ndcg-linear|recall|precision|mrr)@(\d+)", name)
    if not found:
        return None
    measure, k = found[1], int(found[2])
    if measure == "ndcg":
        return nDCG(gains={grade: 2**grade - 1 for grade in grades}) @ k
    return {"ndcg-linear": nDCG, "recall": R, "precision": P, "mrr": RR}[measure] @ k


def column(name):
    """A name as `eval --run` writes it: white space as in a URL."""
    return re.sub(r"\s", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


def read_qrels(path):
    """Grades above 0 by query and document; queries without one are left out, as eval leaves them out."""
    qrels = defaultdict(dict)
    for at, line in enumerate(Path(path).read_text("utf-8-sig").splitlines()):
        columns = [part.strip() for part in line.split("\t")]
        if not line.strip() or (at == 0 and not columns[-1].lstrip("-").isdigit()):
            continue
        query, document, grade = columns
        if int(grade) > 0:
            qrels[column(query)][column(document)] = int(grade)
    return dict(qrels)


def read_queries(path):
    """The objects of queries.jsonl, in its order."""
    return [json.loads(line) for line in Path(path).read_text("utf-8-sig").splitlines() if line.strip()]


def types_of(queries):
    """The names of the queries of each type."""
    types = defaultdict(set)
    for query in queries:
        if query.get("type") is not None:
            types[query["type"]].add(column(str(query["_id"])))
    return dict(types)


def read_run(path):
    """Scores by query and document of a TREC run.

    Whoever judges a run sorts by score: one whose scores do not fall strictly from rank to rank, in the 32 bits
    that trec_eval keeps, would be judged in another order than it was written, and is refused.
    """
    run = defaultdict(dict)
    last = {}
    for at, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1):
        parts = line.split(" ")
        if len(parts) != 6:
            raise ValueError(f"{path}, line {at}: expected six columns, found {len(parts)}")
        query, _, document, rank, score, _ = parts
        if int(rank) != len(run[query]) + 1 or document in run[query]:
            raise ValueError(f"{path}, line {at}: expected rank {len(run[query]) + 1} and a new document")
        if not numpy.float32(score) < last.get(query, numpy.float32("inf")):
            raise ValueError(f"{path}, line {at}: expected a score below the one before, found {score}")
        last[query] = numpy.float32(score)
        run[query][document] = float(score)
    return dict(run)


def write_run(path, rankings, tag):
    """Writes a TREC run of `rankings`, names of documents by query, best first. The scores are made from the ranks."""
    lines = [
        f"{column(query)} Q0 {column(document)} {rank} {len(documents) - rank + 1} {tag}\n"
        for query, documents in rankings.items()
        for rank, document in enumerate(documents, 1)
    ]
    Path(path).write_text("".join(lines), "utf-8")


def per_query(run, qrels, names):
    """Figures by query, then by name. A query that the run lacks counts 0.

    One measure is asked for at a time: asked for both kinds of nDCG at once, ir_measures 0.4.3 may compute the linear
    one with the gains of the other, as the order in a set has it.
    """
    grades = {grade for documents in qrels.values() for grade in documents.values()}
    rankings = {query: run.get(query, {}) for query in qrels}
    figures = {query: {} for query in sorted(qrels)}
    for name in names:
        for metric in ir_measures.iter_calc([as_ir_measures(name, grades)], qrels, rankings):
            figures[metric.query_id][name] = metric.value
    return figures


def summary(figures, names):
    """Means and 95 % intervals by name over the queries of `figures`, with their number under `queries`."""
    rows = numpy.array([[figures[query][name] for name in names] for query in sorted(figures)])
    intervals = bootstrap(rows)
    return {
        "queries": len(rows),
        **{name: float(mean) for name, mean in zip(names, rows.mean(axis=0))},
        "intervals": {name: [float(end) for end in interval] for name, interval in zip(names, intervals)},
    }


def bootstrap(rows):
    """The ends of the middle 95 % of the means of RESAMPLES draws of the rows, for each column."""
    count = len(rows)
    numbers = split_mix(RESAMPLES * count)
    drawn = ((numbers >> numpy.uint64(32)) * numpy.uint64(count)) >> numpy.uint64(32)
    drawn = drawn.reshape(RESAMPLES, count).astype(numpy.intp)
    outside = RESAMPLES * 25 // 1000
    ends = []
    for values in rows.T:
        means = numpy.sort(values[drawn].sum(axis=1) / count)
        ends.append((means[outside], means[-1 - outside]))
    return ends


def split_mix(count):
    """The first numbers of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) from SEED on."""
    with numpy.errstate(over="ignore"):
        state = numpy.uint64(SEED) + numpy.arange(1, count + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        return state ^ (state >> numpy.uint64(31))

"""The text of docs/quality.md. The same figures give the same bytes; only times differ between two runs."""

import os

from goals import met

NAMES = ["ndcg@10", "ndcg-linear@10", "recall@10", "mrr@10"]

HEAD = """# Search quality

Querent's modes beside other engines, on the same documents and queries in the same run. `./build.sh eval DATA` writes
this file; [measuring search quality](guides/evaluation.md) says how to measure on a site of your own.

- **nDCG@10** is the quality of the order of the first ten results, with the gain 2^grade - 1; *linear* takes the grade
  as gain. **recall@10** is the share of the relevant documents among the first ten, **MRR@10** the mean of one over
  the place of the first relevant one.
- **95 %** is the confidence interval of the nDCG@10 before it: a bootstrap over the queries with 10,000 draws and a
  fixed seed. Where the intervals of two rows overlap widely, the set does not tell which is better.
- One judge, [tests/judge](../tests/judge/README.md), computes every figure from TREC runs with `ir_measures`.
  `querent eval` computed its own rows, too: {compared:,} figures compared, none differs by more than 1e-6.
- **Querent, semantic** ranks by the vectors of all-MiniLM-L6-v2 alone, best chunk per document: it is the MiniLM
  reference. **Querent, table alone** and **lexical + table** are what a browser has that never loads the model: the
  [table](decisions/0015-a-query-encoder-of-rows.md) embeds the query. **BM25** is bm25s over whole documents (k1 1.2, b 0.75, Snowball English, English stop words).
  **MiniSearch** runs in Node.js with title boost 2, fuzzy 0.2 and prefix, **Pagefind** in Chromium with its defaults.
  [tests/quality](../tests/quality/README.md) has the scripts and versions.
- **ms** is the median time of one query on {machine}, from its text to the hits with theirs, the index in memory,
  natively; beside it the stages that take 1 % at least. *embedding* is the query's own, *assembly* reads and cuts the
  texts of 100 hits. The shares hardly depend on the machine, the milliseconds do.
"""


def write(path, tables, left_out, compared):
    """Writes the file at `path`."""
    parts = [HEAD.format(compared=compared, machine=machine())]
    parts += [text_of(table) for table in tables]
    goals = met(tables)
    if goals:
        parts.append("## Goals\n\n" + goals_of(goals))
    if left_out:
        parts.append("## Left out\n\n" + "".join(f"- {reason}\n" for reason in left_out))
    path.write_text("\n".join(parts), "utf-8")


def goals_of(rows):
    """What was to be reached, and what was. A goal that is not reached says what limits it."""
    cells = [[*row[:4], row[4] if row[4] >= row[3] else f"{row[4]} (missed)", row[5]] for row in rows]
    return grid(["set", "queries", "mode", "goal, nDCG@10", "measured", "what limits it"], cells, best=[])


def machine():
    return f"a {os.cpu_count()}-core {'CI machine' if os.environ.get('CI') else 'machine'}"


def text_of(table):
    queries = table.rows[0].all["queries"]
    text = f"## {table.title}\n\n{table.about} {table.documents:,} documents, {queries:,} judged queries.\n\n"
    text += grid(
        ["", "nDCG@10", "95 %", "linear", "recall@10", "MRR@10", "ms", "of which"],
        [[row.engine, *figures(row.all), *times(row.latency)] for row in table.rows],
        best=[1, 3, 4, 5],
    )
    types = table.rows[0].by_type
    if types:
        text += "\nnDCG@10 with its interval, by type of query:\n\n"
        headings = ["", *(f"{label} ({group['queries']})" for label, group in types.items())]
        rows = [[row.engine, *(short(row.by_type[label]) for label in types)] for row in table.rows]
        text += grid(headings, rows, best=range(1, len(headings)))
    if table.parts:
        text += parts_of(table)
    return text


def parts_of(table):
    """The parts' queries in one mean, and each part's nDCG@10."""
    queries = table.over_parts[0].all["queries"]
    text = f"\nBy project: {queries} queries, each searched among its own project's answers.\n\n"
    headings = ["", "nDCG@10", "95 %", "linear", "recall@10", "MRR@10"]
    text += grid(headings, [[row.engine, *figures(row.all)] for row in table.over_parts], best=[1, 3, 4, 5])
    text += "\nnDCG@10 of each project:\n\n"
    headings = ["", *(f"{title} ({rows[0].all['queries']})" for title, rows in table.parts)]
    of_part = [[f"{row.all['ndcg@10']:.3f}" for row in rows] for _, rows in table.parts]
    cells = [[row.engine, *values] for row, *values in zip(table.over_parts, *of_part)]
    return text + grid(headings, cells, best=range(1, len(headings)))


def figures(summary):
    ndcg, linear, recall, mrr = (f"{summary[name]:.3f}" for name in NAMES)
    return [ndcg, interval(summary), linear, recall, mrr]


def short(summary):
    return f"{summary['ndcg@10']:.3f} ({interval(summary)})"


def interval(summary):
    low, high = summary["intervals"]["ndcg@10"]
    return f"{low:.2f}-{high:.2f}"


def times(latency):
    """The median of the whole, and the share of each stage that takes 1 % at least, the longest first."""
    if not latency:
        return ["", ""]
    stages = {stage: percentiles["p50"] for stage, percentiles in latency.items() if stage != "total"}
    whole = sum(stages.values())
    shares = sorted(((ms / whole if whole else 0, stage) for stage, ms in stages.items()), reverse=True)
    parts = [f"{stage} {stages[stage]:.2g} ({100 * share:.0f} %)" for share, stage in shares if share >= 0.01]
    return [f"{latency['total']['p50']:.2g}", ", ".join(parts)]


def grid(headings, rows, best):
    """A table of Markdown; the highest value of each of the columns `best` is bold."""
    cells = [list(row) for row in rows]
    for column in best:
        highest = max(row[column].split(" ")[0] for row in rows)
        for row in cells:
            value, *rest = row[column].split(" ", 1)
            if value == highest:
                row[column] = " ".join([f"**{value}**", *rest])
    lines = [headings, ["---"] * len(headings), *cells]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

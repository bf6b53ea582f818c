"""The text of docs/questions.md. The same replies and the same program give the same bytes; only seconds differ."""

from goals import goals_of
from rows import BASELINE
from significance import DRAWS, p_value

HEAD = """# What questions do for a search

Querent's search without questions, with those that rules find, and with those of small language models, over the same
documents and queries. `./build.sh eval-questions DATA` writes this file from the kept replies in
[tests/questions](../tests/questions/README.md), without a model.

- Every figure is the mean over the queries of a sample; the big ones are **nDCG@10**. Behind it stands the difference from
  *{baseline}*, the first row, in the same mode, with the p of a paired randomisation test (two-sided, {draws:,} draws of signs,
  a fixed seed). A difference with p above 0.05 may well be chance, and with twenty differences to a table one in twenty
  below it is. Where a single query differs, p is 1.
- **lexical** is search by words alone, with no model and no vectors. **semantic** ranks by the vectors of MiniLM alone,
  **hybrid** by both. **lexical + table** is what a browser has that never loads the model: the index's own
  [table](decisions/0015-a-query-encoder-of-rows.md) embeds the query.
- **+ evaluator**: the [question evaluator](guides/questions.md) chose which questions are searched, by meaning or by the
  **cross-encoder**. **+ embedded**: questions have vectors of their own (`--embed-questions`); otherwise semantic search knows
  nothing of questions. **- context**: chunks are embedded without their title and headings (`--context none`).
- **bytes** are all of the index, vectors among them. **s** is how long it takes to build and open where every embedding and
  every reply is known, once, on a machine that may be busy with other work: read it as an order of magnitude. What the model itself
  takes is in [questions by a model](questions-by-model.md): 8 seconds a chunk for the 0.5B on an idle thread, 28 for the 1.5B.
- Samples are small, because the models are slow on one thread of an ordinary processor. A sample is a collection of its own,
  and all its documents were given to the model: its figures cannot be compared with those of [quality.md](quality.md). Settings were tried on the first sample
  and on go and redux, which are not in the table ([decision 20](decisions/0020-what-small-models-can-give.md)); the other samples
  judge them. Nothing was changed for them in the end.
"""


# What no run of this program measures.
NEVER = [
    "scifact: its 5,183 abstracts would take the 0.5B half a day at 8 seconds a chunk, and a sample of a hundred says nothing",
    "questions by rules and by a model together: no more than by the model alone, decision 20",
    "`--context llm`: one more request per chunk, and no replies are kept",
]


def write(path, tables, replies, left_out):
    """Writes the file at `path`."""
    parts = [HEAD.format(baseline=BASELINE, draws=DRAWS)]
    parts += [text_of(table) for table in tables]
    parts.append(goals_of(tables))
    parts.append(provenance(replies))
    parts.append("## Left out\n\n" + "".join(f"- {reason}\n" for reason in [*left_out, *NEVER]))
    path.write_text("\n".join(parts), "utf-8")


def text_of(table):
    """A sample: its rows, their other measures, and its parts."""
    sample = table.sample
    queries = len(next(iter(table.rows[0].figures.values())))
    text = f"## {sample.title}\n\n{sample.about} {sample.documents:,} documents, {queries:,} queries.\n\n"
    text += differences(table.rows)
    text += "\nrecall@10 and MRR@10:\n\n" + others(table.rows)
    if table.over_parts:
        text += "\nEach query among its own project's answers only, nDCG@10:\n\n" + differences(table.over_parts, False)
        text += "\n" + by_part(table.parts)
    return text


def differences(rows, with_cost=True):
    """nDCG@10 of each row in each mode, with the difference from the first row."""
    modes = list(rows[0].figures)
    headings = ["", *modes, *(["bytes", "s"] if with_cost else [])]
    cells = []
    for row in rows:
        seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
        cost = [f"{row.bytes:,}", seconds] if with_cost else []
        shown = [difference(rows[0], row, mode) if mode in row.figures else "" for mode in modes]
        cells.append([row.row.name, *shown, *cost])
    return grid(headings, cells)


def difference(first, row, mode):
    """`0.712 (+0.020, p 0.03)`; the mean alone where it is the first row, or equal to it by every query."""
    mean = f"{row.mean(mode, 'ndcg@10'):.3f}"
    before, after = first.by_query(mode), row.by_query(mode)
    if row is first or before == after:
        return mean
    return f"{mean} ({row.mean(mode, 'ndcg@10') - first.mean(mode, 'ndcg@10'):+.3f}, p {shown(p_value(before, after))})"


def shown(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}" if p < 0.01 else f"{p:.2f}"


def others(rows):
    """recall@10 and MRR@10 of each row in each mode."""
    modes = list(rows[0].figures)
    cells = [[row.row.name, *(two(row, mode, "recall@10", "mrr@10") for mode in modes)] for row in rows]
    return grid(["", *modes], cells)


def two(row, mode, one, other):
    return f"{row.mean(mode, one):.3f}, {row.mean(mode, other):.3f}" if mode in row.figures else ""


def by_part(parts):
    """The lexical and the hybrid nDCG@10 of each part, each a collection of its own."""
    # A model may have been asked about some of the parts only.
    names = dict.fromkeys(row.row.name for _, rows in parts for row in rows)
    cells = []
    for name in names:
        found = [next((row for row in rows if row.row.name == name), None) for _, rows in parts]
        cells.append([name, *(pair(row) if row else "" for row in found)])
    headings = ["lexical, hybrid", *(f"{part.title} ({len(rows[0].by_query('lexical'))})" for part, rows in parts)]
    return grid(headings, cells)


def pair(row):
    return f"{row.mean('lexical', 'ndcg@10'):.3f}, {row.mean('hybrid', 'ndcg@10'):.3f}"


def provenance(replies):
    """What the kept replies are, by model."""
    cells = []
    for model, rows in replies.items():
        used = [row["usage"] for row in rows if row.get("usage")]
        sent = sum(usage["prompt_tokens"] for usage in used)
        received = sum(usage["completion_tokens"] for usage in used)
        versions = ", ".join(str(version) for version in sorted({row["prompt"] for row in rows}))
        cells.append([model, versions, f"{len(rows):,}", f"{sent:,}", f"{received:,}"])
    text = "## The replies\n\nOne request per chunk, temperature 0.3, up to five questions.\n\n"
    return text + grid(["model", "version of the prompt", "replies", "tokens sent", "received"], cells)


def grid(headings, rows):
    """A table of Markdown."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

"""The goals of issue 5, and how far the samples reach them."""

from engine import TABLE
from rows import BASELINE

HYBRID_GAIN = 0.03

AIMS = """Aimed at: over all FAQs together, words with a model's questions reach 0.78 without model and vectors in the browser (0.725
without questions), and with the table the 0.848 of MiniLM's vectors; hybrid search gains 0.03 over the FAQs and over docs-rust's
questions. The models could not be asked about all of either, so the samples have to say how far they carry. Each line takes the
best row by a model, which flatters it.
"""


def goals_of(tables):
    """The section about goals, from what was measured."""
    lines = []
    for table in tables:
        first = row_of(table, BASELINE)
        best = best_by_model(table, "lexical")
        if not first or not best:
            continue
        name = table.sample.title
        lines.append(
            f"- {name}: words alone reach {first.mean('lexical', 'ndcg@10'):.3f} without questions and "
            f"{best.mean('lexical', 'ndcg@10'):.3f} with those of a model (*{best.row.name}*); MiniLM's vectors alone "
            f"{first.mean('semantic', 'ndcg@10'):.3f}{with_table(table)}."
        )
        hybrid = best_by_model(table, "hybrid")
        gain = hybrid.mean("hybrid", "ndcg@10") - first.mean("hybrid", "ndcg@10")
        verdict = "reached" if gain >= HYBRID_GAIN else "missed"
        lines.append(
            f"- {name}: hybrid search with questions of a model (*{hybrid.row.name}*) differs by {gain:+.3f} from hybrid "
            f"without; the goal is {HYBRID_GAIN:+.2f}: {verdict}."
        )
    text = "\n".join(lines) if lines else "No sample with a model's questions was measured."
    return f"## Goals\n\n{AIMS}\n{text}\n"


def row_of(table, name):
    return next((row for row in table.rows if row.row.name == name), None)


def best_by_model(table, mode):
    """The best row by a model in `mode`: the most that could be claimed, not what may be expected elsewhere."""
    rows = [row for row in table.rows if row.row.model and mode in row.figures]
    return max(rows, key=lambda row: row.mean(mode, "ndcg@10"), default=None)


def with_table(table):
    best = best_by_model(table, TABLE)
    return f", words with a model's questions and the table {best.mean(TABLE, 'ndcg@10'):.3f}" if best else ""

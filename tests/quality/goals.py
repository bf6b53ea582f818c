"""What the project set out to reach, nDCG@10, and what keeps it from where it does not.

The notes are about the goals that were missed when they were last looked at; a reached goal shows none.
"""

NO_WORD = "documents that say it in other words than the query: [decision 8](decisions/0008-what-the-worst-queries-failed-on.md)"
WEIGHTS = "the two lists, not their mixture: [decision 18](decisions/0018-fusion-tried-again.md)"
VECTORS = "the embedding model: [decision 14](decisions/0014-what-did-not-help-vectors.md), [decision 17](decisions/0017-one-vector-per-chunk.md)"
FIFTH = "the cross-encoder is trained on web pages: [decision 6](decisions/0006-a-fifth-for-the-cross-encoder.md)"

LEXICAL, HYBRID, RERANKED = "Querent, lexical", "Querent, hybrid", "Querent, hybrid + rerank"
ALONE, TABLE = "Querent, table alone", "Querent, lexical + table"
ROWS = "what the table does not know of word order, [decision 16](decisions/0016-a-base-and-a-ranking-loss.md)"

# Set, type of query ("" for all), mode, goal, what limits it.
GOALS = [
    ("docs-rust", "", LEXICAL, 0.60, ""),
    ("docs-rust", "", HYBRID, 0.70, NO_WORD),
    ("docs-rust", "", RERANKED, 0.75, FIFTH),
    ("docs-rust", "question", LEXICAL, 0.42, ""),
    ("docs-rust", "question", HYBRID, 0.60, NO_WORD),
    ("docs-rust", "question", RERANKED, 0.68, FIFTH),
    ("docs-rust", "question", ALONE, 0.43, ROWS),
    ("docs-rust", "question", TABLE, 0.50, ROWS),
    ("docs-rust", "typo", LEXICAL, 0.63, ""),
    ("docs-rust", "typo", HYBRID, 0.68, ""),
    ("docs-rust", "identifier", LEXICAL, 0.85, ""),
    ("docs-rust", "identifier", HYBRID, 0.85, ""),
    ("docs-rust", "prefix", LEXICAL, 0.83, ""),
    ("docs-rust", "prefix", HYBRID, 0.83, WEIGHTS),
    ("scifact", "", LEXICAL, 0.69, WEIGHTS),
    ("scifact", "", HYBRID, 0.745, WEIGHTS),
    ("scifact", "", RERANKED, 0.755, FIFTH),
    ("scifact", "", ALONE, 0.58, ROWS),
    ("scifact", "", TABLE, 0.71, ROWS),
    ("faq", "", LEXICAL, 0.70, ""),
    ("faq", "", ALONE, 0.80, ROWS),
    ("faq", "", TABLE, 0.82, ROWS),
    ("faq", "", HYBRID, 0.87, VECTORS),
    ("faq", "", RERANKED, 0.90, FIFTH),
]


def met(tables):
    """A row for each goal whose set and mode were measured: set, type, mode, goal, measured, what limits it."""
    by_title = {table.title: table for table in tables}
    rows = []
    for title, label, mode, goal, limit in GOALS:
        table = by_title.get(title)
        row = next((row for row in table.rows if row.engine.split(" (")[0] == mode), None) if table else None
        figures = (row.by_type.get(label) if label else row.all) if row else None
        if figures:
            measured = round(figures["ndcg@10"], 3)
            rows.append([title, label or "all", mode, f"{goal:.3f}", f"{measured:.3f}", "" if measured >= goal else limit])
    return rows

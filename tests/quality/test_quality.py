"""Tests of the table of qualities that need no engine: its text, and the sets that it is made from.

Usage: python -m unittest discover tests/quality
"""

import json
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import report
import sets


def summary(ndcg, queries=20):
    means = {"ndcg@10": ndcg, "ndcg-linear@10": ndcg, "recall@10": 1.0, "mrr@10": 0.5}
    return {"queries": queries, **means, "intervals": {"ndcg@10": [0.25, 1.0]}}


def row(engine, ndcg, latency=None):
    by_type = {"typo": summary(ndcg, 7)}
    return SimpleNamespace(engine=engine, all=summary(ndcg), by_type=by_type, latency=latency or {})


def table(**more):
    times = {"embedding": {"p50": 9.0}, "lexical": {"p50": 0.95}, "fusion": {"p50": 0.05}, "total": {"p50": 10.2}}
    rows = [row("Querent", 0.75, times), row("Other", 0.5)]
    known = {"title": "Set", "about": "About.", "documents": 1234, "rows": rows, "parts": [], "over_parts": []}
    return SimpleNamespace(**{**known, **more})


class Report(unittest.TestCase):
    def test_rows(self):
        text = report.text_of(table())
        self.assertIn("1,234 documents, 20 judged queries.", text)
        expected = "| Querent | **0.750** | 0.25-1.00 | **0.750** | **1.000** | **0.500** | 10 | "
        # A stage under 1 % is no news.
        self.assertIn(expected + "embedding 9 (90 %), lexical 0.95 (10 %) |", text)
        self.assertIn("| Other | 0.500 | 0.25-1.00 | 0.500 | **1.000** | **0.500** |  |  |", text)
        self.assertIn("|  | typo (7) |\n| --- | --- |\n| Querent | **0.750** (0.25-1.00) |", text)

    def test_parts(self):
        rows = [row("Querent", 0.75), row("Other", 0.5)]
        text = report.text_of(table(parts=[("go", rows), ("vue", rows[::-1])], over_parts=rows))
        self.assertIn("By project: 20 queries", text)
        self.assertIn("|  | go (20) | vue (20) |\n| --- | --- | --- |\n| Querent | **0.750** | 0.500 |", text)

    def test_goals(self):
        docs_rust = table(title="docs-rust", rows=[row("Querent, lexical", 0.625), row("Querent, hybrid", 0.65)])
        docs_rust.rows[0].by_type = {"question": summary(0.4)}
        text = report.goals_of(report.met([docs_rust]))
        self.assertIn("| docs-rust | all | Querent, lexical | 0.600 | 0.625 |  |", text)
        self.assertIn("| docs-rust | question | Querent, lexical | 0.420 | 0.400 (missed) |", text)
        self.assertIn("| docs-rust | all | Querent, hybrid | 0.700 | 0.650 (missed) | documents that say", text)
        self.assertNotIn("faq", text)

    def test_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "quality.md"
            report.write(path, [table()], ["scifact: not asked for"], 1453)
            text = path.read_text("utf-8")
        self.assertIn("1,453 figures compared", text)
        self.assertTrue(text.endswith("## Left out\n\n- scifact: not asked for\n"))


class Sets(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_own_set_is_without_the_table(self):
        one = sets.own(self.folder / "own", None)
        self.assertTrue((self.folder / "own/docs/guides/evaluation.md").exists())
        self.assertFalse(any((self.folder / "own/docs" / name).exists() for name in sets.TABLES))
        self.assertEqual(one.source(), ["--docs", str(self.folder / "own/docs")])

    def test_missing_data_is_named(self):
        for data in [None, self.folder]:
            found, left_out = sets.prepare(self.folder / "work", data, ["faq"])
            self.assertEqual(found, [])
            self.assertIn("own: not asked for", left_out)
            self.assertTrue(any(reason.startswith("faq: the folder") for reason in left_out), left_out)

    def test_projects(self):
        counts = {"big": sets.LEAST_OF_A_PROJECT, "small": sets.LEAST_OF_A_PROJECT - 1}
        rows = [{"_id": f"{name}{at}", "metadata": {"project": name}} for name in counts for at in range(counts[name])]
        sets.write_lines(self.folder / "corpus.jsonl", rows)
        sets.write_lines(self.folder / "queries.jsonl", rows)
        qrels = ["query-id\tcorpus-id\tscore", *(f"{row['_id']}\t{row['_id']}\t1" for row in rows)]
        (self.folder / "qrels.tsv").write_text("\n".join(qrels))
        [part] = sets.parts_by_project(self.folder)
        self.assertEqual(part.name, "big")
        names = [json.loads(line)["_id"] for line in (part.folder / "corpus.jsonl").read_text().splitlines()]
        self.assertEqual(names, [f"big{at}" for at in range(counts["big"])])
        self.assertEqual(len(part.qrels.read_text().splitlines()), counts["big"] + 1)


if __name__ == "__main__":
    unittest.main()

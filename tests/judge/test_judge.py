"""Tests that the judge judges: a report that is wrong in one figure, and a run in a wrong order, must not pass.

Usage: python -m unittest discover tests/judge
"""

import copy
import tempfile
import unittest
from pathlib import Path

from judge import compare
from measures import per_query, read_qrels, read_run, summary, types_of, write_run

NAMES = ["ndcg@10", "ndcg-linear@10", "recall@2", "precision@2", "mrr@10", "mrr"]
QRELS = {"a": {"x": 2, "y": 1}, "b": {"x": 1}, "d": {"z": 1}}
RUN = {"a": {"y": 3.0, "x": 2.0}, "b": {"w": 2.0, "x": 1.0}, "c": {"x": 1.0}}
TYPES = types_of([{"_id": "a", "type": "t"}, {"_id": "b", "type": "t"}, {"_id": "d"}])


def report():
    figures = per_query(RUN, QRELS, NAMES)
    of_type = {query: figures[query] for query in TYPES["t"]}
    return {**summary(figures, NAMES), "without_relevant": 1, "by_type": {"t": summary(of_type, NAMES)}}


def wrong(changed):
    return [name for name, difference in compare("m", changed, RUN, QRELS, TYPES) if difference]


class Judge(unittest.TestCase):
    def test_known_figures(self):
        # Gains 1 and 3 at the discounts 1 and 0.63093 for "a"; "d" is not in the run and counts 0.
        figures = report()
        self.assertAlmostEqual(figures["ndcg@10"], (0.796708 + 0.630930) / 3, places=6)
        self.assertAlmostEqual(figures["ndcg-linear@10"], (0.859719 + 0.630930) / 3, places=6)
        self.assertAlmostEqual(figures["mrr"], 0.5)
        self.assertEqual(figures["intervals"]["recall@2"], [0.0, 1.0])
        self.assertEqual(wrong(figures), [])

    def test_one_wrong_figure(self):
        for path in [["ndcg@10"], ["by_type", "t", "mrr"], ["intervals", "recall@2", 1], ["queries"]]:
            changed = copy.deepcopy(report())
            *parents, last = path
            place = changed
            for key in parents:
                place = place[key]
            place[last] -= 2e-6
            self.assertEqual(len(wrong(changed)), 1, path)

    def test_one_figure_too_many(self):
        for name in ["map", "ndcg@5"]:
            with self.assertRaisesRegex(ValueError, name):
                wrong({**report(), name: 0.5})
        self.assertEqual(wrong({**report(), "by_type": {}}), ["m, types"])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "file"

    def test_runs(self):
        write_run(self.path, {"q 1": ["b", "a c"], "p": []}, "tag")
        self.assertEqual(read_run(self.path), {"q%201": {"b": 2.0, "a%20c": 1.0}})
        for second in ["q Q0 b 2 0.5 t", "q Q0 b 2 0.50000000001 t", "q Q0 b 3 0.4 t", "q Q0 a 2 0.4 t", "q Q0 b 2 0.4"]:
            self.path.write_text(f"q Q0 a 1 0.5 t\n{second}\n")
            with self.assertRaisesRegex(ValueError, "line 2"):
                read_run(self.path)

    def test_qrels(self):
        self.path.write_text("\ufeffquery-id\tcorpus-id\tscore\r\nq\ta b\t2\r\n\r\nq\tc\t-1\nr\td\t0\n", "utf-8")
        self.assertEqual(read_qrels(self.path), {"q": {"a%20b": 2}})


if __name__ == "__main__":
    unittest.main()

"""Tests of the table: the statistics, the samples, the text; and with QUERENT_PROGRAM the whole program, from replies
that a real model gave for the fixture, without the model."""

import itertools
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

HERE = Path(__file__).resolve().parent
# Behind this folder: some modules there have names of modules here.
sys.path += [str(HERE.parent / "judge"), str(HERE.parent / "quality")]

import engine
import goals
import report
import rows
import samples
from significance import p_value

[FIXTURE] = (HERE / "fixture" / "replies").glob("*.jsonl")


class Significance(unittest.TestCase):
    def check(self, differences, expected, tolerance):
        before = {f"q{at}": 0.0 for at in range(len(differences))}
        after = {f"q{at}": difference for at, difference in enumerate(differences)}
        self.assertAlmostEqual(p_value(before, after), expected, delta=tolerance)
        # Two-sided: the other direction is as unlikely.
        self.assertAlmostEqual(p_value(after, before), expected, delta=tolerance)

    def test_against_all_signs(self):
        for differences in [[0.5] * 6, [0.1, -0.2, 0.3, 0.4, -0.05, 0.0], [1.0, -1.0], [0.3]]:
            signs = list(itertools.product([-1, 1], repeat=len(differences)))
            least = abs(sum(differences)) - 1e-9
            sums = [sum(sign * difference for sign, difference in zip(draw, differences)) for draw in signs]
            self.check(differences, sum(abs(total) >= least for total in sums) / len(signs), 0.02)

    def test_ends(self):
        self.check([0.0, 0.0], 1.0, 0)
        self.check([], 1.0, 0)
        self.check([0.1] * 40, 1 / 10_001, 0)

    def test_same_queries(self):
        with self.assertRaisesRegex(ValueError, "same queries"):
            p_value({"a": 1.0}, {"b": 1.0})

    def test_same_each_time(self):
        before, after = {"a": 0.1, "b": 0.5, "c": 0.2}, {"a": 0.3, "b": 0.4, "c": 0.9}
        self.assertEqual(p_value(before, after), p_value(before, after))


def measured(name, ndcg, model=""):
    """A row with these nDCG@10 by query, the same in each mode."""
    figures = {query: {"ndcg@10": value, "recall@10": 1.0, "mrr@10": value} for query, value in ndcg.items()}
    row = SimpleNamespace(name=name, model=model)
    return engine.Measured(row, {mode: figures for mode in engine.MODES}, 1234, 1.25)


class Report(unittest.TestCase):
    def table(self):
        first = measured(rows.BASELINE, {"a": 0.5, "b": 0.5})
        second = measured("LLM 0.5B", {"a": 0.6, "b": 0.7}, "m")
        sample = SimpleNamespace(title="Set", about="About.", documents=1234)
        return SimpleNamespace(sample=sample, rows=[first, second], over_parts=[], parts=[])

    def test_rows(self):
        text = report.text_of(self.table())
        self.assertIn("1,234 documents, 2 queries.", text)
        self.assertIn("| content only | 0.500 | 0.500 | 0.500 | 1,234 | 1.2 |", text)
        self.assertRegex(text, r"\| LLM 0.5B \| 0\.650 \(\+0\.150, p 0\.\d\d\) \|")
        self.assertIn("| LLM 0.5B | 1.000, 0.650 |", text)

    def test_goals(self):
        text = goals.goals_of([self.table()])
        self.assertIn("0.500 without questions and 0.650 with those of a model (*LLM 0.5B*)", text)
        self.assertIn("differs by +0.150 from hybrid without; the goal is +0.03: reached", text)
        self.assertIn("No sample", goals.goals_of([]))

    def test_joined(self):
        one, other = measured("x", {"a": 0.5}), measured("x", {"b": 0.7})
        both = engine.joined([one, other])
        self.assertEqual((both.bytes, both.by_query("hybrid")), (2468, {"a": 0.5, "b": 0.7}))

    def test_small_p(self):
        self.assertEqual([report.shown(p) for p in [0.0001, 0.004, 0.04, 1.0]], ["< 0.001", "0.004", "0.04", "1.00"])


class Rows(unittest.TestCase):
    def test_what_is_not_possible_is_named(self):
        known = "--questions --embed-questions --question-evaluator"
        found, left_out = rows.possible(rows.rows(), known, {rows.SMALL: []})
        names = [row.name for row in found]
        self.assertEqual(names[0], rows.BASELINE)
        self.assertIn("LLM 0.5B + evaluator", names)
        self.assertIn(f"LLM 1.5B: no replies of {rows.LARGER} are kept", left_out)
        self.assertTrue(any("has no `--context`" in reason for reason in left_out), left_out)

    def test_a_model_is_never_asked(self):
        for row in rows.rows():
            command = row.command(HERE / "replies")
            self.assertEqual("--llm-max-requests" in command, bool(row.model))


class Samples(unittest.TestCase):
    def test_missing_data_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            found, left_out = samples.prepare(Path(folder), None, ["docs-rust"])
        self.assertEqual(found, [])
        self.assertTrue(any(reason.startswith("docs-rust: the folder") for reason in left_out), left_out)

    def test_judgements_of_what_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path, to = Path(folder) / "all.tsv", Path(folder) / "kept.tsv"
            path.write_text("query-id\tcorpus-id\tscore\na\td1\t2\nb\td2\t0\nb\td3\t1\n")
            self.assertEqual(samples.judgements(path), [("a", "d1"), ("b", "d3")])
            self.assertEqual(samples.keep_judgements(path, to, lambda query, _: query == "b"), {"b"})
            self.assertEqual(to.read_text(), "query-id\tcorpus-id\tscore\nb\td2\t0\nb\td3\t1\n")


class Replies(unittest.TestCase):
    def test_kept_replies_are_questions(self):
        """Never a dataset's text: paths, headings, and what the model asked."""
        for folder in ["replies", "fixture/replies"]:
            self.assertLess(sum(path.stat().st_size for path in (HERE / folder).glob("*")), 1 << 20)
            for replies in samples.replies_of(HERE / folder).values():
                for reply in replies:
                    self.assertLess(len(reply["reply"]), 2000, reply["path"])
                    self.assertLessEqual(reply.keys(), {"key", "prompt", "model", "path", "section", "reply", "usage"})

    def table_of(self, lines, names):
        """The document over the fixture, with these lines of replies kept."""
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "replies").mkdir()
            (folder / "replies" / FIXTURE.name).write_text("".join(lines), "utf-8")
            program = [sys.executable, "-B", HERE / "questions.py", "--querent", os.environ["QUERENT_PROGRAM"]]
            places = ["--work", folder / "work", "--replies", folder / "replies", "--out", folder / "questions.md"]
            wanted = ["--samples", "fixture", "--rows", names, "--no-table"]
            subprocess.run([*program, *places, *wanted], check=True, capture_output=True)
            return (folder / "questions.md").read_text("utf-8")

    @unittest.skipUnless(os.environ.get("QUERENT_PROGRAM"), "QUERENT_PROGRAM names no command line")
    def test_from_replies_to_the_table(self):
        replies = FIXTURE.read_text("utf-8").splitlines(keepends=True)
        text = self.table_of(replies, "rules,LLM 0.5B,LLM 0.5B + embedded")
        self.assertIn("3 documents, 6 queries.", text)
        for name in [rows.BASELINE, "rules", "LLM 0.5B", "LLM 0.5B + embedded"]:
            self.assertIn(f"| {name} | ", text)
        self.assertNotIn("no reply of", text)
        # A row whose replies are not all there would be half by rules.
        text = self.table_of(replies[1:], "LLM 0.5B")
        self.assertNotIn("| LLM 0.5B |", text)
        self.assertIn("fixture, LLM 0.5B: no reply of qwen2.5-coder-0.5b is kept for 1 chunks", text)


if __name__ == "__main__":
    unittest.main()

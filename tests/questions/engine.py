"""One way to build the index of a sample, measured: figures by query in each mode, bytes, seconds."""

import json
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from engines import hash_of
from measures import per_query, read_qrels, read_run
from samples import replies_of

NAMES = ["ndcg@10", "recall@10", "mrr@10"]
MODES = ["lexical", "semantic", "hybrid"]
# What a browser has that never loads the model.
TABLE = "lexical + table"

# What `querent eval` says where it has no replies and may not ask.
MISSING = re.compile(r"budget does not reach for (\d+) chunks")


@dataclass
class Measured:
    """A row of a sample's table."""

    row: object
    # Figures by query, by mode.
    figures: dict
    bytes: int
    # To build and open the index; None where that was not measured.
    seconds: float | None
    # What has no reply, where some of the sample's chunks have none.
    missing: str = ""

    def mean(self, mode, name):
        values = [of_query[name] for of_query in self.figures[mode].values()]
        return sum(values) / len(values)

    def by_query(self, mode, name="ndcg@10"):
        return {query: of_query[name] for query, of_query in self.figures[mode].items()}


class Querent:
    """The command line under test."""

    def __init__(self, program, replies, with_table, kept):
        self.program = program
        self.replies = replies
        self.with_table = with_table
        self.kept = kept

    def help(self):
        return subprocess.run([self.program, "eval", "--help"], check=True, capture_output=True, text=True).stdout

    def measure(self, sample, row):
        """The row over the sample; kept, where nothing that it depends on has changed."""
        without = self.documents_without(sample, row.model)
        if without:
            return Measured(row, {}, 0, None, without)
        files = [self.program, sample.queries, sample.qrels, *sample.files()]
        words = [*row.arguments, row.model, str(self.has_table(row)), *self.replies_about(sample, row.model)]
        kept = self.kept / f"{hash_of(files, words)}.json"
        if not kept.exists():
            measured = self.measure_anew(sample, row)
            kept.parent.mkdir(parents=True, exist_ok=True)
            fields = [measured.figures, measured.bytes, measured.seconds, measured.missing]
            kept.write_text(json.dumps(fields), "utf-8")
        return Measured(row, *json.loads(kept.read_text("utf-8")))

    def replies_about(self, sample, model):
        """The replies of `model` about documents of the sample."""
        paths = sample.paths()
        return sorted(row["key"] + row["reply"] for row in replies_of(self.replies).get(model, []) if row["path"] in paths)

    def documents_without(self, sample, model):
        """How many documents nobody asked about, where they are most of the sample: no need to look closer then."""
        paths = sample.paths()
        asked = {row["path"] for row in replies_of(self.replies).get(model, [])}
        without = len(paths - asked)
        return f"{without:,} of {len(paths):,} documents" if model and 2 * without > len(paths) else ""

    def has_table(self, row):
        """A table is fitted for every index, which takes longer than all else: rows beside the main ones go without."""
        return self.with_table and row.is_main

    def measure_anew(self, sample, row):
        """The row over the sample. Where replies are missing there are no figures."""
        path = sample.folder / "row.trec"
        report, said = self.evaluate(sample, row, ["--mode", "all", "--run", path])
        missing = sum(int(count) for count in MISSING.findall(said))
        if missing:
            return Measured(row, {}, 0, None, f"{missing:,} chunks")
        qrels = read_qrels(sample.qrels)
        figures = {mode: per_query(read_run(suffixed(path, mode)), qrels, NAMES) for mode in MODES}
        if self.has_table(row):
            self.evaluate(sample, row, ["--mode", "all", "--query-encoder", "table", "--run", path])
            figures[TABLE] = per_query(read_run(suffixed(path, "hybrid")), qrels, NAMES)
        seconds = self.seconds(sample, row) if row.is_main else None
        return Measured(row, figures, report["index"]["bytes"], seconds)

    def seconds(self, sample, row):
        """How long an index takes whose embeddings are known: an evaluation of one query is little else."""
        one = sample.folder / "one.jsonl"
        one.write_text(sample.queries.read_text("utf-8").splitlines()[0] + "\n", "utf-8")
        start = time.monotonic()
        self.evaluate(sample, row, ["--mode", "hybrid"], one)
        return time.monotonic() - start

    def evaluate(self, sample, row, arguments, queries=None):
        """The report of `querent eval`, and what it said beside."""
        files = ["--queries", queries or sample.queries, "--qrels", sample.qrels]
        command = [self.program, "eval", "--json", *sample.source(), *files, *row.command(self.replies), *arguments]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError(f"{sample.name}, {row.name}: {done.stderr.strip()}")
        return json.loads(done.stdout), done.stderr


def suffixed(path, mode):
    """Where `eval --mode all` puts the run of a mode."""
    return path.with_suffix(f".{mode}{path.suffix}")


def joined(parts):
    """Rows over several collections as one: each query among its own collection's documents."""
    first = parts[0]
    figures = {mode: {query: row for part in parts for query, row in part.figures[mode].items()} for mode in first.figures}
    return Measured(first.row, figures, sum(part.bytes for part in parts), None)

"""Everything that is measured, and how it is run: a set in, a TREC run per row of the table out.

Querent is run every time, except with the reranker, which takes seconds for a query: that report is kept by a hash of
the program, the set and the options. A peer's run is kept by a hash of its script, its packages' versions and the set.
"""

import hashlib
import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import judge
from measures import read_qrels, read_queries, read_run, types_of, write_run
from sets import QUALITY, ROOT, read_lines

MODES = ["lexical", "semantic", "hybrid"]
RERANK = "hybrid + rerank"
# What a browser without the model has: the rows of the table for the query's vector, and `eval`'s name of each.
TABLE = {"table alone": "semantic", "lexical + table": "hybrid"}

# What a peer's run depends on beside its script and the set.
NODE_FILES = [QUALITY / "lib.mjs", QUALITY / "package.json", ROOT / "tests" / "bench" / "package.json"]
PYTHON_FILES = [QUALITY / "requirements.txt"]


@dataclass
class Peer:
    """An engine that Querent is measured beside."""

    name: str
    script: Path
    command: list[str]
    depends: list[Path]


def version(folder, name):
    return json.loads((folder / "package.json").read_text("utf-8"))["dependencies"][name]


def peers():
    bench = ROOT / "tests" / "bench"
    pins = dict(line.split("==") for line in (QUALITY / "requirements.txt").read_text().split())
    return [
        Peer(f"Pagefind {version(bench, 'pagefind')}", QUALITY / "pagefind.mjs", ["node"], NODE_FILES),
        Peer(f"MiniSearch {version(QUALITY, 'minisearch')}", QUALITY / "minisearch.mjs", ["node"], NODE_FILES),
        Peer(f"BM25 (bm25s {pins['bm25s']})", QUALITY / "bm25.py", [sys.executable, "-B"], PYTHON_FILES),
    ]


def hash_of(paths, words=()):
    """A hash over the contents of files, and over words."""
    digest = hashlib.sha256(json.dumps(list(words)).encode())
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def run_peer(peer, one, cache):
    """The peer's ranking of the set as a run; from the cache where nothing that it depends on changed."""
    key = hash_of([peer.script, *peer.depends, one.documents, one.queries])
    kept = cache / f"{peer.script.stem}-{key}.jsonl"
    if not kept.exists():
        cache.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_suffix(".unfinished")
        subprocess.run([*peer.command, peer.script, one.documents, one.queries, unfinished], check=True)
        unfinished.replace(kept)
    rankings = {row["query"]: row["documents"] for row in read_lines(kept)}
    path = one.folder / f"{peer.script.stem}.trec"
    write_run(path, rankings, peer.script.stem)
    return read_run(path)


class Querent:
    """The command line under test."""

    def __init__(self, program, indexes, cache, rerank_options):
        self.program = program
        self.indexes = indexes
        self.cache = cache
        self.rerank_options = rerank_options
        self.compared = 0

    def reranks(self):
        """Whether this version has the flag."""
        shown = subprocess.run([self.program, "eval", "--help"], check=True, capture_output=True, text=True)
        return "--rerank" in shown.stdout

    def run(self, one, modes):
        """Reports and runs of the set by row: every mode, the reranked one apart."""
        rows = {}
        plain = [mode for mode in modes if mode in MODES]
        if plain:
            report = self.evaluate(one, "querent", ["--mode", "all" if len(plain) > 1 else plain[0]])
            reports = report.get("modes") or {report["mode"]: report}
            for mode in plain:
                suffix = f".{mode}.trec" if report.get("modes") else ".trec"
                rows[mode] = (reports[mode], read_run(one.folder / f"querent{suffix}"))
        if any(mode in TABLE for mode in modes):
            report = self.evaluate(one, "table", ["--mode", "all", "--query-encoder", "table"])
            for row, mode in TABLE.items():
                rows[row] = (report["modes"][mode], read_run(one.folder / f"table.{mode}.trec"))
        if RERANK in modes:
            rows[RERANK] = (self.reranked(one), read_run(one.folder / "reranked.trec"))
        return rows

    def reranked(self, one):
        """The report of hybrid search with the reranker; from the cache where nothing that it depends on changed."""
        arguments = ["--mode", "hybrid", "--rerank", *shlex.split(self.rerank_options)]
        files = [self.program, ROOT / "models" / "manifest.json", *one.source_files(), one.queries, one.qrels]
        kept = self.cache / f"rerank-{hash_of(files, arguments)}"
        names = ["reranked.json", "reranked.trec"]
        if kept.is_dir():
            for name in names:
                shutil.copyfile(kept / name, one.folder / name)
            report = json.loads((one.folder / names[0]).read_text("utf-8"))
            self.check(one, report, one.folder / names[1])
            return report
        report = self.evaluate(one, "reranked", arguments)
        unfinished = kept.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        for name in names:
            shutil.copyfile(one.folder / name, unfinished / name)
        unfinished.replace(kept)
        return report

    def evaluate(self, one, name, arguments):
        """The report of `querent eval`, every figure of it compared with ir_measures."""
        run, report = one.folder / f"{name}.trec", one.folder / f"{name}.json"
        files = ["--queries", one.queries, "--qrels", one.qrels, "--run", run, "--index-cache", self.indexes]
        command = [self.program, "eval", "--quiet", "--json", *one.source(), *files, *arguments]
        with report.open("w", encoding="utf-8") as out:
            subprocess.run(command, check=True, stdout=out)
        content = json.loads(report.read_text("utf-8"))
        self.check(one, content, run)
        return content

    def check(self, one, report, run):
        types = types_of(read_queries(one.queries))
        compared, differences = judge.compare_report(report, run, read_qrels(one.qrels), types)
        if differences:
            raise ValueError(f"{one.name}: eval and ir_measures differ: {'; '.join(differences)}")
        self.compared += compared
        documents = len(read_lines(one.documents))
        if report["index"]["documents"] != documents:
            found = report["index"]["documents"]
            raise ValueError(f"{one.name}: expected the peers' {documents} documents, eval searched {found}")

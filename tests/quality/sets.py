"""The judged sets of the table: where they come from, and the files that every engine gets.

A set is a folder below the work folder with queries.jsonl, qrels.tsv and either docs/ or corpus.jsonl for
`querent eval`, and documents.jsonl, the same documents for the peers.
"""

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUALITY = Path(__file__).resolve().parent

# A project's own search box is measured where its FAQ has this many questions at least.
LEAST_OF_A_PROJECT = 15

# What is written from figures, not for readers who search.
TABLES = ["quality.md", "questions.md", "documents.md"]


@dataclass
class JudgedSet:
    """A set that is ready to be searched."""

    name: str
    title: str
    about: str
    folder: Path
    # The set by parts, each a collection of its own, as one project's search box would see it.
    parts: list["JudgedSet"] = field(default_factory=list)

    @property
    def queries(self):
        return self.folder / "queries.jsonl"

    @property
    def qrels(self):
        return self.folder / "qrels.tsv"

    @property
    def documents(self):
        return self.folder / "documents.jsonl"

    def source(self):
        """How `querent eval` and documents.mjs are told where the documents are."""
        corpus = self.folder / "corpus.jsonl"
        return ["--corpus", str(corpus)] if corpus.exists() else ["--docs", str(self.folder / "docs")]

    def source_files(self):
        """The files that `source` names, in a fixed order."""
        source = Path(self.source()[1])
        return [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())


def prepare(work, data, wanted):
    """The sets that can be measured, and a sentence for each that cannot."""
    makers = {"own": own, "docs-rust": docs_rust, "faq": faq, "scifact": scifact}
    sets, left_out = [], []
    for name, make in makers.items():
        if name not in wanted:
            left_out.append(f"{name}: not asked for")
        elif name != "own" and not (data and (data / name).is_dir()):
            left_out.append(f"{name}: the folder of evaluation data was not there, or does not hold it")
        else:
            sets.append(make(work / name, data))
    for one in sets:
        for each in [one, *one.parts]:
            write_documents(each)
    return sets, left_out


def fresh(folder):
    """An empty folder for a set; what is expensive is kept elsewhere."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def copy(source, target):
    """Contents only: the folder of evaluation data may be read-only, and its copy is removed again."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def own(folder, _data):
    fresh(folder)
    # Tables of figures must not be among the documents that they measure.
    tables = {ROOT / "docs" / name for name in TABLES}
    pages = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path not in tables]
    for path in pages:
        copy(path, folder / "docs" / path.relative_to(ROOT / "docs"))
    for name in ["queries.jsonl", "qrels.tsv"]:
        copy(ROOT / "tests" / "relevance" / name, folder / name)
    about = "Querent's documentation, with the judged queries of `tests/relevance`, in five types."
    return JudgedSet("own", "Querent's own documentation", about, folder)


def docs_rust(folder, data):
    fresh(folder)
    source = data / "docs-rust"
    for path in sorted(source.rglob("*.md")):
        inside = path.relative_to(source)
        if len(inside.parts) > 1 and inside.parts[0] != "queries":
            copy(path, folder / "docs" / inside)
    for name in ["queries.jsonl", "qrels.tsv"]:
        copy(source / "queries" / name, folder / name)
    about = "The Markdown of four books about Rust, with queries as typed into a search box, in five types."
    return JudgedSet("docs-rust", "docs-rust", about, folder)


def copy_beir(source, folder):
    fresh(folder)
    for name in ["corpus.jsonl", "queries.jsonl", "qrels.tsv"]:
        copy(source / name, folder / name)


def scifact(folder, data):
    copy_beir(data / "scifact", folder)
    about = "BEIR's SciFact, test split: abstracts of papers, and claims that they support or refute."
    return JudgedSet("scifact", "scifact", about, folder)


def faq(folder, data):
    copy_beir(data / "faq", folder)
    about = (
        "Answers of software projects' FAQs without their questions, which are the queries. One answer is right. "
        "All projects together in one collection, and by project, each searched by itself."
    )
    return JudgedSet("faq", "faq", about, folder, parts_by_project(folder))


def parts_by_project(folder):
    corpus, queries = read_lines(folder / "corpus.jsonl"), read_lines(folder / "queries.jsonl")
    header, *judgements = (folder / "qrels.tsv").read_text("utf-8").splitlines()
    parts = []
    for project in sorted({query["metadata"]["project"] for query in queries}):
        mine = [query for query in queries if query["metadata"]["project"] == project]
        if len(mine) < LEAST_OF_A_PROJECT:
            continue
        part = fresh(folder / "by-project" / project)
        write_lines(part / "corpus.jsonl", [entry for entry in corpus if entry["metadata"]["project"] == project])
        write_lines(part / "queries.jsonl", mine)
        names = {query["_id"] for query in mine}
        kept = [line for line in judgements if line.split("\t")[0] in names]
        (part / "qrels.tsv").write_text("\n".join([header, *kept]) + "\n", "utf-8")
        parts.append(JudgedSet(project, project, "", part))
    return parts


def write_documents(one):
    script = QUALITY / "documents.mjs"
    subprocess.run(["node", script, *one.source(), one.documents], check=True)


def read_lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

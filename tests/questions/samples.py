"""The collections of the table: parts of the judged sets that are small enough for a slow model to ask about.

A sample is a collection of its own: only its documents are searched, and only its own judgements count. Every
document of a sample was given to the model, never the relevant ones alone.
"""

import json
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
from sets import copy, copy_beir, fresh, read_lines, write_lines

# Settings were chosen by looking at the first projects alone; the others are there to judge them.
TUNED_ON = ["prometheus", "vue"]
JUDGED_ON = ["django"]

# Documents of docs-rust with fewer words than this, the first ones by path: a chapter of a book has dozens of chunks.
SHORT, FIRST = 300, 14


@dataclass
class Sample:
    """A collection with its queries and judgements, laid out for `querent eval`."""

    name: str
    title: str
    about: str
    folder: Path
    documents: int
    # The same queries in collections of their own, as one project's search box would see them.
    parts: list["Sample"] = field(default_factory=list)

    @property
    def queries(self):
        return self.folder / "queries.jsonl"

    @property
    def qrels(self):
        return self.folder / "qrels.tsv"

    def files(self):
        """The files that `source` names, in a fixed order."""
        source = Path(self.source()[1])
        return [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())

    def paths(self):
        """The documents' names."""
        corpus, docs = self.folder / "corpus.jsonl", self.folder / "docs"
        if corpus.exists():
            return {row["_id"] for row in read_lines(corpus)}
        return {path.relative_to(docs).as_posix() for path in self.files()}

    def source(self):
        """How `querent eval` is told where the documents are."""
        corpus = self.folder / "corpus.jsonl"
        return ["--corpus", str(corpus)] if corpus.exists() else ["--docs", str(self.folder / "docs")]


def prepare(work, data, wanted):
    """The samples that can be measured, and a sentence for each that cannot."""
    makers = {
        "fixture": ("", fixture),
        "faq-tuned": ("faq", lambda folder, source: faq(folder, source, "faq-tuned", TUNED_ON)),
        "faq-judged": ("faq", lambda folder, source: faq(folder, source, "faq-judged", JUDGED_ON)),
        "docs-rust": ("docs-rust", docs_rust),
        "faq-all": ("faq", faq_all),
        "docs-rust-all": ("docs-rust", docs_rust_all),
    }
    samples, left_out = [], []
    for name, (source, make) in makers.items():
        if name not in wanted:
            left_out += [f"{name}: not asked for"] if name != "fixture" else []
        elif source and not (data and (data / source).is_dir()):
            left_out.append(f"{name}: the folder of evaluation data was not there, or does not hold {source}")
        else:
            samples.append(make(work / name, data / source if source else None))
    return samples, left_out


def fixture(folder, _source):
    """Three documents of this repository's own, for a test without evaluation data."""
    fresh(folder)
    pages = sorted((HERE / "fixture" / "docs").glob("*.md"))
    for page in pages:
        copy(page, folder / "docs" / page.name)
    for name in ["queries.jsonl", "qrels.tsv"]:
        copy(HERE / "fixture" / name, folder / name)
    return Sample("fixture", "Fixture", "For the test.", folder, len(pages))


def faq(folder, source, name, projects):
    """The answers of some projects' FAQs, together and by project."""
    copy_beir(source, fresh(folder) / "all")
    about = f"The FAQs of {', '.join(projects)}: answers without their questions, which are the queries."
    whole = part_of(folder / "all", folder / "together", name, f"faq: {', '.join(projects)}", about, projects)
    for project in projects if len(projects) > 1 else []:
        whole.parts.append(part_of(folder / "all", folder / project, f"{name}/{project}", project, "", [project]))
    return whole


def faq_all(folder, source):
    """All FAQs in one collection, for what needs no model."""
    copy_beir(source, folder)
    about = "The FAQs of all projects in one collection, as in quality.md; too many chunks for the models."
    return Sample("faq-all", "faq, all", about, folder, len(read_lines(folder / "corpus.jsonl")))


def docs_rust_all(folder, source):
    """All of docs-rust with its queries in the form of a question, for what needs no model."""
    fresh(folder)
    pages = [page for page in sorted(source.rglob("*.md")) if len(page.relative_to(source).parts) > 1]
    pages = [page for page in pages if page.relative_to(source).parts[0] != "queries"]
    for page in pages:
        copy(page, folder / "docs" / page.relative_to(source))
    queries = [row for row in read_lines(source / "queries" / "queries.jsonl") if row.get("type") == "question"]
    write_lines(folder / "queries.jsonl", queries)
    names = {row["_id"] for row in queries}
    keep_judgements(source / "queries" / "qrels.tsv", folder / "qrels.tsv", lambda query, _: query in names)
    about = "All of docs-rust, with its queries of the type question, as in quality.md; too many chunks for the models."
    return Sample("docs-rust-all", "docs-rust, all, questions", about, folder, len(pages))


def part_of(whole, folder, name, title, about, projects):
    """The entries, queries and judgements of `projects`."""
    fresh(folder)
    mine = {}
    for file in ["corpus.jsonl", "queries.jsonl"]:
        mine[file] = [row for row in read_lines(whole / file) if row["metadata"]["project"] in projects]
        write_lines(folder / file, mine[file])
    names = {row["_id"] for row in mine["queries.jsonl"]}
    keep_judgements(whole / "qrels.tsv", folder / "qrels.tsv", lambda query, _: query in names)
    return Sample(name, title, about, folder, len(mine["corpus.jsonl"]))


def docs_rust(folder, source):
    """The short documents that are judged relevant to a query in the form of a question, and these queries."""
    fresh(folder)
    queries = [row for row in read_lines(source / "queries" / "queries.jsonl") if row.get("type") == "question"]
    names = {row["_id"] for row in queries}
    judged = {document for query, document in judgements(source / "queries" / "qrels.tsv") if query in names}
    short = [page for page in sorted(judged) if len((source / page).read_text("utf-8").split()) < SHORT]
    pages = short[:FIRST]
    for page in pages:
        copy(source / page, folder / "docs" / page)
    kept = keep_judgements(
        source / "queries" / "qrels.tsv", folder / "qrels.tsv", lambda query, page: query in names and page in pages
    )
    write_lines(folder / "queries.jsonl", [row for row in queries if row["_id"] in kept])
    about = (
        f"The first {len(pages)} documents of docs-rust by path that have fewer than {SHORT} words and are judged relevant "
        "to a query of the type question, and these queries; other documents' judgements are left out."
    )
    return Sample("docs-rust", "docs-rust, questions", about, folder, len(pages))


def judgements(path):
    """Pairs of a query and a document with a grade above 0."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()[1:]]
    return [(query, document) for query, document, grade in rows if int(grade) > 0]


def keep_judgements(path, to, is_kept):
    """Copies the lines that are kept; the queries that they are of."""
    header, *lines = path.read_text("utf-8").splitlines()
    kept = [line for line in lines if is_kept(*line.split("\t")[:2])]
    to.write_text("\n".join([header, *kept]) + "\n", "utf-8")
    return {line.split("\t")[0] for line in kept}


def replies_of(folder):
    """The kept replies by model, as `querent build --llm-cache` writes them."""
    replies = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            replies.setdefault(row["model"], []).append(row)
    return replies

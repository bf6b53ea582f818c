"""Writes docs/questions.md: what questions do for a search, by who made them.

Usage: questions.py --querent PROGRAM --work FOLDER [--data FOLDER] [--samples faq-judged,docs-rust]
                    [--replies FOLDER] [--rows "rules,LLM 0.5B"] [--no-table] [--out docs/questions.md]

No model is asked: its replies are those of --replies, which were made as README.md says. A row whose replies are
missing for a sample is left out of the table and named below it.
"""

import argparse
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Behind this folder: some modules there have names of modules here.
sys.path += [str(HERE.parent / "judge"), str(HERE.parent / "quality")]

from engine import Querent, joined
from report import write
from rows import possible, rows
from samples import prepare, replies_of

DEFAULT = "faq-tuned,faq-judged,docs-rust,faq-all,docs-rust-all"


@dataclass
class Table:
    """A sample with the rows that were measured over it, the one to compare with first."""

    sample: object
    rows: list
    # The same queries, each among its own part's documents, and each part by itself.
    over_parts: list = field(default_factory=list)
    parts: list = field(default_factory=list)


def main():
    args = arguments()
    data = args.data.resolve() if args.data else None
    replies = replies_of(args.replies)
    samples, left_out = prepare(args.work.resolve(), data, args.samples.split(","))
    querent = Querent(args.querent.resolve(), args.replies.resolve(), not args.no_table, args.work / "kept")
    wanted, unknown = possible(rows(args.rows), querent.help(), replies)
    asked = {row.name for row in rows(args.rows)}
    unknown += [f"{row.name}: not asked for" for row in rows() if row.name not in asked]
    tables = [measure(sample, wanted, querent, left_out) for sample in samples]
    write(args.out, tables, replies, left_out + unknown)
    print(f"{args.out}: {len(tables)} samples, {sum(len(table.rows) for table in tables)} rows")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--querent", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--samples", default=DEFAULT)
    parser.add_argument("--replies", type=Path, default=HERE / "replies")
    parser.add_argument("--rows", help="names of rows; the first one, with which they are compared, is always there")
    parser.add_argument("--no-table", action="store_true")
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "docs" / "questions.md")
    return parser.parse_args()


def measure(sample, wanted, querent, left_out):
    """The table of a sample; what is left out of it is added to `left_out`."""
    table = Table(sample, measured(sample, wanted, querent, left_out))
    main_rows = [row for row in wanted if row.is_main]
    by_part = [(part, measured(part, main_rows, querent, left_out)) for part in sample.parts]
    table.parts = by_part
    for row in main_rows if by_part else []:
        found = [one for _, rows in by_part for one in rows if one.row is row]
        if len(found) == len(by_part):
            table.over_parts.append(joined(found))
    return table


def measured(sample, wanted, querent, left_out):
    found = []
    for row in wanted:
        print(f"{sample.name}: {row.name}", file=sys.stderr)
        one = querent.measure(sample, row)
        if one.missing:
            left_out.append(f"{sample.name}, {row.name}: no reply of {row.model} is kept for {one.missing}")
        else:
            found.append(one)
    return found


if __name__ == "__main__":
    main()

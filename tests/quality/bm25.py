"""BM25 by bm25s over the whole documents of a set: the textbook's ranking, as a reference.

Usage: bm25.py DOCUMENTS QUERIES OUT; OUT gets a line per query: its id and the documents' ids
"""

import json
import sys
from pathlib import Path

import bm25s
import numpy
import Stemmer

DEPTH = 100  # as many as `querent eval --run` writes


def main(documents, queries, out):
    documents, queries = read_lines(documents), read_lines(queries)
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(tokens([document["text"] for document in documents]), show_progress=False)
    with Path(out).open("w", encoding="utf-8") as lines:
        for query in queries:
            found = [documents[at]["id"] for at in ranked(index, query["text"])]
            lines.write(json.dumps({"query": str(query["_id"]), "documents": found}) + "\n")


def tokens(texts, return_ids=True):
    return bm25s.tokenize(
        texts, stopwords="en", stemmer=Stemmer.Stemmer("english"), return_ids=return_ids, show_progress=False
    )


def ranked(index, text):
    """Positions of the documents with a score, best first; of equal ones the earlier."""
    words = tokens([text], return_ids=False)[0]
    scores = index.get_scores(words) if words else numpy.zeros(0)
    order = numpy.argsort(-scores, kind="stable")[:DEPTH]
    return [int(at) for at in order if scores[at] > 0]


def read_lines(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main(*sys.argv[1:])

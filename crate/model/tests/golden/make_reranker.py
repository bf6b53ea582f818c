#!/usr/bin/env python3
"""Makes reranker.json: two references for 36 pairs.

    pip install onnxruntime numpy scipy tokenizers safetensors
    python3 make_reranker.py FOLDER_WITH_MODEL_ONNX FOLDER_OF_THE_WEIGHTS > reranker.json

`onnx` is what onnxruntime gives with the cross-encoder's 8-bit ONNX file, which models/manifest.json names as the
source of the weights. It rounds its activations to 8 bits while it runs, so it is itself off by some tenths. `logit` is
the forward pass below in f64, with the weights as models/fetch.py dequantises them. Each pair is scored alone.
"""

import json
import pathlib
import sys

import numpy
import onnxruntime
import scipy.special
import tokenizers
from safetensors.numpy import load_file

MAX_TOKENS = 256

PASSAGES = [
    "Variables > Mutability\nA binding cannot change unless it was declared with mut. Write let mut count = 0 and the "
    "compiler lets you assign to count as often as you like.",
    "Borrowing > Rules\nAt any time there is either one mutable reference or any number of shared ones. A value that is "
    "borrowed cannot be moved or changed until the borrow has ended.",
    "Deployment > Web servers\nCopy the folder to the server. Every file but the manifest may be cached for a year, "
    "since its name changes with its content.",
    "Offline use\nA service worker keeps the files that were loaded once. After that the search works in a train "
    "without a network, and typing errors are forgiven there, too.",
    "Configuration > Proxy\nSet the variable HTTPS_PROXY before the first download; certificates are those of the "
    "operating system.",
    "Lists and loops. " + "The loop visits each element of the list once and adds it to the sum. " * 30,
]

QUERIES = [
    "why can I not change a borrowed variable",
    "mut",
    "how long may browsers cache the files",
    "HTTPS_PROXY behind a company firewall",
    "サーバー cache élémentaire 🦀",
    "does it work without internet connection",
]


class Reference:
    """BERT with a head of one label, by the formulas, nothing fused."""

    def __init__(self, path: pathlib.Path) -> None:
        self.tensors = {name: tensor.astype(numpy.float64) for name, tensor in load_file(path).items()}

    def linear(self, name: str, rows):
        return rows @ self.tensors[f"{name}.weight"].T + self.tensors[f"{name}.bias"]

    def norm(self, name: str, rows):
        centred = rows - rows.mean(-1, keepdims=True)
        scaled = centred / numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return scaled * self.tensors[f"{name}.weight"] + self.tensors[f"{name}.bias"]

    def attention(self, name: str, rows):
        heads = [self.linear(f"{name}.{part}", rows).reshape(len(rows), 12, 32).transpose(1, 0, 2)
                 for part in ("query", "key", "value")]
        shares = scipy.special.softmax(heads[0] @ heads[1].transpose(0, 2, 1) / numpy.sqrt(32), axis=-1)
        return (shares @ heads[2]).transpose(1, 0, 2).reshape(len(rows), 384)

    def logit(self, ids: list[int], types: list[int]) -> float:
        table = {part: self.tensors[f"bert.embeddings.{part}_embeddings.weight"]
                 for part in ("word", "position", "token_type")}
        rows = table["word"][ids] + table["position"][: len(ids)] + table["token_type"][types]
        rows = self.norm("bert.embeddings.LayerNorm", rows)
        for nth in range(12):
            name = f"bert.encoder.layer.{nth}"
            attended = self.linear(f"{name}.attention.output.dense", self.attention(f"{name}.attention.self", rows))
            rows = self.norm(f"{name}.attention.output.LayerNorm", attended + rows)
            inner = self.linear(f"{name}.intermediate.dense", rows)
            inner = inner * 0.5 * (1 + scipy.special.erf(inner / numpy.sqrt(2)))
            rows = self.norm(f"{name}.output.LayerNorm", self.linear(f"{name}.output.dense", inner) + rows)
        return float(self.linear("classifier", numpy.tanh(self.linear("bert.pooler.dense", rows[0])))[0])


def main() -> None:
    folder, weights = map(pathlib.Path, sys.argv[1:3])
    reference = Reference(weights / "model.safetensors")
    tokenizer = tokenizers.Tokenizer.from_file(str(weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="only_second")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"))
    rows = []
    for query in QUERIES:
        for passage in PASSAGES:
            encoding = tokenizer.encode(query, passage)
            columns = {
                "input_ids": encoding.ids,
                "token_type_ids": encoding.type_ids,
                "attention_mask": encoding.attention_mask,
            }
            inputs = {name: numpy.array([ids], dtype=numpy.int64) for name, ids in columns.items()}
            onnx = float(session.run(None, inputs)[0][0, 0])
            logit = reference.logit(encoding.ids, encoding.type_ids)
            rows.append({
                "query": query, "passage": passage, "ids": encoding.ids, "first": encoding.type_ids.index(1),
                "logit": round(logit, 4), "onnx": round(onnx, 4),
            })
    json.dump({"max_tokens": MAX_TOKENS, "rows": rows}, sys.stdout, ensure_ascii=False, separators=(",", ":"))
    print()


if __name__ == "__main__":
    main()

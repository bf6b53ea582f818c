#!/usr/bin/env python3
"""Makes the tiny model: BERT's architecture and file formats, random weights, a few hundred pieces.

    python3 models/tiny/make.py

For tests that are about files, batches and workers and not about meaning: texts that share words are nearer
each other than texts that do not, and that is all that can be asked of it. The same bytes on every run.
"""

import json
import pathlib
import random
import string
import struct

HERE = pathlib.Path(__file__).parent
HIDDEN, INNER, LAYERS, HEADS, POSITIONS = 32, 64, 2, 4, 256

WORDS = """
the a an of to in is it and or not for on with as at by from this that be are was can do how what why when where
which who use used using make makes made run runs running test tests error errors code file files index query
queries search searches document documents section chunk question answer token term vector model browser worker
build command line option value type function return string number list map set key name path page text word
install configure start stop read write open close load save send get put add remove delete change rust cargo
crate borrow borrowed mutable variable ownership owner move closure trait struct enum match async await thread
memory reference lifetime result http server client network offline cache store database shard manifest
ing ed er est ly s es ness tion
""".split()


def vocabulary() -> list[str]:
    """Special tokens, words, and every ASCII sign alone and as the continuation of a word."""
    signs = [sign for sign in string.printable if not sign.isspace() and not sign.isupper()]
    alnum = string.ascii_lowercase + string.digits
    endings = ["ing", "ed", "er", "est", "ly", "es", "ness", "tion"]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *signs, *WORDS]
    pieces += [f"##{sign}" for sign in alnum] + [f"##{ending}" for ending in endings]
    return list(dict.fromkeys(pieces))


def tensors(pieces: int) -> dict[str, list[int]]:
    """Upstream's names and their shapes."""
    shapes = {
        "embeddings.word_embeddings.weight": [pieces, HIDDEN],
        "embeddings.position_embeddings.weight": [POSITIONS, HIDDEN],
        "embeddings.token_type_embeddings.weight": [2, HIDDEN],
    }
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}"
        dense = {
            "attention.self.query": [HIDDEN, HIDDEN],
            "attention.self.key": [HIDDEN, HIDDEN],
            "attention.self.value": [HIDDEN, HIDDEN],
            "attention.output.dense": [HIDDEN, HIDDEN],
            "intermediate.dense": [INNER, HIDDEN],
            "output.dense": [HIDDEN, INNER],
        }
        for name, shape in dense.items():
            shapes[f"{prefix}.{name}.weight"] = shape
            shapes[f"{prefix}.{name}.bias"] = shape[:1]
        norms += [f"{prefix}.attention.output.LayerNorm", f"{prefix}.output.LayerNorm"]
    for norm in norms:
        shapes[f"{norm}.weight"] = [HIDDEN]
        shapes[f"{norm}.bias"] = [HIDDEN]
    return shapes


def numbers(name: str, shape: list[int], source: random.Random) -> list[float]:
    """Words far apart, positions hardly felt, layers that change little: shared words stay visible."""
    count = shape[0] * (shape[1] if len(shape) > 1 else 1)
    if name.endswith("LayerNorm.weight"):
        return [1.0] * count
    spread = 1.0 if "word" in name else 0.02 if len(shape) == 1 or "position" in name else 0.1
    # The sum of twelve uniform numbers is near enough to a normal one, and the same on every version of Python.
    return [spread * (sum(source.random() for _ in range(12)) - 6.0) for _ in range(count)]


def write_weights(shapes: dict[str, list[int]]) -> None:
    source = random.Random(2024)
    header, data = {}, b""
    for name in sorted(shapes):
        values = numbers(name, shapes[name], source)
        start = len(data)
        data += struct.pack(f"<{len(values)}f", *values)
        header[name] = {"dtype": "F32", "shape": shapes[name], "data_offsets": [start, len(data)]}
    head = json.dumps(header, separators=(",", ":")).encode()
    head += b" " * (-len(head) % 8)
    (HERE / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)


def write_tokenizer(pieces: list[str]) -> None:
    added = [{"id": number, "content": piece, "special": True, "single_word": False, "lstrip": False,
              "rstrip": False, "normalized": False} for number, piece in enumerate(pieces[:5])]
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100,
                  "vocab": {piece: number for number, piece in enumerate(pieces)}},
    }
    (HERE / "tokenizer.json").write_text(json.dumps(tokenizer, indent=1) + "\n")


def main() -> None:
    pieces = vocabulary()
    config = {
        "architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": HIDDEN,
        "intermediate_size": INNER, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS,
        "max_position_embeddings": POSITIONS, "type_vocab_size": 2, "vocab_size": len(pieces),
        "layer_norm_eps": 1e-12, "pad_token_id": 0, "position_embedding_type": "absolute",
    }
    (HERE / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    write_tokenizer(pieces)
    write_weights(tensors(len(pieces)))


if __name__ == "__main__":
    main()

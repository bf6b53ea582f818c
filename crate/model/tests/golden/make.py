#!/usr/bin/env python3
"""Makes minilm.json: 100 texts, their token ids and vectors by the reference implementation.

    pip install sentence-transformers
    python3 make.py MODEL_DIR

MODEL_DIR holds model.safetensors, tokenizer.json, config.json and vocab.txt of all-MiniLM-L6-v2, as
models/fetch.py leaves them. sentence-transformers runs them with torch on f32, in batches of one, so that
padding cannot enter the reference. A vector is stored as 384 little-endian f32 in base64, ids as a list.
"""

import base64
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent

SENTENCES = [
    "What is ownership in Rust?",
    "why can't I modify a variable while it is borrowed",
    "cannot borrow `x` as mutable because it is also borrowed as immutable",
    "How do I install the command line tool on Debian?",
    "The index is a directory of immutable, content-hashed files and one small manifest.",
    "A closure captures its environment by reference, by mutable reference, or by value.",
    "Search for documentation that knows which questions the documentation answers.",
    "cargo build --release --target wasm32-unknown-unknown",
    "The quick brown fox jumps over the lazy dog.",
    "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG.",
    "Reciprocal rank fusion adds the weights divided by sixty plus the rank.",
    "404 Not Found",
    "https://example.org/docs/index.html?query=term&limit=10#anchor",
    "support@example.org wrote at 2024-02-29T23:59:59Z",
    "It's the caller's duty; they've said so, haven't they?",
    "Lifetimes annotate how long references live; they do not change it.",
    "Press Ctrl+Shift+P, then type \"Reload Window\".",
    "no",
    "a",
    "?",
    "42",
    "3.14159265358979323846",
    "-- --- ----",
    "e.g. i.e. etc. vs. Dr. Smith et al.",
]

OTHER_SCRIPTS = [
    "所有权是什么?",
    "如何在浏览器中离线搜索文档",
    "全文検索エンジンはオフラインで動作しますか",
    "カタカナとひらがなと漢字",
    "소유권은 러스트의 가장 독특한 기능입니다",
    "문서를 오프라인으로 검색하는 방법",
    "Что такое владение в языке Rust?",
    "Ελληνικά κείμενα με τόνους",
    "ما هي الملكية في لغة رست؟",
    "מהי בעלות בשפת ראסט",
    "स्वामित्व क्या है",
    "ความเป็นเจ้าของคืออะไร",
    "Sở hữu trong Rust là gì",
    "mixed 中文 and English とにほんご in one line",
    "𠀀𠀁 rare ideographs beyond the first plane",
]

MARKS = [
    "naïve café résumé coöperate Ångström",
    "nai\u0308ve cafe\u0301 re\u0301sume\u0301 (decomposed)",
    "ÀÉÎÕÜ àéîõü ÇÑ çñ ß ẞ Œ œ Æ æ Ø ø Ł ł",
    "Straße und Größe, Übermaß an Äpfeln",
    "İstanbul ışık IĞDIR",
    "z̴a̷l̶g̵o̸ t̷e̷x̶t̵",
    "x̂ ŷ ẑ and a⃗ b⃗",
    "ﬁnd the ﬂow in oﬃce ligatures",
    "ｆｕｌｌｗｉｄｔｈ　ｔｅｘｔ",
    "H₂O and E=mc² and x³ + ½",
    "\u200bzero\u200bwidth\u200b and soft\u00adhyphen",
    "no\u00a0break\u00a0space and thin\u2009space",
    "“curly quotes”, ‘single’, «guillemets», „low“ — em dash – en dash … ellipsis",
    "€ 100, £ 20, ¥ 300, ₿ 0.1, 50 %, 20 °C",
]

EMOJI = [
    "🦀",
    "🦀 Rust is loved 💖 by many 🎉🎉🎉",
    "family 👨‍👩‍👧‍👦 and flags 🇩🇪🇯🇵 and skin tone 👍🏽",
    "☃︎ ☃️ ✓ ✗ → ⇒ ∀ ∃ ∑ ∞ ≠ ≤",
    "build passed ✅ tests failed ❌ warning ⚠️",
]

CODE = [
    "fn main() { println!(\"Hello, world!\"); }",
    "impl<T: Clone + Send + 'static> From<Vec<T>> for Arena<T> { fn from(items: Vec<T>) -> Self { todo!() } }",
    "let x: Result<HashMap<String, Vec<u8>>, Box<dyn std::error::Error>> = parse(&bytes[..])?;",
    "def embed(texts: list[str]) -> np.ndarray:\n    return model.encode(texts, normalize_embeddings=True)\n",
    "const index = await fetch(new URL('./manifest.json', import.meta.url)).then((r) => r.json());",
    "SELECT id, title FROM documents WHERE title LIKE '%index%' ORDER BY rank DESC LIMIT 10;",
    "#include <stdio.h>\nint main(void) { return printf(\"%d\\n\", 1 << 3) < 0; }",
    "camelCaseIdentifier snake_case_identifier kebab-case-identifier SCREAMING_SNAKE std::collections::BTreeMap",
    "for i in $(seq 1 10); do echo \"$i\" | tee -a out.log; done",
    "{\"name\": \"querent\", \"version\": \"0.1.0\", \"files\": [\"dist\"], \"type\": \"module\"}",
    "[package]\nname = \"demo\"\nedition = \"2024\"\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }",
    "<div class=\"hit\"><a href=\"#anchor\">Title</a> &amp; text</div>",
    "0xDEADBEEF 0b1010_1010 1e-12 1_000_000 0o755",
    "error[E0502]: cannot borrow `v` as mutable because it is also borrowed as immutable\n --> src/main.rs:6:5",
    "^(?:[a-z0-9]+(?:-[a-z0-9]+)*)$ matches a slug",
    "| column | value |\n|---|---|\n| a | 1 |\n",
]

EDGES = [
    "",
    " ",
    "\n\t \r\n",
    "\u3000\u00a0",
    "[CLS] [SEP] [PAD] [MASK] [UNK]",
    "[cls] is not a special token, [SEP]arator is one",
    "##ing ##ed hash signs",
    "\x00null\x01control\x7fbytes\ufeffand marks\ufffd",
    "pneumonoultramicroscopicsilicovolcanoconiosis",
    "x" * 99,
    "x" * 100,
    "x" * 101,
    "ab" * 2000,
    "supercalifragilistic" * 4 + " then a known word",
    ". " * 200,
    "word " * 254,
    "word " * 255,
    "word " * 1000,
]

PARAGRAPH = (
    "Ownership is a set of rules that govern how a program manages memory. Some languages look for memory that "
    "is no longer used while the program runs; in others the programmer must allocate and free it. A third way "
    "is a system of rules that the compiler checks. None of the rules slows the program down while it runs. "
)


def long_texts() -> list[str]:
    """Texts below, around and beyond the limit of 256 tokens."""
    texts = [PARAGRAPH * count for count in (1, 2, 3, 4, 8)]
    texts.append(PARAGRAPH.upper() * 5)
    texts.append(" ".join(f"item {number}: value_{number * 7919 % 1000}" for number in range(120)))
    texts.append("漢字" * 300)
    return texts


def main() -> None:
    import sentence_transformers
    import torch
    from sentence_transformers import SentenceTransformer, models

    texts = SENTENCES + OTHER_SCRIPTS + MARKS + EMOJI + CODE + EDGES + long_texts()
    assert len(texts) == len(set(texts)) == 100, (len(texts), len(set(texts)))
    transformer = models.Transformer(sys.argv[1], max_seq_length=256)
    pooling = models.Pooling(transformer.get_word_embedding_dimension(), pooling_mode="mean")
    model = SentenceTransformer(modules=[transformer, pooling, models.Normalize()], device="cpu")
    rows = []
    for text in texts:
        vector = model.encode([text], batch_size=1, convert_to_numpy=True)[0].astype("<f4")
        ids = model.tokenizer(text, truncation=True, max_length=256)["input_ids"]
        rows.append({"text": text, "ids": ids, "vector": base64.b64encode(vector.tobytes()).decode()})
    made_by = f"sentence-transformers {sentence_transformers.__version__}, torch {torch.__version__}, f32"
    head = json.dumps({"made_by": made_by})[:-1]
    lines = ",\n".join(json.dumps(row, ensure_ascii=True, separators=(",", ":")) for row in rows)
    (HERE / "minilm.json").write_text(f'{head}, "rows": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()

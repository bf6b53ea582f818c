"""How much of a document's text the reader finds, against extractors that others trust.

    pip install pdfminer.six pypdf python-docx
    cargo build --release -p querent-reader --example extract
    python3 tests/documents/recall.py FOLDER [--markdown]

FOLDER holds pdf/ and docx/. For each file and each reference: the share of its words that our reader finds (recall), counted with
repetition, and what we say where there is no text. The references are pdfminer.six and pypdf for PDF, and for DOCX
python-docx, which gives paragraphs, tables, text boxes, footnotes and endnotes from the XML. Two references, because
they disagree: pdfminer.six gives text that runs from right to left in the order of the page, and vertical writing letter
by letter.

Words are letters and digits, in lower case, compatibility forms folded (NFKC). Both sides are joined at hyphens at a
line's end, because we join them.
"""

import argparse
import io
import logging
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRACT = ROOT / "target" / "release" / "examples" / "extract"
# Scripts without spaces: each character counts.
CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
WORD_NAMESPACES = (
    "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}",
    "{http://purl.oclc.org/ooxml/wordprocessingml/main}",
)


def main():
    logging.disable(logging.CRITICAL)
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--extract", type=Path, default=EXTRACT)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    for kind, references in (
        ("pdf", {"pdfminer.six": words_by_pdfminer, "pypdf": words_by_pypdf}),
        ("docx", {"python-docx": words_of_docx}),
    ):
        paths = sorted((arguments.folder / kind).glob(f"*.{kind}"))
        rows = [compare(path, references, arguments.extract) for path in paths]
        show(kind, list(references), rows, arguments.markdown)


def compare(path, references, extract):
    ours, said, seconds = extracted(path, extract)
    shares = {}
    for name, words_of in references.items():
        try:
            expected = words_of(path)
        except Exception as error:
            shares[name] = f"refuses: {type(error).__name__}"
            continue
        shared = sum((Counter(expected) & Counter(ours)).values())
        shares[name] = shared / len(expected) if expected else "no text"
    return {"file": path.name, "words": len(ours), "shares": shares, "said": said, "seconds": seconds,
            "bytes": path.stat().st_size}


def extracted(path, extract):
    """Our words, what the reader says instead, and how long it took."""
    out = subprocess.run([extract, path], capture_output=True, timeout=120, check=False).stdout.decode()
    first, _, rest = out.partition("\n")
    took = re.search(r" in ([\d.]+)(ns|µs|ms|s)\)$", first)
    scale = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}
    seconds = float(took[1]) * scale[took[2]] if took else None
    said, _, text = rest.partition("\n")
    if said.startswith(("error: ", "warning: ")):
        # Behind a warning comes the title.
        text = text.partition("\n")[2]
    else:
        said = ""
    return words(text), said.replace(f"{path}: ", ""), seconds


def words(text):
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=[^\W\d_])[-\u2010\u00ad]\s*\n\s*(?=[a-z])", "", text)
    return re.findall(rf"[{CJK}]|[^\W_{CJK}]+", text.lower())


def words_by_pdfminer(path):
    from pdfminer.high_level import extract_text

    return words(extract_text(path))


def words_by_pypdf(path):
    from pypdf import PdfReader

    return words("\n".join(page.extract_text() for page in PdfReader(path).pages))


def words_of_docx(path):
    """The document's body as python-docx has it, with footnotes and endnotes; deleted text is not of it."""
    import docx

    try:
        document = docx.Document(io.BytesIO(path.read_bytes()))
    except Exception:
        return words_of_xml(path)
    notes = [part.blob for part in document.part.package.iter_parts()
             if str(part.partname) in ("/word/footnotes.xml", "/word/endnotes.xml")]
    from lxml import etree

    roots = [document.element.body, *(etree.fromstring(blob) for blob in notes)]
    return words("\n".join(text_of(root) for root in roots))


def words_of_xml(path):
    """For packages that python-docx refuses: the same parts, unzipped."""
    import zipfile

    from lxml import etree

    with zipfile.ZipFile(path) as package:
        names = [name for name in package.namelist() if re.fullmatch(r"word/(document|footnotes|endnotes)\.xml", name)]
        return words("\n".join(text_of(etree.fromstring(package.read(name))) for name in names))


def text_of(root):
    out = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        name = next((element.tag[len(space):] for space in WORD_NAMESPACES if element.tag.startswith(space)), "")
        # A text box stands twice in the file: once for old readers.
        if any(str(parent.tag).endswith("}Fallback") for parent in element.iterancestors()):
            continue
        if name == "t":
            out.append(element.text or "")
        elif name in ("p", "tab", "br", "tc"):
            out.append("\n")
    return "".join(out)


def show(kind, references, rows, markdown):
    out = sys.stdout
    head = ["file", "our words", *references, "what the reader says"]
    if markdown:
        out.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for row in rows:
        shares = [row["shares"][name] for name in references]
        shares = [share if isinstance(share, str) else f"{share:.3f}" for share in shares]
        cells = [row["file"], str(row["words"]), *shares, row["said"]]
        out.write(("| " + " | ".join(cells) + " |\n") if markdown else "  ".join(cells) + "\n")
    seconds = sum(row["seconds"] or 0 for row in rows)
    size = sum(row["bytes"] for row in rows)
    for name in references:
        shares = [row["shares"][name] for row in rows if not isinstance(row["shares"][name], str)]
        if shares:
            out.write(f"\n{kind} against {name}: {len(shares)} files with text, mean recall {sum(shares) / len(shares):.3f}, "
                      f"{sum(share >= 0.97 for share in shares)} at 0.97 or more\n")
    out.write(f"\n{kind}: {size / 1e6:.1f} MB in {seconds:.2f} s\n\n")


if __name__ == "__main__":
    main()

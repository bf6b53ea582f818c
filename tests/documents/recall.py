"""How much of a document's text the reader finds, against extractors that others trust.

    pip install pdfminer.six pypdf python-docx
    cargo build --release -p querent-reader --example extract
    python3 tests/documents/recall.py FOLDER [--markdown]

FOLDER holds pdf/ and docx/. For each file: the words of the reference, the share of them that our reader finds
(recall), the share of ours that the reference has (precision), counted with repetition, and what we say where there is
no text. pdfminer.six is the reference for PDF; where it fails or finds nothing, pypdf. python-docx reads paragraphs,
tables, footnotes and text boxes from the XML of DOCX.

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
    rows = []
    for kind, reference in (("pdf", words_of_pdf), ("docx", words_of_docx)):
        for path in sorted((arguments.folder / kind).glob(f"*.{kind}")):
            rows.append(compare(path, reference, arguments.extract))
    show(rows, arguments.markdown)


def compare(path, reference, extract):
    expected, by = reference(path)
    ours, said, seconds = extracted(path, extract)
    shared = sum((Counter(expected) & Counter(ours)).values())
    recall = shared / len(expected) if expected else None
    precision = shared / len(ours) if ours else None
    return {"file": path.name, "by": by, "words": len(expected), "recall": recall, "precision": precision,
            "ours": len(ours), "said": said, "seconds": seconds, "bytes": path.stat().st_size}


def extracted(path, extract):
    """Our words, what the reader says instead, and how long it took."""
    out = subprocess.run([extract, path], capture_output=True, timeout=120, check=False).stdout.decode()
    first, _, rest = out.partition("\n")
    took = re.search(r" in ([\d.]+)(ns|µs|ms|s)\)$", first)
    scale = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}
    seconds = float(took[1]) * scale[took[2]] if took else None
    lines = rest.split("\n")
    said = next((line for line in lines[:2] if line.startswith(("error: ", "warning: "))), "")
    text = "\n".join(line for line in lines if not line.startswith(("error: ", "warning: ", "title: ")))
    return words(text), said.replace(f"{path}: ", ""), seconds


def words(text):
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=[^\W\d_])[-\u2010\u00ad]\s*\n\s*(?=[a-z])", "", text)
    return re.findall(r"[^\W_]+", text.lower())


def words_of_pdf(path):
    from pdfminer.high_level import extract_text

    try:
        found = words(extract_text(path))
        if found:
            return found, "pdfminer"
    except Exception:
        pass
    from pypdf import PdfReader

    try:
        reader = PdfReader(path)
        return words("\n".join(page.extract_text() for page in reader.pages)), "pypdf"
    except Exception as error:
        return [], f"none: {type(error).__name__}"


def words_of_docx(path):
    """The document's body as python-docx has it, with footnotes and endnotes; deleted text is not of it."""
    import docx

    try:
        document = docx.Document(io.BytesIO(path.read_bytes()))
    except Exception:
        return words_of_xml(path), "zipfile"
    notes = [part.blob for part in document.part.package.iter_parts()
             if str(part.partname) in ("/word/footnotes.xml", "/word/endnotes.xml")]
    from lxml import etree

    roots = [document.element.body, *(etree.fromstring(blob) for blob in notes)]
    return words("\n".join(text_of(root) for root in roots)), "python-docx"


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


def show(rows, markdown):
    out = sys.stdout
    if markdown:
        out.write("| file | reference | words | recall | precision | what the reader says |\n|---|---|---|---|---|---|\n")
    for row in rows:
        share = lambda value: "" if value is None else f"{value:.3f}"
        cells = [row["file"], row["by"], str(row["words"]), share(row["recall"]), share(row["precision"]), row["said"]]
        out.write(("| " + " | ".join(cells) + " |\n") if markdown else "  ".join(cells) + "\n")
    for kind in ("pdf", "docx"):
        of_kind = [row for row in rows if row["file"].endswith(kind)]
        scored = [row["recall"] for row in of_kind if row["recall"] is not None]
        seconds = sum(row["seconds"] or 0 for row in of_kind)
        size = sum(row["bytes"] for row in of_kind)
        if scored:
            out.write(f"\n{kind}: {len(of_kind)} files, {len(scored)} with words in the reference, mean recall "
                      f"{sum(scored) / len(scored):.3f}, {sum(one >= 0.97 for one in scored)} at 0.97 or more; "
                      f"{size / 1e6 / max(seconds, 1e-9):.0f} MB/s\n")


if __name__ == "__main__":
    main()

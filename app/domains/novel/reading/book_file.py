"""A file of a book, of any of the kinds that are read, as a split: txt, Markdown, Word, EPUB."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.errors import ToolError
from app.core.text.i18n import N_

from .decode import decode
from .documents import Section, docx_sections, epub_sections, markdown_sections
from .hard_wrap import unwrapped
from .split import Progress, Split, split_sections, split_text

KINDS = (".txt", ".md", ".markdown", ".docx", ".epub")
LARGEST = 200_000_000


@dataclass(slots=True)
class BookFile:
    split: Split
    title: str
    encoding: str = ""
    damaged: int = 0
    """Places that were no text in the encoding found."""


def read_book(name: str, data: bytes, *, rule: str = "", progress: Progress | None = None) -> BookFile:
    """Raises ToolError FORMAT, ENCODING, NO_CHAPTERS, BAD_RULE."""
    suffix = f".{name.rpartition('.')[2].lower()}" if "." in name else ""
    stem = name.rpartition("/")[2].rpartition(".")[0]
    if suffix not in KINDS:
        words = N_("{kind} is no book that can be read; txt, md, docx and epub can")
        raise ToolError("FORMAT", words, values={"kind": suffix or name[:60]})
    if suffix == ".docx":
        return BookFile(_by_sections(docx_sections(data), rule), stem)
    if suffix == ".epub":
        title, sections = epub_sections(data)
        return BookFile(_by_sections(sections, rule), title or stem)
    decoded = decode(data)
    if suffix != ".txt" and not rule and any(heading for _level, heading, _text in markdown_sections(decoded.text)):
        split = split_sections(markdown_sections(decoded.text))
    else:
        split = split_text(unwrapped(decoded.text), rule=rule, progress=progress)
    return BookFile(split, stem, decoded.encoding, decoded.damaged)


def _by_sections(sections: list[Section], rule: str) -> Split:
    if not rule and any(heading for _level, heading, _text in sections):
        return split_sections(sections)
    return split_text(
        "\n".join(f"{heading}\n{text}" if heading else text for _level, heading, text in sections), rule=rule
    )

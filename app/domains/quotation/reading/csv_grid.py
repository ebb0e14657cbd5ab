"""csv and pasted tables: the separator is the one on which the lines agree."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from app.core.errors import ToolError
from app.core.text import encodings
from app.core.text.encodings import DecodedText
from app.core.text.i18n import N_

from .grid import Grid

SEPARATORS = ("\t", ",", ";", "|", "，", "；")


def read(path: Path) -> Grid:
    return Grid(path.stem, table(decoded(path.read_bytes()).text))


def decoded(data: bytes) -> DecodedText:
    """With the encoding, to write it back. Raises ToolError ENCODING for what is no text."""
    try:
        return encodings.decoded(data)
    except encodings.NoText as error:
        raise ToolError("ENCODING", N_("the text is in no encoding that is known: save it as UTF-8")) from error


def separator_in(text: str) -> str:
    """The one the text names in its first line, `sep=;`, else the one on which its lines agree."""
    lines = [line for line in text.splitlines() if line.strip()]
    first = lines[0].strip() if lines else ""
    return first[4] if _names_separator(first) else separator_of(lines)


def _names_separator(line: str) -> bool:
    return line.lower().startswith("sep=") and len(line) == 5


def table(text: str) -> list[list[str]]:
    """Rows of cells; one cell per line where no separator fits. A line that names the separator is an empty row: the
    others keep the numbers they have in the file.
    """
    separator = separator_in(text)
    head, end, rest = text.partition("\n")
    if _names_separator(head.strip()):
        text = end + rest
    if not separator:
        return [[line.strip()] for line in text.splitlines()]
    if separator in "，；":
        return [[cell.strip() for cell in line.split(separator)] for line in text.splitlines()]
    csv.field_size_limit(1_000_000)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error:
        rows = [line.split(separator) for line in text.splitlines()]
    return [[" ".join(cell.split()) for cell in row] for row in rows]


def separator_of(lines: list[str]) -> str:
    """The one that cuts most lines into equally many cells."""
    best, most = "", 0.0
    for separator in SEPARATORS:
        counts = [line.count(separator) for line in lines[:200]]
        usual = max(set(counts), key=lambda n: (counts.count(n), n), default=0) if counts else 0
        if not usual:
            present = [count for count in counts if count]
            if len(present) * 3 < len(counts) * 2:
                continue
            usual = max(set(present), key=present.count)
        rank = sum(count == usual for count in counts) / len(counts) * min(usual, 6) ** 0.5
        if rank > most:
            best, most = separator, rank
    return best

"""Cells written into a copy of a csv: fields are replaced or added where they stand, all other bytes stay."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from app.core.text import encodings
from app.domains.kit.tables import no_formula

from ..reading.csv_grid import decoded, separator_in
from ..reading.grid import column_of
from .workbook import CellChange, Filled


def fill_table(path: Path, changes: Sequence[CellChange]) -> Filled:
    """Blocks. Raises ToolError ENCODING."""
    data = path.read_bytes()
    source = _source(data)
    text = source.text
    separator = separator_in(text) or ","
    records = _records(text, separator)
    filled = Filled(b"")
    if source.encoded(text) != data:
        filled.warnings.append("damaged")
    edits: list[tuple[int, int, str]] = []
    by_row: dict[int, list[CellChange]] = {}
    for change in changes:
        by_row.setdefault(change.row, []).append(change)
    for row, wanted in by_row.items():
        if row > len(records):
            continue
        fields = records[row - 1]
        tail, width = "", len(fields)
        for one in sorted(wanted, key=lambda each: column_of(each.column) or 0):
            column, place = column_of(one.column) or 0, f"{one.column}{row}"
            if column < len(fields):
                start, end = fields[column]
                if text[start:end].strip().strip('"').strip() and not one.over:
                    filled.left.append((place, "filled"))
                    continue
                edits.append((start, end, _field(one, separator)))
            else:
                tail += separator * (column - width + 1) + _field(one, separator)
                width = column + 1
            filled.changed.append(place)
        if tail:
            end = fields[-1][1]
            edits.append((end, end, tail))
    if any(not _has_letters(source.encoding, new) for _start, _end, new in edits):
        filled.warnings.append("letters")
    for start, end, new in sorted(edits, key=lambda edit: edit[0], reverse=True):
        text = text[:start] + new + text[end:]
    filled.content = source.encoded(text)
    return filled


def _source(data: bytes) -> encodings.DecodedText:
    """In the encoding that gives back every byte, where there is one."""
    try:
        return encodings.decoded(data, exact=True)
    except encodings.NoText:
        return decoded(data)


def _has_letters(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _field(one: CellChange, separator: str) -> str:
    if isinstance(one.value, Decimal):
        return f"{one.value:f}"
    text = no_formula(one.value)
    if any(sign in text for sign in (separator, '"', "\n", "\r")):
        return '"' + text.replace('"', '""') + '"'
    return text


def _records(text: str, separator: str) -> list[list[tuple[int, int]]]:
    """The places of the fields of each record."""
    records: list[list[tuple[int, int]]] = []
    fields: list[tuple[int, int]] = []
    start, at, quoted = 0, 0, False
    while at < len(text):
        char = text[at]
        if char == '"':
            quoted = not quoted
        elif not quoted and char == separator:
            fields.append((start, at))
            start = at + 1
        elif not quoted and char in "\r\n":
            fields.append((start, at))
            records.append(fields)
            fields = []
            if text[at : at + 2] == "\r\n":
                at += 1
            start = at + 1
        at += 1
    if start < len(text) or fields:
        fields.append((start, len(text)))
        records.append(fields)
    return records

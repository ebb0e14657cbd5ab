"""The rows of the open session, in order, and the text that is just streaming into them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.ui.chat.rows.items import AssistantRow, LaterRow, Part, Row, TextPart


class RowModel:
    """Plain data. Text that streams is kept in pieces until somebody asks for the row."""

    def __init__(self) -> None:
        self._rows: dict[str, Row | LaterRow] = {}
        self._pieces: dict[str, dict[str, list[str]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, row_id: str) -> bool:
        return row_id in self._rows

    def ids(self) -> list[str]:
        return list(self._rows)

    def set(self, rows: Iterable[Row | LaterRow]) -> None:
        self._rows = {row.id: row for row in rows}
        self._pieces = {}

    def append(self, row: Row) -> None:
        if row.id in self._rows:
            raise ValueError(f"there is a row {row.id} already")
        self._rows[row.id] = row

    def remove(self, row_id: str) -> None:
        del self._rows[row_id]
        self._pieces.pop(row_id, None)

    def replace(self, row: Row) -> None:
        self._rows[row.id] = row

    def row(self, row_id: str) -> Row:
        """The row with all text that has arrived."""
        row = self._rows[row_id]
        if isinstance(row, LaterRow):
            row = self._rows[row_id] = row.make()
        return self._join(row_id) if self._pieces.get(row_id) else row

    def peek(self, row_id: str) -> Row | LaterRow:
        """The row without the text that streams: cheap, for what does not depend on it."""
        return self._rows[row_id]

    def add_text(self, row_id: str, part_id: str, text: str) -> None:
        self._pieces.setdefault(row_id, {}).setdefault(part_id, []).append(text)

    def put_part(self, row_id: str, part: Part, after: str = "") -> AssistantRow:
        """A new part behind the part `after`, else at the end; or the next state of one that is there."""
        row = self._assistant(row_id)
        ids = [known.id for known in row.parts]
        if part.id in ids:
            parts = tuple(part if known.id == part.id else known for known in row.parts)
        else:
            place = ids.index(after) + 1 if after in ids else len(ids)
            parts = (*row.parts[:place], part, *row.parts[place:])
        return self._store(replace(row, parts=parts))

    def remove_part(self, row_id: str, part_id: str) -> AssistantRow:
        row = self._assistant(row_id)
        return self._store(replace(row, parts=tuple(part for part in row.parts if part.id != part_id)))

    def mark_remark(self, row_id: str, part_id: str) -> AssistantRow:
        """A text of the row belongs to its step."""
        row = self._assistant(row_id)
        parts = (
            replace(part, is_remark=True) if isinstance(part, TextPart) and part.id == part_id else part
            for part in row.parts
        )
        return self._store(replace(row, parts=tuple(parts)))

    def _assistant(self, row_id: str) -> AssistantRow:
        row = self.row(row_id)
        if not isinstance(row, AssistantRow):
            raise TypeError(f"row {row_id} has no parts")
        return row

    def _store(self, row: AssistantRow) -> AssistantRow:
        self._rows[row.id] = row
        return row

    def _join(self, row_id: str) -> AssistantRow:
        pieces = self._pieces.pop(row_id)
        row = self._rows[row_id]
        if not isinstance(row, AssistantRow):
            raise TypeError(f"row {row_id} has no parts")
        parts: list[Part] = [_grown(part, pieces) for part in row.parts]
        parts += [TextPart(part_id, "".join(texts)) for part_id, texts in pieces.items()]
        return self._store(replace(row, parts=tuple(parts)))


def _grown(part: Part, pieces: dict[str, list[str]]) -> Part:
    """The part with its waiting text, which is taken from `pieces`."""
    if not isinstance(part, TextPart) or part.id not in pieces:
        return part
    return replace(part, text=part.text + "".join(pieces.pop(part.id)))

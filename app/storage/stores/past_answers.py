"""Finished answers of one agent with their questions and thumbs, for what a planner may learn. Function on a cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import apsw

from app.core.run.messages import Message

from ..db.encoding import checksum, from_text

LARGEST = 200_000
"""Characters of a stored answer that is still looked at: a lesson must not hold up the question."""


@dataclass(frozen=True, slots=True)
class PastAnswer:
    run: str
    message: Message
    rating: int


def read(cursor: apsw.Cursor, agent: str, limit: int) -> list[PastAnswer]:
    """Newest first; those with a plan and those that were liked. What is damaged or in the bin is skipped."""
    rows: list[Any] = cursor.execute(
        "SELECT r.id, m.id, b.json, b.checksum, coalesce(g.value, 0) FROM run r"
        " JOIN message m ON m.id = r.message JOIN body b ON b.message = m.n"
        " JOIN session s ON s.n = m.session LEFT JOIN rating g ON g.message = m.id"
        " WHERE r.agent = ? AND r.parent IS NULL AND r.state = 'complete' AND s.trashed IS NULL"
        ' AND length(b.json) < ? AND (g.value = 1 OR instr(b.json, \'"kind":"plan"\')) ORDER BY r.n DESC LIMIT ?',
        (agent, LARGEST, limit),
    ).fetchall()
    found: list[PastAnswer] = []
    for run, id, text, stored_sum, rating in rows:
        if stored_sum != checksum(text):
            continue
        try:
            body = {**from_text(text), "id": id, "role": "assistant", "run": run, "created": 0.0}
            found.append(PastAnswer(run, Message.from_json(body), int(rating)))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            continue
    return found

"""Answers that were in progress when their process ended: folded from their event log, ended in order.

The log gets the lines the process could not write any more – the outcome of its open tool calls,
and the one terminal event – so that replay, compare and export see a whole run. All text is kept.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import apsw

from app.core.events import ErrorInfo, LoopError, RunEvent, Stamped, ToolReturned, is_terminal
from app.core.messages import Call, Message
from app.core.transcript import Fold

from . import bodies, intents, owner, run_rows

CODE = "INTERRUPTED"
"""The `code` of the error that ends such a run."""


def recover(cursor: apsw.Cursor, me: str) -> list[str]:
    """Ends every run, and every message without a run, whose owner is gone. Returns the sessions changed."""
    spared = owner.living(cursor) | {me}
    changed = _recover_runs(cursor, spared) | _recover_messages(cursor, spared)
    cursor.executemany("DELETE FROM owner WHERE id = ?", [(id,) for id in _gone(cursor, spared)])
    return sorted(changed)


def _recover_runs(cursor: apsw.Cursor, spared: Collection[str]) -> set[str]:
    rows = cursor.execute(
        "SELECT r.n, r.id, r.owner, r.message, coalesce(s.id, ''), s.n FROM run r LEFT JOIN session s ON s.n = r.session"
        " WHERE r.state IN ('pending', 'streaming')"
    ).fetchall()
    changed = set()
    for n, id, owned_by, message, session_id, session in rows:
        if owned_by not in spared:
            _end_run(cursor, n, id, message, session_id, session)
            changed.add(session_id)
    return changed


def _end_run(
    cursor: apsw.Cursor, n: int, id: str, message_id: str | None, session_id: str, session: int | None
) -> None:
    stored = bodies.read_some(cursor, session_id, [message_id]) if message_id else []
    lines = run_rows.read_events(cursor, id)
    fold = Fold(message_id or id, run=id)
    for line in lines:
        fold.apply(line.event)
    running = intents.abandon(cursor, n)
    if not (lines and is_terminal(lines[-1].event)):
        lines = [*lines, *_last_lines(fold, lines, id, session_id, running)]
        run_rows.insert_events(cursor, n, lines[-(len(lines)) :])
    folded = fold.message()
    state = folded.state if _ended_itself(fold) else "interrupted"
    run_rows.end(cursor, n, state, lines)
    if stored and session is not None:
        kept = stored[0]
        if kept.state in ("pending", "streaming"):
            _store(cursor, session, replace(folded, state=state, created=kept.created, parent=kept.parent))

"""Ends answers whose process died: folds them from their event log and adds the missing end.

The log gets the lines the process could not write: its beginning, if needed, the outcome of open tool calls, and the
terminal event, so that replay, compare and export see a whole run. All text is kept.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import apsw

from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.event_values import CallStatus, ErrorInfo
from app.core.run.events import LoopError, LoopStart, RunEvent, StepEnd, StepStart, ToolReturned
from app.core.run.messages import Call, Message
from app.core.run.outcome import UNFINISHED, MessageState
from app.core.run.transcript import Fold

from ..db import owner
from ..db import search_index as search_rows
from ..db.columns import row_of
from . import intents, run_rows
from . import message_rows as bodies

log = logging.getLogger(__name__)

CODE = "INTERRUPTED"
"""The `code` of the error that ends such a run."""


def recover(cursor: apsw.Cursor, me: str) -> list[str]:
    """Ends every answer whose process is gone; those of living ones are left alone. Returns the sessions changed."""
    spared = owner.living(cursor) | {me}
    changed: set[str] = set()
    for run in _open_runs(cursor):
        if run.owner not in spared:
            _end_somehow(cursor, run)
            changed.add(run.session)
    changed |= _end_messages_without_run(cursor, spared)
    owner.forget_all_but(cursor, spared)
    return sorted(changed - {""})


@dataclass(frozen=True, slots=True)
class _OpenRun:
    n: int
    id: str
    owner: str | None
    message: str
    session: str
    session_n: int | None
    agent: str
    mode: str
    model: str
    parent: str | None


def _open_runs(cursor: apsw.Cursor) -> list[_OpenRun]:
    rows: list[Any] = cursor.execute(
        "SELECT r.n, r.id, r.owner, coalesce(r.message, ''), coalesce(s.id, ''), s.n,"
        " r.agent, r.mode, r.model, r.parent"
        " FROM run r LEFT JOIN session s ON s.n = r.session WHERE r.state IN ('pending', 'streaming')"
    ).fetchall()
    return [row_of(_OpenRun, row) for row in rows]


def _end_somehow(cursor: apsw.Cursor, run: _OpenRun) -> None:
    """A log nothing can be made of ends its run all the same, and keeps neither the others nor the window shut."""
    try:
        with cursor.connection:
            _end(cursor, run)
    except UnicodeDecodeError:
        raise  # the transaction reads it all again, forgivingly
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        log.warning("run %s could not be ended by its log: %s", run.id, error)
        cursor.execute("UPDATE run SET state = 'interrupted', owner = NULL WHERE n = ?", (run.n,))


def _end(cursor: apsw.Cursor, run: _OpenRun) -> None:
    lines = run_rows.read_events(cursor, run.id)
    fold = Fold(run.message or run.id, run=run.id)
    for line in lines:
        fold.apply(line.event)
    running = intents.abandon(cursor, run.n)
    state: MessageState = fold.message().state
    if state in UNFINISHED:
        state = "interrupted"
        began = [] if lines else [_first_line(cursor, run)]
        added = [*began, *_last_lines(fold, lines or began, run, running)]
        for line in added:
            fold.apply(line.event)
        run_rows.insert_events(cursor, run.n, added)
        lines += added
    run_rows.end(cursor, run.n, state, lines)
    _store(cursor, run, replace(fold.message(), state=state))


def _first_line(cursor: apsw.Cursor, run: _OpenRun) -> Stamped:
    """How it began, of a run that had not even said so."""
    answer = bodies.read_some(cursor, run.session, [run.message])
    question = bodies.read_some(cursor, run.session, [one.parent for one in answer if one.parent])
    query = "".join(message.text for message in question)
    return Stamped(0, 0.0, run.id, run.session, LoopStart(run.agent, run.mode, run.model, query), run.parent)


def _last_lines(fold: Fold, lines: list[Stamped], run: _OpenRun, running: set[str]) -> Iterator[Stamped]:
    """What the log lacks to be that of a whole run."""
    seq, t, parent = lines[-1].seq + 1, lines[-1].t, lines[-1].parent
    calls = [part for part in fold.message().parts if isinstance(part, Call)]
    events: list[RunEvent] = [_lost(call, call.call.id in running) for call in calls if call.result is None]
    if (open_step := _open_step(lines)) is not None:
        events.append(StepEnd(open_step, "interrupted", Usage(exact=False), 0))
    info = ErrorInfo(CODE, "the program ended before the answer did", retryable=True)
    steps = max((getattr(line.event, "step", 0) for line in lines), default=0)
    tools = tuple(call.call.name for call in calls)
    events.append(LoopError("internal", info, partial=fold.visible_text(), steps=steps, tools=tools, seconds=t))
    for n, event in enumerate(events):
        yield Stamped(seq + n, t, run.id, run.session, event, parent)


def _open_step(lines: list[Stamped]) -> int | None:
    for line in reversed(lines):
        if isinstance(line.event, StepEnd):
            return None
        if isinstance(line.event, StepStart):
            return line.event.step
    return None


def _lost(call: Call, was_running: bool) -> ToolReturned:
    """A call that had begun may have had its effect: nobody knows."""
    status: CallStatus = "unknown" if call.started or was_running else "interrupted"
    reason = (
        "the program ended while this ran; whether it took effect is not known" if status == "unknown" else "not run"
    )
    return ToolReturned(
        call.call.step, call.call.id, call.call.name, False, status, reason, reason,
        len(reason), len(reason), False, 0, error={"code": CODE, "message": reason},
    )  # fmt: skip


def _store(cursor: apsw.Cursor, run: _OpenRun, folded: Message) -> None:
    stored = bodies.read_some(cursor, run.session, [run.message])
    if not stored or run.session_n is None or stored[0].state not in UNFINISHED:
        return
    newest = stored[0]
    # A log damaged in the middle folds into less than the message shows already.
    whole = folded if len(folded.text) >= len(newest.text) else replace(newest, state=folded.state, end=folded.end)
    message = replace(whole, created=newest.created, parent=newest.parent, extra=newest.extra)
    bodies.update(cursor, run.session_n, message)


def _end_messages_without_run(cursor: apsw.Cursor, spared: Collection[str]) -> set[str]:
    rows: list[Any] = cursor.execute(
        "SELECT m.n, m.owner, s.id FROM message m JOIN session s ON s.n = m.session"
        " WHERE m.state IN ('pending', 'streaming')"
    ).fetchall()
    orphans = [(n, session) for n, owned_by, session in rows if owned_by not in spared]
    cursor.executemany("UPDATE message SET state = 'interrupted', owner = NULL WHERE n = ?", [(n,) for n, _ in orphans])
    for n, _session in orphans:
        search_rows.put_stored(cursor, "m.n = ?", (n,))
    return {session for _, session in orphans}

"""Runs, their event logs and what their tools were doing, in SQL. Functions on a cursor."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from app.core.errors import UnknownName
from app.core.run.event_line import Stamped, event_to_json
from app.core.run.events import LoopEnd, LoopError

from ..db.columns import row_of
from ..db.encoding import from_text, object_in, to_text


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run in a list. `reason` is the stop reason, or the reason of the error."""

    id: str
    session: str
    message: str
    parent: str | None
    agent: str
    mode: str
    model: str
    started: float
    ended: float | None
    state: str
    reason: str
    steps: int
    title: str
    """Of its session."""
    chosen: str
    """The mode it ran in: what Auto chose, else `mode`."""
    usage: dict[str, Any]


_USED = "iif(json_valid(r.usage), r.usage, NULL)"
"""What a run used. One that cannot be read counts as none; SQLite would refuse the sum of all."""
_FIRST_EVENTS = 5
"""So many of a run are looked through for what Auto chose; it is said before anything else."""
_CHOSEN = (
    "(SELECT iif(json_valid(e.body), json_extract(e.body, '$.mode'), NULL) FROM event e"  # noqa: S608 - names of ours
    f" WHERE e.run = r.n AND e.seq < {_FIRST_EVENTS} AND instr(e.body, '\"mode_selected\"') LIMIT 1)"
)
_SELECT = (
    "SELECT r.id, coalesce(s.id, ''), coalesce(r.message, ''), r.parent, r.agent, r.mode, r.model,"  # noqa: S608
    " r.started, r.ended, r.state, r.reason, r.steps, coalesce(s.title, ''),"
    f" CASE r.mode WHEN 'auto' THEN coalesce({_CHOSEN}, r.mode) ELSE r.mode END, r.usage"
    " FROM run r LEFT JOIN session s ON s.n = r.session"
)


def number_of(cursor: apsw.Cursor, run_id: str) -> int:
    n = cursor.execute("SELECT n FROM run WHERE id = ?", (run_id,)).get
    if n is None:
        raise UnknownName("run", run_id)
    return int(n)


def read_rows(cursor: apsw.Cursor, session: str | None, limit: int) -> list[RunRow]:
    """Newest first."""
    if session is None:
        rows = cursor.execute(f"{_SELECT} ORDER BY r.n DESC LIMIT ?", (limit,)).fetchall()
    else:
        n = cursor.execute("SELECT n FROM session WHERE id = ?", (session,)).get
        rows = cursor.execute(f"{_SELECT} WHERE r.session = ? ORDER BY r.n DESC LIMIT ?", (n, limit)).fetchall()
    return [_run_row(row) for row in rows]


def _run_row(row: tuple[Any, ...]) -> RunRow:
    return row_of(RunRow, (*row[:-1], object_in(row[-1])))


@dataclass(frozen=True, slots=True)
class UsageRow:
    """What was spent on one day (local, `2026-11-20`) by one agent with one model, in one session or in all."""

    day: str
    agent: str
    model: str
    runs: int
    input: int
    output: int
    seconds: float
    cached: int = 0
    """Of the input, from a provider's cache."""
    session: str = ""
    """Its id; "" where sessions were not asked for, and for runs without one."""
    title: str = ""


def read_usage(
    cursor: apsw.Cursor, session: str | None, since: float, until: float, *, by_session: bool = False
) -> list[UsageRow]:
    """Newest day first. What a run inside another one spent is in the sum of the outer one."""
    named = "coalesce(s.id, ''), coalesce(s.title, '')" if by_session else "'', ''"
    rows: Any = cursor.execute(
        "SELECT date(r.started, 'unixepoch', 'localtime') AS day, r.agent, r.model, count(*),"  # noqa: S608 - our own
        f" coalesce(sum({_USED} ->> 'input'), 0), coalesce(sum({_USED} ->> 'output'), 0),"
        f" coalesce(sum(max(r.ended - r.started, 0)), 0), coalesce(sum({_USED} ->> 'cached'), 0),"
        f" {named}"
        " FROM run r LEFT JOIN session s ON s.n = r.session"
        " WHERE r.parent IS NULL AND r.started >= :since AND r.started < :until"
        " AND (:session IS NULL OR s.id = :session)"
        f" GROUP BY day, r.agent, r.model{', s.n' if by_session else ''} ORDER BY day DESC, r.agent, r.model",
        {"since": since, "until": until, "session": session},
    )
    return [row_of(UsageRow, row) for row in rows]


@dataclass(frozen=True, slots=True)
class UsedRow:
    """What runs with one model have used of a budget."""

    model: str
    input: int
    output: int
    cached: int
    seconds: float
    """Of work, as far as it was kept; else from beginning to end."""
    tool_calls: int


def read_used(cursor: apsw.Cursor, session: str | None, since: float, but: Sequence[str]) -> list[UsedRow]:
    """Of the session, or of all; without the runs `but`. Inner runs are in the sum of the outer one."""
    where = "r.session = (SELECT n FROM session WHERE id = :session)" if session else "r.started >= :since"
    rows: Any = cursor.execute(
        f"SELECT r.model, coalesce(sum({_USED} ->> 'input'), 0), coalesce(sum({_USED} ->> 'output'), 0),"  # noqa: S608
        f" coalesce(sum({_USED} ->> 'cached'), 0),"
        f" coalesce(sum(coalesce({_USED} ->> 'seconds', max(r.ended - r.started, 0))), 0),"
        f" coalesce(sum({_USED} ->> 'tool_calls'), 0)"
        f" FROM run r WHERE {where} AND r.parent IS NULL AND r.id NOT IN (SELECT value FROM json_each(:but))"
        " GROUP BY r.model",
        {"session": session, "since": since, "but": to_text(list(but))},
    )
    return [row_of(UsedRow, row) for row in rows]


def insert_events(cursor: apsw.Cursor, run: int, lines: Iterable[Stamped]) -> None:
    """A line that is there already is replaced: only the run's own process, or its recovery, writes here."""
    cursor.executemany(
        "INSERT INTO event (run, seq, body) VALUES (?, ?, ?) ON CONFLICT (run, seq) DO UPDATE SET body = excluded.body",
        [(run, line.seq, _event_text(line)) for line in lines],
    )


def read_events(cursor: apsw.Cursor, run_id: str) -> list[Stamped]:
    """The log up to the first line that cannot be read: what comes after it would not fit together."""
    rows = cursor.execute(
        "SELECT r.n, coalesce(s.id, '') FROM run r LEFT JOIN session s ON s.n = r.session WHERE r.id = ?", (run_id,)
    ).get
    if rows is None:
        raise UnknownName("run", run_id)
    n, session = rows
    return read_lines(cursor, n, run_id, session)


def read_lines(cursor: apsw.Cursor, n: int, run_id: str = "", session: str = "") -> list[Stamped]:
    """`read_events` by the number of the run, whatever became of its row."""
    lines: list[Stamped] = []
    for seq, text in cursor.execute("SELECT seq, body FROM event WHERE run = ? ORDER BY seq", (n,)):
        try:
            lines.append(Stamped.from_json({**from_text(text), "seq": seq, "run": run_id, "session": session}))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            break
    return lines


def end(
    cursor: apsw.Cursor, run: int, state: str, lines: Sequence[Stamped], spent: Mapping[str, float] | None = None
) -> None:
    """The run's row says how it ended; lines after its last one are of a recovery that was wrong.

    `spent` is kept with the tokens: seconds of work, calls of tools.
    """
    last = lines[-1] if lines else None
    reason, steps, usage = "", 0, None
    if last is not None:
        cursor.execute("DELETE FROM event WHERE run = ? AND seq > ?", (run, last.seq))
        if isinstance(last.event, LoopEnd | LoopError):
            reason, steps, tokens = facts_of(last.event)
            usage = to_text({**tokens, **(spent or {})})
    cursor.execute(
        "UPDATE run SET state = ?, ended = ?, reason = ?, steps = ?, usage = ?, owner = NULL WHERE n = ?",
        (state, time.time(), reason, steps, usage, run),
    )


def facts_of(end: LoopEnd | LoopError) -> tuple[str, int, dict[str, Any]]:
    """Why it ended, its steps, its tokens."""
    reason = end.stop_reason if isinstance(end, LoopEnd) else end.reason
    return reason, end.steps, event_to_json(end)["usage"]


def _event_text(line: Stamped) -> str:
    """Without what the run's row knows: its id, its session."""
    body = event_to_json(line.event)
    body["t"] = round(line.t, 4)
    if line.parent:
        body["parent"] = line.parent
    return to_text(body)

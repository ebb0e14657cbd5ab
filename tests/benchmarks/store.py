"""P11 and P17 of the quality page: what storing costs, and whether it stays so when there is much.

    python -m tests.benchmarks.store p11|p17 [--json] [--short]

P11: a run of many deltas followed by the program's recorder (safe on the disk at each step's end), less
the same run followed by nobody, per event; against one insert per event into a WAL database with
synchronous=NORMAL, in turn.

P17: start (open, first page of the list), open a session, append a message and search, with 1,000,000
messages in 10,000 sessions against 10,000 in 100; 10th percentile of each. `--short` has 100,000. Told with
it, for R33: a session of 5,000 messages opened, one moved to the bin, one deleted for good, and how long
others wait at most while its words leave the index.

The tests have a still shorter form, `history`: 9,000 messages against 1,000, and nothing told beside it.
"""

from __future__ import annotations

import asyncio
import json
import math
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, cast

import apsw

from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopStart, RunEvent, StepEnd, StepStart, Token
from app.core.run.messages import Message, user_message
from app.core.run.run_handle import RunHandle
from app.core.run.transcript import Fold
from app.core.session.summary import SessionRow
from app.services.changes import Changes
from app.services.runs.recorder import Recorder
from app.storage.db import search_index as search_rows
from app.storage.db.database import Database
from app.storage.stores.runs import RunStore
from app.storage.stores.search import SearchStore
from app.storage.stores.sessions import SessionStore
from tests.benchmarks.corpus import QUERIES, add_session, fill
from tests.benchmarks.program import figure

P11_GOAL = 1.0
GOALS = {"start": 1.3, "open": 1.3, "append": 1.3, "search": 3.0}
FURTHER = ("long", "bin", "purge", "wait")
LONG = 5_000
"""Messages of the session `long`."""
STEPS, PER_STEP = 5, 200
PAGE = 200
"""Sessions the list shows at first."""


def main() -> int:
    return figure(__doc__, ["p11", "p17"], measure)


def measure(name: str, short: bool) -> dict[str, Any]:
    widened = 2.0 if short else 1.0
    return asyncio.run(events(3 if short else 9, widened) if name == "p11" else many(short, widened))


# ------------------------------------------------------------ P11


async def events(pairs: int, widened: float) -> dict[str, Any]:
    ours, floors = [], []
    with tempfile.TemporaryDirectory(prefix="triptych-p11-") as place:
        for n in range(pairs + 1):
            ours.append(await _logged(Path(place) / f"ours{n}"))
            floors.append(_inserted(Path(place) / f"floor{n}.db"))
    return _row("P11", statistics.median(ours[1:]), statistics.median(floors[1:]), P11_GOAL * widened)


def _run_events() -> list[RunEvent]:
    lines: list[RunEvent] = [LoopStart("assistant", "react", "m", "q")]
    for step in range(1, STEPS + 1):
        lines.append(StepStart(step, STEPS, 0))
        lines += [Token(step, f"word{n} and 字 ") for n in range(PER_STEP)]
        lines.append(StepEnd(step, "stop", Usage(), 10))
    return [*lines, LoopEnd("done", "answered", steps=STEPS)]


class _Played:
    """A run that is over as fast as it is read."""

    id, session = "r", "s"

    def __init__(self) -> None:
        self._lines = [Stamped(seq, 0.1, "r", "s", event) for seq, event in enumerate(_run_events())]

    async def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
        for line in self._lines:
            await asyncio.sleep(0)
            yield line

    def full_result(self, call_id: str) -> None:
        return None


async def _logged(folder: Path) -> float:
    """Seconds per event: followed by the recorder, less the same run followed by a fold alone."""
    db = Database(folder / "sessions.db")
    sessions, runs = SessionStore(db), RunStore(db)
    await sessions.create(SessionRow("s", "", "assistant", "", "", 1.0, 1.0))
    await runs.start("r", "s", Message("a", "assistant", (), 1.0, None, "r", state="streaming"))
    played, count = _Played(), len(_run_events())
    started = time.perf_counter()
    fold = Fold("a", run="r")
    async for line in played.events():
        fold.apply(line.event)
    off = time.perf_counter() - started
    started = time.perf_counter()
    recorder = Recorder(cast(RunHandle, played), runs, Fold("a", run="r"), saved=Changes())
    await recorder.follow()
    on = time.perf_counter() - started
    await runs.close()
    await db.close()
    return (on - off) / count


def _inserted(path: Path) -> float:
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "normal")
    connection.execute("CREATE TABLE event (run INTEGER, seq INTEGER, body TEXT, PRIMARY KEY (run, seq)) WITHOUT ROWID")
    bodies = [json.dumps({"seq": seq, "event": str(event)}) for seq, event in enumerate(_run_events())]
    started = time.perf_counter()
    for seq, body in enumerate(bodies):
        connection.execute("INSERT INTO event VALUES (1, ?, ?)", (seq, body))
    seconds = time.perf_counter() - started
    connection.close()
    return seconds / len(bodies)


# ------------------------------------------------------------ P17


async def many(short: bool, widened: float) -> dict[str, Any]:
    return await _compared(10_000, 100_000 if short else 1_000_000, widened, rounds=11, further=True)


async def history(widened: float) -> dict[str, Any]:
    return await _compared(1_000, 9_000, widened, rounds=7, further=False)


async def _compared(less: int, more: int, widened: float, *, rounds: int, further: bool) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="triptych-p17-") as place:
        few, lots = Path(place) / "few", Path(place) / "many"
        for folder, count in ((few, less), (lots, more)):
            await fill(folder, count)
            if further:
                await add_session(folder, "long", LONG)
        small, large = await _timed(few, lots, rounds, further)
    ratios = {name: seconds / small[name] for name, seconds in large.items()}
    worst = max(GOALS, key=lambda name: ratios[name] / GOALS[name])
    row = _row("P17", large[worst], small[worst], GOALS[worst] * widened)
    row["ok"] = all(ratios[name] <= goal * widened for name, goal in GOALS.items())
    return row | {name: round(ratio, 3) for name, ratio in ratios.items()}


async def _timed(few: Path, lots: Path, rounds: int, further: bool) -> tuple[dict[str, float], dict[str, float]]:
    """Both in turn, so that a busy moment of the machine falls on both."""
    taken: tuple[dict[str, list[float]], dict[str, list[float]]] = ({}, {})
    for n in range(rounds):
        for folder, seconds in zip((few, lots), taken, strict=True):
            for name, value in (await _round(folder, n, further)).items():
                seconds.setdefault(name, []).append(value)
    small, large = ({name: _low(values[1:]) for name, values in one.items()} for one in taken)
    return small, large


def _low(values: list[float]) -> float:
    """The 10th percentile of those that were taken."""
    taken = [value for value in values if not math.isnan(value)]
    return statistics.quantiles(taken, n=10, method="inclusive")[0] if len(taken) > 1 else min(taken)


async def _round(folder: Path, n: int, further: bool) -> dict[str, float]:
    db = Database(folder / "sessions.db")
    sessions, search = SessionStore(db), SearchStore(db)
    seconds: dict[str, float] = {}
    now = time.perf_counter if further else time.process_time  # a busy machine would be most of so little

    async def clock(name: str, work: Callable[[], Awaitable[Any]]) -> None:
        started = now()
        await work()
        seconds[name] = seconds.get(name, 0.0) + now() - started

    async def start() -> None:
        await db.open()
        await sessions.rows(limit=PAGE)

    await clock("start", start)
    # The rounds delete the first sessions; the least history has only ten.
    opened = "s50" if further else "s9"
    await clock("open", lambda: sessions.messages(opened))
    text = user_message(f"new{n}", "one more question about 茶", created=time.time())
    await clock("append", lambda: sessions.add_message(opened, text))
    for query in QUERIES.values():
        await search.search(query)
        await clock("search", lambda query=query: search.search(query))  # type: ignore[misc]
    if further:
        await clock("long", lambda: sessions.messages("long"))
        await clock("bin", lambda: sessions.trash(f"s{n}"))
        await clock("purge", lambda: sessions.purge(f"s{n}"))
        seconds["wait"] = await _longest_piece(db) if n % 5 == 0 else math.nan
    await db.close()
    return seconds


async def _longest_piece(db: Database) -> float:
    """Of forgetting: so long somebody else who writes may have to wait."""
    longest, begin, more = 0.0, True, True
    while more:
        started = time.perf_counter()
        more = await db.write(partial(search_rows.forget_some, begin=begin))
        longest, begin = max(longest, time.perf_counter() - started), False
    return longest


def _row(name: str, ours: float, floor: float, goal: float) -> dict[str, Any]:
    ratio = ours / floor
    return {
        "name": name,
        "ours": round(ours, 7),
        "floor": round(floor, 7),
        "ratio": round(ratio, 3),
        "goal": goal,
        "ok": ratio <= goal,
    }


if __name__ == "__main__":
    raise SystemExit(main())

"""P10 of the quality page: the first 20 hits in 100,000 messages.

    python -m tests.benchmarks.search p10 [--json] [--short]

Ours is `SearchStore.search` as the window calls it: thread, index, bodies, snippets with marks. The
floor is LIKE over a table of the same texts in a database of its own, newest 20 by their time.
In turn, after one of each, 10th percentile of the pairs, for a rare word, a phrase, a common word and
two Chinese characters;
the ratio is the worst of the four.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import apsw

from app.storage.db.database import Database
from app.storage.stores.search import SearchStore
from tests.benchmarks.corpus import QUERIES, fill, texts
from tests.benchmarks.program import figure

GOAL = 0.1
MESSAGES, SHORT_MESSAGES = 100_000, 40_000


def main() -> int:
    return figure(
        __doc__,
        ["p10"],
        lambda _name, short: asyncio.run(measure(SHORT_MESSAGES if short else MESSAGES, GOAL * (2 if short else 1))),
    )


async def measure(count: int, goal: float, pairs: int = 15) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="triptych-p10-") as place:
        db = Database(await fill(Path(place), count))
        plain = _plain(Path(place) / "plain.db", count)
        try:
            each = {name: await _pairs(SearchStore(db), plain, query, pairs) for name, query in QUERIES.items()}
        finally:
            plain.close()
            await db.close()
    worst = max(each, key=lambda name: each[name][0] / each[name][1])
    ours, floor = each[worst]
    return {
        "name": "P10",
        "ours": round(ours, 6),
        "floor": round(floor, 6),
        "ratio": round(ours / floor, 4),
        "goal": goal,
        "ok": ours / floor <= goal,
        "messages": count,
        **{name: round(ours / floor, 4) for name, (ours, floor) in each.items()},
    }


async def _pairs(store: SearchStore, plain: apsw.Connection, query: str, pairs: int) -> tuple[float, float]:
    ours, floors = [], []
    for _ in range(pairs + 1):
        started = time.perf_counter()
        hits = await store.search(query)
        ours.append(time.perf_counter() - started)
        started = time.perf_counter()
        rows = _like(plain, query.strip('"'))
        floors.append(time.perf_counter() - started)
        assert [hit.message for hit in hits] == rows, query
    return statistics.quantiles(ours[1:], n=10)[0], statistics.quantiles(floors[1:], n=10)[0]


def _plain(path: Path, count: int) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE plain (n INTEGER PRIMARY KEY, created REAL, text TEXT)")
    with connection:
        rows = ((n, float(n), text) for n, text in enumerate(texts(count)))
        connection.executemany("INSERT INTO plain VALUES (?, ?, ?)", rows)
    return connection


def _like(connection: apsw.Connection, text: str) -> list[str]:
    sql = "SELECT 'm' || n FROM plain WHERE text LIKE ? ORDER BY created DESC LIMIT 20"
    return [str(row[0]) for row in connection.execute(sql, (f"%{text}%",))]


if __name__ == "__main__":
    raise SystemExit(main())

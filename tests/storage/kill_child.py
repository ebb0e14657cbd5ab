"""A process that dies at one exact statement: `python kill_child.py migrate|import <folder> <n>`.

Dies before the n-th statement after the work began; prints how many there were if it lives to the end.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import apsw

from app.core.exchange.document import SessionDocument
from app.storage.db.database import Database
from app.storage.maintenance.session_transfer import TransferStore

SESSIONS, MESSAGES = 3, 4


class Killer:
    def __init__(self, at: int) -> None:
        self.at, self.count = at, 0

    def __call__(self, *_: Any) -> bool:
        self.count += 1
        if self.count == self.at:
            os._exit(9)
        return True


def documents() -> list[SessionDocument]:
    return [
        SessionDocument(
            {"id": f"i{n}", "title": "t", "agent": "", "mode": "", "created": 1.0, "updated": 1.0, "pinned": False,
             "folder": "", "archived": False},
            [{"id": f"i{n}-{m}", "parent": None, "role": "user", "created": 1.0, "state": "complete",
              "parts": [{"kind": "text", "text": f"imported {n} {m}", "step": 0}]} for m in range(MESSAGES)],
        )
        for n in range(SESSIONS)
    ]  # fmt: skip


async def run(what: str, folder: Path, killer: Killer) -> None:
    def watched(connection: apsw.Connection) -> None:
        connection.exec_trace = killer

    db = Database(folder / "sessions.db")
    if what == "migrate":
        apsw.connection_hooks.append(watched)
        await db.open()
    else:
        await db.open()
        await db.write(lambda cursor: watched(cursor.connection))
        await TransferStore(db).insert(documents())
    print(json.dumps(killer.count))
    await db.close()


if __name__ == "__main__":
    asyncio.run(run(sys.argv[1], Path(sys.argv[2]), Killer(int(sys.argv[3]))))

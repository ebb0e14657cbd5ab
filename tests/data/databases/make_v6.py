"""Made v6.db, the first database with remembered facts, with the program of that time.

It holds a finished and rated session with a queue, one whose process was killed in mid-answer, and a document
in two versions.
Run from the top of the repository: python tests/data/databases/make_v6.py
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from app.core.memory import MemoryFact
from app.core.run.messages import Message, user_message
from app.core.run.model_call import ModelCall
from app.core.run.transcript import fold
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.db.owner import Owner
from app.storage.stores.documents import Documents
from app.storage.stores.facts import FactStore
from app.storage.stores.ratings import Rating, RatingStore
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore
from tests.storage.talk import WHOLE, stamped, streaming


async def fill(db: Database) -> None:
    sessions, documents = SessionStore(db), Documents(db)
    runs = RunStore(db, Owner(host="a machine/of the past", pid=4242, born="1", nonce="gone"))
    await sessions.create(SessionRow("s1", "杭州三日游", "travel", "plan", "", 1.0, 2.0, pinned=True))
    await sessions.create(SessionRow("s2", "", "assistant", "react", "", 3.0, 4.0, draft="unsent"))
    await sessions.add_message("s1", user_message("q1", "杭州三日游，两个人", created=1.0))
    await runs.start("r1", "s1", streaming("a1", "r1", "q1"), "travel", "plan", "script/x.json")
    await runs.save_result("r1", "c1", {"ok": True, "data": [1, 2, 3]})
    await runs.finish("r1", stamped(WHOLE), fold_of("a1", "r1", "q1"))
    await runs.save_model_calls("r1", [ModelCall(1, 1, "step", "script/x.json", body='{"messages": []}')])
    await RatingStore(db).put(Rating("a1", "travel", "plan", "杭州三日游，两个人", 1))
    await sessions.put_note("s1", "queue", ["再加一天"])
    await sessions.add_message("s2", user_message("q2", "an unfinished question", created=3.0))
    await runs.start("r2", "s2", streaming("a2", "r2", "q2"), "assistant", "react", "script/x.json")
    await runs.intend("r2", "c1", "search", "hash")
    await runs.mark("r2", "c1", "running")
    await runs.append("r2", stamped(WHOLE[:5] + WHOLE[6:7], "r2", "s2"))
    await db.write(lambda cursor: cursor.execute("UPDATE owner SET lease = 0").fetchall())
    await documents.put("trip", "t1", {"city": "杭州", "days": 2})
    await documents.put("trip", "t1", {"city": "杭州", "days": 3})
    facts = FactStore(db)
    await facts.add(MemoryFact("f1", "travel", "我住在杭州", about="home", session="s1", created=1.0, valid_from=1.0))
    await facts.add(
        MemoryFact(
            "f2", "travel", "我搬到苏州了", about="home", state="proposed", created=2.0, valid_from=2.0, replaces="f1"
        )
    )
    if runs._renewal is not None:
        runs._renewal.cancel()


def fold_of(id: str, run: str, parent: str) -> Message:
    return replace(fold(WHOLE, id, run=run, created=5.0), parent=parent)


async def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        db = Database(Path(place) / "sessions.db")
        await fill(db)
        await db.close()
        target = Path(__file__).with_name("v6.db")
        target.write_bytes(db.path.read_bytes())


if __name__ == "__main__":
    asyncio.run(main())

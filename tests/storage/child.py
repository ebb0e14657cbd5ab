"""A process that writes until it is killed: `python child.py <data folder> <its number>`.

Says on stdout what is on the disk, one JSON list per line, only after it is.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopStart, RunEvent, Token, ToolCalled, ToolStarted
from app.core.run.messages import Message, user_message
from app.core.run.transcript import Fold
from app.core.session.summary import SessionRow
from app.storage.db.database import Database
from app.storage.folder.paths import DataFolder
from app.storage.stores.runs import RunStore
from app.storage.stores.sessions import SessionStore


def said(*what: object) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def talk(folder: DataFolder, me: str) -> None:
    db = Database(folder.database)
    sessions, runs = SessionStore(db), RunStore(db)
    await runs.recover()
    session = f"s{me}"
    await sessions.create(SessionRow(session, "", "assistant", "", "", 1.0, 1.0))
    for turn in range(10_000):
        question = f"q{me}-{turn}"
        await sessions.add_message(session, user_message(question, f"question {turn}", created=1.0))
        said("user", question)
        await answer(runs, session, f"{me}-{turn}", question)


async def answer(runs: RunStore, session: str, name: str, question: str) -> None:
    run, id = f"r{name}", f"a{name}"
    fold, seq = Fold(id, run=run, parent=question, created=1.0), 0
    await runs.start(run, session, Message(id, "assistant", (), 1.0, question, run, state="streaming"))
    await runs.intents.propose(run, "c1", "write_file", "hash")
    await runs.intents.mark(run, "c1", "running")
    batches: list[list[RunEvent]] = [[LoopStart("assistant", "react", "m", "q")]]
    batches += [[Token(1, f"w{batch}.{n} ") for n in range(5)] for batch in range(12)]
    batches += [[ToolCalled(1, "c1", "write_file", {}), ToolStarted(1, "c1", "write_file")]]
    batches += [[LoopEnd("done", "answered", steps=1)]]
    for batch in batches:
        lines = [Stamped(seq + n, 0.1, run, session, event) for n, event in enumerate(batch)]
        seq += len(lines)
        for event in batch:
            fold.apply(event)
        message = fold.message()
        if message.end:
            await runs.intents.mark(run, "c1", "done")
            await runs.finish(run, lines, message)
            said("complete", id, message.text)
        else:
            await runs.append(run, lines, message if seq % 3 else None)
            said("partial", id, message.text)


if __name__ == "__main__":
    asyncio.run(talk(DataFolder(Path(sys.argv[1])), sys.argv[2]))

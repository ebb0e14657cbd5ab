"""A database of many made-up messages, half Chinese, half English, for the figures of storage.

The words are drawn so that a few are in every other message and most in hardly any. Filled in
large transactions through the rows the program itself writes.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import apsw

from app.core.run.messages import Message, user_message
from app.core.session.summary import SessionRow
from app.storage.db import search_index as search_rows
from app.storage.db.database import Database
from app.storage.stores import message_rows as bodies
from app.storage.stores import session_rows

COMMON = "route"
RARE = "quokka"
PHRASE = "silver lantern"
CHINESE = "茶馆"
QUERIES = {"rare word": RARE, "phrase": f'"{PHRASE}"', "common word": COMMON, "two Chinese characters": CHINESE}

_HAN = [chr(0x4E00 + 37 * n) for n in range(500)]
_WORDS = [f"{a}{b}{c}" for a in ("ta", "mo", "ri", "sel", "pan") for b in ("ro", "ni", "ka", "du") for c in "ntlsmxz"]
_SESSION = 100
_AT_ONCE = 10_000


def texts(count: int, seed: int = 7) -> Iterator[str]:
    chance = random.Random(seed)
    for n in range(count):
        if n % 2:
            words = [_WORDS[min(int(chance.expovariate(0.03)), len(_WORDS) - 1)] for _ in range(40)]
            words.insert(7, COMMON if n % 4 == 1 else "road")
            # The words of the phrase are everywhere, together only here and there.
            words.insert(11, PHRASE if n % 200 == 1 else "lantern of silver")
            if n % 5_000 == 1:
                words.append(RARE)
            yield " ".join(words)
        else:
            signs = "".join(_HAN[min(int(chance.expovariate(0.01)), len(_HAN) - 1)] for _ in range(90))
            yield f"{signs[:40]}，{CHINESE if n % 400 == 0 else '茶与馆'}，{signs[40:]}。"


async def fill(folder: Path, count: int) -> Path:
    """Returns the path of the database."""
    db = Database(folder / "sessions.db")
    source, now = texts(count), time.time()
    for first in range(0, count, _AT_ONCE):
        await db.write(partial(_some, source=source, first=first, count=min(_AT_ONCE, count - first), now=now))
    for table in (search_rows.MESSAGES, search_rows.TITLES):
        await db.write(partial(_in_one_piece, table=table))
    await db.close()
    return db.path


async def add_session(folder: Path, id: str, count: int) -> None:
    """One more session, of so many messages."""
    db = Database(folder / "sessions.db")
    source, now = texts(count, seed=8), time.time()
    await db.write(partial(_one, source=source, id=id, count=count, now=now))
    await db.close()


def _one(cursor: apsw.Cursor, source: Iterator[str], id: str, count: int, now: float) -> None:
    session_rows.insert_row(cursor, SessionRow(id, id, "assistant", "", "", now, now), {})
    number = cursor.connection.last_insert_rowid()
    for n in range(count):
        bodies.insert(cursor, number, user_message(f"{id}-{n}", next(source), created=now + n))


def _in_one_piece(cursor: apsw.Cursor, table: str) -> None:
    cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")


def _some(cursor: apsw.Cursor, source: Iterator[str], first: int, count: int, now: float) -> None:
    for n in range(first, first + count, _SESSION):
        row = SessionRow(f"s{n // _SESSION}", f"Session {n // _SESSION}", "assistant", "", "", now, now + n)
        session_rows.insert_row(cursor, row, {})
        number = cursor.connection.last_insert_rowid()
        search_rows.put_title(cursor, number, row.title)
        for place in range(n, min(n + _SESSION, first + count)):
            message: Message = user_message(f"m{place}", next(source), created=now + place)
            bodies.insert(cursor, number, message)

"""A text a failing disk has changed so that it is no text any more: it is seen as such, and hides nothing around it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from app.core.exchange.document import read_document
from app.core.exchange.remarks import Remarks
from app.core.run.messages import user_message
from app.core.run.transcript import fold
from app.storage.db.database import Database
from app.storage.folder.lenient_text import ForgivingCursor
from app.storage.maintenance.salvage import _read
from app.storage.maintenance.session_transfer import TransferStore
from app.storage.maintenance.verify import check_everything
from app.storage.stores.runs import RunStore
from app.storage.stores.search import SearchStore
from app.storage.stores.session_preview import rows_for_start
from app.storage.stores.sessions import SessionStore

from .talk import WHOLE, stamped, streaming

SPOIL = (
    "UPDATE session SET title = CAST(replace(CAST(title AS BLOB), x'E6A087', x'E6A0C7') AS TEXT)",
    "UPDATE session SET preview = CAST(x'61FF62' AS TEXT)",
    "UPDATE body SET json = CAST(replace(CAST(json AS BLOB), x'E4B8AD', x'A4B8AD') AS TEXT) WHERE message = 2",
    "UPDATE event SET body = CAST(replace(CAST(body AS BLOB), 'hm', x'6880') AS TEXT)",
    "UPDATE result SET body = CAST(replace(CAST(body AS BLOB), 'one', x'6FFE65') AS TEXT)",
)


@pytest.fixture
async def spoiled(db: Database, sessions: SessionStore, runs: RunStore) -> Path:
    """`s1` with a question, a spoiled one, an answer and its run; nothing in it but numbers is whole."""
    await sessions.update("s1", title="标题 of it")
    await sessions.add_message("s1", user_message("q1", "中文 whole", created=1.0))
    await sessions.add_message("s1", user_message("q2", "中文 spoiled", created=2.0))
    await runs.start("r1", "s1", streaming())
    await runs.save_result("r1", "c1", {"ok": True, "summary": "one", "data": {}})
    await runs.finish("r1", stamped(WHOLE), replace(fold(WHOLE, "a1", run="r1"), parent="q1"))
    for statement in SPOIL:
        await db.write(lambda cursor, statement=statement: cursor.execute(statement).fetchall())  # type: ignore[misc]
    return db.path


async def test_R21_one_spoiled_text_hides_no_session_no_message_and_no_hit(
    spoiled: Path, db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    (row,) = await sessions.rows()
    assert row.title.endswith(" of it")
    assert "\ufffd" in row.title
    texts = [message.text for message in await sessions.messages("s1")]
    assert texts[0] == "中文 whole"
    assert texts[1].endswith("文 spoiled")
    assert [hit.message for hit in await SearchStore(db).search("whole")] == ["q1"]
    assert len(await runs.events("r1")) == len(WHOLE)
    assert (await runs.result("r1", "c1") or {})["summary"] == "o\ufffde"
    document = await TransferStore(db).read("s1")
    assert [message["id"] for message in document.messages][:2] == ["q1", "q2"]
    assert [row.id for row in rows_for_start(spoiled)] == ["s1"], "the first paint shows it too"


async def test_R21_the_check_names_what_is_spoiled(spoiled: Path, db: Database) -> None:
    assert [line for line in await check_everything(db) if "message q" in line] == [
        "message q2 of session s1 is not what was written"
    ]


async def test_R21_what_is_no_json_any_more_stands_in_nobodys_way(
    spoiled: Path, db: Database, sessions: SessionStore, runs: RunStore
) -> None:
    """Of a run: its sums, a line of its log, a result; of a session: a note."""
    await sessions.notes.put("s1", "deleted", ["q9"])
    for table, column in (("run", "usage"), ("result", "body"), ("session_note", "body")):
        statement = f"UPDATE {table} SET {column} = '{{' || {column}"
        await db.write(lambda cursor, statement=statement: cursor.execute(statement).fetchall())  # type: ignore[misc]
    broken = "UPDATE event SET body = substr(body, 2) WHERE seq = 3"
    await db.write(lambda cursor: cursor.execute(broken).fetchall())
    (run,) = await runs.rows()
    assert run.usage == {}
    assert [(row.runs, row.input) for row in await runs.usage()] == [(1, 0)]
    assert [row.input for row in await runs.used("s1")] == [0]
    assert len(await runs.events("r1")) == 3
    assert await runs.result("r1", "c1") is None
    assert await sessions.notes.get("s1", "deleted") is None
    document = await TransferStore(db).read("s1")
    assert [message["id"] for message in document.messages] == ["q1", "q2", "a1"]
    assert [len(one["events"]) for one in document.runs] == [3]
    again = read_document(document.to_json(), Remarks())
    assert len(again.messages) == 3, "what was exported can be imported"


async def test_what_is_spoiled_can_be_given_a_new_name_and_deleted(
    spoiled: Path, db: Database, sessions: SessionStore
) -> None:
    await sessions.update("s1", title="named anew")
    assert (await sessions.get("s1")).title == "named anew"
    await sessions.trash("s1")
    await sessions.purge("s1")
    assert await sessions.rows(trashed=True) == []
    assert db._writer is not None
    assert db._writer.cursor_factory is apsw.Cursor, "the next transaction is a quick one again"


async def test_R06_a_spoiled_file_is_salvaged_but_for_what_is_spoiled(spoiled: Path, db: Database) -> None:
    await db.close()
    (found,) = _read(spoiled)
    ids = [message["id"] for message in found.messages]
    assert "q1" in ids
    assert "q2" not in ids, "its checksum is wrong"


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT 1",
        "SELECT 1, 'two', x'03', NULL, 4.5",
        "SELECT n FROM (SELECT 1 n UNION SELECT 2) ORDER BY n DESC",
        "SELECT 1 WHERE 0",
        "WITH a (x) AS (SELECT 7) SELECT x, x + ?1 FROM a",
        "PRAGMA user_version",
        "SELECT name, type FROM sqlite_schema ORDER BY name LIMIT 3",
    ],
)
def test_it_reads_what_the_plain_cursor_reads(statement: str) -> None:
    connection = apsw.Connection(":memory:")
    connection.execute("CREATE TABLE a (x); CREATE TABLE b (y)").fetchall()
    values = (5,) if "?1" in statement else None
    plain, forgiving = connection.cursor(), ForgivingCursor(connection)
    assert forgiving.execute(statement, values).fetchall() == plain.execute(statement, values).fetchall()
    assert forgiving.execute(statement, values).get == plain.execute(statement, values).get
    assert list(forgiving.execute(statement, values)) == list(plain.execute(statement, values))

"""Sessions to files and back: equal, never overwriting, and nothing of a bad file."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.compose import build
from app.core.exchange.document import SessionDocument
from app.core.exchange.options import Include
from app.core.run.event_line import event_to_json
from app.core.run.events import ToolCalled, ToolReturned
from app.core.run.messages import Message
from app.core.run.transcript import replay
from app.services.container import Services
from app.services.exchange.transfer import file_name
from app.storage.db.encoding import from_text, to_text
from app.storage.maintenance.session_transfer import insert, read
from tests.core.strategies import messages as drawn_messages
from tests.storage.talk import END, WHOLE, stamped

from .documents import document, exported, talked, user


@pytest.fixture
async def elsewhere(tmp_path: Path) -> AsyncIterator[Services]:
    services = build(tmp_path / "elsewhere", environ={})
    await services.open()
    yield services
    await services.close()


async def body_of(services: Services, id: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(await exported(services, id))
    return body


# ---------------------------------------------------------------- the round trip


async def test_R20_a_session_comes_back_equal_on_another_machine(services: Services, elsewhere: Services) -> None:
    id = await talked(services)
    data = await exported(services, id)
    report = await elsewhere.transfer.import_data([data])
    assert [(one.id, one.renamed, one.known) for one in report.sessions] == [(id, False, False)]
    assert await exported(elsewhere, id) == data
    assert await elsewhere.sessions.messages(id) == await services.sessions.messages(id)
    assert [line.event for line in await elsewhere.runs.events("r1")] == WHOLE
    assert await elsewhere.runs.full_result("r1", "c1") == await services.runs.full_result("r1", "c1")
    assert await elsewhere.search.search("是什么")
    assert await elsewhere.checks.verify() == []


async def test_the_document_is_that_of_the_interface(services: Services) -> None:
    body = await body_of(services, await talked(services))
    assert (body["format"], body["version"]) == ("triptych.session", 1)
    assert body["session"].keys() >= {"id", "title", "agent", "mode", "created", "updated", "pinned", "folder"}
    assert body["messages"][1].keys() >= {"id", "parent", "role", "created", "parts", "run"}
    assert body["runs"][0]["events"][0].keys() >= {"v", "seq", "t", "run", "session", "type"}


async def test_a_taken_id_gets_a_new_one_and_nothing_is_overwritten(services: Services) -> None:
    id = await talked(services)
    before = await exported(services, id)
    body = json.loads(before)
    body["messages"][0]["parts"][0]["text"] = "another question"
    (one,) = (await services.transfer.import_data([json.dumps(body).encode()])).sessions
    assert one.renamed
    assert await exported(services, id) == before
    question, answer = await services.sessions.messages(one.id)
    assert question.text == "another question"
    assert (question.id, answer.parent, answer.id) != ("q1", "q1", "a1")
    assert answer.parent == question.id
    assert answer.run is not None
    assert [line.event for line in await services.runs.events(answer.run)] == WHOLE


async def test_I22_the_same_file_twice_makes_no_duplicates(services: Services, elsewhere: Services) -> None:
    data = await exported(services, await talked(services))
    openai = b'[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]'
    for first in (False, True):
        report = await elsewhere.transfer.import_data([data, openai])
        assert [one.known for one in report.sessions] == [first, first]
    assert [one.known for one in (await services.transfer.import_data([data])).sessions] == [True]
    assert len(await elsewhere.sessions.rows()) == 2


async def test_unknown_fields_are_kept(services: Services) -> None:
    body = await body_of(services, await talked(services))
    body["from_the_future"] = {"a": [1]}
    body["session"] |= {"id": "new", "mood": "good"}
    body["messages"][0] |= {"id": "m1", "stars": 5}
    body["messages"][0]["parts"][0]["colour"] = "red"
    body["messages"][1] |= {"id": "m2", "parent": "m1", "run": "run2"}
    body["runs"][0] |= {"id": "run2", "message": "m2", "weather": "rain"}
    body["runs"][0]["events"][0]["later"] = True
    for line in body["runs"][0]["events"]:
        line |= {"run": "run2", "session": "new"}
    await services.transfer.import_data([json.dumps(body).encode()])
    assert await body_of(services, "new") == body


async def test_several_sessions_travel_as_an_archive(services: Services, elsewhere: Services, tmp_path: Path) -> None:
    first = await talked(services)
    second = (await services.sessions.create("assistant")).id
    path = await services.transfer.export_to([first, second], "json", tmp_path)
    assert path.suffix == ".zip"
    report = await elsewhere.transfer.import_files([path])
    assert {one.id for one in report.sessions} == {first, second}
    assert await exported(elsewhere, first) == await exported(services, first)


async def test_a_file_a_person_added_travels_with_its_session(services: Services, elsewhere: Services) -> None:
    content = b"a picture"
    ref = sha256(content).hexdigest()
    (services.data_dir / "attachments" / ref).write_bytes(content)
    body = {
        "id": "m1",
        "role": "user",
        "parts": [{"kind": "file", "ref": ref, "name": "../x.png", "mime": "image/png"}],
    }
    await services.transfer.import_data([document(messages=[body])])
    out = await services.transfer.export(["s9"], "json")
    assert out.name.endswith(".zip")
    await elsewhere.transfer.import_data([out.data])
    assert [path.name for path in (elsewhere.data_dir / "attachments").iterdir()] == [ref]
    row = "SELECT hash, name, size FROM attachment"
    assert await elsewhere.database.read(lambda cursor: cursor.execute(row).get) == (ref, "../x.png", len(content))


async def test_T40_the_files_of_a_session_go_with_it_unless_another_one_names_them(services: Services) -> None:
    content = b"a text"
    ref = sha256(content).hexdigest()
    path = services.data_dir / "attachments" / ref
    path.write_bytes(content)
    part = {"kind": "file", "ref": ref, "name": "x.txt", "mime": "text/plain"}
    await services.transfer.import_data([document(messages=[user("m1", parts=[part])])])
    other = {"id": "s8", "title": "o", "agent": "assistant"}
    await services.transfer.import_data([document(session=other, messages=[user("m2", parts=[part])])])
    await services.sessions.bin.purge("s9")
    assert path.exists()
    await services.sessions.bin.purge("s8")
    assert not path.exists()


async def test_a_message_the_person_deleted_is_not_exported(services: Services) -> None:
    id = await talked(services)
    await services.sessions.edits.hide_message(id, "q1")
    (answer,) = (await body_of(services, id))["messages"]
    assert (answer["id"], answer["parent"]) == ("a1", None)
    page = (await services.transfer.export([id], "md")).data.decode()
    assert "是什么" not in page.partition("\n")[2], "but for the title"


@given(st.data())
def test_R20_any_conversation_comes_back_equal(data: st.DataObject) -> None:
    import apsw

    from app.storage.db.migrations import migrate

    drawn: list[Message] = data.draw(st.lists(drawn_messages(), max_size=4))
    whole = [
        replace(message, id=f"m{n}", parent=None, run=None, state=message.state if message.end else "complete")
        for n, message in enumerate(drawn)
    ]  # fmt: skip
    runs: list[Any] = [
        {
            "id": f"r{n}", "message": f"m{n}", "parent": None, "started": 1.5, "ended": None, "results": {},
            "events": [line.to_json() for line in stamped(replay(message), f"r{n}", "s9")],
        }
        for n, message in enumerate(whole) if message.role == "assistant"
    ]  # fmt: skip
    session = {
        "id": "s9", "title": "t", "agent": "assistant", "mode": "", "created": 1.0, "updated": 2.0,
        "pinned": True, "folder": "f", "archived": False,
    }  # fmt: skip
    # What is no text never reaches the disk, so it is no part of what can come back.
    body = from_text(to_text([session, [message.to_json() for message in whole], runs]))
    document = SessionDocument(*body)
    connection = apsw.Connection(":memory:")
    migrate(connection, Path("memory"), None)
    cursor = connection.cursor()
    insert(cursor, SessionDocument(*from_text(to_text(body))))
    assert json.loads(json.dumps(read(cursor, "s9").to_json())) == document.to_json()


# ---------------------------------------------------------------- to be read


HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=y> ![p](https://evil.test/p.png) [l](javascript:x) [ok](https://a.b/)"
)


@pytest.mark.parametrize("format", ["md", "html", "docx"])
async def test_T08_an_export_to_be_read_gives_no_orders_to_a_terminal(services: Services, format: Any) -> None:
    text = "a\x1b[2J\x1b]0;x\x07\b\b\rb\x9b31m\u2028c\ttab"
    call = event_to_json(ToolCalled(1, "c", text, {"a": text}))
    result = event_to_json(ToolReturned(1, "c", "n", True, "ok", text, text, 1, 1, False, 1))
    parts = [{"kind": "reasoning", "text": text, "step": 1}, {"kind": "tool", "call": call, "result": result}]
    await services.transfer.import_data([document(
        session={"id": "s9", "title": text, "agent": "assistant"},
        messages=[
            user("m1", parts=[{"kind": "text", "text": text}]), {"id": "m2", "role": "assistant", "parts": parts},
        ],
    )])  # fmt: skip
    data = (await services.transfer.export(["s9"], format)).data
    if format == "docx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = archive.read("word/document.xml")
            ET.fromstring(data)
    page = data.decode()
    assert not set("\x1b\x07\b\r\x9b") & set(page)
    assert "tab" in page


async def test_html_is_one_file_without_scripts_and_without_requests(services: Services) -> None:
    call = event_to_json(ToolCalled(1, "c", HOSTILE, {"a": HOSTILE}))
    result = event_to_json(ToolReturned(1, "c", "n", True, "ok", HOSTILE, HOSTILE, 1, 1, False, 1))
    parts = [{"kind": "reasoning", "text": HOSTILE, "step": 1}, {"kind": "tool", "call": call, "result": result}]
    await services.transfer.import_data([document(
        session={"id": "s9", "title": HOSTILE, "agent": "assistant"},
        messages=[
            user("m1", parts=[{"kind": "text", "text": HOSTILE}]), {"id": "m2", "role": "assistant", "parts": parts},
        ],
    )])  # fmt: skip
    page = (await services.transfer.export(["s9"], "html")).data.decode()
    assert "<script" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page
    assert page.count('<a href="https://a.b/"') == 2, "in the question and in the reasoning"
    assert page.count("evil.test") == page.count("evil.test/p.png)"), "only as the text it was"
    assert "default-src 'none'" in page
    assert page.count("<details>") == 3, "how it came about, and in it the reasoning and the result"


@pytest.mark.parametrize("format", ["md", "html"])
async def test_the_switches_leave_out_what_they_name(services: Services, format: Any) -> None:
    id = await talked(services)

    async def shown(**switches: bool) -> str:
        return (await services.transfer.export([id], format, Include(**switches))).data.decode()

    whole = await shown()
    assert all(text in whole for text in ("是什么", "hm", "search", "one hit", END.answer))
    assert "hm" not in (await shown(reasoning=False)).replace("html", "")
    assert "one hit" not in await shown(results=False)
    assert "search" in await shown(results=False)
    assert "search" not in await shown(tools=False)


async def test_a_fence_is_longer_than_those_inside(services: Services) -> None:
    from app.core.exchange.markdown import fenced

    assert fenced("a ```` b").startswith("`````\n")


@pytest.mark.parametrize(
    ("title", "name"), [("杭州 三日游/..", "杭州-三日游"), ("../../x", "x"), ("", "session"), ("a" * 99, "a" * 60)]
)
def test_a_title_becomes_a_file_name_for_every_system(title: str, name: str) -> None:
    assert file_name(title) == name

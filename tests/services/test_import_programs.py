"""What other programs keep or export, told apart by what is in it: nothing of it is lost in silence."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.exchange.strict_json import ImportRefused
from app.core.run.messages import Attachment, Call, Message, Reasoning
from app.services.container import Services
from app.services.exchange import import_reading
from app.services.exchange.import_work import ImportWork
from tests.pictures import png

from . import foreign_programs as made
from .foreign import chatgpt, node

ERROR, SYSTEM = "Left out: 1 error message", "Left out: 1 system message, because here the agent has its own"
FILE = "1 attached file is not in the file: only its name was kept"
HIDDEN = "Left out: 1 message that the other program did not show"
PICTURE = "1 picture is not in the file: only its name was kept"

PROGRAMS: dict[str, tuple[Callable[[Path], bytes], list[str], set[str]]] = {
    # What makes the file, the texts of all versions in their order, what is remarked.
    "Cherry Studio": (lambda _: made.cherry_studio(), ["other", "shown"], {PICTURE, ERROR}),
    "LobeHub": (lambda _: made.lobehub(), ["shown"], {FILE}),
    "LobeHub, database": (lambda _: made.lobehub_database(), ["other", "shown"], set()),
    "Open WebUI": (lambda _: made.open_webui(), ["other", "shown"], {FILE, ERROR}),
    "Jan": (
        lambda _: made.jan(), ["shown"],
        {"Left out: 1 piece of a kind that is not known here (hologram)",
         "Left out: 1 line of the file that cannot be read", "Not read: 1 other file of the archive (settings.json)"},
    ),
    "Chatbox": (lambda _: made.chatbox(), ["other", "shown"], {SYSTEM, FILE, HIDDEN, ERROR}),
    "PyGPT": (
        lambda folder: made.pygpt(folder / "db.sqlite").read_bytes(), ["shown"],
        {FILE, HIDDEN, "Left out: 1 conversation deleted in the other program"},
    ),
}  # fmt: skip


def told(program: str, message: Message, session: Any) -> list[str]:
    """What is wrong with the answer that is shown."""
    call = next((part for part in message.parts if isinstance(part, Call) and part.call.name == made.CALLED[0]), None)
    found = {
        "text": made.SHOWN in message.text,
        "link": made.LINK in message.text or program in ("Jan", "Chatbox"),
        "model": message.start is not None and message.start.model == made.MODEL,
        "reasoning": [part.text for part in message.parts if isinstance(part, Reasoning)] == [made.THOUGHT]
        or program == "PyGPT",
        "call": call is not None and dict(call.call.args) == made.CALLED[1] and call.result is not None,
        "result": call is not None and call.result is not None and call.result.text == made.CALLED[2],
        "title": session.title == "Tea",
        "time": int(session.created) == made.SECONDS,
        "pinned": session.pinned or program in ("Jan", "LobeHub, database"),
    }
    return [f"{program}: {name}" for name, is_right in found.items() if not is_right]


async def test_each_program_comes_in_with_its_versions_models_reasoning_calls_and_sources(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong: list[str] = []
    for program, (make, answers, remarks) in PROGRAMS.items():
        path = tmp_path / "any.name"
        path.write_bytes(make(tmp_path))
        report = await services.transfer.import_files([path])
        session = next(one for one in report.sessions if one.title == "Tea")
        shown = await services.sessions.messages(session.id)
        wrong += told(program, shown[1], await services.sessions.row(session.id))
        if [message.text for message in shown[::2]] != [made.QUESTION, made.MORE]:
            wrong.append(f"{program}: questions {[message.text for message in shown]}")
        stored = [one for one in await services.sessions._store.messages(session.id) if one.role == "assistant"]
        if ["other" if one.text == made.OTHER else "shown" for one in stored] != answers:
            wrong.append(f"{program}: versions {[one.text for one in stored]}")
        if set(report.remarks) != remarks:
            wrong.append(f"{program}: remarks {report.remarks}")
        again = await services.transfer.import_files([path])
        if not all(one.known for one in again.sessions):
            wrong.append(f"{program}: twice")
        # A file too large to be read as a whole gives the same.
        with monkeypatch.context() as small:
            small.setattr(import_reading, "LARGEST_FILE", 10)
            if program != "Jan" and not all(
                one.known for one in (await services.transfer.import_files([path])).sessions
            ):
                wrong.append(f"{program}: in pieces")
    assert wrong == []
    assert await services.checks.verify() == []


async def test_pictures_in_the_archive_of_cherry_studio_come_along(services: Services) -> None:
    data = made.packed({"data.json": made.cherry_studio(), "Data/Files/3f0c9a52-77aa.png": png(20, 10)})
    report = await services.transfer.import_data([data])
    question = (await services.sessions.messages(report.sessions[0].id))[0]
    (file,) = (part for part in question.parts if isinstance(part, Attachment))
    assert await services.attachments.content(file.ref) == png(20, 10)
    assert PICTURE not in report.remarks


async def test_versions_of_questions_and_of_answers_within_an_answer_are_kept(services: Services) -> None:
    """A tree with an edited first question, and an answer that was made anew after its call of a tool."""
    talk = chatgpt(
        node("q1", None, "user", "First form"), node("a1", None, "assistant", "To the first"),
    )  # fmt: skip
    talk["mapping"] |= {
        "q2": node("q2", "client-created-root", "user", "Second form"),
        "c": node("c", "q2", "assistant", "{}", recipient="web"),
        "t": node("t", "c", "tool", "hits", author="web"),
        "a2": node("a2", "t", "assistant", "Old end"),
        "a3": node("a3", "t", "assistant", "New end"),
        "q3": node("q3", "a3", "user", "Go on"),
    }
    await services.transfer.import_data([json.dumps([talk | {"current_node": "q3"}]).encode()])
    session = await services.sessions.row("g1")
    branch = await services.sessions.line(session.id)
    assert [message.text for message in branch.messages] == ["Second form", "New end", "Go on"]
    assert [len(branch.variants.get(message.id, ())) for message in branch.messages] == [2, 2, 0]
    answer = branch.messages[1]
    (old,) = (id for id in branch.variants[answer.id] if id != answer.id)
    all_of_them = {message.id: message for message in await services.sessions._store.messages("g1")}
    calls = [part for part in all_of_them[old].parts if isinstance(part, Call)]
    assert (all_of_them[old].text, len(calls)) == ("Old end", 1)


async def test_what_is_chosen_of_a_file_is_stored_and_nothing_before_it_is_chosen(
    services: Services, tmp_path: Path
) -> None:
    path = tmp_path / "chats.json"
    path.write_text(
        json.dumps([chatgpt(node(f"n{n}", None, "user", f"Q{n}"), conversation_id=f"g{n}") for n in range(3)])
    )
    prepared = await services.transfer.prepare([path])
    assert [(one.title, one.program, one.messages) for one in prepared.conversations] == [("Tea", "ChatGPT", 1)] * 3
    assert await services.sessions.rows() == []
    await services.transfer.carry_out(prepared, [1])
    assert [row.id for row in await services.sessions.rows()] == ["g1"]
    again = await services.transfer.prepare([path])
    assert [one.known for one in again.conversations] == [False, True, False]
    again.close()


async def test_an_import_that_is_stopped_while_it_is_stored_leaves_nothing(services: Services, tmp_path: Path) -> None:
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([chatgpt(node(f"n{n}", None, "user", "Q"), conversation_id=f"g{n}") for n in range(9)]))
    work = ImportWork()
    prepared = await services.transfer.prepare([path], work)
    check, calls = work.check, iter(range(99))

    def stopped_at_the_fifth() -> None:
        if next(calls) == 5:
            work.cancel()
        check()

    work.check = stopped_at_the_fifth  # type: ignore[method-assign]
    with pytest.raises(ImportRefused, match="stopped"):
        await services.transfer.carry_out(prepared)
    assert await services.sessions.rows() == []


HOSTILE: dict[str, Callable[[Path], bytes]] = {
    "the browser's own files": lambda _: made.packed(
        {"IndexedDB/file__0.leveldb/000003.log": b"x", "metadata.json": "{}"}
    ),
    "deep": lambda _: b'{"indexedDB": {"topics": ' + b"[" * 90_000 + b"]" * 90_000 + b"}}",
    "cut": lambda _: made.cherry_studio()[:-200],
    "not UTF-8": lambda _: made.lobehub().replace(b"Tea", b"T\xff"),
    "a key twice": lambda _: b'{"session:1": {}, "session:1": {}}',
    "a bomb": lambda _: made.packed({"data.json": b'{"indexedDB": {"topics": [' + b" " * 60_000_000 + b"]}}"}),
    "other tables": lambda folder: other_database(folder, views=False),
    "a view for a table": lambda folder: other_database(folder, views=True),
    "a damaged database": lambda folder: made.pygpt(folder / "x.db").read_bytes()[:9_000] + os.urandom(9_000),
    "nothing said": lambda _: json.dumps({"indexedDB": {"topics": [{"id": "t", "messages": []}]}}).encode(),
}


def other_database(folder: Path, *, views: bool) -> bytes:
    import sqlite3

    path = folder / "other.db"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    if views:
        database.execute("CREATE VIEW ctx_meta AS SELECT 1 AS id")
        database.execute("CREATE VIEW ctx_item AS SELECT 1 AS id, 1 AS meta_id")
    database.execute("CREATE TABLE hello (world)")
    database.commit()
    database.close()
    return path.read_bytes()


async def test_hostile_files_are_refused_whole_and_in_pieces(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []
    for limit in (import_reading.LARGEST_FILE, 10):
        monkeypatch.setattr(import_reading, "LARGEST_FILE", limit)
        for name, make in HOSTILE.items():
            path = tmp_path / "hostile"
            path.write_bytes(make(tmp_path))
            try:
                await services.transfer.import_files([path])
            except ImportRefused as error:
                if not 5 < len(error.message) < 300:
                    taken.append(f"{name}: {error.message}")
            else:
                taken.append(f"{name} {limit}")
    assert taken == []
    assert await services.sessions.rows() == []


async def test_circles_and_ids_that_are_there_twice_end(services: Services) -> None:
    chat = json.loads(made.open_webui())
    messages = chat[0]["chat"]["history"]["messages"]
    messages["m1"]["parentId"] = "m4"
    messages |= {"x": {**messages["m2"], "parentId": "y"}, "y": {**messages["m2"], "parentId": "x"}}
    report = await services.transfer.import_data([json.dumps([*chat, *chat]).encode()])
    assert [one.messages for one in report.sessions] == [4, 4]
    assert "Left out: 4 messages of other branches" in report.remarks


def test_whatever_stands_at_any_place_of_these_files_is_read_or_refused() -> None:
    from app.core.exchange.document import read_document
    from app.core.exchange.foreign import read_foreign
    from app.core.exchange.foreign_parts import ImportContext
    from app.core.exchange.remarks import Remarks

    from .test_import_foreign import ODD, changed, places

    files = (made.cherry_studio, made.lobehub, made.lobehub_database, made.open_webui, made.chatbox)
    chance, failed = random.Random(5), []
    for make in files:
        value = json.loads(make())
        found = list(places(value))
        for path in chance.sample(found, min(len(found), 60)):
            for new in chance.sample([*ODD, 10**400, {"role": []}, '<details type="x">'], 3):
                remarks = Remarks()
                try:
                    for one in read_foreign(changed(value, path, new), ImportContext(remarks)):
                        read_document(one.to_json(), remarks).digest()
                    remarks.sentences()
                except ImportRefused:
                    pass
                except Exception as error:
                    failed.append(f"{make.__name__} {path} = {new!r}: {error!r}")
    assert failed == []


@pytest.mark.soak
def test_a_file_of_a_gigabyte_is_read_in_little_memory(tmp_path: Path) -> None:
    """In a process of its own, whose memory is measured at its end; packed, as people download it."""
    path = tmp_path / "export.zip"
    text = "tea and leaves, " * 6_000 + "{}"
    talk = json.dumps(chatgpt(node("q", None, "user", "Q"), node("a", None, "assistant", text), conversation_id="g#"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive, archive.open("conversations.json", "w") as file:
        file.write(b"[")
        for n in range(10_500):
            file.write((", " if n else "").encode() + talk.replace('"g#"', f'"g{n}"').replace("{}", str(n)).encode())
        file.write(b"]")
    command = [sys.executable, "-m", "app", "--data-dir", str(tmp_path / "data"), "sessions", "import", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 10_500
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600_000, "kilobytes"

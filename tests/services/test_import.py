"""Files from outside: what is bad is refused whole, what can be mended is mended and said."""

from __future__ import annotations

import gc
import io
import json
import os
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from app.core.exchange import strict_json
from app.core.exchange.document import SessionDocument
from app.core.exchange.strict_json import ImportRefused
from app.services.container import Services

from .documents import document, exported, talked, user

# ---------------------------------------------------------------- what is refused


BAD: dict[str, bytes] = {
    "empty": b"",
    "blank": b"  \n",
    "I15 utf-16": '{"a": 1}'.encode("utf-16"),
    "I15 not utf-8": b'{"a": "\xff"}',
    "I15 deep": b"[" * 100_000 + b"]" * 100_000,
    "I15 deep enough": b'{"format":"triptych.session","x":' + b"[" * 300 + b"]" * 300 + b"}",
    "I15 nan": b'{"format": "triptych.session", "version": NaN}',
    "I15 twice": b'{"format": "triptych.session", "format": "triptych.session"}',
    "I15 trailing comma": b'{"a": 1,}',
    "I15 long number": b"[" + b"9" * 5_000 + b"]",
    "I20 future": document(version=2),
    "I20 text": document(version="1"),
    "I20 true": document(version=True),
    "I20 missing": document(version=None),
    "I21 database": b"SQLite format 3\0" + b"\0" * 100,
    "I21 program": b"MZ\x90\0" * 50,
    "no object": b"3",
    "unknown": b'{"hello": "world"}',
    "session is a list": document(session=[]),
    "messages is an object": document(messages={}),
    "role": document(messages=[user("m1", role="system")]),
    "part": document(messages=[user("m1", parts=[{"kind": "program"}])]),
    "part is a number": document(messages=[user("m1", parts=[7])]),
    "number": document(messages=[user("m1", parts=[{"kind": "event", "event": {"type": "notice", "code": 5}}])]),
    "id is a list": document(messages=[user("m1", id=[])]),
    "long id": document(messages=[user("m" * 999)]),
    "run twice": document(runs=[{"id": "r", "events": []}] * 2),
    "event of nowhere": document(runs=[{"id": "r", "events": [{"type": "explode", "seq": 0, "t": 0}]}]),
    "events out of order": document(runs=[{"id": "r", "events": [{"type": "discard", "seq": 1, "t": 0, "step": 1}]}]),
    "results": document(runs=[{"id": "r", "events": [], "results": {"c": 3}}]),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
async def test_I15_I20_I21_a_bad_file_is_refused_in_words_and_changes_nothing(services: Services, name: str) -> None:
    await talked(services)
    before = [await exported(services, row.id) for row in await services.sessions.rows()]
    good = document(messages=[user("m9")])
    with pytest.raises(ImportRefused) as caught:
        await services.transfer.import_data([good, BAD[name]])
    assert len(caught.value.message) > 10
    assert [await exported(services, row.id) for row in await services.sessions.rows()] == before
    assert services.backups.rows() == [], "nothing was stored, so nothing was copied"


@pytest.mark.parametrize("piece", [b"[],", b"{},", b"0,"])
async def test_I15_a_file_of_nothing_but_brackets_and_commas_is_refused_before_it_is_read(
    services: Services, monkeypatch: pytest.MonkeyPatch, piece: bytes
) -> None:
    read: list[object] = []
    monkeypatch.setattr(strict_json, "_read", read.append)
    with pytest.raises(ImportRefused, match="too many pieces"):
        await services.transfer.import_data([b"[" + piece * 8_100_000 + b"0]"])
    assert read == []


async def test_the_collector_of_garbage_is_as_it_was_after_an_import(services: Services) -> None:
    cases = ((document(), True), (b"[", False), (b"[" * 300 + b"]" * 300, False))
    was_on = gc.isenabled()
    for is_on, (data, is_good) in product((True, False), cases):
        (gc.enable if is_on else gc.disable)()
        with nullcontext() if is_good else pytest.raises(ImportRefused):
            await services.transfer.import_data([data])
        assert gc.isenabled() == is_on
    (gc.enable if was_on else gc.disable)()


async def test_I21_what_is_no_file_is_refused(services: Services, tmp_path: Path) -> None:
    pipe, huge = tmp_path / "pipe", tmp_path / "huge.json"
    os.mkfifo(pipe)
    with huge.open("wb") as file:
        file.truncate(10**12)
    for path in (tmp_path, pipe, huge, tmp_path / "none.json"):
        with pytest.raises(ImportRefused):
            await services.transfer.import_files([path])


def zipped(change: Callable[[zipfile.ZipFile], None], *, documents: tuple[bytes, ...] = (document(),)) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        files = {f"sessions/{n:03}.json": data for n, data in enumerate(documents, 1)}
        sums = {name: sha256(data).hexdigest() for name, data in files.items()}
        archive.writestr("manifest.json", json.dumps({"format": "triptych.archive", "version": 1, "files": sums}))
        for name, data in files.items():
            archive.writestr(name, data)
        change(archive)
    return out.getvalue()


def named(name: str, content: bytes = b"x", mode: int = 0o100644) -> Callable[[zipfile.ZipFile], None]:
    def add(archive: zipfile.ZipFile) -> None:
        info = zipfile.ZipInfo("placeholder")
        info.filename = name
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, content)

    return add


def crowd(archive: zipfile.ZipFile) -> None:
    for n in range(10, 2_100):
        archive.writestr(f"sessions/{n}.json", b"")


def nothing(archive: zipfile.ZipFile) -> None:
    pass


NAMES = [
    "../../x", "/abs", "C:\\x", "..\\x", "a/../../b", "CON", "nul.txt", "a.", "a ", "n" * 5_000, "Manifest.json",
    "sessions/001.JSON", "sessions/001.json/", "att/xyz", "sessions/\u0665.json", "manifest.json",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", NAMES)
async def test_T37_I08_I11_I12_a_name_that_does_not_belong_there_refuses_the_archive(
    services: Services, name: str
) -> None:
    with pytest.raises(ImportRefused):
        await services.transfer.import_data([zipped(named(name))])
    assert await services.sessions.rows() == []


def overlapping() -> bytes:
    """Two entries of the directory that name the same place."""
    data = bytearray(zipped(nothing, documents=(document(), document())))
    directory = data.index(b"PK\x01\x02")
    places = [n for n in range(directory, len(data)) if data[n : n + 4] == b"PK\x01\x02"]
    data[places[2] + 42 : places[2] + 46] = data[places[1] + 42 : places[1] + 46]
    return bytes(data)


def lying() -> bytes:
    """The directory says ten bytes where there are more."""
    data = bytearray(zipped(nothing))
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = data.rindex(mark)
        data[place + offset : place + offset + 4] = (10).to_bytes(4, "little")
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(zipped(nothing))
    place = data.rindex(b"PK\x01\x02")
    data[place + 8] |= 1
    return bytes(data)


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "I09 link": lambda: zipped(named("sessions/009.json", b"/etc/passwd", 0o120777)),
    "I09 device": lambda: zipped(named("sessions/009.json", b"", 0o060666)),
    "I10 bomb": lambda: zipped(named("sessions/009.json", b" " * 40_000_000)),
    "I10 overlap": overlapping,
    "I11 many": lambda: zipped(crowd),
    "I13 encrypted": encrypted,
    "I13 truncated": lambda: zipped(nothing)[:-30],
    "I13 cut in the middle": lambda: zipped(nothing)[:100],
    "I13 damaged": lambda: flipped(zipped(nothing)),
    "I13 before": lambda: b"#!/bin/sh\n" + zipped(nothing),
    "I14 lying": lying,
    "I18 hash": lambda: zipped(named("att/" + "0" * 64)),
    "unlisted": lambda: zipped(named("sessions/009.json", document())),
}  # fmt: skip


def flipped(data: bytes) -> bytes:
    place = data.index(b"sessions/001.json") + 25
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


@pytest.mark.parametrize("name", ARCHIVES)
async def test_T37_I09_I10_I11_I13_I14_I18_a_hostile_archive_is_refused_and_changes_nothing(
    services: Services, name: str
) -> None:
    with pytest.raises(ImportRefused):
        await services.transfer.import_data([ARCHIVES[name]()])
    assert await services.sessions.rows() == []
    assert list((services.data_dir / "attachments").iterdir()) == []


# ---------------------------------------------------------------- what is mended


async def test_I16_what_can_be_mended_is_mended_and_said(services: Services) -> None:
    body = document(
        session={"id": "s9", "title": "t" * 9_999, "agent": "nobody", "mode": "fast", "created": -5, "updated": 1e300},
        messages=[user("m1", parent="m2"), user("m2", parent="m1"), user("m2", parent="gone", created=10**400)],
    )
    report = await services.transfer.import_data([body])
    row = await services.sessions.row("s9")
    assert (row.agent, row.mode, row.created, len(row.title)) == ("assistant", "", 0.0, 1_000)
    stored = await services.sessions._store.messages("s9")
    assert [message.parent for message in stored] == [None, "m1", None]
    assert len({message.id for message in stored}) == 3
    assert len(report.remarks) >= 6


async def test_I17_text_that_is_no_text_is_cleaned(services: Services) -> None:
    part = {"kind": "text", "text": "a\ud800b\0c"}
    await services.transfer.import_data([document(messages=[user("m1", parts=[part])])])
    assert [message.text for message in await services.sessions.messages("s9")] == ["a\ufffdb\u2400c"]


async def test_I16_I17_names_and_states_that_are_none_are_mended_wherever_they_stand(services: Services) -> None:
    body = document(
        session={"id": "\ud800", "title": "t\0", "agent": "assistant"},
        messages=[user("m1", state={"a": 1}), user("m\ud8002", state="asleep", parent="m1", run="r\ud800")],
        runs=[{"id": "r\ud800", "message": "\ud800", "parent": "p\0", "events": [], "results": {"\ud800": {}}}],
    )
    report = await services.transfer.import_data([body])
    (session,) = report.sessions
    stored = await services.sessions._store.messages(session.id)
    assert [message.state for message in stored] == ["complete", "complete"]
    assert sum("state" in remark for remark in report.remarks) == 2
    assert await services.checks.verify() == []
    (known,) = (await services.transfer.import_data([body])).sessions
    assert known.known


async def test_a_refusal_is_a_sentence_however_long_the_word_that_caused_it(services: Services) -> None:
    long = "z" * 100_000
    for bad in (
        document(version=long), document(messages=[user("m1", role=long)]), json.dumps([{"role": long}]).encode(),
        document(messages=[user("m1", parts=[{"kind": long}])]),
        document(runs=[{"id": "r", "events": [{"type": long, "seq": 0, "t": 0}]}]),
    ):  # fmt: skip
        with pytest.raises(ImportRefused) as caught:
            await services.transfer.import_data([bad])
        assert len(caught.value.message) < 300


async def test_I19_an_open_tool_call_is_shown_as_not_run_and_never_runs(services: Services) -> None:
    call = {"type": "tool_call", "step": 1, "id": "c1", "name": "run_command", "args": {"command": "rm"}}
    answer = {
        "id": "m2",
        "role": "assistant",
        "state": "streaming",
        "parts": [{"kind": "tool", "call": call, "started": True}],
    }
    await services.transfer.import_data([document(messages=[user("m1"), answer])])
    (_, stored) = await services.sessions.messages("s9")
    (part,) = stored.parts
    assert stored.state == "interrupted"
    assert part.result.status == "interrupted"  # type: ignore[union-attr]
    assert await services.run_store.recover() == []


async def test_I01_T38_an_import_carries_no_permission_no_key_and_no_address(services: Services) -> None:
    before = services.settings.profile("assistant")
    hostile = {"permissions": [{"tool": "*", "decision": "allow"}], "api_key": "sk-x", "base_url": "https://evil.test"}
    body = json.loads(document())
    body["session"] |= hostile | {"model": "evil/model"}
    await services.transfer.import_data([json.dumps(body | hostile).encode()])
    assert services.settings.profile("assistant") == before
    assert (await services.sessions.row("s9")).model == ""
    assert not (services.data_dir / "providers.toml").exists()


async def test_an_import_is_copied_first_and_all_or_nothing(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.storage.maintenance import session_transfer as transfer

    whole = transfer.insert
    calls = iter(range(9))

    def fails_at_the_second(cursor: Any, one: SessionDocument) -> Any:
        if next(calls) == 1:
            raise RuntimeError("killed")
        return whole(cursor, one)

    monkeypatch.setattr(transfer, "insert", fails_at_the_second)
    two = [document(), document(session={"id": "other", "title": ""})]
    with pytest.raises(RuntimeError, match="killed"):
        await services.transfer.import_data(two)
    assert await services.sessions.rows() == []
    assert [backup.why for backup in services.backups.rows()] == ["before-import"]

"""B4: the small files beside the data may hold anything: the conversations open all the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import DataDamaged
from app.core.run.messages import user_message
from app.main import look
from app.storage.folder.location_file import read_pointer
from app.storage.folder.start_log import StartLog

FILES = (
    "marker.json", "starts.json", "in-use.json", "grants.json", "grants.key", "mcp-consents.json", "keys.json",
    "window.ini", "preferences.toml", "providers.toml", "profiles/own.toml", "mcp/own.toml",
)  # fmt: skip
GARBAGE = {
    "empty": b"",
    "zeros": b"\0" * 4_096,
    "no text": b"\xff\xfe\x80" * 20,
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "deep TOML": b"a = " + b"[" * 100_000,
    "too large a number": b'{"messages": 1e999, "highest": 1e999, "starts": [1e999], "renewed": 1e999}',
    "no number": b'{"messages": NaN, "highest": Infinity, "starts": [NaN], "renewed": -Infinity}',
    "a very long number": b'{"messages": ' + b"9" * 5_000 + b', "highest": 1, "starts": [1]}',
    "of other types": b'{"messages": [], "highest": {}, "starts": 7, "machine": 1, "grants": 5, "key": []}',
    "a key of many parts": b"a.b.c." * 10_000 + b"d = 1",
    "a list": b"[1, 2]",
    "a lone surrogate": b'{"folder": "/tmp/\\ud800", "messages": "\\ud800", "highest": 1}',
}


def one_after_another(folder: Path) -> Iterator[tuple[str, str]]:
    """One file after the other holds one garbage after the other; between them it is as it was."""
    for name in FILES:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        before = path.read_bytes() if path.exists() else None
        for what in damages(name):
            damage(path, what)
            yield name, what
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_bytes(before)


def damaged_together(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file holds every garbage once, all of them at the same time, each another one."""
    kinds = [*GARBAGE, "a pipe"]
    for turn in range(len(kinds)):
        for n, name in enumerate(FILES):
            (folder / name).parent.mkdir(exist_ok=True)
            what = kinds[(turn + n) % len(kinds)]
            damage(folder / name, what if what in damages(name) else kinds[0])
        yield "all of them", f"from {kinds[turn]!r} on"


def damages(name: str) -> list[str]:
    pipe = sys.platform != "win32" and not name.endswith((".ini", ".toml"))
    return [*GARBAGE, *(["a pipe"] if pipe else [])]


def damage(path: Path, what: str) -> None:
    path.unlink(missing_ok=True)
    if what == "a pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(GARBAGE[what])


@pytest.mark.parametrize(
    "every_damage",
    [damaged_together, pytest.param(one_after_another, marks=pytest.mark.soak)],
    ids=lambda f: f.__name__,
)
async def test_whatever_stands_in_a_small_file_the_conversations_open(
    every_damage: Callable[[Path], Iterator[tuple[str, str]]], tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    services = build(folder, {})
    await services.open()
    session = await services.sessions.create("assistant")
    await services.sessions.add(session.id, user_message("m", "still here", created=1.0))
    await services.close()
    for name, what in every_damage(folder):
        assert look(str(folder)).sessions, f"the first paint, with {name} {what}"
        StartLog(folder).begin()
        services = build(folder, {})
        try:
            await services.open()
            assert [row.title for row in await services.sessions.rows()] == ["still here"], (name, what)
            assert await services.checks.verify() == [], (name, what)
        finally:
            await services.close()


async def test_R07_a_marker_of_any_kind_says_that_there_was_data(tmp_path: Path) -> None:
    for n, data in enumerate(GARBAGE.values()):
        folder = tmp_path / str(n)
        folder.mkdir()
        (folder / "marker.json").write_bytes(data)
        services = build(folder, {})
        with pytest.raises(DataDamaged, match="there were conversations"):
            await services.open()
        await services.close()


def test_a_note_of_where_the_data_was_moved_to_names_a_folder_or_nothing(tmp_path: Path) -> None:
    for data in (*GARBAGE.values(), b'{"folder": "a\\u0000b", "old": "relative"}', b'{"folder": "/a\\u0000b"}'):
        (tmp_path / "moved.json").write_bytes(data)
        pointer = read_pointer(tmp_path)
        assert pointer is None or (pointer.folder, pointer.old) == (None, None), data[:40]

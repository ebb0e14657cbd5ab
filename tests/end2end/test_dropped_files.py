"""Hostile things dropped on the window: each is taken or refused in words, nothing hangs, nothing typed is lost."""

from __future__ import annotations

import asyncio
import os
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent

from tests.end2end.conftest import Driver, Open

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="pipes, devices and mounts of Linux")
TYPED = "half a sentence"
Make = Callable[[Path], list[QUrl]]
CASES: dict[str, tuple[Make, int, str]] = {}
"""What is dropped, how many files of it go with the message, and what is said."""


def local(*paths: Path | str) -> list[QUrl]:
    return [QUrl.fromLocalFile(str(path)) for path in paths]


def text_file(folder: Path, name: str = "note.txt", text: str = "a note") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def bomb(folder: Path, name: str, width: int, height: int) -> Path:
    """A picture of few bytes that says it is enormous."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    path = folder / name
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(10**6))))
    return path


def made(make: Callable[[Path], object], path: Path) -> list[QUrl]:
    make(path)
    return local(path)


def sparse(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def many(folder: Path, count: int) -> Path:
    (folder / "many").mkdir()
    for n in range(count):
        (folder / "many" / str(n)).touch()
    return folder / "many"


CASES |= {
    "a plain text": (lambda at: local(text_file(at)), 1, ""),
    "a link to a text": (lambda at: made(lambda p: p.symlink_to(text_file(at)), at / "link.txt"), 1, ""),
    "a name with a line break": (lambda at: local(text_file(at, "a\nb.txt")), 1, ""),
    "a name that turns round": (lambda at: local(text_file(at, "\u202egnp.txt")), 1, ""),
    "a name of tags": (lambda at: local(text_file(at, "<img src=x>.txt")), 1, ""),
    "a name of 250 letters": (lambda at: local(text_file(at, "x" * 246 + ".txt")), 1, ""),
    "the same file 50 times": (lambda at: local(*[text_file(at)] * 50), 1, ""),
    "a percent sign in the name": (lambda at: local(text_file(at, "100%41.txt")), 1, ""),
    "more than go": (lambda at: local(*(text_file(at, f"{n}", f"t {n}") for n in range(40))), 10, "At most 10 files"),
    "a link to itself": (lambda at: made(lambda p: p.symlink_to(p), at / "loop.txt"), 0, "loop.txt"),
    "a link to nothing": (lambda at: made(lambda p: p.symlink_to(at / "gone"), at / "dead.txt"), 0, "dead.txt"),
    "a link to /dev/zero": (lambda at: made(lambda p: p.symlink_to("/dev/zero"), at / "zero.txt"), 0, "zero.txt"),
    "a pipe": (lambda at: made(os.mkfifo, at / "pipe.txt"), 0, "pipe.txt"),
    "/dev/zero": (lambda _at: local("/dev/zero"), 0, "zero"),
    "/dev/random": (lambda _at: local("/dev/random"), 0, "random"),
    "a terminal": (lambda _at: local("/dev/tty"), 0, "tty"),
    "what the kernel makes up": (lambda _at: local("/proc/self/pagemap"), 0, "pagemap"),
    "a folder": (lambda at: made(Path.mkdir, at / "folder"), 0, "folder"),
    "a folder of many": (lambda at: local(many(at, 1_000)), 0, "many"),
    "the root": (lambda _at: local("/"), 0, "cannot be sent along"),
    "eight gigabytes of holes": (lambda at: made(lambda p: sparse(p, 8 << 30), at / "big.txt"), 0, "big.txt"),
    "an empty file": (lambda at: made(Path.touch, at / "empty.txt"), 0, "empty.txt"),
    "bytes": (lambda at: made(lambda p: p.write_bytes(bytes(range(256))), at / "bytes.txt"), 0, "bytes.txt"),
    "a picture of 60,000 by 60,000": (lambda at: local(bomb(at, "bomb.png", 60_000, 60_000)), 0, "bomb.png"),
    "no picture": (lambda at: local(text_file(at, "fake.png")), 0, "fake.png"),
    "a broken document": (lambda at: local(text_file(at, "x.pdf", "%PDF-1.7\n" + "1 0 obj " * 9_000)), 0, "x.pdf"),
    "a name with a zero": (lambda at: [QUrl(f"file://{at}/a%00b.txt")], 0, "cannot be sent along"),
    "gone meanwhile": (lambda at: local(at / "gone.txt"), 0, "gone.txt"),
    "a link of the web": (lambda _at: [QUrl("https://evil.test/x.txt")], 0, ""),
    "a file of another host": (lambda _at: [QUrl("file://evil.test/share/x.txt")], 0, ""),
    "a share": (lambda _at: [QUrl("file:////evil.test/share/x.txt")], 0, ""),
    "good, bad and strangers": (
        lambda at: [*local(text_file(at), at / "gone.txt", "/dev/zero"), QUrl("https://evil.test/")],
        1,
        "2 files cannot be sent along: “gone.txt”, “zero” 1 item is no file of this computer.",
    ),
    "five hundred that are gone": (
        lambda at: local(*(at / f"gone{n}.txt" for n in range(500))),
        0,
        "500 files cannot be sent along: “gone0.txt”, “gone1.txt”, “gone2.txt” …",
    ),
}  # fmt: skip


async def dropped(driver: Driver, urls: list[QUrl]) -> tuple[int, str, int]:
    """The files that go with the message by now, what is said, and how often the loop had its turn meanwhile."""
    data = QMimeData()
    data.setUrls(urls)
    files, ticks = driver.desk.conversation.files, 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    driver.window.dropEvent(
        QDropEvent(
            QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        )
    )
    for name in ("read_dropped", "add"):
        await asyncio.sleep(0)
        working = [task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == name]
        if working:
            await asyncio.wait(working, timeout=60)
        assert all(task.done() for task in working), "it hangs"
    ticking.cancel()
    return len(files.chosen()), driver.notice(), ticks


async def _all_cases(driver: Driver, folder: Path) -> list[str]:
    driver.type(TYPED)
    wrong: list[str] = []
    for number, (name, (make, taken, words)) in enumerate(CASES.items()):
        place = folder / f"case{number}"
        place.mkdir()
        count, said, ticks = await dropped(driver, make(place))
        if count != taken or (words not in said if words else said) or "\u202e" in said or not ticks:
            wrong.append(f"{name}: {count} files, {said!r}, {ticks} turns")
        for _ in range(count):
            driver.desk.conversation.files._remove(0)
        driver.window.notice.dismiss()
    return wrong


async def test_every_hostile_drop_is_taken_or_refused_in_words(open_window: Open, tmp_path: Path) -> None:
    driver = await open_window({"content": "read"})
    assert len(CASES) >= 20
    assert await _all_cases(driver, tmp_path) == []
    assert driver.draft() == TYPED
    await dropped(driver, local(text_file(tmp_path)))
    driver.press(Qt.Key.Key_Return)
    await driver.until(lambda: driver.answers() == ["read"], "the answer")
    assert driver.questions() == [TYPED]


@pytest.mark.soak
async def test_huge_lists_and_folders_of_drops(
    open_window: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = await open_window({"content": "read"})
    monkeypatch.setitem(CASES, "a folder of 100,000", (lambda at: local(many(at, 100_000)), 0, "many"))
    monkeypatch.setitem(
        CASES, "five thousand", (lambda at: local(*(at / f"{n}" for n in range(5_000))), 0, "5000 files cannot be")
    )
    assert await _all_cases(driver, tmp_path) == []
    assert driver.draft() == TYPED

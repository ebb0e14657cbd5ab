"""The door of the first window: one sentence is understood there, and only from its own person."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QObject

from app.main import build
from app.ui.application import single
from app.ui.application.single import Doorbell, files_sentence, ring, sentence, understand, understand_files
from tests.fakes import until

needs_paths = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe is no path")
GARBAGE = 10_000


class Door:
    def __init__(self, folder: str) -> None:
        self.address = f"triptych-test-{Path(folder).name}" if sys.platform == "win32" else f"{folder}/door"
        self.rings: list[tuple[str, str]] = []
        self._room = QObject()
        self.bell = Doorbell(self._room)
        self.bell.rung.connect(lambda session, agent: self.rings.append((session, agent)))
        self.files: list[list[str]] = []
        self.bell.files_wanted.connect(self.files.append)

    def say(self, said: bytes, *, wait: bool = False) -> bytes:
        """What is answered; b"" if we are sent away without a word."""
        with socket.socket(socket.AF_UNIX) as guest, contextlib.suppress(ConnectionError):
            guest.connect(self.address)
            guest.sendall(said)
            if wait:
                return guest.recv(64)
        return b""

    async def ring(self, said: bytes) -> bytes:
        return await asyncio.to_thread(self.say, said, wait=True)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A guest may need long to say a word where many processes share a core."""
    monkeypatch.setattr(single, "_GUEST_MS", 60_000)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket must be short
        door = Door(folder)
        assert door.bell.listen(door.address)
        yield door
        door.bell.close()


def test_what_is_said_at_the_door_is_understood_there() -> None:
    assert understand(sentence()) == ("", "")
    assert understand(sentence("01ARZ3NDEKTSV4RRFFQ69G5FAV")) == ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
    assert understand(sentence("temporary-01ARZ3", "travel")) == ("temporary-01ARZ3", "")
    assert understand(sentence(agent="travel")) == ("", "travel")


@pytest.mark.parametrize("id", ["../x", "a b", "a\nraise", "行程", "x" * 65, "\udc80", "--data-dir=/"])
def test_T35_an_id_that_cannot_be_one_is_not_passed_on(id: str) -> None:
    assert sentence(id) == sentence("", id) == b"raise\n"


@given(st.binary(max_size=200))
def test_T35_nothing_but_the_sentence_is_understood(said: bytes) -> None:
    known = understand(said)
    assert known is None or said == sentence(*known)


def test_T35_only_whole_paths_of_exported_sessions_are_passed_on() -> None:
    home = str(Path(tempfile.gettempdir()).absolute())
    good = [f"{home}/a b.triptych", f"{home}/三联 %41.triptych", f"{home}/\udcff.triptych"]
    assert understand_files(files_sentence(good)) == good
    many = [f"{home}/{number}{'x' * 200}.triptych" for number in range(200)]
    known = understand_files(files_sentence(many))
    assert known == many[: len(known or ())], "no path is cut in two"
    bad = [["a.triptych"], [f"{home}/a.json"], [f"{home}/a.triptych", f"{home}/passwd"], [f"{home}/\0.triptych"], []]
    assert [understand_files(files_sentence(files)) for files in bad] == [None] * len(bad)


@needs_paths
async def test_a_further_start_hands_over_the_files_it_was_opened_with(door: Door) -> None:
    files = ["/tmp/a b.triptych", "/tmp/三联.triptych"]
    assert await door.ring(files_sentence(files)) == b"ok\n"
    await until(lambda: door.files == [files])
    assert door.rings == []


@needs_paths
async def test_R16_who_rings_is_answered_and_the_window_hears_what_is_wanted(door: Door) -> None:
    said = [sentence(), sentence("01ARZ3"), sentence(agent="travel")]
    assert [await door.ring(one) for one in said] == [b"ok\n"] * 3
    assert door.rings == [("", ""), ("01ARZ3", ""), ("", "travel")]


async def test_R16_where_nobody_is_at_home_or_nobody_answers_is_soon_known(door: Door) -> None:
    assert not ring(f"{door.address}-not")
    assert not ring(door.address, seconds=0.1), "this thread is the one that would have to answer"
    door.bell.close()
    assert not ring(door.address)


@needs_paths
async def test_T35_only_its_person_may_knock(door: Door) -> None:
    rights = await asyncio.to_thread(lambda: Path(door.address).stat().st_mode & 0o777)
    assert rights in (0o600, 0o700)


@needs_paths
async def test_T35_ten_thousand_pieces_of_garbage_have_no_effect(door: Door) -> None:
    chance = random.Random(35)
    near = [b"raise", b"raise \n", b"Raise\n", b"raise session=\n", b"raise session=a b\n", b"raise x=y\n", b"\n", b""]

    def throw() -> None:
        for number in range(GARBAGE):
            door.say(chance.choice(near) if number % 2 else chance.randbytes(40))

    await asyncio.to_thread(throw)
    assert door.rings == []
    assert {await door.ring(said) for said in near if said.endswith(b"\n")} == {b""}
    assert await door.ring(sentence()) == b"ok\n"
    assert door.rings == [("", "")]


@needs_paths
async def test_T35_a_guest_that_talks_too_long_or_not_at_all_is_sent_away(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await door.ring(b"raise" * 100_000) == b""
    monkeypatch.setattr(single, "_GUEST_MS", 50)
    assert await door.ring(b"raise") == b""
    assert door.rings == []


@needs_paths
async def test_T35_a_crowd_at_the_door_does_not_keep_the_person_out(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(single, "_GUEST_MS", 1_000)
    crowd = [socket.socket(socket.AF_UNIX) for _ in range(28)]
    for guest in crowd:
        guest.connect(door.address)
    await until(lambda: len(door.bell._guests) == single._GUESTS)
    await until(lambda: not door.bell._guests)
    assert await door.ring(sentence()) == b"ok\n"
    for guest in crowd:
        guest.close()


@needs_paths
def test_R16_what_a_killed_window_left_is_taken_over() -> None:
    with tempfile.TemporaryDirectory() as folder:
        door = Door(folder)
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(door.address)
        assert Path(door.address).is_socket()
        assert door.bell.listen(door.address)
        door.bell.close()
        assert not Path(door.address).exists()


@needs_paths
def test_R16_an_address_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    room = QObject()
    assert not Doorbell(room).listen(str(tmp_path / ("x" * 120)))


async def test_R16_a_minimised_window_comes_forward_as_large_as_it_was(tmp_path: Path) -> None:
    application = build(["--data-dir", str(tmp_path)])
    window = application.window
    window.showMaximized()
    window.showMinimized()
    assert window.isMinimized()
    window.come_forward()
    assert (window.isMinimized(), window.isMaximized(), window.isVisible()) == (False, True, True)
    await application.close()

"""Killed at any byte of writing: what was accepted is there, the draft is one of its saved states, no text is lost."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

from app.domains.kit.folder import root as rooted
from app.domains.kit.folder.root import open_root
from app.domains.novel.model.project import Version
from app.domains.novel.store.folder import read_folder
from app.domains.novel.store.versions import accept, sha_of, version_of, versions_of, write_version
from tests.domains.novel.rig import Desk

NOW = "2026-11-23T08:00:00"
TEXT = "林舟推开门，风从巷口吹进来，灯火一晃。\n" * 40
STATES = [TEXT[:end] for end in (120, 400, len(TEXT))]


class Killed(BaseException):
    """Nothing may catch it, as nothing catches a kill."""


class Killer:
    """Lets so many bytes through; then the process counts as dead: nothing is cleaned up any more."""

    def __init__(self, patch: pytest.MonkeyPatch, most: int) -> None:
        self.left, self.dead = most, False
        self._unlink = os.unlink
        patch.setattr(rooted, "write_all", self.write_all)
        patch.setattr(os, "unlink", self.unlink)

    def write_all(self, handle: int, data: bytes) -> None:
        rest = memoryview(data)[: max(0, self.left)]
        while rest:
            rest = rest[os.write(handle, rest) :]
        self.left -= len(data)
        if self.left < 0:
            self.dead = True
            raise Killed

    def unlink(self, *args: Any, **options: Any) -> None:
        if not self.dead:
            self._unlink(*args, **options)


def run(root: rooted.Root, old: str) -> list[str]:
    """A draft saved three times, then accepted; what was done is noted as it is done."""
    done: list[str] = []
    try:
        for text in STATES:
            draft = Version("d-1", "ch-0002", NOW, "agent", text, complete=text == TEXT, base=sha_of(old))
            write_version(root, draft)
            done.append(text)
        accept(root, read_folder(root), version_of(root, "ch-0002", "d-1"), NOW)
        done.append("accepted")
    except Killed:
        pass
    return done


def test_a_kill_at_any_byte_loses_nothing_that_was_accepted(tmp_path: Path) -> None:
    assert killed(tmp_path, 12) == []


@pytest.mark.soak
def test_fifty_kills_lose_nothing_that_was_accepted(tmp_path: Path) -> None:
    assert killed(tmp_path, 50) == []


def killed(tmp_path: Path, times: int) -> list[tuple[object, ...]]:
    """What was lost or is not as it was saved."""
    dice, faults = random.Random(16), list[tuple[object, ...]]()
    for number in range(times):
        desk = Desk(tmp_path / str(number))
        old = desk.book().book.chapters[1].text
        with open_root(desk.root) as root:
            with pytest.MonkeyPatch.context() as patch:
                Killer(patch, dice.randrange(12_000))
                done = run(root, old)
            book = read_folder(root)
            text = book.book.chapters[1].text
            drafts = [one.text for one in versions_of(root, "ch-0002") if one.id == "d-1"]
            saved = [one for one in done if one != "accepted"]
            if text not in (old, TEXT) or ("accepted" in done and text != TEXT) or book.faults:
                faults.append((number, "the chapter", text[:30], book.faults))
            if (saved and drafts != saved[-1:]) and drafts != STATES[len(saved) : len(saved) + 1]:
                faults.append((number, "the draft", str(len(saved)), drafts))
            # Begun again it comes to the same end, once.
            if len(saved) == len(STATES):
                for _ in range(2):
                    accept(root, read_folder(root), version_of(root, "ch-0002", "d-1"), NOW)
                texts = sorted(one.text for one in versions_of(root, "ch-0002"))
                if texts != sorted((old, TEXT)) or read_folder(root).book.chapters[1].text != TEXT:
                    faults.append((number, "begun again", str(len(texts)), texts))
    return faults

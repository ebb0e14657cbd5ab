"""One process at a time has the window of a data folder, and a dead one is never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.storage.folder.instance_lock import InstanceLock, meeting_place

HOLDER = """
import sys, time
from pathlib import Path
from app.storage.folder.instance_lock import InstanceLock
claim = InstanceLock(Path(sys.argv[1]))
print(claim.take(), flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _place_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))


def test_R16_the_second_is_told_that_another_has_it_until_the_first_lets_go(tmp_path: Path) -> None:
    first, second = InstanceLock(tmp_path / "data"), InstanceLock(tmp_path / "data")
    assert first.address == second.address
    assert (first.take(), first.take(), second.take()) == ("us", "us", "another")
    first.release()
    assert (second.take(), first.take()) == ("us", "another")
    second.release()


def test_R16_a_holder_that_was_killed_is_never_in_the_way(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "us\n"
        claim = InstanceLock(tmp_path)
        assert claim.take() == "another"
        holder.kill()
        holder.wait()
        assert claim.take() == "us"
        claim.release()


def test_R16_each_data_folder_has_a_holder_of_its_own_by_whatever_name_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    if sys.platform != "win32":
        (tmp_path / "link").symlink_to("one")
        assert InstanceLock(tmp_path / "link").address == InstanceLock(tmp_path / "one").address
    assert InstanceLock(tmp_path / "two" / ".." / "one").address == InstanceLock(tmp_path / "one").address
    assert InstanceLock(tmp_path / "two").address != InstanceLock(tmp_path / "one").address
    assert not (tmp_path / "two").exists(), "asking makes nothing in the data folder"


@pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")
def test_T35_nobody_else_can_look_in_where_it_lies(tmp_path: Path) -> None:
    claim = InstanceLock(tmp_path)
    claim.take()
    place = meeting_place()
    assert place is not None
    assert place.stat().st_mode & 0o777 == 0o700
    assert [file.stat().st_mode & 0o777 for file in place.iterdir()] == [0o600]
    claim.release()


@pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")
def test_T35_a_place_others_can_write_to_or_have_made_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "triptych").mkdir()
    (tmp_path / "triptych").chmod(0o777)
    assert InstanceLock(tmp_path).take() == "unknown"
    (tmp_path / "triptych").rmdir()
    (tmp_path / "triptych").symlink_to(tmp_path)
    assert InstanceLock(tmp_path).take() == "unknown"

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    real = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: real + 1)
    (tmp_path / f"triptych-{real + 1}").mkdir(mode=0o700)
    assert meeting_place() is None, "neither is ours"


@pytest.mark.skipif(sys.platform == "win32", reason="the place is part of the profile there")
def test_R16_without_a_folder_for_sockets_there_is_one_of_our_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert meeting_place() == tmp_path / f"triptych-{os.getuid()}"
    monkeypatch.setenv("TMPDIR", str(tmp_path / "gone"))
    assert (meeting_place(), InstanceLock(tmp_path).address, InstanceLock(tmp_path).take()) == (None, "", "unknown")

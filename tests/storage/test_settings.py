"""Settings files: what a person, an editor, a crash or another version may have done to them."""

from __future__ import annotations

import os
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import BadInput
from app.storage.config.profiles import ProfileFiles
from app.storage.config.settings import LARGEST, SettingsFiles
from app.storage.folder.errors import DiskFull, FolderUnusable, SettingsConflict, SettingsLocked
from tests.every import looped

NAME = "preferences"
GOOD = {"theme": "dark", "zoom": 120}


@pytest.fixture
def files(tmp_path: Path) -> SettingsFiles:
    return SettingsFiles(tmp_path)


@pytest.fixture
def saved(files: SettingsFiles) -> SettingsFiles:
    files.save(NAME, GOOD)
    return files


def content(files: SettingsFiles) -> dict[str, Any]:
    return tomllib.loads(files.path(NAME).read_text("utf-8"))


def test_what_is_not_there_is_empty_and_no_problem(files: SettingsFiles) -> None:
    assert files.load(NAME) == ({}, None)
    assert list(files.folder.iterdir()) == []


def test_R15_a_saved_file_is_private_versioned_and_reads_back(saved: SettingsFiles) -> None:
    assert saved.load(NAME) == (GOOD, None)
    assert content(saved) == {"version": 1, **GOOD}
    assert saved.path(NAME).stat().st_mode & 0o777 == 0o600
    assert saved.copy_path(NAME).read_bytes() == saved.path(NAME).read_bytes()
    assert sorted(path.name for path in saved.folder.iterdir()) == ["preferences.last-good.toml", "preferences.toml"]


DAMAGED: dict[str, bytes] = {
    "S01 no bytes": b"",
    "S01 zeros after a power cut": b"\0" * 300,
    "S02 truncated": b'theme = "dar',
    "S02 binary": bytes(range(256)),
    "S02 UTF-16": 'theme = "dark"'.encode("utf-16"),
    "S03 a list": b"[]",
    "S03 null": b"null",
    "S03 a number": b"42",
    "S03 JSON": b'{"theme": "dark"}',
    "S04 version 0": b"version = 0",
    "S04 version -1": b"version = -1",
    "S04 version x": b'version = "x"',
    "S04 version true": b"version = true",
    "S07 50 MB": b"# " + b"x" * 50_000_000,
    "nested without end": b"a = " + b"[" * 100_000,
}


@pytest.mark.parametrize("how", DAMAGED)
def test_S01_S02_S03_S04_S07_the_last_good_copy_takes_the_place_of_a_damaged_file(
    saved: SettingsFiles, how: str
) -> None:
    bad = DAMAGED[how]
    saved.path(NAME).write_bytes(bad)
    values, problem = SettingsFiles(saved.folder).load(NAME)
    assert values == GOOD
    assert problem is not None
    assert (problem.code, problem.used_copy, problem.path) == ("settings_damaged", True, saved.path(NAME))
    assert problem.aside is not None
    assert problem.aside.read_bytes() == bad
    assert SettingsFiles(saved.folder).load(NAME) == (GOOD, None)


@pytest.mark.parametrize("how", DAMAGED)
def test_S01_without_a_good_copy_the_defaults_hold(files: SettingsFiles, how: str) -> None:
    files.path(NAME).write_bytes(DAMAGED[how])
    files.copy_path(NAME).write_bytes(b"also = broken")
    values, problem = files.load(NAME)
    assert values == {}
    assert problem is not None
    assert (problem.code, problem.used_copy) == ("settings_damaged", False)
    files.save(NAME, GOOD)
    assert files.load(NAME) == (GOOD, None)


def test_S01_files_put_aside_are_never_overwritten(saved: SettingsFiles) -> None:
    asides = set()
    for n in range(3):
        saved.path(NAME).write_bytes(b"= %d" % n)
        _values, problem = saved.load(NAME)
        assert problem is not None
        asides.add(problem.aside)
    assert len(asides) == 3


def test_S02_a_byte_order_mark_of_an_editor_is_no_damage(saved: SettingsFiles) -> None:
    saved.path(NAME).write_bytes(b"\xef\xbb\xbf" + b'theme = "light"\r\n')
    assert saved.load(NAME) == ({"theme": "light"}, None)
    saved.save(NAME, {"zoom": 90})
    assert content(saved) == {"version": 1, "theme": "light", "zoom": 90}


def test_S04_a_newer_version_is_read_and_never_written(saved: SettingsFiles) -> None:
    saved.path(NAME).write_text('version = 9999\ntheme = "light"\nhologram = true\n')
    before = saved.path(NAME).read_bytes()
    values, problem = saved.load(NAME)
    assert values == {"theme": "light", "hologram": True}
    assert problem is not None
    assert problem.code == "settings_newer"
    with pytest.raises(SettingsLocked):
        saved.save(NAME, GOOD, force=True)
    assert saved.path(NAME).read_bytes() == before


def test_S05_not_a_number_survives_a_save_of_something_else(saved: SettingsFiles) -> None:
    saved.path(NAME).write_text('zoom = nan\nbig = inf\ntheme = "dark"\n')
    saved.load(NAME)
    saved.save(NAME, {"theme": "light"})
    assert str(content(saved)["zoom"]) == "nan"
    assert content(saved)["theme"] == "light"


def test_S06_unknown_keys_comments_and_order_are_kept(saved: SettingsFiles) -> None:
    saved.path(NAME).write_text(
        '# mine\ntheme = "dark"  # I like it\n\n[future]\nhologram = 3 # later\n\n[[list]]\nx = 1\n'
    )
    saved.load(NAME)
    saved.save(NAME, {"theme": "light", "zoom": 90})
    text = saved.path(NAME).read_text()
    assert "# mine" in text
    assert "# I like it" in text
    assert "# later" in text
    assert content(saved) == {"version": 1, "theme": "light", "zoom": 90, "future": {"hologram": 3}, "list": [{"x": 1}]}


def test_none_removes_a_key_and_tables_are_the_whole(files: SettingsFiles) -> None:
    files.save(NAME, {"a": 1, "providers": {"x": {"url": "u", "key": None}, "y": {"url": "v"}}, "list": [{"n": 1}]})
    assert content(files) == {
        "version": 1,
        "a": 1,
        "providers": {"x": {"url": "u"}, "y": {"url": "v"}},
        "list": [{"n": 1}],
    }
    files.save(NAME, {"a": None, "providers": {"y": {"url": "w", "models": ("m",)}}})
    assert content(files) == {"version": 1, "providers": {"y": {"url": "w", "models": ["m"]}}, "list": [{"n": 1}]}


@pytest.mark.parametrize(
    "value", ["", "a\nb", "'\"\\", "三联 🙂", "\0", "x" * 5000, 10**15, -1, 0.5, True, [], {}, [[1], []]]
)
def test_any_value_reads_back(files: SettingsFiles, value: Any) -> None:
    files.save(NAME, {"v": value})
    assert files.load(NAME) == ({"v": "␀" if value == "\0" else value}, None)
    files.save(NAME, {"v": [value], "w": {"deep": {"er": value}}})
    assert content(files)["w"] == {"deep": {"er": "␀" if value == "\0" else value}}


def test_half_a_character_does_not_stop_a_save(files: SettingsFiles) -> None:
    files.save(NAME, {"prompt": "a\ud800"})
    assert files.load(NAME) == ({"prompt": "a\ufffd"}, None)


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_S08_a_link_is_not_followed_and_not_written(files: SettingsFiles, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("theme = 'evil'")
    files.path(NAME).symlink_to(target)
    values, problem = files.load(NAME)
    assert values == {}
    assert problem is not None
    assert problem.code == "settings_refused"
    with pytest.raises(SettingsLocked):
        files.save(NAME, GOOD, force=True)
    assert target.read_text() == "theme = 'evil'"
    assert files.path(NAME).is_symlink()


def test_S08_a_folder_in_its_place_is_told(files: SettingsFiles) -> None:
    files.path(NAME).mkdir()
    values, problem = files.load(NAME)
    assert values == {}
    assert problem is not None
    assert problem.code == "settings_refused"
    with pytest.raises(SettingsLocked):
        files.save(NAME, GOOD)


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes of POSIX")
def test_S08_a_file_open_to_everybody_is_closed(saved: SettingsFiles) -> None:
    saved.path(NAME).chmod(0o666)
    assert saved.load(NAME) == (GOOD, None)
    assert saved.path(NAME).stat().st_mode & 0o777 == 0o600


def test_S08_a_file_of_somebody_else_is_not_read(saved: SettingsFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "getuid"):
        pytest.skip("no owners on this system")
    saved.path(NAME).touch()
    me = os.getuid()
    if me == 0:
        os.chown(saved.path(NAME), 12345, -1)
    else:
        monkeypatch.setattr(os, "getuid", lambda: me + 1)
    _values, problem = saved.load(NAME)
    assert problem is not None
    assert problem.code == "settings_refused"


def test_S09_R15_a_change_from_outside_is_not_overwritten(saved: SettingsFiles) -> None:
    saved.load(NAME)
    saved.path(NAME).write_text('theme = "light"\n')
    with pytest.raises(SettingsConflict) as caught:
        saved.save(NAME, {"zoom": 80})
    assert caught.value.params["path"] == str(saved.path(NAME))
    assert content(saved) == {"theme": "light"}
    saved.load(NAME)
    saved.save(NAME, {"zoom": 80})
    assert content(saved) == {"version": 1, "theme": "light", "zoom": 80}


def test_S09_two_windows_of_the_program_notice_each_other(tmp_path: Path) -> None:
    first, second = SettingsFiles(tmp_path), SettingsFiles(tmp_path)
    first.load(NAME)
    second.load(NAME)
    first.save(NAME, {"zoom": 80})
    with pytest.raises(SettingsConflict):
        second.save(NAME, {"zoom": 90})
    second.save(NAME, {"zoom": 90}, force=True)
    assert content(second)["zoom"] == 90


def test_S09_touching_the_file_is_no_conflict(saved: SettingsFiles) -> None:
    saved.load(NAME)
    os.utime(saved.path(NAME), (1, 1))
    saved.save(NAME, {"zoom": 80})
    assert content(saved)["zoom"] == 80


def test_S12_leftovers_of_a_killed_save_are_removed_and_the_file_is_intact(saved: SettingsFiles) -> None:
    old = saved.folder / ".preferences.toml.123-abc.tmp"
    fresh = saved.folder / ".preferences.toml.124-abc.tmp"
    for temp in (old, fresh):
        temp.write_text("half")
    os.utime(old, (time.time() - 3600,) * 2)
    assert saved.load(NAME) == (GOOD, None)
    assert not old.exists()
    assert fresh.exists(), "it may belong to a save that is going on"


def _raise(error: OSError) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize(("number", "kind"), [(28, DiskFull), (30, FolderUnusable), (5, FolderUnusable)])
@pytest.mark.parametrize("where", ["fsync", "open"])
def test_R04_R15_a_failed_write_leaves_the_old_file_byte_for_byte(
    saved: SettingsFiles, monkeypatch: pytest.MonkeyPatch, where: str, number: int, kind: type[Exception]
) -> None:
    before = {path.name: path.read_bytes() for path in saved.folder.iterdir()}
    if where == "fsync":
        monkeypatch.setattr("os.fsync", _raise(OSError(number, os.strerror(number))))
        with pytest.raises(kind):
            saved.save(NAME, {"zoom": 66})
    else:
        real = os.open

        def fail(path: object, flags: int, *rest: Any) -> int:
            if flags & os.O_CREAT:
                raise OSError(number, os.strerror(number))
            return real(path, flags, *rest)  # type: ignore[arg-type]  # passed on as it came

        monkeypatch.setattr("os.open", fail)
        with pytest.raises(kind):
            saved.save(NAME, {"zoom": 66})
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in saved.folder.iterdir()} == before


def test_what_would_be_too_large_to_read_again_is_not_written(saved: SettingsFiles) -> None:
    with pytest.raises(SettingsLocked):
        saved.save(NAME, {"v": "x" * (LARGEST + 1)})
    assert content(saved) == {"version": 1, **GOOD}


def test_profiles_are_files_and_one_bad_one_hides_no_other(tmp_path: Path) -> None:
    profiles = ProfileFiles(tmp_path / "profiles")
    assert profiles.load_all() == ({}, [])
    profiles.save("mine", {"name": {"zh": "我的", "en": "Mine"}, "max_steps": 4, "tools": {"search_*": "ask"}})
    profiles.save("other-2", {"max_steps": 5})
    (tmp_path / "profiles" / "broken.toml").write_text("= nothing")
    (tmp_path / "profiles" / "Not An Id.toml").write_text("x = 1")
    found, problems = profiles.load_all()
    assert sorted(found) == ["mine", "other-2"]
    assert found["mine"]["name"]["zh"] == "我的"
    assert [problem.code for problem in problems] == ["settings_damaged"]
    assert profiles.load("other-2") == ({"max_steps": 5}, None)
    assert profiles.delete("mine")
    assert not profiles.delete("mine")
    assert profiles.ids() == ["other-2"]


@looped("id", ["", "..", "a/b", "a\\b", "A", "con", "com1", "x" * 65, "a.b", "名", "a\0", "a b"])
def test_a_profile_id_can_never_name_another_file(tmp_path: Path, id: str) -> None:
    profiles = ProfileFiles(tmp_path / "profiles")
    for attempt in (lambda: profiles.save(id, {"x": 1}), lambda: profiles.load(id), lambda: profiles.delete(id)):
        with pytest.raises(BadInput):
            attempt()
    assert list(tmp_path.rglob("*.toml")) == []

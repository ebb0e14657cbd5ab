"""Settings files a person may edit too: read leniently, written whole, never overwritten blindly.

    values, problem = files.load("preferences")        plain and quick: before the first paint
    files.save("preferences", values)                  blocks on the disk: call it in a thread

What is wrong with a file is a `SettingsProblem`, told to the person; the program starts anyway.
What the values mean is left to the models in core.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Literal

from ..folder.errors import SettingsConflict, SettingsLocked
from ..folder.files import put_aside, remove_leftovers, write_atomically
from ..folder.private import PRIVATE_FILE, make_private

FORMAT = 1
"""The `version` of the files we write."""
LARGEST = 1024 * 1024

ProblemCode = Literal["settings_damaged", "settings_newer", "settings_refused", "settings_unreadable"]


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """A damaged file was renamed, and its last good copy or the defaults are used; any other file is left unchanged."""

    code: ProblemCode
    path: Path
    detail: str = ""
    aside: Path | None = None
    """Where the damaged file was put."""
    used_copy: bool = False
    """The last good copy took its place; otherwise the defaults hold."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The file as it was when we last read or wrote it."""

    mtime: int
    size: int
    digest: bytes


class _Damaged(Exception):
    pass


class _Refused(Exception):
    pass


class SettingsFiles:
    """The TOML files of one folder, by name without ending."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: dict[str, _Seen | None] = {}
        self._locked: dict[str, str] = {}
        self._lock = Lock()

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def copy_path(self, name: str) -> Path:
        return self.folder / f"{name}.last-good.toml"

    def load(self, name: str) -> tuple[dict[str, Any], SettingsProblem | None]:
        """Never raises. A file that is not there is {}."""
        with self._lock:
            return self._load(name)

    def save(self, name: str, values: Mapping[str, Any], *, force: bool = False) -> None:
        """Top-level keys of the file that `values` does not name are kept, and so are comments; below them
        `values` is the whole. None removes a key. Raises SettingsConflict when somebody else changed the file
        (`force` overwrites), SettingsLocked, DiskFull or FolderUnusable; the file is then as it was.
        """
        with self._lock:
            self._save(name, values, force)

    def delete(self, name: str) -> bool:
        """Whether there was one. Its last good copy goes with it."""
        with self._lock:
            there = self.path(name).exists()
            for path in (self.path(name), self.copy_path(name)):
                path.unlink(missing_ok=True)
            self._seen.pop(name, None)
            self._locked.pop(name, None)
            return there

    # ------------------------------------------------------------ reading

    def _load(self, name: str) -> tuple[dict[str, Any], SettingsProblem | None]:
        path = self.path(name)
        self._locked.pop(name, None)
        remove_leftovers(path)
        try:
            data = _read(path)
        except FileNotFoundError:
            self._seen[name] = None
            return {}, None
        except _Refused as refused:
            self._locked[name] = str(refused)
            return {}, SettingsProblem("settings_refused", path, str(refused))
        except _Damaged as damaged:
            return self._fall_back(name, str(damaged))
        except OSError as error:
            self._locked[name] = str(error.strerror)
            return {}, SettingsProblem("settings_unreadable", path, str(error.strerror))
        try:
            values = _parsed(data)
        except _Damaged as damaged:
            return self._fall_back(name, str(damaged))
        self._seen[name] = _look(path, data)
        version = values.pop("version", FORMAT)
        if version > FORMAT:
            self._locked[name] = "made by a newer version"
            return values, SettingsProblem("settings_newer", path, str(version))
        return values, None

    def _fall_back(self, name: str, why: str) -> tuple[dict[str, Any], SettingsProblem]:
        path = self.path(name)
        aside = put_aside(path)
        if aside is None:
            # What cannot be moved must not be written over either.
            self._locked[name] = why
        self._seen[name] = None
        try:
            data = _read(self.copy_path(name))
            values = _parsed(data)
        except (OSError, _Damaged, _Refused):
            return {}, SettingsProblem("settings_damaged", path, why, aside)
        values.pop("version", None)
        if aside is not None:
            with contextlib.suppress(OSError, SettingsLocked):
                write_atomically(path, data)
                self._seen[name] = _look(path, data)
        return values, SettingsProblem("settings_damaged", path, why, aside, used_copy=True)

    # ------------------------------------------------------------ writing

    def _save(self, name: str, values: Mapping[str, Any], force: bool) -> None:
        path = self.path(name)
        if name not in self._seen and name not in self._locked:
            self._load(name)
        if why := self._locked.get(name):
            raise SettingsLocked(f"{path} is not written: {why}", path=str(path))
        text = self._current(name, force)
        from app.core.setting import Fields

        from .toml import updated

        fields = values if isinstance(values, Fields) else Fields(values)
        data = updated(text, fields.also({"version": FORMAT})).encode()
        if len(data) > LARGEST:
            raise SettingsLocked(f"{path} would become larger than {LARGEST} bytes", path=str(path))
        write_atomically(path, data)
        self._seen[name] = _look(path, data)
        write_atomically(self.copy_path(name), data)

    def _current(self, name: str, force: bool) -> str:
        """The text to change. Raises SettingsConflict if it is not the one that was read."""
        path, seen = self.path(name), self._seen.get(name)
        try:
            data = _read(path)
        except FileNotFoundError:
            return ""
        except (_Refused, _Damaged) as error:
            raise SettingsConflict(f"{path} is not the file it was: {error}", path=str(path)) from error
        if not os.access(path, os.W_OK):
            raise SettingsLocked(f"{path} is read-only", path=str(path))
        if not force and (seen is None or seen.digest != _digest(data)):
            raise SettingsConflict(f"{path} was changed by another program", path=str(path))
        try:
            _parsed(data)
        except _Damaged:
            put_aside(path)
            return ""
        return data.decode("utf-8-sig")


def _read(path: Path) -> bytes:
    """Follows no link and reads no more than a settings file can be."""
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode):
        raise _Refused("a link" if stat.S_ISLNK(facts.st_mode) else "not a file")
    if hasattr(os, "getuid") and facts.st_uid not in (os.getuid(), 0):
        raise _Refused("it belongs to somebody else")
    if facts.st_size > LARGEST:
        raise _Damaged(f"larger than {LARGEST} bytes")
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read(LARGEST + 1)


def _parsed(data: bytes) -> dict[str, Any]:
    from app.core.text.toml import read_toml  # here, because a first start has no file and wants to be painted

    if not data.strip(b"\0 \t\r\n"):
        raise _Damaged("empty")
    try:
        values = read_toml(data.decode("utf-8-sig"))
    except ValueError as error:
        raise _Damaged("not TOML") from error
    version = values.get("version", FORMAT)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise _Damaged(f"version {version!r}"[:80])
    return values


def _digest(data: bytes) -> bytes:
    from hashlib import blake2b  # loads OpenSSL

    return blake2b(data, digest_size=16).digest()


def _look(path: Path, data: bytes) -> _Seen:
    with contextlib.suppress(OSError):
        make_private(path, PRIVATE_FILE)
    facts = path.lstat()
    return _Seen(facts.st_mtime_ns, facts.st_size, _digest(data))

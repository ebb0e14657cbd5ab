"""The bin of the program: what was taken out of a folder is in the data folder, whole, until it is restored.

On one disk a rename does it. Else everything is copied first, under a name that does not count, and only then removed.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.domains.kit.folder.handles import fault_of
from app.domains.kit.folder.root import Root

LARGEST_COPY = 2_000_000_000
"""Bytes that are copied from one disk to the other."""
DAYS = 30
_PART = ".part"


@dataclass(frozen=True, slots=True)
class TrashItem:
    id: str
    path: str
    root: str
    at: float
    """Seconds since 1970."""


class Trash:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def items(self, root: Root) -> list[TrashItem]:
        """Of this folder, newest first."""
        own = [item for item in self._all() if item.root == str(root.path) and self.has(item.id)]
        return sorted(own, key=lambda item: item.at, reverse=True)

    def item(self, root: Root, id: str) -> TrashItem | None:
        return next((item for item in self.items(root) if item.id == id), None)

    def has(self, id: str) -> bool:
        return os.path.lexists(self.folder / id / "it")

    def take(self, root: Root, path: str, id: str) -> None:
        """Links are taken, not followed."""
        place = self.folder / id
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = {"path": path, "root": str(root.path), "at": time.time()}
        (self.folder / f"{id}.json").write_text(json.dumps(facts), encoding="utf-8")
        with root.parent_of(path) as (parent, name):
            try:
                os.rename(name, place / "it", src_dir_fd=parent)
                return
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise fault_of(error, path) from error
            part = place / f"it{_PART}"
            _remove(part)
            _copy_out(parent, name, part, [LARGEST_COPY])
            part.rename(place / "it")
            _remove_at(parent, name)

    def give_back(self, root: Root, id: str, path: str) -> None:
        """Raises ToolError EXISTS, NOT_FOUND."""
        source = self.folder / id / "it"
        if not os.path.lexists(source):
            raise ToolError("NOT_FOUND", N_("there is no {path}"), values={"path": id[:80]})
        if root.place(path, follow=False).facts is not None:
            raise ToolError("EXISTS", N_("{path} is there already"), values={"path": path[:120]})
        with root.parent_of(path) as (parent, name):
            try:
                os.rename(source, name, dst_dir_fd=parent)
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise fault_of(error, path) from error
                beside = f".{id}{_PART}"
                _remove_at(parent, beside)
                _copy_in(source, parent, beside)
                os.rename(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
        self.forget(id)

    def remove_part(self, root: Root, path: str, id: str) -> None:
        """What a kill has left of a copy that was coming back to `path`."""
        with suppress(ToolError, OSError), root.parent_of(path) as (parent, _name):
            _remove_at(parent, f".{id}{_PART}")

    def is_whole_beside(self, root: Root, id: str, path: str) -> bool:
        """Whether what is in the bin is still in its old place as well: a copy whose original was not removed."""
        with root.parent_of(path) as (parent, name):
            return _print_at(parent, name) == _print_at(None, str(self.folder / id / "it"))

    def forget(self, id: str) -> None:
        _remove(self.folder / id)
        (self.folder / f"{id}.json").unlink(missing_ok=True)

    def empty_old(self) -> None:
        """What has lain here for longer than it is kept."""
        for item in self._all():
            if item.at < time.time() - DAYS * 86_400:
                self.forget(item.id)

    def _all(self) -> Iterator[TrashItem]:
        if not self.folder.is_dir():
            return
        for file in self.folder.glob("*.json"):
            try:
                facts = json.loads(file.read_text(encoding="utf-8"))
                yield TrashItem(file.stem, str(facts["path"]), str(facts["root"]), float(facts["at"]))
            except (OSError, ValueError, KeyError, TypeError):
                continue


def _copy_out(parent: int, name: str, target: Path, room: list[int]) -> None:
    facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    if stat.S_ISLNK(facts.st_mode):
        target.symlink_to(os.readlink(name, dir_fd=parent))
    elif stat.S_ISDIR(facts.st_mode):
        target.mkdir(mode=0o700)
        handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
        try:
            for inner in os.listdir(handle):  # noqa: PTH208 - of an open handle
                _copy_out(handle, inner, target / inner, room)
        finally:
            os.close(handle)
        _set_facts(target, facts)
    elif stat.S_ISREG(facts.st_mode):
        room[0] -= facts.st_size
        if room[0] < 0:
            words = N_("that is more than {n} GB on another disk; delete it yourself")
            raise ToolError("TOO_BIG", words, values={"n": LARGEST_COPY // 1_000_000_000})
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=parent)
        with os.fdopen(handle, "rb") as source, target.open("xb") as copy:
            shutil.copyfileobj(source, copy, 1 << 20)
            copy.flush()
            os.fsync(copy.fileno())
        _set_facts(target, facts)
    else:
        raise ToolError("NOT_A_FILE", N_("{path} is a device or a pipe"), values={"path": name[:120]})


def _copy_in(source: Path, parent: int, name: str) -> None:
    facts = source.lstat()
    if stat.S_ISLNK(facts.st_mode):
        os.symlink(source.readlink(), name, dir_fd=parent)
    elif stat.S_ISDIR(facts.st_mode):
        os.mkdir(name, 0o700, dir_fd=parent)
        handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
        try:
            for inner in source.iterdir():
                _copy_in(inner, handle, inner.name)
            os.fchmod(handle, stat.S_IMODE(facts.st_mode))
            os.utime(handle, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        finally:
            os.close(handle)
    else:
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=parent)
        with source.open("rb") as original, os.fdopen(handle, "wb") as copy:
            shutil.copyfileobj(original, copy, 1 << 20)
            copy.flush()
            os.fchmod(copy.fileno(), stat.S_IMODE(facts.st_mode))
            os.utime(copy.fileno(), ns=(facts.st_atime_ns, facts.st_mtime_ns))
            os.fsync(copy.fileno())


def _set_facts(path: Path, facts: os.stat_result) -> None:
    path.chmod(stat.S_IMODE(facts.st_mode))
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _remove_at(parent: int, name: str) -> None:
    try:
        facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return
    if stat.S_ISDIR(facts.st_mode):
        shutil.rmtree(name, dir_fd=parent)
    else:
        os.unlink(name, dir_fd=parent)


def _print_at(parent: int | None, name: str) -> list[tuple[str, int, int]]:
    """Names, kinds and sizes of everything below."""
    facts = os.stat(name, dir_fd=parent, follow_symlinks=False)
    here = [("", stat.S_IFMT(facts.st_mode), 0 if stat.S_ISDIR(facts.st_mode) else facts.st_size)]
    if not stat.S_ISDIR(facts.st_mode):
        return here
    handle = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
    try:
        names = sorted(os.listdir(handle))  # noqa: PTH208 - of an open handle
        inner = [(name, _print_at(handle, name)) for name in names]
    finally:
        os.close(handle)
    return here + [(f"{name}/{below}", kind, size) for name, listed in inner for below, kind, size in listed]

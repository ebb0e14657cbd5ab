"""The opened folder. Every name on the way is opened by itself, from the handle of the one before, and no link is
followed by the system: between the look and the use there is nothing to swap.

    with open_root(path) as root:
        data = root.read("notes/a.md")

A link that stays inside is followed by hand, name by name, by the same rules. What is on another file system (a
mount), a device, a pipe, and for writing a file of several names (hard links) are refused.

Windows has no such handles in the standard library: there the folder is not opened at all, and the tools say so.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.core.errors import ToolError
from app.core.system.file_names import check_new_name
from app.core.text.i18n import N_
from app.core.text.os_errors import os_words

from .handles import (
    FILE,
    FOLDER,
    NEW,
    Entry,
    Kind,
    fault_of,
    kind,
    look,
    mount_of,
    put_new,
    refuse_no_file,
    rename_new,
    scanned,
    sha_at,
    umask,
    write_all,
)  # fmt: skip
from .names import is_open, is_secret, outside, parts_of, refuse_closed, refused

MOST_LINKS = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a path leads: its names with every link followed, and the kind of what is there; None: nothing is."""

    names: tuple[str, ...]
    facts: os.stat_result | None

    @property
    def text(self) -> str:
        return "/".join(self.names) or "."

    @property
    def kind(self) -> Kind | None:
        return kind(self.facts.st_mode) if self.facts is not None else None


class Root:
    """Made by `open_root`."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path, self._handle = path, handle
        self._mount = mount_of(handle)

    # ------------------------------------------------------------ finding

    def place(self, wanted: str, *, follow: bool = True) -> Place:
        """`follow`: a link at the end is followed too. Raises ToolError OUTSIDE, NOT_FOUND for a missing folder."""
        parts = parts_of(wanted, self.path)
        with self._walked(parts, wanted, follow=follow) as (parent, names):
            if not names:
                return Place((), os.fstat(self._handle))
            place = Place(names, look(parent, names[-1]))
        if place.names != parts:
            refuse_closed(place.names)
            if is_secret(place.text) and not is_secret(wanted):
                raise refused("SECRET_FILE", N_("a link leads to {path}; name that itself"), path=place.text)
        return place

    @contextmanager
    def _walked(
        self, asked: tuple[str, ...], wanted: str, *, follow: bool
    ) -> Generator[tuple[int, tuple[str, ...]], None, None]:
        """The handle of the folder that holds the last name, and all names as they are with links followed."""
        names, links = list(asked), 0
        while True:
            handle = os.dup(self._handle)
            try:
                done: list[str] = []
                turned = False
                for place, name in enumerate(names):
                    is_last = place == len(names) - 1
                    facts = look(handle, name)
                    if facts is not None and stat.S_ISLNK(facts.st_mode) and (follow or not is_last):
                        links += 1
                        if links > MOST_LINKS:
                            raise refused("OUTSIDE", N_("links lead round in a circle"))
                        target = self._target(handle, name, wanted)
                        names = [*self._followed(done, target, wanted), *names[place + 1 :]]
                        turned = True
                        break
                    if is_last:
                        break
                    if facts is None:
                        raise refused("NOT_FOUND", N_("there is no {path}"), path=wanted[:120])
                    handle = self._into(handle, name, wanted)
                    done.append(name)
                if not turned:
                    yield handle, tuple(names)
                    return
            finally:
                os.close(handle)

    @staticmethod
    def _target(handle: int, name: str, wanted: str) -> str:
        try:
            return os.readlink(name, dir_fd=handle)
        except OSError as error:  # it was a link a moment ago
            raise fault_of(error, wanted) from error

    def _into(self, handle: int, name: str, wanted: str) -> int:
        """The handle of a folder below; the one before is closed."""
        try:
            inner = os.open(name, FOLDER, dir_fd=handle)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
                words = N_("{path} leads through something that is no folder")
                raise refused("NOT_FOUND", words, path=wanted[:120]) from error
            raise fault_of(error, wanted) from error
        os.dup2(inner, handle, inheritable=False)
        os.close(inner)
        if mount_of(handle) != self._mount:
            raise outside(wanted)
        return handle

    def _followed(self, done: list[str], target: str, wanted: str) -> list[str]:
        """The names a link leads to. `done` are folders, so that `..` means the one above by its letters."""
        whole = PurePosixPath(str(self.path))
        there = PurePosixPath(target)
        if there.is_absolute():
            if not there.is_relative_to(whole):
                raise outside(wanted)
            done, there = [], there.relative_to(whole)
        names = list(done)
        for name in there.parts:
            if name == "..":
                if not names:
                    raise outside(wanted)
                names.pop()
            elif name != ".":
                names.append(name)
        refuse_closed(names)
        return names

    # ------------------------------------------------------------ reading

    def read(self, wanted: str, most: int) -> bytes:
        """Raises ToolError NOT_FOUND, NOT_A_FILE or TOO_BIG."""
        with self.opened(wanted) as handle:
            size = os.fstat(handle).st_size
            pieces, length = [], 0
            while length <= most and (piece := os.read(handle, 1 << 20)):
                pieces.append(piece)
                length += len(piece)
        if max(size, length) > most:
            raise refused("TOO_BIG", N_("{path} has more than {n} MB"), path=wanted[:120], n=most // 1_000_000)
        return b"".join(pieces)

    @contextmanager
    def opened(self, wanted: str) -> Generator[int, None, None]:
        """The handle of an ordinary file, for reading."""
        place = self.place(wanted)
        if place.facts is None:
            raise refused("NOT_FOUND", N_("there is no {path}"), path=wanted[:120])
        refuse_no_file(place.facts, wanted)
        with self._walked(place.names, wanted, follow=False) as (parent, names):
            try:
                handle = os.open(names[-1], FILE, dir_fd=parent)
            except OSError as error:
                raise fault_of(error, wanted) from error
            try:
                refuse_no_file(os.fstat(handle), wanted)
                if mount_of(handle) != self._mount:
                    raise outside(wanted)
                yield handle
            finally:
                os.close(handle)

    def entries(self, wanted: str, most: int) -> tuple[list[Entry], bool]:
        """What is in a folder, unsorted; and whether that is not all of it."""
        place = self.place(wanted)
        if place.facts is None:
            raise refused("NOT_FOUND", N_("there is no {path}"), path=wanted[:120])
        if place.kind != "folder":
            raise refused("NOT_A_FOLDER", N_("{path} is no folder"), path=wanted[:120])
        with self.folder(place.names, wanted) as handle:
            return scanned(handle, most)

    @contextmanager
    def folder(self, names: tuple[str, ...], wanted: str) -> Generator[int, None, None]:
        """The handle of a folder, by its names without links."""
        with self._walked((*names, "."), wanted, follow=False) as (handle, _names):
            yield handle

    # ------------------------------------------------------------ changing

    def write(self, wanted: str, data: bytes, *, base: str | None, beside: str = "") -> None:
        """Whole or not at all. `base` is the SHA-256 of what is there; None: nothing may be. `beside`: the name it has
        until it is whole, which a kill leaves (`remove_beside`). Raises ToolError STALE, EXISTS, LINKED, BAD_NAME."""
        place = self.place(wanted)
        if place.facts is None:
            for name in place.names[-1:]:
                check_new_name(name)
        with self._walked(place.names, wanted, follow=False) as (parent, names):
            name = names[-1] if names else ""
            facts = look(parent, name) if name else os.fstat(self._handle)
            if facts is not None:
                refuse_no_file(facts, wanted)
                if base is None:
                    raise refused("EXISTS", N_("{path} is there already"), path=place.text)
                if facts.st_nlink > 1:
                    raise refused("LINKED", N_("{path} has several names (hard links)"), path=place.text)
            elif base is not None:
                raise refused("STALE", N_("{path} is gone since it was read"), path=place.text)
            self._put(parent, name, data, facts, base, place.text, beside or new_beside())

    def _put(
        self, parent: int, name: str, data: bytes, facts: os.stat_result | None, base: str | None, path: str,
        beside: str,
    ) -> None:  # fmt: skip
        handle = os.open(beside, NEW, 0o600, dir_fd=parent)
        try:
            try:
                for begin in range(0, len(data), 1 << 20):
                    write_all(handle, data[begin : begin + (1 << 20)])
                os.fchmod(handle, stat.S_IMODE(facts.st_mode) & 0o777 if facts is not None else 0o666 & ~umask())
                os.fsync(handle)
            finally:
                os.close(handle)
            if base is not None:
                if sha_at(parent, name) != base:
                    raise refused("STALE", N_("{path} has changed since it was read"), path=path)
                os.replace(beside, name, src_dir_fd=parent, dst_dir_fd=parent)
            else:
                put_new(parent, beside, name, path)
            os.fsync(parent)
        except OSError as error:
            raise fault_of(error, path) from error
        finally:
            with suppress(FileNotFoundError):
                os.unlink(beside, dir_fd=parent)

    def make_folder(self, wanted: str) -> list[str]:
        """The folder and those above it as far as they are missing; returns the new ones, outermost first."""
        names = parts_of(wanted, self.path)
        new: list[str] = []
        for end in range(1, len(names) + 1):
            path = "/".join(names[:end])
            if new:  # below a folder that is missing nothing can be there
                check_new_name(names[end - 1])
                new.append(f"{new[-1]}/{names[end - 1]}")
                continue
            place = self.place(path)
            if place.kind == "folder":
                continue
            if place.facts is not None:
                raise refused("NOT_A_FOLDER", N_("{path} is no folder"), path=path)
            check_new_name(place.names[-1])
            new.append(place.text)
        return new

    def add_folder(self, path: str) -> None:
        """One folder, whose parent is there."""
        with self._walked(parts_of(path, self.path), path, follow=False) as (parent, names):
            try:
                os.mkdir(names[-1], 0o777, dir_fd=parent)
            except FileExistsError:
                pass
            except OSError as error:
                raise fault_of(error, path) from error

    def remove_empty(self, path: str) -> bool:
        """Whether it was an empty folder, and is gone."""
        try:
            with self._walked(parts_of(path, self.path), path, follow=False) as (parent, names):
                os.rmdir(names[-1], dir_fd=parent)
        except OSError:
            return False
        return True

    def remove_beside(self, path: str, name: str) -> None:
        """What a kill has left in the folder of `path`."""
        with suppress(ToolError, OSError), self.parent_of(path) as (parent, _name):
            os.unlink(name, dir_fd=parent)

    def remove_file(self, path: str, base: str) -> bool:
        """Whether it was a file of that content, and is gone."""
        with self._walked(parts_of(path, self.path), path, follow=False) as (parent, names):
            if sha_at(parent, names[-1]) != base:
                return False
            os.unlink(names[-1], dir_fd=parent)
        return True

    def move(self, source: str, target: str) -> None:
        """Links are moved, not followed. Nothing is written over. Raises ToolError EXISTS, NOT_FOUND."""
        one, other = self.place(source, follow=False), self.place(target, follow=False)
        self._refuse_move(one, other, source, target)
        with (
            self._walked(one.names, source, follow=False) as (parent, names),
            self._walked(other.names, target, follow=False) as (there, new_names),
        ):
            try:
                rename_new(parent, names[-1], there, new_names[-1])
            except FileExistsError as error:
                raise refused("EXISTS", N_("{path} is there already"), path=other.text) from error
            except OSError as error:
                raise fault_of(error, source) from error

    def _refuse_move(self, one: Place, other: Place, source: str, target: str) -> None:
        if not one.names or not other.names:
            raise refused("BAD_PATH", N_("the folder itself cannot be moved"))
        if one.facts is None:
            raise refused("NOT_FOUND", N_("there is no {path}"), path=source[:120])
        if one.kind == "other":
            raise refused("NOT_A_FILE", N_("{path} is a device or a pipe"), path=source[:120])
        same = other.facts is not None and os.path.samestat(one.facts, other.facts)
        if other.facts is not None and not (same and one.names != other.names and one.kind != "link"):
            raise refused("EXISTS", N_("{path} is there already"), path=other.text)
        if other.names[: len(one.names)] == one.names:
            raise refused("BAD_PATH", N_("a folder cannot be moved into itself"))
        if target:
            check_new_name(other.names[-1])

    @contextmanager
    def parent_of(self, path: str) -> Generator[tuple[int, str], None, None]:
        """Of something by its names, links not followed: the handle of its folder, and its last name."""
        names = parts_of(path, self.path)
        if not names:
            raise refused("BAD_PATH", N_("the folder itself cannot be moved"))
        with self._walked(names, path, follow=False) as (parent, found):
            yield parent, found[-1]

    def sha(self, wanted: str) -> str | None:
        """Of the content of a file; None where there is none."""
        try:
            with self.parent_of(wanted) as (parent, name):
                return sha_at(parent, name)
        except OSError:
            return None


def new_beside() -> str:
    """A name for a file that is not whole yet."""
    return f".{secrets.token_hex(8)}.new"


@contextmanager
def open_root(path: Path) -> Generator[Root, None, None]:
    """Raises ToolError NO_FOLDER where the folder has gone."""
    if os.open not in os.supports_dir_fd:
        raise refused("UNAVAILABLE", N_("this system has no safe way to work in a folder yet"))
    try:
        handle = os.open(path, FOLDER)
    except OSError as error:
        words = N_("the folder {path} cannot be opened: {why}")
        raise refused("NO_FOLDER", words, path=str(path), why=os_words(error)) from error
    try:
        yield Root(path, handle)
    finally:
        os.close(handle)


def walk(root: Root, wanted: str, *, deep: int, most: int) -> Iterator[tuple[str, Entry]]:
    """Everything below a folder with its path, folder by folder and by name; links are told, not followed, and what is
    in folders such as `.git` is left out unless the folder is named."""
    waiting: list[tuple[str, int]] = [(root.place(wanted).text, 0)]
    count = 0
    while waiting:
        path, level = waiting.pop()
        entries, _cut = root.entries(path, most)
        below: list[tuple[str, int]] = []
        for entry in sorted(entries, key=lambda one: (one.kind != "folder", one.name.casefold(), one.name)):
            inner = entry.name if path == "." else f"{path}/{entry.name}"
            count += 1
            if count > most:
                return
            yield inner, entry
            if entry.kind == "folder" and level < deep and is_open(entry.name):
                below.append((inner, level + 1))
        waiting += reversed(below)

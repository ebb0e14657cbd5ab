"""What is done by the handle of an opened folder and a name in it: looked at, written, renamed; no link is followed."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.core.text.i18n import N_
from app.core.text.os_errors import os_words

from .exclusive import rename_exclusively
from .names import refused

FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
FILE = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
Kind = Literal["file", "folder", "link", "other"]


@dataclass(frozen=True, slots=True)
class Entry:
    name: str
    kind: Kind
    size: int
    changed: float
    """Seconds since 1970."""


def fault_of(error: OSError, path: str) -> Exception:
    """What the system said, as the error of a tool."""
    code = {errno.ENOENT: "NOT_FOUND", errno.EEXIST: "EXISTS", errno.ELOOP: "OUTSIDE"}.get(error.errno or 0, "FAILED")
    return refused(code, "{path}: {why}", path=path[:120], why=os_words(error))


def look(handle: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=handle, follow_symlinks=False)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise fault_of(error, name) from error


def refuse_no_file(facts: os.stat_result, wanted: str) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise refused("NOT_A_FILE", N_("{path} is a folder"), path=wanted[:120])
    if not stat.S_ISREG(facts.st_mode):
        raise refused("NOT_A_FILE", N_("{path} is no ordinary file"), path=wanted[:120])


def kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return "link"
    return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"


def scanned(handle: int, most: int) -> tuple[list[Entry], bool]:
    found: list[Entry] = []
    with os.scandir(handle) as listed:
        for one in listed:
            if len(found) >= most:
                return found, True
            try:
                facts = one.stat(follow_symlinks=False)
            except OSError:
                continue
            found.append(Entry(one.name, kind(facts.st_mode), facts.st_size, facts.st_mtime))
    return found, False


def mount_of(handle: int) -> object:
    """Which mounted file system a handle is in: a mount of the same disk at another place has another number."""
    try:
        with Path(f"/proc/self/fdinfo/{handle}").open(encoding="ascii") as lines:
            for line in lines:
                if line.startswith("mnt_id:"):
                    return line
    except OSError:
        pass
    return os.fstat(handle).st_dev


def sha_at(parent: int, name: str) -> str | None:
    """None: no ordinary file."""
    facts = look(parent, name)
    if facts is None or not stat.S_ISREG(facts.st_mode):
        return None
    handle = os.open(name, FILE, dir_fd=parent)
    with os.fdopen(handle, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def put_new(parent: int, beside: str, name: str, path: str) -> None:
    """By a second name, which fails where there is one already; a file system without such names gets a rename."""
    try:
        os.link(beside, name, src_dir_fd=parent, dst_dir_fd=parent, follow_symlinks=False)
    except FileExistsError as error:
        raise refused("EXISTS", N_("{path} is there already"), path=path) from error
    except OSError:
        rename_new(parent, beside, parent, name)


def rename_new(parent: int, name: str, there: int, new_name: str) -> None:
    """Raises FileExistsError where something of that name is there, unless it is the same thing in other letters."""
    entry = look(there, new_name)
    if entry is not None and os.path.samestat(entry, os.stat(name, dir_fd=parent, follow_symlinks=False)):
        os.rename(name, new_name, src_dir_fd=parent, dst_dir_fd=there)
        return
    rename_exclusively(parent, name, there, new_name)


def write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def umask() -> int:
    """Read without changing it for the other threads, where the system tells."""
    try:
        with Path("/proc/self/status").open(encoding="ascii", errors="replace") as lines:
            return next((int(line.split()[1], 8) for line in lines if line.startswith("Umask:")), 0o022)
    except OSError:
        return 0o022

"""The files of a skill, read once and from opened folders: what is looked at and hashed is what is used.

Nothing is followed: every folder is opened by its name in the one above, where the system has such handles.
"""

from __future__ import annotations

import hashlib
import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from app.core.errors import BadInput
from app.core.skills import SKILL_FILE, Skill, read_skill, refused
from app.core.text.hidden import harmless
from app.core.text.i18n import language_key

from .names import alike, check_names

MOST_FILES = 200
LARGEST_FILE = 5_000_000
LARGEST = 20_000_000
"""Bytes of one file, and of a whole skill."""
MOST_SKILLS = 200
_PICKED_LEVELS = 3
"""Names from a picked folder to a skill in it, such as `.agents/skills/minutes`."""
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_CLOEXEC", 0)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FoundSkill:
    """`origin`: shipped, package, own, folder. `state`: ready, new (never looked at), changed (since it was looked at),
    broken (`fault` says why)."""

    name: str
    origin: str
    folder: Path
    skill: Skill | None = None
    files: tuple[str, ...] = ()
    state: str = "ready"
    fault: BadInput | None = None
    sha256: str = ""

    @property
    def title(self) -> str:
        """For a person, in the language of the window; the model, files and commands use the name."""
        return self._worded("title") or self.name

    @property
    def purpose(self) -> str:
        """For a person, in the language of the window; the model reads the description."""
        return self._worded("description") or (self.skill.description if self.skill is not None else "")

    def _worded(self, what: str) -> str:
        """Of `metadata`, and of shipped skills only: what a person agrees to is what the model reads."""
        if self.skill is None or self.origin != "shipped":
            return ""
        return self.skill.metadata.get(f"{what}-{language_key()}", "")


def folders_of(place: Path) -> list[Path]:
    """Links are no skills."""
    try:
        if place.is_symlink() or any(one.is_symlink() for one in list(place.parents)[:2]):
            return []
        listed = sorted(one for one in place.iterdir() if one.is_dir() and not one.is_symlink() and one.name[:1] != ".")
    except OSError:
        return []
    return listed[:MOST_SKILLS]


def found_in(folder: Path, origin: str, *, named_by_itself: bool = False) -> FoundSkill:
    return read_whole(folder, origin, named_by_itself=named_by_itself)[0]


def read_whole(folder: Path, origin: str, *, named_by_itself: bool = False) -> tuple[FoundSkill, dict[str, bytes]]:
    """With the content of every file by its path, SKILL.md among them; nothing of a broken one."""
    name = folder.name if not named_by_itself else ""
    try:
        content = _content(folder, _PICKED_LEVELS if origin == "folder" else 1)
        digest = hashlib.sha256()
        for path in sorted(content):
            digest.update(path.encode() + b"\0" + hashlib.sha256(content[path]).digest())
        skill = read_skill(content[SKILL_FILE].decode("utf-8"))
        if name and skill.name != name:
            raise refused("SKILL_FOLDER", name=skill.name)
    except BadInput as fault:
        return _broken(name, origin, folder, fault), {}
    except (OSError, UnicodeError):
        return _broken(name, origin, folder, refused("SKILL_UNREAD")), {}
    files = tuple(sorted(path for path in content if path != SKILL_FILE))
    return FoundSkill(skill.name, origin, folder, skill, files, sha256=digest.hexdigest()), content


def _broken(name: str, origin: str, folder: Path, fault: BadInput) -> FoundSkill:
    return FoundSkill(harmless(name)[:64] or "?", origin, folder, state="broken", fault=fault)


def put_files(content: dict[str, bytes], target: Path) -> None:
    for path, data in content.items():
        place = target.joinpath(*PurePosixPath(path).parts)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _content(folder: Path, levels: int) -> dict[str, bytes]:
    """Every file by its path below. `levels` names at the end of `folder` must be folders and no links. Raises
    BadInput for links, devices, and more than a skill may hold; OSError."""
    content: dict[str, bytes] = {}
    total = 0
    for above, handle, folders, names in _walked(folder, levels):
        for name in (*folders, *names):
            place = f"{above}/{name}" if above else name
            check_names(place)
            facts = _facts(folder, handle, place, name)
            if stat.S_ISDIR(facts.st_mode):
                continue
            if not stat.S_ISREG(facts.st_mode):
                raise refused("SKILL_LINK", name=place)
            if len(content) > MOST_FILES or total + facts.st_size > LARGEST:
                raise refused("SKILL_LARGE", most=LARGEST)
            content[place] = _read(folder, handle, place, name)
            total += len(content[place])
    if SKILL_FILE not in content:
        raise refused("SKILL_UNREAD")
    if len({alike(one) for one in content}) < len(content):
        raise refused("SKILL_NAMES")
    return content


def _walked(folder: Path, levels: int) -> Iterator[tuple[str, int | None, list[str], list[str]]]:
    """Each folder below by its path, with its handle where the system has one, and the names in it."""
    if os.open not in os.supports_dir_fd:
        for above, folders, names in os.walk(folder, onerror=_fail):
            yield Path(above).relative_to(folder).as_posix().removeprefix("."), None, folders, names
        return
    with _opened(folder, levels) as handle:
        for above, folders, names, inner in os.fwalk(".", onerror=_fail, dir_fd=handle):
            yield above.removeprefix(".").removeprefix("/"), inner, folders, names


@contextmanager
def _opened(folder: Path, levels: int) -> Iterator[int]:
    handle = os.open(folder.parents[levels - 1], _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    try:
        for name in folder.parts[-levels:]:
            inner = os.open(name, _FOLDER, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def _fail(error: OSError) -> None:
    raise error


def _facts(folder: Path, handle: int | None, path: str, name: str) -> os.stat_result:
    if handle is None:
        return folder.joinpath(*PurePosixPath(path).parts).lstat()
    return os.stat(name, dir_fd=handle, follow_symlinks=False)


def _read(folder: Path, handle: int | None, path: str, name: str) -> bytes:
    """Raises OSError, also for a link."""
    if handle is None:
        opened = os.open(folder.joinpath(*PurePosixPath(path).parts), _FILE)
    else:
        opened = os.open(name, _FILE, dir_fd=handle)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise refused("SKILL_LINK", name=path)
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise refused("SKILL_LARGE", most=LARGEST_FILE)
    return data


def unpacked(archive: Path, target: Path) -> Path:
    """The folder with SKILL.md, of a zip whose names and sizes are what a skill may hold. Raises BadInput."""
    target.mkdir(parents=True, exist_ok=True)
    try:
        if archive.stat().st_size > LARGEST:
            raise refused("SKILL_LARGE", most=LARGEST)
        with zipfile.ZipFile(archive) as packed:
            listed = packed.infolist()
            entries = [one for one in listed if not one.is_dir()]
            if (
                len(listed) > 2 * MOST_FILES
                or len(entries) > MOST_FILES
                or sum(one.file_size for one in entries) > LARGEST
            ):
                raise refused("SKILL_LARGE", most=LARGEST)
            for one in entries:
                names = one.filename.split("/")
                is_link = stat.S_ISLNK(one.external_attr >> 16)
                if is_link or one.flag_bits & 1 or any(part in ("", ".", "..") or ":" in part for part in names):
                    raise refused("SKILL_LINK", name=harmless(one.filename)[:80])
                check_names(one.filename)
                place = target.joinpath(*names)
                place.parent.mkdir(parents=True, exist_ok=True)
                with packed.open(one) as source, place.open("xb") as copy:
                    data = source.read(LARGEST_FILE + 1)
                    if len(data) > LARGEST_FILE:
                        raise refused("SKILL_LARGE", most=LARGEST_FILE)
                    copy.write(data)
    except (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError, ValueError) as error:
        raise refused("SKILL_UNREAD") from error
    places = [one.parent for one in target.rglob(SKILL_FILE)]
    if not places:
        raise refused("SKILL_HEAD")
    return min(places, key=lambda one: len(one.parts))

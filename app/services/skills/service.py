"""Skills as a person has them: those that ship, those of the data folder, those of a picked folder.

What comes from elsewhere is looked at before it is used: its files and their hash are kept, and where one of them has
changed since the skill is not loaded until the person looks again.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from app.core.errors import BadInput, ToolError, UnknownName
from app.core.profile import AgentProfile
from app.core.skills import PICKED, SKILL_FILE, Skill, SkillEntry, read_skill, refused
from app.core.text.hidden import harmless
from app.core.text.i18n import N_, language_key

from .names import alike, check_names

MOST_FILES = 200
LARGEST_FILE = 5_000_000
LARGEST = 20_000_000
"""Bytes of one file, and of a whole skill."""
MOST_SKILLS = 200
_PLACES = (".agents/skills", ".claude/skills", ".github/skills")
_CONSENTS = "skills.json"


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


class SkillService:
    def __init__(self, shipped: Path, own: Path, packages: Sequence[Path] = ()) -> None:
        """`own` is in the data folder; it is made by the first import. `packages`: the folders of skills that
        installed packages bring."""
        self._shipped, self._packages, self.own = shipped, tuple(packages), own
        self.listed: list[FoundSkill] = []
        """Those without a picked folder, as `refresh` found them last: for a form that cannot wait."""

    async def refresh(self) -> None:
        self.listed = await asyncio.to_thread(self.skills)

    # ------------------------------------------------------------ which there are

    def skills(self, picked: Path | None = None) -> list[FoundSkill]:
        """By name; touches the disk. One of the data folder is before any other of its name, a shipped one before that
        of a package."""
        consents = self._consents()
        skills: dict[str, FoundSkill] = {}
        packages = [("package", place) for place in self._packages]
        for origin, place in (*packages, ("shipped", self._shipped), ("own", self.own)):
            for folder in _folders(place):
                one = _found(folder, origin)
                if origin != "shipped" and one.state == "ready" and consents.get(one.name) != one.sha256:
                    one = replace(one, state="changed" if one.name in consents else "new")
                skills[one.name] = one
        for name in _PLACES if picked is not None else ():
            assert picked is not None
            for folder in _folders(picked / name):
                one = _found(folder, "folder")
                skills.setdefault(PICKED + one.name, replace(one, name=PICKED + one.name))
        return sorted(skills.values(), key=lambda one: one.name)

    def of_agent(self, profile: AgentProfile, picked: Path | None) -> list[FoundSkill]:
        """Those that are switched on for it and can be used."""
        if not profile.skills:
            return []
        return [
            one for one in self.skills(picked)
            if one.state == "ready" and any(_fits(one.name, pattern) for pattern in profile.skills)
        ]  # fmt: skip

    async def shelf(self, profile: AgentProfile, picked: Path | None) -> Shelf:
        return Shelf(await asyncio.to_thread(self.of_agent, profile, picked))

    def named(self, name: str) -> FoundSkill:
        """Raises UnknownName."""
        listed = {one.name: one for one in self.skills()}
        if name not in listed:
            raise UnknownName("skill", name, listed)
        return listed[name]

    # ------------------------------------------------------------ in and out

    async def look(self, path: Path) -> FoundSkill:
        """What a folder or a zip holds, before anything of it is taken. Raises BadInput."""
        return await asyncio.to_thread(self._looked_at, path)

    def _looked_at(self, path: Path) -> FoundSkill:
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            folder = _unpacked(path, Path(aside)) if path.is_file() else path
            skill = _found(folder, "own", named_by_itself=True)
            if skill.fault is not None:
                raise skill.fault
            return replace(skill, folder=path)

    async def take(self, path: Path, sha256: str) -> FoundSkill:
        """Import what `look` has shown, and only that; an own one of its name is replaced. Raises BadInput."""
        return await asyncio.to_thread(self._taken, path, sha256)

    def _taken(self, path: Path, sha256: str) -> FoundSkill:
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            folder = _unpacked(path, Path(aside) / "zip") if path.is_file() else path
            copy = Path(aside) / "copy"
            skill = _copied(folder, copy)
            copied = _found(copy, "own", named_by_itself=True)
            if copied.sha256 != sha256:
                raise refused("SKILL_CHANGED")
            target = self._put(copy, skill.name)
        self._agree(skill.name, sha256)
        return replace(skill, folder=target)

    def put_unread(self, folder: Path) -> None:
        """Among the own ones without being looked at: it waits for that. Raises BadInput."""
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            skill = _copied(folder, Path(aside) / "copy")
            self._put(Path(aside) / "copy", skill.name)

    def _put(self, copy: Path, name: str) -> Path:
        """The whole folder in place of the one of that name, which is there until the new one is."""
        target, before = self.own / name, self.own / f".{name}.before"
        arriving = self.own / f".{name}.new"
        self.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in (before, arriving):
            shutil.rmtree(left, ignore_errors=True)
        shutil.move(copy, arriving)
        if target.exists():
            target.rename(before)
        arriving.rename(target)
        shutil.rmtree(before, ignore_errors=True)
        return target

    def agree(self, name: str, sha256: str) -> None:
        """The person has looked at it, and it is still what was shown. Raises UnknownName, BadInput."""
        if self.named(name).sha256 != sha256:
            raise refused("SKILL_CHANGED")
        self._agree(name, sha256)

    def write(self, skill: Skill, changed: FoundSkill | None = None) -> FoundSkill:
        """One the person has written here, or made of a conversation. `changed` is the one it was made from: its files
        stay with it, and an own one of another name makes way. Raises BadInput; nothing is written then."""
        text = skill.to_text()
        read_skill(text)
        there = {one.name: one for one in self.skills()}
        if (changed is None or changed.name != skill.name) and skill.name in there:
            raise refused("SKILL_TAKEN", name=skill.name)
        if changed is not None and (changed.name not in there or there[changed.name].sha256 != changed.sha256):
            raise refused("SKILL_CHANGED")
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            copy = Path(aside) / "copy"
            for name in changed.files if changed is not None else ():
                assert changed is not None
                target = copy.joinpath(*PurePosixPath(name).parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(_bytes_of(changed.folder, name))
            copy.mkdir(exist_ok=True)
            (copy / SKILL_FILE).write_bytes(text.encode())
            skill_copy = _found(copy, "own", named_by_itself=True)
            if skill_copy.fault is not None:
                raise skill_copy.fault
            self._put(copy, skill.name)
        self._agree(skill.name, skill_copy.sha256)
        if changed is not None and changed.origin == "own" and changed.name != skill.name:
            self.remove(changed.name)
        return self.named(skill.name)

    def export(self, name: str, target: Path) -> Path:
        """As a zip of a new name."""
        one = self.named(name)
        content = {path: _bytes_of(one.folder, path) for path in (SKILL_FILE, *one.files)}
        with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
            for path, data in content.items():
                archive.writestr(f"{one.name}/{path}", data)
        return target

    def remove(self, name: str) -> None:
        """Raises BadInput for one that ships."""
        one = self.named(name)
        if one.origin == "package":
            raise BadInput(f"{name} belongs to an installed package", reason="SKILL_PACKAGE")
        if one.origin != "own":
            raise BadInput(f"{name} ships with the program", reason="SKILL_SHIPPED")
        shutil.rmtree(one.folder)
        self._agree(name, "")

    # ------------------------------------------------------------ what was looked at

    def _consents(self) -> dict[str, str]:
        try:
            read = json.loads((self.own / _CONSENTS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {str(name): str(sha) for name, sha in read.items()} if isinstance(read, dict) else {}

    def _agree(self, name: str, sha256: str) -> None:
        consents = {**self._consents(), name: sha256}
        consents = {one: sha for one, sha in consents.items() if sha}
        self.own.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = self.own / f"{_CONSENTS}.new"
        beside.write_text(json.dumps(consents, indent=1), encoding="utf-8")
        beside.replace(self.own / _CONSENTS)


class Shelf:
    """The skills of one run, as its tools see them (`core.skills.SkillShelf`)."""

    def __init__(self, skills: Sequence[FoundSkill]) -> None:
        self._skills = {one.name: one for one in skills}

    @property
    def catalogue(self) -> list[SkillEntry]:
        return [SkillEntry(name, one.skill.description) for name, one in self._skills.items() if one.skill is not None]

    def is_ours(self, name: str) -> bool:
        return name in self._skills and self._skills[name].origin == "shipped"

    async def load(self, name: str) -> tuple[Skill, Sequence[str]]:
        one = await asyncio.to_thread(self._now, name)
        assert one.skill is not None, "what is ready could be read"
        return one.skill, one.files

    async def file(self, name: str, path: str) -> str:
        one = await asyncio.to_thread(self._now, name)
        if path not in one.files:
            raise ToolError("NOT_FOUND", N_("the skill {name} has no file {path}"), hint=", ".join(one.files)[:500],
                            values={"name": name, "path": path[:120]})  # fmt: skip
        data = await asyncio.to_thread(_bytes_of, one.folder, path)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ToolError("BINARY", N_("{path} is no text"), values={"path": path[:120]}) from error

    def _now(self, name: str) -> FoundSkill:
        """As it is there now: what has changed since the run began is not what was switched on."""
        listed = self._skills.get(name)
        if listed is None:
            raise ToolError("NOT_FOUND", N_("there is no skill {name}"), hint=", ".join(self._skills)[:500],
                            values={"name": name[:80]})  # fmt: skip
        now = _found(listed.folder, listed.origin)
        if now.sha256 != listed.sha256:
            words = N_("the skill {name} has changed; look at it again first")
            raise ToolError("CHANGED", words, values={"name": name})
        return listed


def _fits(name: str, pattern: str) -> bool:
    """Those of a picked folder are named as such, or not at all."""
    return name.startswith(PICKED) == pattern.startswith(PICKED) and fnmatchcase(name, pattern)


def _folders(place: Path) -> list[Path]:
    """Links are no skills."""
    try:
        if place.is_symlink() or any(one.is_symlink() for one in list(place.parents)[:2]):
            return []
        listed = sorted(one for one in place.iterdir() if one.is_dir() and not one.is_symlink() and one.name[:1] != ".")
    except OSError:
        return []
    return listed[:MOST_SKILLS]


def _copied(folder: Path, copy: Path) -> FoundSkill:
    """Its own files and no others. Raises BadInput."""
    skill = _found(folder, "own", named_by_itself=True)
    if skill.fault is not None:
        raise skill.fault
    for name in (SKILL_FILE, *skill.files):
        target = copy.joinpath(*PurePosixPath(name).parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(_bytes_of(folder, name))
    return skill


def _found(folder: Path, origin: str, *, named_by_itself: bool = False) -> FoundSkill:
    """Reads every file of it once."""
    name = folder.name if not named_by_itself else ""
    display_name = harmless(name)[:64] or "?"
    try:
        files = _files(folder)
        digest = hashlib.sha256()
        for path in sorted((SKILL_FILE, *files)):
            digest.update(path.encode() + b"\0" + hashlib.sha256(_bytes_of(folder, path)).digest())
        skill = read_skill(_bytes_of(folder, SKILL_FILE).decode("utf-8"))
        if name and skill.name != name:
            raise refused("SKILL_FOLDER", name=skill.name)
        return FoundSkill(skill.name, origin, folder, skill, files, sha256=digest.hexdigest())
    except BadInput as fault:
        return FoundSkill(display_name, origin, folder, state="broken", fault=fault)
    except (OSError, UnicodeError):
        return FoundSkill(display_name, origin, folder, state="broken", fault=refused("SKILL_UNREAD"))


def _files(folder: Path) -> tuple[str, ...]:
    """Every file beside SKILL.md, by path. Raises BadInput for links, devices, and more than a skill may hold."""
    found: list[str] = []
    total = 0
    for above, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = Path(above) / name
            facts = path.lstat()
            inside = path.relative_to(folder).as_posix()
            check_names(inside)
            if stat.S_ISDIR(facts.st_mode):
                continue
            if not stat.S_ISREG(facts.st_mode):
                raise refused("SKILL_LINK", name=inside)
            total += facts.st_size
            if facts.st_size > LARGEST_FILE or total > LARGEST or len(found) > MOST_FILES:
                raise refused("SKILL_LARGE", most=LARGEST)
            if inside != SKILL_FILE:
                found.append(inside)
    if len({alike(one) for one in (SKILL_FILE, *found)}) <= len(found):
        raise refused("SKILL_NAMES")
    return tuple(sorted(found))


def _bytes_of(folder: Path, path: str) -> bytes:
    """Raises OSError, also for a link."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(folder.joinpath(*PurePosixPath(path).parts), flags)
    with os.fdopen(handle, "rb") as file:
        data = file.read(LARGEST_FILE + 1)
    if len(data) > LARGEST_FILE:
        raise refused("SKILL_LARGE", most=LARGEST_FILE)
    return data


def _unpacked(archive: Path, target: Path) -> Path:
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

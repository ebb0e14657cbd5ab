"""Skills as a person has them: those that ship, those of the data folder, those of a picked folder.

What comes from elsewhere is looked at before it is used: its files and their hash are kept, and where one of them has
changed since the skill is not loaded until the person looks again.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from app.core.errors import BadInput, ToolError, UnknownName
from app.core.profile import AgentProfile
from app.core.skills import PICKED, SKILL_FILE, Skill, SkillEntry, read_skill, refused
from app.core.text.i18n import N_

from .reading import FoundSkill, folders_of, found_in, put_files, read_whole, unpacked

MOST_PICKED = 50
"""Skills of a picked folder."""
OF_FOLDER = "a skill of the picked folder; the person is asked before it is read"
"""What the model is told of one."""
_PLACES = (".agents/skills", ".claude/skills", ".github/skills")
_CONSENTS = "skills.json"


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
            for folder in folders_of(place):
                one = found_in(folder, origin)
                if origin != "shipped" and one.state == "ready" and consents.get(one.name) != one.sha256:
                    one = replace(one, state="changed" if one.name in consents else "new")
                skills[one.name] = one
        places = [picked / name for name in _PLACES] if picked is not None else []
        for folder in [folder for place in places for folder in folders_of(place)][:MOST_PICKED]:
            one = found_in(folder, "folder")
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
            folder = unpacked(path, Path(aside)) if path.is_file() else path.resolve()
            skill = found_in(folder, "own", named_by_itself=True)
            if skill.fault is not None:
                raise skill.fault
            return replace(skill, folder=path)

    async def take(self, path: Path, sha256: str) -> FoundSkill:
        """Import what `look` has shown, and only that; an own one of its name is replaced. Raises BadInput."""
        return await asyncio.to_thread(self._taken, path, sha256)

    def _taken(self, path: Path, sha256: str) -> FoundSkill:
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            folder = unpacked(path, Path(aside) / "zip") if path.is_file() else path.resolve()
            copy = Path(aside) / "copy"
            skill = _copied(folder, copy)
            if skill.sha256 != sha256:
                raise refused("SKILL_CHANGED")
            target = self._put(copy, skill.name)
        self._agree(skill.name, sha256)
        return replace(skill, folder=target)

    def put_unread(self, folder: Path) -> None:
        """Among the own ones without being looked at: it waits for that. Raises BadInput."""
        with tempfile.TemporaryDirectory(prefix="triptych-skill-") as aside:
            skill = _copied(folder.resolve(), Path(aside) / "copy")
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
            files = self._content_of(changed) if changed is not None else {}
            put_files({**files, SKILL_FILE: text.encode()}, copy)
            skill_copy = found_in(copy, "own", named_by_itself=True)
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
        content = self._content_of(one)
        with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as archive:
            for path, data in content.items():
                archive.writestr(f"{one.name}/{path}", data)
        return target

    @staticmethod
    def _content_of(one: FoundSkill) -> dict[str, bytes]:
        """Every file of it, by path, as it was found. Raises BadInput."""
        now, content = read_whole(one.folder, one.origin)
        if now.sha256 != one.sha256:
            raise refused("SKILL_CHANGED")
        return content

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
        """Of a picked folder the names alone: what somebody put there is read after the person was asked."""
        return [
            SkillEntry(name, OF_FOLDER if one.origin == "folder" else one.skill.description)
            for name, one in self._skills.items() if one.skill is not None
        ]  # fmt: skip

    def is_ours(self, name: str) -> bool:
        return name in self._skills and self._skills[name].origin == "shipped"

    async def load(self, name: str) -> tuple[Skill, Sequence[str]]:
        one, _content = await asyncio.to_thread(self._now, name)
        assert one.skill is not None, "what is ready could be read"
        return one.skill, one.files

    async def file(self, name: str, path: str) -> str:
        one, content = await asyncio.to_thread(self._now, name)
        if path not in one.files:
            raise ToolError("NOT_FOUND", N_("the skill {name} has no file {path}"), hint=", ".join(one.files)[:500],
                            values={"name": name, "path": path[:120]})  # fmt: skip
        try:
            return content[path].decode("utf-8")
        except UnicodeDecodeError as error:
            raise ToolError("BINARY", N_("{path} is no text"), values={"path": path[:120]}) from error

    def _now(self, name: str) -> tuple[FoundSkill, dict[str, bytes]]:
        """With its files as they are there now: what has changed since the run began is not what was switched on."""
        listed = self._skills.get(name)
        if listed is None:
            raise ToolError("NOT_FOUND", N_("there is no skill {name}"), hint=", ".join(self._skills)[:500],
                            values={"name": name[:80]})  # fmt: skip
        now, content = read_whole(listed.folder, listed.origin)
        if now.sha256 != listed.sha256:
            words = N_("the skill {name} has changed; look at it again first")
            raise ToolError("CHANGED", words, values={"name": name})
        return listed, content


def _fits(name: str, pattern: str) -> bool:
    """Those of a picked folder are named as such, or not at all."""
    return name.startswith(PICKED) == pattern.startswith(PICKED) and fnmatchcase(name, pattern)


def _copied(folder: Path, copy: Path) -> FoundSkill:
    """Its own files and no others. Raises BadInput."""
    skill, content = read_whole(folder, "own", named_by_itself=True)
    if skill.fault is not None:
        raise skill.fault
    put_files(content, copy)
    return skill

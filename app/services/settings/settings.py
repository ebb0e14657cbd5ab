"""Preferences and agent profiles: read leniently, kept in memory, written whole.

A built-in profile is a file of the program; a person's changes are stored as a profile of the same id, so that it can
be reset. A change takes effect with the next question.
"""

from __future__ import annotations

import asyncio
import stat
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from app.agent.policy.hook_rules import hooks_of
from app.core.domain import PROFILES, Domain, loaded
from app.core.errors import BadInput, UnknownName
from app.core.preferences import Preferences
from app.core.profile import OLD_NAMES, AgentProfile
from app.core.run.events import Notice
from app.core.setting import Fields, range_fault, read_leniently, stored_values
from app.core.text.toml import read_toml
from app.core.text.value_faults import value_fault
from app.storage.config.profiles import ProfileFiles, is_profile_id
from app.storage.config.settings import SettingsFiles, SettingsProblem
from app.storage.config.toml import updated

from ..changes import Changes
from .profile_faults import first_fault
from .profile_import import taken_of

PREFERENCES = "preferences"
LARGEST_IMPORT = 1024 * 1024


class SettingsService:
    def __init__(self, files: SettingsFiles, profiles: ProfileFiles, builtin: Path) -> None:
        """`builtin` is the folder of the agents that belong to no domain; the others come by `add_domain`."""
        self._files, self._profile_files = files, profiles
        self._domains: dict[str, Domain] = {}
        self._named_by: dict[str, list[Domain]] = {}
        """By the name of a tool: the domains whose agents have it, as they are shipped."""
        self._old_addresses: dict[str, str] = {}
        """Preferences of earlier versions that are endpoints of a domain now, by their old name."""
        self._changes: Changes[None] = Changes()
        self._notices: list[Notice] = []
        self._had_problems = False
        self._preferences = self._load_preferences()
        self._builtin = _load_builtin(builtin)
        self._own = self._load_own()
        self._had_problems = bool(self._notices)

    # ------------------------------------------------------------ preferences

    @property
    def preferences(self) -> Preferences:
        return self._preferences

    async def save_preferences(self, preferences: Preferences) -> None:
        """In force at once; raises what the disk raises, and then nothing has changed."""
        await asyncio.to_thread(self._files.save, PREFERENCES, stored_values(preferences))
        self._preferences = preferences
        self._changes.notify(None)

    def notices(self) -> list[Notice]:
        """What the person should hear at the start: files that could not be read."""
        return list(self._notices)

    def take_notices(self) -> list[Notice]:
        """The same, once."""
        taken, self._notices = self._notices, []
        return taken

    def add_notice(self, notice: Notice) -> None:
        """One more thing the person should hear at the start."""
        self._notices.append(notice)

    @property
    def had_problems(self) -> bool:
        """A file could not be read at this start, or not wholly."""
        return self._had_problems

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._changes.listen(lambda _nothing: listener())

    # ------------------------------------------------------------ profiles

    def add_domain(self, domain: Domain) -> None:
        """Its agents and the services it asks. Raises BadInput for a broken profile or a taken id; then nothing is."""
        if domain.id in self._domains:
            raise BadInput(f"there is a domain {domain.id} already", reason="DOMAIN_TAKEN")
        try:
            added = _load_builtin(domain.resources / PROFILES) if domain.resources else {}
        except ValidationError as error:
            raise BadInput(f"{domain.id}: {value_fault(error).sentence()}", **value_fault(error).params) from error
        if taken := added.keys() & self._builtin.keys():
            raise BadInput(f"there is an agent {min(taken)} already", reason="AGENT_TAKEN")
        self._domains[domain.id] = domain
        for name in {name for profile in added.values() for name in profile.tools}:
            self._named_by.setdefault(name, []).append(domain)
        self._builtin |= {id: one.model_copy(update={"domain": domain.id}) for id, one in added.items()}
        for id in added.keys() & self._own.keys():
            self._own[id] = self._own[id].model_copy(update={"domain": domain.id})
        if not self._old_addresses:
            return
        moved = {one.id: old for one in domain.endpoints if (old := self._old_addresses.get(one.formerly))}
        if moved := {id: old for id, old in moved.items() if id not in self._preferences.endpoints}:
            endpoints = {**self._preferences.endpoints, **moved}
            self._preferences = self._preferences.model_copy(update={"endpoints": endpoints})

    def domain_of(self, profile: AgentProfile) -> Domain | None:
        """None for an agent of no domain, or of one that is not installed any more."""
        return self._domains.get(profile.domain)

    async def loaded_domain(self, profile: AgentProfile) -> Domain | None:
        """The same with its code, which a thread imports where nobody has used it yet."""
        if (domain := self.domain_of(profile)) is not None:
            await loaded((domain,))
        return domain

    def domains_with(self, tool: str) -> Sequence[Domain]:
        """Those that may have a tool of this name: one of their agents names it."""
        return self._named_by.get(tool, ())

    def domain_settings(self, id: str) -> type[BaseModel] | None:
        """The settings that a domain declares for its agents."""
        domain = self._domains.get(id)
        return domain.settings if domain is not None else None

    def domains(self) -> list[Domain]:
        return list(self._domains.values())

    async def loaded_domains(self) -> list[Domain]:
        """All with their code, as `loaded_domain`."""
        await loaded(self.domains())
        return self.domains()

    def profiles(self) -> list[AgentProfile]:
        """Built-in ones first, in their order; the person's own behind them, by name."""
        mine = [profile for id, profile in self._own.items() if id not in self._builtin]
        return [*(self._own.get(id, p) for id, p in self._builtin.items()), *sorted(mine, key=lambda p: p.title)]

    def profile(self, id: str) -> AgentProfile:
        profile = self._own.get(id) or self._builtin.get(id)
        if profile is None:
            raise UnknownName("agent", id, [*self._builtin, *self._own])
        return profile

    def is_builtin(self, id: str) -> bool:
        return id in self._builtin

    def is_changed(self, id: str) -> bool:
        """A built-in profile that the person has changed."""
        return id in self._builtin and id in self._own

    def changed_fields(self, id: str) -> list[str]:
        """Of a built-in profile: what is other than as shipped."""
        if not self.is_changed(id):
            return []
        own, shipped = self._own[id].model_dump(), self._builtin[id].model_dump()
        return [name for name, value in own.items() if value != shipped.get(name)]

    async def save_profile(self, profile: AgentProfile) -> None:
        """A built-in profile that is as shipped again counts as unchanged."""
        if profile.id in self._own and profile == self._builtin.get(profile.id):
            await self._forget(profile.id)
            return
        await asyncio.to_thread(self._profile_files.save, profile.id, _profile_values(profile))
        self._own[profile.id] = profile
        self._changes.notify(None)

    async def reset_profile(self, id: str) -> None:
        """A built-in profile as it was shipped."""
        if id not in self._builtin:
            raise UnknownName("agent", id, self._builtin)
        await self._forget(id)

    async def delete_profile(self, id: str) -> None:
        """Only the person's own; a built-in one can be reset."""
        if id in self._builtin:
            raise BadInput("a built-in agent cannot be deleted", reason="BUILT_IN")
        self.profile(id)
        await self._forget(id)

    async def duplicate_profile(self, id: str) -> AgentProfile:
        """A copy under a new id, without the permissions the original was given."""
        original = self.profile(id)
        names = {language: f"{name} 2" for language, name in original.name.items()} or {"en": f"{id} 2"}
        changes = {"id": self._free_id(id), "name": names, "permissions": (), "flagship": False}
        copy = original.model_copy(update=changes)
        await self.save_profile(copy)
        return copy

    def changed_profile(self, profile: AgentProfile, values: Mapping[str, Any]) -> AgentProfile:
        """The profile with some fields changed for one run. Raises BadInput naming the field."""
        if unknown := values.keys() - AgentProfile.model_fields.keys():
            raise UnknownName("setting", min(unknown), AgentProfile.model_fields)
        if found := range_fault(AgentProfile, values):
            raise BadInput(found.sentence(), **found.params)
        try:
            changed = AgentProfile.model_validate({**profile.model_dump(), **values})
        except ValidationError as error:
            raise BadInput(value_fault(error).sentence(), **value_fault(error).params) from error
        if found := first_fault(changed, values):
            raise BadInput(found.sentence(), **found.params)
        return changed

    # ------------------------------------------------------------ profiles as files

    def profile_text(self, id: str) -> str:
        return updated("", _profile_values(self.profile(id)))

    async def import_profile(self, file: Path) -> tuple[AgentProfile, list[str]]:
        """A profile from a file, under a free id; returns it and the fields that were left out.

        What would grant something – tools, permissions, servers – is never taken over.
        """
        values = await asyncio.to_thread(_read_toml, file)
        titles = {title for profile in self.profiles() for title in profile.name.values()}
        taken = taken_of(values, titles)
        wanted = str(values.get("id") or file.stem).lower()
        id = self._free_id(wanted if is_profile_id(wanted) else "imported")
        if found := range_fault(AgentProfile, taken.fields):
            raise BadInput(f"{file.name}: {found.sentence()}", **found.params)
        try:
            profile = AgentProfile.model_validate({**taken.fields, "id": id})
        except ValidationError as error:
            fault = value_fault(error)
            raise BadInput(f"{file.name}: {fault.sentence()}", **fault.params) from error
        await self.save_profile(profile)
        return profile, taken.left_out

    # ------------------------------------------------------------ reading

    def _load_preferences(self) -> Preferences:
        values, problem = self._files.load(PREFERENCES)
        if problem is not None:
            self._tell_problem(problem)
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        self._old_addresses = {name: text for name, text in texts.items() if name not in Preferences.model_fields}
        preferences, wrong = read_leniently(Preferences, values)
        if wrong:
            self._notices.append(
                Notice("settings_reset", f"wrong values were replaced: {', '.join(wrong)}", {"fields": wrong})
            )
        return preferences

    def _load_own(self) -> dict[str, AgentProfile]:
        found, problems = self._profile_files.load_all()
        for problem in problems:
            self._tell_problem(problem)
        own: dict[str, AgentProfile] = {}
        for id, values in found.items():
            profile, wrong = read_leniently(AgentProfile, {**values, "id": id})
            own[id] = profile
            if wrong:
                text = f"agent {id}: wrong values were replaced: {', '.join(wrong)}"
                self._notices.append(Notice("settings_reset", text, {"agent": id, "fields": wrong}))
            for fault in hooks_of(profile.hooks)[1]:
                why = fault.sentence()
                text = f"agent {id}: a rule before or after tools cannot be read and does nothing ({why})"
                self._notices.append(Notice("rule_left_out", text, {"agent": id, "why": why, "fault": fault.params}))
        return own

    def _tell_problem(self, problem: SettingsProblem) -> None:
        self._notices.append(problem_notice(problem))

    async def _forget(self, id: str) -> None:
        await asyncio.to_thread(self._profile_files.delete, id)
        self._own.pop(id, None)
        self._changes.notify(None)

    def _free_id(self, wanted: str) -> str:
        taken = {*self._builtin, *self._own}
        if wanted not in taken:
            return wanted
        base = wanted[:56]
        return next(f"{base}-{n}" for n in range(2, 10_000) if f"{base}-{n}" not in taken)


def problem_notice(problem: SettingsProblem) -> Notice:
    """What the person is told of a file that could not be read."""
    copy_path = str(problem.aside) if problem.aside else ""
    text = f"{problem.path.name} could not be read ({problem.detail})"
    return Notice(
        "settings_reset",
        f"{text}; it is kept as {copy_path}" if copy_path else text,
        {"file": problem.path.name, "aside": copy_path, "used_copy": problem.used_copy, "reason": problem.code},
    )


def _load_builtin(folder: Path) -> dict[str, AgentProfile]:
    """The shipped profiles; `assistant` first, the others by id. A broken one is our fault and raises."""
    profiles = [AgentProfile.model_validate(_read_toml(path)) for path in sorted(folder.glob("*.toml"))]
    profiles.sort(key=lambda profile: profile.id != "assistant")
    return {profile.id: profile for profile in profiles}


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadInput(
                f"{path.name} is no file", reason="NO_FILE", file=path.name
            )  # a pipe or a device would be read forever
        if path.stat().st_size > LARGEST_IMPORT:
            message = f"{path.name} is larger than {LARGEST_IMPORT} bytes"
            raise BadInput(message, reason="PROFILE_LARGE", most=LARGEST_IMPORT)
        return read_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise BadInput(message, reason="FILE_UNREADABLE", file=path.name) from error
    except ValueError as error:
        raise BadInput(f"{path.name} is not TOML: {error}", reason="NOT_TOML", file=path.name) from error


def _profile_values(profile: AgentProfile) -> Fields:
    """As it is stored; what an old name of a field still says in the file is taken out with it."""
    return stored_values(profile).also(dict.fromkeys(OLD_NAMES))

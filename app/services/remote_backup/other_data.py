"""What a backup holds beside the sessions: settings, providers, agents, skills and knowledge bases.

Not in it: keys and passwords, extra headers and proxies (they may hold some), permissions that were given, consents,
tool servers, and what belongs to one computer. What comes back is added; of two states both are kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import TypeAdapter, ValidationError

from app.core.errors import BadInput, DataDamaged
from app.core.knowledge import KnowledgeBase
from app.core.preferences import Preferences
from app.core.profile import AgentProfile
from app.core.setting import read_leniently
from app.core.skills import SKILL_FILE, read_skill
from app.core.text.i18n import _
from app.storage.knowledge.copying import add_base, check_copy, copy_whole
from app.storage.knowledge.file import KnowledgeFile
from app.storage.knowledge.store import KnowledgeStore

from ..knowledge.service import KnowledgeService
from ..providers.entries import ProviderEntry
from ..providers.service import ProviderService
from ..settings.settings import SettingsService
from ..skills.service import SkillService
from .version import ListedItem

SETTINGS, KNOWLEDGE, SKILLS = "settings.json", "knowledge.db", "skills"
PREFERENCES = "preferences"
OF_THE_COMPUTER = frozenset(
    {
        "export_folder", "serve_window", "serve_port", "keys_in_file", "key_file_first", "welcomed", "proxy",
        "quick_ask_keys", "offline",
    }
)  # fmt: skip
"""Preferences that are not taken to another computer."""
_OF_THE_KEY = ("has_key", "from_environment", "headers", "proxy", "ca_file")
_ENTRY = TypeAdapter(ProviderEntry)


@dataclass(frozen=True, slots=True)
class OtherServices:
    """Who keeps each kind of it here."""

    settings: SettingsService
    providers: ProviderService
    skills: SkillService
    knowledge: KnowledgeService
    knowledge_file: KnowledgeFile


@dataclass(frozen=True, slots=True)
class ItemsHere:
    """What there is here, against what a version lists."""

    states: Mapping[tuple[str, str], str]

    def is_same(self, item: ListedItem) -> bool:
        """Also when it was brought here before, as a copy."""
        return self.states.get((item.kind, item.id)) == item.state or (item.kind, copy_id(item)) in self.states

    def is_new(self, item: ListedItem) -> bool:
        return (item.kind, item.id) not in self.states


class OtherData:
    def __init__(self, services: OtherServices) -> None:
        self._services = services

    async def items(self) -> list[ListedItem]:
        settings = self._settings()
        preferences = settings[PREFERENCES]
        listed = [ListedItem("settings", PREFERENCES, "", _state(preferences))] if preferences else []
        for kind in ("provider", "agent"):
            for one in settings[f"{kind}s"]:
                listed.append(ListedItem(kind, one["id"], _title(one["name"], one["id"]), _state(one)))
        for skill in await asyncio.to_thread(self._services.skills.skills):
            if skill.origin == "own":
                listed.append(ListedItem("skill", skill.name, skill.name, skill.sha256))
        store = KnowledgeStore(self._services.knowledge_file)
        for base in await store.bases():
            files = [[file.path, file.hash, file.passages] for file in await store.files(base.id)]
            listed.append(ListedItem("knowledge", base.id, base.name, _state([base.name, base.sources, files])))
        return listed

    async def here(self) -> ItemsHere:
        return ItemsHere({(one.kind, one.id): one.state for one in await self.items()})

    # ------------------------------------------------------------ out

    async def write(self, aside: Path) -> dict[str, Path]:
        """What goes out, as files in `aside` and in the data folder, by the name each has in a version."""
        settings = aside / SETTINGS
        settings.write_text(json.dumps(self._settings(), ensure_ascii=False, sort_keys=True), encoding="utf-8")
        files = {SETTINGS: settings}
        if await copy_whole(self._services.knowledge_file, aside / KNOWLEDGE):
            files[KNOWLEDGE] = aside / KNOWLEDGE
        for skill in await asyncio.to_thread(self._services.skills.skills):
            if skill.origin == "own" and skill.skill is not None:
                for name in (SKILL_FILE, *skill.files):
                    files[f"{SKILLS}/{skill.name}/{name}"] = skill.folder.joinpath(*PurePosixPath(name).parts)
        return files

    def _settings(self) -> dict[str, Any]:
        settings = self._services.settings
        preferences = settings.preferences.model_dump(mode="json", exclude=set(OF_THE_COMPUTER), exclude_defaults=True)
        own = [one for one in settings.profiles() if not settings.is_builtin(one.id) or settings.is_changed(one.id)]
        providers = [one for one in self._services.providers.providers() if not one.from_environment]
        return {
            PREFERENCES: preferences,
            "agents": [_agent_values(one) for one in own],
            "providers": [_without(asdict(one), _OF_THE_KEY) for one in providers],
        }

    # ------------------------------------------------------------ in

    async def add(self, aside: Path, items: list[ListedItem], computer: str) -> list[ListedItem]:
        """From files that `write` had made; what is here stays as it is. Raises DataDamaged."""
        here = await self.here()
        missing = [one for one in items if not here.is_same(one)]
        settings = await asyncio.to_thread(_read_settings, aside / SETTINGS)
        entries = {kind: {one["id"]: one for one in settings[f"{kind}s"]} for kind in ("provider", "agent")}
        added: list[ListedItem] = []
        bases: list[ListedItem] = []
        for item in missing:
            copy = "" if here.is_new(item) else computer
            if item.kind == "settings":
                is_added = await self._add_preferences(settings[PREFERENCES])
            elif item.kind == "knowledge":
                bases.append(item)
                continue
            elif item.kind == "skill":
                is_added = await asyncio.to_thread(self._add_skill, aside / SKILLS / item.id, item, copy)
            elif item.kind == "agent":
                is_added = await self._add_agent(entries["agent"].get(item.id), item, copy)
            else:
                is_added = await self._add_provider(entries["provider"].get(item.id), item, copy)
            if is_added:
                added.append(item)
        return [*added, *await self._add_bases(aside / KNOWLEDGE, bases, here, computer)]

    async def _add_preferences(self, values: Mapping[str, Any]) -> bool:
        """Those that are at their default here; the others stay."""
        settings = self._services.settings
        own = settings.preferences.model_dump(mode="json", exclude_defaults=True)
        taken = {name: value for name, value in values.items() if name not in own and name not in OF_THE_COMPUTER}
        read, wrong = read_leniently(Preferences, taken)
        changes = {name: getattr(read, name) for name in taken if name in Preferences.model_fields}
        changes = {name: value for name, value in changes.items() if name not in wrong}
        if changes:
            await settings.save_preferences(settings.preferences.model_copy(update=changes))
        return bool(changes)

    async def _add_agent(self, values: Any, item: ListedItem, computer: str) -> bool:
        if values is None:
            return False
        profile, _wrong = read_leniently(AgentProfile, {**values, "id": item.id})
        profile = profile.model_copy(update={"permissions": _only_denied(profile)})
        if computer:
            names = {language: _from(name, computer)[:80] for language, name in profile.name.items()}
            profile = profile.model_copy(update={"id": copy_id(item), "name": names, "flagship": False})
        await self._services.settings.save_profile(profile)
        return True

    async def _add_provider(self, values: Any, item: ListedItem, computer: str) -> bool:
        """Without a key: it is typed here again."""
        try:
            entry = _ENTRY.validate_python(_without(values or {}, _OF_THE_KEY))
            if computer:
                entry = replace(entry, id=copy_id(item), name=_from(entry.name or entry.id, computer)[:80])
            await self._services.providers.save_provider(entry)
        except (ValidationError, BadInput):
            return False  # one this version does not know
        return True

    def _add_skill(self, folder: Path, item: ListedItem, computer: str) -> bool:
        """It is looked at before it is used, as any that comes from elsewhere."""
        if not (folder / SKILL_FILE).is_file():
            return False
        if computer:
            skill = replace(read_skill((folder / SKILL_FILE).read_text("utf-8")), name=copy_id(item))
            (folder / SKILL_FILE).write_text(skill.to_text(), encoding="utf-8")
        self._services.skills.put_unread(folder)
        return True

    async def _add_bases(self, path: Path, items: list[ListedItem], here: ItemsHere, computer: str) -> list[ListedItem]:
        if not items or not await asyncio.to_thread(path.is_file):
            return []
        await asyncio.to_thread(check_copy, path)
        other = KnowledgeFile(path)
        added: list[ListedItem] = []
        try:
            theirs = {base.id: base for base in await KnowledgeStore(other).bases()}
            for item in items:
                if (base := theirs.get(item.id)) is None:
                    continue
                if not here.is_new(item):
                    base = replace(base, id=copy_id(item), name=_from(base.name, computer))
                await self._add_base(other, item.id, base)
                added.append(item)
        finally:
            await other.close()
        return added

    async def _add_base(self, other: KnowledgeFile, id: str, base: KnowledgeBase) -> None:
        # Its folders are those of the other computer: nothing is looked for in them before somebody asks.
        await add_base(self._services.knowledge_file, other, id, replace(base, watched=False))
        self._services.knowledge.tell_changed(base.id)


def place_of(name: str, aside: Path) -> Path:
    """Where a file of a version is put, and nowhere else. Raises DataDamaged."""
    parts = PurePosixPath(name).parts
    is_skill = len(parts) > 2 and parts[0] == SKILLS
    if not (name in (SETTINGS, KNOWLEDGE) or is_skill) or any(one in ("..", "/") or "\\" in one for one in parts):
        raise DataDamaged("the backup names a file that is none of its own", reason="BACKUP_PIECE")
    target = aside.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def copy_id(item: ListedItem) -> str:
    """Of the other state of something that is here: the same each time, so that it comes once."""
    return f"{item.id[:48].rstrip('-')}-{item.state[:8]}"


def scratch(folder: Path) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix=".remote-", dir=folder)


def _read_settings(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text("utf-8"))
        listed = {f"{kind}s": [one for one in values[f"{kind}s"] if "id" in one] for kind in ("agent", "provider")}
        return {PREFERENCES: dict(values[PREFERENCES]), **listed}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataDamaged("the settings of the backup cannot be read", reason="BACKUP_PIECE") from error


def _agent_values(profile: AgentProfile) -> dict[str, Any]:
    values = profile.model_dump(mode="json")
    values["permissions"] = [rule.model_dump(mode="json") for rule in _only_denied(profile)]
    return values


def _only_denied(profile: AgentProfile) -> tuple[Any, ...]:
    """What was allowed is allowed on each computer anew."""
    return tuple(rule for rule in profile.permissions if rule.word != "allow")


def _without(values: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _state(content: Any) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _title(name: Any, id: str) -> str:
    return str(next(iter(name.values()), id)) if isinstance(name, Mapping) else str(name or id)


def _from(name: str, computer: str) -> str:
    return _("{title} (from {computer})").format(title=name, computer=computer)

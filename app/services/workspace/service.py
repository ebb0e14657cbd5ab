"""Which folder a session works in and what its agent may do there.

Kept with the data of the program, not with the session: an exported or copied session brings no folder along.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.core.domain import PermissionPreset
from app.core.errors import BadInput
from app.core.ids import is_temporary
from app.core.profile import AgentProfile
from app.core.stores import DocumentStore
from app.core.workspace import FOLDER_SEAM, DocumentPassages, FolderNotes, FolderSeam, ReadVersions

from ..changes import Changes
from ..settings.settings import SettingsService

KIND = "workspace.folder"
USUAL_PRESET = "build"
_SYSTEM = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/sys", "/usr", "/var",
    "/System", "/Library", "/Applications", "/private", "/cores",
)  # fmt: skip
_OPEN_BELOW = (
    "/var/tmp", "/var/folders", "/private/tmp", "/private/var/folders", "/root", "/run/media", "/run/user", "/dev/shm",  # noqa: S108
)  # fmt: skip
"""Folders of persons that lie in one of those."""


@dataclass(frozen=True, slots=True)
class FolderChoice:
    root: Path | None = None
    preset: str = USUAL_PRESET
    is_another: bool = False
    """The session had another folder before: what it read there is no text of this one."""


class WorkspaceService:
    def __init__(
        self,
        documents: DocumentStore,
        settings: SettingsService,
        *,
        data_dir: Path,
        knowledge: DocumentPassages | None = None,
    ) -> None:
        """`data_dir` can never be picked, nor what it is in."""
        self._documents, self._settings, self._data_dir = documents, settings, data_dir
        self._knowledge = knowledge
        self._temporary: dict[str, FolderChoice] = {}
        """Of sessions that are never stored, and of the one to come ("")."""
        self._versions = ReadVersions()
        self._changes: Changes[str] = Changes()

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` is called with the session whose folder or preset has changed."""
        return self._changes.listen(listener)

    async def ready_for(self, profile: AgentProfile) -> None:
        """Returns when the domain of the agent is loaded: the questions below ask it."""
        await self._settings.loaded_domain(profile)

    def can_have(self, profile: AgentProfile) -> bool:
        domain = self._settings.domain_of(profile)
        return profile.acp is not None or (domain is not None and domain.folder_notes is not None)

    def presets(self, profile: AgentProfile) -> tuple[PermissionPreset, ...]:
        domain = self._settings.domain_of(profile)
        return domain.presets if domain is not None else ()

    # ------------------------------------------------------------ the person's choice

    async def choice(self, session: str) -> FolderChoice:
        if not session or is_temporary(session):
            return self._temporary.get(session, FolderChoice())
        document = await self._documents.get(KIND, session)
        if document is None or not isinstance(body := document.body, Mapping):
            return FolderChoice()
        root = body.get("root")
        return FolderChoice(
            Path(root) if isinstance(root, str) and root else None,
            str(body.get("preset", USUAL_PRESET)),
            body.get("is_another") is True,
        )

    async def pick(self, session: str, folder: Path | None) -> FolderChoice:
        """Raises BadInput for what is no folder, or is one nobody should hand to an agent."""
        root = await asyncio.to_thread(usable_root, folder, self._data_dir) if folder is not None else None
        old = await self.choice(session)
        is_another = old.is_another or (old.root is not None and old.root != root)
        return await self._keep(session, replace(old, root=root, is_another=is_another))

    async def adopt(self, session: str) -> None:
        """What was picked before the session was made is its own from now on."""
        if (chosen := self._temporary.pop("", None)) is not None:
            await self._keep(session, chosen)

    def forget(self, session: str) -> None:
        """A temporary session is over."""
        self._temporary.pop(session, None)

    async def set_preset(self, session: str, preset: str) -> FolderChoice:
        return await self._keep(session, replace(await self.choice(session), preset=preset))

    async def _keep(self, session: str, choice: FolderChoice) -> FolderChoice:
        if not session or is_temporary(session):
            self._temporary[session] = choice
        else:
            body = {
                "root": str(choice.root) if choice.root else "", "preset": choice.preset,
                "is_another": choice.is_another,
            }  # fmt: skip
            await self._documents.put(KIND, session, body)
        self._changes.notify(session)
        return choice

    # ------------------------------------------------------------ for a run

    def preset_of(self, profile: AgentProfile, choice: FolderChoice) -> PermissionPreset | None:
        """None for an agent that has none; an id that is not there any more is the usual one."""
        presets = {one.id: one for one in self.presets(profile)}
        return presets.get(choice.preset) or presets.get(USUAL_PRESET)

    def seams(self, choice: FolderChoice, run: str, resources: Mapping[str, Any]) -> dict[str, Any]:
        """Further fields of `ToolContext`; `resources` are those it would have without."""
        if choice.root is None:
            return {}
        seam = FolderSeam(self._data_dir / "workspace", run, self._versions, self._knowledge)
        return {"workspace": choice.root, "resources": {**resources, FOLDER_SEAM: seam}}

    async def by_hand(self, folder: Path, resources: Mapping[str, Any]) -> dict[str, Any]:
        """The seams for a tool that is called without a session. Raises BadInput as `pick`."""
        root = await asyncio.to_thread(usable_root, folder, self._data_dir)
        return self.seams(FolderChoice(root), "by-hand", resources)

    async def notes(self, profile: AgentProfile, choice: FolderChoice) -> FolderNotes:
        """What the folder says of itself, as data."""
        domain = await self._settings.loaded_domain(profile) if choice.root is not None else None
        if choice.root is None or domain is None or domain.folder_notes is None:
            return FolderNotes()
        return await asyncio.to_thread(domain.folder_notes, choice.root)


def usable_root(folder: Path, data_dir: Path) -> Path:
    """With links followed. Raises BadInput."""
    root = _resolved(folder)
    if root is None:
        raise BadInput(f"{folder} is no folder", reason="NO_FOLDER", path=str(folder))
    home, data = Path.home().resolve(), data_dir.resolve()
    is_system = any(root.is_relative_to(one) for one in _SYSTEM) and not any(
        root.is_relative_to(one) and str(root) != one for one in _OPEN_BELOW
    )
    if root == Path(root.anchor) or root == home or home.is_relative_to(root) or is_system:
        raise BadInput(f"{root} is too wide", reason="FOLDER_TOO_WIDE", path=str(root))
    if root.is_relative_to(data) or data.is_relative_to(root):
        raise BadInput(f"{root} holds the data of the program", reason="FOLDER_OF_DATA", path=str(root))
    return root


def _resolved(folder: Path) -> Path | None:
    """None: no folder."""
    try:
        root = Path(os.path.realpath(folder.expanduser()))
        return root if root.is_dir() else None
    except (OSError, RuntimeError, ValueError):
        return None

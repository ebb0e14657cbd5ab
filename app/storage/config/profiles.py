"""The person's own and changed agent profiles: one TOML file each. `core/profile.py` defines a profile."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.core.errors import BadInput

from .settings import SettingsFiles, SettingsProblem

_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")
_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})
LONGEST_ID = 64


class ProfileFiles:
    """Plain and blocking, like `SettingsFiles`."""

    def __init__(self, folder: Path) -> None:
        self._files = SettingsFiles(folder)

    def ids(self) -> list[str]:
        """Copies and files set aside have a dot in their name and are no profiles."""
        return sorted(path.stem for path in self._files.folder.glob("*.toml") if is_profile_id(path.stem))

    def load_all(self) -> tuple[dict[str, dict[str, Any]], list[SettingsProblem]]:
        """A profile that cannot be read never hides the others."""
        profiles: dict[str, dict[str, Any]] = {}
        problems: list[SettingsProblem] = []
        for id in self.ids():
            values, problem = self._files.load(id)
            if problem is not None:
                problems.append(problem)
            if values:
                profiles[id] = values
        return profiles, problems

    def load(self, id: str) -> tuple[dict[str, Any], SettingsProblem | None]:
        return self._files.load(checked_id(id))

    def save(self, id: str, values: Mapping[str, Any], *, force: bool = False) -> None:
        """As `SettingsFiles.save`."""
        self._files.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._files.save(checked_id(id), values, force=force)

    def delete(self, id: str) -> bool:
        return self._files.delete(checked_id(id))


def is_profile_id(id: str) -> bool:
    """Also a file name on every system."""
    return 0 < len(id) <= LONGEST_ID and _ALLOWED.issuperset(id) and id not in _RESERVED


def checked_id(id: str) -> str:
    if not is_profile_id(id):
        hint = "lower-case letters, digits, - and _, at most 64"
        raise BadInput(f"{id!r} is no profile id", hint=hint, reason="PROFILE_ID", id=id)
    return id

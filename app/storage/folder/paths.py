"""The paths in the user's data folder, readable by the user alone."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .errors import FolderUnusable
from .location_file import read_pointer
from .private import PRIVATE_FOLDER, make_private

How = Literal["named", "moved", "usual"]
"""Why a folder is the data folder: by `--data-dir` or the environment, by the person's choice, by the system."""


def data_dir(chosen: Path | str | None = None) -> Path:
    """`--data-dir`, else TRIPTYCH_DATA_DIR, else where the person moved it, else the place the system has for it."""
    return DataFolder.find(chosen).root


def usual_place() -> Path:
    """The one the system has for it. Where the data was moved from here is in it, see `pointer.py`."""
    from platformdirs import user_data_dir

    return Path(user_data_dir("Triptych", appauthor=False, roaming=False))


@dataclass(frozen=True, slots=True)
class DataFolder:
    """Names only; nothing is made before `create`."""

    root: Path
    how: How = "named"

    @classmethod
    def find(cls, chosen: Path | str | None = None) -> DataFolder:
        if wanted := chosen or os.environ.get("TRIPTYCH_DATA_DIR"):
            return cls(Path(wanted).expanduser().absolute())

        usual = usual_place()
        pointer = read_pointer(usual)
        return cls(pointer.folder, "moved") if pointer and pointer.folder else cls(usual, "usual")

    @property
    def database(self) -> Path:
        return self.root / "sessions.db"

    @property
    def marker(self) -> Path:
        """Says how much the database held; is beside it so that an emptied one is noticed."""
        return self.root / "marker.json"

    @property
    def preferences(self) -> Path:
        return self.root / "preferences.toml"

    @property
    def providers(self) -> Path:
        return self.root / "providers.toml"

    @property
    def profiles(self) -> Path:
        return self.root / "profiles"

    @property
    def mcp(self) -> Path:
        """One file per MCP server."""
        return self.root / "mcp"

    @property
    def mcp_consents(self) -> Path:
        """What was agreed to about them, signed like the grants."""
        return self.root / "mcp-consents.json"

    @property
    def keys(self) -> Path:
        """Only there when the person agreed to keep keys in a file."""
        return self.root / "keys.json"

    @property
    def grants(self) -> Path:
        return self.root / "grants.json"

    @property
    def grants_key(self) -> Path:
        """Signs the grants where there is no keyring."""
        return self.root / "grants.key"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def attachments(self) -> Path:
        return self.root / "attachments"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    def create(self) -> None:
        """Make the folder and its sub-folders, readable by the user alone. Raises FolderUnusable."""
        if self.how == "moved" and not self.root.is_dir():
            # A drive that is not there is no first start.
            raise FolderUnusable(
                f"the data folder {self.root} is not there",
                hint="connect the drive it is on, or choose another folder with --data-dir",
                path=str(self.root),
            )
        try:
            fresh = not self.root.is_dir() or not any(self.root.iterdir())
            self.root.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            # A folder somebody else filled is not ours to close; ours may have been copied by a careless tool.
            if fresh or self.database.exists():
                make_private(self.root, PRIVATE_FOLDER)
            for folder in (self.profiles, self.backups, self.attachments, self.logs):
                folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
                make_private(folder, PRIVATE_FOLDER)
        except OSError as error:
            raise FolderUnusable(
                f"the data folder {self.root} cannot be used: {error.strerror or error}",
                hint="choose another folder with --data-dir",
                path=str(self.root),
            ) from error

"""The language of the preferences, read before any service exists."""

from __future__ import annotations

from app.core.text.toml import read_toml
from app.storage.config.settings import SettingsFiles
from app.storage.folder.paths import DataFolder


def stored_language(data_dir: str | None = None) -> str:
    """ "" if none was chosen, or it cannot be read. Nothing is made, and a damaged file is left to who opens it."""
    try:
        path = SettingsFiles(DataFolder.find(data_dir).root).path("preferences")
        language = read_toml(path.read_text("utf-8")).get("language")
    except (OSError, ValueError):
        return ""
    return language if isinstance(language, str) else ""

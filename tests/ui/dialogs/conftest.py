from __future__ import annotations

from pathlib import Path

import pytest

from app.core.resources import resource_dir
from app.services.settings import SettingsService
from app.storage.profiles import ProfileFiles
from app.storage.settings import SettingsFiles
from tests.ui.dialogs.work import Work


@pytest.fixture
def settings(tmp_path: Path) -> SettingsService:
    """The real service on an empty folder."""
    return SettingsService(SettingsFiles(tmp_path), ProfileFiles(tmp_path), resource_dir() / "profiles")


@pytest.fixture
def work() -> Work:
    return Work()

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.core.resources import resource_dir
from app.domains import BUILTIN
from app.services.settings.settings import SettingsService
from app.storage.config.profiles import ProfileFiles
from app.storage.config.settings import SettingsFiles
from tests.ui.dialogs.work import Work


@pytest.fixture
def settings(tmp_path: Path) -> SettingsService:
    """The real service on an empty folder."""
    service = SettingsService(SettingsFiles(tmp_path), ProfileFiles(tmp_path), resource_dir() / "profiles")
    for domain in BUILTIN:
        service.add_domain(domain)
    return service


@pytest.fixture(autouse=True)
def _no_last_window(qapp: QApplication) -> Iterator[None]:
    """The main window is not there: closing a dialog would end the loop."""
    qapp.setQuitOnLastWindowClosed(False)
    yield
    qapp.setQuitOnLastWindowClosed(True)


@pytest.fixture
def work() -> Work:
    return Work()

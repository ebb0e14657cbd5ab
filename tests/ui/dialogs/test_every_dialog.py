"""What holds for every dialog: it opens in each language and theme, and every control has a name."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QSlider,
    QTableWidget,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.compose import build
from app.core.errors import DataDamaged
from app.core.skills import Skill
from app.core.text.i18n import set_language
from app.services.container import Services
from app.services.mcp.views import StartReview, StartReviewLine
from app.services.providers.service import ProviderEntry, ProviderService
from app.services.settings.settings import SettingsService
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles
from app.ui.dialogs import ask_to_open_link
from app.ui.dialogs.agents.agent_settings import AgentsPage
from app.ui.dialogs.data.bin import BinDialog
from app.ui.dialogs.data.compare_modes import CompareModesDialog
from app.ui.dialogs.data.compare_runs import CompareRunsDialog
from app.ui.dialogs.data.recovery import RecoveryDialog
from app.ui.dialogs.data.try_agent import TryAgentDialog
from app.ui.dialogs.data.usage import UsagePage
from app.ui.dialogs.data.window import DataPage
from app.ui.dialogs.mcp.add import AddServer
from app.ui.dialogs.mcp.review import McpReviewSheet
from app.ui.dialogs.mcp.window import ServersPage
from app.ui.dialogs.preferences.first_run import Example, FirstRunPage
from app.ui.dialogs.preferences.permissions import PermissionsPage
from app.ui.dialogs.preferences.preferences import PreferencesPage
from app.ui.dialogs.providers.model_settings import ProviderModelsDialog
from app.ui.dialogs.providers.pick_preset import PresetSheet
from app.ui.dialogs.providers.window import ProvidersPage
from app.ui.dialogs.skills.editor import SkillEditor
from app.ui.dialogs.skills.page import SkillsPage
from app.ui.theme import Scheme, Theme
from tests.local_network import OFFLINE
from tests.ui import heard, screen
from tests.ui.dialogs.agents import Choices, Titles
from tests.ui.dialogs.test_agent_settings import TOOLS
from tests.ui.dialogs.work import Work

Make = Callable[[Theme], QWidget]
REVIEW = StartReview(
    "x", "Files", "stdio", (StartReviewLine("program", "/bin/x"), StartReviewLine("argument", "-y", "new")), "f",
    is_first=False, unpinned="y", open_to_others=("/bin/x",), missing=("KEY",),
)  # fmt: skip
CONTROLS = (
    QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QListWidget, QPlainTextEdit, QSlider, QTableWidget,
)  # fmt: skip


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Services]:
    services = build(tmp_path / "data", {})
    await services.open()
    yield services
    await services.close()


@pytest.fixture
def makers(
    settings: SettingsService,
    opened: Services,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    work: Work,
    qtbot: QtBot,
) -> dict[str, Make]:
    store = SecretStore(tmp_path / "keys", find=lambda: None)
    providers = ProviderService(SettingsFiles(tmp_path), store, environ={}, network=OFFLINE)

    async def nothing() -> list[ProviderEntry]:
        return []

    monkeypatch.setattr(providers.probes, "discover", nothing)
    host = QWidget()
    qtbot.addWidget(host)
    services = opened
    return {
        "agents": lambda theme: AgentsPage(settings, TOOLS, Choices(), theme, spawn=work),
        "preferences": lambda theme: PreferencesPage(settings, ["a/b"], theme, spawn=work),
        "providers": lambda theme: ProvidersPage(providers, settings, theme, spawn=work),
        "mcp": lambda theme: ServersPage(services.mcp, services.providers, services.settings, theme, spawn=work),
        "mcp_paste": lambda theme: AddServer(services.mcp.pasting, theme),
        "mcp_review": lambda theme: McpReviewSheet(REVIEW, theme),
        "link": lambda theme: ask_to_open_link(host, theme, "https://example.org", open_url=lambda _url: True),
        "data": lambda theme: DataPage(
            services.data_folder,
            services.backups,
            theme,
            spawn=work,
            checks=services.checks,
        ),
        "bin": lambda theme: BinDialog(services.sessions, services.backups, theme, spawn=work),
        "recovery": lambda theme: RecoveryDialog(services.backups, DataDamaged("damaged"), theme, spawn=work),
        "usage": lambda theme: UsagePage(services.runs, theme, spawn=work, titles=Titles()),
        "compare_modes": lambda theme: CompareModesDialog(services.compare, "assistant", theme, spawn=work),
        "try_agent": lambda theme: TryAgentDialog(services.batches, "assistant", ["a/b"], theme, spawn=work),
        "compare_runs": lambda theme: CompareRunsDialog(services.runs, theme, spawn=work, title_of=lambda row: row.id),
        "skills": lambda theme: SkillsPage(services.skills, ["read_file"], theme, spawn=work),
        "skill editor": lambda theme: SkillEditor(theme, Skill("probe", "what for", "Do it."), ["read_file"]),
        "permissions": lambda theme: PermissionsPage(services.grants, theme, spawn=work, titles=Titles()),
        "prices": lambda theme: ProviderModelsDialog(
            ProviderEntry("mine", base_url="http://127.0.0.1:1/v1", models=("a", "b")), services.providers, theme
        ),
        "first page": lambda theme: _around(
            FirstRunPage(theme, providers.presets(), [Example("travel", "Travel", "map", "To Beijing?", True)])
        ),
        "presets": lambda theme: PresetSheet(providers.presets(), theme, host),
    }


@pytest.fixture
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.mark.usefixtures("_english_again")
@pytest.mark.parametrize(("scheme", "language"), [("light", "zh_CN"), ("dark", "en")])
async def test_each_opens_and_every_control_has_a_name(
    makers: dict[str, Make], work: Work, scheme: Scheme, language: str
) -> None:
    set_language(language)
    faults: list[str] = []
    for name, make in makers.items():
        before = set(QApplication.allWidgets())
        dialog = make(Theme(scheme, 1.25))
        _open(dialog)
        await work.settled()
        faults += [f"{name}: {fault}" for fault in _faults(dialog, before)]
        if shiboken6.isValid(dialog):
            dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert faults == []


def _faults(dialog: QWidget, before: set[QWidget]) -> Iterator[str]:
    if dialog.grab().isNull():
        yield "nothing is painted"
    controls = _controls(dialog)
    yield from (f"without a name: {nameless}" for control in controls if (nameless := _nameless(control)))
    yield from map(str, heard.faults(dialog))
    for one in QApplication.allWidgets():
        if one not in before and one.parentWidget() is None and isinstance(one, CONTROLS):
            yield f"in no window: {one}"
    for one in controls:
        if one.isVisible() and one.isEnabled() and (why := screen.why_not(one)):
            yield f"{one}: {why}"


@pytest.mark.parametrize(("width", "height"), [(1366, 728), (1280, 680)], ids=["1366x768", "1920x1080 at 150 %"])
async def test_each_fits_on_a_small_screen(
    makers: dict[str, Make], work: Work, monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    """What is left of such a screen beside a panel; the window's frame takes its part."""
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: QRect(0, 0, width, height))
    beyond: dict[str, tuple[int, int]] = {}
    for name, make in makers.items():
        dialog = make(Theme("light", 1.0))
        _open(dialog)
        await work.settled()
        if dialog.width() > width or dialog.height() > height - 30:
            beyond[name] = (dialog.width(), dialog.height())
        if shiboken6.isValid(dialog):
            dialog.deleteLater()
    assert not beyond


def _open(dialog: QWidget) -> None:
    if not isinstance(dialog, QDialog):
        dialog.resize(1000, 640)  # a page, with the room it has in the window of the settings
    elif not dialog.isVisible():
        dialog.open()
    dialog.show()


def _around(page: QWidget) -> QDialog:
    dialog = QDialog()
    QVBoxLayout(dialog).addWidget(page)
    return dialog


def _controls(dialog: QWidget) -> list[QWidget]:
    return [
        control
        for control in dialog.findChildren(QWidget)
        if isinstance(control, CONTROLS) and not control.objectName().startswith("qt_")
    ]


def _nameless(control: QWidget) -> str:
    if isinstance(control, QLineEdit) and isinstance(control.parent(), QComboBox):
        return ""  # the combo box has the name
    if isinstance(control, QAbstractButton) and control.parent().__class__.__name__.startswith("QTable"):
        return ""  # the corner of a table
    text = control.text() if isinstance(control, QAbstractButton) else ""
    return "" if control.accessibleName() or text else repr(control)

"""Which program this is: version, what it runs on, where its data is – to be copied into a report."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.system.version import version
from app.core.text.i18n import _
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.updates.service import UpdateService


class AboutPage(SettingsPage):
    def __init__(
        self, theme: Theme, data: Path, updates: UpdateService, *, spawn: Spawn, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("aboutPage")
        self._facts = [
            (_("Version"), version()),
            ("Python", platform.python_version()),
            ("Qt", f"{qVersion()} (PySide6 {_version('PySide6-Essentials')})"),
            (_("System"), f"{platform.system()} {platform.release()} ({platform.machine()})"),
            (_("Data folder"), str(data)),
            (_("Licence"), _version_field("triptych", "license_expression") or "MIT"),
        ]
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(3))
        grid.setVerticalSpacing(theme.space(1))
        grid.setColumnStretch(1, 1)
        for row, (title, text) in enumerate(self._facts):
            value = SafeLabel(text, elide=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(SafeLabel(title, role="meta"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        self.copy_button = QPushButton(_("Copy for a report"))
        self.copy_button.setObjectName("copyAbout")
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(self._copy)
        self._updates = updates
        self.check_button = QPushButton(_("Check for updates"))
        self.check_button.setObjectName("checkUpdates")
        self.check_button.setAutoDefault(False)
        self.check_button.setEnabled(bool(updates.address))
        self.check_button.clicked.connect(starting(spawn, self.check))
        self.result = SafeLabel(
            _("Asked only when you do; nothing is installed.")
            if updates.address
            else _("No update feed is set: Settings, Network and privacy."),
            role="meta",
        )
        self.result.setWordWrap(True)
        self.result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        foot = FlowRow(theme.space(1))
        foot.add(self.copy_button)
        foot.add(self.check_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(4), theme.space(3), theme.space(4), theme.space(3))
        layout.setSpacing(theme.space(2))
        layout.addWidget(SafeLabel("Triptych", role="title"))
        layout.addLayout(grid)
        layout.addWidget(foot)
        layout.addWidget(self.result)
        layout.addStretch(1)

    async def check(self) -> None:
        self.check_button.setEnabled(False)
        self.result.setText(_("Asking…"))
        try:
            state = await self._updates.check()
        except TriptychError as error:
            text = fault_text(error)
        else:
            text = _("{version} is the newest release.").format(version=state.here)
            if state.is_newer:
                words = _("{version} is there, released {day}; this is {here}.")
                feed = state.feed
                text = words.format(version=feed.release, day=feed.released, here=state.here)
                text = "\n".join(part for part in (text, feed.notes, feed.page) if part)
        if shiboken6.isValid(self):
            self.result.setText(text)
            self.check_button.setEnabled(True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(f"{title}: {text}" for title, text in self._facts))


def _version(name: str) -> str:
    return _version_field(name, "version") or "–"


def _version_field(name: str, field: str) -> str:
    """ "" where the package has no metadata, as in some bundles."""
    try:
        fields = dict(metadata.metadata(name).json.items())
        return str(fields.get(field, ""))
    except metadata.PackageNotFoundError:
        return ""

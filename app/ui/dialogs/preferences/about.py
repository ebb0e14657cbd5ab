"""Which program this is: version, what it runs on, where its data is – to be copied into a report."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel


class AboutPage(SettingsPage):
    def __init__(self, theme: Theme, data: Path, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self.setObjectName("aboutPage")
        self._facts = [
            (_("Version"), _version("triptych")),
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
            value = SafeLabel(text)
            value.setWordWrap(True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(SafeLabel(title, role="meta"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(value, row, 1)
        self.copy_button = QPushButton(_("Copy for a report"))
        self.copy_button.setObjectName("copyAbout")
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(self._copy)
        foot = QHBoxLayout()
        foot.addWidget(self.copy_button)
        foot.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(4), theme.space(3), theme.space(4), theme.space(3))
        layout.setSpacing(theme.space(2))
        layout.addWidget(SafeLabel("Triptych", role="title"))
        layout.addLayout(grid)
        layout.addLayout(foot)
        layout.addStretch(1)

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

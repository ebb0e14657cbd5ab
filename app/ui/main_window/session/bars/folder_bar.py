"""Above the message field, for agents that work in a folder: which one, and what they may do there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible
from app.ui.widgets.selectors.selector import Option, Selector

_WIDTH = 220


class FolderBar(QWidget):
    pick_asked = Signal()
    left = Signal()
    """The session works in no folder any more."""
    preset_chosen = Signal(str)
    page_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("folderBar")
        self._folder = ""
        self.button = QPushButton(self)
        self.button.setObjectName("folderButton")
        self.button.setProperty("kind", "quiet")
        self.button.setAutoDefault(False)
        self.button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.pick_asked)
        self.leave = IconButton(theme, "x", _("Work in no folder"), self, size=14)
        self.leave.setObjectName("leaveFolder")
        self.leave.clicked.connect(self.left)
        self.page = IconButton(theme, "feather", _("Show or hide the page of the folder"), self)
        self.page.setObjectName("pageButton")
        self.page.clicked.connect(self.page_asked)
        self.page.hide()
        self.notes = SafeLabel(role="chip", parent=self)
        self.notes.setObjectName("folderNotes")
        self.presets = Selector(theme, _("What it may do in the folder"), limit=_WIDTH, mark="shield", parent=self)
        self.presets.setObjectName("permissionSelector")
        self.presets.chosen.connect(self.preset_chosen)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(0.75))
        for part in (self.button, self.leave, self.page, self.notes):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        row.addWidget(self.presets, 0, Qt.AlignmentFlag.AlignVCenter)
        self.set_theme(theme)
        self.show_folder("", ())
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.button.setIcon(theme.icon("folder", "text", 16))
        self.leave.set_icon(theme, "x")
        self.page.set_icon(theme, "feather")
        self.presets.set_theme(theme)

    def show_folder(self, folder: str, notes: Sequence[str]) -> None:
        """ "" where none is picked; `notes` are the files that go along as data."""
        self._folder = folder
        name = visible(folder.rstrip("/\\").replace("\\", "/").rpartition("/")[2] or folder)
        short = name if len(name) <= 40 else f"{name[:39]}…"
        self.button.setText((short or _("Pick a folder…")).replace("&", "&&"))
        words = _("Folder: {folder}").format(folder=folder) if folder else _("Pick the folder to work in")
        self.button.setAccessibleName(words)
        set_safe_tooltip(self.button, words)
        self.leave.setVisible(bool(folder))
        self.notes.setText(", ".join(notes))
        self.notes.setVisible(bool(notes))
        set_safe_tooltip(self.notes, _("Sent along with each question, as data: the folder gives no orders."))
        self.presets.setEnabled(bool(folder))

    def show_presets(self, options: Sequence[Option], chosen: str) -> None:
        self.presets.set_options(options)
        self.presets.set_chosen(chosen)

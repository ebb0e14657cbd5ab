"""A file that a tool wrote: what it is and where, to open, to show in its folder, to save elsewhere.

A path in a card is data and may come from an import: it is looked at away from the window's thread and only where it is
a plain path of this machine, and what could run is never opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path, PureWindowsPath
from typing import Any, Protocol

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import N_, _
from app.core.tools.card_markdown import as_text
from app.core.wording.figures import bytes_text
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, visible

_KINDS: Mapping[str, tuple[str, str]] = {
    "ics": ("calendar", N_("Calendar")),
    "gpx": ("map", N_("GPX track")),
    "geojson": ("map", N_("Map data")),
    "md": ("file", N_("Markdown")),
    "txt": ("file", N_("Text")),
    "html": ("globe", N_("Web page")),
    "pdf": ("file", N_("PDF")),
    "docx": ("file", N_("Word document")),
    "csv": ("table", N_("CSV table")),
    "xlsx": ("table", N_("Excel table")),
    "json": ("code", N_("JSON")),
    "png": ("image", N_("Picture")),
    "jpg": ("image", N_("Picture")),
    "svg": ("image", N_("Picture")),
    "epub": ("book", N_("E-book")),
    "zip": ("archive", N_("Archive")),
}
"""By suffix: icon and name. Only these are opened: nothing of them runs."""
_NARROW = 560


class FileDeeds(Protocol):
    """What the window does with a file."""

    def open(self, path: Path) -> None: ...
    def show(self, path: Path) -> None: ...
    def save_as(self, path: Path) -> None: ...


def readable_path(given: object) -> Path | None:
    """A plain whole path of this machine; None for a share of another one, whose name alone would go out."""
    text = as_text(given)
    if not text or "\0" in text or text.startswith(("\\\\", "//")) or PureWindowsPath(text).drive.startswith("\\\\"):
        return None
    path = Path(text)
    return path if path.is_absolute() else None


def can_open(path: Path) -> bool:
    return path.suffix.casefold().removeprefix(".") in _KINDS


class FileCard(QWidget):
    def __init__(self, payload: Mapping[str, Any], theme: Theme, deeds: FileDeeds | None) -> None:
        super().__init__()
        self._path, self._theme = readable_path(payload.get("path")), theme
        name = as_text(payload.get("name")) or (self._path.name if self._path else "")
        suffix = (self._path or Path(name)).suffix.casefold().removeprefix(".")
        icon, kind = _KINDS.get(suffix, ("file", N_("File")))
        self.setMinimumHeight(theme.space(6))
        self.setAccessibleName(visible(name))
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(theme.space(1.5))
        tile = SafeLabel(role="tile")
        tile.setFixedSize(theme.space(5), theme.space(5))
        tile.setAlignment(Qt.AlignmentFlag.AlignCenter)
        tile.setPixmap(theme.pixmap(icon, "accent", 20, ratio=max(1.0, self.devicePixelRatioF())))
        box.addWidget(tile)
        words = QVBoxLayout()
        words.setSpacing(0)
        self.name = SafeLabel(name, role="strong", elide=True)
        words.addWidget(self.name)
        self.about = SafeLabel(_about(payload, _(kind), self._path), role="meta", elide=True)
        words.addWidget(self.about)
        box.addLayout(words, 1)
        self._buttons: list[tuple[QWidget, QWidget]] = []
        if self._path is not None and deeds is not None:
            self._add_buttons(box, self._path, deeds)
            self._look(self._path)

    def _add_buttons(self, box: QHBoxLayout, path: Path, deeds: FileDeeds) -> None:
        if can_open(path):
            opens = QPushButton(_("Open"))
            opens.setObjectName("openFile")
            opens.setAutoDefault(False)
            opens.clicked.connect(partial(deeds.open, path))
            box.addWidget(opens)
            self._buttons.append((opens, opens))
        for name, icon, text, deed in (
            ("showFile", "folder", _("Show in folder"), deeds.show),
            ("saveFileAs", "download", _("Save as…"), deeds.save_as),
        ):
            wide = QPushButton(text)
            wide.setProperty("kind", "quiet")
            wide.setAutoDefault(False)
            wide.setIcon(self._theme.icon(icon, "text"))
            small = IconButton(self._theme, icon, text)
            for button in (wide, small):
                button.setObjectName(name)
                button.clicked.connect(partial(deed, path))
                box.addWidget(button)
            self._buttons.append((wide, small))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= _NARROW * self._theme.zoom
        for wide, small in self._buttons:
            if wide is not small:
                wide.setVisible(is_wide)
                small.setVisible(not is_wide)

    # ------------------------------------------------------------ is it there

    def _look(self, path: Path) -> None:
        check = _Check(path, self)
        check.told.answer.connect(self._show_gone)
        QThreadPool.globalInstance().start(check)

    def _show_gone(self, is_there: bool) -> None:
        if is_there:
            return
        self.name.setEnabled(False)
        self.about.setText(_("The file was moved or deleted"))
        for wide, small in self._buttons:
            wide.setEnabled(False)
            small.setEnabled(False)


class _Told(QObject):
    answer = Signal(bool)


class _Check(QRunnable):
    def __init__(self, path: Path, parent: QObject) -> None:
        super().__init__()
        self._path, self.told = path, _Told(parent)

    def run(self) -> None:
        try:
            is_there = self._path.is_file()
        except OSError:
            is_there = False
        try:
            self.told.answer.emit(is_there)
        except RuntimeError:
            return  # the card is gone


def _about(payload: Mapping[str, Any], kind: str, path: Path | None) -> str:
    words = [kind]
    size = payload.get("bytes")
    if note := as_text(payload.get("note")):
        words.append(note)
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        words.append(bytes_text(size))
    if path is not None:
        words.append(path.parent.name or str(path.parent))
    return " · ".join(words)

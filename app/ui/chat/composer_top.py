"""The upper edge of the composer: what goes along with the message, and whether it changes an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.attachment_chip import SIDE, AttachmentChip
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spoken_role import Role, speak_as

if TYPE_CHECKING:
    from app.ui.render.parts.pictures import PictureLoader

_COLUMNS = 2


@dataclass(frozen=True, slots=True)
class ComposerFile:
    """What goes along with the message."""

    name: str
    note: str = ""
    """How much is in it."""
    picture: str = ""
    """The address of a picture that was kept."""
    tokens: int = 0
    """An estimate."""


class ComposerTop(QWidget):
    remark_closed = Signal()
    file_removed = Signal(int)
    """Its place in the list."""
    file_opened = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = ""
        self._files: tuple[ComposerFile, ...] = ()
        self._pictures: PictureLoader | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, theme.space(0.5), 0)
        self._layout.setSpacing(theme.space(0.75))
        self._body: QWidget | None = None
        self.hide()

    def set_remark(self, text: str) -> None:
        self._words = text
        self._renew()

    def set_files(self, files: Sequence[ComposerFile], pictures: PictureLoader | None) -> None:
        self._files, self._pictures = tuple(files), pictures
        self._renew()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._renew()

    def _renew(self) -> None:
        if self._body is not None:
            self._layout.removeWidget(self._body)
            self._body.hide()
            self._body.deleteLater()
            self._body = None
        self.setVisible(bool(self._words or self._files))
        if not (self._words or self._files):
            return
        self._body = QWidget(self)
        box = QVBoxLayout(self._body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self._theme.space(0.75))
        if self._words:
            box.addLayout(self._remark())
        if self._files:
            grid = QGridLayout()
            grid.setSpacing(self._theme.space(0.75))
            for number, file in enumerate(self._files):
                grid.addWidget(self._chip(number, file), number // _COLUMNS, number % _COLUMNS)
            for column in range(_COLUMNS):
                grid.setColumnStretch(column, 1)
            box.addLayout(grid)
        self._layout.addWidget(self._body)
        self._body.show()

    def _remark(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1))
        row.addWidget(SafeLabel(self._words, role="meta", elide=True), 1)
        close = IconButton(self._theme, "x", _("Do not change it"), size=14)
        close.setObjectName("cancelEdit")
        close.clicked.connect(self.remark_closed)
        row.addWidget(close)
        return row

    def _chip(self, number: int, file: ComposerFile) -> _Chip:
        chip = _Chip(self._theme, file, self._pictures)
        chip.removed.connect(partial(self.file_removed.emit, number))
        chip.opened.connect(partial(self.file_opened.emit, number))
        return chip


class _Chip(AttachmentChip):
    """Looked into by a press or by Enter, taken away by its button or by Delete."""

    def __init__(self, theme: Theme, file: ComposerFile, pictures: PictureLoader | None) -> None:
        super().__init__(theme, file.name, file.note, removable=True)
        speak_as(self, Role.Button)
        self._address, self._pictures = file.picture, pictures
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleDescription(_("Enter shows it, Delete removes it"))
        if file.picture:
            self.picture_ready()

    def picture_ready(self) -> None:
        picture = self._pictures.picture(self._address, SIDE, self) if self._pictures else None
        if picture is not None:
            self.set_image(picture.image)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

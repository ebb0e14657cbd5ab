"""The upper edge of the composer: what goes along with the message, and whether it changes an earlier one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.core.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_COLUMNS = 2


class ComposerTop(QWidget):
    remark_closed = Signal()
    file_removed = Signal(int)
    """Its place in the list."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = ""
        self._names: tuple[tuple[str, str], ...] = ()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, theme.space(0.5), 0)
        self._layout.setSpacing(theme.space(0.75))
        self._body: QWidget | None = None
        self.hide()

    def set_remark(self, text: str) -> None:
        self._words = text
        self._renew()

    def set_files(self, names: Sequence[tuple[str, str]]) -> None:
        """Name and what is in it, for each."""
        self._names = tuple(names)
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
        self.setVisible(bool(self._words or self._names))
        if not (self._words or self._names):
            return
        self._body = QWidget(self)
        box = QVBoxLayout(self._body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self._theme.space(0.75))
        if self._words:
            box.addLayout(self._remark())
        if self._names:
            grid = QGridLayout()
            grid.setSpacing(self._theme.space(0.75))
            for number, (name, note) in enumerate(self._names):
                grid.addWidget(self._chip(number, name, note), number // _COLUMNS, number % _COLUMNS)
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
        close.clicked.connect(lambda _checked=False: self.remark_closed.emit())
        row.addWidget(close)
        return row

    def _chip(self, number: int, name: str, note: str) -> QFrame:
        theme = self._theme
        chip = QFrame()
        chip.setProperty("card", "plain")
        chip.setAccessibleName(_("Attachment: {name}").format(name=name))
        row = QHBoxLayout(chip)
        row.setContentsMargins(theme.space(1), 0, theme.space(0.25), 0)
        row.setSpacing(theme.space(0.75))
        mark = SafeLabel("")
        mark.setPixmap(theme.pixmap("file", "muted", 14, ratio=self.devicePixelRatioF()))
        words = SafeLabel(name, elide=True)
        set_safe_tooltip(words, f"{name}\n{note}")
        remove = IconButton(theme, "x", _("Remove {name}").format(name=name), size=13)
        remove.clicked.connect(lambda _checked=False: self.file_removed.emit(number))
        row.addWidget(mark)
        row.addWidget(words, 1)
        row.addWidget(SafeLabel(note, role="meta"))
        row.addWidget(remove)
        return chip

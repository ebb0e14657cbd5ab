"""Long cards show their beginning first: a card with a thousand lines must not stop the chat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import ngettext
from app.ui.theme import Theme

Item = TypeVar("Item")
AT_FIRST = 24
AT_ONCE = 200


def shortened(
    items: Sequence[Item], make: Callable[[list[Item]], QWidget], theme: Theme, *, at_first: int = AT_FIRST
) -> QWidget:
    """`make` builds the widget of some items; the rest follows on request, `AT_ONCE` at a time."""
    if len(items) <= at_first + 1:
        return make(list(items))
    return _Shortened(list(items), make, theme, at_first)


class _Shortened(QWidget):
    def __init__(self, items: list[Item], make: Callable[[list[Item]], QWidget], theme: Theme, at_first: int) -> None:
        super().__init__()
        self._left = items[at_first:]
        self._make = make
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space(0.5))
        self._column.addWidget(make(items[:at_first]))
        self.button = QPushButton()
        self.button.setProperty("kind", "link")
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self._show_more)
        self._column.addWidget(self.button)
        self._tell()

    def _show_more(self) -> None:
        part, self._left = self._left[:AT_ONCE], self._left[AT_ONCE:]
        self._column.insertWidget(self._column.count() - 1, self._make(part))
        self._tell()

    def _tell(self) -> None:
        count = len(self._left)
        self.button.setText(ngettext("Show {n} more", "Show {n} more", count).format(n=count))
        self.button.setVisible(count > 0)

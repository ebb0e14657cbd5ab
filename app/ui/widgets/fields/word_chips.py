"""A list of words as chips: a press takes one out, those that may still come in are beside them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools import finite
from app.core.wording.arguments import reference_words
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import set_safe_tooltip, visible

_MOST_OFFERED = 24


class WordChips(QWidget):
    """Its text is the list as JSON, "" while nothing is in it and nothing was; or one reference that gives the list."""

    changed = Signal()

    def __init__(self, theme: Theme, choices: Sequence[str], text: str) -> None:
        super().__init__()
        self._theme, self._choices = theme, choices
        self._words: list[str] = []
        self._reference = ""
        self._was_given = False
        self.chips: list[QPushButton] = []
        self.offers: list[QPushButton] = []
        self._place = QWidget()
        self._flow = FlowLayout(theme.space(0.5), self._place)
        self.field = WordField()
        self.field.setPlaceholderText(_("Add…"))
        self.field.setMinimumWidth(theme.space(16))
        self.field.typed.connect(self._add)
        self.field.taken_back.connect(self._take_last)
        self.setFocusProxy(self.field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.space(0.5))
        column.addWidget(self._place)
        column.addWidget(self.field)
        self.field.setVisible(not choices)
        if choices:
            self.setFocusProxy(None)  # type: ignore[arg-type]  # the chips are what is pressed
        self.set_text(text)

    def text(self) -> str:
        if self._reference:
            return self._reference
        return json.dumps(self._words, ensure_ascii=False) if self._words or self._was_given else ""

    def set_text(self, text: str) -> None:
        try:
            read = finite.loads(text) if text.strip() else []
        except (ValueError, RecursionError):
            read = None
        words = read if isinstance(read, list) and all(isinstance(one, str) for one in read) else None
        self._words = list(words or ())
        self._reference = "" if words is not None else text
        self._was_given = bool(text.strip())
        self._arrange()
        self.changed.emit()

    def _arrange(self) -> None:
        had_focus = any(one.hasFocus() for one in (*self.chips, *self.offers))
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.chips = [self._chip(place, word) for place, word in enumerate(self._words)]
        offers = [one for one in self._choices if one not in self._words][:_MOST_OFFERED]
        self.offers = [self._offer(word) for word in offers]
        for button in (*self.chips, *self.offers):
            self._flow.addWidget(button)
            button.show()
        self._place.setVisible(bool(self.chips or self.offers))
        if had_focus and (first := next(iter((*self.chips, *self.offers)), None)) is not None:
            first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.updateGeometry()

    def _chip(self, place: int, word: str) -> QPushButton:
        words = reference_words(word)
        label = visible(f"← {words}" if words else word)
        return self._button(f"{label}  ×", "reference", _("Take out {word}").format(word=label), self._remove, place)

    def _offer(self, word: str) -> QPushButton:
        label = visible(word)
        return self._button(f"+ {label}", "offer", _("Add {word}").format(word=label), self._add, word)

    def _button(self, text: str, kind: str, name: str, slot: Callable[[Any], None], value: Any) -> QPushButton:
        button = QPushButton(text.replace("&", "&&"), self._place)
        button.setProperty("kind", kind)
        button.setAutoDefault(False)
        button.setAccessibleName(name)
        set_safe_tooltip(button, name)
        button.clicked.connect(partial(_press, slot, value))
        return button

    def _add(self, word: str) -> None:
        for one in word.replace("、", ",").replace("，", ",").split(",") if word not in self._choices else [word]:
            if one.strip() and one.strip() not in self._words:
                self._words.append(one.strip())
        self._told()

    def _remove(self, place: int) -> None:
        del self._words[place]
        self._told()

    def _take_last(self) -> None:
        if self._words:
            self._remove(len(self._words) - 1)

    def _told(self) -> None:
        self._was_given = True
        self._arrange()
        self.changed.emit()


class WordField(QLineEdit):
    """Enter, or leaving it, makes a chip of what is written; Backspace in the empty field takes the last one back."""

    typed = Signal(str)
    taken_back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.editingFinished.connect(self._finish)

    def _finish(self) -> None:
        if text := self.text().strip():
            self.clear()
            self.typed.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace and not self.text():
            self.taken_back.emit()
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # the card around it must not run by it


def _press(slot: Callable[[Any], None], value: Any, _checked: bool = False) -> None:
    slot(value)

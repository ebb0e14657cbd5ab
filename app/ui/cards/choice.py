"""A question with its options: each is a button that says it in the person's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QElapsedTimer, QSize, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings
from app.ui.cards.lists import listing
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible

Answer = Callable[[str], None]
"""Takes the words of an option."""

_MOST = 50
_LONGEST = 20_000
"""Characters of one text that are laid out; copying takes all of them."""
_LONGEST_SAID = 300
"""Characters of an option that is a button: nobody says in one press what they could not read at a glance."""


def choice(payload: Mapping[str, Any], theme: Theme, answer: Answer | None = None) -> QWidget:
    """`answer` takes the words of the option that was pressed; without it the options are text."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.5 if answer is None else 1))
    if question := as_text(payload.get("question")):
        column.addWidget(_text(question))
    once = _Once(answer)
    for number, option in enumerate(mappings(payload, "options")[:_MOST], 1):
        label = as_text(option.get("label")) or as_text(option.get("id"))
        note = as_text(option.get("note"))
        label_words = " ".join(visible(label).split())
        if answer is not None and label_words and len(label_words) <= _LONGEST_SAID:
            button = OptionButton(theme, number, label_words, note)
            button.clicked.connect(partial(once, label_words))
            column.addWidget(button)
            continue
        column.addWidget(_text(f"{number}. {label}"))
        if note:
            column.addWidget(_text(note, "meta"))
    return holder if column.count() else listing(payload, theme)


class OptionButton(QPushButton):
    """As high as its words need: they wrap."""

    def __init__(self, theme: Theme, number: int, said: str, note: str) -> None:
        super().__init__()
        self.setObjectName(f"option{number}")
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(said)
        tooltip = _("Says: {words}").format(words=said)
        self.setAccessibleDescription(" · ".join(filter(None, (visible(note)[:_LONGEST_SAID], tooltip))))
        set_safe_tooltip(self, tooltip)
        box = QVBoxLayout(self)
        box.setContentsMargins(theme.space(1.25), theme.space(0.75), theme.space(1.25), theme.space(0.75))
        box.setSpacing(theme.space(0.25))
        for words, role in ((f"{number}. {said}", ""), (note, "meta")):
            if words:
                label = _text(words, role)
                label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
                label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
                box.addWidget(label)

    def sizeHint(self) -> QSize:
        layout = self.layout()
        return layout.sizeHint() if layout is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        return layout.minimumSize() if layout is not None else super().minimumSizeHint()


class _Once:
    """A double click says it once."""

    def __init__(self, answer: Answer | None) -> None:
        self._answer, self._since = answer, QElapsedTimer()

    def __call__(self, words: str) -> None:
        if self._since.isValid() and self._since.elapsed() < QApplication.doubleClickInterval():
            return
        self._since.start()
        if self._answer is not None:
            self._answer(words)


def _text(words: str, role: str = "") -> SafeLabel:
    label = SafeLabel(words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…", role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label

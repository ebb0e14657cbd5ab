"""The line above an answer: the agent, when, in which mode, and the way to another one; and the words below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.wording.figures import seconds_text
from app.ui.chat.rows.base import HoverBar, RowTools, RowView, VariantBar, height_of, icon_label
from app.ui.chat.rows.items import AssistantRow, Variant
from app.ui.chat.rows.mode_chip import AgainButtons, ModeChip
from app.ui.chat.rows.row_actions import AskAgainIn
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_LONGEST_NAME, _SHORTEST_NAME = 32, 8
"""Grid steps; a longer name would push out how the answer came about, a shorter one says nobody's."""


class AnswerHeader(QWidget):
    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, tools: RowTools, item: AssistantRow) -> None:
        super().__init__(parent)
        self.again: AgainButtons | None = None
        theme = tools.theme
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(theme.space(1))
        box.addWidget(icon_label(self, theme, item.icon, "accent"))
        name = SafeLabel(item.agent, self, role="strong", elide=True)
        name.setMaximumWidth(theme.space(_LONGEST_NAME))
        name.setMinimumWidth(min(name.sizeHint().width(), theme.space(_SHORTEST_NAME)))
        box.addWidget(name)
        time = SafeLabel(item.time, self, role="meta")
        others = [] if item.busy else [one for one in item.actions if isinstance(one.what, AskAgainIn)]
        if item.mode:
            chip = ModeChip(self, theme, item.mode, others, icon=item.mode_icon)
            chip.action.connect(self.action)
            if item.mode_reason:
                set_safe_tooltip(chip, item.mode_reason)
            box.addWidget(chip, 0, Qt.AlignmentFlag.AlignVCenter)
        box.addWidget(time)
        if item.mode and others:
            self.again = AgainButtons(self, theme, others)
            self.again.action.connect(self.action)
            box.addWidget(self.again, 0, Qt.AlignmentFlag.AlignVCenter)
        box.addStretch(1)
        if item.busy and item.mode_reason:
            box.addWidget(SafeLabel(item.mode_reason, self, role="meta", elide=True))

    def wanted(self, width: int) -> int:
        del width
        return max(24, height_of_layout(self))


def height_of_layout(widget: QWidget) -> int:
    layout = widget.layout()
    return layout.sizeHint().height() if layout is not None else height_of(widget, widget.width())


def head_of(item: AssistantRow) -> tuple[object, ...]:
    others = () if item.busy else tuple(one for one in item.actions if isinstance(one.what, AskAgainIn))
    return item.agent, item.icon, item.time, item.mode, item.mode_icon, item.mode_reason, item.busy, others


def outcome_words(item: AssistantRow) -> str:
    if item.busy:
        return ""
    words = [item.stop_reason]
    if item.seconds is not None:
        words.append(seconds_text(item.seconds))
    if item.tokens is not None:
        words.append(_("{n} tokens").format(n=f"{item.tokens:,}"))
    return " · ".join(word for word in words if word)


class AnswerFoot:
    """Which of its variants is shown, how it ended, and the buttons of the row."""

    def __init__(self, row: RowView, tools: RowTools) -> None:
        self._row, self._theme = row, tools.theme
        self._words = SafeLabel("", row, role="meta", elide=True)
        self._variant: Variant | None = None
        self._variants: VariantBar | None = None

    def show_item(self, item: AssistantRow) -> None:
        self._words.setText(outcome_words(item))
        if item.variant == self._variant:
            return
        self._variant = item.variant
        if self._variants is not None:
            self._variants.hide()
            self._variants.deleteLater()
            self._variants = None
        if item.variant is not None:
            self._variants = VariantBar(self._row, self._theme, item.variant)
            self._variants.action.connect(self._row.action)
            self._variants.show()

    def place(self, y: int, width: int, buttons: HoverBar, bar: int) -> int:
        """From `y` on; `bar` is the width of the buttons. The height it takes."""
        space, top = self._theme.space, y
        height, start = space(3.5), 0
        if self._variants is not None:
            start = self._variants.sizeHint().width()
            self._variants.setGeometry(-space(0.5), y + space(0.25), start, height)
        words = self._words.sizeHint().width() if self._words.full_text() else 0
        if words and start + words + space(1) + bar > width:
            # How it ended is never cut for the sake of the buttons: they have a line of their own.
            self._words.setGeometry(start, y + space(0.25), min(words, width - start), height)
            start, words = 0, 0
            y += height
        else:
            self._words.setGeometry(start, y + space(0.25), words, height)
        # Without words before it the icon of the first button lines up with the text.
        left = start + words + space(1) if start + words else -space(0.75)
        return y - top + buttons.place(left, y + space(0.25), min(bar, width - left), height)

"""One line for the work behind an answer: what was done, how long it took, and the way to its steps."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _, ngettext
from app.core.wording.figures import seconds_text
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spinner import Spinner

from .base import RowTools, icon_label
from .items import AssistantRow
from .layout import AnswerLayout

TICK = 100
"""Milliseconds between two readings of the clock while the run goes on."""


class WorkLine(QPushButton):
    """The whole line is the button: a click or Space unfolds the steps below it."""

    def __init__(self, parent: QWidget, tools: RowTools) -> None:
        super().__init__(parent)
        theme = self._theme = tools.theme
        self.setObjectName("workLine")
        self.setProperty("kind", "fold")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(theme.space(4))
        self._began: float | None = None
        self._words = ""
        self._look: tuple[object, ...] = ()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK)
        self._tick.timeout.connect(self._show_time)
        self._box = QHBoxLayout(self)
        self._box.setContentsMargins(0, 0, theme.space(1), 0)
        self._box.setSpacing(theme.space(1))
        self._mark: QWidget = QWidget(self)
        self._label = _quiet(SafeLabel("", self, role="meta"))
        self._chevron: QWidget = QWidget(self)
        self._box.addWidget(self._mark)
        self._box.addWidget(self._label)
        self._box.addWidget(self._chevron)
        self._box.addStretch(1)

    def show_work(self, item: AssistantRow, layout: AnswerLayout, *, is_open: bool) -> None:
        self._began = item.began if item.busy else None
        self._words = item.status or _("Working") if item.busy else _done(item, layout)
        state = "busy" if item.busy else "failed" if layout.failed else "done"
        look = (state, is_open, bool(layout.work))
        if look != self._look:
            self._look = look
            self._set_mark(state)
            chevron = "chevron-down" if is_open else "chevron-right"
            arrow = icon_label(self, self._theme, chevron, "muted", 14) if layout.work else QWidget(self)
            self._chevron = self._swap(self._chevron, arrow)
            self.setEnabled(bool(layout.work))
        self.setAccessibleDescription(_("Fold") if is_open else _("Show the steps"))
        self._show_time()
        self._follow_clock()

    def _set_mark(self, state: str) -> None:
        if state == "busy":
            spinner = Spinner(self._theme, self)
            self._mark = self._swap(self._mark, spinner)
            return
        icon = ("alert", "warn") if state == "failed" else ("check", "ok")
        self._mark = self._swap(self._mark, icon_label(self, self._theme, *icon))

    def _swap(self, old: QWidget, new: QWidget) -> QWidget:
        self._box.replaceWidget(old, new)
        old.hide()
        old.deleteLater()
        new.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        new.show()
        return new

    def _show_time(self) -> None:
        words = self._words
        if self._began is not None:
            words = f"{words} · {seconds_text(time.monotonic() - self._began)}"
        self._label.setText(words)
        self.setAccessibleName(self._words)

    def _follow_clock(self) -> None:
        if self._began is not None and self.isVisible():
            self._tick.start()
        else:
            self._tick.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_clock()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._tick.stop()


def _done(item: AssistantRow, layout: AnswerLayout) -> str:
    count = len(layout.calls)
    words = []
    if layout.rounds:
        words.append(ngettext("Reflected {n} round", "Reflected {n} rounds", layout.rounds).format(n=layout.rounds))
    if count:
        done = ngettext("{n} look-up", "{n} look-ups", count).format(n=count)
        if layout.failed:
            done = _("{done}, {failed} failed").format(done=done, failed=layout.failed)
        words.append(done)
    if not words:
        words.append(_("Steps"))
    if item.seconds is not None:
        words.append(seconds_text(item.seconds))
    return " · ".join(words)


def _quiet(label: SafeLabel) -> SafeLabel:
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return label

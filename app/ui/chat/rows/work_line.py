"""One line for the work behind an answer: what was done, how long it took, and the way to its steps."""

from __future__ import annotations

import time
from math import ceil

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.core.text.i18n import _, ngettext
from app.core.wording.figures import seconds_text
from app.core.wording.tools import calls_text
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spinner import Spinner

from .base import RowTools, icon_label
from .items import AssistantRow, Pause
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
        self._pause: Pause | None = None
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
        self._label.setObjectName("workWords")
        self._chevron: QWidget = QWidget(self)
        self._box.addWidget(self._mark)
        self._box.addWidget(self._label)
        self._bar = _Bar(theme, self)
        self._bar.hide()
        self._has_share = False
        self._box.addWidget(self._bar)
        self._box.addWidget(self._chevron)
        self._box.addStretch(1)

    def show_work(self, item: AssistantRow, layout: AnswerLayout, *, is_open: bool) -> None:
        self._began, self._pause = (item.began, item.pause) if item.busy else (None, None)
        work = item.work
        self._words = _doing(item) if item.busy else _done(item)
        ended = "failed" if work is not None and work.failures else "done"
        state = ("waits" if item.waits else "busy") if item.busy else ended
        self._has_share = item.busy and work is not None and work.count > 0
        if work is not None and work.count:
            self._bar.show_share(max(0, work.step - 1) / work.count)
        look = (state, is_open, bool(layout.work))
        if look != self._look:
            self._look = look
            self._set_mark(state)
            chevron = "chevron-down" if is_open else "chevron-right"
            arrow = icon_label(self, self._theme, chevron, "muted", 14) if layout.work else QWidget(self)
            self._chevron = self._swap(self._chevron, arrow)
            # Not disabled, which would grey the mark: there is nothing to unfold yet, that is all.
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not layout.work)
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if layout.work else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(_("Fold") if is_open else _("Show the steps"))
        self._show_time()
        self._show_bar()
        self._follow_clock()

    def _show_bar(self) -> None:
        """Where there is room for it beside the words, which say the same."""
        wide = self._label.sizeHint().width() + self._bar.width() + 6 * self._theme.space(1)
        self._bar.setVisible(self._has_share and self.width() >= wide + self._theme.space(2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_bar()

    def _set_mark(self, state: str) -> None:
        if state == "busy":
            spinner = Spinner(self._theme, self)
            self._mark = self._swap(self._mark, spinner)
            return
        icon = {"waits": ("shield", "warn"), "failed": ("alert", "warn")}.get(state, ("check", "ok"))
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
            passed = time.monotonic() - self._began
            if self._pause is not None and (left := min(self._pause.until - passed, self._pause.seconds)) > 0:
                words = f"{words} · " + _("in {n} s").format(n=ceil(left))
            words = f"{words} · {seconds_text(passed)}"
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


def _doing(item: AssistantRow) -> str:
    words = item.status or _("Working")
    if item.work is not None and item.work.count:
        place = _("step {step} of {count}").format(step=max(1, item.work.step), count=item.work.count)
        words = f"{words} · {place}"
    return words


def _done(item: AssistantRow) -> str:
    work, words = item.work, []
    if work is not None and work.rounds:
        words.append(ngettext("Reflected {n} round", "Reflected {n} rounds", work.rounds).format(n=work.rounds))
    if work is not None and work.tools:
        done = calls_text(work.tools)
        words.append(_("{done}, {failed} failed").format(done=done, failed=work.failures) if work.failures else done)
    if not words:
        words.append(_("Work"))
    if work is not None and work.seconds:
        words.append(seconds_text(work.seconds))
    return " · ".join(words)


class _Bar(QWidget):
    """How much of the steps is done, where their number is known."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._share = theme, 0.0
        self.setFixedSize(theme.space(12), theme.space(0.5))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_share(self, share: float) -> None:
        if share != self._share:
            self._share = share
            self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole, radius = QRectF(self.rect()), self.height() / 2
        painter.setBrush(self._theme.color("hover"))
        painter.drawRoundedRect(whole, radius, radius)
        painter.setBrush(self._theme.color("accent"))
        whole.setWidth(whole.width() * self._share)
        painter.drawRoundedRect(whole, radius, radius)


def _quiet(label: SafeLabel) -> SafeLabel:
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    return label

"""The game card: one big step at a time, for a parent on the floor with one hand free.

The safety box and the stop signs stand above every step and are never folded. The timer only counts: it ends nothing, a
game ends when the child turns away.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings, texts
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel

TOUCH = 5.5
"""Steps of the grid a button is high at least, so that a thumb finds it."""
TICK = 1_000


def activity(payload: Mapping[str, Any], theme: Theme) -> QWidget:
    return ActivityBody(payload, theme)


class ActivityBody(QWidget):
    def __init__(self, payload: Mapping[str, Any], theme: Theme) -> None:
        super().__init__()
        self._payload, self._theme = payload, theme
        self._steps = mappings(payload, "steps")
        self._place, self._variant = 0, ""
        labels = payload.get("labels")
        self._labels: Mapping[str, Any] = labels if isinstance(labels, Mapping) else {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space(1.5))
        safety = [*texts(payload, "safety"), *(_finding(one) for one in mappings(payload, "findings"))]
        self._column.addWidget(self._box("safety", safety))
        self._column.addWidget(self._box("stop_signs", texts(payload, "stop_signs")))
        self._column.addWidget(_label(as_text(payload.get("goal"))))
        self._column.addWidget(_label(self._needs(), "meta"))
        self._step = QVBoxLayout()
        self._step.setSpacing(theme.space(1))
        self._column.addLayout(self._step)
        self._column.addLayout(self._moves())
        self._column.addWidget(_label(f"{self._word('calm_down')}: {as_text(payload.get('calm_down'))}"))
        self._column.addWidget(_label(self._word("disclaimer"), "meta"))
        self._started: float | None = None
        self._spent = 0.0
        self._clock = QTimer(self)
        self._clock.setInterval(TICK)
        self._clock.timeout.connect(self._show_time)
        self._show_step()
        self._show_time()

    # ------------------------------------------------------------ parts

    def _moves(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1))
        self.back = self._button(_("Back"), "activityBackButton")
        self.next = self._button(_("Next step"), "activityNextButton")
        self.timer = self._button("", "activityTimerButton")
        self.back.clicked.connect(lambda: self._go(-1))
        self.next.clicked.connect(lambda: self._go(1))
        self.timer.clicked.connect(self._start_or_pause)
        row.addWidget(self.back)
        row.addWidget(self.next)
        row.addStretch(1)
        row.addWidget(self.timer)
        return row

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setMinimumHeight(self._theme.space(TOUCH))
        button.setAccessibleName(text)
        return button

    def _box(self, name: str, lines: list[str]) -> QWidget:
        box = QFrame()
        box.setProperty("card", "plain")
        box.setObjectName("activitySafety" if name == "safety" else "activityStopSigns")
        column = QVBoxLayout(box)
        column.setContentsMargins(*(self._theme.space(1),) * 4)
        column.addWidget(_label(self._word(name), "strong"))
        for line in lines:
            column.addWidget(_label(f"• {line}"))
        return box

    def _needs(self) -> str:
        names = []
        for one in mappings(self._payload, "materials"):
            instead = as_text(one.get("instead"))
            names.append(as_text(one.get("name")) + (f" ({instead})" if instead else ""))
        return f"{self._word('materials')}: " + " · ".join(names) if names else ""

    def _word(self, name: str) -> str:
        return as_text(self._labels.get(name, name))

    # ------------------------------------------------------------ one step

    def _go(self, by: int) -> None:
        self._place = max(0, min(len(self._steps) - 1, self._place + by))
        self._variant = ""
        self._show_step()

    def _show_step(self) -> None:
        while (item := self._step.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        self.back.setEnabled(self._place > 0)
        self.next.setEnabled(self._place < len(self._steps) - 1)
        if not self._steps:
            return
        step = self._steps[self._place]
        head = _("Step {n} of {total}").format(n=self._place + 1, total=len(self._steps))
        self._step.addWidget(_label(f"{head} · {as_text(step.get('title'))}", "strong"))
        text = as_text(step.get(self._variant)) or as_text(step.get("text"))
        self._step.addWidget(_label(text, "title"))
        for words in texts(step, "say"):
            self._step.addWidget(_label(f"{self._word('say')}: “{words}”", "strong"))
        if watch := texts(step, "watch"):
            self._step.addWidget(_label(f"{self._word('watch')}: " + " · ".join(watch), "meta"))
        if refuses := as_text(step.get("refuses")):
            self._step.addWidget(_label(f"{self._word('refuses')}: {refuses}", "meta"))
        self._step.addWidget(self._variants(step))
        self.updateGeometry()

    def _variants(self, step: Mapping[str, Any]) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        for name in ("easier", "harder"):
            if as_text(step.get(name)):
                button = self._button(self._word(name), f"activity{name.title()}Button")
                button.setCheckable(True)
                button.setChecked(self._variant == name)
                button.clicked.connect(lambda _on=False, name=name: self._vary(name))
                row.addWidget(button)
        row.addStretch(1)
        return holder

    def _vary(self, name: str) -> None:
        self._variant = "" if self._variant == name else name
        self._show_step()

    # ------------------------------------------------------------ the timer

    def _start_or_pause(self) -> None:
        if self._started is None:
            self._started = time.monotonic()
            self._clock.start()
        else:
            self._spent += time.monotonic() - self._started
            self._started = None
            self._clock.stop()
        self._show_time()

    def _show_time(self) -> None:
        running = self._started
        seconds = int(self._spent + (time.monotonic() - running if running is not None else 0.0))
        planned = as_text(self._payload.get("minutes"))
        shown = f"{seconds // 60}:{seconds % 60:02d}" + (f" / {planned}:00" if planned else "")
        word = _("Pause") if running is not None else _("Timer")
        self.timer.setText(f"{word} {shown}")
        self.timer.setAccessibleName(f"{word} {shown}")


def _finding(one: Mapping[str, Any]) -> str:
    return f"{as_text(one.get('message'))}: {as_text(one.get('fix'))}"


def _label(text: str, role: str = "") -> SafeLabel:
    label = SafeLabel(text, role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if not text:
        label.hide()
    return label

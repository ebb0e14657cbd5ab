"""The game card: one big step at a time, for a parent on the floor with one hand free.

The safety box with the stop signs stands above every step and is never folded. The timer only counts: it ends nothing,
a game ends when the child turns away. Where somebody is, and what runs, is kept by `Timers`: the row of the card may go
out of sight and be built again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text, mappings, texts
from app.ui.cards.parts.timers import CardTimer, ShownTimer, Timers, timer_of
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowLayout
from app.ui.widgets.safe_text import SafeLabel

TOUCH = 5.5
"""Steps of the grid a button is high at least, so that a thumb finds it."""


def activity(payload: Mapping[str, Any], theme: Theme, timers: Timers | None = None) -> QWidget:
    return ActivityBody(payload, theme, timers)


class ActivityBody(QWidget):
    touch_height = TOUCH
    """Of the buttons below it as well, in steps of the grid."""

    def __init__(self, payload: Mapping[str, Any], theme: Theme, timers: Timers | None) -> None:
        super().__init__()
        self._payload, self._theme = payload, theme
        self._timers = timers or Timers(self)
        self._steps = mappings(payload, "steps")
        self._id = as_text(payload.get("id")) or as_text(payload.get("title"))
        self._place, self._furthest = self._timers.place(self._id)
        self._place = min(self._place, max(0, len(self._steps) - 1))
        self._variant = ""
        labels = payload.get("labels")
        self._labels: Mapping[str, Any] = labels if isinstance(labels, Mapping) else {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.space(1.5))
        safety = self._safety()
        self._column.addWidget(safety)
        self._timer = timer_of(payload)
        if self._timer is not None:
            self._column.addLayout(self._clock(self._timer))
            sentence = f"{self._word('stop_signs')}: {' · '.join(texts(payload, 'stop_signs'))}"
            self._timers.show(ShownTimer(self._timer, as_text(payload.get("title")), sentence, safety, self._time))
        else:
            self._add_before()
        self._step = QVBoxLayout()
        self._step.setSpacing(theme.space(1))
        self._column.addLayout(self._step)
        self._column.addLayout(self._moves())
        self._add_after()
        self._column.addWidget(_label(self._word("disclaimer"), "meta"))
        self._show_step()

    def values(self) -> dict[str, Any]:
        """For the button that ends the game."""
        return {"steps_done": list(range(1, min(self._furthest + 1, len(self._steps)) + 1))}

    # ------------------------------------------------------------ parts

    def _safety(self) -> QWidget:
        box = QFrame()
        box.setProperty("card", "warn")
        box.setObjectName("activitySafety")
        box.setAccessibleName(self._word("safety"))
        grid = QGridLayout(box)
        grid.setContentsMargins(*(self._theme.space(1.25),) * 4)
        grid.setHorizontalSpacing(self._theme.space(1))
        grid.setVerticalSpacing(self._theme.space(0.5))
        grid.setColumnStretch(1, 1)
        icon = QLabel()
        icon.setPixmap(self._theme.pixmap("shield", "warn", 18))
        grid.addWidget(icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        lines = [
            *texts(self._payload, "safety"),
            *(
                f"{as_text(one.get('message'))}: {as_text(one.get('fix'))}"
                for one in mappings(self._payload, "findings")
            ),
        ]
        grid.addWidget(_label(" · ".join([self._word("safety"), *lines]) if lines else self._word("safety")), 0, 1)
        stop = _label(f"{self._word('stop_signs')}: {' · '.join(texts(self._payload, 'stop_signs'))}", "strong")
        stop.setObjectName("activityStopSigns")
        grid.addWidget(stop, 1, 1)
        grid.addWidget(_label(f"{self._word('calm_down')}: {as_text(self._payload.get('calm_down'))}"), 2, 1)
        return box

    def _clock(self, timer: CardTimer) -> QVBoxLayout:
        self._time = SafeLabel("", role="display")
        self._time.setObjectName("activityTime")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMaximum(max(1, int(timer.planned)))
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1.5))
        row.addWidget(self._time)
        row.addWidget(self._bar, 1)
        box = QVBoxLayout()
        box.setSpacing(self._theme.space(0.5))
        box.addLayout(row)
        counts = [f"{as_text(one.get('label'))} {as_text(one.get('n'))}" for one in mappings(self._payload, "counts")]
        box.addWidget(_label(" · ".join(counts), "meta"))
        self._timers.ticked.connect(self._show_time)
        self._show_time()
        return box

    def _show_time(self) -> None:
        assert self._timer is not None, "a card without a timer is told of no tick"
        now = self._timers.clock.now()
        self._time.setText(self._timer.shown(now))
        self._bar.setValue(min(self._bar.maximum(), int(self._timer.seconds(now))))

    def _add_before(self) -> None:
        """What one reads before the child is there; while the game runs it would only be in the way."""
        self._column.addWidget(_label(f"{self._word('goal')}: {as_text(self._payload.get('goal'))}"))
        names = []
        for one in mappings(self._payload, "materials"):
            instead = as_text(one.get("instead"))
            names.append(as_text(one.get("name")) + (f" ({instead})" if instead else ""))
        self._column.addWidget(_label(f"{self._word('materials')}: {' · '.join(names)}" if names else ""))
        before = texts(self._payload, "preparation")
        self._column.addWidget(_label(f"{self._word('preparation')}: {' · '.join(before)}" if before else ""))

    def _add_after(self) -> None:
        """Why this game, and what to ask afterwards: behind one line."""
        lines = [
            f"{as_text(one.get('text')) or as_text(one.get('id'))}: {as_text(one.get('why'))}"
            for one in mappings(self._payload, "evidence")
        ]
        questions = texts(self._payload, "questions")
        parts = [(self._word("evidence"), lines), (self._word("questions"), questions)]
        holder = QWidget()
        holder.setObjectName("activityEvidence")
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(0.5))
        for title, entries in parts:
            if entries:
                column.addWidget(_label(title, "strong"))
            for entry in entries:
                column.addWidget(_label(f"• {entry}"))
        if not lines and not questions:
            return
        fold = QPushButton(f"{' · '.join(title for title, entries in parts if entries)} ›".replace("&", "&&"))
        fold.setObjectName("activityEvidenceButton")
        fold.setProperty("kind", "link")
        fold.setAutoDefault(False)
        fold.clicked.connect(partial(self._unfold, fold, holder))
        self._column.addWidget(fold)
        self._column.addWidget(holder)
        holder.hide()

    def _unfold(self, fold: QPushButton, holder: QWidget, _checked: bool = False) -> None:
        holder.show()
        fold.hide()

    def _moves(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(1))
        self.back = self._button(_("Back"), "activityBackButton")
        self.next = self._button(_("Next step"), "activityNextButton")
        self.back.clicked.connect(partial(self._go, -1))
        self.next.clicked.connect(partial(self._go, 1))
        row.addWidget(self.back)
        row.addWidget(self.next, 1)
        return row

    def _button(self, text: str, name: str) -> QPushButton:
        button = QPushButton(text.replace("&", "&&"))
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.setMinimumHeight(self._theme.space(TOUCH))
        button.setAccessibleName(text)
        return button

    def _word(self, name: str) -> str:
        return as_text(self._labels.get(name, name))

    # ------------------------------------------------------------ one step

    def _go(self, by: int, _checked: bool = False) -> None:
        self._place = max(0, min(len(self._steps) - 1, self._place + by))
        self._furthest = max(self._furthest, self._place)
        self._variant = ""
        self._timers.set_place(self._id, self._place, self._furthest)
        self._show_step()

    def _show_step(self) -> None:
        while (item := self._step.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        is_last = self._place >= len(self._steps) - 1
        self.back.setEnabled(self._place > 0)
        self.next.setEnabled(not is_last)
        if not self._steps:
            return
        step = self._steps[self._place]
        head = _("Step {n} of {total}").format(n=self._place + 1, total=len(self._steps))
        minutes = as_text(step.get("minutes"))
        parts = [head, as_text(step.get("title")), _("{n} min").format(n=minutes) if minutes else ""]
        self._step.addWidget(_label(" · ".join(filter(None, parts)), "strong"))
        self._step.addWidget(_label(as_text(step.get(self._variant)) or as_text(step.get("text")), "display"))
        for words in texts(step, "say"):
            self._step.addWidget(self._saying(words))
        notes = [
            (self._word("watch"), " · ".join(texts(step, "watch"))),
            (self._word("refuses"), as_text(step.get("refuses"))),
            (self._word("guidance"), as_text(step.get("guidance"))),
            (self._word("ending"), as_text(self._payload.get("ending")) if is_last else ""),
        ]
        for title, text in notes:
            if text:
                self._step.addWidget(_label(f"{title}: {text}"))
        self._step.addWidget(self._variants(step))
        self.updateGeometry()

    def _saying(self, words: str) -> QWidget:
        """What can be said, apart from what is to be done."""
        holder = QFrame()
        holder.setProperty("card", "saying")
        row = QVBoxLayout(holder)
        row.setContentsMargins(self._theme.space(1.5), self._theme.space(0.5), 0, self._theme.space(0.5))
        row.addWidget(_label(f"{self._word('say')}: “{words}”", "heading"))
        return holder

    def _variants(self, step: Mapping[str, Any]) -> QWidget:
        holder = QWidget()
        row = FlowLayout(self._theme.space(1), holder)
        for name in ("easier", "harder"):
            if as_text(step.get(name)):
                button = self._button(self._word(name), f"activity{name.title()}Button")
                button.setProperty("kind", "toggle")
                button.setCheckable(True)
                button.setChecked(self._variant == name)
                button.clicked.connect(partial(self._vary, name))
                row.addWidget(button)
        return holder

    def _vary(self, name: str, _checked: bool = False) -> None:
        self._variant = "" if self._variant == name else name
        self._show_step()
        again = self.findChild(QPushButton, f"activity{name.title()}Button")
        if again is not None:
            again.setFocus()  # the step was built anew; who works by keys stays where they were


def _label(text: str, role: str = "") -> SafeLabel:
    label = SafeLabel(text, role=role)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if not text:
        label.hide()
    return label

"""A tool call within the work of an answer: one line in words, which unfolds to its card, arguments and result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.core.wording.arguments import value_at_a_glance
from app.core.wording.figures import kept_text, took_text
from app.core.wording.tools import tool_title
from app.ui.cards.frame import CardFrame
from app.ui.chat.rows.base import RowTools, icon_label
from app.ui.chat.rows.helpers import HelperView
from app.ui.chat.rows.items import CardPart, ToolPart
from app.ui.chat.rows.row_actions import PressCardButton, RaiseLimit, ReadHelpers, ShowWhole, SteerStep, TryFrom
from app.ui.chat.rows.states import STATE_ICONS, state_words
from app.ui.render.parts.plain import PlainBlock
from app.ui.widgets.cut_bar import CutBar
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip, visible
from app.ui.widgets.spinner import Spinner


def deed_of(part: ToolPart) -> str:
    """What became of the call; nothing that did not run is said to have run (R35)."""
    if part.state == "done" and (part.repeated or part.age is not None):
        return _("Reused the result of {name}")
    return {
        "waiting": _("Waits to run {name}"),
        "running": _("Runs {name}"),
        "done": _("Ran {name}"),
        "failed": _("{name} failed"),
        "stopped": _("Stopped {name}"),
        "skipped": _("Did not run {name}"),
        "unknown": _("Began {name}"),
        "asks": _("{name} asks you for something"),
    }[part.state]


_CHIPS, _ROOMY = 3, 64
_LONGEST_VALUE = 18


def values_of(arguments: str) -> tuple[list[str], int]:
    """The short values of a call, as a person would name them, and how many others there are."""
    try:
        args = json.loads(arguments) if arguments else {}
    except ValueError:
        return [], 0
    values = [value for value in args.values() if value is not None] if isinstance(args, dict) else []
    words = [visible(word) for value in values if (word := value_at_a_glance(value).strip())]
    chips = [word for word in words if len(word) <= _LONGEST_VALUE and "\n" not in word][:_CHIPS]
    return chips, len(values) - len(chips)


def _took(part: ToolPart) -> str:
    return "" if part.milliseconds is None else took_text(part.milliseconds)


class ToolCard(QFrame):
    grew = Signal()
    picked = Signal()
    """By a person: what belongs to this call may be shown elsewhere."""
    action = Signal(object)
    """A RowAction."""
    link_activated = Signal(str)

    def __init__(self, parent: QWidget, tools: RowTools, part: ToolPart) -> None:
        super().__init__(parent)
        self._tools = tools
        self._part = part
        self._detail: _Detail | None = None
        self._card: CardPart | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._header = self._make_header(folded=True)
        self._box.addWidget(self._header)

    @property
    def part(self) -> ToolPart:
        return self._part

    def show_part(self, part: ToolPart) -> None:
        """The call went on: running, done, failed."""
        self._part = part
        unfolded = self._detail is not None
        self._drop_detail()
        self._renew_header(folded=not unfolded)
        if unfolded:
            self._unfold()

    def set_card(self, card: CardPart | None) -> None:
        """What the result looks like; it stands first in the detail."""
        if card != self._card:
            self._card = card
            if self._detail is not None:
                self._drop_detail()
                self._unfold()

    def toggle(self) -> None:
        if self._detail is None:
            self._unfold()
        else:
            self._drop_detail()
        self._renew_header(folded=self._detail is None)
        self._header.setFocus()
        self.grew.emit()
        self.picked.emit()

    @property
    def card_widget(self) -> QWidget | None:
        """The card of the result, while it is unfolded."""
        return self._detail.card if self._detail is not None else None

    def is_unfolded(self) -> bool:
        return self._detail is not None

    def wanted(self, width: int) -> int:
        """The card of a result is higher where it is narrow."""
        self.ensurePolished()
        self._box.activate()
        box = self._box
        return box.totalHeightForWidth(width) if box.hasHeightForWidth() else box.totalSizeHint().height()

    def _renew_header(self, *, folded: bool) -> None:
        old, self._header = self._header, self._make_header(folded=folded)
        self._box.replaceWidget(old, self._header)
        old.hide()
        old.deleteLater()
        self._header.show()

    def _make_header(self, *, folded: bool) -> _Header:
        header = _Header(self, self._tools, self._part, folded=folded)
        header.clicked.connect(self.toggle)
        header.action.connect(self.action)
        return header

    def _unfold(self) -> None:
        detail = self._detail = _Detail(self, self._tools, self._part, self._card)
        detail.action.connect(self.action)
        self._box.addWidget(self._detail)
        self._detail.show()
        if any(not helper.is_read for helper in self._part.helpers):
            self.action.emit(ReadHelpers(self._part.id))

    def _drop_detail(self) -> None:
        if self._detail is not None:
            self._box.removeWidget(self._detail)
            self._detail.hide()
            self._detail.deleteLater()
            self._detail = None


class _Header(QPushButton):
    """The whole line is the button, so that it has a focus and a name."""

    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: QWidget, tools: RowTools, part: ToolPart, *, folded: bool) -> None:
        super().__init__(parent)
        theme = self._theme = tools.theme
        self.setProperty("kind", "fold")
        self.setProperty("state", part.state)
        self._orders: list[QPushButton] = []
        """Only where the line has room for them; the unfolded row has them too."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(theme.space(4))
        title = part.title or tool_title(part.name)
        self.setAccessibleName(", ".join(filter(None, (title, state_words(part.state), part.summary)))[:300])
        self.setAccessibleDescription(_("Show arguments and result") if folded else _("Fold"))
        set_safe_tooltip(self, deed_of(part).format(name=part.name or title))
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, theme.space(1), 0)
        box.setSpacing(theme.space(1))
        repeat = _("repeat, not run") if part.repeated else ""
        repeat = kept_text(part.age) if part.age is not None else repeat
        summary = " · ".join(filter(None, (repeat, part.summary.partition("\n")[0])))
        is_running, waits = part.state == "running", part.state == "waiting"
        self._add(box, Spinner(theme, self) if is_running else icon_label(self, theme, *STATE_ICONS[part.state]))
        role = "strong" if is_running else "meta" if waits else ""
        self._add(box, SafeLabel(title, self, role=role, elide=bool(part.title)))
        values, rest = values_of(part.arguments)
        for value in values:
            chip = SafeLabel(value, self, role="value")
            chip.setFixedHeight(theme.space(2.5))
            self._add(box, chip)
        if rest:
            self._add(box, SafeLabel(f"+{rest}", self, role="meta"))
        self._add(box, SafeLabel(summary, self, role="meta", elide=True), 1)
        if part.plan_step and part.state in ("failed", "asks"):
            self._add_orders(box, part.plan_step)
        aside = state_words(part.state) if waits else _took(part)
        self._add(box, SafeLabel(aside, self, role="meta"))
        self._add(box, icon_label(self, theme, "chevron-right" if folded else "chevron-down", "muted", 14))

    def _add_orders(self, box: QHBoxLayout, step: int) -> None:
        """What a person may do about a step that failed, without opening it."""
        for order, words in (("retry", _("Retry")), ("skip", _("Skip")), ("change", _("Change"))):
            button = QPushButton(words, self)
            button.setObjectName(f"{order}StepButton")
            button.setProperty("kind", "link")
            button.setAutoDefault(False)
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.setAccessibleName(_("{order}: step {n}").format(order=words, n=step))
            button.clicked.connect(partial(self.action.emit, SteerStep(order, step)))
            box.addWidget(button)
            self._orders.append(button)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for button in self._orders:
            button.setVisible(event.size().width() >= self._theme.space(_ROOMY))

    @staticmethod
    def _add(box: QHBoxLayout, label: QWidget, stretch: int = 0) -> None:
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        box.addWidget(label, stretch)


class _Detail(QWidget):
    action = Signal(object)
    """A RowAction."""

    def __init__(self, parent: ToolCard, tools: RowTools, part: ToolPart, card: CardPart | None) -> None:
        super().__init__(parent)
        theme = tools.theme
        box = QVBoxLayout(self)
        box.setContentsMargins(theme.space(1.25), theme.space(0.75), theme.space(1.25), theme.space(1))
        box.setSpacing(theme.space(0.25))
        self.card = tools.cards.make(card.payload, theme, self) if card is not None else None
        if self.card is not None:
            if isinstance(self.card, CardFrame):
                self.card.grew.connect(parent.grew)
                self.card.link_activated.connect(parent.link_activated)
                if card is not None:
                    call = card.call or card.id.removeprefix("card-")
                    self.card.pressed.connect(partial(self._press, card.message, call))
            box.addWidget(self.card)
            box.addSpacing(theme.space(0.5))
        for helper in part.helpers:
            if helper.is_read:
                box.addWidget(HelperView(self, tools, helper))
        if part.name:
            box.addWidget(SafeLabel(_("Tool: {name}").format(name=part.name), self, role="meta"))
        for title, text in ((_("Arguments"), part.arguments), (_("Result"), part.result)):
            if not text:
                continue
            box.addWidget(SafeLabel(title, self, role="meta"))
            view = PlainBlock(self, tools.formats, text)
            view.setAccessibleName(title)
            box.addWidget(view)
            if text is part.arguments and part.mended:
                note = SafeLabel(part.mended, self, role="meta")
                note.setObjectName("mendedNote")
                note.setWordWrap(True)
                box.addWidget(note)
        if part.chars > part.kept > 0:
            bar = CutBar(theme, part.kept, part.chars, can_show=not part.is_whole)
            bar.all_asked.connect(partial(self.action.emit, ShowWhole(part.id)))
            bar.limit_chosen.connect(self._raise_limit)
            box.addSpacing(theme.space(0.5))
            box.addWidget(bar)
        if part.plan_step and part.state in ("waiting", "failed", "asks"):
            box.addLayout(self._orders(part.plan_step, part.state))
        is_step = part.id.startswith("step-") and not part.plan_step  # while it can be steered it is no past
        if part.state in ("done", "failed", "asks", "skipped") and (is_step or part.id.startswith("call-")):
            again = QPushButton(_("Try from here…"), self)
            again.setProperty("kind", "link")
            again.setAutoDefault(False)
            again.clicked.connect(partial(self.action.emit, TryFrom(part.id)))
            box.addSpacing(theme.space(0.5))
            box.addWidget(again)
        if part.name and not part.arguments and not part.result:
            box.addWidget(SafeLabel(_("No arguments and no result yet"), self, role="meta"))

    def _press(self, message: str, call: str, button: str, values: Mapping[str, Any]) -> None:
        self.action.emit(PressCardButton(message, call, button, values))

    def _raise_limit(self, limit: int) -> None:
        self.action.emit(RaiseLimit(limit))

    def _orders(self, step: int, state: str) -> QHBoxLayout:
        """What may be done about a step that waits for its turn, or has failed."""
        line = QHBoxLayout()
        orders = [("skip", _("Skip this step")), ("change", _("Change its arguments…"))]
        for order, words in [("retry", _("Retry")), *orders] if state != "waiting" else orders:
            button = QPushButton(words, self)
            button.setProperty("kind", "quiet")
            button.setAutoDefault(False)
            button.clicked.connect(partial(self.action.emit, SteerStep(order, step)))
            line.addWidget(button)
        line.addStretch(1)
        return line

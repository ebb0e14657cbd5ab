"""What was spent: by day, agent, model or session, of all or of some, as a table with bars, and the sums."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import shiboken6
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.run.chat_model import Usage
from app.core.run.price import PriceOf, cost_of, money_text, no_prices
from app.core.text.i18n import N_, _, ngettext
from app.ui.dialogs.settings.agent_titles import AgentTitles
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text, seconds_text
from app.ui.theme import Theme
from app.ui.widgets.empty_state import EmptyState
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.guarded import guarded
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn
from app.ui.widgets.spoken_role import Role, speak_as

if TYPE_CHECKING:
    from app.services.runs.runs import RunService, UsageRow

By = Literal["day", "agent", "model", "session"]
_BY: tuple[tuple[By, str], ...] = (
    ("day", N_("By day")),
    ("agent", N_("By agent")),
    ("model", N_("By model")),
    ("session", N_("By session")),
)
_SPANS = ((7, N_("Last 7 days")), (30, N_("Last 30 days")), (365, N_("Last year")), (0, N_("All time")))
_DAY = 86_400
MOST = 200
"""Lines."""


@dataclass(frozen=True, slots=True)
class Sum:
    name: str
    runs: int = 0
    input: int = 0
    output: int = 0
    seconds: float = 0.0
    money: Mapping[str, float] = field(default_factory=dict)
    is_priced: bool = True
    """Every model in it has a price; otherwise `money` is the least it cost."""

    @property
    def total(self) -> int:
        return self.input + self.output


def sums_by(rows: Sequence[UsageRow], by: By, price_of: PriceOf = no_prices) -> list[Sum]:
    """Days newest first; the others by what they spent. Sessions are named by their titles."""
    sums: dict[str, Sum] = {}
    for row in rows:
        key = {"day": row.day, "agent": row.agent, "model": row.model, "session": row.session}[by]
        name = (row.title or _("New session")) if by == "session" else key
        sums[key] = _added(sums.get(key, Sum(name)), row, price_of)
    totals = list(sums.values())
    return sorted(totals, key=lambda one: one.name if by == "day" else one.total, reverse=True)


def gathered(sums: Sequence[Sum]) -> list[Sum]:
    """No more lines than one can read: what comes behind is one line."""
    shown, rest = list(sums[: MOST - 1]), sums[MOST - 1 :]
    if len(rest) < 2:
        return [*shown, *rest]
    money = {name: sum(one.money.get(name, 0.0) for one in rest) for one in rest for name in one.money}
    name = ngettext("{n:,} more", "{n:,} more", len(rest)).format(n=len(rest))
    last = Sum(
        name,
        sum(one.runs for one in rest),
        sum(one.input for one in rest),
        sum(one.output for one in rest),
        sum(one.seconds for one in rest),
        money,
        all(one.is_priced for one in rest),
    )
    return [*shown, last]


def sum_all(rows: Sequence[UsageRow], price_of: PriceOf = no_prices) -> Sum:
    whole = Sum("")
    for row in rows:
        whole = _added(whole, row, price_of)
    return whole


def _added(one: Sum, row: UsageRow, price_of: PriceOf) -> Sum:
    money, is_priced = cost_of([(row.model, Usage(row.input, row.output, 0, row.cached))], price_of)
    return Sum(
        one.name,
        one.runs + row.runs,
        one.input + row.input,
        one.output + row.output,
        one.seconds + row.seconds,
        {name: one.money.get(name, 0.0) + money.get(name, 0.0) for name in (*one.money, *money)},
        one.is_priced and is_priced,
    )


def cost_text(one: Sum) -> str:
    """ "" where nobody typed a price."""
    return "" if not one.money else money_text(one.money) if one.is_priced else f"≥ {money_text(one.money)}"


class UsagePage(SettingsPage):
    """`session` is the one that is open, "" for none."""

    def __init__(
        self,
        runs: RunService,
        theme: Theme,
        *,
        spawn: Spawn,
        titles: AgentTitles,
        price_of: PriceOf = no_prices,
        session: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent)
        self.setObjectName("usagePage")
        self._runs, self._spawn, self._titles = runs, spawn, titles
        self._price_of = price_of
        self._rows: list[UsageRow] = []
        self.by = _chooser(_("Grouped"), [(_(title), id) for id, title in _BY])
        self.span = _chooser(_("Time"), [(_(title), days) for days, title in _SPANS])
        self.span.setCurrentIndex(1)
        self.session = _chooser(_("Sessions"), [(_("Every session"), ""), (_("This session"), session)])
        self.agent = _chooser(_("Agent"), [(_("Every agent"), "")])
        self.model = _chooser(_("Model"), [(_("Every model"), "")])
        self.whole = SafeLabel()
        self.whole.setWordWrap(True)
        self.bars = SumBars(theme)
        head = FlowRow(theme.space(1))
        head.add_growing(SafeLabel(_("Usage"), role="title"))
        head.add(self.by)
        head.add(self.span)
        filters = FlowRow(theme.space(1))
        for chooser in (self.session, self.agent, self.model):
            chooser.setMaximumWidth(theme.space(34))
            filters.add(chooser)
        foot = SafeLabel(
            _("Tokens as the providers counted them, or estimated; cost by the prices you typed."), role="meta"
        )
        foot.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(head)
        layout.addWidget(filters)
        self.session.setVisible(bool(session))
        layout.addWidget(self.whole)
        self._area = self._scrolled(self.bars)
        layout.addWidget(self._area, 1)
        self.empty = EmptyState(theme, "chart", _("Nothing was asked in this time."))
        self.empty.hide()
        layout.addWidget(self.empty, 1)
        layout.addWidget(foot)
        for chooser in (self.by, self.agent, self.model, self.session):
            chooser.currentIndexChanged.connect(self._show)
        self.span.currentIndexChanged.connect(self.refresh)
        self.refresh()

    @staticmethod
    def _scrolled(bars: QWidget) -> QScrollArea:
        area = QScrollArea()
        speak_as(area, Role.Grouping)
        area.setAccessibleName(_("Usage"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(bars)
        area.viewport().setAutoFillBackground(False)
        bars.setAutoFillBackground(False)
        return area

    def refresh(self) -> None:
        self._spawn(self._read())

    async def _read(self) -> None:
        if not shiboken6.isValid(self):
            return  # closed again before this came to its turn
        days = int(self.span.currentData())
        since = time.time() - days * _DAY if days else 0.0
        try:
            rows = await self._runs.usage(since=since, by_session=True)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.whole.setText(fault_text(error))
                self.whole.show()
                self.empty.hide()
            return
        if shiboken6.isValid(self) and days == self.span.currentData():
            self._rows = rows
            _refill(self.agent, [(self._titles.title_of(id), id) for id in sorted({row.agent for row in rows})])
            _refill(self.model, [(id, id) for id in sorted({row.model for row in rows})])
            self._show()

    def _wanted(self) -> list[UsageRow]:
        agent, model, session = self.agent.currentData(), self.model.currentData(), self.session.currentData()
        return [
            row
            for row in self._rows
            if agent in ("", row.agent) and model in ("", row.model) and session in ("", row.session)
        ]

    def _show(self) -> None:
        by: By = self.by.currentData()
        rows = self._wanted()
        whole = sum_all(rows, self._price_of)
        for part, is_wanted in ((self.whole, whole.runs), (self._area, whole.runs), (self.empty, not whole.runs)):
            part.setVisible(bool(is_wanted))
        if whole.runs:
            runs = ngettext("{n:,} run", "{n:,} runs", whole.runs).format(n=whole.runs)
            words = _("{runs}, {total:,} tokens ({input:,} read, {output:,} written), {time} of work")
            text = words.format(
                runs=runs,
                total=whole.total,
                input=whole.input,
                output=whole.output,
                time=seconds_text(whole.seconds),
            )
            cost = cost_text(whole)
            self.whole.setText(f"{text}, {cost}" if cost else text)
        sums = sums_by(rows, by, self._price_of)
        if by == "agent":
            sums = [replace(one, name=self._titles.title_of(one.name)) for one in sums]
        self.bars.show_sums(gathered(sums))


class SumBars(QWidget):
    """One line per sum: its name, a bar of what was read and written, and the figures."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        speak_as(self, Role.Chart)
        self._theme = theme
        self._sums: Sequence[Sum] = ()
        self.setAccessibleName(_("Usage"))

    def show_sums(self, sums: Sequence[Sum]) -> None:
        self._sums = tuple(sums)
        self.setAccessibleDescription("; ".join(f"{one.name}: {one.total:,}" for one in sums))
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(60), self._theme.space(3.5) * (len(self._sums) + 1))

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._sums:
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, gap = theme.space(3.5), theme.space(1.5)
        columns = [(_("Runs"), [f"{one.runs:,}" for one in self._sums])]
        columns.append((_("Read"), [f"{one.input:,}" for one in self._sums]))
        columns.append((_("Written"), [f"{one.output:,}" for one in self._sums]))
        columns.append((_("Time"), [seconds_text(one.seconds) for one in self._sums]))
        if any(one.money for one in self._sums):
            columns.append((_("Spent"), [cost_text(one) or "–" for one in self._sums]))
        painter.setFont(theme.font("meta"))
        metrics = painter.fontMetrics()
        right = float(self.width() - theme.space(1))
        middle, end = int(Qt.AlignmentFlag.AlignVCenter), int(Qt.AlignmentFlag.AlignRight)
        for title, texts in reversed(columns):
            wide = max(metrics.horizontalAdvance(text) for text in (title, *texts)) + 1
            for n, text in enumerate((title, *texts)):
                painter.setPen(theme.color("text" if n else "muted"))
                painter.drawText(QRectF(right - wide, n * line, wide, line), middle | end, text)
            right -= wide + gap
        name = min(max(metrics.horizontalAdvance(visible(one.name)) for one in self._sums) + gap, right * 0.5)
        room, most = max(1.0, right - name), max(one.total for one in self._sums) or 1
        for n, one in enumerate(self._sums, 1):
            name_text = metrics.elidedText(visible(one.name), Qt.TextElideMode.ElideMiddle, int(name - gap / 2))
            painter.setPen(theme.color("text"))
            painter.drawText(QRectF(0, n * line, name, line), middle, name_text)
            x = name
            painter.setPen(Qt.PenStyle.NoPen)
            for color, count in (("outline", one.input), ("accent", one.output)):
                painter.setBrush(theme.color(color))
                painter.drawRect(QRectF(x, n * line + line * 0.28, room * count / most, line * 0.44))
                x += room * count / most
        self._draw_legend(painter, name, line)

    def _draw_legend(self, painter: QPainter, left: float, line: float) -> None:
        theme, edge = self._theme, self._theme.space(1)
        for color, word in (("outline", _("read")), ("accent", _("written"))):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(color))
            painter.drawRect(QRectF(left, (line - edge) / 2, edge, edge))
            painter.setPen(theme.color("muted"))
            wide = painter.fontMetrics().horizontalAdvance(word) + 2
            painter.drawText(QRectF(left + edge * 1.5, 0, wide, line), int(Qt.AlignmentFlag.AlignVCenter), word)
            left += edge * 1.5 + wide + theme.space(1.5)


def _refill(chooser: QComboBox, items: Sequence[tuple[str, object]]) -> None:
    """Other choices behind the first one; what was chosen stays chosen if it is still there."""
    chosen = chooser.currentData()
    chooser.blockSignals(True)
    while chooser.count() > 1:
        chooser.removeItem(1)
    for title, value in items:
        chooser.addItem(visible(title), value)
    chooser.setCurrentIndex(max(0, chooser.findData(chosen)))
    chooser.blockSignals(False)


def _chooser(name: str, items: Sequence[tuple[str, object]]) -> QComboBox:
    chooser = CalmCombo()
    chooser.setAccessibleName(name)
    for title, value in items:
        chooser.addItem(title, value)
    return chooser

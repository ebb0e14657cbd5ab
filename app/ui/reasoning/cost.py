"""What each step used: tokens and time, and their sums."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QScrollArea,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.core.run.analysis.run_stats import RunFigures, sum_of
from app.core.run.chat_model import Usage
from app.core.run.events import StepEnd
from app.core.run.price import Price, PriceOf, money_text, no_prices
from app.core.run.view import RunView
from app.core.text.i18n import N_, _
from app.core.wording.figures import took_text
from app.ui.reasoning import words
from app.ui.reasoning.usage_bars import UsageBars
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

_Index = QModelIndex | QPersistentModelIndex
_COLUMNS = (
    ("#", N_("Request to the model")),
    (N_("In"), N_("Tokens the model read")),
    (N_("Out"), N_("Tokens the model wrote")),
    (N_("Spent"), N_("By the prices you typed for this model")),
    (N_("Think"), N_("Of those, thinking")),
    (N_("Cache"), N_("Of those read, from the provider's cache")),
    (N_("First"), N_("Time to the first token")),
    (N_("Tok/s"), N_("Tokens per second after the first")),
)
_COST, _THINK, _CACHE = 3, 4, 5
"""Shown only where a provider counts them; the cost, where a price was typed."""


class CostModel(QAbstractTableModel):
    """One row per step; the last row is the sum."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: list[StepEnd] = []
        self._price: Price | None = None
        self._small, self._strong = QFont(), QFont()
        self.set_fonts(theme)

    def set_fonts(self, theme: Theme) -> None:
        self._small = theme.font("meta")
        self._strong = theme.font("meta", strong=True)

    def clear(self) -> None:
        self.beginResetModel()
        self._steps.clear()
        self.endResetModel()

    def add(self, step: StepEnd) -> None:
        # The sum appears together with the first step.
        first = len(self._steps)
        self.beginInsertRows(QModelIndex(), first, first or 1)
        self._steps.append(step)
        self.endInsertRows()
        last = len(self._steps)
        self.dataChanged.emit(self.index(last, 0), self.index(last, len(_COLUMNS) - 1))

    def set_price(self, price: Price | None) -> None:
        """Of the model whose steps these are."""
        self._price = price if price is not None and price.currency else None
        if self._steps:
            self.dataChanged.emit(self.index(0, _COST), self.index(self.rowCount() - 1, _COST))

    @property
    def has_price(self) -> bool:
        return self._price is not None

    def steps(self) -> list[StepEnd]:
        return list(self._steps)

    def total(self) -> Usage:
        return sum((step.usage for step in self._steps), Usage())

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() or not self._steps else len(self._steps) + 1

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_COLUMNS)

    @guarded
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole and section == 0:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(_COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return _(_COLUMNS[section][0])
        if role == Qt.ItemDataRole.FontRole:
            return self._small
        if role == Qt.ItemDataRole.ToolTipRole:
            return _(_COLUMNS[section][1])
        return None

    @guarded
    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        is_sum = index.row() == len(self._steps)
        if role == Qt.ItemDataRole.DisplayRole:
            cells = self._sum() if is_sum else _cells(self._steps[index.row()])
            cells.insert(_COST, self._cost(self.total() if is_sum else self._steps[index.row()].usage))
            return cells[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if index.column() == 0 else Qt.AlignmentFlag.AlignRight
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.FontRole and is_sum:
            return self._strong
        return None

    def _cost(self, usage: Usage) -> str:
        if self._price is None:
            return "–"
        text = money_text({self._price.currency: self._price.cost(usage)})
        return text if usage.exact else f"≈{text}"

    def _sum(self) -> list[str]:
        total = self.total()
        writing = sum(_writing_ms(step) for step in self._steps if step.ttft_ms is not None)
        wrote = sum(step.usage.output for step in self._steps if step.ttft_ms is not None)
        return [_("Sum"), *_numbers(total), "", _speed(wrote, writing)]


class CostView(QWidget):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = CostModel(theme, self)
        self.steps = UsageBars(theme, _("Tokens of each request"))
        self.rounds = UsageBars(theme, _("Tokens of each round"))
        self._by_round: dict[int, Usage] = {}
        self._table = self._make_table(theme)
        self._sums = _line("")
        self._note = _line(_("≈ is our own estimate: the provider told no figure."))
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.space(1), theme.space(1), theme.space(1), theme.space(1))
        column.setSpacing(theme.space(1.5))
        for part in (self.steps, self.rounds, self._table, self._sums, self._note):
            column.addWidget(part)
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(_("Cost"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        inner.setAutoFillBackground(False)
        area.viewport().setAutoFillBackground(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        self._table.horizontalScrollBar().rangeChanged.connect(self._fit)
        self.clear()

    def clear(self) -> None:
        self.model.clear()
        self._by_round.clear()
        for part in (self._note, self._sums):
            part.hide()
        self._draw()

    def set_theme(self, theme: Theme) -> None:
        """The zoom: fonts and the height of lines."""
        self.model.set_fonts(theme)
        self.steps.set_theme(theme)
        self.rounds.set_theme(theme)
        self._table.setFont(theme.font("meta"))
        self._table.verticalHeader().setDefaultSectionSize(theme.space(3.5))
        self._fit()

    def set_price(self, price: Price | None) -> None:
        """What the model of the shown run costs; None if nobody typed it."""
        self.model.set_price(price)
        self._table.setColumnHidden(_COST, not self.model.has_price)
        self._fit()

    def show_run(self, view: RunView, _at: float | None) -> None:
        ended = [item for item in view.steps.values() if item.end is not None]
        for item in ended[len(self.model.steps()) :]:
            if item.end is not None:
                self.add(item.end, item.round)

    def add(self, step: StepEnd, round: int = 0) -> None:
        self.model.add(step)
        self._by_round[round] = self._by_round.get(round, Usage()) + step.usage
        total = self.model.total()
        self._table.setColumnHidden(_THINK, not total.reasoning)
        self._table.setColumnHidden(_CACHE, not total.cached)
        self._table.setColumnHidden(_COST, not self.model.has_price)
        if not step.usage.exact:
            self._note.show()
        self._draw()

    def show_sums(self, lines: Sequence[tuple[str, Sequence[RunFigures]]], price_of: PriceOf = no_prices) -> None:
        """What the session and the agent have used, this run included once it is stored."""
        lines_shown = [words.usage_sum(title, runs, price_of) for title, runs in lines if sum_of(runs).total]
        self._sums.setText("\n".join(lines_shown))
        self._sums.setVisible(bool(lines_shown))

    def _draw(self) -> None:
        self.steps.show_bars([(_("Request {n}").format(n=step.step), step.usage) for step in self.model.steps()])
        rounds = sorted(self._by_round.items()) if len(self._by_round) > 1 else []
        self.rounds.show_bars([(_("Round {n}").format(n=n) if n else _("Before"), usage) for n, usage in rounds])
        self._fit()

    def _fit(self) -> None:
        """As tall as its rows: the view around it scrolls."""
        rows = self.model.rowCount()
        header = self._table.horizontalHeader().sizeHint().height()
        bar = self._table.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0
        self._table.setFixedHeight(header + rows * self._table.verticalHeader().defaultSectionSize() + below + 4)
        self._table.setVisible(bool(rows))

    def _make_table(self, theme: Theme) -> QTableView:
        table = QTableView()
        table.setAccessibleName(_("Tokens and time of each request"))
        table.setFont(theme.font("meta"))
        table.setFrameShape(QFrame.Shape.NoFrame)
        table.setShowGrid(False)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(theme.space(3.5))
        header = table.horizontalHeader()
        header.setAccessibleName(_("Columns"))
        header.setFont(theme.font("meta"))
        header.setMinimumSectionSize(theme.space(3))
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.setWordWrap(False)
        table.setModel(self.model)  # last: every setting above would measure the columns again
        return table


def _line(text: str) -> SafeLabel:
    label = SafeLabel(text, role="meta")
    label.setWordWrap(True)
    return label


def _cells(step: StepEnd) -> list[str]:
    first = "–" if step.ttft_ms is None else took_text(step.ttft_ms)
    speed = "–" if step.ttft_ms is None else _speed(step.usage.output, _writing_ms(step))
    return [str(step.step), *_numbers(step.usage), first, speed]


def _numbers(usage: Usage) -> list[str]:
    mark = "" if usage.exact else "≈"
    return [
        f"{mark}{usage.input:,}",
        f"{mark}{usage.output:,}",
        f"{usage.reasoning:,}" if usage.reasoning else "–",
        f"{usage.cached:,}" if usage.cached else "–",
    ]


def _writing_ms(step: StepEnd) -> int:
    return max(0, step.ms - (step.ttft_ms or 0))


def _speed(tokens: int, ms: int) -> str:
    return f"{tokens * 1_000 / ms:.0f}" if ms > 0 and tokens else "–"

"""Two stored runs side by side, move by move; where they part is marked and shown first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.text.i18n import N_, _
from app.ui.dialogs.data.compare_modes import fallback_words, figures_of, outcome_words
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.core.run.analysis.comparison import Comparison, Move, RunSummary
    from app.services.runs.runs import RunRow, RunService

_LONGEST = 600
"""Characters of one move."""
_KINDS = {
    "mode": N_("Mode"),
    "fallback": N_("Another mode takes over"),
    "plan": N_("Plan"),
    "call": N_("Call"),
    "result": N_("Result"),
    "verdict": N_("Verdict"),
    "text": N_("Text"),
    "end": N_("End"),
}


class CompareRunsDialog(QDialog):
    """`title_of` names a run in the two lists; `session` limits them to its runs unless it is ""; `chosen` are the two
    that are shown first.
    """

    def __init__(
        self,
        runs: RunService,
        theme: Theme,
        *,
        spawn: Spawn,
        title_of: Callable[[RunRow], str],
        session: str = "",
        chosen: tuple[str, str] = ("", ""),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("compareRunsDialog")
        self.setWindowTitle(_("Compare two runs"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._runs, self._theme, self._spawn = runs, theme, spawn
        self._title_of, self._session, self._chosen = title_of, session, chosen
        self.left, self.right = _chooser(_("Left run")), _chooser(_("Right run"))
        self.left_told, self.right_told = SafeLabel(role="meta"), SafeLabel(role="meta")
        self.told = SafeLabel(role="strong")
        self.told.setWordWrap(True)
        self.moves = _table()
        sides = QHBoxLayout()
        sides.setSpacing(theme.space(2))
        for chooser, label in ((self.left, self.left_told), (self.right, self.right_told)):
            label.setWordWrap(True)
            side = QVBoxLayout()
            side.addWidget(chooser)
            side.addWidget(label)
            sides.addLayout(side, 1)
            chooser.currentIndexChanged.connect(self._compare_again)
        close = QPushButton(_("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.told, 1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Compare two runs"), role="title"))
        layout.addLayout(sides)
        layout.addWidget(self.moves, 1)
        layout.addLayout(foot)
        open_at(self, theme.space(120), theme.space(80))
        spawn(self._list())

    async def _list(self) -> None:
        rows = await self._runs.rows(self._session or None)
        if not shiboken6.isValid(self):
            return
        for chooser in (self.left, self.right):
            chooser.blockSignals(True)
            for row in rows:
                chooser.addItem(visible(self._title_of(row)), row.id)
            chooser.blockSignals(False)
        if len(rows) < 2:
            self.told.setText(_("There are not two runs to compare yet."))
            return
        for chooser, run, otherwise in zip((self.left, self.right), self._chosen, (1, 0), strict=True):
            place = chooser.findData(run) if run else -1  # else the newest two, the older one left
            chooser.blockSignals(True)
            chooser.setCurrentIndex(place if place >= 0 else otherwise)
            chooser.blockSignals(False)
        await self._compare()

    def _compare_again(self) -> None:
        self._spawn(self._compare())

    async def _compare(self) -> None:
        left, right = self.left.currentData(), self.right.currentData()
        try:
            comparison = await self._runs.compare(left, right)
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.told.setText(fault_text(error))
            return
        if shiboken6.isValid(self) and (left, right) == (self.left.currentData(), self.right.currentData()):
            self._show(comparison)

    def _show(self, found: Comparison) -> None:
        self.left_told.setText(_summed(found.left))
        self.right_told.setText(_summed(found.right))
        self.moves.setRowCount(len(found.rows))
        for n, (left, right) in enumerate(found.rows):
            for column, move in enumerate((left, right)):
                item = QTableWidgetItem(_words(move))
                item.setTextAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
                if left != right:
                    item.setBackground(self._theme.color("warn_tint"))
                else:
                    item.setForeground(self._theme.color("muted"))
                if n == found.first_difference:
                    font = item.font()
                    font.setBold(True)
                    item.setFont(font)
                self.moves.setItem(n, column, item)
        self.moves.resizeRowsToContents()
        first = found.first_difference
        if first is None:
            self.told.setText(_("The two runs did the same."))
            return
        self.told.setText(_("First difference: move {n} of {count}").format(n=first + 1, count=len(found.rows)))
        place = self.moves.model().index(first, 0)
        self.moves.scrollTo(place, QAbstractItemView.ScrollHint.PositionAtCenter)


def _summed(summary: RunSummary) -> str:
    figures = [f"{name} {value}" for name, value, _tip in figures_of(summary)]
    words = [outcome_words(summary), fallback_words(summary), summary.model, *figures]
    return " · ".join(filter(None, words))


def _words(move: Move | None) -> str:
    if move is None:
        return "–"
    text = move.text if len(move.text) <= _LONGEST else f"{move.text[:_LONGEST]}…"
    return visible(f"{_(_KINDS[move.kind]) if move.kind in _KINDS else move.kind}: {text}")


def _chooser(name: str) -> QComboBox:
    chooser = CalmCombo()
    chooser.setAccessibleName(name)
    chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    chooser.setMinimumContentsLength(12)
    return chooser


def _table() -> QTableWidget:
    table = QTableWidget(0, 2)
    table.setAccessibleName(_("Moves of both runs"))
    table.setProperty("padded", True)
    table.horizontalHeader().hide()
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    table.setWordWrap(True)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    return table

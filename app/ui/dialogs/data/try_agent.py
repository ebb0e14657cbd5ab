"""A handful of questions in several modes, models and numbers of rounds: what each is worth, and what it costs."""

from __future__ import annotations

import asyncio
from collections.abc import Container, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.run.mode import mode_ids
from app.core.text.i18n import _
from app.services.batch.budget import BatchOptions
from app.services.batch.evaluation import EvalResult, Evaluation, EvalVariant, variants_of
from app.services.batch.figures import figures_of, gains_of
from app.services.batch.report import FIRST_NUMBER, gain_sentence, heads, percent, row_of, variant_title
from app.services.batch.report_page import html_report
from app.services.batch.trial import typed_cases, typed_numbers
from app.ui.texts import fault_text, mode_title
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fit import open_at
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.batch.service import BatchService

_LONGEST = 200
"""Characters of an answer in its row; the whole is shown below."""
_QUALITY = 2
"""The column of the answers that holds a number."""
_FIELD_STEPS = 28
"""The least width of a field, in steps of the grid."""
_MOST_ROWS = 6
"""Combinations that are seen without scrolling."""


class TryAgentDialog(QDialog):
    def __init__(
        self,
        batches: BatchService,
        agent: str,
        models: Sequence[str],
        theme: Theme,
        *,
        spawn: Spawn,
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("tryAgentDialog")
        self.setWindowTitle(_("Try this agent"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._batches, self._agent, self._spawn = batches, agent, spawn
        self._collecting: asyncio.Task[None] | None = None
        self._variants: list[EvalVariant] = []
        self.results: list[EvalResult] = []
        self._make_fields(models, text, theme)
        self._make_buttons()
        self.told = SafeLabel(_("Nothing that asks for permission runs here."), role="meta")
        self.told.setWordWrap(True)
        self.figures = _table(heads(), _("What each combination is worth"), range(FIRST_NUMBER, len(heads())))
        self.empty = SafeLabel(_("What each combination is worth appears here, answer by answer."), role="meta")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.gains = SafeLabel("", role="meta")
        self.gains.setWordWrap(True)
        self.gains.setAccessibleName(_("What each change gained"))
        names = (_("question"), _("combination"), _("quality"), _("why"), _("answer"))
        self.answers = _table(names, _("Every answer"), (_QUALITY,))
        self.answers.itemSelectionChanged.connect(self._show_answer)
        self.whole = QPlainTextEdit()
        self.whole.setReadOnly(True)
        self.whole.setAccessibleName(_("The selected answer"))
        self.whole.setFixedHeight(theme.space(8))
        self._lay_out(theme)
        self._show_tables()
        self.questions.textChanged.connect(self._judge_form)
        self.finished.connect(self._stop)
        self._judge_form()

    def _make_fields(self, models: Sequence[str], text: str, theme: Theme) -> None:
        self.questions = QPlainTextEdit(text)
        self.questions.setAccessibleName(_("Questions"))
        self.questions.setPlaceholderText(
            _("One question per line. After => what its answer contains:\nWhat is 6*7? => 42")
        )
        self.questions.setFixedHeight(theme.space(10))
        self.questions.setTabChangesFocus(True)
        self.modes = {mode: QCheckBox(mode_title(mode)) for mode in mode_ids()}
        self.rounds, self.rubric = QLineEdit(), QLineEdit()
        self.rounds.setPlaceholderText(_("such as 0, 1, 3; empty: as the agent"))
        self.rubric.setPlaceholderText(_("What a good answer has; empty: nobody judges"))
        self.model, self.judge = CalmCombo(), CalmCombo()
        self.model.addItem(_("The agent's model alone"), "")
        self.judge.addItem(_("No model judges"), "")
        for ref in models:
            self.model.addItem(_("also {model}").format(model=ref), ref)
            self.judge.addItem(ref, ref)

    def _make_buttons(self) -> None:
        self.start = QPushButton(_("Try"))
        self.start.setProperty("kind", "primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self._begin)
        self.stop = QPushButton(_("Stop"))
        self.stop.setAutoDefault(False)
        self.stop.clicked.connect(self._stop)
        self.stop.hide()
        self.save = QPushButton(_("Save report…"))
        self.save.setAutoDefault(False)
        self.save.setEnabled(False)
        self.save.clicked.connect(self._save)

    def _lay_out(self, theme: Theme) -> None:
        chosen = FlowRow(theme.space(2))
        for mode, box in self.modes.items():
            box.setChecked(mode in ("direct", "react"))
            box.toggled.connect(self._judge_form)
            chosen.add(box)
        boxes = QHBoxLayout()
        boxes.setSpacing(theme.space(2))
        boxes.addWidget(chosen, 1)
        boxes.addWidget(self.stop)
        boxes.addWidget(self.start)
        variants = FlowRow(theme.space(1))
        fields: tuple[tuple[str, QWidget], ...] = (
            (_("Reflection rounds"), self.rounds), (_("Models"), self.model),
            (_("Rubric"), self.rubric), (_("Judged by"), self.judge),
        )  # fmt: skip
        for title, field in fields:
            field.setAccessibleName(title)
            variants.add_growing(_titled(title, field, theme))
        close = QPushButton(_("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self.told, 1)
        foot.addWidget(self.save)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Try this agent"), role="title"))
        layout.addWidget(self.questions)
        layout.addWidget(variants)
        layout.addLayout(boxes)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self.figures)
        layout.addWidget(self.gains)
        layout.addWidget(self.answers, 1)
        layout.addWidget(self.whole)
        layout.addLayout(foot)
        open_at(self, theme.space(130), theme.space(96))

    def _chosen(self) -> list[str]:
        return [mode for mode, box in self.modes.items() if box.isChecked()]

    def _judge_form(self) -> None:
        is_busy = self._collecting is not None
        self.start.setEnabled(not is_busy and bool(self._chosen() and self.questions.toPlainText().strip()))
        self.stop.setVisible(is_busy)
        self.save.setEnabled(not is_busy and bool(self.results))

    def _stop(self) -> None:
        """The runs that go on are stopped; what has been answered stays."""
        if self._collecting is not None:
            self._collecting.cancel()

    # ------------------------------------------------------------ trying

    def _begin(self) -> None:
        self._spawn(self._tried())

    async def _tried(self) -> None:
        self.results = []
        self.gains.setText("")
        for table in (self.figures, self.answers):
            table.setRowCount(0)
        self.whole.clear()
        self._show_tables()
        self._collecting = asyncio.ensure_future(self._collect())
        self._judge_form()
        await asyncio.wait((self._collecting,))
        task, self._collecting = self._collecting, None
        if not shiboken6.isValid(self):
            return
        if task.cancelled():
            self.told.setText(_("Stopped"))
        elif isinstance(error := task.exception(), TriptychError):
            self.told.setText(fault_text(error))
        elif error is not None:
            raise error
        self._judge_form()

    async def _collect(self) -> None:
        """Raises what cannot be asked."""
        models = ["", ref] if (ref := self.model.currentData()) else [""]
        rounds = typed_numbers(self.rounds.text())
        settings = {"max_reflection_iterations": rounds} if rounds else {}
        self._variants = variants_of(self._chosen(), models, settings)
        judge = str(self.judge.currentData())
        cases = typed_cases(self.questions.toPlainText(), self._agent, self.rubric.text() if judge else "")
        evaluation = Evaluation(self._batches, BatchOptions(concurrency=2), judge=judge)
        count = len(cases) * len(self._variants)
        self._tell_progress(count)
        async with aclosing(evaluation.run(cases, self._variants)) as results:
            async for result in results:
                self.results.append(result)
                self._show_result(result)
                self._show_figures()
                self._tell_progress(count)

    def _tell_progress(self, count: int) -> None:
        self.told.setText(_("{n} of {all} answered").format(n=len(self.results), all=count))

    # ------------------------------------------------------------ showing

    def _show_figures(self) -> None:
        figures = figures_of(self.results, self._variants)
        self.figures.setRowCount(len(figures))
        for place, one in enumerate(figures):
            _fill_row(self.figures, place, row_of(one), range(FIRST_NUMBER, len(heads())))
        self.gains.setText("\n".join(map(gain_sentence, gains_of(self.results, self._variants))))
        self._show_tables()

    def _show_tables(self) -> None:
        """Empty they say nothing; the figures are as high as their rows."""
        for widget in (self.figures, self.answers, self.whole):
            widget.setVisible(bool(self.results))
        self.gains.setVisible(bool(self.gains.text()))
        self.empty.setVisible(not self.results)
        rows = [self.figures.rowHeight(row) for row in range(min(_MOST_ROWS, self.figures.rowCount()))]
        bar = self.figures.horizontalScrollBar().sizeHint().height()
        self.figures.setFixedHeight(self.figures.horizontalHeader().sizeHint().height() + sum(rows) + bar)

    def _show_result(self, result: EvalResult) -> None:
        why = result.reasons
        place = self.answers.rowCount()
        self.answers.setRowCount(place + 1)
        answer = " ".join(result.answer.answer[:_LONGEST].split())
        quality = f"{'✓' if result.passed else '✗'} {percent(result.score)}"
        cells = (result.answer.query, variant_title(result.variant), quality, why, answer)
        _fill_row(self.answers, place, cells, (_QUALITY,))

    def _show_answer(self) -> None:
        place = self.answers.currentRow()
        if 0 <= place < len(self.results):
            self.whole.setPlainText(visible(self.results[place].answer.answer))

    def _save(self) -> None:
        chooser = QFileDialog(self, _("Save report…"))
        chooser.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        chooser.setDefaultSuffix("html")
        chooser.selectFile("trial.html")
        chooser.fileSelected.connect(self.save_to)
        chooser.open()

    def save_to(self, file: str) -> None:
        self._spawn(self._saved(Path(file)))

    async def _saved(self, path: Path) -> None:
        page = html_report(_("Try this agent"), self.results, self._variants)
        try:
            await asyncio.to_thread(path.write_text, page, "utf-8")
        except OSError as error:
            self.told.setText(error.strerror or str(error))
        else:
            self.told.setText(_("Saved: {file}").format(file=path.name))


def _titled(title: str, field: QWidget, theme: Theme) -> QWidget:
    """The field below its title; several stand side by side where there is room."""
    pair = QWidget()
    pair.setMinimumWidth(theme.space(_FIELD_STEPS))
    column = QVBoxLayout(pair)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(theme.space(0.5))
    column.addWidget(SafeLabel(title, role="meta"))
    column.addWidget(field)
    return pair


def _table(names: Sequence[str], title: str, numbers: Container[int]) -> QTableWidget:
    """`numbers` are the columns that are set right, heads and all."""
    table = QTableWidget(0, len(names))
    table.setAccessibleName(title)
    for place, name in enumerate(names):
        head = QTableWidgetItem(name)
        head.setTextAlignment(_alignment(place, numbers))
        table.setHorizontalHeaderItem(place, head)
    table.verticalHeader().hide()
    table.setShowGrid(False)
    table.setProperty("padded", "true")
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setTabKeyNavigation(False)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
    table.horizontalHeader().setStretchLastSection(len(names) - 1 not in numbers)
    return table


def _fill_row(table: QTableWidget, row: int, cells: Sequence[str], numbers: Container[int]) -> None:
    for column, text in enumerate(cells):
        item = QTableWidgetItem(visible(text))
        item.setTextAlignment(_alignment(column, numbers))
        table.setItem(row, column, item)


def _alignment(column: int, numbers: Container[int]) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in numbers else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter

"""One question in several modes, side by side: the answer, steps, tools, tokens, seconds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import TriptychError
from app.core.run.mode import mode_ids
from app.core.text.i18n import _
from app.ui.render.parts.body import MessageBody
from app.ui.render.parts.formats import Formats
from app.ui.render.parts.highlight import Highlighter
from app.ui.texts import error_text, mode_title, notice_text, seconds_text, stop_title
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.core.run.analysis.comparison import RunSummary
    from app.services.runs.compare import CompareService, Tried

_FIRST = ("direct", "react", "plan")


class CompareModesDialog(QDialog):
    """Each mode gets a session of its own, which stays."""

    open_asked = Signal(str)
    """The session of a mode, to be shown in the window."""

    def __init__(
        self,
        compare: CompareService,
        agent: str,
        theme: Theme,
        *,
        spawn: Spawn,
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("compareModesDialog")
        self.setWindowTitle(_("Compare modes"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._compare, self._agent, self._theme = compare, agent, theme
        self._spawn = spawn
        self._formats, self._highlighter = Formats(theme), Highlighter(theme, self)
        self._is_stopped = False
        self.columns: dict[str, ModeColumn] = {}
        self.question = QPlainTextEdit(text)
        self.question.setAccessibleName(_("Question"))
        self.question.setPlaceholderText(_("The question to ask in each of the modes"))
        self.question.setFixedHeight(theme.space(9))
        self.question.setTabChangesFocus(True)
        self.modes = {mode: QCheckBox(mode_title(mode)) for mode in mode_ids()}
        self.start = QPushButton(_("Compare"))
        self.start.setProperty("kind", "primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self._begin)
        self.question.textChanged.connect(self._judge)
        choices = QHBoxLayout()
        choices.setSpacing(theme.space(2))
        for mode, box in self.modes.items():
            box.setChecked(mode in _FIRST)
            box.toggled.connect(self._judge)
            choices.addWidget(box)
        choices.addStretch(1)
        choices.addWidget(self.start)
        self._note = SafeLabel(_("Nothing that asks for permission runs here."), role="meta")
        self._note.setWordWrap(True)
        self._beside = QHBoxLayout()
        self._beside.setSpacing(theme.space(1.5))
        close = QPushButton(_("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        foot = QHBoxLayout()
        foot.addWidget(self._note, 1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("Compare modes"), role="title"))
        layout.addWidget(self.question)
        layout.addLayout(choices)
        layout.addLayout(self._beside, 1)
        layout.addLayout(foot)
        open_at(self, theme.space(130), theme.space(84))
        self.finished.connect(self._stop)
        self._judge()

    def _chosen(self) -> list[str]:
        return [mode for mode, box in self.modes.items() if box.isChecked()]

    def _judge(self) -> None:
        self.start.setEnabled(bool(self._chosen() and self.question.toPlainText().strip()))

    def _stop(self) -> None:
        """The mode that is being tried ends by itself; the next is not begun."""
        self._is_stopped = True

    def _begin(self) -> None:
        for column in self.columns.values():
            self._beside.removeWidget(column)
            column.deleteLater()
        self.columns = {}
        for mode in self._chosen():
            column = self.columns[mode] = ModeColumn(self._theme, mode, self._formats, self._highlighter)
            column.open_asked.connect(self.open_asked)
            self._beside.addWidget(column, 1)
        self.start.setEnabled(False)
        self._spawn(self._try_all(self.question.toPlainText().strip(), self._chosen()))

    async def _try_all(self, text: str, modes: Sequence[str]) -> None:
        """One after the other: side by side they would take each other's time."""
        for mode in modes:
            self.columns[mode].show_running()
            tried = await self._try(text, mode)
            if self._is_stopped or not shiboken6.isValid(self):
                return
            if isinstance(tried, str):
                self.columns[mode].show_error(tried)
            else:
                self.columns[mode].show_tried(tried)
        self._judge()

    async def _try(self, text: str, mode: str) -> Tried | str:
        try:
            (tried,) = await self._compare.in_modes(text, [mode], agent=self._agent)
        except TriptychError as error:
            words = error_text(error.code, error.message, error.params)
            return f"{words.what} {words.do}".strip()
        return tried


class ModeColumn(QFrame):
    open_asked = Signal(str)

    def __init__(self, theme: Theme, mode: str, formats: Formats, highlighter: Highlighter) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self.answer = AnswerArea(formats, highlighter)
        self.answer.setAccessibleName(_("Answer of {mode}").format(mode=mode_title(mode)))
        self.state = SafeLabel(_("Waiting"), role="meta")
        self.state.setWordWrap(True)
        self.figures: dict[str, SafeLabel] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.space(2))
        self._grid.setVerticalSpacing(theme.space(0.25))
        self._grid.setColumnStretch(1, 1)
        self.open = QPushButton(_("Open this session"))
        self.open.setProperty("kind", "link")
        self.open.setAutoDefault(False)
        self.open.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(1), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(mode_title(mode), role="strong"))
        layout.addWidget(self.state)
        layout.addLayout(self._grid)
        layout.addWidget(self.answer, 1)
        layout.addWidget(self.open)

    def show_running(self) -> None:
        self.state.setText(_("Running…"))

    def show_error(self, text: str) -> None:
        self.state.setText(text)

    def show_tried(self, tried: Tried) -> None:
        if tried.session:
            self.open.show()
            self.open.clicked.connect(partial(self.open_asked.emit, tried.session))
        if tried.summary is None:
            self.show_error(tried.error)
            return
        self.state.setText("\n".join(filter(None, [outcome_words(tried.summary), fallback_words(tried.summary)])))
        for place, (name, value, tip) in enumerate(figures_of(tried.summary)):
            label = self.figures[name] = SafeLabel(value)
            set_safe_tooltip(label, tip)
            self._grid.addWidget(SafeLabel(name, role="meta"), place, 0)
            self._grid.addWidget(label, place, 1)
        self.answer.show_text(tried.summary.answer)


class AnswerArea(QScrollArea):
    """A Markdown text that scrolls in what room there is."""

    def __init__(self, formats: Formats, highlighter: Highlighter) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._inside = QWidget()
        self.body = MessageBody(self._inside, formats, highlighter)
        self.body.height_changed.connect(self._fit)
        self.setWidget(self._inside)
        self._inside.setAutoFillBackground(False)

    def show_text(self, text: str) -> None:
        self.body.load(text)
        self._fit()

    def _fit(self) -> None:
        width = self.viewport().width()
        height = self.body.wanted(width)
        self.body.setGeometry(0, 0, width, height)
        self._inside.resize(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def outcome_words(summary: RunSummary) -> str:
    """Stop reasons are written small, codes of errors large."""
    if summary.outcome.islower():
        return stop_title(summary.outcome)
    return error_text(summary.outcome, summary.outcome).what


def fallback_words(summary: RunSummary) -> str:
    """That another mode took over, so that nobody takes the figures for those of this one."""
    return notice_text(summary.fallback) if summary.fallback else ""


def figures_of(summary: RunSummary) -> list[tuple[str, str, str]]:
    """Name, value, and what a tool tip adds."""
    used = summary.usage
    tokens = f"{used.total:,}" if used.exact else _("{tokens} (estimated)").format(tokens=f"{used.total:,}")
    in_out = _("{input:,} read, {output:,} written").format(input=used.input, output=used.output)
    return [
        (_("Steps"), str(summary.steps), ""),
        (_("Tools"), str(len(summary.tools)), ", ".join(summary.tools)),
        (_("Tokens"), tokens, in_out),
        (_("Time"), seconds_text(summary.seconds), ""),
    ]

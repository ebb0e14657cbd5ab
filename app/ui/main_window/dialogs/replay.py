"""A stored run played once more: the answer on the left, the reasoning on the right, as they came."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.core.run.event_line import Stamped
from app.core.run.events import LoopStart, ToolCalled
from app.core.run.view import RunView
from app.core.text.i18n import _
from app.core.text.moments import time_text
from app.core.wording.tools import look_up
from app.ui.chat.rows.items import NotePart, Part, Row, UserRow
from app.ui.chat.view import ChatView
from app.ui.reasoning import ReasoningPane
from app.ui.run_presenter.answer import AnswerBuilder
from app.ui.run_presenter.canvas import LiveCanvas
from app.ui.run_presenter.player import Player
from app.ui.run_presenter.stored import AgentLabel, blank_row
from app.ui.texts import fault_text, mode_title, seconds_text
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo
from app.ui.widgets.fit import open_at
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn, starting

if TYPE_CHECKING:
    from app.services.runs.runs import RunRow, RunService

_SPEEDS = (1.0, 4.0)
_ANSWER = "replayed"
_LONGEST_TITLE = 28


class ReplayWindow(QDialog):
    """`session` limits the choice to its runs; "" = the newest of all."""

    again_asked = Signal(object, int, bool)
    """The RunRow once more from a step on, or from a step of its plan if it says so; offered after `offer_again`."""

    def __init__(
        self,
        runs: RunService,
        faces: Mapping[str, AgentLabel],
        theme: Theme,
        *,
        spawn: Spawn,
        session: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("replayWindow")
        self.setWindowTitle(_("Replay"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._runs, self._faces, self._spawn = runs, faces, spawn
        self._session = session
        self._row: RunRow | None = None
        self._lines: Sequence[Stamped] = ()
        self._question = ""
        self._answer: AnswerBuilder | None = None
        self._view = RunView()
        self.player = Player(self)
        self.player.played.connect(self._show)
        self.player.changed.connect(self._tell)
        self.chat = ChatView(theme)
        self.pane = ReasoningPane(theme, spawn=spawn)
        self.pane.calls_wanted.connect(starting(spawn, self._show_calls))
        self._theme = theme
        self.told = SafeLabel(role="meta")
        split = QSplitter()
        split.addWidget(self.chat)
        split.addWidget(self.pane)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        split.setChildrenCollapsible(False)
        split.setSizes([theme.space(86), theme.space(50)])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._build_bar(theme))
        layout.addWidget(split, 1)
        open_at(self, theme.space(136), theme.space(86))
        self.finished.connect(self._close_down)
        self._tell()
        spawn(self._list())

    def _build_bar(self, theme: Theme) -> QHBoxLayout:
        self.choice = CalmCombo()
        self.choice.setAccessibleName(_("Run"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.setMaximumWidth(theme.space(50))
        self.choice.currentIndexChanged.connect(self._chosen)
        self.speed = CalmCombo()
        self.speed.setAccessibleName(_("Speed"))
        for speed in _SPEEDS:
            self.speed.addItem(f"{speed:g}×", speed)
        self.speed.currentIndexChanged.connect(self._set_speed)
        self.play = self._button(theme, "play", self._play_or_pause)
        self.step = IconButton(theme, "chevron-right", _("One event on"), size=18)
        self.step.clicked.connect(self.player.step)
        self.again = IconButton(theme, "refresh", _("From the beginning"), size=18)
        self.again.clicked.connect(self._restart)
        self.end = IconButton(theme, "skip", _("To the end"), size=18)
        self.end.clicked.connect(self.player.to_end)
        self.from_here = self._button(theme, "fork", self._run_again, _("Run again from here"))
        self.from_here.hide()
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1))
        bar.setSpacing(theme.space(1))
        for widget in (self.again, self.play, self.step, self.end, self.speed):
            bar.addWidget(widget)
        bar.addWidget(self.told, 1)
        bar.addWidget(self.from_here)
        bar.addWidget(self.choice)
        return bar

    def _button(self, theme: Theme, icon: str, then: Any, name: str = "") -> QPushButton:
        button = QPushButton(theme.icon(icon, "text"), name)
        button.setAutoDefault(False)
        button.clicked.connect(then)
        return button

    def offer_again(self) -> None:
        """Somebody runs it once more."""
        self.from_here.show()

    # ------------------------------------------------------------ which run

    async def _list(self) -> None:
        rows = await self._runs.rows(self._session or None)
        if not shiboken6.isValid(self):
            return
        for row in rows:
            title = run_title(row, self._faces, is_one_session=bool(self._session))
            self.choice.addItem(title, row)
        if not rows:
            self.told.setText(_("There is no run to replay yet."))

    def _chosen(self, _place: int) -> None:
        row: RunRow | None = self.choice.currentData()
        if row is not None:
            self._spawn(self._load(row))

    async def _load(self, row: RunRow) -> None:
        try:
            lines = await self._runs.events(row.id)
            await look_up(line.event.name for line in lines if isinstance(line.event, ToolCalled))
        except TriptychError as error:
            if shiboken6.isValid(self):
                self.told.setText(fault_text(error))
            return
        if not shiboken6.isValid(self) or self.choice.currentData() != row:
            return
        # As it was asked then, also where the conversation has another question there by now.
        questions = [line.event.query for line in lines[:1] if isinstance(line.event, LoopStart)]
        self._question, self._lines = "".join(questions), lines
        self._agent, self._row = row.agent, row
        self._restart()

    async def _show_calls(self) -> None:
        """All requests of the run, wherever the replay is: they were stored by the run, not by the event."""
        row = self._row
        if row is None:
            return
        try:
            calls = await self._runs.requests(row.id)
        except TriptychError:
            calls = []
        if shiboken6.isValid(self) and self._row is row:
            self.pane.raw.show_calls(calls)

    # ------------------------------------------------------------ playing

    def _set_speed(self) -> None:
        self.player.set_speed(self.speed.currentData())

    def _restart(self) -> None:
        rows: list[Row] = [UserRow("question", self._question)] if self._question else []
        self.chat.set_rows([*rows, blank_row(_ANSWER, self._agent, self._faces, 0.0, busy=True)])
        self.pane.clear()
        self._view = RunView()
        self._answer = AnswerBuilder(_Canvas(self.chat, _ANSWER))
        self.player.load(self._lines)

    def _play_or_pause(self) -> None:
        if self.player.is_playing:
            self.player.pause()
        else:
            if self.player.is_over:
                self._restart()
            self.player.play()

    def _run_again(self) -> None:
        step, is_plan_step = step_at(self._view)
        if self._row is not None:
            self.player.pause()
            self.again_asked.emit(self._row, step, is_plan_step)

    def _show(self, line: Stamped) -> None:
        if self._answer is None or line.parent:
            return  # what a run inside this one did is told by its own log
        changes = self._view.apply(line.event, line.t)
        self._answer.show(self._view, changes)
        self.pane.show_changes(self._view, changes, live=False)

    def _tell(self) -> None:
        player, has_run = self.player, bool(self._lines)
        self.play.setText(_("Pause") if player.is_playing else _("Play"))
        self.play.setIcon(self._theme.icon("pause" if player.is_playing else "play", "text"))
        for button in (self.play, self.again, self.from_here):
            button.setEnabled(has_run)
        step, is_plan_step = step_at(self._view)
        words = _("Run again from plan step {n}") if is_plan_step else _("Run again from request {n}")
        self.from_here.setText(words.format(n=step))
        self.from_here.setAccessibleName(words.format(n=step))
        for button in (self.step, self.end):
            button.setEnabled(not player.is_over)
        if has_run:
            t = self._lines[player.place - 1].t if player.place else 0.0
            words = _("Event {n} of {count} · {time}")
            self.told.setText(words.format(n=player.place, count=player.count, time=seconds_text(t)))

    def _close_down(self) -> None:
        self.player.pause()
        self.chat.close_down()


class _Canvas(LiveCanvas):
    """Without buttons: what is replayed cannot be asked again from here."""

    def put(self, part: Part, after: str = "") -> None:
        super().put(replace(part, actions=()) if isinstance(part, NotePart) else part, after)

    def set(self, **fields: Any) -> None:
        fields.pop("actions", None)
        super().set(**fields)


def step_at(view: RunView) -> tuple[int, bool]:
    """The step the run has come to, and whether it is one of its plan; the first at the beginning."""
    return (view.plan_step, True) if view.plan_step else (view.step or 1, False)


def run_title(row: RunRow, faces: Mapping[str, AgentLabel], *, is_one_session: bool = False) -> str:
    """What tells it from others: within one session its agent, among all runs its session."""
    when = time_text(row.started, "%Y-%m-%d %H:%M:%S")
    agent = faces[row.agent].name if row.agent in faces else row.agent
    title = "" if is_one_session else row.title
    short = title if len(title) <= _LONGEST_TITLE else f"{title[: _LONGEST_TITLE - 1]}…"
    return visible(" · ".join(filter(None, (short or agent, mode_title(row.mode), when))))

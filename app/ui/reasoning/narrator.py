"""Events become entries of the outline, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from PySide6.QtCore import QObject, QTimer

from app.core.run.chat_model import Usage
from app.core.run.events import (
    Discard,
    LoopEnd,
    LoopError,
    PhaseStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    Retry,
    RoundStart,
    RoundVerdict,
    RunEvent,
    StepEnd,
    StepStart,
    SubRun,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
)
from app.core.run.plan import PlanStep
from app.core.run.view.items import EndItem, NoteEvent
from app.core.text.i18n import _, ngettext
from app.core.wording.figures import kept_text
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.bodies import ResultSource, StepBody, ThinkingBody, ToolCallBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.lines import EventLine, end_line, note_line
from app.ui.reasoning.outline import Outline
from app.ui.reasoning.round_head import RoundHead
from app.ui.reasoning.thoughts import Thoughts
from app.ui.theme import Theme
from app.ui.widgets.spawn import Spawn

_OPENED_LINES = 24


class _Call:
    def __init__(self, entry: OutlineEntry, call: ToolCalled) -> None:
        self.entry, self.call = entry, call
        self.result: ToolReturned | None = None

    def text(self) -> str:
        arguments_text = words.pretty_args(self.call.args)
        return f"{arguments_text}\n→ {self.result.text or self.result.summary}" if self.result else arguments_text


class Narrator(QObject):
    """Knows what is open: the step, the calls that wait, the countdown of a retry."""

    def __init__(self, outline: Outline, theme: Theme, spawn: Spawn) -> None:
        super().__init__(outline)
        self.theme = theme
        self.source: ResultSource | None = None
        self.raise_limit: Callable[[int], None] | None = None
        """Lets the model read so many characters of a result from the next turn on."""
        self.run_again: Callable[[int], None] | None = None
        """Runs the whole once more from a step on."""
        self._outline, self._spawn = outline, spawn
        self._thoughts = Thoughts(theme, self._entry, outline.remove, self)
        self._countdown = QTimer(self)
        self._countdown.setInterval(1_000)
        self._countdown.timeout.connect(self._count_down)
        self.clear()

    def clear(self) -> None:
        self._countdown.stop()
        self._thoughts.clear()
        self._calls: dict[str, _Call] = {}
        self._steps: dict[int, OutlineEntry] = {}
        self._planned: dict[int, PlanStep] = {}
        self._plan_steps: dict[int, OutlineEntry] = {}
        self._plan: OutlineEntry | None = None
        self._retry: tuple[OutlineEntry, Retry, int] | None = None
        self._step = self._round = self._round_limit = 0
        self._head: RoundHead | None = None
        self._now = self._round_began = 0.0
        self._usage, self._round_usage = Usage(), Usage()

    def set_theme(self, theme: Theme) -> None:
        self.theme = self._thoughts.theme = theme

    def apply(self, event: RunEvent, t: float = 0.0, *, live: bool) -> None:
        self._now = max(self._now, t)
        match event:
            case Token(step, text):
                self._thoughts.say(step, text)
            case Thinking(step, text):
                self._thoughts.think(step, text, live=live)
            case _:
                self._thoughts.flush()
                self._end_retry()
                self._tell(event, live)

    def _tell(self, event: RunEvent, live: bool) -> None:
        match event:
            case PhaseStart() | StepStart() | StepEnd():
                self._thoughts.close()
                self._pace(event)
            case RoundStart(number, limit):
                self._thoughts.close()
                self._round, self._round_limit = number, limit
                self._head = self._outline.begin_round(number, texts.round_title(number, limit))
                self._round_began, self._round_usage = self._now, Usage()
            case RoundVerdict(round=number):
                if self._head is None:  # of a run that was cut short before it
                    self._head = self._outline.begin_round(number, texts.round_title(number, number))
                self._head.judge(event, self._round_limit or number)
            case Discard(step):
                self._thoughts.discard(step)
            case Reclassify(step, to):
                self._thoughts.reclassify(step, to, live=live)
            case PlanMade():
                self._thoughts.close()
                self._show_plan(event)
            case PlanStepChanged():
                self._change_plan_step(event)
            case ToolCalled():
                self._thoughts.close()
                self._called(event)
            case ToolStarted():
                self._started(event)
            case ToolReturned():
                self._returned(event)
            case Retry():
                self._wait(event, live)
            case LoopEnd() | LoopError():
                self._thoughts.close()
                self._finish(event)
            case Thinking() | Token():
                pass  # `apply` had them: they come by the thousand
            case _:
                self._fact(event)

    # ------------------------------------------------------------ entries

    def _entry(self, step: int = 0) -> OutlineEntry:
        entry = OutlineEntry(self.theme, step=step or self._step)
        self._outline.add(entry)
        return entry

    def _add(self, line: EventLine) -> OutlineEntry:
        entry = self._entry()
        entry.describe(line.icon, line.token, line.title, note=line.note, detail=line.detail, aside=line.aside)
        if text := line.text:
            entry.set_body(lambda: ThinkingBody(self.theme, text, lines=_OPENED_LINES))
            entry.set_plain(lambda: text)
        return entry

    def _fact(self, event: NoteEvent | SubRun) -> None:
        if isinstance(event, SubRun):
            self._add(EventLine("fork", "muted", _("Asks another agent"), note=event.agent))
        else:
            self._add(note_line(event))

    def _pace(self, event: PhaseStart | StepStart | StepEnd) -> None:
        match event:
            case PhaseStart(phase, title):
                self._outline.start_section()
                detail = texts.intent_title(title) if phase == "understanding" else title
                self._add(EventLine(words.PHASE_ICONS[phase], "accent", texts.phase_title(phase), detail=detail))
            case StepStart(step, limit, offered):
                self._step = step
                self._outline.start_section()
                note = ngettext("{n} tool offered", "{n} tools offered", offered).format(n=offered) if offered else ""
                title = _("Step {n} of {limit}").format(n=step, limit=limit)
                self._steps[step] = self._add(EventLine("circle", "accent", title, note=note))
            case StepEnd(step):
                self._thoughts.forget_said(step)
                self._count(event.usage)
                if entry := self._steps.get(step):
                    parts = [words.tokens(event.usage)] if event.usage.total else []
                    if event.ms:
                        parts.append(words.milliseconds(event.ms))
                    entry.describe("circle", "muted", entry.line.title, aside=" · ".join(parts))
                    entry.set_body(lambda: StepBody(self.theme, event, self.run_again))
            case _:
                assert_never(event)

    # ------------------------------------------------------------ tools

    def _called(self, event: ToolCalled) -> None:
        entry = self._entry(event.step)
        entry.call = event.id
        call = self._calls[event.id] = _Call(entry, event)
        entry.describe("circle", "muted", event.name, note=words.short_args(event.args))
        entry.set_body(
            lambda: ToolCallBody(
                self.theme, event, call.result, source=self.source, spawn=self._spawn, raise_limit=self.raise_limit
            )
        )
        entry.set_plain(call.text)

    def _started(self, event: ToolStarted) -> None:
        if call := self._calls.get(event.id):
            note = words.short_args(call.call.args)
            call.entry.describe("play", "accent", event.name, note=note, aside=texts.status_title("running"))

    def _returned(self, event: ToolReturned) -> None:
        call = self._calls.get(event.id)
        if call is None:
            return
        call.result = event
        icon, token = words.CALL_ICONS[event.status]
        aside = words.milliseconds(event.ms) if event.ms else ""
        if event.status != "ok":
            aside = f"{texts.status_title(event.status)} · {aside}" if event.ms else texts.status_title(event.status)
        elif event.age is not None:
            aside = kept_text(event.age)
        elif event.cached:
            aside = _("from the cache")
        if event.truncated:
            aside = " · ".join(part for part in (_("cut"), aside) if part)
        note = words.short_args(call.call.args)
        call.entry.describe(icon, token, event.name, note=note, detail=event.summary, aside=aside)
        call.entry.renew_body()

    # ------------------------------------------------------------ plan and rounds

    def _show_plan(self, event: PlanMade) -> None:
        self._planned = {step.step: step for step in event.steps}
        if self._plan is None:
            self._plan = self._entry()
        text = "\n".join([event.goal, *(f"{step.step}. {step.description}" for step in event.steps)])
        self._plan.describe("list", "muted", _("Plan steps"), note=words.steps(len(event.steps)), detail=event.goal)
        self._plan.set_body(lambda: ThinkingBody(self.theme, text, lines=_OPENED_LINES))
        self._plan.set_plain(lambda: text)

    def _change_plan_step(self, event: PlanStepChanged) -> None:
        if event.status == "pending":
            return
        entry = self._plan_steps.get(event.step)
        if entry is None:
            self._outline.start_section()
            entry = self._plan_steps[event.step] = self._entry()
        step = self._planned.get(event.step)
        icon, token = words.PLAN_STEP_ICONS[event.status]
        title = f"{event.step}. {step.description}" if step else f"{event.step}."
        entry.describe(icon, token, title, detail=event.error or "", aside=texts.status_title(event.status))

    def _count(self, usage: Usage) -> None:
        self._usage += usage
        self._round_usage += usage
        if self._head is not None:
            self._head.count(self._round_usage, self._now - self._round_began, self._usage)

    # ------------------------------------------------------------ waiting and the end

    def _wait(self, event: Retry, live: bool) -> None:
        entry = self._add(EventLine("refresh", "warn", texts.retry_text(event.attempt, event.code), detail=event.why))
        self._retry = (entry, event, round(event.wait))
        if live:
            self._countdown.start()
            self._tell_retry()

    def _count_down(self) -> None:
        if self._retry:
            entry, event, left = self._retry
            self._retry = (entry, event, max(0, left - 1))
            self._tell_retry()

    def _tell_retry(self) -> None:
        if self._retry:
            entry, event, left = self._retry
            aside = _("in {n} s").format(n=left) if left else _("now")
            entry.describe("refresh", "warn", entry.line.title, detail=event.why, aside=aside)

    def _end_retry(self) -> None:
        self._countdown.stop()
        if self._retry:
            entry, event, _left = self._retry
            self._retry = None
            entry.describe("refresh", "muted", entry.line.title, detail=event.why)

    def _finish(self, event: LoopEnd | LoopError) -> None:
        self._outline.end_round()
        self._outline.start_section()
        succeeded = sum(call.result is not None and call.result.ok for call in self._calls.values())
        self._add(end_line(EndItem(0, self._step, self._now, event, self._round, succeeded)))

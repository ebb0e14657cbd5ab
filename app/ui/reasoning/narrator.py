"""The items of a run become entries of the outline, and stay what the items are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.core.run.events import StepEnd
from app.core.run.view import (
    CallItem,
    EndItem,
    Item,
    ItemChange,
    NoteItem,
    PhaseItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    StepItem,
    SubRunItem,
    TextItem,
)
from app.core.text.i18n import _, ngettext
from app.core.tools.card import asks_person
from app.core.wording.figures import kept_text, took_text
from app.core.wording.runs import phase_detail
from app.core.wording.tools import tool_title
from app.ui import texts
from app.ui.reasoning import words
from app.ui.reasoning.bodies import ResultSource, StepBody, ThinkingBody, ToolCallBody
from app.ui.reasoning.entry import OutlineEntry
from app.ui.reasoning.lines import EventLine, end_line, note_line
from app.ui.reasoning.outline import Outline
from app.ui.reasoning.round_head import RoundHead
from app.ui.reasoning.thoughts import Thoughts
from app.ui.theme import Theme
from app.ui.widgets.safe_text import set_safe_tooltip
from app.ui.widgets.spawn import Spawn

_OPENED_LINES = 24


class Narrator(QObject):
    """Knows which entry shows which item, and counts down to the next try."""

    limit_raised = Signal(int)
    """The model is to read so many characters of a result from the next turn on."""
    again_asked = Signal(int)
    try_asked = Signal(int)
    """Run the whole once more from this step on."""

    def __init__(self, outline: Outline, theme: Theme, spawn: Spawn) -> None:
        super().__init__(outline)
        self.theme = theme
        self.source: ResultSource | None = None
        """Where the whole text of a cut result comes from: call id → text, None, or an awaitable of these."""
        self.offers_again = False
        """Whether somebody hears `again_asked`."""
        self._outline, self._spawn = outline, spawn
        self._thoughts = Thoughts(outline, theme)
        self._countdown = QTimer(self)
        self._countdown.setInterval(1_000)
        self._countdown.timeout.connect(self._count_down)
        self.clear()

    def clear(self) -> None:
        self._countdown.stop()
        self._thoughts.clear()
        self._entries: dict[int, OutlineEntry] = {}
        self._heads: dict[int, RoundHead] = {}
        self._plan_steps: dict[int, tuple[PlanStepItem, CallItem | None]] = {}
        """By their number; and the call that serves it, which is one entry with it."""
        self._retry: tuple[RetryItem, int] | None = None
        """And the seconds that are left."""

    def set_theme(self, theme: Theme) -> None:
        self.theme = self._thoughts.theme = theme

    def show_changes(self, changes: Iterable[ItemChange], *, live: bool) -> None:
        for what, item, text in changes:
            if isinstance(item, TextItem):
                if item.role == "thinking":
                    self._thoughts.show_change(what, item, text, live=live)
                continue
            self._thoughts.flush()
            if what == "added":
                self._add(item, live)
            elif what == "changed":
                self._change(item)

    def _add(self, item: Item, live: bool) -> None:
        match item:
            case PhaseItem(phase=phase, title=title):
                self._outline.drop_empty_head()
                self._outline.start_section()
                detail = texts.intent_title(title) if phase == "understanding" else phase_detail(title)
                line = EventLine(words.PHASE_ICONS[phase], "accent", texts.phase_title(phase), detail=detail)
                self._line(item, line).line.is_head = True
            case StepItem() if item.limit:
                self._step(item)
            case RoundItem():
                self._heads[item.key] = self._outline.begin_round(item)
            case CallItem():
                self._call(item)
            case PlanItem():
                self._entries[item.key] = self._entry(item.step)
                self._change(item)
            case PlanStepItem():
                self._outline.start_section()
                self._entries[item.key] = self._entry(item.step)
                self._plan_steps[item.number] = (item, None)
                self._change(item)
            case RetryItem():
                self._wait(item, live)
            case SubRunItem(agent=agent):
                self._line(item, EventLine("fork", "muted", _("Asks another agent"), note=agent))
            case NoteItem():
                self._line(item, note_line(item.event))
            case EndItem():
                self._outline.end_round()
                self._outline.start_section()
                self._line(item, end_line(item))
            case _:
                pass

    def _change(self, item: Item) -> None:
        entry = self._entries.get(item.key)
        match item:
            case RoundItem() if item.key in self._heads:
                self._heads[item.key].show_round(item)
            case StepItem() if entry is not None:
                self._step_ended(entry, item)
            case CallItem() if entry is not None:
                self._describe_call(entry, item)
            case PlanItem() if entry is not None:
                self._show_plan(entry, item)
            case PlanStepItem() if entry is not None:
                self._show_plan_step(entry, item)
            case RetryItem() if entry is not None:
                self._end_retry(entry, item)
            case _:
                pass

    # ------------------------------------------------------------ entries

    def _entry(self, step: int) -> OutlineEntry:
        entry = OutlineEntry(self.theme, step=step)
        self._outline.add(entry)
        return entry

    def _line(self, item: Item, line: EventLine) -> OutlineEntry:
        entry = self._entries[item.key] = self._entry(item.step)
        entry.describe(line.icon, line.token, line.title, note=line.note, detail=line.detail, aside=line.aside)
        if text := line.text:
            entry.set_body(partial(self._text_body, text))
            entry.set_plain(text)
        return entry

    def _text_body(self, text: str) -> ThinkingBody:
        return ThinkingBody(self.theme, text, lines=_OPENED_LINES)

    def _step(self, item: StepItem) -> None:
        self._outline.start_section()
        offered = item.tools_offered
        note = ngettext("{n} tool offered", "{n} tools offered", offered).format(n=offered) if offered else ""
        title = _("Request {n} of {limit}").format(n=item.step, limit=item.limit)
        self._step_ended(self._line(item, EventLine("circle", "accent", title, note=note)), item)

    def _step_ended(self, entry: OutlineEntry, item: StepItem) -> None:
        if (end := item.end) is None:
            return
        parts = [words.tokens(end.usage)] if end.usage.total else []
        if end.ms:
            parts.append(took_text(end.ms))
        entry.describe("circle", "muted", entry.line.title, aside=" · ".join(parts))
        entry.set_body(partial(self._step_body, end))

    def _call(self, item: CallItem) -> None:
        entry = self._entries[item.key] = self._entry_of_plan(item) or self._entry(item.step)
        entry.call = item.call.id
        entry.set_body(partial(self._call_body, item))
        entry.set_plain(partial(_call_text, item))
        self._describe_call(entry, item)

    def _entry_of_plan(self, item: CallItem) -> OutlineEntry | None:
        """Of the plan step that this call is: what is one step for a person is told once. Calls of a step that thinks,
        and a second call for a step, stand by themselves."""
        step, served_by = self._plan_steps.get(item.plan_step, (None, None))
        if step is None or served_by is not None or step.plan_step is None or step.plan_step.action != item.call.name:
            return None
        self._plan_steps[item.plan_step] = (step, item)
        entry = self._entries[step.key]
        entry.step = item.step
        return entry

    def _show_plan_step(self, entry: OutlineEntry, item: PlanStepItem) -> None:
        _step, call = self._plan_steps.get(item.number, (item, None))
        if call is not None:
            self._describe_call(entry, call)
            return
        icon, token = words.PLAN_STEP_ICONS[item.status]
        title = f"{item.number}. {item.plan_step.description}" if item.plan_step else f"{item.number}."
        entry.describe(icon, token, title, detail=item.error, aside=texts.status_title(item.status))

    def _step_body(self, step: StepEnd) -> StepBody:
        body = StepBody(self.theme, step, offers_again=self.offers_again)
        body.again_asked.connect(self.again_asked)
        body.try_asked.connect(self.try_asked)
        return body

    def _call_body(self, item: CallItem) -> ToolCallBody:
        body = ToolCallBody(self.theme, item, source=self.source, spawn=self._spawn)
        body.limit_raised.connect(self.limit_raised)
        return body

    def _describe_call(self, entry: OutlineEntry, item: CallItem) -> None:
        result, note = item.result, words.short_args(item.call.args)
        name = tool_title(item.call.name)
        set_safe_tooltip(entry.line, item.call.name if name != item.call.name else "")
        _step, served_by = self._plan_steps.get(item.plan_step, (None, None))
        if served_by is item:
            name = f"{item.plan_step}. {name}"
        if result is None:
            if item.is_started:
                entry.describe("play", "accent", name, note=note, aside=texts.status_title("running"))
            else:
                entry.describe("circle", "muted", name, note=note)
            return
        icon, token = words.CALL_ICONS[result.status]
        aside = took_text(result.ms) if result.ms else ""
        if result.status == "error" and asks_person(result.card):
            icon, token = "question", "accent"
        elif result.status != "ok":
            aside = " · ".join(part for part in (texts.status_title(result.status), aside) if part)
        elif result.age is not None:
            aside = kept_text(result.age)
        elif result.cached:
            aside = _("from the cache")
        if result.truncated:
            aside = " · ".join(part for part in (_("cut"), aside) if part)
        entry.describe(icon, token, name, note=note, detail=result.summary, aside=aside)
        entry.renew_body()

    def _show_plan(self, entry: OutlineEntry, item: PlanItem) -> None:
        plan = item.plan
        text = "\n".join([plan.goal, *(f"{step.step}. {step.description}" for step in plan.steps)])
        if entry.plain() == text:
            return  # only the status of a step is another
        entry.describe("list", "muted", _("Plan steps"), note=words.steps(len(plan.steps)), detail=plan.goal)
        entry.set_body(partial(self._text_body, text))
        entry.set_plain(text)

    # ------------------------------------------------------------ waiting for another try

    def _wait(self, item: RetryItem, live: bool) -> None:
        event = item.event
        title = texts.retry_text(event.attempt, event.code)
        entry = self._line(item, EventLine("refresh", "warn", title, detail=event.why))
        if item.ended is not None:
            self._end_retry(entry, item)
        elif live:
            self._retry = item, round(event.wait)
            self._countdown.start()
            self._show_countdown()

    def _count_down(self) -> None:
        if self._retry is not None:
            item, left = self._retry
            self._retry = item, max(0, left - 1)
            self._show_countdown()

    def _show_countdown(self) -> None:
        if self._retry is not None:
            item, left = self._retry
            entry = self._entries[item.key]
            aside = _("in {n} s").format(n=left) if left else _("now")
            entry.describe("refresh", "warn", entry.line.title, detail=item.event.why, aside=aside)

    def _end_retry(self, entry: OutlineEntry, item: RetryItem) -> None:
        self._countdown.stop()
        self._retry = None
        entry.describe("refresh", "muted", entry.line.title, detail=item.event.why)


def _call_text(item: CallItem) -> str:
    arguments_text, result = words.pretty_args(item.call.args), item.result
    if tool_title(item.call.name) != item.call.name:  # who knows the tool by its id finds it
        arguments_text = f"{item.call.name}\n{arguments_text}"
    return f"{arguments_text}\n→ {result.text or result.summary}" if result else arguments_text

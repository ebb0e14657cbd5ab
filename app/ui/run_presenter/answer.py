"""The state of a run becomes the row of its answer: change by change while it runs, all at once when it is stored.

What the row shows is decided here; how it is drawn is the chat's. A canvas takes the strokes:
the live one hands them to the chat view, the other gathers them into a finished row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from app.core.run.analysis.round_report import round_report
from app.core.run.events import ToolReturned, Understood
from app.core.run.mode import ACTION, AUTO, PLAN, REACT, mode_ids
from app.core.run.outcome import INTERRUPTED, outcome_of
from app.core.run.plan import PlanStep
from app.core.run.view import (
    CallItem,
    EndItem,
    ItemChange,
    NoteItem,
    PhaseItem,
    PlanItem,
    PlanStepItem,
    RetryItem,
    RoundItem,
    RunView,
    TextItem,
    WaitItem,
    WorkSummary,
    work_summary,
)
from app.core.skills import SKILL_TOOLS
from app.core.text.i18n import _
from app.core.tools.card import asks_person
from app.core.wording.mended import mended_text
from app.ui import texts
from app.ui.chat.rows.items import (
    Action,
    CardPart,
    HelperRun,
    Level,
    NotePart,
    Part,
    Pause,
    RoundPart,
    ToolPart,
    ToolState,
)
from app.ui.chat.rows.row_actions import AskAgainIn, Follow, Plain, ShowFacts
from app.ui.reasoning.lines import note_line
from app.ui.run_presenter.plan_rows import PlanRows

TOOL_STATES: Mapping[str, ToolState] = {
    "ok": "done",
    "repeat": "done",
    "error": "failed",
    "denied": "skipped",
    "blocked": "skipped",
    "interrupted": "stopped",
    "unknown": "unknown",
}
_RAN = ("ok", "error")


def tool_state(result: ToolReturned) -> ToolState:
    if result.status == "error" and asks_person(result.card):
        return "asks"
    return TOOL_STATES.get(result.status, "done")


_WORK = (CallItem, RoundItem, PlanItem, PlanStepItem, WaitItem, EndItem)


class AnswerCanvas(Protocol):
    def text(self, part_id: str, delta: str) -> None: ...
    def put(self, part: Part, after: str = "") -> None:
        """The next state of a part, or a new one: behind the part `after`, else at the end."""

    def take(self, part_id: str) -> None: ...
    def remark(self, part_id: str) -> None:
        """A text belongs to the step it was said in, not to the answer."""

    def set(self, **fields: Any) -> None: ...
    def plan(self, goal: str, steps: Sequence[PlanStep]) -> None: ...


class AnswerBuilder:
    def __init__(self, canvas: AnswerCanvas) -> None:
        self._canvas = canvas
        self._work: WorkSummary | None = None
        self._plan_rows = PlanRows(canvas)

    def show_all(self, view: RunView) -> None:
        """A run as it stands, on an empty canvas."""
        self.show(view, [ItemChange("added", item) for item in view.items])

    def show(self, view: RunView, changes: Sequence[ItemChange]) -> None:
        for what, item, text in changes:
            match item:
                case TextItem(role="visible"):
                    if what == "removed":
                        self._canvas.take(f"text-{item.key}")
                        continue
                    if what != "changed":
                        self._canvas.text(f"text-{item.key}", text if what == "grew" else item.text)
                    if item.is_remark and what != "grew":
                        self._canvas.remark(f"text-{item.key}")
                case CallItem() if what == "grew":
                    self._canvas.text(_written_id(item), text)
                case CallItem():
                    self._call(view, item, what)
                    self._rounds(view, item.round if item.result is not None else 0)
                case RoundItem():
                    self._canvas.put(_round(view, item))
                case NoteItem():
                    self._note(view, item)
                case RetryItem():
                    self._retry(what, item)
                case PlanItem(plan=plan):
                    self._canvas.plan(plan.goal, plan.steps)
                    self._plan_rows.show(view)
                case PhaseItem():
                    self._plan_rows.show(view)
                case EndItem():
                    self._end(view, item)
                case _:
                    pass
        if any(isinstance(item, _WORK) and what != "grew" for what, item, _text in changes):
            self._count(view)

    def _count(self, view: RunView) -> None:
        """Told when a figure of the work changes; the seconds count by themselves while it is running."""
        work = work_summary(view)
        if self._work is None or replace(work, seconds=0.0) != replace(self._work, seconds=0.0) or view.is_over:
            self._work = work
            self._canvas.set(work=work)

    def _call(self, view: RunView, item: CallItem, what: str) -> None:
        call, result = item.call, item.result
        part = ToolPart(
            f"call-{call.id}", call.name, "running" if item.is_started else "waiting", "", _pretty(call.args),
            mended=mended_text(call.mended),
            helpers=tuple(HelperRun(sub.run, sub.agent) for sub in item.sub_runs),
        )  # fmt: skip
        place = self._plan_rows.place_of(item)
        if result is not None:
            is_cut = result.truncated
            part = ToolPart(
                part.id,
                call.name,
                tool_state(result),
                summary=texts.status_title("unknown") if result.status == "unknown" else result.summary,
                arguments=part.arguments,
                mended=part.mended,
                helpers=part.helpers,
                result=result.text,
                kept=result.kept_chars if is_cut else 0,
                chars=result.chars if is_cut else 0,
                milliseconds=result.ms if result.status in _RAN and result.age is None else None,
                repeated=result.status == "repeat" or result.cached,
                age=result.age,
                plan_step=item.plan_step if result.status == "error" and not view.is_over else 0,
            )
        self._canvas.put(part, after=place)
        self._plan_rows.serve(view, item, part)
        if result is not None and item.written:
            self._canvas.take(_written_id(item))
        elif item.written and what == "added":
            self._canvas.text(_written_id(item), "".join(item.written))
        if result is not None and result.card:
            self._canvas.put(CardPart(f"card-{call.id}", result.card), after=part.id)
        if call.name in SKILL_TOOLS and result is not None and result.ok:
            self._canvas.set(skills=_skills(view))

    def _rounds(self, view: RunView, number: int = -1) -> None:
        """One of them again, or all: when the run is over the answer of each is known."""
        for item in view.rounds:
            if number in (-1, item.number):
                self._canvas.put(_round(view, item))

    def _note(self, view: RunView, item: NoteItem) -> None:
        if item.event is view.start:
            mode = view.start.mode
            self._canvas.set(mode=texts.mode_title(mode), mode_icon=texts.mode_icon(mode), is_action=mode == ACTION)
        elif item.event is view.chosen:
            chosen = view.chosen
            reason = texts.mode_choice(chosen.mode, chosen.reason, chosen.matched)
            icon = texts.mode_icon(chosen.mode)
            self._canvas.set(mode=texts.mode_title(chosen.mode), mode_icon=icon, mode_reason=reason)
        elif isinstance(item.event, Understood):
            self._canvas.set(understood=item.event.slots)
        elif (line := note_line(item.event)).remark:
            actions = (_way_out(line.action),) if line.action else ()
            if line.facts:
                actions = (Action(ShowFacts(line.facts), _("Memory ›"), is_link=True),)
            self._put_note(f"note-{item.key}", line.remark, line.level, actions)

    def _put_note(self, id: str, text: str, level: Level, actions: tuple[Action, ...]) -> None:
        self._canvas.put(NotePart(id, text, level, actions))

    def _retry(self, what: str, item: RetryItem) -> None:
        if item.ended is None:
            actions = (Action(Plain.RETRY_NOW, _("Retry now")), Action(Plain.STOP, _("Stop")))
            self._put_note("retry", texts.retry_text(item.event.attempt, item.event.code), "warn", actions)
            self._canvas.set(pause=Pause(item.t + item.event.wait, item.event.wait))
        elif what == "changed":
            self._canvas.take("retry")
            self._canvas.set(pause=None)

    # ------------------------------------------------------------ the end

    def _end(self, view: RunView, item: EndItem) -> None:
        self._rounds(view)
        self._plan_rows.show(view)
        if item.failure is not None:
            self._fail(view, item)
            return
        if item.answer.strip() and not view.text_of().rstrip().endswith(item.answer.strip()):
            # An answer that never streamed: the guard's fallback, a stored offline reply.
            self._canvas.text(f"text-{item.key}", item.answer)
        self._finish(view, item, texts.stop_title(item.stop_reason))

    def _fail(self, view: RunView, item: EndItem) -> None:
        failure = item.failure
        assert failure is not None
        if failure.reason == "cancelled":
            self._finish(view, item, texts.stopped_by_you(item.round, item.results))
            return
        error = failure.error
        text = texts.error_text(error.code, error.message, error.params)
        actions = [Action(Follow(way), texts.action_title(way)) for way in texts.ways_out(error.code)]
        if outcome_of(item.end).can_continue:
            again = Action(Follow("regenerate"), texts.action_title("regenerate"))
            actions = [
                Action(Plain.CONTINUE, _("Continue")),
                again,
                *(one for one in actions if one.what == Follow("model")),
            ]
        words = _unknown_words(view) if error.code == INTERRUPTED else []
        detail = texts.detail_text(error.code, error.message, error.params)
        if detail and detail not in text.what and error.code not in _SPEAKS_FOR_ITSELF:
            status = error.params.get("status")
            words.append(_("It says: {message}").format(message=f"{status} {detail}") if status else detail)
        level: Level = "warn" if texts.can_pass(error.code) else "error"
        hint = "\n".join(word for word in (*words, text.do) if word)
        self._canvas.put(NotePart("error", text.what, level, tuple(actions), hint, is_fault=True))
        self._finish(view, item, "")

    def _finish(self, view: RunView, item: EndItem, outcome: str) -> None:
        end = item.end
        actions = [Action(Plain.REGENERATE, texts.action_title("regenerate"))]
        if outcome_of(end).can_continue:
            actions.append(Action(Plain.CONTINUE, _("Continue")))
        if view.mode in (REACT, PLAN):
            if item.failure is None and item.stop_reason != "damaged":
                actions.append(Action(Plain.ONE_MORE_ROUND, _("One more round")))
            elif item.results:
                actions.append(Action(Plain.ANSWER_NOW, _("Answer now")))
        actions += [
            Action(Plain.FORK, _("Go on from here in a new session")),
            Action(Plain.GOOD, _("Good answer")),
            Action(Plain.BAD, _("Bad answer")),
            Action(Plain.REASONING, _("Show how it came about")),
            Action(Plain.DETAILS, _("Details of this answer")),
            Action(Plain.DELETE, _("Delete this message")),
        ]
        if view.mode:
            words = _("Ask again in {mode}")
            others = [mode for mode in mode_ids() if mode not in (AUTO, view.mode)]
            actions += [Action(AskAgainIn(mode), words.format(mode=texts.mode_title(mode))) for mode in others]
        self._canvas.set(
            busy=False,
            status="",
            answer=item.answer,
            stop_reason=outcome,
            seconds=end.seconds or None,
            tokens=(end.usage.input + end.usage.output) or None,
            actions=tuple(actions),
        )


def _skills(view: RunView) -> tuple[str, ...]:
    """Those that were loaded, each once, in their order."""
    used = [one.call for one in view.calls.values() if one.call.name in SKILL_TOOLS and one.result and one.result.ok]
    return tuple(dict.fromkeys(str(call.args.get("name", ""))[:80] for call in used))


def _written_id(item: CallItem) -> str:
    """What a tool writes stands behind its row while it runs; its result takes the place of it."""
    return f"written-{item.call.id}"


def _way_out(action: texts.NextAction) -> Action:
    """Of a remark: this answer once more, or what the sentence of an error would name."""
    return Action(Plain.REGENERATE if action == "regenerate" else Follow(action), texts.action_title(action))


_SPEAKS_FOR_ITSELF = frozenset({"NOT_CONFIGURED", "CANCELLED", "BUDGET", "BUDGET_SESSION", "BUDGET_DAY", INTERRUPTED})


def _round(view: RunView, item: RoundItem) -> RoundPart:
    return RoundPart(f"round-{item.number}", round_report(view, item))


def _unknown_words(view: RunView) -> list[str]:
    """Calls that were under way when the program ended: they are not made again by themselves."""
    calls = view.calls.values()
    names = [item.call.name for item in calls if item.result is not None and item.result.status == "unknown"]
    words = _("Whether {names} took effect is not known; it is not done again by itself.")
    return [words.format(names=", ".join(dict.fromkeys(names)))] if names else []


def _pretty(args: Mapping[str, Any]) -> str:
    return json.dumps(dict(args), ensure_ascii=False, indent=2, default=str) if args else ""

"""Events become the row of an answer, one by one; stored messages by the same way at once.

What the row shows is decided here; how it is drawn is the chat's. A canvas takes the strokes:
the live one hands them to the chat view, the other gathers them into a finished row.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, assert_never

from app.core.run import events as e
from app.core.run.mode import AUTO, PLAN, REACT, mode_ids
from app.core.run.outcome import INTERRUPTED, outcome_of
from app.core.run.plan import PlanStep
from app.core.text.i18n import _
from app.ui import texts
from app.ui.chat.rows.items import RERUN, Action, CardPart, Level, NotePart, Part, RoundPart, ToolPart, ToolState

RETRY_NOW, STOP = "retry_now", "stop"
CONTINUE, ONE_MORE, ANSWER_NOW = "continue", "one_more", "answer_now"

_TOOL_STATES: Mapping[str, ToolState] = {
    "ok": "done",
    "repeat": "done",
    "error": "failed",
    "denied": "skipped",
    "blocked": "skipped",
    "interrupted": "stopped",
    "unknown": "unknown",
}


_KEPT = ("ok", "repeat")
_RAN = ("ok", "error")


class AnswerCanvas(Protocol):
    def text(self, part_id: str, delta: str) -> None: ...
    def put(self, part: Part) -> None: ...
    def take(self, part_id: str) -> None: ...
    def set(self, **fields: Any) -> None: ...
    def plan(self, goal: str, steps: Sequence[PlanStep]) -> None: ...


class AnswerBuilder:
    def __init__(self, canvas: AnswerCanvas) -> None:
        self._canvas = canvas
        self._texts: dict[str, tuple[int, list[str]]] = {}
        """Visible text by part: its step, its pieces."""
        self._thoughts: dict[int, list[str]] = {}
        self._open = ""
        self._count = 0
        self._chosen: e.ModeSelected | None = None
        self._mode = ""
        self._calls: dict[str, ToolPart] = {}
        self._plan: dict[int, PlanStep] = {}
        self._goal = ""
        self._round = e.RoundStart(0, 0)
        self._results = 0
        self._retries = 0

    def apply(self, event: e.RunEvent) -> None:
        match event:
            case e.Token(step, text):
                self._say(step, text)
            case e.Thinking(step, text):
                self._thoughts.setdefault(step, []).append(text)
            case e.Discard(step):
                self._discard(step)
            case e.Reclassify(step, to):
                self._reclassify(step, to)
            case _:
                self._close_text(event)
                self._tell(event)

    # ------------------------------------------------------------ text

    def _say(self, step: int, text: str) -> None:
        if not self._open or self._texts[self._open][0] != step:
            self._count += 1
            self._open = f"text-{self._count}"
            self._texts[self._open] = (step, [])
        self._texts[self._open][1].append(text)
        self._canvas.text(self._open, text)

    def _close_text(self, event: e.RunEvent) -> None:
        """Text after something that shows begins a new part below it."""
        match event:
            case e.StepEnd() | e.StepStart() | e.PhaseStart() | e.LoopStart() | e.ApprovalAnswer() | e.Answer():
                pass
            case _:
                self._open = ""

    def _discard(self, step: int) -> None:
        for part_id in [id for id, (of, _pieces) in self._texts.items() if of == step]:
            del self._texts[part_id]
            self._canvas.take(part_id)
        self._thoughts.pop(step, None)
        self._open = ""

    def _reclassify(self, step: int, to: str) -> None:
        if to == "token":
            thought = "".join(self._thoughts.pop(step, []))
            if thought:
                self._say(step, thought)
            return
        text = "".join(piece for of, pieces in self._texts.values() if of == step for piece in pieces)
        thoughts = [*self._thoughts.get(step, []), text]
        self._discard(step)
        self._thoughts[step] = thoughts

    # ------------------------------------------------------------ everything else

    def _tell(self, event: e.RunEvent) -> None:
        match event:
            case e.LoopStart(mode=mode):
                self._mode = mode
                self._canvas.set(mode=texts.mode_title(mode))
            case e.ModeSelected(mode, reason, matched):
                self._chosen, self._mode = event, mode
                self._canvas.set(mode=texts.mode_choice(mode, reason, matched))
            case e.PlanMade(goal, steps):
                self._goal, self._plan = goal, {step.step: step for step in steps}
                self._canvas.plan(goal, steps)
            case e.PlanStepChanged():
                self._change_plan(event)
            case e.ToolCalled() | e.ToolStarted() | e.ToolReturned():
                self._tool(event)
            case e.RoundStart(number, limit):
                self._round = event
                self._canvas.put(RoundPart(f"round-{number}", texts.round_title(number, limit)))
            case e.RoundVerdict(number, verdict, missing):
                title = texts.verdict_title(number, self._round.limit, verdict, missing)
                self._canvas.put(RoundPart(f"round-{number}", title, ", ".join(event.next)))
            case e.Notice("damaged", text, params):
                again = (Action("regenerate", texts.action_title("regenerate")),)
                self._note(texts.notice_text("damaged", text, params), "error", again)
            case e.Notice(code, text, params):
                self._note(texts.notice_text(code, text, params))
            case e.Retry(attempt, _wait, code):
                self._retries += 1
                actions = (Action(RETRY_NOW, _("Retry now")), Action(STOP, _("Stop")))
                self._canvas.put(NotePart("retry", texts.retry_text(attempt, code), "warn", actions))
            case e.Compacted(before, after):
                self._note(texts.compacted_text(before, after))
            case e.BudgetLevel(kind, used, limit, scope=scope):
                self._note(texts.budget_text(kind, used, limit, scope), "warn")
            case e.Question(text=text):
                self._note(text)
            case e.Answer(text=""):
                pass  # nobody answered; the result of the tool says so
            case e.Answer(text=text) | e.Steered(text=text):
                self._note(_("You: {text}").format(text=text))
            case e.LoopEnd():
                self._end(event)
            case e.LoopError():
                self._fail(event)
            case e.StepEnd():
                self._clear_retry()
            case (
                e.PhaseStart()
                | e.StepStart()
                | e.Approval()
                | e.ApprovalAnswer()
                | e.SubRun()
                | e.Token()
                | e.Thinking()
                | e.Discard()
                | e.Reclassify()
            ):
                pass
            case _:
                assert_never(event)

    def _note(self, text: str, level: Level = "info", actions: tuple[Action, ...] = ()) -> None:
        self._count += 1
        self._canvas.put(NotePart(f"note-{self._count}", text, level, actions))

    def _clear_retry(self) -> None:
        if self._retries:
            self._retries = 0
            self._canvas.take("retry")

    def _change_plan(self, event: e.PlanStepChanged) -> None:
        if (step := self._plan.get(event.step)) is None:
            return
        self._plan[event.step] = PlanStep(
            step.step, step.action, step.params, step.description, step.needs, event.status, event.error or ""
        )
        self._canvas.plan(self._goal, tuple(self._plan.values()))

    def _tool(self, event: e.ToolCalled | e.ToolStarted | e.ToolReturned) -> None:
        part = self._calls.get(event.id) or ToolPart(f"call-{event.id}", event.name, "waiting")
        match event:
            case e.ToolCalled(args=args):
                part = replace(part, arguments=_pretty(args))
            case e.ToolStarted():
                part = replace(part, state="running")
            case e.ToolReturned():
                self._results += event.status in _KEPT
                part = replace(
                    part,
                    state=_TOOL_STATES.get(event.status, "done"),
                    summary=texts.status_title("unknown") if event.status == "unknown" else event.summary,
                    result=event.text,
                    kept=event.kept_chars if event.truncated else 0,
                    chars=event.chars if event.truncated else 0,
                    milliseconds=event.ms if event.status in _RAN and event.age is None else None,
                    repeated=event.status == "repeat" or event.cached,
                    age=event.age,
                )
        self._calls[event.id] = part
        self._canvas.put(part)
        if isinstance(event, e.ToolReturned) and event.card:
            self._canvas.put(CardPart(f"card-{event.id}", event.card))

    # ------------------------------------------------------------ the end

    def _end(self, event: e.LoopEnd) -> None:
        self._clear_retry()
        text = "".join(piece for _step, pieces in self._texts.values() for piece in pieces)
        if event.answer.strip() and not text.rstrip().endswith(event.answer.strip()):
            # An answer that never streamed: the guard's fallback, a stored offline reply.
            self._open = ""
            self._say(0, event.answer)
        self._finish(texts.stop_title(event.stop_reason), event)

    def _fail(self, event: e.LoopError) -> None:
        self._clear_retry()
        if event.reason == "cancelled":
            self._finish(texts.stopped_by_you(self._round.round, self._results), event)
            return
        text = texts.error_text(event.error.code, event.error.message, event.error.params)
        self._count += 1
        actions = tuple(Action(f"do:{id}", texts.action_title(id)) for id in (text.action,) if id)
        words = [text.what, text.do]
        if event.error.code == INTERRUPTED:
            actions = (Action(CONTINUE, _("Continue")), *actions)
            words += self._unknown_words()
        detail = texts.detail_text(event.error.code, event.error.message, event.error.params)
        if detail and detail not in text.what and event.error.code not in _SPEAKS_FOR_ITSELF:
            words.append(detail)
        self._canvas.put(NotePart("error", "\n".join(word for word in words if word), "error", actions))
        self._finish("", event)

    def _unknown_words(self) -> list[str]:
        """Calls that were under way when the program ended: they are not made again by themselves."""
        names = [part.name for part in self._calls.values() if part.state == "unknown"]
        words = _("Whether {names} took effect is not known; it is not done again by itself.")
        return [words.format(names=", ".join(dict.fromkeys(names)))] if names else []

    def _finish(self, outcome: str, event: e.LoopEnd | e.LoopError) -> None:
        actions = [Action("regenerate", texts.action_title("regenerate"))]
        if outcome_of(event).can_continue:
            actions.append(Action(CONTINUE, _("Continue")))
        if self._mode in (REACT, PLAN):
            if isinstance(event, e.LoopEnd) and event.stop_reason != "damaged":
                actions.append(Action(ONE_MORE, _("One more round")))
            elif self._results:
                actions.append(Action(ANSWER_NOW, _("Answer now")))
        actions += [
            Action("fork", _("Go on from here in a new session")),
            Action("up", _("Good answer")),
            Action("down", _("Bad answer")),
            Action("reasoning", _("Show how it came about")),
            Action("details", _("Details of this answer")),
            Action("delete", _("Delete this message")),
        ]
        if self._chosen is not None or self._mode:
            others = [mode for mode in mode_ids() if mode not in (AUTO, self._mode)]
            actions += [
                Action(RERUN + mode, _("Ask again in {mode}").format(mode=texts.mode_title(mode))) for mode in others
            ]
        self._canvas.set(
            busy=False,
            status="",
            answer=event.answer if isinstance(event, e.LoopEnd) else "",
            stop_reason=outcome,
            seconds=event.seconds or None,
            tokens=(event.usage.input + event.usage.output) or None,
            actions=tuple(actions),
        )


_SPEAKS_FOR_ITSELF = frozenset({"NOT_CONFIGURED", "CANCELLED", "BUDGET", "BUDGET_SESSION", "BUDGET_DAY", INTERRUPTED})


def _pretty(args: Mapping[str, Any]) -> str:
    return json.dumps(dict(args), ensure_ascii=False, indent=2, default=str) if args else ""

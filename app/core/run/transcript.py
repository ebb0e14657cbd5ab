"""Events to message and back: `fold(replay(m)) == m`.

Live rows, stored rows, exports and the history the model sees all come from the same fold, so
the past is painted by the code that paints the present.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from .events import (
    Discard,
    LoopEnd,
    LoopError,
    LoopStart,
    PlanMade,
    PlanStepChanged,
    Reclassify,
    RunEvent,
    Terminal,
    Thinking,
    Token,
    ToolCalled,
    ToolReturned,
    ToolStarted,
    ToolText,
)
from .messages import Call, Fact, Message, Part, PlanPart, Reasoning, Text
from .outcome import outcome_of
from .plan import Plan


class _Open:
    """Text that still grows: pieces in a list, so that a token costs the same at any length."""

    __slots__ = ("kind", "pieces", "step")

    def __init__(self, kind: type[Text] | type[Reasoning], step: int, text: str) -> None:
        self.kind, self.step, self.pieces = kind, step, [text]

    def closed(self) -> Text | Reasoning:
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return self.kind(self.pieces[0], self.step)


class Fold:
    """Takes a run's events one by one; `message()` is the projection so far."""

    def __init__(self, id: str, *, created: float = 0.0, run: str | None = None, parent: str | None = None) -> None:
        self._id, self._created, self._run, self._parent = id, created, run, parent
        self._parts: list[Part | _Open] = []
        self._calls: dict[str, int] = {}
        self._plan: int | None = None
        self.start: LoopStart | None = None
        self.end: Terminal | None = None

    def apply(self, event: RunEvent) -> None:
        match event:
            case Token(step, text):
                self._grow(Text, step, text)
            case Thinking(step, text):
                self._grow(Reasoning, step, text)
            case ToolCalled():
                self._calls[event.id] = len(self._parts)
                self._parts.append(Call(event))
            case ToolStarted():
                self._change_call(event.id, lambda call: replace(call, started=True))
            case ToolText():
                pass  # its result says what became of it
            case ToolReturned():
                self._change_call(event.id, lambda call: replace(call, result=event))
            case PlanMade(goal, steps, version):
                self._set_plan(Plan(goal, steps, version))
            case PlanStepChanged(step, status, error):
                if isinstance(plan := self._planned(), PlanPart):
                    self._set_plan(plan.plan.with_status(step, status, error or ""))
            case Discard(step):
                self._replace_texts(step, None)
            case Reclassify(step, to):
                self._replace_texts(step, Reasoning if to == "thinking" else Text)
            case LoopStart():
                self.start = event
            case LoopEnd() | LoopError():
                self.end = event
            case _:
                self._parts.append(Fact(event))

    def message(self) -> Message:
        return Message(
            self._id,
            "assistant",
            tuple(part.closed() if isinstance(part, _Open) else part for part in self._parts),
            self._created,
            self._parent,
            self._run,
            self.start,
            self.end,
            outcome_of(self.end).state if self.end else "streaming",
        )

    def visible_text(self, step: int | None = None) -> str:
        """The visible text so far, of one step or of all."""
        return "".join(
            piece
            for part in self._parts
            if isinstance(part, _Open) and part.kind is Text and step in (None, part.step)
            for piece in part.pieces
        )

    def _grow(self, kind: type[Text] | type[Reasoning], step: int, text: str) -> None:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, _Open) and last.kind is kind and last.step == step:
            last.pieces.append(text)
        else:
            self._parts.append(_Open(kind, step, text))

    def _change_call(self, id: str, change: Callable[[Call], Call]) -> None:
        place = self._calls.get(id)
        if place is not None and isinstance(call := self._parts[place], Call):
            self._parts[place] = change(call)

    def _planned(self) -> Part | _Open | None:
        return None if self._plan is None else self._parts[self._plan]

    def _set_plan(self, plan: Plan) -> None:
        if self._plan is None:
            self._plan = len(self._parts)
            self._parts.append(PlanPart(plan))
        else:
            self._parts[self._plan] = PlanPart(plan)

    def _replace_texts(self, step: int, kind: type[Text] | type[Reasoning] | None) -> None:
        """Drop what the step has said (kind None: its thinking too), or turn it into the other kind."""
        kept: list[Part | _Open] = []
        for part in self._parts:
            if isinstance(part, _Open) and part.step == step:
                if kind is None:
                    continue
                part.kind = kind
                last = kept[-1] if kept else None
                if isinstance(last, _Open) and last.kind is kind and last.step == step:
                    last.pieces.extend(part.pieces)
                    continue
            kept.append(part)
        self._parts = kept
        self._calls = {part.call.id: n for n, part in enumerate(kept) if isinstance(part, Call)}
        self._plan = next((n for n, part in enumerate(kept) if isinstance(part, PlanPart)), None)


def fold(events: Iterable[RunEvent], id: str, *, created: float = 0.0, run: str | None = None) -> Message:
    """The message a run's events amount to."""
    folding = Fold(id, created=created, run=run)
    for event in events:
        folding.apply(event)
    return folding.message()


def replay(message: Message) -> Iterator[RunEvent]:
    """The events that fold into `message` again; nothing for what a person wrote."""
    if message.role == "user":
        return
    if message.start:
        yield message.start
    for part in message.parts:
        match part:
            case Text(text, step):
                yield Token(step, text)
            case Reasoning(text, step):
                yield Thinking(step, text)
            case Call(call, started, result):
                yield call
                if started:
                    yield ToolStarted(call.step, call.id, call.name)
                if result:
                    yield result
            case PlanPart(plan):
                yield PlanMade(plan.goal, plan.steps, plan.version)
            case Fact(event):
                yield event
    if message.end:
        yield message.end

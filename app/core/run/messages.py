"""The messages of a conversation and their parts.

A `Message` is one entry of a session: what the person wrote, or everything one run produced. An assistant message is
the projection of its run's events (`transcript.fold`): deltas joined into text and reasoning, a tool call with its
result, the latest plan; every other event is kept as a `Fact`. `parts` are in the order in which things happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..tools.card import is_answer
from .event_line import event_from_json, event_to_json
from .event_values import ErrorInfo
from .events import LoopEnd, LoopError, LoopStart, Notice, RunEvent, Terminal, ToolCalled, ToolReturned
from .outcome import MessageState, outcome_of
from .plan import Plan, step_from_json

Role = Literal["user", "assistant"]
IMAGES = frozenset(("image/png", "image/jpeg", "image/webp", "image/gif"))
"""Kinds of pictures that are shown and sent."""


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    step: int = 0
    origin: str = ""
    """Who wrote it, where a person sent what others wrote: a server."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    text: str
    step: int


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and, once it is there, its result."""

    call: ToolCalled
    started: bool = False
    result: ToolReturned | None = None


@dataclass(frozen=True, slots=True)
class PlanPart:
    plan: Plan


@dataclass(frozen=True, slots=True)
class Fact:
    """Any other event, unchanged."""

    event: RunEvent

    @property
    def notice(self) -> str:
        """The text of a `Notice`; empty for every other event."""
        return self.event.text if isinstance(self.event, Notice) else ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file the person added; `ref` is its content hash in the attachment store."""

    ref: str
    name: str
    mime: str
    text: str = ""
    """Extracted text, if it is a text or a document."""
    origin: str = ""
    """Who gave it, where that is not the person: a server."""

    @property
    def is_image(self) -> bool:
        return self.mime in IMAGES and bool(self.ref)


Part = Text | Reasoning | Call | PlanPart | Fact | Attachment


@dataclass(frozen=True, slots=True)
class Message:
    """`created` is seconds since 1970 and for information only: order is the session's `seq`."""

    id: str
    role: Role
    parts: tuple[Part, ...] = ()
    created: float = 0.0
    parent: str | None = None
    run: str | None = None
    start: LoopStart | None = None
    end: Terminal | None = None
    state: MessageState = "complete"
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Unknown fields of an imported message, kept."""

    @property
    def text(self) -> str:
        """The visible text: what the person wrote, or all the run said."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def answer(self) -> str:
        """What it comes down to: of a run its answer, or what there was of it; text before a call is no part of it."""
        if isinstance(self.end, LoopEnd):
            return self.end.answer
        last = max((n for n, part in enumerate(self.parts) if isinstance(part, Call)), default=-1)
        return "".join(part.text for part in self.parts[last + 1 :] if isinstance(part, Text))

    @property
    def headline(self) -> str:
        """The answer in a line: what its card says of itself, where it has one."""
        cards = (part.result.card for part in self.parts if isinstance(part, Call) and part.result is not None)
        summaries = [card["summary"] for card in cards if card is not None and is_answer(card) and card.get("summary")]
        return str(summaries[-1]).partition("\n")[0].replace("**", "") if summaries else self.answer

    @property
    def failure(self) -> ErrorInfo | None:
        """Why its run failed, if it did."""
        return self.end.error if isinstance(self.end, LoopError) else None

    @property
    def late_answer(self) -> str:
        """The answer, if it is in none of the texts: it never streamed."""
        answer = self.end.answer if isinstance(self.end, LoopEnd) else ""
        return "" if answer in self.text else answer

    def to_json(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            **self.extra,
            "id": self.id,
            "parent": self.parent,
            "role": self.role,
            "created": self.created,
            "state": self.state,
            "parts": [part_to_json(part) for part in self.parts],
        }
        if self.run:
            body["run"] = self.run
        if self.start:
            body["start"] = event_to_json(self.start)
        if self.end:
            body["end"] = event_to_json(self.end)
        return body

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Message:
        """Raises KeyError, TypeError or ValueError when the shape is not ours."""
        start = event_from_json(body["start"]) if body.get("start") else None
        end = event_from_json(body["end"]) if body.get("end") else None
        if start is not None and not isinstance(start, LoopStart):
            raise ValueError("start is not a loop_start")
        if end is not None and not isinstance(end, Terminal):
            raise ValueError("end is no terminal event")
        fields = {"id", "parent", "role", "created", "state", "parts", "run", "start", "end"}
        return cls(
            id=str(body["id"]),
            role="user" if body["role"] == "user" else "assistant",
            parts=tuple(part_from_json(part) for part in body["parts"]),
            created=float(body.get("created") or 0.0),
            parent=body.get("parent"),
            run=body.get("run"),
            start=start,
            end=end,
            state=body.get("state") or (outcome_of(end).state if end else "complete"),
            extra={key: value for key, value in body.items() if key not in fields},
        )


def user_message(
    id: str, text: str, *, created: float, attachments: tuple[Attachment, ...] = (), origin: str = ""
) -> Message:
    """`origin`: who wrote the text, where it is not the person."""
    return Message(id, "user", (Text(text, origin=origin), *attachments), created)


def tools_named_in(messages: Iterable[Message]) -> Iterator[str]:
    """In calls and steps of plans; a name may come again."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, Call):
                yield part.call.name
            elif isinstance(part, PlanPart):
                yield from (step.action for step in part.plan.steps)


def part_to_json(part: Part) -> dict[str, Any]:
    match part:
        case Text(text, step, origin):
            body: dict[str, Any] = {"kind": "text", "text": text, "step": step}
            return {**body, "origin": origin} if origin else body
        case Reasoning(text, step):
            return {"kind": "reasoning", "text": text, "step": step}
        case Call(call, started, result):
            body = {"kind": "tool", "call": event_to_json(call), "started": started}
            if result:
                body["result"] = event_to_json(result)
            return body
        case PlanPart(plan):
            return {
                "kind": "plan",
                "goal": plan.goal,
                "version": plan.version,
                "steps": [step.to_json() for step in plan.steps],
            }
        case Fact(event):
            return {"kind": "event", "event": event_to_json(event)}
        case Attachment(ref, name, mime, text, origin):
            body = {"kind": "file", "ref": ref, "name": name, "mime": mime, "text": text}
            return {**body, "origin": origin} if origin else body


def part_from_json(body: Mapping[str, Any]) -> Part:
    match body["kind"]:
        case "text":
            return Text(str(body["text"]), int(body.get("step") or 0), str(body.get("origin") or ""))
        case "reasoning":
            return Reasoning(str(body["text"]), int(body.get("step") or 0))
        case "tool":
            call = event_from_json(body["call"])
            result = event_from_json(body["result"]) if body.get("result") else None
            if not isinstance(call, ToolCalled) or not (result is None or isinstance(result, ToolReturned)):
                raise ValueError("a tool part needs a tool_call and a tool_result")
            return Call(call, bool(body.get("started")), result)
        case "plan":
            steps = tuple(step_from_json(step, n) for n, step in enumerate(body["steps"], 1))
            return PlanPart(Plan(str(body["goal"]), steps, int(body["version"])))
        case "event":
            return Fact(event_from_json(body["event"]))
        case "file":
            return Attachment(
                str(body["ref"]), str(body["name"]), str(body.get("mime") or ""), str(body.get("text") or ""),
                str(body.get("origin") or ""),
            )  # fmt: skip
        case kind:
            raise ValueError(f"unknown kind of part: {kind!r}")

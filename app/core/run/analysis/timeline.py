"""When a run did what: its items as spans on lanes, for the timeline and its export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..view import CallItem, Item, RetryItem, RunView, StepItem, SubRunItem, WaitItem

LaneKind = Literal["model", "tool", "waiting", "agent"]


@dataclass(frozen=True, slots=True)
class Span:
    """`end` is None while it lasts. `facts` are what a person may want to know, by code."""

    id: str
    kind: LaneKind
    name: str
    """A tool, an agent, or a code: request, approval, question, retry, plan, budget."""
    start: float
    end: float | None = None
    status: str = ""
    step: int = 0
    call: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    def length(self, now: float) -> float:
        return max(0.0, (now if self.end is None else self.end) - self.start)

    def to_json(self) -> dict[str, Any]:
        line: dict[str, Any] = {"lane": self.kind, "name": self.name, "start": round(self.start, 3)}
        if self.end is not None:
            line["end"] = round(self.end, 3)
        line |= {name: value for name in ("status", "step", "call") if (value := getattr(self, name))}
        return line | dict(self.facts)


class Timeline:
    def __init__(self, view: RunView) -> None:
        self.view = view

    @property
    def now(self) -> float:
        return self.view.now

    def spans(self) -> list[Span]:
        """In the order they began."""
        spans = [span for item in self.view.items if (span := _span(item)) is not None]
        return sorted(spans, key=lambda span: span.start)

    def lanes(self) -> dict[tuple[LaneKind, str], list[Span]]:
        """The model first, then each tool, waiting, other agents; each lane in the order of time."""
        order: list[LaneKind] = ["model", "tool", "agent", "waiting"]
        lanes: dict[tuple[LaneKind, str], list[Span]] = {}
        spans = self.spans()
        for kind in order:
            for span in spans:
                if span.kind == kind:
                    lanes.setdefault((kind, span.name if kind == "tool" else ""), []).append(span)
        return lanes

    def to_json(self) -> list[dict[str, Any]]:
        return [span.to_json() for span in self.spans()]


def _span(item: Item) -> Span | None:
    match item:
        case StepItem() if item.limit:
            return _request(item)
        case CallItem():
            return _call(item)
        case WaitItem(kind="approval" | "question" as kind):
            facts = (
                {"tool": item.approval.name} if item.approval else {"text": item.question.text if item.question else ""}
            )
            return Span(f"wait {item.id}", "waiting", kind, item.t, item.ended, item.outcome, facts=facts)
        case WaitItem():
            facts = {"kind": item.budget.kind} if item.budget else {}
            return Span(f"hold {item.key}", "waiting", item.kind, item.t, item.ended, facts=facts)
        case RetryItem():
            return Span(f"hold {item.key}", "waiting", "retry", item.t, item.ended, facts={"code": item.event.code})
        case SubRunItem():
            return Span(item.run, "agent", item.agent, item.t, item.ended)
        case _:
            return None


def _asked(item: WaitItem) -> Mapping[str, Any]:
    if item.approval is not None:
        return {"tool": item.approval.name}
    if item.question is not None:
        return {"text": item.question.text}
    return {"kind": item.budget.kind} if item.budget is not None else {}


def _request(item: StepItem) -> Span:
    facts: dict[str, Any] = {}
    if (end := item.end) is not None:
        usage = end.usage
        facts = {"input": usage.input, "output": usage.output, "exact": usage.exact}
        facts |= {name: value for name in ("reasoning", "cached") if (value := getattr(usage, name))}
        if end.ttft_ms is not None:
            facts["ttft_ms"] = end.ttft_ms
    status = end.finish_reason if end is not None else ""
    return Span(f"step {item.step}", "model", "request", item.began, item.ended, status, item.step, facts=facts)


def _call(item: CallItem) -> Span:
    call, result = item.call, item.result
    status = "running" if item.is_started else ""
    facts: dict[str, Any] = {"args": call.args}
    if result is not None:
        status = "repeat" if result.cached or result.repeat else result.status
        facts |= {"ms": result.ms, "summary": result.summary, "chars": result.chars}
    return Span(call.id, "tool", call.name, item.began, item.ended, status, item.step, call.id, facts)

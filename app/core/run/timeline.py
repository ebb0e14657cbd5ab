"""What a run did when: its events as spans on lanes. For the timeline, its export, and nobody's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from . import events as e

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
    """`add` every event of a run in its order."""

    def __init__(self) -> None:
        self._spans: dict[str, Span] = {}
        self._waits = 0
        self._holding = ""
        """The wait that the next event ends: for the plan, for the budget, for another try."""
        self._agents: list[str] = []
        self.now = 0.0

    def spans(self) -> list[Span]:
        """In the order they began."""
        return sorted(self._spans.values(), key=lambda span: span.start)

    def lanes(self) -> dict[tuple[LaneKind, str], list[Span]]:
        """The model first, then each tool, waiting, other agents; each lane in the order of time."""
        order: list[LaneKind] = ["model", "tool", "agent", "waiting"]
        lanes: dict[tuple[LaneKind, str], list[Span]] = {}
        for kind in order:
            for span in self.spans():
                if span.kind == kind:
                    lanes.setdefault((kind, span.name if kind == "tool" else ""), []).append(span)
        return lanes

    def add(self, event: e.RunEvent, t: float) -> None:
        self.now = max(self.now, t)
        self._go_on(event, t)
        match event:
            case e.StepStart(step):
                self._open(Span(f"step {step}", "model", "request", t, step=step))
            case e.StepEnd():
                self._end_step(event, t)
            case e.ToolCalled():
                self._end(f"step {event.step}", t)
                self._open(Span(event.id, "tool", event.name, t, None, "", event.step, event.id, {"args": event.args}))
            case e.ToolStarted(id=id):
                self._change(id, start=t, status="running")
            case e.ToolReturned():
                self._returned(event, t)
            case e.Approval(id=id, name=name):
                self._open(Span(f"wait {id}", "waiting", "approval", t, facts={"tool": name}))
            case e.Question(id=id, text=text):
                self._open(Span(f"wait {id}", "waiting", "question", t, facts={"text": text}))
            case e.ApprovalAnswer(id=id, choice=choice):
                self._change(f"wait {id}", end=t, status=choice)
            case e.Answer(id=id):
                self._end(f"wait {id}", t)
            case e.Retry(_attempt, _wait, code):
                self._hold("retry", t, {"code": code})
            case e.PhaseStart(phase="approval"):
                self._hold("plan", t, {})
            case e.BudgetLevel(kind=kind, level="pause"):
                self._hold("budget", t, {"kind": kind})
            case e.SubRun(id=id, agent=agent):
                self._agents.append(id)
                self._open(Span(id, "agent", agent, t))
            case e.LoopEnd() | e.LoopError():
                for id in list(self._spans):
                    self._end(id, t)
            case _:
                pass

    def to_json(self) -> list[dict[str, Any]]:
        return [span.to_json() for span in self.spans()]

    # ------------------------------------------------------------ spans

    def _open(self, span: Span) -> None:
        self._spans[span.id] = span

    def _change(self, id: str, **fields: Any) -> None:
        if span := self._spans.get(id):
            self._spans[id] = replace(span, **fields)

    def _end(self, id: str, t: float) -> None:
        if (span := self._spans.get(id)) and span.end is None:
            self._spans[id] = replace(span, end=max(t, span.start))

    def _end_step(self, event: e.StepEnd, t: float) -> None:
        """Its `ms` is the time of the stream; before it there may have been other tries."""
        id = f"step {event.step}"
        span = self._spans.get(id)
        if span is None:
            return
        end = t if span.end is None and not event.ms else min(t, span.start + event.ms / 1_000)
        usage = event.usage
        facts: dict[str, Any] = {"input": usage.input, "output": usage.output, "exact": usage.exact}
        facts |= {name: value for name in ("reasoning", "cached") if (value := getattr(usage, name))}
        if event.ttft_ms is not None:
            facts["ttft_ms"] = event.ttft_ms
        self._spans[id] = replace(span, end=max(end, span.start), status=event.finish_reason, facts=facts)

    def _returned(self, event: e.ToolReturned, t: float) -> None:
        if (span := self._spans.get(event.id)) is None:
            return
        status = "repeat" if event.cached or event.repeat else event.status
        # A call that never ran has no length; `ms` is more exact than the moment it is told.
        start = max(span.start, t - event.ms / 1_000) if event.ms else t
        facts = {**span.facts, "ms": event.ms, "summary": event.summary, "chars": event.chars}
        self._spans[event.id] = replace(span, start=start, end=max(t, start), status=status, facts=facts)
        if not any(other.kind == "tool" and other.end is None for other in self._spans.values()):
            for id in self._agents:
                self._end(id, t)

    def _hold(self, name: str, t: float, facts: Mapping[str, Any]) -> None:
        self._waits += 1
        self._holding = f"hold {self._waits}"
        self._open(Span(self._holding, "waiting", name, t, facts=facts))

    def _go_on(self, event: e.RunEvent, t: float) -> None:
        """Whatever happens next ends the wait; another try begins the request anew."""
        if not self._holding or isinstance(event, e.Notice):
            return
        id, self._holding = self._holding, ""
        self._end(id, t)
        if self._spans[id].name != "retry":
            return
        for span in [span for span in self._spans.values() if span.kind == "model" and span.end is None]:
            self._change(span.id, start=t)

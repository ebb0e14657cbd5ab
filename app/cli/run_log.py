"""A run as a log one may show around: what happened, how large, how long, how it ended – and no word of what was said.

Questions, answers, arguments, results, reasons of a mode and of a person are left out; of them stand their lengths.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from app.core.run import events as e
from app.core.run.chat_model import Usage

Line = tuple[str, str, str]
"""Seconds since the run began, what, about it."""


def lines_of(stamped: Iterable[e.Stamped]) -> list[Line]:
    lines: list[Line] = []
    follow_up = 0
    for line in stamped:
        event = line.event
        if isinstance(event, e.ToolReturned):
            follow_up += event.kept_chars
        text = _told(event, follow_up)
        if isinstance(event, e.StepStart):
            follow_up = 0
        if text is not None:
            lines.append((f"{line.t:.2f}", *text))
    return lines


def _told(event: e.RunEvent, follow_up: int) -> tuple[str, str] | None:  # noqa: PLR0912  one line each
    """`follow_up`: characters of results the next request brings to the model."""
    match event:
        case e.LoopStart():
            return "run", f"{event.agent}, {event.mode}, {event.model}, question of {_chars(len(event.query))}"
        case e.ModeSelected():
            return f"mode {event.mode}", "chosen by auto"
        case e.PhaseStart():
            return f"phase {event.phase}", ""
        case e.StepStart():
            text = f"{event.tools_offered} tools offered"
            return (
                f"step {event.step}/{event.limit}",
                f"{text}, follow-up of {_chars(follow_up)}" if follow_up else text,
            )
        case e.RoundStart():
            return f"reflection {event.round}/{event.limit}", f"follow-up of {_chars(follow_up)}"
        case e.RoundVerdict():
            marks = [("quality", event.quality), ("confidence", event.confidence)]
            return f"verdict {event.verdict}", ", ".join(f"{name} {n}" for name, n in marks if n is not None)
        case e.PlanMade():
            return f"plan {event.version}", f"{len(event.steps)} steps"
        case e.PlanStepChanged():
            return f"plan step {event.step}", event.status
        case e.ToolReturned():
            return f"tool {event.name}", _result(event)
        case e.Approval():
            return "approval", f"asked for {event.name}"
        case e.ApprovalAnswer():
            return "approval", f"answered {event.choice}"
        case e.StepEnd():
            first = f", first after {event.ttft_ms:,} ms" if event.ttft_ms is not None else ""
            return f"step {event.step} ends", f"{event.finish_reason}, {event.ms:,} ms{first}, {_usage(event.usage)}"
        case e.Compacted():
            return "compacted", f"{event.before_chars:,} → {_chars(event.after_chars)}"
        case e.BudgetLevel():
            return f"budget {event.level}", f"{event.scope}: {event.kind} {event.used:,g} of {event.limit:,g}"
        case e.Notice():
            return "notice", event.code
        case e.Retry():
            return f"retry {event.attempt}", f"{event.code}, waits {event.wait:g} s"
        case e.Question():
            return "question", f"of {_chars(len(event.text))}"
        case e.Answer():
            return "answer", f"of {_chars(len(event.text))}"
        case e.Steered():
            return "steered", f"by {_chars(len(event.text))}"
        case e.SubRun():
            return "sub-run", f"{event.agent} {event.id}"
        case e.LoopEnd():
            return f"end {event.stop_reason}", _end(event, len(event.answer))
        case e.LoopError():
            return f"failed {event.reason}", f"{event.error.code}, {_end(event, len(event.partial))}"
        case e.Thinking() | e.Token() | e.Discard() | e.Reclassify() | e.ToolCalled() | e.ToolStarted():
            return None
        case _:
            assert_never(event)


def _result(event: e.ToolReturned) -> str:
    code = str((event.error or {}).get("code") or "")
    size = f"{event.kept_chars:,} of {_chars(event.chars)}" if event.truncated else _chars(event.chars)
    marks = [mark for mark, holds in (("cached", event.cached), ("repeat", event.repeat is not None)) if holds]
    return ", ".join([event.status, *([code] if code else []), f"{event.ms:,} ms", size, *marks])


def _end(event: e.LoopEnd | e.LoopError, length: int) -> str:
    done = f"{event.steps} steps, {len(event.tools)} tools, {_usage(event.usage)}, {event.seconds:g} s"
    return f"answer of {_chars(length)}, {done}"


def _usage(usage: Usage) -> str:
    return f"{usage.input:,} + {usage.output:,} tokens{'' if usage.exact else ' (estimated)'}"


def _chars(count: int) -> str:
    return f"{count:,} characters"

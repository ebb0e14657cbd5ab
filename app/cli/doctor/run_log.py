"""A run as a log without its texts: events, sizes, durations, how it ended. It can be shared.

Questions, answers, arguments, results and reasons appear only as their lengths.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from app.core.run import events as e
from app.core.run.chat_model import Usage
from app.core.run.event_line import Stamped
from app.core.text.i18n import _

Line = tuple[str, str, str]
"""Seconds since the run began, what, about it."""


def lines_of(stamped: Iterable[Stamped]) -> list[Line]:
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
            question = _("question of {length}").format(length=_chars(len(event.query)))
            return _("run"), f"{event.agent}, {event.mode}, {event.model}, {question}"
        case e.ModeSelected():
            return _("mode {mode}").format(mode=event.mode), _("chosen by auto")
        case e.PhaseStart():
            return _("phase {phase}").format(phase=event.phase), ""
        case e.StepStart():
            offered = _("{n} tools offered")
            about = [offered.format(n=event.tools_offered), *([_follow_up(follow_up)] if follow_up else [])]
            return _("step {step}/{limit}").format(step=event.step, limit=event.limit), _joined(about)
        case e.RoundStart():
            title = _("reflection {round}/{limit}").format(round=event.round, limit=event.limit)
            return title, _follow_up(follow_up)
        case e.RoundVerdict():
            marks = [(_("quality"), event.quality), (_("confidence"), event.confidence)]
            about = [f"{name} {n}" for name, n in marks if n is not None]
            return _("verdict {verdict}").format(verdict=event.verdict), _joined(about)
        case e.PlanMade():
            return _("plan {version}").format(version=event.version), _steps(len(event.steps))
        case e.PlanStepChanged():
            return _("plan step {step}").format(step=event.step), event.status
        case e.ToolReturned():
            return _("tool {name}").format(name=event.name), _result(event)
        case e.Approval():
            return _("approval"), _("asked for {name}").format(name=event.name)
        case e.ApprovalAnswer():
            return _("approval"), _("answered {choice}").format(choice=event.choice)
        case e.StepEnd():
            first = [_("first after {ms:,} ms").format(ms=event.ttft_ms)] if event.ttft_ms is not None else []
            about = [event.finish_reason, _("{ms:,} ms").format(ms=event.ms), *first, _usage(event.usage)]
            return _("step {step} ends").format(step=event.step), _joined(about)
        case e.Compacted():
            return _("compacted"), f"{event.before_chars:,} → {_chars(event.after_chars)}"
        case e.BudgetLevel():
            budget = _("{scope}: {kind} {used:,g} of {limit:,g}")
            values = budget.format(scope=event.scope, kind=event.kind, used=event.used, limit=event.limit)
            return _("budget {level}").format(level=event.level), values
        case e.Notice():
            return _("notice"), event.code
        case e.Retry():
            waits = _("waits {wait:g} s").format(wait=event.wait)
            return _("retry {attempt}").format(attempt=event.attempt), _joined([event.code, waits])
        case e.Question():
            return _("question"), _chars(len(event.text))
        case e.Answer():
            return _("answer"), _chars(len(event.text))
        case e.Steered():
            return _("steered"), _chars(len(event.text))
        case e.Understood():
            return _("understood"), f"{len(event.slots)}"
        case e.SubRun():
            return _("sub-run"), f"{event.agent} {event.id}"
        case e.LoopEnd():
            return _("end {reason}").format(reason=event.stop_reason), _end(event, len(event.answer))
        case e.LoopError():
            about = [event.error.code, _end(event, len(event.partial))]
            return _("failed {reason}").format(reason=event.reason), _joined(about)
        case e.Thinking() | e.Token() | e.Discard() | e.Reclassify() | e.ToolCalled() | e.ToolStarted() | e.ToolText():
            return None
        case _:
            assert_never(event)


def _result(event: e.ToolReturned) -> str:
    code = str((event.error or {}).get("code") or "")
    length = _chars(event.chars)
    if event.truncated:
        length = _("{kept:,} of {length}").format(kept=event.kept_chars, length=length)
    marks = [mark for mark, holds in ((_("cached"), event.cached), (_("repeat"), event.repeat is not None)) if holds]
    return _joined([event.status, *([code] if code else []), _("{ms:,} ms").format(ms=event.ms), length, *marks])


def _end(event: e.LoopEnd | e.LoopError, length: int) -> str:
    answer = _("answer of {length}").format(length=_chars(length))
    tools = _("{n} tools").format(n=len(event.tools))
    seconds = _("{seconds:g} s").format(seconds=event.seconds)
    return _joined([answer, _steps(event.steps), tools, _usage(event.usage), seconds])


def _follow_up(chars: int) -> str:
    return _("follow-up of {length}").format(length=_chars(chars))


def _steps(count: int) -> str:
    return _("{n} steps").format(n=count)


def _usage(usage: Usage) -> str:
    tokens = _("{input:,} + {output:,} tokens").format(input=usage.input, output=usage.output)
    return tokens if usage.exact else tokens + " " + _("(estimated)")


def _chars(count: int) -> str:
    return _("{n:,} characters").format(n=count)


def _joined(parts: list[str]) -> str:
    return _(", ").join(parts)

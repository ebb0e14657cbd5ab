"""The line of an event that needs no memory of others; no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from app.core.run.events import (
    Answer,
    Approval,
    ApprovalAnswer,
    BudgetLevel,
    Compacted,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    Question,
    Steered,
    SubRun,
)
from app.core.run.outcome import outcome_of
from app.core.text.i18n import _
from app.ui import texts
from app.ui.reasoning import words
from app.ui.texts.permissions import refusal_text, rule_text

Fact = (
    LoopStart
    | ModeSelected
    | Approval
    | ApprovalAnswer
    | Compacted
    | BudgetLevel
    | Notice
    | Question
    | Answer
    | Steered
    | SubRun
)


@dataclass(frozen=True, slots=True)
class EventLine:
    icon: str
    token: str
    """The icon's colour."""
    title: str
    note: str = ""
    detail: str = ""
    aside: str = ""
    text: str = ""
    """What it opens; "" = nothing."""


def fact_line(event: Fact) -> EventLine:
    match event:
        case LoopStart(_agent, mode, model, _query, settings):
            note = f"{texts.mode_title(mode)} · {model}"
            return EventLine(
                "settings", "muted", _("Settings"), note=note, text=words.pretty_args(settings) if settings else ""
            )
        case ModeSelected(mode, reason, matched):
            return EventLine("route", "muted", texts.mode_choice(mode, reason, matched))
        case Approval(_id, _call, name, args, rule):
            title = _("Asks before it runs: {tool}").format(tool=name)
            return EventLine("shield", "warn", title, detail=rule_text(rule), text=words.pretty_args(args))
        case ApprovalAnswer(_id, choice, reason):
            if choice == "deny":
                return EventLine("x", "warn", _("Denied"), detail=refusal_text(reason or ""))
            return EventLine("check", "ok", _("Allowed"), detail=reason or "")
        case Compacted(before, after):
            return EventLine("archive", "muted", texts.compacted_text(before, after))
        case BudgetLevel(kind, used, limit, level, scope):
            return EventLine(
                "pause" if level == "pause" else "wallet", "warn", texts.budget_text(kind, used, limit, scope)
            )
        case Notice(code, text, params):
            told = texts.notice_text(code, text, params)
            return EventLine("info", "muted", told, text=told)
        case Question(_id, text):
            return EventLine("question", "accent", _("Asks you"), detail=text, text=text)
        case Answer(_id, text):
            return EventLine("user", "muted", _("Your answer"), detail=text, text=text)
        case Steered(_step, text):
            return EventLine("user", "accent", _("You, meanwhile"), detail=text, text=text)
        case SubRun(_id, agent):
            return EventLine("fork", "muted", _("Asks another agent"), note=agent)
        case _:
            assert_never(event)


def end_line(event: LoopEnd) -> EventLine:
    parts = [words.steps(event.steps)] if event.steps else []
    if event.usage.total:
        parts.append(words.tokens(event.usage))
    title = texts.stop_title(event.stop_reason)
    icon, token = ("alert", "error") if outcome_of(event).state == "interrupted" else ("check", "ok")
    return EventLine(icon, token, title, detail=" · ".join(parts), aside=texts.seconds_text(event.seconds))


def error_line(event: LoopError, *, round: int, kept: int) -> EventLine:
    """`round` and `kept`: where a stop fell, and how many results there were."""
    error, aside = event.error, texts.seconds_text(event.seconds)
    if event.reason == "cancelled":
        return EventLine("stop", "warn", texts.stopped_by_you(round, kept), aside=aside)
    words = texts.error_text(error.code, error.message, error.params)
    detail = texts.detail_text(error.code, error.message, error.params)
    text = "\n".join(part for part in (words.what, detail, texts.hint_text(error.hint) or words.do) if part)
    return EventLine("alert", "error", words.what, detail=detail, aside=aside, text=text)

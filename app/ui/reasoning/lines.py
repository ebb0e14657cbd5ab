"""The words of a note of a run, for the outline and for the chat; no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, assert_never

from app.core.run.events import (
    Answer,
    Approval,
    ApprovalAnswer,
    BudgetLevel,
    Compacted,
    LoopError,
    LoopStart,
    ModeSelected,
    Notice,
    Question,
    Steered,
    Understood,
)
from app.core.run.outcome import outcome_of
from app.core.run.view.items import EndItem, NoteEvent
from app.core.text.i18n import _
from app.core.wording.tools import tool_title
from app.core.wording.understood import understood_text
from app.ui import texts
from app.ui.reasoning import words
from app.ui.texts.permissions import refusal_text, rule_text


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
    remark: str = ""
    """What the chat says of it, "" = nothing."""
    level: Literal["info", "warn", "error"] = "info"
    action: texts.NextAction = ""
    """The button under the remark, by its code."""
    facts: tuple[str, ...] = ()
    """Ids of what the remark says was used from memory."""


def note_line(event: NoteEvent) -> EventLine:
    match event:
        case LoopStart(_agent, mode, model, _query, settings):
            note = f"{texts.mode_title(mode)} · {model}"
            return EventLine(
                "settings", "muted", _("Settings"), note=note, text=words.pretty_args(settings) if settings else ""
            )
        case ModeSelected(mode, reason, matched):
            return EventLine("route", "muted", texts.mode_choice(mode, reason, matched))
        case Approval(_id, _call, name, args, rule):
            title = _("Asks before it runs: {tool}").format(tool=tool_title(name))
            return EventLine("shield", "warn", title, detail=rule_text(rule), text=words.pretty_args(args))
        case ApprovalAnswer(_id, choice, reason):
            if choice == "deny":
                return EventLine("x", "warn", _("Denied"), detail=refusal_text(reason or ""))
            return EventLine("check", "ok", _("Allowed"), detail=reason or "")
        case Compacted(before, after):
            title = texts.compacted_text(before, after)
            return EventLine("archive", "muted", title, remark=title)
        case BudgetLevel(kind, used, limit, level, scope):
            title = texts.budget_text(kind, used, limit, scope)
            return EventLine("pause" if level == "pause" else "wallet", "warn", title, remark=title, level="warn")
        case Notice(code, text, params):
            title = texts.notice_text(code, text, params)
            if code == "damaged":
                return EventLine("info", "muted", title, text=title, remark=title, level="error", action="regenerate")
            facts = tuple(str(id) for id in params.get("ids", ())) if code == "memory_used" else ()
            icon = "brain" if facts else "info"
            return EventLine(icon, "muted", title, text=title, remark=title, facts=facts)
        case Question(_id, text):
            return EventLine("question", "accent", _("Asks you"), detail=text, text=text, remark=text)
        case Answer(_id, text):
            # "": nobody answered; the result of the tool says so.
            return EventLine("user", "muted", _("Your answer"), detail=text, text=text, remark=_you(text))
        case Steered(_step, text):
            return EventLine("user", "accent", _("You, meanwhile"), detail=text, text=text, remark=_you(text))
        case Understood(slots=slots):
            text = understood_text(slots)
            return EventLine("list", "muted", _("Understood"), detail=text, text=text)
        case _:
            assert_never(event)


def _you(text: str) -> str:
    return _("You: {text}").format(text=text) if text else ""


def end_line(item: EndItem) -> EventLine:
    end = item.end
    if item.failure is not None:
        return _error_line(item.failure, round=item.round, kept=item.results)
    parts = [words.requests(end.steps)] if end.steps else []
    if end.usage.total:
        parts.append(words.tokens(end.usage))
    icon, token = ("alert", "error") if outcome_of(end).state == "interrupted" else ("check", "ok")
    title = texts.stop_title(item.stop_reason)
    return EventLine(icon, token, title, detail=" · ".join(parts), aside=texts.seconds_text(end.seconds))


def _error_line(event: LoopError, *, round: int, kept: int) -> EventLine:
    """`round` and `kept`: where a stop fell, and how many results there were."""
    error, aside = event.error, texts.seconds_text(event.seconds)
    if event.reason == "cancelled":
        return EventLine("stop", "warn", texts.stopped_by_you(round, kept), aside=aside)
    words = texts.error_text(error.code, error.message, error.params)
    detail = texts.detail_text(error.code, error.message, error.params)
    text = "\n".join(part for part in (words.what, detail, texts.hint_text(error.hint) or words.do) if part)
    return EventLine("alert", "error", words.what, detail=detail, aside=aside, text=text)

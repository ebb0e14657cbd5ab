"""What the executor says of a call that did not come to a result, in the language of the run."""

from __future__ import annotations

from app.core.text.i18n import N_, say_in
from app.core.tools.tool import ToolResult
from app.core.wording.errors import fault_text

_LONGEST = 480
"""Characters of what somebody else's error says."""
_NOT_AGAIN = N_("do not call it again by yourself; say that it may have happened")


def crashed(language: str, error: Exception) -> ToolResult:
    what = f"{type(error).__name__}: {error}"[:_LONGEST]
    return ToolResult.failure("INTERNAL", say_in(language, "the tool failed: {error}", error=what))


def asked_already(language: str) -> ToolResult:
    words = N_("the person was asked one question of this message already; this one was not put to them")
    hint = say_in(language, "put what is still open into one question, in the next step")
    return ToolResult.failure("ONE_QUESTION", say_in(language, words), hint=hint)


def not_recorded(language: str, error: Exception) -> ToolResult:
    words = N_("not run: the call could not be written down first ({error})")
    why = say_in(language, words, error=fault_text(error)[:_LONGEST])
    return ToolResult.failure("NOT_RECORDED", why, retryable=True)


def blocked(language: str) -> ToolResult:
    return ToolResult.failure("DENIED", say_in(language, "a rule of this agent blocks the call"))


def often_enough(language: str, name: str, limit: int) -> ToolResult:
    message = say_in(language, "{tool} was called {n} times, which is the most for one answer", tool=name, n=limit)
    return ToolResult.failure("CALL_LIMIT", message, hint=say_in(language, "go on with what was found"))


def timed_out(language: str, limit: float, *, read_only: bool) -> ToolResult:
    if read_only:
        return ToolResult.failure(
            "TIMEOUT", say_in(language, "no result after {limit:g} s", limit=limit), retryable=True
        )
    words = N_("no result after {limit:g} s; whether it took effect is not known")
    return ToolResult.failure("TIMEOUT", say_in(language, words, limit=limit), hint=say_in(language, _NOT_AGAIN))


def gave_up(language: str) -> ToolResult:
    return ToolResult.failure("CANCELLED", say_in(language, "the tool gave up by itself"), retryable=True)

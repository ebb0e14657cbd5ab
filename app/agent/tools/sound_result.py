"""Checks what a model sends and a tool returns, so that the code after it can rely on its form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.core.run.chat_model import CallTurn
from app.core.text.i18n import N_, say_in
from app.core.tools.card import Card
from app.core.tools.finite import NOT_FINITE, is_finite
from app.core.tools.tool import ToolResult


def finite_call(call: CallTurn) -> CallTurn:
    """A call whose arguments hold NaN or an infinity is refused like one that is no JSON."""
    return call if is_finite(call.args) else replace(call, args=None, error=NOT_FINITE)


def sound_result(result: Any, language: str) -> ToolResult:
    """The result itself, or a failure that says what is wrong with it; never raises."""
    if not isinstance(result, ToolResult):
        why = say_in(language, "the tool returned {kind}, not a result", kind=type(result).__name__)
        return ToolResult.failure("INTERNAL", why)
    if result.display is not None and not isinstance(result.display, Card):
        why = say_in(language, "the tool returned {kind} as its card", kind=type(result.display).__name__)
        return ToolResult.failure("INTERNAL", why)
    if result.ok and not is_finite([result.data, dict(result.meta), result.display and result.display.payload]):
        words = N_("the tool ran, but its result holds a number that is not finite (NaN, Infinity, or too large)")
        return ToolResult.failure("BAD_RESULT", say_in(language, words))
    if not result.ok and result.error is None:
        return ToolResult.failure("INTERNAL", say_in(language, "the tool gave no reason"))
    return result

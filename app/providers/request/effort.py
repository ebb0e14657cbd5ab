"""How long a model thinks: one scale for the person, mapped to each service.

`auto` sends nothing. If a model cannot stop thinking, off is its least effort; if it has only on and off, every level
is on. What a server refuses is left out from then on (`endpoint_quirks`).
"""

from __future__ import annotations

from typing import Any, Final

from app.core.run.chat_model import Effort, EffortStyle

_BUDGETS: Final = {"low": 2_048, "medium": 8_192, "high": 24_576}
"""Tokens of thinking, for services that want a number."""
_LEAST: Final = {"levels": "low", "levels_minimal": "minimal", "levels_none": "none"}


def effort_fields(effort: Effort, style: EffortStyle) -> dict[str, Any]:
    """Fields of the body."""
    if effort == "auto" or not style:
        return {}
    is_on = effort != "off"
    switch = {"type": "enabled" if is_on else "disabled"}
    match style:
        case "levels" | "levels_minimal" | "levels_none":
            return {"reasoning_effort": effort if is_on else _LEAST[style]}
        case "switch":
            return {"reasoning_effort": "default" if is_on else "none"}
        case "reasoning":
            return {"reasoning": {"effort": effort} if is_on else {"enabled": False}}
        case "budget":
            budget = {"thinking_budget": _BUDGETS[effort]} if is_on else {}
            return {"enable_thinking": is_on, **budget}
        case "thinking":
            return {"thinking": switch}
        case "thinking_levels":
            return {"thinking": switch, **({"reasoning_effort": effort} if is_on else {})}
        case "tokens":
            return {"thinking": {**switch, **({"budget_tokens": _BUDGETS[effort]} if is_on else {})}}
        case "template":
            return {"chat_template_kwargs": {"enable_thinking": is_on}}


def rules_out_sampling(effort: Effort, style: EffortStyle) -> bool:
    """A request that asks for so much thinking is refused with a temperature or top_p beside it."""
    return style == "tokens" and effort not in ("auto", "off")

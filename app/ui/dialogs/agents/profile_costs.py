"""What a setting of an agent costs, in words beside it: general figures, or the agent's own once it has run enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.core.run.analysis.round_costs import RoundCosts
from app.core.text.i18n import _
from app.ui.texts import tokens_text

_CHARACTERS_PER_TOKEN = 3
"""Between English (four) and Chinese (one and a half): an order of magnitude, no bill."""
_LONG_PROMPT = 16_000
"""Characters from which on the person is told at every run."""
_MULTIPLES = ("1×", "~3×", "~6×", "~10×", "~15×", "20×+")
"""Tokens against an answer without rounds, by rounds; the last holds from there on."""


_FACTORS = (1.0, 3.0, 6.0, 10.0, 15.0, 20.0)
"""The same as figures."""


def multiple_of(rounds: int, own: RoundCosts | None) -> float:
    """Tokens against an answer without rounds: measured where it is known."""
    measured = own.multiple(rounds) if own is not None else None
    return measured if measured is not None else _FACTORS[min(rounds, len(_FACTORS) - 1)]


def seconds_of(rounds: int, own: RoundCosts | None) -> tuple[float, float]:
    """The least and the most an answer takes; 0 where nothing is known."""
    if own is None:
        return rounds * 3.0, rounds * 10.0
    usual = (rounds + 1) * (own.tool_seconds + own.model_seconds)
    return usual * 0.7, usual * 1.4


def rounds_cost(rounds: int, own: RoundCosts | None = None) -> str:
    """What so many reflection rounds cost."""
    if rounds == 0:
        return _("One batch of tools, then the answer: 1× tokens")
    general = _MULTIPLES[min(rounds, len(_MULTIPLES) - 1)]
    if own is None:
        return _("{cost} tokens; each round takes 3–10 s (tool 1–5 s, model 2–5 s)").format(cost=general)
    measured = own.multiple(rounds)
    seconds = {"all": own.tool_seconds + own.model_seconds, "tool": own.tool_seconds, "model": own.model_seconds}
    each = _("each round takes {all:.1f} s (tool {tool:.1f} s, model {model:.1f} s)").format(**seconds)
    if measured is None:
        return _("{cost} tokens, not measured yet; {each}, in {n} runs of this agent").format(
            cost=general, each=each, n=own.runs
        )
    return _("{cost} tokens; {each}, measured in {n} runs of this agent").format(
        cost=f"{measured:.1f}×", each=each, n=own.runs
    )


def _prompt(text: str) -> str:
    if not text:
        return ""
    sentence = _("About {tokens} with every request.").format(tokens=_tokens(len(text)))
    long = _("That is long: it is paid for again and again.")
    return f"{sentence} {long}" if len(text) > _LONG_PROMPT else sentence


def _steps(steps: int) -> str:
    return _("At most {n} requests for one question; each one reads the conversation again.").format(n=steps)


def _result(length: int) -> str:
    return _("At most about {tokens} per result, again with every later request of the run.").format(
        tokens=_tokens(length)
    )


def _batch(length: int) -> str:
    return _("At most about {tokens} for all results of one request.").format(tokens=_tokens(length))


def _context(length: int) -> str:
    return _("At most about {tokens} with every request.").format(tokens=_tokens(length))


def _long_results(word: str) -> str:
    return _("One request more for each result that is too long.") if word == "summarise" else ""


def _schema(schema: Any) -> str:
    return _("Up to two requests more where the answer does not fit.") if schema is not None else ""


def _tokens(characters: int) -> str:
    return tokens_text(round(characters / _CHARACTERS_PER_TOKEN))


COSTS: Mapping[str, Callable[[Any], str]] = {
    "system_prompt": _prompt,
    "max_steps": _steps,
    "tool_result_max_length": _result,
    "tool_results_total_length": _batch,
    "context_limit": _context,
    "long_results": _long_results,
    "output_schema": _schema,
}

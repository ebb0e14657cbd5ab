"""What the pane alone needs to say or draw a state; sentences that others say too are in `texts`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.core.run.analysis.run_stats import Estimate, RunFigures, sum_of
from app.core.run.chat_model import Usage
from app.core.run.event_values import CallStatus, PhaseName
from app.core.run.plan import PlanStepStatus
from app.core.run.price import PriceOf, cost_of, money_text, no_prices
from app.core.text.i18n import _, ngettext
from app.core.wording.arguments import argument_title, value_at_a_glance
from app.ui import texts

PHASE_ICONS: Mapping[PhaseName, str] = {
    "understanding": "eye",
    "planning": "list",
    "decomposing": "layers",
    "approval": "shield",
    "executing": "wrench",
    "answering": "pencil",
}
CALL_ICONS: Mapping[CallStatus, tuple[str, str]] = {
    "ok": ("check", "ok"),
    "error": ("alert", "error"),
    "denied": ("shield", "warn"),
    "blocked": ("shield", "warn"),
    "repeat": ("refresh", "muted"),
    "interrupted": ("stop", "warn"),
    "unknown": ("question", "warn"),
}
"""Icon and colour; the colour never stands alone."""
PLAN_STEP_ICONS: Mapping[PlanStepStatus, tuple[str, str]] = {
    "pending": ("circle", "muted"),
    "running": ("play", "accent"),
    "done": ("check", "ok"),
    "failed": ("alert", "error"),
    "skipped": ("skip", "muted"),
}


def state_icon(status: str) -> tuple[str, str]:
    """Of a plan step or a tool call; a circle for what has not begun."""
    known: dict[str, tuple[str, str]] = {str(name): icon for name, icon in PLAN_STEP_ICONS.items()}
    known |= {str(name): icon for name, icon in CALL_ICONS.items()}
    return known.get(status, ("circle", "muted"))


def steps(count: int) -> str:
    return ngettext("{n} step", "{n} steps", count).format(n=count)


def requests(count: int) -> str:
    return ngettext("{n} request", "{n} requests", count).format(n=count)


def tokens(usage: Usage) -> str:
    text = texts.tokens_text(usage.total)
    return text if usage.exact else f"≈ {text}"


def short_args(args: Mapping[str, Any], limit: int = 120) -> str:
    """The arguments in one line and in words, for a glance: "Name: rose, Days: 3". What has no words is left out."""
    parts: list[str] = []
    length = 0
    for key, value in args.items():
        if not (text := value_at_a_glance(value[: limit + 1] if isinstance(value, str) else value)):
            continue
        part = f"{argument_title(key)}: {text[:limit]}"
        parts.append(part)
        length += len(part)
        if length > limit:
            break
    return " ".join(", ".join(parts)[:limit].split())


def pretty_args(args: Mapping[str, Any]) -> str:
    """One argument per line; values exactly as they were sent."""
    if not args:
        return "{}"
    return "\n".join(
        f"{key}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)}"
        for key, value in args.items()
    )


def estimate(found: Estimate) -> str:
    """ "Estimate: 3 tool calls, 2 requests, about 1,200 tokens and 9 s (from 4 earlier plans)"."""
    calls = ngettext("{n} tool call", "{n} tool calls", found.calls).format(n=found.calls)
    requests = ngettext("{n} request", "{n} requests", found.requests).format(n=found.requests)
    if found.tokens is None or found.seconds is None:
        return _("Estimate: {calls}, {requests}").format(calls=calls, requests=requests)
    earlier = ngettext("{n} earlier plan", "{n} earlier plans", found.runs).format(n=found.runs)
    return _("Estimate: {calls}, {requests}, ≈ {tokens}, ≈ {seconds} (from {earlier})").format(
        calls=calls,
        requests=requests,
        tokens=texts.tokens_text(found.tokens),
        seconds=texts.seconds_text(found.seconds),
        earlier=earlier,
    )


def usage_sum(title: str, runs: Sequence[RunFigures], price_of: PriceOf = no_prices) -> str:
    """ "This session: 4 runs, 12.3k tokens (11,000 read, 1,300 written), ¥0.42"."""
    usage = sum_of(runs)
    count = ngettext("{n} run", "{n} runs", len(runs)).format(n=len(runs))
    text = _("{title}: {runs}, {tokens} ({read} read, {wrote} written)").format(
        title=title, runs=count, tokens=tokens(usage), read=f"{usage.input:,}", wrote=f"{usage.output:,}"
    )
    money, is_whole = cost_of([(run.model, run.usage) for run in runs], price_of)
    if not money:
        return text
    amount = money_text(money)
    return f"{text}, {amount}" if is_whole else _("{told}, at least {amount}").format(told=text, amount=amount)

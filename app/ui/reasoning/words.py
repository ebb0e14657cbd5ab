"""What the pane alone needs to say or draw a state; sentences that others say too are in `texts`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.core.chat_model import Usage
from app.core.events import CallStatus, PhaseName
from app.core.i18n import _, ngettext
from app.core.plan import PlanStepStatus
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


def milliseconds(value: int) -> str:
    return _("{n} ms").format(n=value) if value < 1_000 else texts.seconds_text(value / 1_000)


def steps(count: int) -> str:
    return ngettext("{n} step", "{n} steps", count).format(n=count)


def tokens(usage: Usage) -> str:
    told = texts.tokens_text(usage.total)
    return told if usage.exact else f"≈ {told}"


def short_args(args: Mapping[str, Any], limit: int = 120) -> str:
    """The arguments in one line, for a glance: `city: 成都, days: 3`."""
    parts: list[str] = []
    length = 0
    for key, value in args.items():
        text = value[: limit + 1] if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        part = f"{key}: {text[:limit]}"
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

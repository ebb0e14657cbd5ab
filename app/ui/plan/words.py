"""What a plan card says of its steps and of the whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.arguments.references import parse_reference
from app.core.run.analysis.run_stats import Estimate
from app.core.run.plan import NO_TOOL, PlanStep, PlanStepStatus
from app.core.text.i18n import _, ngettext
from app.core.wording.arguments import argument_title, reference_words
from app.core.wording.figures import seconds_text, tokens_text
from app.core.wording.tools import tool_title
from app.ui.plan.catalogue import ToolCatalogue

STEP_ICONS: Mapping[PlanStepStatus, tuple[str, str]] = {
    "pending": ("circle", "muted"),
    "running": ("play", "accent"),
    "done": ("check", "ok"),
    "failed": ("alert", "error"),
    "skipped": ("skip", "muted"),
}
"""Icon and colour; the colour never stands alone."""


def step_title(step: PlanStep) -> str:
    """What it uses, in words; a step of no tool is its own words."""
    return step.description if step.action == NO_TOOL else tool_title(step.action)


def step_detail(step: PlanStep) -> str:
    """What for, beside the title; where that says nothing more, the arguments."""
    if step.action == NO_TOOL:
        return ""
    description = step.description if step.description not in (step.action, tool_title(step.action)) else ""
    return description or ", ".join(f"{name} {value}" for name, value in argument_words(step.params))


def argument_words(params: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and value of each, for a glance."""
    return [(argument_title(name), value_words(value)) for name, value in params.items()]


def value_words(value: Any, longest: int = 120) -> str:
    if isinstance(value, str):
        reference = reference_words(value)
        return f"← {reference}" if reference else value[:longest]
    if isinstance(value, list):
        return ", ".join(value_words(item, longest) for item in value)[:longest]
    return json.dumps(value, ensure_ascii=False, default=str)[:longest]


def plan_sum(
    steps: Iterable[PlanStep], found: Estimate, catalogue: ToolCatalogue, tool_seconds: float | None = None
) -> str:
    """ "5 tool calls · ≈ 1,200 tokens · ≈ 3 s · no network, no files"; `tool_seconds` where no run tells the whole."""
    parts = [ngettext("{n} tool call", "{n} tool calls", found.calls).format(n=found.calls)]
    if found.requests:
        parts.append(ngettext("{n} request", "{n} requests", found.requests).format(n=found.requests))
    if found.tokens is not None and found.seconds is not None:
        parts += [f"≈ {tokens_text(found.tokens)}", f"≈ {seconds_text(found.seconds)}"]
    elif tool_seconds is not None:
        parts.append(f"≈ {seconds_text(tool_seconds)}")
    return " · ".join([*parts, _reach({catalogue.permission(step.action) for step in steps})])


def basis(found: Estimate) -> str:
    """What the figures of a sum rest on; "" where there are none."""
    if not found.runs:
        return ""
    return ngettext("From {n} earlier plan", "From {n} earlier plans", found.runs).format(n=found.runs)


def _reach(permissions: set[str]) -> str:
    """What the tools may touch outside this program."""
    words = []
    if any(one.startswith("net") for one in permissions):
        words.append(_("goes online"))
    if any(one.startswith("fs.") and one != "fs.read" for one in permissions):
        words.append(_("writes files"))
    if "exec" in permissions:
        words.append(_("runs programs"))
    return ", ".join(words) or _("no network, no files")


def state_sum(steps: Iterable[PlanStep]) -> str:
    """ "5 steps, 1 failed, 2 skipped"."""
    listed = [step.status for step in steps]
    words = [ngettext("{n} step", "{n} steps", len(listed)).format(n=len(listed))]
    if failed := listed.count("failed"):
        words.append(_("{n} failed").format(n=failed))
    if skipped := listed.count("skipped"):
        words.append(_("{n} skipped").format(n=skipped))
    return ", ".join(words)


def changes_words(count: int) -> str:
    return ngettext("{n} change", "{n} changes", count).format(n=count)


def stays(done: int) -> str:
    return ngettext("{n} finished step stays", "{n} finished steps stay", done).format(n=done)


def references_in(value: Any) -> list[str]:
    """Every `$n.path` in the arguments, in order."""
    if isinstance(value, str):
        return [value] if parse_reference(value) else []
    if isinstance(value, Mapping):
        return [found for item in value.values() for found in references_in(item)]
    return [found for item in value for found in references_in(item)] if isinstance(value, list | tuple) else []

"""Words for a run: what it does now, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping

from ..text.i18n import N_, _, ngettext
from .tools import tool_title

PHASE_TITLES: Mapping[str, str] = {
    "understanding": N_("Understanding the task"),
    "planning": N_("Planning"),
    "decomposing": N_("Breaking the task down"),
    "approval": N_("Waiting for your approval"),
    "executing": N_("Running tools"),
    "answering": N_("Writing the answer"),
}


def phase_detail(title: str) -> str:
    """What is told of a phase beside its name: a goal in its own words, or why it is entered once more."""
    return _("The rest once more: a step failed") if title == "replan" else title


def phase_title(phase: str) -> str:
    return _(PHASE_TITLES[phase]) if phase in PHASE_TITLES else phase


_INTENTS: Mapping[str, str] = {
    "plan": N_("A task with several parts"),
    "lookup": N_("A question to look something up for"),
    "greeting": N_("A greeting"),
    "question": N_("A question"),
}


def intent_title(intent: str) -> str:
    """What a run took its question for."""
    return _(_INTENTS[intent]) if intent in _INTENTS else intent


_PURPOSES: Mapping[str, str] = {
    "step": N_("Step"),
    "plan": N_("Planning"),
    "answer": N_("Writing the answer"),
    "summary": N_("Summary of long text"),
    "test": N_("Test of the connection"),
}


def purpose_title(purpose: str) -> str:
    """What a request to the model was for."""
    return _(_PURPOSES[purpose]) if purpose in _PURPOSES else purpose


def round_title(round: int, limit: int) -> str:
    return _("Reflection round {round}/{limit}").format(round=round, limit=limit)


def reflecting(round: int, limit: int) -> str:
    return _("Reflecting ({round}/{limit})").format(round=round, limit=limit)


def plan_progress(step: int, count: int) -> str:
    return _("Plan {step}/{count}").format(step=step, count=count)


def using_tool(name: str) -> str:
    return _("Using {tool}").format(tool=tool_title(name))


def verdict_title(round: int, limit: int, verdict: str, missing: str | None = None) -> str:
    if verdict == "enough":
        return _("Round {round}/{limit} – enough").format(round=round, limit=limit)
    if missing:
        return _("Round {round}/{limit} – not enough: {missing}").format(round=round, limit=limit, missing=missing)
    return _("Round {round}/{limit} – not enough").format(round=round, limit=limit)


_STATES: Mapping[str, str] = {
    "starting": N_("Starting"),
    "thinking": N_("Thinking"),
    "answering": N_("Writing the answer"),
    "waiting": N_("Waiting for your approval"),
    "asking": N_("Waiting for your answer"),
    "retrying": N_("Trying again"),
    "held": N_("The plan is paused"),
    "stopping": N_("Stopping"),
    "stopping_safely": N_("Stopping safely; press again to abandon what still hangs"),
    "idle": N_("Ready"),
    "opening": N_("Getting ready"),
}


def state_title(state: str) -> str:
    return _(_STATES[state]) if state in _STATES else state


_STATUSES: Mapping[str, str] = {
    "pending": N_("Pending"),
    "running": N_("Running"),
    "done": N_("Done"),
    "failed": N_("Failed"),
    "skipped": N_("Skipped"),
    "ok": N_("Done"),
    "error": N_("Failed"),
    "denied": N_("Denied"),
    "blocked": N_("Blocked"),
    "repeat": N_("Repeat, not run"),
    "interrupted": N_("Interrupted"),
    "unknown": N_("Outcome unknown"),
}

PLAN_STATUSES = ("pending", "running", "done", "failed", "skipped")


def status_title(status: str) -> str:
    """Of a plan step or a tool call."""
    return _(_STATUSES[status]) if status in _STATUSES else status


_STOPS: Mapping[str, str] = {
    "answered": N_("Answered"),
    "enough": N_("Knew enough"),
    "max_steps": N_("Answered at the last allowed step"),
    "max_rounds": N_("Answered after the last reflection round"),
    "all_duplicates": N_("Answered: the model only repeated earlier calls"),
    "saturated": N_("Answered: more rounds brought nothing new"),
    "failures": N_("Answered: one call after the other failed"),
    "budget": N_("Answered at the end of the budget"),
    "user": N_("Answered when you asked for it"),
    "clarification": N_("Needs your answer to go on"),
    "plan_only": N_("Stopped after the plan, as asked"),
    "cut": N_("Cut: the answer reached its greatest length"),
    "filtered": N_("Held back by the provider's content filter"),
    "fallback": N_("The model gave no answer; this is what was found"),
    "damaged": N_("Interrupted: the provider sent damaged data"),
}

STOPS = tuple(_STOPS)


def stop_title(reason: str) -> str:
    return _(_STOPS[reason]) if reason in _STOPS else reason


def stopped_by_you(round: int, results: int) -> str:
    results_kept = ngettext("{n} result kept", "{n} results kept", results).format(n=results)
    if round:
        return _("Stopped by you in round {round}; {kept}").format(round=round, kept=results_kept)
    if results:
        return _("Stopped by you; {kept}").format(kept=results_kept)
    return _("Stopped by you")

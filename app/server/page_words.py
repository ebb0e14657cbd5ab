"""The words of the chat page, in the language of the program, as the window has them."""

from __future__ import annotations

from typing import Any

from app.core.run.mode import mode_ids, mode_name
from app.core.text.i18n import _
from app.core.wording.errors import error_text, known_error_codes
from app.core.wording.notices import known_notices, notice_text
from app.core.wording.permissions import PERMISSIONS, RULES, class_text, rule_text
from app.core.wording.runs import PHASE_TITLES, PLAN_STATUSES, STOPS, phase_title, status_title, stop_title


def words() -> dict[str, Any]:
    """What stands in braces is put in by the page."""
    errors = {code: error_text(code, "{message}") for code in known_error_codes()}
    return {
        **_page(), **_questions(),
        "modes": {id: _(mode_name(id)) for id in mode_ids()},
        "phases": {phase: phase_title(phase) for phase in PHASE_TITLES},
        "statuses": {status: status_title(status) for status in PLAN_STATUSES},
        "stops": {reason: stop_title(reason) for reason in STOPS},
        "errors": {code: {"what": text.what, "do": text.do} for code, text in errors.items()},
        "notices": {code: text for code in known_notices() if "{" not in (text := notice_text(code))},
        "rules": {rule: rule_text(f"{rule} {{what}}") for rule in RULES},
        "classes": {permission: class_text(permission) for permission in PERMISSIONS},
    }  # fmt: skip


def _page() -> dict[str, str]:
    return {
        "own_mode": _("as the agent"),
        "refused": _("This token is not the one `triptych serve` shows."),
        "lost": _("Triptych does not answer; is it still running?"),
        "tokens": _("{n} tokens"),
        "seconds": _("{n} s"),
        "working": _("Working"),
        "work": _("Work ({n})"),
        "details": _("Details"),
        "retry": _("Trying again"),
        "stopped": _("Stopped by you"),
    }


def _questions() -> dict[str, Any]:
    return {
        "choices": {
            "once": _("Allow once"), "run": _("Allow for this run"), "always": _("Always allow"), "deny": _("Deny"),
        },
        "wants": _("{tool} wants to run"),
        "careful": _("Look closely before you allow this."),
        "source": _("Text from {source} was read before."),
        "private": _("This is private and would leave this computer: {piece}"),
        "change": _("Change the arguments"),
        "arguments": _("Arguments"),
        "reason": _("Why not (the agent reads it)"),
        "no_json": _("These arguments are not valid JSON."),
        "answer": _("Answer"),
        "answer_now": _("Answer now"),
        "raise": _("Raise to {limit}"),
        "used_up": _("The budget is used up: {used} of {limit} {kind}"),
        "budgets": {
            "tokens": _("tokens"), "seconds": _("seconds"), "tool_calls": _("tool calls"), "money": _("money"),
        },
        "run_plan": _("Run the plan"),
        "keep_plan": _("Keep the earlier plan"),
        "step": _("Step"),
        "up": _("Move up"),
        "leave_out": _("Leave out"),
        "no_tool": _("without a tool"),
    }  # fmt: skip

"""Sentences for notices of a run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..text.i18n import N_, _, current_language
from ..text.value_faults import fault_of_params
from .errors import error_text
from .filling import filled

_NOTICES: Mapping[str, str] = {
    "direct_fallback": N_("Direct could not answer, so ReAct takes over."),
    "plan_fallback": N_("No usable plan came about, so ReAct takes over."),
    "dialect_changed": N_("The model does not take tools the usual way; they are described in the text instead."),
    "empty_answer": N_("The model gave an empty answer."),
    "prompt_long": N_("The system prompt is very long ({chars} characters); it is sent with every request."),
    "settings_reset": N_("Settings could not be read and were reset."),
    "key_in_file": N_("Keys are kept in a file only you can read, because there is no keyring."),
    "results_cut": N_("Tool results were shortened for the model; the whole is kept for you."),
    "replanned": N_("A step failed, so the rest was planned anew."),
    "offline_rules": N_("Answered by the offline rules, without a model."),
    "call_cut": N_("A call of {names} was cut off by the model's length limit and did not run."),
    "context_raised": N_("The conversation could not be shortened further; this run goes on with {limit} characters."),
    "message_damaged": N_("A stored message could not be read; the others are not affected."),
    "rule_left_out": N_("{agent}: a rule before or after tools cannot be read and does nothing ({why})."),
    "plugin_left_out": N_("The plug-in {name} ({group}) was left out: {why}"),
    "tools_unsupported": N_("The model does not take tools; it answers without them."),
    "markup_suppressed": N_("The model wrote a tool call although no tools were offered; it was left out."),
    "reasoning_cut": N_("The thinking was longer than the safety limit and was cut."),
    "grants_reset": N_("The file of permissions was changed from outside; nothing is allowed for good any more."),
    "grants_locked": N_("The keyring does not answer, so what you allowed for good asks again this time."),
    "grants_unread": N_("What you allowed for good could not be read, so everything asks again this time."),
    "mcp_reset": N_("What was agreed to about MCP servers cannot be relied on; look at them again before they start."),
    "mcp_unavailable": N_("The MCP server {server} cannot be used now: {why}"),
    "no_price": N_("The budget in money cannot count {model}: no price was typed for it under Providers."),
    "plan_based_on": N_("Based on earlier plans ({n}): {queries}"),
    "images_left_out": N_("This model sees no pictures; the attached ones are not sent to it."),
    "folder_notes": N_("Read from the folder, as data: {files}"),
    "damaged": N_("The provider sent damaged data. What could be read is kept; no tool was run from it."),
    "knowledge_reset": N_(
        "The file of the knowledge bases was damaged and is kept as {file}. Add the folders again: they are read anew."
    ),
    "bases_unread": N_("Direct has no tools, so {names} was not searched. Auto, ReAct and Plan search it."),
    "base_unknown": N_("No knowledge base is called {names}. There are: {known}."),
    "memory_used": N_("Used from memory: {facts}"),
    "agent_outside": N_("The agent asked to go outside its folder and was refused: {path} ({what})"),
    "agent_own_folder": N_("No folder is picked for this session: the agent works in its own, {path}"),
    "limit_raised": N_("Steps were raised to {steps} so that the reflection rounds fit."),
}

_MCP_WHY: Mapping[str, str] = {
    "gone": N_("no such server is set up. Take it out of the agent, or set it up again."),
    "off": N_("it is switched off. Switch it on under MCP servers."),
    "review": N_("what it would start waits for your look under MCP servers."),
    "tools": N_("its tools wait for your look under MCP servers."),
    "failed": N_("it did not start, or has ended. Its page under MCP servers says why."),
    "offline": N_("Triptych stays offline."),
    "safe_mode": N_("in safe mode no server is started."),
}


_LEFT_AS_IT_IS = N_("{file} could not be read. The usual settings hold for now, and the file is left as it is.")
_RESET: Mapping[str, str] = {
    "settings_damaged": N_("{file} could not be read and was reset. The damaged file is kept as {aside}."),
    "used_copy": N_("{file} could not be read; its last good copy is used. The damaged file is kept as {aside}."),
    "settings_newer": N_(
        "{file} was made by a newer version: what is known of it is used, and it is not written over."
    ),
    "settings_refused": _LEFT_AS_IT_IS,
    "settings_unreadable": _LEFT_AS_IT_IS,
    "fields": N_("Settings that made no sense were replaced by the usual ones: {fields}."),
    "agent": N_("{agent}: settings that made no sense were replaced by the usual ones: {fields}."),
    "mcp_server": N_("The MCP server in {file} could not be read and is left out. The file stays as it is."),
    "provider": N_("The provider {provider} in {file} could not be read and is left out. What stands there is kept."),
}
"""Of a file or a field, by what was wrong."""


def _reset_text(values: Mapping[str, Any]) -> str:
    reason = str(values.get("reason") or ("agent" if values.get("agent") else "fields" if values.get("fields") else ""))
    if reason == "settings_damaged":
        reason = "used_copy" if values.get("used_copy") else reason if values.get("aside") else "settings_refused"
    sentence = _RESET.get(reason)
    return filled(_(sentence), values) if sentence else ""


def notice_text(code: str, text: str = "", params: Mapping[str, Any] | None = None) -> str:
    """The sentence for a notice; an unknown code shows the text that came with it."""
    if code not in _NOTICES:
        return text or code
    values = dict(params or {})
    if code == "mcp_unavailable" and values.get("why") in _MCP_WHY:
        why = _MCP_WHY[values["why"]]
        values["why"] = _(why)
    if isinstance(fault := values.get("fault"), Mapping):
        values = {**values, "why": fault_of_params(fault).sentence(current_language())}
    sentence = _reset_text(values) if code == "settings_reset" else ""
    return sentence or filled(_(_NOTICES[code]), values) or text or code


def retry_text(attempt: int, code: str) -> str:
    return _("{what} Trying again (attempt {n}).").format(what=error_text(code).what, n=attempt)


def compacted_text(before: int, after: int) -> str:
    return _("The conversation was shortened for the model: {before:,} → {after:,} characters.").format(
        before=before, after=after
    )


_BUDGET_KINDS: Mapping[str, str] = {
    "tokens": N_("tokens"),
    "seconds": N_("seconds"),
    "tool_calls": N_("tool calls"),
    "money": N_("money"),
}


_BUDGETS: Mapping[str, str] = {
    "run": N_("Budget: {used} of {limit} {kind} used."),
    "session": N_("Budget of this session: {used} of {limit} {kind} used."),
    "day": N_("Today's budget: {used} of {limit} {kind} used."),
}
_BUDGET_STATES: Mapping[str, str] = {
    "run": N_("The budget is used up; waiting for you"),
    "session": N_("The budget of this session is used up; waiting for you"),
    "day": N_("Today's budget is used up; waiting for you"),
}


def budget_text(kind: str, used: float, limit: float, scope: str = "run") -> str:
    name = _(_BUDGET_KINDS[kind]) if kind in _BUDGET_KINDS else kind
    text = _(_BUDGETS.get(scope, _BUDGETS["run"]))
    return text.format(used=_amount(used), limit=_amount(limit), kind=name)


def budget_state(scope: str) -> str:
    """What a run waits for whose budget is used up."""
    return _(_BUDGET_STATES.get(scope, _BUDGET_STATES["run"]))


def _amount(amount: float) -> str:
    """12,000 and 0.41, but not 1.2e+06."""
    return f"{amount:,.0f}" if amount >= 1_000 else f"{amount:g}"


def known_notices() -> tuple[str, ...]:
    return tuple(_NOTICES)

"""Codes become words here, once: modes, phases, outcomes, errors, notices, figures.

Everybody in the window who shows a state asks here; nobody below the window knows a sentence.
Light on purpose (no Qt, no events): the shell needs it before the first paint.
"""

from .errors import (
    ErrorText,
    NextAction,
    action_title,
    detail_text,
    error_text,
    fault_text,
    hint_text,
    known_error_codes,
)
from .figures import clock_text, seconds_text, tokens_text
from .modes import mode_choice, mode_tip, mode_title
from .notices import budget_state, budget_text, compacted_text, notice_text, retry_text
from .reasons import known_reasons, reason_text
from .runs import (
    intent_title,
    phase_title,
    plan_progress,
    purpose_title,
    reflecting,
    round_title,
    state_title,
    status_title,
    stop_title,
    stopped_by_you,
    using_tool,
    verdict_title,
)

__all__ = [
    "ErrorText",
    "NextAction",
    "action_title",
    "budget_state",
    "budget_text",
    "clock_text",
    "compacted_text",
    "detail_text",
    "error_text",
    "fault_text",
    "hint_text",
    "intent_title",
    "known_error_codes",
    "known_reasons",
    "mode_choice",
    "mode_tip",
    "mode_title",
    "notice_text",
    "phase_title",
    "plan_progress",
    "purpose_title",
    "reason_text",
    "reflecting",
    "retry_text",
    "round_title",
    "seconds_text",
    "state_title",
    "status_title",
    "stop_title",
    "stopped_by_you",
    "tokens_text",
    "using_tool",
    "verdict_title",
]

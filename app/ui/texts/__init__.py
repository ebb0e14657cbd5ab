"""What the window says: the words of `core/wording`, and those that only a window needs.

Light on purpose (no Qt, no events): the shell needs it before the first paint.
"""

from app.core.wording.error_actions import NextAction, action_title
from app.core.wording.errors import (
    ErrorText,
    can_pass,
    detail_text,
    error_text,
    fault_text,
    faults_text,
    hint_text,
    known_error_codes,
    ways_out,
)
from app.core.wording.figures import clock_text, seconds_text, tokens_text
from app.core.wording.notices import budget_state, budget_text, compacted_text, notice_text, retry_text
from app.core.wording.reasons import known_reasons, reason_text
from app.core.wording.runs import (
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

from .modes import mode_choice, mode_tip, mode_title

__all__ = [
    "ErrorText",
    "NextAction",
    "action_title",
    "budget_state",
    "budget_text",
    "can_pass",
    "clock_text",
    "compacted_text",
    "detail_text",
    "error_text",
    "fault_text",
    "faults_text",
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
    "ways_out",
]

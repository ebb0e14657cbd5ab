"""What the window says: the words of `core/wording`, and those that only a window needs.

Light on purpose (no Qt, no events): the shell needs it before the first paint, and so each file is read when one of
its names is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

    from .modes import mode_choice, mode_icon, mode_tip, mode_title

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
    "mode_icon",
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

_FILES = {
    "app.core.wording.error_actions": ("NextAction", "action_title"),
    "app.core.wording.errors": (
        "ErrorText", "can_pass", "detail_text", "error_text", "fault_text", "faults_text", "hint_text",
        "known_error_codes", "ways_out",
    ),
    "app.core.wording.figures": ("clock_text", "seconds_text", "tokens_text"),
    "app.core.wording.notices": ("budget_state", "budget_text", "compacted_text", "notice_text", "retry_text"),
    "app.core.wording.reasons": ("known_reasons", "reason_text"),
    "app.core.wording.runs": (
        "intent_title", "phase_title", "plan_progress", "purpose_title", "reflecting", "round_title", "state_title",
        "status_title", "stop_title", "stopped_by_you", "using_tool", "verdict_title",
    ),
    "app.ui.texts.modes": ("mode_choice", "mode_icon", "mode_tip", "mode_title"),
}  # fmt: skip
_FILE_OF = {name: file for file, names in _FILES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _FILE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_FILE_OF[name]), name)
    return value

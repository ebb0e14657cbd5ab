"""What a person reads at an approval beside `core/wording/permissions`."""

from __future__ import annotations

from app.core.text.i18n import _
from app.core.wording.permissions import class_text, rule_text

__all__ = ["class_text", "refusal_text", "rule_text", "time_left"]

_NOBODY = "nobody answered"
"""As the gate tells the model."""


def refusal_text(reason: str) -> str:
    """Why a call was refused: the person's own words, or ours where nobody said any."""
    return _("Nobody answered in time.") if reason == _NOBODY else reason


def time_left(seconds: float) -> str:
    """How long an approval still waits: minutes, at the end seconds."""
    seconds_left = max(0, round(seconds))
    if seconds_left >= 60:
        return _("waits {n} min more").format(n=-(-seconds_left // 60))
    return _("waits {n} s more").format(n=seconds_left)

"""The buttons that an error offers, and their titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ..text.i18n import N_, _

NextAction = Literal["", "providers", "retry", "regenerate", "new_session", "agent", "report", "model"]

_ACTIONS: Mapping[NextAction, str] = {
    "providers": N_("Open provider settings"),
    "retry": N_("Retry"),
    "regenerate": N_("Regenerate"),
    "new_session": N_("New session"),
    "agent": N_("Open the agent's settings"),
    "report": N_("Copy details"),
    "model": N_("Use another model"),
}


def action_title(action: NextAction) -> str:
    return _(_ACTIONS[action]) if action in _ACTIONS else ""

"""The state of a call or a step as icon and words: the colour never stands alone."""

from __future__ import annotations

from app.core.text.i18n import _

from .items import ToolState

STATE_ICONS: dict[ToolState, tuple[str, str]] = {
    "waiting": ("circle", "muted"),
    "running": ("play", "accent"),
    "done": ("check", "ok"),
    "failed": ("alert", "error"),
    "stopped": ("stop", "muted"),
    "skipped": ("skip", "muted"),
    "unknown": ("question", "warn"),
    "asks": ("question", "accent"),
}


def state_words(state: ToolState) -> str:
    return {
        "waiting": _("waiting"),
        "running": _("running"),
        "done": _("done"),
        "failed": _("failed"),
        "stopped": _("stopped"),
        "skipped": _("skipped"),
        "unknown": _("outcome unknown"),
        "asks": _("asks you"),
    }[state]

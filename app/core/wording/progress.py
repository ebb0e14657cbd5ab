"""What a program that follows a run is told of it, line by line."""

from __future__ import annotations

from ..run.events import PhaseStart, RunEvent, ToolStarted
from ..text.i18n import say_in
from .runs import PHASE_TITLES
from .tools import tool_title


def progress_text(event: RunEvent, language: str) -> str:
    """In the language of the conversation; "" for what is no progress."""
    match event:
        case PhaseStart(phase=phase):
            return say_in(language, PHASE_TITLES.get(phase, phase))
        case ToolStarted(name=name):
            return tool_title(name)
        case _:
            return ""

"""The button beside a problem that asks for its remedy.

The words are ours, the operation is data and stands in the message for all to see; the tool
runs, as ever, only if the model calls it and its permission is given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QPushButton

from app.core.text.i18n import _
from app.core.tools.card_markdown import as_text
from app.services.tools.card_tools import tools_for_cards
from app.ui.widgets.safe_text import set_safe_tooltip, visible

Ask = Callable[[str], None]
"""Takes the words of a question."""

_LONGEST_OPERATION = 600
_LONGEST_PROBLEM = 300
_LONGEST_LABEL = 24


@dataclass(frozen=True, slots=True)
class Remedy:
    label: str
    words: str


def read_remedy(item: Mapping[str, Any]) -> Remedy | None:
    action = item.get("action")
    if not isinstance(action, Mapping) or not isinstance(operation := action.get("op"), Mapping):
        return None
    tool, written = action.get("tool"), json.dumps(operation, ensure_ascii=False, default=str)
    if not isinstance(tool, str) or tool not in tools_for_cards() or len(written) > _LONGEST_OPERATION:
        return None
    problem = " ".join(visible(as_text(item.get("text"))).split())[:_LONGEST_PROBLEM]
    words = _("Please fix this in the plan: {problem}\nUse {tool} with {operation}")
    label = visible(as_text(action.get("label")))[:_LONGEST_LABEL] or _("Fix it")
    return Remedy(label, words.format(problem=problem, tool=tool, operation=visible(written)))


def remedy_button(remedy: Remedy, ask: Ask) -> QPushButton:
    button = QPushButton(remedy.label.replace("&", "&&"))
    button.setAutoDefault(False)
    button.setProperty("kind", "link")
    button.setAccessibleDescription(remedy.words)
    set_safe_tooltip(button, remedy.words)
    button.clicked.connect(lambda _checked: ask(remedy.words))
    return button

"""How one answer came about: model, outcome, tokens, tools, and the settings it was given."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.profile import AgentProfile
from app.core.run.events import LoopEnd, LoopError
from app.core.run.messages import Message
from app.core.run.price import Price, money_text
from app.core.text.i18n import _
from app.core.text.moments import time_text
from app.ui.texts import error_text, mode_title, seconds_text, stop_title
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

NEVER_REUSED = frozenset({"id", "icon", "tools", "permissions", "hooks", "mcp_servers", "subagents", "then"})
"""What an answer was given and a later one is not: who it is and what it may do are the agent's of today."""


class AnswerDetails(QDialog):
    again_asked = Signal(object)
    """The settings of this answer, to ask its question once more with them."""

    def __init__(
        self,
        theme: Theme,
        message: Message,
        mode: str,
        *,
        price: Price | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("answerDetails")
        self.setWindowTitle(_("Details of this answer"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        settings = dict(message.start.settings) if message.start else {}
        self._lines = lines_of(message, mode, price)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(3))
        grid.setVerticalSpacing(theme.space(0.75))
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate(self._lines):
            grid.addWidget(SafeLabel(name, role="meta"), place, 0, Qt.AlignmentFlag.AlignTop)
            label = SafeLabel(value)
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, place, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(2))
        layout.addWidget(SafeLabel(_("Details of this answer"), role="title"))
        layout.addLayout(grid)
        self._reusable = reusable(settings)
        self._settings = json.dumps(settings, ensure_ascii=False, indent=2)
        if settings:
            layout.addWidget(SafeLabel(_("Settings used"), role="strong"))
            view = PlainView(theme, self._settings, self, code=True, lines=14)
            view.setAccessibleName(_("Settings used"))
            layout.addWidget(view)
        layout.addStretch(1)
        layout.addLayout(self._buttons(theme, self._reusable))
        open_at(self, theme.space(72), theme.space(70) if settings else theme.space(40))

    def _buttons(self, theme: Theme, settings: dict[str, Any]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        copy = QPushButton(_("Copy"))
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy)
        row.addWidget(copy)
        if settings:
            again = QPushButton(_("Ask again with these settings"))
            again.setObjectName("askAgainWithSettings")
            again.setAutoDefault(False)
            again.clicked.connect(self._again)
            row.addWidget(again)
        row.addStretch(1)
        close = QPushButton(_("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row.addWidget(close)
        return row

    def _again(self) -> None:
        self.accept()
        self.again_asked.emit(self._reusable)

    def _copy(self) -> None:
        text = "\n".join(f"{name}: {value}" for name, value in self._lines)
        QGuiApplication.clipboard().setText(f"{text}\n\n{self._settings}")


def reusable(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Of the settings of an earlier run those that say how, not what is allowed."""
    return {name: settings[name] for name in settings.keys() & AgentProfile.model_fields.keys() - NEVER_REUSED}


def lines_of(message: Message, mode: str, price: Price | None = None) -> list[tuple[str, str]]:
    """`price` is that of the model; without one no cost is told."""
    start, end = message.start, message.end
    lines = [(_("Agent"), start.agent if start else ""), (_("Mode"), mode_title(mode))]
    lines.append((_("Model"), start.model if start else ""))
    match end:
        case LoopEnd():
            lines.append((_("Ended"), stop_title(end.stop_reason)))
        case LoopError():
            lines.append((_("Ended"), error_text(end.error.code, end.error.message, end.error.params).what))
        case _:
            pass
    if end is not None:
        usage = end.usage
        words = _("{input:,} in, {output:,} out, {reasoning:,} of them reasoning, {cached:,} from the cache")
        tokens = words.format(input=usage.input, output=usage.output, reasoning=usage.reasoning, cached=usage.cached)
        if usage.total:  # an answer that was stopped has no figures
            lines.append((_("Tokens"), tokens if usage.exact else _("{tokens} (estimated)").format(tokens=tokens)))
        if price is not None and price.currency:
            lines.append((_("Spent"), money_text({price.currency: price.cost(usage)})))
        lines += [(_("Time"), seconds_text(end.seconds)), (_("Steps"), str(end.steps))]
        lines.append((_("Tools"), ", ".join(end.tools)))
    lines.append((_("Begun"), time_text(message.created, "%Y-%m-%d %H:%M:%S")))
    return [(name, value) for name, value in lines if value]

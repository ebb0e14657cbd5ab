"""What an answer costs as the form stands now: time, tokens, and the rounds beside each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from app.core.run.analysis.round_costs import RoundCosts
from app.core.text.i18n import _, ngettext
from app.ui.dialogs.agents.profile_costs import multiple_of, seconds_of
from app.ui.texts import tokens_text
from app.ui.theme import Theme
from app.ui.widgets.guarded import guarded
from app.ui.widgets.safe_text import SafeLabel

WIDTH = 33
"""Steps of the grid: 264 pixels."""
ROUNDS = (0, 1, 2, 3, 5)
_CHARACTERS_PER_TOKEN = 4


class CostCard(QFrame):
    def __init__(self, theme: Theme, tool_lengths: Mapping[str, int], parent: QWidget | None = None) -> None:
        """`tool_lengths`: the characters each tool adds to every request."""
        super().__init__(parent)
        self.setProperty("card", "plain")
        self.setFixedWidth(theme.space(WIDTH))
        self._tool_lengths = tool_lengths
        self._own: RoundCosts | None = None
        self._values: Mapping[str, Any] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(2))
        grid.setVerticalSpacing(theme.space(0.25))
        grid.setColumnStretch(1, 1)
        self.figures: dict[str, tuple[SafeLabel, SafeLabel]] = {}
        for row, (id, title) in enumerate((("time", _("Time")), ("tokens", _("Tokens")), ("tools", _("Tools")))):
            figure, about = self.figures[id] = SafeLabel(role="strong"), SafeLabel(role="meta")
            about.setWordWrap(True)
            grid.addWidget(SafeLabel(title, role="meta"), row * 2, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(figure, row * 2, 1)
            grid.addWidget(about, row * 2 + 1, 1)
        self._bars = _RoundBars(theme)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(2), theme.space(2), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(_("An answer with these settings"), role="strong"))
        layout.addLayout(grid)
        layout.addWidget(SafeLabel(_("Tokens by rounds"), role="meta"))
        layout.addWidget(self._bars)

    def in_one_line(self) -> str:
        """For where there is no room for a card."""
        figures = (figure.text() for figure, _about in self.figures.values())
        return " · ".join([_("An answer with these settings"), *figures])

    def set_measured(self, own: RoundCosts | None) -> None:
        self._own = own
        self.show_values(self._values)

    def show_values(self, values: Mapping[str, Any]) -> None:
        if not values:
            return
        self._values = values
        rounds = values["max_reflection_iterations"] if values["enable_reflection"] else 0
        low, high = seconds_of(rounds, self._own)
        time, about_time = self.figures["time"]
        time.setText(_("{low:.0f}–{high:.0f} s").format(low=low, high=high) if low else _("a few seconds"))
        runs = self._own.runs if self._own is not None else 0
        measured = ngettext("measured in {n} run", "measured in {n} runs", runs).format(n=runs)
        about_time.setText(measured if runs else _("general figures, until this agent has run"))
        tokens, about_tokens = self.figures["tokens"]
        tokens.setText(f"{multiple_of(rounds, self._own):.1f}×")
        about_tokens.setText(_("of an answer without rounds"))
        offered = [name for name, word in values["tools"].items() if word != "deny"]
        length = sum(self._tool_lengths.get(name, 0) for name in offered) + len(values["system_prompt"])
        tools, about_tools = self.figures["tools"]
        tools.setText(tokens_text(length // _CHARACTERS_PER_TOKEN))
        words = ngettext(
            "prompt and {n} tool, with each request", "prompt and {n} tools, with each request", len(offered)
        )
        about_tools.setText(words.format(n=len(offered)))
        self._bars.show_multiples([multiple_of(one, self._own) for one in ROUNDS], rounds)


class _RoundBars(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._multiples: list[float] = []
        self._rounds = 0
        self.setAccessibleName(_("Tokens by rounds"))

    def sizeHint(self) -> QSize:
        return QSize(self._theme.space(20), self._theme.space(11))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_multiples(self, multiples: list[float], rounds: int) -> None:
        self._multiples, self._rounds = multiples, rounds
        multiples_text = "; ".join(f"{one}: {multiple:.1f}×" for one, multiple in zip(ROUNDS, multiples, strict=True))
        self.setAccessibleDescription(multiples_text)
        self.update()

    @guarded
    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._multiples:
            return
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("meta"))
        gap, line = theme.space(0.5), theme.space(2.25)
        wide, room = (self.width() + gap) / len(ROUNDS), self.height() - line - theme.space(0.5)
        for place, (rounds, multiple) in enumerate(zip(ROUNDS, self._multiples, strict=True)):
            is_chosen = rounds == self._rounds
            high = max(3.0, room * multiple / max(self._multiples))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent" if is_chosen else "border"))
            painter.drawRoundedRect(QRectF(place * wide, room - high, wide - gap, high), 2, 2)
            painter.setPen(theme.color("accent" if is_chosen else "muted"))
            below = QRectF(place * wide, self.height() - line, wide - gap, line)
            painter.drawText(below, int(Qt.AlignmentFlag.AlignCenter), str(rounds))

"""Which agents may use the tools of a server."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QVBoxLayout, QWidget

from app.core.text.i18n import _, ngettext
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_COLUMNS = 3


class ServerAgents(QWidget):
    toggled = Signal(str, bool)
    """An agent, and whether it may: by a person's click."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        self._tokens = 0
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme.space(2))
        self._grid.setVerticalSpacing(theme.space(1))
        self._cost = SafeLabel(role="meta")
        self._cost.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(1))
        layout.addLayout(self._grid)
        layout.addWidget(self._cost)

    def show_agents(self, agents: Sequence[tuple[str, str]], chosen: Collection[str], *, tokens: int) -> None:
        """Id and title of each; `tokens` is what the tools add to every request of an agent."""
        self._tokens = tokens
        if list(self.boxes) != [id for id, _title in agents]:
            for box in self.boxes.values():
                self._grid.removeWidget(box)
                box.deleteLater()
            self.boxes = {}
            for place, (id, title) in enumerate(agents):
                box = self.boxes[id] = QCheckBox(visible(title).replace("&", "&&"))
                box.clicked.connect(partial(self._clicked, id))
                self._grid.addWidget(box, place // _COLUMNS, place % _COLUMNS)
        for id, box in self.boxes.items():
            box.setChecked(id in chosen)
        self._tell()

    def chosen(self) -> list[str]:
        return [id for id, box in self.boxes.items() if box.isChecked()]

    def _clicked(self, id: str, on: bool) -> None:
        self._tell()
        self.toggled.emit(id, on)

    def _tell(self) -> None:
        count = len(self.chosen())
        text = ngettext(
            "{n} agent; about {tokens:,} tokens more with each of its requests",
            "{n} agents; about {tokens:,} tokens more with each of their requests",
            count,
        )
        nobody = _("No agent uses this server yet.")
        self._cost.setText(text.format(n=count, tokens=self._tokens) if count else nobody)

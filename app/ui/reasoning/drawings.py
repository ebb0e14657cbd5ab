"""Timeline and graph in one tab: the same run by time, or by what fed what; a switch above goes to and fro."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.safe_text import SafeLabel

Drawing = Literal["timeline", "graph"]


class Drawings(QWidget):
    switched = Signal(str)
    """The drawing that is looked at from now on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.switch = Switch(theme, _("Show which result fed which step"))
        self.switch.setObjectName("graphSwitch")
        self.switch.toggled.connect(self._switch)
        self._words = SafeLabel(_("Graph"), role="meta")
        self._stack = QStackedWidget()
        self._places: Mapping[Drawing, QWidget] = {"timeline": place_named("timeline"), "graph": place_named("graph")}
        for place in self._places.values():
            self._stack.addWidget(place)
        row = QHBoxLayout()
        row.setContentsMargins(theme.space(1.5), theme.space(1), theme.space(1.5), 0)
        row.setSpacing(theme.space(1))
        row.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self.offer_graph(is_offered=False)

    @property
    def shown(self) -> Drawing:
        return "graph" if self.switch.isChecked() else "timeline"

    def offer_graph(self, *, is_offered: bool) -> None:
        """Only a run that has called something has one."""
        for part in (self.switch, self._words):
            part.setVisible(is_offered)
        if not is_offered:
            self.switch.setChecked(False)

    def put(self, drawing: Drawing, view: QWidget) -> None:
        layout = self._places[drawing].layout()
        assert layout is not None
        layout.addWidget(view)

    def _switch(self, _is_graph: bool) -> None:
        self._stack.setCurrentWidget(self._places[self.shown])
        self.switched.emit(self.shown)


def place_named(name: str) -> QWidget:
    """Where a view will stand, by the name it is found by."""
    place = QWidget()
    place.setObjectName(f"{name}View")
    QVBoxLayout(place).setContentsMargins(0, 0, 0, 0)
    return place

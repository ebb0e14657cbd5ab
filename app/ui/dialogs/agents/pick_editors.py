"""Other things of the application an agent is given: its helpers, its successor, its servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QGridLayout, QWidget

from app.core.setting import SettingInfo
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.fields.editors import CalmCombo, Editor
from app.ui.widgets.fields.switch import Switch
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.tab_order import anchor, tab_through

Option = tuple[str, str]
"""Id and title."""


class PickEditor(Editor):
    """Several of those there are, each with a switch. What is chosen and no longer there stays, and says so."""

    def __init__(self, empty: str, info: SettingInfo, theme: Theme) -> None:
        """`empty` is shown where there is nothing to choose."""
        self._place = QWidget()
        super().__init__(self._place)
        self.setFocusProxy(None)  # type: ignore[arg-type]  # Tab would come back to a proxy for ever
        self._before = anchor(self)
        """Where Tab comes from: the switches are made anew with every agent."""
        self._title, self._theme, self._empty = _(info.title), theme, empty
        self._options: Sequence[Option] = ()
        self.switches: dict[str, Switch] = {}
        self._grid = QGridLayout(self._place)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.space(1))
        self._grid.setVerticalSpacing(theme.space(0.75))
        self._grid.setColumnStretch(1, 1)

    def offer(self, options: Sequence[Option]) -> None:
        """From the next `set_value` on."""
        self._options = options

    def value(self) -> tuple[str, ...]:
        return tuple(id for id, switch in self.switches.items() if switch.isChecked())

    def set_value(self, value: Any) -> None:
        chosen = tuple(value or ())
        options = dict(self._options)
        gone = {id: _("{name} – not there any more").format(name=id) for id in chosen if id not in options}
        # The chosen ones first, in their order, so that an unchanged value comes back as it was.
        order = [*chosen, *(id for id in options if id not in chosen)]
        self._clear()
        self.switches = {id: self._add(row, (options | gone)[id], id in chosen) for row, id in enumerate(order)}
        if not order:
            self._grid.addWidget(SafeLabel(self._empty, role="meta"), 0, 0, 1, 2)
        tab_through(self._before, self.switches.values())

    def _add(self, row: int, title: str, is_chosen: bool) -> Switch:
        switch = Switch(self._theme, f"{self._title}: {visible(title)}")
        switch.setChecked(is_chosen)
        switch.toggled.connect(self.changed)
        label = SafeLabel(title, elide=True)
        label.setBuddy(switch)
        self._grid.addWidget(switch, row, 0)
        self._grid.addWidget(label, row, 1)
        return switch

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


class SuccessorEditor(Editor):
    """One of the other agents, or none."""

    def __init__(self, _info: SettingInfo, theme: Theme) -> None:
        self._combo = CalmCombo()
        super().__init__(self._combo)
        self._options: Sequence[Option] = ()
        self._combo.setMinimumWidth(theme.space(28))
        self.row.addStretch(1)
        self._combo.currentIndexChanged.connect(self.changed)

    def offer(self, options: Sequence[Option]) -> None:
        """From the next `set_value` on."""
        self._options = options

    def value(self) -> str | None:
        return str(self._combo.currentData() or "") or None

    def set_value(self, value: Any) -> None:
        options = [("", _("nobody: its answer is the answer")), *self._options]
        if value and value not in dict(options):
            options.append((value, _("{name} – not there any more").format(name=value)))
        self._combo.blockSignals(True)
        self._combo.clear()
        for id, title in options:
            self._combo.addItem(visible(title), id)
        self._combo.setCurrentIndex(max(0, self._combo.findData(value or "")))
        self._combo.blockSignals(False)

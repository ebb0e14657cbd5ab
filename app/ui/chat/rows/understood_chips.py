"""What was understood of the question, as chips: said, assumed (dotted), remembered, missing."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.core.run.understood import UnderstoodSlot
from app.core.text.i18n import _
from app.core.wording.understood import understood_text
from app.ui.cards.flow import Flow
from app.ui.chat.rows.base import RowTools
from app.ui.widgets.safe_text import SafeLabel, set_safe_tooltip

_MOST = 12


class UnderstoodChips:
    """The row of chips; kept while the slots are the same."""

    def __init__(self, row: QWidget, tools: RowTools) -> None:
        self._row, self._tools = row, tools
        self._made: tuple[Sequence[UnderstoodSlot], QWidget] | None = None

    def of(self, slots: Sequence[UnderstoodSlot]) -> QWidget | None:
        if self._made is not None and self._made[0] != slots:
            self._made[1].hide()
            self._made[1].deleteLater()
            self._made = None
        if self._made is None and slots:
            self._made = (slots, understood_chips(self._tools, slots))
            self._made[1].setParent(self._row)
            self._made[1].show()
        return self._made[1] if self._made is not None else None


def understood_chips(tools: RowTools, slots: Sequence[UnderstoodSlot]) -> QWidget:
    chips: list[QWidget | None] = [_chip(tools, slot) for slot in slots[:_MOST]]
    row = Flow(chips, tools.theme)
    row.setObjectName("understoodChips")
    row.setAccessibleName(_("Understood as: {words}").format(words=understood_text(slots)))
    return row


def _chip(tools: RowTools, slot: UnderstoodSlot) -> SafeLabel:
    label = SafeLabel(" ".join(filter(None, (slot.label, slot.shown))), role="understood")
    label.setProperty("source", slot.source)
    label.setFixedHeight(tools.theme.space(3))
    set_safe_tooltip(label, understood_text([slot]))
    return label

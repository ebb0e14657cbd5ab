"""What can be done with the selected passage; some of it wants to know what for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.page import PageAction
from app.core.text.i18n import _
from app.ui.cards.parts.flow import Flow
from app.ui.theme import Theme


class PassageBar(QWidget):
    asked = Signal(str, str)
    """The id of an action, and the wish that goes with it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("passageBar")
        self._theme, self._actions, self._wishing = theme, tuple[PageAction, ...](), ""
        self.buttons: dict[str, QPushButton] = {}
        self.wish = QLineEdit()
        self.wish.setObjectName("passageWish")
        self.wish.returnPressed.connect(self._sent)
        self.wish.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.space(2), 0, theme.space(2), 0)
        self._column.setSpacing(theme.space(0.5))
        self._column.addWidget(self.wish)
        self.hide()

    def show_actions(self, actions: Sequence[PageAction]) -> None:
        if tuple(actions) == self._actions:
            return
        self._actions = tuple(actions)
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None and widget is not self.wish:
                widget.deleteLater()
        self.buttons = {one.id: self._button(one) for one in actions}
        self._column.addWidget(Flow([*self.buttons.values(), None], self._theme))
        self._column.addWidget(self.wish)

    def set_selected(self, is_selected: bool) -> None:
        self.setVisible(is_selected and bool(self._actions))
        if not is_selected:
            self.wish.hide()

    def _button(self, action: PageAction) -> QPushButton:
        button = QPushButton(f"{action.label}…" if action.wants_wish else action.label)
        button.setProperty("kind", "quiet")
        button.setAutoDefault(False)
        button.clicked.connect(partial(self._clicked, action))
        return button

    def _clicked(self, action: PageAction, _checked: bool = False) -> None:
        if not action.wants_wish:
            self.asked.emit(action.id, "")
            return
        self._wishing = action.id
        self.wish.setPlaceholderText(_("{action}: in what way? Enter sends it").format(action=action.label))
        self.wish.setAccessibleName(self.wish.placeholderText())
        self.wish.show()
        self.wish.setFocus()

    def _sent(self) -> None:
        if wish := self.wish.text().strip():
            self.wish.clear()
            self.wish.hide()
            self.asked.emit(self._wishing, wish)

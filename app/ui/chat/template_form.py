"""The gaps of a template, to be filled before its text goes into the composer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.core.session.prompt_template import Gap
from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel, visible

_COLUMNS = 2
_LONGEST = 2_000


class TemplateForm(QFrame):
    entered = Signal(dict)
    """What was filled in, by the names of the gaps."""
    cancelled = Signal()

    def __init__(self, theme: Theme, name: str, gaps: Sequence[Gap], parent: QWidget | None = None) -> None:
        """`name` is that of the template, or of what else is filled in."""
        super().__init__(parent)
        self.setObjectName("templateForm")
        self.setProperty("card", "plain")
        self.setAccessibleName(_("Fill in: {name}").format(name=name))
        self._gaps = gaps
        self.fields: dict[str, QLineEdit] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(2))
        grid.setVerticalSpacing(theme.space(0.5))
        columns = min(_COLUMNS, len(gaps))
        for number, gap in enumerate(gaps):
            row, column = divmod(number, columns)
            field = self.fields[gap.name] = QLineEdit(gap.usual, self)
            field.setMaxLength(_LONGEST)
            field.setAccessibleName(gap.title or gap.name)
            field.setAccessibleDescription(gap.note)
            needed = _("needed") if gap.is_required else ""
            field.setPlaceholderText(" – ".join(visible(word) for word in (needed, gap.note) if word))
            field.returnPressed.connect(partial(self._next, number))
            grid.addWidget(SafeLabel(gap.title or gap.name, role="meta", elide=True), 2 * row, column)
            grid.addWidget(field, 2 * row + 1, column)
        for column in range(columns):
            grid.setColumnStretch(column, 1)
        insert = QPushButton(_("Insert"))
        insert.setObjectName("insertTemplateButton")
        insert.setProperty("kind", "primary")
        insert.clicked.connect(self._insert)
        cancel = QPushButton(_("Cancel"))
        cancel.clicked.connect(self.cancelled)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.space(1))
        buttons.addWidget(SafeLabel(name, role="strong", elide=True), 1)
        for button in (cancel, insert):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(grid)
        layout.addLayout(buttons)

    def begin(self) -> None:
        """The first gap waits for the keyboard."""
        field = next(iter(self.fields.values()))
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        field.selectAll()

    def _next(self, place: int) -> None:
        """Enter goes on to the next gap; in the last one it inserts."""
        following = list(self.fields.values())[place + 1 :]
        if following:
            following[0].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._insert()

    def _insert(self) -> None:
        values = {name: field.text() for name, field in self.fields.items()}
        missing = next((gap for gap in self._gaps if gap.is_required and not values[gap.name].strip()), None)
        if missing is None:
            self.entered.emit(values)
        else:
            self.fields[missing.name].setFocus(Qt.FocusReason.OtherFocusReason)

    def take_escape(self) -> bool:
        self.cancelled.emit()
        return True

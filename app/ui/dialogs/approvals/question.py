"""One question with a few answers, on a sheet of its own. Never a nested loop: the answer is a signal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Theme
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet


class AskDialog(Sheet):
    """`answers` are (id, text, kind) from left to right; closing the sheet answers ""."""

    answered = Signal(str)
    chosen = Signal(str)
    agreed = Signal()
    """Both only for an answer that is not ""."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: Theme,
        title: str,
        text: str,
        answers: Sequence[tuple[str, str, str]],
        *,
        middle: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._answer = ""
        self.buttons: dict[str, QPushButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(title, role="title"))
        label = SafeLabel(text)
        label.setWordWrap(True)
        label.setMinimumWidth(theme.space(48))
        layout.addWidget(label)
        if middle is not None:
            layout.addWidget(middle)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        for id, shown, kind in answers:
            button = self.buttons[id] = QPushButton(shown)
            button.setAutoDefault(kind == "primary")
            button.setDefault(kind == "primary")
            if kind:
                button.setProperty("kind", kind)
            button.clicked.connect(partial(self._choose, id))
            row.addWidget(button)
        layout.addLayout(row)
        self.finished.connect(self._tell)

    def _tell(self) -> None:
        self.answered.emit(self._answer)
        if self._answer:
            self.chosen.emit(self._answer)
            self.agreed.emit()

    def _choose(self, id: str) -> None:
        self._answer = id
        self.accept()

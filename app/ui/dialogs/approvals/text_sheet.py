"""A text by itself, as it is: what a file holds that goes along with a message."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.sheet import Sheet

_LINES = 50_000
"""All of them: the area around it scrolls."""


class TextSheet(Sheet):
    def __init__(self, theme: Theme, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("textSheet")
        self.setWindowTitle(visible(title))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PlainView(theme, text, code=True, lines=_LINES)
        self.view.setAccessibleName(title)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self.view)
        copy, close = QPushButton(_("Copy")), QPushButton(_("Close"))
        copy.clicked.connect(partial(copy_current, self.view.text))
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addWidget(copy)
        row.addStretch(1)
        row.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(title, role="title", elide=True))
        layout.addWidget(area, 1)
        layout.addLayout(row)
        open_at(self, theme.space(90), theme.space(70))

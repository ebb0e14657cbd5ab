"""A page with a title, a sentence, a list of rows, a form below, and a line for what went wrong."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.errors import TriptychError
from app.ui.dialogs.providers.key_storage import SecretKeeper
from app.ui.dialogs.settings.page import SettingsPage
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.layout.page_area import READING_STEPS
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

Work = Callable[[], Coroutine[Any, Any, Any]]


class ListingPage(SettingsPage):
    """Subclasses say what is listed (`load`) and how a row looks (`row_of`)."""

    def __init__(
        self,
        title: str,
        about: str,
        form: QWidget,
        theme: Theme,
        spawn: Spawn,
        *,
        head: QWidget | None = None,
        foot: QWidget | None = None,
    ) -> None:
        """`head` stands above the list, `foot` below the form."""
        super().__init__(theme)
        self.spawn = spawn
        self.rows: dict[str, QWidget] = {}
        self.told = SafeLabel(role="error")
        sentence = SafeLabel(about, role="meta")
        for label in (sentence, self.told):
            label.setWordWrap(True)
        holder, area = QWidget(), QScrollArea()
        outer = QVBoxLayout(holder)
        outer.setContentsMargins(0, 0, theme.space(1), 0)
        outer.setSpacing(theme.space(2))
        self._list = QVBoxLayout()
        self._list.setSpacing(theme.space(2))
        if head is not None:
            outer.addWidget(head)
        outer.addLayout(self._list)
        outer.addWidget(form)
        outer.addWidget(self.told)
        if foot is not None:
            outer.addWidget(foot)
        outer.addStretch(1)
        holder.setMaximumWidth(theme.space(READING_STEPS))
        area.setWidget(holder)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1.5))
        layout.addWidget(SafeLabel(title, role="title"))
        layout.addWidget(sentence)
        layout.addWidget(area, 1)

    def refresh(self) -> None:
        self.spawn(self._show_rows())

    async def load(self) -> list[tuple[str, Any]]:
        """What is listed, by id."""
        raise NotImplementedError

    def row_of(self, entry: Any) -> QWidget:
        raise NotImplementedError

    async def _show_rows(self) -> None:
        entries = await self.load()
        if not shiboken6.isValid(self):
            return
        for row in self.rows.values():
            self._list.removeWidget(row)
            row.deleteLater()
        self.rows = {id: self.row_of(entry) for id, entry in entries}
        for row in self.rows.values():
            self._list.addWidget(row)

    def do(self, work: Coroutine[Any, Any, Any], then: Callable[[Any], None] | None = None) -> None:
        """What goes wrong is told; `then` gets the result otherwise. The list is read again."""
        self.spawn(self._done(work, then))

    def store(self, work: Work, keeper: SecretKeeper, then: Callable[[Any], None]) -> None:
        """As `do`, for work that stores a secret: where nobody knows yet where it goes, the person is asked. Where they
        name no place nothing is stored."""
        self.do(self._stored(work, keeper, then))

    async def _stored(self, work: Work, keeper: SecretKeeper, then: Callable[[Any], None]) -> None:
        results: list[Any] = []

        async def once() -> None:
            results.append(await work())

        if await keeper.do(once) and shiboken6.isValid(self):
            then(results[-1])

    async def _done(self, work: Coroutine[Any, Any, Any], then: Callable[[Any], None] | None) -> None:
        why, result = "", None
        try:
            result = await work
        except (TriptychError, OSError, ValueError) as error:
            why = fault_text(error)
        if not shiboken6.isValid(self):
            return
        self.told.setText(why)
        await self._show_rows()
        if not why and then is not None and shiboken6.isValid(self):
            then(result)


def link_button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.setAccessibleName(name)
    return button

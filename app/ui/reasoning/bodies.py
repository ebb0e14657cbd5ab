"""What an entry of the outline shows when it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import shiboken6
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.events import ToolCalled, ToolReturned
from app.core.i18n import _
from app.ui.reasoning.words import pretty_args
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

ResultSource = Callable[[str], str | Awaitable[str | None] | None]
"""Call id to the whole text of its result; None if it is gone."""


class ThinkingBody(QWidget):
    """Thinking text; grows at the end while it streams."""

    def __init__(self, theme: Theme, text: str, *, lines: int, follow: bool = False) -> None:
        super().__init__()
        self.view = PlainView(theme, text, lines=lines, follow=follow)
        self.view.setAccessibleName(_("Thinking"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)

    def append(self, text: str) -> None:
        self.view.append(text)


class CallBody(QWidget):
    """Arguments and result of one call, with the truncation told and the whole on request."""

    def __init__(
        self, theme: Theme, call: ToolCalled, result: ToolReturned | None, *, source: ResultSource | None, spawn: Spawn
    ) -> None:
        super().__init__()
        self._theme, self._call, self._result = theme, call, result
        self._source, self._spawn = source, spawn
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.space(0.5))
        if call.why:
            self._layout.addWidget(_wrapped(SafeLabel(call.why, role="meta")))
        self._section(_("Arguments"), pretty_args(call.args), code=True)
        self._shown: PlainView | None = None
        if result is not None:
            self._shown = self._section(_("Result"), result.text or result.summary, code=True)
            if result.truncated:
                self._layout.addWidget(self._truncation(result))

    def _section(self, title: str, text: str, *, code: bool) -> PlainView:
        view = PlainView(self._theme, text, code=code)
        view.setAccessibleName(title)
        copy = IconButton(self._theme, "copy", _("Copy"), size=14)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(view.text()))
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(SafeLabel(title, role="meta"), 1)
        head.addWidget(copy)
        self._layout.addLayout(head)
        self._layout.addWidget(view)
        return view

    def _truncation(self, result: ToolReturned) -> QWidget:
        bar = QWidget()
        layout = QHBoxLayout(bar)
        layout.setContentsMargins(0, 0, 0, 0)
        told = _("The model read {kept} of {all} characters").format(
            kept=f"{result.kept_chars:,}", all=f"{result.chars:,}"
        )
        layout.addWidget(SafeLabel(told, role="meta", elide=True), 1)
        if self._source is not None:
            button = QPushButton(_("Show all"))
            button.setProperty("kind", "link")
            button.clicked.connect(lambda: self._show_all(button))
            layout.addWidget(button)
        return bar

    def _show_all(self, button: QPushButton) -> None:
        if self._source is None:
            return
        button.setEnabled(False)
        found = self._source(self._call.id)
        if found is None or isinstance(found, str):
            self._show_whole(button, found)
        else:
            self._spawn(self._fetch(button, found))

    async def _fetch(self, button: QPushButton, found: Awaitable[str | None]) -> None:
        text = await found
        if shiboken6.isValid(self):  # it may have been closed meanwhile
            self._show_whole(button, text)

    def _show_whole(self, button: QPushButton, text: str | None) -> None:
        if text is None:
            button.setText(_("The whole result is no longer stored"))
        elif self._shown is not None:
            self._shown.set_text(text)
            button.hide()


def _wrapped(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label

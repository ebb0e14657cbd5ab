"""What an entry of the outline shows when it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import shiboken6
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.core.events import StepEnd, ToolCalled, ToolReturned
from app.core.i18n import _
from app.ui.reasoning.words import milliseconds, pretty_args
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.spawn import Spawn

ResultSource = Callable[[str], str | Awaitable[str | None] | None]
"""Call id to the whole text of its result; None if it is gone."""

_LIMITS = (2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 100_000, 200_000)
"""Characters of one result; the last is the largest a profile allows."""


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


class StepBody(QWidget):
    """What one request took, and the way to run everything from it on once more."""

    def __init__(self, theme: Theme, step: StepEnd, run_again: Callable[[int], None] | None) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        for told in step_facts(step):
            layout.addWidget(_wrapped(SafeLabel(told, role="meta")))
        if run_again is not None:
            button = QPushButton(_("Run again from this step"))
            button.setObjectName("runAgainButton")
            button.setProperty("kind", "link")
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False: run_again(step.step))
            row = QHBoxLayout()
            row.addWidget(button)
            row.addStretch(1)
            layout.addLayout(row)


def step_facts(step: StepEnd) -> list[str]:
    usage = step.usage
    told: list[str] = []
    if usage.total:
        told.append(_("{read} tokens read, {wrote} written").format(read=f"{usage.input:,}", wrote=f"{usage.output:,}"))
    if usage.reasoning:
        told.append(_("{n} of them thinking").format(n=f"{usage.reasoning:,}"))
    if usage.cached:
        told.append(_("{n} of those read from the provider's cache").format(n=f"{usage.cached:,}"))
    if step.ttft_ms is not None:
        told.append(_("first token after {time}").format(time=milliseconds(step.ttft_ms)))
    if step.finish_reason:
        told.append(_("ended with: {reason}").format(reason=step.finish_reason))
    return told


class CallBody(QWidget):
    """Arguments and result of one call, with the truncation told and the whole on request."""

    def __init__(
        self,
        theme: Theme,
        call: ToolCalled,
        result: ToolReturned | None,
        *,
        source: ResultSource | None,
        spawn: Spawn,
        raise_limit: Callable[[int], None] | None = None,
    ) -> None:
        super().__init__()
        self._raise_limit = raise_limit
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
            if result.status == "repeat" or result.repeat:
                told = _("The same call as before: it was not run again, the model got the first result once more.")
                self._layout.addWidget(_wrapped(SafeLabel(told, role="meta")))
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
        """How much the model read; the whole of it, and more of it next time, one press away."""
        bar = QWidget()
        layout = QVBoxLayout(bar)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(self._theme.space(0.5))
        told = _("The model read {kept} of {all} characters").format(
            kept=f"{result.kept_chars:,}", all=f"{result.chars:,}"
        )
        layout.addWidget(_wrapped(SafeLabel(told, role="meta")))
        row = QHBoxLayout()
        row.setSpacing(self._theme.space(2))
        if self._source is not None:
            button = QPushButton(_("Show all"))
            button.setProperty("kind", "link")
            button.clicked.connect(lambda: self._show_all(button))
            row.addWidget(button)
        if self._raise_limit is not None:
            row.addWidget(self._limit_button(result))
        row.addStretch(1)
        layout.addLayout(row)
        return bar

    def _limit_button(self, result: ToolReturned) -> QPushButton:
        button = QPushButton(_("Raise the limit for this agent"))
        button.setProperty("kind", "link")
        menu = QMenu(button)
        for limit in larger_limits(result.kept_chars, result.chars):
            text = _("{n} characters").format(n=f"{limit:,}")
            menu.addAction(text).triggered.connect(partial(self._limit_chosen, limit))
        button.clicked.connect(lambda: menu.popup(button.mapToGlobal(button.rect().bottomLeft())))
        return button

    def _limit_chosen(self, limit: int, _checked: bool = False) -> None:
        if self._raise_limit is not None:
            self._raise_limit(limit)

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


def larger_limits(kept: int, whole: int) -> list[int]:
    """Round figures above what was kept, up to one that holds the whole."""
    figures = [limit for limit in _LIMITS if limit > kept]
    enough = next((n for n, limit in enumerate(figures) if limit >= whole), len(figures))
    return figures[: enough + 1][-4:]


def _wrapped(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label

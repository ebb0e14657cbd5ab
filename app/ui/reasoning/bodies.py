"""What an entry of the outline shows when it is opened."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import shiboken6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.core.run.events import StepEnd
from app.core.run.view import CallItem
from app.core.text.i18n import _
from app.core.wording.figures import took_text
from app.core.wording.tools import tool_title
from app.ui.reasoning.words import pretty_args
from app.ui.theme import Theme
from app.ui.widgets.clipboard import copy_current
from app.ui.widgets.cut_bar import CutBar
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.flow import FlowRow
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


class StepBody(QWidget):
    """What one request took, and the way to run everything from it on once more."""

    again_asked = Signal(int)
    try_asked = Signal(int)

    def __init__(self, theme: Theme, step: StepEnd, *, offers_again: bool) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.space(0.5))
        for told in step_facts(step):
            layout.addWidget(_wrapped(SafeLabel(told, role="meta")))
        if offers_again:
            row = FlowRow(theme.space(1))
            for name, words, signal in (
                ("runAgainButton", _("Run again from this step"), self.again_asked),
                ("tryStepButton", _("Try from here…"), self.try_asked),
            ):
                button = QPushButton(words)
                button.setObjectName(name)
                button.setProperty("kind", "link")
                button.setAutoDefault(False)
                button.clicked.connect(partial(signal.emit, step.step))
                row.add(button)
            layout.addWidget(row)


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
        told.append(_("first token after {time}").format(time=took_text(step.ttft_ms)))
    if step.finish_reason:
        told.append(_("ended with: {reason}").format(reason=step.finish_reason))
    return told


class ToolCallBody(QWidget):
    """Arguments and result of one call, with the truncation told and the whole on request."""

    limit_raised = Signal(int)

    def __init__(
        self,
        theme: Theme,
        item: CallItem,
        *,
        source: ResultSource | None,
        spawn: Spawn,
    ) -> None:
        super().__init__()
        call, result = item.call, item.result
        self._theme, self._call = theme, call
        self._source, self._spawn = source, spawn
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(theme.space(0.5))
        if tool_title(call.name) != call.name:
            self._layout.addWidget(SafeLabel(_("Tool: {name}").format(name=call.name), role="meta"))
        if call.why:
            self._layout.addWidget(_wrapped(SafeLabel(call.why, role="meta")))
        self._section(_("Arguments"), pretty_args(call.args), code=True)
        self._shown: PlainView | None = None
        if result is not None:
            if result.status == "repeat" or result.repeat:
                note = _("The same call as before: it was not run again, the model got the first result once more.")
                self._layout.addWidget(_wrapped(SafeLabel(note, role="meta")))
            self._shown = self._section(_("Result"), result.text or result.summary, code=True)
            if result.truncated:
                self._layout.addWidget(self._truncation(result.kept_chars, result.chars))

    def _section(self, title: str, text: str, *, code: bool) -> PlainView:
        view = PlainView(self._theme, text, code=code)
        view.setAccessibleName(title)
        copy = IconButton(self._theme, "copy", _("Copy"), size=14)
        copy.clicked.connect(partial(copy_current, view.text))
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addWidget(SafeLabel(title, role="meta"), 1)
        head.addWidget(copy)
        self._layout.addLayout(head)
        self._layout.addWidget(view)
        return view

    def _truncation(self, kept: int, chars: int) -> CutBar:
        bar = CutBar(self._theme, kept, chars, can_show=self._source is not None, can_raise=True)
        bar.all_asked.connect(partial(self._show_all, bar))
        bar.limit_chosen.connect(self.limit_raised)
        return bar

    def _show_all(self, bar: CutBar) -> None:
        if self._source is None:
            return
        result = self._source(self._call.id)
        if result is None or isinstance(result, str):
            self._show_whole(bar, result)
        else:
            self._spawn(self._fetch(bar, result))

    async def _fetch(self, bar: CutBar, found: Awaitable[str | None]) -> None:
        text = await found
        if shiboken6.isValid(self):  # it may have been closed meanwhile
            self._show_whole(bar, text)

    def _show_whole(self, bar: CutBar, text: str | None) -> None:
        if text is None:
            bar.show_gone()
        elif self._shown is not None:
            self._shown.set_text(text)
            bar.show_all.hide()


def _wrapped(label: SafeLabel) -> SafeLabel:
    label.setWordWrap(True)
    return label

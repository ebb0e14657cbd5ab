"""A rule tried on a sample: on the left what goes in, on the right what comes out (product.md S5).

The sample is the last real call of the tool, or what a person types. The work is done in a thread: a rule is
bounded, a result may be long.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal

import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPlainTextEdit, QPushButton

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.services.settings.hook_preview import RulePreview, preview
from app.ui.texts.copies import moment_text
from app.ui.theme import Theme
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel, visible
from app.ui.widgets.spawn import Spawn

if TYPE_CHECKING:
    from app.services.runs.last_calls import CallSample

LastCall = Callable[[str], Awaitable["CallSample | None"]]
_PAUSE_MS = 150
_SHOWN = 20_000
"""Characters of a sample that are laid out; the rule acts on all of it."""


class HookTrial(QFrame):
    def __init__(
        self, theme: Theme, when: Literal["before", "after"], *, spawn: Spawn, last_call: LastCall | None
    ) -> None:
        super().__init__()
        self._when, self._spawn, self._last_call = when, spawn, last_call
        self._rule: dict[str, Any] | None = None
        self._tool: str | None = None
        self._raw = self._shown = ""
        """The sample as it is stored, and as the field shows it."""
        self._asked = 0
        self._sample: CallSample | None = None
        self._told = SafeLabel(role="meta", elide=True)
        self.use_last = QPushButton(_("Use the last call"))
        self.use_last.setProperty("kind", "link")
        self.use_last.setAutoDefault(False)
        self.use_last.clicked.connect(self._use_last)
        self.use_last.hide()
        self.field = QPlainTextEdit()
        self.field.setFont(theme.font("code"))
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(theme.space(16))
        self.field.setAccessibleName(_("Sample the rule is tried on"))
        is_before = when == "before"
        self.field.setPlaceholderText(_('arguments as JSON, such as {"level": "b"}') if is_before else _("a result"))
        self.field.textChanged.connect(self._typed)
        self.result = PlainView(theme, code=True, lines=8)
        self.result.setAccessibleName(_("What the rule makes of it"))
        self.result.setMinimumHeight(theme.space(16))
        self.verdict = SafeLabel(role="meta", elide=True)
        head = QHBoxLayout()
        head.addWidget(self._told, 1)
        head.addWidget(self.use_last)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, theme.space(0.5), 0, 0)
        grid.setHorizontalSpacing(theme.space(1.5))
        grid.setVerticalSpacing(theme.space(0.5))
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        grid.addLayout(head, 0, 0)
        grid.addWidget(self.verdict, 0, 1)
        grid.addWidget(self.field, 1, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.result, 1, 1, Qt.AlignmentFlag.AlignTop)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._try)
        self._tell_sample()

    def show_rule(self, rule: dict[str, Any] | None, tool: str) -> None:
        """None: the rule has a fault and does nothing yet."""
        self._rule = rule
        if tool != self._tool:
            self._tool = tool
            if self._last_call is not None:
                self._spawn(self._find(tool))
        self._pause.start()

    async def _find(self, tool: str) -> None:
        assert self._last_call is not None
        try:
            sample = await self._last_call(tool)
        except TriptychError:
            sample = None
        if not shiboken6.isValid(self) or tool != self._tool:
            return
        is_own = bool(self.field.toPlainText()) and self.field.toPlainText() != self._shown
        self._sample = sample
        if not is_own:
            self._use_last()
        self._tell_sample()

    def _use_last(self) -> None:
        sample = self._sample
        self._raw = "" if sample is None else sample.args if self._when == "before" else sample.text
        text = visible(self._raw)
        self._shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
        self.field.setPlainText(self._shown)
        self._shown = self.field.toPlainText()
        self._tell_sample()

    def _typed(self) -> None:
        self._tell_sample()
        self._pause.start()

    def _is_last(self) -> bool:
        return self._sample is not None and self.field.toPlainText() == self._shown

    def _tell_sample(self) -> None:
        sample = self._sample
        self.use_last.setVisible(sample is not None and not self._is_last())
        if sample is None:
            self._told.setText(_("Tried on a sample: type one on the left."))
        elif self._is_last():
            moment = moment_text(sample.when)
            self._told.setText(_("Tried on the last call of {tool}, {time}").format(tool=sample.tool, time=moment))
        else:
            self._told.setText(_("Tried on what you typed."))

    # ------------------------------------------------------------ trying

    def _try(self) -> None:
        sample = self._raw if self._is_last() else self.field.toPlainText()
        self._asked += 1
        if self._rule is None or not sample.strip():
            self._show(None)
            return
        # The tool is out of question here: the sample is taken as a call of it.
        rule, tool = {**self._rule, "tool": "*", "enabled": True}, self._sample.tool if self._sample else "tool"
        self._spawn(self._try_in_thread(self._asked, rule, tool, sample))

    async def _try_in_thread(self, asked: int, rule: dict[str, Any], tool: str, sample: str) -> None:
        tried = await asyncio.to_thread(preview, rule, tool, sample)
        if shiboken6.isValid(self) and asked == self._asked:
            self._show(tried)

    def _show(self, tried: RulePreview | None) -> None:
        if tried is None:
            self.result.set_text("")
            self.verdict.setText("")
        elif tried.sample_fault:
            self.result.set_text("")
            self.verdict.setText(_("The arguments of a call are a JSON object: { … }"))
        elif tried.blocked:
            self.result.set_text(tried.why)
            self.verdict.setText(_("Blocked; the model is told:") if tried.why else _("Blocked"))
        else:
            self.result.set_text(tried.after[:_SHOWN] + ("…" if len(tried.after) > _SHOWN else ""))
            self.verdict.setText(self._changed(tried))

    def _changed(self, tried: RulePreview) -> str:
        if tried.before == tried.after:
            return _("Changes nothing here")
        if self._when == "before":
            return _("The tool is called with:")
        sizes = {"before": f"{len(tried.before):,}", "after": f"{len(tried.after):,}"}
        return _("The model reads {after} of {before} characters:").format(**sizes)

"""A tool asks before it runs: what will run, byte for byte, and the person's answer.

Drawn from facts of ours only – tool, rule, canonical arguments – never from a model's words. What
the person changes in the form is shown in the same exact view, and that is what is sent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.core.run.events import Approval
from app.core.text.i18n import _, ngettext
from app.core.tools.tool import canonical_args
from app.ui.dialogs.approvals.always_allow import AlwaysRow, answer_button
from app.ui.dialogs.approvals.facts import Countdown, Facts, Title, Warnings
from app.ui.theme import Theme
from app.ui.widgets.fields.argument_form import ArgumentForm
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel

_DEAF_MS = 500
"""A key or click meant for something else must not answer a card that has just appeared."""
_LAYOUT_MS = 50
"""After a change of the arguments; until then nobody knows whether their end is in sight."""
_LINES = 10


class ApprovalCard(QFrame):
    answered = Signal(str, str, str, object)
    """Id of the approval, choice (once, run, always, deny), reason for the model, arguments if they were changed."""
    always_allowed = Signal(str, str)
    """Tool and pattern, just before `answered` says "always"."""

    def __init__(
        self,
        theme: Theme,
        approval: Approval,
        *,
        question: str = "",
        who: str = "",
        effect: str = "",
        server: str = "",
        parameters: Mapping[str, Any] | None = None,
        mended: str = "",
        subject: Callable[[Mapping[str, Any]], str | None] | None = None,
        targets: Callable[[Mapping[str, Any]], Sequence[str]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`question` is what the person asked, shown so that the call can be judged against it; `who` are agent
        and mode, `effect` is what the tool may touch, `server` whose tool it is if it is not ours.

        `mended` is what was read forgivingly of the arguments; they stand here as they were read.
        With `parameters` (the tool's schema) the arguments can be changed. `subject` says what a
        rule about such arguments is compared with; None: this tool is never allowed for always.
        `targets` says what such arguments reach: paths with their links followed, sites.
        """
        super().__init__(parent)
        self.setObjectName("approvalCard")
        self.setProperty("card", "warn")
        self.setAccessibleName(_("Approval: {tool}").format(tool=approval.name))
        self._theme, self._approval = theme, approval
        self._parameters, self._subject, self._targets = parameters, subject, targets
        self._is_answered = False
        self._args: dict[str, Any] = dict(approval.args)
        self._form: ArgumentForm | None = None
        text = canonical_args(approval.args)
        self._end_seen = False
        """The end of the arguments has been in sight."""
        self._laid_out = QTimer(self)
        """Runs where the lines of the arguments are still to be found."""
        self._laid_out.setSingleShot(True)
        self._laid_out.setInterval(_LAYOUT_MS)
        self._laid_out.timeout.connect(self._arrange)
        self._outcome = SafeLabel(role="strong")
        self._outcome.hide()
        self._form_place = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(self._make_head())
        self.facts = Facts(
            theme, approval, question=question, who=who, effect=effect, server=server, target=self._target()
        )
        layout.addWidget(self.facts)
        self.warnings = Warnings(theme, approval)
        layout.addWidget(self.warnings)
        layout.addWidget(self._make_view(text))
        self.mended = SafeLabel(mended, role="meta")
        self.mended.setObjectName("mendedNote")
        self.mended.setWordWrap(True)
        self.mended.setVisible(bool(mended))
        layout.addWidget(self.mended)
        layout.addLayout(self._make_size_line(text))
        layout.addLayout(self._form_place)
        layout.addWidget(self._make_buttons())
        self.always_row = AlwaysRow(theme, approval.name)
        self.always_row.agreed.connect(self._always)
        layout.addWidget(self.always_row)
        layout.addWidget(self._outcome)
        self._is_deaf = True
        self._deaf = QTimer(self)
        self._deaf.setSingleShot(True)
        self._deaf.setInterval(_DEAF_MS)
        self._deaf.timeout.connect(self._listen)
        self._deaf.start()
        self._arrange()

    def _make_head(self) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(self._theme.pixmap("shield", "warn", 18, ratio=self.devicePixelRatioF()))
        title = _("Asks before it runs: {tool}").format(tool=self._approval.name)
        head = QHBoxLayout()
        head.setSpacing(self._theme.space(1))
        self.title = Title(title)
        self.countdown = Countdown(self._approval.until)
        top = Qt.AlignmentFlag.AlignTop
        for beside in (icon, self.countdown):  # both in the middle of the first line
            beside.setMinimumHeight(self.title.line_height())
        head.addWidget(icon, 0, top)
        head.addWidget(self.title, 1)
        head.addWidget(self.countdown, 0, top)
        return head

    def _target(self) -> str:
        """Where the arguments lead, as far as they do not say it themselves."""
        return "\n".join(self._targets(self._args)) if self._targets is not None else ""

    def _make_view(self, text: str) -> PlainView:
        view = self._arguments = PlainView(self._theme, text, code=True, lines=_LINES, exact=True)
        view.scrolls_by_wheel = True
        view.setAccessibleName(_("Arguments, exactly as they will be sent"))
        view.verticalScrollBar().valueChanged.connect(self._arrange)
        view.verticalScrollBar().rangeChanged.connect(self._arrange)
        return view

    def _make_size_line(self, text: str) -> QHBoxLayout:
        self._size = SafeLabel(_size_text(text), role="meta")
        self._to_end = QPushButton(_("Show the end"))
        self._to_end.clicked.connect(self._show_end)
        self.edit = QPushButton(_("Change the arguments"))
        self.edit.clicked.connect(self._toggle_form)
        line = QHBoxLayout()
        line.setSpacing(self._theme.space(2))
        line.addWidget(self._size, 1)
        for button in (self._to_end, self.edit):
            button.setProperty("kind", "link")
            line.addWidget(button)
        if self._parameters is None:
            self.edit.hide()
        return line

    def _make_buttons(self) -> QWidget:
        self._reason = QLineEdit()
        self._reason.setPlaceholderText(_("Reason for the model, if you deny (optional)"))
        self._reason.setAccessibleName(_("Reason for the model"))
        self._reason.setMaxLength(500)
        self.deny = answer_button(_("Deny"), "danger")
        self.always = answer_button(_("Always…"))
        self.always.setAccessibleName(_("Allow always, with a pattern"))
        self.always.clicked.connect(self._ask_pattern)
        self.allow_run = answer_button(_("Allow for this run"))
        self.allow_once = answer_button(_("Allow once"))
        for button, choice in ((self.deny, "deny"), (self.allow_run, "run"), (self.allow_once, "once")):
            button.clicked.connect(partial(self._answer, choice))
        self.deny.takes_enter = True
        self.allow_once.takes_enter = not self._needs_a_look
        self._buttons = QWidget()
        column = QVBoxLayout(self._buttons)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.space(1))
        no, yes = QHBoxLayout(), QHBoxLayout()
        no.addWidget(self._reason, 1)
        no.addWidget(self.deny)
        yes.addStretch(1)
        for button in (self.always, self.allow_run, self.allow_once):
            yes.addWidget(button)
        for row in (no, yes):
            row.setSpacing(self._theme.space(1))
            column.addLayout(row)
        choices = self._approval.choices
        self.allow_once.setVisible("once" in choices)
        self.allow_run.setVisible("run" in choices)
        self.always.setVisible("always" in choices and self._pattern() is not None)
        return self._buttons

    @property
    def approval_id(self) -> str:
        return self._approval.id

    def settle(self, choice: str) -> None:
        """It has been answered, here or elsewhere: the card stays as a record."""
        self._is_answered = True
        self.setProperty("card", "plain")
        self.style().unpolish(self)
        self.style().polish(self)
        for part in (self._buttons, self._to_end, self.edit, self.always_row):
            part.hide()
        self.countdown.stop()
        if self._form is not None:
            self._form.hide()
        words = {
            "deny": _("Denied"),
            "run": _("Allowed for this run"),
            "once": _("Allowed once"),
            "always": _("Allowed from now on"),
        }
        self._outcome.setText(words.get(choice, _("Allowed")))
        self._outcome.show()

    @property
    def _needs_a_look(self) -> bool:
        """Text of others, or what it would do: then Enter allows nothing."""
        return bool(self._approval.careful or self._approval.sources or self._approval.private)

    def focus_answer(self) -> bool:
        """For a person who comes by keyboard; never called when the card appears. At Deny where Enter must not allow.

        False while it is deaf: nothing has the focus then.
        """
        if self._is_deaf:
            return False
        safe = self.allow_once.takes_enter and self.allow_once.isVisible() and self.allow_once.isEnabled()
        (self.allow_once if safe else self.deny).setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _answer(self, choice: str, _checked: bool = False) -> None:
        if self._is_deaf or self._is_answered:
            return
        denied = choice == "deny"
        reason = self._reason.text().strip() if denied else ""
        changed = None if denied or canonical_args(self._args) == canonical_args(self._approval.args) else self._args
        self.settle(choice)
        self.answered.emit(self._approval.id, choice, reason, changed)

    # ------------------------------------------------------------ other arguments

    def _toggle_form(self) -> None:
        if self._form is None:
            form = self._form = ArgumentForm(self._theme, self._parameters or {}, self._args)
            form.changed.connect(self._edited)
            self._area = _scrolling(form, self._theme.space(30))
            self._form_place.addWidget(self._area)
            self.edit.setText(_("Undo my changes"))
            form.focus_first()
            self._edited()
            return
        self._form_place.removeWidget(self._area)
        self._area.hide()
        self._area.deleteLater()
        self._form = None
        self.edit.setText(_("Change the arguments"))
        self._show_args(dict(self._approval.args))

    def _edited(self) -> None:
        if self._form is not None:
            self._show_args(self._form.values())

    def _show_args(self, args: dict[str, Any]) -> None:
        """The exact view shows what would be sent now."""
        text = canonical_args(args)
        if text != canonical_args(self._args):
            self._end_seen = False
            self._laid_out.start()
            self._arguments.set_text(text)
        self._args = args
        self.facts.show_target(self._target())
        self.warnings.show_for(args)
        is_changed = text != canonical_args(self._approval.args)
        size = _size_text(text)
        self._size.setText(_("changed by you: {size}").format(size=size) if is_changed else size)
        if self.always_row.isVisible():
            self.always_row.suggest(self._pattern() or "*")
        self._arrange()

    # ------------------------------------------------------------ always

    def _pattern(self) -> str | None:
        return self._subject(self._args) if self._subject else None

    def _ask_pattern(self) -> None:
        if not self._is_deaf and (pattern := self._pattern()) is not None:
            self.always_row.suggest(pattern)
            self.always_row.begin()

    def _always(self, pattern: str) -> None:
        if not self.always_row.accept.isEnabled() or self._is_answered:
            return
        self.always_allowed.emit(self._approval.name, pattern)
        self._answer("always")

    def _is_wrong(self) -> bool:
        return self._form is not None and bool(self._form.faults())

    def _listen(self) -> None:
        self._is_deaf = False
        self._arrange()

    def _arrange(self) -> None:
        bar = self._arguments.verticalScrollBar()
        if self.isVisible() and not self._laid_out.isActive() and bar.value() >= bar.maximum():
            self._end_seen = True
        self._to_end.setVisible(bar.maximum() > bar.value() and not self._is_answered)
        self.deny.setEnabled(not self._is_deaf)
        may = not self._is_deaf and self._end_seen and not self._is_wrong()
        for button in (self.allow_once, self.allow_run, self.always, self.always_row.accept):
            button.setEnabled(may)

    def _show_end(self) -> None:
        bar = self._arguments.verticalScrollBar()
        bar.setValue(bar.maximum())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._laid_out.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return
        super().keyPressEvent(event)


def _scrolling(form: QWidget, highest: int) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(form)
    form.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    area.setFixedHeight(min(highest, form.sizeHint().height() + 4))
    return area


def _size_text(text: str) -> str:
    """Characters, and the lines the values have when they are read out: a long tail cannot hide."""
    lines = _line_breaks(json.loads(text)) + 1
    told = ngettext("{n} line", "{n} lines", lines).format(n=f"{lines:,}")
    return _("{chars} characters, {lines}").format(chars=f"{len(text):,}", lines=told)


def _line_breaks(value: object) -> int:
    if isinstance(value, str):
        return value.count("\n")
    if isinstance(value, dict):
        return sum(_line_breaks(item) for item in value.values())
    if isinstance(value, list):
        return sum(map(_line_breaks, value))
    return 0

"""A tool asks before it runs: what will happen and where, one primary answer, and the rest behind Details.

The sentence is said by the code of the tool itself, never by a model or a server; where there is none the card
names the tool and its arguments are open from the beginning.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.run.events import Approval
from app.core.text.hidden import spelled_out
from app.core.text.i18n import _, current_language
from app.core.wording.tools import own_words, tool_title
from app.ui.dialogs.approvals.always_allow import AlwaysRow, answer_button
from app.ui.dialogs.approvals.asked_tool import AskedTool
from app.ui.dialogs.approvals.details import Details
from app.ui.dialogs.approvals.facts import Countdown, Facts, Title, Warnings
from app.ui.dialogs.approvals.refusal import RefusalRow
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.safe_text import SafeLabel

if TYPE_CHECKING:
    from app.ui.dialogs.approvals.preview import Preview

_DEAF_MS = 500
"""A key or click meant for something else must not answer a card that has just appeared."""
_UNUSUAL = ("again", "its", "call")
"""Rules that ask for a reason the sentence does not tell: it ran before, or may have."""
_UNKNOWN = AskedTool()


class ApprovalCard(QFrame):
    answered = Signal(str, str, str, object)
    """Id of the approval, choice (once, run, always, deny), reason for the model, arguments if they were changed."""
    always_allowed = Signal(str, str)
    """Tool and pattern, just before `answered` says "always"."""
    settings_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        approval: Approval,
        *,
        question: str = "",
        who: str = "",
        helper: str = "",
        tool: AskedTool = _UNKNOWN,
        mended: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """`question` is what the person asked, shown so that the call can be judged against it; `who` are agent
        and mode, `helper` the one that asks in its place; `mended` is what was read forgivingly of the arguments; they
        stand here as they were read.
        """
        super().__init__(parent)
        self.setObjectName("approvalCard")
        self.setProperty("card", "warn" if approval.careful or approval.sources or approval.private else "waiting")
        self._theme, self._approval, self._tool = theme, approval, tool
        self._is_answered = self._is_empty = False
        self._is_deaf = True
        self._sentence = tool.sentence(approval.args) or _own_text(approval)
        self.setAccessibleName(_("Approval: {tool}").format(tool=tool_title(approval.name)))
        self.target = SafeLabel()
        self.target.setFont(theme.font("code"))
        self.target.setWordWrap(True)
        self.mended = SafeLabel(mended, role="meta")
        self.mended.setObjectName("mendedNote")
        self.mended.setWordWrap(True)
        self.warnings = Warnings(theme, approval)
        facts = Facts(theme, approval, question=question, who=who, effect=tool.effect, server=tool.server)
        self.details = Details(theme, facts, approval.args, tool.parameters)
        self.details.changed.connect(self._args_changed)
        self.details.looked_at.connect(self._arrange)
        self._place = self._make_place()
        self._answers = self._make_answers()
        self.refusal = RefusalRow(theme)
        self.refusal.sent.connect(partial(self._answer, "deny"))
        self.refusal.left.connect(self._take_back_denial)
        self.always_row = AlwaysRow(theme, approval.name)
        self.always_row.agreed.connect(self._always)
        self._outcome = SafeLabel(role="strong")
        self._outcome.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(2), theme.space(1.5), theme.space(2), theme.space(1.5))
        layout.setSpacing(theme.space(1))
        layout.addLayout(self._make_head(helper))
        layout.addWidget(self._place)
        self.preview = self._make_preview()
        previews = (self.preview,) if self.preview is not None else ()
        below = (self.mended, self.warnings, *previews, self.details, self._answers, self.refusal, self.always_row)
        for part in (*below, self._outcome):
            layout.addWidget(part)
        self.mended.setVisible(bool(mended))
        self._deaf = QTimer(self)
        self._deaf.setSingleShot(True)
        self._deaf.setInterval(_DEAF_MS)
        self._deaf.timeout.connect(self._listen)
        self._deaf.start()
        self._show_target()
        is_unusual = approval.rule.partition(" ")[0] in _UNUSUAL
        self.show_details(is_open=not self._sentence or self.is_worth_a_look or self.warnings.has_words or is_unusual)

    # ------------------------------------------------------------ what it shows

    def _make_head(self, helper: str) -> QHBoxLayout:
        icon = QLabel()
        icon.setPixmap(self._theme.pixmap("shield", "warn", 18, ratio=self.devicePixelRatioF()))
        head = QHBoxLayout()
        head.setSpacing(self._theme.space(1))
        self.title = Title(self._title_text())
        self.countdown = Countdown(self._approval.until)
        top = Qt.AlignmentFlag.AlignTop
        for beside in (icon, self.countdown):  # both in the middle of the first line
            beside.setMinimumHeight(self.title.line_height())
        head.addWidget(icon, 0, top)
        head.addWidget(self.title, 1)
        if helper:
            asking = SafeLabel(_("{agent} asks").format(agent=helper), role="chip")
            asking.setObjectName("askingHelper")
            head.addWidget(asking, 0, top)
        head.addWidget(self.countdown, 0, top)
        return head

    def _title_text(self) -> str:
        if self._sentence:
            return self._sentence
        name = self._approval.name
        if server := self._tool.server:
            return _("Run with {server}: {tool}").format(server=server.partition(" · ")[0], tool=own_words(name))
        return _("Run: {tool}").format(tool=tool_title(name))

    def _make_answers(self) -> QWidget:
        theme = self._theme
        self.details_button = QPushButton()
        self.details_button.setProperty("kind", "link")
        self.details_button.setAutoDefault(False)
        self.details_button.clicked.connect(self._toggle_details)
        self.deny = answer_button(_("Deny"))
        self.deny.takes_enter = True
        self.deny.setProperty("kind", "quiet")
        self.deny.clicked.connect(self._ask_reason)
        self.allow_once = answer_button(_("Allow once"), "primary")
        self.allow_once.takes_enter = not self.is_worth_a_look
        self.allow_once.clicked.connect(partial(self._answer, "once"))
        self.allow_once.shift_entered.connect(partial(self._answer, "run"))
        self.more = IconButton(theme, "chevron-down", _("Other ways to allow it"), size=14, token="text")
        self.more.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.more.setMenu(self.menu)
        self.allow_run = QAction(_("Allow for this run"), self)
        self.allow_run.triggered.connect(partial(self._answer, "run"))
        self.always = QAction(_("Always…"), self)
        self.always.triggered.connect(self._ask_pattern)
        choices = self._approval.choices
        self.allow_run.setVisible("run" in choices)
        self.always.setVisible("always" in choices and self._pattern() is not None)
        self.menu.addActions([self.allow_run, self.always])
        self.menu.addSeparator()
        self.menu.addAction(_("Permission rules in the settings…"), self.settings_asked.emit)
        answers = QWidget()
        line = QHBoxLayout(answers)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.space(0.5))
        line.addWidget(self.details_button, 1)
        for button in (self.allow_once, self.more, self.deny):
            line.addWidget(button)
        # Only now: without a parent they would open as windows.
        self.allow_once.setVisible("once" in choices)
        self.more.setVisible(self.allow_run.isVisible() or self.always.isVisible())
        return answers

    def _make_place(self) -> QWidget:
        """What a permission is bound to; where a tool writes a file, another place can be chosen right there."""
        self.change_place = QPushButton(_("Change place"))
        self.change_place.setObjectName("changePlaceButton")
        self.change_place.setProperty("kind", "link")
        self.change_place.setAutoDefault(False)
        self.change_place.clicked.connect(self._ask_place)
        self.place_field = QLineEdit()
        self.place_field.setObjectName("placeField")
        self.place_field.setAccessibleName(_("Place of the file"))
        self.place_field.textEdited.connect(self._set_place)
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(self._theme.space(1))
        row.addWidget(self.target, 1)
        row.addWidget(self.place_field, 1)
        row.addWidget(self.change_place)
        self.place_field.hide()
        self.change_place.setVisible(bool(self._tool.place))
        return line

    def _ask_place(self) -> None:
        if self._is_answered:
            return
        if self.details.form is not None:
            self.details.form.control(self._tool.place).setFocus()
            return
        self.change_place.hide()
        self.place_field.setText(str(self.details.args.get(self._tool.place) or ""))
        self.place_field.setPlaceholderText(_("A name, or a path inside the folder"))
        self.place_field.show()
        self.place_field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_place(self, text: str) -> None:
        """The exact bytes stand open: they are others now."""
        args = {name: value for name, value in self.details.args.items() if name != self._tool.place}
        self.details.show_args({**args, self._tool.place: text.strip()} if text.strip() else args)
        self.show_details(is_open=True)

    def show_details(self, *, is_open: bool) -> None:
        self.details.setVisible(is_open)
        self.details_button.setText(_("Fold the details") if is_open else _("Details"))
        icon = "chevron-up" if is_open else "chevron-right"
        self.details_button.setIcon(self._theme.icon(icon, "accent", 12))
        self._arrange()

    def _toggle_details(self) -> None:
        self.show_details(is_open=self.details.isHidden())

    def _show_target(self) -> None:
        """What a permission is bound to, as far as the sentence and the arguments in sight do not say it."""
        targets = "\n".join(self._tool.targets(self.details.args))
        self.target.setText(spelled_out(targets))
        self.target.setVisible(bool(targets))
        self._place.setVisible(bool(targets or self._tool.place) and not self._is_answered)

    def _make_preview(self) -> Preview | None:
        if self._approval.preview is None:
            return None
        from app.ui.dialogs.approvals.preview import Preview  # only where a change is shown: it needs the cards

        preview = Preview(self._theme, self._approval.preview)
        preview.changed.connect(self._taken)
        return preview

    def _taken(self, name: str, text: object) -> None:
        """Other pieces of the change; without any there is nothing to allow."""
        self._is_empty = text is None
        self.details.show_args({**self.details.args, name: text if text is not None else ""})
        self.details.end_seen = self.details.end_seen or self.details.isHidden()
        self._arrange()

    def _args_changed(self) -> None:
        """Other arguments may do something else, and elsewhere."""
        self._sentence = self._tool.sentence(self.details.args) if self.details.is_changed else self._sentence
        if self.title.full_text() != self._title_text():
            self.title.setText(self._title_text())
        self._show_target()
        self.warnings.show_for(self.details.args)
        if self.always_row.isVisible():
            self.always_row.suggest(self._pattern() or "*")
        self._arrange()

    @property
    def approval_id(self) -> str:
        return self._approval.id

    @property
    def is_worth_a_look(self) -> bool:
        """Text of others, or what it would do: then Enter allows nothing."""
        return bool(self._approval.careful or self._approval.sources or self._approval.private)

    # ------------------------------------------------------------ answering

    def focus_answer(self) -> bool:
        """For a person who comes by keyboard; never called when the card appears. At Deny where Enter must not allow.

        False while it is deaf: nothing has the focus then.
        """
        if self._is_deaf:
            return False
        safe = self.allow_once.takes_enter and self.allow_once.isVisible() and self.allow_once.isEnabled()
        (self.allow_once if safe else self.deny).setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def settle(self, choice: str) -> None:
        """It has been answered, here or elsewhere: the card stays as a record, in one line."""
        self._is_answered = True
        self.setProperty("card", "plain")
        self.style().unpolish(self)
        self.style().polish(self)
        for part in (self._answers, self.refusal, self.always_row):
            part.hide()
        for shown in (self.details, self._place, self.mended, self.warnings, self.preview):
            if shown is not None:
                shown.hide()
        self.details.settle()
        self.countdown.stop()
        words = {
            "deny": _("Denied"),
            "run": _("Allowed for this run"),
            "once": _("Allowed once"),
            "always": _("Allowed from now on"),
        }
        self._outcome.setText(words.get(choice, _("Allowed")))
        self._outcome.show()

    def _answer(self, choice: str, *_given: object) -> None:
        if self._is_deaf or self._is_answered or (choice == "run" and not self.allow_run.isEnabled()):
            return
        denied = choice == "deny"
        reason = self.refusal.reason() if denied else ""
        changed = self.details.args if self.details.is_changed and not denied else None
        self.settle(choice)
        self.answered.emit(self._approval.id, choice, reason, changed)

    def _ask_reason(self) -> None:
        """A second press, or Enter, sends it with or without a reason."""
        if not self._is_deaf and not self._is_answered:
            self._answers.hide()
            self.always_row.hide()
            self.refusal.begin()

    def _take_back_denial(self) -> None:
        self.refusal.hide()
        self._answers.show()
        self.deny.setFocus(Qt.FocusReason.OtherFocusReason)

    def _pattern(self) -> str | None:
        return self._tool.subject(self.details.args)

    def _ask_pattern(self) -> None:
        if not self._is_deaf and (pattern := self._pattern()) is not None:
            self.always_row.suggest(pattern)
            self.always_row.begin()

    def _always(self, pattern: str) -> None:
        if not self.always_row.accept.isEnabled() or self._is_answered:
            return
        self.always_allowed.emit(self._approval.name, pattern)
        self._answer("always")

    def _listen(self) -> None:
        self._is_deaf = False
        self._arrange()

    def _arrange(self) -> None:
        details = self.details
        is_seen = details.end_seen or (details.isHidden() and bool(self._sentence) and not details.is_changed)
        may = not self._is_deaf and is_seen and not details.is_wrong and not self._is_empty
        self.deny.setEnabled(not self._is_deaf)
        for part in (self.allow_once, self.more, self.always_row.accept):
            part.setEnabled(may)
        for action in (self.allow_run, self.always):
            action.setEnabled(may and action.isVisible())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return
        focus = QApplication.focusWidget()
        if event.key() == Qt.Key.Key_D and isinstance(focus, QPushButton) and self._answers.isAncestorOf(focus):
            self.show_details(is_open=self.details.isHidden())
        else:
            super().keyPressEvent(event)


def _own_text(approval: Approval) -> str:
    """As the run recorded it, in the language of the program."""
    language = current_language()
    return next((text for code, text in approval.text.items() if code == language), "") or approval.text.get("en", "")

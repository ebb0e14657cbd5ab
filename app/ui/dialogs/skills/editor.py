"""A skill written here: its facts and instructions, judged while they are typed.

A new one is created by its button. What is changed in one that is there is stored when its field is left, as everywhere
in the settings; what cannot be stored is said, and asked about before it is lost.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.core.errors import BadInput
from app.core.skills import LONGEST_DESCRIPTION, Skill, read_skill, tool_names
from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.dialogs.skills.words import unknown
from app.ui.texts import fault_text
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet


class SkillEditor(Sheet):
    create_wanted = Signal(object)
    """The Skill; who keeps it calls `accept`, or `tell` with what stands against it."""
    changed = Signal()
    left = Signal()
    """Done with one that is there: who stores what is changed calls `accept`, or `ask_to_discard`."""

    def __init__(
        self,
        theme: Theme,
        skill: Skill,
        known_tools: Collection[str],
        parent: QWidget | None = None,
        *,
        is_new: bool = True,
    ) -> None:
        """`skill` may be unfinished: what it lacks is said."""
        super().__init__(parent)
        self.setObjectName("skillEditor")
        title = _("New skill") if is_new else _("Change the skill {name}").format(name=skill.name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme, self._skill, self._known, self._is_new = theme, skill, known_tools, is_new
        self.name, self.description, self.tools = QLineEdit(skill.name), QLineEdit(), QLineEdit()
        self.description.setText(skill.description)
        self.description.setMaxLength(LONGEST_DESCRIPTION)
        self.tools.setText(" ".join(skill.allowed_tools or ()))
        self.tools.setPlaceholderText(_("empty: all the agent has"))
        self.body = QPlainTextEdit(skill.body)
        self.body.setFont(theme.font("code"))
        self.body.setTabChangesFocus(True)
        self.body.setMinimumHeight(theme.space(14))
        self.note, self.told = SafeLabel(role="meta"), SafeLabel(role="error")
        self.body.setAccessibleName(_("Instructions"))
        self.body.textChanged.connect(self._judge)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(title, role="title"))
        layout.addLayout(self._fields())
        layout.addWidget(SafeLabel(_("Instructions")))
        layout.addWidget(self.body, 1)
        for words in (self.note, self.told):
            words.setWordWrap(True)
            layout.addWidget(words)
        layout.addLayout(self._buttons())
        self._judge()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        open_at(self, theme.space(90), theme.space(76))

    def _fields(self) -> QGridLayout:
        theme = self._theme
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.space(1.5))
        grid.setVerticalSpacing(theme.space(1))
        rows = (
            (_("Name"), self.name, _("small letters, digits and hyphens")),
            (_("What for"), self.description, _("The model chooses the skill by this sentence.")),
            (_("Allowed tools"), self.tools, _("Names with spaces between; they only take away.")),
        )
        for place, (label, field, hint) in enumerate(rows):
            field.setAccessibleName(label)
            field.setAccessibleDescription(hint)
            grid.addWidget(SafeLabel(label), 2 * place, 0)
            grid.addWidget(field, 2 * place, 1)
            grid.addWidget(SafeLabel(hint, role="meta"), 2 * place + 1, 1)
            field.textChanged.connect(self._judge)
        return grid

    def _buttons(self) -> QHBoxLayout:
        self.create_button = QPushButton(_("Create"))
        self.done_button = QPushButton(_("Cancel") if self._is_new else _("Done"))
        self.create_button.setProperty("kind", "primary")
        self.create_button.setVisible(self._is_new)
        self.create_button.clicked.connect(self._create)
        self.done_button.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.setSpacing(self._theme.space(1))
        buttons.addStretch(1)
        for button in (self.done_button, self.create_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        return buttons

    def written(self) -> Skill:
        return replace(
            self._skill,
            name=self.name.text().strip(),
            description=" ".join(self.description.text().split()),
            body=self.body.toPlainText().strip(),
            allowed_tools=tool_names(self.tools.text()),
        )

    @property
    def is_dirty(self) -> bool:
        before = replace(self._skill, body=self._skill.body.strip(), allowed_tools=self._skill.allowed_tools or None)
        return self.written() != before

    def tell(self, words: str) -> None:
        self.told.setText(words)
        self.told.setVisible(bool(words))

    def reject(self) -> None:
        """Also by Esc. What was written is given up only by a press of its own."""
        if not self.is_dirty:
            super().reject()
        elif self._is_new:
            self.ask_to_discard()
        else:
            self.left.emit()

    def ask_to_discard(self) -> None:
        title, text = _("Discard the changes?"), _("They would be lost otherwise.")
        answers = [("", _("Keep writing"), "primary"), ("discard", _("Discard"), "")]
        question = AskDialog(self, self._theme, title, text, answers)
        question.agreed.connect(partial(self.done, QDialog.DialogCode.Rejected.value))
        question.open()

    def _judge(self) -> None:
        skill = self.written()
        strange = unknown(skill, self._known)
        words = _("Not known here: {tools}").format(tools=", ".join(strange)) if strange else ""
        self.note.setText(words)
        self.note.setVisible(bool(words))
        fault = _fault(skill)
        self.create_button.setEnabled(not fault)
        self.changed.emit()
        is_untouched = self._is_new and not (skill.name or skill.description or skill.body)
        self.tell("" if is_untouched else fault)

    @property
    def is_whole(self) -> bool:
        """It can be stored as it stands."""
        return not _fault(self.written())

    def set_stored(self, skill: Skill) -> None:
        """What is written from now on is a change of this."""
        self._skill = skill

    def _create(self) -> None:
        self.create_wanted.emit(self.written())


def _fault(skill: Skill) -> str:
    """What stands against it, "" = nothing."""
    try:
        read_skill(skill.to_text())
    except BadInput as fault:
        return fault_text(fault)
    return "" if skill.body else _("It needs instructions.")

"""One skill: what it is for, where it comes from, how it stands, its whole text, and what can be done with it."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.skills.reading import FoundSkill
from app.ui.dialogs.skills.review import SkillText
from app.ui.dialogs.skills.words import facts, fault_words, origin_words, state_words
from app.ui.theme import Theme
from app.ui.widgets.layout.flow import FlowRow
from app.ui.widgets.safe_text import SafeLabel


class SkillDetail(QWidget):
    accept_wanted = Signal()
    edit_wanted = Signal()
    export_wanted = Signal()
    folder_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self, theme: Theme, known_tools: Collection[str]) -> None:
        super().__init__()
        self._known = known_tools
        self.title, self.purpose = SafeLabel(role="title", elide=True), SafeLabel()
        self.state, self.more, self.told = SafeLabel(role="meta"), SafeLabel(role="meta"), SafeLabel(role="error")
        self.text = SkillText(theme)
        self.accept, self.edit = QPushButton(_("Accept as it is")), QPushButton(_("Change…"))
        self.export, self.folder = QPushButton(_("Export…")), QPushButton(_("Open the folder"))
        self.remove = QPushButton(_("Remove…"))
        self.accept.setProperty("kind", "primary")
        self.buttons = (
            (self.accept, self.accept_wanted), (self.edit, self.edit_wanted), (self.export, self.export_wanted),
            (self.folder, self.folder_wanted), (self.remove, self.remove_wanted),
        )  # fmt: skip
        for button, signal in self.buttons:
            button.setAutoDefault(False)
            button.clicked.connect(signal)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(4), theme.space(3), theme.space(4), theme.space(2))
        layout.setSpacing(theme.space(1))
        for label in (self.title, self.purpose, self.state, self.more):
            label.setWordWrap(label is not self.title)
            layout.addWidget(label)
        layout.addWidget(self.text, 1)
        self.told.setWordWrap(True)
        layout.addWidget(self.told)
        row = FlowRow(theme.space(1))
        for button, _signal in self.buttons:
            row.add(button)
        layout.addWidget(row)
        self.show_skill(None)

    def show_skill(self, one: FoundSkill | None) -> None:
        skill = one.skill if one is not None else None
        self.title.setText(one.title if one is not None else _("Skills"))
        is_usable = one is not None and one.state == "ready"
        self.purpose.setText(one.purpose if one is not None else "")
        self.state.setText(" · ".join(_standing(one)) if one is not None else "")
        lines = facts(skill, one.files, self._known) if skill is not None and one is not None else []
        if is_usable:
            lines.append(_("It is switched on for an agent among its tools, on the page Agents."))
        self.more.setText("\n".join(lines))
        self.text.view.set_text(skill.body if skill is not None else "")
        self.text.verticalScrollBar().setValue(0)
        self.tell(fault_words(one) if one is not None else "")
        self.accept.setVisible(one is not None and one.state in ("new", "changed"))
        for button in (self.edit, self.export):
            button.setVisible(is_usable)
        self.folder.setVisible(one is not None)
        self.remove.setVisible(one is not None and one.origin == "own")

    def tell(self, words: str) -> None:
        self.told.setText(words)
        self.told.setVisible(bool(words))


def _standing(one: FoundSkill) -> list[str]:
    """With the name that files, models and commands know it by, where the title is another."""
    return [*([one.name] if one.title != one.name else []), origin_words(one), state_words(one)]

"""What a folder or zip holds, shown whole before anything of it is taken."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.core.text.i18n import _
from app.services.skills.reading import FoundSkill
from app.ui.dialogs.skills.words import facts
from app.ui.theme import Theme
from app.ui.widgets.fit import open_at
from app.ui.widgets.plain_view import PlainView
from app.ui.widgets.safe_text import SafeLabel
from app.ui.widgets.sheet import Sheet

_LINES = 50_000


class SkillText(QScrollArea):
    """The instructions to the last line, with whatever is hidden in them written out."""

    def __init__(self, theme: Theme, text: str = "") -> None:
        super().__init__()
        self.view = PlainView(theme, text, code=True, lines=_LINES, exact=True)
        self.view.setAccessibleName(_("Instructions"))
        self.setWidget(self.view)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(theme.space(12))


class SkillReview(Sheet):
    """Accepted: it is to be taken as it was shown."""

    def __init__(
        self,
        theme: Theme,
        found: FoundSkill,
        known_tools: Collection[str],
        parent: QWidget | None = None,
        *,
        replaces: bool = False,
    ) -> None:
        super().__init__(parent)
        assert found.skill is not None, "what could not be read was refused"
        self.setObjectName("skillReview")
        title = _("Take in the skill {name}?").format(name=found.name)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.space(3), theme.space(3), theme.space(3), theme.space(2))
        layout.setSpacing(theme.space(1))
        layout.addWidget(SafeLabel(title, role="title"))
        lines = [found.skill.description, *facts(found.skill, found.files, known_tools)]
        lines.append(_("A model follows these instructions with the rights of its agent, and no further ones."))
        if replaces:
            lines.append(_("The skill of this name in the data folder is replaced."))
        for line in lines:
            label = SafeLabel(line, role="" if line is lines[0] else "meta")
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addWidget(SkillText(theme, found.skill.body), 1)
        self.take, cancel = QPushButton(_("Take it in")), QPushButton(_("Cancel"))
        self.take.setProperty("kind", "primary")
        self.take.setAutoDefault(False)
        self.take.clicked.connect(self.accept)
        cancel.clicked.connect(self.reject)
        cancel.setDefault(True)
        row = QHBoxLayout()
        row.setSpacing(theme.space(1))
        row.addStretch(1)
        for button in (cancel, self.take):
            row.addWidget(button)
        layout.addLayout(row)
        open_at(self, theme.space(84), theme.space(70))

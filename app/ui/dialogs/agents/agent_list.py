"""The agents on the left of the settings: which there are, and what can be done with the one that is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.core.profile import AgentProfile
from app.core.text.i18n import _
from app.ui import texts
from app.ui.theme import Theme
from app.ui.widgets.icon_button import IconButton
from app.ui.widgets.layout.side_list import SideList, SideRow

OF_ONE = ("duplicate", "export", "delete")
"""What is done with the agent that is shown; the page has these buttons beside its title."""


class AgentList(SideList):
    wanted = Signal(str)
    """new, duplicate, import, export or delete, of the selected one."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        new = QPushButton(theme.icon("plus"), _("New agent"))
        new.setProperty("kind", "soft")
        new.setAutoDefault(False)
        new.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.buttons: dict[str, QAbstractButton] = {
            "new": new,
            "import": IconButton(theme, "upload", _("Import an agent")),
            "duplicate": IconButton(theme, "copy", _("Duplicate this agent")),
            "export": IconButton(theme, "download", _("Export this agent")),
            "delete": IconButton(theme, "trash", _("Delete this agent")),
        }
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.space(0.5))
        row.addWidget(new)
        row.addWidget(self.buttons["import"])
        super().__init__(theme, _("Agents"), "agentList", (), parent, head=head)
        for id, button in self.buttons.items():
            button.clicked.connect(partial(self._want, id))

    def show_profiles(
        self, profiles: Sequence[AgentProfile], *, is_changed: Callable[[str], bool], is_builtin: Callable[[str], bool]
    ) -> None:
        self._is_builtin = is_builtin
        self.show_rows([
            SideRow(
                one.id, one.title, one.icon, detail=_standing(one), mark=_("changed") if is_changed(one.id) else ""
            )
            for one in profiles
        ])  # fmt: skip

    def select(self, id: str) -> None:
        super().select(id)
        self.buttons["delete"].setEnabled(bool(id) and not self._is_builtin(id))
        for button in ("duplicate", "export"):
            self.buttons[button].setEnabled(bool(id))

    def _want(self, what: str, _checked: bool = False) -> None:
        self.wanted.emit(what)


def _standing(profile: AgentProfile) -> str:
    """Its mode and its model."""
    model = profile.model.partition("/")[2] or profile.model or _("default model")
    return f"{texts.mode_title(profile.default_mode)} · {model}"

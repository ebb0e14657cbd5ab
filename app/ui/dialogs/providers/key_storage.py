"""Where there is no keyring: the person says where a key may be kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtWidgets import QWidget

from app.core.text.i18n import _
from app.ui.dialogs.approvals.question import AskDialog
from app.ui.theme import Theme

KeyPlace = Literal["file", "session"]


def ask_where_keys_go(parent: QWidget, theme: Theme, then: Callable[[KeyPlace], None], *, title: str = "") -> None:
    """Saying nothing keeps nothing."""

    def answered(answer: str) -> None:
        if answer:
            then("file" if answer == "file" else "session")

    answers = [
        ("", _("Cancel"), ""),
        ("file", _("A file only I can read"), ""),
        ("session", _("This session only"), "primary"),
    ]
    text = _("This machine has no keyring. A file is not encrypted; anyone with your account can read it.")
    AskDialog(parent, theme, title or _("Where should the key be kept?"), text, answers, answered).open()

"""What an @ may mean, offered while its name is typed in the composer."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor

from app.core.text.i18n import _
from app.core.text.named import LONGEST
from app.ui.chat.composer import Composer
from app.ui.chat.composer_field import ATS
from app.ui.main_window.palette.typed_list import TypedList
from app.ui.theme import Theme

_NEW_LINE = "\u2029"
"""As Qt writes it in a selection."""


class MentionList(TypedList):
    """Open while the cursor stands behind an @ and what follows it finds something."""

    def __init__(self, theme: Theme, composer: Composer) -> None:
        super().__init__(theme, composer)
        self.setObjectName("mentionList")
        self.setAccessibleName(_("What @ can mean"))
        self._head: str | None = None
        composer.field.cursorPositionChanged.connect(self._cursor_moved)

    def begin(self) -> None:
        self._head = self.head()

    def head(self) -> str:
        """The text up to the @ that the cursor stands behind, with it; "" if there is none."""
        return self._parts()[0]

    def words(self) -> str | None:
        head, typed = self._parts()
        if not head or head != self._head:  # the cursor is elsewhere, or another draft stands there
            return None
        full_names = {entry.title.casefold() for entry in self.offered}
        is_over = typed.endswith(" ") and typed.strip().casefold() in full_names
        return None if is_over else typed

    def replace(self, text: str) -> None:
        """The @ and what was typed after it become `text`; one step for undo."""
        field = self.composer.field
        cursor = field.textCursor()
        typed = self._parts()[1]
        back = 1 + len(typed.encode("utf-16-le")) // 2  # a position counts as Qt does
        cursor.setPosition(max(0, cursor.position() - back), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)
        field.setTextCursor(cursor)
        self.composer.focus()

    def _parts(self) -> tuple[str, str]:
        """The text up to the last @ before the cursor, with it, and what follows up to the cursor; "" if there is
        none."""
        cursor = self.composer.field.textCursor()
        if cursor.hasSelection():
            return "", ""
        cursor.movePosition(QTextCursor.MoveOperation.Start, QTextCursor.MoveMode.KeepAnchor)
        before = cursor.selectedText()
        at = max(before.rfind(one) for one in ATS)
        typed = before[at + 1 :]
        return (before[: at + 1], typed) if at >= 0 and _NEW_LINE not in typed and len(typed) <= LONGEST else ("", "")

    def _cursor_moved(self) -> None:
        if not self.isHidden() and self.words() is None:
            self.close_list()

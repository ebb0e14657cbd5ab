"""Message templates and prompts of servers, offered while "/…" is typed in the composer."""

from __future__ import annotations

from app.core.text.i18n import _
from app.ui.chat.composer import Composer
from app.ui.chat.composer_field import SLASHES
from app.ui.main_window.palette.typed_list import TypedList
from app.ui.theme import Theme


class TemplateList(TypedList):
    """Open while the whole text is one line that begins with "/" and finds something."""

    def __init__(self, theme: Theme, composer: Composer) -> None:
        super().__init__(theme, composer)
        self.setObjectName("templateList")
        self.setAccessibleName(_("Message templates"))
        self._text = ""

    def begin(self) -> None:
        self._text = self.composer.text()

    def words(self) -> str | None:
        text, before = self.composer.text(), self._text
        self._text = text
        is_typed = text.startswith(before) or before.startswith(text)  # else another draft stands there
        return text[1:] if is_typed and text.startswith(SLASHES) and "\n" not in text else None

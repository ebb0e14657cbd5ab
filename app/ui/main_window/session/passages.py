"""A passage that a search of the documents found, opened from the chat in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.ui.texts import fault_text

if TYPE_CHECKING:
    from app.services.knowledge.service import KnowledgeService
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar


class Passages(QObject):
    text_wanted = Signal(str, str)
    """A text of the session's folder, and words in it."""

    def __init__(self, parent: DialogParent, notice: NoticeBar, knowledge: KnowledgeService, tasks: Tasks) -> None:
        super().__init__(parent)
        self._parent, self._notice, self._knowledge, self._tasks = parent, notice, knowledge, tasks

    def open(self, base: str, document: str, query: str) -> None:
        """`document` is the id of a hit: path and number of the passage. What a card names is only looked up."""
        if base:
            self._tasks.spawn(self._show(base, document, query))
        else:
            self.text_wanted.emit(document, query)

    async def _show(self, base: str, document: str, query: str) -> None:
        from app.ui.dialogs.knowledge.passage import PassageDialog

        path, _mark, place = document.rpartition("#")
        try:
            passage = await self._knowledge.show(base, path, int(place) if place.isdecimal() else -1, query)
        except TriptychError as error:
            self._notice.tell(_("The passage cannot be shown: {error}").format(error=fault_text(error)), "warn")
            return
        dialog = PassageDialog(self._parent.theme, self._parent)
        dialog.open()
        dialog.passage.show_passage(passage)

"""`@` in the composer: the knowledge bases a question may be limited to."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.text.i18n import _
from app.ui.main_window.palette.palette import PaletteEntry

if TYPE_CHECKING:
    from app.services.knowledge.service import KnowledgeService
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.palette.mention_list import MentionList
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent

_MOST = 60


class Mentions(QObject):
    def __init__(
        self, parent: DialogParent, column: ComposerColumn, tasks: Tasks, *, knowledge: KnowledgeService
    ) -> None:
        super().__init__(column)
        self._parent, self._composer, self._knowledge = parent, column.composer, knowledge
        self._list: MentionList | None = None
        tasks.spawn_on(column.composer.field.at_typed, self._offer)

    async def _offer(self) -> None:
        """Where nothing can be named an @ is just an @."""
        if entries := await self._bases():
            self._shown_list().offer(entries)

    async def _bases(self) -> list[PaletteEntry]:
        # What it is stands in the note: a search looks into titles and kinds, and "@k" means no kind.
        found = await self._knowledge.completions("", _MOST)
        note = _("Knowledge base")
        return [PaletteEntry(one.name, "", partial(self._name, one.insert), "book", note) for one in found]

    def _shown_list(self) -> MentionList:
        if self._list is None or self._list.theme is not self._parent.theme:
            from app.ui.main_window.palette.mention_list import MentionList

            if self._list is not None:
                self._list.close_list()
                self._list.deleteLater()
            self._list = MentionList(self._parent.theme, self._composer)
        return self._list

    def _name(self, mention: str) -> None:
        self._shown_list().replace(f"{mention} ")

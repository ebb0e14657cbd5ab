"""`@` in the composer: knowledge bases a question may be limited to, resources of MCP servers to go along."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.core.text.i18n import _
from app.ui.main_window.palette.palette import PaletteEntry

if TYPE_CHECKING:
    from app.services.knowledge.service import KnowledgeService
    from app.services.mcp.resources import ServerResource, ServerResources
    from app.ui.main_window.composer_column import ComposerColumn
    from app.ui.main_window.palette.mention_list import MentionList
    from app.ui.main_window.session.files import AttachmentController
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent

_MOST = 60


class Mentions(QObject):
    def __init__(
        self,
        parent: DialogParent,
        column: ComposerColumn,
        tasks: Tasks,
        *,
        files: AttachmentController,
        knowledge: KnowledgeService,
        resources: ServerResources,
    ) -> None:
        super().__init__(column)
        self._parent, self._composer, self._tasks = parent, column.composer, tasks
        self._files, self._knowledge, self._resources = files, knowledge, resources
        self._list: MentionList | None = None
        tasks.spawn_on(column.composer.field.at_typed, self._offer)

    async def _offer(self) -> None:
        """Where nothing can be named an @ is just an @."""
        entries = await self._bases()
        if entries:
            self._shown_list().offer(entries)
        if not self._resources.is_any():
            return
        head = self._shown_list().head()
        found = [self._entry(one) for one in await self._resources.offered()]
        if found and head and self._shown_list().head() == head and (not entries or self._shown_list().offered):
            self._shown_list().offer([*entries, *found])  # unless it was closed meanwhile

    async def _bases(self) -> list[PaletteEntry]:
        # What it is stands in the note: a search looks into titles and kinds, and "@k" means no kind.
        documents = await self._knowledge.completions("", _MOST)
        note = _("Knowledge base")
        return [PaletteEntry(one.name, "", partial(self._name, one.insert), "book", note) for one in documents]

    def _shown_list(self) -> MentionList:
        if self._list is None or self._list.theme is not self._parent.theme:
            from app.ui.main_window.palette.mention_list import MentionList

            if self._list is not None:
                self._list.close_list()
                self._list.deleteLater()
            self._list = MentionList(self._parent.theme, self._composer)
        return self._list

    def _entry(self, resource: ServerResource) -> PaletteEntry:
        return PaletteEntry(resource.name, "", partial(self._attach, resource), "paperclip", resource.server_name)

    def _name(self, mention: str) -> None:
        self._shown_list().replace(f"{mention} ")

    def _attach(self, resource: ServerResource) -> None:
        """What was typed to find it goes: it stands above the text now."""
        self._shown_list().replace("")
        read = partial(self._resources.read, resource)
        self._tasks.spawn(self._files.add_from(f"MCP server {resource.server_name}", resource.name, read))

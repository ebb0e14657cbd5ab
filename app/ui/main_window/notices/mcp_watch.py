"""Says it in the window when an MCP server that was in use has to be looked at again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from app.core.text.i18n import _
from app.ui.widgets.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.services.mcp.service import McpService


class McpPageState(Protocol):
    """Where a person looks at servers."""

    def is_at(self, page: str) -> bool:
        """Whether that page is before the person's eyes."""

    def show(self, page: str = "", item: str = "") -> None: ...


class McpWatch:
    def __init__(self, mcp: McpService, notice: NoticeBar, settings: McpPageState) -> None:
        self._mcp, self._notice, self._settings = mcp, notice, settings
        self._usable = {entry.id for entry in mcp.servers() if entry.is_usable}
        self.stop = mcp.listen(self._changed)

    def _changed(self, id: str) -> None:
        entry = next((entry for entry in self._mcp.servers() if entry.id == id), None)
        if entry is not None and entry.is_usable:
            self._usable.add(id)
            return
        was_usable = id in self._usable
        self._usable.discard(id)
        if entry is None or not was_usable or entry.state not in ("review", "tools") or self._settings.is_at("mcp"):
            return
        text = _("{name} is not what you accepted. Its tools are not used until you have looked at it.")
        answer = partial(self._settings.show, "mcp", id)
        self._notice.tell(text.format(name=entry.name), "warn", button=_("Look at it…"), answer=answer)

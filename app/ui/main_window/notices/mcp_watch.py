"""Says it in the window when an MCP server that was in use has to be looked at again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.core.text.i18n import _
from app.ui.widgets.notice_bar import NoticeBar

if TYPE_CHECKING:
    from app.services.mcp.service import McpService


class McpWatch:
    """`open_dialog` shows a server; while it `is_open` the person sees it there."""

    def __init__(
        self, mcp: McpService, notice: NoticeBar, *, is_open: Callable[[], bool], open_dialog: Callable[[str], None]
    ) -> None:
        self._mcp, self._notice, self._is_open, self._open_dialog = mcp, notice, is_open, open_dialog
        self._usable = {entry.id for entry in mcp.servers() if entry.is_usable}
        self.stop = mcp.listen(self._changed)

    def _changed(self, id: str) -> None:
        entry = next((entry for entry in self._mcp.servers() if entry.id == id), None)
        if entry is not None and entry.is_usable:
            self._usable.add(id)
            return
        was_usable = id in self._usable
        self._usable.discard(id)
        if entry is None or not was_usable or entry.state not in ("review", "tools") or self._is_open():
            return
        text = _("{name} is not what you accepted. Its tools are not used until you have looked at it.")
        self._notice.tell(
            text.format(name=entry.name), "warn", button=_("Look at it…"), answer=lambda: self._open_dialog(id)
        )

"""Approval cards: what a card needs to know of its tool, and the rules a person makes on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.core.errors import TriptychError
from app.core.text.i18n import _, current_language
from app.core.wording.mended import mended_text
from app.core.wording.tools import tool_title
from app.ui.dialogs import ApprovalCard
from app.ui.dialogs.approvals.asked_tool import Args, AskedTool
from app.ui.texts import fault_text, mode_title
from app.ui.texts.permissions import class_text

if TYPE_CHECKING:
    from app.core.run.events import Approval
    from app.core.run.view import WaitItem
    from app.core.tools.tool import Tool
    from app.services.mcp.service import McpService
    from app.services.settings.settings import SettingsService
    from app.services.tools.grants import GrantService
    from app.services.tools.service import ToolService
    from app.ui.tasks import Tasks
    from app.ui.widgets.dialog_parent import DialogParent
    from app.ui.widgets.notice_bar import NoticeBar


_PLACES = ("path", "file")
"""Arguments that say where a file goes."""
_PRINT = 16
"""Characters of a fingerprint that are shown."""


@dataclass(frozen=True)
class _KnownTool(AskedTool):
    tools: ToolService = field(kw_only=True)
    tool: Tool = field(kw_only=True)
    is_call: bool = field(kw_only=True)

    @property
    def place(self) -> str:
        properties = (self.parameters or {}).get("properties")
        writes = self.tool.permission == "fs.write" and isinstance(properties, Mapping)
        return next((name for name in _PLACES if name in properties), "") if writes and properties else ""

    def subject(self, args: Args) -> str | None:
        return self.tools.rule_subject(self.tool.name, args) if self.is_call else None

    def targets(self, args: Args) -> Sequence[str]:
        return self.tools.targets(self.tool.name, args)

    def sentence(self, args: Args) -> str:
        if (say := self.tool.approval_text) is None:
            return ""
        try:
            return say(args, current_language())
        except Exception:  # noqa: BLE001  the code of a plug-in, and arguments a person is still typing
            return ""


class Approvals(QObject):
    settings_asked = Signal()
    """To the rules that let a call run, or not."""

    def __init__(
        self,
        parent: DialogParent,
        notice: NoticeBar,
        tasks: Tasks,
        *,
        tools: ToolService,
        settings: SettingsService,
        mcp: McpService,
        grants: GrantService,
    ) -> None:
        super().__init__(parent)
        self._parent, self._notice, self._tasks = parent, notice, tasks
        self._tools, self._settings, self._mcp, self._grants = tools, settings, mcp, grants

    def card(self, wait: WaitItem, question: str, agent: str, mode: str) -> ApprovalCard:
        approval = wait.approval
        assert approval is not None, "asked for an approval alone"
        helper = self._title(approval.agent) if approval.agent else ""
        own = (self._title(agent), mode_title(mode) if mode else "")
        card = ApprovalCard(
            self._parent.theme,
            approval,
            question=question,
            who=helper or " · ".join(filter(None, own)),
            helper=helper,
            tool=self._asked_tool(approval),
            mended=mended_text(wait.mended),
        )
        card.settings_asked.connect(self.settings_asked)
        card.always_allowed.connect(partial(self._always_allowed, agent))
        return card

    def _asked_tool(self, approval: Approval) -> AskedTool:
        """Without a call there is a step of a plan that asks first: its arguments are changed in the plan."""
        tools, is_call = self._tools, bool(approval.tool_call_id or approval.agent)
        tool = tools.named(approval.name)
        if tool is None:
            return AskedTool()
        return _KnownTool(
            class_text(tool.permission),
            self._server(tool.origin),
            tool.parameters if is_call else None,
            tools=tools,
            tool=tool,
            is_call=is_call,
        )

    def _title(self, agent: str) -> str:
        try:
            return self._settings.profile(agent).title
        except TriptychError:
            return agent

    def _server(self, origin: str) -> str:
        """Whose tool it is: the server's name and the fingerprint that was agreed to, not what it says of itself."""
        id, _space, prints = origin.partition(" ")
        names = {entry.id: entry.name for entry in self._mcp.servers()}
        return f"{names.get(id, id)} · {prints.partition(' ')[0][:_PRINT]}" if id else ""

    def _always_allowed(self, agent: str, tool: str, pattern: str) -> None:
        self._tasks.spawn(self._allow(agent, tool, pattern))

    async def _allow(self, agent: str, tool: str, pattern: str) -> None:
        """In force for later runs; listed, and taken back, under Permissions."""
        try:
            profile = self._settings.profile(agent)
            await self._grants.add(agent, tool, pattern)
        except TriptychError as error:
            self._notice.tell(fault_text(error), "warn")
            return
        text = _("{agent} may now use {tool} without asking where it matches: {pattern}")
        self._notice.tell(text.format(agent=profile.title, tool=tool_title(tool), pattern=pattern))

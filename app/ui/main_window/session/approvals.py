"""Approval cards: what a card needs to know of its tool, and the rules a person makes on it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.core.errors import TriptychError
from app.core.text.i18n import _
from app.core.wording.mended import mended_text
from app.ui.dialogs import ApprovalCard
from app.ui.texts import fault_text, mode_title
from app.ui.texts.permissions import class_text

if TYPE_CHECKING:
    from app.core.run.view import WaitItem
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks


_PRINT = 16
"""Characters of a fingerprint that are shown."""


class Approvals:
    def __init__(self, window: MainWindow, services: Services, tasks: Tasks) -> None:
        self._window, self._services, self._tasks = window, services, tasks

    def card(self, wait: WaitItem, question: str, agent: str, mode: str) -> ApprovalCard:
        approval = wait.approval
        assert approval is not None, "asked for an approval alone"
        tool = self._services.tools.named(approval.name)
        # Without a call there is a step of a plan that asks first: its arguments are changed in the plan.
        is_call = bool(approval.tool_call_id)
        card = ApprovalCard(
            self._window.theme,
            approval,
            question=question,
            mended=mended_text(wait.mended),
            who=" · ".join(filter(None, (self._title(agent), mode_title(mode) if mode else ""))),
            effect=class_text(tool.permission) if tool else "",
            server=self._server(tool.origin) if tool else "",
            parameters=tool.parameters if tool and is_call else None,
            subject=partial(self._services.tools.rule_subject, approval.name) if is_call else None,
            targets=partial(self._services.tools.targets, approval.name),
        )
        card.always_allowed.connect(lambda name, pattern: self._tasks.spawn(self._allow(agent, name, pattern)))
        return card

    def _title(self, agent: str) -> str:
        try:
            return self._services.settings.profile(agent).title
        except TriptychError:
            return agent

    def _server(self, origin: str) -> str:
        """Whose tool it is: the server's name and the fingerprint that was agreed to, not what it says of itself."""
        id, _space, prints = origin.partition(" ")
        names = {entry.id: entry.name for entry in self._services.mcp.servers()}
        return f"{names.get(id, id)} · {prints.partition(' ')[0][:_PRINT]}" if id else ""

    async def _allow(self, agent: str, tool: str, pattern: str) -> None:
        """In force for later runs; listed, and taken back, under Permissions."""
        settings = self._services.settings
        try:
            profile = settings.profile(agent)
            await self._services.grants.add(agent, tool, pattern)
        except TriptychError as error:
            self._window.notice.tell(fault_text(error), "warn")
            return
        text = _("{agent} may now use {tool} without asking where it matches: {pattern}")
        self._window.notice.tell(text.format(agent=profile.title, tool=tool, pattern=pattern))

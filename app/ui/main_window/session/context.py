"""The meter in the header: how much the next request carries, and what of it the person leaves out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from app.core.errors import TriptychError
from app.core.run.context_use import context_use
from app.ui.main_window.context_popup import ContextPopup
from app.ui.texts import fault_text

if TYPE_CHECKING:
    from app.core.profile import AgentProfile
    from app.core.run.chat_model import ToolSpec
    from app.core.run.messages import Message
    from app.core.session.summary import SessionRow
    from app.services.container import Services
    from app.ui.main_window.window import MainWindow
    from app.ui.tasks import Tasks

_WORK = "leave out"


class Context:
    """Of the open session; `profile` is its agent's."""

    def __init__(
        self,
        window: MainWindow,
        services: Services,
        tasks: Tasks,
        *,
        row: Callable[[], SessionRow | None],
        profile: Callable[[], AgentProfile],
    ) -> None:
        self._window, self._services, self._tasks = window, services, tasks
        self._row, self._profile = row, profile
        self._messages: Sequence[Message] = ()
        self._left_out: dict[str, frozenset[str]] = {}
        self._characters = 0
        window.modes.mode_changed.connect(lambda _mode: self.tell())
        window.header.meter.clicked.connect(lambda: tasks.spawn(self._show_popup()))

    async def read(self, session: str) -> frozenset[str]:
        """What is left out in that session, from now on known here."""
        self._left_out[session] = left_out = await self._services.sessions.left_out(session)
        return left_out

    def show(self, messages: Sequence[Message]) -> None:
        """The line of messages as it is now."""
        self._messages = messages
        row = self._row()
        self._characters = context_use("", messages, self._left_out.get(row.id, ()) if row else ()).chars
        self.tell()

    def add(self, characters: int) -> None:
        """A question was sent; the rest is counted when its answer is complete."""
        self._characters += characters
        self.tell()

    def tell(self) -> None:
        profile = self._profile()
        used = self._characters
        if used:
            system, tools = self._frame()
            used += context_use(system, (), tools=tools).chars
        self._window.header.meter.set_figures(used, profile.context_limit)

    def _frame(self) -> tuple[str, tuple[ToolSpec, ...]]:
        return self._services.chat.frame(self._profile(), self._window.modes.mode())

    async def _show_popup(self) -> None:
        if (row := self._row()) is None:
            return
        try:
            messages = await self._services.sessions.messages(row.id)
            left_out = await self.read(row.id)
        except TriptychError as error:
            self._window.notice.tell(fault_text(error), "warn", session=row.id)
            return
        profile = self._profile()
        system, tools = self._frame()
        use = context_use(system, messages, left_out, tools)
        popup = ContextPopup(self._window.theme, use, profile.context_limit, self._window)
        popup.left_out_changed.connect(lambda ids: self._tasks.spawn(self._leave_out(row.id, ids), f"{_WORK} {row.id}"))
        popup.show_below(self._window.header.meter)

    async def _leave_out(self, session: str, ids: Collection[str]) -> None:
        """From the next request on, until it is taken back."""
        await self._services.sessions.set_left_out(session, ids)
        self._left_out[session] = frozenset(ids)
        if (row := self._row()) is not None and row.id == session:
            self.show(self._messages)

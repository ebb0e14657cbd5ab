"""The agents and sessions of this program for `mcp/serving`: a question is a run in a stored session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.core.profile import in_language
from app.core.run.events import LoopEnd
from app.core.run.mode import mode_ids
from app.core.served_agents import Progress, ServedAgent, ServedAnswer, ServedSession
from app.core.system.version import version
from app.core.text.i18n import language_of
from app.core.wording.progress import progress_text

from ..data.sessions import SessionService
from ..exchange.transfer import TransferService
from ..runs.chat import ChatService
from ..runs.run_options import RunOptions
from ..settings.settings import SettingsService

if TYPE_CHECKING:
    from starlette.applications import Starlette


class ServedAgentService:
    """Nobody can be asked here: what needs an approval is refused."""

    def __init__(
        self, chat: ChatService, sessions: SessionService, settings: SettingsService, transfer: TransferService
    ) -> None:
        self._chat, self._sessions, self._settings, self._transfer = chat, sessions, settings, transfer

    async def serve_stdio(self) -> None:
        from app.mcp.serving import serve_stdio

        await serve_stdio(self, version())

    def http_application(self) -> Starlette:
        from app.mcp.serving import http_application

        return http_application(self, version())

    def agents(self) -> Sequence[ServedAgent]:
        return [
            ServedAgent(one.id, one.title, in_language(one.description), mode_ids())
            for one in self._settings.profiles()
        ]

    async def ask(self, agent: str, question: str, mode: str, session: str, progress: Progress) -> ServedAnswer:
        options = RunOptions(agent=agent if session else "", mode=mode, approve="none", interactive=False)
        if session:
            session = (await self._sessions.row(session)).id
        else:
            await self._chat.check(agent, options)
            session = (await self._sessions.create(agent)).id
        run = await self._chat.send(session, question, options=options)
        language = language_of(question)
        try:
            async for stamped in run.events():
                if words := progress_text(stamped.event, language):
                    await progress(words)
            end = await run.result()
        finally:
            run.cancel()  # nothing happens to one that has ended
        await self._chat.active.written(session)
        if isinstance(end, LoopEnd):
            return ServedAnswer(end.answer, session)
        return ServedAnswer(f"{end.error.message}\n\n{end.partial}".strip(), session, is_error=True)

    async def sessions(self) -> Sequence[ServedSession]:
        return [ServedSession(row.id, row.title, row.agent) for row in await self._sessions.rows()]

    async def session_text(self, id: str) -> str:
        return (await self._transfer.export([id], "md")).data.decode("utf-8", "replace")

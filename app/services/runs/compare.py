"""The same question in several modes, one after the other, each in a session of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.core.errors import BadInput, TriptychError, UnknownName
from app.core.run.mode import mode_ids

from ..data.sessions import SessionService
from ..settings.settings import SettingsService
from .chat import ChatService
from .run_options import RunOptions
from .runs import RunService

if TYPE_CHECKING:
    from app.core.run.analysis.comparison import RunSummary


@dataclass(frozen=True, slots=True)
class Tried:
    """How one mode did. `error` is why it could not even begin; then there is no run."""

    mode: str
    session: str = ""
    run: str = ""
    summary: RunSummary | None = None
    error: str = ""


class CompareService:
    def __init__(
        self, chat: ChatService, sessions: SessionService, runs: RunService, settings: SettingsService
    ) -> None:
        self._chat, self._sessions, self._runs, self._settings = chat, sessions, runs, settings

    async def in_modes(
        self, text: str, modes: Sequence[str], *, agent: str = "", options: RunOptions | None = None
    ) -> list[Tried]:
        """Raises BadInput and UnknownName before anything is asked. A mode that fails does not stop the others."""
        if not text.strip() or not modes:
            raise BadInput("there is nothing to compare", reason="NOTHING_TO_COMPARE")
        for mode in modes:
            if mode not in mode_ids():
                raise UnknownName("mode", mode, mode_ids())
        profile = self._settings.profile(agent or self._settings.preferences.default_agent)
        options = options or RunOptions(approve="none", interactive=False)
        await self._chat.check(profile.id, options)
        return [await self._try(text, mode, profile.id, options) for mode in modes]

    async def _try(self, text: str, mode: str, agent: str, options: RunOptions) -> Tried:
        session = (await self._sessions.create(agent, mode=mode)).id
        try:
            run = await self._chat.send(session, text, mode, options=options)
            await run.result()
            await self._chat.active.written(session)
        except TriptychError as error:
            return Tried(mode, session, error=error.message)
        from app.core.run.analysis.comparison import summary
        from app.core.run.view import view_of

        view = view_of(await self._runs.events(run.id))
        row = await self._sessions.row(session)
        await self._sessions.rename(session, f"{row.title} · {mode}")
        return Tried(mode, session, run.id, summary(view))

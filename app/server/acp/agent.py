"""The methods of the Agent Client Protocol that an editor calls (the SDK finds them by their names).

A session of the editor is a stored session of this program. Its modes are ours; the agent is a setting of the session
that the editor offers to choose. What fails is an error of the protocol with a sentence.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from acp import PROTOCOL_VERSION
from acp.exceptions import RequestError
from acp.schema import (
    AgentCapabilities,
    ClientCapabilities,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    SessionCapabilities,
    SessionConfigOptionSelect,
    SessionConfigSelectOption,
    SessionInfo,
    SessionInfoUpdate,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
    TextContentBlock,
    Usage,
    UserMessageChunk,
)

from app.core.errors import BadInput, TriptychError
from app.core.profile import in_language
from app.core.run.event_values import StopReason as OurStopReason
from app.core.run.events import LoopEnd, Terminal
from app.core.run.mode import mode_ids, mode_name
from app.core.run.transcript import replay
from app.core.session.summary import SessionRow
from app.core.system.version import version
from app.core.text.i18n import _
from app.core.text.moments import utc_time
from app.core.wording.errors import error_text, fault_text, hint_text
from app.services.runs.active_runs import AlreadyRunning
from app.services.runs.run_options import RunOptions

from .parts import AcpParts, EditorSession
from .question import PromptReader
from .turn import Shown, Turn

if TYPE_CHECKING:
    from acp.interfaces import Client
    from acp.schema import StopReason

MOST_SESSIONS: Final = 100
"""That are listed: the newest."""
_NOT_FOUND, _INVALID, _INTERNAL = -32002, -32602, -32603
_STOP: dict[OurStopReason, StopReason] = {
    "cut": "max_tokens", "budget": "max_tokens", "max_steps": "max_turn_requests", "max_rounds": "max_turn_requests",
    "filtered": "refusal",
}  # fmt: skip
"""Everything else is an answer: end_turn."""


class EditorAgent:
    def __init__(self, parts: AcpParts, agent: str = "") -> None:
        """`agent` answers in new sessions; else the one that is set as usual."""
        self._parts = parts
        self._agent = agent or parts.settings.preferences.default_agent
        self._sessions: dict[str, EditorSession] = {}
        self._turns: dict[str, Turn] = {}
        """By session: a run that is going on, or waits for the answer to its question."""
        self._can = ClientCapabilities()
        self._client: Client

    def on_connect(self, conn: Client) -> None:
        self._client = conn

    async def close(self) -> None:
        """The editor has gone: what runs for it is stopped."""
        runs = [turn.run for turn in self._turns.values()]
        for run in runs:
            run.cancel()
        for run in runs:
            await run.result()

    # ------------------------------------------------------------ the editor and its sessions

    async def initialize(
        self, client_capabilities: ClientCapabilities | None = None, **_more: Any
    ) -> InitializeResponse:
        """Whatever version the editor speaks, it is told ours and decides whether it goes on."""
        self._can = client_capabilities or ClientCapabilities()
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(image=True, audio=False, embedded_context=True),
                session_capabilities=SessionCapabilities(list=SessionListCapabilities()),
            ),
            agent_info=Implementation(name="triptych", title="Triptych", version=version()),
            auth_methods=[],
        )

    async def authenticate(self, method_id: str, **_more: Any) -> None:
        raise RequestError(_INVALID, _("no sign-in is needed"), {"methodId": method_id})

    async def new_session(self, cwd: str, mcp_servers: Sequence[Any] | None = None, **_more: Any) -> NewSessionResponse:
        async with _in_words():
            folder = _folder(cwd)
            await self._parts.chat.check(self._agent, RunOptions())
            row = await self._parts.sessions.create(self._agent)
            session = await self._opened(row, folder, mcp_servers or ())
            modes, options = self._modes(row), self._options(row)
            return NewSessionResponse(session_id=session.id, modes=modes, config_options=options)

    async def load_session(
        self, session_id: str, cwd: str, mcp_servers: Sequence[Any] | None = None, **_more: Any
    ) -> LoadSessionResponse:
        """Shows the conversation once more, from the stored messages."""
        async with _in_words():
            row = await self._parts.sessions.row(session_id)
            session = await self._opened(row, _folder(cwd), mcp_servers or ())
            for message in await self._parts.sessions.messages(row.id):
                display = Shown(self._client, self._parts, session, message.run or message.id)
                if message.role == "user":
                    block = TextContentBlock(type="text", text=message.text)
                    await display.send(UserMessageChunk(session_update="user_message_chunk", content=block))
                for event in replay(message):
                    await display.apply(event)
            return LoadSessionResponse(modes=self._modes(row), config_options=self._options(row))

    async def list_sessions(self, cwd: str | None = None, **_more: Any) -> ListSessionsResponse:
        """The newest; with `cwd` those that work in that folder."""
        async with _in_words():
            found: list[SessionInfo] = []
            for row in await self._parts.sessions.rows():
                root = (await self._parts.workspace.choice(row.id)).root
                if cwd is not None and (root is None or root != Path(cwd)):
                    continue
                folder = str(root or Path.home())
                info = SessionInfo(
                    session_id=row.id, cwd=folder, title=row.title, updated_at=utc_time(row.updated).isoformat()
                )
                found.append(info)
                if len(found) >= MOST_SESSIONS:
                    break
            return ListSessionsResponse(sessions=found)

    async def _opened(self, row: SessionRow, folder: Path, servers: Sequence[Any]) -> EditorSession:
        session = EditorSession(row.id, folder, self._can)
        if (before := self._sessions.get(row.id)) is not None:
            session.is_busy = before.is_busy
        self._sessions[row.id] = session
        if servers:
            words = _("The editor names tool servers of its own ({names}). They are not started: only servers you have"
                      " agreed to run here; add them with triptych mcp add.")  # fmt: skip
            session.notes.append(words.format(names=", ".join(str(one.name)[:80] for one in servers)))
        await self._set_folder(session, row.agent)
        return session

    async def _set_folder(self, session: EditorSession, agent: str) -> None:
        """The editor's folder is the one the session works in, for an agent that works in one."""
        if not self._parts.workspace.can_have(self._parts.settings.profile(agent)):
            return
        try:
            await self._parts.workspace.pick(session.id, session.folder)
        except BadInput as error:
            words = _("The agent cannot work in {folder}: {why}")
            session.notes.append(words.format(folder=session.folder, why=fault_text(error)))

    def _session(self, id: str) -> EditorSession:
        if id not in self._sessions:
            raise RequestError(_NOT_FOUND, _("this session is not open; load it first"), {"sessionId": id})
        return self._sessions[id]

    # ------------------------------------------------------------ settings of a session

    def _mode(self, row: SessionRow) -> str:
        """The editor is offered our modes: one of another program's own is none of them."""
        return row.mode if row.mode in mode_ids() else self._parts.settings.profile(row.agent).default_mode

    def _modes(self, row: SessionRow) -> SessionModeState:
        current = self._mode(row)
        modes = [SessionMode(id=id, name=_(mode_name(id))) for id in mode_ids()]
        return SessionModeState(current_mode_id=current, available_modes=modes)

    def _options(self, row: SessionRow) -> list[Any]:
        agents = [
            SessionConfigSelectOption(value=one.id, name=one.title, description=in_language(one.description))
            for one in self._parts.settings.profiles()
            if not one.helper
        ]
        modes = [SessionConfigSelectOption(value=id, name=_(mode_name(id))) for id in mode_ids()]
        current = self._mode(row)
        return [
            SessionConfigOptionSelect(
                type="select", id="mode", name=_("Mode"), category="mode", current_value=current, options=modes
            ),
            SessionConfigOptionSelect(
                type="select", id="agent", name=_("Agent"), current_value=row.agent, options=agents
            ),
        ]

    async def set_session_mode(self, mode_id: str, session_id: str, **_more: Any) -> SetSessionModeResponse:
        async with _in_words():
            await self._set("mode", mode_id, self._session(session_id))
            return SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_more: Any
    ) -> SetSessionConfigOptionResponse:
        async with _in_words():
            session = self._session(session_id)
            await self._set(config_id, str(value), session)
            row = await self._parts.sessions.row(session.id)
            return SetSessionConfigOptionResponse(config_options=self._options(row))

    async def _set(self, name: str, value: str, session: EditorSession) -> None:
        if name == "mode" and value in mode_ids():
            await self._parts.sessions.update(session.id, mode=value)
        elif name == "agent":
            agent = self._parts.settings.profile(value).id
            await self._parts.sessions.update(session.id, agent=agent)
            await self._set_folder(session, agent)
        else:
            raise RequestError(_INVALID, _("there is no such choice"), {"name": name, "value": value})

    # ------------------------------------------------------------ prompts

    async def prompt(self, prompt: Sequence[Any], session_id: str, **_more: Any) -> PromptResponse:
        """Ends with exactly one reason, or with an error that says in a sentence why the run failed."""
        session = self._session(session_id)
        async with _in_words():
            if session.is_busy:
                raise AlreadyRunning("the last question is still being answered")
            session.is_busy = True
            try:
                return await self._prompt(prompt, session)
            finally:
                session.is_busy = False

    async def _prompt(self, prompt: Sequence[Any], session: EditorSession) -> PromptResponse:
        text, files = await PromptReader(self._client, session, self._parts.attachments).read(prompt)
        turn = self._turns.get(session.id)
        if turn is None or not turn.answer(text):
            await self._parts.chat.active.written(session.id)
            run = await self._parts.chat.send(session.id, text, attachments=files, options=RunOptions(approve="ask"))
            turn = self._turns[session.id] = Turn(self._client, self._parts, session, run)
        end = await turn.follow()
        if end is None:
            return PromptResponse(stop_reason="end_turn")
        del self._turns[session.id]
        await self._parts.chat.active.written(session.id)
        await self._tell_title(session)
        return _response(end)

    async def _tell_title(self, session: EditorSession) -> None:
        row = await self._parts.sessions.row(session.id)
        if row.title:
            update = SessionInfoUpdate(session_update="session_info_update", title=row.title)
            await Shown(self._client, self._parts, session, "").send(update)

    async def cancel(self, session_id: str, **_more: Any) -> None:
        if (turn := self._turns.get(session_id)) is not None:
            turn.run.cancel()


def _response(end: Terminal) -> PromptResponse:
    usage = Usage(
        total_tokens=end.usage.input + end.usage.output, input_tokens=end.usage.input, output_tokens=end.usage.output,
        thought_tokens=end.usage.reasoning or None, cached_read_tokens=end.usage.cached or None,
    )  # fmt: skip
    if isinstance(end, LoopEnd):
        return PromptResponse(stop_reason=_STOP.get(end.stop_reason, "end_turn"), usage=usage)
    if end.reason == "cancelled":
        return PromptResponse(stop_reason="cancelled", usage=usage)
    error = end.error
    words = error_text(error.code, error.message, error.params)
    sentences = " ".join(filter(None, (words.what, words.do or hint_text(error.hint))))
    raise RequestError(_INTERNAL, sentences, {"code": error.code, "reason": end.reason})


def _folder(cwd: str) -> Path:
    folder = Path(cwd)
    if not folder.is_absolute():
        raise BadInput(_("the folder of a session is an absolute path, not {path}").format(path=cwd[:200]))
    return folder


@asynccontextmanager
async def _in_words() -> AsyncIterator[None]:
    """Our errors as those of the protocol."""
    try:
        yield
    except TriptychError as error:
        words = " ".join(filter(None, (fault_text(error), hint_text(error.hint))))
        code = _INVALID if isinstance(error, BadInput) else _INTERNAL
        raise RequestError(code, words, {"code": error.code}) from error

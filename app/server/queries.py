"""Questions over the API: the answer as frames (`/api/chat`), or every event (`/api/query/stream`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import Response

from app.core.run.event_line import Stamped
from app.core.run.events import LoopEnd, LoopError, ModeSelected, PhaseStart, PlanMade, Thinking, Token, ToolReturned
from app.core.run.mode import DIRECT
from app.core.run.run_handle import RunHandle
from app.core.text.i18n import language_of
from app.core.wording.progress import progress_text
from app.services.api.clients import ApiClient
from app.services.runs.run_options import RunOptions

from .access import check_agent, check_model, check_right, check_session, client_of
from .errors import ApiError
from .parts import ServerParts
from .request_body import field, read_object, required_text
from .run_hub import event_id
from .sse import EventStream, frame

LONGEST_MESSAGE_ID = 200


@dataclass(frozen=True, slots=True)
class ApiQuery:
    message: str
    session: str
    agent: str
    options: RunOptions
    waits: bool
    message_id: str


async def chat(request: Request, parts: ServerParts) -> Response:
    """Frames `thinking` and `token`, then `done` with the result, or `error`: nothing else."""
    query = _read(await read_object(request), asks_by_default=False)
    run = await begin(query, parts, client_of(request))
    return EventStream(_frames(run), parts.hub.attach(run))


async def query_stream(request: Request, parts: ServerParts) -> Response:
    """Every event of the run, as `triptych run --events` prints it."""
    query = _read(await read_object(request), asks_by_default=True)
    run = await begin(query, parts, client_of(request))
    return EventStream(_events(run), parts.hub.attach(run))


def _read(body: Mapping[str, Any], *, asks_by_default: bool) -> ApiQuery:
    """`approve` is "none" where nobody could answer, as in the frames of `/api/chat`."""
    message = required_text(body, "message" if "message" in body or "query" not in body else "query")
    approve = field(body, "approve", str, "ask" if asks_by_default else "none")
    if approve not in ("ask", "all", "none"):
        raise ApiError(400, "BAD_REQUEST", "approve is ask, all or none", param="approve")
    rule: Literal["ask", "all", "none"] = approve  # type: ignore[assignment]  # checked in the line above
    options = RunOptions(
        mode=field(body, "mode", str, ""),
        model=field(body, "model", str, ""),
        overrides=field(body, "settings", dict, {}),
        approve=rule,
        interactive=asks_by_default and rule == "ask",
        plan_only=field(body, "plan_only", bool, False),
    )
    return ApiQuery(
        message,
        field(body, "session_id", str, ""),
        field(body, "agent", str, ""),
        options,
        field(body, "queue", bool, False),
        field(body, "message_id", str, "")[:LONGEST_MESSAGE_ID],
    )


async def begin(query: ApiQuery, parts: ServerParts, client: ApiClient) -> RunHandle:
    """Everything that can be wrong is found before an empty session is left behind."""
    check_right(client, "run")
    if query.options.approve == "all":
        check_right(client, "approve")
    check_model(client, query.options.model or str(query.options.overrides.get("model") or ""))
    if query.session:
        row = await check_session(client, parts.sessions, query.session)
        if query.agent and query.agent != row.agent:
            check_agent(client, parts.settings, query.agent)
            await parts.sessions.update(row.id, agent=query.agent)
        session = row.id
    else:
        agent = check_agent(client, parts.settings, query.agent).id
        await parts.chat.check(agent, query.options)
        session = (await parts.sessions.create(agent)).id

    async def start() -> RunHandle:
        return await parts.chat.send(session, query.message, options=query.options)

    content = (client.name, query.message, query.agent, repr(query.options)) if query.session else ()
    return await parts.hub.send(session, start, waits=query.waits, message_id=query.message_id, content=content)


async def _events(run: RunHandle) -> AsyncGenerator[bytes, None]:
    async for stamped in run.events():
        yield frame(stamped.to_json(), id=event_id(stamped))


async def _frames(run: RunHandle) -> AsyncGenerator[bytes, None]:
    details = ResultDetails()
    async for stamped in run.events():
        details.note(stamped)
        match stamped.event:
            case PhaseStart(title=title) as phase:
                words = progress_text(phase, details.language)
                yield frame({"type": "thinking", "content": f"【{words}】{title}\n"})
            case Thinking(text=text):
                yield frame({"type": "thinking", "content": text})
            case Token(text=text):
                yield frame({"type": "token", "content": text})
            case LoopEnd() as end:
                yield frame({"type": "done", "result": details.result(end, run)})
            case LoopError(error=error):
                body = {"code": error.code, "message": error.message, "hint": error.hint, "retryable": error.retryable}
                yield frame({"type": "error", "error": body})


class ResultDetails:
    """What a result says beside the answer, gathered from the events."""

    def __init__(self) -> None:
        self.language = "en"
        self._mode = ""
        self._plan: dict[str, Any] | None = None
        self._thinking: list[str] = []
        self._history: list[dict[str, Any]] = []

    def note(self, stamped: Stamped) -> None:
        event = stamped.event
        match event:
            case ModeSelected(mode=mode):
                self._mode = mode
            case Thinking(text=text):
                self._thinking.append(text)
            case PlanMade():
                self._plan = {"goal": event.goal, "steps": [step.to_json() for step in event.steps]}
            case ToolReturned():
                self._history.append(
                    {"step": event.step, "tool": event.name, "success": event.ok, "result": event.summary}
                )
            case _ if event.type == "loop_start":
                self._mode, self.language = event.mode, language_of(event.query)  # type: ignore[union-attr]

    def result(self, end: LoopEnd, run: RunHandle) -> dict[str, Any]:
        is_direct = self._mode == DIRECT
        result: dict[str, Any] = {
            "success": True,
            "answer": end.answer,
            "mode": self._mode,
            "reasoning": {
                "text": "".join(self._thinking),
                "total_steps": 0 if is_direct else end.steps,
                "tools_used": [] if is_direct else list(end.tools),
            },
            "history": [] if is_direct else self._history,
            "stop_reason": end.stop_reason,
            "needs_clarification": end.needs_clarification,
            "usage": usage_body(end),
            "session_id": run.session,
            "run_id": run.id,
        }
        if self._plan is not None:
            result["plan"] = self._plan
        if end.structured is not None:
            result["structured"] = end.structured
        return result


def usage_body(end: LoopEnd | LoopError) -> dict[str, int]:
    usage = end.usage
    return {"input": usage.input, "output": usage.output, "reasoning": usage.reasoning, "cached": usage.cached}

"""What an agent asks for while it answers: permissions of its own calls, files, and programs.

Its own calls are decided by the gate of every tool call; files and programs are calls of ours, with the log and the
limits of any other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.agent.context import RunContext
from app.agent.policy.patterns import escaped
from app.agent.policy.permission import call_hash
from app.agent.tools.executor import Batch
from app.agent.tools.gate import Gate, Turned
from app.core.profile import PermissionRule
from app.core.run.chat_model import CallTurn
from app.core.run.events import Notice, RunEvent
from app.core.tools.tool import canonical_args

from .calls import DIALECT, OwnCalls, outside
from .launch import LaunchPlan, failed
from .terminals import Terminals
from .tools import OWN, START

_FILES: Final[Mapping[str, str]] = {
    "fs/read_text_file": "acp_read_file", "fs/write_text_file": "acp_write_file",
}  # fmt: skip


@dataclass(slots=True)
class AgentRequest:
    """Something the agent asks for, in its place among the updates."""

    method: str
    params: Any
    answer: asyncio.Future[dict[str, Any]]


class Requests:
    """Of one question to the agent; `tell` puts an event into the run."""

    def __init__(
        self, ctx: RunContext, calls: OwnCalls, terminals: Terminals, root: Path, tell: Callable[[RunEvent], None]
    ) -> None:
        self._ctx, self._calls, self._terminals, self._root, self._tell = ctx, calls, terminals, root, tell
        self._gate = Gate(ctx, tell)
        self._shown_to_person: set[tuple[str, str]] = set()
        """Files with the whole text that was allowed for them: each may be written once more without a question."""
        self._has_told_folder = False

    async def agree(self, plan: LaunchPlan) -> None:
        """The person is asked before a program starts that they have not agreed to. Raises ForeignAgentFailed."""
        tool = self._ctx.services.tools[START]
        lines = [f"{label}: {value}" for label, value in plan.lines]
        try:
            await self._gate.admit("", tool, {"program": plan.program, "lines": lines[:50]})
        except Turned:
            words = "nobody agreed to its program"
            raise failed(reason="ACP_NOT_AGREED", message=words, program=plan.program) from None

    async def answer(self, wanted: AgentRequest) -> None:
        """Whatever becomes of it, the agent gets an answer."""
        from acp.exceptions import RequestError

        try:
            if wanted.method == "session/request_permission":
                answer = await self._permit(wanted.params)
            elif self._ctx.services.tool_seams.get("workspace") is None:
                self._refuse_without_folder()
                raise RequestError.method_not_found(wanted.method)
            elif wanted.method.startswith("fs/"):
                answer = await self._file(wanted.method, wanted.params)
            else:
                answer = await self._terminal(wanted.method, wanted.params)
        except RequestError as error:
            if not wanted.answer.done():
                wanted.answer.set_exception(error)
        except (KeyError, TypeError, ValueError) as error:
            if not wanted.answer.done():
                wanted.answer.set_exception(RequestError(-32602, f"{type(error).__name__}: {error}"[:300]))
        except asyncio.CancelledError:
            wanted.answer.cancel()
            raise
        else:
            if not wanted.answer.done():
                wanted.answer.set_result(answer)

    def _refuse_without_folder(self) -> None:
        """Files and programs were not offered then; some agents ask all the same, to tell an editor what they wrote."""
        if not self._has_told_folder:
            self._has_told_folder = True
            text = f"no folder is picked; the agent works in its own: {self._root}"
            self._tell(Notice("agent_own_folder", text, {"path": str(self._root)[:400]}))

    async def _permit(self, request: Any) -> dict[str, Any]:
        call = self._calls.get(request.tool_call.tool_call_id)
        tool = next(tool for tool in OWN.values() if tool.name == call.name)
        if path := await outside(self._root, call.args):
            text = f"the agent asked to go outside its folder: {path}"
            self._tell(Notice("agent_outside", text, {"path": path[:400], "what": call.args["title"]}))
            return chosen(request.options, "reject_once", "reject_always")
        try:
            args = await self._gate.admit(call.id, tool, dict(call.args))
        except Turned:
            return chosen(request.options, "reject_once", "reject_always")
        if call_hash(tool, args) != call_hash(tool, call.args):
            return chosen(request.options, "reject_once", "reject_always")  # it does what it said, or nothing
        self._shown_to_person |= {(one["path"], one["new"]) for one in call.args.get("changes", ())}
        return chosen(request.options, "allow_once")

    async def _file(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        from acp.exceptions import RequestError

        if method not in _FILES:
            raise RequestError.method_not_found(method)
        args: dict[str, Any] = {"path": str(params["path"])}
        if method == "fs/write_text_file":
            args["content"] = str(params["content"])
        else:
            args |= {name: params[name] for name in ("line", "limit") if isinstance(params.get(name), int)}
        agreed = (args["path"], args.get("content", ""))
        grant = PermissionRule(tool="acp_write_file", subject=escaped(args["path"]), word="allow")
        granted = self._ctx.services.permissions.granted
        if agreed in self._shown_to_person:
            self._shown_to_person.discard(agreed)
            granted.append(grant)
        try:
            data = await self._run_here(_FILES[method], args)
        finally:
            if grant in granted:
                granted.remove(grant)
        return {"content": data["text"]} if method == "fs/read_text_file" else {}

    async def _terminal(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        from acp.exceptions import RequestError

        if method == "terminal/create":
            env = {str(one["name"]): str(one["value"]) for one in params.get("env") or ()}
            args = {
                "command": str(params["command"]), "args": [str(one) for one in params.get("args") or ()],
                "cwd": str(params.get("cwd") or "."), "env": env,
                "output_limit": max(0, int(params.get("outputByteLimit") or 0)),
            }  # fmt: skip
            return {"terminalId": (await self._run_here("acp_run", args))["terminal"]}
        terminal = self._terminals.get(params.get("terminalId"))
        if terminal is None:
            raise RequestError(-32602, "there is no such terminal")
        match method:
            case "terminal/output":
                return terminal.output()
            case "terminal/wait_for_exit":
                return await terminal.wait()
            case "terminal/kill":
                await terminal.kill()
            case "terminal/release":
                await self._terminals.release(str(params["terminalId"]))
            case _:
                raise RequestError.method_not_found(method)
        return {}

    async def _run_here(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """A call of ours, with the gate, the log and the limits of any other."""
        from acp.exceptions import RequestError

        ctx = self._ctx
        # What it changes itself in between is not seen here: nothing that was read is true any more.
        ctx.state.cache.clear()
        ctx.state.recent.clear()
        call = CallTurn(next(ctx.services.ids), name, canonical_args(args), args)
        batch = Batch(ctx, [call], hooks=ctx.services.hooks, dialect=DIALECT)
        async for event in batch.events():
            self._tell(event)
        result = batch.result_of(call.id)
        if result.error is not None:
            raise RequestError(-32000, result.error.message[:500], {"code": result.error.code})
        data: dict[str, Any] = result.data
        return data


def chosen(options: list[Any], *kinds: str) -> dict[str, Any]:
    """The first option of these kinds, in their order; where there is none, nothing was chosen."""
    for kind in kinds:
        for option in options:
            if option.kind == kind:
                return {"outcome": {"outcome": "selected", "optionId": option.option_id}}
    return {"outcome": {"outcome": "cancelled"}}

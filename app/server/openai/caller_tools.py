"""Tools of the caller in a request, and the runs that wait for their results between two requests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.core.run.run_handle import RunHandle
from app.services.tools.caller_tools import WAIT_SECONDS, CallerTools

from ..errors import bad_request

FREE_TEXT: Final = "input"
"""The one argument of a custom tool, which takes a text of no form."""
MOST_TOOLS = 128
PASSED_OVER: Final = (
    "web_search", "web_search_preview", "web_search_preview_2025_03_11", "file_search", "code_interpreter",
    "image_generation", "namespace",
)  # fmt: skip
"""Types of tools of the service such a client was written for – agents bring their own – and groups of tools, which a
client sends beside those it needs."""
_FREE_TEXT: Final = {
    "type": "object",
    "properties": {FREE_TEXT: {"type": "string"}},
    "required": [FREE_TEXT],
    "additionalProperties": False,
}


def read_tools(raw: Any, *, takes_custom: bool = False) -> CallerTools:
    """Of the field `tools`, in the form of chat completions, or of responses, which `takes_custom` ones too. Raises
    ApiError 400, BadInput."""
    tools = CallerTools()
    if raw is None:
        return tools
    if not isinstance(raw, list) or len(raw) > MOST_TOOLS:
        raise bad_request(f"tools is not a list of at most {MOST_TOOLS} tools", "tools")
    for n, one in enumerate(raw):
        kind = one.get("type", "function") if isinstance(one, dict) else None
        if kind in PASSED_OVER:
            continue
        if kind != "function" and not (takes_custom and kind == "custom"):
            raise bad_request(f"tools[{n}] is no function: only functions of the caller are taken", f"tools[{n}]")
        function = one.get("function", one)
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise bad_request(f"tools[{n}] has no name", f"tools[{n}]")
        description = function.get("description")
        schema = function.get("parameters") or {"type": "object", "properties": {}}
        if kind == "custom":
            schema = _FREE_TEXT
        tools.add(function["name"], description if isinstance(description, str) else "", schema)
    return tools


@dataclass(slots=True)
class PendingRun:
    """A run that waits for results of the caller's tools. `session` is the temporary one it runs in."""

    run: RunHandle
    tools: CallerTools
    session: str
    client: str
    model: str
    expiry: asyncio.TimerHandle | None = None


class PendingRuns:
    """By the ids of the calls they wait for."""

    def __init__(self) -> None:
        self._by_call: dict[str, PendingRun] = {}

    def keep(self, pending: PendingRun, calls: Iterable[str], expired: Callable[[PendingRun], None]) -> None:
        """`expired` is called with it when half an hour has brought no result."""

        def expire() -> None:
            self._forget(pending)
            expired(pending)

        self._by_call |= dict.fromkeys(calls, pending)
        pending.expiry = asyncio.get_running_loop().call_later(WAIT_SECONDS, expire)

    def take(self, calls: Iterable[str], client: str) -> PendingRun | None:
        """The run of this client that waits for one of these calls; it is not kept any more."""
        run = next((self._by_call[id] for id in calls if id in self._by_call), None)
        if run is None or run.client != client:
            return None
        self._forget(run)
        return run

    def close(self) -> None:
        for pending in self._by_call.values():
            if pending.expiry is not None:
                pending.expiry.cancel()
        self._by_call.clear()

    def _forget(self, pending: PendingRun) -> None:
        self._by_call = {id: one for id, one in self._by_call.items() if one is not pending}
        if pending.expiry is not None:
            pending.expiry.cancel()


def custom_tools(raw: Any) -> frozenset[str]:
    """The names of those that take a text in place of arguments."""
    tools = raw if isinstance(raw, list) else ()
    custom = [one.get("name") for one in tools if isinstance(one, dict) and one.get("type") == "custom"]
    return frozenset(name for name in custom if isinstance(name, str))

"""Tools of the caller in a request, and the runs that wait for their results between two requests."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from app.core.run.run_handle import RunHandle
from app.services.tools.caller_tools import WAIT_SECONDS, CallerTools

from ..errors import bad_request

FREE_TEXT: Final = "input"
"""The one argument of a custom tool, which takes a text of no form."""
MOST_TOOLS = 128
"""In the list, and in each group of it."""
_MOST_IN_ALL = 512
_LONGEST_NAME = 64
PASSED_OVER: Final = (
    "web_search", "web_search_preview", "web_search_preview_2025_03_11", "file_search", "code_interpreter",
    "image_generation", "tool_search",
)  # fmt: skip
"""Types of tools of the service such a client was written for, which it sends beside those it needs: agents bring
their own, and nothing here is loaded later by a search."""
_FREE_TEXT: Final = {
    "type": "object",
    "properties": {FREE_TEXT: {"type": "string"}},
    "required": [FREE_TEXT],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class CallerForm:
    """How the caller calls one of its tools."""

    name: str
    group: str = ""
    """What the responses protocol calls its namespace."""
    is_custom: bool = False
    """It takes a text in place of arguments."""

    @property
    def offered_name(self) -> str:
        return grouped_name(self.group, self.name)


def grouped_name(group: str, name: str) -> str:
    """The name a model is told for a tool of a group; the same each time, so that stored calls have it too."""
    if not group:
        return name
    joined = f"{group}{name}" if group.endswith("__") else f"{group}__{name}"
    if len(joined) <= _LONGEST_NAME:
        return joined
    digest = hashlib.sha256(joined.encode(errors="replace")).hexdigest()[:8]
    return f"{joined[: _LONGEST_NAME - 9]}_{digest}"


def read_tools(raw: Any, *, of_responses: bool = False) -> tuple[CallerTools, dict[str, CallerForm]]:
    """Of the field `tools` of chat completions, or `of_responses`, which has custom tools and groups too; the forms
    by the names that the model is told. Raises ApiError 400, BadInput."""
    tools, forms = CallerTools(), dict[str, CallerForm]()
    if raw is None:
        return tools, forms
    for where, one, group in _each(raw, "tools", of_responses):
        kind = one.get("type", "function")
        if kind != "function" and not (of_responses and kind == "custom"):
            raise bad_request(f"{where} is no function: only functions of the caller are taken", where)
        function = one.get("function", one)
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            raise bad_request(f"{where} has no name", where)
        if len(tools.tools) >= _MOST_IN_ALL:
            raise bad_request(f"more than {_MOST_IN_ALL} tools in all groups", "tools")
        description = function.get("description")
        schema = function.get("parameters") or {"type": "object", "properties": {}}
        form = CallerForm(function["name"], group, kind == "custom")
        schema = _FREE_TEXT if form.is_custom else schema
        tools.add(form.offered_name, description if isinstance(description, str) else "", schema)
        forms[form.offered_name] = form
    return tools, forms


def _each(raw: Any, field: str, of_responses: bool, group: str = "") -> Iterator[tuple[str, dict[str, Any], str]]:
    """The tools with the place of each and its group; those of the groups one by one."""
    if not isinstance(raw, list) or len(raw) > MOST_TOOLS:
        raise bad_request(f"{field} is not a list of at most {MOST_TOOLS} tools", field)
    for n, one in enumerate(raw):
        where = f"{field}[{n}]"
        if not isinstance(one, dict):
            raise bad_request(f"{where} is no object", where)
        kind = one.get("type")
        if kind == "namespace" and not group:
            name = one.get("name")
            if not isinstance(name, str) or not name:
                raise bad_request(f"{where} has no name", where)
            if of_responses:
                yield from _each(one.get("tools"), f"{where}.tools", True, name)
        elif kind not in PASSED_OVER:
            yield where, one, group


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

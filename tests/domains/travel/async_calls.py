"""Calling the tools that wait for a store or the network, over a store in memory."""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any

from app.core.errors import BadInput
from app.core.stores import Document
from app.core.tools.tool import ToolContext, ToolResult
from app.domains.travel import TOOLS

AsyncCall = Callable[..., Awaitable[ToolResult]]


class MemoryDocuments:
    """The document store of core/stores.py without a disk."""

    def __init__(self) -> None:
        self.versions: dict[tuple[str, str], list[Document]] = {}

    async def put(self, kind: str, id: str, body: Any, *, base: int | None = None) -> Document:
        kept = self.versions.setdefault((kind, id), [])
        if base is not None and base != len(kept):
            raise BadInput(f"{id} is at version {len(kept)}, the change was made on {base}", hint="read it again")
        kept.append(Document(kind, id, len(kept) + 1, body, time.time()))
        return kept[-1]

    async def get(self, kind: str, id: str, version: int | None = None) -> Document | None:
        kept = self.versions.get((kind, id), [])
        if version is None:
            return kept[-1] if kept else None
        return kept[version - 1] if 0 < version <= len(kept) else None

    async def list(self, kind: str) -> list[Document]:
        return [kept[-1] for (each, _), kept in reversed(self.versions.items()) if each == kind]

    async def delete(self, kind: str, id: str) -> bool:
        return self.versions.pop((kind, id), None) is not None


def async_caller(ctx: ToolContext) -> AsyncCall:
    tools = {tool.name: tool for tool in TOOLS}

    async def call(name: str, /, **args: Any) -> ToolResult:
        given = {key.removesuffix("_"): value for key, value in args.items()}
        faults = tools[name].check(given)
        assert not faults, faults
        result = tools[name].body(ctx, given)
        found = await result if inspect.isawaitable(result) else result
        assert isinstance(found, ToolResult)
        return found

    return call

"""Stored things of a domain: versions, the newest first, over the `DocumentStore` of the run.

    TRIPS = DocumentKind("trip", absent=N_("there is no trip {what}"), stale=N_("the trip {id} is at version …"))
    document = await TRIPS.get(ctx, id)
    await TRIPS.put(ctx, id, body, base=document.version)

Every write is a new version; a change made on an older one than the newest is refused and loses nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.core.errors import BadInput, ToolError
from app.core.stores import Document, DocumentStore
from app.core.tools.tool import ToolContext

_NAMED = 10
"""Ids that a refusal names."""


@dataclass(frozen=True, slots=True)
class DocumentKind:
    kind: str
    """Its name in the store, and how its ids begin."""
    absent: str
    """Marked for translation; `{what}` is the id, with the version where one was asked for."""
    stale: str
    """Marked for translation; `{id}`, `{newest}` and `{base}` are the versions."""

    async def get(self, ctx: ToolContext, id: str, version: int | None = None) -> Document:
        """Raises ToolError NOT_FOUND with the ids there are."""
        document = await store_of(ctx).get(self.kind, id, version)
        if document is None or not isinstance(document.body, Mapping):
            ids = ", ".join(each.id for each in (await self.all(ctx))[:_NAMED])
            what = id if version is None else f"{id} v{version}"
            raise ToolError("NOT_FOUND", ctx.say(self.absent, what=what), hint=ids and f"id: {ids}")
        return document

    async def find(self, ctx: ToolContext, id: str) -> Document | None:
        """The newest version, None where there is none."""
        return await store_of(ctx).get(self.kind, id)

    async def all(self, ctx: ToolContext) -> list[Document]:
        """The newest version of each, newest first."""
        return await store_of(ctx).list(self.kind)

    async def put(self, ctx: ToolContext, id: str, body: Mapping[str, Any], *, base: int | None = None) -> Document:
        """`base` is the version the change was made on. Raises ToolError STALE where there is a newer one."""
        try:
            return await store_of(ctx).put(self.kind, id, dict(body), base=base)
        except BadInput as error:
            newest, made_on = error.params.get("version"), error.params.get("base")
            message = ctx.say(self.stale, id=id, newest=newest, base=made_on)
            raise ToolError("STALE", message, hint=ctx.say("read it again and repeat the change")) from error

    def id_of(self, body: Mapping[str, Any]) -> str:
        """The id a body brings, else one of its content: the same thing twice is one thing."""
        own_id = body.get("id")
        if isinstance(own_id, str) and own_id.startswith(f"{self.kind}-") and len(own_id) <= 40 and own_id.isascii():
            return own_id
        text = json.dumps(body, sort_keys=True, ensure_ascii=False, default=str)
        return f"{self.kind}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def store_of(ctx: ToolContext) -> DocumentStore:
    """Raises ToolError UNAVAILABLE where the run keeps nothing."""
    if ctx.documents is None:
        raise ToolError("UNAVAILABLE", ctx.say("there is nothing to keep it in"))
    return ctx.documents

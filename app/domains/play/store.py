"""What is kept of a child: one profile, its observations, plans and sessions, in the documents of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from app.core.errors import ToolError
from app.core.stores import Document, DocumentStore
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext
from app.domains.kit.documents import DocumentKind, store_of

from .model.child import ChildProfile, child_from_json
from .model.observation import Observation, observation_from_json

CHILDREN = DocumentKind("child", absent=N_("there is no profile {what}"), stale=N_("the profile was changed meanwhile"))
OBSERVATIONS = DocumentKind(
    "observation", absent=N_("there is no observation {what}"), stale=N_("the observation was changed meanwhile")
)
PLANS = DocumentKind(
    "game", absent=N_("there is no game {what}"),
    stale=N_("the game {id} is at version {newest}; the change was made on {base}"),
)  # fmt: skip
SESSIONS = DocumentKind(
    "playtime", absent=N_("there is no session {what}"), stale=N_("the session was changed meanwhile")
)
KINDS = (CHILDREN, OBSERVATIONS, PLANS, SESSIONS)
THE_CHILD = "child-1"
"""One child per data folder: two would need two consents, and a choice in every question."""


async def stored_child(store: DocumentStore) -> ChildProfile | None:
    document = await store.get(CHILDREN.kind, THE_CHILD)
    if document is None or not isinstance(document.body, Mapping):
        return None
    return child_from_json(document.body)


async def child(ctx: ToolContext) -> ChildProfile:
    """Raises ToolError NO_CHILD."""
    profile = await stored_child(store_of(ctx))
    if profile is None:
        raise ToolError(
            "NO_CHILD", ctx.say("no child has a profile yet"),
            hint=ctx.say("open_child_profile shows the form in which a guardian consents and fills it in"),
        )  # fmt: skip
    return profile


async def observations(ctx: ToolContext) -> list[Observation]:
    """Oldest first; a damaged one is left out rather than hiding the others."""
    items = []
    for document in await OBSERVATIONS.all(ctx):
        try:
            items.append(observation_from_json(document.body))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return sorted(items, key=lambda one: (one.date, one.id))


async def everything(ctx: ToolContext) -> dict[str, list[Document]]:
    """By kind."""
    lists = await asyncio.gather(*(kind.all(ctx) for kind in KINDS))
    return {kind.kind: documents for kind, documents in zip(KINDS, lists, strict=True)}


async def delete_everything(ctx: ToolContext) -> dict[str, int]:
    """All versions of all kinds; how many things went of each."""
    store, counts = store_of(ctx), {}
    for kind, documents in (await everything(ctx)).items():
        counts[kind] = sum([await store.delete(kind, document.id) for document in documents])
    return counts


def body_of(value: Any) -> dict[str, Any]:
    """A document's body as a plain dictionary."""
    return dict(value) if isinstance(value, Mapping) else {}

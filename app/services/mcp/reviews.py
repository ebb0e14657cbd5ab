"""What a person agrees to before a server is used: first what would be started, then the tools it offers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.errors import BadInput
from app.core.profile import PermissionWord
from app.core.text.i18n import _
from app.mcp.config import ServerConfig
from app.mcp.environment import passed_to
from app.mcp.facts import CannotRun, StartFacts, start_facts
from app.mcp.listing import ToolListing, changes
from app.storage.folder.errors import KeyUnreadable

from .entries import is_plain_http, tools_review
from .registry import ServerRegistry
from .store import ServerSecrets
from .views import StartReview, ToolsReview, marked_lines

if TYPE_CHECKING:
    from .paste.found import Pasted


class ServerReviews:
    def __init__(self, registry: ServerRegistry, secrets: ServerSecrets) -> None:
        self._registry, self._secrets = registry, secrets

    async def review(self, id: str) -> StartReview:
        """What would be started now. Raises BadInput if that is nothing."""
        stored = self._registry.stored(id)
        facts = await _facts(stored.config)
        try:
            _env, _headers, missing = await self._secrets.values(stored.config)
        except KeyUnreadable:
            missing = []  # told when it is started
        return self._start_review(stored.config, facts, stored.seen, missing)

    async def review_pasted(self, pasted: Pasted) -> StartReview:
        """As `review`, of a server that is not stored yet. Raises BadInput if nothing would start."""
        config = pasted.config
        facts = await _facts(config)
        return self._start_review(config, facts, (), [name for _kind, name in pasted.open_texts])

    def _start_review(
        self, config: ServerConfig, facts: StartFacts, seen: tuple[tuple[str, str], ...], missing: Sequence[str]
    ) -> StartReview:
        ours = passed_to(config, self._registry.network)
        return StartReview(
            config.id, config.title, config.transport, marked_lines(seen, facts.lines), facts.fingerprint,
            is_first=not seen, unpinned=facts.unpinned, open_to_others=facts.open_to_others,
            missing=(*config.open_blanks, *missing),
            is_plain_http=is_plain_http(config),
            passed_on=ours.names, withheld=ours.withheld,
        )  # fmt: skip

    async def accept_start(self, id: str, fingerprint: str) -> None:
        """The person agreed to exactly that; the server is enabled. Raises BadInput if it has changed meanwhile."""
        stored = self._registry.stored(id)
        _refuse_blanks(stored.config)
        facts = await _facts(stored.config)
        if facts.fingerprint != fingerprint:
            raise BadInput(_("what would be started has changed while you looked at it"), hint=_("look at it again"))
        config = stored.config.model_copy(update={"enabled": True})
        await self._registry.put(replace(stored, config=config, fingerprint=fingerprint, seen=facts.lines))

    def tools(self, id: str) -> ToolsReview:
        """As the server lists them, beside those that were accepted."""
        return tools_review(self._registry.stored(id), self._registry.hub.state(id))

    def tool_tokens(self, id: str) -> int:
        """What its tools add to every request of an agent that has them, estimated."""
        rows = self.tools(id).rows
        return sum(len(row.name) + len(row.description) + len(row.schema) for row in rows) // 4

    async def accept_tools(self, id: str, digest: str) -> None:
        """The person has seen exactly these; words of tools that changed are taken back. Raises BadInput."""
        stored, now = self._registry.stored(id), self._registry.hub.state(id).listing
        if now is None or now.digest != digest:
            raise BadInput(_("the tools have changed while you looked at them"), hint=_("look at them again"))
        before = stored.accepted.tools if stored.accepted is not None else ()
        other = {change.tool for change in changes(before, now.tools)} if before else set()
        words = {name: word for name, word in stored.config.tools.items() if word == "deny" or name not in other}
        config = stored.config.model_copy(update={"tools": words})
        await self._registry.put(replace(stored, config=config, accepted=ToolListing(now.tools)))

    async def set_word(self, id: str, tool: str, word: PermissionWord) -> None:
        """What one of its tools may do: ask (the usual), allow, deny."""
        stored = self._registry.stored(id)
        words = {name: old for name, old in stored.config.tools.items() if name != tool}
        if word != "ask":
            words[tool] = word
        await self._registry.put(replace(stored, config=stored.config.model_copy(update={"tools": words})))


async def _facts(config: ServerConfig) -> StartFacts:
    try:
        return await asyncio.to_thread(start_facts, config)
    except CannotRun as error:
        raise BadInput(error.message) from error


def _refuse_blanks(config: ServerConfig) -> None:
    """Raises BadInput: what a text left open is never run as it is written."""
    if config.open_blanks:
        names = ", ".join(config.open_blanks)
        raise BadInput(f"values are missing: {names}", reason="PASTE_BLANKS", names=names)

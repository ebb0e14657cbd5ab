"""Servers from pasted texts: read, then stored disabled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .registry import ServerRegistry
from .store import ServerSecrets, Stored

if TYPE_CHECKING:
    from .paste.found import Pasted, PasteReading


class ServerPasting:
    def __init__(self, registry: ServerRegistry, secrets: ServerSecrets) -> None:
        self._registry, self._secrets = registry, secrets

    def read_paste(self, text: str) -> PasteReading:
        """Servers in a text of any form, not stored yet. Raises BadInput where it holds none."""
        from .paste.reading import read_paste  # the readers of ten forms are not for a start

        return read_paste(text, self._registry.all)

    def read_words(self, words: Sequence[str]) -> PasteReading:
        """As `read_paste`, of the words behind `mcp add`."""
        from .paste.reading import read_words

        return read_words(words, self._registry.all)

    async def add_pasted(self, pasted: Sequence[Pasted]) -> list[str]:
        """Their ids; all disabled, and those with blanks cannot be started yet. Raises as `save_server`."""
        for one in pasted:
            unset = tuple(name for _kind, name in one.open_texts)
            config = one.config.model_copy(update={"enabled": False, "tools": {}, "unset": unset})
            await self._secrets.keep(config, "env", one.env)
            await self._secrets.keep(config, "header", one.headers)
            await self._registry.put(Stored(config))
        return [one.config.id for one in pasted]

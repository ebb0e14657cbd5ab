"""The addresses a person has set up, in a settings file; the secret that signs is kept with the keys."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from app.core.errors import BadInput, UnknownName
from app.core.ids import new_id
from app.core.text.i18n import _
from app.storage.config.secrets import SecretStore
from app.storage.config.settings import SettingsFiles

EVENTS: Final = ("loop_end", "loop_error", "approval")
FILE: Final = "webhooks"
MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Webhook:
    id: str
    url: str
    name: str = ""
    events: tuple[str, ...] = EVENTS
    agents: tuple[str, ...] = ()
    """Only of runs of these; () of all."""
    enabled: bool = True

    @property
    def title(self) -> str:
        return self.name or urlsplit(self.url).hostname or self.id

    def wants(self, event: str, agent: str) -> bool:
        return self.enabled and event in self.events and (not self.agents or agent in self.agents)


class Webhooks:
    def __init__(self, files: SettingsFiles, secrets: SecretStore) -> None:
        self._files, self._secrets = files, secrets
        self._hooks: dict[str, Webhook] | None = None

    @property
    def all(self) -> Mapping[str, Webhook]:
        """Read when they are first asked for."""
        if self._hooks is None:
            values, _problem = self._files.load(FILE)
            rows = values.get("hooks")
            hooks = [_read(row) for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
            self._hooks = {hook.id: hook for hook in hooks if hook is not None}
        return self._hooks

    def get(self, id: str) -> Webhook:
        if id not in self.all:
            raise UnknownName("webhook", id, self.all)
        return self.all[id]

    async def add(
        self, url: str, name: str = "", events: tuple[str, ...] = EVENTS, agents: tuple[str, ...] = ()
    ) -> tuple[Webhook, str]:
        """The webhook, and the secret that signs what is sent: shown this once. Raises BadInput."""
        if len(self.all) >= MOST:
            raise BadInput(_("there are {n} webhooks already").format(n=MOST))
        hook = Webhook(new_id(), _checked(url), name.strip()[:80], _known(events), agents)
        secret = secrets.token_urlsafe(32)
        await self._secrets.set(*key_of(hook), secret)
        await self._save({**self.all, hook.id: hook})
        return hook, secret

    async def set_enabled(self, id: str, enabled: bool) -> None:
        await self._save({**self.all, id: replace(self.get(id), enabled=enabled)})

    async def remove(self, id: str) -> None:
        hook = self.get(id)
        await self._save({other: one for other, one in self.all.items() if other != id})
        await self._secrets.delete(*key_of(hook))

    async def secret(self, hook: Webhook) -> str:
        """ "" where it is gone. Raises KeyUnreadable."""
        value = await self._secrets.get(*key_of(hook))
        return value.reveal() if value is not None else ""

    def key_names(self) -> list[tuple[str, str]]:
        return [key_of(hook) for hook in self.all.values()]

    async def _save(self, hooks: dict[str, Webhook]) -> None:
        rows = [{**asdict(one), "events": list(one.events), "agents": list(one.agents)} for one in hooks.values()]
        await asyncio.to_thread(self._files.save, FILE, {"hooks": rows or None})
        self._hooks = hooks


def key_of(hook: Webhook) -> tuple[str, str]:
    """Bound to the place it was made for."""
    parts = urlsplit(hook.url)
    return f"webhook-{hook.id.lower()}", f"{parts.scheme}://{parts.netloc}"


def _checked(url: str) -> str:
    url = url.strip()
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
        _port = parts.port
    except ValueError:
        is_address = False
    if not is_address or len(url) > 2_000 or any(sign <= " " for sign in url):
        raise BadInput(_("the address of a webhook begins with https:// or http:// and names a host"))
    return url


def _known(events: tuple[str, ...]) -> tuple[str, ...]:
    if unknown := [event for event in events if event not in EVENTS]:
        raise UnknownName("event", unknown[0], EVENTS)
    return events or EVENTS


def _read(row: Mapping[str, Any]) -> Webhook | None:
    """None for a row that is none."""
    try:
        events = tuple(str(one) for one in row.get("events", EVENTS) if one in EVENTS)
        agents = tuple(str(one) for one in row.get("agents", ()))
        return Webhook(
            str(row["id"]),
            _checked(str(row["url"])),
            str(row.get("name", "")),
            events,
            agents,
            row.get("enabled") is not False,
        )
    except (KeyError, TypeError, BadInput):
        return None

"""MCP servers as a person sets them up: added, reviewed, accepted, watched; and their tools for agents.

Nothing starts before a review: first of what would run, then of the tools it offers. Both consents are bound to
fingerprints; when either changes, the server waits and shows the change. A server starts when the first call needs it,
or by hand. Imports and other files never add, enable or start one.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from app.core.domain import ServerAdapter
from app.core.errors import BadInput, UnknownName
from app.core.network import NetworkPolicy
from app.core.profile import PermissionWord
from app.core.run.events import Notice
from app.core.text.i18n import _
from app.core.wording.errors import fault_text
from app.mcp.config import ServerConfig, host_of, is_loopback
from app.mcp.connection import CallFailed, StartFailed, StartPlan
from app.mcp.environment import passed_to
from app.mcp.facts import CannotRun, StartFacts, start_facts
from app.mcp.hub import Hub
from app.mcp.listing import ListedTool, ToolListing, changes
from app.mcp.pictures import KeepPicture
from app.storage.config.grants import GrantFile
from app.storage.config.profiles import ProfileFiles
from app.storage.config.secrets import SecretStore
from app.storage.folder.errors import KeyUnreadable

from ..changes import Changes
from ..settings.settings import SettingsService
from .entries import entry_of, is_plain_http, tools_review
from .paste.found import Pasted, PasteReading
from .paste.naming import free_id
from .paste.reading import read_paste, read_words
from .resources import ServerResources
from .sign_ins import SignIns
from .store import (
    ServerFiles,
    ServerSecrets,
    Stored,
    config_of,
    consent_of,
    form_of,
    key_names,
    without_agreements,
    without_consent,
)
from .tools import AgentTools
from .views import McpServerEntry, McpServerForm, StartReview, ToolsReview, marked_lines

_DECIDE_THE_START = ("transport", "command", "args", "env", "cwd", "url", "headers", "proxy_password", "expanded")


class McpService:
    def __init__(
        self,
        files: ProfileFiles,
        consents: GrantFile,
        secrets: SecretStore,
        settings: SettingsService,
        *,
        network: NetworkPolicy,
        adapters: Sequence[ServerAdapter] = (),
        keep_picture: KeepPicture,
        safe_mode: bool = False,
    ) -> None:
        """In safe mode servers are shown and can be changed; none is started, none has tools."""
        self._safe_mode, self._consents, self._settings = safe_mode, consents, settings
        self._files, self._secrets, self._network = ServerFiles(files), ServerSecrets(secrets), network
        self._changes: Changes[str] = Changes()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hub = Hub(on_change=self._hub_changed, network=network)
        self.sign_ins = SignIns(self._secrets, self._hub, network, lambda one: self._stored(one).config)
        self.resources = ServerResources(self.servers, self._hub)
        self.for_agents = AgentTools(
            self._usable, self._call, self._why_not, adapters=adapters, keep_picture=keep_picture
        )
        self._unchecked, wrong = self._files.load_all()
        self._servers = {id: without_agreements(stored) for id, stored in self._unchecked.items()}
        for sentence in wrong:
            text = f"an MCP server could not be read and is left out ({sentence})"
            settings.tell(Notice("settings_reset", text, {"file": sentence.partition(":")[0], "reason": "mcp_server"}))

    async def open(self) -> None:
        """From now on what was agreed to counts – if it is signed: a file that was edited agrees to nothing."""
        unchecked, self._unchecked = self._unchecked, {}
        if not any(consent_of(stored) for stored in unchecked.values()):
            return
        rows, state = await self._consents.load()
        for id, stored in unchecked.items():
            consent = consent_of(stored)
            if consent is None or id not in self._servers:
                continue
            if consent in rows:
                self._servers[id] = stored
                self._changes.tell(id)
            elif state == "good":
                state = "edited"
        if state != "good":
            text = "what was agreed to about MCP servers was changed from outside, or the keyring does not answer"
            self._settings.tell(Notice("mcp_reset", text))

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Told the id of a server that changed, in the loop's thread."""
        return self._changes.listen(listener)

    # ------------------------------------------------------------ what there is

    def servers(self) -> list[McpServerEntry]:
        """By name. Cheap: asks no disk and starts nothing."""
        return sorted((self._entry(one) for one in self._servers.values()), key=lambda entry: entry.name.casefold())

    def server(self, id: str) -> McpServerEntry:
        return self._entry(self._stored(id))

    def form(self, id: str) -> McpServerForm:
        return form_of(self._stored(id).config)

    def log(self, id: str) -> list[str]:
        """What it said last on stderr, and when it began and ended."""
        return self._hub.log(id)

    # ------------------------------------------------------------ setting up

    async def save_server(self, form: McpServerForm) -> str:
        """Its id. A new one is disabled; a change of what is started asks for another look.

        Raises BadInput, KeyStorageMissing (no keyring and nothing agreed); then nothing has changed.
        """
        id = form.id or free_id(form.name or form.command or host_of(form.url), self._servers)
        server = self._servers.get(id)
        config = config_of(id, form, server)
        await self._secrets.keep(config, "env", form.env)
        await self._secrets.keep(config, "header", form.headers)
        stored = replace(server, config=config) if server is not None else Stored(config)
        if server is not None and _start_of(server.config) != _start_of(config):
            await self._hub.stop(id)
            stored = without_consent(stored)
        elif any(value is not None for value in (*form.env.values(), *form.headers.values())):
            await self._hub.stop(id)  # what runs has the old values, and what failed may have failed for them
        await self._keep(stored)
        if server is not None:
            await self._secrets.forget_rest(server.config, config)
        return id

    async def replaced_by(self, form: McpServerForm) -> McpServerForm:
        """The server as it is stored, with the values that `form` would replace, for an Undo. Raises BadInput."""
        stored = self._stored(form.id)
        return await self._secrets.replaced_by(form, config_of(form.id, form, stored), stored.config)

    def key_names(self) -> list[tuple[str, str]]:
        """Of the values of all servers, as the store of keys knows them."""
        return [name for stored in self._servers.values() for name in key_names(stored.config)]

    def read_paste(self, text: str) -> PasteReading:
        """Servers in a text of any form, not stored yet. Raises BadInput where it holds none."""
        return read_paste(text, self._servers)

    def read_words(self, words: Sequence[str]) -> PasteReading:
        """As `read_paste`, of the words behind `mcp add`."""
        return read_words(words, self._servers)

    async def add_pasted(self, pasted: Sequence[Pasted]) -> list[str]:
        """Their ids; all disabled, and those with blanks cannot be started yet. Raises as `save_server`."""
        for one in pasted:
            unset = tuple(name for _kind, name in one.open_texts)
            config = one.config.model_copy(update={"enabled": False, "tools": {}, "unset": unset})
            await self._secrets.keep(config, "env", one.env)
            await self._secrets.keep(config, "header", one.headers)
            await self._keep(Stored(config))
        return [one.config.id for one in pasted]

    async def delete_server(self, id: str) -> None:
        stored = self._stored(id)
        await self._hub.forget(id)
        await self._secrets.forget(stored.config)
        await asyncio.to_thread(self._files.delete, id)
        del self._servers[id]
        await self._sign()
        self._changes.tell(id)

    # ------------------------------------------------------------ looking at what would start

    async def review(self, id: str) -> StartReview:
        """What would be started now. Raises BadInput if that is nothing."""
        stored = self._stored(id)
        facts = await self._facts(stored.config)
        try:
            _env, _headers, missing = await self._secrets.values(stored.config)
        except KeyUnreadable:
            missing = []  # told when it is started
        return self._start_review(stored.config, facts, stored.seen, missing)

    async def review_pasted(self, pasted: Pasted) -> StartReview:
        """As `review`, of a server that is not stored yet. Raises BadInput if nothing would start."""
        config = pasted.config
        facts = await self._facts(config)
        return self._start_review(config, facts, (), [name for _kind, name in pasted.open_texts])

    def _start_review(
        self, config: ServerConfig, facts: StartFacts, seen: tuple[tuple[str, str], ...], missing: Sequence[str]
    ) -> StartReview:
        ours = passed_to(config, self._network)
        return StartReview(
            config.id, config.title, config.transport, marked_lines(seen, facts.lines), facts.fingerprint,
            is_first=not seen, unpinned=facts.unpinned, open_to_others=facts.open_to_others,
            missing=(*config.open_blanks, *missing),
            is_plain_http=is_plain_http(config),
            passed_on=ours.names, withheld=ours.withheld,
        )  # fmt: skip

    async def accept_start(self, id: str, fingerprint: str) -> None:
        """The person agreed to exactly that; the server is enabled. Raises BadInput if it has changed meanwhile."""
        stored = self._stored(id)
        _refuse_blanks(stored.config)
        facts = await self._facts(stored.config)
        if facts.fingerprint != fingerprint:
            raise BadInput(_("what would be started has changed while you looked at it"), hint=_("look at it again"))
        config = stored.config.model_copy(update={"enabled": True})
        await self._keep(replace(stored, config=config, fingerprint=fingerprint, seen=facts.lines))

    async def disable(self, id: str) -> None:
        stored = self._stored(id)
        await self._hub.stop(id)
        await self._keep(replace(stored, config=stored.config.model_copy(update={"enabled": False})))

    async def enable(self, id: str) -> bool:
        """False if it has to be looked at first; then nothing changes."""
        stored = self._stored(id)
        if not stored.is_reviewed:
            return False
        await self._keep(replace(stored, config=stored.config.model_copy(update={"enabled": True})))
        return True

    # ------------------------------------------------------------ looking at what it offers

    def tools(self, id: str) -> ToolsReview:
        """As the server lists them, beside those that were accepted."""
        return tools_review(self._stored(id), self._hub.state(id))

    def tool_tokens(self, id: str) -> int:
        """What its tools add to every request of an agent that has them, estimated."""
        rows = self.tools(id).rows
        return sum(len(row.name) + len(row.description) + len(row.schema) for row in rows) // 4

    async def accept_tools(self, id: str, digest: str) -> None:
        """The person has seen exactly these; words of tools that changed are taken back. Raises BadInput."""
        stored, now = self._stored(id), self._hub.state(id).listing
        if now is None or now.digest != digest:
            raise BadInput(_("the tools have changed while you looked at them"), hint=_("look at them again"))
        before = stored.accepted.tools if stored.accepted is not None else ()
        other = {change.tool for change in changes(before, now.tools)} if before else set()
        words = {name: word for name, word in stored.config.tools.items() if word == "deny" or name not in other}
        config = stored.config.model_copy(update={"tools": words})
        await self._keep(replace(stored, config=config, accepted=ToolListing(now.tools)))

    async def set_word(self, id: str, tool: str, word: PermissionWord) -> None:
        """What one of its tools may do: ask (the usual), allow, deny."""
        stored = self._stored(id)
        words = {name: old for name, old in stored.config.tools.items() if name != tool}
        if word != "ask":
            words[tool] = word
        await self._keep(replace(stored, config=stored.config.model_copy(update={"tools": words})))

    # ------------------------------------------------------------ by hand

    async def start(self, id: str) -> McpServerEntry:
        """What went wrong stands in the entry."""
        with contextlib.suppress(StartFailed):
            await self._hub_start(id, by_hand=True)
        return self.server(id)

    async def stop(self, id: str) -> None:
        self._remember_loop()
        await self._hub.stop(id)

    async def restart(self, id: str) -> McpServerEntry:
        await self.stop(id)
        return await self.start(id)

    async def close(self) -> None:
        """Every server is gone when this returns."""
        await self._hub.close()

    # ------------------------------------------------------------ for agents

    def _usable(self) -> dict[str, Stored]:
        """Servers whose tools are offered; the stored ones with accepted tools among them."""
        if self._safe_mode:
            return {}
        return {id: stored for id, stored in self._servers.items() if self._entry(stored).is_usable}

    def _why_not(self, id: str) -> tuple[str, str] | None:
        """The server's name and why an agent cannot count on it now; None if it can."""
        if (stored := self._servers.get(id)) is None:
            return id, "gone"
        entry, config = self._entry(stored), stored.config
        if self._safe_mode:
            return entry.name, "safe_mode"
        if (
            entry.is_usable
            and config.transport == "http"
            and self._network.offline
            and not is_loopback(host_of(config.url))
        ):
            return entry.name, "offline"
        if entry.state == "failed" and (self._hub.state(id).is_lost or entry.code == "offline"):
            return None  # past: the next call starts it
        return (entry.name, entry.state) if entry.state in ("off", "review", "tools", "failed") else None

    async def _call(self, id: str, tool: ListedTool, args: Mapping[str, Any]) -> dict[str, Any]:
        stored = self._servers.get(id)
        if stored is None or not self._entry(stored).is_usable:
            raise CallFailed("DENIED", _("it is switched off, or something of it has changed and waits for a look"))
        plan = await self._plan(stored)
        return await self._hub.call(plan, tool.name, args, tool.fingerprint)

    # ------------------------------------------------------------ inside

    def _stored(self, id: str) -> Stored:
        if id not in self._servers:
            raise UnknownName("MCP server", id, self._servers)
        return self._servers[id]

    def _entry(self, stored: Stored) -> McpServerEntry:
        return entry_of(stored, self._hub.state(stored.config.id))

    async def _hub_start(self, id: str, *, by_hand: bool) -> ToolListing:
        stored = self._stored(id)
        if not (stored.config.enabled and stored.is_reviewed):
            raise StartFailed("changed", _("it has not been looked at"))
        return await self._hub.start(await self._plan(stored), by_hand=by_hand)

    async def _plan(self, stored: Stored) -> StartPlan:
        self._remember_loop()
        if self._safe_mode:
            failed = StartFailed("safe_mode", _("in safe mode no server is started"))
            self._hub.tell_failure(stored.config.id, failed)
            raise failed
        try:
            env, headers, missing = await self._secrets.values(stored.config)
        except KeyUnreadable as error:
            failed = StartFailed("keyring", fault_text(error))
            self._hub.tell_failure(stored.config.id, failed)
            raise failed from None
        missing = [*stored.config.open_blanks, *missing]
        headers = {**await self.sign_ins.header(stored.config), **headers}
        if missing:
            failed = StartFailed("secret", _("no value is stored for {names}").format(names=", ".join(missing)))
            self._hub.tell_failure(stored.config.id, failed)
            raise failed
        return StartPlan(stored.config, stored.fingerprint, env, headers, self._network.offline)

    async def _facts(self, config: ServerConfig) -> StartFacts:
        try:
            return await asyncio.to_thread(start_facts, config)
        except CannotRun as error:
            raise BadInput(error.message) from error

    async def _keep(self, stored: Stored) -> None:
        self._remember_loop()
        before = self._servers.get(stored.config.id)
        await asyncio.to_thread(self._files.save, stored)
        self._servers[stored.config.id] = stored
        if consent_of(stored) != (consent_of(before) if before is not None else None):
            await self._sign()
        self._changes.tell(stored.config.id)

    async def _sign(self) -> None:
        rows = [consent for stored in self._servers.values() if (consent := consent_of(stored)) is not None]
        await self._consents.save(rows)

    def _remember_loop(self) -> None:
        self._loop = asyncio.get_running_loop()

    def _hub_changed(self, id: str) -> None:
        """On the hub's thread, or on ours."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(self._changes.tell, id)
            except RuntimeError:
                return  # the loop has ended meanwhile: nobody listens any more


def _refuse_blanks(config: ServerConfig) -> None:
    """Raises BadInput: what a text left open is never run as it is written."""
    if config.open_blanks:
        names = ", ".join(config.open_blanks)
        raise BadInput(f"values are missing: {names}", reason="PASTE_BLANKS", names=names)


def _start_of(config: ServerConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in _DECIDE_THE_START}

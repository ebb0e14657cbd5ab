"""Agents that are other programs: an agent profile each, with the program it starts and what was agreed to.

The values of a program's variables are kept with the keys. A program starts only as the person has agreed to it: the
same file, arguments, folder and variables; else the run asks first.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import shlex
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from app.acp.launch import LaunchPlan, failed
from app.acp.pool import AgentPool
from app.acp.presets import PRESETS, AgentPreset
from app.core.acp_program import AcpProgram, AgentOffers
from app.core.errors import BadInput, UnknownName
from app.core.profile import AgentProfile
from app.core.stores import DocumentStore
from app.core.text.i18n import _
from app.core.text.value_faults import value_fault
from app.storage.config.grants import GrantFile
from app.storage.config.secrets import SecretStore

from ..changes import Changes
from ..settings.network import NetworkSettings
from ..settings.settings import SettingsService

if TYPE_CHECKING:
    from app.mcp.config import ServerConfig
    from app.mcp.facts import StartFacts

    from ..mcp.store import ServerSecrets

LONGEST_NAME = 80
_OFFERS = "acp.offers"


@dataclass(frozen=True, slots=True)
class AgentForm:
    """As a person types it."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str | None] | None = None
    """None as a value leaves the stored one."""
    cwd: str = ""
    mode: str = ""
    icon: str = "terminal"


@dataclass(frozen=True, slots=True)
class AgentView:
    """One of them, for a list."""

    id: str
    name: str
    line: str
    """Program and arguments."""
    is_agreed: bool
    why: str = ""
    """Why its program cannot be started; "" if it can."""
    lines: tuple[tuple[str, str], ...] = ()
    """What the person agrees to: label and value."""


class AcpAgentService:
    presets: tuple[AgentPreset, ...] = PRESETS

    def __init__(
        self,
        settings: SettingsService,
        secrets: SecretStore,
        consents: GrantFile,
        network: NetworkSettings,
        *,
        documents: DocumentStore,
        scratch: Path,
        safe_mode: bool = False,
    ) -> None:
        self._documents = documents
        self._offers: dict[str, AgentOffers] = {}
        self._settings, self._consents, self._network = settings, consents, network
        self._store, self._safe_mode = secrets, safe_mode
        self._agreed: dict[str, str] = {}
        self._changes: Changes[None] = Changes()
        self.pool = AgentPool(self, scratch)

    def _secrets(self) -> ServerSecrets:
        from ..mcp.store import ServerSecrets

        return ServerSecrets(self._store)

    async def open(self) -> None:
        """What was agreed to; a file that was edited agrees to nothing."""
        rows, _state = await self._consents.load()
        self._agreed = {str(row.get("agent")): str(row.get("start")) for row in rows}
        if self.profiles():
            for document in await self._documents.list(_OFFERS):
                with suppress(ValidationError):
                    self._offers[document.id] = AgentOffers.model_validate(document.body)

    async def close(self) -> None:
        await self.pool.close()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        return self._changes.listen(lambda _nothing: listener())

    def profiles(self) -> list[AgentProfile]:
        return [profile for profile in self._settings.profiles() if profile.acp is not None]

    def profile(self, id: str) -> AgentProfile:
        """Raises UnknownName."""
        profiles = {one.id: one for one in self.profiles()}
        if id not in profiles:
            raise UnknownName("agent", id, profiles)
        return profiles[id]

    # ------------------------------------------------------------ changes

    async def add(self, form: AgentForm) -> str:
        """The id of a new agent. Nothing is started. Raises BadInput."""
        return await self._save(self._free_id(form.name), form)

    async def change(self, id: str, form: AgentForm) -> None:
        self.profile(id)
        await self._save(id, form)
        await self.pool.forget(id)

    async def _save(self, id: str, form: AgentForm) -> str:
        name = " ".join(form.name.split())[:LONGEST_NAME]
        if not name:
            raise BadInput(_("the agent has no name"))
        env = form.env or {}
        try:
            program = AcpProgram(
                command=form.command.strip(), args=form.args, env=tuple(env), cwd=form.cwd.strip(), mode=form.mode
            )
            config = _config(id, program)
        except ValidationError as error:
            raise BadInput(value_fault(error).sentence(), **value_fault(error).params) from error
        await self._secrets().keep(config, "env", env)
        fields = {"name": {"zh": name, "en": name}, "acp": program, "icon": form.icon}
        previous = next((one for one in self.profiles() if one.id == id), None)
        profile = previous.model_copy(update=fields) if previous else AgentProfile.model_validate({"id": id, **fields})
        await self._settings.save_profile(profile)
        self._changes.notify(None)
        return id

    async def remove(self, id: str) -> None:
        """Its stored values go with it; its conversations stay."""
        profile = self.profile(id)
        await self.pool.forget(id)
        if profile.acp is not None:
            await self._secrets().keep(_config(id, profile.acp), "env", dict.fromkeys(profile.acp.env, ""))
        await self._settings.delete_profile(id)
        if self._offers.pop(id, None) is not None:
            await self._documents.delete(_OFFERS, id)
        if self._agreed.pop(id, None) is not None:
            await self._sign()
        self._changes.notify(None)

    def _free_id(self, name: str) -> str:
        wanted = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40] or "agent"
        taken = {profile.id for profile in self._settings.profiles()}
        return next(id for n in range(1, 10_000) if (id := wanted if n == 1 else f"{wanted}-{n}") not in taken)

    # ------------------------------------------------------------ agreeing

    async def view(self, id: str) -> AgentView:
        """Reads the files that would run."""
        profile = self.profile(id)
        program = profile.acp
        assert program is not None, "one of these has a program"
        line = shlex.join((program.command, *program.args))
        try:
            facts = await self._facts(profile)
        except BadInput as error:
            return AgentView(id, profile.title, line, is_agreed=False, why=error.message)
        return AgentView(id, profile.title, line, self._agreed.get(id) == facts.fingerprint, "", facts.lines)

    async def agree(self, id: str, lines: tuple[tuple[str, str], ...]) -> None:
        """The person has seen exactly these lines. Raises BadInput if they are others by now."""
        facts = await self._facts(self.profile(id))
        if facts.lines != lines:
            raise BadInput(_("what would be started has changed while you looked at it"), hint=_("look at it again"))
        self._agreed[id] = facts.fingerprint
        await self._sign()
        self._changes.notify(None)

    async def _sign(self) -> None:
        await self._consents.save([{"agent": id, "start": start} for id, start in sorted(self._agreed.items())])

    async def _facts(self, profile: AgentProfile) -> StartFacts:
        from app.mcp.facts import CannotRun, start_facts

        assert profile.acp is not None, "one of these has a program"
        try:
            return await asyncio.to_thread(start_facts, _config(profile.id, profile.acp))
        except CannotRun as error:
            raise BadInput(error.message) from error

    def offers(self, id: str) -> AgentOffers:
        """What can be chosen of it, as it said itself when it ran last; nothing before."""
        return self._offers.get(id, AgentOffers())

    async def offered(self, agent: str, offers: AgentOffers) -> None:
        """As `app.acp.launch.Launches`."""
        if offers != self.offers(agent):
            self._offers[agent] = offers
            await self._documents.put(_OFFERS, agent, offers.model_dump(mode="json"))
            self._changes.notify(None)

    # ------------------------------------------------------------ for a run

    async def plan(self, profile: AgentProfile) -> LaunchPlan:
        """As `app.acp.launch.Launches`."""
        from app.mcp.environment import passed_to

        program = profile.acp
        assert program is not None, "one of these has a program"
        if self._safe_mode:
            words = "in safe mode no program is started"
            raise failed(reason="ACP_START", message=words, program=program.command, why=_("safe mode"))
        try:
            facts = await self._facts(profile)
        except BadInput as error:
            why = error.message
            raise failed(reason="ACP_START", message=why, program=program.command, why=why) from error
        config = _config(profile.id, program)
        env, _headers, _missing = await self._secrets().values(config)
        return LaunchPlan(
            facts.program, program.args, {**passed_to(config, self._network).values, **env}, Path(program.cwd or "."),
            program.mode, facts.lines, facts.fingerprint, self._agreed.get(profile.id) == facts.fingerprint,
        )  # fmt: skip

    async def check(self, id: str) -> str:
        """Starts it once, if it was agreed to, and says who answers. Raises BadInput, ForeignAgentFailed."""
        from app.acp.link import AgentLink

        profile = self.profile(id)
        plan = await self.plan(profile)
        if not plan.is_agreed:
            raise BadInput(_("{name} has not been agreed to yet").format(name=profile.title))
        folder = self.pool.scratch / id
        await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
        link = AgentLink(replace(plan, mode=""), folder, can_work=False)
        try:
            await link.open()
            await self.offered(id, link.offers)
            about = link.about.agent_info if link.about is not None else None
            return f"{about.title or about.name} {about.version}"[:200] if about is not None else profile.title
        finally:
            self.pool.errors[id] = link.program.log.lines()
            await link.close()

    def errors(self, id: str) -> list[str]:
        """The last lines its program wrote to standard error."""
        return self.pool.errors.get(id, [])


def _config(id: str, program: AcpProgram) -> ServerConfig:
    """What starts a server of tools starts an agent as well: the same look at its files, the same stored values."""
    from app.mcp.config import ServerConfig

    short = hashlib.sha256(id.encode()).hexdigest()[:12]
    return ServerConfig(
        id=f"acp-{short}", name=id, command=program.command, args=program.args, env=program.env, cwd=program.cwd
    )

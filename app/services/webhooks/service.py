"""Webhooks: follows every stored run beside it, and sends what was asked for, again and again until it is taken.

A run is never waited for nor slowed down: what it says is read from its log, and sending is a task of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from app.core.errors import ToolError, TriptychError, UnknownName
from app.core.http import HttpRequest, WebClient, seconds_named
from app.core.ids import is_temporary, new_id
from app.core.run.event_values import ErrorInfo
from app.core.run.events import Approval, LoopError, Terminal
from app.core.run.run_handle import RunHandle
from app.core.stores import DocumentStore
from app.core.system.clock import CLOCK, Clock
from app.core.text.i18n import _, current_language

from ..data.sessions import SessionService
from ..runs.chat import ChatService
from ..runs.runs import RunService
from ..settings.settings import SettingsService
from ..tools.domains import privacy_of
from .deliveries import Deliveries, Delivery
from .hooks import Webhook, Webhooks
from .messages import SentEvent, headers_of, message_of

if TYPE_CHECKING:
    from collections.abc import Mapping

log = logging.getLogger(__name__)
LAST_SECONDS: Final = 2.0
"""For what is due when the program ends; the rest is sent when it runs again."""
LOOK_EVERY: Final = 60.0


class WebhookService:
    def __init__(
        self,
        hooks: Webhooks,
        documents: DocumentStore,
        sessions: SessionService,
        chat: ChatService,
        runs: RunService,
        settings: SettingsService,
        http: WebClient,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self.hooks = hooks
        self._documents, self._sessions, self._chat, self._runs = documents, sessions, chat, runs
        self._settings, self._http, self._clock = settings, http, clock
        self._deliveries = Deliveries(documents, clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self._sender: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._known: set[str] = set()
        self._stop_listening: Callable[[], None] = lambda: None
        self.last: dict[str, str] = {}
        """By webhook: how the last try went, in a sentence; "" where it was taken."""

    async def open(self) -> None:
        """From now on runs are followed; what a process that was killed left is sent."""
        self._stop_listening = self._sessions.listen(self._changed)
        if self.hooks.all:
            await self._recover()
            self._begin_sending()

    async def close(self) -> None:
        self._stop_listening()
        if self._tasks:  # runs have ended by now: the last of them is being written down
            await asyncio.wait(tuple(self._tasks), timeout=LAST_SECONDS)
        if self._sender is not None:
            with suppress(TimeoutError, TriptychError):
                async with asyncio.timeout(LAST_SECONDS):
                    await self._send_due()
            self._sender.cancel()
            await asyncio.wait([self._sender])
            self._sender = None

    # ------------------------------------------------------------ runs

    def _changed(self, session: str) -> None:
        run = self._chat.running(session)
        if run is None or run.id in self._known or is_temporary(session) or not self.hooks.all:
            return
        self._known.add(run.id)
        task = asyncio.create_task(self._follow(run), name=f"webhooks of {run.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._begin_sending()

    async def _follow(self, run: RunHandle) -> None:
        agent = (await self._sessions.row(run.session)).agent
        try:
            await self._deliveries.expect(run.id, run.session, agent)
            async for stamped in run.events():
                if stamped.event.type == "loop_start":
                    agent = getattr(stamped.event, "agent", agent)
                if isinstance(stamped.event, SentEvent):
                    await self._enqueue(stamped.event, run.id, run.session, agent)
            await self._deliveries.told(run.id)
        except (TriptychError, OSError) as error:
            log.warning("webhooks of run %s: %s", run.id, error)  # told again after the next start
        finally:
            self._known.discard(run.id)

    async def _enqueue(self, event: SentEvent, run: str, session: str, agent: str) -> None:
        wanted = [hook for hook in self.hooks.all.values() if hook.wants(event.type, agent)]
        if not wanted:
            return
        message = message_of(event, run, session, agent, await self._cleaner(agent, session))
        part = event.id if isinstance(event, Approval) else event.type
        for hook in wanted:
            lost = await self._deliveries.add(hook.id, f"{run}.{part}.{hook.id}", message)
            if lost:
                self.last[hook.id] = _("too many messages waited; the oldest were given up")
        self._wake.set()

    async def _cleaner(self, agent: str, session: str) -> Callable[[str], str]:
        """Names that are kept private leave as their stand-ins here too."""
        with suppress(UnknownName):
            profile = self._settings.profile(agent)
            others = {one.start.agent for one in await self._sessions.messages(session) if one.start is not None}
            privacy = await privacy_of(self._settings, self._documents, profile, others)
            scrub = await privacy.scrub()
            if scrub is not None:
                return scrub.outgoing
        return str

    async def _recover(self) -> None:
        """Runs of a process that is gone: those that ended are told as they ended, the others as cut off."""
        for run, body in (await self._deliveries.expected()).items():
            session, agent = str(body.get("session", "")), str(body.get("agent", ""))
            if (active := self._chat.running(session)) is not None and active.id == run:
                continue
            try:
                last = (await self._runs.events(run))[-1:]
            except TriptychError:
                last = []
            states = {row.id: row.state for row in await self._runs.rows(session)}
            if states.get(run) == "streaming":
                continue  # of another process that is there
            cut = LoopError("internal", ErrorInfo("INTERRUPTED", "the program ended before the run did"))
            event = last[0].event if last and isinstance(last[0].event, Terminal) else cut
            await self._enqueue(event, run, session, agent)
            await self._deliveries.told(run)

    # ------------------------------------------------------------ sending

    def _begin_sending(self) -> None:
        if self._sender is None:
            self._sender = asyncio.create_task(self._send(), name="webhooks")

    async def _send(self) -> None:
        while True:
            self._wake.clear()
            try:
                wait = await self._send_due()
            except (TriptychError, OSError) as error:
                log.warning("webhooks: %s", error)
                wait = LOOK_EVERY
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._wake.wait()

    async def _send_due(self) -> float:
        """Seconds until something is due again. Each address gets one message after the other, beside the others."""
        while waiting := await self._deliveries.waiting():
            due: dict[str, Delivery] = {}
            for delivery in waiting:
                if delivery.due <= self._clock.now():
                    due.setdefault(delivery.hook, delivery)
            if not due:
                return min(max(0.05, waiting[0].due - self._clock.now()), LOOK_EVERY)
            await asyncio.gather(*map(self._send_one, due.values()))
        return LOOK_EVERY

    async def _send_one(self, delivery: Delivery) -> None:
        hook = self.hooks.all.get(delivery.hook)
        if hook is None or not hook.enabled:
            await self._deliveries.done(delivery)
        elif await self._deliveries.claim(delivery):
            await self._deliver(hook, delivery)

    async def _deliver(self, hook: Webhook, delivery: Delivery) -> None:
        why, asked = await self._post(hook, delivery.id, delivery.message)
        if not why:
            await self._deliveries.done(delivery)
        elif not await self._deliveries.later(delivery, asked):
            log.warning("webhook %s: %s was given up: %s", hook.id, delivery.id, why)
        self.last[hook.id] = why

    async def _post(self, hook: Webhook, delivery: str, message: Mapping[str, Any]) -> tuple[str, float]:
        """Why it was not taken, "" if it was; and the seconds the other side wants to wait."""
        try:
            headers = headers_of(message, delivery, await self.hooks.secret(hook), self._clock.now())
            reply = await self._http.send(HttpRequest(hook.url, headers, dict(message), own_address=True))
        except ToolError as error:
            return error.worded(current_language())[0], 0.0
        except TriptychError as error:
            return error.message, 0.0
        if 200 <= reply.status < 300:
            return "", 0.0
        return _("it answered with the status {status}").format(status=reply.status), seconds_named(
            reply.retry_after
        ) or 0.0

    async def test(self, id: str) -> str:
        """Sends one message that says so, at once and once. "" if it was taken, else why not."""
        hook = self.hooks.get(id)
        message = {"event": "test", "run": "", "session": "", "agent": "", "answer": _("A test of Triptych.")}
        why, _asked = await self._post(hook, f"test.{new_id()}", message)
        self.last[hook.id] = why
        return why

"""One run as an editor sees it: updates as they come, and the end of the prompt.

A prompt ends with the run, or with a question the run asks an editor that has no forms: the next prompt is its answer
then, and shows how the run goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from app.core.run.event_line import Stamped
from app.core.run.events import Question, RunEvent, Terminal
from app.core.run.run_handle import RunHandle
from app.core.run.view import (
    CallItem,
    EndItem,
    Item,
    ItemChange,
    NoteItem,
    PlanItem,
    RetryItem,
    RoundItem,
    RunView,
    SubRunItem,
    TextItem,
    WaitItem,
)
from app.core.text.i18n import _
from app.core.wording.notices import notice_text, retry_text
from app.core.wording.runs import verdict_title
from app.core.wording.understood import understood_text
from app.services.runs.asking import RunQuestions

from ..openai.answering import missing
from .parts import AcpParts, EditorSession
from .updates import call_changed, call_started, message_chunk, plan_update, thought_chunk

if TYPE_CHECKING:
    from acp.interfaces import Client

LIVE_EVERY: Final = 1_000
"""Characters a running tool writes between two updates of its call."""


class Shown:
    """Tells an editor what changes in a run, or what a stored message holds."""

    def __init__(self, client: Client, parts: AcpParts, session: EditorSession, run: str) -> None:
        self._client, self._parts, self._session, self._run = client, parts, session, run
        self.view = RunView()
        self._streamed: list[str] = []
        self._text = 0
        """The key of the text that was shown last."""
        self._live: dict[str, int] = {}
        """By call that runs: how much of what it wrote has been shown."""
        self._over: set[str] = set()
        """Calls whose result has been shown."""

    async def apply(self, event: RunEvent, t: float = 0.0) -> list[WaitItem]:
        """What the person has to decide now."""
        waits: list[WaitItem] = []
        for change in self.view.apply(event, t):
            if isinstance(change.item, WaitItem) and change.what == "added":
                waits.append(change.item)
            for update in self._updates(change):
                await self.send(update)
        return waits

    async def send(self, update: object) -> None:
        with suppress(ConnectionError):  # it has gone: the run is stopped by whoever sees that
            await self._client.session_update(session_id=self._session.id, update=update)  # type: ignore[arg-type]

    async def note(self, text: str) -> None:
        await self.send(thought_chunk(f"{text}\n", f"{self._run}.note"))

    def _updates(self, change: ItemChange) -> Iterable[object]:
        match change.item:
            case TextItem() as item:
                return self._texts(change, item)
            case CallItem() as item:
                return self._calls(change.what, item)
            case PlanItem() as item:
                return [plan_update(item.plan)]
            case EndItem() as item:
                rest = missing(item.answer, self._streamed)
                return [message_chunk(rest, f"{self._run}.answer")] if rest else []
            case item:
                text = _remark(change.what, item)
                return [thought_chunk(f"{text}\n", f"{self._run}.note")] if text else []

    def _texts(self, change: ItemChange, item: TextItem) -> Iterable[object]:
        text = change.text if change.what == "grew" else item.text if change.what == "added" else ""
        if not text:
            return []
        id = f"{self._run}.{item.key}"
        if item.role == "thinking":
            return [thought_chunk(text, id)]
        if self._text != item.key and self._streamed:
            text = f"\n\n{text}"
        self._text = item.key
        self._streamed.append(text)
        return [message_chunk(text, id)]

    def _calls(self, what: str, item: CallItem) -> Iterable[object]:
        folder, id = self._session.folder, item.call.id
        if id in self._over:
            return []
        if what == "added":
            return [call_started(item, self._parts.tools.named(item.call.name), folder)]
        if item.result is None and id in self._live:
            length = sum(map(len, item.written))
            if length - self._live[id] < LIVE_EVERY:
                return []
            self._live[id] = length
        elif item.result is not None:
            self._over.add(id)
        elif item.is_started:
            self._live[id] = 0
        return [call_changed(item, folder)]


class Turn:
    """A run between the prompts that show it."""

    def __init__(self, client: Client, parts: AcpParts, session: EditorSession, run: RunHandle) -> None:
        from .asking import EditorPerson

        self.run, self._session = run, session
        self._shown = Shown(client, parts, session, run.id)
        self._person = EditorPerson(client, parts, session, run.id)
        self._asking = RunQuestions(run, self._person, parts.grants, parts.tools.rule_subject)
        self._events: AsyncGenerator[Stamped, None] = run.events()  # type: ignore[assignment]  # a generator it is
        self._tasks: set[asyncio.Task[None]] = set()
        self.question: Question | None = None
        """What the run waits for, and the next prompt answers."""

    async def follow(self) -> Terminal | None:
        """To the end of the run; None where it waits for the next prompt."""
        for note in self._session.notes:
            await self._shown.note(note)
        self._session.notes.clear()
        try:
            async for stamped in self._events:
                for wait in await self._shown.apply(stamped.event, stamped.t):
                    if wait.question is not None and not self._person.has_forms:
                        await self._shown.send(message_chunk(_asked(wait.question), f"{self.run.id}.{wait.id}"))
                        self.question = wait.question
                        return None
                    self._ask(wait)
            return await self.run.result()
        finally:
            if self.question is None:
                for task in self._tasks:
                    task.cancel()

    def answer(self, text: str) -> bool:
        """The next prompt; a number is the option of that number. False: the run does not wait any more."""
        question, self.question = self.question, None
        if question is None:
            return False
        if text.isdecimal() and 1 <= int(text) <= len(question.options):
            text = question.options[int(text) - 1]
        return self.run.answer(question.id, text)

    def _ask(self, wait: WaitItem) -> None:
        task = asyncio.create_task(self._asking.ask(self._shown.view, wait), name=f"ask about {self.run.id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _asked(question: Question) -> str:
    options = [f"{number}. {option}" for number, option in enumerate(question.options, 1)]
    return "\n\n" + "\n".join([question.text, *options])


def _remark(what: str, item: Item) -> str:
    """What stands among the thoughts, once."""
    match item:
        case RoundItem(verdict=verdict) if verdict is not None:
            return verdict_title(item.number, item.limit, verdict.verdict, verdict.missing)
        case RetryItem(event=event) if what == "added":
            return retry_text(event.attempt, event.code)
        case SubRunItem(agent=agent) if what == "added":
            return _("asks {agent}").format(agent=agent)
        case NoteItem(event=event) if item.notice_code:
            return notice_text(item.notice_code, getattr(event, "text", ""), getattr(event, "params", {}))
        case NoteItem(event=event) if event.type == "understood":
            text = understood_text(getattr(event, "slots", ()))
            return _("understood: {text}").format(text=text) if text else ""
        case _:
            return ""

"""What each agent remembers of its person, and how the person controls it.

A fact is proposed first and counts once it is confirmed: one by one, or by the agent's `memory_confirm`. In a tainted
run the permission of `remember` asks the person first. Agents do not see each other's facts.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from app.core.errors import BadInput, UnknownName
from app.core.ids import is_temporary, new_id
from app.core.memory import LONGEST_FACT, MOST_FACTS, MemoryFact, Recalled
from app.core.profile import AgentProfile
from app.core.run.events import Notice
from app.core.system.clock import CLOCK, Clock
from app.core.text.hidden import without_hidden
from app.core.text.moments import utc_time
from app.core.text.question_words import match_of, words_of
from app.memory.recall import CANDIDATES, rank, related
from app.storage.stores.facts import FactStore

from ..changes import Changes
from ..settings.settings import SettingsService
from .vectors import FactVectors

MOST_SENT = 2_000
"""Characters of facts that go with a question by themselves (security-reliability.md f)."""
LEAST_SCORE = 0.3
"""Below it a fact goes with no question by itself: only its age speaks for it."""


@dataclass(frozen=True, slots=True)
class SentFacts:
    """What goes with a question: the facts, and the text the model reads."""

    facts: tuple[MemoryFact, ...] = ()
    text: str = ""

    @property
    def notices(self) -> list[Notice]:
        """So that the person sees what was used from memory."""
        if not self.facts:
            return []
        texts = "; ".join(fact.text for fact in self.facts)
        ids = [fact.id for fact in self.facts]
        return [Notice("memory_used", f"remembered facts: {texts}", {"facts": texts, "ids": ids})]


class MemoryService:
    def __init__(
        self,
        store: FactStore,
        settings: SettingsService,
        vectors: FactVectors | None = None,
        *,
        clock: Clock = CLOCK,
    ) -> None:
        self._store, self._settings, self._vectors, self._clock = store, settings, vectors, clock
        self._changes: Changes[str] = Changes()

    def listen(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """`listener` is called with the id of the agent whose facts have changed."""
        return self._changes.listen(listener)

    # ------------------------------------------------------------ recalling

    async def recall(self, agent: str, query: str, limit: int = 15, *, kinds: tuple[str, ...] = ()) -> list[Recalled]:
        """Facts that are true now, best first; without words to look for, the newest."""
        direct = await self._store.search(agent, match_of(words_of(query)), CANDIDATES)
        near = await self._store.search(agent, match_of(related(query)), CANDIDATES)
        facts = {fact.id: fact for fact, _ in [*direct, *near]}
        if len(facts) < limit:
            newest = await self._store.all(agent, state="kept", limit=limit + len(facts))
            facts |= {fact.id: fact for fact in newest}
        if kinds:
            facts = {id: fact for id, fact in facts.items() if fact.kind in kinds}
        current = await self._store.all(agent, state="kept", limit=MOST_FACTS) if self._vectors is not None else []
        by_id = {fact.id: fact for fact in current if fact.is_current and (not kinds or fact.kind in kinds)}
        likeness = await self._vectors.likeness(query, list(by_id.values())) if self._vectors is not None else {}
        facts |= {id: by_id[id] for id in likeness}
        scores = [{fact.id: score for fact, score in hits if fact.id in facts} for hits in (direct, near)]
        return rank(scores[0], scores[1], facts, self._clock.now(), limit, meant=likeness)

    async def for_question(self, profile: AgentProfile, question: str) -> SentFacts:
        """The facts that go with a question of an agent with a memory, at most MOST_SENT characters."""
        if not profile.memory or not question.strip():
            return SentFacts()
        recalled = await self.recall(profile.id, question, profile.memory_limit)
        facts, length = [], 0
        for one in recalled:
            length += len(one.fact.text) + 16
            if one.score < LEAST_SCORE or length > MOST_SENT:
                break
            facts.append(one.fact)
        if not facts:
            return SentFacts()
        await self._store.note_use([fact.id for fact in facts])
        lines = [f"- {fact.text} ({_day(fact.valid_from)})" for fact in facts]
        return SentFacts(tuple(facts), "\n".join(lines))

    # ------------------------------------------------------------ proposing

    async def propose(self, fact: MemoryFact, *, is_request: bool = False, is_typed: bool = False) -> MemoryFact | None:
        """A new fact that waits for the person, or is kept at once where the agent's rule or a typed one says so.

        `is_request`: the person asked for it in so many words.

        None: the same is known, waits already or was rejected; or it comes from a temporary chat, which leaves
        nothing behind. Raises BadInput for an empty or too long text, and where the memory is full.
        """
        if is_temporary(fact.session):
            return None
        return await self._propose(fact, await self._store.all(fact.agent), is_request=is_request, is_typed=is_typed)

    async def _propose(
        self, fact: MemoryFact, every: Sequence[MemoryFact], *, is_request: bool, is_typed: bool = False
    ) -> MemoryFact | None:
        """`every` are the facts of the agent as they are now."""
        text = _clean(fact.text)
        if any(_plain(one.text) == _plain(text) and one.valid_to is None for one in every):
            return None
        if len(every) >= MOST_FACTS:
            raise BadInput(
                f"the memory of {fact.agent} is full ({MOST_FACTS} facts)",
                hint="forget some first",
                reason="MEMORY_FULL",
                agent=fact.agent,
            )
        now = self._clock.now()
        replaces = fact.replaces or _replaced(every, fact)
        if replaces and all(one.id != replaces or not one.is_current for one in every):
            replaces = ""
        added = replace(
            fact, id=new_id(), text=text, state="proposed", created=now, valid_from=fact.valid_from or now,
            replaces=replaces,
        )  # fmt: skip
        await self._store.add(added)
        rule = self._settings.profile(fact.agent).memory_confirm
        if is_typed or rule == "auto" or (rule == "requests" and is_request):
            await self._store.keep(added.id, now)
            added = replace(added, state="kept")
        self._changes.notify(fact.agent)
        return added

    async def propose_from(self, profile: AgentProfile, question: str, session: str) -> list[MemoryFact]:
        """What the person stated in a question. Only their own words are read."""
        if not profile.memory or is_temporary(session):
            return []
        from app.memory.statements import statements  # its patterns take a while

        proposed: list[MemoryFact] = []
        stated = statements(question)
        every = await self._store.all(profile.id) if stated else ()
        for statement in stated:
            fact = MemoryFact("", profile.id, statement.text, about=statement.about, session=session)
            if (added := await self._propose(fact, every, is_request=statement.is_request)) is not None:
                proposed.append(added)
                every = await self._store.all(profile.id)
        return proposed

    async def add(self, agent: str, text: str, *, about: str = "") -> MemoryFact | None:
        """Typed by the person, so it is kept at once. None: it is known already."""
        return await self.propose(MemoryFact("", agent, text, about=about), is_typed=True)

    # ------------------------------------------------------------ the person's rights

    async def facts(self, agent: str = "", *, state: str = "", session: str = "") -> list[MemoryFact]:
        """Newest first, those that are not true any more among them."""
        return await self._store.all(agent, state=state, session=session)

    async def counts(self) -> dict[str, int]:
        """How many facts each agent keeps."""
        return await self._store.agents()

    async def keep(self, *ids: str) -> None:
        """Raises UnknownName, as do the following; a mistyped one of several changes nothing."""
        for fact in [await self._named(id) for id in ids]:
            await self._store.keep(fact.id, self._clock.now())
            self._changes.notify(fact.agent)

    async def reject(self, id: str) -> None:
        """The same is not proposed again."""
        fact = await self._named(id)
        await self._store.change(fact.id, {"state": "rejected"})
        self._changes.notify(fact.agent)

    async def edit(self, id: str, text: str) -> None:
        fact = await self._named(id)
        await self._store.change(fact.id, {"text": _clean(text)})
        self._changes.notify(fact.agent)

    async def forget(self, *ids: str) -> None:
        """For good: the row and its words leave the file."""
        for fact in [await self._named(id) for id in ids]:
            await self._store.forget(fact.id)
            if self._vectors is not None:
                await self._vectors.forget([fact.id])
            self._changes.notify(fact.agent)

    async def forget_all(self, agent: str) -> int:
        ids = [fact.id for fact in await self._store.all(agent)]
        count = await self._store.forget_all(agent)
        if self._vectors is not None:
            await self._vectors.forget(ids)
        self._changes.notify(agent)
        return count

    async def export(self, agent: str = "") -> str:
        """All facts as JSON, dates in UTC."""
        return json.dumps([_exported(fact) for fact in await self._store.all(agent)], ensure_ascii=False, indent=2)

    async def _named(self, id: str) -> MemoryFact:
        fact = await self._store.get(id)
        if fact is None:
            raise UnknownName("fact", id)
        return fact


def _clean(text: str) -> str:
    text = " ".join(without_hidden(text)[0].split())
    if not text:
        raise BadInput("a fact needs a text", reason="FACT_EMPTY")
    if len(text) > LONGEST_FACT:
        raise BadInput(f"a fact has at most {LONGEST_FACT} characters", reason="FACT_LONG", limit=LONGEST_FACT)
    return text


def _plain(text: str) -> str:
    """Without case, width, spaces and signs."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def _replaced(facts: Iterable[MemoryFact], fact: MemoryFact) -> str:
    """The fact about the same key that is true now; of several the newest."""
    same = (one.id for one in facts if fact.about and one.about == fact.about and one.is_current)
    return next(same, "")


def _day(seconds: float) -> str:
    return utc_time(seconds).date().isoformat()


def _exported(fact: MemoryFact) -> dict[str, object]:
    times = {name: getattr(fact, name) for name in ("created", "valid_from", "valid_to", "used")}
    dates = {name: utc_time(at).isoformat() if at else None for name, at in times.items()}
    return {**asdict(fact), **dates}

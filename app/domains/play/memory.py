"""What is remembered of a child: its observations, sessions and reviews, found by their words for `fetch_memory`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from app.core.memory import MemoryFact, Recalled
from app.core.stores import Document, DocumentStore

from .model.observation import observation_from_json
from .model.session import session_from_json
from .rules.search import ranked
from .store import OBSERVATIONS, PLANS, SESSIONS, body_of


async def recall(documents: DocumentStore, query: str, limit: int, kinds: tuple[str, ...]) -> list[Recalled]:
    """Best first; without words to look for, or where none of them occurs, the newest."""
    facts = [fact for fact in await _facts(documents) if not kinds or fact.kind in kinds]
    by_id = {fact.id: fact for fact in facts}
    hits = ranked(query, [(fact.id, fact.text) for fact in facts])[:limit]
    if not hits:
        newest = sorted(facts, key=lambda fact: -fact.valid_from)[:limit]
        return [Recalled(fact, 0.0) for fact in newest]
    best = hits[0][1]
    return [Recalled(by_id[id], round(score / best, 3)) for id, score in hits]


async def _facts(documents: DocumentStore) -> list[MemoryFact]:
    plans = await documents.list(PLANS.kind)
    titles = {one.id: str(body_of(body_of(one.body).get("plan")).get("title", "")) for one in plans}
    facts = [fact for one in await documents.list(OBSERVATIONS.kind) for fact in _of_observation(one)]
    return facts + [fact for one in await documents.list(SESSIONS.kind) for fact in _of_session(one, titles)]


def _of_observation(document: Document) -> Iterator[MemoryFact]:
    try:
        seen = observation_from_json(document.body)
    except (KeyError, TypeError, ValueError, AttributeError):
        return
    words = [seen.text, *(f"{one.dimension} {one.intensity:+g}" for one in seen.matches)]
    yield _fact(seen.id, "observation", " · ".join(words), seen.date)


def _of_session(document: Document, titles: dict[str, str]) -> Iterator[MemoryFact]:
    try:
        session = session_from_json(body_of(document.body))
    except (KeyError, TypeError, ValueError):
        return
    title = titles.get(session.plan, session.plan)
    notes = [event.text for event in session.log if event.text]
    text = " · ".join([title, session.status, f"{round(session.minutes)} min", f"circles {session.circles}", *notes])
    yield _fact(session.id, "session", text, session.started.date())
    if session.notes or session.recommendation or session.scores:
        parts = [title, session.recommendation or "", session.next_step, session.notes]
        parts += [f"{name} {score}" for name, score in (session.scores or {}).items()]
        yield _fact(f"{session.id}-review", "review", " · ".join(filter(None, parts)), session.started.date())


def _fact(id: str, kind: str, text: str, day: date) -> MemoryFact:
    moment = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
    return MemoryFact(id, "", text, kind=kind, created=moment, valid_from=moment)

"""What a run may learn from earlier ones of its agent. Both lessons can be turned off in the preferences.

A plan that was made when others' text was already in the conversation teaches nothing: it would carry that text on.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.core.preferences import Preferences
from app.core.run.events import Notice
from app.core.run.messages import Call, Fact, Message, PlanPart
from app.core.run.past_plan import ALIKE, MOST_SEQUENCES, Lessons, PastPlan, most_alike, plain_sequence
from app.core.text.likeness import likeness
from app.storage.stores.past_answers import PastAnswer
from app.storage.stores.runs import RunStore

LOOKED_AT = 30
"""Newest answers of the agent that are looked at."""


async def lessons_for(store: RunStore, preferences: Preferences, agent: str, query: str) -> Lessons:
    if not (preferences.earlier_plans or preferences.tool_hints) or not query.strip():
        return Lessons()
    answers = await store.past_answers(agent, LOOKED_AT)
    plans = most_alike(query, _plans(answers)) if preferences.earlier_plans else []
    return Lessons(tuple(plans), tuple(_sequences(answers, query)) if preferences.tool_hints else ())


def _plans(answers: Iterable[PastAnswer]) -> Iterable[PastPlan]:
    for answer in answers:
        part = next((part for part in answer.message.parts if isinstance(part, PlanPart)), None)
        start = answer.message.start
        if part is not None and start is not None and not _was_tainted(answer.message, part):
            yield PastPlan(answer.run, start.query, part.plan, part.plan.version > 1, answer.rating)


def _was_tainted(message: Message, plan: PlanPart) -> bool:
    untrusted = [n for n, part in enumerate(message.parts) if isinstance(part, Call) and part.result is not None
                 and part.result.untrusted]  # fmt: skip
    made_anew = any(
        isinstance(part, Fact) and isinstance(part.event, Notice) and part.event.code == "replanned"
        for part in message.parts
    )
    return bool(untrusted) and (made_anew or untrusted[0] < message.parts.index(plan))


def _sequences(answers: Iterable[PastAnswer], query: str) -> list[tuple[str, ...]]:
    found: dict[tuple[str, ...], None] = {}
    for answer in answers:
        start = answer.message.start
        if answer.rating <= 0 or start is None or likeness(query, start.query) < ALIKE:
            continue
        names = [part.call.name for part in answer.message.parts if isinstance(part, Call) and part.result is not None
                 and part.result.ok]  # fmt: skip
        if len(names) > 1:
            found[plain_sequence(names)[:12]] = None
    return list(found)[:MOST_SEQUENCES]

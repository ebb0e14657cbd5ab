"""What the rules understood of a question is an event of the run: in the log, in the view, on the terminal."""

from __future__ import annotations

from typing import Any

from app.core.run.events import LoopEnd, ToolReturned, Understood
from app.core.run.view import view_of
from app.core.text.i18n import set_language
from app.core.wording.understood import understood_text
from app.domains import BUILTIN
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.fakes import call, says, scripted
from tests.services.conftest import Put

OFFLINE = RunOptions(model="offline/rules")


async def ask(services: Services, session: str, question: str) -> Understood:
    run = await services.chat.send(session, question, "react", options=OFFLINE)
    assert isinstance(await run.result(), LoopEnd)
    await services.chat.recorded()
    lines = await services.run_store.events(run.id)
    events = [line.event for line in lines if isinstance(line.event, Understood)]
    assert {event.slots for event in events} == {events[0].slots}, "the slots do not change in the run"
    assert len(events) <= 2, "again only with what is kept of the results"
    assert view_of(lines).understood == events[-1], "as the stored run tells it"
    return events[-1]


async def test_the_stored_run_says_what_was_understood_and_later_questions_build_on_it(services: Services) -> None:
    row = await services.sessions.create("travel")
    await ask(services, row.id, "3 days in Chengdu, budget 6000")
    second = await ask(services, row.id, "make it 2 days")
    third = await ask(services, row.id, "forget the budget")
    set_language("en")
    assert understood_text(second.slots) == (
        "days 2 · city Chengdu (from before) · budget 6000 (from before) · adults 2 (assumed) · tier comfort (assumed)"
    )
    assert {slot.id: (slot.value, slot.turn) for slot in third.slots if slot.source == "remembered"} == {
        "city": ("chengdu", 1), "days": (2, 2),
    }  # fmt: skip


async def test_the_calls_of_a_model_say_what_it_understood_and_the_session_remembers_it(
    services: Services, answers: Put
) -> None:
    """A model without rules reports no slots: they come from the arguments of its calls."""
    row = await services.sessions.create("travel")

    async def asked(question: str, **arguments: Any) -> str:
        answers(scripted(call("generate_route", **arguments), says("done")))
        run = await services.chat.send(row.id, question, "react", options=RunOptions(interactive=False))
        assert isinstance(await run.result(), LoopEnd)
        await services.chat.recorded()
        events = [line.event for line in await services.run_store.events(run.id)]
        assert [event.ok for event in events if isinstance(event, ToolReturned)] == [True]
        (understood,) = [event for event in events if isinstance(event, Understood)]
        return understood_text(understood.slots)

    set_language("en")
    question = "two days in Chengdu for 3 people"
    assert await asked(question, days=2, city="Chengdu", party={"adults": 3}, pace="relaxed") == (
        "city Chengdu · days 2 · adults 3 · pace relaxed (assumed)"
    )
    assert await asked("days: 4", days=4, city="Chengdu") == (
        "city Chengdu (from before) · days 4 · adults 3 (from before) · pace relaxed (assumed)"
    )


def test_every_declared_argument_is_one_of_a_tool() -> None:
    declared = [
        (domain, path.split(".")[0]) for domain in BUILTIN for slot in domain.slot_arguments for path in slot.arguments
    ]
    assert declared
    wrong = [(d.id, name) for d, name in declared if not any(name in t.parameters["properties"] for t in d.tools)]
    assert wrong == []

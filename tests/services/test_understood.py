"""What the rules understood of a question is an event of the run: in the log, in the view, on the terminal."""

from __future__ import annotations

from app.core.run.events import LoopEnd, Understood
from app.core.run.view import view_of
from app.core.text.i18n import set_language
from app.core.wording.understood import understood_text
from app.services.container import Services
from app.services.runs.run_options import RunOptions

OFFLINE = RunOptions(model="offline/rules")


async def ask(services: Services, session: str, question: str) -> Understood:
    run = await services.chat.send(session, question, "react", options=OFFLINE)
    assert isinstance(await run.result(), LoopEnd)
    await services.chat.recorded()
    lines = await services.run_store.events(run.id)
    events = [line.event for line in lines if isinstance(line.event, Understood)]
    assert len(events) == 1, "once a run, as long as nothing changes"
    assert view_of(lines).understood == events[0], "as the stored run tells it"
    return events[0]


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

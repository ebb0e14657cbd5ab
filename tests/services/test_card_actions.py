"""Buttons of cards: what a click runs, what it may do, and what the next request hears of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.core.errors import BadInput
from app.core.run.events import Approval, LoopEnd, ToolReturned
from app.core.run.messages import Call, Message
from app.services.container import Services
from app.services.runs.run_options import RunOptions

QUESTION = "明天起在南京玩两天，帮我排一个行程"


async def card_of(services: Services, session: str) -> tuple[Message, str, dict[str, Any]]:
    """The newest card with buttons: its message, its call, itself."""
    for message in reversed(await services.sessions.messages(session)):
        for part in reversed(message.parts):
            if isinstance(part, Call) and part.result is not None and (part.result.card or {}).get("actions"):
                return message, part.call.id, dict(part.result.card or {})
    raise AssertionError("no card with a button")


@pytest.fixture
async def planned(services: Services, tmp_path: Path) -> str:
    """A session in which the offline rules have made an itinerary."""
    row = await services.sessions.create("travel")
    run = await services.chat.send(row.id, QUESTION, "react", options=RunOptions(model="offline/rules"))
    assert isinstance(await run.result(), LoopEnd)
    await services.chat.recorded()
    return row.id


async def press(services: Services, session: str, id: str) -> list[Any]:
    message, call, card = await card_of(services, session)
    assert id in [action["id"] for action in card["actions"]]
    run = await services.chat.press(session, message.id, call, id)
    events = [line.event async for line in run.events()]
    await services.chat.recorded()
    return events


async def test_a_button_runs_its_call_without_a_model_and_its_card_takes_the_first_ones_place(
    services: Services, planned: str
) -> None:
    first, first_call, card = await card_of(services, planned)
    assert card["role"] == "answer"
    assert card["summary"]
    events = await press(services, planned, "save")
    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert returned.ok, returned.text
    assert not [event for event in events if isinstance(event, Approval)], "the click is the approval"
    assert returned.display is not None
    assert returned.display["replaces"] == {"run": first.run, "call": first_call}
    end = events[-1]
    assert isinstance(end, LoopEnd)
    assert (end.steps, end.usage.total) == (0, 0)
    events = await press(services, planned, "calendar")
    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert returned.ok, returned.text
    messages = await services.sessions.messages(planned)
    assert [message.role for message in messages] == ["user", "assistant", "assistant", "assistant"]
    assert messages[-1].start is not None
    assert messages[-1].start.mode == "action"


async def test_the_list_of_sessions_says_what_the_card_says_of_itself(services: Services, planned: str) -> None:
    _message, _call, card = await card_of(services, planned)
    row = await services.sessions.row(planned)
    first = card["summary"].partition("\n")[0].replace("**", "")
    assert first.startswith(row.preview.removesuffix("…")[:30])
    assert "¥" in row.preview
    await press(services, planned, "save")
    assert "¥" in (await services.sessions.row(planned)).preview


async def test_the_saved_card_changes_in_place(services: Services, planned: str) -> None:
    first, first_call, _card = await card_of(services, planned)
    await press(services, planned, "save")
    _message, _call, card = await card_of(services, planned)
    remove = next(action["id"] for action in card["actions"] if action["id"].startswith("remove"))
    events = await press(services, planned, remove)
    returned = next(event for event in events if isinstance(event, ToolReturned))
    assert returned.ok, returned.text
    assert returned.display is not None
    assert returned.display["replaces"] == {"run": first.run, "call": first_call}, "still the first one's place"
    stops = [item for group in card["payload"]["groups"] for item in group["items"]]
    left = [item for group in returned.display["payload"]["groups"] for item in group["items"]]
    assert len(left) < len(stops)


async def test_the_next_request_is_told_what_the_person_did(services: Services, planned: str) -> None:
    from app.agent.request.history import turns_of

    await press(services, planned, "save")
    turns = turns_of(await services.sessions.messages(planned))
    assert "[The person pressed" in str(turns[-1])
    assert "save_trip" in str(turns[-1])


async def test_what_is_no_button_of_the_card_is_refused(services: Services, planned: str) -> None:
    message, call, _card = await card_of(services, planned)
    for wrong in ((message.id, call, "drop"), (message.id, "nothing", "save"), ("nothing", call, "save")):
        with pytest.raises(BadInput, match=r"button|card"):
            await services.chat.press(planned, *wrong)
    with pytest.raises(BadInput):
        await services.chat.press(planned, message.id, call, "save", values={"id": "trip-other"})


async def test_a_denied_tool_is_not_run_by_a_click(services: Services, planned: str) -> None:
    profile = services.settings.profile("travel")
    await services.settings.save_profile(profile.model_copy(update={"tools": {**profile.tools, "save_trip": "deny"}}))
    message, call, _card = await card_of(services, planned)
    try:
        run = await services.chat.press(planned, message.id, call, "save")
    except BadInput:
        return  # what is denied outright is no tool of the agent
    returned = [line.event async for line in run.events() if isinstance(line.event, ToolReturned)]
    assert [event.status for event in returned] == ["denied"]

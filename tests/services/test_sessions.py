"""Variants, forks, deleting with a way back, and what waits to be sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.compose import build
from app.core.errors import UnknownName
from app.core.run.chat_model import UserTurn
from app.core.run.messages import user_message
from app.services.container import Services
from app.storage.db import search_index as search_rows
from tests.fakes import says, scripted
from tests.services.conftest import Put

from .test_chat import ask, stored


async def texts(services: Services, session: str) -> list[str]:
    return [message.text for message in await services.sessions.messages(session)]


async def talk(services: Services, answers: Put) -> str:
    """A session with two questions and their answers."""
    session = await services.sessions.create("assistant")
    answers(scripted(*(says(f"answer {n}") for n in range(1, 9))))
    await ask(services, session.id, "one", "direct")
    await ask(services, session.id, "two", "direct")
    return session.id


async def test_an_earlier_question_asked_again_makes_a_variant_one_can_choose(services: Services, answers: Put) -> None:
    session = await talk(services, answers)
    first = (await services.sessions.messages(session))[1]
    await stored(services, await services.chat.rerun(session, "direct", message=first.id))
    assert await texts(services, session) == ["one", "answer 3"]
    line = await services.sessions.line(session)
    (options,) = line.variants.values()
    assert options[0] == first.id

    await services.sessions.edits.choose(session, first.id)
    assert await texts(services, session) == ["one", "answer 1", "two", "answer 2"]
    await stored(services, await services.chat.rerun(session, "direct"))
    assert await texts(services, session) == ["one", "answer 1", "two", "answer 4"]
    with pytest.raises(UnknownName):
        await services.sessions.edits.choose(session, "nobody")


async def test_an_edited_question_is_answered_anew_and_the_old_line_is_kept(services: Services, answers: Put) -> None:
    session = await talk(services, answers)
    first = (await services.sessions.messages(session))[0]
    await stored(services, await services.chat.edit(session, first.id, "one, in other words", "direct"))
    assert await texts(services, session) == ["one, in other words", "answer 3"]
    await ask(services, session, "three", "direct")
    assert await texts(services, session) == ["one, in other words", "answer 3", "three", "answer 4"]
    await services.sessions.edits.choose(session, first.id)
    assert await texts(services, session) == ["one", "answer 1", "two", "answer 2"]


async def test_the_model_hears_only_the_line_that_is_read(services: Services, answers: Put) -> None:
    session = await talk(services, answers)
    first = (await services.sessions.messages(session))[0]
    model = scripted(says("new"))
    answers(model)
    await stored(services, await services.chat.edit(session, first.id, "changed", "direct"))
    assert [turn.text for turn in model.requests[0].turns if isinstance(turn, UserTurn)] == ["changed"]


async def test_a_fork_is_a_session_of_its_own(services: Services, answers: Put) -> None:
    session = await talk(services, answers)
    answer = (await services.sessions.messages(session))[1]
    row = await services.sessions.edits.fork(session, answer.id)
    assert await texts(services, row.id) == ["one", "answer 1"]
    await ask(services, row.id, "else", "direct")
    assert await texts(services, row.id) == ["one", "answer 1", "else", "answer 3"]
    assert await texts(services, session) == ["one", "answer 1", "two", "answer 2"]


async def test_a_deleted_message_can_be_taken_back_and_goes_for_good_at_the_next_start(
    services: Services, answers: Put, tmp_path: Path
) -> None:
    session = await talk(services, answers)
    answer = (await services.sessions.messages(session))[1]
    await services.sessions.edits.hide_message(session, answer.id)
    assert await texts(services, session) == ["one", "two", "answer 2"]
    await services.sessions.edits.show_message(session, answer.id)
    assert await texts(services, session) == ["one", "answer 1", "two", "answer 2"]
    await services.sessions.edits.hide_message(session, answer.id)
    await services.close()

    again = build(tmp_path / "data", {})
    await again.open()
    assert await texts(again, session) == ["one", "two", "answer 2"]
    assert await again.search.search('"answer 1"') == []
    assert [row.message for row in await again.runs.rows(session)].count(answer.id) == 0
    await again.close()


async def test_the_queue_survives_a_restart_and_goes_with_its_session(services: Services, tmp_path: Path) -> None:
    session = await services.sessions.create("assistant")
    await services.sessions.notes.set_queue(session.id, ["first", "second"])
    await services.close()
    again = build(tmp_path / "data", {})
    await again.open()
    assert await again.sessions.notes.queue(session.id) == ["first", "second"]
    await again.sessions.bin.purge(session.id)
    assert await again.sessions.notes.queue(session.id) == []
    await again.close()


async def test_T40_words_a_process_had_no_time_to_forget_are_forgotten_by_the_next_that_stays(
    services: Services, tmp_path: Path
) -> None:
    session = await services.sessions.create("assistant")
    await services.sessions.add(session.id, user_message("m1", "qqcanaryzz", created=1.0))
    await services.sessions._store.purge(session.id)
    await services.close()
    again = build(tmp_path / "data", {})
    await again.open()
    again.lifecycle.begin_keeping()
    forgetting = again.sessions.bin._forgetting
    assert forgetting is not None
    await forgetting
    assert not await again.database.read(search_rows.has_to_forget)
    await again.close()
    files = [path for path in (tmp_path / "data").glob("sessions.db*") if b"canaryzz" in path.read_bytes()]
    assert files == []


async def test_R33_several_are_deleted_for_good_before_the_first_word_of_them_is_forgotten(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [(await services.sessions.create("assistant")).id for _ in range(3)]
    told: list[str] = []
    services.sessions.listen(told.append)
    forget = services.sessions._store.forget

    async def forgets() -> None:
        told.append("forget")
        await forget()

    monkeypatch.setattr(services.sessions._store, "forget", forgets)
    await services.sessions.bin.purge(*ids)
    assert told == [*ids, "forget"]

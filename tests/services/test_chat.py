"""A question: stored before it is asked, answered while nobody looks, recorded whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.agent.run import Run
from app.compose import build
from app.core.errors import BadInput, NotConfigured, UnknownName
from app.core.run.chat_model import ModelRequest, ResultTurn, UserTurn
from app.core.run.event_line import Stamped
from app.core.run.events import LoopStart, ToolReturned
from app.core.run.messages import Message, Text
from app.services.container import Services
from app.services.data.conversation import Conversation
from app.services.runs.active_runs import AlreadyRunning
from app.services.runs.run_options import RunOptions
from app.storage.db.database import Database
from app.storage.folder.errors import DiskFull
from tests.fakes import AskedModel, call, end_of, fails, of, says, scripted
from tests.grammar import check_grammar
from tests.services.conftest import Put, write_script


async def ask(services: Services, session: str, text: str, mode: str = "react", **options: Any) -> list[Stamped]:
    """One question, to its end on the disk; returns what the disk has of it."""
    run = await services.chat.send(session, text, mode, options=RunOptions(**{"interactive": False, **options}))
    return await stored(services, run)


async def stored(services: Services, run: Run) -> list[Stamped]:
    told = [line async for line in run.events()]
    check_grammar(told)
    await services.chat.recorded()
    on_disk = await services.runs.events(run.id)
    check_grammar(on_disk)
    assert said(on_disk) == said(told)
    return on_disk


def said(lines: Sequence[Stamped]) -> list[dict[str, Any]]:
    """The events without the borders of the gathered deltas."""
    found: list[dict[str, Any]] = []
    for line in lines:
        body = line.to_json()
        for stamp in ("seq", "t", "v"):
            del body[stamp]
        last = found[-1] if found else {}
        if body["type"] in ("token", "thinking") and (last.get("type"), last.get("step")) == (
            body["type"],
            body["step"],
        ):
            last["text"] += body["text"]
        else:
            found.append(body)
    return found


async def test_R02_the_question_is_on_the_disk_before_the_model_hears_of_it(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    seen: list[Any] = []

    def look(request: ModelRequest) -> str:
        import apsw

        other = apsw.Connection(str(services.database.path), flags=apsw.SQLITE_OPEN_READONLY)
        seen.extend(other.execute("SELECT role FROM message ORDER BY seq").fetchall())
        other.close()
        return "seen"

    answers(AskedModel(look))
    await ask(services, session.id, "are you there?", "direct")
    assert seen[0][0] == "user"


async def test_a_run_is_recorded_events_message_and_whole_results(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted({**call("calculator", expression="6*7"), "reasoning": "let me compute"}, says("42")))
    lines = await ask(services, session.id, "6 times 7?")
    question, answer = await services.sessions.messages(session.id)
    assert (question.text, answer.text, answer.state, answer.parent) == ("6 times 7?", "42", "complete", question.id)
    assert answer.end == lines[-1].event
    result = of(lines, ToolReturned)[0]
    whole = await services.runs.full_result(lines[0].run, result.id)
    assert whole is not None
    assert whole.data == {"expression": "6*7", "value": "42"}
    row = (await services.runs.rows())[0]
    assert (row.agent, row.mode, row.state, row.steps) == ("assistant", "react", "complete", 2)


async def test_A1_one_history_over_all_modes(services: Services, answers: Put) -> None:
    session = await services.sessions.create("travel")
    for text, model in [("你好！", scripted(says("你好，想去哪？"))), ("推荐几个美食城市", scripted(says("成都。")))]:
        answers(model)
        await ask(services, session.id, text, "auto")
    plan = '{"goal": "g", "steps": [{"action": "none"}]}'
    third = AskedModel(lambda request: plan if request.purpose == "plan" else "好")
    answers(third)
    lines = await ask(services, session.id, "你好，帮我规划北京三日游", "auto")
    assert [line.event.mode for line in lines if line.event.type == "mode_selected"] == ["plan"]  # type: ignore[union-attr]
    said = [getattr(turn, "text", "") for turn in third.requests[0].turns]
    assert said[1:5] == ["你好！", "你好，想去哪？", "推荐几个美食城市", "成都。"]
    assert said[5] == "你好，帮我规划北京三日游"
    assert isinstance(third.requests[0].turns[5], UserTurn)


async def test_results_of_earlier_runs_are_sent_again(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="1+1"), says("2")))
    await ask(services, session.id, "1+1?")
    model = scripted(says("I told you"))
    answers(model)
    await ask(services, session.id, "again?", "direct")
    results = [turn.text for turn in model.requests[0].turns if isinstance(turn, ResultTurn)]
    assert len(results) == 1
    assert results[0].startswith("1+1 = 2")


async def test_asking_again_keeps_the_old_answer_as_a_variant(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("first")))
    await ask(services, session.id, "well?", "direct")
    model = scripted(says("second"))
    answers(model)
    run = await services.chat.rerun(session.id, "direct", options=RunOptions(interactive=False))
    await stored(services, run)
    line = await services.sessions.messages(session.id)
    assert [message.text for message in line] == ["well?", "second"]
    assert "first" not in str(model.requests[0].turns), "the old answer is not part of the question"
    every = await services.sessions._store.messages(session.id)
    assert [message.text for message in every] == ["well?", "first", "second"]


async def test_without_a_question_there_is_nothing_to_ask_again(services: Services, answers: Put) -> None:
    answers(scripted())
    session = await services.sessions.create("assistant")
    with pytest.raises(BadInput):
        await services.chat.rerun(session.id)


async def test_one_run_per_session_at_a_time(services: Services, answers: Put) -> None:
    session, other = await services.sessions.create("assistant"), await services.sessions.create("assistant")
    answers(scripted(says("slowly", delay=60), repeat_last=True))
    run = await services.chat.send(session.id, "first", "direct")
    with pytest.raises(AlreadyRunning):
        await services.chat.send(session.id, "second", "direct")
    beside = await services.chat.send(other.id, "beside", "direct")
    assert services.chat.running_sessions() == {session.id, other.id}
    assert services.chat.running(session.id) is run
    await services.chat.active.stop_all()
    await asyncio.gather(stored(services, run), stored(services, beside))
    assert services.chat.running_sessions() == set()
    first, *rest = await services.sessions.messages(session.id)
    assert (first.text, len(rest)) == ("first", 1), "the refused question was not stored"


async def test_two_questions_at_the_same_moment_are_still_one_run(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("once"), repeat_last=True))
    sent = await asyncio.gather(
        *(services.chat.send(session.id, f"question {n}", "direct") for n in range(3)), return_exceptions=True
    )
    runs = [each for each in sent if isinstance(each, Run)]
    assert len(runs) == 1
    assert [type(each) for each in sent if not isinstance(each, Run)] == [AlreadyRunning] * 2
    await stored(services, runs[0])
    assert len(await services.sessions.messages(session.id)) == 2


async def test_a_refused_question_does_not_block_the_next(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    with pytest.raises(UnknownName):
        await services.chat.send(session.id, "x", "sideways")
    with pytest.raises(BadInput):
        await services.chat.send(session.id, "  \n")
    answers(scripted(says("fine")))
    assert end_of(await ask(services, session.id, "x", "direct")).answer == "fine"


async def test_what_is_wrong_is_said_before_anything_is_stored(services: Services) -> None:
    session = await services.sessions.create("assistant")
    with pytest.raises(NotConfigured):
        await services.chat.send(session.id, "hello", "direct")
    with pytest.raises(UnknownName) as unknown:
        await services.chat.send(session.id, "hello", "reakt")
    assert unknown.value.near[0] == "react"
    with pytest.raises(UnknownName):
        await services.chat.send("no such session", "hello")
    with pytest.raises(BadInput):
        await services.chat.send(session.id, "hello", options=RunOptions(overrides={"max_steps": "many"}))
    assert await services.sessions.messages(session.id) == []


async def test_the_next_question_waits_for_the_last_write_of_the_one_before(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("one"), repeat_last=True))
    for n in range(5):
        run = await services.chat.send(session.id, f"q{n}", "direct")
        await run.result()
    await services.chat.recorded()
    assert len(await services.sessions.messages(session.id)) == 10


async def test_settings_of_one_run_are_told_and_change_nothing_else(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("x"), repeat_last=True))
    lines = await ask(services, session.id, "x", overrides={"max_steps": 50, "enable_reflection": True})
    start = lines[0].event
    assert isinstance(start, LoopStart)
    assert (start.settings["max_steps"], start.settings["enable_reflection"]) == (50, True)
    assert services.settings.profile("assistant").max_steps == 8


async def test_R12_a_run_goes_on_and_is_recorded_when_nobody_looks(services: Services, answers: Put) -> None:
    sessions = [await services.sessions.create("assistant") for _ in range(8)]
    answers(scripted(says("every word of it, " * 10, delay=0.0002), repeat_last=True))
    for session in sessions:
        await services.chat.send(session.id, "tell me", "direct")
    while services.chat.running_sessions():
        await services.chat.recorded()
    for session in sessions:
        assert (await services.sessions.messages(session.id))[1].text == "every word of it, " * 10


async def test_stopped_runs_are_on_the_disk_with_what_they_said(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("so much to say " * 100, delay=0.001)))
    run = await services.chat.send(session.id, "talk", "direct")
    async for line in run.events():
        if line.event.type == "token":
            break
    await services.chat.active.stop_all()
    answer = (await services.sessions.messages(session.id))[1]
    assert answer.state == "stopped"
    assert answer.text.startswith("so much")


async def test_a_run_that_is_about_to_begin_when_the_program_ends_is_stopped_too(
    services: Services, answers: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("slowly", delay=60), repeat_last=True))
    reading, may_go_on = asyncio.Event(), asyncio.Event()
    read = services.sessions.conversation

    async def slowly(id: str) -> Conversation:
        reading.set()
        await may_go_on.wait()
        return await read(id)

    with monkeypatch.context() as patched:
        patched.setattr(services.sessions, "conversation", slowly)
        sending = asyncio.create_task(services.chat.send(session.id, "just now", "direct"))
        await reading.wait()
        stopping = asyncio.create_task(services.chat.active.stop_all())
        await asyncio.sleep(0)
        may_go_on.set()
        await stopping
    check_grammar([line async for line in (await sending).events()])
    question, answer = await services.sessions.messages(session.id)
    assert (question.text, answer.state) == ("just now", "stopped")


async def test_a_question_asks_the_database_four_times_before_its_run_begins(
    services: Services, answers: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time is a hand-over to a thread and back: the first byte of many questions at once waits for them."""
    answers(scripted(says("yes"), repeat_last=True))
    asked: list[str] = []
    for name in ("read", "write"):
        monkeypatch.setattr(Database, name, _counted(getattr(Database, name), asked))
    session = await services.sessions.create("assistant", temporary=True)
    run = await services.chat.send(session.id, "hello", "direct")
    assert len(asked) <= 4, asked  # the session, all that is in it, the question, the run
    await run.result()


def _counted(work: Any, asked: list[str]) -> Any:
    async def counting(self: Database, *args: Any) -> Any:
        asked.append(args[0].__qualname__)
        return await work(self, *args)

    return counting


async def test_R24_a_failed_run_is_a_failed_message(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(fails("401")))
    await ask(services, session.id, "x", "direct")
    assert (await services.sessions.messages(session.id))[1].state == "failed"
    answers(scripted({"chunks": ["half"], "raise": "disconnect_after:1"}))
    await ask(services, session.id, "x", "direct")
    assert (await services.sessions.messages(session.id))[3].state == "interrupted"


# ---------------------------------------------------------------- a disk that fails


async def test_a_write_that_fails_is_tried_again_and_nothing_is_lost(
    services: Services, answers: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.runs.recorder.TRY_AGAIN", 0.001)
    refusals = {"append": 2, "finish": 2, "save_result": 1}
    for name in refusals:
        _refuse_first(services.run_store, name, refusals, monkeypatch)
    saved: list[bool] = []
    services.chat.active.listen_saving(saved.append)
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="6*7"), says("forty-two " * 50, delay=0.001)))
    lines = await ask(services, session.id, "6*7?")
    assert end_of(lines).answer == "forty-two " * 50
    assert False in saved
    assert saved[-1] is True
    assert sum(refusals.values()) < 5, "it was refused"


def _refuse_first(store: Any, name: str, refusals: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    real = getattr(store, name)

    async def refusing(*args: Any, **named: Any) -> Any:
        if refusals[name]:
            refusals[name] -= 1
            raise DiskFull("no room")
        return await real(*args, **named)

    monkeypatch.setattr(store, name, refusing)


@pytest.mark.expects_log_errors("the run that cannot be written is logged")
async def test_a_disk_that_never_comes_back_does_not_hang_the_program(
    services: Services, answers: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.runs.recorder.TRY_AGAIN", 0.001)
    refusals = {"append": 10**6, "finish": 10**6}
    for name in refusals:
        _refuse_first(services.run_store, name, refusals, monkeypatch)
    session = await services.sessions.create("assistant")
    answers(scripted(says("lost")))
    run = await services.chat.send(session.id, "x", "direct")
    assert (await run.result()).type == "loop_end"
    await services.chat.recorded()
    assert services.chat.running(session.id) is None


async def test_the_log_is_whole_when_the_end_comes_during_a_write(
    services: Services, answers: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = services.run_store.save_result

    async def slow(*args: Any) -> None:
        await asyncio.sleep(0.02)
        await real(*args)

    monkeypatch.setattr(services.run_store, "save_result", slow)
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="1"), says("1")))
    lines = await ask(services, session.id, "1?")
    assert [line.seq for line in lines] == list(range(len(lines)))


# ---------------------------------------------------------------- sessions


async def test_a_session_is_named_by_its_first_question(services: Services, answers: Put) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(says("x"), repeat_last=True))
    await ask(services, session.id, "\n  帮我规划北京三日游\n两个大人", "direct")
    await ask(services, session.id, "something else", "direct")
    assert (await services.sessions.row(session.id)).title == "帮我规划北京三日游"


async def test_listeners_hear_of_a_session_and_can_leave(services: Services, answers: Put) -> None:
    heard: list[str] = []
    stop = services.sessions.listen(heard.append)
    session = await services.sessions.create("assistant")
    assert heard == [session.id]
    await services.sessions.rename(session.id, "  new name ")
    await services.sessions.update(session.id, draft="typing …")
    assert heard == [session.id] * 2, "a draft is no news"
    stop()
    await services.sessions.bin.trash(session.id)
    assert len(heard) == 2
    assert (await services.sessions.row(session.id)).title == "new name"
    assert [row.id for row in await services.sessions.rows()] == []
    await services.sessions.bin.restore(session.id)
    assert [row.id for row in await services.sessions.rows()] == [session.id]


async def test_a_session_of_an_unknown_agent_is_refused(services: Services) -> None:
    with pytest.raises(UnknownName) as unknown:
        await services.sessions.create("travell")
    assert unknown.value.near[0] == "travel"


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    first = build(tmp_path / "again", {})
    await first.open()
    session = await first.sessions.create("assistant", model=write_script(tmp_path / "s.json", says("kept")))
    await ask(first, session.id, "keep this", "direct")
    await first.close()
    second = build(tmp_path / "again", {})
    await second.open()
    try:
        messages = await second.sessions.messages(session.id)
        assert [message.text for message in messages] == ["keep this", "kept"]
        assert isinstance(messages[0], Message)
        assert isinstance(messages[0].parts[0], Text)
        assert await second.checks.verify() == []
    finally:
        await second.close()


async def test_R08_requests_of_a_run_can_be_read_while_it_goes_on_and_afterwards(
    services: Services, answers: Put
) -> None:
    session = await services.sessions.create("assistant")
    answers(scripted(call("calculator", expression="6*7"), says("42")))
    run = await services.chat.send(session.id, "6 times 7?", "react", options=RunOptions(interactive=False))
    await stored(services, run)
    live, kept = run.requests(), await services.runs.requests(run.id)
    assert kept == live
    assert [(one.number, one.step, one.purpose, one.model) for one in kept] == [
        (1, 1, "step", "script/memory"),
        (2, 2, "step", "script/memory"),
    ]
    assert '"role": "user", "content": "6 times 7?"' in kept[0].body
    assert '"name": "calculator"' in kept[0].response
    with pytest.raises(UnknownName):
        await services.runs.requests("nothing")

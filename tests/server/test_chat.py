"""Questions over HTTP: frames, every event, busy sessions, doubles, followers, control."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from app.core.run.event_line import Stamped
from tests.fakes import FakeClock
from tests.grammar import check_grammar

from .conftest import Served, until

SLOW = {"chunks": ["word "] * 400, "delay": 0.05}
CALL = {"content": "first", "tool_calls": [{"name": "calculator", "arguments": {"expression": "6*7"}}]}


async def test_the_frames_of_a_chat_are_those_of_the_protocol(served: Served) -> None:
    served.plays({"reasoning": "let me see", **CALL}, {"content": "It is 42."})
    frames = await served.frames("/api/chat", {"message": "6*7?", "mode": "react"})
    assert {frame["type"] for frame in frames} == {"thinking", "token", "done"}
    assert "let me see" in "".join(frame["content"] for frame in frames if frame["type"] == "thinking")
    result = frames[-1]["result"]
    assert (result["success"], result["answer"], result["mode"]) == (True, "It is 42.", "react")
    assert result["reasoning"]["tools_used"] == ["calculator"]
    assert result["reasoning"]["total_steps"] == len(result["history"]) + 1 == 2
    served.plays({"content": "hello"})
    direct = (await served.frames("/api/chat", {"message": "hi", "mode": "direct"}))[-1]["result"]
    assert (direct["reasoning"]["total_steps"], direct["reasoning"]["tools_used"], direct["history"]) == (0, [], [])
    served.plays({"raise": "401"})
    *_, last = await served.frames("/api/chat", {"message": "hi"})
    assert (last["type"], last["error"]["code"]) == ("error", "AUTH")
    listed = (await served.http.get("/api/sessions")).json()["sessions"]
    assert sorted(row["title"] for row in listed) == ["6*7?", "hi", "hi"]


async def test_the_event_stream_is_that_of_the_command_line_and_goes_on_in_the_same_session(served: Served) -> None:
    lines = await served.frames("/api/query/stream", {"message": "one"})
    check_grammar([Stamped.from_json(line) for line in lines])
    session = lines[0]["session"]
    again = await served.frames("/api/query/stream", {"message": "two", "session_id": session})
    assert again[0]["session"] == session
    stored = (await served.http.get(f"/api/sessions/{session}")).json()
    assert [(one["role"], one["text"]) for one in stored["messages"]] == [
        ("user", "one"), ("assistant", "yes"), ("user", "two"), ("assistant", "yes"),
    ]  # fmt: skip


async def test_a_busy_session_answers_busy_or_lets_wait_and_a_double_is_one_question(served: Served) -> None:
    session = (await served.services.sessions.create("assistant")).id
    served.plays({"chunks": ["slow "] * 20, "delay": 0.02})
    ask = {"message": "first", "session_id": session, "message_id": "m1"}
    first = asyncio.create_task(served.frames("/api/query/stream", ask))
    await until(lambda: served.services.chat.running(session), "the first run")
    refused = await served.http.post("/api/chat", json={"message": "now", "session_id": session})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "BUSY")
    double = asyncio.create_task(served.frames("/api/query/stream", ask))
    waiting = asyncio.create_task(
        served.frames("/api/query/stream", {"message": "second", "session_id": session, "queue": True})
    )
    one, same, next_one = await asyncio.gather(first, double, waiting)
    assert one == same
    assert next_one[0]["run"] != one[0]["run"]
    messages = await served.services.sessions.messages(session)
    assert [message.text for message in messages if message.role == "user"] == ["first", "second"]


async def test_several_follow_a_session_and_one_that_comes_back_misses_nothing(served: Served) -> None:
    session = (await served.services.sessions.create("assistant")).id

    async def follow(after: str = "", count: int = 1) -> list[tuple[str, dict[str, Any]]]:
        found, event = [], ""
        headers = {"Last-Event-ID": after} if after else {}
        async with served.http.stream("GET", f"/api/sessions/{session}/events", headers=headers) as response:
            async for line in response.aiter_lines():
                if line.startswith("id: "):
                    event = line[4:]
                elif line.startswith("data: "):
                    found.append((event, json.loads(line[6:])))
                    count -= found[-1][1]["type"] == "loop_end"
                    if not count:
                        break
        return found

    followers = [asyncio.create_task(follow(count=2)) for _ in range(3)]
    await asyncio.sleep(0.2)
    await served.frames("/api/chat", {"message": "one", "session_id": session})
    await served.frames("/api/chat", {"message": "two", "session_id": session})
    first, *others = await asyncio.gather(*followers)
    assert others == [first, first]
    assert [line["query"] for _id, line in first if line["type"] == "loop_start"] == ["one", "two"]
    middle = len([line for _id, line in first if line["run"] == first[0][1]["run"]]) // 2
    rest = await follow(first[middle][0])
    assert rest == [one for one in first[middle + 1 :] if one[1]["run"] == first[0][1]["run"]]


async def test_a_client_that_goes_stops_its_run_and_one_that_only_follows_does_not(served: Served) -> None:
    served.plays(SLOW)
    session = (await served.services.sessions.create("assistant")).id
    async with served.http.stream("POST", "/api/chat", json={"message": "long", "session_id": session}) as response:
        lines = response.aiter_lines()
        async with served.http.stream("GET", f"/api/sessions/{session}/events"):
            await anext(lines)
        run = served.services.chat.running(session)
        assert run is not None
        await asyncio.sleep(0.1)
        assert run.is_running
    end = await run.result()
    assert (end.type, getattr(end, "reason", "")) == ("loop_error", "cancelled")


async def test_a_run_is_stopped_approved_answered_and_steered(served: Served) -> None:
    write = {"tool_calls": [{"name": "ask_user", "arguments": {"question": "which one?", "options": ["a", "b"]}}]}
    served.plays(write, {"content": "done"}, repeat_last=False)
    seen: list[dict[str, Any]] = []
    async with served.http.stream("POST", "/api/query/stream", json={"message": "go", "mode": "react"}) as response:
        async for line in response.aiter_lines():
            if not line.startswith("data: "):
                continue
            seen.append(json.loads(line[6:]))
            if seen[-1]["type"] == "question":
                run, question = seen[-1]["run"], seen[-1]["id"]
                wrong = await served.http.post(f"/api/runs/{run}/approve", json={"id": "none", "choice": "once"})
                assert wrong.status_code == 409
                bad = await served.http.post(f"/api/runs/{run}/control", json={"order": "jump"})
                assert bad.status_code == 400
                right = await served.http.post(f"/api/runs/{run}/answer", json={"id": question, "text": "a"})
                assert right.json() == {"ok": True}
    assert seen[-1]["answer"] == "done"
    served.plays(SLOW)
    last: dict[str, Any] = {}
    async with served.http.stream("POST", "/api/query/stream", json={"message": "go"}) as response:
        async for line in response.aiter_lines():
            if line.startswith("data: "):
                last = json.loads(line[6:])
                if last["type"] == "step_start":
                    stopped = await served.http.post(f"/api/runs/{last['run']}/cancel")
                    assert stopped.json() == {"ok": True}
    assert (last["type"], last["reason"]) == ("loop_error", "cancelled")
    assert (await served.http.post("/api/runs/none/cancel")).status_code == 404


async def test_equal_questions_that_wait_for_their_turn_count_once_for_a_short_time(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    monkeypatch.setattr("app.server.run_hub.CLOCK", clock)
    session = (await served.services.sessions.create("assistant")).id
    token = await served.services.api_clients.add("other")
    asked = {"message": "again", "session_id": session, "queue": True}

    async def run_of(**more: str) -> str:
        return str((await served.frames("/api/query/stream", asked | more))[-1]["run"])

    both = await asyncio.gather(run_of(), run_of())
    shortly_after = await run_of()
    assert {*both, shortly_after} == {both[0]}
    with_ids = [await run_of(message_id="m1"), await run_of(message_id="m2")]
    async with served.http.stream(
        "POST", "/api/query/stream", json=asked, headers={"Authorization": f"Bearer {token}"}
    ) as response:
        of_other = [json.loads(line[6:]) async for line in response.aiter_lines() if line.startswith("data: {")]
    clock.time += 16
    later = await run_of()
    served.plays({"raise": "401"}, {"content": "yes"})
    failed = await run_of(message="fails")
    tried_again = await run_of(message="fails")
    runs = [both[0], *with_ids, of_other[-1]["run"], later, failed, tried_again]
    assert len(set(runs)) == len(runs), runs


async def test_a_double_of_a_run_that_is_not_held_any_more_is_refused(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.server.run_hub.MOST_ENDED", 1)
    session = (await served.services.sessions.create("assistant")).id
    asked = {"message": "one", "session_id": session, "message_id": "m1"}
    await served.frames("/api/chat", asked)
    for _ in range(2):
        await served.frames("/api/chat", {"message": "more", "session_id": session})
    refused = await served.http.post("/api/chat", json=asked)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "DOUBLE")

"""Agents that break the protocol, flood, hang or die: a sentence each, one end of the run, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from app.core.wording.errors import error_text
from app.services.runs.run_options import RunOptions

from .conftest import END, Bench, kinds, of, text


def ended(events: list[Any]) -> str:
    """How a run ended, which it did exactly once: the reason of its failure, or its answer."""
    assert sum(kind in ("loop_end", "loop_error") for kind in kinds(events)) == 1
    end = events[-1]
    if end.type == "loop_end":
        return str(end.answer)
    words = error_text(end.error.code, end.error.message, end.error.params)
    assert words.what.endswith("."), words
    assert "{" not in words.what, words
    return str(end.error.params.get("reason") or end.reason)


CASES: dict[str, tuple[list[dict[str, Any]], str]] = {
    "dies": ([text("half"), {"stderr": "Error: out of luck"}, {"die": 3}], "ACP_GONE"),
    "ends its output": ([{"die": 0}], "ACP_GONE"),
    "noise": ([{"raw": "debug: hello"}, {"raw": "[1]"}, {"raw": '{"method": 7}'}, text("fine"), END], "fine"),
    "much noise": ([{"raw": "x\n" * 60}, END], "ACP_GONE"),
    "a huge line": ([{"huge": 2}, END], "ACP_GONE"),
    "a flood": ([{"flood": 20_000}, END], "ACP_TOO_MUCH"),
    "an error": ([{"error": "quota\u0000 \u202e exceeded"}], "ACP_ERROR"),
    "a sign-in": ([{"error": "sign in", "code": -32000}], "ACP_SIGN_IN"),
    "stops by itself": ([{"end": "cancelled"}], "ACP_STOPPED"),
    "an unknown end": ([{"end": "bored"}], "ACP_DAMAGED"),
    "an unknown call": (
        [{"update": {"sessionUpdate": "tool_call_update", "toolCallId": "x", "status": "completed"}}, text("ok"), END],
        "ok",
    ),
    "an unknown update": ([{"update": {"sessionUpdate": "hologram"}}, {"update": 7}, text("ok"), END], "ok"),
    "an answer nobody asked for": ([{"raw": '{"jsonrpc": "2.0", "id": 99, "result": {}}'}, text("ok"), END], "ok"),
}


async def test_each_way_of_being_rude_ends_in_one_sentence(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.acp.turn.MOST_SENT", 40_000)
    monkeypatch.setattr("app.core.system.json_lines.LONGEST_LINE", 1024 * 1024)
    wrong = {}
    for name, (turn, wanted) in CASES.items():
        session = await bench.play(turn)
        found = ended(await bench.ask(session))
        if found != wanted:
            wrong[name] = found
        await bench.services.acp_agents.pool.close()
    assert wrong == {}


async def test_what_it_writes_to_standard_error_is_kept_without_its_secrets(bench: Bench) -> None:
    session = await bench.play([{"stderr": "fatal: secret-value is no key"}, {"die": 9}])
    events = await bench.ask(session)
    words = error_text(events[-1].error.code, events[-1].error.message, events[-1].error.params).what
    assert "fatal" in words
    lines = "\n".join(bench.services.acp_agents.errors(bench.agent))
    assert "fatal" in lines
    assert "secret-value" not in words + lines


async def test_what_it_wrote_about_an_earlier_question_does_not_explain_its_end(bench: Bench) -> None:
    session = await bench.play([{"stderr": "Error: an old matter"}, text("fine"), END], [{"die": 9}])
    assert ended(await bench.ask(session)) == "fine"
    for _ in range(1_000):
        if bench.services.acp_agents.errors(bench.agent):
            break
        await asyncio.sleep(0.01)
    events = await bench.ask(session)
    words = error_text(events[-1].error.code, events[-1].error.message, events[-1].error.params).what
    assert "9" in words
    assert "old matter" not in words


async def test_a_program_that_is_gone_is_named(bench: Bench) -> None:
    session = await bench.play([END])
    profile = bench.services.acp_agents.profile(bench.agent)
    program = profile.acp.model_copy(update={"command": "/no/such/program"})  # type: ignore[union-attr]
    await bench.services.settings.save_profile(profile.model_copy(update={"acp": program}))
    events = await bench.ask(session)
    assert ended(events) == "ACP_START"
    assert (await bench.services.acp_agents.view(bench.agent)).why


async def test_stopping_ends_an_agent_that_does_not_listen_and_all_it_started(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.acp.pool.CANCEL_SECONDS", 0.1)
    session = await bench.play([{"child": True}, text("begun"), {"hang": True}], [text("again"), END])
    run = await bench.services.chat.send(session, "go", options=RunOptions())
    async for stamped in run.events():
        if stamped.event.type == "token":
            break
    mark = _children()
    assert mark, "the agent and its child run"
    run.cancel()
    end = await run.result()
    assert (end.type, getattr(end, "reason", ""), getattr(end, "partial", "")) == ("loop_error", "cancelled", "begun")
    for _ in range(1_000):
        if not _children():
            break
        await asyncio.sleep(0.01)
    assert not _children()


async def test_one_that_stops_when_it_is_told_is_asked_again_without_a_new_start(bench: Bench) -> None:
    wait = {"ask": "session/request_permission", "params": {"toolCall": {"toolCallId": "x", "kind": "edit"}}}
    session = await bench.play([text("begun"), wait, {"end": "cancelled"}], [text("again"), END])
    run = await bench.services.chat.send(session, "go", options=RunOptions())
    async for stamped in run.events():
        if stamped.event.type == "approval":
            run.cancel()
    await bench.services.chat.recorded()
    for _ in range(1_000):
        if not bench.services.acp_agents.pool._tasks:
            break
        if bench.heard()[-1].get("method") == "session/cancel":
            await asyncio.sleep(0.05)
            break
        await asyncio.sleep(0.01)
    events = await bench.ask(session)
    assert ended(events) == "again"
    assert [one["method"] for one in bench.heard() if one.get("method") == "initialize"] == ["initialize"]
    assert of(events, "token")


async def test_a_prompt_that_never_ends_is_ended_by_the_time_of_the_run(bench: Bench) -> None:
    session = await bench.play([{"hang": True}])
    profile = bench.services.acp_agents.profile(bench.agent).model_copy(update={"run_timeout": 0.5})
    await bench.services.settings.save_profile(profile)
    assert ended(await bench.ask(session)) == "timeout"


def _children() -> list[int]:
    """Processes that carry the mark of an agent of this test process."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"TRIPTYCH_MCP={_namespace()}.{os.getpid()}.".encode() in (folder / "environ").read_bytes():
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                found += [int(folder.name)] if state != "Z" else []
        except OSError:
            continue
    return found


def _namespace() -> str:
    return "".join(sign for sign in str(Path("/proc/self/ns/pid").readlink()) if sign.isdigit())

"""ASI06, T38: what others wrote stays what others wrote – over restarts, forks, imports and sub-agents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.compose import build
from app.core.ids import new_id
from app.core.run.chat_model import AssistantTurn, CallTurn, ModelRequest
from app.core.run.events import Compacted, ToolReturned
from app.core.tools.tool import canonical_args
from app.services.container import Services
from tests.fakes import AskedModel, Kit, call, of, says, scripted
from tests.services.conftest import Put
from tests.services.documents import exported
from tests.services.test_chat import ask

ALONE: dict[str, Any] = {"overrides": {"tools": {"*": "allow"}, "enable_reflection": False}}


@pytest.fixture
def kit(services: Services) -> Kit:
    made = Kit()
    services.tools._tools.add(made.tools.values())
    return made


async def statuses(services: Services, answers: Put, session: str, *turns: dict[str, Any], **more: Any) -> list[str]:
    answers(scripted(*turns, says("done")))
    return [result.status for result in of(await ask(services, session, "go", **{**ALONE, **more}), ToolReturned)]


async def test_ASI06_a_session_is_careful_after_a_restart(services: Services, answers: Put, kit: Kit) -> None:
    session = (await services.sessions.create("assistant")).id
    assert await statuses(services, answers, session, call("save", text="a")) == ["ok"]
    assert await statuses(services, answers, session, call("fetch", host="h")) == ["ok"]
    assert await statuses(services, answers, session, call("save", text="b")) == ["denied"]
    again = build(services.data_dir, {})
    await again.open()
    again.tools._tools.add(kit.tools.values())
    try:

        async def choose(*_args: Any, **_named: Any) -> Any:
            return scripted(call("save", text="c"), says("done"))

        again.models.choose = choose  # type: ignore[method-assign]
        lines = await ask(again, session, "go", **ALONE)
        assert of(lines, ToolReturned)[0].status == "denied"
        assert "untrusted content from fetch h" in of(lines, ToolReturned)[0].text
    finally:
        await again.close()
    other = (await services.sessions.create("assistant")).id
    assert await statuses(services, answers, other, call("save", text="d")) == ["ok"]


async def test_ASI06_a_fork_is_as_careful_as_its_original(services: Services, answers: Put, kit: Kit) -> None:
    session = (await services.sessions.create("assistant")).id
    await statuses(services, answers, session, call("fetch", host="h"))
    last = (await services.sessions.messages(session))[-1]
    fork = await services.sessions.edits.fork(session, last.id)
    assert await statuses(services, answers, fork.id, call("save", text="b")) == ["denied"]


async def test_ASI06_compaction_does_not_make_a_run_clean(services: Services, answers: Put, kit: Kit) -> None:
    session = (await services.sessions.create("assistant")).id
    wanted: list[tuple[str, dict[str, Any]]] = [("fetch", {"host": "h"})]
    wanted += [("long_text", {"length": 3_900, "mark": mark}) for mark in "abcd"]
    wanted += [("save", {"text": "x"})]
    left = iter(wanted)

    def answer(request: ModelRequest) -> str | AssistantTurn:
        named = None if request.purpose == "summary" else next(left, None)
        if named is None:
            return "all in all"
        return AssistantTurn(calls=(CallTurn(new_id(), named[0], canonical_args(named[1]), dict(named[1])),))

    answers(AskedModel(answer))
    overrides = {**ALONE["overrides"], "context_limit": 4_000, "max_steps": 20}
    lines = await ask(services, session, "go", overrides=overrides)
    assert of(lines, Compacted)
    assert [result.status for result in of(lines, ToolReturned)] == ["ok"] * 5 + ["denied"]


async def test_T38_an_imported_session_is_careful_from_its_first_word(
    services: Services, answers: Put, kit: Kit, tmp_path: Path
) -> None:
    session = (await services.sessions.create("assistant")).id
    answers(scripted(says("hello")))
    await ask(services, session, "hi", "direct")
    data = await exported(services, session)
    await services.sessions.bin.purge(session)
    report = await services.transfer.import_data([data])
    imported = report.sessions[0].id
    assert await statuses(services, answers, imported, call("save", text="b")) == ["denied"]
    fork = await services.sessions.edits.fork(imported, (await services.sessions.messages(imported))[0].id)
    assert await statuses(services, answers, fork.id, call("save", text="b")) == ["denied"]

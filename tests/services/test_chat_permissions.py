"""What an agent may do holds for the agents it asks and hands over to, through the real services."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.agent.policy.patterns import escaped
from app.core.profile import PermissionRule
from app.core.run.events import Approval, Question
from app.core.tools.tool import TASK, Tool, ToolContext, ToolResult
from app.services.container import Services
from app.services.runs.run_options import RunOptions
from tests.fakes import Kit, call, says, scripted
from tests.services.conftest import Put


@pytest.fixture
def kit(services: Services) -> Kit:
    made = Kit()
    services.tools._tools.add(made.tools.values())
    return made


def rules(*words: tuple[str, str]) -> tuple[PermissionRule, ...]:
    return tuple(PermissionRule(tool=tool, word=word) for tool, word in words)


async def test_a_helper_and_the_next_agent_never_do_what_the_first_is_denied_or_asks_for(
    services: Services, answers: Put, kit: Kit
) -> None:
    """The rules and words of the first agent; whether the other wrote, and whether somebody was asked."""
    allow, deny, ask = ("save", "allow"), ("save", "deny"), ("save", "ask")
    table: list[tuple[tuple[PermissionRule, ...], dict[str, str], bool, int]] = [
        (rules(deny, ("*", "allow")), {"*": "allow"}, False, 0),
        (rules(deny, allow), {"*": "allow"}, False, 0),
        (rules(("*", "allow")), {"*": "allow", "s*": "deny"}, False, 0),
        (rules(allow, ask), {"*": "allow"}, True, 1),
        ((), {"*": "allow", "save": "ask"}, True, 1),
        ((), {"*": "allow"}, True, 0),
    ]
    other = services.settings.profile("assistant")
    other = await services.settings.duplicate_profile(other.id)
    free = other.model_copy(update={"tools": {"*": "allow"}, "permissions": rules(allow), "enable_reflection": False})
    await services.settings.save_profile(free)
    wrong: list[Any] = []
    for permissions, words, wrote, asked in table:
        for way in ("subagents", "then"):
            kit.ran.clear()
            first = services.settings.profile("assistant").model_copy(
                update={
                    "tools": words, "permissions": permissions, "enable_reflection": False,
                    "subagents": (other.id,) if way == "subagents" else (), "then": other.id if way == "then" else None,
                }
            )  # fmt: skip
            await services.settings.save_profile(first)
            begins = call(TASK, agent=other.id, prompt="save y") if way == "subagents" else says("save y, please")
            answers(scripted(begins, call("save", text="y"), says("done"), says("all done"), repeat_last=True))
            got = await asked_for(services, "assistant")
            if (kit.ran_names() == ["save"], len(got)) != (wrote, asked):
                wrong.append((way, permissions, words, kit.ran, got))
            if any(set(one.choices) != {"once", "deny"} for one in got):
                wrong.append((way, "a ceiling's question offers what would not last", got))
    assert wrong == []


async def asked_for(services: Services, agent: str, **options: Any) -> list[Approval]:
    """Sends one question and says yes to whatever is asked."""
    session = await services.sessions.create(agent)
    run = await services.chat.send(session.id, "go", options=RunOptions(mode="react", **options))
    asked: list[Approval] = []
    async for line in run.events():
        if isinstance(line.event, Approval):
            asked.append(line.event)
            run.approve(line.event.id, "once")
    await services.chat.recorded()
    return asked


# ---------------------------------------------------------------- patterns, and what lasts


@pytest.fixture
def files(services: Services) -> list[str]:
    """A server's tool that reads files: which it was asked for."""
    read: list[str] = []

    def body(ctx: ToolContext, args: dict[str, Any]) -> ToolResult:
        read.append(args["path"])
        return ToolResult.success("text")

    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    tool = Tool("files__read", "Read a file", "mcp", body, lambda: schema, lambda _args: [], read_only=False)
    services.tools._tools.add([tool])
    return read


async def reads(services: Services, answers: Put, *paths: str) -> list[Any]:
    """The paths that were asked about, each answered with no."""
    answers(scripted(*(call("files__read", path=path) for path in paths), says("done")))
    session = await services.sessions.create("assistant")
    run = await services.chat.send(session.id, "go", options=RunOptions(mode="react"))
    asked = []
    async for line in run.events():
        if isinstance(line.event, Approval):
            asked.append(line.event.args["path"])
            run.approve(line.event.id, "deny")
        elif isinstance(line.event, Question):
            run.answer(line.event.id, "Go on")
    await services.chat.recorded()
    return asked


async def test_always_for_a_folder_is_that_folder_and_no_way_out_of_it(
    services: Services, answers: Put, files: list[str], tmp_path: Path
) -> None:
    """As the card does it: the text it suggests for a call, with a star in place of the file."""
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"tools": {"*": "ask"}, "max_steps": 20}))
    root = tmp_path / "fsroot"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    suggested = services.tools.rule_subject("files__read", {"path": f"{root}/a.txt"})
    assert suggested is not None
    await services.grants.add("assistant", "files__read", escaped(suggested).replace("a.txt", "*"))
    out = [f"{root}/../../../../../../etc/passwd", f"{root}/out/x", f"{root}/%2e%2e/x", f"file://{root}/../x"]
    assert await reads(services, answers, f"{root}/a.txt", *out, f"{root}/sub/../b.txt") == out
    assert files == [f"{root}/a.txt", f"{root}/sub/../b.txt"]


async def test_a_folder_that_is_forbidden_is_not_read_by_another_spelling(
    services: Services, answers: Put, files: list[str], tmp_path: Path
) -> None:
    private = tmp_path / "private"
    private.mkdir()
    (tmp_path / "door").symlink_to(private)
    profile = services.settings.profile("assistant")
    rule = PermissionRule(tool="*", subject=f"{private}/*", word="deny")
    free = profile.model_copy(update={"tools": {"*": "allow"}, "permissions": (rule,), "max_steps": 20})
    await services.settings.save_profile(free)
    t = str(tmp_path)
    spelled = [f"{t}/./private/k", f"{t}//private/k", f"{t}/x/../private/k", f"file://{t}/private/k", f"{t}/PRIVATE/k"]
    spelled += [f"{t}/door/k", f"{t}/рrivate/k"]
    assert await reads(services, answers, *spelled) == []
    assert files == []


async def test_nothing_said_in_a_temporary_session_outlives_it(
    services: Services, answers: Put, files: list[str]
) -> None:
    profile = services.settings.profile("assistant")
    await services.settings.save_profile(profile.model_copy(update={"tools": {"*": "ask"}}))
    offered = {}
    for temporary in (True, False):
        session = await services.sessions.create("assistant", temporary=temporary)
        answers(scripted(call("files__read", path="/a"), says("done")))
        run = await services.chat.send(session.id, "go", options=RunOptions(mode="react"))
        async for line in run.events():
            if isinstance(line.event, Approval):
                offered[temporary] = line.event.choices
                run.approve(line.event.id, "always")
        await services.chat.recorded()
    assert offered == {True: ("once", "run", "deny"), False: ("once", "run", "always", "deny")}
    assert files == ["/a"], "an answer that was not offered is a no"

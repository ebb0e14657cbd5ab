"""The lattice of permissions, and T24: no tool runs without having passed the gate."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import pytest

from app.agent.policy.permission import CLASS_WORDS, Permissions
from app.agent.run import Run
from app.core.profile import PermissionRule, PermissionWord
from app.core.run.events import Approval, ToolReturned, ToolStarted
from app.core.tools.tool import PERMISSION_CLASSES, Tool, ToolContext, ToolResult, tool
from tests.fakes import MODES_BY_ID, Kit, calls, context, finish, of, says, scripted


def rule(tool: str = "*", subject: str = "*", word: PermissionWord = "ask") -> PermissionRule:
    return PermissionRule(tool=tool, subject=subject, word=word)


def make(permission: Any) -> Tool:
    @tool(permission, name="it", subject=lambda args: str(args.get("path", "")))
    def it(ctx: ToolContext, path: str = "") -> ToolResult:
        """Do it."""
        return ToolResult.success(path)

    return it


def test_every_class_has_its_word() -> None:
    assert set(CLASS_WORDS) == set(PERMISSION_CLASSES)


@pytest.mark.parametrize(
    ("permission", "word"),
    [
        ("pure", "allow"),
        ("app.read", "allow"),
        ("app.write", "allow"),
        ("fs.read", "allow"),
        ("fs.write", "ask"),
        ("net", "ask"),
        ("exec", "ask"),
        ("user", "allow"),
    ],
)
def test_without_a_rule_the_class_decides(permission: str, word: str) -> None:
    assert Permissions().decide(make(permission), {}).word == word


WORDS: tuple[PermissionWord, ...] = ("allow", "ask", "deny")


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("ruled", [None, *WORDS])
@pytest.mark.parametrize("ceiling", [None, *WORDS])
@pytest.mark.parametrize("granted", [False, True])
def test_the_lattice(
    word: PermissionWord, ruled: PermissionWord | None, ceiling: PermissionWord | None, granted: bool
) -> None:
    """A deny anywhere wins; rules go before words; a grant answers an ask, never a ceiling's."""
    permissions = Permissions(
        {"it": word},
        [rule("it", word=ruled)] if ruled else [],
        [rule("it", word=ceiling)] if ceiling else [],
        [rule("it", word="allow")] if granted else [],
    )
    got = permissions.decide(make("fs.write"), {}).word
    if "deny" in (word, ruled, ceiling):
        assert got == "deny"
        return
    mine = ruled or word
    if mine == "ask" and granted:
        mine = "allow"
    assert got == ("ask" if "ask" in (mine, ceiling) else "allow")


def test_the_last_rule_that_matches_decides_unless_one_denies() -> None:
    it = make("fs.write")
    rules = [rule("it", "*", "ask"), rule("it", "docs/*", "allow")]
    assert Permissions({"it": "allow"}, rules).decide(it, {"path": "docs/a"}).word == "allow"
    assert Permissions({"it": "allow"}, rules).decide(it, {"path": "src/a"}).word == "ask"
    assert Permissions({"it": "allow"}, rules[::-1]).decide(it, {"path": "docs/a"}).word == "ask"
    denied = [rule("it", "docs/secret*", "deny"), *rules]
    assert Permissions({"it": "allow"}, denied).decide(it, {"path": "docs/secret.txt"}).word == "deny"


def test_exec_asks_every_time_whatever_was_granted() -> None:
    it = make("exec")
    permissions = Permissions({"it": "allow"})
    assert permissions.decide(it, {}).word == "ask"
    permissions.grant(it, {})
    assert permissions.decide(it, {}).word == "ask"


def test_a_grant_is_for_its_subject() -> None:
    it = make("fs.write")
    permissions = Permissions({})
    permissions.grant(it, {"path": "a.md"})
    assert permissions.decide(it, {"path": "a.md"}).word == "allow"
    assert permissions.decide(it, {"path": "b.md"}).word == "ask"


@pytest.mark.parametrize(
    ("words", "name", "offered"),
    [
        ({}, "add", False),
        ({"add": "allow"}, "add", True),
        ({"add": "ask"}, "add", True),
        ({"add": "deny"}, "add", False),
        ({"*": "allow"}, "add", True),
        ({"*": "allow", "web_*": "deny"}, "web_search", False),
        ({"web_*": "deny", "web_search": "allow"}, "web_search", True),
        ({"web_*": "allow"}, "add", False),
    ],
)
def test_which_tools_an_agent_has(words: dict[str, PermissionWord], name: str, offered: bool) -> None:
    assert Permissions(words).offered(name) is offered


# ---------------------------------------------------------------- T24


def _random_run(rng: random.Random) -> tuple[Run, dict[str, Tool], str, bool]:
    kit = Kit()
    kit.gate.set()
    names = ["add", "save", "fetch", "long_text"]
    args: dict[str, dict[str, Any]] = {
        "add": {"a": 1},
        "save": {"text": "x"},
        "fetch": {"host": "h"},
        "long_text": {"length": 3},
    }
    words = {name: rng.choice(WORDS) for name in names if rng.random() < 0.8}
    rules = [{"tool": rng.choice([*names, "*"]), "word": rng.choice(WORDS)} for _ in range(rng.randrange(3))]
    mode = rng.choice(["direct", "react", "plan", "auto"])
    chosen = rng.sample(names, rng.randrange(1, 4))
    wanted = calls(*((name, args[name]) for name in chosen))
    steps = [{"action": name, "params": args[name]} for name in chosen]
    turns = [says(json.dumps({"goal": "g", "steps": steps})) if mode == "plan" else wanted, wanted, says("done")]
    approve, interactive = rng.choice(["ask", "all", "none"]), rng.random() < 0.4
    settings = {"tools": words, "permissions": rules, "plan_review": "never"}
    ctx = context(scripted(*turns, repeat_last=True), kit.tools, settings=settings, approve=approve,
                  interactive=interactive, query=rng.choice(["帮我规划", "hi", "search it"]))  # fmt: skip
    run = Run(ctx, MODES_BY_ID[mode])
    return run, kit.tools, approve, interactive


async def test_T24_no_tool_runs_without_the_gates_word() -> None:
    """Random modes, rules and answers: what ran was allowed, or asked for and approved."""
    rng = random.Random(24)
    ran = refused = 0
    for _ in range(300):
        run, tools, approve, interactive = _random_run(rng)
        ctx = run._ctx
        run.start()
        approved: set[str] = set()
        async for line in run.events():
            if isinstance(line.event, Approval):
                choice = rng.choice(["once", "run", "deny"])
                run.approve(line.event.id, choice)
                if choice != "deny":
                    approved.add(line.event.tool_call_id)
        lines = await finish(run)
        asked = {approval.tool_call_id for approval in of(lines, Approval)}
        for started in of(lines, ToolStarted):
            ran += 1
            word = Permissions(ctx.profile.tools, ctx.profile.permissions).decide(tools[started.name], {}).word
            assert word != "deny", "a deny is never passed"
            if started.id in asked:
                assert started.id in approved
            elif word == "ask":
                assert approve == "all" or ctx.permissions.granted, "asked for, or granted before"
        refused += sum(result.status == "denied" for result in of(lines, ToolReturned))
        assert interactive or not asked
        await asyncio.sleep(0)
    assert ran > 100
    assert refused > 100

"""The lattice of permissions, and T24: no tool runs without having passed the gate."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace
from typing import Any

import pytest

from app.agent.policy.permission import CLASS_WORDS, Permissions
from app.agent.policy.subject import Subject
from app.agent.run import Run
from app.core.profile import PermissionRule, PermissionWord
from app.core.run.events import Approval, ToolReturned, ToolStarted
from app.core.tools.tool import PERMISSION_CLASSES, Tool, ToolContext, ToolResult, tool
from tests.every import looped
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


@looped("word", WORDS)
@looped("ruled", [None, *WORDS])
@looped("ceiling", [None, *WORDS])
@looped("granted", [False, True])
def test_the_lattice(
    word: PermissionWord, ruled: PermissionWord | None, ceiling: PermissionWord | None, granted: bool
) -> None:
    """A deny anywhere wins; rules go before words; a grant answers an ask, never a ceiling's."""
    permissions = Permissions(
        {"it": word},
        [rule("it", word=ruled)] if ruled else [],
        Permissions(rules=[rule("it", word=ceiling)]) if ceiling else None,
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


def test_exec_asks_every_time_whatever_is_written_or_was_granted() -> None:
    it = make("exec")
    silent: dict[str, Permissions] = {
        "a word": Permissions({"it": "allow"}),
        "a glob": Permissions({"*": "allow"}),
        "a rule": Permissions({"it": "allow"}, [rule("it", word="allow")]),
        "a rule for a path": Permissions({"it": "ask"}, [rule("*", "*", "allow"), rule("it", "a", "allow")]),
        "a grant for good": Permissions({"it": "allow"}, standing=lambda _subject: True),
        "a ceiling that allows": Permissions({"it": "allow"}, ceiling=Permissions({"it": "allow"})),
    }
    for permissions in silent.values():
        permissions.grant(Subject.read(it, {"path": "a"}))
    said = {name: permissions.decide(it, {"path": "a"}) for name, permissions in silent.items()}
    assert {name: (one.word, one.choices) for name, one in said.items()} == dict.fromkeys(
        silent, ("ask", ("once", "deny"))
    )
    denied = Permissions({"it": "allow"}, [rule("it", word="deny")])
    assert denied.decide(it, {}).word == "deny"


def test_a_run_inside_may_do_no_more_than_the_one_around_it_whatever_comes_last() -> None:
    """The parent's rules, the child's word, and what the child may do."""
    deny, allow, ask = (rule("it", word=word) for word in ("deny", "allow", "ask"))
    table: list[tuple[list[PermissionRule], dict[str, PermissionWord], str]] = [
        ([deny, allow], {}, "deny"),
        ([rule("it", "secret/*", "deny"), rule("it", "*", "allow")], {}, "deny"),
        ([rule("*", word="deny"), allow], {}, "deny"),
        ([allow], {"it": "deny"}, "deny"),
        ([allow], {"i*": "deny", "it": "allow"}, "allow"),
        ([ask, rule("it", "secret/*", "allow")], {}, "allow"),
        ([allow, ask], {}, "ask"),
        ([], {"*": "ask"}, "ask"),
        ([], {"it": "allow"}, "allow"),
        ([], {}, "allow"),
    ]
    child = Permissions({"it": "allow"}, [allow])
    wrong = []
    for rules, words, expected in table:
        parent = Permissions(words, rules)
        for ceiling in (parent, Permissions({"*": "allow"}, ceiling=parent)):
            got = replace(child, ceiling=ceiling).decide(make("app.write"), {"path": "secret/a"})
            if got.word != expected:
                wrong.append((rules, words, got))
    assert wrong == []


@pytest.mark.parametrize(
    ("permission", "exports", "word", "clicked"),
    [
        ("app.write", False, "ask", "allow"),
        ("app.write", False, "deny", "deny"),
        ("fs.write", True, "ask", "allow"),
        ("fs.write", False, "ask", "ask"),
        ("net", False, "ask", "ask"),
        ("mcp", False, "ask", "ask"),
        ("exec", False, "allow", "ask"),
    ],
)
def test_a_click_on_a_card_answers_for_the_own_store_and_exports_alone(
    permission: str, exports: bool, word: PermissionWord, clicked: str
) -> None:
    it = replace(make(permission), only_exports=exports)
    assert Permissions({"it": word}).decide(it, {}, clicked=True).word == clicked
    below = Permissions({"it": "allow"}, ceiling=Permissions({"it": "ask"}))
    assert below.decide(it, {}, clicked=True).word == "ask", "a ceiling holds"


def test_a_grant_is_for_its_subject() -> None:
    it = make("fs.write")
    permissions = Permissions({})
    permissions.grant(Subject.read(it, {"path": "a.md"}))
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


@pytest.mark.parametrize("count", [40, pytest.param(2_000, marks=pytest.mark.soak)])
async def test_T24_no_tool_runs_without_the_gates_word(count: int) -> None:
    """Random modes, rules and answers: what ran was allowed, or asked for and approved."""
    rng = random.Random(24)
    ran = refused = 0
    for _ in range(count):
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
            word = (
                Permissions(ctx.request.profile.tools, ctx.request.profile.permissions)
                .decide(tools[started.name], {})
                .word
            )
            assert word != "deny", "a deny is never passed"
            if started.id in asked:
                assert started.id in approved
            elif word == "ask":
                assert approve == "all" or ctx.services.permissions.granted, "asked for, or granted before"
        refused += sum(result.status == "denied" for result in of(lines, ToolReturned))
        assert interactive or not asked
        await asyncio.sleep(0)
    assert ran > count / 3
    assert refused > count / 3

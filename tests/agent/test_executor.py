"""The gate every tool call goes through: known, hooked, checked, allowed, not repeated, timed, cut."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from app.agent.policy.hooks import Hooks
from app.agent.policy.permission import call_hash
from app.agent.run import Run
from app.core.run.chat_model import ResultTurn
from app.core.run.event_line import Stamped
from app.core.run.events import Approval, ApprovalAnswer, ToolCalled, ToolReturned, ToolStarted
from app.core.tools.tool import ToolContext, ToolResult, tool
from tests.every import looped
from tests.fakes import MODES_BY_ID, Kit, call, calls, context, end_of, finish, of, run_mode, says, scripted, until

# ---------------------------------------------------------------- arguments and names


async def test_an_unknown_tool_is_told_the_names_that_come_near() -> None:
    lines = await run_mode("react", scripted(call("ad", a=1), says("ok")))
    result = of(lines, ToolReturned)[0]
    assert result.error["code"] == "UNKNOWN_TOOL"
    assert "add" in result.error["hint"]
    assert of(lines, ToolStarted) == []


async def test_an_unknown_tool_like_no_other_is_told_all_names() -> None:
    lines = await run_mode("react", scripted(call("zzzzzz"), says("ok")))
    assert "long_text" in of(lines, ToolReturned)[0].error["hint"]


@pytest.mark.parametrize("text", ["{a: 1}", '{"a": 1', "[1]", '"add"', "null", "{}{}", '{"a": 1e999}'])
async def test_broken_arguments_never_run_and_come_back_as_a_result(text: str) -> None:
    kit = Kit()
    lines = await run_mode("react", scripted(calls(("add", text)), says("ok")), kit.tools)
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].error["code"] == "BAD_ARGUMENTS"
    assert end_of(lines).answer == "ok"


@pytest.mark.parametrize(
    ("arguments", "place"),
    [({}, "a"), ({"a": "1 or 2"}, "a"), ({"a": True}, "a"), ({"a": 1, "b": 1.5}, "b")],
)
async def test_wrong_arguments_name_their_field(arguments: Mapping[str, Any], place: str) -> None:
    kit = Kit()
    lines = await run_mode("react", scripted(calls(("add", arguments)), says("ok")), kit.tools)
    result = of(lines, ToolReturned)[0]
    assert kit.ran == []
    assert result.error["code"] == "BAD_ARGUMENTS"
    assert result.error["message"].startswith(f"{place}: ")


# ---------------------------------------------------------------- tools that misbehave


@looped(
    ("how", "code"),
    [
        ("raise", "INTERNAL"),
        ("cancelled", "CANCELLED"),
        ("none", "INTERNAL"),
        ("text", "INTERNAL"),
        ("circle", "INTERNAL"),
        ("keys", "INTERNAL"),
        ("card", "INTERNAL"),
        ("card_nan", "BAD_RESULT"),
        ("infinite", "BAD_RESULT"),
        ("meta_nan", "BAD_RESULT"),
        ("no_reason", "INTERNAL"),
        ("objects", None),
        ("surrogate", None),
    ],
)
async def test_whatever_a_tool_does_the_run_goes_on(how: str, code: str | None) -> None:
    lines = await run_mode("react", scripted(calls(("broken", {"how": how}), ("add", {"a": 1})), says("ok")))
    results = {result.name: result for result in of(lines, ToolReturned)}
    assert (results["broken"].error or {}).get("code") == code
    assert results["add"].ok, "one failing tool does not stop its neighbour"
    assert end_of(lines).answer == "ok"


async def test_a_tool_that_hangs_is_given_up() -> None:
    @tool("pure", timeout=0.02)
    async def hang(ctx: ToolContext) -> ToolResult:
        """Never return."""
        await asyncio.Event().wait()
        raise AssertionError

    lines = await run_mode("react", scripted(call("hang"), says("ok")), {"hang": hang})
    error = of(lines, ToolReturned)[0].error
    assert (error["code"], error["retryable"]) == ("TIMEOUT", True)


async def test_a_blocking_tool_does_not_hold_up_the_loop() -> None:
    import threading

    reached, go_on = threading.Event(), threading.Event()

    @tool("pure", blocking=True)
    def dig(ctx: ToolContext) -> ToolResult:
        """Compute for long."""
        reached.set()
        assert go_on.wait(20)
        return ToolResult.success("dug")

    run = Run(context(scripted(call("dig"), says("ok")), {"dig": dig}), MODES_BY_ID["react"]).start()
    await until(reached.is_set)  # the loop turns while the tool computes
    go_on.set()
    assert of(await finish(run), ToolReturned)[0].ok


# ---------------------------------------------------------------- side by side, or alone


async def test_calls_of_one_message_run_at_the_same_time_four_at_most() -> None:
    kit = Kit()
    model = scripted(calls(*(("wait", {"id": n}) for n in range(6))), says("ok"))
    run = Run(context(model, kit.tools), MODES_BY_ID["react"]).start()
    await until(lambda: kit.at_once == 4)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (kit.at_once, kit.most_at_once) == (4, 4)
    kit.gate.set()
    lines = await finish(run)
    assert len(kit.ran) == 6
    assert [turn.text[:6] for turn in model.requests[1].turns if isinstance(turn, ResultTurn)] == ["waited"] * 6
    assert len(of(lines, ToolReturned)) == 6


async def test_results_stand_in_the_order_of_the_calls_whoever_is_first() -> None:
    kit = Kit()
    model = scripted(calls(("wait", {"id": 9}), ("add", {"a": 1})), says("ok"))
    run = Run(context(model, kit.tools), MODES_BY_ID["react"]).start()
    async for line in run.events():
        if isinstance(line.event, ToolReturned) and line.event.name == "add":
            kit.gate.set()  # add is told although wait, called first, still runs
    lines = await finish(run)
    assert [result.name for result in of(lines, ToolReturned)] == ["add", "wait"]
    assert [turn.name for turn in model.requests[1].turns if isinstance(turn, ResultTurn)] == ["wait", "add"]


async def test_an_exclusive_tool_runs_alone() -> None:
    kit = Kit()
    kit.gate.set()
    model = scripted(calls(("wait", {"id": 1}), ("alone", {}), ("wait", {"id": 2})), says("ok"))
    await run_mode("react", model, kit.tools)
    assert kit.ran == [("wait", {"id": 1}), ("alone", {"others": 0}), ("wait", {"id": 2})]


async def test_parallel_calls_can_be_turned_off() -> None:
    kit = Kit()
    kit.gate.set()
    model = scripted(calls(("wait", {"id": 1}), ("wait", {"id": 2})), says("ok"))
    lines = await run_mode("react", model, kit.tools, settings={"parallel_tool_calls": False})
    assert kit.most_at_once == 1
    order = [(line.event.type, line.event.id) for line in lines if isinstance(line.event, ToolStarted | ToolReturned)]
    assert [kind for kind, _id in order] == ["tool_start", "tool_result"] * 2


# ---------------------------------------------------------------- repeats


async def test_a_repeat_of_a_read_only_call_comes_from_its_first_result() -> None:
    kit = Kit()
    model = scripted(call("add", a=1, b=2), call("add", b=2, a=1), says("3"))
    lines = await run_mode("react", model, kit.tools)
    first, second = of(lines, ToolReturned)
    assert kit.ran_names() == ["add"]
    assert (second.status, second.cached, second.repeat) == ("repeat", True, first.id)
    assert second.text.endswith(first.text)
    assert second.text.startswith("[repeat")


async def test_the_same_call_twice_in_one_message_runs_once() -> None:
    kit = Kit()
    lines = await run_mode("react", scripted(calls(("add", {"a": 1}), ("add", {"a": 1})), says("1")), kit.tools)
    assert kit.ran_names() == ["add"]
    assert sorted(result.status for result in of(lines, ToolReturned)) == ["ok", "repeat"]


async def test_a_failed_call_may_be_tried_again() -> None:
    kit = Kit()
    await run_mode("react", scripted(call("broken"), call("broken"), says("ok")), kit.tools)
    assert kit.ran_names() == ["broken", "broken"]


async def test_after_a_write_reading_is_done_anew() -> None:
    kit = Kit()
    model = scripted(call("add", a=1), call("save", text="x"), call("add", a=1), says("ok"))
    await run_mode("react", model, kit.tools)
    assert kit.ran_names() == ["add", "save", "add"]


async def test_after_a_write_that_nobody_knows_the_end_of_reading_is_done_anew() -> None:
    @tool("app.write", timeout=0.02)
    async def slow_save(ctx: ToolContext) -> ToolResult:
        """Store something, and say nothing about it in time."""
        await asyncio.Event().wait()
        raise AssertionError

    kit = Kit()
    model = scripted(call("add", a=1), call("slow_save"), call("add", a=1), says("ok"))
    lines = await run_mode("react", model, {**kit.tools, "slow_save": slow_save})
    assert [result.status for result in of(lines, ToolReturned)] == ["ok", "unknown", "ok"]
    assert kit.ran_names() == ["add", "add"]


async def test_the_third_identical_write_is_refused_when_nobody_can_be_asked() -> None:
    kit = Kit()
    model = scripted(*[call("save", text="x")] * 3, says("ok"))
    lines = await run_mode("react", model, kit.tools, approve="none")
    assert kit.ran_names() == ["save", "save"]
    last = of(lines, ToolReturned)[2]
    assert last.status == "denied"
    assert "3 times in a row" in last.error["message"]


async def test_the_third_identical_write_asks_the_person() -> None:
    kit = Kit()
    run = Run(
        context(scripted(*[call("save", text="x")] * 3, says("ok")), kit.tools, interactive=True), MODES_BY_ID["react"]
    ).start()
    lines = await approving(run, "once")
    assert kit.ran_names() == ["save", "save", "save"]
    assert len(of(lines, Approval)) == 1


async def test_the_third_identical_call_that_fails_is_not_made_where_nobody_can_be_asked() -> None:
    kit = Kit()
    model = scripted(*[call("broken")] * 3, call("add", a=1), call("add", a=1), call("add", a=1), says("ok"))
    lines = await run_mode("react", model, kit.tools, approve="none", settings={"max_steps": 20})
    assert kit.ran_names() == ["broken", "broken", "add"]
    results = of(lines, ToolReturned)
    assert [result.status for result in results] == ["error", "error", "denied", "ok", "repeat", "repeat"]
    assert "3 times in a row" in results[2].error["message"]


async def test_writes_that_differ_are_not_stuck() -> None:
    kit = Kit()
    model = scripted(*(call("save", text=text) for text in "aabab"), says("ok"))
    await run_mode("react", model, kit.tools, approve="none")
    assert len(kit.ran) == 5


# ---------------------------------------------------------------- permission


async def approving(run: Run, choice: str, **given: Any) -> list[Stamped]:
    """Answers every approval of the run alike."""
    async for line in run.events():
        if isinstance(line.event, Approval):
            assert run.approve(line.event.id, choice, **given)
    return await finish(run)


def asking(model: Any, kit: Kit, **given: Any) -> Run:
    ctx = context(model, kit.tools, interactive=True, settings={"tools": {"*": "ask"}}, **given)
    return Run(ctx, MODES_BY_ID["react"]).start()


async def test_approved_once_it_runs_once() -> None:
    kit = Kit()
    run = asking(scripted(call("save", text="a"), call("save", text="b"), says("ok")), kit)
    lines = await approving(run, "once")
    assert kit.ran_names() == ["save", "save"]
    assert len(of(lines, Approval)) == 2, "once is once"
    assert of(lines, Approval)[0].args == {"text": "a"}


async def test_approved_for_the_run_it_asks_no_more() -> None:
    kit = Kit()
    lines = await approving(asking(scripted(call("save", text="a"), call("save", text="b"), says("ok")), kit), "run")
    assert kit.ran_names() == ["save", "save"]
    assert len(of(lines, Approval)) == 1


async def test_a_grant_covers_its_subject_only() -> None:
    kit = Kit()
    model = scripted(
        call("fetch", host="a.example"), call("fetch", host="a.example", path="/2"), call("fetch", host="b.example"),
        says("ok"),
    )  # fmt: skip
    lines = await approving(asking(model, kit), "run")
    assert [approval.args["host"] for approval in of(lines, Approval)] == ["a.example", "b.example"]


async def test_a_grant_answers_what_was_asked_in_the_same_message() -> None:
    kit = Kit()
    lines = await approving(
        asking(scripted(calls(("save", {"text": "a"}), ("save", {"text": "b"})), says("ok")), kit), "run"
    )
    assert len(of(lines, Approval)) == 1
    assert len(kit.ran) == 2


async def test_denied_with_a_reason_the_model_reads_it() -> None:
    kit = Kit()
    model = scripted(call("save", text="a"), says("ok"))
    lines = await approving(asking(model, kit), "deny", reason="not today")
    assert kit.ran == []
    result = of(lines, ToolReturned)[0]
    assert (result.status, result.error["code"]) == ("denied", "DENIED")
    told = model.requests[1].turns[-1]
    assert isinstance(told, ResultTurn)
    assert "not today" in told.text
    assert of(lines, ApprovalAnswer)[0].reason == "not today"


@pytest.mark.parametrize("choice", ["", "yes", "ONCE", "allow", "deny"])
async def test_only_the_offered_choices_let_a_call_run(choice: str) -> None:
    kit = Kit()
    lines = await approving(asking(scripted(call("save", text="a"), says("ok")), kit), choice)
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].status == "denied"


async def test_edited_arguments_run_instead_of_those_asked_for() -> None:
    kit = Kit()
    await approving(asking(scripted(call("save", text="a"), says("ok")), kit), "once", args={"text": "better"})
    assert kit.ran == [("save", {"text": "better"})]


async def test_edited_arguments_are_checked_too() -> None:
    kit = Kit()
    lines = await approving(asking(scripted(call("save", text="a"), says("ok")), kit), "once", args={"text": 5})
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].error["code"] == "BAD_ARGUMENTS"


async def test_arguments_that_change_behind_an_approval_do_not_run() -> None:
    kit = Kit()
    run = asking(scripted(call("save", text="a"), says("ok")), kit)
    async for line in run.events():
        if isinstance(line.event, Approval):
            line.event.args["text"] = "something else"  # type: ignore[index]
            run.approve(line.event.id, "once")
    lines = await finish(run)
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].status == "denied"


def test_an_approval_is_bound_to_tool_and_arguments() -> None:
    tools = Kit().tools
    bound = call_hash(tools["fetch"], {"host": "a", "path": "/"})
    assert bound == call_hash(tools["fetch"], {"path": "/", "host": "a"})
    assert bound != call_hash(tools["fetch"], {"host": "a", "path": "/x"})
    assert bound != call_hash(tools["save"], {"host": "a", "path": "/"})


async def test_questions_come_one_after_the_other() -> None:
    kit = Kit()
    run = asking(scripted(calls(("save", {"text": "a"}), ("fetch", {"host": "h"})), says("ok")), kit)
    opened = 0
    async for line in run.events():
        if isinstance(line.event, Approval):
            opened += 1
            for _ in range(10):
                await asyncio.sleep(0)
            assert len(of(run._log, Approval)) == opened, "the next waits for this answer"
            run.approve(line.event.id, "once")
    assert opened == 2
    await finish(run)


@pytest.mark.parametrize(("approve", "ran"), [("all", ["save"]), ("none", []), ("ask", [])])
async def test_without_a_person_ask_is_decided_by_approve(approve: str, ran: list[str]) -> None:
    kit = Kit()
    settings = {"tools": {"save": "ask"}}
    await run_mode("react", scripted(call("save", text="a"), says("ok")), kit.tools, settings=settings, approve=approve)
    assert kit.ran_names() == ran


async def test_approve_all_never_passes_a_deny() -> None:
    kit = Kit()
    settings = {"tools": {"*": "allow"}, "permissions": [{"tool": "save", "word": "deny"}]}
    lines = await run_mode(
        "react", scripted(call("save", text="a"), says("ok")), kit.tools, settings=settings, approve="all"
    )
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].status == "denied"


# ---------------------------------------------------------------- hooks


async def test_a_hook_changes_arguments_before_they_are_checked_and_asked_for() -> None:
    kit = Kit()
    hooks = Hooks(before=[lambda name, args: {**args, "a": int(args["a"])}])
    await run_mode("react", scripted(calls(("add", {"a": "7"})), says("7")), kit.tools, hooks=hooks)
    assert kit.ran == [("add", {"a": 7, "b": 0})]


async def test_a_hook_that_says_none_blocks() -> None:
    kit = Kit()
    lines = await run_mode(
        "react", scripted(call("add", a=1), says("ok")), kit.tools, hooks=Hooks(before=[lambda name, args: None])
    )
    assert kit.ran == []
    assert (of(lines, ToolReturned)[0].status, of(lines, ToolReturned)[0].error["code"]) == ("blocked", "DENIED")


async def test_a_hook_that_raises_blocks_before_and_is_passed_over_after() -> None:
    def bad(*_args: Any, **_named: Any) -> Any:
        raise RuntimeError("hook")

    kit = Kit()
    blocked = await run_mode("react", scripted(call("add", a=1), says("ok")), kit.tools, hooks=Hooks(before=[bad]))
    assert kit.ran == []
    assert of(blocked, ToolReturned)[0].status == "blocked"
    kept = await run_mode("react", scripted(call("add", a=1), says("ok")), kit.tools, hooks=Hooks(after=[bad]))
    assert of(kept, ToolReturned)[0].text == '1 + 0 = 1\n{"sum": 1}'


@pytest.mark.parametrize("returned", [["a"], "a", 7, True])
async def test_a_hook_that_returns_no_arguments_blocks(returned: Any) -> None:
    kit = Kit()
    hooks = Hooks(before=[lambda name, args: returned])
    lines = await run_mode("react", scripted(call("add", a=1), says("ok")), kit.tools, hooks=hooks)
    assert kit.ran == []
    assert of(lines, ToolReturned)[0].status == "blocked"


@pytest.mark.parametrize("returned", [None, b"bytes", {"a": 1}])
async def test_a_hook_that_returns_no_text_is_passed_over(returned: Any) -> None:
    hooks = Hooks(after=[lambda name, args, text: returned, lambda name, args, text: f"{text}!"])
    lines = await run_mode("react", scripted(call("add", a=1), says("ok")), hooks=hooks)
    assert of(lines, ToolReturned)[0].text == '1 + 0 = 1\n{"sum": 1}!'


async def test_a_hook_cannot_change_what_the_log_has_of_a_call() -> None:
    def before(name: str, args: Any) -> Any:
        args.clear()
        return {"text": "kept"}

    def after(name: str, args: Any, observation: str) -> str:
        args.clear()
        return observation

    kit = Kit()
    hooks = Hooks(before=[before], after=[after])
    lines = await run_mode("react", scripted(call("save", text="asked"), says("ok")), kit.tools, hooks=hooks)
    assert of(lines, ToolCalled)[0].args == {"text": "asked"}
    assert kit.ran == [("save", {"text": "kept"})]


async def test_a_hook_behind_a_call_changes_what_the_model_reads_only() -> None:
    ctx_lines: list[Stamped] = []
    model = scripted(call("add", a=1), says("ok"))
    run = Run(context(model, hooks=Hooks(after=[lambda name, args, text: "masked"])), MODES_BY_ID["react"]).start()
    ctx_lines = await finish(run)
    result = of(ctx_lines, ToolReturned)[0]
    assert (result.text, result.ok) == ("masked", True)
    whole = run.full_result(result.id)
    assert whole is not None
    assert whole.data == {"sum": 1}


# ---------------------------------------------------------------- long results


async def test_a_long_result_is_cut_for_the_model_and_kept_whole() -> None:
    model = scripted(call("long_text", length=10_000), says("ok"))
    run = Run(context(model, settings={"tool_result_max_length": 1_000}), MODES_BY_ID["react"]).start()
    result = of(await finish(run), ToolReturned)[0]
    assert (result.chars, result.kept_chars, result.truncated) == (10_000, 1_000, True)
    assert len(result.text) <= 1_000
    whole = run.full_result(result.id)
    assert whole is not None
    assert len(whole.data) == 10_000


async def test_a_batch_shares_its_room_and_short_results_leave_theirs_to_long_ones() -> None:
    settings = {"tool_result_max_length": 4_000, "tool_results_total_length": 6_000}
    batch = calls(("long_text", {"length": 500}), ("long_text", {"length": 9_000}), ("long_text", {"length": 9_001}))
    model = scripted(batch, says("ok"))
    lines = await run_mode("react", model, settings=settings)
    kept = {result.chars: result.kept_chars for result in of(lines, ToolReturned)}
    assert kept == {500: 500, 9_000: 2_750, 9_001: 2_750}
    assert sum(len(turn.text) for turn in model.requests[1].turns if isinstance(turn, ResultTurn)) <= 6_000


async def test_what_was_called_is_told_before_anything_runs() -> None:
    lines = await run_mode("react", scripted(calls(("add", {"a": 1}), ("add", {"a": 2})), says("ok")))
    kinds = [line.event.type for line in lines if isinstance(line.event, ToolCalled | ToolStarted)]
    assert kinds == ["tool_call", "tool_call", "tool_start", "tool_start"]


async def test_a_call_that_asks_the_same_in_other_words_is_answered_from_the_first() -> None:
    ran: list[str] = []

    @tool("pure", alike=lambda one, other: str(one["q"]).lower() == str(other["q"]).lower())
    def look(ctx: ToolContext, q: str) -> ToolResult:
        """Look."""
        ran.append(q)
        return ToolResult.success({"q": q}, f"found {q}")

    lines = await run_mode("react", scripted(call("look", q="Tea"), call("look", q="TEA"), says("ok")), {"look": look})
    first, second = of(lines, ToolReturned)
    assert ran == ["Tea"]
    assert (second.status, second.repeat, second.ok) == ("repeat", first.id, True)
    ran.clear()
    both = scripted(calls(("look", {"q": "Tea"}), ("look", {"q": "tea"}), ("look", {"q": "milk"})), says("ok"))
    lines = await run_mode("react", both, {"look": look})
    assert sorted(ran) == ["Tea", "milk"]

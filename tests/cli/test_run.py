"""`triptych run`: answers, events, exit codes and what is said when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.core.run.event_line import Stamped
from app.core.run.events import (
    BudgetLevel,
    LoopEnd,
    LoopError,
    LoopStart,
    ModeSelected,
    PlanMade,
    StepStart,
    SubRun,
    ToolReturned,
    ToolStarted,
)
from tests.cli.conftest import Triptych
from tests.fakes import call, calls, fails, of, says


def script(name: str, *turns: Any, **options: Any) -> str:
    """A script in the working folder, and its reference."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"turns": list(turns), **options}, ensure_ascii=False), encoding="utf-8")
    return f"script/{name}"


# ---------------------------------------------------------------- offline, the travel questions


@pytest.mark.parametrize(
    ("question", "mode"),
    [("你好！", "direct"), ("推荐几个美食城市", "react"), ("你好，帮我规划北京三日游", "plan")],
)
def test_the_travel_agent_answers_without_a_network(triptych: Triptych, question: str, mode: str) -> None:
    said = triptych("run", "--agent", "travel", "--events", question)
    lines = said.events()
    assert said.code == 0, said.err
    assert of(lines, ModeSelected)[0].mode == mode
    start, end = lines[0].event, lines[-1].event
    assert isinstance(start, LoopStart)
    assert start.model == "offline/rules"
    assert isinstance(end, LoopEnd)
    assert end.answer.strip()
    if mode == "plan":
        assert of(lines, PlanMade)
        assert "北京" in end.answer
        assert all(result.ok for result in of(lines, ToolReturned))


def test_plain_output_is_the_answer_and_the_rest_goes_to_stderr(triptych: Triptych) -> None:
    ref = script("s.json", {**call("calculator", expression="6*7"), "reasoning": "let me compute"}, says("It is 42."))
    told = triptych("run", "--model", ref, "--mode", "react", "6*7?")
    assert (told.code, told.out) == (0, "It is 42.\n")
    assert "6*7 = 42" in told.err
    assert "let me compute" not in told.err
    said = triptych("run", "--verbose", "--model", ref, "--mode", "react", "6*7?")
    assert (said.code, said.out) == (0, "It is 42.\n")
    assert all(text in said.err for text in ("let me compute", "[calculator", "6*7 = 42", "[answered · 2 steps"))


def test_the_question_comes_from_standard_input_in_chinese(triptych: Triptych) -> None:
    said = triptych(
        "run",
        "--events",
        "--model",
        script("s.json", says("好")),
        "--mode",
        "direct",
        "-",
        stdin="第一行\n第二行，成都\n",
    )
    start = said.events()[0].event
    assert isinstance(start, LoopStart)
    assert start.query == "第一行\n第二行，成都\n"


def test_script_paths_are_relative_with_forward_slashes(triptych: Triptych) -> None:
    ref = script("deep/er/s.json", says("found"))
    assert triptych("run", "--model", ref, "--mode", "direct", "x").out == "found\n"


# ---------------------------------------------------------------- settings of one run


def test_settings_are_given_by_key_and_value(triptych: Triptych) -> None:
    ref = script("s.json", says("x"))
    said = triptych(
        "run", "--events", "--model", ref, "--set", "max_steps=3", "--set", "enable_reflection=true",
        "--set", "system_prompt=be brief", "--mode", "react", "x",
    )  # fmt: skip
    start = said.events()[0].event
    assert isinstance(start, LoopStart)
    assert (start.settings["max_steps"], start.settings["enable_reflection"]) == (3, True)


def test_limits_hold(triptych: Triptych) -> None:
    ref = script("s.json", call("calculator", expression="1"), call("calculator", expression="2"), says("enough"))
    said = triptych("run", "--events", "--model", ref, "--mode", "react", "--set", "max_steps=3", "x")
    end = said.events()[-1].event
    assert isinstance(end, LoopEnd)
    assert end.stop_reason == "max_steps"


def test_plan_only_prints_the_plan_and_runs_nothing(triptych: Triptych) -> None:
    said = triptych("run", "--agent", "travel", "--plan-only", "--mode", "plan", "帮我规划成都两日游")
    plan = json.loads(said.out)
    assert said.code == 0
    assert [step["step"] for step in plan["steps"]] == list(range(1, len(plan["steps"]) + 1))
    assert {step["status"] for step in plan["steps"]} == {"pending"}


def test_plan_only_means_plan(triptych: Triptych) -> None:
    """`--plan-only` without a mode makes a plan, whatever Auto would have chosen."""
    said = triptych("run", "--agent", "travel", "--plan-only", "去成都")
    assert said.code == 0, said.err
    assert json.loads(said.out)["steps"]


def test_a_session_goes_on(triptych: Triptych) -> None:
    first = triptych("run", "--events", "--model", script("a.json", says("one")), "--mode", "direct", "first")
    session = first.events()[0].session
    again = triptych("run", "--events", "--model", script("b.json", says("two")), "--mode", "direct",
                     "--session", session, "second")  # fmt: skip
    assert again.events()[0].session == session
    shown = triptych("sessions", "show", session, "--json").json
    assert [message["parts"][0]["text"] for message in shown["messages"] if message["role"] == "user"] == [
        "first",
        "second",
    ]


# ---------------------------------------------------------------- exit codes


def test_a_failed_run_is_one(triptych: Triptych) -> None:
    said = triptych("run", "--model", script("s.json", fails("401")), "--mode", "direct", "x")
    assert (said.code, said.out) == (1, "")
    assert "AUTH" in said.err


def test_a_script_that_ends_is_one(triptych: Triptych) -> None:
    ref = script("s.json", call("calculator", expression="1"))
    said = triptych("run", "--events", "--model", ref, "--mode", "react", "x")
    end = said.events()[-1].event
    assert said.code == 1
    assert isinstance(end, LoopError)
    assert (end.reason, end.error.code) == ("api", "SCRIPT_END")


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["run", "--agent", "travell", "x"], "did you mean travel"),
        (["run", "--agent", "travel", "--mode", "reakt", "x"], "react"),
        (["run", "--model", "script/absent.json", "x"], "absent.json"),
        (["run", "--model", "nonsense", "x"], "provider/model"),
        (["run", "--model", "opnai/gpt", "x"], "unknown model"),
        (["run", "--agent", "travel", "--set", "max_step=3", "x"], "max_steps"),
        (["run", "--agent", "travel", "--set", "nothing", "x"], "KEY=VALUE"),
        (["run", "--agent", "travel", "--set", "temperature=9", "x"], "temperature: 9 is out of range: 0 to 2"),
        (["run", "--agent", "travel", "--set", "max_steps=99", "x"], "max_steps: 99 is out of range: 1 to 50"),
        (["run", "--agent", "travel", "--set", "max_retries=-1", "x"], "max_retries: -1 is out of range: 0 to 5"),
        (["run", "--agent", "travel", "  "], "nothing to send"),
        (["run", "--session", "no-such-session", "x"], "unknown session"),
        (["run", "--agent", "travel", "--set", 'budget={"tokns": 5}', "x"], "budget.tokns"),
        (["run", "--agent", "travel", "--set", 'permissions=[{"tol": "*"}]', "x"], "permissions.0.tol"),
        (["run", "--agent", "travel", "--set", 'hooks=[{"when": "now"}]', "x"], "hooks.1: when should be"),
        (["run", "--agent", "travel", "--set", 'output_schema={"type": "txt"}', "x"], "no JSON schema"),
        (["run", "--agent", "travel", "--set", "then=nobody", "x"], "unknown agent: nobody"),
        (["run", "--agent", "travel", "--set", 'subagents=["nobody"]', "x"], "unknown agent: nobody"),
        (["run", "--agent", "travel", "--plan-only", "--mode", "react", "x"], "--mode plan"),
        (["sessions", "search", "x", "--limit", "-1"], "-1"),
        (["runs", "replay", "x", "--speed", "nan"], "nan"),
        (["run"], "TEXT"),
        (["run", "--approve", "maybe", "x"], "maybe"),
        (["rum", "x"], "rum"),
        (["sessions", "show", "no-such-session"], "unknown session"),
        (["runs", "show", "no-such-run"], "unknown run"),
        (["agents", "show", "travell"], "did you mean travel"),
        (["tools", "call", "calculater"], "calculator"),
        (["tools", "call", "calculator", "--json", "{"], "no JSON"),
        (["tools", "call", "calculator", "--json", "[1]"], "object"),
    ],
)
def test_bad_arguments_are_two_and_say_what_is_near(triptych: Triptych, argv: list[str], told: str) -> None:
    said = triptych(*argv)
    assert said.code == 2, said.err
    assert told in said.err
    assert said.out == ""
    assert "Traceback" not in said.err


def test_bad_arguments_leave_no_empty_session_behind(triptych: Triptych) -> None:
    triptych("run", "--agent", "travel", "--mode", "reakt", "x")
    triptych("run", "--agent", "travel", "   ")
    triptych("run", "hello")
    assert triptych("sessions", "list", "--json").json == []


def test_without_a_model_it_is_three_and_says_what_to_do(triptych: Triptych) -> None:
    said = triptych("run", "hello")
    assert said.code == 3
    assert "OPENAI_API_KEY" in said.err


@pytest.mark.parametrize(
    ("ref", "told"),
    [("env/gpt-5", "OPENAI_API_KEY"), ("deepseek/deepseek-chat", "deepseek is not set up"), ("", "OPENAI_BASE_URL")],
)
def test_a_model_that_only_has_to_be_set_up_is_three(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch, ref: str, told: str
) -> None:
    if not ref:
        monkeypatch.setenv("OPENAI_BASE_URL", "nonsense")
    said = triptych("run", "--model", ref, "hello")
    assert said.code == 3
    assert told in said.err


def test_a_plan_that_does_not_come_about_is_no_answer(triptych: Triptych) -> None:
    said = triptych("run", "--plan-only", "--model", script("s.json", says("no plan"), repeat_last=True), "x")
    assert (said.code, said.out) == (1, "")
    assert "NO_PLAN" in said.err


def test_fields_without_a_question_mark_are_always_there(triptych: Triptych) -> None:
    ref = script("s.json", call("calculator", expression="1"), says("one"))
    out = triptych("run", "--events", "--model", ref, "--mode", "react", "x").out
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["repeat"] for line in lines if line["type"] == "tool_result"] == [None]
    assert all("ttft_ms" in line for line in lines if line["type"] == "step_end")


def test_a_used_up_budget_is_four(triptych: Triptych) -> None:
    ref = script("s.json", {**call("calculator", expression="1"), "usage": {"input": 900, "output": 0}}, says("x"))
    said = triptych("run", "--model", ref, "--mode", "react", "--set", 'budget={"tokens": 100}', "x")
    assert said.code == 4


def test_a_tool_that_is_refused_is_five(triptych: Triptych, tmp_path: Path) -> None:
    Path("strict.toml").write_text('id = "strict"\n', encoding="utf-8")
    assert triptych("agents", "import", "strict.toml").code == 0
    argv = ["tools", "call", "calculator", "--json", '{"expression": "1"}', "--agent", "strict"]
    assert triptych(*argv).code == 2, "a tool the agent has not is unknown to it"
    with (tmp_path / "data" / "profiles" / "strict.toml").open("a", encoding="utf-8") as profile:
        profile.write('[tools]\ncalculator = "deny"\n')
    said = triptych(*argv)
    assert (said.code, said.out) == (5, "")
    assert "denied to the agent strict" in said.err
    ok = triptych("tools", "call", "calculator", "--json", '{"expression": "1"}')
    assert (ok.code, ok.json["data"]["value"]) == (0, "1")


def test_headless_asks_are_refused_and_the_run_goes_on(triptych: Triptych) -> None:
    ref = script("s.json", calls(("calculator", {"expression": "1"})), says("I may not."))
    argv = ["run", "--events", "--model", ref, "--mode", "react", "--set", 'tools={"calculator": "ask"}']
    refused = triptych(*argv, "x")
    assert refused.code == 0
    assert [result.status for result in of(refused.events(), ToolReturned)] == ["denied"]
    allowed = triptych(*argv, "--approve", "all", "x")
    assert [result.status for result in of(allowed.events(), ToolReturned)] == ["ok"]
    denied = triptych(*argv[:-1], 'tools={"calculator": "deny"}', "--approve", "all", "x")
    assert of(denied.events(), ToolStarted) == []


def test_M15_events_of_a_sub_agent_name_their_parent(triptych: Triptych) -> None:
    from tests.grammar import check_grammar

    ref = script("s.json", call("task", agent="assistant", prompt="6*7?"), says("it is 42"), says("42, I was told"))
    said = triptych(
        "run", "--events", "--model", ref, "--mode", "react", "--agent", "travel", "--approve", "all",
        "--set", 'subagents=["assistant"]', "6*7?",
    )  # fmt: skip
    assert said.code == 0, said.err
    lines = [Stamped.from_json(json.loads(line)) for line in said.out.splitlines()]
    outer = [line for line in lines if line.parent is None]
    inner = [line for line in lines if line.parent is not None]
    check_grammar(outer)
    check_grammar(inner)
    assert [(one.id, one.agent) for one in of(outer, SubRun)] == [(inner[0].run, "assistant")]
    assert {line.parent for line in inner} == {outer[0].run}
    assert lines[-1] is outer[-1], "the last line is the end of the run that was asked for"


def test_a_used_up_session_is_four_without_a_request(triptych: Triptych) -> None:
    Path("data").mkdir()
    Path("data/preferences.toml").write_text("version = 1\n[session_budget]\ntokens = 100\n", encoding="utf-8")
    ref = script("s.json", {**says("one"), "usage": {"input": 130, "output": 0}})
    argv = ["--data-dir", "data", "run", "--model", ref, "--mode", "direct"]
    assert triptych(*argv, "x").code == 0
    session = triptych("--data-dir", "data", "sessions", "list", "--json").json[0]["id"]
    said = triptych(*argv, "--session", session, "--events", "y")
    assert said.code == 4
    assert [(level.scope, level.level) for level in of(said.events(), BudgetLevel)] == [("session", "pause")]
    assert of(said.events(), StepStart) == []
    assert "! budget of the session, tokens: 130 of 100\n" in triptych(*argv, "--session", session, "z").err


def test_for_the_address_of_one_call_that_of_the_service_is_offered(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1/chat/completions/")
    monkeypatch.setenv("OPENAI_MODEL", "m")
    said = triptych("run", "hello")
    assert said.code == 2
    assert "set OPENAI_BASE_URL=http://127.0.0.1:9/v1\n" in said.err


def test_a_key_that_cannot_be_read_ends_with_a_sentence_and_the_ways_out(
    triptych: Triptych, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Locked:
        def get_password(self, service: str, username: str) -> str:
            raise RuntimeError("locked")

    monkeypatch.setattr("app.storage.config.secrets.find_keyring", Locked)
    (tmp_path / "data").mkdir(exist_ok=True)
    entry = 'id = "mine"\nname = "Mine"\nbase_url = "http://127.0.0.1:9/v1"\nmodels = ["m"]\nhas_key = true\n'
    (tmp_path / "data" / "providers.toml").write_text(f"[[provider]]\n{entry}", "utf-8")
    said = triptych("run", "--model", "mine/m", "hello")
    assert (said.code, said.out) == (3, "")
    assert "the stored key of Mine cannot be read" in said.err
    assert "unlock the keyring" in said.err
    assert "KEY_UNREADABLE" in triptych("doctor").out


def test_at_a_terminal_a_call_is_allowed_denied_and_looked_at_with_one_letter(triptych: Triptych) -> None:
    """One sentence; the bytes are a letter away, and another question follows them. What is no yes denies."""
    args = {"expression": "1+1"}
    ref = script("s.json", calls(("calculator", args)), says("Two."))
    argv = ["run", "--model", ref, "--mode", "react", "--set", 'tools={"calculator": "ask"}', "x"]
    cases = [("d\ny\n", True, 2), ("y\n", True, 1), ("n\n", False, 1), ("\n", False, 1), ("r\n", True, 1)]
    wrong = []
    for typed, ran, asked in cases:
        said = triptych(*argv, typed=typed)
        if ("1+1 = 2" in said.err, said.err.count("[y] ")) != (ran, asked):
            wrong.append((typed, said.err))
    assert wrong == []


def test_at_a_terminal_a_call_is_allowed_for_good_by_a_word_and_by_nothing_less(triptych: Triptych) -> None:
    def asked(expression: str, typed: str) -> tuple[bool, int]:
        """Whether it ran, and how often it was asked."""
        ref = script("s.json", calls(("calculator", {"expression": expression})), says("Two."))
        argv = ["run", "--model", ref, "--mode", "react", "--set", 'tools={"calculator": "ask"}', "x"]
        said = triptych(*argv, typed=typed)
        return f"{expression} = " in said.err, said.err.count("[y] Allow once")

    assert asked("1+1", "a\n\nn\n") == (False, 2), "looked at, and back"
    assert asked("1+1", "a\n") == (False, 2), "the end of what is typed agrees to nothing"
    assert asked("1+1", "n\n") == (False, 1), "nothing was stored so far"
    assert asked("1+1", "a\ny\n") == (True, 1)
    assert asked("1+1", "") == (True, 0), "from now on it runs"
    assert asked("2+2", "n\n") == (False, 1), "exactly that, and nothing else"
    assert asked("2+2", "a\n*2+?*\n") == (True, 1)
    assert asked("2+9", "") == (True, 0), "a pattern of one's own"

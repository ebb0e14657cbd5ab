"""The other commands: what they print, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Triptych
from tests.cli.test_run import script
from tests.fakes import call, says
from tests.grammar import check_grammar


@pytest.fixture
def session(triptych: Triptych) -> str:
    ref = script("s.json", call("calculator", expression="6*7"), says("四十二"))
    return triptych("run", "--events", "--model", ref, "--mode", "react", "六乘七？").events()[0].session


def test_help_is_everywhere(triptych: Triptych) -> None:
    for argv in (
        [],
        ["run"],
        ["tools"],
        ["mcp"],
        ["agents"],
        ["models"],
        ["sessions"],
        ["runs"],
        ["doctor"],
        ["bench"],
    ):
        said = triptych(*argv, "--help")
        assert said.code == 0
        assert said.out.startswith("usage: triptych")


def test_the_version(triptych: Triptych) -> None:
    assert triptych("--version").out.startswith("triptych 0")


# ---------------------------------------------------------------- tools


def test_tools_are_listed_for_all_and_for_one_agent(triptych: Triptych) -> None:
    every = {tool["name"] for tool in triptych("tools", "list", "--json").json}
    travel = {tool["name"]: tool for tool in triptych("tools", "list", "--agent", "travel", "--json").json}
    assert {"calculator", "current_time", "search_cities"} <= every
    assert set(travel) <= every
    assert travel["search_cities"]["word"] == "allow"
    assert travel["search_cities"]["parameters"]["type"] == "object"
    plain = triptych("tools", "list").out
    assert plain.splitlines()[0].split() == ["tool", "class", "word", "what", "it", "does"]


def test_a_tool_is_called_by_hand(triptych: Triptych) -> None:
    said = triptych("tools", "call", "calculator", "--json", "-", stdin='{"expression": "2**10"}')
    assert (said.code, said.json["ok"], said.json["data"]["value"]) == (0, True, "1024")
    wrong = triptych("tools", "call", "calculator", "--json", '{"expression": {"of": 5}}')
    assert (wrong.code, wrong.json["error"]["code"]) == (1, "BAD_ARGUMENTS")
    failed = triptych("tools", "call", "calculator", "--json", '{"expression": "1/0"}')
    assert (failed.code, failed.json["error"]["code"]) == (1, "NO_RESULT")


def test_files_of_keys_are_refused_by_hand_until_the_person_names_them(triptych: Triptych) -> None:
    Path("picked/.git").mkdir(parents=True)
    for name in (".env", "server.key", ".git/config"):
        Path("picked", name).write_text("KEY=canary-77", encoding="utf-8")
    calls = [
        *[("read_file", {"path": path}) for path in (".env", "server.key", ".git/config")],
        ("read_file", {"file": ".env"}),
        ("grep", {"pattern": "canary", "path": ".env"}), ("move_path", {"from": ".env", "to": "plain.txt"}),
        ("write_file", {"path": ".env", "content": "x", "overwrite": True}),
        ("trash_path", {"path": "server.key"}),
    ]  # fmt: skip
    place = ("--agent", "workspace", "--folder", "picked")
    for name, given in calls:
        said = triptych("tools", "call", name, "--json", json.dumps(given), *place)
        assert (said.code, said.json["error"]["code"]) == (5, "DENIED"), given
        assert "--secrets" in said.json["error"]["message"]
        assert "canary-77" not in said.out
    assert sorted(one.name for one in Path("picked").iterdir()) == [".env", ".git", "server.key"]
    said = triptych("tools", "call", "read_file", "--json", '{"path": ".env"}', *place, "--secrets")
    assert (said.code, "canary-77" in said.out) == (0, True)


# ---------------------------------------------------------------- agents and models


def test_agents_are_listed_and_shown(triptych: Triptych) -> None:
    assert triptych("agents", "list", "--json").json[0]["id"] == "assistant"
    assert "travel" in triptych("agents", "list").out
    assert triptych("agents", "show", "travel").json["id"] == "travel"


def test_an_agent_goes_out_and_comes_in(triptych: Triptych) -> None:
    assert triptych("agents", "export", "travel", "mine.toml").code == 0
    assert Path("mine.toml").read_text(encoding="utf-8") == triptych("agents", "export", "travel").out
    said = triptych("agents", "import", "mine.toml")
    assert (said.code, said.out.splitlines()[0]) == (0, "travel-2")
    assert "tools" in said.out


def test_models_are_listed(triptych: Triptych, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [model["ref"] for model in triptych("models", "list", "--json").json] == ["offline/rules"]
    monkeypatch.setenv("OPENAI_API_KEY", "sk-000000")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-x")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    said = triptych("models", "list", "--json", "--probe").json
    assert {model["ref"] for model in said} >= {"env/gpt-x", "offline/rules"}
    assert next(model for model in said if model["ref"] == "env/gpt-x")["answers"] not in ("ok", "")
    assert "sk-000000" not in json.dumps(said)


# ---------------------------------------------------------------- sessions and runs


def test_sessions_are_listed_shown_and_renamed(triptych: Triptych, session: str) -> None:
    row = triptych("sessions", "list", "--json").json[0]
    assert (row["id"], row["title"], row["agent"]) == (session, "六乘七？", "assistant")
    shown = triptych("sessions", "show", session).out
    assert all(text in shown for text in ("六乘七？", "四十二", "[calculator: 6*7 = 42]"))
    assert triptych("sessions", "rename", session, "新名字").code == 0
    assert "新名字" in triptych("sessions", "list").out


def test_a_deleted_session_can_be_brought_back(triptych: Triptych, session: str) -> None:
    assert triptych("sessions", "delete", session).code == 0
    assert triptych("sessions", "list", "--json").json == []
    assert triptych("sessions", "restore", session).code == 0
    assert len(triptych("sessions", "list", "--json").json) == 1


def test_verify_finds_nothing_wrong(triptych: Triptych, session: str) -> None:
    assert (triptych("sessions", "verify").code, triptych("sessions", "verify").out) == (0, "no problems\n")


def test_runs_are_listed_and_replayed_as_they_were(triptych: Triptych, session: str) -> None:
    listed = triptych("runs", "list", "--session", session).out.splitlines()
    assert len(listed) == 2
    run = listed[1].split()[0]
    shown = triptych("runs", "show", run)
    check_grammar(shown.events())
    assert triptych("runs", "replay", run, "--speed", "1000").out == shown.out


def test_doctor_says_what_is_there(triptych: Triptych) -> None:
    said = triptych("doctor", "--json")
    facts = said.json
    assert said.code == 0, said.out
    assert (facts["database"], facts["data folder writable"]) == ("ok", "yes")
    assert facts["models"] == "offline/rules"
    assert "python" in triptych("doctor").out


def test_doctor_tells_of_damaged_settings(triptych: Triptych, tmp_path: Path) -> None:
    triptych("doctor")
    (tmp_path / "data" / "preferences.toml").write_text("[[[", encoding="utf-8")
    facts = triptych("doctor", "--json").json
    assert "preferences.toml" in facts["notice settings_reset"]


def test_the_data_folder_can_be_chosen(triptych: Triptych, tmp_path: Path) -> None:
    triptych("--data-dir", str(tmp_path / "elsewhere"), "sessions", "list")
    assert (tmp_path / "elsewhere").is_dir()
    assert not (tmp_path / "data").exists()


def test_damaged_stored_data_is_six_and_says_where_the_copy_is(
    triptych: Triptych, session: str, tmp_path: Path
) -> None:
    (tmp_path / "data" / "sessions.db").write_bytes(b"this is no database" * 100)
    said = triptych("sessions", "list")
    assert said.code == 6
    assert "sessions.db" in said.err
    assert "Traceback" not in said.err


def test_a_damaged_settings_file_is_told_by_every_command(triptych: Triptych) -> None:
    Path("data").mkdir()
    Path("data/preferences.toml").write_text("theme = [", encoding="utf-8")
    said = triptych("--data-dir", "data", "agents", "list")
    assert said.code == 0
    assert "preferences.toml could not be read" in said.err
    assert "it is kept as" in said.err


@pytest.mark.parametrize(
    "argument", ["triptych://open?server=sh", "https://evil.test/x", "file:///etc/passwd", "x.triptych.json"]
)
def test_T12_an_address_or_a_file_as_an_argument_opens_nothing(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch, argument: str
) -> None:
    opened: list[object] = []
    monkeypatch.setattr("app.main.open_window", opened.append)
    said = triptych(argument)
    assert (said.code, said.out, opened) == (2, "", [])
    assert "usage" in said.err


def test_a_bundle_says_that_it_carries_no_benchmarks(triptych: Triptych, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("importlib.util.find_spec", find)
    said = triptych("bench", "P11")
    assert said.code == 3
    assert "part of the source" in said.err


def test_a_figure_nobody_knows_is_no_empty_table(triptych: Triptych) -> None:
    said = triptych("bench", "P99")
    assert (said.code, said.out) == (2, "")
    assert "unknown figure: P99" in said.err


def test_ctrl_c_while_the_program_is_loaded_is_no_traceback(
    triptych: Triptych, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pressed(_argv: list[str]) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.cli.parser.parse", pressed)
    assert triptych("agents", "list").code == 4


def test_memory_is_added_to_listed_searched_and_forgotten_and_a_mistyped_id_forgets_nothing(triptych: Triptych) -> None:
    ids = [triptych("memory", "add", text).out.strip() for text in ("I live in Bern", "我对花生过敏")]
    assert triptych("memory", "add", "I live in Bern").out.strip() == "this is remembered already"
    found = json.loads(triptych("memory", "search", "花生", "--limit", "1", "--json").out)
    assert [(fact["text"], fact["state"]) for fact in found] == [("我对花生过敏", "kept")]
    refused = triptych("memory", "forget", ids[0], "nosuch")
    assert (refused.code, "nosuch" in refused.err) == (2, True)
    assert len(json.loads(triptych("memory", "list", "--json").out)) == 2
    assert (triptych("memory", "forget").code, triptych("memory", "forget", "--all", ids[0]).code) == (2, 2)
    assert "forgot 2 facts" in triptych("memory", "forget", *ids).out
    assert json.loads(triptych("memory", "export").out) == []

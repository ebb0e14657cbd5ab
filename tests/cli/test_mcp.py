"""MCP servers from the command line: seen, checked, called – and only those that were agreed to."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from app.compose import build
from app.core.text.i18n import set_language
from app.services.mcp.views import McpServerForm
from tests.cli.conftest import Triptych

EVIL = str(Path(__file__).parents[1] / "rigs" / "evil_mcp.py")


@pytest.fixture
def echo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A server that was agreed to, of the agent `tester`; and one nobody has looked at."""

    async def set_up() -> None:
        services = build(os.environ["TRIPTYCH_DATA_DIR"], {})
        await services.open()
        mcp = services.mcp
        await mcp.save_server(McpServerForm(name="new", command=sys.executable, args=(EVIL, "good")))
        id = await mcp.save_server(McpServerForm(name="echo", command=sys.executable, args=(EVIL, "good")))
        await mcp.reviews.accept_start(id, (await mcp.reviews.review(id)).fingerprint)
        await mcp.start(id)
        await mcp.reviews.accept_tools(id, mcp.reviews.tools(id).digest)
        profile = services.settings.profile("assistant").model_copy(update={"id": "tester", "mcp_servers": (id, "new")})
        await services.settings.save_profile(profile)
        await services.close()

    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)  # other tests have the processor too
    asyncio.run(set_up())
    return "echo"


def test_the_tools_of_agreed_servers_are_listed_and_called(triptych: Triptych, echo: str) -> None:
    tools = {tool["name"]: tool for tool in triptych("tools", "list", "--agent", "tester", "--json").json}
    assert tools["echo__echo"]["permission"] == "mcp"
    assert tools["echo__echo"]["word"] == "ask"
    assert not any(name.startswith("new__") for name in tools)
    said = triptych("tools", "call", "echo__echo", "--agent", "tester", "--json", json.dumps({"text": "你好"}))
    assert (said.code, said.json["data"]) == (0, "你好")
    assert triptych("tools", "call", "new__echo", "--agent", "tester", "--json", "{}").code == 2


def test_servers_are_listed_and_checked(triptych: Triptych, echo: str) -> None:
    rows = {row["id"]: row for row in triptych("mcp", "list", "--json").json}
    assert (rows["echo"]["state"], rows["new"]["state"]) == ("stopped", "off")
    assert "echo" in triptych("mcp", "list").out
    checked = triptych("mcp", "check", "echo", "--json").json
    assert (checked["state"], checked["tools"], checked["accepted"]) == ("running", ["echo__echo"], True)
    assert "echo__echo" in triptych("mcp", "check", "echo").out
    refused = triptych("mcp", "check", "new")
    assert refused.code == 2
    assert "agreed" in refused.err
    assert triptych("mcp", "check", "nobody").code == 2


def starts(folder: Path, text: str = "started") -> list[str]:
    """A command that leaves a mark when it is run."""
    script = folder / "leaves a mark.py"
    script.write_text(
        f"import pathlib\npathlib.Path({str(folder / 'mark')!r}).write_text({text!r}, 'ascii')\n", "ascii"
    )
    return [sys.executable, str(script)]


def hash_in(out: str) -> str:
    return next(line.split()[-1] for line in out.splitlines() if line.strip().startswith("hash:"))


def test_adding_starts_nothing_and_shows_what_would_run(triptych: Triptych, tmp_path: Path) -> None:
    command = starts(tmp_path)
    added = triptych("mcp", "add", "my thing", "--", *command, "--flag", "a\u202eb\nProgram: x")
    assert added.code == 0, added.err
    assert f"Program: {command[0]}" in added.out
    assert "  Argument: a⟦U+202E⟧b⟦U+000A⟧Program: x" in added.out.splitlines()
    assert "triptych mcp approve my-thing" in added.out
    refused = triptych("mcp", "approve", "my-thing")
    assert (refused.code, "nobody is there" in refused.err) == (5, True)
    assert triptych("mcp", "approve", "my-thing", "--hash", "0" * 64).code == 5
    assert triptych("mcp", "approve", "my-thing", typed="n\n").code == 5
    assert triptych("mcp", "check", "my-thing").code == 2
    assert triptych("mcp", "list", "--json").json[0]["state"] == "off"
    assert not (tmp_path / "mark").exists()
    agreed = triptych("mcp", "approve", "My Thing", "--hash", hash_in(added.out))
    assert (agreed.code, (tmp_path / "mark").exists()) == (0, False)
    triptych("mcp", "check", "my-thing")
    assert (tmp_path / "mark").exists()


def test_a_program_that_changed_since_it_was_shown_is_not_agreed_to(triptych: Triptych, tmp_path: Path) -> None:
    added = triptych("mcp", "add", "x", "--", *starts(tmp_path))
    starts(tmp_path, "something else")
    assert triptych("mcp", "approve", "x", "--hash", hash_in(added.out)).code == 5


def test_a_server_from_a_text_to_a_call(triptych: Triptych, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole way without the window: pasted with a blank, asked for, agreed to, its tools agreed to, called."""
    monkeypatch.setattr("app.mcp.connection.GREETING_SECONDS", 60.0)
    text = json.dumps({"mcpServers": {"echo": {"command": sys.executable, "args": [EVIL, "${input:mode}"]}, "b": 7}})
    refused = triptych("mcp", "add", "-", stdin=text)
    assert (refused.code, "mode" in refused.err, triptych("mcp", "list", "--json").json) == (2, True, [])
    added = triptych("mcp", "add", text, typed="good\n")
    assert added.code == 0, added.err
    assert "b: this is no server" in added.err
    assert "Argument: good" in added.out
    agreed = triptych("mcp", "approve", "echo", typed="y\ny\n")
    assert agreed.code == 0, agreed.err
    assert "echo__echo" in agreed.out
    assert triptych("mcp", "check", "echo", "--json").json["accepted"] is True
    assert "agreed to" in triptych("mcp", "approve", "echo").out
    assert triptych("mcp", "remove", "echo").code == 0
    assert triptych("mcp", "list", "--json").json == []
    assert triptych("mcp", "remove", "echo").code == 2


def test_values_are_given_by_name_and_kept_apart(triptych: Triptych, tmp_path: Path) -> None:
    line = "claude mcp add --transport http api https://api.example/mcp --header 'Authorization: Bearer <TOKEN>'"
    assert triptych("mcp", "add", line).code == 2
    given = triptych("mcp", "add", "--values-in-file", "--set", "token=s3cret canary", "--json", line)
    assert given.code == 0, given.err
    assert given.json[0]["lines"] == [["address", "https://api.example/mcp"], ["header", "Authorization"]]
    files = [
        path for path in Path(os.environ["TRIPTYCH_DATA_DIR"]).rglob("*.toml") if "canary" in path.read_text("utf-8")
    ]
    assert files == []
    assert "s3cret" not in given.out + given.err
    assert triptych("mcp", "add", "--set", "token", line).code == 2


def test_without_a_keyring_the_person_says_whether_a_file_will_do(triptych: Triptych) -> None:
    line = "claude mcp add --transport http api https://api.example/mcp --header 'Authorization: Bearer <TOKEN>'"
    refused = triptych("mcp", "add", "--set", "token=s3cret", line)
    assert (refused.code, "--values-in-file" in refused.err) == (1, True)
    assert triptych("mcp", "add", line, typed="s3cret\nn\n").code == 1
    assert triptych("mcp", "list", "--json").json == []
    assert triptych("mcp", "add", line, typed="s3cret\ny\n").code == 0
    assert [row["id"] for row in triptych("mcp", "list", "--json").json] == ["api"]
    assert triptych("mcp", "add", "--set", "token=other", "b", "https://b.example/mcp", "-H", "X: <token>").code == 0


def test_what_cannot_be_added_is_said(triptych: Triptych) -> None:
    cases = {
        (): "what should be added?",
        ("{",): "this is no JSON",
        ("please add it",): "no server in this text",
        ("x", "https://x.example/sse", "--transport", "sse"): "x: the old SSE transport is not supported",
        ("x", "http://x.example/mcp"): "x: plain http is for this computer",
        ("docker run -d -p 1:1 x/y-mcp",): "this starts a service of its own",
    }
    for words, expected in cases.items():
        refused = triptych("mcp", "add", *words)
        assert (refused.code, expected in refused.err) == (2, True), (words, refused.err)
    missing = triptych("mcp", "add", "x", "--", "no-such-program-anywhere")
    assert missing.code == 0
    assert "there is no program no-such-program-anywhere" in missing.out
    assert triptych("mcp", "approve", "x", "--hash", "0").code == 2


def test_setting_up_speaks_chinese(triptych: Triptych, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPTYCH_LANG", "zh_CN")
    set_language("zh_CN")
    try:
        texts = [
            triptych("mcp", "add", "x", "--", *starts(tmp_path)).out,
            triptych("mcp", "approve", "x", typed="n\n").err,
        ]
        texts += [triptych("mcp", "add", line).err for line in ("{", "claude mcp add x -e KEY=<key> -- npx y")]
    finally:
        set_language("en")
    for text, expected in zip(texts, ("还没有启动任何东西", "未同意", "不是 JSON", "缺少这些值：KEY"), strict=True):
        assert expected in text


def test_without_servers_the_list_is_empty(triptych: Triptych) -> None:
    assert triptych("mcp", "list", "--json").json == []

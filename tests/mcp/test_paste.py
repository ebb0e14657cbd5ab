from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.mcp.config import ServerConfig, fetches_first, secret_origin, unpinned
from app.mcp.paste import free_id, read_paste


def pasted(value: Any) -> list[Any]:
    return read_paste(json.dumps(value))


def test_the_usual_block() -> None:
    text = """{
      // from the documentation
      "mcpServers": {
        "time": {"command": "uvx", "args": ["mcp-server-time", "--local-timezone=Asia/Shanghai"], },
        "GitHub": {"type": "http", "url": "https://api.example.org/mcp/", "headers": {"Authorization": "Bearer tok"}},
      },
    }"""
    time, github = read_paste(text)
    assert (time.config.id, time.config.command, time.config.args[0]) == ("time", "uvx", "mcp-server-time")
    assert time.config.transport == "stdio"
    assert (github.config.id, github.config.transport) == ("github", "http")
    assert github.config.headers == ("Authorization",)
    assert github.headers == {"Authorization": "Bearer tok"}
    assert "tok" not in repr(github.config)
    assert not github.config.enabled


def test_the_form_of_visual_studio_code() -> None:
    [found] = pasted(
        {
            "inputs": [{"id": "key", "type": "promptString", "password": True}],
            "servers": {"db": {"type": "stdio", "command": "npx", "args": ["-y", "db"], "env": {"K": "${input:key}"}}},
        }
    )
    assert found.inputs == ("K",)
    assert found.config.env == ("K",)
    assert found.env == {}


def test_one_bare_server_and_a_command_as_a_list() -> None:
    assert pasted({"command": "uvx", "args": ["x"]})[0].config.command == "uvx"
    assert pasted({"a": {"command": ["npx", "-y", "thing@1.0.0"]}})[0].config.args == ("-y", "thing@1.0.0")
    assert pasted({"mcp": {"servers": {"a": {"command": "x"}}}})[0].config.command == "x"


def test_what_would_enable_or_allow_is_not_taken_over() -> None:
    [found] = pasted(
        {"mcpServers": {"x": {"command": "y", "enabled": True, "autoApprove": ["*"], "tools": {"a": "allow"}}}}
    )
    assert not found.config.enabled
    assert found.config.tools == {}


def test_ids_are_made_of_names_and_never_taken_twice() -> None:
    ids = [one.config.id for one in pasted({"mcpServers": {"My Tool!": {"command": "a"}, "my tool": {"command": "b"}}})]
    assert ids == ["my-tool", "my-tool-2"]
    assert free_id("mcp-server-fetch", ()) == "fetch"
    assert free_id("地图", ()) == "server"
    assert free_id("x" * 99, ()) == "x" * 20


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ('{"a": 1}', "no server"),
        ("[]", "no server"),
        ('{"mcpServers": {"x": 7}}', "x: this is no server"),
        ('{"mcpServers": {"x": {"command": 7}}}', "x: command must be"),
        ('{"mcpServers": {"x": {"args": []}}}', "x: the command is missing"),
        ('{"mcpServers": {"x": {"command": "a", "env": ["K"]}}}', "x: env must be"),
        ('{"mcpServers": {"x": {"url": "http://example.org/"}}}', "plain http"),
        ('{"mcpServers": {"x": {"url": "https://e.org/sse", "type": "sse"}}}', "old SSE"),
        ('{"mcpServers": {"x": {"command": "a", "env": {"A=B": "c"}}}}', "cannot be the name"),
        ("[" * 100_000, "nested too deeply"),
        (" " * 300_000, "longer than"),
    ],
)
def test_what_is_wrong_is_said(text: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        read_paste(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(BadInput):
        read_paste(text)


@pytest.mark.parametrize(
    ("command", "args", "package"),
    [
        ("npx", ["-y", "server"], "server"),
        ("npx", ["-y", "@scope/server"], "@scope/server"),
        ("npx", ["-y", "@scope/server@1.2.3"], ""),
        ("npx", ["-y", "server@latest"], "server@latest"),
        ("npx", ["-y", "server@1.x"], "server@1.x"),
        ("C:\\nodejs\\npx.cmd", ["server"], "server"),
        ("uvx", ["mcp-server-time"], "mcp-server-time"),
        ("uvx", ["mcp-server-time==2026.10.19"], ""),
        ("uvx", ["mcp-server-time@2026.10.19"], ""),
        ("uvx", ["--from", "git+https://x.example/y", "y"], "git+https://x.example/y"),
        ("uvx", ["--from", "pkg==1", "tool"], ""),
        ("pipx", ["run", "thing"], "thing"),
        ("npx", ["./local.js"], ""),
        ("python", ["-m", "server"], ""),
        ("npx", [], ""),
    ],
)
def test_T13_packages_without_a_version(command: str, args: list[str], package: str) -> None:
    assert unpinned(command, args) == package


def test_programs_that_fetch_get_more_time() -> None:
    assert fetches_first(ServerConfig(id="a", command="/usr/bin/npx"))
    assert not fetches_first(ServerConfig(id="a", command="python"))
    assert not fetches_first(ServerConfig(id="a", transport="http", url="https://a.example/"))


def test_a_secret_is_bound_to_the_program_or_the_host() -> None:
    assert secret_origin(ServerConfig(id="a", command="/bin/x")) == "/bin/x"
    web = ServerConfig(id="a", transport="http", url="https://API.example.org/a/b?c")
    assert secret_origin(web) == "https://api.example.org"


@pytest.mark.parametrize("id", ["", "A", "a_b", "a--b", "-a", "a-", "a b", "a" * 25, "ä"])
def test_ids_that_are_refused(id: str) -> None:
    with pytest.raises(ValueError):
        ServerConfig(id=id, command="x")

"""What a server gets of the person's surroundings, seen by the server itself; and where its program is looked for."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from app.mcp import Hub, environment
from app.mcp.environment import passed_on
from app.mcp.facts import find_program
from tests.mcp.conftest import EVIL, call, plan_of

SERVER = Path(EVIL).read_text("utf-8")
GIVEN = {
    "HTTPS_PROXY": "http://proxy.example:3128", "no_proxy": "localhost,10.0.0.0/8", "LANG": "zh_CN.UTF-8",
    "TZ": "Asia/Shanghai", "DISPLAY": ":0", "XAUTHORITY": "/srv/u/.Xauthority", "UV_CACHE_DIR": "/cache",
    "npm_config_registry": "https://mirror.example/npm", "SSL_CERT_FILE": "/etc/ca.pem",
}  # fmt: skip
KEPT_BACK = {
    "HTTP_PROXY": "http://user:canary-1@proxy.example:3128", "http_proxy": "user:canary-2@proxy.example:3128",
    "UV_INDEX_URL": "https://canary-3@index.example/simple", "PIP_EXTRA_INDEX_URL": "https://a:canary-4@i.example/",
    "OPENAI_API_KEY": "canary-5", "AWS_SECRET_ACCESS_KEY": "canary-6", "SSH_AUTH_SOCK": "/canary-7",
    "NPM_TOKEN": "canary-8", "TRIPTYCH_API_TOKEN": "canary-9",
}  # fmt: skip


async def surroundings(hub: Hub, **fields: object) -> dict[str, str]:
    raw = await call(hub, plan_of("environment", **fields), text="a")
    told: dict[str, str] = json.loads(raw["content"][0]["text"])
    return told


async def test_a_server_gets_proxy_locale_display_and_package_managers_and_no_secret(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in {name for names in environment.PASSED.values() for name in names}:
        monkeypatch.delenv(name, raising=False)
    for name, value in {**GIVEN, **KEPT_BACK}.items():
        monkeypatch.setenv(name, value)
    told = await surroundings(hub)
    assert {name: told.get(name) for name in GIVEN} == GIVEN
    assert "canary" not in json.dumps(told)
    assert "HTTP_PROXY" in next(line for line in hub.log("environment") if "not passed on" in line)
    ticked = await surroundings(hub, id="ticked", proxy_password=True)
    assert ticked["HTTP_PROXY"] == KEPT_BACK["HTTP_PROXY"]
    assert [n for n in range(1, 10) if f"canary-{n}" in json.dumps(ticked)] == [1, 2]
    own = await surroundings(hub, id="own", env={"HTTPS_PROXY": "http://other.example"})
    assert own["HTTPS_PROXY"] == "http://other.example", "what the person set for the server holds"


def test_a_server_is_told_of_the_proxy_this_program_uses_where_the_environment_names_none() -> None:
    assert passed_on({}, proxy="http://p.example:1").values["https_proxy"] == "http://p.example:1"
    assert passed_on({"ALL_PROXY": "http://q.example"}, proxy="http://p.example:1").names == ("ALL_PROXY",)
    assert passed_on({}, proxy="http://u:p@p.example:1").names == ()


@pytest.mark.skipif(sys.platform == "win32", reason="no login shell there")
async def test_started_from_a_desktop_programs_are_found_where_the_login_shell_finds_them(
    hub: Hub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home, tools = tmp_path / "home", tmp_path / "version manager" / "bin"
    tools.mkdir(parents=True)
    home.mkdir()
    runner = tools / "npx-of-the-person"
    runner.write_text(f"#!{sys.executable}\n" + SERVER, "utf-8")
    runner.chmod(0o755)
    (home / ".profile").write_text(f'echo "a banner"\nexport PATH="{tools}:relative/bin:$PATH"\n', "utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("SHELL", "/bin/sh")
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.setattr(os, "isatty", lambda _number: False)
    environment.search_path.cache_clear()
    try:
        assert find_program("npx-of-the-person") == str(runner)
        told = await surroundings(hub, command="npx-of-the-person", args=("environment",))
        assert told["PATH"].split(":")[0] == str(tools)
        assert "relative/bin" not in told["PATH"]
    finally:
        environment.search_path.cache_clear()


@pytest.mark.skipif(sys.platform == "win32", reason="no login shell there")
def test_a_login_shell_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".profile").write_text("sleep 1000\n", "utf-8")
    monkeypatch.setattr(environment, "SHELL_SECONDS", 0.5)
    assert environment.login_path("/bin/sh") == ""
    assert environment.login_path("/no/such/shell") == ""

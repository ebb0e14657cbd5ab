"""What a person pastes from documentation, read as servers: every form, what it leaves open, what is wrong with it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.core.wording.reasons import known_reasons, reason_text
from app.services.mcp.paste.found import Pasted, PasteReading
from app.services.mcp.paste.naming import free_id
from app.services.mcp.paste.reading import LONGEST_PASTE, read_paste, read_words

PASTES = Path(__file__).parents[1] / "data" / "pastes"


def forms(file: str) -> Iterator[tuple[str, str, str]]:
    """Title, text, what is to be read."""
    for section in ("\n" + (PASTES / file).read_text("utf-8")).split("\n=== ")[1:]:
        title, _end, rest = section.partition("\n")
        text, _arrow, expected = rest.partition("\n--->\n")
        yield title, text, expected.strip()


def lines_of(text: str) -> str:
    try:
        return shown(read_paste(text))
    except BadInput as error:
        return f"! ! {error.params.get('reason')}"


def shown(reading: PasteReading) -> str:
    lines = [line_of(server) for server in reading.servers]
    return "\n".join([*lines, *(f"! {one.name} {one.error.params.get('reason')}" for one in reading.broken)])


def line_of(server: Pasted) -> str:
    config = server.config
    parts = [f"{config.id}: {server.line.replace(str(Path.home()), 'HOME')}"]
    parts += [f"env={','.join(config.env)}"] if config.env else []
    parts += [f"headers={','.join(config.headers)}"] if config.headers else []
    parts += [f"cwd={config.cwd}"] if config.cwd else []
    parts += [f"?{','.join(blank.name for blank in server.blanks)}"] if server.blanks else []
    return " ".join(parts)


def one(value: Any) -> Pasted:
    [found] = read_paste(value if isinstance(value, str) else json.dumps(value)).servers
    return found


@pytest.mark.parametrize("file", ["forms.txt", "held_back.txt"])
def test_every_form_is_read(file: str) -> None:
    found = [(title, lines_of(text), expected) for title, text, expected in forms(file)]
    wrong = [
        f"{title}\n  read:     {read!r}\n  expected: {expected!r}"
        for title, read, expected in found
        if read != expected
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_of_a_text_enables_or_allows() -> None:
    found = one({"mcpServers": {"x": {"command": "y", "enabled": True, "autoApprove": ["*"], "tools": {"a": "allow"}}}})
    assert not found.config.enabled
    assert found.config.tools == {}


def test_secrets_are_apart_from_what_is_stored_with_the_server() -> None:
    text = {
        "mcpServers": {"g": {"type": "http", "url": "https://a.example/", "headers": {"Authorization": "Bearer tok"}}}
    }
    found = one(text)
    assert found.headers == {"Authorization": "Bearer tok"}
    assert "tok" not in repr(found)


def test_values_are_put_in_where_the_text_left_them_open() -> None:
    found = one(
        {
            "inputs": [{"id": "dir", "description": "the folder", "default": "/srv"}],
            "mcpServers": {
                "x": {
                    "command": "npx",
                    "args": ["-y", "x", "${input:dir}", "--log=${input:dir}/log", "--api-key", "YOUR_KEY"],
                    "env": {"URL": "https://<user>:<pass>@h/", "TOKEN": "${env:TOKEN}", "EMPTY": "", "MODE": "fast"},
                }
            },
        }
    )
    blanks = {blank.name: blank for blank in found.blanks}
    assert list(blanks) == ["dir", "YOUR_KEY", "user", "pass", "TOKEN", "EMPTY"]
    assert (blanks["dir"].hint, blanks["dir"].default, blanks["TOKEN"].is_secret) == ("the folder", "/srv", True)
    assert found.env == {"MODE": "fast"}
    assert found.config.open_blanks == ("${input:dir}", "YOUR_KEY")
    some = found.filled({"dir": "/a b", "key": "k1", "user": "me"})
    assert some.config.args == ("-y", "x", "/a b", "--log=/a b/log", "--api-key", "k1")
    assert [blank.name for blank in some.blanks] == ["pass", "TOKEN", "EMPTY"]
    assert some.config.open_blanks == ()
    whole = some.filled({"PASS": "p${x}", "token": "t", "EMPTY": ""})
    assert whole.env == {"MODE": "fast", "URL": "https://me:p${x}@h/", "TOKEN": "t", "EMPTY": ""}
    assert whole.blanks == ()


def test_the_folder_of_an_invented_person_is_asked_for_and_our_own_is_known() -> None:
    for person in ("/Users/" + "username/Desktop", "/home/" + "user/x", "/home/" + "yourname/x"):
        assert [blank.sign for blank in one({"command": "x", "args": [f"--dir={person}"]}).blanks] == [person]
    for home in ("~/x", "$HOME/x", "${HOME}/x", "${env:HOME}/x", "${userHome}/x"):
        assert one({"command": "x", "args": [home]}).config.args == (str(Path.home() / "x"),)


def test_a_bearer_token_is_given_without_its_word() -> None:
    found = one("claude mcp add --transport http a https://a.example/mcp --header 'Authorization: Bearer YOUR_TOKEN'")
    for name in ("YOUR_TOKEN", "TOKEN", "authorization"):
        assert found.filled({name: "t1"}).headers == {"Authorization": "Bearer t1"}


def test_an_address_is_checked_once_it_is_complete() -> None:
    found = one({"mcpServers": {"x": {"url": "http://<your-host>/mcp?key=${KEY}"}}})
    assert found.filled({"your_host": "127.0.0.1:80", "KEY": "k"}).config.url == "http://127.0.0.1:80/mcp?key=k"
    with pytest.raises(BadInput, match="plain http"):
        found.filled({"your_host": "far.example.org", "KEY": "k"})


def test_words_of_a_command_line() -> None:
    cases = {
        "https://mcp.notion.com/mcp": "notion: https://mcp.notion.com/mcp",
        "time|--|uvx|mcp-server-time|--local-timezone=UTC": "time: uvx mcp-server-time --local-timezone=UTC",
        "time|uvx|mcp-server-time|--local-timezone=UTC": "time: uvx mcp-server-time --local-timezone=UTC",
        "npx|-y|a-mcp|--port|3": "a: npx -y a-mcp --port 3",
        "--|/opt/thing|--stdio": "thing: /opt/thing --stdio",
        "--env|A=1|x|--|./run|-e|B=2": "x: ./run -e B=2 env=A",
        "x|-e|A=1|B=2|--|run": "x: run env=A,B",
        "--transport|http|--header|X-Key: a=b|x|https://x.example/": "x: https://x.example/ headers=X-Key",
        "x|https://x.example/|-H|X-Key: a": "x: https://x.example/ headers=X-Key",
        '{"mcpServers": {"x": {"command": "y"}}}': "x: y",
        'x|{"command": "y", "args": ["z"]}': "x: y z",
        "claude mcp add x -- npx y": "x: npx y",
        "claude|mcp|add|x|--|npx|y": "x: npx y",
        'code|--add-mcp|{"name":"x","command":"y"}': "x: y",
        "mcp-server-time": "time: mcp-server-time",
        "my_server": "my: my_server",
        "mcp-server-time|--local-timezone|UTC": "time: mcp-server-time --local-timezone UTC",
        "--name|x|--command|npx|--args|-y|--args|y": "x: npx -y y",
        "A=1|npx|y": "y: npx y env=A",
    }
    found = {words: shown(read_words(words.split("|"))) for words in cases}
    assert found == cases


def test_ids_are_made_of_names_and_never_taken_twice() -> None:
    text = json.dumps({"mcpServers": {"My Tool!": {"command": "a"}, "my tool": {"command": "b"}}})
    assert [server.config.id for server in read_paste(text, ["my-tool-2"]).servers] == ["my-tool", "my-tool-3"]
    assert free_id("mcp-server-fetch", ()) == "fetch"
    assert free_id("地图", ()) == "server"
    assert free_id("x" * 99, ()) == "x" * 20


def test_two_servers_that_differ_only_in_their_values_are_two() -> None:
    entry = {"command": "uvx", "args": ["db-mcp"]}
    text = {"mcpServers": {"a": {**entry, "env": {"DB": "1"}}, "b": {**entry, "env": {"DB": "2"}}}}
    assert [server.config.id for server in read_paste(json.dumps(text)).servers] == ["a", "b"]


def test_every_reason_has_its_sentence() -> None:
    lines = [line for _title, _text, expected in forms("forms.txt") for line in expected.splitlines()]
    found = {line.rpartition(" ")[2] for line in lines if line.startswith("!")}
    assert len(found) > 10
    assert found - {"None", "VALUE"} <= known_reasons()
    assert reason_text({"reason": "PASTE_OTHER", "name": "x"})


HOSTILE = {
    "brackets": "[" * 60_000,
    "braces": "{" * 60_000,
    "braces in prose": "a { " * 15_000,
    "keys": '{"a":' * 12_000,
    "yaml flow": "mcpServers: " + "[" * 60_000,
    "yaml blocks": "mcpServers:\n" + "".join(" " * n + "a:\n" for n in range(350)),
    "yaml question marks": "command: x\n" + "? " * 30_000,
    "yaml long key": "command: " + "a" * 60_000 + ": b",
    "toml tables": "[a." + "b." * 20_000 + "c]\nd = 1",
    "toml arrays": "[a]\nb = " + "[" * 60_000,
    "quotes": "npx '\n" * 10_000,
    "double quotes": 'npx "\\"\n' * 8_000,
    "backslashes": "npx " + "\\ " * 30_000,
    "windows": "npx " + "C:\\" * 20_000,
    "dollars": "npx " + "$(" * 30_000,
    "angles": "npx " + "<a" * 30_000,
    "paths": "npx " + "path/to/" * 8_000,
    "placeholders": json.dumps({"mcpServers": {"x": {"command": "a", "args": ["${A} <b> path/to"] * 199}}}),
    "your": "npx " + "your-" * 12_000,
    "fences": "```\n" * 16_000,
    "open fences": ("```json\n{\n" * 6_000),
    "backticks": "`npx a` " * 8_000,
    "links": "https://a.example/mcp " * 3_000,
    "comments": "/*" * 30_000,
    "many servers": json.dumps({"mcpServers": {f"s{n}": {"command": "x"} for n in range(1_800)}}),
    "a huge number": '{"mcpServers": {"x": {"command": "y", "timeout": ' + "9" * 4_000 + "}}}",
    "an endless number": '{"mcpServers": {"x": {"command": "y", "timeout": 1e999}}}',
    "an environment of lines": "export A=b\n" * 5_000 + "npx x",
    "cd": "cd a && " * 8_000 + "npx x",
    "semicolons": "npx x;" * 10_000,
    "blanks in a prompt": "PS " + " " * 60_000,
    "a long line": "npx " + "a" * 65_000,
}


def test_hostile_texts_are_read_or_refused() -> None:
    for title, text in HOSTILE.items():
        assert len(text) <= LONGEST_PASTE + 1_000, title
        with contextlib.suppress(BadInput):
            read_paste(text)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    for form in (text, f"npx {text}", f'{{"mcpServers": {{"x": {text}', f"mcpServers:\n  x:\n    command: {text}"):
        with contextlib.suppress(BadInput):
            read_paste(form)


KEYS = (
    "mcpServers servers mcp mcp_servers command cmd args env headers url type name packages remotes inputs server"
    " mcp_config requestOptions timeout x"
).split()
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(ANY_JSON)
def test_any_json_is_read_or_refused(value: Any) -> None:
    with contextlib.suppress(BadInput):
        read_paste(json.dumps(value))

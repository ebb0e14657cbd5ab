"""The JSON that servers' documentation gives: `mcpServers` (most programs), `servers` (VS Code), or one bare server."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from app.core.errors import BadInput

from .config import ServerConfig

LONGEST_PASTE = 256 * 1024
MOST_SERVERS = 50


@dataclass(frozen=True, slots=True)
class Pasted:
    """A server and the secret values that came with it. It is created disabled, whatever the text says."""

    config: ServerConfig
    env: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    """Names whose value the text leaves open (`${input:…}`)."""


def read_paste(text: str, taken: Iterable[str] = ()) -> list[Pasted]:
    """Raises BadInput that names the place. `taken` are ids that are in use."""
    if len(text) > LONGEST_PASTE:
        raise BadInput("the text is longer than 256 kB", reason="PASTE_LONG")
    try:
        whole = json.loads(_without_comments(text))
    except RecursionError as error:
        raise BadInput("this is no JSON: it is nested too deeply", reason="JSON_DEPTH") from error
    except ValueError as error:
        line, column = getattr(error, "lineno", 0), getattr(error, "colno", 0)
        place = f" (line {line}, column {column})" if line else ""
        raise BadInput(
            f"this is no JSON{place}", hint="paste the whole block, from { to }", reason="PASTE_JSON", line=line or 1
        ) from error
    servers = _servers(whole)
    if len(servers) > MOST_SERVERS:
        raise BadInput(f"more than {MOST_SERVERS} servers at once", reason="PASTE_SERVERS", most=MOST_SERVERS)
    ids = set(taken)
    found: list[Pasted] = []
    for name, raw in servers.items():
        one = _one(str(name), raw, ids)
        ids.add(one.config.id)
        found.append(one)
    return found


def _servers(whole: Any) -> Mapping[str, Any]:
    if isinstance(whole, dict):
        for key in ("mcpServers", "servers", "mcp_servers", "context_servers"):
            if isinstance(whole.get(key), dict) and whole[key]:
                inner: Mapping[str, Any] = whole[key]
                return inner
        if isinstance(whole.get("mcp"), dict):
            return _servers(whole["mcp"])
        if "command" in whole or "url" in whole:
            return {str(whole.get("name") or whole.get("command") or "server"): whole}
        if whole and all(isinstance(one, dict) and ({"command", "url"} & one.keys()) for one in whole.values()):
            return whole
    raise BadInput(
        "no server in this text",
        hint='it should look like {"mcpServers": {"name": {"command": "…", "args": []}}}',
        reason="PASTE_EMPTY",
    )


def _one(name: str, raw: Any, taken: set[str]) -> Pasted:
    if not isinstance(raw, dict):
        raise BadInput(f"{name}: this is no server", reason="PASTE_SERVER", place=name)
    command, args = raw.get("command", ""), raw.get("args", [])
    if isinstance(command, list):
        command, args = (command[0] if command else ""), [*command[1:], *(args if isinstance(args, list) else [])]
    if not isinstance(command, str) or not isinstance(args, list) or not all(isinstance(a, str | int) for a in args):
        raise BadInput(f"{name}: command must be a text and args a list of texts", reason="PASTE_COMMAND", place=name)
    url = raw.get("url") or raw.get("serverUrl") or raw.get("httpUrl") or ""
    if raw.get("type") == "sse":
        raise BadInput(
            f"{name}: the old SSE transport is not supported",
            hint="use the server's /mcp address",
            reason="PASTE_SSE",
            place=name,
        )
    env, headers = _texts(raw, "env", name), _texts(raw, "headers", name)
    values: dict[str, Any] = {
        "id": free_id(name, taken), "name": name[:80], "transport": "http" if url and not command else "stdio",
        "command": command, "args": tuple(str(arg) for arg in args), "env": tuple(env), "headers": tuple(headers),
        "cwd": raw.get("cwd") or "", "url": url if not command else "",
    }  # fmt: skip
    if isinstance(raw.get("timeout"), int | float) and not isinstance(raw["timeout"], bool):
        seconds = float(raw["timeout"])
        values["timeout"] = min(600.0, max(1.0, seconds / 1000 if seconds > 600 else seconds))
    try:
        config = ServerConfig.model_validate(values)
    except ValidationError as error:
        raise BadInput(f"{name}: {fault_of(error)}", place=name) from error
    held = {key: value for key, value in {**env, **headers}.items() if "${" in value}
    return Pasted(config, _given(env), _given(headers), tuple(held))


def fault_of(error: ValidationError) -> str:
    """The first thing wrong, in the validator's own words."""
    fault = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def free_id(name: str, taken: Iterable[str]) -> str:
    """An id made of the name."""
    base = re.sub(r"-+", "-", "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())).strip("-")
    for prefix in ("mcp-server-", "server-", "mcp-"):
        base = base.removeprefix(prefix)
    base = base[:20].strip("-") or "server"
    used = set(taken)
    return next(id for n in range(1, 1_000) if (id := base if n == 1 else f"{base}-{n}") not in used)


def _texts(raw: Mapping[str, Any], key: str, name: str) -> dict[str, str]:
    values = raw.get(key) or {}
    if not isinstance(values, dict) or not all(isinstance(v, str | int | float | bool) for v in values.values()):
        raise BadInput(f"{name}: {key} must be a list of names with texts", reason="FIELD", place=f"{name}: {key}")
    return {str(k): v if isinstance(v, str) else json.dumps(v) for k, v in values.items()}


def _given(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value and "${" not in value}


def _without_comments(text: str) -> str:
    """`//` lines and commas before a closing bracket, as editors' settings files have them."""
    out: list[str] = []
    place, in_text = 0, False
    while place < len(text):
        sign = text[place]
        if in_text:
            out.append(sign)
            if sign == "\\" and place + 1 < len(text):
                out.append(text[place + 1])
                place += 1
            elif sign == '"':
                in_text = False
        elif sign == '"':
            in_text = True
            out.append(sign)
        elif text.startswith("//", place):
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
            continue
        elif sign in "}]":
            while out and out[-1].isspace():
                out.pop()
            if out and out[-1] == ",":
                out.pop()
            out.append(sign)
        else:
            out.append(sign)
        place += 1
    return "".join(out).lstrip("\ufeff").strip()

"""The fields of one raw entry, under whichever names a program gives them, as texts by their place."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Final

from app.core.errors import BadInput

from .command_line import server_of
from .containers import ADDRESSES
from .found import Place
from .placeholders import signs_in, with_home
from .shell_text import assignments, split_words

_STDIO: Final = ("stdio", "local", "command", "process", "studio")
_CONTAINERS: Final = ("docker", "podman")
_FOLDERS: Final = ("cwd", "working_directory", "workingDirectory")
_SPLIT: Final = frozenset(
    {"npx", "uvx", "uv", "docker", "podman", "node", "python", "python3", "bunx", "deno", "pipx", "bun", "npm", "pnpm"}
)


def from_line(name: str, line: str) -> Any:
    """A whole server written as one text: its address or its command."""
    if line.startswith(("https://", "http://")):
        return {"url": line.strip()}
    own, words = assignments(split_words(line))
    servers = server_of(words, own, alone=True) if words else []
    if len(servers) != 1:
        raise BadInput("this is no server", reason="PASTE_SERVER", place=name)
    return servers[0].raw


def texts_of(raw: Mapping[str, Any]) -> tuple[dict[Place, str], tuple[str, ...]]:
    """Every text by its place, and the variables whose values are put into arguments when it starts."""
    kind = _kind(raw)
    url = next((raw[key] for key in ADDRESSES if isinstance(raw.get(key), str) and raw[key].strip()), "").strip()
    command, args, env = _command(raw)
    if not url and not command and kind in ("builtin", "platform", "frontend", "inline_python"):
        raise BadInput("this is a part of the program the text was written for", reason="PASTE_BUILTIN")
    if command and not (url and kind and _is_http(kind)):
        texts = _stdio_texts(command, args, env, raw)
        return texts, _expanded(texts)
    if not url:
        raise BadInput("it says neither what to run nor where to go", reason="PASTE_TARGET")
    if kind in ("sse", "legacy-sse") and not url.rstrip("/").endswith("/mcp"):
        raise BadInput(
            "the old SSE transport is not supported", hint="use the server's /mcp address", reason="PASTE_SSE"
        )
    if not _is_http(kind) and kind not in (*_STDIO, "sse", "legacy-sse"):
        raise BadInput(f"the transport {kind[:40]} is not supported", reason="PASTE_TRANSPORT", transport=kind[:40])
    complete = {name: value for name, value in env.items() if value and not signs_in(value)}
    texts = {("url", ""): _with_known(url, complete)}
    texts |= {("header", name): _with_known(value, complete) for name, value in _headers(raw).items()}
    return texts, ()


def _stdio_texts(command: str, args: list[str], env: dict[str, str], raw: Mapping[str, Any]) -> dict[Place, str]:
    if not args and " " in command.strip() and command.split(maxsplit=1)[0] in _SPLIT:
        command, *args = split_words(command)
    if command in ("env", "/usr/bin/env"):
        own, rest = assignments(args)
        env, command, args = {**env, **own}, *(rest[:1] or [""]), rest[1:]
    if command.lower() in ("cmd", "cmd.exe") and len(args) > 1 and args[0].lower() == "/c" and os.name != "nt":
        command, args = args[1], args[2:]
    if command in _CONTAINERS:
        args, more = _container_values(args)
        env = {**more, **env}
    cwd = next((raw[key] for key in _FOLDERS if isinstance(raw.get(key), str)), "")
    texts: dict[Place, str] = {("command", ""): command}
    texts |= {("arg", str(number)): with_home(_from_home(arg)) for number, arg in enumerate(args)}
    texts |= {("env", name): with_home(value) for name, value in env.items()}
    return texts | ({("cwd", ""): with_home(_from_home(cwd))} if cwd else {})


def _kind(raw: Mapping[str, Any]) -> str:
    for key in ("type", "transport", "transportType", "transport_type"):
        value = raw.get(key)
        if isinstance(value, dict):
            value = value.get("type")
        if isinstance(value, str):
            return value.strip().lower()
    return ""


def _is_http(kind: str) -> bool:
    """Streamable HTTP has many names: http, streamable-http, streamableHttp, streamable, remote."""
    return kind in ("", "remote", "url") or "http" in kind or kind.startswith("stream")


def _command(raw: Mapping[str, Any]) -> tuple[str, list[str], dict[str, str]]:
    """Program, arguments, variables."""
    inner = raw.get("command") if raw.get("command") is not None else raw.get("cmd")
    args, env = raw.get("args", raw.get("arguments")), _variables(raw)
    if isinstance(inner, dict):  # an older form of Zed
        args, env = inner.get("args", args), {**env, **_pairs(inner.get("env"), "env")}
        inner = inner.get("path") or inner.get("command") or ""
    if isinstance(args, str):
        args = split_words(args)
    args = [] if args is None else args
    if isinstance(inner, list) and isinstance(args, list):
        inner, args = (inner[0] if inner else ""), [*inner[1:], *args]
    inner = "" if inner is None else inner
    is_list = isinstance(args, list) and all(isinstance(arg, str | int | float) for arg in args)
    if not isinstance(inner, str) or not is_list:
        raise BadInput("command must be a text and args a list of texts", reason="PASTE_COMMAND")
    return inner.strip(), [arg if isinstance(arg, str) else json.dumps(arg) for arg in args], env


def _variables(raw: Mapping[str, Any]) -> dict[str, str]:
    env: dict[str, str] = {}
    for key in ("env_keys", "env_vars"):  # names whose values the program has elsewhere
        if isinstance(raw.get(key), list):
            env |= {str(name): "" for name in raw[key] if isinstance(name, str)}
    for key in ("env", "environment", "envs"):
        env |= _pairs(raw.get(key), key)
    return env


def _headers(raw: Mapping[str, Any]) -> dict[str, str]:
    headers: dict[str, str] = {}
    token, named = raw.get("bearer_token_env_var"), raw.get("env_http_headers")
    if isinstance(token, str) and token:
        headers["Authorization"] = "Bearer ${" + token + "}"
    for key in ("authorization_token", "bearerToken", "bearer_token"):
        if isinstance(raw.get(key), str) and raw[key]:
            headers["Authorization"] = f"Bearer {raw[key]}"
    if isinstance(named, dict):
        headers |= {str(name): "${" + str(variable) + "}" for name, variable in named.items()}
    for outer in ("requestOptions", "requestInit", "options"):
        if isinstance(raw.get(outer), dict):
            headers |= _pairs(raw[outer].get("headers"), "headers")
    for key in ("headers", "http_headers", "header"):
        headers |= _pairs(raw.get(key), key)
    return headers


def _pairs(value: Any, key: str) -> dict[str, str]:
    """A table of texts, or a list of `A=b`, `A: b`, `{name, value}`."""
    if value is None:
        return {}
    if isinstance(value, list):
        found: dict[str, str] = {}
        for row in value:
            if isinstance(row, dict) and ("name" in row or "key" in row):
                found[str(row.get("name", row.get("key")))] = str(row.get("value") or "")
            elif isinstance(row, str) and (cut := min((c for c in (row.find("="), row.find(":")) if c > 0), default=0)):
                found[row[:cut].strip()] = row[cut + 1 :].strip()
            else:
                raise _no_pairs(key)
        return found
    if not isinstance(value, dict) or not all(v is None or isinstance(v, str | int | float) for v in value.values()):
        raise _no_pairs(key)
    return {str(k): v if isinstance(v, str) else "" if v is None else json.dumps(v) for k, v in value.items()}


def _no_pairs(key: str) -> BadInput:
    return BadInput(f"{key} must be a list of names with texts", reason="FIELD", place=key)


def _container_values(args: list[str]) -> tuple[list[str], dict[str, str]]:
    """Values of `-e NAME=value` go where secrets go; the container is given the name."""
    kept, env, at = list[str](), dict[str, str](), 0
    while at < len(args):
        option, is_inline, pair = args[at].partition("=")
        if not is_inline:
            pair = "".join(args[at + 1 : at + 2])
        name, has_value, value = pair.partition("=")
        if option in ("-e", "--env") and has_value and name:
            env[name] = value
            kept += ["-e", name]
            at += 1 if is_inline else 2
        else:
            kept.append(args[at])
            at += 1
    return kept, env


def _from_home(text: str) -> str:
    return "${HOME}" + text[1:] if text.startswith("~/") else text


def _with_known(text: str, known: Mapping[str, str]) -> str:
    """An address or a header has no variables of its own: what the text gives for them is put in."""
    for sign in signs_in(text):
        if sign.variable in known:
            text = text.replace(sign.text, known[sign.variable])
    return text


def _expanded(texts: Mapping[Place, str]) -> tuple[str, ...]:
    """Arguments that refer to a variable of the same server are completed at the start, where its value is known."""
    names = {key for kind, key in texts if kind == "env"}
    used = [sign.variable for (kind, _key), text in texts.items() if kind == "arg" for sign in signs_in(text)]
    return tuple(dict.fromkeys(name for name in used if name in names))


def timeout_of(raw: Mapping[str, Any]) -> float:
    value = raw.get("tool_timeout_sec", raw.get("timeout"))
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        return 60.0
    return min(600.0, max(1.0, value / 1000 if value > 600 else float(value)))

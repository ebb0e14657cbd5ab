"""One command as a server: the line that runs it, or the line by which another program would be given it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

from app.core.errors import BadInput

from .containers import name_of, servers_in
from .found import PastedServer
from .json_text import read_json
from .naming import name_of_command, name_of_url
from .shell_text import assignments, is_variable, split_words

_PYTHONS: Final = frozenset({"python", "python3", "py", "pypy3"})
_RUN: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "npx": ((),), "bunx": ((),), "pnpx": ((),), "uvx": ((),), "mcp-remote": ((),),
    "npm": (("exec",), ("x",)), "pnpm": (("dlx",), ("exec",)), "yarn": (("dlx",),),
    "uv": (("run",), ("tool", "run"), ("--directory",), ("--project",)), "pipx": (("run",),), "bun": (("run",), ("x",)),
    "docker": (("run",), ("mcp", "gateway", "run"), ("compose", "run"), ("container", "run")),
    "podman": (("run",), ("container", "run")),
    "node": ((),), "deno": (("run",), ("-A",)), "tsx": ((),), "ts-node": ((),), "java": (("-jar",), ("-cp",)),
    "dotnet": (("run",), ("exec",), ("dnx",)), "dnx": ((),), "go": (("run",),), "cargo": (("run",),),
    "ruby": ((),), "php": ((),),
    **dict.fromkeys(_PYTHONS, ((),)),
}  # fmt: skip
"""Programs that run servers, and the words behind them with which they do."""
_STEPS: Final = frozenset(
    {"setup", "login", "logout", "install", "uninstall", "init", "add", "remove", "upgrade", "update", "doctor", "docs",
     "--help", "-h", "--version"}
)  # fmt: skip
"""What a package is told to do once, before it can serve."""
_NOT_SERVERS: Final = ("venv", "pip", "ensurepip", "create-", "playwright install", "playwright-core install", "build")
_CLIENTS: Final = frozenset(
    {"claude", "gemini", "codex", "amp", "qwen", "droid", "q", "kiro-cli", "copilot", "cursor", "cursor-agent", "code",
     "code-insiders", "windsurf", "goose", "opencode", "auggie", "openhands", "vibe", "triptych", "hermes",
     "openclaw", "rovodev", "env", "cmd", "cmd.exe", "fastmcp", "sudo", "cross-env", "codium", "kimi", "iflow"}
)  # fmt: skip
_ADDING: Final = ("add", "add-json", "set", "create")
_VALUED: Final[Mapping[str, str]] = {
    "-t": "type", "--transport": "type", "--type": "type", "--transport-type": "type",
    "-e": "env", "--env": "env", "-H": "headers", "--header": "headers", "--headers": "headers",
    "-n": "name", "--name": "name", "--command": "command", "--cmd": "command", "--args": "args", "--arg": "args",
    "--url": "url", "--http-url": "url", "--httpUrl": "url", "--uri": "url",
    "--bearer-token-env-var": "bearer_token_env_var", "--cwd": "cwd", "--timeout": "timeout",
    "-s": "", "--scope": "", "--description": "", "--include-tools": "", "--exclude-tools": "", "--client-id": "",
    "--callback-port": "", "--agent": "", "--workspace": "",
}  # fmt: skip
_FLAGS: Final = frozenset(
    {"--trust", "--force", "--global", "--user", "--project", "-g", "--client-secret", "--disabled", "--oauth"}
)
_CONTAINERS: Final = ("docker", "podman")
_SERVED: Final = frozenset({"http", "sse", "streamable-http", "streamable_http", "streamablehttp"})
_SCOPES: Final = ("user", "local", "project", "global", "workspace")


def is_command(words: Sequence[str]) -> bool:
    """Whether a line that begins with these is worth reading."""
    is_known = bool(words) and (_program(words[0]) in _RUN or _program(words[0]) in _CLIENTS)
    return is_known or (len(words) > 3 and words[1] == "mcp" and words[2] in _ADDING)


def server_of(words: Sequence[str], env: Mapping[str, str] | None = None, *, alone: bool = False) -> list[PastedServer]:
    """The servers a command runs or adds; none for steps of an installation.

    `alone`: there is nothing but this command, so that a program nobody knows counts as well. Raises BadInput.
    """
    words, env = list(words), dict(env or {})
    while words and _program(words[0]) in ("env", "sudo", "cross-env", "exec"):
        own, words = assignments(words[1:])
        env |= own
    if not words:
        return []
    if (found := _added(words, env)) is not None:
        return found
    words = _without_inspector(words)
    if not words:
        return []
    program = _program(words[0])
    if program in ("npx", "bunx") and (target := _installer(words)):
        return server_of(target, env, alone=True)
    is_closed = (
        words[1:2] == ["run"] and program in _CONTAINERS and not _is_open(words) and _not_stdio(program, words) is None
    )
    if not alone and (is_closed or not (_runs(words) or "mcp" in program)):
        return []  # a container that is not given a standard input is some other step
    if len(words) == 1 and _is_url(words[0]):
        return [PastedServer(name_of_url(words[0]), {"url": words[0]})]
    raw = {"command": words[0], "args": words[1:], "env": env}
    return [PastedServer(_name(words), raw, fault=_not_stdio(program, words))]


def read_added(words: Sequence[str], env: Mapping[str, str] | None = None) -> list[PastedServer]:
    """What is behind `mcp add`: options, a name, then an address, JSON, or a command. Raises BadInput."""
    own, rest = assignments(list(words))
    raw, name, target = _options(rest)
    raw["env"] = {**(env or {}), **own, **raw.get("env", {})}
    if len(target) == 1 and not _is_whole(target[0]) and " " in target[0].strip():
        target = split_words(target[0])
    if target and target[0].lstrip().startswith("{"):
        value = read_json(target[0])
        servers = servers_in(value) or [PastedServer(name, value)]
    elif target and _is_url(target[0]):
        servers = [PastedServer(name_of_url(target[0]), {"url": target[0]})]
    elif target:
        servers = server_of(target, alone=True)
    elif raw.get("url") or raw.get("command"):
        servers = [PastedServer(name_of({**raw, "name": name}), {"args": raw.get("args", [])})]
    else:
        return []
    return [PastedServer(name or one.name, _merged(one.raw, raw), one.inputs, one.fault) for one in servers]


def _options(words: Sequence[str]) -> tuple[dict[str, Any], str, list[str]]:
    """The values options give, the name, and what is run or asked."""
    raw: dict[str, Any] = {}
    name, target, at = "", list[str](), 0
    while at < len(words):
        word = words[at]
        at += 1
        option, equals, value = word.partition("=")
        if word == "--":
            target = target or list(words[at:])
            break
        if option in _VALUED:
            if not equals:
                value, at = "".join(words[at : at + 1]), at + 1
            at = _take(raw, _VALUED[option], value, words, at)
        elif word in _FLAGS or target:
            continue
        elif word.startswith("-"):
            target, name = [name, *words[at - 1 :]] if name else [], ""  # the word before was no name
            if target:
                break
        elif _is_whole(word) or (" " in word.strip() and "--" not in words[at:]):
            target = [word]
        elif name or "name" in raw or _runs(words[at - 1 :]):
            target = _without_scope(words[at - 1 :])
            break
        else:
            name = word
    name = str(raw.pop("name", name))
    if name and not target and not (raw.get("url") or raw.get("command")):
        return raw, "", [name]
    return raw, name, target


def _is_whole(word: str) -> bool:
    """An address or JSON; options may still be behind it."""
    return _is_url(word) or word.lstrip().startswith("{")


def _without_scope(words: Sequence[str]) -> list[str]:
    """A command's own words continue to the end, but for the scope that some write behind them."""
    is_scope = len(words) > 2 and words[-2] in ("-s", "--scope") and words[-1] in _SCOPES
    return list(words[:-2] if is_scope else words)


def _added(words: list[str], env: dict[str, str]) -> list[PastedServer] | None:
    """Of `claude mcp add …` and its like; None for any other command."""
    for place, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option in ("--add-mcp", "--mcp-config"):
            text = value if equals else "".join(words[place + 1 : place + 2])
            return servers_in(read_json(text)) if text.lstrip().startswith("{") else []
        if option in ("--with-extension", "--with-streamable-http-extension", "--with-remote-extension"):
            text = value if equals else "".join(words[place + 1 : place + 2])
            own, inner = assignments(split_words(text))
            return server_of(inner, {**env, **own}, alone=True)
    for place in range(1, min(len(words) - 1, 6)):
        if words[place] == "mcp" and _program(words[0]) not in _CONTAINERS:
            if words[place + 1] in _ADDING:
                return read_added(words[place + 2 :], env)
            return []
    return [] if _program(words[0]) in _CLIENTS and _program(words[0]) not in ("cmd", "cmd.exe") else None


def _take(raw: dict[str, Any], key: str, value: str, words: Sequence[str], at: int) -> int:
    """One option's value into `raw`; returns where to continue. `--env A=b C=d` takes several."""
    match key:
        case "env":
            values = [value]
            while at < len(words) and is_variable(words[at].partition("=")[0]) and "=" in words[at]:
                values, at = [*values, words[at]], at + 1
            env = raw.setdefault("env", {})
            for pair in values:
                pieces = pair.split(",")
                several = len(pieces) > 1 and all("=" in p and is_variable(p.partition("=")[0]) for p in pieces)
                for piece in pieces if several else [pair]:
                    name, equals, text = piece.partition("=")
                    env[name] = text if equals else "${" + name + "}"
        case "headers":
            cut = min((place for place in (value.find(":"), value.find("=")) if place > 0), default=0)
            if cut > 0:
                raw.setdefault("headers", {})[value[:cut].strip()] = value[cut + 1 :].strip()
        case "args":
            more = read_json(value) if value.startswith("[") and value.endswith("]") else value.split(",")
            raw.setdefault("args", []).extend(more)
        case "":
            pass
        case _:
            raw[key] = value
    return at


def _merged(raw: Any, options: Mapping[str, Any]) -> Any:
    """With what the options say; variables and headers beside those that are there."""
    if not isinstance(raw, dict):
        return raw
    tables = ("env", "headers")
    merged = {**raw, **{key: value for key, value in options.items() if value and key not in (*tables, "args")}}
    for key in tables:
        inner = raw.get(key)
        if options.get(key):
            merged[key] = {**(inner if isinstance(inner, dict) else {}), **options[key]}
    return merged


def _runs(words: Sequence[str]) -> bool:
    """Whether this is how a server is run, not a step before that."""
    forms = _RUN.get(_program(words[0]))
    plain = [word for word in words[1:] if word not in ("-y", "--yes")]
    if forms is None or (len(plain) > 1 and plain[1] in _STEPS):
        return False
    rest = " ".join(words[1:])
    if not rest or rest.startswith(("--version", "-v ", "--help")) or rest in ("-v", "-h"):
        return False
    if any(rest.removeprefix("-y ").removeprefix("-m ").startswith(word) for word in _NOT_SERVERS):
        return False
    return any(tuple(words[1 : 1 + len(form)]) == form for form in forms)


def _without_inspector(words: list[str]) -> list[str]:
    """The server a debugger was to start."""
    for place, word in enumerate(words[:4]):
        if word.startswith("@modelcontextprotocol/inspector"):
            rest = words[place + 1 :]
            while rest and rest[0].startswith("-"):
                rest = rest[2:] if rest[0] in ("-e", "--config", "--server") else rest[1:]
            return rest
    return words


def _installer(words: Sequence[str]) -> list[str]:
    """What a program that writes other clients' files was to install. Raises BadInput where that cannot be known."""
    plain = [word for word in words[1:] if not word.startswith("-")]
    package = plain[0].lstrip("@").partition("@")[0] if plain else ""
    if package in ("add-mcp", "install-mcp", "mcp-add") and len(plain) > 1:
        return split_words(plain[1]) if " " in plain[1] else [plain[1]]
    if package.endswith("/cli") and len(plain) > 1 and plain[1] in ("install", "add"):
        raise BadInput("this installs a server into another program", reason="PASTE_INSTALLER")
    return []


def _is_open(words: Sequence[str]) -> bool:
    """Whether a container is given a standard input, by `-i`, `-it` or the long word."""
    letters = [word for word in words if word.startswith("-") and word[1:].isalpha() and len(word) <= 4]
    return "--interactive" in words or any("i" in word for word in letters)


def _not_stdio(program: str, words: Sequence[str]) -> BadInput | None:
    """What serves an address, or a container that runs by itself, has no standard input."""
    values = {word.partition("=")[2] for word in words if word.startswith("--transport=")}
    values |= {words[place + 1] for place, word in enumerate(words[:-1]) if word == "--transport"}
    if values & _SERVED and not any(_is_url(word) for word in words):
        return _service(words)
    if program not in _CONTAINERS or words[1:2] != ["run"]:
        return None
    is_detached = "-d" in words or "--detach" in words
    if not is_detached and (_is_open(words) or not ("-p" in words or "--publish" in words)):
        return None
    return _service(words)


def _service(words: Sequence[str]) -> BadInput:
    return BadInput(
        f"{_name(words)}: this starts a service of its own", hint="start it yourself and paste its address",
        reason="PASTE_SERVICE", place=_name(words),
    )  # fmt: skip


def _name(words: Sequence[str]) -> str:
    bridge = any(word.startswith("mcp-remote") for word in words[:4])
    url = next((word for word in words if _is_url(word)), "") if bridge else ""
    return name_of_url(url) if url else name_of_command(words)


def _is_url(text: str) -> bool:
    return text.startswith(("https://", "http://")) and not any(sign.isspace() for sign in text)


def _program(word: str) -> str:
    name = PurePosixPath(word.replace("\\", "/")).name.lower()
    for ending in (".exe", ".cmd", ".bat"):
        name = name.removesuffix(ending)
    return name.partition("@")[0] if name.startswith("mcp-remote") else name

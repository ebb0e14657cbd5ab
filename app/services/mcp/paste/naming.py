"""What a server is called: by the text, else by its package, program or host."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Final

from app.mcp.config import host_of

_RUNNERS: Final = frozenset(
    {"npx", "bunx", "pnpx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "deno", "bun", "docker", "podman", "node",
     "python", "python3", "py", "java", "dotnet", "go", "ruby", "php", "cmd", "env", "sh", "bash", "tsx", "ts-node"}
)  # fmt: skip
_NO_NAMES: Final = frozenset(
    {"index", "main", "server", "run", "exec", "dlx", "tool", "dist", "build", "src", "bin", "x", "start", "mcp",
     "latest", "app", "out", "lib", "cli", "stdio", "compose", "stable"}
)  # fmt: skip
_HOST_PARTS: Final = frozenset(
    {"www", "mcp", "api", "app", "server", "com", "org", "net", "io", "dev", "ai", "co", "cn", "run"}
)
_FLAGS_OF_PACKAGES: Final = ("--package", "-p", "--from", "--spec", "-m", "-jar")
_VALUED: Final = frozenset(
    {"-e", "--env", "--env-file", "-v", "--mount", "--volume", "--directory", "--network", "--name", "-w", "--workdir",
     "-p", "--publish", "--user", "--platform", "--entrypoint", "--add-host", "--project", "--python", "--with"}
)  # fmt: skip
"""Options of runners with a value behind them; `-y` and the like have none."""


def free_id(name: str, taken: Iterable[str]) -> str:
    """An id made of the name."""
    base = re.sub(r"-+", "-", "".join(c if c.isascii() and c.isalnum() else "-" for c in name.lower())).strip("-")
    for prefix in ("mcp-server-", "server-", "mcp-"):
        base = base.removeprefix(prefix)
    base = base[:20].strip("-") or "server"
    used = set(taken)
    return next(id for n in range(1, 1_000) if (id := base if n == 1 else f"{base}-{n}") not in used)


def name_of_url(url: str) -> str:
    """`notion` of https://mcp.notion.com/mcp."""
    try:
        host = host_of(url)
    except ValueError:
        return "server"
    parts = [part for part in host.split(".") if part not in _HOST_PARTS and not part.isdigit()]
    return (parts[-1] if len(parts) > 1 and len(parts[-1]) > 2 else parts[0]) if parts else host or "server"


def name_of_command(words: Sequence[str]) -> str:
    """`time` of `uvx mcp-server-time`, `github` of `npx -y @modelcontextprotocol/server-github`."""
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] in _FLAGS_OF_PACKAGES and (name := _name_of_word(word)):
            return name
    skip = False
    for place, word in enumerate(words):
        if skip or word.startswith("-"):
            skip = not skip and word in _VALUED
            continue
        is_runner = word.casefold().removesuffix(".exe") in _RUNNERS
        if is_runner or (place and word in _NO_NAMES) or word.lower() == "/c":
            continue
        if name := _name_of_word(word):
            return name
    return PurePosixPath(words[0].replace("\\", "/")).name if words else "server"


def _name_of_word(word: str) -> str:
    """Of a package, an image or a file; "" if it says nothing."""
    text = word.replace("\\", "/").removeprefix("git+")
    if "://" in text:
        text = text.partition("://")[2].partition("#")[0].partition("?")[0].removesuffix(".git")
    scope = text.startswith("@")
    parts = [part for part in text.lstrip("@").split("/") if part not in ("", ".", "..")]
    if scope and parts:
        parts[-1] = parts[-1].partition("@")[0]
    for part in reversed(parts):
        stem = part.partition("@")[0].partition("==")[0].partition("[")[0] or part
        stem = stem.partition(":")[0] if not scope else stem
        for ending in (".py", ".js", ".mjs", ".cjs", ".ts", ".jar", ".exe", ".dll"):
            stem = stem.removesuffix(ending)
        for ending in ("-mcp-server", "-mcp", "-server", "_mcp_server", "_mcp", "_server"):
            stem = stem.removesuffix(ending)
        for begin in ("mcp-server-", "mcp_server_", "server-", "mcp-", "mcp_"):
            stem = stem.removeprefix(begin)
        if stem and stem.casefold() not in _NO_NAMES and any(sign.isalpha() for sign in stem):
            return stem
    return ""

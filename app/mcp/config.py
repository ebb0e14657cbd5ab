"""A server as a person sets it up. Values of environment variables and headers are secrets and stored elsewhere."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from app.core.profile import PermissionWord
from app.core.text.i18n import N_

Transport = Literal["stdio", "http"]

LONGEST_ARGUMENT = 8_192
_LOCAL_NAMES = ("localhost", "local", "lan", "internal", "home.arpa")
_RUNNERS = frozenset({"npx", "bunx", "pnpx", "uvx", "pipx", "uv", "npm", "pnpm", "yarn", "deno", "docker", "podman"})
"""Programs that may fetch something before they run it."""


_REFERENCE = re.compile(
    r"\$\{(?:env:)?(?P<braces>\w{1,80})(?::-[^{}]{0,200})?\}|\{env:(?P<bare>\w{1,80})\}|%(?P<percent>\w{1,80})%"
    r"|\$env:(?P<shell>\w{1,80})|\$(?P<dollar>\w{1,80})",
    re.ASCII,
)
"""A variable, as texts for different programs write it."""


class ServerConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(pattern=r"^[a-z0-9](?:-?[a-z0-9]){0,23}$")
    """The first half of its tools' names, so without an underscore."""
    name: str = Field("", max_length=80)
    transport: Transport = "stdio"
    command: str = Field("", max_length=4_096)
    args: tuple[str, ...] = Field((), max_length=200)
    env: tuple[str, ...] = Field((), max_length=60)
    """Names only."""
    cwd: str = Field("", max_length=4_096)
    url: str = Field("", max_length=8_192)
    headers: tuple[str, ...] = Field((), max_length=60)
    """Names only."""
    timeout: float = Field(60.0, ge=1, le=600)
    """Seconds for one call."""
    proxy_password: bool = False
    """A proxy's address is passed on to the program also where it holds a password."""
    expanded: tuple[str, ...] = Field((), max_length=60)
    """Variables whose values stand for `$NAME` in the arguments, put in when it starts."""
    blanks: tuple[str, ...] = Field((), max_length=60)
    """What a pasted text left open in the command, its arguments or the address, as it is written there."""
    unset: tuple[str, ...] = Field((), max_length=120)
    """Variables and headers that came without a value and have been given none since."""
    enabled: bool = False
    tools: Mapping[str, PermissionWord] = Field(default_factory=dict)
    """The person's word for a tool, by the server's own name for it; without one it asks."""

    def word_of(self, tool: str) -> PermissionWord:
        """By the server's own name of the tool."""
        return self.tools.get(tool, "ask")

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def open_blanks(self) -> tuple[str, ...]:
        """Those that nobody has replaced yet; while there is one the server is not started."""
        texts = (self.command, *self.args, self.url, self.cwd)
        return tuple(blank for blank in self.blanks if any(blank in text for text in texts))

    def with_values(self, env: Mapping[str, str]) -> ServerConfig:
        """As it is started: arguments that refer to its variables are complete. What a value holds stays as it is."""
        names = set(self.expanded) & env.keys()
        if not names:
            return self

        def value(match: re.Match[str]) -> str:
            name = match[match.lastgroup or 0]
            return env[name] if name in names else match[0]

        return self.model_copy(update={"args": tuple(_REFERENCE.sub(value, arg) for arg in self.args)})

    @field_validator("args")
    @classmethod
    def _short_arguments(cls, args: tuple[str, ...]) -> tuple[str, ...]:
        if any(len(arg) > LONGEST_ARGUMENT or "\0" in arg for arg in args):
            raise ValueError(N_("an argument is longer than 8,192 characters or holds a NUL"))
        return args

    @field_validator("env", "headers")
    @classmethod
    def _plain_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if not name or len(name) > 200 or not all("!" <= sign <= "~" and sign not in "=:" for sign in name):
                raise ValueError(N_("the name of a variable or header has a character it cannot have"))
        return tuple(dict.fromkeys(names))

    @model_validator(mode="after")
    def _has_a_target(self) -> ServerConfig:
        if self.transport == "stdio":
            if not self.command.strip() or "\0" in self.command:
                raise ValueError(N_("the command is missing"))
        elif not self.open_blanks:
            check_url(self.url)
        return self


def check_url(url: str) -> None:
    """https anywhere; http only to this machine or a private network. Raises ValueError."""
    if any(sign <= " " or sign in "\\\x7f" for sign in url):
        raise ValueError(N_("the address holds a space, a control character or a backslash"))
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise ValueError(N_("the address cannot be read")) from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError(N_("the address must begin with https:// and name a host"))
    if "@" in parts.netloc:
        raise ValueError(N_("the address carries a user name; put it into a header"))
    if parts.fragment:
        raise ValueError(N_("the address has a part behind #"))
    if parts.scheme == "http" and not is_near(host):
        raise ValueError(N_("plain http is for this computer and private networks only; use https"))


def is_near(host: str) -> bool:
    """This machine or a private network, by its name or address alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or any(host == name or host.endswith(f".{name}") for name in _LOCAL_NAMES)
    return is_near_address(address)


def is_near_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Link-local addresses are where clouds keep their credentials: never."""
    return (address.is_private or address.is_loopback) and not (address.is_link_local or address.is_unspecified)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def host_of(url: str) -> str:
    """ "" where there is none, as in an address that is not complete yet."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def secret_origin(config: ServerConfig) -> str:
    """What a secret value is bound to: another program or another host never gets it."""
    if config.transport == "stdio":
        return config.command
    scheme, _colon, rest = config.url.partition("://")
    return f"{scheme}://{rest.partition('/')[0].partition('?')[0]}".lower()


def fetches_first(config: ServerConfig) -> bool:
    """Whether the command may download what it runs: starting takes longer, and needs the network."""
    return config.transport == "stdio" and _program(config.command) in _RUNNERS


def folders_of(config: ServerConfig) -> tuple[str, ...]:
    """Where its relative paths may begin: where it is started, and the folders its command names."""
    if config.transport != "stdio":
        return ()
    named = (arg.rpartition("=")[2] if arg.startswith("-") else arg for arg in config.args)
    folders = (str(Path(arg).expanduser()) for arg in named if arg.startswith(("/", "~/")) and not PurePath(arg).suffix)
    return tuple(dict.fromkeys((config.cwd or str(Path.cwd()), *folders)))


def unpinned(command: str, args: Sequence[str]) -> str:
    """The package a runner would fetch in whatever version is newest; "" if there is none."""
    program = _program(command)
    if program not in ("npx", "bunx", "pnpx", "uvx", "pipx"):
        return ""
    package = next((arg for arg in _words(program, args) if not arg.startswith("-")), "")
    for flag in ("--package", "-p", "--from", "--spec"):
        for place, arg in enumerate(args):
            if arg == flag and place + 1 < len(args):
                package = args[place + 1]
            elif arg.startswith(f"{flag}=") and flag.startswith("--"):
                package = arg.partition("=")[2]
    if not package or package.startswith((".", "/")):
        return ""
    if program in ("uvx", "pipx"):
        pinned = "==" in package or ("@" in package and not package.endswith(("@latest", "@")) and "://" not in package)
    else:
        version = package.lstrip("@").partition("@")[2]
        pinned = bool(version) and version[0].isdigit() and "x" not in version.split("-")[0]
    return "" if pinned else package


def _words(program: str, args: Sequence[str]) -> list[str]:
    return list(args[1:]) if program == "pipx" and args[:1] == ["run"] else list(args)


def _program(command: str) -> str:
    name = PurePath(command.replace("\\", "/")).name.lower()
    for ending in (".exe", ".cmd", ".bat", ".ps1"):
        name = name.removesuffix(ending)
    return name

"""MCP servers as plain values for the window and the commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from app.core.profile import PermissionWord

McpTransport = Literal["stdio", "http"]
McpStatus = Literal["off", "review", "tools", "stopped", "starting", "running", "failed"]
"""`review`: what would be started waits for a look; `tools`: its tools do."""
LineMark = Literal["", "new", "gone"]


@dataclass(frozen=True, slots=True)
class McpServerEntry:
    """One server in a list."""

    id: str
    name: str
    transport: McpTransport
    what: str
    """The command line or the address."""
    enabled: bool
    state: McpStatus
    code: str = ""
    """What went wrong last, as a code; `why` is the sentence of whoever noticed it."""
    why: str = ""
    is_running: bool = False
    tool_count: int = 0
    version: str = ""
    """The protocol's, once it has been agreed on."""
    is_reviewed: bool = False
    """What is started was agreed to."""
    is_plain_http: bool = False
    """Over a network, and not encrypted."""
    is_usable: bool = False
    """Enabled and reviewed: its tools are offered to the agents that name it."""


@dataclass(frozen=True, slots=True)
class McpServerForm:
    """One server as a form edits it. Values that are stored are never shown again: None leaves one as it is, "" is one
    that is still to be given."""

    id: str = ""
    """ "" for a new one."""
    name: str = ""
    transport: McpTransport = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    cwd: str = ""
    url: str = ""
    headers: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    timeout: float = 60.0
    proxy_password: bool = False
    """The address of a proxy is passed on to the program also where it holds a password."""


@dataclass(frozen=True, slots=True)
class StartReviewLine:
    label: str
    """program, argument, folder, variable, proxy, file, address, header."""
    value: str
    mark: LineMark = ""


@dataclass(frozen=True, slots=True)
class StartReview:
    """What would be started, whole. `fingerprint` is what a consent is given for."""

    id: str
    name: str
    transport: McpTransport
    lines: tuple[StartReviewLine, ...]
    fingerprint: str
    is_first: bool
    unpinned: str = ""
    open_to_others: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Variables and headers that have no value yet."""
    is_plain_http: bool = False
    passed_on: tuple[str, ...] = ()
    """Variables of this program's own environment the server gets."""
    withheld: tuple[str, ...] = ()
    """Those it does not get because their value holds a password."""


@dataclass(frozen=True, slots=True)
class McpToolRow:
    name: str
    local_name: str
    """As models and permissions call it."""
    description: str
    length: int
    """Characters of the whole description."""
    schema: str
    """As the server sent it, JSON."""
    hints: Mapping[str, bool]
    """What the server says of its harmlessness; never believed."""
    word: PermissionWord
    change: Literal["", "new", "changed"] = ""
    before: str = ""
    after: str = ""
    is_suspicious: bool = False
    """The description holds characters that cannot be seen."""


@dataclass(frozen=True, slots=True)
class ToolsReview:
    """The tools as the server lists them now, or as they were accepted. `digest` is what a consent is given for."""

    rows: tuple[McpToolRow, ...] = ()
    gone: tuple[str, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    """Tools that are not offered, and why."""
    digest: str = ""
    is_accepted: bool = False
    is_first: bool = True


def marked_lines(before: tuple[tuple[str, str], ...], now: tuple[tuple[str, str], ...]) -> tuple[StartReviewLine, ...]:
    """The lines as they are, with what is new marked and what is gone at its end."""

    def mark(line: tuple[str, str]) -> LineMark:
        return "new" if before and line not in before else ""

    lines = [StartReviewLine(label, value, mark((label, value))) for label, value in now]
    return (*lines, *(StartReviewLine(label, value, "gone") for label, value in before if (label, value) not in now))

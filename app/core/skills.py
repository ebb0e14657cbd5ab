"""Skills in the open format: a folder with `SKILL.md`, a few facts at its head, and files beside it.

The head is read by rules of our own – lines of `key: value`, lists and one level of `metadata` – and by no YAML
library: an anchor, a tag or a nest of them is refused where it stands, so nothing in it can grow. A skill is text of
somebody else. It gives no right; `allowed-tools` can take some away for the rest of a run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .errors import BadInput
from .text.hidden import harmless, without_hidden

SKILL_FILE = "SKILL.md"
SKILL_TOOLS = ("load_skill", "read_skill_file")
"""Offered to an agent that has a skill, and to no other."""
SKILL_SEAM = "skills"
"""Its name among `ToolContext.resources`."""
PICKED = "folder:"
"""What the name of a skill of the picked folder begins with: it asks before its text is read."""
LONGEST_HEAD = 16_000
LONGEST_BODY = 200_000
"""Characters."""
LONGEST_DESCRIPTION = 1_024
MOST_LINES = 400
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_DEVICE = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
"""No folder can have such a name on Windows."""
_LINE = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,63}):(?:[ \t]+(.*))?")
_KNOWN = ("name", "description", "license", "compatibility", "allowed-tools", "metadata")


@dataclass(frozen=True, slots=True)
class Skill:
    name: str
    description: str
    body: str
    license: str = ""
    allowed_tools: tuple[str, ...] | None = None
    """None: it says nothing of them."""
    metadata: Mapping[str, str] = field(default_factory=dict)

    def to_text(self) -> str:
        """As its file says it."""
        head = [f"name: {self.name}", f"description: {_quoted(self.description)}"]
        if self.license:
            head.append(f"license: {_quoted(self.license)}")
        if self.allowed_tools is not None:
            head.append(f"allowed-tools: {' '.join(self.allowed_tools)}")
        if self.metadata:
            head += ["metadata:", *(f"  {key}: {_quoted(value)}" for key, value in self.metadata.items())]
        return "\n".join(["---", *head, "---", "", self.body.strip(), ""])


@dataclass(frozen=True, slots=True)
class SkillEntry:
    """A line of the catalogue."""

    name: str
    description: str


class SkillShelf(Protocol):
    """The skills of one run (`ToolContext.resources["skills"]`)."""

    async def load(self, name: str) -> tuple[Skill, Sequence[str]]:
        """With the names of the files beside it. Raises ToolError."""

    async def file(self, name: str, path: str) -> str:
        """The text of one of them. Raises ToolError."""

    def is_ours(self, name: str) -> bool:
        """Whether it ships with the program; any other one is text of others."""


def refused(reason: str, **params: str | int) -> BadInput:
    return BadInput(f"this is no skill: {reason}", hint="", reason=reason, **params)


def read_skill(text: str) -> Skill:
    """Raises BadInput."""
    if len(text) > LONGEST_HEAD + LONGEST_BODY:
        raise refused("SKILL_LARGE", most=LONGEST_BODY)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if not lines or lines[0].strip() != "---":
        raise refused("SKILL_HEAD")
    end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == "---"), 0)
    if not end or end > MOST_LINES or sum(map(len, lines[:end])) > LONGEST_HEAD:
        raise refused("SKILL_HEAD")
    facts = _facts(lines[1:end])
    name, description = facts.get("name"), facts.get("description")
    if not isinstance(name, str) or _NAME.fullmatch(name) is None or len(name) > 64 or _DEVICE.fullmatch(name):
        raise refused("SKILL_NAME")
    if not isinstance(description, str) or not 0 < len(description.strip()) <= LONGEST_DESCRIPTION:
        raise refused("SKILL_DESCRIPTION", most=LONGEST_DESCRIPTION)
    body = "\n".join(lines[end + 1 :]).strip()
    for part in ("\n".join(lines[1:end]), description, body):
        if harmless(part) != part or without_hidden(part)[1]:
            raise refused("SKILL_HIDDEN")
    return Skill(
        name, " ".join(description.split()), body, _text(facts.get("license")), _tools(facts.get("allowed-tools")),
        {key: str(value) for key, value in _table(facts.get("metadata")).items()},
    )  # fmt: skip


def _facts(lines: Sequence[str]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.fullmatch(line.rstrip())
        if match is None or match[1] in facts:
            raise refused("SKILL_LINE", line=line.strip()[:60])
        below: list[str] = []
        while at < len(lines) and (not lines[at].strip() or lines[at][:1] in " \t"):
            below.append(lines[at])
            at += 1
        if match[1] in _KNOWN:  # what else is there is nothing this program knows, and is skipped
            facts[match[1]] = _value((match[2] or "").strip(), below)
    return facts


def _value(given: str, below: Sequence[str]) -> Any:
    full = [line.strip() for line in below if line.strip()]
    if given[:1] in ("|", ">") and len(given) <= 2:
        return ("\n" if given[0] == "|" else " ").join(full)
    if given:
        return _scalar(" ".join([given, *full]))
    if full and all(line.startswith("- ") or line == "-" for line in full):
        return [_scalar(line[1:].strip()) for line in full]
    table: dict[str, Any] = {}
    for line in full:
        match = _LINE.fullmatch(line)
        if match is None or match[1] in table:
            raise refused("SKILL_LINE", line=line[:60])
        table[match[1]] = _scalar((match[2] or "").strip())
    return table


def _scalar(text: str) -> str:
    if text[:1] in "&*!{%@`":
        raise refused("SKILL_LINE", line=text[:60])
    if text.startswith("[") and text.endswith("]"):
        return " ".join(piece.strip().strip("\"'") for piece in text[1:-1].split(","))
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    return text


def tool_names(text: str) -> tuple[str, ...] | None:
    """Of the line `allowed-tools`, as a person writes it; None where it is empty."""
    return _tools(text.strip()) or None


def _tools(value: Any) -> tuple[str, ...] | None:
    if value is None or value == {}:
        return None
    words = value if isinstance(value, list) else re.split(r"[,\s]+(?![^()]*\))", str(value))
    return tuple(word for one in words if (word := str(one).strip()))


def _table(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str:
    return value[:500] if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    escaped = plain.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

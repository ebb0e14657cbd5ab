"""A server's list of tools, read leniently: an unusable tool is left out and named, the others stay.

The texts of a server are untrusted. A person sees them whole before the tools are offered; the model gets them
without hidden characters, shortened, and with the server's name in front. A server's `annotations` about harmless
tools are shown and never loosen a rule.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from app.core.text.i18n import _

from .names import is_tool_name, local_name, looks_like
from .schemas import Unfit, cleaned
from .texts import for_model, has_hidden

MOST_TOOLS: Final = 128
MOST_METADATA: Final = 64 * 1024
"""Characters of names, descriptions and schemas that one server may put before a model."""
MOST_SENT: Final = 512 * 1024
"""Characters of its schemas as it sent them, much of which no model sees: they are stored, and shown to the person."""
SHOWN_TO_MODEL: Final = 1_024
SHOWN_TO_PERSON: Final = 20_000
KEPT: Final = 4_000
"""Characters of a description that are stored for a comparison; the fingerprint covers all of it."""


@dataclass(frozen=True)
class ListedTool:
    name: str
    """As the server calls it."""
    description: str
    """As the server wrote it, cut at SHOWN_TO_PERSON."""
    description_length: int
    schema: Mapping[str, Any]
    """As the server sent it; `parameters` is what is used of it."""
    hints: Mapping[str, bool]
    fingerprint: str

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Never raises: `read_listing` has tried it."""
        return cleaned(self.schema)

    @cached_property
    def written_schema(self) -> str:
        """The schema as a person reads it."""
        return json.dumps(self.schema, ensure_ascii=False, indent=2, default=str)

    def local_name(self, server: str) -> str:
        return local_name(server, self.name)

    def for_model(self, title: str) -> str:
        """The description with its origin in front."""
        text = for_model(self.description, SHOWN_TO_MODEL)
        return f'[tool of the MCP server "{for_model(title, 80)}"] {text}'.rstrip()

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name, "description": self.description[:KEPT], "length": self.description_length,
            "schema": self.schema, "hints": dict(self.hints), "fingerprint": self.fingerprint,
        }  # fmt: skip

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> ListedTool:
        """Raises KeyError, TypeError, ValueError for what `to_json` did not write."""
        if not is_tool_name(raw["name"]) or not isinstance(raw["schema"], dict):
            raise ValueError("no tool")
        cleaned(raw["schema"])
        hints = {str(key): bool(value) for key, value in dict(raw.get("hints") or {}).items()}
        description = str(raw["description"])
        return cls(raw["name"], description, int(raw.get("length") or 0), raw["schema"], hints, str(raw["fingerprint"]))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool that is not offered, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class ToolListing:
    tools: tuple[ListedTool, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def digest(self) -> str:
        """Of all tools together: what a person's consent is bound to."""
        lines = sorted(f"{tool.name} {tool.fingerprint}" for tool in self.tools)
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_listing(raws: Iterable[Any]) -> ToolListing:
    """The tools of a list as it came over the wire."""
    tools: list[ListedTool] = []
    left_out: list[LeftOut] = []
    seen: dict[str, str] = {}
    room, room_sent = MOST_METADATA, MOST_SENT
    for raw in raws:
        try:
            if len(tools) >= MOST_TOOLS:
                raise Unfit(_("a server may bring {n} tools").format(n=MOST_TOOLS))
            tool = _read_tool(raw)
            twin = seen.get(looks_like(tool.name))
            if twin is not None:
                reason = _("this name is there twice") if twin == tool.name else _("it looks like {name}")
                raise Unfit(reason.format(name=twin))
            needed = len(tool.name) + min(len(tool.description), SHOWN_TO_MODEL)
            needed += len(json.dumps(tool.parameters, ensure_ascii=False))
            sent = len(json.dumps(tool.schema, ensure_ascii=False))
            if needed > room or sent > room_sent:
                raise Unfit(
                    _("the descriptions of this server's tools are longer than {n} kB").format(n=MOST_METADATA // 1024)
                )
        except Unfit as unfit:
            if len(left_out) < MOST_TOOLS:
                left_out.append(LeftOut(_called(raw), str(unfit)))
            continue
        room -= needed
        room_sent -= sent
        seen[looks_like(tool.name)] = tool.name
        tools.append(tool)
    return ToolListing(tuple(tools), tuple(left_out))


def _read_tool(raw: Any) -> ListedTool:
    """Raises Unfit."""
    if not isinstance(raw, dict):
        raise Unfit(_("it is no description of a tool"))
    name, description = raw.get("name"), raw.get("description")
    if not is_tool_name(name):
        raise Unfit(_("its name is not made of letters, digits, dot, - and _"))
    assert isinstance(name, str)
    schema = raw.get("inputSchema")
    cleaned(schema)
    assert isinstance(schema, dict)
    text = description if isinstance(description, str) else ""
    return ListedTool(name, text[:SHOWN_TO_PERSON], len(text), schema, _hints(raw), _fingerprint(raw))


def _hints(raw: Mapping[str, Any]) -> dict[str, bool]:
    annotations = raw.get("annotations")
    names = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
    return (
        {key: annotations[key] for key in names if isinstance(annotations.get(key), bool)}
        if isinstance(annotations, dict)
        else {}
    )


def _fingerprint(raw: Mapping[str, Any]) -> str:
    """Of everything that says what the tool is."""
    fields = {
        key: raw.get(key) for key in ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
    }
    text = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _called(raw: Any) -> str:
    name = raw.get("name") if isinstance(raw, dict) else None
    return name[:128] if isinstance(name, str) and name else "?"


def is_suspicious(tool: ListedTool) -> bool:
    """Its description holds characters that a reader cannot see."""
    return has_hidden(tool.description)


# ---------------------------------------------------------------- what changed


@dataclass(frozen=True, slots=True)
class ToolChange:
    """`kind`: new, gone, changed. `before` and `after` are texts to compare."""

    tool: str
    kind: str
    before: str = ""
    after: str = ""


def changes(before: Sequence[ListedTool], after: Sequence[ListedTool]) -> list[ToolChange]:
    old, new = {tool.name: tool for tool in before}, {tool.name: tool for tool in after}
    result = [ToolChange(name, "new", "", shown(tool)) for name, tool in new.items() if name not in old]
    result += [ToolChange(name, "gone", shown(tool), "") for name, tool in old.items() if name not in new]
    result += [
        ToolChange(name, "changed", shown(old[name]), shown(tool))
        for name, tool in new.items()
        if name in old and old[name].fingerprint != tool.fingerprint
    ]
    return sorted(result, key=lambda change: change.tool)


def shown(tool: ListedTool) -> str:
    """Everything of a tool as lines of text."""
    hints = [f"{key}: {str(value).lower()}" for key, value in tool.hints.items()]
    return "\n".join([tool.description[:KEPT], *hints, tool.written_schema])

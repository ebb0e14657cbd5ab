"""What fills the context of the next question: system prompt, tool definitions, messages, and each tool's results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Literal

from ...tools.tool import canonical_args
from ..chat_model import ToolSpec
from ..events import Compacted
from ..messages import Attachment, Call, Fact, Message, Reasoning, Text

LONG_SYSTEM = 16_000
"""Characters of system prompt from which a warning is due: every request pays for them."""

ContextKind = Literal["system", "tools", "said", "thinking", "file", "calls", "result"]
_FRAME = ("system", "tools")


@dataclass(frozen=True, slots=True)
class ContextItem:
    kind: ContextKind
    chars: int
    name: str = ""
    """Of the tool or the file."""
    count: int = 1
    """Messages or calls that are counted together."""
    id: str = ""
    """Of the call or the file: what may be left out of the next request; "" = this may not."""
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class ContextUse:
    items: tuple[ContextItem, ...]
    compacted: tuple[int, int] | None = None
    """Characters before and after the last time it was shortened."""

    @property
    def chars(self) -> int:
        """Of the conversation: what the limit is compared with, and what can be shortened."""
        return sum(item.chars for item in self.items if not item.left_out and item.kind not in _FRAME)

    @property
    def frame_chars(self) -> int:
        """Of instructions and tools, which go with every request beside it."""
        return sum(item.chars for item in self.items if item.kind in _FRAME)

    @property
    def has_long_system(self) -> bool:
        return any(item.kind == "system" and item.chars >= LONG_SYSTEM for item in self.items)


def context_use(
    system: str, messages: Iterable[Message], left_out: Collection[str] = (), tools: Sequence[ToolSpec] = ()
) -> ContextUse:
    """By the same parts that a request is made of; results and files each for itself, the rest in sums."""
    listed = list(messages)
    parts = [part for message in listed for part in message.parts]
    lengths = [len(part.text) for part in parts if isinstance(part, Text)]
    thoughts = [len(part.text) for part in parts if isinstance(part, Reasoning)]
    calls = [len(canonical_args(part.call.args)) for part in parts if isinstance(part, Call)]
    items = [
        ContextItem("system", len(system)),
        ContextItem("tools", sum(map(_definition_chars, tools)), count=len(tools)),
        ContextItem("said", sum(lengths), count=len(listed)),
        ContextItem("thinking", sum(thoughts), count=len(thoughts)),
        ContextItem("calls", sum(calls), count=len(calls)),
        *(
            ContextItem("file", len(part.text), part.name, id=part.ref, left_out=part.ref in left_out)
            for part in parts
            if isinstance(part, Attachment)
        ),
        *(
            ContextItem(
                "result", len(part.result.text), part.call.name, id=part.call.id, left_out=part.call.id in left_out
            )
            for part in parts
            if isinstance(part, Call) and part.result is not None
        ),
    ]
    facts = [part.event for part in parts if isinstance(part, Fact) and isinstance(part.event, Compacted)]
    last = facts[-1] if facts else None
    return ContextUse(
        tuple(item for item in items if item.chars), (last.before_chars, last.after_chars) if last else None
    )


def _definition_chars(tool: ToolSpec) -> int:
    return len(tool.name) + len(tool.description) + len(dumps(dict(tool.parameters), ensure_ascii=False))


def largest(items: Sequence[ContextItem], limit: int) -> tuple[list[ContextItem], list[ContextItem]]:
    """The `limit` largest, largest first, and the others."""
    ordered = sorted(items, key=lambda item: item.chars, reverse=True)
    return ordered[:limit], ordered[limit:]

"""One request to a model as it was sent, and the response: for the Raw view.

The sender masks keys; bodies are bounded. A model without a server (rules, a script) has no address: its body is the
conversation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

MASK = "$API_KEY"
"""Stands for a key: a shell puts in its own."""
KEPT_HEAD, KEPT_TAIL = 120_000, 60_000
"""Characters of a body that are kept."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    number: int = 0
    """Within its run, from 1."""
    step: int = 0
    purpose: str = ""
    model: str = ""
    method: str = ""
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    """JSON, unless it was cut."""
    status: int = 0
    """Of HTTP; 0 = there was no answer."""
    response_headers: Mapping[str, str] = field(default_factory=dict)
    response: str = ""
    """As it streamed in."""
    finish: str = ""
    error: str = ""
    ms: int = 0
    cut: bool = False
    """One of the bodies was too long and is kept in part."""

    def as_curl(self) -> str:
        """A command for a POSIX shell; the key comes from the environment. "" for a model that is no server."""
        if not self.url:
            return ""
        lines = [f"curl {_quoted(self.url)}"]
        lines += [f"  -H {_quoted(f'{name}: {value}')}" for name, value in self.headers.items()]
        return " \\\n".join([*lines, f"  --data-raw {_quoted(self.body)}"])

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> ModelCall:
        return cls(**{one.name: body[one.name] for one in fields(cls) if one.name in body})


def bounded(text: str) -> tuple[str, bool]:
    """`text` within the limits, and whether something of it is missing."""
    if len(text) <= KEPT_HEAD + KEPT_TAIL:
        return text, False
    left_out = len(text) - KEPT_HEAD - KEPT_TAIL
    return f"{text[:KEPT_HEAD]}\n[… {left_out:,} characters …]\n{text[-KEPT_TAIL:]}", True


def _quoted(text: str) -> str:
    """For a shell: in single quotes, except where the name of the key is to be put in."""
    if MASK in text:
        inner = text.replace("\\", "\\\\").replace('"', '\\"').replace("`", "\\`")
        return '"' + MASK.join(piece.replace("$", "\\$") for piece in inner.split(MASK)) + '"'
    return "'" + text.replace("'", "'\\''") + "'"

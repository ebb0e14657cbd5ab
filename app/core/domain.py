"""A trade an agent has, as a package brings it: its tools, and a folder laid out like `resources`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Domain:
    """`resources` holds `profiles/<agent>.toml` and, where it makes sense, `offline/<agent>.toml` and `data/…`."""

    name: str
    tools: tuple[Tool, ...] = ()
    resources: Path | None = None

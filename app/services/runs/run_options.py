"""Options of a single run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.agent.run_parts import ApproveRule
from app.core.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What one run does differently from its agent's profile."""

    agent: str = ""
    """Another one than the session's, for this run alone."""
    mode: str = ""
    model: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)
    """Profile fields by name, as `--set` gives them."""
    approve: ApproveRule = "ask"
    interactive: bool = True
    """Somebody is there to approve and to review a plan."""
    plan_only: bool = False
    tools: tuple[Tool, ...] = ()
    """Further ones for this run, such as those of a client of the local API."""

"""Hooks: what stands before and after every call of every tool, of every agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def before_tool_call(name: str, args: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments as they shall be; None blocks the call."""
    return {**args, "plant": args["plant"].lower()} if name == "care_of" and "plant" in args else args


def after_tool_call(name: str, args: Mapping[str, Any], observation: str) -> str:
    """What the model reads of the result."""
    return observation.replace("secret bed", "***")

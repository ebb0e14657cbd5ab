"""What a row of the presets is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Quirk:
    """`begins` and `contains` are alternatives; traits are fields of `ModelTraits`."""

    traits: Mapping[str, Any]
    begins: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()

    def fits(self, model: str) -> bool:
        return model.startswith(self.begins) or any(word in model for word in self.contains)


@dataclass(frozen=True, slots=True)
class Preset:
    id: str
    name: str
    name_zh: str
    base_url: str
    models: tuple[str, ...] = ()
    """A few to begin with; the list of the provider has them all."""
    key_page: str = ""
    needs_key: bool = True
    local: bool = False
    traits: Mapping[str, Any] = field(default_factory=dict)
    quirks: tuple[Quirk, ...] = ()
    list_headers: Mapping[str, str] = field(default_factory=dict)
    """What its list of models is asked with instead of the usual header; {key} stands for the key."""
    hosts: tuple[str, ...] = ()
    """Endings of the hosts that belong to it, where each customer has one."""


NO_SAMPLING: Final = ("temperature", "top_p", "presence_penalty", "frequency_penalty")
ECHO: Final = {"reasoning_field": "reasoning_content", "echo_reasoning": "always"}
THINKS: Final = {"local": True}
"""A model that thinks long before it writes gets the longer clocks."""

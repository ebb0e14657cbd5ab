"""What an approval card asks of the tool that wants to run, with arguments that may change meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Args = Mapping[str, Any]


@dataclass(frozen=True)
class AskedTool:
    """Nothing is known of it; whoever knows more overrides the three questions."""

    effect: str = ""
    """What it may touch."""
    server: str = ""
    """Whose it is, if it is not ours."""
    parameters: Mapping[str, Any] | None = None
    """Its schema, where the arguments can be changed."""

    @property
    def place(self) -> str:
        """The argument that names the file to be written; "" where there is none to choose."""
        return ""

    def subject(self, _args: Args) -> str | None:
        """What a rule about such arguments is compared with; None: it is never allowed for always."""
        return None

    def targets(self, _args: Args) -> Sequence[str]:
        """What a permission for such arguments is bound to: paths with their links followed, sites."""
        return ()

    def sentence(self, _args: Args) -> str:
        """What the call would do, by the tool's own code; "" where that says nothing."""
        return ""

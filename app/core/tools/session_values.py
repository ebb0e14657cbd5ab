"""What tools keep for later calls of the same conversation, in memory: a model need not copy out what it was given."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

SESSION_VALUES = "session_values"
"""The seam of `ToolContext.resources`."""
MOST = 64


class SessionValues:
    """Of the newest conversations. Tools run in threads: each step here is one step of the interpreter."""

    def __init__(self) -> None:
        self._of: OrderedDict[tuple[str, str], Any] = OrderedDict()

    def put(self, session: str, name: str, value: Any) -> None:
        """Nothing where there is no conversation, as for a tool called by hand."""
        if not session:
            return
        self._of.pop((session, name), None)
        self._of[session, name] = value
        while len(self._of) > MOST:
            self._of.popitem(last=False)

    def get(self, session: str, name: str) -> Any:
        return self._of.get((session, name))

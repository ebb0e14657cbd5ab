"""What stands before and after every tool call (agents.md 1.3).

`before` may change the arguments or block the call, by returning None or, with a reason for the
model, by raising ToolError; `after` may change what the model reads, never whether the call
succeeded. A hook that raises anything else blocks (before) or is passed over (after): the log has it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.core.errors import ToolError

log = logging.getLogger(__name__)


class BeforeToolCall(Protocol):
    def __call__(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None: ...


class AfterToolCall(Protocol):
    def __call__(self, name: str, args: Mapping[str, Any], observation: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Hooks:
    before: Sequence[BeforeToolCall] = field(default=())
    after: Sequence[AfterToolCall] = field(default=())

    def then(self, others: Hooks) -> Hooks:
        """Both, these first."""
        return Hooks((*self.before, *others.before), (*self.after, *others.after))

    def change_args(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments after every hook, or None: blocked. A hook that raises ToolError blocks with a reason."""
        for hook in self.before:
            try:
                changed = hook(name, deepcopy(args))  # what the log has of the call stays as it was asked
            except ToolError:  # it blocks, and says to the model why
                raise
            except Exception:  # a plug-in's code: whatever it raises, the call does not run
                log.warning("a hook before %s failed; the call is blocked", name, exc_info=True)
                return None
            if changed is None:
                return None
            if not isinstance(changed, dict):
                log.warning("a hook before %s returned %s; the call is blocked", name, type(changed).__name__)
                return None
            args = changed
        return args

    def change_observation(self, name: str, args: Mapping[str, Any], observation: str) -> str:
        for hook in self.after:
            try:
                changed = hook(name, deepcopy(dict(args)), observation)
            except Exception:  # a plug-in's code: what the tool said is kept
                log.warning("a hook after %s failed; the result is kept as it was", name, exc_info=True)
                continue
            if isinstance(changed, str):
                observation = changed
            else:
                log.warning("a hook after %s returned %s; the result is kept", name, type(changed).__name__)
        return observation

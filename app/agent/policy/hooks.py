"""Code that runs before and after every tool call (agents.md 1.3).

`before` may change the arguments or block the call: it returns None, or raises ToolError with a reason for the model.
`after` may change what the model reads, but not whether the call succeeded. A hook that raises anything else blocks
(before) or is ignored and logged (after). Hooks are plain functions on a thread; one that hangs is abandoned.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

from app.core import detached
from app.core.errors import ToolError
from app.core.text.i18n import N_

log = logging.getLogger(__name__)

HOOK_SECONDS = 30.0
"""For all hooks before a call, and again for all behind it."""


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

    async def before_call(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        """`change_args`, beside the loop. Hooks that hang block the call with a reason (ToolError)."""
        if not self.before:
            return args
        try:
            return await asyncio.wait_for(detached.in_thread(self.change_args, name, args), HOOK_SECONDS)
        except TimeoutError:
            late = N_("a hook before the call did not end within {n:g} s")
            raise ToolError("TIMEOUT", late, values={"n": HOOK_SECONDS}) from None

    async def after_call(self, name: str, args: Mapping[str, Any], observation: str) -> str:
        """`change_observation`, beside the loop. Where hooks hang the result is kept as it was."""
        if not self.after:
            return observation
        try:
            changing = detached.in_thread(self.change_observation, name, args, observation)
            return await asyncio.wait_for(changing, HOOK_SECONDS)
        except TimeoutError:
            log.warning("a hook after %s did not end; the result is kept as it was", name)
            return observation

    def change_args(self, name: str, args: dict[str, Any]) -> dict[str, Any] | None:
        """The arguments after every hook, or None: blocked. A hook that raises ToolError blocks with a reason."""
        for hook in self.before:
            try:
                with detached.contained():
                    changed = hook(name, deepcopy(args))  # what the log has of the call stays as it was asked
            except ToolError:  # it blocks, and says to the model why
                raise
            except (Exception, asyncio.CancelledError):  # a plug-in's code: whatever it raises, the call does not run
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
                with detached.contained():
                    changed = hook(name, deepcopy(dict(args)), observation)
            except (Exception, asyncio.CancelledError):  # a plug-in's code: what the tool said is kept
                log.warning("a hook after %s failed; the result is kept as it was", name, exc_info=True)
                continue
            if isinstance(changed, str):
                observation = changed
            else:
                log.warning("a hook after %s returned %s; the result is kept", name, type(changed).__name__)
        return observation

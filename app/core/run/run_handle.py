"""One run as its listeners see it: the window and the command line know this protocol, not `agent`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from .event_line import Stamped
from .events import Terminal

if TYPE_CHECKING:
    from ..tools.tool import ToolResult as ToolEnvelope
    from .model_call import ModelCall


class RunHandle(Protocol):
    """One run, as the window and the command line see it."""

    @property
    def id(self) -> str: ...

    @property
    def session(self) -> str: ...

    @property
    def is_running(self) -> bool: ...

    @property
    def seconds(self) -> float:
        """For how long it has been going on, by the clock its events are stamped with."""

    def events(self, *, gathered: bool = False) -> AsyncIterator[Stamped]:
        """From the first event to the terminal one. Several may listen; each gets all of them.

        `gathered`: text may come in larger pieces, a few at a time, up to 20 times a second; all else at once.
        """

    def cancel(self) -> None:
        """Stop. The terminal event follows within 2 s; a second call abandons what still hangs."""

    def answer_now(self) -> None:
        """The next step answers with what there is, tools off."""

    def retry_now(self) -> None:
        """After a `Retry`: do not wait for the rest of the countdown."""

    def one_more_round(self) -> None:
        """Allow one reflection round more than the limit."""

    def steer(self, text: str) -> bool:
        """Said to the model with its next request, then told as `Steered`; False: the run has ended.

        A run that ends before its next request has not taken it: only `Steered` says so.
        """

    def approve(
        self, approval_id: str, choice: str, *, args: Mapping[str, Any] | None = None, reason: str = ""
    ) -> bool:
        """Answer an `Approval`; False if nobody waits for it any more."""

    def answer(self, question_id: str, text: str) -> bool: ...

    def submit_plan(self, goal: str, steps: list[Mapping[str, Any]]) -> bool:
        """The plan as the person wants it; continues from the approval phase."""

    def keep_plan(self) -> bool:
        """To a new plan for the rest of the work: the old one continues, without what failed."""
        ...

    def control_plan(self, order: str, step: int = 0, value: Any = None) -> None:
        """While a plan runs: pause, resume, next (one step), skip, retry (`value`: other arguments),
        result (`value`: put in by hand)."""

    def raise_budget(self, limit: float | None) -> bool:
        """Answer a budget that is used up: the new limit, or None for "answer now"."""

    def requests(self) -> list[ModelCall]:
        """What went to the model so far and came back, as it was sent."""

    def full_result(self, call_id: str) -> ToolEnvelope | None:
        """The whole result of a call of this run."""

    async def result(self) -> Terminal:
        """The terminal event; never raises."""

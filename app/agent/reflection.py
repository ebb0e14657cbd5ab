"""Reflection rounds: after each batch of tools, is it enough?

With N rounds there are at most N batches and N + 1 requests: request k + 1 is round k, and in
round N the tools are off. N = 0 is one batch, then the answer. Switched off there is no nudge;
the model's own calls drive the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.run.chat_model import AssistantTurn
from app.core.run.event_values import StopReason
from app.core.run.events import RoundStart, RoundVerdict, RunEvent, ToolReturned
from app.core.text.i18n import N_, say_in
from app.core.text.likeness import marks_of
from app.core.tools.tool import Tool, ToolResult

from .context import RunContext
from .finish import find_json, first_object
from .request import prompts

STALE_BATCHES = 2
KNOWN = 0.9
"""From this share of known words on a batch brought nothing new (core.md A)."""
FEWEST_WORDS = 20
"""Shorter results say too little to tell."""
LOOKED_AT = 20_000
"""Characters of one result."""
QUALITY = 70
CONFIDENCE = 60
"""From these on a scored verdict counts as enough (agents.md 4.1)."""
_LIMITED = ("limited", "limitation", "incomplete", "not be exhaustive", "有限", "局限", "不够全面", "可能不完整", "⚠")
"""Words by which an answer says of itself that it may not be the whole."""


@dataclass
class Rounds:
    """The state of the reflection rounds of one loop."""

    ctx: RunContext
    round: int = 0
    decided: StopReason | None = None
    """Why a tool that measures says the answer is due."""
    _measured: int = 0
    """The round such a tool has judged last."""
    _begun: int = 0
    _known: set[str] = field(default_factory=set)
    """The words of all results so far."""
    _stale: int = 0
    """Batches in a row that brought nearly nothing new."""
    _open: RoundVerdict | None = None
    """A verdict of more behind which nothing was called yet."""

    @property
    def enabled(self) -> bool:
        return self.ctx.request.profile.enable_reflection

    @property
    def limit(self) -> int:
        return min(self.ctx.request.profile.max_reflection_iterations + self.ctx.services.inbox.extra_rounds, 10)

    @property
    def are_over(self) -> bool:
        """The next request is the last one."""
        return self.enabled and self.round >= self.limit

    @property
    def are_saturated(self) -> bool:
        """Two batches in a row said what was known already. An agent with a measure of its own is left to that."""
        return self.enabled and self._stale >= STALE_BATCHES and not self.are_measured

    @property
    def are_measured(self) -> bool:
        """A tool of the agent says whether it is enough: one its profile names, not one that came with `*`."""
        named = self.ctx.request.profile.tools
        return self.enabled and any(tool.measures and tool.name in named for tool in self.ctx.services.tools.values())

    def measured(self, tool: Tool | None, result: ToolResult) -> Iterator[RunEvent]:
        """What such a tool has decided; where it says that the answer is due, `decided` says why."""
        if (
            not self.enabled
            or tool is None
            or not tool.measures
            or not result.ok
            or not isinstance(result.data, Mapping)
        ):
            return
        data = result.data
        is_due = data.get("decision") == "answer"
        if is_due:
            self.decided = "saturated" if data.get("reason") == "saturated" else "enough"
        queries = data.get("next_queries")
        verdict = RoundVerdict(
            self.round,
            "enough" if is_due else "more",
            missing=str(data["missing"])[:300] if data.get("missing") else None,
            quality=_number(data.get("quality_score")),
            confidence=_number(data.get("confidence")),
            next=tuple(str(query)[:200] for query in queries[:5]) if isinstance(queries, list) else (),
        )
        self._open = None if is_due else verdict
        if 0 < self.round <= self.limit and self._measured != self.round:
            self._measured = self.round
            yield verdict

    def _called(self, message: AssistantTurn) -> Iterator[Tool | None]:
        return (self.ctx.tool(call.name) for call in message.calls)

    def limitation(self, text: str, forced: StopReason | None) -> str:
        """What an answer that had to be given before it was enough says of that, where the model left it out."""
        if forced is None or forced == "enough" or not self.are_measured or not self.limit or not self.round:
            return ""
        lowered = text.casefold()
        if any(word in lowered for word in _LIMITED):
            return ""
        line = N_("⚠ Note: the sources found are limited, so this answer may be incomplete.")
        return f"\n\n{say_in(self.ctx.request.language, line)}"

    def after_batch(self, tools: Sequence[Tool | None], texts: Sequence[str] = ()) -> None:
        """Count the batch; notes a run keeps for itself are none. `texts` are its results."""
        if not self.enabled or all(tool is not None and tool.bookkeeping for tool in tools):
            return
        self.round += 1
        self._open = None
        words = set().union(*(marks_of(text, LOOKED_AT) for text in texts))
        is_old = len(words) >= FEWEST_WORDS and len(words & self._known) >= KNOWN * len(words)
        self._stale = self._stale + 1 if is_old else 0
        self._known |= words

    def begin(self) -> Iterator[RunEvent]:
        if self.enabled and 0 < self.round <= self.limit and self.round != self._begun:
            self._begun = self.round  # a round whose call was cut is asked again, not begun again
            yield RoundStart(self.round, self.limit)

    @property
    def is_scored(self) -> bool:
        """The request of this round is asked for a verdict as JSON, which the code judges."""
        scored = self.enabled and self.ctx.request.profile.reflection_style == "scored"
        return scored and 0 < self.round < self.limit

    def nudge(self) -> str:
        if not self.enabled or not 0 < self.round <= self.limit:
            return ""
        write = prompts.scored_nudge if self.is_scored else prompts.reflection_nudge
        nudge = write(self.round, self.limit, [_tried(r) for r in self.ctx.state.returned])
        missing = prompts.still_missing(self._open.missing or "", self._open.next) if self._open else ""
        return f"{nudge}\n\n{missing}" if missing else nudge

    def scored_verdict(self, message: AssistantTurn) -> RoundVerdict | None:
        """The verdict read from the reply, None if it has none. The code decides, by two thresholds."""
        score = _score_in(message.text)
        if score is None:
            return None
        quality, confidence = _number(score.get("quality_score")), _number(score.get("confidence"))
        enough = score.get("is_resolved") is True and quality >= QUALITY and confidence >= CONFIDENCE
        queries = score.get("next_queries")
        verdict = RoundVerdict(
            self.round,
            "enough" if enough else "more",
            missing=str(score["missing"])[:300] if score.get("missing") else None,
            quality=quality,
            confidence=confidence,
            next=tuple(str(query)[:200] for query in queries[:5]) if isinstance(queries, list) else (),
        )
        self._open = None if enough else verdict
        return verdict

    def verdict(self, message: AssistantTurn, *, tools_were_offered: bool) -> Iterator[RunEvent]:
        """Read off the message itself: calls mean more, none means enough."""
        if not self.enabled or not 0 < self.round <= self.limit or not tools_were_offered:
            return
        called = [tool for tool in self._called(message) if tool is not None]
        if self._measured == self.round or any(tool.measures for tool in called):
            return  # such a tool says it itself
        if message.calls and len(called) == len(message.calls) and all(tool.bookkeeping for tool in called):
            return  # notes are no batch, so the round continues
        if message.calls:
            names = tuple(call.name for call in message.calls)
            yield RoundVerdict(self.round, "more", missing=first_sentence(message.text) or None, next=names)
        else:
            yield RoundVerdict(self.round, "enough")


def _score_in(text: str) -> dict[str, Any] | None:
    try:
        payload = find_json(text)
    except ValueError:
        return None
    return payload if isinstance(payload, dict) and "is_resolved" in payload else None


def without_score(text: str) -> str:
    """The reply behind its verdict."""
    score = first_object(text)
    if "is_resolved" not in score:
        return text
    return text.partition(score)[2].lstrip("` \n")


def _number(value: Any) -> int:
    return int(min(max(value, 0), 100)) if isinstance(value, int | float) and not isinstance(value, bool) else 0


def first_sentence(text: str, limit: int = 200) -> str:
    """Up to the first end of a sentence, in either script."""
    line = text.strip()[:limit]
    ends = [place for mark in "。！？!?\n" if (place := line.find(mark)) >= 0]
    if (dot := line.find(". ")) >= 0:
        ends.append(dot)
    return line[: min(ends) + 1].strip() if ends else line


def _tried(result: ToolReturned) -> str:
    state = "failed" if not result.ok else "empty" if result.chars < 3 else "ok"
    return f"- {result.name}: {state}" + (" (repeat)" if result.status == "repeat" else "")

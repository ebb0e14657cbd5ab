"""The words by which Auto chooses a mode (agents.md 1.4): the rule as it comes, and a person's own in its place.

A domain adds the words of its trade for its own agents (`Domain.mode_words`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PLAN_WORDS = ("规划", "计划", "安排", "plan")
LOOKUP_WORDS = ("推荐", "查询", "搜索", "预算", "多少钱", "find", "search", "recommend", "budget")
_MOST = 200
_LONGEST = 50
_BETWEEN = re.compile(r"[,，、;；\n]")


@dataclass(frozen=True, slots=True)
class ModeWords:
    """Looked for in this order; lower case."""

    plan: tuple[str, ...] = PLAN_WORDS
    react: tuple[str, ...] = LOOKUP_WORDS
    direct: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    """A number directly before one of these plans, too: 三日, 3 days."""

    def with_trade(self, trade: ModeWords) -> ModeWords:
        """The words of a trade beside these; a list the person has written themselves stays as it is."""
        return ModeWords(
            (*self.plan, *trade.plan) if self.plan == PLAN_WORDS else self.plan,
            (*self.react, *trade.react) if self.react == LOOKUP_WORDS else self.react,
            (*self.direct, *trade.direct),
            (*self.units, *trade.units),
        )


NO_WORDS = ModeWords((), ())


def as_line(words: tuple[str, ...]) -> str:
    return ", ".join(words)


def words_in(line: str) -> tuple[str, ...]:
    """What a person typed, separated by commas of either script; at most 200 words of 50 characters."""
    words = (word.strip().casefold()[:_LONGEST] for word in _BETWEEN.split(line))
    return tuple(dict.fromkeys(word for word in words if word))[:_MOST]

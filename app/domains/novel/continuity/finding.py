"""What a check found, as data; the words come from the tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Level = Literal["error", "warn", "info"]
NAMES: Mapping[str, str] = {
    "N01": "UNKNOWN_NAME",
    "N02": "DEAD_CHARACTER_ACTS",
    "N03": "FACT_CONFLICT",
    "N04": "TIMELINE_ORDER",
    "N05": "OUTLINE_GAP",
    "N06": "DUPLICATE_NUMBER",
    "N07": "WORD_COUNT",
    "N08": "REPETITION",
    "N09": "FORESHADOW_OVERDUE",
    "N10": "POV_SWITCH",
    "N11": "NAME_VARIANT",
    "N12": "BEAT_MISSING",
    "N13": "FORBIDDEN_TERM",
    "N14": "META_TEXT",
    "N15": "TRUNCATED",
}


@dataclass(frozen=True, slots=True)
class ContinuityFinding:
    code: str
    level: Level
    chapter: str
    """Id; "" where it concerns the book."""
    start: int = 0
    end: int = 0
    """The place in the chapter's text; both 0 where there is none."""
    quote: str = ""
    subject: str = ""
    expected: str = ""
    found: str = ""
    other_chapter: str = ""
    """Where the book said otherwise."""
    other_quote: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return NAMES[self.code]

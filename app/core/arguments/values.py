"""Single values as models write them: numbers, choices, days, times, names, and lists written as one text."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import Any

from app.core.reading.exact import amount_of, day_of, folded, number_of, time_of

from .hints import CLOCK, NAME, UNITS, WORDS
from .shapes import Schema, is_number, same

MISSING: Any = object()
"""There is no value, or more than one."""

_TRUTH = {
    "true": True, "yes": True, "是": True, "对": True, "on": True, "false": False, "no": False, "否": False,
    "off": False,
}  # fmt: skip
_ABSENT = frozenset({"", "null", "none", "nil", "n/a", "无", "未定"})
_TAILS = ("的", "型", "式", "一点", "一些")
_SEPARATORS = re.compile(r"[、，,；;\n|]")
_WEAK = re.compile(r"\s*(?:[/&+和与及跟或]|以及|\band\b|\bor\b)\s*")
_SENTENCE = re.compile(r"[。！？!?]|[a-z]\.\s|\.$")
_LONGEST_PIECE = 40
_MOST_WORDS = 4


def number(schema: Schema, value: Any, *, whole: bool) -> Any:
    """3 of 3.0, "3", "三", "1.5万", "5000元" where 元 is one of its units."""
    if isinstance(value, str):
        amount = number_of(value)
        if amount is None and isinstance(units := schema.get(UNITS), list):
            amount = amount_of(value, tuple(units))
        if amount is None and isinstance(words := schema.get(WORDS), dict):
            named = [key for key, others in words.items() if _key(value) in map(_key, others)]
            amount = number_of(named[0]) if len(named) == 1 else None
        value = MISSING if amount is None else amount
    if not is_number(value):
        return MISSING
    if whole:
        is_whole = isinstance(value, int) or value.is_integer()
        return int(value) if is_whole else MISSING
    return value


def truth(value: Any) -> Any:
    if isinstance(value, str):
        return _TRUTH.get(folded(value), MISSING)
    return bool(value) if is_number(value) and value in (0, 1) else MISSING


def choice(schema: Schema, value: Any) -> Any:
    """The one value of `enum` that is written in another case, or called by one of its words."""
    allowed: Sequence[Any] = schema.get("enum") or [schema.get("const")]
    if any(same(value, one) for one in allowed):
        return value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return MISSING
    words = schema.get(WORDS)
    table = words if isinstance(words, dict) else {}
    forms = {_key(value)} | {_key(value).removesuffix(tail) for tail in _TAILS}
    matches = [one for one in allowed if forms & {_key(one), *map(_key, table.get(str(one), ()))}]
    if not matches and isinstance(value, str) and (amount := number_of(value)) is not None:
        matches = [one for one in allowed if same(one, amount)]
    return matches[0] if len(matches) == 1 else MISSING


def _key(value: Any) -> str:
    """How a choice is compared: case, width, spaces, hyphens and underscores do not count."""
    return "".join(char for char in folded(str(value)) if char not in " -_")


def text(schema: Schema, value: str, today: date) -> Any:
    """A day, a time or a name in the form that is due; any other text is left letter by letter."""
    if schema.get("format") == "date":
        day = day_of(value, today)
        return value if day is None else day.isoformat()
    if schema.get(CLOCK):
        return time_of(value) or value
    tails = schema.get(NAME)
    if isinstance(tails, list):
        plain = " ".join(unicodedata.normalize("NFKC", value).split())
        tail = next((one for one in tails if plain.endswith(one) and len(plain) > len(one) + 1), "")
        return plain.removesuffix(tail).strip()
    return value


def is_absent(value: Any, *, may_be_text: bool) -> bool:
    """Nothing, or a word for it where a text could not stand."""
    return value is None or (not may_be_text and isinstance(value, str) and folded(value) in _ABSENT)


def from_json(value: str, opening: str) -> Any:
    """What a text that is JSON holds; a key that is there twice makes it none."""
    if not value.lstrip().startswith(opening):
        return MISSING
    try:
        return json.loads(value, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return MISSING


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise ValueError("a key is there twice")
    return entries


def entries(value: str) -> list[str]:
    """A list of words written as one text; [] where it may as well be one, or something else."""
    parts = [part.strip() for part in _SEPARATORS.split(value) if part.strip()]
    if not parts or any(map(_is_no_word, parts)):
        return []
    return parts


def weak_entries(value: str) -> list[str]:
    """The same where words such as "and" and signs such as "/" part them, too; only for what can be looked up."""
    return [part.strip() for part in _WEAK.split(value) if part.strip()]


def numbers(value: str, *, whole: bool) -> list[str]:
    """The numbers of a list written as one text; [] where a comma may belong to a number."""
    parts = [part.strip() for part in _SEPARATORS.split(value) if part.strip()]
    joined = [re.fullmatch(r"\d{1,3}(,\d{3})+", folded(value)), not whole and re.fullmatch(r"\d+,\d+", folded(value))]
    return [] if any(joined) else parts


def _is_no_word(part: str) -> bool:
    """A sentence, or two things that nobody has parted."""
    if len(part) > _LONGEST_PIECE or len(part.split()) > _MOST_WORDS or _SENTENCE.search(part):
        return True
    pieces = part.split()
    is_chinese = [any("\u4e00" <= char <= "\u9fff" for char in piece) for piece in pieces]
    return bool(_WEAK.search(part)) or (len(pieces) > 1 and all(is_chinese))

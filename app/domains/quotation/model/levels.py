"""Customer levels: a column of the list, or another level by a factor or a percentage; and how they are called."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from .price_list import DEFAULT_LEVEL, Item


@dataclass(frozen=True, slots=True)
class Level:
    code: str
    label: str = ""
    aliases: tuple[str, ...] = ()
    column: str = ""
    """The column of the list by its level; "" = the one of the same code."""
    base: str = ""
    """Another level this one is reckoned from."""
    factor: str = "1"
    minus_percent: str = "0"
    rounding: str = "0.01"

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__} | {"aliases": list(self.aliases)}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Level:
        fields = {name: value for name, value in body.items() if name in cls.__slots__}
        return cls(**{**fields, "aliases": tuple(body.get("aliases", ()))})


STANDARD = tuple(Level(code) for code in ("A", "B", "C"))
_TAIL = re.compile(r"(?:客户|价格|单价|级别|等级|级|档|类|价|等|level|tier|price|customer|grade)+$")
_HEAD = re.compile(r"^(?:客户|价格|级别|等级|level|tier|grade|customer|\s)+")


def level_key(text: str) -> str:
    even = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).strip("「」\"' ")
    return _HEAD.sub("", _TAIL.sub("", even).strip()).strip() or even


def find_level(text: str, levels: Iterable[Level], columns: Iterable[str]) -> Level | None:
    """`b档`, `C级`, ` Ｂ `, an alias, or the name of a price column. None for a level nobody has defined."""
    key = level_key(text)
    own = list(levels)
    for level in own:
        if key in {level_key(word) for word in (level.code, level.label, *level.aliases) if word}:
            return level
    for column in columns:
        if level_key(column) == key or column.casefold() == text.strip().casefold():
            return Level(column)
    return Level(DEFAULT_LEVEL) if key in (DEFAULT_LEVEL, "默认") else None


def price_at(item: Item, level: Level, levels: Mapping[str, Level], depth: int = 0) -> Decimal | None:
    """None where the list has no price for it: a price of another level is never taken instead."""
    column = level.column or level.code
    if (text := item.prices.get(column)) is not None:
        return Decimal(text)
    if not level.base or depth > 5:
        return None
    base = price_at(item, levels.get(level.base, Level(level.base)), levels, depth + 1)
    if base is None:
        return None
    value = base * Decimal(level.factor) * (100 - Decimal(level.minus_percent)) / 100
    return value.quantize(Decimal(level.rounding), rounding=ROUND_HALF_UP)

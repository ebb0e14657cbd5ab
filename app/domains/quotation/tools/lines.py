"""Lines matched against one or several lists: what match_price and the quotation of a whole sheet share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from app.core import detached
from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.tools.tool import ToolContext

from ..matching.decide import Match, Request, Thresholds, match
from ..matching.index import MatchIndex
from ..matching.lexicon import OwnRules
from ..model.levels import Level, price_at
from ..model.price_list import Item, PriceList
from ..model.quotation import QuotedLine
from .store import corrections, index_of, level_of, levels, lists, own_rules, settings_of


@dataclass(frozen=True, slots=True)
class Matcher:
    """All that a line is matched with: built once for a batch."""

    lists: tuple[PriceList, ...]
    indexes: tuple[MatchIndex, ...]
    level: Level
    levels: Mapping[str, Level]
    corrections: Mapping[str, str]
    limits: Thresholds

    def match(self, request: Request, limit: int = 8) -> dict[str, Any]:
        """One line as it is shown and returned: status, candidates, chosen, why."""
        results = [match(index, request, self.limits, self.corrections, limit) for index in self.indexes]
        best = _across(results)
        candidates = [
            self.candidate(place, one.place, one.value, one)
            for place, result in enumerate(results)
            for one in (result.candidates if result is best or best.status != "exact" else ())
        ]
        candidates.sort(key=lambda each: -each["score"])
        candidates = candidates[:limit]
        doubts = list(best.doubts)
        chosen = candidates[0]["code"] if best.chosen is not None and candidates else None
        status = best.status
        if chosen is not None and status == "single" and len(results) > 1 and len(candidates) > 1:
            rivals = [one for one in candidates[1:] if one["list_id"] != candidates[0]["list_id"]]
            if any(candidates[0]["score"] - one["score"] < self.limits.gap for one in rivals):
                status, chosen, doubts = "needs_selection", None, ["list"]
        if chosen is not None and best.source == "score" and _units_differ(request.unit, candidates[0]["unit"]):
            status, chosen, doubts = "needs_selection", None, ["unit"]
        return {
            "status": status,
            "candidates": candidates,
            "chosen": chosen,
            "source": best.source if chosen else "",
            "doubts": doubts,
        }

    def candidate(self, which: int, place: int, value: float, score: Any) -> dict[str, Any]:
        one, item = self.lists[which], self.indexes[which].items[place]
        price = price_at(item, self.level, self.levels)
        return {
            "code": item.code,
            "name": item.name,
            "spec": item.spec,
            "unit": item.unit,
            "unit_price": str(price) if price is not None else None,
            "stock": item.stock or None,
            "score": round(value, 4),
            "list_id": one.id,
            "list": one.name,
            "score_parts": {
                "agrees": score.agrees,
                "missing": [*score.missing, *score.silent],
                "conflicts": score.conflicts,
                "variants": score.beyond,
                "words": round(score.words, 3),
                "alike": score.alike,
                "is_raised": score.is_raised,
            },
        }

    def item(self, code: str, list_id: str = "") -> tuple[PriceList, Item] | None:
        for one, index in zip(self.lists, self.indexes, strict=True):
            if list_id and one.id != list_id:
                continue
            for item in index.items:
                if item.code == code:
                    return one, item
        return None

    def price(self, item: Item) -> Decimal | None:
        return price_at(item, self.level, self.levels)

    def take(self, line: QuotedLine, code: str, list_id: str, source: str) -> None:
        """Raises ToolError NOT_A_CANDIDATE for a code no list has."""
        place = self.item(code, list_id) or self.item(code)
        if place is None:
            raise ToolError("NOT_A_CANDIDATE", N_("no price list has the code {code}"), values={"code": code})
        one, item = place
        price = self.price(item)
        line.chosen, line.list_id, line.source, line.skipped = item.code, one.id, source, False
        line.product, line.product_spec, line.product_unit = item.name, item.spec, item.unit
        line.list_price, line.stock = f"{price:f}" if price is not None else "", item.stock
        line.unit_price = line.by_hand.get("price", line.list_price)


def _across(found: Sequence[Match]) -> Match:
    order = ("exact", "single", "needs_selection", "unmatched")
    return min(
        found, key=lambda each: (order.index(each.status), -(each.candidates[0].value if each.candidates else 0))
    )


_UNITS = [
    {
        "个",
        "只",
        "件",
        "支",
        "套",
        "pcs",
        "pc",
        "piece",
        "pieces",
        "ea",
        "each",
        "枚",
        "颗",
        "粒",
        "根",
        "条",
        "台",
        "把",
        "张",
        "块",
        "片",
        "瓶",
        "nos",
        "unit",
        "units",
    },
    {"米", "m", "meter", "metre", "meters", "metres", "延米"},
    {"公斤", "kg", "千克", "kgs"},
    {"吨", "t", "ton"},
    {"卷", "roll", "rolls", "盘"},
    {"箱", "carton", "ctn", "case"},
    {"包", "pack", "袋", "bag"},
    {"盒", "box"},
]


def _units_differ(asked: str, offered: str) -> bool:
    """Whether two units are known and of different kinds: a roll is not a metre."""
    kinds = [
        next((n for n, group in enumerate(_UNITS) if unit.strip().casefold() in group), None)
        for unit in (asked, offered)
    ]
    return None not in kinds and kinds[0] != kinds[1]


async def matcher(
    ctx: ToolContext, level_text: str, list_ids: Sequence[str] | None, customer: str = "", *,
    own: OwnRules | None = None, any_level: bool = False,
) -> Matcher:  # fmt: skip
    """`own` in place of the rules that are kept; `any_level` where prices do not matter. Raises ToolError NO_LIST,
    INVALID_LEVEL.
    """
    chosen = await lists(ctx, list_ids)
    level = Level("") if any_level else await level_of(ctx, level_text, chosen)
    own = await own_rules(ctx) if own is None else own
    indexes = [await index_of(ctx, one, own) for one in chosen]
    return Matcher(
        tuple(chosen),
        tuple(indexes),
        level,
        await levels(ctx),
        await corrections(ctx, customer),
        settings_of(ctx).thresholds,
    )


async def match_all(found: Matcher, requests: Sequence[Request], limit: int = 8) -> list[dict[str, Any]]:
    """In a thread: hundreds of lines take seconds."""
    return await detached.in_thread(lambda: [found.match(request, limit) for request in requests])

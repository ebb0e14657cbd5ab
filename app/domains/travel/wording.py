"""Small things several travel tools say; the rest of the kit's wording passes through here."""

from __future__ import annotations

from ..kit.results import reference_note
from ..kit.wording import (
    N_,
    clauses,
    count_in,
    half_up,
    listed,
    money,
    money_range,
    month_name,
    plain,
    say_in,
    speaks_chinese,
    weekday_name,
)

__all__ = [
    "N_",
    "clauses",
    "count_in",
    "half_up",
    "listed",
    "mode_name",
    "money",
    "money_range",
    "month_name",
    "plain",
    "reference_note",
    "say_in",
    "speaks_chinese",
    "tier_name",
    "weekday_name",
]  # fmt: skip

TIER_NAMES = {"economy": N_("economy"), "comfort": N_("comfort"), "luxury": N_("luxury")}
MODE_NAMES = {"walk": N_("walk"), "transit": N_("transit"), "taxi": N_("taxi"), "drive": N_("drive")}


def tier_name(language: str, tier: str) -> str:
    return say_in(language, TIER_NAMES[tier])


def mode_name(language: str, mode: str) -> str:
    return say_in(language, MODE_NAMES[mode])

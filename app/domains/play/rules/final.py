"""The JSON at the end of a workflow: found in what a model wrote, and held against its schema by name of each field."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..model.analysis import InterestAnalysis
from ..model.plan import GamePlan
from ..model.vocabulary import DIMENSIONS

MOST_FAULTS = 12
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_ANALYSIS_FIELDS = (
    "interventionSuggestions", "dimensions", "leverageDimensions", "exploreDimensions", "avoidDimensions"
)  # fmt: skip
_PLAN_FIELDS = ("steps", "materials", "stop_signs", "ending_ritual", "calm_down_plan")


def final_json(text: str) -> dict[str, Any] | None:
    """The last JSON object of an answer, whatever fence or thought stands around it; None where there is none."""
    plain = _THOUGHT.sub("", text)
    decoder, place, last = json.JSONDecoder(), 0, None
    while (start := plain.find("{", place)) != -1:
        try:
            value, end = decoder.raw_decode(plain, start)
        except (json.JSONDecodeError, RecursionError):
            place = start + 1
            continue
        last, place = value, end
    return last if isinstance(last, dict) else None


def is_plan(value: dict[str, Any]) -> bool:
    """Whether it is meant as the plan of a game, be it whole or not."""
    return sum(name in value for name in _PLAN_FIELDS) >= 2


def is_analysis(value: dict[str, Any]) -> bool:
    """Whether it is meant as an analysis of interests, be it whole or not."""
    return sum(name in value for name in _ANALYSIS_FIELDS) >= 2


def analysis_faults(value: Any) -> list[str]:
    """Each names its field; the eight dimensions are there once each."""
    if faults := _faults(_analysis(), value):
        return faults
    named = [one["dimension"] for one in value["dimensions"]]
    missing = [name for name in DIMENSIONS if name not in named]
    return [f"dimensions: {', '.join(missing)} missing, each of the eight once"] if missing else []


def _faults(adapter: TypeAdapter[Any], value: Any) -> list[str]:
    try:
        adapter.validate_python(value)
    except ValidationError as error:
        return [f"{_place(one['loc'])}: {one['msg']}" for one in error.errors()[:MOST_FAULTS]]
    return []


def plan_faults(value: Any) -> list[str]:
    """Each names its field: `stop_signs: Field required`."""
    if faults := _faults(_adapter(), value):
        return faults
    low, high = value["age_range_months"]
    return [] if low <= high else ["age_range_months: the first is not above the second"]


@cache
def _analysis() -> TypeAdapter[InterestAnalysis]:
    return TypeAdapter(InterestAnalysis)


@cache
def _adapter() -> TypeAdapter[GamePlan]:
    return TypeAdapter(GamePlan)


def _place(loc: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".")

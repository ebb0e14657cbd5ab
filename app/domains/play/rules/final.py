"""The JSON at the end of a workflow: found in what a model wrote, and held against its schema by name of each field."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from ..model.plan import GamePlan

Workflow = Literal["plan", "analysis"]
MOST_FAULTS = 12
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
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


def plan_faults(value: Any) -> list[str]:
    """Each names its field: `stop_signs: Field required`."""
    try:
        _adapter().validate_python(value)
    except ValidationError as error:
        return [f"{_place(one['loc'])}: {one['msg']}" for one in error.errors()[:MOST_FAULTS]]
    low, high = value["age_range_months"]
    return [] if low <= high else ["age_range_months: the first is not above the second"]


@cache
def _adapter() -> TypeAdapter[GamePlan]:
    return TypeAdapter(GamePlan)


def _place(loc: tuple[int | str, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).removeprefix(".")

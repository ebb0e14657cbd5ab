"""What an edited itinerary says besides its stops: its sums, and how it differs from the one before."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from ..wording import plain


def with_sums(body: dict[str, Any]) -> dict[str, Any]:
    """The sums of the whole follow those of its days and of the lines of its budget."""
    if isinstance(body.get("totals"), Mapping):
        cost = plain(sum_of(day["totals"]["cost"] for day in body["days_list"]))
        body = {**body, "totals": {**body["totals"], "cost": cost}}
    if isinstance(body.get("budget"), Mapping):
        body = {**body, "budget": summed_budget(body["budget"])}
    return body


def summed_budget(budget: Mapping[str, Any]) -> dict[str, Any]:
    lines = budget.get("lines")
    if not isinstance(lines, list) or not all(isinstance(line, Mapping) for line in lines):
        return dict(budget)
    total = sum_of(line.get("amount") or 0 for line in lines)
    spare = sum_of(line.get("amount") or 0 for line in lines if line.get("code") == "contingency")
    return {**budget, "total": plain(total), "subtotal": plain(total - spare), "contingency": plain(spare)}


def sum_of(amounts: Any) -> Decimal:
    return sum((Decimal(str(amount)) for amount in amounts), Decimal(0))


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What was added, removed, moved to another day, or got another time."""
    old, new = _positions(before), _positions(after)
    changes: list[dict[str, Any]] = []
    for key, (name, places) in old.items():
        now = new.get(key, ("", []))[1]
        for i, (day, time) in enumerate(places):
            if i >= len(now):
                changes.append({"change": "removed", "stop": name, "day": day, "time": time})
            elif now[i][0] != day:
                changes.append({"change": "moved", "stop": name, "from_day": day, "day": now[i][0], "time": now[i][1]})
            elif now[i][1] != time:
                changes.append({"change": "retimed", "stop": name, "day": day, "from_time": time, "time": now[i][1]})
    for key, (name, places) in new.items():
        for day, time in places[len(old.get(key, ("", []))[1]) :]:
            changes.append({"change": "added", "stop": name, "day": day, "time": time})
    return sorted(changes, key=_weight)


def _weight(change: Mapping[str, Any]) -> bool:
    """What moved by a few minutes comes last."""
    return bool(change["change"] == "retimed")


def _positions(itinerary: Mapping[str, Any]) -> dict[str, tuple[str, list[tuple[Any, str]]]]:
    found: dict[str, tuple[str, list[tuple[Any, str]]]] = {}
    for number, day in enumerate(itinerary.get("days_list") or (), 1):
        for stop in day.get("stops") or ():
            if stop.get("kind", "sight") in ("hotel", "transfer") or stop.get("gap"):
                continue
            name = str(stop.get("name") or stop.get("place_id") or "")
            key = f"{stop.get('kind')}:{stop.get('place_id') or name}"
            if stop.get("kind") == "meal":
                key = f"{key}:{day.get('day')}"
            times = f"{stop.get('start') or ''}–{stop.get('end') or ''}"
            found.setdefault(key, (name, []))[1].append((day.get("day") or number, times))
    return found

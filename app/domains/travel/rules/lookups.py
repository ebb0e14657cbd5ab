"""From what a tool was told to records: cities, sights and dates, or the error that helps the model on."""

from __future__ import annotations

from datetime import date
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext

from ...kit.results import origin
from ..model.dataset import Dataset, builtin
from ..model.places import Attraction, City
from ..wording import listed


def dataset_of(ctx: ToolContext) -> Dataset:
    dataset = ctx.resources.get("travel.dataset")
    return dataset if isinstance(dataset, Dataset) else builtin()


def known_city(ctx: ToolContext, name: str) -> City:
    dataset = dataset_of(ctx)
    city = dataset.city(name)
    if city is None:
        near = dataset.suggest_cities(name, ctx.language)
        names = [city.name(ctx.language) for city in dataset.cities]
        raise ToolError(
            "CITY_NOT_FOUND",
            ctx.say("no data for the city “{name}”", name=_short(name)),
            hint=_hint(ctx, near, names),
        )
    return city


def known_attraction(ctx: ToolContext, name: str, within: City | None = None) -> tuple[City, Attraction]:
    match = dataset_of(ctx).attraction(name, within)
    if match is None or (within is not None and match[0].id != within.id):
        raise unknown_place(ctx, name, dataset_of(ctx).suggest_attractions(name, ctx.language, within))
    return match


def unknown_place(ctx: ToolContext, name: str, near: list[str]) -> ToolError:
    label = _short(name)
    message = ctx.say("no data for the place “{label}”", label=label)
    return ToolError("UNKNOWN_PLACE", message, hint=_hint(ctx, near, []))


def given_date(ctx: ToolContext, text: str, code: str = "BAD_DATE") -> date:
    try:
        if len(text) != 10:
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        message = ctx.say("not a date: {text}", text=_short(text))
        raise ToolError(code, message, hint="YYYY-MM-DD") from None


def _short(name: str, limit: int = 60) -> str:
    line = " ".join(name.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _hint(ctx: ToolContext, near: list[str], known: list[str]) -> str:
    if near:
        names = listed(ctx.language, near)
        return ctx.say("did you mean {names}?", names=names)
    if known:
        names = listed(ctx.language, known[:80])
        return ctx.say("cities with data: {names}", names=names)
    return ""


def sources(**more: Any) -> dict[str, Any]:
    """The `meta` of every travel result."""
    from ..model.dataset import SOURCE

    return origin([SOURCE], **{"estimate": True, **more})

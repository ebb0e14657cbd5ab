"""record_observation and compute_interest_metrics: what was seen, and the two numbers of each dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.wording import N_, count_in, say_in

from ..model.observation import DimensionMatch, Observation
from ..model.vocabulary import CATEGORIES, DIMENSIONS, Category, Dimension
from ..rules.metrics import Metric, metrics, trend
from ..store import OBSERVATIONS, child, observations

FEW = 3
"""Below it every number is a guess, and the summary says so."""


CARD_LABELS = {
    "trend": N_("How it changed"), "evidence": N_("What this rests on"),
    "disclaimer": N_("What was seen at home, in numbers. It is no test, no diagnosis and no comparison."),
}  # fmt: skip


class Matching(TypedDict):
    dimension: Dimension
    weight: Annotated[float, Field(description="how related, 0 to 1")]
    intensity: Annotated[float, Field(description="from dislike, -1, to liking, 1")]
    reasoning: NotRequired[Annotated[str, Field(max_length=500)]]
    objects: NotRequired[Annotated[list[str], Field(max_length=20)]]


def noting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep the observation “{text}”", text=str(args.get("text", ""))[:120])


@tool("app.write", title=N_("Keep an observation"), approval_text=noting)
async def record_observation(
    ctx: ToolContext,
    text: Annotated[str, Field(min_length=1, max_length=4_000), Also("observation", "note")],
    matches: Annotated[list[Matching], Field(min_length=1, max_length=8)],
    date: date | None = None,
    setting: Annotated[str, Field(max_length=200)] = "",
) -> ToolResult:
    """Keep what was seen in play, with the dimensions of interest it speaks of. Shows the metrics before and after."""
    await child(ctx)
    for number, one in enumerate(matches):
        if not 0 <= one["weight"] <= 1:
            raise ToolError("BAD_WEIGHT", ctx.say("matches[{n}].weight must lie between 0 and 1", n=number))
        if not -1 <= one["intensity"] <= 1:
            raise ToolError("BAD_INTENSITY", ctx.say("matches[{n}].intensity must lie between -1 and 1", n=number))
    today = ctx.today or datetime.now(UTC).date()
    when = date or today
    if when > today:
        raise ToolError("BAD_ARGUMENTS", ctx.say("the date is in the future"))
    matched = tuple(
        DimensionMatch(
            one["dimension"], one["weight"], one["intensity"], one.get("reasoning", ""), tuple(one.get("objects", ()))
        )
        for one in matches
    )  # fmt: skip
    body = Observation("", when, text, matched, setting).to_json()
    earlier = await observations(ctx)
    # The same words of the same day are the same observation, however often they are handed in.
    id = OBSERVATIONS.id_of({name: value for name, value in body.items() if name != "id"})
    new = Observation(id, when, text, matched, setting)
    await OBSERVATIONS.put(ctx, id, new.to_json())
    before = metrics(earlier, today)
    after = metrics([*(one for one in earlier if one.id != id), new], today)
    touched = list(dict.fromkeys(match.dimension for match in matched))
    data = {
        "id": id,
        "before": {name: _numbers(before[name]) for name in touched},
        "after": {name: _numbers(after[name]) for name in touched},
    }
    return ToolResult.success(
        data, ctx.say("The observation is kept"), display=interests_card(ctx, [*earlier, new], after)
    )


@tool("app.read", title=N_("Compute interests"), private=True)
async def compute_interest_metrics(
    ctx: ToolContext,
    since: date | None = None,
    half_life_days: Annotated[int, Field(ge=1, le=3_650)] | None = None,
) -> ToolResult:
    """Strength and exploration of the eight dimensions, 0 to 100, with a proposed category: leverage, explore, avoid or
    neutral. The person decides about the category.
    """
    await child(ctx)
    today = ctx.today or datetime.now(UTC).date()
    basis = [one for one in await observations(ctx) if since is None or one.date >= since]
    by_dimension = metrics(basis, today, half_life_days)
    data, text = told(ctx, len(basis), by_dimension)
    return ToolResult.success(data, text, display=interests_card(ctx, basis, by_dimension), estimate=True)


def told(ctx: ToolContext, counted: int, by_dimension: Mapping[Dimension, Metric]) -> tuple[dict[str, Any], str]:
    """The numbers as data, and the sentence on how much they rest on."""
    rows = [{"dimension": name, **_numbers(one), "objects": list(one.objects)} for name, one in by_dimension.items()]
    text = count_in(ctx.language, "Metrics from {n} observation", "Metrics from {n} observations", counted)
    if counted < FEW:
        text = _uncertain(ctx, counted)
    return {"metrics": rows, "observations": counted, "uncertain": counted < FEW}, text


def _counted(ctx: ToolContext, n: int) -> str:
    return count_in(ctx.language, "{n} observation", "{n} observations", n)


def _uncertain(ctx: ToolContext, n: int) -> str:
    return count_in(
        ctx.language, "Only {n} observation: the numbers are uncertain",
        "Only {n} observations: the numbers are uncertain", n,
    )  # fmt: skip


def _numbers(one: Metric) -> dict[str, Any]:
    return {
        "strength": one.strength, "exploration": one.exploration, "n": one.observations, "category": one.category,
    }  # fmt: skip


def interests_card(
    ctx: ToolContext,
    basis: Sequence[Observation],
    found: Mapping[Dimension, Metric],
    judged: Mapping[str, Any] | None = None,
) -> Card:
    """The radar, what it rests on, the trend; `judged` is what a model says of it beside the numbers."""
    listed = judged["dimensions"] if judged is not None else []
    too_few = ctx.say("too few to conclude from")
    reasons = {one["dimension"]: one["reasoning"] for one in listed}
    categories: dict[Dimension, Category] = {one["dimension"]: one["category"] for one in listed}
    rows = [
        {
            "label": ctx.say(DIMENSIONS[name]), "strength": one.strength, "n": one.observations,
            "basis": _counted(ctx, one.observations) + (
                f" · {too_few}" if one.observations < FEW else ""
            ),
            "category": ctx.say(CATEGORIES[categories.get(name, one.category)]),
            "objects": list(one.objects), "reasoning": reasons.get(name, ""),
        }
        for name, one in found.items()
    ]  # fmt: skip
    lines = trend(basis, ctx.today or datetime.now(UTC).date())
    payload: dict[str, Any] = {
        "title": ctx.say("Interests"), "aside": _counted(ctx, len(basis)), "dimensions": rows,
        "trend": [
            {"name": ctx.say(DIMENSIONS[name]), "points": [[day.isoformat(), value] for day, value in points]}
            for name, points in lines
        ],
        "evidence": [
            {
                "date": one.date.isoformat(), "text": one.text,
                "sub": ", ".join(dict.fromkeys(ctx.say(DIMENSIONS[match.dimension]) for match in one.matches)),
            }
            for one in reversed(basis)
        ],
        "labels": {name: ctx.say(label) for name, label in CARD_LABELS.items()},
    }  # fmt: skip
    if len(basis) < FEW:
        payload["note"] = _uncertain(ctx, len(basis))
    if judged is not None:
        payload["summary"] = judged["summary"]
        targets: list[Dimension] = [one["targetDimension"] for one in judged["interventionSuggestions"]]
        payload["suggestions"] = [
            {
                "title": ctx.say(DIMENSIONS[target]), "text": one["suggestion"],
                "why": one["rationale"], "activities": one["exampleActivities"],
            }
            for target, one in zip(targets, judged["interventionSuggestions"], strict=True)
        ]  # fmt: skip
    return Card("interests", payload)

"""show_interests: what a model proposes of a child's interests, with the numbers that were computed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from app.core.errors import ToolError
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_, clauses

from ..model.analysis import InterestAnalysis
from ..model.vocabulary import DIMENSIONS
from ..rules.final import analysis_faults
from ..rules.metrics import metrics
from ..rules.safety import check_game_safety
from ..store import child, observations
from .games import refusal
from .interest import interests_card, told
from .shown import flags_of

_SUGGESTION = {
    "targetDimension": "motor", "strategy": "leverage", "suggestion": "Roll a big ball to one another.",
    "rationale": "It laughed when the ball came back.", "exampleActivities": ["Rolling talk"],
}  # fmt: skip
EXAMPLE = {
    "summary": "It likes to move; of the rest little is known.",
    "dimensions": [
        {
            "dimension": name, "strength": 50, "exploration": 0, "category": "explore", "specificObjects": [],
            "reasoning": "nothing seen yet",
        }
        for name in DIMENSIONS
    ],
    "leverageDimensions": [], "exploreDimensions": ["motor"], "avoidDimensions": [],
    "interventionSuggestions": [_SUGGESTION, _SUGGESTION, _SUGGESTION],
}  # fmt: skip


@tool("app.read", title=N_("Show the interests"), private=True, concludes=True, example={"analysis": EXAMPLE})
async def show_interests(ctx: ToolContext, analysis: InterestAnalysis | None = None) -> ToolResult:
    """Show an analysis of interests with three to five suggestions. Its numbers are replaced by the computed ones, and
    suggestions that the safety codes block are refused. Without an analysis the numbers alone are shown.
    """
    profile = await child(ctx)
    if analysis is None:
        return await _numbers_alone(ctx)
    if faults := analysis_faults(analysis):
        raise ToolError("SCHEMA", clauses(ctx.language, faults))
    today = ctx.today or datetime.now(UTC).date()
    proposed = {"suggestions": analysis["interventionSuggestions"], "stop_signs": ["-"], "calm_down_plan": "-"}
    issues = check_game_safety(proposed, profile.age_in_months(today), flags_of(profile))
    if blocks := [one for one in issues if one.severity == "block"]:
        raise refusal(ctx, ctx.say("The suggestions are not shown, because they could hurt the child:"), blocks)
    basis = await observations(ctx)
    by_dimension = metrics(basis, today)
    judged: Mapping[str, Any] = {**analysis}
    card = interests_card(ctx, basis, by_dimension, judged)
    numbers = {name: [one.strength, one.exploration] for name, one in by_dimension.items()}
    summary = str(analysis["summary"]).splitlines()[0][:200]
    return ToolResult.success({"metrics": numbers, **judged}, summary, display=as_answer(card, summary), estimate=True)


async def _numbers_alone(ctx: ToolContext) -> ToolResult:
    basis = await observations(ctx)
    by_dimension = metrics(basis, ctx.today or datetime.now(UTC).date())
    data, text = told(ctx, len(basis), by_dimension)
    card = as_answer(interests_card(ctx, basis, by_dimension), text)
    return ToolResult.success(data, text, display=card, estimate=True)

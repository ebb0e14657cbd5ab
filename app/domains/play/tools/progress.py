"""get_progress: sessions, minutes, circles and scores over time, with the week."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Annotated, Any

from app.core.arguments.hints import Also
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_, count_in, weekday_name

from ..model.session import PlaySession, session_from_json
from ..rules.progress import progress, week_of
from ..store import SESSIONS, body_of, child


@tool("app.read", title=N_("Look at the progress"), private=True)
async def get_progress(
    ctx: ToolContext,
    since: Annotated[date, Also("from")] | None = None,
    until: Annotated[date, Also("to")] | None = None,
) -> ToolResult:
    """Sessions, minutes, circles, mean scores, days in a row, and the week by day. A child is compared with nobody."""
    await child(ctx)
    today = ctx.today or datetime.now(UTC).date()
    in_period = [
        one for one in await sessions(ctx)
        if (since is None or one.started.date() >= since) and (until is None or one.started.date() <= until)
    ]  # fmt: skip
    totals = progress(in_period, today)
    data = {
        "sessions": totals.sessions, "minutes": round(totals.minutes), "circles": totals.circles,
        "streak": totals.streak,
        "mean_scores": {name: round(mean) for name, mean in totals.means.items()},
        "days": [{"date": day.isoformat(), "sessions": n, "minutes": round(spent)} for day, n, spent in totals.days],
    }  # fmt: skip
    columns = [
        Column("day", ctx.say("Day")), Column("sessions", ctx.say("Times played"), is_number=True),
        Column("minutes", ctx.say("Minutes played"), is_number=True),
        Column("circles", ctx.say("Circles"), is_number=True),
    ]  # fmt: skip
    rows = [
        {
            "day": weekday_name(ctx.language, day.weekday()), "sessions": len(played) or "",
            "minutes": round(sum(one.minutes for one in played)) or "",
            "circles": sum(one.circles for one in played) or "",
        }
        for day, played in week_of(in_period, today)
    ]  # fmt: skip
    points = [{"label": day.isoformat(), "value": round(spent)} for day, _, spent in totals.days]
    days = [{"label": row["day"], "value": row["minutes"] or 0} for row in rows]
    charts: list[dict[str, Any]] = [{"kind": "column", "series": days}] if any(one["value"] for one in days) else []
    if len(points) > 1:
        series = [{"name": ctx.say("Minutes played"), "points": [[one["label"], one["value"]] for one in points]}]
        charts.append({"kind": "line", "series": series})
    card = table_card(ctx.say("This week"), columns, rows, chart=charts)
    played = count_in(ctx.language, "{n} play session", "{n} play sessions", totals.sessions)
    in_a_row = count_in(ctx.language, "{n} day in a row", "{n} days in a row", totals.streak)
    text = ctx.say("{sessions}, {days}", sessions=played, days=in_a_row)
    return ToolResult.success(data, text, display=as_answer(card, text))


async def sessions(ctx: ToolContext) -> list[PlaySession]:
    """A damaged one is left out rather than hiding the others."""
    items = []
    for document in await SESSIONS.all(ctx):
        try:
            items.append(session_from_json(body_of(document.body)))
        except (KeyError, TypeError, ValueError):
            continue
    return items

"""The book seen from above: foreshadows by their phase, what happens when, who is tied to whom, contradictions.

Each is a card, for the chat and for the page beside it alike; items name the passage they are about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.core.tools.card import Card
from app.core.tools.tool import ToolContext
from app.domains.kit.wording import N_

from .model.project import Book, Chapter, Foreshadow

if TYPE_CHECKING:
    from .continuity.finding import ContinuityFinding

FORESHADOWS, TIMELINE, PEOPLE, CONTINUITY = "foreshadows", "timeline", "people", "continuity"
BOARDS: Mapping[str, str] = {
    FORESHADOWS: N_("Foreshadows"), TIMELINE: N_("Timeline"), PEOPLE: N_("People"), CONTINUITY: N_("Continuity"),
}  # fmt: skip
_PHASES = {
    "overdue": (N_("Overdue"), "error"),
    "due": (N_("Due"), "warn"),
    "planted": (N_("Planted"), "todo"),
    "planned": (N_("Planned"), "todo"),
    "paid": (N_("Paid"), "ok"),
    "dropped": (N_("Dropped"), "ok"),
}
STATES = {"error": "error", "warn": "warn", "info": "todo"}
MOST_SHOWN = 200


def passage(chapter: str, quote: str = "") -> dict[str, str]:
    """The place of an item: a text of the folder (`base` ""), and the words it is about."""
    return {"base": "", "doc": chapter, "query": quote}


def foreshadow_board(ctx: ToolContext, book: Book, chapter: Chapter | None = None) -> Card:
    """As the book stands at the end of `chapter`, else of its last written one."""
    number = reached(book) if chapter is None else chapter.number
    phases = [(one.phase_at(number), one) for one in book.foreshadows]
    items = [
        {"text": one.title, "state": state, "group": ctx.say(label), "hint": _about(ctx, one), **_planted(book, one)}
        for phase, (label, state) in _PHASES.items()
        for found, one in phases
        if found == phase
    ]
    title = ctx.say("Foreshadows at the end of chapter {n}", n=number) if items else ctx.say("No foreshadows noted yet")
    return Card("checklist", {"title": title, "items": items[:MOST_SHOWN]})


def reached(book: Book) -> int:
    """The number of the last chapter that has text."""
    return max((one.number for one in book.chapters if one.text.strip()), default=0)


def _about(ctx: ToolContext, one: Foreshadow) -> str:
    rows = [ctx.say("planted in chapter {n}", n=one.planted_in) if one.planted_in else ""]
    rows += [ctx.say("expected by chapter {n}", n=one.expected_by) if one.expected_by is not None else "", one.note]
    return " · ".join(filter(None, rows))


def _planted(book: Book, one: Foreshadow) -> dict[str, Any]:
    chapter = next((each for each in book.chapters if each.number == one.planted_in and each.text), None)
    if chapter is None:
        return {}
    return {"passage": passage(chapter.id, one.title if one.title in chapter.text else "")}


def timeline_board(ctx: ToolContext, book: Book) -> Card:
    """The events in the order of the chapters that tell them."""
    titles = {one.number: f"{one.number} {one.title}".strip() for one in book.chapters if one.number}
    groups: dict[int, list[dict[str, Any]]] = {}
    for one in sorted(book.timeline, key=lambda event: event.chapter):
        groups.setdefault(one.chapter, []).append({"time": one.when, "title": one.text})
    rows = [{"label": titles.get(number, str(number)), "items": items} for number, items in groups.items()]
    for row in book.chapters if not groups else ():
        if row.outline.time_in_story:
            item = {"time": row.outline.time_in_story, "title": row.outline.purpose or row.title or row.id}
            rows.append({"label": f"{row.number} {row.title}".strip(), "items": [item]})
    title = ctx.say("Timeline") if rows else ctx.say("No events noted yet")
    return Card("timeline", {"title": title, "groups": rows[:MOST_SHOWN]})


def people_board(ctx: ToolContext, book: Book) -> Card:
    number = reached(book)
    nodes, edges = [], []
    for who in book.characters:
        state = who.state_at(number)
        is_dead = state is not None and state.status == "dead"
        note = " · ".join(filter(None, (who.role, state.place if state is not None else "")))
        nodes.append({"id": who.name, "label": who.name, "note": note, "state": "muted" if is_dead else ""})
        for tie in who.relationships:
            other = book.character(tie.name)
            edges.append({"from": who.name, "to": other.name if other else tie.name, "label": tie.type})
    named = {one["id"] for one in nodes}
    nodes += [{"id": name, "label": name} for name in dict.fromkeys(one["to"] for one in edges) if name not in named]
    title = ctx.say("People") if nodes else ctx.say("Nobody has a card yet")
    return Card("graph", {"title": title, "nodes": nodes, "edges": edges})


def continuity_board(ctx: ToolContext, found: Sequence[ContinuityFinding], sentences: Sequence[str]) -> Card:
    """`sentences` say the findings, in their order."""
    items = [
        {"text": f"{one.code} · {words}", "state": STATES[one.level],
         "hint": " · ".join(filter(None, (one.chapter, one.quote, one.other_quote))),
         "passage": passage(one.chapter, one.quote)}
        for one, words in list(zip(found, sentences, strict=True))[:MOST_SHOWN]
    ]  # fmt: skip
    return Card("checklist", {"title": ctx.say("Continuity"), "items": items})

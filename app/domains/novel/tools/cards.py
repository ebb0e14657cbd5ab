"""What the book knows: upsert_card and record_facts. Both ask; facts bring the words they rest on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import N_, listed

from ..model.project import (
    Book,
    Chapter,
    Character,
    Foreshadow,
    Project,
    StoryFact,
    TimelineEvent,
    WorldNote,
)  # fmt: skip
from ..store import form
from ..store.folder import NovelFolder, create, is_novel
from .base import approval, chapter_of, in_novel, in_root

CardKind = Literal["project", "chapter", "character", "world", "foreshadow", "event"]
_CLASSES: dict[str, type[Any]] = {
    "project": Project, "chapter": Chapter, "character": Character, "world": WorldNote, "foreshadow": Foreshadow,
    "event": TimelineEvent,
}  # fmt: skip
_KEYS = {
    "project": "title",
    "chapter": "id",
    "character": "name",
    "world": "title",
    "foreshadow": "title",
    "event": "text",
}
_KEPT = frozenset(("text", "previous"))
"""Of a chapter: the text enters by accept_version alone."""


class FactArgument(TypedDict):
    subject: Annotated[str, Field(min_length=1, max_length=80)]
    attribute: Annotated[str, Field(min_length=1, max_length=80)]
    value: Annotated[str, Field(min_length=1, max_length=500)]
    chapter: Annotated[
        str, Field(min_length=1, max_length=120, description="where the quote stands"), Also("chapter_id")
    ]
    quote: Annotated[str, Field(min_length=2, max_length=500, description="copied from the chapter, letter by letter")]
    until: NotRequired[Annotated[int, Field(ge=1, description="number of the last chapter it holds in")]]


@tool("app.write", title=N_("Write a card"), exclusive=True, asks=lambda _args: True,
      approval_text=approval(N_("Write the card of the kind {kind} into the book"), "kind"),
      example={"kind": "character", "data": {"name": "林舟", "aliases": ["小林"]}})  # fmt: skip
async def upsert_card(
    ctx: ToolContext,
    kind: CardKind,
    data: Annotated[dict[str, Any], Field(description="the fields to set; others stay"), Also("fields", "card")],
) -> ToolResult:
    """Add a card or change fields of one: project (begins a book in an empty folder), chapter (id, title, number,
    outline; never its text), character, world, foreshadow, event. The card is found by its id, name or title.
    """
    _refuse_unknown(ctx, kind, data)
    if kind == "project" and not await in_root(ctx, is_novel):
        project = form.from_table(Project, data)
        await in_root(ctx, lambda root: create(root, project))
        return ToolResult.success(
            {"kind": kind, "is_new": True}, ctx.say("the book {title} is begun", title=project.title)
        )

    def work(root: Root, novel: NovelFolder) -> tuple[dict[str, Any], dict[str, Any], bool]:
        return _upsert(root, novel, kind, data)

    (before, after, is_new), more = await in_novel(ctx, work)
    changed = [key for key in after if before.get(key) != after[key]]
    name = str(after.get(_KEYS[kind], ""))
    words = N_("new: {name}") if is_new else N_("{name} changed: {fields}")
    values = {"name": name, **({} if is_new else {"fields": listed(ctx.language, changed) or "–"})}
    hunks = [
        {"id": key, "line": 1, "old": _shown(before.get(key)), "new": _shown(after[key]), "status": "done"}
        for key in changed
    ]  # fmt: skip
    card = Card("diff", {"path": name, "hunks": hunks, "is_new": is_new}) if hunks else None
    return ToolResult.success({"kind": kind, "is_new": is_new, "changed": changed, **more}, ctx.say(words, **values),
                              display=card, private=True)  # fmt: skip


def _refuse_unknown(ctx: ToolContext, kind: str, data: Mapping[str, Any]) -> None:
    field_names = [one.name for one in fields(_CLASSES[kind]) if kind != "chapter" or one.name not in _KEPT]
    faults = [key for key in data if key not in field_names]
    key = _KEYS[kind]
    if faults or (kind != "project" and not str(data.get(key, "")).strip()):
        message = (
            ctx.say("a card of the kind {kind} has no field {fields}", kind=kind, fields=", ".join(faults)) if faults
            else ctx.say("the field {key} says which card is meant", key=key)
        )  # fmt: skip
        raise ToolError("SCHEMA", message, hint=", ".join(field_names))


def _upsert(
    root: Root, novel: NovelFolder, kind: str, data: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], bool]:
    old = _found(novel.book, kind, str(data.get(_KEYS[kind], "")))
    before = form.to_table(old) if old is not None else {}
    table = {**before, **data}
    if old is not None and kind != "project":
        table[_KEYS[kind]] = before[_KEYS[kind]]  # it may have been found by another of its names
    if kind == "chapter" and isinstance(data.get("outline"), Mapping):
        table["outline"] = {**before.get("outline", {}), **data["outline"]}
    new = form.from_table(_CLASSES[kind], table)
    if kind == "project":
        novel.book.project = new
        novel.save_project(root)
    elif kind == "chapter":
        if old is None and not new.order:
            new.order = max((one.order for one in novel.book.chapters), default=0) + 1
        novel.save_chapter(root, replace(new, id=old.id if old is not None else new.id))
    elif kind in ("character", "world"):
        novel.save_card(root, new)
    else:
        rows: list[Any] = novel.book.foreshadows if kind == "foreshadow" else novel.book.timeline
        rows[:] = [new if one is old else one for one in rows] if old is not None else [*rows, new]
        novel.save_list(root, "foreshadows.toml" if kind == "foreshadow" else "timeline.toml")
    after = form.to_table(new, without=frozenset(("text",)) if kind == "chapter" else frozenset())
    if kind == "chapter":
        before.pop("text", None)
    return before, after, old is None


def _found(book: Book, kind: str, key: str) -> Any:
    match kind:
        case "project":
            return book.project
        case "chapter":
            return book.chapter(key)
        case "character":
            return book.character(key)
        case "world":
            return next((one for one in book.world if key.casefold() in (name.casefold() for name in one.names)), None)
        case "foreshadow":
            return next((one for one in book.foreshadows if one.title == key), None)
        case _:
            return next((one for one in book.timeline if one.text == key), None)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_shown(one) for one in value)
    if isinstance(value, Mapping):
        return "\n".join(f"{key}: {_shown(one)}" for key, one in value.items())
    return "" if value is None else str(value)


@tool("app.write", title=N_("Record facts"), exclusive=True, asks=lambda _args: True,
      approval_text=approval(N_("Put facts into the ledger of the book")),
      example={"facts": [{"subject": "苏晚", "attribute": "惯用手", "value": "左", "chapter": "1",
                          "quote": "她用左手擦剑"}]})  # fmt: skip
async def record_facts(
    ctx: ToolContext, facts: Annotated[list[FactArgument], Field(min_length=1, max_length=100)]
) -> ToolResult:
    """Put facts into the ledger, each with the words of the chapter it rests on. A fact that the ledger holds otherwise
    is told as a conflict and not put in; end the older one first (until), or ask the person.
    """

    def work(root: Root, novel: NovelFolder) -> tuple[list[StoryFact], list[dict[str, Any]]]:
        added: list[StoryFact] = []
        conflicts: list[dict[str, Any]] = []
        for one in facts:
            chapter = chapter_of(ctx, novel.book, one["chapter"])
            if _core(one["quote"]) not in _core(chapter.text):
                raise ToolError(
                    "QUOTE_NOT_FOUND",
                    ctx.say("{chapter} does not hold: {quote}", chapter=chapter.id, quote=one["quote"][:80]),
                    hint=ctx.say("copy the quote letter by letter"), retryable=True,
                )  # fmt: skip
            who = novel.book.character(one["subject"])
            fact = StoryFact(who.name if who else one["subject"], one["attribute"], one["value"], chapter.number,
                        one.get("until"), chapter.id, one["quote"])  # fmt: skip
            held = [old for old in (*novel.book.facts, *added) if _same_thing(old, fact)]
            if any(old.value == fact.value for old in held):
                continue
            if held:
                conflicts.append({"subject": fact.subject, "attribute": fact.attribute, "value": fact.value,
                                  "held": held[0].value, "held_quote": held[0].quote})  # fmt: skip
            else:
                added.append(fact)
        if added:
            novel.book.facts += added
            novel.save_list(root, "facts.toml")
        return added, conflicts

    (added, conflicts), more = await in_novel(ctx, work)
    summary = ctx.say("{n} facts recorded, {m} contradict the ledger", n=len(added), m=len(conflicts))
    rows = [{"subject": one.subject, "attribute": one.attribute, "value": one.value} for one in added]
    return ToolResult.success({"added": rows, "conflicts": conflicts, **more}, summary, private=True)


def _same_thing(one: StoryFact, other: StoryFact) -> bool:
    if (one.subject, one.attribute) != (other.subject, other.attribute):
        return False
    return (one.until is None or one.until >= other.since_chapter) and (
        other.until is None or other.until >= one.since_chapter
    )


def _core(text: str) -> str:
    """Line ends and spaces decide nothing."""
    return "".join(text.split())


TOOLS = (upsert_card, record_facts)

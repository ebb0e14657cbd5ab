"""Texts that a chapter may get: propose_patch, accept_version, reject_version, restore_version. Nothing enters the book
before the person has accepted it, and what a chapter was can always be had again."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.folder.root import Root
from app.domains.kit.wording import N_, count_in

from ..model.paragraphs import ParagraphHunk, paragraph_hunks, with_paragraphs
from ..model.patch import Edit, EditHunk, applied, hunks_of
from ..model.project import Chapter, Version
from ..model.words import count_words
from ..store.folder import NovelFolder
from ..store.versions import accept, sha_of, version_of, versions_of, write_version
from .base import ChapterId, approval, chapter_of, in_novel, now_of

VersionId = Annotated[str, Field(min_length=1, max_length=120, description="id of a version"), Also("version", "id")]
REJECTED = "rejected"
MOST_PARAGRAPHS = 150
MOST_BUTTONS = 20
"""For single changes of a card; more are accepted by their ids."""


class EditArgument(TypedDict):
    find: Annotated[
        str, Field(min_length=1, max_length=20_000, description="as it stands in the chapter, exactly once")
    ]
    replace: Annotated[str, Field(max_length=20_000)]
    reason: NotRequired[Annotated[str, Field(max_length=500)]]


@tool("app.write", title=N_("Propose changes"), exclusive=True,
      approval_text=approval(N_("Propose changes to the chapter {chapter_id}"), "chapter_id"),
      example={"chapter_id": "3", "edits": [{"find": "右手", "replace": "左手", "reason": "左撇子"}]})  # fmt: skip
async def propose_patch(
    ctx: ToolContext,
    chapter_id: ChapterId,
    edits: Annotated[list[EditArgument], Field(min_length=1, max_length=100)],
    base_version: Annotated[
        str, Field(max_length=120, description="id of the version, or check sum of the text, the edits were made on")
    ] = "",
) -> ToolResult:
    """Propose changes of a chapter's text, each accepted or not by itself. `find` must stand there exactly once; what
    does not is told (NOT_FOUND, AMBIGUOUS) and the others are proposed all the same.
    """

    changes = [Edit(one["find"], one["replace"], one.get("reason", "")) for one in edits]
    return await proposed(ctx, chapter_id, changes, base_version)


async def proposed(ctx: ToolContext, chapter_id: str, edits: list[Edit], base_version: str = "") -> ToolResult:
    """The changes as a version that is accepted or not, with its card."""

    def work(root: Root, novel: NovelFolder) -> tuple[Chapter, Version, list[EditHunk]]:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        _refuse_stale(ctx, root, chapter, base_version)
        hunks = hunks_of(chapter.text, edits)
        base = sha_of(chapter.text)
        body = "\0".join((base, *(f"{one.find}\0{one.replace}" for one in edits)))
        version = Version(
            f"p-{hashlib.sha256(body.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}", chapter.id, now_of(ctx),
            "agent", applied(chapter.text, hunks), base=base, edits=edits,
        )  # fmt: skip
        if any(one.state == "pending" for one in hunks) and not _is_there(root, version):
            write_version(root, version)
        return chapter, version, hunks

    (chapter, version, hunks), more = await in_novel(ctx, work)
    rows = [{"id": one.id, "state": one.state, "places": one.places, "reason": one.edit.reason} for one in hunks]
    pending = [one for one in hunks if one.state == "pending"]
    summary = _proposed(ctx, len(pending), len(hunks) - len(pending))
    data = {"version": version.id if pending else None, "chapter": chapter.id, "hunks": rows, **more}
    card = _patch_card(ctx, chapter, version, pending, summary) if pending else None
    return ToolResult.success(data, summary, display=card, private=True)


def _is_there(root: Root, version: Version) -> bool:
    return any(one.id == version.id for one in versions_of(root, version.chapter))


def _refuse_stale(ctx: ToolContext, root: Root, chapter: Chapter, base: str) -> None:
    if not base or sha_of(chapter.text).startswith(base.casefold()):
        return
    version = next((one for one in versions_of(root, chapter.id) if one.id == base), None)
    if version is None or version.text != chapter.text:
        raise ToolError(
            "STALE_BASE", ctx.say("the chapter is no longer that version"), hint=ctx.say("read it again"),
            retryable=True,
        )  # fmt: skip


def _patch_card(ctx: ToolContext, chapter: Chapter, version: Version, hunks: list[EditHunk], summary: str) -> Card:
    args = {"chapter_id": chapter.id, "version_id": version.id}
    rows = [
        {"id": one.id, "line": chapter.text.count("\n", 0, one.start) + 1, "old": one.edit.find,
         "new": one.edit.replace,
         "status": " · ".join(filter(None, (ctx.say("change {n}", n=one.id), one.edit.reason)))}
        for one in hunks
    ]  # fmt: skip
    card = Card("diff", {"path": chapter.title or chapter.id, "hunks": rows})
    actions = [
        CardAction("accept", ctx.say("Accept all"), "accept_version", args, "primary"),
        CardAction("reject", ctx.say("Reject"), "reject_version", args),
    ]
    actions += [
        CardAction(
            f"accept-{one.id}", ctx.say("Accept change {n}", n=one.id), "accept_version", {**args, "hunks": [one.id]}
        )
        for one in hunks[:MOST_BUTTONS]
        if len(hunks) > 1
    ]
    return as_answer(card, summary, actions)


@tool("app.write", title=N_("Accept a version"), exclusive=True,
      approval_text=approval(
          N_("Put the version {version_id} into the chapter {chapter_id}"), "version_id", "chapter_id"
      ),
      example={"chapter_id": "3", "version_id": "d-0123456789ab"})  # fmt: skip
async def accept_version(
    ctx: ToolContext,
    chapter_id: ChapterId,
    version_id: VersionId,
    hunks: Annotated[list[str], Field(description="of a patch or a review: the changes to accept; else all")]
    | None = None,
    anyway: Annotated[bool, Field(description="although the chapter has been changed since")] = False,
) -> ToolResult:
    """Put a version's text into the chapter. What it was becomes a version too; accepting twice changes nothing."""

    def work(root: Root, novel: NovelFolder) -> tuple[Chapter, Version]:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        draft = version_of(root, chapter.id, version_id)
        version = _chosen(ctx, chapter, draft, hunks) if draft.edits or hunks else draft
        return accept(root, novel, version, now_of(ctx), anyway=anyway), draft

    (chapter, draft), more = await in_novel(ctx, work)
    result = _state(ctx, chapter, more, N_("{title} has {n} words now"))
    rest_card = version_card(ctx, chapter, draft) if hunks else None
    return replace(result, display=rest_card or _accepted_card(ctx, chapter, result.summary))


def version_card(ctx: ToolContext, chapter: Chapter, version: Version) -> Card | None:
    """What of a version can still be accepted; None: nothing."""
    if not version.edits:
        return _review_card(ctx, chapter, version, paragraph_hunks(chapter.text, version.text))
    pending = [one for one in hunks_of(chapter.text, version.edits) if one.state == "pending"]
    summary = _proposed(ctx, len(pending), 0)
    return _patch_card(ctx, chapter, version, pending, summary) if pending else None


def _accepted_card(ctx: ToolContext, chapter: Chapter, summary: str) -> Card:
    words = count_words(chapter.text)
    payload = {"title": chapter.title or chapter.id, "text": "", "words": words, "goal": chapter.word_count_goal,
               "count": summary, "state": ctx.say("accepted")}  # fmt: skip
    back = CardAction("back", ctx.say("Undo"), "restore_version", {"chapter_id": chapter.id})
    records = CardAction("records", ctx.say("Propose records"), "propose_records", {"chapter_id": chapter.id})
    return as_answer(Card("manuscript", payload), summary, [back, records])


def _chosen(ctx: ToolContext, chapter: Chapter, version: Version, wanted: list[str] | None) -> Version:
    """A patch is found again in the chapter as it is: other changes of it that were accepted meanwhile do no harm."""
    if chapter.text == version.text:
        return version
    if not version.edits:
        return _paragraphs(ctx, chapter, version, wanted or [])
    hunks = hunks_of(chapter.text, version.edits)
    chosen = [one for one in hunks if wanted is None or one.id in wanted]
    if not chosen:
        raise ToolError("NOT_FOUND", ctx.say("the patch has no such change"), hint=", ".join(one.id for one in hunks))
    lost = [one for one in chosen if one.state != "pending" and one.edit.replace not in chapter.text]
    if lost and (wanted is not None or sha_of(chapter.text) != version.base):
        raise ToolError(
            "CONFLICT",
            ctx.say("the text of change {ids} is not there any more", ids=", ".join(one.id for one in lost)),
            hint=ctx.say("read it again"),
        )  # fmt: skip
    ids = [one.id for one in chosen]
    # A part of a patch is a version of its own, so that the rest of the patch can still be accepted.
    edits = [one.edit for one in chosen]
    text = applied(chapter.text, hunks, ids)
    id = f"{version.id}-{sha_of(text)[:6]}"
    return replace(version, id=id, text=text, base=sha_of(chapter.text), edits=edits)


def _paragraphs(ctx: ToolContext, chapter: Chapter, version: Version, wanted: list[str]) -> Version:
    """A draft of which some paragraphs are taken; the others can still be taken later."""
    paragraph_ids = {one.id for one in paragraph_hunks(chapter.text, version.text)}
    if not paragraph_ids & set(wanted):
        raise ToolError(
            "NOT_FOUND", ctx.say("the draft has no such paragraph"), hint=", ".join(sorted(paragraph_ids)[:40])
        )
    text = with_paragraphs(chapter.text, version.text, wanted)
    is_whole = version.complete and text == version.text
    id = version.id if is_whole else f"{version.id}-{sha_of(text)[:6]}"
    return replace(version, id=id, text=text, base=sha_of(chapter.text), complete=is_whole, marks=[])


@tool("app.read", title=N_("Look through a version"), example={"chapter_id": "3", "version_id": "d-0123456789ab"})
async def review_version(ctx: ToolContext, chapter_id: ChapterId, version_id: VersionId) -> ToolResult:
    """What a version would change in the chapter, paragraph by paragraph; each can be accepted by itself
    (accept_version with hunks)."""

    def work(root: Root, novel: NovelFolder) -> tuple[Chapter, Version]:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        return chapter, version_of(root, chapter.id, version_id)

    (chapter, version), more = await in_novel(ctx, work)
    hunks = paragraph_hunks(chapter.text, version.text)
    if (card := _review_card(ctx, chapter, version, hunks)) is None:
        words = ctx.say("{title} has this text already", title=chapter.title or chapter.id)
        return ToolResult.success({"hunks": [], **more}, words, private=True)
    data = {"hunks": [{"id": one.id, "new": one.new[:200]} for one in hunks], **more}
    return ToolResult.success(data, card.summary, display=card, private=True)


def _review_card(ctx: ToolContext, chapter: Chapter, version: Version, hunks: list[ParagraphHunk]) -> Card | None:
    if not hunks:
        return None
    title = chapter.title or chapter.id
    summary = count_in(ctx.language, "{title}: {n} paragraph to accept or leave",
                       "{title}: {n} paragraphs to accept or leave", len(hunks), title=title)  # fmt: skip
    args = {"chapter_id": chapter.id, "version_id": version.id}
    first_hunks = hunks[:MOST_PARAGRAPHS]
    rows = [
        {"id": one.id, "line": one.line, "old": one.old, "new": one.new, "status": ctx.say("paragraph {n}", n=place)}
        for place, one in enumerate(first_hunks, 1)
    ]
    actions = [
        CardAction("accept", ctx.say("Accept all"), "accept_version", args, "primary"),
        CardAction("reject", ctx.say("Reject"), "reject_version", args),
    ]
    actions += [
        CardAction(f"accept-{one.id}", ctx.say("Accept {n}", n=place), "accept_version", {**args, "hunks": [one.id]})
        for place, one in enumerate(first_hunks[:MOST_BUTTONS], 1)
    ]
    return as_answer(Card("diff", {"path": title, "hunks": rows}), summary, actions)


@tool("app.write", title=N_("Reject a version"), exclusive=True,
      approval_text=approval(
          N_("Reject the version {version_id} of the chapter {chapter_id}"), "version_id", "chapter_id"
      ),
      example={"chapter_id": "3", "version_id": "d-0123456789ab"})  # fmt: skip
async def reject_version(ctx: ToolContext, chapter_id: ChapterId, version_id: VersionId) -> ToolResult:
    """Mark a version as rejected. The chapter stays as it is, and the version can still be restored."""

    def work(root: Root, novel: NovelFolder) -> Chapter:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        version = version_of(root, chapter.id, version_id)
        if version.accepted and version.text == chapter.text:
            raise ToolError(
                "CONFLICT", ctx.say("it is the chapter's text"), hint=ctx.say("restore_version takes it back")
            )
        write_version(root, replace(version, note=REJECTED))
        return chapter

    chapter, more = await in_novel(ctx, work)
    return _state(ctx, chapter, more, N_("rejected; {title} stays as it was"))


@tool("app.write", title=N_("Restore a version"), exclusive=True,
      approval_text=approval(
          N_("Take the chapter {chapter_id} back to the version {version_id}"), "chapter_id", "version_id"
      ),
      example={"chapter_id": "3", "version_id": "v-0123456789ab"})  # fmt: skip
async def restore_version(
    ctx: ToolContext,
    chapter_id: ChapterId,
    version_id: Annotated[
        str,
        Field(max_length=120, description="empty: what the chapter was before the newest acceptance"),
        Also("version"),
    ] = "",
) -> ToolResult:
    """Give a chapter the text of an older version again, byte for byte. What it was stays a version."""

    def work(root: Root, novel: NovelFolder) -> Chapter:
        chapter = chapter_of(ctx, novel.book, chapter_id)
        if not version_id and not chapter.previous:
            raise ToolError("NOT_FOUND", ctx.say("the chapter has no older version"))
        version = version_of(root, chapter.id, version_id or chapter.previous)
        return accept(root, novel, replace(version, base=""), now_of(ctx))

    chapter, more = await in_novel(ctx, work)
    return _state(ctx, chapter, more, N_("{title} has {n} words now"))


def _state(ctx: ToolContext, chapter: Chapter, more: dict[str, Any], words: str) -> ToolResult:
    n = count_words(chapter.text)
    data = {"chapter": chapter.id, "status": chapter.status, "words": n, "sha256": sha_of(chapter.text), **more}
    text = ctx.say(words, **{"title": chapter.title or chapter.id, **({"n": n} if "{n}" in words else {})})
    return ToolResult.success(data, text, private=True)


TOOLS = (propose_patch, review_version, accept_version, reject_version, restore_version)


def _proposed(ctx: ToolContext, pending: int, failed: int) -> str:
    if failed:
        return ctx.say("{n} changes proposed, {m} cannot be made", n=pending, m=failed)
    return count_in(ctx.language, "{n} change proposed", "{n} changes proposed", pending)

"""finish_report, check_report and export_report: stores a report, fetches its sources again, writes it to a file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.sources import PageReader, keep_source, new_source, sources_of
from app.core.stores import Document
from app.core.text.i18n import count_in
from app.core.text.quoting import stands_in
from app.core.tools.card import Card, CardAction
from app.core.tools.picture import CardPictures
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.cards import as_answer
from app.domains.kit.files import file_name, write_file
from app.domains.kit.wording import N_, say_in

from ..citations import check
from ..export import pages
from ..model.finding import findings_of
from ..rules.report import payload_of, report_id, with_states
from .citations import as_data, retrieved
from .citations import summary as problems_summary
from .findings import CONFIDENCES, store_of

KIND = "report"
FORMATS = ("md", "html", "docx", "pdf")
AT_ONCE = 4
MOST_CHECKED = 40
STATES = {
    "same": N_("unchanged"),
    "changed": N_("changed"),
    "quote_lost": N_("changed, and what was quoted is gone"),
    "gone": N_("cannot be reached"),
}
ReportId = Annotated[
    str, Field(pattern=r"^r-[0-9a-f]{8}$", description="from finish_report"), Also("report", "report_id")
]


def keeping(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Keep the report “{title}”", title=str(args.get("title", ""))[:120])


def exporting(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Write the report as a new {format} file", format=str(args.get("format", "")))


def checking(_args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Fetch the sources of the report again")


@tool("app.write", title=N_("Finish the report"), bookkeeping=True, concludes=True, approval_text=keeping)
async def finish_report(
    ctx: ToolContext,
    markdown: Annotated[str, Field(min_length=1, max_length=200_000), Also("text", "report", "content", "draft")],
    title: Annotated[str, Field(min_length=1, max_length=200), Also("name")],
    open_questions: Annotated[list[str], Field(max_length=20)] = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """Keep a report with its sources and show it. Faulty citations are named and refused once; then it is kept with
    what is still wrong told beside it.
    """
    store = store_of(ctx)
    result = await detached.in_thread(check, markdown, await retrieved(ctx))
    id = report_id(ctx.session, title)
    if result.errors and not await _was_refused(ctx, id):
        raise ToolError(
            "CITATION_ERRORS", problems_summary(result, ctx),
            hint=ctx.say("mend these and hand the whole report over again; check_citations lists them all"),
        )  # fmt: skip
    sources, findings = await sources_of(store, ctx.session), await findings_of(store, ctx.session)
    payload = payload_of(title.strip(), markdown, sources, findings, open_questions)
    payload["problems"] = [problem.to_json() for problem in result.errors[:50]]
    document = await store.put(KIND, id, {**payload, "session": ctx.session})
    data = {"id": id, "version": document.version, "confidence": payload["confidence"], **as_data(result)}
    words = ctx.say("Kept as {id}, version {version}", id=id, version=document.version)
    return ToolResult.success(data, words, display=report_card(ctx, id, document, payload))


async def _was_refused(ctx: ToolContext, id: str) -> bool:
    """Whether this run has been told already; notes it."""
    kind, store = "report.refused", store_of(ctx)
    if await store.get(kind, f"{ctx.run}/{id}") is not None:
        return True
    await store.put(kind, f"{ctx.run}/{id}", {})
    return False


def report_card(ctx: ToolContext, id: str, document: Document, payload: Mapping[str, Any]) -> Card:
    sources, claims = payload["sources"], payload["claims"]
    sure = CONFIDENCES.get(payload["confidence"])
    facts = [count_in(ctx.language, "{n} source", "{n} sources", len(sources))]
    if sure:
        facts.append(ctx.say("confidence by the evidence: {level}", level=ctx.say(sure)))
    if conflicts := sum(bool(claim["conflict"]) for claim in claims):
        facts.append(
            count_in(
                ctx.language,
                "{n} claim on which sources contradict one another",
                "{n} claims on which sources contradict one another",
                conflicts,
            )
        )
    if payload.get("problems"):
        facts.append(
            count_in(ctx.language, "{n} citation is faulty", "{n} citations are faulty", len(payload["problems"]))
        )
    if payload.get("checked_at"):
        changed = sum(row.get("state") not in ("same", "", None) for row in sources)
        facts.append(count_in(ctx.language, "{n} source has changed since", "{n} sources have changed since", changed))
    buttons = [
        CardAction(
            f"export-{form}", ctx.say("Export as {format}", format=form), "export_report", {"id": id, "format": form}
        )
        for form in FORMATS
    ]
    buttons.append(CardAction("check", ctx.say("Check the sources again"), "check_report", {"id": id}))
    linked = pages.linked(
        pages.without_title(str(payload["markdown"]), str(payload["title"])),
        {int(row["n"]) for row in sources},
        without_list=True,
    )
    card = {**payload, "linked": linked, "id": id, "version": document.version, "words": _words(ctx)}
    return as_answer(Card("report", card), f"{payload['title']}\n{' · '.join(facts)}"[:400], buttons)


def _words(ctx: ToolContext) -> dict[str, str]:
    """What the codes of the card are called in the language of the conversation."""
    from .findings import QUALITIES

    return {code: ctx.say(words) for table in (CONFIDENCES, QUALITIES, STATES) for code, words in table.items()}


async def _stored(ctx: ToolContext, id: str) -> Document:
    document = await store_of(ctx).get(KIND, id)
    if document is None or not isinstance(document.body, Mapping):
        raise ToolError("NOT_FOUND", ctx.say("there is no report {id}", id=id))
    return document


@tool("net", title=N_("Check the report's sources"), read_only=False, subject=lambda _args: "sources of the report",
      approval_text=checking, timeout=300, example={"id": "r-1a2b3c4d"})  # fmt: skip
async def check_report(ctx: ToolContext, id: ReportId) -> ToolResult:
    """Fetch the sources of a kept report again and mark what has changed since, or is gone."""
    document = await _stored(ctx, id)
    reader: PageReader | None = ctx.resources.get("web")
    if reader is None:
        raise ToolError("NETWORK_OFF", ctx.say("there is no network here"))
    slots = asyncio.Semaphore(AT_ONCE)
    session = str(document.body.get("session", ctx.session))

    async def look(row: Mapping[str, Any]) -> tuple[int, str]:
        async with slots:
            return int(row["n"]), await _state(ctx, reader, session, row)

    rows = [row for row in document.body.get("sources", ()) if str(row.get("url", "")).startswith(("http:", "https:"))]
    states = dict(await asyncio.gather(*(look(row) for row in rows[:MOST_CHECKED])))
    checked_at = datetime.now(UTC).isoformat(timespec="seconds")
    payload = with_states(document.body, states, checked_at)
    stored = await store_of(ctx).put(KIND, id, payload, base=document.version)
    lines = [f"[{n}] {ctx.say(STATES[state])}" for n, state in sorted(states.items()) if state != "same"]
    head = count_in(
        ctx.language,
        "{same} of {n} source is as it was",
        "{same} of {n} sources are as they were",
        len(states),
        same=len(states) - len(lines),
    )
    payload.pop("session", None)
    return ToolResult.success(
        {"id": id, "states": {str(n): state for n, state in states.items()}, "checked_at": checked_at},
        "\n".join([head, *lines]), display=report_card(ctx, id, stored, payload),
    )  # fmt: skip


async def _state(ctx: ToolContext, reader: PageReader, session: str, row: Mapping[str, Any]) -> str:
    """An article of an encyclopedia or a hit of a search is compared by what of it was quoted or shown."""
    try:
        page = await reader.fetch(str(row["url"]))
    except ToolError as error:
        if error.tool_code in ("NETWORK_OFF", "CANCELLED"):
            raise
        return "gone"
    passage = str(row.get("passage", ""))
    source = new_source(page.url, page.title, "page", page.text, published=page.published)
    if row.get("kind") == "page" and source.sha256 == row.get("sha256"):
        return "same"
    if passage and stands_in(passage, page.text):
        return "changed" if row.get("kind") == "page" else "same"
    if row.get("kind") == "page":
        await keep_source(ctx.documents, session, source)
    return "quote_lost" if row.get("kind") in ("page", "wikipedia") and passage else "changed"


@tool(
    "fs.write",
    title=N_("Export the report"),
    read_only=False,
    only_exports=True,
    approval_text=exporting,
    example={"id": "r-1a2b3c4d", "format": "md"},
)
async def export_report(
    ctx: ToolContext,
    id: ReportId,
    format: Annotated[Literal["md", "html", "docx", "pdf"], Also("form", "type")],
    name: Annotated[str, Field(max_length=150, description="a file name"), Also("path", "file")] | None = None,
) -> ToolResult:
    """Write a kept report as md, html, docx or pdf with its sources and passages: a new file in the export folder."""
    payload = (await _stored(ctx, id)).body
    wanted = name or f"{file_name(str(payload['title']), 'report')}.{format}"
    content = await _content(ctx, payload, format)
    written = await write_file(ctx, wanted, f".{format}", content, example=f"report.{format}")
    text = ctx.say("Wrote {file} in {folder}", file=written.path.name, folder=written.path.parent)
    return ToolResult.success(written.data(), text, display=written.card())


async def _content(ctx: ToolContext, payload: Mapping[str, Any], form: str) -> bytes:
    words, title = _words(ctx), str(payload["title"])
    if form == "md":
        return pages.markdown(payload, words, ctx.language).encode("utf-8", "replace")
    if form == "html":
        return (await detached.in_thread(pages.html, payload, words, ctx.language)).encode("utf-8", "replace")
    if form == "docx":
        to_docx = ctx.resources.get("docx")
        if to_docx is None:
            raise _not_here(ctx)
        text = pages.markdown(payload, words, ctx.language)
        return bytes(await detached.in_thread(to_docx, text, {}, title))
    pictures = ctx.resources.get("pictures")
    if not isinstance(pictures, CardPictures) or pictures.printer is None:
        raise _not_here(ctx)
    page = await detached.in_thread(pages.html, payload, words, ctx.language)
    return await detached.in_thread(pictures.printer, page, title)


def _not_here(ctx: ToolContext) -> ToolError:
    return ToolError(
        "FORMAT", ctx.say("this form is written by the window; there is none here"),
        hint=ctx.say("html, docx or md work here"),
    )  # fmt: skip

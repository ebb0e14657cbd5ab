"""A kept quotation changed: select_match, undo_selection, change_level; and what other tools need of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from app.core import detached
from app.core.arguments.hints import Also
from app.core.errors import ToolError
from app.core.stores import Document
from app.core.tools.tool import ToolContext, ToolResult, tool
from app.domains.kit.documents import DocumentKind
from app.domains.kit.wording import N_, say_in

from ..cards import quotation_card, quotation_summary
from ..matching.decide import Request
from ..model.quotation import Quotation, QuotedLine
from .arguments import CustomerLevel
from .edits import Edits, edit
from .lines import matcher
from .store import STALE, book, may_write, put_book

QUOTES = DocumentKind("quote", absent=N_("there is no quotation {what}"), stale=STALE)
RunId = Annotated[
    str, Field(pattern=r"^quote-[0-9a-f]{10}$", description="from run_quotation_fill"), Also("id", "quotation")
]


class ChoiceDict(TypedDict):
    """What was chosen for one line: a code, or skip."""

    line: Annotated[int, Field(ge=1), Also("line_id", "no", "行")]
    code: NotRequired[Annotated[str | None, Field(max_length=200), Also("编码", "choice")]]
    skip: NotRequired[bool | None]


Choices = Annotated[list[ChoiceDict], Field(max_length=5_000)]


async def loaded(ctx: ToolContext, run_id: str) -> tuple[Quotation, Document]:
    """Raises ToolError UNKNOWN_RUN."""
    try:
        document = await QUOTES.get(ctx, run_id)
    except ToolError as error:
        raise ToolError("UNKNOWN_RUN", ctx.say("there is no quotation {what}", what=run_id), hint=error.hint) from error
    return Quotation.from_json(document.body), document


def choosing(args: Mapping[str, Any], language: str) -> str:
    touched = {one.get("line") for key in ("choices", "edits") for one in args.get(key) or () if isinstance(one, dict)}
    return say_in(language, "Set {n} lines of the quotation {id}", n=len(touched), id=str(args.get("run_id", ""))[:40])


@tool(
    "app.write",
    title=N_("Choose products for lines"),
    approval_text=choosing,
    timeout=600,
    example={"run_id": "quote-0123456789", "choices": [{"line": 5, "code": "1004"}]},
)
async def select_match(
    ctx: ToolContext,
    run_id: RunId,
    choices: Choices,
    remember: Annotated[bool, Field(description="the same words mean the same product from now on")] = False,
    edits: Edits = [],  # noqa: B006 - pydantic copies it
) -> ToolResult:
    """Set lines of a quotation to products the person chose, or skip them. Lines with the same words follow. Cells the
    person typed (`edits`) are set after that.
    """
    may_write(ctx)
    quote, document = await loaded(ctx, run_id)
    if not choices and not edits:
        return await _result(ctx, quote, document.version)
    await choose(ctx, quote, choices, remember=remember)
    await _edit(ctx, quote, edits)
    return await _result(ctx, quote, (await keep(ctx, quote, document)).version)


async def _edit(ctx: ToolContext, quote: Quotation, edits: Edits) -> None:
    if edits:
        await edit(ctx, quote, await matcher(ctx, quote.level, quote.list_ids, quote.customer), edits)


@tool(
    "app.write",
    title=N_("Edit cells of the quotation"),
    approval_text=choosing,
    timeout=600,
    example={"run_id": "quote-0123456789", "edits": [{"line": 5, "cell": "qty", "value": "12"}]},
)
async def edit_cells(
    ctx: ToolContext, run_id: RunId, edits: Annotated[Edits, Field(min_length=1), Also("cells", "changes")]
) -> ToolResult:
    """Set cells of a quotation to what the person said: name, quantity, unit, price, amount or note of a line. All sums
    are calculated anew, what was there is recorded, and undo_selection takes it back. Never an own idea of a price.
    """
    may_write(ctx)
    quote, document = await loaded(ctx, run_id)
    await _edit(ctx, quote, edits)
    return await _result(ctx, quote, (await keep(ctx, quote, document)).version)


async def choose(ctx: ToolContext, quote: Quotation, choices: Sequence[ChoiceDict], *, remember: bool) -> None:
    may_write(ctx)
    matching = await matcher(ctx, quote.level, quote.list_ids, quote.customer)
    learned: dict[str, str] = {}
    for choice in choices:
        line = quote.line(choice["line"])
        if line is None:
            raise ToolError("UNKNOWN_LINE", ctx.say("the quotation has no line {n}", n=choice["line"]))
        code = choice.get("code") or ""
        if not code:
            line.chosen, line.skipped, line.unit_price = "", bool(choice.get("skip", True)), ""
            line.by_hand.clear()
            continue
        offered = next((one["list_id"] for one in line.candidates if one["code"] == code), "")
        if code != line.chosen:
            line.by_hand.clear()
        matching.take(line, code, offered, "person")
        learned[_key(line)] = code
    for line in quote.lines:
        if not line.is_priced and not line.skipped and (same := learned.get(_key(line))):
            matching.take(line, same, "", "correction")
    if remember and learned:
        corrections = await book(ctx, "corrections")
        await put_book(
            ctx, "corrections", {**corrections, quote.customer: {**corrections.get(quote.customer, {}), **learned}}
        )


def _key(line: QuotedLine) -> str:
    return Request(line.line.name, line.line.spec).key


async def _result(ctx: ToolContext, quote: Quotation, version: int) -> ToolResult:
    """Its card has hundreds of lines, so it is made in a thread."""
    return await detached.in_thread(_result_of, ctx, quote, version)


def _result_of(ctx: ToolContext, quote: Quotation, version: int) -> ToolResult:
    data = {**quote.digest(), "version": version}
    return ToolResult.success(
        data, quotation_summary(ctx, quote), display=quotation_card(ctx, quote, version), untrusted=True
    )


def undoing(args: Mapping[str, Any], language: str) -> str:
    return say_in(language, "Undo the last change of the quotation {id}", id=str(args.get("run_id", ""))[:40])


@tool("app.write", title=N_("Undo the last choice"), approval_text=undoing, example={"run_id": "quote-0123456789"})
async def undo_selection(ctx: ToolContext, run_id: RunId) -> ToolResult:
    """Bring the quotation back to what it was before the last change; again for the change before. Nothing is lost."""
    may_write(ctx)
    quote, document = await loaded(ctx, run_id)
    if not quote.before:
        raise ToolError("NOTHING", ctx.say("there is nothing to undo"))
    older = await QUOTES.get(ctx, run_id, quote.before)
    saved = await QUOTES.put(ctx, run_id, older.body, base=document.version)
    return await _result(ctx, Quotation.from_json(older.body), saved.version)


def changing(args: Mapping[str, Any], language: str) -> str:
    return say_in(
        language,
        "Calculate the quotation {id} at level {level}",
        id=str(args.get("run_id", ""))[:40],
        level=str(args.get("customer_level", ""))[:40],
    )


@tool(
    "app.write",
    title=N_("Calculate at another level"),
    approval_text=changing,
    timeout=600,
    example={"run_id": "quote-0123456789", "customer_level": "A"},
)
async def change_level(ctx: ToolContext, run_id: RunId, customer_level: CustomerLevel) -> ToolResult:
    """The same quotation with the prices of another customer level; what was chosen stays."""
    may_write(ctx)
    quote, document = await loaded(ctx, run_id)
    await price_anew(ctx, quote, customer_level)
    return await _result(ctx, quote, (await keep(ctx, quote, document)).version)


async def price_anew(ctx: ToolContext, quote: Quotation, customer_level: str) -> None:
    matching = await matcher(ctx, customer_level, quote.list_ids, quote.customer)
    quote.level = matching.level.code
    for line in quote.lines:
        for one in line.candidates:
            place = matching.item(one["code"], one["list_id"])
            value = matching.price(place[1]) if place else None
            one["unit_price"] = f"{value:f}" if value is not None else None
        if line.chosen:
            matching.take(line, line.chosen, line.list_id, line.source)


async def keep(ctx: ToolContext, quote: Quotation, made_on: Document) -> Document:
    """As the next version, which remembers the one it was made on."""
    quote.before = made_on.version
    return await QUOTES.put(ctx, quote.id, quote.to_json(), base=made_on.version)

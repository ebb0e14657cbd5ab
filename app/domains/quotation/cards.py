"""A quotation as a card, and in two lines."""

from __future__ import annotations

from app.core.tools.card import Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.cards import as_answer
from app.domains.kit.tables import Column, table_card
from app.domains.kit.wording import N_

from .model.quotation import Quotation, QuotedLine

STATES = {
    "set": N_("Set"), "choose": N_("Choose {n}"), "out": N_("Out"), "short": N_("Short {n}"),
    "missing": N_("Not found"), "skipped": N_("Skipped"),
}  # fmt: skip
SIGNS = {"CNY": "¥", "USD": "$", "EUR": "€", "GBP": "£"}


def amount_text(quote: Quotation, value: object) -> str:
    """With thousands and the sign of the currency."""
    sign = SIGNS.get(quote.currency, f"{quote.currency} ")
    return f"{sign}{value:,.2f}"


def state_text(ctx: ToolContext, line: QuotedLine) -> str:
    n = len(line.candidates) if line.state == "choose" else line.shortfall
    return ctx.say(STATES[line.state], n=n)


def quotation_summary(ctx: ToolContext, quote: Quotation) -> str:
    done, all_lines = len(quote.numbers("set", "out", "short")), len(quote.lines)
    total = amount_text(quote, quote.total)
    first = ctx.say(
        "{done} of {all} lines priced, total {total} (level {level})",
        done=done,
        all=all_lines,
        total=total,
        level=quote.level,
    )
    parts = [
        ctx.say(text, lines=", ".join(map(str, numbers[:12])) + ("…" if len(numbers) > 12 else ""))
        for text, numbers in (
            (N_("to choose: {lines}"), quote.numbers("choose")), (N_("not found: {lines}"), quote.numbers("missing")),
            (N_("out of stock: {lines}"), quote.numbers("out")), (N_("short: {lines}"), quote.numbers("short")),
        )
        if numbers
    ]  # fmt: skip
    return "\n".join(filter(None, [first, ctx.say("Lines {parts}", parts="; ".join(parts)) if parts else ""]))


def quotation_card(ctx: ToolContext, quote: Quotation, version: int, file: str = "") -> Card:
    columns = [
        Column("no", ctx.say("No."), is_number=True), Column("product", ctx.say("Product")),
        Column("qty", ctx.say("Quantity"), is_number=True), Column("price", ctx.say("Unit price"), is_number=True),
        Column("amount", ctx.say("Amount"), is_number=True), Column("state", ctx.say("Status")),
    ]  # fmt: skip
    rows = [
        {
            "no": line.line.no,
            "product": f"{line.product} {line.product_spec}".strip() if line.chosen else line.line.request,
            "qty": line.line.qty,
            "price": line.unit_price or "–",
            "amount": str(line.amount or "–"),
            "state": state_text(ctx, line),
        }
        for line in quote.lines
    ]
    rows.append({"product": ctx.say("Total"), "amount": str(quote.total)})
    card = table_card(ctx.say("Quotation {title}", title=quote.title), columns, rows)
    return as_answer(card, quotation_summary(ctx, quote), _actions(ctx, quote, version))


def _actions(ctx: ToolContext, quote: Quotation, version: int) -> list[CardAction]:
    id = {"run_id": quote.id}
    actions = []
    if quote.source:
        actions.append(CardAction("save", ctx.say("Fill the sheet"), "resume_fill", id, style="primary"))
    if quote.before:
        actions.append(CardAction("undo", ctx.say("Undo"), "undo_selection", id))
    return actions

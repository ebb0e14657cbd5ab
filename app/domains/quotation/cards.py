"""A quotation as a card, and in two lines."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from app.core.tools.card import ActionStyle, Card, CardAction
from app.core.tools.tool import ToolContext
from app.domains.kit.cards import as_answer
from app.domains.kit.wording import N_

from .matching.features import folded
from .model.quotation import CENT, Quotation, QuotedLine

CELL_NAMES = {"title": "name", "price": "price", "amount": "amount"}
"""Columns of the card and the cells of a line that may be typed, apart from its quantity."""
DOUBTS = {
    "score": N_("not sure enough"), "conflict": N_("something contradicts"), "missing": N_("not all of it was found"),
    "variant": N_("several variants"), "gap": N_("another one is as close"), "code": N_("the code stands twice"),
    "picture": N_("read off a picture"), "unit": N_("another unit"), "list": N_("several lists have it"),
}  # fmt: skip
BY = {
    "code": N_("code"), "correction": N_("correction"), "text": N_("same text"), "score": N_("match"),
    "person": N_("chosen by you"),
}  # fmt: skip

STATES = {
    "set": N_("Set"), "choose": N_("Choose {n}"), "out": N_("No stock"), "short": N_("Short {n}"),
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


TONES = {"set": "ok", "choose": "warn", "out": "error", "short": "warn", "missing": "error", "skipped": "muted"}


def quotation_card(ctx: ToolContext, quote: Quotation, version: int) -> Card:
    columns = {
        "product": ctx.say("Product"), "qty": ctx.say("Quantity"), "price": ctx.say("Unit price"),
        "amount": ctx.say("Amount"), "state": ctx.say("Status"),
    }  # fmt: skip
    names = ", ".join(f"{one['name']} {one['imported_at'][:10]}" for one in quote.lists[:3])
    payload = {
        "title": ctx.say("Quotation {title}", title=quote.title),
        "aside": f"{ctx.say('level {level}', level=quote.level)} · {names}",
        "columns": columns, "lines": [_line(ctx, line) for line in quote.lines], "total": str(quote.total),
        "total_label": ctx.say("Total"), "sign": SIGNS.get(quote.currency, f"{quote.currency} "),
        "subtotal": str(quote.subtotal), "tax_rate": quote.tax_rate, "cells": ["title", "qty", "price", "amount"],
        "remember": ctx.say("Remember: these words mean this product") if quote.numbers("choose", "missing") else "",
    }  # fmt: skip
    return as_answer(Card("review", payload), quotation_summary(ctx, quote), _actions(ctx, quote, version))


def _line(ctx: ToolContext, line: QuotedLine) -> dict[str, Any]:
    body: dict[str, Any] = {
        "no": line.line.no, "title": line.line.request, "qty": line.line.qty, "state": state_text(ctx, line),
        "tone": TONES[line.state],
    }  # fmt: skip
    typed = [cell for cell, name in CELL_NAMES.items() if name in line.by_hand]
    if line.is_priced:
        title = line.shown_name
        source = ctx.say(BY[line.source]) if line.chosen and line.source in ("correction", "person") else ""
        request = "" if title == line.line.request else ctx.say("asked: {text}", text=line.line.request)
        amount = line.amount
        return {
            **body,
            "title": title,
            "sub": " · ".join(filter(None, [request, source, line.line.note])),
            "price": price_text(line.unit_price),
            "amount": f"{amount:,.2f}" if amount is not None else "–",
            **({"typed": typed} if typed else {}),
        }
    why = ", ".join(ctx.say(DOUBTS[each]) if each in DOUBTS else each for each in line.doubts)
    return {
        **body, "sub": " · ".join(filter(None, [why, line.line.note])), "price": "–", "amount": "–",
        "key": folded(line.line.request),
        "choices": [_choice(ctx, line, one) for one in line.candidates],
    }  # fmt: skip


def price_text(text: str | None) -> str:
    """With two decimals at least; more where the list has them."""
    if not text:
        return "–"
    value = Decimal(text)
    return f"{value:,.2f}" if value == value.quantize(CENT) else f"{value:,f}"


def _choice(ctx: ToolContext, line: QuotedLine, one: Mapping[str, Any]) -> dict[str, Any]:
    parts = one.get("score_parts") or {}
    raised = [ctx.say("written more like the line")] if parts.get("is_raised") else []
    why = [*raised, *parts.get("conflicts", ()), *(f"− {each}" for each in parts.get("missing", ()))]
    price, amount = one.get("unit_price") or "", ""
    if price and line.line.qty:
        amount = f"{(Decimal(price) * Decimal(line.line.qty)).quantize(CENT, ROUND_HALF_UP):,.2f}"
    return {
        "id": one["code"], "label": f"{one['name']} {one['spec']}".strip(),
        "price": price_text(price), "amount": amount,
        "note": " · ".join([str(one["code"]), f"{one['score']:.2f}", *why[:2]]),
    }  # fmt: skip


def _actions(ctx: ToolContext, quote: Quotation, version: int) -> list[CardAction]:
    id = {"run_id": quote.id}
    actions = []
    is_open = bool(quote.numbers("choose", "missing"))
    words = ctx.say("Confirm") if is_open else ctx.say("Keep what I changed")
    fills = ("choices", "remember", "edits")
    actions.append(
        CardAction(
            "save", words, "select_match", {**id, "choices": []}, style="primary" if is_open else "quiet", fills=fills
        )
    )
    if quote.source:
        style: ActionStyle = "quiet" if is_open else "primary"
        actions.append(CardAction("fill", ctx.say("Fill the sheet"), "resume_fill", id, style=style))
    actions += [
        CardAction(
            f"export.{form}", ctx.say("Export as {format}", format=form), "export_quotation", {**id, "format": form}
        )
        for form in ("xlsx", "pdf", "csv")
    ]
    if quote.before:
        actions.append(CardAction("undo", ctx.say("Undo"), "undo_selection", id))
    if quote.numbers("out", "short"):
        actions.append(CardAction("oos", ctx.say("Register shortages"), "register_oos", id))
    levels = list(dict.fromkeys(level for one in quote.lists for level in one.get("levels", ())))
    actions += [
        CardAction(
            f"change.{n}", ctx.say("level {level}", level=level), "change_level", {**id, "customer_level": level}
        )
        for n, level in enumerate(levels[:12])
        if level != quote.level
    ]
    return actions

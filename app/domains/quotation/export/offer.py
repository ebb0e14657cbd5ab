"""What a quotation says to a customer: letterhead, lines, sums, terms. The same for every kind of file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from app.domains.kit.tables import Column
from app.domains.kit.wording import say_in

from ..model.quotation import Quotation
from ..settings import QuotationSettings
from .template import TemplateValues


@dataclass(frozen=True, slots=True)
class Offer:
    title: str
    number: str
    day: str
    valid_until: str
    customer: str
    company: str
    company_lines: tuple[str, ...]
    terms: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[dict[str, str], ...]
    sums: tuple[tuple[str, str], ...]
    facts: tuple[tuple[str, str], ...] = field(default=())
    """Label and value: number, day, validity, customer."""


def offer_of(quote: Quotation, settings: QuotationSettings, today: date, language: str) -> Offer:
    """Lines that are not priced are in it with a dash: a customer asked for them."""

    def say(text: str, **values: object) -> str:
        return say_in(language, text, **values)

    until = (today + timedelta(days=settings.valid_days)).isoformat() if settings.valid_days else ""
    columns = _columns(say)
    rows = tuple(
        {
            "no": str(line.line.no), "code": line.chosen,
            "product": line.by_hand.get("name") or (line.product if line.chosen else line.line.name),
            "spec": "" if "name" in line.by_hand else line.product_spec if line.chosen else line.line.spec,
            "unit": line.line.unit or line.product_unit, "qty": line.line.qty, "price": _fixed(line.unit_price),
            "amount": f"{line.amount:.2f}" if line.amount is not None else "",
        }
        for line in quote.lines
        if line.state != "skipped"
    )  # fmt: skip
    sums: list[tuple[str, str]] = []
    if quote.tax:
        rate = Decimal(quote.tax_rate).normalize()
        sums = [(say("Subtotal"), str(quote.subtotal)), (say("Tax {rate} %", rate=f"{rate:f}"), str(quote.tax))]
    sums.append((say("Total {currency}", currency=quote.currency), str(quote.total)))
    number = quote.id.removeprefix("quote-").upper()
    facts = [(say("Quotation no."), number), (say("Date"), today.isoformat()), (say("Valid until"), until),
             (say("Customer"), quote.customer)]  # fmt: skip
    return Offer(
        say("Quotation"), number, today.isoformat(), until, quote.customer, settings.company,
        _lines(settings.company_lines), _lines(settings.terms), columns, rows, tuple(sums),
        tuple((label, value) for label, value in facts if value),
    )  # fmt: skip


def _columns(say: Callable[[str], str]) -> tuple[Column, ...]:
    return (
        Column("no", say("No."), is_number=True), Column("code", say("Code")), Column("product", say("Product")),
        Column("spec", say("Specification")), Column("unit", say("Unit")),
        Column("qty", say("Quantity"), is_number=True),
        Column("price", say("Unit price"), is_number=True), Column("amount", say("Amount"), is_number=True),
    )  # fmt: skip


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _fixed(text: str) -> str:
    if not text:
        return ""
    value = Decimal(text)
    return f"{value:.2f}" if value == value.quantize(Decimal("0.01")) else f"{value:f}"


def table_rows(offer: Offer) -> Sequence[dict[str, str]]:
    """The lines and below them the sums, for a spreadsheet."""
    return [*offer.rows, *({"product": label, "amount": value} for label, value in offer.sums)]


def values_of(quote: Quotation, offer: Offer, settings: QuotationSettings) -> TemplateValues:
    """What the placeholders of a person's own workbook stand for."""
    fields = {
        "title": offer.title, "company": offer.company, "company_lines": "\n".join(offer.company_lines),
        "customer": offer.customer, "number": offer.number, "date": offer.day, "valid_until": offer.valid_until,
        "terms": "\n".join(offer.terms), "currency": quote.currency, "level": quote.level,
        "subtotal": str(quote.subtotal), "tax": str(quote.tax), "tax_rate": quote.tax_rate, "total": str(quote.total),
        "count": str(len(offer.rows)), "valid_days": str(settings.valid_days),
    }  # fmt: skip
    offered = [line for line in quote.lines if line.state != "skipped"]
    lines = [
        {
            **{f"line.{name}": row[name] for name in ("no", "code", "spec", "unit", "qty", "price", "amount")},
            "line.name": row["product"], "line.product": line.shown_name, "line.note": line.line.note,
            "line.request": line.line.request,
        }
        for row, line in zip(offer.rows, offered, strict=True)
    ]  # fmt: skip
    return TemplateValues(fields, lines)


def empty_offer(language: str) -> Offer:
    """One with placeholders in the place of everything, to make an own workbook of."""

    def mark(name: str) -> str:
        return "{{" + name + "}}"

    def say(text: str, **values: object) -> str:
        return say_in(language, text, **values)

    names = {"no": "no", "code": "code", "product": "name", "spec": "spec", "unit": "unit", "qty": "qty",
             "price": "price", "amount": "amount"}  # fmt: skip
    facts = [(say("Quotation no."), mark("number")), (say("Date"), mark("date")),
             (say("Valid until"), mark("valid_until")), (say("Customer"), mark("customer"))]  # fmt: skip
    sums = [(say("Subtotal"), mark("subtotal")), (say("Tax {rate} %", rate=mark("tax_rate")), mark("tax")),
            (say("Total {currency}", currency=mark("currency")), mark("total"))]  # fmt: skip
    return Offer(
        say("Quotation"), "", "", "", "", mark("company"), (mark("company_lines"),), (mark("terms"),), _columns(say),
        ({key: mark(f"line.{name}") for key, name in names.items()},), tuple(sums), tuple(facts),
    )  # fmt: skip

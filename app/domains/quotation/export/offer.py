"""What a quotation says to a customer: letterhead, lines, sums, terms. The same for every kind of file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from app.domains.kit.tables import Column
from app.domains.kit.wording import say_in

from ..model.quotation import Quotation
from ..settings import QuotationSettings


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
    columns = (
        Column("no", say("No."), is_number=True), Column("code", say("Code")), Column("product", say("Product")),
        Column("spec", say("Specification")), Column("unit", say("Unit")),
        Column("qty", say("Quantity"), is_number=True),
        Column("price", say("Unit price"), is_number=True), Column("amount", say("Amount"), is_number=True),
    )  # fmt: skip
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

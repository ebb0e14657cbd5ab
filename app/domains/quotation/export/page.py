"""A quotation as a page: HTML that needs nothing from outside, printed to PDF by the window."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from .offer import Offer

LARGEST_LOGO = 2_000_000
_KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_STYLE = """
body { font-family: "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif; font-size: 10pt; color: #1d2129; }
h1 { font-size: 18pt; margin: 14pt 0 8pt 0; }
th { text-align: left; border-bottom: 1pt solid #1d2129; padding: 3pt; }
td { border-bottom: 0.5pt solid #c8ccd2; padding: 3pt; vertical-align: top; }
.n { text-align: right; }
.quiet { color: #5b6470; }
.total { font-weight: bold; font-size: 12pt; }
"""


def page_of(offer: Offer, language: str, logo: str = "") -> str:
    picture = _picture(logo)
    head = f'<td>{picture}</td><td align="right"><b>{escape(offer.company)}</b><br>' if offer.company or picture else ""
    if head:
        lines = "<br>".join(escape(line) for line in offer.company_lines)
        head = f'<table width="100%"><tr>{head}<span class="quiet">{lines}</span></td></tr></table>'
    facts = "".join(
        f'<tr><td class="quiet">{escape(label)}&nbsp;&nbsp;</td><td>{escape(value)}</td></tr>'
        for label, value in offer.facts
    )
    names = "".join(f"<th{_right(c.is_number)}>{escape(c.label)}</th>" for c in offer.columns)
    rows = "".join(
        "<tr>"
        + "".join(f"<td{_right(c.is_number)}>{escape(row.get(c.key) or '–')}</td>" for c in offer.columns)
        + "</tr>"
        for row in offer.rows
    )
    sums = "".join(_sum_row(offer, n) for n in range(len(offer.sums)))
    terms = "".join(f"<p>{escape(line)}</p>" for line in offer.terms)
    return (
        f'<!DOCTYPE html><html lang="{escape(language[:2])}"><head><meta charset="utf-8"><title>{escape(offer.title)} '
        f"{escape(offer.number)}</title><style>{_STYLE}</style></head><body>{head}<h1>{escape(offer.title)}</h1>"
        f'<table>{facts}</table><br><table width="100%" cellpadding="4" cellspacing="0"><thead><tr>{names}</tr></thead>'
        f"<tbody>{rows}{sums}</tbody></table>"
        f'<br><div class="quiet">{terms}</div></body></html>'
    )


def _sum_row(offer: Offer, number: int) -> str:
    label, value = offer.sums[number]
    style = ' class="n total" align="right"' if number == len(offer.sums) - 1 else ' class="n" align="right"'
    before = f'<td colspan="{len(offer.columns) - 1}"{style}>{escape(label)}</td>'
    return f'<tr class="sum">{before}<td{style}>{escape(value)}</td></tr>'


def _right(is_number: bool) -> str:
    return ' class="n" align="right"' if is_number else ""


def _picture(logo: str) -> str:
    """The file as part of the page; nothing where it is not there, too large, or no PNG or JPEG."""
    if not logo:
        return ""
    try:
        data = Path(logo).expanduser().read_bytes()
    except (OSError, ValueError, RuntimeError):
        return ""
    kind = next((kind for head, kind in _KINDS.items() if data.startswith(head)), "")
    if not kind or len(data) > LARGEST_LOGO:
        return ""
    return f'<img height="56" src="data:{kind};base64,{base64.b64encode(data).decode()}">'

"""The trip to read or to print: Markdown, and one HTML page without anything from outside."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from app.core.text.i18n import nearest

from ...kit.files import printable
from ..itinerary_card import day_label, texts, way_words
from ..wording import N_, money, say_in
from .journey import Journey, name_of

STYLE = """
body{font:16px/1.6 system-ui,"Noto Sans CJK SC","Microsoft YaHei",sans-serif;max-width:46rem;margin:2rem auto;
padding:0 1rem;color:#1d2433;background:#fff}
img{max-width:100%}
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem;border-bottom:1px solid #d8dde6;padding-bottom:.3rem}
table{border-collapse:collapse;width:100%}td{padding:.35rem .6rem;vertical-align:top;border-bottom:1px solid #eef1f5}
td.t{white-space:nowrap;font-variant-numeric:tabular-nums;color:#52607a;width:7.5rem}
small{color:#52607a}.w{color:#9a4a00}
@media (prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ef}td,h2{border-color:#2b3240}
td.t,small{color:#9aa7bd}.w{color:#ffb870}}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}
"""


def markdown(journey: Journey) -> bytes:
    lines = [f"# {_md(journey.title)}", ""]
    for day in journey.days:
        lines += [f"## {_md(day_label(day, journey.language))}", ""]
        for stop in day.get("stops") or ():
            lines.append(f"- **{span(stop)}** {_md(name_of(stop))}{_md(details(journey, day, stop))}")
            lines += [f"  - {_md(note)}" for note in [*texts(stop, "notes"), *texts(stop, "warnings")]]
        lines += ["", _md(day_sum(journey, day)), ""]
    lines += _more_lines(journey)
    lines += [f"- {_md(text)}" for text in remarks(journey)]
    return ("\n".join(lines).rstrip() + "\n").encode()


def html(journey: Journey) -> bytes:
    body = [f"<h1>{_html(journey.title)}</h1>"]
    for day in journey.days:
        body.append(f"<h2>{_html(day_label(day, journey.language))}</h2><table>")
        body += [_row(journey, day, stop) for stop in day.get("stops") or ()]
        body.append(f"</table><p><small>{_html(day_sum(journey, day))}</small></p>{_map(journey, day)}")
    body += _more_parts(journey)
    body.append("<ul>" + "".join(f"<li><small>{_html(text)}</small></li>" for text in remarks(journey)) + "</ul>")
    language = nearest(journey.language).replace("_", "-")
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{_html(journey.title)}</title><style>{STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    ).encode()


def _map(journey: Journey, day: Mapping[str, Any]) -> str:
    picture = journey.sheet.maps.get(int(day.get("day") or 0))
    if not picture:
        return ""
    data = base64.b64encode(picture).decode()
    return f'<p><img alt="{_html(day_label(day, journey.language))}" src="data:image/png;base64,{data}"></p>'


def _more_lines(journey: Journey) -> list[str]:
    """What to book, what it costs and what to eat, as Markdown."""
    sheet, language, lines = journey.sheet, journey.language, []
    if sheet.bookings:
        lines += [f"## {say_in(language, 'To book')}", ""]
        lines += [f"- [ ] {_md(booking.text)} {booking.url}".rstrip() for booking in sheet.bookings] + [""]
    if sheet.budget:
        lines += [f"## {say_in(language, 'Budget')}", ""]
        lines += [f"- {_md(label)}: {_md(amount)}" for label, amount in sheet.budget] + [""]
    if sheet.foods:
        lines += [f"## {say_in(language, 'Local food')}", "", _md(say_in(language, ", ").join(sheet.foods)), ""]
    return lines


def _more_parts(journey: Journey) -> list[str]:
    sheet, language, parts = journey.sheet, journey.language, []
    if sheet.bookings:
        items = "".join(f"<li>☐ {_html(each.text)} <small>{_html(each.url)}</small></li>" for each in sheet.bookings)
        parts.append(f"<h2>{_html(say_in(language, 'To book'))}</h2><ul>{items}</ul>")
    if sheet.budget:
        rows = "".join(
            f'<tr class="n"><td>{_html(label)}</td><td>{_html(amount)}</td></tr>' for label, amount in sheet.budget
        )
        parts.append(f"<h2>{_html(say_in(language, 'Budget'))}</h2><table>{rows}</table>")
    if sheet.foods:
        foods = _html(say_in(language, ", ").join(sheet.foods))
        parts.append(f"<h2>{_html(say_in(language, 'Local food'))}</h2><p>{foods}</p>")
    return parts


def _row(journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any]) -> str:
    notes = "".join(f"<br><small>{_html(note)}</small>" for note in texts(stop, "notes"))
    warnings = "".join(f'<br><small class="w">{_html(each)}</small>' for each in texts(stop, "warnings"))
    more = f"<small>{_html(details(journey, day, stop))}</small>"
    return f'<tr><td class="t">{_html(span(stop))}</td><td>{_html(name_of(stop))}{more}{notes}{warnings}</td></tr>'


def span(stop: Mapping[str, Any]) -> str:
    start, end = str(stop.get("start") or ""), str(stop.get("end") or "")
    return start if start == end else f"{start}–{end}"


def details(journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any]) -> str:
    words = []
    if stop.get("transfer"):
        words.append(way_words(stop["transfer"], journey.language))
    if stop.get("cost"):
        words.append(money(stop["cost"], journey.currency_of(day)))
    return say_in(journey.language, " ({details})", details=say_in(journey.language, ", ").join(words)) if words else ""


def day_sum(journey: Journey, day: Mapping[str, Any]) -> str:
    totals = day.get("totals") or {}
    cost = money(totals.get("cost") or 0, journey.currency_of(day))
    way, visits = totals.get("travel_min") or 0, totals.get("visit_min") or 0
    return say_in(
        journey.language,
        "{way} min on the way, {visits} min of visits, tickets {cost}",
        way=way,
        visits=visits,
        cost=cost,
    )


def remarks(journey: Journey) -> Iterator[str]:
    assumptions = journey.itinerary.get("assumptions")
    yield from (str(each) for each in assumptions) if isinstance(assumptions, list) else ()
    as_of = journey.itinerary.get("as_of")
    if as_of:
        words = N_("Times and ways are estimates; prices and hours for reference, {as_of}: check the official source")
        yield say_in(journey.language, words, as_of=as_of)
    else:
        words = N_("Times and ways are estimates; prices and hours for reference: check the official source")
        yield say_in(journey.language, words)


_SPECIAL = "\\`*_{}[]<>#|~"


def _md(text: str) -> str:
    """One line in which nothing is markup."""
    line = " ".join(printable(text).split())
    return "".join(f"\\{c}" if c in _SPECIAL else c for c in line)


def _html(text: str) -> str:
    return escape(" ".join(printable(text).split()))

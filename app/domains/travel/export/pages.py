"""The trip to read or to print: Markdown, and one HTML page without anything from outside."""

from __future__ import annotations

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
            lines.append(f"- **{_time(stop)}** {_md(name_of(stop))}{_md(_details(journey, day, stop))}")
            lines += [f"  - {_md(note)}" for note in [*texts(stop, "notes"), *texts(stop, "warnings")]]
        lines += ["", _md(_day_sum(journey, day)), ""]
    lines += [f"- {_md(text)}" for text in _remarks(journey)]
    return ("\n".join(lines).rstrip() + "\n").encode()


def html(journey: Journey) -> bytes:
    body = [f"<h1>{_html(journey.title)}</h1>"]
    for day in journey.days:
        body.append(f"<h2>{_html(day_label(day, journey.language))}</h2><table>")
        body += [_row(journey, day, stop) for stop in day.get("stops") or ()]
        body.append(f"</table><p><small>{_html(_day_sum(journey, day))}</small></p>")
    body.append("<ul>" + "".join(f"<li><small>{_html(text)}</small></li>" for text in _remarks(journey)) + "</ul>")
    language = nearest(journey.language).replace("_", "-")
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>{_html(journey.title)}</title><style>{STYLE}</style></head>\n<body>"
        + "\n".join(body)
        + "</body></html>\n"
    ).encode()


def _row(journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any]) -> str:
    notes = "".join(f"<br><small>{_html(note)}</small>" for note in texts(stop, "notes"))
    warnings = "".join(f'<br><small class="w">{_html(each)}</small>' for each in texts(stop, "warnings"))
    details = f"<small>{_html(_details(journey, day, stop))}</small>"
    return f'<tr><td class="t">{_html(_time(stop))}</td><td>{_html(name_of(stop))}{details}{notes}{warnings}</td></tr>'


def _time(stop: Mapping[str, Any]) -> str:
    start, end = str(stop.get("start") or ""), str(stop.get("end") or "")
    return start if start == end else f"{start}–{end}"


def _details(journey: Journey, day: Mapping[str, Any], stop: Mapping[str, Any]) -> str:
    words = []
    if stop.get("transfer"):
        words.append(way_words(stop["transfer"], journey.language))
    if stop.get("cost"):
        words.append(money(stop["cost"], journey.currency_of(day)))
    return say_in(journey.language, " ({details})", details=say_in(journey.language, ", ").join(words)) if words else ""


def _day_sum(journey: Journey, day: Mapping[str, Any]) -> str:
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


def _remarks(journey: Journey) -> Iterator[str]:
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

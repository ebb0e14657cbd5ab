"""A report with its evidence: the text, each source with its passage, and the confidence in each claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from app.core.text.i18n import nearest
from app.domains.kit.wording import N_, say_in

from ..citations.listing import read_listing
from ..citations.systems import references
from ..citations.text import Draft

STYLE = """
body{font:16px/1.65 system-ui,"Noto Sans CJK SC","Microsoft YaHei",sans-serif;max-width:46rem;margin:2rem auto;
padding:0 1rem;color:#1d2433;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem}table{border-collapse:collapse}
td,th{padding:.3rem .6rem;border-bottom:1px solid #d8dde6;text-align:left;vertical-align:top}
blockquote{margin:.3rem 0 .8rem;padding-left:.8rem;border-left:3px solid #d8dde6;color:#52607a}
small{color:#52607a}.low,.warn{color:#9a4a00}li:target{background:#fff6d6}
@media (prefers-color-scheme:dark){body{background:#14181f;color:#e6e9ef}td,th,blockquote{border-color:#2b3240}
small,blockquote{color:#9aa7bd}.low,.warn{color:#ffb870}li:target{background:#2b2a1c}}
"""
_HEADINGS = {"evidence": N_("Sources and evidence"), "claims": N_("How sure it is"), "open": N_("Open questions")}


def markdown(payload: Mapping[str, Any], words: Mapping[str, str], language: str) -> str:
    title, text = str(payload["title"]), str(payload["markdown"]).strip()
    lines = [text] if text.startswith("# ") else [f"# {title}", "", text]
    if payload.get("claims"):
        lines += ["", f"## {say_in(language, _HEADINGS['claims'])}", ""]
        lines += [f"- {claim['text']} — {_claim_note(claim, words, language)}" for claim in payload["claims"]]
    if payload.get("open_questions"):
        lines += ["", f"## {say_in(language, _HEADINGS['open'])}", ""]
        lines += [f"- {question}" for question in payload["open_questions"]]
    lines += ["", f"## {say_in(language, _HEADINGS['evidence'])}", ""]
    for row in payload["sources"]:
        facts = " · ".join(_facts(row, words, language))
        lines.append(f"{row['n']}. {row['title']} <{row['url']}>" + (f" ({facts})" if facts else ""))
        if row.get("passage"):
            lines += [f"   > {line}" for line in str(row["passage"]).splitlines() if line.strip()]
    return "\n".join(lines).rstrip() + "\n"


def html(payload: Mapping[str, Any], words: Mapping[str, str], language: str) -> str:
    """For a worker thread. Nothing in the text becomes markup, and links lead to web pages only."""
    from markdown_it import MarkdownIt

    title = str(payload["title"])
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    text = linked(str(payload["markdown"]), {int(row["n"]) for row in payload["sources"]}, without_list=True)
    body = parser.render(text)
    head = "" if re.match(r"\s*<h1", body) else f"<h1>{escape(title)}</h1>"
    parts = [head, body, *_claims(payload, words, language), *_evidence(payload, words, language)]
    return (
        f'<!doctype html>\n<html lang="{nearest(language).replace("_", "-")}">\n<head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def without_title(text: str, title: str) -> str:
    """A card has its title above it already."""
    first, _line_end, rest = text.lstrip().partition("\n")
    is_title = first.startswith("# ") and first[2:].strip().casefold() == title.strip().casefold()
    return rest.lstrip("\n") if is_title else text


def linked(text: str, numbers: set[int], *, without_list: bool) -> str:
    """With each [n] as a link to its source; the list itself is left out where the page has its own."""
    draft = Draft(text)
    listing = read_listing(draft)
    spans = [(source.at, source.end) for source in listing.sources] + listing.headings
    pieces: list[tuple[int, int, str]] = [(begin, end, "") for begin, end in spans] if without_list else []
    for mark in references(draft.blanked(listing.spans), listing):
        listed = [number for number in mark.numbers if number in numbers]
        if listed and not mark.target:
            pieces.append((mark.at, mark.end, "".join(f"[[{number}]](#source-{number})" for number in mark.numbers)))
    out, at = [], 0
    for begin, end, piece in sorted(pieces):
        if begin >= at:
            out += [text[at:begin], piece]
            at = end
    return "".join([*out, text[at:]])


def _claims(payload: Mapping[str, Any], words: Mapping[str, str], language: str) -> Iterator[str]:
    if payload.get("claims"):
        yield f"<h2>{escape(say_in(language, _HEADINGS['claims']))}</h2><table>"
        for claim in payload["claims"]:
            note = _claim_note(claim, words, language)
            level = escape(str(claim["confidence"]))
            yield f'<tr><td>{escape(str(claim["text"]))}</td><td class="{level}">{escape(note)}</td></tr>'
        yield "</table>"
    if payload.get("open_questions"):
        yield f"<h2>{escape(say_in(language, _HEADINGS['open']))}</h2><ul>"
        yield from (f"<li>{escape(str(question))}</li>" for question in payload["open_questions"])
        yield "</ul>"


def _evidence(payload: Mapping[str, Any], words: Mapping[str, str], language: str) -> Iterator[str]:
    yield f"<h2>{escape(say_in(language, _HEADINGS['evidence']))}</h2><ol>"
    for row in payload["sources"]:
        url = str(row["url"])
        text = escape(url)
        link = f'<a href="{text}" rel="noreferrer">{text}</a>' if url.startswith(("http://", "https://")) else text
        facts = escape(" · ".join(_facts(row, words, language)))
        number = int(row["n"])
        yield f'<li id="source-{number}" value="{number}">{escape(str(row["title"]))}'
        yield f"<br>{link}<br><small>{facts}</small>"
        if row.get("passage"):
            yield f"<blockquote>{escape(str(row['passage']))}</blockquote>"
        yield "</li>"
    yield "</ol>"


def _claim_note(claim: Mapping[str, Any], words: Mapping[str, str], language: str) -> str:
    note = words.get(str(claim["confidence"]), "") + " " + "".join(f"[{n}]" for n in claim.get("supports", ()))
    if claim.get("conflict"):
        against = "".join(f"[{n}]" for n in claim.get("contradicts", ()))
        note += " · " + say_in(language, "contradicted by {sources}", sources=against)
    return note.strip()


def _facts(row: Mapping[str, Any], words: Mapping[str, str], language: str) -> Iterator[str]:
    if row.get("quality"):
        yield words.get(str(row["quality"]), "")
    if row.get("accessed"):
        yield say_in(language, "read on {date}", date=str(row["accessed"])[:10])
    if row.get("sha256"):
        yield f"sha256 {str(row['sha256'])[:12]}"
    if row.get("state"):
        yield words.get(str(row["state"]), "")

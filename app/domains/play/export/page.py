"""A game as one page to print: safety and stop signs first, every step below one another, what it is not at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

_STYLE = """
h1 { font-size: 18pt; margin: 0 0 2pt 0; }
h2 { font-size: 12pt; margin: 9pt 0 1pt 0; }
p { margin: 1pt 0; }
.quiet { color: #5b6470; }
"""
_LONGEST = 6_000
"""Characters of a game that is printed whole; of a longer one only what is needed while playing."""


def page_of(game: Mapping[str, Any], language: str) -> str:
    """`game` is the payload of its card (`cards.printed`)."""
    words = game["labels"]
    whole = _length(game) <= _LONGEST
    safety = [*game["safety"], *(f"{one['message']}: {one['fix']}" for one in game["findings"])]
    box = "".join(
        [
            f"<p><b>{_text(words['safety'])}</b></p>",
            *(f"<p>• {_text(line)}</p>" for line in safety),
            f"<p><b>{_text(words['stop_signs'])}: {_text(' · '.join(game['stop_signs']))}</b></p>",
            f"<p>{_text(words['calm_down'])}: {_text(game['calm_down'])}</p>",
        ]
    )
    needs = " · ".join(
        _text(one["name"]) + (f" ({_text(one['instead'])})" if one.get("instead") else "") for one in game["materials"]
    )
    head = [(words["goal"], _text(game["goal"])), (words["materials"], needs)]
    if whole:
        head.append((words["preparation"], " · ".join(map(_text, game["preparation"]))))
    body = [
        f"<h1>{_text(game['title'])}</h1>",
        f'<p class="quiet">{_text(game["aside"])}</p>',
        f'<table width="100%" cellpadding="8" cellspacing="0"><tr><td bgcolor="#fcf4e2">{box}</td></tr></table>',
        *_lines(head),
        *(_step(number, step, words, whole=whole) for number, step in enumerate(game["steps"], 1)),
        *_lines([(words["ending"], _text(game["ending"]))]),
        f"<p><b>{_text(words['questions'])}</b></p>",
        *(f"<p>• {_text(one)} ______________________________</p>" for one in game["questions"]),
        f'<br><p class="quiet">{_text(words["disclaimer"])}</p>',
    ]
    return (
        f'<!DOCTYPE html><html lang="{escape(language[:2])}"><head><meta charset="utf-8">'
        f"<title>{_text(game['title'])}</title><style>{_STYLE}</style></head><body>{''.join(body)}</body></html>"
    )


def _step(number: int, step: Mapping[str, Any], words: Mapping[str, str], *, whole: bool) -> str:
    length = f" · {_text(step['length'])}" if step["length"] else ""
    notes = [(words["refuses"], step["refuses"]), (words["easier"], step["easier"]), (words["harder"], step["harder"])]
    if whole:
        notes = [(words["guidance"], step["guidance"]), (words["watch"], " · ".join(step["watch"])), *notes]
    sentences = _lines([(words["say"], f"“{_text(one)}”") for one in step["say"]])
    return "".join(
        [
            f"<h2>☐ {number}. {_text(step['title'])}{length}</h2>",
            f"<p>{_text(step['text'])}</p>", *sentences, *_lines([(name, _text(text)) for name, text in notes]),
        ]
    )  # fmt: skip


def _lines(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"<p><b>{_text(name)}</b>: {text}</p>" for name, text in pairs if text]


def _length(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(map(_length, value.values()))
    return sum(map(_length, value)) if isinstance(value, list | tuple) else len(str(value))


def _text(value: Any) -> str:
    return escape(str(value))

"""Full-text search in words and Chinese: how text is cut for the index, and what a hit shows.

The index knows words of letters and digits, and every Chinese, Japanese or Korean character for
itself: a space is put around each (`spaced`). A query is a list of phrases, all of which must be
found; snippets are cut from the original text, never from the index. Pure text, no SQL.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One place where the words were found. `ranges` are start and end within `snippet`."""

    session: str
    title: str
    agent: str
    kind: Literal["title", "message", "result"]
    message: str | None
    """None for a hit in the title."""
    role: str
    created: float
    snippet: str
    ranges: Ranges


BEFORE, AFTER = 40, 120
"""Characters of a snippet on either side of where its hit begins."""
LONGEST_QUERY, MOST_PHRASES = 512, 32
"""Characters and phrases; what is pasted in beyond them is not looked for. Twenty thousand words took minutes."""
LONGEST = 400_000
"""Characters of one text that are looked through for a snippet."""
BREAK = "\ue000"
"""Stands between two texts of one message: a word of its own, so that no phrase reaches across."""

_CJK = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_CJK_PLANE = _CJK + "\uac00-\ud7af\uf900-\ufaff"
"""Without the rare ones beyond the first plane, which make a pattern three times as slow."""
_CJK = _CJK_PLANE + "\U00020000-\U0003ffff"
_AT_ONCE, _AT_MOST = 4_000, 8_000
_SPACE = re.compile(r"\s")
_PIECE = re.compile(r'"([^"]*)"|(\S+)')


@cache
def _one_cjk(*, rare: bool = True) -> re.Pattern[str]:
    # Compiled with the first text: the window is painted before.
    return re.compile(f"([{_CJK if rare else _CJK_PLANE}])")


@cache
def _token() -> re.Pattern[str]:
    return re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


def spaced(text: str) -> str:
    """What the index is given: NFKC, so that look-alike forms are one, and each CJK character a word."""
    if text.isascii():
        return text
    return "".join(_spaced(unicodedata.normalize("NFKC", piece)) for piece in _pieces(text))


def _spaced(text: str) -> str:
    is_rare = len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)
    return " ".join(_one_cjk(rare=is_rare).split(text))


def _pieces(text: str) -> Iterator[str]:
    """So that other threads have their turn: 100,000 ligatures take a quarter of a second in one call.

    Cut before a space, where nothing is composed across; else, after `_AT_MOST`, anywhere.
    """
    start = 0
    while start < len(text):
        end = start + _AT_ONCE
        if end < len(text):
            space = _SPACE.search(text, end, start + _AT_MOST)
            end = space.start() if space is not None else start + _AT_MOST
        yield text[start:end]
        start = end


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed: phrases, each a sequence of tokens. Empty if there is nothing to look for."""

    phrases: tuple[tuple[str, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Query:
        """Words, or a phrase in double quotes; `foo-bar` is the phrase foo bar."""
        pieces = (quoted or word for quoted, word in _PIECE.findall(text[:LONGEST_QUERY]))
        cut = (tuple(_token().findall(unicodedata.normalize("NFKC", piece))) for piece in pieces)
        return cls(tuple(dict.fromkeys(phrase for phrase in cut if phrase))[:MOST_PHRASES])

    def match(self, *, prefix: bool = False) -> str:
        """The expression of FTS5. `prefix`: the last word may continue."""
        quoted = [f'"{" ".join(phrase)}"' for phrase in self.phrases]
        return " ".join(quoted) + ("*" if prefix else "")

    @property
    def may_go_on(self) -> bool:
        """Whether the last word is long enough to be the beginning of others."""
        last = self.phrases[-1][-1] if self.phrases else ""
        return len(last) > 1 and not _one_cjk().match(last)


def snippet(text: str, query: Query) -> tuple[str, Ranges]:
    """The part of `text` with the most of what was looked for; no ranges if nothing of it is there."""
    text = text[:LONGEST]
    hits = _hits(text, query)
    start = _best_start(hits, len(query.phrases))
    first, last = max(0, start - BEFORE), min(len(text), start + AFTER)
    excerpt = "".join(" " if char.isspace() else char for char in text[first:last])
    head, tail = "…" if first else "", "…" if last < len(text) else ""
    shift = len(head) - first
    ranges = tuple((a + shift, min(b, last) + shift) for _, a, b in hits if first <= a < last)
    return head + excerpt + tail, ranges


def holds(text: str, query: Query) -> int:
    """How many of the phrases are in `text`."""
    return len({phrase for phrase, _, _ in _hits(text[:LONGEST], query)})


def _best_start(hits: Sequence[tuple[int, int, int]], phrases: int) -> int:
    best, most = 0, 0
    for n, (_, start, _end) in enumerate(hits[:50]):
        near = {phrase for phrase, other, _ in hits[n : n + 50] if other < start + AFTER}
        if len(near) > most:
            best, most = start, len(near)
        if most == phrases:
            break
    return best


def _hits(text: str, query: Query) -> list[tuple[int, int, int]]:
    """(phrase, start, end), without overlaps, from the beginning on."""
    folded, places = _folded(text)
    positions = sorted(
        (match.start(), match.end(), number)
        for number, phrase in enumerate(query.phrases)
        for match in _finder(phrase, prefix=number == len(query.phrases) - 1 and query.may_go_on).finditer(folded)
    )
    return list(_apart(positions, places))


def _apart(found: list[tuple[int, int, int]], places: Sequence[int] | None) -> Iterator[tuple[int, int, int]]:
    until = 0
    for start, end, number in found:
        if start >= until:
            until = end
            yield (number, start, end) if places is None else (number, places[start], places[end - 1] + 1)


@lru_cache(64)
def _finder(phrase: tuple[str, ...], *, prefix: bool) -> re.Pattern[str]:
    """Between two tokens stand only signs that are in none, so there is one way to match: no backtracking."""
    before, after = rf"(?<![^\W_{_CJK}])", rf"(?![^\W_{_CJK}])"
    middle = r"[\W_]*?".join(re.escape(_folded(token)[0]) for token in phrase)
    first = "" if _one_cjk().match(phrase[0]) else before
    last = "" if prefix or _one_cjk().match(phrase[-1]) else after
    return re.compile(first + middle + last)


def _folded(text: str) -> tuple[str, Sequence[int] | None]:
    """Without case and accents, as the index sees it, and for each character its place in `text`."""
    if text.isascii():
        return text.lower(), None
    pieces = [_fold(char) for char in text]
    folded = "".join(pieces)
    if len(folded) == len(text) and all(len(piece) == 1 for piece in pieces):
        return folded, None
    return folded, [place for place, piece in enumerate(pieces) for _ in piece]


@lru_cache(20_000)
def _fold(char: str) -> str:
    if "\u4e00" <= char <= "\u9fff":
        return char
    if char < "\u0530" or "\u1e00" <= char <= "\u1fff":
        # Elsewhere a mark is part of the letter: か is not が.
        apart = unicodedata.normalize("NFKD", char)
        return "".join(one for one in apart if unicodedata.category(one) != "Mn").lower()
    return unicodedata.normalize("NFKC", char).lower()

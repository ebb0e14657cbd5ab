"""The sources a draft lists: "[1] …", "1. …", "[1]: url", footnotes, rows of a table, plain bullets.

A list is under a heading that says so, or at the end without one. If there are several, [n] refers to the bracketed
one; of two lists that both begin with 1, the last one counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from app.core.text.addresses import canonical_url

from .headings import Heading, heading
from .roman import CIRCLED, ROMAN, circled_number, roman_number
from .text import Draft, DraftLine

Style = Literal["bracket", "number", "bare", "note", "table", "bullet", "circled", "roman", "plain", "paragraph"]
UNNUMBERED = ("bullet", "plain")

_LEAD = r"[ ]{0,8}(?:>[ ]?){0,2}(?:[-*+•·][ ]{1,4})?(?:<[^<>]{0,160}>[ ]{0,2}){0,4}(?:\*\*|__)?"
_WORD = r"(?:(?:sources?|refs?|references?|s|no|来源|参考资料|参考文献|文献|资料|引用|注)[ .:#]{0,3}|#)?"
_BRACKET = re.compile(
    rf"{_LEAD}\\?\[{{1,2}}[ ]?{_WORD}(\d{{1,4}})[ ]?\\?\]{{1,2}}(?:\*\*|__)?[ ]?(?:[:.、)]|-[ ])?", re.IGNORECASE
)
_NUMBER = re.compile(
    rf"{_LEAD}(?:(?:来源|文献|资料|注|source|ref)[ ]?)?"
    r"\\?\(?(\d{1,3})(?:\\?[.)、:](?!\d)|[ ]-[ ])(?:\*\*|__)?[ ]{0,6}(?=\S)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{_LEAD}(\d{{1,3}})[ ]{{1,4}}(?=[^\s\d.,:)-])")
"""A number and nothing behind it: an entry where the lines of a list count from 1."""
_NOTE = re.compile(r"[ ]{0,3}(?:[-*+][ ])?\[\^([^\[\]\s^]{1,60})\]:")
_DEFINITION = re.compile(r"[ ]{0,3}\[(\d{1,4})\]:[ ]{0,4}<?(?:https?:|www\.|doi)", re.IGNORECASE)
_TABLE = re.compile(
    r"[ ]{0,3}\|[ ]{0,20}(?:\*\*)?\[{0,2}(\d{1,4})\]{0,2}(?:\*\*)?[ ]{0,20}(?:\([^()|]{0,300}\)[ ]{0,4})?\|"
)
_BULLET = re.compile(r"[ ]{0,3}(?:[-*+•·][ ]{1,4}(?=\S)|<li\b[^<>]{0,160}>[ ]{0,4})", re.IGNORECASE)
_INLINE_HEAD = re.compile(r"[ ]{0,3}(?:\*\*|__)?([^\[\]:\n]{2,24}):(?:\*\*|__)?[ ]{0,3}(?=\[\d{1,4}\])")
_CIRCLED = re.compile(rf"{_LEAD}([{CIRCLED}])[ .、:]{{0,3}}(?=\S)")
_ROMAN = re.compile(rf"{_LEAD}(?:\[({ROMAN})\]|\(?({ROMAN})[.):])[ .:]{{0,3}}(?=\S)", re.IGNORECASE)
_DATED = re.compile(r"[ ]{0,3}[^\W\d_][^\n]{2,200}?[,.( ](?:1[89]|20)\d\d[a-z]?[).]")
"""An entry that begins with its authors."""
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_NEXT_INLINE = re.compile(r"(?<=[ ;,])\[(\d{1,4})\](?=[ :]|\()")
URL = re.compile(
    r"https?://[^\s<>\"'`|\[\]）】」》，。；、]{1,2000}|\bwww\.[^\s<>\"'`|\[\]）】」》，。；、]{4,2000}", re.IGNORECASE
)
_WHOLE_URL = re.compile(r"https?://[^\s<>\"'`|\[\]）】」》，。；、]{1,2000}", re.IGNORECASE)
_DOI = re.compile(r"\bdoi[: ]{1,2}(10\.\d{4,9}/[^\s<>\"]{1,200})", re.IGNORECASE)
_SHORTEST_TITLE = 12


@dataclass(frozen=True, slots=True)
class SourceEntry:
    at: int
    end: int
    style: Style
    number: int = 0
    """0: it has none."""
    note: str = ""
    text: str = ""
    section: int = 0
    first: int = 0
    """Where its text begins, behind number and label."""

    @property
    def url(self) -> str:
        return first_url(self.text)

    @property
    def sameness(self) -> str:
        """Equal for two entries that name the same source; "" where that cannot be told."""
        if url := self.url:
            return canonical_url(url)
        if doi := _DOI.search(self.text):
            return f"doi:{doi.group(1).rstrip('.').casefold()}"
        plain = unicodedata.normalize("NFKC", self.text).casefold()
        title = "".join(char for char in plain if char.isalnum())
        return f"title:{title[:300]}" if len(title) >= _SHORTEST_TITLE else ""


@dataclass
class SourceList:
    sources: list[SourceEntry] = field(default_factory=list)
    """Those that count: numbered ones, or bullets where none is numbered."""
    others: list[SourceEntry] = field(default_factory=list)
    """Of further lists: a reference to one of them is not dangling."""
    headings: list[tuple[int, int]] = field(default_factory=list)

    @property
    def style(self) -> Style | None:
        """Of the sources that count."""
        return self.sources[0].style if self.sources else None

    @property
    def spans(self) -> list[tuple[int, int]]:
        """What is no text of the draft's own. What further lists say may refer to the sources that count."""
        listed = [(source.at, source.end) for source in self.sources]
        return [*listed, *((source.at, source.first) for source in self.others), *self.headings]


def first_url(text: str) -> str:
    """A whole address before one that begins with www., which may be the name of the site."""
    match = _WHOLE_URL.search(text) or URL.search(text)
    if match is None:
        return ""
    url, depth = match.group(), 0
    for place, char in enumerate(url):
        depth += (char == "(") - (char == ")")
        # A bracket that closes what began before it, a comma before Chinese: there the sentence goes on.
        if depth < 0 or (char in ",;" and url[place + 1 : place + 2] > "\u2e80"):
            url = url[:place]
            break
    return url.rstrip(".,;:!?*_")


def read_listing(draft: Draft) -> SourceList:
    listing = SourceList()
    found: list[SourceEntry] = []
    for section, begins, lines in _sections(draft, listing):
        found += _entries(draft, lines, section, styles=_styles_of(lines) if begins else None)
    if not any(source.style != "note" for source in found):
        found += _without_heading(draft, taken=found)
    _choose(found, listing)
    return listing


# ---------------------------------------------------------------- where lists stand


def _sections(draft: Draft, listing: SourceList) -> Iterator[tuple[int, bool, list[DraftLine]]]:
    """Number, whether it is under a heading of sources, and lines. Definitions and footnotes count anywhere."""
    lines = [line for line in draft.lines if not line.is_code]
    heads = _heads(lines)
    section, level, inside = 0, 0, False
    piece: list[DraftLine] = []
    for place, line in enumerate(lines):
        head = heads[place]
        if head is None:
            piece.append(line)
            continue
        closes = not inside or (head.level <= level and not head.of_sources) or head.of_sources
        if inside and closes and not head.of_sources and _goes_on(piece, lines[place + 1 : place + 4]):
            closes = False  # a heading between two parts of one list
        if head.of_sources:
            listing.headings.append((line.at, line.end))
        if closes:
            yield section, inside, piece
            section += 1
            piece, inside, level = [], head.of_sources, head.level
            if head.of_sources and (inline := _INLINE_HEAD.match(line.text)):
                listing.headings[-1] = (line.at, line.at + inline.end())
                piece = [DraftLine(line.at + inline.end(), line.text[inline.end() :])]
        else:
            piece.append(DraftLine(line.at, ""))  # a heading inside the list ends an entry
    yield section, inside, piece


def _goes_on(before: list[DraftLine], after: list[DraftLine]) -> bool:
    """Whether what stands below a heading counts on from what stands above it."""
    following = next((number for line in after if line.text.strip() for number in _number_of(line)), 0)
    last = next((number for line in reversed(before[-40:]) for number in _number_of(line)), 0)
    return last > 0 and following == last + 1


def _number_of(line: DraftLine) -> Iterator[int]:
    for form in (_BRACKET, _NUMBER):
        if match := form.match(line.text):
            yield int(match.group(1))
            return


def _heads(lines: list[DraftLine]) -> list[Heading | None]:
    heads: list[Heading | None] = [None] * len(lines)
    following = ""
    for place in range(len(lines) - 1, -1, -1):
        text = lines[place].text
        if not text.strip():
            continue
        inline = _INLINE_HEAD.match(text)
        if inline is not None and heading(f"{inline.group(1)}:") is not None:
            heads[place] = Heading(7, True)
        else:
            head = heading(text)
            if head is not None and not head.sure and not _is_underline(following) and not _begins_entry(following):
                head = None
            if head is not None and head.level == 7 and _is_underline(following):
                head = Heading(2, head.of_sources)
            heads[place] = head
        following = text
    return heads


def _is_underline(text: str) -> bool:
    bare = text.strip()
    return len(bare) >= 3 and (not bare.strip("=") or not bare.strip("-"))


def _begins_entry(text: str) -> bool:
    start = text.lstrip()[:3].lower()
    if start in ("<ol", "<ul") or start[:1] == "|" or (start[:2] == "1 " and _BARE.match(text)):
        return True
    if any(form.match(text) for form in (_BRACKET, _NUMBER, _NOTE, _TABLE, _BULLET, _CIRCLED, _ROMAN)):
        return True
    return bool(URL.match(text.strip()) or _DATED.match(text))


def _styles_of(lines: list[DraftLine]) -> frozenset[Style]:
    """What counts as an entry here: bullets and numbers only where nothing is in brackets."""
    brackets = sum(_BRACKET.match(line.text) is not None for line in lines)
    tables = sum(_TABLE.match(line.text) is not None for line in lines)
    numbers = sum(_NUMBER.match(line.text) is not None for line in lines)
    if brackets and brackets * 2 >= numbers:
        return frozenset({"bracket", "table"})
    if numbers:
        return frozenset({"number", "table"})
    if tables:
        return frozenset({"table"})
    other: tuple[tuple[Style, list[int]], ...] = (
        ("bare", [int(found.group(1)) for line in lines if (found := _BARE.match(line.text))]),
        ("circled", [circled_number(found.group(1)) for line in lines if (found := _CIRCLED.match(line.text))]),
        ("roman", [_roman(found) for line in lines if (found := _ROMAN.match(line.text))]),
    )
    for style, counted in other:
        if len(counted) > 1 and (counted == list(range(1, len(counted) + 1)) or (style != "bare" and _rises(counted))):
            return frozenset({style})
    return frozenset(
        {"bullet"} if any(_BULLET.match(line.text) or _NOTE.match(line.text) for line in lines) else _plain(lines)
    )


def _roman(found: re.Match[str]) -> int:
    return roman_number(found.group(1) or found.group(2))


def _rises(numbers: list[int]) -> bool:
    return numbers[0] < 3 and all(one < following for one, following in pairwise(numbers))


def _plain(lines: list[DraftLine]) -> set[Style]:
    """Entries without any sign before them, where most have an address or a year."""
    texts = [line.text.strip() for line in lines]
    spaced = any(not text for text in texts[1:-1]) and sum(map(bool, texts)) > 1
    entries = "\n".join(texts).split("\n\n") if spaced else texts
    filled = [entry for entry in entries if entry.strip()]
    telling = sum(bool(URL.search(entry[:2_000]) or _YEAR.search(entry[:300])) for entry in filled)
    if len(filled) < 2 or telling * 3 < len(filled) * 2:
        return set()
    return {"plain", "paragraph"} if spaced else {"plain"}


# ---------------------------------------------------------------- entries


def _entry(line: DraftLine, styles: frozenset[Style] | None) -> tuple[Style, int, str, int] | None:
    """Style, number, label and where its text begins; `styles` None: outside a list only definitions count."""
    if match := _NOTE.match(line.text):
        return "note", 0, match.group(1), match.end()
    if styles is None:
        match = _DEFINITION.match(line.text)
        return ("bracket", int(match.group(1)), "", match.end(1) + 2) if match else None
    forms: tuple[tuple[Style, re.Pattern[str]], ...] = (("table", _TABLE), ("bracket", _BRACKET), ("number", _NUMBER))
    for style, form in forms:
        if style in styles and (match := form.match(line.text)):
            return style, int(match.group(1)), "", match.end()
    if "bare" in styles and (match := _BARE.match(line.text)):
        return "number", int(match.group(1)), "", match.end()
    if "circled" in styles and (match := _CIRCLED.match(line.text)):
        return "circled", circled_number(match.group(1)), "", match.end()
    if "roman" in styles and (match := _ROMAN.match(line.text)):
        return "roman", _roman(match), "", match.end()
    if "plain" in styles and (URL.search(line.text) or _YEAR.search(line.text[:300])):
        return "plain", 0, "", len(line.text) - len(line.text.lstrip())
    if "bullet" in styles and (bullet := _BULLET.match(line.text)):
        return "bullet", 0, "", bullet.end()
    return None


def _entries(
    draft: Draft, lines: list[DraftLine], section: int, styles: frozenset[Style] | None
) -> Iterator[SourceEntry]:
    begin: tuple[int, Style, int, str, int] | None = None
    end = 0
    blank = False
    for line in lines:
        if styles is not None and "plain" in styles and begin is not None and _is_underline(line.text):
            break  # what follows a rule is no entry without a sign of one
        entry = _entry(line, styles)
        may_go_on = entry is not None and entry[0] == "plain" and begin is not None and not blank
        if may_go_on and ("paragraph" in (styles or ()) or URL.match(line.text.strip())):
            entry = None
        goes_on = begin is not None and bool(line.text.strip()) and (not blank or line.text[:2] == "  ")
        if entry is None and goes_on and begin is not None and (begin[1] != "note" or line.text[:1] == " "):
            end, blank = line.end, False
            continue
        if entry is None and not line.text.strip():
            blank = True
            continue
        if begin is not None:
            yield from _source(draft, begin, end, section)
        begin, blank = None, False
        if entry is not None:
            style, number, label, offset = entry
            begin, end = (line.at, style, number, label, line.at + offset), line.end
    if begin is not None:
        yield from _source(draft, begin, end, section)


def _source(draft: Draft, begin: tuple[int, Style, int, str, int], end: int, section: int) -> Iterator[SourceEntry]:
    """One entry, or several that were written behind one another in one line."""
    at, style, number, label, first = begin
    if style == "bracket":
        for found in _NEXT_INLINE.finditer(draft.folded, first, end):
            if int(found.group(1)) == number + 1 and URL.search(draft.folded, first, found.start()):
                cut = found.start()
                yield SourceEntry(at, cut, style, number, label, draft.text[first:cut].strip(), section, first)
                at, number, first = cut, number + 1, found.end()
    yield SourceEntry(at, end, style, number, label, draft.text[first:end].strip(), section, first)


def _without_heading(draft: Draft, taken: list[SourceEntry]) -> list[SourceEntry]:
    """The last stretch of entries that name addresses; bare numbers only where they end the draft."""
    lines = [line for line in draft.lines if not line.is_code]
    used = {source.at for source in taken}
    free = [line if line.at not in used else DraftLine(line.at, "") for line in lines]
    for style in ("bracket", "number"):
        runs = _runs(list(_entries(draft, free, 0, frozenset({style}))), draft)
        for run in reversed(runs):
            addressed = sum(bool(source.url) for source in run)
            at_end = not draft.folded[run[-1].end :].strip(" \n\r*_-#")
            if addressed * 2 >= len(run) and (
                style == "bracket" or (at_end and addressed == len(run) and len(run) > 1)
            ):
                return run
    return []


def _runs(entries: list[SourceEntry], draft: Draft) -> list[list[SourceEntry]]:
    """Entries with nothing between them."""
    runs: list[list[SourceEntry]] = []
    for entry in entries:
        if runs and not draft.folded[runs[-1][-1].end : entry.at].strip() and entry.number > runs[-1][-1].number:
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def _choose(found: list[SourceEntry], listing: SourceList) -> None:
    by_section: dict[int, list[SourceEntry]] = {}
    for source in found:
        if source.style != "note":
            by_section.setdefault(source.section, []).append(source)
    kinds = [list(group) for group in by_section.values()]
    for styles in (("bracket", "table"), ("number", "circled", "roman"), ("bullet",), ("plain",)):
        groups = [group for group in kinds if group[0].style in styles]
        if groups:
            begins_anew = len(groups) > 1 and groups[-1][0].number == 1 and len(groups[-1]) > 1
            used_groups = [groups[-1]] if begins_anew else groups
            listing.sources = [source for group in used_groups for source in group]
            break
    notes = [source for source in found if source.style == "note"]
    if notes and (not listing.sources or all(source.style in UNNUMBERED for source in listing.sources)):
        listing.sources = notes
    else:
        listing.sources += notes
    chosen = {id(source) for source in listing.sources}
    listing.others = [source for source in found if id(source) not in chosen]
    listing.sources.sort(key=lambda source: source.at)

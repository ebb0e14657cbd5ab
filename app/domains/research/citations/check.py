"""What is wrong with the citations of a draft: nine codes, each with its place. Linear in the text; never raises.

C01 DANGLING_REF       a reference to a source that is not listed
C02 UNUSED_SOURCE      a listed source nothing refers to (warning)
C03 GAP_IN_NUMBERING   a number that the list leaves out
C04 DUPLICATE_SOURCE   two entries for one source
C05 URL_NOT_RETRIEVED  an address that the session never fetched nor found
C06 QUOTE_NOT_IN_SOURCE  a quotation that does not stand in the source it is given for
C07 UNCITED_NUMBER     a figure, date or share in a sentence without a reference (warning)
C08 NO_SOURCES         neither a list nor a link
C09 DEAD_ANCHOR        a link to a place in the draft that is not there
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from app.core.text.addresses import canonical_url

from .figures import uncited_figures
from .listing import UNNUMBERED, URL, SourceEntry, SourceList, first_url, read_listing
from .marks import NO_REFERENCE_FROM, Mark
from .quotes import quotations
from .systems import references
from .text import Draft, without_formulas

NAMES: Mapping[str, str] = {
    "C01": "DANGLING_REF",
    "C02": "UNUSED_SOURCE",
    "C03": "GAP_IN_NUMBERING",
    "C04": "DUPLICATE_SOURCE",
    "C05": "URL_NOT_RETRIEVED",
    "C06": "QUOTE_NOT_IN_SOURCE",
    "C07": "UNCITED_NUMBER",
    "C08": "NO_SOURCES",
    "C09": "DEAD_ANCHOR",
}
WARNINGS = frozenset({"C02", "C07"})
MOST_MISSING = 1_000
_LINK = re.compile(
    r"(?<!!)\[[^\[\]\n]{0,400}\]\(<?(https?://[^()\s<>]{1,2000}(?:\([^()\s]{0,200}\)[^()\s<>]{0,2000})?)"
)
_ANCHOR = re.compile(r"\]\(#([^()\s]{1,300})\)|<a\s[^<>]{0,200}?href=[\"']#([^\"'<>]{1,300})[\"']", re.IGNORECASE)
_ID = re.compile(r"<[a-z][^<>]{0,300}?\b(?:id|name)=[\"']?([^\"'<>\s]{1,300})|\{#([^{}\s]{1,300})\}", re.IGNORECASE)
_TITLE = re.compile(r" {0,3}#{1,6}[ ]{0,4}(.{1,400})$")


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    at: int
    """The place in the draft, counted in characters from 0."""
    line: int
    what: str = ""
    """The reference, address or words it is about."""

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code, "name": NAMES[self.code], "at": self.at, "line": self.line, "what": self.what,
            "level": "warning" if self.code in WARNINGS else "error",
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What the session has fetched or found: texts by `canonical_url`, "" where only the address is known."""

    texts: Mapping[str, str] = field(default_factory=dict)
    stands_in: Callable[[str, str], bool] = lambda quote, text: quote in text


@dataclass(frozen=True, slots=True)
class CitationReport:
    problems: tuple[Problem, ...]
    stats: Mapping[str, int]

    @property
    def errors(self) -> list[Problem]:
        return [problem for problem in self.problems if problem.code not in WARNINGS]


def check(text: str, retrieved: Retrieved | None = None) -> CitationReport:
    """`retrieved` None: nobody knows what was fetched, so C05 and C06 are counted as unchecked."""
    return _Check(text, retrieved).report()


class _Check:
    def __init__(self, text: str, retrieved: Retrieved | None) -> None:
        self._draft, self._retrieved = Draft(text), retrieved
        self._listing: SourceList = read_listing(self._draft)
        self._body = without_formulas(self._draft.blanked(self._listing.spans))
        self._marks = references(self._body, self._listing)
        self._problems: list[Problem] = []
        self._by_number = {source.number: source for source in self._listing.sources if source.number}
        self._numbered: dict[int, list[SourceEntry]] = {}
        for source in self._listing.sources:
            self._numbered.setdefault(source.number, []).append(source)
        self._by_note = {source.note: source for source in self._listing.sources if source.note}
        self._number_bullets()
        self._cited: set[int] = set()
        """Places of the sources something refers to."""
        self._dangling: dict[str, None] = {}
        self._references = 0
        self._links = [(found.start(), found.end(), found.group(1)) for found in _LINK.finditer(self._body)]
        self._links += self._bare_addresses()

    def _bare_addresses(self) -> list[tuple[int, int, str]]:
        """Addresses that stand in the text as they are: they name a source as a link does."""
        ends = sorted(end for _begin, end, _url in self._links)
        addresses = []
        for match in URL.finditer(self._body):
            place = bisect_right(ends, match.start())
            inside = place < len(ends) and any(b < match.start() < e for b, e, _url in self._links[place : place + 1])
            if not inside and (url := first_url(match.group())):
                addresses.append((match.start(), match.start() + len(url), url))
        return addresses

    def _number_bullets(self) -> None:
        """References to a list without numbers count its entries."""
        sources = self._listing.sources
        if sources and all(source.style in UNNUMBERED for source in sources) and any(m.numbers for m in self._marks):
            self._by_number = dict(enumerate(sources, 1))

    def report(self) -> CitationReport:
        self._resolve()
        self._look_at_list()
        self._look_for_anchors()
        unchecked_urls, unchecked_quotes = self._look_at_retrieval(), self._look_at_quotes()
        sources = self._listing.sources
        places = sorted([(m.at, m.end) for m in self._real_marks] + [(begin, end) for begin, end, _url in self._links])
        further = [(source.at, source.end) for source in self._listing.others]
        body = self._draft.blanked([*self._listing.spans, *further]) if further else self._body
        for sentence in uncited_figures(self._draft, body, places):
            self._add("C07", sentence.at, self._draft.text[sentence.at : sentence.end].strip()[:80])
        linked = {canonical_url(url) for _begin, _end, url in self._links}
        if not sources and not linked:
            self._add("C08", 0)
        count = {code: sum(problem.code == code for problem in self._problems) for code in NAMES}
        stats = {
            "sources": len(sources) or len(linked),
            "references": self._references or (len(self._links) if not sources else 0),
            "cited": len(self._cited) if sources else len(linked),
            "duplicates": count["C04"], "dangling": count["C01"], "unused": count["C02"], "gaps": count["C03"],
            "uncited_numbers": count["C07"], "dead_anchors": count["C09"],
            "unchecked": unchecked_urls + unchecked_quotes,
            "unchecked_urls": unchecked_urls, "unchecked_quotes": unchecked_quotes,
        }  # fmt: skip
        return CitationReport(tuple(sorted(self._problems, key=lambda problem: (problem.at, problem.code))), stats)

    def _add(self, code: str, at: int, what: str = "") -> None:
        self._problems.append(Problem(code, at, self._draft.line_number(at), what))

    # ------------------------------------------------------------ references

    def _resolve(self) -> None:
        self._real_marks: list[Mark] = []
        further = {source.number for source in self._listing.others if source.number}
        further_notes = {source.note for source in self._listing.others if source.note}
        for mark in self._marks:
            if mark.named or not (mark.note or mark.numbers):  # by author and year
                self._real_marks.append(mark)
                self._references += len(mark.named)
                self._cited |= set(mark.named)
                continue
            if mark.note and (mark.note in self._by_note or not mark.numbers):
                self._count(mark, [self._by_note.get(mark.note)], [mark.note], mark.note in further_notes)
                continue
            is_known = all(self._source_of(number) for number in mark.numbers)
            if not is_known and (mark.is_loose or max(mark.numbers, default=0) >= NO_REFERENCE_FROM):
                continue  # an interval, a date, years
            if not is_known and 0 in mark.numbers:
                continue  # counted from nought: an interval, an index
            numbers = [n for n in mark.numbers if self._source_of(n) or 0 < n < NO_REFERENCE_FROM]
            if not numbers:
                continue
            if mark.target.startswith(("http:", "https:", "www.")) and self._source_of(numbers[0]) is None:
                self._real_marks.append(mark)  # it brings its source along
                continue
            for number in numbers:
                self._count(mark, [self._source_of(number)], [str(number)], number in further)

    def _source_of(self, number: int) -> SourceEntry | None:
        """By its number; of a list written as footnotes, by its label."""
        return self._by_number.get(number) or self._by_note.get(str(number))

    def _count(self, mark: Mark, found: list[SourceEntry | None], names: list[str], elsewhere: bool) -> None:
        if not self._real_marks or self._real_marks[-1] is not mark:
            self._real_marks.append(mark)
        self._references += len(found)
        for source, name in zip(found, names, strict=True):
            if source is not None:
                self._cited.add(source.at)
                # Every chapter may have a list of its own that begins with 1.
                self._cited |= {other.at for other in self._numbered.get(source.number, ()) if source.number}
            elif not elsewhere and name not in self._dangling:
                self._dangling[name] = None
                self._add("C01", mark.at, f"[{name}]")

    def _look_at_list(self) -> None:
        sources = self._listing.sources
        seen: dict[str, SourceEntry] = {}
        linked = {canonical_url(url) for _begin, _end, url in self._links}
        for source in sources:
            same = source.sameness
            if same and same in seen:
                self._add("C04", source.at, source.url or source.text[:80])
            elif same:
                seen[same] = source
            if source.url and canonical_url(source.url) in linked:
                self._cited.add(source.at)
        listed = {canonical_url(source.url) for source in sources if source.url}
        is_by_name = any(mark.named for mark in self._real_marks)
        can_tell = (
            bool(self._references) or bool(linked & listed) or any(source.style not in UNNUMBERED for source in sources)
        )
        if is_by_name or all(source.style == "plain" for source in sources):
            # Organisations go by many names: only where most entries are found is the rest left out.
            can_tell = len(self._cited) * 2 > len(sources)
        for source in sources:
            is_by_link = source.style in UNNUMBERED and not self._references
            if source.at not in self._cited and can_tell and (source.url or not is_by_link):
                self._add("C02", source.at, f"[{source.number or source.note}]" if source.number or source.note else "")
        self._look_for_gaps()

    def _look_for_gaps(self) -> None:
        """Footnotes may be labelled at will; numbers may not leave one out."""
        last = 0
        first_at: dict[int, int] = {}
        for source in self._listing.sources:
            if source.number:
                first_at.setdefault(source.number, source.at)
        missing = 0
        for number in sorted(first_at):
            for gap in range(last + 1, min(number, last + 1 + MOST_MISSING - missing)):
                missing += 1
                self._add("C03", first_at[number], f"[{gap}]")
            last = number

    # ------------------------------------------------------------ links inside the draft

    def _look_for_anchors(self) -> None:
        wanted = [(found.start(), found.group(1) or found.group(2)) for found in _ANCHOR.finditer(self._draft.folded)]
        if not wanted:
            return
        ids = {_plain(found.group(1) or found.group(2)) for found in _ID.finditer(self._draft.text)}
        ids |= {_plain(found.group(1)) for line in self._draft.lines if (found := _TITLE.match(line.text))}
        for note in self._by_note:
            ids |= {_plain(f"fn{note}"), _plain(f"fnref{note}"), _plain(f"user-content-fn-{note}")}
        for at, anchor in wanted:
            if _plain(unquote(anchor)) not in ids and anchor.lower() != "top":
                self._add("C09", at, f"#{anchor}"[:80])

    # ------------------------------------------------------------ what was retrieved

    def _look_at_retrieval(self) -> int:
        """How many addresses nobody can judge."""
        listed = [(source.at, url) for source in self._listing.sources if (url := source.url)]
        named = listed or [(begin, url) for begin, _end, url in self._links]
        if self._retrieved is None:
            return len({canonical_url(url) for _at, url in named})
        seen: set[str] = set()
        for at, url in named:
            key = canonical_url(url)
            if key not in seen and key not in self._retrieved.texts:
                self._add("C05", at, first_url(url) or url)
            seen.add(key)
        return 0

    def _look_at_quotes(self) -> int:
        unchecked = 0
        for at, quote, marks in quotations(self._draft, self._body, self._real_marks):
            sources = [self._source_of(n) for mark in marks for n in mark.numbers]
            sources += [self._by_note.get(mark.note) for mark in marks if mark.note]
            keys = [canonical_url(source.url) for source in sources if source is not None and source.url]
            texts = [self._retrieved.texts.get(key, "") for key in keys] if self._retrieved is not None else []
            if self._retrieved is None or not any(texts):
                unchecked += 1
            elif not any(text and self._retrieved.stands_in(quote, text) for text in texts):
                self._add("C06", at, quote[:80])
        return unchecked


def _plain(anchor: str) -> str:
    return "".join(char for char in unquote(anchor).casefold() if char.isalnum())

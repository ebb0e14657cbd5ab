"""Who is spelt how, and who is not known: N01, N11."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..model.project import Book, Chapter
from .finding import ContinuityFinding
from .persons import ADDRESSES, SPEAKS, SURNAMES
from .sentences import masked

_AFTER_NAME = (
    rf"(?=(?:{SPEAKS}|笑着|点头|摇头|皱眉|冷笑|叹气|转身|站起|走|抬头|低头|看着|没有|伸手|拔|推|把|"
    "的(?:剑|手|声音|眼|脸|肩)|从|在|[，。！？]))"
)
_NAMES_SPOKEN = re.compile(
    rf"(?:^|[，。！？；”」\n　 ])([{SURNAMES}][一-鿿]{{1,2}}?)(?:{SPEAKS}|笑着|点头|摇头|皱眉|冷笑|叹气)"
)
_GRAMMAR = frozenset(
    "不并而来就也都又还便有没在是的了着把被和与对从到上下去你我他她它给让叫等却已将才只再很太更最们这那个各为因所于"
)
_MOST_MISSPELT = 2
"""Times a name is written wrongly; who is called so more often is somebody else."""


def name_variants(book: Book, chapters: Sequence[Chapter]) -> Iterator[ContinuityFinding]:
    """N11: one sign off a known name, where a name stands, and rarer than it."""
    card_names = {name for who in book.characters for name in who.names} | {
        n for note in book.world for n in note.names
    }
    whole = "\n".join(chapter.text for chapter in book.chapters)
    for name in sorted({name for who in book.characters for name in (who.name, *who.aliases) if len(name) >= 2}):
        if name[1:] in ADDRESSES:
            continue  # of 许医生 nothing but the family name could be misspelt
        often = whole.count(name)
        pattern = _misspelling(name)
        if pattern is None:
            continue
        frequency = Counter(match[0] for match in pattern.finditer(whole))
        for chapter in chapters:
            seen: set[str] = set()
            for match in pattern.finditer(chapter.text):
                variant = match[0]
                if variant in card_names or variant == name or variant in seen:
                    continue
                if not name.isascii() and variant[0] != name[0] and variant[0] not in SURNAMES:
                    continue
                if not name.isascii() and _is_grammar(name, variant):
                    continue
                if frequency[variant] * 2 > often or frequency[variant] > _MOST_MISSPELT:
                    continue
                if any(
                    other in variant or variant in other
                    for other in card_names
                    if other != name and len(other) > 1 and other not in name
                ):
                    continue
                if len(name) == 2 and not _stands_as_name(chapter.text, match.start(), match.end()):
                    continue
                if len(name) == 2 and _is_a_word(name, variant, whole):
                    continue
                seen.add(variant)
                yield ContinuityFinding(
                    "N11",
                    "error" if len(name) > 2 else "warn",
                    chapter.id,
                    match.start(),
                    match.end(),
                    _around(chapter.text, match.start(), match.end()),
                    name,
                    name,
                    variant,
                )


def _misspelling(name: str) -> re.Pattern[str] | None:
    """One sign off it; None for a name too short to tell."""
    if not name.isascii():
        forms = [
            f"{re.escape(name[:n])}[一-鿿]{re.escape(name[n + 1 :])}" for n in range(len(name)) if n or len(name) > 2
        ]
        return re.compile("|".join(forms))
    if len(name) >= 5:
        forms = [f"{re.escape(name[:n])}.?{re.escape(name[n + 1 :])}" for n in range(1, len(name))]
        forms += [f"{re.escape(name[:n])}[a-z]{re.escape(name[n:])}" for n in range(1, len(name))]
        forms += [
            re.escape(name[:n] + name[n + 1] + name[n] + name[n + 2 :])
            for n in range(1, len(name) - 1)
            if name[n] != name[n + 1] and " " not in name[n : n + 2]
        ]
        forms += [rf"{re.escape(name)}[a-rt-z]"]
        return re.compile(rf"\b(?:{'|'.join(forms)})\b")
    return None


def _is_grammar(name: str, variant: str) -> bool:
    """刘四不 is no misspelt 刘四爷: the sign that differs belongs to the sentence."""
    return any(sign in _GRAMMAR for place, sign in enumerate(variant) if sign != name[place])


def _stands_as_name(text: str, start: int, end: int) -> bool:
    before = text[start - 1] if start else "\n"
    return (
        before in "，。！？；：”」“「\n\u3000 、和与对向跟叫喊给替"
        and re.match(rf"(?:{SPEAKS}|笑着|点头|摇头|皱眉|转身|站起|抬头|[来去走在呢的！，、。？：]|没有)", text[end:])
        is not None
    )


def _is_a_word(name: str, variant: str, text: str) -> bool:
    """周围 is no misspelt 周放: the first sign of a name nearly always stands in the name, or the misspelt one acts."""
    if re.search(rf"{re.escape(variant)}{_AFTER_NAME}", text) is not None:
        return False
    return text.count(name) < 4 or text.count(name[0]) > text.count(name) + _MOST_MISSPELT


def _around(text: str, start: int, end: int) -> str:
    return text[max(0, start - 15) : end + 25].strip().replace("\n", " ")


def unknown_names(book: Book, chapters: Sequence[Chapter]) -> Iterator[ContinuityFinding]:
    """N01: somebody speaks more than once whom no card knows."""
    card_names = [name for who in book.characters for name in who.names]
    for chapter in chapters:
        places_by_name: dict[str, list[int]] = {}
        for match in _NAMES_SPOKEN.finditer(masked(chapter.text)):
            places_by_name.setdefault(match[1], []).append(match.start(1))
        for name, places in places_by_name.items():
            if len(places) >= 2 and not any(name in one or one in name for one in card_names):
                start = places[0]
                quote = _around(chapter.text, start, start + len(name))
                yield ContinuityFinding("N01", "info", chapter.id, start, start + len(name), quote, name, found=name)

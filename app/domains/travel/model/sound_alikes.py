"""Chinese names that were written with other characters of the same sound: 杭洲, 西按, 灵影寺 – or of three and more
characters with one that is wrong: 九塞沟.

`syllables.txt` has the sounds of common characters, one syllable a line, without tones. Sounds that many people do not
tell apart (zh and z, ng and n, n and l) count as the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from app.core.resources import domain_dir

from .place_names import NamedPlace

LONGEST = 8
"""Characters of a name that is looked for."""
_SURE = 3
"""Characters of a name that needs no word beside it that says so."""
_BEFORE = ("去", "到", "飞", "在", "游", "玩", "逛", "来", "从", "和", "跟")
_BEHIND = ("玩", "怎么", "有什么", "好玩", *"一两三四五六七1234567日", "自由", "旅", "游", "周末")


@cache
def sounds() -> Mapping[str, frozenset[str]]:
    """The syllables of a character."""
    found: dict[str, set[str]] = {}
    for line in (domain_dir("travel") / "syllables.txt").read_text(encoding="utf-8").splitlines():
        syllable, _space, characters = line.partition(" ")
        for character in characters:
            found.setdefault(character, set()).add(_folded(syllable))
    return {character: frozenset(syllables) for character, syllables in found.items()}


def _folded(syllable: str) -> str:
    for start, other in (("zh", "z"), ("ch", "c"), ("sh", "s"), ("n", "l")):
        if syllable.startswith(start):
            syllable = other + syllable[len(start) :]
            break
    return syllable.removesuffix("g") if syllable.endswith("ng") else syllable


class SoundAlikes:
    """An index of names, each with what it belongs to."""

    def __init__(self, cities: Iterable[tuple[str, NamedPlace]], sights: Iterable[tuple[str, NamedPlace]]) -> None:
        self._by_length: dict[int, dict[str, list[tuple[str, NamedPlace, bool]]]] = {}
        named = [*((name, place, True) for name, place in cities), *((name, place, False) for name, place in sights)]
        for name, place, is_city in named:
            if not (2 if is_city else _SURE) <= len(name) <= LONGEST or not all(char in sounds() for char in name):
                continue
            by_sign = self._by_length.setdefault(len(name), {})
            for char in dict.fromkeys(name):
                by_sign.setdefault(char, []).append((name, place, is_city))

    def found(
        self, text: str, taken: Iterable[tuple[int, int]], cities: Iterable[str]
    ) -> Iterator[tuple[int, int, NamedPlace]]:
        """Where a name is written wrongly, outside what is taken: start, end, place. Cities first; a sight is one of
        the cities that are spoken of, where there are any."""
        free = list(text)
        for start, end in taken:
            free[start:end] = " " * (end - start)
        known = list(cities)
        for of_cities in (True, False):
            for length in sorted(self._by_length, reverse=True):
                for at in range(len(text) - length + 1):
                    window = "".join(free[at : at + length])
                    place = None if " " in window else self._meant(window, text, at, known, of_cities=of_cities)
                    if place is not None:
                        free[at : at + length] = " " * length
                        known += [place.id] if of_cities else []
                        yield at, at + length, place

    def _meant(self, window: str, text: str, at: int, cities: Sequence[str], *, of_cities: bool) -> NamedPlace | None:
        names = self._by_length[len(window)]
        tried = [each for char in dict.fromkeys(window) for each in names.get(char, ()) if each[2] is of_cities]
        for name, place, is_city in tried:
            if cities and not is_city and place.city not in cities:
                continue
            wrong = [(a, b) for a, b in zip(window, name, strict=True) if a != b]
            if not wrong or len(wrong) == len(name):
                continue
            alike = all(sounds().get(a, frozenset()) & sounds()[b] for a, b in wrong)
            one_slip = is_city and len(wrong) == 1 and wrong[0][1] in name[1:-1]
            if (alike and (len(name) >= _SURE or _is_led(text, at, len(name)))) or one_slip:
                return place
        return None


def _is_led(text: str, at: int, length: int) -> bool:
    return text[:at].endswith(_BEFORE) or text[at + length :].startswith(_BEHIND)

"""An index over the products of a list: which ones share the most with a line, without looking at each.

Every feature has the set of products that have it, as the bits of one large integer. Adding such sets bit by bit – one
integer for each binary digit of the sums – gives the weighted overlap of all products in a few operations whatever
their number; the best of them are then read off from the top digit down and scored one by one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

from ..model.price_list import Item
from .lexicon import Lexicon
from .tables import Tables, read_tables

_COMMON = 512
"""Products from which on the set of a feature is kept as an integer."""
_TOP_WEIGHT = 15
_MAKER_FROM, _RARE = 2, 3
_SLICES = 12


class MatchIndex:
    def __init__(self, items: Sequence[Item], lexicon: Lexicon, tables: Tables | None = None) -> None:
        """Without `tables` every product is read: for 100,000 of them half a minute and more, so not on the loop."""
        self.items, self.lexicon = items, lexicon
        tables = tables or read_tables(items, lexicon)
        self.features, self.about = tables.features, tables.about
        self._lists, self._about_lists = tables.tokens, tables.about_tokens
        self.by_code, self.by_text, self._leads = tables.by_code, tables.by_text, tables.leads
        self._sets: dict[str, int] = {}
        self._weights: dict[str, float] = {}
        self._top = math.log(1 + len(items) / 0.5)
        self.most_telling = math.log(1 + len(items) / 1.5) / self._top if items else 1.0
        """The weight of a word that one product has."""

    def weight(self, token: str) -> float:
        """How rare it is, 0 to 1; a word no product has is as telling as a word can be."""
        weight = self._weights.get(token)
        if weight is None:
            weight = math.log(1 + len(self.items) / (len(self._lists.get(token, ())) + 0.5)) / self._top
            self._weights[token] = weight
        return weight

    def is_maker(self, word: str) -> bool:
        """Whether most products with this word begin with it."""
        begun = len(self._leads.get(word, ()))
        return begun >= _MAKER_FROM and 2 * begun >= len(self._lists.get(word, ()))

    def is_rare(self, token: str) -> bool:
        return len(self._lists.get(token, ())) <= _RARE

    def knows(self, token: str) -> bool:
        return token in self._lists

    @cached_property
    def _vocabulary(self) -> list[str]:
        return sorted(token for token in self._lists if token[0] not in "§¶¤" and token.isascii())

    def near(self, word: str) -> str | None:
        """A word of the list for one that it does not have: one letter more, less or other; a code that continues."""
        if len(word) < 5 or not word.isascii():
            return None
        at = bisect_left(self._vocabulary, word)
        for other in self._vocabulary[max(0, at - 2) : at + 3]:
            if (
                len(other) >= 5
                and (other.startswith(word) or word.startswith(other))
                and abs(len(other) - len(word)) < 3
            ):
                return other
        if any(char.isdigit() for char in word):
            return None
        head = bisect_left(self._vocabulary, word[:2])
        for other in self._vocabulary[head : head + 3_000]:
            if not other.startswith(word[:2]):
                break
            if abs(len(other) - len(word)) <= 1 and _one_apart(word, other):
                return other
        return None

    def candidates(self, tokens: Iterable[str], most: int = 100) -> list[int]:
        """Places of the products that share the most with these tokens, at least `most` where there are so many."""
        slices = [0] * _SLICES
        for token in tokens:
            places, low = self._lists.get(token), False
            if places is None:
                places, low = self._about_lists.get(token), True
                if places is None:
                    continue
            weight = max(1, round(_TOP_WEIGHT * self.weight(token) * (0.5 if low else 1)))
            _add(slices, self._set(token, places), weight)
        return _best(slices, most, len(self.items))

    def _set(self, token: str, places: Sequence[int]) -> int:
        if len(places) < _COMMON:
            return _bits(places, len(self.items))
        if token not in self._sets:
            self._sets[token] = _bits(places, len(self.items))
        return self._sets[token]


def _bits(places: Sequence[int], count: int) -> int:
    raw = bytearray((count >> 3) + 1)
    for place in places:
        raw[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(raw, "little")


def _add(slices: list[int], members: int, weight: int) -> None:
    for digit in range(weight.bit_length()):
        if not weight >> digit & 1:
            continue
        carry, place = members, digit
        while carry and place < len(slices):
            slices[place], carry = slices[place] ^ carry, slices[place] & carry
            place += 1


def _best(slices: Sequence[int], most: int, count: int) -> list[int]:
    """Places of the products with the highest sums. Of those that share the lowest of these sums – thousands, where a
    line has one rare word and else frequent ones – only so many are taken that there are twice `most` in all."""
    low, high = 1, max(((1 << (digit + 1)) - 1 for digit, one in enumerate(slices) if one), default=0)
    above, level = 0, 0
    while low <= high:
        middle = (low + high) // 2
        members = _at_least(slices, middle, count)
        if members.bit_count() >= most:
            level, low = members, middle + 1
        else:
            above, high = members, middle - 1
    first = _places(above)
    return [*first, *_places(level & ~above)[: max(0, 2 * most - len(first))]]


def _at_least(slices: Sequence[int], number: int, count: int) -> int:
    greater, equal = 0, (1 << count) - 1
    for digit in range(len(slices) - 1, -1, -1):
        if number >> digit & 1:
            equal &= slices[digit]
        else:
            greater |= equal & slices[digit]
            equal &= ~slices[digit]
    return greater | equal


def _places(members: int) -> list[int]:
    raw = members.to_bytes((members.bit_length() + 7) // 8, "little")
    numbers = []
    for at, byte in enumerate(raw):
        if byte:
            numbers += [8 * at + bit for bit in range(8) if byte >> bit & 1]
    return numbers


def _one_apart(one: str, other: str) -> bool:
    """Whether one letter more, less or other, or two exchanged, makes them the same."""
    if len(one) > len(other):
        one, other = other, one
    same = next((n for n, char in enumerate(one) if other[n] != char), len(one))
    if len(one) < len(other):
        return one[same:] == other[same + 1 :]
    swapped = one[same + 1 : same + 2] + one[same : same + 1] + one[same + 2 :]
    return one[same + 1 :] == other[same + 1 :] or swapped == other[same:]

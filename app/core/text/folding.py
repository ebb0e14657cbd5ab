"""Text in the form a reader takes it: without case, width, hidden characters, accents and look-alike letters.

For comparing only, where a match too many is safer than one too few: a rule that forbids `secret` also means `SECRET`
and the same word with a Cyrillic letter or a hidden character in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from .hidden import is_drawn_as_nothing

_NAMED = re.compile(
    r"(?:LATIN (?:CAPITAL|SMALL) LETTER|LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER)"
    r" ([A-Z])(?: WITH .*)?$"
)
"""Letters whose Unicode name says which letter of ours they are: with strokes and hooks, small capitals, in boxes."""
_ALIKE: Mapping[str, str] = {
    "*": "\u204e\u2217\U0001031f",
    "-": "\u02d7\u2010\u2012\u2013\u2014\u2043\u2212\u2796\u2cbb",
    ".": "\u3002\ua4f8\ua60e",
    "/": "\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc7\U0001d23a",
    "2": "\u01a8\u03e9\u14bf\ua645\ua6ef\ua75b",
    "3": "\u021d\u025c\u0292\u0437\u04e1\u2ccd\ua76b\U000118ca\U00016f3b\U0001d206",
    "4": "\u13ce\U000118cf",
    "5": "\U000118db",
    "6": "\u0431\u13ee\u2cd3",
    "7": "\U000104fa\U0001d212",
    "8": "\u0223\U0001031a",
    "9": "\u2ccb\ua76f\U000118cc\U000118d6",
    ":": "\u02d0\u02f8\u0589\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789",
    "\\": "\u2216\u27cd\u29f5\u29f9\U0001d20f\U0001d23b",
    "a": "\u0251\u03b1\u0430\u13aa\u15c5\u237a\ua4ee\U000102a0\U00016f40",
    "b": "\u0185\u03b2\u0432\u044c\u13cf\u13f4\u1472\u15af\u15f7\ua4d0\ua7b5\U00010282\U000102a1\U00010301",
    "c": "\u0441\u13df\u2ca5\ua4da\U000102a2\U00010302\U0001043d\U0001051c\U000118f2\U0001f74c",
    "d": "\u0501\u13a0\u13e7\u146f\u15de\u15ea\ua4d2\ua4d3",
    "e": "\u03b5\u0435\u04bd\u13ac\u212e\u22ff\u2d39\ua4f0\uab32\U00010286\U000118c6\U000118ce",
    "f": "\u03dd\u0584\u15b4\u1e9d\ua4dd\uab35\U00010287\U000102a5\U00010525\U000118c2\U0001d213",
    "g": "\u018d\u0261\u050d\u0581\u13c0\u13f3\ua4d6",
    "h": "\u03b7\u043d\u04bb\u0570\u13bb\u13c2\u157c\u2c8f\ua4e7\U000102cf",
    "i": "\u0131\u0269\u03b9\u0456\u13a5\u2373\ua647\U000118c3",
    "j": "\u03f3\u0458\u13ab\u148d\ua4d9",
    "k": "\u03ba\u043a\u13e6\u16d5\u2c95\ua4d7\U00010518",
    "l": (
        "\u01c0\u04cf\u13de\u14aa\u16c1\u2223\u23fd\u2502\u2c93\u2cd1\u2d4f\ua4e1\ua4f2\U0001028a"
        "\U00010309\U00010320\U00010443\U00010526\U000118d2\U00016f16\U00016f28\U0001d22a"
    ),
    "m": "\u03bc\u03fb\u043c\u13b7\u15f0\u16d6\u2c99\ua4df\U000102b0\U00010311",
    "n": "\u0578\u057c\u2c9b\ua4e0\U00010513",
    "o": (
        "\u03bf\u03c3\u043e\u0585\u0b20\u0d20\u101d\u10ff\u12d0\u1d11\u2c9f\u2d54\ua4f3\uab3d\U00010292"
        "\U000102ab\U0001042c\U000104ea\U00010516\U000118c8\U000118d5\U000118d7"
    ),
    "p": "\u03c1\u0440\u13e2\u146d\u2374\u2ca3\ua4d1\U00010295",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": "\u0433\u13a1\u13b1\u13d2\u1587\u1d26\u2c85\ua4e3\uab47\uab48\U000104dc\U00016f35\U0001d216",
    "s": "\u01bd\u0455\u057f\u13d5\u13da\ua4e2\U00010296\U00010448\U000118c1\U00016f3a",
    "t": "\u03c4\u0442\u13a2\u22a4\u27d9\u2ca7\ua4d4\U00010297\U000102b1\U00010315\U00016f0a\U0001f768",
    "u": "\u03c5\u057d\u1200\u144c\u222a\u22c3\ua4f4\ua79f\U000104f6\U000118d8\U00016f42",
    "v": ("\u03bd\u0475\u13d9\u142f\u2228\u22c1\u2d38\ua4e6\ua6df\U0001051d\U00011706\U000118c0\U00016f08\U0001d20d"),
    "w": "\u026f\u0461\u051d\u0561\u13b3\u13d4\ua4ea\U0001170a\U0001170e\U0001170f\U000118ef",
    "x": (
        "\u00d7\u03c7\u0445\u1541\u157d\u166d\u166e\u16b7\u2573\u292b\u292c\u2a2f\u2cad\u2d5d\ua4eb\uab53"
        "\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec"
    ),
    "y": "\u0263\u03b3\u0443\u04af\u10e7\u13a9\u13bd\u2ca9\ua4ec\U000102b2\U000118c4\U000118dc\U00016f43",
    "z": "\u03b6\u13c3\ua4dc\U000102f5\U000118c9",
    "~": "\u2053\u223c",
}
"""Signs that are drawn like one of ours, after case and accents are gone (Unicode's confusables, UTS #39)."""
_BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")
_SPACES = re.compile(r"\s+")


def folded(text: str) -> str:
    """Line breaks and runs of spaces are one space."""
    return _SPACES.sub(" ", _letters(text))


def folded_forms(text: str) -> tuple[str, ...]:
    """`folded`, and where there are line breaks also as if they were not there: they may stand inside a word."""
    letters = _letters(text)
    forms = (letters, _BREAKS.sub("", letters)) if _BREAKS.search(letters) else (letters,)
    return tuple(dict.fromkeys(_SPACES.sub(" ", form) for form in forms))


def _letters(text: str) -> str:
    return _CONTROLS.sub("", text.lower()) if text.isascii() else text.translate(_FOLDED)


class _Folded(dict[int, str]):
    """Made as characters come: texts are made of few."""

    def __missing__(self, code: int) -> str:
        if len(self) > 20_000:
            self.clear()
        folded = self[code] = "".join(map(_plain, _without_marks(_without_marks(chr(code)).casefold())))
        return folded


def _without_marks(text: str) -> str:
    text = text.replace("\u03f2", "c").replace("\u03f9", "c")  # a lunate sigma; decomposed it is one like an o
    return "".join(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char)[0] != "M")


def _plain(char: str) -> str:
    if char.isascii() or _BREAKS.fullmatch(char):
        return char if char.isprintable() or _BREAKS.fullmatch(char) else ""
    if is_drawn_as_nothing(char):
        return ""
    if (digit := unicodedata.decimal(char, None)) is not None:
        return str(digit)
    if (found := _NAMED.search(unicodedata.name(char, ""))) is not None:
        return found[1].lower()
    return _BY_SIGN.get(char, char)


_BY_SIGN = {sign: letter for letter, signs in _ALIKE.items() for sign in signs}
_FOLDED = _Folded()

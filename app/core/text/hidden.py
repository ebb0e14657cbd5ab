"""Characters one does not see: they hide words, reorder them, or carry text only a model reads."""

from __future__ import annotations

import re
import unicodedata

_ALLOWED = {"\n", "\t"}
_JOINERS = {"\u200c", "\u200d"}
"""Persian, Indic scripts and emoji families need them: between two letters beyond ASCII they stay."""
_STYLES = {chr(code) for code in range(0xFE00, 0xFE10)}
"""Choose how the sign before them is drawn; behind anything but a symbol, digit or Han character they only hide."""
_BLANK = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}
_BLANK |= {chr(code) for code in range(0xE0100, 0xE01F0)}
"""Letters and marks that are drawn as nothing: no category tells them."""
_BY_NEIGHBOURS = _JOINERS | _STYLES
_ODD = frozenset(_BLANK | _STYLES)
"""Hidden, though Python calls them printable; the other hidden ones it does not."""
_FEW_ODD = tuple(sorted(char for char in _ODD if char <= "\uffff"))
_TAGS = ("\U000e0000", "\U000e007f")
_CATEGORIES = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]+")
"""Embeddings, overrides and isolates: they reorder what follows, up to the end of the paragraph."""
_MOST_MARKS = 8
_CONTROLS = {code: "�" for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029) if chr(code) not in "\n\t"}
"""What a terminal would obey."""
_TWIN_SIGNS = frozenset(
    "\u2041\u2044\u2215\u2571\u27cb\u29f8\u1735\u2216\u27cd\u29f5\u29f9\u2024\u2025\ua4f8\ua60e\u02d0\u02f8\u0589\u205a"
    "\u2236\ua789\ua4fd\u2010\u2011\u2012\u2043\u2212\u02d7\u204e\u2217\u223c\u2053\u037e\u01c3"
)
"""Drawn like / \\ . : - * ~ ; and !."""
_RUNS = re.compile(r"( {41,})")
"""Spaces at the end of a line are drawn beside the page."""
_ACCENTED = "\u0590"
"""Below it stand scripts whose accented letters are letters of their own: an accent apart from them is a disguise."""
_MOST_ACCENTS = 2
_MOST_KNOWN = 20_000
_known: dict[str, bool] = {}
"""Characters that were asked for, but those whose neighbours count: long texts are made of few."""


def is_hidden(text: str, place: int) -> bool:
    """Whether the character at `place` is not seen where it stands."""
    char = text[place]
    cached = _known.get(char)
    if cached is not None:
        return cached
    if char not in _BY_NEIGHBOURS:
        hidden = char not in _ALLOWED and (char in _BLANK or unicodedata.category(char) in _CATEGORIES)
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        return _known.setdefault(char, hidden)
    before = text[place - 1] if place else ""
    if char in _STYLES:
        is_styled = bool(before) and (
            before in "#*0123456789" or unicodedata.category(before)[0] == "S" or before >= "\u3400"
        )
        return not is_styled or before in _BY_NEIGHBOURS
    after = text[place + 1] if place + 1 < len(text) else ""
    return not (before > "\x7f" and after > "\x7f")


def is_drawn_as_nothing(char: str) -> bool:
    """Whether the character shows nothing of its own, wherever it stands."""
    return char in _BY_NEIGHBOURS or char in _BLANK or unicodedata.category(char) in _CATEGORIES


def marked(text: str) -> str:
    """The text with every hidden character written out as ⟦U+XXXX⟧."""
    if _is_plain(text):
        return text
    return "".join(f"⟦U+{ord(char):04X}⟧" if is_hidden(text, place) else char for place, char in enumerate(text))


def _is_plain(text: str) -> bool:
    """Nothing in it can be hidden: told without a look at each character, which long documents would wait for."""
    lines = text.replace("\n", "").replace("\t", "")
    return lines.isprintable() and (lines.isascii() or not _has_odd(lines))


def _has_odd(text: str) -> bool:
    # To look for each of two dozen in the whole text is ten times quicker than to look at each character of it.
    if any(char in text for char in _FEW_ODD):
        return True
    is_beyond = len(text.encode("utf-16-le", "surrogatepass")) > 2 * len(text)
    return is_beyond and not _ODD.isdisjoint(text)


def bidi_marked(text: str) -> str:
    """The text with what turns the order of its letters round written out; all else stays, joiners and marks too."""
    return text if text.isascii() else _BIDI.sub(lambda found: _written_out(found.group()), text)


def _written_out(chars: str) -> str:
    """Many on end say no more than a few: the rest is counted."""
    more = f"⟦+{len(chars) - _MOST_MARKS}⟧" if len(chars) > _MOST_MARKS else ""
    return "".join(f"⟦U+{ord(char):04X}⟧" for char in chars[:_MOST_MARKS]) + more


def spelled_out(text: str) -> str:
    """The text so that no two texts look the same: what is not seen, looks like a plain space or sign, or joins the
    letter before it is written out as ⟦U+XXXX⟧, and so is that bracket; a long run of spaces as ⟦U+0020×120⟧. Letters
    of other alphabets stay as they are.
    """
    parts = _RUNS.split(text)
    parts[::2] = map(_spelled_out, parts[::2])
    parts[1::2] = (f"⟦U+0020×{len(run)}⟧" for run in parts[1::2])
    return "".join(parts)


def _spelled_out(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    parts: list[str] = []
    marks = 0
    base = ""
    for char in text:
        category = "" if char.isascii() else unicodedata.category(char)
        marks, base = (marks + 1, base) if category.startswith("M") else (0, char)
        joins = category.startswith("M") and (base < _ACCENTED or marks > _MOST_ACCENTS)
        plain = char.isascii() and (char.isprintable() or char in _ALLOWED)
        is_odd = not plain and (joins or is_drawn_as_nothing(char) or category == "Zs" or is_twin(char))
        parts.append(f"⟦U+{ord(char):04X}⟧" if is_odd or char == "⟦" else char)
    return "".join(parts)


def is_twin(char: str) -> bool:
    """Whether it is drawn like another character: by Unicode's own word, or one of the signs of paths and addresses."""
    return unicodedata.normalize("NFC", char) != char or char in _TWIN_SIGNS


def harmless(text: str) -> str:
    """For a terminal, or a file shown there: nothing in it moves the cursor, hides lines or fills the clipboard."""
    return text.replace("\r\n", "\n").translate(_CONTROLS)


def without_hidden(text: str) -> tuple[str, int]:
    """The text without its hidden characters, and how many they were."""
    if _is_plain(text):
        return text, 0
    visible_text = "".join(char for place, char in enumerate(text) if not is_hidden(text, place))
    return visible_text, len(text) - len(visible_text)


def has_tags(text: str) -> bool:
    """Tag characters spell whole sentences nobody sees; there is no honest use of them in a prompt."""
    return not text.isascii() and any(_TAGS[0] <= char <= _TAGS[1] for char in text)

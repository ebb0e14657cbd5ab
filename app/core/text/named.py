"""`@name` in a question: which of the names there are it means."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST = 200
"""Characters of a name."""
MOST_SHOWN = 24
"""Characters of a word that is no name: a Chinese sentence goes on behind it without a space."""
_CODE = re.compile(r"```[^`]*```|`[^`\n]*`")
_NAME = re.compile(r"[@＠](\w[\w-]{0,199}+)(?!\.\w)")


def named_in(text: str, names: Iterable[str]) -> list[str]:
    """Those of `names` that are in `text` after an @, in the order of the text; of two that fit, the longer one.

    The @ of an address is none: nothing of a word is before it. A name that ends in a Latin letter or a digit ends
    there in the text as well; after a Chinese one the sentence may continue.
    """
    ordered = sorted({name for name in names if name and len(name) <= LONGEST}, key=len, reverse=True)
    lowered, found = text.lower().replace("＠", "@"), dict[str, None]()
    start = lowered.find("@")
    while start >= 0:
        if start == 0 or not (text[start - 1].isascii() and text[start - 1].isalnum()):
            name = next((name for name in ordered if _stands(lowered, start + 1, name.lower())), None)
            if name is not None:
                found[name] = None
        start = lowered.find("@", start + 1)
    return list(found)


def unknown_in(text: str, names: Iterable[str]) -> list[str]:
    """What stands after an @ as a name does and is none of `names`, with an end that says it was cut.

    In code, in an address, before a bracket or a slash an @ has another meaning, and a digit after it is no name.
    """
    lower_names = [name.lower() for name in names if name]
    plain, found = _CODE.sub(" ", text), dict[str, None]()
    for match in _NAME.finditer(plain):
        word, before = match.group(1), plain[max(0, match.start() - 1) : match.start()]
        follows = plain[match.end() : match.end() + 1]
        is_other = bool(before) and before.isascii() and not before.isspace() and before not in "([,;:"
        if is_other or word[0].isdigit() or follows in ("(", "/", "@"):
            continue
        if not any(_stands(plain.lower(), match.start(1), name) for name in lower_names):
            found[word if len(word) <= MOST_SHOWN else f"{word[:MOST_SHOWN]}…"] = None
    return list(found)


def _stands(text: str, start: int, name: str) -> bool:
    if not text.startswith(name, start):
        return False
    rest = text[start + len(name) : start + len(name) + 1]
    return not (_is_latin(name[-1]) and rest and (_is_latin(rest) or rest in "-_"))


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()

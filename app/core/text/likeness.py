"""How much two texts have in common, by their words: cheap, the same every time, in both scripts."""

from __future__ import annotations


def likeness(one: str, other: str) -> float:
    """0 to 1: common words, for Chinese common pairs of characters; the same both ways."""
    left, right = marks_of(one), marks_of(other)
    if not left or not right:
        return 0.0
    return len(left & right) / len(left | right)


def marks_of(text: str, limit: int = 500) -> frozenset[str]:
    """The words of the first `limit` characters; of Chinese every two characters that stand together."""
    words: set[str] = set()
    word = before = ""
    for char in f"{text.casefold()[:limit]} ":
        if char >= "\u2e80" and char.isalnum():
            words |= {before + char} if before else set()
            before, word = char, _ended(words, word)
        elif char.isalnum():
            before, word = "", word + char
        else:
            before, word = "", _ended(words, word)
    return frozenset(words)


def _ended(words: set[str], word: str) -> str:
    if len(word) > 1:
        words.add(word)
    return ""

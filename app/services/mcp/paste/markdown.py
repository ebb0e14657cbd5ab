"""Where in prose the code is: fenced blocks, JSON without a fence, single words of code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MOST_BLOCKS: Final = 100
_MARKS: Final = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Block:
    language: str
    text: str


def fenced(text: str) -> list[Block]:
    """The fenced blocks; one that is not closed goes to the end."""
    found: list[Block] = []
    fence, language, indent, lines = "", "", "", list[str]()
    for line in text.splitlines():
        plain = line.lstrip(" \t>")
        if not fence:
            bare = plain.lstrip("-*+0123456789. ")
            mark = next((mark for mark in _MARKS if bare.startswith(mark)), "")
            if mark:
                fence = mark[0] * (len(bare) - len(bare.lstrip(mark[0])))
                language = bare[len(fence) :].strip().split(" ")[0].strip("{}.").lower()
                indent, lines = line[: len(line) - len(plain)], []
        elif plain.startswith(fence) and not plain.strip(fence[0] + " \t"):
            found.append(Block(language, "\n".join(lines)))
            fence = ""
        else:
            lines.append(line.removeprefix(indent) if indent.strip() else _outdented(line, len(indent)))
    if fence:
        found.append(Block(language, "\n".join(lines)))
    return found[:MOST_BLOCKS]


def json_objects(text: str) -> list[str]:
    """Balanced braces in prose, each whole and none inside another."""
    found: list[str] = []
    at = tries = 0
    while (start := text.find("{", at)) >= 0 and tries < 50 and len(found) < MOST_BLOCKS:
        tries += 1
        end = _balanced(text, start)
        if end:
            found.append(text[start:end])
        at = end or start + 1
    return found


def spans(text: str) -> Iterator[str]:
    """What stands between single backticks."""
    for number, piece in enumerate(text.split("`", 2 * MOST_BLOCKS)):
        if number % 2 and piece.strip() and "\n" not in piece:
            yield piece.strip()


def _balanced(text: str, start: int) -> int:
    """Behind the brace that closes the one at `start`; 0 if none does."""
    depth, at, quote = 0, start, ""
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign in (quote, "\n"):
                quote = ""
        elif sign == '"':
            quote = sign
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return 0


def _outdented(line: str, most: int) -> str:
    spaces = len(line) - len(line.lstrip(" \t"))
    return line[min(spaces, most) :]

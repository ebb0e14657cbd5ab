"""Where the finished part of a piece of Markdown ends, read from its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.ui.render.markdown.blocks import start_number

if TYPE_CHECKING:
    from markdown_it.token import Token


def last_start(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Index and source line where the last unfinished part begins; list items count as parts."""
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.level == 0 and token.nesting >= 0 and token.map:
            if token.type in ("bullet_list_open", "ordered_list_open"):
                return _last_item(tokens, index, token.map[0])
            return index, token.map[0]
    return None


def _last_item(tokens: Sequence[Token], opening: int, first_line: int) -> tuple[int, int]:
    for index in range(len(tokens) - 1, opening + 1, -1):
        token = tokens[index]
        if token.type == "list_item_open" and token.level == 1 and token.map:
            return (index, token.map[0]) if token.map[0] > first_line else (opening, first_line)
    return opening, first_line


def _opening_before(tokens: list[Token], at: int) -> int:
    return max(index for index in range(at) if tokens[index].level == 0 and tokens[index].nesting == 1)


def tokens_from(tokens: list[Token], at: int) -> list[Token]:
    """The tokens from there on; a list that was cut through gets its opening again."""
    if tokens[at].type != "list_item_open":
        return tokens[at:]
    return [tokens[_opening_before(tokens, at)], *tokens[at:]]


def number_after(tokens: list[Token], at: int, number: int | None) -> int | None:
    """The number of the item at `at`, if the cut goes through an ordered list."""
    if tokens[at].type != "list_item_open":
        return None
    opening = _opening_before(tokens, at)
    if tokens[opening].type != "ordered_list_open":
        return None
    first = number if number is not None and opening == 0 else start_number(tokens[opening])
    return first + sum(1 for token in tokens[opening:at] if token.type == "list_item_open" and token.level == 1)


def end_of_first(tokens: Sequence[Token]) -> int:
    for index, token in enumerate(tokens):
        if token.level == 0 and token.nesting == -1:
            return index + 1
    return len(tokens)


def offset_of_line(text: str, line: int) -> int:
    at = 0
    for _ in range(line):
        at = text.index("\n", at) + 1
    return at

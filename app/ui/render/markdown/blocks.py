"""Tokens of the parser as descriptions of what is on the page, without Qt.

A message is a sequence of blocks: lines of prose (each one text block of a document), code, tables, formulas.
The same descriptions come from a whole parse and from the splitter; tests compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from app.core.text.hidden import marked
from app.ui.render.markdown.inline import TextRun, plain_text, runs_of
from app.ui.render.markdown.links import picture_address, remote_picture
from app.ui.render.markdown.sanitize import displayable

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = [
    "Block",
    "CodeBlock",
    "FoldEnd",
    "FoldStart",
    "Formula",
    "PictureBlock",
    "TableBlock",
    "TextLine",
    "TextRun",
    "to_blocks",
]

TASKS = ("☐", "☑")
"""Markers of items of a task list: open, done."""
MOST_PICTURES = 20
"""Of one paragraph."""
DEEPEST = 8
"""Deeper lists and quotes are shown at this depth, or they would leave the column."""


class TextLine(NamedTuple):
    kind: str
    """`p`, `h1` … `h6`, or `hr`."""
    runs: tuple[TextRun, ...]
    depth: int = 0
    """How many lists and quotes stand around it."""
    marker: str = ""
    """Bullet, number or check box, on the first line of a list item."""
    quoted: bool = False


class CodeBlock(NamedTuple):
    language: str
    text: str
    depth: int = 0


class TableBlock(NamedTuple):
    head: tuple[tuple[TextRun, ...], ...]
    aligns: tuple[str, ...]
    """`left`, `center` or `right` for each column."""
    rows: tuple[tuple[tuple[TextRun, ...], ...], ...]
    depth: int = 0


class Formula(NamedTuple):
    """One that stands by itself."""

    tex: str
    depth: int = 0


class PictureBlock(NamedTuple):
    """One that was kept with the conversation, or can be loaded from elsewhere when the person asks for it."""

    address: str
    name: str
    depth: int = 0


class FoldStart(NamedTuple):
    """Here begins a part that is folded until it is opened (`<details>`)."""

    title: str
    depth: int = 0
    is_open: bool = False


class FoldEnd(NamedTuple):
    """Here it ends."""


Block = TextLine | CodeBlock | TableBlock | Formula | PictureBlock | FoldStart | FoldEnd


@dataclass(slots=True)
class _Container:
    """A list or a quote that is open around the current token."""

    kind: str
    number: int = 0


@dataclass(slots=True)
class _Walk:
    blocks: list[Block] = field(default_factory=list)
    around: list[_Container] = field(default_factory=list)
    item_begins: bool = False


def to_blocks(tokens: Sequence[Token], first_number: int | None = None) -> list[Block]:
    """`first_number`: where the count continues, if the tokens begin within an ordered list."""
    walk = _Walk()
    index = 0
    while index < len(tokens):
        token = tokens[index]
        match token.type:
            case "inline":
                _prose(walk, tokens[index - 1], token)
            case "fence" | "code_block":
                _item_line(walk)
                walk.blocks.append(CodeBlock(_language(token.info), token.content.removesuffix("\n"), _depth(walk)))
            case "math_block" | "math_block_label":
                _item_line(walk)
                walk.blocks.append(Formula(token.content.strip(), _depth(walk)))
            case "table_open":
                end = _matching(tokens, index, "table_close")
                _item_line(walk)
                walk.blocks.append(_table(tokens[index:end], _depth(walk)))
                index = end
            case "fold_open":
                _item_line(walk)
                title = displayable(marked(token.content))
                walk.blocks.append(FoldStart(title, _depth(walk), is_open=bool(token.meta.get("open"))))
            case "fold_close":
                walk.blocks.append(FoldEnd())
            case "hr":
                walk.blocks.append(TextLine("hr", (), _depth(walk)))
            case "bullet_list_open" | "blockquote_open":
                walk.around.append(_Container(token.type))
            case "ordered_list_open":
                number = start_number(token)
                if first_number is not None and not walk.around and not walk.blocks:
                    number = first_number
                walk.around.append(_Container(token.type, number))
            case "bullet_list_close" | "ordered_list_close" | "blockquote_close":
                walk.around.pop()
            case "list_item_open":
                walk.item_begins = True
            case "list_item_close":
                _item_line(walk)
                walk.around[-1].number += 1
            case _:
                pass
        index += 1
    return walk.blocks


def start_number(opening: Token) -> int:
    start = opening.attrGet("start")
    return 1 if start is None else int(start)


def _depth(walk: _Walk) -> int:
    return min(len(walk.around), DEEPEST)


def _quoted(walk: _Walk) -> bool:
    return any(container.kind == "blockquote_open" for container in walk.around)


def _take_marker(walk: _Walk) -> str:
    if not walk.item_begins:
        return ""
    walk.item_begins = False
    for container in reversed(walk.around):
        if container.kind == "bullet_list_open":
            return "•"
        if container.kind == "ordered_list_open":
            return f"{container.number}."
    return ""


def _item_line(walk: _Walk) -> None:
    """An item that begins with something else than prose, or is empty, still shows its marker."""
    if walk.item_begins:
        walk.blocks.append(TextLine("p", (), _depth(walk), _take_marker(walk), _quoted(walk)))


def _prose(walk: _Walk, opener: Token, token: Token) -> None:
    pictures = [
        PictureBlock(address, child.content, _depth(walk))
        for child in token.children or ()
        if child.type == "image" and (address := _shown_address(str(child.attrGet("src") or "")))
    ]
    is_bare = pictures and all(child.type in ("image", "softbreak", "hardbreak") for child in token.children or ())
    if not is_bare or len(pictures) < sum(child.type == "image" for child in token.children or ()):
        _line(walk, opener, token)
    else:
        _item_line(walk)
    walk.blocks += pictures[:MOST_PICTURES]


def _shown_address(source: str) -> str:
    return picture_address(source) or remote_picture(source)


def _line(walk: _Walk, opener: Token, token: Token) -> None:
    kind = opener.tag if opener.type == "heading_open" else "p"
    marker = _take_marker(walk)
    runs = runs_of(token, pictures_follow=True)
    if marker == "•" and runs and runs[0].style == 0 and runs[0].text[:4] in ("[ ] ", "[x] ", "[X] "):
        marker = TASKS[runs[0].text[1] != " "]
        runs = (runs[0]._replace(text=runs[0].text[4:]), *runs[1:])
    walk.blocks.append(TextLine(kind, runs, _depth(walk), marker, _quoted(walk)))


def _language(info: str) -> str:
    words = info.split(maxsplit=1)
    return words[0][:40] if words else ""


def _matching(tokens: Sequence[Token], start: int, closing: str) -> int:
    index = start
    while index < len(tokens) and tokens[index].type != closing:
        index += 1
    return index


def _table(tokens: Sequence[Token], depth: int) -> TableBlock:
    lines: list[list[tuple[TextRun, ...]]] = []
    aligns: list[str] = []
    for token in tokens:
        if token.type == "tr_open":
            lines.append([])
        elif token.type == "th_open":
            aligns.append(str(token.attrGet("style") or "").removeprefix("text-align:") or "left")
        elif token.type == "inline" and lines:
            lines[-1].append(runs_of(token))
    head, *rows = [tuple(line) for line in lines] or [()]
    return TableBlock(head, tuple(aligns), tuple(rows), depth)


def row_texts(row: Sequence[Sequence[TextRun]]) -> tuple[str, ...]:
    """A row of a table as plain text."""
    return tuple(plain_text(cell) for cell in row)

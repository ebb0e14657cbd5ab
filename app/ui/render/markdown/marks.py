"""The few HTML marks and notes that models write in Markdown: sub, sup, br, details, footnotes.

HTML as such stays text (`markdown`). These are rules of ours over single lines, so that a message parsed piece by piece
reads as the whole does; what is in them is text or Markdown like any other.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_RAISED = re.compile(r"<(su[bp])>([^<>\n]{1,80})</\1>", re.IGNORECASE)
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_NOTE = re.compile(r"\[\^([^\]\[\s]{1,40})\]")
_NOTE_TEXT = re.compile(r"\[\^([^\]\[\s]{1,40})\]:[ \t]*")
_DETAILS = re.compile(r"<details( open(?:=[\"'\w]{0,8})?)?>[ \t]*", re.IGNORECASE)
_SUMMARY = re.compile(r"<summary>([^\n]{0,300})</summary>[ \t]*$", re.IGNORECASE)
_STYLE = re.compile(r"</?(?:b|strong|i|em|code|h[1-6])>", re.IGNORECASE)


def add_marks(parser: MarkdownIt) -> None:
    parser.inline.ruler.before("link", "note_mark", _note_mark)
    parser.inline.ruler.before("autolink", "raised", _raised)
    ways: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("reference", "note_text", _note_text, ways)
    parser.block.ruler.before("reference", "details", _details, ways)


def _raised(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    if found := _RAISED.match(state.src, state.pos, state.posMax):
        if not silent:
            state.push(found[1].lower(), "", 0).content = found[2]
    elif found := _BREAK.match(state.src, state.pos, state.posMax):
        if not silent:
            state.push("softbreak", "br", 0)
    else:
        return False
    state.pos = found.end()
    return True


def _note_mark(state: StateInline, silent: bool) -> bool:
    match = _NOTE.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "[" else None
    if match is None:
        return False
    if not silent:
        state.push("sup", "", 0).content = match[1]
    state.pos = match.end()
    return True


def _note_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^1]: words` up to an empty line, or the next one: a paragraph that begins with its mark."""
    match = _NOTE_TEXT.match(_line(state, start))
    if match is None:
        return False
    if not silent:
        last = start + 1
        while last < end and not state.isEmpty(last) and not _NOTE_TEXT.match(_line(state, last)):
            last += 1
        rest = [_line(state, start)[match.end() :], *(_line(state, n) for n in range(start + 1, last))]
        _paragraph(state, start, last, f"[^{match[1]}] " + "\n".join(rest))
    return True


def _details(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The frame of a part that is folded: its title is beside the opening or on the next line."""
    line = _line(state, start).strip()
    if not line.startswith("<"):
        return False
    if line.lower() == "</details>":
        return silent or _frame(state, "fold_close", start, start + 1)
    opening = _DETAILS.match(line)
    rest, last = (line[opening.end() :], start + 1) if opening is not None else (line, start + 1)
    if opening is not None and not rest and last < end:
        following = _line(state, last).strip()
        if _SUMMARY.match(following):
            rest, last = following, last + 1
    summary = _SUMMARY.match(rest)
    title = _STYLE.sub("", summary[1]).strip() if summary is not None else ""
    if "<" in title or (rest and summary is None) or (opening is None and summary is None):
        return False
    if silent:
        return True
    if opening is None:
        _paragraph(state, start, last, f"**{title}**" if title else "")
        return True
    return _frame(state, "fold_open", start, last, title, is_open=opening[1] is not None)


def _frame(state: StateBlock, kind: str, start: int, last: int, title: str = "", *, is_open: bool = False) -> bool:
    token = state.push(kind, "details", 0)
    token.content, token.map, token.meta = title, [start, last], {"open": is_open}
    state.line = last
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _paragraph(state: StateBlock, start: int, last: int, content: str) -> None:
    state.line = last
    state.push("paragraph_open", "p", 1).map = [start, last]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content.strip(), [start, last], []
    state.push("paragraph_close", "p", -1)

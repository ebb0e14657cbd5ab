"""The few HTML marks and notes that models write in Markdown: sub, sup, br, details, footnotes.

HTML as such stays text (`markdown`). These are rules of ours over single lines, so that a message parsed piece by piece
reads as the whole does; what stands in them is text or Markdown like any other.
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
_DETAILS = re.compile(r"(?:<details(?: open)?>)?[ \t]*(?:<summary>([^<>\n]{0,200})</summary>)?[ \t]*$", re.IGNORECASE)


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
    found = _NOTE.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "[" else None
    if found is None:
        return False
    if not silent:
        state.push("sup", "", 0).content = found[1]
    state.pos = found.end()
    return True


def _note_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`[^1]: words` up to an empty line, or the next one: a paragraph that begins with its mark."""
    found = _NOTE_TEXT.match(_line(state, start))
    if found is None:
        return False
    if not silent:
        last = start + 1
        while last < end and not state.isEmpty(last) and not _NOTE_TEXT.match(_line(state, last)):
            last += 1
        rest = [_line(state, start)[found.end() :], *(_line(state, n) for n in range(start + 1, last))]
        _paragraph(state, start, last, f"[^{found[1]}] " + "\n".join(rest))
    return True


def _details(state: StateBlock, start: int, _end: int, silent: bool) -> bool:
    """The frame of a part that a web page would fold: its title is a line of its own, what is in it is shown."""
    line = _line(state, start).strip()
    if not line.startswith("<"):
        return False
    found = _DETAILS.match(line)
    if found is None and line.lower() != "</details>":
        return False
    if not silent:
        title = found[1].strip() if found is not None and found[1] else ""
        if title:
            _paragraph(state, start, start + 1, f"**{title}**")
        state.line = start + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _paragraph(state: StateBlock, start: int, last: int, content: str) -> None:
    state.line = last
    state.push("paragraph_open", "p", 1).map = [start, last]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content.strip(), [start, last], []
    state.push("paragraph_close", "p", -1)

r"""Which parts of Markdown are formulas: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`; one rule for window and exports.

Dollars are money more often than mathematics, so the text between two of them must not read as prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

InlineRule = Callable[["StateInline", bool], bool]

_LONGEST_BLOCK = 100
"""Lines in which a closing bracket is looked for."""
_WORD = re.compile(r"[A-Za-z]{3,}")
_SHORT_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = frozenset("sin cos tan cot sec csc log exp lim max min arg det dim gcd inf sup mod sinh cosh tanh".split())
_TEXT = re.compile(r"\\(?:text|mathrm|operatorname|textbf|mbox)\s*\{[^{}]*\}")
_SIGN = re.compile(r"[\\^_={}<>|]")


def add_formulas(parser: MarkdownIt) -> None:
    """Tokens `math_inline`, `math_inline_double` and `math_block`; `markup` tells how they were written."""
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.dollarmath.index import math_inline_dollar

    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True, allow_blank_lines=False)
    rule = math_inline_dollar(allow_space=False, allow_digits=False, allow_double=True)
    parser.inline.ruler.at("math_inline", _unless_prose(rule))
    parser.inline.ruler.before("escape", "bracket_math", _bracket_math)
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "bracket_block", _bracket_block, {"alt": ends})


def is_prose(content: str) -> bool:
    """Whether what stands between two dollars reads as text: "5 (or 3", "HOME and"."""
    content = _TEXT.sub("", content)
    if _SIGN.search(content):
        return False
    if not content.isascii():
        return len(content) > 1
    # A sum of money begins with a digit, and then one short word is enough.
    words = (_SHORT_WORD if content[:1].isdigit() else _WORD).findall(content)
    return " " in content and any(word not in _NAMES for word in words)


def _unless_prose(rule: InlineRule) -> InlineRule:
    def guarded(state: StateInline, silent: bool) -> bool:
        begin, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        after = state.src[state.pos : state.pos + 1]
        content = state.src[begin + 1 : state.pos - 1]
        goes_on = after.isascii() and after.isalnum() and "\\" not in content
        if content[:1] != "$" and (goes_on or is_prose(content)):
            del state.tokens[count:]
            state.pos = begin
            return False
        return True

    return guarded


def _bracket_math(state: StateInline, silent: bool) -> bool:
    opening = state.src[state.pos : state.pos + 2]
    if opening not in ("\\(", "\\["):
        return False
    closing = "\\)" if opening == "\\(" else "\\]"
    end = state.src.find(closing, state.pos + 2, state.posMax)
    if end < 0 or not state.src[state.pos + 2 : end].strip():
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = state.src[state.pos + 2 : end]
        token.markup = opening
    state.pos = end + 2
    return True


def _bracket_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A line that begins with a bracket, to the line that ends with its other half; no blank line between."""
    if state.sCount[start] - state.blkIndent >= 4 or not _line(state, start).startswith("\\["):
        return False
    for last in range(start, min(end, start + _LONGEST_BLOCK)):
        line = _line(state, last)
        if not line or state.sCount[last] < state.blkIndent:
            return False
        if line.endswith("\\]"):
            break
        if "\\]" in line:
            return False
    else:
        return False
    if silent:
        return True
    lines = [_line(state, number) for number in range(start, last + 1)]
    token = state.push("math_block", "math", 0)
    token.block = True
    token.content = "\n".join(lines).removeprefix("\\[").removesuffix("\\]")
    token.markup = "\\["
    token.map = [start, last + 1]
    state.line = last + 1
    return True


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].strip()

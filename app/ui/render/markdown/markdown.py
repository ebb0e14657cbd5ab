"""The Markdown parser: CommonMark with tables, strike-through and formulas; HTML stays text.

One rule is ours: emphasis works beside Chinese punctuation (CommonMark's flanking rule is made
for scripts with spaces, so `**注意：**请` would keep its asterisks). What a formula is, is defined in
`services/formula_rules`, for the exports as well.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from app.ui.render.markdown.marks import add_marks

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.rules_inline.state_inline import Delimiter
    from markdown_it.token import Token

MAX_NESTING = 40
Env = dict[str, Any]
"""What the parser remembers between pieces of one message: its reference links."""

MOST_EFFORT = 8_000
"""What the parser may be asked for in one step: about 30 ms, twice that on a busy machine."""
_STOPS = b"\n!#$%&*+-:<=>@[\\]^_`{}~"
"""The parser stops at each of these and asks what it may mean; all else it passes over in leaps."""
_COST = {"[": 10, "\n": 5, "*": 4, "_": 4, "~": 4, "`": 4}
"""Stops more than one: a bracket is tried as a link up to its end, a line as every kind of block, a mark in pairs."""

_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]{1,200}\]:[^\n]{1,2000}$", re.MULTILINE)
_MAX_REFERENCES = 500


@cache
def _parser() -> MarkdownIt:
    # Imported at the first text: it takes 40 ms, which the first paint of the window need not wait for.
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline.state_inline import Delimiter

    from app.services.exchange.formula_rules import add_formulas

    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    # Which addresses may be clicked is decided by `links`, so that the refused ones can be shown.
    parser.validateLink = _any_link  # type: ignore[method-assign]
    add_formulas(parser)
    add_marks(parser)
    parser.inline.ruler.at("emphasis", partial(_emphasis, Delimiter))
    return parser


def load_parser() -> None:
    """So that the first text does not pay for the import."""
    _parser()


def _any_link(url: str) -> bool:
    return bool(url)


def parse(source: str, env: Env | None = None) -> list[Token]:
    return _parser().parse(source, env if env is not None else {})


def effort(source: str) -> int:
    """How long a parse takes: it is the signs that cost, not the letters."""
    raw = source.encode(errors="replace")
    stops = len(raw) - len(raw.translate(None, _STOPS))
    return stops + sum(cost * source.count(sign) for sign, cost in _COST.items())


def is_too_deep(tokens: Sequence[Token]) -> bool:
    """Whether lists or quotes stood so deep that the parser has left text out."""
    return any(token.level >= MAX_NESTING - 1 for token in tokens)


def references(source: str) -> Env:
    """The link definitions of a whole text, so that it can be parsed piece by piece."""
    env: Env = {}
    matches = [match.group() for match in islice(_REFERENCE.finditer(source), _MAX_REFERENCES)]
    if matches:
        parse("\n".join(matches), env)
    return env


def _emphasis(delimiter: type[Delimiter], state: StateInline, silent: bool) -> bool:
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    scanned = state.scanDelims(state.pos, marker == "*")
    can_open, can_close = scanned.can_open, scanned.can_close
    if marker == "*":
        before = state.src[state.pos - 1] if state.pos else " "
        after_at = state.pos + scanned.length
        after = state.src[after_at] if after_at < state.posMax else " "
        if _is_east_asian(before) or _is_east_asian(after):
            can_open, can_close = not after.isspace(), not before.isspace()
    for _ in range(scanned.length):
        token = state.push("text", "", 0)
        token.content = marker
        state.delimiters.append(
            delimiter(
                marker=ord(marker),
                length=scanned.length,
                token=len(state.tokens) - 1,
                end=-1,
                open=can_open,
                close=can_close,
            )
        )
    state.pos += scanned.length
    return True


def _is_east_asian(char: str) -> bool:
    return "\u2e80" <= char <= "\ud7ff" or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uffef"

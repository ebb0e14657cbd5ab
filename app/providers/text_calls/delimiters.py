"""The marks that begin a call in a text, and whether a bare `{` may begin one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from app.providers.text_calls.parse import CALL_KEYS, NAME_KEYS, THINKING_KEYS
from app.providers.text_calls.scan import DSML, FUNCTION, INVOKE
from app.providers.text_calls.sections import DEEPSEEK, KIMI, SECTIONS

TOOL_CALL: Final = "<tool_call>"
MINIMAX: Final = "<minimax:tool_call>"
DSML_BLOCKS: Final = {f"<｜DSML｜{name}>": f"</｜DSML｜{name}>" for name in ("function_calls", "tool_calls")}
"""DeepSeek V3.2 and V4: opening mark → closing mark."""
PYTHON: Final = "<|python_tag|>"
MADE_UP: Final = "<tool_response"
"""A model that continues after its call sometimes writes the result as well."""
FORMS: Final = {form.opener: form for form in (FUNCTION, INVOKE, DSML)}
"""What begins a call whose parameters are tags."""
OPENERS: Final = (TOOL_CALL, *FORMS, MINIMAX, *DSML_BLOCKS, PYTHON, MADE_UP, *SECTIONS)
CLOSERS: Final = {
    TOOL_CALL: "</tool_call>",
    MINIMAX: "</minimax:tool_call>",
    **{opener: form.closer for opener, form in FORMS.items()},
    **DSML_BLOCKS,
    MADE_UP: "</tool_response>",
    KIMI.opener: KIMI.end,
    DEEPSEEK.opener: DEEPSEEK.end,
}
"""Opening mark → the one that ends it; the others reach to the end of the message."""
ENDS: Final = {**CLOSERS, KIMI.opener: KIMI.closer, DEEPSEEK.opener: DEEPSEEK.closer}
"""Opening mark → the one behind which no further call of the same marks can follow."""
AFTER_CALL: Final = (
    *(CLOSERS[mark] for mark in (TOOL_CALL, MINIMAX, *FORMS, *DSML_BLOCKS)),
    *(mark for form in (KIMI, DEEPSEEK) for mark in (form.end, form.closer)),
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    ";",
)
"""What may be behind a call and is no text."""
THINKING_ENDS: Final = (TOOL_CALL, FUNCTION.opener, MINIMAX, KIMI.opener, DEEPSEEK.opener, *DSML_BLOCKS)
LONGEST: Final = max(map(len, (*OPENERS, *AFTER_CALL, KIMI.begin, DEEPSEEK.begin)))
_HEAD: Final = 260
_MAY_FOLLOW: Final = frozenset(("", " ", "\t", "\r", "\n", '"'))
_FENCE: Final = "```"


def begins_call(text: str, at: int, names: Collection[str], *, thinking: bool, at_end: bool) -> bool | None:
    """Whether the `{` at this place begins a call, by its first key; None: more is needed to know.

    An answer in JSON must not wait for its end, so the first key decides, and the name if that is the key.
    """
    if text[at + 1 : at + 2] not in _MAY_FOLLOW:
        return False
    look = text[at + 1 : at + _HEAD]
    unknown = None if not at_end and len(look) < _HEAD - 1 else False
    rest = look.lstrip()
    if not rest:
        return unknown
    if rest[0] != '"':
        return False
    keys = (*CALL_KEYS, *THINKING_KEYS) if thinking else CALL_KEYS
    key, closed, rest = _string(rest)
    if not closed:
        return unknown if any(known.startswith(key) for known in keys) else False
    if key not in keys:
        return False
    if key not in NAME_KEYS:
        return True
    rest = rest.lstrip()
    if not rest or rest == ":":
        return unknown
    rest = rest[1:].lstrip()
    if not rest:
        return unknown
    if rest[0] != '"':
        return False
    name, closed, _ = _string(rest)
    if closed:
        return name.strip() in names
    return unknown if any(known.startswith(name.lstrip()) for known in names) else False


def _string(text: str) -> tuple[str, bool, str]:
    end = text.find('"', 1)
    return (text[1:], False, "") if end < 0 else (text[1:end], True, text[end + 1 :])


def fenced_object(text: str, at: int, *, at_end: bool) -> int | None:
    """Where the `{` is in a fence that begins here and holds an object; -1: it holds none; None: not known yet.

    Only for the whole reply in the thinking form, which some models cannot help wrapping in a fence.
    """
    unknown = -1 if at_end else None
    head = text[at : at + 40]
    if not head.startswith(_FENCE):
        return unknown if _FENCE.startswith(head) else -1
    end = head.find("\n")
    if end < 0:
        return unknown if len(head) < 40 else -1
    if head[len(_FENCE) : end].strip().lower() not in ("", "json"):
        return -1
    body = at + end + 1
    while body < len(text) and text[body] in " \t\r\n":
        body += 1
    if body == len(text):
        return unknown if body - at < _HEAD else -1
    return body if text[body] == "{" else -1


def may_become(text: str, at: int, marks: Sequence[str]) -> bool:
    """Whether everything from here on is the beginning of a mark, and not yet the whole."""
    remaining = len(text) - at
    if remaining >= LONGEST:
        return False
    tail = text[at:]
    return any(remaining < len(mark) and mark.startswith(tail) for mark in marks)


def held(text: str, at: int, mark: str) -> int:
    """How many characters at the end may be the beginning of this mark."""
    for size in range(min(len(mark) - 1, len(text) - at), 0, -1):
        if mark.startswith(text[len(text) - size :]):
            return size
    return 0

"""Calls between the special tokens of three families of models, leaked into the text by servers that do not parse them.

    Kimi      <|tool_calls_section_begin|><|tool_call_begin|>functions.add:0<|tool_call_argument_begin|>{…}<|tool_call_end|>…
    DeepSeek  <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{…}<｜tool▁call▁end｜>…
              with `function` for the name, then the name on a line and the arguments in a fence, in older ones
    Mistral   [TOOL_CALLS]add[CALL_ID]…[ARGS]{…}  or  [TOOL_CALLS][{"name": "add", "arguments": {…}}]

What is before the arguments is read here in one look at a bounded stretch; the arguments themselves are
scanned by `JsonScan` like all others.
"""  # noqa: E501 - the forms as they are

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LONGEST_HEAD: Final = 600
_FENCE: Final = "```"


@dataclass(frozen=True, slots=True)
class SectionForm:
    opener: str
    begin: str
    """Stands before each call; "" = nothing does."""
    separators: tuple[str, ...]
    """Behind the name."""
    end: str
    closer: str


KIMI: Final = SectionForm(
    "<|tool_calls_section_begin|>",
    "<|tool_call_begin|>",
    ("<|tool_call_argument_begin|>",),
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
)
DEEPSEEK: Final = SectionForm(
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    ("<｜tool▁sep｜>",),
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
)
MISTRAL: Final = SectionForm("[TOOL_CALLS]", "", ("[ARGS]",), "", "")
SECTIONS: Final = {form.opener: form for form in (KIMI, DEEPSEEK, MISTRAL)}
_CALL_ID: Final = "[CALL_ID]"
_OLD_DEEPSEEK: Final = "function"


@dataclass(frozen=True, slots=True)
class CallHead:
    """What comes before the arguments, which begin at `end`."""

    end: int
    name: str
    label: str = ""
    """The id the model gave the call."""
    fenced: bool = False


def head_of(text: str, at: int, form: SectionForm, *, at_end: bool) -> CallHead | bool | None:
    """False: this is no call. None: more is needed to know."""
    stretch = text[at : at + _LONGEST_HEAD]
    unknown = None if len(stretch) < _LONGEST_HEAD and not at_end else False
    rest = stretch.lstrip()
    if form.begin:
        if not rest.startswith(form.begin):
            return unknown if form.begin.startswith(rest) else False
        rest = rest[len(form.begin) :]
    elif rest.startswith(("[", "{")):
        inner = rest[1:].lstrip() if rest[0] == "[" else "{"
        return (CallHead(at + len(stretch) - len(rest), "") if inner[0] == "{" else False) if inner else unknown
    cut = _first(rest, form.separators if form.begin else (*form.separators, "{"))
    if cut is None:
        return unknown if _may_be_name(rest.partition("<")[0].partition("[")[0]) else False
    place, separator = cut
    before = rest[:place]
    if not _may_be_name(before):
        return False
    rest = rest[place + (len(separator) if separator != "{" else 0) :]
    if form is DEEPSEEK and before.strip() == _OLD_DEEPSEEK:
        line, newline, behind = rest.partition("\n")
        if not newline:
            return unknown
        before, rest = line, behind
    rest = rest.lstrip()
    fenced = rest.startswith(_FENCE)
    if fenced:
        _info, newline, behind = rest.partition("\n")
        if not newline:
            return unknown
        rest = behind.lstrip()
    elif rest and _FENCE.startswith(rest):
        return unknown
    if not rest:
        return unknown
    if not rest.startswith("{"):
        return False
    name, label = _named(before)
    return CallHead(at + len(stretch) - len(rest), name, label, fenced) if name else False


def _first(text: str, marks: tuple[str, ...]) -> tuple[int, str] | None:
    places = [(place, mark) for mark in marks if (place := text.find(mark)) >= 0]
    return min(places) if places else None


def _may_be_name(said: str) -> bool:
    """A name and an id, in whole or in part: no sentence, no other markup."""
    text = said.strip()
    return len(text) <= 250 and "\n" not in text and " " not in text and "{" not in text


def _named(said: str) -> tuple[str, str]:
    """`functions.add:0` and `add[CALL_ID]x` → the name and what the model calls the call."""
    name, _mark, label = said.strip().partition(_CALL_ID)
    head, colon, number = name.rpartition(":")
    if colon and number.isdecimal():
        name, label = head, label or said.strip()
    return name.removeprefix("functions.").strip(), label.strip()

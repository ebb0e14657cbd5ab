"""Checks of an answer: what a case of an evaluation expects. Each gives whether it holds, and why not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from app.core.errors import BadInput
from app.core.schema.pattern import NotSupported, compiled
from app.core.schema.work import TooMuchWork, WorkLimit
from app.core.text.i18n import _

from .answers import BatchAnswer

KINDS: Final = (
    "contains",
    "not_contains",
    "regex",
    "json_path",
    "tool",
    "number",
    "max_tokens",
    "max_seconds",
    "judge",
)
_VALUES: Final[Mapping[str, tuple[type, ...]]] = {
    "number": (int, float), "max_tokens": (int, float), "max_seconds": (int, float), "contains": (str, list),
    "not_contains": (str, list),
}  # fmt: skip
"""What stands under a kind, where it is not a text."""
_NUMBER: Final = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_SHOWN: Final = 80
_MOST_BRACKETS: Final = 40
"""Places of an answer at which JSON may begin that are tried."""


@dataclass(frozen=True, slots=True)
class Verdict:
    score: float
    """0 to 1."""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One entry of `checks`, such as {"contains": "42"}; `value` is what stands under the kind."""

    kind: str
    value: Any
    more: Mapping[str, Any]

    def verdict(self, answer: BatchAnswer, judged: Verdict | None = None) -> Verdict:
        """`judged` is what the model that judges has said, for a check of that kind."""
        if not answer.ok:
            return Verdict(0.0, _("no answer"))
        if self.kind == "judge":
            return judged or Verdict(0.0, _("nobody judged it"))
        why = _REASONS[self.kind](self, answer)
        return Verdict(0.0, why) if why else Verdict(1.0)


def read_checks(raw: Any) -> tuple[Check, ...]:
    """Raises BadInput."""
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise BadInput(_("checks is a list of objects"))
    return tuple(map(_check, raw))


def _check(raw: Mapping[str, Any]) -> Check:
    kinds = [kind for kind in KINDS if kind in raw]
    if len(kinds) != 1:
        words = _("a check has one of {kinds}, not {given}")
        raise BadInput(words.format(kinds=", ".join(KINDS), given=", ".join(map(str, raw)) or "–"))
    kind = kinds[0]
    check = Check(kind, raw[kind], {name: value for name, value in raw.items() if name != kind})
    if not isinstance(check.value, _VALUES.get(kind, (str,))) or isinstance(check.value, bool):
        raise BadInput(_("the value of {kind} cannot be used").format(kind=kind))
    if kind == "regex":
        try:
            compiled(check.value)
        except NotSupported as error:
            words = _("the pattern {pattern} cannot be used: {why}")
            raise BadInput(words.format(pattern=check.value, why=error)) from error
    return check


# ---------------------------------------------------------------- one function per kind; "" where the check holds


def _contains(check: Check, answer: BatchAnswer) -> str:
    missing = [text for text in _texts(check.value) if text.casefold() not in answer.answer.casefold()]
    return _("{text} is missing").format(text=missing[0]) if missing else ""


def _not_contains(check: Check, answer: BatchAnswer) -> str:
    there = [text for text in _texts(check.value) if text.casefold() in answer.answer.casefold()]
    return _("{text} is there").format(text=there[0]) if there else ""


def _regex(check: Check, answer: BatchAnswer) -> str:
    try:
        fits = compiled(check.value).found_in(answer.answer, WorkLimit())
    except TooMuchWork:
        fits = False
    return "" if fits else _("nothing fits {pattern}").format(pattern=check.value)


def _json_path(check: Check, answer: BatchAnswer) -> str:
    value = answer.structured if answer.structured is not None else _json_in(answer.answer)
    for name, number in _STEP.findall(check.value.removeprefix("$")):
        try:
            value = value[int(number)] if number else value[name]
        except (KeyError, IndexError, TypeError):
            return _("there is no {path}").format(path=check.value)
    if "equals" in check.more and value != check.more["equals"]:
        return _("{path} is {value}").format(path=check.value, value=json.dumps(value, ensure_ascii=False)[:_SHOWN])
    return ""


def _tool(check: Check, answer: BatchAnswer) -> str:
    calls = [call for call in answer.calls if call.get("name") == check.value]
    if not calls:
        return _("{tool} was not called").format(tool=check.value)
    wanted = check.more.get("args") or {}
    if not any(all(call["args"].get(name) == value for name, value in wanted.items()) for call in calls):
        return _("{tool} was called with other arguments").format(tool=check.value)
    return ""


def _number(check: Check, answer: BatchAnswer) -> str:
    within = check.more.get("within", 0)
    numbers = [float(text.replace(",", "")) for text in _NUMBER.findall(answer.answer)]
    if any(abs(number - check.value) <= within for number in numbers):
        return ""
    return _("{number} is missing").format(number=check.value)


def _max_tokens(check: Check, answer: BatchAnswer) -> str:
    used = answer.usage.get("input", 0) + answer.usage.get("output", 0)
    return "" if used <= check.value else _("{n} tokens").format(n=used)


def _max_seconds(check: Check, answer: BatchAnswer) -> str:
    return "" if answer.seconds <= check.value else _("{n} seconds").format(n=round(answer.seconds, 1))


_REASONS = {
    "contains": _contains,
    "not_contains": _not_contains,
    "regex": _regex,
    "json_path": _json_path,
    "tool": _tool,
    "number": _number,
    "max_tokens": _max_tokens,
    "max_seconds": _max_seconds,
}


def _texts(value: str | Sequence[Any]) -> list[str]:
    return [value] if isinstance(value, str) else list(map(str, value))


def _json_in(text: str) -> Any:
    """The first JSON value of an answer, alone or in a fence."""
    decoder = json.JSONDecoder()
    for place in islice((n for n, char in enumerate(text) if char in "{["), _MOST_BRACKETS):
        try:
            return decoder.raw_decode(text, place)[0]
        except (ValueError, RecursionError):
            continue
    return None

"""Checks of an answer: what a case of an evaluation expects. Each gives whether it holds, and why not."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import islice
from typing import Any, Final

from app.core.errors import BadInput
from app.core.schema.pattern import NotSupported, compiled
from app.core.schema.work import TooMuchWork, WorkLimit
from app.core.text.i18n import _

from .answers import BatchAnswer

_NUMBERS: Final = (int, float)
_VALUES: Final[Mapping[str, tuple[type, ...]]] = {
    "contains": (str, list), "not_contains": (str, list), "regex": (str,), "json_path": (str,), "tool": (str,),
    "tools": (list,), "number": _NUMBERS, "mode": (str,), "stop": (str,), "file": (str,), "files": (list,),
    "max_steps": _NUMBERS, "max_tokens": _NUMBERS, "max_seconds": _NUMBERS, "judge": (str,),
}  # fmt: skip
"""What stands under each kind."""
KINDS: Final = tuple(_VALUES)
_MORE: Final[Mapping[str, Mapping[str, tuple[type, ...]]]] = {
    "json_path": {"equals": (object,)}, "number": {"within": _NUMBERS}, "judge": {"at_least": _NUMBERS},
    "tool": {"args": (dict,), "result": (str,), "shows": (str, list)},
    "file": {"contains": (str, list), "is_gone": (bool,)},
}  # fmt: skip
"""What may stand beside a kind."""
ENOUGH: Final = 0.7
"""The score from which an answer meets a rubric, where the case names no other."""
_NUMBER: Final = re.compile(r"(?<![\d.])-?\d[\d,]*(?:\.\d+)?")
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_SHOWN: Final = 80
_MOST_BRACKETS: Final = 40
"""Places of an answer at which JSON may begin that are tried."""


@dataclass(frozen=True, slots=True)
class Verdict:
    score: float
    """0 to 1."""
    why: str = ""
    enough: float = 1.0
    """From here on it holds."""

    @property
    def holds(self) -> bool:
        return self.score >= self.enough


@dataclass(frozen=True, slots=True)
class Check:
    """One entry of `checks`, such as {"contains": "42"}; `value` is what stands under the kind."""

    kind: str
    value: Any
    more: Mapping[str, Any]

    @property
    def text(self) -> str:
        """As it stands in the file of cases."""
        return json.dumps({self.kind: self.value, **self.more}, ensure_ascii=False)[1:-1]

    def verdict(self, answer: BatchAnswer, judged: Verdict | None = None) -> Verdict:
        """`judged` is what the model that judges has said, for a check of that kind."""
        if not answer.ok and self.kind != "stop":
            return Verdict(0.0, _("no answer"))
        if self.kind == "judge":
            enough = float(self.more.get("at_least", ENOUGH))
            return replace(judged or Verdict(0.0, _("nobody judged it")), enough=enough)
        why = _REASONS[self.kind](self, answer)
        return Verdict(0.0, why) if why else Verdict(1.0)


def read_checks(raw: Any) -> tuple[Check, ...]:
    """Raises BadInput."""
    if not isinstance(raw, list) or not raw or not all(isinstance(one, dict) for one in raw):
        raise BadInput(_("checks is a list of objects"))
    return tuple(map(_check, raw))


def _check(raw: Mapping[str, Any]) -> Check:
    named = [kind for kind in KINDS if kind in raw]
    kinds = [kind for kind in named if all(other == kind or other in _MORE.get(kind, {}) for other in named)]
    if len(kinds) != 1:
        words = _("a check has one of {kinds}, not {given}")
        raise BadInput(words.format(kinds=", ".join(KINDS), given=", ".join(map(str, raw)) or "–"))
    kind = kinds[0]
    check = Check(kind, raw[kind], {name: value for name, value in raw.items() if name != kind})
    _check_type(kind, check.value, _VALUES[kind])
    for name, value in check.more.items():
        if name not in (known := _MORE.get(kind, {})):
            words = _("beside {kind} there may be {names}, not {given}")
            raise BadInput(words.format(kind=kind, names=", ".join(known) or "–", given=name))
        _check_type(name, value, known[name])
    if kind == "regex":
        try:
            compiled(check.value)
        except NotSupported as error:
            words = _("the pattern {pattern} cannot be used: {why}")
            raise BadInput(words.format(pattern=check.value, why=error)) from error
    return check


def _check_type(name: str, value: Any, types: tuple[type, ...]) -> None:
    is_bool = isinstance(value, bool) and bool not in types and object not in types
    is_blank = isinstance(value, str | list) and not value and name not in ("files", "equals")
    if is_bool or is_blank or not isinstance(value, types):
        raise BadInput(_("the value of {kind} cannot be used").format(kind=name))


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
    calls = [call for call in calls if all(call["args"].get(name) == value for name, value in wanted.items())]
    if not calls:
        return _("{tool} was called with other arguments").format(tool=check.value)
    result = check.more.get("result")
    if result and all(call.get("result") != result for call in calls):
        words = _("{tool} ended with {result}")
        return words.format(tool=check.value, result=calls[-1].get("result"))
    texts = _texts(check.more.get("shows", ()))
    if not any(all(text in call.get("text", "") for text in texts) for call in calls):
        return _("the result of {tool} does not show {text}").format(tool=check.value, text=", ".join(texts))
    return ""


def _tools(check: Check, answer: BatchAnswer) -> str:
    """In this order; others may be between them."""
    left = iter([str(call.get("name")) for call in answer.calls])
    missing = [name for name in _texts(check.value) if name not in left]
    return _("{tool} was not called in its place").format(tool=missing[0]) if missing else ""


def _mode(check: Check, answer: BatchAnswer) -> str:
    return "" if answer.mode == check.value else _("the mode was {mode}").format(mode=answer.mode)


def _stop(check: Check, answer: BatchAnswer) -> str:
    if answer.stop_reason == check.value:
        return ""
    return _("it ended with {reason}").format(reason=answer.stop_reason)


def _file(check: Check, answer: BatchAnswer) -> str:
    """The name may be a pattern; one of its files is enough."""
    reasons = [_file_reason(check, path, answer.files[path]) for path in answer.files if _fits(path, check.value)]
    return min(reasons, default=_("{file} has not changed").format(file=check.value), key=bool)


def _file_reason(check: Check, path: str, text: str | None) -> str:
    if check.more.get("is_gone", False) is not (text is None):
        return _("{file} is there").format(file=path) if text is not None else _("{file} is gone").format(file=path)
    missing = [one for one in _texts(check.more.get("contains", ())) if one not in (text or "")]
    return _("{text} is missing").format(text=missing[0]) if missing else ""


def _files(check: Check, answer: BatchAnswer) -> str:
    """These have changed, and no others: one for each name, which may be a pattern."""
    names = _texts(check.value)
    exact = [name for name in names if name in answer.files]
    patterns = sorted((name for name in names if name not in answer.files), key=len, reverse=True)
    left, missing = sorted(answer.files), False
    for name in (*exact, *patterns):
        fitting = [path for path in left if _fits(path, name)]
        missing |= not fitting
        left = [path for path in left if path not in fitting[:1]]
    if not left and not missing:
        return ""
    return _("changed were: {files}").format(files=", ".join(answer.files) or "–")


def _fits(path: str, name: str) -> bool:
    return path == name or fnmatchcase(path, name)


def _number(check: Check, answer: BatchAnswer) -> str:
    within = check.more.get("within", 0)
    numbers = [float(text.replace(",", "")) for text in _NUMBER.findall(answer.answer)]
    if any(abs(number - check.value) <= within for number in numbers):
        return ""
    return _("{number} is missing").format(number=check.value)


def _max_steps(check: Check, answer: BatchAnswer) -> str:
    return "" if answer.steps <= check.value else _("{n} steps").format(n=answer.steps)


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
    "tools": _tools,
    "number": _number,
    "mode": _mode,
    "stop": _stop,
    "file": _file,
    "files": _files,
    "max_steps": _max_steps,
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

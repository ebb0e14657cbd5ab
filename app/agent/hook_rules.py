"""Hooks without code: rules of a profile turned into hooks (product.md S5).

A rule is a table with `when` (before | after), `tool` (a name or glob) and one `do`:

    before  normalise  arg, values {written: meant}, upper?, strip?  – "b档" → "B"
            rename     arg, to                                       – an argument's name
            set        arg, value                                    – a fixed value
            block      if {arg, equals | contains}?                  – not for this agent
    after   columns    list, keys, most?                             – rows of a JSON list as short lines
            mask       text                                          – a secret word as ***
            cut        most                                          – no more than so many characters

A rule that cannot be read is left out, with its reason; the others act.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from .hooks import AfterToolCall, BeforeToolCall, Hooks

Rule = Mapping[str, Any]
Args = dict[str, Any]
MASK = "***"


def hooks_of(rules: Iterable[Rule]) -> tuple[Hooks, list[str]]:
    """The hooks and, for each rule that cannot be used, why."""
    before: list[BeforeToolCall] = []
    after: list[AfterToolCall] = []
    faults: list[str] = []
    for number, rule in enumerate(rules, 1):
        try:
            if rule.get("when") == "before":
                before.append(_for_tool_before(rule, _BEFORE[rule["do"]](rule)))
            elif rule.get("when") == "after":
                after.append(_for_tool_after(rule, _AFTER[rule["do"]](rule)))
            else:
                faults.append(f"rule {number}: `when` is before or after")
        except (KeyError, TypeError, ValueError) as error:
            faults.append(f"rule {number}: {type(error).__name__} {error}")
    return Hooks(before, after), faults


def _for_tool_before(rule: Rule, act: Callable[[Args], Args | None]) -> BeforeToolCall:
    pattern = str(rule.get("tool", "*"))

    def hook(name: str, args: Args) -> Args | None:
        return act(args) if fnmatchcase(name, pattern) else args

    return hook


def _for_tool_after(rule: Rule, act: Callable[[str], str]) -> AfterToolCall:
    pattern = str(rule.get("tool", "*"))

    def hook(name: str, args: Mapping[str, Any], observation: str) -> str:
        return act(observation) if fnmatchcase(name, pattern) else observation

    return hook


# ---------------------------------------------------------------- before


def _normalise(rule: Rule) -> Callable[[Args], Args | None]:
    arg, values = str(rule["arg"]), {str(k): v for k, v in dict(rule.get("values", {})).items()}
    strip, upper = str(rule.get("strip", "")), bool(rule.get("upper", False))

    def act(args: Args) -> Args:
        value = args.get(arg)
        if not isinstance(value, str):
            return args
        text = unicodedata.normalize("NFKC", value).strip().rstrip(strip).strip()
        text = text.upper() if upper else text
        return {**args, arg: values.get(text, values.get(value, text))}

    return act


def _rename(rule: Rule) -> Callable[[Args], Args | None]:
    arg, to = str(rule["arg"]), str(rule["to"])
    return lambda args: {to if name == arg else name: value for name, value in args.items()}


def _set(rule: Rule) -> Callable[[Args], Args | None]:
    arg, value = str(rule["arg"]), rule["value"]
    return lambda args: {**args, arg: value}


def _block(rule: Rule) -> Callable[[Args], Args | None]:
    condition = rule.get("if")
    if condition is None:
        return lambda _args: None
    arg = str(condition["arg"])
    if "equals" in condition:
        return lambda args: None if args.get(arg) == condition["equals"] else args
    word = str(condition["contains"])
    return lambda args: None if word in str(args.get(arg, "")) else args


# ---------------------------------------------------------------- after


def _columns(rule: Rule) -> Callable[[str], str]:
    place, keys, most = str(rule["list"]), [str(key) for key in rule["keys"]], int(rule.get("most", 10))

    def act(observation: str) -> str:
        head, found = _json_in(observation)
        rows = found.get(place) if isinstance(found, dict) else None
        if not isinstance(rows, list):
            return observation
        lines = [" | ".join(str(row.get(key, "")) for key in keys) for row in rows[:most] if isinstance(row, dict)]
        more = f"\n… {len(rows) - most} more" if len(rows) > most else ""
        return "\n".join([*([head] if head else []), f"{place}: {len(rows)}", *lines]) + more

    return act


def _mask(rule: Rule) -> Callable[[str], str]:
    text = str(rule["text"])
    if not text:
        raise ValueError("there is nothing to mask")
    return lambda observation: observation.replace(text, MASK)


def _cut(rule: Rule) -> Callable[[str], str]:
    most = int(rule["most"])
    return lambda observation: observation if len(observation) <= most else observation[:most] + " …"


def _json_in(observation: str) -> tuple[str, Any]:
    """A result is JSON, or a summary line and then JSON."""
    for head, body in (("", observation), observation.split("\n", 1) if "\n" in observation else ("", "")):
        try:
            return head, json.loads(body)
        except (ValueError, RecursionError):
            continue
    return "", None


_BEFORE: Mapping[str, Callable[[Rule], Callable[[Args], Args | None]]] = {
    "normalise": _normalise,
    "rename": _rename,
    "set": _set,
    "block": _block,
}
_AFTER: Mapping[str, Callable[[Rule], Callable[[str], str]]] = {"columns": _columns, "mask": _mask, "cut": _cut}

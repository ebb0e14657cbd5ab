"""Hooks without code: rules of a profile turned into hooks (product.md S5).

A rule is a table with `when` (before | after), `tool` (a name or glob) and one `do`; `enabled = false` rests it:

    before  normalise  arg, values {written: meant}, upper?, strip?  – "b档" → "B"
            rename     arg, to                                       – an argument's name
            set        arg, value                                    – a fixed value
            block      if {arg, equals | contains | matches | none_of | missing}?, why?  – not for this agent
    after   columns    list, keys, most?                             – rows of a JSON list as short lines
            mask       text | matches | keys                         – a secret word, pattern or value as ***
            cut        most                                          – no more than so many characters

`list` is a path in the JSON, `data.candidates`; empty: the JSON itself is the list. `matches` is a pattern of
`core.text.wildcards`. A rule that cannot be read is left out, with its reason; the others act.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any

from app.core.errors import ToolError
from app.core.text.i18n import N_
from app.core.text.value_faults import ValueFault
from app.core.text.wildcards import WrongPattern, compiled

from .hooks import AfterToolCall, BeforeToolCall, Hooks

Rule = Mapping[str, Any]
Args = dict[str, Any]
MASK = "***"
LONGEST = 400_000
"""Characters of a result a pattern is looked for in; what is behind them is left out, not passed by."""


class WrongRule(ValueError):
    """`code`: when, do, needs, number, or one of WrongPattern; `field` is the key it is about."""

    def __init__(self, code: str, field: str = "") -> None:
        super().__init__(f"{code} {field}".strip())
        self.code, self.field = code, field

    def fault(self, number: int) -> ValueFault:
        """Of the rule with this number; the dialog words it with the titles of its fields."""
        return ValueFault(f"hooks.{number}", _WRONG.get(self.code, _WRONG[""]), {"field": self.field or "match"})


_WRONG: Mapping[str, str] = {
    "when": N_("when should be before or after"),
    "do": N_("do names nothing a rule can do"),
    "needs": N_("{field} is missing"),
    "number": N_("{field} should be a whole number above 0"),
    "empty": N_("the pattern is empty"),
    "long": N_("the pattern is longer than 200 characters"),
    "star_first": N_("a pattern begins with a character, not with *"),
    "stars": N_("a pattern has at most 8 stars"),
    "backslash": N_("a backslash stands before the sign it is meant for"),
    "": N_("the rule cannot be read"),
}


def hooks_of(rules: Iterable[Rule]) -> tuple[Hooks, list[ValueFault]]:
    """The hooks and, for each rule that cannot be used, why."""
    before: list[BeforeToolCall] = []
    after: list[AfterToolCall] = []
    faults: list[ValueFault] = []
    for number, rule in enumerate(rules, 1):
        try:
            hook = before_hook(rule) if rule.get("when") == "before" else after_hook(rule)
        except WrongRule as wrong:
            faults.append(wrong.fault(number))
            continue
        if rule.get("enabled") is False:
            continue
        if rule["when"] == "before":
            before.append(hook)
        else:
            after.append(hook)
    return Hooks(before, after), faults


def before_hook(rule: Rule) -> Any:
    """Raises WrongRule."""
    pattern, act = _pattern_of(rule, "before"), _acting(_BEFORE, rule)

    def hook(name: str, args: Args) -> Args | None:
        return act(args) if fnmatchcase(name, pattern) else args

    return hook


def after_hook(rule: Rule) -> Any:
    """Raises WrongRule."""
    pattern, act = _pattern_of(rule, "after"), _acting(_AFTER, rule)

    def hook(name: str, args: Mapping[str, Any], observation: str) -> str:
        return act(observation) if fnmatchcase(name, pattern) else observation

    return hook


def _pattern_of(rule: Rule, when: str) -> str:
    if rule.get("when") != when:
        raise WrongRule("when")
    return str(rule.get("tool", "*"))


def _acting(table: Mapping[str, Callable[[Rule], Any]], rule: Rule) -> Any:
    make = table.get(str(rule.get("do")))
    if make is None:
        raise WrongRule("do")
    try:
        return make(rule)
    except WrongRule:
        raise
    except WrongPattern as wrong:
        raise WrongRule(wrong.code, "matches") from wrong
    except KeyError as missing:
        raise WrongRule("needs", str(missing.args[0])) from missing
    except (TypeError, ValueError) as error:
        raise WrongRule("do") from error


def _text(rule: Rule, key: str) -> str:
    text = str(rule[key])
    if not text.strip():
        raise WrongRule("needs", key)
    return text


def _count(rule: Rule, key: str, default: int | None = None) -> int:
    value = rule.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise WrongRule("needs" if value is None else "number", key)
    return value


# ---------------------------------------------------------------- before


def _normalise(rule: Rule) -> Callable[[Args], Args | None]:
    arg, values = _text(rule, "arg"), {str(k): v for k, v in dict(rule.get("values", {})).items()}
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
    arg, to = _text(rule, "arg"), _text(rule, "to")
    return lambda args: {to if name == arg else name: value for name, value in args.items()}


def _set(rule: Rule) -> Callable[[Args], Args | None]:
    arg, value = _text(rule, "arg"), rule["value"]
    return lambda args: {**args, arg: value}


def _block(rule: Rule) -> Callable[[Args], Args | None]:
    holds, why = _condition(rule.get("if")), str(rule.get("why", "")).strip()

    def act(args: Args) -> Args | None:
        if not holds(args):
            return args
        if why:
            raise ToolError("DENIED", why)
        return None

    return act


def _condition(given: Any) -> Callable[[Args], bool]:
    if given is None:
        return lambda _args: True
    condition = dict(given)
    arg = _text(condition, "arg")
    if condition.get("missing"):
        return lambda args: args.get(arg) in (None, "")
    if "equals" in condition:
        wanted = condition["equals"]
        return lambda args: args.get(arg) == wanted or _word(args.get(arg)) == _word(wanted)
    if "none_of" in condition:
        allowed = {_word(one) for one in condition["none_of"]}
        if not allowed:
            raise WrongRule("needs", "none_of")
        return lambda args: _word(args.get(arg)) not in allowed
    if "matches" in condition:
        pattern = compiled(str(condition["matches"]))
        return lambda args: pattern.search(_word(args.get(arg))) is not None
    word = _text(condition, "contains")
    return lambda args: word in _word(args.get(arg))


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


# ---------------------------------------------------------------- after


def _columns(rule: Rule) -> Callable[[str], str]:
    place, keys, most = str(rule.get("list", "")), [str(key) for key in rule["keys"]], _count(rule, "most", 10)
    if not keys:
        raise WrongRule("needs", "keys")

    def act(observation: str) -> str:
        head, found = _json_in(observation)
        rows = _at(found, place)
        if not isinstance(rows, list):
            return observation
        lines = [" | ".join(_word(row.get(key)) for key in keys) for row in rows[:most] if isinstance(row, dict)]
        more = f"\n… {len(rows) - most} more" if len(rows) > most else ""
        title = f"{place or 'rows'}: {len(rows)} ({' | '.join(keys)})"
        return "\n".join([*([head] if head else []), title, *lines]) + more

    return act


def _at(value: Any, path: str) -> Any:
    for name in filter(None, path.split(".")):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _mask(rule: Rule) -> Callable[[str], str]:
    if "keys" in rule:
        return _mask_keys({str(key) for key in rule["keys"]})
    if "matches" in rule:
        pattern = compiled(str(rule["matches"]))
        return lambda observation: pattern.sub(MASK, _bounded(observation))
    text = _text(rule, "text")
    return lambda observation: observation.replace(text, MASK)


def _bounded(observation: str) -> str:
    """Twice what a model may ever read of one result: a search over more would only hold up the window."""
    return observation if len(observation) <= LONGEST else f"{observation[:LONGEST]} …"


def _mask_keys(keys: set[str]) -> Callable[[str], str]:
    if not keys:
        raise WrongRule("needs", "keys")

    def hidden(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: MASK if key in keys else hidden(item) for key, item in value.items()}
        return [hidden(item) for item in value] if isinstance(value, list) else value

    def act(observation: str) -> str:
        head, found = _json_in(observation)
        if not isinstance(found, dict | list):
            # What cannot be read is not passed on where it names such a key.
            return MASK if any(f'"{key}"' in observation for key in keys) else observation
        text = json.dumps(hidden(found), ensure_ascii=False)
        return f"{head}\n{text}" if head else text

    return act


def _cut(rule: Rule) -> Callable[[str], str]:
    most = _count(rule, "most")
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

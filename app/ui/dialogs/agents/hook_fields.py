"""What a rule before or after a tool consists of, as data: the kinds, their fields, and how they are written.

A rule is the table of `agent/policy/hook_rules.py`; a field reads one key of it into text and back. Keys with a dot lie
one level deeper (`if.arg`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.core.text.i18n import N_, _

FieldKind = Literal["text", "words", "pairs", "number", "switch", "json", "long"]
Rule = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RuleField:
    key: str
    title: str
    kind: FieldKind = "text"
    hint: str = ""
    """Shown in the empty field."""
    default: Any = ""


@dataclass(frozen=True, slots=True)
class RuleKind:
    """One line of the selector. `marks` are the keys that tell it from its siblings of the same `do`."""

    id: str
    when: Literal["before", "after"]
    do: str
    title: str
    fields: tuple[RuleField, ...]
    marks: tuple[str, ...] = ()


_ARG = RuleField("arg", N_("Argument"), hint=N_("such as level"))
_IF_ARG = RuleField("if.arg", N_("Argument"), hint=N_("such as level"))
_WHY = RuleField("why", N_("Said to the model"), hint=N_("a rule of this agent blocks the call"))

KINDS: tuple[RuleKind, ...] = (
    RuleKind(
        "normalise", "before", "normalise", N_("Before: bring an argument into one form"),
        (
            _ARG,
            RuleField("upper", N_("In capitals"), "switch", default=False),
            RuleField("strip", N_("Cut from its end"), hint=N_("characters, such as 档级")),
            RuleField("values", N_("What is meant"), "pairs", hint=N_("a line each: written = meant"), default={}),
        ),
    ),
    RuleKind("rename", "before", "rename", N_("Before: rename an argument"),
             (_ARG, RuleField("to", N_("New name")))),
    RuleKind("set", "before", "set", N_("Before: set an argument"),
             (_ARG, RuleField("value", N_("Value"), "json", hint=N_("text, or JSON such as 5 or true")))),
    RuleKind("block", "before", "block", N_("Before: block always"), (_WHY,)),
    RuleKind("block_equals", "before", "block", N_("Before: block if an argument is …"),
             (_IF_ARG, RuleField("if.equals", N_("is"), "json"), _WHY), ("if.equals",)),
    RuleKind("block_contains", "before", "block", N_("Before: block if an argument contains …"),
             (_IF_ARG, RuleField("if.contains", N_("contains")), _WHY), ("if.contains",)),
    RuleKind("block_matches", "before", "block", N_("Before: block if an argument fits a pattern"),
             (_IF_ARG, RuleField("if.matches", N_("fits"), hint=N_("* anything, ? one character, # a digit")), _WHY),
             ("if.matches",)),
    RuleKind("block_none_of", "before", "block", N_("Before: block if an argument is none of …"),
             (_IF_ARG, RuleField("if.none_of", N_("is none of"), "words", hint=N_("A, B, C"), default=[]), _WHY),
             ("if.none_of",)),
    RuleKind("block_missing", "before", "block", N_("Before: block if an argument is missing"),
             (_IF_ARG, _WHY), ("if.missing",)),
    RuleKind(
        "columns", "after", "columns", N_("After: keep some columns of a list"),
        (
            RuleField("list", N_("List"), hint=N_("its name in the JSON, such as data.rows; empty: the whole")),
            RuleField("keys", N_("Columns"), "words", hint=N_("code, name, price"), default=[]),
            RuleField("most", N_("Most rows"), "number", default=10),
        ),
    ),
    RuleKind("mask", "after", "mask", N_("After: mask a text"), (RuleField("text", N_("Text")),), ("text",)),
    RuleKind("mask_matches", "after", "mask", N_("After: mask what fits a pattern"),
             (RuleField("matches", N_("Pattern"), hint=N_("* anything, ? one character, # a digit")),), ("matches",)),
    RuleKind("mask_keys", "after", "mask", N_("After: mask values of a JSON"),
             (RuleField("keys", N_("Keys of the JSON"), "words", hint=N_("cost, path"), default=[]),), ("keys",)),
    RuleKind("cut", "after", "cut", N_("After: cut a long result"),
             (RuleField("most", N_("Most characters"), "number", default=2_000),)),
)  # fmt: skip
BY_ID: Mapping[str, RuleKind] = {kind.id: kind for kind in KINDS}


def kind_of(rule: Mapping[str, Any]) -> RuleKind | None:
    """None for a rule this form does not know: it is kept as it is."""
    same = [kind for kind in KINDS if (kind.when, kind.do) == (rule.get("when"), rule.get("do"))]
    marked = [kind for kind in same if kind.marks and all(get(rule, mark) is not None for mark in kind.marks)]
    plain = [kind for kind in same if not kind.marks]
    first = next(iter(marked or plain), None)
    # A condition this form has no words for must not be lost by showing the rule as one without a condition.
    has_other_condition = first is not None and first.id == "block" and rule.get("if") is not None
    return None if has_other_condition else first


def fresh(kind: RuleKind, tool: str = "*") -> Rule:
    rule: Rule = {"when": kind.when, "tool": tool, "do": kind.do}
    for field in kind.fields:
        if field.key != "why":
            put(rule, field.key, field.default)
    if kind.id == "block_missing":
        put(rule, "if.missing", True)
    return rule


def changed_kind(rule: Mapping[str, Any], kind: RuleKind) -> Rule:
    """The rule as another kind: what both have in common stays."""
    rule_made = fresh(kind, str(rule.get("tool", "*")))
    if rule.get("enabled") is False:
        rule_made["enabled"] = False
    for field in kind.fields:
        old = get(rule, field.key)
        if old is not None and isinstance(old, type(field.default) if field.default != "" else object):
            put(rule_made, field.key, old)
    return rule_made


def get(rule: Mapping[str, Any], key: str) -> Any:
    node: Any = rule
    for name in key.split("."):
        node = node.get(name) if isinstance(node, Mapping) else None
    return node


def put(rule: Rule, key: str, value: Any) -> None:
    *path, last = key.split(".")
    for name in path:
        inner = rule.get(name)
        rule[name] = dict(inner) if isinstance(inner, Mapping) else {}
        rule = rule[name]
    rule[last] = value


def shown(field: RuleField, value: Any) -> str:
    """The value as the text of its field."""
    if value is None:
        return ""
    match field.kind:
        case "words":
            return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        case "pairs":
            pairs = value.items() if isinstance(value, Mapping) else ()
            return "\n".join(f"{written} = {meant}" for written, meant in pairs)
        case "json":
            return value if isinstance(value, str) and not _is_json(value) else json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def read(field: RuleField, text: str) -> Any:
    """The text of a field as the value of the rule; what is no number stays text and is found wrong later."""
    match field.kind:
        case "words":
            return [word for part in text.replace("，", ",").replace("、", ",").split(",") if (word := part.strip())]
        case "pairs":
            lines = [line.partition("=") for line in text.splitlines() if "=" in line]
            return {written.strip(): meant.strip() for written, _sign, meant in lines}
        case "number":
            return int(text) if text.strip().isdecimal() else text.strip()
        case "json":
            return json.loads(text) if _is_json(text) else text
        case _:
            return text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_FAULTS: Mapping[str, str] = {
    "needs": N_("{field} is missing."),
    "number": N_("{field}: a whole number above 0."),
    "empty": N_("The pattern is empty."),
    "long": N_("The pattern is longer than 200 characters."),
    "star_first": N_("A pattern begins with a character: with * at its beginning it would fit anywhere."),
    "stars": N_("A pattern has at most 8 stars."),
    "backslash": N_("A backslash stands before the sign it is meant for."),
}


def fault_text(kind: RuleKind | None, code: str, key: str) -> str:
    titles = {field.key.rpartition(".")[2]: _(field.title) for field in kind.fields} if kind else {}
    words = _(_FAULTS[code]) if code in _FAULTS else _("This rule cannot be read.")
    return words.format(field=titles.get(key, key))


def sentence(rule: Mapping[str, Any]) -> str:
    """The rule in a line: what it does to which tool."""
    kind = kind_of(rule)
    if kind is None:
        return json.dumps(dict(rule), ensure_ascii=False, default=str)
    parts = [shown(field, get(rule, field.key)) for field in kind.fields if field.kind not in ("switch", "pairs")]
    detail = " · ".join(part for part in parts if part)
    tool = str(rule.get("tool", "*"))
    where = _("every tool") if tool == "*" else tool
    return f"{_(kind.title)} – {where}" + (f" – {detail}" if detail else "")

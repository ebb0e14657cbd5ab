"""The message for arguments that cannot be used: every fault at once, the allowed values, and one correct example.

In the language of the run: the person reads it too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from app.core.text.i18n import N_, say_in
from app.core.text.value_faults import ValueFault

from .hints import CLOCK
from .judge import ArgumentFault
from .shapes import DEEPEST, Schema, Shapes, properties_of, required_of

_WORDS: Mapping[str, str] = {
    "type": N_("{place}: should be {wanted}, is {given}"),
    "enum": N_("{place}: should be one of {allowed}"),
    "const": N_("{place}: should be {wanted}"),
    "form": N_("{place}: fits none of the forms it may have"),
    "missing": N_("{place}: is missing"),
    "unknown": N_("{place}: is not known; known are {known}"),
    "few": N_("{place}: needs at least {n} entries"),
    "many": N_("{place}: takes at most {n} entries"),
    "short": N_("{place}: needs at least {n} characters"),
    "long": N_("{place}: takes at most {n} characters"),
    "below": N_("{place}: is below {n}"),
    "above": N_("{place}: is above {n}"),
    "not_above": N_("{place}: should be above {n}"),
    "not_below": N_("{place}: should be below {n}"),
    "time": N_("{place}: should be a time HH:MM, is {given}"),
    "date": N_("{place}: should be a date YYYY-MM-DD, is {given}"),
    "together": N_("{place}: needs {names} beside it"),
    "one_of": N_("give exactly one of {names}"),
    "work": N_("{place}: cannot be held against this tool's schema, which is too large for them"),
}
_TYPES: Mapping[str, str] = {
    "object": N_("an object"), "array": N_("a list"), "string": N_("a text"), "boolean": N_("true or false"),
    "integer": N_("a whole number"), "number": N_("a number"), "null": N_("nothing"),
}  # fmt: skip
_ARGUMENTS = N_("arguments")
_EXAMPLE = N_("a right call: {example}")
_MOST_NAMES = 12
_SOON = 14
"""Days until the date of an example."""


def worded(faults: Sequence[ArgumentFault], schema: Schema, args: Mapping[str, Any], language: str) -> str:
    """All of them in one line."""
    words = _Wording(Shapes(schema), schema, args, language)
    return say_in(language, "{first}; {next}", first="", next="").join(map(words.fault, faults))


def example_hint(example: Mapping[str, Any], language: str) -> str:
    written = json.dumps(example, ensure_ascii=False, separators=(",", ":"))
    return say_in(language, _EXAMPLE, example=written)


class _Wording:
    def __init__(self, shapes: Shapes, schema: Schema, args: Mapping[str, Any], language: str) -> None:
        self._shapes, self._schema, self._args, self._language = shapes, schema, args, language

    def fault(self, fault: ArgumentFault) -> str:
        place = fault.path or say_in(self._language, _ARGUMENTS)
        if fault.code == "value":
            clause = ValueFault("", str(fault.params["words"]), fault.params["values"]).clause(self._language)
            return say_in(self._language, "{place}: {clause}", place=place, clause=clause)
        if fault.code not in _WORDS:
            return f"{place}: {fault.message}"
        params = {key: self._param(key, value) for key, value in fault.params.items()}
        if fault.code == "unknown":
            params["known"] = ", ".join(self._known(fault.path))
        if fault.code in ("type", "date", "time"):
            params["given"] = self._given(fault)
        return say_in(self._language, _WORDS[fault.code], place=place, **params)

    def _param(self, key: str, value: Any) -> str:
        if key == "wanted" and isinstance(value, str | list):
            return " / ".join(self._type(one) for one in ([value] if isinstance(value, str) else value))
        if isinstance(value, list):
            return ", ".join(one if isinstance(one, str) else json.dumps(one) for one in value)[:300]
        return str(value)

    def _type(self, name: Any) -> str:
        return say_in(self._language, _TYPES[name]) if name in _TYPES else str(name)

    def _given(self, fault: ArgumentFault) -> str:
        """The type with the value, where that is short."""
        kind, value = self._type(fault.params.get("given", "string")), self._value(fault.path)
        written = json.dumps(value, ensure_ascii=False, default=str)
        is_short = isinstance(value, str | int | float) and not isinstance(value, bool) and len(written) <= 60
        return f"{kind} ({written})" if is_short else kind

    def _value(self, path: str) -> Any:
        node: Any = self._args
        for part in path.split(".") if path else ():
            if isinstance(node, Mapping):
                node = node.get(part)
            elif isinstance(node, list) and part.isdecimal() and int(part) < len(node):
                node = node[int(part)]
            else:
                return None
        return node

    def _known(self, path: str) -> list[str]:
        """The fields there are where an unknown one stands."""
        node = self._shapes.at(self._schema)
        for part in path.split(".")[:-1]:
            inner: Any = properties_of(node).get(part) or node.get("items") or node.get("additionalProperties") or {}
            forms = self._shapes.forms(self._shapes.at(inner))
            node = next((form for form in forms if properties_of(form) or form.get("items")), forms[0])
        return list(properties_of(node))[:_MOST_NAMES]


def smallest_call(schema: Schema, today: date) -> dict[str, Any]:
    """The smallest call that the schema takes."""
    example = _example(Shapes(schema), schema, today, 0)
    return example if isinstance(example, dict) else {}


def _example(shapes: Shapes, schema: Any, today: date, deep: int) -> Any:
    node = shapes.forms(shapes.at(schema))[0]
    if examples := node.get("examples"):
        return examples[0]
    for key in ("const", "default"):
        if node.get(key) is not None:
            return node[key]
    if node.get("enum"):
        return node["enum"][0]
    if deep > DEEPEST:
        return None
    match node.get("type"):
        case "integer" | "number":
            low = node.get("minimum", node.get("exclusiveMinimum", 0))
            return max(int(low) + ("exclusiveMinimum" in node), 1)
        case "boolean":
            return True
        case "string":
            if node.get("format") == "date":
                return (today + timedelta(days=_SOON)).isoformat()
            return "09:00" if node.get(CLOCK) else "…"
        case "array":
            return [_example(shapes, node.get("items", {}), today, deep + 1)]
        case "object" | None:
            wanted = required_of(node) or _alternative(node)
            return {name: _example(shapes, properties_of(node).get(name, {}), today, deep + 1) for name in wanted}
    return None


def _alternative(node: Schema) -> tuple[str, ...]:
    for word in ("oneOf", "anyOf"):
        for option in node.get(word) or ():
            if isinstance(option, Mapping) and (names := required_of(option)):
                return names
    return ()

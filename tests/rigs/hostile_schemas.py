"""Schemas written to do harm: to freeze whoever expands them, to fill the memory, to read files or ask addresses.

Each is the text of a JSON schema, since some cannot be written from values. `@URL@` and `@FILE@` stand for an address
and a file that are watched.
"""

from __future__ import annotations

import json
from typing import Any, Final


def _object(inner: Any, **more: Any) -> str:
    return json.dumps({"type": "object", "properties": {"x": inner}, **more})


def _nested(levels: int, wrap: Any, core: Any) -> Any:
    for _level in range(levels):
        core = wrap(core)
    return core


def _chain(levels: int, node: Any) -> dict[str, Any]:
    """Definitions, each of which refers to the next by what `node` makes of the reference."""
    named = {f"a{n}": node({"$ref": f"#/$defs/a{n + 1}"}) for n in range(levels)}
    return {"$defs": {**named, f"a{levels}": {"type": "string"}}}


_START: Final = {"$ref": "#/$defs/a0"}
_LONG: Final = "d" * 40_000

SCHEMAS: Final[dict[str, str]] = {
    "refers to itself": _object({"$ref": "#"}),
    "refers to itself at once": '{"$ref": "#", "type": "object"}',
    "two that refer to each other": _object(_START, **{"$defs": {"a0": {"$ref": "#/$defs/b"}, "b": _START}}),
    "a tree of itself": _object({"anyOf": [{"type": "string"}, {"items": {"$ref": "#/properties/x"}}]}),
    "a dynamic reference to itself": _object({"$dynamicRef": "#n"}, **{"$dynamicAnchor": "n"}),
    "twice as many at each level": _object(_START, **_chain(30, lambda ref: {"allOf": [ref, ref]})),
    "twice as many alternatives": _object(_START, **_chain(28, lambda ref: {"anyOf": [ref, ref, {"type": "integer"}]})),
    "a billion laughs": _object(
        _START, **_chain(9, lambda ref: {"type": "object", "properties": {f"p{n}": ref for n in range(10)}})
    ),
    "one large part, referred to often": _object(
        {"anyOf": [{"$ref": "#/$defs/big"}] * 400}, **{"$defs": {"big": {"enum": ["e" * 50] * 700}}}
    ),
    "one long description, referred to often": _object(
        {"anyOf": [{"$ref": "#/$defs/big"}] * 400}, **{"$defs": {"big": {"description": _LONG}}}
    ),
    "an address": _object({"$ref": "@URL@/schema.json"}),
    "an address as its base": _object({"$ref": "other"}, **{"$id": "@URL@/base/"}),
    "an address as its language": _object({}, **{"$schema": "@URL@/language"}),
    "a file": _object({"$ref": "file://@FILE@"}),
    "a file, relative": _object({"$ref": "../../@FILE@"}),
    "a long pointer, often": _object(
        {"anyOf": [{"$ref": "#/$defs/a"}] * 400}, **{"$defs": {"a": {"$ref": "#/" + "x/" * 20_000}}}
    ),
    "a catastrophic pattern": _object({"type": "string", "pattern": "^(a+)+$"}),
    "a catastrophic pattern of alternatives": _object({"type": "string", "pattern": "^(a|a|aa)*$"}),
    "a pattern of many bounds": _object({"type": "string", "pattern": "(((a{1,90}){1,90}){1,90}){1,90}$"}),
    "a pattern that looks ahead for itself": _object({"type": "string", "pattern": "^(?=(a+)+$)(?=(a*)*b)(a|a)*$"}),
    "a pattern that refers back": _object({"type": "string", "pattern": "(a*)*\\1$"}),
    "catastrophic names": _object({"type": "object", "patternProperties": {"^(a+)+$": {}, "(.*)*y": False}}),
    "a pattern for names": _object({"propertyNames": {"pattern": "^(([a-z])+.)+[A-Z]$"}}),
    "a long list of choices": _object({"enum": [f"choice {n}" for n in range(3_500)]}),
    "choices for every entry": _object({"type": "array", "items": {"enum": [f"c{n}" for n in range(6_000)]}}),
    "alternatives for every entry": _object(
        {"type": "array", "items": {"anyOf": [{"type": "object", "required": [f"r{n}"]} for n in range(400)]}}
    ),
    "alternatives inside alternatives": _object(
        _nested(7, lambda core: {"anyOf": [core, {"type": "array", "items": core}]}, {"type": "integer"})
    ),
    "nested deeply": '{"type": "object", "properties": {"x": ' + '{"not": ' * 5_000 + "{}" + "}" * 5_000 + "}}",
    "nested in lists": _object(_nested(31, lambda core: {"type": "array", "items": core}, {"type": "string"})),
    "conditions inside conditions": _object(
        _nested(7, lambda core: {"if": core, "then": core, "else": core}, {"const": 1})
    ),
    "no, no, no": _object(_nested(60, lambda core: {"not": core}, {"type": "string"})),
    "unevaluated at each level": _object(
        _nested(10, lambda core: {"allOf": [core], "unevaluatedProperties": False, "unevaluatedItems": core}, {})
    ),
    "dependent schemas of themselves": _object({"dependentSchemas": {"x": {"$ref": "#/properties/x"}}}),
    "no entry twice": _object({"type": "array", "uniqueItems": True, "contains": {"type": "object"}}),
    "numbers of 4,000 digits": (
        '{"type": "object", "properties": {"x": {"minimum": ' + "9" * 4_000 + ', "multipleOf": 1e-300}}}'
    ),
    "a number of 50,000 digits": '{"type": "object", "properties": {"x": {"maximum": ' + "9" * 50_000 + "}}}",
    "a number that is not finite": '{"type": "object", "properties": {"x": {"minimum": -1e999, "maximum": 1e999}}}',
    "a needed field ten thousand times": _object({}, required=["r"] * 10_000),
    "thousands of fields": json.dumps({"type": "object", "properties": {f"p{n}": {} for n in range(4_000)}}),
    "a field with a long name": json.dumps({"type": "object", "properties": {_LONG: {"type": "string"}}}),
    "a name that cannot be seen": json.dumps({"type": "object", "properties": {"a\u202eb\u0000": {"type": "string"}}}),
    "half a character": '{"type": "object", "properties": {"\\ud800": {"enum": ["\\udfff"]}}}',
    "ten megabytes": _object({"examples": ["z" * 1_000] * 7_000}),
    "much that is dropped": _object({"examples": ["z" * 1_000] * 60}),
    "no object": "[[[]]]",
    "nothing": "null",
    "of all types": _object({"type": ["string", 7, None, {"a": []}], "properties": 3, "items": "x", "anyOf": {}}),
}

VALUES: Final[dict[str, Any]] = {
    "a text without end": {"x": "a" * 30_000 + "!"},
    "many texts": {"x": ["a" * 40 + "!"] * 2_000},
    "a deep list": {"x": _nested(60, lambda core: [core], "s")},
    "many objects": {"x": [{"a" * 28 + "!": n, "b": {}} for n in range(1_500)]},
    "many fields": {f"{'a' * 28}{n}!": n for n in range(1_500)},
    "a large number": {"x": 10**300},
    "a small number": {"x": 5e-324},
    "nothing": {},
}
"""Arguments, and answers, that make the most of them."""

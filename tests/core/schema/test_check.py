"""Values held against schemas: the same verdict as the reference library's, on schemas and values made at random."""

from __future__ import annotations

import json
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator, SchemaError

from app.core.schema.check import Unresolved, faults, outside
from app.core.schema.form import misformed
from app.core.schema.pattern import NotSupported, compiled
from app.core.schema.work import TooMuchWork, WorkLimit

NAMES = ("a", "b", "c", "ab")
PLAIN = (None, True, False, 0, 1, 2, 1.0, 1.5, -1, "", "a", "ab", "abc", 10)

ATOMS = tuple(r"a b . \d \w [ab] [^a] [a-c] \. \s \S [\d_] []a] [a-] \b ^ $ \x61 - é".split())


class Maker:
    """Schemas, values and patterns, small enough that every keyword meets every kind of value."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def value(self, deep: int = 0) -> Any:
        chance = self.random.random()
        if deep > 2 or chance < 0.6:
            return self.random.choice(PLAIN)
        if chance < 0.8:
            return [self.value(deep + 1) for _ in range(self.random.randrange(4))]
        return {self.random.choice(NAMES): self.value(deep + 1) for _ in range(self.random.randrange(4))}

    def schema(self, deep: int = 0) -> Any:
        if self.random.random() < 0.08:
            return self.random.choice([True, False])
        makers = self._makers(deep)
        words = [self.random.choice(list(makers)) for _ in range(self.random.randrange(1, 4))]
        return {key: value for word in words for key, value in makers[word]().items()}

    def _makers(self, deep: int) -> dict[str, Callable[[], dict[str, Any]]]:
        pick = self.random.choice

        def inner() -> Any:
            return self.schema(deep + 1) if deep < 3 else pick([True, {"type": "string"}, {"type": "integer"}])

        def one(word: str, values: Callable[[], Any]) -> tuple[str, Callable[[], dict[str, Any]]]:
            return word, lambda: {word: values()}

        types = ["object", "array", "string", "integer", "number", "boolean", "null", ["string", "null"]]
        counts = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
        inners = ("additionalProperties", "propertyNames", "items", "not", "unevaluatedProperties", "unevaluatedItems")
        lists = ("allOf", "anyOf", "oneOf")
        return dict(
            [
                one("type", lambda: pick(types)),
                one("enum", lambda: [self.value(2) for _ in range(3)]),
                one("const", lambda: self.value(2)),
                *(one(word, lambda: pick([0, 1, 1.5, 2])) for word in ("minimum", "maximum", "exclusiveMinimum")),
                one("multipleOf", lambda: pick([1, 2, 0.5])),
                *(one(word, lambda: self.random.randrange(3)) for word in counts),
                one("pattern", lambda: pick(["^a", "b$", "a+b?", "[ab]"])),
                one("uniqueItems", lambda: True),
                one("required", lambda: [pick(NAMES)]),
                *(
                    one(word, lambda: {pick(NAMES): inner() for _ in "12"})
                    for word in ("properties", "dependentSchemas")
                ),
                one("patternProperties", lambda: {pick(["^a", "b"]): inner()}),
                *(one(word, inner) for word in inners),
                *(one(word, lambda: [inner() for _ in range(self.random.randrange(1, 3))]) for word in lists),
                one("prefixItems", lambda: [inner(), inner()]),
                (
                    "contains",
                    lambda: {"contains": inner(), "minContains": pick([0, 1, 2]), "maxContains": pick([1, 3])},
                ),
                ("if", lambda: {"if": inner(), "then": inner(), "else": inner()}),
                one("$ref", lambda: pick(["#/$defs/x", "#/$defs/y", "#anchored"])),
                one("dependentRequired", lambda: {pick(NAMES): [pick(NAMES)]}),
            ]
        )

    def pattern(self, deep: int = 0) -> str:
        chance, pick = self.random.random(), self.random.choice
        if deep > 3 or chance < 0.35:
            return pick(ATOMS)
        if chance < 0.6:
            return self.pattern(deep + 1) + self.pattern(deep + 1)
        if chance < 0.7:
            return f"({self.pattern(deep + 1)}|{self.pattern(deep + 1)})"
        if chance < 0.8:
            return pick(["(?:", "(?=", "(?!"]) + self.pattern(deep + 1) + ")"
        return f"(?:{self.pattern(deep + 1)})" + pick(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "{0}"])


def test_verdicts_are_those_of_the_reference() -> None:
    maker, checked = Maker(20261122), 0
    for _ in range(2_500):
        schema = maker.schema()
        if not isinstance(schema, dict):
            continue
        part = maker.schema(2)
        named = {"x": True if isinstance(part, dict) and "$ref" in json.dumps(part) else part}
        schema["$defs"] = {
            **named,
            "y": {"type": ["string", "integer"]},
            "z": {"$anchor": "anchored", "type": "object"},
        }
        value = maker.value()
        expected = Draft202012Validator(schema).is_valid(value)
        assert (not faults(schema, value)) is expected, (json.dumps(schema), json.dumps(value))
        checked += 1
    assert checked > 2_000


def test_patterns_match_as_pythons_do() -> None:
    maker, checked = Maker(7), 0
    for _ in range(3_000):
        source = maker.pattern()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                theirs = re.compile(source)
            except re.error:
                continue
        ours = compiled(source)
        text = "".join(maker.random.choice("aabbc1. _\n-é") for _ in range(maker.random.randrange(1, 8)))
        assert ours.found_in(text, WorkLimit()) is (theirs.search(text) is not None), (source, text)
        checked += 1
    assert checked > 2_500


def test_what_is_a_schema_is_what_the_reference_takes() -> None:
    maker, refused = Maker(3), 0
    for _ in range(500):
        schema = maker.schema()
        if isinstance(schema, dict) and schema:
            word = maker.random.choice(list(schema))
            schema[word] = maker.random.choice([maker.value(), maker.schema(), [maker.schema()], schema[word]])
        try:
            Draft202012Validator.check_schema(schema)
        except SchemaError:
            refused += 1
            assert misformed(schema) is not None, json.dumps(schema)
        else:
            assert misformed(schema) is None, json.dumps(schema)
    assert refused > 70


def test_patterns_that_try_again_for_ever_do_not() -> None:
    for source in ("^(a+)+$", "^(a|a|aa)*$", "(.*)*y", "^(?=(a+)+$)(a|a)*$", r"^(([a-z])+.)+[A-Z]$"):
        assert compiled(source).found_in("a" * 60 + "!", WorkLimit()) is False, source
    with pytest.raises(TooMuchWork):
        compiled("^(a|b|ab)*c").found_in("ab" * 100_000, WorkLimit())
    for source in (r"(a)\1", "(?<=a)b", "(((a{1,90}){1,90}){1,90}){1,90}", "(" * 100 + ")" * 100, "a**", "[", "(?i)a"):
        with pytest.raises(NotSupported):
            compiled(source)


def test_what_it_refers_to_is_in_it_or_named() -> None:
    assert outside({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"$ref": "#"}}}) == ""
    assert outside({"properties": {"x": {"$ref": "https://a.example/s.json"}}}) == "https://a.example/s.json"
    assert outside({"properties": {"$ref": {"type": "string"}}, "const": {"$ref": "file:///x"}}) == ""
    with pytest.raises(Unresolved):
        faults({"$ref": "file:///x"}, 1)


def test_faults_name_their_place() -> None:
    schema = {"type": "object", "properties": {"a": {"items": {"type": "integer"}}}, "required": ["b"]}
    found = {(fault.path, fault.message) for fault in faults(schema, {"a": [1, "x"]})}
    assert found == {(("a", 1), "should be integer, is string"), (("b",), "is missing")}

"""Foreign JSON schemas, made small and harmless, and arguments held against them.

Nothing here matches a pattern, follows an address or recurses without bound: `pattern` and `format` are dropped,
references inside the document are written out, everything else is refused (security-reliability.md T19). What the
checks here leave open the server itself has to refuse.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from app.core.text.i18n import _
from app.core.tools.finite import is_finite
from app.core.tools.tool import ArgumentFault

from .texts import for_model, has_hidden

LARGEST: Final = 64 * 1024
"""Characters of one schema as JSON."""
DEEPEST: Final = 32
MOST_PARTS: Final = 500
LONGEST_TEXT: Final = 512
"""Characters of a description inside a schema."""
MOST_FAULTS: Final = 8

_DROPPED: Final = frozenset(
    {"pattern", "patternProperties", "propertyNames", "format", "$schema", "$id", "$anchor", "$dynamicAnchor", "$defs",
     "definitions", "$comment", "contentMediaType", "contentEncoding", "contentSchema", "unevaluatedProperties",
     "unevaluatedItems", "examples", "x-mcp-header"}
)  # fmt: skip
_SINGLE: Final = ("items", "additionalProperties", "not", "if", "then", "else", "contains")
_MANY: Final = ("anyOf", "oneOf", "allOf", "prefixItems")
_TEXTS: Final = ("description", "title")


class Unfit(ValueError):
    """A schema that cannot be used; the text says why."""


def cleaned(schema: Any) -> dict[str, Any]:
    """A schema for the model and for `faults`. Raises Unfit."""
    if not isinstance(schema, dict):
        raise Unfit(_("its input schema is not an object"))
    try:
        text = json.dumps(schema, ensure_ascii=False)
    except (ValueError, RecursionError):
        raise Unfit(_("its input schema is nested too deeply")) from None
    if not is_finite(schema):
        raise Unfit(_("its input schema holds a number that is not finite"))
    if len(text) > LARGEST:
        raise Unfit(_("its input schema has {n} characters; at most {most} are read").format(n=len(text), most=LARGEST))
    schema_cleaned = _Cleaner(schema).clean(schema, 0, ())
    if schema_cleaned.get("type", "object") != "object":
        raise Unfit(_("its input schema describes no object"))
    schema_cleaned["type"] = "object"
    if not isinstance(schema_cleaned.get("properties"), dict):
        schema_cleaned["properties"] = {}
    return schema_cleaned


class _Cleaner:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._parts = 0

    def clean(self, node: Any, deep: int, via: tuple[str, ...]) -> dict[str, Any]:
        """`via` are the references that led here: one of them again would never end."""
        if node is True or node == {}:
            return {}
        if not isinstance(node, dict):
            raise Unfit(_("a part of its input schema is no schema"))
        self._parts += 1
        if deep > DEEPEST or self._parts > MOST_PARTS:
            raise Unfit(_("its input schema is nested too deeply or has too many parts"))
        if "$ref" in node or "$dynamicRef" in node:
            target = str(node.get("$ref") or node.get("$dynamicRef"))
            if target in via:
                raise Unfit(_("its input schema refers to itself"))
            rest = {key: value for key, value in node.items() if key not in ("$ref", "$dynamicRef")}
            return self.clean({**self._resolve(target), **rest}, deep + 1, (*via, target))
        return {key: made for key, value in node.items() if (made := self._part(key, value, deep, via)) is not _NOTHING}

    def _part(self, key: str, value: Any, deep: int, via: tuple[str, ...]) -> Any:
        if key in _DROPPED:
            return _NOTHING
        if key in _TEXTS:
            return for_model(value, LONGEST_TEXT) if isinstance(value, str) and value else _NOTHING
        if key == "properties" and isinstance(value, dict):
            return {self._name(name): self.clean(inner, deep + 1, via) for name, inner in value.items()}
        if key in _SINGLE:
            return value if isinstance(value, bool) else self._single(value, deep, via)
        if key in _MANY and isinstance(value, list):
            return [self.clean(inner, deep + 1, via) for inner in value]
        if has_hidden(json.dumps(value, ensure_ascii=False, default=str).replace("\\n", "")):
            raise Unfit(_("its input schema holds hidden characters"))
        return value

    def _single(self, value: Any, deep: int, via: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [self.clean(inner, deep + 1, via) for inner in value]
        return self.clean(value, deep + 1, via)

    def _name(self, name: str) -> str:
        if has_hidden(name) or len(name) > 200:
            raise Unfit(_("an argument's name is too long or holds hidden characters"))
        return name

    def _resolve(self, target: str) -> Mapping[str, Any]:
        if not target.startswith("#"):
            raise Unfit(_("its input schema refers to another document, which is never fetched"))
        node: Any = self._root
        for step in target.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            node = node.get(key) if isinstance(node, dict) else None
        if not isinstance(node, dict):
            raise Unfit(_("its input schema refers to a part it does not have"))
        return node


_NOTHING: Final = object()


# ---------------------------------------------------------------- arguments


def faults(schema: Mapping[str, Any], args: Mapping[str, Any]) -> list[ArgumentFault]:
    """What is plainly wrong with the arguments; `schema` has been `cleaned`."""
    found: list[ArgumentFault] = []
    _Judge(found).judge(schema, dict(args), "", 0)
    return found[:MOST_FAULTS]


_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


class _Judge:
    def __init__(self, found: list[ArgumentFault]) -> None:
        self._found = found

    def judge(self, schema: Any, value: Any, path: str, deep: int) -> None:
        if not isinstance(schema, Mapping) or deep > DEEPEST or len(self._found) >= MOST_FAULTS:
            return
        if not self._type_fits(schema.get("type"), value):
            self._say(path, f"should be {_spoken(schema.get('type'))}, is {_type_of(value)}")
            return
        allowed = schema.get("enum")
        if isinstance(allowed, list) and not any(_same(value, one) for one in allowed):
            self._say(path, f"should be one of {json.dumps(allowed, ensure_ascii=False, default=str)[:200]}")
        if "const" in schema and not _same(value, schema["const"]):
            self._say(path, f"should be {json.dumps(schema['const'], ensure_ascii=False, default=str)[:100]}")
        self._alternatives(schema, value, path, deep)
        if isinstance(value, dict):
            self._object(schema, value, path, deep)
        elif isinstance(value, list | tuple):
            self._array(schema, value, path, deep)
        else:
            self._bounds(schema, value, path)

    def _alternatives(self, schema: Mapping[str, Any], value: Any, path: str, deep: int) -> None:
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if isinstance(options, list) and options and not any(self._fits(one, value, deep) for one in options):
                self._say(path, "fits none of the forms it may have")
        for inner in schema.get("allOf") or () if isinstance(schema.get("allOf"), list) else ():
            self.judge(inner, value, path, deep + 1)

    def _fits(self, schema: Any, value: Any, deep: int) -> bool:
        if schema is True:
            return True
        found: list[ArgumentFault] = []
        _Judge(found).judge(schema, value, "", deep + 1)
        return not found

    def _object(self, schema: Mapping[str, Any], value: Mapping[str, Any], path: str, deep: int) -> None:
        properties = schema.get("properties") if isinstance(schema.get("properties"), Mapping) else {}
        assert isinstance(properties, Mapping)
        required = schema.get("required")
        for name in required if isinstance(required, list) else ():
            if isinstance(name, str) and name not in value:
                self._say(_under(path, name), "is missing")
        further = schema.get("additionalProperties")
        for name, inner in value.items():
            if name in properties:
                self.judge(properties[name], inner, _under(path, name), deep + 1)
            elif further is False and not schema.get("allOf"):
                self._say(_under(path, name), "is not known")
            elif isinstance(further, Mapping):
                self.judge(further, inner, _under(path, name), deep + 1)

    def _array(self, schema: Mapping[str, Any], value: Any, path: str, deep: int) -> None:
        if isinstance(low := schema.get("minItems"), int) and len(value) < low:
            self._say(path, f"needs at least {low} entries")
        if isinstance(high := schema.get("maxItems"), int) and len(value) > high:
            self._say(path, f"takes at most {high} entries")
        if isinstance(items := schema.get("items"), Mapping):
            for place, inner in enumerate(value):
                self.judge(items, inner, _under(path, str(place)), deep + 1)

    def _bounds(self, schema: Mapping[str, Any], value: Any, path: str) -> None:
        if isinstance(value, str):
            if isinstance(low := schema.get("minLength"), int) and len(value) < low:
                self._say(path, f"needs at least {low} characters")
            if isinstance(high := schema.get("maxLength"), int) and len(value) > high:
                self._say(path, f"takes at most {high} characters")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            if _is_number(low := schema.get("minimum")) and value < low:
                self._say(path, f"is below {low}")
            if _is_number(high := schema.get("maximum")) and value > high:
                self._say(path, f"is above {high}")
            if _is_number(low := schema.get("exclusiveMinimum")) and value <= low:
                self._say(path, f"should be above {low}")
            if _is_number(high := schema.get("exclusiveMaximum")) and value >= high:
                self._say(path, f"should be below {high}")

    def _type_fits(self, type_: Any, value: Any) -> bool:
        if isinstance(type_, list):
            return not type_ or any(self._type_fits(one, value) for one in type_)
        if type_ == "integer":
            return not isinstance(value, bool) and (
                isinstance(value, int) or (isinstance(value, float) and value.is_integer())
            )
        if type_ == "number":
            return _is_number(value)
        expected = _TYPES.get(type_) if isinstance(type_, str) else None
        return expected is None or isinstance(value, expected)

    def _say(self, path: str, message: str) -> None:
        self._found.append(ArgumentFault(path, message))


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(value: Any, other: Any) -> bool:
    """As JSON compares: true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


def _type_of(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "null")


def _spoken(type_: Any) -> str:
    return " or ".join(map(str, type_)) if isinstance(type_, list) else str(type_)


def _under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name

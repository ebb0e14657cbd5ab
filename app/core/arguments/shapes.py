"""One way to look at a JSON schema: references followed, forms it may have, what a type accepts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.core.schema.work import WorkLimit

Schema = Mapping[str, Any]
DEEPEST = 32

_ACCEPTED: Mapping[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list, tuple), "string": (str,), "boolean": (bool,), "null": (type(None),),
}  # fmt: skip


class Shapes:
    """Of one schema; `root` holds the definitions that references name."""

    def __init__(self, root: Schema, work: WorkLimit | None = None) -> None:
        """`work` is what looking at it may cost, for a schema that somebody else has written."""
        self._root, self._work = root, work

    def spend(self, steps: int) -> None:
        """Raises TooMuchWork."""
        if self._work is not None:
            self._work.spend(steps)

    def at(self, node: Any) -> Schema:
        """The node with its reference followed; what is beside the reference holds, too. Raises TooMuchWork."""
        self.spend(1)
        for _hop in range(DEEPEST):
            if not isinstance(node, Mapping) or not isinstance(target := node.get("$ref"), str):
                break
            node = {**self._find(target), **{key: value for key, value in node.items() if key != "$ref"}}
        return node if isinstance(node, Mapping) else {}

    def forms(self, node: Schema) -> list[Schema]:
        """The forms a value may have besides null; one where there is no choice."""
        for word in ("anyOf", "oneOf"):
            options = node.get(word)
            if isinstance(options, list) and all(isinstance(one, Mapping) and is_form(one) for one in options):
                rest = {key: value for key, value in node.items() if key.startswith("x-")}
                forms = [self.at(one) for one in options]
                return [{**one, **rest} for one in forms if one.get("type") != "null"] or [node]
        types = node.get("type")
        if isinstance(types, list):
            return [{**node, "type": one} for one in types if one != "null"] or [node]
        return [node]

    def takes_null(self, node: Schema) -> bool:
        types = node.get("type")
        if types == "null" or (isinstance(types, list) and "null" in types) or None in (node.get("enum") or ()):
            return True
        options = [*(node.get("anyOf") or ()), *(node.get("oneOf") or ())]
        return any(isinstance(one, Mapping) and self.takes_null(self.at(one)) for one in options)

    def _find(self, target: str) -> Schema:
        node: Any = self._root
        for step in target.removeprefix("#").split("/")[1:] if target.startswith("#") else ("",):
            key = step.replace("~1", "/").replace("~0", "~")
            node = node.get(key) if isinstance(node, Mapping) else None
        return node if isinstance(node, Mapping) else {}


def is_form(option: Schema) -> bool:
    """Whether an alternative says what a value is, and not merely which fields go together (`required`)."""
    return bool(set(option) & {"type", "enum", "const", "$ref", "properties", "items", "anyOf", "oneOf"}) or not option


def properties_of(node: Schema) -> Mapping[str, Any]:
    properties = node.get("properties")
    return properties if isinstance(properties, Mapping) else {}


def required_of(node: Schema) -> tuple[str, ...]:
    names = node.get("required")
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def type_fits(type_: Any, value: Any) -> bool:
    """As JSON Schema counts: 3.0 is a whole number, true is none."""
    if isinstance(type_, list):
        return not type_ or any(type_fits(one, value) for one in type_)
    if type_ == "integer":
        is_float = isinstance(value, float) and value.is_integer()
        return not isinstance(value, bool) and (isinstance(value, int) or is_float)
    if type_ == "number":
        return is_number(value)
    expected = _ACCEPTED.get(type_) if isinstance(type_, str) else None
    return expected is None or isinstance(value, expected)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(value: Any, other: Any) -> bool:
    """As JSON compares: true is not 1."""
    return isinstance(value, bool) == isinstance(other, bool) and bool(value == other)


def under(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name

"""Foreign JSON schemas, made small and harmless, and checks of arguments against them.

No pattern is matched, no address followed, no unbounded recursion: `pattern`, every `format` except date, and
non-standard keys are dropped, references inside the document are resolved, everything else is refused
(security-reliability.md T19). What these checks leave open, the server has to refuse.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from app.core.arguments.judge import ArgumentFault, judge
from app.core.schema.work import TooMuchWork, WorkLimit
from app.core.text.i18n import _
from app.core.tools.finite import is_finite

from .texts import for_model, has_hidden

LARGEST: Final = 64 * 1024
"""Characters of one schema as JSON."""
DEEPEST: Final = 32
MOST_PARTS: Final = 500
LONGEST_TEXT: Final = 512
"""Characters of a description inside a schema."""
MOST_WORK: Final = 8 * LARGEST
"""Characters that are looked at to clean one schema; what is referred to twice is looked at twice."""


_DROPPED: Final = frozenset(
    {"pattern", "patternProperties", "propertyNames", "$schema", "$id", "$anchor", "$dynamicAnchor", "$defs",
     "definitions", "$comment", "contentMediaType", "contentEncoding", "contentSchema", "unevaluatedProperties",
     "unevaluatedItems", "examples"}
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
    try:
        schema_cleaned = _Cleaner(schema).clean(schema, 0, ())
    except (TooMuchWork, RecursionError):
        raise Unfit(_("its input schema grows too large where it refers to its parts")) from None
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
        self._work = WorkLimit(MOST_WORK)

    def clean(self, node: Any, deep: int, via: tuple[str, ...]) -> dict[str, Any]:
        """`via` are the references that led here: one of them again would never end."""
        if node is not True and not isinstance(node, dict):
            raise Unfit(_("a part of its input schema is no schema"))
        self._parts += 1
        if deep > DEEPEST or self._parts > MOST_PARTS:
            raise Unfit(_("its input schema is nested too deeply or has too many parts"))
        if node is True:
            return {}
        if "$ref" in node or "$dynamicRef" in node:
            target = str(node.get("$ref") or node.get("$dynamicRef"))
            if target in via:
                raise Unfit(_("its input schema refers to itself"))
            rest = {key: value for key, value in node.items() if key not in ("$ref", "$dynamicRef")}
            return self.clean({**self._resolve(target), **rest}, deep + 1, (*via, target))
        return {key: made for key, value in node.items() if (made := self._part(key, value, deep, via)) is not _NOTHING}

    def _part(self, key: str, value: Any, deep: int, via: tuple[str, ...]) -> Any:
        if key in _DROPPED or key.startswith("x-") or (key == "format" and value != "date"):
            return _NOTHING
        if key in _TEXTS:
            self._work.spend(len(value) if isinstance(value, str) else 0)
            return for_model(value, LONGEST_TEXT) if isinstance(value, str) and value else _NOTHING
        if key == "properties" and isinstance(value, dict):
            return {self._name(name): self.clean(inner, deep + 1, via) for name, inner in value.items()}
        if key in _SINGLE:
            return value if isinstance(value, bool) else self._single(value, deep, via)
        if key in _MANY and isinstance(value, list):
            return [self.clean(inner, deep + 1, via) for inner in value]
        written = json.dumps(value, ensure_ascii=False, default=str)
        self._work.spend(len(written))
        if has_hidden(written.replace("\\n", "")):
            raise Unfit(_("its input schema holds hidden characters"))
        return value

    def _single(self, value: Any, deep: int, via: tuple[str, ...]) -> Any:
        if isinstance(value, list):
            return [self.clean(inner, deep + 1, via) for inner in value]
        return self.clean(value, deep + 1, via)

    def _name(self, name: str) -> str:
        if len(name) > 200 or has_hidden(name):
            raise Unfit(_("an argument's name is too long or holds hidden characters"))
        return name

    def _resolve(self, target: str) -> Mapping[str, Any]:
        if not target.startswith("#"):
            raise Unfit(_("its input schema refers to another document, which is never fetched"))
        self._work.spend(len(target))
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
    return judge(schema, args)

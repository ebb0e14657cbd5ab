"""Whether something is a JSON schema at all, as its own meta-schema (2020-12) says, in one pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..text.i18n import N_, Marked
from .check import Fault
from .work import WorkLimit

DEEPEST: Final = 64
Path = tuple[str | int, ...]

_SCHEMA: Final = (
    "additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else", "unevaluatedItems",
    "unevaluatedProperties", "contentSchema",
)  # fmt: skip
_SCHEMAS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_COUNTS: Final = (
    "maxLength", "minLength", "maxItems", "minItems", "maxContains", "minContains", "maxProperties", "minProperties",
)  # fmt: skip
_NUMBERS: Final = ("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum")
_TEXTS: Final = (
    "title", "description", "format", "pattern", "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor",
    "$comment", "contentEncoding", "contentMediaType",
)  # fmt: skip
_FLAGS: Final = ("uniqueItems", "deprecated", "readOnly", "writeOnly")
_TYPES: Final = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})


def misformed(schema: Any) -> Fault | None:
    """The first thing wrong with it. Raises TooMuchWork."""
    return _Former(WorkLimit()).schema(schema, ())


class _Former:
    def __init__(self, work: WorkLimit) -> None:
        self._work = work

    def schema(self, node: Any, path: Path) -> Fault | None:
        self._work.spend()
        if isinstance(node, bool):
            return None
        if not isinstance(node, Mapping):
            return Fault(path, Marked(N_("should be a schema: an object, true or false")))
        if len(path) > 2 * DEEPEST:
            return Fault(path, Marked(N_("is nested too deeply")))
        for key, value in node.items():
            self._work.spend()
            judge = _JUDGES.get(key)
            fault = judge(self, value, (*path, key)) if judge is not None else None
            if fault is not None:
                return fault
        return None

    def schemas(self, value: Any, path: Path) -> Fault | None:
        if not isinstance(value, list) or not value:
            return Fault(path, Marked(N_("should be a list of schemas, at least one")))
        return next((fault for n, one in enumerate(value) if (fault := self.schema(one, (*path, n)))), None)

    def named(self, value: Any, path: Path) -> Fault | None:
        if not isinstance(value, Mapping):
            return Fault(path, Marked(N_("should be an object of schemas")))
        return next((fault for name, one in value.items() if (fault := self.schema(one, (*path, str(name))))), None)

    def type(self, value: Any, path: Path) -> Fault | None:
        names = value if isinstance(value, list) else [value]
        self._work.spend(len(names))
        is_good = bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)
        if not is_good or len(set(names)) < len(names):
            return Fault(
                path, Marked(N_("{value} is no type: {types}"), value=_shown(value), types=", ".join(sorted(_TYPES)))
            )
        return None

    def names(self, value: Any, path: Path) -> Fault | None:
        self._work.spend(len(value) if isinstance(value, list) else 1)
        is_good = isinstance(value, list) and all(isinstance(name, str) for name in value)
        if not is_good or len(set(value)) < len(value):
            return Fault(path, Marked(N_("should be a list of names, each once")))
        return None

    def names_by_name(self, value: Any, path: Path) -> Fault | None:
        if not isinstance(value, Mapping):
            return Fault(path, Marked(N_("should be an object of lists of names")))
        return next((fault for name, one in value.items() if (fault := self.names(one, (*path, str(name))))), None)


def _count(_former: _Former, value: Any, path: Path) -> Fault | None:
    is_whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    is_good = is_whole and not isinstance(value, bool) and value >= 0
    return None if is_good else Fault(path, Marked(N_("{value} is no count"), value=_shown(value)))


def _number(_former: _Former, value: Any, path: Path) -> Fault | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return None if is_number else Fault(path, Marked(N_("{value} is no number"), value=_shown(value)))


def _step(former: _Former, value: Any, path: Path) -> Fault | None:
    return _number(former, value, path) or (
        None if value > 0 else Fault(path, Marked(N_("should be above {limit}"), limit=0))
    )


def _text(_former: _Former, value: Any, path: Path) -> Fault | None:
    return None if isinstance(value, str) else Fault(path, Marked(N_("{value} is no text"), value=_shown(value)))


def _flag(_former: _Former, value: Any, path: Path) -> Fault | None:
    return (
        None
        if isinstance(value, bool)
        else Fault(path, Marked(N_("{value} is neither true nor false"), value=_shown(value)))
    )


def _any_list(_former: _Former, value: Any, path: Path) -> Fault | None:
    return None if isinstance(value, list) else Fault(path, Marked(N_("should be a list")))


def _shown(value: Any) -> str:
    return repr(value)[:60] if isinstance(value, str | float | bool) else type(value).__name__


_JUDGES: Final[Mapping[str, Callable[[_Former, Any, Path], Fault | None]]] = {
    **dict.fromkeys(_SCHEMA, _Former.schema), **dict.fromkeys(_SCHEMAS, _Former.schemas),
    **dict.fromkeys(_NAMED, _Former.named), **dict.fromkeys(_COUNTS, _count), **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(_TEXTS, _text), **dict.fromkeys(_FLAGS, _flag),
    "type": _Former.type, "required": _Former.names, "dependentRequired": _Former.names_by_name, "multipleOf": _step,
    "enum": _any_list, "examples": _any_list,
}  # fmt: skip

"""Checks a value against a JSON schema (2020-12). Nothing outside the schema is read, and every step is counted.

References are resolved inside the schema only. `format` is not checked, as the specification allows; a pattern that
cannot be matched in linear time is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..text.i18n import N_, Marked
from .pattern import NotSupported, compiled
from .values import canonical, is_multiple, is_number, is_of, same, short, type_of
from .work import MOST_WORK, TooMuchWork, WorkLimit

DEEPEST: Final = 120
"""Schemas inside one another, followed references among them."""
MOST_FAULTS: Final = 8


_ONE_OF: Final = N_("fits {n} of the forms of which it must have exactly one")
_WITH: Final = N_("is missing: {name} is there")
_LEAST_FITTING: Final = N_("needs at least {limit} entries of a certain form")
_MOST_FITTING: Final = N_("takes at most {limit} entries of a certain form")
_LEAST: Final = {
    "Properties": N_("needs at least {limit} fields"),
    "Items": N_("needs at least {limit} entries"),
    "Length": N_("needs at least {limit} characters"),
}
_MOST: Final = {
    "Properties": N_("takes at most {limit} fields"),
    "Items": N_("takes at most {limit} entries"),
    "Length": N_("takes at most {limit} characters"),
}


@dataclass(frozen=True, slots=True)
class Fault:
    path: tuple[str | int, ...]
    message: str
    """A clause; `worded_in` says it in another language."""


def outside(schema: Any) -> str:
    """The first reference to something the schema does not hold, "" if there is none. Raises TooMuchWork."""
    checker = _Checker(schema, WorkLimit(), 0)
    open_ = [schema]
    while open_:
        node = open_.pop()
        checker.spend()
        if isinstance(node, Mapping):
            for word in ("$ref", "$dynamicRef"):
                if isinstance(target := node.get(word), str) and not checker.holds(target):
                    return target[:200]
            open_ += [inner for key, inner in node.items() if key not in ("enum", "const", "default", "examples")]
        elif isinstance(node, list):
            open_ += node
    return ""


class Unresolved(ValueError):
    """The schema refers to what it does not hold; the text is the reference."""


def faults(schema: Any, value: Any, *, most: int = MOST_FAULTS, work: int = MOST_WORK) -> list[Fault]:
    """What is wrong with the value. Raises TooMuchWork, Unresolved."""
    checker = _Checker(schema, WorkLimit(work), most)
    try:
        checker.tracks = "unevaluated" in json.dumps(schema, default=str)
        checker.visit(schema, value, (), 0)
    except RecursionError:
        raise TooMuchWork from None
    except _Enough:
        pass
    return checker.found[:most]


class _Enough(Exception):
    """As many faults as are wanted."""


@dataclass(slots=True)
class _Seen:
    """Which parts of a value its schema has looked at: what is left is for `unevaluated…`."""

    names: set[str] = field(default_factory=set)
    places: set[int] = field(default_factory=set)

    def add(self, other: _Seen) -> None:
        self.names |= other.names
        self.places |= other.places


class _Checker:
    def __init__(self, root: Any, work: WorkLimit, most: int) -> None:
        self._root, self._work, self._most = root, work, most
        self.found: list[Fault] = []
        self.tracks = True
        """Whether anything asks what other parts of the schema have looked at."""
        self._silent = 0
        self._anchors: dict[str, Any] | None = None

    def spend(self) -> None:
        self._work.spend()

    def holds(self, target: str) -> bool:
        try:
            self._resolved(target)
        except Unresolved:
            return False
        return True

    def visit(self, schema: Any, value: Any, path: tuple[str | int, ...], deep: int) -> _Seen:
        """Faults go to `found`; while `_silent`, the first one is raised as `_Misfit`."""
        self._work.spend()
        if deep > DEEPEST:
            raise TooMuchWork
        seen = _Seen()
        if schema is False:
            self._say(path, lambda: Marked(N_("is not allowed")))
        if not isinstance(schema, Mapping):
            return seen
        self._work.spend(len(schema))
        for word in ("$ref", "$dynamicRef"):
            if isinstance(schema.get(word), str):
                seen.add(self.visit(self._resolved(schema[word]), value, path, deep + 1))
        if not self._type(schema.get("type"), value, path):
            return seen
        self._fixed(schema, value, path)
        self._combined(schema, value, path, deep, seen)
        if isinstance(value, dict):
            self._object(schema, value, path, deep, seen)
        elif isinstance(value, list | tuple):
            self._array(schema, value, path, deep, seen)
        elif isinstance(value, str):
            self._text(schema, value, path)
        elif is_number(value):
            self._number(schema, value, path)
        return seen

    # ------------------------------------------------------------ faults

    def _say(self, path: tuple[str | int, ...], message: Callable[[], str]) -> None:
        """Words are made only where somebody reads them."""
        if self._silent:
            raise _Misfit
        self.found.append(Fault(path, message()))
        if len(self.found) >= self._most:
            raise _Enough

    def _fits(self, schema: Any, value: Any, deep: int) -> _Seen | None:
        """None if it does not."""
        self._silent += 1
        try:
            return self.visit(schema, value, (), deep + 1)
        except _Misfit:
            return None
        finally:
            self._silent -= 1

    def _fitting(self, options: list[Any], value: Any, deep: int, *, enough: int) -> list[_Seen]:
        """What the options that fit have looked at; as few as decide, where nobody asks for that."""
        found: list[_Seen] = []
        for option in options:
            if (seen := self._fits(option, value, deep)) is not None:
                found.append(seen)
                if len(found) >= enough and not self.tracks:
                    break
        return found

    # ------------------------------------------------------------ references

    def _resolved(self, target: str) -> Any:
        if target == "#":
            return self._root
        if not target.startswith("#/"):
            if self._anchors is None:
                self._anchors = dict(self._names(self._root))
            if target not in self._anchors:
                raise Unresolved(target[:200])
            return self._anchors[target]
        node = self._root
        steps = target[2:].split("/")
        self._work.spend(len(steps))
        for step in steps:
            key = _unescaped(step)
            if isinstance(node, Mapping) and key in node:
                node = node[key]
            elif isinstance(node, list) and key.isdecimal() and len(key) < 8 and int(key) < len(node):
                node = node[int(key)]
            else:
                raise Unresolved(target[:200])
        return node

    def _names(self, node: Any) -> Iterator[tuple[str, Any]]:
        """`$id` and `$anchor` of all parts."""
        open_ = [node]
        while open_:
            self._work.spend()
            part = open_.pop()
            if isinstance(part, Mapping):
                for key, sign in (("$id", ""), ("$anchor", "#"), ("$dynamicAnchor", "#")):
                    if isinstance(part.get(key), str):
                        yield sign + part[key], part
                open_ += part.values()
            elif isinstance(part, list):
                open_ += part

    # ------------------------------------------------------------ any value

    def _type(self, wanted: Any, value: Any, path: tuple[str | int, ...]) -> bool:
        names = wanted if isinstance(wanted, list) else [wanted] if isinstance(wanted, str) else []
        if not names or any(is_of(name, value) for name in names):
            return True
        self._say(path, lambda: _wrong_type(names, value))
        return False

    def _fixed(self, schema: Mapping[str, Any], value: Any, path: tuple[str | int, ...]) -> None:
        allowed = schema.get("enum")
        if isinstance(allowed, list) and not any(same(value, one, self._work) for one in allowed):
            self._say(path, lambda: Marked(N_("should be one of {expected}"), expected=short(allowed, 200)))
        if "const" in schema and not same(value, schema["const"], self._work):
            self._say(path, lambda: Marked(N_("should be {expected}"), expected=short(schema["const"], 100)))

    def _combined(
        self, schema: Mapping[str, Any], value: Any, path: tuple[str | int, ...], deep: int, seen: _Seen
    ) -> None:
        for inner in _list(schema, "allOf"):
            seen.add(self.visit(inner, value, path, deep + 1))
        if options := _list(schema, "anyOf"):
            fitting = self._fitting(options, value, deep, enough=1)
            if not fitting:
                self._say(path, lambda: Marked(N_("fits none of the forms it may have")))
            for one in fitting:
                seen.add(one)
        if options := _list(schema, "oneOf"):
            fitting = self._fitting(options, value, deep, enough=2)
            if len(fitting) != 1:
                self._say(path, lambda: Marked(_ONE_OF, n=len(fitting)))
            else:
                seen.add(fitting[0])
        if "not" in schema and self._fits(schema["not"], value, deep) is not None:
            self._say(path, lambda: Marked(N_("is of a form that is ruled out")))
        if "if" in schema:
            met = self._fits(schema["if"], value, deep)
            if met is not None:
                seen.add(met)
            branch = "then" if met is not None else "else"
            if branch in schema:
                seen.add(self.visit(schema[branch], value, path, deep + 1))

    # ------------------------------------------------------------ objects

    def _object(
        self, schema: Mapping[str, Any], value: Mapping[str, Any], path: tuple[str | int, ...], deep: int, seen: _Seen
    ) -> None:
        for name in _list(schema, "required"):
            self._work.spend()
            if isinstance(name, str) and name not in value:
                self._say((*path, name), lambda: Marked(N_("is missing")))
        self._count(schema, "Properties", len(value), path)
        for name, needed in _mapping(schema, "dependentRequired").items():
            for other in needed if name in value and isinstance(needed, list) else ():
                self._work.spend()
                if other not in value:
                    self._say((*path, str(other)), lambda name=name: Marked(_WITH, name=name))  # type: ignore[misc]
        for name, inner in _mapping(schema, "dependentSchemas").items():
            if name in value:
                seen.add(self.visit(inner, value, path, deep + 1))
        own = self._fields(schema, value, path, deep)
        seen.names |= own
        if "unevaluatedProperties" in schema:
            for name in value.keys() - seen.names:
                self._further(schema["unevaluatedProperties"], name, value[name], path, deep)
            seen.names |= value.keys()

    def _fields(
        self, schema: Mapping[str, Any], value: Mapping[str, Any], path: tuple[str | int, ...], deep: int
    ) -> set[str]:
        """Each field by its own schema; returns those that have been looked at."""
        properties, patterns = _mapping(schema, "properties"), _mapping(schema, "patternProperties")
        done: set[str] = set()
        for name, inner in value.items():
            self._work.spend()
            if "propertyNames" in schema and self._fits(schema["propertyNames"], name, deep) is None:
                self._say((*path, name), lambda: Marked(N_("is not allowed as a name")))
            if name in properties:
                done.add(name)
                self.visit(properties[name], inner, (*path, name), deep + 1)
            for pattern, of_pattern in patterns.items():
                if self._matches(pattern, name) is True:
                    done.add(name)
                    self.visit(of_pattern, inner, (*path, name), deep + 1)
            if name not in done and "additionalProperties" in schema:
                done.add(name)
                if not any(self._matches(pattern, name) is None for pattern in patterns):
                    self._further(schema["additionalProperties"], name, inner, path, deep)
        return done

    def _further(self, schema: Any, name: str, inner: Any, path: tuple[str | int, ...], deep: int) -> None:
        if schema is False:
            self._say((*path, name), lambda: Marked(N_("is not known")))
        else:
            self.visit(schema, inner, (*path, name), deep + 1)

    # ------------------------------------------------------------ lists

    def _array(
        self, schema: Mapping[str, Any], value: list[Any] | tuple[Any, ...], path: tuple[str | int, ...], deep: int,
        seen: _Seen,
    ) -> None:  # fmt: skip
        self._count(schema, "Items", len(value), path)
        first = _list(schema, "prefixItems")
        for place, (inner, of_place) in enumerate(zip(value, first, strict=False)):
            self.visit(of_place, inner, (*path, place), deep + 1)
            seen.places.add(place)
        if "items" in schema and not isinstance(schema["items"], list):
            for place in range(len(first), len(value)):
                self.visit(schema["items"], value[place], (*path, place), deep + 1)
                seen.places.add(place)
        if "contains" in schema:
            fitting = {n for n, inner in enumerate(value) if self._fits(schema["contains"], inner, deep) is not None}
            low, high = schema.get("minContains", 1), schema.get("maxContains")
            if is_number(low) and len(fitting) < low:
                self._say(path, lambda: Marked(_LEAST_FITTING, limit=low))
            if is_number(high) and len(fitting) > high:
                self._say(path, lambda: Marked(_MOST_FITTING, limit=high))
            seen.places |= fitting
        if schema.get("uniqueItems") is True:
            values = {canonical(inner, self._work) for inner in value}
            if len(values) < len(value):
                self._say(path, lambda: Marked(N_("has an entry twice")))
        if "unevaluatedItems" in schema:
            for place in range(len(value)):
                if place not in seen.places:
                    self._further(schema["unevaluatedItems"], str(place), value[place], path, deep)
            seen.places |= set(range(len(value)))

    # ------------------------------------------------------------ texts and numbers

    def _text(self, schema: Mapping[str, Any], value: str, path: tuple[str | int, ...]) -> None:
        self._count(schema, "Length", len(value), path)
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and self._matches(pattern, value) is False:
            self._say(path, lambda: Marked(N_("should match {pattern}"), pattern=short(pattern, 100)))

    def _matches(self, pattern: str, text: str) -> bool | None:
        """None where it cannot be told in linear time."""
        try:
            return compiled(pattern).found_in(text, self._work)
        except NotSupported:
            return None

    def _number(self, schema: Mapping[str, Any], value: float, path: tuple[str | int, ...]) -> None:
        if is_number(low := schema.get("minimum")) and value < low:
            self._say(path, lambda: Marked(N_("is below {limit}"), limit=low))
        if is_number(high := schema.get("maximum")) and value > high:
            self._say(path, lambda: Marked(N_("is above {limit}"), limit=high))
        if is_number(low := schema.get("exclusiveMinimum")) and value <= low:
            self._say(path, lambda: Marked(N_("should be above {limit}"), limit=low))
        if is_number(high := schema.get("exclusiveMaximum")) and value >= high:
            self._say(path, lambda: Marked(N_("should be below {limit}"), limit=high))
        step = schema.get("multipleOf")
        if is_number(step) and step > 0 and not is_multiple(value, step):
            self._say(path, lambda: Marked(N_("should be a multiple of {step}"), step=step))

    def _count(self, schema: Mapping[str, Any], of: str, count: int, path: tuple[str | int, ...]) -> None:
        if is_number(low := schema.get(f"min{of}")) and count < low:
            self._say(path, lambda: Marked(_LEAST[of], limit=low))
        if is_number(high := schema.get(f"max{of}")) and count > high:
            self._say(path, lambda: Marked(_MOST[of], limit=high))


def _wrong_type(names: list[Any], value: Any) -> str:
    return Marked(
        N_("should be {expected}, is {found}"), expected=" / ".join(map(str, names))[:100], found=type_of(value)
    )


class _Misfit(Exception):
    """One of several forms does not fit; nobody asks why."""


def _list(schema: Mapping[str, Any], key: str) -> list[Any]:
    value = schema.get(key)
    return value if isinstance(value, list) else []


def _mapping(schema: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = schema.get(key)
    return value if isinstance(value, Mapping) else {}


def _unescaped(step: str) -> str:
    from urllib.parse import unquote

    return unquote(step).replace("~1", "/").replace("~0", "~")

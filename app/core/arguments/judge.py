"""Every fault of arguments against a JSON schema, as codes; `refusal` words them.

Supports the subset that tools use, and nothing that could run long on a foreign schema: no patterns, no formats, no
references to other documents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from app.core.schema.work import TooMuchWork, WorkLimit

from .shapes import DEEPEST, Schema, Shapes, is_form, is_number, properties_of, required_of, same, type_fits, under

MOST_FAULTS = 8
MOST_WORK = 40_000
"""Steps of one check, for schemas of anybody: a tenth of a second or two."""


@dataclass(frozen=True, slots=True)
class ArgumentFault:
    """One thing wrong with the arguments; `path` is like `lines.0.price`."""

    path: str
    message: str
    """In plain English; a fault with a code is said in the language of the run instead (`refusal`)."""
    code: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)


def own_fault(path: str, words: str, **values: Any) -> ArgumentFault:
    """What a tool's own check finds: `words` are marked for translation, with the values in their braces."""
    message = words.format(**values) if values else words
    return ArgumentFault(path, message, "value", {"words": words, "values": values})


def judge(schema: Schema, args: Mapping[str, Any], most: int = MOST_FAULTS) -> list[ArgumentFault]:
    """Whether a text is a day is left to the tool, which has an error of its own for that."""
    return [one for one in _faults(schema, args, most) if one.code != "date"][:most]


def wrong_dates(schema: Schema, args: Mapping[str, Any]) -> list[ArgumentFault]:
    """Texts that should be days and are none, to be named with the other faults."""
    return [one for one in _faults(schema, args, 2 * MOST_FAULTS) if one.code == "date"]


def _faults(schema: Schema, args: Mapping[str, Any], most: int) -> list[ArgumentFault]:
    found: list[ArgumentFault] = []
    try:
        _Judge(Shapes(schema, WorkLimit(MOST_WORK)), found, most).judge(schema, dict(args), "", 0)
    except (TooMuchWork, RecursionError):
        found.insert(0, fault("", "work"))
    return found


def fits(shapes: Shapes, schema: Schema, value: Any) -> bool:
    found: list[ArgumentFault] = []
    _Judge(shapes, found, 1).judge(schema, value, "", 0)
    return not found


_WORDS: Mapping[str, str] = {
    "type": "should be {wanted}, is {given}",
    "enum": "should be one of {allowed}",
    "const": "should be {wanted}",
    "form": "fits none of the forms it may have",
    "missing": "is missing",
    "unknown": "is not known",
    "few": "needs at least {n} entries",
    "many": "takes at most {n} entries",
    "short": "needs at least {n} characters",
    "long": "takes at most {n} characters",
    "below": "is below {n}",
    "above": "is above {n}",
    "not_above": "should be above {n}",
    "not_below": "should be below {n}",
    "time": "should be a time HH:MM",
    "date": "should be a date YYYY-MM-DD",
    "together": "needs {names} beside it",
    "one_of": "give exactly one of {names}",
    "work": "cannot be held against this schema, which is too large for them",
}


def fault(path: str, code: str, **params: Any) -> ArgumentFault:
    """`params` as `_WORDS` names them."""
    return ArgumentFault(
        path, _WORDS[code].format(**{key: _shown(key, value) for key, value in params.items()}), code, params
    )


class _Judge:
    def __init__(self, shapes: Shapes, found: list[ArgumentFault], most: int) -> None:
        self._shapes, self._found, self._most = shapes, found, most

    def judge(self, schema: Any, value: Any, path: str, deep: int) -> None:
        schema = self._shapes.at(schema)
        if deep > DEEPEST or len(self._found) >= self._most:
            return
        if not type_fits(schema.get("type"), value):
            self._say(path, "type", wanted=schema.get("type"), given=type_of(value))
            return
        allowed = schema.get("enum")
        if isinstance(allowed, list):
            self._shapes.spend(len(allowed))
            if not any(same(value, one) for one in allowed):
                self._say(path, "enum", allowed=allowed)
        if "const" in schema and not same(value, schema["const"]):
            self._say(path, "const", wanted=schema["const"])
        self._alternatives(schema, value, path, deep)
        if isinstance(value, dict):
            self._object(schema, value, path, deep)
        elif isinstance(value, list | tuple):
            self._array(schema, value, path, deep)
        else:
            self._bounds(schema, value, path)

    def _alternatives(self, schema: Schema, value: Any, path: str, deep: int) -> None:
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if not isinstance(options, list) or not options:
                continue
            if isinstance(value, dict) and not all(isinstance(one, Mapping) and is_form(one) for one in options):
                self._groups(word, options, value, path, deep)
            elif not any(self._fits(one, value, deep) for one in options):
                self._closest(options, value, path, deep)
        for inner in schema.get("allOf") or () if isinstance(schema.get("allOf"), list) else ():
            self.judge(inner, value, path, deep + 1)

    def _groups(self, word: str, options: list[Any], value: Mapping[str, Any], path: str, deep: int) -> None:
        """Alternatives that say which fields go together."""
        fitting = sum(self._fits(one, value, deep) for one in options)
        if fitting == 0 or (word == "oneOf" and fitting > 1):
            names = [name for one in options if isinstance(one, Mapping) for name in required_of(one)]
            self._say(" | ".join(under(path, name) for name in names), "one_of", names=names)

    def _closest(self, options: list[Any], value: Any, path: str, deep: int) -> None:
        """Where one form alone has the value's type, what is wrong with it is said."""
        near = [one for one in map(self._shapes.at, options) if "type" in one and type_fits(one["type"], value)]
        types = [one.get("type") for one in map(self._shapes.at, options)]
        if len(near) == 1:
            self.judge(near[0], value, path, deep + 1)
        elif not near and all(isinstance(each, str) for each in types):
            self._say(path, "type", wanted=types, given=type_of(value))
        else:
            self._say(path, "form")

    def _fits(self, schema: Any, value: Any, deep: int) -> bool:
        if schema is True:
            return True
        found: list[ArgumentFault] = []
        _Judge(self._shapes, found, 1).judge(schema, value, "", deep + 1)
        return not found

    def _object(self, schema: Schema, value: Mapping[str, Any], path: str, deep: int) -> None:
        properties = properties_of(schema)
        self._shapes.spend(len(schema.get("required") or ()) if isinstance(schema.get("required"), list) else 0)
        for name in required_of(schema):
            if name not in value:
                self._say(under(path, name), "missing")
        pairs = schema.get("dependentRequired")
        for name, others in pairs.items() if isinstance(pairs, Mapping) else ():
            if name in value and (left := [other for other in others if other not in value]):
                self._say(under(path, name), "together", names=left)
        further = schema.get("additionalProperties")
        for name, inner in value.items():
            if name in properties:
                self.judge(properties[name], inner, under(path, name), deep + 1)
            elif further is False and not schema.get("allOf"):
                self._say(under(path, name), "unknown")
            elif isinstance(further, Mapping):
                self.judge(further, inner, under(path, name), deep + 1)

    def _array(self, schema: Schema, value: Any, path: str, deep: int) -> None:
        if isinstance(low := schema.get("minItems"), int) and len(value) < low:
            self._say(path, "few", n=low)
        if isinstance(high := schema.get("maxItems"), int) and len(value) > high:
            self._say(path, "many", n=high)
        if isinstance(items := schema.get("items"), Mapping):
            for place, inner in enumerate(value):
                self.judge(items, inner, under(path, str(place)), deep + 1)

    def _bounds(self, schema: Schema, value: Any, path: str) -> None:
        if isinstance(value, str):
            if isinstance(low := schema.get("minLength"), int) and len(value) < low:
                self._say(path, "short", n=low)
            if isinstance(high := schema.get("maxLength"), int) and len(value) > high:
                self._say(path, "long", n=high)
            if schema.get("format") == "date" and not is_date(value):
                self._say(path, "date")
        elif is_number(value):
            if is_number(low := schema.get("minimum")) and value < low:
                self._say(path, "below", n=low)
            if is_number(high := schema.get("maximum")) and value > high:
                self._say(path, "above", n=high)
            if is_number(low := schema.get("exclusiveMinimum")) and value <= low:
                self._say(path, "not_above", n=low)
            if is_number(high := schema.get("exclusiveMaximum")) and value >= high:
                self._say(path, "not_below", n=high)

    def _say(self, path: str, code: str, **params: Any) -> None:
        self._found.append(fault(path, code, **params))


def is_date(value: str) -> bool:
    try:
        return len(value) == 10 and bool(date.fromisoformat(value))
    except ValueError:
        return False


def type_of(value: Any) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "null")


def _shown(key: str, value: Any) -> str:
    if key in ("wanted", "names") and isinstance(value, list):
        return (" or " if key == "wanted" else ", ").join(map(str, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)[:200]

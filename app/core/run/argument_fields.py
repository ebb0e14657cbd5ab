"""The arguments of a tool as fields a person can fill in, from the tool's JSON schema.

A field's value is written as text and read back. A plan's reference to an earlier result
(`$2.data.id`) fits every field where references are allowed.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.core.arguments.references import parse_reference

from ..text.i18n import _
from ..tools import finite

FieldKind = Literal["text", "choice", "bool", "integer", "number", "list", "json"]
"""`list`: of words, each its own chip; `choices` are those that may be in it, none = any."""
_HIDDEN = ("Cc", "Cf", "Zl", "Zp", "Cs")
_PLAIN_KINDS: Mapping[str, FieldKind] = {"string": "text", "integer": "integer", "number": "number", "boolean": "bool"}


@dataclass(frozen=True, slots=True)
class ArgumentField:
    name: str
    kind: FieldKind
    choices: tuple[str, ...] = ()
    required: bool = False
    help: str = ""
    default: Any = None


class WrongText(ValueError):
    """`code`: number, integer, json, choice, missing."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def fields_of(
    parameters: Mapping[str, Any], values: Mapping[str, Any], *, references: bool = False
) -> list[ArgumentField]:
    """Those of the schema in its order, then what `values` has beyond it."""
    properties = parameters.get("properties")
    known: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    required = parameters.get("required") or ()
    judge = _Fitting(references)
    fields = [judge.field(name, schema, name in required, values.get(name)) for name, schema in known.items()]
    return [*fields, *(ArgumentField(name, "json") for name in values if name not in known)]


def written(field: ArgumentField, value: Any, *, references: bool = False) -> str:
    """As the person sees it in the field; `read` gives the same value back."""
    if isinstance(value, str) and (field.kind not in ("json", "list") or (references and parse_reference(value))):
        return value
    return written_json(value)


def written_json(value: Any) -> str:
    """JSON one can edit; characters that hide or reorder text are escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return "".join(char if char == "\n" or not _is_hidden(char) else json.dumps(char)[1:-1] for char in text)


def read(field: ArgumentField, text: str, *, references: bool = False) -> Any:
    """Raises WrongText."""
    if references and parse_reference(text.strip()):
        return text.strip()
    match field.kind:
        case "text":
            return text
        case "choice":
            if text not in field.choices:
                raise WrongText("choice")
            return text
        case "integer" | "number":
            return _number(field.kind, text)
        case "bool":
            if text not in ("true", "false"):
                raise WrongText("choice")
            return text == "true"
        case "json" | "list":
            try:
                return finite.loads(text)
            except (ValueError, RecursionError) as error:
                raise WrongText("json") from error


def _number(kind: FieldKind, text: str) -> int | float:
    try:
        number = finite.loads(text.strip())
    except (ValueError, RecursionError) as error:
        raise WrongText(kind) from error
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise WrongText(kind)
    if kind == "integer" and not isinstance(number, int):
        raise WrongText(kind)
    return number


class _Fitting:
    """Which field a value of the schema gets; one that does not fit it is edited as JSON."""

    def __init__(self, references: bool) -> None:
        self._references = references

    def field(self, name: str, schema: Any, required: bool, value: Any) -> ArgumentField:
        if not isinstance(schema, Mapping):
            return ArgumentField(name, "json", required=required)
        help, default = _(str(schema.get("description") or "")), schema.get("default")
        inner, optional = _without_null(schema)
        choices = inner.get("enum")
        kind: FieldKind
        if isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices):
            kind = "choice"
        else:
            choices = []
            type_ = inner.get("type")
            kind = _PLAIN_KINDS.get(type_, "json") if isinstance(type_, str) else "json"
            items = inner.get("items")
            if type_ == "array" and isinstance(items, Mapping) and items.get("type") == "string":
                kind = "list"
                listed = items.get("enum")
                choices = listed if isinstance(listed, list) and all(isinstance(one, str) for one in listed) else []
        kind = kind if self._fits(kind, tuple(choices), value) else "json"
        return ArgumentField(name, kind, tuple(choices), required and not optional, help, default)

    def _fits(self, kind: FieldKind, choices: tuple[str, ...], value: Any) -> bool:
        if value is None or (self._references and isinstance(value, str) and parse_reference(value)):
            return True
        match kind:
            case "text":
                return isinstance(value, str) and not any(map(_is_hidden, value.replace("\n", "")))
            case "choice":
                return value in choices
            case "bool":
                return isinstance(value, bool)
            case "integer":
                return isinstance(value, int) and not isinstance(value, bool)
            case "number":
                return isinstance(value, int | float) and not isinstance(value, bool)
            case "list":
                return isinstance(value, list) and all(
                    isinstance(one, str) and not any(map(_is_hidden, one)) for one in value
                )
            case "json":
                return True


def _without_null(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """`anyOf: [X, null]` is an X that may be left out."""
    options = schema.get("anyOf")
    if not isinstance(options, list):
        return schema, False
    options_left = [option for option in options if isinstance(option, Mapping) and option.get("type") != "null"]
    return (options_left[0] if len(options_left) == 1 else {}), len(options_left) < len(options)


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in _HIDDEN
